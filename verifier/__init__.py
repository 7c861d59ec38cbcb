"""The network of Lemma 6 of Yun et al. (ICLR 2020), built and checked in exact rationals.

    from verifier import Instance
    from verifier import contextual_map
    from verifier import verify
    print(verify(contextual_map(Instance(d=1, n=3, N=4))).verdict)

`verify` returns a `Result`; `result["lemma6.1"]` is a finding, with its verdict and tightest case or counterexample.
"""

# Each name is loaded when it is first used: a command begins here, and the checker must load nothing else.

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:  # what the names below are, for type checkers and editors; a test compares the two lists
    from typing import Any

    from verifier.certificate import certify as certify
    from verifier.core.claim import Claim as Claim
    from verifier.core.claim import Domain as Domain
    from verifier.core.claim import Relation as Relation
    from verifier.core.claim import neighbours as neighbours
    from verifier.core.construction import Construction as Construction
    from verifier.core.exact import Q as Q
    from verifier.core.layers import Attention as Attention
    from verifier.core.layers import FeedForward as FeedForward
    from verifier.core.layers import Head as Head
    from verifier.core.layers import PiecewiseLinear as PiecewiseLinear
    from verifier.core.network import Network as Network
    from verifier.core.space import Space as Space
    from verifier.core.spaces import ColumnOrbits as ColumnOrbits
    from verifier.core.spaces import ColumnTuples as ColumnTuples
    from verifier.page import Found as Found
    from verifier.page import Page as Page
    from verifier.papers.yun2020.claims.given import given_claims as given_claims
    from verifier.papers.yun2020.contextual_map import ContextualMap as ContextualMap
    from verifier.papers.yun2020.contextual_map import contextual_map as contextual_map
    from verifier.papers.yun2020.contextual_map import fitted as fitted
    from verifier.papers.yun2020.grid import Grid as Grid
    from verifier.papers.yun2020.instance import Instance as Instance
    from verifier.papers.yun2020.interval import Interval as Interval
    from verifier.report.lecture import story as story
    from verifier.report.terminal import print_result as print_result
    from verifier.report.walk import explain as explain
    from verifier.run.verify import RunOptions as RunOptions
    from verifier.run.verify import verify as verify

__version__ = "0.2.0"

_OFFERED = {
    "Instance": "verifier.papers.yun2020.instance",
    "Grid": "verifier.papers.yun2020.grid",
    "Interval": "verifier.papers.yun2020.interval",
    "ContextualMap": "verifier.papers.yun2020.contextual_map",
    "contextual_map": "verifier.papers.yun2020.contextual_map",
    "fitted": "verifier.papers.yun2020.contextual_map",
    "Q": "verifier.core.exact",
    "Head": "verifier.core.layers",
    "Attention": "verifier.core.layers",
    "FeedForward": "verifier.core.layers",
    "Network": "verifier.core.network",
    "given_claims": "verifier.papers.yun2020.claims.given",
    "PiecewiseLinear": "verifier.core.layers",
    "Page": "verifier.page",
    "Found": "verifier.page",
    "Claim": "verifier.core.claim",
    "Domain": "verifier.core.claim",
    "Relation": "verifier.core.claim",
    "neighbours": "verifier.core.claim",
    "Construction": "verifier.core.construction",
    "Space": "verifier.core.space",
    "ColumnOrbits": "verifier.core.spaces",
    "ColumnTuples": "verifier.core.spaces",
    "RunOptions": "verifier.run.verify",
    "verify": "verifier.run.verify",
    "certify": "verifier.certificate",
    "print_result": "verifier.report.terminal",
    "explain": "verifier.report.walk",
    "story": "verifier.report.lecture",
}

__all__ = [*_OFFERED, "__version__"]  # noqa: PLE0604 - names, all of them


def __getattr__(name: str) -> "Any":
    if name not in _OFFERED:
        raise AttributeError(f"module 'verifier' has no attribute {name!r}")
    return getattr(import_module(_OFFERED[name]), name)


def load_ipython_extension(shell: "Any") -> None:
    """`%load_ext verifier` in a notebook: from then on a cell that begins with `%%page --n 4` is a page, and is run."""
    import_module("verifier.commands.cell").load(shell)


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__") and name.endswith("__"))})

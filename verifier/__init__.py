"""verifier: the construction of Yun et al. (ICLR 2020), run and checked in exact rationals.

    from verifier import Instance
    from verifier import contextual_map
    from verifier import verify
    print(verify(contextual_map(Instance(d=1, n=3, N=4))).verdict)

What the package offers is loaded when it is used (importing the checker must load nothing else).
"""

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing takes milliseconds, and a command begins here
    from typing import Any

__version__ = "0.2.0"

_OFFERED = {
    "Instance": "verifier.papers.yun2020.instance",
    "Grid": "verifier.papers.yun2020.grid",
    "Interval": "verifier.papers.yun2020.contextual_map",
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
}

__all__ = [*_OFFERED, "__version__"]  # noqa: PLE0604 - names, all of them


def __getattr__(name: str) -> "Any":
    if name not in _OFFERED:
        raise AttributeError(f"module 'verifier' has no attribute {name!r}")
    return getattr(import_module(_OFFERED[name]), name)

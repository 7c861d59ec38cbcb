"""verifier: the construction of Yun et al. (ICLR 2020), run and checked in exact rationals.

    from verifier import Instance, contextual_map, verify
    print(verify(contextual_map(Instance(d=1, n=3, N=4))).verdict)

What the package offers is loaded when it is used (importing the checker must load nothing else).
"""

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing takes milliseconds, and a command begins here
    from typing import Any

__version__ = "0.2.0"

_OFFERED = {
    "Instance": "verifier.instance",
    "Grid": "verifier.grid",
    "Interval": "verifier.constructions.contextual_map",
    "ContextualMap": "verifier.constructions.contextual_map",
    "contextual_map": "verifier.constructions.contextual_map",
    "fitted": "verifier.constructions.contextual_map",
    "Q": "verifier.exact",
    "Head": "verifier.layers",
    "Attention": "verifier.layers",
    "FeedForward": "verifier.layers",
    "PiecewiseLinear": "verifier.layers",
    "Network": "verifier.network",
    "given_claims": "verifier.claims.given",
    "verify": "verifier.exhaustive.run",
    "certify": "verifier.certificate",
    "print_result": "verifier.report.terminal",
}

__all__ = [*_OFFERED, "__version__"]  # noqa: PLE0604 - names, all of them


def __getattr__(name: str) -> "Any":
    if name not in _OFFERED:
        raise AttributeError(f"module 'verifier' has no attribute {name!r}")
    return getattr(import_module(_OFFERED[name]), name)

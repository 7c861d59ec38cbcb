"""The networks that queries are about: a ready-made family, or one that `verify build` made."""

from collections.abc import Iterator

from verifier.bench.networks import TINY, Subject, contextuals, quantised, quantisers, tiny
from verifier.core.exact import Q


def ready_made() -> Iterator[Subject]:
    """First tiny ones; then from 3 layers to 1,025, where a strip's width is delta/2^k."""
    for name, layers in TINY.items():
        yield tiny(name, layers)
    for N, k, dtype in (
        (2, 16, "float32"),
        (4, 2, "float32"),
        (4, 12, "float32"),
        (16, 16, "float32"),
        (64, 8, "float32"),
    ):
        yield quantisers(N, Q(1, N * 2**k), dtype)
    yield quantisers(1024, Q(1, 2**20), "float64")
    for d, n, N, dtype in ((1, 2, 2, "float32"), (1, 3, 4, "float32"), (2, 2, 2, "float32"), (1, 2, 16, "float64")):
        yield contextuals(d, n, N, dtype)
    for d, n, N, dtype in ((1, 2, 4, "float32"), (2, 2, 2, "float32"), (1, 2, 32, "float64")):
        yield quantised(d, n, N, Q(1, N * 64), dtype)

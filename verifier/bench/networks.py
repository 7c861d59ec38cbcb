"""The ready-made networks, as they are stored: quantisers and contextual maps in the float form, and both together.

    quantiser        for k = 0, ..., N-1:   x <- x - ReLU(x - k eps) + ReLU(x - k eps - (delta - eps))
                     then                   x <- x + (delta/eps - 1) ReLU(x)

for each row. It takes [k delta, (k+1) delta - eps] to k delta, and is a line on each strip between. The contextual map
is the paper's, with softmax(2^k .) in the place of the hardmax.
"""

from dataclasses import dataclass

from gmpy2 import mpq

from verifier.build.dtype import floor_log2
from verifier.build.layer import Layer, head, relus, scaled, unit
from verifier.core.exact import Matrix, Q
from verifier.core.layers import Attention
from verifier.papers.yun2020.instance import Instance


@dataclass(frozen=True)
class Subject:
    """A network that queries are about: its layers for inputs of d rows and n columns, and its steps' width."""

    name: str
    kind: str  # quantiser, contextual, context (both) or whole
    d: int
    n: int
    N: int
    eps: mpq | None  # of the strips; None where there are none
    dtype: str
    layers: tuple[Layer, ...]
    encoding: Matrix | None = None  # added to X before the first layer
    telling: tuple[Matrix, ...] = ()  # points of the grid whose cells are worth a look

    @property
    def delta(self) -> mpq:
        return Q(1, self.N)


def quantiser(d: int, N: int, eps: mpq) -> tuple[Layer, ...]:
    """d (N + 1) token-wise layers of at most two ReLUs; eps < delta is the width of a strip."""
    delta, layers = Q(1, N), []
    for r in range(d):
        e = unit(d, r)
        for k in range(N):
            start = k * eps
            layers.append(relus((e, e), (-start, -start - delta + eps), (scaled(-1, e), e)))
        layers.append(relus((e,), (Q(0),), (scaled(delta / eps - 1, e),)))
    return tuple(layers)


def temperature(N: int) -> mpq:
    """The least power of two that is at least 1492 N^2: scores of G that differ, differ by at least 746."""
    return Q(2 ** (1492 * N * N - 1).bit_length())


def contextual(d: int, n: int, N: int) -> tuple[Layer, ...]:
    """B selective shifts of two heads, and the global shift of one."""
    i, hot = Instance(d, n, N), temperature(N)
    half, up = i.delta / 2, unit(d, 0, i.sweep_factor)
    shifts = [
        Attention((head(up, i.u, hot, level - half), head(scaled(-1, up), i.u, hot, level + half)))
        for level in i.levels
    ]
    return (*shifts, Attention((head(unit(d, 0, i.global_factor), i.u, hot, Q(0)),)))


def quantisers(N: int, eps: mpq, dtype: str) -> Subject:
    exponent = floor_log2(Q(1, N) / eps)
    return Subject(f"quantiser-{N}-{exponent}-{dtype}", "quantiser", 1, 1, N, eps, dtype, quantiser(1, N, eps))


def contextuals(d: int, n: int, N: int, dtype: str) -> Subject:
    return Subject(f"contextual-{d}-{n}-{N}-{dtype}", "contextual", d, n, N, None, dtype, contextual(d, n, N))


def quantised(d: int, n: int, N: int, eps: mpq, dtype: str) -> Subject:
    """Quantiser and contextual map together: everything but the targets."""
    layers = quantiser(d, N, eps) + contextual(d, n, N)
    return Subject(f"context-{d}-{n}-{N}-{dtype}", "context", d, n, N, eps, dtype, layers)

"""The ready-made networks, as they are stored: quantisers and contextual maps in the float form, and both together.

    quantiser        for k = 0, ..., N-1:   x <- x - ReLU(x - k eps) + ReLU(x - k eps - (delta - eps))
                     then                   x <- x + (delta/eps - 1) ReLU(x)

for each row. It takes [k delta, (k+1) delta - eps] to k delta, and is a line on each strip between. The contextual map
is the paper's, with softmax(2^k .) in the place of the hardmax.
"""

from dataclasses import dataclass

from gmpy2 import mpq

from verifier.build.dtypes import floor_log2
from verifier.build.layers import Attend, Forward, Stored
from verifier.core.exact import Matrix, Q, Vector
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
    layers: tuple[Stored, ...]
    encoding: Matrix | None = None  # added to X before the first layer
    telling: tuple[Matrix, ...] = ()  # points of the grid whose cells are worth a look

    @property
    def delta(self) -> mpq:
        return Q(1, self.N)


def unit(d: int, r: int) -> Vector:
    return tuple(Q(int(k == r)) for k in range(d))


def quantiser(d: int, N: int, eps: mpq) -> tuple[Stored, ...]:
    """d (N + 1) token-wise layers of at most two ReLUs; eps < delta is the width of a strip."""
    delta, layers, none = Q(1, N), [], (Q(0),) * d
    for r in range(d):
        e = unit(d, r)
        for k in range(N):
            start = k * eps
            layers.append(Forward((e, e), (-start, -start - delta + eps), tuple((-x, x) for x in e), none))
        layers.append(Forward((e,), (Q(0),), tuple((x * (delta / eps - 1),) for x in e), none))
    return tuple(layers)


def temperature(N: int) -> mpq:
    """The least power of two that is at least 1492 N^2: scores of G that differ, differ by at least 746."""
    return Q(2 ** (1492 * N * N - 1).bit_length())


def contextual(d: int, n: int, N: int) -> tuple[Stored, ...]:
    """B selective shifts of two heads, and the global shift of one."""
    i, hot = Instance(d, n, N), temperature(N)
    u, keys, half = i.u, tuple(hot * x for x in i.u), i.delta / 2
    rest = [(Q(0),)] * (d - 1)
    shift = ((i.sweep_factor, -i.sweep_factor), *(2 * row for row in rest))
    layers: list[Stored] = [
        Attend(shift, (u, u), (keys, keys), (u, u), (half - level, -half - level)) for level in i.levels
    ]
    layers.append(Attend(((i.global_factor,), *rest), (u,), (keys,), (u,), (Q(0),)))
    return tuple(layers)


def quantisers(N: int, eps: mpq, dtype: str) -> Subject:
    exponent = floor_log2(Q(1, N) / eps)
    return Subject(f"quantiser-{N}-{exponent}-{dtype}", "quantiser", 1, 1, N, eps, dtype, quantiser(1, N, eps))


def contextuals(d: int, n: int, N: int, dtype: str) -> Subject:
    return Subject(f"contextual-{d}-{n}-{N}-{dtype}", "contextual", d, n, N, None, dtype, contextual(d, n, N))


def quantised(d: int, n: int, N: int, eps: mpq, dtype: str) -> Subject:
    """Quantiser and contextual map together: everything but the targets."""
    layers = quantiser(d, N, eps) + contextual(d, n, N)
    return Subject(f"context-{d}-{n}-{N}-{dtype}", "context", d, n, N, eps, dtype, layers)

"""The ready-made networks, as they are stored: quantisers and contextual maps in the float form, and both together.

    quantiser        for k = 0, ..., N-1:   x <- x - ReLU(x - k eps) + ReLU(x - k eps - (delta - eps))
                     then                   x <- x + (delta/eps - 1) ReLU(x)

for each row. It takes [k delta, (k+1) delta - eps] to k delta, and is a line on each strip between. The contextual map
is the paper's, with softmax(2^k .) in the place of the hardmax.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gmpy2 import mpq

from verifier.build.dtype import floor_log2
from verifier.build.layer import Layer, heated, relus, scaled, unit
from verifier.build.paper import contextual_map
from verifier.build.sizes import Sizes
from verifier.build.taken import Taken
from verifier.core.exact import Matrix, Q


@dataclass(frozen=True)
class Subject:
    """A network that queries are about: its layers for inputs of d rows and n columns, and its steps' width."""

    name: str
    kind: str  # tiny, page, quantiser, contextual, context (both) or whole
    d: int
    n: int
    N: int
    eps: mpq | None  # of the strips; None where there are none
    dtype: str
    layers: tuple[Layer | Taken, ...]
    encoding: Matrix | None = None  # added to X before the first layer
    telling: tuple[Matrix, ...] = ()  # points of the grid whose cells are worth a look

    @property
    def delta(self) -> mpq:
        return Q(1, self.N)

    @property
    def wide(self) -> int:
        """The rows of the output."""
        last = self.layers[-1]
        return len(last.own) if isinstance(last, Taken) else self.d


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


Nodes = list[tuple[mpq, mpq, mpq]]  # (w, b, a): a ReLU(w x + b)


def tiny(name: str, layers: Sequence[Nodes]) -> Subject:
    """One number, to which each layer adds its ReLUs: the extremes on an interval are seen at once."""
    made = tuple(relus([(w,) for w, _, _ in its], [b for _, b, _ in its], [(a,) for _, _, a in its]) for its in layers)
    return Subject(f"tiny-{name}-float32", "tiny", 1, 1, 4, None, "float32", made)


def nodes(*its: tuple[int, int | mpq, int]) -> Nodes:
    return [(mpq(w), mpq(b), mpq(a)) for w, b, a in its]


GONE = nodes((1, 0, -1), (-1, 0, 1))  # x - ReLU(x) + ReLU(-x) = 0
TINY = {
    "positive": [nodes((-1, 0, 1))],  # max(x, 0)
    "absolute": [nodes((-1, 0, 2))],
    "absolute-twice": [nodes((-1, 0, 2))] * 2,
    "unchanged": [nodes((1, 0, 1), (1, 0, -1))],  # two ReLUs that cancel
    "zero": [GONE],
    "one": [GONE, nodes((0, 1, 1))],
    "clip": [nodes((-1, 0, 1), (1, Q(-1, 2), -1))],  # into [0, 1/2]
    "tent": [GONE + nodes((1, 1, 1), (1, 0, -2), (1, -1, 1))],  # 1 - |x| on [-1, 1], 0 outside
    "step": [GONE + nodes((1024, 0, 1), (1024, -1, -1))],  # 0 up to 0, 1 from 1/1024 on
}


def temperature(N: int) -> mpq:
    """The least power of two that is at least 1492 N^2: scores of G that differ, differ by at least 746."""
    return Q(2 ** (1492 * N * N - 1).bit_length())


def contextual(d: int, n: int, N: int) -> tuple[Layer, ...]:
    """B selective shifts of two heads, and the global shift of one."""
    return tuple(heated(layer, temperature(N)) for layer in contextual_map(Sizes(d, n, N), False))


def quantisers(N: int, eps: mpq, dtype: str) -> Subject:
    exponent = floor_log2(Q(1, N) / eps)
    return Subject(f"quantiser-{N}-{exponent}-{dtype}", "quantiser", 1, 1, N, eps, dtype, quantiser(1, N, eps))


def contextuals(d: int, n: int, N: int, dtype: str) -> Subject:
    return Subject(f"contextual-{d}-{n}-{N}-{dtype}", "contextual", d, n, N, None, dtype, contextual(d, n, N))


def quantised(d: int, n: int, N: int, eps: mpq, dtype: str) -> Subject:
    """Quantiser and contextual map together: everything but the targets."""
    layers = quantiser(d, N, eps) + contextual(d, n, N)
    return Subject(f"context-{d}-{n}-{N}-{dtype}", "context", d, n, N, eps, dtype, layers)

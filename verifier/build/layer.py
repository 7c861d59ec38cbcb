"""The layers of a network that is built: attention with heads of size 1, and token-wise layers of ReLUs.

They are the paper's layers (verifier.core.layers), with a name, and with relu for phi. lambda is inside W_K, so that
softmax takes the scores as they are, and hardmax doesn't see it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gmpy2 import mpq

from verifier.core.exact import Matrix, Q, Vector
from verifier.core.layers import Attention, FeedForward, Head, PiecewiseLinear, add, transpose
from verifier.core.network import Network

Layer = Attention | FeedForward
RELU = PiecewiseLinear((Q(0),), ((Q(0), Q(0)), (Q(1), Q(0))))


@dataclass(frozen=True)
class Named:
    name: str
    layer: Layer


@dataclass(frozen=True)
class Stack:
    """A network: X + encoding (if there is one), then the layers."""

    d: int
    n: int
    layers: tuple[Named, ...]
    encoding: Matrix | None = None

    @property
    def network(self) -> Network:
        return Network(tuple(named.layer for named in self.layers))

    def enter(self, X: Matrix) -> Matrix:
        return X if self.encoding is None else add(X, self.encoding)

    def run(self, X: Matrix) -> Matrix:
        """With hardmax, in exact arithmetic, layer by layer."""
        return self.network.run(self.enter(X))

    def only(self, *kinds: str) -> tuple[Named, ...]:
        """The layers whose names begin so."""
        return tuple(named for named in self.layers if named.name.split(".")[0] in kinds)

    def attention(self) -> tuple[Attention, ...]:
        return tuple(named.layer for named in self.layers if isinstance(named.layer, Attention))

    def token_wise(self, *kinds: str) -> tuple[FeedForward, ...]:
        return tuple(named.layer for named in self.only(*kinds) if isinstance(named.layer, FeedForward))


def unit(d: int, i: int, x: mpq | int = 1) -> Vector:
    """x e_i, i counted from 0."""
    return tuple(Q(0) if k != i else mpq(x) for k in range(d))


def scaled(c: mpq | int, v: Vector) -> Vector:
    return tuple(c * x for x in v)


def relus(rows: Sequence[Vector], biases: Sequence[mpq], columns: Sequence[Vector]) -> FeedForward:
    """X + sum_a column_a relu(row_a X + bias_a)."""
    d = len(rows[0])
    return FeedForward(tuple(rows), tuple(biases), transpose(columns), (Q(0),) * d, RELU)


def head(out: Vector, u: Vector, rate: mpq, b: mpq) -> Head:
    """out . u^T X . softmax[rate (u^T X)^T (u^T X - b 1^T)]: psi(X; b) of the paper, its factor and e_1 in `out`."""
    return Head(W_O=tuple((x,) for x in out), W_V=(u,), W_K=(scaled(rate, u),), W_Q=(u,), b_Q=(-b,))


def tensors(layer: Layer) -> dict[str, tuple[tuple[mpq, ...], ...] | tuple[mpq, ...]]:
    """The weights under the names of FORMAT-build.md, 2; heads side by side."""
    if isinstance(layer, FeedForward):
        return {"W_1": layer.W_1, "b_1": layer.b_1, "W_2": layer.W_2, "b_2": layer.b_2}
    heads = layer.heads
    return {
        "W_O": layer.W_O,
        "W_V": tuple(head.W_V[0] for head in heads),
        "W_K": tuple(head.W_K[0] for head in heads),
        "W_Q": tuple(head.W_Q[0] for head in heads),
        "b_Q": tuple(head.b_Q[0] for head in heads),
    }


def weights(layer: Layer) -> list[mpq]:
    """All numbers of a layer."""
    found: list[mpq] = []
    for tensor in tensors(layer).values():
        for entry in tensor:
            found += entry if isinstance(entry, tuple) else (entry,)
    return found

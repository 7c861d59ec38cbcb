"""The layers of a network that is built, as plain data: attention, and token-wise layers of ReLUs.

    X + sum over the heads of W_O (W_V X) softmax[(W_K X)^T (W_Q X + b_Q 1^T)]
    X + W_2 relu(W_1 X + b_1 1^T) + b_2 1^T

A matrix is a tuple of its rows. Heads have size 1: W_V, W_K and W_Q have one row, W_O has one column. lambda is inside
W_K, so that softmax takes the scores as they are, and hardmax doesn't see it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gmpy2 import mpq

from verifier.build.meter import UNMETERED, Meter
from verifier.core.exact import Matrix, Q, Vector
from verifier.core.hardmax import winners


@dataclass(frozen=True)
class Head:
    W_O: Matrix
    W_V: Matrix
    W_K: Matrix
    W_Q: Matrix
    b_Q: Vector


@dataclass(frozen=True)
class Attention:
    heads: tuple[Head, ...]

    @property
    def W_O(self) -> Matrix:
        """Those of the heads side by side."""
        return tuple(tuple(x for part in rows for x in part) for rows in zip(*(h.W_O for h in self.heads), strict=True))


@dataclass(frozen=True)
class FeedForward:
    W_1: Matrix
    b_1: Vector
    W_2: Matrix
    b_2: Vector


Layer = Attention | FeedForward


@dataclass(frozen=True)
class Attended:
    """What an attention layer makes of a matrix, with hardmax."""

    after: Matrix
    gaps: tuple[mpq, ...]  # of the largest score of a column from the next, in each head
    uneven: bool  # in some head some column has t winners, t no power of two: 1/t is no number of a float format


def run(layer: Layer, X: Matrix) -> Matrix:
    """With hardmax, the mean of those with the largest score, in exact arithmetic."""
    if isinstance(layer, FeedForward):
        return transpose([forward(layer, z) for z in transpose(X)])
    return attend(layer, X).after


def attend(layer: Attention, X: Matrix, meter: Meter = UNMETERED) -> Attended:
    """An attention layer's output for a matrix; the meter records the bits of every sum."""
    columns, read, gaps, uneven = transpose(X), [], list[mpq](), False
    for head in layer.heads:
        (W_K,), (W_Q,), (W_V,), (b_Q,) = head.W_K, head.W_Q, head.W_V, head.b_Q
        keys, values = [meter.product(W_K, z) for z in columns], [meter.product(W_V, z) for z in columns]
        row = []
        for query in [meter.sum([meter.product(W_Q, z), b_Q]) for z in columns]:
            scores = [meter.sum([key * query]) for key in keys]
            best = winners(scores)
            if below := [score for score in scores if score != scores[best[0]]]:
                gaps.append(scores[best[0]] - max(below))
            t = len(best)
            uneven = uneven or t & (t - 1) > 0
            shares = [values[k] / t for k in best]
            row.append(sum(shares, Q(0)) if uneven else meter.sum(shares))
        read.append(row)
    after = tuple(
        tuple(meter.sum([x, meter.product(out, seen)]) for x, seen in zip(row, transpose(read), strict=True))
        for row, out in zip(X, layer.W_O, strict=True)
    )
    return Attended(after, tuple(gaps), uneven)


def forward(layer: FeedForward, z: Vector, meter: Meter = UNMETERED) -> Vector:
    """A token-wise layer's output for a column; the meter records the bits of every sum."""
    hidden = tuple(
        max(Q(0), meter.sum([meter.product(w, z, into_relu=b <= 0), b], into_relu=True))
        for w, b in zip(layer.W_1, layer.b_1, strict=True)
    )
    return tuple(
        meter.sum([x, meter.sum([meter.product(w, hidden), b])])
        for x, w, b in zip(z, layer.W_2, layer.b_2, strict=True)
    )


def transpose(A: Sequence[Sequence[mpq]]) -> Matrix:
    return tuple(zip(*A, strict=True))


def add(A: Sequence[Sequence[mpq]], C: Sequence[Sequence[mpq]]) -> Matrix:
    return tuple(tuple(x + y for x, y in zip(*rows, strict=True)) for rows in zip(A, C, strict=True))


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

    def enter(self, X: Matrix) -> Matrix:
        return X if self.encoding is None else add(X, self.encoding)

    def run(self, X: Matrix) -> Matrix:
        """With hardmax, in exact arithmetic, layer by layer."""
        X = self.enter(X)
        for named in self.layers:
            X = run(named.layer, X)
        return X

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
    return FeedForward(tuple(rows), tuple(biases), transpose(columns), (Q(0),) * d)


def heated(layer: Attention, rate: mpq) -> Attention:
    """With lambda inside W_K."""
    return Attention(
        tuple(Head(h.W_O, h.W_V, tuple(scaled(rate, row) for row in h.W_K), h.W_Q, h.b_Q) for h in layer.heads)
    )


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

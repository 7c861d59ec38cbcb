"""Attention over a graph: token i reads only from its neighbours N(i).

    Attn_D(X)_i = X_i + sum_h W_O^h W_V^h X_N(i) . sigma_H[ (W_K^h X_N(i) + b_K^h 1^T)^T (W_Q^h X_i + b_Q^h) ]

(AT) of App. A.1, tokens as columns, the residual of (1) included. Over the complete graph, and with b_K = 0, it is the
attention of verifier/core/layers.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bigbird.lanewise import average, largest
from verifier.core.exact import Matrix, Vector, columns_of, dot, from_columns, matrix, vector

Graph = tuple[tuple[int, ...], ...]  # the neighbours N(i) of every token i
Tokens = Sequence[Vector]


def star(n: int) -> Graph:
    """N(0) = {1, ..., n}, and N(i) = {0, i}: the global token reads from all others, and all read from it."""
    return (tuple(range(1, n + 1)), *((0, i) for i in range(1, n + 1)))


@dataclass(frozen=True)
class SparseHead:
    """One head of size m: W_O is D x m; W_V, W_K and W_Q are m x D; b_K and b_Q have m entries."""

    W_O: Matrix
    W_V: Matrix
    W_K: Matrix
    b_K: Vector
    W_Q: Matrix
    b_Q: Vector

    def __post_init__(self) -> None:
        for name in ("W_O", "W_V", "W_K", "W_Q"):
            object.__setattr__(self, name, matrix(getattr(self, name)))
        for name in ("b_K", "b_Q"):
            object.__setattr__(self, name, vector(getattr(self, name)))
        m, D = len(self.W_K), len(self.W_O)
        shapes = {"W_O": (D, m), "W_V": (m, D), "W_K": (m, D), "W_Q": (m, D)}
        for name, shape in shapes.items():
            W = getattr(self, name)
            if (len(W), len(W[0])) != shape:
                raise ValueError(f"{name} is {len(W)} x {len(W[0])}; a head of size {m} has {shape[0]} x {shape[1]}")
        if (len(self.b_K), len(self.b_Q)) != (m, m):
            raise ValueError(f"b_K and b_Q have {len(self.b_K)} and {len(self.b_Q)} entries; {m} are needed")

    @property
    def m(self) -> int:
        return len(self.W_K)

    @property
    def parameters(self) -> int:
        return 4 * self.m * len(self.W_O) + 2 * self.m

    def value(self, X: Matrix, graph: Graph) -> Matrix:
        """What the head reads before W_O places it: for each token, a mean over its neighbours of largest score."""
        return self.read({W: times(W, X) for W in {self.W_V, self.W_K, self.W_Q}}, graph)

    def read(self, of: Mapping[Matrix, Tokens], graph: Graph) -> Matrix:
        """The same, from the products of the weights and the tokens."""
        keys = [plus(token, self.b_K) for token in of[self.W_K]]
        queries = [plus(token, self.b_Q) for token in of[self.W_Q]]
        values = of[self.W_V]
        read = []
        for query, neighbours in zip(queries, graph, strict=True):
            scores = [dot(keys[j], query) for j in neighbours]
            top = largest(scores)
            best = [score == top for score in scores]
            read.append(tuple(average([values[j][r] for j in neighbours], best) for r in range(self.m)))
        return from_columns(tuple(read))


def times(W: Matrix, X: Matrix) -> Tokens:
    """W x_j for each token x_j."""
    return [tuple(dot(row, token) for row in W) for token in columns_of(X)]


def plus(x: Vector, b: Vector) -> Vector:
    return tuple(entry + bias for entry, bias in zip(x, b, strict=True))


@dataclass(frozen=True)
class SparseAttention:
    """X -> X + sum over the heads of W_O . value, over a graph."""

    heads: tuple[SparseHead, ...]
    graph: Graph

    @property
    def parameters(self) -> int:
        return sum(head.parameters for head in self.heads)

    def apply(self, X: Matrix) -> Matrix:
        products = {W: times(W, X) for head in self.heads for W in (head.W_V, head.W_K, head.W_Q)}
        after = list(X)
        for head in self.heads:
            value = columns_of(head.read(products, self.graph))
            for r, weights in enumerate(head.W_O):
                if any(weights):
                    after[r] = plus(after[r], tuple(dot(weights, read) for read in value))
        return tuple(after)

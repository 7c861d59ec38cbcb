"""Section 6: three layers that could replace attention, each with exact weights.

    average attention    X + W X (1 1^T / n)                       every attention weight is the same
    BProj(X)           = X + W_O X W_P                             weights that don't depend on X
    SepConv(X)         = X + W_O (X * W_C)                         (X * W_C)_ij = sum_t (W_C)_it X_i(j+t mod n)

"Generic" weights are drawn by a fixed rule, so that everybody gets the same ones:

    x_0 = 20200426,  x_{k+1} = 48271 x_k mod (2^31 - 1),  w_k = x_k / (2^31 - 1),  k = 1, 2, ...
"""

from collections.abc import Iterator
from dataclasses import dataclass

from gmpy2 import mpq

from verifier.core.exact import Matrix, Q, matrix
from verifier.core.layers import add, product
from verifier.core.network import Arithmetic


def drawn(*shapes: tuple[int, int]) -> tuple[Matrix, ...]:
    """Matrices of these shapes, filled row by row with w_1, w_2, ..."""
    numbers = _numbers()
    return tuple(tuple(tuple(next(numbers) for _ in range(m)) for _ in range(k)) for k, m in shapes)


def _numbers() -> Iterator[mpq]:
    x = 20200426
    while True:
        x = 48271 * x % (2**31 - 1)
        yield Q(x, 2**31 - 1)


def _entries(*weights: Matrix) -> int:
    return sum(len(W) * len(W[0]) for W in weights)


@dataclass(frozen=True)
class AverageAttention(Arithmetic):
    """X + W X (1 1^T / n): every attention weight is 1/n. W is W_O W_V, d x d."""

    W: Matrix

    def __post_init__(self) -> None:
        object.__setattr__(self, "W", matrix(self.W))

    @property
    def parameters(self) -> int:
        return _entries(self.W)

    def apply(self, X: Matrix) -> Matrix:
        n = len(X[0])
        result: Matrix = add(X, product(product(self.W, X), ((Q(1, n),) * n,) * n))
        return result


@dataclass(frozen=True)
class BProj(Arithmetic):
    """X + W_O X W_P; W_O is d x d, W_P is n x n."""

    W_O: Matrix
    W_P: Matrix

    def __post_init__(self) -> None:
        object.__setattr__(self, "W_O", matrix(self.W_O))
        object.__setattr__(self, "W_P", matrix(self.W_P))

    @property
    def parameters(self) -> int:
        return _entries(self.W_O, self.W_P)

    def apply(self, X: Matrix) -> Matrix:
        result: Matrix = add(X, product(product(self.W_O, X), self.W_P))
        return result


@dataclass(frozen=True)
class SepConv(Arithmetic):
    """X + W_O (X * W_C), each row with a filter of its own, cyclic; W_O is d x d, each row of W_C a filter."""

    W_O: Matrix
    W_C: Matrix

    def __post_init__(self) -> None:
        object.__setattr__(self, "W_O", matrix(self.W_O))
        object.__setattr__(self, "W_C", matrix(self.W_C))

    @property
    def parameters(self) -> int:
        return _entries(self.W_O, self.W_C)

    def convolved(self, X: Matrix) -> Matrix:
        """X * W_C."""
        n = len(X[0])
        return tuple(
            tuple(sum((w * row[(j + t) % n] for t, w in enumerate(weights)), start=Q(0)) for j in range(n))
            for row, weights in zip(X, self.W_C, strict=True)
        )

    def apply(self, X: Matrix) -> Matrix:
        result: Matrix = add(X, product(self.W_O, self.convolved(X)))
        return result

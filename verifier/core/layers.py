"""Attention and token-wise feed-forward layers, as the paper writes them.

    Attn(X) = X + sum_i W_O^i W_V^i X . sigma_H[ (W_K^i X)^T (W_Q^i X + b_Q^i 1^T) ]
    FF(Z)   = Z + W_2 . phi(W_1 Z + b_1 1^T) + b_2 1^T

sigma_H is the hardmax of each column: 1 at the arg max, 1/k at each of k tied arg maxima, else 0. Nothing
here knows what the layers are for. The formulas below take any numbers that add and multiply (so that
claim 1 can be checked for symbols too); the layers themselves, which carry weights, take exact ones.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from operator import add as plus
from operator import mul
from typing import TYPE_CHECKING, Any

from gmpy2 import mpq

from verifier.core.exact import (
    Matrix,
    MatrixLike,
    Number,
    Vector,
    VectorLike,
    exact,
    matrix,
    matrix_of_rows,
    shortened,
    text_of,
    vector,
)
from verifier.core.notebook import table_html

_ZERO, _ONE = mpq(0), mpq(1)

# A column of scores in, a column of weights out.
Sigma = Callable[[Sequence[Any]], Sequence[Any]]
Times = Callable[[Any, Any], Any]


def hardmax(scores: Sequence[Any]) -> Sequence[Any]:
    """sigma_H of one column."""
    top = max(scores)
    winners = scores.count(top)
    share = _ONE if winners == 1 else mpq(1, winners)
    return tuple([share if score == top else _ZERO for score in scores])


def transpose(A: Sequence[Sequence[Any]]) -> tuple[tuple[Any, ...], ...]:
    return tuple(zip(*A, strict=True))


def swap(X: Sequence[Sequence[Any]], j: int) -> tuple[tuple[Any, ...], ...]:
    """X P, where P exchanges columns j and j + 1 (counted from 0)."""
    return tuple((*row[:j], row[j + 1], row[j], *row[j + 2 :]) for row in X)


def product(A: Sequence[Sequence[Any]], C: Sequence[Sequence[Any]]) -> tuple[tuple[Any, ...], ...]:
    """The matrix product A C."""
    if len(A[0]) != len(C):
        raise ValueError(f"a matrix of {len(A[0])} columns times one of {len(C)} rows")
    columns = transpose(C)
    return tuple([tuple([sum(map(mul, row, column)) for column in columns]) for row in A])


@lru_cache(maxsize=16)
def _times(W: Matrix, X: Matrix) -> Matrix:
    """W X of exact matrices, cached: all heads of a layer need it, and so does the next layer if this one changes
    nothing."""
    WX: Matrix = product(W, X)
    return WX


def add(A: Sequence[Sequence[Any]], C: Sequence[Sequence[Any]]) -> tuple[tuple[Any, ...], ...]:
    """A + C."""
    if (len(A), len(A[0])) != (len(C), len(C[0])):
        raise ValueError(f"a {len(A)} x {len(A[0])} matrix plus a {len(C)} x {len(C[0])} one")
    return tuple([tuple(map(plus, row, other)) for row, other in zip(A, C, strict=True)])


def add_product(X: Sequence[Sequence[Any]], A: Sequence[Sequence[Any]], C: Sequence[Sequence[Any]]) -> Any:
    """X + A C."""
    if len(A[0]) != len(C):
        raise ValueError(f"a matrix of {len(A[0])} columns times one of {len(C)} rows")
    columns = transpose(C)
    return tuple(
        [
            tuple([sum(map(mul, row, column), x) for x, column in zip(old, columns, strict=True)])
            for old, row in zip(X, A, strict=True)
        ]
    )


def add_bias(A: Sequence[Sequence[Any]], b: Sequence[Any]) -> tuple[tuple[Any, ...], ...]:
    """A + b 1^T."""
    return tuple([tuple([a + bias for a in row]) for row, bias in zip(A, b, strict=True)])


def head_value(W_V: Any, W_K: Any, W_Q: Any, b_Q: Any, X: Any, sigma: Sigma = hardmax, times: Times = product) -> Any:
    """W_V X . sigma[(W_K X)^T (W_Q X + b_Q 1^T)], an m x n matrix; `times` multiplies a weight and X."""
    keys, queries = transpose(times(W_K, X)), transpose(add_bias(times(W_Q, X), b_Q))
    columns = [sigma([sum(map(mul, key, query)) for key in keys]) for query in queries]
    return tuple([tuple([sum(map(mul, row, column)) for column in columns]) for row in times(W_V, X)])


def feed_forward(W_1: Any, b_1: Any, W_2: Any, b_2: Any, Z: Any, phi: Callable[[Any], Any]) -> Any:
    """Z + W_2 . phi(W_1 Z + b_1 1^T) + b_2 1^T."""
    hidden = tuple(tuple(phi(t) for t in row) for row in add_bias(product(W_1, Z), b_1))
    return add(Z, add_bias(product(W_2, hidden), b_2))


def _exact_matrices(layer: object, shapes: dict[str, tuple[str, str]]) -> None:
    """Makes the named weights of a layer exact, and checks that their shapes fit one another."""
    sizes: dict[str, int] = {}
    made: dict[int, Matrix] = {}  # one table may serve as several weights
    for name, letters in shapes.items():
        given = getattr(layer, name)
        if (W := made.get(id(given))) is None:
            W = made[id(given)] = matrix(given)
        object.__setattr__(layer, name, W)
        for letter, size in zip(letters, (len(W), len(W[0])), strict=True):
            if sizes.setdefault(letter, size) != size:
                raise ValueError(f"{name} is {len(W)} x {len(W[0])}, but {letter} = {sizes[letter]} elsewhere")


def _exact_bias(layer: object, name: str, size: int) -> None:
    bias = vector(getattr(layer, name))
    object.__setattr__(layer, name, bias)
    if len(bias) != size:
        raise ValueError(f"{name} has {len(bias)} entries, and {size} are needed")


def _cut(W: Matrix) -> str:
    """A weight matrix in a few characters."""
    if len(W) * len(W[0]) > 6:
        return f"{len(W)} x {len(W[0])}"
    text = "; ".join(", ".join(shortened(text_of(x), 24) for x in row) for row in W)
    return text if len(W) == len(W[0]) == 1 else f"[{text}]"


@dataclass(frozen=True)
class Head:
    """One attention head of size m: W_O is d x m; W_V, W_K and W_Q are m x d; b_Q has m entries."""

    W_O: Matrix
    W_V: Matrix
    W_K: Matrix
    W_Q: Matrix
    b_Q: Vector

    if TYPE_CHECKING:  # what it takes; what it then has is said above

        def __init__(
            self, W_O: MatrixLike, W_V: MatrixLike, W_K: MatrixLike, W_Q: MatrixLike, b_Q: VectorLike
        ) -> None: ...

    def __post_init__(self) -> None:
        _exact_matrices(self, {"W_O": ("d", "m"), "W_V": ("m", "d"), "W_K": ("m", "d"), "W_Q": ("m", "d")})
        _exact_bias(self, "b_Q", self.m)

    @property
    def m(self) -> int:
        return len(self.W_K)

    @property
    def parameters(self) -> int:
        return 4 * self.m * len(self.W_O) + self.m

    @property
    def d(self) -> int:
        """The rows of the matrices that it takes."""
        return len(self.W_O)

    def with_bias(self, b_Q: VectorLike) -> "Head":
        """The same head with another bias; it shares the weights, which are known to be exact and to fit."""
        head = object.__new__(Head)
        vars(head).update(vars(self), b_Q=b_Q)
        _exact_bias(head, "b_Q", self.m)
        return head

    def __repr__(self) -> str:
        """In a line; a number that is long is cut."""
        weights = (f"{name} = {_cut(getattr(self, name))}" for name in ("W_O", "W_V", "W_K", "W_Q"))
        return f"<Head: {', '.join(weights)}, b_Q = {_cut((self.b_Q,))}>"

    def value(self, X: Matrix) -> Matrix:
        """The head's value, before W_O is applied: W_V X . sigma_H[...]."""
        value: Matrix = head_value(self.W_V, self.W_K, self.W_Q, self.b_Q, X, times=_times)
        return value


@dataclass(frozen=True)
class Attention:
    """X -> X + sum over the heads of W_O . value."""

    heads: tuple[Head, ...]

    if TYPE_CHECKING:

        def __init__(self, heads: Iterable[Head]) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "heads", tuple(self.heads))
        for k, head in enumerate(self.heads):
            if type(head) is not Head:
                raise TypeError(f"head {k} of an attention layer is {head!r}; it must be a Head")
            if len(head.W_O) != len(self.heads[0].W_O):
                raise ValueError(f"head {k} has {len(head.W_O)} rows, and head 0 has {len(self.heads[0].W_O)}")

    @property
    def parameters(self) -> int:
        return sum(head.parameters for head in self.heads)

    @property
    def d(self) -> int | None:
        """The rows of the matrices that it takes; None without heads, as then any will do."""
        return self.heads[0].d if self.heads else None

    def __repr__(self) -> str:
        """In a line or two; `heads` has all of them."""
        more = f" and {len(self.heads) - 2} more" if len(self.heads) > 2 else ""
        return f"<Attention: {', '.join(map(repr, self.heads[:2]))}{more}>"

    def _repr_html_(self) -> str:
        weights = ("W_O", "W_V", "W_K", "W_Q")
        rows = [
            (str(k), *(_cut(getattr(head, name)) for name in weights), _cut((head.b_Q,)))
            for k, head in enumerate(self.heads)
        ]
        title = f"Attention: {len(rows)} head{'s' * (len(rows) != 1)}, {self.parameters:,} parameters"
        return table_html(title, ("head", *weights, "b_Q"), rows)

    def values(self, X: Matrix) -> tuple[Matrix, ...]:
        return tuple(head.value(X) for head in self.heads)

    @cached_property
    def W_O(self) -> Matrix:
        """[W_O^1 W_O^2 ...], the matrices of the heads side by side."""
        return tuple(tuple(chain(*rows)) for rows in zip(*(head.W_O for head in self.heads), strict=True))

    def combine(self, X: Matrix, values: Iterable[Matrix]) -> Matrix:
        """X + sum over the heads of W_O . value, as one product: the W_O side by side, the values stacked."""
        return add_product(X, self.W_O, tuple(chain(*values))) if self.heads else X

    def apply(self, X: MatrixLike) -> Matrix:
        """The layer's output for X, a matrix of d rows."""
        given = matrix(X) if self.d is None else matrix_of_rows(X, self.d, "this layer")
        return self.combine(given, self.values(given))


@dataclass(frozen=True)
class PiecewiseLinear:
    """phi: R -> R, slope . t + intercept on each piece; `breaks` are the points between the pieces.

    A break belongs to the piece on its right ([a, b) as the paper has it), unless it is in `left_owned`.
    """

    breaks: Vector
    pieces: tuple[tuple[mpq, mpq], ...]
    left_owned: frozenset[mpq] = frozenset()

    if TYPE_CHECKING:

        def __init__(
            self, breaks: VectorLike, pieces: Iterable[tuple[Number, Number]], left_owned: VectorLike = ()
        ) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "breaks", vector(self.breaks))
        object.__setattr__(self, "pieces", tuple((exact(a), exact(b)) for a, b in self.pieces))
        object.__setattr__(self, "left_owned", frozenset(exact(t) for t in self.left_owned))
        if list(self.breaks) != sorted(set(self.breaks)):
            raise ValueError("the breaks of a piecewise linear function must increase")
        if len(self.pieces) != len(self.breaks) + 1:
            raise ValueError(f"{len(self.breaks)} breaks make {len(self.breaks) + 1} pieces, not {len(self.pieces)}")
        if not self.left_owned <= set(self.breaks):
            raise ValueError("left_owned names a point that is no break")

    def line(self, t: mpq) -> tuple[mpq, mpq]:
        """Slope and intercept of the piece that t belongs to."""
        side = bisect_left if t in self.left_owned else bisect_right
        return self.pieces[side(self.breaks, t)]

    def __call__(self, t: mpq) -> mpq:
        slope, intercept = self.line(t)
        return slope * t + intercept


@dataclass(frozen=True)
class FeedForward:
    """A token-wise layer of hidden size r: W_1 is r x d, b_1 has r entries, W_2 is d x r, b_2 has d."""

    W_1: Matrix
    b_1: Vector
    W_2: Matrix
    b_2: Vector
    phi: PiecewiseLinear

    if TYPE_CHECKING:

        def __init__(
            self, W_1: MatrixLike, b_1: VectorLike, W_2: MatrixLike, b_2: VectorLike, phi: PiecewiseLinear
        ) -> None: ...

    def __post_init__(self) -> None:
        _exact_matrices(self, {"W_1": ("r", "d"), "W_2": ("d", "r")})
        _exact_bias(self, "b_1", self.r)
        _exact_bias(self, "b_2", len(self.W_2))

    @property
    def r(self) -> int:
        return len(self.W_1)

    @property
    def parameters(self) -> int:
        d = len(self.W_2)
        return 2 * self.r * d + self.r + d

    @property
    def d(self) -> int:
        """The rows of the matrices that it takes."""
        return len(self.W_2)

    def __repr__(self) -> str:
        """In a line or two; its fields have all of the numbers."""
        biases = f"b_1 = {_cut((self.b_1,))}, W_2 = {_cut(self.W_2)}, b_2 = {_cut((self.b_2,))}"
        return f"<FeedForward: W_1 = {_cut(self.W_1)}, {biases}, phi of {len(self.phi.pieces)} pieces>"

    def _repr_html_(self) -> str:
        weights = (("W_1", self.W_1), ("b_1", (self.b_1,)), ("W_2", self.W_2), ("b_2", (self.b_2,)))
        rows = [(name, _cut(W)) for name, W in weights]
        rows += [(f"phi, piece {k}", f"{a} t + {b}") for k, (a, b) in enumerate(self.phi.pieces)]
        title = f"FeedForward: hidden size {self.r}, {self.parameters:,} parameters"
        return table_html(title, ("what", "numbers"), rows)

    def apply(self, X: MatrixLike) -> Matrix:
        """The layer's output for X, a matrix of d rows."""
        given = matrix_of_rows(X, self.d, "this layer")
        result: Matrix = feed_forward(self.W_1, self.b_1, self.W_2, self.b_2, given, self.phi)
        return result

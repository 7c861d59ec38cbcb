"""What a network is built for: an expression, a table, or a Python function, from matrices to matrices.

A network is built from the target's values at a point of each cell. A bound on the distance needs more: a range, and a
constant L with |f(X) - f(Y)| <= L max |X - Y|, row by row. An expression has both; a function may be given both; a
table has neither.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gmpy2 import mpq

from verifier.build.expression import Expression
from verifier.core.exact import Matrix, MatrixLike, NotExact, Vector, bracketed, columns_of, exact, from_columns, matrix
from verifier.core.layers import swap


class BadTarget(ValueError):
    """A target that no network of the kind asked for can have; the message says where."""


@dataclass(frozen=True)
class Target:
    """f, on points of the cube; None where it has no value. `cells`: f is given for the cells (of corner X) alone."""

    kind: str
    f: Callable[[Matrix], Matrix | None]
    text: str | None = None
    range: tuple[tuple[mpq, mpq], ...] | None = None
    lipschitz: Vector | None = None
    cells: bool = False

    @property
    def bounded(self) -> bool:
        return self.range is not None and self.lipschitz is not None


def of_expression(e: Expression) -> Target:
    return Target("expression", e, text=e.text, range=e.range, lipschitz=e.lipschitz)


def table(values: Mapping[Matrix, Matrix]) -> Target:
    """A target for each matrix L of G that is given, its columns by increasing id (as `targets.read` makes them)."""
    return Target("table", values.get, cells=True)


def function(
    f: Callable[[Matrix], MatrixLike],
    d: int,
    n: int,
    *,
    within: tuple[object, object] | None = None,
    lipschitz: object = None,
    positional: bool = False,
) -> Target:
    """A Python function on d x n matrices of mpq.

    That it is `within` [a, b] on [0, 1]^(dn), and |f(X) - f(Y)| <= lipschitz . max |X - Y|, is the caller's word:
    without them no distance is stated. Unless positional, it must commute with permutations of the columns: that is
    tried, with the exchange of neighbours, at each point where it is asked.
    """

    def values(X: Matrix) -> Matrix:
        Y = _value(f, X, d, n)
        for j in range(0 if positional else n - 1):
            there = _value(f, swap(X, j), d, n)
            if there != swap(Y, j):
                raise BadTarget(
                    f"the function depends on the order of columns: it is {bracketed(Y)} at {bracketed(X)} and"
                    f" {bracketed(there)} at {bracketed(swap(X, j))}; positional=True serves such functions"
                )
        return Y

    if within is not None and exact(within[0]) > exact(within[1]):
        raise BadTarget(f"the range [{within[0]}, {within[1]}] is empty")
    if lipschitz is not None and exact(lipschitz) < 0:
        raise BadTarget(f"lipschitz = {lipschitz} is negative")
    return Target(
        "function",
        values,
        range=None if within is None else ((exact(within[0]), exact(within[1])),) * d,
        lipschitz=None if lipschitz is None else (exact(lipschitz),) * d,
    )


def _value(f: Callable[[Matrix], MatrixLike], X: Matrix, d: int, n: int) -> Matrix:
    try:
        Y = matrix(f(X))
    except (NotExact, TypeError) as error:
        raise BadTarget(f"the function's value at {bracketed(X)}: {error}") from error
    if (len(Y), len(Y[0])) != (d, n):
        raise BadTarget(f"the function's value at {bracketed(X)} is {len(Y)} x {len(Y[0])}; it must be {d} x {n}")
    return Y


def refuse_uneven(L: Matrix, A: Matrix) -> None:
    """Refuses different targets for equal columns: no equivariant function tells these apart."""
    seen: dict[Vector, Vector] = {}
    for column, value in zip(columns_of(L), columns_of(A), strict=True):
        if seen.setdefault(column, value) != value:
            raise BadTarget(
                f"two equal columns of {bracketed(L)} have different targets,"
                f" {bracketed(from_columns((seen[column],)))} and {bracketed(from_columns((value,)))}"
            )

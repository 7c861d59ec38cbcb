"""FORMAT-build 6: expressions for targets: a parser of their grammar, their values, ranges and Lipschitz constants."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from ..core.reading import Unreadable, brief

Matrix = list[list[Fraction]]
Value = Callable[[Matrix, int, int], Fraction]  # at (X, i, j), counted from 0
_TOKEN = re.compile(r" *([a-z]+|[0-9]+|[-+*/()\[\],])")
MOST_TOKENS, MOST_DIGITS, DEEPEST = 2000, 40, 100
OVER_COLUMNS, OVER_ROWS = ("sum", "mean", "max", "min"), ("colsum", "colmean", "colmax", "colmin")


class Term(NamedTuple):
    """An expression: its value at (i, j), and a range and a constant that hold at every (i, j)."""

    at: Value
    low: Fraction
    high: Fraction
    lipschitz: Fraction


def constant(c: Fraction) -> Term:
    return Term(lambda X, i, j: c, c, c, Fraction(0))  # noqa: ARG005


def plus(a: Term, b: Term, sign: int) -> Term:
    low, high = (b.low, b.high) if sign > 0 else (-b.high, -b.low)
    return Term(
        lambda X, i, j: a.at(X, i, j) + sign * b.at(X, i, j), a.low + low, a.high + high, a.lipschitz + b.lipschitz
    )


def times(a: Term, b: Term) -> Term:
    ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    most_a, most_b = (max(abs(t.low), abs(t.high)) for t in (a, b))
    rate = most_a * b.lipschitz + most_b * a.lipschitz
    return Term(lambda X, i, j: a.at(X, i, j) * b.at(X, i, j), min(ends), max(ends), rate)


def of_all(name: str, e: Term, size: int, *, over_rows: bool) -> Term:
    """sum, mean, max or min of the values of e along the row, or down the column."""

    def at(X: Matrix, i: int, j: int) -> Fraction:
        values = [e.at(X, k, j) if over_rows else e.at(X, i, k) for k in range(size)]
        if name in ("max", "min"):
            return max(values) if name == "max" else min(values)
        return sum(values, Fraction(0)) / (size if name == "mean" else 1)

    if name == "sum":
        return Term(at, size * e.low, size * e.high, size * e.lipschitz)
    return e._replace(at=at)


def largest(terms: list[Term], pick: Callable[[list[Fraction]], Fraction]) -> Term:
    def at(X: Matrix, i: int, j: int) -> Fraction:
        return pick([term.at(X, i, j) for term in terms])

    low, high = (pick([getattr(term, end) for term in terms]) for end in ("low", "high"))
    return Term(at, low, high, max(term.lipschitz for term in terms))


class Parser:
    """One row of an expression."""

    def __init__(self, text: str, d: int, n: int, *, positional: bool) -> None:
        self.text, self.d, self.n, self.positional = text, d, n, positional
        self.tokens: list[str] = []
        self.depth = 0
        at = 0
        while at < len(text.rstrip(" ")):
            if not (match := _TOKEN.match(text, at)):
                raise self.bad()
            self.tokens.append(match[1])
            at = match.end()
        if len(self.tokens) > MOST_TOKENS:
            raise self.bad()
        self.tokens.append("")

    def bad(self) -> Unreadable:
        return Unreadable(f"target.text: {brief(self.text)} is no expression of FORMAT-build 6")

    def whole(self) -> Term:
        made = self.sum()
        if self.tokens != [""]:
            raise self.bad()
        return made

    def take(self, *wanted: str) -> str:
        """The next token, if it is one of these; else nothing."""
        return self.tokens.pop(0) if self.tokens[0] in wanted else ""

    def must(self, wanted: str) -> None:
        if not self.take(wanted):
            raise self.bad()

    def sum(self) -> Term:
        made = self.product()
        while sign := self.take("+", "-"):
            made = plus(made, self.product(), 1 if sign == "+" else -1)
        return made

    def product(self) -> Term:
        made = self.factor()
        while self.take("*"):
            made = times(made, self.factor())
        return made

    def factor(self) -> Term:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.bad()
        made = self.inner()
        self.depth -= 1
        return made

    def inner(self) -> Term:
        if self.take("-"):
            return plus(constant(Fraction(0)), self.factor(), -1)
        if self.take("("):
            made = self.sum()
            self.must(")")
            return made
        if self.tokens[0].isdigit():
            return constant(self.number())
        if self.take("x"):
            return self.entry()
        name = self.tokens[0]
        if name not in (*OVER_COLUMNS, *OVER_ROWS, "sort"):
            raise self.bad()
        self.tokens.pop(0)
        self.must("(")
        return self.call(name)

    def natural(self) -> int:
        text = self.tokens.pop(0)
        if not text.isdigit() or len(text) > MOST_DIGITS:
            raise self.bad()
        return int(text)

    def number(self) -> Fraction:
        upper = self.natural()
        if not self.take("/"):
            return Fraction(upper)
        if not (lower := self.natural()):
            raise self.bad()
        return Fraction(upper, lower)

    def index(self, most: int) -> int:
        k = self.natural()
        if not 1 <= k <= most:
            raise self.bad()
        return k - 1

    def entry(self) -> Term:
        row = column = None
        if self.take("["):
            row = self.index(self.d)
            if self.take(","):
                column = self.index(self.n)
                if not self.positional:
                    raise self.bad()
            self.must("]")

        def at(X: Matrix, i: int, j: int) -> Fraction:
            return X[i if row is None else row][j if column is None else column]

        return Term(at, Fraction(0), Fraction(1), Fraction(1))

    def call(self, name: str) -> Term:
        inside = [self.sum()]
        place = None
        while self.take(","):
            if name == "sort" and len(inside) == 1 and place is None:
                place = self.index(self.n)
            else:
                inside.append(self.sum())
        self.must(")")
        if name == "sort":
            return self.sorted(inside, place)
        if len(inside) == 1:
            over_rows = name in OVER_ROWS
            return of_all(name.removeprefix("col"), inside[0], self.d if over_rows else self.n, over_rows=over_rows)
        if name not in ("max", "min"):
            raise self.bad()
        return largest(inside, max if name == "max" else min)

    def sorted(self, inside: list[Term], place: int | None) -> Term:
        if len(inside) > 1 or (place is None and not self.positional):
            raise self.bad()
        e = inside[0]

        def at(X: Matrix, i: int, j: int) -> Fraction:
            return sorted(e.at(X, i, k) for k in range(self.n))[j if place is None else place]

        return e._replace(at=at)


def rows(text: str, d: int, n: int, *, positional: bool) -> list[Term]:
    """An expression for each row."""
    parts = text.split(";")
    made = [Parser(part, d, n, positional=positional).whole() for part in parts]
    if len(made) not in (1, d):
        raise Unreadable(f"target.text: {len(made)} rows, and 1 or {d} are needed")
    return made * d if len(made) == 1 else made

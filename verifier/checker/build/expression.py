"""FORMAT-build 6: expressions for targets: a parser of their grammar, their values, ranges and Lipschitz constants."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from math import prod
from typing import NamedTuple

from ..core.comparing import OverLimit
from ..core.reading import Unreadable, brief

Matrix = list[list[Fraction]]
Value = Callable[[Matrix, int, int], Fraction]  # at (X, i, j), counted from 0
_TOKEN = re.compile(r" *([a-z]+|[0-9]+|[-+*/()\[\],])")
MOST_TOKENS, MOST_DIGITS, DEEPEST, MOST_STEPS = 2000, 40, 100, 2000
ZERO, ONE = Fraction(0), Fraction(1)
OVER_COLUMNS, OVER_ROWS = ("sum", "mean", "max", "min"), ("colsum", "colmean", "colmax", "colmin")


class Term(NamedTuple):
    """An expression: its value at (i, j), a range and a constant that hold at each, and a value's steps."""

    at: Value
    low: Fraction
    high: Fraction
    lipschitz: Fraction
    steps: int


def constant(c: Fraction) -> Term:
    return Term(lambda X, i, j: c, c, c, ZERO, 1)  # noqa: ARG005


def minus(e: Term) -> Term:
    return Term(lambda X, i, j: -e.at(X, i, j), -e.high, -e.low, e.lipschitz, 1 + e.steps)


def added(terms: list[Term]) -> Term:
    low, high, rate = (sum((getattr(t, name) for t in terms), ZERO) for name in ("low", "high", "lipschitz"))
    return Term(lambda X, i, j: sum((t.at(X, i, j) for t in terms), ZERO), low, high, rate, steps(terms))


def multiplied(factors: list[Term]) -> Term:
    """|e e' - f f'| <= |e| |e' - f'| + |f'| |e - f|, factor by factor."""
    low, high, rate = factors[0][1:4]
    for t in factors[1:]:
        rate = max(abs(low), abs(high)) * t.lipschitz + max(abs(t.low), abs(t.high)) * rate
        ends = [x * y for x in (low, high) for y in (t.low, t.high)]
        low, high = min(ends), max(ends)
    return Term(lambda X, i, j: prod((t.at(X, i, j) for t in factors), start=ONE), low, high, rate, steps(factors))


def steps(parts: list[Term]) -> int:
    return 1 + sum(t.steps for t in parts)


def of_all(name: str, e: Term, size: int, *, over_rows: bool) -> Term:
    """sum, mean, max or min of the values of e along the row, or down the column."""

    def at(X: Matrix, i: int, j: int) -> Fraction:
        values = [e.at(X, k, j) if over_rows else e.at(X, i, k) for k in range(size)]
        if name in ("max", "min"):
            return max(values) if name == "max" else min(values)
        return sum(values, ZERO) / (size if name == "mean" else 1)

    times = size if name == "sum" else 1
    return Term(at, times * e.low, times * e.high, times * e.lipschitz, 1 + size * e.steps)


def largest(terms: list[Term], pick: Callable[[list[Fraction]], Fraction]) -> Term:
    def at(X: Matrix, i: int, j: int) -> Fraction:
        return pick([term.at(X, i, j) for term in terms])

    low, high = (pick([getattr(term, end) for term in terms]) for end in ("low", "high"))
    return Term(at, low, high, max(term.lipschitz for term in terms), steps(terms))


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
        terms = [self.product()]
        while sign := self.take("+", "-"):
            terms.append(self.product() if sign == "+" else minus(self.product()))
        return terms[0] if len(terms) == 1 else added(terms)

    def product(self) -> Term:
        factors = [self.factor()]
        while self.take("*"):
            factors.append(self.factor())
        return factors[0] if len(factors) == 1 else multiplied(factors)

    def factor(self) -> Term:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.bad()
        made = self.inner()
        self.depth -= 1
        return made

    def inner(self) -> Term:
        if self.take("-"):
            return minus(self.factor())
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

        return Term(at, ZERO, ONE, ONE, 1)

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

        return e._replace(at=at, steps=1 + self.n * e.steps)


def rows(text: str, d: int, n: int, *, positional: bool) -> list[Term]:
    """An expression for each row."""
    parts = text.split(";")
    made = [Parser(part, d, n, positional=positional).whole() for part in parts]
    if len(made) not in (1, d):
        raise Unreadable(f"target.text: {len(made)} rows, and 1 or {d} are needed")
    if (most := max(term.steps for term in made)) > MOST_STEPS:
        raise OverLimit(f"target.text: one value of it takes {most:,} steps; at most {MOST_STEPS:,} are made")
    return made * d if len(made) == 1 else made

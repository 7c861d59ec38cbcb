"""Targets as expressions: a small grammar of continuous functions, its own parser, and a modulus that follows from it.

    expr   = term  (("+" | "-") term)*
    term   = factor ("*" factor)*
    factor = "-" factor | number | x | x[i] | x[i,j] | name(expr, ...) | (expr)

An expression has a value at each (i, j) of a matrix X: x is X_ij, x[a] is X_aj, x[a,b] is X_ab. sum, mean, max, min and
sort are over the n columns, colsum, colmean, colmax and colmin over the d rows. Every expression e comes with a range
[low, high] on the cube [0, 1]^(dn) and a constant L: |e(X) - e(Y)| <= L max |X - Y| there (FORMAT-build.md, 6).
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from gmpy2 import mpq

from verifier.core.exact import Matrix, Q, shown

MOST_CHARACTERS, DEEPEST, MOST_DIGITS, MOST_STEPS = 1000, 40, 40, 2000
_TOKEN = re.compile(r"\s*(?:([0-9]+)|([A-Za-z_][A-Za-z_0-9]*)|([-+*/()\[\],;]))")
OVER_COLUMNS = {"sum", "mean", "max", "min", "sort"}
OVER_ROWS = {"colsum", "colmean", "colmax", "colmin"}
JUMPS = {"floor", "ceil", "round", "sign", "step", "argmax", "argmin", "heaviside", "trunc", "mod"}


class BadExpression(ValueError):
    """The text is not in the grammar; the message says where, and what would be right."""


Value = Callable[[Matrix, int, int], mpq]  # of X at (i, j), counted from 0


@dataclass(frozen=True)
class Term:
    """What is known of a part of an expression: its value anywhere, its range and its constant on the cube."""

    value: Value
    low: mpq
    high: mpq
    L: mpq
    number: mpq | None = None  # of a literal
    ordered: bool = False  # it tells columns apart by their place
    cost: int = 1  # parts evaluated for one value

    @property
    def size(self) -> mpq:
        return max(abs(self.low), abs(self.high))


@dataclass(frozen=True)
class Expression:
    text: str
    rows: tuple[Term, ...]  # one for each row of the target
    ordered: bool

    def __call__(self, X: Matrix) -> Matrix:
        n = len(X[0])
        return tuple(tuple(row.value(X, i, j) for j in range(n)) for i, row in enumerate(self.rows))

    @property
    def range(self) -> tuple[tuple[mpq, mpq], ...]:
        return tuple((row.low, row.high) for row in self.rows)

    @property
    def lipschitz(self) -> tuple[mpq, ...]:
        return tuple(row.L for row in self.rows)


def expression(text: str, d: int, n: int, *, positional: bool = False) -> Expression:
    """The function that a text stands for, on d x n matrices."""
    reader = _Reader(text, d, n, positional)
    rows = [reader.expr()]
    while reader.take(";"):
        rows.append(reader.expr())
    if reader.token is not None:
        raise reader.wrong(f"{shown(reader.token)} is not expected here")
    if len(rows) not in {1, d}:
        raise BadExpression(f"{len(rows)} rows are given, and d = {d}; give one for all rows, or {d}")
    if (cost := max(row.cost for row in rows)) > MOST_STEPS:
        raise BadExpression(f"one value of it takes {cost} steps; at most {MOST_STEPS} are made: nest it less")
    rows *= d if len(rows) == 1 else 1
    return Expression(text, tuple(rows), any(row.ordered for row in rows))


class _Reader:
    """One pass over the tokens, from left to right."""

    def __init__(self, text: str, d: int, n: int, positional: bool) -> None:
        if len(text) > MOST_CHARACTERS:
            raise BadExpression(f"it has {len(text)} characters; at most {MOST_CHARACTERS} are read")
        if not text.strip():
            raise BadExpression("it is empty; an example is 'x * mean(x)'")
        self.d, self.n, self.positional, self.depth = d, n, positional, 0
        self.tokens: list[tuple[str, int]] = []
        at, text = 0, text.rstrip()
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None:
                at += len(text[at:]) - len(text[at:].lstrip())
                raise BadExpression(f"character {at + 1}: {shown(text[at])} is not in the grammar of targets")
            self.tokens.append((found.group().strip(), found.end() - len(found.group().strip())))
            at = found.end()
        self.place = 0

    @property
    def token(self) -> str | None:
        return self.tokens[self.place][0] if self.place < len(self.tokens) else None

    def wrong(self, why: str) -> BadExpression:
        if self.place < len(self.tokens):
            return BadExpression(f"character {self.tokens[self.place][1] + 1}: {why}")
        return BadExpression(f"at the end: {why}")

    def take(self, *wanted: str) -> str | None:
        token = self.token
        if token in wanted:
            self.place += 1
            return token
        return None

    def need(self, wanted: str) -> None:
        if not self.take(wanted):
            raise self.wrong(f"'{wanted}' is expected" + (f", not {shown(self.token)}" if self.token else ""))

    def expr(self) -> Term:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.wrong(f"it is nested deeper than {DEEPEST}")
        terms = [self.term()]
        while sign := self.take("+", "-"):
            terms.append(self.term() if sign == "+" else _minus(self.term()))
        self.depth -= 1
        return _sum(terms)

    def term(self) -> Term:
        factors = [self.factor()]
        while self.take("*"):
            factors.append(self.factor())
        if self.token == "/":  # noqa: S105
            raise self.wrong("division is for numbers alone, as in 3/4")
        return _product(factors)

    def factor(self) -> Term:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.wrong(f"it is nested deeper than {DEEPEST}")
        try:
            return self._factor()
        finally:
            self.depth -= 1

    def _factor(self) -> Term:
        token = self.token
        if token is None:
            raise self.wrong("a number, x, a function or '(' is expected")
        if self.take("-"):
            return _minus(self.factor())
        if self.take("("):
            inner = self.expr()
            self.need(")")
            return inner
        if token.isdigit():
            return _number(self.number())
        if token == "x":  # noqa: S105
            self.place += 1
            return self.entry()
        if token[0].isalpha() or token[0] == "_":
            return self.call(token)
        raise self.wrong(f"a number, x, a function or '(' is expected, not {shown(token)}")

    def natural(self) -> int:
        token = self.token
        if token is None or not token.isdigit():
            raise self.wrong("a whole number is expected")
        if len(token) > MOST_DIGITS:
            raise self.wrong(f"a number of {len(token)} digits; at most {MOST_DIGITS} are read")
        self.place += 1
        return int(token)

    def number(self) -> mpq:
        upper = self.natural()
        if not self.take("/"):
            return Q(upper)
        lower = self.natural()
        if lower == 0:
            self.place -= 1
            raise self.wrong("a number can't be divided by 0")
        return Q(upper, lower)

    def index(self, most: int, what: str) -> int:
        at = self.place
        value = self.natural()
        if not 1 <= value <= most:
            self.place = at
            raise self.wrong(f"{what} {value} doesn't exist; they are 1 to {most}")
        return value - 1

    def entry(self) -> Term:
        if not self.take("["):
            return Term(lambda X, i, j: X[i][j], Q(0), Q(1), Q(1))
        a = self.index(self.d, "row")
        if not self.take(","):
            self.need("]")
            return Term(lambda X, _, j: X[a][j], Q(0), Q(1), Q(1))
        b = self.index(self.n, "column")
        self.need("]")
        if not self.positional:
            self.place -= 2
            raise self.wrong("x[i,j] tells columns apart by their place: that goes with --positional")
        return Term(lambda X, *_: X[a][b], Q(0), Q(1), Q(1), ordered=True)

    def call(self, name: str) -> Term:
        if name in JUMPS:
            raise self.wrong(
                f"'{name}' is not continuous, so that no bound on the error follows; its values can be given as a"
                " table, --targets"
            )
        if name not in OVER_COLUMNS | OVER_ROWS:
            known = ", ".join(sorted(OVER_COLUMNS | OVER_ROWS))
            raise self.wrong(f"{shown(name)} is unknown; there are x, {known}")
        start = self.place
        self.place += 1
        self.need("(")
        arguments = [self.expr()]
        while self.take(","):
            arguments.append(self.expr())
        self.need(")")
        after, self.place = self.place, start  # an error in the arguments is reported at the name
        result = self.applied(name, arguments)
        self.place = after
        return result

    def applied(self, name: str, arguments: list[Term]) -> Term:
        e, n = arguments[0], self.n
        if name in OVER_ROWS:
            if len(arguments) > 1:
                raise self.wrong(f"{name} takes one expression")
            return _over_rows(name, e, self.d)
        if name == "sort":
            return self.sorted(arguments)
        if len(arguments) == 1:
            return _over_columns(name, e, n)
        if name not in {"max", "min"}:
            raise self.wrong(f"{name} takes one expression")
        pick = max if name == "max" else min
        return Term(
            lambda X, i, j: pick(a.value(X, i, j) for a in arguments),
            pick(a.low for a in arguments),
            pick(a.high for a in arguments),
            max(a.L for a in arguments),
            **_both(arguments),
        )

    def sorted(self, arguments: list[Term]) -> Term:
        e, n = arguments[0], self.n
        if len(arguments) == 1:
            if not self.positional:
                raise self.wrong(
                    "sort(e) puts columns in an order, and the target must not depend on theirs: sort(e, k) is the k-th"
                    " smallest; or give --positional"
                )
            return replace(
                e,
                value=lambda X, i, j: sorted(e.value(X, i, k) for k in range(n))[j],
                number=None,
                ordered=True,
                cost=1 + n * e.cost,
            )
        k = arguments[1].number
        if len(arguments) > 2 or k is None or int(k.denominator) > 1 or not 1 <= k <= n:
            raise self.wrong(f"sort(e, k) takes a whole number k from 1 to n = {n}")
        place = int(k.numerator) - 1
        return replace(
            e,
            value=lambda X, i, j: sorted(e.value(X, i, k) for k in range(n))[place],  # noqa: ARG005
            number=None,
            cost=1 + n * e.cost,
        )


def _number(c: mpq) -> Term:
    return Term(lambda X, i, j: c, c, c, Q(0), number=c)  # noqa: ARG005


def _minus(e: Term) -> Term:
    return replace(e, value=lambda X, i, j: -e.value(X, i, j), low=-e.high, high=-e.low, number=None, cost=e.cost + 1)


def _sum(terms: list[Term]) -> Term:
    if len(terms) == 1:
        return terms[0]
    return Term(
        lambda X, i, j: sum((e.value(X, i, j) for e in terms), Q(0)),
        sum((e.low for e in terms), Q(0)),
        sum((e.high for e in terms), Q(0)),
        sum((e.L for e in terms), Q(0)),
        **_both(terms),
    )


def _product(factors: list[Term]) -> Term:
    if len(factors) == 1:
        return factors[0]
    whole, *others = factors
    low, high, L = whole.low, whole.high, whole.L
    for e in others:
        L = max(abs(low), abs(high)) * e.L + e.size * L
        corners = [a * b for a in (low, high) for b in (e.low, e.high)]
        low, high = min(corners), max(corners)
    return Term(lambda X, i, j: prod((e.value(X, i, j) for e in factors), start=Q(1)), low, high, L, **_both(factors))


def _both(parts: list[Term]) -> dict[str, Any]:
    """What an expression takes over from its parts: whether it depends on order, and its cost."""
    return {"ordered": any(e.ordered for e in parts), "cost": 1 + sum(e.cost for e in parts)}


def _over_columns(name: str, e: Term, n: int) -> Term:
    def values(X: Matrix, i: int) -> list[mpq]:
        return [e.value(X, i, k) for k in range(n)]

    known: dict[str, Value] = {
        "sum": lambda X, i, j: sum(values(X, i), Q(0)),  # noqa: ARG005
        "mean": lambda X, i, j: sum(values(X, i), Q(0)) / n,  # noqa: ARG005
        "max": lambda X, i, j: max(values(X, i)),  # noqa: ARG005
        "min": lambda X, i, j: min(values(X, i)),  # noqa: ARG005
    }
    times = n if name == "sum" else 1
    return Term(known[name], times * e.low, times * e.high, times * e.L, ordered=e.ordered, cost=1 + n * e.cost)


def _over_rows(name: str, e: Term, d: int) -> Term:
    def values(X: Matrix, j: int) -> list[mpq]:
        return [e.value(X, i, j) for i in range(d)]

    known: dict[str, Value] = {
        "colsum": lambda X, i, j: sum(values(X, j), Q(0)),  # noqa: ARG005
        "colmean": lambda X, i, j: sum(values(X, j), Q(0)) / d,  # noqa: ARG005
        "colmax": lambda X, i, j: max(values(X, j)),  # noqa: ARG005
        "colmin": lambda X, i, j: min(values(X, j)),  # noqa: ARG005
    }
    times = d if name == "colsum" else 1
    return Term(known[name], times * e.low, times * e.high, times * e.L, ordered=e.ordered, cost=1 + d * e.cost)

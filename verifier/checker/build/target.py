"""FORMAT-build 6: a target, read as a page: its values, and the range and the constant that follow from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from ..core.reading import Unreadable
from ..page.derive import Limits, deep, started
from ..page.evaluate import Stage
from ..page.graph import Code, Getter, Graph, Kind, Listed, Node, Row, Value
from ..page.numbers import Finer
from ..page.tree import Tree, parse
from ..page.words import Place
from .even import Even
from .reading import Rows

HEAD = """language 1
sizes d >= 1, n >= 2, N >= 2
inputs X in zero: list [[[0 for r in 1..d] for j in 1..n]]
"""
FOOT = """claim target, own, "the target", on zero:
  "Columns have d entries."
  for j in 1..n: len(f(j)) = d
"""
ZERO, ONE = Fraction(0), Fraction(1)
STEPS = 60_000_000


class Bounds(NamedTuple):
    """A range and a constant for each row."""

    ranges: list[tuple[Fraction, Fraction]]
    lipschitz: list[Fraction]


class LookedAt(Exception):
    """A number that depends on X is compared, is an index, or is in a table: no range and no constant follow."""


class Between(Node):
    """A number from low to high that changes at most L times as fast as an entry of X."""

    __slots__ = ("L", "high", "low")

    def __init__(self, low: Fraction, high: Fraction, L: Fraction) -> None:
        super().__init__("between", (), "number", True, Place(0, 0), None)
        self.low, self.high, self.L = low, high, L


def between(v: Value) -> Between:
    if isinstance(v, Fraction):
        return Between(v, v, ZERO)
    if not isinstance(v, Between):
        raise LookedAt
    return v


class Ranges(Graph):
    """Operations on ranges and constants, as section 6 has them."""

    def node(self, *_: Any, **__: Any) -> Node:
        raise LookedAt

    def linear(self, terms: Iterable[tuple[Fraction | int, Value]], place: Place) -> Value:
        parts = [(ONE * factor, v) for factor, v in terms]
        if all(isinstance(v, Fraction) for _, v in parts):
            return super().linear(parts, place)
        low = high = L = ZERO
        for factor, v in parts:
            e = between(v)
            ends = (e.low * factor, e.high * factor)
            low, high, L = low + min(ends), high + max(ends), L + abs(factor) * e.L
        return Between(low, high, L)

    def product(self, a: Value, b: Value, place: Place) -> Value:
        if isinstance(a, Fraction) or isinstance(b, Fraction):
            return self.linear([(a, b) if isinstance(a, Fraction) else (b, a)], place)  # type: ignore[list-item]
        e, f = between(a), between(b)
        ends = [x * y for x in (e.low, e.high) for y in (f.low, f.high)]
        L = max(abs(e.low), abs(e.high)) * f.L + max(abs(f.low), abs(f.high)) * e.L
        return Between(min(ends), max(ends), L)


class Ranged(Stage):
    """Expressions of which the numbers are ranges and constants."""

    def folded(self, name: str, row: Row, kind: Kind, place: Place) -> Value:
        if name in ("len", "sum") or row.known:
            return super().folded(name, row, kind, place)
        each = [between(one) for one in row.items]
        lows, highs, L = sorted(e.low for e in each), sorted(e.high for e in each), max(e.L for e in each)
        if name in ("max", "min"):
            k = -1 if name == "max" else 0
            return Between(lows[k], highs[k], L)
        if name == "sorted":
            return self.graph.row([Between(low, high, L) for low, high in zip(lows, highs, strict=True)], place)
        raise LookedAt

    def _abs(self, tree: Tree, env: dict[str, Any]) -> Value:
        v = self.number(tree.parts[0], env)
        if isinstance(v, Fraction):
            return abs(v)
        e = between(v)
        return Between(max(e.low, -e.high, ZERO), max(-e.low, e.high), e.L)


class Target:
    """f(j), column j, of the d x n matrix X."""

    def __init__(self, text: str, d: int, n: int, N: int, *, positional: bool, times: int = 1) -> None:
        self.d, self.n = d, n
        if "```" in text:
            raise Unreadable("target: plain lines make one, without ```")
        with deep():
            whole = f"{HEAD}{text}\n{FOOT}"
            page = parse(whole)
            others = page.layers or page.networks or page.inputs["zero"].categories
            if len(page.claims) > 1 or len(page.inputs) > 1 or others:
                raise Unreadable("target: definitions alone make one")
            define = page.defines.get("f")
            if define is None or define.letters is None or len(define.letters) != 1:
                raise Unreadable("target: f(j), column j of the output, isn't defined")
            if not positional:
                Even(page).function("f", (True,))
            self.body, self.letter = define.items[0].body, define.letters[0]
            self.run = started(whole, {"d": d, "n": n, "N": N}, {}, Limits(steps=STEPS * times))
            graph = Graph(self.run.budget)
            entries = [[graph.node("input", (), "number", HERE, extra=i * n + j) for i in range(d)] for j in range(n)]
            self.stage = Stage(self.run, {"X": self.matrix(graph, entries)}, graph)
            self.columns = [self.column(self.stage, j) for j in range(1, n + 1)]
            self.compiled: dict[int, tuple[Code, list[list[Getter]]]] = {}
            self.bounds = self.bounded()

    def matrix(self, graph: Graph, columns: list[list[Any]]) -> Row:
        return graph.row([graph.row(column, HERE) for column in columns], HERE)

    def column(self, stage: Stage, j: int) -> Row:
        found = stage.value(self.body, {self.letter: Fraction(j)})
        if not isinstance(found, Row) or len(found.items) != self.d or found.kind != Listed(found.first, "number"):
            raise Unreadable(f"target: f({j}) is no list of {self.d} numbers")
        return found

    def bounded(self) -> Bounds | None:
        graph = Ranges(self.run.budget)
        entries = [[Between(ZERO, ONE, ONE) for _ in range(self.d)] for _ in range(self.n)]
        stage = Ranged(self.run, {"X": self.matrix(graph, entries)}, graph)
        try:
            columns = [[between(v) for v in self.column(stage, j).items] for j in range(1, self.n + 1)]
        except LookedAt:
            return None
        rows = list(zip(*columns, strict=True))
        ranges = [(min(e.low for e in row), max(e.high for e in row)) for row in rows]
        return Bounds(ranges, [max(e.L for e in row) for row in rows])

    def values(self, points: Iterable[Rows]) -> Iterator[Rows]:
        """f of each matrix."""
        for X in points:
            with deep():
                yield self.run.in_a_unit("zero", self.stage, lambda D, X=X: self.value(D, X))  # type: ignore[misc]

    def value(self, D: int, X: Rows) -> Rows:
        if D not in self.compiled:
            made = Code(D, self.run.budget, self.d * self.n)
            self.compiled = {D: (made, [[made.get(v) for v in column.items] for column in self.columns])}
        code, getters = self.compiled[D]
        frame = code.frame()
        for k, x in enumerate(x for row in X for x in row):
            if (x * D).denominator != 1:
                raise Finer(x.denominator)
            frame[k] = int(x * D)
        self.run.budget.spend(20 + code.slots)
        return [[Fraction(column[i](frame)) / D for column in getters] for i in range(self.d)]


HERE = Place(0, 0)

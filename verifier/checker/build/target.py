"""FORMAT-build 6: a target, read as a page: its values, and the range and the constant that follow from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, NamedTuple

from ..core.reading import Unreadable
from ..page.builtins import BUILTINS
from ..page.derive import Limits, deep, started
from ..page.evaluate import Case, Code, Evaluator, Frame, Scope
from ..page.numbers import EXACT, NUMBERS, NotAffine, Varying, power, ratio, short
from ..page.tree import Tree, parse
from ..page.values import OF_NUMBERS, List, Value, compare, number
from ..page.words import Refused
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
STEPS = 200_000_000  # about a minute


class Bounds(NamedTuple):
    """A range and a constant for each row."""

    ranges: list[tuple[Fraction, Fraction]]
    lipschitz: list[Fraction]


class LookedAt(NotAffine):
    """A number that depends on X is compared, is an index, or is in a table: no range and no constant follow."""


class Between(Varying):
    """A number from low to high that changes at most L times as fast as an entry of X. It adds and multiplies as
    section 6 has it."""

    __slots__ = ("L", "high", "low")

    def __init__(self, low: Any, high: Any, L: Any) -> None:
        self.low, self.high, self.L = short(low), short(high), short(L)

    def sign(self, other: Any) -> int:  # noqa: ARG002
        raise LookedAt

    def __add__(self, other: Any) -> Between:
        e = between(other)
        return Between(self.low + e.low, self.high + e.high, self.L + e.L)

    def __mul__(self, other: Any) -> Between:
        e = between(other)
        ends = [x * y for x in (self.low, self.high) for y in (e.low, e.high)]
        return Between(min(ends), max(ends), self.size * e.L + e.size * self.L)

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> Between:
        return self * -1

    def __sub__(self, other: Any) -> Between:
        return self + -between(other)

    def __rsub__(self, other: Any) -> Between:
        return between(other) - self

    def __pow__(self, exponent: int) -> Any:
        if exponent < 2:
            return self if exponent else 1
        half = self ** (exponent // 2)
        return half * half * self if exponent % 2 else half * half

    def __abs__(self) -> Between:
        return Between(max(self.low, -self.high, 0), max(-self.low, self.high), self.L)

    @property
    def size(self) -> Any:
        return max(-self.low, self.high)


def between(v: Any) -> Between:
    if type(v) is Between:
        return v
    if type(v) not in EXACT:
        raise LookedAt
    return Between(v, v, 0)


NUMBERS.add(Between)


def depends(v: Any) -> bool:
    """Does a number that depends on X stand in it?"""
    return any(map(depends, v.items)) if type(v) is List else type(v) is Between


class Ranges(Evaluator):
    """Expressions of which the numbers are ranges and constants. What looks at one of them raises NotAffine."""

    def builtin(self, tree: Tree, scope: Scope) -> Code:
        name, place, compute = tree.word, tree.place, BUILTINS[tree.word].compute
        if name not in ("max", "min", "sorted"):
            return super().builtin(tree, scope)
        items = self.items(tree.parts, scope)

        def get(e: Frame) -> Value:
            found = items(e)
            return self.folded(name, found) if any(map(depends, found)) else compute(place, found)

        return get

    def folded(self, name: str, items: Sequence[Any]) -> Any:
        each: list[Any] = [between(v) for v in items]
        lows, highs, L = sorted(e.low for e in each), sorted(e.high for e in each), max(e.L for e in each)
        if name == "sorted":
            return List([Between(low, high, L) for low, high in zip(lows, highs, strict=True)])  # type: ignore[misc]
        return Between(lows[-1], highs[-1], L) if name == "max" else Between(lows[0], highs[0], L)

    def of_power(self, tree: Tree, scope: Scope) -> Code:
        """As a product; a negative one is of a known number alone."""
        base, exponent = self.of(tree.parts[0], scope), self.whole(tree.parts[1], scope, "an exponent")
        place = tree.parts[0].place

        def get(e: Frame) -> Value:
            v: Any = number(base(e), place)
            k = exponent(e)
            if k < 0 and (type(v) not in EXACT or v == 0):
                raise LookedAt
            return power(v, k) if type(v) in EXACT else v**k

        return get

    def of_compare(self, tree: Tree, scope: Scope) -> Code:
        sides = [self.of(part, scope) for part in tree.parts]

        def get(e: Frame) -> Value:
            values = [side(e) for side in sides]
            if any(map(depends, values)):
                raise LookedAt
            pairs = zip(tree.signs, values, values[1:], strict=False)
            return False not in [compare(sign, a, b, tree.place) for sign, a, b in pairs]

        return get


@contextmanager
def in_its_page() -> Iterator[None]:
    try:
        with deep():
            yield
    except Refused as error:
        raise Unreadable(f"target, in its page: {error}") from None


def fraction(v: Any) -> Fraction:
    return Fraction(v.numerator, v.denominator)


class Target:
    """f(j), column j, of the d x n matrix X."""

    def __init__(self, text: str, d: int, n: int, N: int, *, positional: bool, times: int = 1) -> None:
        self.d, self.n = d, n
        if "```" in text:
            raise Unreadable("target: plain lines make one, without ```")
        with in_its_page():
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
            run = started(whole, {"d": d, "n": n, "N": N}, {}, Limits(steps=STEPS * times))
            self.budget, self.body, self.letter = run.budget, define.items[0].body, define.letters[0]
            self.columns = self.read(run.evaluator)
            self.bounds = self.bounded(self.read(Ranges(run.page, run.sizes, {}, set(), run.budget, run.over)))

    def read(self, evaluator: Evaluator) -> Callable[[List], list[List]]:
        """The function from the columns of X to f(1), ..., f(n)."""
        scope, length = Scope().plus(self.letter), Case({}, 0, None, {"X": self.n})
        code = evaluator.of(self.body, scope)
        cost = evaluator.steps + 20

        def columns(X: List) -> list[List]:
            case, found = Case({"X": X}, 1, length, {}), list[List]()
            for j in range(1, self.n + 1):
                self.budget.spend(cost)
                column = code(scope.body.frame(case, j))
                if type(column) is not List or len(column.items) != self.d or column.kind != OF_NUMBERS:
                    raise Unreadable(f"target: f({j}) is no list of {self.d} numbers")
                found.append(column)
            return found

        return columns

    def bounded(self, columns: Callable[[List], list[List]]) -> Bounds | None:
        cube: list[Any] = [[Between(0, 1, 1) for _ in range(self.d)] for _ in range(self.n)]
        try:
            found = columns(List(map(List, cube)))
        except NotAffine:
            return None
        rows = list(zip(*[map(between, column.items) for column in found], strict=True))
        ranges = [(fraction(min(e.low for e in row)), fraction(max(e.high for e in row))) for row in rows]
        return Bounds(ranges, [fraction(max(e.L for e in row)) for row in rows])

    def values(self, points: Iterable[Rows]) -> Iterator[Rows]:
        """f of each matrix."""
        for X in points:
            given = List([List([ratio(x.numerator, x.denominator) for x in column]) for column in zip(*X, strict=True)])
            with in_its_page():
                columns = self.columns(given)
            yield [[fraction(column.items[i]) for column in columns] for i in range(self.d)]

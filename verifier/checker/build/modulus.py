"""FORMAT-build 4: the range of a page's f on the cube, and how fast it changes."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ..core.comparing import Rejected
from ..core.reading import Unreadable, text_of
from ..page.builtins import BUILTINS
from ..page.derive import Limits, started
from ..page.evaluate import Code, Evaluator, Frame, Scope
from ..page.numbers import EXACT, NUMBERS, NotAffine, Varying, power, short
from ..page.tree import Tree
from ..page.values import List, Value, compare, number

RULE = "FORMAT-build 4, modulus"
STATED = {"low": "f_low", "high": "f_high", "lipschitz": "lipschitz"}


class LookedAt(NotAffine):
    """A number that depends on X is compared, is an index, or is in a table: no range and no constant follow."""


class Between(Varying):
    """A number from low to high that changes at most L times as fast as an entry of X. It adds and multiplies as
    section 4 has it."""

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


def of_page(text: str, sizes: dict[str, int], limits: Limits) -> dict[str, list[str]]:
    """What follows from the page's f, for d x n matrices X of numbers from 0 to 1; the page must say the same."""
    run = started(text, sizes, {}, limits)
    f = run.page.defines.get("f")
    if f is None or f.letters is None or len(f.letters) != 1 or not {*STATED.values(), "X"} <= set(run.page.defines):
        raise Rejected(RULE, "modulus", "a page with f(j), X, f_low, f_high and lipschitz", "another")

    def constant(name: str) -> Any:
        return run.evaluator.alone(Tree("name", f.place, word=name))

    d, n = constant("d"), constant("n")
    if type(d) is not int or type(n) is not int or not 0 < d * n <= 100_000:
        raise Rejected(RULE, "modulus", "whole numbers d and n", f"{d} and {n}")
    ranges = Ranges(run.page, run.sizes, {}, set(), run.budget, run.over)
    cube = List([List([Between(0, 1, 1) for _ in range(d)]) for _ in range(n)])  # type: ignore[misc]
    ranges.codes["X"] = (lambda _: cube, set())
    scope = Scope().plus(f.letters[0])
    code = ranges.of(f.items[0].body, scope)
    try:
        found: list[Any] = [code(scope.body.frame(ranges.root, j)) for j in range(1, n + 1)]
        if any(type(column) is not List or len(column.items) != d for column in found):
            raise Unreadable(f"f: columns of {d} numbers are expected")
        rows = list(zip(*[map(between, column.items) for column in found], strict=True))
    except NotAffine:
        raise Rejected(RULE, "modulus", "null, as f looks at X", "ranges") from None
    derived = {
        "low": [min(e.low for e in row) for row in rows],
        "high": [max(e.high for e in row) for row in rows],
        "lipschitz": [max(e.L for e in row) for row in rows],
    }
    for member, name in STATED.items():
        told = constant(name)
        if type(told) is not List or list(told.items) != derived[member]:
            raise Rejected(RULE, f"the page's {name}", str(list(map(str, derived[member]))), "others")
    return {member: [text_of(Fraction(x.numerator, x.denominator)) for x in row] for member, row in derived.items()}

"""Exact numbers of many cases: whole numbers of one unit, 1/D; a + b t, the numbers of layer t of a family; and
a + g_1 x_1 + ... + g_n x_n, the numbers of the cases of a zone.

The functions of LANGUAGE 2 stand here once, for lists that are tuples and numbers that are whole in 1/D. With D = 1
the same functions are right for fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from math import gcd
from operator import add, mul, sub
from typing import Any, ClassVar, NoReturn

from ..core.comparing import OverLimit
from .words import MOST_BITS, Place, Refused

Runtime = Any  # a whole number of 1/D, Moving, a fraction, a truth, or a tuple of these
TOO_LARGE = "a number of more than 20,000 binary digits"


class Finer(Exception):
    """A number is no whole number of 1/D: D is to be multiplied by this, and the work to be done again."""

    def __init__(self, by: int) -> None:
        super().__init__(by)
        self.by = by


class NotAffine(Exception):
    """What was asked of a + b t is no a + b t, one layer is run as it is; of a zone, its cases one by one."""


class Split(Exception):
    """What is compared doesn't come out alike in a zone: some d is below 0, 0 and above 0, and `apart` of these must be
    told from each other: ((-1, 0), (1)), say."""

    def __init__(self, d: Affine, apart: str) -> None:
        super().__init__(d, apart)
        self.d, self.apart = d, apart


class Moving:
    """a + b t, t = 0, 1, ... What is compared is answered for t = 0, and `until` is the first t that may differ."""

    __slots__ = ("a", "b")
    until: Runtime = 1

    def __init__(self, a: Runtime, b: Runtime) -> None:
        self.a, self.b = a, b

    def sign(self, other: Runtime) -> Runtime:
        a = self.a - (other.a if type(other) is Moving else other)
        b = self.b - (other.b if type(other) is Moving else 0)
        if b and (a == 0 or (a > 0) != (b > 0)):
            Moving.until = min(Moving.until, -(a // b) if a else 1)  # the least t with (a + b t) a <= 0
        return a

    def __add__(self, other: Runtime) -> Moving:
        if type(other) is Moving:
            return Moving(self.a + other.a, self.b + other.b)
        return Moving(self.a + other, self.b)

    def __mul__(self, other: Runtime) -> Moving:
        if type(other) is Moving:
            if self.b and other.b:
                raise NotAffine
            return Moving(self.a * other.a, self.a * other.b + self.b * other.a)
        return Moving(self.a * other, self.b * other)

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> Moving:
        return Moving(-self.a, -self.b)

    def __sub__(self, other: Runtime) -> Moving:
        return self.__add__(-other)

    def __rsub__(self, other: Runtime) -> Moving:
        return (-self).__add__(other)

    def __lt__(self, other: Runtime) -> bool:
        return bool(self.sign(other) < 0)

    def __le__(self, other: Runtime) -> bool:
        return bool(self.sign(other) <= 0)

    def __gt__(self, other: Runtime) -> bool:
        return bool(self.sign(other) > 0)

    def __ge__(self, other: Runtime) -> bool:
        return bool(self.sign(other) >= 0)

    def __eq__(self, other: object) -> bool:
        return bool(self.sign(other) == 0)

    def __abs__(self) -> Moving:
        return -self if self < 0 else self

    def _none(self, *_: object) -> NoReturn:
        raise NotAffine

    __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = __pow__ = __index__ = __bool__ = _none
    __hash__ = _none


class Affine:
    """a + g_1 x_1 + ... + g_n x_n, for the points x of the zone that is at hand; some g isn't 0. What is compared must
    come out alike at all of them, that is, at the vertices."""

    __slots__ = ("a", "g")
    vertices: ClassVar[Sequence[tuple[int, ...]]] = ()  # of the zone

    def __init__(self, a: int, g: tuple[int, ...]) -> None:
        self.a, self.g = a, g

    def at(self, x: tuple[int, ...]) -> int:
        return int(sum(map(mul, self.g, x), self.a))

    def __add__(self, other: Runtime) -> Runtime:
        if type(other) is Affine:
            return affine(self.a + other.a, tuple(map(add, self.g, other.g)))
        return Affine(self.a + other, self.g) if type(other) is int else NotImplemented

    def __sub__(self, other: Runtime) -> Runtime:
        if type(other) is Affine:
            return affine(self.a - other.a, tuple(map(sub, self.g, other.g)))
        return Affine(self.a - other, self.g) if type(other) is int else NotImplemented

    def __rsub__(self, other: Runtime) -> Runtime:
        return (-self) + other

    def __mul__(self, other: Runtime) -> Runtime:
        if type(other) is Affine:
            raise NotAffine
        if type(other) is not int:
            return NotImplemented
        return affine(self.a * other, tuple([g * other for g in self.g]))

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> Affine:
        return Affine(-self.a, tuple([-g for g in self.g]))

    def ends(self) -> tuple[int, int]:
        """The least and the largest."""
        found = [self.at(x) for x in self.vertices]
        return min(found), max(found)

    def less(self, other: Runtime, apart: str) -> bool:
        d = self - other
        if type(d) is not Affine:
            return bool(d < 0 if apart == "<" else d <= 0)
        low, high = d.ends()
        if high < 0 or (high == 0 and apart == "<="):
            return True
        if low > 0 or (low == 0 and apart == "<"):
            return False
        raise Split(d, apart)

    def __lt__(self, other: Runtime) -> bool:
        return self.less(other, "<")

    def __le__(self, other: Runtime) -> bool:
        return self.less(other, "<=")

    def __gt__(self, other: Runtime) -> bool:
        return not self.less(other, "<=")

    def __ge__(self, other: Runtime) -> bool:
        return not self.less(other, "<")

    def __eq__(self, other: object) -> bool:
        d = self - other
        if type(d) is not Affine:
            return bool(d == 0)
        low, high = d.ends()
        if low <= 0 <= high:
            raise Split(d, "=")
        return False

    def __bool__(self) -> bool:
        return self != 0

    def __abs__(self) -> Affine:
        return -self if self < 0 else self

    def __floordiv__(self, q: Runtime) -> Runtime:
        _ = self % q
        return Affine(self.a // q, tuple([g // q for g in self.g]))

    def __mod__(self, q: Runtime) -> Runtime:
        """The same at all points."""
        if type(q) is not int or any(g % q for g in self.g):
            raise NotAffine
        return self.a % q

    def bit_length(self) -> int:
        if (bits := max(v.bit_length() for v in (self.a, *self.g))) > MOST_BITS // 2:
            raise NotAffine
        return bits

    def _none(self, *_: object) -> NoReturn:
        raise NotAffine

    __rmod__ = __rfloordiv__ = __pow__ = __index__ = _none
    __hash__ = _none


def affine(a: int, g: tuple[int, ...]) -> Runtime:
    return Affine(a, g) if any(g) else a


def exactly(v: Runtime, q: int) -> Runtime:
    """v / q."""
    if type(v) is int:
        whole, rest = divmod(v, q)
        if rest:
            raise Finer(q // gcd(rest, q))
        return whole
    if type(v) is Moving:
        if v.a % q or v.b % q:
            raise NotAffine
        return Moving(v.a // q, v.b // q)
    if type(v) is Affine:
        v.bit_length()
        if (common := gcd(v.a, *v.g, q)) != q:
            raise Finer(q // common)
        return v // q
    return v / q


def limited(v: Runtime, bits: int = MOST_BITS) -> Runtime:
    """The number, if it isn't too large."""
    if type(v) is Affine:
        v.bit_length()
        return v
    for part in (v.a, v.b) if type(v) is Moving else (v.numerator, v.denominator):
        if part.bit_length() > bits:
            raise OverLimit(TOO_LARGE)
    return v


def power(base: Any, exponent: int, place: Place) -> Fraction:
    if type(base) is not Fraction:
        raise Refused(place, "a negative power of a number that isn't known: multiply out instead")
    if exponent < 0 and base == 0:
        raise Refused(place, "a negative power of 0")
    if abs(exponent) * (max(base.numerator.bit_length(), base.denominator.bit_length()) - 1) > 2 * MOST_BITS:
        raise OverLimit(f"{place}: {TOO_LARGE}")
    return Fraction(limited(base**exponent))


def whole(D: int, v: Runtime, place: Place, what: str = "an index") -> int:
    """The whole number that v is."""
    if type(v) in (Moving, Affine):
        raise NotAffine
    if v % D:
        raise Refused(place, f"{what} must be a whole number, not {Fraction(v) / D}")
    return int(v // D)


def item(D: int, place: Place, first: int, items: tuple[Runtime, ...], index: Runtime) -> Runtime:
    k = whole(D, index, place)
    if not first <= k < first + len(items):
        runs = f"runs from {first} to {first + len(items) - 1}" if items else "is empty"
        raise Refused(place, f"index {k}: the list {runs}")
    return items[k - first]


# Lists, as tuples: those of the same length are added, a number times a list, a matrix times a column.
def plus(place: Place, a: Runtime, b: Runtime) -> Runtime:
    if type(a) is tuple:
        return tuple([plus(place, x, y) for x, y in same_length(place, a, b)])
    return a + b


def same_length(place: Place, a: tuple[Runtime, ...], b: tuple[Runtime, ...]) -> list[tuple[Runtime, Runtime]]:
    if len(a) != len(b):
        raise Refused(place, f"lists of {len(a)} and {len(b)} items: they must be of the same length")
    return list(zip(a, b, strict=True))


def times(D: int, place: Place, a: Runtime, b: Runtime) -> Runtime:
    if type(a) is tuple and type(b) is tuple:
        return tuple([dot(D, place, row, b) for row in a])
    if type(a) is tuple:
        return tuple([times(D, place, x, b) for x in a])
    if type(b) is tuple:
        return tuple([times(D, place, a, x) for x in b])
    return exactly(a * b, D)


def dot(D: int, place: Place, a: tuple[Runtime, ...], b: tuple[Runtime, ...]) -> Runtime:
    return sum([exactly(x * y, D) for x, y in same_length(place, a, b)])


def total(D: int, place: Place, items: tuple[Runtime, ...]) -> Runtime:  # noqa: ARG001
    return reduce(lambda a, b: plus(place, a, b), items) if items else 0


def extreme(pick: Callable[[tuple[Runtime, ...]], Runtime], name: str) -> Callable[..., Runtime]:
    def of(D: int, place: Place, items: tuple[Runtime, ...]) -> Runtime:  # noqa: ARG001
        if not items:
            raise Refused(place, f"{name} of nothing: guard it, or give it at least one number")
        return pick(items)

    return of


def arranged(D: int, place: Place, items: tuple[Runtime, ...]) -> Runtime:  # noqa: ARG001
    return tuple(sorted(items))


def distinct(D: int, place: Place, items: tuple[Runtime, ...]) -> Runtime:  # noqa: ARG001
    try:
        return len(set(items)) * D
    except NotAffine:  # what is only compared
        return sum(all(one != other for other in items[:k]) for k, one in enumerate(items)) * D


def neighbours(items: tuple[Runtime, ...]) -> list[tuple[Runtime, Runtime]]:
    return list(pairwise(sorted(items)))


# name: (what it is of: numbers, truths, or anything), what it gives, the function)
FOLDS: dict[str, tuple[str, str, Callable[..., Runtime]]] = {
    "max": ("number", "number", extreme(max, "max")),
    "min": ("number", "number", extreme(min, "min")),
    "sum": ("numbers", "number", total),
    "count": ("truth", "number", lambda D, place, items: sum(items) * D),  # noqa: ARG005
    "all": ("truth", "truth", lambda D, place, items: all(items)),  # noqa: ARG005
    "any": ("truth", "truth", lambda D, place, items: any(items)),  # noqa: ARG005
    "len": ("any", "number", lambda D, place, items: len(items) * D),  # noqa: ARG005
    "sorted": ("numbers", "list", arranged),
    "distinct": ("any", "number", distinct),
}

"""Numbers: whole ones are Python's, any other rational is a Q. No float is ever made.

Two more kinds stand for many numbers at once. Moving: the numbers of the members of a family of layers (LANGUAGE 4);
Real: those of `for all` (LANGUAGE 5). Both are affine, and a comparison decides for as many of them as it is true of.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd
from typing import NoReturn, TypeVar, Union

from ..core.comparing import OverLimit
from .words import MOST_BITS

T = TypeVar("T")
MOST = 1 << MOST_BITS  # what numerators and denominators stay below


class NotAffine(Exception):
    """A number that isn't a + b t where it must be."""


def too_long() -> NoReturn:
    raise OverLimit(f"a number of more than {MOST_BITS:,} binary digits")


def short(v: T) -> T:
    """A value; if it is a whole number, one that isn't too long. (Of a Q `ratio` has looked.)"""
    if isinstance(v, int) and not -MOST < v < MOST:
        too_long()
    return v


Exact = Union[int, "Q"]


class Q:
    """A rational that isn't whole, in lowest terms: the denominator is at least 2."""

    __slots__ = ("denominator", "numerator")

    def __init__(self, numerator: int, denominator: int) -> None:
        self.numerator, self.denominator = numerator, denominator

    def __str__(self) -> str:
        return f"{self.numerator}/{self.denominator}"

    __repr__ = __str__

    def __hash__(self) -> int:
        return hash((self.numerator, self.denominator))

    def __eq__(self, other: object) -> bool:
        if type(other) is Q:
            return self.numerator == other.numerator and self.denominator == other.denominator
        return False if type(other) is int else NotImplemented

    def __add__(self, other: Exact) -> Exact:
        if type(other) is Q:
            p, q = self.denominator, other.denominator
            if p == q:
                return ratio(self.numerator + other.numerator, p)
            return ratio(self.numerator * q + other.numerator * p, p * q)
        if type(other) is int:  # in lowest terms again
            return Q(short(self.numerator + other * self.denominator), self.denominator)
        return NotImplemented

    def __sub__(self, other: Exact) -> Exact:
        if type(other) is Q or type(other) is int:
            return self + -other
        return NotImplemented

    def __rsub__(self, other: int) -> Exact:
        return -self + other

    def __mul__(self, other: Exact) -> Exact:
        if type(other) is Q:
            return ratio(self.numerator * other.numerator, self.denominator * other.denominator)
        return ratio(self.numerator * other, self.denominator) if type(other) is int else NotImplemented

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> Q:
        return Q(-self.numerator, self.denominator)

    def __abs__(self) -> Q:
        return Q(abs(self.numerator), self.denominator)

    def __lt__(self, other: Exact) -> bool:
        if type(other) is Q:
            return self.numerator * other.denominator < other.numerator * self.denominator
        return self.numerator < other * self.denominator if type(other) is int else NotImplemented

    def __gt__(self, other: Exact) -> bool:
        if type(other) is Q:
            return self.numerator * other.denominator > other.numerator * self.denominator
        return self.numerator > other * self.denominator if type(other) is int else NotImplemented

    def __le__(self, other: Exact) -> bool:
        if type(other) is Q:
            return self.numerator * other.denominator <= other.numerator * self.denominator
        return self.numerator < other * self.denominator if type(other) is int else NotImplemented

    def __ge__(self, other: Exact) -> bool:
        if type(other) is Q:
            return self.numerator * other.denominator >= other.numerator * self.denominator
        return self.numerator > other * self.denominator if type(other) is int else NotImplemented


def ratio(numerator: int, denominator: int) -> Exact:
    """n/d, in lowest terms, if it isn't too long."""
    shared = gcd(numerator, denominator)
    if denominator < 0:
        shared = -shared
    if shared == denominator:
        return short(numerator // denominator)
    if shared != 1:
        numerator, denominator = numerator // shared, denominator // shared
    if denominator >= MOST or not -MOST < numerator < MOST:
        too_long()
    return Q(numerator, denominator)


def divided(a: Exact, b: Exact) -> Exact:
    """a / b, where b isn't 0."""
    return a * ratio(b.denominator, b.numerator)


def floor_of(a: Exact, b: Exact) -> int:
    """The floor of a / b, where b isn't 0."""
    return (a.numerator * b.denominator) // (a.denominator * b.numerator)


def power(base: Exact, exponent: int) -> Exact:
    """base^exponent; of 0 to a negative power there is none. Its length is known before it is made."""
    long = max(base.numerator.bit_length(), base.denominator.bit_length())
    if long > 1 and abs(exponent) * (long - 1) > MOST_BITS:
        too_long()
    p, q = base.numerator ** abs(exponent), base.denominator ** abs(exponent)
    return ratio(p, q) if exponent >= 0 else ratio(q, p)


class Varying:
    """A number that is compared by the sign of a difference."""

    __slots__ = ()

    def __hash__(self) -> int:
        raise NotAffine

    def sign(self, other: Number) -> Exact:
        """Something of the sign of self - other."""
        raise NotImplementedError

    def __lt__(self, other: Number) -> bool:
        return self.sign(other) < 0

    def __le__(self, other: Number) -> bool:
        return self.sign(other) <= 0

    def __gt__(self, other: Number) -> bool:
        return self.sign(other) > 0

    def __ge__(self, other: Number) -> bool:
        return self.sign(other) >= 0

    def __eq__(self, other: object) -> bool:
        return self.sign(other) == 0  # type: ignore[arg-type]


@dataclass(slots=True)
class Members:
    """The members of a family from one on: for so many of them every comparison so far comes out alike."""

    alike: int


class Moving(Varying):
    """a + b t, the number of the member t places further on. Comparisons are made at t = 0."""

    __slots__ = ("a", "b", "members")

    def __init__(self, a: Exact, b: Exact, members: Members) -> None:
        self.a, self.b, self.members = short(a), short(b), members

    def sign(self, other: Number) -> Exact:
        less = self - other
        if less.b != 0:
            if less.a == 0:
                self.members.alike = 1
            elif (less.a > 0) != (less.b > 0):  # the first t at which a + b t has come to 0 or passed it
                self.members.alike = min(self.members.alike, -floor_of(less.a, less.b))
        return less.a

    def __add__(self, other: Number) -> Moving:
        if type(other) is Moving:
            return Moving(self.a + other.a, self.b + other.b, self.members)
        return Moving(self.a + other, self.b, self.members)  # type: ignore[arg-type]

    def __mul__(self, other: Number) -> Moving:
        if type(other) is Moving:
            if self.b != 0 and other.b != 0:
                raise NotAffine
            return Moving(self.a * other.a, self.a * other.b + self.b * other.a, self.members)
        return Moving(self.a * other, self.b * other, self.members)  # type: ignore[arg-type]

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> Moving:
        return self * -1

    def __sub__(self, other: Number) -> Moving:
        return self + -other

    def __rsub__(self, other: Number) -> Moving:  # type: ignore[misc]
        return -self + other

    def __abs__(self) -> Moving:
        raise NotAffine


@dataclass(frozen=True, slots=True)
class Interval:
    """The numbers from low to high, without these; None: no end."""

    low: Exact | None
    high: Exact | None

    def has(self, t: Exact) -> bool:
        return (self.low is None or self.low < t) and (self.high is None or t < self.high)

    @property
    def inner(self) -> Exact:
        """One of them."""
        if self.low is None:
            return 0 if self.high is None else self.high - 1
        return self.low + 1 if self.high is None else divided(self.low + self.high, 2)


Spot = Union[int, Q, Interval]  # noqa: UP007
Box = tuple[Spot, ...]


class Split(Exception):
    """Of a box: number k is to be looked at below, at, and above t."""

    def __init__(self, k: int, t: Exact) -> None:
        super().__init__(k, t)
        self.k, self.t = k, t


class Real(Varying):
    """a + b_1 t_1 + b_2 t_2 + ..., for the t of a box."""

    __slots__ = ("a", "b", "box")

    def __init__(self, a: Exact, b: dict[int, Exact], box: Box) -> None:
        self.a, self.b, self.box = short(a), {k: short(factor) for k, factor in b.items() if factor != 0}, box

    def sign(self, other: Number) -> Exact:
        """Of one sign in all of the box, or the box is split."""
        less = self - other
        if len(less.b) > 1:
            raise NotAffine("what is compared depends on two of the real numbers, where it may depend on one")
        for k, b in less.b.items():
            spot, turn = self.box[k], divided(-less.a, b)
            if not isinstance(spot, Interval):
                raise TypeError(spot)
            if spot.has(turn):
                raise Split(k, turn)
            return less.a + b * spot.inner
        return less.a

    def at(self, numbers: tuple[Exact, ...]) -> Exact:
        total = self.a
        for k, b in self.b.items():
            total = total + b * numbers[k]
        return total

    def __add__(self, other: Number) -> Real:
        if type(other) is not Real:
            return Real(self.a + other, self.b, self.box)  # type: ignore[arg-type]
        both = dict(self.b)
        for k, b in other.b.items():
            both[k] = both.get(k, 0) + b
        return Real(self.a + other.a, both, self.box)

    def __mul__(self, other: Number) -> Real:
        if type(other) is Real:
            if self.b and other.b:
                raise NotAffine("two numbers that depend on real numbers are multiplied")
            return self * other.a if self.b else other * self.a
        return Real(self.a * other, {k: b * other for k, b in self.b.items()}, self.box)  # type: ignore[arg-type, misc]

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> Real:
        return self * -1

    def __sub__(self, other: Number) -> Real:
        return self + -other

    def __rsub__(self, other: Number) -> Real:  # type: ignore[misc]
        return -self + other

    def __abs__(self) -> Real:
        return -self if self < 0 else self


Number = Union[int, Q, Moving, Real]  # noqa: UP007
NUMBERS: set[type] = {int, Q, Moving, Real}  # and those of readings of their own, build/target.py and states/
EXACT: frozenset[type] = frozenset((int, Q))

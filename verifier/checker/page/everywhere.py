"""LANGUAGE 5, `for all`: what holds for all real numbers t, by splitting.

An interval without its ends is looked at as a whole: every number is a + b t there. If what is compared is 0 at some t
inside, the interval is split: into the part below, this t alone, and the part above. In what isn't split no comparison
comes out in two ways. Of several numbers the same, one at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import NoReturn

from ..core.comparing import OverLimit
from .numbers import TOO_LARGE, NotAffine, Runtime
from .words import MOST_BITS, Place, Refused

MOST_REALS = 20


@dataclass(frozen=True, slots=True)
class Interval:
    """From low to high without these; None: no end."""

    low: Fraction | None
    high: Fraction | None

    @property
    def inner(self) -> Fraction:
        if self.low is None:
            return Fraction(0) if self.high is None else self.high - 1
        if self.high is None:
            return self.low + 1
        return (self.low + self.high) / 2

    def has(self, t: Fraction) -> bool:
        return (self.low is None or self.low < t) and (self.high is None or t < self.high)

    @property
    def simplest(self) -> Fraction:
        """Of its numbers with the least denominator the one nearest to 0."""
        if self.has(Fraction(0)):
            return Fraction(0)
        if self.high is not None and self.high <= 0:
            return -Interval(-self.high, None if self.low is None else -self.low).simplest
        low, high = self.low or Fraction(0), self.high
        p, q, before = 1, 0, (0, 1)
        while True:
            n = low.numerator // low.denominator
            if high is None or n + 1 < high:
                return Fraction(p * (n + 1) + before[0], q * (n + 1) + before[1])
            p, q, before = p * n + before[0], q * n + before[1], (p, q)
            low, high = 1 / (high - n), None if low == n else 1 / (low - n)


Spot = Fraction | Interval
Box = tuple[Spot, ...]


class Split(Exception):
    """Number k is to be looked at below, at, and above t."""

    def __init__(self, k: int, t: Fraction) -> None:
        super().__init__(k, t)
        self.k, self.t = k, t


class Real:
    """a + b_1 t_1 + b_2 t_2 + ..., for the t of a box."""

    __slots__ = ("a", "b", "box")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, a: Fraction | int, b: dict[int, Fraction], box: Box) -> None:
        self.a, self.b, self.box = Fraction(a), {k: v for k, v in b.items() if v}, box

    def bit_length(self) -> int:
        numbers = (self.a, *self.b.values())
        return max(max(v.numerator.bit_length(), v.denominator.bit_length()) for v in numbers)

    def plus(self, factor: int, other: Runtime) -> Real:
        if type(other) is not Real:
            return Real(self.a + factor * other, self.b, self.box)
        b = {
            k: self.b.get(k, Fraction(0)) + factor * other.b.get(k, Fraction(0))
            for k in dict.fromkeys(chain(self.b, other.b))
        }
        return Real(self.a + factor * other.a, b, self.box)

    def __add__(self, other: Runtime) -> Real:
        return self.plus(1, other) if type(other) in (Real, int, Fraction) else NotImplemented

    def __sub__(self, other: Runtime) -> Real:
        return self.plus(-1, other) if type(other) in (Real, int, Fraction) else NotImplemented

    def __rsub__(self, other: Runtime) -> Real:
        return (self * -1).plus(1, other)

    def __mul__(self, other: Runtime) -> Real:
        if type(other) is Real and other.b:
            if self.b:
                raise Refused(None, "two numbers that depend on real numbers are multiplied")
            return other * self.a
        if type(other) not in (Real, int, Fraction):
            return NotImplemented
        factor = other.a if type(other) is Real else other
        found = Real(self.a * factor, {k: v * factor for k, v in self.b.items()}, self.box)
        if found.bit_length() > 4 * MOST_BITS:
            raise OverLimit(TOO_LARGE)
        return found

    __radd__, __rmul__ = __add__, __mul__

    def __truediv__(self, q: int) -> Real:
        return self * Fraction(1, q)

    def __neg__(self) -> Real:
        return self * -1

    def less(self, other: Runtime) -> Fraction:
        """Something of the sign of self - other, which is one in all of the box."""
        d = self.plus(-1, other)
        if len(d.b) > 1:
            raise Refused(None, "what is compared depends on two of the real numbers, where it may depend on one")
        for k, b in d.b.items():
            spot, t = self.box[k], -d.a / b
            if not isinstance(spot, Interval):
                raise TypeError(spot)
            if spot.has(t):
                raise Split(k, t)
            return d.a + b * spot.inner
        return d.a

    def __lt__(self, other: Runtime) -> bool:
        return self.less(other) < 0

    def __le__(self, other: Runtime) -> bool:
        return self.less(other) <= 0

    def __gt__(self, other: Runtime) -> bool:
        return self.less(other) > 0

    def __ge__(self, other: Runtime) -> bool:
        return self.less(other) >= 0

    def __eq__(self, other: object) -> bool:
        return self.less(other) == 0

    def __abs__(self) -> Real:
        return self * -1 if self < 0 else self

    def _none(self, *_: object) -> NoReturn:
        raise NotAffine

    __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = __pow__ = __index__ = __bool__ = _none


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """A relation in one box."""

    sign: int
    holds: bool
    slack: Runtime  # of an inequality
    left: Runtime
    right: Runtime
    letters: dict[str, Runtime]  # of the blocks around it


Path = tuple[int, ...]
Found = tuple[Box, Made]
Collect = Callable[[list[Runtime]], list[tuple[Path, Made]]]


def relations(many: int, D: int, look: Collect, place: Place) -> Iterable[list[Found]]:
    """Of each relation, in order, what it is in each box where it's made. look: the relations at these numbers."""
    boxes: list[Box] = [(Interval(None, None),) * many]
    found = dict[Path, list[Found]]()
    while boxes:
        box = boxes.pop()
        numbers = [
            Real(0, {k: Fraction(D)}, box) if isinstance(spot, Interval) else Real(spot * D, {}, box)
            for k, spot in enumerate(box)
        ]
        try:
            made = look(numbers)
        except Split as split:
            spot = box[split.k]
            if not isinstance(spot, Interval):
                raise
            below, above = Interval(spot.low, split.t), Interval(split.t, spot.high)
            boxes += [(*box[: split.k], part, *box[split.k + 1 :]) for part in (below, split.t, above)]
        except Refused as error:
            raise error if error.place else Refused(place, error.words) from None
        except NotAffine:
            raise Refused(place, "this isn't affine in the real numbers, piece by piece") from None
        else:
            for path, one in made:
                found.setdefault(path, []).append((box, one))
    return [found[path] for path in sorted(found)]


@dataclass(frozen=True, slots=True)
class Spotted:
    """A relation for all real numbers: where it fails or is tightest, and its least slack there."""

    made: Made
    numbers: tuple[Fraction, ...]
    slack: Fraction | None = None
    side: str = ""


def tightest(found: list[Found], edge: bool, D: int) -> Spotted:
    failing = [one for one in found if not one[1].holds]
    if failing or not edge:
        spots = [Spotted(made, simplest(box)) for box, made in failing or found]
        return min(spots, key=lambda one: order(one.numbers))
    return min((bounded(box, made, D) for box, made in found), key=_tightness)


def _tightness(one: Spotted) -> tuple[object, ...]:
    return one.slack, bool(one.side), order(one.numbers), one.side == "above"


def bounded(box: Box, made: Made, D: int) -> Spotted:
    """The greatest number below all slacks in the box, and where it's reached, or what side it's come near from."""
    numbers, side = simplest(box), ""
    for k, b in made.slack.b.items() if type(made.slack) is Real else ():
        spot = box[k]
        end = (spot.low if b > 0 else spot.high) if isinstance(spot, Interval) else None
        if end is None:
            raise TypeError(box)
        numbers, side = (*numbers[:k], end, *numbers[k + 1 :]), "above" if b > 0 else "below"
    return Spotted(made, numbers, value_at(made.slack, D, numbers), side)


def simplest(box: Box) -> tuple[Fraction, ...]:
    return tuple([spot.simplest if isinstance(spot, Interval) else spot for spot in box])


def order(numbers: tuple[Fraction, ...]) -> list[tuple[int, Fraction, bool]]:
    """The simpler one comes first: the smaller denominator, nearer to 0, below 0."""
    return [(t.denominator, abs(t), t > 0) for t in numbers]


def value_at(v: Runtime, D: int, numbers: tuple[Fraction, ...]) -> Runtime:
    """A value, exactly, at these numbers."""
    if isinstance(v, bool):
        return v
    if isinstance(v, tuple):
        return tuple([value_at(one, D, numbers) for one in v])
    if type(v) is Real:
        v = v.a + sum([b * numbers[k] for k, b in v.b.items()])
    return Fraction(v) / D

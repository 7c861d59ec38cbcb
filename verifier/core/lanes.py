"""The numbers of many cases side by side, so that a check runs once for all of them.

A check is code for one case. If the entries of the case are `Lanes` (a number for each of many cases), the same code
checks all of them at once: sums, products and comparisons work on whole arrays. That is right as long as all cases take
the same branches. If they don't, using the comparison as a truth value raises `Mixed`, and the cases are divided there.
What lanes can't do (serve as a key, be printed, be passed to other code) raises `NotForLanes`, and the cases are
checked one by one. So lanes only make a check faster; they never change what it says.

All lanes share one denominator. The numerators are a numpy array: of 64-bit numbers as long as an exact bound says that
all fit, otherwise of Python's whole numbers.
"""

from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from math import gcd, lcm
from typing import Any, NoReturn

import numpy as np
from gmpy2 import mpq, mpz

from verifier.core.case import Alike
from verifier.core.exact import ALREADY

ROOM = 2**63 - 1  # the largest entry in 64 bits
Array = Any  # numpy's


class NotForLanes(TypeError):
    """A check uses something that a number can do and many numbers together can't."""


class Mixed(Exception):
    """A comparison is true in some lanes and false in others."""

    def __init__(self, where: Array) -> None:
        self.where = where


class Mask:
    """The truth of a comparison in each lane."""

    __slots__ = ("where",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, where: Array) -> None:
        self.where = where

    def __bool__(self) -> bool:
        yes = int(np.count_nonzero(self.where))
        if 0 < yes < len(self.where):
            raise Mixed(self.where)
        return yes > 0


def _most(x: Array) -> int:
    return max(int(x.max()), -int(x.min()))


class Lanes:  # noqa: PLW1641
    """x / scale in each lane; every |x| <= most."""

    __slots__ = ("most", "scale", "x")

    def __init__(self, x: Array, scale: int = 1, most: int | None = None) -> None:
        self.x, self.scale, self.most = x, scale, _most(x) if most is None else most

    def _within(self, bound: Callable[[int], int]) -> tuple[Array, int]:
        """The array, in a type wide enough for a result that `bound` bounds in terms of the largest entry; and that
        bound."""
        if self.x.dtype == object:
            return self.x, bound(self.most)
        if bound(self.most) > ROOM:
            self.most = _most(self.x)
        most = bound(self.most)
        return _wide(self.x, most), most

    def at(self, scale: int) -> "Lanes":
        """The same numbers with a multiple of the denominator."""
        k = scale // self.scale
        if k == 1:
            return self
        x, most = self._within(lambda m: max(m, 1) * k)  # also if all are zeros: k itself must fit
        return Lanes(x * k, scale, most)

    def _common(self, other: object) -> "tuple[Lanes, Lanes | int]":
        """Both with a common denominator; a single number as a whole number."""
        if type(other) is Lanes:
            scale = lcm(self.scale, other.scale)
            return self.at(scale), other.at(scale)
        p, q = _fraction(other)
        ours = self.at(lcm(self.scale, q))
        return ours, p * (ours.scale // q)

    def __add__(self, other: object) -> "Lanes":
        a, b = self._common(other)
        if type(b) is int:
            if not b:
                return a
            x, most = a._within(lambda m: m + abs(b))
            return Lanes(x + b, a.scale, most)
        x, y, most = _both(a, b, lambda m, k: m + k)  # type: ignore[arg-type]
        return Lanes(x + y, a.scale, most)

    def __mul__(self, other: object) -> "Lanes":
        if type(other) is Lanes:
            x, y, most = _both(self, other, lambda m, k: m * k)
            return Lanes(x * y, self.scale * other.scale, most)
        p, q = _fraction(other)
        k = gcd(p, self.scale)
        p, scale = p // k, self.scale // k * q
        if p == 1:
            return Lanes(self.x, scale, self.most)
        x, most = self._within(lambda m: max(m, 1) * abs(p))
        return Lanes(x * p, scale, most)

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> "Lanes":
        return Lanes(-self.x, self.scale, self.most)

    def __sub__(self, other: Any) -> "Lanes":
        return self.__add__(-other)

    def __rsub__(self, other: object) -> "Lanes":
        return -self + other

    def __truediv__(self, other: object) -> "Lanes":
        if type(other) is Lanes:
            return self._shared_by(other)
        p, q = _fraction(other)
        return self * mpq(q, p)

    def _shared_by(self, counts: "Lanes") -> "Lanes":
        """Divided by whole numbers above 0; with the least denominator that all have in common."""
        different = np.unique(counts.x).tolist()
        if counts.scale != 1 or different[0] <= 0:
            raise NotForLanes("a division by numbers that are not whole and above 0")
        multiple = lcm(*different)
        parts = self * Lanes(multiple // _wide(counts.x, multiple))
        scale = parts.scale * multiple
        k = gcd(scale, int(np.gcd.reduce(parts.x)))
        return Lanes(_wide(parts.x, k) // k, scale // k, parts.most // k)

    def __abs__(self) -> "Lanes":
        return Lanes(np.abs(self.x), self.scale, self.most)

    def _compared(self, other: object, how: Callable[[Array, Array], Array]) -> Mask:
        a, b = (self, other) if type(other) is Lanes and self.scale == other.scale else self._common(other)
        bound: Any = b.x if type(b) is Lanes else b
        if type(bound) is int and abs(bound) > ROOM:
            bound = np.array(bound, dtype=object)
        return Mask(how(a.x, bound))

    def __lt__(self, other: object) -> Mask:
        return self._compared(other, np.less)

    def __le__(self, other: object) -> Mask:
        return self._compared(other, np.less_equal)

    def __gt__(self, other: object) -> Mask:
        return self._compared(other, np.greater)

    def __ge__(self, other: object) -> Mask:
        return self._compared(other, np.greater_equal)

    def __eq__(self, other: object) -> Mask:  # type: ignore[override]
        if not is_number(other):
            return NotImplemented
        return self._compared(other, np.equal)

    def __ne__(self, other: object) -> Mask:  # type: ignore[override]
        if not is_number(other):
            return NotImplemented
        return self._compared(other, np.not_equal)

    def __bool__(self) -> bool:
        return bool(Mask((self.x != 0).astype(bool)))

    def __len__(self) -> NoReturn:
        raise NotForLanes("a number has no length")

    def _alone(self, *_: object) -> NoReturn:
        raise NotForLanes("many numbers are no key, no text and no index")

    __hash__ = __str__ = __format__ = __int__ = __index__ = __float__ = __iter__ = _alone

    def __repr__(self) -> str:
        return f"<{len(self.x)} numbers>"

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"many numbers have no {name}")

    def is_whole(self) -> Mask:
        if self.scale == 1:
            return Mask(np.ones(len(self.x), dtype=bool))
        return self % 1 == 0

    def denominators(self) -> "Lanes":
        return Lanes(self.scale // np.gcd(_wide(self.x, self.scale), self.scale), 1, self.scale)

    def __mod__(self, other: object) -> "Lanes":
        a, k = self._common(other)
        if type(k) is not int or k <= 0:
            raise NotForLanes("the remainder of a division by many numbers, or by one that is not above 0")
        return Lanes(_wide(a.x, k) % k, a.scale, k)

    def __pow__(self, times: object) -> "Lanes":
        if type(times) is not int or times < 1:
            raise NotForLanes("a power that is no whole number above 0")
        power = self
        for _ in range(times - 1):
            power = power * self
        return power

    def at_place(self, place: int) -> mpq:
        return mpq(int(self.x[place]), self.scale)

    def numbers(self) -> list[mpq]:
        scale = self.scale
        return [mpq(x, scale) for x in self.x.tolist()]


ALREADY.add(Lanes)


def is_number(other: object) -> bool:
    return type(other) is Lanes or type(other) is int or isinstance(other, mpq | mpz)


def _fraction(other: object) -> tuple[int, int]:
    if type(other) is int:
        return other, 1
    if isinstance(other, mpz):
        return int(other), 1
    if isinstance(other, mpq):
        return int(other.numerator), int(other.denominator)
    raise NotForLanes(f"{type(other).__name__} is no exact number")


def _wide(x: Array, number: int) -> Array:
    """The array, in a type that holds this number above 0 too."""
    return x if number <= ROOM else x.astype(object)


def _both(a: Lanes, b: Lanes, bound: Callable[[int, int], int]) -> tuple[Array, Array, int]:
    """Both arrays, in a type wide enough for a result that `bound` bounds in terms of their largest entries; and that
    bound."""
    narrow = a.x.dtype == b.x.dtype == np.int64
    if narrow and bound(a.most, b.most) > ROOM:
        a.most, b.most = _most(a.x), _most(b.x)
    most = bound(a.most, b.most)
    if narrow and most > ROOM:
        return a.x.astype(object), b.x, most
    return a.x, b.x, most


def array(values: Sequence[int]) -> Array:
    """An array of these numbers, in the narrowest type that holds them."""
    narrow = all(-ROOM <= value <= ROOM for value in values)
    return np.array(values, dtype=np.int64 if narrow else object)


def lanes(values: Sequence[mpq | int]) -> Lanes:
    """Lanes of these numbers, one for each case."""
    scale = lcm(*{int(value.denominator) for value in values})
    return Lanes(array([int(value.numerator) * (scale // int(value.denominator)) for value in values]), scale)


def count(value: Any) -> int:
    """How many cases a value stands for; 0 if it has no lanes."""
    if type(value) is Lanes:
        return len(value.x)
    if isinstance(value, tuple):
        return next(filter(None, map(count, value)), 0)
    return 0


def alone(value: Any, count: int) -> list[Any]:
    """The values of the single cases, from a value for many."""
    if type(value) is Lanes:
        return list(value.numbers())
    if isinstance(value, tuple):
        parts = [alone(part, count) for part in value]
        rows = zip(*parts, strict=True) if parts else [()] * count
        return [tuple(row) if type(value) is tuple else type(value)(*row) for row in rows]
    return [value] * count


def choose(where: Mask, yes: Any, no: Any) -> Any:
    """`yes` where the comparison holds, and `no` elsewhere."""
    a, b = (value if type(value) is Lanes else spread(value, 1) for value in (yes, no))
    if a.scale != b.scale:
        scale = lcm(a.scale, b.scale)
        a, b = a.at(scale), b.at(scale)
    return Lanes(np.where(where.where, a.x, b.x), a.scale, max(a.most, b.most))


def spread(value: Any, count: int) -> Lanes:
    """Lanes with the same number for every case."""
    p, q = _fraction(value)
    return Lanes(np.full(count, p, dtype=np.int64 if abs(p) <= ROOM else object), q, abs(p))


def taken(value: Any, where: Array) -> Any:
    """The part of a value for many cases that belongs to some of them."""
    if type(value) is Lanes:
        return Lanes(value.x[where], value.scale, value.most)
    if isinstance(value, tuple):
        parts = [taken(part, where) for part in value]
        if all(a is b for a, b in zip(parts, value, strict=True)):
            return value
        return tuple(parts) if type(value) is tuple else type(value)(*parts)
    if is_dataclass(value) and not isinstance(value, type):
        old = {field.name: getattr(value, field.name) for field in fields(value)}
        new = {name: taken(part, where) for name, part in old.items()}
        return value if all(new[name] is old[name] for name in old) else type(value)(**new)
    return value


def joined(values: Sequence[Any]) -> Any:
    """One value for many cases: parts that all have in common are kept, and numbers become lanes."""
    first = values[0]
    if all(value is first for value in values):
        return first
    if all(type(value) is int or isinstance(value, mpq) for value in values):
        return lanes(values)
    if all(type(value) is type(first) and isinstance(value, tuple) and len(value) == len(first) for value in values):
        parts = [joined(parts) for parts in zip(*values, strict=True)]
        return tuple(parts) if type(first) is tuple else type(first)(*parts)
    if all(value == first for value in values):
        return first
    raise NotForLanes(f"a {type(first).__name__} is another in each case")


def together(cases: Sequence[Alike], **known: Any) -> Alike:
    """One case for many, whose numbers are lanes: it has all that they are made of and that isn't given, and the
    attributes that their class names as alike."""
    first = cases[0]
    made = object.__new__(type(first))
    names = [field.name for field in fields(first) if field.name not in known]  # type: ignore[arg-type]
    state = {name: joined([getattr(case, name) for case in cases]) for name in names}
    vars(made).update(state, **known, **{name: getattr(first, name) for name in first.alike})
    return made


def grouped(cases: Sequence[Any]) -> list[tuple[Array, Any]]:
    """The cases grouped by what makes them alike: places, and the one case for them, or None if they can't be one."""
    places: dict[Any, list[int]] = {}
    for place, case in enumerate(cases):
        key = tuple(getattr(case, name) for name in case.alike) if isinstance(case, Alike) else None
        places.setdefault((type(case), key), []).append(place)
    groups: list[tuple[Array, Any]] = []
    for (_, key), its in places.items():
        try:
            case = together([cases[place] for place in its]) if key is not None else None
        except NotForLanes:
            case = None
        groups.append((np.array(its), case))
    return groups


class Table:
    """The columns of a space by number, some of them marked; it makes matrices from arrays of these numbers."""

    def __init__(self, columns: Sequence[Sequence[mpq]], marked: Sequence[bool]) -> None:
        self.rows = [lanes([column[i] for column in columns]) for i in range(len(columns[0]))]
        self.marked = np.array(marked)

    def grouped(
        self, numbers: range, points: Sequence[Sequence[int]], case: Callable[[int, Any], Alike], **known: Any
    ) -> list[tuple[Array, Any]]:
        """Cases of n columns each, non-decreasing by number. Two are alike if they have equal columns in the same
        places, and either both have marked columns or neither has."""
        chosen = np.array(points)
        ways = np.column_stack([chosen[:, 1:] == chosen[:, :-1], self.marked[chosen].any(axis=1)])
        kinds, which = np.unique(ways, axis=0, return_inverse=True)
        groups: list[tuple[Array, Any]] = []
        for kind in range(len(kinds)):
            places = np.flatnonzero(which.ravel() == kind)
            first = case(numbers[int(places[0])], points[int(places[0])])
            number = Lanes(array([numbers[place] for place in places.tolist()]))
            groups.append((places, together([first], number=number, X=self._matrix(chosen[places]), **known)))
        return groups

    def _matrix(self, chosen: Array) -> Any:
        return tuple(
            tuple(Lanes(row.x[chosen[:, j]], row.scale, row.most) for j in range(chosen.shape[1])) for row in self.rows
        )

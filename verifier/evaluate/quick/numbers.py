"""Numbers of many cases at once. A number is known (int or Fraction), or it has a value in each lane: an Arr.

int64 is used behind bounds alone: those of a result follow from its operands' before it is computed. Beyond them the
product of two int64 is a pair of them, which can be added, compared and chosen from; all else goes on in Python's
integers.
"""

from collections.abc import Callable
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np

from verifier.evaluate.budget import spend
from verifier.evaluate.values import BITS
from verifier.language.words import Refused, TooLarge

HALF, DIGIT = 31, 62
LIMIT, WIDE = 1 << DIGIT, 1 << 122  # of int64, and of pairs: high * 2^62 + low, 0 <= low < 2^62
Lanes = Any  # a numpy array, of int64 or of Python's integers
Known = int | Fraction


class NotAffine(Exception):
    """A number of a family of layers that is no a + b t."""


class Arr:
    """In each lane v / den, with lo <= v <= hi; v is an array, or a pair of them."""

    __slots__ = ("_v", "den", "hi", "lo", "pair", "tight")

    def __init__(self, v: Lanes, den: int, lo: int, hi: int, pair: tuple[Lanes, Lanes] | None = None) -> None:
        self._v, self.den, self.lo, self.hi, self.pair, self.tight = v, den, lo, hi, pair, False

    @property
    def v(self) -> Lanes:
        if self._v is None and self.pair is not None:
            high, low = self.pair
            self._v = high.astype(object) * LIMIT + low
            self.tighten()
        return self._v

    @property
    def size(self) -> int:
        return len(self._v if self.pair is None else self.pair[0])

    def tighten(self) -> None:
        """The bounds as they are, and int64 if they allow it."""
        v = self.v
        if self.tight:
            return
        self.lo, self.hi, self.tight = int(v.min()), int(v.max()), True
        if v.dtype == object and small(self.lo, self.hi):
            self._v, self.pair = v.astype(np.int64), None

    def at(self, lane: int) -> Fraction:
        return Fraction(int(self.v[lane]), self.den)

    def of(self, index: Lanes) -> "Arr":
        """The lanes of an index."""
        spend(8 + (len(index) >> 10))
        if self.pair is not None:
            return Arr(None, self.den, self.lo, self.hi, (self.pair[0][index], self.pair[1][index]))
        return Arr(self._v[index], self.den, self.lo, self.hi)


def paired(a: Arr) -> tuple[Lanes, Lanes] | None:
    """As a pair, if it isn't in Python's integers."""
    if a.pair is None and a.v.dtype != object:
        return a.v >> DIGIT, a.v & (LIMIT - 1)
    return a.pair


def carried(high: Lanes, low: Lanes) -> tuple[Lanes, Lanes]:
    return high + (low >> DIGIT), low & (LIMIT - 1)


def product(x: Lanes, y: Lanes) -> tuple[Lanes, Lanes]:
    """x * y for x and y below 2^62, by their halves: no part leaves 63 bits."""
    x1, x0, y1, y0 = x >> HALF, x & ((1 << HALF) - 1), y >> HALF, y & ((1 << HALF) - 1)
    middle = x1 * y0 + x0 * y1
    return carried(x1 * y1 + (middle >> HALF), ((middle & ((1 << HALF) - 1)) << HALF) + x0 * y0)


def small(lo: int, hi: int) -> bool:
    return lo > -LIMIT and hi < LIMIT


_OF_ALL_LANES = frozenset((int, Fraction, bool))  # isinstance of a Fraction is slow: it asks an abstract class


def known(x: object) -> bool:
    return type(x) in _OF_ALL_LANES


def full(x: Any, n: int) -> Arr:
    if isinstance(x, Arr):
        return x
    p, q = x.numerator, x.denominator
    return Arr(np.full(n, p, dtype=np.int64 if small(p, p) else object), q, p, p)


def _exact(bounds: Callable[[], tuple[int, int]], *arrays: Arr) -> tuple[int, int, list[Lanes]]:
    """The bounds of a result, and its operands in a form that can hold it."""
    lo, hi = bounds()
    if not small(lo, hi):
        for a in arrays:
            a.tighten()
        lo, hi = bounds()
    if small(lo, hi):
        spend(10 + (arrays[0].size >> 10))
        return lo, hi, [a.v for a in arrays]
    spend(10 + (arrays[0].size * (16 + words(max(-lo, hi))) >> 8))
    return lo, hi, [a.v.astype(object) for a in arrays]


def words(x: int) -> int:
    return x.bit_length() >> 6


def scaled(a: Arr, k: int) -> Arr:
    """a in units k times as fine."""
    if k == 1:
        return a
    too_long((a.den * k).bit_length())
    return _times(a, k, a.den * k)


def _times(a: Arr, k: int, den: int) -> Arr:
    """The numerators times k, over den."""
    if k == 1:
        return Arr(a._v, den, a.lo, a.hi, a.pair)
    if k == -1 and a.pair is not None:
        return Arr(None, den, -a.hi, -a.lo, carried(-a.pair[0], -a.pair[1]))

    def bounds() -> tuple[int, int]:
        return min(a.lo * k, a.hi * k), max(a.lo * k, a.hi * k)

    lo, hi, (v,) = _exact(bounds, a)
    return Arr(v * (k if lo or hi else 0), den, lo, hi)


def both(a: Arr, b: Arr) -> tuple[Arr, Arr]:
    """Over one denominator."""
    den = lcm(a.den, b.den)
    return scaled(a, den // a.den), scaled(b, den // b.den)


def add(a: Any, b: Any) -> Any:
    if isinstance(a, AffineInStep) or isinstance(b, AffineInStep):
        (a, p, m), (b, q, _) = split(a, b), split(b, a)
        return dual(add(a, b), add(p, q), m)
    if known(a):
        a, b = b, a
    if known(b):
        if known(a):
            return short(a + b)
        if b == 0:
            return a
        if a.pair is None:
            den = lcm(a.den, b.denominator)
            a, k = scaled(a, den // a.den), int(b * den)
            lo, hi, (v,) = _exact(lambda: (min(a.lo, a.lo + k), max(a.hi, a.hi + k)), a)
            return Arr(v + k, den, a.lo + k, a.hi + k)
        b = full(b, a.size)
    if (a.pair or b.pair) and a.den == b.den and a.lo + b.lo > -WIDE and a.hi + b.hi < WIDE:
        x, y = paired(a), paired(b)
        if x and y:
            return Arr(None, a.den, a.lo + b.lo, a.hi + b.hi, carried(x[0] + y[0], x[1] + y[1]))
    a, b = both(a, b)
    lo, hi, (v, w) = _exact(lambda: (a.lo + b.lo, a.hi + b.hi), a, b)
    return Arr(v + w, a.den, lo, hi)


def mul(a: Any, b: Any) -> Any:
    if isinstance(a, AffineInStep) or isinstance(b, AffineInStep):
        (a, p, m), (b, q, _) = split(a, b), split(b, a)
        if not zero(p) and not zero(q):
            raise NotAffine
        return dual(mul(a, b), add(mul(a, q), mul(p, b)), m)
    if known(a):
        a, b = b, a
    if known(b):
        if known(a):
            return short(a * b)
        if b == 0:
            return 0
        p, q = b.numerator, a.den * b.denominator
        g = gcd(p, q)
        return _times(a, p // g, q // g)

    def bounds() -> tuple[int, int]:
        ends = [x * y for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
        return min(ends), max(ends)

    lo, hi = bounds()
    if max(-lo, hi, a.den * b.den).bit_length() > BITS:
        a.tighten()
        b.tighten()
        short(max(bounds()[1], -bounds()[0], a.den * b.den))
    if not small(lo, hi) and not (a.pair or b.pair):
        a.tighten()
        b.tighten()
        lo, hi = bounds()
        if not small(lo, hi) and lo > -WIDE and hi < WIDE and object not in {a.v.dtype, b.v.dtype}:
            return Arr(None, a.den * b.den, lo, hi, product(a.v, b.v))
    lo, hi, (v, w) = _exact(bounds, a, b)
    if v.dtype == object:
        spend(a.size * words(max(-a.lo, a.hi)) * words(max(-b.lo, b.hi)) >> 12)
    return Arr(v * w, a.den * b.den, lo, hi)


def short(x: Known) -> Known:
    """A number that isn't too long."""
    bits = x.bit_length() if type(x) is int else max(x.numerator.bit_length(), x.denominator.bit_length())
    spend(1 + (bits >> 6))
    if bits > BITS:
        too_long(bits)
    return x


def too_long(bits: int) -> None:
    if bits > BITS:
        raise TooLarge((0, 0), f"a number of more than {BITS:,} binary digits")


def minus(a: Any, b: Any) -> Any:
    if isinstance(a, AffineInStep) or isinstance(b, AffineInStep):
        (a, p, m), (b, q, _) = split(a, b), split(b, a)
        return dual(minus(a, b), minus(p, q), m)
    if type(a) is Arr and type(b) is Arr and not (a.pair or b.pair):
        a, b = both(a, b)
        lo, hi, (v, w) = _exact(lambda: (a.lo - b.hi, a.hi - b.lo), a, b)
        return Arr(v - w, a.den, lo, hi)
    return add(a, mul(-1, b))


def zero(x: Any) -> bool:
    return known(x) and x == 0


def floor_div(a: Any, b: Known) -> tuple[Any, Any]:
    """a div b and a mod b."""
    if isinstance(a, AffineInStep):
        raise NotAffine
    if b == 0:
        raise Refused((0, 0), "a division by 0")
    if known(a):
        return a // b, a % b
    a = scaled(a, lcm(a.den, b.denominator) // a.den)
    m, v = int(b * a.den), a.v
    if not small(m, m):
        v = v.astype(object)
    spend(8 + (a.size >> (10 if v.dtype != object else 3)))
    ends = (a.lo // m, a.hi // m)
    return Arr(v // m, 1, min(ends), max(ends)), Arr(v % m, a.den, min(0, m), max(0, m))


_LANES = {"=": np.equal, "!=": np.not_equal, "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal}
_KNOWN: dict[str, Callable[[Any, Any], bool]] = {
    "=": lambda a, b: bool(a == b),
    "!=": lambda a, b: bool(a != b),
    "<": lambda a, b: bool(a < b),
    "<=": lambda a, b: bool(a <= b),
    ">": lambda a, b: bool(a > b),
    ">=": lambda a, b: bool(a >= b),
}
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def compare(sign: str, a: Any, b: Any) -> Any:
    """The truth of a relation between numbers: one for all lanes, if the bounds tell, or one in each."""
    if a is b:
        return sign in ("=", "<=", ">=")
    if isinstance(a, AffineInStep) or isinstance(b, AffineInStep):
        (a, p, m), (b, q, _) = split(a, b), split(b, a)
        m.turn(minus(a, b), minus(p, q))
    if known(a):
        if known(b):
            return _KNOWN[sign](a, b)
        a, b, sign = b, a, _TURNED.get(sign, sign)
    if known(b):
        if a.pair is None:
            a = scaled(a, lcm(a.den, b.denominator) // a.den)
            k = int(b * a.den)
            if not a.lo <= k <= a.hi:
                return _KNOWN[sign](a.lo, k)
            spend(4 + (a.size >> 10))
            return settled(_LANES[sign](a.v, k))
        b = full(b, a.size)
    spend(4 + (a.size >> 10))
    if a.den != b.den:
        a, b = both(a, b)
    if a.lo > b.hi or a.hi < b.lo:
        return _KNOWN[sign](a.lo, b.lo)
    if (a.pair or b.pair) and (x := paired(a)) and (y := paired(b)):
        return settled(_LANES[sign](np.where(x[0] == y[0], x[1] - y[1], x[0] - y[0]), 0))
    return settled(_LANES[sign](a.v, b.v))


def settled(a: Any) -> Any:
    """A truth of each lane; one for all, if they agree."""
    if isinstance(a, bool):
        return a
    a = a.astype(bool, copy=False)
    many = np.count_nonzero(a)
    return False if not many else True if many == len(a) else a


def chosen(c: Any, a: Any, b: Any) -> Any:
    """a where c, else b."""
    if a is b:
        return a
    if isinstance(a, AffineInStep) or isinstance(b, AffineInStep):
        (a, p, m), (b, q, _) = split(a, b), split(b, a)
        return dual(chosen(c, a, b), chosen(c, p, q), m)
    if known(a) and known(b) and a == b:
        return a
    if zero(b) and isinstance(a, Arr) and a.pair is None:
        return Arr(a.v * c, a.den, min(a.lo, 0), max(a.hi, 0))
    if zero(a) and isinstance(b, Arr) and b.pair is None:
        return Arr(b.v * ~c, b.den, min(b.lo, 0), max(b.hi, 0))
    spend(8 + (len(c) >> 9))
    a, b = both(full(a, len(c)), full(b, len(c)))
    lo, hi = min(a.lo, b.lo), max(a.hi, b.hi)
    if (a.pair or b.pair) and (x := paired(a)) and (y := paired(b)):
        return Arr(None, a.den, lo, hi, (np.where(c, x[0], y[0]), np.where(c, x[1], y[1])))
    return Arr(np.where(c, a.v, b.v), a.den, lo, hi)


class UntilTurn:
    """The lanes of a family of layers, each at its own place; until: how far it may go before a comparison turns."""

    def __init__(self, n: int, up: "UntilTurn | None" = None, index: Lanes = None) -> None:
        self.until, self.up, self.index, self.n = np.full(n, LIMIT, dtype=np.int64), up, index, n

    def lower(self, until: Lanes) -> None:
        if self.up is None:
            np.minimum(self.until, until, out=self.until)
        else:
            whole = np.full(self.up.n, LIMIT, dtype=np.int64)
            whole[self.index] = until
            self.up.lower(whole)

    def turn(self, a: Any, b: Any) -> None:
        """The first t >= 1 at which a + b t may have another sign than a."""
        if zero(b):
            return
        a, b = both(full(a, self.n), full(b, self.n))
        if (a.lo > 0 and b.lo >= 0) or (a.hi < 0 and b.hi <= 0):
            return
        x, y = a.v if a.pair is None else np.where(a.pair[0] == 0, a.pair[1], a.pair[0]), b.v
        turning = np.nonzero((((x ^ y) < 0) | (x == 0)) & (y != 0))[0]
        if len(turning):
            t = np.maximum(-(a.of(turning).v // y[turning]), 1)
            until = np.full(self.n, LIMIT, dtype=np.int64)
            until[turning] = np.minimum(t, LIMIT).astype(np.int64)
            self.lower(until)


class AffineInStep:
    """a + b t, t = 0, 1, ...: a number of the layer t places on, of each lane."""

    __slots__ = ("a", "b", "moving")

    def __init__(self, a: Any, b: Any, moving: UntilTurn) -> None:
        self.a, self.b, self.moving = a, b, moving


def split(x: Any, other: Any = None) -> tuple[Any, Any, Any]:
    if isinstance(x, AffineInStep):
        return x.a, x.b, x.moving
    return x, 0, other.moving if other is not None else None


def dual(a: Any, b: Any, moving: UntilTurn) -> Any:
    return a if zero(b) else AffineInStep(a, b, moving)

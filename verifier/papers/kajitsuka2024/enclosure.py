"""Irrational numbers: enclosures between two rationals, and rounding down, which gives the same on every machine.

An enclosure is (low, high) with low <= x <= high. `rounded_down(x, bits)` is the multiple of 2^-bits next below x: it
asks for finer enclosures until both ends round to the same. They do, unless x is such a multiple itself; what is
rounded here is irrational (for whole numbers a_1, ..., a_n that differ, boltz is, by Lindemann and Weierstrass).
"""

from collections.abc import Callable, Sequence
from functools import lru_cache

from gmpy2 import mpq

Enclosure = tuple[mpq, mpq]
_FINEST = 1 << 16  # bits: a number that needs more is rational, though taken to be irrational


@lru_cache(maxsize=4096)
def exp_of_minus(x: mpq, bits: int) -> Enclosure:
    """e^-x for x >= 0, to about this many bits: 1 over the series of e^x."""
    p, q, unit = int(x.numerator), int(x.denominator), 1 << bits
    below = above = low = high = unit  # the terms x^k/k!, cut and rounded up, and their sums
    k = 0
    while k < 2 * x or above > 1:
        k += 1
        below = below * p // (k * q)
        above = -(-above * p // (k * q))
        low, high = low + below, high + above
    high += above  # from here on each term is at most half the one before
    return mpq(unit, high), mpq(unit, low)


@lru_cache(maxsize=256)
def log(n: int, bits: int) -> Enclosure:
    """log n, as the sum of log((j+1)/j) = 2 artanh(1/(2j+1))."""
    low = mpq(0)
    rest = mpq(0)
    for j in range(1, n):
        t = mpq(1, 2 * j + 1)
        power, k = t, 0
        while power * (1 << bits) > 1:
            low += 2 * power / (2 * k + 1)
            power *= t * t
            k += 1
        rest += 4 * power
    return low, low + rest


def weighted(entries: Sequence[mpq], values: Sequence[mpq], bits: int) -> Enclosure:
    """sum_j softmax(entries)_j values_j, the values not negative."""
    top = max(entries)
    powers = [exp_of_minus(top - a, bits) for a in entries]
    low = sum((v * p[0] for v, p in zip(values, powers, strict=True)), mpq(0))
    high = sum((v * p[1] for v, p in zip(values, powers, strict=True)), mpq(0))
    return low / sum(p[1] for p in powers), high / sum(p[0] for p in powers)


def whole(x: mpq) -> int:
    """The next whole number below."""
    return int(x.numerator) // int(x.denominator)


def rounded_down(enclosed: Callable[[int], Enclosure], bits: int) -> mpq:
    """The next multiple of 2^-bits below a number that is not such a multiple itself."""
    unit, more = 1 << bits, bits + 64
    while more < _FINEST:
        low, high = (whole(end * unit) for end in enclosed(more))
        if low == high:
            return mpq(low, unit)
        more *= 2
    raise ArithmeticError("no enclosure is fine enough: the number is a multiple of the unit, or nearly so")

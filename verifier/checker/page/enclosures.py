"""LANGUAGE 2: the largest multiple of 2^-k that is at most e^x, log x, the root of x, or a mean
with weights e^s.

Fixed-point pairs (low, high), whole numbers of 2^-W, rounded outward: e^-t by its alternating series below 1 and by
squares of e^-1 above, log by -log(1 - z) = z + z^2/2 + z^3/3 + ... W grows until both ends have the same multiple below
them; irrational numbers come to that (Lindemann and Weierstrass), and rational ones are told apart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from math import lcm

from ..core.comparing import OverLimit
from .words import MOST_BITS, Place, Refused

Pair = tuple[int, int]
WIDEST = 3 * MOST_BITS


def up(a: int, b: int) -> int:
    """a / b, rounded up."""
    return -(-a // b)


def cost(x: Fraction, k: int) -> int:
    """Steps: as many as terms and squarings, each of as many machine words."""
    longest = max(x.numerator.bit_length(), x.denominator.bit_length())
    return (k + 100 + min(abs(x.numerator // x.denominator), WIDEST)) * (1 + longest // 64)


def cost_of_root(x: Fraction, k: int) -> int:
    """Steps: some ten divisions of as many machine words."""
    return 10 + ((x.numerator.bit_length() + x.denominator.bit_length() + 2 * k) // 64) ** 2


def next_below(enclosed: Callable[[int], Pair | None], k: int, place: Place) -> Fraction:
    W = k + 48
    while W < WIDEST:
        ends = enclosed(W)
        if ends and ends[0] >> (W - k) == ends[1] >> (W - k):
            return Fraction(ends[0] >> (W - k), 1 << k)
        W += W // 2
    raise OverLimit(f"{place}: a number that isn't told from a multiple of 2^-{k}")


@cache
def _part(f: Fraction, W: int) -> Pair:
    """e^-f for 0 < f <= 1: 1 - f + f^2/2 - ..., whose terms don't grow, so that it lies between two partial sums."""
    p, q, k = f.numerator, f.denominator, 0
    low = high = total_low = total_high = 1 << W  # the term and the sum
    while high > 1:
        k += 1
        low, high = low * p // (k * q), up(high * p, k * q)
        if k % 2:
            total_low, total_high = total_low - high, total_high - low
        else:
            total_low, total_high = total_low + low, total_high + high
    return total_low - high, total_high + high


@cache
def falling(t: Fraction, W: int) -> Pair:
    """e^-t for t >= 0."""
    whole, rest = divmod(t, 1)
    low, high = _part(rest, W) if rest else (1 << W, 1 << W)
    square = _part(Fraction(1), W) if whole else (0, 0)
    while whole:
        if whole & 1:
            low, high = low * square[0] >> W, up(high * square[1], 1 << W)
        square = square[0] * square[0] >> W, up(square[1] * square[1], 1 << W)
        whole >>= 1
    return low, high


def exp_of(x: Fraction, W: int) -> Pair | None:
    """e^x, where W digits tell e^-x from 0."""
    low, high = falling(abs(x), W)
    if x <= 0:
        return low, high
    return ((1 << 2 * W) // high, up(1 << 2 * W, low)) if low > 0 else None


@cache
def _series(z: Fraction, W: int) -> Pair:
    """-log(1 - z) = z + z^2/2 + z^3/3 + ..., 0 <= z <= 1/2; the rest is at most the last power."""
    p, q, k = z.numerator, z.denominator, 1
    low, high = (p << W) // q, up(p << W, q)
    total_low = total_high = 0
    while high > 1:
        total_low, total_high = total_low + low // k, total_high + up(high, k)
        low, high, k = low * p // q, up(high * p, q), k + 1
    return total_low, total_high + 2 * high


def log_of(x: Fraction, W: int) -> Pair:
    """log x = m log 2 + log(1 - z), x = 2^m (1 - z)."""
    m = x.numerator.bit_length() - x.denominator.bit_length()
    while x > Fraction(2) ** m:
        m += 1
    z = 1 - x / Fraction(2) ** m
    low, high = _series(z, W)
    two = _series(Fraction(1, 2), W)
    return (m * two[m < 0] - high, m * two[m >= 0] - low)


def exp_below(place: Place, x: Fraction, k: int) -> Fraction:
    if x == 0:
        return Fraction(1)
    if x <= -k - 1:
        return Fraction(0)
    if x > MOST_BITS:
        raise OverLimit(f"{place}: e^{x} is a number of more than 20,000 binary digits")
    return next_below(lambda W: exp_of(x, W), k, place)


def log_below(place: Place, x: Fraction, k: int) -> Fraction:
    if x <= 0:
        raise Refused(place, f"log_below is of a positive number, not of {x}")
    return Fraction(0) if x == 1 else next_below(lambda W: log_of(x, W), k, place)


def sqrt_below(place: Place, x: Fraction, k: int) -> Fraction:
    """By Heron's rule, from above: it falls until it is the root, rounded down."""
    if x < 0:
        raise Refused(place, f"sqrt_below is of no negative number, such as {x}")
    square = x.numerator * 4**k // x.denominator
    root = 1 << (square.bit_length() + 1) // 2
    while root * root > square:
        root = (root + square // root) // 2
    return Fraction(root, 1 << k)


def softmax_below(place: Place, values: Sequence[Fraction], scores: Sequence[Fraction], k: int) -> Fraction:
    if len(values) != len(scores) or not values:
        raise Refused(
            place, f"softmax_below is of {len(values)} values and {len(scores)} scores: as many, at least one"
        )
    first = mean_of_score(values, scores, scores[0])
    if all(mean_of_score(values, scores, s) == first for s in set(scores)):  # only then it is rational
        return Fraction(first * 2**k // 1, 1 << k)
    top, least, unit = max(scores), min(values), lcm(*[v.denominator for v in values])
    if top - min(scores) > WIDEST:
        raise OverLimit(f"{place}: scores that are more than {WIDEST:,} apart")
    shares = [int((v - least) * unit) for v in values]
    moved = int(least * unit)

    def enclosed(W: int) -> Pair | None:
        weights = [falling(top - s, W) for s in scores]
        all_low, all_high = (sum(w[end] for w in weights) for end in (0, 1))
        low, high = (sum(v * w[end] for v, w in zip(shares, weights, strict=True)) for end in (0, 1))
        low, high = (low << W) // (all_high * unit), up(high << W, all_low * unit)
        return low + (moved << W) // unit, high + up(moved << W, unit)

    return next_below(enclosed, k, place)


def mean_of_score(values: Sequence[Fraction], scores: Sequence[Fraction], score: Fraction) -> Fraction:
    mine = [v for v, s in zip(values, scores, strict=True) if s == score]
    return Fraction(sum(mine)) / len(mine)

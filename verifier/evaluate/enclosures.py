"""exp_below, log_below, sqrt_below, softmax_below: the largest multiple of 2^-k that is at most e^x, log x, the root of
x, a softmax mean.

A root is that of a whole number. Each other number is enclosed between two rationals, more and more finely, until both
ends have the same multiple below them. They come to that: what is enclosed here is irrational (Lindemann and
Weierstrass); what isn't, is told apart first.
"""

from collections.abc import Callable
from functools import lru_cache
from math import isqrt

from gmpy2 import mpq

from verifier.evaluate.values import BITS, Wrong

Ends = tuple[mpq, mpq]  # low <= x <= high
FINEST = 2 * BITS  # binary digits of an enclosure: a number that asks for more is refused


def floor(x: mpq) -> int:
    return int(x.numerator) // int(x.denominator)


def below(enclosed: Callable[[int], Ends], k: int) -> mpq:
    """The largest multiple of 2^-k that is less than an irrational number."""
    bits = k + 64
    while bits <= FINEST:
        low, high = (floor(end * (1 << k)) for end in enclosed(bits))
        if low == high:
            return mpq(low, 1 << k)
        bits *= 2
    raise OverflowError(f"a number that isn't told from a multiple of 2^-{k} by {FINEST:,} binary digits")


@lru_cache(maxsize=4096)
def exp(x: mpq, bits: int) -> Ends:
    """e^x, to about so many binary digits: the series of e^|x|, terms cut and rounded up; for x < 0 its inverse."""
    p, q, unit = abs(int(x.numerator)), int(x.denominator), 1 << bits
    under = over = low = high = unit
    k = 0
    while k * q < 2 * p or over > 1:
        k += 1
        under = under * p // (k * q)
        over = -(-over * p // (k * q))
        low, high = low + under, high + over
    high += over  # from here on each term is at most half the one before
    return (mpq(low, unit), mpq(high, unit)) if x >= 0 else (mpq(unit, high), mpq(unit, low))


def artanh(t: mpq, bits: int) -> Ends:
    """t + t^3/3 + t^5/5 + ..., 0 <= t <= 1/3; what is left out is less than 9/8 of the next power."""
    p, q, unit = int(t.numerator), int(t.denominator), 1 << bits
    under, over = unit * p // q, -(-unit * p // q)
    low = high = 0
    k = 1
    while over > 1:
        low, high = low + under // k, high - (-over // k)
        under, over, k = under * p * p // (q * q), -(-over * p * p // (q * q)), k + 2
    return mpq(low, unit), mpq(high + 2 * over, unit)


@lru_cache(maxsize=256)
def log(x: mpq, bits: int) -> Ends:
    """log x = m log 2 + 2 artanh((y-1)/(y+1)), y = x / 2^m from 1 to 2; log 2 = 2 artanh(1/3)."""
    m = int(x.numerator).bit_length() - int(x.denominator).bit_length()
    y = x / mpq(2) ** m
    if y < 1:
        m, y = m - 1, 2 * y
    rest, two = artanh((y - 1) / (y + 1), bits), artanh(mpq(1, 3), bits)
    return (2 * (rest[0] + m * two[m < 0]), 2 * (rest[1] + m * two[m >= 0]))


def exp_below(x: mpq, k: int) -> mpq:
    if not x:
        return mpq(1)
    if x < -k:
        return mpq(0)  # e^x < 2^-k
    if x > BITS:
        raise OverflowError
    return below(lambda bits: exp(x, bits), k)


def log_below(x: mpq, k: int) -> mpq:
    if x <= 0:
        raise Wrong(f"log_below is of a positive number, not of {x}")
    return mpq(0) if x == mpq(1) else below(lambda bits: log(x, bits), k)


def sqrt_below(x: mpq, k: int) -> mpq:
    if x < 0:
        raise Wrong(f"sqrt_below is of no negative number, such as {x}")
    return mpq(isqrt((int(x.numerator) << 2 * k) // int(x.denominator)), 1 << k)


def softmax_below(values: list[mpq], scores: list[mpq], k: int) -> mpq:
    """Of the mean of the values, each weighted by e^(its score)."""
    if len(values) != len(scores) or not values:
        raise Wrong(f"softmax_below is of as many values as scores, not of {len(values)} and {len(scores)}")
    of_score: dict[mpq, list[mpq]] = {}
    for v, s in zip(values, scores, strict=True):
        of_score.setdefault(s, []).append(v)
    means = {sum(vs, mpq(0)) / len(vs) for vs in of_score.values()}
    if len(means) == 1:  # only then it is rational
        return mpq(floor(means.pop() * (1 << k)), 1 << k)
    top, least = max(scores), min(values)
    if top - min(scores) > FINEST:
        raise OverflowError(f"scores that are more than {FINEST:,} apart")

    def enclosed(bits: int) -> Ends:
        weights = [exp(s - top, bits) for s in scores]
        low, high = (
            sum(((v - least) * w[end] for v, w in zip(values, weights, strict=True)), mpq(0)) for end in (0, 1)
        )
        return least + low / sum((w[1] for w in weights), mpq(0)), least + high / sum((w[0] for w in weights), mpq(0))

    return below(enclosed, k)

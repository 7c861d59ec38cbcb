"""Fixed-point enclosures: (low, high), whole numbers of 2^-W; and the multiple of 2^-bits next below a number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

Pair = tuple[int, int]
_MOST = 1 << 15


def up(a: int, b: int) -> int:
    """a / b, rounded up."""
    return -(-a // b)


@cache
def root(W: int) -> Pair:
    """e^(-1/2) = 1 - 1/2 + 1/8 - ...: terms fall, so it lies between two partial sums next to each other."""
    before, last, below, k = 0, 1, 1, 0
    while not below >> W:
        k += 1
        before, last, below = 2 * k * last, 2 * k * last + (-1) ** k, 2 * k * below
    low, high = sorted((before, last))
    return (low << W) // below, up(high << W, below)


@cache
def power(halves: int, W: int) -> Pair:
    """e^(-halves/2)."""
    low, high = 1 << W, 1 << W
    base_low, base_high = root(W)
    while halves:
        if halves & 1:
            low, high = low * base_low >> W, up(high * base_high, 1 << W)
        base_low, base_high = base_low * base_low >> W, up(base_high * base_high, 1 << W)
        halves >>= 1
    return low, high


@cache
def log(n: int, W: int) -> Pair:
    """log n = 2 (t + t^3/3 + t^5/5 + ...), t = (n-1)/(n+1)."""
    p, q = (n - 1) ** 2, (n + 1) ** 2
    low_term = (n - 1 << W) // (n + 1)
    high_term = up(n - 1 << W, n + 1)
    low = high = k = 0
    while low_term:
        low, high = low + 2 * low_term // (2 * k + 1), high + up(2 * high_term, 2 * k + 1)
        low_term, high_term, k = low_term * p // q, up(high_term * p, q), k + 1
    return low, high + up(2 * high_term * q, q - p)


def mean(halves: Sequence[int], values: Sequence[int], W: int) -> Pair:
    """The mean of values, none negative, weighted by e^(halves/2)."""
    top = max(halves)
    weights = [power(top - a, W) for a in halves]
    low = sum(v * w[0] for v, w in zip(values, weights, strict=True))
    high = sum(v * w[1] for v, w in zip(values, weights, strict=True))
    return (low << W) // sum(w[1] for w in weights), up(high << W, sum(w[0] for w in weights))


def floor(enclosed: Callable[[int], Pair], bits: int) -> int:
    """The largest multiple of 2^-bits below the number, as a whole number of 2^-bits."""
    W = bits + 48
    while W < _MOST:
        low, high = enclosed(W)
        if low >> (W - bits) == high >> (W - bits):
            return low >> (W - bits)
        W += bits + 48
    raise ArithmeticError("no enclosure is fine enough")

"""Rigorous enclosures in fractions.Fraction: exp, by its Taylor polynomial and the remainder, and softmax.

An interval is a pair (low, high); every operation rounds outward to a multiple of 2^-BITS. Nothing of verifier is
imported.
"""

from fractions import Fraction
from itertools import product as cartesian

BITS = 400
UNIT = 1 << BITS


def down(x):
    return Fraction(x.numerator * UNIT // x.denominator, UNIT)


def up(x):
    return -down(-x)


def point(x):
    return (Fraction(x), Fraction(x))


def plus(a, b):
    return (a[0] + b[0], a[1] + b[1])


def minus(a, b):
    return (a[0] - b[1], a[1] - b[0])


def times(a, b):
    products = [x * y for x, y in cartesian(a, b)]
    return (down(min(products)), up(max(products)))


def exp_negative(t):
    """e^t for a rational t <= 0: |x| <= 1 after halving, |remainder| <= |x|^m / m!; then squared back."""
    if t < -BITS:  # e^-BITS < 2^-BITS
        return (Fraction(0), Fraction(1, UNIT))
    halvings = 0
    x = Fraction(t)
    while x < -1:
        x /= 2
        halvings += 1
    total, term, m = Fraction(0), Fraction(1), 0
    while abs(term) > Fraction(1, UNIT << 10):
        total += down(term)
        m += 1
        term = term * x / m
        term = Fraction(round(term * (UNIT << 40)), UNIT << 40)
    slack = Fraction(2 * m + 4, UNIT)  # the m terms' rounding, the terms' own, and the remainder
    low, high = max(Fraction(0), down(total - slack)), up(total + slack)
    for _ in range(halvings):
        low, high = down(low * low), up(high * high)
    return (low, high)


def exp(t):
    """e^t for an interval t; the upper end is None where it is of no use."""
    low = exp_negative(t[0])[0] if t[0] <= 0 else 1 / exp_negative(-t[0])[1]
    if t[1] <= 0:
        return (down(low), exp_negative(t[1])[1])
    reciprocal = exp_negative(-t[1])[0]
    return (down(low), up(1 / reciprocal) if reciprocal else None)


def softmax(scores):
    """Each weight is 1 / sum_k e^(s_k - s_i); the term of k = i is 1."""
    weights = []
    for i, s in enumerate(scores):
        terms = [exp(minus(other, s)) for k, other in enumerate(scores) if k != i]
        low = 1 + sum(term[0] for term in terms)
        high = None if any(term[1] is None for term in terms) else 1 + sum(term[1] for term in terms)
        weights.append((Fraction(0) if high is None else down(1 / high), up(1 / low)))
    return weights


def mean(ids, scores):
    """sum_i ids_i softmax(scores)_i; equal ids have that mean whatever the weights are."""
    base = ids[0]
    if len(set(ids)) == 1:
        return base
    total = base
    for x, w in zip(ids[1:], softmax(scores)[1:], strict=True):
        total = plus(total, times(minus(x, base), w))
    return total


def head(ids, b, rate):
    """u^T X . softmax[rate (u^T X)^T (u^T X - b 1^T)], a number for each column."""
    b = point(b)
    return [mean(ids, [times(point(rate), times(x, minus(y, b))) for x in ids]) for y in ids]


def soft_run(d, n, N, ids, rate):
    """The ids after each layer of the contextual map with softmax(rate .) for hardmax; ids are intervals."""
    B, delta = N**d, Fraction(1, N)
    states = [list(ids)]
    for k in range(B):
        level = k * delta
        high, low = head(states[-1], level - delta / 2, rate), head(states[-1], level + delta / 2, rate)
        states.append([plus(x, times(point(B), minus(a, b))) for x, a, b in zip(states[-1], high, low, strict=True)])
    last = head(states[-1], Fraction(0), rate)
    states.append([plus(x, times(point(B ** (n + 1)), a)) for x, a in zip(states[-1], last, strict=True)])
    return states

"""Functions of one number that are linear on pieces, over all of R, composed exactly.

A function has breaks c_1 < ... < c_m, a line on each of the open intervals (-inf, c_1), (c_1, c_2), ..., (c_m, inf),
and a value at each break, which need not fit either line. A statement about every line and every break is a statement
about every real number: nothing is sampled.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from gmpy2 import mpq

from verifier.core.exact import Q, Vector
from verifier.core.layers import PiecewiseLinear

Line = tuple[mpq, mpq]  # slope, intercept
End = mpq | None  # None for infinity


@dataclass(frozen=True)
class Pieces:
    breaks: Vector
    lines: tuple[Line, ...]
    values: Vector

    def on(self, low: End, high: End) -> Iterator[Line]:
        """Every line that the function follows in [low, high); the value at a break counts as a line of slope 0."""
        first = 0 if low is None else bisect_right(self.breaks, low)
        last = len(self.breaks) if high is None else bisect_left(self.breaks, high)
        if first and self.breaks[first - 1] == low:
            yield Q(0), self.values[first - 1]
        yield self.lines[first]
        for k in range(first, last):
            yield Q(0), self.values[k]
            yield self.lines[k + 1]


IDENTITY = Pieces((), ((Q(1), Q(0)),), ())


def _between(low: End, high: End) -> mpq:
    if low is None:
        return Q(0) if high is None else high - 1
    return low + 1 if high is None else (low + high) / 2


def then(f: Pieces, phi: PiecewiseLinear, shift: mpq) -> Pieces:
    """x -> f(x) + phi(f(x) + shift).

    A line of f is cut where f + shift meets a break of phi; between two cuts phi follows the line that it has at
    any point between them.
    """
    cuts = [c - shift for c in phi.breaks]
    breaks: list[mpq] = []
    lines: list[Line] = []
    values: list[mpq] = []
    for k, (slope, intercept) in enumerate(f.lines):
        low = f.breaks[k - 1] if k else None
        high = f.breaks[k] if k < len(f.breaks) else None
        met = sorted((cut - intercept) / slope for cut in cuts) if slope else []
        inner = [x for x in met if (low is None or low < x) and (high is None or x < high)]
        for a, b in pairwise([low, *inner, high]):
            p, q = phi.line(slope * _between(a, b) + intercept + shift)
            lines.append((slope * (1 + p), intercept * (1 + p) + p * shift + q))
            if b is not None:
                y = slope * b + intercept if b != high else f.values[k]
                breaks.append(b)
                values.append(y + phi(y + shift))
    return Pieces(tuple(breaks), tuple(lines), tuple(values))

"""Lemma 9 (App. B.2): a piecewise linear activation with a constant piece, made of ReLUs.

phi has breaks c_1 < c_2 < ...; for a width eps its form phi~ is continuous, equal to phi left of c_1 - eps, on
[c_i, c_{i+1} - eps) and right of the last break, and linear on each [c_i - eps, c_i). With points p at which the
slope of phi~ changes by a(p), and b the value of phi~ on a constant piece,

    phi~(t) = b + sum_{p right of that piece} a(p) ReLU(t - p) + sum_{p left of it} a(p) ReLU(p - t)

so that it takes one ReLU for each such point (four at most, with three pieces), whichever piece is constant.
"""

from dataclasses import dataclass
from itertools import pairwise

from gmpy2 import mpq

from verifier.core.exact import Q, exact
from verifier.core.layers import PiecewiseLinear

Piece = tuple[mpq, mpq]  # slope, intercept


@dataclass(frozen=True)
class Relu:
    """coefficient . ReLU(sign (t - point)), sign = 1 or -1."""

    coefficient: mpq
    sign: int
    point: mpq

    def __call__(self, t: mpq) -> mpq:
        return self.coefficient * max(Q(0), self.sign * (t - self.point))


@dataclass(frozen=True)
class ReluForm:
    """constant + the sum of its ReLUs."""

    constant: mpq
    relus: tuple[Relu, ...]

    def __call__(self, t: mpq) -> mpq:
        value = self.constant
        for relu in self.relus:
            value += relu(t)
        return value

    def function(self) -> PiecewiseLinear:
        """The same function, piece by piece: between two points a ReLU is a line, or 0."""
        points = sorted({relu.point for relu in self.relus})
        pieces = []
        for k in range(len(points) + 1):  # the piece left of points[k], right of points[k - 1]
            slope, intercept = Q(0), self.constant
            for relu in self.relus:
                if (relu.sign > 0) == (relu.point in points[:k]):
                    slope += relu.sign * relu.coefficient
                    intercept -= relu.sign * relu.coefficient * relu.point
            pieces.append((slope, intercept))
        return PiecewiseLinear(tuple(points), tuple(pieces))


def _line(a: mpq, at_a: mpq, b: mpq, at_b: mpq) -> Piece:
    """The line through (a, at_a) and (b, at_b)."""
    slope = (at_b - at_a) / (b - a)
    return slope, at_a - slope * a


def _at(piece: Piece, t: mpq) -> mpq:
    return piece[0] * t + piece[1]


def continuous(phi: PiecewiseLinear, eps: mpq) -> PiecewiseLinear:
    """phi~, with only those breaks at which its slope changes."""
    eps = exact(eps)
    if eps <= 0 or any(right - left <= eps for left, right in pairwise(phi.breaks)):
        raise ValueError(f"eps = {eps} must be above 0 and below the distance of two breaks")
    breaks: list[mpq] = []
    pieces = [phi.pieces[0]]
    for c, (left, right) in zip(phi.breaks, pairwise(phi.pieces), strict=True):
        bridge = _line(c - eps, _at(left, c - eps), c, _at(right, c))
        for point, piece in ((c - eps, bridge), (c, right)):
            if piece != pieces[-1]:
                breaks.append(point)
                pieces.append(piece)
    return PiecewiseLinear(tuple(breaks), tuple(pieces))


def relu_form(phi: PiecewiseLinear, eps: mpq) -> ReluForm:
    """phi~ as ReLUs, to the left and to the right of its first constant piece."""
    form = continuous(phi, eps)
    slopes = [slope for slope, _ in form.pieces]
    start = next((k for k, slope in enumerate(slopes) if not slope), None)
    if start is None:
        raise ValueError("no piece of phi is constant: ReLUs alone don't make it")
    relus = [
        Relu(right - left, 1 if k >= start else -1, point)
        for k, (point, (left, right)) in enumerate(zip(form.breaks, pairwise(slopes), strict=True))
    ]
    return ReluForm(form.pieces[start][1], tuple(relus))


def pieces_between(f: PiecewiseLinear, low: mpq | None, high: mpq | None) -> tuple[Piece, ...]:
    """The pieces of f that meet the open interval (low, high), where None is an infinite end."""
    ends = [None, *f.breaks, None]
    return tuple(
        piece
        for piece, (start, stop) in zip(f.pieces, pairwise(ends), strict=True)
        if (high is None or start is None or start < high) and (low is None or stop is None or stop > low)
    )

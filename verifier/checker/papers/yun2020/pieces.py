"""FORMAT 11, piecewise linear functions: the quantisers (lemma5.*, c.quantizes) and the four ReLUs (lemma9.relu)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from ...core.ledger import Made
from .model import Model

Line = tuple[Any, Any]  # slope and intercept


@dataclass(frozen=True)
class Piecewise:
    """On each [c_i, c_(i+1)), left of the first break and right of the last, a line: one more than there are breaks."""

    breaks: tuple[Any, ...]
    lines: tuple[Line, ...]

    def line(self, t: Any) -> Line:
        return self.lines[bisect_right(self.breaks, t)]


def bump(edge: int, inside: Line, outside: Line) -> Piecewise:
    """One line on [0, edge), another outside."""
    return Piecewise((0, edge), (outside, inside, outside))


def after(f: Piecewise, phi: Piecewise, shift: int) -> Piecewise:
    """x + phi(x - shift) after f. The lines of f are constant or of slope 1 here: both keep what is closed where."""
    breaks: list[Any] = []
    lines: list[Line] = []
    ends: list[Any] = [None, *f.breaks, None]
    for (low, high), (a, b) in zip(pairwise(ends), f.lines, strict=True):
        if a not in (0, 1):
            raise ValueError("a slope that no quantiser has")
        corners = [c + shift - b for c in phi.breaks] if a else []
        cut = [x for x in corners if (low is None or x > low) and (high is None or x < high)]
        breaks += [*([] if low is None else [low]), *cut]
        for start in (low, *cut):  # phi's own line there: of a constant at its value, else right of the start
            slope, intercept = phi.lines[0] if a and start is None else phi.line((start + b if a else b) - shift)
            lines.append((a + slope * a, b + slope * (b - shift) + intercept))
    return Piecewise(tuple(breaks), tuple(lines))


def quantiser(m: Model) -> list[tuple[int, Piecewise]]:
    """Lemma 5, the layers of one row in units of delta: X <- X + phi(X - shift)."""
    away = (-1, m.sentinel)
    return [(0, bump(m.N, (0, 0), away)), *((k, bump(1, (-1, 0), (0, 0))) for k in range(m.N))]


def positional_quantiser(m: Model) -> list[tuple[int, Piecewise]]:
    """C.1, the layers of one row, of all columns alike."""
    return [(k, bump(1, (-1, 0), (0, 0))) for k in range(m.n * m.N)]


def composed(layers: list[tuple[int, Piecewise]]) -> Piecewise:
    f = Piecewise((), ((1, 0),))
    for shift, phi in layers:
        f = after(f, phi, shift)
    return f


def on(f: Piecewise, low: Any, high: Any) -> set[Line]:
    """The lines of f that meet [low, high); None: no end."""
    first = 0 if low is None else bisect_right(f.breaks, low)
    last = len(f.breaks) if high is None else bisect_right(f.breaks, high) - (high in f.breaks)
    return set(f.lines[first : last + 1])


def quantizes(f: Piecewise, pieces: Sequence[tuple[Any, Any, int]], d: int) -> Iterator[Made]:
    """Each row has the same layers, and each piece (low, high, value) is a case in every row."""
    wrong = [k for k, (low, high, value) in enumerate(pieces) if on(f, low, high) != {(0, value)}]
    for row in range(d):
        for k in wrong:
            yield Made(
                "the layers of the row on the piece", "=", "its lower corner", [1], 0, [row * len(pieces) + k], 1
            )


def approximated(phi: Piecewise, eps: Fraction) -> Piecewise:
    """phi~: phi, but on each [c - eps, c) the line from phi(c - eps) to phi(c)."""
    breaks: list[Any] = []
    lines: list[Line] = [phi.lines[0]]
    for c, ((a, b), (a_next, b_next)) in zip(phi.breaks, pairwise(phi.lines), strict=True):
        start, end = a * (c - eps) + b, a_next * c + b_next
        ramp = (end - start) / eps
        breaks += [c - eps, c]
        lines += [(ramp, end - ramp * c), (a_next, b_next)]
    return Piecewise(tuple(breaks), tuple(lines))


def relus(phi: Piecewise, smooth: Piecewise) -> tuple[int, bool]:
    """How many ReLUs phi~ takes, and whether their sum is phi on every piece of phi. From a constant piece of phi the
    bias; for each corner c right of it w ReLU(t - c), left of it w ReLU(c - t), w by how much the slope changes."""
    at = next(k for k, (slope, _) in enumerate(phi.lines) if slope == 0)
    corners = [
        (k, c, b[0] - a[0]) for k, (c, (a, b)) in enumerate(zip(smooth.breaks, pairwise(smooth.lines), strict=True))
    ]
    corners = [corner for corner in corners if corner[2] != 0]
    same = True
    for piece, line in enumerate(phi.lines):  # of the pieces of phi~ the even ones are those of phi
        active = [(w, -w * c) for k, c, w in corners if 2 * at <= k < 2 * piece]
        active += [(-w, w * c) for k, c, w in corners if 2 * piece <= k < 2 * at]
        total = (sum(a for a, _ in active), phi.lines[at][1] + sum(b for _, b in active))
        same = same and total == line
    return len(corners), same


def activations(m: Model) -> list[Piecewise]:
    """The eight of lemma9.relu; numbers as they are."""
    zero, two, five = (Fraction(0), Fraction(0)), (Fraction(2), Fraction(3)), (Fraction(5), Fraction(-7))
    one, eleven = (Fraction(0), Fraction(1)), (Fraction(0), Fraction(11))
    delta, minus = Fraction(1, m.N), (Fraction(-1), Fraction(0))
    away, end = (Fraction(-1), Fraction(m.sentinel, m.N)), Fraction(1)
    thresholds = (Fraction(m.t_l, m.N), Fraction(m.t_r, m.N))
    return [
        Piecewise((0 * end, end), (away, zero, away)),
        Piecewise((0 * end, delta), (zero, minus, zero)),
        Piecewise(thresholds, (one, zero, one)),
        Piecewise((0 * end,), (minus, zero)),
        Piecewise((-delta / 2, delta / 2), (zero, one, zero)),
        *(Piecewise((0 * end, end), lines) for lines in ((zero, two, five), (two, eleven, five), (two, five, eleven))),
    ]


CASES = {
    "lemma5.quantizes": lambda m: m.d * (m.N + 2),
    "lemma5.activations": lambda m: m.d * (m.N + 1),
    "lemma5.layers": lambda _: 1,
    "lemma9.relu": lambda _: 8,
    "c.quantizes": lambda m: m.d * m.n * m.N,
}


def made(claims: Sequence[str], m: Model) -> Iterator[tuple[str, Made]]:
    for claim in claims:
        for relation in relations(claim, m):
            yield claim, relation


def relations(claim: str, m: Model) -> Iterator[Made]:
    N, nowhere = m.N, [()]
    match claim:
        case "lemma5.quantizes":
            inside = [(k, k + 1, k) for k in range(N)]
            yield from quantizes(composed(quantiser(m)), [(None, 0, m.sentinel), *inside, (N, None, m.sentinel)], m.d)
        case "lemma5.activations":
            lines = [phi.lines for _, phi in quantiser(m)] * m.d
            keys, constant = list(range(len(lines))), [sum(slope == 0 for slope, _ in its) for its in lines]
            yield Made("pieces of phi", "<=", "3", list(map(len, lines)), 3, keys, 1)
            yield Made("constant pieces of phi", ">=", "1", constant, 1, keys, 1)
        case "lemma5.layers":  # each acts on one row by one phi: r = 1
            yield Made("layers", "=", "d/delta + d", [m.d * len(quantiser(m))], [m.d * N + m.d], nowhere, 1)
        case "lemma9.relu":
            eps = Fraction(1, 4 * N)
            found = [relus(phi, approximated(phi, eps)) for phi in activations(m)]
            keys = list(range(len(found)))
            yield Made("ReLUs", "<=", "4", [count for count, _ in found], 4, keys, 1)
            yield Made("phi~ off the intervals", "=", "phi", [int(same) for _, same in found], 1, keys, 1)
        case "c.quantizes":
            layers = positional_quantiser(m)
            yield Made("layers", "=", "dn/delta", [m.d * len(layers)], [m.d * m.n * N], nowhere, 1)
            yield from quantizes(composed(layers), [(k, k + 1, k) for k in range(m.n * N)], m.d)

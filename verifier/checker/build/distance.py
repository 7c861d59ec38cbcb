"""FORMAT-build 7, statements 2 and 4: what softmax changes, and how far the network is from its target on the cube."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import factorial, prod
from typing import Any, NamedTuple

from ..core.comparing import Rejected
from ..core.reading import MOST_BITS, text_of
from .form import Column, Shape
from .reading import Rows
from .target import Bounds, Target

ZERO = Fraction(0)
MOST_MEASURED = 65536


def softmax(s: Shape) -> tuple[int, Fraction]:
    """K and the bound of statement 2."""
    ratio = 9 * s.rate / (32 * s.N**2)
    K = ratio.numerator // ratio.denominator
    if K > MOST_BITS:
        wanted = f"so small that K = floor(9 lambda / (32 N^2)) <= {MOST_BITS:,}, or no file can hold the bound"
        raise Rejected("FORMAT-build 7, softmax", "parameters.lambda", wanted, text_of(s.rate))
    R = Fraction(s.n * s.B ** (s.n + 1)) if s.positional else Fraction(s.B**s.n * (s.B - 1), s.N)
    return K, 2 * R * Fraction(s.n - 1, 1 << K) * (1 + 2 * s.B) ** len(s.levels) * (1 + s.last_factor)


class Outputs(NamedTuple):
    """What the network gives on each cell off the strips, by orbit; which are kept; how much targets were rounded."""

    on: list[list[Column]]
    kept: set[int]
    rounding: list[Fraction]


def share_of(s: Shape, lost_share: Fraction) -> Fraction:
    return (1 - lost_share) * (1 - s.N * s.epsilon) ** (s.d * s.n)


def distance(
    s: Shape,
    bounds: Bounds,
    low: list[Fraction],
    high: list[Fraction],
    lost_share: Fraction,
    out: Outputs,
    *,
    reach: Fraction,
    bound: Fraction,
) -> dict[str, Any]:
    """Statement 4: f is taken at most `reach` from a cell's points, in an entry; `bound` is statement 2's."""
    share = share_of(s, lost_share)
    E = [L * reach + r + bound for L, r in zip(bounds.lipschitz, out.rounding, strict=True)]
    D = [max(b - lo, hi - a, e) for (a, b), lo, hi, e in zip(bounds.ranges, low, high, E, strict=True)]
    d_1, d_2 = (
        sum((s.n * (share * e**p + (1 - share) * x**p) for e, x in zip(E, D, strict=True)), ZERO) for p in (1, 2)
    )
    return {
        "lipschitz": [text_of(L) for L in bounds.lipschitz],
        "rounding": [text_of(r) for r in out.rounding],
        "share": text_of(share),
        "sup_kept": text_of(max(E)),
        "sup": text_of(max(D)),
        "d_1": text_of(d_1),
        "d_2_squared": text_of(d_2),
    }


def fineness(s: Shape) -> int | None:
    return next((R for R in (4, 2) if (s.N * R) ** (s.d * s.n) <= MOST_MEASURED), None)


def points(s: Shape, within: list[Fraction]) -> Iterator[tuple[tuple[int, ...], Rows, int]]:
    """Points of entries k delta + t, t one of `within`: the columns' cells, the point, how many it stands for."""
    tokens = [
        (k, tuple(x + t for x, t in zip(s.column(k), ts, strict=True)))
        for k in range(s.B)
        for ts in product(within, repeat=s.d)
    ]
    every = range(len(tokens))
    for chosen in product(every, repeat=s.n) if s.positional else combinations_with_replacement(every, s.n):
        cell = tuple(tokens[k][0] for k in chosen)
        many = 1 if s.positional else factorial(s.n) // prod(map(factorial, Counter(chosen).values()))
        yield cell, [list(row) for row in zip(*(tokens[k][1] for k in chosen), strict=True)], many


def measured(s: Shape, f: Target, out: Outputs) -> dict[str, Any] | None:
    """The distance at points, with hardmax."""
    R = fineness(s)
    if R is None:
        return None
    rank = {numbers: k for k, numbers in enumerate(s.numbered())}

    def errors(within: list[Fraction], cells: set[int] | None = None) -> Iterator[tuple[list[Fraction], int]]:
        """How far the output is from f at the points (of these cells), and how many such points there are."""
        there = [it for it in points(s, within) if cells is None or rank[it[0]] in cells]
        for (cell, _, many), fX in zip(there, f.values(X for _, X, _ in there), strict=True):
            g = out.on[rank[cell]]
            yield [abs(g[j][i] - fX[i][j]) for i in range(s.d) for j in range(s.n)], many

    worst, count, first, second = ZERO, 0, ZERO, ZERO
    for found, _ in errors([ZERO, s.delta - s.epsilon], out.kept):
        worst = max(worst, *found)
    for found, many in errors([(2 * a + 1) * s.delta / (2 * R) for a in range(R)]):
        count += many
        first += many * sum(found, ZERO)
        second += many * sum((e * e for e in found), ZERO)
    return {
        "cells": s.B**s.n,
        "points": count,
        "sup_kept": text_of(worst),
        "d_1": text_of(first / count),
        "d_2_squared": text_of(second / count),
    }

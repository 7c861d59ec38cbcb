"""A token-wise layer that is no sum of ReLUs as it stands (it compares, or looks into a table) as one on all tokens
that it meets: of finitely many numbers t every function is a sum of ReLUs, by linear interpolation.

Each entry of the new token, or what is added to the old one, has to follow from one entry of the token; else from a
sum of its entries, each times a power of two, that tells apart what must be told apart. Between two numbers t < t' the
function changes within the last power of two below t', so that weights of dyadic numbers are dyadic.
"""

from itertools import pairwise
from typing import NamedTuple

from gmpy2 import mpq

from verifier.build.dtype import floor_log2, two_to
from verifier.core.exact import Matrix, Q, Vector

MOST_NODES, MOST_SHIFT = 2_000, 12
Values = dict[Vector, Vector]  # of each token the new one


class Fitted(NamedTuple):
    own: Matrix
    shift: Vector
    W_1: Matrix
    b_1: Vector
    W_2: Matrix


class NoFit(ValueError):
    """The message says why."""


def fitted(values: Values) -> Fitted:
    """The layer's weights."""
    d, wide = (len(next(iter(side))) for side in (values.keys(), values.values()))
    own, shift = [], []
    nodes: dict[tuple[Vector, mpq], int] = {}
    out: list[dict[int, mpq]] = []
    for r in range(wide):
        row, constant, direction, changes = entry(values, r, d)
        own.append(row)
        shift.append(constant)
        mine = {}
        for start, slope in changes.items():
            mine[nodes.setdefault((direction, -start), len(nodes))] = slope
        out.append(mine)
        if len(nodes) > MOST_NODES:
            raise NoFit(f"it is a table of so many values that more than {MOST_NODES:,} ReLUs are needed")
    return Fitted(
        tuple(own),
        tuple(shift),
        tuple(direction for direction, _ in nodes),
        tuple(b for _, b in nodes),
        tuple(tuple(mine.get(k, Q(0)) for k in range(len(nodes))) for mine in out) if nodes else (),
    )


def entry(values: Values, r: int, d: int) -> tuple[Vector, mpq, Vector, dict[mpq, mpq]]:
    """Of entry r: what it keeps of the token, a constant, the direction it looks along, and the slopes' changes."""
    units = [tuple(Q(int(k == m)) for k in range(d)) for m in range(d)]
    none = (Q(0),) * d
    kept = [*([units[r]] if r < d else []), none]
    best: tuple[Vector, mpq, Vector, dict[mpq, mpq]] | None = None
    for row in kept:
        for direction in [none, *units]:
            line = along(values, r, row, direction)
            if line is not None and (best is None or len(line[1]) < len(best[3])):
                best = (row, line[0], direction, line[1])
    for shift in range(1, MOST_SHIFT + 1) if best is None else ():
        direction = tuple(two_to(shift * k) for k in range(d))
        line = along(values, r, none, direction)
        if line is not None:
            return none, line[0], direction, line[1]
    if best is None:
        raise NoFit(f"entry {r + 1} of the new token is no function of a sum of the token's entries, each times 2^k")
    return best


def along(values: Values, r: int, row: Vector, direction: Vector) -> tuple[mpq, dict[mpq, mpq]] | None:
    """What is left of entry r as a function of direction . x: its first value, and the changes of its slope; None if it
    is no such function."""
    points: dict[mpq, mpq] = {}
    for x, new in values.items():
        t = dot(direction, x)
        if points.setdefault(t, new[r] - dot(row, x)) != new[r] - dot(row, x):
            return None
    ends = sorted(points)
    changes: dict[mpq, mpq] = {}
    for low, high in pairwise(ends):
        width = two_to(floor_log2(high - low))
        slope = (points[high] - points[low]) / width
        for start, change in ((high - width, slope), (high, -slope)):
            changes[start] = changes.get(start, Q(0)) + change
    if ends:
        changes.pop(ends[-1], None)  # beyond the last value nothing is asked
    return points[ends[0]], {start: change for start, change in changes.items() if change}


def dot(row: Vector, x: Vector) -> mpq:
    return sum((a * b for a, b in zip(row, x, strict=True) if a and b), Q(0))

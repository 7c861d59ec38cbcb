"""FORMAT 4, Lemmas V and T: a few orbits decide for many.

Take the orbits that agree in all columns but the last one, or the last two. They are the points of a segment, or of a
triangle, and every number of a run is an affine function of the ids on it. So a relation that holds at the vertices
holds at every point, and the first of the tightest points is a vertex (Lemma V). Of the values that a claim about
pairs compares, the two nearest belong to a context and its translate (Lemma T)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from operator import mul
from typing import NamedTuple

from ...core.ledger import Made
from .claims import DISTANCES, Cases
from .model import Model

Orbit = tuple[int, ...]
Row = tuple[int, int, int, int]  # a rank, the last column but one, and the last columns: from the one of that rank to


class Simplex(NamedTuple):
    """Orbits (*first, w, v), row by row: the points of a triangle or a segment, or one point."""

    first: Orbit
    rows: list[Row]
    vertices: list[tuple[int, Orbit]]  # each with its rank

    @property
    def size(self) -> int:
        return sum(b - a + 1 for _, _, a, b in self.rows)

    def points(self) -> Iterator[tuple[int, Orbit]]:
        for rank, w, a, b in self.rows:
            yield from ((rank + v - a, (*self.first, w, v)) for v in range(a, b + 1))


def applies(m: Model) -> bool:
    """Whether the lemmas apply: they need the paper's factors, and a negative id for each column with a sentinel.
    Otherwise every orbit is run."""
    return m.sweep_factor == m.B and m.global_factor == m.B ** (m.n + 1) and m.ids[m.column_count - m.B - 1] < 0


def segments(m: Model) -> list[tuple[int, int]]:
    """Stretches of columns, as first and last number: their ids increase, and all have a sentinel or none has."""
    after = [k for k, (i, j) in enumerate(pairwise(m.ids), 1) if (i < 0) != (j < 0) or i == j]
    return [(a, b - 1) for a, b in pairwise([0, *after, m.column_count])]


def simplices(m: Model, start: int, stop: int) -> Iterator[Simplex]:
    """Simplices that divide the orbits of rank start to stop - 1 among them: each orbit is in exactly one."""
    parts, most, rank = segments(m), m.column_count - 1, start
    *first, w, v = m.orbit(start)
    while rank < stop:
        least = first[-1] if first else 0
        many = (most + 1 - least) * (most + 2 - least) // 2  # orbits that begin like this one
        if w == v == least and rank + many <= stop:
            yield from _all(m, parts, tuple(first), least, rank)
            rank, w = rank + many, most
        else:
            b = min(most, v + stop - rank - 1)
            yield from _row(parts, tuple(first), (rank, w, v, b))
            rank += b + 1 - v
        w = v = w + 1
        if w > most and rank < stop:  # on to the next first columns
            k = max(k for k in range(m.n - 2) if first[k] < most)
            first[k:] = [first[k] + 1] * (m.n - 2 - k)
            w = v = first[-1]


def _row(parts: Sequence[tuple[int, int]], first: Orbit, row: Row) -> Iterator[Simplex]:
    """The orbits of a row: the one whose last two columns are equal, then a segment for each stretch of columns."""
    rank, w, a, b = row
    for low, high in [(w, w), *((max(low, w + 1), high) for low, high in parts)]:
        s, e = max(low, a), min(high, b)
        if s <= e:
            ends = [(rank + v - a, (*first, w, v)) for v in sorted({s, e})]
            yield Simplex(first, [(rank + s - a, w, s, e)], ends)


def _all(m: Model, parts: Sequence[tuple[int, int]], first: Orbit, least: int, rank: int) -> Iterator[Simplex]:
    """All orbits that begin like this; `least` is the last of the first columns."""
    most = m.column_count - 1

    def row(w: int, v: int) -> Row:  # from (w, v) to the end of the row
        return rank + (w - least) * (2 * most + 3 - w - least) // 2 + v - w, w, v, most

    yield from _row(parts, first, row(least, least))
    for low, high in parts:
        s = max(low, least + 1)
        if s > high:
            continue
        if m.ids[high] - m.ids[s] != high - s:  # a triangle has ids that are consecutive
            for w in range(s, high + 1):
                yield from _row(parts, first, row(w, w))
            continue

        def made(rows: list[Row], *vertices: tuple[int, int]) -> Simplex:
            return Simplex(first, rows, [(row(w, v)[0], (*first, w, v)) for w, v in sorted(set(vertices))])

        yield made([(*row(w, w)[:3], w) for w in range(s, high + 1)], (s, s), (high, high))
        if s < high:
            triangle = [(*row(w, w + 1)[:3], high) for w in range(s, high)]
            yield made(triangle, (s, s + 1), (s, high), (high - 1, high))
        for w in range(s, high + 1):
            yield from _row(parts, first, row(w, high + 1))


def affine(m: Model, kind: str, c: Cases, at: range) -> bool:
    """Whether the vertices of one simplex, which are the cases at these places, satisfy the condition of Lemma V."""
    if len(at) == 1:
        return True
    shifts = [c.shifts[k] for k in at]
    ends, q = ([rows[k] for k in at] for rows in (c.t_rows, c.q_rows))
    if any(len(its) != len(shifts[0]) for its in shifts):
        return False
    stages = [[c.l_rows[k] for k in at], *([ids for _, _, ids in stage] for stage in zip(*shifts, strict=True))]
    for x in stages:  # the ids of a stage at each vertex: one column has the largest at all of them, one the smallest
        columns = list(zip(*x, strict=True))
        if tuple(map(max, x)) not in columns or tuple(map(min, x)) not in columns:
            return False
    for (_, moved, _), *others in zip(*shifts, strict=True):
        if any(its_moved != moved for _, its_moved, _ in others):
            return False
    if any(ids[j - 1] < m.B for its in shifts for _, moved, ids in its for j in moved):  # a level that is still to come
        return False
    signs = {tuple([v >= 0 for v in x]) for x in ends}
    orders = {tuple(sorted(range(m.n), key=x.__getitem__)) for x in q}
    sides = {
        tuple([kind != "1" and (v < 0, v - m.t_l < m.t_r - v) for v in x]) for x in q
    }  # of lemma6.4, b5.cat3-final
    return len(signs) == len(orders) == len(sides) == 1


class Digest:
    """The digest of FORMAT 8, summed over the points of a simplex row by row; its terms are known at the vertices."""

    def __init__(self, m: Model) -> None:
        self.m = m
        self.ids = [0, *accumulate(m.ids)]  # of the columns before one, their ids added up
        self.places = [0, *accumulate(map(mul, range(m.column_count), m.ids))]  # and number times id

    def of(self, simplex: Simplex, weighed: Sequence[int]) -> int:
        """The sum of (rank + 1) (alpha + gamma id_w + beta id_v). The vertices determine alpha, beta and gamma."""
        ids = self.m.ids
        at = [(ids[orbit[-2]], ids[orbit[-1]]) for _, orbit in simplex.vertices]
        beta = gamma = 0
        if len(at) > 1:
            beta = (weighed[1] - weighed[0]) // (at[1][1] - at[0][1])
        if len(at) == 3:
            gamma = (weighed[2] - weighed[1]) // (at[2][0] - at[1][0])
        alpha = weighed[0] - gamma * at[0][0] - beta * at[0][1]
        total = 0
        for rank, w, a, b in simplex.rows:
            before, own = rank + 1 - a, alpha + gamma * ids[w]  # rank + 1 = before + v
            numbers, its_ids = (a + b) * (b + 1 - a) // 2, self.ids[b + 1] - self.ids[a]
            total += own * (before * (b + 1 - a) + numbers)
            total += beta * (before * its_ids + self.places[b + 1] - self.places[a])
        return total


def neighbours(claim: str, m: Model) -> Iterator[Made]:
    """The first of the tightest relations between neighbours, by Lemma T."""
    if m.n >= m.B:  # one context, or none
        return
    zero, P = m.column_count - m.B, m.B ** (m.n + 1)  # the number of the column whose id is 0
    last = m.B - 2 if claim == "lemma6.2" else m.n - 1
    orbit = (*range(zero, zero + m.n - 1), zero + last)
    translate = tuple(column + 1 for column in orbit)
    keys = [(m.rank(orbit), m.rank(translate))]
    (*_, a), (least, *_, b) = (m.sweep([m.ids[k] for k in its])[0] for its in (orbit, translate))
    if claim == "b5.interval":
        yield Made("start of the next interval", ">=", "end of an interval", [P * b], [P * (a + 1)], keys)
    else:
        what, op, bound_name, bound, unit = DISTANCES[claim]
        distance = least + P * b - (a + P * a) if claim == "lemma6.2" else b - a
        yield Made(f"distance of {what}", op, bound_name, [distance], bound, keys, unit)

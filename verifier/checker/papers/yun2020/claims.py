"""FORMAT 5-6: the relations of every claim, made for many cases at a time: a list of values against their bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import perm
from typing import Any

from ...core.ledger import Made
from . import distinct
from .model import Model, Shift

# Kinds of orbits: 1 distinct columns (Category 1); 2 equal columns only, 3 some equal ones (Category 2); 4 all ids
# negative, 5 others (Category 3). The claims over orbits, by the kinds that are their domain:
_DOMAINS = {
    "12345": "grid.sizes b5.head b5.shift b5.lattice lemma6.equivariant",
    "123": "grid.duplicates",
    "1": "b5.first-shift b5.closed-form b5.order b5.max-min lemma10.lower lemma10.upper lemma10.injective b5.global "
    "b5.interval lemma6.1 lemma6.2 lemma6.3",
    "2": "b5.cat2-constant",
    "3": "b5.cat2-reduced",
    "23": "b5.cat2-bound",
    "45": "b5.cat3-minimum b5.cat3-final",
    "4": "b5.cat3-negative",
    "5": "b5.cat3-shift",
    "2345": "lemma6.4",
}
DOMAIN = {claim: kinds for kinds, claims in _DOMAINS.items() for claim in claims.split()}
PAIRS = {"lemma10.injective": "alone", "b5.interval": "also", "lemma6.2": "alone"}  # with neighbours among all orbits
_ENTRIES = "an entry of q(L) from one of q(L')"
DISTANCES = {  # of what, and how far apart neighbours must be, in which unit
    "lemma10.injective": ("l~_n of two column sets", ">", "0", 0, 0),
    "lemma6.2": (_ENTRIES, ">", "0", 0, 0),
    "lemma7.map-bounded": (_ENTRIES, ">=", "delta", 1, 0),
    "slides.one-dimensional-all": ("max O of two contexts", ">", "0", 0, 1),
}


@dataclass(frozen=True)
class Cases:
    """Orbits of one kind, an entry of each list for each orbit: its ids before the sweep (l), after it (t, for l~) and
    at the end (q), and the shifts. In l, t, q these are turned: the j-th is the list of l_j over the orbits."""

    ranks: list[int]
    orbits: list[tuple[int, ...]]
    shifts: list[list[Shift]]
    l_rows: list[list[int]]
    t_rows: list[list[int]]
    q_rows: list[list[int]]
    l: list[list[int]]
    t: list[list[int]]
    q: list[list[int]]


def _shift(m: Model, c: Cases) -> Iterator[Made]:
    if m.sweep_factor == m.B:  # with the paper's factor Lemma S is the very formula
        return
    # if any layer fails, the first that shifts does
    runs = [run for run in zip(c.ranks, c.orbits, c.l_rows, c.shifts, strict=True) if run[3]]
    if not runs:
        return
    first = min(runs)
    level, (j, *_), _ = first[3][0]
    others = [run for run in runs if run is not first]  # of these it is kept how many fail
    names = f"column {j} after layer {level}", "a column after the first layer that shifts"
    for name, its in zip(names, ([first], others), strict=True):
        values, wanted = [], []
        for _, orbit, before, ((level, (j, *_), after), *_) in its:
            values.append(m.moved(orbit[j - 1], after[j - 1]))
            wanted.append(m.moved(orbit[j - 1], level + m.B * (before[-1] - before[0])))
        yield Made(name, "=", "X_j + delta^-d (max - min) e1", values, wanted, [rank for rank, *_ in its])


def _first_shift(m: Model, c: Cases) -> Iterator[Made]:
    bound = [l[0] + m.B * (l[-1] - l[0]) for l in c.l_rows]
    formula, shifted = "l_1 + delta^-d (l_n - l_1)", [s[0][2][0] if s else None for s in c.shifts]
    yield Made("number of shifts", ">=", "1", [None if s else 0 for s in c.shifts], 1, unit=1)
    yield Made("l~_1, after the first shift", "=", formula, shifted, bound)
    swept = [t if s else None for t, s in zip(c.t[0], c.shifts, strict=True)]
    yield Made("l~_1, after the sweep", "=", formula, swept, bound)
    yield Made("l~_1", ">", "l_n", swept, c.l[-1])


def _closed_form(m: Model, c: Cases) -> Iterator[Made]:
    """By Horner's rule: c_1 = l_1 + B (l_n - l_1), c_{j+1} = l_{j+1} + B (c_j - l_{j+1})."""
    closed = c.l[-1]
    for j, (l, t) in enumerate(zip(c.l, c.t, strict=True), 1):
        closed = [l_j + m.B * (c_j - l_j) for l_j, c_j in zip(l, closed, strict=True)]
        yield Made(f"l~_{j}", "=", "closed form", t, closed)


def _order(_: Model, c: Cases) -> Iterator[Made]:
    for j, (t, t_next) in enumerate(pairwise(c.t), 2):
        yield Made(f"l~_{j}", ">", "the l~ before it", t_next, t)


def _max_min(m: Model, c: Cases) -> Iterator[Made]:
    yield Made("number of shifts", "=", "n", list(map(len, c.shifts)), m.n, unit=1)
    for j in range(1, m.n + 1):
        made = [s[j - 1] if len(s) >= j else None for s in c.shifts]
        its_own = [[j]] * len(made)
        whose = [s and s[1] for s in made]
        yield Made(f"columns moved by shift {j}", "=", "the column of l_j alone", whose, its_own, unit=1)
        yield Made(f"maximum after shift {j}", "=", f"l~_{j}", [s and max(s[2]) for s in made], c.t[j - 1])
        if j < m.n:
            yield Made(f"minimum after shift {j}", "=", f"l_{j + 1}", [s and min(s[2]) for s in made], c.l[j])


def _lower(m: Model, c: Cases) -> Iterator[Made]:
    yield Made("l~_n", ">=", "lemma10.lower", c.t[-1], m.lower)


def _upper(m: Model, c: Cases) -> Iterator[Made]:
    yield Made("l~_n", "<=", "lemma10.upper", c.t[-1], m.upper)


def _global(m: Model, c: Cases) -> Iterator[Made]:
    """No layer of Lemma S touches rows 2..d; of the literal heads it is seen."""
    P = m.B ** (m.n + 1)  # delta^-((n+1)d)
    for j, (q, t) in enumerate(zip(c.q, c.t, strict=True), 1):
        plus = [t_j + P * last for t_j, last in zip(t, c.t[-1], strict=True)]
        yield Made(f"q_{j}", "=", "l~_j + delta^-((n+1)d) l~_n", q, plus)


def _interval(m: Model, c: Cases) -> Iterator[Made]:
    P = m.B ** (m.n + 1)  # delta^-((n+1)d)
    start = [P * last for last in c.t[-1]]
    end = [P * (last + 1) for last in c.t[-1]]
    for j, q in enumerate(c.q, 1):
        yield Made(f"q_{j}", ">=", "delta^-((n+1)d) l~_n", q, start)
        yield Made(f"q_{j}", "<", "delta^-((n+1)d) (l~_n + delta)", q, end)


def _unswept(m: Model, c: Cases) -> Iterator[Made]:
    swept_matrix, matrix = ([*map(m.matrix, c.orbits, rows)] for rows in (c.t_rows, c.l_rows))
    yield Made("the matrix after the sweep", "=", "L", swept_matrix, matrix)


def _negative(m: Model, c: Cases) -> Iterator[Made]:
    yield from _unswept(m, c)
    yield Made("max_j q_j", "<", "0", list(map(max, c.q_rows)), 0)


def _cat2_reduced(m: Model, c: Cases) -> Iterator[Made]:
    reduced = [sorted(set(l)) for l in c.l_rows]
    alone = [dict(zip(ids, m.sweep(ids)[0], strict=True)) for ids in reduced]
    for j, (l, t) in enumerate(zip(c.l, c.t, strict=True), 1):
        ends = [swept[l_j] for swept, l_j in zip(alone, l, strict=True)]
        numbers = [orbit[j - 1] for orbit in c.orbits]
        both = [list(map(m.moved, numbers, t)), list(map(m.moved, numbers, ends))]
        yield Made(f"column {j} after the sweep", "=", "its column in the reduced sequence", both[0], both[1])


def _cat2_bound(m: Model, c: Cases) -> Iterator[Made]:
    yield Made("max_j l~_j", "<=", "lemma10.lower - delta", list(map(max, c.t_rows)), m.lower - 1)
    yield Made("max_j q_j", "<", "t_l", list(map(max, c.q_rows)), m.t_l)


def _cat3_minimum(_: Model, c: Cases) -> Iterator[Made]:
    yield Made("l_1", "<", "0", c.l[0], 0)
    for rank, l, shifts in zip(c.ranks, c.l_rows, c.shifts, strict=True):
        for layer, _moved, ids in shifts:
            for what, its_id in ("id of the column of l_1", ids[0]), ("smallest id", min(ids)):
                if its_id != l[0]:
                    yield Made(f"{what} after layer {layer}", "=", "l_1", [its_id], [l[0]], [rank])


def _cat3_shift(m: Model, c: Cases) -> Iterator[Made]:
    """All columns that a shift changes grow by the same."""
    P = m.B ** (m.n + 1)  # delta^-((n+1)d)
    grown = [s[0][2][s[0][1][0] - 1] - s[0][0] if s else None for s in c.shifts]
    yield Made("number of shifts", ">=", "1", [None if s else 0 for s in c.shifts], 1, unit=1)
    yield Made("the first shift", ">=", "delta^-((n+1)d) delta", grown, P)
    for j, (l, t) in enumerate(zip(c.l, c.t, strict=True), 1):
        grown = [t_j if l_j >= 0 and s else None for l_j, t_j, s in zip(l, t, c.shifts, strict=True)]
        yield Made(f"l~_{j}", ">=", "delta^-((n+1)d) delta", grown, P)


def _cat3_final(m: Model, c: Cases) -> Iterator[Made]:
    for j, q in enumerate(c.q, 1):
        yield Made(f"q_{j}", "<", "0", [v if v < 0 else None for v in q], 0)
        high = [v if v >= 0 else None for v in q]
        yield Made(f"q_{j}", ">=", "delta^-((2n+2)d) delta", high, m.B ** (2 * m.n + 2))


def _distinct(_: Model, c: Cases) -> Iterator[Made]:
    yield from distinct.within(c.q_rows)


def _inside(m: Model, c: Cases) -> Iterator[Made]:
    for j, q in enumerate(c.q, 1):
        yield Made(f"q_{j}", ">=", "t_l", q, m.t_l)
        yield Made(f"q_{j}", "<", "t_r", q, m.t_r)


def _outside(m: Model, c: Cases) -> Iterator[Made]:
    for j, q in enumerate(c.q, 1):
        yield Made(f"q_{j}", "<", "t_l", [v if v - m.t_l < m.t_r - v else None for v in q], m.t_l)
        yield Made(f"q_{j}", ">=", "t_r", [None if v - m.t_l < m.t_r - v else v for v in q], m.t_r)


# The relations that a claim makes for each case, in FORMAT 6's order. The others make none: Lemmas H, S and P settle
# them, or what all cases together give.
RELATIONS: dict[str, Callable[[Model, Cases], Iterator[Made]]] = {
    "b5.shift": _shift,
    "b5.first-shift": _first_shift,
    "b5.closed-form": _closed_form,
    "b5.order": _order,
    "b5.max-min": _max_min,
    "lemma10.lower": _lower,
    "lemma10.upper": _upper,
    "b5.global": _global,
    "b5.interval": _interval,
    "b5.cat2-constant": _unswept,
    "b5.cat3-negative": _negative,
    "b5.cat2-reduced": _cat2_reduced,
    "b5.cat2-bound": _cat2_bound,
    "b5.cat3-minimum": _cat3_minimum,
    "b5.cat3-shift": _cat3_shift,
    "b5.cat3-final": _cat3_final,
    "lemma6.1": _distinct,
    "lemma6.3": _inside,
    "lemma6.4": _outside,
}


def relations(claim: str, m: Model, c: Cases) -> Iterator[Made]:
    return RELATIONS[claim](m, c) if claim in RELATIONS else iter(())


def neighbours(claim: str, m: Model, coded: list[int]) -> Iterator[Made]:
    """The relations between neighbours of different rank among numbers, coded as number * orbit_count + rank."""
    for pairs in distinct.neighbours(coded, m.orbit_count):
        keys = [key for _, _, key in pairs]
        if claim == "b5.interval":
            P = m.B ** (m.n + 1)
            starts, ends = [P * b for _, (b, _), _ in pairs], [P * (a + 1) for (a, _), _, _ in pairs]
            yield Made("start of the next interval", ">=", "end of an interval", starts, ends, keys)
        else:
            what, op, bound_name, bound, unit = DISTANCES[claim]
            distances = [b - a for (a, _), (b, _), _ in pairs]
            yield Made(f"distance of {what}", op, bound_name, distances, bound, keys, unit)


def conclusions(claim: str, m: Model, sizes: dict[str, Any]) -> Iterator[Made]:
    """The relations about columns, and those that are made once: sizes are the counted ones."""
    n, B, nowhere, ids = m.n, m.B, [()], m.ids
    match claim:
        case "grid.sizes":
            for category, formula in m.sizes().items():
                for what, counted, by in zip(("matrices", "orbits"), sizes[category], formula, strict=True):
                    yield Made(f"{what} of {category}, counted", "=", "by formula", [counted], [by], nowhere, 1)
        case "grid.duplicates":
            bare, share = sizes["category1"][0] + sizes["category2"][0], "|G minus G~| / |G|"
            f, unit = [2 * sizes["category2"][0] * B**n], 2 * bare * B**n
            by_formula = [2 * (B**n - perm(B, n)) * bare]
            yield Made(share, "=", "1 - (1 - 1/B)...(1 - (n-1)/B)", f, by_formula, nowhere, unit)
            limit, half = "limit of |G minus G~| / (delta^d |G|)", n * (n - 1) // 2
            yield Made(limit, "=", "n(n-1)/2", [sum(range(n))], [half], nowhere, 1)
            yield Made(share, "<=", "n(n-1)/2 . delta^d", f, 2 * half * bare * B ** (n - 1), nowhere, unit)
        case "grid.order":
            gaps, keys = [b - a for a, b in pairwise(ids)], list(pairwise(range(len(ids))))
            yield Made("distance of the ids of two columns", ">", "0", gaps, 0, keys)
        case "b5.ids":
            bare_ids = sorted(i for i, column in zip(ids, m.columns, strict=True) if min(column) >= 0)
            yield Made("ids", "=", "0, delta, ..., (B-1) delta", [bare_ids], [list(range(B))], nowhere)
        case "b5.ids-sentinel":
            there = [k for k, column in enumerate(m.columns) if min(column) < 0]
            bound, name = -(B**n) * m.N + B - m.N, "-delta^-(nd) + delta^-(d-1) - 1"
            yield Made("u^T c", "<=", name, [ids[k] for k in there], bound, there)
            yield Made(name, "<", "0", [bound], 0, nowhere)
        case "b5.cat3-final":
            yield Made("delta^-((2n+2)d) delta", ">", "t_r", [B ** (2 * n + 2)], m.t_r, nowhere)

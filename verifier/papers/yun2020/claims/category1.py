"""App. B.5.1 and B.5.4: Category 1, the matrices of G~, and Lemma 10."""

from itertools import pairwise
from typing import Any

from verifier.core.claim import Claim, Collected, Relation, Relations, nearest, neighbours
from verifier.core.exact import Q
from verifier.core.lanewise import largest, smallest
from verifier.papers.yun2020 import edges
from verifier.papers.yun2020.case import Case, Run
from verifier.papers.yun2020.contextual_map import ContextualMap
from verifier.papers.yun2020.domains import CATEGORY_1


def _first_shift(case: Case) -> Relations:
    B, l = case.map.instance.sweep_factor, case.l
    expected = l[0] + B * (l[-1] - l[0])
    if not case.shifts:
        yield Relation("number of shifts", 0, ">=", "1", 1)
        return
    yield Relation("l~_1, after the first shift", case.shifts[0].ids[0], "=", "l_1 + delta^-d (l_n - l_1)", expected)
    yield Relation("l~_1, after the sweep", case.swept[0], "=", "l_1 + delta^-d (l_n - l_1)", expected)
    yield edges.FIRST_SHIFT.at(case.swept[0], l[-1], 1)


def _closed_form(case: Case) -> Relations:
    B, l, n = case.map.instance.sweep_factor, case.l, len(case.l)
    for j in range(1, n + 1):  # l[j - 1] is the paper's l_j
        expected, power = l[j - 1], Q(1)
        for k in range(1, j):
            power *= B
            expected += power * (l[j - k - 1] - l[j - k])
        expected += power * B * (l[n - 1] - l[0])
        yield Relation(f"l~_{j}", case.swept[j - 1], "=", "closed form", expected)


def increasing(case: Run[Any]) -> Relations:
    for j, (lower, upper) in enumerate(pairwise(case.swept), start=2):
        yield edges.ORDER.at(upper, lower, j)


def one_by_one(case: Run[Any], alone: str, *, extremes: bool = True) -> Relations:
    """There are n shifts, the j-th of column j alone; and which ids are the largest and the smallest right after it."""
    n = len(case.l)
    yield Relation("number of shifts", len(case.shifts), "=", "n", n)
    for j, shift in enumerate(case.shifts[:n]):
        shifted = tuple(place + 1 for place in shift.columns)
        yield Relation(f"columns moved by shift {j + 1}", shifted, "=", alone, (j + 1,))
        if extremes:
            yield Relation(f"maximum after shift {j + 1}", largest(shift.ids), "=", f"l~_{j + 1}", case.swept[j])
        if extremes and j + 1 < n:
            yield Relation(f"minimum after shift {j + 1}", smallest(shift.ids), "=", f"l_{j + 2}", case.l[j + 1])


def _max_min(case: Case) -> Relations:
    return one_by_one(case, "the column of l_j alone")


def _lower(case: Case) -> Relations:
    yield edges.LOWER.at(case.swept[-1], case.map.instance.lemma10_lower)


def _upper(case: Case) -> Relations:
    yield edges.UPPER.at(case.swept[-1], case.map.instance.lemma10_upper)


def _injective(g: ContextualMap, seen: Collected) -> Relations:  # noqa: ARG001
    for distance, cases in nearest(seen):
        yield Relation("distance of l~_n of two column sets", distance, ">", "0", Q(0), cases)


def _global(case: Case) -> Relations:
    factor = case.map.instance.global_factor
    for j, (q, swept) in enumerate(zip(case.q, case.swept, strict=True), start=1):
        yield Relation(f"q_{j}", q, "=", "l~_j + delta^-((n+1)d) l~_n", swept + factor * case.swept[-1])
    yield Relation("rows 2..d of g_c(L)", case.final_matrix[1:], "=", "rows 2..d of L", case.X[1:])


def _interval(case: Case) -> Relations:
    low = case.map.instance.global_factor * case.swept[-1]
    high = low + case.map.instance.global_factor * case.map.instance.delta
    for j, q in enumerate(case.q, start=1):
        yield edges.INTERVAL_LOW.at(q, low, j)
        yield edges.INTERVAL_HIGH.at(q, high, j)


def _disjoint(g: ContextualMap, seen: Collected) -> Relations:
    factor, delta = g.instance.global_factor, g.instance.delta
    for lower, upper, cases in neighbours(seen):
        end = factor * (lower + delta)
        yield Relation("start of the next interval", factor * upper, ">=", "end of an interval", end, cases)


SWEEP = "traces the literal network through the sweep"

CLAIMS = [
    Claim(
        id="b5.first-shift",
        kind="step",
        where="App. B.5.1, first shift operation",
        says="The first shift lifts the column of the smallest id above the largest id.",
        formula="l~_1 = l_1 + delta^-d (l_n - l_1) > l_n",
        domain=CATEGORY_1,
        how=SWEEP,
        check=_first_shift,
    ),
    Claim(
        id="b5.closed-form",
        kind="step",
        where="App. B.5.1, repeating the process",
        says="The ids after the sweep have a closed form.",
        formula="l~_j = l_j + sum_{k=1}^{j-1} delta^-(kd) (l_{j-k} - l_{j-k+1}) + delta^-(jd) (l_n - l_1)",
        domain=CATEGORY_1,
        how=SWEEP,
        check=_closed_form,
    ),
    Claim(
        id="b5.order",
        kind="step",
        where="App. B.5.1, repeating the process",
        says="The sweep keeps the order of the columns, and no two ids meet.",
        formula="l~_1 < l~_2 < ... < l~_n",
        domain=CATEGORY_1,
        how=SWEEP,
        check=increasing,
    ),
    Claim(
        id="b5.max-min",
        kind="step",
        where="App. B.5.1, repeating the process",
        says="Right after the j-th shift the column of l_j holds the maximum and that of l_{j+1} the minimum;"
        " each column is shifted exactly once, in order.",
        formula="after shift j: max = l~_j, min = l_{j+1}",
        domain=CATEGORY_1,
        how=SWEEP,
        check=_max_min,
    ),
    Claim(
        id="lemma10.lower",
        kind="statement",
        where="Lemma 10, App. B.5.4",
        says="The largest id after the sweep is not below a bound.",
        formula="delta^-((n-1)d) delta (delta^-d - 1) <= l~_n",
        domain=CATEGORY_1,
        how=SWEEP,
        check=_lower,
    ),
    Claim(
        id="lemma10.upper",
        kind="statement",
        where="Lemma 10, App. B.5.4",
        says="The largest id after the sweep is not above a bound.",
        formula="l~_n <= delta^-(nd) delta (delta^-d - 1) - delta (delta^-d - 1)^2",
        domain=CATEGORY_1,
        how=SWEEP,
        check=_upper,
    ),
    Claim(
        id="lemma10.injective",
        kind="statement",
        where="Lemma 10, App. B.5.4",
        says="The sorted ids are determined by the largest id after the sweep.",
        formula="[l_1, ..., l_n] -> l~_n is one-to-one",
        domain=CATEGORY_1,
        how="collects l~_n of every orbit, sorts, and compares neighbours",
        collect=lambda case: [case.swept[-1]],
        conclude=_injective,
    ),
    Claim(
        id="b5.global",
        kind="step",
        where="App. B.5.1, global shifting by the last layer",
        says="The global shift adds the same number to every id, and no layer touches rows 2..d.",
        formula="q_j = l~_j + delta^-((n+1)d) l~_n",
        domain=CATEGORY_1,
        how="runs the literal network",
        check=_global,
    ),
    Claim(
        id="b5.interval",
        kind="step",
        where="App. B.5.1, checking Properties 6.1 and 6.2",
        says="The values of a context lie in an interval of its own, disjoint from those of other column sets.",
        formula="q_j in [delta^-((n+1)d) l~_n, delta^-((n+1)d) l~_n + delta^-((n+1)d) delta)",
        domain=CATEGORY_1,
        how="runs the literal network; collects the intervals, sorts, and compares neighbours",
        check=_interval,
        collect=lambda case: [case.swept[-1]],
        conclude=_disjoint,
    ),
]

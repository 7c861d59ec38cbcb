"""App. B.5.2 and B.5.3: Category 2 (columns that coincide) and Category 3 (columns with a sentinel)."""

from verifier.core.claim import Claim, Collected, Relation, Relations
from verifier.core.exact import Q, columns_of, from_columns
from verifier.core.lanewise import differ, largest, smallest
from verifier.core.whole import run
from verifier.papers.yun2020 import edges
from verifier.papers.yun2020.case import Case
from verifier.papers.yun2020.contextual_map import ContextualMap
from verifier.papers.yun2020.domains import (
    CATEGORY_2,
    CATEGORY_2_CONSTANT,
    CATEGORY_2_REDUCED,
    CATEGORY_3,
    CATEGORY_3_MIXED,
    CATEGORY_3_NEGATIVE,
)


def _sweep_changes_nothing(case: Case) -> Relations:
    yield Relation("the matrix after the sweep", case.swept_matrix, "=", "L", case.X)


def _reduced(case: Case) -> Relations:
    columns, swept = columns_of(case.X), columns_of(case.swept_matrix)
    distinct = [columns[case.order[place]] for place in case.distinct]
    reduced = columns_of(run.image(case.map.sweep, from_columns(tuple(distinct))))
    after = {case.order[place]: column for place, column in zip(case.distinct, reduced, strict=True)}
    for j, (first, seen) in enumerate(zip(case.pattern, swept, strict=True), start=1):
        yield Relation(f"column {j} after the sweep", seen, "=", "its column in the reduced sequence", after[first])


def _cat2_bound(case: Case) -> Relations:
    instance = case.map.instance
    bound = instance.lemma10_lower - instance.delta
    yield edges.CAT2_SWEPT.at(largest(case.swept), bound)
    yield edges.CAT2_FINAL.at(largest(case.q), case.map.interval.low)


def _minimum(case: Case) -> Relations:
    first = case.l[0]
    yield edges.CAT3_MINIMUM.at(first, Q(0), 1)
    for k, after in case.changes:
        ids = case.ids(after)
        if differ(ids[0], first):
            yield Relation(f"id of the column of l_1 after layer {k}", ids[0], "=", "l_1", first)
        if differ(smallest(ids), first):
            yield Relation(f"smallest id after layer {k}", smallest(ids), "=", "l_1", first)


def _negative(case: Case) -> Relations:
    yield from _sweep_changes_nothing(case)
    yield edges.CAT3_NEGATIVE.at(largest(case.q), Q(0))


def _cat3_shift(case: Case) -> Relations:
    bound = case.map.instance.category3_shift_bound
    if not case.shifts:
        yield Relation("number of shifts", 0, ">=", "1", 1)
        return
    first = case.shifts[0]
    for place in first.columns:
        amount = first.ids[place] - case.l[place]
        yield edges.CAT3_FIRST_SHIFT.at(amount, bound)
    for j, (before, after) in enumerate(zip(case.l, case.swept, strict=True), start=1):
        if before >= 0:
            yield edges.CAT3_SHIFTED.at(after, bound, j)


def _cat3_final(case: Case) -> Relations:
    bound = case.map.instance.category3_final_bound
    for j, q in enumerate(case.q, start=1):
        if q < 0:
            yield edges.CAT3_BELOW.at(q, Q(0), j)
        else:
            yield edges.CAT3_BEYOND.at(q, bound, j)


def _exceeds_t_r(g: ContextualMap, seen: Collected) -> Relations:  # noqa: ARG001
    yield Relation("delta^-((2n+2)d) delta", g.instance.category3_final_bound, ">", "t_r", g.interval.high)


RUN = "runs the literal network"

CLAIMS = [
    Claim(
        id="b5.cat2-constant",
        kind="step",
        where="App. B.5.2, n' = 1",
        says="When all columns are equal the sweep changes nothing.",
        formula="L after the sweep = L",
        domain=CATEGORY_2_CONSTANT,
        how=RUN,
        check=_sweep_changes_nothing,
    ),
    Claim(
        id="b5.cat2-reduced",
        kind="step",
        where="App. B.5.2, 1 < n' < n",
        says="With n' distinct columns the sweep acts as on the sequence of those n' columns; equal columns"
        " move together.",
        formula="each column after the sweep = that column after the sweep of the n' distinct columns alone",
        domain=CATEGORY_2_REDUCED,
        how="runs the literal sweep on both matrices",
        check=_reduced,
    ),
    Claim(
        id="b5.cat2-bound",
        kind="step",
        where="App. B.5.2",
        says="The largest id after the sweep stays below Lemma 10's lower bound by at least delta, and every"
        " final value below t_l.",
        formula="max_j l~_j <= delta^-((n-1)d) delta (delta^-d - 1) - delta, and q_j < t_l",
        domain=CATEGORY_2,
        how=RUN,
        check=_cat2_bound,
    ),
    Claim(
        id="b5.cat3-minimum",
        kind="step",
        where="App. B.5.3",
        says="The smallest id is negative, its column is never shifted, and it stays the smallest.",
        formula="l_1 < 0, and min_k u^T X_k = l_1 after every layer of the sweep",
        domain=CATEGORY_3,
        how="looks at the ids after every layer of the sweep that changes the matrix",
        check=_minimum,
    ),
    Claim(
        id="b5.cat3-negative",
        kind="step",
        where="App. B.5.3, all l_j negative",
        says="When all ids are negative the sweep changes nothing, and every final value is negative.",
        formula="L after the sweep = L, and q_j < 0",
        domain=CATEGORY_3_NEGATIVE,
        how=RUN,
        check=_negative,
    ),
    Claim(
        id="b5.cat3-shift",
        kind="step",
        where="App. B.5.3, not all l_j negative",
        says="The first shift is by a large amount, and after the sweep every column whose id was not negative"
        " is at least that large.",
        formula="first shift >= delta^-((n+1)d) delta, and l~_j >= delta^-((n+1)d) delta for l_j >= 0",
        domain=CATEGORY_3_MIXED,
        how="traces the literal network through the sweep",
        check=_cat3_shift,
    ),
    Claim(
        id="b5.cat3-final",
        kind="step",
        where="App. B.5.3, shifts by the last layer",
        says="Every final value is negative or beyond a bound that exceeds t_r.",
        formula="q_j < 0 or q_j >= delta^-((2n+2)d) delta > t_r",
        domain=CATEGORY_3,
        how=RUN,
        check=_cat3_final,
        conclude=_exceeds_t_r,
    ),
]

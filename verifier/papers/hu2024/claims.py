"""Hu et al. (NeurIPS 2024, arXiv 2407.01079), App. E: App. C once more, with a sentinel and a reject interval."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import comb
from typing import Any

from gmpy2 import mpq

from verifier.core.case import its_matrix
from verifier.core.claim import Claim, Domain, Relation, Relations
from verifier.core.exact import Matrix, Q, Vector, from_columns
from verifier.core.layers import Attention
from verifier.papers.yun2020.case import PositionalContext
from verifier.papers.yun2020.claims.category1 import increasing, one_by_one
from verifier.papers.yun2020.claims.lemma6 import distinct_across, distinct_within
from verifier.papers.yun2020.claims.positional import columns_through_layers
from verifier.papers.yun2020.contextual_map import ContextualMap, the_papers_alone
from verifier.papers.yun2020.domains import CONSTRUCTION
from verifier.papers.yun2020.instance import Instance
from verifier.papers.yun2020.interval import Interval, below_or_beyond, inside
from verifier.papers.yun2020.positional import PositionalMap, bound_after_sweep, positional_map


@dataclass(frozen=True)
class SentinelColumn:
    """A column with a sentinel, at position j."""

    map: PositionalMap
    j: int
    entries: Vector

    shown = its_matrix

    @property
    def X(self) -> Matrix:
        return from_columns((self.entries,))


def _sentinel_columns(g: ContextualMap) -> Iterator[SentinelColumn]:
    positional = positional_map(g.instance)
    for j, grid in enumerate(positional.positions, start=1):
        for entries in grid.columns:
            if entries not in grid.inner:
                yield SentinelColumn(positional, j, entries)


def _wide_contexts(g: ContextualMap) -> Iterator[PositionalContext]:
    positional = positional_map(g.instance)
    for number, columns in enumerate(positional.contexts(wide=True)):
        yield PositionalContext(positional, number, columns)


def bound_of_e9(instance: Instance, j: int) -> mpq:
    """-3n delta^-(dn) + (j-1) (delta^-d+1 - delta) / (1 - delta) + delta^-d+1."""
    delta, last = instance.delta, instance.B * instance.delta  # delta^-d+1
    bound: mpq = -3 * instance.n * instance.B**instance.n + (j - 1) * (last - delta) / (1 - delta) + last
    return bound


def _ids_sentinel(column: SentinelColumn) -> Relations:
    (id_,), bound = column.map.ids(column.X), bound_of_e9(column.map.instance, column.j)
    yield Relation("u^T c", id_, "<=", "the bound of E.9", bound)
    yield Relation("the bound of E.9", bound, "<", "0", Q(0))


def _order(context: PositionalContext) -> Relations:
    yield from one_by_one(context, "column j alone")
    yield from increasing(context)


def _bounds(context: PositionalContext) -> Relations:
    i, last = context.map.instance, context.swept[-1]
    yield Relation("l~_n", last, ">=", "delta^-((n-1)d) delta (delta^-d - 1)", i.lemma10_lower)
    yield Relation("l~_n", last, "<=", "n delta^-((n+1)d)", bound_after_sweep(i))


def _layers(g: ContextualMap) -> Relations:
    i, positional = g.instance, positional_map(g.instance)
    attention = sum(type(layer) is Attention for layer in (positional.sweep + positional.global_shift).layers)
    yield Relation("attention layers that the proof stacks", attention, "=", "delta^-d + 1", i.B + 1)
    yield Relation("keys of the value map", i.n * i.B**i.n, "=", "n C(B, n)", i.n * comb(i.B, i.n))


def repaired(context: PositionalContext) -> Interval:
    """[n delta^-(2nd) (delta^-d - 1), t_r]: the global factor times lemma10.lower, and the published right end."""
    i = context.map.instance
    return replace(context.map.interval, low=i.n * i.B ** (2 * i.n) * (i.B - 1))


def _inside(context: PositionalContext, interval: Interval, low_name: str) -> Relations:
    for j, q in enumerate(context.q, start=1):
        yield from inside(f"q_{j}", q, interval, (low_name, "hu.t_r"))


def _outside(context: PositionalContext, interval: Interval, low_name: str) -> Relations:
    for j, q in enumerate(context.q, start=1):
        yield below_or_beyond(f"q_{j}", q, interval, (low_name, "hu.t_r"))


def _threshold_repaired(context: PositionalContext) -> Relations:
    where = _inside if context.good else _outside
    return where(context, repaired(context), "n delta^-(2nd) (delta^-d - 1)")


SENTINEL_COLUMNS = Domain("for each position the columns of wide contexts with a sentinel", cases=_sentinel_columns)
WIDE = Domain("every wide context", cases=_wide_contexts)
GOOD = replace(WIDE, words="every good context", selects=lambda context: context.good)
NOT_GOOD = replace(WIDE, words="every wide context that is not good", selects=lambda context: not context.good)


def _wide_work(instance: Instance) -> int:
    """n columns of each wide context, through the sweep's n delta^-d layers and the global shift."""
    return int((instance.N + 1) ** (instance.d * instance.n)) * instance.n * (instance.n * instance.B + 1)


RUN = "runs the literal network on every wide context of the claim"
OF_GOOD: dict[str, Any] = {
    "where": "Hu et al. (NeurIPS 2024), App. E",
    "domain": GOOD,
    "how": RUN,
    "skip": the_papers_alone,
    "work": columns_through_layers,
}

CLAIMS = [
    Claim(
        id="hu.ids-sentinel",
        kind="step",
        says="A column with a sentinel has an id that is far below zero.",
        formula="u^T c <= -3n delta^-(dn) + (j-1)(delta^-d+1 - delta)/(1-delta) + delta^-d+1 < 0",
        check=_ids_sentinel,
        **OF_GOOD
        | {
            "domain": SENTINEL_COLUMNS,
            "how": "looks at every column with a sentinel, at every position",
            "work": lambda i: i.n * (i.N + 1) ** i.d,
        },
    ),
    Claim(
        id="hu.order",
        kind="step",
        says="For good contexts the j-th shift leaves l~_j the maximum and l_(j+1) the minimum, and the order is kept.",
        formula="after shift j: max = l~_j, min = l_{j+1}; l~_1 < ... < l~_n",
        check=_order,
        **OF_GOOD,
    ),
    Claim(
        id="hu.bounds",
        kind="step",
        says="For good contexts the last id after the sweep is between two bounds.",
        formula="delta^-((n-1)d) delta (delta^-d - 1) <= l~_n <= n delta^-((n+1)d)",
        check=_bounds,
        **OF_GOOD,
    ),
    Claim(
        id="hu.layers",
        kind="step",
        says="The contextual map needs delta^-d + 1 attention layers, and the value map O(n delta^-(dn) / n!) layers.",
        formula="delta^-d + 1 attention layers",
        check=_layers,
        **OF_GOOD
        | {
            "domain": CONSTRUCTION,
            "how": "counts the layers of the literal network, and the keys: one for each column of each good context",
            "work": lambda i: i.n * i.B + 1,
        },
    ),
    Claim(
        id="hu.distinct",
        kind="step",
        says="Within and across all good contexts the entries of q are distinct.",
        formula="the entries of q(L), q(L') are all distinct, for good L != L'",
        check=distinct_within,
        collect=lambda context: context.q,
        conclude=distinct_across,
        **OF_GOOD,
    ),
    Claim(
        id="hu.threshold",
        kind="step",
        says="Every value of a good context is in [t_l, t_r], as published.",
        formula="hu.t_l = n delta^-(2(n+1)d) (delta^-d - 1) <= q_j"
        " <= hu.t_r = n^2 delta^-(2(n+1)d) delta^-1 + n delta^-((n+1)d)",
        check=lambda context: _inside(context, context.map.interval, "hu.t_l"),
        **OF_GOOD,
    ),
    Claim(
        id="hu.threshold-repaired",
        kind="repair",
        says="With t_l = n delta^-(2nd) (delta^-d - 1), the product of the global factor and of the lower bound of"
        " hu.bounds, every value of a good context is in [t_l, t_r], and every value of every other one outside.",
        formula="n delta^-(2nd) (delta^-d - 1) <= q_j <= hu.t_r, for good contexts and no others",
        check=_threshold_repaired,
        needs="t_l with the exponent 2nd of delta, where the source has 2(n+1)d",
        **OF_GOOD | {"domain": WIDE, "work": _wide_work},
    ),
    Claim(
        id="hu.outside",
        kind="step",
        says="Every value of every context that is not good is outside [t_l, t_r], as published.",
        formula="q_j < hu.t_l or q_j > hu.t_r",
        check=lambda context: _outside(context, context.map.interval, "hu.t_l"),
        **OF_GOOD | {"domain": NOT_GOOD, "work": lambda i: _wide_work(i) - columns_through_layers(i)},
    ),
]

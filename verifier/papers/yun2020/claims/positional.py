"""App. C: the positional construction, in which each column knows where it stands and contexts are ordered."""

from collections.abc import Iterator
from typing import Any

from verifier.core.claim import Claim, Collected, Domain, Relation, Relations, nearest, neighbours
from verifier.core.exact import Q
from verifier.core.lanewise import largest
from verifier.papers.yun2020.case import PositionalContext
from verifier.papers.yun2020.claims.category1 import increasing, one_by_one
from verifier.papers.yun2020.claims.lemma5 import Piece, Row, quantizes
from verifier.papers.yun2020.claims.lemma6 import distinct_across, distinct_within
from verifier.papers.yun2020.contextual_map import ContextualMap, the_papers_alone
from verifier.papers.yun2020.domains import CONSTRUCTION
from verifier.papers.yun2020.instance import Instance
from verifier.papers.yun2020.positional import (
    block_start,
    bound_after_sweep,
    positional_factor,
    positional_map,
)


def _pieces(g: ContextualMap) -> Iterator[Piece]:
    """For each row and column, the intervals [low, low + delta) in which an entry may lie."""
    positional, delta = positional_map(g.instance), g.instance.delta
    for row in (Row(positional.quantiser, number) for number in range(g.instance.d)):
        for grid in positional.positions:
            for low in grid.entries:
                yield Piece(row, low, low + delta, low)


def _quantiser_layers(g: ContextualMap, seen: Collected) -> Relations:  # noqa: ARG001
    i = g.instance
    yield Relation("layers", len(positional_map(i).quantiser), "=", "dn/delta", i.d * i.n * i.N)


def _ids(context: PositionalContext) -> Relations:
    i, l = context.map.instance, context.l
    for j, id_ in enumerate(l, start=1):
        yield Relation(f"l_{j}", id_, ">=", "s_j", block_start(i, j))
        yield Relation(f"l_{j}", id_, "<=", "s_j + delta^-d+1 - delta", block_start(i, j) + i.levels[-1])
        if j >= 2:
            yield Relation(f"l_{j}", id_, ">", "the l before it", l[j - 2])


def _order(context: PositionalContext) -> Relations:
    yield from one_by_one(context, "column j alone", extremes=False)
    yield from increasing(context)


def _bound(context: PositionalContext) -> Relations:
    yield Relation("l~_n", context.swept[-1], "<", "n delta^-((n+1)d)", bound_after_sweep(context.map.instance))


def _injective(g: ContextualMap, seen: Collected) -> Relations:  # noqa: ARG001
    for distance, cases in nearest(seen):
        yield Relation("distance of l~_n of two contexts", distance, ">", "0", Q(0), cases)


def _interval(context: PositionalContext) -> Relations:
    i = context.map.instance
    low = positional_factor(i) * largest(context.swept)
    high = low + bound_after_sweep(i)
    for j, q in enumerate(context.q, start=1):
        yield Relation(f"q_{j}", q, ">=", "P m", low)
        yield Relation(f"q_{j}", q, "<", "P m + n delta^-((n+1)d)", high)


def _disjoint(g: ContextualMap, seen: Collected) -> Relations:
    P, width = positional_factor(g.instance), bound_after_sweep(g.instance)
    for lower, upper, cases in neighbours(seen):
        end = P * lower + width
        yield Relation("start of the next interval", P * upper, ">=", "end of an interval", end, cases)


def _size(g: ContextualMap) -> Relations:
    i, positional = g.instance, positional_map(g.instance)
    keys = i.n * i.B**i.n
    layers = positional.layers + keys
    formula = i.d * i.n * i.N + i.n * i.B + 1 + keys
    yield Relation("layers", layers, "=", "dn/delta + n delta^-d + 1 + n delta^-(dn)", formula)
    yield Relation("layers", Q(layers), "<=", "(d+3) n delta^-(dn)", Q((i.d + 3) * keys))


def _contexts(g: ContextualMap) -> Iterator[PositionalContext]:
    positional = positional_map(g.instance)
    for number, columns in enumerate(positional.contexts()):
        yield PositionalContext(positional, number, columns)


CONTEXTS = Domain("every context", cases=_contexts)


def columns_through_layers(instance: Instance) -> int:
    """The work of running the n columns of each context through the sweep's n delta^-d layers and the global shift."""
    return int(instance.B**instance.n) * instance.n * (instance.n * instance.B + 1)


RUN = "runs the literal network on every context"
IN_C2: dict[str, Any] = {
    "where": "App. C.2",
    "domain": CONTEXTS,
    "skip": the_papers_alone,
    "work": columns_through_layers,
}

CLAIMS = [
    Claim(
        id="c.quantizes",
        kind="step",
        where="App. C.1",
        says="An entry of [j-1, j) in column j goes to its lower corner: on every piece the layers of a row compose"
        " to a constant.",
        formula="g_q: x -> j-1 + k delta on [j-1 + k delta, j-1 + (k+1) delta), dn/delta layers",
        domain=Domain("for each row and column the pieces of [j-1, j)", cases=_pieces),
        how="composes the literal layers of each row on each piece of the real line, slope and intercept",
        check=quantizes,
        conclude=_quantiser_layers,
        skip=the_papers_alone,
        work=lambda i: i.d * (i.n * i.N) ** 2,
    ),
    Claim(
        id="c.ids",
        kind="step",
        says="The ids of a context lie in blocks that don't meet, so that they increase.",
        formula="s_j <= l_j <= s_j + delta^-d+1 - delta, l_1 < ... < l_n",
        how="reads the ids off every context",
        check=_ids,
        **IN_C2 | {"work": lambda i: i.n * i.B**i.n},
    ),
    Claim(
        id="c.order",
        kind="step",
        says="The sweep over the n blocks of levels shifts each column once, in order, and keeps their order.",
        formula="l~_1 < l~_2 < ... < l~_n, each column shifted once",
        how="traces the literal network through the sweep",
        check=_order,
        **IN_C2,
    ),
    Claim(
        id="c.bound",
        kind="step",
        says="The last id after the sweep is below a bound.",
        formula="l~_n < n delta^-((n+1)d)",
        how=RUN,
        check=_bound,
        **IN_C2,
    ),
    Claim(
        id="c.injective",
        kind="step",
        says="A context is determined by its last id after the sweep.",
        formula="L -> l~_n is one-to-one",
        how="collects l~_n of every context, sorts, and compares neighbours",
        collect=lambda context: [context.swept[-1]],
        conclude=_injective,
        **IN_C2,
    ),
    Claim(
        id="c.disjoint",
        kind="step",
        says="After the global shift different contexts have their values in disjoint intervals.",
        formula="q_j in [P m, P m + n delta^-((n+1)d)), m = max_j l~_j, P = n delta^-((n+1)d) delta^-1",
        how=f"{RUN}; collects the intervals, sorts, and compares neighbours",
        check=_interval,
        collect=lambda context: [largest(context.swept)],
        conclude=_disjoint,
        **IN_C2,
    ),
    Claim(
        id="c.contextual",
        kind="step",
        says="With positional encodings q is a contextual mapping on all N^(dn) contexts.",
        formula="the entries of q(L), q(L') are all distinct, for L != L'",
        how="collects every value of every context, sorts, and compares neighbours",
        check=distinct_within,
        collect=lambda context: context.q,
        conclude=distinct_across,
        **IN_C2,
    ),
    Claim(
        id="theorem3.size",
        kind="statement",
        where="App. C.3",
        says="The construction of Theorem 3 has dn/delta + n delta^-d + 1 + n delta^-(dn) layers, at most (d+3) n"
        " delta^-(dn) of them for every d, n and N.",
        formula="O(n delta^-(dn)) layers",
        domain=CONSTRUCTION,
        how="counts the layers of the literal network, and one of the value map for each column of each context",
        check=_size,
        skip=the_papers_alone,
        work=lambda i: i.d * i.n * i.N + i.n * i.B + 1,
    ),
]

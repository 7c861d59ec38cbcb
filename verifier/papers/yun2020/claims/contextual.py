"""App. B.5, before the categories: what a head and a selective shift do, and the ids of columns."""

from typing import cast

from gmpy2 import mpq

from verifier.core.claim import Claim, Collected, Relation, Relations
from verifier.core.exact import Q, Vector, columns_of
from verifier.core.lanewise import certain, choose, denominator, differ, is_whole, largest, smallest, written
from verifier.core.layers import Attention, Head
from verifier.core.network import Network, Step
from verifier.papers.yun2020.case import Case, Column
from verifier.papers.yun2020.contextual_map import ContextualMap
from verifier.papers.yun2020.domains import COLUMNS_INSIDE, COLUMNS_SENTINEL, GRID_PLUS


def _no_heads(g: ContextualMap, network: Network) -> str | None:
    """Why claims about heads of size 1 can't be checked: a layer has other heads, or none."""
    if not network.layers:
        return "there is no layer"
    for k, layer in enumerate(g.network.layers):
        if type(layer) is not Attention or not layer.heads or any(head.m != 1 for head in layer.heads):
            return f"layer {k} is not an attention layer with heads of size 1"
    return None


def _heads(step: Step) -> tuple[Head, ...]:
    return cast(Attention, step.layer).heads  # `skip` has ruled out all other layers


def threshold(head: Head, u: Vector) -> mpq:
    """b, if the query is a multiple of u^T X - b 1^T; for any other query, minus its bias."""
    (row,), (bias,) = head.W_Q, head.b_Q
    multiple = row[0] / u[0] if u[0] else Q(0)
    if multiple and row == tuple(multiple * w for w in u):
        return -bias / multiple
    return -bias


def _head(case: Case) -> Relations:
    for k, step in enumerate(case.steps):
        ids = case.map.grid.ids(step.before)
        top, bottom = largest(ids), smallest(ids)
        for h, (head, ((*value,),)) in enumerate(zip(_heads(step), step.values, strict=True)):
            b = threshold(head, case.map.grid.u)
            for j, (id_, seen) in enumerate(zip(ids, value, strict=True)):
                right = choose(id_ > b, top, choose(id_ < b, bottom, seen))
                if differ(seen, right):
                    end = "max_k u^T X_k" if certain(id_ > b) else "min_k u^T X_k"
                    yield Relation(f"psi(X; {b})_{j + 1} in layer {k}, head {h}", seen, "=", end, right)


def _shift(case: Case) -> Relations:
    B, u = case.map.instance.sweep_factor, case.map.grid.u
    for k, step in enumerate(case.sweep):
        heads = _heads(step)
        if len(heads) != 2:
            yield Relation(f"heads of layer {k}", len(heads), "=", "heads of Psi", 2)
            continue
        b, b_prime = window = sorted(threshold(head, u) for head in heads)
        ids = case.map.grid.ids(step.before)
        moved = largest(ids) - smallest(ids)
        for j, (id_, old, new) in enumerate(
            zip(ids, columns_of(step.before), columns_of(step.after), strict=True), start=1
        ):
            if id_ in window:
                yield Relation(f"distance of the id of column {j} from a threshold of layer {k}", Q(0), ">", "0", Q(0))
            amount = choose(id_ > b, choose(id_ < b_prime, B * moved, Q(0)), Q(0))
            expected = (old[0] + amount, *old[1:])
            if differ(new, expected):
                yield Relation(f"column {j} after layer {k}", new, "=", "X_j + delta^-d (max - min) e1", expected)
    for k, step in enumerate(case.ending, start=len(case.sweep)):
        ids = case.map.grid.ids(step.before)
        if any(ids) and any(id_ == threshold(head, u) for head in _heads(step) for id_ in ids):
            yield Relation(f"distance of an id from a threshold of layer {k}", Q(0), ">", "0", Q(0))


def _lattice(case: Case) -> Relations:
    N = case.map.instance.N
    matrices = [("X", case.X)]
    for k, step in enumerate(case.steps):
        matrices.append((f"X after layer {k}", step.after))
        matrices.extend((f"the value of head {h} in layer {k}", value) for h, value in enumerate(step.values))
    for name, X in matrices:
        for value in (value for row in X for value in row):
            if not certain(is_whole(N * value)):
                text = f"denominator of N . {written(value)}, in {name}"
                yield Relation(text, denominator(N * value), "=", "1", 1)


def _ids(g: ContextualMap, seen: Collected) -> Relations:
    yield Relation("number of columns", len(seen.values), "=", "B", g.instance.B)
    for level, (id_, number) in zip(g.instance.levels, sorted(seen.values), strict=False):
        yield Relation("the next larger id of a column", id_, "=", "the next level", level, (number,))


def _ids_sentinel(column: Column) -> Relations:
    yield Relation("u^T c", column.id, "<=", "-delta^-(nd) + delta^-(d-1) - 1", column.map.instance.sentinel_id_bound)


def _bound_is_negative(g: ContextualMap, seen: Collected) -> Relations:  # noqa: ARG001
    yield Relation("-delta^-(nd) + delta^-(d-1) - 1", g.instance.sentinel_id_bound, "<", "0", Q(0))


CLAIMS = [
    Claim(
        id="b5.head",
        kind="step",
        where="App. B.5, selective shift operation",
        says="A head psi(X; b) gives the largest id to each column whose id is above b, and the smallest id to"
        " each column whose id is below b, ties among the largest or smallest included. (Of a column whose id"
        " is b it says nothing: the hardmax of equal scores gives the mean of all ids.)",
        formula="psi(X; b)_j = max_k u^T X_k if u^T X_j > b, min_k u^T X_k if u^T X_j < b",
        domain=GRID_PLUS,
        how="runs the literal attention layers, and looks at every head of each",
        check=_head,
        silence_holds=True,
        skip=lambda g: _no_heads(g, g.network),
    ),
    Claim(
        id="b5.shift",
        kind="step",
        where="App. B.5, selective shift operation",
        says="A layer X + delta^-d Psi(X; b, b') adds delta^-d (max - min) to the first entry of the columns"
        " with b < id < b' and nothing anywhere else, and during the sweep no id ever equals b or b'. (At the global"
        " shift ids equal its threshold, 0, of the zero matrix alone, where the head is the mean of zeros.)",
        formula="Psi(X; b, b')_1j = max_k u^T X_k - min_k u^T X_k if b < u^T X_j < b', 0 if outside",
        domain=GRID_PLUS,
        how="compares each column before and after every layer of the sweep",
        check=_shift,
        silence_holds=True,
        skip=lambda g: _no_heads(g, g.sweep),
    ),
    Claim(
        id="b5.lattice",
        kind="own",
        where="not in the paper; what counting in units of delta rests on",
        says="Every number that the construction produces on G+ is a whole multiple of delta.",
        formula="N x is whole for every entry x of every matrix, and every value of every head, in the run",
        domain=GRID_PLUS,
        how="looks at every number of the run of the literal network",
        check=_lattice,
        silence_holds=True,
    ),
    Claim(
        id="b5.ids",
        kind="step",
        where="App. B.5, bijective column id mapping",
        says="On the columns without a sentinel the id is a bijection onto the levels of the sweep.",
        formula="c -> u^T c from {0, delta, ..., 1-delta}^d onto {0, delta, ..., delta^-d+1 - delta}",
        domain=COLUMNS_INSIDE,
        how="sorts the ids of all B columns and compares them with the B levels, one by one",
        collect=lambda column: [column.id],
        conclude=_ids,
    ),
    Claim(
        id="b5.ids-sentinel",
        kind="step",
        where="App. B.5, bijective column id mapping",
        says="A column with a sentinel has an id that is far below zero.",
        formula="u^T c <= -delta^-(nd) + delta^-(d-1) - 1 < 0",
        domain=COLUMNS_SENTINEL,
        how="computes the id of each such column",
        check=_ids_sentinel,
        conclude=_bound_is_negative,
    ),
]

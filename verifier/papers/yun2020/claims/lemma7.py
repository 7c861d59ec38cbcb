"""Lemma 7: the value map, for targets that are keys themselves and for small ones."""

from itertools import pairwise
from math import comb, factorial

from verifier.core.claim import Claim, Collected, Relation, Relations, neighbours
from verifier.core.exact import Matrix, Q, columns_of, dot
from verifier.core.lanewise import each
from verifier.core.whole import run
from verifier.papers.yun2020 import value_map
from verifier.papers.yun2020.case import Case
from verifier.papers.yun2020.contextual_map import ContextualMap, the_papers_alone
from verifier.papers.yun2020.domains import CATEGORY_1, CATEGORY_2_OR_3, CONSTRUCTION
from verifier.papers.yun2020.grid import closed_form_sizes
from verifier.papers.yun2020.instance import Instance
from verifier.papers.yun2020.value_map import ValueMap

NEEDS = "no target column has an id of t_l - delta/2 or more"


def reaches_its_target(case: Case, output: Matrix, g_v: ValueMap, where: str = "") -> Relations:
    """Category 1: each column of the output is that of A_L. Categories 2 and 3: the output is 0."""
    if case.category != 1:
        zero = tuple((Q(0),) * len(row) for row in case.X)
        yield Relation(f"the output{where}", output, "=", "0", zero)
        return
    target = each(g_v.targets.__getitem__, case.X)
    for j, (column, wanted) in enumerate(zip(columns_of(output), columns_of(target), strict=True), start=1):
        yield Relation(f"column {j} of the output{where}", column, "=", "its target", wanted)


def _with_chain_targets(case: Case) -> Relations:
    g_v = value_map.chain_map(case.map.instance)
    yield from reaches_its_target(case, run.image(g_v.network, case.final_matrix), g_v)


def _bounded(case: Case) -> Relations:
    instance, interval = case.map.instance, case.map.interval
    g_v = value_map.small_map(instance)
    reached = reaches_its_target(case, run.image(g_v.network, case.final_matrix), g_v)
    targets = columns_of(each(g_v.targets.__getitem__, case.X))
    for j, (relation, target, q) in enumerate(zip(reached, targets, case.q, strict=True), start=1):
        yield relation
        size = abs(dot(instance.u, target))
        yield Relation("|u^T of a target|", size, "<", "t_l - delta/2", interval.low - instance.delta / 2)
        yield Relation(f"q_{j}", q, ">=", "t_l", interval.low)
    for lower, upper in pairwise(sorted(case.q)):
        yield Relation("distance of two entries of q(L)", upper - lower, ">=", "delta", instance.delta)


def _apart(g: ContextualMap, seen: Collected) -> Relations:
    for lower, upper, cases in neighbours(seen):
        name = "distance of an entry of q(L) from one of q(L')"
        yield Relation(name, upper - lower, ">=", "delta", g.instance.delta, cases)


def keys(i: Instance) -> int:
    """How many keys there are: n C(B, n), one for each token of each context of G~."""
    return i.n * comb(i.B, i.n)


def _layers(g: ContextualMap) -> Relations:
    d, n, N = g.instance.d, g.instance.n, g.instance.N
    layers = len(value_map.chain_map(g.instance).network)
    yield Relation("layers", layers, "=", "1 + d + n C(B, n)", 1 + d + keys(g.instance))
    C = Q((1 + d) * factorial(n), n * 2 ** (d * n)) + 1
    yield Relation("layers", layers, "<=", "C n delta^-(dn) / n!", C * n * N ** (d * n) / factorial(n))


# What a row of layers with a window each costs for one column, however long the row is: only the layers in whose window
# the column lies are run (and the row is written once).
MET = 4


def work_of_images(i: Instance) -> int:
    """The work of running the contextual map on every orbit of G+ once more, for the keys and M."""
    return closed_form_sizes(i)["total"].orbits * i.n * (i.B + 1)


def work_of_runs(i: Instance, categories: tuple[str, ...]) -> int:
    """That work, and the work of the value map on every orbit of some categories."""
    sizes = closed_form_sizes(i)
    return work_of_images(i) + sum(sizes[name].orbits for name in categories) * i.n * (1 + i.d + MET) + keys(i)


CLAIMS = [
    Claim(
        id="lemma7.reject",
        kind="step",
        where="Lemma 7, Section 5.3, App. B.6",
        says="The value map sends every matrix of G+ that is not in G~ to the zero matrix.",
        formula="g_v(g_c(L)) = 0 for L in G+ minus G~",
        domain=CATEGORY_2_OR_3,
        how="runs every layer of the value map, made for the chain targets, on the image of each orbit",
        check=_with_chain_targets,
        skip=the_papers_alone,
        work=lambda i: work_of_runs(i, ("category2", "category3")),
    ),
    Claim(
        id="lemma7.map",
        kind="step",
        where="Lemma 7, Section 5.3, App. B.6",
        says="The value map sends every L in G~ to its target A_L, whatever the targets are. Shown with targets that"
        " are themselves keys: each token's target has the id of the next token's key, and is mapped on by the next"
        " layer.",
        formula="g_v(g_c(L)) = A_L for L in G~, for any equivariant choice of A_L",
        domain=CATEGORY_1,
        how="runs every layer of the value map, made for the chain targets, on the image of each orbit",
        check=_with_chain_targets,
        skip=the_papers_alone,
        work=lambda i: work_of_runs(i, ("category1",)),
    ),
    Claim(
        id="lemma7.map-bounded",
        kind="repair",
        where="Lemma 7, Section 5.3, App. B.6",
        says="With the hypothesis that no target column has an id of t_l - delta/2 or more, the value map sends every"
        " L in G~ to its target: keys are at least t_l and at least delta apart, so that a window of width delta"
        " holds one key and no target. (Run with small targets.)",
        formula="g_v(g_c(L)) = A_L for L in G~, if |u^T (A_L)_j| < t_l - delta/2",
        domain=CATEGORY_1,
        how="runs every layer of the value map, made for the small targets, on the image of each orbit; collects the"
        " keys, sorts, and compares neighbours",
        check=_bounded,
        collect=lambda case: case.q,
        conclude=_apart,
        skip=the_papers_alone,
        needs=NEEDS,
        work=lambda i: work_of_runs(i, ("category1",)),
    ),
    Claim(
        id="lemma7.layers",
        kind="statement",
        where="Lemma 7, App. B.6",
        says="The value map has 1 + d + n C(B, n) layers. At this d and n that is at most C n delta^-(dn) / n! for"
        " every N >= 2, with C = (1+d) n! / (n 2^(dn)) + 1 (no constant serves all n: with n > B there is no key,"
        " and 1 + d layers remain).",
        formula="1 + d + n C(B, n) <= C n delta^-(dn) / n!",
        domain=CONSTRUCTION,
        how="counts the layers of the network that is run",
        check=_layers,
        skip=the_papers_alone,
        work=work_of_images,
    ),
]

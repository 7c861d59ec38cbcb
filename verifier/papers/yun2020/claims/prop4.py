"""Proposition 4: the whole network g_v o g_c o g_q, and its distance from the piecewise constant target."""

from collections.abc import Iterator
from math import comb, prod

from gmpy2 import mpq

from verifier.core.claim import Claim, Collected, Relation, Relations
from verifier.core.exact import Matrix, Q
from verifier.core.lanewise import choose
from verifier.core.whole import run
from verifier.papers.yun2020 import quantizer, value_map
from verifier.papers.yun2020.case import Case
from verifier.papers.yun2020.claims.grid import share_of_duplicates
from verifier.papers.yun2020.claims.lemma7 import MET, NEEDS, keys, reaches_its_target, work_of_images
from verifier.papers.yun2020.contextual_map import ContextualMap, the_papers_alone
from verifier.papers.yun2020.domains import GRID, GRID_PLUS
from verifier.papers.yun2020.grid import closed_form_sizes
from verifier.papers.yun2020.instance import Instance
from verifier.papers.yun2020.value_map import ValueMap


def points(case: Case) -> Iterator[tuple[str, Matrix]]:
    """Two points that the quantiser takes to L: the lower corner of its cube, and its centre.

    In place of a sentinel the first has an entry below 0, and the second has the entry 1.
    """
    half, sentinel = case.map.instance.delta / 2, case.map.grid.sentinel
    for where, offset, outside in ((" at the corner", Q(0), -half), (" at the centre", half, Q(1))):
        yield where, tuple(tuple(choose(x == sentinel, outside, x + offset) for x in row) for row in case.X)


def network_at_points(case: Case, g_v: ValueMap) -> Relations:
    g_q = quantizer.quantizer(case.map.instance)
    for where, X in points(case):
        output = run.image(g_v.network, run.image(case.map.network, run.image(g_q, X)))
        yield from reaches_its_target(case, output, g_v, where)


def _with_chain_targets(case: Case) -> Relations:
    yield from network_at_points(case, value_map.chain_map(case.map.instance))


def _with_small_targets(case: Case) -> Relations:
    yield from network_at_points(case, value_map.small_map(case.map.instance))


def work_of_network(i: Instance) -> int:
    """The work of computing the images, and of running all layers on two points for each orbit of G+."""
    layers = i.d * (1 + MET) + (i.B + 1) + (1 + i.d + MET)
    return work_of_images(i) + 2 * closed_form_sizes(i)["total"].orbits * i.n * layers + keys(i)


def duplicates_by_formula(n: int, B: int) -> mpq:
    """1 - (1 - 1/B)...(1 - (n-1)/B)."""
    return 1 - prod((Q(B - k, B) for k in range(1, n)), start=Q(1))


def _distance(g: ContextualMap, seen: Collected) -> Relations:
    d, n, B = g.instance.d, g.instance.n, g.instance.B
    finer = Instance(d, n, 2 * g.instance.N).B
    f = share_of_duplicates(seen)  # also the measure of the cubes on which the network is 0 and the target isn't
    yield Relation("distance at p = 1", d * n * f, "<=", "d n . n(n-1)/2 . delta^d", Q(d * n * comb(n, 2), B))
    at_finer = d * n * duplicates_by_formula(n, finer) * finer**2
    yield Relation("(distance / delta^d)^2 for p = 2, at 2N", at_finer, "<=", "the same at N", d * n * f * B**2)


def _distance_p(g: ContextualMap, seen: Collected) -> Relations:
    d, n, B = g.instance.d, g.instance.n, g.instance.B
    power = d * n * share_of_duplicates(seen)
    yield Relation("distance^p", power, ">=", "d n . delta^d", Q(d * n, B))
    yield Relation("distance^p", power, "<=", "d n . n(n-1)/2 . delta^d", Q(d * n * comb(n, 2), B))


CLAIMS = [
    Claim(
        id="prop4.network",
        kind="step",
        where="Proposition 4, App. B.3",
        says="The network g_v o g_c o g_q equals the piecewise constant target on every cube of G~ and is 0 elsewhere,"
        " whatever the target is. (Run at the lower corner and the centre of every cube, and outside [0,1); by"
        " lemma5.quantizes the output is constant on each cube. The targets are those of lemma7.map.)",
        formula="g(X) = A_L for X in S_L, L in G~, and 0 for every other X",
        domain=GRID_PLUS,
        how="runs every layer of the three networks, made for the chain targets, on two points for each orbit",
        check=_with_chain_targets,
        skip=the_papers_alone,
        work=work_of_network,
    ),
    Claim(
        id="prop4.network-bounded",
        kind="repair",
        where="Proposition 4, App. B.3",
        says="With the hypothesis that no target column has an id of t_l - delta/2 or more, the network equals the"
        " piecewise constant target on every cube of G~ and is 0 elsewhere. (Run with small targets; see"
        " lemma7.map-bounded.)",
        formula="g(X) = A_L for X in S_L, L in G~, and 0 for every other X, if |u^T (A_L)_j| < t_l - delta/2",
        domain=GRID_PLUS,
        how="runs every layer of the three networks, made for the small targets, on two points for each orbit",
        check=_with_small_targets,
        skip=the_papers_alone,
        needs=NEEDS,
        work=work_of_network,
    ),
    Claim(
        id="prop4.distance",
        kind="step",
        where="Proposition 4, Section 4.2; App. B.3",
        says="The p-distance of the network to its piecewise constant target is O(delta^d) for every p >= 1. Shown"
        " with the target whose entries are all 1, which the network misses on the cubes of G minus G~ alone. It is so"
        " for p = 1; for p = 2 the constant would have to grow, for (distance / delta^d)^2 = d n |G minus G~| / |G| ."
        " delta^-2d >= d n delta^-d.",
        formula="d_p(g, f) = O(delta^d)",
        domain=GRID,
        how="counts the matrices with equal columns, whose cubes have measure delta^(dn) each",
        conclude=_distance,
        skip=the_papers_alone,
    ),
    Claim(
        id="prop4.distance-p",
        kind="repair",
        where="Proposition 4, with the exponent that its proof gives",
        says="The p-distance of the network to the target whose entries are all 1 is of the order delta^(d/p) exactly,"
        " for every p >= 1.",
        formula="d n delta^d <= d_p(g, f)^p <= d n . n(n-1)/2 . delta^d",
        domain=GRID,
        how="counts the matrices with equal columns, whose cubes have measure delta^(dn) each",
        conclude=_distance_p,
        skip=the_papers_alone,
    ),
]

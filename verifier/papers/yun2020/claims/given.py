"""Lemma 7 and Proposition 4 for targets of your own, as two more claims.

    verify(g, [*given_claims(lambda L: ...), "lemma7"])

A target is any function from a matrix L of G~, its columns by increasing id, to the matrix A_L.
"""

from functools import lru_cache

from verifier.core.claim import Claim, Relations
from verifier.core.whole import run
from verifier.papers.yun2020.case import Case
from verifier.papers.yun2020.claims.lemma7 import reaches_its_target, work_of_runs
from verifier.papers.yun2020.claims.prop4 import network_at_points, work_of_network
from verifier.papers.yun2020.contextual_map import the_papers_alone
from verifier.papers.yun2020.domains import GRID_PLUS
from verifier.papers.yun2020.instance import Instance
from verifier.papers.yun2020.value_map import Targets, ValueMap, value_map


def given_claims(targets: Targets) -> list[Claim]:
    """Two claims for `verify`, about the value map and about the whole network, for a function from L to A_L."""
    if not callable(targets):
        raise TypeError(f"{targets!r} is no function; given_claims takes one, as in given_claims(lambda L: L)")

    @lru_cache(maxsize=4)
    def made(instance: Instance) -> ValueMap:
        return value_map(instance, targets)

    def maps(case: Case) -> Relations:
        g_v = made(case.map.instance)
        yield from reaches_its_target(case, run.image(g_v.network, case.final_matrix), g_v)

    def approximates(case: Case) -> Relations:
        yield from network_at_points(case, made(case.map.instance))

    return [
        Claim(
            id="lemma7.given",
            kind="step",
            where="Lemma 7, for given targets",
            says="The value map sends every L in G~ to its given target, and every other matrix of G+ to 0.",
            formula="g_v(g_c(L)) = A_L for L in G~, 0 for L in G+ minus G~",
            domain=GRID_PLUS,
            how="runs every layer of the value map, made for the given targets, on the image of each orbit",
            check=maps,
            skip=the_papers_alone,
            work=lambda i: work_of_runs(i, ("total",)),
        ),
        Claim(
            id="prop4.given",
            kind="step",
            where="Proposition 4, for given targets",
            says="The network g_v o g_c o g_q equals the given piecewise constant target on every cube of G~ and is 0"
            " elsewhere.",
            formula="g(X) = A_L for X in S_L, L in G~, and 0 for every other X",
            domain=GRID_PLUS,
            how="runs every layer of the three networks, made for the given targets, on two points for each orbit",
            check=approximates,
            skip=the_papers_alone,
            work=work_of_network,
        ),
    ]

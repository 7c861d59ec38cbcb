"""Section 5.2: the sizes of the grids, and how rare duplicate columns are."""

from math import comb

from gmpy2 import mpq

from verifier.core.claim import Claim, Collected, Relation, Relations, nearest
from verifier.core.exact import Q
from verifier.papers.yun2020.contextual_map import ContextualMap
from verifier.papers.yun2020.domains import COLUMNS, GRID, GRID_PLUS
from verifier.papers.yun2020.grid import closed_form_sizes


def _sizes(g: ContextualMap, seen: Collected) -> Relations:
    for name, formula in closed_form_sizes(g.instance).items():
        counted = seen.coverage[name]
        yield Relation(f"matrices of {name}, counted", counted.matrices, "=", "by formula", formula.matrices)
        yield Relation(f"orbits of {name}, counted", counted.orbits, "=", "by formula", formula.orbits)


def share_of_duplicates(seen: Collected) -> mpq:
    """|G minus G~| / |G|, counted."""
    with_duplicates = seen.coverage["category2"].matrices
    return Q(with_duplicates, with_duplicates + seen.coverage["category1"].matrices)


def _duplicates(g: ContextualMap, seen: Collected) -> Relations:
    n, B = g.instance.n, g.instance.B
    fraction = share_of_duplicates(seen)

    # 1 - (1 - t)(1 - 2t)...(1 - (n-1)t), coefficients from t^0 up. At t = 1/B = delta^d it is the share; its
    # coefficient of t is the limit of share / delta^d for N -> infinity, so that no smaller constant serves all N.
    distinct = [1]
    for i in range(1, n):
        distinct = [a - i * b for a, b in zip([*distinct, 0], [0, *distinct], strict=True)]
    share = [1 - distinct[0], *(-c for c in distinct[1:])]
    at_delta = Q(0)
    for power, coefficient in enumerate(share):
        at_delta += Q(coefficient, B**power)
    yield Relation("|G minus G~| / |G|", fraction, "=", "1 - (1 - 1/B)...(1 - (n-1)/B)", at_delta)
    yield Relation("limit of |G minus G~| / (delta^d |G|)", share[1], "=", "n(n-1)/2", comb(n, 2))
    yield Relation("|G minus G~| / |G|", fraction, "<=", "n(n-1)/2 . delta^d", Q(comb(n, 2), B))


def _order(g: ContextualMap, seen: Collected) -> Relations:  # noqa: ARG001
    for distance, columns in nearest(seen):
        yield Relation("distance of the ids of two columns", distance, ">", "0", Q(0), columns)


CLAIMS = [
    Claim(
        id="grid.sizes",
        kind="step",
        where="Section 5.2",
        says="The three categories of G+ have the sizes that the formulas give.",
        formula="|G| = N^(dn), |G~| = B!/(B-n)! (none if n > B), |G+| = (N+1)^(dn)",
        domain=GRID_PLUS,
        how="counts the orbits of each category, and the matrices in each orbit, and compares with the formula",
        conclude=_sizes,
        counts=True,
    ),
    Claim(
        id="grid.duplicates",
        kind="statement",
        where="Section 5.2, after Lemma 6",
        says="Matrices of G with two equal columns are rare: their share is at most n(n-1)/2 . delta^d. At this n no"
        " smaller constant serves all N, for the share over delta^d tends to it (and it grows with n).",
        formula="|G minus G~| / |G| = 1 - (1 - 1/B)...(1 - (n-1)/B) <= n(n-1)/2 . delta^d",
        domain=GRID,
        how="counts both sets; the bound's constant is the limit of the share over delta^d for N -> infinity",
        conclude=_duplicates,
    ),
    Claim(
        id="grid.order",
        kind="own",
        where="not in the paper; what the order of cases rests on",
        says="The (N+1)^d columns of G+ have pairwise distinct ids, so that 'by increasing id' is an order.",
        formula="u^T c != u^T c' for columns c != c' of G+",
        domain=COLUMNS,
        how="sorts the ids of all columns and compares neighbours",
        collect=lambda column: [column.id],
        conclude=_order,
    ),
]

"""Section 6: are average attention, bilinear projections and separable convolutions contextual mappings?

Definition 5.1 (3.1 in print): q is a contextual mapping on a finite set of contexts if the entries of each q(L) are
distinct, and if q(L) and q(L') have no entry in common for L != L'.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise, permutations
from math import comb, perm

from gmpy2 import mpq

from verifier.core.case import Alike, its_matrix
from verifier.core.claim import Claim, Collected, Domain, Relation, Relations
from verifier.core.exact import Matrix, Q, Vector, columns_of, from_columns
from verifier.core.network import Network
from verifier.core.whole import run
from verifier.papers.yun2020.alternatives import AverageAttention, BProj, SepConv, drawn
from verifier.papers.yun2020.claims.lemma6 import distinct_across, distinct_within
from verifier.papers.yun2020.contextual_map import ContextualMap, the_papers_alone
from verifier.papers.yun2020.grid import Grid


@dataclass(frozen=True)
class Pair:
    """Two contexts, and the place in each of a column that they share."""

    layer: AverageAttention
    pair: tuple[Matrix, Matrix]
    places: tuple[int, int]

    shown = property(lambda case: case.pair)


@dataclass(frozen=True)
class Ordered(Alike):
    """A context with its columns in some order, and what a network makes of it, layer by layer."""

    grid: Grid
    network: Network
    X: Matrix

    shown = its_matrix

    def values(self) -> Iterator[Vector]:
        """u^T of the image after each layer."""
        return (self.grid.ids(step.after) for step in run.trace(self.network, self.X))

    @cached_property
    def q(self) -> Vector:
        """u^T of the image after all layers."""
        *_, last = self.values()
        return last


def _inner(g: ContextualMap) -> list[Vector]:
    """The columns of G, by increasing id."""
    return [column for column in g.grid.columns if column in g.grid.inner]


def _sum(columns: tuple[Vector, ...]) -> Vector:
    return tuple(sum(row, Q(0)) for row in zip(*columns, strict=True))


def _pairs(g: ContextualMap) -> list[Pair]:
    (W,) = drawn((g.instance.d, g.instance.d))
    layer = AverageAttention(W)
    contexts = list(combinations(_inner(g), g.instance.n))  # the orbits of Category 1, by rank
    alike: dict[tuple[Vector, Vector], list[int]] = {}
    for k, columns in enumerate(contexts):
        for column in columns:
            alike.setdefault((column, _sum(columns)), []).append(k)
    found = sorted(
        (a, b, g.grid.id(column), column) for (column, _), members in alike.items() for a, b in pairwise(members)
    )
    return [
        Pair(
            layer,
            (from_columns(contexts[a]), from_columns(contexts[b])),
            (contexts[a].index(column), contexts[b].index(column)),
        )
        for a, b, _, column in found
    ]


def _average(case: Pair) -> Relations:
    one, other = (columns_of(case.layer.apply(X))[j] for X, j in zip(case.pair, case.places, strict=True))
    greatest = max(abs(x - y) for x, y in zip(one, other, strict=True))
    yield Relation("greatest difference of the images of the shared column", greatest, "<=", "0", Q(0))


def _all_orders(g: ContextualMap) -> Iterator[Ordered]:
    d, n = g.instance.d, g.instance.n
    W_P, W_O = drawn((n, n), (d, d))
    network = Network((BProj(W_O, W_P),))
    return (Ordered(g.grid, network, from_columns(columns)) for columns in permutations(_inner(g), n))


def _up_to_rotation(g: ContextualMap) -> Iterator[Ordered]:
    d, n = g.instance.d, g.instance.n
    W_O, W_C = drawn((d, d), (d, n - 1))
    network = Network((SepConv(W_O, W_C),) * 2)
    inner = _inner(g)
    for k, first in enumerate(inner):
        for rest in permutations(inner[k + 1 :], n - 1):
            yield Ordered(g.grid, network, from_columns((first, *rest)))


def _after_each_layer(case: Ordered) -> Iterator[tuple[int, mpq]]:
    """Each value, with the number of layers after which it was read."""
    return ((layers, q) for layers, values in enumerate(case.values(), start=1) for q in values)


def _one_layer_and_two(g: ContextualMap, seen: Collected) -> Relations:
    after: dict[int, list[tuple[mpq, int]]] = {1: [], 2: []}
    for (layers, q), number in seen.values:
        after[layers].append((q, number))
    holders: dict[mpq, set[int]] = {}
    for q, number in after[1]:
        holders.setdefault(q, set()).add(number)
    shared = sum(len(numbers) > 1 for numbers in holders.values())
    yield Relation("values that two contexts share, one layer", shared, ">=", "1", 1)
    yield from distinct_across(g, Collected(seen.coverage, after[2]))


CLAIMS = [
    Claim(
        id="s6.average",
        kind="statement",
        where="Section 5.2, after Definition 5.1",
        says="Average attention, X + W X (1 1^T / n), is not a contextual mapping, whatever W is: two contexts of"
        " equal sum that share a column give it the same image.",
        formula="x + W (sum of the columns of L) / n is the same in L and L'",
        domain=Domain(
            "for each column of G and each sum of columns, two consecutive orbits of G~ that have both",
            cases=_pairs,
        ),
        how="runs the literal layer on both contexts and compares the images of the column that they share",
        check=_average,
        skip=the_papers_alone,
        work=lambda i: 2 * i.n**2 * comb(i.B, i.n),
    ),
    Claim(
        id="s6.bilinear",
        kind="own",
        where="Section 6.1",
        says="With drawn rational weights the bilinear projection X + W_O X W_P is a contextual mapping of the matrices"
        " with distinct columns, in every order.",
        formula="u^T (X + W_O X W_P) has distinct entries within and across all L in G~",
        domain=Domain("every matrix of G~, its columns in every order", cases=_all_orders),
        how="runs the literal layer, collects every value, sorts, and compares neighbours",
        check=distinct_within,
        collect=lambda case: case.q,
        conclude=distinct_across,
        skip=the_papers_alone,
        work=lambda i: i.n * perm(i.B, i.n),
    ),
    Claim(
        id="s6.sepconv",
        kind="excluded",
        where="Section 6.2",
        says="A depth-wise separable convolution with a filter of n - 1 columns (cyclic, so that contexts are taken up"
        " to rotation) is not a contextual mapping as one layer; a stack of two can be one.",
        formula="SepConv(X) = X + W_O (X * W_C), (X * W_C)_ij = sum_{t=0}^{n-2} (W_C)_it X_i(j+t mod n)",
        domain=Domain("every matrix of G~ whose first column has the smallest id", cases=_up_to_rotation),
        how="runs one literal layer and two, collects every value, sorts, and compares neighbours",
        check=distinct_within,
        collect=_after_each_layer,
        conclude=_one_layer_and_two,
        skip=the_papers_alone,
        work=lambda i: 4 * perm(i.B, i.n),
    ),
]

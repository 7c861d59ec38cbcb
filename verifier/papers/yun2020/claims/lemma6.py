"""Lemma 6: its four properties, its layers, and that g_c is permutation equivariant."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from verifier.core.claim import Claim, Collected, Relation, Relations, nearest
from verifier.core.exact import Q, Vector, columns_of, from_columns, matrix_text
from verifier.core.lanewise import differ
from verifier.core.layers import Attention
from verifier.core.multisets import Orbit
from verifier.core.whole import run
from verifier.papers.yun2020 import edges
from verifier.papers.yun2020.case import Case
from verifier.papers.yun2020.contextual_map import ContextualMap
from verifier.papers.yun2020.domains import CATEGORY_1, CATEGORY_2_OR_3, CONSTRUCTION, MATRICES
from verifier.papers.yun2020.interval import inside, outside


def distinct_within(case: Any) -> Relations:
    """The values q of a case are distinct."""
    for lower, upper in pairwise(sorted(case.q)):
        yield edges.DISTINCT.at(upper - lower, Q(0))


def distinct_across(g: ContextualMap, seen: Collected) -> Relations:  # noqa: ARG001
    for distance, cases in nearest(seen):
        yield Relation("distance of an entry of q(L) from one of q(L')", distance, ">", "0", Q(0), cases)


def _inside(case: Case) -> Relations:
    for j, q in enumerate(case.q, start=1):
        yield from inside(f"q_{j}", q, case.map.interval)


def _outside(case: Case) -> Relations:
    for j, q in enumerate(case.q, start=1):
        yield outside(f"q_{j}", q, case.map.interval)


def _layers(g: ContextualMap) -> Relations:
    size = g.network.size
    attention = sum(type(layer) is Attention for layer in g.network.layers)
    yield Relation("attention layers", attention, "=", "delta^-d + 1", g.instance.B + 1)
    yield Relation("other layers", size.layers - attention, "=", "none", 0)
    yield Relation("heads of a layer beyond the second", max(0, size.h - 2), "=", "none", 0)
    yield Relation("rows of a head beyond the first", max(0, size.m - 1), "=", "none", 0)


def arrangements(orbit: Orbit) -> Iterator[Orbit]:
    """Every arrangement of a non-decreasing tuple, each once, in lexicographic order."""
    arranged = list(orbit)
    while True:
        yield tuple(arranged)
        rise = len(arranged) - 2
        while rise >= 0 and arranged[rise] >= arranged[rise + 1]:
            rise -= 1
        if rise < 0:
            return
        above = max(k for k in range(rise + 1, len(arranged)) if arranged[k] > arranged[rise])
        arranged[rise], arranged[above] = arranged[above], arranged[rise]
        arranged[rise + 1 :] = reversed(arranged[rise + 1 :])


def _equivariant(case: Case) -> Relations:
    images: dict[int, Vector] = {}
    for j, (number, column) in enumerate(zip(case.pattern, columns_of(case.final_matrix), strict=True), start=1):
        if differ(images.setdefault(number, column), column):  # L = LP where P exchanges equal columns
            yield Relation(f"column {j} of g_c(L)", column, "=", "that of an equal column of L", images[number])
    matrices, columns = 0, columns_of(case.X)
    for arranged in arrangements(case.pattern):
        matrices += 1
        LP = from_columns(tuple(columns[number] for number in arranged))
        image = run.image(case.map.network, LP)
        expected = from_columns(tuple(images[number] for number in arranged))
        if image != expected:
            yield Relation(f"g_c(LP) for LP = {matrix_text(LP)}", image, "=", "g_c(L) P", expected)
    yield Relation("matrices looked at", matrices, "=", "matrices in the orbit", case.stands_for)


CLAIMS = [
    Claim(
        id="lemma6.1",
        kind="statement",
        where="Lemma 6, Property 1",
        says="The n values of a context of G~ are distinct.",
        phrase="values of one input are distinct",
        formula="L in G~: the entries of q(L) are all distinct",
        domain=CATEGORY_1,
        how="runs the literal network, sorts the values and compares neighbours",
        check=distinct_within,
    ),
    Claim(
        id="lemma6.2",
        kind="statement",
        where="Lemma 6, Property 2",
        says="Contexts of G~ that are not permutations of each other have no value in common.",
        phrase="different inputs share no value",
        formula="L, L' in G~, L' not a permutation of L: all entries of q(L), q(L') are distinct",
        domain=CATEGORY_1,
        how="collects every value of every orbit, sorts, and compares neighbours",
        collect=lambda case: case.q,
        conclude=distinct_across,
    ),
    Claim(
        id="lemma6.3",
        kind="statement",
        where="Lemma 6, Property 3",
        says="Every value of a context of G~ lies in [t_l, t_r).",
        phrase="valid inputs land in [t_l, t_r)",
        formula="L in G~: t_l <= q(L)_j < t_r",
        domain=CATEGORY_1,
        how="runs the literal network",
        check=_inside,
    ),
    Claim(
        id="lemma6.4",
        kind="statement",
        where="Lemma 6, Property 4",
        says="Every value of every other matrix of G+ lies outside [t_l, t_r).",
        phrase="all other inputs land outside it",
        formula="L in G+ minus G~: q(L)_j < t_l or q(L)_j >= t_r",
        domain=CATEGORY_2_OR_3,
        how="runs the literal network",
        check=_outside,
    ),
    Claim(
        id="lemma6.layers",
        kind="statement",
        where="Lemma 6",
        says="The network has delta^-d + 1 attention layers with at most two heads, each of size one.",
        phrase="N^d + 1 layers, 2 heads, size 1",
        formula="delta^-d + 1 layers, h = 2, m = 1",
        domain=CONSTRUCTION,
        how="counts the layers, the heads and their sizes in the network that is run",
        check=_layers,
    ),
    Claim(
        id="lemma6.equivariant",
        kind="statement",
        where="Lemma 6, Section 5.2",
        says="Permuting the columns of a matrix of G+ permutes the columns of its image.",
        phrase="permuting tokens permutes values",
        formula="g_c(LP) = g_c(L) P for L in G+ and every permutation matrix P",
        domain=MATRICES,
        how="runs the literal network on the columns in every order",
        check=_equivariant,
    ),
]

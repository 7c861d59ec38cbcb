"""Proposition 4: the whole network, by hand and against a dictionary, its distance from its target, and both broken."""

from fractions import Fraction

import pytest

import slow_truth
from test_value_map import exact_matrix, table_of
from verifier.catalogue import choose
from verifier.core.claim import Collected
from verifier.core.exact import Q, matrix
from verifier.core.space import Sizes
from verifier.papers.yun2020 import quantizer as quantizer_room
from verifier.papers.yun2020 import value_map as value_map_room
from verifier.papers.yun2020.claims import prop4
from verifier.papers.yun2020.contextual_map import contextual_map
from verifier.papers.yun2020.instance import Instance
from verifier.papers.yun2020.quantizer import quantizer
from verifier.papers.yun2020.value_map import ValueMap, small_map
from verifier.run.verify import verify

SMALL = [(1, 2, 2), (1, 2, 3), (1, 3, 3), (2, 2, 2)]


def test_the_two_points_of_an_orbit():
    case = contextual_map(Instance(1, 2, 2)).space.at(1)
    assert case.X == ((-4, 0),)
    assert list(prop4.points(case)) == [
        (" at the corner", ((Q(-1, 4), 0),)),
        (" at the centre", ((1, Q(1, 4)),)),
    ]


@pytest.mark.parametrize("parts", SMALL)
def test_the_network_is_a_dictionary_of_cubes(parts):
    """On a lattice of half the width, from -1/2 to beyond 1, against floors and a dictionary."""
    d, n, N = parts
    i = Instance(*parts)
    g, g_v = contextual_map(i), small_map(i)
    network = quantizer(i) + g.network + g_v.network
    table = table_of(g_v.targets)
    steps = [Fraction(k, 3 * N) for k in (-1, 0, 1, 3 * N - 1, 3 * N)] + [Fraction(k, N) for k in range(1, N)]
    for k in range(200):
        entries = [steps[(k * 7 + 5 * place * (k // 3 + 1)) % len(steps)] for place in range(d * n)]
        X = [entries[row * n : (row + 1) * n] for row in range(d)]
        expected = slow_truth.looked_up(slow_truth.quantized(d, n, N, X), table)
        assert network.run(exact_matrix(X)) == exact_matrix(expected)


@pytest.mark.parametrize("parts", [*SMALL, (1, 2, 4), (1, 3, 2)])
def test_what_proposition_4_says_and_what_not(parts):
    d, n, N = parts
    result = verify(contextual_map(Instance(*parts)), ["prop4"])
    refuted = ["prop4.distance"] if n > N**d else ["prop4.network", "prop4.distance"]
    assert result.refuted == refuted
    assert result["prop4.network"].failing == result.coverage["category1"].orbits
    assert result["prop4.distance"].counterexample.matrices == ()


def test_the_distance_by_hand():
    """(1, 2, 4): a quarter of the cubes; d n f B^2 = 2 . 1/4 . 16 = 8, and 2 . 1/8 . 64 = 16 with half the width."""
    result = verify(contextual_map(Instance(1, 2, 4)), ["prop4"])
    relation = result["prop4.distance"].counterexample.relation
    assert (relation.value, relation.bound) == (16, 8)
    assert [(e.relation.value, e.relation.bound) for e in result["prop4.distance-p"].edges] == [
        (Q(1, 2), Q(1, 2)),
        (Q(1, 2), Q(1, 2)),
    ]


@pytest.mark.parametrize(("n", "B", "share"), [(2, 4, "1/4"), (3, 4, "5/8"), (3, 2, "1"), (4, 4, "29/32")])
def test_the_share_of_duplicates_by_formula(n, B, share):
    assert prop4.duplicates_by_formula(n, B) == Q(*map(int, share.split("/")))


def test_a_broken_quantiser_or_value_map_is_refuted(monkeypatch):
    g = contextual_map(Instance(1, 2, 3))
    chosen = ["prop4.network", "prop4.network-bounded"]
    shorter = quantizer(g.instance).without_layer(2)
    small = small_map(g.instance)
    with monkeypatch.context() as patch:
        patch.setattr(quantizer_room, "quantizer", lambda _: shorter)
        found = verify(g, chosen)
        assert found.refuted == chosen
        # without its second step 1/3 stays 1/3 and 1/2 is not rounded: only the centres go wrong
        assert found["prop4.network-bounded"].counterexample.relation.name.endswith("at the centre")
    with monkeypatch.context() as patch:
        patch.setattr(value_map_room, "small_map", lambda _: ValueMap(small.network.without_layer(-1), small.targets))
        assert verify(g, ["prop4.network-bounded"]).refuted == ["prop4.network-bounded"]


@pytest.mark.parametrize("missed", [3, 7])
def test_another_count_of_duplicates_refutes_the_distance(missed):
    """(1, 2, 4) has 4 of 16: with one less, or twice as many, the power of the distance is out of its bounds."""
    g = contextual_map(Instance(1, 2, 4))
    seen = Collected({"category1": Sizes(16 - missed, 1), "category2": Sizes(missed, 1)}, [])
    (claim,) = choose(["prop4.distance-p"])
    assert not all(relation.holds for relation in claim.conclude(g, seen))


def test_every_point_of_a_cube_has_one_output():
    i = Instance(1, 2, 3)
    network = quantizer(i) + contextual_map(i).network + small_map(i).network
    outputs = {network.run(matrix([[Q(a, 30), Q(10 + b, 30)]])) for a in (0, 4, 9) for b in (0, 1, 9)}
    assert len(outputs) == 1

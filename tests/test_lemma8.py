"""Lemma 8: the cube and its centre."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.core.exact import Q, matrix
from verifier.papers.yun2020.claims import lemma8
from verifier.papers.yun2020.contextual_map import contextual_map
from verifier.papers.yun2020.instance import Instance
from verifier.run.verify import verify


def test_the_centre_and_the_corner():
    L = matrix([[0, Q(1, 2)], [Q(1, 2), 0]])
    C = lemma8.centre(L, Q(1, 2))
    assert ((Q(1, 4), Q(3, 4)), (Q(3, 4), Q(1, 4))) == C
    assert lemma8.corner(C, Q(1, 2)) == L
    assert lemma8.equivariant(matrix([[1, 2]])) == ((4, 5),)
    assert lemma8.approximation(matrix([[Q(1, 3), Q(2, 3)]]), Q(1, 2)) == ((Q(5, 4), Q(7, 4)),)


@pytest.mark.parametrize(
    ("parts", "refuted"),
    [
        ((1, 2, 2), []),
        ((1, 2, 5), []),
        ((1, 3, 3), ["lemma8.radius"]),
        ((2, 2, 2), ["lemma8.radius"]),
        ((1, 3, 2), ["lemma8.radius"]),
        ((3, 2, 2), ["lemma8.radius"]),
    ],
)
def test_the_radius_holds_for_two_entries_alone(parts, refuted):
    result = verify(contextual_map(Instance(*parts)), ["lemma8"])
    assert result.refuted == refuted
    assert {finding.failing for finding in result.findings} <= {0, result["lemma8.radius"].cases}


def test_the_smallest_counterexample_by_hand():
    """Three entries, each 1/4 from the centre of a cube of width 1/2: 3/4 > 1/2."""
    relation = verify(contextual_map(Instance(1, 3, 2)), ["lemma8.radius"])["lemma8.radius"].counterexample.relation
    assert (relation.value, relation.bound) == (Q(3, 4), Q(1, 2))


@pytest.mark.parametrize(("parts", "power"), [((1, 2, 2), 1), ((1, 3, 2), 2), ((2, 2, 2), 2), ((1, 5, 2), 3)])
def test_the_least_p_with_two_to_the_p_at_least_dn(parts, power):
    i = Instance(*parts)
    edges = verify(contextual_map(i), ["lemma8.radius-p"])["lemma8.radius-p"].edges
    assert [edge.relation.value for edge in edges] == [i.delta / 2, i.d * i.n * (i.delta / 2) ** power]


@given(st.integers(1, 3), st.integers(2, 4), st.integers(2, 5), st.data())
def test_no_point_of_a_cube_is_farther_from_the_centre_than_the_corner(d, n, N, data):
    delta = Q(1, N)
    offsets = st.builds(lambda k: Q(k, 60) * delta, st.integers(0, 59))
    L = matrix([[data.draw(st.integers(0, N - 1)) * delta for _ in range(n)] for _ in range(d)])
    X = matrix([[x + data.draw(offsets) for x in row] for row in L])
    assert lemma8.corner(X, delta) == L
    C = lemma8.centre(L, delta)
    for row, middle, low in zip(X, C, L, strict=True):
        assert all(abs(x - c) <= c - a for x, c, a in zip(row, middle, low, strict=True))


def test_a_centre_that_is_moved_is_refuted(monkeypatch):
    for amount in (Q(-1, 100), Q(1, 100)):
        monkeypatch.setattr(
            lemma8, "centre", lambda L, delta, a=amount: tuple(tuple(x + delta / 2 + a for x in r) for r in L)
        )
        refuted = verify(contextual_map(Instance(1, 2, 3)), ["lemma8"]).refuted
        assert refuted == (["lemma8.radius", "lemma8.radius-p"] if amount > 0 else [])


def test_a_centre_of_the_first_column_alone_is_not_equivariant(monkeypatch):
    monkeypatch.setattr(lemma8, "centre", lambda L, delta: tuple((row[0] + delta / 2, *row[1:]) for row in L))
    assert verify(contextual_map(Instance(1, 2, 3)), ["lemma8"]).refuted == ["lemma8.equivariant"]


def test_a_function_that_is_not_equivariant_is_seen(monkeypatch):
    monkeypatch.setattr(lemma8, "equivariant", lambda X: tuple((row[0], *(2 * x for x in row[1:])) for row in X))
    assert verify(contextual_map(Instance(2, 2, 2)), ["lemma8.equivariant"]).refuted == ["lemma8.equivariant"]

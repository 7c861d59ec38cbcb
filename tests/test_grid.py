"""Grids, categories, orbits: counted one by one against the formulas."""

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import slow_truth
from verifier.core.exact import Q
from verifier.core.multisets import multisets, orbit_size, orbits, rank, unrank
from verifier.papers.yun2020.contextual_map import contextual_map
from verifier.papers.yun2020.grid import closed_form_sizes
from verifier.papers.yun2020.instance import Instance

SMALL = [(1, 2, 2), (1, 2, 5), (1, 3, 2), (1, 3, 4), (1, 4, 3), (2, 2, 2), (2, 3, 2), (1, 5, 3)]


@pytest.mark.parametrize("parts", SMALL)
def test_categories_have_the_sizes_of_the_formulas(parts):
    instance = Instance(*parts)
    formula = closed_form_sizes(instance)
    by_hand = Counter(slow_truth.category(X) for X in slow_truth.g_plus(*parts))
    grid = contextual_map(instance).grid
    matrices, number = Counter(), Counter()
    for orbit in grid.orbits():
        category = grid.category(grid.matrix(orbit))
        matrices[category] += orbit_size(orbit)
        number[category] += 1
    for category in (1, 2, 3):
        sizes = formula[f"category{category}"]
        assert sizes.matrices == by_hand[category] == matrices[category]
        assert sizes.orbits == number[category]
    assert formula["total"].matrices == sum(by_hand.values()) == (instance.N + 1) ** (instance.d * instance.n)
    assert formula["total"].orbits == sum(number.values())


@pytest.mark.parametrize("parts", SMALL)
def test_the_orbits_of_G_plus_are_its_matrices_up_to_the_order_of_columns(parts):
    grid = contextual_map(Instance(*parts)).grid
    expected = {frozenset(Counter(zip(*X, strict=True)).items()) for X in slow_truth.g_plus(*parts)}
    seen = set()
    for orbit in grid.orbits():
        columns = tuple(tuple(Fraction(str(x)) for x in grid.columns[number]) for number in orbit)
        seen.add(frozenset(Counter(columns).items()))
    assert seen == expected
    assert len(seen) == multisets(len(grid.columns), parts[1])


@pytest.mark.parametrize("parts", [(1, 2, 3), (2, 2, 2), (2, 3, 3), (3, 2, 2)])
def test_columns_are_numbered_by_increasing_id(parts):
    grid = contextual_map(Instance(*parts)).grid
    ids = [grid.id(column) for column in grid.columns]
    assert ids == sorted(set(ids))
    assert len(ids) == (parts[2] + 1) ** parts[0]
    assert sum(id_ >= 0 for id_ in ids) == len(grid.inner) == parts[2] ** parts[0]


def test_a_column_with_a_sentinel_is_negative_and_in_category_3():
    grid = contextual_map(Instance(2, 2, 2)).grid
    X = ((Q(0), Q(0)), (Q(1, 2), Q(-16)))
    assert grid.category(X) == 3
    assert grid.ids(X) == (1, -32)


@given(st.integers(1, 9), st.integers(1, 5))
def test_orbits_come_in_lexicographic_order_and_rank_finds_their_place(columns, n):
    expected = list(combinations_with_replacement(range(columns), n))
    assert list(orbits(columns, n)) == expected
    assert len(expected) == multisets(columns, n)
    for place, orbit in enumerate(expected):
        assert rank(orbit, columns) == place
        assert unrank(place, columns, n) == orbit


@given(st.integers(1, 8), st.integers(1, 4), st.data())
def test_any_stretch_of_the_orbits_can_be_enumerated_on_its_own(columns, n, data):
    everything = list(orbits(columns, n))
    start = data.draw(st.integers(0, len(everything)))
    stop = data.draw(st.integers(0, len(everything) + 3))
    assert list(orbits(columns, n, start, stop)) == everything[start:stop]


def test_rank_and_unrank_work_far_beyond_what_can_be_enumerated():
    columns, n = 10**30, 5
    for place in (0, 1, 10**40, multisets(columns, n) - 1):
        assert rank(unrank(place, columns, n), columns) == place
    with pytest.raises(ValueError, match="outside"):
        unrank(multisets(columns, n), columns, n)
    with pytest.raises(ValueError, match="outside"):
        unrank(-1, columns, n)


def test_of_no_columns_there_is_the_empty_multiset_alone():
    assert [multisets(0, n) for n in range(3)] == [1, 0, 0]
    assert [multisets(columns, 0) for columns in range(3)] == [1, 1, 1]


def test_the_size_of_an_orbit_is_the_number_of_its_orders():
    for orbit in product(range(3), repeat=4):
        assert orbit_size(orbit) == len(set(permutations(orbit)))


def test_matrices_are_those_of_the_orbits_category_by_category():
    grid = contextual_map(Instance(1, 3, 4)).grid
    each = [list(grid.matrices(category)) for category in (1, 2, 3)]
    assert [len(some) for some in each] == [4, 16, 15]
    assert sorted(X for some in each for X in some) == sorted(grid.matrices())
    assert list(grid.matrices()) == [grid.matrix(orbit) for orbit in grid.orbits()]

"""The literal network of Lemma 6 against the naive definitions, on every ordered matrix of G+."""

import re
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import slow_truth
from verifier.core.exact import Q, matrix
from verifier.core.network import Network, Size
from verifier.papers.yun2020.contextual_map import contextual_map, fitted
from verifier.papers.yun2020.instance import Instance
from verifier.papers.yun2020.interval import Interval
from verifier.run.verify import verify


def exactly(X):
    return matrix([[Q(x.numerator, x.denominator) for x in row] for row in X])


def states(network, X):
    return [X, *(step.after for step in network.trace(X))]


@pytest.mark.parametrize(
    "parts", [(1, 2, 2), (1, 2, 3), (1, 2, 4), (1, 2, 5), (1, 3, 2), (1, 3, 3), (1, 3, 4), (2, 2, 2)]
)
def test_every_matrix_after_every_layer(parts):
    network = contextual_map(Instance(*parts)).network
    for X in slow_truth.g_plus(*parts):
        assert states(network, exactly(X)) == [exactly(Y) for Y in slow_truth.g_c(*parts, X)]


@settings(max_examples=60)
@given(st.sampled_from([(1, 2, 3), (1, 3, 2), (2, 2, 2), (2, 3, 2), (3, 2, 2)]), st.data())
def test_any_rational_matrix_off_the_grid(parts, data):
    d, n, _ = parts
    entry = st.builds(Fraction, st.integers(-20, 20), st.integers(1, 7))
    X = [[data.draw(entry) for _ in range(n)] for _ in range(d)]
    network = contextual_map(Instance(*parts)).network
    assert states(network, exactly(X)) == [exactly(Y) for Y in slow_truth.g_c(*parts, X)]


@pytest.mark.parametrize(("parts", "layers"), [((1, 3, 4), 5), ((2, 2, 3), 10), ((3, 2, 2), 9)])
def test_it_is_delta_to_the_minus_d_layers_and_one(parts, layers):
    instance = Instance(*parts)
    per_head = 4 * instance.d + 1
    size = contextual_map(instance).network.size
    assert size == Size(layers=layers, h=2, m=1, r=0, parameters=(2 * instance.B + 1) * per_head)


def test_the_one_id_that_meets_a_threshold_is_of_the_zero_matrix_at_the_global_shift():
    """There the hardmax of equal scores takes the mean of zeros, which is max and min all the same."""
    for parts in [(1, 2, 3), (1, 3, 4), (2, 2, 2)]:
        g = contextual_map(Instance(*parts))
        met = []
        for orbit in g.grid.orbits():
            for k, step in enumerate(g.network.trace(g.grid.matrix(orbit))):
                thresholds = {-head.b_Q[0] for head in step.layer.heads}
                if thresholds & set(g.grid.ids(step.before)):
                    met.append((k, step.before, step.after))
        zero = matrix([[0] * parts[1]] * parts[0])
        assert met == [(g.instance.B, zero, zero)]


def test_an_interval_says_which_edges_it_has():
    assert str(Interval(1, Q(3, 2))) == "[1, 3/2)"
    assert str(Interval(1, 2, low_closed=False, high_closed=True)) == "(1, 2]"


@pytest.mark.parametrize("part", [{"sweep": []}, {"global_shift": None}, {"interval": (0, 1)}, {"grid": "G+"}])
def test_a_part_of_another_kind_is_turned_away(part):
    with pytest.raises(TypeError, match=next(iter(part))):
        replace(contextual_map(Instance(1, 2, 2)), **part)


def test_a_network_that_runs_in_its_own_way_is_turned_away():
    class Other(Network):
        pass

    with pytest.raises(TypeError, match="it must be a Network"):
        replace(contextual_map(Instance(1, 2, 2)), sweep=Other())


def test_levels_of_ones_own_are_visited_in_their_order():
    i = Instance(1, 3, 3)
    assert contextual_map(i, levels=i.levels) == contextual_map(i)
    g = contextual_map(i, levels=[Q(1, 3), 0])
    assert g.sweep.layers == (contextual_map(i).sweep.layers[1], contextual_map(i).sweep.layers[0])
    with pytest.raises(ValueError, match=r"0\.5 is a float"):
        contextual_map(i, levels=[0.5])


def test_q_is_the_value_of_each_column_as_it_stands():
    g = contextual_map(Instance(1, 2, 2))
    assert g.q([[0, Q(1, 2)]]) == (13, Q(27, 2))
    assert g.q([[Q(1, 2), 0]]) == (Q(27, 2), 13)


@pytest.mark.parametrize("parts", [(1, 2, 2), (1, 3, 4), (2, 2, 2)])
def test_fitted_is_the_smallest_interval_that_holds_category_1(parts):
    g = fitted(contextual_map(Instance(*parts)))
    values = [q for X in g.grid.matrices(1) for q in g.q(X)]
    for q in (min(values), max(values)):
        smaller = Interval(g.interval.low, g.interval.high, q != g.interval.low, q != g.interval.high)
        assert verify(replace(g, interval=smaller), "lemma6.3").refuted == ["lemma6.3"]
    assert verify(g, "lemma6").verdict == "holds"


def test_fitted_says_where_there_is_nothing_to_fit():
    with pytest.raises(ValueError, match="Category 1 is empty, since n > N"):
        fitted(contextual_map(Instance(1, 3, 2)))


@pytest.mark.parametrize(
    ("slip", "words"),
    [
        (lambda g: contextual_map(g.interval), "it takes an Instance, as in contextual_map(Instance(d=1, n=3, N=4))"),
        (lambda g: fitted(g.instance), "is no ContextualMap; contextual_map(Instance(1, 3, 4)) makes one"),
        (lambda g: contextual_map(g.instance, levels=3), "3 is not a vector; a vector is a list of numbers"),
        (lambda g: contextual_map(g.instance, u=2), "2 is not a vector; a vector is a list of numbers"),
        (lambda g: g.q([0, Q(1, 4), Q(1, 2)]), "0 is not a vector; a vector is a list of numbers"),
        (lambda g: g.q(3), "3 is not a matrix; a matrix is a list of rows"),
        (lambda g: list(g.grid.matrices(4)), "there is no category 4; they are 1, 2 and 3"),
    ],
)
def test_a_slip_is_answered_by_what_would_be_right(slip, words):
    with pytest.raises((TypeError, ValueError), match=re.escape(words)):
        slip(contextual_map(Instance(1, 3, 4)))


@pytest.mark.parametrize(
    "numbers",
    [{}, {"sentinel": Q(-7)}, {"sweep_factor": Q(9, 2)}, {"global_factor": Q(5)}, {"t_l": Q(1), "t_r": Q(2)}],
    ids=str,
)
def test_the_numbers_that_are_noted_are_those_of_the_layers(numbers):
    g = contextual_map(Instance(1, 2, 3), **numbers)
    assert g.exchanged == numbers
    assert replace(g).exchanged == numbers  # a new map: nothing is noted of it
    assert replace(g, sweep=g.sweep.without_layer(0)).exchanged is None
    assert contextual_map(Instance(1, 2, 3), levels=[Q(0)], **numbers).exchanged is None

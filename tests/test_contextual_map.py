"""The literal network of Lemma 6 against the naive definitions, on every ordered matrix of G+."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import slow_truth
from verifier.constructions.contextual_map import Interval, contextual_map
from verifier.exact import Q, matrix
from verifier.instance import Instance
from verifier.network import Network, Size


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

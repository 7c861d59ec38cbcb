"""Networks: stacks of layers as data."""

from dataclasses import dataclass

import pytest

from verifier.constructions.contextual_map import psi, selective_shift
from verifier.exact import NotExact, Q, matrix
from verifier.layers import Attention, FeedForward, PiecewiseLinear
from verifier.network import Network, Size

RELU = PiecewiseLinear(breaks=(0,), pieces=((0, 0), (1, 0)))
ATTENTION = selective_shift((Q(1),), Q(0), Q(2), Q(1, 2))
TOKENWISE = FeedForward(W_1=((1,), (2,)), b_1=(0, 0), W_2=((1, 1),), b_2=(0,), phi=RELU)


@dataclass(frozen=True)
class Half:
    """Somebody's own layer, in floats."""

    parameters: int = 0

    def apply(self, X):
        return tuple(tuple(float(x) / 2 for x in row) for row in X)


def test_run_is_the_last_matrix_of_the_trace():
    network = Network((ATTENTION, TOKENWISE))
    X = matrix([[0, Q(1, 2)]])
    first, second = network.trace(X)
    assert first.before == X
    assert first.after == second.before == matrix([[1, Q(1, 2)]])  # 0 + 2 (1/2 - 0)
    assert network.run(X) == second.after == matrix([[4, 2]])
    assert first.values == (((Q(1, 2), Q(1, 2)),), ((0, Q(1, 2)),))
    assert second.values == ()


def test_the_size_counts_layers_heads_and_numbers():
    network = Network((ATTENTION, TOKENWISE, Attention((psi((Q(1),), Q(0), Q(1)),))))
    assert network.size == Size(layers=3, h=2, m=1, r=2, parameters=10 + 7 + 5)
    assert len(network) == 3
    assert Network().size == Size(0, 0, 0, 0, 0)


def test_layers_can_be_exchanged():
    network = Network((ATTENTION, TOKENWISE))
    assert network.without_layer(0).layers == (TOKENWISE,)
    assert network.with_layer(1, ATTENTION).layers == (ATTENTION, ATTENTION)
    assert (network + network.without_layer(-1)).layers == (ATTENTION, TOKENWISE, ATTENTION)


def test_no_float_comes_out_of_anybodys_own_layer_or_goes_into_a_run():
    with pytest.raises(NotExact, match=r"0\.5"):
        Network((Half(),)).run(matrix([[1]]))
    with pytest.raises(NotExact):
        Network((ATTENTION,)).run([[0.5, 1]])

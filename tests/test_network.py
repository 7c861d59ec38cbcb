"""Networks: stacks of layers as data."""

from dataclasses import dataclass

import pytest

from verifier.core.exact import NotExact, Q, matrix
from verifier.core.layers import Attention, FeedForward, Head, PiecewiseLinear
from verifier.core.network import BadLayer, Network, Size
from verifier.papers.yun2020.contextual_map import psi, selective_shifts

RELU = PiecewiseLinear(breaks=(0,), pieces=((0, 0), (1, 0)))
(ATTENTION,) = selective_shifts((Q(1),), [Q(0)], Q(2), Q(1, 2))
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


def test_the_size_is_of_the_largest_head_and_the_widest_layer():
    wide = Head(W_O=((1, 1),), W_V=((1,), (1,)), W_K=((1,), (1,)), W_Q=((1,), (1,)), b_Q=(0, 0))
    narrow = FeedForward(W_1=((1,),), b_1=(0,), W_2=((1,),), b_2=(0,), phi=RELU)
    stack = [ATTENTION, Attention((wide,)), TOKENWISE, narrow]
    assert Network(stack).size == Size(layers=4, h=2, m=2, r=2, parameters=10 + 10 + 7 + 4)
    assert Network(stack) == Network(tuple(stack))


def test_layers_can_be_exchanged():
    network = Network((ATTENTION, TOKENWISE))
    assert network.without_layer(0).layers == (TOKENWISE,)
    assert network.with_layer(1, ATTENTION).layers == (ATTENTION, ATTENTION)
    assert (network + network.without_layer(-1)).layers == (ATTENTION, TOKENWISE, ATTENTION)


@dataclass(frozen=True)
class Own:
    """Somebody's own layer, that makes anything of X."""

    made: object
    parameters: int = 0

    def apply(self, _):
        return self.made


def test_no_float_comes_out_of_anybodys_own_layer_or_goes_into_a_run():
    with pytest.raises(BadLayer, match=r"layer 1, Half: 1\.0 is a float"):
        Network((ATTENTION, Half())).run(matrix([[0, 1]]))
    with pytest.raises(NotExact):
        Network((ATTENTION,)).run([[0.5, 1]])


@pytest.mark.parametrize("made", [[[1]], [[1, 2, 3]], [[1, 2], [3, 4]], None, 7, [], [[1], [2]]])
def test_a_layer_that_makes_another_shape_is_named(made):
    with pytest.raises(BadLayer, match="layer 0, Own"):
        Network((Own(made),)).run(matrix([[0, 1]]))


def test_a_subclass_of_a_layer_is_anybodys_own_layer():
    """What it makes of a matrix is what its own apply says, and not what its heads would have made."""

    class Nothing(Attention):
        def apply(self, X):
            return tuple(tuple(x * 0 for x in row) for row in X)

    assert Network((Nothing(ATTENTION.heads),)).run(matrix([[1, 2]])) == matrix([[0, 0]])


def test_what_is_no_layer_or_no_head_is_turned_away():
    with pytest.raises(TypeError, match="layer 0, None"):
        Network((None,))
    with pytest.raises(TypeError, match=r"whole number of parameters"):
        Network((Own([[1]], parameters=1.5),))
    with pytest.raises(TypeError, match="head 0"):
        Attention((lambda X: X,))


def test_a_layer_that_is_not_there_can_not_be_exchanged():
    network = Network((ATTENTION, TOKENWISE))
    assert network.without_layer(-2) == network.without_layer(0)
    for k in (-3, 2):
        with pytest.raises(IndexError, match=rf"there is no layer {k}; there are 2, from 0 to 1"):
            network.without_layer(k)
        with pytest.raises(IndexError, match=f"there is no layer {k}"):
            network.with_layer(k, ATTENTION)
    for k in (True, "0"):
        with pytest.raises(TypeError, match=f"{k!r} is no number of a layer; there are 2, from 0 to 1"):
            network.without_layer(k)


def test_more_than_ten_layers_are_shown_as_nine_and_their_number():
    shown = {count: repr(Network((Half(),) * count).layers) for count in (1, 10, 11)}
    its = "Half(parameters=0),\n "
    assert shown[1] == f"({its[:-2]})"
    assert shown[10] == f"({its * 9}{its[:-2]})"
    assert shown[11] == f"({its * 9}... and 2 more: layers[9], ..., layers[10])"


def test_a_table_shows_weights_wherever_they_stand():
    """Not the first number of a matrix alone, which is 0 in many a head that isn't."""

    def shown(W_O):
        rows = len(W_O)
        (head,) = (Head(W_O, ((0,) * (rows - 1) + (1,),), ((0,) * rows,), ((0,) * rows,), (0,)),)
        return Network((Attention((head,)),))._repr_html_()

    assert "W_O = [0; 3], b_Q = 0" in shown(((0,), (3,)))
    assert "W_O = [0; 0], b_Q = 0" in shown(((0,), (0,)))
    long = ((0,), *((10**9 + k,) for k in range(1, 6)))
    assert "W_O = 1000000001 at (2, 1), 1000000002 at (3, 1), 1000000003 at (4, 1) and 2 more, b" in shown(long)
    assert "W_O = 0, b_Q = 0" in shown(((0,),) * 20)


def test_a_network_in_a_line_and_as_a_table():
    head = Head(W_O=((10**23,),), W_V=((1,),), W_K=((1,),), W_Q=((1,),), b_Q=(10**24,))
    network = Network((Attention((head,)), Attention((psi((Q(1),), Q(0), Q(1)),) * 5), TOKENWISE, Own([[1]], 2000)))
    assert repr(network) == "<Network: 4 layers, h = 5, m = 1, 2,037 parameters>"
    html = network._repr_html_()
    assert html.startswith("<div><p>Network: 4 layers, h = 5, m = 1, 2,037 parameters</p>")
    cells = [row.split("</td>")[:-1] for row in html.split("<tr>")[2:]]
    assert [[cell.partition(">")[2] for cell in row] for row in cells] == [
        ["0", "attention, 1 head", f"W_O = {10**23}, b_Q = 100000000000...(25 digits)"],
        ["1", "attention, 5 heads", "; ".join([*["W_O = 1, b_Q = 0"] * 4, "and 1 more"])],
        ["2", "feed-forward, hidden size 2", "2 pieces"],
        ["3", "Own", "2,000 parameters"],
    ]
    assert network._repr_html_("Mine").startswith("<div><p>Mine</p>")
    assert "rows more" not in Network((TOKENWISE,) * 40)._repr_html_()
    many = Network((TOKENWISE,) * 41)._repr_html_()
    assert (many.count("<tr>"), "and 1 row more" in many) == (1 + 40, True)

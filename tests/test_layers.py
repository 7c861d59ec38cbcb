"""Attention heads, hardmax, phi and token-wise layers, on small numbers that can be redone by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import slow_truth
from verifier.core.exact import NotExact, Q, matrix
from verifier.core.layers import Attention, FeedForward, Head, PiecewiseLinear, hardmax
from verifier.papers.yun2020.contextual_map import psi

rationals = st.builds(Q, st.integers(-9, 9), st.integers(1, 6))


def test_hardmax_shares_between_ties():
    assert hardmax((Q(1), Q(3), Q(2))) == (0, 1, 0)
    assert hardmax((Q(3), Q(1), Q(3))) == (Q(1, 2), 0, Q(1, 2))
    assert hardmax((Q(0), Q(0), Q(0))) == (Q(1, 3), Q(1, 3), Q(1, 3))


def test_a_head_reads_the_maximum_above_the_threshold_and_the_minimum_below():
    head = psi((Q(1),), Q(1, 2), Q(1))
    assert head.value(matrix([[0, 1, 2]])) == ((0, 2, 2),)


def test_a_head_reads_the_mean_exactly_at_the_threshold():
    head = psi((Q(1),), Q(1), Q(1))
    assert head.value(matrix([[0, 1, 3]])) == ((0, Q(4, 3), 3),)


def test_ties_among_maxima_are_the_maximum():
    head = psi((Q(1),), Q(0), Q(1))
    assert head.value(matrix([[-1, 2, 2]])) == ((-1, 2, 2),)


@given(st.integers(1, 3), st.integers(1, 4), rationals, st.data())
def test_psi_is_the_naive_psi_on_any_rational_matrix(d, n, b, data):
    X = [[data.draw(rationals) for _ in range(n)] for _ in range(d)]
    u = [data.draw(rationals) for _ in range(d)]
    head = psi(tuple(u), b, Q(1))
    assert list(head.value(matrix(X))[0]) == slow_truth.psi(u, X, b)
    moved = Attention((head,)).apply(matrix(X))
    assert moved == matrix(slow_truth.add_to_first_row(X, slow_truth.psi(u, X, b)))


def test_heads_add_up_and_wider_heads_are_allowed():
    identity, half = ((1, 0), (0, 1)), ((Q(1, 2), 0), (0, Q(1, 2)))
    head = Head(W_O=half, W_V=identity, W_K=identity, W_Q=identity, b_Q=(0, 0))
    X = matrix([[1, 0], [0, 2]])
    # scores X^T X = [[1, 0], [0, 4]]: each column attends to itself
    assert Attention((head, head)).apply(X) == matrix([[2, 0], [0, 4]])
    assert (head.m, head.parameters) == (2, 18)


def test_shapes_that_do_not_fit_are_turned_away():
    with pytest.raises(ValueError, match="W_Q is 1 x 3"):
        Head(W_O=((1,), (0,)), W_V=((1, 2),), W_K=((1, 2),), W_Q=((1, 2, 3),), b_Q=(0,))
    with pytest.raises(ValueError, match="b_Q has 2 entries"):
        Head(W_O=((1,),), W_V=((1,),), W_K=((1,),), W_Q=((1,),), b_Q=(0, 0))


def test_no_float_becomes_a_weight():
    with pytest.raises(NotExact, match=r"0\.5"):
        Head(W_O=((0.5,),), W_V=((1,),), W_K=((1,),), W_Q=((1,),), b_Q=(0,))
    with pytest.raises(NotExact):
        PiecewiseLinear(breaks=(0,), pieces=((1, 0), (0.5, 0)))


QUANTISE = PiecewiseLinear(breaks=(0, Q(1, 4)), pieces=((0, 0), (-1, 0), (0, 0)))


def test_a_break_belongs_to_the_piece_on_its_right_unless_it_says_otherwise():
    assert [QUANTISE(t) for t in (Q(-1, 100), Q(0), Q(1, 8), Q(1, 4), Q(1))] == [0, 0, Q(-1, 8), 0, 0]
    closed = PiecewiseLinear(breaks=(0, 1), pieces=((0, 5), (0, 6), (0, 7)), left_owned={1})
    assert [closed(Q(t)) for t in (-1, 0, 1, 2)] == [5, 6, 6, 7]


def test_malformed_phi_is_turned_away():
    with pytest.raises(ValueError, match="increase"):
        PiecewiseLinear(breaks=(1, 0), pieces=((0, 0),) * 3)
    with pytest.raises(ValueError, match="3 pieces"):
        PiecewiseLinear(breaks=(0, 1), pieces=((0, 0),) * 2)
    with pytest.raises(ValueError, match="no break"):
        PiecewiseLinear(breaks=(0,), pieces=((0, 0),) * 2, left_owned={1})


def test_a_feed_forward_layer_works_on_each_token():
    layer = FeedForward(W_1=((1, 0),), b_1=(0,), W_2=((1,), (0,)), b_2=(0, 0), phi=QUANTISE)
    assert layer.apply(matrix([[Q(1, 8), Q(1, 2)], [7, 8]])) == matrix([[0, Q(1, 2)], [7, 8]])
    assert (layer.r, layer.parameters) == (1, 7)

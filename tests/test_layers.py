"""Attention heads, hardmax, phi and token-wise layers, on small numbers that can be redone by hand."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import slow_truth
from verifier.core.exact import NotExact, Q, matrix
from verifier.core.layers import (
    Attention,
    FeedForward,
    Head,
    PiecewiseLinear,
    _cut,
    add,
    add_bias,
    add_product,
    hardmax,
    product,
    swap,
    transpose,
)
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


def test_products_and_sums_of_shapes_that_do_not_fit_are_turned_away():
    """Though the wide one could be cut, and a row be met by too few: a zip that stops early gives some matrix."""
    wide, tall, square = matrix([[1, 2]]), matrix([[3], [4]]), matrix([[5, 6], [7, 8]])
    assert product(wide, tall) == ((11,),)
    assert product(wide, square) == ((19, 22),)
    with pytest.raises(ValueError, match="a matrix of 2 columns times one of 1 rows"):
        product(square, wide)
    with pytest.raises(ValueError, match="a matrix of 1 columns times one of 2 rows"):
        product(tall, square)
    assert add(wide, wide) == ((2, 4),)
    for A, C in ((wide, tall), (tall, wide), (wide, square), (square, wide), (tall, square)):
        with pytest.raises(ValueError, match=rf"a {len(A)} x {len(A[0])} matrix plus a {len(C)} x {len(C[0])} one"):
            add(A, C)
    assert add_product(square, tall, wide) == ((8, 12), (11, 16))
    for A, C in ((square, wide), (tall, square)):
        with pytest.raises(ValueError, match=f"a matrix of {len(A[0])} columns times one of {len(C)} rows"):
            add_product(square, A, C)
    assert add_bias(square, (1, -1)) == ((6, 7), (6, 7))
    assert transpose(square) == ((5, 7), (6, 8))
    assert swap(((1, 2, 3, 4, 5),), 1) == ((1, 3, 2, 4, 5),)
    assert swap(((1, 2, 3, 4),), 0) == ((2, 1, 3, 4),)


def test_heads_of_a_layer_write_to_as_many_rows():
    one = Head(W_O=((1,),), W_V=((1,),), W_K=((1,),), W_Q=((1,),), b_Q=(0,))
    two = Head(W_O=((1,), (1,)), W_V=((1, 0),), W_K=((1, 0),), W_Q=((1, 0),), b_Q=(0,))
    assert Attention((two, two)).heads == (two, two)
    with pytest.raises(ValueError, match="head 1 has 2 rows, and head 0 has 1"):
        Attention((one, two))
    with pytest.raises(ValueError, match="head 2 has 1 rows, and head 0 has 2"):
        Attention((two, two, one))
    assert Attention(()).apply(matrix([[1, 2]])) == matrix([[1, 2]])
    assert Attention([two, two]).heads == (two, two)
    assert Attention([two, two]).parameters == 2 * (4 * 2 + 1)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("W_1", ((1, 2),), "W_2 is 1 x 1, but d = 2 elsewhere"),
        ("W_1", ((1,), (2,)), "W_2 is 1 x 1, but r = 2 elsewhere"),
        ("W_2", ((1,), (2,)), "W_2 is 2 x 1, but d = 1 elsewhere"),
        ("b_1", (0, 0), "b_1 has 2 entries, and 1 are needed"),
        ("b_2", (), "b_2 has 0 entries, and 1 are needed"),
    ],
)
def test_a_token_wise_layer_of_shapes_that_do_not_fit_is_turned_away(name, value, message):
    weights = {"W_1": ((1,),), "b_1": (0,), "W_2": ((1,),), "b_2": (0,), "phi": QUANTISE}
    assert FeedForward(**weights).parameters == 4
    with pytest.raises(ValueError, match=message):
        FeedForward(**weights | {name: value})


def test_no_float_becomes_a_weight():
    with pytest.raises(NotExact, match=r"0\.5"):
        Head(W_O=((0.5,),), W_V=((1,),), W_K=((1,),), W_Q=((1,),), b_Q=(0,))
    with pytest.raises(NotExact):
        PiecewiseLinear(breaks=(0,), pieces=((1, 0), (0.5, 0)))


def test_what_is_given_in_lists_of_whole_numbers_is_kept_in_tuples_of_rationals():
    """So that layers can be compared, hashed, and run in exact numbers whatever they were written in."""
    head = Head(W_O=[[1]], W_V=[[2]], W_K=[[3]], W_Q=[[4]], b_Q=[5])
    assert head == Head(((Q(1),),), ((Q(2),),), ((Q(3),),), ((Q(4),),), (Q(5),))
    assert {type(x) for W in (head.W_O, head.W_V, head.W_K, head.W_Q, (head.b_Q,)) for x in W[0]} == {type(Q(1))}
    phi = PiecewiseLinear([0, 1], [[0, 1], [1, 0], [2, -1]], [0, 1])  # every break may be owned by the piece before it
    assert phi == PiecewiseLinear((Q(0), Q(1)), ((0, 1), (1, 0), (2, -1)), frozenset({Q(0), Q(1)}))
    assert {type(x) for x in (*phi.breaks, *phi.pieces[0], *phi.left_owned)} == {type(Q(1))}
    assert [phi(Q(t)) for t in (0, 1, 2)] == [1, 1, 3]
    layer = FeedForward([[1]], [0], [[1]], [0], phi)
    assert layer == FeedForward(((1,),), (0,), ((1,),), (0,), phi)
    assert hash(layer) == hash(FeedForward(((1,),), (0,), ((1,),), (0,), phi))
    assert hash(head) == hash(Head(((1,),), ((2,),), ((3,),), ((4,),), (5,)))


def test_a_head_with_another_bias_is_as_strict_as_one_that_is_made_anew():
    head, other = (Head([[1], [2]], [[3, 0]], [[0, 4]], [[5, 0]], [bias]) for bias in (6, Q(1, 7)))
    assert head.with_bias([Q(1, 7)]) == other != head
    assert head.with_bias([Q(1, 7)]).W_Q is head.W_Q
    with pytest.raises(ValueError, match="b_Q has 2 entries, and 1 are needed"):
        head.with_bias([1, 2])
    with pytest.raises(NotExact, match="float"):
        head.with_bias([0.5])


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


# How layers show themselves


@pytest.mark.parametrize(
    ("W", "text"),
    [
        ([[5]], "5"),
        ([[1, 2]], "[1, 2]"),
        ([[1], [2]], "[1; 2]"),
        ([[1, 2, 3], [4, 5, Q(6, 7)]], "[1, 2, 3; 4, 5, 6/7]"),
        ([[0] * 7], "1 x 7"),
        ([[0] * 4] * 2, "2 x 4"),
        ([[10**23]], f"{10**23}"),
        ([[10**24]], "100000000000...(25 digits)"),
    ],
)
def test_weights_in_a_few_characters(W, text):
    assert _cut(matrix(W)) == text


HEAD = Head([[1], [2]], [[1, 0]], [[0, 1]], [[Q(1, 3), 0]], [-5])
WEIGHTS = ["[1; 2]", "[1, 0]", "[0, 1]", "[1/3, 0]", "-5"]


def cells(html):
    return [re.findall("<td[^>]*>([^<]*)<", row) for row in html.split("<tr>")[2:]]


def test_heads_in_a_line_and_as_a_table():
    its = "<Head: W_O = [1; 2], W_V = [1, 0], W_K = [0, 1], W_Q = [1/3, 0], b_Q = -5>"
    assert repr(HEAD) == its
    assert [repr(Attention([HEAD] * k)) for k in (1, 2, 3)] == [
        f"<Attention: {its}>", f"<Attention: {its}, {its}>", f"<Attention: {its}, {its} and 1 more>"
    ]  # fmt: skip
    assert cells(Attention([HEAD] * 2)._repr_html_()) == [["0", *WEIGHTS], ["1", *WEIGHTS]]
    assert (HEAD.d, Attention([HEAD]).d, Attention([]).d) == (2, 2, None)


def test_a_token_wise_layer_in_a_line_and_as_a_table():
    layer = FeedForward([[1, 0]], [3], [[4], [5]], [6, 7], PiecewiseLinear([0], [(0, 8), (9, 0)]))
    assert repr(layer) == "<FeedForward: W_1 = [1, 0], b_1 = 3, W_2 = [4; 5], b_2 = [6, 7], phi of 2 pieces>"
    assert cells(layer._repr_html_()) == [
        ["W_1", "[1, 0]"], ["b_1", "3"], ["W_2", "[4; 5]"], ["b_2", "[6, 7]"],
        ["phi, piece 0", "0 t + 8"], ["phi, piece 1", "9 t + 0"],
    ]  # fmt: skip

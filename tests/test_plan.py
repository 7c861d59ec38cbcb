"""Layers in whole numbers: how long their numbers can become, and where they do nothing."""

from importlib import import_module
from itertools import product
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.core.exact import Q
from verifier.core.layers import Attention, FeedForward, Head, PiecewiseLinear
from verifier.core.network import Network
from verifier.core.whole import compiled, plan, run
from verifier.core.whole.plan import Node, Search, WholeAttention, WholeFeedForward, WholeHead

# Bounds


def head(W_K=((1,),), W_Q=((1,),), b_Q=(0,), W_V=((1,),), W_O=((1,),)):
    return WholeHead(W_K, W_Q, b_Q, W_V, W_O, 1)


def attention(*heads, q=1):
    return WholeAttention(q, 1, heads)


def node(W_1=(1,), b_1=0, breaks=(0,), pieces=(None, (((1,),), (0,)))):
    return Node(W_1, b_1, breaks, (False,) * len(breaks), pieces)


def token_wise(*nodes, q=1, b_2=(0,)):
    return WholeFeedForward(q, 1, nodes, b_2)


TWO = ((3, -4), (1, 1))  # rows of sums 7 and 2


@pytest.mark.parametrize(
    ("op", "X", "S", "n", "bits"),
    [
        (attention(), 10, 4, 1, 12),  # x itself, and a bit each for what is added and for n
        (attention(q=9), 10, 20, 1, 24),  # q s
        (attention(q=1000), 10, 1, 1, 21),  # q x
        (attention(head(W_K=((-9,),))), 10, 4, 1, 15),  # a key: 4 bits, 1 of m
        (attention(head(W_Q=((9,),))), 10, 4, 1, 15),  # W_Q x, and 1 for the sum
        (attention(head(b_Q=(-9,))), 10, 20, 1, 25),  # b s, and 1 for the sum
        (attention(head(TWO, TWO, (0, 0), TWO, TWO)), 10, 4, 1, 29),  # a score: 3 + 2 + 10 and 3 + 10 + 1
        (attention(head(TWO, TWO, (0, 99), TWO, TWO)), 10, 9, 1, 32),  # a score: 3 + 2 + 10 and 7 + 9 + 1
        (attention(head(W_V=((9,),))), 10, 4, 5, 17),  # q + 9, times x, n times
        (attention(head(W_O=((-9,),)), head(W_V=((22,),))), 10, 4, 1, 17),  # q + 9 + 22 = 32
        (attention(head(W_V=TWO, W_O=TWO)), 10, 4, 1, 17),  # q + 7 . 7 = 50
        (attention(head(W_V=((999,),), W_O=((0,),))), 10, 4, 1, 21),  # what is read, though nothing is made of it
        (attention(head(W_V=((0,),), W_O=((999,),))), 10, 4, 1, 21),
        (attention(head(W_V=((999,),), W_O=((0,),)), head()), 10, 4, 1, 21),
        (token_wise(), 10, 4, 1, 12),  # x, and 1 for the sum
        (token_wise(q=9), 10, 4, 1, 15),
        (token_wise(q=9), 4, 10, 1, 15),  # q s
        (token_wise(b_2=(3, -9)), 4, 10, 1, 15),
        (token_wise(node(W_1=(30, -33))), 10, 4, 1, 17),  # t
        (token_wise(node(b_1=-99)), 4, 10, 1, 18),
        (token_wise(node(breaks=(-99, 3), pieces=(None,) * 3)), 4, 10, 1, 18),
        (token_wise(node(breaks=(), pieces=(None,))), 10, 4, 1, 12),
        (token_wise(node(breaks=(), pieces=(None,)), b_2=(1,)), 4, 10, 1, 12),
        (token_wise(node(pieces=((((0,),), (-9,)), (((0,),), (1,))))), 4, 10, 1, 15),
        (token_wise(node(pieces=(None, (TWO, (-9, 1))))), 4, 10, 1, 15),
        (token_wise(node(W_1=(1,)), node(W_1=(63,)), node(W_1=(2,))), 10, 4, 1, 17),
        (token_wise(node(pieces=(None, (TWO, (0, 0))))), 10, 4, 1, 15),  # q + 7
        (token_wise(node(pieces=((((2,),), (0,)), (TWO, (0, 0)))), node(pieces=(None, (((8,),), (0,))))), 10, 4, 1, 16),
        (token_wise(node(pieces=(None, (((0,),), (-9,)))), node(pieces=(None, (((0,),), (7,))))), 4, 10, 1, 16),
    ],
)  # fmt: skip
def test_how_long_the_numbers_of_a_layer_become(op, X, S, n, bits):
    """For |x| < 2^X and s < 2^S; each of these would be another if a part of the layer were another."""
    assert op.growth(X, S, n) == bits


def test_a_denominator_of_means():
    assert [plan.denominator_of_means(n) for n in range(1, 7)] == [1, 2, 6, 12, 60, 60]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def numbers_on_the_way(op, columns, s):
    """Of columns that are all the same, so that all tie."""
    column, n = columns[0], len(columns)
    yield op.q * s
    total = [[op.q * x] for x in column]
    if type(op) is WholeAttention:
        for h in op.heads:
            keys, values = ([dot(row, column) for row in W] for W in (h.W_K, h.W_V))
            query = [dot(row, column) for row in h.W_Q]
            moved = [a + b * s for a, b in zip(query, h.b_Q, strict=True)]
            yield from (*keys, *values, *query, *moved, *(b * s for b in h.b_Q))
            yield from [n * value for value in values]
            if h.m > 1:
                yield from (dot(keys, moved), *(a * b for a, b in zip(keys, moved, strict=True)))
            for i, row in enumerate(h.W_O):
                yield n * dot(row, values)
                total[i].append(dot(row, values))
    else:
        for i, b in enumerate(op.b_2):
            yield b * s
            total[i].append(b * s)
        for its in op.nodes:
            yield from (
                dot(its.W_1, column),
                its.b_1 * s,
                dot(its.W_1, column) + its.b_1 * s,
                *(b * s for b in its.breaks),
            )
            G, h = next(piece for piece in its.pieces if piece is not None)
            for i, (row, b) in enumerate(zip(G, h, strict=True)):
                yield from (dot(row, column), b * s, dot(row, column) + b * s)
                total[i].append(dot(row, column) + b * s)
    for terms in total:
        yield from (sum(terms[:k]) for k in range(1, len(terms) + 1))


signed = st.one_of(st.integers(-3, 3), st.builds(lambda k, sign: sign * (2**k - 1), st.integers(0, 30), st.sampled_from([1, -1])))  # fmt: skip  # noqa: E501


def rows(count, length):
    return st.tuples(*[st.tuples(*[signed] * length)] * count)


@st.composite
def layers(draw):
    d, m, q = draw(st.integers(1, 2)), draw(st.integers(1, 2)), draw(signed.map(lambda k: abs(k) + 1))
    if draw(st.booleans()):
        shapes = [rows(m, d), rows(m, d), rows(1, m), rows(m, d), rows(d, m)]
        return d, attention(
            *(head(*(K, W_Q, *b, V, O)) for K, W_Q, b, V, O in draw(st.lists(st.tuples(*shapes), max_size=2))), q=q
        )
    shapes = st.tuples(rows(1, d), signed, rows(1, 2), rows(d, d), rows(1, d))
    nodes = [
        node(W, b, breaks, (None, (G, h), None)) for (W,), b, (breaks,), G, (h,) in draw(st.lists(shapes, max_size=2))
    ]
    return d, token_wise(*nodes, q=q, b_2=draw(rows(1, d))[0])


@settings(max_examples=100, deadline=None)
@given(layers(), st.integers(1, 40), st.integers(1, 40), st.integers(1, 9), st.data())
def test_no_number_on_the_way_is_longer(layer, X, S, n, data):
    d, op = layer
    column = tuple(data.draw(st.sampled_from([2**X - 1, 1 - 2**X])) for _ in range(d))
    bits = op.growth(X, S, n)
    assert bits > max(X, S)
    assert all(abs(x).bit_length() <= bits for x in numbers_on_the_way(op, [column] * n, 2**S - 1))


# Where a layer does nothing


def shift(row, low, high, *, keys=None, W_O=((1,), (-1,)), cq=1):
    """A head that adds the keys' largest or smallest, by the sign of row . x - low; and one that takes it away."""
    heads = []
    for (w,), end, times in zip(W_O, (low, high), (1, cq), strict=True):
        K = keys or (row, row)
        heads.append(
            WholeHead((K[len(heads)],), (tuple(times * x for x in row),), (-times * end,), ((1, 0),), ((w,), (0,)), 1)
        )
    return heads


def test_two_heads_that_cancel_do_nothing_outside_their_window():
    assert attention(*shift((1, 5), 3, 8)).idle == ((1, 5), 3, 8)
    assert attention(*shift((1, 5), 8, 3)).idle == ((1, 5), 3, 8)
    assert attention(*shift((1, 5), -3, 8, cq=7)).idle == ((1, 5), -3, 8)
    assert attention(*shift((0, 2), 3, 8, keys=((0, 1), (0, 4)))).idle == ((0, 2), 3, 8)
    a, b = shift((2, 4), 3, 8)
    odd = WholeHead(b.W_K, ((3, 6),), (-10,), b.W_V, b.W_O, 1)  # 3 . (1, 2) x > 10, where row . x = 2 . (1, 2) x > 20/3
    assert attention(a, odd).idle == ((2, 4), 3, 7)
    assert attention(odd, a).idle == ((3, 6), 4, 10)  # from 9/2 on, rounded so that the window is no narrower


@pytest.mark.parametrize(
    "heads",
    [
        [],
        shift((1, 5), 3, 8)[:1],
        shift((1, 5), 3, 8) + shift((1, 5), 3, 8)[:1],
        shift((1, 5), 3, 8, W_O=((1,), (1,))),
        shift((1, 5), 3, 8, W_O=((1,), (-2,))),
        shift((0, 0), 3, 8),
        shift((1, 5), 3, 8, keys=((0, 0), (0, 0))),
        shift((1, 5), 3, 8, keys=((1, 5), (-1, -5))),
        shift((1, 5), 3, 8, keys=((1, 5), (1, 4))),
        shift((1, 5), 3, 8, keys=((1, 5), (0, 0))),
        shift((1, 5), 3, 8, cq=-1),
        [head(TWO, TWO, (0, 0), TWO, TWO)] * 2,
        [shift((1, 5), 3, 8)[0], head(TWO, TWO, (0, 0), TWO, TWO)],
        [shift((1, 5), 3, 8)[0], WholeHead(((1, 5),), ((1, 5),), (-8,), ((2, 0),), ((-1,), (0,)), 1)],
    ],
)
def test_others_may_do_something_everywhere(heads):
    assert attention(*heads).idle is None


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(0, 9)), min_size=1, max_size=6), st.data())
def test_a_search_finds_the_first_layer_whose_interval_a_number_is_in(intervals, data):
    """t is in an interval if low s <= t <= high s; the intervals are by their ends, and the layers in any order."""
    low = sorted({a for a, _ in intervals})
    high = [
        max([low[k] + width for k, (_, width) in zip(range(j + 1), intervals, strict=False)]) + j
        for j in range(len(low))
    ]
    order = data.draw(st.permutations(range(len(low))))
    its = SimpleNamespace(members=[None] * len(low), low=low, high=high, order=order)
    s = data.draw(st.integers(1, 3))
    for t, start in product(range(-10 * s, 25 * s), range(len(low) + 1)):
        inside = [layer for layer, a, b in zip(order, low, high, strict=True) if a * s <= t <= b * s and layer >= start]
        assert Search.next(its, t, s, start) == min(inside, default=len(low))


def test_parallel_rows_point_the_same_way():
    for V, W, parallel in [
        ((0, 2), (0, 4), True),
        ((2, -4), (3, -6), True),
        ((0, 2), (0, -4), False),
        ((1, 2), (2, 3), False),
        ((2, 0), (0, 2), False),
        ((0, 1), (1, 1), False),
        ((0, 1), (0, 0), False),
    ]:
        assert plan._parallel(V, W) is parallel


# Which layers are run so, and what they make


def networks():
    """Those of the oracle; it is imported when it is first asked, for it runs plans in order to test the C library."""
    return import_module("test_whole").networks()


@settings(max_examples=60, deadline=None)
@given(st.deferred(networks))
def test_a_plan_makes_of_a_matrix_what_its_layers_make(drawn):
    network, X = drawn
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiled, "library", lambda: None)
        assert run.image(network, X) == network.run(X)
        assert run.trace(network, X) == tuple(network.trace(X))


def test_at_a_break_above_and_below(monkeypatch):
    monkeypatch.setattr(compiled, "library", lambda: None)
    for left_owned in ([], [0], [1], [0, 1]):
        phi = PiecewiseLinear([0, 1], [(0, 5), (2, 0), (-1, 7)], left_owned)
        network = Network([FeedForward([[1, 0]], [0], [[3], [0]], [0, 0], phi)])
        for x in (-1, 0, Q(1, 2), 1, 2):
            assert run.image(network, [[x], [9]]) == network.run([[x], [9]])
    relu = Network([FeedForward([[1, 0]], [0], [[1], [0]], [0, 0], PiecewiseLinear([0], [(0, 0), (1, 0)]))])
    assert run.image(relu, [[3], [9]]) == ((6,), (9,))


def test_what_is_searched_makes_what_its_layers_make(monkeypatch):
    monkeypatch.setattr(compiled, "library", lambda: None)
    network = Network(windows([5, 1, 3, 2, 4], W_1=lambda k: 2 + k, write=2))
    assert ops(network.layers) == [Search]
    for x in range(-1, 8):
        for X in ([[x]], [[x * Q(1, 3)]], [[x + Q(1, 8), 9]]):
            assert run.image(network, X) == network.run(X)


def denominators(*layers):
    (made,) = plan.compiled(layers, 1)
    return made.D


def test_denominators_of_token_wise_layers_are_known_beforehand():
    """1/2 (1/3 . 1/5 + 1/10) = 1/12, and then 1/7 beside it."""
    layer = FeedForward([[1]], [Q(1, 5)], [[Q(1, 2)]], [Q(1, 7)], PiecewiseLinear([], [(Q(1, 3), Q(1, 10))]))
    assert denominators(layer) == (84, 84 * 6)  # 1/2 . 1/3 times x
    assert denominators(STEP, STEP) == (1, 1, 1)
    for e, D in ((63, 2**63), (64, 1)):
        assert denominators(FeedForward([[1]], [0], [[0]], [Q(1, 2**e)], STEP.phi))[0] == D


def test_an_attention_layer_in_whole_numbers():
    """b_Q = -5/7 asks for D = 7, so that W_Q x / 3 - 5 s is compared; 3/4 of a value x / 6 is x / 8."""
    layer = Attention([Head([[Q(3, 4)]], [[Q(1, 6)]], [[Q(1, 2)]], [[Q(1, 3)]], [Q(-5, 7)])])
    (made,) = plan.compiled([layer], 1)
    one = ((1,),)
    assert made.layers == (WholeAttention(8, 7, (WholeHead(one, one, (-15,), one, one, 6),)),)


class Other(Head):
    """Anybody's own."""


ONE = Head([[1]], [[1]], [[1]], [[1]], [0])
STEP = FeedForward([[1]], [0], [[1]], [0], PiecewiseLinear([0], [(0, 0), (0, 1)]))
OF_TWO = Attention([Head([[1], [0]], [[1, 0]], [[1, 0]], [[1, 0]], [0])])
WIDE = FeedForward([[1, 0]], [0], [[1], [0]], [0, 0], STEP.phi)


class Own(PiecewiseLinear):
    """Anybody's own."""


OWN = FeedForward([[1]], [0], [[1]], [0], Own([0], [(0, 0), (0, 1)]))


def test_stretches_of_known_layers_become_plans():
    known = [Attention([ONE]), STEP, Attention([])]
    found = plan.compiled([*known, OWN, OF_TWO, WIDE, *known[:2]], 1)
    assert [(its.first, len(its.layers)) if type(its) is plan.Plan else its for its in found] == [
        (0, 3), OWN, OF_TWO, WIDE, (6, 2)
    ]  # fmt: skip
    assert [len(its.D) for its in found if type(its) is plan.Plan] == [4, 3]
    assert plan.compiled([], 1) == []


def windows(keys, W_1=lambda _: 1, write=1, phi=None):
    f = phi or PiecewiseLinear([Q(-1, 4), Q(1, 4)], [(0, 0), (0, 1), (0, 0)])
    return [FeedForward([[W_1(k)]], [-W_1(k) * key], [[write]], [0], f) for k, key in enumerate(keys)]


def of_width(width):
    return PiecewiseLinear([Q(-1, width), Q(1, width)], [(0, 0), (0, 1), (0, 0)])


def ops(layers):
    (made,) = plan.compiled(layers, 1)
    return [type(op) for op in made.ops]


def test_four_windows_on_the_same_number_are_searched():
    assert ops(windows([5, 1, 3, 2])) == [Search]
    assert ops(windows([5, 1, 3])) == [WholeFeedForward] * 3
    assert ops(windows([5, 1, 3, 2], W_1=lambda k: 1 + k)) == [Search]  # over a common multiple
    assert ops([STEP, *windows([5, 1, 3, 2]), Attention([ONE])]) == [WholeFeedForward, Search, WholeAttention]
    assert ops(windows([1, 2, 3, 4]) + windows([4, 3, 2, 1], W_1=lambda _: -1)) == [Search] * 2
    assert ops(windows([1, 2, 3, 3])) == [WholeFeedForward] * 4  # of one end
    for phi in (
        PiecewiseLinear([-1, 1], [(0, 1), (0, 1), (0, 0)]),
        PiecewiseLinear([-1, 1], [(0, 0), (0, 1), (1, 0)]),
        PiecewiseLinear([], [(0, 0)]),
    ):
        assert ops(windows([1, 2, 3, 4], phi=phi)) == [WholeFeedForward] * 4
    half = Q(1, 2)
    for keys, widths in (
        ([1, 1, 5, 9], (4, 8, 1, 1)),
        ([half, 1, 5, 9], (2, 1, 1, 1)),
        ([1, 3 * half, 5, 9], (1, 2, 1, 1)),
    ):
        made = [windows([key], phi=of_width(width))[0] for key, width in zip(keys, widths, strict=True)]
        assert ops(made) == [WholeFeedForward] * 4  # one in another, or of one end
    three = PiecewiseLinear([-1, 0, 1], [(0, 0), (0, 1), (0, 2), (0, 0)])
    (search,) = plan.compiled(windows([1, 2, 3, 4], phi=three), 1)[0].ops
    assert (search.low, search.high) == ((0, 1, 2, 3), (2, 3, 4, 5))
    of_two = [FeedForward([[0, 1]], [-k], [[1], [0]], [0, 0], of_width(1)) for k in range(4)]
    assert [type(op) for op in plan.compiled(of_two, 2)[0].ops] == [Search]
    adding = [FeedForward([[0, 1]], [-k], [[1], [0]], [0, 1], of_width(1)) for k in range(4)]
    assert [type(op) for op in plan.compiled(adding, 2)[0].ops] == [WholeFeedForward] * 4
    moved = [FeedForward([[1]], [-k], [[1]], [1], STEP.phi) for k in range(4)]
    assert ops(moved) == ops(windows([1, 2, 3, 4], W_1=lambda _: 0)) == [WholeFeedForward] * 4


def test_how_long_the_numbers_of_a_search_become():
    (made,) = plan.compiled(windows([5, 1, 3, 2], W_1=lambda _: 4), 1)
    (search,) = made.ops
    assert (search.low, search.high) == ((15, 31, 47, 79), (17, 33, 49, 81))
    assert search.order == (1, 3, 2, 0)
    assert (search.growth(10, 4, 1), search.growth(4, 10, 1)) == (10 + 5 + 1, 10 + 7 + 1)


def shifts(keys):
    """X + the largest entry - the smallest, where X is within 1/4 of the key."""
    ends = ((1, -Q(1, 4)), (-1, Q(1, 4)))
    return [Attention([Head([[w]], [[1]], [[1]], [[1]], [-key - side]) for w, side in ends]) for key in keys]


def test_attention_layers_with_windows_are_searched_for_many_matrices_alone():
    layers = [Attention([ONE]), *shifts([5, 1, 3, 2]), *windows([5, 1, 3, 2]), *shifts([1, 2, 3])]
    (made,) = plan.compiled(layers, 1)
    few, one = [WholeAttention] * 3, [WholeAttention]
    assert list(map(type, made.ops)) == one + [WholeAttention] * 4 + [Search] + few
    assert list(map(type, made.ops_of_many)) == [*one, Search, Search, *few]
    assert list(map(type, made.layers_of_many)) == [*one, Search, *[WholeFeedForward] * 4, *few]
    of_attention, of_tokens = made.ops_of_many[1:3]
    assert (of_attention.of_attention, of_tokens.of_attention) == (True, False)
    assert of_attention.members == made.layers[1:5]
    assert of_attention.order == (1, 3, 2, 0)

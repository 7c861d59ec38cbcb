"""Many matrices at once through a network (core/whole/block.py, many.py), against each through the literal layers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from test_whole import (
    ALL_TIE,
    WAYS,
    Halves,
    feed_forwards,
    heads,
    needs_c,
    networks,
    number,
    shifts,
    small,
    tables,
    windows,
)
from verifier.core import lanes
from verifier.core.exact import Q
from verifier.core.lanes import Mixed, NotForLanes
from verifier.core.layers import Attention, FeedForward, Head, PiecewiseLinear
from verifier.core.network import Network
from verifier.core.whole import block, compiled, plan, run
from verifier.core.whole.block import Block
from verifier.papers.yun2020.alternatives import AverageAttention, BProj, SepConv
from verifier.papers.yun2020.contextual_map import at


def many_of(matrices):
    return tuple(tuple(map(lanes.lanes, zip(*rows, strict=True))) for rows in zip(*matrices, strict=True))


def each_of(X, count):
    """The matrices that a matrix of lanes is."""
    return lanes.alone(X, count)


@pytest.mark.thorough
@pytest.mark.parametrize("in_c", WAYS)
@settings(max_examples=30, deadline=None)
@given(networks(), st.lists(st.lists(number, min_size=8, max_size=8), min_size=1, max_size=5))
def test_many_matrices_go_through_a_network_as_each_does(in_c, drawn, more):
    network, X = drawn
    d, n = len(X), len(X[0])
    matrices = [X, *(tuple(tuple(row[i * n : (i + 1) * n]) for i in range(d)) for row in more if d * n <= 8)]
    together = many_of(matrices)
    with pytest.MonkeyPatch.context() as patch:
        if not in_c:
            patch.setattr(compiled, "library", lambda: None)
        truth = [tuple(network.trace(X)) for X in matrices]
        assert each_of(run.image(network, together), len(matrices)) == [steps[-1].after for steps in truth]
        for k, step in enumerate(run.trace(network, together)):
            assert each_of(step.before, len(matrices)) == [steps[k].before for steps in truth]
            assert each_of(step.after, len(matrices)) == [steps[k].after for steps in truth]
            assert each_of(step.values, len(matrices)) == [steps[k].values for steps in truth]
        changed = [[(k, s.after) for k, s in enumerate(steps) if s.after != s.before] for steps in truth]
        if len(set(map(len, changed))) == 1:
            found = run.changes(network, together)
            assert [each_of(tuple(map(tuple, found)), len(matrices))[place] for place in range(len(matrices))] == [
                tuple(its) for its in changed
            ]
        else:
            with pytest.raises(Mixed):
                run.changes(network, together)


KINDS = {
    "attention": lambda d: st.lists(heads(d), min_size=1, max_size=2).map(lambda its: [Attention(its)]),
    "token-wise": lambda d: feed_forwards(d).map(lambda layer: [layer]),
    "windows": windows,
    "shifts": shifts,
}


@st.composite
def few(draw, kind):
    """One layer, or one stretch that is searched; and three matrices of small numbers."""
    d, n = draw(st.integers(1, 2)), draw(st.integers(1, 3))
    return Network(draw(KINDS[kind](d))), [tuple(map(tuple, draw(tables(d, n, small)))) for _ in range(3)]


@pytest.mark.thorough
@pytest.mark.parametrize("in_c", WAYS)
@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_each_kind_of_layer_makes_of_many_matrices_what_it_makes_of_each(in_c, kind, data):
    network, matrices = data.draw(few(kind))
    together, truth = many_of(matrices), [tuple(network.trace(X)) for X in matrices]
    with pytest.MonkeyPatch.context() as patch:
        if not in_c:
            patch.setattr(compiled, "library", lambda: None)
        assert each_of(run.image(network, together), 3) == [steps[-1].after for steps in truth]
        for k, step in enumerate(run.trace(network, together)):
            assert each_of(step.after, 3) == [steps[k].after for steps in truth]
            assert each_of(step.values, 3) == [steps[k].values for steps in truth]
        for X, steps in zip(matrices, truth, strict=True):
            changed = [(k, s.after) for k, s in enumerate(steps) if s.after != s.before]
            found = run.changes(network, many_of([X]))
            assert [(its.layer.numbers()[0], each_of(its.after, 1)[0]) for its in found] == changed


def test_alternatives_of_section_6_take_many_matrices_and_anybodys_own_layer_one():
    W = [[Q(1, 3), Q(2)], [Q(0), Q(-1)]]
    for layer in (AverageAttention(W), BProj(W, [[0, 1, 2], [1, 1, 1], [Q(1, 2), 0, 0]]), SepConv(W, W)):
        network = Network([layer, *at(2, 3, 2).sweep.layers, layer])
        matrices = [at(2, 3, 2).grid.matrix(orbit) for orbit in [(0, 0, 1), (3, 4, 8), (5, 5, 5)]]
        truth = [network.run(X) for X in matrices]
        assert each_of(run.image(network, many_of(matrices)), 3) == truth
        assert each_of(run.trace(network, many_of(matrices))[-1].after, 3) == truth
        for X in matrices:
            changed = [(k, step.after) for k, step in enumerate(network.trace(X)) if step.after != step.before]
            found = run.changes(network, many_of([X]))
            assert [(k.numbers()[0], each_of(after, 1)[0]) for k, after in found] == changed
    with pytest.raises(NotForLanes, match="Halves"):
        run.image(Network([Halves()]), many_of(matrices))


def test_a_layer_is_left_out_where_it_does_nothing_and_nowhere_else(monkeypatch):
    """The window in which the two heads of a selective shift differ: one narrower, and a shift is missed."""
    g = at(1, 2, 4)
    X = many_of([g.grid.matrix(orbit) for orbit in g.grid.orbits()])
    truth = [g.network.run(g.grid.matrix(orbit)) for orbit in g.grid.orbits()]
    assert each_of(run.image(g.network, X), len(truth)) == truth
    idle = plan.WholeAttention.idle.func
    for narrower in (lambda row, low, high: (row, low + 2, high), lambda row, low, high: (row, low, high - 2)):
        monkeypatch.setattr(plan.WholeAttention, "idle", property(lambda op, n=narrower: idle(op) and n(*idle(op))))
        assert each_of(run.image(at(1, 2, 4).network, X), len(truth)) != truth


# Numbers of more than 64 bits


@pytest.mark.parametrize("in_c", WAYS)
@pytest.mark.parametrize("huge", [Q(2**64), Q(1, 2**64), Q(3**90, 2**100)])
def test_zeros_through_long_weights(huge, in_c, monkeypatch):
    if not in_c:
        monkeypatch.setattr(compiled, "library", lambda: None)
    network = Network([FeedForward([[huge]], [-huge], [[huge]], [huge], PiecewiseLinear([huge], [(0, 0), (1, huge)]))])
    matrices = [((Q(0), Q(0)),), ((Q(0), Q(1)),)]
    for these in (matrices[:1], matrices):
        assert each_of(run.image(network, many_of(these)), len(these)) == [network.run(X) for X in these]


@pytest.mark.parametrize("in_c", WAYS)
@pytest.mark.parametrize("huge", [2**64, Q(1, 2**64)])
def test_the_window_of_a_layer_with_long_weights_is_as_long(huge, in_c, monkeypatch):
    if not in_c:
        monkeypatch.setattr(compiled, "library", lambda: None)
    u, e = (Q(1) * huge,), ((Q(1) * huge,),)
    heads = (
        Head(e, (u,), (u,), (u,), (-Q(1, 2) * huge,)),
        Head(((-1 * Q(1) * huge,),), (u,), (u,), (u,), (-Q(3, 2) * huge,)),
    )
    network = Network([Attention(heads)] * 2)
    matrices = [((Q(0), Q(0)),), ((Q(0), Q(1)),), ((Q(1), Q(2)),)]
    for these in (matrices[:1], matrices):
        assert each_of(run.image(network, many_of(these)), len(these)) == [network.run(X) for X in these]


@pytest.mark.parametrize("in_c", WAYS)
@pytest.mark.parametrize("place", range(4))
def test_a_long_weight_that_meets_zeros_alone_is_as_long(in_c, place, monkeypatch):
    if not in_c:
        monkeypatch.setattr(compiled, "library", lambda: None)
    weights = [[[0]], [[0]], [[0]], [[0]]]
    weights[place] = [[2**63]]
    network = Network([Attention((Head(*weights, [-2]),))])
    matrices = [((Q(-2),),), ((Q(0),),)]
    assert each_of(run.image(network, many_of(matrices)), 2) == [network.run(X) for X in matrices]


@pytest.mark.parametrize("in_c", WAYS)
def test_the_denominator_of_the_mean_of_many_tokens(in_c, monkeypatch):
    """lcm(1, ..., 43) has 64 bits, lcm(1, ..., 47) more; and the mean of a number and zeros needs them."""
    if not in_c:
        monkeypatch.setattr(compiled, "library", lambda: None)
    largest = Network([Attention([Head([[1]], [[1]], [[1]], [[1]], [0])])])
    all_tie = Network([ALL_TIE])
    for n in (42, 43, 47):
        for network, rows in (
            (largest, [(Q(2),) * tied + (Q(1),) * (n - tied) for tied in (1, 7, n - 1)]),
            (all_tie, [(Q(2**bits),) + (Q(0),) * (n - 1) for bits in (0, 6, 70)]),
        ):
            matrices = [(row,) for row in rows]
            truth = [tuple(network.trace(X)) for X in matrices]
            for k, step in enumerate(run.trace(network, many_of(matrices))):
                assert each_of(step.values, 3) == [steps[k].values for steps in truth]
                assert each_of(step.after, 3) == [steps[k].after for steps in truth]


def shift(low, high, factor, scale=1):
    """The selective shift by factor (max - min) of columns between low and high; what it compares is times `scale`."""
    row = [[scale]]
    heads = [([[factor]], low), ([[-factor]], high)]
    return Attention([Head(W_O, [[1]], row, row, [-scale * b]) for W_O, b in heads])


OUTGROW = {
    "what a layer adds": [shift(k - Q(1, 2), k + Q(1, 2), 2**40) for k in range(4)],
    "what is compared": [shift(k - Q(1, 2), k + Q(1, 2), 1, 2**63 + 1) for k in range(4)],
    "a number on the way": [shift(Q(1, 2), Q(3, 2), 2**50)] + [shift(2**50 + k, 2**52 + k, -1) for k in range(3)],
    "fractions": [shift(k - Q(1, 2), k + Q(1, 2), Q(3, 7)) for k in range(4)],
    "means of equal keys": [shift(k, k + 1, Q(1, 3)) for k in range(4)],
}  # fmt: skip


@pytest.mark.parametrize("in_c", WAYS)
@pytest.mark.parametrize("layers", OUTGROW.values(), ids=OUTGROW)
def test_a_search_among_attention_layers_stops_where_numbers_outgrow_it(layers, in_c, monkeypatch):
    if not in_c:
        monkeypatch.setattr(compiled, "library", lambda: None)
    network = Network(layers)
    (op,) = plan.compiled(network.layers, 1)[0].layers_of_many
    assert op.of_attention
    matrices = [((Q(a), Q(b), Q(c)),) for a in range(4) for b in range(4) for c in range(4)]
    truth = [[(k, s.after) for k, s in enumerate(network.trace(X)) if s.after != s.before] for X in matrices]
    assert each_of(run.image(network, many_of(matrices)), len(matrices)) == [network.run(X) for X in matrices]
    for times in {len(its) for its in truth}:
        some = [place for place, its in enumerate(truth) if len(its) == times]
        found = run.changes(network, many_of([matrices[place] for place in some]))
        assert len(found) == times
        for t, change in enumerate(found):
            assert all(abs(int(x)) <= entry.most for row in change.after for entry in row for x in entry.x)
            layers, afters = change.layer.numbers(), each_of(change.after, len(some))
            assert list(zip(layers, afters, strict=True)) == [truth[place][t] for place in some]


@pytest.mark.thorough
@pytest.mark.parametrize("in_c", WAYS)
@pytest.mark.parametrize("more", [-1, 0, 1])
def test_a_search_among_attention_layers_reads_long_numbers_whole(more, in_c, monkeypatch):
    """What would be left of them in too few limbs is -1, 0 or 1, and in a window."""
    if not in_c:
        monkeypatch.setattr(compiled, "library", lambda: None)
    network = Network([shift(k - Q(1, 2), k + Q(1, 2), 1) for k in range(-2, 6)])
    for bits in (61, 62, 63, 64, 126, 127, 128, 255, 256, 1022, 1023, 1024):
        long = 2**bits + more
        for row in ((Q(long), Q(9)), (Q(-long), Q(9)), (Q(2, long), Q(5, long)), (Q(1), Q(long))):
            these = [(row,), ((Q(9), Q(1)),)]
            for matrices in (these[:1], these):
                truth = [network.run(X) for X in matrices]
                assert each_of(run.image(network, many_of(matrices)), len(matrices)) == truth


def test_steps_of_cases_that_outgrow_a_width_are_told_after_those_that_do_not():
    """Layer by layer, as each case alone has them; the long one by numpy, and the others in C where there is C."""
    network = Network([shift(k - Q(1, 2), k + Q(1, 2), 1) for k in range(4)])
    matrices = [((Q(0), Q(9)),), ((Q(1), Q(9)),), ((Q(3), Q(9)),)]
    for factor in (1, 2**1021):
        scaled = Network(
            [
                Attention([Head([[w * factor for (w,) in h.W_O]], h.W_V, h.W_K, h.W_Q, h.b_Q) for h in layer.heads])
                for layer in network.layers
            ]
        )
        truth = [[(k, s.after) for k, s in enumerate(scaled.trace(X)) if s.after != s.before] for X in matrices]
        assert {len(its) for its in truth} == {1}
        (found,) = run.changes(scaled, many_of(matrices))
        assert list(zip(found.layer.numbers(), each_of(found.after, 3), strict=True)) == [its[0] for its in truth]


@pytest.mark.parametrize("in_c", WAYS)
@pytest.mark.parametrize("scale", [1, 2**24])
@pytest.mark.parametrize("x", [Q(2**40), Q(2**71 + 1, 2**31), Q(2**62 + 1, 2**22)])
@pytest.mark.parametrize(("low", "high"), [(2**40, 2**40), (0, 2**40), (-(2**40), 0)])
def test_windows_far_from_0_are_met_though_their_ends_are_products(low, high, x, scale, in_c, monkeypatch):
    """2^40 times 2^24, or over 2^31, is 0 in 64 bits; and a layer whose window no column is in is left out."""
    if not in_c:
        monkeypatch.setattr(compiled, "library", lambda: None)
    network = Network([shift(low + k - Q(1, 2), high + k + Q(1, 2), 1, scale) for k in range(4)])
    X = ((x if high else -x, Q(9)),)
    assert network.run(X) != X
    assert each_of(run.image(network, many_of([X])), 1) == [network.run(X)]


SEVENFOLD = Attention([Head([[6]], [[1]], [[1]], [[1]], [0])])
SEVENFOLD_TOO = FeedForward([[1]], [0], [[6]], [0], PiecewiseLinear([], [(1, 0)]))
AND_SIX = FeedForward([[1]], [0], [[0]], [6], PiecewiseLinear([], [(0, 0)]))


@pytest.mark.parametrize("in_c", WAYS)
@pytest.mark.parametrize("layer", [SEVENFOLD, SEVENFOLD_TOO, AND_SIX], ids=["attention", "token-wise", "a constant"])
@pytest.mark.parametrize("edge", [63, 127, 255, 1023])
def test_results_on_both_sides_of_each_width(edge, layer, in_c, monkeypatch):
    """7 x has three bits more than x, and what is added to a fraction is of its denominator."""
    if not in_c:
        monkeypatch.setattr(compiled, "library", lambda: None)
    for bits in range(edge - 5, edge + 6):
        long = 2**bits - 1
        matrices = [((x,),) for x in (Q(long), Q(-long), Q(1, long), Q(1))]
        for these in (matrices[:1], matrices[1:2], matrices[2:3], matrices):
            truth = [Network([layer]).run(X) for X in these]
            assert each_of(run.image(Network([layer]), many_of(these)), len(these)) == truth


@pytest.mark.parametrize("in_c", WAYS)
@pytest.mark.parametrize("W", compiled.WIDTHS)
def test_a_sum_of_one_bit_more_than_a_width_has_is_run_in_the_next(W, in_c, monkeypatch):
    """7 x + b for x < 2^(k - 4) and b < 2^(k - 2), where k = 64 W: below 2^k, and not below 2^(k - 1)."""
    if not in_c:
        monkeypatch.setattr(compiled, "library", lambda: None)
    k = 64 * W
    b, x = 2 ** (k - 2) - 1, 2 ** (k - 4) - 1
    network = Network([FeedForward([[1]], [0], [[6]], [b], PiecewiseLinear([], [(1, 0)]))])
    assert plan.compiled(network.layers, 1)[0].ops[0].growth(x.bit_length(), 1, 1) == k
    assert each_of(run.image(network, many_of([((Q(x),),)])), 1) == [((7 * x + b,),)]


@needs_c
@pytest.mark.parametrize(
    "layers", [[SEVENFOLD], [ALL_TIE], [SEVENFOLD_TOO], [shift(k - Q(1, 2), k + Q(1, 2), Q(2, 3)) for k in range(4)]]
)
def test_C_runs_what_it_can_and_the_bounds_that_come_back_are_close(layers, monkeypatch):
    monkeypatch.setattr(block, "_plainly", None)
    (made,) = plan.compiled(layers, 1)
    after = block.run_block(compiled.Program(made.ops_of_many), of([[10, 18, 6], [0, 2, 4]]))
    for numbers, most in ((after.x, after.most), (after.s, after.most_s)):
        assert abs(numbers).max() <= most <= 2 * abs(numbers).max()


@pytest.mark.parametrize("in_c", WAYS)
@pytest.mark.parametrize("layers", [[shift(k, k + 1, 1) for k in range(4)], [SEVENFOLD, shift(1, 2, 1), AND_SIX]])
def test_only_what_changes_a_case_is_looked_at_unless_all_is(layers, in_c, monkeypatch):
    """Two zeros change in AND_SIX alone; 5 and 9 in no window."""
    if not in_c:
        monkeypatch.setattr(compiled, "library", lambda: None)
    (made,) = plan.compiled(layers, 1)
    seen = []
    for ops, how in ((made.layers, {}), (made.ops_of_many, {}), (made.layers, {"every": True})):
        for rows in ([[0, 0]], [[5, 9]], [[5, 9], [0, 1], [1, 2]]):
            its = []
            block.run_block(compiled.Program(ops), of(rows), lambda k, made, to=its: to.append((k, made)), **how)
            assert how or all(made.changed.any() for _, made in its)
            seen.append([k for k, _ in its])
    assert seen[-1] == list(range(len(layers)))


@pytest.mark.parametrize("in_c", WAYS)
def test_equal_numbers_over_different_denominators_are_not_the_same_column(in_c, monkeypatch):
    """0 is 0 over any s; what a search finds for it over one s is no answer over another."""
    if not in_c:
        monkeypatch.setattr(compiled, "library", lambda: None)
    at_key = [PiecewiseLinear((k - Q(1, 4), k + Q(1, 4)), ((0, 0), (0, 1), (0, 0))) for k in range(4)]
    half = Attention(
        [Head([[Q(1, 2)]], [[1]], [[1]], [[1]], [Q(-1, 2)])]
    )  # adds half of the largest to what is above 1/2
    network = Network([half, *(FeedForward([[1]], [0], [[5]], [0], phi) for phi in at_key)])
    matrices = [((Q(0), Q(0)),), ((Q(0), Q(1)),), ((Q(0), Q(2)),)]
    assert each_of(run.image(network, many_of(matrices)), 3) == [network.run(X) for X in matrices]


@pytest.mark.parametrize(
    ("most", "W"),
    [
        (2**63 - 1, 1),
        (2**63, 2),
        (2**127 - 1, 2),
        (2**127, 4),
        (2**255 - 1, 4),
        (2**255, 8),
        (2**511, 16),
        (2**1023, 17),
    ],
)
def test_numbers_as_limbs_and_back(most, W):
    """As few limbs as have room for the largest, with its sign; and at any larger width they are the same."""
    numbers = np.array([[most, -most, 0], [1, -1, most - 1]], dtype=object)
    limbs = block.limbs_of(numbers, most)
    assert limbs.shape == (2, 3, W)
    for width in (W, W + 1, 2 * W):
        wide = block.widened(limbs, width)
        assert wide.shape == (2, 3, width)
        assert block.numbers_of(wide, most).tolist() == numbers.tolist()
        assert block.widened(wide, W).tolist() == limbs.tolist()


def test_numbers_of_64_bits_are_one_limb_each():
    numbers = np.array([2**63 - 1, 1 - 2**63, 0])
    assert block.limbs_of(numbers, 2**63 - 1)[:, 0].tolist() == numbers.tolist()
    assert block.numbers_of(block.limbs_of(numbers, 2**63 - 1), 2**63 - 1).dtype == np.int64


MOST = 2**63 - 1


def of(rows, s=1):
    """A block of matrices of one row each, or of one number."""
    x = np.array(rows, dtype=object).reshape(len(rows), 1, -1)
    most = abs(x).max()
    return Block(x.shape, most, s, x.astype(np.int64) if most <= MOST else x, np.full(len(rows), s))


@pytest.mark.parametrize("more", [0, 1])
def test_a_block_is_of_64_bits_as_long_as_a_bound_says_so(more):
    seven = of([7, -7, 0]).scaled(MOST // 7 + more)
    assert seven.x.ravel().tolist() == [MOST + 7 * more, -MOST - 7 * more, 0]
    assert seven.s.tolist() == [MOST // 7 + more] * 3
    assert (seven.most, seven.most_s) == (MOST + 7 * more, MOST // 7 + more)
    assert of([0]).most == 1
    assert of([0], 2**32).scaled(2**31 + more).s.tolist() == [2**63 + 2**32 * more]
    zero = of([0]).scaled(MOST + more)
    assert (zero.x.dtype == np.int64, zero.x.ravel().tolist(), zero.s.tolist()) == (not more, [0], [MOST + more])
    ((numbers,),) = of([MOST + more, 1], 3).matrix(5)
    assert (numbers.numbers(), numbers.most) == ([Q(MOST + more, 15), Q(1, 15)], MOST + more)


def test_a_block_has_no_larger_denominators_than_it_needs():
    """1/6 and 3 over D s, with D known beforehand."""
    for D, s in ((1, 6), (2, 3), (4, 3), (5, 6), (12, 1)):
        entered = block.entered(many_of([((Q(1, 6), Q(3)),)]), D)
        assert (entered.s.tolist(), entered.x.ravel().tolist()) == ([s], [D * s // 6, 3 * D * s])


def test_some_of_the_cases_are_replaced():
    some, where = of([1, 2, 3]), np.array([True, False, True])
    assert some.part(where).x.ravel().tolist() == [1, 3]
    for others in (of([5, 6], 2), of([2**70, -(2**70)], 2)):
        both = some.with_part(where, others)
        assert both.x.ravel().tolist() == [others.x[0, 0, 0], 2, others.x[1, 0, 0]]
        assert (both.s.tolist(), both.most, both.most_s) == ([2, 1, 2], max(3, others.most), 2)
        assert both.common() == 2
        ((numbers,),) = both.matrix(1)
        assert numbers.numbers() == [Q(int(others.x[0, 0, 0]), 2), 2, Q(int(others.x[1, 0, 0]), 2)]
    assert some.x.ravel().tolist() == [1, 2, 3]
    loose = Block((3, 1, 1), 99, 99, some.x, some.s)
    assert (loose.bounded().most, loose.bounded().most_s) == (3, 1)


@pytest.mark.parametrize("in_c", WAYS)
@pytest.mark.parametrize(
    "W_V", [[[2**31, 0]], [[2**30, 2**30]], [[0, 0], [2**31, 0]]], ids=["tied", "summed", "second"]
)
def test_what_a_head_reads_may_be_longer_than_what_is_behind_it(W_V, in_c, monkeypatch):
    """Both tokens tie, so that 2^31 . 2^31 is read twice; W_O makes nothing of it."""
    if not in_c:
        monkeypatch.setattr(compiled, "library", lambda: None)
    zeros = [[0, 0] for _ in W_V]
    head = Head([[0] * len(W_V)] * 2, W_V, zeros, zeros, [0] * len(W_V))
    network = Network([Attention([head])])
    matrices = [((Q(2**31), Q(2**31)), (Q(2**31), Q(2**31))), ((Q(1), Q(2)), (Q(3), Q(4)))]
    (step,) = run.trace(network, many_of(matrices))
    assert each_of(step.values, 2) == [next(network.trace(X)).values for X in matrices]


def test_steps_behind_a_layer_of_ones_own_have_their_own_layers():
    """A second plan begins behind it: its steps name layers by their place in the network."""
    network = Network([FeedForward([[1]], [k], [[1]], [0], PiecewiseLinear((), ((1, 0),))) for k in range(2)])
    network = Network([*network.layers, SepConv([[Q(1)]], [[Q(2)]]), *network.layers])
    matrices = [((Q(k), Q(1)),) for k in range(3)]
    assert [step.layer for step in run.trace(network, many_of(matrices))] == list(network.layers)

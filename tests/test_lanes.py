"""Many cases through one check at once (core/lanes.py, run/many.py) against the same cases one by one."""

from dataclasses import dataclass, replace
from fractions import Fraction
from operator import add, eq, ge, gt, le, lt, mul, ne, sub

import numpy as np
import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from test_whole import WAYS, networks, number
from verifier.catalogue import claims_of
from verifier.core import lanes
from verifier.core.claim import Claim, Domain, Relation
from verifier.core.exact import Q
from verifier.core.lanes import Lanes, Mask, Mixed, NotForLanes
from verifier.core.lanewise import choose, each, is_whole, largest, smallest
from verifier.core.layers import Attention, FeedForward, Head, PiecewiseLinear
from verifier.core.network import Network
from verifier.core.whole import compiled, plan, run
from verifier.papers.yun2020.alternatives import AverageAttention, BProj, SepConv
from verifier.papers.yun2020.contextual_map import at
from verifier.run import literal, many
from verifier.run.tally import Tally

# Numbers: what a lane holds is what the same words make of its number alone.

edge = st.builds(lambda s, e, r: s * (2**e + r), st.sampled_from([1, -1]), st.sampled_from([31, 62, 63, 64, 126]), st.integers(-1, 1))  # fmt: skip  # noqa: E501
exact = st.builds(Q, st.one_of(st.integers(-9, 9), edge), st.sampled_from([1, 1, 2, 3, 7]))
columns = st.lists(st.tuples(exact, exact), min_size=1, max_size=5)


def alone(value):
    return list(value.where) if type(value) is Mask else value.numbers()


@settings(max_examples=300, deadline=None)
@given(columns, st.sampled_from([add, sub, mul, lt, le, gt, ge, eq, ne]), exact)
def test_lanes_count_as_rationals_do(drawn, operation, number):
    a, b = (lanes.lanes(column) for column in zip(*drawn, strict=True))
    assert alone(operation(a, b)) == [operation(x, y) for x, y in drawn]
    assert alone(operation(a, number)) == [operation(x, number) for x, _ in drawn]
    assert alone(operation(number, a)) == [operation(number, x) for x, _ in drawn]


@settings(max_examples=100, deadline=None)
@given(columns, st.integers(1, 4), st.sampled_from([Q(1), Q(1, 2), Q(2, 3), Q(2**70)]))
def test_other_words_about_lanes(drawn, power, modulus):
    xs = [x for x, _ in drawn]
    a, b = (lanes.lanes(column) for column in zip(*drawn, strict=True))
    assert (abs(a).numbers(), (-a).numbers()) == ([abs(x) for x in xs], [-x for x in xs])
    assert (a**power).numbers() == [x**power for x in xs]
    assert (a % modulus).numbers() == [x % modulus for x in xs]
    assert (a / modulus).numbers() == [x / modulus for x in xs]
    assert alone(is_whole(a)) == [is_whole(x) for x in xs]
    assert largest([a, b, Q(3)]).numbers() == [max(x, y, Q(3)) for x, y in drawn]
    assert smallest([a, b, Q(3)]).numbers() == [min(x, y, Q(3)) for x, y in drawn]
    assert choose(a > b, a, Q(1, 5)).numbers() == [x if x > y else Q(1, 5) for x, y in drawn]
    found = each(lambda row: (row[1], {row[0]: 7}[row[0]]), (a, b))
    assert lanes.alone(found, len(drawn)) == [(y, 7) for _, y in drawn]


def test_a_number_of_64_bits_never_wraps():
    most = 2**62
    for x in (most, -most):
        a = lanes.lanes([Q(x), Q(1)])
        assert a.x.dtype == np.int64
        assert (a + a).numbers() == [2 * x, 2]
        assert (a * a * a).numbers() == [x**3, 1]
        assert alone(a + a > 2 * x - 1) == [True, x < 0]


@pytest.mark.parametrize("huge", [Q(2**64), Q(1, 2**64), Q(3**90, 2**100)])
def test_nor_do_zeros_beside_a_number_that_is_longer(huge):
    zeros = lanes.lanes([Q(0), Q(0)])
    assert (zeros * huge).numbers() == [0, 0]
    assert (zeros + huge).numbers() == [huge, huge]
    assert alone(zeros + huge > huge * 0) == alone(zeros < huge) == [True, True]
    assert alone(is_whole(zeros + huge)) == [is_whole(huge)] * 2
    assert ((zeros + huge) % 1).numbers() == [huge % 1] * 2
    network = Network([FeedForward([[huge]], [-huge], [[huge]], [huge], PiecewiseLinear([huge], [(0, 0), (1, huge)]))])
    matrices = [((Q(0), Q(0)),), ((Q(0), Q(1)),)]
    for these in (matrices[:1], matrices):
        assert each_of(run.image(network, many_of(these)), len(these)) == [network.run(X) for X in these]


@pytest.mark.parametrize("huge", [2**64, Q(1, 2**64)])
def test_nor_does_the_window_of_a_layer_with_long_weights(huge):
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
def test_nor_does_a_long_weight_that_meets_zeros_alone(in_c, place, monkeypatch):
    if not in_c:
        monkeypatch.setattr(compiled, "library", lambda: None)
    weights = [[[0]], [[0]], [[0]], [[0]]]
    weights[place] = [[2**63]]
    network = Network([Attention((Head(*weights, [-2]),))])
    matrices = [((Q(-2),),), ((Q(0),),)]
    assert each_of(run.image(network, many_of(matrices)), 2) == [network.run(X) for X in matrices]


@pytest.mark.parametrize("in_c", WAYS)
def test_nor_does_the_denominator_of_the_mean_of_many_tokens(in_c, monkeypatch):
    """lcm(1, ..., 43) has more than 63 bits, lcm(1, ..., 45) more than 64."""
    if not in_c:
        monkeypatch.setattr(compiled, "library", lambda: None)
    network = Network([Attention((Head([[1]], [[1]], [[1]], [[1]], [0]),))])
    for n in (42, 43, 45):
        matrices = [((Q(2),) * tied + (Q(1),) * (n - tied),) for tied in (1, 7, n - 1)]
        steps = run.trace(network, many_of(matrices))
        assert each_of(steps[0].values, 3) == [next(network.trace(X)).values for X in matrices]
        assert each_of(steps[0].after, 3) == [network.run(X) for X in matrices]


def test_without_the_bound_it_would(monkeypatch):
    monkeypatch.setattr(lanes, "ROOM", 2**200)
    a = Lanes(np.array([2**62, 1]))
    with np.errstate(over="ignore"):
        assert (a + a).numbers() != [2**63, 2]


def test_what_many_numbers_do_not_have():
    a = lanes.lanes([Q(1), Q(2)])
    for asked in (hash, str, int, float, iter, len, range, lambda x: f"{x}", lambda x: {x: 1}, lambda x: x + 0.5):
        with pytest.raises(TypeError):
            asked(a)
    with pytest.raises(AttributeError):
        a.numerator  # noqa: B018
    for asked in (lambda: Q(1) / a, lambda: a % a, lambda: a ** Q(1, 2), lambda: a / a):
        with pytest.raises(TypeError):
            asked()
    with pytest.raises(Mixed) as mixed:
        bool(a > 1)
    assert list(mixed.value.where) == [False, True]
    assert (bool(a > 0), bool(a > 2)) == (True, False)


# Networks


def many_of(matrices):
    return tuple(tuple(map(lanes.lanes, zip(*rows, strict=True))) for rows in zip(*matrices, strict=True))


def each_of(X, count):
    """The matrices that a matrix of lanes is."""
    return lanes.alone(X, count)


@pytest.mark.parametrize("in_c", WAYS)
@settings(max_examples=100, deadline=None)
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


@dataclass(frozen=True)
class Halves:
    parameters = 0

    def apply(self, X):
        return tuple(tuple(x / 2 for x in row) for row in X)


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


# Claims: every claim of a space, on all of its cases at once and one by one.


def counted(monkeypatch, g, claims, worth_it, fewest=1):
    monkeypatch.setattr(literal, "WORTH_IT", worth_it)
    monkeypatch.setattr(many, "FEWEST", fewest)
    return literal.run_literally(g, claims, 0, g.space.size)


def of_the_space(g):
    return [claim for claim in claims_of("yun2020") if claim.skip(g) is None and claim.domain.cases is None]


ONE_BY_ONE = 10**9
VARIANTS = [
    at(1, 3, 3),
    at(2, 2, 2),
    at(1, 2, 6),
    at(1, 4, 2),
    at(1, 3, 3, sweep_factor=Q(4)),
    at(1, 3, 3, sentinel=Q(-5, 3)),
    at(1, 3, 3, global_factor=Q(1), t_l=Q(2)),
    replace(at(1, 3, 3), sweep=at(1, 3, 3).sweep.without_layer(1)),
    replace(at(1, 2, 4), sweep=at(1, 2, 5).sweep),
]


@pytest.mark.parametrize("g", VARIANTS, ids=lambda g: repr(g)[:60])
@pytest.mark.parametrize("in_c", WAYS)
def test_every_claim_counts_the_same_of_many_cases_and_of_each(g, in_c, monkeypatch):
    claims = of_the_space(g)
    truth = counted(monkeypatch, g, claims, ONE_BY_ONE)
    if not in_c:
        monkeypatch.setattr(compiled, "library", lambda: None)
    for fewest in (1, 12):  # those of few alike go case by case
        found = counted(monkeypatch, g, claims, 1, fewest)
        assert found.shard == truth.shard
        assert found.values == truth.values


# Checks that look a case up, write it out, or do something else with it than counting.
CASE_BY_CASE = {"slides.one-dimensional", "slides.broadcast", "slides.one-dimensional-all"}


def test_which_claims_are_gone_through_case_by_case(monkeypatch):
    """All others are asked of many cases at once: a check that isn't any more is slow, and would be so in silence."""
    seen = set()
    see = Tally.see
    monkeypatch.setattr(Tally, "see", lambda tally, *case: seen.add(tally.claim.id) or see(tally, *case))
    g = at(1, 3, 6)
    counted(monkeypatch, g, of_the_space(g), 1)
    assert seen == CASE_BY_CASE


def own(check, **more):
    return Claim(id="own.claim", says="", formula="", domain=Domain("every orbit"), check=check, **more)


def by_parity(case):
    """Two ways through a check, a table, a text, and a relation that fails for some."""
    level = case.l[0] * case.map.instance.N
    if level % 2 == 0:
        yield Relation("l_1", case.l[0], "<", "1/2", Q(1, 2))
    else:
        yield Relation("the sum", sum(case.l, Q(0)), "<=", "2", Q(2))
    yield Relation("l", case.l, "=", "the matrix", case.X[0])


def by_table(case):
    yield Relation("l_1", {case.l[0]: Q(1)}[case.l[0]], ">", "l_n - 1/3", case.l[-1] - Q(1, 3))


def by_text(case):
    yield Relation(f"l_1 = {case.l[0]}", case.l[0], ">=", "l_1", case.l[0])


def silent_for_some(case):
    if case.l[0] > case.map.instance.delta:
        yield Relation("l_1", case.l[0], "<", "5/6", Q(5, 6))


def by_what_a_number_is(case):
    """Nothing that lanes could notice: they would take the other way, all of them."""
    yield Relation("l_1", case.l[0] if isinstance(case.l[0], type(Q(0))) else Q(9), "<", "1", Q(1))


def test_a_check_of_ones_own_goes_case_by_case_whatever_it_asks(monkeypatch):
    g, claim = at(1, 3, 6), own(by_what_a_number_is)
    truth = counted(monkeypatch, g, [claim], ONE_BY_ONE).shard
    assert counted(monkeypatch, g, [claim], 1).shard == truth
    monkeypatch.setattr(many.Askable, "__call__", lambda *_: True)
    assert counted(monkeypatch, g, [claim], 1).shard != truth


@pytest.mark.parametrize("check", [by_parity, by_table, by_text, silent_for_some])
def test_lanes_divide_or_give_up_where_a_check_does_what_they_cannot(check, monkeypatch):
    monkeypatch.setattr(many.Askable, "__call__", lambda *_: True)
    g, claim = at(1, 3, 6), own(check)
    truth = counted(monkeypatch, g, [claim], ONE_BY_ONE)
    assert truth.shard.claims["own.claim"].cases
    assert counted(monkeypatch, g, [claim], 1).shard == truth.shard
    assert counted(monkeypatch, g, [claim], 1, fewest=5).shard == truth.shard


def test_what_a_check_must_not_do_is_refused_as_ever(monkeypatch):
    monkeypatch.setattr(many.Askable, "__call__", lambda *_: True)
    g = at(1, 3, 6)
    claim = own(lambda case: [Relation("l_1", case.l[0], "<", "a float", 0.5)])
    with pytest.raises(ValueError, match="float"):
        counted(monkeypatch, g, [claim], 1)


def test_blocks_end_where_they_end(monkeypatch):
    g = at(1, 3, 4)
    claims = of_the_space(g)
    truth = counted(monkeypatch, g, claims, ONE_BY_ONE)
    for size in (1, 7, 34, 35, 36):
        monkeypatch.setattr(literal, "AT_ONCE", size)
        monkeypatch.setattr(literal, "LEAST_AT_ONCE", 1)
        assert counted(monkeypatch, g, claims, 1).shard == truth.shard


def test_without_numpy_cases_are_seen_one_by_one(monkeypatch):
    g = at(1, 3, 4)
    truth = counted(monkeypatch, g, of_the_space(g), 1)
    monkeypatch.setattr(literal, "room", lambda _: None)
    assert counted(monkeypatch, g, of_the_space(g), 1).shard == truth.shard


def test_numbers_of_lanes_are_fractions_for_the_oracle():
    assert [Fraction(int(x.numerator), int(x.denominator)) for x in lanes.lanes([mpq(1, 3), 2]).numbers()] == [
        Fraction(1, 3),
        Fraction(2),
    ]

"""Many cases through one check at once (core/lanes.py, run/many.py) against the same cases one by one."""

from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from operator import add, eq, ge, gt, le, lt, mul, ne, sub

import numpy as np
import pytest
from gmpy2 import mpq, mpz
from hypothesis import given, settings
from hypothesis import strategies as st

from test_whole import WAYS
from verifier.catalogue import claims_of
from verifier.core import lanes
from verifier.core.case import Alike
from verifier.core.claim import Claim, Domain, Relation
from verifier.core.exact import Q
from verifier.core.lanes import Lanes, Mask, Mixed, NotForLanes
from verifier.core.lanewise import (
    average,
    certain,
    choose,
    denominator,
    differ,
    each,
    in_order,
    is_many,
    is_whole,
    largest,
    smallest,
    written,
)
from verifier.core.whole import compiled
from verifier.papers.yun2020.contextual_map import at
from verifier.run import literal, many
from verifier.run.tally import Tally

# Numbers: what a lane holds is what the same words make of its number alone.

edge = st.builds(lambda s, e, r: s * (2**e + r), st.sampled_from([1, -1]), st.sampled_from([31, 62, 63, 64, 126]), st.integers(-1, 1))  # fmt: skip  # noqa: E501
exact = st.builds(Q, st.one_of(st.integers(-9, 9), edge), st.sampled_from([1, 1, 2, 3, 7]))
columns = st.lists(st.tuples(exact, exact), min_size=1, max_size=5)


def alone(value):
    return list(value.where) if type(value) is Mask else value.numbers()


@settings(max_examples=60, deadline=None)
@given(columns, exact)
def test_lanes_count_as_rationals_do(drawn, number):
    a, b = (lanes.lanes(column) for column in zip(*drawn, strict=True))
    for operation in (add, sub, mul, lt, le, gt, ge, eq, ne):
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
    assert denominator(a).numbers() == [denominator(x) for x in xs] == [x.denominator for x in xs]
    assert largest([a, b]).numbers() == [max(pair) for pair in drawn]
    assert largest([a, b, Q(3)]).numbers() == [max(x, y, Q(3)) for x, y in drawn]
    assert smallest([a, b, Q(3)]).numbers() == [min(x, y, Q(3)) for x, y in drawn]
    assert choose(a > b, a, Q(1, 5)).numbers() == [x if x > y else Q(1, 5) for x, y in drawn]
    found = each(lambda row: (row[1], {row[0]: 7}[row[0]]), (a, b))
    assert lanes.alone(found, len(drawn)) == [(y, 7) for _, y in drawn]
    assert (certain(a == b), differ(a, b)) == (all(x == y for x, y in drawn), any(x != y for x, y in drawn))
    assert differ((a, a), (a, b)) == differ((a, a), (b, a)) == differ(a, b)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(exact, exact, exact), min_size=1, max_size=5))
def test_numbers_in_order_and_the_mean_of_the_largest(drawn):
    """Of each case its own order, and of each as many as are tied."""
    drawn = [*drawn, (Q(1), Q(2), Q(2)), (Q(5), Q(5), Q(5))]
    values = [lanes.lanes(column) for column in zip(*drawn, strict=True)]
    assert [value.numbers() for value in in_order(values)] == [list(c) for c in zip(*map(sorted, drawn), strict=True)]
    above = [value >= values[0] for value in values]
    means = [[x for x in xs if x >= xs[0]] for xs in drawn]
    assert average(values, above).numbers() == [sum(xs) / len(xs) for xs in means]


@pytest.mark.parametrize("counts", [[2, 3, 1], [1, 1, 1], [2**64, 3, 1], [7]])
@pytest.mark.parametrize("numbers", [[Q(0)] * 3, [Q(0), Q(1, 2**70), Q(2**70)], [Q(2**63 - 1), Q(1), Q(6)]])
def test_a_division_by_whole_numbers(numbers, counts):
    numbers = numbers[: len(counts)]
    found = lanes.lanes(numbers) / lanes.lanes(counts)
    assert found.numbers() == [x / k for x, k in zip(numbers, counts, strict=True)]
    assert found.scale == lcm(*(int(x.denominator) for x in found.numbers()))  # it doesn't grow without need
    assert all(abs(int(x)) <= found.most for x in found.x)
    fourteen = lanes.lanes([Q(14), Q(-7)]) / lanes.lanes([7, 7])
    assert (fourteen.numbers(), fourteen.most) == ([2, -1], 2)


@pytest.mark.parametrize("counts", [[1, 0], [1, -2], [1, Q(1, 2)]])
def test_no_division_by_what_is_no_whole_number_above_0(counts):
    with pytest.raises(NotForLanes, match="whole and above 0"):
        lanes.lanes([1, 2]) / lanes.lanes(counts)


def test_the_same_words_about_a_single_case():
    assert in_order([Q(3), Q(1), Q(2)]) == [1, 2, 3]
    assert average([Q(3), Q(1), Q(2)], [True, False, True]) == Q(5, 2)
    assert [is_many(value) for value in (Q(1), 1, "1", lanes.lanes([1]))] == [False, False, False, True]
    assert [written(value) for value in (Q(1, 2), 3, lanes.lanes([1]))] == ["1/2", "3", "..."]
    assert each(lambda x: {1: 7}[x], 1) == 7
    assert [certain(held) for held in (True, False)] == [True, False]
    for a, b in ((1, 1), (1, 2), ((1, 1), (1, 1)), ((1, 1), (1, 2)), ((1,), (1, 1)), ((), ()), (1, (1,))):
        assert differ(a, b) == (a != b)


# At the limit of 64 bits, and one beyond it: as narrow as can be, and exact.
MOST = 2**63 - 1
LIMITS = {
    "a number": lambda of, more: of(MOST + more),
    "a number below 0": lambda of, more: of(-MOST - more),
    "a sum": lambda of, more: of(MOST - 1) + (1 + more),
    "a sum of two": lambda of, more: of(MOST - 1) + of(1 + more),
    "a product": lambda of, more: of(7) * (MOST // 7 + more),
    "zero times a number": lambda of, more: of(0) * (MOST + more),
    "a denominator": lambda of, more: of(0) + Q(1, MOST + more),
    "a remainder": lambda of, more: of(1) % (MOST + more),
    "one number for all": lambda of, more: choose(of(1) > 0, MOST + more, 0),
    "the larger of two": lambda of, more: choose(of(1) > 1, of(1), of(MOST)) + more,
    "the smaller of two": lambda of, more: choose(of(1) > 1, of(MOST), of(1)) * (MOST + more),
}


@pytest.mark.parametrize("more", [0, 1])
@pytest.mark.parametrize("made", LIMITS.values(), ids=LIMITS)
def test_numbers_are_of_64_bits_as_long_as_a_bound_says_so(made, more):
    found = made(lambda x: lanes.lanes([Q(x)]), more)
    assert found.numbers() == [made(Q, more)]
    assert (found.x.dtype == np.int64) == (more == 0)


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
    with pytest.raises(TypeError):
        Q(1) / a
    half = a / 2
    for asked in (lambda: a % a, lambda: a % 0, lambda: a % -1, lambda: a / half, lambda: a ** Q(1, 2), lambda: a**0):
        with pytest.raises(NotForLanes):
            asked()
    assert (a == "a text", a != "a text", alone(a == mpz(2)), repr(a)) == (False, True, [False, True], "<2 numbers>")
    with pytest.raises(Mixed) as mixed:
        bool(a > 1)
    assert list(mixed.value.where) == [False, True]
    assert (bool(a > 0), bool(a > 2), bool(a), bool(a * 0)) == (True, False, True, False)
    with pytest.raises(Mixed):
        bool(a - 1)


@dataclass(frozen=True)
class Named(Alike):
    number: object
    name: str
    kind: str = ""

    alike = ("kind",)


def test_what_is_known_of_many_cases_is_taken_for_some_of_them():
    a, where = lanes.lanes([1, 2, 3]), np.array([True, False, True])
    some, named = lanes.taken((a, Named(a, "x")), where)
    assert (some.numbers(), named.number.numbers(), named.name) == ([1, 3], [1, 3], "x")
    for same in ((1, Named(2, "x")), Named((1, 2), "x"), Named):
        assert lanes.taken(same, where) is same
    assert lanes.alone((a, (), "x"), 3) == [(1, (), "x"), (2, (), "x"), (3, (), "x")]


def test_values_of_many_cases_are_joined_where_they_are_numbers_or_the_same():
    number, row, name = lanes.joined([(mpq(1), [1], "x"), (2, [1], "x")])
    assert (number.numbers(), row, name) == ([1, 2], [1], "x")
    same = mpq(1, 2)
    assert lanes.joined([same, same]) is same
    for different in (["x", "y"], [1, "x"], [(1, 2), (1,)], [(1,), [1]], [[1], [2]]):
        with pytest.raises(NotForLanes):
            lanes.joined(different)


def test_cases_that_are_alike_are_put_together():
    cases = [Named(1, "x", "a"), "no case", Named(2, "x", "b"), Named(3, "x", "a"), Named(5, "y", "b"), "another"]
    groups = [(list(places), case and (case.number.numbers(), case.name)) for places, case in lanes.grouped(cases)]
    assert groups == [([0, 3], ([1, 3], "x")), ([1, 5], None), ([2, 4], None)]


def test_columns_are_put_together_where_they_are_equal_and_marked_at_the_same_places():
    table = lanes.Table([(Q(0),), (Q(1, 2),), (Q(2),)], [False, False, True])
    points = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]
    groups = table.grouped(range(10, 16), points, Named, name="x")
    found = {tuple(places): (case.number.numbers(), [x.numbers() for x in case.X[0]]) for places, case in groups}
    half = Q(1, 2)
    assert found == {
        (0, 3): ([10, 13], [[0, half], [0, half]]),
        (1,): ([11], [[0], [half]]),
        (2, 4): ([12, 14], [[0, half], [2, 2]]),
        (5,): ([15], [[2], [2]]),
    }
    ((_, alone),) = lanes.Table([(Q(3),)], [False]).grouped(range(1), [(0, 0)], Named, name="x")
    assert [x.numbers() for x in alone.X[0]] == [[3], [3]]


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
    at(1, 3, 3, sweep_factor=Q(7, 2)),
    at(1, 3, 3, sentinel=Q(-5, 3)),
    at(1, 3, 3, global_factor=Q(1), t_l=Q(2)),
    replace(at(1, 3, 3), sweep=at(1, 3, 3).sweep.without_layer(1)),
    replace(at(1, 2, 4), sweep=at(1, 2, 5).sweep),
]


@pytest.mark.thorough
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


def by_numbers_of_no_case(case):
    yield Relation("one", Q(1), "<", "two", Q(2))
    yield Relation("one", 1, "=", "two", 2)
    yield Relation("one and l_1", Q(1), "<=", "l_1", case.l[0])


def by_tuples(case):
    yield Relation("l", case.l, "=", "the matrix", case.X[0])
    yield Relation("l, of another length", case.l, "=", "the matrix", case.X[0][1:])
    yield Relation("l in l", (case.l, Q(1)), "=", "l in l", (case.l, Q(1)))
    yield Relation("nothing", (), "=", "nothing", ())


def by_another_length(case):
    yield Relation("l, of another length", case.l, "=", "the matrix", case.X[0][1:])


def by_equal_numbers(case):
    yield Relation("l_1", case.l[0], "=", "0", Q(0))


def by_pairs_of_cases(case):
    yield Relation("l_1", case.l[0], "<", "1/2", Q(1, 2), (0, 3))


def by_a_tuple_and_a_number(case):
    yield Relation("l", case.l, "=", "l_1", case.l[0])


def by_what_a_number_is(case):
    """Nothing that lanes could notice: they would take the other way, all of them."""
    yield Relation("l_1", case.l[0] if isinstance(case.l[0], type(Q(0))) else Q(9), "<", "1", Q(1))


def test_a_check_of_ones_own_goes_case_by_case_whatever_it_asks(monkeypatch):
    g, claim = at(1, 3, 6), own(by_what_a_number_is)
    truth = counted(monkeypatch, g, [claim], ONE_BY_ONE).shard
    assert counted(monkeypatch, g, [claim], 1).shard == truth
    monkeypatch.setattr(many.Askable, "__call__", lambda *_: True)
    assert counted(monkeypatch, g, [claim], 1).shard != truth


LANES_DO = [by_parity, silent_for_some, by_numbers_of_no_case, by_tuples, by_another_length, by_equal_numbers]
LANES_CANNOT = [by_table, by_text, by_pairs_of_cases, by_a_tuple_and_a_number]


@pytest.mark.parametrize("check", LANES_DO + LANES_CANNOT)
def test_lanes_divide_or_give_up_where_a_check_does_what_they_cannot(check, monkeypatch):
    monkeypatch.setattr(many.Askable, "__call__", lambda *_: True)
    g, claim = at(1, 3, 6), own(check)
    truth = counted(monkeypatch, g, [claim], ONE_BY_ONE)
    assert truth.shard.claims["own.claim"].cases
    one_by_one = []
    see = Tally.see
    monkeypatch.setattr(Tally, "see", lambda tally, *case: one_by_one.append(case) or see(tally, *case))
    assert counted(monkeypatch, g, [claim], 1).shard == truth.shard
    assert bool(one_by_one) == (check in LANES_CANNOT)
    assert counted(monkeypatch, g, [claim], 1, fewest=5).shard == truth.shard


@pytest.mark.parametrize("most_parts", [0, 1, 2, 40])
def test_cases_that_are_divided_too_often_are_seen_one_by_one(most_parts, monkeypatch):
    """Each of the 15 has a way of its own through the check."""
    monkeypatch.setattr(many.Askable, "__call__", lambda *_: True)
    monkeypatch.setattr(many, "MOST_PARTS", most_parts)
    g = at(1, 2, 4)
    claim = own(lambda case: [Relation("l", case.l[0], "<", "k/9", Q(k, 9)) for k in range(15) if case.number > k])
    truth = counted(monkeypatch, g, [claim], ONE_BY_ONE)
    assert counted(monkeypatch, g, [claim], 1).shard == truth.shard


@pytest.mark.parametrize("op", ["<", "="])
@pytest.mark.parametrize("pair", [(None, 0.5), (0.5, None), (Q(0), 0.5), (0.5, 0.5), ((0.5,), (0.5,)), ([0], (0,))])
def test_what_a_check_must_not_do_is_refused_as_ever(op, pair, monkeypatch):
    """None stands for a number of the case."""
    monkeypatch.setattr(many.Askable, "__call__", lambda *_: True)
    g = at(1, 3, 6)

    def check(case):
        value, bound = (case.l[0] if x is None else x for x in pair)
        return [Relation("this", value, op, "that", bound)]

    with pytest.raises(ValueError, match=r"list|float"):
        counted(monkeypatch, g, [own(check)], 1)


@pytest.mark.parametrize("wrong", [Relation("l", (Q(0),), "<", "l", (Q(1),)), "no relation"])
def test_and_so_is_what_is_no_relation_of_numbers(wrong, monkeypatch):
    monkeypatch.setattr(many.Askable, "__call__", lambda *_: True)
    with pytest.raises(ValueError, match=r"list|no Relation"):
        counted(monkeypatch, at(1, 3, 6), [own(lambda _: [wrong])], 1)


# Cases that are no orbits: a claim's own, and those of the simplest kind.


def seen_of_its_own(monkeypatch, g, claims, worth_it, fewest=1):
    monkeypatch.setattr(literal, "WORTH_IT", worth_it)
    monkeypatch.setattr(many, "FEWEST", fewest)
    monkeypatch.setattr(literal, "AT_ONCE_OF_ITS_OWN", 7)
    tallies = [Tally(claim) for claim in claims]
    for tally in tallies:
        literal.see_all(g, [tally], tally.claim.domain.cases(g), lambda _: None)
    return tallies


@pytest.mark.parametrize("g", [at(1, 2, 3), at(1, 3, 2)], ids=repr)
def test_claims_with_cases_of_their_own_count_the_same_of_many_and_of_each(g, monkeypatch):
    claims = [claim for claim in claims_of("yun2020") if claim.skip(g) is None and claim.domain.cases]
    claims = [claim for claim in claims if isinstance(next(iter(claim.domain.cases(g)), None), Alike)]
    truth = seen_of_its_own(monkeypatch, g, claims, ONE_BY_ONE)
    assert sum(tally.cases > 7 for tally in truth) >= 14
    assert any(tally.failing for tally in truth)
    for fewest in (1, 3):
        assert seen_of_its_own(monkeypatch, g, claims, 1, fewest) == truth


def bounded(case):
    yield Relation("number", case.number, "<=", "7", Q(7))


def looked_up(case):
    yield Relation("number", {case.number: 7}[case.number], "=", "7", Q(7))


def told_by_its_kind(case):
    yield Relation("letters of its kind", len(getattr(case, "kind", "")), ">", "0", 0)


CASES = [Named(Q(k), "x", "odd" if k % 2 else "even") for k in range(9)] + [Named(Q(9), "y", "odd")]


@pytest.mark.parametrize(
    ("check", "refused"), [(bounded, {1}), (told_by_its_kind, {1}), (looked_up, {1, (Named, "even")})]
)
def test_what_lanes_could_not_do_once_they_are_not_asked_again(check, refused, monkeypatch):
    """The odd ones, from place 1 on, can't be put together: one of them has another name."""
    monkeypatch.setattr(many, "FEWEST", 5)
    claim = own(check)
    truth, tally, askable = Tally(claim), Tally(claim), many.Askable({claim.id: claim})
    for place, case in enumerate(CASES):
        truth.see(place, case)
    many.see_cases([tally], 0, CASES, askable)
    assert tally == truth
    assert askable.refused == {(claim.id, kind) for kind in refused}


def test_the_sum_over_all_cases():
    """Of many at once, divided where they part ways; and of each, where lanes can't do it or the cases are too few."""

    cases = [Named(Q(k), "x", "even") for k in range(30)]

    def total(digest, case=cases.__getitem__, count=30):
        block = many.Block(range(count), case, lanes.grouped(cases[:count]), many.Askable({}))
        return block.total(digest), [len(groups) for groups in block.alike.values()]

    squares = [sum(k**2 for k in range(count)) for count in range(40)]
    assert total(lambda case: case.number**2, None) == (squares[30], [1])
    assert total(lambda _: Q(2, 3), None) == (30 * Q(2, 3), [1])
    assert total(lambda case: case.number**2 if case.number > 12 else Q(0), None) == (squares[30] - squares[13], [2])
    assert total(lambda case: {case.number: Q(1, 3)}[case.number]) == (30 * Q(1, 3), [1])
    assert total(lambda case: case.number**2, count=many.FEWEST - 1) == (squares[many.FEWEST - 1], [1])


def test_blocks_end_where_they_end(monkeypatch):
    g = at(1, 2, 4)
    claims = of_the_space(g)
    truth = counted(monkeypatch, g, claims, ONE_BY_ONE)
    for size in (1, 7, 14, 15, 16):
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

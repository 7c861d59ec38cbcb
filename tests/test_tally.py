"""What a claim makes of its cases, one after the other: cases are whole numbers here, and checks say what is given."""

from types import SimpleNamespace

import pytest

from verifier.core.claim import Claim, Domain, Relation
from verifier.core.exact import Q
from verifier.run.shard import Count
from verifier.run.stop import Disagreement
from verifier.run.tally import Tally, stands_out

HOLDS = Relation("1", Q(1), "<", "2", Q(2))


EVERY = Domain("every case")


def claim(check=None, domain=EVERY, **more):
    return Claim(id="a.claim", says="", formula="", domain=domain, check=check, **more)


def seen(claim, cases=range(10)):
    tally = Tally(claim)
    for number, case in enumerate(cases):
        tally.see(number, case)
    return tally


def below(bound, name="x", bound_name="bound"):
    return lambda case: [Relation(name, Q(case), "<", bound_name, Q(bound))]


def test_cases_are_counted_and_the_failing_ones_too():
    tally = seen(claim(below(7)))
    assert tally.count() == Count(cases=10, failing=3, first=7, edges={"x < bound": (Q(1), 6)})
    assert tally.relations() == {
        ("a.claim", ""): Relation("x", Q(7), "<", "bound", Q(7)),
        ("a.claim", "x < bound"): Relation("x", Q(6), "<", "bound", Q(7)),
    }
    assert seen(claim(below(99))).relations().keys() == {("a.claim", "x < bound")}
    assert seen(claim(below(-1))).relations().keys() == {("a.claim", "")}


def test_only_cases_of_the_domain_and_each_as_often_as_it_weighs():
    odd = claim(below(99), Domain("the odd ones", lambda case: case % 2))
    assert seen(odd).count() == Count(5, 0, None, {"x < bound": (Q(90), 9)})

    orbit = SimpleNamespace(stands_for=6)
    for over_matrices, cases in ((False, 2), (True, 12)):
        weighed = claim(lambda _: [HOLDS], Domain("", over_matrices=over_matrices))
        assert seen(weighed, [orbit, orbit]).cases == cases


def test_a_case_that_fails_twice_fails_once_and_of_equals_the_first_is_kept():
    def check(case):
        yield Relation("x_1", Q(case), "<", "5", Q(5))
        yield Relation("x_2", Q(case), "<", "5", Q(5))

    tally = seen(claim(check))
    assert (tally.failing, tally.first[1].name) == (5, "x_1")
    ((slack, at, relation),) = tally.edges.values()
    assert (slack, at, relation.name) == (1, (4,), "x_1")


def test_of_equal_slacks_the_first_case_is_kept_whatever_the_order_in_which_they_come():
    for numbers in ((3, 1, 2), (1, 2, 3), (2, 3, 1)):
        tally = Tally(claim(lambda _: [HOLDS]))
        for number in numbers:
            tally.see(number, None)
            tally.fail((number,), None)
        assert (tally.edges["1 < 2"][1], tally.first[0]) == ((1,), (1,))


def test_a_relation_may_be_about_other_cases():
    pair = Relation("x", Q(1), "<", "y", Q(2), (3, 8))
    tally = Tally(claim(lambda _: [pair, Relation("x", Q(2), "<", "z", Q(2), (2, 5))]))
    assert tally.weigh(tally.claim.check(0), (0,)) is True
    assert tally.count() == Count(0, 1, 2, {"x < y": (Q(1), 3)})
    assert (tally.first[0], tally.edges["x < y"][1]) == ((2, 5), (3, 8))
    assert tally.weigh([]) is False


@pytest.mark.parametrize(
    ("its", "cases"),
    [
        ({"check": lambda case: [HOLDS] * (case < 3)}, 3),
        ({"check": lambda case: [HOLDS] * (case < 3), "silence_holds": True}, 10),
        ({"collect": lambda case: [case] * (case < 4), "conclude": lambda *_: []}, 4),
        ({"check": lambda case: [HOLDS] * (case < 3), "collect": lambda case: [case] * (case > 7), "conclude": id}, 5),
        ({"conclude": lambda *_: []}, 10),
    ],
    ids=["a check", "a check of what fails", "values", "both", "the conclusion alone"],
)
def test_a_case_of_which_nothing_is_said_is_no_case(its, cases):
    tally = seen(claim(**its))
    assert tally.cases == cases
    assert tally.values == ([(k, k) for k in range(10) if its["collect"](k)] if "collect" in its else [])


@pytest.mark.parametrize(
    ("check", "error", "why"),
    [
        (lambda _: None, TypeError, "a.claim: None instead of relations"),
        (lambda _: [Relation("x", 0.5, "<", "y", Q(1))], ValueError, r"a.claim: x: 0\.5 is a float"),
    ],
)
def test_what_is_no_relation_is_refused(check, error, why):
    with pytest.raises(error, match=why):
        seen(claim(check))


# What many cases at once leave open: the relations themselves


def test_what_stands_out_is_made_again_of_its_own_case():
    asked = []
    tally = Tally(claim(below(7)))
    tally.fail((7,), None)
    tally.tighten(Q(1), (6,), "x < bound", None)
    there = Relation("x", Q(2), "<", "other", Q(4))
    tally.tighten(Q(2), (2,), "x < other", there)
    tally.settle(lambda number: asked.append(number) or number)
    assert tally.relations() == seen(claim(below(7))).relations() | {("a.claim", "x < other"): there}
    assert asked == [7, 6]
    tally.settle(asked.append)
    assert asked == [7, 6]


def test_a_count_that_its_own_case_denies_is_a_disagreement():
    tally = Tally(claim(below(7)))
    tally.fail((6,), None)
    with pytest.raises(Disagreement, match="the literal network has no failing relation at case 6"):
        tally.settle(lambda number: number)
    tally = Tally(claim(below(7)))
    tally.tighten(Q(2), (6,), "x < bound", None)
    with pytest.raises(Disagreement, match="has no slack 2 of x < bound at case 6"):
        tally.settle(lambda number: number)


@pytest.mark.parametrize(
    ("relation", "fails", "tight"),
    [
        (Relation("x", Q(1), "<", "y", Q(2)), False, True),
        (Relation("x", Q(1), "<", "y", Q(3)), False, False),  # another slack
        (Relation("x", Q(1), "<", "z", Q(2)), False, False),  # another edge
        (Relation("x", Q(2), "<", "y", Q(1)), True, False),
    ],
)
def test_which_relation_a_count_speaks_of(relation, fails, tight):
    assert stands_out(relation, "", None) == fails
    assert stands_out(relation, "x < y", Q(1)) == tight


def test_a_relation_that_fails_is_no_tightest_case_though_its_slack_is_0():
    assert not stands_out(Relation("x", Q(1), "<", "y", Q(1)), "x < y", Q(0))
    assert stands_out(Relation("x", Q(1), "<=", "y", Q(1)), "x <= y", Q(0))

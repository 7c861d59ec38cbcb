"""What a claim is made of: relations, their edges, a domain; and what is told apart before any case is seen."""

import pytest
from gmpy2 import mpz
from hypothesis import example, given
from hypothesis import strategies as st

from verifier.core.claim import (
    Claim,
    Collected,
    Domain,
    Edge,
    Relation,
    in_words,
    itself,
    nearest,
    neighbours,
    wrong_with,
)
from verifier.core.exact import Q
from verifier.run.tally import Tally


def test_relations_know_their_slack():
    assert Relation("x", Q(3), "<", "y", Q(5)).slack == Relation("x", Q(5), ">", "y", Q(3)).slack == 2
    assert Relation("x", Q(3), "<=", "y", Q(4)).slack == Relation("x", Q(4), ">=", "y", Q(3)).slack == 1
    assert Relation("x", Q(3), ">=", "y", Q(3)).slack == 0
    assert Relation("x", Q(3), "<", "y", Q(2)).slack == -1
    assert Relation("x", Q(3), "=", "y", Q(3)).slack is None


@pytest.mark.parametrize(("op", "held"), [("<", (1, 0, 0)), ("<=", (1, 1, 0)), ("=", (0, 1, 0)), (">=", (0, 1, 1)), (">", (0, 0, 1))])  # fmt: skip  # noqa: E501
def test_a_relation_holds_as_its_sign_says(op, held):
    assert tuple(Relation("x", Q(value), op, "2", Q(2)).holds for value in (1, 2, 3)) == held


def test_an_edge_is_a_relation_whatever_the_column():
    relation = Relation("q_13", Q(1), "<", "t_r", Q(2))
    edge = Edge.of("a.claim", relation)
    assert edge == Edge("a.claim", "q_j", "<", "t_r")
    assert relation.edge == str(edge) == "q_j < t_r"
    assert edge.at(Q(1), Q(2), 13) == relation
    assert edge.at(Q(1), Q(2)) == Relation("q_j", Q(1), "<", "t_r", Q(2))
    assert edge.at(Q(1), Q(2), 0).name == "q_0"


@pytest.mark.parametrize(
    ("value", "op", "bound", "why"),
    [
        (Q(1), "<", 2, ""),
        (mpz(1), ">=", Q(2), ""),
        ((1, (Q(1, 2), mpz(3))), "=", (), ""),
        ((1,), "=", 1, ""),
        (Q(1), "!=", Q(2), "'!=' between x and y is none of = < <= > >="),
        (0.5, "<", Q(1), "x: 0.5 is a float"),
        (Q(1), "<", 0.5, "y: 0.5 is a float"),
        ((1, (0.5,)), "=", (1, (0.5,)), "x: 0.5 is a float"),
        ((1,), "<", Q(1), "x is a list, and < is between numbers"),
        (Q(1), ">", [1], "y is a list, and > is between numbers"),
        ([1], "=", (1,), "x: [1] is a list"),
        (True, "=", 1, "x: True is a bool"),
    ],
)
def test_a_relation_is_between_exact_numbers_or_tuples_of_them(value, op, bound, why):
    said = wrong_with(Relation("x", value, op, "y", bound))
    assert said.startswith(why)
    assert bool(said) == bool(why)


def test_what_is_no_relation_is_said_in_short():
    assert wrong_with((1, 2)).startswith("(1, 2) is no Relation(name, value, sign")
    assert len(wrong_with("x" * 1000)) < 200


def test_neighbours_are_of_two_cases_and_equal_values_are_neighbours_too():
    values = [(Q(5), 2), (Q(1), 7), (Q(5), 2), (Q(1), 7), (Q(3), 7), (Q(5), 1)]
    assert list(neighbours(Collected({}, values))) == [(3, 5, (1, 7)), (5, 5, (1, 2))]
    assert list(neighbours(Collected({}, values[:1]))) == []
    with pytest.raises(TypeError, match="'seven' was collected; give each case a number"):
        list(neighbours(Collected({}, [*values, ("seven", 7)])))


@given(st.lists(st.tuples(st.integers(0, 9).map(Q), st.integers(0, 5)), max_size=12))
@example([(Q(4), 1), (Q(4), 2), (Q(4), 3), (Q(6), 4), (Q(8), 1)])
def test_of_distances_the_nearest_are_enough(values):
    """What a tally makes of them is what it makes of all neighbours: how many fail, the first, and the tightest."""

    def tallied(pairs):
        tally = Tally(Claim(id="a.claim", says="", formula="", domain=Domain(""), check=lambda _: iter(())))
        tally.weigh(Relation("distance", distance, ">", "0", Q(0), cases) for distance, cases in pairs)
        return tally.failing, tally.first, tally.edges

    seen = Collected({}, values)
    assert tallied(nearest(seen)) == tallied((upper - lower, cases) for lower, upper, cases in neighbours(seen))


def test_of_pairs_that_are_equally_far_apart_the_first_is_enough():
    """14, 15 and 16 are equally far apart; the pair counts whose cases come first."""
    values = [(Q(16), 1), (Q(15), 0), (Q(14), 2), (Q(10), 5)]
    assert list(nearest(Collected({}, values))) == [(4, (2, 5)), (1, (0, 2)), (1, (0, 1))]
    assert list(nearest(Collected({}, values[::-1])))[-1] == (1, (0, 1))


# Claims


def test_a_claim_in_short_is_its_phrase_or_its_first_sentence():
    told = {
        "says": "Values differ. They do so always.",
        "formula": "",
        "domain": Domain(""),
        "check": lambda _: iter(()),
    }
    assert Claim(id="a.claim", phrase="values differ", **told).in_short == "values differ"
    assert Claim(id="a.claim", **told).in_short == "Values differ"
    assert Claim(id="a.claim", **told | {"says": "Values differ."}).in_short == "Values differ"


HOLDS = Relation("1", Q(1), "<", "2", Q(2))
GOOD = {"id": "sums.bounded", "says": "", "formula": "", "domain": Domain("every case"), "check": lambda _: [HOLDS]}


def test_what_a_claim_is_unless_it_says_otherwise():
    claim = Claim(**GOOD)
    assert (claim.family, claim.kind, claim.excluded) == ("sums", "own", False)
    assert repr(Claim(**GOOD | {"says": "sums are bounded"})) == "<sums.bounded (own): sums are bounded>"
    assert (claim.skip(None), claim.work(None), claim.counts, claim.silence_holds) == (None, 0, False, False)
    domain = claim.domain
    assert domain.selects("anything") is True
    assert (domain.over_matrices, domain.weight("anything"), domain.cases) == (False, 1, None)
    assert itself("a construction") == ("a construction",)
    assert Claim(**GOOD | {"kind": "excluded"}).excluded


@pytest.mark.parametrize(
    ("its", "why"),
    [
        ({"id": "sums"}, "'sums' is no claim id; one is family.name"),
        ({"kind": "opinion"}, "'opinion' is no kind of claim; they are statement, step, repair, own, excluded"),
        ({"collect": lambda _: [1]}, "what it collects is compared by nothing; `conclude` is missing"),
        ({"check": None}, "it has nothing that could fail; `check`, or `collect` and `conclude`, is missing"),
    ],
)
def test_a_claim_says_what_can_fail(its, why):
    with pytest.raises(ValueError, match=why):
        Claim(**GOOD | its)


def test_a_claim_may_be_about_the_cases_together_alone():
    for its in ({"conclude": lambda *_: []}, {"collect": lambda _: [1], "conclude": lambda *_: []}):
        Claim(**GOOD | its)
        Claim(**GOOD | its | {"check": None})


def test_names_as_certificates_have_them_for_a_reader():
    assert in_words("lemma10.lower") == "the lower bound of Lemma 10"
    assert in_words("max_j l~_j <= lemma10.upper - delta") == "max_j l~_j <= (the upper bound of Lemma 10) - delta"
    assert in_words("q_1 < t_r, by lemma6.3") == "q_1 < t_r, by lemma6.3"
    assert Relation("x", Q(1), "<", "lemma10.upper", Q(2)).bound_in_words == "the upper bound of Lemma 10"

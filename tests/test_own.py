"""A construction of somebody's own: its story, its certificate, and what the checker makes of lies about it."""

import json
import sys
from copy import deepcopy
from fractions import Fraction
from pathlib import Path

import pytest

from verifier import Claim, Domain, Q, Relation, certify, explain, neighbours, verify
from verifier.certificate import canonical
from verifier.checker.__main__ import main
from verifier.core.construction import NotCertifiable
from verifier.core.space import Tuples

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "examples"))
from sums_of_powers import SumsOfPowers  # noqa: E402 - an example lies beside the tests

AS_FAR_AS_IT_CAN, IN_FULL, REJECTED, UNREADABLE, OVER_LIMIT = 5, 0, 1, 2, 4
HELD = json.loads(certify(verify(SumsOfPowers(n=3, N=3, base=4))))
REFUTED = json.loads(certify(verify(SumsOfPowers(n=3, N=3, base=2))))

# The second reading that docs/how-to/your-own-construction.md gives.
PAGE = (ROOT / "docs/how-to/your-own-construction.md").read_text()
READING = PAGE.split('write_text("""\n')[1].split('""")')[0]


@pytest.fixture
def judge(tmp_path, capsys):
    def run(document, reading=None):
        (tmp_path / "c.json").write_bytes(canonical(document))
        options = []
        if reading is not None:
            (tmp_path / "second.py").write_text(reading)
            options = ["--reading", str(tmp_path / "second.py")]
        code = main([*options, str(tmp_path / "c.json")])
        return code, capsys.readouterr().out

    return run


def test_without_a_second_reading_it_is_checked_as_far_as_it_can_be(judge):
    code, said = judge(HELD)
    assert code == AS_FAR_AS_IT_CAN
    assert "the claims and their relations are the producer's alone" in said
    code, said = judge(REFUTED)
    assert code == 1  # it says that a claim is refuted, and nobody promised that
    assert "REFUTED, as it says: sums.distinct" in said


def test_with_a_second_reading_it_is_checked_in_full(judge):
    code, said = judge(HELD, READING)
    assert (code, "checked in full" in said) == (IN_FULL, True), said
    code, said = judge(REFUTED, READING)
    assert code == 1
    assert "checked; REFUTED, as it says" in said


def changed(*path_and_value):
    *path, last, value = path_and_value

    def change(document):
        for key in path:
            document = document[key]
        assert document[last] != value
        document[last] = value

    return change


LAYER = ("construction", "networks", "sums", 0, "feed-forward")
SEEN_BY_ALL = {
    "a weight": changed(*LAYER, "pieces", 1, ["0", "5"]),
    "an image": changed("construction", "cases", 4, "image", 2, 0, "7"),
    "an input": changed("construction", "cases", 4, "X", 0, 0, "2"),
    "a network's name": changed("construction", "cases", 4, "network", "sum"),
    "how many matrices a case stands for": changed("construction", "cases", 4, "matrices", 2),
    "the coverage": changed("coverage", "total", "orbits", 9),
    "a slack": changed("claims", 0, "tightest", "slack", "1"),
    "a verdict": changed("claims", 0, "verdict", "refuted"),
    "the verdict of all": changed("verdict", "refuted"),
    "a matrix that no case has": changed("claims", 0, "tightest", "matrix", 0, 0, "9"),
}


@pytest.mark.parametrize("what", SEEN_BY_ALL)
def test_a_lie_that_needs_no_second_reading_to_be_seen(judge, what):
    document = deepcopy(HELD)
    SEEN_BY_ALL[what](document)
    code, said = judge(document)
    assert code in (REJECTED, UNREADABLE), said
    assert "REJECTED" in said or "unreadable" in said


def another_claim(document):
    """The relation that the producer says it looked at is another, and true of itself."""
    (claim,) = [claim for claim in document["claims"] if claim["id"] == "sums.bounded"]
    for edge in (*claim["edges"], claim["tightest"]):
        edge |= {"bound": "100", "slack": "52"}


def a_case_less(document):
    gone = document["construction"]["cases"].pop(4)
    for sizes in (document["coverage"], document["shards"][0]["coverage"]):
        for size in sizes.values():
            size["orbits"] -= 1
            size["matrices"] -= gone["matrices"]
    document["shards"][0]["stop"] -= 1


SEEN_BY_A_READING = {
    "another bound": another_claim,
    "a case less": a_case_less,
    "a claim of other words": changed("claims", 1, "statement", "All is well. [1 = 1]"),
    "how many cases": changed("claims", 1, "cases", 7),
}


@pytest.mark.parametrize("what", SEEN_BY_A_READING)
def test_a_lie_that_only_a_second_reading_sees(judge, what):
    """So `checked as far as it can be` is no more than it says, and a reading is worth its lines."""
    document = deepcopy(HELD)
    SEEN_BY_A_READING[what](document)
    assert judge(document)[0] == AS_FAR_AS_IT_CAN
    code, said = judge(document, READING)
    assert (code, "REJECTED" in said) == (REJECTED, True), said


@pytest.mark.parametrize(
    ("reading", "why"),
    [
        ("1/0", "ZeroDivisionError"),
        ("SIZES = ()", "it has no STATEMENTS, matrices, relations"),
        ("import this is no Python", "SyntaxError"),
    ],
)
def test_a_reading_that_is_none(judge, reading, why):
    code, said = judge(HELD, reading)
    assert code == UNREADABLE
    assert why in said


def test_a_reading_of_something_else_rejects(judge):
    for old, new in (("base ** (N - 1)", "base**N"), ("b - a", "b - a + 1"), ('range(instance["N"])', "range(2)")):
        assert old in READING
        assert judge(HELD, READING.replace(old, new))[0] == REJECTED


def test_a_bounded_reader_runs_no_long_certificate(tmp_path):
    (tmp_path / "c.json").write_bytes(canonical(HELD))
    assert main(["--max-points", "10", str(tmp_path / "c.json")]) == OVER_LIMIT


def test_explain_tells_the_pair_that_refutes_and_the_case_that_is_tightest(capsys):
    result = verify(SumsOfPowers(n=3, N=3, base=2))
    explain(result, "sums.distinct")
    said = capsys.readouterr().out
    assert "[0, 0, 2; 0, 0, 0; 0, 0, 0]\n    layer 0, FeedForward: [0, 0, 2; 1, 1, 4; 0, 0, 0]" in said
    assert "layer 1, attention, its heads read [2, 2, 2]: [1, 1, 1; 2, 2, 2; 6, 6, 6]" in said
    explain(result, "sums.bounded")
    assert "tightest: the sum = 12 <= n base^(N-1) = 12, at [2, 2, 2;" in capsys.readouterr().out
    with pytest.raises(KeyError, match=r"there are sums\.bounded, sums\.distinct"):
        explain(result, "sums.other")


def test_cases_that_nothing_can_run_again_are_not_certified():
    class Numbers(Tuples):
        def case(self, number, point):
            return type("Case", (), {"number": number, "stands_for": 1, "shown": (), "point": point})()

    class Bare(SumsOfPowers):
        space = property(lambda self: Numbers([2, 2]))  # noqa: ARG005

        def claims(self):
            return [Claim(id="own.none", says="Nothing.", formula="", domain=Domain("all"), check=lambda _: iter(()))]

    result = verify(Bare(n=2, N=2, base=2))
    assert result.verdict == "holds"
    with pytest.raises(NotCertifiable, match="nothing that could be run again"):
        certify(result)


# What nobody may believe: claims that say nothing, or nothing exact, or are two of a name


HOLDS = Relation("1", Q(1), "<", "2", Q(2))
FAILS = Relation("1", Q(1), ">", "2", Q(2))


def claim(**its):
    return Claim(**({"id": "own.claim", "says": "It is so.", "formula": "1", "domain": Domain("every input")} | its))


def found(*claims, n=2):
    class Powers(SumsOfPowers):
        def claims(self):
            return claims

    return verify(Powers(n=n, N=3, base=4))


def test_two_claims_of_one_name_are_refused_and_one_given_twice_is_one():
    """Else the one that holds is told twice, and the one that fails is gone."""
    bad, good = claim(check=lambda _: [FAILS]), claim(check=lambda _: [HOLDS])
    for both in ((bad, good), (good, bad)):
        with pytest.raises(ValueError, match=r"two claims are called own[.]claim"):
            found(*both)
        with pytest.raises(ValueError, match=r"two claims are called own[.]claim"):
            verify(SumsOfPowers(n=2, N=3, base=4), both)
    assert [finding.verdict for finding in found(good, good).findings] == ["holds"]


@pytest.mark.parametrize(
    ("relation", "why"),
    [
        (Relation("a", 2.0**53 + 1, "<=", "2^53", 2.0**53), "a: 9007199254740992.0 is a float"),
        (Relation("a", Q(1, 2), "<", "b", 0.75), "b: 0.75 is a float"),
        (Relation("a", (Q(1), 0.5), "=", "b", (Q(1), Q(1, 2))), "a: 0.5 is a float"),
        (Relation("a", Fraction(1, 2), "<", "b", Q(1)), "a: .* is a Fraction"),
        (Relation("a", True, "=", "b", 1), "a: True is a bool"),
        (Relation("a", Q(1), "!=", "b", Q(0)), "'!=' between a and b is none of = < <= > >="),
        (Relation("a", (Q(1),), ">", "b", (Q(0),)), "a is a list, and > is between numbers"),
        (True, "True is no Relation"),
    ],
)
def test_a_relation_is_between_exact_numbers(relation, why):
    with pytest.raises(ValueError, match=f"^own.claim: {why}"):
        found(claim(check=lambda _: [relation]))
    with pytest.raises(ValueError, match=f"^own.claim: {why}"):
        found(claim(collect=lambda case: [case.number], conclude=lambda *_: [relation]))


@pytest.mark.parametrize(
    ("its", "why"),
    [
        ({}, "own.claim: it has nothing that could fail"),
        ({"collect": lambda _: [1]}, "own.claim: what it collects is compared by nothing"),
        ({"id": "claim", "check": lambda _: [HOLDS]}, "'claim' is no claim id"),
    ],
)
def test_a_claim_says_something(its, why):
    with pytest.raises(ValueError, match=why):
        claim(**its)


def test_a_case_of_which_a_check_says_nothing_is_no_case_of_the_claim():
    """Else a claim that compares nothing holds in every case."""
    silent = found(claim(check=lambda _: []))["own.claim"]
    assert (silent.verdict, silent.cases, silent.why) == ("vacuous", 0, "no case exists of which it says anything")
    some = found(claim(check=lambda case: [HOLDS] if case.number < 4 else []))["own.claim"]
    assert (some.verdict, some.cases) == ("holds", 4)
    only_failures = found(claim(check=lambda _: [], silence_holds=True))["own.claim"]
    assert (only_failures.verdict, only_failures.cases) == ("holds", 6)
    collected = found(claim(collect=lambda _: [], conclude=lambda _, seen: neighbours(seen)))["own.claim"]
    assert (collected.verdict, collected.cases) == ("vacuous", 0)
    concluded = found(claim(collect=lambda _: [1], conclude=lambda *_: []))["own.claim"]
    assert (concluded.verdict, concluded.why) == ("vacuous", "its conclusion compares nothing")
    with pytest.raises(TypeError, match=r"own[.]claim: None instead of relations"):
        found(claim(check=lambda _: None))

"""A construction of somebody's own: its story, its certificate, and what the checker makes of lies about it."""

import json
import re
import sys
from copy import deepcopy
from fractions import Fraction
from html import unescape
from pathlib import Path

import pytest

from cli import main as verify_main
from verifier import Claim, Domain, Q, Relation, certify, explain, neighbours, verify
from verifier.certificate import canonical
from verifier.checker.__main__ import main
from verifier.core.construction import NotCertifiable
from verifier.core.space import Tuples
from verifier.report.page import render
from verifier.report.sources import load

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "examples"))
from sums_of_powers import SumsOfPowers  # noqa: E402 - an example lies beside the tests

AS_FAR_AS_IT_CAN, REJECTED, UNREADABLE, OVER_LIMIT = 5, 1, 2, 4
HELD = json.loads(certify(verify(SumsOfPowers(n=3, N=3, base=4))))
REFUTED = json.loads(certify(verify(SumsOfPowers(n=3, N=3, base=2))))

# The second reading that docs/how-to/your-own-construction.md gives.
PAGE = (ROOT / "docs/how-to/your-own-construction.md").read_text()
READING = PAGE.split('write_text("""\n')[1].split('""")')[0]


@pytest.fixture
def judge(tmp_path, capsys):
    def run(document, reading=None, *options):
        (tmp_path / "c.json").write_bytes(canonical(document))
        if reading is not None:
            (tmp_path / "second.py").write_text(reading)
            options = ("--reading", str(tmp_path / "second.py"), *options)
        code = main([*options, str(tmp_path / "c.json")])
        said = capsys.readouterr()
        return code, said.out + said.err

    return run


def test_without_a_second_reading_it_is_checked_as_far_as_it_can_be(judge):
    code, said = judge(HELD)
    assert code == AS_FAR_AS_IT_CAN
    assert "the claims and their relations are the producer's alone" in said
    code, said = judge(REFUTED)
    assert code == 1  # it says that a claim is refuted, and nobody promised that
    assert "REFUTED, as it says: sums.distinct" in said


def test_a_second_reading_derives_the_claims_and_takes_the_weights_as_they_are(judge):
    code, said = judge(HELD, READING)
    assert code == AS_FAR_AS_IT_CAN
    assert said.endswith(
        "c.json: checked as far as it can be: the layers of 1 network were run again on every case, and the claims"
        " derived from what they gave; the weights, and which network a case goes through, are the producer's alone:"
        " (N, base, n) = (3, 4, 3), 2 claims hold; 10 cases, each case literally, by the second reading that was"
        " given\n"
    ), said
    code, said = judge(REFUTED, READING)
    assert code == 1
    assert "; REFUTED, as it says: sums.distinct" in said


def test_one_case_through_another_network_is_never_in_full(judge):
    """At base 2 two sums are equal; a second network, which one case goes through, makes them different."""
    document = deepcopy(REFUTED)
    carried, made = document["construction"], deepcopy(HELD)
    carried["networks"]["other"] = made["construction"]["networks"]["sums"]
    at = next(k for k, case in enumerate(carried["cases"]) if case["X"][0] == ["1", "1", "1"])
    document["construction"]["cases"][at] |= {"network": "other", "image": made["construction"]["cases"][at]["image"]}
    distinct = next(claim for claim in document["claims"] if claim["id"] == "sums.distinct")
    del distinct["counterexample"]
    distinct["verdict"] = document["verdict"] = "holds"
    code, said = judge(document)
    assert (code, "in full" in said) == (AS_FAR_AS_IT_CAN, False), said
    assert "the layers of 2 networks were run again on every case; which network a case goes through" in said


@pytest.mark.parametrize(
    "wrong",
    [
        {"breaks": ["3/2", "1/2"]},
        {"breaks": ["1/2", "1/2"]},
        {"breaks": ["1/2"]},
        {"pieces": [["0", "1"], ["0", "4"], ["0", "16"], ["0", "64"]]},
        {"pieces": [["0", "1"], ["0"], ["0", "16"]]},
        {"left_owned": ["2"]},
    ],
)
def test_a_function_has_one_line_on_each_of_its_pieces(judge, wrong):
    document = deepcopy(HELD)
    document["construction"]["networks"]["sums"][0]["feed-forward"] |= wrong
    code, said = judge(document)
    assert (code, "breaks increase, a piece is a pair, and there is one piece more" in said) == (UNREADABLE, True), said


def test_without_shards_there_is_nothing_to_count(judge):
    """Else any number of cases could be stated."""
    for size in ({"matrices": 10**20, "orbits": 10**20}, HELD["coverage"]["total"]):
        document = deepcopy(HELD) | {"shards": []}
        document["coverage"] = {"all": size, "total": size}
        code, said = judge(document)
        assert (code, "expected" in said) == (REJECTED, True), said


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
    ("old", "new", "why"),
    [
        ("from math", "1/0\nfrom math", "second.py, line 2: ZeroDivisionError"),
        ("def relations", "def relation", "second.py: it has no relations"),
        ("SIZES =", "SIZES is", "SyntaxError"),
        ("case.image[2]", "case.imag[2]", "second.py, line 23: AttributeError"),
        ("factorial(n)", "fac(n)", "second.py, line 16: NameError"),
        ("SIZES =", "raise SystemExit(0)\nSIZES =", "line 6: SystemExit"),
        ("n * base ** (N - 1))", "0.5)", "relations('sums.bounded', ...) compares 0.5; exact numbers are int and Frac"),
        ('"<=", ', '"!=", ', "which is no Relation with one of = < <= > >="),
        ("(min(i, j), max(i, j))", "[i, j]", "[0, 1] is no tuple of the cases' numbers"),
    ],
)
def test_what_is_wrong_with_a_reading_is_said_of_it(judge, old, new, why):
    """With its line; it is no verdict about the certificate, and no defect of the checker."""
    assert old in READING
    code, said = judge(HELD, READING.replace(old, new, 1))
    assert (code, why in said) == (UNREADABLE, True), said


def test_a_reading_of_something_else_rejects(judge):
    for old, new in (("base ** (N - 1)", "base**N"), ('b, ">"', 'b + 1, ">"'), ('range(instance["N"])', "range(2)")):
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


@pytest.fixture
def page(tmp_path):
    """The words of the report on these certificates, formulas as they were written."""

    def made(*documents, reading=""):
        for k, document in enumerate(documents):
            (tmp_path / f"{k}.json").write_bytes(canonical(document))
        (tmp_path / "second.py").write_text(READING)
        second = str(tmp_path / "second.py") if reading else ""
        page = render([load(tmp_path / f"{k}.json", reading=second) for k in range(len(documents))]).decode()
        text = re.sub(
            r'<span class="m"><math[^>]*alttext="([^"]*)".*?</math></span>', r"\1", page
        )  # formulas as they were written
        text = re.sub(r"<(style|script).*?</\1>|<[^>]+>", " ", text, flags=re.DOTALL)
        return re.sub(r"\s+", " ", unescape(text))

    return made


OF_YUN = ("g_c", "G+", "orbit of", "t_r", "Lemma 10", "--d", "Yun", "universal approximators", "growth")


def test_the_report_of_a_construction_of_ones_own_is_in_its_words(page):
    said = page(REFUTED)
    for words in (
        "verifier · one layer of sums of powers",
        "As far as it can be checked: refuted: sums.distinct; the other claim holds at (N, base, n) = (3, 2, 3), on"
        " every one of the 10 cases.",
        "checked as far as it can be",
        "is the word of whoever made it",
        "sums.distinct ✗ refuted No two inputs have the same sum. [sum_j base^(t_j) tells {t_j}] 10 cases, 1 fails",
        "Check it again: verify check",
    ):
        assert words in said
    for words in (*OF_YUN, "the checker found the same counterexamples on its own"):
        assert words not in said
    several = page(HELD, REFUTED)
    assert "Constructions that the files carry: 3 claims hold, 1 is refuted (sums.distinct)." in several
    assert not [words for words in OF_YUN if words in several]


def test_the_report_of_a_construction_that_a_file_carries_is_never_green(tmp_path, capsys):
    (tmp_path / "c.json").write_bytes(canonical(HELD))
    (tmp_path / "second.py").write_text(READING)
    for options in ([], ["--reading", str(tmp_path / "second.py")]):
        words = ["report", str(tmp_path / "c.json"), *options, "-o", str(tmp_path / "r.html")]
        assert verify_main(words) == AS_FAR_AS_IT_CAN
        assert "in part: checked as far as it can be" in capsys.readouterr().err
        html = (tmp_path / "r.html").read_text()
        assert ('class="verdict incomplete"' in html, 'class="verdict holds"' in html) == (True, False)
        assert not re.findall(r"\b27 matrices|<t[hd][^>]*>(27|matrices)<", html)  # of how many it speaks


def test_the_report_by_a_second_reading_says_what_was_derived(page):
    said = page(REFUTED, reading=READING)
    assert "; REFUTED, as it says" in said
    assert "the checker found the same counterexamples on its own" in said
    assert "second.py The claims" in said  # the command that checks it again


def test_the_report_of_another_paper_has_its_claims_and_its_command(page):
    document = json.loads((ROOT / "proofs/certificates/bigbird2020/d1-n2-N2.json").read_text())
    said = page(document)
    assert "verify --paper bigbird2020 --d 1 --n 2 --N 2" in said
    assert "bigbird.contextual ✗ refuted" in said
    assert not [words for words in ("g_c", "G+", "Lemma 10", "growth") if words in said]


def test_cases_that_nothing_can_run_again_are_not_certified():
    class Numbers(Tuples):
        def case(self, number, point):
            return type("Case", (), {"number": number, "stands_for": 1, "shown": (), "point": point})()

    class Bare(SumsOfPowers):
        space = property(lambda self: Numbers([2, 2]))  # noqa: ARG005

        def claims(self):
            return [Claim(id="own.none", says="Nothing.", formula="", domain=Domain("all"), check=lambda _: iter(()))]

    result = verify(Bare(n=2, N=2, base=2))
    assert result.verdict == "incomplete"
    with pytest.raises(NotCertifiable, match="a checker could run nothing again"):
        certify(result)


# All that a claim may be: about some of the cases, about cases of its own, not checked, false


class Everything(SumsOfPowers):
    def claims(self):
        even = Domain("the inputs without an odd token", selects=lambda case: not any(t % 2 for t in case.X[0]))
        itself = Domain("the construction itself", cases=lambda g: [g])
        tokens = Domain("every token", cases=lambda g: range(g.N))
        two_layers = [Relation("layers", Q(len(self.network)), "=", "2", Q(2))]
        return [
            Claim(
                **SAYS["even"],
                domain=even,
                check=lambda case: [Relation("sum", case.image[2][0], ">=", "n", Q(self.n))],
            ),
            Claim(**SAYS["layers"], domain=itself, check=lambda _: two_layers),
            Claim(**SAYS["token"], domain=tokens, check=lambda t: [Relation("token", Q(t), "<", "N-1", Q(self.N - 1))]),
            Claim(**SAYS["later"], domain=itself, check=lambda _: two_layers, skip=lambda g: f"not at n = {g.n}"),
            Claim(**SAYS["pairs"], domain=even, collect=lambda case: [case.image[2][0]], conclude=apart),
        ]


def apart(_, seen):
    for lower, upper, cases in neighbours(seen):
        yield Relation("distance", upper - lower, ">", "1", Q(1), cases)


SAYS = {
    name: {"id": f"sums.{name}", "says": f"{name}.", "formula": name}
    for name in ("even", "layers", "token", "later", "pairs")
}
OF_EVERYTHING = """
from itertools import combinations_with_replacement, pairwise
from math import factorial, prod

from verifier.checker.core.frame import Relation

SIZES = ("n", "N", "base")
STATEMENTS = {f"sums.{name}": f"{name}. [{name}]" for name in ("pairs", "later", "token", "layers", "even")}


def matrices(instance):
    n = instance["n"]
    for tokens in reversed([*combinations_with_replacement(range(instance["N"]), n)]):
        orders = factorial(n) // prod(factorial(tokens.count(t)) for t in set(tokens))
        yield [tokens, [0] * n, [0] * n], orders


def selects(claim, case):
    return claim not in ("sums.even", "sums.pairs") or not any(t % 2 for t in case.X[0])


def own(claim, construction):
    if claim in ("sums.layers", "sums.later"):
        return [construction]
    if claim == "sums.token":
        N = construction.instance["N"]
        return [(t, N) for t in range(N)]


def skipped(claim, instance):
    return f"not at n = {instance['n']}" if claim == "sums.later" else None


def relations(claim, case):
    if claim == "sums.even":
        return [Relation("sum", case.image[2][0], ">=", "n", case.instance["n"])]
    if claim == "sums.layers":
        return [Relation("layers", len(case.networks["sums"]), "=", "2", 2)]
    if claim == "sums.token":
        return [Relation("token", case[0], "<", "N-1", case[1] - 1)]


def collected(claim, case):
    return [case.image[2][0]] if claim == "sums.pairs" else []


def conclusion(claim, values):
    for (a, i), (b, j) in pairwise(sorted(values)):
        yield Relation("distance", b - a, ">", "1", 1, (min(i, j), max(i, j)))
"""


def certificate(construction, claims=None):
    return json.loads(certify(verify(construction, claims)))


def test_a_second_reading_of_all_that_a_claim_may_be(judge):
    """In an order of its own, of claims and of cases; whatever isn't about pairs may still have a conclusion."""
    document = certificate(Everything(n=3, N=4, base=4))
    verdicts = {claim["id"]: (claim["verdict"], claim["cases"]) for claim in document["claims"]}
    assert verdicts == {
        "sums.even": ("holds", 4),
        "sums.layers": ("holds", 1),
        "sums.token": ("refuted", 4),
        "sums.later": ("skipped", 0),
        "sums.pairs": ("holds", 4),
    }
    code, said = judge(document, OF_EVERYTHING)
    assert (code, "; REFUTED, as it says: sums.token fails: token = 3, not < N-1 = 3" in said) == (1, True), said
    code, said = judge(document)
    assert (code, "as far as it can be" in said) == (1, True), said
    kept = ("sums.even,sums.layers,sums.pairs", "sums.token refuted", "sums.later skipped")
    code, said = judge(document, OF_EVERYTHING, *(f"--promise=4 4 3 {words} paper=own" for words in kept))
    assert (code, "REJECTED" in said) == (AS_FAR_AS_IT_CAN, False), said


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("t % 2 for", "t < 2 for", "claim sums.even: FORMAT 8, a claim in a shard, cases 0 to 19: "),
        ("range(N)]", "range(N - 1)]", "claim sums.token: FORMAT 7: claims[2].cases: expected 3, found 4"),
        ('== "sums.later" else', '== "" else', "claim sums.later: FORMAT 7: claims[3]"),
        ("not at", "never at", 'claims[3].why: expected "never at n = 3", found "not at n = 3"'),
        ('"=", "2", 2', '"=", "2", 3', "claim sums.layers: FORMAT 7: claims[1]"),
        ("pairwise(sorted(values))", "()", "claim sums.pairs: FORMAT 7: claims[4]"),
        ("reversed([", "list([(0, 0, 1), ", 'construction.cases: expected a case with the matrix [["0", "0", "1"]'),
        ("yield [tokens,", "yield [[2, 2, 2],", "construction.cases[0]: expected a matrix that the second reading has"),
        ("// prod", "* prod", "construction.cases[0]: expected the matrix to stand for 36, found"),
    ],
)
def test_a_second_reading_of_something_else_rejects_it(judge, old, new, why):
    assert old in OF_EVERYTHING
    code, said = judge(certificate(Everything(n=3, N=4, base=4)), OF_EVERYTHING.replace(old, new))
    assert (code, why in said) == (REJECTED, True), said


def test_a_claim_that_the_file_leaves_out_is_named(judge):
    code, said = judge(certificate(SumsOfPowers(n=3, N=3, base=2), ["sums.bounded"]), READING)
    assert code == AS_FAR_AS_IT_CAN
    assert "the second reading also has sums.distinct, of which the file says nothing" in said


def test_a_case_of_which_the_second_reading_says_nothing_is_none_of_the_claims(judge):
    """A check that says nothing of some case, both ways of writing it; and one that says nothing at all."""
    words = {"id": "sums.bounded", "says": "B.", "formula": "b", "domain": Domain("every input")}
    few = Claim(**words, check=lambda case: [HOLDS] if case.X[0][0] == 0 else [])
    silent = Claim(**words | {"id": "sums.distinct"}, check=lambda _: [])

    class Quiet(SumsOfPowers):
        claims = lambda _: [few, silent]  # noqa: E731

    document = certificate(Quiet(n=2, N=3, base=4))
    assert [(claim["verdict"], claim["cases"]) for claim in document["claims"]] == [("holds", 3), ("vacuous", 0)]
    reading = READING.replace('claim == "sums.bounded"', 'claim == "sums.bounded" and case.X[0][0] == 0')
    reading = reading.split("def collected")[0].replace(
        '"the sum", case.image[2][0], "<=", "n base^(N-1)", n * base ** (N - 1)', '"1", 1, "<", "2", 2'
    )
    for id_ in ("sums.bounded", "sums.distinct"):
        line = next(line for line in READING.splitlines() if line.startswith(f'    "{id_}"'))
        reading = reading.replace(line, f'    "{id_}": "B. [b]",')
    code, said = judge(document, reading)
    assert (code, "the claims derived" in said) == (AS_FAR_AS_IT_CAN, True), said
    document["claims"][1] |= {"verdict": "holds", "cases": 6}
    document["claims"][1].pop("why")
    assert judge(document, reading)[0] == REJECTED


def test_promises_speak_of_claims_of_ones_own(judge):
    for words in ("sums.bounded", "sums.bounded,sums.distinct", "sums", "all"):
        assert judge(HELD, READING, "--promise", f"3 4 3 {words} paper=own")[0] == AS_FAR_AS_IT_CAN, words
    code, said = judge(HELD, READING, "--promise", "3 4 3 sums.other paper=own")
    assert (code, "doesn't have sums.other" in said) == (REJECTED, True), said
    code, said = judge(HELD, READING, "--promise", "3 4 3 sums.bounded")
    assert (code, 'yun2020 has no claim "sums.bounded"; a promise about somebody\'s own construction' in said) == (
        2,
        True,
    ), said
    refuted = [f"--promise=3 2 3 {words} paper=own" for words in ("sums.bounded", "sums.distinct refuted")]
    assert judge(REFUTED, READING, *refuted)[0] == AS_FAR_AS_IT_CAN


def test_a_reading_is_for_certificates_of_ones_own_alone(judge):
    of_a_paper = json.loads((ROOT / "proofs/certificates/d1-n2-N2.json").read_text())
    code, said = judge(of_a_paper, READING)
    assert (code, "--reading is for a construction of somebody's own" in said) == (UNREADABLE, True), said


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
    for n in (2, 10):  # 6 cases, one by one; and 66, at once
        with pytest.raises(ValueError, match=f"^own.claim: {why}"):
            found(claim(check=lambda _: [relation]), n=n)
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
    for n in (2, 10):
        with pytest.raises(TypeError, match=r"own[.]claim: None instead of relations"):
            found(claim(check=lambda _: None), n=n)
        many = found(claim(check=lambda case: [HOLDS] if case.X[0][0] == 0 else []), n=n)["own.claim"]
        assert (many.verdict, many.cases) == ("holds", {2: 3, 10: 55}[n])

"""The reading of a symbolic certificate, on a part of the committed ones: five claims, and the facts that they need."""

import copy
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from verifier.checker.core.comparing import OverLimit, Rejected
from verifier.checker.core.reading import Unreadable
from verifier.checker.symbolic import proof
from verifier.checker.symbolic.facts import FACTS, read
from verifier.checker.symbolic.polynomial import bounds, index

PROOFS = Path(__file__).parent.parent / "proofs"
CLAIMS = ["b5.head", "b5.ids", "b5.ids-sentinel", "lemma6.layers", "theorem3.size"]


def needed(facts, names):
    """These facts, and those that they use."""
    uses = {
        use["fact"].rstrip("'") for name in names for one in facts[name]["obligations"] for use in one["use"]
    } & facts.keys()
    return names if uses <= names else needed(facts, names | uses)


def small(name):
    document = json.loads((PROOFS / f"symbolic/{name}.json").read_text())
    facts = {fact["name"]: fact for fact in document["facts"]}
    those = needed(facts, set().union(*(FACTS.enough(FACTS.claims[claim].parts) for claim in CLAIMS)))
    return document | {"claims": CLAIMS, "facts": [fact for fact in document["facts"] if fact["name"] in those]}


DOCUMENTS = {name: small(name) for name in ("all", "n2", "n3")}


@pytest.mark.parametrize(("name", "said"), [("all", "all n >= 2"), ("n2", "n = 2"), ("n3", "n = 3")])
def test_it_stands(name, said):
    document = DOCUMENTS[name]
    obligations = sum(len(fact["obligations"]) for fact in document["facts"])
    assert proof.check(document) == (
        f"proved for {said} and all d >= 1, N >= 2: 5 claims, by {len(document['facts'])} facts and"
        f" {obligations} obligations; not claimed: {', '.join(i for i in FACTS.claims if i not in CLAIMS)}; assumed:"
        f" {'; '.join(FACTS.assumed)}"
    )
    assert proof.as_promised(document) == {
        "instance": {"d": "*", "n": "*" if name == "all" else int(name[1]), "N": "*"},
        "claims": [{"id": claim, "verdict": "proved"} for claim in CLAIMS],
        "verdict": "proved",
    }


def test_nothing_is_checked_before_the_rules_are(monkeypatch):
    def refused():
        raise Rejected("SYMBOLIC 5", "rule sweep", "a fact", "none")

    monkeypatch.setattr(proof, "linked", refused)
    proof.rules_are_enough.cache_clear()
    with pytest.raises(Rejected, match="SYMBOLIC 5: rule sweep"):
        proof.check(DOCUMENTS["all"])
    monkeypatch.undo()
    proof.check(DOCUMENTS["all"])


def rejected(document, said="SYMBOLIC 4"):
    with pytest.raises(Rejected, match=said):
        proof.check(document)


@pytest.mark.parametrize("k", [0, 40, -1])
def test_the_text_is_the_checkers_own(k):
    text = DOCUMENTS["n3"]["text"]
    for other in (text[:k] + text[k + 1 or len(text) :], [*text, "more"], [*text[:k], "more", *text[k:]]):
        rejected(DOCUMENTS["n3"] | {"text": other}, "SYMBOLIC 2: text")


@pytest.mark.parametrize("claim", range(len(CLAIMS)))
def test_a_claim_is_in_its_place_once(claim):
    claims = DOCUMENTS["all"]["claims"]
    twice = claims[:claim] + claims[claim + 1 :] + [claims[claim]] * 2
    for other in ([*claims, claims[claim]], claims[::-1], twice, []):
        rejected(DOCUMENTS["all"] | {"claims": other}, "the ids of the claims")


@pytest.mark.thorough
@pytest.mark.parametrize("name", [fact["name"] for fact in DOCUMENTS["n3"]["facts"]])
def test_each_fact_is_there_with_all_its_obligations(name):
    for part in ("obligations", "case", "goal", "first", "last", "fact"):
        document = copy.deepcopy(DOCUMENTS["n3"])
        facts = document["facts"]
        fact = next(fact for fact in facts if fact["name"] == name)
        its = fact["obligations"]
        if part == "obligations":
            its.append(its[-1])
        elif part in ("case", "goal"):
            its[-1][part] += " + 1"
        elif part in ("first", "last"):
            its.pop(0 if part == "first" else -1)
        else:
            facts.remove(fact)
        rejected(document, f"(?s){re.escape(name)}")


def test_facts_are_in_order_and_none_is_unknown():
    document = DOCUMENTS["all"]
    rejected(document | {"facts": document["facts"][::-1]}, "the names of the facts")
    rejected(document | {"facts": [*document["facts"], document["facts"][-1]]}, "the names of the facts")
    rejected(document | {"facts": [document["facts"][0] | {"name": "no.such"}]}, "the names of the facts")


def test_a_claim_whose_fact_is_missing_is_named():
    document = copy.deepcopy(DOCUMENTS["all"])
    document["facts"] = [fact for fact in document["facts"] if fact["name"] != "sentinel.id"]
    rejected(document, r"claim b5\.ids-sentinel: SYMBOLIC 4: sentinel\.id: expected its proof, found nothing")


@pytest.mark.parametrize("n", ["1", "6", "04", "ten", "", 3])
def test_only_some_numbers_are_an_n(n):
    with pytest.raises(Unreadable, match=r"^n: "):
        proof.check(DOCUMENTS["n3"] | {"n": n})


def test_n_from_2_to_5_is_one():
    for n in "245":
        rejected(DOCUMENTS["n3"] | {"n": n})  # its obligations are those of n = 3


@pytest.mark.parametrize("change", [{"verdict": "holds"}, {"more": []}, {"facts": [1]}, {"claims": "all"}])
def test_what_has_another_shape(change):
    with pytest.raises(Unreadable):
        proof.check(DOCUMENTS["all"] | change)


def test_a_claim_that_nobody_knows():
    with pytest.raises(Unreadable, match=r'claims: "lemma6\.9" is no claim'):
        proof.check(DOCUMENTS["all"] | {"claims": ["lemma6.9"]})


# One obligation.


def readers(name):
    """Each obligation, and what reads it."""
    document = DOCUMENTS[name]
    n, shown = None if name == "all" else int(name[1]), set()
    for said in document["facts"]:
        fact = FACTS.facts[said["name"]]
        for wanted, one in zip(proof.obligations(fact, n), said["obligations"], strict=True):
            yield proof._Reader(fact, wanted, set(shown), "", proof.Work()), copy.deepcopy(one)
        shown.add(fact.name)


def refused(reader, one, said="SYMBOLIC 4"):
    with pytest.raises(Rejected, match=said):
        reader.check(one)


@pytest.mark.parametrize("name", ["all", "n3"])
def test_each_step_of_each_obligation_counts(name):
    """Without a step the sum isn't the goal; nor with another factor, a term more, or a term less than 0."""
    for reader, one in readers(name):
        reader.check(one)
        total = "h1 + 1" if one["sum"] == "0" else re.sub(r"^(-?)(\d*\*?)", r"\g<1>7919*", one["sum"], count=1)
        refused(reader, one | {"sum": total.rstrip("*")})
        for steps in ("use", "replace"):
            for k in range(len(one[steps])):
                refused(reader, one | {steps: one[steps][:k] + one[steps][k + 1 :]})
        for use in one["use"]:
            refused(reader, one | {"use": [u | {"fact": "no.such"} if u is use else u for u in one["use"]]})
        for step in one["replace"]:
            steps = [s | {"fact": "no.such"} if s is step else s for s in one["replace"]]
            refused(reader, one | {"replace": steps}, "expected a definition")


def of_fact(name, case="", document="all"):
    return next(
        (reader, one)
        for reader, one in readers(document)
        if reader.fact.name == name and reader.wanted.case.startswith(case)
    )


def test_a_hundred_steps_are_allowed():
    reader, one = of_fact("B.two")
    for steps, step in (("use", {"fact": "range", "at": {"low": "1", "high": "d"}}), ("replace", one["replace"][0])):
        more = [step] * (100 - len(one[steps]))
        reader.check(one | {steps: one[steps] + more})
        with pytest.raises(OverLimit, match=f"B.two: 101 of `{steps}`, more than 100"):
            reader.check(one | {steps: [*one[steps], *more, step]})


def test_an_equation_that_is_given():
    """`k.later` has one, `head.above` two."""
    fact = FACTS.facts["head.above"]
    (wanted,) = proof.obligations(fact, None)
    reader = proof._Reader(fact, wanted, set(), "", proof.Work())
    for number, (atom, by) in enumerate([("M", "I + o"), ("D", "u + 1")], start=1):
        left, p = reader.equation({"fact": "given", "at": {"number": str(number)}})
        assert (left, proof.text(p)) == (atom, by)
    for number in ("0", "3", "-1", "j+1"):
        with pytest.raises(Rejected, match="one of 2 given equations"):
            reader.equation({"fact": "given", "at": {"number": number}})
    for step in ({"fact": "given", "at": {}}, {"fact": "given'", "at": {"number": "1"}}):
        with pytest.raises(Rejected, match="expected a definition"):
            reader.equation(step)
    with pytest.raises(Rejected, match=r"definition B at its indices \[\]"):
        reader.equation({"fact": "B", "at": {"number": "1"}})


def reader_of(name, n, number, shown=()):
    wanted = list(proof.obligations(FACTS.facts[name], n))[number]
    return proof._Reader(FACTS.facts[name], wanted, set(shown), "", proof.Work())


def test_a_definition_is_used_where_it_holds():
    """p[e] = N p[e-1] for 1 <= e <= d; p.one is shown from e = 0 on, its step at e + 1 <= d."""
    base, step = (reader_of("p.one", None, number) for number in (0, 1))
    left, by = step.equation({"fact": "p", "at": {"e": "e+1"}})
    assert (left, proof.text(by)) == ("p[e+1]", "N*p[e]")
    assert proof.text(base.equation({"fact": "p", "at": {"e": "1"}})[1]) == "N*p[0]"
    for reader, e, missing in ((step, "e+2", "e+2 <= d"), (step, "e", "1 <= e"), (base, "0", "1 <= 0")):
        with pytest.raises(
            Rejected, match=re.escape(f"definition p used where it holds, found {missing} is not known")
        ):
            reader.equation({"fact": "p", "at": {"e": e}})
    for at in ({}, {"j": "1"}, {"e": "1", "j": "1"}):
        with pytest.raises(Rejected, match="definition p at its indices"):
            reader.equation({"fact": "p", "at": at})


def test_of_the_second_context():
    """v' and row.low' speak of v'; m and n are the same in both, and 3 where n is 3 and m is n."""
    reader = reader_of("row.differ", None, 0, ["row.low"])
    left, by = reader.equation({"fact": "v'", "at": {"e": "e"}})
    assert (left, proof.text(by)) == ("v'[e]", "p[e-1]*w'[e] + v'[e-1]")
    p, equal = reader.hypothesis({"fact": "row.low'", "at": {"e": "e-1"}})
    assert (proof.text(p), equal) == ("v'[e-1]", False)
    p, equal = reader_of("apart.across", 3, 0, ["sweep.max.is"]).hypothesis({"fact": "sweep.max.is'", "at": {}})
    assert (proof.text(p), equal) == ("-k'[3] + t'[0]", True)


def test_what_may_be_used():
    base, step = (reader_of("p.one", None, number, ["B.two"]) for number in (0, 1))
    p, equal = step.hypothesis({"fact": "range", "at": {"low": "e+1", "high": "d"}})
    assert (proof.text(p), equal) == ("d - e - 1", False)
    p, equal = step.hypothesis({"fact": "before", "at": {}})
    assert (proof.text(p), equal) == ("p[e] - 1", False)
    p, equal = reader_of("head.mean", None, 1).hypothesis({"fact": "before", "at": {}})
    assert (proof.text(p), equal) == ("-M*i + S[i]", True)
    for use, said in (
        ({"fact": "range", "at": {"low": "e+2", "high": "d"}}, r"a range that is known, found e\+2 <= d"),
        ({"fact": "range", "at": {"low": "0"}}, "what is shown before"),
        ({"fact": "B.two", "at": {"low": "0", "high": "d"}}, r"B.two at its indices \[\]"),
        ({"fact": "before", "at": {"e": "e"}}, "what is shown before"),
        ({"fact": "p.one", "at": {"e": "e"}}, "what is shown before"),
        ({"fact": "row.high", "at": {"e": "e"}}, "what is shown before"),
    ):
        with pytest.raises(Rejected, match=said):
            step.hypothesis(use)
    with pytest.raises(Rejected, match="no induction hypothesis, for this is no step"):
        base.hypothesis({"fact": "before", "at": {}})
    with pytest.raises(Rejected, match=r"what holds without condition, found row\.differ"):
        reader_of("row.id", None, 0, ["row.differ"]).hypothesis({"fact": "row.differ", "at": {"e": "d"}})


@pytest.mark.parametrize(
    ("name", "use", "total", "said"),
    [
        ("B.two", [], "-1", "terms >= 0, found -1"),
        ("B.two", [], "B - 2", "terms >= 0, found (B, and the sign of B|-2)"),
        ("B.two", [], "k[m] + 1", r"found k\[m\], and the sign of k\[m\] is unknown"),
        ("B.two", [], "o*q + 1", "the sign of q is unknown"),
        ("B.two", [], "h1", "the sign of h1 is unknown"),
        ("B.two", ["range"], "h2", "the sign of h2 is unknown"),
        ("B.two", ["range"], "-h1", "terms >= 0, found -h1"),
        ("B.two", ["range"], "B*h1", "the sign of B"),
        ("B.two", ["range"], "h1*o[3] + w[e]*z + 1", "a sum that is the goal"),  # of unknown size, but not below 0
        ("B.two", ["mean"], "-B*h1", "a sum that is the goal"),  # 0 times anything
        ("B.two", ["mean", "range"], "-B*h1*h2", "a sum that is the goal"),
        ("B.two", ["mean", "range"], "-B*h2", "terms >= 0"),
        ("row.same", [], "1", "terms = 0, found 1"),
        ("row.same", [], "o", "terms = 0, found o"),
        ("row.same", ["range"], "h1", "terms = 0, found h1"),
        ("row.same", ["mean"], "-7*h1", "a sum that is the goal"),
        ("row.same", [], "0", "a sum that is the goal, found one that differs from it by"),
    ],
)
def test_which_sums_are_at_least_0(name, use, total, said):
    uses = {
        "range": {"fact": "range", "at": {"low": "1", "high": "d"}},
        "mean": {"fact": "head.mean", "at": {"i": "n"}},
    }
    reader = reader_of(name, None, 0, ["head.mean"])
    one = {"goal": proof.text(reader.fact.goal), "use": [uses[u] for u in use], "replace": [], "sum": total}
    refused(reader, one, f"expected .*{said}")


# Inductions.


def obligations(name, n=None, **change):
    return list(proof.obligations(replace(FACTS.facts[name], **change), n))


def test_an_induction_has_a_base_a_step_and_what_is_known_at_both():
    base, step = obligations("P.one")
    assert (base.case, base.at, base.before, base.given) == ("base, j = 0", {"j": ("", 0)}, None, ())
    assert (step.case, step.at, step.before, step.given) == ("step to j+1", {"j": ("j", 1)}, {}, ())
    known = bounds("1<=d, 2<=n")
    assert base.range == (*known, *bounds("0<=0, 0<=n+1"))
    assert step.range == (*known, *bounds("0<=j+1, j+1<=n+1, 0<=j"))


def test_written_out_each_number_in_the_range_is_one():
    assert [one.case for one in obligations("P.one", 3)] == [f"j = {j}" for j in range(5)]
    cases = [one.case for one in obligations("P.grow", 2)]
    assert cases == [f"i = {i}, j = {j}" for i in range(4) for j in range(i, 4)]
    assert [one.case for one in obligations("p.one", 3)] == ["base, e = 0", "step to e+1"]  # rows never are
    assert [one.at for one in obligations("P.one", 2)] == [{"n": ("", 2), "j": ("", j)} for j in range(4)]


def test_a_fact_of_one_n_has_no_obligation_at_another():
    assert len(obligations("again.order", 2)) == len(obligations("again.order")) == 1
    assert obligations("again.order", 3) == []


@pytest.mark.parametrize(
    ("start", "range_", "said"),
    [
        ("1", "0<=j<=n+1", "it may not start at 1"),  # and j = 0?
        ("-1", "0<=j<=n+1", "its range may have gaps"),
        ("n", "0<=j<=n+1", "it may not start at n"),
        ("0", "0<=j<=n+1, 2<=j", "its range may have gaps"),
    ],
)
def test_what_is_no_induction(start, range_, said):
    with pytest.raises(ValueError, match=f"P.one: no induction, for {said}"):
        obligations("P.one", start=index(start), range=bounds(range_))


def test_a_step_with_cases_has_an_obligation_for_each():
    cases = FACTS.defined["c"]
    found = [(one.case, one.given) for one in obligations("sentinel.bound") if one.before is not None]
    assert [case for case, _ in found] == ["step to e+1, case 1", "step to e+1, case 2"]
    assert [given.by for _, (given,) in found] == [cases.by, *cases.further]
    with pytest.raises(ValueError, match="the cases of c may not be all"):
        obligations("sentinel.bound", range=bounds("0<=f<=e<=d"))


def test_nothing_is_given_in_an_induction():
    with pytest.raises(ValueError, match=r"k\.order: no induction"):
        obligations("k.order", given=FACTS.facts["k.later"].given)


# The text.


def test_the_parts_of_a_fact():
    fact = FACTS.facts["sweep.max.waiting"]
    assert fact.range == (*bounds("1<=j"), *bounds("j+1<=i, i<=m, m<=n"))
    assert fact.indices == ["i", "j", "m"]
    assert (FACTS.facts["t.order"].variable, FACTS.facts["t.order"].start) == ("j", ("i", 0))
    assert [proof.text(e.by) for e in FACTS.facts["head.above"].given] == ["I + o", "u + 1"]
    assert FACTS.defined["k"].range == bounds("2<=j<=m, m<=n") == bounds("2 <= j <= m <= n")


def test_the_facts_of_a_rule_that_is_built_on_another():
    assert FACTS.enough(("sweep",)) < FACTS.enough(("global",))
    assert FACTS.enough(("B.two", "P.one")) == {"B.two", "P.one"}
    assert "sweep" not in FACTS.enough(("global",))


@pytest.mark.parametrize(
    ("line", "goal", "given"),
    [
        ("B >= 2", "B - 2", []),
        ("B > 2", "B - 3", []),
        ("2 <= B", "B - 2", []),
        ("2 < B", "B - 3", []),
        ("B = 2", "B - 2", []),
        ("if M > I: B >= 2", "B - 2", ["I + o + 1"]),
        ("if M >= I and D < 0: B >= 2", "B - 2", ["I + o", "-u - 1"]),
        ("if M <= I: B >= 2", "B - 2", ["I - o"]),
        ("if M = I: B >= 2", "B - 2", ["I"]),
        ("if 1 <= d: (B - 1)^2*B > 0", "B^3 - 2*B^2 + B - 1", []),
    ],
)
def test_what_a_line_says(line, goal, given):
    fact = read(f"language 1\nnumbers o, u\nfact B.two: {line}\n").facts["B.two"]
    assert (proof.text(fact.goal), [proof.text(e.by) for e in fact.given], fact.equal) == (goal, given, " = 2" in line)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("fact a.b: B", "line 3, column 11: two sides are expected here"),
        ("fact a.b: B >= 1/2", "a polynomial with whole coefficients"),
        ("fact a.b: B^d >= 2", "a polynomial with whole coefficients"),
        ("fact a.b: k[j*2] >= 2", "an index is expected here"),
        ("fact a.b: if M > I: o >= 2", "o is what this inequality makes of itself"),
        ("fact a.b: if 2*M > I: B >= 2", "an atom is expected here"),
        ("fact a.b: B >= 2\nfact a.b: B >= 2", "line 4, column 6: a.b is said already"),
        ("rule ab: c.d", "c.d is no fact and no rule"),
        ("claim b5.x: c.d", "c.d is no fact and no rule"),
        ("B = 2\nB = 3", "B is defined already"),
        ("B = 2 if M = 0", "a definition is of one atom"),
        ("B = 2 or N = 2", "a definition is of one atom"),
        ("B + 1 = 2", "an atom is expected here"),
    ],
)
def test_a_text_that_can_not_be_read(line, said):
    with pytest.raises(Unreadable, match=re.escape(said)):
        read(f"language 1\nnumbers o, u\n{line}\n")

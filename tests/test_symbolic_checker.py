"""A symbolic certificate that lies, or isn't as SYMBOLIC.md has it, is rejected for the right reason."""

import copy
import json
import random
import re
from pathlib import Path

import pytest

from cli import main
from verifier.checker.core.comparing import OverLimit, Rejected
from verifier.checker.core.reading import Unreadable, parse
from verifier.checker.symbolic import polynomial, proof
from verifier.checker.symbolic.facts import FACTS, TEXT, read
from verifier.checker.symbolic.link import linked
from verifier.checking import run_checker

PROOFS = Path(__file__).parent.parent / "proofs"


def obligation(document, name, case=""):
    fact = next(fact for fact in document["facts"] if fact["name"] == name)
    return next(one for one in fact["obligations"] if one["case"] == case)


def coefficient(d):
    one = obligation(d, "small")
    one["sum"] = one["sum"].replace("h2", "2*h2", 1)


def dropped_case(d):
    fact = next(fact for fact in d["facts"] if fact["name"] == "sentinel.bound")
    fact["obligations"] = [one for one in fact["obligations"] if "case 2" not in one["case"]]


def dropped_step(d):
    fact = next(fact for fact in d["facts"] if fact["name"] == "t.beyond")
    fact["obligations"] = fact["obligations"][:1]


def shifted_base_case(d):
    one = obligation(d, "t.beyond", "base, j = 1")
    one["case"] = "base, j = 2"


def shifted_base_goal(d):
    one = obligation(d, "t.beyond", "base, j = 1")
    one["goal"] = one["goal"].replace("t[1]", "t[2]")


def another_text(old, new):
    """A lie about what is said: as it may be, the file's obligations stay."""

    def lie(d):
        (k,) = [k for k, line in enumerate(d["text"]) if old in line]
        d["text"][k] = d["text"][k].replace(old, new)

    lie.__name__ = f"{old} as {new}"
    return lie


def weaker_goal(d):
    one = obligation(d, "inside.low")
    one["goal"] += " + 1"


def missing_fact(d):
    d["facts"] = [fact for fact in d["facts"] if fact["name"] != "sweep.moves"]


def missing_lemma(d):
    d["facts"] = [fact for fact in d["facts"] if fact["name"] != "t.most"]


def facts_out_of_order(d):
    d["facts"][0], d["facts"][1] = d["facts"][1], d["facts"][0]


def a_later_fact(d):
    obligation(d, "lower")["use"].append({"fact": "upper", "at": {}})


def itself(d):
    one = obligation(d, "lower")
    one.update(use=[{"fact": "lower", "at": {}}], sum="h1", replace=[])


def hypothesis_in_the_base(d):
    one = obligation(d, "t.beyond", "base, j = 1")
    one.update(use=[{"fact": "before", "at": {}}], sum="h1", replace=[])


def out_of_range(d):
    one = obligation(d, "t.upper", "step to j+1")
    one["use"] = [{"fact": "k.low", "at": {"i": "j+3"}} if use["fact"] == "k.low" else use for use in one["use"]]


def range_not_known(d):
    one = obligation(d, "t.grow")
    one["use"] = [
        {"fact": "range", "at": {"low": "j+2", "high": "m"}} if u["fact"] == "range" else u for u in one["use"]
    ]


def negative_term(d):
    one = obligation(d, "k.low")
    one["sum"] = one["sum"].replace("h1", "-h1") if one["sum"].startswith("h1") else one["sum"].replace("+ h1", "- h1")


def unknown_sign(d):
    obligation(d, "sweep.moves")["sum"] = "-k[j] + t[j] - 1"


def not_zero(d):
    obligation(d, "sweep.shift").update(sum="o")


def conditional(d):
    obligation(d, "apart.within")["use"].append({"fact": "digit.differ", "at": {"j": "j"}})


def given_at_no_number(d):
    obligation(d, "row.differ")["replace"].append({"fact": "given", "at": {"number": "j+1"}})


def context_after_the_second(d):
    obligation(d, "digit.same")["replace"].append({"fact": "t''", "at": {"j": "j"}})


def fact_after_the_second(d):
    obligation(d, "small")["use"].append({"fact": "B.two''", "at": {}})


def hypothesis_of_the_other(d):
    obligation(d, "t.beyond", "step to j+1")["use"].append({"fact": "before'", "at": {}})


def range_of_the_other(d):
    obligation(d, "t.grow")["use"].append({"fact": "range'", "at": {"low": "j", "high": "m"}})


def given_of_the_other(d):
    obligation(d, "row.differ")["replace"].append({"fact": "given'", "at": {"number": "1"}})


def mixed_contexts(d):
    one = obligation(d, "cat3.first")  # r of the second context is not r of the first
    one.update(use=[{"fact": "cat3.first'", "at": {}}], sum="h1", replace=[])


def no_such_definition(d):
    obligation(d, "small")["replace"].append({"fact": "B0", "at": {}})


def definition_out_of_range(d):
    one = obligation(d, "t.first")
    one["replace"] = [{"fact": "t", "at": {"j": "0"}}]


def too_few_indices(d):
    obligation(d, "apart.within")["use"][0]["at"] = {}


def claims_twice(d):
    d["claims"].append(d["claims"][-1])


def for_one_n_alone(d):
    d["n"] = "3"


def fact_of(document, name):
    return next(fact for fact in document["facts"] if fact["name"] == name)


def coefficient_of_positions(d):
    one = obligation(d, "pos.bound")
    one["sum"] = one["sum"].replace(" + 4*z", " + 5*z")


def dropped_step_of_positions(d):
    del fact_of(d, "lt.upper")["obligations"][1]


def dropped_base_of_positions(d):
    del fact_of(d, "l.order")["obligations"][0]


def missing_case_of_one_row(d):
    d["facts"] = [fact for fact in d["facts"] if fact["name"] != "pos.passed.one"]


def order_for_all(d):
    d["claims"].insert(d["claims"].index("c.bound"), "c.order")


def order_by_a_fact_that_is_not_for_all(d):
    order_for_all(d)
    use = [{"fact": "pos.passed.columns", "at": {"j": "j"}}]
    shown = {"case": "", "goal": "-E*n - B + E + lt[j]", "replace": [], "use": use, "sum": "h1"}
    d["facts"].insert(d["facts"].index(fact_of(d, "again.first")), {"name": "pos.passed", "obligations": [shown]})


def one_row_everywhere(d):
    obligation(d, "pos.above")["use"].append({"fact": "again.order", "at": {}})


def one_row_for_all_rows(d):
    one = obligation(d, "again.level")
    one["goal"] = one["goal"].replace("E", "U[d]")


def weaker_bound_of_positions(d):
    one = obligation(d, "pos.bound")
    one["goal"], one["sum"] = one["goal"].replace(" - 1", ""), f"{one['sum']} + 1"


def mixed_contexts_of_positions(d):
    one = obligation(d, "again.above")
    one["replace"] = [step | {"fact": step["fact"].rstrip("'")} for step in one["replace"]]


def beyond_the_last_column(d):
    use = next(use for use in obligation(d, "pos.within")["use"] if use["fact"] == "lt.grow")
    use["at"] = {"j": "n"}


LIES = [
    (coefficient, "small: expected a sum that is the goal"),
    (dropped_case, "sentinel.bound: expected .*case 2"),
    (dropped_step, "t.beyond: expected .*step to j"),
    (another_text("fact t.beyond by j from 1", "fact t.beyond by j from 2"), r"SYMBOLIC 2: text.*from 1.*from 2"),
    (shifted_base_case, "t.beyond: expected .*base, j = 1.*found .*base, j = 2"),
    (shifted_base_goal, r"t.beyond, base, j = 1: expected the goal -k\[m\] \+ t\[1\] - 1"),
    (another_text("lower: if m = n:", "lower: if m = n and 3 <= n:"), "SYMBOLIC 2: text.* found .*3 <= n"),
    (another_text("t'[n] > t[n]: t'[i]", "t'[n] > t[n] + 1: t'[i]"), "SYMBOLIC 2: text"),
    (another_text("t[n] >= P[n-1]*(B - 1)", "t[n] >= P[n-1]*(B - 1) - 1"), "SYMBOLIC 2: text"),
    (another_text("B = p[d]", "B = p[1]"), "SYMBOLIC 2: text"),
    (another_text("numbers z,", "numbers y, z,"), "SYMBOLIC 2: text"),
    (another_text("cat2.value.one, sentinel.global", "sentinel.global"), "SYMBOLIC 2: text"),
    (another_text("again.bound, pos.start, pos.end, pos.next, pos.within", "pos.within"), "SYMBOLIC 2: text"),
    (another_text("n = 2 and b[1] <= b[2] + N - 2: lt", "n = 2: lt"), "SYMBOLIC 2: text"),
    (another_text("Unless d = 1 and n = 2, the", "The"), "SYMBOLIC 2: text"),
    (another_text("c.order if 3 <= n", "c.order"), "SYMBOLIC 2: text"),
    (another_text("for all d, n and N at once", "for all reals"), "SYMBOLIC 2: text"),
    (another_text("the integers are an ordered ring, and induction", "nothing"), "SYMBOLIC 2: text"),
    (weaker_goal, "claim lemma6.3: SYMBOLIC 4: inside.low: expected the goal"),
    (missing_fact, "claim b5.shift: .*sweep.moves: expected its proof, found nothing"),
    (missing_lemma, "upper: expected the use of what is shown before, found .*t.most"),
    (facts_out_of_order, "the names of the facts"),
    (a_later_fact, "lower: expected the use of what is shown before, found .*upper"),
    (itself, "lower: expected the use of what is shown before"),
    (hypothesis_in_the_base, "expected no induction hypothesis, for this is no step"),
    (out_of_range, r"k.low used where it holds, found j\+3 <= m is not known"),
    (range_not_known, r"expected a range that is known, found j\+2 <= m"),
    (negative_term, "k.low: expected a sum of terms >= 0, found -h1"),
    (unknown_sign, r"sweep.moves: expected a sum of terms >= 0, found .*the sign of .* is unknown"),
    (not_zero, "sweep.shift: expected a sum of terms = 0, found o"),
    (conditional, "expected the use of what holds without condition, found digit.differ"),
    (given_at_no_number, r"row.differ: expected one of 1 given equations, found number j\+1"),
    (context_after_the_second, "digit.same: expected a definition, found .*t''"),
    (fact_after_the_second, "small: expected the use of what is shown before, found .*B.two''"),
    (hypothesis_of_the_other, "expected the use of what is shown before, found .*before'"),
    (range_of_the_other, "expected the use of what is shown before, found .*range'"),
    (given_of_the_other, "expected a definition, found .*given'"),
    (mixed_contexts, "cat3.first: expected"),
    (no_such_definition, "small: expected a definition"),
    (definition_out_of_range, "definition t used where it holds, found 1 <= 0 is not known"),
    (too_few_indices, "t.grow at its indices"),
    (claims_twice, "the ids of the claims"),
    (for_one_n_alone, "expected"),
    (coefficient_of_positions, "pos.bound: expected a sum that is the goal"),
    (dropped_step_of_positions, "lt.upper: expected .*step to j"),
    (dropped_base_of_positions, "l.order: expected .*base, j = i"),
    (missing_case_of_one_row, r"claim c.bound: .*pos.passed.one: expected its proof, found nothing"),
    (order_for_all, r"claim c.order: SYMBOLIC 4: pos.passed: expected its proof, found nothing"),
    (order_by_a_fact_that_is_not_for_all, "pos.passed.columns used where it holds, found 3 <= n is not known"),
    (one_row_everywhere, "again.order used where it holds, found d <= 1 is not known"),
    (one_row_for_all_rows, r"again.level: expected the goal -B - E \+ lt\[1\] \+ 1"),
    (weaker_bound_of_positions, r"pos.bound: expected the goal"),
    (mixed_contexts_of_positions, "again.above: expected a sum that is the goal"),
    (beyond_the_last_column, r"lt.grow used where it holds, found n <= n-1 is not known"),
]


@pytest.mark.thorough
@pytest.mark.parametrize(("lie", "said"), LIES, ids=lambda value: getattr(value, "__name__", ""))
def test_a_lie_is_rejected_for_its_reason(for_all, lie, said):
    document = copy.deepcopy(for_all)
    proof.check(document)
    lie(document)
    assert document != for_all
    with pytest.raises(Rejected, match=said):
        proof.check(document)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("fact t.beyond by j from 1", "fact t.beyond by j from 2", "t.beyond: no induction, for it may not start at 2"),
        ("fact t.beyond by j from 1", "fact t.beyond", "t.beyond: expected .*, found .*base, j = 1"),
        ("fact lower: if m = n: t[n] >= P[n-1]", "fact lower: if m = n: t[n] > P[n-1]", "lower: expected the goal"),
        (
            "passed.columns: if 1 <= j <= n and 3 <= n:",
            "passed.columns: if 1 <= j <= n:",
            "found again.passed, pos.pass",
        ),
        ("n = 2 and b[1] <= b[2] + N - 2: lt", "n = 2: lt", "expected facts that are needed, found again.passed"),
        ("from f in c: if", "from f: if", "sentinel.bound: expected .*step to e.*found .*case 2"),
        ("fact upper: if m = n: t[n]", "fact upper: if m = n: t'[n]", "upper: expected the goal"),
        ("B = p[d]", "B = p[d] + 1", "B.two: expected a sum that is the goal"),
        ("k[j] = k[j-1] + 1 + g[j-1]", "k[j] = k[j-1] + g[j-1]", "k.order, step to .* expected a sum that is the goal"),
        (
            "k[j]) if 1 <= j <= m <= n\nC[1]",
            "k[j]) if 1 <= j <= m-1 and m <= n\nC[1]",
            "definition t used where it hol",
        ),
        ("lt[0] = l[n] ", "lt[0] = l[1] ", "lt.beyond, base, j = 1: expected a sum that is the goal"),
        ("numbers z, y0, o, u, w,", "numbers z, y0, o, u,", "row.low, .*the sign of w.* is unknown"),
        ("sizes d >= 1, n >= 2,", "sizes d >= 1, n >= 1,", "rule positions.again: expected every d and n"),
        ("rule global: sweep, global.above,", "rule global: sweep,", "rule global: .*no fact that says"),
        ("lemma6.3: global, inside.low, inside.high", "lemma6.3: global, inside.low", "rule lemma6.3: .*no fact that"),
    ],
)
def test_with_another_text_the_proof_is_none(for_all, old, new, said):
    """As if the checker's own text said so, and the file the same."""
    text = read(TEXT.replace(old, new))
    assert TEXT.count(old) == 1

    def both():
        linked(text=text)
        proof.check(for_all | {"text": list(text.lines)}, text)

    with pytest.raises((Rejected, ValueError), match=said):
        both()


@pytest.mark.parametrize(
    ("name", "last"), [("t.grow", "j = 2, m = 3"), ("lt.grow", "j = 2"), ("pos.max.shifted", "i = 3, j = 3")]
)
def test_an_instance_left_out_of_what_is_written_out(for_three, name, last):
    document = copy.deepcopy(for_three)
    del fact_of(document, name)["obligations"][-1]
    with pytest.raises(Rejected, match=rf"{re.escape(name)}: expected .*{last}"):
        proof.check(document)


def test_what_is_for_d_1_and_n_2_has_no_obligations_at_another_n_and_can_not_be_used(for_three):
    document = copy.deepcopy(for_three)
    assert fact_of(document, "again.order")["obligations"] == []
    obligation(document, "pos.above", "j = 1")["use"].append({"fact": "again.order", "at": {}})
    with pytest.raises(Rejected, match=r"again\.order used where it holds, found d <= 1 is not known"):
        proof.check(document)


def test_a_fact_of_a_mixed_context_can_not_be_had(for_all):
    """That r[1] - K[1] - P[n+1] >= 0 is no instance of cat3.first', which speaks of R."""
    document = copy.deepcopy(for_all)
    one = obligation(document, "r.large", "base, j = 1")
    one["use"] = [{"fact": "cat3.first'", "at": {}}, {"fact": "k.low'", "at": {"i": "1"}}]
    with pytest.raises(Rejected, match=r"r.large, base, j = 1: expected a sum that is the goal"):
        proof.check(document)


def read_obligations(document):
    """Each obligation of the file, with what reads it."""
    n, shown = None if document["n"] == "all" else int(document["n"]), set()
    for said in document["facts"]:
        fact = FACTS.facts[said["name"]]
        for wanted, one in zip(proof.obligations(fact, n), said["obligations"], strict=True):
            yield proof._Reader(fact, wanted, set(shown), "", polynomial.Work()), one
        shown.add(fact.name)


@pytest.mark.thorough
def test_every_coefficient_counts(for_all, for_three):
    seen = 0
    for document in (for_all, for_three):
        for reader, one in read_obligations(document):
            reader.check(one)
            total = "h1 + 1" if one["sum"] == "0" else re.sub(r"^(-?)(\d*\*?)", r"\g<1>7919*", one["sum"], count=1)
            with pytest.raises((Rejected, Unreadable)):
                reader.check(one | {"sum": total.rstrip("*")})
            seen += 1
    assert seen > 600


@pytest.mark.parametrize(
    "change",
    [
        {"n": "1"}, {"n": "9"}, {"n": "04"}, {"n": "ten"}, {"n": 3}, {"verdict": "holds"}, {"more": []}, {"facts": [1]},
        {"claims": [{"id": "lemma6.1"}]}, {"claims": ["no.such"]}, {"n": "n+2"}, {"text": "no list"},
    ],
)  # fmt: skip
def test_what_has_not_the_shape_is_unreadable(for_all, change):
    with pytest.raises(Unreadable):
        proof.check(for_all | change)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "words",
    ["", "+ 1", "1 + 1", "B*B", "2*1", "B^1", "B^0", "o*N", "-0", "0*B", "1 - 0", "B +1", "x[j+]", "k[-0]",
     "k[j+0]", "k[q]", "o[]", "o[--]", "o[+1]", "(B)", "B - - 1", "--1"],
)  # fmt: skip
def test_a_sum_that_is_not_written_as_it_must_be(for_all, words):
    document = copy.deepcopy(for_all)
    obligation(document, "small")["sum"] = words
    with pytest.raises((Unreadable, Rejected)):
        proof.check(document)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"sum": "h1^51"}, "small: a term of degree 51, more than 50"),
        ({"sum": "*".join(f"z[{k}]" for k in range(10, 61))}, "small: a term of degree 51, more than 50"),
        ({"use": [{"fact": "B.two", "at": {}}] * 101}, "small: 101 of `use`, more than 100"),
        ({"replace": [{"fact": "B", "at": {}}] * 101}, "small: 101 of `replace`, more than 100"),
    ],
)
def test_what_could_take_for_ever_is_over_the_limit(for_all, changed, said):
    document = copy.deepcopy(for_all)
    obligation(document, "small").update(changed)
    with pytest.raises(OverLimit, match=said):
        proof.check(document)


def test_the_products_of_all_obligations_are_counted(for_all, monkeypatch):
    """A power that a hypothesis, which is zero, takes away again: the sum is the goal, but dear."""
    document, spent = copy.deepcopy(for_all), []
    one = obligation(document, "small")
    one["use"] += [{"fact": "t.most", "at": {}}, {"fact": "range", "at": {"low": "n", "high": "n"}}]
    one["sum"] = f"h4^12*h5 + {one['sum']}"
    for of in (for_all, document):
        spent.append(polynomial.Work())
        monkeypatch.setattr(proof, "Work", lambda: spent[-1])
        proof.check(of)
    plain, dear = (polynomial.MOST_PRODUCTS - work.left for work in spent)
    assert dear > 2 * plain
    monkeypatch.setattr(proof, "Work", lambda: polynomial.Work(dear - 1))
    proof.check(for_all)
    with pytest.raises(OverLimit, match="the file costs more than"):
        proof.check(document)


@pytest.mark.thorough
def test_no_mutation_makes_a_traceback(for_all, tmp_path):
    draw, text = random.Random(4), json.dumps(for_all)  # noqa: S311
    for _ in range(60):
        k = draw.randrange(len(text))
        broken = text[:k] + draw.choice('0193jknm*+-^[]{}",: ') + text[k + 1 :]
        try:
            proof.check(parse(broken))
        except (Rejected, Unreadable):
            continue
        assert json.loads(broken) == for_all, broken[k - 40 : k + 40]
    path = tmp_path / "lie.json"
    path.write_text(text.replace("2", "3"))
    done = run_checker([str(path)])
    assert done.code in (1, 2)
    assert done.errors == ""


def test_a_format_that_nobody_knows_is_called_that(tmp_path, capfd):
    path = tmp_path / "p.json"
    path.write_bytes((PROOFS / "symbolic/n2.json").read_bytes().replace(b"verifier.proof/2", b"verifier.proof/1"))
    assert main(["check", str(path)]) == 2
    said = capfd.readouterr().out.splitlines()[-1]
    assert re.search(r'unreadable: format: "verifier.proof/1" is none of .*verifier.proof/2', said)

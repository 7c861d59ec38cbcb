"""`verify prove --export smt2`: solvers that know nothing of our sums confirm the obligations, and nothing false."""

import re

import pytest

from cli import main
from verifier.symbolic.certificate import choose, claimed, prove
from verifier.symbolic.smt import script

Z3_LIMIT, CVC5_LIMIT = 3_000_000, 100_000  # the solvers' own units for each obligation: the same on every machine

PROVED = choose(None)[0]


def parts(text):
    """{obligation: its script}."""
    return {re.search(r'\(echo "(.*)"\)', part)[1]: part for part in text.split("(reset)\n")[1:]}


@pytest.fixture(scope="module")
def exported():
    return parts(script(PROVED))


def z3_says(part):
    z3 = pytest.importorskip("z3")
    context = z3.Context()
    return z3.Z3_eval_smtlib2_string(context.ref(), f"(set-option :rlimit {Z3_LIMIT})\n{part}").splitlines()[-1]


def cvc5_says(part):
    cvc5 = pytest.importorskip("cvc5")
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("rlimit-per", str(CVC5_LIMIT))
    parser, said = cvc5.InputParser(solver), ""
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, part, "")
    while not (command := parser.nextCommand()).isNull():
        said = command.invoke(solver, parser.getSymbolManager())
    return said.split()[0]


def weaker(part, old, new):
    assert re.search(old, part)
    return re.sub(old, new, part).replace(":status unsat", ":status unknown")


@pytest.mark.thorough
def test_every_obligation_of_the_proof_is_exported(exported):
    document = prove(PROVED)
    names = [(fact["name"], one["case"]) for fact in document["facts"] for one in fact["obligations"]]
    assert [", ".join(filter(None, name)) for name in names] == list(exported)
    assert all(":status unsat" in part for part in exported.values())


def test_what_is_asserted_is_what_the_certificate_uses_and_no_more(exported):
    for fact in prove(PROVED)["facts"]:
        for one in fact["obligations"]:
            part = exported[", ".join(filter(None, (fact["name"], one["case"])))]
            words = [line.partition(" ; ")[2] for line in part.splitlines() if line.startswith("(assert")]
            used = [use["fact"] for use in one["use"]]
            facts = [word.removeprefix("fact ").partition(",")[0] for word in words if word.startswith("fact ")]
            assert facts == [name for name in used if name not in ("before", "range")], part
            assert words.count("the induction hypothesis") == used.count("before")
            definitions = [word.removeprefix("definition ").partition(",")[0] for word in words if "definition" in word]
            assert definitions == [step["fact"] for step in one["replace"] if step["fact"] != "given"]
            others = {"range", "slack", "the induction hypothesis", "the goal, negated"}
            rest = [word for word in words if not word.startswith(("fact ", "definition ", "given: "))]
            assert set(rest) <= others, part
            assert words.count("the goal, negated") == 1


def test_a_script_in_whole(exported):
    assert (
        exported["P.one, step to j+1"]
        == """\
(set-info :smt-lib-version 2.6)
(set-info :source |verifier, proofs/SYMBOLIC.md, 4: P.one, step to j+1|)
(set-info :status unsat)
(set-logic QF_NIA)
; fact P.one: if 0 <= j <= n+1: P[j] > 0
; case step to j+1
; needed by other facts
(declare-const B Int)
(declare-const d Int)
(declare-const j Int)
(declare-const n Int)
(declare-const |P[j+1]| Int)
(declare-const |P[j]| Int)
(assert (<= 0 (+ j 1))) ; range
(assert (<= (+ j 1) (+ n 1))) ; range
(assert (<= 1 d)) ; range
(assert (<= 2 n)) ; range
(assert (<= 0 j)) ; range
(assert (= |P[j+1]| (* B |P[j]|))) ; definition P, j = j+1
(assert (>= (+ |P[j]| (- 1)) 0)) ; the induction hypothesis
(assert (>= (+ B (- 2)) 0)) ; fact B.two
(assert (not (>= (+ |P[j+1]| (- 1)) 0))) ; the goal, negated
(echo "P.one, step to j+1")
(check-sat)

"""
    )


def of_reals(part):
    """The same of all real numbers, which says more, and which z3 can decide."""
    return part.replace(" Int)", " Real)").replace("QF_NIA", "QF_NRA")


@pytest.mark.slow
@pytest.mark.solvers
def test_every_obligation_is_confirmed(exported):
    by_z3 = {name for name, part in exported.items() if z3_says(part) == "unsat"}
    by_z3_of_reals = {name for name, part in exported.items() if z3_says(of_reals(part)) == "unsat"}
    by_cvc5 = {name for name, part in exported.items() if cvc5_says(part) == "unsat"}
    counts = f"z3 confirms {len(by_z3)}, of all reals {len(by_z3_of_reals)}, cvc5 {len(by_cvc5)}"
    print(f"{len(exported)} obligations: {counts}")
    assert by_z3 | by_z3_of_reals | by_cvc5 == set(exported), counts
    assert min(map(len, (by_z3, by_z3_of_reals, by_cvc5))) > 0.8 * len(exported), counts


@pytest.mark.solvers
def test_written_out_for_one_n_they_are_too():
    text = parts(script(["lemma10.lower", "lemma10.upper", "lemma6.1", "lemma6.2", "lemma6.3"], 2))
    assert {name for name, part in text.items() if z3_says(of_reals(part)) == "unsat"} == set(text)


@pytest.mark.solvers
def test_what_is_assumed_is_no_contradiction(exported):
    """It would show any goal."""
    answers = [z3_says(weaker(part, ".*; the goal, negated\n", "")) for part in exported.values()]
    assert "unsat" not in answers
    assert answers.count("sat") > 0.9 * len(answers)


@pytest.mark.slow
@pytest.mark.solvers
def test_no_goal_out_of_reach_is_confirmed(exported):
    further = [weaker(part, r" 0\)\)\) ; the goal", " 1000000))) ; the goal") for part in exported.values()]
    answers = [cvc5_says(part) for part in further]
    assert "unsat" not in answers
    assert answers.count("sat") > 0.9 * len(answers)


@pytest.mark.slow
@pytest.mark.solvers
@pytest.mark.parametrize("says", [z3_says, cvc5_says])
def test_without_its_induction_hypothesis_no_step_is_confirmed(exported, says):
    steps = [part for part in exported.values() if "; the induction hypothesis" in part]
    assert len(steps) > 15
    for part in steps:
        assert says(weaker(part, r".*; the induction hypothesis\n", "")) != "unsat", part


@pytest.mark.thorough
@pytest.mark.solvers
@pytest.mark.parametrize(
    ("fact", "by", "claim"),
    [
        ("upper", 1, "lemma10.upper"),
        ("lower", 2, "lemma10.lower"),
        ("t.grow", 1, "b5.order"),
        ("upper.sharp", 1, "sharp.upper"),
        ("cat2.bound.one", 1, "b5.cat2-bound"),
        ("row.high", 1, "b5.ids"),
    ],
)
def test_a_bound_that_is_too_strong_is_satisfiable(fact, by, claim):
    found = parts(script([claim], None, claimed(None, f"{fact}={by}")))
    text = [part for name, part in found.items() if name.partition(",")[0] == fact]
    assert all(":status unknown" in part for part in text)
    assert "sat" in map(z3_says, text)
    assert not all(cvc5_says(part) == "unsat" for part in text)


def test_the_command_prints_the_scripts(capsys):
    assert main(["prove", "--claims", "lemma6.1", "--export", "smt2"]) == 0
    assert capsys.readouterr().out == script(["lemma6.1"])
    assert main(["prove", "--claims", "lemma10", "--tighten", "upper=1", "--export", "smt2"]) == 1
    said = capsys.readouterr()
    assert "not proved: upper" in said.err
    assert said.out == script(["lemma10.lower", "lemma10.upper", "lemma10.injective"], None, claimed(None, "upper=1"))


@pytest.mark.solvers
def test_what_is_false_is_exported_and_satisfiable(capsys):
    assert main(["prove", "--claims", "c.order", "--export", "smt2"]) == 1
    said = capsys.readouterr()
    assert "not proved: pos.passed" in said.err
    assert z3_says(parts(said.out)["pos.passed"]) == "sat"


@pytest.mark.parametrize("words", [["--format", "json"], ["--certificate", "c.json"], ["--without", "n>=2"]])
def test_the_command_refuses_what_goes_with_no_export(words, capsys):
    assert main(["prove", "--export", "smt2", *words]) == 2
    assert "it can't be combined with" in capsys.readouterr().err

"""Theorems 2 and 3 in Coq: what they may rest on, and that a wrong definition or statement breaks the build.

`make coq` builds the proofs. The changes that have to break them, `make coq-mutants`, start from what it compiled, and
build no more than must be.
"""

import re
import shutil
import subprocess

import pytest

from coq_proofs import UNIVERSAL, change, coqc, first_that_fails, linked, proved, replaced, sources, with_coq

# what is stated
PAGES = ("Approximation", "Published", "Explicit", "Rational", "Averaging", "Modified", "SparseAttention")


def statements():
    return [
        f"universal.{page}.{name}"
        for page in PAGES
        for name in re.findall(r"^Definition (\w+) : Prop", (UNIVERSAL / f"{page}.v").read_text(), re.MULTILINE)
    ]


def test_every_statement_is_proved_and_asked_about():
    text = (UNIVERSAL / "Axioms.v").read_text()
    assert {name.split(".")[1] for name in statements()} == set(PAGES)
    assert sorted(statement for _, statement in proved(text)) == sorted(statements())
    assert re.findall(r"^Print Assumptions (\w+)\.$", text, re.MULTILINE) == ["proved"]


@pytest.fixture
def copy(tmp_path):
    """The sources and their Makefile, to be spoilt."""
    return sources(tmp_path)


@pytest.fixture
def compiled(tmp_path):
    """The same, with what is compiled."""
    return linked(tmp_path)


def gate(folder, target, tool, said):
    """The target of the Makefile with a tool that compiles everything and says what it is told to."""
    script = folder / tool
    script.write_text("#!/bin/sh\n" + (f"cat <<'SAID'\n{said}\nSAID\n" if said else ""))
    script.chmod(0o755)
    objects = [f"{path.with_suffix('.vo').relative_to(folder)}" for path in folder.rglob("*.v")]
    for name in objects:
        (folder / name).touch()
    (folder / "bridge.txt").touch()  # what Bridge.v printed, when it was compiled
    (folder / ".Makefile.d").touch()
    return subprocess.run(
        ["make", "-s", "-C", str(folder), target, "COQDEP=true", f"{tool.upper()}={script}"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip


CLASSICAL = """Axioms:
ClassicalDedekindReals.sig_not_dec : forall P : Prop, {~ ~ P} + {~ P}
ClassicalDedekindReals.sig_forall_dec
  : forall P : nat -> Prop, (forall n : nat, {P n} + {~ P n}) -> {n : nat | ~ P n} + {forall n : nat, P n}
FunctionalExtensionality.functional_extensionality_dep
  : forall (A : Type) (B : A -> Type) (f g : forall x : A, B x), (forall x : A, f x = g x) -> f = g
ClassicalEpsilon.constructive_indefinite_description
  : forall (A : Type) (P : A -> Prop), (exists x : A, P x) -> {x : A | P x}
Classical_Prop.classic : forall P : Prop, P \\/ ~ P"""
CLOSED = "Closed under the global context"


@pytest.mark.parametrize(
    ("answers", "passes"),
    [
        ([CLASSICAL], True),
        ([CLOSED], True),
        ([CLASSICAL, CLASSICAL], False),
        ([CLASSICAL + "\nApproximation.gap : False"], False),
        ([CLASSICAL + "\ngap\n  : forall P : Prop, P"], False),
        ([CLASSICAL.replace("Classical_Prop.classic", "Everywhere.classic")], False),
        ([], False),
    ],
)
def test_the_gate_lets_the_classical_axioms_through_and_no_other(answers, passes, copy):
    done = gate(copy, "axioms", "coqc", "\n".join(answers))
    assert (done.returncode == 0) is passes, done.stdout + done.stderr
    assert ("an axiom that is none of those allowed" in done.stdout) is not passes


MATHCOMP = """boolp.propositional_extensionality : forall P Q : Prop, P <-> Q -> P = Q
boolp.functional_extensionality_dep
  : forall (A : Type) (B : A -> Type) (f g : forall x : A, B x), (forall x : A, f x = g x) -> f = g
Epsilon.epsilon_statement
  : forall (A : Type) (P : A -> Prop), inhabited A -> {x : A | (exists x0 : A, P x0) -> P x}"""


@pytest.mark.parametrize(
    ("answer", "passes"),
    [(MATHCOMP, True), (MATHCOMP + "\nLebesgue.gap : False", False), ("boolp.gap : False", False)],
)
def test_with_a_librarys_integral_that_librarys_axioms_pass_too(answer, passes, copy):
    shutil.copytree(UNIVERSAL.parent / "lebesgue", copy / "lebesgue", ignore=shutil.ignore_patterns("*.vo*", ".*"))
    done = gate(copy, "lebesgue", "coqc", f"{CLASSICAL}\n{answer}")
    assert (done.returncode == 0) is passes, done.stdout + done.stderr
    here = gate(copy, "axioms", "coqc", f"{CLASSICAL}\n{answer}")
    assert here.returncode != 0


CHECKED = """
CONTEXT SUMMARY
===============

* Theory: Set is predicative
  
* Axioms:
    Coq.Logic.ClassicalEpsilon.constructive_indefinite_description
    Coq.Logic.FunctionalExtensionality.functional_extensionality_dep
    Coq.Reals.ClassicalDedekindReals.sig_not_dec
    Coq.Reals.ClassicalDedekindReals.sig_forall_dec
    Coq.Logic.Classical_Prop.classic
  
* Constants/Inductives relying on type-in-type: <none>
  
* Constants/Inductives relying on unsafe (co)fixpoints: <none>
  
* Inductives whose positivity is assumed: <none>
  """  # noqa: W293


@pytest.mark.parametrize(
    ("said", "passes"),
    [
        (CHECKED, True),
        (CHECKED.replace("Coq.Logic.Classical_Prop.classic", "Contextual.Statement.classic"), False),
        (
            CHECKED.replace("    Coq.Logic.Classical_Prop.classic", "    Coq.Logic.Classical_Prop.classic\n    gap"),
            False,
        ),
        (CHECKED.replace("unsafe (co)fixpoints: <none>", "unsafe (co)fixpoints: gap"), False),
        (CHECKED.replace("type-in-type: <none>", "type-in-type: gap"), False),
        (CHECKED.replace("assumed: <none>", "assumed: gap"), False),
    ],
)
def test_the_independent_checker_has_to_find_the_same_five(said, passes, copy):
    done = gate(copy, "coqchk", "coqchk", said)
    assert (done.returncode == 0) is passes, done.stdout + done.stderr


# From here on with Coq itself. Each change of a definition or of a statement has to break a proof; with nothing changed
# the same files pass.

SOFTMAX = ["Approximation", "Construction", "Sums", "Softmax"]
BLOCKS = [*SOFTMAX, "Sweep", "Relu", "Blocks"]
BOXES = ["Approximation", "Construction", "Sums", "Boxes"]
ABOVE = ["Construction", "Sweep", "Relu", "Blocks", "Interface", "Sentinel"]
BELOW = ["Published", "Chosen", "Below"]
TRACKED = ["Construction", "Sweep", "Relu", "Blocks", "Tracking"]
AVERAGE = ["Averaging", "OneHead"]
EXACT = ["Modified", "ModifiedExact"]
SPARSE = ["SparseAttention", "SparseBlocks", "SparseTheorem"]


@with_coq
@pytest.mark.parametrize(
    ("page", "right", "wrong", "names", "broken"),
    [
        ("Approximation", "Rmax 0 (A i j)", "Rmin 0 (A i j)", BLOCKS, "Blocks"),  # ReLU
        ("Approximation", "exp (A i j) /", "exp (- A i j) /", BLOCKS, "Blocks"),  # softmax
        ("Approximation", "X i j + sum h (fun k", "X i j - sum h (fun k", BLOCKS, "Blocks"),  # the skip connection
        ("Approximation", "high b i j - low b i j", "1", BOXES, "Boxes"),  # volume
        ("Approximation", "", "", BOXES, None),
        ("Construction", "2 * INR n * limit top F + 2", "- (2 * INR n * limit top F + 2)", ABOVE, "Sentinel"),
        ("Published", "Q2R (Statement.sentinel d n N).", "- Q2R (Statement.sentinel d n N).", BELOW, "Below"),
        ("Published", "(fun _ => -1) (fun _ => 0)", "(fun _ => 1) (fun _ => 0)", BELOW, "Chosen"),  # clearing
        ("Published", "N <= lambda k) -> keyed d n N table ->", "N <= lambda k) ->", BELOW, "Below"),
        ("Published", "M table, (1 <= d)%nat -> (2", "M table, (1 <= d)%nat -> (1", BELOW, "Below"),  # one column
        ("Published", "compact_support d n f -> 1", "continuous_on d n everywhere f -> 1", BELOW, "Below"),
        ("Published", "", "", BELOW, None),
        ("Construction", "(1 + INR (k - h) * B)", "1", TRACKED, "Sweep"),  # softmax's errors at levels with no id
        ("Construction", "Nat.min k (n * t)", "Nat.min k t", TRACKED, "Tracking"),  # levels with an id at them
        ("Construction", "", "", TRACKED, None),
        ("Averaging", "INR n * INR (spread d n N)", "INR (spread d n N)", AVERAGE, "OneHead"),
        ("Averaging", "S (column_code n (Statement.B d N) k)", "S k", AVERAGE, "OneHead"),
        ("Averaging", "Forall (no_attention d) b.", "b = [].", AVERAGE, "OneHead"),
        ("Averaging", "", "", AVERAGE, None),
        ("Modified", "if lt t (c_1 phi) then", "if le t (c_1 phi) then", EXACT, "ModifiedExact"),
        ("Modified", "1 / INR (argmaxima s)", "1", EXACT, "ModifiedExact"),
        ("Modified", "0 <= X i j < 1.", "0 <= X i j <= 1.", EXACT, "ModifiedExact"),
        ("Modified", "", "", EXACT, None),
        ("SparseAttention", "", "", SPARSE, None),
        ("SparseAttention", "if G j i then exp", "if true then exp", SPARSE, "SparseBlocks"),  # neighbours alone
        ("SparseAttention", "if G j k then exp", "if G k j then exp", SPARSE, "SparseBlocks"),  # who reads whom
        ("SparseAttention", "X i j + sum h (fun k", "X i j - sum h (fun k", SPARSE, "SparseBlocks"),
        ("SparseAttention", "fun i j => Y i (S j).", "fun i j => Y i j.", SPARSE, "SparseTheorem"),
        ("SparseAttention", "O => 0 | S k => X i k end", "O => 1 | S k => X i k end", SPARSE, "SparseTheorem"),
        ("SparseAttention", "b_Q (heads t O) k = 0", "b_Q (heads t O) k = 1", SPARSE, "SparseBlocks"),
        ("SparseAttention", "In s (before ++ after)", "In s (before ++ [t] ++ after)", SPARSE, "SparseTheorem"),
    ],
)  # fmt: skip
def test_a_wrong_definition_breaks_the_build(page, right, wrong, names, broken, compiled):
    change(compiled, f"universal/{page}", right, wrong)
    failed = first_that_fails(compiled, [f"universal/{name}" for name in names])
    assert failed == (broken and f"universal/{broken}")


def imports(text):
    return "".join(re.findall(r"^From .*?\.\n", text, re.MULTILINE | re.DOTALL))


@with_coq
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("", ""),
        ("run d n 2 1 4 g", "run d n 1 1 4 g"),  # one head
        ("run d n 2 1 4 g", "run d n 2 1 3 g"),  # three hidden nodes
        ("equivariant d n f ->", ""),
        ("compact_support d n f ->", ""),
        ("0 < e ->", ""),
    ],
)
def test_the_proof_of_theorem_2_proves_no_other_statement(right, wrong, compiled):
    """Its own script, replayed after its own file's lemmas, on a statement that says something else. (Opaque: Coq
    compares networks by what they are called, and doesn't run them to find a difference.)"""
    page, proof = ((UNIVERSAL / f"{name}.v").read_text() for name in ("Approximation", "Everywhere"))
    statement = re.search(r"Definition Theorem2 : Prop := (.*?)\.\n\n", page, re.DOTALL)[1]
    script = re.search(r"^Theorem theorem2 : Theorem2\.\n(.*?Qed\.)", proof, re.MULTILINE | re.DOTALL)[1]
    lines = [imports(proof), "From Contextual Require Import Everywhere.", "Import ListNotations. Open Scope R_scope."]
    lines += ["Opaque run theorem2_network.", f"Theorem mutant : {replaced(statement, right, wrong)}.", script]
    (compiled / "universal/Mutant.v").write_text("\n".join(lines))
    assert (coqc(compiled, "universal/Mutant").returncode == 0) is (right == wrong)


@with_coq
@pytest.mark.parametrize(
    ("proof", "right", "wrong"),
    [
        ("Weights", "", ""),
        ("Weights", "/ (2 * K) + INR g +", "INR g +"),  # the box
        ("Weights", "/ (2 * K) + INR g +", "/ (2 * K) +"),  # the global shift
        ("Weights", "(lambda + 1) * (INR n", "lambda * (INR n"),
        ("Weights", "4 * INR N * (F + INR n + top", "4 * INR N * (F + INR n"),  # the value map
        ("Weights", "+ (2 * INR n * (top + F + 1) + 3) / e", ""),  # the sentinel
        ("Weights", "(1 + INR (Statement3.positional_factor d n N)) * (INR n", "(INR n"),
        ("Sizes", "", ""),
        ("Sizes", "(N ^ d + 1) + 1 + n * N ^ (d * n)", "(N ^ d + 1) + n * N ^ (d * n)"),  # one block less
        ("Sizes", "(if Nat.eqb n 1 then 1 else n * N ^ d + 1)", "(n * N ^ d + 1)"),
        ("Sizes", "INR N <= 4 + F * INR d + 16", "INR N <= 4 + 16"),  # cells to a unit
    ],
)
def test_another_number_of_blocks_or_bound_of_weights_is_not_proved(proof, right, wrong, compiled):
    """Explicit.v's definitions once more, changed, between a file of proofs and what it imports."""
    page, text = ((UNIVERSAL / f"{name}.v").read_text() for name in ("Explicit", proof))
    _, definitions = replaced(page, right, wrong).split(imports(page))
    _, proofs = text.split(imports(text))
    (compiled / "universal/Mutant.v").write_text(imports(text) + definitions + proofs)
    assert (coqc(compiled, "universal/Mutant").returncode == 0) is (right == wrong)

"""Theorems 2 and 3 in Coq: what they may rest on, and that a wrong definition or statement breaks the build.

`make coq` builds the proofs; the mutations below start from what it compiled, and build no more than must be.
"""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

COQ = Path(__file__).parent.parent / "proofs/coq"
UNIVERSAL = COQ / "universal"
PAGES = ("Approximation", "Published", "Explicit", "Rational")  # what is stated


def statements():
    return [
        (page, name)
        for page in PAGES
        for name in re.findall(r"^Definition (\w+) : Prop", (UNIVERSAL / f"{page}.v").read_text(), re.MULTILINE)
    ]


def asked():
    """How many theorems the gate asks about."""
    return len(re.findall(r"^Print Assumptions ", (UNIVERSAL / "Axioms.v").read_text(), re.MULTILINE))


def test_every_statement_is_proved_and_asked_about():
    text = " ".join((UNIVERSAL / "Axioms.v").read_text().split())
    assert {page for page, _ in statements()} == set(PAGES)
    for page, name in statements():
        assert f"Definition proved_{name.lower()} : Contextual.universal.{page}.{name} := Contextual." in text, name
        assert f"Print Assumptions proved_{name.lower()}." in text, name
    assert asked() == len(statements())


@pytest.fixture
def copy(tmp_path):
    """The sources, their Makefile and what is compiled, to be spoilt."""
    (tmp_path / "universal").mkdir()
    for path in [*COQ.rglob("*.v"), *COQ.rglob("*.vo"), COQ / "_CoqProject", COQ / "Makefile"]:
        shutil.copy(path, tmp_path / path.relative_to(COQ))
    return tmp_path


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
        ([CLASSICAL] * asked(), True),
        ([CLASSICAL] * (asked() - 1) + [CLOSED], True),
        ([CLASSICAL] * (asked() - 1), False),
        ([CLASSICAL] * (asked() - 1) + [CLASSICAL + "\nApproximation.gap : False"], False),
        ([CLASSICAL] * (asked() - 1) + [CLASSICAL + "\ngap\n  : forall P : Prop, P"], False),
        ([CLASSICAL] * (asked() - 1) + [CLASSICAL.replace("Classical_Prop.classic", "Everywhere.classic")], False),
        ([], False),
    ],
)
def test_the_gate_lets_the_classical_axioms_through_and_no_other(answers, passes, copy):
    done = gate(copy, "axioms", "coqc", "\n".join(answers))
    assert (done.returncode == 0) is passes, done.stdout + done.stderr
    assert ("an axiom that is none of the five" in done.stdout) is not passes


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


# From here on with Coq itself.


def built():
    return shutil.which("coqc") and (UNIVERSAL / "Sizes.vo").exists()


def coqc(folder, path):
    command = ["coqc", "-q", "-w", "none", "-Q", ".", "Contextual", path]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def first_that_fails(folder, names):
    """Of these files, compiled one after the other, the first that isn't proved any more."""
    return next((name for name in names if coqc(folder, f"universal/{name}.v").returncode), None)


BLOCKS = ["Approximation", "Construction", "Sums", "Softmax", "Sweep", "Relu", "Blocks"]
BOXES = ["Approximation", "Construction", "Sums", "Boxes"]
ABOVE = ["Construction", "Sweep", "Relu", "Blocks", "Interface", "Sentinel"]


@pytest.mark.parametrize(
    ("page", "right", "wrong", "names", "broken"),
    [
        ("Approximation", "Rmax 0 (A i j)", "Rmin 0 (A i j)", BLOCKS, "Blocks"),  # ReLU
        ("Approximation", "exp (A i j) /", "exp (- A i j) /", BLOCKS, "Blocks"),  # softmax
        ("Approximation", "X i j + sum h (fun k", "X i j - sum h (fun k", BLOCKS, "Blocks"),  # the skip connection
        ("Approximation", "high b i j - low b i j", "1", BOXES, "Boxes"),  # volume
        ("Construction", "2 * INR n * limit top F + 2", "- (2 * INR n * limit top F + 2)", ABOVE, "Sentinel"),
        ("Approximation", "", "", BOXES, None),  # nothing changed: nothing breaks
    ],
)  # fmt: skip
def test_a_wrong_definition_breaks_the_build(page, right, wrong, names, broken, copy):
    if not built():
        pytest.skip("`make coq` has not been run")
    path = copy / f"universal/{page}.v"
    text = path.read_text()
    assert not right or text.count(right) == 1
    path.write_text(text.replace(right, wrong) if right else text)
    assert first_that_fails(copy, names) == broken


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
def test_the_proof_of_theorem_2_proves_no_other_statement(right, wrong, copy):
    """Its own script, replayed after its own file's lemmas, on a statement that says something else."""
    if not built():
        pytest.skip("`make coq` has not been run")
    page, proof = (UNIVERSAL / f"{name}.v" for name in ("Approximation", "Everywhere"))
    statement = re.search(r"Definition Theorem2 : Prop := (.*?)\.\n\n", page.read_text(), re.DOTALL)[1]
    imports = re.findall(r"^From .*?\.\n", proof.read_text(), re.MULTILINE | re.DOTALL)
    script = re.search(r"^Theorem theorem2 : Theorem2\.\n(.*?Qed\.)", proof.read_text(), re.MULTILINE | re.DOTALL)[1]
    assert right in statement
    lines = [*imports, "From Contextual Require Import Everywhere.", "Import ListNotations.", "Open Scope R_scope."]
    mutant = f"Theorem mutant : {statement.replace(right, wrong)}.\n{script}\n"
    (copy / "universal/Mutant.v").write_text("\n".join(lines) + "\n" + mutant)
    assert (coqc(copy, "universal/Mutant.v").returncode == 0) is (right == wrong)

"""The bridge: Coq's definitions, evaluated by Coq on every matrix of some instances, are the literal networks' numbers.

`make coq` builds the proofs and writes what Coq evaluates; without it there is nothing to compare.
"""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from verifier.constructions.contextual_map import contextual_map
from verifier.constructions.positional import positional_map
from verifier.exact import Q
from verifier.grid import from_columns
from verifier.instance import Instance

COQ = Path(__file__).parent.parent / "proofs/coq"
BRIDGE = COQ / "bridge.txt"


def blocks():
    """One for each instance: d, n, N, for Lemma 6 also t_l and t_r, and rows of a matrix, its swept ids and q."""
    if not BRIDGE.exists():
        pytest.skip("`make coq` has not been run")
    found = re.findall(r"= (.*?)\n\s+: ", BRIDGE.read_text(), re.DOTALL)
    return [json.loads(block.translate(str.maketrans("();", "[],"))) for block in found]


def numbers(pairs):
    return tuple(Q(p, q) for p, q in pairs)


def test_the_contextual_map_on_all_of_g_plus():
    seen = [block for block in blocks() if len(block) == 6]
    assert [block[:3] for block in seen] == [[1, 2, 2], [1, 2, 3], [2, 2, 2], [1, 3, 4]]
    for d, n, N, t_l, t_r, rows in seen:
        g = contextual_map(Instance(d, n, N))
        assert numbers([t_l, t_r]) == (g.interval.low, g.interval.high)
        assert len({json.dumps(matrix) for matrix, *_ in rows}) == len(rows) == (N + 1) ** (d * n)
        for matrix, swept, q in rows:
            X = tuple(map(numbers, matrix))
            assert {x for row in X for x in row} <= {g.instance.sentinel, *g.instance.entries}
            assert g.grid.ids(g.sweep.run(X)) == numbers(swept)
            assert g.grid.ids(g.network.run(X)) == numbers(q)


def test_the_positional_construction_on_all_contexts():
    seen = [block for block in blocks() if len(block) == 4]
    assert [block[:3] for block in seen] == [[1, 2, 2], [1, 2, 3], [1, 3, 2], [2, 2, 2]]
    for d, n, N, rows in seen:
        p = positional_map(Instance(d, n, N))
        results = {tuple(map(numbers, matrix)): (numbers(swept), numbers(q)) for matrix, swept, q in rows}
        contexts = list(map(from_columns, p.contexts()))
        assert len(results) == len(rows) == len(contexts) == N ** (d * n)
        for L in contexts:
            swept = p.sweep.run(L)
            assert results[L] == (p.ids(swept), p.ids(p.global_shift.run(swept)))


def test_every_statement_is_a_theorem_that_rests_on_nothing():
    """What Assumptions.v asks about is every Lemma... and Theorem... that the two pages of statements define."""
    stated = set()
    for page in ("Statement.v", "Statement3.v"):
        stated |= set(re.findall(r"^Definition ((?:Lemma|Theorem)\w+) : Prop", (COQ / page).read_text(), re.MULTILINE))
    asked = (COQ / "Assumptions.v").read_text()
    assert len(stated) == 6
    for name in stated:
        assert re.search(rf"^Definition (proved_\w+) : Contextual\.Statement3?\.{name} :=", asked, re.MULTILINE), name
        assert f"Print Assumptions proved_{name.lower()}." in asked, name


@pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is missing")
@pytest.mark.parametrize(("stated", "passes"), [("True", True), ("False", False)])
def test_no_module_of_the_same_name_stands_for_a_statement(stated, passes, tmp_path):
    """Files of proofs that have a module Statement of their own, in which all is True, and prove that."""
    asked = (COQ / "Assumptions.v").read_text()
    proved = re.findall(r" : Contextual\.(\w+)\.(\w+) := Contextual\.(\w+)\.(\w+)\.$", asked, re.MULTILINE)
    files = {"Bridge": [f"Definition {name} := I." for name in re.findall(r"Bridge\.(\w+)\.", asked)]}
    for page in ("Statement", "Statement3"):
        files[page] = [f"Definition {name} : Prop := {stated}." for its, name, _, _ in proved if its == page]
        for file in {file for its, _, file, _ in proved if its == page}:
            here = [(name, theorem) for its, name, its_file, theorem in proved if (its, its_file) == (page, file)]
            own = [f"Definition {name} : Prop := True." for name, _ in here]
            theorems = [f"Definition {theorem} : {page}.{name} := I." for name, theorem in here]
            files[file] = [f"Module {page}.", *own, f"End {page}.", *theorems]
    assert len(proved) == 6
    for name, lines in [*files.items(), ("Assumptions", [asked])]:
        (tmp_path / f"{name}.v").write_text("\n".join(lines))
        command = ["coqc", "-q", "-Q", ".", "Contextual", f"{name}.v"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (done.returncode == 0) == (passes or name != "Assumptions"), done.stderr
    refused = 'has type "Theorems.Statement.Lemma6" while it is expected to have type "Statement.Lemma6"'
    assert passes or refused in " ".join(done.stderr.split())


@pytest.fixture
def copy(tmp_path):
    """The sources and their Makefile, to be spoilt."""
    names = (COQ / "_CoqProject").read_text().split()
    (tmp_path / "universal").mkdir()
    for path in [*COQ.rglob("*.v"), COQ / "_CoqProject", COQ / "Makefile"]:
        shutil.copy(path, tmp_path / path.relative_to(COQ))
    assert "Statement.v" in names
    return tmp_path


def gate(folder, target, **tools):
    """The target of the proofs' own Makefile that `make coq` and CI run; `tools` in the place of Coq's."""
    given = [f"{name.upper()}={tool}" for name, tool in tools.items()]
    return subprocess.run(
        ["make", "-s", "-C", str(folder), target, "COQDEP=true", *given], capture_output=True, text=True, check=False
    )


def test_the_gate_lets_the_sources_as_they_are_through(copy):
    assert gate(copy, "sources").returncode == 0


@pytest.mark.parametrize(
    "gap",
    [
        "Lemma gap : False. Proof. Admitted.",
        "Lemma gap : False. Proof. admit. Defined.",
        "Lemma gap : False. Proof. give_up. Defined.",
        "Axiom gap : False.",
        "Axioms gap : False.",
        "Parameter gap : False.",
        "Conjecture gap : False.",
        "Unset Guard Checking.",
        "Unset Positivity Checking.",
        "Unset Universe Checking.",
        "#[bypass_check(guard)] Fixpoint gap (n : nat) : False := gap n.",
    ],
)
def test_the_gate_refuses_a_gap(gap, copy):
    for name in ("Statement.v", "Assumptions.v", "universal/Approximation.v", "universal/Axioms.v"):
        path = copy / name
        honest = path.read_text()
        path.write_text(f"{honest}{gap}\n")
        done = gate(copy, "sources")
        assert done.returncode != 0
        assert gap in done.stdout
        path.write_text(honest)


def test_the_gate_refuses_a_file_that_nothing_lists(copy):
    for folder in (copy, copy / "universal"):
        (folder / "Aside.v").write_text("(* not built, so not checked *)\n")
        done = gate(copy, "sources")
        assert done.returncode != 0
        assert "_CoqProject does not list every .v file" in done.stdout
        (folder / "Aside.v").unlink()


CLOSED = "Closed under the global context"


@pytest.mark.parametrize(
    ("said", "passes"),
    [
        ([CLOSED] * 10, True),
        ([CLOSED] * 9, False),
        ([CLOSED] * 11, False),
        ([*[CLOSED] * 9, "Axioms:", "classic : forall P : Prop, P \\/ ~ P"], False),
        ([*[CLOSED] * 10, "Axioms:"], False),
        ([], False),
    ],
)
def test_the_gate_refuses_a_theorem_that_rests_on_an_assumption(said, passes, copy):
    """With a coqc that compiles everything and says of the assumptions what it is told to."""
    assert (copy / "Assumptions.v").read_text().count("\nPrint Assumptions") == 10
    coqc = copy / "coqc"
    lines = "".join(f"echo '{line}'\n" for line in said)
    coqc.write_text(f'#!/bin/sh\nfor file; do :; done\nif [ "$file" = Assumptions.v ]; then :\n{lines}fi\n')
    coqc.chmod(0o755)
    done = gate(copy, "assumptions", coqc=coqc)
    assert (done.returncode == 0) is passes, done.stderr
    assert ("a theorem rests on an assumption" in done.stdout) is not passes


def test_without_coq_it_says_what_to_install(tmp_path):
    """make itself ends with 2 whenever a recipe fails; the recipe's own code is 3."""
    (tmp_path / "bin").mkdir()
    for tool in ("make", "sh", "bash"):
        if found := shutil.which(tool):
            (tmp_path / "bin" / tool).symlink_to(found)
    done = subprocess.run(
        ["make", "coq"], capture_output=True, text=True, check=False, cwd=COQ.parent.parent,
        env={"PATH": str(tmp_path / "bin")},
    )  # fmt: skip
    assert "coqc is missing; on Debian: apt-get install coq" in done.stderr
    assert "Error 3" in done.stderr

"""The symbolic facts as theorems of Coq: what the made file says; a changed fact, definition or proof breaks it.

`make coq` makes and compiles the whole file; what runs Coq here runs in `make coq-mutants`.
"""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from verifier.checker.symbolic.facts import FACTS, TEXT
from verifier.coq.facts import index, theorems
from verifier.language.facts import read

DOCUMENT = json.loads((Path(__file__).parent.parent / "proofs/symbolic/all.json").read_text())
NEEDED = [
    "p.one",
    "B.two",
    "P.one",
    "k.order",
    "k.low",
    "t.lifted",
    "t.beyond",
    "t.grow",
    "t.order",
    "t.lower",
    "lower",
]
NEEDED += ["row.low", "row.high", "sentinel.bound", "head.above", "head.mean", "closed.form", "again.level"]


def with_coq(test):
    """What needs Coq alone, and nothing that is compiled."""
    return pytest.mark.coq(pytest.mark.skipif(not shutil.which("coqc"), reason="coqc isn't here")(test))


def small(text=TEXT, change=lambda _: None):
    """The file of some of the facts."""
    document = json.loads(json.dumps(DOCUMENT | {"text": text.split("\n")}))
    document["facts"] = [fact for fact in document["facts"] if fact["name"] in NEEDED]
    change({fact["name"]: fact["obligations"] for fact in document["facts"]})
    return theorems(document)


def compiled(folder, text):
    (folder / "Facts.v").write_text(text)
    command = ["coqc", "-q", "-w", "none", "Facts.v"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)


def test_there_is_a_lemma_for_each_fact_of_the_proof():
    said = theorems(DOCUMENT)
    lemmas = re.findall(r"\(\* (\S+): .* \*\)\nLemma ([\w']+) :", said)
    names = [fact["name"] for fact in DOCUMENT["facts"]]
    assert [name for name, lemma in lemmas if not lemma.endswith("'")] == names
    assert list(read(DOCUMENT["text"]).facts) == list(FACTS.facts)
    assert "Admitted" not in said
    assert said.endswith("Print Assumptions facts.\nPrint Assumptions there_are_some.\n")


@pytest.mark.parametrize(
    "statement",
    [
        "Lemma lower : m = n -> t n >= P (n - 1) * (B - 1).",
        "Lemma k_order : forall i j : Z, 1 <= i -> i <= j -> j <= m -> m <= n -> k j - k i >= j - i.",
        "Lemma row_differ : forall e : Z, 1 <= e -> e <= d -> w e > w' e -> v e > v' e.",
        "Lemma cat3_idle : forall I L : Z, I <= B - N - N * P n -> L >= 0 -> I < L.",
        "Lemma piece_first : forall j o u : Z, 1 <= j -> j <= n -> 0 <= o -> 0 <= u -> N = o + 1 + u"
        " -> j * N - N + o >= 0.",
        "  def_t : forall j : Z, 1 <= j -> j <= m -> m <= n -> t j = k j + B * (t (j - 1) - k j);",
        "  def_t0' : 1 <= m -> m <= n -> t' 0 = k' m;",
        "  positive_g : forall i, 0 <= g i;",
    ],
)
def test_what_is_stated_is_the_text(statement):
    assert f"\n{statement}\n" in theorems(DOCUMENT)


@pytest.mark.parametrize(
    ("place", "plain"),
    [("j + 1 - 1", "j"), ("1 - 1", "0"), ("(j - 1) + 1", "j"), ("n + 1 + 1", "n + 2"), ("0 - 1", "-1")],
)
def test_an_index_in_one_form(place, plain):
    assert index(place) == plain


@with_coq
def test_the_honest_file_is_proved_from_nothing(tmp_path):
    done = compiled(tmp_path, small())
    assert (done.returncode, done.stdout) == (0, "Closed under the global context\n" * 2), done.stderr


@with_coq
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("fact lower: if m = n: t[n] >= P[n-1]*(B - 1)", "fact lower: if m = n: t[n] > P[n-1]*(B - 1)"),
        ("fact k.low: if 1 <= i <= m <= n: k[i] >= i - 1", "fact k.low: if 1 <= i <= m <= n: k[i] >= i"),
        ("fact t.lifted: if 2 <= m <= n:", "fact t.lifted: if 1 <= m <= n:"),
        ("fact t.grow: if 1 <= j <= m-1 and m <= n:", "fact t.grow: if 1 <= j <= m and m <= n:"),
        ("fact p.one by e from 0: if 0 <= e <= d", "fact p.one by e from 0: if 0 <= e+1 and e <= d"),
        ("fact t.beyond by j from 1: if 1 <= j <= m", "fact t.beyond by j from 1: if 0 <= j <= m"),
        ("fact head.above: if M >= I and D > 0", "fact head.above: if M >= I and D >= -1"),
        (
            "fact again.level: if d = 1 and n = 2 and b[1] = B - 1",
            "fact again.level: if d = 1 and n = 2 and b[1] = B - 2",
        ),
        ("N = z + 2", "N = z + 1"),
        ("t[j] = k[j] + B*(t[j-1] - k[j]) if", "t[j] = k[j] + B*(t[j-1] + k[j]) if"),
        ("k[j] = k[j-1] + 1 + g[j-1] if", "k[j] = k[j-1] + g[j-1] if"),
        ("or c[e] = c[e-1] - p[e-1]*N*P[n] if", "or c[e] = c[e-1] + p[e-1]*N*P[n] if"),
        ("numbers z, y0, o, u, w,", "numbers z, y0, o, u,"),
    ],
)
def test_another_text_has_no_such_proof(old, new, tmp_path):
    assert TEXT.count(old) == 1
    assert compiled(tmp_path, small(TEXT.replace(old, new))).returncode == 1


def forgotten(facts):
    facts["t.beyond"][1]["use"].pop(0)


def another_sum(facts):
    facts["lower"][0]["sum"] += " + 1"


def not_positive(facts):
    facts["k.low"][0].update(use=[], replace=[], sum="k[i] - i + 1")


def case_left_out(facts):
    facts["sentinel.bound"].pop()


def elsewhere(facts):
    facts["t.grow"][0]["replace"][0]["at"]["j"] = "j"


@with_coq
@pytest.mark.parametrize("lie", [forgotten, another_sum, not_positive, case_left_out, elsewhere])
def test_another_proof_is_none(lie, tmp_path):
    assert compiled(tmp_path, small(change=lie)).returncode == 1


@with_coq
def test_definitions_that_nothing_fulfils_are_noticed(tmp_path):
    done = compiled(tmp_path, small(TEXT.replace("p[0] = 1\n", "p[0] = 1\np[1] = 1\n")))
    lines = (tmp_path / "Facts.v").read_text().split("Lemma there_are_some")[0].count("\n")
    assert done.returncode == 1
    assert int(re.search(r"line (\d+)", done.stderr)[1]) > lines

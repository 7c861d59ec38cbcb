"""A range of sizes: a row for each choice, whatever its size; each checked before it is told; the same call goes on."""

import csv
import io
import json
from pathlib import Path

import pytest

from cli import main
from verifier.certificate import promises
from verifier.evaluate import run

PAGE = """language 1
title "x"
sizes n >= 1, k >= 2
inputs w in words: words of 1..n letters a in {0, 1, ..., k-1}
top = 6 as "top"
claim copy.small, own, "-", on words:
  "Letters are small."
  for i in 1..len(w): w[i] <= k - 1
claim copy.two, own, "-", on words if len(w) > 2:
  "Three letters aren't all 2."
  sum(w) < top
claim read.zero, excluded, "-", on words:
  "Letters are 0."
  w[1] = 0
"""


@pytest.fixture
def told(capsys, monkeypatch, tmp_path):
    (tmp_path / "mine.page").write_text(PAGE)
    monkeypatch.chdir(tmp_path)

    def call(*words):
        code = main(["mine.page", *words])
        return code, *capsys.readouterr()

    return call


def table(out):
    return list(csv.DictReader(io.StringIO(out)))


def test_each_choice_has_a_row_and_the_worst_exit_code_counts(told):
    code, out, err = told("--n", "2..3", "--k", "2..3")
    assert code == 1
    rows = [line.split("   ") for line in out.splitlines()]
    assert [row[0] for row in rows] == ["n = 2, k = 2", "n = 2, k = 3", "n = 3, k = 2", "n = 3, k = 3"]
    assert [row[2] for row in rows] == ["holds", "holds", "holds", "refuted: copy.two"]
    assert err == "verify: every row: checked in full by a second program that shares no code with this one\n"
    assert told("--n", "2..3", "--k", "2", "-q")[0] == 0


def test_survey_is_the_same_call_with_a_row_for_one_choice_too(told, capsys):
    words = ("--n", "2..3", "--k", "3", "--format", "csv")
    assert (main(["survey", "mine.page", *words]), *capsys.readouterr()) == told(*words)
    assert main(["survey", "--paper", "mine.page", "--n", "3", "--k", "3", "--format", "csv"]) == 1
    assert table(capsys.readouterr().out) == table(told(*words)[1])[1:]
    assert main(["survey", "--help"]) == 0
    assert "verify survey" in capsys.readouterr().out


def test_what_is_too_large_has_a_row_that_says_so_and_the_others_are_run(told):
    code, out, _ = told("--n", "2..4", "--k", "3", "--max-points", "20", "--slow", "--format", "json")
    assert code == 5
    rows = json.loads(out)["rows"]
    assert [row["verdict"] for row in rows] == ["holds", "too large", "too large"]
    assert "words has 120 cases of 1 to 4 items; the limit is 20" in rows[2]["why"]
    assert told("--n", "3..4", "--k", "3", "--max-points", "20", "--slow")[0] == 4  # all of them
    assert told("--n", "1..10001", "--k", "2")[0] == 4


def test_vacuous_rows_are_no_success(told):
    assert told("--n", "1..2", "--k", "2", "--claims", "copy.two")[0] == 5
    code, _, err = told("--n", "1..2", "--k", "2", "--strict")
    assert (code, "n = 2, k = 2: --strict: vacuous: copy.two" in err) == (5, True)


def test_a_variant_and_chosen_claims_are_those_of_every_row(told):
    code, out, _ = told("--n", "3", "--k", "3..3", "--claims", "copy.two", "--variant", "top=7")
    assert (code, "1 claim holds" in out) == (0, True)  # a range of one choice is told in full
    _, out, _ = told("--n", "3..4", "--k", "3", "--claims", "copy.two", "--variant", "top=9", "--format", "csv")
    assert table(out)[0] == {"n": "3", "k": "3", "cases": "39", "verdict": "holds", "copy": "holds"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--n", "2..3"], "--k is missing"),
        (["--n", "3..2", "--k", "2"], "3..2 is an empty range"),
        (["--n", "0..1", "--k", "2"], "n = 0: the page wants n >= 1"),
        (["--n", "1..2", "--k", "2", "--certificate", "c.json"], "a certificate is of one choice of sizes"),
        (["--n", "1..2", "--k", "2", "-q", "--format", "csv"], "three ways to show a result"),
        (["--n", "1..2", "--k", "2", "--jobs", "0"], "at least one process"),
    ],
)
def test_a_mistake_is_one_line_and_exit_2(told, words, said):
    code, out, err = told(*words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_sizes_stand_in_the_pages_own_order(told):
    assert told("--k", "2..3", "--n", "1")[1].startswith("n = 1, k = 2 ")
    assert list(table(told("--k", "2..3", "--n", "1", "--format", "csv")[1])[0])[:2] == ["n", "k"]
    told("--k", "2", "--n", "3", "--certificate", "c.json")
    assert next(promises(json.loads(Path("c.json").read_bytes()))).startswith("3 2  ")


def test_finished_rows_are_kept_and_damaged_ones_run_again(told, tmp_path, monkeypatch):
    words = ("--n", "1..3", "--k", "2", "--checkpoint", "kept", "--jobs", "1", "--format", "json")
    first = told(*words)
    assert first[0] == 0
    honest, ran = run.run, []
    monkeypatch.setattr(run, "run", lambda quick, *rest: ran.append(dict(quick.reading.sizes)) or honest(quick, *rest))
    assert (told(*words), ran) == (first, [])
    assert told(*words[:1], "1..4", *words[2:])[0] == 0
    assert {row["n"] for row in ran} == {4}
    ran.clear()
    (damaged,) = tmp_path.glob("kept/n2-k2/shard-00000.json")
    damaged.write_bytes(damaged.read_bytes().replace(b'"index":0', b'"index":1'))
    code, out, err = told(*words)
    assert (code, out, [row["n"] for row in ran]) == (first[0], first[1], [2])
    assert "damaged, and run again: shard-00000.json" in err
    assert told(*words, "--claims", "copy")[0] == 2  # another run's folder


def test_a_row_that_the_checker_does_not_accept_is_never_told(told, monkeypatch):
    honest = run.content

    def lying(*words):
        content = honest(*words)
        content["claims"][0]["cases"] += content["sizes"]["n"] == 2
        return content

    monkeypatch.setattr(run, "content", lying)
    code, out, err = told("--n", "1..3", "--k", "2")
    assert (code, out.splitlines()) == (70, ["n = 1, k = 2   2 cases   holds"])
    assert "the independent checker does not accept its certificate" in err

"""A survey: a row for each choice of a page's sizes, whatever its size; resumable; as text, JSON and CSV."""

import csv
import io
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from cli import main
from verifier import survey as room
from verifier.confirm import Disproved
from verifier.language.page import read
from verifier.survey import Row, Survey

PAGE = """language 1
title "x"
sizes n >= 1, k >= 2
inputs w in words: words of 1..n letters a in {0, 1, ..., k-1}
claim copy.small, own, "-", on words:
  "Letters are small."
  for i in 1..len(w): w[i] <= k - 1
claim copy.two, own, "-", on words if len(w) > 2:
  "Three letters aren't all 2."
  sum(w) < 6
claim read.zero, excluded, "-", on words:
  "Letters are 0."
  w[1] = 0
"""


@pytest.fixture
def told(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("COLUMNS", "")
    (tmp_path / "mine.page").write_text(PAGE)
    monkeypatch.chdir(tmp_path)

    def call(*words, page="mine.page"):
        code = main(["survey", *(["--paper", page] if page else []), *words])
        return code, *capsys.readouterr()

    return call


def test_a_row_for_each_choice_of_sizes_and_a_column_for_each_family(told):
    code, out, err = told("--n", "2..3", "--k", "2..3")
    assert code == 1
    assert out.splitlines() == [
        "n  k  cases  verdict  copy              read",
        "2  2  6      holds    holds, 1 vacuous  fails",
        "2  3  12     holds    holds, 1 vacuous  fails",
        "3  2  14     holds    holds             fails",
        "3  3  39     refuted  1 refuted, holds  fails",
    ]
    assert err == (
        "verify: n = 3, k = 3: refuted; the survey goes on\n"
        "verify: every row: checked in full by a second program that shares no code with this one\n"
    )


def test_the_paper_is_the_default_page_and_its_families_are_those_of_verify(told):
    code, out, _ = told("--d", "1", "--n", "2", "--N", "2..3", page="")
    assert (code, out.splitlines()[0].split()) == (
        0,
        ["d", "n", "N", "cases", "verdict", "grid", "b5", "lemma10", "lemma6"],
    )


def test_what_is_too_large_has_a_row_that_says_so(told):
    code, out, err = told("--n", "2..4", "--k", "3", "--max-points", "20")
    assert code == 5
    assert [line.split()[2:4] for line in out.splitlines()[1:]] == [["12", "holds"], ["-", "too"], ["-", "too"]]
    assert "n = 4, k = 3: too large: words has 120 cases of 1 to 4 items; the limit is 20" in " ".join(err.split())
    assert told("--n", "1..10001", "--k", "2")[0] == 4


def test_json_and_csv(told):
    document = json.loads(told("--n", "2..3", "--k", "3", "--format", "json")[1])
    assert document["format"] == "verifier.survey/2"
    assert document["rows"][1] == {
        "name": "n = 3, k = 3",
        "sizes": {"n": 3, "k": 3},
        "cases": 39,
        "verdict": "refuted",
        "families": {"copy": {"holds": 1, "refuted": 1}, "read": {"fails": 1}},
        "checked": "checked in full by a second program that shares no code with this one",
    }
    table = list(csv.DictReader(io.StringIO(told("--n", "2..3", "--k", "3", "--format", "csv")[1])))
    assert [(row["n"], row["cases"], row["copy"]) for row in table] == [
        ("2", "12", "holds, 1 vacuous"),
        ("3", "39", "1 refuted, holds"),
    ]


def test_a_variant_and_chosen_claims(told):
    Path("mine.page").write_text(PAGE.replace("sum(w) < 6", "sum(w) < top") + 'top = 6 as "top"\n')
    code, out, _ = told("--n", "3", "--k", "3", "--claims", "copy.two", "--variant", "top=7")
    assert (code, out.splitlines()[1].split()) == (0, ["3", "3", "39", "holds", "holds"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--n", "2"], "--k is missing"),
        (["--n", "3..2", "--k", "2"], "3..2 is an empty range"),
        (["--n", "0", "--k", "2"], "n = 0: the page wants n >= 1"),
        (["--n", "1", "--k", "2", "--claims", "copi"], "did you mean"),
        (["--n", "1", "--k", "2", "--jobs", "0"], "at least one process"),
    ],
)
def test_a_mistake_is_one_line_and_exit_2(told, words, said):
    code, out, err = told(*words)
    assert (code, out) == (2, "")
    assert said in err


# --- what is kept


@pytest.fixture
def survey(tmp_path, monkeypatch):
    """A survey in a folder, and the sizes that were run."""
    page, ran, honest = read(PAGE), [], room.found
    monkeypatch.setattr(
        room, "found", lambda page, sizes, *a, **k: (ran.append(sizes["n"]), honest(page, sizes, *a, **k))[1]
    )

    def rows(most, claims=("copy.small", "read.zero"), **how):
        its = Survey(page, list(claims), {}, folder=tmp_path / "kept", jobs=1, **how)
        return list(its.rows([{"n": n, "k": 2} for n in range(1, most + 1)]))

    return rows, ran


def test_finished_rows_are_not_run_again_and_damaged_ones_are(survey, tmp_path):
    rows, ran = survey
    first = rows(3)
    assert (rows(4)[:3], ran) == (first, [1, 2, 3, 4])
    path = tmp_path / "kept/row-2-2.json"
    whole = path.read_bytes()
    for damage in (
        b"",
        b"x\ny\n",
        whole.replace(b"holds", b"refut"),
        b"\xff",
        whole[:-1],
        (path.parent / "row-3-2.json").read_bytes(),
    ):
        path.write_bytes(damage)
        ran.clear()
        assert (rows(3), ran) == (first, [2])
    ran.clear()
    rows(1, claims=["copy.small"])  # other claims: another survey
    assert ran == [1]


def test_what_a_kept_row_says_is_checked_again(survey, tmp_path):
    """Even if its mark is right."""
    rows, ran = survey
    first = rows(2)
    said = []
    its = Survey(read(PAGE), ["copy.small", "read.zero"], {}, folder=tmp_path / "kept", jobs=1, say=said.append)
    content = json.loads(its.path(its.folder, {"n": 2, "k": 2}).read_bytes().partition(b"\n")[2])
    content["claims"][0]["cases"] += 1
    its.keep(its.folder, {"n": 2, "k": 2}, room.canonical(content))
    ran.clear()
    assert list(its.rows([{"n": n, "k": 2} for n in (1, 2)])) == first
    assert ran == [2]
    assert "the kept row of n = 2, k = 2 is run again" in said[0]


def test_a_row_that_the_checker_does_not_accept_is_never_told(monkeypatch):
    honest = room.found

    def lying(*words, **how):
        content = honest(*words, **how)
        content["claims"][0]["cases"] += 1
        return content

    monkeypatch.setattr(room, "found", lying)
    with pytest.raises(Disproved):
        list(Survey(read(PAGE), ["copy.small"], {}, jobs=1).rows([{"n": 1, "k": 2}]))


def test_what_cannot_be_kept_is_exit_3(told, tmp_path):
    (tmp_path / "kept").mkdir()
    for make in (os.mkfifo, os.mkdir):
        make(tmp_path / "kept/row-1-2.json")
        code, out, err = told("--n", "1", "--k", "2", "--checkpoint", "kept")
        assert (code, out, err.count("\n")) == (3, "", 1)
        assert "row-1-2.json" in err
        (tmp_path / "kept/row-1-2.json").unlink() if make is os.mkfifo else (tmp_path / "kept/row-1-2.json").rmdir()


def test_the_table_keeps_to_80_columns():
    """With many families the claims that hold beside others aren't counted; with more it is a list."""
    counts = {"holds": {"holds": 2}, "some": {"holds": 3, "vacuous": 1}, "none": {"vacuous": 2}}
    row = Row({"d": 1, "n": 2, "N": 2}, "holds", {}, 6)

    def told(*families):
        named = [f"{family}{k}" for k, family in enumerate(families)]
        found = replace(row, families={name: counts[name[:-1]] for name in named})
        return room.as_text([found, replace(row, verdict="too large")], named).splitlines()

    few = told("holds", "some", "none")
    assert few[1].split(None, 5)[5].split("  ") == ["holds", " holds, 1 vacuous", "vacuous"]
    more = told("some", "some", "some", "none")
    assert more[1].split(None, 5)[5].split("  ") == ["1 vacuous", "1 vacuous", "1 vacuous", "vacuous"]
    assert more[-1] == "1 vacuous: one claim of the family had no case to check; the others hold"
    many = told(*["some"] * 9)
    assert many[0] == "d = 1, n = 2, N = 2, 6 cases: holds"
    assert many[1].startswith("    some0: holds, 1 vacuous; some1: holds, 1 vacuous; ")
    assert max(map(len, [*few, *more, *many])) <= 80

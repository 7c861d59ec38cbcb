"""A survey: a row for each instance, whatever its size; resumable; as text, JSON and CSV."""

import csv
import io
import json
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from processes import PATIENCE, completed
from verifier import survey as room
from verifier.catalogue import choose
from verifier.core.exact import NotExact
from verifier.run.stop import TooLarge, WorkersDie
from verifier.run.verify import RunOptions
from verifier.survey import Row, instances, parse_range, survey

CLI = [sys.executable, str(Path(__file__).parent.parent / "cli.py"), "survey"]


def call(*arguments, timeout=None):
    env = {**os.environ, "COLUMNS": ""}
    return completed([*CLI, *arguments], env=env, timeout=timeout)


def rows_of(d, n, N, claims="lemma6", **settings):
    wanted = instances(*map(parse_range, (d, n, N)))
    return list(survey(wanted, choose([claims]), settings.pop("max_points", None), RunOptions(), **settings))


def test_ranges():
    assert list(parse_range("3")) == [3]
    assert list(parse_range("2..4")) == [2, 3, 4]
    for wrong in ("", "2..", "..3", "4..2", "2...3", "2-3", "a", "1..2..3", "2.5", " 2"):
        with pytest.raises(NotExact):
            parse_range(wrong)
    with pytest.raises(TooLarge, match="1,000,000 instances"):
        instances(range(1, 101), range(2, 102), range(2, 102))
    with pytest.raises(NotExact, match="n = 1"):
        instances(range(1, 2), range(1, 2), range(2, 3))


def test_a_row_for_each_instance_and_none_left_out():
    rows = rows_of("1..2", "2..3", "2..3", max_points=60)
    assert [(r.instance.d, r.instance.n, r.instance.N, r.verdict) for r in rows] == [
        (1, 2, 2, "holds"),
        (1, 2, 3, "holds"),
        (1, 3, 2, "holds"),
        (1, 3, 3, "holds"),
        (2, 2, 2, "holds"),
        (2, 2, 3, "too large"),
        (2, 3, 2, "too large"),
        (2, 3, 3, "too large"),
    ]
    assert "136 orbits (256 matrices); the limit is 60 orbits" in rows[5].why
    assert rows[2].families == {"lemma6": {"vacuous": 3, "holds": 3}}
    assert rows[2].words("lemma6") == "holds, 3 vacuous"
    assert rows[5].words("lemma6") == "-"


def test_the_worst_verdict_of_a_family_comes_first():
    row = Row(
        instances(range(1, 2), range(2, 3), range(2, 3))[0], "refuted", {"x": {"holds": 2, "refuted": 1, "vacuous": 1}}
    )
    assert row.words("x") == "1 refuted, holds, 1 vacuous"


@pytest.mark.thorough
def test_finished_rows_are_not_run_again_and_damaged_ones_are(tmp_path, monkeypatch):
    ran = []
    honest = room.run_row
    monkeypatch.setattr(
        room, "run_row", lambda instance, *a, **k: (ran.append(instance.N), honest(instance, *a, **k))[1]
    )
    first = rows_of("1", "2", "2..4", folder=tmp_path)
    assert ran == [2, 3, 4]
    assert rows_of("1", "2", "2..5", folder=tmp_path)[:3] == first
    assert ran == [2, 3, 4, 5]
    path = tmp_path / "row-1-2-3.json"
    for damage in (
        b"",
        b"x\ny\n",
        path.read_bytes().replace(b"holds", b"refut"),
        b"\xff",
        b"x\n" + b"[" * 100_000 + b"\n",
    ):
        path.write_bytes(damage)
        ran.clear()
        assert rows_of("1", "2", "2..4", folder=tmp_path) == first
        assert ran == [3]
    ran.clear()
    rows_of("1", "2", "2", claims="lemma10", folder=tmp_path)  # other claims: another survey
    assert ran == [2]


def test_rows_that_were_stopped_are_run_again_and_those_with_a_skipped_claim_are_not(tmp_path, monkeypatch):
    ran = []
    honest = room.verify

    def dying(g, *a):
        ran.append(g.instance.N)
        if g.instance.N == 3 and len(ran) == 2:
            raise WorkersDie("workers died 6 times")
        return honest(g, *a)

    monkeypatch.setattr(room, "verify", dying)
    assert [row.verdict for row in rows_of("1", "2", "2..4", folder=tmp_path)] == ["holds", "incomplete", "holds"]
    assert [row.verdict for row in rows_of("1", "2", "2..4", folder=tmp_path)] == ["holds"] * 3
    assert ran == [2, 3, 4, 3]
    instance = instances(range(1, 2), range(2, 3), range(2, 3))[0]
    claims = choose(["lemma6"])
    for families, said in (({}, []), ({"lemma6": {"skipped": 1}}, [{"id": "lemma6.1", "verdict": "skipped"}])):
        certificate = json.dumps({"verdict": "incomplete", "claims": said})
        row = Row(instance, "incomplete", families, "", certificate)
        room._save(tmp_path, row, claims)
        assert room._load(tmp_path, instance, claims) == (row if families else None)


def test_what_is_no_row_of_ours(tmp_path):
    first = rows_of("1", "2", "2..3", folder=tmp_path)
    (tmp_path / "row-1-2-3.json").replace(tmp_path / "row-1-2-2.json")  # of another instance: run again
    assert rows_of("1", "2", "2..3", folder=tmp_path) == first
    assert b'"instance": [1, 2, 2]' in (tmp_path / "row-1-2-2.json").read_bytes()
    for make in (os.mkfifo, os.mkdir):
        (tmp_path / "row-1-2-3.json").unlink()
        make(tmp_path / "row-1-2-3.json")
        done = call(
            "--d", "1", "--n", "2", "--N", "2..3", "--claims", "lemma6", "--checkpoint", str(tmp_path), timeout=PATIENCE
        )
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (3, "", 1)
        assert "row-1-2-3.json: what is there already is no regular file" in done.stderr


@pytest.mark.thorough
def test_the_command_as_text_json_and_csv(tmp_path):
    arguments = ("--d", "1", "--n", "2..3", "--N", "2..3", "--claims", "lemma10,lemma6", "--checkpoint", str(tmp_path))
    text = call(*arguments)
    assert (text.returncode, text.stderr) == (0, "verify: every row: checked independently, in full\n")
    assert text.stdout.splitlines()[0].split() == ["d", "n", "N", "orbits", "verdict", "lemma10", "lemma6"]
    assert text.stdout.splitlines()[3].split(None, 5) == [
        "1",
        "3",
        "2",
        "10",
        "holds",
        "vacuous           holds, 3 vacuous",
    ]
    document = json.loads(call(*arguments, "--format", "json").stdout)
    assert document["format"] == "verifier.survey/1"
    assert [row["orbits"] for row in document["rows"]] == ["6", "10", "10", "20"]
    table = list(csv.DictReader(io.StringIO(call(*arguments, "--format", "csv").stdout)))
    assert [row["lemma6"] for row in table] == ["holds, 1 vacuous", "holds", "holds, 3 vacuous", "holds, 1 vacuous"]


def test_what_is_too_large_is_listed_and_the_survey_is_incomplete():
    done = call("--d", "1", "--n", "2", "--N", "2..1000000", "--claims", "lemma6")
    assert done.returncode == 4
    done = call("--d", "1", "--n", "2", "--N", "49999..50001", "--claims", "lemma6", "--max-points", "7")
    assert done.returncode == 5
    assert done.stdout.count("too large") == 3
    assert "C(" not in done.stdout
    for wrong in ((), ("--d", "1"), ("--d", "1", "--n", "2", "--N", "3..2"), ("--d", "0", "--n", "2", "--N", "2")):
        done = call(*wrong)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


def test_the_table_keeps_to_80_columns():
    """With many families the claims that hold beside others aren't counted; with more it is a list."""
    counts = {"holds": {"holds": 2}, "some": {"holds": 3, "vacuous": 1}, "none": {"vacuous": 2}}
    row = Row(instances(range(1, 2), range(2, 3), range(2, 3))[0], "holds", {})

    def told(*families):
        named = [f"{family}{k}" for k, family in enumerate(families)]
        found = replace(row, families={name: counts[name[:-1]] for name in named})
        return room.as_text([found, Row(row.instance, "too large", {}, "too large")], named).splitlines()

    few = told("holds", "some", "none")
    assert few[1].split(None, 5)[5].split("  ") == ["holds", " holds, 1 vacuous", "vacuous"]
    more = told("some", "some", "some", "none")
    assert more[1].split(None, 5)[5].split("  ") == ["1 vacuous", "1 vacuous", "1 vacuous", "vacuous"]
    assert more[-1] == "1 vacuous: one claim of the family had no case to check; the others hold"
    many = told(*["some"] * 9)
    assert many[0] == "(d, n, N) = (1, 2, 2), 6 orbits: holds"
    assert many[1].startswith("    some0: holds, 1 vacuous; some1: holds, 1 vacuous; ")
    assert many[-1] == "(d, n, N) = (1, 2, 2), 6 orbits: too large"
    assert max(map(len, [*few, *more, *many])) <= 80

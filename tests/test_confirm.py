"""A verdict is checked before it is said: whatever misled a run, what it says has stood the independent check."""

import copy
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from processes import completed
from verifier import confirm as room
from verifier.checking import Answered
from verifier.confirm import Disproved, Standing, confirm
from verifier.evaluate.certificate import canonical
from verifier.evaluate.run import found
from verifier.language.page import read
from verifier.run.stop import TimeIsUp

CLI = [sys.executable, str(Path(__file__).parent.parent / "cli.py")]
PAGE = """language 1
title "Words"
sizes n >= 1
inputs w in words: words of 1..n letters a in {0, 1, ..., 9}
claim t.holds, own, "-", on words:
  "-"
  sum(w) <= 9 * len(w)
claim t.fails, own, "-", on words if len(w) > 1:
  "-"
  sum(w) < 18
"""


@cache
def content(claims="t.holds t.fails", n=2):
    return found(read(PAGE), {"n": n}, claims.split(), {})


def call(*words, **settings):
    return completed([*CLI, *words], **settings)


# What it says


IN_FULL = Standing("checked in full by a second program that shares no code with this one", in_full=True)


def test_a_small_run_is_checked_in_full():
    assert confirm(canonical(content("t.holds"))) == IN_FULL


def test_a_confirmed_refutation_is_confirmed():
    assert content()["verdict"] == "refuted"
    assert confirm(canonical(content())) == IN_FULL


def test_many_words_that_merge_are_checked_in_full():
    assert content(n=6)["inputs"]["words"]["cases"] == 1_111_110
    by_states = "checked in full, words by states, by a second program that shares no code with this one"
    assert confirm(canonical(content(n=6))) == Standing(by_states, in_full=True)


def test_a_larger_run_is_checked_in_part():
    many = PAGE.replace("words of 1..n", "multisets of n").replace(" if len(w) > 1", "")
    words = confirm(canonical(found(read(many), {"n": 14}, ["t.holds"], {}))).words
    assert words.startswith("checked in part by a second program that shares no code with this one: looked at ")
    assert words.endswith("of 817,190 cases of words, 1 of them named in the file; no counts and no pairs")


def test_after_a_long_run_the_check_keeps_within_the_checkers_own_limit(monkeypatch):
    from verifier.checker.core.limits import SECONDS

    asked, honest = [], room.run_checker
    monkeypatch.setattr(room, "run_checker", lambda words, **how: (asked.append(words), honest(words, **how))[1])
    for taken in (0, 5.5, 10**6):
        assert (
            confirm(canonical(content()), taken).words
            == "checked in full by a second program that shares no code with this one"
        )
    seconds = [int(words[words.index("--seconds") + 1]) for words in asked]
    assert seconds[:2] == [2, 5]
    assert 2 * seconds[2] < SECONDS


# What it never says


@pytest.mark.parametrize(
    ("place", "said"),
    [
        (("claims", 0, "cases"), 109),
        (("claims", 0, "verdict"), "vacuous"),
        (("claims", 0, "lines", 0, "least", "slack"), "1"),
        (("claims", 1, "verdict"), "holds"),
        (("claims", 1, "failing"), 2),
        (("inputs", "words", "cases"), 111),
        (("verdict",), "holds"),
    ],
    ids=str,
)
def test_a_result_that_is_not_so_is_disproved(place, said):
    other = inner = copy.deepcopy(content())
    *outer, last = place
    for key in outer:
        inner = inner[key]
    inner[last] = said
    with pytest.raises(Disproved, match="does not accept its certificate"):
        confirm(canonical(other))


def test_both_sides_are_told():
    other = copy.deepcopy(content("t.holds"))
    other["claims"][0]["cases"] = 109
    with pytest.raises(Disproved) as caught:
        confirm(canonical(other))
    assert "this run found `holds`" in str(caught.value)
    assert "REJECTED: derived from the page: certificate.claims[0].cases: expected 110, found 109" in str(caught.value)


def test_a_run_that_is_wrong_is_exit_70(tmp_path):
    """The producer's ledger counts one case too many: nothing is printed, nothing written."""
    script = (
        "import sys\n"
        "import verifier.evaluate.run as room\n"
        "honest = room.found\n"
        "def found(*words, **more):\n"
        "    content = honest(*words, **more)\n"
        "    content['claims'][0]['cases'] += 1\n"
        "    return content\n"
        "room.found = found\n"
        "from verifier.__main__ import main\n"
        "main()\n"
    )
    (tmp_path / "t.page").write_text(PAGE)
    words = ["--paper", "t.page", "--n", "2", "--claims", "t.holds", "--certificate", "c.json"]
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    command = [sys.executable, "-c", script, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, env=env)
    assert (done.returncode, done.stdout) == (70, ""), done.stderr
    assert "REJECTED" in done.stderr
    assert not (tmp_path / "c.json").exists()
    done = subprocess.run([*command, "--no-check"], capture_output=True, text=True, check=False, cwd=tmp_path, env=env)
    assert done.returncode == 0, done.stderr
    assert "Not checked independently (--no-check)." in done.stdout


# Limits, streams


def test_json_stays_the_certificate_and_nothing_else(tmp_path):
    (tmp_path / "t.page").write_text(PAGE)
    run = ["--paper", str(tmp_path / "t.page"), "--n", "2", "--claims", "t.holds", "--format", "json"]
    done = call(*run)
    assert done.stdout.encode() == canonical(content("t.holds"))
    assert done.stderr == "verify: checked in full by a second program that shares no code with this one\n"
    assert call(*run, "--no-check").stderr == "verify: not checked independently (--no-check)\n"


def test_the_time_limit_holds_for_the_check_too():
    with pytest.raises(TimeIsUp, match="while the result is checked"):
        confirm(canonical(content()), deadline=0)


def answered(code, verdict="", said=""):
    return Answered(code, [{"file": "-", "verdict": verdict, "code": code, "words": said}] if verdict else [])


@pytest.mark.parametrize("done", [answered(4, "over the limit", "over the limit: memory"), answered(-9), answered(3)])
def test_a_check_that_could_not_be_made_is_no_check(done, monkeypatch):
    monkeypatch.setattr(room, "run_checker", lambda *_, **__: done)
    standing = confirm(canonical(content()))
    assert not standing.checked
    assert standing.words.startswith("not checked independently: ")


@pytest.mark.parametrize(
    "done",
    [
        answered(1, "rejected", "REJECTED: x"),
        answered(2, "unreadable", "unreadable: y"),
        answered(70),
        answered(0),  # about nothing
        answered(5),
        Answered(0, [{"verdict": "accepted", "code": 0, "words": "of no file"}]),
    ],
)
def test_whatever_else_the_checker_says_is_no_verdict(done, monkeypatch):
    monkeypatch.setattr(room, "run_checker", lambda *_, **__: done)
    with pytest.raises(Disproved):
        confirm(canonical(content()))


# A crash is not a refutation


def test_a_crash_is_exit_70_in_one_line():
    """Something that nobody thought of, in the middle of a run."""
    script = (
        "import sys\n"
        "import verifier.evaluate.run as room\n"
        "room.found = lambda *_, **__: 1 // 0\n"
        "from verifier.__main__ import main\n"
        "sys.argv = ['verify', '--d', '1', '--n', '2', '--N', '2']\n"
        "main()\n"
    )
    for debug in ({}, {"VERIFIER_DEBUG": "1"}):
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=False,
            cwd=Path(__file__).parent.parent, env={**os.environ, **debug},
        )  # fmt: skip
        assert (done.returncode, done.stdout) == (70, "")
        assert "a defect of verifier, and no verdict: ZeroDivisionError" in done.stderr
        assert ("Traceback" in done.stderr) == bool(debug)
        assert debug or done.stderr.count("\n") == 1


@pytest.mark.parametrize("words", [["--claims=--"], ["check", "x", "--promise=--"], ["check", "x", "--claims=--"]])
def test_two_hyphens_are_no_value(words):
    done = call(*(["--d", "1", "--n", "2", "--N", "2"] if words[0] != "check" else []), *words)
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)


def test_a_package_that_is_missing_is_said():
    script = "import sys\nsys.modules['click'] = None\nfrom verifier.__main__ import main\nmain()"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=Path(__file__).parent.parent
    )
    assert done.returncode == 3
    assert done.stderr.startswith("verify: something that it needs can't be loaded: ")


def test_a_user_without_a_home_gets_a_verdict(tmp_path):
    env = {"PATH": os.environ["PATH"], "VERIFIER_DEBUG": "1"}
    done = call("--d", "1", "--n", "2", "--N", "9", "--claims", "lemma6.3", env=env, cwd=tmp_path)
    assert done.returncode == 0, done.stderr

"""A verdict is checked before it is said: whatever misled a run, what it says has stood the independent check."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from processes import completed
from verifier import confirm as room
from verifier import survey
from verifier.catalogue import choose
from verifier.certificate import certify
from verifier.checking import Answered
from verifier.confirm import Disproved, confirm, confirm_bytes
from verifier.core.exact import Q
from verifier.papers.yun2020.contextual_map import contextual_map
from verifier.papers.yun2020.instance import Instance
from verifier.run import checkpoint
from verifier.run.stop import TimeIsUp
from verifier.run.verify import RunOptions, verify

CLI = [sys.executable, str(Path(__file__).parent.parent / "cli.py")]
SEVERAL_SHARDS = Instance(1, 2, 70)  # 2,556 orbits: two shards
NOW = 10**9  # a run that has only just begun, by any clock


def call(*words, **settings):
    return completed([*CLI, *words], **settings)


def lied(result, id_, **changes):
    """A result that says something else of a claim."""
    findings = [replace(f, **changes) if f.claim.id == id_ else f for f in result.findings]
    return replace(result, findings=tuple(findings))


# What it says


def test_a_small_run_is_checked_in_full():
    result = verify(contextual_map(Instance(1, 3, 4)))
    assert confirm(result, NOW) == room.Standing("checked independently, in full")


def test_a_confirmed_refutation_is_confirmed():
    g = contextual_map(Instance(1, 2, 3), sweep_factor=Q(2))
    result = verify(g, "b5,lemma6")
    assert result.verdict == "refuted"
    assert confirm(result, NOW).checked


@pytest.mark.thorough
def test_a_larger_run_is_checked_in_part():
    result = verify(contextual_map(Instance(1, 5, 34)), "lemma6.3", RunOptions("kernel"))
    words = confirm(result, NOW).words
    assert words.startswith("checked independently, in part: ")
    assert "shards, drawn with the seed " in words


def test_after_a_long_run_the_check_keeps_within_the_checkers_own_limit(monkeypatch):
    from verifier.checker.core.limits import SECONDS

    asked, honest = [], room.run_checker
    monkeypatch.setattr(room, "run_checker", lambda words, **how: (asked.append(words), honest(words, **how))[1])
    assert confirm(verify(contextual_map(Instance(1, 2, 3))), -(10**6)).words == "checked independently, in full"
    assert 2 * int(asked[0][asked[0].index("--seconds") + 1]) < SECONDS


def test_what_a_certificate_has_no_words_for_is_named(tmp_path):
    targets = tmp_path / "targets.json"
    rows = [{"matrix": [["0", "1/2"]], "target": [["1", "0"]]}]
    targets.write_text(json.dumps(rows))
    done = call("--d", "1", "--n", "2", "--N", "2", "--claims", "lemma6.4", "--targets", str(targets))
    assert done.returncode == 0
    said = " ".join(done.stdout.split())
    assert "Checked independently, in full, except lemma7.given, prop4.given, which a certificate can't state" in said


# What it never says


@pytest.mark.parametrize(
    ("id_", "changes"),
    [("lemma6.1", {"cases": 5}), ("lemma6.2", {"verdict": "vacuous"}), ("lemma6.4", {"edges": ()})],
)
def test_a_result_that_is_not_so_is_disproved(id_, changes):
    result = lied(verify(contextual_map(Instance(1, 3, 4))), id_, **changes)
    with pytest.raises(Disproved, match="REJECTED"):
        confirm(result, NOW)


def mutated(kernel, monkeypatch):
    """The compiled or plain kernel, with a number of its instance changed: as if its source were wrong."""
    import verifier.papers.yun2020.kernel.kernel as ours

    honest = ours.numbers
    monkeypatch.setattr(
        ours, "numbers", lambda construction: replace(honest(construction), **kernel(honest(construction)))
    )


@pytest.mark.parametrize(
    "kernel",
    [
        lambda x: {"t_l": x.t_l - 1},
        lambda x: {"t_r": x.t_r + 1},
        lambda x: {"upper": x.upper + 1},
        lambda x: {"lower": x.lower - 1},
        lambda x: {"final_bound": x.final_bound - 1},
    ],
)
def test_a_kernel_that_is_wrong_is_found_out(kernel, monkeypatch):
    """Its bounds are off by one: all still holds, with another slack."""
    mutated(kernel, monkeypatch)
    monkeypatch.setattr("verifier.run.verify._take_in", lambda *_: None)  # nor does the literal network look again
    result = verify(contextual_map(SEVERAL_SHARDS), None, RunOptions("kernel"))
    with pytest.raises(Disproved):
        confirm(result, NOW)


def forge(folder, change):
    """A shard of a checkpoint that says something else, with a digest that fits."""
    path = min(folder.glob("shard-*.json"))
    content = json.loads(path.read_bytes())["content"]
    change(content)
    import hashlib

    digest = hashlib.sha256(checkpoint._bytes(content)).hexdigest()
    path.write_bytes(checkpoint._bytes({"content": content, "sha256": digest}))


def count(content, claim):
    return content["claims"][claim]


FORGERIES = {
    "a case fewer": lambda c: count(c, "lemma6.4").__setitem__(0, str(int(count(c, "lemma6.4")[0]) - 1)),
    "another digest": lambda c: c.__setitem__("digest", "17"),
}


@pytest.mark.thorough
@pytest.mark.parametrize("what", FORGERIES)
def test_a_forged_shard_that_could_be_one_gives_no_verdict(what, tmp_path):
    run = ["--d", "1", "--n", "2", "--N", "70", "--checkpoint", str(tmp_path / "c"), "--engine", "kernel"]
    assert call(*run).returncode == 0
    forge(tmp_path / "c", FORGERIES[what])
    done = call(*run, "--certificate", str(tmp_path / "c.json"))
    assert done.returncode == 70, done.stdout + done.stderr
    assert "holds" not in done.stdout
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "c.json").exists()


def test_both_sides_are_told(tmp_path):
    run = ["--d", "1", "--n", "2", "--N", "70", "--checkpoint", str(tmp_path / "c"), "--engine", "kernel"]
    assert call(*run).returncode == 0
    forge(tmp_path / "c", FORGERIES["another digest"])
    done = call(*run)
    assert (done.returncode, done.stdout) == (70, "")
    assert "this run found `holds`" in done.stderr
    assert "REJECTED: FORMAT 8, digest: shards[0].digest: expected " in done.stderr
    done = call(*run, "--no-check")
    assert done.returncode == 0
    assert "Not checked independently (--no-check)." in done.stdout


def test_a_forged_count_of_a_category_is_not_believed(tmp_path):
    """The shard could be one, and the shards together can't: the kernel runs them again, not the literal network."""
    run = ["--d", "1", "--n", "2", "--N", "70", "--checkpoint", str(tmp_path / "c"), "--engine", "kernel"]
    assert call(*run).returncode == 0

    def forged(content):
        content["coverage"]["category1"][1] -= 1
        content["coverage"]["category3"][1] += 1

    forge(tmp_path / "c", forged)
    done = call(*run)
    assert done.returncode == 0
    assert "what was kept is not believed, and every shard is run again" in done.stderr
    assert "by the literal network" not in done.stdout
    assert "Checked independently, in full." in done.stdout


# A shard that can't be what it says


def test_an_impossible_shard_is_run_again(tmp_path):
    run = ["--d", "1", "--n", "2", "--N", "70", "--checkpoint", str(tmp_path / "c"), "--engine", "kernel"]
    assert call(*run).returncode == 0
    forge(tmp_path / "c", lambda c: count(c, "lemma6.4").__setitem__(1, -3))
    done = call(*run)
    assert done.returncode == 0
    assert "damaged, and run again: shard-0000" in done.stderr


# Surveys, limits, streams


def test_what_a_kept_row_says_is_checked_again(tmp_path):
    claims = choose(["lemma6"])
    wanted = [Instance(1, 2, 3)]
    (row,) = survey.survey(wanted, claims, None, RunOptions(), tmp_path)
    assert row.checked == "checked independently, in full"
    path = next(tmp_path.iterdir())
    lie = json.loads(row.certificate)
    lie["claims"][0]["cases"] += 1
    survey._save(tmp_path, replace(row, certificate=json.dumps(lie)), claims)
    said = []
    (again,) = survey.survey(wanted, claims, None, RunOptions(say=said.append), tmp_path)
    assert again == row
    assert path.exists()
    assert "run again" in said[0]


def test_a_row_that_the_checker_does_not_accept_is_never_told(monkeypatch):
    monkeypatch.setattr(
        survey, "verify", lambda *_: lied(verify(contextual_map(Instance(1, 2, 3))), "lemma6.4", cases=1)
    )
    with pytest.raises(Disproved):
        list(survey.survey([Instance(1, 2, 3)], choose(["lemma6"]), None, RunOptions()))


def test_json_stays_the_certificate_and_nothing_else():
    done = call("--d", "1", "--n", "2", "--N", "3", "--format", "json")
    assert done.stdout.encode() == certify(verify(contextual_map(Instance(1, 2, 3))))
    assert done.stderr == "verify: checked independently, in full\n"
    done = call("--d", "1", "--n", "2", "--N", "3", "--format", "json", "--no-check")
    assert done.stderr == "verify: not checked independently (--no-check)\n"


def test_the_time_limit_holds_for_the_check_too():
    data = certify(verify(contextual_map(Instance(1, 3, 4))))
    with pytest.raises(TimeIsUp, match="while the result is checked"):
        confirm_bytes(data, deadline=0)


def answered(code, verdict="", said=""):
    return Answered(code, [{"file": "-", "verdict": verdict, "code": code, "words": said}] if verdict else [])


@pytest.mark.parametrize("done", [answered(4, "over the limit", "over the limit: memory"), answered(-9), answered(3)])
def test_a_check_that_could_not_be_made_is_no_check(done, monkeypatch):
    monkeypatch.setattr(room, "run_checker", lambda *_, **__: done)
    standing = confirm_bytes(certify(verify(contextual_map(Instance(1, 2, 2)))))
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
        confirm_bytes(certify(verify(contextual_map(Instance(1, 2, 2)))))


# A crash is not a refutation


def test_a_crash_is_exit_70_in_one_line():
    """Something that nobody thought of, in the middle of a run."""
    script = (
        "import sys\n"
        "import verifier.run.verify as room\n"
        "room._finding = lambda *_: 1 // 0\n"
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
    done = call(
        "--d", "1", "--n", "2", "--N", "300", "--claims", "lemma6.3", "--engine", "kernel", env=env, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr

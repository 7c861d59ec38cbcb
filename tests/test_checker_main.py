"""The checker's command itself: how it is called, what it says of an outcome, and the exit code of whatever happens."""

import gc
import json
import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from verifier.checker import __main__ as command
from verifier.checker.__main__ import Answer
from verifier.checker.core import limits
from verifier.checker.core.comparing import OverLimit, Rejected
from verifier.checker.core.reading import Unreadable
from verifier.checker.page.derive import derive

CERTIFICATES = Path(__file__).parent.parent / "proofs" / "certificates"
OURS = "paper=page:0000000000000000"  # a page, by the first digits of its SHA-256


def claim(name, verdict="holds", **more):
    return {"id": f"p.{name}", "verdict": verdict, **more}


def fails(name, relation="x <= 2", value="4", bound="2", **more):
    evidence = {"relation": relation, "value": value, "bound": bound, **more}
    return claim(name, "refuted", counterexample=evidence)


def cert(*claims, **more):
    return {"instance": {"d": 1, "n": 3}, "claims": list(claims), "paper": f"page:{'0' * 64}"} | more


# How it is called.


@pytest.fixture
def called(monkeypatch):
    """What the check of a file is asked with; the files are none."""
    asked = []

    def checked(file, options):
        told = vars(options).items()
        asked.append((file, {name: v for name, v in told if v and name not in ("certificates", "json")}))
        return Answer("accepted", "said", 0, cert())

    monkeypatch.setattr(command, "_checked", checked)

    def call(*words):
        asked.clear()
        return command.main(list(words)), list(asked)

    return call


def test_options_are_none_unless_they_are_given(called):
    usual = {"max_points": command.MOST_CASES, "jobs": 1}
    assert called("a.json", "b") == (0, [("a.json", usual), ("b", usual)])


def test_each_option_is_what_is_given(called):
    words = "a --sample 3 --seed 7 --max-points 9 --jobs 2 --strict"
    options = {"sample": 3, "seed": 7, "max_points": 9, "jobs": 2, "strict": True}
    assert called(*words.split()) == (0, [("a", options)])
    assert called("a", "--seconds", "5")[1][0][1]["seconds"] == 5
    largest = int("9" * 19)
    assert called("a", "--seed", str(largest))[1][0][1]["seed"] == largest


@pytest.mark.parametrize(
    "words",
    ["", "--wrong a", "a --shard 0", "a --literal", "a --sample 0", "a --seconds 0", "a --jobs 0", "a --samp 1",
     "a --seed \u00b2", "a --seed " + "9" * 20, "a --seed 1_0", "a --max-points", "a --seed --",
     "a --claims=--", "a --sample=--", "a --seed=--", "a --seconds=--", "a --max-points=--",
     "a --promise=--", "a --seconds 5 --seed 1", "a --seconds 5 --sample 1"],
)  # fmt: skip
def test_a_malformed_call_is_told_in_one_line(words, called, capsys):
    code, asked = called(*words.split())
    out, err = capsys.readouterr()
    assert (code, asked, out) == (2, [], "")
    assert err.startswith("usage: python -m verifier.checker [options] CERT...: ")
    assert err.count("\n") == 1
    code, asked = called(*words.split(), "--json")
    out, err = capsys.readouterr()
    assert (code, asked, err, list(json.loads(out))) == (2, [], "", ["words"])


def test_help_is_no_mistake(called, capsys):
    assert called("--help") == (0, [])
    assert "Checks certificates, independently." in capsys.readouterr().out


def test_a_name_is_shown_as_it_is_if_it_can_be(called, capsys):
    called("plain name", "caf\xe9", "two\nlines")
    assert capsys.readouterr().out == "plain name: said\n'caf\\xe9': said\n'two\\nlines': said\n"


# One file, of each format.


@pytest.fixture
def file(tmp_path):
    def written(value):
        (tmp_path / "c.json").write_text(json.dumps(value))
        return str(tmp_path / "c.json")

    return written


def checked(path, *words):
    return command._checked(path, command._arguments([*words, path]))


def test_a_symbolic_certificate_and_an_exported_networks(file, monkeypatch):
    from verifier.checker.build import exported
    from verifier.checker.symbolic import proof

    monkeypatch.setattr(proof, "check", lambda _: "proved")
    monkeypatch.setattr(proof, "as_promised", lambda value: value | {"promised": 1})
    value = {"format": "verifier.proof/2"}
    assert checked(file(value)) == Answer("accepted", "proved", 0, value | {"promised": 1})
    monkeypatch.setattr(exported, "check", lambda *asked: f"built, {asked[2]}")
    monkeypatch.setattr(exported, "as_promised", lambda value: value | {"promised": 2})
    value, most = {"format": "verifier.export/2"}, command.MOST_CASES
    for points, times in ((most, 1), (1, 1), (2 * most - 1, 1), (2 * most, 2)):
        found = checked(file(value), "--max-points", str(points))
        told = (found.verdict, found.words, found.code, found.cert)
        assert told == ("accepted", f"built, {times}", 0, value | {"promised": 2})


@pytest.mark.parametrize("value", [[], "x", 3, {}, {"format": "verifier.proof/1"}, {"format": ["verifier.proof/2"]}])
def test_what_is_of_no_format(value, file):
    with pytest.raises(Unreadable):
        checked(file(value))


def test_a_file_of_the_first_format_is_to_be_made_anew(file):
    with pytest.raises(Unreadable, match="make the file anew, with the same sizes, claims and variant"):
        checked(file({"format": "verifier.certificate/1"}))


PAGE = """language 1
title "A page"
sizes n >= 1
inputs w in words: words of 1..n letters a in {0, 1}
claim t.holds, own, "-", on words:
  "-"
  sum(w) <= len(w)
claim t.none, own, "-", on words if len(w) > 8:
  "-"
  sum(w) <= 1
claim t.left, own, "-", on words:
  "-"
  skipped if n > 1 "enough"
  sum(w) <= 1
claim t.excluded, excluded, "-", on words:
  "-"
  sum(w) = 0
claim t.fails, own, "-", on words:
  "-"
  sum(w) < 3
"""


@pytest.mark.parametrize(
    ("claims", "words", "verdict", "code", "refuted"),
    [
        ("holds", [], "accepted", 0, ()),
        ("holds none", [], "accepted", 0, ()),
        ("holds none", ["--strict"], "incomplete", 5, ()),
        ("none", [], "incomplete", 5, ()),
        ("holds left", [], "incomplete", 5, ()),
        ("holds excluded", [], "accepted", 0, ()),
        ("holds fails", [], "refuted", 0, ("t.fails",)),
        ("holds", ["--sample", "2"], "in part", 5, ()),
        ("holds fails", ["--sample", "2"], "in part", 5, ("t.fails",)),
        ("holds", ["--seconds", "2"], "accepted", 0, ()),
    ],
)
def test_the_code_of_one_certificate(claims, words, verdict, code, refuted, tmp_path):
    path = tmp_path / "c.json"
    path.write_bytes(derive(PAGE, {"n": 3}, {}, [f"t.{name}" for name in claims.split()]))
    answer = checked(str(path), *words)
    assert (answer.verdict, answer.code, answer.refuted) == (verdict, code, refuted)
    assert ("in full" in answer.words) is ("--sample" not in words)
    assert "page" in answer.left
    assert ("part" in answer.left) is (verdict == "in part")


def test_a_draw_can_be_drawn_again(tmp_path):
    path = tmp_path / "c.json"
    path.write_bytes(derive(PAGE, {"n": 9}, {}, ["t.holds"]))
    said = checked(str(path), "--sample", "2", "--seed", "0").words
    assert said == checked(str(path), "--sample", "2", "--seed", "0").words
    assert "drawn by the seed 0: " in said
    assert checked(str(path), "--sample", "2").words != checked(str(path), "--sample", "2").words


# All files.


ENDS = {
    "good": Answer("accepted", "said", 0, cert(claim("a"))),
    "open": Answer("in part", "said", 5, cert(claim("a")), left={"open": "much"}),
    "bad": Answer("refuted", "said", 0, cert(fails("a")), ("p.a",)),
    "worse": Answer("refuted", "said", 0, cert(fails("a"), fails("b")), ("p.a", "p.b")),
    "rejected": Rejected("FORMAT 7", "claims[0]", "2", "3", "p.a"),
    "unreadable": Unreadable("no JSON"),
    "over": OverLimit("9 steps"),
    "memory": MemoryError(),
    "defect": ZeroDivisionError("1/0"),
}


@pytest.fixture
def run(monkeypatch, capsys):
    def checked(file, *_):
        if isinstance(ENDS[file], BaseException):
            raise ENDS[file]
        return ENDS[file]

    monkeypatch.setattr(command, "_checked", checked)
    monkeypatch.delenv("VERIFIER_DEBUG", raising=False)

    def call(*words):
        code = command.main(list(words))
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.mark.parametrize(
    ("file", "code", "said"),
    [
        ("good", 0, "said"),
        ("open", 5, "said"),
        ("bad", 1, "said"),
        ("rejected", 1, "REJECTED: claim p.a: FORMAT 7: claims[0]: expected 2, found 3"),
        ("unreadable", 2, "unreadable: no JSON"),
        ("over", 4, "over the limit: 9 steps"),
        ("memory", 4, "over the limit: memory"),
        ("defect", 70, "not checked: a defect of the checker: ZeroDivisionError: ZeroDivisionError('1/0')"),
    ],
)
def test_a_files_line_and_code(file, code, said, run):
    assert run(file) == (code, f"{file}: {said}\n", "")


def test_the_worst_file_decides(run):
    order = [("rejected", 1), ("defect", 70), ("unreadable", 2), ("over", 4), ("open", 5), ("good", 0)]
    for k, (file, code) in enumerate(order):
        for others in (order[k:], order[k:][::-1]):
            assert run(*(other for other, _ in others))[0] == code, file


def checker(*words, code="from verifier.checker.__main__ import main; raise SystemExit(main())"):
    done = subprocess.run([sys.executable, "-c", code, *map(str, words)], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def test_processes_answer_as_one_does(tmp_path):
    (tmp_path / "no.json").write_text("{}")
    certificates = [CERTIFICATES / name for name in ("d1-n2-N2.json", "pages/parity-8.json", "d1-n2-N3.json")]
    files = [certificates[0], tmp_path / "no.json", *certificates[1:]]
    alone = checker(*files)
    assert alone[0] == 2
    assert alone[1].count("checked in full") == 3
    assert checker("--jobs", 3, *files) == alone
    promise = ("--promise", "1 2 3 lemma6.4")
    assert checker("--jobs", 2, *promise, files[0], files[3]) == checker(*promise, files[0], files[3])


def test_a_process_that_dies_ends_the_check_without_a_verdict():
    dying = """if True:
        import multiprocessing, os, verifier.checker.__main__ as command
        multiprocessing.set_start_method("fork")
        command._checked = lambda *_: os._exit(9)
        raise SystemExit(command.main())"""
    code, out, err = checker("--jobs", 2, "a", "b", code=dying)
    assert (code, out) == (4, "")
    assert err == "over the limit: a process of the checker died, perhaps for want of memory; --jobs 1 takes least\n"


def test_a_defect_is_raised_for_whoever_looks_for_it(run, monkeypatch):
    monkeypatch.setenv("VERIFIER_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        run("defect")
    monkeypatch.setattr(command, "_run", lambda *_, **__: json.loads("nothing"))
    with pytest.raises(json.JSONDecodeError):
        run("good")


def test_what_is_said_of_a_file_has_an_end(run, monkeypatch):
    for length, said in ((4000, "x" * 4000), (4001, "x" * 4000 + "...")):
        monkeypatch.setitem(ENDS, "good", Answer("accepted", "x" * length, 0, cert()))
        assert run("good")[1] == f"good: {said}\n"


@pytest.mark.parametrize(
    ("files", "promises", "code", "broken"),
    [
        ("bad", [f"1 3 p.a refuted {OURS}"], 0, 0),
        ("bad", [f"1 3 p.a {OURS}"], 1, 2),  # it isn't kept, and the file keeps none
        ("bad", [f"1 3 p.b refuted {OURS}"], 1, 2),
        ("bad", [f"2 3 p.a refuted {OURS}"], 1, 2),
        ("bad", [], 1, 0),
        ("worse", [f"1 3 p.a,p.b refuted {OURS}"], 0, 0),
        ("worse", [f"1 3 p.a refuted {OURS}"], 1, 0),
        ("worse", [f"1 3 p.a refuted {OURS}", f"1 3 p.b refuted {OURS}"], 0, 0),
        ("good", [f"1 3 p.a {OURS}"], 0, 0),
        ("good", [f"1 3 p.a refuted {OURS}"], 1, 2),
        (
            "good over",
            [f"1 3 p.b {OURS}"],
            4,
            0,
        ),  # not all was checked, which the code says already
        ("good open", [f"1 3 p.a {OURS}"], 5, 0),
    ],
)
def test_a_refutation_counts_unless_it_was_promised(files, promises, code, broken, run):
    found, out, _ = run(*files.split(), *(f"--promise={words}" for words in promises))
    said = out.count(" is not kept: ") + out.count(" keeps none of the promises")
    assert (found, said, out.count("REJECTED: ")) == (code, broken, broken)


def test_promises_in_a_file(run, tmp_path):
    path = tmp_path / "promises"
    path.write_text(f"# mine\n1 3 p.a {OURS}\n")
    assert run("good", "--claims", str(path))[0] == 0
    assert run("good", "--claims", str(path), "--promise", f"1 3 p.b {OURS}")[0] == 1
    path.write_text("# none\n")
    assert run("good", "--claims", str(path)) == (2, "", f"{str(path)!a}: no promise is in it\n")
    assert run("good", "--claims", str(path), "--promise", f"1 3 p.a {OURS}")[0] == 0
    path.write_text("1 3\n")
    code, out, err = run("good", "--claims", str(path))
    assert (code, out, err.startswith(f"{str(path)!a}: promise ")) == (2, "", True)
    code, out, err = run("good", "--promise", "")
    assert (code, out, err.startswith("promise ")) == (2, "", True)
    assert run("good", "--claims", str(tmp_path / "nowhere"))[0] == 2


@pytest.mark.parametrize(("points", "times"), [(1, 1), (command.MOST_CASES, 1), (3 * command.MOST_CASES, 3)])
def test_only_a_process_of_its_own_is_limited(points, times, monkeypatch, called):
    """A file costs SECONDS and MEGABYTES at most, or as often as --max-points is larger than the default."""
    asked, words = [], ["a", "b", "--max-points", str(points)]
    monkeypatch.setattr(command, "bound", lambda *its: asked.append(its))
    assert called(*words)[0] == 0
    assert asked == []
    monkeypatch.setattr(sys, "argv", ["verifier.checker", *words])
    assert command.main() == 0
    assert asked == [(57 * times, 1000 * times)] * 2


def test_the_module_is_a_command(monkeypatch, capsys, tmp_path):
    (tmp_path / "c.json").write_text("{}")
    monkeypatch.setattr(limits, "bound", lambda *_: None)
    monkeypatch.setattr(sys, "argv", ["verifier.checker", str(tmp_path / "c.json")])
    monkeypatch.delitem(sys.modules, "verifier.checker.__main__")
    with pytest.raises(SystemExit) as stop:
        runpy.run_module("verifier.checker", run_name="__main__")
    assert (stop.value.code, "unreadable" in capsys.readouterr().out) == (2, True)


# Streams, and whatever else may happen.


LINES = "a.json: checked in full\nb.json: checked in full \x1b[2J\u00e9"


def test_an_answer_is_one_line_whatever_a_file_holds(run, monkeypatch):
    """No line of it can be taken for another file's, and no escape sequence reaches a terminal."""
    monkeypatch.setitem(ENDS, "good", Unreadable(LINES))
    escaped = "unreadable: a.json: checked in full\\nb.json: checked in full \\x1b[2J\\xe9"
    assert run("good") == (2, f"good: {escaped}\n", "")
    code, out, _ = run("good", "over", "--json")
    assert [json.loads(line) for line in out.splitlines()] == [
        {"file": "good", "verdict": "unreadable", "code": 2, "words": escaped},
        {"file": "over", "verdict": "over the limit", "code": 4, "words": "over the limit: 9 steps"},
    ]
    code, out, err = run("good", "--json", f"--promise={LINES}")
    assert (code, len(out.splitlines()), err, list(json.loads(out))) == (2, 1, "", ["words"])


def test_what_an_answer_says_to_a_program(run):
    code, out, _ = run("open", "bad", "--json", f"--promise=1 3 p.b {OURS}")
    assert code == 1
    assert [json.loads(line) for line in out.splitlines()][:3] == [
        {"file": "open", "verdict": "in part", "code": 5, "words": "said", "open": "much"},
        {"file": "bad", "verdict": "refuted", "code": 0, "words": "said"},
        {
            "verdict": "rejected",
            "code": 1,
            "words": f"REJECTED: promise \"1 3 p.b {OURS}\" is not kept: open doesn't have p.b; bad doesn't have p.b",
        },
    ]


@pytest.mark.parametrize(
    ("error", "code", "said", "closed"),
    [
        (KeyboardInterrupt(), 130, "interrupted\n", False),
        (OverLimit("9 seconds"), 4, "over the limit: 9 seconds\n", False),
        (MemoryError(), 4, "over the limit: memory\n", False),
        (BrokenPipeError(), 141, "", True),
        (OSError(28, "full"), 3, "the verdict could not be written\n", True),
        (UnicodeEncodeError("ascii", "x", 0, 1, "no"), 3, "the verdict could not be written\n", True),
        (SystemExit(2), 2, "", False),
        (SystemExit("words"), 2, "", False),
        (LookupError("x"), 70, "a defect of the checker: LookupError: LookupError('x'), and no verdict\n", False),
    ],
)
def test_whatever_happens_has_a_code_and_no_traceback(error, code, said, closed, monkeypatch, capsys):
    def failing(*_, **__):
        raise error

    exchanged = []
    monkeypatch.setattr(command, "_run", failing)
    monkeypatch.setattr(os, "dup2", lambda *its: exchanged.append(its))
    monkeypatch.delenv("VERIFIER_DEBUG", raising=False)
    assert command.main(["a"]) == code
    assert capsys.readouterr() == ("", said)
    assert [to for _, to in exchanged] == [1] * closed
    for opened, _ in exchanged:
        assert os.readlink(f"/proc/self/fd/{opened}") == os.devnull
        os.close(opened)


def test_without_stdout_there_is_no_verdict(called, monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    assert called("a") == (3, [])


def test_without_stderr_the_code_alone_tells(called, monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    assert called("a", "--promise", "") == (2, [])

    class Full:
        def write(self, _):
            raise OSError(28, "full")

    monkeypatch.setattr(sys, "stderr", Full())
    assert called("a", "--promise", "") == (2, [])


def test_nothing_is_collected_while_it_runs(called, monkeypatch):
    seen = []
    monkeypatch.setattr(gc, "disable", lambda: seen.append("disabled"))
    called("a")
    assert seen == ["disabled"]

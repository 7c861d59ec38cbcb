"""The command: exit codes, what goes where, and a clear line for every mistake."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from processes import MINUTES, PATIENCE, completed, patiently, started, told, workers_of
from verifier import Page
from verifier.catalogue import pages

ROOT = Path(__file__).parent.parent
CLI = [sys.executable, str(ROOT / "cli.py")]


def call(*arguments, env=None):
    environment = {**os.environ, "COLUMNS": "", **(env or {})}
    return completed([*CLI, *arguments], env=environment, timeout=PATIENCE)


def instance(d, n, N):
    return ("--d", str(d), "--n", str(n), "--N", str(N))


def test_the_default_job_prints_a_table_and_exits_0():
    done = call(*instance(1, 3, 4))
    assert done.returncode == 0
    assert re.search(r"lemma10.lower .* holds +4 of Gplus +31/2\n", done.stdout)
    assert re.search(r"lemma6.layers .* holds +once +equality\n", done.stdout)
    assert re.search(r"b5: App. B.5 +18 +0 \(b5.ids-sentinel\)\n", done.stdout)
    assert re.search(r"category3: not in_G +15 +61\n", done.stdout)
    assert "t_l = 3072, t_r = 12288" in done.stdout
    assert "30 claims hold. Every case was run" in done.stdout
    assert "\x1b" not in done.stdout
    assert "b5.cat2-constant" in call(*instance(1, 3, 4), "-v").stdout


def test_claims_are_chosen():
    done = call(*instance(1, 2, 3), "--claims", "lemma10.upper,lemma6.1", "--format", "json")
    assert [claim["id"] for claim in json.loads(done.stdout)["claims"]] == ["lemma10.upper", "lemma6.1"]
    everything = call(*instance(1, 2, 2), "--claims", "all", "--format", "json")
    assert {"exact.everywhere", "hu.layers"} <= {claim["id"] for claim in json.loads(everything.stdout)["claims"]}


def test_a_variant_is_run_and_certified_as_in_python(tmp_path):
    path = tmp_path / "c.json"
    done = call(*instance(1, 2, 3), "--claims", "lemma6", "--variant", "t_r=130", "--certificate", str(path))
    assert done.returncode == 1
    found = Page.file(pages()["yun2020"]).run("lemma6", {"t_r": 130}, d=1, n=2, N=3)
    assert path.read_bytes() == found.certificate
    assert "Checked in full by a second program that shares no code with this one." in done.stdout


def test_an_excluded_reading_decides_no_exit_code(tmp_path):
    """lemma8.radius fails at (1, 3, 2); nobody is taken to hold it, and the checker agrees."""
    path = str(tmp_path / "c.json")
    done = call(*instance(1, 3, 2), "--claims", "lemma8", "--certificate", path)
    assert done.returncode == 0
    assert "fails only in a reading that the page excludes: lemma8.radius" in " ".join(done.stdout.split())
    assert call("check", path).returncode == 0
    assert call(*instance(1, 3, 2), "--claims", "lemma8,lemma9.distance").returncode == 1
    told = call("claims", "lemma8.radius").stdout
    assert "kind:    excluded: the text read literally" in told


def test_vacuous_is_said_plainly_and_is_5_when_strict():
    done = call(*instance(1, 3, 2), "--claims", "lemma6")
    assert done.returncode == 0
    assert "vacuous (nothing was compared): lemma6.1, lemma6.2, lemma6.3." in " ".join(done.stdout.split())
    strict = call(*instance(1, 3, 2), "--claims", "lemma6", "--strict")
    assert (strict.returncode, strict.stderr) == (5, "verify: --strict: vacuous: lemma6.1, lemma6.2, lemma6.3\n")
    assert call(*instance(1, 3, 4), "--claims", "lemma6", "--strict").returncode == 0


MISTAKES = [
    (instance(0, 2, 2), "verify: yun2020: d = 0: the page wants d >= 1"),
    (instance(1, 1, 2), "the page wants n >= 2"),
    (instance(1, 2, 1), "the page wants N >= 2"),
    (instance(-1, 2, 2), "'-1' is not a whole number"),
    (instance("one", 2, 2), "'one' is not a whole number"),
    (instance("1e3", 2, 2), "'1e3'"),
    (instance("1_0", 2, 2), "'1_0'"),
    (instance(" 3", 2, 2), "' 3'"),
    (instance("03", 2, 2), "'03'"),
    (instance("٣", 2, 2), "u0663"),
    (instance("1.0", 2, 2), "'1.0'"),
    (instance("", 2, 2), "''"),
    (instance("10**30", 2, 2), "'10**30'"),
    (instance("9" * 5000, 2, 2), "5000 digits"),
    ((*instance(1, 2, 2), "--d", "2"), "given 2 times"),
    ((*instance(1, 2, 2), "--claims", ""), "no claim ''"),
    ((*instance(1, 2, 2), "--claims", "b5.head,b5.head"), "b5.head is chosen twice"),
    ((*instance(1, 2, 2), "--claims", "b5.head,"), "no claim ''"),
    ((*instance(1, 2, 2), "--format", "xml"), "xml"),
    ((*instance(1, 2, 2), "--max-points", "x"), "'x'"),
    ((*instance(1, 2, 2), "--engine", "literal"), "--slow runs it by the definition"),
    ((*instance(1, 2, 2), "extra"), "extra"),
    (("--d",), "--d"),
]


@pytest.mark.thorough
@pytest.mark.parametrize(("arguments", "words"), MISTAKES, ids=lambda part: str(part)[:40])
def test_a_mistake_is_one_clear_line_and_exit_2(arguments, words):
    done = call(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert done.stderr.startswith("verify: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (instance(1, 3, 10**30), "the budget of steps is spent"),
        (instance(10**6, 10**6, 7), "more than 10,000 items"),
        (
            (*instance(1, 3, 4), "--max-points", "34"),
            "Gplus has 35 cases of 3 items; the limit is 34: take smaller",
        ),
        (instance("9" * 999, 2, 2), "more than 20,000 binary digits"),
    ],
    ids=["N", "everything", "max-points", "d"],
)
def test_a_run_over_the_limit_is_refused_at_once(arguments, words):
    done = call(*arguments)
    assert (done.returncode, done.stdout) == (4, "")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize("door", [[str(ROOT / "cli.py")], ["-m", "verifier"]], ids=["cli.py", "-m verifier"])
def test_interrupted_at_any_moment_there_is_no_traceback_of_ours(door):
    """Python's own start, and its compiling of cli.py (line 0), come before anything that we could do."""
    moments = random.Random(3)  # noqa: S311
    codes = []
    command = [sys.executable, *door, *instance(1, 3, 4)]
    begun = time.monotonic()
    subprocess.run(command, capture_output=True, check=True, cwd=ROOT)
    whole = time.monotonic() - begun  # on this machine, as busy as it is
    while len(codes) < 12 or (130 not in codes and len(codes) < 100):
        with started(command, cwd=ROOT) as run:
            time.sleep(moments.uniform(0.05, 0.8) * whole)
            os.killpg(run.pid, signal.SIGINT)
            _, err = run.communicate(timeout=PATIENCE)
        ours = [line for line in err.splitlines() if str(ROOT) in line and ", line 0," not in line]
        assert not ours, err
        codes.append(run.returncode)
        if run.returncode == 130:
            assert told(err) == "verify: interrupted; nothing was established\n"
    assert 130 in codes


@pytest.mark.slow
def test_workers_that_are_just_beginning_are_silent_when_all_are_interrupted():
    moments = random.Random(5)  # noqa: S311
    for _ in range(6):
        with started([*CLI, *MINUTES, "--jobs", "2"]) as run:
            assert patiently(lambda: workers_of(run), run=run)
            time.sleep(moments.uniform(0, 0.5))
            os.killpg(run.pid, signal.SIGINT)  # as a terminal does
            out, err = run.communicate(timeout=PATIENCE)
        assert (run.returncode, out) == (130, "")
        assert told(err) == "verify: interrupted; nothing was established\n", err


READ_BY_NOBODY = {
    "verify": instance(1, 3, 4),
    "json": (*instance(1, 3, 4), "--format", "json"),
    "claims": ("claims",),
    "check": ("check", str(ROOT / "proofs/certificates/d1-n2-N2.json")),
    "regress": ("regress", str(ROOT / "proofs")),
    "range": instance(1, 2, "2..3"),
    "csv": (*instance(1, 2, "2..3"), "--format", "csv"),
    "prove": ("prove",),
    "explain": ("explain", *instance(1, 2, 2), "--claim", "lemma6.4"),
    "help": ("--help",),
}


@pytest.mark.slow
@pytest.mark.parametrize("arguments", READ_BY_NOBODY.values(), ids=READ_BY_NOBODY)
def test_a_reader_that_goes_away_ends_it_quietly(arguments):
    with started([*CLI, *arguments]) as run:
        run.stdout.close()
        assert told(run.stderr.read()) == ""
        assert run.wait(timeout=PATIENCE) == 128 + signal.SIGPIPE


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("form", ["text", "json"])
def test_a_full_disk_is_no_verdict(form):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*CLI, *instance(1, 2, 2), "--format", form], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 3
    assert told(done.stderr) == "verify: the output could not be written: No space left on device\n"


def test_a_certificate_is_written_only_where_a_file_may_stand(tmp_path):
    link, fifo = tmp_path / "link", tmp_path / "fifo"
    link.symlink_to(tmp_path / "elsewhere")
    os.mkfifo(fifo)
    for path in (link, fifo, tmp_path, tmp_path / "no/such", "/dev/null", "/dev/full"):
        done = call(*instance(1, 2, 2), "--certificate", str(path))
        assert (done.returncode, done.stdout) == (2, ""), path
        assert "--certificate" in done.stderr
    assert Path("/dev/null").is_char_device()
    done = call(*instance(1, 2, 2), "--certificate", str(tmp_path / "c.json"), "--format", "json")
    assert (tmp_path / "c.json").read_text() == done.stdout


@pytest.mark.thorough
@pytest.mark.parametrize("closing", [">&-", "2>&-", "2>/dev/full", ">/dev/full 2>/dev/full"])
@pytest.mark.parametrize(("arguments", "code"), [("--d 1 --n 2 --N 2", 0), ("--d 0 --n 2 --N 2", 2), ("claims", 0)])
def test_streams_that_are_closed_or_full_never_look_like_a_refutation(closing, arguments, code):
    command = f"{sys.executable} {ROOT / 'cli.py'} {arguments} {closing}"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)  # noqa: S602
    assert "Traceback" not in done.stderr
    assert done.returncode == (code if closing.startswith("2") or (code == 2 and "&-" not in closing) else 3)
    assert code == 0 or done.stdout == ""


@pytest.mark.parametrize(("columns", "width"), [("40", 40), ("200", 200), ("0", 110), ("00", 110), ("wide", 110)])
def test_a_table_keeps_to_the_width_it_is_given_and_an_empty_one_is_none(columns, width):
    out = call(*instance(1, 3, 4), env={"COLUMNS": columns}).stdout
    assert 0 <= width - max(map(len, out.splitlines())) < 100
    assert "lemma6.4" in out

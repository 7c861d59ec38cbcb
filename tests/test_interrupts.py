"""What ends a run early: SIGTERM and SIGHUP as Ctrl-C, and the alarm of a time limit. Nothing is left."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from processes import ENDING, MINUTES, PATIENCE, patiently, started, told, workers_of
from verifier import interrupts
from verifier.files import write
from verifier.interrupts import in_time, unbroken
from verifier.run.stop import TimeIsUp

ROOT = Path(__file__).parent.parent
CLI = [sys.executable, str(ROOT / "cli.py")]
needs_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize("to", ["the run", "its whole group"])
@pytest.mark.parametrize("number", ENDING, ids=lambda number: number.name)
def test_a_signal_ends_a_run_in_one_line_and_nothing_is_left(number, to, tmp_path):
    kept, temporary = tmp_path / "kept", tmp_path / "temporary"
    temporary.mkdir()
    command = [*CLI, *MINUTES, "--jobs", "2", "--checkpoint", str(kept)]
    with started(command, env={**os.environ, "TMPDIR": str(temporary)}) as run:
        assert patiently(lambda: list(kept.glob("shard-*")), run=run)
        workers = patiently(lambda: workers_of(run), run=run)
        assert workers
        (os.kill if to == "the run" else os.killpg)(run.pid, number)
        out, err = run.communicate(timeout=PATIENCE)
    assert (run.returncode, out) == (128 + number, "")
    last = told(err).removesuffix("\n")
    by = "" if number == signal.SIGINT else f" by {number.name}"
    assert last == f"verify: interrupted{by}; nothing was established; what is finished is kept in {kept}"
    assert not any(Path(f"/proc/{worker}").exists() for worker in workers)
    assert not list(temporary.iterdir())
    assert not [path for path in kept.iterdir() if path.name.startswith(".verify")]


CALLS = {
    "check": (("check", *["proofs/certificates/d1-n2-N2.json"] * 2000), "nothing was established"),
    "regress": (("regress", "proofs"), "not every certificate was looked at"),
    "range": (("--d", "1..2", "--n", "2..4", "--N", "2..4"), "nothing was established"),
    "report": (("report", *["proofs/certificates/pages/parity-8.json"] * 20, "-o", "{}/r.html"), "no page was written"),
}


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
@pytest.mark.parametrize("call", CALLS)
def test_so_does_every_other_command(call, number, tmp_path):
    words, said = CALLS[call]
    script = (  # the signal comes at the first process or file of the command's own
        "import os, signal, sys; sys.path.insert(0, '.'); from verifier import interrupts; interrupts.begin()\n"
        "import cli\n"
        "def hook(event, rest):\n"
        f"    if event == {'subprocess.Popen' if call != 'range' else 'import'!r} and (event != 'import' or "
        "rest[0] == 'verifier.evaluate.run'):\n"
        f"        os.kill(os.getpid(), {int(number)})\n"
        "sys.addaudithook(hook)\n"
        "interrupts.end(cli.main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", script, *(word.format(tmp_path) for word in words)]
    with started(command, cwd=ROOT) as run:
        _, err = run.communicate(timeout=PATIENCE)
    assert run.returncode == 128 + number, err
    assert err.startswith(f"verify: interrupted by {number.name}")
    assert err.count("\n") == 1
    assert said in err
    assert not list(tmp_path.iterdir())


def test_what_is_ignored_stays_ignored():
    command = f"trap '' HUP TERM; echo; exec {sys.executable} {ROOT / 'cli.py'} --d 1 --n 3 --N 4"
    with started(["/bin/sh", "-c", command]) as run:
        assert run.stdout.readline() == "\n"  # from here on
        for number in (signal.SIGHUP, signal.SIGTERM):
            run.send_signal(number)
        assert told(run.communicate(timeout=PATIENCE)[1]) == ""
    assert run.returncode == 0


@contextmanager
def alarm_free():
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
    yield
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def forever():
    while True:
        pass


def test_the_alarm_ends_what_never_looks_at_the_clock():
    for job in (
        forever,
        lambda: threading.Event().wait(),
        lambda: time.sleep(10**6),
        lambda: sum(1 for _ in iter(int, 1)),
    ):
        with alarm_free(), pytest.raises(TimeIsUp, match="the time limit is reached"):
            in_time(time.monotonic() + 0.01, job, TimeIsUp())


def test_a_system_without_timers_has_a_thread_for_an_alarm_and_ctrl_c_is_still_heard(monkeypatch):
    """Windows has neither setitimer nor SIGALRM."""
    for name in ("setitimer", "SIGALRM"):
        monkeypatch.delattr(signal, name)
    before = signal.getsignal(signal.SIGINT)
    for job in (forever, lambda: sum(1 for _ in iter(int, 1))):
        with pytest.raises(TimeIsUp, match="the time limit is reached"):
            in_time(time.monotonic() + 0.01, job, TimeIsUp())
    for _ in range(200):
        with suppress(TimeIsUp):  # or it is just over
            assert in_time(time.monotonic() + 0.001, lambda: time.sleep(0.001) or 7, TimeIsUp()) == 7
        assert signal.getsignal(signal.SIGINT) is before
    with pytest.raises(KeyboardInterrupt):
        in_time(time.monotonic() + 60, lambda: signal.raise_signal(signal.SIGINT), TimeIsUp())
    assert signal.getsignal(signal.SIGINT) is before


def test_the_alarm_passes_through_what_catches_exceptions_and_comes_again_where_a_finaliser_swallows_it(monkeypatch):
    monkeypatch.setattr(sys, "unraisablehook", interrupts._not_lost)
    swallowed = []

    class Slow:
        def __del__(self):
            while signal.getitimer(signal.ITIMER_REAL)[0] and not swallowed:
                try:
                    forever()
                finally:
                    swallowed.append(True)

    def job():
        Slow()
        gc.collect()
        while True:
            try:
                forever()
            except Exception:  # noqa: S112 - as libraries do
                continue

    with alarm_free(), pytest.raises(TimeIsUp):
        in_time(time.monotonic() + 0.01, job, TimeIsUp())
    assert swallowed


def test_what_is_in_time_is_returned_and_the_alarm_is_taken_back():
    later = time.monotonic() + 1000
    with alarm_free():
        assert in_time(None, lambda: 1, TimeIsUp()) == 1
        assert in_time(later, lambda: in_time(later, lambda: 2, TimeIsUp()), TimeIsUp()) == 2
        with pytest.raises(ZeroDivisionError):
            in_time(later, lambda: 1 // 0, TimeIsUp())


def test_in_another_thread_there_is_no_alarm_and_the_job_is_done():
    found = []
    thread = threading.Thread(target=lambda: found.append(in_time(time.monotonic() - 1, lambda: 3, TimeIsUp())))
    thread.start()
    thread.join()
    assert found == [3]


def test_what_is_unbroken_is_done_as_a_whole():
    done = []

    def job():
        with unbroken():
            with unbroken():
                patiently(lambda: interrupts._waiting is not None)
            done.append("all of it")
        done.append("nothing after it")

    with alarm_free(), pytest.raises(TimeIsUp):
        in_time(time.monotonic() + 0.01, job, TimeIsUp())
    assert done == ["all of it"]


def test_a_file_is_whole_or_not_there_and_nothing_is_beside_it(tmp_path):
    """Written without end, and ended at moments that come as they come."""
    path = tmp_path / "file"

    def job():
        while True:
            write(path, os.urandom(16).hex().encode() * 2000)

    for milliseconds in range(1, 60, 3):
        with pytest.raises(TimeIsUp):
            in_time(time.monotonic() + milliseconds / 1000, job, TimeIsUp())
        assert {entry.name for entry in tmp_path.iterdir()} <= {"file"}
        assert not path.exists() or len(path.read_bytes()) == 64_000


LATE = {
    "building the map": ("--d", "1", "--n", "2", "--N", "49000", "--max-points", "99999999999"),
    "enumerating": MINUTES[:-2],
    "cases of their own": (
        "--d",
        "1",
        "--n",
        "8",
        "--N",
        "9",
        "--claims",
        "all",
        "--max-points",
        "999999999",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", LATE)
def test_a_time_limit_is_exit_4_wherever_a_run_is(what, tmp_path):
    with started([*CLI, *LATE[what], "--time-limit", "1"], cwd=tmp_path) as run:
        out, err = run.communicate(timeout=PATIENCE)
    assert (run.returncode, out) == (4, ""), err
    assert "the time limit is reached" in err.splitlines()[-1]
    assert "Traceback" not in err


# Room for numpy: its OpenBLAS ends the process where there is none.


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="ulimit -v is Linux's")
@pytest.mark.parametrize("megabytes", [60, 80, 90, 100, 110, 120, 130, 150, 200, 250, 300, 500, 1000])
def test_any_address_space_is_enough_or_said_to_be_too_small(megabytes):
    words = f"{sys.executable} {ROOT / 'cli.py'} --d 1 --n 2 --N 12 --claims lemma6 --jobs 1"
    command = f"ulimit -v {megabytes << 10}; OPENBLAS_NUM_THREADS=64 exec {words}"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode in (0, 4), done.stderr
    assert "Traceback" not in done.stderr
    assert "OpenBLAS" not in done.stderr


@pytest.mark.slow
@needs_proc
def test_where_a_process_dies_that_derives_certificates_regress_says_so():
    with started([*CLI, "regress"], cwd=ROOT) as run:
        os.kill(patiently(lambda: workers_of(run), run=run)[0], signal.SIGKILL)
        _, err = run.communicate(timeout=PATIENCE)
    assert (run.returncode, err) == (
        5,
        "verify: a worker died (killed, or out of memory); what it was given is not done\n",
    )

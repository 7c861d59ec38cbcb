"""Never losing work: workers that are killed, runs that are killed, limits. (test_page_kept.py: what is kept.)"""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from processes import MINUTES, PATIENCE, patiently, started, workers_of

ROOT = Path(__file__).parent.parent
CLI = [sys.executable, str(ROOT / "cli.py")]
LONG = ("--d", "1", "--n", "3", "--N", "100", "--claims", "lemma6.1,lemma6.2,b5.shift", "--time-limit", "900")
LONG += ("--format", "json")


@pytest.fixture(scope="module")
def long_bytes():
    """The certificate of LONG, made in one go."""
    return subprocess.run([*CLI, *LONG], capture_output=True, check=True).stdout


def test_an_empty_name_is_no_folder(tmp_path):
    for command in (("--d", "1", "--n", "2", "--N", "3"), ("--d", "1", "--n", "2", "--N", "3..4")):
        done = subprocess.run([*CLI, *command, "--checkpoint", ""], capture_output=True, check=False, cwd=tmp_path)
        assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
        assert b"--checkpoint" in done.stderr
    assert not list(tmp_path.iterdir())


needs_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.slow
@needs_proc
def test_a_worker_that_is_killed_is_reported_and_its_shard_run_again(long_bytes):
    with started([*CLI, *LONG, "--jobs", "2"]) as run:
        workers = patiently(lambda: workers_of(run), run=run)
        os.kill(workers[0], signal.SIGKILL)
        out, err = run.communicate(timeout=PATIENCE)
    assert run.returncode == 0
    assert "a worker died; its shard is run again" in err
    assert out.encode() == long_bytes


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize("deadly", [signal.SIGKILL, signal.SIGTERM])
def test_workers_end_with_the_run(deadly, tmp_path):
    command = [*CLI, *MINUTES, "--jobs", "2"]
    with started(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=tmp_path) as run:
        patiently(lambda: len(workers_of(run)) == 2, run=run)
        workers = workers_of(run)
        time.sleep(1)
        run.send_signal(deadly)
    assert len(workers) == 2
    try:
        assert patiently(lambda: not any(map(alive, workers)))
    finally:
        for pid in filter(alive, workers):
            os.kill(pid, signal.SIGKILL)


@pytest.mark.slow
@needs_proc
def test_killed_at_any_moment_and_as_often_as_you_like_the_bytes_are_the_same(long_bytes, tmp_path):
    command = [*CLI, *LONG, "--jobs", "2", "--checkpoint", str(tmp_path / "c")]
    moments = random.Random(7)  # noqa: S311
    for _ in range(4):
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as run:
            time.sleep(moments.uniform(0.3, 1.6))
            os.killpg(run.pid, signal.SIGKILL)
            run.communicate(timeout=PATIENCE)
    done = subprocess.run(command, capture_output=True, check=True)
    assert done.stdout == long_bytes
    assert not [
        path for path in (tmp_path / "c").iterdir() if path.name.startswith("shard") and not path.stat().st_size
    ]


@pytest.mark.slow
@needs_proc
def test_two_runs_in_one_folder_do_not_hurt_each_other(long_bytes, tmp_path):
    command = [*CLI, *LONG, "--jobs", "1", "--checkpoint", str(tmp_path / "c")]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)]
    assert [run.communicate(timeout=PATIENCE)[0] for run in both] == [long_bytes, long_bytes]


@pytest.mark.thorough
def test_an_interrupted_run_keeps_what_is_finished(tmp_path):
    command = [*CLI, *MINUTES, "--jobs", "1"]
    command += ["--checkpoint", str(tmp_path / "c")]
    with started(command) as run:
        assert patiently(lambda: list((tmp_path / "c").glob("shard-*")), run=run)
        run.send_signal(signal.SIGINT)
        _, err = run.communicate(timeout=PATIENCE)
    assert run.returncode == 130
    assert err.splitlines()[-1].endswith(f"what is finished is kept in {tmp_path / 'c'}")


@pytest.mark.thorough
def test_limits_of_time_and_memory_are_exit_4(tmp_path):
    for limit in (("--time-limit", "1"), ("--time-limit", "0", "--jobs", "1"), ("--memory-limit", "100")):
        command = [*CLI, *MINUTES[:-2], *limit]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
        assert done.returncode == 4, done.stderr
        assert "Traceback" not in done.stderr
        assert done.stdout == ""

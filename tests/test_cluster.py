"""The same shards on a Dask cluster on this machine: workers that join late or die, and a silent scheduler."""

import os
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("distributed")

ROOT = Path(__file__).parent.parent
CLI = [sys.executable, str(ROOT / "cli.py")]
RUN = ("--d", "1", "--n", "3", "--N", "24", "--claims", "lemma6.1,lemma6.2,lemma6.4", "--engine", "literal")
RUN += ("--format", "json")
DASK = [sys.executable, "-m", "dask"]
ENV = {**os.environ, "PYTHONPATH": str(ROOT)}


@contextmanager
def started(*words):
    with subprocess.Popen(
        [*DASK, *words], env=ENV, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            yield process
        finally:
            os.killpg(process.pid, signal.SIGKILL)


@contextmanager
def scheduler():
    with started("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard") as process:
        for line in process.stderr:
            if found := re.search(r"tcp://127\.0\.0\.1:\d+", line):
                yield found[0]
                return


def worker(address):
    return started("worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny")


def wait_for(process, words):
    for line in process.stderr:
        if words in line:
            return


@pytest.mark.slow
def test_workers_that_join_and_die_lose_nothing():
    wanted = subprocess.run([*CLI, *RUN], capture_output=True, check=True).stdout
    with scheduler() as address, worker(address) as first, worker(address) as second:
        for process in (first, second):
            wait_for(process, "Registered to")
        with subprocess.Popen(
            [*CLI, *RUN, "--scheduler", address], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as run:
            time.sleep(2.5)
            os.killpg(first.pid, signal.SIGKILL)
            with worker(address):
                out, err = run.communicate(timeout=120)
    assert run.returncode == 0, err
    assert out == wanted


def test_a_scheduler_that_does_not_answer_is_exit_3_within_seconds():
    begun = time.monotonic()
    for address in ("tcp://127.0.0.1:9", "nonsense://x", ""):
        done = subprocess.run(
            [*CLI, *RUN, "--scheduler", address], capture_output=True, text=True, check=False, timeout=60
        )
        assert done.returncode == 3, done.stderr
        assert done.stderr.splitlines()[-1].startswith("verify: no scheduler answers")
        assert "Traceback" not in done.stderr
    assert time.monotonic() - begun < 45


def test_a_scheduler_without_workers_says_so():
    with scheduler() as address:
        done = subprocess.run(
            [*CLI, *RUN, "--scheduler", address], capture_output=True, text=True, check=False, timeout=60
        )
    assert done.returncode == 3
    assert "no workers" in done.stderr

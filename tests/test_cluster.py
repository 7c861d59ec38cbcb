"""The same shards on a Dask cluster on this machine: workers that join late or die, and a silent scheduler."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from processes import patiently
from verifier.exhaustive import cluster
from verifier.exhaustive.checkpoint import code_identity
from verifier.exhaustive.stop import Missing

pytest.importorskip("distributed")

ROOT = Path(__file__).parent.parent
CLI = [sys.executable, str(ROOT / "cli.py")]
RUN = ("--d", "1", "--n", "3", "--N", "24", "--claims", "lemma6.1,lemma6.2,lemma6.4", "--engine", "literal")
RUN += ("--format", "json")
DASK = [sys.executable, "-m", "dask"]
ENV = {**os.environ, "PYTHONPATH": str(ROOT)}


@contextmanager
def started(*words, env=ENV):
    with subprocess.Popen(
        [*DASK, *words], env=env, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            yield process
        finally:
            os.killpg(process.pid, signal.SIGKILL)


@contextmanager
def scheduler_process():
    with started("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard") as process:
        for line in process.stderr:
            if found := re.search(r"tcp://127\.0\.0\.1:\d+", line):
                yield process, found[0]
                return


@contextmanager
def scheduler():
    with scheduler_process() as (_, address):
        yield address


def worker(address, **how):
    return started("worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny", **how)


def wait_for(process, words):
    for line in process.stderr:
        if words in line:
            return


@pytest.mark.slow
def test_workers_that_join_and_die_lose_nothing(tmp_path):
    wanted = subprocess.run([*CLI, *RUN], capture_output=True, check=True).stdout
    with scheduler() as address, worker(address) as first, worker(address) as second:
        for process in (first, second):
            wait_for(process, "Registered to")
        with subprocess.Popen(
            [*CLI, *RUN, "--scheduler", address, "--checkpoint", str(tmp_path)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as run:
            wait_for_a_shard(tmp_path)
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


def test_a_cluster_that_has_only_just_begun_is_waited_for():
    class Beginning:
        workers = ()

        def wait_for_workers(self, count, timeout):
            assert (count, timeout) == (1, cluster.PATIENCE)
            self.workers = ("tcp://127.0.0.1:1",)

        def run(self, asked):
            return {worker: asked() for worker in self.workers}

    cluster._refuse_other_code(Beginning(), code_identity())
    with pytest.raises(Missing, match="install the same on both"):
        cluster._refuse_other_code(Beginning(), "another")


LONG = ("--d", "1", "--n", "3", "--N", "48", "--claims", "lemma6.1", "--engine", "literal")


@contextmanager
def long_run(address, *words):
    with subprocess.Popen([*CLI, *LONG, "--scheduler", address, *words], stderr=subprocess.PIPE, text=True) as run:
        try:
            yield run
        finally:
            run.kill()


def wait_for_a_shard(folder):
    assert patiently(lambda: list(folder.glob("shard-*.json")))


@pytest.mark.slow
def test_a_late_worker_with_other_code_is_refused(tmp_path):
    shutil.copytree(ROOT / "verifier", tmp_path / "other/verifier")
    with (tmp_path / "other/verifier/grid.py").open("a") as file:
        file.write("# other\n")
    env = {**os.environ, "PYTHONPATH": str(tmp_path / "other"), "PYTHONSAFEPATH": "1"}
    with scheduler() as address, worker(address) as first:
        wait_for(first, "Registered to")
        with long_run(address, "--checkpoint", str(tmp_path / "kept")) as run:
            wait_for_a_shard(tmp_path / "kept")
            with worker(address, env=env):
                _, err = run.communicate(timeout=60)
    assert run.returncode == 3, err
    assert "has verifier" in err
    assert "install the same on both" in err
    assert "Traceback" not in err


@pytest.mark.slow
def test_a_scheduler_that_dies_is_exit_3_and_what_is_finished_is_kept(tmp_path):
    with scheduler_process() as (process, address), worker(address) as first:
        wait_for(first, "Registered to")
        with long_run(address, "--checkpoint", str(tmp_path)) as run:
            wait_for_a_shard(tmp_path)
            os.killpg(process.pid, signal.SIGKILL)
            _, err = run.communicate(timeout=60)
    assert run.returncode == 3, err
    assert f"the cluster at '{address}' is gone" in err
    assert "finished shards are kept" in err
    assert "Traceback" not in err


@pytest.mark.parametrize("greeting", [b"", b"SSH-2.0-OpenSSH_9.6\r\n"])
def test_a_server_that_is_silent_or_not_dask_is_exit_3_within_seconds(greeting):
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        with subprocess.Popen([*CLI, *RUN, "--scheduler", address], stderr=subprocess.PIPE, text=True) as run:
            try:
                server.settimeout(30)
                with server.accept()[0] as connection:
                    connection.sendall(greeting)
                    _, err = run.communicate(timeout=30)
            finally:
                run.kill()
    assert run.returncode == 3, err
    assert "no scheduler answers" in err
    assert ("not Dask's" if greeting else "silent") in err

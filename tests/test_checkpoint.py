"""Never losing work: workers that are killed, runs that are killed, folders of other runs, damaged files, limits."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

from verifier.certificate import certify
from verifier.constructions.contextual_map import contextual_map
from verifier.exact import Q
from verifier.exhaustive import checkpoint as room
from verifier.exhaustive import pool
from verifier.exhaustive.engine import choose_engine
from verifier.exhaustive.run import Way, verify
from verifier.exhaustive.shard import plan
from verifier.exhaustive.stop import OtherRun, TimeIsUp, Unwritable, WorkersDie
from verifier.instance import Instance

ROOT = Path(__file__).parent.parent
CLI = [sys.executable, str(ROOT / "cli.py")]
SEVERAL_SHARDS = Instance(1, 2, 70)  # 2,556 orbits: two shards
LONG = ("--d", "1", "--n", "3", "--N", "24", "--claims", "lemma6.1,lemma6.2,lemma6.4", "--engine", "literal")
LONG += ("--format", "json")


@pytest.fixture(scope="module")
def long_bytes():
    """The certificate of LONG, made in one go."""
    return subprocess.run([*CLI, *LONG], capture_output=True, check=True).stdout


@pytest.mark.parametrize("engine", ["literal", "kernel"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_engine_jobs_and_checkpoint_change_no_byte(engine, jobs, tmp_path, monkeypatch):
    monkeypatch.setattr("verifier.exhaustive.run.WORTH_PROCESSES", -1)
    g = contextual_map(SEVERAL_SHARDS)
    claims = ["lemma6", "lemma10", "b5.interval"] if engine == "kernel" else ["lemma6.2", "lemma10", "b5.interval"]
    plain = certify(verify(g, claims, Way(engine="kernel")))
    assert certify(verify(g, claims, Way(engine, jobs, tmp_path / "c"))) == plain
    assert len(list((tmp_path / "c").glob("shard-*.json"))) == 2
    assert certify(verify(g, claims, Way(engine, jobs, tmp_path / "c"))) == plain  # all from the folder


def counting(monkeypatch):
    """The stretches that are really run."""
    ran = []
    honest = room.Checkpoint.save
    monkeypatch.setattr(room.Checkpoint, "save", lambda *a: (ran.append(a[1]), honest(*a))[1])
    return ran


def test_what_is_finished_is_not_run_again_and_what_is_damaged_is(tmp_path, monkeypatch):
    g, way = contextual_map(SEVERAL_SHARDS), Way("kernel", 1, tmp_path)
    ran = counting(monkeypatch)
    wanted = certify(verify(g, ["lemma6"], way))
    assert ran == [0, 1]
    certify(verify(g, ["lemma6"], way))
    assert ran == [0, 1]
    path = tmp_path / "shard-00001.json"
    document = json.loads(path.read_bytes())
    for damage in (
        b"",
        b"null",
        path.read_bytes()[:-20],
        path.read_bytes().replace(b'"digest":"', b'"digest":"1'),
        json.dumps(document | {"content": document["content"] | {"stop": 3}}).encode(),
        (tmp_path / "shard-00000.json").read_bytes(),
    ):
        path.write_bytes(damage)
        said = []
        ran.clear()
        assert certify(verify(g, ["lemma6"], Way("kernel", 1, tmp_path, say=said.append))) == wanted
        assert ran == [1]
        assert said == ["damaged, and run again: shard-00001.json"]


def test_the_folder_of_another_run_is_refused_with_the_difference(tmp_path, monkeypatch):
    g = contextual_map(SEVERAL_SHARDS)
    verify(g, ["lemma6"], Way("kernel", 1, tmp_path))
    for other, claims, engine, words in (
        (contextual_map(Instance(1, 2, 71)), ["lemma6"], "kernel", "instance"),
        (g, ["lemma10"], "kernel", "claims"),
        (g, ["lemma6"], "literal", "engine"),
        (contextual_map(SEVERAL_SHARDS, t_l=Q(1)), ["lemma6"], "literal", "construction"),
    ):
        with pytest.raises(OtherRun, match=words):
            verify(other, claims, Way(engine, 1, tmp_path))
    monkeypatch.setattr(room, "code_identity", lambda: "0.0.0+other")
    with pytest.raises(OtherRun, match="code"):
        verify(g, ["lemma6"], Way("kernel", 1, tmp_path))
    (tmp_path / "manifest.json").write_bytes(b"{")
    with pytest.raises(OtherRun, match="damaged"):
        verify(g, ["lemma6"], Way("kernel", 1, tmp_path))


def test_a_folder_that_cannot_be_written_to_is_said_before_any_work(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(Unwritable):
        verify(contextual_map(SEVERAL_SHARDS), ["lemma6"], Way("kernel", 1, tmp_path / "file"))
    done = subprocess.run(
        [*CLI, "--d", "1", "--n", "2", "--N", "3", "--checkpoint", "/proc/nowhere"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3
    assert done.stderr.startswith("verify: the checkpoint can't be kept: /proc/nowhere")
    assert done.stderr.count("\n") == 1


def test_a_full_disk_stops_the_run_and_keeps_what_is_there(tmp_path, monkeypatch):
    honest, saved = room.write, []

    def full(path, data):
        if len(saved) == 2:
            raise OSError(28, "No space left on device")
        saved.append(path)
        honest(path, data)

    monkeypatch.setattr(room, "write", full)
    with pytest.raises(Unwritable, match="No space left"):
        verify(contextual_map(SEVERAL_SHARDS), ["lemma6"], Way("kernel", 1, tmp_path))
    assert {path.name for path in tmp_path.iterdir()} == {"manifest.json", "shard-00000.json"}


def children(pid):
    path = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in path.read_text().split()] if path.exists() else []


needs_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")


@needs_proc
def test_a_worker_that_is_killed_is_reported_and_its_shard_run_again(long_bytes):
    with subprocess.Popen([*CLI, *LONG, "--jobs", "2"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        time.sleep(1.5)
        workers = [pid for pid in children(run.pid) if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]
        for pid in workers[:1]:
            os.kill(pid, signal.SIGKILL)
        out, err = run.communicate(timeout=120)
    assert workers
    assert run.returncode == 0
    assert b"a worker died; its shard is run again" in err
    assert out == long_bytes


@needs_proc
def test_killed_at_any_moment_and_as_often_as_you_like_the_bytes_are_the_same(long_bytes, tmp_path):
    command = [*CLI, *LONG, "--jobs", "2", "--checkpoint", str(tmp_path / "c")]
    moments = random.Random(7)  # noqa: S311
    for _ in range(4):
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as run:
            time.sleep(moments.uniform(0.3, 1.6))
            os.killpg(run.pid, signal.SIGKILL)
            run.communicate(timeout=60)
    done = subprocess.run(command, capture_output=True, check=True)
    assert done.stdout == long_bytes
    assert not [
        path for path in (tmp_path / "c").iterdir() if path.name.startswith("shard") and not path.stat().st_size
    ]


@needs_proc
def test_two_runs_in_one_folder_do_not_hurt_each_other(long_bytes, tmp_path):
    command = [*CLI, *LONG, "--jobs", "1", "--checkpoint", str(tmp_path / "c")]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)]
    assert [run.communicate(timeout=120)[0] for run in both] == [long_bytes, long_bytes]


def test_an_interrupted_run_keeps_what_is_finished(tmp_path):
    command = [*CLI, *LONG, "--jobs", "1", "--checkpoint", str(tmp_path / "c")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        while not list((tmp_path / "c").glob("shard-*")):
            time.sleep(0.02)
        run.send_signal(signal.SIGINT)
        _, err = run.communicate(timeout=60)
    assert run.returncode == 130
    assert err.splitlines()[-1].endswith(f"finished shards are kept in {tmp_path / 'c'}")


def test_limits_of_time_and_memory_are_exit_4(tmp_path):
    for limit in (("--time-limit", "1"), ("--time-limit", "0", "--jobs", "1"), ("--memory-limit", "100")):
        command = [*CLI, "--d", "1", "--n", "3", "--N", "30", "--engine", "literal", *limit]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
        assert done.returncode == 4, done.stderr
        assert "Traceback" not in done.stderr
        assert done.stdout == ""


def test_workers_that_die_again_and_again_end_the_run(monkeypatch):
    monkeypatch.setattr(pool, "_run", lethal)
    said = []
    engine = choose_engine(contextual_map(SEVERAL_SHARDS), [], "kernel")
    with pytest.raises(WorkersDie, match="shards are left"):
        list(pool.run_in_processes(engine.recipe, [], [(0, 0, 1)], 1, None, lambda _: None, said.append))
    assert len(said) == pool.MOST_DEATHS


def lethal(*_):
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_deadline_in_this_process():
    with pytest.raises(TimeIsUp):
        verify(contextual_map(SEVERAL_SHARDS), ["lemma6"], Way("kernel", 1, deadline=time.monotonic() - 1))


def test_the_plan_tiles_the_ranks_and_depends_on_their_number_alone():
    for orbits in (1, 999, 1000, 2000, 2001, 64_000, 10**9 + 7):
        stretches = plan(orbits)
        assert stretches[0][0] == 0
        assert stretches[-1][1] == orbits
        assert all(a[1] == b[0] for a, b in pairwise(stretches))
        assert len(stretches) == max(1, min(64, orbits // 1000))

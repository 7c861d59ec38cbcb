"""Never losing work: workers that are killed, runs that are killed, folders of other runs, damaged files, limits."""

import hashlib
import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from processes import MINUTES, PATIENCE, patiently, started, told, workers_of
from verifier.certificate import certify
from verifier.core.exact import Q
from verifier.papers.yun2020.contextual_map import contextual_map
from verifier.papers.yun2020.instance import Instance
from verifier.run import checkpoint as room
from verifier.run import pool
from verifier.run.engine import choose_engine
from verifier.run.shard import plan
from verifier.run.stop import OtherRun, TimeIsUp, Unwritable, WorkersDie
from verifier.run.verify import RunOptions, verify

ROOT = Path(__file__).parent.parent
CLI = [sys.executable, str(ROOT / "cli.py")]
SEVERAL_SHARDS = Instance(1, 2, 70)  # 2,556 orbits: two shards
LONG = ("--d", "1", "--n", "3", "--N", "60", "--claims", "lemma6.1,lemma6.2,lemma6.4,b5.head", "--engine", "literal")
LONG += ("--format", "json")


@pytest.fixture(scope="module")
def long_bytes():
    """The certificate of LONG, made in one go."""
    return subprocess.run([*CLI, *LONG], capture_output=True, check=True).stdout


@pytest.mark.thorough
@pytest.mark.parametrize("engine", ["literal", "kernel"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_engine_jobs_and_checkpoint_change_no_byte(engine, jobs, tmp_path, monkeypatch):
    monkeypatch.setattr("verifier.run.verify.WORTH_PROCESSES", -1)
    g = contextual_map(SEVERAL_SHARDS)
    claims = ["lemma6", "lemma10", "b5.interval"] if engine == "kernel" else ["lemma6.2", "lemma10", "b5.interval"]
    plain = certify(verify(g, claims, RunOptions(engine="kernel")))
    assert certify(verify(g, claims, RunOptions(engine, jobs, tmp_path / "c"))) == plain
    assert len(list((tmp_path / "c").glob("shard-*.json"))) == 2
    assert certify(verify(g, claims, RunOptions(engine, jobs, tmp_path / "c"))) == plain  # all from the folder


DEEP = b"[" * 100_000


def signed(content):
    return json.dumps({"content": content, "sha256": hashlib.sha256(room._bytes(content)).hexdigest()}).encode()


def counting(monkeypatch):
    """The stretches that are really run."""
    ran = []
    honest = room.Checkpoint.save
    monkeypatch.setattr(room.Checkpoint, "save", lambda *a: (ran.append(a[1]), honest(*a))[1])
    return ran


def test_what_is_finished_is_not_run_again_and_what_is_damaged_is(tmp_path, monkeypatch):
    g, way = contextual_map(SEVERAL_SHARDS), RunOptions("kernel", 1, tmp_path)
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
        DEEP,
        signed(document["content"] | {"index": 0}),
        signed(document["content"] | {"nearest": [float("inf"), 0]}),
    ):
        path.write_bytes(damage)
        said = []
        ran.clear()
        assert certify(verify(g, ["lemma6"], RunOptions("kernel", 1, tmp_path, say=said.append))) == wanted
        assert ran == [1]
        assert said == ["damaged, and run again: shard-00001.json"]


def test_the_folder_of_another_run_is_refused_with_the_difference(tmp_path, monkeypatch):
    g = contextual_map(SEVERAL_SHARDS)
    verify(g, ["lemma6"], RunOptions("kernel", 1, tmp_path))
    for other, claims, engine, words in (
        (contextual_map(Instance(1, 2, 71)), ["lemma6"], "kernel", "instance"),
        (g, ["lemma10"], "kernel", "claims"),
        (g, ["lemma6"], "literal", "engine"),
        (contextual_map(SEVERAL_SHARDS, t_l=Q(1)), ["lemma6"], "literal", "construction"),
    ):
        with pytest.raises(OtherRun, match=words):
            verify(other, claims, RunOptions(engine, 1, tmp_path))
    monkeypatch.setattr(room, "code_identity", lambda: "0.0.0+other")
    with pytest.raises(OtherRun, match="code"):
        verify(g, ["lemma6"], RunOptions("kernel", 1, tmp_path))
    (tmp_path / "manifest.json").write_bytes(b"{")
    with pytest.raises(OtherRun, match="damaged"):
        verify(g, ["lemma6"], RunOptions("kernel", 1, tmp_path))


def opened(barrier, folder, number, accepted):
    barrier.wait()
    try:
        room.Checkpoint(folder, {"claims": [], "run": number}, ())
    except OtherRun:
        return
    accepted.put(number)


def test_of_different_runs_that_begin_in_one_folder_at_once_one_is_accepted(tmp_path):
    fork = multiprocessing.get_context("fork")
    for k in range(10):
        barrier, accepted = fork.Barrier(4), fork.SimpleQueue()
        folder = tmp_path / str(k)
        runs = [fork.Process(target=opened, args=(barrier, folder, n, accepted)) for n in range(4)]
        for run in runs:
            run.start()
        for run in runs:
            run.join()
        assert [run.exitcode for run in runs] == [0, 0, 0, 0]
        assert not accepted.empty()
        winner = accepted.get()
        assert accepted.empty()
        assert json.loads((folder / "manifest.json").read_bytes())["run"] == winner
        assert [path.name for path in folder.iterdir()] == ["manifest.json"]


def test_a_shard_of_another_run_is_run_again(tmp_path, monkeypatch):
    g, said = contextual_map(SEVERAL_SHARDS), []
    ran = counting(monkeypatch)
    way = RunOptions("kernel", 1, tmp_path / "here", say=said.append)
    wanted = certify(verify(g, ["lemma6.1"], way))
    verify(g, ["lemma6"], RunOptions("kernel", 1, tmp_path / "there"))  # the same stretches, and lemma6.1 among others
    for name in ("shard-00000.json", "shard-00001.json"):
        (tmp_path / "there" / name).replace(tmp_path / "here" / name)
    ran.clear()
    assert certify(verify(g, ["lemma6.1"], way)) == wanted
    assert ran == [0, 1]
    assert said == ["damaged, and run again: shard-00000.json, shard-00001.json"]


def stands(path, what):
    path.unlink(missing_ok=True)
    {"fifo": os.mkfifo, "folder": os.mkdir, "deep": lambda path: path.write_bytes(DEEP)}[what](path)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "what", "code"),
    [
        ("manifest.json", "deep", 2),
        ("manifest.json", "fifo", 2),
        ("manifest.json", "folder", 2),
        ("shard-00001.json", "fifo", 3),
        ("shard-00001.json", "folder", 3),
    ],
)
def test_what_is_no_file_of_ours_is_said_before_the_run_in_one_line(name, what, code, tmp_path):
    verify(contextual_map(SEVERAL_SHARDS), ["lemma6.1"], RunOptions("kernel", 1, tmp_path))
    (tmp_path / "shard-00000.json").unlink()  # would be run, and kept, if the run began
    stands(tmp_path / name, what)
    command = [*CLI, "--d", "1", "--n", "2", "--N", "70", "--claims", "lemma6.1", "--engine", "kernel"]
    command += ["--checkpoint", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode == code
    assert done.stderr.startswith("verify: ")
    assert done.stderr.count("\n") == 1
    assert name in done.stderr
    assert not (tmp_path / "shard-00000.json").exists()


def test_an_empty_name_is_no_folder(tmp_path):
    for command in (("--d", "1", "--n", "2", "--N", "3"), ("survey", "--d", "1", "--n", "2", "--N", "3")):
        done = subprocess.run([*CLI, *command, "--checkpoint", ""], capture_output=True, check=False, cwd=tmp_path)
        assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
        assert b"--checkpoint" in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_written_to_is_said_before_any_work(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(Unwritable):
        verify(contextual_map(SEVERAL_SHARDS), ["lemma6"], RunOptions("kernel", 1, tmp_path / "file"))
    done = subprocess.run(
        [*CLI, "--d", "1", "--n", "2", "--N", "3", "--checkpoint", "/proc/nowhere"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3
    assert told(done.stderr).startswith("verify: the checkpoint can't be kept: /proc/nowhere")
    assert told(done.stderr).count("\n") == 1


def test_a_full_disk_stops_the_run_and_keeps_what_is_there(tmp_path, monkeypatch):
    honest, saved = room.write, []

    def full(path, data):
        if len(saved) == 1:
            raise OSError(28, "No space left on device")
        saved.append(path)
        honest(path, data)

    monkeypatch.setattr(room, "write", full)
    with pytest.raises(Unwritable, match="No space left"):
        verify(contextual_map(SEVERAL_SHARDS), ["lemma6"], RunOptions("kernel", 1, tmp_path))
    assert {path.name for path in tmp_path.iterdir()} == {"manifest.json", "shard-00000.json"}


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
    assert err.splitlines()[-1].endswith(f"finished shards are kept in {tmp_path / 'c'}")


@pytest.mark.thorough
def test_limits_of_time_and_memory_are_exit_4(tmp_path):
    for limit in (("--time-limit", "1"), ("--time-limit", "0", "--jobs", "1"), ("--memory-limit", "100")):
        command = [*CLI, *MINUTES, *limit]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
        assert done.returncode == 4, done.stderr
        assert "Traceback" not in done.stderr
        assert done.stdout == ""


@pytest.mark.slow
def test_workers_that_die_again_and_again_end_the_run(monkeypatch):
    monkeypatch.setattr(pool, "_run", lethal)
    said = []
    engine = choose_engine(contextual_map(SEVERAL_SHARDS), [], "kernel")
    with pytest.raises(WorkersDie, match="shards are left"):
        list(pool.run_in_processes(engine.recipe, [], [(0, 0, 1)], 1, None, lambda _: None, said.append))
    assert len(said) == pool.MOST_DEATHS


def run_and_die(*job):
    """A worker that is killed while it holds whatever lock there is."""
    if job[-2] == 0 and not Path("killed").exists():
        Path("killed").touch()
        for name in ("_done", "_counter"):
            if hasattr(getattr(pool, name, None), "get_lock"):
                getattr(pool, name).get_lock().acquire()
        os.kill(os.getpid(), signal.SIGKILL)
    return run_honestly(*job)


run_honestly = pool._run


@pytest.mark.slow
def test_a_worker_that_is_killed_holds_nothing_that_the_run_waits_for(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(pool, "_run", run_and_die)
    engine = choose_engine(contextual_map(SEVERAL_SHARDS), [], "kernel")
    said, found, told = [], [], []
    stretches = [(k, a, b) for k, (a, b) in enumerate(plan(2556))]

    def job():
        found.extend(pool.run_in_processes(engine.recipe, [], stretches, 2, None, told.append, said.append))

    run = threading.Thread(target=job, daemon=True)
    run.start()
    run.join(300)
    assert not run.is_alive()
    assert sorted(index for index, _ in found) == [0, 1]
    assert len(said) == 1
    assert all(0 <= done <= 2556 for done in told)


def lethal(*_):
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_deadline_in_this_process():
    with pytest.raises(TimeIsUp):
        verify(contextual_map(SEVERAL_SHARDS), ["lemma6"], RunOptions("kernel", 1, deadline=time.monotonic() - 1))

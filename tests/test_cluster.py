"""The same shards on a Dask cluster on this machine: workers that join late or die, and a silent scheduler."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest

from processes import MINUTES, PATIENCE, patiently
from processes import started as begun
from stretches import IDS, RECIPE, counted
from verifier.run import cluster
from verifier.run.checkpoint import code_identity
from verifier.run.stop import Missing, WorkersDie

pytest.importorskip("distributed")

ROOT = Path(__file__).parent.parent
CLI = [sys.executable, str(ROOT / "cli.py")]
RUN = ("--d", "1", "--n", "3", "--N", "24", "--claims", "lemma6.1,lemma6.2,b5.shift", "--time-limit", "900")
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
def scheduler_process(*words, env=ENV):
    with started("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", *words, env=env) as process:
        for line in process.stderr:
            if found := re.search(r"(tcp|tls)://127\.0\.0\.1:\d+", line):
                yield process, found[0]
                return


@contextmanager
def scheduler():
    with scheduler_process() as (_, address):
        yield address


def worker(address, *words, **how):
    return started("worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny", *words, **how)


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
                out, err = run.communicate(timeout=PATIENCE)
    assert run.returncode == 0, err
    assert out == wanted


@pytest.mark.slow
def test_a_page_runs_on_a_cluster_with_the_same_bytes():
    page = ("--paper", str(ROOT / "verifier/pages/sums_of_powers.page"), "--n", "3", "--N", "8", "--base", "3")
    wanted = subprocess.run([*CLI, *page, "--format", "json"], capture_output=True, check=False)
    with scheduler() as address, worker(address) as one:
        wait_for(one, "Registered to")
        done = subprocess.run(
            [*CLI, *page, "--format", "json", "--scheduler", address],
            capture_output=True,
            check=False,
            timeout=PATIENCE,
        )
    assert (done.returncode, done.stdout) == (wanted.returncode, wanted.stdout), done.stderr


@pytest.mark.slow
def test_a_scheduler_that_does_not_answer_is_exit_3():
    done = subprocess.run(
        [*CLI, *RUN, "--scheduler", "tcp://127.0.0.1:9"], capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert done.returncode == 3, done.stderr
    assert done.stderr.splitlines()[-1].startswith("verify: no scheduler answers")
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_scheduler_without_workers_says_so():
    with scheduler() as address:
        done = subprocess.run(
            [*CLI, *RUN, "--scheduler", address], capture_output=True, text=True, check=False, timeout=PATIENCE
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


@contextmanager
def long_run(address, *words):
    its = MINUTES[:-2] if "--time-limit" in words else MINUTES  # a limit is given once
    with begun([*CLI, *its, "--scheduler", address, *words]) as run:
        yield run


def wait_for_a_shard(folder):
    assert patiently(lambda: list(folder.glob("shard-*.json")))


@pytest.mark.slow
def test_a_late_worker_with_other_code_is_refused(tmp_path):
    shutil.copytree(ROOT / "verifier", tmp_path / "other/verifier")
    with (tmp_path / "other/verifier/evaluate/run.py").open("a") as file:
        file.write("# other\n")
    env = {**os.environ, "PYTHONPATH": str(tmp_path / "other"), "PYTHONSAFEPATH": "1"}
    with scheduler() as address, worker(address) as first:
        wait_for(first, "Registered to")
        with long_run(address, "--checkpoint", str(tmp_path / "kept")) as run:
            wait_for_a_shard(tmp_path / "kept")
            with worker(address, env=env):
                _, err = run.communicate(timeout=PATIENCE)
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
            _, err = run.communicate(timeout=PATIENCE)
    assert run.returncode == 3, err
    assert f"the cluster at '{address}' is gone" in err
    assert "what is finished is kept" in err
    assert "Traceback" not in err


@pytest.mark.slow
@pytest.mark.parametrize("greeting", [b"", b"SSH-2.0-OpenSSH_9.6\r\n"])
def test_a_server_that_is_silent_or_not_dask_is_exit_3(greeting):
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        with subprocess.Popen([*CLI, *RUN, "--scheduler", address], stderr=subprocess.PIPE, text=True) as run:
            try:
                server.settimeout(PATIENCE)
                with server.accept()[0] as connection:
                    connection.sendall(greeting)
                    _, err = run.communicate(timeout=PATIENCE)
            finally:
                run.kill()
    assert run.returncode == 3, err
    assert "no scheduler answers" in err
    assert ("not Dask's" if greeting else "silent") in err


# What a cluster sends is plain data, or nothing.

BOMB = """
import os

class Bomb(Exception):
    def __reduce__(self):
        return exec, (f"import os; open(os.path.join({os.environ['CRATERS']!r}, str(os.getpid())), 'w').close()",)
"""
USUAL = "usual = cluster.usual = getattr(cluster, 'usual', cluster.run_stretch)"  # Dask runs a preload twice
OF_A_WORKER = {
    "the answer": "cluster.run_stretch = lambda *_: Bomb()",
    "what goes wrong": "def fail(*_):\n    raise Bomb()\ncluster.run_stretch = fail",
    "a warning": "def warn(recipe, *rest):\n    from distributed import get_worker\n"
    "    import pickle\n    get_worker().log_event('warn', {'message': pickle.dumps(Bomb())})\n"
    "    get_worker().log_event('print', {'args': ('a word for stdout',)})\n    return usual(recipe, *rest)\n"
    "cluster.run_stretch = warn",
    "its identity": "checkpoint.code_identity = lambda: Bomb()",
    "another shard": "def other(recipe, ids, start, *rest):\n    return usual(recipe, ids, start + 1, *rest)\n"
    "cluster.run_stretch = other",
    "what is no shard": 'cluster.run_stretch = lambda *_: b\'{"start": 0, "stop": 2925}\'',
    "nesting": "cluster.run_stretch = lambda *_: b'[' * 10**6",
    "text": "cluster.run_stretch = lambda *_: 'text'",
}


def armed(folder, words):
    """A preload that makes a liar of the worker or the scheduler, and the environment in which it is one."""
    (folder / "craters").mkdir()
    preload = folder / "liar.py"
    preload.write_text(f"{BOMB}\nfrom verifier.run import checkpoint, cluster\n{USUAL}\n{words}\n")
    return ("--preload", str(preload)), {**ENV, "CRATERS": str(folder / "craters")}


def craters_of(process, folder):
    return (folder / "craters" / str(process.pid)).exists()


@pytest.mark.slow
@pytest.mark.parametrize("lie", OF_A_WORKER)
def test_a_worker_that_lies_can_not_run_code_here(lie, tmp_path):
    preload, env = armed(tmp_path, OF_A_WORKER[lie])
    with scheduler() as address, worker(address, *preload, env=env) as first:
        wait_for(first, "Registered to")
        with subprocess.Popen(
            [*CLI, *RUN, "--scheduler", address], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as run:
            out, err = run.communicate(timeout=PATIENCE)
    assert not craters_of(run, tmp_path)
    assert "Traceback" not in err
    if lie == "a warning":  # is nobody's business here
        assert run.returncode == 0, err
        assert json.loads(out)["verdict"] == "holds"
    else:
        assert (run.returncode, out) == (3, ""), err
        assert err.splitlines()[-1].startswith("verify: ")


OF_A_SCHEDULER = """
from distributed.protocol.serialize import ToPickle
from distributed.scheduler import Scheduler

def new_tasks(self, *rest, client, **more):
    self.report({"op": "key-in-memory", "key": "a", "type": ToPickle(Bomb())}, client=client)

Scheduler.update_graph = new_tasks
"""
UNGUARDED = "import sys; sys.path.insert(0, {root!r}); import cli; from verifier.run import unpickling;"
UNGUARDED += " unpickling._refuse_names = lambda *_: None; sys.exit(cli.main(sys.argv[1:]))"


@pytest.mark.slow
@pytest.mark.parametrize("guarded", [True, False])
def test_a_scheduler_that_lies_can_not_either_and_it_is_the_guard_that_stops_it(guarded, tmp_path):
    preload, env = armed(tmp_path, OF_A_SCHEDULER.replace("def new_tasks", "async def new_tasks"))
    command = CLI if guarded else [sys.executable, "-c", UNGUARDED.format(root=str(ROOT))]
    with scheduler_process(*preload, env=env) as (_, address), worker(address) as first:
        wait_for(first, "Registered to")
        with subprocess.Popen([*command, *RUN, "--scheduler", address], stderr=subprocess.PIPE, text=True) as run:
            try:
                if guarded:
                    _, err = run.communicate(timeout=PATIENCE)
                    assert (run.returncode, "Traceback" in err) == (3, False), err
                    assert "sent an object, and no plain data: 'builtins.exec'" in err
                else:
                    assert patiently(lambda: craters_of(run, tmp_path))
            finally:
                run.kill()
    assert craters_of(run, tmp_path) is not guarded


def answer(**changed):
    return json.dumps(RECIPE.written(counted(0, 6)) | changed).encode()


def test_an_answer_is_the_stretch_that_was_asked_for_or_no_answer():
    assert cluster._read(answer(), 0, 6, RECIPE, IDS, "code") == counted(0, 6)
    lies = (answer(claims={}), answer(categories={}), answer(claims={"lemma6.1": {}}), answer(categories=7), b"", b"[]")
    for lie in lies:
        with pytest.raises(Missing, match="no shard of ranks 0 to 5"):
            cluster._read(lie, 0, 6, RECIPE, IDS, "code")
    with pytest.raises(Missing, match="install the same on both"):
        cluster._read(b'{"code": "another"}', 0, 6, RECIPE, IDS, "code")


@pytest.mark.parametrize("more", [0, 1])
def test_an_answer_has_a_longest(more, monkeypatch):
    monkeypatch.setattr(cluster, "LONGEST_ANSWER", len(answer()) - more)
    with pytest.raises(Missing, match="no bytes, or too many") if more else nullcontext():
        cluster._read(answer(), 0, 6, RECIPE, IDS, "code")


def test_a_worker_runs_its_stretch_with_the_wanted_code_alone():
    ours = code_identity()
    part = cluster._read(cluster.run_stretch(RECIPE, IDS, 2, 5, ours), 2, 5, RECIPE, IDS, ours)
    assert part == counted(2, 5)
    assert json.loads(cluster.run_stretch(RECIPE, IDS, 2, 5, "another")) == {"code": ours}


def test_a_shard_whose_workers_die_again_and_again_is_given_up():
    talk = cluster._Talk("tcp://127.0.0.1:1", {}, "code")
    with pytest.raises(WorkersDie, match="10 that held the same shard"):
        talk._failed(None, Exception("KilledWorker(...)"))


@pytest.mark.parametrize(
    "address",
    ["nonsense://x", "", "127.0.0.1:8786", "ucx://127.0.0.1:8786", "tcp://127.0.0.1", "tcp://127.0.0.1:99999"],
)
def test_what_is_no_address_of_a_scheduler_is_said(address):
    with pytest.raises(Missing, match="no scheduler answers"):
        cluster._refuse_unless_it_answers(address)


# TLS


def made(folder, name, *more):
    key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", f"{name}-key.pem")
    openssl("req", *key, "-subj", f"/CN={name}", "-out", f"{name}.pem", *more, folder=folder)


def openssl(*words, folder):
    subprocess.run(["openssl", *words], cwd=folder, capture_output=True, check=True)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl")
def test_a_cluster_behind_tls(tmp_path):
    made(tmp_path, "ca", "-x509", "-days", "30")
    made(tmp_path, "cluster-request")
    signing = ("-CA", "ca.pem", "-CAkey", "ca-key.pem", "-CAcreateserial", "-days", "30")
    openssl("x509", "-req", "-in", "cluster-request.pem", *signing, "-out", "cluster.pem", folder=tmp_path)
    made(tmp_path, "stranger", "-x509", "-days", "30")
    files = {name: str(tmp_path / f"{name}.pem") for name in ("ca", "cluster", "cluster-request-key", "stranger")}
    words = ("--tls-ca-file", files["ca"], "--tls-cert", files["cluster"], "--tls-key", files["cluster-request-key"])
    ours = dict(zip(cluster.TLS, (files["ca"], files["cluster"], files["cluster-request-key"]), strict=True))
    with scheduler_process(*words, "--protocol", "tls") as (_, address), worker(address, *words) as first:
        wait_for(first, "Registered to")
        assert address.startswith("tls://")
        for env, code, said in (
            (ours, 0, ""),
            ({}, 3, "Dask has no credentials for TLS; set DASK_DISTRIBUTED__COMM__TLS__CA_FILE"),
            ({**ours, cluster.TLS[1]: "nowhere.pem"}, 3, "Dask's credentials for TLS can't be used"),
            ({**ours, cluster.TLS[0]: files["stranger"]}, 3, "no scheduler answers"),
        ):
            done = subprocess.run(
                [*CLI, *RUN[:-2], "--scheduler", address],
                env={**ENV, **env},
                capture_output=True,
                text=True,
                check=False,
                timeout=PATIENCE,
            )
            assert (done.returncode, "Traceback" in done.stderr) == (code, False), done.stderr
            assert said in done.stderr


@pytest.mark.slow
def test_tls_without_credentials_is_one_sentence():
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tls://127.0.0.1:{server.getsockname()[1]}"
        done = subprocess.run(
            [*CLI, *RUN, "--scheduler", address], capture_output=True, text=True, check=False, timeout=PATIENCE
        )
    assert (done.returncode, done.stdout) == (3, "")
    assert re.fullmatch(r"verify: tls://\S+: Dask has no credentials for TLS; set .*\n", done.stderr)


# Who is silent


@pytest.mark.slow
@pytest.mark.parametrize("who", ["scheduler", "worker"])
def test_who_is_silent_is_said_and_the_run_goes_on_when_it_answers(who, tmp_path):
    with scheduler_process() as (process, address), worker(address) as first:
        wait_for(first, "Registered to")
        frozen = process if who == "scheduler" else first
        with long_run(address, "--checkpoint", str(tmp_path)) as run:
            wait_for_a_shard(tmp_path)
            os.killpg(frozen.pid, signal.SIGSTOP)
            try:
                wait_for(run, f"{who} {'at ' if frozen is process else ''}tcp://127.0.0.1:")  # is silent
            finally:
                os.killpg(frozen.pid, signal.SIGCONT)
            wait_for(run, "answers again")
            so_far = len(list(tmp_path.glob("shard-*.json")))
            assert patiently(lambda: len(list(tmp_path.glob("shard-*.json"))) > so_far, run=run)


@pytest.mark.slow
@pytest.mark.parametrize("who", ["scheduler", "worker"])
@pytest.mark.parametrize("end", ["the time limit", "Ctrl-C"])
def test_a_run_ends_while_its_cluster_is_silent(who, end, tmp_path):
    with scheduler_process() as (process, address), worker(address) as first:
        wait_for(first, "Registered to")
        frozen = process if who == "scheduler" else first
        limit = ("--time-limit", "6") if end == "the time limit" else ()
        with long_run(address, "--checkpoint", str(tmp_path), *limit) as run:
            patiently(lambda: list(tmp_path.glob("shard-*.json")), 10)
            os.killpg(frozen.pid, signal.SIGSTOP)
            try:
                if not limit:
                    wait_for(run, "silent")
                    run.send_signal(signal.SIGINT)
                _, err = run.communicate(timeout=PATIENCE)
            finally:
                os.killpg(frozen.pid, signal.SIGCONT)
    assert run.returncode == (4 if limit else 130), err
    assert f"verify: {'the time limit is reached' if limit else 'interrupted'}" in err.splitlines()[-1]
    assert "Traceback" not in err

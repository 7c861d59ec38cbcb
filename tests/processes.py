"""Processes watched from outside: waiting for what happens instead of guessing how long it takes."""

import atexit
import json
import os
import re
import selectors
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from subprocess import PIPE, CompletedProcess, Popen, TimeoutExpired, run
from typing import Any

PROGRESS = re.compile(
    r"^(?!verify: )(.*: )?([\d,]+ of [\d,]+ orbits.*|[\d,]+ so far)\n"
    r"|^verify: (.*[\d,]+ of [\d,]+ cases so far.*|[\d,]+ cases: about .*)\n",
    re.MULTILINE,
)
PATIENCE = 600  # seconds, after which something hangs; only a test that fails waits as long
# A run of minutes, on one core or two, so that no machine is through before what a test does to it.
MINUTES = ("--d", "1", "--n", "3", "--N", "100", "--claims", "b5.head", "--time-limit", "3600")
ENDING = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


def hearing() -> None:
    """In a child: it hears every signal, whatever the parent of these tests ignores or blocks."""
    for number in ENDING:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


@contextmanager
def started(command: Sequence[str], **how: Any) -> Iterator[Popen[str]]:
    """A process that hears signals, in a group of its own, which ends with this block at the latest."""
    how = {"stdout": PIPE, "stderr": PIPE, "text": True, "preexec_fn": hearing, **how}
    with Popen(command, start_new_session=True, **how) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def told(stderr: str) -> str:
    """What a command says besides how far it is: that it does now and then where a busy machine makes it take long."""
    return PROGRESS.sub("", stderr)


def completed(command: Sequence[str], **how: Any) -> CompletedProcess[str]:
    """What a command says, without how far it was."""
    env = how.get("env") or os.environ
    ours = list(command[:2]) == [sys.executable, str(CLI)] and how.keys() <= {"env", "cwd", "timeout"}
    if ours and _at_its_start(env) == _at_its_start(os.environ):
        done = _forked(command, env, how.get("cwd") or os.getcwd(), how.get("timeout") or PATIENCE)
    else:
        done = run(command, capture_output=True, text=True, check=False, **how)
    done.stderr = told(done.stderr)
    return done


# `verify`, in a process of its own that doesn't begin from nothing: it is forked by one that has loaded what every
# command loads.

CLI = Path(__file__).parent.parent / "cli.py"
_LOADED = """
import json, os, runpy, sys
sys.path.insert(0, os.path.dirname(sys.argv[1]))
import cli, verifier.checking, verifier.commands.run, verifier.confirm, verifier.evaluate.run, verifier.report.found
for line in sys.stdin:
    job = json.loads(line)
    if child := os.fork():
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
        continue
    for number, path in enumerate((os.devnull, job["out"], job["err"])):
        os.dup2(os.open(path, os.O_WRONLY if number else os.O_RDONLY), number)
    os.environ.clear()
    os.environ.update(job["env"])
    os.chdir(job["cwd"])
    sys.argv = job["words"]
    runpy.run_path(sys.argv[0], run_name="__main__")
"""


def _at_its_start(env: Any) -> dict[str, str]:
    """What of an environment an interpreter, or a library, reads when it begins."""
    begin = ("PYTHON", "LC_", "LANG", "LD_", "OMP", "OPENBLAS", "MALLOC")
    return {name: value for name, value in env.items() if name.startswith(begin)}


@cache
def _server(_pid: int) -> Popen[str]:
    how = {"stdin": PIPE, "stdout": PIPE, "text": True, "start_new_session": True, "preexec_fn": hearing}
    server = Popen([sys.executable, "-c", _LOADED, str(CLI)], **how)
    atexit.register(server.communicate)  # it ends with its input
    return server


def _forked(command: Sequence[str], env: Any, cwd: Any, timeout: float) -> CompletedProcess[str]:
    server = _server(os.getpid())
    with tempfile.TemporaryDirectory() as folder, selectors.DefaultSelector() as ready:
        said = {name: Path(folder) / name for name in ("out", "err")}
        for path in said.values():
            path.touch()
        job = {"words": list(command[1:]), "env": dict(env), "cwd": str(cwd)} | {k: str(v) for k, v in said.items()}
        server.stdin.write(json.dumps(job) + "\n")
        server.stdin.flush()
        ready.register(server.stdout, selectors.EVENT_READ)
        if not ready.select(timeout):
            os.killpg(server.pid, signal.SIGKILL)
            _server.cache_clear()
            raise TimeoutExpired(command, timeout)
        code = int(server.stdout.readline())
        return CompletedProcess(command, code, *(path.read_text() for path in said.values()))


def patiently(found: Callable[[], Any], seconds: float = PATIENCE, run: Popen[Any] | None = None) -> Any:
    """What is found, as soon as it is true; or when it is too late, as it is when the run is over."""
    late = time.monotonic() + seconds
    while not (it := found()) and time.monotonic() < late and (run is None or run.poll() is None):
        time.sleep(0.02)
    return it or found()


def workers_of(run: Popen[Any]) -> list[int]:
    """The worker processes of a run; none where it is over, or on a system without /proc."""
    found = []
    with suppress(FileNotFoundError, ProcessLookupError):
        for child in Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split():
            with suppress(FileNotFoundError, ProcessLookupError):
                if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                    found.append(int(child))
    return found

"""Processes watched from outside: waiting for what happens instead of guessing how long it takes."""

import os
import re
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from subprocess import PIPE, CompletedProcess, Popen, run
from typing import Any

PROGRESS = re.compile(r"^[\d,]+ of [\d,]+ orbits.*\n", re.MULTILINE)
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


def completed(command: Sequence[str], **how: Any) -> CompletedProcess[str]:
    """What a command says, without how far it was now and then: on a busy machine it takes long enough to tell."""
    done = run(command, capture_output=True, text=True, check=False, **how)
    done.stderr = PROGRESS.sub("", done.stderr)
    return done


def patiently(found: Callable[[], Any], seconds: float = 60) -> Any:
    """What is found, as soon as it is true, or when it is too late."""
    late = time.monotonic() + seconds
    while not (it := found()) and time.monotonic() < late:
        time.sleep(0.02)
    return it


def workers_of(run: Popen[Any]) -> list[int]:
    """The worker processes of a run; none where it is over, or on a system without /proc."""
    found = []
    with suppress(FileNotFoundError, ProcessLookupError):
        for child in Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split():
            with suppress(FileNotFoundError, ProcessLookupError):
                if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                    found.append(int(child))
    return found

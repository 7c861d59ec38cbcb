"""Processes watched from outside: waiting for what happens instead of guessing how long it takes."""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from subprocess import Popen
from typing import Any


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

"""Calls in processes of their own, some at a time, each ended by processor time and never by the clock."""

import contextlib
import os
import pickle
import resource
import shutil
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Call = tuple[Any, Callable[[Path], Any], float]  # a name, what is called with a folder of its own, seconds

ASLEEP = 30  # looks, a second apart, at processes of which none runs


def _child(call: Callable[[Path], Any], seconds: float, folder: Path) -> None:
    code = 70
    try:
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 6))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        folder.mkdir()
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nothing, stream)
        (folder / "result").write_bytes(pickle.dumps(call(folder)))
        code = 0
    finally:
        os._exit(code)


def _used(group: int) -> int:
    """Ticks of processor time that the processes of a group have used, where /proc tells; what runs is counted too."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            its = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(its[2]) == group:
            ticks += int(its[11]) + int(its[12]) + (time.time_ns() if its[0] == "R" else 0)
    return ticks


def results(calls: Iterable[Call], jobs: int, folder: Path) -> Iterator[tuple[Any, Any]]:
    """(name, what the call returned), as they end; None for one that crashed, used up its time or sleeps for ever."""
    waiting = enumerate(calls)
    running: dict[int, _Running] = {}
    try:
        while True:
            while len(running) < jobs and (following := next(waiting, None)):
                k, (name, call, seconds) = following
                its = folder / f"call-{k}"
                if not (child := os.fork()):
                    _child(call, seconds, its)
                running[child] = _Running(name, its)
            if not running:
                return
            time.sleep(0.005)
            for child in [child for child, one in running.items() if one.ended(child)]:
                one = running.pop(child)
                _kill(child)  # what a test has left behind
                result = one.folder / "result"
                yield one.name, pickle.loads(result.read_bytes()) if result.exists() else None  # noqa: S301
                shutil.rmtree(one.folder, ignore_errors=True)
    finally:
        for child in running:
            _kill(child)


@dataclass
class _Running:
    name: Any
    folder: Path
    used: int = -1
    asleep: int = 0  # looks at it in a row at which nothing had happened
    look: float = field(default_factory=lambda: time.monotonic() + 1)

    def ended(self, child: int) -> bool:
        if os.waitpid(child, os.WNOHANG)[0]:
            return True
        if time.monotonic() < self.look:
            return False
        used = _used(child)
        self.asleep = self.asleep + 1 if used == self.used else 0
        self.used, self.look = used, time.monotonic() + 1
        if self.asleep < ASLEEP:
            return False
        _kill(child)
        os.waitpid(child, 0)
        return True


def _kill(group: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)

"""A case: what is done, in an empty folder, and how it ended; and what all kinds need for that."""

import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

from processes import hearing, patiently

ROOT = Path(__file__).parent.parent.parent
CLI = [sys.executable, str(ROOT / "cli.py")]
CHECKER = [sys.executable, "-P", "-m", "verifier.checker"]
IN_A_MEGABYTE = 1024 if sys.platform == "linux" else 1 << 20  # of the units in which a system counts memory
PATIENCE = 900  # seconds: nothing here may take as long, on however busy a machine


class Wrong(Exception):
    """It ended as it must not; says how."""


class Unrun(Exception):
    """It can't be done here; says why."""


@dataclass(frozen=True)
class Case:
    """`do` is given an empty folder, and says in a few words how it ended; raises Wrong, or Unrun."""

    what: str
    do: Callable[[Path], str]


@dataclass(frozen=True)
class Kind:
    """`draw` gives the case of a number, by a generator of random numbers that is this case's own."""

    name: str
    harm: str  # for the table: what is done
    promise: str  # and how it may end
    draw: Callable[[random.Random, int], Case]
    count: int
    quick: int
    alone: bool = False  # one at a time: it looks at what others might have left

    def case(self, seed: int, number: int) -> Case:
        return self.draw(random.Random(f"{seed} {self.name} {number}"), number)


@dataclass(frozen=True)
class End:
    """How a process ended: killed by a signal is minus its number."""

    code: int
    out: bytes
    err: str
    seconds: float = 0.0  # of processor time
    megabytes: float = 0.0  # the most that it had at once

    def __str__(self) -> str:
        return f"exit {self.code}; stdout: {self.out[:200]!r}; stderr: {self.err[-600:]!r}"


def surroundings(folder: Path, **more: str) -> dict[str, str]:
    """The environment of a case: what it starts is known by it, and its temporary files are where they are seen."""
    (folder / "tmp").mkdir(exist_ok=True)
    mark = {"TORTURE": str(folder), "TMPDIR": str(folder / "tmp"), "PYTHONPATH": str(ROOT)}
    return {**os.environ, **mark, **more}


def limited(**most: int) -> Callable[[], None]:
    """In a child: it hears signals, and has so much of what RLIMIT_... names."""

    def begin() -> None:
        hearing()
        for name, value in most.items():
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (value, value))

    return begin


def call(command: Sequence[str], folder: Path, given: bytes | None = None, **how: Any) -> End:
    """Run to its end, and what that took; with all that it started."""
    how = {"cwd": folder, "env": surroundings(folder), "preexec_fn": hearing, "stdout": -1, "stderr": -1, **how}
    stdin = subprocess.DEVNULL if given is None else subprocess.PIPE
    with subprocess.Popen(command, stdin=stdin, start_new_session=True, **how) as run:
        try:
            out, err = run.communicate(given, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
            raise Wrong(f"no end within {PATIENCE} s: {' '.join(command)}") from None
    return End(run.returncode, out or b"", (err or b"").decode(errors="replace"))


def measured(command: Sequence[str], folder: Path, **how: Any) -> End:
    """The same, with the processor time and the memory of it alone; what it says goes through files."""
    with (folder / "out").open("w+b") as out, (folder / "err").open("w+b") as err:
        run = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True, **how
        )
        _, status, used = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        said = out.read(1 << 20), err.read(1 << 20).decode(errors="replace")
    return End(run.returncode, *said, used.ru_utime + used.ru_stime, used.ru_maxrss / IN_A_MEGABYTE)


def insist(good: object, words: str, end: object = "") -> None:
    if not good:
        raise Wrong(f"{words}: {end}" if end != "" else words)


def no_crash(end: End, allowed: Sequence[int]) -> None:
    """One of these codes, and no traceback; where it isn't 0, a word about why."""
    insist("Traceback" not in end.err and b"Traceback" not in end.out, "a traceback", end)
    insist(end.code in allowed, f"an exit code that is none of {', '.join(map(str, allowed))}", end)


def right_or_none(end: End, truth: bytes, without: Sequence[int] = (70,)) -> str:
    """The true bytes, or no verdict and a code that says so: the one promise of all."""
    no_crash(end, [0, *without])
    if end.code == 0:
        insist(end.out == truth, "exit 0 with other bytes", end)
        return "the true bytes"
    insist(end.out == b"", "bytes, and no exit 0", end)
    insist(end.err.strip(), "no word about why", end)
    return f"exit {end.code}"


def left_over(folder: Path) -> list[str]:
    """What a run should have cleaned up: files half written, temporary ones, processes."""
    found = [str(path) for path in folder.rglob(".verify-*")]
    found += [str(path) for path in (folder / "tmp").rglob("*")]
    patiently(lambda: not children(folder), 60)
    return found + [f"process {pid}" for pid in children(folder)]


def children(folder: Path) -> list[int]:
    """The processes that were started in this case, by what they have in their environment."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if f"TORTURE={folder}".encode() in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
    return found


def end_all(folder: Path) -> None:
    """So that a case that ended wrong harms no other."""
    for pid in children(folder):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def stranger(folder: Path, uid: int) -> list[str]:
    """What begins a command as a user that no list of users has, who reads what we can, and writes what anybody can."""
    (folder / "tmp").mkdir(exist_ok=True)
    (folder / "tmp").chmod(0o777)
    if os.getuid():
        return []
    if not shutil.which("setpriv"):
        raise Unrun("to be another user takes setpriv")
    may = [f"--{which}-caps=+dac_read_search" for which in ("inh", "ambient")]
    return ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", *may]


# The truth, from this process, in one go

FAMILIES = ("grid", "b5", "lemma10", "lemma6")  # of the default run
_truth = Lock()


def truth(d: int, n: int, N: int, claims: str = ",".join(FAMILIES)) -> bytes:
    """The certificate, to the byte."""
    with _truth:
        return _certificate(d, n, N, claims)


@cache
def _certificate(d: int, n: int, N: int, claims: str) -> bytes:
    from verifier.page import Page

    page = Page.file(ROOT / "verifier/pages/yun2020.page")
    return page.run(claims.split(","), jobs=1, d=d, n=n, N=N).certificate


def run_of(d: int, n: int, N: int, *more: str) -> list[str]:
    return ["--d", str(d), "--n", str(n), "--N", str(N), "--format", "json", *more]


SEVERAL, CLAIMS = (1, 3, 40), "lemma6.1,lemma6.2,lemma6.3,lemma6.4"  # 13,244 orbits, in 32 stretches
WITH_WORKERS = run_of(*SEVERAL, "--claims", CLAIMS, "--jobs", "2", "--no-check")


# A number of a JSON value, changed


def leaves(value: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where its strings, numbers, and nothings stand."""
    if isinstance(value, dict):
        return [found for key in value for found in leaves(value[key], (*place, key))]
    if isinstance(value, list):
        return [found for k, part in enumerate(value) for found in leaves(part, (*place, k))]
    return [place]


def at(value: Any, place: Sequence[Any]) -> Any:
    for key in place:
        value = value[key]
    return value


def put(value: Any, place: Sequence[Any], what: Any) -> None:
    at(value, place[:-1])[place[-1]] = what


def another(number: int, rng: random.Random) -> int:
    """A whole number >= 0 that isn't this one."""
    near = [number + 1, number - 1, number + 2, number * 2, number // 2, 0, rng.randrange(number + 100)]
    return rng.choice([x for x in near if x >= 0 and x != number])


def compact(document: Any) -> bytes:
    return json.dumps(document, sort_keys=True, separators=(",", ":")).encode()

"""SIGINT, SIGTERM and SIGHUP, to the process or to its group, at random moments."""

import os
import random
import signal
import time
from contextlib import suppress
from pathlib import Path

from processes import ENDING, patiently, started
from torture.case import (
    CLAIMS,
    CLI,
    SEVERAL,
    WITH_WORKERS,
    Case,
    Kind,
    Unrun,
    call,
    insist,
    left_over,
    right_or_none,
    run_of,
    surroundings,
    truth,
)

SHORT = (1, 3, 5)
COMMANDS = {
    "a run": run_of(*SHORT, "--certificate", "c.json"),
    "a run with workers": [*WITH_WORKERS, "--checkpoint", "k"],
    "a range": ["--d", "1", "--n", "2", "--N", "2..9", "--claims", "lemma6", "--checkpoint", "k"],
    "a check": ["check", "genuine.json"],
    "a proof": ["prove", "--n", "2", "--claims", "lemma10"],
}
SPANS = {"a run": 2.5, "a run with workers": 5.0, "a range": 3.0, "a check": 0.8, "a proof": 3.0}  # seconds, about


def draw(rng: random.Random, _: int) -> Case:
    name = rng.choice([*COMMANDS, "a run with workers"])
    number, group, wait = rng.choice(ENDING), rng.random() < 0.5, rng.uniform(0, SPANS[name])
    to = "its group" if group else "the process"
    what = f"{name}: {signal.Signals(number).name} to {to} {wait:.3f} s after it has begun to hear"
    return Case(what, lambda folder: ended(folder, name, number, group=group, wait=wait))


def hears(pid: int) -> bool:
    """Whether a handler for SIGHUP, the last that is set, is there."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("SigCgt:"):
                return bool(int(line.split()[1], 16) >> (signal.SIGHUP - 1) & 1)
    return False


def shared() -> set[str]:
    """Semaphores and memory that processes share by name."""
    return {path.name for path in Path("/dev/shm").glob("*")} if Path("/dev/shm").is_dir() else set()  # noqa: S108


def ended(folder: Path, name: str, number: int, *, group: bool, wait: float) -> str:
    if not Path("/proc/self/status").exists():
        raise Unrun("without /proc there is no knowing when a process hears signals")
    if name == "a check":
        (folder / "genuine.json").write_bytes(truth(1, 3, 6))
    before, command = shared(), [*CLI, *COMMANDS[name]]
    with started(command, cwd=folder, env=surroundings(folder)) as run:
        patiently(lambda: run.poll() is not None or hears(run.pid), 600)
        time.sleep(wait)
        with suppress(ProcessLookupError):
            (os.killpg if group else os.kill)(run.pid, number)
        out, err = run.communicate()
    insist(not left_over(folder), "left behind", left_over(folder))
    patiently(lambda: not shared() - before, 20)
    insist(not shared() - before, "left in /dev/shm", shared() - before)
    for path in folder.rglob("*.json"):
        insist(path.stat().st_size, "an empty file", path)
    if run.returncode == 128 + number:
        lines = [line for line in err.splitlines() if line.startswith(("verify: ", "Traceback")) or "rror" in line]
        said = [line for line in lines if "interrupted" in line]
        insist(len(said) == 1 and lines[-1:] == said, "not one line", err[-600:])
        insist(name != "a run" or out in ("", truth(*SHORT).decode()), "half a certificate", out[:200])
    elif run.returncode == -number:  # all was said, and Python was about to end
        insist(out, "killed by the signal before it had said anything", err[-600:])
    else:
        insist(run.returncode == 0, f"exit {run.returncode}, and not {128 + number}", err[-600:])
        insist(name != "a run" or out == truth(*SHORT).decode(), "other bytes", out[:200])
    if (folder / "c.json").exists():
        insist((folder / "c.json").read_bytes() == truth(*SHORT), "another certificate")
    if name == "a run with workers":
        right_or_none(call(command, folder), truth(*SEVERAL, CLAIMS), ())
    insist("Traceback" not in err, "a traceback", err[-600:])
    return "128 + signal" if run.returncode > 0 else "it was done already"


KIND = Kind(
    "signals",
    "SIGINT, SIGTERM, SIGHUP to the process or its group, at random moments of five commands",
    "128 + signal and one line (or it was done already); no `.verify-*` file, temporary file, semaphore or process is "
    "left; a run with a checkpoint then gives the same bytes",
    draw,
    30,
    5,
    alone=True,
)

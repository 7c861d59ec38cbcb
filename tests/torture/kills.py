"""SIGKILL, of workers or of the whole run, at random moments; then the run goes on where it was."""

import os
import random
import signal
import time
from contextlib import suppress
from pathlib import Path

from processes import patiently, started, workers_of
from torture.case import (
    CLAIMS,
    CLI,
    SEVERAL,
    WITH_WORKERS,
    Case,
    Kind,
    call,
    children,
    insist,
    right_or_none,
    surroundings,
    truth,
)

RUN = [*CLI, *WITH_WORKERS, "--checkpoint", "kept"]


def draw(rng: random.Random, _: int) -> Case:
    if rng.random() < 0.5:
        times = rng.randint(1, 3)
        moments = [(rng.randrange(60), rng.uniform(0, 0.4)) for _ in range(times)]
        return Case(f"the run is killed {times} times, after {moments}", lambda folder: run_killed(folder, moments))
    moments = [(rng.randrange(60), rng.uniform(0, 0.3)) for _ in range(rng.randint(1, 4))]
    return Case(f"a worker is killed after {moments}", lambda folder: workers_killed(folder, moments))


def shards(folder: Path) -> int:
    return len(list((folder / "kept").glob("shard-*")))


def run_killed(folder: Path, moments: list[tuple[int, float]]) -> str:
    """After so many shards, and a moment more."""
    for count, wait in moments:
        with started(RUN, cwd=folder, env=surroundings(folder)) as run:
            patiently(lambda count=count, run=run: run.poll() is not None or shards(folder) >= count, 600)
            time.sleep(wait)
            run.kill()
            run.communicate()
        insist(patiently(lambda: not children(folder)), "workers outlive the run", children(folder))
    return right_or_none(call(RUN, folder), truth(*SEVERAL, CLAIMS), ())


def workers_killed(folder: Path, moments: list[tuple[int, float]]) -> str:
    with started(RUN, cwd=folder, env=surroundings(folder)) as run:
        for count, wait in moments:
            patiently(lambda count=count: run.poll() is not None or shards(folder) >= count, 600)
            patiently(lambda: run.poll() is not None or workers_of(run), 600)
            time.sleep(wait)
            for pid in workers_of(run)[:1]:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        out, err = run.communicate()
    insist(run.returncode == 0, "a worker that is killed ends the run", err[-500:])
    insist(out.encode() == truth(*SEVERAL, CLAIMS), "other bytes", err[-500:])
    return "the true bytes"


KIND = Kind(
    "kills",
    "SIGKILL of the run, up to three times, or of up to four workers, at random moments",
    "the same call then gives the same bytes; no process is left",
    draw,
    20,
    3,
)

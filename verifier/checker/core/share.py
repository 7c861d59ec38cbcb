"""FORMAT 8: the shards, which of them are run, and what that may cost: sizes first."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from .reading import Unreadable

MOST_POINTS = 4_000_000  # orbits: most of a minute, and with the claims about pairs most of a gigabyte
STEPS_A_SECOND = 300_000
MOST_PROCESSES = 8  # unless the reader wants more: they share one limit of memory


@dataclass(frozen=True)
class Options:
    """How much the reader wants checked: the shards named, a number of shards, or what can be done in about this many
    seconds, drawn by a seed that isn't the file's; if none of these is given, everything."""

    max_points: int = MOST_POINTS
    literal: bool = False
    shards: tuple[int, ...] = ()
    sample: int = 0
    seed: int = 0
    seconds: int = 0
    jobs: int = 0  # processes; 0: one for each core, up to 8, where that is worth while
    reading: str = ""  # a Python file of the reader's: a second reading of a construction that no folder here knows


def processes(work: int, options: Options) -> int:
    """How many processes to use for this many steps. Starting one takes some hundredths of a second."""
    if options.jobs or work < STEPS_A_SECOND:
        return max(1, options.jobs)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, MOST_PROCESSES)


@dataclass(frozen=True)
class Share:
    """The part of a certificate that is checked orbit by orbit: whole shards, and perhaps a stretch of another."""

    shards: list[int]
    whole: bool = False  # all shards, and the claims about pairs
    stretch: tuple[int, int, int] | None = None  # the shard, and the ranks of it from start to stop - 1
    seed: int | None = None  # if it was drawn

    def cases(self, T: int) -> int:
        """How many of the T cases are run."""
        runs = [plan(T)[k] for k in self.shards] + ([self.stretch[1:]] if self.stretch else [])
        return sum(stop - start for start, stop in runs)


def plan(T: int) -> list[tuple[int, int]]:
    """FORMAT 8: the shards, as equal as can be, tile the ranks."""
    K = max(1, min(64, T // 1000))
    return [(k * T // K, (k + 1) * T // K) for k in range(K)]


def share_of(cert: dict[str, Any], T: int, work: int, options: Options) -> Share:
    """Which shards of T cases are run: those asked for, or drawn ones. `work`: about how many steps all cases take."""
    shards = plan(T) if cert["shards"] else []
    K, every = len(shards), list(range(len(shards)))
    if options.seconds:
        budget = options.seconds * STEPS_A_SECOND * T // (work or 1)  # in cases
        if not shards or budget >= T:
            return Share(every, whole=True)
        import random  # loaded where shards are drawn, which is seldom

        draw = random.Random(options.seed)  # noqa: S311
        order, size = draw.sample(every, K), shards[0][1]
        if count := budget // (size + 1):
            return Share(sorted(order[:count]), seed=options.seed)
        (start, stop), length = shards[order[0]], max(1, budget)
        first = draw.randrange(start, stop - length + 1)
        return Share([], stretch=(order[0], first, first + length), seed=options.seed)
    chosen = set(options.shards)
    if options.sample:
        import random

        chosen |= set(random.Random(options.seed).sample(every, min(K, options.sample)))  # noqa: S311
    if chosen and max(chosen) >= K:
        raise Unreadable(f"there is no shard {max(chosen)}: its shards are 0..{K - 1}" if K else "it has no shards")
    seed = options.seed if options.sample else None
    return Share(sorted(chosen), seed=seed) if chosen else Share(every, whole=True)

"""How far a run is: the reports of engines and finished shards, added up.

All this is for people who wait; no result depends on it.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from verifier.core.construction import Construction
from verifier.core.exact import Matrix
from verifier.run.shard import Shard
from verifier.run.stop import TimeIsUp


@dataclass(frozen=True)
class Refuted:
    """The first case reported to fail a claim; the result has the first in the order of cases."""

    claim: str
    matrices: tuple[Matrix, ...]  # none for the construction itself
    rank: int | None = None  # of an orbit


@dataclass(frozen=True)
class ProgressReport:
    done: int  # orbits
    total: int
    kept: int  # how many of those done were read from a checkpoint
    categories: dict[str, int]  # orbits done, by category; the sum may lag behind `done`
    refuted: tuple[Refuted, ...]  # one for each claim
    own: tuple[str, int] | None = None  # before the orbits: a domain of cases of its own, and how many of them are done


class Progress(Protocol):
    """A function that is called with how far a run is: now and then, and at once when a claim is refuted."""

    def __call__(self, so_far: ProgressReport, /) -> None: ...


class Tell(Protocol):
    """A function by which an engine reports how many orbits of its shard are done, perhaps with the shard so far."""

    def __call__(self, done: int, shard: Shard | None = None, /) -> None: ...


class Watch:
    """The Tell of a run; its caller reports finished shards."""

    def __init__(self, g: Construction, progress: Progress, deadline: float | None, *, over_space: bool = True) -> None:
        self.space, self.progress, self.deadline = g.space, progress, deadline
        self.total = self.space.size if over_space else 0
        self.finished = self.running = self.kept = 0  # orbits: of finished shards, under way, from the checkpoint
        self.categories = dict.fromkeys(self.space.categories, 0)  # of finished shards
        self.refuted: dict[str, Refuted] = {}
        self.own: tuple[str, int] | None = None

    def __call__(self, done: int, shard: Shard | None = None, /) -> None:
        """So many orbits of shards that are not finished are done."""
        self._in_time()
        self.running = done
        self.own = None
        if shard is None:
            self._say(self.categories)
        else:
            self._look(shard)
            self._say(self._with(shard))

    def cases(self, domain: str, done: int) -> None:
        """So many cases of claims with cases of their own are done, before the orbits."""
        self._in_time()
        self.own = domain, done
        self._say(self.categories)

    def finish(self, shard: Shard, *, kept: bool = False) -> None:
        size = shard.stop - shard.start
        self.finished += size
        self.running = max(0, self.running - size)
        self.kept += size if kept else 0
        self.categories = self._with(shard)
        self._look(shard)
        self._say(self.categories)

    def refute(self, refuted: Iterable[Refuted]) -> None:
        """Before the orbits."""
        for each in refuted:
            self.refuted[each.claim] = each
            self._say(self.categories)

    def _in_time(self) -> None:
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise TimeIsUp()

    def _with(self, shard: Shard) -> dict[str, int]:
        return {name: self.categories[name] + shard.coverage[name].orbits for name in self.space.categories}

    def _look(self, shard: Shard) -> None:
        for claim, count in shard.claims.items():
            if count.first is not None and claim not in self.refuted:
                self.refuted[claim] = Refuted(claim, self.space.shown(count.first), count.first)

    def _say(self, categories: dict[str, int]) -> None:
        done = min(self.total, self.finished + self.running)
        self.progress(ProgressReport(done, self.total, self.kept, categories, tuple(self.refuted.values()), self.own))

"""How far a run is: what engines and finished shards tell, added up for whoever wants to know.

What is heard here is for people who wait; the result comes from the shards alone.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from verifier.constructions.contextual_map import ContextualMap
from verifier.exact import Matrix
from verifier.exhaustive.shard import Shard
from verifier.exhaustive.stop import TimeIsUp
from verifier.grid import CATEGORIES, multisets, unrank


@dataclass(frozen=True)
class Refuted:
    """A case that a claim fails at, the first that was heard of; the result says which is the first of all."""

    claim: str
    matrices: tuple[Matrix, ...]  # none for the construction itself
    rank: int | None = None  # of an orbit


@dataclass(frozen=True)
class SoFar:
    done: int  # orbits
    total: int
    kept: int  # of those done: from a checkpoint, not of this run
    categories: dict[int, int]  # orbits done, by category, of which has been heard; the others of `done` are still out
    refuted: tuple[Refuted, ...]  # one for each claim


class Progress(Protocol):
    """Is told how far a run is: now and then, and at once when a claim is refuted."""

    def __call__(self, so_far: SoFar, /) -> None: ...


class Tell(Protocol):
    """By which an engine says how many orbits of its shard are done, and perhaps the shard as it stands."""

    def __call__(self, done: int, shard: Shard | None = None, /) -> None: ...


class Watch:
    """The Tell of a run. Its caller says when a shard is finished."""

    def __init__(self, g: ContextualMap, progress: Progress, deadline: float | None) -> None:
        self.g, self.progress, self.deadline = g, progress, deadline
        self.total = multisets(len(g.grid.columns), g.instance.n)
        self.finished = self.running = self.kept = 0  # orbits of finished shards, of the others, of the checkpoint's
        self.categories = dict.fromkeys(CATEGORIES, 0)  # of finished shards
        self.refuted: dict[str, Refuted] = {}

    def __call__(self, done: int, shard: Shard | None = None, /) -> None:
        """So many orbits of shards that are not finished are done."""
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise TimeIsUp()
        self.running = done
        if shard is None:
            self._say(self.categories)
        else:
            self._look(shard)
            self._say(self._with(shard))

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

    def _with(self, shard: Shard) -> dict[int, int]:
        return {c: self.categories[c] + shard.coverage[f"category{c}"].orbits for c in CATEGORIES}

    def _look(self, shard: Shard) -> None:
        for claim, count in shard.claims.items():
            if count.first is not None and claim not in self.refuted:
                X = self.g.grid.matrix(unrank(count.first, len(self.g.grid.columns), self.g.instance.n))
                self.refuted[claim] = Refuted(claim, (X,), count.first)

    def _say(self, categories: dict[int, int]) -> None:
        done = min(self.total, self.finished + self.running)
        self.progress(SoFar(done, self.total, self.kept, categories, tuple(self.refuted.values())))

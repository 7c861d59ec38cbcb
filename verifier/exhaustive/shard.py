"""Shards: stretches of the orbits, by rank, each with its own counts, extremes and digest.

The plan depends on the number of orbits alone, so that the same instance has the same shards whoever runs
it. A digest is the sum, over the orbits of the shard, of

    (rank + 1) . (1 q_1 + 2 q_2 + ... + n q_n)   mod 2^31 - 1,

q in units of delta and in the order of the orbit's columns. It shows damage and disagreement; it proves
nothing.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from gmpy2 import mpq

from verifier.grid import CATEGORIES, Sizes

MOST_SHARDS = 64
LEAST_ORBITS = 1000  # in a shard, when there is more than one
MODULUS = 2**31 - 1


@dataclass(frozen=True)
class Count:
    """What a claim counts in a shard: cases, the failing ones and the first of them, the tightest of each edge."""

    cases: int
    failing: int = 0
    first: int | None = None  # a rank
    edges: dict[str, tuple[mpq, int]] = field(default_factory=dict)  # edge: slack, rank


@dataclass(frozen=True)
class Shard:
    start: int
    stop: int
    coverage: dict[str, Sizes]
    digest: mpq  # whole, unless some value is no multiple of delta (a variant's, never the paper's)
    claims: dict[str, Count]


@dataclass(frozen=True)
class Part:
    """A shard, and what claims about pairs of orbits need of it beyond the certificate.

    The literal network collects values. The kernel decodes instead: every value was seen to lead back to its
    own orbit, and `nearest` is the least distance of an entry from the next context's, with its rank.
    """

    shard: Shard
    values: dict[str, list[tuple[Any, int]]] | None = None
    nearest: tuple[int, int] | None = None
    instead: str = ""  # what ran it, in words, where the engine met an orbit that isn't as the paper claims


def plan(orbits: int) -> list[tuple[int, int]]:
    """The ranks [start, stop) of each shard: as equal as can be, and tiling 0..orbits."""
    shards = max(1, min(MOST_SHARDS, orbits // LEAST_ORBITS))
    edges = [k * orbits // shards for k in range(shards + 1)]
    return list(pairwise(edges))


def add_up(counts: Iterable[Count]) -> Count:
    """What a claim counts in several shards together; they come in order, and of equals the first is kept."""
    cases, failing = 0, 0
    first: int | None = None
    edges: dict[str, tuple[mpq, int]] = {}
    for count in counts:
        cases += count.cases
        failing += count.failing
        if first is None:
            first = count.first
        for edge, found in count.edges.items():
            edges[edge] = min(found, edges.get(edge, found))
    return Count(cases, failing, first, edges)


def total_up(parts: Iterable[dict[str, Sizes]]) -> dict[str, Sizes]:
    """The categories of several stretches added up, and their total."""
    parts = list(parts)
    names = [f"category{c}" for c in CATEGORIES]
    summed = {
        name: Sizes(sum(part[name].matrices for part in parts), sum(part[name].orbits for part in parts))
        for name in names
    }
    total = Sizes(sum(summed[name].matrices for name in names), sum(summed[name].orbits for name in names))
    return summed | {"total": total}

"""Shards: stretches of a space, by rank, each with its own counts, extremes and digest.

The plan depends on the number of cases alone, so that the same instance has the same shards whoever runs it. A digest
is the sum of a number for each case, which the space defines (for the orbits of G+, (rank + 1) . (1 q_1 + 2 q_2 + ... +
n q_n), q in units of delta and in the order of the orbit's columns), modulo 2^31 - 1. It reveals damage and
disagreement; it proves nothing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from gmpy2 import mpq

from verifier.core.claim import Relation
from verifier.core.space import Sizes
from verifier.run.stop import Disagreement

MOST_SHARDS = 64
LEAST_ORBITS = 1000  # of a shard, if there are several
MODULUS = 2**31 - 1
LITERALLY, BY_CHANGES = "the literal network", "the layers that change a case, and lemmas about the others"
INSTEAD = ("", LITERALLY, BY_CHANGES)  # what may run a stretch in place of the engine that was chosen


@dataclass(frozen=True)
class Count:
    """What a claim counts in a shard: its cases, the failing ones and the first of these, and each edge's tightest
    case."""

    cases: int
    failing: int = 0
    first: int | None = None  # a rank
    edges: dict[str, tuple[mpq, int]] = field(default_factory=dict)  # edge: slack, rank


@dataclass(frozen=True)
class Shard:
    start: int
    stop: int
    coverage: dict[str, Sizes]
    digest: mpq  # whole; a fraction only where a variant's value is no multiple of delta
    claims: dict[str, Count]

    def __repr__(self) -> str:
        """In a line; its fields have the counts."""
        return f"<cases {self.start:,} to {self.stop - 1:,}: {len(self.claims)} claims counted>"


@dataclass(frozen=True)
class Part:
    """A shard, with what claims about pairs of cases need beyond what the certificate says.

    For each such claim the literal network collects values. A kernel may decode them instead, that is, see that each
    value leads back to its own case; then the claim has no values here, and `nearest` is the least distance between
    values of two different cases, with the rank of the first.
    """

    shard: Shard
    values: dict[str, list[tuple[Any, int]]] = field(default_factory=dict)
    nearest: tuple[int, int] | None = None
    instead: str = ""  # what ran it after the engine met a case that isn't as the paper claims
    relations: dict[tuple[str, str], Relation] = field(default_factory=dict, compare=False)  # those that were kept


def merged(first: Part, second: Part) -> Part:
    """Two parts of the same stretch, about different claims, as one."""
    a, b = first.shard, second.shard
    if (a.start, a.stop, a.coverage, a.digest) != (b.start, b.stop, b.coverage, b.digest):
        raise Disagreement(f"two engines count ranks {a.start}..{a.stop - 1} differently")
    return Part(
        replace(a, claims=a.claims | b.claims),
        first.values | second.values,
        first.nearest,
        first.instead,
        first.relations | second.relations,
    )


class Impossible(ValueError):
    """A shard whose numbers contradict each other."""


def refuse_impossible(part: Part, claims: Iterable[str], categories: Sequence[str], *, kernel: bool) -> None:
    """Raises Impossible for numbers that no run of this stretch can give. (Numbers that are possible and wrong are for
    the independent checker to find.)"""
    shard = part.shard
    orbits = shard.stop - shard.start

    def insist(good: bool, what: str) -> None:
        if not good:
            raise Impossible(what)

    def is_rank(rank: object) -> bool:
        return type(rank) is int and shard.start <= rank < shard.stop

    insist(set(shard.coverage) == {*categories, "total"}, "its categories are others")
    for sizes in shard.coverage.values():
        insist(all(type(x) is int and x >= 0 for x in (sizes.matrices, sizes.orbits)), "a negative count")
        insist(sizes.matrices >= sizes.orbits, "fewer matrices than orbits")
    insist(shard.coverage == total_up([shard.coverage]), "its categories don't add up to its total")
    insist(shard.coverage["total"].orbits == orbits, "its orbits are not as many as its ranks")
    insist(0 <= shard.digest < MODULUS, "its digest is no residue")
    insist(set(shard.claims) == set(claims), "its claims are others")
    for count in shard.claims.values():
        insist(type(count.cases) is int and type(count.failing) is int, "a count that is no whole number")
        insist(count.cases <= shard.coverage["total"].matrices, "a claim has more cases than there are")
        insist(0 <= count.failing <= count.cases, "more failing cases than cases")
        insist(is_rank(count.first) if count.failing else count.first is None, "its first failing case is elsewhere")
        for slack, rank in count.edges.values():
            insist(slack >= 0 and is_rank(rank) and count.cases > 0, "a tightest case that can't be one")
    insist(set(part.values) <= set(claims), "values of other claims")
    for found in part.values.values():
        insist(all(is_rank(rank) for _, rank in found), "a value of another stretch")
    insist(part.nearest is None or (part.nearest[0] > 0 and is_rank(part.nearest[1])), "its nearest pair can't be one")
    insist(kernel or part.nearest is None, "a nearest pair that only the kernel finds")
    insist(part.instead in INSTEAD, "it was run by nobody that we know")


def plan(orbits: int) -> list[tuple[int, int]]:
    """The ranks [start, stop) of each shard: as equal as can be, and tiling 0..orbits."""
    shards = max(1, min(MOST_SHARDS, orbits // LEAST_ORBITS))
    edges = [k * orbits // shards for k in range(shards + 1)]
    return list(pairwise(edges))


def add_up(counts: Iterable[Count]) -> Count:
    """What a claim counts in several shards together, which come in order; among equally tight cases the first is
    kept."""
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
    summed: dict[str, Sizes] = {}
    matrices, orbits = 0, 0
    for part in parts:
        for name, sizes in part.items():
            if name != "total":
                before = summed.get(name, Sizes(0, 0))
                summed[name] = Sizes(before.matrices + sizes.matrices, before.orbits + sizes.orbits)
                matrices, orbits = matrices + sizes.matrices, orbits + sizes.orbits
    return summed | {"total": Sizes(matrices, orbits)}

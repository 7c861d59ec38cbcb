"""Shards: stretches of the orbits, by rank, each with its own counts, extremes and digest.

The plan depends on the number of orbits alone, so that the same instance has the same shards whoever runs
it. A digest is the sum, over the orbits of the shard, of

    (rank + 1) . (1 q_1 + 2 q_2 + ... + n q_n)   mod 2^31 - 1,

q in units of delta and in the order of the orbit's columns. It shows damage and disagreement; it proves
nothing.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from gmpy2 import mpq

from verifier.claims.case import Case
from verifier.claims.claim import Claim, Relation, Relations
from verifier.constructions.contextual_map import ContextualMap
from verifier.grid import CATEGORIES, Sizes, orbit_size

MOST_SHARDS = 64
LEAST_ORBITS = 1000  # in a shard, when there is more than one
MODULUS = 2**31 - 1

At = tuple[int, ...]  # the numbers of the cases that a relation is about


def plan(orbits: int) -> list[tuple[int, int]]:
    """The ranks [start, stop) of each shard: as equal as can be, and tiling 0..orbits."""
    shards = max(1, min(MOST_SHARDS, orbits // LEAST_ORBITS))
    edges = [k * orbits // shards for k in range(shards + 1)]
    return list(pairwise(edges))


@dataclass
class Tally:
    """What one claim has seen so far; of equals, the first in the order of cases is kept."""

    claim: Claim
    cases: int = 0
    failing: int = 0
    first: tuple[At, Relation] | None = None
    edges: dict[str, tuple[mpq, At, Relation]] = field(default_factory=dict)
    values: list[tuple[Any, int]] = field(default_factory=list)
    concluded: bool = False  # whether there was anything to conclude from all cases together

    def see(self, number: int, case: Any) -> None:
        if not self.claim.domain.selects(case):
            return
        self.cases += self.claim.domain.weight(case)
        if self.claim.collect:
            self.values.extend((value, number) for value in self.claim.collect(case))
        if self.claim.check:
            self.weigh(self.claim.check(case), (number,))

    def weigh(self, relations: Relations, case: At = ()) -> int:
        """Takes in the relations of one case, or of the conclusion, and says how many they were."""
        failing = set()
        count = 0
        for relation in relations:
            count += 1
            at = relation.cases or case
            if not relation.holds:
                failing.add(at)
                self._fail(at, relation)
            elif (slack := relation.slack) is not None:
                self._tighten(relation.edge, slack, at, relation)
        self.failing += len(failing)
        return count

    def merge(self, other: "Tally") -> None:
        self.cases += other.cases
        self.failing += other.failing
        self.values += other.values
        if other.first:
            self._fail(*other.first)
        for edge, found in other.edges.items():
            self._tighten(edge, *found)

    def _fail(self, at: At, relation: Relation) -> None:
        if self.first is None or at < self.first[0]:
            self.first = (at, relation)

    def _tighten(self, edge: str, slack: mpq, at: At, relation: Relation) -> None:
        best = self.edges.get(edge)
        if best is None or (slack, at) < best[:2]:
            self.edges[edge] = (slack, at, relation)


@dataclass(frozen=True)
class Shard:
    start: int
    stop: int
    coverage: dict[str, Sizes]
    digest: mpq  # whole, unless some value is no multiple of delta (a variant's, never the paper's)
    tallies: tuple[Tally, ...]


def digest_of(case: Case) -> mpq:
    """(rank + 1) . sum_j j q_j, in units of delta."""
    total = mpq(0)
    for j, q in enumerate(case.map.grid.ids(case.final_matrix), start=1):
        total += j * q
    return (case.number + 1) * case.map.instance.N * total


def run_shard(g: ContextualMap, claims: Sequence[Claim], start: int, stop: int) -> Iterator[Shard | None]:
    """Runs the orbits of rank start..stop-1; yields None after each of them, and the shard at last."""
    tallies = tuple(Tally(claim) for claim in claims)
    matrices, orbits = dict.fromkeys(CATEGORIES, 0), dict.fromkeys(CATEGORIES, 0)
    digest = mpq(0)
    for number, orbit in enumerate(g.grid.orbits(start, stop), start=start):
        case = Case(g, number, orbit)
        orbits[case.category] += 1
        matrices[case.category] += orbit_size(orbit)
        digest += digest_of(case)
        for tally in tallies:
            tally.see(number, case)
        yield None
    coverage = {f"category{c}": Sizes(matrices[c], orbits[c]) for c in CATEGORIES}
    yield Shard(start, stop, total_up([coverage]), digest % MODULUS, tallies)


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

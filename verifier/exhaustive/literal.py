"""A shard through the literal network: every layer on every orbit, and every claim's own check on each."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from gmpy2 import mpq

from verifier.claims.case import Case
from verifier.claims.claim import Claim, Relation, Relations
from verifier.constructions.contextual_map import ContextualMap
from verifier.exhaustive.shard import MODULUS, Count, Part, Shard, total_up
from verifier.exhaustive.watch import Tell
from verifier.grid import CATEGORIES, Sizes, orbit_size, unrank

At = tuple[int, ...]  # the numbers of the cases that a relation is about


@dataclass
class Tally:
    """What one claim has seen so far; of equals, the first in the order of cases is kept."""

    claim: Claim
    cases: int = 0
    failing: int = 0
    first: tuple[At, Relation] | None = None
    edges: dict[str, tuple[mpq, At, Relation]] = field(default_factory=dict)
    values: list[tuple[Any, int]] = field(default_factory=list)

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
                self.fail(at, relation)
            elif (slack := relation.slack) is not None:
                self.tighten(slack, at, relation)
        self.failing += len(failing)
        return count

    def fail(self, at: At, relation: Relation) -> None:
        if self.first is None or at < self.first[0]:
            self.first = (at, relation)

    def tighten(self, slack: mpq, at: At, relation: Relation) -> None:
        best = self.edges.get(relation.edge)
        if best is None or (slack, at) < best[:2]:
            self.edges[relation.edge] = (slack, at, relation)

    def count(self) -> Count:
        """As a shard has it: where the relations stand, and not the relations."""
        edges = {edge: (slack, at[0]) for edge, (slack, at, _) in self.edges.items()}
        return Count(self.cases, self.failing, self.first and self.first[0][0], edges)


def digest_of(case: Case) -> mpq:
    """(rank + 1) . sum_j j q_j, in units of delta."""
    total = mpq(0)
    for j, q in enumerate(case.map.grid.ids(case.final_matrix), start=1):
        total += j * q
    return (case.number + 1) * case.map.instance.N * total


def run_literally(
    g: ContextualMap, claims: Sequence[Claim], start: int, stop: int, tell: Tell = lambda *_: None
) -> Part:
    """The orbits of rank start..stop-1; `tell` is called after each with how many are done, and the shard so far."""
    tallies = tuple(Tally(claim) for claim in claims)
    matrices, orbits = dict.fromkeys(CATEGORIES, 0), dict.fromkeys(CATEGORIES, 0)
    digest = mpq(0)

    def shard(stop: int) -> Shard:
        coverage = total_up([{f"category{c}": Sizes(matrices[c], orbits[c]) for c in CATEGORIES}])
        return Shard(start, stop, coverage, digest % MODULUS, {t.claim.id: t.count() for t in tallies})

    for number, orbit in enumerate(g.grid.orbits(start, stop), start=start):
        case = Case(g, number, orbit)
        orbits[case.category] += 1
        matrices[case.category] += orbit_size(orbit)
        digest += digest_of(case)
        for tally in tallies:
            tally.see(number, case)
        tell(number + 1 - start, shard(number + 1))
    return Part(shard(stop), values={tally.claim.id: tally.values for tally in tallies if tally.values})


def case_at(g: ContextualMap, rank: int) -> Case:
    return Case(g, rank, unrank(rank, len(g.grid.columns), g.instance.n))

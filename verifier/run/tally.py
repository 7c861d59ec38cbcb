"""What a run has found out about one claim: how many cases, which fail, and the tightest case of each inequality."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from gmpy2 import mpq

from verifier.core.claim import Claim, Relation, Relations, wrong_with
from verifier.run.shard import Count
from verifier.run.stop import Disagreement

At = tuple[int, ...]  # the numbers of the cases that a relation is about
Found = Relation | None  # None until it is needed: many cases at once make no relation of a single one


@dataclass
class Tally:
    """What was found out about one claim so far; among equally tight cases the first is kept."""

    claim: Claim
    cases: int = 0
    failing: int = 0
    first: tuple[At, Found] | None = None
    edges: dict[str, tuple[mpq, At, Found]] = field(default_factory=dict)
    values: list[tuple[Any, int]] = field(default_factory=list)

    def see(self, number: int, case: Any) -> None:
        if not self.claim.domain.selects(case):
            return
        claim = self.claim
        try:
            values = [(value, number) for value in claim.collect(case)] if claim.collect else []
            said = bool(values) or not (claim.check or claim.collect)  # without these it is about all cases together
            if claim.check and self.weigh(claim.check(case), (number,)):
                said = True
        except Exception as error:  # whatever a claim of one's own raises
            error.add_note(f"in {claim.id}, at the case of rank {number}: {case!r:.200}")
            raise
        self.values += values
        if said or claim.silence_holds:
            self.cases += claim.domain.weight(case)

    def weigh(self, relations: Relations, case: At = ()) -> bool:
        """Takes in the relations of one case, or of the conclusion, and returns whether there were any."""
        if relations is None:
            raise TypeError(
                f"{self.claim.id}: None instead of relations; `yield Relation(...)`, or return a list of them"
            )
        failing = set()
        said = False
        for relation in relations:
            if wrong := wrong_with(relation):
                raise ValueError(f"{self.claim.id}: {wrong}")
            said = True
            at = relation.cases or case
            if not relation.holds:
                failing.add(at)
                self.fail(at, relation)
            elif (slack := relation.slack) is not None:
                self.tighten(slack, at, relation.edge, relation)
        self.failing += len(failing)
        return said

    def fail(self, at: At, relation: Found) -> None:
        if self.first is None or at < self.first[0]:
            self.first = (at, relation)

    def tighten(self, slack: mpq, at: At, edge: str, relation: Found) -> None:
        best = self.edges.get(edge)
        if best is None or (slack, at) < best[:2]:
            self.edges[edge] = (slack, at, relation)

    def settle(self, case: Callable[[int], Any]) -> None:
        """Makes the relations that stand out and weren't kept, each from its own case."""
        if self.first is not None and self.first[1] is None:
            at = self.first[0]
            self.first = (at, self._made(at[0], case, "", None))
        for edge, (slack, at, relation) in self.edges.items():
            if relation is None:
                self.edges[edge] = (slack, at, self._made(at[0], case, edge, slack))

    def _made(self, number: int, case: Callable[[int], Any], edge: str, slack: mpq | None) -> Relation:
        relations = self.claim.check(case(number)) if self.claim.check else iter(())
        found = next((relation for relation in relations if stands_out(relation, edge, slack)), None)
        if found is None:
            words = "no failing relation" if slack is None else f"no slack {slack} of {edge}"
            raise Disagreement(f"{self.claim.id}: the literal network has {words} at case {number}")
        return found

    def count(self) -> Count:
        """What a shard says: the ranks of the relations that stand out, without the relations."""
        edges = {edge: (slack, at[0]) for edge, (slack, at, _) in self.edges.items()}
        return Count(self.cases, self.failing, self.first and self.first[0][0], edges)

    def relations(self) -> dict[tuple[str, str], Relation]:
        """The relations that stand out, by claim and edge, if they were kept; the edge of the failing one is ""."""
        found = {(self.claim.id, edge): relation for edge, (_, _, relation) in self.edges.items()}
        if self.first is not None:
            found[self.claim.id, ""] = self.first[1]
        return {key: relation for key, relation in found.items() if relation is not None}


def stands_out(relation: Relation, edge: str, slack: mpq | None) -> bool:
    """Whether this is the relation that a count means: it fails (no slack), or has this slack at this edge."""
    if slack is None:
        return not relation.holds
    return relation.edge == edge and relation.holds and relation.slack == slack

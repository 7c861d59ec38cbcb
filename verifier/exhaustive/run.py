"""One pass over every orbit of G+ through the literal network, and what each claim makes of it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from gmpy2 import mpq

from verifier.claims.case import Case, Column
from verifier.claims.claim import Claim, Relation, Relations, Seen
from verifier.claims.registry import default_claims
from verifier.constructions.contextual_map import ContextualMap
from verifier.exact import Matrix
from verifier.grid import CATEGORIES, Sizes, closed_form_sizes, multisets, orbit_size, unrank

Progress = Callable[[int, int], None]


class Miscounted(Exception):
    """The cases that were enumerated are not as many as the formulas say: no verdict can stand on them."""


@dataclass(frozen=True)
class Evidence:
    """A relation, and the matrices that it is about: one, two for a pair, none for the construction itself."""

    relation: Relation
    matrices: tuple[Matrix, ...]

    @property
    def slack(self) -> mpq:
        """How far an inequality is from failing."""
        slack = self.relation.slack
        if slack is None:
            raise ValueError(f"{self.relation.name} = {self.relation.bound_name} is an equality; it has no slack")
        return slack


@dataclass(frozen=True)
class Finding:
    """What a run established about one claim."""

    claim: Claim
    verdict: str  # holds, refuted, vacuous (no case exists) or skipped (`why` says why)
    cases: int
    failing: int = 0  # how many cases a refuted claim fails at
    edges: tuple[Evidence, ...] = ()  # the tightest case of each inequality that the claim is made of
    counterexample: Evidence | None = None
    why: str = ""

    @property
    def tightest(self) -> Evidence | None:
        """The edge with the least slack, of those that are about a matrix if there are any."""
        return min(self.edges, key=lambda edge: (not edge.matrices, edge.slack), default=None)


@dataclass(frozen=True)
class Result:
    map: ContextualMap
    coverage: dict[str, Sizes]
    findings: tuple[Finding, ...]

    @property
    def verdict(self) -> str:
        verdicts = {finding.verdict for finding in self.findings}
        if "refuted" in verdicts:
            return "refuted"
        return "incomplete" if "skipped" in verdicts else "holds"

    def __getitem__(self, claim_id: str) -> Finding:
        return next(finding for finding in self.findings if finding.claim.id == claim_id)

    @property
    def refuted(self) -> list[str]:
        return [finding.claim.id for finding in self.findings if finding.verdict == "refuted"]


@dataclass
class _Tally:
    """What one claim has seen so far; of equals, the first in the order of cases is kept."""

    claim: Claim
    cases: int = 0
    failing: set[tuple[int, ...]] = field(default_factory=set)
    first: tuple[tuple[int, ...], Relation] | None = None
    edges: dict[str, tuple[mpq, tuple[int, ...], Relation]] = field(default_factory=dict)
    values: list[tuple[Any, int]] = field(default_factory=list)
    compared: bool = False

    def see(self, number: int, case: Any) -> None:
        if not self.claim.domain.selects(case):
            return
        self.cases += self.claim.domain.weight(case)
        if self.claim.collect:
            self.values.extend((value, number) for value in self.claim.collect(case))
        if self.claim.check:
            self.weigh(self.claim.check(case), (number,))

    def weigh(self, relations: Relations, case: tuple[int, ...]) -> None:
        for relation in relations:
            self.compared = True
            at = relation.cases or case
            if not relation.holds:
                self.failing.add(at)
                if self.first is None or at < self.first[0]:
                    self.first = (at, relation)
                continue
            slack = relation.slack
            if slack is None:
                continue
            best = self.edges.get(relation.edge)
            if best is None or (slack, at) < best[:2]:
                self.edges[relation.edge] = (slack, at, relation)


def verify(g: ContextualMap, claims: Sequence[Claim] | None = None, progress: Progress | None = None) -> Result:
    """Checks the claims (default: the contextual-map family) on every point of their domains.

    `progress` is told, now and then, how many orbits of how many are done.
    """
    tallies = {claim: _Tally(claim) for claim in (default_claims() if claims is None else claims)}
    reasons = {claim: claim.skip(g) for claim in tallies}
    active = [tally for claim, tally in tallies.items() if reasons[claim] is None]

    by_kind = {kind: [t for t in active if t.claim.domain.kind == kind] for kind in ("orbit", "column", "whole")}
    for number, entries in enumerate(g.grid.columns):
        for tally in by_kind["column"]:
            tally.see(number, Column(g, number, entries))
    for tally in by_kind["whole"]:
        tally.see(0, g)
    coverage = _orbits(g, by_kind["orbit"], progress)

    if coverage != closed_form_sizes(g.instance) and not any(claim.id == "grid.sizes" for claim in tallies):
        raise Miscounted(
            f"{coverage} was enumerated, and the formulas give {closed_form_sizes(g.instance)};"
            " choose grid.sizes to have this as a refuted claim"
        )
    for tally in active:
        if tally.claim.conclude and tally.cases:
            tally.weigh(tally.claim.conclude(g, Seen(coverage, tally.values)), ())
    return Result(g, coverage, tuple(_finding(g, tally, reasons[claim]) for claim, tally in tallies.items()))


def _orbits(g: ContextualMap, tallies: Iterable[_Tally], progress: Progress | None) -> dict[str, Sizes]:
    """Shows every orbit to the tallies, and counts them by category."""
    tallies = tuple(tallies)
    matrices, orbits = dict.fromkeys(CATEGORIES, 0), dict.fromkeys(CATEGORIES, 0)
    total = multisets(len(g.grid.columns), g.instance.n)
    for number, orbit in enumerate(g.grid.orbits()):
        case = Case(g, number, orbit)
        orbits[case.category] += 1
        matrices[case.category] += orbit_size(orbit)
        for tally in tallies:
            tally.see(number, case)
        if progress:
            progress(number + 1, total)
    coverage = {f"category{c}": Sizes(matrices[c], orbits[c]) for c in CATEGORIES}
    return coverage | {"total": Sizes(sum(matrices.values()), sum(orbits.values()))}


def _finding(g: ContextualMap, tally: _Tally, reason: str | None) -> Finding:
    claim = tally.claim
    if reason is not None:
        return Finding(claim, "skipped", 0, why=reason)
    if tally.first is not None:
        at, relation = tally.first
        counterexample = Evidence(relation, _matrices(g, claim, at))
        return Finding(claim, "refuted", tally.cases, len(tally.failing), counterexample=counterexample)
    if not tally.cases:
        return Finding(claim, "vacuous", 0, why=f"no case exists: {claim.domain.words}")
    why = "" if tally.compared or not claim.conclude else "there is one case only, so no two to tell apart"
    edges = tuple(Evidence(relation, _matrices(g, claim, at)) for _, (_, at, relation) in sorted(tally.edges.items()))
    return Finding(claim, "holds", tally.cases, edges=edges, why=why)


def _matrices(g: ContextualMap, claim: Claim, at: tuple[int, ...]) -> tuple[Matrix, ...]:
    if claim.domain.kind == "whole":
        return ()
    if claim.domain.kind == "column":
        return tuple(Column(g, number, g.grid.columns[number]).X for number in at)
    return tuple(g.grid.matrix(unrank(number, len(g.grid.columns), g.instance.n)) for number in at)

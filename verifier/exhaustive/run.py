"""One pass over every orbit of G+ through the literal network, and what each claim makes of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gmpy2 import mpq

from verifier.claims.case import Column
from verifier.claims.claim import Claim, Relation, Seen
from verifier.claims.registry import default_claims
from verifier.constructions.contextual_map import ContextualMap
from verifier.exact import Matrix
from verifier.exhaustive.shard import Shard, Tally, plan, run_shard, total_up
from verifier.grid import Sizes, closed_form_sizes, multisets, unrank

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
    shards: tuple[Shard, ...]

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


def verify(g: ContextualMap, claims: Sequence[Claim] | None = None, progress: Progress | None = None) -> Result:
    """Checks the claims (default: the contextual-map family) on every point of their domains.

    `progress` is told, now and then, how many orbits of how many are done.
    """
    tallies = {claim: Tally(claim) for claim in (default_claims() if claims is None else claims)}
    reasons = {claim: claim.skip(g) for claim in tallies}
    active = [tally for claim, tally in tallies.items() if reasons[claim] is None]

    for number, entries in enumerate(g.grid.columns):
        for tally in active:
            if tally.claim.domain.kind == "column":
                tally.see(number, Column(g, number, entries))
    for tally in active:
        if tally.claim.domain.kind == "whole":
            tally.see(0, g)
    of_orbits = [tally for tally in active if tally.claim.domain.kind == "orbit"]
    shards = _shards(g, [tally.claim for tally in of_orbits], progress)
    for shard in shards:
        for tally, part in zip(of_orbits, shard.tallies, strict=True):
            tally.merge(part)
    coverage = total_up(shard.coverage for shard in shards)

    if coverage != closed_form_sizes(g.instance) and not any(claim.id == "grid.sizes" for claim in tallies):
        raise Miscounted(
            f"{coverage} was enumerated, and the formulas give {closed_form_sizes(g.instance)};"
            " choose grid.sizes to have this as a refuted claim"
        )
    for tally in active:
        if tally.claim.conclude and tally.cases:
            tally.concluded = tally.weigh(tally.claim.conclude(g, Seen(coverage, tally.values))) > 0
    findings = tuple(_finding(g, tally, reasons[claim]) for claim, tally in tallies.items())
    return Result(g, coverage, findings, shards)


def _shards(g: ContextualMap, claims: Sequence[Claim], progress: Progress | None) -> tuple[Shard, ...]:
    total = multisets(len(g.grid.columns), g.instance.n)
    shards = []
    done = 0
    for start, stop in plan(total):
        for shard in run_shard(g, claims, start, stop):
            if shard is not None:
                shards.append(shard)
                continue
            done += 1
            if progress:
                progress(done, total)
    return tuple(shards)


def _finding(g: ContextualMap, tally: Tally, reason: str | None) -> Finding:
    claim = tally.claim
    if reason is not None:
        return Finding(claim, "skipped", 0, why=reason)
    if tally.first is not None:
        at, relation = tally.first
        counterexample = Evidence(relation, _matrices(g, claim, at))
        return Finding(claim, "refuted", tally.cases, tally.failing, counterexample=counterexample)
    if not tally.cases:
        return Finding(claim, "vacuous", 0, why="no case exists")
    if claim.conclude and not tally.concluded:
        why = "a single orbit: no pair exists"
        if not claim.check:
            return Finding(claim, "vacuous", 0, why=why)
    else:
        why = ""
    edges = tuple(Evidence(relation, _matrices(g, claim, at)) for _, (_, at, relation) in sorted(tally.edges.items()))
    return Finding(claim, "holds", tally.cases, edges=edges, why=why)


def _matrices(g: ContextualMap, claim: Claim, at: tuple[int, ...]) -> tuple[Matrix, ...]:
    if claim.domain.kind == "whole":
        return ()
    if claim.domain.kind == "column":
        return tuple(Column(g, number, g.grid.columns[number]).X for number in at)
    return tuple(g.grid.matrix(unrank(number, len(g.grid.columns), g.instance.n)) for number in at)

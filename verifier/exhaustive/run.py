"""One pass over every orbit of G+, shard by shard, and what each claim makes of it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gmpy2 import mpq

from verifier.claims.case import Column
from verifier.claims.claim import Claim, Relation, Seen
from verifier.claims.registry import choose, default_claims
from verifier.constructions.contextual_map import ContextualMap
from verifier.exact import Matrix, bracketed, value_text
from verifier.exhaustive.checkpoint import Checkpoint, identity
from verifier.exhaustive.engine import Engine, choose_engine, literal_engine, nearest_pair
from verifier.exhaustive.literal import Tally, case_at
from verifier.exhaustive.pool import Stretch, can_be_sent, cores, run_in_processes
from verifier.exhaustive.shard import Part, Shard, add_up, plan, total_up
from verifier.exhaustive.stop import Disagreement, Miscounted, TimeIsUp, UnknownEngine
from verifier.exhaustive.watch import Progress, Refuted, Watch
from verifier.grid import Sizes, closed_form_sizes, unrank
from verifier.interrupts import in_time

WORTH_PROCESSES = 1  # seconds of work; starting a process takes some tenths


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

    def __str__(self) -> str:
        """`q_2 = 27/2, not >= t_r = 16, at [-1/4, 0]`; without the `not` where it holds."""
        relation, op = self.relation, self.relation.op
        bound = value_text(relation.bound)
        bound = bound if bound == relation.bound_name else f"{relation.bound_name} = {bound}"
        where = f", at {' and '.join(map(bracketed, self.matrices))}" if self.matrices else ""
        found = f"{relation.name} = {value_text(relation.value)}"
        return f"{found} {op} {bound}{where}" if relation.holds else f"{found}, not {op} {bound}{where}"


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
    """What a run established; `result["lemma6.1"]` is its finding about that claim."""

    map: ContextualMap
    coverage: dict[str, Sizes]
    findings: tuple[Finding, ...]
    shards: tuple[Shard, ...]
    engine: str  # what ran the orbits, in words

    @property
    def verdict(self) -> str:
        """refuted if any claim is; else incomplete if any was skipped; else holds. Excluded readings don't count."""
        verdicts = {finding.verdict for finding in self.findings if not finding.claim.excluded}
        if "refuted" in verdicts:
            return "refuted"
        return "incomplete" if "skipped" in verdicts else "holds"

    def __getitem__(self, claim_id: str) -> Finding:
        for finding in self.findings:
            if finding.claim.id == claim_id:
                return finding
        raise KeyError(f"{claim_id} was not run; there are {', '.join(f.claim.id for f in self.findings)}")

    @property
    def refuted(self) -> list[str]:
        """The ids of the claims that are refuted."""
        return [finding.claim.id for finding in self.findings if finding.verdict == "refuted"]


@dataclass(frozen=True)
class Way:
    """How a run is made; none of it changes a byte of the certificate.

    engine      "literal", "kernel", or "auto": the literal network where it is quick, or isn't the paper's
    jobs        worker processes; None for one for each core
    checkpoint  a folder that keeps finished shards
    deadline    by time.monotonic(), when to stop
    progress    is told, now and then, how many orbits of how many are done, and at once of a claim that is refuted
    scheduler   the address of a Dask cluster to run the shards on
    say         is told what a person should know
    """

    engine: str = "auto"
    jobs: int | None = 1
    checkpoint: Path | None = None
    deadline: float | None = None
    progress: Progress = lambda _: None
    say: Callable[[str], None] = lambda _: None
    scheduler: str | None = None


def verify(g: ContextualMap, claims: Iterable[Claim | str] | str | None = None, way: Way = Way()) -> Result:
    """Checks the claims (default: the contextual-map family) on every point of their domains.

    Claims are given as in `verify --claims`: ids, families, "all"; or as declarations of one's own.
    """
    if not isinstance(g, ContextualMap):
        raise TypeError(f"{g!r} is no ContextualMap; contextual_map(Instance(1, 3, 4)) makes one")
    return in_time(way.deadline, lambda: _verified(g, claims, way), TimeIsUp())


def _verified(g: ContextualMap, claims: Iterable[Claim | str] | str | None, way: Way) -> Result:
    tallies = {claim: Tally(claim) for claim in (default_claims() if claims is None else _chosen(claims))}
    reasons = {claim: claim.skip(g) for claim in tallies}
    active = [tally for claim, tally in tallies.items() if reasons[claim] is None]

    for number, entries in enumerate(g.grid.columns):
        for tally in active:
            if tally.claim.domain.kind == "column":
                tally.see(number, Column(g, number, entries))
    for tally in active:
        if tally.claim.domain.kind == "whole":
            tally.see(0, g)
    watch = Watch(g, way.progress, way.deadline)
    for cases, sharing in _by_cases(active).items():  # one run of a case serves all claims about it
        for number, case in enumerate(cases(g)):
            watch(0)
            for tally in sharing:
                tally.see(number, case)
    firsts = [(tally.claim, tally.first[0]) for tally in active if tally.first is not None]
    watch.refute(Refuted(claim.id, _matrices(g, claim, at)) for claim, at in firsts)
    of_orbits = [tally for tally in active if tally.claim.domain.kind == "orbit"]
    engine = choose_engine(g, [tally.claim for tally in of_orbits], way.engine)
    over_orbits = [tally.claim for tally in of_orbits]
    parts = _parts(g, over_orbits, engine, way, watch)
    if way.checkpoint and _miscounted(g, parts):
        way.say("orbits were miscounted: what was kept is not believed, and every shard is run again")
        parts = _parts(g, over_orbits, engine, replace(way, checkpoint=None), Watch(g, way.progress, way.deadline))
    if engine.name == "kernel":
        parts = _looked_at_again(g, over_orbits, parts, way)
    _take_in(g, of_orbits, parts)
    coverage = total_up(part.shard.coverage for part in parts)

    if coverage != closed_form_sizes(g.instance) and not any(claim.id == "grid.sizes" for claim in tallies):
        raise Miscounted(
            f"{coverage} was enumerated, and the formulas give {closed_form_sizes(g.instance)};"
            " choose grid.sizes to have this as a refuted claim"
        )
    concluded = {
        tally.claim: bool(tally.weigh(tally.claim.conclude(g, Seen(coverage, _values(tally, parts)))))
        for tally in active
        if tally.claim.conclude and tally.cases
    }
    findings = tuple(_finding(g, tally, reasons[claim], concluded.get(claim, True)) for claim, tally in tallies.items())
    return Result(g, coverage, findings, tuple(part.shard for part in parts), engine.words_for(parts))


def _chosen(claims: Iterable[Claim | str] | str) -> list[Claim]:
    claims = claims.split(",") if isinstance(claims, str) else list(claims)
    own = [claim for claim in claims if isinstance(claim, Claim)]
    named = [name for name in claims if not isinstance(name, Claim)]
    chosen = own + (choose(named) if named or not own else [])
    return list({claim.id: claim for claim in chosen}.values())


def _by_cases(tallies: Iterable[Tally]) -> dict[Callable[[ContextualMap], Iterable[Any]], list[Tally]]:
    """The claims with cases of their own, those together whose cases are the same."""
    sharing: dict[Callable[[ContextualMap], Iterable[Any]], list[Tally]] = {}
    for tally in tallies:
        if tally.claim.domain.kind == "own":
            sharing.setdefault(tally.claim.domain.cases, []).append(tally)
    return sharing


def _parts(
    g: ContextualMap,
    claims: Sequence[Claim],
    engine: Engine,
    way: Way,
    watch: Watch,
    only: Sequence[Stretch] | None = None,
) -> list[Part]:
    """Every shard (or only these): from the checkpoint, from other processes, or run here."""
    parts: dict[int, Part] = {}
    kept = Checkpoint(way.checkpoint, identity(g, claims, engine.name)) if way.checkpoint else None

    def take(index: int, part: Part) -> None:
        parts[index] = part
        if kept:
            kept.save(index, part)
        watch.finish(part.shard)

    left = []
    wanted = [(index, *stretch) for index, stretch in enumerate(plan(watch.total))] if only is None else only
    for index, start, stop in wanted:
        part = kept.load(index, start, stop) if kept else None
        if part:
            parts[index] = part
            watch.finish(part.shard, kept=True)
        else:
            left.append((index, start, stop))
    if kept and kept.damaged:
        way.say(f"damaged, and run again: {', '.join(kept.damaged)}")
    jobs = min(len(left), cores() if way.jobs is None else way.jobs)
    if way.scheduler is not None:
        if not can_be_sent(claims):
            raise UnknownEngine("a claim of one's own can't be sent to a cluster")
        from verifier.exhaustive.cluster import run_on_cluster

        for index, part in run_on_cluster(way.scheduler, engine.recipe, claims, left, way.deadline, way.say):
            take(index, part)
    elif jobs > 1 and engine.seconds(watch.total) > WORTH_PROCESSES and can_be_sent(claims):
        for index, part in run_in_processes(engine.recipe, claims, left, jobs, way.deadline, watch, way.say):
            take(index, part)
    else:
        for index, start, stop in left:
            take(index, engine.run(start, stop, watch))
    return [parts[index] for index in sorted(parts)]


def _miscounted(g: ContextualMap, parts: Sequence[Part]) -> bool:
    return total_up(part.shard.coverage for part in parts) != closed_form_sizes(g.instance)


def _looked_at_again(g: ContextualMap, claims: Sequence[Claim], parts: list[Part], way: Way) -> list[Part]:
    """What the kernel has run, by the literal network where the parts together call for it.

    A value that doesn't decode is no collision yet: one is looked for among the values of all orbits, so that it is a
    pair of orbits in hand. And orbits that are not as many as they must be were miscounted, which refutes nothing.
    """
    miscounted = _miscounted(g, parts)
    undecoded = any(part.values is not None for part in parts) and any(claim.collect for claim in claims)
    stretches = [
        (index, part.shard.start, part.shard.stop)
        for index, part in enumerate(parts)
        if (miscounted and not part.instead) or (undecoded and part.values is None)
    ]
    if not stretches:
        return parts
    way.say(
        f"{'orbits were miscounted' if miscounted else 'a value does not decode'}: the literal network runs the rest"
    )
    watch = Watch(g, way.progress, way.deadline)
    for part in parts:
        if all(start != part.shard.start for _, start, _ in stretches):
            watch.finish(part.shard, kept=True)
    again = _parts(g, claims, literal_engine(g, claims), replace(way, checkpoint=None), watch, stretches)
    parts = list(parts)
    for (index, *_), part in zip(stretches, again, strict=True):
        parts[index] = replace(part, instead="the literal network")
    return parts


def _take_in(g: ContextualMap, tallies: Sequence[Tally], parts: Sequence[Part]) -> None:
    """What the shards counted; every relation that stands out is made again by the literal network, orbit by orbit.

    So are the values of the two nearest orbits, for a claim about pairs, where the kernel has decoded all.
    """
    wanted: dict[int, list[tuple[Tally, str, mpq | None]]] = {}
    pairs: dict[int, list[tuple[Tally, Callable[[Any], Iterable[Any]]]]] = {}
    for tally in tallies:
        count = add_up(part.shard.claims[tally.claim.id] for part in parts)
        tally.cases, tally.failing = count.cases, count.failing
        if count.first is not None:
            wanted.setdefault(count.first, []).append((tally, "", None))
        for edge, (least, at) in count.edges.items():
            wanted.setdefault(at, []).append((tally, edge, least))
        collect = tally.claim.collect
        if collect and any(part.values is None for part in parts):
            for at in nearest_pair(g, tally.claim.id, parts):
                pairs.setdefault(at, []).append((tally, collect))
    for rank in sorted({*wanted, *pairs}):
        case = case_at(g, rank)  # one at a time: its run is as long as the network is deep
        for tally, collect in pairs.get(rank, []):
            tally.values += [(value, rank) for value in collect(case)]
        for tally, edge, slack in wanted.get(rank, []):
            relations = tally.claim.check(case) if tally.claim.check else iter(())
            found = next((relation for relation in relations if _is(relation, edge, slack)), None)
            if found is None:
                words = "no failing relation" if slack is None else f"no slack {slack} of {edge}"
                raise Disagreement(f"{tally.claim.id}: the literal network has {words} at rank {rank}")
            if slack is None:
                tally.fail((rank,), found)
            else:
                tally.tighten(slack, (rank,), found)


def _is(relation: Relation, edge: str, slack: mpq | None) -> bool:
    if slack is None:
        return not relation.holds
    return relation.edge == edge and relation.holds and relation.slack == slack


def _values(tally: Tally, parts: list[Part]) -> list[tuple[Any, int]]:
    """What a claim collected: in the shards, or here."""
    values = list(tally.values)
    for part in parts:
        values += (part.values or {}).get(tally.claim.id, [])
    return values


def _finding(g: ContextualMap, tally: Tally, reason: str | None, concluded: bool) -> Finding:
    claim = tally.claim
    if reason is not None:
        return Finding(claim, "skipped", 0, why=reason)
    if tally.first is not None:
        at, relation = tally.first
        counterexample = Evidence(relation, _matrices(g, claim, at))
        return Finding(claim, "refuted", tally.cases, tally.failing, counterexample=counterexample)
    if not tally.cases:
        return Finding(claim, "vacuous", 0, why="no case exists")
    if not concluded:
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
    if claim.domain.kind == "own":
        wanted = {number: case for number, case in enumerate(claim.domain.cases(g)) if number in at}
        return tuple(X for number in at for X in _matrices_of(wanted[number]))
    if claim.domain.kind == "column":
        return tuple(Column(g, number, g.grid.columns[number]).X for number in at)
    return tuple(g.grid.matrix(unrank(number, len(g.grid.columns), g.instance.n)) for number in at)


def _matrices_of(case: Any) -> tuple[Matrix, ...]:
    """The matrices of a case of a claim's own: two, one, or none."""
    if hasattr(case, "pair"):
        first, second = case.pair
        return first, second
    return (case.X,) if hasattr(case, "X") else ()

"""One pass over the cases of a construction, shard by shard, and what each claim makes of it."""

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from gmpy2 import mpq

from verifier.catalogue import choose_from
from verifier.core.claim import Claim, Collected, Relation
from verifier.core.construction import Construction
from verifier.core.exact import Matrix
from verifier.interrupts import in_time
from verifier.run.checkpoint import Checkpoint, identity
from verifier.run.engine import Engine, choose_engine
from verifier.run.literal import see_all
from verifier.run.pool import Stretch, can_be_sent, cores, run_in_processes
from verifier.run.results import Evidence, Finding, Result
from verifier.run.shard import BY_CHANGES, LITERALLY, Part, add_up, plan, total_up
from verifier.run.stop import Disagreement, Miscounted, TimeIsUp, UnknownEngine
from verifier.run.tally import Tally, stands_out
from verifier.run.watch import Progress, Refuted, Watch

WORTH_PROCESSES = 1  # seconds of work; starting a process takes some tenths


def _warn(words: str) -> None:
    warnings.warn(words, RuntimeWarning, stacklevel=2)


@dataclass(frozen=True, repr=False)
class RunOptions:
    """How a run is made; none of it changes a byte of the certificate.

    engine      "literal", "kernel", or "auto": the literal network where it is quick, or where there is no kernel
    jobs        worker processes; None for one for each core
    checkpoint  a folder that keeps finished shards
    deadline    by time.monotonic(), when to stop
    progress    is called now and then with how many cases are done, and at once when a claim is refuted
    scheduler   the address of a Dask cluster to run the shards on
    say         is called with messages for the person who waits; they are warnings, if nothing is given
    """

    engine: str = "auto"
    jobs: int | None = 1
    checkpoint: Path | None = None
    deadline: float | None = None
    progress: Progress = lambda _: None
    say: Callable[[str], None] = _warn
    scheduler: str | None = None

    def __repr__(self) -> str:
        changed = [one.name for one in fields(self) if getattr(self, one.name) is not one.default]
        return f"RunOptions({', '.join(f'{name}={getattr(self, name)!r}' for name in changed)})"


def verify(
    construction: Construction,
    claims: Iterable[Claim | str] | str | None = None,
    options: RunOptions = RunOptions(),
) -> Result:
    """Checks the claims (default: the construction's default claims) on every case of their domains.

    Claims are given as in `verify --claims`: ids, families, "all"; or as declarations of one's own.
    """
    if not isinstance(construction, Construction):
        such = "verify(contextual_map(Instance(1, 3, 4)))"
        raise TypeError(f"verify takes a construction, not {construction!r}; for example {such}")
    return in_time(options.deadline, lambda: _verified(construction, claims, options), TimeIsUp())


def _verified(g: Construction, claims: Iterable[Claim | str] | str | None, options: RunOptions) -> Result:
    chosen = _each_once(g.default_claims() if claims is None else _chosen(g, claims))
    reasons = {claim: claim.skip(g) for claim in chosen}
    tallies = {claim: Tally(claim) for claim in chosen}
    active = [tally for claim, tally in tallies.items() if reasons[claim] is None]
    over_space = [tally for tally in active if tally.claim.domain.cases is None]

    watch = Watch(g, options.progress, options.deadline, over_space=bool(over_space))
    for cases, sharing in _by_cases(active).items():  # each case is run once, for all claims about it
        see_all(g, sharing, cases(g), partial(watch.cases, sharing[0].claim.domain.words))
    firsts = [(tally.claim, tally.first[0]) for tally in active if tally.first is not None]
    watch.refute(Refuted(claim.id, _matrices(g, claim, at)) for claim, at in firsts)

    engine = choose_engine(g, [tally.claim for tally in over_space], options.engine)
    parts = _over_space(g, over_space, engine, options, watch) if over_space else []
    coverage = total_up(part.shard.coverage for part in parts) if parts else {}
    if parts and coverage != g.space.closed_form() and not any(claim.counts for claim in tallies):
        differ = "; ".join(
            f"{name}: {coverage[name].orbits:,} {g.space.several} were run, and the formula gives {sizes.orbits:,}"
            for name, sizes in g.space.closed_form().items()
            if coverage[name] != sizes
        )
        raise Miscounted(f"{differ}. No verdict; a claim about the sizes has this as a counterexample")
    unpaired = {tally.claim: _conclude(g, tally, Collected(coverage, _values(tally, parts))) for tally in active}
    findings = tuple(_finding(g, tally, reasons[claim], unpaired.get(claim, "")) for claim, tally in tallies.items())
    return Result(g, coverage, findings, tuple(part.shard for part in parts), engine.words_for(parts))


def _chosen(g: Construction, claims: Iterable[Claim | str] | str) -> list[Claim]:
    claims = claims.split(",") if isinstance(claims, str) else list(claims)
    own = [claim for claim in claims if isinstance(claim, Claim)]
    named = [name for name in claims if not isinstance(name, Claim)]
    return own + (choose_from(_each_once(g.claims()), named) if named or not own else [])


def _each_once(claims: Iterable[Claim]) -> list[Claim]:
    """The claims, if no two have the same id, by which a result, a shard and a certificate name them."""
    by_id: dict[str, Claim] = {}
    for claim in claims:
        if by_id.setdefault(claim.id, claim) != claim:
            raise ValueError(f"two claims are called {claim.id}; each needs an id of its own")
    return list(by_id.values())


def _by_cases(tallies: Iterable[Tally]) -> dict[Callable[[Any], Iterable[Any]], list[Tally]]:
    """The claims with cases of their own, grouped by these cases."""
    sharing: dict[Callable[[Any], Iterable[Any]], list[Tally]] = {}
    for tally in tallies:
        if tally.claim.domain.cases is not None:
            sharing.setdefault(tally.claim.domain.cases, []).append(tally)
    return sharing


def _over_space(
    g: Construction, tallies: Sequence[Tally], engine: Engine, options: RunOptions, watch: Watch
) -> list[Part]:
    """Runs every case of the space, and takes in what the claims about it counted and collected."""
    claims = [tally.claim for tally in tallies]
    parts = _parts(g, claims, engine, options, watch)
    if options.checkpoint and _miscounted(g, parts):
        options.say("cases were miscounted: what was kept is not believed, and every shard is run again")
        again = Watch(g, options.progress, options.deadline)
        parts = _parts(g, claims, engine, replace(options, checkpoint=None), again)
    if engine.again:
        parts = _looked_at_again(g, claims, engine.again(claims), parts, options)
    _take_in(g, tallies, engine, parts)
    return parts


def _parts(
    g: Construction,
    claims: Sequence[Claim],
    engine: Engine,
    options: RunOptions,
    watch: Watch,
    only: Sequence[Stretch] | None = None,
) -> list[Part]:
    """Every shard (or only these stretches): read from the checkpoint, run by other processes, or run here."""
    parts: dict[int, Part] = {}
    kept = None
    if options.checkpoint:
        kept = Checkpoint(options.checkpoint, identity(g, claims, engine.name), g.space.categories)

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
        options.say(f"damaged, and run again: {', '.join(kept.damaged)}")
    jobs = min(len(left), cores() if options.jobs is None else options.jobs)
    if options.scheduler is not None:
        if not can_be_sent(g, claims):
            raise UnknownEngine("a claim of one's own can't be sent to a cluster")
        from verifier.run.cluster import run_on_cluster

        found = run_on_cluster(options.scheduler, engine.recipe, claims, left, options.deadline, options.say)
    elif jobs > 1 and engine.seconds(watch.total) > WORTH_PROCESSES and can_be_sent(g, claims):
        found = run_in_processes(engine.recipe, claims, left, jobs, options.deadline, watch, options.say)
    else:
        if (options.jobs or 1) > 1 < jobs and engine.seconds(watch.total) > WORTH_PROCESSES:
            options.say("claims of one's own can't be sent to other processes: this one runs them alone")
        found = ((index, engine.run(start, stop, watch)) for index, start, stop in left)
    for index, part in found:
        take(index, part)
    return [parts[index] for index in sorted(parts)]


def _miscounted(g: Construction, parts: Sequence[Part]) -> bool:
    return total_up(part.shard.coverage for part in parts) != g.space.closed_form()


def _looked_at_again(
    g: Construction, claims: Sequence[Claim], network: Engine, parts: list[Part], options: RunOptions
) -> list[Part]:
    """What the kernel has run; if the parts together look wrong, some are run again by the network.

    A value that doesn't decode needn't collide with another: a collision is looked for among the values of all cases,
    so that it is a definite pair. And if the number of cases is wrong, the kernel has miscounted, which refutes
    nothing.
    """
    miscounted = _miscounted(g, parts)
    pairs = [claim.id for claim in claims if claim.collect and any(claim.id in part.values for part in parts)]
    stretches = [
        (index, part.shard.start, part.shard.stop)
        for index, part in enumerate(parts)
        if (miscounted and not part.instead) or any(id_ not in part.values for id_ in pairs)
    ]
    if not stretches:
        return parts
    options.say(f"{'cases were miscounted' if miscounted else 'a value does not decode'}: the network runs the rest")
    watch = Watch(g, options.progress, options.deadline)
    for part in parts:
        if all(start != part.shard.start for _, start, _ in stretches):
            watch.finish(part.shard, kept=True)
    again = _parts(g, claims, network, replace(options, checkpoint=None), watch, stretches)
    parts = list(parts)
    for (index, *_), part in zip(stretches, again, strict=True):
        parts[index] = replace(part, instead=LITERALLY if network.name == "literal" else BY_CHANGES)
    return parts


def _take_in(g: Construction, tallies: Sequence[Tally], engine: Engine, parts: Sequence[Part]) -> None:
    """Takes what the shards counted into the tallies, with the relations that stand out.

    A shard that the literal network ran in this process has these relations with it. All others are made again by the
    literal network, case by case; so are the values of the two nearest cases for a claim about pairs, if a kernel has
    decoded all values.
    """
    at_hand = {key: relation for part in reversed(parts) for key, relation in _placed(part)}
    wanted: dict[int, list[tuple[Tally, str, mpq | None]]] = {}
    pairs: dict[int, list[tuple[Tally, Callable[[Any], Iterable[Any]]]]] = {}
    for tally in tallies:
        id_ = tally.claim.id
        count = add_up(part.shard.claims[id_] for part in parts)
        tally.cases, tally.failing = count.cases, count.failing
        stand_out: list[tuple[str, mpq | None, int]] = [] if count.first is None else [("", None, count.first)]
        stand_out += [(edge, least, at) for edge, (least, at) in count.edges.items()]
        for edge, slack, at in stand_out:
            found = at_hand.get((id_, edge, at))
            if found is not None and stands_out(found, edge, slack):
                _keep(tally, slack, at, found)
            else:
                wanted.setdefault(at, []).append((tally, edge, slack))
        collect = tally.claim.collect
        if collect and any(id_ not in part.values for part in parts):
            if not engine.again:  # it always keeps them; without one shard's, equal values could be missed
                raise Disagreement(f"{id_}: a shard of the network has none of the values that it compares")
            for at in engine.nearest(id_, parts):
                pairs.setdefault(at, []).append((tally, collect))
    for rank in sorted({*wanted, *pairs}):
        case = g.space.at(rank)  # one at a time: its run takes memory for every layer
        for tally, collect in pairs.get(rank, []):
            tally.values += [(value, rank) for value in collect(case)]
        for tally, edge, slack in wanted.get(rank, []):
            relations = tally.claim.check(case) if tally.claim.check else iter(())
            found = next((relation for relation in relations if stands_out(relation, edge, slack)), None)
            if found is None:
                words = "no failing relation" if slack is None else f"no slack {slack} of {edge}"
                raise Disagreement(f"{tally.claim.id}: the literal network has {words} at rank {rank}")
            _keep(tally, slack, rank, found)


def _placed(part: Part) -> Iterable[tuple[tuple[str, str, int], Relation]]:
    """The relations that a part has kept, by claim, edge and rank."""
    for (id_, edge), relation in part.relations.items():
        count = part.shard.claims[id_]
        at = count.edges[edge][1] if edge else count.first
        if at is not None:
            yield (id_, edge, at), relation


def _keep(tally: Tally, slack: mpq | None, rank: int, relation: Relation) -> None:
    if slack is None:
        tally.fail((rank,), relation)
    else:
        tally.tighten(slack, (rank,), relation.edge, relation)


def _values(tally: Tally, parts: list[Part]) -> list[tuple[Any, int]]:
    """What a claim collected, in the shards and in its own cases."""
    values = list(tally.values)
    for part in parts:
        values += part.values.get(tally.claim.id, [])
    return values


def _conclude(g: Construction, tally: Tally, seen: Collected) -> str:
    """Takes in the conclusion from all cases together; returns why it is empty, if it is."""
    if tally.claim.conclude is None or not tally.cases or tally.weigh(tally.claim.conclude(g, seen)):
        return ""
    several = len({number for _, number in seen.values}) > 1
    return "its conclusion compares nothing" if several else f"a single {g.space.one}: no pair exists"


def _finding(g: Construction, tally: Tally, reason: str | None, unpaired: str) -> Finding:
    claim = tally.claim
    if reason is not None:
        return Finding(claim, "skipped", 0, why=reason)
    if tally.first is not None:
        at, relation = tally.first
        counterexample = Evidence(_at_hand(relation), _matrices(g, claim, at))
        return Finding(claim, "refuted", tally.cases, tally.failing, counterexample=counterexample)
    if not tally.cases:
        return Finding(
            claim, "vacuous", 0, why="no case exists" if g.paper else "no case exists of which it says anything"
        )
    if unpaired and not claim.check:
        return Finding(claim, "vacuous", 0, why=unpaired)
    edges = tuple(
        Evidence(_at_hand(relation), _matrices(g, claim, at)) for _, (_, at, relation) in sorted(tally.edges.items())
    )
    return Finding(claim, "holds", tally.cases, edges=edges, why=unpaired)


def _at_hand(relation: Relation | None) -> Relation:
    if relation is None:
        raise Disagreement("a relation that stands out was never made")
    return relation


def _matrices(g: Construction, claim: Claim, at: tuple[int, ...]) -> tuple[Matrix, ...]:
    """The matrices of the cases with these numbers."""
    if claim.domain.cases is None:
        return tuple(X for number in at for X in g.space.shown(number))
    if not at:
        return ()
    cases = enumerate(islice(claim.domain.cases(g), max(at) + 1))
    wanted = {number: case for number, case in cases if number in at}
    return tuple(X for number in at for X in getattr(wanted[number], "shown", ()))

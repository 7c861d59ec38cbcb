"""A shard through the literal network: every case, and every claim's own check on each."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

from gmpy2 import mpq

from verifier.catalogue import declared_here
from verifier.core.arrays import room
from verifier.core.case import Alike
from verifier.core.claim import Claim
from verifier.core.construction import Construction
from verifier.core.space import Sizes, Space
from verifier.run.shard import MODULUS, Part, Shard, total_up
from verifier.run.tally import Tally
from verifier.run.watch import Tell

LEAST_AT_ONCE, AT_ONCE, AT_ONCE_OF_ITS_OWN = 64, 4096, 1024  # cases
MOST_ENTRIES = 20_000_000  # in the matrices before and after every layer, over all cases that are run at once
WORTH_IT = 64  # cases; fewer are run one by one


def see_all(g: Construction, tallies: Sequence[Tally], cases: Iterable[Any], tell: Callable[[int], None]) -> None:
    """Runs claims on cases of their own, which are numbered in order; `tell` is called with how many are done."""
    cases, number, askable = iter(cases), 0, None
    while its := list(islice(cases, AT_ONCE_OF_ITS_OWN)):
        many = room("verifier.run.many") if len(its) >= WORTH_IT and isinstance(its[0], Alike) else None
        if many:
            askable = askable or many.Askable(declared_here(g.paper))
            tell(number)
            many.see_cases(tallies, number, its, askable)
        else:
            for place, case in enumerate(its):
                tell(number + place)
                for tally in tallies:
                    tally.see(number + place, case)
        number += len(its)


def _case(space: Space, number: int, points: Sequence[Any], place: int) -> Any:
    return space.case(number + place, points[place])


def run_literally(
    g: Construction,
    claims: Sequence[Claim],
    start: int,
    stop: int,
    tell: Tell = lambda *_: None,
    ours: Mapping[str, Claim] | None = None,
    at_once: int | None = None,
) -> Part:
    """Runs the cases of rank start..stop-1; now and then tells how many are done, and the shard so far.

    `ours` are the claims whose checks may run on many cases at once, by default those that the construction's paper
    declares; `at_once`, how many cases: by default as many as leave room for what every layer makes of each.
    """
    space, tallies = g.space, tuple(Tally(claim) for claim in claims)
    matrices, cases = dict.fromkeys(space.categories, 0), dict.fromkeys(space.categories, 0)
    digest = mpq(0)

    def shard(stop: int) -> Shard:
        coverage = total_up([{name: Sizes(matrices[name], cases[name]) for name in space.categories}])
        return Shard(start, stop, coverage, digest % MODULUS, {t.claim.id: t.count() for t in tallies})

    def count(point: Any, case: Any, times: int = 1) -> None:
        category = space.category(case)
        cases[category] += times
        matrices[category] += times * space.stands_for(point)

    many = room("verifier.run.many") if stop - start >= WORTH_IT else None
    askable = many.Askable(declared_here(g.paper) if ours is None else ours) if many else None
    points, at = iter(space.points(start, stop)), start
    room_for = min(AT_ONCE, MOST_ENTRIES // (8 * (1 + g.columns_a_case)))
    at_once = (at_once or max(LEAST_AT_ONCE, room_for)) if many else 1
    while its := list(islice(points, at_once)):
        numbers = range(at, at + len(its))
        groups = space.together(numbers, its) if many else None
        if many is None or groups is None:
            for number, point in zip(numbers, its, strict=True):
                case = space.case(number, point)
                count(point, case)
                digest += space.digest(case)
                for tally in tallies:
                    tally.see(number, case)
                tell(number + 1 - start, shard(number + 1))
        else:
            block = many.Block(numbers, partial(_case, space, at, its), groups, askable)
            for places, case in groups:
                count(its[places[0]], case, len(places))
            digest += block.total(space.digest)
            block.seen_by(tallies)
            tell(at + len(its) - start, shard(at + len(its)))
        at += len(its)
    values = {tally.claim.id: tally.values for tally in tallies if tally.claim.collect}
    relations = {key: relation for tally in tallies for key, relation in tally.relations().items()}
    return Part(shard(stop), values, relations=relations)

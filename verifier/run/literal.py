"""A shard through the literal network: every case, and every claim's own check on each."""

from collections.abc import Sequence

from gmpy2 import mpq

from verifier.core.claim import Claim
from verifier.core.construction import Construction
from verifier.core.space import Sizes
from verifier.run.shard import MODULUS, Part, Shard, total_up
from verifier.run.tally import Tally
from verifier.run.watch import Tell


def run_literally(
    g: Construction, claims: Sequence[Claim], start: int, stop: int, tell: Tell = lambda *_: None
) -> Part:
    """The cases of rank start..stop-1; `tell` is called after each with how many are done, and the shard so far."""
    space, tallies = g.space, tuple(Tally(claim) for claim in claims)
    matrices, cases = dict.fromkeys(space.categories, 0), dict.fromkeys(space.categories, 0)
    digest = mpq(0)

    def shard(stop: int) -> Shard:
        coverage = total_up([{name: Sizes(matrices[name], cases[name]) for name in space.categories}])
        return Shard(start, stop, coverage, digest % MODULUS, {t.claim.id: t.count() for t in tallies})

    for number, point in enumerate(space.points(start, stop), start=start):
        case = space.case(number, point)
        category = space.category(case)
        cases[category] += 1
        matrices[category] += space.stands_for(point)
        digest += space.digest(case)
        for tally in tallies:
            tally.see(number, case)
        tell(number + 1 - start, shard(number + 1))
    values = {tally.claim.id: tally.values for tally in tallies if tally.claim.collect}
    relations = {key: relation for tally in tallies for key, relation in tally.relations().items()}
    return Part(shard(stop), values, relations=relations)

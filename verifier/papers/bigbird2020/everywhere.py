"""Every context in every reading of the text: at how many of them each step of the proof fails.

Thousands of them are run at once (core/lanes.py), whatever their readings: a reading is a start and two ends of every
sweep, and these are numbers, of each context its own.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice, product
from typing import Any, ClassVar

from verifier.core.arrays import room
from verifier.core.claim import Relations
from verifier.core.exact import Matrix, Vector
from verifier.papers.bigbird2020 import steps
from verifier.papers.bigbird2020.construction import BigBird, Run
from verifier.papers.bigbird2020.instance import Instance
from verifier.papers.bigbird2020.reading import Reading, printed, readings, start_of

AT_ONCE = 4096

Step = Callable[[Run], Relations]
STEPS: tuple[Step, ...] = (steps.low, steps.high, steps.invariant1, steps.invariant2, steps.order_of_run)


@dataclass(frozen=True)
class InReading:
    """All contexts in a reading: at how many of them each step fails, and how many have an entry of q in common with an
    earlier one."""

    reading: Reading
    failing: Mapping[Step, int]
    shared: int

    shown: ClassVar[tuple[Matrix, ...]] = ()


@lru_cache(maxsize=1)
def in_every_reading(g: BigBird) -> tuple[InReading, ...]:
    i, failing, shared, seen = g.instance, Counter[tuple[Reading, Step]](), Counter[Reading](), set[Any]()
    its = (
        (reading, columns) for reading in readings() for columns in product(i.columns(closed=reading.grid), repeat=i.n)
    )
    before = None
    while these := list(islice(its, AT_ONCE)):
        for reading, wrong, q in _tried(i, these):
            if reading != before:
                before, seen = reading, set()
            failing.update((reading, step) for step in wrong)
            shared[reading] += not seen.isdisjoint(q)
            seen.update(q)
    return tuple(
        InReading(reading, {step: failing[reading, step] for step in STEPS}, shared[reading]) for reading in readings()
    )


def _tried(
    i: Instance, its: Sequence[tuple[Reading, tuple[Vector, ...]]]
) -> Iterator[tuple[Reading, list[Step], Vector]]:
    """Of each context: its reading, which steps fail, and q."""
    lanes, many = room("verifier.core.lanes"), room("verifier.run.many")
    if many is None:
        for reading, columns in its:
            run = Run(i, i.matrix(columns, start_of(i, reading)), printed(i, reading))
            yield reading, [step for step in STEPS if any(not r.holds for r in step(run))], run.q
        return
    sweeps = {reading: printed(i, reading) for reading in {reading for reading, _ in its}}
    run = Run(
        i,
        lanes.joined([i.matrix(columns, start_of(i, reading)) for reading, columns in its]),
        tuple(
            replace(
                one,
                first=lanes.joined([sweeps[reading][k].first for reading, _ in its]),
                levels=lanes.joined([sweeps[reading][k].levels for reading, _ in its]),
            )
            for k, one in enumerate(sweeps[its[0][0]])
        ),
    )
    count = len(its)
    wrong = [sum(~many.held(relation, count) for relation in step(run)) for step in STEPS]
    for place, ((reading, _), q) in enumerate(zip(its, lanes.alone(run.q, count), strict=True)):
        yield reading, [step for step, where in zip(STEPS, wrong, strict=True) if where[place]], q

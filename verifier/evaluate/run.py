"""A page at sizes, run: its certificate's content, by the quick reading, on several cores where it takes long; each
case that a verdict names is evaluated again by the definition before anything is said.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gmpy2 import mpq

from verifier.evaluate.budget import STEPS
from verifier.evaluate.cases import MOST
from verifier.evaluate.certificate import content
from verifier.evaluate.definition import Reading
from verifier.evaluate.quick.page import Quick
from verifier.evaluate.quick.shards import State, finished, merged, run, total
from verifier.evaluate.quick.stretches import Stretches, state_of, written
from verifier.evaluate.states.run import by_states
from verifier.evaluate.values import Disagree
from verifier.language.page import Understood, given
from verifier.language.words import Refused
from verifier.language.write import write

if TYPE_CHECKING:
    from verifier.run.checkpoint import Kept

__all__ = ["Disagree", "found"]

STRETCHES, LEAST = 32, 4_096  # of a run; cases of a stretch, unless stretches are kept or sent
WORTH_PROCESSES = 4  # seconds that all stretches would take: a process starts in about one

SLOW = 10 * STEPS  # what --slow may cost
SOON, LONG = 1, 10  # seconds until a run says how long it will take, if that is long

Tell = Callable[[int, int], None]  # how many cases are done, of how many


@dataclass(frozen=True)
class Elsewhere:
    """Where stretches are kept, or run: a folder, a Dask scheduler; until when; who hears what happens there."""

    checkpoint: Path | None = None
    scheduler: str | None = None
    deadline: float | None = None
    say: Callable[[str], None] = lambda _: None


def found(
    page: Understood,
    sizes: dict[str, int],
    ids: list[str],
    variant: dict[str, mpq] | None = None,
    *,
    jobs: int | None = 1,
    most: int | None = None,
    slow: bool = False,
    steps: float | None = None,
    tell: Tell = lambda _, __: None,
    how: Elsewhere = Elsewhere(),
) -> dict[str, Any]:
    """The certificate's content. steps: what it may cost; usually what follows from the number of cases."""
    sizes = given(page.page, sizes)
    refuse_own(page, sizes, variant or {})
    steps = SLOW if slow and steps is None else steps
    reading = Reading(page, sizes, variant, MOST if most is None else most, steps)
    if slow:
        return content(reading, reading.run(ids), variant or {})
    quick = Quick(reading)
    exchanged = tuple((name, str(value)) for name, value in (variant or {}).items())
    stretches = Stretches(page.page.text, tuple(sizes.items()), exchanged, most, steps)
    by_words, left = by_states(quick, ids, steps)
    state = merged(in_stretches(quick, stretches, left, jobs, tell, how))
    state.claims.update(by_words.claims)
    state.categories.update(by_words.categories)
    return content(reading, finished(quick, state), variant or {})


def in_stretches(
    quick: Quick, stretches: Stretches, ids: list[str], jobs: int | None, tell: Tell, how: Elsewhere
) -> list[State]:
    """What each stretch of the cases counts: as it was kept, or run now."""
    many = total(quick, ids)
    alone = how.checkpoint is None and how.scheduler is None
    wanted = dict(enumerate(ends(many, LEAST if alone else 1)))
    kept = None if how.checkpoint is None else checkpoint_of(how.checkpoint, quick, ids, many)
    states: dict[int, State] = {}

    def done(under_way: int = 0, _: Any = None) -> None:
        tell(sum(wanted[k][1] - wanted[k][0] for k in states) + under_way, many)

    if kept is not None:
        for k, (start, stop) in wanted.items():
            if (state := kept.load_as(k, partial(state_of, quick, ids, start, stop))) is not None:
                states[k] = state
        if kept.damaged:
            how.say(f"damaged, and run again: {', '.join(kept.damaged)}")
    left = [(k, *ends) for k, ends in wanted.items() if k not in states]
    for k, state in anew(quick, stretches, ids, left, jobs, done, how):
        states[k] = state
        if kept is not None:
            kept.save_as(k, written(state))
        done()
    return [states[k] for k in sorted(states)]


def anew(
    quick: Quick,
    stretches: Stretches,
    ids: list[str],
    left: list[tuple[int, int, int]],
    jobs: int | None,
    tell: Any,
    how: Elsewhere,
) -> Iterator[tuple[int, State]]:
    """The stretches that are left: on a cluster; or here, and in processes if the first one shows that they are worth
    it."""
    claims = [quick.page.claims[id_] for id_ in ids]
    if how.scheduler is not None:
        from verifier.run.cluster import run_on_cluster

        yield from run_on_cluster(how.scheduler, stretches, claims, left, how.deadline, how.say)
        return
    begun = time.monotonic()
    after: float | None = None  # the first block of cases, which computes what all have in common
    seen, announced = 0, False

    def progress(cases: int) -> None:
        nonlocal after, seen, announced
        if after is None:
            after = time.monotonic()
            return
        seen += cases
        seconds = time.monotonic() - after
        if not announced and seconds > SOON:
            announced, many = True, sum(stop - start for _, start, stop in left)
            if (whole := int(seconds * many / seen)) > LONG:
                how.say(f"{many:,} cases: {about(whole)}")

    for place, (k, start, stop) in enumerate(left):
        rest = left[place:]
        if place == 1 and jobs != 1 and (time.monotonic() - begun) * len(left) > WORTH_PROCESSES:
            from verifier.run.pool import cores, run_in_processes

            if (many := cores() if jobs is None else jobs) > 1:
                yield from run_in_processes(stretches, claims, rest, many, how.deadline, tell, how.say)
                return
        yield k, run(quick, ids, start, stop, progress)


def about(seconds: int) -> str:
    """About how long that is, in words: a rough guess that helps to decide, and no promise."""
    for unit, name, most in ((1, "second", 100), (60, "minute", 100), (3600, "hour", 48), (86_400, "day", 700)):
        if seconds <= unit * most:
            count = max(1, -(-seconds // unit))
            return f"about {count:,} {name}{'' if count == 1 else 's'} on one core"
    return "years on one core"


def checkpoint_of(folder: Path, quick: Quick, ids: list[str], many: int) -> "Kept[State]":
    """The folder of this run; refused if it is another's."""
    from verifier.run.checkpoint import Kept, code_identity

    return Kept(
        folder,
        {
            "format": "verifier.checkpoint.page/1",
            "page": write(quick.page),
            "instance": {name: int(quick.reading.sizes[name].numerator) for name in sorted(quick.page.sizes)},
            "variant": {
                name: str(quick.reading.exchanged[own])
                for name, own in quick.page.printed.items()
                if own in quick.reading.exchanged
            },
            "claims": ids,
            "code": code_identity(),
            "cases": many,
        },
    )


def ends(many: int, least: int) -> list[tuple[int, int]]:
    """The ranks of each stretch of so many cases, of at least so many each."""
    several = max(1, min(STRETCHES, many // least))
    return [(many * k // several, many * (k + 1) // several) for k in range(several)]


def refuse_own(page: Understood, sizes: dict[str, int], variant: dict[str, mpq]) -> None:
    """A variant exchanges a number for another one."""
    if variant:
        own = Reading(page, sizes).named
        for name, value in variant.items():
            if own.get(name) == value:
                raise Refused((0, 0), f"{name} = {value} is the page's own number; a variant has another one")

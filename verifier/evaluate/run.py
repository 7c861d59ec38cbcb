"""A page at sizes, run: its certificate's content, by the quick reading, on several cores where it takes long; each
case that a verdict names is evaluated again by the definition before anything is said.
"""

import time
from collections.abc import Callable, Iterator
from typing import Any

from gmpy2 import mpq

from verifier.evaluate.cases import MOST
from verifier.evaluate.certificate import content
from verifier.evaluate.definition import Reading
from verifier.evaluate.quick.page import Quick
from verifier.evaluate.quick.shards import State, finished, merged, run, total
from verifier.evaluate.values import Disagree
from verifier.language.page import Understood, read
from verifier.language.words import Refused

__all__ = ["Disagree", "found"]

STRETCHES = 32  # of the cases of a run, at most; and the least cases of one: blocks of few cases are slow
WORTH_PROCESSES = 4  # seconds that all stretches would take: a process starts in about one

Tell = Callable[[int, int], None]  # how many cases are done, of how many


def found(
    page: Understood,
    sizes: dict[str, int],
    ids: list[str],
    variant: dict[str, mpq] | None = None,
    *,
    jobs: int | None = 1,
    most: int | None = None,
    slow: bool = False,
    tell: Tell = lambda _, __: None,
) -> dict[str, Any]:
    """The certificate's content."""
    reading = Reading(page, sizes, variant, MOST if most is None else most)
    refuse_own(page, sizes, variant or {})
    if slow:
        return content(reading, reading.run(ids), variant or {})
    quick = Quick(reading)
    reading.both = True  # a layer that has matrices is run by them, too, at each case that is named
    states = in_stretches(quick, (page.page.text, sizes, variant, most, ids), jobs, tell)
    return content(reading, finished(quick, merged(list(states))), variant or {})


def in_stretches(quick: Quick, given: tuple[Any, ...], jobs: int | None, tell: Tell) -> Iterator[State]:
    """What each stretch of the cases counts; in processes if the first one shows that it is worth it."""
    ids, many = given[-1], total(quick, given[-1])
    begun = time.monotonic()
    yield run(quick, ids, *stretch(many, 0))
    tell(stretch(many, 0)[1], many)
    rest = range(1, stretches(many))
    if rest and jobs != 1 and (time.monotonic() - begun) * stretches(many) > WORTH_PROCESSES:
        from verifier.run.pool import cores, in_order

        jobs = cores() if jobs is None else jobs
        states = in_order(stretch_alone, len(rest), begin, *given, jobs=jobs) if jobs > 1 else None
        for k, state in zip(rest, states or (), strict=states is not None):
            tell(stretch(many, k)[1], many)
            yield state
        if states is not None:
            return
    for k in rest:
        yield run(quick, ids, *stretch(many, k))
        tell(stretch(many, k)[1], many)


def stretches(many: int) -> int:
    return max(1, min(STRETCHES, many // STRETCHES))


def stretch(many: int, k: int) -> tuple[int, int]:
    """The ranks of the stretch k."""
    return many * k // stretches(many), many * (k + 1) // stretches(many)


_quick: tuple[Quick, list[str]] | None = None  # of a worker


def begin(text: str, sizes: dict[str, int], variant: dict[str, mpq] | None, most: int | None, ids: list[str]) -> None:
    global _quick  # noqa: PLW0603 - a worker has one page for its life
    _quick = Quick(Reading(read(text), sizes, variant, MOST if most is None else most)), ids


def stretch_alone(k: int) -> State:
    """The stretch after the k-th, in a worker."""
    if _quick is None:
        raise RuntimeError("a worker without a page")
    quick, ids = _quick
    return run(quick, ids, *stretch(total(quick, ids), k + 1))


def refuse_own(page: Understood, sizes: dict[str, int], variant: dict[str, mpq]) -> None:
    """A variant exchanges a number for another one."""
    if variant:
        own = Reading(page, sizes).named
        for name, value in variant.items():
            if own[name] == value:
                raise Refused((0, 0), f"{name} = {value} is the page's own number; a variant has another one")

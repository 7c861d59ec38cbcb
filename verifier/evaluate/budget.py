"""What a run may cost. Sizes come first; whatever isn't foreseen by them ends here.

A step is about a microsecond. It is counted where the work is done: each expression that is looked at, each operation
by the digits of its numbers and by how many cases it is for, each item of a list that is gone through.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from verifier.language.words import TooLarge

STEPS, A_CASE = 15_000_000, 500  # of a run, and further ones for each case of its inputs

_left = float(STEPS)


def allow(steps: float) -> None:
    """Begins anew."""
    global _left  # noqa: PLW0603 - a process runs one page at a time
    _left = steps


def spend(steps: int) -> None:
    global _left  # noqa: PLW0603
    _left -= steps
    if _left < 0:
        raise TooLarge(
            (0, 0),
            "the budget of steps is spent; take smaller sizes, or let `verify --paper` run S seconds: --time-limit S",
        )


def spent() -> bool:
    return _left < 0


@contextmanager
def apart(steps: float) -> Iterator[None]:
    """An attempt that may cost so many steps, and costs none of the others."""
    before = _left
    allow(steps)
    try:
        yield
    finally:
        allow(before)

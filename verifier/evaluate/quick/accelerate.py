"""The kernel in place of the quick reading, where it may be: for the text that is pinned, where all claims are among
those that it knows, exact bounds allow the numbers, and there are many cases. What it counts of a stretch is what the
quick reading counts. Stretches that are drawn in each run are run by both and compared; and as always the definition
evaluates every case that a verdict names.
"""

from collections.abc import Callable
from fractions import Fraction
from random import SystemRandom
from typing import Any

import numpy as np

from verifier.evaluate.kernel import compiled
from verifier.evaluate.kernel.claims import INPUTS, KNOWN, PINNED, digest, relations
from verifier.evaluate.quick.block import Block
from verifier.evaluate.quick.claims import Found, Line, attempt
from verifier.evaluate.quick.page import Quick
from verifier.evaluate.quick.shards import State, inputs_of, run, total
from verifier.evaluate.values import Disagree

MANY = 500_000  # cases of a run: fewer are run as soon by the quick reading
DRAWN, OF_CASES = 4, 250  # stretches that are compared
EXCHANGED = {"t_l", "t_r", "lower", "upper", "sentinel"}
ACROSS = {"lemma10.injective": 0, "b5.interval": 1, "lemma6.2": 0}  # the number of the claim's line


def counted(
    quick: Quick, ids: list[str], start: int, stop: int, progress: Callable[[int], None] | None = None
) -> State:
    """What is counted in these cases: by the kernel where it takes over, else by the quick reading."""
    state = state_of(quick, ids, start, stop) if total(quick, ids) >= MANY else None
    if state is not None:
        if progress is not None:
            progress(stop - start)
        return state
    return run(quick, ids, start, stop, progress)


def numbers_for(quick: Quick, ids: list[str]) -> compiled.Numbers | None:
    """The numbers to run the kernel with; None where it doesn't take over."""
    page = quick.page
    if inputs_of(quick, ids) != [INPUTS] or not set(quick.reading.exchanged) <= EXCHANGED:
        return None
    if any(page.claims[id_].inputs is not None and id_ not in KNOWN for id_ in ids) or digest(page) != PINNED:
        return None
    x = compiled.numbers(quick.reading)
    return x if x is not None and x.fits and compiled.found().handle is not None else None


def state_of(quick: Quick, ids: list[str], start: int, stop: int) -> State | None:
    """What is counted in these cases; None where the kernel doesn't take over."""
    if quick.kernel is None:
        quick.kernel = (numbers_for(quick, ids),)
    (x,) = quick.kernel
    return None if x is None else by_kernel(quick, x, ids, start, stop)


def by_kernel(quick: Quick, x: compiled.Numbers, ids: list[str], start: int, stop: int) -> State | None:
    """None where something isn't as the claims say: then the quick reading says what."""
    kept, to = np.zeros(0, dtype=np.int64), None
    if set(ACROSS) & set(ids):
        kept = np.full((stop - start) * (x.n + 1), -1, dtype=np.int64)
        to = int(kept.ctypes.data)
    space = quick.reading.space(INPUTS)
    counts = compiled.counted(compiled.found().handle, x, space.unranked(x.n, start), start, stop - start, to)  # type: ignore[arg-type]
    if counts is None:
        return None
    rows = kept[: counts.cases[0] * (x.n + 1)].reshape(-1, x.n + 1) if to is not None else kept
    state = State({id_: Found() for id_ in ids}, {c.name: [0, 0] for c in quick.page.categories})
    for k, name in enumerate(("category1", "category2", "category3")):
        state.categories[name] = [counts.cases[k], counts.inputs[k]]
    blocks: dict[int, Block] = {}  # of the cases that are named
    named: dict[tuple[str, int], Found] = {}
    for id_, (cases, made) in relations(x.n, counts).items():
        if id_ not in state.claims:
            continue
        claim, found = quick.page.claims[id_], state.claims[id_]
        found.cases = cases
        for (sign, _), (times, slack) in zip(claim.signs, made, strict=False):
            if not times:
                continue
            line = found.lines[sign.place] = Line(times)
            if slack:
                least, rank = Fraction(counts.least[slack][0], x.N), counts.least[slack][1]
                if rank not in blocks:
                    blocks[rank] = quick.case(INPUTS, rank)
                if (id_, rank) not in named:
                    named[id_, rank] = attempt(claim, blocks[rank], rank)
                line.least = named[id_, rank].lines[sign.place].least
                if line.least is None or line.least[0] != least:
                    raise Disagree(f"{id_}: the kernel has the slack {least} at {rank}, the quick reading another")
        if id_ in ACROSS and len(rows):
            found.collected[ACROSS[id_]] = across(x, rows, every=id_ == "lemma6.2")
    return state


def across(x: compiled.Numbers, rows: Any, *, every: bool) -> list[tuple[Any, int, Any]]:
    """The largest ids after the sweep; or all values, at the end."""
    top, ranks = rows[:, x.n].copy(), rows[:, 0].copy()
    if not every:
        return [(top, x.N, ranks)]
    wide = (x.P + 1) * int(top.max()) >= 2**62
    own = x.P * (top.astype(object) if wide else top)
    return [(own + rows[:, j], x.N, ranks) for j in range(1, x.n + 1)]


def compare(quick: Quick, ids: list[str]) -> None:
    """Some stretches by both, if the kernel takes over; drawn anew in each run."""
    many = total(quick, ids)
    for _ in range(DRAWN if many >= MANY else 0):
        start = SystemRandom().randrange(many)
        stop = min(many, start + OF_CASES)
        state = state_of(quick, ids, start, stop)
        if state is not None and content(state) != content(run(quick, ids, start, stop)):
            raise Disagree(f"the kernel and the quick reading count otherwise in the cases {start} to {stop - 1}")


def content(state: State) -> Any:
    """What is counted, in one form."""
    return state.categories, {
        id_: (
            found.cases,
            found.failing,
            found.first,
            {place: (line.made, line.least) for place, line in found.lines.items() if line.made},
            {
                k: sorted((Fraction(int(v), den), int(r)) for w, den, rs in parts for v, r in zip(w, rs, strict=True))
                for k, parts in found.collected.items()
                if parts
            },
        )
        for id_, found in state.claims.items()
    }

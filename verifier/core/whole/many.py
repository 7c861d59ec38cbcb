"""The functions of run.py for the matrices of many cases at once, whose entries are lanes."""

from collections.abc import Iterator
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from verifier.core.exact import Matrix
from verifier.core.lanes import Array, Lanes, Mask, Mixed, NotForLanes, array, choose, count
from verifier.core.network import Arithmetic, Network, Step
from verifier.core.whole.block import After, Block, entered, run_block
from verifier.core.whole.plan import Plan, Search, WholeAttention, WholeHead, denominator_of_means
from verifier.core.whole.run import Change, Part, parts_of


def image(network: Network, X: Matrix) -> Matrix:
    for part in _parts(network, X):
        if isinstance(part, Part):
            D = part.plan.D
            X = run_block(part.searched_of_many, entered(X, D[0])).matrix(D[-1])
        else:
            X = part.apply(X)
    return X


def trace(network: Network, X: Matrix) -> tuple[Step, ...]:
    steps: list[Step] = []
    for part in _parts(network, X):
        before = steps[-1].after if steps else X
        if not isinstance(part, Part):
            steps.append(Step(network.layers[len(steps)], before, (), part.apply(before)))
            continue
        plan = part.plan

        def look(k: int, made: After, plan: Plan = plan) -> None:
            before, op = steps[-1].after if steps else X, plan.layers[k]
            heads = op.heads if type(op) is WholeAttention else ()
            values = tuple(
                _values(head, reads, plan.D[k], made.read) for head, reads in zip(heads, made.reads(), strict=True)
            )
            after = made.block.matrix(plan.D[k + 1]) if made.changed.any() else before
            steps.append(Step(network.layers[plan.first + k], before, values, after))

        run_block(part.layered, entered(before, plan.D[0]), look, every=True)
    return tuple(steps)


def _parts(network: Network, X: Matrix) -> Iterator[Part | Arithmetic]:
    for part in parts_of(network, len(X)):
        if not isinstance(part, Part | Arithmetic):
            raise NotForLanes(f"a {type(part).__name__} takes one matrix at a time")
        yield part


def _values(head: WholeHead, reads: Any, D: int, block: Block) -> Matrix:
    """What a head reads of the block: for each column, the mean over its arg maxima."""
    rows: list[list[Lanes]] = [[] for _ in range(head.m)]
    top = block.common()
    times = None if (block.s == top).all() else Lanes(top // block.s)
    scale = head.scale * D * top
    L = denominator_of_means(len(reads))
    shares = array([L // (k + 1) for k in range(len(reads))])
    for winners, sums in reads:
        alone = bool((winners == 1).all())
        for row, total in zip(rows, sums, strict=True):
            value = Lanes(total, scale if alone else scale * L)
            if not alone:
                value = value * Lanes(shares[winners - 1], 1, L)
            row.append(value if times is None else value * times)
    return tuple(map(tuple, rows))  # type: ignore[arg-type]


class _Changed(NamedTuple):
    layer: Array | int  # of each case its own
    where: Array
    after: Matrix


def changes(network: Network, X: Matrix) -> tuple[Change, ...]:
    """The changes, if every case has equally many; cases with fewer are divided from the others."""
    found: list[_Changed] = []
    first = 0
    for part in _parts(network, X):
        before = found[-1].after if found else X
        if not isinstance(part, Part):
            after = part.apply(before)
            found.append(_Changed(first, _differ(before, after), after))
            first += 1
            continue
        plan, program = part.plan, part.layered_of_many
        starts = [0, *accumulate(len(op.members) if isinstance(op, Search) else 1 for op in program.ops)]

        def look(k: int, made: After, plan: Plan = plan, starts: list[int] = starts) -> None:
            D, D_before = plan.D[starts[k + 1]], plan.D[starts[k]]
            before, after = found[-1].after if found else X, made.block.matrix(D)
            moved = made.changed if D_before == D else _differ(before, after)
            found.append(_Changed(plan.first + starts[k] + made.member, moved, after))

        run_block(program, entered(before, plan.D[0]), look)
        first += len(plan.layers)
    return _aligned(found, count(X))


def _differ(X: Matrix, Y: Matrix) -> Array:
    pairs = [a != b for row, other in zip(X, Y, strict=True) for a, b in zip(row, other, strict=True)]
    return np.any([pair.where if isinstance(pair, Mask) else pair for pair in pairs], axis=0)


def _aligned(found: list[_Changed], cases: int) -> tuple[Change, ...]:
    """The t-th changes of all cases, as one."""
    done = np.zeros(cases, dtype=np.int64)
    for change in found:
        done += change.where
    if (done != done[0]).any():
        raise Mixed(done == done.max())
    times = int(done[0])
    done[:] = 0
    layers = [np.zeros(cases, dtype=np.int64) for _ in range(times)]
    kept: list[Matrix | None] = [None] * times
    for change in found:
        for t in np.unique(done[change.where]).tolist():
            where = change.where & (done == t)
            layers[t][where] = change.layer if isinstance(change.layer, int) else change.layer[where]
            kept[t] = _put(kept[t], where, change.after)
        done += change.where
    return tuple(Change(Lanes(layer), after) for layer, after in zip(layers, kept, strict=True))  # type: ignore[arg-type]


def _put(X: Matrix | None, where: Array, after: Matrix) -> Matrix:
    """X, with some cases replaced by those in `after`."""
    if X is None:
        return after
    rows = (zip(old, new, strict=True) for old, new in zip(X, after, strict=True))
    return tuple(tuple(choose(Mask(where), b, a) for a, b in row) for row in rows)

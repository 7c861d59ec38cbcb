"""Definition 5.1 (3.1 in print): the entries of each q(L) are distinct, and so are those of two."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from operator import sub

from ...core.ledger import Made

Pairs = list[tuple[tuple[int, int], tuple[int, int], tuple[int, int]]]


def within(rows: Sequence[Sequence[int]], keys: Sequence[int] | None = None, unit: int = 0) -> Iterator[Made]:
    """A row for each case: its entries in increasing order, each two neighbours."""
    for less, more in pairwise(zip(*map(sorted, rows), strict=True)):
        yield Made("distance of two entries of q(L)", ">", "0", list(map(sub, more, less)), 0, keys, unit)


def neighbours(collected: list[int], count: int) -> Iterator[Pairs]:
    """FORMAT 6: numbers, coded as number * count + case, sorted: each two neighbours of different cases, some at a
    time, as (number, case) of the lower and of the upper, and the two cases, the smaller first."""
    collected.sort()
    every = pairwise(divmod(code, count) for code in collected)
    while some := list(islice(every, 4096)):
        yield [((v, k), (w, j), (min(k, j), max(k, j))) for (v, k), (w, j) in some if k != j]


def apart(name: str, collected: list[int], count: int, unit: int) -> Iterator[Made]:
    """`name > 0` for neighbours: their distance."""
    for pairs in neighbours(collected, count):
        yield Made(name, ">", "0", [b[0] - a[0] for a, b, _ in pairs], 0, [key for _, _, key in pairs], unit)


def across(collected: list[int], count: int, unit: int) -> Iterator[Made]:
    """All entries of all cases."""
    return apart("distance of an entry of q(L) from one of q(L')", collected, count, unit)

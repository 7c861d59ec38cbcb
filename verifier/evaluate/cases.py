"""The cases of a page's inputs, in order (LANGUAGE.md 3)."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import comb, factorial, perm, prod
from typing import TYPE_CHECKING, Any

from gmpy2 import mpq

from verifier.evaluate.values import List, Wrong, items, kind_of
from verifier.language.tree import Inputs
from verifier.language.words import Refused, TooLarge

if TYPE_CHECKING:
    from verifier.evaluate.definition import Case

MOST, ITEMS, LENGTH = 4_000_000, 1_000_000, 10_000  # cases; items of a set; items of a case
COUNTED = 30  # decimal digits up to which cases are counted that aren't run
Places = tuple[int, ...]


@dataclass(frozen=True)
class Space:
    """All cases of some inputs."""

    kind: str
    sets: dict[int, list[list[Any]]]  # for each number of items: the set of each position
    listed: tuple[Any, ...] = ()
    too_many: TooLarge | None = None  # words, which may be run by states all the same

    def cases_of(self, n: int) -> int:
        """How many cases have n items."""
        if self.kind == "words":
            return prod(map(len, self.sets[n]))
        size = len(self.sets[n][0]) if n else 0
        return comb(size + n - 1, n) if self.kind == "multisets" and n else comb(size, n)

    @cached_property
    def cases(self) -> int:
        return len(self.listed) if self.kind == "list" else sum(map(self.cases_of, self.sets))

    @cached_property
    def inputs(self) -> int:
        """How many tuples all cases stand for."""
        if self.kind in ("words", "list"):
            return self.cases
        sizes = {n: len(sets[0]) if sets else 0 for n, sets in self.sets.items()}
        return sum(size**n if self.kind == "multisets" else perm(size, n) for n, size in sizes.items())

    def __iter__(self) -> Iterator[tuple[List, int]]:
        """Each case, and how many tuples it stands for."""
        if self.kind == "list":
            for case in self.listed:
                yield case, 1
            return
        for n, sets in self.sets.items():
            for places in self.places(n):
                yield List([at[k] for at, k in zip(sets, places, strict=True)]), self.weight(places)

    def places(self, n: int) -> Iterator[Places]:
        """The places, in their sets, of the items of each case with n items, lexicographically."""
        if self.kind == "words":
            yield from product(*(range(len(at)) for at in self.sets[n]))
            return
        size, step = len(self.sets[n][0]) if n else 0, int(self.kind == "sets")
        places = [k * step for k in range(n)]
        while not n or places[-1] < size:
            yield tuple(places)
            k = next((k for k in reversed(range(n)) if places[k] < size - 1 - (n - 1 - k) * step), None)
            if k is None:
                return
            places[k:] = [places[k] + 1 + step * m for m in range(n - k)]

    def case(self, rank: int) -> List:
        """The case of a rank."""
        if self.kind == "list":
            listed: List = self.listed[rank]
            return listed
        for n, sets in self.sets.items():
            if rank < self.cases_of(n):
                return List([at[k] for at, k in zip(sets, self.unranked(n, rank), strict=True)])
            rank -= self.cases_of(n)
        raise IndexError(rank)

    def unranked(self, n: int, rank: int) -> Places:
        places: list[int] = []
        if self.kind == "words":
            for at in reversed(self.sets[n]):
                rank, k = divmod(rank, len(at))
                places.append(k)
            return tuple(reversed(places))
        size, step = len(self.sets[n][0]) if n else 0, int(self.kind == "sets")
        least = 0
        for left in reversed(range(n)):
            # how many cases go on from here with k in this position
            while (many := self._after(size - least - step, left)) <= rank:
                rank, least = rank - many, least + 1
            places.append(least)
            least += step
        return tuple(places)

    def rank(self, places: Places) -> int:
        """The rank of a case among those with as many items."""
        n = len(places)
        if self.kind == "words":
            rank = 0
            for at, k in zip(self.sets[n], places, strict=True):
                rank = rank * len(at) + k
            return rank
        size, step, rank, least = len(self.sets[n][0]) if n else 0, int(self.kind == "sets"), 0, 0
        for position, k in enumerate(places):
            left = n - 1 - position
            rank += sum(self._after(size - j - step, left) for j in range(least, k))
            least = k + step
        return rank

    def _after(self, size: int, n: int) -> int:
        """How many non-decreasing (multisets) or increasing (sets) tuples of n places there are, of so many places."""
        if n == 0:
            return 1
        return comb(size + n - 1, n) if self.kind == "multisets" else comb(size, n)

    def weight_of(self, case: List) -> int:
        """Of a case by its items, of which each stands once in its set."""
        return 1 if self.kind == "list" else self.weight(tuple(map(case.items.index, case.items)))

    def weight(self, places: Places) -> int:
        if self.kind == "words":
            return 1
        return factorial(len(places)) // prod(factorial(places.count(k)) for k in set(places))


def space_of(inputs: Inputs, nothing: "Case", most: int) -> Space:
    """The space; `nothing` evaluates what speaks of no case. Sizes come first: refused past `most` cases."""
    if inputs.listed is not None:
        listed = items(nothing(inputs.listed, {}))
        for case in listed:
            items(case)
        if len(set(listed)) < len(listed):
            raise Refused(inputs.listed[1], "a case stands in this list twice")
        return Space("list", {}, listed)
    low, high = nothing.whole(inputs.low, {}), nothing.whole(inputs.high, {})
    if low < 0:
        raise Refused(inputs.low[1], f"{inputs.kind} of {low} items")
    if high > LENGTH:
        raise TooLarge(inputs.high[1], f"{inputs.kind} of more than {LENGTH:,} items")
    sets, several = {}, inputs.at is not None
    looked_at = low <= high and (inputs.kind != "words" or high > 0)  # is there a position that the set is of
    one = _set(inputs, nothing, {}) if looked_at and not several else None
    total, letters, too_many = 0, 0, None
    for n in range(low, high + 1):
        each = [_set(inputs, nothing, {str(inputs.at): mpq(j)}) for j in range(1, n + 1)] if several else [one] * n
        sets[n] = [at for at in each if at is not None]
        total += Space(inputs.kind, sets).cases_of(n)
        letters += n
        large = total >= 10**COUNTED
        if too_many is None and total > most and (several or large or n == high):
            count = (
                f"{total:,}" if n == high and not large else f"more than {f'10^{COUNTED}' if large else f'{most:,}'}"
            )
            span = str(high) if low == high else f"{low} to {high}"
            too_many = TooLarge(
                inputs.place,
                f"{inputs.name} has {count} cases of {span} items; the limit is {most:,}: take smaller sizes, or let"
                " `verify` run more: --max-points M",
            )
            if inputs.kind != "words":
                raise too_many
        if letters > ITEMS:
            raise TooLarge(inputs.high[1], f"words of 1 to {n} items have more than {ITEMS:,} positions in all")
    return Space(inputs.kind, sets, too_many=too_many)


def _set(inputs: Inputs, nothing: "Case", at: dict[str, Any]) -> list[Any]:
    items_of_set = list(items(nothing(inputs.items, at)))
    if inputs.power is not None:
        d = nothing.whole(inputs.power, at)
        if d < 0 or len(items_of_set) ** min(d, 64) > ITEMS:
            raise TooLarge(inputs.place, f"the set has {len(items_of_set)}^{d} items; at most {ITEMS:,} are listed")
        items_of_set = [List(column) for column in product(items_of_set, repeat=d)]
    if inputs.by is not None:
        by, letter = inputs.by, inputs.letter
        try:
            items_of_set.sort(key=lambda item: (_key(nothing(by, {**at, letter: item})), item))
        except TypeError:
            raise Wrong("'by' sorts numbers, or lists of numbers") from None
    if len(set(items_of_set)) < len(items_of_set):
        raise Refused(inputs.items[1], "an item stands in this set twice")
    return items_of_set


def _key(v: Any) -> Any:
    if kind_of(v) != "number":
        raise Wrong("'by' sorts by a number")
    return v

"""LANGUAGE 3: the cases of inputs, by rank: shorter ones first, then by the places of their items in their sets."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, product
from math import comb, factorial, prod

from ..core.comparing import OverLimit
from .evaluate import Case, Evaluator, Scope
from .tree import Inputs, Tree
from .values import List, Value, listed, number, whole
from .words import MOST_ITEMS, Refused, Spent

MOST_LENGTH = 10_000


@dataclass(frozen=True, slots=True)
class Group:
    """The cases of one number of items: all choices from the sets, one for each place. Of a `list` a single case."""

    kind: str
    start: int  # the first one's rank
    sets: tuple[tuple[Value, ...], ...]
    size: int  # how many they are
    listed: List | None = None

    def all_places(self) -> Iterator[Sequence[int]]:
        """Of all cases, in the order of their ranks, the places of their items in their sets."""
        if self.kind == "words":
            return product(*[range(len(items)) for items in self.sets])
        many = range(len(self.sets[0]) if self.sets else 0)
        return (combinations_with_replacement if self.kind == "multisets" else combinations)(many, len(self.sets))

    def places(self, rank: int) -> Sequence[int]:
        rank, found = rank - self.start, list[int]()
        if self.kind == "words":
            for items in reversed(self.sets):
                rank, place = divmod(rank, len(items))
                found.append(place)
            return found[::-1]
        n, many, low = len(self.sets), len(self.sets[0]) if self.sets else 0, 0
        for left in range(n - 1, -1, -1):  # how many cases go on with an item at `low`
            while rank >= (
                more := comb(many - low + left - 1, left) if self.kind == "multisets" else comb(many - low - 1, left)
            ):
                rank -= more
                low += 1
            found.append(low)
            low += self.kind == "sets"
        return found

    def case(self, places: Sequence[int]) -> List:
        return self.listed or List([items[k] for items, k in zip(self.sets, places, strict=True)])

    def weight(self, places: Sequence[int]) -> int:
        """How many tuples a case stands for under permutation."""
        if self.kind in ("words", "list"):
            return 1
        return factorial(len(places)) // prod(factorial(many) for many in Counter(places).values())


def choices(kind: str, sets: Sequence[Sequence[Value]]) -> int:
    """How many multisets, or sets."""
    n, many = len(sets), len(sets[0]) if sets else 0
    if n == 0:
        return 1
    return comb(many + n - 1, n) if kind == "multisets" else comb(many, n)


def drawn(seed: str, name: str, total: int, count: int) -> Iterator[int]:
    """Ranks below the total."""
    for k in range(count if total else 0):
        digest = hashlib.shake_256(f"{seed} {name} {k}".encode()).digest(32 + total.bit_length() // 8)
        yield int.from_bytes(digest) % total


class Cases:
    """Those of some inputs. Their number is known before one is run."""

    def __init__(self, evaluator: Evaluator, inputs: Inputs, most: int, lengths: dict[tuple[str, int], Case]) -> None:
        self.evaluator, self.inputs, self.lengths, self.most = evaluator, inputs, lengths, most
        groups = self.listed() if inputs.kind == "list" else self.of_lengths()
        self.groups = [group for group in groups if group.size]
        self.total = sum(group.size for group in self.groups)

    def value(self, tree: Tree, letters: dict[str, Value]) -> Value:
        scope = Scope().plus(*letters)
        code = self.evaluator.of(tree, scope)
        return code(scope.body.frame(self.evaluator.root, *letters.values()))

    def listed(self) -> list[Group]:
        tree = self.inputs.items
        cases = [listed(case, tree.place) for case in listed(self.value(tree, {}), tree.place).items]
        if len(set(cases)) < len(cases):
            raise Refused(tree.place, "this list has a case twice")
        return [Group("list", rank, (), 1, case) for rank, case in enumerate(cases)]

    def of_lengths(self) -> list[Group]:
        inputs, place, start, groups = self.inputs, self.inputs.place, 0, list[Group]()
        words = 1
        low, high = (whole(self.value(end, {}), end.place, "the number of items") for end in (inputs.low, inputs.high))  # type: ignore[arg-type, union-attr]
        if low < 0:
            raise Refused(inputs.low.place, f"{low} items: a number of items is 0 or more")  # type: ignore[union-attr]
        sets = list[tuple[Value, ...]]()
        if inputs.kind != "words" and low <= high:
            self.set_of(1)  # which is looked at, even if no case has an item
        for n in range(low, high + 1):
            if n > MOST_LENGTH:
                raise OverLimit(f"{place}: cases of more than {MOST_LENGTH:,} items")
            self.evaluator.budget.spend(100 + n)
            while len(sets) < n:
                again = bool(sets) and not inputs.at
                sets.append(sets[0] if again else self.set_of(len(sets) + 1))
                words *= len(sets[-1])
            group = Group(
                inputs.kind, start, tuple(sets), words if inputs.kind == "words" else choices(inputs.kind, sets)
            )
            groups.append(group)
            start += group.size
            if inputs.kind != "words":
                self.limited(start)
        return groups

    def limited(self, many: int, why: str = "") -> None:
        """So many cases, to be run one after the other."""
        if many > self.most:
            words = f"more than {self.most:,} cases{why}: take smaller sizes, or allow more"
            raise Spent(f"{self.inputs.place}: {words}")

    def set_of(self, position: int) -> tuple[Value, ...]:
        """The items of a set, in their order."""
        inputs, place = self.inputs, self.inputs.place
        at: dict[str, Value] = {inputs.at: position} if inputs.at else {}
        items = listed(self.value(inputs.items, at), place).items
        if inputs.power:
            d = whole(self.value(inputs.power, at), inputs.power.place, "an exponent")
            if d < 0:
                raise Refused(inputs.power.place, f"the power {d} of a set")
            if len(items) ** min(d, 21) > MOST_ITEMS or d > MOST_LENGTH:
                raise OverLimit(f"{place}: a set of more than {MOST_ITEMS:,} items")
            items = tuple([List(column) for column in product(items, repeat=d)])
        self.evaluator.budget.spend(10 * len(items))
        if len(set(items)) < len(items):
            raise Refused(inputs.items.place, "this set has an item twice")
        if inputs.by is None:
            return items
        by = [(number(self.value(inputs.by, at | {inputs.letter: item}), inputs.by.place), item) for item in items]
        return tuple([item for _, item in sorted(by)])

    def known(self, n: int) -> Case:
        """What is known of cases of n items."""
        key = self.inputs.variable, n
        if key not in self.lengths:
            self.lengths[key] = Case({}, 0, None, {self.inputs.variable: n})
        return self.lengths[key]

    def all(self) -> Iterator[tuple[int, Case]]:
        """Each with its rank."""
        self.limited(self.total)
        for group in self.groups:
            yield from self.within(group)

    def within(self, group: Group) -> Iterator[tuple[int, Case]]:
        for rank, places in enumerate([()] if group.listed else group.all_places(), group.start):
            yield rank, self.made(group, places)

    def of(self, ranks: Iterable[int]) -> Iterator[tuple[int, Case]]:
        for rank in ranks:
            group = self.group(rank)
            yield rank, self.made(group, () if group.listed else group.places(rank))

    def group(self, rank: int) -> Group:
        return next(group for group in reversed(self.groups) if group.start <= rank)

    def items(self, rank: int) -> List:
        group = self.group(rank)
        return group.case(() if group.listed else group.places(rank))

    def made(self, group: Group, places: Sequence[int]) -> Case:
        items = group.case(places)
        return Case({self.inputs.variable: items}, group.weight(places), self.known(len(items.items)), {})

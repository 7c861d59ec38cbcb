"""LANGUAGE 3: the cases of inputs, by rank, in groups of one shape."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, groupby, product
from math import comb, factorial, prod
from typing import TYPE_CHECKING, Union

from ..core.comparing import OverLimit
from .evaluate import Stage
from .graph import Graph, Kind, Row, Value, kind_of, one_kind, plain
from .layers import WRITTEN_OUT
from .numbers import Finer, Runtime
from .tree import Inputs
from .words import DEFECT, MOST_ITEMS, Place, Refused

if TYPE_CHECKING:
    from .derive import Run


@dataclass(frozen=True, slots=True)
class Known:
    """The shape of an item that is a list of known length."""

    first: int
    items: tuple[Shape, ...]


Shape = Union[Kind, Known]  # noqa: UP007


@dataclass(frozen=True, slots=True)
class Group:
    """Cases that follow each other and have one shape: all choices from the sets, one for each place."""

    kind: str
    start: int  # the first one's rank
    first: int  # the first index of the variable
    shapes: tuple[Shape, ...]
    sets: tuple[tuple[Runtime, ...], ...]

    def size(self) -> int:
        n, size = len(self.sets), len(self.sets[0]) if self.sets else 0
        if self.kind in ("words", "list"):
            return prod(map(len, self.sets))
        return 1 if n == 0 else comb(size + n - 1, n) if self.kind == "multisets" else comb(size, n)

    def choices(self, sets: list[list[Runtime]]) -> Iterator[tuple[Runtime, ...]]:
        """In the order of their ranks."""
        if self.kind in ("words", "list"):
            return product(*sets)
        items = sets[0] if sets else []
        return (combinations_with_replacement if self.kind == "multisets" else combinations)(items, len(sets))

    def places(self, rank: int) -> list[int]:
        """The places in their sets of the items of a case."""
        rank -= self.start
        found = list[int]()
        if self.kind in ("words", "list"):
            for items in reversed(self.sets):
                rank, place = divmod(rank, len(items))
                found.append(place)
            return found[::-1]
        n, size, low = len(self.sets), len(self.sets[0]) if self.sets else 0, 0
        for left in range(n - 1, -1, -1):  # how many cases begin so, and go on with an item at `low`
            while rank >= (
                many := comb(size - low + left - 1, left) if self.kind == "multisets" else comb(size - low - 1, left)
            ):
                rank -= many
                low += 1
            found.append(low)
            low += self.kind == "sets"
        return found

    def rank(self, places: Sequence[int]) -> int:
        """Of the case with its items at these places."""
        found, n, size, low = 0, len(self.sets), len(self.sets[0]) if self.sets else 0, 0
        for k, place in enumerate(places):
            if self.kind in ("words", "list"):
                found = found * len(self.sets[k]) + place
            elif self.kind == "multisets":  # those that go on with an item from `low` to before `place`
                found += comb(size - low + n - k - 1, n - k) - comb(size - place + n - k - 1, n - k)
                low = place
            else:
                found += comb(size - low, n - k) - comb(size - place, n - k)
                low = place + 1
        return self.start + found

    def case(self, rank: int) -> tuple[Runtime, ...]:
        return tuple([items[place] for items, place in zip(self.sets, self.places(rank), strict=True)])

    def weight(self, places: Iterable[object]) -> int:
        """How many tuples a case stands for."""
        if self.kind in ("words", "list"):
            return 1
        return factorial(len(self.sets)) // prod(factorial(len(list(same))) for _, same in groupby(places))


def shape_of(v: Value) -> Shape:
    return Known(v.first, tuple(map(shape_of, v.items))) if isinstance(v, Row) else kind_of(v)


def common(shapes: set[Shape], kinds: Iterable[Kind], place: Place) -> Shape:
    kind = one_kind(kinds, place)
    return next(iter(shapes)) if len(shapes) == 1 else kind


def item_set(run: Run, found: Inputs, env: dict[str, Value]) -> tuple[Shape, tuple[Runtime, ...]]:
    """The items, in their order."""
    stage, place = run.root, found.place
    row = stage.value(found.items, env)
    if not isinstance(row, Row):
        raise TypeError(DEFECT)
    if not row.known:
        raise Refused(place, "the set must be known")
    shape, items = common({shape_of(v) for v in row.items}, map(kind_of, row.items), place), [*map(plain, row.items)]
    if found.power:
        d = stage.whole(found.power, env, "an exponent")
        if d < 0:
            raise Refused(found.power.place, f"the power {d} of a set")
        if len(items) ** min(d, 21) > MOST_ITEMS and len(items) > 1:
            raise OverLimit(f"{place}: a set of more than {MOST_ITEMS:,} items")
        shape, items = Known(1, (shape,) * d), list(product(items, repeat=d))
    if len(items) > MOST_ITEMS:
        raise OverLimit(f"{place}: a set of more than {MOST_ITEMS:,} items")
    run.budget.spend(10 * len(items))
    if len(set(items)) != len(items):
        raise Refused(found.items.place, "this set has an item twice")
    if found.by:
        keys = list[Runtime]()
        for one in items:
            key = stage.value(found.by, {**env, found.letter: shaped(stage, shape, one, place)})
            if not isinstance(key, Fraction):
                raise Refused(found.by.place, "a set is sorted by a number")
            keys.append(key)
        items = [one for _, one in sorted(zip(keys, items, strict=True))]
    return shape, tuple(items)


def shaped(stage: Stage, shape: Shape, value: Runtime, place: Place) -> Value:
    if isinstance(shape, Known):
        items = [shaped(stage, inner, one, place) for inner, one in zip(shape.items, value, strict=True)]
        return stage.graph.row(items, place, shape.first)
    return stage.graph.lift(value, place)


def groups(run: Run, found: Inputs) -> list[Group]:
    """All cases. Their number is known before one is run."""
    stage, result, place = run.root, list[Group](), found.place
    if found.kind == "list":
        row = stage.expect("list", stage.value(found.items, {}), found.items.place)
        if not isinstance(row, Row) or not row.known or not all(isinstance(one, Row) for one in row.items):
            raise Refused(found.items.place, "a list of inputs is a known list of lists")
        for rank, one in enumerate(row.items):
            if not isinstance(one, Row):
                raise TypeError(DEFECT)
            shapes = tuple(map(shape_of, one.items))
            result.append(Group("list", rank, one.first, shapes, tuple((plain(x),) for x in one.items)))
    else:
        if not (found.low and found.high):
            raise TypeError(DEFECT)
        low, high = (stage.whole(end, {}, "the number of items") for end in (found.low, found.high))
        if low < 0:
            raise Refused(found.low.place, f"{low} items: a number of items is 0 or more")
        start = 0
        sets = list[tuple[Shape, tuple[Runtime, ...]]]()
        for n in range(low, high + 1):
            run.budget.spend(1000 + 100 * n)
            if n > 10_000:
                raise OverLimit(f"{place}: cases of more than 10,000 items")
            while len(sets) < n:
                again = bool(sets) and not found.at
                sets.append(sets[0] if again else item_set(run, found, {found.at: Fraction(len(sets) + 1)}))
            group = Group(found.kind, start, 1, tuple(s for s, _ in sets), tuple(items for _, items in sets))
            start += group.size()
            if start > run.most_cases:
                raise OverLimit(f"{place}: more than {run.most_cases:,} cases: take smaller sizes, or allow more")
            result.append(group)
    return [group for group in result if group.size()]


def leaves(stage: Stage, shape: Shape, place: Place, slots: Iterator[int]) -> Value:
    """An item of a case, in slots of its frame."""
    if isinstance(shape, Known):
        return stage.graph.row([leaves(stage, inner, place, slots) for inner in shape.items], place, shape.first)
    return stage.graph.node("input", (), shape, place, extra=next(slots))


def entries_of(shape: Shape, value: Runtime) -> Iterator[Runtime]:
    if isinstance(shape, Known):
        for inner, one in zip(shape.items, value, strict=True):
            yield from entries_of(inner, one)
    else:
        yield value


def flat(shape: Shape, value: Runtime, D: int) -> Iterator[Runtime]:
    for one in entries_of(shape, value):
        yield in_units(one, D)


def in_units(value: Runtime, D: int) -> Runtime:
    if isinstance(value, tuple):
        return tuple([in_units(one, D) for one in value])
    if isinstance(value, bool):
        return value
    if D % value.denominator:
        raise Finer(value.denominator)
    return int(value * D)


Step = Callable[[list[Runtime], int, int], None]  # a case's frame, its rank, its weight


class Cases:
    """The cases of a group, all about one stage."""

    def __init__(self, run: Run, found: Inputs, group: Group, short: int = WRITTEN_OUT) -> None:
        self.run, self.group = run, group
        self.stage = Stage(run, {}, Graph(run.budget), short)
        slots = iter(range(10**9))
        items = [leaves(self.stage, shape, found.place, slots) for shape in group.shapes]
        graph = self.stage.graph
        self.stage.case[found.variable] = graph.row(items, found.place, group.first)
        self.weight = next(slots)
        self.stage.case["weight"] = graph.node("input", (), "number", found.place, extra=self.weight)

    def frames(
        self, D: int, slots: int, cost: int, ranks: list[int] | None = None
    ) -> Iterator[tuple[int, int, list[Runtime]]]:
        """Of each case, or of these, its rank, its weight, and a frame with its items."""
        group, budget = self.group, self.run.budget
        sets = [
            [(place, *flat(shape, one, D)) for place, one in enumerate(items)]
            for shape, items in zip(group.shapes, group.sets, strict=True)
        ]
        blank: list[Runtime] = [None] * (slots - self.weight - 1)
        weighed = group.kind == "multisets"
        same = 1 if group.kind != "sets" else factorial(len(sets))
        chosen: Iterable[tuple[int, tuple[Runtime, ...]]]
        if ranks is None:
            chosen = enumerate(group.choices(sets), group.start)
        else:
            chosen = ((rank, tuple(s[k] for s, k in zip(sets, group.places(rank), strict=True))) for rank in ranks)
        for rank, choice in chosen:
            budget.spend(cost)
            weight = group.weight([one[0] for one in choice]) if weighed else same
            frame = [entry for one in choice for entry in one[1:]]
            frame.append(weight * D)
            frame += blank
            yield rank, weight, frame


def shown(value: Runtime) -> object:
    """A value of a certificate."""
    if isinstance(value, bool):
        return value
    if isinstance(value, tuple):
        return [shown(one) for one in value]
    return str(value)

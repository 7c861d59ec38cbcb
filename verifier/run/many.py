"""Many cases through a claim's check at once: the same code runs once on lanes (core/lanes.py), as far as that goes.

Cases that are alike (their class says in what) become one case whose numbers are lanes: a number of each case, side by
side. Where the check branches differently for some of them, they are divided. Whatever lanes can't do, and cases that
would be divided too often, are checked one by one. For many cases a relation gives only the least slack and the first
case that has it; whoever needs the relation itself makes it again, for that case alone.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import itemgetter
from typing import Any

import numpy as np
from gmpy2 import mpq

from verifier.core.claim import Claim, Relation
from verifier.core.construction import Construction
from verifier.core.lanes import Array, Lanes, Mask, Mixed, NotForLanes, alone, grouped, is_number, taken
from verifier.run.tally import Tally

FEWEST = 12  # cases that are worth running together
MOST_PARTS = 24  # into which cases that are alike are divided, for one claim


@dataclass(frozen=True)
class Group:
    """Some cases of a block: their places, in order, and the one case of lanes that stands for them."""

    places: Array
    case: Any

    def divided(self, where: Array) -> "tuple[Group, Group]":
        return self._part(where), self._part(~where)

    def _part(self, where: Array) -> "Group":
        part = object.__new__(type(self.case))
        vars(part).update({name: _taken(value, where) for name, value in vars(self.case).items()})
        return Group(self.places[where], part)


@dataclass(frozen=True)
class Askable:
    """Which claims are checked on many cases at once: those of this package, whose checks are known only to calculate
    with numbers, unless lanes have failed on one. A check of one's own may ask what type a number is."""

    ours: Mapping[str, Claim]
    refused: set[Any] = field(default_factory=set)  # pairs of a claim and of what its cases have in common

    def __call__(self, claim: Claim, kind: Any) -> bool:
        return self.ours.get(claim.id) is claim and (claim.id, kind) not in self.refused


def _taken(value: Any, where: Array) -> Any:
    return value if isinstance(value, Construction) else taken(value, where)  # it is the same for all cases


def see_cases(tallies: Sequence[Tally], first: int, cases: Sequence[Any], askable: Askable) -> None:
    """Runs a claim on these cases, numbered from `first` on, and makes the relations that stand out."""
    numbers = range(first, first + len(cases))
    Block(numbers, cases.__getitem__, grouped(cases), askable).seen_by(tallies)
    for tally in tallies:
        tally.settle(lambda number: cases[number - first])


class Block:
    """A stretch of cases; `case(place)` makes the one in this place, anew at each call."""

    def __init__(
        self,
        numbers: range,
        case: Callable[[int], Any],
        groups: Sequence[tuple[Array, Any]],
        askable: Askable,
    ) -> None:
        self.numbers, self.case, self.askable = numbers, case, askable
        self.alike = {_kind(group): [Group(*group)] for group in groups}

    def total(self, digest: Callable[[Any], mpq]) -> mpq:
        """The sum over all cases."""
        sums: list[mpq] = []

        def see(group: Group) -> None:
            sums.append(_sum(digest(group.case), len(group.places)))

        for key, groups in self.alike.items():
            self.alike[key], left = _divided(groups, see)
            sums += [digest(self.case(place)) for group in left for place in group.places.tolist()]
        return sum(sums, mpq(0))

    def seen_by(self, tallies: Sequence[Tally]) -> None:
        one_by_one: dict[int, list[Tally]] = defaultdict(list)
        before = [len(tally.values) for tally in tallies]
        for tally in tallies:
            for key, groups in self.alike.items():
                cases = sum(len(group.places) for group in groups)
                if not self.askable(tally.claim, key):
                    left = groups
                else:
                    self.alike[key], left = _divided(groups, partial(_see, tally, self.numbers))
                    if sum(len(group.places) for group in left) == cases >= FEWEST:
                        self.askable.refused.add((tally.claim.id, key))
                for group in left:
                    for place in group.places.tolist():
                        one_by_one[place].append(tally)
        for place in sorted(one_by_one):
            each = self.case(place)  # made anew and dropped: its run takes memory for every layer
            for tally in one_by_one[place]:
                tally.see(self.numbers[place], each)
        for tally, start in zip(tallies, before, strict=True):
            tally.values[start:] = sorted(tally.values[start:], key=itemgetter(1))


def _kind(group: tuple[Array, Any]) -> Any:
    """The cases grouped by what makes them alike, and the places of those that can't be grouped."""
    places, case = group
    if case is None:
        return int(places[0])
    return (type(case), *(getattr(case, name) for name in case.alike))


def _sum(value: Any, count: int) -> mpq:
    return mpq(sum(value.x.tolist()), value.scale) if type(value) is Lanes else count * value


def _divided(groups: list[Group], see: Callable[[Group], None]) -> tuple[list[Group], list[Group]]:
    """Calls `see` with each group; the groups after they were divided for it, and those that it can't take."""
    done: list[Group] = []
    left: list[Group] = []
    waiting = list(reversed(groups))
    most = len(groups) + MOST_PARTS
    while waiting:
        group = waiting.pop()
        try:
            if len(group.places) < FEWEST or group.case is None or len(done) > most:
                raise NotForLanes("too few are alike")
            see(group)
        except Mixed as mixed:
            waiting += reversed(group.divided(mixed.where))
        except (TypeError, AttributeError):
            left.append(group)
            done.append(group)
        else:
            done.append(group)
    return (done if len(done) <= most else groups), left


def _see(tally: Tally, numbers: Sequence[int], group: Group) -> None:
    """Does for all cases what Tally.see does for one. Nothing is counted before the whole check has gone through."""
    claim, case = tally.claim, group.case
    if not claim.domain.selects(case):
        return
    count = len(group.places)
    values = [alone(value, count) for value in claim.collect(case)] if claim.collect else []
    said = bool(values) or not (claim.check or claim.collect)
    failing = np.zeros(count, dtype=bool)
    least: dict[str, tuple[Any, int]] = {}
    for relation in claim.check(case) if claim.check else ():
        said = True
        holds = held(relation, count)
        failing |= ~holds
        if relation.op != "=" and holds.any():
            slack, place = _least(relation.slack, holds)
            before = least.get(relation.edge)
            if before is None or (slack, place) < before:
                least[relation.edge] = slack, place
    if said or claim.silence_holds:
        tally.cases += claim.domain.weight(case) * count
    tally.failing += int(failing.sum())
    for edge, (slack, place) in least.items():
        tally.tighten(slack, (numbers[group.places[place]],), edge, None)
    if failing.any():
        tally.fail((numbers[group.places[np.argmax(failing)]],), None)
    if values:
        number = [numbers[place] for place in group.places.tolist()]
        for column in values:
            tally.values += zip(column, number, strict=True)


def held(relation: Relation, count: int) -> Array:
    """Which cases a relation holds for; if it has anything but exact numbers, the cases are checked one by one."""
    if relation.cases:
        raise NotForLanes("not a relation of each case")
    if relation.op == "=":
        return _same(relation.value, relation.bound, count)
    if not (is_number(relation.value) and is_number(relation.bound)):
        raise NotForLanes("no two numbers")
    return _where(relation.compared, count)


def _where(held: Any, count: int) -> Array:
    return held.where if type(held) is Mask else np.full(count, bool(held))


def _same(a: Any, b: Any, count: int) -> Array:
    if type(a) is tuple and type(b) is tuple:
        if len(a) != len(b):
            return np.full(count, fill_value=False)
        return np.logical_and.reduce(
            [np.full(count, fill_value=True), *(_same(*pair, count) for pair in zip(a, b, strict=True))]
        )
    if not (is_number(a) and is_number(b)):
        raise NotForLanes("no two numbers")
    return _where(a == b, count)


def _least(slack: Any, held: Array) -> tuple[Any, int]:
    """The least slack among the cases that hold, and the first place that has it."""
    if type(slack) is not Lanes:
        return slack, int(np.argmax(held))
    places = np.flatnonzero(held)
    place = int(places[np.argmin(slack.x[places])])
    return slack.at_place(place), place

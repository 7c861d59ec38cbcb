"""LANGUAGE 5, `for all`: what holds for all real numbers t, by splitting.

An interval without its ends is looked at as a whole: every number is a + b t there. If what is compared is 0 at some t
inside, the interval is split: into the part below, this t alone, and the part above. In what isn't split no comparison
comes out in two ways. Of several numbers the same, one at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .ledger import Ranks, Seen
from .numbers import Box, Interval, NotAffine, Number, Q, Real, Split, divided, floor_of
from .values import List, Value
from .words import Place, Refused

MOST_REALS = 20
Path = tuple[int, ...]
Numbers = tuple["int | Q", ...]


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation in one box: which of the block's, whether it holds there, of an inequality its slack."""

    path: Path
    sign: int
    holds: bool
    slack: Number | None
    value: Value
    bound: Value
    letters: dict[str, Value]


@dataclass(frozen=True, slots=True)
class Spotted:
    """A relation for all real numbers: where it fails or is tightest, and its least slack there."""

    relation: Relation
    numbers: Numbers
    slack: int | Q | None = None
    side: str = ""

    def seen(self, ranks: Ranks) -> Seen:
        one, numbers = self.relation, self.numbers
        letters = {name: value_at(v, numbers) for name, v in one.letters.items()}
        sides = value_at(one.value, numbers), value_at(one.bound, numbers)
        return Seen(ranks, one.sign, *sides, letters, self.slack or 0, self.side)


def relations(many: int, look: Callable[[list[Value]], list[Relation]], place: Place) -> list[Spotted]:
    """Each relation that `look` makes at some numbers, in order."""
    boxes: list[Box] = [(Interval(None, None),) * many]
    found = dict[Path, list[tuple[Box, Relation]]]()
    while boxes:
        box = boxes.pop()
        numbers: list[Value] = [
            Real(0, {k: 1}, box) if isinstance(spot, Interval) else spot for k, spot in enumerate(box)
        ]
        try:
            made = look(numbers)
        except Split as split:
            spot = box[split.k]
            below, above = Interval(spot.low, split.t), Interval(split.t, spot.high)  # type: ignore[union-attr]
            boxes += [(*box[: split.k], part, *box[split.k + 1 :]) for part in (below, split.t, above)]
        except NotAffine as error:
            raise Refused(place, str(error) or "this isn't affine in the real numbers, piece by piece") from None
        else:
            for one in made:
                found.setdefault(one.path, []).append((box, one))
    return [tightest(found[path]) for path in sorted(found)]


def tightest(found: list[tuple[Box, Relation]]) -> Spotted:
    failing = [(box, one) for box, one in found if not one.holds]
    if failing or found[0][1].slack is None:
        spots = [Spotted(one, simplest(box)) for box, one in failing or found]
        return min(spots, key=lambda one: order(one.numbers))
    return min(
        (bounded(box, one) for box, one in found),
        key=lambda one: (one.slack, bool(one.side), order(one.numbers), one.side == "above"),
    )


def bounded(box: Box, relation: Relation) -> Spotted:
    """The greatest number below all slacks in the box, and where it's reached, or what side it's come near from."""
    numbers, side, slack = simplest(box), "", relation.slack
    for k, b in slack.b.items() if type(slack) is Real else ():
        spot = box[k]
        end = (spot.low if b > 0 else spot.high) if isinstance(spot, Interval) else None
        if end is None:
            raise TypeError(box)  # a slack that falls without end isn't above 0 in all of the box
        numbers, side = (*numbers[:k], end, *numbers[k + 1 :]), "above" if b > 0 else "below"
    return Spotted(relation, numbers, value_at(slack, numbers), side)  # type: ignore[arg-type]


def simplest(box: Box) -> Numbers:
    return tuple([simplest_of(spot) if isinstance(spot, Interval) else spot for spot in box])


def simplest_of(interval: Interval) -> int | Q:
    """Of its numbers with the least denominator the one nearest to 0: the next ones of a continued fraction."""
    if interval.has(0):
        return 0
    if interval.high is not None and interval.high <= 0:
        return -simplest_of(Interval(-interval.high, None if interval.low is None else -interval.low))
    low, high = interval.low or 0, interval.high
    p, q, before = 1, 0, (0, 1)
    while True:
        n = floor_of(low, 1)
        if high is None or n + 1 < high:
            return divided(p * (n + 1) + before[0], q * (n + 1) + before[1])
        p, q, before = p * n + before[0], q * n + before[1], (p, q)
        low, high = divided(1, high - n), None if low == n else divided(1, low - n)


def order(numbers: Numbers) -> list[tuple[int, int | Q, bool]]:
    """The simpler one comes first: the smaller denominator, nearer to 0, below 0."""
    return [(t.denominator, abs(t), t > 0) for t in numbers]  # type: ignore[misc]


def value_at(v: Value, numbers: Numbers) -> Value:
    """A value, exactly, at these numbers."""
    if type(v) is List:
        return List([value_at(item, numbers) for item in v.items], v.first)
    return v.at(numbers) if type(v) is Real else v

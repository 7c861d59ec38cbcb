"""A claim's relations on a block of cases: what is counted of them, and how two counts are put together."""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

import numpy as np

from verifier.evaluate.definition import Case
from verifier.evaluate.ledger import INEQUALITIES, RECOGNISES, Ranks, Seen
from verifier.evaluate.quick.block import Block, Letters
from verifier.evaluate.quick.numbers import Lanes, compare, full, known, minus
from verifier.evaluate.quick.values import Seq, Split, Truth, Value, flip, need, ordered, pairs_of, related, shown, some
from verifier.evaluate.reals import everywhere
from verifier.language.tree import BETWEEN_TRUTHS, Claim, Tree
from verifier.language.words import Place, Refused

Order = tuple[int, ...]  # of relations about the same cases
Collected = tuple[Lanes, int, Lanes]  # numbers, their denominator, their ranks


@dataclass
class Wrongly:
    """How often a `recognises` said one of two answers wrongly, and where first."""

    many: int = 0
    first: tuple[Ranks, Order, Seen] | None = None

    def add(self, other: "Wrongly") -> None:
        self.many += other.many
        if other.first is not None and (self.first is None or other.first[:2] < self.first[:2]):
            self.first = other.first


@dataclass
class Line:
    """One sign of a claim's relations."""

    made: int = 0
    least: tuple[Fraction, Ranks, Seen] | None = None  # the slack, where
    accepted: int = 0  # of `recognises`
    wrongly: dict[bool, Wrongly] = field(
        default_factory=lambda: {True: Wrongly(), False: Wrongly()}
    )  # accepted, or not


@dataclass
class Found:
    """What is counted of a claim, in some cases or in all."""

    cases: int = 0
    lines: dict[Place, Line] = field(default_factory=dict)
    first: tuple[Ranks, Order, Seen] | None = None  # the first failure
    failing: int = 0  # cases
    collected: dict[int, list[Collected]] = field(default_factory=dict)  # of each `across`

    def add(self, other: "Found") -> None:
        """What is counted in other cases, of higher or lower ranks."""
        self.cases += other.cases
        self.failing += other.failing
        for place, line in other.lines.items():
            mine = self.lines.setdefault(place, Line())
            mine.made += line.made
            mine.accepted += line.accepted
            for said, wrongly in line.wrongly.items():
                mine.wrongly[said].add(wrongly)
            if line.least is not None and (mine.least is None or line.least[:2] < mine.least[:2]):
                mine.least = line.least
        if other.first is not None and (self.first is None or other.first[:2] < self.first[:2]):
            self.first = other.first
        for k, parts in other.collected.items():
            self.collected.setdefault(k, []).extend(parts)


class Made:
    """The relations that are made on a block. ranks: the cases of a lane; before: what their order begins with."""

    def __init__(
        self, block: Block, ranks: Callable[[int], Ranks], before: Callable[[int], Order] = lambda _: ()
    ) -> None:
        self.ranks, self.before, self.found, self.order = ranks, before, Found(), 0
        self.bad = np.zeros(block.root.n, dtype=bool)

    def lines(self, b: Block, lines: list[Tree], at: Letters) -> None:
        for k, line in enumerate(lines):
            what = line[0]
            if what == "relation":
                values = [b(side, at) for side in line[3]]
                for sign, name, (value, bound) in zip(line[2], line[4], pairwise(values), strict=True):
                    self.order += 1
                    self.relation(b, sign, name.place, value, bound, at)
            elif what == "for":
                _, _, letter, reach, condition, inner = line
                for here, mask in b.each(letter, reach, condition, at):
                    self.inside(b, mask, inner, here)
            elif what == "when":
                self.inside(b, b.truth(line[2], at), line[3], at, line[2][0] == "name")
            elif what == "within":
                _, _, collected, first, second, inner = line
                numbers = ordered(listed(b(collected, at))).items
                if len(numbers) > 1:
                    may_widen(b, inner, first, second, at)
                for low, high in pairwise(numbers):
                    self.lines(b, inner, {**at, first: low, second: high})
            elif what == "all":
                self.all(b, line, at)
            elif what == "once":
                if not self.ranks(0):
                    self.lines(b, line[2], at)
            else:  # across
                for value, mask in pairs_of(listed(b(line[2], at))):
                    lanes = np.nonzero(np.broadcast_to(mask, b.n))[0]
                    places = lanes if b.place is None else b.place[lanes]
                    found = full(value, b.n)
                    self.found.collected.setdefault(k, []).append(
                        (found.v[lanes], found.den, places + self.ranks(0)[0])
                    )

    def all(self, b: Block, line: Tree, at: Letters) -> None:
        """`for all`, case by case, by the definition."""
        reading, before, last = b.page.reading, self.order, self.order
        for lane in range(b.n):
            p, here = b.lane(lane), {name: shown(value, lane) for name, value in at.items()}
            case = Case(reading, {name: shown(value, p) for name, value in b.root.env.items()})
            self.order = before
            for holds, slack, seen in everywhere(case, line, here, self.ranks(p)):
                self.order += 1
                mine = self.found.lines.setdefault(seen.place, Line())
                mine.made += 1
                if not holds:
                    self.bad[p] = True
                    self.failed((seen.ranks, (*self.before(p), self.order)), seen)
                elif slack is not None:
                    key = (Fraction(int(slack.numerator), int(slack.denominator)), seen.ranks)
                    if mine.least is None or key < mine.least[:2]:
                        mine.least = (*key, seen)
            last = max(last, self.order)
        self.order = last

    def failed(self, key: tuple[Ranks, Order], seen: Seen) -> None:
        if self.found.first is None or key < self.found.first[:2]:
            self.found.first = (*key, seen)

    def inside(self, b: Block, mask: Truth, lines: list[Tree], at: Letters, lasting: bool = False) -> None:
        """The lines, in the lanes of the mask."""
        if mask is True:
            self.lines(b, lines, at)
        elif some(mask):
            block = b.sub(mask, lasting)
            with b.wider(block):
                self.lines(block, lines, {k: block.taken(v) for k, v in at.items()})

    def relation(self, b: Block, sign: str, place: Place, value: Value, bound: Value, at: Letters) -> None:
        line = self.found.lines.setdefault(place, Line())
        line.made += b.n
        if sign not in INEQUALITIES:
            if sign in BETWEEN_TRUTHS:
                need("truth", value, bound)
            bad = flip(related("=" if sign in BETWEEN_TRUTHS else sign, value, bound))
            self.fail(b, bad, place, value, bound, at)
            if sign == RECOGNISES:
                self.answered(b, line, bad, place, value, bound, at)
            return
        need("number", value, bound)
        slack = minus(value, bound) if sign[0] == ">" else minus(bound, value)
        good = compare(">" if len(sign) == 1 else ">=", slack, 0)
        self.fail(b, flip(good), place, value, bound, at)
        if good is False:
            return
        lanes = np.arange(b.n) if good is True else np.nonzero(good)[0]
        v = slack.numerator if known(slack) else slack.v[lanes]
        lane = 0 if known(slack) else int(v.argmin())
        least = Fraction(slack) if known(slack) else Fraction(int(v[lane]), slack.den)
        key = (least, self.ranks(b.lane(int(lanes[lane]))))
        if line.least is None or key < line.least[:2]:
            line.least = (*key, seen(key[1], place, value, bound, at, lanes[lane]))

    def answered(self, b: Block, line: Line, bad: Truth, place: Place, value: Value, bound: Value, at: Letters) -> None:
        """What a `recognises` said of the lanes' words."""
        accepted, wrong = np.broadcast_to(value, b.n), np.broadcast_to(bad, b.n)
        line.accepted += int(accepted.sum())
        for said, mask in ((True, wrong & accepted), (False, wrong & ~accepted)):
            if mask.any():
                lane = int(np.argmax(mask))
                p = b.lane(lane)
                ranks = self.ranks(p)
                first = ranks, (*self.before(p), self.order), seen(ranks, place, value, bound, at, lane)
                line.wrongly[said].add(Wrongly(int(mask.sum()), first))

    def fail(self, b: Block, bad: Truth, place: Place, value: Value, bound: Value, at: Letters) -> None:
        if bad is False:
            return
        self.bad[slice(None) if b.place is None else b.place] |= bad
        lane = int(np.argmax(bad))
        p = b.lane(lane)
        ranks = self.ranks(p)
        self.failed((ranks, (*self.before(p), self.order)), seen(ranks, place, value, bound, at, lane))


def seen(ranks: Ranks, place: Place, value: Value, bound: Value, at: Letters, lane: int) -> Seen:
    """A relation in one lane."""
    letters = {name: shown(letter, lane) for name, letter in at.items()}
    return Seen(ranks, place, shown(value, lane), shown(bound, lane), letters)


def attempt(claim: Claim, block: Block, rank: int) -> Found:
    """What is counted of a claim in a block; rank: of the first of all its cases."""
    mask = True if claim.condition is None else block.truth(claim.condition, {})
    made = Made(block, lambda p: (rank + p,))
    made.inside(block, mask, claim.lines, {}, True)
    made.found.cases, made.found.failing = int(np.broadcast_to(mask, block.n).sum()), int(made.bad.sum())
    return made.found


def listed(value: Value) -> Seq:
    """The numbers of a within or across: one, or a list."""
    found = value if isinstance(value, Seq) else Seq(1, [value])
    need("number", *found.items)
    return found


def numbered(v: Value) -> Value:
    need("number", v)
    return v


def may_widen(b: Block, lines: list[Tree], first: str, second: str, at: Letters) -> None:
    """As `widening` in definition.py, for a block."""
    for line in lines:
        if line[0] == "for":
            for here, mask in b.each(line[2], line[3], line[4], at):
                if mask is not True:
                    raise Split(mask)
                may_widen(b, line[5], first, second, here)
        elif line[0] == "when":
            test = b.truth(line[2], at)
            if isinstance(test, np.ndarray):
                raise Split(test)
            if test:
                may_widen(b, line[3], first, second, at)
        elif line[0] == "relation":
            for sign, (left, right) in zip(line[2], pairwise(line[3]), strict=True):
                sides = (left, right) if sign in (">", ">=") else (right, left)
                at_0, at_b, at_a = (
                    minus(*(numbered(b(side, {**at, first: x, second: y})) for side in sides))
                    for x, y in ((0, 0), (0, 1), (1, 0))
                )
                if some(compare("<", at_b, at_0)) or some(compare(">", at_a, at_0)):
                    raise Refused(line[1], "this may hold of neighbours and fail for a pair further apart")

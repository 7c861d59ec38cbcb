"""A claim's relations on a block of cases, recorded in its ledger many at once."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np
from gmpy2 import mpq

from verifier.evaluate.definition import Case
from verifier.evaluate.ledger import INEQUALITIES, RECOGNISES, Count, Ledger, Ranks, Relation
from verifier.evaluate.quick.block import Block, Letters
from verifier.evaluate.quick.numbers import Lanes, compare, full, known, minus
from verifier.evaluate.quick.values import (
    LanesDiffer,
    Seq,
    Truth,
    Value,
    flip,
    need,
    ordered,
    pairs_of,
    related,
    shown,
    some,
)
from verifier.evaluate.reals import for_all
from verifier.language.tree import (
    BETWEEN_TRUTHS,
    Across,
    Chain,
    Claim,
    ClaimLine,
    ForAll,
    ForEach,
    Name,
    Once,
    When,
    Within,
)
from verifier.language.words import Place, Refused

Order = tuple[int, ...]  # of relations about the same cases
Collected = tuple[Lanes, int, Lanes]  # numbers, their denominator, their ranks


class Recorder:
    """Makes a claim's relations on a block. ranks: the cases of a lane; before: what their order begins with."""

    def __init__(
        self, claim: Claim, block: Block, ranks: Callable[[int], Ranks], before: Callable[[int], Order] = lambda _: ()
    ) -> None:
        self.ledger, self.collected = Ledger(claim), dict[int, list[Collected]]()  # of each `across` its numbers
        self.ranks, self.before, self.order = ranks, before, 0
        self.bad = np.zeros(block.root.n, dtype=bool)

    def lines(self, b: Block, lines: list[ClaimLine], at: Letters) -> None:
        for k, line in enumerate(lines):
            if isinstance(line, Chain):
                values = [b(side, at) for side in line.sides]
                for sign, text, (value, bound) in zip(line.signs, line.texts, pairwise(values), strict=True):
                    self.order += 1
                    self.relation(b, sign, text.place, value, bound, at)
            elif isinstance(line, ForEach):
                for letters, mask in b.each(line.letter, line.reach, line.condition, at):
                    self.inside(b, mask, line.lines, letters)
            elif isinstance(line, When):
                self.inside(b, b.truth(line.condition, at), line.lines, at, isinstance(line.condition, Name))
            elif isinstance(line, Within):
                numbers = ordered(listed(b(line.numbers, at))).items
                if len(numbers) > 1:
                    may_widen(b, line.lines, line.lower, line.upper, at)
                for low, high in pairwise(numbers):
                    self.lines(b, line.lines, {**at, line.lower: low, line.upper: high})
            elif isinstance(line, ForAll):
                self.all(b, line, at)
            elif isinstance(line, Once):
                if not self.ranks(0):
                    self.lines(b, line.lines, at)
            else:
                self.across(b, k, line, at)

    def across(self, b: Block, k: int, line: Across, at: Letters) -> None:
        """Collects the numbers of each lane."""
        for value, mask in pairs_of(listed(b(line.numbers, at))):
            lanes = np.nonzero(np.broadcast_to(mask, b.n))[0]
            places = lanes if b.place is None else b.place[lanes]
            numbers, ranks = full(value, b.n), places + self.ranks(0)[0]
            self.collected.setdefault(k, []).append((numbers.v[lanes], numbers.den, ranks))

    def all(self, b: Block, line: ForAll, at: Letters) -> None:
        """`for all`, case by case, by the definition."""
        reading, before, last = b.page.reading, self.order, self.order
        for lane in range(b.n):
            p, letters = b.lane(lane), {name: shown(value, lane) for name, value in at.items()}
            case = Case(reading, {name: shown(value, p) for name, value in b.root.env.items()})
            self.order = before
            for holds, slack, relation in for_all(case, line, letters, self.ranks(p)):
                self.order += 1
                count = self.ledger.counts[relation.place]
                count.made += 1
                if not holds:
                    self.bad[p] = True
                    self.ledger.fails(replace(relation, order=(*self.before(p), self.order)))
                elif slack is not None:
                    count.tightest(slack, relation)
            last = max(last, self.order)
        self.order = last

    def inside(self, b: Block, mask: Truth, lines: list[ClaimLine], at: Letters, lasting: bool = False) -> None:
        """The lines, in the lanes of the mask."""
        if mask is True:
            self.lines(b, lines, at)
        elif some(mask):
            block = b.sub(mask, lasting)
            with b.wider(block):
                self.lines(block, lines, {k: block.taken(v) for k, v in at.items()})

    def relation(self, b: Block, sign: str, place: Place, value: Value, bound: Value, at: Letters) -> None:
        count = self.ledger.counts[place]
        count.made += b.n
        if sign not in INEQUALITIES:
            if sign in BETWEEN_TRUTHS:
                need("truth", value, bound)
            bad = flip(related("=" if sign in BETWEEN_TRUTHS else sign, value, bound))
            self.fail(b, bad, place, value, bound, at)
            if sign == RECOGNISES:
                self.answered(b, count, bad, place, value, bound, at)
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
        least = mpq(slack) if known(slack) else mpq(int(v[lane]), slack.den)
        if count.least is None or least <= count.least[0]:
            count.tightest(least, self.made(b, int(lanes[lane]), place, value, bound, at))

    def made(self, b: Block, lane: int, place: Place, value: Value, bound: Value, at: Letters) -> Relation:
        """A relation in one lane."""
        p, letters = b.lane(lane), {name: shown(letter, lane) for name, letter in at.items()}
        sides = shown(value, lane), shown(bound, lane)
        return Relation(self.ranks(p), place, *sides, letters, order=(*self.before(p), self.order))

    def answered(
        self, b: Block, count: Count, bad: Truth, place: Place, value: Value, bound: Value, at: Letters
    ) -> None:
        """What a `recognises` said of the lanes' words."""
        accepted, wrong = np.broadcast_to(value, b.n), np.broadcast_to(bad, b.n)
        count.accepted += int(accepted.sum())
        for answer, mask in ((True, wrong & accepted), (False, wrong & ~accepted)):
            if mask.any():
                first = self.made(b, int(np.argmax(mask)), place, value, bound, at)
                count.wrongly[answer].add(int(mask.sum()), first)

    def fail(self, b: Block, bad: Truth, place: Place, value: Value, bound: Value, at: Letters) -> None:
        if bad is False:
            return
        self.bad[slice(None) if b.place is None else b.place] |= bad
        self.ledger.fails(self.made(b, int(np.argmax(bad)), place, value, bound, at))


def attempt(claim: Claim, block: Block, rank: int) -> Recorder:
    """A claim in a block; rank: of the first of all its cases."""
    mask = True if claim.condition is None else block.truth(claim.condition, {})
    recorder = Recorder(claim, block, lambda p: (rank + p,))
    recorder.inside(block, mask, claim.lines, {}, True)
    recorder.ledger.cases, recorder.ledger.failing = int(np.broadcast_to(mask, block.n).sum()), int(recorder.bad.sum())
    return recorder


def listed(value: Value) -> Seq:
    """The numbers of a within or across: one, or a list."""
    numbers = value if isinstance(value, Seq) else Seq(1, [value])
    need("number", *numbers.items)
    return numbers


def numbered(v: Value) -> Value:
    need("number", v)
    return v


def may_widen(b: Block, lines: list[ClaimLine], first: str, second: str, at: Letters) -> None:
    """As `widening` in definition.py, for a block."""
    for line in lines:
        if isinstance(line, ForEach):
            hidden = line.letter
            for letters, mask in b.each(line.letter, line.reach, line.condition, at):
                if mask is not True:
                    raise LanesDiffer(mask)
                may_widen(b, line.lines, "" if first == hidden else first, "" if second == hidden else second, letters)
        elif isinstance(line, When):
            test = b.truth(line.condition, at)
            if isinstance(test, np.ndarray):
                raise LanesDiffer(test)
            if test:
                may_widen(b, line.lines, first, second, at)
        elif isinstance(line, Chain):
            for sign, (left, right) in zip(line.signs, pairwise(line.sides), strict=True):
                sides = (left, right) if sign in (">", ">=") else (right, left)
                at_0, at_b, at_a = (
                    minus(*(numbered(b(side, {**at, first: x, second: y})) for side in sides))
                    for x, y in ((0, 0), (0, 1), (1, 0))
                )
                if some(compare("<", at_b, at_0)) or some(compare(">", at_a, at_0)):
                    raise Refused(line.place, "this may hold of neighbours and fail for a pair further apart")

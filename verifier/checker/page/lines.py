"""LANGUAGE 5: the lines of a claim, as functions of a frame that make their relations, in order, into a ledger."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from operator import itemgetter

from ..core.comparing import OverLimit
from . import everywhere
from .evaluate import Code, Evaluator, Frame, Scope
from .ledger import Ledger, Ranks, Seen
from .numbers import Number
from .rules import PAIRS
from .tree import Line
from .values import INEQUALITIES, List, Value, compare, minus, number
from .words import Place, Refused

Act = Callable[[Frame, Ranks], None]
Sink = Callable[[Frame, everywhere.Relation], None]  # who takes relations instead of the ledger


@dataclass(frozen=True)
class Block:
    """Where a line stands: its letters; of `for all` who takes its relations, and which of them it makes."""

    scope: Scope
    letters: dict[str, int] = field(default_factory=dict)  # of the blocks around, each with its place in the frame
    sink: Sink | None = None
    path: tuple[Callable[[Frame], int], ...] = ()

    def plus(self, *names: str) -> Block:
        scope = self.scope.plus(*names)
        return replace(self, scope=scope, letters=self.letters | {name: scope.letters[name] for name in names})

    def at(self, step: Callable[[Frame], int]) -> Block:
        return replace(self, path=(*self.path, step))


class Lines:
    """Of a claim."""

    def __init__(self, evaluator: Evaluator, ledger: Ledger, signs: int = 0) -> None:
        self.evaluator, self.ledger, self.signs = evaluator, ledger, signs  # the number of the next sign

    def all_of(self, lines: tuple[Line, ...], block: Block) -> Act:
        acts = [self.line(line, block.at(constant(k)), k) for k, line in enumerate(lines)]

        def act(e: Frame, ranks: Ranks) -> None:
            for one in acts:
                one(e, ranks)

        return act if len(acts) != 1 else acts[0]

    def line(self, line: Line, block: Block, k: int) -> Act:
        if line.op == "relation":
            return self.relation(line, block)
        if line.op == "across":
            return self.across(line, block, k)
        if line.op == "once":
            self.signs += count_signs(line)  # its relations are made when all cases were seen
            return nothing
        return {"for": self.loop, "if": self.guarded, "within": self.within, "all": self.for_all}[line.op](line, block)

    # blocks
    def guarded(self, line: Line, block: Block) -> Act:
        passes, inner = self.evaluator.passes(line.when, block.scope), self.all_of(line.block, block)
        if passes is None:
            return inner

        def act(e: Frame, ranks: Ranks) -> None:
            if passes(e):
                inner(e, ranks)

        return act

    def loop(self, line: Line, block: Block) -> Act:
        evaluator = self.evaluator
        reach, before = evaluator.turns(line.reach, block.scope), evaluator.steps  # type: ignore[arg-type]
        turn = block.scope.another()  # which turn it is
        inner = block.plus(*line.letters).at(itemgetter(turn))
        letter, one = inner.letters[line.letters[0]], self.guarded(line, inner)
        cost = evaluator.steps - before + 1

        def act(e: Frame, ranks: Ranks) -> None:
            items = reach(e)
            evaluator.budget.spend(cost * len(items))
            for e[turn], e[letter] in enumerate(items):
                one(e, ranks)

        return act

    def within(self, line: Line, block: Block) -> Act:
        numbers, inner = self.numbers_of(line, block), block.plus(*line.letters)
        pairs = self.pairs(line, inner)

        def act(e: Frame, ranks: Ranks) -> None:
            pairs(e, [(a, b, ranks) for a, b in pairwise(sorted(numbers(e)))])

        return act

    def across(self, line: Line, block: Block, k: int) -> Act:
        """Collects the numbers; the pairs are made when all cases were seen."""
        numbers, into = self.numbers_of(line, block), self.ledger.across.setdefault(k, [])
        self.signs += count_signs(line)

        def act(e: Frame, ranks: Ranks) -> None:
            into.extend([(v, ranks[0]) for v in numbers(e)])  # type: ignore[misc]
            self.evaluator.budget.spend(20)

        return act

    def numbers_of(self, line: Line, block: Block) -> Callable[[Frame], Iterable[Number]]:
        code, place = self.evaluator.of(line.sides[0], block.scope), line.sides[0].place

        def get(e: Frame) -> Iterable[Number]:
            v = code(e)
            return [number(item, place) for item in (v.items if type(v) is List else (v,))]

        return get

    def pairs(self, line: Line, inner: Block) -> Callable[[Frame, Sequence[tuple[Number, Number, Ranks]]], None]:
        """The block of neighbours a <= b. If there are any it is asked whether its relations widen."""
        a, b = (inner.letters[name] for name in line.letters)
        widens = [test for each in line.block for test in self.tests(each, inner, (a, b))]
        one = self.all_of(line.block, inner)

        def act(e: Frame, neighbours: Sequence[tuple[Number, Number, Ranks]]) -> None:
            self.evaluator.budget.spend(10 * len(neighbours))
            for test in widens if neighbours else ():
                test(e)
            for e[a], e[b], ranks in neighbours:
                one(e, ranks)

        return act

    def tests(self, line: Line, block: Block, pair: tuple[int, int]) -> list[Callable[[Frame], None]]:
        """Refuse what may hold of neighbours and not of all pairs: the slack of each relation, affine in a and b
        (rules.py), falls neither when b grows nor when a falls."""
        if line.op == "relation":
            sides = [self.evaluator.of(side, block.scope) for side in line.sides]
            return [
                self.test(sign, left, right, place, pair)
                for sign, (left, right), place in zip(line.signs, pairwise(sides), line.starts, strict=False)
            ]
        if line.op == "if":
            inner = [test for each in line.block for test in self.tests(each, block, pair)]
            passes = self.evaluator.passes(line.when, block.scope)

            def guarded(e: Frame) -> None:
                if passes is None or passes(e):
                    for one in inner:
                        one(e)

            return [guarded]
        reach, looped = self.evaluator.turns(line.reach, block.scope), block.plus(*line.letters)  # type: ignore[arg-type]
        letter = looped.letters[line.letters[0]]
        each_turn = [test for each in line.block for test in self.tests(each, looped, pair)]
        when = self.evaluator.passes(line.when, looped.scope)

        def act(e: Frame) -> None:
            for e[letter] in reach(e):  # noqa: B020 - e is a frame
                if when is None or when(e):
                    for one in each_turn:
                        one(e)

        return [act]

    @staticmethod
    def test(sign: str, left: Code, right: Code, place: Place, pair: tuple[int, int]) -> Callable[[Frame], None]:
        larger, smaller = (left, right) if sign in (">", ">=") else (right, left)
        a, b = pair

        def slack(e: Frame, low: int, high: int) -> Number:
            e[a], e[b] = low, high
            return minus(larger(e), smaller(e), place)  # type: ignore[return-value]

        def act(e: Frame) -> None:
            here = slack(e, 0, 0)
            if slack(e, 0, 1) < here or slack(e, 1, 0) > here:
                raise Refused(place, PAIRS)

        return act

    # relations
    def relation(self, line: Line, block: Block) -> Act:
        evaluator, ledger, letters, first = self.evaluator, self.ledger, block.letters, self.signs
        self.signs += len(line.signs)
        sides = [evaluator.of(side, block.scope) for side in line.sides]
        signs = list(zip(range(first, self.signs), line.signs, line.starts, strict=False))
        made = ledger.made

        def sides_of(e: Frame) -> list[tuple[int, str, bool, Value, Value]]:
            values = [side(e) for side in sides]
            return [
                (k, sign, compare(sign, a, b, place), a, b)
                for (k, sign, place), (a, b) in zip(signs, pairwise(values), strict=True)
            ]

        def act(e: Frame, ranks: Ranks) -> None:
            for k, sign, holds, a, b in sides_of(e):
                made[k] += 1
                if sign in INEQUALITIES and holds:
                    slack = abs(a - b)  # type: ignore[operator]
                    if ledger.tighter(k, slack, ranks):
                        ledger.least[k] = Seen(ranks, k, a, b, standing(letters, e), slack)
                elif sign == "recognises" or not holds:
                    seen = Seen(ranks, k, a, b, standing(letters, e))
                    if sign == "recognises":
                        ledger.answered(seen)
                    if not holds:
                        ledger.fails(seen)

        if block.sink is None:
            return act
        sink, path = block.sink, block.path

        def into_sink(e: Frame, ranks: Ranks) -> None:  # noqa: ARG001
            at = tuple([step(e) for step in path])
            for k, sign, holds, a, b in sides_of(e):
                slack = (a - b if sign in (">", ">=") else b - a) if sign in INEQUALITIES else None  # type: ignore[operator]
                sink(e, everywhere.Relation((*at, k), k, holds, slack, a, b, standing(letters, e)))

        return into_sink

    def for_all(self, line: Line, block: Block) -> Act:
        """Its relations, each once, about all real numbers for which the condition holds."""
        evaluator, ledger, place = self.evaluator, self.ledger, line.place
        reach = evaluator.turns(line.reach, block.scope) if line.reach else None
        inner = block.plus(line.letters[0])
        found: list[everywhere.Relation] = []
        inner = replace(inner, sink=lambda e, one: found.append(one), path=())  # noqa: ARG005
        letter, before = inner.letters[line.letters[0]], evaluator.steps
        one, cost = self.guarded(line, inner), evaluator.steps - before + 1000

        def act(e: Frame, ranks: Ranks) -> None:
            indices = reach(e) if reach else (1,)
            if len(indices) > everywhere.MOST_REALS:
                raise OverLimit(f"{place}: at most {everywhere.MOST_REALS} real numbers at a time")

            def look(numbers: list[Value]) -> list[everywhere.Relation]:
                evaluator.budget.spend(cost)
                found.clear()
                e[letter] = List(numbers, indices[0] if indices else 1) if reach else numbers[0]  # type: ignore[arg-type]
                one(e, ranks)
                return list(found)

            for spotted in everywhere.relations(len(indices), look, place):
                relation = spotted.relation
                ledger.made[relation.sign] += 1
                seen = spotted.seen(ranks)
                if not relation.holds:
                    ledger.fails(seen)
                elif spotted.slack is not None and ledger.tighter(relation.sign, spotted.slack, ranks):
                    ledger.least[relation.sign] = seen

        return act


def standing(letters: dict[str, int], e: Frame) -> dict[str, Value]:
    return {name: e[at] for name, at in letters.items()}


def constant(k: int) -> Callable[[Frame], int]:
    return lambda e: k  # noqa: ARG005


def nothing(e: Frame, ranks: Ranks) -> None:
    """A line that makes nothing at a case."""


def count_signs(line: Line) -> int:
    return len(line.signs) + sum(map(count_signs, line.block))

"""The lines of a claim on letters: in place of relations they make tests, each under its guard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn

from ..page.evaluate import Case, Frame, Scope
from ..page.ledger import Ledger, Ranks
from ..page.lines import Act, Block, Lines
from ..page.numbers import NotAffine
from ..page.tree import Line
from ..page.values import INEQUALITIES, number, truth
from .letters import NOTHING, Letters, also, compared, pairs_of
from .nodes import Truth, both

LOOKED = -1  # in place of a relation's number: what must hold, where the guard does, or the page is refused


class Test(NamedTuple):
    """Of the words for which the guard holds: a relation, or what must be so. Of an inequality the value is its slack,
    which is above 0 (`strict`), or not below; of any other a truth; of `recognises` also both sides."""

    sign: int
    guard: Truth
    value: Any
    inequality: bool = False
    strict: bool = False
    sides: tuple[Truth, ...] = ()


class LetterLines(Lines):
    evaluator: Letters

    def __init__(self, letters: Letters, ledger: Ledger) -> None:
        super().__init__(letters, ledger)
        self.guard: Truth = True
        self.made: list[Test] = []

    def apart(self, code: Callable[[Frame], Any], e: Frame) -> Any:
        """Its value, with a test of what must hold for that."""
        v, ok = self.evaluator.apart(code, e)
        if ok is not True:
            self.add(Test(LOOKED, self.guard, ok))
        return v

    def add(self, test: Test) -> None:
        """Said for each letter at its last place, if it needs fewer operations then."""
        if test.guard is False:
            return
        values = (test.guard, test.value, *test.sides)
        for c, (guard, value, *sides) in self.evaluator.ways(values) or [(True, list(values))]:
            if (guard := both(c, guard)) is not False:
                self.made.append(test._replace(guard=guard, value=value, sides=tuple(sides)))

    def guarded(self, line: Line, block: Block) -> Act:
        passes, inner = self.evaluator.passes(line.when, block.scope), self.all_of(line.block, block)

        def act(e: Frame, ranks: Ranks) -> None:
            around = self.guard
            if passes is not None:
                self.guard = also(around, self.apart(passes, e))
            if self.guard is not False:
                inner(e, ranks)
            self.guard = around

        return act

    def loop(self, line: Line, block: Block) -> Act:
        evaluator = self.evaluator
        reach, before = evaluator.turns(line.reach, block.scope), evaluator.steps  # type: ignore[arg-type]
        inner = block.plus(*line.letters)
        letter, one = inner.letters[line.letters[0]], self.guarded(line, inner)
        cost = evaluator.steps - before + 1

        def act(e: Frame, ranks: Ranks) -> None:
            items, around = self.apart(reach, e), self.guard
            if items is NOTHING:
                return
            evaluator.budget.spend(cost * len(pairs_of(items)))
            for c, e[letter] in pairs_of(items):
                self.guard = both(around, c)
                one(e, ranks)
            self.guard = around

        return act

    def relation(self, line: Line, block: Block) -> Act:
        first, sides = self.signs, [self.evaluator.of(side, block.scope) for side in line.sides]
        self.signs += len(line.signs)

        def made(e: Frame) -> list[Test]:
            values, found = [side(e) for side in sides], []
            for k, sign in enumerate(line.signs):
                a, b, place = values[k], values[k + 1], line.starts[k]
                if sign in INEQUALITIES:
                    slack = number(a, place) - number(b, place)
                    slack = slack if sign[0] == ">" else -slack
                    found.append(Test(first + k, self.guard, slack, inequality=True, strict=len(sign) == 1))
                else:
                    holds = compared(sign, a, b, place)
                    both_sides = (truth(a, place), truth(b, place)) if sign == "recognises" else ()
                    found.append(Test(first + k, self.guard, holds, sides=both_sides))
            return found

        def act(e: Frame, ranks: Ranks) -> None:  # noqa: ARG001
            tests = self.apart(made, e)
            for test in tests if tests is not NOTHING else ():
                self.add(test)

        return act

    def not_covered(self, *_: object) -> NoReturn:
        raise NotAffine("a line that isn't about one case")

    within = across = for_all = not_covered  # type: ignore[assignment]


def tests_of(letters: Letters, ledger: Ledger, case: Case) -> tuple[Truth, list[Test]]:
    """Which words the claim is about, and its tests."""
    lines, scope = LetterLines(letters, ledger), Scope()
    passes, act = letters.passes(ledger.claim.when, scope), lines.all_of(ledger.claim.lines, Block(scope))
    e = scope.body.frame(case)
    about = True if passes is None else also(True, lines.apart(passes, e))
    lines.guard = about = letters.split([about])[0]
    if about is not False:
        act(e, ())
    return about, lines.made

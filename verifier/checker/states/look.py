"""How the cases of inputs are gone through: by states where that is quicker, else one after the other.

A length with few words is run plainly. Else a claim is read on letters (letters.py, claims.py), its words are gone
through by states (frontier.py), and what is named, each least slack and each first failure, is then run plainly:
what is shown of it is what the plain reading finds. That must be what the states say of this word; likewise of words
that are drawn anew each time. If anything differs nothing is accepted: it is a defect.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from ..core.comparing import OverLimit
from ..page.cases import Group, drawn
from ..page.derive import Count, Look, Run, case_by_case, counts_of, looking
from ..page.evaluate import Case, Scope
from ..page.ledger import Answers, Ledger
from ..page.numbers import NotAffine
from ..page.tree import Inputs
from ..page.words import Refused, Spent
from .claims import LOOKED, Test, tests_of
from .frontier import Diverges, Frontier, Outcome, Tally
from .letters import NOTHING, Letters
from .nodes import Truth, amount, total, zero

T = TypeVar("T")
FEW = 300  # words of a length: so many are run plainly
DRAWN = 8  # of each length, by states and plainly
WORTH = 3  # by states at most one in so many of the steps that it takes plainly


class Differ(RuntimeError):
    """The two readings find different things."""


@dataclass(slots=True)
class Way:
    """How a claim is gone through: by states, until `why` says that it isn't."""

    ledger: Ledger
    case: Ledger  # of one case
    why: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """A claim at the words of one length."""

    way: Way
    frontier: Frontier
    outcome: Outcome


def by_states(
    run: Run, inputs: Inputs, ledgers: list[Ledger], counts: dict[str, Count], *, always: bool = False
) -> str:
    """What is said of it. `always`: wherever it can be done, whether or not it is quicker (for tests)."""
    if inputs.kind != "words":
        return case_by_case(run, inputs, ledgers, counts)
    return Words(run, inputs, ledgers, counts, always).all()


@dataclass
class Words:
    run: Run
    inputs: Inputs
    ledgers: list[Ledger]
    counts: dict[str, Count]
    always: bool
    words: int = 0
    compared: int = 0
    worth: int = 0  # steps that are left for it, of this length
    drawn: set[int] = field(default_factory=set)
    plainly: dict[int, list[Ledger]] = field(default_factory=dict)  # of a word of this length, of each claim

    def __post_init__(self) -> None:
        self.cases, self.seed = self.run.cases(self.inputs), os.urandom(16).hex()
        self.ways = [Way(ledger, Ledger(ledger.claim)) for ledger in self.ledgers]

    @cached_property
    def letters(self) -> Letters:
        return Letters(self.run.evaluator, {name: heads for name, (_, heads) in self.run.forms.items()})

    @cached_property
    def look_at(self) -> Look:
        """Of cases of which nothing is counted."""
        return looking(self.run, self.inputs, [way.case for way in self.ways], counts_of(self.inputs))

    @cached_property
    def count(self) -> Look:
        return looking(self.run, self.inputs, self.ledgers, self.counts)

    def all(self) -> str:
        for group in self.cases.groups:
            if (group.size <= FEW and not self.always) or all(way.why for way in self.ways):
                self.one_by_one(group, self.count)
            else:
                self.length(group)
        if not self.words:
            return ""
        return f"{self.words:,} words of {self.inputs.name} by states and {self.compared:,} of them plainly, too"

    def one_by_one(self, group: Group, look: Look) -> None:
        why = next((f", and by states: {way.why}" for way in self.ways if way.why), "")
        self.cases.limited(self.cases.total if why else group.start + group.size, why)
        look(self.cases.within(group))

    # a length by states
    def length(self, group: Group) -> None:
        self.plainly, self.drawn = {}, {group.start + k for k in drawn(self.seed, f"{group.start}", group.size, DRAWN)}
        taken, unread = [], set[int]()  # steps of each; a layer that has had its tokens takes few
        for rank in self.drawn:
            before = self.run.budget.left
            try:
                self.case(rank)
            except Refused:  # perhaps another one is the first
                unread.add(rank)
            taken.append(before - self.run.budget.left)
        self.drawn -= unread
        steps = sorted(taken)[len(taken) // 4] * group.size
        no_other_way = self.cases.total > self.cases.most or steps > self.run.budget.left
        if no_other_way or self.always:
            steps = self.run.budget.left * WORTH
        self.worth = steps // WORTH
        case = self.tried(self.ways, lambda: self.letters.word(self.inputs, group.sets))
        found, counted = list[Found](), None
        if case is not None:
            found = [one for way in self.ways if not way.why and (one := self.claim(way, group, case))]
            counted = self.categories(group, case)
        refused = [one.outcome.refused for one in found if one.outcome.refused is not None]
        if unread and not refused:
            self.look_at(self.cases.within(group))  # which says why, or
            raise Differ("a word is refused once, and not once more")
        if unread and not any(way.why for way in self.ways) and min(refused) > min(unread):
            self.differ(self.ways[0], min(unread))
        if refused:
            self.case(min(refused))  # which says why
            for one in found:
                if one.outcome.refused is not None:
                    one.way.why = "something is refused that isn't come to"
        found = [one for one in found if not one.way.why]
        for one in found:
            self.same(one, group)
            self.into_ledger(one)
        if found:
            self.words, self.compared = self.words + group.size, self.compared + len(self.plainly)
        for count, many in zip(self.counts.values(), counted or (), strict=False):
            count.cases, count.inputs = count.cases + many, count.inputs + many
        rest = [way for way in self.ways if way.why]
        if rest or counted is None:
            counts = self.counts if counted is None else counts_of(self.inputs)
            self.one_by_one(group, looking(self.run, self.inputs, [way.ledger for way in rest], counts))

    def tried(self, ways: list[Way], step: Callable[[], T]) -> T | None:
        """If it can't be done, or takes more steps than it is worth, these claims go case by case."""
        budget = self.run.budget
        kept = max(0, budget.left - self.worth)
        budget.left -= kept
        before = budget.left
        try:
            return step()
        except (NotAffine, OverLimit, Diverges, Refused, RecursionError) as error:
            if isinstance(error, Spent) and not kept:
                raise
            why = "more steps than case by case" if isinstance(error, Spent) else str(error)
            for way in ways:
                way.why = way.why or why or "a number of the letters where one must be known"
            return None
        finally:
            self.worth -= before - budget.left
            budget.left += kept

    def claim(self, way: Way, group: Group, case: Case) -> Found | None:
        def find() -> Found:
            frontier = self.frontier(*tests_of(self.letters, way.ledger, case), group)
            return Found(way, frontier, self.of_all(frontier))

        return self.tried([way], find)

    def of_all(self, frontier: Frontier) -> Outcome:
        return frontier.run([range(len(one)) for one in frontier.letters], self.run.budget)

    def frontier(self, about: Truth, tests: list[Test], group: Group) -> Frontier:
        rows = [[row for row, _ in letters] for letters in self.letters.letters]
        return Frontier(about, tests, self.letters.entries, rows, group.start)

    def categories(self, group: Group, case: Case) -> list[int] | None:
        """How many words are in each, if each word is in one."""
        if not self.inputs.categories:
            return [group.size]
        letters, scope = self.letters, Scope()

        def find() -> list[int] | None:
            truths = [letters.truth(one.when, scope) for one in self.inputs.categories]
            conditions, ok = letters.apart(lambda e: [truth(e) for truth in truths], scope.body.frame(case))
            if conditions is NOTHING:
                return None
            one = zero(total([amount(c) for c in conditions]) - 1)
            looked = [Test(LOOKED, True, ok), Test(LOOKED, True, one)]
            found = []
            for c in conditions:
                outcome = self.of_all(self.frontier(c, looked, group))
                if outcome.refused is not None:
                    return None
                found.append(outcome.cases)
            return found

        return self.tried([], find)

    # some words plainly
    def case(self, rank: int) -> list[Ledger]:
        """What each claim makes of a case, plainly."""
        if rank not in self.plainly:
            for way in self.ways:
                cleared(way.case)
            self.look_at(self.cases.of([rank]))
            self.plainly[rank] = [copied(way.case) for way in self.ways]
        return self.plainly[rank]

    def same(self, found: Found, group: Group) -> None:
        """The words that are named, and some that are drawn: plainly, and by the states alone."""
        for rank in sorted(named(found.outcome) | self.drawn):
            alone = found.frontier.run([(0,), *([k] for k in group.places(rank))], self.run.budget)
            if told(alone) != told(of_a_case(self.alone(found, rank))):
                self.differ(found.way, rank)
        for sign, tally in found.outcome.tallies.items():  # what is said of all words is so of those that are named
            if tally.least and of_a_case(self.alone(found, tally.least[1])).tallies[sign].least != tally.least:
                self.differ(found.way, tally.least[1])
            if tally.first is not None and self.alone(found, tally.first).first is None:
                self.differ(found.way, tally.first)
            for answer, rank in tally.wrong.items():
                if answer[0] != answer[1] and answer not in self.alone(found, rank).answers[sign].first:
                    self.differ(found.way, rank)

    def alone(self, found: Found, rank: int) -> Ledger:
        return self.case(rank)[self.ways.index(found.way)]

    def differ(self, way: Way, rank: int) -> None:
        claim, name = way.ledger.claim.id, self.inputs.name
        raise Differ(f"claim {claim}, case {rank} of {name}: by states, and plainly, something else is found")

    def into_ledger(self, found: Found) -> None:
        ledger, outcome = found.way.ledger, found.outcome
        ledger.cases, ledger.failing = ledger.cases + outcome.cases, ledger.failing + outcome.failing
        for sign, tally in outcome.tallies.items():
            ledger.made[sign] += tally.made
            if tally.least and ledger.tighter(sign, tally.least[0], (tally.least[1],)):
                ledger.least[sign] = self.alone(found, tally.least[1]).least[sign]
            if sign in ledger.answers:
                answers = ledger.answers[sign]
                answers.many.update(tally.answers)
                for both, rank in tally.wrong.items():
                    if both[0] != both[1] and both not in answers.first:
                        answers.first[both] = self.alone(found, rank).answers[sign].first[both]
        firsts = [tally.first for tally in outcome.tallies.values() if tally.first is not None]
        if firsts and ledger.first is None:
            ledger.first = self.alone(found, min(firsts)).first


def named(outcome: Outcome) -> set[int]:
    """The ranks of the words that a certificate may name."""
    found = set[int]()
    for tally in outcome.tallies.values():
        found.update(rank for answer, rank in tally.wrong.items() if answer[0] != answer[1])
        found.update((tally.least[1],) if tally.least else ())
        found.update((tally.first,) if tally.first is not None else ())
    return found


def cleared(ledger: Ledger) -> None:
    ledger.made[:] = [0] * len(ledger.made)
    ledger.least[:] = [None] * len(ledger.least)
    ledger.answers.update({sign: Answers() for sign in ledger.answers})
    ledger.first = ledger.failed = None
    ledger.cases = ledger.failing = 0


def copied(ledger: Ledger) -> Ledger:
    one = Ledger(ledger.claim)
    one.made, one.least, one.answers = list(ledger.made), list(ledger.least), dict(ledger.answers)
    one.first, one.cases, one.failing = ledger.first, ledger.cases, ledger.failing
    return one


def of_a_case(ledger: Ledger) -> Outcome:
    """What a ledger of one case says."""
    found = Outcome({}, ledger.cases, ledger.failing)
    for sign, many in enumerate(ledger.made):
        least, answers = ledger.least[sign], ledger.answers.get(sign)
        tally = found.tallies[sign] = Tally(many, (least.slack, least.ranks[0]) if least else None)
        if answers:
            tally.answers = answers.many
            tally.wrong = {answer: one.ranks[0] for answer, one in answers.first.items()}
    return found


def told(outcome: Outcome) -> object:
    """What is compared of a case."""
    return (
        outcome.cases,
        outcome.failing,
        outcome.refused,
        {sign: (tally.made, tally.least, +tally.answers) for sign, tally in outcome.tallies.items() if tally.made},
    )

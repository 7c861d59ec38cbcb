"""A claim's relations at all words of one length: how often each is made, its least slack and on which word first,
which words fail. Words that go on alike are counted together: all this is counts and first ranks of a diagram's labels.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from gmpy2 import mpq

from verifier.evaluate.definition import At
from verifier.evaluate.ledger import INEQUALITIES, RECOGNISES
from verifier.evaluate.states.diagrams import Diagrams, DontMerge
from verifier.evaluate.states.page import Words, related
from verifier.evaluate.states.values import NOTHING, Of, Truth, both, compared, either, negated, together, told_apart
from verifier.evaluate.values import Varying
from verifier.language.tree import (
    Category,
    Chain,
    Claim,
    ClaimLine,
    Expression,
    ForAll,
    ForEach,
    Once,
    When,
)  # fmt: skip
from verifier.language.words import Place

Rank = int


@dataclass
class Sign:
    """One sign of a claim's relations. Ranks are of the words at hand."""

    made: int = 0
    least: tuple[Any, Rank] | None = None
    answers: dict[tuple[bool, bool], tuple[int, Rank]] = field(default_factory=dict)  # of `recognises`: many, the first


@dataclass
class Counted:
    """What is counted of a claim at words of one length."""

    cases: int = 0
    signs: dict[Place, Sign] = field(default_factory=dict)
    bad: Truth = False  # which words fail
    failing: int = 0
    first: Rank | None = None
    refused: Rank | None = None  # the first word at which something is
    relations: list[tuple[Place, Truth, Truth, Any]] = field(default_factory=list)  # where made, holds, slack


def many_of(words: Words, truth: Truth) -> tuple[int, Rank]:
    """How many words it is true for, and the first."""
    if isinstance(truth, bool):
        return (words.shared.words[-1], 0) if truth else (0, 0)
    weights = words.shared.weighed(truth.edge)
    its = [weights[k] for k, v in zip(words.shared.outcomes(truth.edge), truth.table, strict=True) if v]
    return sum(many for many, _ in its), min(rank for _, rank in its)


class Relations:
    """The relations of a claim's lines."""

    def __init__(self, words: Words) -> None:
        self.words, self.found = words, Counted()

    def of_claim(self, claim: Claim) -> Counted:
        words, found = self.words, self.found
        inside: Truth = True
        if claim.condition is not None:
            inside = self.looked(True, words.apart(partial(words.truth, claim.condition, {})))
        if inside is not NOTHING and inside is not False:
            found.cases = many_of(words, inside)[0]
            self.lines(claim.lines, {}, inside)
        if found.bad is not False:
            found.failing, found.first = many_of(words, found.bad)
        return found

    def looked(self, guard: Truth, made: tuple[Any, Truth]) -> Any:
        """What is made where a guard is true; the first word is kept at which it is refused."""
        value, ok = made
        refused = both(guard, negated(ok))
        if refused is not False:
            rank = many_of(self.words, refused)[1]
            self.found.refused = rank if self.found.refused is None else min(rank, self.found.refused)
        return value

    def lines(self, lines: list[ClaimLine], at: At, guard: Truth) -> None:
        words = self.words
        for line in lines:
            if isinstance(line, Chain):
                self.relation(line, at, guard)
            elif isinstance(line, ForEach):
                turns = self.looked(guard, words.apart(partial(words.turns, line.reach, at)))
                for c, value in [] if turns is NOTHING else turns:
                    self.when(line.condition, line.lines, {**at, line.letter: value}, both(guard, c))
            elif isinstance(line, When):
                self.when(line.condition, line.lines, at, guard)
            elif not isinstance(line, Once):
                raise DontMerge(f"a claim says '{'for all' if isinstance(line, ForAll) else line.kind}'")

    def when(self, condition: Expression | None, inner: list[ClaimLine], at: At, guard: Truth) -> None:
        if guard is False:
            return
        if condition is not None:
            test = self.looked(guard, self.words.apart(lambda: self.words.truth(condition, at)))
            guard = False if test is NOTHING else both(guard, test)
        if guard is not False:
            self.lines(inner, at, guard)

    def relation(self, line: Chain, at: At, guard: Truth) -> None:
        made = self.looked(guard, self.words.apart(lambda: list(self.sides(line, at))))
        for sign, place, holds, slack, sides in [] if made is NOTHING else made:
            mine = self.found.signs.setdefault(place, Sign())
            mine.made += many_of(self.words, guard)[0]
            self.found.bad = either(self.found.bad, both(guard, negated(holds)))
            self.found.relations.append((place, guard, holds, slack))
            good = both(guard, holds)
            if slack is not None and good is not False:
                least = self.least(good, told_apart(slack))
                mine.least = least if mine.least is None else min(mine.least, least)
            if sign == RECOGNISES:
                self.answered(mine, guard, sides)

    def sides(self, line: Chain, at: At) -> Iterator[tuple[str, Place, Truth, Any, tuple[Any, Any]]]:
        """Of each sign: whether it holds, the slack if it has one, and its sides."""
        values = [self.words(side, at) for side in line.sides]
        for sign, text, value, bound in zip(line.signs, line.texts, values, values[1:], strict=False):
            holds = related(sign, value, bound)
            slack = None
            if sign in INEQUALITIES:
                slack = value - bound if sign[0] == ">" else bound - value
            yield sign, text.place, holds, slack, (value, bound)

    def least(self, good: Truth, slack: Any) -> tuple[Any, Rank]:
        """The least value where it is true, and the first word that has it."""
        words = self.words
        if not isinstance(slack, Of):
            return slack, many_of(words, good)[1]
        edge, rows = (slack.edge, [(True, v) for v in slack.table]) if good is True else together([good, slack])
        weights = words.shared.weighed(edge)
        found = [(v, weights[k][1]) for k, (t, v) in zip(words.shared.outcomes(edge), rows, strict=True) if t]
        return min(found)

    def answered(self, mine: Sign, guard: Truth, sides: tuple[Truth, Truth]) -> None:
        value, bound = sides
        for said in (True, False):
            for so in (True, False):
                where = both(guard, both(value if said else negated(value), bound if so else negated(bound)))
                if where is not False:
                    many, rank = many_of(self.words, where)
                    before, first = mine.answers.get((said, so), (0, rank))
                    mine.answers[said, so] = before + many, min(rank, first)


def categorised(words: Words, categories: list[Category]) -> tuple[list[int], Rank | None]:
    """How many words each category has; the first word that is in none or several, or is refused."""
    inside, fine = words.apart(lambda: [words.truth(c.condition, {}) for c in categories])
    if inside is NOTHING:
        return [0] * len(categories), 0
    counts = words.fold("count", [(True, t) for t in inside])
    wrong = either(negated(fine), negated(compared("=", counts, mpq(1))))
    return [many_of(words, t)[0] for t in inside], None if wrong is False else many_of(words, wrong)[1]


def at_word(shared: Diagrams, v: Any, word: list[int]) -> Any:
    """What a value is on one word, by the places of its letters."""
    if not isinstance(v, Varying):
        return v
    v = told_apart(v)
    if not isinstance(v, Of):
        return v
    edge = v.edge
    while edge[0] >= 0:
        edge = shared.after(edge, word[edge[1] - 1])
    return v.table[shared.outcomes(v.edge).index(~edge[0])]

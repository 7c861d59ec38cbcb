"""LANGUAGE 5: what is counted of a claim: how often each relation was made, its least slack, the first failure."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from .numbers import Q
from .tree import Claim, Line
from .values import Value
from .words import Place

Ranks = tuple[int, ...]  # of no case, of one, of two


@dataclass(frozen=True, slots=True)
class Sign:
    """A sign of a relation: where its left side begins, and its text."""

    place: Place
    sign: str
    text: str


def signs_of(lines: tuple[Line, ...]) -> list[Sign]:
    found = list[Sign]()
    for line in lines:
        found += [Sign(*one) for one in zip(line.starts, line.signs, line.texts, strict=False)]
        found += signs_of(line.block)
    return found


@dataclass(frozen=True, slots=True)
class Seen:
    """A relation: its cases, its sides, and what the letters of the blocks around it stand for."""

    ranks: Ranks
    sign: int
    value: Value
    bound: Value
    letters: dict[str, Value]
    slack: int | Q = 0
    side: str = ""  # of `for all`: the sides are limits, from below or above


@dataclass(slots=True)
class Answers:
    """Of a `recognises`: how often its sides came out so, and where first they differ."""

    many: Counter[tuple[bool, bool]] = field(default_factory=Counter)
    first: dict[tuple[bool, bool], Seen] = field(default_factory=dict)


class Ledger:
    def __init__(self, claim: Claim) -> None:
        self.claim, self.signs = claim, signs_of(claim.lines)
        self.made = [0] * len(self.signs)
        self.least: list[Seen | None] = [None] * len(self.signs)
        self.answers = {k: Answers() for k, sign in enumerate(self.signs) if sign.sign == "recognises"}
        self.first: Seen | None = None
        self.cases = self.failing = 0
        self.pairs: set[Ranks] = set()  # that fail
        self.failed: Ranks | None = None  # what failed last
        self.across: dict[int, list[tuple[int | Q, int]]] = {}  # of each line `across` the numbers, with their ranks

    def tighter(self, sign: int, slack: int | Q, ranks: Ranks) -> bool:
        """Than any slack so far; of equal ones the first by rank, then in the order made."""
        least = self.least[sign]
        return least is None or (slack, ranks) < (least.slack, least.ranks)

    def fails(self, seen: Seen) -> None:
        if len(seen.ranks) == 2:
            self.pairs.add(seen.ranks)
        elif self.failed != seen.ranks:  # a case's relations come one after the other
            self.failing, self.failed = self.failing + 1, seen.ranks
        if self.first is None or seen.ranks < self.first.ranks:
            self.first = seen

    def answered(self, seen: Seen) -> None:
        both = (seen.value is True, seen.bound is True)
        answers = self.answers[seen.sign]
        answers.many[both] += 1
        if both[0] != both[1] and (both not in answers.first or seen.ranks < answers.first[both].ranks):
            answers.first[both] = seen

    @property
    def verdict(self) -> str:
        return "refuted" if self.first else "holds" if any(self.made) else "vacuous"

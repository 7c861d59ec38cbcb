"""What is counted of a claim: for each sign how often it was made and its least slack; failures and the first; the
verdict (LANGUAGE.md 5)."""

from dataclasses import dataclass, field
from operator import eq, ge, gt, le, lt, ne
from typing import Any

from verifier.language.tree import Claim
from verifier.language.words import Place

Ranks = tuple[int, ...]  # of no case, one, or two
HOLDS = {"=": eq, "!=": ne, "<=": le, ">=": ge, "<": lt, ">": gt, "iff": eq, "recognises": eq}
RECOGNISES = "recognises"
INEQUALITIES = frozenset(("<", "<=", ">", ">="))


@dataclass
class Seen:
    """One relation: its sides, and where; what the letters of the blocks around it stand for."""

    ranks: Ranks
    place: Place
    value: Any
    bound: Any
    letters: dict[str, Any]
    side: str = ""  # of `for all`: these are limits, from below or above


@dataclass
class Wrongly:
    """How often a `recognises` said one of two answers wrongly, and where first."""

    many: int = 0
    first: Seen | None = None


@dataclass
class Line:
    """One sign of a claim's relations."""

    place: Place
    relation: str
    sign: str
    made: int = 0
    least: tuple[Any, Seen] | None = None  # the least slack
    accepted: int = 0  # of `recognises`
    wrongly: dict[bool, Wrongly] = field(
        default_factory=lambda: {True: Wrongly(), False: Wrongly()}
    )  # accepted, or not

    def answered(self, seen: Seen) -> None:
        """What a `recognises` said of one word."""
        self.accepted += seen.value
        if seen.value != seen.bound:
            wrongly = self.wrongly[seen.value]
            wrongly.many += 1
            if wrongly.first is None or seen.ranks < wrongly.first.ranks:
                wrongly.first = seen


@dataclass
class Ledger:
    claim: Claim
    cases: int = 0
    lines: dict[Place, Line] = field(default_factory=dict)
    first: Seen | None = None
    failing: set[Ranks] = field(default_factory=set)
    why: str | None = None  # it was skipped

    def __post_init__(self) -> None:
        self.lines = {sign.place: Line(sign.place, sign.text, what) for sign, what in self.claim.signs}

    def record(self, holds: bool, slack: Any, seen: Seen) -> None:
        line = self.lines[seen.place]
        line.made += 1
        if line.sign == RECOGNISES:
            line.answered(seen)
        if not holds:
            self.failing.add(seen.ranks)
            if self.first is None or seen.ranks < self.first.ranks:  # of those of the same ranks the first that is made
                self.first = seen
        elif slack is not None and (line.least is None or (slack, seen.ranks) < (line.least[0], line.least[1].ranks)):
            line.least = (slack, seen)

    @property
    def verdict(self) -> str:
        if self.why is not None:
            return "skipped"
        if self.first is not None:
            return "refuted"
        return "holds" if any(line.made for line in self.lines.values()) else "vacuous"


def verdict(ledgers: list[Ledger]) -> str:
    """The page's; what is excluded doesn't count."""
    verdicts = {ledger.verdict for ledger in ledgers if ledger.claim.kind != "excluded"}
    if "refuted" in verdicts:
        return "refuted"
    if "skipped" in verdicts:
        return "incomplete"
    return "holds" if "holds" in verdicts else "vacuous"

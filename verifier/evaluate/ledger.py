"""What is counted of a claim in some of its cases or in all, and its verdict (LANGUAGE.md 5).

There is one ledger, so that whoever runs cases counts alike, and parts of a run can be put together: the definition
records one relation after the other, arrays many at once; a part that another process or a checkpoint has counted is
read back as the same ledger (entries.py), and from a ledger of all cases the certificate's entry is written.

    ledger = Ledger(claim)                      nothing is counted yet; Ledger(claim, why) of a claim that is skipped
    ledger.cases += 1                           a case of the claim
    ledger.record(holds, slack, relation)       one relation; or many at once:
    ledger.counts[place].made += many           a sign, by its place: how often its relation was made
    ledger.counts[place].tightest(slack, one)   the least slack of many, and a relation that has it
    ledger.counts[place].accepted += many       of a `recognises`; and of the answers, accepted or not, those that are
    ledger.counts[place].wrongly[answer].add(many, first)                                                    wrong
    ledger.fails(relation)                      the first of many failures
    ledger.failing += many                      cases that fail, each counted in one part only;
    ledger.fails_at(ranks)                      or by name, where several lines may fail: it counts once
    ledger.add(other)                           what another part counted, of other cases
    ledger.verdict
"""

from dataclasses import dataclass, field
from operator import eq, ge, gt, le, lt, ne
from typing import Any

from gmpy2 import mpq

from verifier.language.tree import Claim
from verifier.language.words import Place

Ranks = tuple[int, ...]  # of no case, one, or two
HOLDS = {"=": eq, "!=": ne, "<=": le, ">=": ge, "<": lt, ">": gt, "iff": eq, "recognises": eq}
RECOGNISES = "recognises"
INEQUALITIES = frozenset(("<", "<=", ">", ">="))


@dataclass
class Relation:
    """A relation that was made: its sides, and where; what the letters of the blocks around it stand for."""

    ranks: Ranks
    place: Place
    value: Any
    bound: Any
    letters: dict[str, Any]
    side: str = ""  # of `for all`: these are limits, from below or above
    order: tuple[int, ...] = field(default=(), compare=False)  # among those of the same cases, if they come in another

    @property
    def position(self) -> tuple[Ranks, tuple[int, ...]]:
        return self.ranks, self.order


def earlier(first: Relation | None, second: Relation | None) -> Relation | None:
    """The one of lower ranks and order; of two that are alike the first."""
    if first is None or second is None:
        return first or second
    return second if second.position < first.position else first


@dataclass
class Wrongly:
    """How often a `recognises` gave one of two answers wrongly, and where first."""

    made: int = 0
    first: Relation | None = None

    def add(self, made: int, first: Relation | None) -> None:
        self.made += made
        self.first = earlier(self.first, first)


@dataclass
class Count:
    """What is counted of one sign of a claim's relations."""

    place: Place
    text: str
    sign: str
    made: int = 0
    least: tuple[mpq, Relation] | None = None  # the least slack
    accepted: int = 0  # of `recognises`
    wrongly: dict[bool, Wrongly] = field(default_factory=lambda: {True: Wrongly(), False: Wrongly()})  # by the answer

    def tightest(self, slack: mpq, relation: Relation) -> None:
        """A slack that may be the least one; of equal ones that of the lowest ranks is kept."""
        if self.least is None or (slack, relation.ranks) < (self.least[0], self.least[1].ranks):
            self.least = slack, relation

    def add(self, other: "Count") -> None:
        self.made += other.made
        self.accepted += other.accepted
        for answer, wrongly in other.wrongly.items():
            self.wrongly[answer].add(wrongly.made, wrongly.first)
        if other.least is not None:
            self.tightest(*other.least)


@dataclass
class Ledger:
    claim: Claim
    why: str | None = None  # it is skipped
    cases: int = 0
    counts: dict[Place, Count] = field(default_factory=dict)
    first: Relation | None = None  # the first failure
    failing: int = 0  # cases, or pairs of these
    named: set[Ranks] = field(default_factory=set)  # those of them that were counted by their ranks

    def __post_init__(self) -> None:
        if not self.counts:
            self.counts = {sign.place: Count(sign.place, sign.text, what) for sign, what in self.claim.signs}

    def record(self, holds: bool, slack: mpq | None, relation: Relation) -> None:
        """One relation. slack: of an inequality that holds."""
        count = self.counts[relation.place]
        count.made += 1
        if count.sign == RECOGNISES:
            count.accepted += relation.value
            if not holds:
                count.wrongly[relation.value].add(1, relation)
        if not holds:
            self.fails(relation)
            self.fails_at(relation.ranks)
        elif slack is not None:
            count.tightest(slack, relation)

    def fails(self, relation: Relation) -> None:
        """A failure that may be the first."""
        self.first = earlier(self.first, relation)

    def fails_at(self, ranks: Ranks) -> None:
        if ranks not in self.named:
            self.named.add(ranks)
            self.failing += 1

    def add(self, other: "Ledger") -> None:
        """What another part counted of the same claim, of other cases."""
        self.cases += other.cases
        self.failing += other.failing - len(self.named & other.named)
        self.named |= other.named
        self.first = earlier(self.first, other.first)
        for place, count in other.counts.items():
            self.counts[place].add(count)

    @property
    def verdict(self) -> str:
        if self.why is not None:
            return "skipped"
        if self.first is not None:
            return "refuted"
        return "holds" if any(count.made for count in self.counts.values()) else "vacuous"


def verdict(ledgers: list[Ledger]) -> str:
    """The page's; what is excluded doesn't count."""
    verdicts = {ledger.verdict for ledger in ledgers if ledger.claim.kind != "excluded"}
    if "refuted" in verdicts:
        return "refuted"
    if "skipped" in verdicts:
        return "incomplete"
    return "holds" if "holds" in verdicts else "vacuous"

"""What a claim is: a statement, where the paper makes it, what it ranges over, and its check.

A check looks at one case and yields *relations*: a value, a bound, and what should hold between them. A
relation that fails refutes the claim and is its counterexample; of the inequalities that hold, the one
with the least slack is the claim's tightest case. Where a claim is a mass of equalities (every head, every
layer, every column), its check may yield only the first that fails.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from operator import eq, ge, gt, le, lt
from typing import Any

from gmpy2 import mpq

from verifier.constructions.contextual_map import ContextualMap, Interval, is_the_papers
from verifier.exact import Matrix, Vector
from verifier.grid import Sizes, orbit_size
from verifier.instance import Instance

Value = int | mpq | tuple[int, ...] | Vector | Matrix

# Whose a claim is. A claim of an excluded reading decides nothing: neither a run's verdict nor its exit code.
KINDS = {
    "statement": "what the source states: a numbered statement, or a sentence of its text",
    "step": "a step of the source's proof: a network, an inequality, a count, a constant",
    "repair": "a step with the hypothesis, or the number, that it needs",
    "own": "ours: a construction of our own, or what a run rests on",
    "excluded": "a reading of the source that we don't take to be meant; it decides no verdict",
}

_HOLDS = {"=": eq, "<": lt, "<=": le, ">": gt, ">=": ge}


@lru_cache
def _any_column(name: str) -> str:
    return re.sub(r"_\d+", "_j", name)


@dataclass(frozen=True)
class Relation:
    """`value op bound`, with a name for each side."""

    name: str
    value: Value
    op: str
    bound_name: str
    bound: Value
    cases: tuple[int, ...] = ()  # the numbers of the cases it is about, where that is not the case at hand

    @property
    def holds(self) -> bool:
        return bool(_HOLDS[self.op](self.value, self.bound))

    @property
    def edge(self) -> str:
        """Which inequality of its claim this is, whatever the column: 'q_j < t_r' for q_3 < t_r."""
        return f"{_any_column(self.name)} {self.op} {self.bound_name}"

    @property
    def slack(self) -> mpq | None:
        """By how much an inequality holds; an equality has no slack."""
        value: Any = self.value
        bound: Any = self.bound
        if self.op == "=":
            return None
        slack: mpq = bound - value if self.op in ("<", "<=") else value - bound
        return slack


Relations = Iterator[Relation]


@dataclass(frozen=True)
class Domain:
    """What a claim ranges over. `kind` says what a case is:

    orbit     an orbit of G+ that `selects` takes, run through the network
    column    a column of G+ that `selects` takes
    whole     the construction itself: one case
    own       one of `cases`, in their order; its matrix is `case.X`, or its two are `case.pair`, if it has any

    With `over_matrices` every matrix of an orbit is run, and counts as a case.
    """

    kind: str
    words: str
    selects: Callable[[Any], bool] = lambda _: True
    over_matrices: bool = False
    cases: Callable[[ContextualMap], Iterable[Any]] = lambda _: ()

    def weight(self, case: Any) -> int:
        return orbit_size(case.orbit) if self.over_matrices else 1


@dataclass(frozen=True)
class Seen:
    """What a claim about a whole domain is concluded from, once every case was seen."""

    coverage: dict[str, Sizes]
    values: list[tuple[Any, int]]  # what `collect` read off the cases, each with its case's number


@dataclass(frozen=True)
class Claim:
    id: str
    where: str  # in the paper
    says: str  # in words
    formula: str
    domain: Domain
    how: str  # how it is verified
    check: Callable[[Any], Relations] | None = None
    collect: Callable[[Any], Iterable[Any]] | None = None
    conclude: Callable[[ContextualMap, Seen], Relations] | None = None
    skip: Callable[[ContextualMap], str | None] = lambda _: None  # why it can't be checked here, if so
    needs: str = ""  # a hypothesis that the source does not state
    work: Callable[[Instance], int] = lambda _: 0  # columns run through layers, beyond one run of g_c on each orbit
    kind: str = "own"  # one of KINDS; a claim of a user's own is just that

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"{self.id}: {self.kind!r} is no kind of claim; they are {', '.join(KINDS)}")

    @property
    def family(self) -> str:
        return self.id.partition(".")[0]

    @property
    def excluded(self) -> bool:
        """A reading that nobody is taken to hold."""
        return self.kind == "excluded"


def the_papers_alone(g: ContextualMap) -> str | None:
    """Why a claim that speaks of the paper's own construction can't be checked of this one, if so."""
    return None if is_the_papers(g) else "checked of the paper's own construction only"


def inside(name: str, value: mpq, interval: Interval, ends: tuple[str, str] = ("t_l", "t_r")) -> Relations:
    """value is in the interval."""
    yield Relation(name, value, ">=" if interval.low_closed else ">", ends[0], interval.low)
    yield Relation(name, value, "<=" if interval.high_closed else "<", ends[1], interval.high)


def _beside(name: str, value: mpq, interval: Interval, ends: tuple[str, str], *, below: bool) -> Relation:
    if below:
        return Relation(name, value, "<" if interval.low_closed else "<=", ends[0], interval.low)
    return Relation(name, value, ">" if interval.high_closed else ">=", ends[1], interval.high)


def outside(name: str, value: mpq, interval: Interval) -> Relation:
    """value is not in the interval; said of the edge that it is nearer to."""
    return _beside(name, value, interval, ("t_l", "t_r"), below=value - interval.low < interval.high - value)


def below_or_beyond(name: str, value: mpq, interval: Interval, ends: tuple[str, str] = ("t_l", "t_r")) -> Relation:
    """value is not in the interval; said of its low edge if it is below that, whichever is nearer."""
    return _beside(name, value, interval, ends, below=value < interval.low)


def neighbours(seen: Seen) -> Iterator[tuple[mpq, mpq, tuple[int, int]]]:
    """Neighbours in size among the collected values that belong to different cases: lower, upper, cases.

    The nearest two values of different cases are among them: a third value between the two would belong
    to another case than one of them, and be nearer to it.
    """
    for (lower, a), (upper, b) in pairwise(sorted(seen.values)):
        if a != b:
            yield lower, upper, (min(a, b), max(a, b))

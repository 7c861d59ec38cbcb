"""What a claim is: a statement, where the paper makes it, what it ranges over, and its check.

A check looks at one case and yields *relations*: a value, a bound, and what should hold between them. A relation that
fails refutes the claim and is its counterexample; of the inequalities that hold, the one with the least slack is the
claim's tightest case. If a check yields no relation for a case, the case isn't counted, unless the claim has
`silence_holds`: then its check compares so much (every head, every layer, every column) that it may yield only the
relations that fail.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from operator import eq, ge, gt, le, lt
from typing import Any

from gmpy2 import mpq, mpz

from verifier.core.exact import Matrix, NotExact, Vector, exact, type_of_rational
from verifier.core.space import Sizes

Value = int | mpq | tuple[int, ...] | Vector | Matrix

# The kinds of claims. An excluded claim decides nothing: neither a run's verdict nor its exit code.
KINDS = {
    "statement": "stated in the source",
    "step": "a step of the source's proof",
    "repair": "a step of the proof, corrected",
    "own": "our own claim, not the source's",
    "excluded": "the text read literally, in a way its authors can't have intended; no effect on the verdict",
}

_HOLDS = {"=": eq, "<": lt, "<=": le, ">": gt, ">=": ge}
_NUMBERS = frozenset((int, mpz, type_of_rational))
_OF_A_LEMMA = re.compile(r"\blemma(\d+)\.(lower|upper)\b( [-+])?")
_ID = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)+")


def in_words(names: str) -> str:
    """Names as certificates have them, for a reader: `lemma10.lower` is the lower bound of Lemma 10."""

    def words(found: re.Match[str]) -> str:
        bound = f"the {found[2]} bound of Lemma {found[1]}"
        return f"({bound}){found[3]}" if found[3] else bound

    return _OF_A_LEMMA.sub(words, names)


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
    cases: tuple[int, ...] = ()  # the numbers of the cases that it is about, if not the case that is being checked

    @property
    def compared(self) -> Any:
        """Whether it holds; for many cases at once, for which of them."""
        return _HOLDS[self.op](self.value, self.bound)

    @property
    def holds(self) -> bool:
        return bool(self.compared)

    @property
    def edge(self) -> str:
        """Which inequality of its claim this is, without the column's number: `q_j < t_r` for `q_3 < t_r`."""
        return f"{_any_column(self.name)} {self.op} {self.bound_name}"

    @property
    def bound_in_words(self) -> str:
        """The bound's name for a reader."""
        return in_words(self.bound_name)

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


def wrong_with(relation: Any) -> str:
    """Why this relation can't be evaluated, if so. (Called for every relation, so the usual case comes first.)"""
    if not isinstance(relation, Relation):
        return f"{relation!r:.80} is no Relation(name, value, sign, name of the bound, bound)"
    if relation.op not in _HOLDS:
        return f"{relation.op!r} between {relation.name} and {relation.bound_name} is none of {' '.join(_HOLDS)}"
    if type(relation.value) in _NUMBERS and type(relation.bound) in _NUMBERS:
        return ""
    for name, value in ((relation.name, relation.value), (relation.bound_name, relation.bound)):
        if relation.op != "=" and isinstance(value, list | tuple):
            return f"{name} is a list, and {relation.op} is between numbers; lists may be equal (=), in tuples"
        try:
            _refuse_inexact(value)
        except NotExact as error:
            return f"{name}: {error}"
    return ""


def _refuse_inexact(value: object) -> None:
    if type(value) is tuple:
        for part in value:
            _refuse_inexact(part)
    elif type(value) not in _NUMBERS:
        exact(value)


@dataclass(frozen=True)
class Edge:
    """The name of an inequality of a claim, for all cases and columns: `q_j < t_r`. A check makes relations of it; a
    kernel, which makes no relations, counts under this name."""

    claim: str
    name: str  # with _j in place of a column's number
    op: str
    bound_name: str

    @staticmethod
    def of(claim: str, relation: Relation) -> "Edge":
        return Edge(claim, _any_column(relation.name), relation.op, relation.bound_name)

    def at(self, value: Value, bound: Value, j: int | None = None) -> Relation:
        """The relation for one case; about column j, if it is about a column."""
        name = self.name if j is None else self.name.replace("_j", f"_{j}")
        return Relation(name, value, self.op, self.bound_name, bound)

    def __str__(self) -> str:
        return f"{self.name} {self.op} {self.bound_name}"


def itself(construction: Any) -> Iterable[Any]:
    """The construction itself, as the one case of a claim about the whole of it."""
    return (construction,)


@dataclass(frozen=True)
class Domain:
    """What a claim ranges over: the cases of the construction's space for which `selects` is true; or, in their order,
    cases of its own, `cases(construction)`.

    With `over_matrices` every matrix that a case stands for counts as a case: the check has to look at each of them.
    """

    words: str
    selects: Callable[[Any], bool] = lambda _: True
    over_matrices: bool = False
    cases: Callable[[Any], Iterable[Any]] | None = None

    def weight(self, case: Any) -> int:
        return int(case.stands_for) if self.over_matrices else 1


@dataclass(frozen=True)
class Collected:
    """From what a claim about its whole domain is decided, after every case has been run."""

    coverage: dict[str, Sizes]
    values: list[tuple[Any, int]]  # what `collect` returned for the cases, each with its case's number


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A statement, where it is made, what it ranges over, and its check.

    id          "family.name"
    says        the statement in words, and `formula`, the same in letters
    where       in the source
    kind        whose it is: statement, step, repair, own or excluded
    domain      what it ranges over
    check       gives the relations that must hold for one case
    collect     for a claim about several cases: the values of one case; `conclude` gets the construction and all values
    skip        why it can't be checked for a construction; None if it can
    needs       a hypothesis that the source does not state
    how         in words, how it is checked
    work        how many columns it runs through layers, beyond the run of each case
    counts      whether it is the claim about how many cases there are
    silence_holds   whether a case for which its check yields nothing counts as one that holds
    """

    id: str
    where: str = ""  # in the paper
    says: str  # in words
    phrase: str = ""  # the same in half a line; a summary shows claims with a phrase first
    formula: str
    domain: Domain
    how: str = "runs the network on every case"  # how it is verified
    check: Callable[[Any], Relations] | None = None
    collect: Callable[[Any], Iterable[Any]] | None = None
    conclude: Callable[[Any, Collected], Relations] | None = None
    skip: Callable[[Any], str | None] = lambda _: None  # why it can't be checked here, if so
    needs: str = ""  # a hypothesis that the source does not state
    work: Callable[[Any], int] = lambda _: 0  # columns run through layers at an instance, beyond a run of each case
    counts: bool = False  # whether it is the claim about how many cases there are
    kind: str = "own"  # one of KINDS; a claim of a user's own is just that
    silence_holds: bool = False  # whether a case for which its check yields nothing counts as one that holds

    def __post_init__(self) -> None:
        if not _ID.fullmatch(self.id):
            raise ValueError(f"{self.id!r} is no claim id; one is family.name, such as sums.bounded")
        if self.kind not in KINDS:
            raise ValueError(f"{self.id}: {self.kind!r} is no kind of claim; they are {', '.join(KINDS)}")
        if self.collect and not self.conclude:
            raise ValueError(f"{self.id}: what it collects is compared by nothing; `conclude` is missing")
        if not self.check and not self.conclude:
            raise ValueError(
                f"{self.id}: it has nothing that could fail; `check`, or `collect` and `conclude`, is missing"
            )

    def __repr__(self) -> str:
        """In a line; its fields say how it is checked."""
        return f"<{self.id} ({self.kind}): {self.says}>"

    @property
    def family(self) -> str:
        return self.id.partition(".")[0]

    @property
    def in_short(self) -> str:
        """What it says, in half a line if it has a phrase, else in its first sentence."""
        return self.phrase or self.says.partition(". ")[0].rstrip(".")

    @property
    def excluded(self) -> bool:
        """The text read literally, in a way its authors can't have intended."""
        return self.kind == "excluded"


def neighbours(seen: Collected) -> Iterator[tuple[mpq, mpq, tuple[int, int]]]:
    """Neighbours in size among the collected values that belong to different cases: lower, upper, cases.

    The nearest two values of different cases are among them: a third value between the two would belong
    to another case than one of them, and be nearer to it.
    """
    for value, _ in seen.values:
        if type(value) not in _NUMBERS:
            raise TypeError(f"neighbours are of numbers, and {value!r:.80} was collected; give each case a number")
    for (lower, a), (upper, b) in pairwise(sorted(seen.values)):
        if a != b:
            yield lower, upper, (min(a, b), max(a, b))


def nearest(seen: Collected) -> Iterator[tuple[mpq, tuple[int, int]]]:
    """Where `distance > 0` can fail or be tightest: distance and cases of neighbours that are equal, and of those that
    are nearer than all before."""
    best: tuple[mpq, tuple[int, int]] | None = None
    for lower, upper, cases in neighbours(seen):
        found = upper - lower, cases
        if best is None or found < best:
            best = found if found[0] else best  # so that every pair of equal values is nearer
            yield found

"""FORMAT, the frame: the check of a certificate of any paper, from what the paper's folder says of one instance.

A paper's model is written for clarity, in fractions, and case by case; a paper whose certificates are large may have a
check of its own, which counts in whole numbers, many cases at a time.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain
from operator import eq, ge, gt, le, lt
from typing import Any, NamedTuple

from .comparing import OverLimit, Rejected, compare
from .ledger import rational
from .paper import Outcome, Paper
from .reading import brief
from .share import Options, plan, share_of

Number = int | Fraction
_HOLDS = {"=": eq, "<": lt, "<=": le, ">": gt, ">=": ge}
Key = tuple[int, ...]  # which cases a relation is about, by number; () for none


class Relation(NamedTuple):
    """`value op bound`, with a name for each side; `key` where it is about other cases than the current one."""

    name: str
    value: Any  # a number; or, if op is =, a tuple of numbers or of tuples
    op: str
    bound_name: str
    bound: Any
    key: Key | None = None

    @property
    def holds(self) -> bool:
        return bool(_HOLDS[self.op](self.value, self.bound))

    @property
    def edge(self) -> str:
        """The inequality, in the same words for every column."""
        return f"{re.sub('_[0-9]+', '_j', self.name)} {self.op} {self.bound_name}"

    @property
    def slack(self) -> Fraction:
        return Fraction(self.bound - self.value if self.op in ("<", "<=") else self.value - self.bound)


class Model(ABC):
    """A paper at one instance: its cases, and what each claim says of them."""

    one, several = "case", "cases"
    steps = 1  # about how many numbers a case takes, for the estimate of the cost
    silence_counts = True  # whether a case without any relation counts as a case of the claim

    @property
    @abstractmethod
    def sizes(self) -> dict[str, tuple[int, int]]:
        """By formula, for each category and for `total`: the matrices, and the cases that stand for them."""

    @abstractmethod
    def case(self, rank: int) -> Any:
        """The case of this rank: whatever the other functions take."""

    def category(self, case: Any) -> str:  # noqa: ARG002
        return "all"

    def stands_for(self, case: Any) -> int:  # noqa: ARG002
        """How many matrices."""
        return 1

    def digest(self, case: Any) -> Number:  # noqa: ARG002
        return 0

    @abstractmethod
    def shown(self, case: Any) -> Sequence[Sequence[Sequence[Number]]]:
        """The matrices of a case, each a list of rows."""

    @abstractmethod
    def statement(self, *, over_space: bool) -> str:
        """The certificate's sentence."""

    def constants(self) -> dict[str, Number]:
        return {}

    def own(self, claim: str) -> Iterable[Any] | None:  # noqa: ARG002
        """The cases of a claim that doesn't range over the space; None of one that does."""
        return None

    def selects(self, claim: str, case: Any) -> bool:  # noqa: ARG002
        """Whether the claim is about this case."""
        return True

    @abstractmethod
    def relations(self, claim: str, case: Any) -> Iterator[Relation]:
        """What the claim says of one case."""

    def collected(self, claim: str, case: Any) -> Iterable[Any]:  # noqa: ARG002
        """The values of a case that a claim about pairs compares with those of other cases."""
        return ()

    def conclusion(
        self,
        claim: str,  # noqa: ARG002
        values: list[tuple[Any, int]],  # noqa: ARG002
        sizes: dict[str, tuple[int, int]],  # noqa: ARG002
    ) -> Iterable[Relation] | None:
        """What a claim says of all cases together (values with their case's number); None where it says nothing."""
        return None

    def skipped(self, claim: str) -> str:  # noqa: ARG002
        """Why a claim isn't checked here, if so."""
        return ""

    def weight(self, claim: str, case: Any) -> int:  # noqa: ARG002
        """How many of the claim's cases this case stands for."""
        return 1


@dataclass
class Ledger:
    """A claim's counts, its first failure, the tightest relation of each edge, and the values that it collects."""

    cases: int = 0
    failing: int = 0
    first: tuple[Key, Relation] | None = None
    edges: dict[str, tuple[Fraction, Key, Relation]] = field(default_factory=dict)
    values: list[tuple[Any, int]] = field(default_factory=list)

    def see(self, model: Model, claim: str, number: int, case: Any) -> None:
        if model.selects(claim, case):
            values = [(value, number) for value in model.collected(claim, case)]
            self.values += values
            if self.weigh(model.relations(claim, case), (number,)) or values or model.silence_counts:
                self.cases += model.weight(claim, case)

    def weigh(self, relations: Iterable[Relation], key: Key) -> int:
        """Takes in the relations of one case, or of the conclusion, and says how many they were."""
        count, failing = 0, set()
        for relation in relations:
            count += 1
            at = key if relation.key is None else relation.key
            if not relation.holds:
                failing.add(at)
                if self.first is None or at < self.first[0]:
                    self.first = (at, relation)
            elif relation.op != "=":
                self._note(relation.edge, (relation.slack, at, relation))
        self.failing += len(failing)
        return count

    def absorb(self, other: Ledger) -> None:
        """The cases of a later shard."""
        self.cases += other.cases
        self.failing += other.failing
        self.first = self.first or other.first
        self.values += other.values
        for edge, found in other.edges.items():
            self._note(edge, found)

    def _note(self, edge: str, found: tuple[Fraction, Key, Relation]) -> None:
        """Keeps the tightest, and of equally tight ones the first."""
        self.edges[edge] = min(self.edges.get(edge, found), found, key=lambda its: its[:2])

    def in_shard(self) -> dict[str, Any]:
        out: dict[str, Any] = {"cases": self.cases}
        if self.edges:
            out["edges"] = {edge: {"slack": text(slack), "rank": at[0]} for edge, (slack, at, _) in self.edges.items()}
        if self.first:
            out |= {"failing": self.failing, "first": self.first[0][0]}
        return out


def text(value: Number) -> str:
    return rational(value.numerator, value.denominator)


def written(value: Any) -> Any:
    """A number, or a list of what is in a tuple."""
    return [written(part) for part in value] if isinstance(value, list | tuple) else text(value)


def coverage_of(sizes: dict[str, tuple[int, int]]) -> dict[str, dict[str, int]]:
    return {name: {"matrices": matrices, "orbits": cases} for name, (matrices, cases) in sizes.items()}


@dataclass
class Part:
    """A shard, derived anew."""

    ledgers: dict[str, Ledger]
    sizes: dict[str, tuple[int, int]]
    digest: Fraction = Fraction(0)

    def add(self, model: Model, rank: int) -> None:
        case = model.case(rank)
        for name in (model.category(case), "total"):
            matrices, cases = self.sizes[name]
            self.sizes[name] = (matrices + model.stands_for(case), cases + 1)
        self.digest = (self.digest + model.digest(case)) % (2**31 - 1)
        for claim, ledger in self.ledgers.items():
            ledger.see(model, claim, rank, case)


def _part(model: Model, claims: Sequence[str], ranks: Iterable[int]) -> Part:
    part = Part({claim: Ledger() for claim in claims}, dict.fromkeys(model.sizes, (0, 0)))
    for rank in ranks:
        part.add(model, rank)
    return part


def _named(model: Model, claims: Sequence[str], shard: dict[str, Any], place: str) -> Part:
    """A shard that is not run in full: only the cases that it names are derived; its counts are taken from the file."""
    ranks = {edge["rank"] for said in shard["claims"].values() for edge in said.get("edges", {}).values()}
    ranks |= {said["first"] for said in shard["claims"].values() if "first" in said}
    if any(not shard["start"] <= rank < shard["stop"] for rank in ranks):
        raise Rejected("FORMAT 8, a shard's own ranks", place, "ranks of this shard", "another rank")
    part = _part(model, claims, sorted(ranks))
    for claim, said in shard["claims"].items():
        if claim in part.ledgers:
            part.ledgers[claim].cases, part.ledgers[claim].failing = said["cases"], said.get("failing", 0)
    part.sizes = {name: (size["matrices"], size["orbits"]) for name, size in shard["coverage"].items()}
    part.digest = Fraction(shard["digest"])
    return part


def _refuse_looser(model: Model, claims: Sequence[str], shard: dict[str, Any], stretch: range, place: str) -> None:
    """Rejects a shard if a stretch of it exceeds its counts, or has an earlier failure or a tighter case."""
    part, rule = _part(model, claims, stretch), "FORMAT 8, a stretch of a shard"
    for claim, ledger in part.ledgers.items():
        said = shard["claims"].get(claim, {})
        for edge, (slack, at, _) in ledger.edges.items():
            stands = said.get("edges", {}).get(edge)
            if stands is None or (Fraction(stands["slack"]), stands["rank"]) > (slack, at[0]):
                where = f"{place}.claims.{claim}.edges.{edge}"
                raise Rejected(rule, where, f"at most {text(slack)} at {at[0]}", brief(stands or "nothing"), claim)
        for name, least in (("cases", ledger.cases), ("failing", ledger.failing)):
            if least > said.get(name, 0):
                where = f"{place}.claims.{claim}.{name}"
                raise Rejected(rule, where, f"at least {least}", brief(said.get(name, 0)), claim)
        if ledger.first and said.get("first", shard["stop"]) > ledger.first[0][0]:
            where = f"{place}.claims.{claim}.first"
            raise Rejected(rule, where, f"at most {ledger.first[0][0]}", brief(said.get("first", "nothing")), claim)


def check(paper: Paper, model: Model, cert: dict[str, Any], options: Options) -> Outcome:
    """Derives everything that a certificate says, or the part asked for, and compares."""
    ids = [claim["id"] for claim in cert["claims"]]
    in_order = [claim for claim in paper.statements if claim in ids]
    compare(in_order, ids, "claims", "FORMAT 1, claims in order, each at most once")
    here = [claim for claim in ids if not model.skipped(claim)]
    over_space = [claim for claim in here if model.own(claim) is None]
    compare(model.statement(over_space=bool(over_space)), cert["statement"], "statement", "FORMAT 9, statement")
    said = {name: text(value) for name, value in model.constants().items()}
    compare(said, cert["constants"], "constants", "FORMAT 3, constants")
    T = model.sizes["total"][1]
    tiles = plan(T) if over_space else []
    compare(coverage_of(model.sizes) if over_space else {}, cert["coverage"], "coverage", "FORMAT 8, by formula")
    stated = [(shard["start"], shard["stop"]) for shard in cert["shards"]]
    compare([list(tile) for tile in tiles], list(map(list, stated)), "shards", "FORMAT 8, shards tile the ranks")
    share = share_of(cert, T, T * model.steps, options)
    cases = share.cases(T)
    if cases * model.steps > options.max_points:
        raise OverLimit(
            f"{cases:,} {model.several} of {model.steps} steps, more than {options.max_points:,} (--max-points)"
        )

    total = Part({claim: Ledger() for claim in over_space}, dict.fromkeys(model.sizes, (0, 0)))
    for k, shard in enumerate(cert["shards"]):
        place = f"shards[{k}]"
        if share.stretch and share.stretch[0] == k:
            _refuse_looser(model, over_space, shard, range(*share.stretch[1:]), place)
        part = (
            _part(model, over_space, range(*tiles[k])) if k in share.shards else _named(model, over_space, shard, place)
        )
        compare(coverage_of(part.sizes), shard["coverage"], f"{place}.coverage", "FORMAT 8, coverage of a shard")
        compare(text(part.digest), shard["digest"], f"{place}.digest", "FORMAT 8, digest")
        derived = {claim: ledger.in_shard() for claim, ledger in part.ledgers.items()}
        for claim in derived | shard["claims"]:
            wanted, stands = derived.get(claim), shard["claims"].get(claim)
            rule = f"FORMAT 8, a claim in a shard, {model.several} {tiles[k][0]} to {tiles[k][1] - 1}"
            compare(wanted, stands, f"{place}.claims.{claim}", rule, claim)
        for claim, ledger in part.ledgers.items():
            total.ledgers[claim].absorb(ledger)
        total.sizes = {name: (a + part.sizes[name][0], b + part.sizes[name][1]) for name, (a, b) in total.sizes.items()}
    if over_space:
        compare(
            coverage_of(model.sizes), coverage_of(total.sizes), "shards[*].coverage", "FORMAT 8, they cover the space"
        )
    for claim in here:
        if claim not in total.ledgers:
            total.ledgers[claim] = ledger = Ledger()
            for number, case in enumerate(model.own(claim) or ()):
                ledger.see(model, claim, number, case)
    _claims(paper, model, cert, total, whole=share.whole)
    return Outcome("each case literally", len(cert["shards"]), share)


def verdict_of(claims: Iterable[dict[str, Any]], excluded: Container[str] = ()) -> str:
    """FORMAT 1: of the whole certificate."""
    verdicts = {claim["verdict"] for claim in claims if claim["id"] not in excluded}
    if "refuted" in verdicts:
        return "refuted"
    return "incomplete" if "skipped" in verdicts or verdicts == {"vacuous"} else "holds"


def _claims(paper: Paper, model: Model, cert: dict[str, Any], total: Part, *, whole: bool) -> None:
    """FORMAT 7 and 9: the verdicts on each claim, and on the certificate, that follow from the ledgers."""
    not_covered = [f"every other ({', '.join(paper.sizes)})", "every claim that is not listed"]
    for k, stands in enumerate(cert["claims"]):
        claim = stands["id"]
        wanted = _entry(paper, model, claim, total)
        if claim in paper.pairs and not whole:  # what all cases together give is not known
            wanted = stands | {name: wanted[name] for name in ("id", "statement")}
        compare(wanted, stands, f"claims[{k}]", "FORMAT 7", claim)
        not_covered += [f"{claim}: {stands['why']}"] if "why" in stands else []
    compare(not_covered, cert["not_covered"], "not_covered", "FORMAT 9, not_covered")
    verdict = verdict_of(cert["claims"], paper.excluded)
    compare(verdict, cert["verdict"], "verdict", "FORMAT 1, verdict")


def _entry(paper: Paper, model: Model, claim: str, total: Part) -> dict[str, Any]:
    """FORMAT 7."""
    out: dict[str, Any] = {"id": claim, "statement": paper.statements[claim]}
    if why := model.skipped(claim):
        return out | {"verdict": "skipped", "cases": 0, "why": why}
    ledger = total.ledgers[claim]
    together = model.conclusion(claim, ledger.values, total.sizes) if ledger.cases else None
    alone = together is not None and ledger.weigh(together, ()) == 0
    out["cases"] = ledger.cases
    if ledger.first:
        key, relation = ledger.first
        shown = _shown(model, claim, key, relation) | {"failing": ledger.failing}
        return out | {"verdict": "refuted", "counterexample": shown}
    if not ledger.cases:
        of_which = "" if model.silence_counts else " of which it says anything"
        return out | {"verdict": "vacuous", "why": f"no case exists{of_which}"}
    if alone:
        several = len({number for _, number in ledger.values}) > 1
        out["why"] = "its conclusion compares nothing" if several else f"a single {model.one}: no pair exists"
        if claim in paper.pairs and not ledger.edges and claim not in paper.checked_too:
            return out | {"verdict": "vacuous", "cases": 0}
    out["verdict"] = "holds"
    if ledger.edges:
        edges = [(key, slack, relation) for _, (slack, key, relation) in sorted(ledger.edges.items())]
        told = [_shown(model, claim, key, relation) | {"slack": text(slack)} for key, slack, relation in edges]
        tightest = min(range(len(edges)), key=lambda j: ("matrix" not in told[j], edges[j][1]))
        out |= {"edges": told, "tightest": told[tightest]}
    return out


def _shown(model: Model, claim: str, key: Key, relation: Relation) -> dict[str, Any]:
    """A relation, and the matrices that it is about."""
    own = model.own(claim)
    if own is None:
        cases = list(map(model.case, key))
    else:
        wanted = {number: case for number, case in enumerate(own) if number in key}
        cases = [wanted[number] for number in key]
    matrices = chain.from_iterable(map(model.shown, cases))
    out = {
        "relation": f"{relation.name} {relation.op} {relation.bound_name}",
        "value": written(relation.value),
        "bound": written(relation.bound),
    }
    return out | {
        name: [[text(x) for x in row] for row in X] for name, X in zip(("matrix", "other"), matrices, strict=False)
    }

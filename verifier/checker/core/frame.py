"""FORMAT, the frame: the check of a certificate of any paper, from what the paper's folder says of one instance.

A paper's model is written for clarity, in fractions, and case by case; a paper whose certificates are large derives
many cases at a time, in whole numbers (`between`, `at`), and keeps them in the same ledgers.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, pairwise
from typing import Any

from .comparing import OverLimit, Rejected, compare
from .ledger import Kept, Key, Ledger, Number, Relation, rational
from .paper import Outcome, Paper
from .parallel import each
from .reading import brief
from .share import Options, Share, plan, processes, share_of

__all__ = ["Model", "Number", "Part", "Relation", "check", "coverage_of", "verdict_of"]

Sizes = dict[str, tuple[int, int]]  # of each category and of `total`: the matrices, and the cases that stand for them


class Model:
    """A paper at one instance: its cases, and what each claim says of them."""

    one, several = "case", "cases"
    steps = 1  # about how many numbers a case takes, for the estimate of the cost
    every = False  # whether each claim over the space is about every case of it
    silence_counts = True  # whether a case without any relation counts as a case of the claim
    in_processes = False  # whether shards may be derived in several processes

    @property
    def sizes(self) -> Sizes:
        """By formula."""
        raise NotImplementedError

    def statement(self, *, over_space: bool) -> str:
        """The certificate's sentence."""
        raise NotImplementedError

    def how(self, *, over_space: bool) -> str:
        """How its cases are run, in words."""
        return "each case literally" if over_space else ""

    def constants(self) -> dict[str, Number]:
        return {}

    def skipped(self, claim: str) -> str:  # noqa: ARG002
        """Why a claim isn't checked here, if so."""
        return ""

    # Case by case

    def case(self, rank: int) -> Any:
        """The case of this rank: whatever the other functions take."""
        raise NotImplementedError

    def category(self, case: Any) -> str:  # noqa: ARG002
        return "all"

    def stands_for(self, case: Any) -> int:  # noqa: ARG002
        """How many matrices."""
        return 1

    def digest(self, case: Any) -> Number:  # noqa: ARG002
        return 0

    def shown(self, case: Any) -> Sequence[Sequence[Sequence[Number]]]:
        """The matrices of a case, each a list of rows."""
        raise NotImplementedError

    def own(self, claim: str) -> Iterable[Any] | None:  # noqa: ARG002
        """The cases of a claim that doesn't range over the space; None of one that does."""
        return None

    def selects(self, claim: str, case: Any) -> bool:  # noqa: ARG002
        """Whether the claim is about this case."""
        return True

    def relations(self, claim: str, case: Any) -> Iterator[Relation]:
        """What the claim says of one case."""
        raise NotImplementedError

    def collected(self, claim: str, case: Any) -> Iterable[Any]:  # noqa: ARG002
        """The values of a case that a claim about pairs compares with those of other cases."""
        return ()

    def conclusion(
        self,
        claim: str,  # noqa: ARG002
        values: list[tuple[Any, int]],  # noqa: ARG002
        sizes: Sizes,  # noqa: ARG002
    ) -> Iterable[Relation] | None:
        """What a claim says of all cases together (values with their case's number); None where it says nothing."""
        return None

    # Many cases at a time

    def over_space(self, claim: str) -> bool:
        return self.own(claim) is None

    def between(self, claims: Sequence[str], start: int, stop: int) -> Part:
        """The cases of rank start to stop - 1."""
        return self.at(claims, range(start, stop))

    def at(self, claims: Sequence[str], ranks: Iterable[int]) -> Part:
        """These cases, one by one."""
        part = self.empty(claims)
        for rank in ranks:
            case = self.case(rank)
            part.count(self.category(case), self.stands_for(case), 1, self.digest(case))
            for claim, ledger in part.ledgers.items():
                self._see(ledger, claim, rank, case)
        return part

    def of_own(self, claims: Sequence[str]) -> dict[str, Ledger]:
        """The ledgers of claims that have cases of their own."""
        out = {claim: Ledger() for claim in claims}
        for claim, ledger in out.items():
            for number, case in enumerate(self.own(claim) or ()):
                self._see(ledger, claim, number, case)
        return out

    def _see(self, ledger: Ledger, claim: str, number: int, case: Any) -> None:
        if self.selects(claim, case):
            values = [(value, number) for value in self.collected(claim, case)]
            ledger.values += values
            if ledger.weigh(self.relations(claim, case), (number,)) or values or self.silence_counts:
                ledger.cases += 1

    def concluded(self, claim: str, ledger: Ledger, sizes: Sizes) -> tuple[Ledger, str]:
        """What a claim says of all cases together; and where it compares nothing though it should, why."""
        made, later = self.conclusion(claim, ledger.values, sizes), Ledger()
        if made is None or later.weigh(made, ()):
            return later, ""
        several = len({number for _, number in ledger.values}) > 1
        return later, "its conclusion compares nothing" if several else f"a single {self.one}: no pair exists"

    def matrices(self, claim: str, key: Key) -> list[list[list[str]]]:
        """The matrices of these cases of a claim."""
        own = self.own(claim)
        if own is None:
            cases = list(map(self.case, key))
        else:
            wanted = {number: case for number, case in enumerate(own) if number in key}
            cases = [wanted[number] for number in key]
        found = chain.from_iterable(map(self.shown, cases))
        return [[[rational(x) for x in row] for row in X] for X in found]

    def cases_among(self, claim: str, sizes: Sizes) -> tuple[int, int]:  # noqa: ARG002
        """How many cases a claim over the space has, at least and at most, among so many of each category."""
        return sizes["total"][1] if self.every else 0, sizes["total"][1]

    @property
    def work(self) -> int:
        """About how many steps all cases take."""
        return self.sizes["total"][1] * self.steps

    def refuse_too_much(self, share: Share, options: Options) -> None:
        """FORMAT 8: sizes first. More than a file may cost is refused, with what it would have cost."""
        cases = share.cases(self.sizes["total"][1])
        if cases * self.steps > options.max_points:
            many = f"{cases:,} {self.several} of {self.steps} steps"
            raise OverLimit(f"{many}, more than {options.max_points:,} (--max-points)")

    def empty(self, claims: Sequence[str]) -> Part:
        return Part({claim: Ledger() for claim in claims}, dict.fromkeys(self.sizes, (0, 0)))


def coverage_of(sizes: Sizes) -> dict[str, dict[str, int]]:
    return {name: {"matrices": matrices, "orbits": cases} for name, (matrices, cases) in sizes.items()}


def sizes_of(coverage: dict[str, dict[str, int]]) -> Sizes:
    return {name: (size["matrices"], size["orbits"]) for name, size in coverage.items()}


@dataclass
class Part:
    """What is derived of some cases."""

    ledgers: dict[str, Ledger]
    sizes: Sizes
    digest: Number = 0

    def count(self, category: str, matrices: int, cases: int, digest: Number = 0) -> None:
        for name in (category, "total"):
            a, b = self.sizes[name]
            self.sizes[name] = (a + matrices, b + cases)
        self.digest = (self.digest + digest) % (2**31 - 1)

    def add(self, other: Part) -> None:
        for claim, ledger in other.ledgers.items():
            self.ledgers[claim].absorb(ledger)
        for name, (matrices, cases) in other.sizes.items():
            a, b = self.sizes[name]
            self.sizes[name] = (a + matrices, b + cases)
        self.digest = (self.digest + other.digest) % (2**31 - 1)

    def claims(self) -> dict[str, Any]:
        return {claim: ledger.in_shard() for claim, ledger in self.ledgers.items()}


def _named(model: Model, claims: Sequence[str], shard: dict[str, Any], place: str) -> Part:
    """A shard that is not run in full: only the cases that it names are derived; its counts, which must fit one
    another, are taken from the file."""
    ranks = {edge["rank"] for said in shard["claims"].values() for edge in said.get("edges", {}).values()}
    ranks |= {said["first"] for said in shard["claims"].values() if "first" in said}
    if any(not shard["start"] <= rank < shard["stop"] for rank in ranks):
        raise Rejected("FORMAT 8, a shard's own ranks", place, "ranks of this shard", "another rank")
    part = model.at(claims, sorted(ranks))
    part.sizes, part.digest = sizes_of(shard["coverage"]), Fraction(shard["digest"])
    for claim, ledger in part.ledgers.items():
        said = shard["claims"].get(claim, {"cases": 0})
        ledger.cases, ledger.failing = said["cases"], said.get("failing", 0)
        least, most = model.cases_among(claim, part.sizes)
        if not least <= ledger.cases <= most or ledger.failing > ledger.cases:
            wanted = f"{least}" if least == most else f"{least} to {most}"
            where, rule = f"{place}.claims.{claim}.cases", "FORMAT 8, cases of a shard's categories"
            raise Rejected(rule, where, wanted, f"{ledger.cases}, {ledger.failing} of them failing", claim)
    return part


def _refuse_looser(model: Model, claims: Sequence[str], shard: dict[str, Any], share: Share, jobs: int) -> None:
    """Rejects a shard if a stretch of it exceeds its counts, or has an earlier failure or a tighter case."""
    k, start, stop = share.stretch or (0, 0, 0)
    part, place, rule = model.empty(claims), f"shards[{k}]", "FORMAT 8, a stretch of a shard"
    pieces = [start + j * (stop - start) // jobs for j in range(jobs + 1)]
    for more in each(model.between, [(claims, *piece) for piece in pairwise(pieces)], jobs):
        part.add(more)
    for claim, derived in part.claims().items():
        said, where = shard["claims"].get(claim, {}), f"{place}.claims.{claim}"
        for edge, found in derived.get("edges", {}).items():
            stands = said.get("edges", {}).get(edge)
            first = stands and (Fraction(stands["slack"]), stands["rank"])
            if not first or first > (Fraction(found["slack"]), found["rank"]):
                wanted, there = f"at most {found['slack']} at {found['rank']}", brief(stands or "nothing")
                raise Rejected(rule, f"{where}.edges.{edge}", wanted, there, claim)
        for count in ("cases", "failing"):
            if derived.get(count, 0) > said.get(count, 0):
                raise Rejected(rule, f"{where}.{count}", f"at least {derived[count]}", brief(said.get(count, 0)), claim)
        if "first" in derived and said.get("first", shard["stop"]) > derived["first"]:
            there = brief(said.get("first", "nothing"))
            raise Rejected(rule, f"{where}.first", f"at most {derived['first']}", there, claim)
    for name, size in coverage_of(part.sizes).items():
        for what, many in size.items():
            if many > shard["coverage"][name][what]:
                there = brief(shard["coverage"][name][what])
                raise Rejected(rule, f"{place}.coverage.{name}.{what}", f"at least {many}", there)


def check(paper: Paper, model: Model, cert: dict[str, Any], options: Options) -> Outcome:
    """Derives everything that a certificate says, or the part asked for, and compares."""
    ids = [claim["id"] for claim in cert["claims"]]
    in_order = [claim for claim in paper.statements if claim in ids]
    compare(in_order, ids, "claims", "FORMAT 1, claims in order, each at most once")
    here = [claim for claim in ids if not model.skipped(claim)]
    over_space = [claim for claim in here if model.over_space(claim)]
    compare(model.statement(over_space=bool(over_space)), cert["statement"], "statement", "FORMAT 9, statement")
    said = {name: rational(value) for name, value in model.constants().items()}
    compare(said, cert["constants"], "constants", "FORMAT 3, constants")
    sizes = coverage_of(model.sizes) if over_space else {}
    T = model.sizes["total"][1]
    tiles = plan(T) if over_space else []
    compare(sizes, cert["coverage"], "coverage", "FORMAT 8, by formula")
    stated = [{"start": shard["start"], "stop": shard["stop"]} for shard in cert["shards"]]
    tiled = [{"start": start, "stop": stop} for start, stop in tiles]
    compare(tiled, stated, "shards", "FORMAT 8, shards tile the ranks")
    counted = {
        name: {what: sum(shard["coverage"][name][what] for shard in cert["shards"]) for what in size}
        for name, size in sizes.items()
    }
    compare(sizes, counted, "shards[*].coverage", "FORMAT 8, the shards cover the space, by formula")
    share = share_of(cert, T, model.work, options)
    model.refuse_too_much(share, options)
    jobs = processes(model.work * share.cases(T) // (T or 1), options) if model.in_processes else 1

    anew = each(model.between, [(over_space, *tiles[k]) for k in share.shards], jobs)
    total = model.empty(over_space)
    for k, shard in enumerate(cert["shards"]):
        place = f"shards[{k}]"
        if share.stretch and share.stretch[0] == k:
            _refuse_looser(model, over_space, shard, share, jobs)
        part = next(anew) if k in share.shards else _named(model, over_space, shard, place)
        compare(coverage_of(part.sizes), shard["coverage"], f"{place}.coverage", "FORMAT 8, coverage of a shard")
        compare(rational(part.digest), shard["digest"], f"{place}.digest", "FORMAT 8, digest")
        derived = part.claims()
        for claim in derived | shard["claims"]:
            wanted, stands = derived.get(claim), shard["claims"].get(claim)
            rule = f"FORMAT 8, a claim in a shard, {model.several} {tiles[k][0]} to {tiles[k][1] - 1}"
            compare(wanted, stands, f"{place}.claims.{claim}", rule, claim)
        total.add(part)
    total.ledgers |= model.of_own([claim for claim in here if claim not in over_space])
    _claims(paper, model, cert, total, whole=share.whole)
    return Outcome(model.how(over_space=bool(over_space)), len(cert["shards"]), share)


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
        if claim in paper.pairs and not whole and not model.skipped(claim):  # what all cases give together isn't known
            cases = 0 if stands["verdict"] == "vacuous" else total.ledgers[claim].cases
            wanted = stands | {"statement": paper.statements[claim], "cases": cases}
        else:
            wanted = _entry(paper, model, claim, total)
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
    ledger, why = total.ledgers[claim], ""
    if ledger.cases:
        later, why = model.concluded(claim, ledger, total.sizes)
        ledger.absorb(later)
    out["cases"] = ledger.cases
    if not ledger.cases:
        of_which = "" if model.silence_counts else " of which it says anything"
        return out | {"verdict": "vacuous", "why": f"no case exists{of_which}"}
    if ledger.first:
        shown = _shown(model, claim, ledger.first) | {"failing": ledger.failing}
        return out | {"verdict": "refuted", "counterexample": shown}
    if why:
        out["why"] = why
        if claim in paper.pairs and not ledger.edges and claim not in paper.checked_too:
            return out | {"verdict": "vacuous", "cases": 0}
    out["verdict"] = "holds"
    if ledger.edges:
        kept = [relation for _, relation in sorted(ledger.edges.items())]
        told = [
            _shown(model, claim, relation) | {"slack": rational(relation.slack, relation.unit)} for relation in kept
        ]
        slacks = [Fraction(relation.slack) / relation.unit for relation in kept]
        tightest = min(range(len(kept)), key=lambda j: ("matrix" not in told[j], slacks[j]))
        out |= {"edges": told, "tightest": told[tightest]}
    return out


def _shown(model: Model, claim: str, relation: Kept) -> dict[str, Any]:
    """A relation, and the matrices that it is about."""
    out = {"relation": relation.text, "value": relation.value, "bound": relation.bound}
    return out | dict(zip(("matrix", "other"), model.matrices(claim, relation.key), strict=False))

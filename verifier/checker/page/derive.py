"""The whole certificate of a page: it follows from the page, the sizes, what was exchanged and the claims' ids."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import lcm
from typing import Any, TypeVar

from ..core.comparing import OverLimit
from ..core.reading import PAGE
from . import zones
from .cases import Cases, Group, groups, shown
from .evaluate import Stage
from .form import form_of
from .graph import TRUE, Code, Graph, Kind, Listed, Value, kind_of, one_kind
from .known import Known
from .ledger import Ledger, across, acts, exact, ledger_of, planned
from .numbers import Finer, Runtime
from .tree import Claim, Inputs, Page, Tree, parse
from .words import DEFECT, MOST_BITS, MOST_CASES, MOST_ITEMS, Budget, Place, Refused

DEEP = 100_000
T = TypeVar("T")


@contextmanager
def deep() -> Iterator[None]:
    """Room for chains of definitions and of operations, and for numbers of 20,000 binary digits as text."""
    digits, depth = sys.get_int_max_str_digits(), sys.getrecursionlimit()
    sys.set_int_max_str_digits(0)
    sys.setrecursionlimit(max(DEEP, depth))
    try:
        yield
    except RecursionError:
        raise OverLimit("definitions or operations on top of each other, too many") from None
    finally:
        sys.set_int_max_str_digits(digits)
        sys.setrecursionlimit(depth)


@dataclass(frozen=True, slots=True)
class Limits:
    cases: int = MOST_CASES
    steps: int = 300_000_000  # about a minute

    def times(self, factor: int) -> Limits:
        return Limits(self.cases * factor, self.steps * factor)


class Run:
    """A page at its sizes, with the numbers that are exchanged."""

    def __init__(
        self, page: Page, known: Known, sizes: dict[str, int], given: dict[str, Fraction], limits: Limits
    ) -> None:
        self.page, self.known, self.sizes, self.given, self.most_cases = page, known, sizes, given, limits.cases
        self.budget = Budget(limits.steps)
        self.forms = {name: form_of(page, layer) for name, layer in page.layers.items()}
        self.root = Stage(self, {}, Graph(self.budget))
        self.over: dict[Tree, tuple[Kind, tuple[Runtime, ...]]] = {}
        self.units: dict[str, int] = {}  # of each inputs: 1/D, in which its numbers were whole so far
        self.groups_of: dict[str, list[Group]] = {}
        self.cases_of: dict[tuple[str, int], Cases] = {}  # of inputs and a start: for all that is taken over them

    def groups(self, found: Inputs) -> list[Group]:
        if found.name not in self.groups_of:
            self.groups_of[found.name] = groups(self, found)
        return self.groups_of[found.name]

    def many(self, items: int, place: Place) -> None:
        if items > MOST_ITEMS:
            raise OverLimit(f"{place}: more than {MOST_ITEMS:,} items")
        self.budget.spend(30 * max(0, items))

    def constants(self) -> dict[str, Fraction]:
        found = dict[str, Fraction]()
        for name, define in self.page.defines.items():
            if define.printed:
                value = self.root.expect("number", self.root.defined(name), define.place)
                if not isinstance(value, Fraction):
                    raise TypeError(DEFECT)
                found[define.printed] = value
        return found

    def constants_said(self) -> dict[str, str]:
        return {name: str(value) for name, value in self.constants().items()}

    def layers_said(self) -> dict[str, dict[str, str | int]]:
        return {name: {"form": form, "heads": heads} for name, (form, heads) in self.forms.items()}

    def many_cases(self, inputs: Inputs) -> int:
        found = self.groups(inputs)
        return found[-1].start + found[-1].size() if found else 0

    def in_a_unit(self, name: str, stage: Stage, work: Callable[[int], T]) -> T:
        """Does the work in the unit 1/D, again with a finer one until all numbers are whole."""
        times = 0
        while True:
            D = self.units[name] = finer(self.units.get(name, 1), stage.graph.unit, 0)
            try:
                return work(D)
            except Finer as error:
                times += 1
                self.units[name] = finer(D, error.by * D, times)
                self.budget.spend(1000)

    def cases(self, inputs: Inputs, group: Group) -> Cases:
        """Those over which lists are taken."""
        key = inputs.name, group.start
        if key not in self.cases_of:
            self.cases_of[key] = Cases(self, inputs, group)
        return self.cases_of[key]

    def total(self, tree: Tree, name: str) -> Fraction | None:
        """The sum, or the count, of `E for j in R over INPUTS if C`; None if its values are needed one by one."""
        inputs, found = self.page.inputs[tree.over], Fraction(0)
        for group in self.groups(inputs):
            if not (todo := zones.zones(group)):
                return None
            cases = self.cases(inputs, group)
            items = cases.stage.value(inside(tree), {})
            if kind_of(items) not in (Listed(1, "number" if name == "sum" else "truth"), Listed(1, "any")):
                return None
            work = partial(zones.total, cases, todo, items=items, truths=name == "count")
            more = self.in_a_unit(inputs.name, cases.stage, work)
            if more is None:
                return None
            found += more
        return found

    def gathered(self, tree: Tree) -> tuple[Kind, tuple[Runtime, ...]]:
        """What `E for j in R over INPUTS if C` is, over all cases."""
        if tree not in self.over:
            found, kind = list[Runtime](), "any"
            inputs = self.page.inputs[tree.over]
            for group in self.groups(inputs):
                cases = self.cases(inputs, group)
                items = cases.stage.value(inside(tree), {})
                kind = one_kind((kind, kind_of(items).of), tree.place)  # type: ignore[union-attr, assignment]
                start = len(found)

                def work(D: int, cases: Cases = cases, items: Value = items, start: int = start) -> None:
                    del found[start:]
                    code = Code(D, self.budget, cases.weight + 1)
                    get = code.get(items)
                    for _, _, frame in cases.frames(D, code.slots, 20 + code.slots):
                        found.extend(exact(get(frame), D))
                        if len(found) > MOST_CASES:
                            raise OverLimit(f"{tree.place}: a list of more than {MOST_CASES:,} items over inputs")

                self.in_a_unit(inputs.name, cases.stage, work)
            inner_kind: Kind = kind
            while isinstance(inner_kind, Listed):
                if inner_kind.first != 1:
                    raise Refused(tree.place, "lists that are taken over inputs have indices from 1 on")
                inner_kind = inner_kind.of
            self.over[tree] = kind, tuple(found)
        return self.over[tree]


def inside(tree: Tree) -> Tree:
    """Of `E for j in R over INPUTS if C` the list of one case."""
    one = replace(tree, over="", reach=tree.reach or Tree("list", tree.place, (Tree("number", tree.place),)))
    return replace(tree, over="", op="list", parts=(one,))


def finer(D: int, by: int, times: int) -> int:
    D = lcm(D, by) ** (2 if times > 12 else 1)
    if D.bit_length() > 2 * MOST_BITS:
        raise OverLimit("numbers with denominators of more than 40,000 binary digits")
    return D


# What is found of inputs
@dataclass(slots=True)
class Count:
    cases: int = 0
    inputs: int = 0

    def add(self, cases: int, inputs: int) -> None:
        self.cases, self.inputs = self.cases + cases, self.inputs + inputs

    def as_json(self) -> dict[str, int]:
        return {"cases": self.cases, "inputs": self.inputs}


def counts_of(inputs: Inputs) -> dict[str, Count]:
    """Of each category; of all cases where there are none."""
    return {category.name: Count() for category in inputs.categories} or {"": Count()}


def look(
    run: Run,
    inputs: Inputs,
    group: Group,
    ledgers: list[Ledger],
    counts: dict[str, Count],
    ranks: list[int] | None = None,
) -> None:
    """Runs the cases of a group, or those of these ranks, through the lines of all claims on them."""
    if ranks is None and (todo := zones.zones(group)):
        whole = Cases(run, inputs, group, zones.SHORT)
        said = run.in_a_unit(inputs.name, whole.stage, lambda D: zones.count(whole, todo, D, inputs.categories))
        for name, more in (said or {}).items():
            counts[name].add(*more)
        ledgers = [one for one in ledgers if not zones.look(whole, inputs, todo, one)]
        if said:
            counts = {}
    if counts or ledgers:
        one_by_one(Cases(run, inputs, group), inputs, ledgers, counts, ranks)


def one_by_one(
    cases: Cases, inputs: Inputs, ledgers: list[Ledger], counts: dict[str, Count], ranks: list[int] | None
) -> None:
    run, stage = cases.run, cases.stage
    plans = [
        (
            ledger,
            stage.truth(ledger.claim.when, {}) if ledger.claim.when else None,
            planned(stage, ledger, ledger.claim.lines, {}),
        )
        for ledger in ledgers
    ]
    categories = [(c.name, stage.truth(c.when, {})) for c in inputs.categories] or [("", TRUE)]
    before = [ledger.saved() for ledger in ledgers], {name: replace(count) for name, count in counts.items()}

    def work(D: int) -> None:
        for ledger, old in zip(ledgers, before[0], strict=True):
            ledger.restore(old.saved())
        counts.update({name: replace(count) for name, count in before[1].items()})
        code = Code(D, run.budget, cases.weight + 1)
        todo = [(ledger, code.get(when) if when else None, acts(code, ledger, lines)) for ledger, when, lines in plans]
        kinds = [(counts[name], code.get(when)) for name, when in categories if counts]
        cost = 20 + code.slots + sum(len(lines) for _, _, lines in todo)
        for rank, weight, frame in cases.frames(D, code.slots, cost, ranks):
            if kinds:
                here = [count for count, when in kinds if when(frame)]
                if len(here) != 1:
                    one = json.dumps(shown(cases.group.case(rank)))[:200]
                    raise Refused(inputs.place, f"the case {one} is in {len(here) or 'no'} categories, not in one")
                here[0].add(1, weight)
            for ledger, when, lines in todo:
                if when is None or when(frame):
                    ledger.cases += 1
                    ledger.ranks = (rank,)
                    for line in lines:
                        line(frame)

    run.in_a_unit(inputs.name, stage, work)


def about_no_case(run: Run, ledger: Ledger, lines: Any) -> None:
    """The lines of a claim `once`, or of a block `once:`."""
    stage = Stage(run, {}, Graph(run.budget))
    plans, before = planned(stage, ledger, lines, {}), ledger.saved()

    def work(D: int) -> None:
        ledger.restore(before.saved())
        code = Code(D, run.budget)
        todo = acts(code, ledger, plans)
        ledger.ranks, frame = (), code.frame()
        for line in todo:
            line(frame)

    run.in_a_unit("", stage, work)


def finish(run: Run, ledger: Ledger) -> None:
    """What is said when all cases were seen."""
    for line in ledger.claim.lines:
        if line.op == "across":
            across(Stage(run, {}, Graph(run.budget)), ledger, line)
    for line in ledger.claim.lines:
        if line.op == "once":
            about_no_case(run, ledger, line.block)


# The certificate
def page_verdict(claims: Iterable[tuple[Claim, str]]) -> str:
    verdicts = {verdict for claim, verdict in claims if claim.kind != "excluded"}
    return next(
        (
            word
            for word, verdict in (("refuted", "refuted"), ("incomplete", "skipped"), ("holds", "holds"))
            if verdict in verdicts
        ),
        "vacuous",
    )


def started(text: str, sizes: dict[str, int], variant: dict[str, Fraction], limits: Limits) -> Run:
    """A page that can be run at these sizes."""
    page = parse(text)
    for name, least in page.sizes.items():
        if name not in sizes:
            raise Refused(page.names[name], f"the size {name} is missing: {name} >= {least}")
        if sizes[name] < least:
            raise Refused(page.names[name], f"{name} = {sizes[name]}: {name} >= {least} is needed")
        if sizes[name].bit_length() > MOST_BITS:
            raise OverLimit(f"{name} has more than 20,000 binary digits")
    if unknown := sorted(set(sizes) - set(page.sizes)):
        raise Refused(None, f"the page has no size {unknown[0]}: {', '.join(page.sizes) or 'it has none'}")
    known = Known(page)
    run = Run(page, known, sizes, {}, limits)
    if not variant:
        return run
    own = run.constants()
    for name, value in variant.items():
        if name not in own:
            raise Refused(None, f"nothing is called {name} in certificates, so that it can't be exchanged")
        if own[name] == value:
            raise Refused(None, f"{name} = {value} is the page's own")
    return Run(page, known, sizes, variant, limits)


def listed(run: Run, ids: Iterable[str]) -> list[Claim]:
    wanted = list(ids)
    found = [claim for claim in run.page.claims if claim.id in wanted]
    if not found or len(found) != len(wanted) or [claim.id for claim in found] != wanted:
        raise Refused(None, "the claims are claims of the page, each once, in its order, and at least one")
    return found


def derived(run: Run, text: str, ids: Iterable[str]) -> dict[str, Any]:
    claims, constants = listed(run, ids), run.constants_said()
    skipped = {claim.id for claim in claims if claim.skip and run.root.truth(claim.skip, {}).extra}
    ledgers = {claim.id: ledger_of(claim) for claim in claims if claim.id not in skipped}
    seen = dict[str, Any]()
    for name in dict.fromkeys(claim.on for claim in claims if claim.on and claim.id not in skipped):
        inputs, mine = run.page.inputs[name], [ledger for ledger in ledgers.values() if ledger.claim.on == name]
        counts = counts_of(inputs)
        for group in run.groups(inputs):
            look(run, inputs, group, mine, counts)
        total = {"cases": sum(one.cases for one in counts.values()), "inputs": sum(c.inputs for c in counts.values())}
        for category in inputs.categories:
            for tree, count in (
                (category.cases, counts[category.name].cases),
                (category.inputs, counts[category.name].inputs),
            ):
                if (closed := run.root.number(tree, {})) != count:
                    raise Refused(tree.place, f"{category.name} has {count} here, not {closed}")
        seen[name] = {"kind": inputs.kind, **total}
        if inputs.categories:
            seen[name]["categories"] = {name: count.as_json() for name, count in counts.items()}
    for ledger in ledgers.values():
        if not ledger.claim.on:
            ledger.cases = 1
            about_no_case(run, ledger, ledger.claim.lines)
        finish(run, ledger)
    said = [said_of(run, claim, ledgers.get(claim.id)) for claim in claims]
    found = {"format": PAGE, "page": text, "sizes": run.sizes, "claims": said, "inputs": seen}
    found |= {"variant": {name: str(value) for name, value in run.given.items()}} if run.given else {}
    found |= {"constants": constants, "layers": run.layers_said()}
    verdict = page_verdict((claim, one["verdict"]) for claim, one in zip(claims, said, strict=True))
    return found | {"verdict": verdict}


def said_of(run: Run, claim: Claim, ledger: Ledger | None) -> dict[str, Any]:
    if ledger is None:
        return {"id": claim.id, "verdict": "skipped", "cases": 0, "why": claim.why}

    def where(found: Any) -> dict[str, Any]:
        cases = [
            next(g for g in run.groups(run.page.inputs[claim.on])[::-1] if g.start <= rank).case(rank)
            for rank in found.ranks
        ]
        said = {"value": shown(found.value), "bound": shown(found.bound)}
        if found.letters:
            said["letters"] = {name: shown(value) for name, value in found.letters.items()}
        said |= {"ranks": list(found.ranks), "cases": [shown(case) for case in cases]}
        return said | ({"from": found.side} if found.side else {})

    lines = list[dict[str, Any]]()
    for sign, made, least in zip(ledger.signs, ledger.made, ledger.least, strict=True):
        lines.append({"line": sign.place.line, "column": sign.place.column, "relation": sign.text, "made": made})
        if least:
            lines[-1]["least"] = {"slack": str(least.slack)} | where(least)
    for k, answers in ledger.answers.items():
        many, first = answers.many, answers.first
        lines[k]["accepted"] = many[True, False] + many[True, True]
        for name, both in (("wrongly_accepted", (True, False)), ("wrongly_rejected", (False, True))):
            lines[k][name] = {"made": many[both]} | ({"first": where(first[both])} if both in first else {})
    said = {"id": claim.id, "verdict": ledger.verdict, "cases": ledger.cases, "lines": lines}
    if ledger.first:
        place = ledger.signs[ledger.first.sign].place
        said["first"] = {"line": place.line, "column": place.column} | where(ledger.first)
        said["failing"] = ledger.failing + len(ledger.pairs)
    return said


def as_bytes(certificate: dict[str, Any]) -> bytes:
    words = json.dumps(certificate, indent=1, sort_keys=True, ensure_ascii=False, separators=(",", ": "))
    return words.encode() + b"\n"


def derive(
    text: str, sizes: dict[str, int], variant: dict[str, Fraction], ids: Iterable[str], limits: Limits | None = None
) -> bytes:
    """The certificate, or what is wrong with the page: Refused, OverLimit."""
    with deep():
        return as_bytes(derived(started(text, sizes, variant, limits or Limits()), text, ids))

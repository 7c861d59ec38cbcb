"""The whole certificate of a page: it follows from the page, the sizes, what was exchanged and the claims' ids."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from ..core.comparing import OverLimit
from ..core.reading import PAGE
from .cases import Cases
from .evaluate import Case, Evaluator, Scope
from .form import form_of
from .ledger import Ledger, Seen
from .lines import Block, Lines, count_signs
from .networks import Networks
from .numbers import EXACT, ratio
from .rules import Rules
from .tree import Claim, Inputs, Page, Tree, parse
from .values import Value, shown
from .words import MOST_BITS, MOST_CASES, Budget, Refused

DEEP = 100_000  # calls in one another


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


class Run:
    """A page at its sizes, with the numbers that are exchanged."""

    def __init__(
        self, page: Page, rules: Rules, sizes: dict[str, int], variant: dict[str, Fraction], limits: Limits
    ) -> None:
        self.page, self.sizes, self.variant, self.limits = page, sizes, variant, limits
        self.budget = Budget(limits.steps)
        self.forms = {name: form_of(page, layer) for name, layer in page.layers.items()}
        given: dict[str, Value] = {name: ratio(v.numerator, v.denominator) for name, v in variant.items()}
        self.evaluator = Evaluator(page, sizes, given, rules.unknown, self.budget, self.over)
        Networks(self.evaluator, {name: heads for name, (_, heads) in self.forms.items()})
        self.lengths: dict[tuple[str, int], Case] = {}
        self.known_cases: dict[str, Cases] = {}
        self.how: list[str] = []  # what is said of how cases were gone through

    def cases(self, inputs: Inputs) -> Cases:
        if inputs.name not in self.known_cases:
            self.known_cases[inputs.name] = Cases(self.evaluator, inputs, self.limits.cases, self.lengths)
        return self.known_cases[inputs.name]

    def over(self, inputs: Inputs) -> Iterator[Case]:
        return (case for _, case in self.cases(inputs).all())

    def constants(self) -> dict[str, Value]:
        found = dict[str, Value]()
        for name, define in self.page.defines.items():
            if define.printed:
                value = self.evaluator.alone(Tree("name", define.place, word=name))
                if type(value) not in EXACT:
                    raise Refused(define.place, f"{name} has a name for certificates (`as`), and so is a number")
                found[define.printed] = value
        return found

    def constants_said(self) -> dict[str, str]:
        return {name: str(value) for name, value in self.constants().items()}

    def layers_said(self) -> dict[str, dict[str, str | int]]:
        return {name: {"form": form, "heads": heads} for name, (form, heads) in self.forms.items()}

    def skips(self, claim: Claim) -> bool:
        if claim.skip is None:
            return False
        scope = Scope()
        return self.evaluator.truth(claim.skip, scope)(scope.body.frame(self.evaluator.root))


# What is counted of inputs
@dataclass(slots=True)
class Count:
    cases: int = 0
    inputs: int = 0

    def as_json(self) -> dict[str, int]:
        return {"cases": self.cases, "inputs": self.inputs}


# How the cases of inputs are gone through; what is said of it, unless it is one after the other
Through = Callable[["Run", Inputs, list[Ledger], dict[str, Count]], str]
Look = Callable[[Iterable[tuple[int, Case]]], None]


def counts_of(inputs: Inputs) -> dict[str, Count]:
    """Of each category; of all cases where there are none."""
    return {category.name: Count() for category in inputs.categories} or {"": Count()}


def looking(run: Run, inputs: Inputs, ledgers: list[Ledger], counts: dict[str, Count]) -> Look:
    """Runs cases through the lines of all claims on their inputs."""
    evaluator, scope = run.evaluator, Scope()
    before = evaluator.steps
    kinds = [(counts[c.name], evaluator.truth(c.when, scope)) for c in inputs.categories]
    claims = []
    for ledger in ledgers:
        passes = evaluator.passes(ledger.claim.when, scope)
        claims.append((ledger, passes, Lines(evaluator, ledger).all_of(ledger.claim.lines, Block(scope))))
    cost = evaluator.steps - before + 20

    def look(cases: Iterable[tuple[int, Case]]) -> None:
        for rank, case in cases:
            run.budget.spend(cost)
            e = scope.body.frame(case)
            fitting = [count for count, when in kinds if when(e)] if kinds else [counts[""]]
            if len(fitting) != 1:
                one = json.dumps(shown(case.items[inputs.variable]))[:200]
                raise Refused(inputs.place, f"the case {one} is in {len(fitting) or 'no'} categories, not in one")
            fitting[0].cases += 1
            fitting[0].inputs += case.weight
            for ledger, passes, act in claims:
                if passes is None or passes(e):
                    ledger.cases += 1
                    act(e, (rank,))

    return look


def case_by_case(run: Run, inputs: Inputs, ledgers: list[Ledger], counts: dict[str, Count]) -> str:
    looking(run, inputs, ledgers, counts)(run.cases(inputs).all())
    return ""


def about_no_case(run: Run, ledger: Ledger) -> None:
    """The lines of a claim that is `once`."""
    scope = Scope()
    act = Lines(run.evaluator, ledger).all_of(ledger.claim.lines, Block(scope))
    ledger.cases = 1
    act(scope.body.frame(run.evaluator.root), ())


def finish(run: Run, ledger: Ledger) -> None:
    """What is made when all cases were seen: the pairs of each `across`, and the blocks `once:`."""
    root, signs = run.evaluator.root, 0
    for k, line in enumerate(ledger.claim.lines):
        lines, block = Lines(run.evaluator, ledger, signs), Block(Scope())
        if line.op == "across":
            inner = block.plus(*line.letters)
            pairs, found = lines.pairs(line, inner), sorted(ledger.across.get(k, []))
            neighbours = [(a, b, (min(i, j), max(i, j))) for (a, i), (b, j) in pairwise(found) if i != j]
            pairs(inner.scope.body.frame(root), neighbours)
        elif line.op == "once":
            lines.all_of(line.block, block)(block.scope.body.frame(root), ())
        signs += count_signs(line)


# The certificate
def page_verdict(claims: Iterable[tuple[Claim, str]]) -> str:
    verdicts = {verdict for claim, verdict in claims if claim.kind != "excluded"}
    of_claims = (("refuted", "refuted"), ("incomplete", "skipped"), ("holds", "holds"))
    return next((word for word, verdict in of_claims if verdict in verdicts), "vacuous")


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
    rules = Rules(page)
    run = Run(page, rules, sizes, {}, limits)
    if not variant:
        return run
    own = run.constants()
    for name, value in variant.items():
        if name not in own:
            raise Refused(None, f"nothing is called {name} in certificates, so that it can't be exchanged")
        if str(own[name]) == str(value):
            raise Refused(None, f"{name} = {value} is the page's own")
    return Run(page, rules, sizes, variant, limits)


def listed(run: Run, ids: Iterable[str]) -> list[Claim]:
    wanted = list(ids)
    found = [claim for claim in run.page.claims if claim.id in wanted]
    if not found or len(found) != len(wanted) or [claim.id for claim in found] != wanted:
        raise Refused(None, "the claims are claims of the page, each once, in its order, and at least one")
    return found


def derived(run: Run, text: str, ids: Iterable[str], through: Through = case_by_case) -> dict[str, Any]:
    claims, constants = listed(run, ids), run.constants_said()
    ledgers = {claim.id: Ledger(claim) for claim in claims if not run.skips(claim)}
    seen = dict[str, Any]()
    for name in dict.fromkeys(claim.on for claim in claims if claim.on and claim.id in ledgers):
        inputs, mine = run.page.inputs[name], [ledger for ledger in ledgers.values() if ledger.claim.on == name]
        counts = counts_of(inputs)
        if how := through(run, inputs, mine, counts):
            run.how.append(how)
        total = {"cases": sum(one.cases for one in counts.values()), "inputs": sum(c.inputs for c in counts.values())}
        for category in inputs.categories:
            count = counts[category.name]
            for tree, many in ((category.cases, count.cases), (category.inputs, count.inputs)):
                if (closed := run.evaluator.alone(tree)) != many or type(closed) is not int:
                    raise Refused(tree.place, f"{category.name} has {many} here, not {shown(closed)}")
        seen[name] = {"kind": inputs.kind, **total}
        if inputs.categories:
            seen[name]["categories"] = {name: count.as_json() for name, count in counts.items()}
    for ledger in ledgers.values():
        if ledger.claim.on:
            finish(run, ledger)
        else:
            about_no_case(run, ledger)
    said = [said_of(run, claim, ledgers.get(claim.id)) for claim in claims]
    found = {"format": PAGE, "page": text, "sizes": run.sizes, "claims": said, "inputs": seen}
    found |= {"variant": {name: str(value) for name, value in run.variant.items()}} if run.variant else {}
    found |= {"constants": constants, "layers": run.layers_said()}
    verdict = page_verdict((claim, one["verdict"]) for claim, one in zip(claims, said, strict=True))
    return found | {"verdict": verdict}


def said_of(run: Run, claim: Claim, ledger: Ledger | None) -> dict[str, Any]:
    if ledger is None:
        return {"id": claim.id, "verdict": "skipped", "cases": 0, "why": claim.why}

    def where(seen: Seen) -> dict[str, Any]:
        cases = [run.cases(run.page.inputs[claim.on]).items(rank) for rank in seen.ranks]
        said = {"value": shown(seen.value), "bound": shown(seen.bound)}
        if seen.letters:
            said["letters"] = {name: shown(value) for name, value in seen.letters.items()}
        said |= {"ranks": list(seen.ranks), "cases": [shown(case) for case in cases]}
        return said | ({"from": seen.side} if seen.side else {})

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
    text: str,
    sizes: dict[str, int],
    variant: dict[str, Fraction],
    ids: Iterable[str],
    limits: Limits | None = None,
    through: Through = case_by_case,
) -> bytes:
    """The certificate, or what is wrong with the page: Refused, OverLimit."""
    with deep():
        return as_bytes(derived(started(text, sizes, variant, limits or Limits()), text, ids, through))

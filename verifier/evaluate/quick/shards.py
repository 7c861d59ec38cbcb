"""A page's claims in a range of cases; ranges put together; the verdicts, which the slow reading confirms.

state = run(quick, ids, start, stop)          what is counted there; can be pickled, and doesn't grow but by what
state = merged([state, state, ...])           `across` collects
ledgers = finished(quick, state)
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import pairwise
from math import lcm
from typing import Any

import numpy as np
from gmpy2 import mpq

from verifier.evaluate.budget import spent
from verifier.evaluate.definition import Case, Reading, at_case, not_in_one, widening
from verifier.evaluate.ledger import Ledger, Ranks
from verifier.evaluate.quick.block import Block
from verifier.evaluate.quick.cases import weight
from verifier.evaluate.quick.claims import Collected, Recorder, attempt
from verifier.evaluate.quick.memory import keep_freed
from verifier.evaluate.quick.numbers import Arr, Lanes, small
from verifier.evaluate.quick.page import LANES, Quick, reduced
from verifier.evaluate.quick.values import LanesDiffer, shown
from verifier.evaluate.values import Disagree
from verifier.language.tree import Across, Category, Claim, ClaimLine, Once
from verifier.language.words import Refused, TooLarge


@dataclass
class State:
    """What is counted of claims, and of categories: their cases and inputs; the numbers of each `across`."""

    claims: dict[str, Ledger]
    categories: dict[str, list[int]]
    collected: dict[tuple[str, int], list[Collected]] = field(default_factory=dict)

    def record(self, recorder: Recorder) -> None:
        """What was made on a block."""
        id_ = recorder.ledger.claim.id
        self.claims[id_].add(recorder.ledger)
        for k, numbers in recorder.collected.items():
            self.collected.setdefault((id_, k), []).extend(numbers)


@contextmanager
def not_too_deep() -> Iterator[None]:
    try:
        yield
    except RecursionError:
        raise TooLarge((0, 0), "definitions rest on one another more deeply than is read; use a list") from None
    except OverflowError as error:
        raise TooLarge((0, 0), f"numbers outgrow what is computed: {error}") from None


@not_too_deep()
def run(
    quick: Quick,
    ids: list[str],
    start: int = 0,
    stop: int | None = None,
    progress: Callable[[int], None] | None = None,
    lanes: int = LANES,
) -> State:
    """The cases from start to stop of those of all inputs that the claims are on, one after the other (`total`)."""
    keep_freed()
    chosen = [quick.page.claims[k] for k in ids]
    state = State({claim.id: begun(quick, claim) for claim in chosen}, {c.name: [0, 0] for c in quick.page.categories})
    for name, reach in ranges(quick, ids, start, stop).items():
        claims = [claim for claim in chosen if claim.inputs == name and state.claims[claim.id].why is None]
        categories = [c for c in quick.page.categories if c.inputs == name]
        for rank, block in quick.blocks(name, reach.start, reach.stop, lanes):
            if categories:
                categorise(quick, categories, block, rank, state.categories)
            for claim in claims:
                on_block(quick, claim, block, rank, state)
            if progress is not None:
                progress(block.n)
    return state


def ranges(quick: Quick, ids: list[str], start: int, stop: int | None) -> dict[str, range]:
    """The ranks of each inputs' cases that are from start to stop among those of all of them."""
    reaches, before = {}, 0
    for name in inputs_of(quick, ids):
        many = quick.reading.few(name).cases
        first, last = max(start - before, 0), many if stop is None else min(stop - before, many)
        reaches[name] = range(first, max(first, last))
        before += many
    return reaches


def total(quick: Quick, ids: list[str]) -> int:
    return sum(quick.reading.few(name).cases for name in inputs_of(quick, ids))


def inputs_of(quick: Quick, ids: list[str]) -> list[str]:
    """The inputs that these claims are on, in the order of the page."""
    on = {c.inputs for c in map(quick.page.claims.__getitem__, ids) if begun(quick, c).why is None}
    return [name for name in quick.page.inputs if name in on]


def on_block(quick: Quick, claim: Claim, block: Block, rank: int, state: State) -> None:
    """Records a claim in a block; where that fails, in groups of its lanes, at last case by case."""
    try:
        state.record(attempt(claim, block, rank))
        return
    except LanesDiffer as split:
        groups = np.unique(split.key, return_inverse=True)[1]
    except Refused:
        if spent():
            raise
        groups = np.arange(block.n) * 2 // block.n
    if len(masks := [groups == k for k in range(groups.max() + 1)]) > 1:
        for mask in masks:
            on_block(quick, claim, block.sub(mask), rank, state)
        return
    for lane in range(block.n):
        at = rank + block.lane(lane)
        try:
            state.record(attempt(claim, quick.case(str(claim.inputs), at), at))
        except Refused as error:
            if spent():
                raise
            again(Cases(quick.reading), claim, (at,))  # the slow reading says what is wrong
            raise Disagree(f"{claim.id} at the case of rank {at}: {error}; not so by the definition") from None


def categorise(quick: Quick, categories: list[Category], b: Block, rank: int, counts: dict[str, list[int]]) -> None:
    """Counts the cases of each category, and their inputs; each case is in exactly one."""
    try:
        masks = [b.truth(c.condition, {}) for c in categories]
    except (Refused, LanesDiffer):
        if b.n == 1:
            raise
        for k in range(rank, rank + b.n):
            categorise(quick, categories, quick.case(categories[0].inputs, k), k, counts)
        return
    for c, mask in zip(categories, masks, strict=True):
        for k, value in enumerate((1, b.value("weight"))):
            counts[c.name][k] += int(sum(reduced("sum", value, mask, b.n) or [0]))
    inside = np.sum([np.broadcast_to(mask, b.n) for mask in masks], axis=0)
    if (inside != 1).any():
        lane = int(np.argmax(inside != 1))
        name = categories[0].inputs
        names = [c.name for c, m in zip(categories, masks, strict=True) if shown(m, lane)]
        raise not_in_one(categories[0], names, quick.reading.space(name).case(rank + lane), quick.page.inputs[name])


def merged(parts: list[State]) -> State:
    """Of parts in the order of their cases."""
    first, *rest = parts
    for part in rest:
        for id_, ledger in part.claims.items():
            first.claims[id_].add(ledger)
        for key, numbers in part.collected.items():
            first.collected.setdefault(key, []).extend(numbers)
        for name, counts in part.categories.items():
            first.categories[name] = [x + y for x, y in zip(first.categories[name], counts, strict=True)]
    return first


@not_too_deep()
def finished(quick: Quick, state: State) -> list[Ledger]:
    """The claims as the slow reading has them, when all cases were seen."""
    for name in inputs_of(quick, list(state.claims)):
        counts = {c.name: state.categories[c.name] for c in quick.page.categories if c.inputs == name}
        quick.reading.counted[name] = {c: {"cases": k[0], "inputs": k[1]} for c, k in counts.items()}
    chosen = [claim for claim in quick.page.claims.values() if claim.id in state.claims]
    ledgers = [finish(quick, claim, state) for claim in chosen]
    for name in quick.through_all_cases(chosen):  # constants that run through all cases aren't computed slowly
        if name in quick.reading.constants:
            with suppress(Refused, LanesDiffer):  # the slow reading says what is wrong
                quick.reading.nothing.kept[name] = shown(quick.nothing.value(name), 0)
    cases = Cases(quick.reading)
    for ledger in ledgers:
        confirm(cases, ledger)
    return ledgers


def begun(quick: Quick, claim: Claim) -> Ledger:
    """The claim's ledger, of no case yet."""
    skip = claim.skip
    return Ledger(claim, skip[1] if skip is not None and quick.nothing.truth(skip[0], {}) else None)


def finish(quick: Quick, claim: Claim, state: State) -> Ledger:
    ledger = begun(quick, claim)
    ledger.add(state.claims[claim.id])
    if ledger.why is not None:
        return ledger
    if claim.inputs is None:
        ledger.cases = 1
        once(quick, ledger, 0, claim.lines)
    for k, line in enumerate(claim.lines if claim.inputs else []):
        if isinstance(line, Once):
            once(quick, ledger, k, line.lines)
        elif isinstance(line, Across):
            across(quick, ledger, k, line, state.collected.pop((claim.id, k), []))
    return ledger


def once(quick: Quick, ledger: Ledger, k: int, lines: list[ClaimLine]) -> None:
    """Relations about no case."""
    claim = ledger.claim
    recorder = Recorder(claim, quick.nothing, lambda _: (), lambda _: (k,))
    try:
        recorder.lines(quick.nothing, lines, {})
    except (Refused, LanesDiffer):
        quick.reading.once(claim, Ledger(claim), lines)  # the slow reading says what is wrong
        raise
    if recorder.bad.any():
        recorder.ledger.fails_at(())
    ledger.add(recorder.ledger)


def across(quick: Quick, ledger: Ledger, k: int, line: Across, parts: list[Collected]) -> None:
    """The relations of neighbours among the numbers of all cases."""
    if not parts:
        return
    den = lcm(*(unit for _, unit, _ in parts))
    ends = [int(end) * (den // unit) for v, unit, _ in parts if len(v) for end in (v.min(), v.max())]
    dtype = np.int64 if small(min(ends, default=0), max(ends, default=0)) else object
    v = np.concatenate([v.astype(dtype) * (den // unit) for v, unit, _ in parts])
    ranks = np.concatenate([r for _, _, r in parts])
    parts.clear()
    by = np.argsort(ranks, kind="stable")
    by = by[np.argsort(v[by], kind="stable")]
    v, ranks = v[by], ranks[by]
    apart = np.nonzero(ranks[1:] != ranks[:-1])[0]
    if len(apart):
        widening(quick.reading.nothing, line.lines, line.lower, line.upper, {})
    for start in range(0, len(apart), LANES):
        at = apart[start : start + LANES]
        pairs = np.sort(np.stack([ranks[at], ranks[at + 1]], axis=1), axis=1)
        by = np.lexsort((at, pairs[:, 1], pairs[:, 0]))
        at, pairs = at[by], pairs[by]
        block = Block(quick, len(at), {}, {})
        low, high = Arr(v[at], den, 0, 0), Arr(v[at + 1], den, 0, 0)
        low.tighten()
        high.tighten()

        def ranks_of(p: int, pairs: Lanes = pairs) -> Ranks:
            return int(pairs[p, 0]), int(pairs[p, 1])

        def before(p: int, at: Lanes = at) -> Any:
            return k, int(at[p])

        recorder = Recorder(ledger.claim, block, ranks_of, before)
        recorder.lines(block, line.lines, {line.lower: low, line.upper: high})
        for pair in pairs[recorder.bad].tolist():
            recorder.ledger.fails_at(tuple(pair))
        ledger.add(recorder.ledger)


# a verdict is checked before it is printed


class Cases:
    """Single cases, as the slow reading has them: what claims at the same case have in common is computed once."""

    def __init__(self, reading: Reading) -> None:
        self.reading, self.kept = reading, reading.alone

    def case(self, name: str, rank: int) -> Case:
        if (name, rank) not in self.kept:
            space, variable = self.reading.space(name), self.reading.page.inputs[name].variable
            listed = space.case(rank)
            variables = {variable: listed, "weight": mpq(weight(space, listed))}
            self.kept[name, rank] = Case(self.reading, variables)
        return self.kept[name, rank]


def again(cases: Cases, claim: Claim, ranks: Ranks) -> list[Ledger]:
    """A claim at a case alone, by the slow reading; at two cases, of each two of their numbers that are neighbours."""
    ledger, collected = Ledger(claim), dict[int, list[tuple[Any, int]]]()
    for rank in ranks:
        at_case(claim, cases.case(str(claim.inputs), rank), rank, ledger, collected)
    if len(ranks) < 2:
        return [ledger]
    ledgers = []
    for k, line in enumerate(claim.lines):
        for two in pairwise(sorted(collected.get(k, []))):
            if isinstance(line, Across):
                ledgers.append(Ledger(claim))
                cases.reading.across(ledgers[-1], line, list(two))
    return ledgers


def confirm(cases: Cases, ledger: Ledger) -> None:
    """The slow reading sees each case that a verdict names (with this reading's numbers over all cases)."""
    claim = ledger.claim
    seen: dict[Ranks, list[Ledger]] = {}

    def at(ranks: Ranks) -> list[Ledger]:
        if ranks not in seen:
            seen[ranks] = again(cases, claim, ranks)
        return seen[ranks]

    for place, count in ledger.counts.items():
        if count.least is not None and count.least[1].ranks:
            slack, relation = count.least
            leasts = [alone.counts[place].least for alone in at(relation.ranks)]
            there = next((least for least in leasts if least is not None and least[0] == slack), None)
            where = f"{claim.id}, line {place[0]}"
            if there is None or there[1].ranks != relation.ranks:
                raise Disagree(f"{where}: the slack {slack} at {list(relation.ranks)} isn't the definition's")
            if len(relation.ranks) < 2 and there[1] != relation:
                raise Disagree(f"{where}: the sides at {list(relation.ranks)} aren't the definition's")
        for answer, wrongly in count.wrongly.items():
            first = wrongly.first
            if first and first.ranks and at(first.ranks)[0].counts[place].wrongly[answer].first != first:
                raise Disagree(f"{claim.id}, line {place[0]}: the definition answers otherwise at {list(first.ranks)}")
    if ledger.first is not None and (ranks := ledger.first.ranks):
        if not any(ranks in alone.named for alone in at(ranks)):
            raise Disagree(f"{claim.id}: the definition finds no failure at {list(ranks)}")
        if len(ranks) < 2 and at(ranks)[0].first != ledger.first:
            raise Disagree(f"{claim.id}: the definition's first failure at {list(ranks)} is another one")
    for ranks, alone in seen.items():  # whatever a case is named for, all lines were evaluated there
        if len(ranks) < 2 and alone[0].failing and (ledger.first is None or ranks < ledger.first.ranks):
            raise Disagree(f"{claim.id}: the definition finds a failure at {list(ranks)}")

"""A page's claims, by the quick reading: what is counted in a range of cases, put together with what is counted in others."""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from gmpy2 import mpq

from verifier.evaluate.definition import Case, Reading, Relations, widening
from verifier.evaluate.ledger import INEQUALITIES, Ledger, Seen
from verifier.evaluate.quick.block import Block, Letters
from verifier.evaluate.quick.numbers import LIMIT, Arr, Lanes, compare, full, known, minus
from verifier.evaluate.quick.page import LANES, Quick
from verifier.evaluate.quick.values import Seq, Split, Truth, conj, flip, kind, need, ordered, related, some
from verifier.evaluate.values import List
from verifier.language.tree import Claim, Tree
from verifier.language.words import Place, Refused

Pairs = tuple[Lanes, Lanes]  # the smaller and the larger rank


class Disagree(Exception):
    """The two readings of the producer don't agree: a defect of ours, and no verdict."""


@dataclass
class Line:
    made: int = 0
    least: tuple[Fraction, tuple[int, ...], Any, Any, Any] | None = None  # slack, ranks, order, value, bound


@dataclass
class Found:
    """What is counted of a claim: in some cases, or in all. Two of them are put together by `with_`."""

    cases: int = 0
    lines: dict[Place, Line] = field(default_factory=dict)
    first: tuple[tuple[int, ...], Any, Place, Any, Any] | None = None  # ranks, order, place, value, bound
    failing: int = 0  # cases that fail
    collected: dict[int, list[tuple[Lanes, int, Lanes]]] = field(
        default_factory=dict
    )  # of each across: values, their denominator, ranks

    def with_(self, other: "Found") -> "Found":
        self.cases += other.cases
        self.failing += other.failing
        for place, line in other.lines.items():
            mine = self.lines.setdefault(place, Line())
            mine.made += line.made
            if line.least is not None and (mine.least is None or line.least[:2] < mine.least[:2]):
                mine.least = line.least
        if other.first is not None and (self.first is None or other.first[:2] < self.first[:2]):
            self.first = other.first
        for k, parts in other.collected.items():
            self.collected.setdefault(k, []).extend(parts)
        return self


def shown(x: Any, lane: int) -> Any:
    """A lane's value as the slow reading has it."""
    if isinstance(x, Arr):
        return mpq(x.at(lane))
    if isinstance(x, np.ndarray):
        return bool(x[lane])
    if isinstance(x, Seq):
        masks = x.masks or [True] * len(x.items)
        return List([shown(v, lane) for v, m in zip(x.items, masks, strict=True) if shown(m, lane)], x.first)
    return x if isinstance(x, bool) else mpq(x)


class Relations_:
    """The relations of a claim's lines on a block, made in order."""

    def __init__(
        self, block: Block, ranks: Callable[[Block, int], tuple[int, ...]], order: Callable[[Block, int], Any]
    ) -> None:
        self.block, self.ranks, self.at_order = block, ranks, order
        self.found, self.order = Found(), 0
        self.bad = np.zeros(block.n, dtype=bool)

    def of(self, b: Block, lines: list[Tree], at: Letters) -> None:
        for k, line in enumerate(lines):
            what = line[0]
            if what == "relation":
                self.relation(b, line, at)
            elif what == "for":
                _, _, letter, reach, condition, inner = line
                for here, mask in b.each(letter, reach, condition, at):
                    self.inside(b, mask, inner, here)
            elif what == "when":
                self.inside(b, b.truth(line[2], at), line[3], at, line[2][0] == "name")
            elif what == "within":
                _, _, collected, first, second, inner = line
                numbers = ordered(listed(b(collected, at))).items
                may_widen(b, inner, first, second, at)
                for low, high in zip(numbers, numbers[1:], strict=False):
                    self.of(b, inner, {**at, first: low, second: high})
            elif what == "across":
                for value, mask in pairs_of(listed(b(line[2], at))):
                    if mask is not False:
                        self.collect(b, k, value, mask)

    def inside(self, b: Block, mask: Truth, lines: list[Tree], at: Letters, lasting: bool = False) -> None:
        """The lines, in the lanes of the mask."""
        if mask is True:
            self.of(b, lines, at)
        elif mask is not False and some(mask):
            block = b.sub(mask, lasting)
            letters = {k: block.taken(v) for k, v in at.items()}
            try:
                self.of(block, lines, letters)
            except Split as split:
                raise b.wider(split, block) from None

    def relation(self, b: Block, line: Tree, at: Letters) -> None:
        _, _, signs, sides, told = line
        values = [b(side, at) for side in sides]
        for sign, name, value, bound in zip(signs, told, values, values[1:], strict=False):
            self.order += 1
            self.make(b, sign, name.place, value, bound)

    def make(self, b: Block, sign: str, place: Place, value: Any, bound: Any) -> None:
        mine = self.found.lines.setdefault(place, Line())
        mine.made += b.n
        if sign not in INEQUALITIES:
            if sign == "iff":
                need("truth", value, bound)
            self.fail(b, flip(related("=" if sign == "iff" else sign, value, bound)), place, value, bound)
            return
        need("number", value, bound)
        slack = minus(value, bound) if sign[0] == ">" else minus(bound, value)
        good = compare(">" if len(sign) == 1 else ">=", slack, 0)
        self.fail(b, flip(good), place, value, bound)
        if good is False or not some(good):
            return
        if known(slack):
            lane = 0 if good is True else int(np.argmax(good))
            least = Fraction(slack)
        else:
            lanes = None if good is True else np.nonzero(good)[0]
            v = slack.v if lanes is None else slack.v[lanes]
            lane = int(v.argmin())
            least = Fraction(int(v[lane]), slack.den)
            lane = lane if lanes is None else int(lanes[lane])
        if mine.least is None or least <= mine.least[0]:
            key = (least, self.ranks(b, lane))
            if mine.least is None or key < mine.least[:2]:
                mine.least = (*key, self.at_order(b, lane), shown(value, lane), shown(bound, lane))

    def fail(self, b: Block, bad: Truth, place: Place, value: Any, bound: Any) -> None:
        if bad is False or not some(bad):
            return
        lane = 0 if bad is True else int(np.argmax(bad))
        where = slice(None) if b is self.block else places_in(b, self.block)
        self.bad[where] |= bad
        key = (self.ranks(b, lane), self.at_order(b, lane))
        if self.found.first is None or key < self.found.first[:2]:
            self.found.first = (*key, place, shown(value, lane), shown(bound, lane))

    def collect(self, b: Block, k: int, value: Any, mask: Truth) -> None:
        lanes = np.arange(b.n) if mask is True else np.nonzero(mask)[0]
        ranks = self.ranks(b, 0)[0] - (0 if b.place is None else int(b.place[0]))
        value = full(value, b.n)
        places = lanes if b.place is None else b.place[lanes]
        self.found.collected.setdefault(k, []).append((value.v[lanes], value.den, places + ranks))


def places_in(b: Block, above: Block) -> Lanes:
    """The lanes of a block in one above it."""
    found = b.pick
    while b.up is not above:
        assert b.up is not None
        b = b.up
        found = b.pick[found]
    return found


def listed(value: Any) -> Seq:
    """The numbers of a within or across: one, or a list."""
    found = value if isinstance(value, Seq) else Seq(1, [value])
    need("number", *found.items)
    return found


def pairs_of(c: Seq) -> list[tuple[Any, Truth]]:
    return list(zip(c.items, c.masks or [True] * len(c.items), strict=True))


def may_widen(b: Block, lines: list[Tree], first: str, second: str, at: Letters) -> None:
    """As `widening` in definition.py, for a block."""
    for line in lines:
        if line[0] == "for":
            for here, mask in b.each(line[2], line[3], None, at):
                if mask is not True:
                    raise Split(np.arange(b.n))
                may_widen(b, line[5], first, second, here)
        elif line[0] == "when":
            mask = b.truth(line[2], at)
            if mask is True:
                may_widen(b, line[3], first, second, at)
            elif mask is not False:
                raise Split(mask)
        elif line[0] == "relation":
            for sign, left, right in zip(line[2], line[3], line[3][1:], strict=False):
                larger, smaller = (left, right) if sign in (">", ">=") else (right, left)
                at_0, at_b, at_a = (
                    minus(b(larger, {**at, first: x, second: y}), b(smaller, {**at, first: x, second: y}))
                    for x, y in ((0, 0), (0, 1), (1, 0))
                )
                if some(compare("<", at_b, at_0)) or some(compare(">", at_a, at_0)):
                    raise Refused(line[1], "this may hold of neighbours and fail for a pair further apart")


def on_block(quick: Quick, claim: Claim, block: Block, rank: int) -> Found:
    """What is counted of a claim in a block; where that fails, in groups of its lanes, at last case by case."""
    try:
        return attempt(claim, block, rank)
    except Split as split:
        groups = np.unique(split.key, return_inverse=True)[1]
        masks = [groups == k for k in range(groups.max() + 1)]
    except Refused:
        masks = [np.arange(block.n) * 2 < block.n, np.arange(block.n) * 2 >= block.n]
    place = np.arange(block.n) if block.place is None else block.place
    if block.n == 1 or len(masks) == 1:
        return one_by_one(quick, claim, rank, place)
    found = Found()
    for mask in masks:
        found.with_(on_block(quick, claim, block.sub(mask), rank))
    return found


def one_by_one(quick: Quick, claim: Claim, rank: int, places: Lanes) -> Found:
    found = Found()
    for place in places:
        at = rank + int(place)
        try:
            found.with_(attempt(claim, quick.case(str(claim.inputs), at), at))
        except Refused as error:
            again(quick.reading, claim, [at])  # the slow reading says what is wrong
            raise Disagree(
                f"{claim.id} at the case of rank {at}: {error}; the slow reading has a value there"
            ) from None
    return found


def attempt(claim: Claim, block: Block, rank: int) -> Found:
    mask = True if claim.condition is None else block.truth(claim.condition, {})
    cases = block.n if mask is True else 0 if mask is False else int(mask.sum())
    if not cases:
        return Found()

    def ranks(b: Block, lane: int) -> tuple[int, ...]:
        return (rank + (lane if b.place is None else int(b.place[lane])),)

    made = Relations_(block, ranks, lambda _b, _lane: (made.order,))
    made.inside(block, mask, claim.lines, {}, True)
    made.found.cases, made.found.failing = cases, int(made.bad.sum())
    return made.found


# the whole page

State = dict[str, Found]


def run(
    quick: Quick, ids: list[str], start: int = 0, stop: int | None = None, progress: Callable[[int], None] | None = None
) -> State:
    """What is counted of claims at the cases from one place to another in all cases of their inputs, one after the other."""
    chosen = [quick.page.claims[id_] for id_ in ids]
    found = {claim.id: Found() for claim in chosen}
    here = [c for c in chosen if c.inputs is not None and not skipped(quick, c)]
    before = 0
    for name in inputs_of(quick, ids):
        many = quick.reading.space(name).cases
        first, last = max(start - before, 0), many if stop is None else min(stop - before, many)
        for rank, block in quick.blocks(name, first, max(first, last), LANES):
            for claim in here:
                if claim.inputs == name:
                    found[claim.id].with_(on_block(quick, claim, block, rank))
            if progress is not None:
                progress(block.n)
        before += many
    return found


def inputs_of(quick: Quick, ids: list[str]) -> list[str]:
    """The inputs that these claims are on, in the order of the page."""
    on = {c.inputs for c in (quick.page.claims[k] for k in ids) if c.inputs is not None and not skipped(quick, c)}
    return [name for name in quick.page.inputs if name in on]


def skipped(quick: Quick, claim: Claim) -> bool:
    return claim.skip is not None and bool(quick.nothing.truth(claim.skip[0], {}))


def merged(parts: list[State]) -> State:
    """Of parts in the order of their cases."""
    found: State = {}
    for part in parts:
        for name, counts in part.items():
            found[name] = found[name].with_(counts) if name in found else counts
    return found


def finished(quick: Quick, state: State) -> list[Ledger]:
    """With what is said when all cases were seen: the claims as the slow reading counts them, each named case seen again by it."""
    ledgers = []
    for claim in quick.page.claims.values():
        if claim.id in state:
            ledger = finish(quick, claim, state[claim.id])
            confirm(quick.reading, ledger)
            ledgers.append(ledger)
    return ledgers


class Failing:
    """How many cases and pairs fail."""

    def __init__(self, many: int) -> None:
        self.many = many

    def __len__(self) -> int:
        return self.many


def finish(quick: Quick, claim: Claim, found: Found) -> Ledger:
    ledger = Ledger(claim)
    if skipped(quick, claim):
        ledger.why = claim.skip[1] if claim.skip else None
        return ledger
    pairs: list[Pairs] = []
    failing = 0
    for k, line in enumerate(claim.lines):
        if claim.inputs is None or line[0] == "once":
            lines = [line] if claim.inputs is None and line[0] != "once" else line[2]
            made = Relations_(quick.nothing, lambda _b, _lane: (), lambda _b, _lane, k=k: (k, made.order))
            try:
                made.of(quick.nothing, lines, {})
            except (Refused, Split):
                Relations(quick.reading.nothing, Ledger(claim), (), {}).of(
                    claim.lines if claim.inputs is None else lines
                )
                raise
            failing |= int(made.bad.any())
            found.with_(made.found)
        elif line[0] == "across":
            widening(quick.reading.nothing, line[5], line[3], line[4], {})
            pairs += across(quick, found, k, line)
    if claim.inputs is None:
        found.cases = 1
    ledger.cases = found.cases
    for place, mine in found.lines.items():
        ledger.lines[place].made = mine.made
        if mine.least is not None:
            slack, ranks, order, value, bound = mine.least
            ledger.lines[place].least = (mpq(slack), Seen(ranks, order, place, value, bound))
    if found.first is not None:
        ranks, order, place, value, bound = found.first
        ledger.first = Seen(ranks, order, place, value, bound)
    if pairs:
        low, high = (np.concatenate([p[side] for p in pairs]) for side in (0, 1))
        failing += len(np.unique(np.stack([low, high]), axis=1)[0])
    ledger.failing = Failing(failing + found.failing)  # type: ignore[assignment]
    return ledger


def across(quick: Quick, found: Found, k: int, line: Tree) -> list[Pairs]:
    """The relations of neighbours among the numbers of all cases; the pairs that fail."""
    parts = found.collected.pop(k, [])
    if not parts:
        return []
    den = lcm(*(d for _, d, _ in parts))
    most = max((max(abs(int(v.min())), abs(int(v.max()))) * (den // d) for v, d, _ in parts if len(v)), default=0)
    big = most >= LIMIT or any(v.dtype == object for v, _, _ in parts)
    v = np.concatenate([(v.astype(object) if big else v) * (den // d) for v, d, _ in parts])
    ranks = np.concatenate([r for _, _, r in parts])
    parts.clear()
    if big:
        by = np.argsort(ranks, kind="stable")
        by = by[np.argsort(v[by], kind="stable")]
    else:
        by = np.lexsort((ranks, v))
    v, ranks = v[by], ranks[by]
    at = np.nonzero(ranks[1:] != ranks[:-1])[0]
    _, _, _, a, b, inner = line
    failing: list[Pairs] = []
    for start in range(0, len(at), LANES):
        places = at[start : start + LANES]
        low, high = np.minimum(ranks[places], ranks[places + 1]), np.maximum(ranks[places], ranks[places + 1])
        by = np.lexsort((places, high, low))
        places, low, high = places[by], low[by], high[by]
        block = Block(quick, len(places), {}, {})
        letters: Letters = {}
        for name, there in ((a, places), (b, places + 1)):
            letters[name] = Arr(v[there], den, 0, 0)
            letters[name].tighten()

        def pair(block: Block, lane: int, low: Lanes = low, high: Lanes = high) -> tuple[int, ...]:
            lane = lane if block.place is None else int(block.place[lane])
            return int(low[lane]), int(high[lane])

        def order(block: Block, lane: int, places: Lanes = places) -> Any:
            lane = lane if block.place is None else int(block.place[lane])
            return k, int(places[lane]), made.order

        made = Relations_(block, pair, order)
        made.of(block, inner, letters)
        if made.bad.any():
            failing.append((low[made.bad], high[made.bad]))
        found.with_(made.found)
    return failing


# a verdict is checked before it is printed


def again(reading: Reading, claim: Claim, ranks: list[int]) -> Ledger:
    """A claim at these cases alone, by the slow reading."""
    ledger, collected = Ledger(claim), dict[int, list[tuple[Any, int]]]()
    for rank in ranks:
        case = reading.case(str(claim.inputs), rank)
        if claim.condition is None or case.truth(claim.condition, {}):
            ledger.cases += 1
            Relations(case, ledger, (rank,), collected).of(claim.lines)
    for k, line in enumerate(claim.lines):
        if line[0] == "across" and len(ranks) == 2:
            reading.across(ledger, line, collected.get(k, []))
    return ledger


def confirm(reading: Reading, ledger: Ledger) -> None:
    """Each case that a verdict names, seen by the slow reading."""
    claim = ledger.claim
    seen: dict[tuple[int, ...], Ledger] = {}

    def of(ranks: tuple[int, ...]) -> Ledger:
        if ranks not in seen:
            seen[ranks] = (
                again(reading, claim, list(ranks))
                if ranks
                else reading.decide(claim)
                if claim.inputs is None
                else ledger
            )
        return seen[ranks]

    def differ(what: str, place: Place, ranks: tuple[int, ...]) -> None:
        raise Disagree(
            f"{claim.id}, line {place[0]}: {what} at the cases of rank {list(ranks)}, which the slow reading denies"
        )

    for place, line in ledger.lines.items():
        if line.least is not None:
            slack, said = line.least
            there = of(said.ranks).lines[place].least
            if (
                there is None
                or there[0] != slack
                or (len(said.ranks) < 2 and (there[1].value, there[1].bound) != (said.value, said.bound))
            ):
                differ(f"a slack of {slack}", place, said.ranks)
    if (said := ledger.first) is not None:
        other = of(said.ranks)
        if said.ranks not in other.failing and said.ranks:
            differ("a failure", said.place, said.ranks)

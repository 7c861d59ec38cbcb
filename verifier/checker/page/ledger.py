"""LANGUAGE 5: the relations of a claim, how often each was made, its least slack, the first failure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import count, pairwise
from math import lcm
from typing import Any

from ..core.comparing import OverLimit
from .evaluate import Env, NotKnown, Stage
from .everywhere import MOST_REALS, Made, Path, relations, tightest, value_at
from .graph import FALSE, TRUE, Code, Frame, Listed, Node, Value, is_known, kind_of, not_looked_at, plain
from .numbers import FOLDS, Runtime, neighbours
from .tree import Claim, Line
from .words import DEFECT, Place, Refused

Act = Callable[[Frame], None]
Ranks = tuple[int, ...]
Sides = tuple[Runtime, Runtime, dict[str, Runtime]]  # of a relation, and the letters of the blocks around it
RANKS = 1 << 64  # more than there can be
STRICT, EDGES = ("<", ">"), ("<", "<=", ">", ">=")


@dataclass(frozen=True, slots=True)
class Sign:
    """A sign of a relation: where its left side begins, and its text."""

    place: Place
    sign: str
    text: str


def signs_of(lines: tuple[Line, ...]) -> list[Sign]:
    found = list[Sign]()
    for line in lines:
        found += [Sign(*one) for one in zip(line.starts, line.signs, line.texts, strict=False)]
        found += signs_of(line.block)
    return found


@dataclass(slots=True)
class Least:
    slack: Fraction
    ranks: Ranks
    value: Runtime
    bound: Runtime
    letters: dict[str, Runtime]
    side: str = ""  # the sides are limits, from below or above


@dataclass(slots=True)
class First:
    ranks: Ranks
    sign: int
    value: Runtime
    bound: Runtime
    letters: dict[str, Runtime]
    side: str = ""


@dataclass(slots=True)
class Answers:
    """Of a `recognises`, by its two sides: how often each pair came, and where first each that is wrong."""

    many: Counter[tuple[bool, bool]] = field(default_factory=Counter)
    first: dict[tuple[bool, bool], First] = field(default_factory=dict)

    def saved(self) -> Answers:
        return Answers(self.many.copy(), dict(self.first))


@dataclass(slots=True)
class Ledger:
    claim: Claim
    signs: list[Sign]
    numbers: dict[Line, int]  # of each relation the number of its first sign
    made: list[int]
    least: list[Least | None]
    answers: dict[int, Answers]  # of each `recognises`, by the number of its sign
    first: First | None = None
    cases: int = 0
    failing: int = 0
    pairs: set[Ranks] = field(default_factory=set)  # that fail
    ranks: Ranks = ()  # of what is at hand
    failed: Ranks | None = None  # the last that failed
    across: dict[Line, list[tuple[int, list[int]]]] = field(
        default_factory=dict
    )  # D, and of each: value * RANKS + rank

    def saved(self) -> Ledger:
        found = copy(self)
        found.made, found.least = self.made[:], self.least[:]
        found.answers = {sign: answers.saved() for sign, answers in self.answers.items()}
        found.across = {line: lists[:] for line, lists in self.across.items()}
        return found

    def restore(self, old: Ledger) -> None:
        for name in ("made", "least", "answers", "first", "cases", "failing", "failed", "across"):
            setattr(self, name, getattr(old, name))

    def collected(self, line: Line, D: int) -> list[int]:
        """Where the numbers of an `across` are collected, with their ranks: value * RANKS + rank."""
        into: list[int] = []
        self.across.setdefault(line, []).append((D, into))
        return into

    def fails(self, sign: int, seen: Callable[[], Sides], many: int = 1) -> None:
        """many: how many cases of which the one at hand is the first."""
        if len(self.ranks) == 2:
            self.pairs.add(self.ranks)
        elif self.failed != self.ranks:
            self.failing, self.failed = self.failing + many, self.ranks
        if self.first is None or self.ranks < self.first.ranks:
            self.first = First(self.ranks, sign, *seen())

    def answered(self, sign: int, both: tuple[bool, bool], seen: Callable[[], Sides]) -> None:
        answers = self.answers[sign]
        answers.many[both] += 1
        if both[0] != both[1] and (both not in answers.first or self.ranks < answers.first[both].ranks):
            answers.first[both] = First(self.ranks, sign, *seen())

    def holds(self, sign: int, slack: Fraction, seen: Callable[[], Sides], side: str = "") -> None:
        least = self.least[sign]
        if least is None or (slack, self.ranks) < (least.slack, least.ranks):
            self.least[sign] = Least(slack, self.ranks, *seen(), side)

    @property
    def verdict(self) -> str:
        return "refuted" if self.first else "holds" if any(self.made) else "vacuous"


def ledger_of(claim: Claim) -> Ledger:
    numbers, count = dict[Line, int](), 0

    def number(lines: tuple[Line, ...]) -> None:
        nonlocal count
        for line in lines:
            numbers[line] = count
            count += len(line.signs)
            number(line.block)

    number(claim.lines)
    signs = signs_of(claim.lines)
    answers = {k: Answers() for k, sign in enumerate(signs) if sign.sign == "recognises"}
    return Ledger(claim, signs, numbers, [0] * count, [None] * count, answers)


def exact(v: Runtime, D: int) -> Runtime:
    """A number of a case as a fraction, a list of them as a tuple."""
    if isinstance(v, bool):
        return v
    return tuple([exact(one, D) for one in v]) if isinstance(v, tuple) else Fraction(v, D)


# A claim's lines about the cases of a stage: first with all that is known computed, then as functions of a frame.
@dataclass(frozen=True, slots=True)
class Planned:
    op: str  # relation, if, for, within, across, all; look: at a value that may be refused
    line: Line
    sign: int = 0
    when: Node = TRUE
    values: tuple[Value, ...] = ()  # of a relation what decides it, its two sides; else what is run through
    letters: tuple[int, ...] = ()
    block: tuple[Planned, ...] = ()
    env: Env = field(default_factory=dict)  # of a relation: the letters of the blocks around it


def planned(
    stage: Stage, ledger: Ledger, lines: tuple[Line, ...], env: Env, pair: tuple[Node, ...] = ()
) -> tuple[Planned, ...]:
    """pair: of `within` and `across` the letters of two neighbours."""
    found = list[Planned]()
    for line in lines:
        stage.run.budget.spend(50)
        try:
            found += one_line(stage, ledger, line, env, pair)
        except NotKnown:
            raise
        except Refused as error:  # if a case comes to it
            found.append(Planned("look", line, when=stage.fail(error)))
    return tuple(found)


def one_line(stage: Stage, ledger: Ledger, line: Line, env: Env, pair: tuple[Node, ...]) -> list[Planned]:
    if line.op == "relation":
        return relation(stage, ledger, line, env, pair)
    if line.op == "across":
        return [Planned("across", line, values=(numbers_of(stage, line, env),))]
    if line.op == "once":
        return []
    if line.op == "all":
        return [for_all(stage, ledger, line, env)]
    if line.op == "if":
        return when(stage, ledger, line, env, pair)
    if line.op == "within":
        if pair:
            raise Refused(line.place, "`within` stands in no `within` or `across`")
        items = numbers_of(stage, line, env)
        found = stage.call(FOLDS["sorted"][2], (items,), Listed(1, "number"), line.place, safe=True)
        letters = two_letters(stage, line.place)
        try:
            block = planned(
                stage, ledger, line.block, {**env, **dict(zip(line.letters, letters, strict=True))}, letters
            )
        finally:
            stage.level -= 2
        return [Planned("within", line, values=(found,), letters=(stage.level + 1, stage.level + 2), block=block)]
    if line.reach is None:
        raise TypeError(DEFECT)
    items_known = stage.reach(line.reach, env)
    if items_known is not None:
        refuse_pair(line.place, pair, items_known)
        plans = [Planned("look", line, when=one) for one in not_looked_at(items_known, ())]
        for value in items_known:
            plans += when(stage, ledger, line, {**env, line.letters[0]: value}, pair)
        return plans
    with stage.running(line.reach, env) as (reach, letter):
        refuse_pair(line.place, pair, reach)
        block = tuple(when(stage, ledger, line, {**env, line.letters[0]: letter}, pair))
        return [Planned("for", line, values=reach, letters=(stage.level,), block=block)]


def for_all(stage: Stage, ledger: Ledger, line: Line, env: Env) -> Planned:
    """A block about all real numbers: its letters are of the levels above."""
    level, one = stage.level, list[Value]([Fraction(1)])
    reach = stage.reach(line.reach, env) if line.reach else one
    if reach is None or len(reach) > MOST_REALS:
        raise OverLimit(f"{line.place}: at most {MOST_REALS} real numbers at a time")
    letters = list[Node]()
    try:
        for _ in reach:
            stage.level += 1
            stage.graph.reals.add(stage.level)
            letters.append(stage.letter("number", line.place, "real"))
        value: Value = stage.graph.row(letters, line.place, _first(reach)) if line.reach else letters[0]
        here = {**env, line.letters[0]: value}
        condition = stage.truth(line.when, here) if line.when else TRUE
        block = planned(stage, ledger, line.block, here)
    finally:
        stage.graph.reals -= set(range(level + 1, stage.level + 1))
        stage.level = level
    levels = tuple(range(level + 1, level + 1 + len(letters)))
    return Planned("all", line, when=condition, values=(value,), letters=levels, block=block)


def _first(reach: list[Value]) -> int:
    return int(reach[0]) if reach and isinstance(reach[0], Fraction) else 1


def two_letters(stage: Stage, place: Place) -> tuple[Node, Node]:
    stage.level += 1
    first = stage.letter("number", place)
    stage.level += 1
    return first, stage.letter("number", place)


def when(stage: Stage, ledger: Ledger, line: Line, env: Env, pair: tuple[Node, ...]) -> list[Planned]:
    """The block of a line with a condition, or of none."""
    truth = stage.truth(line.when, env) if line.when else TRUE
    refuse_pair(line.place, pair, [truth])
    if truth is FALSE:
        return []
    block = planned(stage, ledger, line.block, env, pair)
    return list(block) if truth is TRUE else [Planned("if", line, when=truth, block=block)]


def refuse_pair(place: Place, pair: tuple[Node, ...], values: Any) -> None:
    letters = frozenset(one for letter in pair for one in letter.deps)
    if any(not isinstance(v, Fraction) and v.deps & letters for v in values):
        raise Refused(place, "what is said of neighbours must be said of all: no condition or range on them")


def numbers_of(stage: Stage, line: Line, env: Env) -> Value:
    v, place = stage.value(line.sides[0], env), line.sides[0].place
    v = stage.graph.row([v], place) if kind_of(v) == "number" else stage.expect("list", v, place)
    kind = kind_of(v)
    if isinstance(kind, Listed) and kind.of not in ("number", "any"):
        raise Refused(place, f"`{line.op}` is of numbers")
    return v


def relation(stage: Stage, ledger: Ledger, line: Line, env: Env, pair: tuple[Node, ...]) -> list[Planned]:
    graph, found = stage.graph, list[Planned]()
    if line.signs in (("iff",), ("recognises",)):
        sides: list[Value] = [stage.truth(side, env) for side in line.sides]
    else:
        sides = [stage.value(side, env) for side in line.sides]
    for k, (sign, (a, b)) in enumerate(zip(line.signs, pairwise(sides), strict=True)):
        place = line.starts[k]
        if pair and sign not in EDGES:
            raise Refused(place, "neighbours are compared by <, <=, > or >=, so that it holds of all pairs")
        decides: Value
        if sign in EDGES:
            stage.compare(sign, a, b, place)  # of numbers alone
            decides = graph.linear([(1, b), (-1, a)] if sign in ("<", "<=") else [(1, a), (-1, b)], place)
            if pair:
                widening(decides, pair, place, stage.case == {})
        else:
            decides = stage.equal(a, b, place)
            decides = graph.negated(decides, place) if sign == "!=" else decides
        decides = graph.after(sides, decides, place)
        found.append(Planned("relation", line, ledger.numbers[line] + k, values=(decides, a, b), env=env))
    return found


def widening(slack: Value, pair: tuple[Node, ...], place: Place, alone: bool) -> None:
    """The slack doesn't fall when the larger number grows or the smaller one falls; alone: all else is known."""
    if isinstance(slack, Fraction):
        return
    if not isinstance(slack, Node):
        raise TypeError(DEFECT)
    factors = zip(slack.extra[1], slack.args, strict=True) if slack.op == "linear" else [(1, slack)]
    letters = pair[0].deps | pair[1].deps
    for factor, v in factors:
        if v in pair:
            fits = factor <= 0 if v is pair[0] else factor >= 0
        else:
            fits = not alone and not isinstance(v, Fraction) and not v.deps & letters
        if not fits:
            raise Refused(
                place,
                "this may hold of neighbours and not of all pairs: the larger side less the smaller one, affine in"
                " both with known factors, must not fall when the second grows, nor when the first falls",
            )


def acts(code: Code, ledger: Ledger, plans: tuple[Planned, ...]) -> list[Act]:
    return [act(code, ledger, plan) for plan in plans]


def act(code: Code, ledger: Ledger, plan: Planned) -> Act:
    if code.of_zone and (many := code.of_zone(plan)):
        return many  # type: ignore[no-any-return]
    if plan.op == "relation":
        return relation_act(code, ledger, plan)
    if plan.op == "across":
        values, into = code.get(plan.values[0]), ledger.collected(plan.line, code.D)

        def collect(f: Frame) -> None:
            rank = ledger.ranks[0] if ledger.ranks else 0
            into.extend([v * RANKS + rank for v in values(f)])

        return collect
    if plan.op == "look":
        return code.get(plan.when)
    if plan.op == "all":
        return all_act(code, ledger, plan)
    block = acts(code, ledger, plan.block)
    if plan.op == "if":
        condition = code.get(plan.when)

        def guarded(f: Frame) -> None:
            if condition(f):
                for one in block:
                    one(f)

        return guarded
    if plan.op == "for":
        run = code.run(plan.letters[0], plan.values, plan.line.place)

        def looped(f: Frame) -> None:
            def step() -> None:
                for one in block:
                    one(f)

            run(f, step)

        return looped
    numbers, slots = code.get(plan.values[0]), [code.letter(letter) for letter in plan.letters]
    dependent = [code.dependent[letter] for letter in plan.letters]

    def within(f: Frame) -> None:
        for pair in neighbours(numbers(f)):
            for slot, value, slots_ in zip(slots, pair, dependent, strict=True):
                f[slot] = value
                for one in slots_:
                    f[one] = None
            for each in block:
                each(f)

    return within


def all_act(code: Code, ledger: Ledger, plan: Planned) -> Act:
    """The relations of a block about all real numbers: each once, where it fails or is tightest."""
    letters = [(code.letter(letter), code.dependent[letter]) for letter in plan.letters]
    many, condition, block, D = how_many(plan.block), code.get(plan.when), collecting(code, ledger, plan.block), code.D

    def everywhere(f: Frame) -> None:
        def look(numbers: list[Runtime]) -> list[tuple[Path, Made]]:
            code.budget.spend(1000 + 30 * (many + sum(len(slots) for _, slots in letters)))
            for (slot, slots), number in zip(letters, numbers, strict=True):
                f[slot] = number
                for one in slots:
                    f[one] = None
            found = list[tuple[Path, Made]]()
            if condition(f):
                block(f, (), found)
            return found

        for found in relations(len(letters), D, look, plan.line.place):
            one = tightest(found, ledger.signs[found[0][1].sign].sign in EDGES, D)
            k, sides = one.made.sign, partial(sides_at, one.made, D, one.numbers)
            ledger.made[k] += 1
            if not one.made.holds:
                ledger.fails(k, sides)
            elif one.slack is not None:
                ledger.holds(k, one.slack, sides, one.side)

    return everywhere


def sides_at(made: Made, D: int, numbers: tuple[Fraction, ...]) -> Sides:
    letters = {name: value_at(v, D, numbers) for name, v in made.letters.items()}
    return value_at(made.left, D, numbers), value_at(made.right, D, numbers), letters


def how_many(plans: tuple[Planned, ...]) -> int:
    return sum(1 + how_many(plan.block) for plan in plans)


Collecting = Callable[[Frame, Path, list[tuple[Path, Made]]], None]


def collecting(code: Code, ledger: Ledger, plans: tuple[Planned, ...]) -> Collecting:
    """Makes the relations of a block in a box; each is known by its path: which line, which turn of a loop, ..."""
    todo = [one_collecting(code, ledger, plan) for plan in plans]

    def collect(f: Frame, path: Path, into: list[tuple[Path, Made]]) -> None:
        for k, one in enumerate(todo):
            one(f, (*path, k), into)

    return collect


def one_collecting(code: Code, ledger: Ledger, plan: Planned) -> Collecting:
    if plan.op == "relation":
        decides, left, right = (code.get(v) for v in plan.values)
        k, sign = plan.sign, ledger.signs[plan.sign].sign
        letters = [(name, code.get(v)) for name, v in plan.env.items()]

        def make(f: Frame, path: Path, into: list[tuple[Path, Made]]) -> None:
            found = decides(f)
            holds = found > 0 if sign in STRICT else found >= 0 if sign in EDGES else found
            told = {name: get(f) for name, get in letters}
            into.append((path, Made(k, holds, found, left(f), right(f), told)))

        return make
    if plan.op == "look":
        look = code.get(plan.when)
        return lambda f, path, into: look(f)  # noqa: ARG005
    block = collecting(code, ledger, plan.block)
    if plan.op == "if":
        condition = code.get(plan.when)

        def guarded(f: Frame, path: Path, into: list[tuple[Path, Made]]) -> None:
            if condition(f):
                block(f, path, into)

        return guarded
    run = code.run(plan.letters[0], plan.values, plan.line.place)

    def looped(f: Frame, path: Path, into: list[tuple[Path, Made]]) -> None:
        turns = count()
        run(f, lambda: block(f, (*path, next(turns)), into))

    return looped


def relation_act(code: Code, ledger: Ledger, plan: Planned) -> Act:
    decides, left, right = (code.get(v) for v in plan.values)
    k, D, made = plan.sign, code.D, ledger.made
    letters = [(name, None if is_known(v) else code.get(v), v) for name, v in plan.env.items()]

    def sides(f: Frame) -> Sides:
        told = {name: plain(v) if get is None else exact(get(f), D) for name, get, v in letters}
        return exact(left(f), D), exact(right(f), D), told

    if ledger.signs[k].sign not in EDGES:

        def same(f: Frame) -> None:
            made[k] += 1
            if not decides(f):
                ledger.fails(k, lambda: sides(f))

        def recognises(f: Frame) -> None:
            same(f)
            ledger.answered(k, (bool(left(f)), bool(right(f))), lambda: sides(f))

        return recognises if k in ledger.answers else same
    strict = ledger.signs[k].sign in STRICT
    best: list[int | None] = [None]

    def ordered(f: Frame) -> None:
        made[k] += 1
        slack = decides(f)
        known = best[0]
        if known is not None and slack > known:
            return
        if slack < 0 or (strict and slack == 0):
            ledger.fails(k, lambda: sides(f))
        elif known is None or slack < known or len(ledger.ranks) == 2:
            best[0] = slack
            ledger.holds(k, Fraction(slack, D), lambda: sides(f))

    return ordered


def across(stage: Stage, ledger: Ledger, line: Line) -> None:
    """The relations of neighbours of different cases, when all were seen."""
    letters = two_letters(stage, line.place)
    env = dict(zip(line.letters, letters, strict=True))
    plans = planned(stage, ledger, line.block, env, letters)
    lists = ledger.across.get(line, [])
    D = lcm(stage.graph.unit, *(d for d, _ in lists))
    found = sorted([key + (D // d - 1) * (key - key % RANKS) for d, keys in lists for key in keys])
    code = Code(D, stage.run.budget)
    slots = [code.letter(letter) for letter in (stage.level - 1, stage.level)]
    lines = acts(code, ledger, plans)
    for one, other in pairwise(found):
        (a, i), (b, j) = divmod(one, RANKS), divmod(other, RANKS)
        if i != j:
            stage.run.budget.spend(1 + code.slots)
            ledger.ranks, frame = (i, j) if i < j else (j, i), code.frame()
            frame[slots[0]], frame[slots[1]] = a, b
            for line_ in lines:
                line_(frame)

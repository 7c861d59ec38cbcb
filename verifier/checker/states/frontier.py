"""All words of a length by their states, place by place.

What later places read of a prefix is a tuple of numbers and truths, its *state*: the values of those nodes up to this
place that a later node or test reads, and whether a relation has failed. Functions of equal numbers are equal. So
whatever later places find out for one prefix they find out for each with the same state; and of a word through it the
rank is the prefix's rank times the number of rests, and the rest's rank. Counts are sums, a least slack and a first
failure are least by (slack, rank) or by rank. So of all prefixes with one state it is enough to know how many they
are, and the first one's rank.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from operator import mul
from typing import Any, NamedTuple

from ..page.numbers import Exact, floor_of
from ..page.words import Budget
from .claims import LOOKED, Test
from .nodes import DO, Form, Node, Truth, level_of, nodes_of

State = tuple[Any, ...]
Values = list[Any]
MOST_KEPT = 10_000_000  # machine words in all states of a place


class Diverges(Exception):
    """There are nearly as many states as words: case by case is as quick."""


@dataclass(slots=True)
class Tally:
    """Of a relation: how often made, the least slack with its rank, the rank of the first failure, the answers of a
    `recognises` with the first rank of each."""

    made: int = 0
    least: tuple[Exact, int] | None = None
    first: int | None = None
    answers: Counter[tuple[bool, bool]] = field(default_factory=Counter)
    wrong: dict[tuple[bool, bool], int] = field(default_factory=dict)


@dataclass(slots=True)
class Outcome:
    """Of a claim, in some words."""

    tallies: dict[int, Tally]  # of the signs of its relations
    cases: int = 0
    failing: int = 0
    refused: int | None = None  # the rank of the first word that isn't read
    states: int = 0


class Check(NamedTuple):
    """A test at a place: the slots of its guard, of its value and sides. A slack is factor * value + const, and holds
    if the value, with the factor's sign, is at least `least`."""

    sign: int
    guard: int
    value: int
    sides: tuple[int, ...]
    least: int | None
    factor: Exact
    const: Exact


class Stage(NamedTuple):
    """A place: of which slots the state before it is, what is computed, and of which slots the one after it is."""

    blank: Values  # of the slots that aren't the state's
    entries: tuple[int, ...]  # the slots of the letter
    steps: list[Callable[[Values], None]]
    checks: list[Check]
    about: int | None  # the slot of what says whether the claim is about the word
    failed: int | None  # the slot of whether a relation has failed
    last: bool  # no relation is made later
    keep: tuple[int, ...]
    most: int  # so many states at most

    def work(self) -> int:
        """Steps for a state and a letter."""
        return len(self.steps) + len(self.checks) + len(self.keep) // 4 + 5


class Frontier:
    """A claim on words of one length. `letters`: for each place the values of the entries of each letter."""

    def __init__(
        self,
        about: Truth,
        tests: Sequence[Test],
        entries: Sequence[Sequence[Node]],
        letters: Sequence[Sequence[Sequence[int]]],
        start: int,
    ) -> None:
        self.letters, self.start, self.signs = letters, start, {test.sign for test in tests} - {LOOKED}
        values = [(test, node_or_truth(test.value), level_of((test.guard, test.value, *test.sides))) for test in tests]
        live = needed([about, *(v for test in tests for v in (test.guard, test.value, *test.sides))])
        read_last = dict.fromkeys(live, 0)  # the last place at which each is read
        for n in live:
            for a in n.args:
                read_last[a] = max(read_last[a], n.level)
        for test, _, place in values:
            for n in needed_by(test):
                read_last[n] = max(read_last[n], place)
        made = [place for test, _, place in values if test.sign != LOOKED]
        self.stages: list[Stage] = []
        before: list[object] = []
        for place in range(len(letters)):
            slots = Slots(before, place)
            entry_slots = tuple(slots.of(n) for n in entries[place])
            steps = [step(n, slots) for n in live if n.level == place and n.op not in ("const", "in")]
            checks = [check(test, value, slots) for test, value, at in values if at == place]
            relations = [one for one in checks if one.sign != LOOKED]
            failed = slots.of(FAILED) if relations else None
            about_slot = slots.of(about) if level_of((about,)) == place else None
            after: list[object] = [n for n in live if n.op != "const" and n.level <= place < read_last[n]]
            after += [FAILED] if made and min(made) <= place < max(made) else []
            keep = tuple(slots.of(key) for key in after)
            last = bool(made) and max(made) == place
            words = sum(2 + key.hi.bit_length() // 64 for key in after if isinstance(key, Node)) + 4
            most = MOST_KEPT // words
            stage = Stage(slots.values, entry_slots, steps, checks, about_slot, failed, last, keep, most)
            self.stages.append(stage)
            before = after

    def run(self, chosen: Sequence[Sequence[int]], budget: Budget) -> Outcome:
        """Of the words with these letters, increasing places in the sets."""
        found = Outcome({sign: Tally() for sign in self.signs})
        words, rank, rests = 1, self.start, 1
        ranked = list[list[tuple[int, Sequence[int]]]]()  # of each place: how much further than the first, the letter
        for letters, ks in zip(reversed(self.letters), reversed(chosen), strict=True):
            ranked.append([((k - ks[0]) * rests, letters[k]) for k in ks])
            words, rank, rests = words * len(ks), rank + ks[0] * rests, rests * len(letters)
        states: dict[State, tuple[int, int]] = {(): (1, rank)}
        prefixes, widths = 1, [len(letters) for letters in reversed(ranked)]
        for place, (stage, further) in enumerate(zip(self.stages, reversed(ranked), strict=True)):
            prefixes, words = prefixes * len(further), words // len(further)
            work = len(states) * sum(
                many * stage.work() for many, stage in zip(widths[place:], self.stages[place:], strict=True)
            )
            grows = len(states) > 200 and 4 * len(states) * len(further) > 3 * prefixes
            if work > budget.left or (grows and work * words > budget.left) or stage.most < len(states):
                raise Diverges(f"{len(states):,} states of {prefixes:,} prefixes at place {place}")
            budget.spend(len(states) * len(further) * stage.work())
            states = self.next(stage, states, further, words, found)
            found.states = max(found.states, len(states))
        return found

    @staticmethod
    def next(
        stage: Stage,
        states: dict[State, tuple[int, int]],
        letters: list[tuple[int, Sequence[int]]],
        words: int,
        found: Outcome,
    ) -> dict[State, tuple[int, int]]:
        """The states after a place; what is known there of the words is counted."""
        new: dict[State, tuple[int, int]] = {}
        blank, entries, steps, checks, about, failed, last, keep, _ = stage
        for state, (many, first) in states.items():
            for further, letter in letters:
                v, rank, count = [*state, *blank], first + further, many * words
                for slot, x in zip(entries, letter, strict=True):
                    v[slot] = x
                for one in steps:
                    one(v)
                for check_ in checks:
                    if v[check_.guard]:
                        made(check_, v, rank, count, found, failed)
                if about is not None and v[about]:
                    found.cases += count
                if last and v[failed]:  # type: ignore[index]
                    found.failing += count
                after = tuple([v[k] for k in keep])
                old = new.get(after)
                new[after] = (many, rank) if old is None else (old[0] + many, min(old[1], rank))
            if len(new) > stage.most:
                raise Diverges(f"more than {stage.most:,} states at a place")
        return new


def made(check: Check, v: Values, rank: int, count: int, found: Outcome, failed: int | None) -> None:
    """A relation, of as many words; the first of them has this rank."""
    x = v[check.value]
    if check.sign == LOOKED:
        if not x and (found.refused is None or rank < found.refused):
            found.refused = rank
        return
    tally = found.tallies[check.sign]
    tally.made += count
    if check.least is None:
        holds = x
    else:
        holds = (x if check.factor > 0 else -x) >= check.least
        if holds:
            slack = check.const + check.factor * x
            if tally.least is None or (slack, rank) < tally.least:
                tally.least = slack, rank
    if check.sides:
        answer = bool(v[check.sides[0]]), bool(v[check.sides[1]])
        tally.answers[answer] += count
        tally.wrong[answer] = min(rank, tally.wrong.get(answer, rank))
    if not holds:
        v[failed] = True  # type: ignore[index]
        tally.first = rank if tally.first is None else min(rank, tally.first)


# How a place is laid out
FAILED = "failed"


class Slots:
    """The slots of a place: first those of the state before it."""

    def __init__(self, before: list[object], place: int) -> None:
        self.place = place
        self.slots: dict[object, int] = {key: k for k, key in enumerate(before)}
        self.values: Values = []

    def of(self, key: object) -> int:
        """Of a node, a truth or a number that is known, or FAILED."""
        known = not isinstance(key, Node | str)
        name = (type(key), key) if known else key
        if name not in self.slots:
            if isinstance(key, Node) and key.op != "const" and key.level != self.place:
                raise RuntimeError("a state without a number that is read later")
            self.slots[name] = len(self.slots)
            value = key if known else key.lo if isinstance(key, Node) and key.op == "const" else False
            self.values.append(value)
        return self.slots[name]


def step(n: Node, slots: Slots) -> Callable[[Values], None]:
    args, at = [slots.of(a) for a in n.args], slots.of(n)
    if n.op == "sum":
        return sum_step(at, args, n.extra)
    do = DO[n.op]
    more = () if n.extra is None else n.extra if isinstance(n.extra, tuple) else (n.extra,)
    if len(args) == 1 and not more:
        a = args[0]

        def one(v: Values) -> None:
            v[at] = do(v[a])

        return one
    if len(args) + len(more) == 2:
        a, b = args[0], args[-1]
        if more:
            k = more[0]

            def with_known(v: Values) -> None:
                v[at] = do(v[a], k)

            return with_known

        def two(v: Values) -> None:
            v[at] = do(v[a], v[b])

        return two

    if n.op in ("choose", "if"):
        c, a, b = args

        def chosen(v: Values) -> None:
            v[at] = v[a] if v[c] else v[b]

        return chosen

    def several(v: Values) -> None:
        v[at] = do(*[v[a] for a in args], *more)

    return several


def sum_step(at: int, args: list[int], factors: tuple[int, ...]) -> Callable[[Values], None]:
    if len(args) == 2:
        (a, b), (k, l) = args, factors

        def two(v: Values) -> None:
            v[at] = k * v[a] + l * v[b]

        return two

    def several(v: Values) -> None:
        v[at] = sum(map(mul, factors, [v[a] for a in args]))

    return several


def node_or_truth(v: Any) -> Any:
    return v.node if isinstance(v, Form) else v


def check(test: Test, value: Any, slots: Slots) -> Check:
    factor: Exact = 1
    const: Exact = 0
    least = None
    if isinstance(test.value, Form):  # factor * x + const is above 0, or not below
        factor, const = test.value.factor, test.value.const
        size = factor if factor > 0 else -factor
        least = floor_of(-const, size) + 1 if test.strict else -floor_of(const, size)
    elif test.inequality:  # a number: x is 1
        holds = test.value > 0 if test.strict else test.value >= 0
        value, factor, least = 1, test.value, -1 if holds else 2
    slot = slots.of(value)
    return Check(test.sign, slots.of(test.guard), slot, tuple(slots.of(s) for s in test.sides), least, factor, const)


def needed_by(test: Test) -> list[Node]:
    return [n for v in (test.guard, test.value, *test.sides) for n in nodes_of(v)]


def needed(values: Iterable[Any]) -> list[Node]:
    """All nodes that these need, each after those that it needs itself."""
    found, todo = set[Node](), [n for v in values for n in nodes_of(v)]
    while todo:
        n = todo.pop()
        if n not in found:
            found.add(n)
            todo += n.args
    return sorted(found, key=lambda n: n.key[1])

"""What is remembered of a word's letters before a position, or after it: a part is a start, and a step that makes, of
what was remembered and of what is so at one more position, what is remembered then. Nothing else of the letters on
that side is looked at, so words that are remembered alike go on alike.

What is so at a position is a row: plain data for each position of a word (words.py).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from ..page.evaluate import Body, Case, Code, Frame
from ..page.networks import nothing
from ..page.numbers import NotAffine
from ..page.tree import Read
from ..page.values import List, number
from ..page.words import Refused
from .reading import MARK, Data, data, kept, value


@dataclass
class Part:
    """`after`: it remembers what stands after a position, and so is stepped from the end. `rows` are the keys of what
    its step looks at."""

    after: bool
    rows: tuple[str, ...] = ()
    start: Data = ()
    at_zero: tuple[str, ...] = ()  # rows that are so before the first position
    asking: list[Data] = field(default_factory=list)  # of a read: all who ask, in the words at hand
    begun: bool = False

    def begin(self, zero: tuple[Data, ...]) -> None:
        """Where a list begins at 0, its first item is remembered from the start."""
        self.start = zero

    def step(self, before: Data, here: tuple[Data, ...]) -> Data:
        raise NotImplementedError


@dataclass
class Many(Part):
    """How many positions there are, up to `most`."""

    most: int = 1

    def begin(self, zero: tuple[Data, ...]) -> None:  # noqa: ARG002
        self.start = 0

    def step(self, before: Data, here: tuple[Data, ...]) -> Data:  # noqa: ARG002
        return min(before + 1, self.most)


@dataclass
class Residue(Part):
    """How many positions there are, mod `by`."""

    by: int = 2

    def begin(self, zero: tuple[Data, ...]) -> None:  # noqa: ARG002
        self.start = 0

    def step(self, before: Data, here: tuple[Data, ...]) -> Data:  # noqa: ARG002
        return (before + 1) % self.by


@dataclass
class Nearest(Part):
    """What is so at the last `most` positions, the nearest one last."""

    most: int = 1

    def step(self, before: Data, here: tuple[Data, ...]) -> Data:
        return (*before, here[0])[-self.most :]


@dataclass
class Farthest(Part):
    """What is so at the first position before, or at the last one after."""

    def step(self, before: Data, here: tuple[Data, ...]) -> Data:
        return before or (here[0],)


class Idle(NamedTuple):
    """A position adds nothing if its own row has this truth, or if a loop inside has met it."""

    own: int
    loop: int
    truth: int


BETWEEN, LEFT, RIGHT = "between", "left of j", "right of j"


class Loop(NamedTuple):
    """Of a loop inside, through positions k: its rows, where k is, and by what a k adds nothing."""

    rows: tuple[str, ...]
    where: str
    idle: tuple[Idle, ...]

    def near(self, *, after: bool) -> bool:
        """Whether, for a j on this side, k stands between j and here."""
        return self.where in (BETWEEN, LEFT if after else RIGHT)

    def far(self, *, after: bool) -> bool:
        return self.where == (RIGHT if after else LEFT)

    def seen(self, here: tuple[Data, ...]) -> frozenset[Data]:
        return frozenset() if adds_nothing(self.idle, here, (), ()) else frozenset((here,))


@dataclass
class Others(Part):
    """Which k there are, of a loop inside that goes on to the other side."""

    loop: Loop = None  # type: ignore[assignment]

    def begin(self, zero: tuple[Data, ...]) -> None:  # noqa: ARG002
        self.start = frozenset[Data]()

    def step(self, before: Data, here: tuple[Data, ...]) -> Data:
        return before | self.loop.seen(here)


@dataclass
class Occurring(Part):
    """Which positions there are, as far as `any`, `all` and the like can tell: what their `own` rows say, each kind
    counted up to `most`; and of each loop inside what its rows say of the k between it and here, or beyond it."""

    own: int = 0
    loops: tuple[Loop, ...] = ()
    most: int = 1
    idle: tuple[Idle, ...] = ()
    defined: tuple[bool, ...] = ()  # of which loops all rows are truths wherever they are looked at, in all words

    def begin(self, zero: tuple[Data, ...]) -> None:
        none = (frozenset[Data](),) * len(self.loops)
        kinds = {(zero, none): 1} if self.at_zero else {}
        self.start = self.kept(kinds), none  # kinds of positions, with how many of each; all that k may be, beyond

    def step(self, before: Data, here: tuple[Data, ...]) -> Data:
        kinds, every = before
        at, seen = self.own, list[frozenset[Data]]()
        for loop in self.loops:
            seen.append(loop.seen(here[at : at + len(loop.rows)]))
            at += len(loop.rows)
        near = [loop.near(after=self.after) for loop in self.loops]
        far = [loop.far(after=self.after) for loop in self.loops]
        found: dict[Data, int] = {(here[: self.own], every): 1}
        for (own, met), many in kinds:
            kind = own, joined(met, seen, near)
            found[kind] = found.get(kind, 0) + many
        return self.kept(found), joined(every, seen, far)

    def kept(self, kinds: dict[Data, int]) -> Data:
        left = [one for one in kinds.items() if not adds_nothing(self.idle, *one[0], self.defined)]  # type: ignore[call-arg]
        return frozenset([(kind, min(many, self.most)) for kind, many in left])


def adds_nothing(
    tests: tuple[Idle, ...], own: tuple[Data, ...], met: tuple[frozenset[Data], ...], defined: tuple[bool, ...]
) -> bool:
    """From left to right, as far as all is defined, and stays so whatever comes."""
    for one in tests:
        if one.own >= 0:
            if own[one.own] == ("truth", one.truth):
                return True
            if own[one.own] != ("truth", 1 - one.truth):
                return False
        elif not defined[one.loop]:
            return False
        elif (("truth", one.truth),) in met[one.loop]:
            return True
    return False


def joined(sets: Data, others: list[frozenset[Data]], which: list[bool]) -> tuple[frozenset[Data], ...]:
    return tuple([one | other if wanted else one for one, other, wanted in zip(sets, others, which, strict=True)])


@dataclass
class Chosen(Part):
    """Of each kind of position (all rows but the last one) what the last row says at the nearest one, or the farthest.
    Kinds stand in the order of these positions, the farthest first."""

    nearest: bool = True

    def step(self, before: Data, here: tuple[Data, ...]) -> Data:
        *own, item = here
        kind = tuple(own)
        if not self.nearest and any(one == kind for one, _ in before):
            return before
        return (*[one for one in before if one[0] != kind], (kind, item))


@dataclass
class Head:
    """A read of a layer, as functions of a frame: i asks, j is read."""

    read: Read
    body: Body  # of the layer, whose frame it is
    arguments: tuple[object, ...]  # of the layer
    i: int  # places in the frame
    j: int
    lines: tuple[int, ...]  # of the lines before
    mask: Callable[[Frame], bool] | None
    score: Code
    value: Code
    case: Case  # none at all
    asks: bool = True  # whether who asks matters
    of_i: frozenset[int] | None = None  # which entries are looked at, of the token that asks; all
    of_j: frozenset[int] | None = None  # of the one that is read

    def frame(self, tokens: dict[int, Data], i: int, asks: Data, j: int) -> Frame:
        """Of a token i that asks and a token j that is read, which stand in this order."""
        roles = {1: i}
        own, *lines = asks or (next(iter(tokens.values())),)
        listed = [value(tokens.get(k, own), {1: k}) for k in range(1, 4)]
        listed[i - 1] = value(own, roles)
        e = self.body.frame(self.case, List(listed), i, *self.arguments)
        for place, line in zip(self.lines, lines, strict=bool(asks)):
            e[place] = value(line, roles)
        e[self.j] = j
        return e


def entries(token: Data, which: frozenset[int] | None) -> Data:
    """Of a token what is looked at, and 0 for the rest."""
    if which is None or token[1] != 1:
        return token
    return (*token[:2], *[v if k in which else 0 for k, v in enumerate(token[2:], 1)])


ASKS, READ = 1, 2  # the parts that places play in what is remembered of a read


@dataclass
class Best(Part):
    """Of a read: for each token that may ask (with the layer's lines so far) the largest score so far, and what is
    read there."""

    head: Head = None  # type: ignore[assignment]
    known: dict[Data, Data] = field(default_factory=dict)

    def begin(self, zero: tuple[Data, ...]) -> None:  # noqa: ARG002
        self.known, self.start = {}, tuple([None] * len(self.asking))

    def step(self, before: Data, here: tuple[Data, ...]) -> Data:
        token = entries(here[0], self.head.of_j)
        return tuple([self.better(asks, best, token) for asks, best in zip(self.asking, before, strict=True)])

    def better(self, asks: Data, best: Data, token: Data) -> Data:
        key = asks, best, token
        if key not in self.known:
            try:
                self.known[key] = self.better_of(asks, best, token)
            except (Refused, NotAffine):
                self.known[key] = MARK
        return self.known[key]

    def better_of(self, asks: Data, best: Data, token: Data) -> Data:
        """The new token stands between those before it and the one that asks."""
        if best == MARK:
            return MARK
        i, old, head = (1, 3, self.head) if self.after else (3, 1, self.head)
        e = head.frame({2: token}, i, asks, 2)
        if head.mask and not head.mask(e):
            return best
        score, roles = number(head.score(e), head.read.score.place), {i: ASKS, 2: READ}
        new = data(score, roles), kept(head.value, e, roles)
        if best is None:
            return new
        was, read = best
        than = value(was, {ASKS: i, READ: old})
        if score > than:  # type: ignore[operator]
            return new
        if score < than:  # type: ignore[operator]
            return best
        if head.read.tie == "average":
            if new[1] == read and not placed_at(read, READ):
                return best
            return was, DIFFERENT
        return new if (head.read.tie == "leftmost") == self.after else best


DIFFERENT = ("different values",)


def placed_at(d: Data, role: int) -> bool:
    """Does this say where a letter stands?"""
    if type(d) is tuple and d[:1] == ("placed",):
        return any(one == role for one, _ in d[3])
    return type(d) is tuple and any(placed_at(item, role) for item in d)


@dataclass
class First(Part):
    """Of a read that may read nothing, and has no `else`: what nothing is, by the first token."""

    head: Head = None  # type: ignore[assignment]

    def step(self, before: Data, here: tuple[Data, ...]) -> Data:
        if before:
            return before
        place = self.head.read.value.place
        of, token = lambda e: nothing(self.head.value(e), place), entries(here[0], self.head.of_j)
        return tuple([kept(of, self.head.frame({1: token}, 2, asks, 1)) for asks in self.asking]) or ("none",)

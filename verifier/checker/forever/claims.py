"""The lines of a claim, about a word: which streams they look at (streams.py), and whether their relations hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from ..page.evaluate import Frame, Scope
from ..page.tree import Claim, Line, Tree
from ..page.values import compare
from .parts import Many
from .reading import NotShown
from .streams import END, KNOWN, At, Streams

Given = dict[str, Tree]
Act = Callable[[Frame], None]


class Fails(Exception):
    """A relation fails."""

    def __init__(self, line: Line) -> None:
        super().__init__(line)
        self.line = line


@dataclass
class Lines:
    streams: Streams
    scope: Scope = field(default_factory=Scope)
    made: int = 0

    def of(self, claim: Claim) -> Act:
        """The claim, of a case: Fails, or nothing."""
        at = self.at(claim.lines, {})
        if at == END:
            self.streams.add(Many(after=True, most=1), 1)  # the last step is told from the others
        act = self.all_of(claim.lines, {}, at, self.scope)
        return self.guarded(claim.when, act, {}, at, self.scope)

    def at(self, lines: Iterable[Line], given: Given) -> str:
        """What is said of the whole word is looked at in its last step; beside what is said of each position, in each
        step."""
        return "" if any(self.through_positions(line, given) for line in lines) else END

    def through_positions(self, line: Line, given: Given) -> bool:
        names = {
            name: Tree("name", line.place, word=self.streams.letter(name))
            for name in line.letters
            if isinstance(name, str)
        }
        if line.reach and not self.streams.known(self.streams.written_out(line.reach, given)):
            return True
        return any(self.through_positions(one, given | names) for one in line.block)

    def all_of(self, lines: Iterable[Line], given: Given, at: str, scope: Scope) -> Act:
        acts = [self.line(line, given, at, scope) for line in lines]

        def act(e: Frame) -> None:
            for one in acts:
                one(e)

        return act

    def guarded(self, when: Tree | None, inner: Act, given: Given, at: str, scope: Scope) -> Act:
        if when is None:
            return inner
        written = self.streams.written_out(when, given)
        self.streams.of(written, at)
        passes = self.streams.reading.truth(written, scope)

        def act(e: Frame) -> None:
            if passes(e):
                inner(e)

        return act

    def line(self, line: Line, given: Given, at: str, scope: Scope) -> Act:
        if line.op == "relation":
            return self.relation(line, given, at, scope)
        if line.op == "if":
            return self.guarded(line.when, self.all_of(line.block, given, at, scope), given, at, scope)
        if line.op != "for" or line.reach is None:
            raise NotShown(line.place, f"`{'for all' if line.op == 'all' else line.op}`")
        return self.loop(line, line.reach, given, at, scope)

    def relation(self, line: Line, given: Given, at: str, scope: Scope) -> Act:
        streams = self.streams
        sides = [streams.written_out(side, given) for side in line.sides]
        for tree in sides if line.signs[0] in ("iff", "recognises") else [compared(line, sides)]:
            streams.of(tree, at)
        codes = [streams.reading.of(side, scope) for side in sides]
        signs = list(zip(line.signs, line.starts, strict=False))

        def act(e: Frame) -> None:
            values = [code(e) for code in codes]
            for (sign, place), (a, b) in zip(signs, pairwise(values), strict=True):
                self.made += 1
                if not compare(sign, a, b, place):
                    raise Fails(line)

        return act

    def loop(self, line: Line, reach: Tree, given: Given, at: str, scope: Scope) -> Act:
        """Through known items, or through the positions of the word."""
        streams, name = self.streams, line.letters[0]
        letter, written = streams.letter(name), streams.written_out(reach, given)
        inner = scope.plus(letter)
        stands = Tree("name", line.place, word=letter)
        if streams.known(written):
            given = given | {name: stands}
        else:
            if at:  # a letter: beside a loop through positions there is no END
                raise NotShown(line.place, "a loop in a loop, through positions")
            at = letter
            streams.places.add(letter)
            if streams.whole(written):
                given = given | {name: Tree("index", line.place, (written, stands))}
                written = streams.through(written).reach  # type: ignore[assignment]
            else:
                given = given | {name: stands}
            self.positions(line, written, stands)
        turns, one = streams.reading.turns(written, scope), self.all_of(line.block, given, at, inner)
        one, k = self.guarded(line.when, one, given, at, inner), inner.letters[letter]

        def act(e: Frame) -> None:
            for e[k] in turns(e):  # noqa: B020 - e is a frame
                one(e)

        return act

    def positions(self, line: Line, reach: Tree, stands: Tree) -> None:
        """a..m - b, a at least 1."""
        low, high = [self.streams.position(end) for end in reach.parts] if reach.op == "range" else (None, None)
        if low is None or high is None or low.base != KNOWN or low.more < 1 or high.base != END or high.more > 0:
            raise NotShown(line.place, "a loop that isn't through positions, from a known one on to the end")
        for sign, end, whole in ((">=", reach.parts[0], At(KNOWN, 1)), ("<=", reach.parts[1], At(END, 0))):
            if self.streams.position(end) != whole:
                self.streams.of(Tree("compare", line.place, (stands, end), signs=(sign,)), stands.word)


def compared(line: Line, sides: list[Tree]) -> Tree:
    return Tree("compare", line.place, tuple(sides), signs=line.signs)

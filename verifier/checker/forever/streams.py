"""Of a claim: what must be remembered on both sides of a position, so that all that the claim looks at there follows.

The page is gone through, expression by expression. At one position an expression follows from its parts; a list of the
whole word is looked at there, or at a few other places, or by `any`, `all` and the like; a layer's tokens follow from
what its reads remember. Whatever else there is is refused: nothing is shown of it. No value is made here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import count, pairwise
from typing import NamedTuple, NoReturn

from ..page.evaluate import LENGTH, Body, Case, Code, Frame, Scope
from ..page.networks import TOKENS, Networks
from ..page.tree import Define, Layer, Line, Page, Read, Tree
from ..page.tree import Part as Piece
from ..page.values import Value
from ..page.words import Place, Refused
from .parts import (
    BETWEEN,
    LEFT,
    RIGHT,
    Best,
    Chosen,
    Farthest,
    First,
    Head,
    Idle,
    Loop,
    Many,
    Nearest,
    Occurring,
    Others,
    Part,
    Residue,
)
from .reading import NotShown, Reading

END, KNOWN = "the end", "a known number"
GENERIC = frozenset(("|", "+", "*", "^", "compare", "and", "or", "not", "iff", "if", "index", "list", "call"))
OF_KINDS = frozenset(("any", "all", "max", "min", "distinct"))  # of how often something occurs they know nothing
COUNTS = frozenset(("count", "len"))


class At(NamedTuple):
    """A position as it is written: a letter or END, and so many further; or a known number."""

    base: str
    more: int


@dataclass
class Whole:
    """A list with an item for each position, `low` its first index; while its own definition is read, `busy`."""

    tree: Tree
    low: int = 1
    busy: bool = False


@dataclass
class Row:
    """What is so at each position: an expression of one letter."""

    tree: Tree
    letter: str
    code: Code
    body: Body


class Step(NamedTuple):
    """A line of a layer: its place in the frame, what it is, of a read its pieces, and the row of who asks there."""

    at: int
    code: Code
    head: Head | None
    asks: str


@dataclass
class Made:
    """A layer at its arguments."""

    layer: Layer
    arguments: tuple[Value, ...]
    body: Body
    i: int
    lines: list[Step]
    new: Code


@dataclass
class Stack:
    """A network on the tokens of a word. `rows` are those of its tokens, the given ones first."""

    tree: Tree
    given: Callable[[Case], Value]
    made: Callable[[Case], Value]
    arguments: list[Value] = field(default_factory=list)
    layers: list[Made] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)


@dataclass
class Kinds:
    """What is asked of positions, letter by letter, while the body of an `any` is read: of j, and of k beside it."""

    j: str
    at: str
    own: dict[str, None] = field(default_factory=dict)  # keys of rows
    loops: list[Loop] = field(default_factory=list)  # inside
    other: dict[str, None] = field(default_factory=dict)  # keys of the rows of the one that is read
    simple: dict[int, int] = field(default_factory=dict)  # loops whose body is one row, by their ids
    k: str = ""


class Streams:
    def __init__(self, page: Page, reading: Reading, networks: Networks, variable: str) -> None:
        self.page, self.reading, self.networks, self.variable = page, reading, networks, variable
        self.fresh, self.places, self.kept_alive = count(1), set[str](), list[Tree]()
        self.parts: dict[str, Part] = {}  # in an order in which each looks only at what those before it decide
        self.rows: dict[str, Row] = {}
        self.stacks: dict[str, Stack] = {}
        self.wholes: dict[str, Whole | None] = {}
        self.scalars, self.bodies, self.dependent = set[tuple[str, str]](), dict[str, Tree](), dict[str, bool]()

    # functions are written out, and every bound letter is made one of its own
    def written_out(self, tree: Tree, given: dict[str, Tree]) -> Tree:
        if tree.op == "name":
            return given.get(tree.word, tree)
        if tree.op == "call" and tree.word in self.page.defines:
            define = self.page.defines[tree.word]
            arguments = [self.written_out(part, given) for part in tree.parts]
            letters = define.letters or ()
            return self.written_out(define.items[0].body, dict(zip(letters, arguments, strict=True)))
        if tree.op == "each":
            if tree.over or tree.reach is None:
                self.refuse(tree, "a loop over inputs")
            letter, reach = self.letter(tree.word), self.written_out(tree.reach, given)
            item = name = Tree("name", tree.place, word=letter)
            if reach.op == "name" and reach.word in self.reading.variables:  # `E for a in w`, by positions
                item = Tree("index", reach.place, (reach, name))
                ends = Tree("number", reach.place, value=Fraction(1)), Tree("call", reach.place, (reach,), word="len")
                reach = Tree("range", reach.place, ends)
            inner = given | {tree.word: item}
            return replace(
                tree,
                word=letter,
                reach=reach,
                when=tree.when and self.written_out(tree.when, inner),
                parts=(self.written_out(tree.parts[0], inner),),
            )
        if not tree.parts:
            return tree
        if tree.op == "call" and tree.word in ("layers", "heads", "states", "head"):
            self.refuse(tree, f"{tree.word}(...)")
        return replace(tree, parts=tuple([self.written_out(part, given) for part in tree.parts]))

    def letter(self, name: str) -> str:
        """A letter that no page can write."""
        return f"{name} {next(self.fresh)}"

    def body(self, define: Define) -> Tree:
        if define.name not in self.bodies:
            self.bodies[define.name] = self.written_out(define.items[0].body, {})
        return self.bodies[define.name]

    # what an expression speaks of
    def letters(self, tree: Tree) -> frozenset[str]:
        if tree.op == "name":
            return frozenset((tree.word,)) if " " in tree.word else frozenset()
        found = frozenset[str]().union(
            *[self.letters(part) for part in (*tree.parts, *([tree.when] if tree.when else []))]
        )
        if tree.op == "each":
            found = (found - {tree.word}) | self.letters(tree.reach)  # type: ignore[arg-type]
        return found

    def depends(self, tree: Tree) -> bool:
        """On the word."""
        name = tree.word
        if tree.op == "name" and " " not in name:
            if name in self.reading.variables:
                if name != self.variable:
                    self.refuse(tree, f"{name}, a case of other inputs")
                return True
            if name == self.reading.free and self.reading.exact:
                return True
            if name == self.reading.free:
                self.refuse(tree, f"{name}, which no length is bound by, is a number here")
            if name in self.page.sizes:
                return False
            if name not in self.page.defines:
                self.refuse(tree, f"{name} of a case")
            if name not in self.dependent:
                self.dependent[name] = False  # an item may speak of those before it
                items = self.page.defines[name].items
                inside = [t for item in items for t in (item.body, item.index, item.reach) if t]
                self.dependent[name] = any(self.depends(self.written_out(t, self.loops(name))) for t in inside)
            return self.dependent[name]
        inside = [part for part in (*tree.parts, tree.reach, tree.when) if part]
        return any(self.depends(part) for part in inside)

    def loops(self, name: str) -> dict[str, Tree]:
        """The letters of the lines of a list, as letters of its own."""
        items = self.page.defines[name].items
        return {item.letter: Tree("name", item.place, word=self.letter(item.letter)) for item in items if item.letter}

    def known(self, tree: Tree) -> bool:
        return not self.letters(tree) & self.places and not self.depends(tree)

    def number(self, tree: Tree) -> int | None:
        """A whole number that is known and speaks of no letter."""
        if self.letters(tree) or self.reading.length(tree) or not self.known(tree):
            return None
        try:
            found = self.reading.alone(tree)
        except Refused:
            return None
        return found if type(found) is int else None

    def position(self, tree: Tree) -> At | None:
        if tree.op == "name" and tree.word in self.places:
            return At(tree.word, 0)
        if self.reading.length(tree) == "over the length":
            return At(END, 0)
        if (fixed := self.number(tree)) is not None:
            return At(KNOWN, fixed)
        if tree.op == "+" and tree.signs[0] == "+":
            first, *rest = [self.position(part) for part in tree.parts]
            if first and all(one and one.base == KNOWN for one in rest):
                signs = [1 if sign == "+" else -1 for sign in tree.signs[1:]]
                return At(first.base, first.more + sum(s * one.more for s, one in zip(signs, rest, strict=True)))  # type: ignore[misc, union-attr]
        return None

    @staticmethod
    def refuse(tree: Tree | Line | Piece, what: str) -> NoReturn:
        raise NotShown(tree.place, what)

    # parts
    def add(self, part: Part, *what: object) -> None:
        key = " ".join(map(str, (type(part).__name__, part.after, *part.rows, *what)))
        self.parts.setdefault(key, part)

    def both(self, of: Callable[[bool], Part], *what: object) -> None:
        for after in (False, True):
            self.add(of(after), *what)

    def row(self, tree: Tree, letter: str) -> str:
        """The key of a row, an expression that speaks of one letter."""
        key = text(tree, letter)
        if key not in self.rows:
            scope = Scope().plus(letter)
            self.rows[key] = Row(tree, letter, self.reading.of(tree, scope), scope.body)
        return key

    # an expression at one position `at`, or about the whole word
    def of(self, tree: Tree, at: str) -> None:
        if self.known(tree):
            return
        if tree.op == "name":
            if tree.word in self.places:
                self.refuse(tree, "a position is a number here")
            self.definition(tree, at)
        elif tree.op == "index" and (whole := self.whole(tree.parts[0])):
            self.item(whole, tree, at)
        elif tree.op == "compare":
            self.comparison(tree, at)
        elif tree.op == "*" and self.of_position(tree, at):
            pass
        elif tree.op == "list" and tree.parts and tree.parts[0].op == "each":
            self.loop(tree.parts[0], at)
        elif tree.op == "list" and any(part.op == "dots" for part in tree.parts):
            self.refuse(tree, "`...` of what isn't known")
        elif tree.op == "call":
            self.call(tree, at)
        elif tree.op in GENERIC:
            for part in tree.parts:
                self.of(part, at)
        else:
            self.refuse(tree, "this")

    def definition(self, tree: Tree, at: str) -> None:
        """A value of the whole word, by its name."""
        if self.reading.length(tree):
            self.refuse(tree, f"{tree.word}, the length of the word, as a number")
        define = self.page.defines.get(tree.word)
        if define is None or define.items[0].index or self.whole(tree):
            self.refuse(tree, f"{tree.word}, a list as long as the word, as a value")
        key = tree.word, END if at == END else ""
        if key not in self.scalars:
            self.scalars.add(key)
            self.of(self.body(define), key[1])

    def loop(self, each: Tree, at: str) -> None:
        """Through known items, or those of a list at the position itself."""
        if self.through_positions(each):
            self.refuse(each, "a list that may be as long as the word, as a value")
        ends = each.reach.parts if each.reach.op == "range" else (each.reach,)  # type: ignore[union-attr]
        for part in (*ends, *inside(each)):
            self.of(part, at)

    def through_positions(self, each: Tree) -> bool:
        reach = each.reach
        if reach is None or self.known(reach):
            return False
        return reach.op == "range" and all(self.position(end) for end in reach.parts)

    def call(self, tree: Tree, at: str) -> None:
        if tree.word in self.page.networks:
            self.refuse(tree, "all tokens, as a value")
        if tree.word == "len" and self.reading.length(tree):
            self.refuse(tree, "the length of the word, as a number")
        each = self.each_of(tree)
        if each is None:
            for part in tree.parts:
                self.of(part, at)
        elif not self.through_positions(each):
            self.loop(each, at)
        elif tree.word not in OF_KINDS:
            self.refuse(tree, f"{tree.word} of what may be as long as the word")
        else:
            self.occurring(tree.word, each, at, 1)

    def each_of(self, tree: Tree) -> Tree | None:
        """What a function of a list runs through: `E for j in R if C`. A list of the whole word is one, too."""
        if len(tree.parts) != 1:
            return None
        part = self.meant(tree.parts[0])
        if part.op == "list" and len(part.parts) == 1 and part.parts[0].op == "each":
            part = part.parts[0]
        if part.op != "each":
            return self.through(part) if self.whole(part) else None
        if self.whole(part.reach):  # type: ignore[arg-type]
            inner = self.through(part.reach)  # type: ignore[arg-type]
            given = {part.word: inner.parts[0]}
            when = part.when and self.written_out(part.when, given)
            return replace(inner, parts=(self.written_out(part.parts[0], given),), when=when)
        return part

    def through(self, tree: Tree) -> Tree:
        """X[j] for j in 1..its length."""
        letter, place, whole = self.letter("j"), tree.place, self.whole(tree)
        low = Tree("number", place, value=type(tree.value)(whole.low))  # type: ignore[union-attr]
        item = Tree("index", place, (tree, Tree("name", place, word=letter)))
        return Tree("each", place, (item,), letter, reach=Tree("range", place, (low, self.end(place))))

    def end(self, place: Place) -> Tree:
        return Tree("call", place, (Tree("name", place, word=self.variable),), "len")

    def meant(self, tree: Tree) -> Tree:
        """What a name stands for, unless it is a list of the whole word."""
        define = self.page.defines.get(tree.word) if tree.op == "name" else None
        if define is None or define.items[0].index or self.whole(tree) or not self.depends(tree):
            return tree
        return self.meant(self.body(define))

    # positions
    def comparison(self, tree: Tree, at: str) -> None:
        for (a, b), sign in zip(pairwise(tree.parts), tree.signs, strict=True):
            self.compared(tree, a, b, sign, at)

    def compared(self, tree: Tree, a: Tree, b: Tree, sign: str, at: str) -> None:  # noqa: ARG002
        found = self.position(a), self.position(b)
        for one, bound in ((a, b), (b, a)):
            counted, most = self.meant(one), self.number(bound)
            if (
                counted.op == "call"
                and counted.word in COUNTS
                and most is not None
                and not self.reading.length(counted)
            ):
                each = self.each_of(counted)
                if each and self.through_positions(each):
                    if counted.word == "len" and each.parts[0].op == "name" and each.parts[0].word == each.word:
                        each = replace(
                            each, parts=(Tree("truth", each.place, word="true"),)
                        )  # its items aren't asked for
                    return self.occurring(counted.word, each, at, max(most, 0) + 1)
        if None in found or {one.base for one in found if one} == {KNOWN}:
            self.of(a, at)
            self.of(b, at)
            return None
        (p, more), (q, other) = found  # type: ignore[misc]
        if q == KNOWN:
            p, more, q, other = q, other, p, more
        if p == KNOWN:  # q + other against the number `more`
            self.near(tree, q, at)
            most = max(more - other, 0) + 1
            self.add(Many(after=False, most=most), most)
            if q == END != at:
                self.add(Many(after=True, most=most), most)
        elif p == q:
            self.near(tree, p, at)
        else:
            if END not in (p, q):
                self.refuse(tree, "two positions are compared")
            self.near(tree, p if q == END else q, at)
            most = abs(more - other) + 1
            self.add(Many(after=True, most=most), most)
        return None

    def near(self, tree: Tree, base: str, at: str) -> None:
        if base not in (at, END):
            self.refuse(tree, "a position from elsewhere")

    def of_position(self, tree: Tree, at: str) -> bool:
        """i mod 2, i/m."""
        if len(tree.parts) != 2 or (of := self.position(tree.parts[0])) is None or of.base == KNOWN:
            return False
        self.near(tree, of.base, at)
        if tree.signs[1] == "/" and self.reading.length(tree.parts[1]) and of == At(at, 0):
            return True
        by = self.number(tree.parts[1]) if tree.signs[1] == "mod" else None
        if not by or by < 0:
            return False
        self.add(Residue(after=False, by=by), by)
        if of.base == END != at:
            self.add(Residue(after=True, by=by), by)
        return True

    # lists of the whole word
    def whole(self, tree: Tree) -> Whole | None:
        key = tree.word if tree.op == "name" else f"#{id(tree)}"
        if key in self.wholes:
            return self.wholes[key]
        found: Whole | None = None
        if tree.op == "name" and tree.word in self.reading.variables:
            found = Whole(tree)
        elif tree.op == "name" and (define := self.page.defines.get(tree.word)) and self.depends(tree):
            if define.items[0].index:
                return self.recurrence(tree, define)
            of = self.whole(self.body(define))
            found = of and Whole(tree, of.low)
        elif tree.op == "list" and tree.parts and tree.parts[0].op == "each":
            found = self.of_each_position(tree)
        elif tree.op == "call" and tree.word in self.page.networks and self.depends(tree):
            found = self.network(tree)
        if found and self.letters(tree):
            self.refuse(tree, "a list of the whole word that speaks of a letter")
        self.kept_alive.append(tree)  # ids are told apart while a tree lives
        self.wholes[key] = found
        return found

    def of_each_position(self, tree: Tree) -> Whole | None:
        each = tree.parts[0]
        if not (each.when is None and each.reach and each.reach.op == "range"):
            return None
        if [self.position(end) for end in each.reach.parts] != [At(KNOWN, 1), At(END, 0)]:
            return None
        self.places.add(each.word)
        self.of(each.parts[0], each.word)
        return Whole(tree)

    def recurrence(self, tree: Tree, define: Define) -> Whole:
        """y[0] = a, y[i] = E for i in 1..m, where E looks at y[i-1]."""
        *first, line = define.items
        self.reading.bounded[id(line.body)] = line.body
        found = self.wholes[tree.word] = Whole(tree, 1 - len(first), busy=True)
        numbers = [self.number(item.index) if item.index and not item.reach else None for item in first]
        if numbers not in ([], [0]) or any(not self.known(item.body) for item in first):
            self.refuse(tree, f"the first items of {define.name}")
        if line.reach is None or line.index is None or line.reach.op != "range":
            self.refuse(tree, f"the list {define.name}")
        letter = self.letter(line.letter)
        self.places.add(letter)
        given = {line.letter: Tree("name", line.place, word=letter)}
        index, body = (self.written_out(t, given) for t in (line.index, line.body))
        ends = [self.position(self.written_out(end, {})) for end in line.reach.parts]
        if ends != [At(KNOWN, 1), At(END, 0)] or self.position(index) != At(letter, 0):
            self.refuse(tree, f"the list {define.name}")
        self.of(body, letter)
        self.nearest(found, letter, -1)
        found.busy = False
        return found

    def item(self, whole: Whole, tree: Tree, at: str) -> None:
        """X[i], X[i-1], X[m], ..."""
        place = self.position(tree.parts[1])
        if place is None:
            self.chosen(tree, at)
            return
        base, more = place
        if base == KNOWN and more == whole.low == 0:
            return
        letter = self.letter("p")
        item = Tree("index", tree.place, (tree.parts[0], Tree("name", tree.place, word=letter)))
        if base == at and more == 0:
            return
        if whole.busy:
            if base != at or more != -1:
                self.refuse(tree, "a list that looks at itself is read one position before alone")
            return
        if base == at:
            self.nearest(whole, letter, more)
        elif base == END and more == 0:
            self.add(Farthest(after=True, rows=(self.row(item, letter),)))
        elif base == KNOWN and more == 1:
            self.add(Farthest(after=False, rows=(self.row(item, letter),)))
        else:
            self.refuse(tree, "an item that is neither near, nor the first, nor the last")

    def chosen(self, tree: Tree, at: str) -> None:
        """X[max(j for j in R if C) + 1], and likewise with min."""
        index = tree.parts[1]
        picked = self.meant(index.parts[0] if index.op == "+" and index.signs[0] == "+" else index)
        each = self.each_of(picked) if picked.op == "call" and picked.word in ("max", "min") else None
        if each is None or not self.through_positions(each) or text(each.parts[0], "") != f"(name {each.word})":
            self.refuse(tree, "an index that is no position")
        kinds, letter = Kinds(each.word, at), each.parts[0]
        sides, zero = self.sides(each, kinds)
        if each.when:
            self.collect(each.when, kinds)
        if zero or kinds.loops:
            self.refuse(tree, "positions of which one is an index, from 0 on or by a loop of their own")
        item = replace(
            tree, parts=(tree.parts[0], replace(index, parts=(letter, *index.parts[1:])) if index.op == "+" else letter)
        )
        if self.letters(item) != {each.word}:
            self.refuse(tree, "a position that is chosen by another one")
        self.of(item, each.word)
        rows = (*kinds.own, self.row(item, each.word))
        for after in sides:
            self.add(Chosen(after, rows, nearest=after == (picked.word == "min")), picked.word)

    def nearest(self, whole: Whole, letter: str, more: int) -> None:
        """What remembers X[i + more]; before the first position there may be X[0]."""
        at, zero = (Tree("name", whole.tree.place, word=letter), Tree("number", whole.tree.place))
        row, first = (Tree("index", whole.tree.place, (whole.tree, index)) for index in (at, zero))
        at_zero = (self.row(first, ""),) if whole.low == 0 and more < 0 else ()
        self.add(Nearest(more > 0, (self.row(row, letter),), at_zero=at_zero, most=abs(more)), abs(more))

    # any, all, max, min; count, len against a number
    def occurring(self, word: str, each: Tree, at: str, most: int) -> None:
        kinds = Kinds(each.word, at)
        sides, zero = self.sides(each, kinds)
        for part in inside(each):
            self.collect(part, kinds)
        at_zero = self.at_zero(each, kinds) if zero else ()
        idle = self.idle(word, each, list(kinds.own), kinds.simple)
        loops = tuple(kinds.loops)
        rows = (*kinds.own, *[key for loop in loops for key in loop.rows])
        for after in sides:
            kept = Occurring(after, rows, at_zero=() if after else at_zero, own=len(kinds.own), loops=loops)
            kept.most, kept.idle = most, idle
            self.add(kept, kept.own, loops, most, idle, zero)
            for loop in loops:
                if loop.where == (LEFT if after else RIGHT):  # through what stands on the other side, too
                    self.add(Others(not after, loop.rows, loop=loop), loop)

    def sides(self, each: Tree, kinds: Kinds) -> tuple[list[bool], bool]:
        """Whether positions before, or after, or both are run through; and whether from 0 on."""
        low, high = [self.position(end) for end in each.reach.parts]  # type: ignore[union-attr]
        at, letter = kinds.at, Tree("name", each.place, word=each.word)
        self.places.add(each.word)
        if low is None or high is None:
            self.refuse(each, "a loop whose ends aren't positions")
        begins, ends = low.base == KNOWN and low.more >= 0, high.base == END and high.more <= 0
        past, future = begins and high in (At(at, 0), At(at, -1)), ends and low in (At(at, 0), At(at, 1))
        if not (past or future or (begins and ends)):
            self.refuse(each, "a loop through other positions than those before, those after, or all")
        if begins and low.more > 1:
            self.collect(Tree("compare", each.place, (letter, each.reach.parts[0]), signs=(">=",)), kinds)  # type: ignore[union-attr]
        if ends and high.more < 0 and not past:
            self.collect(Tree("compare", each.place, (letter, each.reach.parts[1]), signs=("<=",)), kinds)  # type: ignore[union-attr]
        return [False] if past else [True] if future else [False, True], begins and low.more == 0

    def idle(self, word: str, each: Tree, keys: list[str], simple: dict[int, int]) -> tuple[Idle, ...]:
        """By what it is seen that a position adds nothing: its condition is false; of `any` (and count) a factor is, of
        `all` a term is true. Looked at in this order, as far as it is a row or a loop of one row."""
        found = list[Idle]()
        tests = [(part, 0) for part in parts_of(each.when, "and")]
        if word in ("any", "count", "all"):
            op, truth = ("or", 1) if word == "all" else ("and", 0)
            tests += [(part, truth) for part in parts_of(each.parts[0], op)]
        for tree, truth in tests:
            if self.known(tree) and tree.op == "truth":  # `true and ...`, of what --from writes
                if (tree.word == "true") == bool(truth):
                    break
                continue
            one = self.decides(tree, truth, each.word, keys, simple)
            if one is None:
                break
            found.append(one)
        return tuple(found)

    def decides(self, tree: Tree, truth: int, letter: str, keys: list[str], simple: dict[int, int]) -> Idle | None:
        if self.letters(tree) == {letter} and (key := text(tree, letter)) in keys:
            return Idle(keys.index(key), -1, truth)
        while tree.op == "not" and len(tree.signs) % 2:
            tree, truth = tree.parts[0], 1 - truth
        each = self.loop_in(tree) if tree.op == "call" else None
        if each and id(each) in simple and tree.word == ("any" if truth else "all"):
            return Idle(-1, simple[id(each)], truth)
        return None

    def at_zero(self, each: Tree, kinds: Kinds) -> tuple[str, ...]:
        """Where a loop begins at 0: what is so there, of lists with a known item 0 alone."""
        if kinds.loops:
            self.refuse(each, "a loop from 0 with another one in it")
        keys = []
        for key in kinds.own:
            row = self.rows[key]
            self.only_known_at_zero(row.tree, row.letter, each)
            zero = {row.letter: Tree("number", each.place)}
            keys.append(self.row(self.written_out(row.tree, zero), ""))
        return tuple(keys)

    def only_known_at_zero(self, tree: Tree, letter: str, each: Tree) -> None:
        if tree.op == "index" and tree.parts[1].op == "name" and tree.parts[1].word == letter:
            whole = self.whole(tree.parts[0])
            if whole is None or whole.low != 0:
                self.refuse(each, "a loop from 0 through a list that begins at 1")
            return
        if self.letters(tree) and tree.op in ("name", "each"):
            self.refuse(each, "a loop from 0")
        if not self.letters(tree) and not self.known(tree):
            self.refuse(each, "a loop from 0")
        for part in tree.parts:
            self.only_known_at_zero(part, letter, each)

    def collect(self, tree: Tree, kinds: Kinds) -> None:
        """What the body of a loop asks of j, and of k in a loop inside; what it asks of `at` is looked at there."""
        if self.known(tree):
            return None
        letters = self.letters(tree) | ({END} if kinds.at == END and self.ends_in(tree) else set())
        places = letters & (self.places | {END})
        if places <= {kinds.at}:
            return self.of(tree, kinds.at)
        if len(letters) == 1 and places <= {kinds.j, kinds.k}:
            (letter,) = letters
            self.of(tree, letter)
            (kinds.own if letter == kinds.j else kinds.other)[self.row(tree, letter)] = None
            return None
        if tree.op == "compare" and {self.position(part) for part in tree.parts} == {At(kinds.j, 0), At(kinds.at, 0)}:
            return None
        if each := self.loop_in(tree):
            return self.collect_loop(tree, each, kinds)
        if tree.op not in GENERIC or tree.word in self.page.networks:
            self.refuse(tree, "this, of several positions")
        for part in tree.parts:
            self.collect(part, kinds)
        return None

    def ends_in(self, tree: Tree) -> bool:
        """Does it speak of the last position?"""
        inside = (*tree.parts, tree.reach, tree.when)
        return self.reading.length(tree) != "" or any(self.ends_in(part) for part in inside if part)

    def loop_in(self, tree: Tree) -> Tree | None:
        if tree.op == "list":
            return tree.parts[0] if tree.parts and tree.parts[0].op == "each" else None
        return self.each_of(tree) if tree.op == "call" and tree.word not in self.page.networks else None

    def collect_loop(self, tree: Tree, each: Tree, kinds: Kinds) -> None:
        reach = each.reach
        if not self.through_positions(each):
            for part in (*(reach.parts if reach.op == "range" else (reach,)), *inside(each)):  # type: ignore[union-attr]
                self.collect(part, kinds)
            return
        if tree.op == "list" or tree.word not in OF_KINDS or kinds.k:
            self.refuse(tree, "a loop in a loop, through positions")
        low, high = [self.position(end) for end in reach.parts]  # type: ignore[union-attr]
        j, at = kinds.j, kinds.at
        between = at and (low, high) in ((At(j, 1), At(at, -1)), (At(at, 1), At(j, -1)))
        beyond = (low, high) in ((At(j, 1), At(END, 0)), (At(KNOWN, 1), At(j, -1)))
        if not between and not beyond:
            self.refuse(tree, "a loop in a loop, through other positions than those between the two, or beyond one")
        kinds.k, kinds.other = each.word, {}
        self.places.add(each.word)
        for part in inside(each):
            self.collect(part, kinds)
        if self.known(each.parts[0]) and not self.letters(each.parts[0]):  # that there is a position says enough
            kinds.other[self.row(each.parts[0], each.word)] = None
        kinds.k = ""
        simple = not each.when and list(kinds.other) == [text(each.parts[0], each.word)] and tree.word in ("any", "all")
        if simple:
            kinds.simple[id(each)] = len(kinds.loops)
        where = BETWEEN if between else LEFT if low == At(KNOWN, 1) else RIGHT
        idle = self.idle(tree.word, each, list(kinds.other), {})
        kinds.loops.append(Loop(tuple(kinds.other), where, idle))

    # networks
    def network(self, tree: Tree) -> Whole:
        *arguments, given = tree.parts
        whole = self.whole(given)
        if whole is None or whole.low != 1 or not all(self.known(one) and not self.letters(one) for one in arguments):
            self.refuse(tree, "a network on tokens that aren't a list by positions, such as [[w[i], 0] for i in 1..m]")
        key = f"network {tree.word} {next(self.fresh)}"
        self.kept_alive.append(tree)
        stack = self.stacks[key] = Stack(tree, self.about(given), self.about(tree))
        stack.rows.append(f"{key} 0")
        values = stack.arguments = [self.reading.alone(one) for one in arguments]
        for piece, frame, scope in self.pieces(tree.word, values):
            self.layer(stack, key, piece, [self.reading.of(one, scope)(frame) for one in piece.arguments])
        return Whole(tree)

    def about(self, tree: Tree) -> Callable[[Case], Value]:
        """What is said of a word, and of no letter."""
        scope = Scope()
        code = self.reading.of(tree, scope)
        return lambda case: code(scope.body.frame(case))

    def pieces(self, name: str, values: list[Value]) -> Iterable[tuple[Piece, Frame, Scope]]:
        """The layers of a network, in order, each with a frame for its arguments."""
        network = self.page.networks[name]
        yield from self.pieces_of(network.parts, dict(zip(network.letters, values, strict=True)))

    def pieces_of(self, parts: Iterable[Piece], letters: dict[str, Value]) -> Iterable[tuple[Piece, Frame, Scope]]:
        for part in parts:
            scope = Scope().plus(*letters)
            given = {letter: Tree("name", part.place, word=f"{letter} of a network") for letter in letters}
            if not all(self.known(self.written_out(one, given)) for one in part.arguments):
                self.refuse(part, "an argument that depends on the word")
            if part.reach:
                if not self.known(self.written_out(part.reach, given)):
                    self.refuse(part, "a family of layers of which it isn't known how many there are")
                items = self.reading.turns(part.reach, scope) if part.reach.op == "range" else None
                listed = self.reading.of(part.reach, scope) if items is None else None
                frame = scope.body.frame(self.reading.root, *letters.values())
                for v in items(frame) if items else listed(frame).items:  # type: ignore[misc, union-attr]
                    yield from self.pieces_of(part.parts, letters | {part.name: v})
                continue
            codes = [self.reading.of(one, scope) for one in part.arguments]
            frame = scope.body.frame(self.reading.root, *letters.values())
            if part.name in self.page.layers:
                yield part, frame, scope
            else:
                yield from self.pieces(part.name, [code(frame) for code in codes])

    def layer(self, stack: Stack, key: str, piece: Piece, arguments: list[Value]) -> None:
        layer, reading = self.page.layers[piece.name], self.reading
        reading.uses = set()
        scope = Scope(tokens=TOKENS).plus(layer.x, layer.i, *layer.letters)
        body, i = scope.body, TOKENS + 1
        fixed = frozenset((LENGTH, *scope.letters.values())) - {i}
        scope = replace(scope, at=(i,), fixed=fixed)
        made = Made(layer, tuple(arguments), body, i, [], lambda e: e)  # type: ignore[arg-type, return-value]
        for name, line in layer.lines:
            head, asks = None, f"{key} {len(stack.layers)} asks {name}"
            if isinstance(line, Read):
                head = self.head(line, scope, made)
                trees = [one for one in (line.value, line.score, line.mask) if one]
                head.asks = any(asked(one, layer) for one in trees)
                head.of_i, head.of_j = (looked_at(trees, layer.x, letter) for letter in (layer.i, "j"))
                self.remember(head, stack.rows[-1], asks, key)
            code = self.networks.read(line, scope) if isinstance(line, Read) else reading.of(line, scope)
            scope = scope.plus(name)
            made.lines.append(Step(scope.letters[name], code, head, asks))
        made.new = reading.of(layer.new, scope)
        stack.layers.append(made)
        stack.rows.append(f"{key} {len(stack.layers)}")

    def head(self, read: Read, scope: Scope, made: Made) -> Head:
        inner = scope.plus("j")
        j = inner.letters["j"]
        inner = replace(inner, at=(TOKENS + 1, j))
        reading, lines = self.reading, tuple([line.at for line in made.lines])
        mask, score, value = (
            reading.passes(read.mask, inner),
            reading.of(read.score, inner),
            reading.of(read.value, inner),
        )
        return Head(read, made.body, made.arguments, made.i, j, lines, mask, score, value, reading.root)

    def remember(self, head: Head, tokens: str, asks: str, key: str) -> None:
        for after in (False, True):
            self.add(Best(after=after, rows=(tokens, asks), head=head), key)
        if head.read.default is None:
            self.add(First(after=False, rows=(tokens, asks), head=head), key)


def asked(tree: Tree, layer: Layer) -> bool:
    """Does what a read looks at depend on who asks, besides where it stands: on x[i], or on a line before?"""
    if tree.op == "index" and [part.word for part in tree.parts] == [layer.x, layer.i]:
        return True
    if tree.op == "name" and tree.word in [name for name, _ in layer.lines]:
        return True
    return any(asked(part, layer) for part in (*tree.parts, tree.reach, tree.when) if part)


def looked_at(trees: Iterable[Tree], x: str, letter: str) -> frozenset[int] | None:
    """Which entries of x[letter], where each is a number as it is written; None: perhaps all."""
    found = frozenset[int]()
    for tree in trees:
        parts: tuple[Tree | None, ...] = (*tree.parts, tree.reach, tree.when)
        if tree.op == "index":
            base, index = tree.parts
            if [one.word for one in tree.parts] == [x, letter]:
                return None
            if base.op == "index" and [one.word for one in base.parts] == [x, letter] and index.op == "number":
                found |= {int(index.value)}
                continue
        inner = looked_at([part for part in parts if part], x, letter)
        if inner is None:
            return None
        found |= inner
    return found


def inside(each: Tree) -> tuple[Tree, ...]:
    return (*each.parts, *([each.when] if each.when else []))


def parts_of(tree: Tree | None, op: str) -> list[Tree]:
    """The factors of an `and`, the terms of an `or`, from left to right."""
    if tree is None:
        return []
    return [part for one in tree.parts for part in parts_of(one, op)] if tree.op == op else [tree]


def text(tree: Tree, letter: str) -> str:
    """An expression as text, with its one letter named alike."""
    word = "$" if letter and tree.word == letter else tree.word
    inside = [text(part, letter) for part in (*tree.parts, *(p for p in (tree.reach, tree.when) if p))]
    said = [tree.op, word, *tree.signs, str(tree.value) if tree.op == "number" else "", *inside]
    return f"({' '.join(one for one in said if one)})"

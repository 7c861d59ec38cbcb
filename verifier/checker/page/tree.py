"""LANGUAGE 7: the grammar, from words to a tree of plain frozen data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import NoReturn, TypeVar

from ..core.comparing import OverLimit
from .builtins import BUILT_IN
from .words import MOST_BITS, MOST_DEPTH, RESERVED, SIGNS, Place, Refused, Word, words_of


@dataclass(slots=True, eq=False)
class Tree:
    """An expression. op: number, truth, name, call, index, list, each, dots, range, |, +, *, ^, compare, and, or, not,
    iff, if (its condition, what holds then, what else). Of `each`: parts[0] for word in reach over over if when."""

    op: str
    place: Place
    parts: tuple[Tree, ...] = ()
    word: str = ""
    signs: tuple[str, ...] = ()  # of + and *: one for each part; of compare: between them
    value: Fraction = Fraction(0)
    reach: Tree | None = None
    when: Tree | None = None
    over: str = ""


@dataclass(slots=True, eq=False)
class Line:
    """A line of a claim. op: relation (sides, signs, texts), for, if, within, across, once; and all
    (letters: t, or c and the r of c[r] for r in reach)."""

    op: str
    place: Place
    sides: tuple[Tree, ...] = ()
    signs: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    starts: tuple[Place, ...] = ()
    reach: Tree | None = None
    when: Tree | None = None
    letters: tuple[str, ...] = ()
    block: tuple[Line, ...] = ()


@dataclass(slots=True, eq=False)
class Item:
    """One line `l[index] = body for letter in reach` of a list, or `name = body` (no index)."""

    place: Place
    body: Tree
    index: Tree | None = None
    letter: str = ""
    reach: Tree | None = None


@dataclass(slots=True, eq=False)
class Define:
    name: str
    place: Place
    items: tuple[Item, ...]
    letters: tuple[str, ...] | None = None  # of a function
    printed: str = ""  # the name after `as`


@dataclass(slots=True, eq=False)
class Category:
    name: str
    place: Place
    when: Tree
    cases: Tree
    inputs: Tree


@dataclass(slots=True, eq=False)
class Inputs:
    name: str
    place: Place
    variable: str
    kind: str  # words, multisets, sets, list
    items: Tree  # the set as a list; of `list` the list itself
    low: Tree | None = None
    high: Tree | None = None
    letter: str = ""
    power: Tree | None = None
    by: Tree | None = None
    at: str = ""
    categories: list[Category] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Read:
    place: Place
    value: Tree
    tie: str
    score: Tree
    mask: Tree | None
    default: Tree | None


@dataclass(slots=True, eq=False)
class Layer:
    name: str
    place: Place
    letters: tuple[str, ...]
    lines: tuple[tuple[str, Tree | Read], ...]
    x: str
    i: str
    new: Tree


@dataclass(slots=True, eq=False)
class Part:
    """A part of a network: a layer or network with its arguments, or a family (reach)."""

    place: Place
    name: str  # of what is used; of a family its letter
    arguments: tuple[Tree, ...] = ()
    reach: Tree | None = None
    parts: tuple[Part, ...] = ()


@dataclass(slots=True, eq=False)
class Network:
    name: str
    place: Place
    letters: tuple[str, ...]
    parts: tuple[Part, ...]


@dataclass(slots=True, eq=False)
class Claim:
    id: str
    place: Place
    kind: str
    on: str  # empty: once
    when: Tree | None
    skip: Tree | None
    why: str
    lines: tuple[Line, ...]
    says: str


@dataclass(slots=True)
class Page:
    title: str = ""
    sizes: dict[str, int] = field(default_factory=dict)  # the least that each may be
    to_try: dict[str, int] = field(default_factory=dict)  # of some; a certificate says all of its own
    defines: dict[str, Define] = field(default_factory=dict)
    inputs: dict[str, Inputs] = field(default_factory=dict)
    layers: dict[str, Layer] = field(default_factory=dict)
    networks: dict[str, Network] = field(default_factory=dict)
    claims: list[Claim] = field(default_factory=list)
    names: dict[str, Place] = field(default_factory=dict)  # every name, where it is defined


KINDS = ("statement", "step", "repair", "own", "excluded")


T = TypeVar("T")


@lru_cache(4)
def parse(text: str) -> Page:
    """Nothing changes a page once it is read."""
    return Parser(words_of(text)).page()


class Parser:
    def __init__(self, words: list[Word]) -> None:
        self.words, self.k, self.depth, self.result = words, 0, 0, Page()
        self.compared: tuple[Tree, tuple[int, ...]] | None = None  # the last comparison, where its sides begin
        self.wanted: list[tuple[Place, str]] = []  # inputs that must be defined somewhere
        self.categories: list[tuple[str, Category]] = []

    # words
    @property
    def word(self) -> Word:
        return self.words[self.k]

    def sees(self, *texts: str) -> bool:
        kind, text, _, _ = self.words[self.k]
        return text in texts and kind in ("sign", "name")

    def take(self, *texts: str) -> str:
        """The next word, if it is one of these; else nothing."""
        kind, text, _, _ = self.words[self.k]
        if text not in texts or kind not in ("sign", "name"):
            return ""
        self.k += 1
        return text

    def need(self, text: str, where: str = "") -> Place:
        place = self.word.place
        if not self.take(text):
            self.wrong(f"`{text}`{where}")
        return place

    def of_kind(self, kind: str, what: str) -> str:
        if self.word.kind != kind or (kind == "name" and self.word.text in RESERVED):
            self.wrong(what)
        self.k += 1
        return self.words[self.k - 1].text

    def wrong(self, wanted: str) -> NoReturn:
        word = self.word
        found = {"line": "the line ends", "end": "the page ends", "deeper": "a block begins", "back": "a block ends"}
        seen = found.get(word.kind, f"{word.text[:40]} stands here")
        hint = "; write `< -` for less than minus" if word.text == "<-" else ""
        raise Refused(word.place, f"{wanted} is expected; {seen}{hint}")

    def name(self, what: str = "a name") -> str:
        return self.of_kind("name", what)

    def string(self) -> str:
        return self.of_kind("string", "a string in quotation marks")[1:-1]

    def natural(self) -> int:
        return int(self.of_kind("number", "a whole number"))

    def line_ends(self) -> None:
        self.of_kind("line", "the end of the line")

    def names(self) -> tuple[str, ...]:
        found = [self.name()]
        while self.take(","):
            found.append(self.name())
        for k, name in enumerate(found):
            if name in found[:k]:
                raise Refused(self.word.place, f"the letter {name} stands twice")
        return tuple(found)

    def in_brackets(self) -> tuple[str, ...]:
        if not self.take("("):
            return ()
        found = self.names()
        self.need(")")
        return found

    def block(self, one: Callable[[], T]) -> tuple[T, ...]:
        """The lines of a block, after its colon."""
        self.need(":")
        self.line_ends()
        self.of_kind("deeper", "an indented block")
        return self.rest(one)

    def line_or_block(self, one: Callable[[], T]) -> tuple[T, ...]:
        """One line after the colon, or the lines of a block."""
        if self.words[self.k + 1].kind == "line":
            return self.block(one)
        self.need(":")
        self.deeper(self.word.place)
        line = one()
        self.depth -= 1
        return (line,)

    def rest(self, one: Callable[[], T]) -> tuple[T, ...]:
        found = [one()]
        while self.word.kind != "back":
            found.append(one())
        self.k += 1
        return tuple(found)

    # the page
    def define(self, name: str, place: Place) -> None:
        self.may_be(name, place)
        if name in self.result.names:
            raise Refused(place, f"{name} is defined twice: first in line {self.result.names[name].line}")
        self.result.names[name] = place

    def may_be(self, name: str, place: Place) -> None:
        if name in BUILT_IN:
            raise Refused(place, f"{name} is a word of the language and can't be defined")

    def page(self) -> Page:
        page = self.result
        if not (self.take("language") and self.word.text == "1"):
            raise Refused(self.words[0].place, "a page begins with the line `language 1`")
        self.k += 1
        self.line_ends()
        while self.word.kind != "end":
            place, word = self.word.place, self.word.text
            if self.take("title"):
                if page.title:
                    raise Refused(place, "a second title")
                page.title = self.string()
                self.line_ends()
            elif self.take("sizes"):
                self.sizes()
            elif word in ("inputs", "category", "layer", "network", "claim"):
                self.k += 1
                getattr(self, word)(place)
            elif self.word.kind == "name" and word not in RESERVED:
                self.definition(place)
            else:
                self.wrong("a definition, title, sizes, inputs, category, layer, network or claim")
        for place, name in self.wanted:
            if name not in page.inputs:
                raise Refused(place, f"{name} must be the name of inputs, after `in`")
        for name, category in self.categories:
            page.inputs[name].categories.append(category)
        return page

    def of_inputs(self) -> str:
        self.wanted.append((self.word.place, self.name("the name of inputs")))
        return self.wanted[-1][1]

    def sizes(self) -> None:
        while True:
            place, name = self.word.place, self.name("the name of a size")
            self.define(name, place)
            self.need(">=")
            least = self.result.sizes[name] = self.natural()
            if self.take("("):
                place, tried = self.word.place, self.natural()
                if tried < least:
                    raise Refused(place, f"the size to try is {tried}: {name} >= {least} is needed")
                self.result.to_try[name] = tried
                self.need(")")
            if not self.take(","):
                return self.line_ends()

    def definition(self, place: Place) -> None:
        name, letters, index, printed, letter, reach = self.name(), None, None, "", "", None
        defines = self.result.defines
        if self.sees("("):
            letters = self.in_brackets()
            for letter_ in letters:
                self.may_be(letter_, place)
        elif self.take("["):
            index = self.expr()
            self.need("]")
        self.need("=", " (a definition is `name = ...`)")
        body = self.expr()
        if index and self.take("for"):
            letter = self.letter()
            self.need("in")
            reach = self.range()
        if letters is None and not index and self.take("as"):
            printed = self.string()
            if any(d.printed == printed for d in defines.values()) or not printed:
                raise Refused(place, "a name after `as` is one's own, and not empty")
        self.line_ends()
        item = Item(place, body, index, letter, reach)
        old = defines.get(name)
        if index and old and old.items[0].index:
            defines[name] = replace(old, items=(*old.items, item))
        else:
            self.define(name, place)
            defines[name] = Define(name, place, (item,), letters, printed)

    def letter(self) -> str:
        self.may_be(self.word.text, self.word.place)
        return self.name("a letter")

    def inputs(self, place: Place) -> None:
        at, variable = self.word.place, self.name()
        if all(found.variable != variable for found in self.result.inputs.values()):
            self.define(variable, at)
        self.need("in")
        at, name = self.word.place, self.name()
        self.define(name, at)
        self.need(":")
        kind = self.take("words", "multisets", "sets", "list") or self.wrong("words, multisets, sets or list")
        if kind == "list":
            found = Inputs(name, place, variable, kind, self.expr())
        else:
            self.need("of")
            low = self.sum()
            high = self.sum() if self.take("..") else low
            self.name("what the items are called (a word)")
            letter = self.letter()
            self.need("in")
            here = self.need("{")
            items = Tree("list", here, self.items("}"))
            power = self.atom() if self.take("^") else None
            by = self.expr() if self.take("by") else None
            if self.sees("at") and kind != "words":
                self.wrong("the end of the line: `at` is for words,")
            position = self.letter() if self.take("at") else ""
            if position == letter:
                raise Refused(place, f"the letter {letter} stands twice")
            found = Inputs(name, place, variable, kind, items, low, high, letter, power, by, position)
        self.line_ends()
        self.result.inputs[name] = found

    def category(self, place: Place) -> None:
        at, name = self.word.place, self.name()
        self.define(name, at)
        self.need("of")
        of = self.of_inputs()
        self.need("if")
        when = self.expr()
        self.need(":")
        cases = self.expr()
        self.need("cases")
        self.need(",")
        count = self.expr()
        self.need("inputs")
        self.line_ends()
        self.categories.append((of, Category(name, place, when, cases, count)))

    def layer(self, place: Place) -> None:
        at, name = self.word.place, self.name()
        self.define(name, at)
        letters, lines, last = self.in_brackets(), list[tuple[str, Tree | Read]](), list[tuple[str, str, Tree]]()

        def line() -> None:
            here = self.word.place
            if last:
                raise Refused(here, "the line with <- is the last of a layer")
            first = self.letter()
            if self.take("["):
                i = self.letter()
                self.need("]")
                self.need("<-")
                last.append((first, i, self.expr()))
                taken = [first, i, *(name for name, _ in lines), *letters]
                if "j" in (first, *(name for name, _ in lines)):
                    raise Refused(here, "j is the token that is read, in V, S and M of a read: take another letter")
                for k, one in enumerate(taken):
                    self.may_be(one, here)
                    if one in taken[:k]:
                        raise Refused(here, f"{one} is defined twice in this layer")
            else:
                self.need("=")
                lines.append((first, self.read() if self.sees("read") else self.expr()))
            self.line_ends()

        self.block(line)
        if not last:
            raise Refused(self.word.place, f"the layer {name} must end with a line `x[i] <- ...`")
        self.result.layers[name] = Layer(name, place, letters, tuple(lines), *last[0])

    def read(self) -> Read:
        place = self.need("read")
        value = self.expr()
        self.need("at")
        tie = self.take("leftmost", "rightmost", "average") or "average"
        self.need("max")
        self.need("of")
        score = self.expr()
        mask = self.expr() if self.take("over") else None
        default = self.expr() if self.take("else") else None
        return Read(place, value, tie, score, mask, default)

    def network(self, place: Place) -> None:
        at, name = self.word.place, self.name()
        self.define(name, at)
        letters = self.in_brackets()
        for letter in letters:
            self.may_be(letter, place)
        self.result.networks[name] = Network(name, place, letters, self.block(self.part))

    def part(self) -> Part:
        place = self.word.place
        if self.take("for"):
            letter = self.letter()
            self.need("in")
            reach = self.range()
            return Part(place, letter, (), reach, self.line_or_block(self.part))
        name = self.name("a layer, a network or `for`")
        arguments = self.items(")") if self.take("(") else ()
        self.line_ends()
        return Part(place, name, arguments)

    def claim(self, place: Place) -> None:
        name = self.of_kind("id", "the claim's id")
        if any(c.id == name for c in self.result.claims):
            raise Refused(place, f"a second claim {name}")
        self.need(",")
        kind = self.take(*KINDS) or self.wrong(f"{', '.join(KINDS[:-1])} or {KINDS[-1]}")
        self.need(",")
        self.string()
        self.need(",")
        on, when, skip, why = "", None, None, ""
        if not self.take("once"):
            self.need("on", " or `once`")
            on = self.of_inputs()
            when = self.expr() if self.take("if") else None
        self.need(":")
        self.line_ends()
        self.of_kind("deeper", "an indented block")
        says = self.string()
        self.line_ends()
        if self.sees("skipped") and self.words[self.k + 1].text == "if":
            self.k += 2
            skip, why = self.expr(), self.string()
            self.line_ends()
        if self.word.kind == "back":
            self.wrong("a relation: a claim has at least one line, which")
        lines = self.rest(lambda: self.line(outer=True))
        self.result.claims.append(Claim(name, place, kind, on, when, skip, why, lines, says))

    def line(self, outer: bool = False) -> Line:
        place = self.word.place
        reach, when = None, None
        letters, sides = tuple[str, ...](), tuple[Tree, ...]()
        if self.take("for"):
            op = self.take("all") or "for"
            letters = (self.letter(),)
            if op == "for":
                self.need("in")
                reach = self.range()
            elif self.take("["):
                letters, reach = self.entries(letters[0])
            when = self.expr() if self.take("if") else None
        elif self.take("if"):
            op, when = "if", self.expr()
        elif op := self.take("within", "across", "once"):
            if op != "within" and not outer:
                raise Refused(place, f"`{op}` stands in no other block")
            if op != "once":
                sides = (self.expr(),)
                self.need("as")
                letters = (self.letter(),)
                self.need(",")
                letters = (*letters, self.letter())
                if letters[0] == letters[1]:
                    raise Refused(place, f"the letter {letters[0]} stands twice")
        else:
            return self.relation()
        block = self.line_or_block(self.line)
        return Line(op, place, sides, reach=reach, when=when, letters=letters, block=block)

    def entries(self, name: str) -> tuple[tuple[str, str], Tree]:
        """`r] for r in a..b`, of `for all c[`."""
        index = self.letter()
        self.need("]")
        self.need("for")
        place = self.word.place
        same = self.take(index)
        if same:
            self.need("in")
        reach = self.range() if same else None
        if reach is None or reach.op != "range":
            raise Refused(place, f"`for all {name}[{index}] for {index} in a..b` is meant")
        return (name, index), reach

    def relation(self) -> Line:
        first = self.k
        left = self.or_()
        if sign := self.take("iff", "recognises"):
            middle = self.k
            sides: tuple[Tree, ...] = (left, self.or_())
            signs: tuple[str, ...] = (sign,)
            starts: tuple[int, ...] = (first, middle, self.k + 1)
        elif self.compared and self.compared[0] is left and self.compared[1][0] == first:
            sides, signs, starts = left.parts, left.signs, self.compared[1]
        else:
            if self.word.text != "<-":
                self.k = first
            self.wrong("a relation, E = F, E <= F, a chain of them, or C iff D (of a truth alone: C iff true)")
        texts = tuple(self.text(starts[k], starts[k + 2] - 1) for k in range(len(signs)))
        place = self.words[first].place
        self.line_ends()
        return Line("relation", place, sides, signs, texts, tuple(self.words[k].place for k in starts[:-1]))

    def text(self, start: int, stop: int) -> str:
        return "".join((" " if word.gap and k else "") + word.text for k, word in enumerate(self.words[start:stop]))

    # expressions
    def deeper(self, place: Place) -> None:
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise OverLimit(f"{place}: nested deeper than {MOST_DEPTH}")

    def expr(self) -> Tree:
        place = self.word.place
        self.deeper(place)
        found = self.iff()
        if self.take("if"):
            when = self.iff()
            self.need("else")
            found = Tree("if", place, (when, found, self.expr()))
        self.depth -= 1
        return found

    def iff(self) -> Tree:
        place, left = self.word.place, self.or_()
        return Tree("iff", place, (left, self.or_())) if self.take("iff") else left

    def several(self, op: str, one: Callable[[], Tree]) -> Tree:
        place, found = self.word.place, [one()]
        while self.take(op):
            found.append(one())
        return Tree(op, place, tuple(found)) if len(found) > 1 else found[0]

    def or_(self) -> Tree:
        return self.several("or", self.and_)

    def and_(self) -> Tree:
        return self.several("and", self.not_)

    def not_(self) -> Tree:
        place, times = self.word.place, 0
        while self.take("not"):
            self.deeper(place)
            times += 1
        found = self.compare()
        self.depth -= times
        return found if not times else Tree("not", place, (found,), signs=("not",) * times)

    def compare(self) -> Tree:
        place, starts, found, signs = self.word.place, [self.k], [self.sum()], list[str]()
        while self.sees(*SIGNS):
            signs.append(self.take(*SIGNS))
            starts.append(self.k)
            found.append(self.sum())
        if not signs:
            return found[0]
        tree = Tree("compare", place, tuple(found), signs=tuple(signs))
        self.compared = tree, (*starts, self.k + 1)  # as if a sign stood after the last side
        return tree

    def signed(self, op: str, signs: tuple[str, ...], one: Callable[[], Tree], first: str) -> Tree:
        place, found, seen = self.word.place, [one()], [first]
        while self.sees(*signs):
            seen.append(self.take(*signs))
            found.append(one())
        return Tree(op, place, tuple(found), signs=tuple(seen)) if len(found) > 1 or first == "-" else found[0]

    def sum(self) -> Tree:
        place = self.word.place
        first = self.take("-") or "+"
        found = self.signed("+", ("+", "-"), self.product, first)
        return replace(found, place=place) if first == "-" else found

    def product(self) -> Tree:
        return self.signed("*", ("*", "/", "mod", "div"), self.power, "*")

    def power(self) -> Tree:
        place, base = self.word.place, self.postfix()
        if not self.take("^"):
            return base
        self.deeper(place)
        at = self.word.place
        minus = bool(self.take("-"))
        exponent = self.power()
        self.depth -= 1
        return Tree("^", place, (base, Tree("+", at, (exponent,), signs=("-",)) if minus else exponent))

    def postfix(self) -> Tree:
        place, found, times = self.word.place, self.atom(), 0
        while self.take("["):
            found, times = Tree("index", place, (found, self.expr())), times + 1
            self.need("]")
            if times == MOST_DEPTH:
                raise OverLimit(f"{place}: {MOST_DEPTH} indices or more in a row")
        return found

    def range(self) -> Tree:
        place, low = self.word.place, self.sum()
        return Tree("range", place, (low, self.sum())) if self.take("..") else low

    def atom(self) -> Tree:
        word, place = self.word, self.word.place
        if word.kind == "number":
            self.k += 1
            if len(word.text) > MOST_BITS * 3 // 10:
                raise OverLimit(f"{place}: a number of more than {MOST_BITS:,} binary digits")
            return Tree("number", place, value=Fraction(int(word.text)))
        if word.kind == "sign":
            if self.take("("):
                found = self.expr()
                self.need(")")
                return found
            if self.take("["):
                return Tree("list", place, self.items("]"))
            if self.take("|"):
                found = Tree("|", place, (self.expr(),))
                self.need("|")
                return found
        elif self.sees("true", "false"):
            return Tree("truth", place, word=self.take("true", "false"))
        name = self.name("an expression")
        return Tree("call", place, self.items(")"), name) if self.take("(") else Tree("name", place, word=name)

    def items(self, close: str) -> tuple[Tree, ...]:
        found = list[Tree]()
        if not self.sees(close):
            found.append(self.item())
            while self.take(","):
                found.append(self.item())
        self.need(close)
        dots = [k for k, item in enumerate(found) if item.op == "dots"]
        if dots and (close == ")" or dots != [len(found) - 2] or dots[0] == 0):
            raise Refused(found[dots[0]].place, "`...` stands before the last item of a list, and after another one")
        for item in found:
            if item.op == "each" and len(found) > 1:
                raise Refused(item.place, "an item with `for` or `over` stands alone in its brackets")
        return tuple(found)

    def item(self) -> Tree:
        place = self.word.place
        if self.take("..."):
            return Tree("dots", place)
        body, letter, reach, over = self.expr(), "", None, ""
        if self.take("for"):
            letter = self.letter()
            self.need("in")
            reach = self.range()
        if self.take("over"):
            over = self.of_inputs()
        if not (reach or over):
            return body
        when = self.expr() if self.take("if") else None
        return Tree("each", place, (body,), letter, reach=reach, over=over, when=when)

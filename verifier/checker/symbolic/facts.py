"""SYMBOLIC 2 and 3: facts.page, read into definitions, facts, rules and claims. The text is the checker's own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from ..core.reading import Unreadable
from ..core.ring import Poly, add, atom, number, product
from ..page.tree import Parser, Tree
from ..page.words import Refused, words_of
from .polynomial import Bound, Index, index_of, poly

# Letters of the instance and the context: a fact used in another speaks of the same ones.
FIXED = ("d", "n", "m", "f")
# Indices that run over rows, of which there are d: never written out, whatever n is.
ROWS = ("d", "e", "f")
PLACES = ("i", "j", "e")  # what a definition may run over
NEW = ("o", "u")  # what an inequality that is given makes of itself: a > b is a = b + 1 + o


@dataclass(frozen=True)
class Equation:
    """atom = polynomial, wherever the indices are within the bounds; or one of several."""

    range: tuple[Bound, ...]
    atom: Poly
    by: Poly
    further: tuple[Poly, ...] = ()


@dataclass(frozen=True)
class Fact:
    """For all whole numbers within the bounds: if the equations, then goal >= 0, or goal = 0."""

    name: str
    range: tuple[Bound, ...]
    given: tuple[Equation, ...]
    goal: Poly
    equal: bool
    variable: str = ""  # of the induction; none if it is shown directly
    start: Index = ("", 0)
    cases: str = ""  # the definition of which a step has one case for each equation

    @property
    def indices(self) -> list[str]:
        """The symbols that the fact is about, but for those of the instance."""
        return sorted({symbol for bound in self.range for symbol, _ in bound} - {"", "d", "n"})


@dataclass(frozen=True)
class Claim:
    """What is enough for a claim; a condition on n under which alone it is claimed; words, if it is of no page."""

    parts: tuple[str, ...]
    range: tuple[Bound, ...] = ()
    says: str = ""


@dataclass
class Facts:
    lines: tuple[str, ...] = ()
    title: str = ""
    instance: tuple[Bound, ...] = ()  # 1 <= d, 2 <= n
    slack: tuple[str, ...] = ()  # whole numbers >= 0, whatever stands in brackets
    context: tuple[str, ...] = ()  # of these a second context has its own, with '
    defined: dict[str, Equation] = field(default_factory=dict)
    facts: dict[str, Fact] = field(default_factory=dict)
    rules: dict[str, tuple[str, ...]] = field(default_factory=dict)
    claims: dict[str, Claim] = field(default_factory=dict)
    assumed: list[str] = field(default_factory=list)

    def enough(self, parts: tuple[str, ...]) -> frozenset[str]:
        """Rules and facts as facts."""
        return frozenset().union(*(self.enough(self.rules[p]) if p in self.rules else {p} for p in parts))

    def is_slack(self, name: str) -> bool:
        return name.partition("[")[0].removesuffix("'") in self.slack


class _Reader(Parser):
    def __init__(self, text: str) -> None:
        super().__init__(words_of(text, dotted=True))
        self.found = Facts(tuple(text.split("\n")))

    def all_of_it(self) -> Facts:
        if not (self.take("language") and self.word.text == "1"):
            raise Refused(self.words[0].place, "facts begin with the line `language 1`")
        self.k += 1
        self.line_ends()
        while self.word.kind != "end":
            word = self.word.text
            if word in ("title", "sizes", "section", "numbers", "context", "fact", "rule", "claim", "assumed"):
                self.k += 1
                getattr(self, f"read_{word}")()
            else:
                self.read_definition()
            self.line_ends()
        return self.found

    def label(self, taken: bool) -> str:
        """A fact, rule or claim: a name, or several joined by dots."""
        place, name = self.word.place, self.of_kind("id" if self.word.kind == "id" else "name", "the name of a fact")
        if taken != (name in self.found.facts or name in self.found.rules):
            raise Refused(place, f"{name} is {'no fact and no rule' if taken else 'said already'}")
        return name

    def read_title(self) -> None:
        self.found.title = self.string()

    def read_section(self) -> None:
        self.string()

    def read_assumed(self) -> None:
        self.found.assumed.append(self.string())

    def read_sizes(self) -> None:
        bounds = list[Bound]()
        while not bounds or self.take(","):
            name = self.name()
            self.need(">=")
            least = self.natural()
            bounds += [(("", least), (name, 0))] if name in FIXED else []
        self.found.instance = tuple(bounds)

    def read_numbers(self) -> None:
        self.found.slack = self.names()

    def read_context(self) -> None:
        self.found.context = self.names()

    def condition(self) -> Tree | None:
        return self.and_() if self.take("if") else None

    def read_definition(self) -> None:
        place, said = self.word.place, self.or_()
        range_, given = self.split(self.condition(), ())
        sides = [_sides(part, ("=",)) for part in (said.parts if said.op == "or" else (said,))]
        left, by = poly(sides[0][0]), [poly(right) for _, right in sides]
        if given or any(poly(other) != left for other, _ in sides):
            raise Refused(place, "a definition is of one atom, and its condition of indices alone")
        name = self.string() if self.take("as") else _name(_atom(sides[0][0]))
        if name in self.found.defined:
            raise Refused(place, f"{name} is defined already")
        self.found.defined[name] = Equation(range_, left, by[0], tuple(by[1:]))

    def read_fact(self) -> None:
        place, name, variable, start, cases = self.word.place, self.label(False), "", ("", 0), ""
        if self.take("by"):
            variable = self.name()
            self.need("from")
            start = index_of(self.sum())
            cases = self.name() if self.take("in") else ""
            if cases and not (cases in self.found.defined and self.found.defined[cases].further):
                raise Refused(place, f"{cases} is no definition with several cases")
        self.need(":")
        condition = self.condition()
        if condition:
            self.need(":")
        (left, right), sign = _sides(said := self.compare(), (">=", ">", "=", "<=", "<")), said.signs[0]
        goal = add(poly(left), poly(right), -1)
        goal = product(number(-1), goal) if sign in ("<=", "<") else goal
        goal = add(goal, number(1), -1) if sign in ("<", ">") else goal
        range_, given = self.split(condition, (said,))
        self.found.facts[name] = Fact(name, range_, given, goal, sign == "=", variable, start, cases)

    def split(self, condition: Tree | None, others: tuple[Tree, ...]) -> tuple[tuple[Bound, ...], tuple[Equation, ...]]:
        """A condition's bounds of indices, and what else is given: a > b is a = b + 1 + o, o a number >= 0."""
        bounds, given, new = list[Bound](), list[Equation](), list(NEW)
        parts = () if condition is None else condition.parts if condition.op == "and" else (condition,)
        for part in parts:
            try:
                places = [index_of(side) for side in part.parts] if part.op == "compare" else []
            except Unreadable:
                places = []
            if places and set(part.signs) <= {"<=", "="}:
                for (low, high), sign in zip(pairwise(places), part.signs, strict=True):
                    bounds += [(low, high), (high, low)][: 1 + (sign == "=")]
                continue
            left, right = _sides(part, (">=", ">", "=", "<=", "<"))
            by, sign = poly(right), part.signs[0]
            if sign != "=":
                letter = new.pop(0)
                if any(letter in _names(one) for one in (*others, *parts)):
                    raise Refused(part.place, f"{letter} is what this inequality makes of itself")
                more = add(atom(letter), number(1 if sign in ("<", ">") else 0))
                by = add(by, more, 1 if sign in (">", ">=") else -1)
            given.append(Equation((), poly(_atom(left)), by))
        return tuple(bounds), tuple(given)

    def parts(self) -> tuple[str, ...]:
        self.need(":")
        found = [self.label(True)]
        while self.take(","):
            found.append(self.label(True))
        return tuple(found)

    def read_rule(self) -> None:
        name = self.label(False)
        self.found.rules[name] = self.parts()

    def read_claim(self) -> None:
        place, name = self.word.place, self.of_kind("id", "the claim's id")
        if name in self.found.claims:
            raise Refused(place, f"a second claim {name}")
        says = self.string() if self.word.kind == "string" else ""
        range_, _ = self.split(self.condition(), ())
        self.found.claims[name] = Claim(self.parts(), range_, says)


def _sides(tree: Tree, signs: tuple[str, ...]) -> tuple[Tree, Tree]:
    if tree.op != "compare" or len(tree.signs) != 1 or tree.signs[0] not in signs:
        raise Refused(tree.place, f"two sides are expected here, with one of {' '.join(signs)}")
    return tree.parts[0], tree.parts[1]


def _atom(tree: Tree) -> Tree:
    if tree.op == "name" or (tree.op == "index" and tree.parts[0].op == "name"):
        return tree
    raise Refused(tree.place, "an atom is expected here, such as B or k[j+1]")


def _name(tree: Tree) -> str:
    """A definition's name, if it is given none: t for t[j], t0 for t[0], topm for top[m]."""
    if tree.op == "name":
        return tree.word
    family, place = tree.parts
    return family.word + ("" if place.word in PLACES else place.word or str(place.value))


def _names(tree: Tree) -> Iterator[str]:
    yield tree.word
    for part in tree.parts:
        yield from _names(part)


def read(text: str) -> Facts:
    return _Reader(text).all_of_it()


TEXT = Path(__file__).with_name("facts.page").read_text(encoding="utf-8")
FACTS = read(TEXT)

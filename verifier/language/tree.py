"""A page as a tree. Declarations are records; an expression is a tuple: its kind, its place, its parts.

    ("number", place, 3)                ("truth", place, True)             ("name", place, "delta")
    ("index", place, list, index)       ("call", place, name, [arguments]) ("list", place, [items])
    ("each", place, E, letter, range, inputs, condition)     E for letter in range over inputs if condition, or None
    ("dots", place)                     ("range", place, a, b)             a..b, after `in` only
    ("sum", place, [(1 or -1, term)])   ("product", place, [(sign, factor)])  sign: * / mod div, the first one *
    ("power", place, base, exponent)    ("compare", place, [signs], [sides])
    ("and", place, [parts])  ("or", place, [parts])  ("iff", place, [A, B])  ("not", place, E)  ("if", place, C, E, F)

Lines of a layer: ("let", place, name, E), ("read", place, name, V, tie, S, M, E), last ("update", place, x, i, E).
Lines of a network: ("for", place, letter, range, [lines]), ("use", place, name, [arguments]).
Lines of a claim: ("for", place, letter, range, condition, [lines]), ("when", place, C, [lines]),
("once", place, [lines]), ("within" or "across", place, L, a, b, [lines]),
("all", place, t, r, range, condition, [lines])         r and range None where t is one number, not t[r] for r in range
("relation", place, [signs], [sides], [its Signs]).
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from verifier.language.words import Place

Tree = tuple[Any, ...]
BETWEEN_TRUTHS = ("iff", "recognises")  # signs of relations
KINDS = {  # of claims
    "statement": "stated in the source",
    "step": "a step of the source's proof",
    "repair": "a step of the proof, corrected",
    "own": "our own claim, not the source's",
    "excluded": "the text read literally, in a way its authors can't have intended; no effect on the verdict",
}


class Sign(NamedTuple):
    """One sign of a relation: where its left side begins, and its text."""

    place: Place
    text: str


class Item(NamedTuple):
    """A line `name[subscript] = body for letter in range`; letter and range None where there is no `for`."""

    place: Place
    subscript: Tree
    letter: str | None
    reach: Tree | None
    body: Tree


@dataclass(frozen=True)
class Definition:
    place: Place
    body: Tree | None  # None: a list, by its items
    items: list[Item] = field(default_factory=list)
    printed: str | None = None  # its name in certificates
    truth: bool = False  # a category's


@dataclass(frozen=True)
class Function:
    place: Place
    letters: list[str]
    body: Tree


@dataclass(frozen=True)
class Inputs:
    place: Place
    name: str
    variable: str
    kind: str  # words, multisets, sets; list, of which there is `listed` alone
    listed: Tree | None = None
    low: Tree = ()
    high: Tree = ()
    noun: str = ""
    letter: str = ""
    items: Tree = ()
    power: Tree | None = None
    by: Tree | None = None
    at: str | None = None


@dataclass(frozen=True)
class Category:
    place: Place
    name: str
    inputs: str
    condition: Tree
    cases: Tree
    weight: Tree


@dataclass(frozen=True)
class Layer:
    place: Place
    letters: list[str]
    lines: list[Tree]


@dataclass(frozen=True)
class Network:
    place: Place
    letters: list[str]
    lines: list[Tree]


@dataclass(frozen=True)
class Claim:
    place: Place
    id: str
    kind: str
    source: str
    inputs: str | None  # None: once
    condition: Tree | None
    words: str
    skip: tuple[Tree, str] | None
    lines: list[Tree]

    @property
    def signs(self) -> list[tuple[Sign, str]]:
        """Each sign of its relations, in the order of the page."""
        return [pair for line in self.lines for pair in _signs(line)]


def _signs(line: Tree) -> list[tuple[Sign, str]]:
    if line[0] == "relation":
        return list(zip(line[4], line[2], strict=True))
    return [pair for inner in line[-1] for pair in _signs(inner)]


@dataclass
class Page:
    text: str
    title: str = ""
    begins: dict[str, int] = field(default_factory=dict)  # the lines of language, title, sizes, each claim's words
    sizes: dict[str, int] = field(default_factory=dict)  # each size and its least value
    to_try: dict[str, int] = field(default_factory=dict)  # what it is where nobody says one, of those that say so
    definitions: dict[str, Definition] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    inputs: dict[str, Inputs] = field(default_factory=dict)
    categories: list[Category] = field(default_factory=list)
    layers: dict[str, Layer] = field(default_factory=dict)
    networks: dict[str, Network] = field(default_factory=dict)
    claims: dict[str, Claim] = field(default_factory=dict)

    @property
    def printed(self) -> dict[str, str]:
        """The constants that a variant may exchange: the name in certificates, and the page's."""
        return {d.printed: name for name, d in self.definitions.items() if d.printed is not None}

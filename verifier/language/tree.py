"""A page as a tree: declarations are records, expressions and lines are nodes, each kind with a class of its own.

A node is a tuple of its kind, its place and its parts, so that nodes of different kinds are never equal; whoever reads
it does so by the names of its parts.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, ClassVar, NamedTuple, TypeAlias, TypeVar, cast, dataclass_transform

from verifier.language.words import Place


@dataclass_transform(frozen_default=True)
class _Node(tuple[Any, ...]):
    """Gives the parts of a tuple the names that its class lists."""

    __slots__ = ()
    kind: ClassVar[str]
    fields: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, kind: str) -> None:
        names = tuple(cls.__annotations__)
        for k, name in enumerate(names, len(cls.fields) + 1):
            setattr(cls, name, property(itemgetter(k)))
        cls.kind, cls.fields = kind, (*cls.fields, *names)

    def __new__(cls, *parts: Any) -> "_Node":
        if len(parts) != len(cls.fields):
            raise TypeError(f"{cls.__name__} has {len(cls.fields)} parts, not {len(parts)}")
        return tuple.__new__(cls, (cls.kind, *parts))

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self[1:])


class Tree(_Node, kind=""):
    """An expression, or a line of a layer, a network or a claim."""

    place: Place

    @property
    def parts(self) -> tuple[Any, ...]:
        """All but its kind and place."""
        return tuple(self[2:])


T = TypeVar("T", bound=Tree)


def with_parts(tree: T, parts: Iterable[Any]) -> T:
    """The same kind of tree, at the same place, of other parts."""
    return type(tree)(tree.place, *parts)


# expressions


class Number(Tree, kind="number"):
    value: int


class Truth(Tree, kind="truth"):
    value: bool


class Name(Tree, kind="name"):
    name: str


class Index(Tree, kind="index"):
    """listed[subscript]"""

    listed: "Expression"
    subscript: "Expression"


class Call(Tree, kind="call"):
    name: str
    arguments: "list[Expression]"


class ListOf(Tree, kind="list"):
    """[...]: its items; a comprehension alone; or two items or one, dots, and the last one."""

    items: "list[Expression]"


def with_dots(tree: Tree) -> bool:
    """Whether it is a list of a progression: [1, 2, ..., n], also behind further items."""
    return isinstance(tree, ListOf) and len(tree.items) > 2 and isinstance(tree.items[-2], Dots)


class Each(Tree, kind="each"):
    """body for letter in reach over inputs if condition; what isn't written is None."""

    body: "Expression"
    letter: str | None
    reach: "Expression | None"
    inputs: str | None
    condition: "Expression | None"


class Dots(Tree, kind="dots"):
    pass


class Range(Tree, kind="range"):
    """low..high, after `in` only."""

    low: "Expression"
    high: "Expression"


class Sum(Tree, kind="sum"):
    """1 or -1, and the term."""

    terms: "list[tuple[int, Expression]]"


class Product(Tree, kind="product"):
    """The sign, * / mod div, and the factor behind it; the first one's is *."""

    factors: "list[tuple[str, Expression]]"


class Power(Tree, kind="power"):
    base: "Expression"
    exponent: "Expression"


class Compare(Tree, kind="compare"):
    signs: list[str]
    sides: "list[Expression]"


class And(Tree, kind="and"):
    operands: "list[Expression]"


class Or(Tree, kind="or"):
    operands: "list[Expression]"


class Iff(Tree, kind="iff"):
    operands: "list[Expression]"


class Not(Tree, kind="not"):
    operand: "Expression"


class If(Tree, kind="if"):
    condition: "Expression"
    then: "Expression"
    otherwise: "Expression"


Expression: TypeAlias = (
    Number | Truth | Name | Index | Call | ListOf | Each | Dots | Range
    | Sum | Product | Power | Compare | And | Or | Iff | Not | If
)  # fmt: skip

# lines of layers and networks


class Let(Tree, kind="let"):
    name: str
    body: Expression


class Read(Tree, kind="read"):
    """name = read value at tie max of score over mask else default"""

    name: str
    value: Expression
    tie: str
    score: Expression
    mask: Expression | None
    default: Expression | None


class Update(Tree, kind="update"):
    """tokens[position] <- body"""

    tokens: str
    position: str
    body: Expression


LayerLine: TypeAlias = Let | Read | Update


class Family(Tree, kind="for"):
    letter: str
    reach: Expression
    lines: "list[NetworkLine]"


class Use(Tree, kind="use"):
    """A layer or network, by its name."""

    name: str
    arguments: list[Expression]


NetworkLine: TypeAlias = Family | Use

# lines of claims


class Sign(NamedTuple):
    """One sign of a relation: where its left side begins, and its text."""

    place: Place
    text: str


class Chain(Tree, kind="relation"):
    """Sides with signs between them: each sign is a relation."""

    signs: list[str]
    sides: list[Expression]
    texts: list[Sign]


class ForEach(Tree, kind="for"):
    letter: str
    reach: Expression
    condition: Expression | None
    lines: "list[ClaimLine]"


class When(Tree, kind="when"):
    condition: Expression
    lines: "list[ClaimLine]"


class Once(Tree, kind="once"):
    lines: "list[ClaimLine]"


class Within(Tree, kind="within"):
    """Of neighbours among the numbers of a case."""

    numbers: Expression
    lower: str
    upper: str
    lines: "list[ClaimLine]"


class Across(Tree, kind="across"):
    """Of neighbours among the numbers of all cases."""

    numbers: Expression
    lower: str
    upper: str
    lines: "list[ClaimLine]"


class ForAll(Tree, kind="all"):
    """for all letter, a real number; or letter[subscript] for subscript in reach."""

    letter: str
    subscript: str | None
    reach: Expression | None
    condition: Expression | None
    lines: "list[ClaimLine]"


ClaimLine: TypeAlias = Chain | ForEach | When | Once | Within | Across | ForAll
NO_ITEMS = ListOf((0, 0), [])

BETWEEN_TRUTHS = ("iff", "recognises")  # signs of relations
KINDS = {  # of claims
    "statement": "stated in the source",
    "step": "a step of the source's proof",
    "repair": "a step of the proof, corrected",
    "own": "our own claim, not the source's",
    "excluded": "the text read literally, in a way its authors can't have intended; no effect on the verdict",
}


class Item(NamedTuple):
    """A line `name[subscript] = body for letter in range`; letter and range None where there is no `for`."""

    place: Place
    subscript: Expression
    letter: str | None
    reach: Expression | None
    body: Expression


@dataclass(frozen=True)
class Definition:
    place: Place
    body: Expression | None  # None: a list, by its items
    items: list[Item] = field(default_factory=list)
    printed: str | None = None  # its name in certificates
    truth: bool = False  # a category's


@dataclass(frozen=True)
class Function:
    place: Place
    letters: list[str]
    body: Expression


@dataclass(frozen=True)
class Inputs:
    place: Place
    name: str
    variable: str
    kind: str  # words, multisets, sets; list, of which there is `listed` alone
    listed: Expression | None = None
    low: Expression = NO_ITEMS
    high: Expression = NO_ITEMS
    noun: str = ""
    letter: str = ""
    items: ListOf = NO_ITEMS
    power: Expression | None = None
    by: Expression | None = None
    at: str | None = None


@dataclass(frozen=True)
class Category:
    place: Place
    name: str
    inputs: str
    condition: Expression
    cases: Expression
    weight: Expression


@dataclass(frozen=True)
class Layer:
    place: Place
    letters: list[str]
    lines: list[LayerLine]

    @property
    def update(self) -> Update:
        """The last line."""
        return cast(Update, self.lines[-1])

    @property
    def named(self) -> list[Let | Read]:
        """The lines before it."""
        return cast(list[Let | Read], self.lines[:-1])


@dataclass(frozen=True)
class Network:
    place: Place
    letters: list[str]
    lines: list[NetworkLine]


@dataclass(frozen=True)
class Claim:
    place: Place
    id: str
    kind: str
    source: str
    inputs: str | None  # None: once
    condition: Expression | None
    words: str
    skip: tuple[Expression, str] | None
    lines: list[ClaimLine]

    @property
    def signs(self) -> list[tuple[Sign, str]]:
        """Each sign of its relations, in the order of the page."""
        return [pair for line in self.lines for pair in _signs(line)]


def _signs(line: ClaimLine) -> list[tuple[Sign, str]]:
    if isinstance(line, Chain):
        return list(zip(line.texts, line.signs, strict=True))
    return [pair for inner in line.lines for pair in _signs(inner)]


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

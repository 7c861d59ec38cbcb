"""Is a layer attention as papers define it, token-wise, or neither? LANGUAGE.md 4, from the degrees
of its expressions."""

from copy import copy
from typing import NamedTuple

from verifier.language.builtins import BUILTINS
from verifier.language.tree import (
    And,
    Call,
    Compare,
    Dots,
    Each,
    Expression,
    If,
    Iff,
    Index,
    Layer,
    Let,
    ListOf,
    Name,
    Not,
    Number,
    Or,
    Page,
    Power,
    Product,
    Range,
    Sum,
    Truth,
)

TABLE = 99  # the degree of what is no polynomial


class Degree(NamedTuple):
    """In the token itself and what it has read, together; in x[j]; in what it has read."""

    own: int
    other: int
    reads: int


NONE, OWN, OTHER, READ = Degree(0, 0, 0), Degree(1, 0, 0), Degree(0, 1, 0), Degree(1, 0, 1)


class Form(NamedTuple):
    name: str  # attention, token-wise, generalised
    heads: int


def largest(degrees: list[Degree]) -> Degree:
    return Degree(*map(max, zip(NONE, *degrees, strict=True)))


def added(degrees: list[Degree]) -> Degree:
    return Degree(*(min(sum(d), TABLE) for d in zip(NONE, *degrees, strict=True)))


def table(degrees: list[Degree]) -> Degree:
    return Degree(*(TABLE if d else 0 for d in largest(degrees)))


DEGREES = {"sum": largest, "product": added, "table": table}  # of functions


def form(page: Page, layer: Layer) -> Form:
    heads, unlike = _examined(page, layer)
    return Form("generalised" if unlike and heads else "attention" if heads else "token-wise", heads)


def why_generalised(page: Page, layer: Layer) -> str:
    """In what a generalised layer is no attention as papers define it."""
    heads, unlike = _examined(page, layer)
    return "; ".join(unlike) if heads else ""


def _examined(page: Page, layer: Layer) -> tuple[int, list[str]]:
    """How many heads a layer has, and what no layer of attention has."""
    x, i, last = layer.update.tokens, layer.update.position, layer.update.body
    of, within_read = _Degrees(page, x, i), _Degrees(page, x, "" if i == "j" else i)  # there j is what is read
    named: dict[str, Degree] = {}
    heads, unlike = _heads(last), []
    for line in layer.named:
        bound = line.name
        if isinstance(line, Let):
            named[bound] = of(line.body, named)
            heads += _heads(line.body)
            continue
        heads += 1
        v, s = within_read(line.value, named), within_read(line.score, named)
        m = NONE if line.mask is None else within_read(line.mask, named)
        e = NONE if line.default is None else of(line.default, named)
        differs = {
            f"the value that {bound} reads depends on {x}[{i}], or on what was read": v.own,
            f"the value that {bound} reads isn't affine in {x}[j]": v.other > 1,
            f"the score of {bound} isn't affine in {x}[{i}]": s.own > 1 and not s.reads,
            f"the score of {bound} isn't affine in {x}[j]": s.other > 1,
            f"the score of {bound} depends on what was read": s.reads,
            f"the mask of {bound} looks at tokens": m != NONE,
            f"what {bound} is where it reads nothing depends on tokens": e != NONE,
        }
        unlike += [why for why, so in differs.items() if so]
        named[bound] = READ
    if of(last, named).own > 1:
        unlike.append(f"the new {x}[{i}] isn't affine in {x}[{i}] and what is read, together")
    return heads, unlike


def _heads(tree: object) -> int:
    """How often `head(...)` stands in a tree."""
    if isinstance(tree, tuple | list):
        return (isinstance(tree, Call) and tree.name == "head") + sum(map(_heads, tree))
    return 0


class _Degrees:
    def __init__(self, page: Page, x: str, i: str) -> None:
        self.page, self.x, self.i = page, x, i
        self.functions: dict[tuple[str, tuple[Degree, ...]], Degree] = {}  # by the degrees of their arguments

    def __call__(self, tree: Expression, named: dict[str, Degree]) -> Degree:
        match tree:
            case Number() | Truth() | Dots():
                return NONE
            case Name():
                return named.get(tree.name, NONE)
            case Index():
                base, index = tree.listed, tree.subscript
                if isinstance(base, Name) and base.name == self.x and base.name not in named:
                    return OWN if isinstance(index, Name) and index.name == self.i else OTHER
                return largest([self(base, named), table([self(index, named)])])
            case Sum():
                return largest([self(term, named) for _, term in tree.terms])
            case Product():
                factors = self._factors(tree)
                return added([self(f, named) if s in "*/" else table([self(f, named)]) for s, f in factors])
            case Power():
                degree, exponent = self(tree.base, named), tree.exponent
                if isinstance(exponent, Number) and exponent.value < TABLE:
                    return added([degree] * exponent.value)
                return table([degree])
            case If():
                condition, *branches = (self(part, named) for part in (tree.condition, tree.then, tree.otherwise))
                return largest(branches) if condition == NONE else table([condition, *branches])
            case ListOf():
                degrees = [self(item, named) for item in tree.items]
                return table(degrees) if any(isinstance(item, Dots) for item in tree.items) else largest(degrees)
            case Each():
                return self._each(tree, named)
            case Call():
                return self._call(tree, named)
            case Compare():
                return table([self(side, named) for side in tree.sides])
            case And() | Or() | Iff():
                return table([self(operand, named) for operand in tree.operands])
            case Not():
                return table([self(tree.operand, named)])
            case Range():
                return table([self(tree.low, named), self(tree.high, named)])

    def _factors(self, tree: Product) -> list[tuple[str, Expression]]:
        """A product's factors; what stands before mod or div goes into the table with it."""
        factors: list[tuple[str, Expression]] = []
        for sign, factor in tree.factors:
            if sign in ("mod", "div"):
                factors = [("mod", before) for _, before in factors]
            factors.append((sign, factor))
        return factors

    def _each(self, tree: Each, named: dict[str, Degree]) -> Degree:
        reach = tree.reach
        if reach is None or tree.letter is None or tree.inputs is not None:
            return NONE
        numbered = isinstance(reach, Range)
        ends = [self(end, named) for end in ((reach.low, reach.high) if isinstance(reach, Range) else (reach,))]
        inner = {**named, tree.letter: NONE if numbered else ends[0]}
        hidden = ends if numbered or TABLE in ends[0] else []  # what decides how many items there are
        if tree.condition is not None:
            hidden.append(self(tree.condition, inner))
        body = self(tree.body, inner)
        return body if table(hidden) == NONE else table([body, *hidden])

    def _call(self, tree: Call, named: dict[str, Degree]) -> Degree:
        name, arguments = tree.name, tree.arguments
        if name == "head":
            return READ
        degrees = [self(a, named) for a in arguments]
        if name in self.page.functions:
            function = self.page.functions[name]
            key = name, tuple(degrees)
            if key not in self.functions:
                alone = copy(self)
                alone.x = alone.i = ""  # a function sees its own letters, no tokens
                self.functions[key] = alone(function.body, dict(zip(function.letters, degrees, strict=True)))
            return self.functions[key]
        return DEGREES[BUILTINS[name].degree](degrees) if name in BUILTINS else table(degrees)  # len(x): of no token

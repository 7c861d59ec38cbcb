"""Is a layer attention as papers define it, token-wise, or neither? LANGUAGE.md 4, from the degrees
of its expressions."""

from copy import copy
from typing import NamedTuple

from verifier.language.builtins import BUILTINS
from verifier.language.tree import Layer, Page, Tree

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
    _, _, x, i, last = layer.lines[-1]
    of, within_read = _Degrees(page, x, i), _Degrees(page, x, "" if i == "j" else i)  # there j is what is read
    named: dict[str, Degree] = {}
    heads, unlike = _heads(last), []
    for line in layer.lines[:-1]:
        if line[0] == "let":
            named[line[2]] = of(line[3], named)
            heads += _heads(line[3])
            continue
        _, _, bound, value, _, score, mask, default = line
        heads += 1
        v, s = within_read(value, named), within_read(score, named)
        m = NONE if mask is None else within_read(mask, named)
        e = NONE if default is None else of(default, named)
        told = {
            f"the value that {bound} reads depends on {x}[{i}], or on what was read": v.own,
            f"the value that {bound} reads isn't affine in {x}[j]": v.other > 1,
            f"the score of {bound} isn't affine in {x}[{i}]": s.own > 1 and not s.reads,
            f"the score of {bound} isn't affine in {x}[j]": s.other > 1,
            f"the score of {bound} depends on what was read": s.reads,
            f"the mask of {bound} looks at tokens": m != NONE,
            f"what {bound} is where it reads nothing depends on tokens": e != NONE,
        }
        unlike += [why for why, so in told.items() if so]
        named[line[2]] = READ
    if of(last, named).own > 1:
        unlike.append(f"the new {x}[{i}] isn't affine in {x}[{i}] and what is read, together")
    return heads, unlike


def _heads(tree: object) -> int:
    """How often `head(...)` stands in a tree."""
    if isinstance(tree, tuple | list):
        return (tuple(tree[:1]) == ("call",) and tree[2] == "head") + sum(map(_heads, tree))
    return 0


class _Degrees:
    def __init__(self, page: Page, x: str, i: str) -> None:
        self.page, self.x, self.i = page, x, i
        self.functions: dict[tuple[str, tuple[Degree, ...]], Degree] = {}  # by the degrees of their arguments

    def __call__(self, tree: Tree, named: dict[str, Degree]) -> Degree:
        kind = tree[0]
        if kind == "name":
            return named.get(tree[2], NONE)
        if kind == "index":
            _, _, base, index = tree
            if base[:1] == ("name",) and base[2] == self.x and base[2] not in named:
                return OWN if index[2] == self.i else OTHER
            return largest([self(base, named), table([self(index, named)])])
        if kind == "sum":
            return largest([self(term, named) for _, term in tree[2]])
        if kind == "product":
            return added([self(f, named) if s in "*/" else table([self(f, named)]) for s, f in self._factors(tree)])
        if kind == "power":
            base, exponent = self(tree[2], named), tree[3]
            return added([base] * exponent[2]) if exponent[0] == "number" and exponent[2] < TABLE else table([base])
        if kind == "if":
            condition, *branches = (self(part, named) for part in tree[2:])
            return largest(branches) if condition == NONE else table([condition, *branches])
        if kind == "list":
            degrees = [self(item, named) for item in tree[2]]
            return table(degrees) if ("dots",) in (item[:1] for item in tree[2]) else largest(degrees)
        if kind == "each":
            return self._each(tree, named)
        if kind == "call":
            return self._call(tree, named)
        return table([self(part, named) for part in _parts(tree)])

    def _factors(self, tree: Tree) -> list[tuple[str, Tree]]:
        """A product's factors; what stands before mod or div goes into the table with it."""
        factors: list[tuple[str, Tree]] = []
        for sign, factor in tree[2]:
            if sign in ("mod", "div"):
                factors = [("mod", before) for _, before in factors]
            factors.append((sign, factor))
        return factors

    def _each(self, tree: Tree, named: dict[str, Degree]) -> Degree:
        _, _, body, letter, reach, inputs, condition = tree
        if inputs is not None:
            return NONE
        ends = [self(part, named) for part in (reach[2:] if reach[0] == "range" else [reach])]
        here = {**named, letter: NONE if reach[0] == "range" else ends[0]}
        hidden = ends if reach[0] == "range" or TABLE in ends[0] else []  # what decides how many items there are
        if condition is not None:
            hidden.append(self(condition, here))
        found = self(body, here)
        return found if table(hidden) == NONE else table([found, *hidden])

    def _call(self, tree: Tree, named: dict[str, Degree]) -> Degree:
        _, _, name, arguments = tree
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


def _parts(tree: Tree) -> list[Tree]:
    if tree[0] in ("number", "truth", "dots"):
        return []
    if tree[0] == "compare":
        return list(tree[3])
    return list(tree[2]) if tree[0] in ("and", "or", "iff") else list(tree[2:])

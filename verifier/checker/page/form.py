"""LANGUAGE 4, Form: is a layer attention as papers define it, token-wise, or generalised; from degrees in its tree.

A degree is counted in each of: the layer's x[i], its x[j], what is read, and x[i] and what is read together. What
depends on one of them, but not as a polynomial, has degree TABLE in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy

from .builtins import BUILTINS
from .tree import Layer, Page, Read, Tree

Degrees = tuple[int, int, int, int]
Letters = dict[str, Degrees]
NONE, I, J, READ = (0, 0, 0, 0), (1, 0, 0, 1), (0, 1, 0, 0), (0, 0, 1, 1)
TABLE = 99


def largest(found: Iterable[Degrees]) -> Degrees:
    a, b, c, d = zip(NONE, *found, strict=True)
    return max(a), max(b), max(c), max(d)


def product(found: Iterable[Degrees]) -> Degrees:
    a, b, c, d = zip(NONE, *found, strict=True)
    return min(sum(a), TABLE), min(sum(b), TABLE), min(sum(c), TABLE), min(sum(d), TABLE)


def table(found: Iterable[Degrees]) -> Degrees:
    a, b, c, d = largest(found)
    return bool(a) * TABLE, bool(b) * TABLE, bool(c) * TABLE, bool(d) * TABLE


OF_FUNCTIONS = {"largest": largest, "product": product, "table": table}


def form_of(page: Page, layer: Layer) -> tuple[str, int]:
    """The form of a layer, and its number of heads."""
    here = _Degrees(page, layer.x, layer.i)
    letters: Letters = dict.fromkeys((*layer.letters, layer.i), NONE)
    for name, line in layer.lines:
        if isinstance(line, Read):
            within, inner = here.of_a_read(), letters | {"j": NONE}
            mask = within.of(line.mask, inner) if line.mask else NONE
            default = here.of(line.default, letters) if line.default else NONE
            here.head(within.of(line.value, inner), within.of(line.score, inner), mask, default)
            letters = letters | {name: READ}
        else:
            letters = letters | {name: here.of(line, letters)}
    new = here.of(layer.new, letters)
    if not here.heads:
        return "token-wise", 0
    return "attention" if all(here.heads) and new[3] <= 1 else "generalised", len(here.heads)


class _Degrees:
    def __init__(self, page: Page, x: str, i: str) -> None:
        self.page, self.x, self.i = page, x, i
        self.heads: list[bool] = []  # of each head, whether it is one of attention
        self.functions: dict[tuple[str, tuple[Degrees, ...]], Degrees] = {}

    def of_a_read(self) -> _Degrees:
        """Where x[j] is seen, too."""
        inner = copy(self)
        inner.i = "" if self.i == "j" else self.i
        return inner

    def head(self, value: Degrees, score: Degrees, mask: Degrees = NONE, default: Degrees = NONE) -> Degrees:
        of_j = value[0] == value[2] == 0 and value[1] <= 1
        affine = score[0] <= 1 and score[1] <= 1 and score[2] == 0
        self.heads.append(of_j and affine and mask == default == NONE)
        return READ

    def of(self, tree: Tree, letters: Letters) -> Degrees:
        parts = tree.parts
        if tree.op == "name":
            return letters.get(tree.word, NONE)
        if tree.op == "index":
            if parts[0].op == "name" and parts[0].word == self.x not in letters:
                return I if parts[1].word == self.i else J
            return largest((self.of(parts[0], letters), table((self.of(parts[1], letters),))))
        if tree.op == "each":
            return self.each(tree, letters)
        if tree.op == "call":
            return self.call(tree, letters)
        found = [self.of(part, letters) for part in parts]
        if tree.op == "*":
            total = found[0]
            for sign, factor in zip(tree.signs[1:], found[1:], strict=True):
                total = (table if sign in ("mod", "div") else product)((total, factor))
            return total
        if tree.op == "^":
            literal = parts[1].op == "number" and parts[1].value < TABLE
            return product([found[0]] * int(parts[1].value)) if literal else table(found)
        if tree.op == "if":
            return largest(found[1:]) if found[0] == NONE else table(found)
        spaced = any(part.op == "dots" for part in parts)
        return largest(found) if tree.op in ("+", "list") and not spaced else table(found)

    def each(self, tree: Tree, letters: Letters) -> Degrees:
        """What decides how many items there are, a range, a list that is a table or a condition, makes a table."""
        if tree.over or tree.reach is None:
            return NONE
        reach = self.of(tree.reach, letters)
        inner = letters | {tree.word: NONE if tree.reach.op == "range" else reach}
        hides = [reach] if TABLE in reach else []
        hides += [self.of(tree.when, inner)] if tree.when else []
        body = self.of(tree.parts[0], inner)
        return body if largest(hides) == NONE else table((body, *hides))

    def call(self, tree: Tree, letters: Letters) -> Degrees:
        name, found = tree.word, [self.of(part, letters) for part in tree.parts]
        if name == "head":
            key, query = product((found[2], J)), largest((product((found[3], I)), found[4]))
            return product((found[0], self.head(product((found[1], J)), product((key, query)))))
        define = self.page.defines.get(name)
        if define and define.letters is not None:
            asked = name, tuple(found)
            if asked not in self.functions:
                alone = copy(self)
                alone.x = ""  # a function sees its own letters, no tokens
                self.functions[asked] = alone.of(define.items[0].body, dict(zip(define.letters, found, strict=True)))
            return self.functions[asked]
        return OF_FUNCTIONS[BUILTINS[name].form](found) if name in BUILTINS else table(found)

"""LANGUAGE 4, Form: is a layer attention as papers define it, token-wise, or generalised; from degrees in its tree.

A degree is counted in each of: the layer's x[i], its x[j], what is read, x[i] and what is read together, and whatever
else of x. What depends on one of them, but not as a polynomial, has degree TABLE in it.
"""

from __future__ import annotations

from collections.abc import Iterable

from .tree import Layer, Page, Read, Tree

Degrees = tuple[int, int, int, int, int]
NONE, I, J, READ, OTHER = (0, 0, 0, 0, 0), (1, 0, 0, 1, 0), (0, 1, 0, 0, 0), (0, 0, 1, 1, 0), (0, 0, 0, 0, 1)
TABLE = 99


def largest(found: Iterable[Degrees]) -> Degrees:
    a, b, c, d, e = zip(NONE, *found, strict=True)
    return max(a), max(b), max(c), max(d), max(e)


def product(found: Iterable[Degrees]) -> Degrees:
    a, b, c, d, e = zip(NONE, *found, strict=True)
    return min(sum(a), TABLE), min(sum(b), TABLE), min(sum(c), TABLE), min(sum(d), TABLE), min(sum(e), TABLE)


def table(found: Iterable[Degrees]) -> Degrees:
    a, b, c, d, e = largest(found)
    return bool(a) * TABLE, bool(b) * TABLE, bool(c) * TABLE, bool(d) * TABLE, bool(e) * TABLE


def form_of(page: Page, layer: Layer) -> tuple[str, int]:
    """The form of a layer, and its number of heads."""
    reading, own = _Reading(page, layer), frozenset((layer.x, layer.i))
    letters = dict.fromkeys((*layer.letters, layer.i), NONE) | {layer.x: OTHER}
    for name, line in layer.lines:
        if isinstance(line, Read):
            inner, owned = letters | {"j": NONE}, own - {"j"} | {"read's j"}
            mask = reading.of(line.mask, inner, owned) if line.mask else NONE
            value = reading.of(line.value, inner, owned)
            value = largest((value, reading.of(line.default, letters, own) if line.default else NONE))
            letters = letters | {name: reading.head(value, reading.of(line.score, inner, owned), mask)}
        else:
            letters = letters | {name: reading.of(line, letters, own)}
    new = reading.of(layer.new, letters, own)
    reading.seen.append(new)
    if any(degrees[4] for degrees in reading.seen):
        return "generalised", reading.heads
    if not reading.heads:
        return "token-wise", 0
    return "attention" if reading.plain and new[3] <= 1 else "generalised", reading.heads


class _Reading:
    def __init__(self, page: Page, layer: Layer) -> None:
        self.page, self.layer, self.heads, self.plain = page, layer, 0, True
        self.seen: list[Degrees] = []  # of what is read
        self.done: dict[tuple[str, tuple[Degrees, ...]], Degrees] = {}

    def head(self, value: Degrees, score: Degrees, mask: Degrees) -> Degrees:
        self.heads += 1
        self.seen += [value, score, mask]
        of_j = value[0] == 0 and value[1] <= 1 and value[2] == 0
        self.plain &= of_j and score[0] <= 1 and score[1] <= 1 and score[2] == 0 and mask == NONE
        return READ

    def of(self, tree: Tree, letters: dict[str, Degrees], own: frozenset[str]) -> Degrees:
        """own: which of the layer's x and i, and of a read's j, no other letter hides."""
        parts = tree.parts
        if tree.op == "name":
            return letters.get(tree.word, NONE)
        if tree.op == "index" and parts[0].op == parts[1].op == "name" and parts[0].word == self.layer.x in own:
            if parts[1].word == self.layer.i in own:
                return I
            if parts[1].word == "j" and "read's j" in own:
                return J
        if tree.op == "each":
            if tree.over:
                return NONE
            if tree.reach:
                letters, own = (
                    letters | {tree.word: self.of(tree.reach, letters, own)},
                    own - {tree.word, f"read's {tree.word}"},
                )
            found = [self.of(parts[0], letters, own)]
            return largest(found + ([table((self.of(tree.when, letters, own),))] if tree.when else []))
        if tree.op == "call":
            return self.call(tree, letters, own)
        found = [self.of(part, letters, own) for part in parts]
        if tree.op == "index":
            return largest((found[0], table(found))) if any(found[1]) else found[0]
        if tree.op == "*":
            return product(found) if set(tree.signs) <= {"*", "/"} else table(found)
        if tree.op == "^":
            literal = parts[1].op == "number"
            return product([found[0]] * min(int(parts[1].value), TABLE)) if literal else table(found)
        if tree.op == "if":
            return largest((table(found[:1]), *found[1:]))
        return largest(found) if tree.op in ("+", "list") else table(found)

    def call(self, tree: Tree, letters: dict[str, Degrees], own: frozenset[str]) -> Degrees:
        name, parts = tree.word, tree.parts
        if name == "len" and parts[0].op == "name" and parts[0].word == self.layer.x in own:
            return NONE
        found = [self.of(part, letters, own) for part in parts]
        if name == "head":
            key, query = product((found[2], J)), largest((product((found[3], I)), found[4]))
            return product((found[0], self.head(product((found[1], J)), product((key, query)), NONE)))
        define, key_ = self.page.defines.get(name), (name, tuple(found))
        if define and define.letters is not None:
            if key_ not in self.done:
                inner = dict(zip(define.letters, found, strict=True))
                self.done[key_] = self.of(define.items[0].body, inner, frozenset())
            return self.done[key_]
        if name == "dot":
            return product(found)
        return largest(found) if name in ("sum", "column") else table(found)

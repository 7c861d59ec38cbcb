"""FORMAT-build 6: a target without positions, in which no column's place is special."""

from __future__ import annotations

from collections.abc import Iterator

from ..page.tree import Page, Tree
from ..page.words import Refused

FAIR = ("sum", "max", "min", "count", "all", "any", "sorted", "distinct", "len")
Env = dict[str, bool]  # the letters: may one stand for a column's place


def parts(tree: Tree) -> Iterator[Tree]:
    yield from tree.parts
    yield from (part for part in (tree.reach, tree.when) if part is not None)


def is_name(tree: Tree, word: str) -> bool:
    return tree.op == "name" and tree.word == word


class Even:
    """Refuses a definition that may tell columns apart by their places."""

    def __init__(self, page: Page) -> None:
        self.page, self.done = page, set[tuple[str, tuple[bool, ...]]]()

    def function(self, name: str, places: tuple[bool, ...]) -> None:
        if (name, places) not in self.done:
            self.done.add((name, places))
            define = self.page.defines[name]
            letters = dict(zip(define.letters or (), places, strict=True))
            for item in define.items:
                for tree in (item.index, item.body, item.reach):
                    if tree is not None:
                        self.look(tree, {item.letter: False} if item.reach is not None else letters)

    def look(self, tree: Tree, env: Env) -> None:
        if tree.op == "name":
            if is_name(tree, "X") and "X" not in env:
                raise Refused(tree.place, "X stands at no place j, m of `for m in 1..n`: columns are told apart")
            if env.get(tree.word):
                raise Refused(tree.place, f"the place {tree.word} stands as a number: columns are told apart")
            if tree.word not in env and tree.word in self.page.defines:
                self.function(tree.word, ())
        elif tree.op == "each" and not tree.over:
            self.loop(tree, env, fair=False)
        elif tree.op == "call":
            self.call(tree, env)
        elif not (self.column(tree, env) or self.compared(tree, env)) and not tree.over:
            for part in parts(tree):
                self.look(part, env)

    def place(self, tree: Tree, env: Env) -> bool:
        return tree.op == "name" and env.get(tree.word, False)

    def column(self, tree: Tree, env: Env) -> bool:
        """X[p]."""
        return tree.op == "index" and is_name(tree.parts[0], "X") and "X" not in env and self.place(tree.parts[1], env)

    def compared(self, tree: Tree, env: Env) -> bool:
        """p = q, p != q."""
        if tree.op != "compare" or any(sign not in ("=", "!=") for sign in tree.signs):
            return False
        return all(self.place(part, env) for part in tree.parts)

    def call(self, tree: Tree, env: Env) -> None:
        define = self.page.defines.get(tree.word)
        if define is not None and define.letters is not None:
            places = tuple(self.place(part, env) for part in tree.parts)
            for part, place in zip(tree.parts, places, strict=True):
                if not place:
                    self.look(part, env)
            self.function(tree.word, places)
        elif tree.word in FAIR and tree.parts[0].op == "each":
            if not tree.parts[0].over:
                self.loop(tree.parts[0], env, fair=True)
        elif tree.word != "sum" or len(tree.parts) > 1 or not is_name(tree.parts[0], "X") or "X" in env:
            for part in tree.parts:
                self.look(part, env)

    def loop(self, tree: Tree, env: Env, *, fair: bool) -> None:
        body, reach, whole = tree.parts[0], tree.reach, False
        if reach is not None and not (fair and is_name(reach, "X") and "X" not in env):
            if fair and reach.op == "range" and "n" not in env:
                low, high = reach.parts
                whole = low.op == "number" and low.value == 1 and is_name(high, "n") and self.stands(tree, tree.word)
            if not whole:
                self.look(reach, env)
        for inner in (body, tree.when):
            if inner is not None:
                self.look(inner, {**env, tree.word: whole})

    def stands(self, tree: Tree, letter: str) -> bool:
        """Does X[letter] stand in it, or a function of the letter."""
        define = self.page.defines.get(tree.word) if tree.op == "call" else None
        its = tree.parts if define is not None and define.letters is not None else ()
        if tree.op == "index" and is_name(tree.parts[0], "X"):
            its = tree.parts[1:]
        if any(is_name(part, letter) for part in its):
            return True
        return any(self.stands(part, letter) for part in parts(tree))

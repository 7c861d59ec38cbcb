"""Does a target commute with permutations of the columns? It does if no place is special in it (FORMAT-build.md, 6):
X stands there as X[p], p its own column j or a letter of `for p in 1..n` in a sum, max, min, count, all, any, sorted,
distinct or len; as `for c in X` in one of these; or as sum(X). A place p stands as X[p], in p = q and p != q, or as the
argument of a function. (A letter of `for k in 1..n` that is in no X[k], and no function's argument, is a number.)"""

from typing import Any

from verifier.language.tree import Function, Page, Tree
from verifier.language.words import Refused

SYMMETRIC = frozenset(("sum", "max", "min", "count", "all", "any", "sorted", "distinct", "len"))
Letters = dict[str, bool]  # the letters at hand: is it a place


def refuse_uneven(page: Page, function: Function) -> None:
    """Refuses what may depend on the order of the columns, at its place."""
    _Walk(page).visit(function.body, {function.letters[0]: True})


class _Walk:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.seen: set[tuple[Any, ...]] = set()

    def bad(self, tree: Tree, what: str) -> Refused:
        return Refused(
            tree[1],
            f"{what}, so that the target may depend on the order of the columns; write X[j], or X[m] for m in 1..n in a"
            " sum, max, min or sorted; or give --positional",
        )

    def is_X(self, tree: Tree, at: Letters) -> bool:
        return tree[:1] == ("name",) and tree[2] == "X" and "X" not in at

    def is_place(self, tree: Tree, at: Letters) -> bool:
        return tree[:1] == ("name",) and at.get(tree[2], False)

    def visit(self, tree: Any, at: Letters) -> None:
        kind = tree[0] if isinstance(tree, tuple) and tree else None
        if kind == "name":
            self.name(tree, at)
        elif kind == "index" and self.is_X(tree[2], at) and self.is_place(tree[3], at):
            return
        elif kind == "call":
            self.call(tree, at)
        elif kind == "each":
            self.each(tree, at, fair=False)
        elif kind == "compare" and set(tree[2]) <= {"=", "!="} and all(self.is_place(side, at) for side in tree[3]):
            return
        elif isinstance(tree, tuple | list):
            for part in tree:
                self.visit(part, at)

    def name(self, tree: Tree, at: Letters) -> None:
        name = tree[2]
        if self.is_X(tree, at):
            raise self.bad(tree, "X stands here alone, or at a place of its own")
        if self.is_place(tree, at):
            raise self.bad(tree, f"the place {name} stands here as a number")
        if name not in at and name in self.page.definitions and (name,) not in self.seen:
            self.seen.add((name,))
            definition = self.page.definitions[name]
            self.visit(definition.body, {})
            for item in definition.items:
                here = {} if item.letter is None else {item.letter: False}
                self.visit(item.reach, {})
                self.visit([item.subscript, item.body], here)

    def call(self, tree: Tree, at: Letters) -> None:
        _, _, name, arguments = tree
        if name in self.page.functions:
            places = tuple(self.is_place(a, at) for a in arguments)
            for argument, place in zip(arguments, places, strict=True):
                if not place:
                    self.visit(argument, at)
            if (name, places) not in self.seen:
                self.seen.add((name, places))
                function = self.page.functions[name]
                self.visit(function.body, dict(zip(function.letters, places, strict=True)))
        elif name == "sum" and len(arguments) == 1 and self.is_X(arguments[0], at):
            return
        elif name in SYMMETRIC and arguments[0][0] == "each":
            self.each(arguments[0], at, fair=True)
        else:
            self.visit(arguments, at)

    def placed(self, tree: Any, letter: str) -> bool:
        """Does X[letter] stand there, or a function of the letter alone."""
        if not isinstance(tree, tuple | list):
            return False
        here = tree[3] if tree[:1] == ("index",) and tree[2][2:] == ("X",) else None
        its = [here] if here else tree[3] if tree[:1] == ("call",) and tree[2] in self.page.functions else []
        return any(one[0] == "name" and one[2] == letter for one in its) or any(self.placed(t, letter) for t in tree)

    def each(self, tree: Tree, at: Letters, *, fair: bool) -> None:
        _, _, body, letter, reach, inputs, condition = tree
        if inputs is not None:  # a constant
            return
        place = fair and "n" not in at and _ends(reach) == [("number", 1), ("name", "n")]
        place = place and self.placed((body, condition), letter)
        if not place and not (fair and self.is_X(reach, at)):
            self.visit(reach, at)
        self.visit([body, condition], {**at, letter: place})


def _ends(reach: Tree) -> list[tuple[Any, ...]]:
    """Of a range, each as kind and value."""
    return [(end[0], *end[2:]) for end in reach[2:]] if reach[0] == "range" else []

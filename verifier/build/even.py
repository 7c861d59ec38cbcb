"""Does a target commute with permutations of the columns? It does if no place is special in it (FORMAT-build.md, 6):
X stands there as X[p], p its own column j or a letter of `for p in 1..n` in a sum, max, min, count, all, any, sorted,
distinct or len; as `for c in X` in one of these; or as sum(X). A place p stands as X[p], in p = q and p != q, or as the
argument of a function. (A letter of `for k in 1..n` that is in no X[k], and no function's argument, is a number.)"""

from typing import Any

from verifier.language.tree import Call, Compare, Each, Expression, Function, Index, Name, Number, Page, Range
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

    def bad(self, tree: Expression, what: str) -> Refused:
        return Refused(
            tree.place,
            f"{what}, so that the target may depend on the order of the columns; write X[j], or X[m] for m in 1..n in a"
            " sum, max, min or sorted; or give --positional",
        )

    def is_X(self, tree: Expression, at: Letters) -> bool:
        return isinstance(tree, Name) and tree.name == "X" and "X" not in at

    def is_place(self, tree: Expression, at: Letters) -> bool:
        return isinstance(tree, Name) and at.get(tree.name, False)

    def visit(self, tree: Any, at: Letters) -> None:
        if isinstance(tree, Name):
            self.name(tree, at)
        elif isinstance(tree, Index) and self.is_X(tree.listed, at) and self.is_place(tree.subscript, at):
            return
        elif isinstance(tree, Call):
            self.call(tree, at)
        elif isinstance(tree, Each):
            self.each(tree, at, fair=False)
        elif (
            isinstance(tree, Compare)
            and set(tree.signs) <= {"=", "!="}
            and all(self.is_place(side, at) for side in tree.sides)
        ):
            return
        elif isinstance(tree, tuple | list):
            for part in tree:
                self.visit(part, at)

    def name(self, tree: Name, at: Letters) -> None:
        name = tree.name
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

    def call(self, tree: Call, at: Letters) -> None:
        name, arguments = tree.name, tree.arguments
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
        elif name in SYMMETRIC and isinstance(each := arguments[0], Each):
            self.each(each, at, fair=True)
        else:
            self.visit(arguments, at)

    def placed(self, tree: Any, letter: str) -> bool:
        """Does X[letter] stand there, or a function of the letter alone."""
        if not isinstance(tree, tuple | list):
            return False
        places: list[Expression] = []
        if isinstance(tree, Index) and isinstance(tree.listed, Name) and tree.listed.name == "X":
            places = [tree.subscript]
        elif isinstance(tree, Call) and tree.name in self.page.functions:
            places = tree.arguments
        alone = any(isinstance(place, Name) and place.name == letter for place in places)
        return alone or any(self.placed(part, letter) for part in tree)

    def each(self, tree: Each, at: Letters, *, fair: bool) -> None:
        body, letter, reach, condition = tree.body, tree.letter, tree.reach, tree.condition
        if tree.inputs is not None or letter is None or reach is None:  # a constant
            return
        place = fair and "n" not in at and _from_1_to_n(reach)
        place = place and self.placed((body, condition), letter)
        if not place and not (fair and self.is_X(reach, at)):
            self.visit(reach, at)
        self.visit([body, condition], {**at, letter: place})


def _from_1_to_n(reach: Expression) -> bool:
    if not isinstance(reach, Range):
        return False
    low, high = reach.low, reach.high
    return isinstance(low, Number) and low.value == 1 and isinstance(high, Name) and high.name == "n"

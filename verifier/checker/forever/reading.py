"""The plain reading, with positions as numbers of which only the order is known (order.py), and with no word's length
and no bound on it: what would say them is refused. All values of a word are the plain reading's own.

And what is remembered of them: a value as plain data, that of a position by the part that it plays there.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ..page.evaluate import CASE, LENGTH, Code, Evaluator, Frame, Scope
from ..page.numbers import EXACT, NotAffine
from ..page.tree import Tree
from ..page.values import HOLDS, List, Value, exact, truth
from ..page.words import Place, Refused
from .order import POSITION, Lost, Placed, Undecided

Data = Any  # numbers, words, nothing; tuples and frozensets of data: what can be compared, and kept
Roles = dict[int, int]  # of places: which part they play


class NotShown(Exception):
    """What isn't shown for every length: where, and why."""

    def __init__(self, place: Place | None, words: str) -> None:
        super().__init__(place, words)
        self.place, self.words = place, words

    def __str__(self) -> str:
        return f"{self.place}: {self.words}" if self.place else self.words


class Reading(Evaluator):
    """`free` is the size that is nothing but the upper end of the words' length."""

    free = ""
    within = False  # whether that size is itself the largest length
    exact = ""  # the words' variable, if that size is their length
    most = 0  # numbers of lists that look at themselves are known up to here, if it isn't 0

    def __init__(self, *of: Any) -> None:
        super().__init__(*of)
        self.bounded, self.truths, self.once_for_each = dict[int, Tree](), dict[int, Tree](), list[Tree]()  # by ids

    def of(self, tree: Tree, scope: Scope) -> Code:
        code = super().of(tree, scope)
        if scope.tokens and LENGTH in self.uses:
            raise NotShown(tree.place, "a layer asks for the number of tokens")
        if id(tree) in self.bounded and self.most:
            return lambda e: bounded(code(e), self.most)
        return perhaps(code) if id(tree) in self.truths else code

    def builtin(self, tree: Tree, scope: Scope) -> Code:
        """any, all: one item may decide, whatever isn't known of others. All are looked at."""
        parts = tree.parts
        if tree.word not in ("any", "all") or len(parts) != 1 or parts[0].op != "each" or parts[0].over:
            return super().builtin(tree, scope)
        decides, body = tree.word == "any", parts[0].parts[0]
        self.truths[id(body)] = body
        items = self.items(parts, scope)

        def get(e: Frame) -> Value:
            found = items(e)
            known = [truth(item, tree.place) for item in found if item is not PERHAPS]
            if len(known) < len(found) and decides not in known:
                raise Undecided
            return (decides in known) == decides

        return get

    @staticmethod
    def quotient(sign: str, v: Value, divisor: Value, place: Place, at: Place) -> Value:
        if isinstance(v, Lost) and exact(divisor, at) != 0:
            return v.made()
        return Evaluator.quotient(sign, v, divisor, place, at)

    def read(self, tree: Tree, scope: Scope) -> Code:
        """What speaks of no letter is computed once for each word."""
        code = super().read(tree, scope)
        if tree.op not in ("list", "call") or CASE not in self.uses or not self.uses <= {CASE, LENGTH}:
            return code
        key = f"#{id(tree)}"
        self.once_for_each.append(tree)  # an id is told apart while its tree lives
        body = scope.body

        def get(e: Frame) -> Value:
            kept = e[0].kept
            if key not in kept:
                kept[key] = code(body.frame(e[0]))
            return kept[key]  # type: ignore[no-any-return]

        return get

    def of_name(self, tree: Tree, scope: Scope) -> Code:
        name = tree.word
        if name not in scope.letters:
            if name == self.free and self.exact:
                return self.length_of(Tree("name", tree.place, word=self.exact))
            if name == self.free:
                raise NotShown(tree.place, f"{name}, which no length is bound by, is a number here")
            return super().of_name(tree, scope)
        at = scope.letters[name]
        if scope.tokens and at == scope.tokens:
            raise NotShown(tree.place, "a layer looks at all tokens at once")
        if at not in scope.at:
            return super().of_name(tree, scope)
        self.uses.add(at)
        return lambda e: Placed(0, {e[at]: 1}, POSITION)  # type: ignore[return-value]

    def of_compare(self, tree: Tree, scope: Scope) -> Code:
        """j < i, of a layer."""
        at = [scope.letters[part.word] for part in tree.parts if part.op == "name" and part.word in scope.letters]
        if len(at) == len(tree.parts) == 2 and set(at) <= set(scope.at):
            (a, b), holds = at, HOLDS[tree.signs[0]]
            self.uses |= {a, b}
            return lambda e: holds(e[a], e[b])
        return super().of_compare(tree, scope)

    def of_product(self, tree: Tree, scope: Scope) -> Code:
        """i/m, i a position, m the length or the bound on it."""
        if tree.signs == ("*", "/") and tree.parts[0].op == "name" and tree.parts[0].word in scope.letters:
            at, over = scope.letters[tree.parts[0].word], self.length(tree.parts[1], scope)
            if over and (at in scope.at or not scope.tokens):
                self.uses.add(at)
                return lambda e: Placed(0, {e[at]: 1}, over)  # type: ignore[return-value]
        return super().of_product(tree, scope)

    def length(self, tree: Tree, scope: Scope | None = None) -> str:
        """Which length this is, that of the word or the bound on it; empty if it is none."""
        name = tree.word
        if tree.op == "name" and not (scope and name in scope.letters):
            if name == self.free:
                return "over the length" if self.exact else "over the bound" if self.within else ""
            if name in self.page.defines and not self.page.defines[name].items[0].index:
                return self.length(self.page.defines[name].items[0].body)
        if tree.op == "call" and name == "len" and len(tree.parts) == 1 and tree.parts[0].op == "name":
            of = tree.parts[0].word
            return "over the length" if of in self.variables and not (scope and of in scope.letters) else ""
        return ""


def bounded(v: Value, most: int) -> Value:
    if type(v) not in EXACT or -most <= v <= most:  # type: ignore[operator]
        return v
    return Lost(most if v > most else -most)  # type: ignore[operator, return-value]


PERHAPS: Any = object()


def perhaps(code: Code) -> Code:
    def get(e: Frame) -> Value:
        try:
            return code(e)
        except Undecided:
            return PERHAPS  # type: ignore[no-any-return]

    return get


def data(v: Value, roles: Roles | None = None) -> Data:
    """A value as what it is compared by: kinds and first indices with it, positions by their parts alone."""
    if type(v) is List:
        return ("list", v.first, *[data(item, roles) for item in v.items])
    if isinstance(v, Placed):
        if roles is None or not set(v.b) <= set(roles):
            raise NotShown(None, "a number that depends on where a letter stands is kept for another place")
        return ("placed", v.kind, v.a, tuple(sorted((roles[k], b) for k, b in v.b.items())))
    if isinstance(v, Lost):
        return ("lost", v.beyond)
    return ("truth", int(v)) if type(v) is bool else v


def value(d: Data, places: Roles | None = None) -> Value:
    """The value again, with these places in their parts."""
    return value_of(d, places) if depends_on_places(d) else fixed(d)


@lru_cache(100_000)
def depends_on_places(d: Data) -> bool:
    """Or on what isn't known, of which no two are the same."""
    return type(d) is tuple and (d[0] in ("placed", "lost") or any(depends_on_places(item) for item in d[2:]))


@lru_cache(100_000)
def fixed(d: Data) -> Value:
    return value_of(d, None)


def value_of(d: Data, places: Roles | None) -> Value:
    if type(d) is not tuple:
        return d  # type: ignore[no-any-return]
    if d[0] == "lost":
        return Lost(d[1])  # type: ignore[return-value]
    if d[0] == "truth":
        return d[1] == 1  # type: ignore[no-any-return]
    if d[0] == "placed":
        return Placed(d[2], {(places or {})[role]: b for role, b in d[3]}, d[1])  # type: ignore[return-value]
    return List([value_of(item, places) for item in d[2:]], d[1])


MARK = ("no value",)  # what is refused, or isn't decided: whatever comes to it is refused in its own run


def kept(code: Code, e: Frame, roles: Roles | None = None) -> Data:
    try:
        return data(code(e), roles)
    except (Refused, NotAffine):
        return MARK

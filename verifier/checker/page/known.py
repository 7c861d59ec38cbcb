"""LANGUAGE 2, Scope and Known: every name is defined, nothing is defined by itself, and what must be known is.

The mask of an expression says what it follows from besides the sizes: the number of items of the case (LENGTH), the
case itself (CASE), tokens and what is read of them (TOKENS); of `for all` what is affine in real numbers on each of
their cells (REAL), and what is constant there (STEP). It is known if it has none of these but LENGTH.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from difflib import get_close_matches

from .tree import BUILT_IN, Category, Define, Inputs, Layer, Line, Network, Page, Part, Read, Tree
from .words import Place, Refused

LENGTH, CASE, TOKENS, REAL, STEP = 1, 2, 4, 8, 16
FOLDS = frozenset("sum max min count all any len sorted distinct".split())  # noqa: SIM905
ARITY = {
    "abs": 1,
    "comb": 2,
    "fact": 1,
    "unit": 2,
    "column": 1,
    "dot": 2,
    "exp_below": 2,
    "log_below": 2,
    "sqrt_below": 2,
    "softmax_below": 3,
    "head": 5,
    "states": 1,
    "layers": 1,
    "heads": 1,
}
BELOW = frozenset(("exp_below", "log_below", "sqrt_below", "softmax_below"))
KNOWN_ARGUMENTS = frozenset(("unit", "comb", "fact"))
OTHERWISE = {
    "a divisor": "multiply out",
    "an exponent": "take the power from a list, power[k] = 2^k for k in 0..n",
    "what unit is of": "any column is a list, [1 if k = E else 0 for k in 1..d]",
}


@dataclass(frozen=True, slots=True)
class Scope:
    """The masks of the letters that are seen; of a layer its tokens' letter; the list that is being defined."""

    letters: dict[str, int] = field(default_factory=dict)
    x: str = ""
    own: str = ""
    at: tuple[str, ...] = ()  # the letters with which a layer sees its tokens: i, and in a read j
    looped: bool = False
    real: bool = False  # the tokens are real numbers, of `for all`

    def plus(self, letters: Iterable[str], mask: int) -> Scope:
        x, own = ("" if name in letters else name for name in (self.x, self.own))
        return replace(self, letters=self.letters | dict.fromkeys(letters, mask), x=x, own=own)


def stepped(mask: int) -> int:
    """Of a truth, or of a number of items."""
    return mask & ~REAL | STEP if mask & REAL else mask


class Known:
    """The static rules of a page; `mask_of[name]` of each definition that is no function."""

    def __init__(self, page: Page) -> None:
        self.page, self.busy, self.done = page, set[str](), dict[tuple[str, tuple[int, ...]], int]()
        self.variables = {found.variable for found in page.inputs.values()}
        self.categories = {c.name: c for found in page.inputs.values() for c in found.categories}
        for name, define in page.defines.items():
            mask = self.define(define, tuple(0 for _ in define.letters or ()))
            if define.printed and mask:
                raise Refused(define.place, f"{name} has a name for certificates (`as`), and so can't speak of a case")
        for found in page.inputs.values():
            self.inputs(found, found.place)
        for layer in page.layers.values():
            self.layer(layer, layer.place)
        for network in page.networks.values():
            self.network(network, network.place)
        for claim in page.claims:
            if claim.when:
                self.mask(claim.when, Scope())
            if claim.skip:
                self.known(claim.skip, Scope(), "the condition of `skipped`", 0)
            for line in claim.lines:
                self.line(line, Scope())

    @contextmanager
    def within(self, name: str, place: Place) -> Iterator[None]:
        if name in self.busy:
            raise Refused(place, f"{name} is defined by itself")
        self.busy.add(name)
        yield
        self.busy.discard(name)

    # what a page defines
    def define(self, define: Define, masks: tuple[int, ...], place: Place | None = None) -> int:
        key = define.name, masks
        if key in self.done:
            return self.done[key]
        with self.within(define.name, place or define.place):
            if define.letters is not None:
                mask = self.mask(define.items[0].body, Scope(dict(zip(define.letters, masks, strict=True))))
            else:
                mask = 0
                for _ in range(2):  # the second time with the mask of the items so far
                    for item in define.items:
                        scope = Scope({define.name: mask}, own=define.name) if item.index else Scope()
                        if item.reach:
                            reach = self.known(item.reach, Scope(), f"the range of {define.name}'s index")
                            scope = scope.plus((item.letter,), reach)
                        if item.index:
                            mask |= self.known(item.index, scope, f"the index of {define.name}")
                        mask |= self.mask(item.body, scope)
        self.done[key] = mask
        return mask

    def inputs(self, found: Inputs, place: Place) -> None:
        if (found.name, ()) in self.done:
            return
        with self.within(found.name, place):
            scope = Scope({found.at: 0} if found.at else {})
            for tree in (found.low, found.high):
                if tree:
                    self.known(tree, Scope(), "the number of items", 0)
            for tree in (found.items, found.power):
                if tree:
                    self.known(tree, scope, "the set of items", 0)
            if found.by:
                self.known(found.by, scope.plus((found.letter,), 0), "what the set is sorted by", 0)
        self.done[found.name, ()] = 0
        for category in found.categories:
            self.category(category, category.place)
            self.known(category.cases, Scope(), "a category's number of cases", 0)
            self.known(category.inputs, Scope(), "a category's number of inputs", 0)

    def category(self, category: Category, place: Place) -> int:
        if (category.name, ()) not in self.done:
            with self.within(category.name, place):
                self.mask(category.when, Scope())
            self.done[category.name, ()] = CASE
        return CASE

    def layer(self, layer: Layer, place: Place) -> None:
        if (layer.name, ()) in self.done:
            return
        with self.within(layer.name, place):
            scope = Scope(dict.fromkeys(layer.letters, 0) | {layer.x: TOKENS, layer.i: 0}, layer.x, at=(layer.i,))
            for name, line in layer.lines:
                if isinstance(line, Read):
                    inner = replace(scope.plus(("j",), 0), at=(layer.i, "j"))
                    for tree in (line.value, line.score, line.mask):
                        if tree:
                            self.weights(tree, inner)
                    if line.default:
                        self.weights(line.default, scope)
                    scope = scope.plus((name,), TOKENS)
                else:
                    scope = scope.plus((name,), self.weights(line, scope))
            self.weights(layer.new, scope)
        self.done[layer.name, ()] = 0

    def weights(self, tree: Tree, scope: Scope) -> int:
        mask = self.mask(tree, scope)
        if mask & CASE:
            raise Refused(tree.place, "a layer can't see the input: weights don't depend on it")
        return mask

    def network(self, network: Network, place: Place) -> None:
        if (network.name, ()) in self.done:
            return
        with self.within(network.name, place):
            self.parts(network.parts, Scope(dict.fromkeys(network.letters, 0)))
        self.done[network.name, ()] = 0

    def parts(self, parts: tuple[Part, ...], scope: Scope) -> None:
        for part in parts:
            if part.reach:
                mask = self.known(part.reach, scope, "the range of a family of layers")
                self.parts(part.parts, scope.plus((part.name,), mask))
                continue
            used = self.page.layers.get(part.name) or self.page.networks.get(part.name)
            if used is None:
                raise Refused(part.place, f"no layer and no network is called {part.name}{self.meant(part.name)}")
            if len(part.arguments) != len(used.letters):
                raise Refused(part.place, f"{part.name} takes {_arguments(len(used.letters))}")
            for tree in part.arguments:
                self.known(tree, scope, f"an argument of {part.name}")
            if isinstance(used, Layer):
                self.layer(used, part.place)
            else:
                self.network(used, part.place)

    def at_reals(self, name: str, place: Place) -> None:
        """Layers that are run at real numbers are token-wise, and affine on each cell."""
        layer = self.page.layers.get(name)
        if layer is None:
            for part in _used(self.page.networks[name].parts):
                self.at_reals(part, place)
        elif (name, (REAL,)) not in self.done:
            scope = dict.fromkeys(layer.letters, 0) | {layer.x: TOKENS | REAL, layer.i: 0}
            inner = Scope(scope, layer.x, at=(layer.i,), real=True)
            for letter, line in layer.lines:
                if isinstance(line, Read):
                    raise Refused(line.place, f"{name} reads other tokens; real numbers go through token-wise layers")
                inner = inner.plus((letter,), self.mask(line, inner))
            self.mask(layer.new, inner)
            self.done[name, (REAL,)] = 0

    # lines of claims
    def line(self, line: Line, scope: Scope, around: str = "") -> None:
        """around: `all`, `within` or `across`, if the line stands in such a block."""
        inner = scope
        if around and "all" in (line.op, around) and line.op in ("all", "within"):
            word, outer = ("for all" if op == "all" else op for op in (line.op, around))
            hint = "; write c[r] for r in a..b" if word == outer else ""
            raise Refused(line.place, f"`{word}` stands in no block of `{outer}`{hint}")
        if line.op == "all":
            if line.reach:
                self.known(line.reach, scope, "how many real numbers there are")
            inner = scope.plus(line.letters[:1], CASE | REAL)
            if line.when:
                self.mask(line.when, inner)
            for each in line.block:
                self.line(each, inner, "all")
            return
        if around == "all" and line.signs == ("recognises",):
            raise Refused(line.place, "`recognises` counts inputs, and stands in no block of `for all`; write iff")
        masks = [self.mask(tree, scope) for tree in line.sides]
        if line.reach:
            mask = self.mask(line.reach, scope)
            if mask & (REAL | STEP):
                raise Refused(line.reach.place, "what a line runs through can't depend on a real number")
            inner = scope.plus(line.letters, mask)
        elif line.letters:
            inner = scope.plus(line.letters, masks[0] | CASE)
        if line.when:
            self.mask(line.when, inner)
        for each in line.block:
            self.line(each, inner, line.op if line.op in ("within", "across") else around)

    # expressions
    def known(self, tree: Tree, scope: Scope, what: str, allowed: int = LENGTH) -> int:
        mask = self.mask(tree, scope)
        if mask & ~allowed:
            of = "the sizes and the number of items" if allowed else "the sizes"
            other = f" ({OTHERWISE[what]})" if what in OTHERWISE else ""
            raise Refused(tree.place, f"{what} must be known: it has to follow from {of}{other}")
        return mask

    def mask(self, tree: Tree, scope: Scope) -> int:
        if tree.op == "name":
            return self.name(tree, scope)
        if tree.op == "call":
            return self.call(tree, scope)
        if tree.op == "index" and scope.x and tree.parts[0].op == "name" and tree.parts[0].word == scope.x:
            place = tree.parts[1]
            if place.op != "name" or place.word not in scope.at:
                seen = " or ".join(f"{scope.x}[{letter}]" for letter in scope.at)
                raise Refused(place.place, f"here a layer sees {seen}; other tokens only through a read")
            return TOKENS | REAL if scope.real else TOKENS
        if tree.op == "index" and scope.own and tree.parts[0].op == "name" and tree.parts[0].word == scope.own:
            self.known(tree.parts[1], scope, f"the index of {scope.own} in its own definition")
            return scope.letters[scope.own]
        if tree.op == "each":
            if tree.over:
                self.inputs(self.page.inputs[tree.over], tree.place)
                scope = Scope()
            mask = self.mask(tree.reach, scope) if tree.reach else 0
            if tree.reach and tree.reach.op == "range":
                for end in tree.reach.parts:
                    self.not_real(self.mask(end, scope), end.place, "the end of a range can't depend on a real number")
            inner = replace(scope.plus((tree.word,), mask) if tree.reach else scope, looped=True)
            mask = stepped(mask)
            for part in (*tree.parts, tree.when):
                if part:
                    mask |= self.mask(part, inner)
            return 0 if tree.over else mask
        mask = 0
        for k, part in enumerate(tree.parts):
            if tree.op == "*" and tree.signs[k] in ("mod", "div"):
                self.not_real(
                    mask, part.place, f"`{tree.signs[k]}` of what depends on a real number: all is affine in it"
                )
            if tree.op == "*" and tree.signs[k] != "*":
                mask |= self.known(
                    part, scope, "a divisor" if tree.signs[k] == "/" else f"what follows {tree.signs[k]}"
                )
            elif tree.op == "^" and k == 1:
                mask |= self.known(part, scope, "an exponent")
            else:
                found = self.mask(part, scope)
                if tree.op == "*":
                    self.one_real(mask, found, tree.place)
                if tree.op == "index" and k == 1:
                    self.not_real(found, part.place, "an index can't depend on a real number")
                if tree.op == "^":
                    self.not_real(found, tree.place, "a power of what depends on a real number: all is affine in it")
                mask |= stepped(found) if tree.op == "if" and k == 0 else found
        return stepped(mask) if tree.op in ("compare", "and", "or", "not", "iff") else mask

    def not_real(self, mask: int, place: Place, words: str) -> None:
        if mask & REAL:
            raise Refused(place, words)

    def one_real(self, a: int, b: int, place: Place) -> None:
        self.not_real(a & b, place, "of the factors of a product one may depend on a real number: all is affine in it")

    def name(self, tree: Tree, scope: Scope) -> int:
        name, page = tree.word, self.page
        if scope.own and name == scope.own:
            raise Refused(tree.place, f"{name} is defined by itself; its items so far are {name}[...]")
        if scope.x and name == scope.x:
            raise Refused(tree.place, f"a layer sees its tokens as {name}[{scope.at[0]}], and in a read as {name}[j]")
        if name in scope.letters:
            return scope.letters[name]
        if name in self.variables or name == "weight":
            return CASE
        if name in page.sizes:
            return 0
        if name in page.defines and page.defines[name].letters is None:
            return self.define(page.defines[name], (), tree.place)
        if name in self.categories:
            return self.category(self.categories[name], tree.place)
        what = "a function: it needs its arguments" if name in page.defines or name in BUILT_IN else "no value"
        if name in page.names or name in BUILT_IN:
            raise Refused(tree.place, f"{name} is {what}")
        raise Refused(tree.place, f"nothing is called {name}{self.meant(name, scope.letters)}")

    def meant(self, name: str, letters: Iterable[str] = ()) -> str:
        near = get_close_matches(name, [*letters, *self.page.names, *sorted(BUILT_IN)], 1)
        return f"; {near[0]} is meant?" if near else ""

    def call(self, tree: Tree, scope: Scope) -> int:
        name, parts, page = tree.word, tree.parts, self.page
        if name in scope.letters:
            raise Refused(tree.place, f"{name} is a letter here, and no function")
        define, network = page.defines.get(name), page.networks.get(name)
        if define and define.letters is not None:
            self.count(tree, len(define.letters))
            return self.define(define, tuple(self.mask(part, scope) for part in parts), tree.place)
        if network:
            self.count(tree, len(network.letters) + 1)
            self.network(network, tree.place)
            mask = 0
            for part in parts[:-1]:
                mask |= self.known(part, scope, f"an argument of {name}")
            mask |= self.mask(parts[-1], scope)
            if mask & REAL:
                self.at_reals(name, tree.place)
            return mask
        if name in FOLDS:
            if not parts:
                raise Refused(tree.place, f"{name} is of a list, of values, or of `E for j in R`")
            first = parts[0]
            if name == "len" and len(parts) == 1 and first.op == "name":
                shown = first.word == scope.x if first.word in scope.letters else first.word in self.variables
                if shown:
                    return LENGTH
        elif name in ARITY:
            self.count(tree, ARITY[name])
            if name in ("states", "layers", "heads"):
                return self.of_network(tree, scope)
            if name == "head" and scope.real:
                raise Refused(tree.place, "a head reads other tokens; real numbers go through token-wise layers")
            if name == "head" and not scope.at:
                raise Refused(tree.place, "a head stands in a layer alone")
            if name == "head" and scope.looped:
                raise Refused(tree.place, "a head stands once, in no loop")
        else:
            raise Refused(tree.place, f"no function and no network is called {name}{self.meant(name)}")
        mask = TOKENS if name == "head" else 0
        for part in parts:
            if part.op == "each" and name not in FOLDS:
                raise Refused(part.place, f"`for` and `over` stand in brackets, not in {name}")
            known = name in KNOWN_ARGUMENTS or (name in BELOW and part is parts[-1])
            found = self.known(part, scope, f"what {name} is of") if known else self.mask(part, scope)
            if name == "dot":
                self.one_real(mask, found, tree.place)
            mask |= found
        if name == "distinct" or name in BELOW:
            self.not_real(mask, tree.place, f"{name} of what depends on a real number; compare the numbers")
        return stepped(mask) if name in ("count", "all", "any", "len") else mask

    def of_network(self, tree: Tree, scope: Scope) -> int:
        inner = tree.parts[0]
        network = self.page.networks.get(inner.word) if inner.op in ("call", "name") else None
        if network is None or inner.word in scope.letters or (inner.op == "name" and tree.word == "states"):
            like = "states(g(X))" if tree.word == "states" else f"{tree.word}(g)"
            raise Refused(inner.place, f"{tree.word} is of a network: {like}")
        if tree.word == "states":
            mask = self.mask(inner, scope)
            self.not_real(mask, tree.place, "what changes at real numbers depends on them: no states of these")
            return mask
        self.count(inner, len(network.letters))
        self.network(network, inner.place)
        mask = 0
        for part in inner.parts:
            mask |= self.known(part, scope, f"an argument of {inner.word}")
        return mask

    def count(self, tree: Tree, wanted: int) -> None:
        if len(tree.parts) != wanted:
            raise Refused(tree.place, f"{tree.word} takes {_arguments(wanted)}, not {len(tree.parts)}")
        for part in tree.parts:
            if part.op == "each":
                raise Refused(part.place, f"`for` and `over` stand in brackets, not in {tree.word}")


def _used(parts: tuple[Part, ...]) -> Iterator[str]:
    """The layers and networks that are used, in families too."""
    for part in parts:
        if part.reach:
            yield from _used(part.parts)
        else:
            yield part.name


def _arguments(count: int) -> str:
    return "one argument" if count == 1 else f"{count or 'no'} arguments"

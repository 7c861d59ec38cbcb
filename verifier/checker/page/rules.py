"""LANGUAGE 2 to 5, before any case is run: every name is defined, nothing by itself; what must be known is; a layer
sees its own tokens alone; what holds of neighbours holds of all pairs; what is said of all real numbers is affine in
them.

An expression *depends on* a set of words: an input's variable, X, or its number of items, "len X"; the weight of a
case; a layer's tokens and what is read of them; the two letters of neighbours; of `for all` real numbers, in which it
is affine on each of their cells, or these cells alone. It is known if it depends on numbers of items alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from difflib import get_close_matches

from .builtins import BUILT_IN, BUILTINS, OF_NETWORKS
from .tree import Category, Define, Inputs, Layer, Line, Network, Page, Part, Read, Tree
from .values import INEQUALITIES
from .words import Place, Refused

Words = frozenset[str]
NOTHING: Words = frozenset()
WEIGHT, TOKENS, PAIR, REAL, CELL = "weight", "tokens", "neighbours", "a real number", "the cell of a real number"
INSTEAD = {
    "a divisor": "multiply out",
    "an exponent": "take the power from a list, power[k] = 2^k for k in 0..n",
    "what unit is of": "any column is a list, [1 if k = E else 0 for k in 1..d]",
}
PAIRS = (
    "this may hold of neighbours and not of all pairs: the larger side less the smaller one, affine in both with known"
    " factors, must not fall when the second grows, nor when the first falls"
)


@dataclass(frozen=True, slots=True)
class Scope:
    """What the letters that are seen depend on; of a layer its tokens' letter, and those they are seen at: i, and in a
    read j; the list that is being defined."""

    letters: dict[str, Words] = field(default_factory=dict)
    x: str = ""
    at: tuple[str, ...] = ()
    own: str = ""
    layer: bool = False
    looped: bool = False
    real: bool = False  # the tokens depend on a real number

    def plus(self, names: Iterable[str], words: Words) -> Scope:
        hidden = tuple(names)
        x, own = ("" if name in hidden else name for name in (self.x, self.own))
        at = tuple(letter for letter in self.at if letter not in hidden)
        return replace(self, letters=self.letters | dict.fromkeys(hidden, words), x=x, own=own, at=at)


def known(words: Words) -> bool:
    return all(word.startswith("len ") for word in words)


def counted(words: Words) -> Words:
    """Of a truth, or a number of items: of real numbers it is constant on each cell."""
    return (words - {REAL}) | {CELL} if REAL in words else words


class Rules:
    """The static rules of a page; `unknown` are the powers whose base isn't known."""

    def __init__(self, page: Page) -> None:
        self.page, self.busy, self.unknown = page, set[str](), set[Tree]()
        self.done = dict[tuple[str, tuple[Words, ...]], Words]()
        self.variables = {inputs.variable for inputs in page.inputs.values()}
        self.categories = {c.name: c for inputs in page.inputs.values() for c in inputs.categories}
        for name, define in page.defines.items():
            words = self.define(define, tuple(NOTHING for _ in define.letters or ()))
            if define.printed and words:
                raise Refused(define.place, f"{name} has a name for certificates (`as`), and so can't speak of a case")
        for inputs in page.inputs.values():
            self.inputs(inputs, inputs.place)
        for category in self.categories.values():
            self.category(category, category.place)
            self.known(category.cases, Scope(), "a category's number of cases", sizes=True)
            self.known(category.inputs, Scope(), "a category's number of inputs", sizes=True)
        for layer in page.layers.values():
            self.layer(layer, layer.place)
        for network in page.networks.values():
            self.network(network, network.place)
        for claim in page.claims:
            allowed = self.about(page.inputs[claim.on]) if claim.on else NOTHING
            if claim.when:
                self.within(claim.when, Scope(), allowed)
            if claim.skip:
                self.known(claim.skip, Scope(), "the condition of `skipped`", sizes=True)
            for line in claim.lines:
                if line.op in ("once", "across") and not claim.on:
                    instead = "write its lines without `once:`" if line.op == "once" else "write `on` some inputs"
                    raise Refused(line.place, f"a claim that is `once` is about no case: {instead}")
                self.line(line, Scope(), allowed)

    @contextmanager
    def looked_at(self, name: str, place: Place) -> Iterator[None]:
        if name in self.busy:
            raise Refused(place, f"{name} is defined by itself")
        self.busy.add(name)
        yield
        self.busy.discard(name)

    def about(self, inputs: Inputs) -> Words:
        """What an expression about a case of these inputs may depend on."""
        return frozenset((inputs.variable, f"len {inputs.variable}", WEIGHT))

    def within(self, tree: Tree, scope: Scope, allowed: Words) -> Words:
        words = self.of(tree, scope)
        if beyond := sorted(words - allowed - {TOKENS}):
            name = beyond[0].removeprefix("len ")
            raise Refused(tree.place, f"this speaks of a case, by {name}, and none that has it is at hand")
        return words

    def known(self, tree: Tree, scope: Scope, what: str, *, sizes: bool = False) -> Words:
        words = self.of(tree, scope)
        if words if sizes else not known(words):
            of = "the sizes" if sizes else "the sizes and the number of items"
            other = f" ({INSTEAD[what]})" if what in INSTEAD else ""
            raise Refused(tree.place, f"{what} must be known: it has to follow from {of}{other}")
        return words

    # what a page defines
    def define(self, define: Define, arguments: tuple[Words, ...], place: Place | None = None) -> Words:
        key = define.name, arguments
        if key in self.done:
            return self.done[key]
        with self.looked_at(define.name, place or define.place):
            if define.letters is not None:
                letters = dict(zip(define.letters, arguments, strict=True))
                words = self.of(define.items[0].body, Scope(letters))
            else:
                words, before = NOTHING, None
                while words != before:  # again with what the items so far depend on
                    before = words
                    words = words.union(*[self.item(define, k, words) for k in range(len(define.items))])
        self.done[key] = words
        return words

    def item(self, define: Define, k: int, so_far: Words) -> Words:
        item = define.items[k]
        if not item.index:
            return self.of(item.body, Scope())
        scope, words = Scope({define.name: so_far}, own=define.name), NOTHING
        if item.reach:
            words = self.known(item.reach, Scope(), f"the range of {define.name}'s index")
            scope = scope.plus((item.letter,), words)
        words |= self.known(item.index, scope, f"the index of {define.name}")
        return words | self.of(item.body, scope)

    def inputs(self, inputs: Inputs, place: Place) -> None:
        """Their sets; their categories may speak of what is taken over them."""
        if (inputs.name, ()) in self.done:
            return
        with self.looked_at(inputs.name, place):
            scope = Scope({inputs.at: NOTHING} if inputs.at else {})
            for tree in (inputs.low, inputs.high):
                if tree:
                    self.known(tree, Scope(), "the number of items", sizes=True)
            for tree in (inputs.items, inputs.power):
                if tree:
                    self.known(tree, scope, "the set of items", sizes=True)
            if inputs.by:
                self.known(inputs.by, scope.plus((inputs.letter,), NOTHING), "what the set is sorted by", sizes=True)
        self.done[inputs.name, ()] = NOTHING

    def category(self, category: Category, place: Place) -> Words:
        if (category.name, ()) not in self.done:
            inputs = next(i for i in self.page.inputs.values() if category in i.categories)
            with self.looked_at(category.name, place):
                self.within(category.when, Scope(), self.about(inputs))
            self.done[category.name, ()] = frozenset((inputs.variable,))
        return self.done[category.name, ()]

    # layers and networks
    def layer(self, layer: Layer, place: Place) -> Words:
        if (layer.name, ()) not in self.done:
            with self.looked_at(layer.name, place):
                letters = dict.fromkeys((*layer.letters, layer.i), NOTHING) | {layer.x: frozenset((TOKENS,))}
                self.done[layer.name, ()] = self.layer_lines(layer, Scope(letters, layer.x, (layer.i,), layer=True))
        return self.done[layer.name, ()]

    def layer_lines(self, layer: Layer, scope: Scope) -> Words:
        words = NOTHING
        for name, line in layer.lines:
            if isinstance(line, Read):
                inner = scope.plus(("j",), NOTHING)
                inner = replace(inner, at=(*inner.at, "j"), looped=True)
                for tree in (line.value, line.score, line.mask):
                    if tree:
                        words |= self.weights(tree, inner)
                if line.default:
                    words |= self.weights(line.default, replace(scope, looped=True))
                scope = scope.plus((name,), frozenset((TOKENS,)))
            else:
                here = self.weights(line, scope)
                words, scope = words | here, scope.plus((name,), here)
        return (words | self.weights(layer.new, scope)) - {TOKENS}

    def weights(self, tree: Tree, scope: Scope) -> Words:
        words = self.of(tree, scope)
        if not known(words - {TOKENS}):
            raise Refused(tree.place, "a layer can't see the input: weights don't depend on it")
        return words

    def network(self, network: Network, place: Place) -> Words:
        if (network.name, ()) not in self.done:
            with self.looked_at(network.name, place):
                words = self.parts(network.parts, Scope(dict.fromkeys(network.letters, NOTHING)))
            self.done[network.name, ()] = words
        return self.done[network.name, ()]

    def parts(self, parts: tuple[Part, ...], scope: Scope) -> Words:
        words = NOTHING
        for part in parts:
            if part.reach:
                reach = self.known(part.reach, scope, "the range of a family of layers")
                words |= reach | self.parts(part.parts, scope.plus((part.name,), reach))
                continue
            used = self.page.layers.get(part.name) or self.page.networks.get(part.name)
            if used is None:
                raise Refused(part.place, f"no layer and no network is called {part.name}{self.meant(part.name)}")
            if len(part.arguments) != len(used.letters):
                raise Refused(part.place, f"{part.name} takes {several(len(used.letters))}")
            for tree in part.arguments:
                words |= self.known(tree, scope, f"an argument of {part.name}")
            words |= self.layer(used, part.place) if isinstance(used, Layer) else self.network(used, part.place)
        return words

    def at_reals(self, name: str, place: Place) -> None:
        """Layers that are run at real numbers are token-wise, and affine on each cell."""
        layer = self.page.layers.get(name)
        if layer is None:
            for part in used_in(self.page.networks[name].parts):
                self.at_reals(part, place)
        elif (name, (frozenset((REAL,)),)) not in self.done:
            self.done[name, (frozenset((REAL,)),)] = NOTHING
            letters = dict.fromkeys((*layer.letters, layer.i), NOTHING) | {layer.x: frozenset((TOKENS, REAL))}
            scope = Scope(letters, layer.x, (layer.i,), layer=True, real=True)
            for letter, line in layer.lines:
                if isinstance(line, Read):
                    raise Refused(line.place, f"{name} reads other tokens; real numbers go through token-wise layers")
                scope = scope.plus((letter,), self.of(line, scope))
            self.of(layer.new, scope)

    # lines of claims
    def line(self, line: Line, scope: Scope, allowed: Words) -> None:
        around = "all" if REAL in allowed else "within" if PAIR in allowed else ""
        if (around == "within" and line.op in ("within", "all")) or (around == "all" and line.op in ("within", "all")):
            word, outer = ("for all" if op == "all" else op for op in (line.op, around))
            hint = "; write c[r] for r in a..b" if word == outer == "for all" else ""
            raise Refused(line.place, f"`{word}` stands in no block of `{outer}`{hint}")
        if line.op == "relation":
            if around == "all" and line.signs == ("recognises",):
                raise Refused(line.place, "`recognises` counts inputs, and stands in no block of `for all`; write iff")
            for side in line.sides:
                self.within(side, scope, allowed)
        elif line.op == "once":
            self.block(line, Scope(), NOTHING)
        elif line.op == "all":
            if line.reach:
                self.known(line.reach, scope, "how many real numbers there are")
            self.block(line, scope.plus(line.letters[:1], frozenset((REAL,))), allowed | {REAL, CELL})
        elif line.op in ("within", "across"):
            self.within(line.sides[0], scope, allowed)
            alone = line.op == "across"
            inner = (Scope() if alone else scope).plus(line.letters, frozenset((PAIR,)))
            self.block(line, inner, (NOTHING if alone else allowed) | {PAIR})
            self.of_pairs(line.block, line.letters, inner)
        else:
            if line.reach:
                words = self.within(line.reach, scope, allowed)
                if words & {REAL, CELL}:
                    raise Refused(line.reach.place, "what a line runs through can't depend on a real number")
                scope = scope.plus(line.letters, words)
            self.block(line, scope, allowed)

    def block(self, line: Line, scope: Scope, allowed: Words) -> None:
        if line.when:
            self.within(line.when, scope, allowed)
        for each in line.block:
            self.line(each, scope, allowed)

    def of_pairs(self, lines: tuple[Line, ...], pair: tuple[str, ...], scope: Scope) -> None:
        """Inequalities between sides that are affine in a and b with known factors, on no condition about a and b."""
        for line in lines:
            letters = tuple(letter for letter in pair if letter not in line.letters)
            if line.op == "relation":
                for sign, place in zip(line.signs, line.starts, strict=False):
                    if sign not in INEQUALITIES:
                        raise Refused(place, "neighbours are compared by <, <=, > or >=, so that it holds of all pairs")
                for k, side in enumerate(line.sides):
                    if self.degree(side, pair, scope) > 1:
                        raise Refused(line.starts[max(0, k - 1)], PAIRS)
            else:
                if any(tree and mentions(tree, pair) for tree in (line.reach, line.when)):
                    raise Refused(line.place, "what is said of neighbours must be said of all: no condition on them")
                inner = scope.plus(line.letters, self.of(line.reach, scope)) if line.reach else scope
                self.of_pairs(line.block, letters, inner)

    def degree(self, tree: Tree, pair: tuple[str, ...], scope: Scope) -> int:
        """In the two letters; 2 also stands for what is no polynomial with known factors."""
        if not mentions(tree, pair):
            return 0
        if tree.op == "name":
            return 1
        if tree.op == "+":
            return max(self.degree(part, pair, scope) for part in tree.parts)
        of_both = tree.op == "*" and set(tree.signs) <= {"*", "/"}
        if of_both and all(mentions(part, pair) or known(self.of(part, scope)) for part in tree.parts):
            return sum(self.degree(part, pair, scope) for part in tree.parts)
        return 2

    # expressions
    def of(self, tree: Tree, scope: Scope) -> Words:
        """What an expression depends on."""
        if tree.op == "name":
            return self.name(tree, scope)
        if tree.op == "call":
            return self.call(tree, scope)
        if tree.op == "each":
            return self.each(tree, scope)
        if tree.op == "index":
            return self.index(tree, scope)
        if tree.op == "*":
            return self.product(tree, scope)
        if tree.op == "^":
            base, exponent = self.of(tree.parts[0], scope), self.known(tree.parts[1], scope, "an exponent")
            self.not_real(base, tree.place, "a power of what depends on a real number: all is affine in it")
            if not known(base):
                self.unknown.add(tree)
            return base | exponent
        words = [self.of(part, scope) for part in tree.parts]
        if tree.op == "if":
            words[0] = counted(words[0])
        together = NOTHING.union(*words)
        return counted(together) if tree.op in ("compare", "and", "or", "not", "iff") else together

    def not_real(self, words: Words, place: Place, why: str) -> None:
        if REAL in words:
            raise Refused(place, why)

    def one_real(self, a: Words, b: Words, place: Place) -> None:
        self.not_real(a & b, place, "of the factors of a product one may depend on a real number: all is affine in it")

    def product(self, tree: Tree, scope: Scope) -> Words:
        words = self.of(tree.parts[0], scope)
        for sign, part in zip(tree.signs[1:], tree.parts[1:], strict=True):
            if sign == "*":
                factor = self.of(part, scope)
                self.one_real(words, factor, tree.place)
            else:
                if sign != "/":
                    self.not_real(words, part.place, f"`{sign}` of what depends on a real number: all is affine in it")
                factor = self.known(part, scope, "a divisor" if sign == "/" else f"what follows {sign}")
            words |= factor
        return words

    def index(self, tree: Tree, scope: Scope) -> Words:
        base, index = tree.parts
        if base.op == "name" and base.word == scope.x != "":
            if index.op != "name" or index.word not in scope.at:
                seen = " or ".join(f"{scope.x}[{letter}]" for letter in scope.at)
                raise Refused(index.place, f"here a layer sees {seen or 'no token'}; other tokens only through a read")
            return scope.letters[scope.x]
        if base.op == "name" and base.word == scope.own != "":
            return scope.letters[scope.own] | self.known(
                index, scope, f"the index of {scope.own} in its own definition"
            )
        at = self.of(index, scope)
        self.not_real(at, index.place, "an index can't depend on a real number")
        return self.of(base, scope) | at

    def each(self, tree: Tree, scope: Scope) -> Words:
        if tree.over:
            self.inputs(self.page.inputs[tree.over], tree.place)
            allowed, scope = self.about(self.page.inputs[tree.over]), Scope()
            if tree.reach:
                scope = scope.plus((tree.word,), self.within(tree.reach, scope, allowed))
            for part in (*tree.parts, tree.when):
                if part:
                    self.within(part, scope, allowed)
            return NOTHING
        reach = self.of(tree.reach, scope)  # type: ignore[arg-type]
        if tree.reach.op == "range":  # type: ignore[union-attr]
            for end in tree.reach.parts:  # type: ignore[union-attr]
                self.not_real(self.of(end, scope), end.place, "the end of a range can't depend on a real number")
        inner = replace(scope.plus((tree.word,), reach), looped=True)
        return counted(reach).union(*[self.of(part, inner) for part in (*tree.parts, tree.when) if part])

    def name(self, tree: Tree, scope: Scope) -> Words:
        name, page = tree.word, self.page
        if scope.own and name == scope.own:
            raise Refused(tree.place, f"{name} is defined by itself; its items so far are {name}[...]")
        if scope.x and name == scope.x:
            seen = scope.at[0] if scope.at else "i"
            raise Refused(tree.place, f"a layer sees its tokens as {name}[{seen}], and in a read as {name}[j]")
        if name in scope.letters:
            return scope.letters[name]
        if name in self.variables:
            return frozenset((name, f"len {name}"))
        if name == "weight":
            return frozenset((WEIGHT,))
        if name in page.sizes:
            return NOTHING
        if name in page.defines and page.defines[name].letters is None:
            return self.define(page.defines[name], (), tree.place)
        if name in self.categories:
            return self.category(self.categories[name], tree.place)
        if name in page.names or name in BUILT_IN:
            function = name in page.defines or name in BUILT_IN
            raise Refused(tree.place, f"{name} is {'a function: it needs its arguments' if function else 'no value'}")
        raise Refused(tree.place, f"nothing is called {name}{self.meant(name, scope.letters)}")

    def meant(self, name: str, letters: Iterable[str] = ()) -> str:
        near = get_close_matches(name, [*letters, *self.page.names, *sorted(BUILT_IN)], 1)
        return f"; {near[0]} is meant?" if near else ""

    def call(self, tree: Tree, scope: Scope) -> Words:
        name, parts, page = tree.word, tree.parts, self.page
        if name in scope.letters:
            raise Refused(tree.place, f"{name} is a letter here, and no function")
        define = page.defines.get(name)
        if define and define.letters is not None:
            self.takes(tree, len(define.letters))
            arguments = tuple(self.of(part, scope) for part in parts)  # which are computed, used or not
            return self.define(define, arguments, tree.place).union(*map(counted, arguments))
        if name in page.networks:
            self.takes(tree, len(page.networks[name].letters) + 1)
            return self.run(tree, scope)
        if name in BUILTINS:
            return self.builtin(tree, scope)
        if name not in OF_NETWORKS:
            raise Refused(tree.place, f"no function and no network is called {name}{self.meant(name)}")
        self.takes(tree, OF_NETWORKS[name])
        return self.head(tree, scope) if name == "head" else self.of_network(tree, scope)

    def run(self, tree: Tree, scope: Scope) -> Words:
        if scope.layer:
            raise Refused(tree.place, "a layer can't run a network: put layers behind one another in a network")
        words = self.network(self.page.networks[tree.word], tree.place)
        for part in tree.parts[:-1]:
            words |= self.known(part, scope, f"an argument of {tree.word}")
        words |= self.of(tree.parts[-1], scope)
        if REAL in words:
            self.at_reals(tree.word, tree.place)
        return words

    def builtin(self, tree: Tree, scope: Scope) -> Words:
        name, parts, row = tree.word, tree.parts, BUILTINS[tree.word]
        if row.arguments is not None:
            self.takes(tree, row.arguments)
        elif not parts:
            raise Refused(tree.place, f"{name} is of a list, of values, or of `E for j in R`")
        if name == "len" and len(parts) == 1 and parts[0].op == "name":
            letter = parts[0].word
            if letter == scope.x != "":
                return NOTHING
            if letter not in scope.letters and letter in self.variables:
                return frozenset((f"len {letter}",))
        words = NOTHING
        for k, part in enumerate(parts):
            here = self.known(part, scope, f"what {name} is of") if k in row.known else self.of(part, scope)
            if row.form == "product":
                self.one_real(words, here, tree.place)
            words |= here
        if not row.real:
            self.not_real(words, tree.place, f"{name} of what depends on a real number; compare the numbers")
        return counted(words) if row.counts else words

    def head(self, tree: Tree, scope: Scope) -> Words:
        if scope.real:
            raise Refused(tree.place, "a head reads other tokens; real numbers go through token-wise layers")
        if not scope.layer:
            raise Refused(tree.place, "a head stands in a layer alone")
        if scope.looped:
            raise Refused(tree.place, "a head stands once, in no loop and no read")
        for part in tree.parts:
            self.known(part, scope, "a matrix of a head")
        return frozenset((TOKENS,))

    def of_network(self, tree: Tree, scope: Scope) -> Words:
        inner = tree.parts[0]
        network = self.page.networks.get(inner.word) if inner.op in ("call", "name") else None
        if network is None or inner.word in scope.letters or (inner.op == "name" and tree.word == "states"):
            like = "states(g(X))" if tree.word == "states" else f"{tree.word}(g)"
            raise Refused(inner.place, f"{tree.word} is of a network: {like}")
        if tree.word == "states":
            words = self.of(inner, scope)
            self.not_real(words, tree.place, "what changes at real numbers depends on them: no states of these")
            return words
        self.takes(inner, len(network.letters))
        words = self.network(network, inner.place)
        return words.union(*[self.known(part, scope, f"an argument of {inner.word}") for part in inner.parts])

    def takes(self, tree: Tree, wanted: int) -> None:
        if len(tree.parts) != wanted:
            raise Refused(tree.place, f"{tree.word} takes {several(wanted)}, not {len(tree.parts)}")
        for part in tree.parts:
            if part.op == "each":
                raise Refused(part.place, f"`for` and `over` stand in brackets, not in {tree.word}")


def used_in(parts: tuple[Part, ...]) -> Iterator[str]:
    """The layers and networks that are used, in families too."""
    for part in parts:
        if part.reach:
            yield from used_in(part.parts)
        else:
            yield part.name


def mentions(tree: Tree, letters: tuple[str, ...]) -> bool:
    """Whether one of these names stands in an expression."""
    if tree.op == "name":
        return tree.word in letters
    return any(mentions(part, letters) for part in (*tree.parts, tree.reach, tree.when) if part)


def several(count: int) -> str:
    return "one argument" if count == 1 else f"{count or 'no'} arguments"

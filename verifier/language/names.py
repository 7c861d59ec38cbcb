"""What the names of a page mean, and what an expression speaks of: the rules of LANGUAGE.md 2 to 5 that hold before any
run.

An expression *depends on* a set of things: an input's variable (its items), "#" and the variable (how many items it
has), TOKENS (a layer's), PAIR (the a and b of within and across), WEIGHT, REAL (the numbers of `for all`, and what is
affine in them on each cell), STEP (what is constant on each cell). It is known if it depends on numbers of items alone.
"""

from verifier.language import builtins
from verifier.language.builtins import ABOUT_NETWORKS, BUILTINS
from verifier.language.tree import (
    Across,
    And,
    Call,
    Chain,
    ClaimLine,
    Compare,
    Dots,
    Each,
    Expression,
    Family,
    ForAll,
    ForEach,
    If,
    Iff,
    Index,
    Inputs,
    Item,
    Let,
    ListOf,
    Name,
    Network,
    NetworkLine,
    Not,
    Number,
    Once,
    Or,
    Page,
    Power,
    Product,
    Range,
    Read,
    Sum,
    Truth,
    Use,
    When,
    Within,
)
from verifier.language.words import Place, Refused, meant

Dependencies = frozenset[str]
Scope = dict[str, Dependencies]
NOTHING: Dependencies = frozenset()
TOKENS, PAIR, WEIGHT = "a layer's tokens", "the pair", "weight"
REAL, STEP = "a real number", "the cell of a real number"
_INSTEAD = {
    "a divisor": "; multiply out instead",
    "an exponent": "; look it up in a list instead, such as power[k] = 2^k for k in 0..n",
    "what unit is of": "; a column with its 1 at the place E is [1 if k = E else 0 for k in 1..d]",
}


def known(dependencies: Dependencies) -> bool:
    return all(dependency.startswith("#") for dependency in dependencies)


def stepped(dependencies: Dependencies) -> Dependencies:
    """Of a truth, or a number of items."""
    return (dependencies - {REAL}) | {STEP} if REAL in dependencies else dependencies


def affine(place: Place, factors: list[Dependencies]) -> Dependencies:
    """Of a product."""
    if sum(REAL in dependencies for dependencies in factors) > 1:
        raise Refused(place, "two numbers that depend on a real number are multiplied; one may, so that all is affine")
    return NOTHING.union(*factors)


class Names:
    """A page with its names understood; refuses what breaks a rule."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.variables = {inputs.variable for inputs in page.inputs.values()}
        self.kept: dict[object, Dependencies] = {}
        self.under_way: list[object] = []
        self.with_states: set[str] = set()  # the networks whose states are asked for
        self.case_dependent: set[Place] = (
            set()
        )  # of powers whose base isn't known: a negative exponent would divide by it
        self.so_far: dict[str, Dependencies] = {}  # of lists that are being looked at
        self.tokens: tuple[str, str, tuple[str, ...]] | None = None  # within a layer: x, i, and what x is indexed by
        self.token: Dependencies = frozenset(
            (TOKENS,)
        )  # what they are: REAL, too, while a network is looked at for these
        self.look_at_all()

    def look_at_all(self) -> None:
        page = self.page
        for variable in self.variables:
            for kind in (page.definitions, page.functions, page.inputs, page.layers, page.networks, page.sizes):
                if variable in kind:
                    place = next(i.place for i in page.inputs.values() if i.variable == variable)
                    raise Refused(place, f"{variable} is defined already; take another letter for the input")
        for inputs in page.inputs.values():
            self.inputs(inputs)
        for category in page.categories:
            if category.inputs not in page.inputs:
                self.unknown(category.place, category.inputs, page.inputs)
            self.at_case(category.condition, category.inputs)
            self.constant(category.cases)
            self.constant(category.weight)
        for name, definition in page.definitions.items():
            dependencies = self.of_definition(name)
            if definition.printed is not None and dependencies:
                raise Refused(definition.place, f"{name} speaks of a case; 'as' names constants")
        for name, function in page.functions.items():
            self.of_function(name, [NOTHING] * len(function.letters))
        for name in page.layers:
            self.of_layer(name)
        for name in page.networks:
            self.of_network(name)
        for claim in page.claims.values():
            if claim.inputs is not None and claim.inputs not in page.inputs:
                self.unknown(claim.place, claim.inputs, page.inputs)
            if claim.condition is not None and claim.inputs is not None:
                self.at_case(claim.condition, claim.inputs)
            if claim.skip is not None:
                self.constant(claim.skip[0])
            for line in claim.lines:
                self.line(line, self.case(claim.inputs), {})

    # where an expression stands

    def case(self, inputs: str | None) -> Dependencies:
        """What an expression about a case of these inputs may speak of."""
        if inputs is None:
            return NOTHING
        variable = self.page.inputs[inputs].variable
        return frozenset((variable, "#" + variable, WEIGHT))

    def at_case(self, tree: Expression, inputs: str) -> None:
        self.within(tree, {}, self.case(inputs))

    def constant(self, tree: Expression, scope: Scope | None = None) -> None:
        self.within(tree, scope or {}, NOTHING)

    def within(self, tree: Expression, scope: Scope, allowed: Dependencies) -> Dependencies:
        dependencies = self.of(tree, scope)
        if beyond := sorted(dependencies - allowed):
            what = beyond[0].removeprefix("#")
            name = "the weight of a case" if what == WEIGHT else what
            raise Refused(tree.place, f"this speaks of {name}, and there is none at hand here")
        return dependencies

    def known(self, tree: Expression, scope: Scope, what: str) -> Dependencies:
        dependencies = self.of(tree, scope)
        if not known(dependencies):
            hint = _INSTEAD.get(what, "")
            raise Refused(
                tree.place, f"{what} must follow from the sizes, not from {_dependency_text(dependencies)}{hint}"
            )
        return dependencies

    def unknown(self, place: Place, name: str, names: object) -> None:
        others = set(names) if isinstance(names, dict) else set[str]()
        raise Refused(place, f"nothing here is called {name}" + meant(name, others))

    # declarations

    def inputs(self, inputs: Inputs, place: Place | None = None) -> None:
        key = ("inputs", inputs.name)
        if not self.once(key, place or inputs.place, inputs.name):
            return
        self.under_way.append(key)
        tokens, self.tokens = self.tokens, None
        scope: Scope = {inputs.at: NOTHING} if inputs.at else {}
        if inputs.listed is not None:
            self.constant(inputs.listed)
        else:
            self.constant(inputs.low)
            self.constant(inputs.high)
            self.constant(inputs.items, scope)
        if inputs.power is not None:
            self.constant(inputs.power, scope)
        if inputs.by is not None:
            self.constant(inputs.by, {**scope, inputs.letter: NOTHING})
        self.tokens = tokens
        self.kept[key] = NOTHING
        self.under_way.pop()

    def once(self, key: object, place: Place, name: str) -> bool:
        """Whether this must be looked at now; refuses a circle."""
        if key in self.kept:
            return False
        if key in self.under_way:
            raise Refused(place, f"{name} is defined by itself")
        return True

    def of_definition(self, name: str, place: Place | None = None) -> Dependencies:
        definition = self.page.definitions[name]
        if self.once(name, place or definition.place, name):
            self.under_way.append(name)
            tokens, self.tokens = self.tokens, None
            if definition.body is not None:
                self.so_far[name] = self.of(definition.body, {})
            before = None
            while definition.items and before != self.so_far.get(name, NOTHING):  # an item may use those so far
                before = self.so_far.get(name, NOTHING)
                self.so_far[name] = before.union(*map(self.of_item, definition.items))
            self.kept[name] = self.so_far[name]
            for category in self.page.categories:
                if category.name == name:  # which is asked of a case, whatever its condition speaks of
                    self.kept[name] |= {self.page.inputs[category.inputs].variable}
            self.tokens = tokens
            self.under_way.pop()
        return self.kept[name]

    def of_item(self, item: Item) -> Dependencies:
        reach = NOTHING if item.reach is None else self.known(item.reach, {}, "the range of a definition")
        scope: Scope = {} if item.letter is None else {item.letter: NOTHING}
        return reach | self.known(item.subscript, scope, "the index of a definition") | self.of(item.body, scope)

    def of_function(self, name: str, arguments: list[Dependencies], place: Place | None = None) -> Dependencies:
        function, key = self.page.functions[name], (name, *arguments)
        if any(isinstance(k, tuple) and k[0] == name for k in self.under_way):
            raise Refused(place or function.place, f"{name} is defined by itself")
        if self.once(key, place or function.place, name):
            self.under_way.append(key)
            tokens, self.tokens = self.tokens, None
            self.kept[key] = self.of(function.body, dict(zip(function.letters, arguments, strict=True)))
            self.tokens = tokens
            self.under_way.pop()
        return self.kept[key]

    def of_layer(self, name: str) -> Dependencies:
        layer, key = self.page.layers[name], ("layer", name)
        if key not in self.kept:
            scope: Scope = dict.fromkeys(layer.letters, NOTHING)
            x, i, last = layer.update.tokens, layer.update.position, layer.update.body
            scope |= {i: NOTHING}
            allowed = frozenset((TOKENS, *("#" + v for v in self.variables)))
            dependencies = NOTHING
            for line in layer.named:
                if isinstance(line, Let):
                    spoken = self.in_layer(line.body, scope, allowed, (x, i, (i,)))
                else:
                    for part in (line.value, line.score, line.mask, line.default):
                        if part is not None and has_head(part):
                            raise Refused(part.place, "a head stands in a layer once, in no loop and no read")
                    for part in (line.value, line.score, line.mask):
                        if part is not None:
                            dependencies |= self.in_layer(part, {**scope, "j": NOTHING}, allowed, (x, i, (i, "j")))
                    if line.default is not None:
                        dependencies |= self.in_layer(line.default, scope, allowed, (x, i, (i,)))
                    spoken = frozenset((TOKENS,))
                dependencies |= spoken
                scope[line.name] = spoken
            dependencies |= self.in_layer(last, scope, allowed, (x, i, (i,)))
            self.kept[key] = dependencies - {TOKENS}
        return self.kept[key]

    def in_layer(
        self, tree: Expression, scope: Scope, allowed: Dependencies, tokens: tuple[str, str, tuple[str, ...]]
    ) -> Dependencies:
        self.tokens = tokens
        dependencies = self.of(tree, scope)
        self.tokens = None
        if beyond := sorted(dependencies - allowed):
            raise Refused(tree.place, f"a layer can't see {beyond[0]}: weights don't depend on the input")
        return dependencies

    def of_network(self, name: str, place: Place | None = None) -> Dependencies:
        network, key = self.page.networks[name], ("network", name)
        if self.once(key, place or network.place, name):
            self.under_way.append(key)
            self.kept[key] = self.of_lines(network, network.lines, dict.fromkeys(network.letters, NOTHING))
            self.under_way.pop()
        return self.kept[key]

    def of_lines(self, network: Network, lines: list[NetworkLine], scope: Scope) -> Dependencies:
        dependencies = NOTHING
        for line in lines:
            if isinstance(line, Family):
                dependencies |= self.known(line.reach, scope, "the range of a family of layers")
                dependencies |= self.of_lines(network, line.lines, {**scope, line.letter: NOTHING})
                continue
            place, name, arguments = line.place, line.name, line.arguments
            if name in self.page.layers:
                dependencies |= self.of_layer(name)
                letters = self.page.layers[name].letters
            elif name in self.page.networks:
                dependencies |= self.of_network(name, place)
                letters = self.page.networks[name].letters
            else:
                self.unknown(place, name, {**self.page.layers, **self.page.networks})
            if len(arguments) != len(letters):
                raise Refused(place, f"{name} takes {_many(len(letters), 'argument')}, not {len(arguments)}")
            for argument in arguments:
                dependencies |= self.known(argument, scope, "an argument of a layer")
        return dependencies

    def at_reals(self, name: str, place: Place) -> None:
        """Refuses networks that aren't token-wise, affine on each cell."""
        if name in self.page.layers:
            layer = self.page.layers[name]
            scope: Scope = dict.fromkeys(layer.letters, NOTHING)
            x, i, last = layer.update.tokens, layer.update.position, layer.update.body
            outer, self.tokens, self.token = self.tokens, (x, i, (i,)), frozenset((TOKENS, REAL))
            for line in layer.named:
                if isinstance(line, Read):
                    place = line.place
                    raise Refused(place, f"{name} reads other tokens: only token-wise layers are run at real numbers")
                scope[line.name] = self.of(line.body, {**scope, i: NOTHING})
            self.of(last, {**scope, i: NOTHING})
            self.tokens, self.token = outer, frozenset((TOKENS,))
        elif self.once(("real", name), place, name):
            self.kept["real", name] = NOTHING
            for use in _uses(self.page.networks[name].lines):
                self.at_reals(use.name, place)

    # claims

    def line(self, line: ClaimLine, allowed: Dependencies, scope: Scope) -> None:
        if isinstance(line, Chain):
            if line.signs == ["recognises"] and REAL in allowed:
                raise Refused(line.place, "'recognises' counts inputs, and can't stand in 'for all'; write iff")
            for side in line.sides:
                self.within(side, scope, allowed)
        elif isinstance(line, ForEach):
            scope = {**scope, line.letter: self.within(line.reach, scope, allowed)}
            if scope[line.letter] & {REAL, STEP}:
                raise Refused(line.reach.place, "what a line runs through can't depend on a real number")
            if line.condition is not None:
                self.within(line.condition, scope, allowed)
            self.block(line.lines, allowed, scope)
        elif isinstance(line, When):
            self.within(line.condition, scope, allowed)
            self.block(line.lines, allowed, scope)
        elif isinstance(line, Once):
            if not allowed:
                raise Refused(line.place, "this claim is about no case as it is: write the line without `once:`")
            self.block(line.lines, NOTHING, {})
        elif isinstance(line, ForAll):
            if line.reach is not None:
                self.known(line.reach, scope, "how many real numbers there are")
            allowed, scope = allowed | {REAL, STEP}, {**scope, line.letter: frozenset((REAL,))}
            if line.condition is not None:
                self.within(line.condition, scope, allowed)
            self.block(line.lines, allowed, scope)
        else:
            across, place = isinstance(line, Across), line.place
            if across and not allowed:
                raise Refused(place, "'across' compares cases, and this claim is about none: write 'on' some inputs")
            self.within(line.numbers, scope, allowed)
            pair = {line.lower: frozenset((PAIR,)), line.upper: frozenset((PAIR,))}
            inner = pair if across else {**scope, **pair}
            self.block(line.lines, (NOTHING if across else allowed) | {PAIR}, inner)
            self.widening(line.lines, line.lower, line.upper, inner)

    def block(self, lines: list[ClaimLine], allowed: Dependencies, scope: Scope) -> None:
        for line in lines:
            if PAIR in allowed and isinstance(line, Within | Across | ForAll):
                word = "for all" if isinstance(line, ForAll) else line.kind
                raise Refused(line.place, f"'{word}' can't stand in a block about two neighbours")
            if REAL in allowed and isinstance(line, ForAll):
                raise Refused(line.place, "'for all' can't stand in another one; write c[r] for r in a..b")
            if REAL in allowed and isinstance(line, Within):
                raise Refused(line.place, "'within' can't stand in 'for all'")
            self.line(line, allowed, scope)

    def widening(self, lines: list[ClaimLine], a: str, b: str, scope: Scope) -> None:
        """Inequalities, affine in a and b with known factors; guards that don't speak of a and b."""
        for line in lines:
            if isinstance(line, Chain):
                for sign, side in zip([*line.signs, line.signs[-1]], line.sides, strict=True):
                    if sign not in ("<", "<=", ">", ">="):
                        raise Refused(
                            line.place, f"'{sign}' of neighbours says nothing of all pairs; write {b} > {a}, say"
                        )
                    if self.degree(side, {a, b}, scope) > 1:
                        raise Refused(
                            side.place, f"this isn't affine in {a} and {b}, with factors that follow from the sizes"
                        )
            elif isinstance(line, ForEach | When):
                letter = line.letter if isinstance(line, ForEach) else ""
                for part in (line.reach, line.condition) if isinstance(line, ForEach) else (line.condition,):
                    if part is not None and mentions(part, {a, b}):
                        raise Refused(part.place, f"what is compared can't depend on {a} and {b}")
                inner = {**scope, letter: self.of(line.reach, scope)} if isinstance(line, ForEach) else scope
                self.widening(line.lines, "" if a == letter else a, "" if b == letter else b, inner)

    def degree(self, tree: Expression, letters: set[str], scope: Scope) -> int:
        if not mentions(tree, letters):
            return 0
        if isinstance(tree, Name):
            return 1
        if isinstance(tree, Sum):
            return max(self.degree(term, letters, scope) for _, term in tree.terms)
        if isinstance(tree, Product) and all(
            mentions(f, letters) or known(self.of(f, scope)) for sign, f in tree.factors if sign in "*/"
        ):
            return sum(self.degree(f, letters, scope) if sign in "*/" else 2 for sign, f in tree.factors)
        return 2

    # expressions

    def of(self, tree: Expression, scope: Scope) -> Dependencies:
        """What an expression speaks of."""
        match tree:
            case Number() | Truth() | Dots():
                return NOTHING
            case Name():
                return self.of_name(tree.place, tree.name, scope)
            case Index():
                return self.of_index(tree, scope)
            case Call():
                return self.of_call(tree, scope)
            case Each():
                return self.of_each(tree, scope)
            case Power():
                base = self.of(tree.base, scope)
                if REAL in base:
                    raise Refused(tree.place, "a power of what depends on a real number; all must be affine in it")
                if not known(base):
                    self.case_dependent.add(tree.place)
                return base | self.known(tree.exponent, scope, "an exponent")
            case Product():
                so_far = NOTHING
                for sign, f in tree.factors:
                    if sign in ("mod", "div") and REAL in so_far:
                        raise Refused(f.place, f"'{sign}' of what depends on a real number; all must be affine in it")
                    factor = self.of(f, scope) if sign == "*" else self.known(f, scope, "a divisor")
                    so_far = affine(tree.place, [so_far, factor])
                return so_far
            case If():
                return stepped(self.of(tree.condition, scope)) | self.of_all([tree.then, tree.otherwise], scope)
            case Sum():
                return self.of_all([term for _, term in tree.terms], scope)
            case ListOf():
                return self.of_all(tree.items, scope)
            case Range():
                return self.of_all([tree.low, tree.high], scope)
            case Compare():
                return stepped(self.of_all(tree.sides, scope))
            case And() | Or() | Iff():
                return stepped(self.of_all(tree.operands, scope))
            case Not():
                return stepped(self.of(tree.operand, scope))

    def of_all(self, trees: list[Expression], scope: Scope) -> Dependencies:
        return NOTHING.union(*(self.of(tree, scope) for tree in trees))

    def of_name(self, place: Place, name: str, scope: Scope) -> Dependencies:
        if name in scope:
            return scope[name]
        if self.tokens and name == self.tokens[0]:
            raise Refused(place, f"a layer's tokens are seen as {name}[{self.tokens[1]}], and in a read as {name}[j]")
        if name in self.variables:
            return frozenset((name, "#" + name))
        if name in self.page.sizes:
            return NOTHING
        if name in self.page.definitions:
            return self.of_definition(name, place)
        if name == WEIGHT:
            return frozenset((WEIGHT,))
        page = self.page
        if name in page.functions or name in BUILTINS:
            raise Refused(place, f"{name} is a function: write {name}(...)")
        if name in page.networks or name in page.layers:
            what = "network" if name in page.networks else "layer"
            raise Refused(place, f"{name} is a {what}; a network's result is {name}(X)")
        raise Refused(
            place,
            f"nothing here is called {name}"
            + meant(name, {*scope, *page.sizes, *page.definitions, *page.functions, *self.variables, *page.networks}),
        )

    def of_index(self, tree: Index, scope: Scope) -> Dependencies:
        base, index = tree.listed, tree.subscript
        if self.tokens and isinstance(base, Name) and base.name == self.tokens[0] and base.name not in scope:
            x, i, letters = self.tokens
            letter = index.name if isinstance(index, Name) else None
            if letter not in letters:
                hint = f"; {letter} is another letter here" if letter in (i, "j") and letter in scope else ""
                raise Refused(index.place, f"a layer sees {x}[{i}], and other tokens only in a read, as {x}[j]{hint}")
            return self.token
        if isinstance(base, Name) and [base.name] == self.under_way[-1:] and base.name not in scope:  # the items so far
            place = self.known(index, scope, f"the index of {base.name} in its own definition")
            return place | self.so_far.get(base.name, NOTHING)
        return self.of(base, scope) | self.never_real(index, scope, "an index")

    def never_real(self, tree: Expression, scope: Scope, what: str) -> Dependencies:
        if REAL in (dependencies := self.of(tree, scope)):
            raise Refused(tree.place, f"{what} can't depend on a real number")
        return dependencies

    def of_each(self, tree: Each, scope: Scope) -> Dependencies:
        place, inputs, reach = tree.place, tree.inputs, tree.reach
        letter, parts = tree.letter or "", [part for part in (tree.body, tree.condition) if part is not None]
        if inputs is not None:
            if inputs not in self.page.inputs:
                self.unknown(place, inputs, self.page.inputs)
            self.inputs(self.page.inputs[inputs], place)
            self.under_way.append(("over", inputs))
            allowed, inner, tokens, self.tokens = self.case(inputs), Scope(), self.tokens, None
            if reach is not None:
                inner = {letter: self.within(reach, {}, allowed)}
            for part in parts:
                self.within(part, inner, allowed)
            self.tokens = tokens
            self.under_way.pop()
            return NOTHING
        if heads := [part for part in parts if has_head(part)]:
            raise Refused(heads[0].place, "a head stands in a layer once, in no loop and no read")
        if isinstance(reach, Range):
            dependencies = NOTHING.union(
                *(self.never_real(end, scope, "the end of a range") for end in (reach.low, reach.high))
            )
        else:
            dependencies = NOTHING if reach is None else self.of(reach, scope)
        inner, tokens = {**scope, letter: dependencies}, self.tokens
        if tokens is not None:
            self.tokens = (*tokens[:2], tuple(k for k in tokens[2] if k != letter))
        spoken = stepped(dependencies) | self.of_all(parts, inner)
        self.tokens = tokens
        return spoken

    def of_call(self, tree: Call, scope: Scope) -> Dependencies:
        place, name, arguments = tree.place, tree.name, tree.arguments
        wanted = builtins.arguments(name)
        page = self.page
        if name in scope or (self.tokens and name == self.tokens[0]):
            raise Refused(place, f"{name} is a letter here, and no function; an item of a list is {name}[...]")
        if name in page.functions:
            wanted = len(page.functions[name].letters)
        elif name in page.networks:
            wanted = len(page.networks[name].letters) + 1
        elif name not in BUILTINS and name not in ABOUT_NETWORKS and name != "head":
            others = {*page.functions, *page.networks, *BUILTINS, *ABOUT_NETWORKS}
            if name in page.layers:
                raise Refused(place, f"{name} is a layer: put it into a network, and write the network's name here")
            if name in page.definitions:
                raise Refused(place, f"{name} is no function; an item of a list is {name}[...]")
            raise Refused(place, f"there is no function {name}" + meant(name, others))
        if wanted is not None and len(arguments) != wanted:
            raise Refused(place, f"{name} takes {_many(wanted, 'argument')}, not {len(arguments)}")
        if wanted is None and not arguments:
            raise Refused(place, f"{name} of what? It takes a list, or several values")
        if any(isinstance(a, Each) for a in arguments) and not builtins.folds(name):
            raise Refused(place, f"{name} takes values; a list of them is [... for ... in ...]")
        return self.of_arguments(tree, scope)

    def of_arguments(self, tree: Call, scope: Scope) -> Dependencies:
        place, name, arguments = tree.place, tree.name, tree.arguments
        page = self.page
        if name in page.functions:
            spoken = [self.of(a, scope) for a in arguments]  # all are computed, even if the body doesn't use them
            return stepped(NOTHING.union(*spoken)) | self.of_function(name, spoken, place)
        if name in page.networks:
            if self.tokens:
                raise Refused(place, "a layer can't run a network: put layers behind one another in a network")
            *parameters, tokens = arguments
            dependencies = self.of_network(name, place) | self.of(tokens, scope)
            if REAL in dependencies:
                self.at_reals(name, place)
            return dependencies.union(*(self.known(a, scope, "an argument of a network") for a in parameters))
        if name in ABOUT_NETWORKS:
            return self.of_network_named(place, name, arguments[0], scope)
        if name == "head":
            if not self.tokens:
                raise Refused(place, "a head stands in a layer")
            if REAL in self.token:
                raise Refused(place, "a head reads other tokens: only token-wise layers are run at real numbers")
            return frozenset((TOKENS,)).union(*(self.known(a, scope, "a matrix of a head") for a in arguments))
        if (
            name == "len"
            and isinstance(inner := arguments[0], Name)
            and len(arguments) == 1
            and inner.name not in scope
        ):
            if self.tokens and inner.name == self.tokens[0]:
                return NOTHING
            if inner.name in self.variables:
                return frozenset(("#" + inner.name,))
        row = BUILTINS[name]
        for k, a in enumerate(arguments):
            if row.is_known(k):
                self.known(a, scope, row.told)
        spoken = [self.of(a, scope) for a in arguments]
        if row.real == "product":
            return affine(place, spoken)
        dependencies = NOTHING.union(*spoken)
        if not row.real and REAL in dependencies:
            raise Refused(place, f"{name} of what depends on a real number; compare the numbers")
        return stepped(dependencies) if row.real == "step" else dependencies

    def of_network_named(self, place: Place, name: str, inner: Expression, scope: Scope) -> Dependencies:
        """states(g(X)), layers(g), heads(low(k))."""
        network = inner.name if isinstance(inner, Name | Call) else ""
        if network not in self.page.networks or network in scope:
            example = "states(g(X))" if name == "states" else f"{name}(g)"
            raise Refused(place, f"{name} is of a network, as in {example}")
        if name == "states":
            if isinstance(inner, Name):
                raise Refused(place, f"states of {network} at what tokens? Write states({network}(X))")
            self.with_states.add(network)
            if REAL in (dependencies := self.of(inner, scope)):
                raise Refused(place, "states at real numbers: what changes depends on them; write the network's name")
            return dependencies
        arguments = inner.arguments if isinstance(inner, Call) else []
        if len(arguments) != len(self.page.networks[network].letters):
            many = _many(len(self.page.networks[network].letters), "argument")
            raise Refused(place, f"{name}({network}) needs {many}, not {len(arguments)}")
        dependencies = self.of_network(network, place)
        return dependencies.union(*(self.known(a, scope, "an argument of a network") for a in arguments))


def _uses(lines: list[NetworkLine]) -> list[Use]:
    """The lines of a network that are layers or networks, those of families too."""
    return [use for line in lines for use in (_uses(line.lines) if isinstance(line, Family) else [line])]


def mentions(tree: object, letters: set[str]) -> bool:
    """Whether one of these names stands in an expression."""
    if isinstance(tree, Name):
        return tree.name in letters
    return isinstance(tree, tuple | list) and any(mentions(part, letters) for part in tree)


def has_head(tree: object) -> bool:
    if isinstance(tree, Call) and tree.name == "head":
        return True
    return isinstance(tree, tuple | list) and any(map(has_head, tree))


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _dependency_text(dependencies: Dependencies) -> str:
    dependency = next(t for t in sorted(dependencies) if not t.startswith("#"))
    if dependency == PAIR:
        return "the two neighbours"
    return (
        "a case"
        if dependency == WEIGHT
        else dependency
        if dependency in (TOKENS, REAL, STEP)
        else f"the items of {dependency}"
    )

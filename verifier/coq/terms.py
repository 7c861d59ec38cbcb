"""A page's definitions as definitions of Coq, in its own names and in the notation of proofs/coq/reader/Words.v.

Each name of the page is written with a ' at its end, which no word of Coq or Core.v that stands in a file has: so none
of them can be hidden by a page's, whatever it is called.

What speaks of a case has the case as its first argument: `start w`. In a proof the same definitions stand once for
each case, by `let`, so that nothing is computed twice: there it is `start`. A text has marks where the two differ."""

import re
from dataclasses import dataclass

from verifier.language.builtins import BUILTINS, folds
from verifier.language.form import form
from verifier.language.tree import (
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
    Let,
    ListOf,
    Name,
    NetworkLine,
    Not,
    Number,
    Or,
    Page,
    Power,
    Product,
    Range,
    Read,
    Sum,
    Truth,
    When,
    Within,
    with_dots,
)
from verifier.language.words import Place

SIGNS = {"=": "Equal", "!=": "Unequal", "<": "Less", "<=": "AtMost", ">": "More", ">=": "AtLeast", "iff": "Iff"}
SIGNS["recognises"] = SIGNS["iff"]  # the relation is the same; what is counted besides is no theorem
CHAINS = {("<=", "<="), ("<=", "<"), ("<", "<="), ("<", "<")}  # that Words.v has as notation
Env = dict[str, str]  # the letters at hand, and how they are written


class NotCovered(Exception):
    """What Core.v has no word for, and where it stands."""

    def __init__(self, place: Place, what: str) -> None:
        super().__init__(what)
        self.place, self.what = place, what


@dataclass
class Written:
    """A definition: its name in Coq, its arguments besides the case, its type and text; the cases that it speaks of."""

    name: str
    arguments: str
    type: str
    text: str
    of: tuple[str, ...]


def named(name: str) -> str:
    """A page's name. Different ones stay different: within one ' is written '', and ~, which no name of Coq has, 't."""
    return name.replace("'", "''").replace("~", "'t") + "'"


def claim_named(id_: str) -> str:
    """What the names of a claim's definitions and theorems begin with, before a ' and a word of ours."""
    return f"{'_' if id_[0].isdigit() else ''}{id_.replace('-', '__').replace('.', '_')}"


def plain(text: str) -> str:
    """With the case as an argument."""
    text = re.sub("⟨(.*?)\\|(.*?)⟩", r"(\1 \2)", text)
    return re.sub("⟪(.*?)\\|(.*?)⟫", r"\1 \2", text)


def shared(text: str) -> str:
    """With the names of `let`."""
    return re.sub("[⟨⟪](.*?)\\|.*?[⟩⟫]", r"\1", text)


class Terms:
    def __init__(self, page: Page, sizes: dict[str, int]) -> None:
        self.page, self.sizes = page, sizes
        self.written: dict[str, Written] = {}  # in the order in which they may stand
        self.under_way: list[tuple[str, set[str]]] = []  # what is being written, and the cases that it speaks of so far
        self.layer = ("", "")  # the letters x and i of the layer that is being written
        self.at_hand = ""  # the inputs of the case at hand, where they are known: how they are called
        self.variables = {inputs.variable for inputs in page.inputs.values()}
        self.cases = {named(variable) for variable in self.variables}

    def bind(self, letter: str, env: Env) -> tuple[str, Env]:
        """A letter; it hides no case, of which definitions speak."""
        text = named(letter)
        text += "'" if text in self.cases else ""
        return text, {**env, letter: text}

    # names

    def name(self, place: Place, name: str, head: bool) -> str:
        """How a definition, function, layer or network is called; as the head of an application, or alone."""
        found = self.define(place, name)
        if not found.of:
            return found.name
        cases = " ".join(found.of)
        return f"⟪{found.name}|{cases}⟫" if head else f"⟨{found.name}|{cases}⟩"

    def define(self, place: Place, name: str) -> Written:
        if name not in self.written:
            if any(name == other for other, _ in self.under_way):
                raise NotCovered(place, f"{name} within its own definition, but for {name}[...]")
            layer, at_hand, self.at_hand = self.layer, self.at_hand, ""
            self.under_way.append((name, set()))
            try:
                arguments, type_, text = self.definition(name)
                of = tuple(sorted(self.under_way[-1][1]))
            finally:
                self.under_way.pop()
                self.layer, self.at_hand = layer, at_hand
            self.written[name] = Written(named(name), arguments, type_, text, of)
        found = self.written[name]
        if self.under_way:
            self.under_way[-1][1].update(found.of)
        return found

    def definition(self, name: str) -> tuple[str, str, str]:
        page = self.page
        if name in page.sizes:
            return "", "found", str(self.sizes[name])
        if name in page.functions:
            function = page.functions[name]
            arguments, env, strict = self.arguments(function.letters)
            given = "".join(f"{a} <- {a} then " for a in strict)
            return arguments, "found", given + self.term(function.body, env, 98)
        if name in page.layers:
            return self.of_layer(name)
        if name in page.networks:
            network = page.networks[name]
            arguments, env, strict = self.arguments(network.letters)
            text = self.uses(network.lines, env)
            for a in reversed(strict):
                text = f"with_argument {a} (fun {a} => {text})"
            return arguments, "network", text
        if name in page.inputs:
            return "", "inputs", self.inputs(page.inputs[name])
        definition = page.definitions[name]
        if definition.body is not None:
            return "", "found", self.term(definition.body, {}, 200)
        parts = []
        for item in definition.items:
            subscript = item.subscript
            if item.letter is not None and not (isinstance(subscript, Name) and subscript.name == item.letter):
                raise NotCovered(item.place, f"{name}[...] with another index than the letter after 'for'")
            own, env = self.bind(name, {})
            letter, inner = ("_", env) if item.letter is None else self.bind(item.letter, env)
            reach = f"[{self.term(item.subscript, {}, 98)}]" if item.reach is None else self.term(item.reach, {}, 98)
            parts.append(f"({reach}, fun {own} {letter} => {self.term(item.body, inner, 98)})")
        listed = " ;;\n    ".join(parts)
        return "", "found", f"by_items ({listed} ;; nil)"

    def arguments(self, letters: list[str]) -> tuple[str, Env, list[str]]:
        env: Env = {}
        names = []
        for letter in letters:
            name, env = self.bind(letter, env)
            names.append(name)
        return "".join(f" ({name} : found)" for name in names), env, names

    def of_layer(self, name: str) -> tuple[str, str, str]:
        layer = self.page.layers[name]
        arguments, env, strict = self.arguments(layer.letters)
        x, i, last = layer.update.tokens, layer.update.position, layer.update.body
        x_, env = self.bind(x, env)
        i_, env = self.bind(i, env)
        self.layer = (x_, i_)
        lines = []
        for line in layer.named:
            text = self.term(line.body, env, 98) if isinstance(line, Let) else self.read(line, env)
            bound, env = self.bind(line.name, env)
            lines.append(f"{bound} <- {text} then\n    ")
        text = (
            f"becomes {form(self.page, layer).heads} (fun {x_} {i_} =>\n    {''.join(lines)}{self.term(last, env, 98)})"
        )
        for a in reversed(strict):
            text = f"layer_with {a} (fun {a} => {text})"
        return arguments, "layer", text

    def read(self, line: Read, env: Env) -> str:
        j, inner = self.bind("j", env)
        mask = "everywhere" if line.mask is None else f"(fun {j} => {self.term(line.mask, inner, 98)})"
        default = "None" if line.default is None else f"(Some ({self.term(line.default, env, 98)}))"
        value, score = self.term(line.value, inner, 98), self.term(line.score, inner, 98)
        return f"read {line.tie} (fun {j} => {value}) (fun {j} => {score}) {mask} {default} {self.layer[0]}"

    def uses(self, lines: list[NetworkLine], env: Env) -> str:
        """The lines of a network."""
        found = []
        for line in lines:
            if isinstance(line, Family):
                letter, inner = self.bind(line.letter, env)
                reach = self.reach(line.reach, env, 9)
                found.append(f"family {reach} (fun {letter} => {self.uses(line.lines, inner)})")
                continue
            text = self.applied(line.place, line.name, line.arguments, env)
            found.append(text if line.name in self.page.networks else f"use {text if ' ' not in text else f'({text})'}")
        return found[0] if len(found) == 1 else f"in_turn ({' ;; '.join(found)} ;; nil)"

    def applied(self, place: Place, name: str, arguments: list[Expression], env: Env) -> str:
        return " ".join([self.name(place, name, bool(arguments)), *(self.term(a, env, 9) for a in arguments)])

    def inputs(self, inputs: Inputs) -> str:
        if inputs.listed is not None:
            return f"Listed {self.term(inputs.listed, {}, 9)}"
        j, env = self.bind(inputs.at or "j", {})
        env = env if inputs.at else {}
        text = self.term(inputs.items, env, 9)
        if inputs.power is not None:
            text = f"(tuples {text} {self.term(inputs.power, env, 9)})"
        if inputs.by is not None:
            c, inner = self.bind(inputs.letter, env)
            text = f"(by_key (fun {c} => {self.term(inputs.by, inner, 98)}) {text})"
        low, high = self.term(inputs.low, {}, 9), self.term(inputs.high, {}, 9)
        if inputs.kind == "words":
            return f"Words {low} {high} (fun {j if inputs.at else '_'} => {text})"
        return f"{inputs.kind.capitalize()} {low} {high} {text}"

    # expressions

    def term(self, tree: Expression, env: Env, level: int) -> str:
        """An expression, in brackets if it binds less than `level`: Coq's levels, as Words.v has them."""
        text, its = getattr(self, f"of_{tree.kind}")(tree, env)
        if level >= 10 and re.fullmatch("⟨[^⟩]*⟩", text):
            return f"⟪{text[1:-1]}⟫"
        return f"({text})" if its > level else str(text)

    def reach(self, tree: Expression, env: Env, level: int = 97) -> str:
        return self.term(tree, env, level)

    def of_number(self, tree: Number, _: Env) -> tuple[str, int]:
        return str(tree.value), 0

    def of_truth(self, tree: Truth, _: Env) -> tuple[str, int]:
        return "yes" if tree.value else "no", 0

    def of_name(self, tree: Name, env: Env) -> tuple[str, int]:
        place, name = tree.place, tree.name
        if name in env:
            return env[name], 0
        if name in self.variables:
            if self.under_way:
                self.under_way[-1][1].add(named(name))
            return named(name), 0
        if name == "weight":
            return self.weight(place)
        return self.name(place, name, head=False), 0

    def of_index(self, tree: Index, env: Env) -> tuple[str, int]:
        base, k = tree.listed, self.term(tree.subscript, env, 98)
        if isinstance(base, Name) and base.name not in env and [base.name] == [n for n, _ in self.under_way[-1:]]:
            return f"{self.bind(base.name, {})[0]}.[{k}]", 2  # the items so far
        return f"{self.term(base, env, 2)}.[{k}]", 2

    def of_list(self, tree: ListOf, env: Env) -> tuple[str, int]:
        if len(tree.items) == 1 and isinstance(each := tree.items[0], Each):
            return self.each(each, env), 0
        if with_dots(tree):
            *before, last = [self.term(item, env, 98) for item in tree.items if not isinstance(item, Dots)]
            return f"dots ({' ;; '.join(before)} ;; nil) ({last})", 10
        return "[" + ", ".join(self.term(item, env, 98) for item in tree.items) + "]", 0

    def each(self, tree: Each, env: Env) -> str:
        if tree.inputs is not None or tree.letter is None or tree.reach is None:
            return self.over(tree, str(tree.inputs))
        k, inner = self.bind(tree.letter, env)
        made = f"{self.term(tree.body, inner, 98)} for {k} in {self.reach(tree.reach, env)}"
        return f"[{made}]" if tree.condition is None else f"[{made} if {self.term(tree.condition, inner, 98)}]"

    def over(self, tree: Each, inputs: str) -> str:
        """E for letter in R over inputs if C: lists of all cases, one after the other."""
        place, body, condition = tree.place, tree.body, tree.condition
        on = self.define(place, inputs).name
        at_hand, self.at_hand = self.at_hand, on
        self.under_way.append(("", set()))
        if tree.reach is not None:
            text = self.each(Each(place, body, tree.letter, tree.reach, None, condition), {})
        else:
            text = f"[{self.term(body, {}, 98)}]"
            if condition is not None:
                text += f" if {self.term(condition, {}, 97)} else []"
        self.under_way.pop()
        self.at_hand = at_hand
        case = named(self.page.inputs[inputs].variable)
        return plain(f"(gather {on} (fun {case} => {text}))")

    def weight(self, place: Place) -> tuple[str, int]:
        """How many tuples the case at hand stands for."""
        inputs = [name for name in self.page.inputs if named(name) == self.at_hand]
        if not inputs:
            raise NotCovered(place, "weight, in a definition")
        case = named(self.page.inputs[inputs[0]].variable)
        self.under_way[-1][1].add(case)
        return f"weight {self.at_hand} {case}", 10

    def of_range(self, tree: Range, env: Env) -> tuple[str, int]:
        return f"range {self.term(tree.low, env, 9)} {self.term(tree.high, env, 9)}", 10

    def of_sum(self, tree: Sum, env: Env) -> tuple[str, int]:
        (sign, first), *rest = tree.terms
        text, level = (self.term(first, env, 50), 50) if sign > 0 else (f"- {self.term(first, env, 35)}", 35)
        for sign, term in rest:
            text, level = f"{text} {'+' if sign > 0 else '-'} {self.term(term, env, 49)}", 50
        return text, level

    def of_product(self, tree: Product, env: Env) -> tuple[str, int]:
        (_, first), *rest = tree.factors
        text, level = self.term(first, env, 40), 40
        for sign, factor in rest:
            if sign in "*/":
                text, level = f"{text} {sign} {self.term(factor, env, 39)}", 40
            else:
                left = text if re.fullmatch(r"[\w']+", text) else f"({text})"
                text, level = f"{'mod_' if sign == 'mod' else 'div'} {left} {self.term(factor, env, 9)}", 10
        return text, level

    def of_power(self, tree: Power, env: Env) -> tuple[str, int]:
        return f"{self.term(tree.base, env, 29)} ^ {self.term(tree.exponent, env, 29)}", 30

    def of_compare(self, tree: Compare, env: Env) -> tuple[str, int]:
        signs, sides = tree.signs, tree.sides
        if len(signs) == 1 or tuple(signs) in CHAINS:
            first, *rest = [self.term(side, env, 69) for side in sides]
            return " ".join([first, *(f"{s} {b}" for s, b in zip(signs, rest, strict=True))]), 70
        return f"compare {self.term(sides[0], env, 9)} {self.chain(signs, sides, env)}", 10

    def chain(self, signs: list[str], sides: list[Expression], env: Env) -> str:
        pairs = (f"({SIGNS[s]}, {self.term(b, env, 98)})" for s, b in zip(signs, sides[1:], strict=True))
        return f"({' ;; '.join(pairs)} ;; nil)"

    def of_and(self, tree: And, env: Env) -> tuple[str, int]:
        return " and ".join(self.term(operand, env, 79) for operand in tree.operands), 80

    def of_or(self, tree: Or, env: Env) -> tuple[str, int]:
        return " or ".join(self.term(operand, env, 84) for operand in tree.operands), 85

    def of_iff(self, tree: Iff, env: Env) -> tuple[str, int]:
        return " iff ".join(self.term(operand, env, 94) for operand in tree.operands), 95

    def of_not(self, tree: Not, env: Env) -> tuple[str, int]:
        return f"not {self.term(tree.operand, env, 75)}", 75

    def of_if(self, tree: If, env: Env) -> tuple[str, int]:
        then, condition = self.term(tree.then, env, 97), self.term(tree.condition, env, 97)
        return f"{then} if {condition} else {self.term(tree.otherwise, env, 98)}", 98

    def of_call(self, tree: Call, env: Env) -> tuple[str, int]:
        place, name, arguments, page = tree.place, tree.name, tree.arguments, self.page
        first = arguments[0] if arguments else None
        if name in page.functions:
            return self.applied(place, name, arguments, env), 10
        if name in page.networks:
            return self.of_network("run", tree, env), 10
        if name == "states" and isinstance(first, Call):
            return self.of_network("states", first, env), 10
        if name in ("layers", "heads") and isinstance(first, Name | Call):
            return f"{name} {self.applied_alone(first, env)}", 10
        if name in BUILTINS and (why := BUILTINS[name].beyond):
            raise NotCovered(place, f"{name}, {why}")
        if folds(name):
            if isinstance(first, Each):
                return f"{name} {self.each(first, env)}", 10
            if len(arguments) > 1:
                return f"{name} [{', '.join(self.term(a, env, 98) for a in arguments)}]", 10
        values = [self.term(a, env, 9) for a in arguments]
        if name == "head":
            values += self.layer
        return " ".join([name, *values]), 10

    def applied_alone(self, tree: Name | Call, env: Env) -> str:
        """A network that is named: g, or low(k)."""
        text = self.applied(tree.place, tree.name, tree.arguments if isinstance(tree, Call) else [], env)
        return f"({text})" if " " in text else text

    def of_network(self, what: str, call: Call, env: Env) -> str:
        *parameters, tokens = call.arguments
        network = self.applied(call.place, call.name, parameters, env)
        return f"{what} {network if ' ' not in network else f'({network})'} {self.term(tokens, env, 9)}"

    # lines of claims

    def lines(self, lines: list[ClaimLine], env: Env, numbers: dict[Place, int], level: int = 200) -> str:
        if len(lines) == 1:
            return self.line(lines[0], env, numbers, level)
        text = " ;;\n    ".join(self.line(line, env, numbers, 98) for line in lines)
        return _bracketed(f"block ({text} ;;\n    nil)" if lines else "nothing", 10 if lines else 0, level)

    def line(self, line: ClaimLine, env: Env, numbers: dict[Place, int], level: int) -> str:
        if isinstance(line, Chain):
            signs, sides, k = line.signs, line.sides, numbers[line.texts[0].place]
            if len(signs) == 1:
                a, b = (self.term(side, env, 69) for side in sides)
                sign = "iff" if signs[0] == "recognises" else signs[0]
                return _bracketed(f"line {k} : {a} {sign} {b}", 90, level)
            return _bracketed(f"relate {k} {self.term(sides[0], env, 9)} {self.chain(signs, sides, env)}", 10, level)
        if isinstance(line, ForEach):
            j, inner = self.bind(line.letter, env)
            text = self.lines(line.lines, inner, numbers, 9 if line.condition is not None else 200)
            if line.condition is not None:
                text = f"when {self.term(line.condition, inner, 9)} {text}"
            return _bracketed(f"for {j} in {self.reach(line.reach, env)} :\n    {text}", 200, level)
        if isinstance(line, When):
            condition, text = self.term(line.condition, env, 9), self.lines(line.lines, env, numbers, 9)
            return _bracketed(f"when {condition} {text}", 10, level)
        if isinstance(line, Within):
            lower, inner = self.bind(line.lower, env)
            upper, inner = self.bind(line.upper, inner)
            text = self.lines(line.lines, inner, numbers)
            return _bracketed(f"within {self.term(line.numbers, env, 9)} (fun {lower} {upper} => {text})", 10, level)
        if isinstance(line, ForAll):
            raise NotCovered(line.place, "for all, every real number")
        return self.lines(line.lines, {}, numbers, level)  # once:


def _bracketed(text: str, its: int, level: int) -> str:
    return f"({text})" if its > level else text

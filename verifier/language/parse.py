"""From a page's text to its tree, by the grammar of LANGUAGE.md 7: a function for each of its lines."""

import re
from collections.abc import Callable
from typing import TypeVar

from verifier.language.builtins import TAKEN
from verifier.language.tree import (
    BETWEEN_TRUTHS,
    KINDS,
    Across,
    And,
    Call,
    Category,
    Chain,
    Claim,
    ClaimLine,
    Compare,
    Definition,
    Dots,
    Each,
    Expression,
    Family,
    ForAll,
    ForEach,
    Function,
    If,
    Iff,
    Index,
    Inputs,
    Item,
    Layer,
    LayerLine,
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
    Sign,
    Sum,
    Truth,
    Update,
    Use,
    When,
    Within,
)
from verifier.language.words import (
    DEPTH,
    ID,
    JOIN,
    OPERATE,
    RESERVED,
    Line,
    Place,
    Refused,
    Token,
    lines_of,
    meant,
    text_of,
)

T = TypeVar("T")
SIGNS = ("=", "!=", "<=", ">=", "<", ">")


class Parser:
    """One logical line, from left to right."""

    def __init__(self, line: Line, at: int = 0) -> None:
        self.line, self.tokens, self.at, self.depth = line, line.tokens, at, 0

    @property
    def place(self) -> Place:
        return self.tokens[self.at].place

    @property
    def shown(self) -> str:
        token = self.tokens[self.at]
        return token.text if token.kind == "end" else repr(token.text)

    def sees(self, *texts: str) -> bool:
        token = self.tokens[self.at]
        return token.text in texts and token.kind in ("sign", "name")

    def take(self, *texts: str) -> str:
        kind, text, _ = self.tokens[self.at]
        if text not in texts or kind not in ("sign", "name"):
            return ""
        self.at += 1
        return text

    def need(self, *texts: str) -> str:
        if not self.sees(*texts):
            raise Refused(self.place, f"expected {' or '.join(map(repr, texts))} here, found {self.shown}")
        return self.take(*texts)

    def of(self, kind: str, what: str) -> str:
        token = self.tokens[self.at]
        if token.kind == "name" and token.text in RESERVED and kind == "name":
            raise Refused(self.place, f"expected {what} here; {token.text!r} is a word of the language")
        if token.kind != kind:
            raise Refused(self.place, f"expected {what} here, found {self.shown}")
        self.at += 1
        return token.text

    def name(self, what: str = "a name") -> str:
        return self.of("name", what)

    def letter(self, what: str = "a letter") -> str:
        """A name that is bound here; what the language has can't be hidden."""
        place, name = self.place, self.name(what)
        if name in TAKEN:
            raise Refused(place, f"{name!r} can't be a letter: the language has it")
        return name

    def string(self, what: str) -> str:
        return self.of("string", f"{what} in double quotes")[1:-1]

    def end(self) -> None:
        if self.tokens[self.at].kind != "end":
            token = self.tokens[self.at]
            hint = (
                meant(token.text, {*OPERATE, *BETWEEN_TRUTHS, "if", "else", "for", "over"})
                if token.kind == "name"
                else ""
            )
            raise Refused(self.place, f"the line should end before {self.shown}{hint}")

    def alone(self) -> None:
        """The line ends here, and opens no block."""
        self.end()
        if self.line.block:
            raise Refused(self.line.block[0].tokens[0].place, "indented, but the line above opens no block")

    def block(self, what: str) -> list[Line]:
        """The line ends here, and opens a block."""
        self.end()
        if not self.line.block:
            raise Refused(self.place, f"expected {what} below, indented")
        return self.line.block

    # expressions, from the loosest to the tightest

    def deeper(self, parse: Callable[[], T], what: str = "expressions") -> T:
        self.depth += 1
        if self.depth > DEPTH:
            raise Refused(self.place, f"{what} are nested at most {DEPTH} deep; name a part of this one")
        parsed = parse()
        self.depth -= 1
        return parsed

    def expression(self) -> Expression:
        return self.deeper(self._expression)

    def _expression(self) -> Expression:
        place, value = self.place, self.iff()
        if not self.take("if"):
            return value
        condition = self.iff()
        self.need("else")
        return If(place, condition, value, self.expression())

    def iff(self) -> Expression:
        place, value = self.place, self.either()
        return Iff(place, [value, self.either()]) if self.take("iff") else value

    def either(self) -> Expression:
        return self.joined(Or, lambda: self.joined(And, self.negation))

    def joined(self, join: type[And | Or], part: Callable[[], Expression]) -> Expression:
        place, parts = self.place, [part()]
        while self.take(join.kind):
            parts.append(part())
        return join(place, parts) if parts[1:] else parts[0]

    def negation(self) -> Expression:
        place = self.place
        return Not(place, self.deeper(self.negation)) if self.take("not") else self.comparison()

    def comparison(self) -> Expression:
        place, sides, signs = self.place, [self.sum()], []
        while self.sees(*SIGNS, "<-"):
            if self.sees("<-"):
                raise Refused(self.place, "'<-' says what a layer makes; for 'less than minus' write '< -'")
            signs.append(self.take(*SIGNS))
            sides.append(self.sum())
        return Compare(place, signs, sides) if signs else sides[0]

    def sum(self) -> Expression:
        place = self.place
        terms = [(-1 if self.take("-") else 1, self.product())]
        while sign := self.take("+", "-"):
            terms.append((1 if sign == "+" else -1, self.product()))
        return Sum(place, terms) if terms[1:] or terms[0][0] < 0 else terms[0][1]

    def product(self) -> Expression:
        place, factors = self.place, [("*", self.power())]
        while sign := self.take("*", "/", "mod", "div"):
            factors.append((sign, self.power()))
        return Product(place, factors) if factors[1:] else factors[0][1]

    def power(self) -> Expression:
        place, base = self.place, self.postfix()
        if not self.take("^"):
            return base
        at, minus = self.place, self.take("-")
        exponent = self.deeper(self.power)
        return Power(place, base, Sum(at, [(-1, exponent)]) if minus else exponent)

    def postfix(self) -> Expression:
        value = self.atom()
        for _ in range(DEPTH):
            place = self.place
            if not self.take("["):
                return value
            value = Index(place, value, self.expression())
            self.need("]")
        raise Refused(self.place, f"{DEPTH} indices or more in a row")

    def atom(self) -> Expression:
        kind, text, place = self.tokens[self.at]
        if kind == "number":
            self.at += 1
            if self.sees("."):
                raise Refused(place, "a number has no decimal point: write a fraction, such as 1/2")
            return Number(place, int(text))
        if self.take("true", "false"):
            return Truth(place, text == "true")
        if kind == "name" and text not in RESERVED:
            self.at += 1
            return Call(place, text, self.items(")")) if self.take("(") else Name(place, text)
        if self.take("("):
            value = self.expression()
            self.need(")")
            return value
        if self.take("["):
            return ListOf(place, self.items("]"))
        if self.take("|"):
            value = self.expression()
            self.need("|")
            return Call(place, "abs", [value])
        hints = {"=": "; '=' is written once", "read": "; a read has a line of its own in its layer, `name = read ...`"}
        hint = hints.get(text, "")
        raise Refused(place, f"expected a number, a name or a bracket here, found {self.shown}{hint}")

    def items(self, close: str) -> list[Expression]:
        items: list[Expression] = []
        while not self.take(close):
            if items:
                self.need(",", close)
            place = self.place
            items.append(Dots(place) if self.take("...") else self.item())
        dots = [k for k, item in enumerate(items) if isinstance(item, Dots)]
        if dots and (dots != [len(items) - 2] or len(items) < 3 or close == ")"):
            raise Refused(
                items[dots[0]].place, "'...' stands in a list, after a first item or two and before the last one"
            )
        if len(items) > 1 and (each := next((item for item in items if isinstance(item, Each)), None)):
            raise Refused(each.place, "'for' and 'over' make all items of a list; nothing can stand beside them")
        return items

    def item(self) -> Expression:
        place, value = self.place, self.expression()
        if not self.sees("for", "over"):
            return value
        letter, reach = self.reach() if self.take("for") else (None, None)
        inputs = self.name("the name of inputs") if self.take("over") else None
        condition = self.expression() if self.take("if") else None
        return Each(place, value, letter, reach, inputs, condition)

    def reach(self) -> tuple[str, Expression]:
        letter = self.letter()
        self.need("in")
        place, low = self.place, self.sum()
        return letter, Range(place, low, self.sum()) if self.take("..") else low

    def letters(self) -> list[str]:
        """(a, b), or nothing."""
        letters: list[str] = []
        if self.take("("):
            while True:
                if self.tokens[self.at].text in letters:
                    raise Refused(self.place, f"two letters {self.shown}")
                letters.append(self.letter())
                if self.need(",", ")") == ")":
                    break
        return letters


# lines of blocks


def layer_line(line: Line) -> LayerLine:
    p = Parser(line)
    place, name = p.place, p.letter("a name, or the tokens")
    parsed: LayerLine
    if p.take("["):
        i = p.letter()
        p.need("]")
        p.need("<-")
        parsed = Update(place, name, i, p.expression())
    else:
        p.need("=", "[")
        if p.take("read"):
            value = p.expression()
            p.need("at")
            tie = p.take("leftmost", "rightmost", "average") or "average"
            p.need("max")
            p.need("of")
            score = p.expression()
            mask = p.expression() if p.take("over") else None
            parsed = Read(place, name, value, tie, score, mask, p.expression() if p.take("else") else None)
        else:
            parsed = Let(place, name, p.expression())
    p.alone()
    return parsed


def network_line(p: Parser) -> NetworkLine:
    place = p.place
    if p.take("for"):
        letter, reach = p.reach()
        p.need(":")
        if p.tokens[p.at].kind != "end":
            return Family(place, letter, reach, [p.deeper(lambda: network_line(p), "blocks")])
        return Family(place, letter, reach, [network_line(Parser(line)) for line in p.block("layers")])
    name = p.name("the name of a layer or network")
    arguments = p.items(")") if p.take("(") else []
    p.alone()
    return Use(place, name, arguments)


def claim_line(p: Parser, top: bool) -> ClaimLine:
    place = p.place
    if p.take("for"):
        if p.take("all"):
            letter, index, reach = real_letter(p)
            condition = p.expression() if p.take("if") else None
            return ForAll(place, letter, index, reach, condition, inside(p))
        letter, reach = p.reach()
        condition = p.expression() if p.take("if") else None
        return ForEach(place, letter, reach, condition, inside(p))
    if p.take("if"):
        return When(place, p.expression(), inside(p))
    if (word := p.take("within", "across", "once")) and word != "within" and not top:
        raise Refused(place, f"'{word}' can't stand in another block")
    if word == "once":
        return Once(place, inside(p))
    if word:
        numbers = p.expression()
        p.need("as")
        a = p.letter()
        p.need(",")
        b = p.letter()
        if a == b:
            raise Refused(place, f"two letters are needed after 'as', such as {a}, {a}'")
        return (Across if word == "across" else Within)(place, numbers, a, b, inside(p))
    chain = relation(p)
    p.alone()
    return chain


def real_letter(p: Parser) -> tuple[str, str | None, Expression | None]:
    """t, or c[r] for r in a..b."""
    letter = p.letter()
    if not p.take("["):
        return letter, None, None
    index = p.letter()
    p.need("]")
    p.need("for")
    place = p.place
    again, reach = p.reach()
    if again != index or not isinstance(reach, Range):
        raise Refused(place, f"the entries are numbered: for all {letter}[{index}] for {index} in a..b")
    return letter, index, reach


def relation(p: Parser) -> Chain:
    place, starts = p.place, [p.at]
    sides, signs = [p.either()], list[str]()
    if word := p.take(*BETWEEN_TRUTHS):
        starts.append(p.at)
        sides.append(p.either())
        signs = [word]
    elif isinstance(compared := sides[0], Compare):
        places = _top_signs(p.tokens, starts[0], p.at)
        if len(places) == len(compared.signs):  # else it stands in brackets
            signs, sides = compared.signs, compared.sides
            starts += [k + 1 for k in places]
    if not signs and p.tokens[p.at].kind in ("name", "number") and not p.sees(*OPERATE, *JOIN):
        near = meant(p.tokens[p.at].text, {*BETWEEN_TRUTHS, *OPERATE}) or "; a product always has its '*'"
        raise Refused(p.place, f"a sign is missing before {p.shown}{near}")
    if not signs:
        hint = {"or": "write '... or ... iff true'", "and": "write a line for each", "not": "write '... iff false'"}
        missing = f"a relation compares two things; one of {' '.join(SIGNS)} iff is missing here"
        raise Refused(place, missing + (f": {hint[sides[0].kind]}" if sides[0].kind in hint else ""))
    ends = [*(start - 1 for start in starts[1:]), p.at]
    texts = [Sign(p.tokens[starts[k]].place, text_of(p.tokens[starts[k] : ends[k + 1]])) for k in range(len(signs))]
    return Chain(place, signs, sides, texts)


def _top_signs(tokens: list[Token], start: int, stop: int) -> list[int]:
    """Where the signs of a comparison stand, outside all brackets."""
    depth, bars, places = 0, 0, []
    for k in range(start, stop):
        text = tokens[k].text if tokens[k].kind == "sign" else ""
        depth += (text in tuple("([{")) - (text in tuple(")]}"))
        bars ^= text == "|"
        if text in SIGNS and not depth and not bars:
            places.append(k)
    return places


def inside(p: Parser) -> list[ClaimLine]:
    """What follows the colon, on the same line or below."""
    p.need(":")
    if p.tokens[p.at].kind != "end":
        return [p.deeper(lambda: claim_line(p, False), "blocks")]
    return [claim_line(Parser(inner), False) for inner in p.block("relations")]


# items of the page


def title(page: Page, p: Parser) -> None:
    if page.title:
        raise Refused(p.place, "the page has a title already")
    page.begins["title"] = p.place[0]
    page.title = p.string("the title")
    p.alone()


def sizes(page: Page, p: Parser) -> None:
    page.begins.setdefault("sizes", p.place[0])
    while True:
        name = new(page, p, "a size's name")
        p.need(">=")
        page.sizes[name] = int(p.of("number", "its least value"))
        if p.take("("):
            place, tried = p.place, int(p.of("number", "a size to try, such as (4)"))
            if tried < page.sizes[name]:
                raise Refused(place, f"the size to try is {tried}: {name} >= {page.sizes[name]} is needed")
            page.to_try[name] = tried
            p.need(")")
        if not p.take(","):
            return p.alone()


def define(page: Page, p: Parser) -> None:
    place = p.place
    if p.tokens[p.at + 1].text == "[" and p.tokens[p.at].text in page.definitions:
        name = p.name()
        if page.definitions[name].body is not None:
            raise Refused(place, f"{name} is defined already, on line {page.definitions[name].place[0]}")
    else:
        name = new(page, p, "a name, or one of title, sizes, inputs, category, layer, network, claim,")
    if p.sees("("):
        letters = p.letters()
        p.need("=")
        page.functions[name] = Function(place, letters, p.expression())
    elif p.take("["):
        index = p.expression()
        p.need("]")
        p.need("=")
        body, letter, reach = p.expression(), None, None
        if p.take("for"):
            letter, reach = p.reach()
        page.definitions.setdefault(name, Definition(place, None)).items.append(Item(place, index, letter, reach, body))
    else:
        p.need("=", "(", "[")
        body = p.expression()
        printed = p.string("its name in certificates") if p.take("as") else None
        if printed is not None and (not printed or printed in page.printed):
            raise Refused(place, f"the name {printed!r} is {'taken' if printed else 'empty'}")
        page.definitions[name] = Definition(place, body, [], printed)
    p.alone()


def inputs(page: Page, p: Parser) -> None:
    place, variable = p.place, p.name("the letter of the input")
    if variable in TAKEN:
        raise Refused(place, f"{variable!r} can't be defined: the language has it")
    p.need("in")
    name = new(page, p, "a name for these inputs")
    p.need(":")
    kind = p.need("words", "multisets", "sets", "list")
    if kind == "list":
        page.inputs[name] = Inputs(place, name, variable, kind, p.expression())
        return p.alone()
    p.need("of")
    low = p.sum()
    high = p.sum() if p.take("..") else low
    noun, letter = p.name("what an input is made of, such as columns"), p.letter()
    p.need("in")
    spot = p.place
    p.need("{")
    items = ListOf(spot, p.items("}"))
    power = p.deeper(p.atom) if p.take("^") else None
    by = p.expression() if p.take("by") else None
    spot = p.place
    at = p.letter() if p.take("at") else None
    if at == letter:
        raise Refused(spot, f"{at} is the letter of the items already")
    if at and kind != "words":
        raise Refused(spot, f"'at' gives each position of a word a set of its own; {kind} have one set")
    page.inputs[name] = Inputs(place, name, variable, kind, None, low, high, noun, letter, items, power, by, at)
    return p.alone()


def category(page: Page, p: Parser) -> None:
    place, name = p.place, new(page, p, "a name")
    p.need("of")
    of = p.name("the name of inputs")
    p.need("if")
    condition = p.expression()
    p.need(":")
    cases = p.expression()
    p.need("cases")
    p.need(",")
    weight = p.expression()
    p.need("inputs")
    p.alone()
    page.definitions[name] = Definition(place, condition, truth=True)
    page.categories.append(Category(place, name, of, condition, cases, weight))


def layer(page: Page, p: Parser) -> None:
    place, name, letters = p.place, new(page, p, "a name"), p.letters()
    p.need(":")
    lines = [layer_line(line) for line in p.block("what the layer reads, and at last x[i] <- ...")]
    for line in lines[:-1]:
        if isinstance(line, Update):
            raise Refused(line.place, "the line with '<-' is the last one of a layer")
    if not isinstance(last := lines[-1], Update):
        raise Refused(last.place, "a layer ends with what token i becomes: x[i] <- ...")
    named = [*letters, last.tokens, last.position, *(line.name for line in lines[:-1] if not isinstance(line, Update))]
    if twice := next((k for k in named if named.count(k) > 1), None):
        raise Refused(last.place, f"{twice!r} has two meanings in this layer")
    if "j" in named and "j" not in (*letters, last.position):
        raise Refused(last.place, "'j' has two meanings in this layer: it is the token that is read")
    page.layers[name] = Layer(place, letters, lines)


def network(page: Page, p: Parser) -> None:
    place, name, letters = p.place, new(page, p, "a name"), p.letters()
    p.need(":")
    page.networks[name] = Network(place, letters, [network_line(Parser(line)) for line in p.block("layers")])


def claim(page: Page, p: Parser) -> None:
    place, start = p.place, p.at
    while not p.sees(",") and p.tokens[p.at].kind != "end":
        p.at += 1
    name = text_of(p.tokens[start : p.at]) if p.at > start else ""
    if not re.fullmatch(ID, name):
        raise Refused(place, "expected a claim's id here, such as lemma6.3, and a comma")
    if name in page.claims:
        raise Refused(place, f"{name} is claimed already, on line {page.claims[name].place[0]}")
    p.need(",")
    kind = p.need(*KINDS)
    p.need(",")
    source = p.string("where it stands in the paper,")
    p.need(",")
    of = p.name("the name of inputs") if p.need("on", "once") == "on" else None
    condition = p.expression() if of and p.take("if") else None
    p.need(":")
    first, *rest = p.block("the claim's words in double quotes, then its relations")
    q = Parser(first)
    page.begins[f"claim {name}"] = q.place[0]
    words = q.string("the claim's words")
    q.alone()
    skip = None
    if rest and rest[0].tokens[0].text == "skipped" and rest[0].tokens[1].text == "if":
        q = Parser(rest.pop(0), 2)
        skip = (q.expression(), q.string("why"))
        q.alone()
    if not rest:
        raise Refused(q.place, f"expected a relation below; {name} has none")
    lines = [claim_line(Parser(line), True) for line in rest]
    page.claims[name] = Claim(place, name, kind, source, of, condition, words, skip, lines)


ITEMS = {f.__name__: f for f in (title, sizes, inputs, category, layer, network, claim)}


def new(page: Page, p: Parser, what: str) -> str:
    """A name that is defined here."""
    place, name = p.place, p.name(what)
    if name in TAKEN:
        raise Refused(place, f"{name!r} can't be defined: the language has it")
    for defined in (page.definitions, page.functions, page.inputs, page.layers, page.networks):
        if name in defined:
            raise Refused(place, f"{name} is defined already, on line {defined[name].place[0]}")
    if name in page.sizes:
        raise Refused(place, f"{name} is a size already")
    return name


def parse(text: str) -> Page:
    """The page, read but not yet understood: names.py looks at what its names mean."""
    lines, page = lines_of(text), Page(text)
    if not lines or [t.text for t in lines[0].tokens[:2]] != ["language", "1"]:
        place = lines[0].tokens[0].place if lines else (1, 1)
        raise Refused(place, "a page begins with the line: language 1")
    Parser(lines[0], 2).alone()
    page.begins["language"] = lines[0].tokens[0].place[0]
    for line in lines[1:]:
        p = Parser(line)
        if word := p.take("language", *ITEMS):
            if word == "language":
                raise Refused(line.tokens[0].place, "'language 1' stands once, at the beginning")
            ITEMS[word](page, p)
        else:
            define(page, p)
    if not page.claims:
        raise Refused((0, 0), "the page has no claim")
    return page

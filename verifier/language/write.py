"""A tree as text: what `parse` reads back as the same tree (up to places). One form for each page, so that two pages
can be compared, and pages can be made by programs.
"""

from itertools import zip_longest
from typing import NamedTuple

from verifier.language.tree import (
    BETWEEN_TRUTHS,
    Across,
    And,
    Call,
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
    If,
    Iff,
    Index,
    Inputs,
    LayerLine,
    Let,
    ListOf,
    Name,
    NetworkLine,
    Not,
    Number,
    Once,
    Or,
    Page,
    Power,
    Product,
    Range,
    Sum,
    Truth,
    Update,
    When,
    Within,
)

# How tightly an expression binds: what stands where something tighter is needed gets brackets.
_BINDS = {"if": 0, "iff": 1, "or": 2, "and": 3, "not": 4, "compare": 5, "sum": 6, "product": 7, "power": 8}
_ATOM = 9


class Line(NamedTuple):
    """A line that is written, and the number of the one in the page's own text that says it."""

    text: str
    number: int


def expression(tree: Expression, least: int = 0) -> str:
    text = _written(tree)
    return f"({text})" if _BINDS.get(tree.kind, _ATOM) < least else text


def _written(tree: Expression) -> str:
    match tree:
        case Number():
            return str(tree.value)
        case Truth():
            return "true" if tree.value else "false"
        case Name():
            return tree.name
        case Dots():
            return "..."
        case Index():
            return f"{expression(tree.listed, _ATOM)}[{expression(tree.subscript)}]"
        case Call():
            return f"{tree.name}({items(tree.arguments)})"
        case ListOf():
            return f"[{items(tree.items)}]"
        case Each():
            return _each(tree)
        case Range():
            return _reach(tree)
        case Sum():
            return _sum(tree)
        case Product():
            return _product(tree)
        case Power():
            return _power(tree)
        case Compare():
            return _compare(tree)
        case And():
            return " and ".join(expression(operand, 4) for operand in tree.operands)
        case Or():
            return " or ".join(expression(operand, 3) for operand in tree.operands)
        case Iff():
            return " iff ".join(expression(operand, 2) for operand in tree.operands)
        case Not():
            return f"not {expression(tree.operand, 4)}"
        case If():
            then, condition = expression(tree.then, 1), expression(tree.condition, 1)
            return f"{then} if {condition} else {expression(tree.otherwise)}"


def _sum(tree: Sum) -> str:
    text = ""
    for sign, term in tree.terms:
        part = expression(term, 7)
        text += f" {'+' if sign > 0 else '-'} {part}" if text else f"{'' if sign > 0 else '-'}{part}"
    return text


def _product(tree: Product) -> str:
    (_, first), *rest = tree.factors
    return expression(first, 8) + "".join(
        f"{sign if sign in '*/' else f' {sign} '}{expression(factor, 8)}" for sign, factor in rest
    )


def _power(tree: Power) -> str:
    minus, exponent = "", tree.exponent
    if isinstance(exponent, Sum) and len(exponent.terms) == 1 and exponent.terms[0][0] < 0:
        minus, exponent = "-", exponent.terms[0][1]
    return f"{expression(tree.base, _ATOM)}^{minus}{expression(exponent, 8)}"


def _compare(tree: Compare) -> str:
    text = expression(tree.sides[0], 6)
    for sign, side in zip(tree.signs, tree.sides[1:], strict=True):
        text += f" {sign} {expression(side, 6)}"
    return text


def _each(tree: Each) -> str:
    text = expression(tree.body)
    if tree.reach is not None:
        text += f" for {tree.letter} in {_reach(tree.reach)}"
    if tree.inputs is not None:
        text += f" over {tree.inputs}"
    return text + (f" if {expression(tree.condition)}" if tree.condition is not None else "")


def _reach(tree: Expression) -> str:
    if isinstance(tree, Range):
        return f"{expression(tree.low, 6)}..{expression(tree.high, 6)}"
    return expression(tree, 6)


def items(trees: list[Expression]) -> str:
    return ", ".join(expression(tree) for tree in trees)


def letters(names: list[str]) -> str:
    return f"({', '.join(names)})" if names else ""


def definition(name: str, defined: Definition) -> list[Line]:
    if defined.body is not None:
        printed = f' as "{defined.printed}"' if defined.printed is not None else ""
        return [Line(f"{name} = {expression(defined.body)}{printed}", defined.place[0])]
    lines = []
    for item in defined.items:
        loop = f" for {item.letter} in {_reach(item.reach)}" if item.reach is not None else ""
        lines.append(Line(f"{name}[{expression(item.subscript)}] = {expression(item.body)}{loop}", item.place[0]))
    return lines


def inputs(name: str, declaration: Inputs) -> Line:
    d = declaration
    begin = f"inputs {d.variable} in {name}: "
    if d.listed is not None:
        return Line(f"{begin}list {expression(d.listed)}", d.place[0])
    low, high = expression(d.low, 6), expression(d.high, 6)
    line = f"{begin}{d.kind} of {low if d.low is d.high else f'{low}..{high}'} {d.noun} {d.letter}"
    line += f" in {{{items(d.items.items)}}}"
    line += f"^{expression(d.power, _ATOM)}" if d.power is not None else ""
    line += f" by {expression(d.by)}" if d.by is not None else ""
    return Line(line + (f" at {d.at}" if d.at else ""), d.place[0])


def layer_line(line: LayerLine) -> Line:
    return Line(f"  {_layer_line(line)}", line.place[0])


def _layer_line(line: LayerLine) -> str:
    if isinstance(line, Update):
        return f"{line.tokens}[{line.position}] <- {expression(line.body)}"
    if isinstance(line, Let):
        return f"{line.name} = {expression(line.body)}"
    tie = "" if line.tie == "average" else line.tie + " "
    text = f"{line.name} = read {expression(line.value)} at {tie}max of {expression(line.score)}"
    text += f" over {expression(line.mask)}" if line.mask is not None else ""
    return text + (f" else {expression(line.default)}" if line.default is not None else "")


def network_lines(lines: list[NetworkLine], indent: str = "  ") -> list[Line]:
    written = []
    for line in lines:
        number = line.place[0]
        if isinstance(line, Family):
            written.append(Line(f"{indent}for {line.letter} in {_reach(line.reach)}:", number))
            written += network_lines(line.lines, indent + "  ")
        else:
            written.append(Line(f"{indent}{line.name}{f'({items(line.arguments)})' if line.arguments else ''}", number))
    return written


def claim_lines(lines: list[ClaimLine], indent: str) -> list[Line]:
    written = []
    for line in lines:
        if isinstance(line, Chain):
            least = 2 if line.signs[0] in BETWEEN_TRUTHS else 6
            sides = [expression(side, least) for side in line.sides]
            chain = "".join(f" {s} {side}" for s, side in zip(line.signs, sides[1:], strict=True))
            written.append(Line(indent + sides[0] + chain, line.place[0]))
            continue
        written.append(Line(f"{indent}{_head(line)}:", line.place[0]))
        written += claim_lines(line.lines, indent + "  ")
    return written


def _head(line: ForEach | When | Once | Within | Across | ForAll) -> str:
    """What stands before a block's colon."""
    match line:
        case ForEach():
            condition = f" if {expression(line.condition)}" if line.condition is not None else ""
            return f"for {line.letter} in {_reach(line.reach)}{condition}"
        case ForAll():
            head = f"for all {line.letter}"
            if line.reach is not None:
                head += f"[{line.subscript}] for {line.subscript} in {_reach(line.reach)}"
            return head + (f" if {expression(line.condition)}" if line.condition is not None else "")
        case When():
            return f"if {expression(line.condition)}"
        case Once():
            return "once"
        case Within() | Across():
            return f"{line.kind} {expression(line.numbers)} as {line.lower}, {line.upper}"


def claim(declaration: Claim, words: int) -> list[Line]:
    """words: the number of the line of its words."""
    c = declaration
    on = "once" if c.inputs is None else f"on {c.inputs}"
    on += f" if {expression(c.condition)}" if c.condition is not None else ""
    head = f'claim {c.id}, {c.kind}, "{c.source}", {on}:'
    lines = [Line(head, c.place[0]), Line(f'  "{c.words}"', words)]
    if c.skip is not None:
        condition, why = c.skip
        lines.append(Line(f'  skipped if {expression(condition)} "{why}"', condition.place[0]))
    return lines + claim_lines(c.lines, "  ")


def declared(page: Page, name: str) -> list[Line]:
    """The lines of a definition, a function, a layer or a network."""
    if name in page.definitions:
        return definition(name, page.definitions[name])
    if name in page.functions:
        function = page.functions[name]
        return [Line(f"{name}{letters(function.letters)} = {expression(function.body)}", function.place[0])]
    if name in page.layers:
        layer = page.layers[name]
        return [Line(f"layer {name}{letters(layer.letters)}:", layer.place[0]), *map(layer_line, layer.lines)]
    network = page.networks[name]
    return [Line(f"network {name}{letters(network.letters)}:", network.place[0]), *network_lines(network.lines)]


def lines_of(page: Page) -> list[Line]:
    """The page in its one form: declarations by kind, each in the order of the page."""
    lines = [Line("language 1", page.begins["language"])]
    if page.title:
        lines.append(Line(f'title "{page.title}"', page.begins["title"]))
    if page.sizes:
        to_try = {name: f" ({size})" for name, size in page.to_try.items()}
        sizes = ", ".join(f"{name} >= {least}{to_try.get(name, '')}" for name, least in page.sizes.items())
        lines.append(Line(f"sizes {sizes}", page.begins["sizes"]))
    categories = {c.name for c in page.categories}
    for name in (*(one for one in page.definitions if one not in categories), *page.functions):
        lines += declared(page, name)
    lines += [inputs(name, one) for name, one in page.inputs.items()]
    for c in page.categories:
        counts = f"{expression(c.cases)} cases, {expression(c.weight)} inputs"
        lines.append(Line(f"category {c.name} of {c.inputs} if {expression(c.condition)}: {counts}", c.place[0]))
    for name in (*page.layers, *page.networks):
        lines += declared(page, name)
    for one_claim in page.claims.values():
        lines += claim(one_claim, page.begins[f"claim {one_claim.id}"])
    return lines


def write(page: Page) -> str:
    """The page in its one form."""
    return "".join(f"{line.text}\n" for line in lines_of(page))


def difference(one: Page, other: Page) -> tuple[Line | None, Line | None] | None:
    """The first lines in which two pages differ, comments and layout aside; None of a page that has ended."""
    for a, b in zip_longest(lines_of(one), lines_of(other)):
        if a is None or b is None or a.text != b.text:
            return a, b
    return None

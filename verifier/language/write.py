"""A tree as text: what `parse` reads back as the same tree (up to places). One form for each page, so that two pages
can be compared, and pages can be made by programs.
"""

from itertools import zip_longest
from typing import Any, NamedTuple

from verifier.language.tree import BETWEEN_TRUTHS, Claim, Definition, Inputs, Page, Tree

# How tightly an expression binds: what stands where something tighter is needed gets brackets.
_BINDS = {"if": 0, "iff": 1, "or": 2, "and": 3, "not": 4, "compare": 5, "sum": 6, "product": 7, "power": 8}
_ATOM = 9


class Line(NamedTuple):
    """A line that is written, and the number of the one in the page's own text that says it."""

    text: str
    number: int


def expression(tree: Tree, least: int = 0) -> str:
    kind = tree[0]
    told = _WRITE[kind](tree)
    return f"({told})" if _BINDS.get(kind, _ATOM) < least else told


def _sum(tree: Tree) -> str:
    told = ""
    for sign, term in tree[2]:
        part = expression(term, 7)
        told += f" {'+' if sign > 0 else '-'} {part}" if told else f"{'' if sign > 0 else '-'}{part}"
    return told


def _product(tree: Tree) -> str:
    (_, first), *rest = tree[2]
    return expression(first, 8) + "".join(
        f"{sign if sign in '*/' else f' {sign} '}{expression(factor, 8)}" for sign, factor in rest
    )


def _power(tree: Tree) -> str:
    _, _, base, exponent = tree
    minus = exponent[0] == "sum" and len(exponent[2]) == 1 and exponent[2][0][0] < 0
    inner = exponent[2][0][1] if minus else exponent
    return f"{expression(base, _ATOM)}^{'-' if minus else ''}{expression(inner, 8)}"


def _compare(tree: Tree) -> str:
    told = expression(tree[3][0], 6)
    for sign, side in zip(tree[2], tree[3][1:], strict=True):
        told += f" {sign} {expression(side, 6)}"
    return told


def _each(tree: Tree) -> str:
    _, _, body, letter, reach, inputs, condition = tree
    told = expression(body)
    if letter is not None:
        told += f" for {letter} in {_reach(reach)}"
    if inputs is not None:
        told += f" over {inputs}"
    return told + (f" if {expression(condition)}" if condition is not None else "")


def _reach(tree: Tree) -> str:
    return f"{expression(tree[2], 6)}..{expression(tree[3], 6)}" if tree[0] == "range" else expression(tree, 6)


def items(trees: list[Tree]) -> str:
    return ", ".join(expression(tree) for tree in trees)


_WRITE: dict[str, Any] = {
    "number": lambda t: str(t[2]),
    "truth": lambda t: "true" if t[2] else "false",
    "name": lambda t: t[2],
    "dots": lambda _: "...",
    "index": lambda t: f"{expression(t[2], _ATOM)}[{expression(t[3])}]",
    "call": lambda t: f"{t[2]}({items(t[3])})",
    "list": lambda t: f"[{items(t[2])}]",
    "each": _each,
    "sum": _sum,
    "product": _product,
    "power": _power,
    "compare": _compare,
    "and": lambda t: " and ".join(expression(part, 4) for part in t[2]),
    "or": lambda t: " or ".join(expression(part, 3) for part in t[2]),
    "iff": lambda t: " iff ".join(expression(part, 2) for part in t[2]),
    "not": lambda t: f"not {expression(t[2], 4)}",
    "if": lambda t: f"{expression(t[3], 1)} if {expression(t[2], 1)} else {expression(t[4])}",
}


def letters(names: list[str]) -> str:
    return f"({', '.join(names)})" if names else ""


def definition(name: str, told: Definition) -> list[Line]:
    if told.body is not None:
        printed = f' as "{told.printed}"' if told.printed is not None else ""
        return [Line(f"{name} = {expression(told.body)}{printed}", told.place[0])]
    lines = []
    for item in told.items:
        loop = f" for {item.letter} in {_reach(item.reach)}" if item.reach is not None else ""
        lines.append(Line(f"{name}[{expression(item.subscript)}] = {expression(item.body)}{loop}", item.place[0]))
    return lines


def inputs(name: str, told: Inputs) -> Line:
    begin = f"inputs {told.variable} in {name}: "
    if told.listed is not None:
        return Line(f"{begin}list {expression(told.listed)}", told.place[0])
    low, high = expression(told.low, 6), expression(told.high, 6)
    told_items = items(told.items[2])
    line = f"{begin}{told.kind} of {low if told.low is told.high else f'{low}..{high}'} {told.noun} {told.letter}"
    line += f" in {{{told_items}}}"
    line += f"^{expression(told.power, _ATOM)}" if told.power is not None else ""
    line += f" by {expression(told.by)}" if told.by is not None else ""
    return Line(line + (f" at {told.at}" if told.at else ""), told.place[0])


def layer_line(line: Tree) -> Line:
    return Line(f"  {_layer_line(line)}", line[1][0])


def _layer_line(line: Tree) -> str:
    if line[0] == "update":
        return f"{line[2]}[{line[3]}] <- {expression(line[4])}"
    if line[0] == "let":
        return f"{line[2]} = {expression(line[3])}"
    _, _, name, value, tie, score, mask, default = line
    told = f"{name} = read {expression(value)} at {'' if tie == 'average' else tie + ' '}max of {expression(score)}"
    told += f" over {expression(mask)}" if mask is not None else ""
    return told + (f" else {expression(default)}" if default is not None else "")


def network_lines(lines: list[Tree], indent: str = "  ") -> list[Line]:
    told = []
    for line in lines:
        number = line[1][0]
        if line[0] == "for":
            told.append(Line(f"{indent}for {line[2]} in {_reach(line[3])}:", number))
            told += network_lines(line[4], indent + "  ")
        else:
            told.append(Line(f"{indent}{line[2]}{f'({items(line[3])})' if line[3] else ''}", number))
    return told


def claim_lines(lines: list[Tree], indent: str) -> list[Line]:
    told = []
    for line in lines:
        kind = line[0]
        if kind == "relation":
            least = 2 if line[2][0] in BETWEEN_TRUTHS else 6
            sides = [expression(side, least) for side in line[3]]
            chain = "".join(f" {s} {side}" for s, side in zip(line[2], sides[1:], strict=True))
            told.append(Line(indent + sides[0] + chain, line[1][0]))
            continue
        if kind == "for":
            head = f"for {line[2]} in {_reach(line[3])}"
            head += f" if {expression(line[4])}" if line[4] is not None else ""
        elif kind == "all":
            head = f"for all {line[2]}"
            head += f"[{line[3]}] for {line[3]} in {_reach(line[4])}" if line[4] is not None else ""
            head += f" if {expression(line[5])}" if line[5] is not None else ""
        elif kind == "when":
            head = f"if {expression(line[2])}"
        else:
            head = "once" if kind == "once" else f"{kind} {expression(line[2])} as {line[3]}, {line[4]}"
        told.append(Line(f"{indent}{head}:", line[1][0]))
        told += claim_lines(line[-1], indent + "  ")
    return told


def claim(told: Claim, words: int) -> list[Line]:
    """words: the number of the line of its words."""
    on = "once" if told.inputs is None else f"on {told.inputs}"
    on += f" if {expression(told.condition)}" if told.condition is not None else ""
    head = f'claim {told.id}, {told.kind}, "{told.source}", {on}:'
    lines = [Line(head, told.place[0]), Line(f'  "{told.words}"', words)]
    if told.skip is not None:
        condition, why = told.skip
        lines.append(Line(f'  skipped if {expression(condition)} "{why}"', condition[1][0]))
    return lines + claim_lines(told.lines, "  ")


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
        told = ", ".join(f"{name} >= {least}{to_try.get(name, '')}" for name, least in page.sizes.items())
        lines.append(Line(f"sizes {told}", page.begins["sizes"]))
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

"""The networks of a page: drawn as rows of layers, and each layer with its heads, their weights by name."""

from typing import Any

from verifier.evaluate.story import names
from verifier.language.form import why_generalised
from verifier.language.tree import Call, Family, Let, Name, NetworkLine, Page, Range, Read, Tree, with_parts
from verifier.language.write import expression, letters
from verifier.report.formula import formula
from verifier.report.markup import Html, el, joined, table

WEIGHTS = ("W_O", "W_V", "W_K", "W_Q", "b_Q")


def network(content: dict[str, Any], page: Page, shapes: dict[str, str]) -> Html:
    """The networks drawn, and the layers that they consist of."""
    spoken = reached(page, content)
    layers = [name for name in page.layers if name in spoken]
    if not layers:
        return Html("")
    parts = [_layer(name, page, content["layers"][name], shapes.get(name, "")) for name in layers]
    return el("section", el("h2", "The network"), drawn(page, content), *parts)


def reached(page: Page, content: dict[str, Any]) -> set[str]:
    """What the claims of a certificate speak of, and what that speaks of in turn."""
    its = [page.claims[entry["id"]] for entry in content["claims"]]
    waiting = [name for claim in its for name in names([claim.lines, claim.condition])]
    found: set[str] = set()
    for name in waiting:  # which grows
        if name in found:
            continue
        found.add(name)
        if name in page.definitions:
            definition = page.definitions[name]
            waiting += names([definition.body, *definition.items])
        elif name in page.functions:
            waiting += names(page.functions[name].body)
        elif name in page.networks:
            waiting += _used(page.networks[name].lines)
            waiting += names(page.networks[name].lines)
    return found


def _used(lines: list[NetworkLine]) -> list[str]:
    """The layers and networks that the lines of a network name."""
    return [name for line in lines for name in (_used(line.lines) if isinstance(line, Family) else [line.name])]


def _layer(name: str, page: Page, entry: dict[str, Any], shape: str) -> Html:
    layer = page.layers[name]
    heads = {0: "no head", 1: "one head"}.get(entry["heads"], f"{entry['heads']} heads")
    said = f"{entry['form']}, {heads}{',' * shape[:1].isdigit()} {shape}".rstrip()
    if entry["form"] == "generalised":
        said += f": {why_generalised(page, layer)}"
    rows: list[list[str]] = []
    lines: list[Html] = []
    for line in layer.lines:
        if isinstance(line, Read):
            tie = "" if line.tie == "average" else line.tie + " "
            words = [f"{line.name} reads ", formula(line.value), f" at the {tie}largest of ", formula(line.score)]
            words += [" over j with ", formula(line.mask)] if line.mask is not None else []
            words += [" (the mean of equal ones)"] if line.tie == "average" else []
            words += [", else ", formula(line.default)] if line.default is not None else []
            lines.append(el("p", *words))
            continue
        made = line.name if isinstance(line, Let) else f"{line.tokens}[{line.position}]"
        heads_of = _heads(line.body)
        if not heads_of:
            lines.append(el("p", el("code", f"{made} {'=' if isinstance(line, Let) else '<-'} "), formula(line.body)))
            continue
        lines.append(el("p", el("code", f"{made} <- {expression(_without(line.body))}")))
        rows += [[str(len(rows) + k), *map(formula, head.arguments)] for k, head in enumerate(heads_of, 1)]
    weights = table(["head", *WEIGHTS], rows, f"The weights of {name}") if rows else None
    return el("div", el("h3", el("code", f"{name}{letters(layer.letters)}"), f"  {said}"), *lines, weights)


def _heads(tree: Any) -> list[Call]:
    if isinstance(tree, Call) and tree.name == "head":
        return [tree]
    return [head for part in tree for head in _heads(part)] if isinstance(tree, (list, tuple)) else []


def _without(tree: Any) -> Any:
    """The same with heads that are named: head 1, head 2."""
    left = iter(range(1, len(_heads(tree)) + 1))

    def named(part: Any) -> Any:
        if isinstance(part, Call) and part.name == "head":
            return Name(part.place, f"head {next(left)}")
        if isinstance(part, Tree):
            return with_parts(part, map(named, part.parts))
        if isinstance(part, tuple):  # a sign and a term
            return tuple(named(one) for one in part)
        return [named(one) for one in part] if isinstance(part, list) else part

    return named(tree)


def drawn(page: Page, content: dict[str, Any]) -> Html:
    """Each network as a row of boxes; a family of layers is a box with its range."""
    pictures, top = [], 0
    spoken = reached(page, content)
    for name, network in page.networks.items():
        if name not in spoken:
            continue
        boxes = _boxes(network.lines)
        x, drawn = 0, [el("text", name, x=0, y=top + 14, class_="name")]
        for label, layer, many in boxes:
            wide = max(90, 8 * max(len(label), len(many)) + 16)
            entry = content["layers"].get(layer)
            many_heads = "" if entry is None else str(entry["heads"])
            heads = {"": "", "0": "token-wise", "1": "1 head"}.get(many_heads, f"{many_heads} heads")
            kind = "inner" if entry is None else entry["form"]
            drawn += [
                el("rect", x=x, y=top + 22, width=wide, height=52, rx=6, class_=f"layer {kind}"),
                el("text", label, x=x + wide // 2, y=top + 42, text_anchor="middle"),
                el("text", many or heads, x=x + wide // 2, y=top + 62, text_anchor="middle", class_="small"),
            ]
            x += wide + 26
        pictures.append((x, joined(drawn)))
        top += 92
    wide = max((x for x, _ in pictures), default=0) + 4
    return el(
        "div",
        el("svg", *(drawn for _, drawn in pictures), viewBox=f"-2 0 {wide} {top}", width=wide, height=top, role="img",
           aria_label="The networks, layer by layer", class_="network"),
        class_="wide",
    )  # fmt: skip


def _boxes(lines: list[NetworkLine], many: str = "") -> list[tuple[str, str, str]]:
    found = []
    for line in lines:
        if isinstance(line, Family):
            low_high = (line.reach.low, line.reach.high) if isinstance(line.reach, Range) else (line.reach,)
            found += _boxes(line.lines, f"{many} {line.letter} in {'..'.join(map(expression, low_high))}".strip())
        else:
            arguments = f"({', '.join(expression(a) for a in line.arguments)})" if line.arguments else ""
            found.append((f"{line.name}{arguments}", line.name, many if len(many) < 40 else many[:37] + "..."))
    return found


DRAWN = """
.network text { font: 13px ui-monospace, Menlo, Consolas, monospace; fill: var(--ink); }
.network text.small { font-size: 11px; fill: var(--soft); }
.network text.name { font-weight: 600; }
.network rect.layer { fill: var(--panel); stroke: var(--soft); }
.network rect.attention { stroke: var(--c1); stroke-width: 2; }
.network rect.generalised { stroke: var(--bad); stroke-dasharray: 4 3; }
.network rect.inner { stroke-dasharray: 2 3; }
"""

"""A page's certificate as a web page: what was found, the network drawn, the claims with their formulas, a witness
walked through, and the page itself. One file, nothing loaded from elsewhere.
"""

import base64
import hashlib
from pathlib import Path
from string import Template
from typing import Any

from verifier.language.tree import Claim, Page, Tree
from verifier.language.write import expression, letters, network_lines
from verifier.report.formula import lines
from verifier.report.found import CASES, at_text, case_text, conclusion, letters_text, slack_of, value_text
from verifier.report.markup import Html, el, joined, part, table
from verifier.report.tone import tone


def document(
    content: dict[str, Any],
    page: Page,
    standing: str,
    code: int,
    stories: list[dict[str, Any]],
    shapes: dict[str, str],
) -> bytes:
    """standing, code: the checker's answer, and what `verify check` ends with; green only where that is 0."""
    sizes = ", ".join(f"{name} = {content['sizes'][name]}" for name in page.sizes)
    body = joined(
        [
            el("p", "A page, run on every input", class_="over"),
            el("h1", page.title or "A page without a title"),
            el("p", f"At {sizes}." if sizes else ""),
            el("p", conclusion(content, page), class_=f"verdict {tone(content['verdict'], code)}"),
            el("p", standing, class_="standing"),
            el(
                "p",
                "What the page means is yours to judge: it stands at the end, and nothing else was run.",
                class_="note",
            ),
            el(
                "main",
                _network(content, page, shapes),
                _claims(content, page, code),
                *(_story(s, page, content) for s in stories),
            ),
            part(el("h2", "The page"), el("pre", content["page"])),
        ]
    )
    return _filled(page.title or "A page", body)


WITNESSES = 6


def witnesses(content: dict[str, Any]) -> tuple[Page, list[dict[str, Any]], dict[str, str]]:
    """The page of a certificate; the story of each case that refutes a claim; of none, of a tightest one; the sizes of
    its layers."""
    from gmpy2 import mpq

    from verifier.evaluate.definition import Reading
    from verifier.evaluate.story import shapes, story
    from verifier.evaluate.values import plain
    from verifier.language.page import read

    understood = read(content["page"])
    page = understood.page
    reading = Reading(understood, content["sizes"], {k: mpq(v) for k, v in content.get("variant", {}).items()})
    seen = [(entry["id"], entry["first"]) for entry in content["claims"] if "first" in entry]
    if not seen:
        tightest = [(entry["id"], least) for entry in content["claims"] if (least := slack_of(entry))]
        seen = [one for one in tightest if one[1]["ranks"]][:1]
    stories = []
    for id_, where in seen[:WITNESSES]:
        claim = page.claims[id_]
        for rank in where["ranks"] if claim.inputs else ():
            case = reading.case(str(claim.inputs), rank)
            told = story(claim, case, rank)
            told["case"] = plain(case.variables[page.inputs[str(claim.inputs)].variable])
            stories.append(told)
    return page, stories, shapes(understood, content)


def _network(content: dict[str, Any], page: Page, shapes: dict[str, str]) -> Html:
    """The layers drawn, and the networks as the page has them."""
    if not page.layers:
        return Html("")
    rows = []
    for name, layer in page.layers.items():
        entry = content["layers"][name]
        reads = [line for line in layer.lines if line[0] == "read"]
        masks = ", ".join(expression(line[6]) for line in reads if line[6] is not None) or "none"
        ties = ", ".join(dict.fromkeys(line[4] for line in reads)) or ("average" if entry["heads"] else "")
        rows.append(
            [name, entry["form"], str(entry["heads"]), shapes.get(name, ""), masks if entry["heads"] else "", ties]
        )
    told = [
        el("pre", "\n".join([f"network {name}{letters(n.letters)}:", *(line.text for line in network_lines(n.lines))]))
        for name, n in page.networks.items()
    ]
    head = ["layer", "form", "heads", "their size, and that of tokens", "mask", "ties"]
    return el("section", el("h2", "The network"), drawn(page, content), table(head, rows, "The layers"), *told)


def drawn(page: Page, content: dict[str, Any]) -> Html:
    """Each network as a row of boxes; a family of layers is a box with its range."""
    pictures, top = [], 0
    for name, network in page.networks.items():
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


def _boxes(lines_: list[Tree], many: str = "") -> list[tuple[str, str, str]]:
    found = []
    for line in lines_:
        if line[0] == "for":
            reach = line[3]
            told = f"{expression(reach[2])}..{expression(reach[3])}" if reach[0] == "range" else expression(reach)
            found += _boxes(line[4], f"{many} {line[2]} in {told}".strip())
        else:
            arguments = f"({', '.join(expression(a) for a in line[3])})" if line[3] else ""
            found.append((f"{line[2]}{arguments}", line[2], many if len(many) < 40 else many[:37] + "..."))
    return found


def _claims(content: dict[str, Any], page: Page, code: int) -> Html:
    return el(
        "section",
        el("h2", "The claims"),
        *(_claim(entry, page.claims[entry["id"]], content, code) for entry in content["claims"]),
    )


def _claim(entry: dict[str, Any], claim: Claim, content: dict[str, Any], code: int) -> Html:
    kind = content["inputs"][claim.inputs]["kind"] if claim.inputs in content["inputs"] else ""
    unit = CASES.get(kind, "construction")
    made = {(line["line"], line["column"]): line for line in entry.get("lines", [])}
    formulas = [pair for line in claim.lines for pair in lines(line)]
    rows: list[list[str]] = []
    for line in made.values():
        least = line.get("least")
        slack = f"{least['slack']}" + (f" at {where}" if (where := at_text(least, kind)) else "") if least else ""
        rows.append([str(line["line"]), line["relation"], f"{line['made']:,}", slack])
    found: list[Html] = []
    if "first" in entry:
        first = entry["first"]
        where = f"at {told}: " if (told := at_text(first, kind)) else ""
        told = f"{where}{value_text(first['value'])} against {value_text(first['bound'])} (line {first['line']})"
        found.append(el("p", el("strong", "Counterexample "), told, f"; fails at {entry['failing']:,} in all."))
    if "why" in entry:
        found.append(el("p", f"Skipped: {entry['why']}"))
    aside = entry["verdict"] == "refuted" and claim.kind == "excluded"
    verdict = "fails" if aside else entry["verdict"]
    badge = el("span", verdict, class_=f"badge {tone(verdict, code)}")
    heading = el("span", el("code", claim.id), " ", badge, f" {entry['cases']:,} {unit}")
    return part(
        heading,
        el("p", claim.words),
        el("p", f"{claim.kind}, {claim.source}", class_="place"),
        *(el("p", told) for _, told in formulas),
        *found,
        table(["line", "relation", "compared", "least slack"], rows, "What was compared") if rows else None,
        opened=entry["verdict"] == "refuted",
    )


def _story(story: dict[str, Any], page: Page, content: dict[str, Any]) -> Html:
    claim = page.claims[story["claim"]]
    kind = content["inputs"].get(claim.inputs, {}).get("kind", "")
    parts: list[Html] = [el("h2", f"{claim.id}, one input walked through")]
    if story["case"]:
        parts.append(el("p", f"Input {case_text(story['case'], kind)}"))
    for run in story["runs"]:
        rows = [[f"token {k}", value_text(token)] for k, token in enumerate(run["tokens"], run["first"])]
        parts.append(table(["", "tokens at first"], rows, f"{run['network']} runs on"))
        for step in run["steps"][:12]:
            changed = [[f"token {c['token']}", value_text(c["from"]), value_text(c["to"])] for c in step["changed"]]
            parts.append(table(["", "before", "after"], changed, f"{step['layer']} changes"))
        if run["steps"][12:]:
            parts.append(el("p", f"{len(run['steps']) - 12} more layers act.", class_="note"))
    told = []
    for r in story["relations"][:40]:
        found = f"{value_text(r['value'])} {r['sign']} {value_text(r['bound'])}"
        told.append([str(r["line"]), r["relation"], letters_text(r), found, "holds" if r["holds"] else "fails"])
    if told:
        parts.append(table(["line", "relation", "at", "found", ""], told, "The relations here"))
    return el("section", *parts)


DRAWN = """
.network text { font: 13px ui-monospace, Menlo, Consolas, monospace; fill: var(--ink); }
.network text.small { font-size: 11px; fill: var(--soft); }
.network text.name { font-weight: 600; }
.network rect.layer { fill: var(--panel); stroke: var(--soft); }
.network rect.attention { stroke: var(--c1); stroke-width: 2; }
.network rect.generalised { stroke: var(--bad); stroke-dasharray: 4 3; }
.network rect.inner { stroke-dasharray: 2 3; }
"""


def _filled(title: str, body: Html) -> bytes:
    here = Path(__file__).parent
    style = (here / "page.css").read_text() + DRAWN
    digests = {
        "style_hash": base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
        "script_hash": base64.b64encode(hashlib.sha256(b"").digest()).decode(),
    }
    template = Template((here / "page.html").read_text())
    return template.substitute(title=el("span", title)[6:-7], style=style, script="", body=body, **digests).encode()

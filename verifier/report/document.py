"""Certificates of pages as a web page: what was found, in one sentence and a table; what refutes a claim, walked
through; where the values lie; the networks; each claim in its formulas; the page itself. One file, nothing loaded from
elsewhere.
"""

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any

from verifier.evaluate.story import shapes
from verifier.evaluate.values import value_text
from verifier.language.page import read
from verifier.language.tree import KINDS, Claim, Page
from verifier.lines import many
from verifier.report import pictures
from verifier.report.drawn import DRAWN, network
from verifier.report.formula import lines
from verifier.report.found import CASES, at_text, conclusion, cut, kind_of, recognised, slack_of
from verifier.report.markup import Html, el, joined, part, table
from verifier.report.pictures import number_lines
from verifier.report.tone import tone
from verifier.report.walked import walked
from verifier.report.witness import witnesses

MOST_ROWS = 60  # lines of a claim


@dataclass(frozen=True)
class Told:
    """An accepted certificate, and what is told of it. standing, code: the checker's answer, and what `verify check`
    ends with; green only where that is 0."""

    content: dict[str, Any]
    page: Page
    standing: str
    code: int
    stories: list[dict[str, Any]]
    shapes: dict[str, str]
    lines: list[pictures.Line]

    @property
    def title(self) -> str:
        return self.page.title or "A page without a title"

    @property
    def at(self) -> str:
        sizes = ", ".join(f"{name} = {self.content['sizes'][name]}" for name in self.page.sizes)
        variant = [f"VARIANT {name} = {value}" for name, value in self.content.get("variant", {}).items()]
        return "; ".join(filter(None, [sizes, *variant]))


def of_certificate(content: dict[str, Any], standing: str, code: int) -> Told:
    """What is told of a certificate. standing, code: as above."""
    understood = read(content["page"])
    page, stories = witnesses(content)
    return Told(content, page, standing, code, stories, shapes(understood, content), number_lines(understood, content))


def document(told: Sequence[Told]) -> bytes:
    """The page of one certificate, or of several, one after the other."""
    head = [el("p", "verifier: a report", class_="over")]
    if len(told) > 1:
        rows = [
            [
                el("a", f"{one.title}{': ' * bool(one.at)}{one.at}", href=f"#c{k}"),
                el("span", one.content["verdict"], class_=f"badge {tone(one.content['verdict'], one.code)}"),
                one.standing,
            ]
            for k, one in enumerate(told, 1)
        ]
        head += [
            el("h1", f"{len(told)} certificates"),
            table(["certificate", "verdict", "checked"], rows, "Each of them"),
        ]
    body = joined([*head, *(certificate(one, k) for k, one in enumerate(told, 1))])
    return filled(told[0].title if len(told) == 1 else f"{len(told)} certificates", body)


def certificate(told: Told, k: int) -> Html:
    content, page = told.content, told.page
    found = [walked(story, page, content) for story in told.stories]
    drawn = [pictures.figure(line) for line in told.lines]
    return el(
        "main",
        el("h1", told.title),
        el("p", f"At {told.at}." if told.at else ""),
        el("p", conclusion(content, page), class_=f"verdict {tone(content['verdict'], told.code)}"),
        el("p", told.standing, class_="standing"),
        el(
            "p",
            "What the page means is yours to judge: it stands at the end, and nothing else was run.",
            class_="note",
        ),
        _summary(told, k),
        el("section", el("h2", "Walked through"), *found) if found else None,
        el("section", el("h2", "Where the values lie"), *drawn) if drawn else None,
        network(content, page, told.shapes),
        _covered(content),
        _claims(content, page, told.code, k),
        part(el("h2", "The page"), el("pre", content["page"])),
        id=f"c{k}",
    )


def _verdict(entry: dict[str, Any], claim: Claim, code: int) -> Html:
    aside = entry["verdict"] == "refuted" and claim.kind == "excluded"
    return el(
        "span", "fails" if aside else entry["verdict"], class_=f"badge {tone('' if aside else entry['verdict'], code)}"
    )


def _summary(told: Told, k: int) -> Html:
    rows = []
    for entry in told.content["claims"]:
        claim = told.page.claims[entry["id"]]
        least = slack_of(entry) if entry["verdict"] == "holds" else None
        equal = "equality" if entry["verdict"] == "holds" else ""  # both sides, in every case, if there is no slack
        rows.append(
            [
                el("a", el("code", claim.id), href=f"#c{k}-{claim.id}"),
                cut(claim.words, 160),
                _verdict(entry, claim, told.code),
                f"{entry['cases']:,}",
                cut(least["slack"], 24) if least else equal,
            ]
        )
    return table(["claim", "what it says", "verdict", "cases", "slack"], rows, "The claims", "summary")


def _covered(content: dict[str, Any]) -> Html:
    """The inputs, with their categories; the numbers that have names."""
    rows = []
    for name, entry in content["inputs"].items():
        rows.append([name, f"all {CASES[entry['kind']]}s", f"{entry['cases']:,}", f"{entry['inputs']:,}"])
        for category, its in entry.get("categories", {}).items():
            rows.append([f"{name}: {category}", "", f"{its['cases']:,}", f"{its['inputs']:,}"])
    numbers = [[el("code", name), cut(value, 200)] for name, value in content["constants"].items()]
    return el(
        "section",
        el("h2", "What was run"),
        table(["inputs", "", "cases", "as arrangements"], rows, "The cases") if rows else None,
        table(["number", "is here"], numbers, "The page's numbers with names") if numbers else None,
    )


def _claims(content: dict[str, Any], page: Page, code: int, k: int) -> Html:
    return el(
        "section",
        el("h2", "The claims"),
        *(
            _claim(entry, page.claims[entry["id"]], kind_of(entry["id"], content, page), code, k)
            for entry in content["claims"]
        ),
    )


def _claim(entry: dict[str, Any], claim: Claim, kind: str, code: int, k: int) -> Html:
    formulas = [el("div", told, class_="formula") for line in claim.lines for _, told in lines(line)]
    rows: list[list[str]] = []
    for line in entry.get("lines", [])[:MOST_ROWS]:
        least = line.get("least")
        slack = f"{least['slack']}" + (f" at {where}" if (where := at_text(least, kind)) else "") if least else ""
        rows.append([str(line["line"]), el("code", line["relation"]), f"{line['made']:,}", cut(slack, 400)])
    found = [el("p", told) for told in recognised(entry, kind)]
    if "first" in entry:
        first = entry["first"]
        where = f"at {told}: " if (told := at_text(first, kind)) else ""
        sides = f"{where}{value_text(first['value'])} against {value_text(first['bound'])} (line {first['line']})"
        found.append(el("p", el("strong", "Counterexample "), cut(sides), f"; fails at {entry['failing']:,} in all."))
    if "why" in entry:
        found.append(el("p", f"Skipped: {entry['why']}"))
    counted = many(entry["cases"], CASES.get(kind, "construction"))
    heading = el("span", el("code", claim.id), " ", _verdict(entry, claim, code), f" {counted}")
    return part(
        heading,
        el("p", claim.words),
        el("p", f"{claim.source}; {claim.kind}: {KINDS[claim.kind]}", class_="place"),
        *formulas,
        *found,
        table(["line", "relation", "compared", "least slack"], rows, "What was compared") if rows else None,
        opened=entry["verdict"] == "refuted",
        id=f"c{k}-{claim.id}",
    )


def filled(title: str, body: Html) -> bytes:
    here = Path(__file__).parent
    style = (here / "page.css").read_text(encoding="utf-8") + DRAWN
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    template = Template((here / "page.html").read_text(encoding="utf-8"))
    return template.substitute(title=joined([title]), style=style, body=body, style_hash=digest).encode()

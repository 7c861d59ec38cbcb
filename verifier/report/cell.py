"""What a page's run found, as a notebook shows it: a table of the claims, the networks drawn, counterexamples, and one
case walked through. Whatever is of the page is escaped."""

from html import escape
from typing import Any

from verifier.core.exact import shortened
from verifier.core.notebook import table_html
from verifier.evaluate.values import case_text, value_text
from verifier.language.tree import Page
from verifier.lines import many
from verifier.report.drawn import DRAWN, drawn
from verifier.report.found import (
    CASES,
    at_text,
    conclusion,
    kind_of,
    letters_text,
    recognised,
    sides_text,
    slack_of,
)

STEPS = 12  # layers of a walk
COLOURS = "--ink: currentColor; --soft: #8a8f98; --panel: transparent; --c1: #3b7dc4; --bad: #d0413b"  # light or dark


def html(content: dict[str, Any], page: Page, stories: list[dict[str, Any]], checked: str = "") -> str:
    """checked: the independent checker's answer, where it was asked."""
    at = [f"{name} = {content['sizes'][name]}" for name in page.sizes]
    at += [f"VARIANT {name} = {value}" for name, value in content.get("variant", {}).items()]
    at += [f"{name}: all {many(entry['cases'], CASES[entry['kind']])}" for name, entry in content["inputs"].items()]
    head = f"{page.title or 'a page without a title'}{': ' if at else ''}{'; '.join(at)}"
    parts = [table_html(head, ("claim", "what it says", "verdict", "cases", "slack"), _claims(content, page))]
    if page.networks:
        parts.append(f'<style>{DRAWN}</style><div style="{COLOURS}; overflow-x: auto">{drawn(page, content)}</div>')
    for entry in content["claims"]:
        answers = recognised(entry, kind_of(entry["id"], content, page))
        parts += [f"<p><code>{escape(entry['id'])}</code> {escape(told)}</p>" for told in answers]
        if "first" in entry:
            rows = _counterexample(entry, content, page)
            parts.append(table_html(f"Counterexample to {entry['id']}", ("", ""), rows))
    parts += [part for story in stories for part in _walk(story, content, page)]
    parts.append(f"<p>{escape(conclusion(content, page))}</p>")
    parts += [f"<p>{escape(checked[0].upper() + checked[1:])}.</p>"] if checked else []
    return f"<div>{''.join(parts)}</div>"


def _claims(content: dict[str, Any], page: Page) -> list[list[str]]:
    rows = []
    for entry in content["claims"]:
        least = slack_of(entry) if entry["verdict"] == "holds" else None
        slack = shortened(least["slack"], 24) if least else ""
        rows.append([entry["id"], page.claims[entry["id"]].words, entry["verdict"], f"{entry['cases']:,}", slack])
    return rows


def _counterexample(entry: dict[str, Any], content: dict[str, Any], page: Page) -> list[list[str]]:
    first = entry["first"]
    line = next(one for one in entry["lines"] if (one["line"], one["column"]) == (first["line"], first["column"]))
    where = at_text(first, kind_of(entry["id"], content, page))
    return [
        *([["at", where]] if where else []),
        ["claimed", f"{line['relation']}   (line {first['line']} of the page)"],
        ["found", f"{value_text(first['value'])} against {value_text(first['bound'])}"],
        ["fails at", f"{entry['failing']:,} in all"],
    ]


def _walk(story: dict[str, Any], content: dict[str, Any], page: Page) -> list[str]:
    """Each network's tokens at first, and what each layer changed; then the relations."""
    kind = kind_of(story["claim"], content, page)
    case = f" at {case_text(story['case'], kind)}" if story["case"] else ""
    parts = []
    for run in story["runs"]:
        rows = [
            ["at first", f"token {k}", "", value_text(token)] for k, token in enumerate(run["tokens"], run["first"])
        ]
        for step in run["steps"][:STEPS]:
            rows += [
                [step["layer"], f"token {change['token']}", value_text(change["from"]), value_text(change["to"])]
                for change in step["changed"]
            ]
        if left := len(run["steps"]) - STEPS if len(run["steps"]) > STEPS else 0:
            rows.append([f"{left} more", "", "", ""])
        parts.append(table_html(f"{run['network']}{case}", ("layer", "", "before", "after"), rows))
    told = [
        [
            str(one["line"]),
            one["relation"],
            letters_text(one),
            sides_text(one),
            "holds" if one["holds"] else "fails",
        ]
        for one in story["relations"]
    ]
    if told:
        parts.append(table_html(f"{story['claim']}{case}", ("line", "relation", "at", "found", ""), told))
    elif not story["inside"]:
        parts.append(f"<p>{escape(story['claim'])} isn't about this input.</p>")
    return parts

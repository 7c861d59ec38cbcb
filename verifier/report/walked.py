"""A story (verifier/evaluate/story.py) on a web page: the tokens as columns of a matrix, layer by layer, only what
changed; the relations; what they speak of, down to numbers."""

from typing import Any

from verifier.core.exact import shortened
from verifier.evaluate.values import case_text, value_text
from verifier.language.tree import Page
from verifier.report.found import cut, letters_text, sides_text
from verifier.report.markup import Html, el, part, table

STEPS = 24  # of a network
RELATIONS = 40
LONGEST = 40  # characters of a number
MOST = (12, 12)  # tokens and entries of a token that are drawn as a matrix


def walked(story: dict[str, Any], page: Page, content: dict[str, Any]) -> Html:
    claim = page.claims[story["claim"]]
    kind = content["inputs"].get(claim.inputs, {}).get("kind", "")
    parts: list[Html] = [el("h3", el("code", claim.id), ": one input walked through")]
    if story["case"]:
        parts.append(el("p", "Input ", el("code", cut(case_text(story["case"], kind)))))
    parts += [_run(run) for run in story["runs"]]
    shown = sorted(story["relations"], key=lambda one: one["holds"])[:RELATIONS]
    rows = [
        [
            str(one["line"]),
            el("code", one["relation"]),
            letters_text(one),
            cut(sides_text(one)),
            el("span", "holds" if one["holds"] else "fails", class_=None if one["holds"] else "fails"),
        ]
        for one in shown
    ]
    if rows:
        parts.append(table(["line", "relation", "at", "found", ""], rows, "The relations here"))
    if left := len(story["relations"]) - len(shown):
        parts.append(el("p", f"{left:,} more relations hold here.", class_="note"))
    for values in story["collected"]:
        parts.append(el("p", f"Compared with the values of all other cases: {cut(', '.join(map(value_text, values)))}"))
    called = [[run["called"]] for run in story["runs"]]
    if where := [one for one in story["where"] if one["text"] not in called]:
        told = [
            [el("code", "\n".join(one["text"])), cut(value_text(one["value"])) if "value" in one else ""]
            for one in where
        ]
        parts.append(table(["where", "is here"], told, "What the relations speak of", "where"))
    return el("section", *parts, class_="walk")


def _run(run: dict[str, Any]) -> Html:
    tokens = run["tokens"]
    name = run["called"] or f"{run['network']}{_arguments(run['arguments'])}"
    frames = [_frame("at first", tokens, [], run["first"])]
    for step in run["steps"][:STEPS]:
        after = {change["token"] - run["first"]: change["to"] for change in step["changed"]}
        tokens = [after.get(k, token) for k, token in enumerate(tokens)]
        frames.append(_frame(f"{step['layer']}{_arguments(step['arguments'])}", tokens, step["changed"], run["first"]))
    left = len(run["steps"]) - STEPS
    more = el("p", f"{left} more layers act.", class_="note") if left > 0 else None
    none = el("p", "No layer changes them.", class_="note") if not run["steps"] else None
    return part(el("strong", el("code", name)), el("div", *frames, class_="sweep"), more, none)


def _arguments(arguments: list[Any]) -> str:
    return f"({', '.join(map(value_text, arguments))})" if arguments else ""


def _frame(name: str, tokens: list[Any], changed: list[dict[str, Any]], first: int) -> Html:
    reads = [
        f"token {change['token']} reads {' and '.join(cut(value_text(value), LONGEST) for value in change['reads'])}"
        for change in changed
        if change["reads"]
    ]
    columns = {change["token"] - first for change in changed}
    if len(tokens) <= MOST[0] and all(len(token) <= MOST[1] for token in tokens):
        shown: Html = matrix(tokens, columns)
    else:
        told = [[f"token {c['token']}", cut(value_text(c["to"]), 200)] for c in changed[: MOST[0]]]
        shown = table(["", "becomes"], told, "What changed") if told else el("p", f"{len(tokens)} tokens")
    return el(
        "figure",
        el("figcaption", el("code", name)),
        shown,
        el("p", "; ".join(reads), class_="note") if reads else None,
        class_="frame",
    )


def matrix(tokens: list[Any], changed: set[int]) -> Html:
    """Tokens as columns."""
    rows = [
        el(
            "mtr",
            *(el("mtd", _entry(token[row]), class_="is" if k in changed else None) for k, token in enumerate(tokens)),
        )
        for row in range(len(tokens[0]) if tokens else 0)
    ]
    plain = "; ".join(", ".join(token) for token in tokens)
    return el("math", el("mtable", *rows, class_="matrix"), alttext=f"columns {plain}")


def _entry(text: str) -> Html:
    upper, slash, lower = shortened(text, LONGEST).partition("/")
    sign = el("mo", "−") if upper.startswith("-") else None
    bare = upper.lstrip("-")
    value = (
        el("mfrac", el("mn", bare), el("mn", lower))
        if slash and len(text) < LONGEST
        else el("mn", bare + slash + lower)
    )
    return el("mrow", sign, value)

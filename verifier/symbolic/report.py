"""A symbolic certificate for people: a table for a terminal, and the whole proof as Markdown."""

import re
from collections.abc import Iterator
from typing import Any

from verifier.lines import many
from verifier.symbolic.algebra import index_text
from verifier.symbolic.certificate import CLAIMS, of_page, words_of
from verifier.symbolic.facts import facts


def domain(document: dict[str, Any]) -> str:
    return f"{'all n >= 2' if document['n'] == 'all' else 'n = ' + document['n']}, all d >= 1 and all N >= 2"


def counts(document: dict[str, Any]) -> Iterator[tuple[str, int, int]]:
    """Each claim, of how many facts it is proved, and of how many obligations these are."""
    obligations = {fact["name"]: len(fact["obligations"]) for fact in document["facts"]}
    for claim in document["claims"]:
        names = facts().enough(claim)
        yield claim, len(names), sum(obligations[name] for name in names)


def as_text(document: dict[str, Any]) -> str:
    shown = {fact["name"]: len(fact["obligations"]) for fact in document["facts"]}
    rows = [f" {'claim':<22} {'facts':>5} {'obligations':>11}"]
    rows += [f" {claim:<22} {parts:>5} {obligations:>11}" for claim, parts, obligations in counts(document)]
    count = f"{many(len(shown), 'fact')}, {many(sum(shown.values()), 'obligation')} (lemmas included)"
    assumed = "Assumed, for a person to judge, not a program:" + "".join(f"\n- {words}" for words in facts().assumed)
    n = None if document["n"] == "all" else int(document["n"])
    left = [i for i in CLAIMS if i not in facts().claimed(n) and f"{i}-repaired" in document["claims"]]
    false = "".join(f"not claimed for {'all n' if n is None else f'n = {n}'}: {i}\n" for i in left)
    return f"proved for {domain(document)}\n\n" + "\n".join(rows) + f"\n\n{count}\n{assumed}\n{false}"


def as_markdown(document: dict[str, Any]) -> str:
    text = facts()
    out = [f"# A proof for {domain(document)}", "", f"{text.title}.", ""]
    out += [
        "Numbers are in units of delta. Of each obligation: what has to be shown; what is written for symbols of it;",
        "what is used, H >= 0 or = 0, as h1, h2, ...; and the sum that it is then, of terms >= 0 (SYMBOLIC.md).",
        "",
        "## What is proved",
        "",
        "Each by facts, and by rules, which link the recursions with the network (SYMBOLIC.md, 5):",
        "",
        *(f"- *{rule}*: {', '.join(parts)}." for rule, parts in text.rules.items()),
        "",
    ]
    for claim in document["claims"]:
        where = f" ({of_page()[claim].source})" if claim in of_page() else ""
        out += [f"- `{claim}`{where}: {words_of(claim)}", f"  By {', '.join(text.claims[claim].parts)}."]
    section = ""
    for name, definition in text.definitions.items():
        if definition.section != section:
            section = definition.section
            out += ["", f"## {section}", ""]
        out.append(f"- {name}: `{definition.text}`")
    for shown in document["facts"]:
        fact = text.facts[shown["name"]]
        if fact.section != section:
            section = fact.section
            out += ["", f"## {section}", ""]
        induction = f", by induction on {fact.variable} from {index_text(fact.start)}" if fact.variable else ""
        out += [f"**{fact.name}**{induction}: `{fact.text}`", ""]
        for one in shown["obligations"]:
            out.append(f"- {one['case'] + ': ' if one['case'] else ''}${_math(one['goal'])}$")
            if one["replace"]:
                out.append(f"  - by definition {', '.join(map(_step, one['replace']))}")
            if one["use"]:
                out.append(f"  - h: {', '.join(f'{k}. {_step(step)}' for k, step in enumerate(one['use'], start=1))}")
            out.append(f"  - $= {_math(one['sum'])}$")
        out.append("")
    out += ["## What is assumed", "", *(f"- {words}" for words in text.assumed), ""]
    return "\n".join(out)


def _step(step: dict[str, Any]) -> str:
    if step["fact"] == "range":
        return f"{step['at']['low']} <= {step['at']['high']}"
    at = ", ".join(f"{name} = {words}" for name, words in sorted(step["at"].items()))
    name = "the induction hypothesis" if step["fact"] == "before" else step["fact"]
    return f"{name} ({at})" if at else name


def _math(polynomial: str) -> str:
    subscripts = re.sub(r"([A-Za-z]+'?)\[([^\]]*)\]", r"\1_{\2}", polynomial)
    named = re.sub(r"\bh(\d+)", r"h_{\1}", subscripts).replace("y0", "y_0")
    named = re.sub(r"\b(low|top|lt|bs|id)('?)_", r"\\mathit{\1}\2_", named)
    named = re.sub(r"\bla\b", r"\\mathit{la}", named)
    return re.sub(r"\^(\d+)", r"^{\1}", named).replace("*", " ")

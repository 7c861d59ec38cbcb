"""What a page's certificate says, on a terminal: its claims, its counterexamples, one sentence that concludes."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from gmpy2 import mpq
from rich.text import Text

from verifier.evaluate.values import case_text, value_text
from verifier.language.library import rests_on
from verifier.language.tree import Claim, Page
from verifier.language.write import expression
from verifier.lines import many
from verifier.report.console import NARROW, fits, hanging, new_table, say, short, stdout

STYLE = {
    "holds": "green",
    "refuted": "bold red",
    "fails": "yellow",
    "vacuous": "yellow",
    "skipped": "yellow",
    "incomplete": "yellow",
}
CASES = {"words": "word", "multisets": "orbit", "sets": "orbit", "list": "input"}
VALUE = 2_000  # characters of a value, or of a case
COUNTEREXAMPLES = 3  # unless every one is asked for
FEW = 12  # claims that are shown one by one even without -v


ANSWERS = {
    (True, True): "accepted, and so it should be",
    (False, False): "not accepted, and it shouldn't be",
    (True, False): "accepted, and it shouldn't be",
    (False, True): "not accepted, and it should be",
}


def sides_text(relation: dict[str, Any], shorter: Callable[[str], str] = str) -> str:
    """Both sides of a relation as they were found; of `recognises` what the construction says of the input."""
    if relation["sign"] == "recognises":
        return ANSWERS[relation["value"], relation["bound"]]
    return f" {relation['sign']} ".join(shorter(value_text(relation[side])) for side in ("value", "bound"))


def cut(text: str, most: int = VALUE) -> str:
    return text if len(text) <= most else f"{text[:most]}... ({len(text):,} characters)"


def at_text(seen: dict[str, Any], kind: str) -> str:
    """Where a relation was seen: its cases, and what the letters of the blocks around it stand for; or nothing."""
    cases = " and ".join(case_text(case, kind) for case in seen["cases"])
    return ", ".join(filter(None, [cases, letters_text(seen)]))


def letters_text(seen: dict[str, Any]) -> str:
    told = ", ".join(f"{name} = {value_text(value)}" for name, value in seen.get("letters", {}).items())
    return told + (f", from {seen['from']}" if "from" in seen else "")


def kind_of(id_: str, content: dict[str, Any], page: Page) -> str:
    """The kind of the inputs that a claim is on; nothing for one about no case."""
    inputs = page.claims[id_].inputs
    return content["inputs"].get(inputs, {}).get("kind", "") if inputs else ""


def recognised(claim: dict[str, Any], kind: str) -> list[str]:
    """Of each `recognises` of a claim: what is accepted, and what wrongly is or isn't."""
    told = []
    for line in claim.get("lines", []):
        if "accepted" in line:
            asked = CASES[kind] if kind and line["made"] == claim["cases"] else "relation"
            counts = [f"{line['accepted']:,} of {many(line['made'], asked)} accepted"]
            for name, way in (("wrongly_accepted", "wrongly accepted"), ("wrongly_rejected", "wrongly rejected")):
                first = line[name].get("first")
                where = f", the first at {cut(at_text(first, kind)) or 'no case'}" if first else ""
                counts.append(f"{line[name]['made'] or 'none'} {way}{where}")
            told.append("; ".join(counts))
    return told


def slack_of(claim: dict[str, Any]) -> dict[str, Any] | None:
    """The tightest of a claim's lines."""
    least = [line["least"] for line in claim.get("lines", []) if "least" in line]
    return min(least, key=lambda one: mpq(one["slack"]), default=None)


def print_found(
    content: dict[str, Any], page: Page, checked: str = "", *, every: bool = False, shapes: dict[str, str] | None = None
) -> None:
    """Many claims are summarised, unless every one is asked for. shapes: of each layer with heads what
    evaluate/story.py says of its sizes."""
    console = stdout()
    console.print(Text(page.title or "a page without a title", style="bold"))
    for name, value in content.get("variant", {}).items():
        hanging(console, "VARIANT    ", f"{name} = {value}, and not what the page says")
    for label, words in _heading(content, page, shapes or {}):
        hanging(console, f"{label:<11}", words)
    console.print()
    if every or len(content["claims"]) <= FEW:
        _claims(console, content["claims"], page, in_full=True)
    else:
        _summary(console, content, page)
    _categories(console, content, page)
    answers = [(claim["id"], recognised(claim, kind_of(claim["id"], content, page))) for claim in content["claims"]]
    for id_, told in answers:
        for words in told:
            hanging(console, f"{id_}  ", words)
    if any(told for _, told in answers):
        console.print()
    refuted = [claim for claim in content["claims"] if claim["verdict"] == "refuted"]
    for claim in refuted if every else refuted[:COUNTEREXAMPLES]:
        _counterexample(console, claim, page.claims[claim["id"]], kind_of(claim["id"], content, page))
    if (left := refuted[COUNTEREXAMPLES:]) and not every:
        say(console, f"{len(left)} more counterexample{'s: -v shows them' if left[1:] else ': -v shows it'}.\n")
    say(console, conclusion(content, page), STYLE[content["verdict"]])
    if checked:
        say(console, f"{checked[0].upper()}{checked[1:]}.")


def _heading(content: dict[str, Any], page: Page, shapes: dict[str, str]) -> Iterator[tuple[str, str]]:
    """The sizes, the inputs, and of the page's layers and named constants those that the claims speak of."""
    spoken = rests_on(page, [claim["id"] for claim in content["claims"]])
    if page.sizes:
        yield "at", ", ".join(f"{name} = {content['sizes'][name]}" for name in page.sizes)
    for k, (name, entry) in enumerate(content["inputs"].items()):
        yield "" if k else "inputs", _inputs(name, entry)
    forms: dict[str, list[str]] = {}
    for name, entry in content["layers"].items():
        if name in spoken:
            forms.setdefault(_form(entry, shapes.get(name, "")), []).append(name)
    if forms:
        yield "layers", "; ".join(f"{', '.join(names)}: {form}" for form, names in forms.items())
    constants = [f"{name} = {short(content['constants'][name])}" for name, own in page.printed.items() if own in spoken]
    if constants:
        yield "constants", ", ".join(constants)


def _inputs(name: str, entry: dict[str, Any]) -> str:
    said = f"{name}: all {many(entry['cases'], CASES[entry['kind']])}"
    if entry["kind"] in ("multisets", "sets"):
        said += f" (each stands for its arrangements, {entry['inputs']:,} in all, and was run in one of them)"
    return said


def _form(entry: dict[str, Any], shape: str) -> str:
    heads = entry["heads"]
    if not heads:
        return str(entry["form"])
    return f"{entry['form']} with {heads} head{'' if heads == 1 else 's'}{',' * shape[:1].isdigit()} {shape}".rstrip()


def _claims(console: Any, claims: list[dict[str, Any]], page: Page, *, in_full: bool) -> None:
    """A row for each claim, with all its words or their first sentence."""
    table = new_table(console)
    table.show_edge = False
    table.add_column("claim", no_wrap=True)
    table.add_column("what it says", ratio=1, overflow="fold", min_width=24)
    table.add_column("verdict", no_wrap=True)
    table.add_column("cases", justify="right", no_wrap=True)
    table.add_column("slack", justify="right", no_wrap=True, overflow="ellipsis")
    rows = []
    for claim in claims:
        its = page.claims[claim["id"]]
        verdict = Text(told := told_of(claim, its), style=STYLE[told])
        cases = "once" if its.inputs is None else f"{claim['cases']:,} of {its.inputs}"
        words = its.words if in_full else first_sentence(its.words)
        rows.append((claim["id"], words, verdict, cases, _slack(claim)))
        table.add_row(claim["id"], Text(words), *rows[-1][2:])
    if console.width >= NARROW and fits(console, table):
        console.print(table)
    else:
        for id_, words, verdict, cases, slack in rows:
            told = slack if slack in ("", "equality") else f"slack {slack}"
            console.print(id_, verdict, f"({', '.join(filter(None, (cases, told)))})")
            hanging(console, "    ", words)
    console.print()


def _slack(claim: dict[str, Any]) -> str:
    """The least slack of what holds; of equations alone, that they are."""
    if claim["verdict"] != "holds":
        return ""
    least = slack_of(claim)
    return short(least["slack"]) if least else "equality"


def told_of(entry: dict[str, Any], claim: Claim) -> str:
    """Its verdict; what is refuted and excluded only `fails`."""
    return "fails" if entry["verdict"] == "refuted" and claim.kind == "excluded" else str(entry["verdict"])


def first_sentence(words: str) -> str:
    return re.split(r"(?<=\.) (?=[A-Z(])", words, maxsplit=1)[0]


def _summary(console: Any, content: dict[str, Any], page: Page) -> None:
    """The statements and what doesn't hold, claim by claim; for the others a line for each family."""
    told = [c for c in content["claims"] if page.claims[c["id"]].kind == "statement" or c["verdict"] != "holds"]
    _claims(console, told, page, in_full=False)
    families: dict[str, list[dict[str, Any]]] = {}
    for claim in content["claims"]:
        if claim not in told:
            families.setdefault(claim["id"].partition(".")[0], []).append(claim)
    table = new_table(console)
    table.show_edge = False
    table.add_column("other claims", overflow="fold")
    table.add_column("all hold", justify="right", no_wrap=True)
    table.add_column("least slack", overflow="fold")
    for family, its in families.items():
        where = re.split("[,;]", page.claims[its[0]["id"]].source)[0]
        slacks = [(mpq(least["slack"]), c["id"]) for c in its if (least := slack_of(c)) is not None]
        nearest = min(slacks, key=lambda one: one[0], default=None)
        said = f"{short(str(nearest[0]))} ({nearest[1]})" if nearest else "equality"
        table.add_row(f"{family}: {where}", str(len(its)), said)
    if families:
        fits(console, table)
        console.print(table)
        console.print()
    say(
        console,
        "slack: how far the tightest case is from failing (at 0 a bound is met); equality: both sides are equal in"
        " every case. -v shows every claim.",
    )
    console.print()


def _categories(console: Any, content: dict[str, Any], page: Page) -> None:
    for name, entry in content["inputs"].items():
        if "categories" not in entry:
            continue
        table = new_table(console)
        table.show_edge = False
        table.add_column(f"categories of {name}", overflow="fold")
        table.add_column(f"{CASES[entry['kind']]}s", justify="right")
        table.add_column("inputs", justify="right")
        for category in page.categories:
            if category.inputs == name:
                its = entry["categories"][category.name]
                words = f"{category.name}: {expression(category.condition)}"
                table.add_row(words, f"{its['cases']:,}", short(f"{its['inputs']:,}"))
        table.add_row("all", f"{entry['cases']:,}", short(f"{entry['inputs']:,}"))
        console.print(table)
        console.print()


def _counterexample(console: Any, entry: dict[str, Any], claim: Claim, kind: str) -> None:
    first = entry["first"]
    line = next(one for one in entry["lines"] if (one["line"], one["column"]) == (first["line"], first["column"]))
    console.print(Text(f"Counterexample to {claim.id}", style="bold"))
    if where := at_text(first, kind):
        hanging(console, "  at         ", cut(where))
    hanging(console, "  claimed    ", f"{line['relation']}   (line {first['line']} of the page)")
    hanging(console, "  found      ", f"{cut(value_text(first['value']))} against {cut(value_text(first['bound']))}")
    one, several = (("relation", "relations"), ("case", "cases"), ("pair of cases", "cases and pairs"))[
        len(first["cases"])
    ]
    hanging(console, "  fails at   ", f"{entry['failing']:,} {one if entry['failing'] == 1 else several}")
    console.print()


def conclusion(content: dict[str, Any], page: Page) -> str:
    """What was established, and what was not."""
    ids: dict[str, list[str]] = {}
    for claim in content["claims"]:
        ids.setdefault(told_of(claim, page.claims[claim["id"]]), []).append(claim["id"])
    said = []
    if refuted := ids.get("refuted"):
        said.append(f"REFUTED: {', '.join(refuted)}")
    if holds := ids.get("holds"):
        idle = sum(line["made"] == 0 for c in content["claims"] if c["verdict"] == "holds" for line in c["lines"])
        of_these = f" ({idle} of {'its' if len(holds) == 1 else 'their'} lines never compared anything)" if idle else ""
        said.append(f"{len(holds)} claim{' holds' if len(holds) == 1 else 's hold'}{of_these}")
    for verdict, words in (
        ("vacuous", "vacuous (nothing was compared)"),
        ("skipped", "skipped"),
        ("fails", "fails only in a reading that the page excludes"),
    ):
        if verdict in ids:
            said.append(f"{words}: {', '.join(ids[verdict])}")
    between = "; " if len(said) < 3 else ".\n"
    told = between.join(said if len(said) < 3 else [one[0].upper() + one[1:] for one in said])
    others = f", at these sizes; this says nothing about other {', '.join(page.sizes)}" if page.sizes else ""
    return f"{told}.{between[-1]}Every case was run, in exact numbers{others}."


def guilty_in(content: dict[str, Any], page: Page) -> list[str]:
    """The claims that a verdict other than `holds` comes from."""
    verdict = {"incomplete": "skipped"}.get(content["verdict"], content["verdict"])
    entries = content["claims"] if verdict != "holds" else []
    return [entry["id"] for entry in entries if told_of(entry, page.claims[entry["id"]]) == verdict]


def print_row(content: dict[str, Any], page: Page) -> None:
    """One line for one choice of sizes."""
    at = ", ".join(f"{name} = {content['sizes'][name]}" for name in page.sizes)
    cases = sum(entry["cases"] for entry in content["inputs"].values())
    guilty = guilty_in(content, page)
    why = f": {', '.join(guilty)}" if guilty else ""
    only = slack_of(content["claims"][0]) if len(content["claims"]) == 1 and not guilty else None
    slack = f", slack {short(only['slack'])}" if only else ""
    stdout().print(
        f"{at}   {many(cases, 'case')}   ",
        Text(f"{content['verdict']}{why}{slack}", style=STYLE[content["verdict"]]),
        sep="",
    )

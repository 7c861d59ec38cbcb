"""What a page's certificate says, on a terminal: its claims, its counterexamples, one sentence that concludes."""

from typing import Any

from rich.text import Text

from verifier.language.tree import Claim, Page
from verifier.report.console import NARROW, fits, hanging, new_table, say, short, stdout

STYLE = {"holds": "green", "refuted": "bold red", "vacuous": "yellow", "skipped": "yellow", "incomplete": "yellow"}
CASES = {"words": "words", "multisets": "orbits", "sets": "orbits", "list": "inputs"}
COUNTEREXAMPLES = 3  # unless every one is asked for


def value_text(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(value_text, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def case_text(case: list[Any], kind: str) -> str:
    """A case of inputs: a word of digits as `0110`, anything else as a list."""
    if kind == "words" and case and all(isinstance(item, str) and item in "0123456789" for item in case):
        return "".join(case)
    return value_text(case)


def at_text(seen: dict[str, Any], kind: str) -> str:
    """Where a relation was seen: its cases, and what the letters of the blocks around it stand for; or nothing."""
    cases = " and ".join(case_text(case, kind) for case in seen["cases"])
    return ", ".join(filter(None, [cases, letters_text(seen)]))


def letters_text(seen: dict[str, Any]) -> str:
    told = ", ".join(f"{name} = {value_text(value)}" for name, value in seen.get("letters", {}).items())
    return told + (f", from {seen['from']}" if "from" in seen else "")


def slack_of(claim: dict[str, Any]) -> dict[str, Any] | None:
    """The tightest of a claim's lines."""
    from verifier.core.exact import parse_rational

    least = [line["least"] for line in claim.get("lines", []) if "least" in line]
    return min(least, key=lambda one: parse_rational(one["slack"]), default=None)


def print_found(
    content: dict[str, Any], page: Page, checked: str = "", *, every: bool = False, shapes: dict[str, str] | None = None
) -> None:
    """shapes: of each layer with heads what evaluate/story.py says of its sizes."""
    console = stdout()
    console.print(Text(page.title or "a page without a title", style="bold"))
    for name, value in content.get("variant", {}).items():
        hanging(console, "VARIANT  ", f"{name} = {value}, and not what the page says")
    at = ", ".join(f"{name} = {size}" for name, size in ((n, content["sizes"][n]) for n in page.sizes))
    if at or content["inputs"]:
        hanging(
            console, "at       ", "; ".join(filter(None, [at, *(_inputs(n, e) for n, e in content["inputs"].items())]))
        )
    forms: dict[str, list[str]] = {}
    for name, entry in content["layers"].items():
        forms.setdefault(_form(entry, (shapes or {}).get(name, "")), []).append(name)
    if forms:
        hanging(console, "layers   ", "; ".join(f"{', '.join(names)}: {form}" for form, names in forms.items()))
    console.print()
    _claims(console, content, page)
    refuted = [claim for claim in content["claims"] if claim["verdict"] == "refuted"]
    for claim in refuted if every else refuted[:COUNTEREXAMPLES]:
        _counterexample(console, claim, page.claims[claim["id"]], content)
    if (left := refuted[COUNTEREXAMPLES:]) and not every:
        say(console, f"{len(left)} more counterexample{'s: -v shows them' if left[1:] else ': -v shows it'}.\n")
    say(console, conclusion(content, page), STYLE[content["verdict"]])
    if checked:
        say(console, f"{checked[0].upper()}{checked[1:]}.")


def _inputs(name: str, entry: dict[str, Any]) -> str:
    said = f"{name}: all {entry['cases']:,} {CASES[entry['kind']]}"
    if entry["kind"] in ("multisets", "sets"):
        said += f" (each stands for its arrangements, {entry['inputs']:,} in all, and was run in one of them)"
    return said


def _form(entry: dict[str, Any], shape: str) -> str:
    heads = entry["heads"]
    if not heads:
        return str(entry["form"])
    return f"{entry['form']} with {heads} head{'' if heads == 1 else 's'}{',' * shape[:1].isdigit()} {shape}".rstrip()


def _claims(console: Any, content: dict[str, Any], page: Page) -> None:
    table = new_table(console)
    table.show_edge = False
    table.add_column("claim", no_wrap=True)
    table.add_column("what it says", ratio=1, overflow="fold", min_width=24)
    table.add_column("verdict", no_wrap=True)
    table.add_column("cases", justify="right", no_wrap=True)
    table.add_column("slack", justify="right", no_wrap=True, overflow="ellipsis")
    rows = []
    for claim in content["claims"]:
        least = slack_of(claim) if claim["verdict"] == "holds" else None
        verdict = Text(claim["verdict"], style=STYLE[claim["verdict"]])
        rows.append((claim, verdict, f"{claim['cases']:,}", short(least["slack"]) if least else ""))
        table.add_row(claim["id"], page.claims[claim["id"]].words, *rows[-1][1:])
    if console.width >= NARROW and fits(console, table):
        console.print(table)
    else:
        for claim, verdict, cases, slack in rows:
            console.print(claim["id"], verdict, f"({cases} cases{f', slack {slack}' if slack else ''})")
            hanging(console, "    ", page.claims[claim["id"]].words)
    console.print()


def _counterexample(console: Any, entry: dict[str, Any], claim: Claim, content: dict[str, Any]) -> None:
    first = entry["first"]
    line = next(one for one in entry["lines"] if (one["line"], one["column"]) == (first["line"], first["column"]))
    kind = content["inputs"][claim.inputs]["kind"] if claim.inputs else ""
    console.print(Text(f"Counterexample to {claim.id}", style="bold"))
    if where := at_text(first, kind):
        hanging(console, "  at         ", where)
    hanging(console, "  claimed    ", f"{line['relation']}   (line {first['line']} of the page)")
    hanging(console, "  found      ", f"{value_text(first['value'])} against {value_text(first['bound'])}")
    one, several = (("relation", "relations"), ("case", "cases"), ("pair of cases", "cases and pairs"))[
        len(first["cases"])
    ]
    hanging(console, "  fails at   ", f"{entry['failing']:,} {one if entry['failing'] == 1 else several}")
    console.print()


def conclusion(content: dict[str, Any], page: Page) -> str:
    """What was established, and what was not."""
    ids: dict[str, list[str]] = {}
    for claim in content["claims"]:
        aside = claim["verdict"] == "refuted" and page.claims[claim["id"]].kind == "excluded"
        ids.setdefault("excluded" if aside else claim["verdict"], []).append(claim["id"])
    said = []
    if refuted := ids.get("refuted"):
        said.append(f"REFUTED: {', '.join(refuted)}")
    if holds := ids.get("holds"):
        said.append(f"{len(holds)} claim{' holds' if len(holds) == 1 else 's hold'}")
    for verdict, words in (
        ("vacuous", "vacuous (nothing was compared)"),
        ("skipped", "skipped"),
        ("excluded", "fails only in a reading that the page excludes"),
    ):
        if verdict in ids:
            said.append(f"{words}: {', '.join(ids[verdict])}")
    idle = sum(
        line["made"] == 0 for claim in content["claims"] if claim["verdict"] == "holds" for line in claim["lines"]
    )
    if idle:
        said.append(f"{idle} line{'' if idle == 1 else 's'} of these never compared anything here")
    others = f", at these sizes; this says nothing about other {', '.join(page.sizes)}" if page.sizes else ""
    return f"{'; '.join(said)}. Every case was run, in exact numbers{others}."


def print_row(content: dict[str, Any], page: Page) -> None:
    """One line for one choice of sizes."""
    at = ", ".join(f"{name} = {content['sizes'][name]}" for name in page.sizes)
    cases = sum(entry["cases"] for entry in content["inputs"].values())
    guilty = [claim["id"] for claim in content["claims"] if claim["verdict"] == content["verdict"] != "holds"]
    why = f": {', '.join(guilty)}" if guilty else ""
    stdout().print(
        f"{at}   {cases:,} cases   ", Text(f"{content['verdict']}{why}", style=STYLE[content["verdict"]]), sep=""
    )

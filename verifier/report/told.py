"""A story of one case (verifier/evaluate/story.py) on a terminal: each network's tokens, then only what changed."""

import re
from typing import Any

from gmpy2 import mpq
from rich.text import Text

from verifier.core.exact import shortened, text_of
from verifier.evaluate.values import case_text, value_text
from verifier.language.tree import Claim, Page
from verifier.report.console import NARROW, fits, hanging, new_table, say, short, stdout
from verifier.report.found import STYLE, cut, letters_text, sides_text

STEPS = 40  # of one network, unless every one is asked for
RELATIONS = 20
LONGEST = 600  # characters of a value


def print_story(story: dict[str, Any], claim: Claim, kind: str, *, every: bool = False) -> None:
    """kind: of the claim's inputs."""
    console = stdout()
    console.print(Text(f"{claim.id}: {claim.words}", style="bold"))
    if story["case"]:
        hanging(console, "input    ", f"{cut(case_text(story['case'], kind))}   (of {claim.inputs})")
    if not story["inside"]:
        say(console, "The claim isn't about this input: the condition after `on` is false here.")
        return
    for run in story["runs"]:
        _print_run(console, run, every=every)
    console.print()
    shown = story["relations"] if every else most(story["relations"])
    for relation in shown:
        style = "green" if relation["holds"] else "bold red"
        verdict = "holds" if relation["holds"] else "FAILS"
        where = f"   at {told}" if (told := letters_text(relation)) else ""
        hanging(console, f"line {relation['line']:<4}", f"{relation['relation']}:   {found_text(relation)}{where}")
        console.print(Text(f"         {verdict}", style=style))
    if not story["relations"] and not story["collected"]:
        say(console, "The claim compares nothing here.")
    if left := len(story["relations"]) - len(shown):
        console.print(f"         {left:,} more relations: -v shows them")
    for values in story["collected"]:
        hanging(
            console,
            "across   ",
            f"this case's values are compared with all others': {', '.join(map(value_text, values))}",
        )
    _print_where(console, story, every=every)


def _print_where(console: Any, story: dict[str, Any], *, every: bool) -> None:
    """Each definition that the lines speak of, to numbers."""
    called = [[run["called"]] for run in story["runs"]]  # those are shown
    if where := [one for one in story["where"] if one["text"] not in called]:
        console.print("\nwhere")
    for one in where:
        for line in one["text"]:
            hanging(console, "  ", line)
        if "value" in one:
            value = value_text(one["value"])
            hanging(console, "    = ", value if every else shortened_list(value))


def most(relations: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What fails before what holds, if not all are shown; in the order made."""
    if len(relations) <= RELATIONS:
        return relations
    wanted = sorted(range(len(relations)), key=lambda k: relations[k]["holds"])[:RELATIONS]
    return [relations[k] for k in sorted(wanted)]


def found_text(relation: dict[str, Any]) -> str:
    return sides_text(relation, shortened_list)


def shortened_list(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    return shortened(text, LONGEST) if "[" not in text else f"{text[:LONGEST]}... ({len(text):,} characters)"


def print_overview(
    page: Page, sizes: dict[str, int], stories: list[dict[str, Any]], left_out: dict[str, str], *, every: bool = False
) -> None:
    """What the networks make of one input, and what each claim that is about it says."""
    console = stdout()
    console.print(Text(page.title or "a page without a title", style="bold"))
    if sizes:
        hanging(console, "at       ", ", ".join(f"{name} = {sizes[name]}" for name in page.sizes))
    first = stories[0]
    inputs = page.claims[first["claim"]].inputs if first["claim"] else None
    of = f"   (of {inputs})" if inputs else f"   (no claim is about it: {next(iter(left_out.values()))})"
    hanging(console, "input    ", case_text(first["case"], page.inputs[inputs].kind if inputs else "") + of)
    runs = dict[str, dict[str, Any]]()
    for story in stories:
        runs |= {str((run["called"], run["network"], run["arguments"], run["tokens"])): run for run in story["runs"]}
    told = [run for run in runs.values() if every or run["called"]] or list(runs.values())
    for run in told:
        _print_run(console, run, every=every)
    if left := {run["network"]: None for run in runs.values() if run not in told}:
        console.print(f"\nOther runs, of {', '.join(left)}: -v shows them, or --claim ID those of one claim.")
    if not inputs:
        _print_where(console, first, every=every)
        return
    console.print()
    _print_claims(console, page, stories)
    for words, ids in (
        ("not decided by one input alone:", [s["claim"] for s in stories if s["inside"] and not s["relations"]]),
        ("not about this input:", [s["claim"] for s in stories if not s["inside"]]),
        ("not tried:", [f"{id_} ({why})" for id_, why in left_out.items()]),
    ):
        if ids:
            hanging(console, f"{words:<32}", ", ".join(ids))


def tightest(relations: list[dict[str, Any]]) -> tuple[dict[str, Any], str]:
    """The relation that fails first; or the one with the least slack, and that."""
    failing = [one for one in relations if not one["holds"]]
    slacks = [
        (abs(mpq(one["value"]) - mpq(one["bound"])), k)
        for k, one in enumerate(relations)
        if one["sign"] in ("<", "<=", ">", ">=")
    ]
    if failing or not slacks:
        return (failing or relations)[0], ""
    slack, k = min(slacks)
    return relations[k], text_of(slack)


def brief(words: str) -> str:
    """Words with long numbers by their first and last digits."""
    return re.sub(r"-?\d+(/\d+)?", lambda number: short(number[0]), words)


def about(slack: str) -> str:
    """A long fraction by its first digits."""
    if len(slack) <= 16 or "/" not in slack:
        return short(slack)
    value = mpq(slack)
    thousandths = 1000 * int(value.numerator) // int(value.denominator)
    return f"{short(str(thousandths // 1000))}.{thousandths % 1000:03}..."


def _print_claims(console: Any, page: Page, stories: list[dict[str, Any]]) -> None:
    rows, aside = [], False
    for story in stories:
        if not story["relations"]:
            continue
        relation, slack = tightest(story["relations"])
        where = f"   at {told}" if (told := letters_text(relation)) else ""
        fails = "fails" if page.claims[story["claim"]].kind != "excluded" else "fails*"
        words = f"{relation['relation']}:   {found_text(relation)}{where}"
        rows.append((story["claim"], "holds" if relation["holds"] else fails, brief(words), about(slack)))
        aside = aside or rows[-1][1] == "fails*"
    table = new_table(console)
    table.show_edge = False
    table.add_column("claims about this input", no_wrap=True)
    table.add_column("here", no_wrap=True)
    table.add_column("tightest relation", ratio=1, overflow="fold", min_width=24)
    table.add_column("slack", justify="right", no_wrap=True)
    for id_, holds, words, slack in rows:
        table.add_row(id_, Text(holds, style=STYLE["holds" if holds == "holds" else "refuted"]), Text(words), slack)
    if rows and console.width >= NARROW and fits(console, table):
        console.print(table)
    else:
        for id_, holds, words, slack in rows:
            console.print(id_, holds, f"(slack {slack})" if slack else "")
            hanging(console, "    ", words)
    console.print()
    if aside:
        say(console, "* read in a way that the page excludes; no effect on a verdict.")


def _print_run(console: Any, run: dict[str, Any], *, every: bool) -> None:
    console.print()
    name = _called(run["network"], run["arguments"])
    console.print(Text(run["called"] or f"{name}, run on", style="bold"))
    for k, token in enumerate(run["tokens"], run["first"]):
        hanging(console, f"  token {k:<3}", value_text(token))
    if not run["steps"]:
        console.print("  no layer changes them")
    steps = run["steps"] if every else run["steps"][:STEPS]
    for step in steps:
        console.print(f"  {_called(step['layer'], step['arguments'])}")
        for change in step["changed"]:
            hanging(console, f"  token {change['token']:<3}", change_text(change))
    if len(steps) < len(run["steps"]):
        console.print(f"  {len(run['steps']) - len(steps)} more layers act: -v shows them")


def change_text(change: dict[str, Any]) -> str:
    """`[1/4] -> [45/4]`, and what the heads read."""
    read = f"   (reads {' and '.join(map(value_text, change['reads']))})" if change["reads"] else ""
    return f"{value_text(change['from'])} -> {value_text(change['to'])}{read}"


def _called(name: str, arguments: list[Any]) -> str:
    return f"{name}({', '.join(map(value_text, arguments))})" if arguments else name

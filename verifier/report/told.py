"""A story of one case (verifier/evaluate/story.py) on a terminal: each network's tokens, then only what changed."""

from typing import Any

from rich.text import Text

from verifier.language.tree import Claim
from verifier.report.console import hanging, say, stdout
from verifier.report.found import case_text, letters_text, value_text

STEPS = 40  # of one network, unless every one is asked for


def print_story(story: dict[str, Any], claim: Claim, case: list[Any], kind: str, *, every: bool = False) -> None:
    console = stdout()
    console.print(Text(f"{claim.id}: {claim.words}", style="bold"))
    if claim.inputs:
        hanging(console, "input    ", f"{case_text(case, kind)}   (of {claim.inputs})")
    if not story["inside"]:
        say(console, "The claim isn't about this input: the condition after `on` is false here.")
        return
    for run in story["runs"]:
        _print_run(console, run, every=every)
    console.print()
    for relation in story["relations"]:
        style = "green" if relation["holds"] else "bold red"
        verdict = "holds" if relation["holds"] else "FAILS"
        found = f"{value_text(relation['value'])} {relation['sign']} {value_text(relation['bound'])}"
        where = f"   at {told}" if (told := letters_text(relation)) else ""
        hanging(console, f"line {relation['line']:<4}", f"{relation['relation']}:   {found}{where}")
        console.print(Text(f"         {verdict}", style=style))
    for values in story["collected"]:
        hanging(
            console,
            "across   ",
            f"this case's values are compared with all others': {', '.join(map(value_text, values))}",
        )


def _print_run(console: Any, run: dict[str, Any], *, every: bool) -> None:
    console.print()
    console.print(Text(f"{_called(run['network'], run['arguments'])}, run on", style="bold"))
    for k, token in enumerate(run["tokens"], run["first"]):
        hanging(console, f"  token {k:<3}", value_text(token))
    if not run["steps"]:
        console.print("  no layer changes them")
    steps = run["steps"] if every else run["steps"][:STEPS]
    for step in steps:
        console.print(f"  {_called(step['layer'], step['arguments'])}")
        for change in step["changed"]:
            hanging(
                console, f"  token {change['token']:<3}", f"{value_text(change['from'])} -> {value_text(change['to'])}"
            )
    if len(steps) < len(run["steps"]):
        console.print(f"  {len(run['steps']) - len(steps)} more layers act: -v shows them")


def _called(name: str, arguments: list[Any]) -> str:
    return f"{name}({', '.join(map(value_text, arguments))})" if arguments else name

"""`verify explain`: one case of a page, layer by layer; or where two pages differ."""

import json
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from verifier.commands.answers import OK, printable
from verifier.commands.options import ID, option
from verifier.commands.page import PAPER, VARIANT, Asked, PageCommand, chosen, exchanged, of_name, understood
from verifier.commands.run import ended
from verifier.commands.usage import EXIT_CODES
from verifier.core.exact import NotExact, parse_rational, parse_typed
from verifier.interrupts import interruptible


@click.command(
    "explain",
    cls=PageCommand,
    short_help="Follow one input through a page's networks, layer by layer.",
    codes={0: "the story was printed; relations that fail don't change this", 4: EXIT_CODES[4]},
    examples=[
        ("verify explain --d 1 --n 3 --N 4 --matrix '0,1/4,3/4'", ""),
        ("verify explain --d 2 --n 2 --N 2 --matrix '0,1/2;1/2,s'", "two rows, and a sentinel"),
        ("verify explain --d 1 --n 3 --N 4 --claim lemma6.4", "the input that a claim is tightest at"),
        ("verify explain --d 1 --n 2 --N 3 --variant t_r=132 --claim lemma6.3", "the one that refutes it"),
        ("verify explain --paper parity --n 3 --input 101", "of another page"),
        ("verify explain --paper parity --against parity_softmax", "where two pages differ first"),
    ],
)
@PAPER
@option(
    "--claim",
    type=ID,
    metavar="ID",
    help="The claim. [default: of an input every one, else the first]",
)
@option("--input", "given", metavar="CASE", help="The input: 0110, or [0, 1/4], or [[0, 1/4], [1/2, 0]].")
@option(
    "--matrix",
    metavar="ROW;ROW",
    help="The input by its rows, of any numbers: '0,1/4,0.75', or '0,1/2;1/2,s', s the number named sentinel.",
)
@VARIANT
@click.option("--verbose", "-v", "every", is_flag=True, help="Show every layer that acts, and every relation.")
@option("--format", "form", type=click.Choice(["text", "json"]), help="What goes to stdout. [default: text]")
@option(
    "--against",
    metavar="NAME",
    help="Instead: show where that page, or file, differs first; comments and layout don't count.",
)
def explain(
    asked: Asked,
    claim: str | None,
    given: str | None,
    matrix: str | None,
    variant: Sequence[str],
    every: bool,
    form: str | None,
    against: str | None,
) -> int:
    """Follow one input through a page's networks, layer by layer, and see what its claims say of it.

    With --claim and without an input: the claim's counterexample, or its tightest case.
    """
    from verifier.evaluate.definition import Reading
    from verifier.language.words import Refused
    from verifier.run.stop import Stopped

    path, page = asked.path, asked.understood
    if against is not None:
        others = (claim, given, matrix, variant, every, form, *asked.typed.values())
        return tell_difference(path, of_name(against), given=any(others))
    if given is not None and matrix is not None:
        raise click.UsageError("--input and --matrix are two ways to type one input; give one of them")
    sizes = asked.sizes("one case")
    typed = given is not None or matrix is not None
    ids = chosen(page, claim or ("all" if typed else next(iter(page.page.claims))))
    if len(ids) > 1 and not typed:
        raise click.UsageError(f"--claim: {claim} is more than one claim; give one of {', '.join(ids[:3])}, ...")
    numbers = exchanged(variant)
    try:
        with interruptible():
            reading = Reading(page, sizes, numbers)
            left_out: dict[str, str] = {}
            if given is not None:
                stories, left_out = at_input(reading, ids, parsed(given), f"--input {printable(given)}")
            elif matrix is not None:
                stories, left_out = at_input(reading, ids, rows(matrix, reading), f"--matrix {printable(matrix)}")
            else:
                stories = decisive(page, sizes, ids[0], numbers)
    except (Refused, Stopped, MemoryError, KeyboardInterrupt) as error:
        return ended(error, path, page.page.text)
    if numbers and form != "json":
        for name, number in numbers.items():
            print(f"VARIANT: {name} = {number}, and not what the page says")
    show(page.page, sizes, ids, stories, left_out, form, every=every)
    sys.stdout.flush()
    return OK


def tell_difference(path: Path, against: Path, given: bool) -> int:
    """Where two texts differ first, or that they don't."""
    from verifier.language.write import difference

    if given:
        raise click.UsageError("--against compares two texts, whatever the sizes: it goes with --paper alone")
    found = difference(understood(path).page, understood(against).page)
    if found is None:
        print("the two pages say the same, line by line; only comments and layout can differ")
        return OK
    print("the two pages differ first in")
    for its, line in zip((path, against), found, strict=True):
        print(
            f"  {printable(its)}, " + ("its end" if line is None else f"line {line.number}:\n    {line.text.strip()}")
        )
    return OK


def show(
    page: Any,
    sizes: dict[str, int],
    ids: list[str],
    stories: list[dict[str, Any]],
    left_out: dict[str, str],
    form: str | None,
    *,
    every: bool,
) -> None:
    from verifier.report.told import print_overview, print_story

    if form == "json":
        document = {"format": "verifier.explain/1", "sizes": sizes, "stories": stories}
        print(json.dumps(document, indent=1, sort_keys=True))
        return
    if len(ids) > 1:
        print_overview(page, sizes, stories, left_out, every=every)
        return
    for k, data in enumerate(stories):
        if k:
            print("\nand\n")
        claim = page.claims[data["claim"]]
        print_story(data, claim, page.inputs[claim.inputs].kind if claim.inputs else "", every=every)


def decisive(page: Any, sizes: dict[str, int], id_: str, numbers: dict[str, Any]) -> list[dict[str, Any]]:
    """The stories of a claim's counterexample, or of its tightest case."""
    from verifier.evaluate.definition import Reading
    from verifier.evaluate.run import found
    from verifier.report.witness import witness

    entry = found(page, sizes, [id_], numbers)["claims"][0]
    if entry["verdict"] == "skipped":
        raise click.UsageError(f"--claim: {id_} is skipped at these sizes: {entry['why']}")
    return witness(Reading(page, sizes, numbers), page.page.claims[id_], entry)


def at_input(
    reading: Any, ids: list[str], items: list[Any], typed_in: str
) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """The stories of an input, of each claim whose cases it is one of; and which claims ask too much of one case."""
    from verifier.evaluate.budget import STEPS, allow
    from verifier.evaluate.story import NoCase, story, story_of_none, typed
    from verifier.language.words import Refused

    claims = [reading.page.claims[id_] for id_ in ids]
    if len(claims) == 1 and claims[0].inputs is None:
        raise click.UsageError(f"{typed_in}: {claims[0].id} is about the construction itself, not about inputs")
    cases, ranks, why, stories, left_out = {}, {}, "no claim is about inputs", [], {}
    for name in dict.fromkeys(claim.inputs for claim in claims if claim.inputs):
        try:
            ranks[name] = typed(reading.space(name), items)[1]
            cases[name] = reading.case(name, ranks[name])
        except NoCase as error:
            why = str(error) if why == "no claim is about inputs" else why
    if not cases and typed_in.startswith("--matrix"):  # of any numbers
        with suppress(NoCase, Refused):
            name = next(str(claim.inputs) for claim in claims if claim.inputs)
            if len(items) in reading.space(name).sets:
                return [story_of_none(reading, name, items)], {"no claim is about it": why}
    if not cases:
        raise click.UsageError(f"{typed_in}: {why}")
    for claim in claims:
        if claim.inputs not in cases:
            continue
        if len(claims) == 1:
            return [story(claim, cases[claim.inputs], ranks[claim.inputs])], {}
        if claim.skip is not None and reading.nothing.truth(claim.skip[0], {}):
            left_out[claim.id] = claim.skip[1]
            continue
        allow(STEPS)
        try:
            stories.append(story(claim, cases[claim.inputs], ranks[claim.inputs]))
        except Refused as error:
            left_out[claim.id] = error.message
    return stories, left_out


def rows(text: str, reading: Any) -> list[Any]:
    """The columns of a matrix that is typed row by row: `0,1/4,0.75`, `0,1/2;1/2,s`."""
    try:
        sentinel = reading.named.get("sentinel")
        typed = [[entry.strip() for entry in row.split(",")] for row in text.strip("[]").split(";")]
        if len(set(map(len, typed))) > 1:
            raise NotExact(f"the rows have {' and '.join(str(len(row)) for row in typed)} entries")
        if sentinel is None and any("s" in row for row in typed):
            raise NotExact('s is the number that a page names by `as "sentinel"`, and this one names none so')
        numbers = [[sentinel if entry == "s" else parse_typed(entry) for entry in row] for row in typed]
        return [list(column) for column in zip(*numbers, strict=True)]
    except NotExact as error:
        raise click.UsageError(f"--matrix {printable(text)}: {error}") from None


BRACKETS = {"(": "1", ")": "-1", "[": "2", "]": "-2", "{": "3", "}": "-3"}


def parsed(text: str) -> list[Any]:
    """0110, or [0, 1/4], or [[0, 1/4], [1/2, 0]], or brackets with a round one, `([])`, numbered by type: its items."""
    try:
        if {*"()"} & {*text} and {*text} <= {*BRACKETS}:
            return [parse_rational(BRACKETS[bracket]) for bracket in text]
        if text.isdigit():
            return [parse_rational(digit) for digit in text]
        parts = (part.strip() for part in re.split(r"([\[\],])", text))
        items = json.loads("".join(f'"{part}"' if part and part not in "[]," else part for part in parts))
        if not isinstance(items, list):
            raise ValueError
        return [_rationals(item) for item in items]
    except (NotExact, ValueError, RecursionError) as error:
        why = (
            str(error) if isinstance(error, NotExact) else "an input is a word such as 0110, or a list such as [0, 1/4]"
        )
        raise click.UsageError(f"--input {printable(text)}: {why}") from None


def _rationals(item: Any) -> Any:
    return [_rationals(part) for part in item] if isinstance(item, list) else parse_rational(item)

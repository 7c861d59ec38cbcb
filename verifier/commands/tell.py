"""`verify explain --paper FILE`: one case of a page, layer by layer."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from verifier.commands.answers import OK, printable
from verifier.commands.options import FILE, option
from verifier.commands.page import Range, chosen, ended, exchanged, size_options, sizes_of, understood
from verifier.commands.usage import HELP, Command
from verifier.core.exact import NotExact, parse_rational
from verifier.interrupts import interruptible


def run_tell(words: Sequence[str], path: Path) -> int:
    page = understood(path)

    @click.command(
        "verify explain",
        cls=Command,
        context_settings=HELP,
        codes={0: "the story was printed; relations that fail don't change this"},
        examples=[
            (f"verify explain --paper {path} --claim {next(iter(page.page.claims))} ...", ""),
            (f"verify explain --paper {path} --against FILE", "where the two texts differ first"),
        ],
        params=size_options(page, Range()),
    )
    @option("--paper", type=FILE, metavar="FILE", help="The page.")
    @option("--claim", metavar="ID", help="The claim. [default: the first one]")
    @option("--input", "given", metavar="CASE", help="The input: 0110, or [0, 1/4], or [[0, 1/4], [1/2, 0]].")
    @click.option(
        "--variant", multiple=True, metavar="NAME=VALUE", help="Exchange a number that the page names by 'as'."
    )
    @click.option("--verbose", "-v", "every", is_flag=True, help="Show every layer that acts.")
    @option(
        "--against",
        type=FILE,
        metavar="FILE",
        help="Instead: show where the page in FILE differs first; comments and layout don't count.",
    )
    def command(**options: Any) -> int:
        """Follow one input through a page's networks; without --input the claim's counterexample or tightest case."""
        return tell(page, path, **options)

    code = command.main(list(words), prog_name="verify explain", standalone_mode=False)
    return code if isinstance(code, int) else OK


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


def tell(
    page: Any,
    path: Path,
    claim: str | None,
    given: str | None,
    variant: Sequence[str],
    every: bool,
    against: Path | None,
    **options: Any,
) -> int:
    from verifier.evaluate.definition import Reading
    from verifier.evaluate.run import found
    from verifier.evaluate.story import NoCase, story, typed
    from verifier.evaluate.values import plain
    from verifier.language.words import Refused
    from verifier.report.told import print_story

    options.pop("paper")
    if against is not None:
        return tell_difference(path, against, given=any((claim, given, variant, every, *options.values())))
    ranges = sizes_of(page, options)
    if several := [name for name, reach in ranges.items() if len(reach) > 1]:
        raise click.UsageError(f"--{several[0]}: one case is of one choice of sizes, not of a range")
    sizes = {name: reach[0] for name, reach in ranges.items()}
    ids = chosen(page, claim or next(iter(page.page.claims)))
    if len(ids) > 1:
        raise click.UsageError(f"--claim: {claim} is more than one claim; give one of {', '.join(ids[:3])}, ...")
    wanted, numbers = page.page.claims[ids[0]], exchanged(variant)
    if given is not None and wanted.inputs is None:
        raise click.UsageError(f"--input: {wanted.id} is about the construction itself, not about inputs")
    try:
        with interruptible():
            reading = Reading(page, sizes, numbers)
            if given is not None and wanted.inputs is not None:
                ranks = [typed(reading.space(wanted.inputs), parsed(given))[1]]
            else:
                ranks = told_by(found(page, sizes, ids, numbers)["claims"][0])
            cases = [(reading.case(wanted.inputs, k) if wanted.inputs else reading.nothing, k) for k in ranks or [0]]
            stories = [(case, story(wanted, case, rank)) for case, rank in cases]
    except NoCase as error:
        raise click.UsageError(f"--input {printable(given or '')}: {error}") from error
    except (Refused, MemoryError, KeyboardInterrupt) as error:
        return ended(error, path, page.page.text)
    its = page.page.inputs[wanted.inputs] if wanted.inputs else None
    for k, (case, data) in enumerate(stories):
        if k:
            print("\nand\n")
        shown, kind = (plain(case.variables[its.variable]), its.kind) if its else ([], "")
        print_story(data, wanted, shown, kind, every=every)
    sys.stdout.flush()
    return OK


def told_by(claim: dict[str, Any]) -> list[int]:
    """The ranks of what decides a claim: its counterexample, or where it is tightest."""
    from verifier.report.found import slack_of

    seen = claim.get("first") or slack_of(claim) or {"ranks": []}
    return list(seen["ranks"])


def parsed(text: str) -> list[Any]:
    """0110, or [0, 1/4], or [[0, 1/4], [1/2, 0]]: its items."""
    try:
        if text.isdigit():
            return [parse_rational(digit) for digit in text]
        quoted = "".join(f'"{part}"' if part and part not in "[]," else part for part in _parts(text))
        items = json.loads(quoted)
        if not isinstance(items, list):
            raise ValueError
        return [_rationals(item) for item in items]
    except (NotExact, ValueError, RecursionError) as error:
        why = (
            str(error) if isinstance(error, NotExact) else "an input is a word such as 0110, or a list such as [0, 1/4]"
        )
        raise click.UsageError(f"--input {printable(text)}: {why}") from None


def _parts(text: str) -> list[str]:
    import re

    return [part.strip() for part in re.split(r"([\[\],])", text)]


def _rationals(item: Any) -> Any:
    return [_rationals(part) for part in item] if isinstance(item, list) else parse_rational(item)

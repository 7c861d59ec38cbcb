"""`verify survey`."""

import sys
from collections.abc import Sequence
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import click

from verifier.commands.answers import INCOMPLETE, INTERRUPTED, OK, OVER_LIMIT, REFUTED, STOPPED, complain
from verifier.commands.options import FILE, Folder, Natural, option
from verifier.commands.page import Range, chosen, ended, exchanged, of_words, size_options, sizes_of, understood
from verifier.commands.usage import EXIT_CODES, HELP, ClaimIds, Command
from verifier.interrupts import interruptible


def command_of(page: Any, path: Path) -> click.Command:
    """`verify survey` of this page, with its sizes as options."""
    claims = ClaimIds(families=True, several=True, ids=lambda: page.page.claims)

    @click.command(
        "survey",
        cls=Command,
        short_help="Run a page at many sizes, one row each.",
        context_settings=HELP,
        codes={
            0: "all holds",
            1: "a claim is refuted somewhere",
            4: EXIT_CODES[4],
            5: "sizes were too large, or a row is incomplete",
        },
        examples=[
            ("verify survey --d 1..2 --n 2 --N 2..3", ""),
            ("verify survey --d 1 --n 3 --N 3..4 --claims lemma6", "a column for each family that is chosen"),
            ("verify survey --d 1 --n 2 --N 2..5 --format csv >s.csv", ""),
            ("verify survey --d 1 --n 2..3 --N 2..4 --checkpoint kept", "the same call goes on where it stopped"),
            ("verify survey --paper parity --n 1..5", "of another page"),
        ],
        params=size_options(page, Range()),
    )
    @option("--paper", type=FILE, metavar="NAME", help="The page: a name of `verify papers`, or a file.")
    @option("--claims", type=claims, metavar="ID,ID", help="Claim ids, families, or all. [default: as of `verify`]")
    @click.option(
        "--variant", multiple=True, metavar="NAME=VALUE", help="Exchange a number that the page names by 'as'."
    )
    @option("--format", "form", type=click.Choice(["text", "json", "csv"]), help="What goes to stdout. [default: text]")
    @option("--checkpoint", type=Folder(path_type=Path), metavar="DIR", help="Keep finished rows; resume from them.")
    @option("--jobs", type=Natural(), metavar="J", help="Worker processes. [default: one for each core]")
    @option("--max-points", type=Natural(), metavar="M", help="List sizes of more than M cases as too large.")
    @click.option("--no-check", is_flag=True, help="Skip the independent check of each row.")
    def command(**options: Any) -> int:
        """Run a page at many sizes: one row for each choice, one column for each family of claims."""
        return survey_of(page, path, **options)

    return command


def run_survey(words: Sequence[str]) -> int:
    path = of_words(words)
    code = command_of(understood(path), path).main(list(words), prog_name="verify survey", standalone_mode=False)
    return code if isinstance(code, int) else OK


def __getattr__(name: str) -> Any:
    """`survey`: the command of the page that is meant if none is named; it is what lists and --help show."""
    if name != "survey":
        raise AttributeError(name)
    path = of_words([])
    return command_of(understood(path), path)


def survey_of(
    page: Any,
    path: Path,
    claims: str | None,
    variant: Sequence[str],
    form: str | None,
    checkpoint: Path | None,
    jobs: int | None,
    max_points: int | None,
    no_check: bool,
    **options: Any,
) -> int:
    from verifier import survey as room
    from verifier.catalogue import default_of
    from verifier.evaluate.values import Disagree
    from verifier.language.words import Refused
    from verifier.report.progress import Progress
    from verifier.run.stop import Stopped

    options.pop("paper")
    ranges = sizes_of(page, options)
    if jobs == 0:
        raise click.UsageError("--jobs 0: at least one process is needed")
    if (many := prod(map(len, ranges.values()))) > room.MOST_ROWS:
        return complain(f"{many:,} choices of sizes; a survey has at most {room.MOST_ROWS:,}", OVER_LIMIT)
    wanted = [dict(zip(ranges, sizes, strict=True)) for sizes in product(*ranges.values())]
    ids = chosen(page, default_of(path) if claims is None else claims)
    progress = Progress()
    limits = (max_points, jobs, checkpoint, not no_check)
    its = room.Survey(page, ids, exchanged(variant), *limits, progress.say, progress.begin, progress)
    rows = []
    try:
        with interruptible():
            for row in its.rows(wanted):
                rows.append(row)
                if row.verdict == "refuted":
                    progress.say(f"{row.name}: refuted; the survey goes on")
    except KeyboardInterrupt:
        kept = f"; finished rows are kept in {checkpoint}" if checkpoint else ""
        return complain(f"interrupted{kept}", INTERRUPTED)
    except Stopped as error:
        return complain(str(error), STOPPED[error.kind])
    except (Refused, Disagree, MemoryError) as error:
        return ended(error, path, page.page.text)
    finally:
        progress.close()
    if form == "json":
        print(room.as_json(rows))
    else:
        print(room.as_csv(rows, its.families) if form == "csv" else room.as_text(rows, its.families))
    sys.stdout.flush()
    for row in rows:
        if row.why:
            complain(f"{row.name}: {row.verdict}: {row.why}", OK)
    for words in room.how_checked(rows):
        complain(words, OK)
    verdicts = {row.verdict for row in rows}
    if "refuted" in verdicts:
        return REFUTED
    unchecked = any(row.checked.startswith("not checked") for row in rows)
    return INCOMPLETE if verdicts - {"holds"} or unchecked else OK

"""`verify regress`."""

import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from verifier.commands.answers import (
    INTERRUPTED,
    MISSING,
    OK,
    REFUTED,
    STOPPED,
    complain,
    printable,
    refuse_if_unwritable,
)
from verifier.commands.options import FILE, FORMAT, option
from verifier.commands.usage import EXIT_CODES, Command
from verifier.interrupts import interruptible
from verifier.lines import fitted, many
from verifier.report.formats import Result, Row, opened

if TYPE_CHECKING:
    from verifier.regress import Outcome


@click.command(
    "regress",
    cls=Command,
    short_help="For CI: derive committed certificates again and compare.",
    codes={
        0: "every file matches",
        1: "a file differs, is missing, isn't listed, or is rejected",
        4: EXIT_CODES[4],
    },
    examples=[
        ("mkdir proofs", ""),
        ("echo 'c.json 1 2 3 lemma6 holds' >proofs/MANIFEST", "file, d n N, claims, verdict; a line for each"),
        ("verify regress --update", "writes what is missing or differs"),
        ("verify regress", "compares; so in CI, on the committed files"),
        ("verify regress proofs --junit junit.xml", ""),
    ],
)
@click.argument("folder", required=False, default="proofs", type=FILE, metavar="[DIR]")
@FORMAT
@click.option(
    "--update", is_flag=True, help="Rewrite the certificates that are missing or differ; review them with git diff."
)
@option("--junit", type=FILE, metavar="FILE", help="Write a JUnit XML report.")
def regress(folder: Path, update: bool, junit: Path | None, form: str | None) -> int:
    """Derive every certificate that DIR/MANIFEST lists again, compare the bytes, and check each independently.

    DIR defaults to proofs/.
    """
    from verifier import regress as room
    from verifier.files import write
    from verifier.run.stop import Stopped

    if junit is not None:
        refuse_if_unwritable("--junit", junit)
        if room.is_checked(folder, junit):
            raise click.UsageError(
                f"--junit {printable(junit)}: this folder is what is checked; write the report elsewhere"
            )

    report = opened(form, RESULT)
    try:
        with interruptible():
            outcomes = room.regress(folder, update=update, tell=lambda outcome: report.add(row(outcome)))
    except room.BadManifest as error:
        raise click.UsageError(str(error)) from error
    except Stopped as error:
        return complain(str(error), STOPPED[error.kind])
    except KeyboardInterrupt:
        return complain("interrupted; not every certificate was looked at", INTERRUPTED)
    differing = sum(bool(outcome.differences) for outcome in outcomes)
    if form in (None, "text"):
        print(f"{many(len(outcomes) - differing, 'certificate')} as proved, {differing} not", flush=True)
    report.end()
    code = REFUTED if differing else OK
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    try:
        if junit is not None:
            with interruptible():
                write(junit, as_document("junit", report.rows).encode())
        if summary and Path(summary).exists() and not Path(summary).is_file():
            return complain(f"GITHUB_STEP_SUMMARY is no file: {printable(summary)}", code or MISSING)
        if summary:
            with open(summary, "a", encoding="utf-8") as file:
                file.write(as_document("markdown", report.rows))
    except OSError as error:
        return complain(f"a report could not be written: {error.strerror or error}", code or MISSING)
    return code


RESULT = Result("regress", "Proof regression", ("name", "verdict", "words", "differences"))


def row(outcome: "Outcome") -> Row:
    verdict = "differs" if outcome.differences else "as proved"
    record = {"name": outcome.file, "verdict": verdict, "words": outcome.words, "differences": outcome.differences}
    cells = (outcome.file, verdict, outcome.words, "; ".join(outcome.differences))
    return Row(record, cells, "\n".join(outcome.differences), partial(show, outcome))


def show(outcome: "Outcome") -> None:
    line = f"{outcome.standing:<8} {outcome.file:<40} {outcome.words}"
    for words in (line, *(f"         {difference}" for difference in outcome.differences)):
        print(fitted(words, sys.stdout, "         "), flush=True)


def as_document(form: str, rows: Sequence[Row]) -> str:
    """The same rows in another format, for a file."""
    parts: list[str] = []
    report = opened(form, RESULT, parts.append)
    for each in rows:
        report.add(each)
    report.end()
    return "".join(parts)

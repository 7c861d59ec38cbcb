"""`verify regress`."""

import os
import sys
from pathlib import Path
from typing import Any

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
from verifier.commands.options import FILE, option
from verifier.commands.rows import print_rows
from verifier.commands.usage import EXIT_CODES, Command
from verifier.interrupts import interruptible
from verifier.lines import fitted


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
@option("--format", "form", type=click.Choice(["text", "json"]), help="What goes to stdout. [default: text]")
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

    def tell(outcome: room.Outcome) -> None:
        if form == "json":
            return
        said = f"{outcome.standing:<8} {outcome.file:<40} {outcome.words}"
        for line in (said, *(f"         {difference}" for difference in outcome.differences)):
            print(fitted(line, sys.stdout, "         "), flush=True)

    try:
        with interruptible():
            outcomes = room.regress(folder, update=update, tell=tell)
    except room.BadManifest as error:
        raise click.UsageError(str(error)) from error
    except Stopped as error:
        return complain(str(error), STOPPED[error.kind])
    except KeyboardInterrupt:
        return complain("interrupted; not every certificate was looked at", INTERRUPTED)
    differing = sum(bool(outcome.differences) for outcome in outcomes)
    proved = len(outcomes) - differing
    if form == "json":
        print_rows("regress", map(row, outcomes))
    else:
        print(f"{proved} certificate{'' if proved == 1 else 's'} as proved, {differing} not", flush=True)
    code = REFUTED if differing else OK
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    try:
        if junit is not None:
            with interruptible():
                write(junit, room.junit(outcomes, folder))
        if summary and Path(summary).exists() and not Path(summary).is_file():
            return complain(f"GITHUB_STEP_SUMMARY is no file: {printable(summary)}", code or MISSING)
        if summary:
            with open(summary, "a", encoding="utf-8") as file:
                file.write(room.markdown(outcomes))
    except OSError as error:
        return complain(f"a report could not be written: {error.strerror or error}", code or MISSING)
    return code


def row(outcome: Any) -> dict[str, Any]:
    return {
        "name": outcome.file,
        "verdict": "differs" if outcome.differences else "as proved",
        "words": outcome.words,
        "differences": list(outcome.differences),
    }

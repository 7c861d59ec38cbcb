"""`verify survey`."""

import sys
from pathlib import Path

import click

from verifier.commands.answers import INCOMPLETE, INTERRUPTED, OK, REFUTED, STOPPED, complain
from verifier.commands.options import IDS, Folder, Natural, option
from verifier.commands.usage import EXIT_CODES, Command
from verifier.core.exact import NotExact
from verifier.interrupts import interruptible


@click.command(
    "survey",
    cls=Command,
    short_help="Check many instances, one row each.",
    codes={
        0: "all holds",
        1: "a claim is refuted somewhere",
        4: EXIT_CODES[4],
        5: "an instance was too large, was stopped, or is incomplete",
    },
    examples=[
        ("verify survey --d 1..2 --n 2 --N 2..3", ""),
        ("verify survey --d 1 --n 3 --N 3..4 --claims lemma6", "a column for each family that is chosen"),
        ("verify survey --d 1 --n 2 --N 2..5 --format csv >s.csv", ""),
        ("verify survey --d 1 --n 2..3 --N 2..4 --checkpoint kept", "the same call goes on where it stopped"),
    ],
)
@option("--d", metavar="A..B", help="Rows, such as 1 or 1..2.")
@option("--n", metavar="A..B", help="Tokens, such as 2..4.")
@option("--N", "N", metavar="A..B", help="Steps of the grid, such as 2..6.")
@option(
    "--claims",
    type=IDS,
    metavar="ID,ID",
    help="Claim ids, families, or all. [default: grid,b5,lemma10,lemma6]",
)
@option("--format", "form", type=click.Choice(["text", "json", "csv"]), help="What goes to stdout. [default: text]")
@option("--checkpoint", type=Folder(path_type=Path), metavar="DIR", help="Keep finished rows; resume from them.")
@option("--jobs", type=Natural(), metavar="J", help="Worker processes. [default: one for each core]")
@option("--max-points", type=Natural(), metavar="M", help="List instances of more than M orbits as too large.")
@click.option("--no-check", is_flag=True, help="Skip the independent check of each row.")
def survey(
    d: str | None,
    n: str | None,
    N: str | None,
    claims: str | None,
    form: str | None,
    checkpoint: Path | None,
    jobs: int | None,
    max_points: int | None,
    no_check: bool,
) -> int:
    """Check many instances: one row for each, one column for each family of claims."""
    from verifier import survey as room
    from verifier.catalogue import UnknownClaim, choose, default_claims
    from verifier.report.progress import Progress
    from verifier.run.stop import Stopped
    from verifier.run.verify import RunOptions

    if d is None or n is None or N is None:
        raise click.UsageError("--d, --n and --N are needed, as in `verify survey --d 1..2 --n 2..4 --N 2..6`")
    if jobs == 0:
        raise click.UsageError("--jobs 0: at least one process is needed")
    progress = Progress()
    try:
        wanted = room.instances(*map(room.parse_range, (d, n, N)))
        chosen = default_claims() if claims is None else choose(claims.split(","))
        options = RunOptions("auto", jobs, progress=progress, say=progress.say)
        with interruptible():
            rows = list(
                room.survey(wanted, chosen, max_points, options, checkpoint, progress.begin, check=not no_check)
            )
    except (NotExact, UnknownClaim) as error:
        raise click.UsageError(str(error)) from error
    except Stopped as error:
        return complain(str(error), STOPPED[error.kind])
    except KeyboardInterrupt:
        kept = f"; finished rows are kept in {checkpoint}" if checkpoint else ""
        return complain(f"interrupted{kept}", INTERRUPTED)
    finally:
        progress.close()
    families = room.families_of(chosen)
    if form == "json":
        print(room.as_json(rows))
    else:
        print(room.as_csv(rows, families) if form == "csv" else room.as_text(rows, families))
    sys.stdout.flush()
    for row in rows:
        if row.why:
            complain(f"{row.verdict}: {row.why}", OK)
    for words in room.how_checked(rows):
        complain(words, OK)
    verdicts = {row.verdict for row in rows}
    if "refuted" in verdicts:
        return REFUTED
    unchecked = any(row.checked.startswith("not checked") for row in rows)
    return INCOMPLETE if verdicts - {"holds"} or unchecked else OK

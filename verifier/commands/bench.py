"""`verify bench`."""

import sys
from pathlib import Path

import click

from verifier.commands.answers import INCOMPLETE, INTERRUPTED, MISSING, OK, REFUTED, complain, printable
from verifier.commands.options import FILE, option
from verifier.commands.usage import Command
from verifier.interrupts import interruptible

MOST_SHOWN = 50


@click.command(
    "bench",
    cls=Command,
    short_help="Queries with known answers, for verifiers of networks.",
    codes={
        0: "the queries are written; or every answer is right",
        1: "an answer is wrong: its witness, or its proof, is named",
        2: "the call, the network or the answers are malformed: nothing was written or scored",
        3: "the folder could not be written: there is none",
        5: "no answer is wrong, and not every query has one",
    },
    examples=[
        ("verify build --d 1 --n 2 --N 2 --target 'f(j) = X[j]' -o f.page", ""),
        ("verify export f.page --softmax -o net", "likewise of any page"),
        ("verify bench net", "queries about it, in net/queries"),
        ("sed 's/60$/unknown/' net/queries/instances.csv >a.csv", "the answers of a verifier that decides nothing"),
        ("verify bench --score a.csv net/queries", "no answer is right, none is wrong: exit 5"),
    ],
)
@click.argument("folder", required=False, type=FILE, metavar="[DIR]")
@option(
    "--output",
    "-o",
    type=FILE,
    metavar="DIR",
    help="Write the queries into this new folder. [default: DIR/queries]",
)
@option(
    "--score",
    "answers",
    type=FILE,
    metavar="FILE",
    help="Score the answers in FILE (CSV) to the queries in DIR instead.",
)
def bench(folder: Path | None, output: Path | None, answers: Path | None) -> int:
    """Write queries (ONNX, VNN-LIB) about a network, with exact answers and a witness or proof of each.

    DIR is a network that `verify export` made; with --score, it is a folder of queries.
    """
    if answers is not None:
        if folder is None or output is not None:
            raise click.UsageError(
                "--score goes with a folder of queries, as in `verify bench --score answers.csv queries`"
            )
        return scored(answers, folder)
    if folder is None:
        raise click.UsageError("a network is missing, as in `verify bench net`; `verify export` makes one")
    return made(folder, output if output is not None else folder.joinpath("queries"))


def made(folder: Path, output: Path) -> int:
    from verifier.bench.load import BadNetwork, load
    from verifier.bench.write import write
    from verifier.build.dtype import NotHeld

    if output.exists() or output.is_symlink():
        raise click.UsageError(f"-o {printable(output)}: it exists already; give the name of a new folder")
    if not folder.is_dir():
        raise click.UsageError(f"{printable(folder)}: there is no such folder; `verify export` makes one")
    if not output.parent.is_dir():
        raise click.UsageError(f"-o {printable(output)}: there is no folder {printable(output.parent)}")
    try:
        with interruptible():
            sat, unsat = write(iter([load(folder)]), output)
    except (BadNetwork, NotHeld) as error:
        raise click.UsageError(f"{printable(folder)}: {error}") from error
    except OSError as error:
        return complain(f"{printable(output)} could not be written: {error.strerror}", MISSING)
    except KeyboardInterrupt:
        return complain("interrupted; nothing was written", INTERRUPTED)
    print(f"{printable(output)}: {sat + unsat} queries, {sat} sat and {unsat} unsat", flush=True)
    return OK


def scored(answers: Path, folder: Path) -> int:
    from verifier.bench.score import BadAnswers, score
    from verifier.files import Unreadable, read

    try:
        result = score(read(answers), folder)
    except Unreadable as error:
        raise click.UsageError(f"--score {printable(answers)}: {error}") from error
    except BadAnswers as error:
        raise click.UsageError(str(error)) from error
    for wrong in result.wrong[:MOST_SHOWN]:
        print(f"WRONG {wrong.words}")
    if result.wrong[MOST_SHOWN:]:
        print(f"and {len(result.wrong) - MOST_SHOWN} more")
    none = result.undecided + result.unanswered
    counts = f"{result.right} right, {len(result.wrong)} wrong"
    print(f"{counts}, {result.undecided} undecided, {result.unanswered} not answered")
    sys.stdout.flush()
    return REFUTED if result.wrong else INCOMPLETE if none else OK

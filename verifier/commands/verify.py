"""The group `verify`: its commands are modules of this folder; its own options are those of the default job,
default.py."""

from pathlib import Path
from typing import Any

import click

from verifier import __version__
from verifier.commands.options import FILE, IDS, VARIANT, Folder, Natural, option
from verifier.commands.usage import EXIT_CODES, HELP, Group, option_names


@click.group(
    cls=Group,
    pages=[
        "badge",
        "bench",
        "build",
        "check",
        "claims",
        "completion",
        "explain",
        "new",
        "papers",
        "prove",
        "regress",
        "report",
        "survey",
    ],
    invoke_without_command=True,
    context_settings=HELP,
    codes=EXIT_CODES,
    examples=[
        ("verify --d 1 --n 3 --N 4", "every claim of the contextual-map family"),
        ("verify --d 1 --n 3 --N 4 -v", "the same, with a row for each claim"),
        ("verify --d 2 --n 2 --N 3 --claims lemma6,b5.head", "Lemma 6, and one claim more"),
        ("verify --d 1 --n 2 --N 2 --claims lemma7.map", "a claim that is refuted: a counterexample, and exit 1"),
        ("verify --d 1 --n 2 --N 3 --variant t_r=132", "a construction with another number; t_r of the paper is 162"),
        ("verify --d 1 --n 2 --N 5 --format json", "the certificate"),
        ("verify --d 1 --n 3 --N 4 --certificate c.json", "the table, and the certificate into a file"),
        ("verify check c.json", "the independent checker's verdict on it"),
        ("verify --d 1 --n 4 --N 30 --checkpoint kept", "a longer run; the same call goes on where it stopped"),
    ],
)
@option("--d", type=Natural(), help="Rows of a matrix (embedding dimension), at least 1.")
@option("--n", type=Natural(), help="Columns of a matrix (tokens), at least 2.")
@option("--N", "N", type=Natural(), help="Steps of the grid, delta = 1/N, at least 2.")
@option(
    "--paper",
    metavar="NAME",
    help="The paper whose construction is run; `verify papers` lists the names. [default: yun2020]",
)
@VARIANT
@option(
    "--claims",
    type=IDS,
    metavar="ID,ID",
    help="Claim ids, families such as lemma6, or all. [default: grid,b5,lemma10,lemma6]",
)
@option(
    "--targets",
    type=FILE,
    metavar="FILE",
    help="Run the value map and the whole network for the targets in FILE too.",
)
@option("--format", "form", type=click.Choice(["text", "json"]), help="What goes to stdout. [default: text]")
@option("--certificate", type=FILE, metavar="FILE", help="Write the certificate to FILE.")
@option(
    "--engine",
    type=click.Choice(["auto", "literal", "kernel"]),
    help="Run inputs layer by layer (literal) or by fast integer code (kernel). [default: auto]",
)
@option("--jobs", type=Natural(), metavar="J", help="Worker processes. [default: one for each core]")
@option("--checkpoint", type=Folder(path_type=Path), metavar="DIR", help="Keep finished shards; resume from them.")
@option("--scheduler", metavar="ADDRESS", help="Run the shards on that Dask cluster, such as tcp://127.0.0.1:8786.")
@option("--time-limit", type=Natural(), metavar="S", help="Stop after S seconds, with exit 4.")
@option(
    "--memory-limit",
    type=Natural(),
    metavar="MB",
    help="Stop when a process needs more than MB megabytes, with exit 4.",
)
@option(
    "--max-points", type=Natural(), metavar="M", help="Refuse a run of more than M orbits (inputs up to permutation)."
)
@click.option("--verbose", "-v", "every", is_flag=True, help="Show every claim, however many there are.")
@click.option("--quiet", "-q", is_flag=True, help="Print the verdict alone.")
@click.option("--strict", is_flag=True, help="Exit 5 when a claim was vacuous or skipped.")
@click.option("--no-check", is_flag=True, help="Skip the independent check at the end of the run.")
@click.version_option(__version__, prog_name="verify")
@click.pass_context
def verify(ctx: click.Context, /, **options: Any) -> int | None:
    """Check the contextual map of Yun et al. (ICLR 2020, Lemma 6) exhaustively, in exact rationals.

    Without a command, it checks each claim of --claims at one instance (d, n, N), on every input of the grid. Results
    go to stdout, progress and messages to stderr. `verify COMMAND --help` explains a command.
    """
    if (command := ctx.invoked_subcommand) is not None:
        for name in (parameter.opts[0] for parameter in ctx.command.params if options.get(str(parameter.name))):
            if name in option_names(ctx.command.every_command()[command]):  # type: ignore[attr-defined]
                raise click.UsageError(f"{name} comes after the command, as in `verify {command} {name} ...`")
            raise click.UsageError(f"{name} goes with `verify` alone, not with `verify {command}`")
        return None
    from verifier.commands.default import run

    return run(**options)

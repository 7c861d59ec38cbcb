"""The group `verify`: its commands are modules of this folder; by itself it runs the default page (page.py)."""

from typing import Any

import click

from verifier import __version__
from verifier.commands.options import option
from verifier.commands.page import Range, run, understood, with_options
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
        "export",
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
        ("verify --d 1 --n 3 --N 4", "every claim about the contextual map of Yun et al."),
        ("verify --d 1 --n 3 --N 4 -v", "the same, with a row for each claim"),
        ("verify --d 2 --n 2 --N 3 --claims lemma6,b5.head", "Lemma 6, and one claim more"),
        ("verify --d 1 --n 2 --N 2 --claims lemma7.map", "a claim that is refuted: a counterexample, and exit 1"),
        ("verify --paper parity --n 1..8", "another page of this package, at several sizes"),
        ("verify --d 1 --n 2 --N 3 --variant t_r=132", "a construction with another number; t_r of the paper is 162"),
        ("verify --d 1 --n 2 --N 5 --format json", "the certificate"),
        ("verify --d 1 --n 3 --N 4 --certificate c.json", "the table, and the certificate into a file"),
        ("verify check c.json", "the independent checker's verdict on it"),
        ("verify --d 1 --n 3 --N 60 --checkpoint kept", "a longer run; the same call goes on where it stopped"),
    ],
)
@option("--d", "size_0", type=Range(), help="Rows of a matrix (embedding dimension), at least 1.")
@option("--n", "size_1", type=Range(), help="Columns of a matrix (tokens), at least 2.")
@option("--N", "size_2", type=Range(), help="Steps of the grid, delta = 1/N, at least 2.")
@with_options
@click.version_option(__version__, prog_name="verify")
@click.pass_context
def verify(ctx: click.Context, /, **options: Any) -> int | None:
    """Run a construction on every input of a small size, in exact rationals, and check what is claimed of it.

    Without a command, it runs the page yun2020, the contextual map of Yun et al. (ICLR 2020, Lemma 6), at d, n and N;
    with --paper another page, whose sizes are options by their names. Results go to stdout, progress and
    messages to stderr. `verify COMMAND --help` explains a command.
    """
    if (command := ctx.invoked_subcommand) is not None:
        for name in (parameter.opts[0] for parameter in ctx.command.params if options.get(str(parameter.name))):
            if name in option_names(ctx.command.every_command()[command]):  # type: ignore[attr-defined]
                raise click.UsageError(f"{name} comes after the command, as in `verify {command} {name} ...`")
            raise click.UsageError(f"{name} goes with `verify` alone, not with `verify {command}`")
        return None
    from verifier.catalogue import DEFAULT, pages

    path = pages()[DEFAULT]
    return run(understood(path), path, [], **options)

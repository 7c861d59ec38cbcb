"""The group `verify`: its commands are modules of this folder; by itself it runs a page (run.py)."""

from typing import Any

import click
from click.core import ParameterSource

from verifier import __version__
from verifier.commands.page import Asked, PageGroup
from verifier.commands.run import Options, run, with_options
from verifier.commands.usage import EXIT_CODES, HELP, option_names

AS_ROWS = "verifier.rows"  # in a context's `meta`: whether one choice of sizes has a row, too


class Verify(PageGroup):
    """`verify survey` is `verify`, with a row also for one choice of sizes: as outside programs call it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[AS_ROWS] = args[:1] == ["survey"]
        return super().parse_args(ctx, args[1:] if ctx.meta[AS_ROWS] else args)


@click.group(
    cls=Verify,
    modules=[
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
    ],
    invoke_without_command=True,
    subcommand_metavar="[PAGE | COMMAND ...]",
    context_settings=HELP,
    codes=EXIT_CODES,
    examples=[
        ("verify --d 1 --n 3 --N 4", "every claim about the contextual map of Yun et al."),
        ("verify --d 1 --n 3 --N 4 -v", "the same, with a row for each claim"),
        ("verify --d 2 --n 2 --N 3 --claims lemma6,b5.head", "Lemma 6, and one claim more"),
        ("verify --d 1 --n 2 --N 2 --claims lemma7.map", "a claim that is refuted: a counterexample, and exit 1"),
        ("verify new mine.page --sizes 'n >= 1'", "a page to begin with"),
        ("verify mine.page --n 4", "a page of one's own, run"),
        ("verify parity --n 1..8", "another page of this package, a row for each size"),
        ("verify parity --n 1..8 --format csv >s.csv", "the rows for a spreadsheet"),
        ("verify --d 1 --n 2..3 --N 2..4 --checkpoint rows", "the same call goes on where it stopped"),
        ("verify --d 1 --n 2 --N 3 --variant t_r=132", "a construction with another number; t_r of the paper is 162"),
        ("verify --d 1 --n 2 --N 5 --format json", "the certificate"),
        ("verify --d 1 --n 3 --N 4 --certificate c.json", "the table, and the certificate into a file"),
        ("verify check c.json", "the independent checker's verdict on it"),
        ("verify --d 1 --n 3 --N 60 --checkpoint kept", "a longer run; the same call goes on where it stopped"),
    ],
)
@with_options
@click.version_option(__version__, prog_name="verify")
@click.pass_context
def verify(ctx: click.Context, /, asked: Asked | None = None, **options: Any) -> int | None:
    """Run a page on every input of a small size, in exact rationals, and check what it claims.

    A page is a construction of a Transformer with claims about it. PAGE is a file, FILE.page, or a name that `verify
    papers` lists; without it yun2020, the contextual map of Yun et al. (ICLR 2020, Lemma 6). Its sizes are options by
    their names. A range of sizes gives a row each (`verify survey` does so for one choice, too); `--n all`,
    where n bounds the length of words, is about every length. Results go to stdout, progress and messages to stderr.
    `verify COMMAND --help` explains a command.
    """
    command = ctx.invoked_subcommand
    if command is None and asked is not None:
        return run(asked, Options(**options), ctx.obj, as_rows=ctx.meta[AS_ROWS])
    for parameter in ctx.command.get_params(ctx):
        if ctx.get_parameter_source(str(parameter.name)) is ParameterSource.COMMANDLINE:
            name, its = parameter.opts[0], ctx.command.get_command(ctx, str(command))  # type: ignore[attr-defined]
            if name in option_names(its, click.Context(its, parent=ctx)):
                raise click.UsageError(f"{name} comes after the command, as in `verify {command} {name} ...`")
            raise click.UsageError(f"{name} goes with `verify` alone, not with `verify {command}`")
    return None

"""`verify papers`."""

import sys

import click

from verifier.commands.answers import OK, filled
from verifier.commands.usage import Command


@click.command(
    "papers",
    cls=Command,
    short_help="List the papers whose constructions can be run.",
    codes={0: "listed"},
    examples=[("verify papers", "each paper, and which parts are run")],
)
def papers() -> int:
    """List every paper: its name (for --paper), where it appeared, which parts are run, how many claims it has."""
    from verifier.catalogue import claims_of
    from verifier.catalogue import papers as known

    for name, paper in known().items():
        count = len(claims_of(name))
        on = f" of {paper.builds_on}, with which they are listed" if paper.builds_on else ""
        print(filled(f"{name}   {paper.title}", further="    ", most=120))
        print(filled(f"{paper.about}; {count} claims{on}", "    ", "    "))
        print()
    sys.stdout.flush()
    return OK

"""`verify papers`."""

import sys

import click

from verifier.commands.answers import OK, filled
from verifier.commands.options import option
from verifier.commands.rows import print_rows
from verifier.commands.usage import Command


@click.command(
    "papers",
    cls=Command,
    short_help="List the papers whose constructions can be run.",
    codes={0: "listed"},
    examples=[
        ("verify papers", "each paper, and which parts are run"),
        ("verify papers --format json", "the same for programs"),
    ],
)
@option("--format", "form", type=click.Choice(["text", "json"]), help="What goes to stdout. [default: text]")
def papers(form: str | None) -> int:
    """List every paper: its name (for --paper), where it appeared, which parts are run, how many claims it has."""
    from verifier.catalogue import claims_of
    from verifier.catalogue import papers as known

    if form == "json":
        print_rows(
            "papers",
            (
                {"name": name, "title": paper.title, "words": paper.about, "claims": [c.id for c in claims_of(name)]}
                | ({"builds_on": paper.builds_on} if paper.builds_on else {})
                for name, paper in known().items()
            ),
        )
        return OK
    for name, paper in known().items():
        count = len(claims_of(name))
        on = f" of {paper.builds_on}, with which they are listed" if paper.builds_on else ""
        print(filled(f"{name}   {paper.title}", further="    ", most=120))
        print(filled(f"{paper.about}; {count} claims{on}", "    ", "    "))
        print()
    sys.stdout.flush()
    return OK

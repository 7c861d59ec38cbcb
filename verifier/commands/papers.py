"""`verify papers`."""

import sys
from collections.abc import Iterator
from typing import Any

import click

from verifier.commands.answers import OK, filled
from verifier.commands.options import option
from verifier.commands.rows import print_rows
from verifier.commands.usage import Command


@click.command(
    "papers",
    cls=Command,
    short_help="List the papers and pages whose constructions can be run.",
    codes={0: "listed"},
    examples=[
        ("verify papers", "each paper, and which parts are run"),
        ("verify papers --format json", "the same for programs"),
    ],
)
@option("--format", "form", type=click.Choice(["text", "json"]), help="What goes to stdout. [default: text]")
def papers(form: str | None) -> int:
    """List every paper: its name (for --paper), where it appeared, which parts are run, how many claims it has."""
    rows = [*papers_in_python(), *pages_here()]
    if form == "json":
        print_rows("papers", rows)
        return OK
    for row in rows:
        count = len(row["claims"])
        on = f" of {row['builds_on']}, with which they are listed" if "builds_on" in row else ""
        print(filled(f"{row['name']}   {row['title']}", further="    ", most=120))
        print(filled(f"{row['words']}; {count} claim{'' if count == 1 else 's'}{on}", "    ", "    "))
        print()
    sys.stdout.flush()
    return OK


def papers_in_python() -> Iterator[dict[str, Any]]:
    from verifier.catalogue import claims_of
    from verifier.catalogue import papers as known

    for name, paper in known().items():
        its = {"name": name, "title": paper.title, "words": paper.about, "claims": [c.id for c in claims_of(name)]}
        yield its | ({"builds_on": paper.builds_on} if paper.builds_on else {})


def pages_here() -> Iterator[dict[str, Any]]:
    """Each page of this package, with its sizes."""
    from verifier.catalogue import pages
    from verifier.commands.page import understood

    for name, path in pages().items():
        page = understood(path).page
        sizes = " ".join(f"--{size} {least}" for size, least in page.sizes.items())
        yield {"name": name, "title": page.title, "words": f"a page, from {sizes} on", "claims": list(page.claims)}

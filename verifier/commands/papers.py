"""`verify papers`."""

import os
import re
import sys
from collections.abc import Iterator
from functools import partial
from typing import Any

import click

from verifier.commands.answers import OK, filled
from verifier.commands.options import FORMAT
from verifier.commands.usage import Command
from verifier.lines import many
from verifier.report.formats import Result, Row, opened

WIDE = 150  # of the table of models, where there is no terminal


@click.command(
    "papers",
    cls=Command,
    short_help="List the pages of this package.",
    codes={0: "listed"},
    examples=[
        ("verify papers", "each page, its sizes, and how many claims it has"),
        ("verify papers --format json", "the same for programs"),
    ],
)
@FORMAT
def papers(form: str | None) -> int:
    """List every page of this package: its name (for --paper), its sizes and least values, its claims' number."""
    from verifier.language.axes import AXES

    rows = list(pages_here())
    columns = ("name", "title", "words", "claims", *AXES)
    report = opened(form, Result("papers", "The pages of this package", columns, close=partial(print_models, rows)))
    for row in rows:
        cells = (row["name"], row["title"], row["words"], str(len(row["claims"])))
        report.add(Row(row, (*cells, *(row["model"].get(axis, "") for axis in AXES)), show=partial(show, row)))
    report.end()
    sys.stdout.flush()
    return OK


def show(row: dict[str, Any]) -> None:
    print(filled(f"{row['name']}   {row['title']}", further="    ", most=120))
    print(filled(f"{row['words']}; {many(len(row['claims']), 'claim')}", "    ", "    "))
    print()


def print_models(rows: list[dict[str, Any]]) -> None:
    """The model of each page whose head says one, of each axis the first words (`--format json` has all)."""
    from rich.text import Text

    from verifier.language.axes import AXES
    from verifier.report.console import NARROW, fits, hanging, new_table, stdout

    console = stdout()
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = WIDE
    table = new_table(console)
    for name in ("model of", *AXES):
        table.add_column(name, no_wrap=name in ("model of", "attention"))
    models = []
    for row in rows:
        if AXES[-1] in row.get("model", {}):
            first = [re.split(r"[;:]| \(|[,.] ", row["model"].get(axis, "-"))[0] for axis in AXES]
            models.append((row["name"], first))
            table.add_row(*map(Text, (row["name"], *first)))
    if console.width >= NARROW and fits(console, table):
        console.print(table)
        return
    for name, first in models:
        console.print(f"model of {name}")
        for axis, words in zip(AXES, first, strict=True):
            hanging(console, f"    {axis}: ", words)


def pages_here() -> Iterator[dict[str, Any]]:
    """Each page of this package, with its sizes."""
    from verifier.catalogue import pages
    from verifier.commands.page import understood
    from verifier.language.axes import model

    for name, path in pages().items():
        page = understood(path).page
        sizes = " ".join(f"--{size} {least}" for size, least in page.sizes.items())
        yield {
            "name": name,
            "title": page.title,
            "words": f"from {sizes} on",
            "claims": list(page.claims),
            "model": model(page),
        }

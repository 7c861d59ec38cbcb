"""`verify report`."""

from pathlib import Path
from typing import Any

import click

from verifier.commands.answers import (
    INCOMPLETE,
    INTERRUPTED,
    MISSING,
    OK,
    OVER_LIMIT,
    REFUTED,
    complain,
    printable,
    refuse_if_unwritable,
    written,
)
from verifier.commands.options import FILE, FORMAT, Natural, option
from verifier.commands.usage import Command
from verifier.interrupts import interruptible
from verifier.report.formats import Result, Row, opened

MOST_FILES = 100


@click.command(
    "report",
    cls=Command,
    short_help="Write a web page about certificates.",
    codes={
        0: "the page is written",
        1: "a certificate was rejected, and nothing is written",
        3: "the page could not be written",
        4: "a certificate is over the checker's limit, and nothing is written",
        5: "the page is written; a certificate is incomplete",
    },
    examples=[
        ("verify --paper parity --n 3 --certificate c.json", ""),
        ("verify report c.json -o report.html", ""),
        ("verify --paper sums_of_powers --n 2 --N 3 --base 3 --certificate s.json", ""),
        ("verify report s.json -o values.svg", "its picture alone: values against the bounds of the claims"),
        ("verify report c.json s.json -o report.html", "of several"),
    ],
)
@click.argument("files", nargs=-1, type=FILE, metavar="FILE...")
@option("--output", "-o", type=FILE, metavar="FILE", help="Write the page to FILE.")
@FORMAT
@option("--max-points", type=Natural(), metavar="M", help="Check certificates of up to M cases again.")
def report(files: tuple[Path, ...], output: Path | None, max_points: int | None, form: str | None) -> int:
    """Write one self-contained HTML page about certificates of pages, each checked again first.

    FILE may be a folder (all certificates in it), a .json.gz, or - (stdin).
    """
    from verifier.commands.check import certificates, refuse_page
    from verifier.files import Unreadable
    from verifier.report import sources
    from verifier.report.document import document, of_certificate

    files = tuple(Path(path) for file in files for path in (certificates(file) if file.is_dir() else [file]))
    for file in files:
        refuse_page(str(file))
    if not files:
        raise click.UsageError("a file is missing, as in `verify report c.json -o report.html`")
    if output is None:
        raise click.UsageError("-o is missing; the report needs a file, as in `verify report c.json -o report.html`")
    if output.suffix not in (".html", ".htm", ".svg"):
        raise click.UsageError(f"-o {printable(output)}: a page is a FILE.html, the picture alone a FILE.svg")
    refuse_if_unwritable("-o", output)
    if any(file.exists() and output.exists() and file.samefile(output) for file in files):
        raise click.UsageError(f"-o {printable(output)}: the page is about this file; write it elsewhere")
    if len(files) > (1 if output.suffix == ".svg" else MOST_FILES):
        most = (
            "a picture is of one certificate" if output.suffix == ".svg" else f"a page is made of at most {MOST_FILES}"
        )
        raise click.UsageError(f"{len(files)} files; {most}")
    given = []
    try:
        with interruptible():
            for file in files:
                try:
                    text = sources.text_of(file)  # once: it may be stdin
                    given.append(sources.checked(sources.name_of(file), text, max_points))
                except Unreadable as error:
                    raise click.UsageError(f"{printable(file)}: {error}") from error
            refused = [source for source in given if source.standing != "accepted"]
            codes = {
                complain(f"{one.name}: {one.said}; no report of it is written", one.code or REFUTED) for one in refused
            }
            if not codes:
                data = (
                    picture(given[0])
                    if output.suffix == ".svg"
                    else document([of_certificate(one.certificate, one.said, one.ends) for one in given])
                )
    except KeyboardInterrupt:
        return complain("interrupted; no page was written", INTERRUPTED)
    if not codes and not written(output, data):
        return MISSING
    rows = opened(form, Result("report", f"A report, {printable(output)}", ("name", "verdict", "words")))
    for one in given:
        cells = (one.name, one.standing, one.said)
        rows.add(Row(dict(zip(rows.result.columns, cells, strict=True)), cells, one.said if one.code else ""))
    rows.end()
    codes |= {complain(f"{one.name}: {one.said}", one.code) for one in given if one.code and one not in refused}
    return next((code for code in (REFUTED, OVER_LIMIT, INCOMPLETE) if code in codes), OK)


def picture(source: Any) -> bytes:
    """The first number line of a certificate."""
    from verifier.language.page import read
    from verifier.report.pictures import alone, number_lines

    lines = number_lines(read(source.certificate["page"]), source.certificate)
    if not lines:
        raise click.UsageError(f"{source.name}: no claim of it compares values with a bound that has a name")
    sizes = [f"{name} = {size}" for name, size in source.sizes.items()]
    bounds = ", ".join(f"{name} = {value}" for name, value in lines[0].bounds.items())
    at = ", ".join([*sizes, *(f"VARIANT {name} = {value}" for name, value in source.variant.items())])
    return alone(lines[0], f"{at}: the values {lines[0].value} of {lines[0].inputs}, against {bounds}")

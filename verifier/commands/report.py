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
from verifier.commands.options import FILE, ID, Natural, option
from verifier.commands.rows import print_rows
from verifier.commands.usage import Command
from verifier.interrupts import interruptible


@click.command(
    "report",
    cls=Command,
    short_help="Write a web page about certificates and surveys.",
    codes={
        0: "the page is written",
        1: "the page is written; a certificate was rejected",
        3: "the page could not be written",
        4: "the page is written; a certificate is over the checker's limit",
        5: "the page is written; a certificate is incomplete",
    },
    examples=[
        ("verify --d 1 --n 3 --N 4 --certificate c.json", ""),
        ("verify report c.json -o report.html", ""),
        ("verify report c.json -o report.html --sweep lemma6.4", "the sweep of that claim's tightest case"),
        ("verify report c.json -o separation.svg", "the picture of the separation alone"),
        ("verify survey --d 1 --n 3 --N 3..5 --format json >s.json", ""),
        ("verify report c.json s.json -o report.html", "of a certificate and of a survey"),
    ],
)
@click.argument("files", nargs=-1, type=FILE, metavar="FILE...")
@option("--output", "-o", type=FILE, metavar="FILE", help="Write the page to FILE.")
@option(
    "--sweep",
    type=ID,
    metavar="ID",
    help="Follow this claim's tightest case, or counterexample, through the sweep.",
)
@option("--format", "form", type=click.Choice(["text", "json"]), help="json: a row for each file, on stdout.")
@option("--max-points", type=Natural(), metavar="M", help="Check certificates of up to M orbits again.")
def report(
    files: tuple[Path, ...],
    output: Path | None,
    sweep: str | None,
    max_points: int | None,
    form: str | None,
) -> int:
    """Write one self-contained HTML page about certificates, each checked again, and surveys (--format json).

    FILE may be a folder (all certificates and surveys in it), a .json.gz, or - (stdin).
    """
    from verifier.catalogue import UnknownClaim, choose
    from verifier.commands.check import certificates
    from verifier.files import Unreadable
    from verifier.report import figure, page, sources

    files = tuple(
        Path(path) for file in files for path in (certificates(file, also="survey") if file.is_dir() else [file])
    )
    if not files:
        raise click.UsageError("a file is missing, as in `verify report c.json -o report.html`")
    if output is None:
        raise click.UsageError("-o is missing; the page needs a file, as in `verify report c.json -o report.html`")
    try:
        choose(["all" if sweep is None else sweep])
    except UnknownClaim as error:
        raise click.UsageError(f"--sweep: {error}") from error
    if output.suffix not in (".html", ".htm", ".svg"):
        raise click.UsageError(f"-o {printable(output)}: a page is a FILE.html, the picture alone a FILE.svg")
    refuse_if_unwritable("-o", output)
    if any(file.exists() and output.exists() and file.samefile(output) for file in files):
        raise click.UsageError(f"-o {printable(output)}: the page is about this file; write it elsewhere")
    if len(files) > page.MOST_FILES:
        raise click.UsageError(f"{len(files)} files; a page is made of at most {page.MOST_FILES}")
    given = []
    try:
        for file in files:
            try:
                with interruptible():
                    text = sources.text_of(file)  # once: it may be stdin
                    if len(files) == 1 and (code := of_page(file, text, max_points, output)) is not None:
                        return code
                    given.append(sources.of_text(sources.name_of(file), text, max_points))
            except Unreadable as error:
                raise click.UsageError(f"{printable(file)}: {error}") from error
        data = figure.render(given) if output.suffix == ".svg" else page.render(given, sweep)
    except page.NoSuchCase as error:
        raise click.UsageError(f"--sweep: {error}") from error
    except figure.NoPicture as error:
        raise click.UsageError(str(error)) from error
    except KeyboardInterrupt:
        return complain("interrupted; no page was written", INTERRUPTED)
    if not written(output, data):
        return MISSING
    if form == "json":
        print_rows("report", (row(item) for item in given))
    codes = set()
    for source in given:
        if isinstance(source, sources.Source) and source.code:
            codes.add(complain(f"{source.name}: {source.standing}: {source.said}", source.code))
    return next((code for code in (REFUTED, OVER_LIMIT, INCOMPLETE) if code in codes), OK)


def of_page(file: Path, text: str, max_points: int | None, output: Path) -> int | None:
    """The report of a page's certificate, written; None if the file is none."""
    import json

    from verifier.files import Unreadable
    from verifier.report import sources

    if f'"format": "{sources.PAGE}"' not in text:
        return None
    try:
        content = json.loads(text)
    except ValueError as error:
        raise Unreadable(f"it is no certificate: {error}") from error
    source = sources.checked(str(file), text, content, max_points)
    if source.standing != "accepted":
        return complain(f"{printable(file)}: {source.said}; no report of it is written", source.code or REFUTED)
    from verifier.report.document import document, witnesses

    if output.suffix == ".svg":
        raise click.UsageError(f"-o {printable(output)}: a page's report is a FILE.html")
    page, stories, shapes = witnesses(content)
    if not written(output, document(content, page, source.said, source.ends, stories, shapes)):
        return MISSING
    return complain(f"{printable(file)}: {source.standing}", source.code) if source.code else OK


def row(item: Any) -> dict[str, str]:
    from verifier.report.sources import Source

    if isinstance(item, Source):
        return {"name": item.name, "verdict": item.standing, "words": item.said}
    return {"name": item.name, "verdict": "survey"}

"""`verify badge`."""

from pathlib import Path

import click

from verifier.commands.answers import MISSING, OK, REFUTED, complain, printable, refuse_if_unwritable, written
from verifier.commands.options import FILE, ID, Natural, option
from verifier.commands.usage import Command
from verifier.interrupts import interruptible


@click.command(
    "badge",
    cls=Command,
    short_help="Draw a badge of a certificate, or of a claim in it.",
    codes={
        0: "the badge is drawn, and green",
        1: "a claim is refuted, as the badge says; or the certificate is rejected, and there is no badge",
        4: "the certificate is over the checker's limit, and there is no badge",
        5: "the certificate is incomplete, as the badge says",
    },
    examples=[
        ("verify --paper parity --n 3 --certificate c.json", ""),
        ("verify badge c.json -o badge.svg", "how many claims hold, and at which sizes"),
        ("verify badge c.json --claim parity.decides -o decides.svg", "one claim"),
    ],
)
@click.argument("file", type=FILE, metavar="FILE")
@option("--claim", type=ID, metavar="ID", help="The claim. [default: the whole certificate]")
@option("--output", "-o", type=FILE, metavar="FILE.svg", help="Write the badge to FILE.")
@option("--max-points", type=Natural(), metavar="M", help="Check a certificate of up to M orbits again.")
def badge(file: Path, claim: str | None, output: Path | None, max_points: int | None) -> int:
    """Check a certificate, and draw its verdict as a badge (SVG), with the first digits of its SHA-256.

    It is green only where `verify check` ends with 0; a refutation is red, all else amber.
    """
    from verifier.commands.check import refuse_page
    from verifier.files import Unreadable
    from verifier.report import sources
    from verifier.report.badge import NoBadge
    from verifier.report.badge import badge as drawn

    if output is None or output.suffix != ".svg":
        raise click.UsageError("-o FILE.svg is needed, as in `verify badge c.json -o badge.svg`")
    refuse_if_unwritable("-o", output)
    refuse_page(str(file))
    try:
        with interruptible():
            text = sources.text_of(file)
            source = sources.checked(sources.name_of(file), text, max_points)
        if source.standing != "accepted":
            return complain(f"{printable(file)}: {source.said}; there is no badge of it", source.code or REFUTED)
        data = drawn(source, text, claim)
    except (Unreadable, NoBadge) as error:
        raise click.UsageError(f"{printable(file)}: {error}") from error
    if not written(output, data):
        return MISSING
    return complain(f"{printable(file)}: {source.said}", source.ends) if source.ends else OK

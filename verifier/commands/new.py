"""`verify new`: a page to begin with."""

import shlex
import sys
from pathlib import Path

import click

from verifier.commands.answers import MISSING, OK, complain, printable
from verifier.commands.options import FILE, option
from verifier.commands.usage import Command

SIZES = "n >= 1"  # where nothing is said


@click.command(
    "new",
    cls=Command,
    short_help="Write a page to begin with.",
    codes={0: "the page is written"},
    examples=[
        ("verify new mine.page --sizes 'n >= 1'", "words of up to n bits; without --sizes it asks"),
        ("verify new letters.page --sizes 'n >= 1, k >= 2'", "words of up to n letters, of k kinds"),
        ("printf 'letters a b\\nP := Q_a since Q_b' >s.brasp", "a program"),
        ("verify new s.page --from s.brasp", "its layers, and the claims that they do what it says"),
    ],
)
@click.argument("file", type=FILE, metavar="FILE.page")
@option("--sizes", metavar="SIZES", help="The sizes and their least values, as a page has them. [default: asks]")
@option("--from", "program", type=FILE, metavar="PROGRAM", help="A program in B-RASP or C-RASP, or temporal logic.")
def new(file: Path, sizes: str | None, program: Path | None) -> int:
    """Write a page that runs at once: inputs, a layer, a network and a claim that can fail, to be changed into yours.

    The first size is how long an input may be, the second one how many letters there are; without it they are bits.
    With --from the layers are those of a program, and the claims say that they do what its lines mean.
    """
    from verifier.commands.page import refuse_clash
    from verifier.commands.verify import verify
    from verifier.files import refusal
    from verifier.language.page import read

    if file.suffix != ".page":
        raise click.UsageError(f"{printable(file)}: a page is a FILE.page")
    taken = f"{printable(file)}: it is there already, and a new page never replaces one"
    if file.exists():
        raise click.UsageError(taken)
    if why := refusal(file):
        raise click.UsageError(f"{printable(file)}: {why}")
    if program is not None and sizes is not None:
        raise click.UsageError("--sizes and --from exclude each other: the page of a program has the size n")
    text, first = from_sizes(sizes, titled(file)) if program is None else from_program(program)
    refuse_clash(read(text), file, verify)
    call = shlex.join(["verify", "--paper", str(file), *(w for n, v in first.items() for w in (f"--{n}", str(v)))])
    try:
        with file.open("x", encoding="utf-8") as page:
            page.write(text)
    except FileExistsError as error:
        raise click.UsageError(taken) from error
    except OSError as error:
        return complain(f"{printable(file)} could not be written: {error.strerror}", MISSING)
    print(f"{printable(file)} is written. Run it, then change it into yours:\n\n    {call}")
    return OK


def from_sizes(sizes: str | None, title: str) -> tuple[str, dict[str, int]]:
    """A page, and the sizes to run it at."""
    from verifier.language.skeleton import TooMany, skeleton

    if sizes is None:
        if not sys.stdin.isatty():
            raise click.UsageError("--sizes is needed where nobody can be asked, as in --sizes 'n >= 1, k >= 2'")
        sizes = click.prompt("Sizes, and their least values (such as n >= 1, k >= 2)", default=SIZES, err=True)
    try:
        return skeleton(*least(sizes.strip()), title)
    except TooMany as error:
        raise click.UsageError(f"--sizes {printable(sizes)}: {error}") from error


def from_program(program: Path) -> tuple[str, dict[str, int]]:
    from verifier.commands.refused import refused
    from verifier.files import Unreadable
    from verifier.files import read as text_in
    from verifier.language.parse import parse
    from verifier.language.words import Refused
    from verifier.rasp.page import page_of

    try:
        text = text_in(program)
    except Unreadable as error:
        raise click.UsageError(f"{printable(program)}: {error}") from error
    try:
        page = page_of(text, titled(program))
        return page, parse(page).to_try
    except Refused as error:
        raise click.exceptions.Exit(refused(error, program, text)) from error


def titled(file: Path) -> str:
    return " ".join(file.stem.replace('"', "").split()) if file.stem.isprintable() else "A page"


def least(sizes: str) -> tuple[dict[str, int], dict[str, int]]:
    """Each size and its least value, as a page says it; and those to try."""
    from verifier.language.parse import parse
    from verifier.language.words import Refused

    try:
        if "\n" in sizes or "#" in sizes:
            raise Refused((0, 0), "sizes are one line, such as n >= 1, k >= 2")
        page = parse(f'language 1\nsizes {sizes}\nclaim a, own, "-", once:\n  "a"\n  1 = 1')
    except Refused as error:
        raise click.UsageError(f"--sizes {printable(sizes)}: {error.message}") from error
    return page.sizes, page.to_try

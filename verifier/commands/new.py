"""`verify new`: a page to begin with."""

import shlex
import sys
from pathlib import Path

import click

from verifier.commands.answers import MISSING, OK, complain, printable
from verifier.commands.options import FILE, option
from verifier.commands.usage import Command

SIZES = "n >= 1"  # where nothing is said
AT_ONCE = 20_000  # cases: so many are run in a moment


@click.command(
    "new",
    cls=Command,
    short_help="Write a page to begin with.",
    codes={0: "the page is written"},
    examples=[
        ("verify new mine.page --sizes 'n >= 1'", "words of up to n bits; without --sizes it asks"),
        ("verify new letters.page --sizes 'n >= 1, k >= 2'", "words of up to n letters, of k kinds"),
    ],
)
@click.argument("file", type=FILE, metavar="FILE.page")
@option("--sizes", metavar="SIZES", help="The sizes and their least values, such as 'n >= 1, k >= 2'.")
def new(file: Path, sizes: str | None) -> int:
    """Write a page that runs at once: inputs, a layer, a network and a claim that can fail, to be changed into yours.

    The first size is how long an input may be, the second one how many letters there are; without it they are bits.
    """
    from verifier.files import refusal

    if file.suffix != ".page":
        raise click.UsageError(f"{printable(file)}: a page is a FILE.page")
    taken = f"{printable(file)}: it is there already, and a new page never replaces one"
    if file.exists():
        raise click.UsageError(taken)
    if why := refusal(file):
        raise click.UsageError(f"{printable(file)}: {why}")
    if sizes is None:
        if not sys.stdin.isatty():
            raise click.UsageError("--sizes is needed where nobody can be asked, as in --sizes 'n >= 1, k >= 2'")
        sizes = click.prompt("Sizes, and their least values (such as n >= 1, k >= 2)", default=SIZES, err=True)
    text, call = skeleton(sizes.strip(), file)
    try:
        with file.open("x", encoding="utf-8") as page:
            page.write(text)
    except FileExistsError as error:
        raise click.UsageError(taken) from error
    except OSError as error:
        return complain(f"{printable(file)} could not be written: {error.strerror}", MISSING)
    print(f"{printable(file)} is written. Run it, then change it into yours:\n\n    {call}")
    return OK


def skeleton(sizes: str, file: Path) -> tuple[str, str]:
    """The page, and the call that runs it."""
    from verifier.commands.page import command_of
    from verifier.language.page import read

    names = least(sizes)
    (long, shortest), *others = names.items()
    many, fewest = others[0] if others else ("", 2)

    def free(name: str) -> str:
        return f"{name}'" if name in names else name

    kinds = max(fewest, 3) if many else 2
    if not (longest := next((n for n in range(max(shortest, 4), max(shortest, 1) - 1, -1) if at_once(kinds, n)), 0)):
        raise click.UsageError(
            f"--sizes {printable(sizes)}: even at the least of them there are too many inputs for a first page"
        )
    first = names | {long: longest} | ({many: kinds} if many else {})
    text = TEMPLATE.format(
        title=" ".join(file.stem.replace('"', "").split()) if file.stem.isprintable() else "A page",
        sizes=", ".join(f"{name} >= {value}" for name, value in names.items()),
        left="".join(f"# Nothing speaks of {name} yet.\n" for name, _ in others[1:]),
        said=f"every word of at most {long} letters, each of them {f'0, ..., {many}-1' if many else '0 or 1'}",
        long=long,
        letters=f"{{0, ..., {many}-1}}" if many else "{0, 1}",
        **{name: free(name) for name in ("w", "words", "a", "largest", "most", "so_far", "Y", "j", "i", "x")},
    )
    command_of(read(text), file)  # refuses a size that has the name of an option
    return text, shlex.join(
        ["verify", "--paper", str(file), *(w for n, v in first.items() for w in (f"--{n}", str(v)))]
    )


def at_once(kinds: int, longest: int) -> bool:
    """Whether there are few words of at most so many letters."""
    words = 0
    for length in range(1, longest + 1):
        words += kinds**length
        if words > AT_ONCE:
            return False
    return True


def least(sizes: str) -> dict[str, int]:
    """Each size and its least value, as a page says it."""
    from verifier.language.parse import parse
    from verifier.language.words import Refused

    try:
        if "\n" in sizes or "#" in sizes:
            raise Refused((0, 0), "sizes are one line, such as n >= 1, k >= 2")
        return parse(f'language 1\nsizes {sizes}\nclaim a, own, "-", once:\n  "a"\n  1 = 1').sizes
    except Refused as error:
        raise click.UsageError(f"--sizes {printable(sizes)}: {error.message}") from error


TEMPLATE = """\
language 1
title "{title}"
sizes {sizes}
{left}
# The inputs: {said}.
inputs {w} in {words}: words of 1..{long} letters {a} in {letters}

# A layer says what token {i} becomes. This one has one head: of the tokens j up to {i} it reads the largest letter.
layer {most}:
  {largest} = read {x}[j][1] at max of {x}[j][1] over j <= {i}
  {x}[{i}] <- {x}[{i}] + {largest} * unit(2, 2)
network {so_far}:
  {most}

# A token is a list of numbers: here its letter, and room for what the layer finds.
{Y} = {so_far}([[{a}, 0] for {a} in {w}])

# What is claimed, in words and as a formula. Write j < {i} in the layer, and a counterexample is found.
claim mine.largest, own, "-", on {words}:
  "Each token holds the largest letter up to its own place."
  for {i} in 1..len({w}): {Y}[{i}][2] = max({w}[{j}] for {j} in 1..{i})
"""

"""How a command ends: its exit code, its line on stderr, and the file it was to write."""

import shutil
import sys
import textwrap
from contextlib import suppress
from pathlib import Path

import click

from verifier.interrupts import interruptible, last_words
from verifier.lines import fitted

OK, REFUTED, MALFORMED, MISSING, OVER_LIMIT, INCOMPLETE, DEFECT, INTERRUPTED = 0, 1, 2, 3, 4, 5, 70, 130
UNREAD = 128 + 13  # a shell's code for SIGPIPE
STOPPED = {
    "malformed": MALFORMED,
    "missing": MISSING,
    "limit": OVER_LIMIT,
    "incomplete": INCOMPLETE,
    "defect": DEFECT,
}


def complain(message: str, code: int) -> int:
    """The message on stderr, in a pipe as one line; the exit code."""
    if code == INTERRUPTED:
        message, code = last_words(message)
    with suppress(OSError):  # stderr may be full or closed; the exit code still tells
        print(fitted(f"verify: {' '.join(message.split())}", sys.stderr), file=sys.stderr)
    return code


def filled(words: str, first: str = "", further: str = "", most: int = 100) -> str:
    """Words in lines of a terminal's width, or of `most` columns; lines after the first begin with `further`."""
    wide = max(20, min(most, shutil.get_terminal_size().columns) if sys.stdout.isatty() else most)
    return textwrap.fill(
        words, wide, initial_indent=first, subsequent_indent=further, break_long_words=False, break_on_hyphens=False
    )


def printable(path: Path | str) -> str:
    """A path in printable ASCII, whatever characters it has."""
    return ascii(str(path))[1:-1]


def refuse_if_unwritable(name: str, path: Path) -> None:
    """Refuses, before any work, a path at which no file can be written: the call is malformed."""
    from verifier.files import refusal

    if why := refusal(path):
        raise click.UsageError(f"{name} {printable(path)}: {why}")


def written(path: Path, data: bytes) -> bool:
    """Writes the file whole, or leaves the old one (or none) and says why; returns whether it is written."""
    from verifier.files import write

    try:
        with interruptible():
            write(path, data)
    except OSError as error:
        complain(f"{printable(path)} could not be written: {error.strerror}", MISSING)
        return False
    return True

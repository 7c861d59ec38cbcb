"""What can't be read or run of a page, told: one line with its place, and on a terminal the page's line with a mark."""

import sys
from pathlib import Path

import click

from verifier.catalogue import pages
from verifier.commands.answers import MALFORMED, OVER_LIMIT, complain, printable
from verifier.language.words import Refused, TooLarge


def refused(error: Refused, path: Path, text: str) -> int:
    """Prints it, a page of this package by its name; the exit code."""
    name = path.stem if path in pages().values() else printable(path)
    code = complain(f"{name}: {error}", OVER_LIMIT if isinstance(error, TooLarge) else MALFORMED)
    if sys.stderr.isatty():
        from rich.console import Console

        from verifier.report.excerpt import show

        show(text, error.place, Console(stderr=True, highlight=False))
    return code


class PageRefused(click.ClickException):
    """A page that can't be read: the call ends where it is told."""

    def __init__(self, error: Refused, path: Path, text: str) -> None:
        super().__init__(str(error))
        self.error, self.path, self.text = error, path, text

    def tell(self) -> int:
        return refused(self.error, self.path, self.text)

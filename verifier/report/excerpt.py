"""A line of a page with a mark under what is wrong, on a terminal."""

import re

from rich.cells import cell_len
from rich.console import Console
from rich.syntax import Syntax
from rich.text import Text

from verifier.language.words import NAME, NUMBER, SIGN, STRING, Place
from verifier.report.lexer import PageLexer

_WORD = re.compile(f"{NAME}|{NUMBER}|{STRING}|{SIGN}")
_LEAST = 20  # columns of the line that are shown, however narrow the terminal


def excerpt(text: str, place: Place, width: int) -> Text | None:
    """The line of the page and the mark; None where the place is no line of it. Nothing in it moves a cursor."""
    number, column = place
    lines = text.split("\n")
    if not 0 < number <= len(lines):
        return None
    line = "".join(c if c.isprintable() else "?" for c in lines[number - 1])
    begin = min(column - 1, len(line))
    word = _WORD.match(line, begin)
    end = word.end() if word else begin + 1
    margin = f"{number:>4} | "
    room = max(_LEAST, width - len(margin) - 1)
    cut = 0 if cell_len(line[:end]) <= room else max(0, begin - room // 2)
    shown = line[cut:]
    while cell_len(shown) > room:
        shown = shown[:-1]
    before = cell_len(shown[: begin - cut])
    mark = "^" * max(1, min(cell_len(shown[begin - cut : end - cut]), room - before))
    bar = f"{'':>4} | "
    coloured = Syntax("", PageLexer(), theme="ansi_dark").highlight(shown)
    coloured.rstrip()
    return Text.assemble(
        (f"{bar.rstrip()}\n{margin}", "dim"), coloured, (f"\n{bar}", "dim"), " " * before, (mark, "bold red")
    )


def show(text: str, place: Place, console: Console) -> None:
    if (shown := excerpt(text, place, console.width)) is not None:
        console.print(shown, soft_wrap=True)

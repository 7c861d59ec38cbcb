"""Where a report is printed: its width, tables that fit it, no blanks at the ends of lines in a pipe."""

import os
import re
import sys
from io import TextIOBase

from rich import box
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from verifier.core.exact import shortened

NARROW = 72  # columns; on a narrower terminal a table becomes a list
SENTENCE = 80  # columns of a line of prose, however wide the window
_LONGEST = 24  # characters of a number in a table; the JSON has them all
_ANY = 10**6  # wider than any text
_WIDTH = 110  # of a table, if there is no terminal


class Trimmed(TextIOBase):
    """A stream that removes the blanks with which rich pads lines."""

    def __init__(self, stream: TextIOBase) -> None:
        self._stream = stream

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._stream.encoding or "utf-8"

    def write(self, text: str) -> int:
        return self._stream.write(re.sub(r"[ ]+(?=\n|\Z)", "", text))

    def flush(self) -> None:
        self._stream.flush()


def stdout() -> Console:
    if sys.stdout.isatty():
        return Console(highlight=False)
    width = None if os.environ.get("COLUMNS") else _WIDTH
    return Console(file=Trimmed(sys.stdout), width=width, highlight=False)  # type: ignore[arg-type]


def say(console: Console, words: str, style: str = "") -> None:
    """Prints a sentence in lines of at most SENTENCE columns."""
    console.print(Text(words, style=style), width=min(console.width, SENTENCE))


def hanging(console: Console, label: str, words: str) -> None:
    """Prints words after a label; further lines begin below the first word."""
    grid = Table.grid()
    grid.add_column(no_wrap=True, width=len(label))
    grid.add_column(overflow="fold")
    grid.add_row(Text(label), Text(words))
    console.print(grid)


def new_table(console: Console) -> Table:
    return Table(box=box.SIMPLE_HEAD if console.encoding.startswith("utf") else box.ASCII2, pad_edge=False)


def fits(console: Console, table: Table) -> bool:
    """Whether no word, number or claim id has to be broken; gives each column the width that it needs."""
    needs, options = [], console.options.update(width=_ANY)
    for column in table.columns:
        cells = [Measurement.get(console, options, cell) for cell in (column.header, *column.cells)]
        most = max(cell.maximum for cell in cells)
        least = max(*(cell.minimum for cell in cells), min(most, column.min_width or 0))
        needs.append((most if column.no_wrap else least, most))
    rules = 3 * (len(needs) - 1) + 2 * table.show_edge  # 3: a rule, and a space on either side
    room = console.width - rules - sum(least for least, _ in needs)
    if room < 0:
        return False
    by_wish = sorted(range(len(needs)), key=lambda k: needs[k][1] - needs[k][0])
    for done, k in enumerate(by_wish):
        least, most = needs[k]
        more = min(most - least, room // (len(needs) - done))
        table.columns[k].width = least + more
        room -= more
    return True


def short(number: str) -> str:
    """A number that fits a table."""
    return shortened(number, _LONGEST)

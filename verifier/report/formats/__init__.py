'''Formats of output: `--format NAME` of a command that lists something is the module NAME of this package.

To add one, add its file, and nothing else: a class Report(Format). Values with tabs between them are this file, tsv.py:

    """A line for each row, with tabs between its cells."""

    from verifier.report.formats import Format, Row

    class Report(Format):
        def begin(self) -> None:
            self.write("\\t".join(self.result.columns) + "\\n")

        def row(self, row: Row) -> None:
            self.write("\\t".join(row.cells) + "\\n")

Runs, ranges of sizes, `check`, `claims`, `papers`, `prove`, `regress` and `report` have it then, and so have --help,
completion and the man page. A command knows no format: it makes a Result, opens a report of it, adds its rows one after
the other as they are found, and closes it (coverage.py's Reporter is the example).
'''

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

Value = str | int | Sequence[str] | Mapping[str, "Value"]


def silent() -> None:
    """Says nothing."""


@dataclass(frozen=True)
class Row:
    """What was found of one thing: a claim, a file, a choice of sizes."""

    record: Mapping[str, Value]  # for programs; its "name" is that of the thing
    cells: Sequence[str]  # for tables: a line of text for each column
    failure: str = ""  # why this isn't as it should be
    show: Callable[[], None] = silent  # prints it for a person


@dataclass(frozen=True)
class Result:
    """What a command answers with: rows of one kind."""

    command: str
    title: str
    columns: Sequence[str]
    version: int = 1  # of its JSON
    close: Callable[[], None] = silent  # prints what a person reads after the rows
    own: Mapping[str, Callable[[], str]] = field(default_factory=dict)  # formats in which it is more than its rows


def to_stdout(text: str) -> None:
    """In UTF-8, whatever the terminal's encoding is: it is read by programs."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode())
    sys.stdout.buffer.flush()


class Format:
    """What is written when a report is opened, of each row as soon as it is there, and when all are."""

    def __init__(self, result: Result, write: Callable[[str], None] = to_stdout) -> None:
        self.result, self.write = result, write
        self.rows: list[Row] = []

    def begin(self) -> None:
        pass

    def row(self, row: Row) -> None:
        pass

    def end(self) -> None:
        pass

    def add(self, row: Row) -> None:
        self.rows.append(row)
        self.row(row)


class Own(Format):
    """A format in which the result is a document of its own, such as a certificate."""

    def __init__(self, result: Result, write: Callable[[str], None], form: str) -> None:
        super().__init__(result, write)
        self.form = form

    def end(self) -> None:
        self.write(self.result.own[self.form]())


@cache
def names() -> list[str]:
    """The formats that there are: text, which is the default, then the others."""
    return sorted((module.name for module in iter_modules(__path__)), key=lambda name: (name != "text", name))


def opened(form: str | None, result: Result, write: Callable[[str], None] = to_stdout) -> Format:
    """A report of this result in a format, begun."""
    module = import_module(f"{__name__}.{form or 'text'}")
    report: Format = Own(result, write, form) if form and form in result.own else module.Report(result, write)
    report.begin()
    return report

"""For spreadsheets and data frames: the names of the columns, then a line for each row as soon as it is there."""

import csv
import io
from collections.abc import Sequence

from verifier.report.formats import Format, Row


class Report(Format):
    def begin(self) -> None:
        self.line(self.result.columns)

    def row(self, row: Row) -> None:
        self.line(row.cells)

    def line(self, cells: Sequence[str]) -> None:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerow(cells)
        self.write(text.getvalue())

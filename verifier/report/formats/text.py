"""For a person: each row when it is there, in the command's own words, on a terminal in colour."""

from verifier.report.formats import Format, Row


class Report(Format):
    def row(self, row: Row) -> None:
        row.show()

    def end(self) -> None:
        self.result.close()

"""For a browser: one file with a table, nothing loaded from elsewhere."""

from verifier.report.document import filled
from verifier.report.formats import Format, Row
from verifier.report.markup import el, table


class Report(Format):
    def end(self) -> None:
        title = self.result.title
        told = table(self.result.columns, map(self.cells, self.rows), title)
        self.write(filled(title, el("main", el("h1", title), told)).decode())

    def cells(self, row: Row) -> list[str]:
        named = zip(self.result.columns, row.cells, strict=True)
        bad = "verdict" if row.failure else None
        return [el("span", cell, class_="badge refuted") if name == bad else cell for name, cell in named]

"""For an issue, a README or the summary of a CI job: a table, in bold the verdicts that aren't as they should be."""

import html

from verifier.report.formats import Format, Row


class Report(Format):
    def begin(self) -> None:
        columns = self.result.columns
        self.write(f"## {escaped(self.result.title)}\n\n| {' | '.join(columns)} |\n|{'---|' * len(columns)}\n")

    def row(self, row: Row) -> None:
        named = zip(self.result.columns, map(escaped, row.cells), strict=True)
        bad = "verdict" if row.failure else None
        self.write(f"| {' | '.join(f'**{cell}**' if name == bad else cell for name, cell in named)} |\n")


def escaped(text: str) -> str:
    """Nothing in it ends the cell, or is taken for an element of HTML."""
    return "<br>".join(html.escape(text, quote=False).replace("|", "&#124;").splitlines())

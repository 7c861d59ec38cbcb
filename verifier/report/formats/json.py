"""For programs: {"format": "verifier.COMMAND/1", "rows": [{"name": ..., ...}, ...]} (proofs/rows.schema.json)."""

import json

from verifier.report.formats import Format


class Report(Format):
    def end(self) -> None:
        document = {
            "format": f"verifier.{self.result.command}/{self.result.version}",
            "rows": [dict(row.record) for row in self.rows],
        }
        self.write(json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False) + "\n")

"""One shape for what a command prints with `--format json`: rows, each with a name (proofs/rows.schema.json)."""

import json
import sys
from collections.abc import Iterable, Mapping
from typing import Any


def print_rows(command: str, rows: Iterable[Mapping[str, Any]]) -> None:
    """`{"format": "verifier.COMMAND/1", "rows": [{"name": ..., ...}, ...]}`."""
    document = {"format": f"verifier.{command}/1", "rows": [dict(row) for row in rows]}
    sys.stdout.write(json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False) + "\n")
    sys.stdout.flush()

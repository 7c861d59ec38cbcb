"""The notebooks of examples/, run cell by cell in this process, and what their cells print.

No Jupyter: the cells are plain Python that prints text, so that exec and a captured stdout give what a kernel would
give, byte for byte, without a server and the packages that come with one. `python tests/notebooks.py` writes the
outputs into the files anew, deliberately.
"""

import contextlib
import io
import json
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def text_of(notebook):
    """As Jupyter writes a notebook."""
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def executed(notebook):
    """The notebook with the outputs that its cells print now, from the first cell on in one namespace."""
    cells, names, number = [], {"__name__": "__main__"}, 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            cells.append(cell)
            continue
        number += 1
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile("".join(cell["source"]), f"cell {number}", "exec"), names)  # noqa: S102 - our own cells
        text = printed.getvalue().splitlines(keepends=True)
        outputs = [{"name": "stdout", "output_type": "stream", "text": text}] if text else []
        cells.append({**cell, "execution_count": number, "outputs": outputs})
    return {**notebook, "cells": cells}


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    for path in NOTEBOOKS:
        path.write_text(text_of(executed(read(path))), encoding="utf-8")

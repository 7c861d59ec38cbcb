"""The notebooks of examples/, run cell by cell in this process, and what their cells print.

No Jupyter: the cells are plain Python that prints text, or ends with something to be shown, so that exec and a captured
stdout give what a kernel would give, byte for byte, without a server and the packages that come with one. `python
tests/notebooks.py` writes the outputs into the files anew, deliberately.
"""

import ast
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
        tree = ast.parse("".join(cell["source"]))
        last = ast.Expression(tree.body.pop().value) if isinstance(tree.body[-1], ast.Expr) else None
        with contextlib.redirect_stdout(printed):
            exec(compile(tree, f"cell {number}", "exec"), names)  # noqa: S102 - our own cells
            value = eval(compile(last, f"cell {number}", "eval"), names) if last else None  # noqa: S307
        text = printed.getvalue().splitlines(keepends=True)
        outputs = [{"name": "stdout", "output_type": "stream", "text": text}] if text else []
        if value is not None:
            data = {"text/html": value._repr_html_().splitlines(keepends=True), "text/plain": [repr(value)]}
            shown = {"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"}
            outputs.append(shown)
        cells.append({**cell, "execution_count": number, "outputs": outputs})
    return {**notebook, "cells": cells}


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    for path in NOTEBOOKS:
        path.write_text(text_of(executed(read(path))), encoding="utf-8")

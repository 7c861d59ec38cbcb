"""site/try/: the page that runs pages in a browser. Made of docs/try/, the checker as it is, pages of verifier/pages/,
and Python for browsers (Pyodide), which `make npm` puts into build/npm/ as locks/npm/ says; without it it says so.
"""

import html
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from string import Template
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from verifier.checker.page.derive import Limits
from verifier.checker.page.tree import parse
from verifier.checker.page.words import MOST_CASES, MOST_TEXT
from verifier.language.colours import RULES

ROOT = Path(__file__).parent.parent
ENGINE = ROOT / "build/npm/node_modules/pyodide"
OURS = ("try.css", "try.js", "engine.js")
ENGINE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
HINT = "Its head has a bug. Write j < i for j <= i in line 6, run it again, and the claim holds."
# The pages to choose from, each at its sizes to try; the first is the README's.
EXAMPLES = ("README", "induction", "parity", "dyck1", "addition", "sums_of_powers", "palindrome", "yun2020")


def build(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for path in (*(ROOT / "docs/try" / name for name in OURS), ROOT / "verifier/report/page.css"):
        shutil.copy(path, folder)
    there = all((ENGINE / name).is_file() for name in ENGINE_FILES)
    if there:
        (folder / "pyodide").mkdir(exist_ok=True)
        for name in ENGINE_FILES:
            shutil.copy(ENGINE / name, folder / "pyodide")
        pack(folder / "checker.zip")
    (folder / "index.html").write_text(page(there), encoding="utf-8")


def page(there: bool) -> str:
    weight = sum((ENGINE / name).stat().st_size for name in ENGINE_FILES) if there else 0
    rules = [(rule, [kind.pygments.replace(".", "-") for kind in kinds]) for rule, kinds in RULES]  # as CSS names them
    steps, data = Limits().steps, json.dumps({"given": list(given()), "rules": rules}).replace("<", "\\u003c")
    said = {"megabytes": f"{weight / 1e6:.0f}", "cases": f"{MOST_CASES:,}", "steps": f"{steps:,}"}
    said |= {"characters": f"{MOST_TEXT:,}", "engine": "here" if there else "missing"}
    template = Template((ROOT / "docs/try/page.html").read_text(encoding="utf-8"))
    return template.substitute({name: html.escape(text) for name, text in said.items()}, data=data)


def given() -> Iterator[dict[str, Any]]:
    for name in EXAMPLES:
        text = of_the_readme() if name == "README" else (ROOT / f"verifier/pages/{name}.page").read_text("utf-8")
        found = parse(text)
        given_sizes = {size: str(found.to_try.get(size, least)) for size, least in found.sizes.items()}
        hint = HINT if name == "README" else ""
        yield {"title": found.title, "page": text, "sizes": given_sizes, "hint": hint}


def of_the_readme() -> str:
    """The page that README's reader types in."""
    (lines,) = re.findall(r"<<'END'\n((?:> .*\n)*?)> END\n", (ROOT / "README.md").read_text(encoding="utf-8"))
    return re.sub(r"^> ", "", lines, flags=re.M)


def pack(path: Path) -> None:
    """The checker of pages with what it imports, and what asks and follows it; always the same bytes."""
    checker = ROOT / "verifier/checker"
    names = [
        ROOT / "verifier/__init__.py",
        checker / "__init__.py",
        *(checker / f"core/{name}.py" for name in ("__init__", "comparing", "hardmax", "reading")),
    ]
    with ZipFile(path, "w", ZIP_DEFLATED) as file:
        for source in (*names, *sorted((checker / "page").glob("*.py"))):
            file.writestr(ZipInfo(str(source.relative_to(ROOT))), source.read_bytes(), ZIP_DEFLATED)
        for source in sorted((ROOT / "docs/try").glob("*.py")):
            file.writestr(ZipInfo(source.name), source.read_bytes(), ZIP_DEFLATED)

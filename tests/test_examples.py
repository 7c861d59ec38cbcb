"""The examples: every script prints what examples/README.md shows, every notebook what it holds."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from notebooks import NOTEBOOKS, executed, read, text_of

EXAMPLES = Path(__file__).parent.parent / "examples"
README = (EXAMPLES / "README.md").read_text()
SCRIPTS = sorted(EXAMPLES.glob("*.py"))


def names(paths):
    return [path.name for path in paths]


def test_readme_names_every_example_once():
    shown = re.findall(r"^\$ python examples/(\S+)$", README, re.MULTILINE)
    assert sorted(shown) == names(SCRIPTS)
    assert sorted(re.findall(r"\]\((\S+\.(?:py|ipynb))\)", README)) == sorted(names(SCRIPTS) + names(NOTEBOOKS))
    assert len(SCRIPTS) >= 4
    assert len(NOTEBOOKS) >= 2


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS, ids=names(SCRIPTS))
def test_a_script_prints_what_is_shown(script):
    (shown,) = re.findall(rf"```console\n\$ python examples/{script.name}\n(.*?)```", README, re.DOTALL)
    environment = {**os.environ, "PYTHONPATH": str(EXAMPLES.parent)}
    environment.pop("COLUMNS", None)  # as in a pipe: a worker of xdist's has it
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False, env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == shown


@pytest.mark.parametrize("script", SCRIPTS, ids=names(SCRIPTS))
def test_a_script_is_short_and_uses_the_public_api_alone(script):
    assert len(script.read_text().splitlines()) < 30
    assert not re.search(r"(from|import) verifier\.", script.read_text())


@pytest.mark.parametrize("path", NOTEBOOKS, ids=names(NOTEBOOKS))
def test_a_notebook_holds_what_its_cells_print(path):
    assert path.read_text(encoding="utf-8") == text_of(executed(read(path)))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=names(NOTEBOOKS))
def test_a_notebook_is_one_that_jupyter_opens(path):
    notebook = read(path)
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    for cell in notebook["cells"]:
        code = {"execution_count", "outputs"} if cell["cell_type"] == "code" else set()
        assert set(cell) == {"cell_type", "id", "metadata", "source"} | code
        assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", cell["id"])
    assert len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])
    assert not re.search(r"(from|import) verifier\.", path.read_text(encoding="utf-8"))


def test_an_output_that_is_not_what_is_printed_is_noticed():
    notebook = read(NOTEBOOKS[0])
    cell = next(cell for cell in notebook["cells"] if cell["cell_type"] == "code")
    cell["outputs"][0]["text"][0] = cell["outputs"][0]["text"][0].replace("1/4", "1/5")
    assert text_of(executed(notebook)) != text_of(notebook)

"""The examples: every script prints what examples/README.md shows."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
README = (EXAMPLES / "README.md").read_text()
SCRIPTS = sorted(EXAMPLES.glob("*.py"))


def names(paths):
    return [path.name for path in paths]


def test_readme_names_every_example_once():
    shown = re.findall(r"^\$ python examples/(\S+)$", README, re.MULTILINE)
    assert sorted(shown) == names(SCRIPTS)
    assert sorted(re.findall(r"\]\((\S+\.py)\)", README)) == names(SCRIPTS)
    assert len(SCRIPTS) >= 4


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

"""Each operator, bound and look of the checker of pages broken once: a page of tests/pages notices, or
checker_mutants.toml says why none can. `make test` tries a part of them; all take some minutes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from checker_mutants import MODULES, all_mutants, explained, part

pytestmark = pytest.mark.skipif(
    sys.version_info[:2] != (3, 11), reason="Python 3.11's ast writes mutants as we name them"
)
PARTS = 16
HERE = Path(__file__).parent


@pytest.mark.thorough
@pytest.mark.parametrize("k", range(1, PARTS + 1))
def test_what_is_broken_in_the_checker_is_noticed(k):
    """In a process that has no threads: each mutant is tried in a fork of it."""
    call = [sys.executable, "-m", "checker_mutants", f"{k}/{PARTS}"]
    env = {**os.environ, "PYTHONPATH": str(HERE.parent)}
    done = subprocess.run(call, cwd=HERE, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_each_part_of_the_checker_is_broken_and_each_explanation_is_of_a_mutant():
    every = all_mutants()
    names = {mutant.name for mutant in every}
    assert len(names) == len(every) > 2000
    assert {mutant.module for mutant in every} == set(MODULES)
    assert explained().keys() <= names
    assert sum(len(part(every, k, PARTS)) for k in range(PARTS)) == len(every)

"""What the pages of docs/ and the README show is what happens; and the site is made of what the code says."""

import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import click
import pytest

import pages
from verifier.claims.registry import all_claims
from verifier.report.mathml import mathml

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
sys.path.insert(0, str(DOCS))

import generate  # noqa: E402 - it lies beside the pages


def name_of(path):
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_what_a_page_shows_is_what_happens(path, tmp_path):
    page = path.read_text()
    # What README's Python prints is looked at in test_readme.py.
    kinds = ("console", "sh") if path.name == "README.md" else pages.RUN
    if not any(block.kind in kinds for block in pages.blocks(page)):
        pytest.skip("nothing on this page is to be run")
    if "dask " in page:
        pytest.importorskip("distributed")
    assert not pages.differences(page, tmp_path, kinds)


def test_what_is_not_run_is_known():
    """Few, and each says why on its page."""
    assert [
        (name_of(path), block.text.split("  ")[0].strip(), block.not_run)
        for path in PAGES
        for block in pages.blocks(path.read_text())
        if block.not_run
    ] == [
        ("README.md", "make verify", "the tests run inside what it sets up"),
        ("docs/how-to/cluster.md", "pip install '.[dask]'", "it needs several machines"),
        ("docs/tutorial.md", "pip install .", "it installs the package"),
    ]

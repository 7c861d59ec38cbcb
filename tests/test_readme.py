"""README is one screen; what docs/ say of the code's parts and of what is proved is so. (Commands: test_docs.py.)"""

import re
import sys
from pathlib import Path

import pytest

from verifier import Page
from verifier.catalogue import DEFAULT, pages
from verifier.report.findings import render, sources
from verifier.symbolic.certificate import choose as proved_symbolically

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
PROVED = (ROOT / "docs/explanation/proved.md").read_text()
FINDINGS = "".join(render(ROOT / "proofs", page) for page in sources(ROOT / "proofs"))

sys.path.insert(0, str(ROOT / "docs"))
from generate import proved  # noqa: E402 - it lies beside the pages


def test_the_readme_is_two_screens_with_a_picture_and_six_ways_on():
    assert len(README.split()) <= 870  # a sentence is a line, so that words are counted
    assert "](docs/separation.svg)" in README
    ways = [line for line in README.splitlines() if line.startswith("| ") and "](" in line]
    assert len(ways) == 6
    assert ways[0].startswith("| write your own construction down (`verify new mine.page` begins one)")
    assert [line.split()[1] for line in README.splitlines() if line.startswith("    make ")] == ["verify", "test"]
    for target in re.findall(r"\]\(([^)]+)\)", README):
        assert (ROOT / target).exists(), target
    shown = re.findall(r"^(?=.*─|lemma6|claim  ).*$", README, re.MULTILINE)
    assert len(shown) == 3
    assert max(map(len, shown)) <= 110


def test_every_module_has_its_row_in_the_page_about_the_code():
    page = (ROOT / "CONTRIBUTING.md").read_text()
    for named in re.findall(r"`((?:verifier|proofs|tests)/[^`]*)`", page):
        assert (ROOT / named).exists(), named
    for path in [*(ROOT / "verifier").glob("[!_]*.py"), *(ROOT / "verifier").glob("[!_.]*/")]:
        assert path.name in page, f"{path.name} isn't in CONTRIBUTING.md"


def wrong_about_strength(page):
    """Each cell of the table that isn't so."""
    table = page.split("\n## ")[0].splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table if line[:3] == "| `"]
    claims = list(Page.file(pages()[DEFAULT]).claims)
    families = dict.fromkeys(id_.partition(".")[0] for id_ in claims)
    if sorted(row[0].strip("`") for row in rows) != sorted(families):
        yield "families"
    symbolic = [claim for claim in proved_symbolically(None)[0] if claim in claims]
    for family, _, _, said, coq, fails in rows:
        name = family.strip("`")
        its = [id_ for id_ in claims if id_.startswith(f"{name}.")]
        done = sum(id_ in symbolic for id_ in its)
        if said != (f"{done} of {len(its)}" if done else ""):
            yield f"{name}: symbolic"
        for theorem in re.findall(r"`([^`]+)`", coq):
            if not proved(*theorem.rsplit(".", 1)):
                yield f"{name}: {theorem}"
        refuted = {i for i in its if re.search(rf"`{re.escape(i)}`\s\(\w+\)\s(?:is\s)?\*\*(?:fails|ref)", FINDINGS)}
        if set(re.findall(r"`([^`]+)`", fails)) != refuted:
            yield f"{name}: fails {refuted}"


def test_what_is_proved_and_how_strongly():
    assert list(wrong_about_strength(PROVED)) == []


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("| 18 of 18 |", "| 17 of 18 |", "b5: symbolic"),
        ("`Theorems.lemma6`", "`Theorems.lemma66`", "lemma6: Theorems.lemma66"),
        ("| `lemma7.map` |", "| |", "lemma7: fails"),
        ("| `slides` |", "| `slide` |", "families"),
    ],
)
def test_a_table_that_says_more_than_is_proved_is_found_out(old, new, told):
    assert PROVED.count(old) == 1
    assert next(wrong_about_strength(PROVED.replace(old, new))).startswith(told)

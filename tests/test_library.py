"""`use`: a page takes parts of others, and what is certified is one whole text."""

import hashlib
import json
import re

import pytest

from cli import main
from verifier.checker.core.reading import Unreadable
from verifier.checker.promises import promise
from verifier.language.library import PAGES, text_of, whole
from verifier.language.page import read
from verifier.language.words import Refused
from verifier.page import Page

PARTS = """language 1
title "parts"
sizes n >= 1, k >= 2
half = 1/2
steps = [half, 1, k]
level(t) = steps[1] + t
layer up(c):
  x[i] <- x[i] + [level(c)]
network twice(c):
  up(c)
  up(c)
inputs w in words: words of n bits a in {0, 1}
first = w[1]
claim parts.half, own, "-", once:
  "One half."
  half + half = 1
"""
MINE = """language 1
title "mine"
use parts: twice   # by name
sizes n >= 1, k >= 2
inputs w in words: words of n bits a in {0, 1}
Y = twice(3, [[a] for a in w])
claim my.up, own, "-", on words:
  "Twice 7/2 more."
  Y[1][1] = w[1] + 7
"""


def with_parts(text=MINE, parts=PARTS):
    return whole(text, {"parts": parts}.__getitem__)


def test_what_is_used_stands_below_with_all_that_it_speaks_of():
    text = with_parts()
    above, below = text.split("# used of parts:\n")
    assert above == MINE.replace("use parts", "# use parts")
    assert re.findall(r"^(?:layer |network )?(\w+)", below, re.MULTILINE) == ["half", "steps", "level", "up", "twice"]
    assert Page(text).run(n=2, k=2)["my.up"]["verdict"] == "holds"


def test_a_text_that_uses_nothing_is_left_as_it_is():
    for path in PAGES.glob("*.page"):
        text = path.read_text()
        if "\nuse " not in text:
            assert text_of(path) == text
    assert whole("use = 3\n", {}.__getitem__) == "use = 3\n"


def test_markdown_gets_another_block():
    fenced = f"# A paper\n\n```page\n{MINE}```\n\nThe end.\n"
    text = with_parts(fenced)
    assert text.startswith(fenced.replace("use parts", "# use parts"))
    assert read(text).page.networks.keys() == {"twice"}


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ("use parts: twice", "use parts: thrice", r"line 3, column 1: parts has no .*'thrice'; it has first, half, "),
        ("use parts: twice", "use parts twice", r"line 3, column 5: .* as in `use recipes: gt, before`"),
        ("use parts: twice", "use parts: twice, first", "line 3, column 1: first of parts speaks of its inputs words"),
        ("sizes n >= 1, k >= 2", "sizes n >= 1", "speaks of its size k, which isn't a size here"),
        ("sizes n", "half = 1/3\nsizes n", "half of parts is also declared here"),
        ("sizes n", "use parts: up\nsizes n", "half of parts is also declared here, or used from elsewhere"),
        ("Y = twice(3,", "Y = thrice(3,", "line 6"),
    ],
)
def test_what_cannot_be_used_is_refused_where_it_is_asked_for(before, after, why):
    with pytest.raises(Refused, match=why):
        read(with_parts(MINE.replace(before, after)))


def test_a_mistake_in_the_other_page_is_told_with_its_name():
    with pytest.raises(Refused, match="line 3, column 1: parts: line 5, column 9: this bracket is never closed"):
        with_parts(parts=PARTS.replace("half, 1, k]", "half, 1, k"))


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "parts.page").write_text(PARTS)
    (tmp_path / "mine.page").write_text(MINE)
    return tmp_path


def test_pages_beside_a_file_come_before_those_of_the_package(folder):
    assert text_of(folder / "mine.page") == with_parts()
    (folder / "relu.page").write_text(MINE.replace("use parts: twice", "use recipes: gt\nuse parts: twice"))
    assert "used of recipes" in text_of(folder / "relu.page")
    (folder / "recipes.page").write_text('language 1\ngt = 3\nclaim a, own, "-", once:\n  "-"\n  gt = 3\n')
    assert "gt = 3" in text_of(folder / "relu.page")


def test_pages_that_use_one_another_in_a_circle_are_refused(folder):
    (folder / "parts.page").write_text(PARTS.replace("half = 1/2", "use mine: Y"))
    with pytest.raises(Refused, match="parts: line 4, column 1: mine: it uses itself"):
        text_of(folder / "mine.page")


def test_the_certificate_has_the_whole_text_and_is_checked_in_full(folder, capsys):
    certificate = folder / "c.json"
    assert main(["--paper", str(folder / "mine.page"), "--n", "2", "--k", "2", "--certificate", str(certificate)]) == 0
    assert json.loads(certificate.read_bytes())["page"] == with_parts()
    assert main(["check", str(certificate)]) == 0
    digest = hashlib.sha256(with_parts().encode()).hexdigest()
    assert main(["check", str(certificate), "--promise", f"2 2 all paper=page:{digest}"]) == 0
    capsys.readouterr()


def test_a_built_in_page_that_uses_others_is_promised_by_its_digest_alone(monkeypatch, folder):
    monkeypatch.setattr("verifier.checker.promises.pages", lambda: {"mine": folder / "mine.page"})
    with pytest.raises(Unreadable, match="mine uses other pages, and is named by page: and digits"):
        promise("2 2 all paper=mine")

"""An error of a page: one line for programs; on a terminal the page's line too, with a mark under what is wrong."""

import re
import sys

import pytest

from cli import main
from verifier.report.excerpt import excerpt

PAGE = """language 1
sizes n >= 1
inputs w in words: words of 1..n bits a in {0, 1}
half[j] = j / (j - 2) for j in 1..n
claim a, own, "-", on words:
  "Wörter: 中文, then it."
  half[len(w)] >= tpo
"""


@pytest.fixture
def told(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "60")
    path = tmp_path / "mine.page"

    def call(text, *words, terminal=True):
        path.write_text(text, encoding="utf-8")
        monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
        code = main([*words, "--paper", str(path), "--n", "3"])
        out, err = capsys.readouterr()
        return code, out, re.sub(r"\x1b\[[0-9;]*m", "", err).replace(str(path), "mine.page")

    return call


def test_a_page_that_cannot_be_read_is_shown_where_it_is_wrong(told):
    code, out, err = told(PAGE)
    assert (code, out) == (2, "")
    assert err.splitlines()[-3:] == [
        "     |",
        "   7 |   half[len(w)] >= tpo",
        "     |                   ^^^",
    ]
    assert "line 7, column 19: nothing here is called tpo" in " ".join(err.split())


def test_a_page_that_cannot_be_run_too_and_explained_too(told):
    for words in ([], ["explain"]):
        code, _, err = told(PAGE.replace("tpo", "-1"), *words)
        assert code == 2
        assert err.splitlines()[-2] == "   4 | half[j] = j / (j - 2) for j in 1..n"
        assert re.fullmatch(r"     \| +\^+", err.splitlines()[-1])


def test_in_a_pipe_it_is_one_line(told):
    code, _, err = told(PAGE, terminal=False)
    assert (code, err.count("\n")) == (2, 1)
    assert err.startswith("verify: mine.page: line 7, column 19: ")


def test_an_error_of_the_page_as_a_whole_has_no_line(told):
    code, _, err = told("language 1\nsizes n >= 1\n")
    assert code == 2
    assert " ".join(err.split()) == "verify: mine.page: the page has no claim"


def test_what_a_page_uses_and_is_not_there_is_marked_in_its_own_line(told):
    code, _, err = told(PAGE.replace("half[j]", "use nothing: at_all\nhalf[j]"))
    assert code == 2
    assert err.splitlines()[-2:] == ["   4 | use nothing: at_all", "     | ^^^"]


def mark(text, place, width=80):
    _, line, under = excerpt(text, place, width).plain.split("\n")
    return line, under


def test_the_mark_is_below_wide_characters_too():
    line, under = mark('"中文" $', (1, 6))
    assert (line, under) == ('   1 | "中文" $', "     |        ^")


def test_nothing_of_a_page_moves_the_cursor():
    line, _ = mark("a = \x1b[2J\x07 1\tb", (1, 5))
    assert line == "   1 | a = ?[2J? 1?b"


def test_the_end_of_a_line_can_be_marked():
    assert mark("claim a\nx", (1, 8)) == ("   1 | claim a", "     |        ^")


@pytest.mark.parametrize("column", [1, 60, 990, 1001])
def test_a_long_line_is_cut_around_the_mark(column):
    text = "".join(f"{k:<5}" for k in range(200))
    line, under = mark(text, (1, column), 60)
    assert len(line) <= 60
    assert len(under) <= 60
    at = under.index("^")
    marked = line[at : at + under.count("^")]
    assert marked.strip() == text[column - 1 :].split(" ")[0]

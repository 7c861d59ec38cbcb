"""`%%page` in a notebook: what a cell shows, and what it shows instead of a traceback."""

import json
from xml.etree import ElementTree

import pytest

import verifier
from verifier.commands.cell import NotRun
from verifier.page import Page

PAGE = """language 1
title "A <b>head</b> & more"
sizes n >= 1
inputs w in words: words of 1..n bits a in {0, 1}
top = 1 as "top"
layer left:
  before = read x[j][1] at max of j over j <= i else -1
  x[i] <- x[i] + before * unit(2, 2)
network copy:
  left
Y = copy([[a, 0] for a in w])
claim copy.left, own, "-", on words:
  "Each token but the first holds the <i>letter</i> on its left."
  for i in 2..len(w): Y[i][2] = w[i-1]
claim copy.small, own, "-", on words:
  "Letters are small."
  for i in 1..len(w): Y[i][2] <= top
"""
RIGHT = PAGE.replace("j <= i", "j < i")


@pytest.fixture(scope="module")
def page():
    """The magic, as IPython calls it."""
    magics = {}

    class Shell:
        def register_magic_function(self, function, magic_kind, magic_name):
            magics[magic_kind, magic_name] = function

    verifier.load_ipython_extension(Shell())
    return magics["cell", "page"]


def read(cell):
    """The tables by their titles, and the sentences; the HTML is well formed."""
    root = ElementTree.fromstring(cell._repr_html_())
    tables = {}
    for div in root.iter("div"):
        if div.find("table") is not None:
            rows = [["".join(td.itertext()) for td in tr] for tr in div.find("table").iter("tr")]
            tables["".join(div.find("p").itertext())] = rows
    return tables, ["".join(p.itertext()) for p in root.findall("p")]


def test_a_cell_shows_its_table_its_counterexample_and_the_walk_of_it(page):
    cell = page("--n 3", PAGE)
    tables, said = read(cell)
    boxes = [text.text for text in ElementTree.fromstring(cell._repr_html_()).iter("text")]
    assert boxes == ["copy", "left", "1 head"]
    assert tables["A <b>head</b> & more: n = 3; words: all 14 words"][1:] == [
        ["copy.left", "Each token but the first holds the <i>letter</i> on its left.", "refuted", "14", ""],
        ["copy.small", "Letters are small.", "holds", "14", "0"],
    ]
    assert ["at", "01, i = 2"] in tables["Counterexample to copy.left"]
    assert ["found", "1 against 0"] in tables["Counterexample to copy.left"]
    assert tables["copy at 01"] == [
        ["layer", "", "before", "after"],
        ["at first", "token 1", "", "[0, 0]"],
        ["at first", "token 2", "", "[1, 0]"],
        ["left", "token 2", "[1, 0]", "[1, 1]"],
    ]
    assert tables["copy.left at 01"][1] == ["14", "Y[i][2] = w[i-1]", "i = 2", "1 = 0", "fails"]
    assert said[0].startswith("REFUTED: copy.left; 1 claim holds.")
    assert said[1] == "Checked in full by a second program that shares no code with this one."


def test_nothing_of_a_page_is_markup(page):
    html = page("--n 1", PAGE)._repr_html_()
    assert "<b>" not in html
    assert "<i>" not in html
    assert "&lt;i&gt;letter&lt;/i&gt;" in html


def test_what_holds_is_walked_through_where_it_is_tightest_or_at_an_input(page):
    tables, said = read(page("--n 2 --claims copy.small", RIGHT))
    assert tables["copy.small at 10"][1:] == [
        ["17", "Y[i][2] <= top", "i = 1", "-1 <= 1", "holds"],
        ["17", "Y[i][2] <= top", "i = 2", "1 <= 1", "holds"],
    ]
    assert said[0].startswith("1 claim holds.")
    tables, _ = read(page("--n 2 --input 11", RIGHT))
    assert tables["copy.left at 11"][1] == ["14", "Y[i][2] = w[i-1]", "i = 2", "1 = 1", "holds"]


def test_a_cell_is_what_a_run_from_python_is(page):
    cell = page("--n 2 --variant top=0", PAGE)
    assert cell.verdict == "refuted"
    assert cell["copy.small"]["verdict"] == "refuted"
    assert json.loads(cell.certificate)["variant"] == {"top": "0"}
    found = Page(PAGE).run(n=2, variant={"top": 0})
    assert found.certificate == cell.certificate
    assert "second program" not in found._repr_html_(), "a run from Python isn't checked, and doesn't say so"
    assert "VARIANT top = 0" in found._repr_html_()


@pytest.mark.parametrize(
    ("line", "text", "said"),
    [
        ("", RIGHT, ["%%page: --n is missing; the page's sizes are at least --n 1"]),
        ("--n 1..2", RIGHT, ["%%page: --n: a cell is of one choice of sizes, not of a range"]),
        ("--n 0", RIGHT, ["%%page: n = 0: the page wants n >= 1"]),
        ("--n 2 --k 2", RIGHT, None),
        ("--n '2", RIGHT, ["%%page: No closing quotation"]),
        ("--n 2 --claims copy.lef", RIGHT, ["%%page: no claim 'copy.lef'; did you mean copy.left?"]),
        ("--n 2 --input 012", RIGHT, ["%%page: --input 012: it has 3 items; these inputs have 1 to 2"]),
        ("--n 2 --help", RIGHT, None),
        (
            "--n 2",
            RIGHT.replace("<= top", "<= tpo"),
            [
                "%%page: line 17, column 34: nothing here is called tpo; did you mean top?",
                "     |",
                "  17 |   for i in 1..len(w): Y[i][2] <= tpo",
                "     |                                  ^^^",
            ],
        ),
        ("--n 2", RIGHT.replace("w[i-1]", "w[i-2]"), None),
    ],
)
def test_a_mistake_is_shown_without_a_traceback_and_stops_the_notebook(page, line, text, said):
    with pytest.raises(NotRun) as error:
        page(line, text)
    shown = error.value._render_traceback_()
    assert said is None or shown == said
    assert not any("Traceback" in part for part in shown)
    assert shown[0].startswith("%%page")


def test_a_result_that_the_checker_rejects_is_no_result(page, monkeypatch):
    from verifier.evaluate import run

    right = run.found

    def wrong(*words, **how):
        content = right(*words, **how)
        content["claims"][0]["cases"] += 1
        return content

    monkeypatch.setattr(run, "found", wrong)
    with pytest.raises(NotRun, match="the independent checker does not accept its certificate"):
        page("--n 2", RIGHT)

"""`verify explain -o`: the sweep of a matrix as a page or a picture; what the page computes of one typed in."""

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path

import pytest

import formulas
from cli import main
from verifier import Instance, Q, contextual_map
from verifier.core.exact import matrix_of_shape, text_of
from verifier.report import lecture
from verifier.report.steps import sweep_through
from verifier.report.subject import CONSTRUCTIONS, Subject, parse_matrix

SCRIPT = Path(lecture.__file__).with_name("page.js")


def drawn(kind, text, sizes=(1, 3, 4), construction="contextual"):
    subject = Subject(CONSTRUCTIONS[construction], Instance(*sizes))
    return getattr(lecture, kind)(subject, parse_matrix(text, subject)).decode()


def test_the_page_has_every_step_and_where_the_values_land():
    page = drawn("html", "0,1/4,3/4")
    assert page.partition("<script")[0].count('class="frame"') == 5  # before, three columns' levels, the global shift
    plain = " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())
    g = contextual_map(Instance(1, 3, 4))
    for q in g.q([[0, Q(1, 4), Q(3, 4)]]):
        assert f"{text_of(q)} inside" in plain
    named = re.findall(r'data-(\w+)="(\d+)"', page)
    assert named == [("d", "1"), ("n", "3"), ("steps", "4")]  # names that differ in more than case: HTML has none
    assert "http" not in page.replace("http-equiv", "").replace("http://www.w3.org", "")
    assert "data-d" not in drawn("html", "s,0", (1, 2, 2), "slides")  # the browser knows the paper's sentinel alone


def test_the_field_says_what_it_is_and_has_no_end():
    page = drawn("html", "0,1/4,3/4")
    assert '<label>Matrix: <input type="text" value="0, 1/4, 3/4" size="40"></label>' in page
    assert "</input>" not in page


def test_every_formula_of_the_page_is_typeset():
    for words in (("0,1/4,3/4",), ("0,1/4;1/2,s", (2, 2, 4)), ("s,0", (1, 2, 2), "slides")):
        page = drawn("html", *words)
        assert "<math" in page
        assert formulas.plain(page) == {}


def test_the_picture_has_every_step():
    picture = drawn("svg", "0,1/4,3/4")
    assert picture.startswith("<svg ")
    assert "<title>One matrix through the network: (d, n, N) = (1, 3, 4), X = [0, 1/4, 3/4]</title>" in picture
    assert re.search(r"<text [^>]*>X = \[0, 1/4, 3/4\]; ", picture)
    assert len(re.findall("ids ", picture)) >= 5


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--matrix", "0,1", "--construction", "hu"), "a sweep is drawn of the contextual map"),
        (("--claim", "lemma6.1"), "it can't be combined with --paper, --claim or --format"),
        (("--matrix", "0"), "entry 2 is missing"),
    ],
)
def test_what_is_not_drawn(words, told, tmp_path, capsys):
    path = tmp_path / "story.html"
    assert main(["explain", "--d", "1", "--n", "2", "--N", "2", *words, "-o", str(path)]) == 2
    assert told in capsys.readouterr().err
    assert not path.exists()


CHANGED = {  # in the script: what the browser would compute, say or draw otherwise
    "2n * k - 1n": "2n * k",
    "minus(read(id, low), read(id, high))": "read(id, low)",
    "frames.push({ title: `level": "if (k) frames.push({ title: `level",
    "moved.length === 1": "moved.length < 3",
    "1024n + digits": "1024n",
    "!less(x, low) && less(x, high)": "less(low, x) && less(x, high)",
}


@pytest.mark.thorough
@pytest.mark.skipif(not shutil.which("node"), reason="node runs the page's script")
@pytest.mark.parametrize("change", ["", *CHANGED])
def test_the_browser_computes_and_draws_what_the_literal_network_does(change, tmp_path):
    """Every matrix of small grids, some off the grid, and long numbers; and a script that is changed doesn't."""
    asked, expected = [], []
    for sizes in ((1, 2, 2), (1, 3, 2), (2, 2, 2), (1, 8, 30)):
        g = contextual_map(Instance(*sizes))
        d, n, N = sizes
        off = [[[Q(k, 3) - Q(i, 5) * j for j in range(n)] for i in range(d)] for k in range(3)]
        off += [[[Q(8, 9)] * 2]] if sizes == (1, 2, 2) else []  # whose values are t_l = 8
        first = [[[Q(j, N) for j in range(n)]]] if n == 8 else g.grid.matrices()
        for X in [*first, *off]:
            asked.append(["; ".join(", ".join(map(text_of, row)) for row in X), *sizes])
            figures = lecture.figures(sweep_through(g, matrix_of_shape(X, d, n, str(g))))
            expected.append([[text_of(q) for q in g.q(X)], "".join(figures)])
    assert len(asked) > 60
    script = SCRIPT.read_text()
    if change:
        assert script.count(change) == 1
        script = script.replace(change, CHANGED[change])
    (tmp_path / "all.js").write_text(
        "globalThis.document = { querySelectorAll: () => [], querySelector: () => null };\n"
        + script
        + f"\nconst found = {json.dumps(asked)}.map((one) => valuesOf(...one));\n"
        + "console.log(JSON.stringify(found.map((one) => [one.values, figuresOf(one)])));\n"
    )
    out = subprocess.run(["node", tmp_path / "all.js"], capture_output=True, text=True, check=True).stdout
    assert (json.loads(out) == expected) == (not change)

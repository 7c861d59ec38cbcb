"""What `import verifier` offers: listed, typed, documented, short to look at; wrong shapes say what is needed."""

import ast
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import pages
import verifier
from verifier import Attention, Instance, Network, Q, contextual_map, explain, given_claims, story, verify
from verifier.core.exact import NotExact
from verifier.papers.yun2020.value_map import clear
from verifier.run.checkpoint import spelled

ROOT = Path(__file__).parent.parent


def test_what_a_type_checker_sees_is_what_is_offered():
    tree = ast.parse((ROOT / "verifier/__init__.py").read_text())
    (typed,) = [node for node in tree.body if isinstance(node, ast.If)]
    seen = {alias.asname: node.module for node in typed.body for alias in node.names if node.module != "typing"}
    assert seen == verifier._OFFERED


def test_every_name_is_listed_and_documented():
    assert [name for name in dir(verifier) if not name.startswith("__")] == sorted({*verifier._OFFERED})
    for name in verifier._OFFERED:
        assert inspect.getdoc(getattr(verifier, name)), name
    shown = subprocess.run(
        [sys.executable, "-c", "import verifier; help(verifier)"], capture_output=True, text=True, cwd=ROOT, check=True
    ).stdout
    for name in ("class Attention(", "contextual_map(instance:", "    verify(", "    Q("):
        assert name in shown, name


def test_looking_loads_nothing():
    code = "import verifier, sys; dir(verifier); print('gmpy2' in sys.modules, 'verifier.core' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True, cwd=ROOT) == "False False\n"


g = contextual_map(Instance(1, 3, 4))


def test_whole_numbers_and_lists_will_do():
    same = contextual_map(Instance(1, 3, 4), u=[1], entries=[0, Q(1, 4), Q(1, 2), Q(3, 4)], sentinel=-64, t_l=3072)
    assert same == g
    assert g.q([[0, Q(1, 4), Q(3, 4)]]) == g.q(((Q(0), Q(1, 4), Q(3, 4)),))


def test_each_shows_itself_in_a_line_and_in_a_notebook_as_a_table():
    result = verify(g, "lemma6")
    assert repr(result) == "<Result at (d, n, N) = (1, 3, 4): holds (6 holds)>"
    assert repr(g.sweep) == "<Network: 4 layers, h = 2, m = 1, 40 parameters>"
    assert repr(g) == "<the contextual map of Lemma 6 at (d, n, N) = (1, 3, 4): 5 layers, interval [3072, 12288)>"
    assert "VARIANT: t_l = 1" in repr(contextual_map(g.instance, t_l=1))
    for thing in (result, result["lemma6.1"], result["lemma6.1"].tightest, g):
        assert len(repr(thing)) < 800
    shown = result._repr_html_()
    assert shown.count("<tr>") == 1 + 6
    assert re.findall(r"<td[^>]*>(.*?)</td>", shown)[:5] == [
        "lemma6.1", "values of one input are distinct", "holds", "4", "21/4"
    ]  # fmt: skip
    every = verify(g)
    ids = re.findall(r"<tr><td[^>]*>(.*?)</td>", every._repr_html_())
    assert ids == [finding.claim.id for finding in every.foremost] + [f.claim.id for f in every.findings[:24]]
    assert repr(result["lemma6.1"].tightest) == "<distance of two entries of q(L) = 21/4 > 0, at [0, 1/4, 1/2]>"
    assert g.network._repr_html_().count("<tr>") == 1 + 5
    many = Network(g.network.layers * 20)
    assert "and 60 rows more" in many._repr_html_()


@pytest.mark.slow
def test_the_docs_snippets_have_types(tmp_path):
    """What the pages teach passes mypy: hints admit whole numbers and lists, and say what there is."""
    pytest.importorskip("mypy")
    for page in sorted((ROOT / "docs").rglob("*.md")):
        code = "\n".join(block.text for block in pages.blocks(page.read_text()) if block.kind == "python")
        if code:
            (tmp_path / f"{page.stem.replace('-', '_')}.py").write_text(code)
    flags = ["--strict", "--allow-untyped-defs", "--allow-untyped-calls", "--ignore-missing-imports"]
    call = [sys.executable, "-m", "mypy", *flags, "--follow-imports=silent", str(tmp_path)]
    env = {**os.environ, "MYPYPATH": str(ROOT)}
    found = subprocess.run(call, capture_output=True, text=True, cwd=tmp_path, env=env, check=False)
    assert found.stdout == "Success: no issues found in 7 source files\n", found.stdout + found.stderr


def test_a_story_in_a_notebook():
    seen = story(g, [[0, Q(1, 4), Q(3, 4)]])
    assert repr(seen).splitlines()[-1] == "global shift  10947, 43821/4, 43947/4"
    assert seen._repr_html_().count("<circle") >= 5 * 3
    with pytest.raises(NotExact, match="takes 1 x 3"):
        story(g, [[0, 1]])


def test_what_is_shown_short_is_kept_whole():
    """A checkpoint tells networks apart that show themselves in the same words."""
    other = contextual_map(g.instance, sweep_factor=5)
    assert repr(other.sweep) == repr(g.sweep)
    assert spelled(other.code) != spelled(g.code) == spelled(contextual_map(g.instance).code)
    assert spelled({1: [Q(1, 2)], "x": frozenset([2, 1])}) == "{1: (mpq(1,2)), 'x': {1, 2}}"


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: g.q([[0, Q(1, 4)]]), r"a 1 x 2 matrix; .* takes 1 x 3: 1 row of 3 numbers"),
        (lambda: g.q([[0, 0, 0], [0, 0, 0]]), r"a 2 x 3 matrix; .* takes 1 x 3"),
        (lambda: g.q([0, 0, 0]), r"a map at .* takes 1 x 3: 1 row of 3 numbers, such as \[\[0, 0, 0\]\]"),
        (lambda: g.ids([[0, Q(1, 4)]]), r"a 1 x 2 matrix; .* takes 1 x 3: 1 row of 3 numbers"),
        (lambda: g.network.run([[0], [1]]), "a matrix of 2 rows; this network takes a matrix of 1 row, such as"),
        (lambda: list(g.network.trace([[0], [1]])), "a matrix of 2 rows; this network takes a matrix of 1 row"),
        (lambda: g.network.run([0, 1]), "0 is not a vector; .*; this network takes a matrix of 1 row"),
        (lambda: g.sweep.layers[0].apply([[0], [1]]), "a matrix of 2 rows; this layer takes a matrix of 1 row"),
        (lambda: clear(2, 0).apply([[0]]), r"a matrix of 1 row; this layer takes a matrix of 2 rows, such as \[\[0, 0"),
        (lambda: verify(g, given_claims(lambda _: [[1, 2]])), r"a 1 x 2 matrix; a target at .* takes 1 x 3"),
        (lambda: g.sweep.with_layer(9, g.sweep.layers[0]), "there is no layer 9; there are 4, from 0 to 3"),
        (lambda: g.sweep.without_layer(4), "there is no layer 4"),
        (lambda: g.q([[0, 0, 0.25]]), r"0.25 is a float; exact numbers are .*; for 0.25 write Q\(1, 4\)$"),
        (lambda: g.q([[0, 0, 0.1]]), r"for 0.1 write Q\(1, 10\)$"),
        (lambda: g.q([[0, 0, -2.0]]), r"for -2.0 write -2$"),
        (lambda: g.q([[0, 0, float("inf")]]), r"inf is a float; .*Q\(numerator, denominator\)$"),
    ],
)
def test_what_is_wrong_says_what_is_needed(wrong, words):
    with pytest.raises((NotExact, IndexError), match=words):
        wrong()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: contextual_map(1, 3, 4), r"contextual_map\(1, 3, 4\): it takes an Instance, as in .*Instance\(d=1"),
        (lambda: contextual_map((1, 3, 4)), "it takes an Instance"),
        (lambda: explain(g, "lemma6.1"), r"explain takes what verify returns, .*; story\(g, X\) follows a matrix X"),
        (lambda: g.trace([[0, 0, 0]]), r"not a matrix X; story\(g, X\)"),
        (lambda: given_claims([[0, 1]]), r"\[\[0, 1\]\] is no function"),
    ],
)
def test_another_kind_of_thing_than_is_needed(wrong, words):
    with pytest.raises(TypeError, match=words):
        wrong()


def test_a_layer_takes_lists_as_the_network_does():
    """And gives for each layer what the network's own trace gives."""
    X = [[0, Q(1, 4), Q(3, 4)]]
    for step in g.network.trace(X):
        assert step.layer.apply([list(row) for row in step.before]) == step.after
    assert Attention(()).apply([[1, 2]]) == ((1, 2),)
    assert clear(1, 0).apply([[-1, 2]]) == ((0, 2),)
    with pytest.raises(NotExact, match=r"0\.5 is a float"):
        clear(1, 0).apply(((0.5,),))
    targets = verify(contextual_map(Instance(1, 2, 2)), given_claims(lambda L: [[sum(row) for _ in row] for row in L]))
    assert targets.verdict == "holds"


def test_each_part_shows_itself_in_a_line_and_in_a_notebook_as_a_table():
    wide = contextual_map(Instance(2, 3, 12))
    assert repr(g.sweep.layers[0].heads[0]) == "<Head: W_O = 4, W_V = 1, W_K = 1, W_Q = 1, b_Q = 1/8>"
    assert repr(wide.network.layers).splitlines()[-1] == " ... and 136 more: layers[9], ..., layers[144])"
    assert len(repr(wide.network.layers)) < 2500
    assert repr(g.grid) == "<Grid at (d, n, N) = (1, 3, 4): entries 0, 1/4, 1/2, 3/4, and the sentinel -64>"
    assert "entries 0, 1/12, ..., 11/12, and" in repr(wide.grid)
    assert (
        repr(verify(g, "lemma6.1").findings[0].claim)
        == "<lemma6.1 (statement): The n values of a context of G~ are distinct.>"
    )
    assert len(repr(verify(contextual_map(Instance(1, 2, 70)), "lemma6").shards)) < 200
    finding = verify(contextual_map(g.instance, t_r=4000), "lemma6")["lemma6.3"]
    for thing, rows, word in (
        (finding, 6, str(finding.counterexample).replace("<", "&lt;")),
        (g.sweep.layers[0], 1 + 2, ">-4<"),
        (g.grid, 1 + 5, ">-64<"),
        (wide.grid, 1 + 40, "and 129 rows more"),
        (clear(1, 0), 1 + 6, "phi, piece 1"),
    ):
        assert len(repr(thing)) < 800
        assert thing._repr_html_().count("<tr>") == rows
        assert word in thing._repr_html_()


def test_what_is_no_result_no_place_and_no_number_is_answered_in_a_sentence():
    g = contextual_map(Instance(1, 3, 4))
    with pytest.raises(TypeError, match="certify takes what verify returns, not 5"):
        verifier.certify(5)
    with pytest.raises(TypeError, match=r"1\.5 is no number of a layer; there are 5, from 0 to 4"):
        g.network.with_layer(1.5, g.network.layers[0])
    for text, number in (("1/4", r"Q\(1, 4\)"), ("0.75", r"Q\(3, 4\)"), ("2/4", r"Q\(1, 2\)")):
        with pytest.raises(NotExact, match=f"for '{text}' write {number}"):
            g.q([[0, 0, text]])
    with pytest.raises(NotExact, match=r"int or Q\(numerator, denominator\)$"):
        g.q([[0, 0, "a"]])

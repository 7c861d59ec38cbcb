"""What `import verifier` offers: listed, typed, documented, short to look at; wrong shapes say what is needed."""

import ast
import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

import pages
import verifier
from verifier import Instance, Network, Q, contextual_map, story, verify
from verifier.core.exact import NotExact
from verifier.run.checkpoint import spelled

ROOT = Path(__file__).parent.parent


def test_what_a_type_checker_sees_is_what_is_offered():
    tree = ast.parse((ROOT / "verifier/__init__.py").read_text())
    (typed,) = [node for node in tree.body if isinstance(node, ast.If)]
    seen = {alias.asname: node.module for node in typed.body for alias in node.names if node.module != "typing"}
    assert seen == verifier._OFFERED


def test_every_name_is_listed_and_documented():
    assert set(verifier.__all__) <= set(dir(verifier))
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
    assert result._repr_html_().count("<tr>") == 1 + 6
    assert "21/4" in result._repr_html_()
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
        (lambda: g.q([0, 0, 0]), "a list of numbers"),
        (lambda: g.sweep.with_layer(9, g.sweep.layers[0]), "there is no layer 9; there are 4, from 0 to 3"),
        (lambda: g.sweep.without_layer(4), "there is no layer 4"),
        (lambda: g.q([[0, 0, 0.25]]), r"0.25 is a float"),
    ],
)
def test_what_is_wrong_says_what_is_needed(wrong, words):
    with pytest.raises((NotExact, IndexError), match=words):
        wrong()

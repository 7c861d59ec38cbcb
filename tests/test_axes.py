"""The model of each of the field's pages on the survey's axes: what its head says of them, and what its layers show."""

import json

import pytest

from cli import main
from verifier.catalogue import pages
from verifier.language.axes import AXES, model, said
from verifier.language.library import text_of
from verifier.language.page import read
from verifier.language.tree import Read

FIELD = [name for name, path in pages().items() if said(text_of(path))]


def ties_of(name):
    """What the layers of a page do where several are read at one time."""
    layers = read(text_of(pages()[name])).page.layers.values()
    return {line.tie for layer in layers for line in layer.lines if isinstance(line, Read)}


WITH_HEADS = [name for name in FIELD if ties_of(name)]


def test_the_pages_of_the_field_are_those_whose_comments_say_a_model():
    assert {"dyck", "steps"} <= set(WITH_HEADS)
    assert {"cookbook_norm", "succinct"} <= set(FIELD) - set(WITH_HEADS)
    assert "yun2020" not in FIELD


@pytest.mark.parametrize("name", FIELD)
def test_a_page_of_the_field_says_its_model(name):
    its = model(read(text_of(pages()[name])).page)
    left_out = {"ties", "mask"} if its["attention"].startswith("none") else set()
    assert set(AXES) - set(its) == left_out
    assert not any(words.endswith((".", ";")) or "Read" in words for words in its.values())


@pytest.mark.parametrize("name", WITH_HEADS)
def test_what_is_said_of_ties_is_what_the_layers_do(name):
    page = read(text_of(pages()[name])).page
    assert {tie for tie in ("leftmost", "rightmost") if tie in model(page)["ties"]} == ties_of(name) - {"average"}


def test_what_a_head_does_not_say_its_layers_show():
    its = model(read(text_of(pages()["induction"])).page)
    assert its["norm"] == "none"
    assert {axis: its[axis] for axis in ("attention", "ties", "mask")} == {
        "attention": "hard",
        "ties": "average, rightmost",
        "mask": "j < i, j <= i",
    }
    of_a_graph = model(read(text_of(pages()["bigbird2020"])).page)
    assert (of_a_graph["ties"], of_a_graph["mask"]) == ("average", "star(i, j)")


def test_the_head_ends_where_it_does():
    told = said(
        "language 1\n# Model. mask: j < i. It is\n# strict; so. norm: none.\n# Read: norm: all of it.\n# ties: other\n"
    )
    assert told == {"mask": "j < i. It is strict; so", "norm": "none"}
    assert said("language 1\n") == {}


def test_papers_shows_them(capsys):
    assert main(["papers"]) == 0
    table = capsys.readouterr().out.partition("model of")[2]
    for name in FIELD:
        assert f" {name} " in table


def test_in_a_narrow_window_the_models_are_a_list(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    assert main(["papers"]) == 0
    told = capsys.readouterr().out.partition("model of")[2]
    for name in FIELD:
        assert f"{name}\n    attention: " in told
    assert "…" not in told
    assert max(map(len, told.splitlines())) <= 60


def test_papers_as_data(capsys):
    assert main(["papers", "--format", "json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)["rows"]}
    assert rows["dyck"]["model"]["positions"] == "i/n"

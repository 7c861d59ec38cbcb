"""The pictures of how-to/build.md are drawn from networks that are built; what they show is what is measured."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def pictures():
    spec = importlib.util.spec_from_file_location("pictures", ROOT / "docs/pictures.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["network.svg", "error.svg"])
def test_a_picture_is_the_one_that_is_drawn(name, pictures):
    assert pictures.PICTURES[name]() == (ROOT / "docs" / name).read_text(encoding="utf-8")


def test_the_strips_are_drawn_as_the_network_has_them(pictures):
    """Another epsilon is another picture."""
    b = pictures.Network(4, pictures.Q(1, 64))
    assert b.epsilon == pictures.Q(1, 64)
    assert pictures.network_page().count('class="strip"') > 100

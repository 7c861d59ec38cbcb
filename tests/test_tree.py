"""A page's tree: each kind of expression and line is a type of its own, whose parts have names."""

import copy
import pickle
from pathlib import Path

import pytest

from verifier.language import tree
from verifier.language.parse import parse
from verifier.language.tree import And, Chain, Family, ForEach, Name, Number, Or, Tree, Truth, Use, with_parts

PAGES = Path(__file__).parent.parent / "verifier/pages"
HERE = (1, 1)
KINDS = [kind for kind in vars(tree).values() if isinstance(kind, type) and issubclass(kind, Tree) and kind is not Tree]


def test_trees_of_different_kinds_are_never_equal():
    assert len(KINDS) == 30
    assert Or(HERE, []) != And(HERE, [])
    assert Number(HERE, 1) != Truth(HERE, True)
    assert Name(HERE, "a") == Name(HERE, "a") != Name(HERE, "b")
    assert hash(Name(HERE, "a")) == hash(Name(HERE, "a")) != hash(Name((1, 2), "a"))
    same = [kind(HERE, *["x"] * (len(kind.fields) - 1)) for kind in KINDS]
    assert all((a == b) is (a is b) for a in same for b in same)


def test_a_tree_has_the_parts_of_its_kind_and_their_names():
    for kind in KINDS:
        parts = [object() for _ in kind.fields]
        made = kind(*parts)
        assert [getattr(made, field) for field in kind.fields] == parts
        assert made.place is parts[0]
        assert made.parts == tuple(parts[1:])
        with pytest.raises(TypeError, match=f"{kind.__name__} has {len(parts)} parts, not {len(parts) + 1}"):
            kind(*parts, None)
    assert with_parts(Use(HERE, "g", []), ("h", [])) == Use(HERE, "h", [])
    assert Family.kind == ForEach.kind == "for"


@pytest.mark.parametrize("path", sorted(PAGES.glob("y*.page")), ids=lambda path: path.stem)
def test_a_page_is_sent_and_copied_as_it_is(path):
    page = parse(path.read_text())
    for other in (pickle.loads(pickle.dumps(page)), copy.deepcopy(page)):  # noqa: S301
        assert other == page
        claim = next(claim for claim in other.claims.values() if isinstance(claim.lines[0], Chain))
        assert claim.lines[0].texts[0].text

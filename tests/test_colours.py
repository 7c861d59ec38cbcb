"""The colours of pages: Pygments' and the editors' are made of the language's own words, and every page is coloured."""

import importlib.util
import json
import re
from pathlib import Path

import pytest
from pygments.token import Comment, Error, Keyword, Name, Number, Operator, String, Text, Whitespace

from verifier.language.colours import RULES
from verifier.language.words import RESERVED, page_of, tokens_of
from verifier.report.lexer import PageLexer

ROOT = Path(__file__).parent.parent
PAGES = sorted((ROOT / "verifier/pages").glob("*.page")) + sorted((ROOT / "tests/pages").rglob("*.page"))
OURS = [path for path in PAGES if "pages/fail" not in str(path) and "never-crash" not in str(path)]


def coloured(text):
    """Each piece of text with its place from 0, its colour, and itself."""
    return [(at, kind, piece) for at, kind, piece in PageLexer().get_tokens_unprocessed(text) if kind not in Whitespace]


def expected(token):
    if token.kind == "name":
        return (Keyword, Operator.Word) if token.text in RESERVED else (Name, Keyword)
    return {"number": (Number,), "string": (String,), "sign": (Operator,)}[token.kind]


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.stem)
def test_each_token_of_a_page_has_its_colour_and_none_is_an_error(path):
    begin = 0
    text = page_of(path.read_text())
    pieces = coloured(text)
    assert all(kind not in Error and kind not in Text for _, kind, _ in pieces)
    at = {at: (kind, piece) for at, kind, piece in pieces}
    ids = [(place, place + len(piece)) for place, kind, piece in pieces if kind in Name.Label]
    seen = 0
    for number, line in enumerate(text.split("\n"), 1):
        for token in tokens_of(line, number):
            place = begin + token.place[1] - 1
            if any(low <= place < high for low, high in ids):
                continue
            kind, piece = at[place]
            assert piece == token.text, (number, line)
            assert any(kind in one for one in expected(token)), (number, line, piece, kind)
            seen += 1
        begin += len(line) + 1
    comments = sum(kind in Comment for _, kind, _ in pieces)
    assert seen + len(ids) + comments == len(pieces)
    assert seen > 0


def test_every_word_of_the_grammar_is_coloured_as_a_word_where_it_stands():
    """The words that LANGUAGE.md's grammar has in quotes; each is a word in some page of the package or the tests."""
    grammar = (ROOT / "verifier/language/LANGUAGE.md").read_text().partition("## 7. Grammar")[2]
    words = set(re.findall(r'"([a-z]+)"', grammar.partition("NAME       =")[0]))
    assert len(words) > 35
    assert words >= RESERVED
    found = {
        piece
        for path in OURS
        for _, kind, piece in coloured(path.read_text())
        if kind in Keyword or kind in Operator.Word
    }
    assert words - found == set()


def test_a_word_that_is_placed_is_a_name_elsewhere():
    text = "inputs w in words: words of 1..n bits a in {0, 1}\nlist = max(1, list)\nby = 2\n"
    kinds = [(piece, kind) for _, kind, piece in coloured(text)]
    assert [str(kind) for piece, kind in kinds if piece == "words"] == ["Token.Name", "Token.Keyword"]
    assert all(kind is Name for piece, kind in kinds if piece == "list")
    assert ("max", Name.Builtin) in kinds


def test_what_a_file_uses_is_coloured():
    kinds = [(piece, str(kind)) for _, kind, piece in coloured("use recipes: gt, before\nuse = 1\n")]
    assert kinds[:2] == [("use", "Token.Keyword.Declaration"), ("recipes", "Token.Name.Function")]
    assert ("use", "Token.Name") in kinds


def test_what_is_no_sign_of_the_language_is_an_error():
    assert [piece for _, kind, piece in coloured('a = $ @ 1\ntitle "open\nb = 1\n') if kind in Error] == ["$", "@", '"']


def test_the_grammar_for_editors_is_what_the_language_says():
    spec = importlib.util.spec_from_file_location("editors", ROOT / "editors/make.py")
    make = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make)
    kept = (ROOT / "editors/page.tmLanguage.json").read_text()
    assert kept == make.grammar(), "python editors/make.py"
    rules = json.loads(kept)["patterns"]
    assert [rule["match"] for rule in rules] == [rule for rule, _ in RULES]
    for rule in rules:  # what both read alike
        assert not re.search(r"\(\?P|\\A|\\Z", rule["match"])
        assert all(int(group) <= re.compile(rule["match"]).groups for group in rule["captures"])
    package = json.loads((ROOT / "editors/package.json").read_text())["contributes"]
    for path in (package["grammars"][0]["path"], package["languages"][0]["configuration"]):
        json.loads((ROOT / "editors" / path).read_text())

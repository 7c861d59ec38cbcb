"""How a page is coloured: the first rule that fits. The Pygments lexer (verifier/report/lexer.py) and the TextMate
grammar (editors/make.py) are made of these rules, and know no word of their own.
"""

from collections.abc import Iterable
from typing import NamedTuple

from verifier.language.builtins import TAKEN
from verifier.language.tree import KINDS
from verifier.language.words import BEGIN, COMMENT, ID, JOIN, NAME, NUMBER, OPERATE, PLACED, SIGN, STRING, TRUTHS


class Colour(NamedTuple):
    """What a kind of text is called by Pygments, and by TextMate's grammars."""

    pygments: str
    textmate: str


NOTE = Colour("Comment.Single", "comment.line.number-sign")
WORDS = Colour("String.Double", "string.quoted.double")
FIGURE = Colour("Number.Integer", "constant.numeric")
BEGINS = Colour("Keyword.Declaration", "keyword.control")
JOINS = Colour("Keyword", "keyword.control")
OPERATES = Colour("Operator.Word", "keyword.operator.word")
TRUTH = Colour("Keyword.Constant", "constant.language")
KIND = Colour("Keyword.Type", "storage.modifier")
GIVEN = Colour("Name.Builtin", "support.function")
MADE = Colour("Name.Function", "entity.name.function")
CLAIMED = Colour("Name.Label", "entity.name.tag")
SIGNS = Colour("Operator", "keyword.operator")
NAMES = Colour("Name", "variable.other")
SPACE = Colour("Text.Whitespace", "")


def _one_of(words: Iterable[str]) -> str:
    return rf"\b(?:{'|'.join(sorted(words, key=lambda word: (-len(word), word)))})(?![A-Za-z0-9_~'])"


def _placed(words: Iterable[str], before: str, after: str) -> str:
    behind = f"(?<={before})" if before else ""
    ahead = f"(?={after.replace(' ', '[ ]+')})" if after else ""
    return behind + _one_of(words) + ahead


# A pattern, and the colour of each of its groups.
RULES: list[tuple[str, tuple[Colour, ...]]] = [
    (rf"({COMMENT})", (NOTE,)),
    (rf"({STRING})", (WORDS,)),
    (rf"^(claim)([ ]+)({ID.replace('(', '(?:')})", (BEGINS, SPACE, CLAIMED)),
    (rf"^(use)([ ]+)({NAME})(?=[ ]*:)", (BEGINS, SPACE, MADE)),  # of a file: verifier/language/library.py
    (rf"^(layer|network)([ ]+)({NAME})", (BEGINS, SPACE, MADE)),
    *((f"({_placed(words, *around)})", (JOINS,)) for words, around in PLACED.items()),
    (f"({_placed(KINDS, ', ', ',')})", (KIND,)),
    (f"({_one_of(BEGIN)})", (BEGINS,)),
    (f"({_one_of(JOIN)})", (JOINS,)),
    (f"({_one_of(OPERATE)})", (OPERATES,)),
    (f"({_one_of(TRUTHS)})", (TRUTH,)),
    (f"({_one_of(TAKEN)})", (GIVEN,)),
    (f"({NAME})", (NAMES,)),
    (f"({NUMBER})", (FIGURE,)),
    (f"({SIGN})", (SIGNS,)),
]

"""A page's text as logical lines of tokens, in blocks (LANGUAGE.md 1 and 7). Each length and depth has a limit."""

import re
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import pairwise
from typing import NamedTuple

CHARACTERS, WIDTH, DEPTH, DIGITS = 200_000, 2_000, 50, 2_000  # of a page, of a line, of nesting, of a number

# The words of the language. RESERVED can be no names; words that are placed are words only where the grammar has them
# (what stands before one, and after it), and names elsewhere.
BEGIN = ("language", "title", "sizes", "inputs", "category", "layer", "network", "claim")
JOIN = ("for", "in", "if", "else", "over", "read", "at", "within", "across", "once", "as", "on")
OPERATE = ("and", "or", "not", "iff", "mod", "div")
TRUTHS = ("true", "false")
RESERVED = frozenset((*BEGIN, *JOIN, *OPERATE, *TRUTHS))
PLACED = {
    ("words", "multisets", "sets"): (": ", " of "),
    ("list",): (": ", ""),
    ("leftmost", "rightmost", "average"): (" at ", " max "),
    ("max",): (" ", " of "),
    ("of",): (" ", " "),
    ("by",): (" ", " "),
    ("cases",): (" ", ","),
    ("skipped",): ("", " if "),
    ("all",): ("for ", " "),
    ("recognises",): (" ", " "),
}
# The signs of a page, as patterns.
NAME, NUMBER, STRING, COMMENT = r"[A-Za-z][A-Za-z0-9_~']*", r"[0-9]+", r'"[^"\n]*"', r"\#.*"
SIGN = r"<-|<=|>=|!=|\.\.\.|\.\.|[-+*/^()\[\]{},:=<>|.]"
ID = r"[A-Za-z0-9]+([.-][A-Za-z0-9]+)*"  # of a claim
_TOKEN = re.compile(
    f"(?P<name>{NAME})|(?P<number>{NUMBER})|(?P<string>{STRING})|(?P<space>[ ]+|{COMMENT})|(?P<sign>{SIGN})"
)
PLAIN = {"≤": "<=", "≥": ">=", "≠": "!=", "·": "*", "\u00d7": "*", "\u2212": "-", "∧": "and", "\u2228": "or",
         "¬": "not", "∈": "in", "…": "...", "⇔": "iff", "←": "<-"}  # fmt: skip
Place = tuple[int, int]  # line and column, from 1; (0, 0) is the page as a whole


class Refused(Exception):
    """What can't be read or run: one line, with its place, that says what would be right."""

    def __init__(self, place: Place, message: str) -> None:
        super().__init__(message)
        self.place, self.message = place, message

    def __str__(self) -> str:
        line, column = self.place
        return f"line {line}, column {column}: {self.message}" if line else self.message

    def __reduce__(self) -> tuple[type["Refused"], tuple[Place, str]]:
        return type(self), (self.place, self.message)


class TooLarge(Refused):
    """Beyond a limit: of cases, of digits, of steps."""


class Token(NamedTuple):
    kind: str
    text: str
    place: Place


@dataclass
class Line:
    """A logical line, with the block that is indented below it."""

    indent: int
    tokens: list[Token]
    block: list["Line"] = field(default_factory=list)


def meant(name: str, known: "list[str] | set[str]") -> str:
    near = get_close_matches(name, [k for k in known if k], 1)
    return f"; did you mean {near[0]}?" if near and near[0] != name else ""


def page_of(text: str) -> str:
    """The page in a text: all of it, or what stands in its blocks fenced by ```page, every other line left empty."""
    lines = text.split("\n")
    if "```page" not in lines:
        return text
    kept, begun = [], 0
    for number, line in enumerate(lines, 1):
        if begun and line == "```":
            begun = 0
        kept.append(line if begun else "")
        if not begun and line == "```page":
            begun = number
    if begun:
        raise Refused((begun, 1), "this block never ends: a line ``` is missing")
    return "\n".join(kept)


def tokens_of(raw: str, number: int) -> list[Token]:
    if len(raw) > WIDTH:
        raise Refused((number, WIDTH), f"a line has at most {WIDTH:,} characters")
    if not raw.isprintable():
        column, c = next((k, c) for k, c in enumerate(raw, 1) if not c.isprintable())
        what = "a tab; indent with spaces" if c == "\t" else f"a character that can't be printed, {c!a}"
        raise Refused((number, column), what)
    at, tokens = 0, []
    while at < len(raw):
        place = (number, at + 1)
        if (match := _TOKEN.match(raw, at)) is None:
            plain = PLAIN.get(raw[at], "")
            raise Refused(
                place,
                "these words have no closing quotation mark on their line"
                if raw[at] == '"'
                else f"{raw[at]!r} is no sign of the language" + (f"; write {plain}" if plain else ""),
            )
        kind = str(match.lastgroup)
        if kind == "number" and len(match[0]) > DIGITS:
            raise Refused(place, f"a number has at most {DIGITS:,} digits")
        if kind != "space":
            tokens.append(Token(kind, match[0], place))
        at = match.end()
    return tokens


def lines_of(text: str) -> list[Line]:
    """The page's logical lines: one with an open bracket goes on with the next; blocks by indentation."""
    if len(text) > CHARACTERS:
        raise Refused((0, 0), f"the page has {len(text):,} characters; at most {CHARACTERS:,} are read")
    top = Line(-1, [])
    stack, pending, open_brackets = [top], list[Token](), list[Token]()
    for number, raw in enumerate(page_of(text).split("\n"), 1):
        tokens = tokens_of(raw, number)
        if not tokens:
            continue
        for token in tokens:
            if token.kind == "sign" and token.text in "([{":
                open_brackets.append(token)
            elif token.kind == "sign" and token.text in ")]}":
                if not open_brackets:
                    raise Refused(token.place, f"{token.text!r} closes a bracket that wasn't opened")
                open_brackets.pop()
        pending += tokens
        if open_brackets:
            continue
        end = Token("end", "the end of the line", (number, len(raw) + 1))
        _place_in(stack, Line(pending[0].place[1] - 1, [*pending, end]))
        pending = []
    if pending:
        raise Refused(open_brackets[-1].place, "this bracket is never closed")
    return top.block


def _place_in(stack: list[Line], line: Line) -> None:
    """Hangs a line into the block that it is in, by its indentation."""
    place = line.tokens[0].place
    while stack[-1].indent >= line.indent:
        stack.pop()
    block = stack[-1].block
    if block and block[-1].indent != line.indent:
        raise Refused(place, f"indented by {line.indent}; the line above in this block by {block[-1].indent}")
    if len(stack) == 1 and line.indent:
        raise Refused(place, "indented, but no line above opens a block")
    if len(stack) > DEPTH:
        raise Refused(place, f"blocks are nested at most {DEPTH} deep")
    block.append(line)
    stack.append(line)


def text_of(tokens: list[Token]) -> str:
    """The tokens' text; what lies between two of them is one space."""
    parts = [tokens[0].text]
    for before, token in pairwise(tokens):
        touching = before.place == (token.place[0], token.place[1] - len(before.text))
        parts.append(token.text if touching else " " + token.text)
    return "".join(parts)

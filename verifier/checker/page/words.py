"""LANGUAGE 1 and 7, from characters to words: names, numbers, strings, signs, and blocks by indentation."""

from __future__ import annotations

import re
from typing import NamedTuple

from ..core.comparing import OverLimit
from ..core.reading import Unreadable

MOST_TEXT, MOST_LINE, MOST_DEPTH, MOST_BITS, MOST_ITEMS, MOST_CASES = 200_000, 2_000, 50, 20_000, 1_000_000, 4_000_000

DEFECT = "a defect of the checker: what can't be"  # of the types that are narrowed
RESERVED = frozenset(
    "for in if else and or not iff over mod div true false read at within across once as on"  # noqa: SIM905
    " language title sizes inputs category layer network claim".split()
)
SIGNS = frozenset(("=", "!=", "<=", ">=", "<", ">"))
_WORDS = (
    r"(?P<name>[A-Za-z][A-Za-z0-9_~']*)|(?P<sign>\.\.\.|\.\.|<-|<=|>=|!=|[-+*/^=<>()\[\]{}|,:])|(?P<number>[0-9]+)"
    r"|(?P<string>\"[^\"]*\")|(?P<comment>#.*)"
)
_WORD = re.compile(rf" *(?:{_WORDS})")
_DOTTED = re.compile(rf" *(?:(?P<id>[A-Za-z][A-Za-z0-9]*(?:\.[A-Za-z0-9]+)+)|{_WORDS})")  # of facts.page: k.order
_ID = re.compile(r" *(?P<id>[A-Za-z0-9]+(?:[.-][A-Za-z0-9]+)*)")
_CLOSES = {"(": ")", "[": "]", "{": "}"}
_BRACKETS = frozenset("()[]{}")


class Place(NamedTuple):
    line: int
    column: int

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}"


class Refused(Unreadable):
    """A page that has no meaning, at least at these sizes: where, and what would be right."""

    def __init__(self, place: Place | None, words: str) -> None:
        super().__init__(place, words)
        self.place, self.words = place, words

    def __str__(self) -> str:
        return f"{self.place}: {self.words}" if self.place else self.words


class Spent(OverLimit):
    """The steps, or the cases, that were allowed."""


class Budget:
    """Steps that are left: what isn't foreseen ends here."""

    def __init__(self, steps: int) -> None:
        self.left = steps

    def spend(self, steps: int) -> None:
        self.left -= steps
        if self.left < 0:
            raise Spent("the budget of steps is spent: take smaller sizes, or allow more")


class Word(NamedTuple):
    kind: str  # name, number, string, sign, id, and: line (the end of one), deeper, back, end
    text: str
    place: Place
    gap: bool = False  # something stands between the word before and this one


def page_lines(text: str) -> list[str]:
    """The lines that are read; of Markdown those of its blocks alone, the others as if empty."""
    if len(text) > MOST_TEXT:
        raise OverLimit(f"a page of {len(text):,} characters: at most {MOST_TEXT:,}")
    lines = text.split("\n")
    for k, line in enumerate(lines, 1):
        if bad := re.search("[\r\ud800-\udfff]", line):
            raise Refused(Place(k, bad.start() + 1), f"the character {bad[0]!a}: a line ends with \\n alone")
    if "```page" not in lines:
        return lines
    inside, begun = False, 0
    for k, line in enumerate(lines):
        if line == ("```" if inside else "```page"):
            inside, begun = not inside, k + 1
            lines[k] = ""
        elif not inside:
            lines[k] = ""
    if inside:
        raise Refused(Place(begun, 1), "this block never ends: a line ``` is missing")
    return lines


def words_of(text: str, *, dotted: bool = False) -> list[Word]:
    word = _DOTTED if dotted else _WORD
    found: list[Word] = []
    margins, brackets = [0], list[tuple[str, Place]]()
    for number, line in enumerate(page_lines(text), 1):
        here, column, stop = list[Word](), 0, len(line.rstrip(" "))
        if len(line) > MOST_LINE:
            raise OverLimit(f"{Place(number, 1)}: a line of {len(line):,} characters: at most {MOST_LINE:,}")
        while column < stop:
            match = (_ID if len(here) == 1 and here[0].text == "claim" else word).match(line, column)
            if not match:
                column += next(k for k, c in enumerate(line[column:]) if c != " ")
                raise Refused(Place(number, column + 1), _no_word(line[column]))
            kind = str(match.lastgroup)
            text_here, (start, column) = match[kind], match.span(kind)
            if kind in ("comment", "string") and not text_here.isprintable():
                bad = next(k for k, c in enumerate(text_here) if not c.isprintable())
                raise Refused(Place(number, start + bad + 1), "a character that can't be printed")
            if kind == "comment":
                continue
            here.append(Word(kind, text_here, Place(number, start + 1), start == 0 or line[start - 1] == " "))
            if text_here in _BRACKETS:
                _balance(brackets, text_here, here[-1].place)
        if not here:
            continue
        continued = found and found[-1].kind != "line" and found[-1].kind != "back"
        if not continued:
            margin = here[0].place.column - 1
            if margin > margins[-1]:
                margins.append(margin)
                found.append(Word("deeper", "", here[0].place))
            while margin < margins[-1]:
                margins.pop()
                found.append(Word("back", "", here[0].place))
            if margin != margins[-1]:
                raise Refused(here[0].place, f"this line begins at no block's margin: {margins[-1]} spaces were meant?")
            if len(margins) > MOST_DEPTH:
                raise OverLimit(f"{here[0].place}: blocks nested deeper than {MOST_DEPTH}")
        found += here
        if not brackets:
            found.append(Word("line", "", Place(number, len(line) + 1)))
    if brackets:
        raise Refused(brackets[-1][1], f"this {brackets[-1][0]} is never closed")
    end = Place(text.count("\n") + 1, 1)
    return [*found, *(Word("back", "", end) for _ in margins[1:]), Word("end", "", end)]


def _balance(brackets: list[tuple[str, Place]], sign: str, place: Place) -> None:
    if sign in _CLOSES:
        brackets.append((sign, place))
    elif not brackets or _CLOSES[brackets.pop()[0]] != sign:
        raise Refused(place, f"this {sign} closes nothing")
    if len(brackets) > MOST_DEPTH:
        raise OverLimit(f"{place}: brackets nested deeper than {MOST_DEPTH}")


def _no_word(character: str) -> str:
    if character == '"':
        return "a string that doesn't end on its line: write \" at its end"
    return "a tab: write spaces" if character == "\t" else f"{character!a} begins no word of the language"

"""The formulas' plain notation as MathML: `delta^-(nd) <= l~_n` and the like.

Notation: `x_j`, `x_{j+1}` subscripts; `x^2`, `delta^-d+1` (no space: all of it is raised), `N^(dn)` superscripts, whose
parentheses are dropped where they are needless; `l~` a tilde; `G+` the extended grid; ` . ` a product; Greek letters by
name; English words stay words. What can't be read this way gives None, and is shown as it is written.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from verifier.report.markup import Html, el, joined

_GREEK = {
    "delta": "δ", "lambda": "λ", "psi": "ψ", "Psi": "Ψ", "phi": "φ", "Phi": "Φ", "sigma": "σ", "eps": "ε",
    "epsilon": "ϵ", "eta": "η", "gamma": "γ", "Delta": "Δ",
    "inf": "∞", "infinity": "∞",
}  # fmt: skip
_FUNCTIONS = {"Attn", "FF", "SepConv", "softmax", "hardmax", "log"}
_OPERATORS = {"max", "min", "mod"}
_PRODUCTS = {"nd", "dn", "kd", "jd", "kT", "LP", "XP", "ij"}  # letters side by side, multiplied
_SIGNS = {
    "<=": "≤", ">=": "≥", "!=": "≠", "->": "→", "...": "…", "..": "…", "-": "−", "*": "∗", "=": "=", "<": "<", ">": ">",
    "+": "+", ",": ",", ";": ";", ":": ":", "/": "/", ".": "·",
}  # fmt: skip
_RELATIONS = ("=", "<", ">", "<=", ">=", "!=")
_STOPS = [el("mo", sign) for sign in ",;:"]
_NAMES = {"hu.t_l": ("t", "l"), "hu.t_r": ("t", "r")}
_CLOSES = {"(": ")]", "[": "])", "{": "}"}
_MARK = re.compile(
    r"\s*(hu\.t_[lr]|lemma10\.[a-z]+|E\.9|[a-z]{2,}(?:-[a-z]{2,})+|[A-Za-z]+|\d{1,3}(?:,\d{3})+(?!\d)|\d+|<=|>=|!=|->|\.\.\.?|\|\||[^\s])"
)


class _Unreadable(ValueError):
    """The text isn't in this notation."""


@dataclass(frozen=True)
class _Mark:
    text: str
    spaced: bool  # there is a space before it


@dataclass(frozen=True)
class _Piece:
    html: Html
    word: str = ""  # an English word that this is


def mathml(text: str, *, block: bool = False) -> Html | None:
    """The formula as MathML; None if the notation can't be read."""
    try:
        row = _Reader(text).all()
    except _Unreadable:
        return None
    return el("math", row, display="block" if block else None, alttext=text)


def formula(text: str, *, block: bool = False) -> Html:
    """The formula as MathML; if the notation can't be read, as it is written."""
    return el("span", mathml(text, block=block) or el("code", text), class_="m", data_long=len(text) > 32)


class _Reader:
    def __init__(self, text: str) -> None:
        self.marks = [_Mark(m[1], m[0] != m[1]) for m in _MARK.finditer(text)]
        self.at = 0

    def all(self) -> Html:
        row = _row(list(self.pieces("")))
        if self.at < len(self.marks) or not self.marks:
            raise _Unreadable
        return row

    def next(self) -> str:
        return self.marks[self.at].text if self.at < len(self.marks) else ""

    def touching(self, *texts: str) -> bool:
        """Whether the next mark is one of these, without a space before it."""
        return self.at < len(self.marks) and self.next() in texts and not self.marks[self.at].spaced

    def take(self) -> str:
        if self.at == len(self.marks):
            raise _Unreadable
        self.at += 1
        return self.marks[self.at - 1].text

    def pieces(self, closers: str) -> Iterator[_Piece]:
        while self.at < len(self.marks) and self.next() not in closers.split():
            if self.next() in (")", "]", "}"):
                raise _Unreadable
            yield self.piece()

    def piece(self) -> _Piece:
        spaced = self.marks[self.at].spaced
        mark = self.take()
        if (
            mark == "x"
            and spaced
            and self.at > 1
            and re.fullmatch("[a-z0-9]", self.next())
            and not self.touching(self.next())
        ):
            return _Piece(el("mo", "×"))  # d x n
        if mark in _SIGNS:
            if mark == "." and not (spaced and self.next() and (self.marks[self.at].spaced or self.next() == ")")):
                raise _Unreadable  # a full stop
            first, last = self.at == 1, self.at == len(self.marks)  # beside words, which have a space of their own
            before, after = ("0" if mark == "/" or (end and mark in _RELATIONS) else None for end in (first, last))
            return _Piece(el("mo", _SIGNS[mark], lspace=before, rspace=after))
        if self.is_word(mark):
            return _Piece(el("mtext", mark), mark)
        return _Piece(self.scripts(mark))

    def is_word(self, mark: str) -> bool:
        """Whether it is English: no letter, no known name, and nothing of a formula is attached to it."""
        attached = self.touching("_", "^", "'", "~", "(")
        if mark == "a":  # an article, or a letter
            return not attached and self.next() not in _RELATIONS and not self.touching(",", ")", "]")
        return _is_word(mark) and not attached

    def scripts(self, mark: str) -> Html:
        """An atom with its tilde, primes, subscript, superscript and factorial."""
        base = self.atom(mark)
        if mark == "G" and self.touching("+") and self.ends(1):
            self.take()
            base = el("msup", base, el("mo", "+"))
        if self.touching("~"):
            self.take()
            base = el("mover", base, el("mo", "˜", stretchy="false"), accent="true")
        if (
            re.fullmatch("[a-z]|log", mark)
            and self.at < len(self.marks)
            and self.next().isdigit()
            and self.touching(self.next())
        ):
            base = el("msub", base, el("mn", self.take()))  # e1
        below = above = None
        if self.touching("'"):
            self.take()
            above = el("mo", "′")
        if self.touching("_"):
            self.take()
            below = self.subscript(mark)
        if self.touching("^") and above is None:
            self.take()
            above = self.superscript()
            if self.touching("_") and below is None:
                self.take()
                below = self.subscript(mark)
        if below and re.fullmatch(
            r"[gjpqy(\[]|phi|psi|eta", mark
        ):  # a browser would hang the index below the letter's tail
            base = el("mpadded", base, depth="0")
        if mark == "sum":
            base = el("munderover", base, below or el("mrow"), above or el("mrow"))
        elif below and above:
            base = el("msubsup", base, below, above)
        elif below or above:
            base = el("msub" if below else "msup", base, below or above)
        if self.touching("!"):
            self.take()
            base = el("mrow", base, el("mo", "!"))
        return base

    def ends(self, k: int) -> bool:
        """Whether the formula ends before the mark k places on: at a space, or where none could be."""
        if self.at + k >= len(self.marks):
            return True
        mark = self.marks[self.at + k]
        return mark.spaced or mark.text in (",", ")", "|", ":")

    def atom(self, mark: str) -> Html:
        if mark[0].isdigit():
            return el("mn", mark)
        if mark == "sum":
            return el("mo", "∑")
        if mark in _NAMES:
            letter, index = _NAMES[mark]
            return el("msubsup", el("mi", letter), el("mi", index), el("mtext", "Hu"))
        if mark in _GREEK:
            return el("mi", _GREEK[mark])
        if mark in _FUNCTIONS or (_is_word(mark) and self.touching("(")):
            return el("mi", mark, mathvariant="normal")
        if mark in _OPERATORS:
            return el("mo", mark)
        if _is_word(mark) and mark != "a":
            return el("mtext", mark)  # distance^p
        if mark.isalpha() and mark.isascii():
            return _letters(mark)
        if mark in ("|", "||"):
            return self.bars(mark)
        if mark in _CLOSES:
            return self.group(mark)
        raise _Unreadable

    def bars(self, mark: str) -> Html:
        inside = list(self.pieces(mark))
        if not inside or self.take() != mark:
            raise _Unreadable
        bar = el("mo", "‖" if mark == "||" else "|", stretchy="false")
        return el("mrow", bar, _row(inside), bar)

    def group(self, opening: str) -> Html:
        """A parenthesis, set, list or interval."""
        inside = list(self.pieces(" ".join(_CLOSES[opening])))
        closing = self.take()
        space = el("mspace", width="0.4em") if inside and inside[0].word else None  # a remark
        return el("mrow", space, el("mo", opening, stretchy="false"), _row(inside), el("mo", closing, stretchy="false"))

    def subscript(self, base: str) -> Html:
        if self.touching("{"):
            return self.braced()
        if self.touching("("):  # l_(n+1)
            self.take()
            inside = list(self.pieces(")"))
            self.take()
            return _row(inside)
        parts = [_letters_and_digits(self.take())]
        while self.at < len(self.marks) and self.touching(self.next()) and re.fullmatch("[0-9]+|[a-z]+", self.next()):
            parts.append(_letters_and_digits(self.take()))
        if base == "X" and self.touching("("):  # X_i(j+t mod n): the column too is an index
            parts.append(self.group(self.take()))
        return _one(parts)

    def superscript(self) -> Html:
        parts = []
        minus = self.touching("-")
        if minus:
            self.take()
            parts.append(el("mo", "−"))
        if self.touching("{"):
            parts.append(self.braced())
        elif self.touching("("):
            self.take()
            begin = self.at
            inside = list(self.pieces(")"))
            depth, sums = 0, False
            for mark in self.marks[begin : self.at]:
                depth += (mark.text in _CLOSES) - (mark.text in (")", "]", "}"))
                sums = sums or (depth == 0 and mark.text in ("+", "-"))
            self.take()
            fence = el("mo", "("), el("mo", ")")
            parts.append(joined([fence[0], _row(inside), fence[1]]) if minus and sums else _row(inside))
        else:
            parts.append(_letters_and_digits(self.take()))
        while self.touching("+", "-"):  # delta^-d+1
            parts.append(el("mo", _SIGNS[self.take()]))
            parts.append(_letters_and_digits(self.take()))
        return _one(parts)

    def braced(self) -> Html:
        self.take()
        row = _row(list(self.pieces("}")))
        self.take()
        return row


def _is_word(mark: str) -> bool:
    if mark.startswith("lemma10.") or mark == "E.9":
        return True
    known = mark in _GREEK or mark in _FUNCTIONS or mark in _OPERATORS or mark in _PRODUCTS or mark in _NAMES
    return len(mark) > 1 and mark[0].isalpha() and not known


def _letters(text: str) -> Html:
    return joined(el("mi", letter) for letter in text)


def _letters_and_digits(mark: str) -> Html:
    if mark[0].isdigit():
        return el("mn", mark)
    if mark in _GREEK:
        return el("mi", _GREEK[mark])
    if not mark.isalpha():
        raise _Unreadable
    return el("mtext", mark) if len(mark) > 2 else _letters(mark)


def _one(parts: list[Html]) -> Html:
    return el("mrow", *parts)


def _row(pieces: list[_Piece]) -> Html:
    """Pieces side by side; `in` and `minus` between two formulas are signs, other words are set together as text."""
    parts: list[Html] = []
    words: list[str] = []

    def flush(*, spaced: bool) -> None:
        if words:
            before, after = "\u00a0" if parts else "", "\u00a0" if spaced else ""
            parts.append(el("mtext", before + " ".join(words) + after))
            words.clear()

    for k, piece in enumerate(pieces):
        between = 0 < k < len(pieces) - 1 and not pieces[k - 1].word and not pieces[k + 1].word
        if piece.word in ("in", "minus") and between:
            flush(spaced=True)
            parts.append(el("mo", "∈") if piece.word == "in" else el("mo", "\\", lspace="0.25em", rspace="0.25em"))
        elif piece.word:
            words.append(piece.word)
        else:
            flush(spaced=piece.html not in _STOPS)
            parts.append(piece.html)
            if piece.html in _STOPS and k < len(pieces) - 1 and not pieces[k + 1].word:
                parts.append(el("mspace", width="0.1em"))
    flush(spaced=False)
    return el("mrow", *parts)

"""Formulas in sentences: which parts of a text are one.

A formula is a run of words of which each is a letter, a number, a Greek name, a function with its parenthesis or an
operator (`N^d + 1`, `(d, n, N) = (1, 3, 4)`, `l~_n`), with something that ordinary prose doesn't have: one of
`_ ^ ~ = < >`, a Greek name, f(X), n-1. Or it is one letter, (d, n, N) or G+. Where a side of a relation is said in
words the rest is set: `an id >= 0`.
"""

import re
from collections.abc import Iterator
from html import unescape

from verifier.report.markup import Html, joined
from verifier.report.mathml import formula, mathml

_GREEK = "delta|lambda|epsilon|eps|phi|Phi|psi|Psi|eta|gamma|sigma|Delta"
_WORD = rf"[A-Za-z]|dn|nd|jd|kd|dN|ij|kT|LP|XP|max|min|mod|log|sum|inf|rank|gap|top|Attn|FF|{_GREEK}"
# Longer names, by what stands beside them: low_i, lt_{j+1}, floor(, base^t; (scores), 2^-bits.
_NAME = (
    r"[A-Za-z]+(?=_(?:[a-z0-9](?![A-Za-z0-9_])|[({]))|[A-Za-z]*[a-z]{2}(?=[(^])(?!\(s\))|hu(?=\.t_)"
    r"|(?<=\()(?:[a-z]{2,}(?=\))|distance)|(?<=\^)[a-z]+|(?<=\^-)[a-z]+"
)
_SIGN = r"[_^~'+\-*/=<>().,;:!?\[\]{}|]"
_CHUNK = re.compile(rf"(?:(?<![A-Za-z])(?:{_WORD}|{_NAME})(?![A-Za-z])|(?<=_)[a-z]{{1,4}}(?![a-z])|\d|{_SIGN})+")
_STRONG = re.compile(
    rf"[_^~=<>]|(?<![A-Za-z])(?:{_GREEK})(?![A-Za-z])|(?<![A-Za-z])G\+(?![A-Za-z0-9])|(?<![A-Za-z])[A-Za-z]\([A-Za-z]"
    r"|[A-Za-z)] [-+x] [A-Za-z0-9(]|\b[b-zA-Z][-+]1\b|\b[12]/[a-zA-Z]\b"
    r"|^\([A-Za-z](, [A-Za-z])+\)$|^[bdfhjklmnpqrtuxNBGLXSTKMPRVZ]$"
)
_OPERATORS = {"+", "-", "*", "/", ".", "->", "...", ".."}
_RELATIONS = {"=", "<", ">", "<=", ">=", "!="}
_PLACES = ("Appendix", "App.", "Part", "part", "Lemma", "Lemmas", "Table", "Figure")
_MEMBER = re.compile(r"[\[{(|]|[A-Z](?:[~+^_\W].*)?$")  # what `in` and `minus` are signs before


def is_formula(text: str) -> bool:
    """Whether all of the text is one."""
    if text in _RELATIONS:  # between words, or beside `code`
        return True
    chunks = text.split()
    return bool(
        _STRONG.search(text)
        and re.search("[A-Za-z0-9]", text)
        and all(_CHUNK.fullmatch(chunk) or chunk in ("in", "minus") for chunk in chunks)
        and mathml(text) is not None
    )


def sentence(text: str) -> Html:
    """The text, its formulas typeset."""
    return joined(formula(" ".join(part.split())) if found else part for part, found in pieces(text))


def typeset(page: Html) -> Html:
    """The page with the formulas of its text typeset: not of code, nor of pictures, nor of a sweep's steps, which the
    browser makes of a matrix that is typed in."""
    inside, step = 0, False
    made = []
    for part in re.split(r"(<[^>]*>)", page):
        if part == '<figure class="frame">' or (step and part == "</figure>"):
            step = not step
            inside += 1 if step else -1
        if tag := re.match(r"<(/?)(?:math|code|pre|svg)\b", part):
            inside += -1 if tag[1] else 1
        made.append(Html(part) if inside or part[:1] in ("<", "") else sentence(unescape(part)))
    return joined(made)


def pieces(text: str) -> Iterator[tuple[str, bool]]:
    """The text in pieces, each with whether it is a formula."""
    words = list(re.finditer(r"(\s*)(\"|[^\s\"]+)", text))
    run = ""
    for k, word in enumerate(words):
        before, after = (words[j][2] if 0 <= j < len(words) else "" for j in (k - 1, k + 1))
        if _of_a_formula(word[2], before, after) or (run and _joins(word[2], before, after)):
            run += word[0]
        else:
            yield from _run(run)
            yield word[0], False
            run = ""
    yield from _run(run)
    yield text[words[-1].end() if words else 0 :], False


def _of_a_formula(word: str, before: str, after: str) -> bool:
    if word in ("a", "A", "I", "a,"):  # an article, mostly
        return word == "a" and after in ("=", "<", ">", "<=", ">=")
    if re.match(r"\(?[A-Z]\.\d", word) or (
        re.fullmatch(r"[A-Z]\W*", word) and before.lstrip("(") in _PLACES
    ):  # App. B.5, Appendix C
        return False
    return word not in ("(", ")") and _CHUNK.fullmatch(word) is not None


def _joins(word: str, before: str, after: str) -> bool:
    """`in` and `minus` between two formulas are signs."""
    left = before[-1:].isalpha() or before[-1:] in ")~+'"
    return word in ("in", "minus") and left and bool(_MEMBER.match(after) and _CHUNK.fullmatch(after))


def _run(run: str) -> Iterator[tuple[str, bool]]:
    """The formulas of a run, separated at brackets that belong to the sentence and at commas outside brackets."""
    for piece in (piece for part in _balanced(run) for piece in _pieces(part)):
        before, found, after = _trimmed(piece)
        if is_formula(found):
            yield from ((before, False), (found, True), (after, False))
        else:
            yield piece, False


def _balanced(run: str) -> Iterator[str]:
    """The run, cut at its brackets without a partner; at all bars, if one has none."""
    opened, alone = [], []
    for k, letter in enumerate(run):
        if letter in "([{":
            opened.append(k)
        elif letter in ")]}" and opened:
            opened.pop()
        elif letter in ")]}" or (letter == "|" and run.count("|") % 2):
            alone.append(k)
    begin = 0
    for k in sorted(opened + alone):
        yield from (run[begin:k], run[k])
        begin = k + 1
    yield run[begin:]


def _pieces(run: str) -> Iterator[str]:
    depth = begin = 0
    for k, letter in enumerate(run):
        depth += (letter in "([{") - (letter in ")]}")
        if depth <= 0 and (
            (letter in ",;:" and not run[k + 1 : k + 2].isdigit())
            or (letter == "." and run[k - 1] not in " ." and not re.match(r"[.a-z]", run[k + 1 : k + 2]))
        ):
            yield run[begin : k + 1]
            begin, depth = k + 1, 0
    yield run[begin:]


def _trimmed(piece: str) -> tuple[str, str, str]:
    """The formula in a piece, without operators and stops at its ends."""
    begin, end = 0, len(piece)
    while words := piece[begin:end].split():
        first, last = words[0], words[-1]
        begin, end = piece.index(first, begin), piece.rindex(last, begin, end) + len(last)
        if last[-1] in ",;:?" or (last[-1] == "." and not last.endswith("...")):
            end -= 1
        elif first in _OPERATORS:
            begin += len(first)
        elif last in _OPERATORS:
            end -= len(last)
        else:
            break
    return piece[:begin], piece[begin:end], piece[end:]

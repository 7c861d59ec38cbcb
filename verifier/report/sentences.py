"""Formulas in prose: finds them in sentences, and makes them MathML.

A formula is a run of words of which each is a letter, a number, a Greek name or an operator (`N^d + 1`,
`(d, n, N) = (1, 3, 4)`, `l~_n`), with a sign that ordinary prose doesn't have: `_ ^ ~ = < >` or a Greek name.
Links, headings, indented lines and HTML stay as they are, and `code` too, where nothing else is said.
"""

import re
from collections.abc import Callable, Iterator

from verifier.report.mathml import formula, mathml

_GREEK = "delta|lambda|epsilon|eps|phi|Phi|psi|eta|gamma"
_KEPT = re.compile(
    r"^(?:```|~~~)[^\n]*\n.*?^(?:```|~~~)[^\n]*$|^#[^\n]*$|^    [^\n]*$|^<[^\n]*$|^[ ]*(?:[-*]|\d+\.)[ ]|\n[ ]*\n"
    r"|`[^`]*`|\]\([^)]*\)|<[^>\n]*>|\*\*|\\?\||https?://\S+",
    re.M | re.S,
)
_WORD = rf"[A-Za-z]|dn|nd|jd|kd|dN|LP|XP|max|min|mod|{_GREEK}"
_SIGN = r"[_^~'+\-/=<>().,;:!\[\]{}]"
_CHUNK = re.compile(rf"(?:(?<![A-Za-z])(?:{_WORD})(?![A-Za-z])|(?<=_)[a-z]+|\d|{_SIGN})+")
# What makes a run of words a formula: a sign, a Greek name, G+, g(X), f + 1; or it is one letter.
_STRONG = re.compile(
    rf"[_^~=<>]|(?<![A-Za-z])(?:{_GREEK})(?![A-Za-z])|^G\+$|[a-z]\([A-Z]'?\)|[A-Za-z)] [-+x] [A-Za-z0-9(]"
    r"|^[bdfhjklmnpqrtuxN]$"
)
_OPERATORS = {"+", "-", "/", ".", "=", "<", ">", "<=", ">=", "!=", "->", "..."}


def typeset(text: str, code: Callable[[str], str] = str) -> str:
    """Markdown with its formulas as MathML; `code` says what becomes of `code`."""
    parts, at = [], 0
    for kept in _KEPT.finditer(text):
        is_code = kept[0].startswith("`") and not kept[0].startswith("```")
        parts += [sentence(text[at : kept.start()]), code(kept[0]) if is_code else kept[0]]
        at = kept.end()
    return "".join([*parts, sentence(text[at:])])


def in_code(code: str) -> str:
    """A formula in `code`, which is no name and no command."""
    words = " ".join(code.strip("`").split())
    return str(formula(words)) if _is_formula(words) and not words.isidentifier() else code


def _is_formula(text: str) -> bool:
    chunks = text.split()
    return bool(
        _STRONG.search(text)
        and re.search("[A-Za-z0-9]", text)
        and all(_CHUNK.fullmatch(chunk) for chunk in chunks)
        and mathml(text) is not None
    )


def sentence(text: str, other: Callable[[str], str] = str) -> str:
    """Words with their formulas as MathML; `other` says what becomes of the words between them."""
    made, run, at = [], "", 0
    for word in re.finditer(r"(\s*)(\S+)", text):
        if _CHUNK.fullmatch(word[2]) and word[2] not in ("a", "A", "I", "(", ")"):
            run += word[0]
        else:
            made += [*_run(run, other), other(word[0])]
            run = ""
        at = word.end()
    return "".join([*made, *_run(run, other), other(text[at:])])


def _run(run: str, other: Callable[[str], str]) -> Iterator[str]:
    """The formulas of a run, separated at commas outside parentheses."""
    for piece in _pieces(run):
        before, formula_, after = _trimmed(piece)
        if _is_formula(formula_):
            yield f"{other(before)}{formula(' '.join(formula_.split()))}{other(after)}"
        else:
            yield other(piece)


def _pieces(run: str) -> Iterator[str]:
    depth = begin = 0
    for k, letter in enumerate(run):
        depth += (letter in "([{") - (letter in ")]}")
        if depth <= 0 and (
            (letter in ",;:" and not run[k + 1 : k + 2].isdigit())
            or (letter == "." and run[k - 1] not in " ." and run[k + 1 : k + 2] != ".")
        ):
            yield run[begin : k + 1]
            begin, depth = k + 1, 0
    yield run[begin:]


def _trimmed(piece: str) -> tuple[str, str, str]:
    """The formula in a piece, without operators at its ends or a parenthesis that belongs to the sentence."""
    begin, end = 0, len(piece)
    while words := piece[begin:end].split():
        first, last = words[0], words[-1]
        begin, end = piece.index(first, begin), piece.rindex(last, begin, end) + len(last)
        depth = _depth(piece[begin:end])
        if first[0] in "([" and depth > 0:
            begin += 1
        elif (last[-1] in ")]" and depth < 0) or last[-1] in ",;:" or (last[-1] == "." and not last.endswith("...")):
            end -= 1
        elif first in _OPERATORS:
            begin += len(first)
        elif last in _OPERATORS:
            end -= len(last)
        else:
            break
    return piece[:begin], piece[begin:end], piece[end:]


def _depth(text: str) -> int:
    return sum((letter in "([{") - (letter in ")]}") for letter in text)

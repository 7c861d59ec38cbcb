"""SYMBOLIC 2: polynomials as the file writes them, and index expressions, symbol + number."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass
from itertools import pairwise

from ..core.comparing import OverLimit
from ..core.reading import Unreadable, brief
from ..core.ring import Monomial, Poly, add, atom, number, product
from ..page.tree import Parser, Tree
from ..page.words import Refused, words_of

Index = tuple[str, int]  # symbol + number; ("", 3) is 3
Place = dict[str, Index]
Bound = tuple[Index, Index]  # the first is at most the second

MOST_DEGREE, MOST_PRODUCTS = 50, 4 * 10**7  # n = 5 takes 11, and 12 million
_INDEX = re.compile("[ijmndef](?:[+-][1-9][0-9]{0,3})?|0|-?[1-9][0-9]{0,3}")
_ATOM = re.compile(r"([A-Za-z]+[0-9]*'?)(?:\[([^\]]*)\])?")
_FACTOR = re.compile(rf"([A-Za-z]+[0-9]*'?(?:\[(?:{_INDEX.pattern})\])?)(?:\^([1-9][0-9]{{0,2}}))?")


@dataclass
class Work:
    """How many products of atoms a file may still use, so that the check of every file ends."""

    left: int = MOST_PRODUCTS

    def spend(self, products: int) -> None:
        self.left -= products
        if self.left < 0:
            raise OverLimit(f"the file costs more than {MOST_PRODUCTS:,} products of atoms")


def size(p: Poly) -> int:
    """The cost of going through a polynomial: its atoms, and one more for each term."""
    return sum(map(len, p)) + len(p)


def replace(p: Poly, name: str, by: Poly, work: Work | None = None) -> Poly:
    """p with a polynomial in the place of an atom, by Horner's rule."""
    work = work or Work()
    work.spend(size(p))
    parts: dict[int, Poly] = {}
    for monomial, c in p.items():
        exponent = dict(monomial).get(name, 0)
        parts.setdefault(exponent, {})[tuple(f for f in monomial if f[0] != name)] = c
    out: Poly = {}
    for exponent in range(max(parts, default=0), -1, -1):
        work.spend(size(out) * len(by) + len(out) * size(by))
        out = add(product(out, by), parts.get(exponent, {}))
    return out


def text(p: Poly) -> str:
    """The one way to write it: by falling degree, then by the monomial's text."""

    def written(monomial: Monomial) -> str:
        return "*".join(name if exponent == 1 else f"{name}^{exponent}" for name, exponent in monomial)

    terms = sorted((-sum(e for _, e in monomial), written(monomial), c) for monomial, c in p.items())
    out = ""
    for _, name, c in terms:
        size = name if name and abs(c) == 1 else f"{abs(c)}*{name}" if name else f"{abs(c)}"
        out += (" - " if c < 0 else " + ") + size
    return ("-" if out.startswith(" -") else "") + out[3:] if out else "0"


def read(words: str, place: str) -> Poly:
    """A polynomial of the file, which has to be written as `text` writes it."""
    out: Poly = {}
    signed = [] if words == "0" else re.split(r" ([+-]) ", f"- {words[1:]}" if words[:1] == "-" else f"+ {words}")
    if signed:
        signed[:1] = [signed[0][0], signed[0][2:]]
    for sign, term in zip(signed[::2], signed[1::2], strict=True):
        size, _, rest = term.partition("*") if term[:1].isdigit() else ("1", "", term)
        powers: dict[str, int] = {}
        for factor in rest.split("*") if rest else []:
            match = _FACTOR.fullmatch(factor)
            if match is None:
                raise Unreadable(f"{place}: {brief(words)} is no polynomial")
            powers[match[1]] = int(match[2] or 1)
        if not re.fullmatch("[1-9][0-9]{0,999}", size):
            raise Unreadable(f"{place}: {brief(words)} is no polynomial")
        if (degree := sum(powers.values())) > MOST_DEGREE:
            raise OverLimit(f"{place}: a term of degree {degree}, more than {MOST_DEGREE}")
        out[tuple(sorted(powers.items()))] = int(size) * (-1 if sign == "-" else 1)
    if text(out) != words:
        raise Unreadable(f"{place}: {brief(words)} is not written as SYMBOLIC 2 has it")
    return out


def index(words: str) -> Index:
    """`j+1`, `m`, `3`."""
    if not _INDEX.fullmatch(words):
        raise Unreadable(f"{brief(words)} is no index")
    symbol = words[:1] if words[:1].isalpha() else ""
    return symbol, int(words[len(symbol) :] or 0)


def index_text(place: Index) -> str:
    symbol, c = place
    return f"{symbol}{c:+d}" if symbol and c else symbol or f"{c}"


def moved(place: Index, at: dict[str, Index]) -> Index:
    """An index expression with others in the place of its symbol."""
    symbol, c = at.get(place[0], (place[0], 0))
    return symbol, c + place[1]


def places(bound: tuple[Bound, ...], at: Place) -> tuple[Bound, ...]:
    return tuple((moved(low, at), moved(high, at)) for low, high in bound)


def pinned(range_: tuple[Bound, ...]) -> Place:
    """`n<=m<=n` says that m is n, `1<=d<=1` that d is 1."""
    same = [(low, name) for low, (name, shift) in range_ if ((name, shift), low) in range_ and not shift]
    return {name: low for low, name in same if name in ("d", "m", "n") and low[0] in ("", "n")}


def follows(wanted: Bound, known: tuple[Bound, ...]) -> bool:
    """Whether a <= b follows from others: a path from a to b in the graph of differences (Bellman and Ford)."""
    (start, shift), (end, end_shift) = wanted
    far = {start: 0}  # start <= symbol + far[symbol]
    for _ in known:
        for (low, low_shift), (high, high_shift) in known:
            if low in far:
                reached = far[low] + high_shift - low_shift
                far[high] = min(reached, far.get(high, reached))
    return end in far and far[end] + shift <= end_shift


def instance(p: Poly, at: dict[str, Index], twofold: Container[str] = ()) -> Poly:
    """p with index expressions in the place of index symbols, inside brackets and out; of a second context, whose own
    sequences have a ' after their names."""
    out: Poly = {}
    for monomial, c in p.items():
        term = number(c)
        for name, exponent in monomial:
            if name in at:  # the index as a number
                symbol, shift = at[name]
                factor = add(atom(symbol) if symbol else {}, number(shift))
            else:
                head, inside = _ATOM.fullmatch(name).groups()  # type: ignore[union-attr]
                head = f"{head}'" if head in twofold else head
                factor = atom(f"{head}[{index_text(moved(index(inside), at))}]" if inside else head)
            for _ in range(exponent):
                term = product(term, factor)
        out = add(out, term)
    return out


def poly(tree: Tree) -> Poly:
    """The polynomial that an expression of the language is."""
    if tree.op == "number":
        return number(int(tree.value))
    if tree.op == "name":
        return atom(tree.word)
    if tree.op == "index" and tree.parts[0].op == "name":
        return atom(f"{tree.parts[0].word}[{index_text(index_of(tree.parts[1]))}]")
    out: Poly = {}
    if tree.op == "+":
        for part, sign in zip(tree.parts, tree.signs, strict=True):
            out = add(out, poly(part), -1 if sign == "-" else 1)
        return out
    if tree.op == "*" and set(tree.signs) == {"*"}:
        out = number(1)
        for part in tree.parts:
            out = product(out, poly(part))
        return out
    if tree.op == "^" and tree.parts[1].op == "number" and 0 < tree.parts[1].value <= MOST_DEGREE:
        out = number(1)
        for _ in range(int(tree.parts[1].value)):
            out = product(out, poly(tree.parts[0]))
        return out
    raise Refused(tree.place, "a polynomial with whole coefficients is expected here")


def index_of(tree: Tree) -> Index:
    """The index expression that an expression of the language is."""
    match poly(tree), tree.op:
        case p, "number" | "name" | "+" if set(p) <= {(), *(((x, 1),) for x in "ijmndef")} and len(set(p) - {()}) < 2:
            (symbol,) = [m[0][0] for m in p if m] or [""]
            if not symbol or p[((symbol, 1),)] == 1:
                return symbol, p.get((), 0)
    raise Refused(tree.place, "an index is expected here: a letter of i j m n d e f, a whole number, or their sum")


def formula(words: str) -> Poly:
    """A polynomial in the language's words."""
    parser = Parser(words_of(words.strip()))
    found = poly(parser.sum())
    parser.line_ends()
    return found


def bounds(words: str) -> tuple[Bound, ...]:
    """`1<=j<=m-1, 2<=m` as pairs."""
    out: list[Bound] = []
    for chain in filter(None, words.replace(" ", "").split(",")):
        out += pairwise(index(part) for part in chain.split("<="))
    return tuple(out)

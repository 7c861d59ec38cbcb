"""A range of a target on the cube, and how fast it changes: [a, b] and L for each row, with |f(X) - f(Y)| at most
L max |X - Y| there. They follow from an expression that adds, multiplies, and takes max, min, abs and sorted
(FORMAT-build.md, 4); else nothing is said.
"""

from dataclasses import dataclass
from typing import Any

from gmpy2 import mpq

from verifier.build.symbols import Symbol, Symbols, number
from verifier.core.exact import Q, Vector, text_of
from verifier.evaluate.definition import Reading
from verifier.evaluate.values import List, NotAffine
from verifier.language.page import Understood
from verifier.language.tree import Name


@dataclass(frozen=True)
class Modulus:
    """Of each row."""

    low: Vector
    high: Vector
    lipschitz: Vector

    def said(self) -> dict[str, list[str]]:
        return {name: list(map(text_of, row)) for name, row in vars(self).items()}


class Bound(Symbol):
    """A number that depends on X: its range on the cube, and its constant."""

    __slots__ = ("L", "high", "low")

    def __init__(self, low: mpq, high: mpq, L: mpq) -> None:
        self.low, self.high, self.L = low, high, L

    def __add__(self, other: Any) -> "Bound":
        e = bound(other)
        return Bound(self.low + e.low, self.high + e.high, self.L + e.L)

    def __mul__(self, other: Any) -> "Bound":
        e = bound(other)
        corners = [a * b for a in (self.low, self.high) for b in (e.low, e.high)]
        return Bound(min(corners), max(corners), self.size * e.L + e.size * self.L)

    __radd__, __rmul__ = __add__, __mul__

    @property
    def size(self) -> mpq:
        return max(abs(self.low), abs(self.high))


def bound(v: Any) -> Bound:
    c = number(v)
    return v if c is None else Bound(c, c, Q(0))


class Bounds(Symbols):
    def folded(self, name: str, values: list[Any]) -> Any:
        all_ = [bound(v) for v in values]
        lows, highs, L = sorted(v.low for v in all_), sorted(v.high for v in all_), max(v.L for v in all_)
        if name == "abs":
            low, high = lows[0], highs[0]
            return Bound(max(low, -high, Q(0)), max(-low, high), L)
        if name == "sorted":
            return List([Bound(low, high, L) for low, high in zip(lows, highs, strict=True)])
        return Bound(lows[-1], highs[-1], L) if name == "max" else Bound(lows[0], highs[0], L)


def of_page(understood: Understood, sizes: dict[str, int]) -> Modulus | None:
    """What the page says of its f, where it follows: f_low, f_high and lipschitz are lists of numbers for the rows."""
    page, reading = understood.page, Reading(understood, sizes)
    if (
        not {"f_low", "f_high", "lipschitz", "X", "d", "n"} <= {*page.definitions, *page.sizes}
        or "f" not in page.functions
    ):
        return None
    d, n = (int(reading.nothing(Name((0, 0), name), {})) for name in ("d", "n"))
    found = modulus(understood, sizes, d, n)
    stated = [reading.nothing(Name((0, 0), name), {}).items for name in ("f_low", "f_high", "lipschitz")]
    return found if found is not None and stated == [found.low, found.high, found.lipschitz] else None


def modulus(understood: Understood, sizes: dict[str, int], d: int, n: int) -> Modulus | None:
    """Of the page's f(j), j from 1 to n, where X is any d x n matrix of numbers from 0 to 1."""
    function = understood.page.functions["f"]
    case = Bounds(Reading(understood, sizes))
    case.kept["X"] = List([List([Bound(Q(0), Q(1), Q(1)) for _ in range(d)]) for _ in range(n)])
    try:
        columns = [case(function.body, {function.letters[0]: mpq(j)}).items for j in range(1, n + 1)]
        rows = list(zip(*([bound(entry) for entry in column] for column in columns), strict=True))
    except NotAffine:
        return None
    return Modulus(
        tuple(min(e.low for e in row) for row in rows),
        tuple(max(e.high for e in row) for row in rows),
        tuple(max(e.L for e in row) for row in rows),
    )

"""FORMAT-build 6: the orbits in order, and what is wanted on each."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from ..core.comparing import Rejected, compare
from ..core.reading import Unreadable, brief, fits, text_of
from . import expression
from .distance import Bounds
from .expression import Term
from .form import ZERO, Column, Shape
from .reading import Rows, members, number, rows, texts


class Targets(NamedTuple):
    """The targets by orbit and column, rounded and (where known) before rounding; and what holds on all of the cube."""

    rounded: list[list[Column] | None]
    plain: list[list[Column] | None]
    bounds: Bounds | None


def by_columns(X: Rows) -> list[Column]:
    return list(zip(*X, strict=True))


def read(cert: dict[str, Any], s: Shape) -> Targets:
    """Every orbit's target: of an expression it is derived, else it is as the certificate gives it."""
    target = cert["target"]
    kind = target.get("kind") if type(target) is dict else None
    bounds = None
    if kind == "expression":
        members(target, ("kind", "text"), "target")
        if type(target["text"]) is not str:
            raise Unreadable("target.text: a text belongs there")
        terms = expression.rows(target["text"], s.d, s.n, positional=s.positional)
        bounds = Bounds([(t.low, t.high) for t in terms], [t.lipschitz for t in terms], terms)
    elif kind == "table":
        members(target, ("kind",), "target")
    elif kind == "function":
        bounds = of_function(members(target, ("kind", "range", "lipschitz"), "target"), s)
    else:
        raise Unreadable("target.kind: expression, table or function belongs there")
    paper = cert["form"] == "paper"
    quantum, shift = None if paper else quantum_of(cert), ZERO if paper else s.delta / 2
    if len(cert["orbits"]) != s.cases:
        raise Rejected("FORMAT-build 7", "orbits", f"{s.cases} of them", f"{len(cert['orbits'])}")
    made = Targets([], [], bounds)
    for k, (numbers, orbit) in enumerate(zip(s.numbered(), cert["orbits"], strict=True)):
        L, place = s.corner(numbers), f"orbits[{k}]"
        compare(texts(L), orbit["matrix"], f"{place}.matrix", "FORMAT 2, orbits in order")
        if bounds is not None and bounds.terms is not None:
            A = values(bounds.terms, L, s, shift)
            made.plain.append(by_columns(A))
            made.rounded.append(by_columns(derived(A, orbit["target"], quantum, f"{place}.target")))
        else:
            made.plain.append(None)
            made.rounded.append(given(orbit["target"], s, quantum, f"{place}.target", holes=kind == "table"))
    return made


def quantum_of(cert: dict[str, Any]) -> Fraction:
    quantum = number(cert["parameters"]["quantum"], "parameters.quantum")
    if quantum.numerator != 1 or quantum.denominator.bit_count() != 1:
        raise Rejected("FORMAT-build 6", "parameters.quantum", "2^-b", text_of(quantum))
    return quantum


def of_function(target: dict[str, Any], s: Shape) -> Bounds | None:
    """The range and the constant of a function, as they are given; nothing if they aren't."""
    if target["range"] is None or target["lipschitz"] is None:
        return None
    ranges = rows(target["range"], "target.range")
    fits(["rational"], target["lipschitz"], "target.lipschitz")
    L = [number(x, "target.lipschitz") for x in target["lipschitz"]]
    if (len(ranges), len(ranges[0]), len(L)) != (s.d, 2, s.d) or min(L) < 0 or any(a > b for a, b in ranges):
        raise Unreadable("target: a range [a, b] and a constant belong there for each row")
    return Bounds([(a, b) for a, b in ranges], L, None)


def values(terms: list[Term], L: Rows, s: Shape, shift: Fraction) -> Rows:
    """The expression at the centre of a cell, or at its corner."""
    X = [[x + shift for x in row] for row in L]
    return [[term.at(X, i, j) for j in range(s.n)] for i, term in enumerate(terms)]


def derived(A: Rows, said: Any, quantum: Fraction | None, place: str) -> Rows:
    """A rounded to multiples of the quantum (if there is one), halves up; the certificate must say the same."""
    rounded = A if quantum is None else [[(2 * x / quantum + 1) // 2 * quantum for x in row] for row in A]
    compare(texts(rounded), said, place, "FORMAT-build 6, the target of the expression")
    return rounded


def given(said: Any, s: Shape, quantum: Fraction | None, place: str, *, holes: bool) -> list[Column] | None:
    """A target of a table or a function."""
    if said is None:
        if not holes:
            raise Rejected("FORMAT-build 7", place, "the value of the function", "null")
        return None
    A = rows(said, place)
    if (len(A), len(A[0])) != (s.d, s.n):
        raise Rejected("FORMAT-build 7", place, f"a {s.d} x {s.n} matrix", f"a {len(A)} x {len(A[0])} one")
    if quantum is not None and any((x / quantum).denominator != 1 for row in A for x in row):
        raise Rejected("FORMAT-build 6", place, f"multiples of {quantum}", brief(said))
    return by_columns(A)

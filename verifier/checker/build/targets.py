"""FORMAT-build 6: the orbits in order, and what is wanted on each."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from ..core.comparing import Rejected, compare
from ..core.reading import Unreadable, text_of
from .form import ZERO, Column, Shape
from .reading import Rows, number, texts
from .target import Target


class Targets(NamedTuple):
    """The targets by orbit and column, rounded and before rounding; and the function itself."""

    rounded: list[list[Column]]
    plain: list[list[Column]]
    f: Target


def by_columns(X: Rows) -> list[Column]:
    return list(zip(*X, strict=True))


def read(cert: dict[str, Any], s: Shape, times: int) -> Targets:
    """Every orbit's target, derived."""
    if type(cert["target"]) is not str:
        raise Unreadable("target: a text belongs there")
    f = Target(cert["target"], s.d, s.n, s.N, positional=s.positional, times=times)
    paper = cert["form"] == "paper"
    quantum, shift = None if paper else quantum_of(cert), ZERO if paper else s.delta / 2
    if len(cert["orbits"]) != s.cases:
        raise Rejected("FORMAT-build 7", "orbits", f"{s.cases} of them", f"{len(cert['orbits'])}")
    made = Targets([], [], f)
    corners = [s.corner(numbers) for numbers in s.numbered()]
    values = f.values([[x + shift for x in row] for row in L] for L in corners)
    for k, (L, A, orbit) in enumerate(zip(corners, values, cert["orbits"], strict=True)):
        place = f"orbits[{k}]"
        compare(texts(L), orbit["matrix"], f"{place}.matrix", "FORMAT 2, orbits in order")
        made.plain.append(by_columns(A))
        made.rounded.append(by_columns(derived(A, orbit["target"], quantum, f"{place}.target")))
    return made


def quantum_of(cert: dict[str, Any]) -> Fraction:
    quantum = number(cert["parameters"]["quantum"], "parameters.quantum")
    if quantum.numerator != 1 or quantum.denominator.bit_count() != 1:
        raise Rejected("FORMAT-build 6", "parameters.quantum", "2^-b", text_of(quantum))
    return quantum


def derived(A: Rows, said: Any, quantum: Fraction | None, place: str) -> Rows:
    """A rounded to multiples of the quantum (if there is one), halves up; the certificate must say the same."""
    rounded = A if quantum is None else [[(2 * x / quantum + 1) // 2 * quantum for x in row] for row in A]
    compare(texts(rounded), said, place, "FORMAT-build 6, the target")
    return rounded

"""Parts of JSON: objects, rationals, matrices."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ..core.reading import Unreadable, brief, rational

Rows = list[list[Fraction]]  # a vector has one column


def number(text: Any, place: str) -> Fraction:
    return Fraction(*rational(text, place))


def rows(value: Any, place: str) -> Rows:
    """A matrix: rows of one length, none empty."""
    if type(value) is not list or not value or any(type(row) is not list for row in value):
        raise Unreadable(f"{place}: a list of rows belongs there")
    if not value[0] or any(len(row) != len(value[0]) for row in value):
        raise Unreadable(f"{place}: rows of one length belong there, and none is empty")
    return [[number(x, f"{place}[{i}][{j}]") for j, x in enumerate(row)] for i, row in enumerate(value)]


def members(value: Any, names: tuple[str, ...], place: str) -> dict[str, Any]:
    """An object with these members and no others."""
    if type(value) is not dict:
        raise Unreadable(f"{place}: an object belongs there")
    for name in value:
        if name not in names:
            raise Unreadable(f"{place}: unknown member {brief(name)}")
    for name in names:
        if name not in value:
            raise Unreadable(f"{place}: member {name} is missing")
    return value

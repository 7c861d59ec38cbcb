"""Targets that are given in a file: what the value map should make of each context of G~.

A JSON list of {"matrix": L, "target": A}, each a list of d rows of n rationals written as strings, one for each orbit
of G~, the columns of L in any order; column j of A is the target of column j of L.
"""

import json
from dataclasses import dataclass
from itertools import combinations, product
from math import comb
from typing import Any

from gmpy2 import mpq

from verifier.core.exact import (
    Matrix,
    NotExact,
    Q,
    Vector,
    columns_of,
    dot,
    from_columns,
    matrix_text,
    parse_rational,
    shown,
)
from verifier.papers.yun2020.instance import Instance
from verifier.papers.yun2020.value_map import Targets


class BadTargets(ValueError):
    """A text that doesn't give a target for each orbit of G~; the message says what is wrong, and where."""


@dataclass(frozen=True)
class _Bare:
    """A number without quotes in the file."""

    text: str


def parse(text: str, instance: Instance) -> Targets:
    """The targets in a text, exactly one for each orbit of G~."""
    table = read(text, instance)
    missing = comb(instance.B, instance.n) - len(table)
    if missing:
        first = next(L for L in contexts(instance) if L not in table)
        raise BadTargets(f"orbits of G~ that have no target: {missing}; the first is [{matrix_text(first)}]")
    return table.__getitem__


def read(text: str, instance: Instance, *, repeated: bool = False, ordered: bool = False) -> dict[Matrix, Matrix]:
    """The targets in a text, by L, whose columns are sorted by id, unless `ordered`: then L is taken as it is.

    With `repeated` (or `ordered`) L may have equal columns."""
    items = _json(text)
    if type(items) is not list:
        raise BadTargets('the file must hold a list of {"matrix": ..., "target": ...}')
    table: dict[Matrix, Matrix] = {}
    for number, item in enumerate(items, start=1):
        where = f"item {number}"
        if type(item) is not dict or set(item) != {"matrix", "target"}:
            raise BadTargets(f'{where}: it must have "matrix" and "target", and nothing else')
        L, A = (_matrix(item[name], instance, f"{where}, {name}") for name in ("matrix", "target"))
        _refuse_outside(L, instance, f"{where}, matrix")
        if not (repeated or ordered) and len(set(columns_of(L))) < instance.n:
            raise BadTargets(
                f"{where}, matrix: [{matrix_text(L)}] has two equal columns; targets are for matrices of G~"
            )
        if not ordered:
            order = sorted(range(instance.n), key=lambda j: dot(instance.u, columns_of(L)[j]))
            L, A = (from_columns(tuple(columns_of(X)[j] for j in order)) for X in (L, A))
        if L in table:
            raise BadTargets(f"{where}: {'' if ordered else 'the orbit of '}[{matrix_text(L)}] is given twice")
        table[L] = A
    return table


def contexts(instance: Instance) -> "map[Matrix]":
    """Each orbit of G~, its columns by increasing id, in the order of their ranks."""
    columns = sorted(product(instance.entries, repeat=instance.d), key=lambda c: dot(instance.u, c))
    return map(from_columns, combinations(columns, instance.n))


def _json(text: str) -> Any:
    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        names = [name for name, _ in items]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise BadTargets(f"{shown(twice)} occurs twice in one item")
        return dict(items)

    try:
        return json.loads(text, object_pairs_hook=pairs, parse_int=_Bare, parse_float=_Bare, parse_constant=_Bare)
    except json.JSONDecodeError as error:
        raise BadTargets(f"line {error.lineno}, column {error.colno}: no JSON: {error.msg}") from error
    except RecursionError as error:
        raise BadTargets("the file is nested too deeply") from error


def _matrix(rows: Any, instance: Instance, where: str) -> Matrix:
    d, n = instance.d, instance.n
    if type(rows) is not list or len(rows) != d:
        raise BadTargets(f"{where}: it must be a list of {d} rows")
    for i, row in enumerate(rows, start=1):
        if type(row) is not list or len(row) != n:
            raise BadTargets(f"{where}, row {i}: it must be a list of {n} entries")
    return tuple(_row(row, f"{where}, row {i}") for i, row in enumerate(rows, start=1))


def _row(row: list[Any], where: str) -> Vector:
    return tuple(_entry(entry, f"{where}, entry {j}") for j, entry in enumerate(row, start=1))


def _entry(entry: Any, where: str) -> mpq:
    if type(entry) is not str:
        what = f"{shown(entry.text)} stands without quotes" if type(entry) is _Bare else "it is no string"
        raise BadTargets(f'{where}: {what}; numbers are strings such as "3", "-5" or "3/4"')
    try:
        return parse_rational(entry)
    except NotExact as error:
        raise BadTargets(f"{where}: {error}") from error


def _refuse_outside(L: Matrix, instance: Instance, where: str) -> None:
    for i, row in enumerate(L, start=1):
        for j, x in enumerate(row, start=1):
            if not (0 <= x < Q(1) and int((instance.N * x).denominator) == 1):
                raise BadTargets(f"{where}, row {i}, entry {j}: {x} is none of 0, delta, ..., 1-delta")

"""Functions for checks that run once for many cases; for a single case, each does what Python's own does.

A comparison of many cases (core/lanes.py) has no single truth value, so `if`, `max` and a table's `[]` divide the cases
or make them be checked one by one. These functions don't.
"""

import sys
from collections.abc import Callable, Iterable, Sequence
from operator import gt, lt
from typing import Any

from verifier.core.exact import type_of_rational

_ALONE = {bool, int, type_of_rational}


def _lanes() -> Any:
    """The module of lanes, if it is loaded; if it isn't, there are no lanes."""
    return sys.modules.get("verifier.core.lanes")


def choose(where: Any, yes: Any, no: Any) -> Any:
    """`yes if where else no`."""
    if type(where) is bool:
        return yes if where else no
    return _lanes().choose(where, yes, no)


def largest(values: Iterable[Any]) -> Any:
    """max(values)."""
    return _extreme(list(values), max, gt)


def smallest(values: Iterable[Any]) -> Any:
    """min(values)."""
    return _extreme(list(values), min, lt)


def _extreme(values: list[Any], alone: Callable[[list[Any]], Any], beyond: Callable[[Any, Any], Any]) -> Any:
    if all(type(value) in _ALONE for value in values):
        return alone(values)
    found = values[0]
    for value in values[1:]:
        found = choose(beyond(value, found), value, found)
    return found


def in_order(values: Iterable[Any]) -> list[Any]:
    """sorted(values)."""
    found = list(values)
    for last in range(len(found) - 1, 0, -1):  # the largest goes to the end, step by step
        for k in range(last):
            wrong = found[k] > found[k + 1]
            found[k], found[k + 1] = choose(wrong, found[k + 1], found[k]), choose(wrong, found[k], found[k + 1])
    return found


def average(values: Sequence[Any], where: Sequence[Any]) -> Any:
    """The mean of those values of which `where` holds; of one at least."""
    total = sum(choose(yes, value, 0) for yes, value in zip(where, values, strict=True))
    count = sum(choose(yes, 1, 0) for yes in where)
    return total if certain(count == 1) else total / count


def is_many(value: Any) -> bool:
    """Whether it is a number for each of many cases."""
    lanes = _lanes()
    return lanes is not None and type(value) is lanes.Lanes


def is_whole(value: Any) -> Any:
    """Whether it is a whole number."""
    return value.denominator == 1 if type(value) in _ALONE else value.is_whole()


def denominator(value: Any) -> Any:
    """Its denominator in lowest terms."""
    return int(value.denominator) if type(value) in _ALONE else value.denominators()


def written(value: Any) -> str:
    """The number in a relation's text; of many numbers "...", for a relation that stands out is made again of its own
    case alone."""
    return str(value) if type(value) in _ALONE else "..."


def certain(where: Any) -> bool:
    """Whether it holds; for many cases, whether it holds in all of them."""
    return where if type(where) is bool else bool(where.where.all())


def differ(a: Any, b: Any) -> bool:
    """Whether they differ; for many cases, whether they do in any. The relation that says they are equal then says
    where.

    For checks that yield only what differs: those of claims with `silence_holds`, or that yield something else anyway.
    """
    if type(a) is tuple and type(b) is tuple and len(a) == len(b):
        return any(map(differ, a, b))
    return not certain(a == b)


def each(function: Callable[..., Any], *arguments: Any) -> Any:
    """function(*arguments), case by case."""
    lanes = _lanes()
    if lanes is None or not (count := lanes.count(arguments)):
        return function(*arguments)
    rows: Sequence[Any] = lanes.alone(arguments, count)
    return lanes.joined([function(*row) for row in rows])

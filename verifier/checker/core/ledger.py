"""A claim's relations, made for many cases at a time, and a ledger that keeps the tightest and counts failures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from operator import ne, sub
from typing import Any, NamedTuple

from .reading import text_of

Key = tuple[int, ...]  # what a relation is about: (), a rank, or two ranks; the order of keys is the order of cases


def rational(value: int, unit: int) -> str:
    """FORMAT 1: value/unit in lowest terms."""
    return text_of(Fraction(value, unit))


class Made(NamedTuple):
    """`name op bound_name` for many cases: whole numbers (in 1/unit; delta if 0), or lists of them if op is `=`. A
    value None: not made for this case. One bound serves for all. Keys: the cases' own unless given."""

    name: str
    op: str
    bound_name: str
    values: Sequence[Any]
    bounds: Any
    keys: Sequence[Any] | None = None
    unit: int = 0


class Relation(NamedTuple):
    """A relation that is kept: the tightest of its edge, or the first that fails; of two the smaller is kept."""

    slack: int
    key: Key
    order: int
    text: str
    value: Any
    bound: Any
    unit: int


def written(value: Any, unit: int) -> Any:
    """FORMAT 1: a value: a rational, or a list of values."""
    return rational(value, unit) if isinstance(value, int) else [written(part, unit) for part in value]


class Ledger:
    """What a claim keeps of its relations: cases, failing cases, the first failure, the tightest of each edge."""

    def __init__(self) -> None:
        self.cases = self.failing = self._order = 0
        self.first: Relation | None = None
        self.edges: dict[str, Relation] = {}
        self._broken: set[Any] = set()

    def hold(self, made: Made, ranks: Sequence[Any], delta_unit: int) -> None:
        """Records which of the relations just made fail, and which are the tightest."""
        name, op, bound_name, values, bounds, keys, unit = made
        self._order += 1
        keys, unit = ranks if keys is None else keys, unit or delta_unit
        several = bounds if isinstance(bounds, list) else [bounds] * len(values)
        if not len(keys) == len(values) == len(several):
            raise ValueError(f"{name}: {len(values)} values, {len(several)} bounds, {len(keys)} cases")
        if None in values:
            there = [k for k, v in enumerate(values) if v is not None]
            keys, values, several = ([part[k] for k in there] for part in (keys, values, several))
        if not values or (op == "=" and values == several):
            return
        if op == "=":
            margins = [-differ for differ in map(ne, values, several)]
        else:
            margins = list(map(sub, values, several) if op[0] == ">" else map(sub, several, values))
        least = 1 if op in ("<", ">") else 0  # the margin at which it holds, values being whole numbers
        edge, tightest = f"{re.sub('_[0-9]+', '_j', name)} {op} {bound_name}", min(margins)
        if edge in self.edges and tightest > self.edges[edge].slack:
            return

        def first(margin_is: set[int]) -> Relation:
            at = min((keys[k], k) for k, margin in enumerate(margins) if margin in margin_is)
            key, k = (at[0],) if isinstance(at[0], int) else at[0], at[1]
            value, bound = written(values[k], unit), written(several[k], unit)
            return Relation(margins[k], key, self._order, f"{name} {op} {bound_name}", value, bound, unit)

        wrong, right = ({x for x in margins if (x >= least) is good} for good in (False, True))
        if wrong:
            self._broken.update(key for key, margin in zip(keys, margins, strict=True) if margin in wrong)
            self.failing = len(self._broken)
        self.note(first(wrong) if wrong else None, {edge: first({min(right)})} if right and op != "=" else {})

    def note(self, failure: Relation | None, edges: dict[str, Relation]) -> None:
        if failure:
            self.first = min(self.first or failure, failure, key=lambda r: r[1:3])
        for edge, relation in edges.items():
            self.edges[edge] = min(self.edges.get(edge, relation), relation, key=lambda r: r[:3])

    def absorb(self, other: Ledger) -> None:
        """The relations of other cases (a later shard's, or of pairs) join."""
        self.cases += other.cases
        self.failing += other.failing
        self.note(other.first, other.edges)

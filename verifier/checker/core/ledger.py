"""Relations, made of one case or of many at a time, and a ledger that keeps the tightest and counts failures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from operator import eq, ge, gt, le, lt, ne, sub
from typing import Any, NamedTuple

from .reading import text_of

Number = int | Fraction
Key = tuple[int, ...]  # what a relation is about: (), a rank, or two ranks; the order of keys is the order of cases
_HOLDS = {"=": eq, "<": lt, "<=": le, ">": gt, ">=": ge}


def rational(value: Number, unit: int = 1) -> str:
    """FORMAT 1: value/unit in lowest terms."""
    return text_of(Fraction(value) / unit)


def written(value: Any, unit: int = 1) -> Any:
    """FORMAT 1: a value: a rational, or a list of values."""
    return [written(part, unit) for part in value] if isinstance(value, list | tuple) else rational(value, unit)


class Relation(NamedTuple):
    """`value op bound`, with a name for each side; `key` where it is about other cases than the current one."""

    name: str
    value: Any  # a number; or, if op is =, a tuple of numbers or of tuples
    op: str
    bound_name: str
    bound: Any
    key: Key | None = None

    @property
    def holds(self) -> bool:
        return bool(_HOLDS[self.op](self.value, self.bound))

    @property
    def slack(self) -> Fraction:
        return Fraction(self.bound - self.value if self.op in ("<", "<=") else self.value - self.bound)


class Made(NamedTuple):
    """`name op bound_name` for many cases: numbers in 1/unit (delta if 0), or lists of them if op is `=`. A value None:
    not made for this case. One bound serves for all, unless it is a list. Keys: the cases' own unless given."""

    name: str
    op: str
    bound_name: str
    values: Sequence[Any]
    bounds: Any
    keys: Sequence[Any] | None = None
    unit: int = 0


class Kept(NamedTuple):
    """A relation that is kept: the tightest of its edge, or the first that fails; of two the smaller is kept."""

    slack: Number
    key: Key
    order: int
    text: str
    value: Any
    bound: Any
    unit: int


class Ledger:
    """What a claim keeps: its cases, the values that it collects of them, failing cases, the first failure, the
    tightest relation of each edge."""

    def __init__(self, cases: int = 0) -> None:
        self.cases = cases
        self.failing = self._order = 0
        self.first: Kept | None = None
        self.edges: dict[str, Kept] = {}
        self.values: list[Any] = []
        self._broken: set[Any] = set()

    def weigh(self, relations: Iterable[Relation], key: Key) -> int:
        """Takes in the relations of one case, or of the conclusion, and says how many they were."""
        made = list(relations)
        for name, value, op, bound_name, bound, its_key in made:
            self.hold(Made(name, op, bound_name, [value], [bound], [key if its_key is None else its_key], 1))
        return len(made)

    def hold(self, made: Made, ranks: Sequence[Any] = (), delta_unit: int = 1) -> None:
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
        edge, tightest = f"{re.sub('_[0-9]+', '_j', name)} {op} {bound_name}", min(margins)
        if edge in self.edges and tightest > self.edges[edge].slack:
            return

        def first(margin_is: set[Number]) -> Kept:
            at = min((keys[k], k) for k, margin in enumerate(margins) if margin in margin_is)
            key, k = (at[0],) if isinstance(at[0], int) else at[0], at[1]
            value, bound = written(values[k], unit), written(several[k], unit)
            return Kept(margins[k], key, self._order, f"{name} {op} {bound_name}", value, bound, unit)

        right = {x for x in margins if (x > 0 if op in ("<", ">") else x >= 0)}
        wrong = set(margins) - right
        if wrong:
            self._broken.update(key for key, margin in zip(keys, margins, strict=True) if margin in wrong)
            self.failing = len(self._broken)
        self.note(first(wrong) if wrong else None, {edge: first({min(right)})} if right and op != "=" else {})

    def note(self, failure: Kept | None, edges: dict[str, Kept]) -> None:
        if failure:
            self.first = min(self.first or failure, failure, key=lambda r: r[1:3])
        for edge, relation in edges.items():
            self.edges[edge] = min(self.edges.get(edge, relation), relation, key=lambda r: r[:3])

    def absorb(self, other: Ledger) -> None:
        """The relations of other cases (a later shard's, or of pairs) join."""
        self.cases += other.cases
        self.failing += other.failing
        self.values += other.values
        self.note(other.first, other.edges)

    def in_shard(self) -> dict[str, Any]:
        """FORMAT 8: a claim's entry in a shard."""
        out: dict[str, Any] = {"cases": self.cases}
        if self.edges:
            edges = self.edges.items()
            out["edges"] = {edge: {"slack": rational(r.slack, r.unit), "rank": r.key[0]} for edge, r in edges}
        if self.first:
            out |= {"failing": self.failing, "first": self.first.key[0]}
        return out

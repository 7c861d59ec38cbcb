"""The cases of inputs as lanes: of any range of ranks, without those before them."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from math import factorial, prod
from typing import Any

import numpy as np

from verifier.evaluate.cases import Space
from verifier.evaluate.quick.numbers import LIMIT, Arr, Lanes
from verifier.evaluate.quick.values import Seq, Value, kind, shown, table, take
from verifier.evaluate.values import List


def own(v: Any) -> Value:
    """A value of the slow reading, as the quick one has it."""
    if isinstance(v, List):
        return Seq(v.first, [own(x) for x in v.items])
    if isinstance(v, bool):
        return v
    return int(v) if v.denominator == 1 else Fraction(int(v.numerator), int(v.denominator))


def each_lane(x: Value, n: int) -> list[Value]:
    """The known values that a value of n lanes has in them."""
    if isinstance(x, Seq):
        if x.ragged:
            return [own(shown(x, lane)) for lane in range(n)]
        columns = [each_lane(value, n) for value in x.items]
        return [Seq(x.first, [column[lane] for column in columns]) for lane in range(n)]
    if isinstance(x, Arr):
        numbers: list[int] = x.v.tolist()
        return [own(Fraction(v, x.den)) for v in numbers] if x.den > 1 else numbers
    return x.tolist() if isinstance(x, np.ndarray) else [x] * n


def tabled(values: list[Value]) -> Value | None:
    """Known values as the lanes of one; None, if they have several shapes."""
    if len({_shape(x) for x in values}) != 1:
        return None
    if isinstance(values[0], Seq):
        return Seq(values[0].first, [tabled(list(row)) for row in zip(*(x.items for x in values), strict=True)])
    return table(values) if kind(values[0]) == "number" else np.array(values, dtype=bool)


def alike(values: list[Value]) -> Any:
    """A number for each of these, the same for those of one shape."""
    shapes: dict[Any, int] = {}
    return np.array([shapes.setdefault(_shape(x), len(shapes)) for x in values])


def _shape(x: Value) -> Any:
    return (x.first, *map(_shape, x.items)) if isinstance(x, Seq) else kind(x)


def tables(space: Space, n: int) -> list[Value | None]:
    """The set of each position of the cases with n items, its items as lanes."""
    known: dict[int, Value | None] = {}
    for items in space.sets[n]:
        if id(items) not in known:
            known[id(items)] = tabled([own(x) for x in items])
    return [known[id(items)] for items in space.sets[n]]


def cases(space: Space, of_sets: list[Value], ranks: Lanes) -> tuple[Seq, Value]:
    """The cases of these ranks among those of so many items, and how many tuples each stands for."""
    places = unranked(space, len(of_sets), ranks)
    return Seq(1, [take(items, at) for items, at in zip(of_sets, places, strict=True)]), weights(space, places)


def unranked(space: Space, n: int, ranks: Lanes) -> list[Lanes]:
    """For each position the places, in its set, of the items of these cases."""
    places: list[Lanes] = []
    if space.kind == "words":
        for items in reversed(space.sets[n]):
            places.append(ranks % len(items))
            ranks = ranks // len(items)
        return places[::-1]
    size, least = len(space.sets[n][0]), np.zeros(len(ranks), dtype=np.int64)
    for left in reversed(range(n)):
        # more[k]: how many cases go on with a place of k or more
        more = np.array([space._after(size - k, left + 1) for k in range(size + 1)], dtype=np.int64)
        rest = more[np.minimum(least, size)] - ranks  # so many of them are left, the case itself among them
        place = size - np.searchsorted(more[::-1], rest)  # the last k with more[k] >= rest
        ranks = more[place] - rest
        places.append(place)
        least = place + (space.kind == "sets")
    return places


def weights(space: Space, places: list[Lanes]) -> Value:
    n = len(places)
    if space.kind != "multisets":
        return 1 if space.kind == "words" else factorial(n)
    same = np.ones(len(places[0]), dtype=np.int64 if factorial(n) < LIMIT else object)
    alike = same.copy()  # the product of the factorials of how often each item is there
    for before, place in pairwise(places):
        same = np.where(place == before, same + 1, 1)
        alike = alike * same
    return Arr(factorial(n) // alike, 1, 1, factorial(n))


def weight(space: Space, case: List) -> int:
    """As `weights`, of one case."""
    if space.kind in ("words", "list"):
        return 1
    return factorial(len(case)) // prod(map(factorial, Counter(case.items).values()))

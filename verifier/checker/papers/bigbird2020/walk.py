"""format/bigbird2020.md, 4: ids through the layers, in units of delta. Only ids matter: a layer looks at u^T x alone.

A layer at level v adds factor x (max - min over N(i)) to every token i whose id is v, and nothing to others (section 4
of the format says why); tokens only go up. So levels are taken from the lowest on which a token is.
"""

from __future__ import annotations

from typing import NamedTuple

from .numbers import Numbers

Ids = tuple[int, ...]  # of tokens 0, 1, ..., n


class Part(NamedTuple):
    """A stretch of layers: `levels` levels from `first`, and the factor of their shifts."""

    factor: int
    first: int
    levels: int


class Passed(NamedTuple):
    """What a part did: how often each token was changed, and the ids after it."""

    changed: tuple[int, ...]
    before: Ids
    after: Ids


def passed(part: Part, ids: Ids) -> Passed:
    now, times, v, end = list(ids), [0] * len(ids), part.first, part.first + part.levels
    while True:
        v = min((id_ for id_ in now if id_ >= v), default=end)
        if v >= end:
            return Passed(tuple(times), ids, tuple(now))
        shifted = list(now)
        for token, id_ in enumerate(now):
            if id_ == v:
                heard = now[1:] if token == 0 else [now[0], id_]
                shifted[token] += part.factor * (max(heard) - min(heard))
                times[token] += shifted[token] != id_
        now, v = shifted, v + 1


class Reading(NamedTuple):
    start: int
    low: int
    high: int
    ends: int
    grid: int


PRINTED = Reading(0, 0, 0, 0, 0)


def parts(x: Numbers, reading: Reading = PRINTED) -> list[Part]:
    """The printed layers: low 1, high 1, ..., low n, high n, last."""

    def span(factor: int, a: int, b: int) -> Part:
        return Part(factor, a, max(0, b - a + reading.ends))

    made = []
    for k in range(1, x.n + 1):
        e, j = (k, k) if reading.low else (k - 1, k), k if reading.high else k - 1
        made.append(span(x.B, x.power(e[0]), x.power(e[0] + 1)))
        made.append(span(x.B**x.n, x.S(j), x.T(j)))
    return [*made, span(x.B ** (x.n * x.n), x.S(1), x.T(x.n))]


def repaired(x: Numbers) -> list[Part]:
    """The repair's."""
    made = []
    for k in range(1, x.n + 1):
        a = 0 if k == 1 else x.power(k - 1)
        made.append(Part(x.B, a, x.power(k) - a))
        made.append(Part(x.B**x.n, x.low_end(k - 1), x.high_end(k - 1) - x.low_end(k - 1) + 1))
    least = x.power(x.n + 1) - (x.B - 1) * (x.B - 1)
    largest = x.B * x.high_end(x.n - 1) - (x.B - 1) * x.base(x.n)
    return [*made, Part(x.B ** (x.n * x.n), least, largest - least + 1)]


class Walk:
    """A context through all parts."""

    def __init__(self, x: Numbers, l: Ids, layers: list[Part], start: int = 0) -> None:
        self.x, self.l = x, (x.power(x.n + start), *l)
        self.done: list[Passed] = []
        ids = self.l
        for part in layers:
            self.done.append(passed(part, ids))
            ids = self.done[-1].after
        self.q = ids[1:]

    def low(self, k: int) -> Passed:
        return self.done[2 * k - 2]

    def high(self, k: int) -> Passed:
        return self.done[2 * k - 1]

    def f(self, k: int) -> int:
        return self.low(k).after[k]

    def f_0(self, k: int) -> int:
        return self.high(k).after[0] if k else self.l[0]


class Supposed:
    """The same numbers if every shift did what the proof says: f_k and f~_0^k by their formulas, l_(n+1) = f_1."""

    def __init__(self, x: Numbers, l: Ids) -> None:
        self.x, self.l = x, (x.power(x.n), *l)
        self._f, self._f_0 = dict[int, int](), [x.power(x.n)]
        for k in range(1, x.n + 1):
            self._f[k] = x.B * self._f_0[k - 1] - (x.B - 1) * l[k - 1]
            following = l[k] if k < x.n else self._f[1]
            self._f_0.append(self._f_0[k - 1] + x.B**x.n * (self._f[k] - following))

    def f(self, k: int) -> int:
        return self._f[k]

    def f_0(self, k: int) -> int:
        return self._f_0[k]

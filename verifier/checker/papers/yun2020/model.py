"""FORMAT 2-4: the matrices and the construction, in whole numbers: ids, entries, levels in units of delta = 1/N."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations_with_replacement, islice, product
from math import comb, factorial, prod

VARIANT = ("sentinel", "sweep_factor", "global_factor", "t_l", "t_r")

Shift = tuple[int, list[int], list[int]]  # the level (= the layer), the columns moved (from 1), all ids right after


@dataclass(frozen=True)
class Model:
    """FORMAT 3: an instance and the numbers in force (factors as they are, all else in units of delta)."""

    d: int
    n: int
    N: int
    sentinel: int
    sweep_factor: int
    global_factor: int
    t_l: int
    t_r: int
    B: int = field(init=False)
    lower: int = field(init=False)
    upper: int = field(init=False)
    column_count: int = field(init=False)
    orbit_count: int = field(init=False)

    def __post_init__(self) -> None:
        B, count = self.N**self.d, (self.N + 1) ** self.d
        derived = {"B": B, "lower": B ** (self.n - 1) * (B - 1), "upper": B**self.n * (B - 1) - (B - 1) ** 2}
        self.__dict__.update(derived, column_count=count, orbit_count=comb(count + self.n - 1, self.n))

    @cached_property
    def columns(self) -> list[tuple[int, ...]]:
        """FORMAT 2: the columns of G+ by increasing id, ties by the tuple of entries."""
        return sorted(product((self.sentinel, *range(self.N)), repeat=self.d), key=lambda c: (self.identity(c), c))

    @cached_property
    def ids(self) -> list[int]:
        """The columns' ids."""
        return list(map(self.identity, self.columns))

    def identity(self, column: Sequence[int]) -> int:
        """u^T c, u = (1, N, ..., N^(d-1)), by Horner's rule."""
        found = 0
        for entry in reversed(column):
            found = found * self.N + entry
        return found

    def moved(self, number: int, end: int) -> list[int]:
        """A column whose id has become `end`: no layer touches anything but first entries."""
        column = self.columns[number]
        return [column[0] + end - self.ids[number], *column[1:]]

    def matrix(self, orbit: Sequence[int], ends: Sequence[int]) -> list[list[int]]:
        """The orbit's matrix, rows of entries, when its ids have become `ends`."""
        return [list(row) for row in zip(*map(self.moved, orbit, ends), strict=True)]

    def orbits(self, start: int, stop: int) -> Iterator[tuple[int, tuple[int, ...]]]:
        """The ranks from start to stop - 1, each with its orbit: the non-decreasing n-tuples of column numbers,
        lexicographically. After an orbit the last column that isn't the largest grows, and those behind it are its
        equals; what is left of the tuple behind the first columns is enumerated by itertools."""
        rank = start
        while rank < stop:
            orbit = self.orbit(rank)
            keep = orbit.index(orbit[-1])
            rest = combinations_with_replacement(range(orbit[-1], self.column_count), self.n - keep)
            for more in islice(rest, stop - rank):
                yield rank, (*orbit[:keep], *more)
                rank += 1

    def orbit(self, rank: int) -> tuple[int, ...]:
        """The orbit of this rank. From a column that is the s-th from the end on, with `more` columns behind it,
        C(s + more, more + 1) orbits go; the column is the last from which enough go to hold this one."""
        found: list[int] = []
        column, skipped = 0, rank  # among the orbits that go on from `column`
        for more in range(self.n - 1, -1, -1):
            left = comb(self.column_count - column + more, more + 1) - skipped
            s = bisect_left(range(self.column_count), left, key=lambda s: comb(s + more, more + 1))
            column, skipped = self.column_count - s, comb(s + more, more + 1) - left
            found.append(column)
        return tuple(found)

    def rank(self, orbit: Sequence[int]) -> int:
        """How many orbits come before: those that have the same first columns, and then a smaller one."""
        left = [self.column_count, *(self.column_count - c for c in orbit)]  # columns that may come next, and last did
        more = range(self.n, 0, -1)
        return sum(comb(s + k - 1, k) - comb(t + k - 1, k) for s, t, k in zip(left, left[1:], more, strict=False))

    def matrices(self, orbit: Sequence[int]) -> int:
        """n! / (m_1! m_2! ...), how many matrices the orbit stands for."""
        return factorial(self.n) // prod(factorial(orbit.count(c)) for c in set(orbit))

    def sizes(self) -> dict[str, tuple[int, int]]:
        """The formulas of grid.sizes: the matrices and the orbits of each category."""
        B, n = self.B, self.n
        distinct, bare, everything = comb(B, n), comb(B + n - 1, n), self.orbit_count
        one, two, all_ = distinct * factorial(n), B**n, self.column_count**n
        return {
            "category1": (one, distinct),
            "category2": (two - one, bare - distinct),
            "category3": (all_ - two, everything - bare),
            "total": (all_, everything),
        }

    def sweep(self, ids: Sequence[int]) -> tuple[list[int], list[Shift]]:
        """The layers 0..B-1 on increasing ids."""
        return sweep(ids, range(self.B), self.sweep_factor)

    def last(self, x: Sequence[int]) -> list[int]:
        """Lemma H: the global shift, threshold 0. (After the sweep an id is 0 only if all are: the head is 0, max.)"""
        above, below = self.global_factor * max(x), self.global_factor * min(x)
        return [v + (above if v >= 0 else below) for v in x]


def sweep(ids: Sequence[int], levels: Container[int], factor: int) -> tuple[list[int], list[Shift]]:
    """Lemma S: the layers at these levels, in increasing order; the ids after them, and the layers that change
    something. A layer moves the ids that equal its level, so that only levels are looked at that some id has."""
    x = list(ids)
    shifts: list[Shift] = []
    ahead = sorted([v for v in x if v in levels])
    done = None
    for level in ahead:  # grows ahead of the loop where a shift lands on a level that is still to come
        if level == done:
            continue
        done = level
        high, low = max(x), min(x)
        if high == low:  # every id is the same: no layer changes anything any more
            break
        up = factor * (high - low)
        moved = [j for j, v in enumerate(x, 1) if v == level]
        for j in moved:
            x[j - 1] += up
        if level + up in levels:
            insort(ahead, level + up)
        if moved:
            shifts.append((level, moved, x[:]))
    return x, shifts


def paper(d: int, n: int, N: int) -> Model:
    """FORMAT 3: the paper's numbers."""
    B = N**d
    return Model(d, n, N, -(B**n) * N, B, B ** (n + 1), B ** (2 * n) * (B - 1), B ** (2 * n + 1) * (B - 1))


def head(x: Sequence[int], twice_b: int) -> list[int] | None:
    """FORMAT 3, literally: psi(X; b) on the ids x: of each column the mean of x over its arg maxima; None if one
    is not whole. Scores are doubled, since b may be half a unit."""
    out: list[int] = []
    for x_j in x:
        away = 2 * x_j - twice_b
        scores = [x_i * away for x_i in x]
        best = max(scores)
        many = scores.count(best)
        if many == 1:
            out.append(x[scores.index(best)])
            continue
        total = sum(x_i for x_i, score in zip(x, scores, strict=True) if score == best)
        if total % many:
            return None
        out.append(total // many)
    return out


def orders(orbit: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every order of the columns of an orbit, once."""
    if not orbit:
        yield ()
    for k, c in enumerate(orbit):
        if k == 0 or orbit[k - 1] != c:
            yield from ((c, *rest) for rest in orders([*orbit[:k], *orbit[k + 1 :]]))


def literal(m: Model, orbit: Sequence[int]) -> str:
    """Runs the literal heads on every matrix of the orbit, layer by layer, and compares them with the integer form:
    the heads are Lemma H's, each layer's result is Lemma S's, permuted as the matrix is. What differs, or nothing."""
    before = [m.ids[c] for c in orbit]
    after, shifts = m.sweep(before)
    results = {level: dict(zip(orbit, ids, strict=True)) for level, _, ids in shifts}
    results[m.B] = dict(zip(orbit, m.last(after), strict=True))
    layers = [(((1, 2 * k - 1), (-1, 2 * k + 1)), m.sweep_factor) for k in range(m.B)]
    for order in orders(orbit):
        X, wanted = [list(m.columns[c]) for c in order], dict(zip(orbit, before, strict=True))
        x = list(map(m.identity, X))
        for layer, (heads, factor) in enumerate([*layers, (((1, 0),), m.global_factor)]):
            low, high = min(x), max(x)
            effect = [0] * m.n
            for sign, b in heads:
                psi = head(x, b)
                if psi is None:
                    return f"a head of layer {layer} is not whole"
                for v, p in zip(x, psi, strict=True):
                    if p != (high if 2 * v > b else low):  # 2 v is b only if all ids are 0, and so is the head
                        return f"a head of layer {layer} is neither the maximum nor the minimum"
                effect = [e + sign * p for e, p in zip(effect, psi, strict=True)]
            for column, e in zip(X, effect, strict=True):
                column[0] += factor * e
            x, wanted = list(map(m.identity, X)), results.get(layer, wanted)
            if x != [wanted[c] for c in order]:
                return f"layer {layer} differs on the columns in the order {order}"
    return ""

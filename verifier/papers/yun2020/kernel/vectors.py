"""The kernel with numpy, many orbits at a time, for machines without the C library.

Orbits are taken in blocks of consecutive ranks: prefixes (all columns but the last), each with its run of last columns.
Numbers are int64 only below a bound that is computed beforehand in Python's whole numbers (`bound`); above it the same
code runs on arrays of Python's whole numbers. Larger numbers consist of two limbs, of which the upper is Python's:

- Categories 1 and 2: q_j = l~_j + P l~_n with 0 <= l~_j < P, which is checked; so values are compared by l~_n first
  and l~_j second, and only the tightest are made.
- Category 3: the orbits of one first column x_1 < 0 together. After t shifts l~_j = a_j + K_t, where K_t comes from
  x_1 alone, K_t = B (K_{t-1} - x_1), and a_j = l_j + B a is the rest, with 0 <= a_j < P <= K_t - K_{t-1}, which are
  checked; so values are compared by t first and a second.

An orbit that isn't as the paper claims raises `Irregular`, as in plain.py; tests compare the two.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import factorial
from typing import Any

import numpy as np

from verifier.core.multisets import multisets, orbit_size, rank, unrank
from verifier.papers.yun2020 import edges
from verifier.papers.yun2020.kernel.kernel import NEAREST, SLOT, SLOTS, Numbers, Totals
from verifier.run.shard import MODULUS
from verifier.run.stop import Irregular

BLOCK = 1 << 14  # orbits; the sum of this many products of an offset and a residue is below 2^62
NARROW = 2**62  # numbers below this fit into int64
RANKS = 2**62  # so do ranks of prefixes below this
FEW = 13  # tokens; up to so many there is a counter for each pattern of equal neighbours


Array = Any  # numpy's, of int64 or of Python's whole numbers


def bound(x: Numbers) -> int:
    """A bound on every number in a vector: l~_j and a_j are at most l_n (1 + B + ... + B^n), the terms of the closed
    form at most twice that, and the digest adds up n (n + 1) / 2 of them; ids with sentinels occur only by
    themselves."""
    swept: int = max(1, x.ids[-1]) * sum(x.B**k for k in range(x.n + 1))
    return abs(x.ids[0]) + swept * x.n * (x.n + 1)


def applies(x: Numbers) -> bool:
    """Whether all this holds for these numbers: the paper's factors, its order of thresholds, a different id for each
    column, and ranks of prefixes that fit into 64 bits."""
    usual = x.factor == x.B >= 2 and x.G == x.P and 0 <= x.t_l <= x.t_r <= x.final_bound
    ordered = all(a < b for a, b in pairwise(x.ids)) and sum(id_ < 0 for id_ in x.ids) == x.sentinels < len(x.ids)
    return usual and ordered and multisets(len(x.ids), x.n - 1) < RANKS


def run_in_vectors(x: Numbers, start: int, stop: int, tell: Callable[[int], None]) -> Totals:
    """Runs the orbits of rank start..stop-1, for numbers to which this applies."""
    run = _Run(x)
    columns, n, done = len(x.ids), x.n, 0
    inner = multisets(columns, n) - multisets(columns - x.sentinels, n)  # orbits with a sentinel come first
    at = start
    while at < min(stop, inner):
        (first,) = unrank(at, columns, n)[:1]
        begin = multisets(columns, n) - multisets(columns - first, n)
        end = min(stop, begin + multisets(columns - first, n - 1))
        for size in run.with_sentinel(first, at - begin, end - begin, at):
            done += size
            tell(done)
        at = end
    for size in run.without_sentinel(at - inner, stop - inner, at):
        done += size
        tell(done)
    run.totals.digest %= MODULUS
    return run.totals


class _Runs:
    """Orbits by prefix: each prefix is followed by the last columns low, low + 1, ..., as many as `counts` says."""

    def __init__(self, prefix: Sequence[Array], low: Array, counts: Array, offsets: Array) -> None:
        self.prefix, self.low = prefix, low
        self.which = np.repeat(np.arange(len(counts)), counts)  # the prefix of each orbit
        ends = np.cumsum(counts)
        place = np.arange(int(ends[-1]) if len(ends) else 0)
        self.last = place + (low - ends + counts)[self.which]  # its last column
        self.offset = place + (offsets - ends + counts)[self.which]  # its rank, counted from the first orbit's

    def __len__(self) -> int:
        return len(self.which)


def _tables(columns: int, n: int) -> list[Array]:
    """tables[k][v]: how many non-decreasing tuples of k + 1 columns, all of them at least v, there are; k + 1 < n."""
    tables: list[Array] = []
    for _ in range(1, n):
        fewer = tables[-1] if tables else np.append(np.ones(columns, dtype=np.int64), 0)
        tables.append(np.cumsum(fewer[::-1])[::-1])
    return tables


def _blocks(tables: list[Array], columns: int, start: int, stop: int) -> Iterator[tuple[list[Array], Array, Array]]:
    """Orbits of rank start..stop-1, of one column more than the tables have: prefixes, first and end of each run."""
    if start >= stop:
        return
    n = len(tables) + 1
    prefixes = multisets(columns, n - 1)
    low_now: int | None
    *head, low_now = unrank(start, columns, n)
    now, left, guess = rank(tuple(head), columns), stop - start, 1
    while left:
        prefix = _unranked(np.arange(now, min(prefixes, now + guess)), tables)
        low = prefix[-1].copy() if prefix else np.zeros(1, dtype=np.int64)
        low[0] = low_now if low_now is not None else low[0]
        ends = np.cumsum(columns - low)
        room = min(BLOCK, left)
        used = min(len(low), int(np.searchsorted(ends, room)) + 1)
        high = np.full(used, columns)
        size = min(room, int(ends[used - 1]))
        high[-1] -= int(ends[used - 1]) - size
        yield [c[:used] for c in prefix], low[:used], high
        left -= size
        whole = int(high[-1]) == columns
        now, low_now = now + used - (not whole), None if whole else int(high[-1])
        guess = min(BLOCK, 2 * guess) if used == len(low) and size < room else used + used // 4 + 1


def _unranked(places: Array, tables: list[Array]) -> list[Array]:
    """The tuples with these ranks, column by column."""
    columns: list[Array] = []
    least = np.zeros(len(places), dtype=np.int64)
    for table in reversed(tables):
        upwards = -table
        here = table[least]
        least = np.searchsorted(upwards, places - here, side="right") - 1
        places = places - (here - table[least])
        columns.append(least)
    return columns


def _fold(v: Array) -> Array:
    """A number below v / 2^31 + 2^31 with the same residue mod 2^31 - 1, for 0 <= v < 2^63."""
    return (v & MODULUS) + (v >> 31)


def _residue(v: Array) -> Array:
    """v mod 2^31 - 1, in int64; at most 2^31 + 2."""
    return (v % MODULUS).astype(np.int64) if v.dtype == object else _fold(_fold(v))


def _least(*keys: Array, among: Array | None = None) -> int:
    """The place of the least (by the first key, among equals by the second, ...); among equals the first."""
    places = among
    for key in keys:
        values = key if places is None else key[places]
        least = np.flatnonzero(values == values.min())
        places = least if places is None else places[least]
    return 0 if places is None else int(places[0])


class _Run:
    def __init__(self, x: Numbers) -> None:
        self.x = x
        self.totals = Totals([None] * len(SLOTS), [0] * 3, [0] * 3, dict.fromkeys("crnm", 0))
        kind: Any = np.int64 if bound(x) < NARROW else object
        self.ids = np.array(x.ids, dtype=kind)
        self.residues = np.array([id_ % MODULUS for id_ in x.ids])
        self.powers = [x.B**k for k in range(x.n + 1)]
        self.tables = _tables(len(x.ids), x.n)

    def weigh(self, slot: int, slack: int, at: int) -> None:
        found = self.totals.tightest[slot]
        if found is None or slack < found[0]:
            self.totals.tightest[slot] = (slack, at)

    def must(self, good: bool, at: int) -> None:
        if not good:
            raise Irregular(f"an orbit at or after rank {at}")

    def count_matrices(self, category: int, pattern: Array) -> None:
        """Adds up the sizes of orbits; the pattern has a bit for each column that equals the one before it."""
        n = self.x.n
        if n <= FEW:
            counts = np.bincount(pattern)
            patterns = np.flatnonzero(counts)
            counts = counts[patterns]
        else:
            patterns, counts = np.unique(pattern, return_counts=True)
        for code, count in zip(patterns.tolist(), counts.tolist(), strict=True):
            like = [0]
            for j in range(1, n):
                like.append(like[-1] + 1 - (code >> (j - 1) & 1))
            self.totals.matrices[category - 1] += count * orbit_size(tuple(like))

    def digest(self, offset: Array, weighed: Array, at: int) -> None:
        """`weighed` is below 2^62; rank + 1 = (at + 1) + offset."""
        weighed = _fold(_fold(weighed))
        self.totals.digest += (at + 1) * int(weighed.sum()) + int(np.dot(offset, weighed))

    # Categories 1 and 2

    def without_sentinel(self, start: int, stop: int, at: int) -> Iterator[int]:
        """The orbits of these ranks among those without a sentinel, the first of which has the rank `at`."""
        columns = self.ids[self.x.sentinels :]
        tables = [table[self.x.sentinels :] for table in self.tables]
        for prefix, low, high in _blocks(tables, len(columns), start, stop):
            runs = high - low
            offsets = np.cumsum(runs) - runs
            least = prefix[-1]
            repeated = np.zeros(len(low), dtype=bool)
            for before, after in pairwise(prefix):
                repeated |= before == after
            above = np.maximum(low, least + 1)
            counts = np.where(repeated, 0, high - above)
            self.category1(columns, _Runs(prefix, above, counts, offsets + (above - low)), at)
            counts = np.where(repeated, runs, low == least)
            self.category2(columns, _Runs(prefix, low, counts, offsets), at)
            size = int(runs.sum())
            at += size
            yield size

    def category1(self, columns: Array, runs: _Runs, at: int) -> None:
        x, n, B, which = self.x, self.x.n, self.x.B, runs.which
        if not len(runs):
            return
        l = [columns[c] for c in runs.prefix]
        v = columns[runs.last]
        before, weighed, good = v, 0 * v, True
        closed = 0 * l[0]  # counted from j = 0: sum_{i=1}^j B^i (l_{j-i} - l_{j-i+1}), of the columns before the last
        swept = []
        for j in range(n):
            if j < n - 1:
                s = l[j][which] + B * (before - l[j][which])
                closed = B * (closed + l[j - 1] - l[j]) if j else closed
                expected = (l[j] + closed - self.powers[j] * B * l[0])[which] + self.powers[j] * B * v
            else:
                s = v + B * (before - v)
                closed = B * (closed + l[j - 1])
                expected = (closed - self.powers[j] * B * l[0])[which] + (1 - B + self.powers[j] * B) * v
            good &= bool((s == expected).all())
            weighed += (j + 1) * s
            swept.append(s)
            before = s
        first, top, offset = swept[0], swept[-1], runs.offset
        lift, gap = first - v, swept[1] - first
        for below, above in pairwise(swept[1:]):
            gap = np.minimum(gap, above - below)

        def find(place: int) -> int:
            return at + int(offset[place])

        of_lift, of_gap, of_first = int(lift.argmin()), int(gap.argmin()), int(first.argmin())
        of_top, of_most, of_inside = int(top.argmin()), int(top.argmax()), _least(top, first)
        least, most, bottom = int(top[of_top]), int(top[of_most]), int(first[of_first])
        low = x.P * int(top[of_inside]) + int(first[of_inside]) - x.t_l
        high = x.t_r - (x.P + 1) * most
        good &= int(lift[of_lift]) > 0 and int(gap[of_gap]) > 0 and bottom >= x.B and most < x.P
        self.must(good and x.lower <= least and most <= x.upper and low >= 0 and high > 0, at)
        slacks = [(int(lift[of_lift]), of_lift), (int(gap[of_gap]), of_gap), (least - x.lower, of_top)]
        slacks += [(x.upper - most, of_most), (bottom, of_first), (x.P - most, of_most), (int(gap[of_gap]), of_gap)]
        slacks += [(low, of_inside), (high, of_most)]
        for slot, (slack, place) in enumerate(slacks):  # kernel.SLOTS begins with these
            self.weigh(slot, slack, find(place))
        others = np.flatnonzero(v < x.B - 1)
        if len(others):
            place = _least(first - top, among=others)
            self.weigh(NEAREST, x.P - (int(top[place]) - int(first[place]) - 1), find(place))
        self.totals.orbits[0] += len(runs)
        self.totals.matrices[0] += len(runs) * factorial(n)
        factor = x.P * (n * (n + 1) // 2) % MODULUS
        self.digest(offset, _fold(_residue(top) * factor) + _residue(weighed), at)

    def category2(self, columns: Array, runs: _Runs, at: int) -> None:
        x, n, B, which = self.x, self.x.n, self.x.B, runs.which
        if not len(runs):
            return
        v = columns[runs.last]
        before, weighed, good = v, 0 * v, True
        pattern = np.zeros(len(runs), dtype=np.int64)
        constant = runs.prefix[0][which] == runs.last
        for j in range(n):
            l = columns[runs.prefix[j]][which] if j < n - 1 else v
            s = l + B * (before - l)
            if j:
                column = runs.prefix[j][which] if j < n - 1 else runs.last
                same = runs.prefix[j - 1][which] == column
                pattern |= same.astype(np.int64) << (j - 1)
                good &= bool((same | (s > before)).all())
                s = np.where(same, before, s)
            else:
                good &= bool((constant | ((s > v) & (s >= B))).all())
            weighed += (j + 1) * s
            before = s
        top, offset = before, runs.offset
        place = int(top.argmax())
        most, where = int(top[place]), at + int(offset[place])
        below = x.t_l - (x.P + 1) * most
        self.must(good and most < x.lower and below > 0, at)
        self.weigh(SLOT[edges.CAT2_SWEPT], x.lower - 1 - most, where)
        self.weigh(SLOT[edges.CAT2_FINAL], below, where)
        self.weigh(SLOT[edges.OUTSIDE_LOW], below, where)
        constants = int(constant.sum())
        self.totals.orbits[1] += len(runs)
        self.totals.parts["c"] += constants
        self.totals.parts["r"] += len(runs) - constants
        self.count_matrices(2, pattern)
        factor = x.P * (n * (n + 1) // 2) % MODULUS
        self.digest(offset, _fold(_residue(top) * factor) + _residue(weighed), at)

    # Category 3

    def with_sentinel(self, first: int, start: int, stop: int, at: int) -> Iterator[int]:
        """The orbits of these ranks among those that begin with the column `first`, which has a sentinel."""
        x, K = self.x, [0]
        for _ in range(1, x.n):
            K.append(x.B * (K[-1] - x.ids[first]))
        tables = [table[first:] for table in self.tables[:-1]]
        for prefix, low, high in _blocks(tables, len(x.ids) - first, start, stop):
            runs = high - low
            self.category3(first, K, _Runs([c + first for c in prefix], low + first, runs, np.cumsum(runs) - runs), at)
            size = int(runs.sum())
            at += size
            yield size

    def category3(self, first: int, K: list[int], runs: _Runs, at: int) -> None:
        x, n, B, offset = self.x, self.x.n, self.x.B, runs.offset
        x_1 = x.ids[first]
        of_K = np.array([k % MODULUS for k in K])
        lowest = (x_1 + x.G * x_1) % MODULUS  # q_1
        v = self.ids[runs.last]
        a = v
        bottom: Array = 0 * v  # a of the first column that is shifted
        negative = np.full(len(runs), x_1, dtype=self.ids.dtype)  # the largest negative id of each orbit
        times = np.zeros(len(runs), dtype=np.int64)
        pattern, weights = np.zeros_like(times), np.zeros_like(times)
        weighed = np.full(len(runs), lowest)
        column_before = np.full(len(runs), first)
        for j in range(1, n):
            column = runs.prefix[j - 1][runs.which] if j < n - 1 else runs.last
            same, idle = column == column_before, column < x.sentinels
            pattern |= same.astype(np.int64) << (j - 1)
            l = self.ids[column]
            shifts = ~(same | idle)
            a = np.where(shifts, l + B * a, a)
            bottom = np.where(shifts & (times == 0), a, bottom)
            times += shifts
            negative = np.where(idle, l, negative)
            q = np.where(idle, self.residues[column] + x.G * x_1 % MODULUS, _residue(a) + of_K[times])
            weighed += (j + 1) * q
            weights += np.where(idle, 0, j + 1)
            column_before = column
        self.totals.orbits[2] += len(runs)
        self.count_matrices(3, pattern)
        shift = _fold(_fold(weights * (x.G % MODULUS)))
        self.digest(offset, _fold(shift * _fold(_residue(a) + of_K[times])) + weighed, at)
        self.weigh(SLOT[edges.CAT3_MINIMUM], -x_1, at)
        place = int(negative.argmax())
        q_low, where = int(negative[place]) + x.G * x_1, at + int(offset[place])
        self.must(q_low < 0, at)
        self.weigh(SLOT[edges.CAT3_BELOW], -q_low, where)
        self.weigh(SLOT[edges.OUTSIDE_LOW], x.t_l - q_low, where)
        negatives, mixed = np.flatnonzero(times == 0), np.flatnonzero(times)
        self.totals.parts["n"] += len(negatives)
        self.totals.parts["m"] += len(mixed)
        if len(negatives):
            place = int(negatives[v[negatives].argmax()])
            slack = -(int(v[place]) + x.G * x_1)
            self.weigh(SLOT[edges.CAT3_NEGATIVE], slack, at + int(offset[place]))
        if len(mixed):
            self.mixed(x_1, K, (times, a, bottom, v, offset), mixed, at)

    def mixed(self, x_1: int, K: list[int], of_orbits: tuple[Array, ...], mixed: Array, at: int) -> None:
        """The orbits of Category 3 with an id >= 0: how often they are shifted, a of the last and first column shifted,
        the last id, the offset; and which they are."""
        x = self.x
        times, a, bottom, v, offset = of_orbits
        growing = all(after - before >= x.P for before, after in pairwise(K[: int(times.max()) + 1]))
        self.must(growing and int(a[mixed].max()) < x.P, at)
        place = _least(v, among=mixed)
        amount = x.B * (int(v[place]) - x_1) - x.P
        self.weigh(SLOT[edges.CAT3_FIRST_SHIFT], amount, at + int(offset[place]))
        place = _least(bottom, among=mixed)
        shifted = int(bottom[place]) + K[1] - x.P
        self.weigh(SLOT[edges.CAT3_SHIFTED], shifted, at + int(offset[place]))
        place = _least(times, a, bottom, among=mixed)
        q_high, where = (
            int(bottom[place]) + K[1] + x.G * (int(a[place]) + K[int(times[place])]),
            at + int(offset[place]),
        )
        self.must(amount >= 0 and shifted >= 0 and q_high >= x.final_bound, at)
        self.weigh(SLOT[edges.CAT3_BEYOND], q_high - x.final_bound, where)
        self.weigh(SLOT[edges.OUTSIDE_HIGH], q_high - x.t_r, where)

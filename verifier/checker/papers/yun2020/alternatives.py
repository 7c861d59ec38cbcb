"""FORMAT 11, other layers in place of attention: Section 6 (s6.*), with the slides' sentinel (slides.sentinel)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import chain, combinations, combinations_with_replacement, islice, permutations, product
from math import comb, factorial, lcm, perm
from operator import sub

from ...core.ledger import Made
from .distinct import across, within
from .model import Model

Column = tuple[int, ...]
Orbit = tuple[int, ...]  # numbers of columns of G by increasing id, from 0: ordered as the ranks are
_DRAWN = 2**31 - 1


def drawn(*shapes: tuple[int, int]) -> list[list[list[int]]]:
    """The drawn matrices, from w_1 on, in units of 1/(2^31 - 1)."""
    x, out = 20200426, []
    for rows, columns in shapes:
        matrix = []
        for _ in range(rows):
            row = []
            for _ in range(columns):
                x = 48271 * x % _DRAWN
                row.append(x)
            matrix.append(row)
        out.append(matrix)
    return out


def bare(m: Model) -> list[Column]:
    """The columns of G by increasing id, in units of delta."""
    return [c for c in m.columns if min(c) >= 0]


def times(matrix: Sequence[Sequence[int]], column: Sequence[int]) -> list[int]:
    return [sum(a * x for a, x in zip(row, column, strict=True)) for row in matrix]


# Average attention


@lru_cache(maxsize=1)
def averaged(m: Model) -> list[tuple[Orbit, Orbit, int]]:
    """Two consecutive orbits with a column in common and the same sum: the orbits, the column."""
    columns = bare(m)
    before: dict[tuple[int, Column], Orbit] = {}
    found = []
    for orbit in combinations(range(m.B), m.n):
        total = tuple(map(sum, zip(*(columns[c] for c in orbit), strict=True)))
        for c in orbit:
            if (c, total) in before:
                found.append((before[c, total], orbit, c))
            before[c, total] = orbit
    return sorted(found)


def average(m: Model) -> Iterator[Made]:
    """x + W (sum of the columns) / n, in units of delta / ((2^31 - 1) n): of a column x that two matrices share the
    images differ by W (difference of their sums) / n."""
    columns, (W,) = bare(m), drawn((m.d, m.d))

    def sums(orbit: Orbit) -> list[int]:
        return [sum(row) for row in zip(*(columns[k] for k in orbit), strict=True)]

    cases = averaged(m)
    values = [max(map(abs, times(W, list(map(sub, sums(one), sums(other)))))) for one, other, _ in cases]
    name, keys = "greatest difference of the images of the shared column", list(range(len(cases)))
    yield Made(name, "<=", "0", values, 0, keys, m.N * _DRAWN * m.n)


# Bilinear projection and separable convolution


def ordered(m: Model) -> Iterator[Orbit]:
    """The matrices of G with distinct columns, lexicographically."""
    return permutations(range(m.B), m.n)


def rotated(m: Model) -> Iterator[Orbit]:
    """Those of them whose first column has the smallest id."""
    return chain.from_iterable(
        ((first, *rest) for rest in permutations(range(first + 1, m.B), m.n - 1)) for first in range(m.B)
    )


def contextual(cases: Iterator[Orbit], count: int, q: Callable[[Orbit], list[int]], unit: int) -> Iterator[Made]:
    """Within and across all cases."""
    numbered, collected = enumerate(cases), list[int]()
    while some := list(islice(numbered, 4096)):
        rows, keys = [q(case) for _, case in some], [k for k, _ in some]
        yield from within(rows, keys, unit)
        collected += [v * count + k for k, row in zip(keys, rows, strict=True) for v in row]
    yield from across(collected, count, unit)


def bilinear(m: Model) -> Iterator[Made]:
    """u^T (X + W_O X W_P) = u^T X + (u^T W_O X) W_P, in units of delta / (2^31 - 1)^2."""
    W_P, W_O = drawn((m.n, m.n), (m.d, m.d))
    columns = bare(m)
    own = [_DRAWN**2 * m.identity(c) for c in columns]
    projected = [m.identity(times(W_O, c)) for c in columns]
    towards = list(zip(*W_P, strict=True))  # the columns of W_P

    def q(case: Orbit) -> list[int]:
        row = [projected[c] for c in case]
        return [own[c] + y for c, y in zip(case, times(towards, row), strict=True)]

    yield from contextual(ordered(m), perm(m.B, m.n), q, m.N * _DRAWN**2)


def convolved(X: Sequence[Sequence[int]], W_O: list[list[int]], W_C: list[list[int]]) -> list[list[int]]:
    """SepConv on columns, times (2^31 - 1)^2."""
    n = len(X)
    star = [[sum(w * X[(j + t) % n][i] for t, w in enumerate(W)) for i, W in enumerate(W_C)] for j in range(n)]
    return [[_DRAWN**2 * x + y for x, y in zip(X[j], times(W_O, star[j]), strict=True)] for j in range(n)]


def separable(m: Model) -> Iterator[Made]:
    W_O, W_C = drawn((m.d, m.d), (m.d, m.n - 1))
    columns = bare(m)

    def layer(case: Orbit) -> list[list[int]]:
        return convolved([columns[c] for c in case], W_O, W_C)

    cases_with = Counter(v for case in rotated(m) for v in set(map(m.identity, layer(case))))
    shared = sum(cases > 1 for cases in cases_with.values())
    yield Made("values that two contexts share, one layer", ">=", "1", [shared], 1, [()], 1)

    def q(case: Orbit) -> list[int]:
        return list(map(m.identity, convolved(layer(case), W_O, W_C)))

    yield from contextual(rotated(m), CASES["s6.sepconv"](m), q, m.N * _DRAWN**4)


# The slides' sentinel. Numbers in units of the sentinel, 1/N^(nd).


def finer(m: Model) -> int:
    """delta in these units."""
    return int(m.N ** (m.n * m.d - 1))


@lru_cache(maxsize=1)
def small_columns(m: Model) -> list[Column]:
    entries = (-1, *(e * finer(m) for e in range(m.N)))
    return sorted(product(entries, repeat=m.d), key=lambda c: (m.identity(c), c))


def others(m: Model) -> Iterator[Orbit]:
    """The orbits that are not in G~: with a sentinel, or with equal columns."""
    with_sentinel = {k for k, c in enumerate(small_columns(m)) if min(c) < 0}
    for orbit in combinations_with_replacement(range(m.column_count), m.n):
        if len(set(orbit)) < m.n or not with_sentinel.isdisjoint(orbit):
            yield orbit


Number = int | Fraction


def literal_head(x: Sequence[Number], twice_b: int) -> list[Number]:
    """psi(X; b): of each column the mean of the ids over its arg maxima."""
    out: list[Number] = []
    for x_j in x:
        scores = [x_i * (2 * x_j - twice_b) for x_i in x]
        best = max(scores)
        tied = [x_i for x_i, score in zip(x, scores, strict=True) if score == best]
        mean = Fraction(sum(tied)) / len(tied)
        out.append(mean.numerator if mean.denominator == 1 else mean)
    return out


def literal_run(m: Model, ids: Sequence[int], half: int) -> list[Number]:
    """The sweep and the global shift; half: delta/2 in the units of the ids, doubled. A layer with no id in its
    [b, b'] is left out: every id is on the same side of both thresholds, so that its heads are equal."""
    x: list[Number] = list(ids)
    level = -1
    while True:
        around = ((max(-((half - 2 * v) // (2 * half)), level + 1), (2 * v + half) // (2 * half)) for v in x)
        level = min((k for k, most in around if k <= min(most, m.B - 1)), default=m.B)
        if level == m.B:
            break
        low, high = (literal_head(x, half * edge) for edge in (2 * level - 1, 2 * level + 1))
        x = [v + m.sweep_factor * (a - b) for v, a, b in zip(x, low, high, strict=True)]
    return [v + m.global_factor * a for v, a in zip(x, literal_head(x, 0), strict=True)]


def small_sentinel(m: Model) -> Iterator[Made]:
    ids = list(map(m.identity, small_columns(m)))
    rows = [literal_run(m, [ids[c] for c in orbit], finer(m)) for orbit in others(m)]
    keys, fraction = list(range(len(rows))), lcm(*{v.denominator for q in rows for v in q})
    t_l, t_r = (t * finer(m) * fraction for t in (m.t_l, m.t_r))
    for j in range(m.n):
        q = [int(row[j] * fraction) for row in rows]
        unit = m.N * finer(m) * fraction
        yield Made(f"q_{j + 1}", "<", "t_l", [v if v < t_l else None for v in q], t_l, keys, unit)
        yield Made(f"q_{j + 1}", ">=", "t_r", [None if v < t_l else v for v in q], t_r, keys, unit)


# The sentinel above, delta^-((n+1)d). Numbers in units of delta.


@lru_cache(maxsize=1)
def high_columns(m: Model) -> list[Column]:
    entries = (*range(m.N), m.B ** (m.n + 1) * m.N)
    return sorted(product(entries, repeat=m.d), key=lambda c: (m.identity(c), c))


def lifted(m: Model) -> Iterator[Orbit]:
    """The orbits with a sentinel: the B columns without one come first."""
    return (orbit for orbit in combinations_with_replacement(range(m.column_count), m.n) if orbit[-1] >= m.B)


def sentinel_above(m: Model) -> Iterator[Made]:
    ids = list(map(m.identity, high_columns(m)))
    least = [min(literal_run(m, [ids[c] for c in orbit], 1)) for orbit in lifted(m)]
    if any(v.denominator != 1 for v in least):
        raise ValueError("a head that is not whole")
    keys, far = list(range(len(least))), m.B ** (2 * (m.n + 1)) * m.N
    yield Made("min_j q_j", ">=", "delta^-(2(n+1)d)", [int(v) for v in least], far, keys)
    yield Made("delta^-(2(n+1)d)", ">", "t_r", [far] * len(keys), m.t_r, keys)


CASES: dict[str, Callable[[Model], int]] = {
    "s6.average": lambda m: len(averaged(m)),
    "s6.bilinear": lambda m: perm(m.B, m.n),
    "s6.sepconv": lambda m: factorial(m.n - 1) * comb(m.B, m.n),
    "slides.sentinel": lambda m: m.orbit_count - comb(m.B, m.n),
    "theorem2.sentinel-above": lambda m: m.orbit_count - comb(m.B + m.n - 1, m.n),
}
_MADE = {
    "s6.average": average,
    "s6.bilinear": bilinear,
    "s6.sepconv": separable,
    "slides.sentinel": small_sentinel,
    "theorem2.sentinel-above": sentinel_above,
}


def made(claims: Sequence[str], m: Model) -> Iterator[tuple[str, Made]]:
    for claim in claims:
        yield from ((claim, relation) for relation in _MADE[claim](m))


def matrices(claim: str, m: Model, number: int) -> list[list[Column]]:
    """The columns of a case (of s6.average: of the two orbits), in units of delta, or of the small sentinel."""
    columns = {"slides.sentinel": small_columns, "theorem2.sentinel-above": high_columns}.get(claim, bare)(m)
    if claim == "s6.average":
        orbits: list[Orbit] = list(averaged(m)[number][:2])
    else:
        cases = {"s6.bilinear": ordered, "s6.sepconv": rotated, "slides.sentinel": others}.get(claim, lifted)
        orbits = list(islice(cases(m), number, number + 1))
    return [[columns[c] for c in orbit] for orbit in orbits]

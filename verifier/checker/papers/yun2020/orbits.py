"""FORMAT 11, the claims over orbits: the value map and the network (lemma7, prop4), the cube (lemma8), softmax in place
of hardmax (lemma9), the slides. As everywhere whole numbers in units of delta, unless a relation says its own unit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, count, pairwise
from math import comb, perm
from operator import sub
from typing import Any

from ...core.ledger import Made
from .claims import Cases
from .model import Model, Shift

Target = Callable[[int], list[int]]  # of key i, the column T_i

_DOMAINS = {
    "12345": "lemma9.softmax prop4.network prop4.network-bounded slides.closed",
    "123": "prop4.distance prop4.distance-p lemma8.radius lemma8.radius-p lemma8.equivariant "
    "lemma9.compact slides.one-dimensional-all",
    "1": "lemma7.map lemma7.map-bounded slides.one-dimensional slides.broadcast",
    "2345": "lemma7.reject",
}
DOMAINS = {claim: kinds for kinds, claims in _DOMAINS.items() for claim in claims.split()}
PAIRS = {"lemma7.map-bounded": "also", "slides.one-dimensional-all": "alone"}


def domain(claim: str, m: Model) -> str:
    """The kinds of orbits that are cases of the claim at this instance. The slides' sketch is about d = 1 alone."""
    sketch = claim.startswith("slides.") and claim != "slides.closed"
    return "" if sketch and m.d > 1 else DOMAINS[claim]


def keys(claim: str, m: Model) -> int:
    """How many keys the value map of a claim has: one for each column of each orbit of Category 1."""
    return m.n * comb(m.B, m.n) if claim.startswith(("lemma7.", "prop4.network")) else 0


class ValueMap:
    """FORMAT 11, the value map: the keys of the orbits of Category 1, and what the layers of the keys add to a column.

    Of the layers before them one fact is used: no entry of any g_c(L) exceeds M. If the id of a column is outside
    [t_l, t_r), each of its entries becomes at most M - (M+1) < 0, and then 0.

    Ids and keys are whole numbers, in units of delta. So the layer of key i acts on a column if and only if its id
    equals the key. It then adds D_i = T_i - (the column that has key i), and the new id is u^T T_i. What follows
    depends on this id and on the later layers alone.

    So the layers are taken from the last to the first. After layer i has been taken, added[t] is the sum of what the
    layers from i on add, in order, to a column whose id is t; an id that isn't in it gets nothing. Only added[key i]
    changes with layer i: for this id layer i is the first that acts, and the later layers act on its output. The new
    sum is therefore D_i + added[u^T T_i], where added is the one of the layers after i."""

    def __init__(self, m: Model, chain: bool) -> None:
        self.m = m
        bare = [k for k, column in enumerate(m.columns) if min(column) >= 0]
        tokens: list[tuple[int, int]] = []  # of each key the number of its column, and the key
        self.first: dict[tuple[int, ...], int] = {}  # of each orbit of Category 1, by rank, its first key's number
        for orbit in combinations(bare, m.n):
            self.first[orbit] = len(tokens)
            tokens += zip(orbit, m.last(m.sweep([m.ids[c] for c in orbit])[0]), strict=True)
        self.keys = [key for _, key in tokens]
        self.target: Target = self._chain if chain else self._small
        self.added: dict[int, list[int]] = {}
        for i in range(len(tokens) - 1, -1, -1):
            T = self.target(i)
            then = self.added.get(m.identity(T), [0] * m.d)
            self.added[self.keys[i]] = [
                t - own + more for t, own, more in zip(T, m.moved(*tokens[i]), then, strict=True)
            ]

    def _chain(self, i: int) -> list[int]:
        return [self.keys[i + 1] if i + 1 < len(self.keys) else 0, *[0] * (self.m.d - 1)]

    def _small(self, i: int) -> list[int]:
        return [(i + r) % 5 - 2 for r in range(1, self.m.d + 1)]

    def column(self, number: int, q: int) -> list[int]:
        """The value map's output for the column of this number, if its id in g_c(L) is q."""
        inside = self.m.t_l <= q <= self.m.t_r
        z = [max(0, entry) for entry in self.m.moved(number, q)] if inside else [0] * self.m.d
        more = self.added.get(self.m.identity(z))
        return [a + b for a, b in zip(z, more, strict=True)] if more else z

    def outputs(self, c: Cases, j: int) -> list[list[int]]:
        """Of column j (from 0), over the orbits."""
        return [self.column(orbit[j], q) for orbit, q in zip(c.orbits, c.q[j], strict=True)]

    def targets(self, c: Cases, j: int) -> list[list[int]]:
        return [self.target(self.first[orbit] + j) for orbit in c.orbits]


value_map = lru_cache(maxsize=2)(ValueMap)


def quantised(m: Model, twice_x: int) -> int:
    """Lemma 5: what the layers of a row make of an entry, in half units of delta. The first adds -t - delta^-(nd) to
    an entry t outside [0, 1). Then, for k = 0..N-1, an entry in [k delta, (k+1) delta) is replaced by k delta."""
    x = twice_x
    if x < 0 or x >= 2 * m.N:
        x += -x + 2 * m.sentinel
    for k in range(m.N):
        if x // 2 == k:
            x -= x - 2 * k
    return x


def points(m: Model) -> Iterator[str]:
    """The points at which prop4.network runs the network. At each it is checked that the quantiser gives back L, entry
    by entry."""
    for at, away, inside in (("the corner", -1, 0), ("the centre", 2 * m.N, 1)):
        entries = [(m.sentinel, away), *((k, 2 * k + inside) for k in range(m.N))]
        if any(quantised(m, twice_x) != 2 * entry for entry, twice_x in entries):
            raise ArithmeticError(f"the quantiser does not give back L at {at}")
        yield f" at {at}"


def rejected(v: ValueMap, c: Cases, where: str) -> Iterator[Made]:
    n, d = v.m.n, v.m.d
    columns = zip(*(v.outputs(c, j) for j in range(n)), strict=True)
    matrices = [[list(row) for row in zip(*matrix, strict=True)] for matrix in columns]
    yield Made(f"the output{where}", "=", "0", matrices, [[[0] * n for _ in range(d)]] * len(matrices))


def mapped(v: ValueMap, c: Cases, where: str, j: int) -> Made:
    return Made(f"column {j + 1} of the output{where}", "=", "its target", v.outputs(c, j), v.targets(c, j))


def gap(m: Model, before: Sequence[int], shifts: Sequence[Shift], after: Sequence[int]) -> int | None:
    """lemma9.softmax, for ids that are not all equal: the least distance of the best score of a column from the next
    smaller one, in units of delta^2/2.

    The scores of column j are x_i (2 x_j - 2b). If x_j > b, the best two differ by |2 x_j - 2b| times the distance of
    the two largest ids; if x_j < b, by that times the distance of the two smallest ids. If x_j = b, all are equal.

    From the layer after one shift up to the next shift, all layers see the same ids. Their doubled thresholds are the
    odd numbers from `least` to `most`, and only the two that are next to the even number 2 x_j matter. The global
    shift has 2b = 0."""
    if before[0] == before[-1]:
        return None
    starts = [(0, before), *((level + 1, ids) for level, _, ids in shifts)]
    ends = [*(level for level, _, _ in shifts), m.B - 1]
    stages = [(2 * a - 1, 2 * b + 1, x) for (a, x), b in zip(starts, ends, strict=True) if a <= b]
    gaps: list[int] = []
    for least, most, x in [*stages, (0, 0, after)]:
        different = sorted(set(x))
        if len(different) == 1:
            continue
        lowest, highest = different[1] - different[0], different[-1] - different[-2]
        for twice in (2 * x_j for x_j in different):
            below, above = min(twice - 1, most), max(twice + 1, least)
            gaps += [(twice - below) * highest] if below >= least else []
            gaps += [(above - twice) * lowest] if above <= most else []
    return min(gaps)


def decoded(m: Model, largest: int) -> list[int]:
    """The slides: from m = max O, for j = n down to 1: k_j = m mod N, m <- (m - k_j) / N + k_j, rounded down."""
    found = []
    for _ in range(m.n):
        k = largest % m.N
        found.append(k)
        largest = (largest - k) // m.N + k
    return sorted(found)


def exchanged(matrix: Sequence[Sequence[int]], j: int) -> list[list[int]]:
    """Columns j and j+1 (from 0) change places."""
    return [[*row[:j], row[j + 1], row[j], *row[j + 2 :]] for row in matrix]


def with_its_sum(matrix: Sequence[Sequence[int]]) -> list[list[int]]:
    """f(X) = X + X 1 1^T."""
    return [[x + sum(row) for x in row] for row in matrix]


def relations(claim: str, m: Model, c: Cases) -> Iterator[Made]:
    """The relations that a claim states for each case, in FORMAT 11's order. All cases are of one kind: `bare` says
    that they have no sentinel, `distinct` that no two of their columns are equal."""
    orbit = c.orbits[0]
    bare, distinct = all(min(m.columns[k]) >= 0 for k in orbit), len(set(orbit)) == m.n
    for of_some in (_by_value_map, _near_or_by_softmax, _of_slides):
        yield from of_some(claim, m, c, bare, distinct)


def _by_value_map(claim: str, m: Model, c: Cases, bare: bool, distinct: bool) -> Iterator[Made]:
    """Lemma 7 and Proposition 4: the values become columns of a matrix that belongs to the context, or 0."""
    n = m.n
    match claim:
        case "lemma7.reject":
            yield from rejected(value_map(m, True), c, "")
        case "lemma7.map":
            for j in range(n):
                yield mapped(value_map(m, True), c, "", j)
        case "lemma7.map-bounded":
            v = value_map(m, False)
            for j, q in enumerate(c.q):
                yield mapped(v, c, "", j)
                twice = [2 * abs(m.identity(T)) for T in v.targets(c, j)]
                yield Made("|u^T of a target|", "<", "t_l - delta/2", twice, 2 * m.t_l - 1, unit=2 * m.N)
                yield Made(f"q_{j + 1}", ">=", "t_l", q, m.t_l)
            for less, more in pairwise(zip(*map(sorted, c.q_rows), strict=True)):
                yield Made("distance of two entries of q(L)", ">=", "delta", list(map(sub, more, less)), 1)
        case "prop4.network" | "prop4.network-bounded":
            v = value_map(m, claim == "prop4.network")
            for where in points(m):
                if bare and distinct:
                    for j in range(n):
                        yield mapped(v, c, where, j)
                else:
                    yield from rejected(v, c, where)


def _near_or_by_softmax(claim: str, m: Model, c: Cases, bare: bool, distinct: bool) -> Iterator[Made]:
    """Lemma 8, cubes and their centres; Lemma 9, softmax for hardmax."""
    n = m.n
    match claim:
        case "lemma8.radius":  # in half units each of the d n entries of L is 1 away from the centre's
            yield Made("||L - C||_1", "<=", "delta", [m.d * n] * len(c.ranks), 2, unit=2 * m.N)
        case "lemma8.radius-p":
            p = next(p for p in count(1) if 2**p >= m.d * n)
            name, unit = "||L - C||_p^p, 2^p >= d n", (2 * m.N) ** p
            yield Made(name, "<=", "delta^p", [m.d * n] * len(c.ranks), 2**p, unit=unit)
            yield Made("||L - C||_inf", "<=", "delta/2", [1] * len(c.ranks), 1, unit=2 * m.N)
        case "lemma8.equivariant":  # in half units: C_L = L + delta/2, and C_LP = LP + delta/2
            lower = [m.matrix(its, ids) for its, ids in zip(c.orbits, c.l_rows, strict=True)]
            images = [with_its_sum([[2 * x + 1 for x in row] for row in L]) for L in lower]
            for j in range(n - 1):
                of_permuted = [with_its_sum([[2 * x + 1 for x in row] for row in exchanged(L, j)]) for L in lower]
                permuted = [exchanged(image, j) for image in images]
                yield Made("f(C_LP)", "=", "f(C_L) P", of_permuted, permuted, unit=2 * m.N)
        case "lemma9.softmax":
            gaps = list(map(gap, [m] * len(c.ranks), c.l_rows, c.shifts, c.t_rows))
            yield Made("smallest gap of a head", ">=", "delta^2/2", gaps, 1, unit=2 * m.N**2)
        case "lemma9.compact" if bare and distinct:
            for j, q in enumerate(c.q, 1):
                yield Made(f"q_{j}", ">=", "t_l + delta", q, m.t_l + 1)
                yield Made(f"q_{j}", "<=", "t_r - delta", q, m.t_r - 1)
        case "lemma9.compact" if bare:
            yield Made("max_j q_j", "<=", "t_l - delta", list(map(max, c.q_rows)), m.t_l - 1)


def _of_slides(claim: str, m: Model, c: Cases, bare: bool, distinct: bool) -> Iterator[Made]:
    n = m.n
    match claim:
        case "slides.one-dimensional":  # d = 1: k_j are the ids, and O_j the ids after the sweep
            for j, (k, end) in enumerate(zip(c.l, c.t, strict=True), 1):
                yield Made(f"O_{j} mod N", "=", f"k_{j}", [o % m.N for o in end], k, unit=1)
            back = [decoded(m, max(end)) for end in c.t_rows]
            yield Made("k decoded from max O", "=", "k", back, list(map(sorted, c.l_rows)), unit=1)
        case "slides.broadcast":
            largest, high = list(map(max, c.t_rows)), m.N ** (n + 1)
            yield Made("max O", "<", "N^(n+1)", largest, high, unit=1)
            for j, end in enumerate(c.t, 1):
                back = [decoded(m, (o + high * most) // high) for o, most in zip(end, largest, strict=True)]
                yield Made(f"k decoded from coordinate {j}", "=", "k", back, list(map(sorted, c.l_rows)), unit=1)
        case "slides.closed":
            for j, q in enumerate(c.q, 1):
                if bare and distinct:
                    yield Made(f"q_{j}", ">=", "t_l", q, m.t_l)
                    yield Made(f"q_{j}", "<=", "t_r", q, m.t_r)
                else:
                    yield Made(f"q_{j}", "<", "t_l", [v if v < m.t_l else None for v in q], m.t_l)
                    yield Made(f"q_{j}", ">", "t_r", [None if v < m.t_l else v for v in q], m.t_r)


def conclusions(claim: str, m: Model, sizes: dict[str, Any]) -> Iterator[Made]:
    """The relations that are made once, about no matrix: sizes are the counted ones."""
    d, n, B, nowhere = m.d, m.n, m.B, [()]
    rare, every = sizes["category2"][0], sizes["category1"][0] + sizes["category2"][0]  # f = rare / every
    match claim:
        case "prop4.distance":
            most = "d n . n(n-1)/2 . delta^d"
            value, bound = [2 * d * n * rare * B], d * n * n * (n - 1) * every
            yield Made("distance at p = 1", "<=", most, value, bound, nowhere, 2 * every * B)
            finer = (2 * m.N) ** d  # B' : d n f' B'^2 = d n (B'^n - B'!/(B'-n)!) / B'^(n-2)
            value = [d * n * (finer**n - perm(finer, n)) * every]
            bound, unit = d * n * rare * B**2 * finer ** (n - 2), finer ** (n - 2) * every
            name = "(distance / delta^d)^2 for p = 2, at 2N"
            yield Made(name, "<=", "the same at N", value, bound, nowhere, unit)
        case "prop4.distance-p":
            value, unit = [2 * d * n * rare * B], 2 * every * B
            yield Made("distance^p", ">=", "d n . delta^d", value, 2 * d * n * every, nowhere, unit)
            bound = d * n * n * (n - 1) * every
            yield Made("distance^p", "<=", "d n . n(n-1)/2 . delta^d", value, bound, nowhere, unit)
        case "lemma9.softmax":
            bits = (n - 1).bit_length()  # K = 10 + bits
            yield Made("(n-1) / 2^K", "<=", "1/1024", [n - 1], 2**bits, nowhere, 2 ** (10 + bits))
        case "lemma9.compact":  # in units of delta the error is eight / (8 . 2^K), to be <= 1/8: K is the least
            eight = 16 * B**n * (B - 1) * (n - 1) * (1 + 2 * B) ** B * (1 + B ** (n + 1))
            power = 2 ** eight.bit_length()  # 1 + 2 B is odd: eight is no power of 2
            name = "error after the last layer"
            yield Made(name, "<=", "delta/8", [eight], power, nowhere, 8 * power * m.N)

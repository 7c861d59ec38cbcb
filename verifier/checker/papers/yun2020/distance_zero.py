"""FORMAT 11, the construction with distance 0 (exact.*), in units of delta."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import chain, combinations_with_replacement, islice, product
from math import comb, factorial, prod
from operator import mul

from ...core.ledger import Made
from .distinct import neighbours
from .model import Model
from .pieces import Piecewise, bump, composed, quantizes
from .sizes import Exact, blocks, whole

Column = tuple[int, ...]
ColumnNumbers = tuple[int, ...]  # numbers k of columns of G, not decreasing


@dataclass(frozen=True)
class Net:
    """The numbers of the construction, in units of delta (F as it is), and its network for the chain targets."""

    m: Model

    @cached_property
    def F(self) -> int:
        return int((self.m.n + 1) ** self.m.B)

    def code(self, k: int) -> int:
        """C (n+1)^k; C = N^(d-1) is B units."""
        return int(self.m.B * (self.m.n + 1) ** k)

    @cached_property
    def S(self) -> int:
        return self.code(self.m.B)

    @cached_property
    def border(self) -> int:
        return self.F * self.S

    @cached_property
    def M(self) -> int:
        U = sum(self.m.N**row for row in range(self.m.d))
        return int(self.S * (U + 1) * (1 + self.m.n * self.F))

    def key(self, context: ColumnNumbers, k: int) -> int:
        return self.code(k) + self.F * sum(map(self.code, context))

    @cached_property
    def columns(self) -> list[Column]:
        """Those of G+ by increasing id: the B of G, then those with a sentinel."""
        return sorted(product((*range(self.m.N), self.S), repeat=self.m.d), key=lambda c: (self.m.identity(c), c))

    def orbits(self) -> Iterator[ColumnNumbers]:
        return combinations_with_replacement(range(len(self.columns)), self.m.n)

    def coded(self, column: Column) -> Column:
        """Step 2: a window of width delta around k delta holds the id k alone."""
        for k in range(self.m.B):
            if self.m.identity(column) == k:
                column = (column[0] + self.code(k) - k, *column[1:])
        return column

    @cached_property
    def coded_columns(self) -> list[Column]:
        return list(map(self.coded, self.columns))

    @cached_property
    def W_K(self) -> Column:
        return (0,) * self.m.d

    @cached_property
    def W_Q(self) -> Column:
        return (0,) * self.m.d

    def scores(self, X: Sequence[Sequence[int]]) -> list[list[int]]:
        """(W_K X)^T W_Q X, by columns."""
        keys, queries = ([sum(map(mul, W, c)) for c in X] for W in (self.W_K, self.W_Q))
        return [[key * query for key in keys] for query in queries]

    def attended(self, X: Sequence[Sequence[int]]) -> list[int]:
        """Step 3: for each column n F times the mean of the ids over its arg maxima."""
        ids, out = list(map(self.m.identity, X)), []
        for scores in self.scores(X):
            tied = [id_ for id_, score in zip(ids, scores, strict=True) if score == max(scores)]
            mean, rest = divmod(self.m.n * self.F * sum(tied), len(tied))
            if rest:
                raise ValueError("a head that is not whole")
            out.append(mean)
        return out

    def image(self, orbit: ColumnNumbers) -> list[Column]:
        """Steps 2 and 3."""
        X = [self.coded_columns[c] for c in orbit]
        return [(c[0] + more, *c[1:]) for c, more in zip(X, self.attended(X), strict=True)]

    @cached_property
    def places(self) -> list[tuple[ColumnNumbers, int]]:
        """Each context of G, and each column in it once."""
        contexts = combinations_with_replacement(range(self.m.B), self.m.n)
        return [(context, k) for context in contexts for k in dict.fromkeys(context)]

    @cached_property
    def targets(self) -> dict[tuple[ColumnNumbers, int], Column]:
        """The key of the next place, and 0 below it; of the last place 0."""
        keys = [*(self.key(*place) for place in self.places[1:]), 0]
        return {place: (key, *(0,) * (self.m.d - 1)) for place, key in zip(self.places, keys, strict=True)}

    @cached_property
    def D(self) -> int:
        return self.m.N + max(map(self.m.identity, self.targets.values()))

    @cached_property
    def changes(self) -> list[tuple[int, Column]]:
        """Step 5: each key, and what is added there."""
        out = []
        for context, k in self.places:
            z = dict(zip(context, self.image(context), strict=True))[k]
            A = self.targets[context, k]
            out.append(
                (self.key(context, k), (A[0] - self.D - z[0], *(a - x for a, x in zip(A[1:], z[1:], strict=True))))
            )
        return out

    @cached_property
    def at(self) -> dict[int, int]:
        """The layer of step 5 in whose window an id is."""
        return {key: layer for layer, (key, _) in enumerate(self.changes)}

    def finished(self, z: Column) -> list[int]:
        """Steps 4 to 6, each layer reading what those before it wrote."""
        column = list(z)
        if self.m.identity(column) >= self.border:
            column = [x - (self.M + self.m.N) for x in column]
        column = [max(0, x) for x in column]
        layer = -1
        while (found := self.at.get(self.m.identity(column), -1)) > layer:
            layer = found
            column = [x + y for x, y in zip(column, self.changes[layer][1], strict=True)]
        if 2 * self.m.identity(column) < -self.m.N:
            column[0] += self.D
        return column

    def target(self, orbit: ColumnNumbers) -> list[list[int]] | None:
        """A_L, by columns; None beside a sentinel."""
        if orbit[-1] >= self.m.B:
            return None
        return [list(self.targets[orbit, k]) for k in orbit]


@lru_cache(maxsize=1)
def net(m: Model) -> Net:
    return Net(m)


def quantiser(m: Model) -> list[tuple[int, Piecewise]]:
    """Step 1, the layers of one row."""
    return [(0, bump(m.N, (0, 0), (-1, net(m).S))), *((k, bump(1, (-1, 0), (0, 0))) for k in range(m.N))]


def codes(m: Model) -> Iterator[Made]:
    it = net(m)
    after, mine = it.coded_columns, range(len(it.columns))
    inner = list(range(m.B))
    others = list(range(m.B, len(it.columns)))
    by_code = [m.identity(after[k]) for k in inner]
    yield Made("u^T of the column after step 2", "=", "C (n+1)^k", by_code, list(map(it.code, inner)), inner)
    below = [[list(column[1:]) for column in side] for side in (after, it.columns)]
    yield Made("rows 2..d after step 2", "=", "rows 2..d", below[0], below[1], list(mine))
    same = [[list(side[k]) for k in others] for side in (after, it.columns)]
    yield Made("the column after step 2", "=", "the column", same[0], same[1], others)
    yield Made("u^T c", ">=", "S", [m.identity(after[k]) for k in others], it.S, others)


def of_G(m: Model) -> list[tuple[int, ColumnNumbers]]:
    return [(number, orbit) for number, orbit in enumerate(net(m).orbits()) if orbit[-1] < m.B]


def keys(m: Model) -> Iterator[Made]:
    it, cases = net(m), of_G(m)
    numbers = [number for number, _ in cases]
    ids = [[m.identity(column) for column in it.image(orbit)] for _, orbit in cases]
    for j in range(m.n):
        wanted = [it.key(orbit, orbit[j]) for _, orbit in cases]
        yield Made(f"id of column {j + 1}", "=", "its key", [row[j] for row in ids], wanted, numbers)
        yield Made("an id", "<", "F S", [row[j] for row in ids], it.border, numbers)
    spread = [sorted(set(row)) for row in ids]
    for j in range(m.n - 1):
        gaps = [row[j + 1] - row[j] if len(row) > j + 1 else None for row in spread]
        yield Made("distance of two keys of L", ">=", "C", gaps, m.B, numbers)
    coded = [v * m.orbit_count + number for number, row in zip(numbers, spread, strict=True) for v in row]
    for pairs in neighbours(coded, m.orbit_count):
        name = "distance of a key of L from one of L'"
        yield Made(name, ">=", "C", [b[0] - a[0] for a, b, _ in pairs], m.B, [key for _, _, key in pairs])


def beside(m: Model) -> Iterator[Made]:
    it = net(m)
    cases = [(number, it.image(orbit)) for number, orbit in enumerate(it.orbits()) if orbit[-1] >= m.B]
    numbers, images = [number for number, _ in cases], [image for _, image in cases]
    yield Made("smallest id", ">=", "F S", [min(map(m.identity, image)) for image in images], it.border, numbers)
    yield Made("largest entry", "<=", "M", [max(chain(*image)) for image in images], it.M, numbers)
    yield Made("smallest entry", ">=", "0", [min(chain(*image)) for image in images], 0, numbers)


def scores(m: Model) -> Iterator[Made]:
    it = net(m)
    contexts = ([it.coded_columns[c] for c in orbit] for orbit in it.orbits())
    largest = [max(map(abs, chain(*it.scores(X)))) for X in contexts]
    yield Made("largest score of a head", "<=", "0", largest, 0, list(range(m.orbit_count)))


def outputs(m: Model) -> Iterator[Made]:
    """At two points for each orbit, through the quantiser as it is composed."""
    it, f = net(m), composed(quantiser(m))
    columns = {column: c for c, column in enumerate(it.columns)}
    for where, offset, outside in (
        (" at the corner", Fraction(0), Fraction(-1, 2)),
        (" at the centre", Fraction(1, 2), m.N),
    ):
        quantised = {}
        for x in (*range(m.N), it.S):
            t = outside if x == it.S else x + offset
            slope, intercept = f.line(t)
            quantised[x] = slope * t + intercept
        met = [columns[tuple(int(quantised[x]) for x in column)] for column in it.columns]
        by_column: list[list[list[int] | None]] = [[] for _ in range(m.n)]
        wanted: list[list[list[int] | None]] = [[] for _ in range(m.n)]
        zero, rows = [], []
        for orbit in it.orbits():
            done = [it.finished(z) for z in it.image(tuple(met[c] for c in orbit))]
            A = it.target(orbit)
            rows.append(None if A else [list(row) for row in zip(*done, strict=True)])
            zero.append([[0] * m.n for _ in range(m.d)])
            for j in range(m.n):
                by_column[j].append(done[j] if A else None)
                wanted[j].append(A[j] if A else None)
        numbers = list(range(m.orbit_count))
        yield Made(f"the output{where}", "=", "0", rows, zero, numbers)
        for j in range(m.n):
            yield Made(f"column {j + 1} of the output{where}", "=", "its target", by_column[j], wanted[j], numbers)


def counted(m: Model) -> Iterator[Made]:
    d, n, B = m.d, m.n, m.B
    layers = d * len(quantiser(m)) + B + 1 + (1 + d) + len(net(m).places) + 1
    keys_, papers = B * comb(B + n - 2, n - 1), n * comb(B, n)
    C = prod((1 + Fraction(k, 2**d) for k in range(1, n - 1)), start=Fraction(1))
    C += Fraction(factorial(n), n) * (Fraction(d + 1, 2 ** (d * (n - 1))) + Fraction(2 * d + 3, 2 ** (d * n)))
    formula, more = "(dN + d) + B + 1 + (1 + d) + B C(B+n-2, n-1) + 1", "B C(B+n-2, n-1) - n C(B, n) + 1"
    by_formula = d * m.N + d + B + 1 + 1 + d + keys_ + 1
    relations: list[Exact] = [
        ("layers", "=", formula, Fraction(layers), Fraction(by_formula)),
        ("layers beyond the paper's", "=", more, Fraction(layers - blocks(m)), Fraction(keys_ - papers + 1)),
        ("layers", "<=", "C n delta^-(dn) / n!", Fraction(layers), C * n * B**n / factorial(n)),
    ]
    yield from whole(relations)


def weights(m: Model) -> Iterator[Made]:
    """Every number of every layer, in units of delta."""
    it, N = net(m), m.N
    found = [N, *(N * m.N**row for row in range(m.d)), *range(m.N)]  # e_i, u, and the shifts of step 1
    found += [it.code(k) - k for k in range(m.B)] + list(range(m.B)) + [m.n * it.F * N, it.M + N, it.D]
    found += [number for key, change in it.changes for number in (key, *change)]
    largest = max(map(abs, found))
    yield Made("largest weight", "=", "M + 1, M = S (U+1) (1 + n F)", [largest], [it.M + N], [()])
    yield Made("largest weight", ">=", "(n+1)^(2 delta^-d)", [largest], (m.n + 1) ** (2 * m.B) * N, [()])


CASES: dict[str, Callable[[Model], int]] = {
    "exact.quantizes": lambda m: m.d * (m.N + 2),
    "exact.codes": lambda m: m.column_count,
    "exact.keys": lambda m: comb(m.B + m.n - 1, m.n),
    "exact.sentinel": lambda m: m.orbit_count - comb(m.B + m.n - 1, m.n),
    "exact.softmax": lambda m: m.orbit_count,
    "exact.network": lambda m: m.orbit_count,
    "exact.layers": lambda _: 1,
    "exact.weights": lambda _: 1,
}


def _quantizes(m: Model) -> Iterator[Made]:
    S, inside = net(m).S, [(k, k + 1, k) for k in range(m.N)]
    yield from quantizes(composed(quantiser(m)), [(None, 0, S), *inside, (m.N, None, S)], m.d)


_MADE: dict[str, Callable[[Model], Iterator[Made]]] = {
    "exact.quantizes": _quantizes,
    "exact.codes": codes,
    "exact.keys": keys,
    "exact.sentinel": beside,
    "exact.softmax": scores,
    "exact.network": outputs,
    "exact.layers": counted,
    "exact.weights": weights,
}


def made(claims: Sequence[str], m: Model) -> Iterator[tuple[str, Made]]:
    for claim in claims:
        yield from ((claim, relation) for relation in _MADE[claim](m))


def matrix(claim: str, m: Model, number: int) -> tuple[list[Column], int]:
    """The columns of a case, and their unit."""
    it = net(m)
    orbit = (number,) if claim == "exact.codes" else next(islice(it.orbits(), number, None))
    return [it.columns[c] for c in orbit], m.N

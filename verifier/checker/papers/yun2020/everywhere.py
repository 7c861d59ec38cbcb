"""FORMAT 11, exact.everywhere: the network of ReLUs in whole numbers, each over a unit that grows on ramps."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain, combinations_with_replacement, islice, product
from math import comb

from ...core.ledger import Made
from .distance_zero import Column, Net, net
from .model import Model
from .pieces import Piecewise, approximated
from .sizes import Exact, whole

# Breaks and shifts count in 1/(8N): eps = delta/4 is two of them, and the entries of the points are whole. An entry of
# a column counts in 1/unit, unit = 8N or a multiple.

Scaled = tuple[list[int], int]  # the entries of a column, or of a matrix, and their unit


def alphabet(m: Model) -> list[int]:
    """-eps and 1, outside; -eps/2 and 1 - eps/2, on strips; 3/8 into each [k delta, (k+1) delta)."""
    return sorted([-2, 8 * m.N, -1, 8 * m.N - 1, *(8 * k + 3 for k in range(m.N))])


def points(m: Model) -> Iterator[tuple[Column, ...]]:
    return combinations_with_replacement(product(alphabet(m), repeat=m.d), m.n)


def smooth(m: Model, breaks: Sequence[int | Fraction], lines: Sequence[tuple[int, int]]) -> Piecewise:
    """phi~ for breaks and lines in ones; its own breaks and intercepts in 1/(8N), its slopes whole."""
    exact = tuple((Fraction(a), Fraction(b)) for a, b in lines)
    phi = approximated(Piecewise(tuple(map(Fraction, breaks)), exact), Fraction(1, 4 * m.N))
    corners, pieces = [8 * m.N * c for c in phi.breaks], [(a, 8 * m.N * b) for a, b in phi.lines]
    if any(x.denominator != 1 for x in chain(corners, *pieces)):
        raise ValueError("a ramp that is not whole")
    return Piecewise(tuple(map(int, corners)), tuple((int(a), int(b)) for a, b in pieces))


@dataclass(frozen=True)
class Stage:
    """Layers Z <- Z + change phi~(z - shift), one after the other: z an entry, or the id (row -1)."""

    m: Model
    row: int
    phi: Piecewise
    shifts: list[int]
    changes: list[list[int]]  # in units of delta

    @cached_property
    def by_shift(self) -> list[tuple[int, int]]:
        if not self.phi.lines[0] == self.phi.lines[-1] == (0, 0):
            raise ValueError("no window")
        return sorted((shift, layer) for layer, shift in enumerate(self.shifts))

    def next(self, place: int, done: int) -> int | None:
        """The first layer behind `done` in whose window a number from `place` to `place` + 1 is; outside it a layer
        adds 0. A single layer need not be a window."""
        if len(self.shifts) == 1:
            return 0 if done < 0 else None
        first, last = self.phi.breaks[0], self.phi.breaks[-1]
        low, high = (bisect_left(self.by_shift, (place - end + 1,)) for end in (last, first))
        return min((layer for _, layer in self.by_shift[low:high] if layer > done), default=None)

    def through(self, column: Scaled) -> Scaled:
        """Each layer reads what those before it wrote."""
        x, unit = column
        done = -1
        while True:
            z = x[self.row] if self.row >= 0 else self.m.identity(x)
            fine = unit // (8 * self.m.N)
            layer = self.next(z // fine, done)
            if layer is None:
                return x, unit
            done, t = layer, z - fine * self.shifts[layer]
            slope, intercept = self.phi.lines[bisect_right(self.phi.breaks, t // fine)]
            y = slope * t + intercept * fine
            if y % self.m.N:  # on a ramp
                x, y, unit = [v * self.m.N for v in x], y * self.m.N, unit * self.m.N
            x = [v + y // self.m.N * change for v, change in zip(x, self.changes[layer], strict=True)]


def through(stages: Sequence[Stage], column: Scaled) -> Scaled:
    for stage in stages:
        column = stage.through(column)
    return column


def basis(m: Model, row: int) -> list[int]:
    return [m.N * int(k == row) for k in range(m.d)]


def window(m: Model) -> Piecewise:
    half = Fraction(1, 2 * m.N)
    return smooth(m, (-half, half), ((0, 0), (0, 1), (0, 0)))


def before(m: Model) -> list[Stage]:
    """Steps 1 and 2."""
    it, N = net(m), m.N
    outside = smooth(m, (0, 1), ((-1, it.S // N), (0, 0), (-1, it.S // N)))
    floor, inner = smooth(m, (0, Fraction(1, N)), ((0, 0), (-1, 0), (0, 0))), [8 * k for k in range(N)]
    stages = []
    for row in range(m.d):
        e = basis(m, row)
        stages += [Stage(m, row, outside, [0], [e]), Stage(m, row, floor, inner, [e] * N)]
    codes = [[it.code(k) - k, *([0] * (m.d - 1))] for k in range(m.B)]
    return [*stages, Stage(m, -1, window(m), [8 * k for k in range(m.B)], codes)]


def behind(m: Model) -> list[Stage]:
    """Steps 4 to 6."""
    it, N = net(m), m.N
    rejected = smooth(m, (Fraction(it.border, N),), ((0, 0), (0, 1)))
    clear, end = smooth(m, (0,), ((-1, 0), (0, 0))), smooth(m, (Fraction(-1, 2),), ((0, 1), (0, 0)))
    return [
        Stage(m, -1, rejected, [0], [[-(it.M + N)] * m.d]),
        *(Stage(m, row, clear, [0], [basis(m, row)]) for row in range(m.d)),
        Stage(m, -1, window(m), [8 * key for key, _ in it.changes], [list(change) for _, change in it.changes]),
        Stage(m, -1, end, [0], [[it.D, *([0] * (m.d - 1))]]),
    ]


def over_one_unit(columns: Sequence[Scaled]) -> tuple[list[list[int]], int]:
    """Of units the largest is a multiple of all."""
    unit = max(its for _, its in columns)
    return [[v * (unit // its) for v in x] for x, its in columns], unit


def images(m: Model) -> Iterator[tuple[tuple[Column, ...], list[list[int]], int]]:
    """The points, and the network's output for their columns, in 1/unit."""
    it, N, first, last = net(m), m.N, before(m), behind(m)
    coded = {c: through(first, (list(c), 8 * N)) for c in product(alphabet(m), repeat=m.d)}
    for case in points(m):
        entries, unit = over_one_unit([coded[c] for c in case])
        moved = [[x[0] + more, *x[1:]] for x, more in zip(entries, it.attended(entries), strict=True)]
        yield case, *over_one_unit([through(last, (x, unit)) for x in moved])


def target(m: Model, case: Sequence[Column]) -> list[Column] | None:
    """The required output there, by columns, in units of delta: 0 outside, A_L inside, None if none is required."""
    it, middle = net(m), {8 * k + 3: k for k in range(m.N)}
    met = set(chain(*case))
    if met & {-2, 8 * m.N}:
        return [(0,) * m.d for _ in case]
    if not met <= set(middle):
        return None
    numbers = [m.identity([middle[x] for x in c]) for c in case]
    return [it.targets[tuple(sorted(numbers)), k] for k in numbers]


def weighed(m: Model, it: Net) -> Iterator[Made]:
    """The inequalities that the argument for every X rests on."""
    N = m.N
    eps, end, delta = Fraction(1, 4 * N), Fraction(2 * m.B - 1, 2 * N), Fraction(1, N)
    S, C, U = Fraction(it.S, N), Fraction(m.B, N), sum(N**k for k in range(m.d))
    relations: list[Exact] = [
        ("end of the last window of step 2", "<", "C", end, C),
        ("end of the last window of step 2", "<", "S", end, S),
        ("sum of all codes", "<=", "S", Fraction(sum(map(it.code, range(m.B))), N), S),
        ("S (U+1) (1 + n F)", "<=", "M", S * (U + 1) * (1 + m.n * it.F), Fraction(it.M, N)),
        ("largest key", "<", "F S - eps", Fraction(max(it.at), N), Fraction(it.border, N) - eps),
        ("start of the first window of step 5", ">", "0", Fraction(min(it.at), N) - delta / 2 - eps, Fraction(0)),
        ("delta/2 + eps", "<", "C", delta / 2 + eps, C),
        ("1/2 + eps", "<", "1", Fraction(1, 2) + eps, Fraction(1)),
    ]
    yield from whole(relations)


def everywhere(m: Model) -> Iterator[Made]:
    it, run = net(m), list(images(m))
    unit = max(its for *_, its in run)
    rows: list[list[list[int]] | None] = []
    wanted: list[list[list[int]] | None] = []
    largest: list[int] = []
    for case, columns, its in run:
        A, finer = target(m, case), unit // its
        rows.append([[x * finer for x in row] for row in zip(*columns, strict=True)] if A else None)
        wanted.append([[x * (unit // m.N) for x in row] for row in zip(*A, strict=True)] if A else None)
        largest.append(finer * max(map(abs, chain(*columns))))
    keys = list(range(len(run)))
    yield Made("the output", "=", "the target there", rows, wanted, keys, unit)
    R = it.M + sum(max(map(abs, change)) for _, change in it.changes) + it.D
    yield Made("largest entry of the output", "<=", "R", largest, R * (unit // m.N), keys, unit)
    yield from weighed(m, it)


CASES: dict[str, Callable[[Model], int]] = {"exact.everywhere": lambda m: comb((m.N + 4) ** m.d + m.n - 1, m.n)}


def made(claims: Sequence[str], m: Model) -> Iterator[tuple[str, Made]]:
    for claim in claims:
        yield from ((claim, relation) for relation in everywhere(m))


def matrix(m: Model, number: int) -> tuple[list[Column], int]:
    """The columns of a case, and their unit."""
    return list(next(islice(points(m), number, None))), 8 * m.N

"""The numbers of statements 2 and 4: what softmax changes, and how far the network is from f (FORMAT-build.md, 7)."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement, product

from gmpy2 import mpq

from verifier.build.cells import Case, all_columns
from verifier.build.dtype import floor
from verifier.build.float_form import Shape
from verifier.build.sizes import Sizes
from verifier.build.target import Target
from verifier.core.exact import Matrix, Q, Vector, columns_of, from_columns
from verifier.core.multisets import orbit_size

MOST_POINTS = 2**16


def softmax_bits(s: Shape) -> int:
    """K = floor(9 lambda / (32 N^2)): losing weights are at most e^-K each, in the network with softmax too."""
    return floor(9 * s.rate / (32 * s.instance.N**2))


def softmax_bound(s: Shape, K: int) -> mpq:
    """2 R tau (1 + 2B)^k (1 + F): how far softmax takes any entry of the output (the argument of lemma9.compact)."""
    i, B = s.instance, s.instance.B
    R = Q(i.n * B ** (i.n + 1)) if s.positional else Q(B**i.n * (B - 1), i.N)
    tau = Q(i.n - 1, 2**K)
    return 2 * R * tau * int((1 + 2 * B) ** (len(s.map) - 1)) * (1 + s.last_factor)


@dataclass(frozen=True)
class Measured:
    """The distance at points, with hardmax: at vertices of kept cells, and at an even grid off the strips in all."""

    cells: int
    points: int
    sup_kept: mpq
    d_1: mpq
    d_2_squared: mpq


@dataclass(frozen=True)
class Distance:
    lipschitz: Vector
    rounding: Vector
    share: mpq  # of the cube: kept cells without their strips
    sup_kept: mpq
    sup: mpq
    d_1: mpq
    d_2_squared: mpq
    measured: Measured | None


@dataclass(frozen=True)
class Approximation:
    """What statement 4 has to know of the network on the cells."""

    instance: Sizes
    positional: bool
    epsilon: mpq
    reach: mpq  # the largest distance, in an entry, of a point of a cell from where f was taken
    bound: mpq  # of statement 2
    low: Vector  # the clip
    high: Vector
    cases: tuple[Case, ...]
    kept: dict[int, Matrix]  # by rank: the target as written


def lost_share(i: Sizes, cases: tuple[Case, ...], kept: dict[int, Matrix]) -> mpq:
    return Q(sum(case.cells for case in cases if case.rank not in kept), i.B**i.n)


def distance(a: Approximation, target: Target, outputs: dict[int, Matrix] | None) -> Distance | None:
    """Statement 4; None for a target without range and modulus. `outputs`: the network's on lost cases, to measure."""
    if target.range is None or target.lipschitz is None:
        return None
    i = a.instance
    share = (1 - lost_share(i, a.cases, a.kept)) * (1 - i.N * a.epsilon) ** (i.d * i.n)
    rounding = tuple(_rounding(a, row) for row in range(i.d))
    E = [L * a.reach + r + a.bound for L, r in zip(target.lipschitz, rounding, strict=True)]
    D = [
        max(top - low, high - bottom, e)
        for (bottom, top), low, high, e in zip(target.range, a.low, a.high, E, strict=True)
    ]
    d_1, d_2_squared = (
        sum((i.n * (share * e**p + (1 - share) * far**p) for e, far in zip(E, D, strict=True)), Q(0)) for p in (1, 2)
    )
    found = None if outputs is None else measured(a, target, outputs)
    return Distance(target.lipschitz, rounding, share, max(E), max(D), d_1, d_2_squared, found)


def _rounding(a: Approximation, row: int) -> mpq:
    return max(
        abs(x - y)
        for case in a.cases
        if case.rank in a.kept
        for x, y in zip(a.kept[case.rank][row], case.value[row], strict=True)
    )


def fineness(i: Sizes) -> int | None:
    """R, the larger of 4 and 2 with (N R)^(dn) <= 65536; None if there is none."""
    return next((R for R in (4, 2) if (i.N * R) ** (i.d * i.n) <= MOST_POINTS), None)


def measured(a: Approximation, target: Target, outputs: dict[int, Matrix]) -> Measured | None:
    i, R = a.instance, fineness(a.instance)
    if R is None:
        return None
    value = {case.numbers: (a.kept if case.rank in a.kept else outputs)[case.rank] for case in a.cases}
    kept = {case.numbers for case in a.cases if case.rank in a.kept}
    sup_kept = Q(0)
    ends = [Q(0), i.delta - a.epsilon]
    for cell, X, _ in _points(a, ends):
        if _key(cell, a.positional) in kept:
            errors = _errors(cell, X, value, target, a.positional)
            sup_kept = max(sup_kept, *errors)
    d_1 = d_2_squared = Q(0)
    count = 0
    inner = [(2 * k + 1) * i.delta / (2 * R) for k in range(R)]
    for cell, X, times in _points(a, inner):
        errors = _errors(cell, X, value, target, a.positional)
        count += times
        d_1 += times * sum(errors, Q(0))
        d_2_squared += times * sum((e * e for e in errors), Q(0))
    return Measured(int(i.B**i.n), count, sup_kept, d_1 / count, d_2_squared / count)


def _points(a: Approximation, within: list[mpq]) -> Iterator[tuple[tuple[int, ...], Matrix, int]]:
    """Points whose entries are k delta + t, t one of `within`: the numbers of the cell's columns, the point, how often
    it counts (without positions: one point for all orders of its columns)."""
    i = a.instance
    tokens = [
        (k, tuple(x + t for x, t in zip(column, ts, strict=True)))
        for k, column in enumerate(all_columns(i))
        for ts in product(within, repeat=i.d)
    ]
    chosen = (
        product(range(len(tokens)), repeat=i.n)
        if a.positional
        else combinations_with_replacement(range(len(tokens)), i.n)
    )
    for numbers in chosen:
        picked = [tokens[k] for k in numbers]
        times = 1 if a.positional else orbit_size(numbers)
        yield tuple(k for k, _ in picked), from_columns(tuple(z for _, z in picked)), times


def _key(cell: tuple[int, ...], positional: bool) -> tuple[int, ...]:
    return cell if positional else tuple(sorted(cell))


def _errors(
    cell: tuple[int, ...],
    X: Matrix,
    value: dict[tuple[int, ...], Matrix],
    target: Target,
    positional: bool,
) -> list[mpq]:
    key = _key(cell, positional)
    ours, fX = columns_of(value[key]), target.f(X)
    g = ours if positional else [ours[key.index(k)] for k in cell]
    return [
        abs(x - y) for ours_, theirs in zip(g, columns_of(fX), strict=True) for x, y in zip(ours_, theirs, strict=True)
    ]

"""The networks of Theorems 2 and 3 in exact rationals, block for block those of proofs/coq/universal/Construction.v.

A network is a tuple of `Block`s of two heads of size 1 and four hidden nodes, (h, m, r) = (2, 1, 4), as the paper has
them:

    Attn(X) = X + sum over the heads of W_O (W_V X) softmax[(W_K X)^T (W_Q X + b_Q 1^T)]
    FF(Z)   = Z + W_2 ReLU(W_1 Z + b_1 1^T) + b_2 1^T

Every weight is a `Fraction`. Functions have the names of the Coq definitions, and take what those take:

    d, n, N   rows, columns, and cells along each axis of the cube [0, 1]^(d x n); N >= 2
    e         the width of the strips between cells, 0 < e <= 1/2N, where ReLUs pass from one value to the next
    rate      lambda, with which each score is multiplied: any rational; the proofs need `cube_rate`, `positional_rate`
    F         a bound of all values of the target, so small that keys are above their ids: F <= (N - 1) / d will do
    target    the table of values: cells -> the target's value there, a matrix of rationals, as a tuple of rows

`Cells` is a tuple of rows of whole numbers from 0 to N - 1: the cell of the cube whose entries are from K_ij / N to
(K_ij + 1) / N. The tables of `cube_network` and `supported_network` are asked for `contexts(d, n, N)`, those of
`positional_network` for `all_cells(d, n, N)`. The former's must be equivariant: columns in another order, values too.

What Coq proves, it proves of Construction.v's networks; tests/test_coq_theorem2.py compares these blocks with those.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from numbers import Rational

Vector = tuple[Fraction, ...]
Matrix = tuple[Vector, ...]
Cells = tuple[tuple[int, ...], ...]
Target = Callable[[Cells], Sequence[Sequence[int | Fraction]]]
Table = Iterable[tuple[Fraction, Vector]]  # keys, and what is added to a column with that key

ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class Head:
    """One head of size 1: W_O is a column of d entries; W_V, W_K and W_Q are rows of d entries."""

    W_O: Vector
    W_V: Vector
    W_K: Vector
    W_Q: Vector
    b_Q: Fraction


@dataclass(frozen=True)
class Block:
    """A Transformer block: two heads, then W_1 (4 x d), b_1 (4 entries), W_2 (d x 4), b_2 (d entries)."""

    heads: tuple[Head, Head]
    W_1: Matrix
    b_1: Vector
    W_2: Matrix
    b_2: Vector


Blocks = tuple[Block, ...]


def rational(x: object) -> Fraction:
    """A whole number or a rational, as a Fraction; nothing else."""
    if not isinstance(x, Rational) or isinstance(x, bool):
        raise TypeError(f"{x!r} is a {type(x).__name__}; a weight is made of whole numbers and rationals")
    return Fraction(int(x.numerator), int(x.denominator))


def dot(w: Sequence[Fraction], v: Sequence[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(w, v, strict=True) if a and b), ZERO)


# A token-wise layer, X -> X + v phi(w^T X), where phi is a constant and four ReLUs.


@dataclass(frozen=True)
class Phi:
    """phi(t) = c_0 + sum over the four ReLUs of c ReLU(s t + o)."""

    c_0: Fraction
    c: Vector
    s: Vector
    o: Vector


def phi(c_0: int | Fraction, *relus: tuple[int | Fraction, int | Fraction, int | Fraction]) -> Phi:
    """From (c, s, o) of each ReLU."""
    c, s, o = (tuple(map(Fraction, numbers)) for numbers in zip(*relus, strict=True))
    return Phi(Fraction(c_0), c, s, o)


def zero_head(d: int) -> Head:
    none = (ZERO,) * d
    return Head(none, none, none, none, ZERO)


def token(w: Vector, v: Vector, f: Phi) -> Block:
    return Block(
        heads=(zero_head(len(w)), zero_head(len(w))),
        W_1=tuple(tuple(s * x for x in w) for s in f.s),
        b_1=f.o,
        W_2=tuple(tuple(x * c for c in f.c) for x in v),
        b_2=tuple(x * f.c_0 for x in v),
    )


def unit(d: int, i: int) -> Vector:
    return tuple(ONE if k == i else ZERO for k in range(d))


def entrywise(d: int, f: Phi) -> Blocks:
    """The same phi on every entry: one layer for each row."""
    return tuple(token(unit(d, i), unit(d, i), f) for i in range(d))


# The phis. What each one does is proved in Relu.v.


def tent(e: Fraction, k: Fraction, w: Fraction) -> Phi:
    """x + tent is k on [k, k + w - e], and x outside [k, k + w]: one cell of the quantiser."""
    steep = (w - e) / e
    return phi(0, (-1, 1, -k), (1 + steep, 1, -k - w + e), (-steep, 1, -k - w), (0, 1, 0))


def window(k: Fraction, w: Fraction) -> Phi:
    """1 within a quarter of w of the key k, 0 from half of w on: one entry of the value map."""
    c = 4 / w
    return phi(0, (c, 1, -k + w / 2), (-c, 1, -k + w / 4), (-c, 1, -k - w / 4), (c, 1, -k - w / 2))


def clamp(F: Fraction) -> Phi:
    """x + clamp is the number of [-F, F] that is nearest to x."""
    return phi(-F, (1, 1, F), (-1, 1, -F), (-1, 1, 0), (1, -1, 0))


def affine(c: Fraction, b: Fraction) -> Phi:
    """x + affine is c x + b."""
    return phi(b, (c - 1, 1, 0), (1 - c, -1, 0), (0, -1, 0), (0, -1, 0))


def border(e: Fraction, S: Fraction) -> Phi:
    """x + border is the sentinel S for x <= 0 and for x >= 1, x on [e, 1 - e], and nonnegative in between."""
    low, high = S / e, (S - 1) / e
    return phi(0, (low, -1, e), (1 - low, -1, 0), (high, 1, e - 1), (-(1 + high), 1, -1))


def ramp(T: Fraction) -> Phi:
    """0 up to T, t - T from there on: the layer that rejects."""
    return phi(0, (1, 1, -T), (0, 1, -T), (0, 1, -T), (0, 1, -T))


def finish(F: Fraction) -> Phi:
    """x + finish is x on [-F, F], in [-F, F] everywhere, and 0 from -2F down."""
    return phi(2 * F, (1, -1, -2 * F), (-2, 1, 2 * F), (2, 1, F), (-1, 1, -F))


# Attention layers (Lemma 6). A column's id is u^T X_j, u = (1, N, ..., N^(d-1)).


def u(d: int, N: int) -> Vector:
    return tuple(Fraction(N**i) for i in range(d))


def psi(d: int, N: int, rate: Fraction, factor: Fraction, b: Fraction) -> Head:
    row = u(d, N)
    return Head(tuple(factor * x for x in unit(d, 0)), row, tuple(rate * x for x in row), row, -b)


def attention(d: int, first: Head, second: Head) -> Block:
    return Block((first, second), ((ZERO,) * d,) * 4, (ZERO,) * 4, ((ZERO,) * 4,) * d, (ZERO,) * d)


def selective(d: int, N: int, rate: Fraction, level: Fraction) -> Block:
    B, half = Fraction(N**d), Fraction(1, 2 * N)
    return attention(d, psi(d, N, rate, B, level - half), psi(d, N, rate, -B, level + half))


def contextual_map(d: int, N: int, levels: Iterable[int], factor: int, rate: Fraction) -> Blocks:
    """A selective shift for each level, in units of delta = 1/N, and the global shift."""
    sweep = [selective(d, N, rate, Fraction(k, N)) for k in levels]
    return (*sweep, attention(d, psi(d, N, rate, Fraction(factor), ZERO), zero_head(d)))


# The quantiser (Lemma 5) and the value map (Lemma 7)


def quantise(d: int, N: int, e: Fraction, m: int) -> Blocks:
    """m cells of width 1/N from 0 on, in every row."""
    w = Fraction(1, N)
    return tuple(token(unit(d, i), unit(d, i), tent(e, k * w, w)) for i in range(d) for k in range(m))


def value(d: int, N: int, table: Table) -> Blocks:
    """One layer for each pair of a key and of what a column with this key has added."""
    return tuple(token(u(d, N), add, window(key, Fraction(1, N))) for key, add in table)


# Contexts and keys


def all_cells(d: int, n: int, N: int) -> Iterator[Cells]:
    """All N^(dn) matrices of cells."""
    for entries in product(range(N), repeat=d * n):
        yield tuple(entries[i * n : (i + 1) * n] for i in range(d))


def contexts(d: int, n: int, N: int) -> Iterator[Cells]:
    """Those without two equal columns: the contexts of Lemma 6, in every order of their columns."""
    return (K for K in all_cells(d, n, N) if len(set(zip(*K, strict=True))) == n)


def lift(N: int, K: Cells) -> Cells:
    """Theorem 3's contexts have j added to column j, that is, j N in cells."""
    return tuple(tuple(j * N + k for j, k in enumerate(row)) for row in K)


def corner(N: int, K: Cells) -> Matrix:
    return tuple(tuple(Fraction(k, N) for k in row) for row in K)


def ids(N: int, K: Cells) -> list[int]:
    """u^T X_j of each column of the corner, in units of delta."""
    return [sum(N**i * k for i, k in enumerate(column)) for column in zip(*K, strict=True)]


def keys(d: int, N: int, levels: Iterable[int], factor: int, K: Cells) -> Vector:
    """The ids that the contextual map leads to, with hardmax: each level lifts the ids that are at it by B (max - min),
    and the global shift adds its factor times the largest id. The tests compare them with what the blocks make."""
    x = ids(N, K)
    for k in levels:
        if k in x:
            gain = N**d * (max(x) - min(x))
            x = [y + gain if y == k else y for y in x]
    return tuple(Fraction(y + factor * max(x), N) for y in x)


@dataclass(frozen=True)
class ContextualMap:
    """The differences of the cube's map and the positional one: the sweep's levels, the global shift's factor, and how
    often a column may be lifted."""

    d: int
    n: int
    N: int
    levels: tuple[int, ...]
    factor: int
    lifts: int

    def blocks(self, a: Fraction, rate: Fraction) -> Blocks:
        """With one column there is nothing to tell apart: the map adds a constant a."""
        if self.n == 1:
            constant = Phi(a, (ZERO,) * 4, (ZERO,) * 4, (ZERO,) * 4)
            return (token((ZERO,) * self.d, unit(self.d, 0), constant),)
        return contextual_map(self.d, self.N, self.levels, self.factor, rate)

    def keys(self, a: Fraction, K: Cells) -> Vector:
        if self.n == 1:
            return (Fraction(ids(self.N, K)[0], self.N) + a,)
        return keys(self.d, self.N, self.levels, self.factor, K)

    def error(self) -> Fraction:
        """Softmax in the place of hardmax moves each id by error() / rate at most.

        Errors multiply only at levels with an id at them: each column is lifted `lifts` times at most.
        """
        B, k = self.N**self.d, len(self.levels)
        hits = min(k, self.n * self.lifts)
        sweep = Fraction(4 * self.n * self.N * ((1 + 2 * B) ** hits * (1 + (k - hits) * B) - 1))
        return sweep + self.factor * (sweep + 2 * self.n * self.N)


def cube_map(d: int, n: int, N: int) -> ContextualMap:
    """Lemma 6's, for Theorem 2."""
    return ContextualMap(d, n, N, tuple(range(N**d)), N ** ((n + 1) * d), 1)


def positional_map(d: int, n: int, N: int) -> ContextualMap:
    """Step C.2's, for Theorem 3: the levels of the columns in [j, j + 1)^d, for j = 0, ..., n - 1."""
    first = N * sum(N**i for i in range(d))
    levels = tuple(j * first + k for j in range(n) for k in range(N**d))
    return ContextualMap(d, n, N, levels, n * N ** ((n + 1) * d) * N, 2 * n - 1)


class TooLarge(ValueError):
    """A bound F of the target's values, by which their ids could reach a key."""


def table(cmap: ContextualMap, F: Fraction, Ks: Iterable[Cells], target: Target) -> Table:
    """For each column of each context its key, and what is added: the target, less what the column holds by then."""
    a = offset(cmap.d, cmap.N, F)
    for K in Ks:
        goal, start, at = target(K), corner(cmap.N, K), ids(cmap.N, K)
        for j, key in enumerate(cmap.keys(a, K)):
            if key < a:  # a is F d N^d, a bound of the ids of all columns of values, and delta
                raise TooLarge(f"F = {F}: ids of values reach {a - Fraction(1, cmap.N)}, and {K} has the key {key}")
            moved = key - Fraction(at[j], cmap.N)
            yield key, tuple(rational(goal[i][j]) - start[i][j] - (0 if i else moved) for i in range(cmap.d))


# The numbers


def tolerance(d: int, n: int, N: int, eps: Fraction) -> Fraction:
    """The error of ids that is allowed, for a distance below eps over the cube."""
    return min(Fraction(1, 4 * N), Fraction(eps) / (8 * d * n))


def cube_rate(d: int, n: int, N: int, eps: Fraction) -> Fraction:
    return (cube_map(d, n, N).error() + 1) / tolerance(d, n, N, eps)


def positional_rate(d: int, n: int, N: int, eps: Fraction) -> Fraction:
    return (positional_map(d, n, N).error() + 1) / tolerance(d, n, N, eps)


def offset(d: int, N: int, F: Fraction) -> Fraction:
    """What is added to a single column's id: enough to put all keys above the ids of targets."""
    return Fraction(F * d * N**d + Fraction(1, N))


def top_key(d: int, n: int, N: int, a: Fraction) -> Fraction:
    """All keys of `cube_map` are at most this: for n >= 2, Lemma 6's t_r."""
    return a + d * N**d if n == 1 else Fraction(N ** ((2 * n + 1) * d) * (N**d - 1), N)


def limit(top: Fraction, F: Fraction) -> Fraction:
    """Ids up to this pass; those from twice this on are sent far below 0."""
    return top + F + 1


def sentinel(n: int, top: Fraction, F: Fraction) -> Fraction:
    """What an entry outside the cube becomes: above all keys, and so is 1/n of it."""
    return 2 * n * limit(top, F) + 2


def numbers(N: int, e: Fraction, rate: Fraction, F: Fraction) -> tuple[Fraction, Fraction, Fraction]:
    """e, rate and F as rationals, where the construction makes sense."""
    e, rate, F = rational(e), rational(rate), rational(F)
    if N < 2:
        raise ValueError(f"N = {N}; the cube is cut into N >= 2 cells along each axis")
    if not 0 < e <= Fraction(1, 2 * N):
        raise ValueError(f"strips of width e = {e}; 0 < e <= 1/2N = {Fraction(1, 2 * N)} is needed")
    if rate <= 0 or F <= 0:
        raise ValueError(f"rate = {rate}, F = {F}; both must be positive")
    return e, rate, F


# The networks


def cube_network(d: int, n: int, N: int, e: Fraction, rate: Fraction, F: Fraction, target: Target) -> Blocks:
    """Theorem 2 over the cube: quantiser, contextual map, value map, clamp."""
    e, rate, F = numbers(N, e, rate, F)
    a, cmap = offset(d, N, F), cube_map(d, n, N)
    read = value(d, N, table(cmap, F, contexts(d, n, N), target))
    return quantise(d, N, e, N) + cmap.blocks(a, rate) + read + entrywise(d, clamp(F))


def supported_network(d: int, n: int, N: int, e: Fraction, rate: Fraction, F: Fraction, target: Target) -> Blocks:
    """The same, but 0 off the interior of the cube: an entry outside becomes a sentinel, above all keys, attention
    carries it to every id, and one layer rejects what is above the limit."""
    e, rate, F = numbers(N, e, rate, F)
    a, cmap = offset(d, N, F), cube_map(d, n, N)
    top = top_key(d, n, N, a)
    reject = token(u(d, N), (Fraction(-4),) * d, ramp(limit(top, F)))
    read = value(d, N, table(cmap, F, contexts(d, n, N), target))
    mark = entrywise(d, border(e, sentinel(n, top, F)))
    return mark + quantise(d, N, e, N) + cmap.blocks(a, rate) + (reject,) + read + entrywise(d, finish(F))


def positional_network(d: int, n: int, N: int, e: Fraction, rate: Fraction, F: Fraction, target: Target) -> Blocks:
    """Theorem 3 over the cube, to be run on X + E, where E has j in column j. No equivariance is asked for."""
    e, rate, F = numbers(N, e, rate, F)
    a, cmap = offset(d, N, F), positional_map(d, n, N)
    known = {lift(N, K): K for K in all_cells(d, n, N)}
    read = value(d, N, table(cmap, F, known, lambda lifted: target(known[lifted])))
    return quantise(d, N, e, n * N) + cmap.blocks(a, rate) + read + entrywise(d, clamp(F))


def theorem2_network(
    d: int, n: int, K: Fraction, N: int, e: Fraction, rate: Fraction, F: Fraction, target: Target
) -> Blocks:
    """Theorem 2 over all of R^(d x n), for a target that is 0 off (-K, K): the cells are those of the box [-K, K]."""
    shrink = entrywise(d, affine(1 / (2 * rational(K)), Fraction(1, 2)))
    return shrink + supported_network(d, n, N, e, rate, F, target)


def theorem3_network(
    d: int, n: int, K: Fraction, N: int, e: Fraction, rate: Fraction, F: Fraction, target: Target
) -> Blocks:
    """Theorem 3 for a domain within (-K, K), to be run on X + E, where E has 2 K j + K in column j."""
    return entrywise(d, affine(1 / (2 * rational(K)), ZERO)) + positional_network(d, n, N, e, rate, F, target)


def blocks_in(d: int, n: int, N: int) -> int:
    """How many blocks `cube_network` has, without building it; `supported_network` has d + 1 more."""
    orders = prod(max(N**d - j, 0) for j in range(n))
    return int(d * N + (1 if n == 1 else N**d + 1) + n * orders + d)


def positional_blocks_in(d: int, n: int, N: int) -> int:
    """How many blocks `positional_network` has."""
    return int(d * n * N + (1 if n == 1 else n * N**d + 1) + n * N ** (d * n) + d)

"""FORMAT-build 5: the layers of the form `float`, from the instance, the parameters and what is to be written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod
from typing import NamedTuple

from .files import Layer
from .reading import Rows

Column = tuple[Fraction, ...]
ZERO = Fraction(0)


class Shape(NamedTuple):
    """What the layers follow from, but for the targets."""

    d: int
    n: int
    N: int
    positional: bool
    epsilon: Fraction
    rate: Fraction  # lambda

    @property
    def delta(self) -> Fraction:
        return Fraction(1, self.N)

    @property
    def B(self) -> int:
        return int(self.N**self.d)

    @property
    def u(self) -> list[Fraction]:
        return [Fraction(self.N**row) for row in range(self.d)]

    @property
    def levels(self) -> list[Fraction]:
        first = sum(self.u)
        starts = [j * first for j in range(self.n)] if self.positional else [ZERO]
        return [start + k * self.delta for start in starts for k in range(self.B)]

    @property
    def last_factor(self) -> int:
        return int(self.B ** (self.n + 1)) * (self.n * self.N if self.positional else 1)

    @property
    def encoding(self) -> Rows | None:
        return [[Fraction(j) for j in range(self.n)] for _ in range(self.d)] if self.positional else None

    @property
    def cases(self) -> int:
        """Orbits, or contexts."""
        return self.B**self.n if self.positional else comb(self.B + self.n - 1, self.n)

    def numbered(self) -> Iterator[tuple[int, ...]]:
        """The numbers of each orbit's (or context's) columns, in order."""
        if self.positional:
            return product(range(self.B), repeat=self.n)
        return combinations_with_replacement(range(self.B), self.n)

    def cells(self, numbers: tuple[int, ...]) -> int:
        """How many cells an orbit (or context) stands for."""
        return 1 if self.positional else factorial(self.n) // prod(map(factorial, Counter(numbers).values()))

    def column(self, number: int) -> Column:
        return tuple(Fraction(number // self.N**row % self.N, self.N) for row in range(self.d))

    def corner(self, numbers: tuple[int, ...]) -> Rows:
        return [list(row) for row in zip(*map(self.column, numbers), strict=True)]


class Write(NamedTuple):
    key: Fraction
    image: Column
    target: Column


def unit(d: int, i: int, x: Fraction | int = 1) -> list[Fraction]:
    return [Fraction(x) if k == i else ZERO for k in range(d)]


def relus(name: str, W_1: list[list[Fraction]], b_1: list[Fraction], out: list[list[Fraction]]) -> Layer:
    """X + sum_k out_k relu(W_1[k] X + b_1[k])."""
    W_2 = [list(row) for row in zip(*out, strict=True)]
    return Layer("feedforward", name, {"W_1": W_1, "b_1": [[b] for b in b_1], "W_2": W_2, "b_2": [[ZERO]] * len(W_2)})


def heads(name: str, s: Shape, factors: list[int], biases: list[Fraction]) -> Layer:
    """Heads that read u^T X, multiply it by their factors and add it to row 1."""
    h, keys = len(factors), [s.rate * x for x in s.u]
    W_O = [[Fraction(x) if row == 0 else ZERO for x in factors] for row in range(s.d)]
    tensors = {"W_O": W_O, "W_V": [s.u] * h, "W_K": [keys] * h, "W_Q": [s.u] * h, "b_Q": [[b] for b in biases]}
    return Layer("attention", name, tensors)


def front(s: Shape) -> list[Layer]:
    """Quantiser, sweep and global shift."""
    layers, M = [], s.N * (s.n if s.positional else 1)
    for i in range(s.d):
        e, minus = unit(s.d, i), unit(s.d, i, -1)
        for k in range(M):
            start = k * s.epsilon
            layers.append(relus(f"quantise.{i + 1}.{k}", [e, e], [-start, -(start + s.delta - s.epsilon)], [minus, e]))
        layers.append(relus(f"stretch.{i + 1}", [e], [ZERO], [unit(s.d, i, s.delta / s.epsilon - 1)]))
    for k, level in enumerate(s.levels):
        layers.append(heads(f"sweep.{k}", s, [s.B, -s.B], [-(level - s.delta / 2), -(level + s.delta / 2)]))
    layers.append(heads("global", s, [s.last_factor], [ZERO]))
    return layers


def tail(s: Shape, writes: list[Write], offset: Fraction, low: list[Fraction], high: list[Fraction]) -> list[Layer]:
    """A layer for each key, the return, and the clips."""
    layers, minus_u = [], [-x for x in s.u]
    for t, w in enumerate(writes, 1):
        shift = unit(s.d, 0, offset)
        c = [4 * s.N * (a - x - g) for a, x, g in zip(w.target, shift, w.image, strict=True)]
        biases = [-(w.key - s.delta / 2), -(w.key - s.delta / 4)]
        layers.append(relus(f"write.{t}", [s.u, s.u], biases, [c, [-x for x in c]]))
    half, back = Fraction(1, 2), 4 * s.N * offset
    biases = [-half, -half - s.delta / 4]
    layers.append(relus("return", [minus_u, minus_u], biases, [unit(s.d, 0, back), unit(s.d, 0, -back)]))
    for i in range(s.d):
        e, minus = unit(s.d, i), unit(s.d, i, -1)
        layers.append(relus(f"clip.{i + 1}", [minus, e], [low[i], -high[i]], [e, minus]))
    return layers


def identity(s: Shape, column: Column) -> Fraction:
    """u^T c."""
    return sum((a * x for a, x in zip(s.u, column, strict=True)), ZERO)


def keep(s: Shape, targets: list[list[Column]], images: list[list[Column]]) -> tuple[set[int], list[Write]]:
    """FORMAT-build 5, kept orbits: which they are, and what is written for them, by descending key."""
    numbers = list(s.numbered())
    order = sorted(range(len(numbers)), key=lambda r: (-len(set(numbers[r])), -s.cells(numbers[r]), r))
    used: dict[Fraction, tuple[Column, Column]] = {}
    kept: set[int] = set()
    for rank in order:
        target = targets[rank]
        new: dict[Fraction, tuple[Column, Column]] = {}
        agree = True
        for image, wanted in zip(images[rank], target, strict=True):
            key = identity(s, image)
            agree = agree and new.setdefault(key, (image, wanted)) == (image, wanted)
        if agree and all(used.get(key, pair) == pair for key, pair in new.items()):
            used |= new
            kept.add(rank)
    return kept, [Write(key, *used[key]) for key in sorted(used, reverse=True)]

"""The cells of the cube with the target on each: the orbits of G, or all contexts, in order.

A cell is named by its corner L, a matrix of G. Without positions a cell and its permutations are one case, an orbit;
with them each cell is one (App. C). The *strips* are where an entry is k delta + t with t > delta - epsilon.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import factorial, prod

from gmpy2 import mpq

from verifier.build.dtype import floor, two_to
from verifier.build.sizes import Sizes
from verifier.build.target import Target
from verifier.core.exact import Matrix, Q, Vector, from_columns
from verifier.core.multisets import multisets, orbits

Numbers = tuple[int, ...]  # of a matrix's columns, by increasing id


@dataclass(frozen=True)
class Case:
    """One orbit (or context): its corner, how many cells it stands for, and f there."""

    rank: int
    numbers: Numbers
    L: Matrix
    cells: int
    value: Matrix


def all_columns(i: Sizes) -> tuple[Vector, ...]:
    """The columns of G by increasing id: N times the entries of column k are the digits of k in base N."""
    return tuple(tuple(Q(k // i.N**row % i.N, i.N) for row in range(i.d)) for k in range(i.B))


def case_count(i: Sizes, positional: bool) -> int:
    return int(i.B**i.n) if positional else multisets(i.B, i.n)


def numbered(i: Sizes, positional: bool) -> Iterator[tuple[Numbers, int]]:
    """Each case, and how many cells it stands for."""
    if positional:
        for numbers in product(range(i.B), repeat=i.n):
            yield numbers, 1
    else:
        for numbers in orbits(i.B, i.n):
            yield numbers, factorial(i.n) // prod(map(factorial, Counter(numbers).values()))


def cases(i: Sizes, target: Target, shift: mpq, positional: bool) -> tuple[Case, ...]:
    """Every case, f taken at L + shift in every entry."""
    columns, found = all_columns(i), []
    for rank, (numbers, cells) in enumerate(numbered(i, positional)):
        L = from_columns(tuple(columns[k] for k in numbers))
        value = target.f(tuple(tuple(x + shift for x in row) for row in L))
        found.append(Case(rank, numbers, L, cells, value))
    return tuple(found)


def rounded(A: Matrix, bits: int) -> Matrix:
    """Each entry rounded to the nearest multiple of 2^-bits, halves up."""
    quantum = two_to(-bits)
    return tuple(tuple(floor(x / quantum + Q(1, 2)) * quantum for x in row) for row in A)


def precedence(case: Case) -> tuple[int, int, int]:
    """The order in which cases get a key: by most distinct columns, then most cells, then rank."""
    return -len(set(case.numbers)), -case.cells, case.rank

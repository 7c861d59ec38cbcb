"""claim1.*: with a symbol for every entry of X and every weight, permuting X's columns permutes what each column of
the image is made of (FORMAT 6, last paragraph)."""

from __future__ import annotations

from functools import reduce
from itertools import permutations
from typing import Any

from ...core.ring import Monomial, Poly, add, atom
from ...core.ring import product as times

Matrix = list[list[Poly]]  # rows


def named(name: str, rows: int, columns: int) -> Matrix:
    return [[atom(f"{name}_{i}_{j}") for j in range(columns)] for i in range(rows)]


def product(P: Matrix, Q: Matrix) -> Matrix:
    return [[reduce(add, map(times, row, column), {}) for column in zip(*Q, strict=True)] for row in P]


def frozen(column: tuple[Poly, ...] | list[Poly]) -> list[list[tuple[Monomial, int]]]:
    return [sorted(p.items()) for p in column]


def made_of(claim: str, X: Matrix) -> list[list[Any]]:
    """What each column of the layer's image is a function of. Feed-forward, hidden sizes 1 and 2: its own entries and
    what the activation is given, W_1 X + b_1 1^T. Attention, two heads of size 1 and two of size 2: its own entries
    and, of each head, the multiset over k of ((W_V X)_k, the score of k). (Softmax and hardmax are symmetric in k.)"""
    d, n = len(X), len(X[0])
    made: list[list[Any]] = [[frozen(column)] for column in zip(*X, strict=True)]
    for name, m in (("1", 1), ("2", 1), ("1", 2), ("2", 2)):
        V, K, Q = (product(named(f"{weight}{name}{m}", m, d), X) for weight in ("W_V", "W_K", "W_Q"))
        bias = named(f"b{name}{m}", m, 1)
        Q = [[add(p, b[0]) for p in row] for row, b in zip(Q, bias, strict=True)]
        scores = product([list(column) for column in zip(*K, strict=True)], Q)  # of k (row) for column j
        values, given = ([frozen(column) for column in zip(*part, strict=True)] for part in (V, Q))
        for j in range(n):
            pairs = sorted((values[k], sorted(scores[k][j].items())) for k in range(n))
            made[j].append(pairs if claim == "claim1.attention" else given[j])
    return made


def commutes(claim: str, d: int, n: int) -> bool:
    """claim1.attention, claim1.feedforward at d and n."""
    X = named("X", d, n)
    image = made_of(claim, X)
    return all(
        made_of(claim, [[row[k] for k in P] for row in X]) == [image[k] for k in P] for P in permutations(range(n))
    )

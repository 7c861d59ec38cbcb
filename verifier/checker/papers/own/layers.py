"""FORMAT own, 2: attention with hardmax and token-wise layers, as they stand, in fractions."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from ...core.comparing import OverLimit

Matrix = list[list[Fraction]]  # rows
MOST_BITS = 200_000  # of a number on the way: a sum of longer ones could take minutes


def numbers(rows: Sequence[Sequence[str]]) -> Matrix:
    return [[Fraction(x) for x in row] for row in rows]


def total(terms: Iterable[Fraction]) -> Fraction:
    """Their sum, as long as it is no longer than a number may be."""
    out = Fraction(0)
    for term in terms:
        out += term
        if max(out.numerator.bit_length(), out.denominator.bit_length()) > MOST_BITS:
            raise OverLimit(f"numbers of more than {MOST_BITS:,} bits in a layer")
    return out


def times(A: Matrix, C: Matrix) -> Matrix:
    columns = list(zip(*C, strict=True))
    return [[total(a * c for a, c in zip(row, column, strict=True)) for column in columns] for row in A]


def plus(A: Matrix, C: Matrix) -> Matrix:
    return [[total((a, c)) for a, c in zip(row, other, strict=True)] for row, other in zip(A, C, strict=True)]


def biased(A: Matrix, b: Sequence[str]) -> Matrix:
    """A + b 1^T."""
    return [[total((a, Fraction(bias))) for a in row] for row, bias in zip(A, b, strict=True)]


def hardmax(scores: Sequence[Fraction]) -> list[Fraction]:
    top = max(scores)
    ties = sum(score == top for score in scores)
    return [Fraction(int(score == top), ties) for score in scores]


def attention(heads: Sequence[dict[str, Any]], X: Matrix) -> Matrix:
    """X + sum_i W_O^i W_V^i X . sigma_H[ (W_K^i X)^T (W_Q^i X + b_Q^i 1^T) ]."""
    out = X
    for head in heads:
        keys, queries = times(numbers(head["W_K"]), X), biased(times(numbers(head["W_Q"]), X), head["b_Q"])
        scores = times([list(column) for column in zip(*keys, strict=True)], queries)
        weights = [hardmax(column) for column in zip(*scores, strict=True)]
        read = times(times(numbers(head["W_V"]), X), [list(row) for row in zip(*weights, strict=True)])
        out = plus(out, times(numbers(head["W_O"]), read))
    return out


def feed_forward(layer: dict[str, Any], X: Matrix) -> Matrix:
    """X + W_2 . phi(W_1 X + b_1 1^T) + b_2 1^T, phi linear on each piece."""
    breaks, pieces = [Fraction(t) for t in layer["breaks"]], numbers(layer["pieces"])
    left = {Fraction(t) for t in layer["left_owned"]}

    def phi(t: Fraction) -> Fraction:
        slope, intercept = pieces[(bisect_left if t in left else bisect_right)(breaks, t)]
        return total((slope * t, intercept))

    hidden = [[phi(t) for t in row] for row in biased(times(numbers(layer["W_1"]), X), layer["b_1"])]
    return plus(X, biased(times(numbers(layer["W_2"]), hidden), layer["b_2"]))


def run(layers: Sequence[dict[str, Any]], X: Matrix) -> Matrix:
    for layer in layers:
        X = attention(layer["attention"], X) if "attention" in layer else feed_forward(layer["feed-forward"], X)
    return X

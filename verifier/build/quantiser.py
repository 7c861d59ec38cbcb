"""Layers that take each number of a cell to its corner, exactly, in floats, too: for each row r

    x_r <- x_r - relu(x_r - k epsilon) + relu(x_r - (k epsilon + delta - epsilon))      for k = 0, ..., M-1
    x_r <- x_r + (delta/epsilon - 1) relu(x_r)

where x_r is in [k delta, k delta + delta - epsilon]. Where x - k (delta - epsilon) is computed, it is a multiple of the
last place of x and no larger than x; and no sum of floats below 2^e needs more than e + log2(1/epsilon) bits.
"""

from dataclasses import dataclass

from gmpy2 import mpq

from verifier.build.dtype import floor_log2, power_above
from verifier.build.taken import Taken
from verifier.core.exact import Matrix, Q, Vector, text_of


@dataclass(frozen=True)
class Quantiser:
    """Of tokens of d entries: M cells of each, of width delta, with strips of width epsilon between them."""

    d: int
    cells: int
    delta: mpq
    epsilon: mpq

    @property
    def layers(self) -> int:
        return self.d * (self.cells + 1)

    @property
    def wide(self) -> mpq:
        return self.delta - self.epsilon

    @property
    def bits(self) -> int:
        return floor_log2(1 / self.epsilon) + max(0, floor_log2(power_above(self.cells * self.delta)))

    def corners(self, X: Matrix) -> bool:
        """Are all these numbers corners of cells."""
        known = {k * self.delta for k in range(self.cells)}
        return all(x in known for token in X for x in token)

    def layer(self, r: int, k: int) -> tuple[Matrix, Vector, Matrix]:
        """W_1, b_1 and W_2 of cell k; of the last layer of the row for k = M."""
        e = tuple(Q(int(r == m)) for m in range(self.d))
        if k == self.cells:
            return (e,), (Q(0),), tuple((x * (self.delta / self.epsilon - 1),) for x in e)
        start = k * self.epsilon
        return (e, e), (-start, -start - self.wide), tuple((-x, x) for x in e)

    def said(self) -> dict[str, object]:
        return {"cells": self.cells, "delta": text_of(self.delta), "epsilon": text_of(self.epsilon)}


def quantiser_of(layers: tuple[Taken, ...]) -> Quantiser | None:
    """That with which a network begins."""
    d = len(layers[0].own[0])
    cells = next((k for k, layer in enumerate(layers) if len(layer.W_1) == 1), 0)
    if not cells or len(layers[0].W_1) != 2 or len(layers) < d * (cells + 1):
        return None
    wide, slope = -min(layers[0].b_1), max(x for row in layers[cells].W_2 for x in row)
    if wide <= 0 or slope <= 0:
        return None
    epsilon = wide / slope
    if power_above(epsilon) != epsilon or power_above(wide + epsilon) != wide + epsilon:
        return None
    found = Quantiser(d, cells, wide + epsilon, epsilon)
    wanted = [found.layer(r, k) for r in range(d) for k in range(cells + 1)]
    return found if all(same(layer, W) for layer, W in zip(layers, wanted, strict=False)) else None


def same(layer: Taken, W: tuple[Matrix, Vector, Matrix]) -> bool:
    """Has a layer these weights, its nodes in any order."""
    if not layer.keeps or any(layer.shift) or layer.heads:
        return False

    def nodes(W_1: Matrix, b_1: Vector, W_2: Matrix) -> list[tuple[Vector, mpq, Vector]]:
        return sorted(zip(W_1, b_1, zip(*W_2, strict=True), strict=True))

    return nodes(layer.W_1, layer.b_1, layer.W_2) == nodes(*W)

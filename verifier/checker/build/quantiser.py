"""FORMAT-build 4: layers that take each number of a cell to its corner, in floats, too."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from ..core.comparing import Rejected
from ..core.reading import brief, fits
from .dyadic import floor_log2
from .reading import members, number

if TYPE_CHECKING:
    from .exported import Layer

RULE = "FORMAT-build 4"
MOST_CELLS = 100_000


class Quantiser(NamedTuple):
    layers: int  # so many, the first ones
    bits: int
    corners: set[Fraction]


def read(said: Any, layers: list[Layer]) -> Quantiser | None:
    """What the certificate says, if the first layers are such."""
    if said is None:
        return None
    members(said, ("cells", "delta", "epsilon"), "quantiser")
    fits("count", said["cells"], "quantiser.cells")
    cells, delta, epsilon = said["cells"], *(number(said[name], f"quantiser.{name}") for name in ("delta", "epsilon"))
    d = len(layers[0].D[0])
    if not 0 < cells <= MOST_CELLS or d * (cells + 1) > len(layers):
        raise Rejected(RULE, "quantiser.cells", f"so many that there are {d} (cells + 1) layers", brief(cells))
    for name, x in (("delta", delta), ("epsilon", epsilon)):
        if x <= 0 or x.numerator.bit_count() != 1 or x.denominator.bit_count() != 1:
            raise Rejected(RULE, f"quantiser.{name}", "a power of two", str(x))
    if 2 * epsilon > delta:
        raise Rejected(RULE, "quantiser.epsilon", "at most delta/2", str(epsilon))
    for k, layer in enumerate(layers[: d * (cells + 1)]):
        row, cell = divmod(k, cells + 1)
        if nodes_of(layer) != wanted(d, row, cell, cells, delta, epsilon):
            raise Rejected(RULE, f"quantiser, layer {k}", f"the weights of row {row + 1}, cell {cell}", "others")
    above = cells * delta
    room = floor_log2(above) + (2 ** Fraction(floor_log2(above)) < above)
    return Quantiser(d * (cells + 1), floor_log2(1 / epsilon) + max(0, room), {k * delta for k in range(cells)})


Node = tuple[list[Fraction], Fraction, list[Fraction]]  # its row of W_1, its bias, its column of W_2


def nodes_of(layer: Layer) -> list[Node] | None:
    """The nodes of a layer that adds to its tokens what they make, and nothing else."""
    d = len(layer.D)
    one = all(e == (i == j) for i, row in enumerate(layer.D) for j, e in enumerate(row)) and len(layer.D[0]) == d
    if not one or any(e for (e,) in layer.u) or layer.heads:
        return None
    return sorted(
        (row, b, [W[k] for W in layer.W_2]) for k, (row, (b,)) in enumerate(zip(layer.W_1, layer.b_1, strict=True))
    )


def wanted(d: int, row: int, cell: int, cells: int, delta: Fraction, epsilon: Fraction) -> list[Node]:
    e = [Fraction(k == row) for k in range(d)]
    if cell == cells:
        return [(e, Fraction(0), [x * (delta / epsilon - 1) for x in e])]
    low = cell * epsilon
    return sorted([(e, -low, [-x for x in e]), (e, -(low + delta - epsilon), e)])

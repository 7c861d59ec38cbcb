"""FORMAT-build 2 and 7: a stored network, run in exact arithmetic with hardmax; the bits of every sum are recorded.

Numbers are whole, in units of 2^-places. A product of two is in units of 2^-(2 places), and is divided only when
nothing is lost. The bits of a sum don't depend on the unit.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from ..core.comparing import Rejected
from ..core.hardmax import largest
from .dyadic import needed, zeros
from .files import Layer
from .form import Shape
from .reading import Rows

Column = tuple[int, ...]
Matrix = list[Column]  # by columns


class Meter:
    """The most bits that a sum needed so far, and all numbers met, one over the other: its last and first bit tell the
    least quantum and the largest exponent."""

    def __init__(self) -> None:
        self.bits = self.met = 0

    def sum(self, terms: list[int], *, into_relu: bool = False) -> int:
        """The sum of the terms, which are all in one unit."""
        there = [term for term in terms if term]
        total = sum(there)
        if not there or (into_relu and max(terms) <= 0):
            return total
        self.bits = max(self.bits, needed(there))
        for term in (*there, total):
            self.met |= abs(term)
        if len(there) > 2:  # no partial sum overflows
            self.met |= 1 << sum(map(abs, there)).bit_length() - 1
        return total


class Stored(NamedTuple):
    """A layer in whole numbers."""

    name: str
    kind: str
    tensors: dict[str, list[Column]]


def places_of(s: Shape, quantum: Fraction) -> int:
    """Twice the binary places of the weights: no product of two has more, and the cube's points have fewer."""
    return 2 * max(s.epsilon.denominator, quantum.denominator, 4 * s.N).bit_length()


class Runner:
    """Runs layers of dyadic weights."""

    def __init__(self, places: int, encoding: Rows | None) -> None:
        self.places, self.encoding = places, encoding

    def stored(self, layers: list[Layer]) -> list[Stored]:
        return [Stored(it.name, it.kind, {name: self.whole(X) for name, X in it.tensors.items()}) for it in layers]

    def whole(self, X: Rows) -> list[Column]:
        unit = 1 << self.places
        if any(unit % x.denominator for row in X for x in row):
            raise ValueError(f"a weight is finer than 2^-{self.places}")
        return [tuple(x.numerator * (unit // x.denominator) for x in row) for row in X]

    def down(self, product: int, name: str) -> int:
        """A product in the unit of its factors."""
        if product and zeros(product) < self.places:
            raise Rejected("FORMAT-build 5", f"layer {name}", f"numbers of {self.places} binary places", "a finer one")
        return product >> self.places

    def enter(self, X: Rows) -> Matrix:
        if self.encoding is not None:
            X = [[x + e for x, e in zip(*both, strict=True)] for both in zip(X, self.encoding, strict=True)]
        return list(zip(*self.whole(X), strict=True))

    def products(self, w: Column, z: Column, layer: Stored) -> list[int]:
        return [self.down(a * x, layer.name) for a, x in zip(w, z, strict=True) if a and x]

    def forward(self, layer: Stored, z: Column, meter: Meter) -> Column:
        """A token-wise layer's output for a column."""
        t, hidden = layer.tensors, []
        for w, (b,) in zip(t["W_1"], t["b_1"], strict=True):
            read = meter.sum(self.products(w, z, layer), into_relu=b <= 0)
            hidden.append(max(0, meter.sum([read, b], into_relu=True)))
        if not any(hidden) and not any(b for (b,) in t["b_2"]):  # of W_2 h, + b_2 and z + the result only z has terms
            return tuple(meter.sum([x]) for x in z)
        out = []
        for x, w, (b,) in zip(z, t["W_2"], t["b_2"], strict=True):
            change = meter.sum([meter.sum(self.products(w, tuple(hidden), layer)), b])
            out.append(meter.sum([x, change]))
        return tuple(out)

    def attend(self, layer: Stored, X: Matrix, meter: Meter) -> tuple[Matrix, list[int], bool]:
        """An attention layer's output for a matrix; the gaps below the largest scores (in units of 2^-(2 places)); and
        whether in some head the number of winners is no power of two."""
        t, read, gaps, uneven = layer.tensors, [], list[int](), False
        for W_K, W_Q, W_V, (b,) in zip(t["W_K"], t["W_Q"], t["W_V"], t["b_Q"], strict=True):
            keys = [meter.sum(self.products(W_K, x, layer)) for x in X]
            queries = [meter.sum([meter.sum(self.products(W_Q, x, layer)), b]) for x in X]
            values = [meter.sum(self.products(W_V, x, layer)) for x in X]
            row = []
            for query in queries:
                scores = [key * query for key in keys]
                for score in scores:
                    meter.sum([self.down(score, layer.name)])
                best = largest(scores)
                winners = [values[k] for k in best]
                if below := [score for score in scores if score < scores[best[0]]]:
                    gaps.append(scores[best[0]] - max(below))
                share, rest = divmod(sum(winners), len(winners))
                if rest:
                    raise Rejected("FORMAT-build 5", f"layer {layer.name}", "winners that agree", "a tie of others")
                if len(winners).bit_count() > 1:
                    uneven = True
                else:
                    meter.sum([value // len(winners) for value in winners])
                row.append(share)
            read.append(row)
        columns = []
        for j, x in enumerate(X):
            heads = tuple(row[j] for row in read)
            changes = [meter.sum(self.products(w, heads, layer)) for w in t["W_O"]]
            columns.append(tuple(meter.sum([a, b]) for a, b in zip(x, changes, strict=True)))
        return columns, gaps, uneven


class Swept(NamedTuple):
    """The contextual map's output for every orbit, and what was recorded on the way."""

    images: list[Matrix]
    gaps: list[int | None]
    uneven: set[int]
    meters: list[list[Meter]]


def sweep(s: Shape, runner: Runner, layers: list[Stored]) -> Swept:
    """Every orbit's corner through the contextual map."""
    made = Swept([], [], set(), [])
    for rank, numbers in enumerate(s.numbered()):
        X, meters, gaps = runner.enter(s.corner(numbers)), [Meter() for _ in layers], list[int]()
        for layer, meter in zip(layers, meters, strict=True):
            X, met, uneven = runner.attend(layer, X, meter)
            gaps += met
            if uneven:
                made.uneven.add(rank)
        made.images.append(X)
        made.gaps.append(min(gaps, default=None))
        made.meters.append(meters)
    return made


def token_wise(
    runner: Runner, layers: list[Stored], columns: list[Column], metered: set[Column], meters: list[Meter]
) -> dict[Column, Column]:
    """The output of token-wise layers for each column, and the bits that each layer needs for the metered ones."""
    now = {g: g for g in columns}
    for layer, meter in zip(layers, meters, strict=True):
        now = {g: runner.forward(layer, z, meter if g in metered else Meter()) for g, z in now.items()}
    return now

"""How many bits a format needs so that a sum is never rounded.

A sum whose terms are multiples of 2^z, with absolute values that add up to at most 2^(p + z), is exact in p bits in any
order, with or without fused multiply-add: each partial sum is a multiple of 2^z of at most p bits. None overflows if
the absolute values don't, added up. A sum of two terms has one order only, and is exact if its value has at most p bits
(FORMAT-build.md, 7).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from gmpy2 import mpq

from verifier.build.dtype import floor, floor_log2, quantum, sig, two_to
from verifier.core.exact import Q, Vector

NOTHING = Q(0)


@lru_cache(maxsize=2**16)
def anatomy(x: mpq) -> tuple[int, int]:
    """The bits and the quantum of a number other than 0."""
    return sig(x), quantum(x)


@dataclass
class Meter:
    """The most bits that a sum needed so far, and the exponents met: of the least quantum, of the largest number;
    and the least distance of a largest score from the next."""

    bits: int = 0
    least: int = 0
    most: int = 0
    gap: mpq | None = None

    def meet(self, x: mpq) -> int:
        """Records a number's exponents; returns its bits."""
        if not x:
            return 0
        bits, last = anatomy(x)
        self.least, self.most = min(self.least, last), max(self.most, last + bits - 1)
        return bits

    def sum(self, terms: Iterable[mpq], *, into_relu: bool = False) -> mpq:
        """The sum of the terms; the meter records the bits that it needs."""
        there = [term for term in terms if term]
        total = sum(there, NOTHING)
        if not there or (into_relu and max(there) < 0):
            return total
        of_total = self.meet(total)
        needed = max(map(self.meet, there))
        if len(there) <= 2:
            needed = max(needed, of_total)
        else:
            span = sum(map(abs, there), NOTHING)
            self.most = max(self.most, floor_log2(span))  # so that no partial sum overflows
            span /= two_to(min(anatomy(term)[1] for term in there))
            needed = max(needed, (floor(span) - 1).bit_length())
        self.bits = max(self.bits, needed)
        return total

    def apart(self, scores: list[mpq]) -> None:
        """Records how far the largest score is from the next."""
        best = max(scores)
        gaps = [best - score for score in scores if score != best]
        self.gap = min([*gaps, *([] if self.gap is None else [self.gap])], default=None)

    def merge(self, other: "Meter") -> None:
        if other.gap is not None:
            self.gap = other.gap if self.gap is None else min(self.gap, other.gap)
        self.bits = max(self.bits, other.bits)
        self.least, self.most = min(self.least, other.least), max(self.most, other.most)

    def product(self, row: Vector, z: Vector, *, into_relu: bool = False) -> mpq:
        return self.sum((w * x for w, x in zip(row, z, strict=True)), into_relu=into_relu)


class Unmetered(Meter):
    """Where nothing is asked of floats."""

    def sum(self, terms: Iterable[mpq], *, into_relu: bool = False) -> mpq:  # noqa: ARG002
        return sum(terms, NOTHING)


UNMETERED = Unmetered()

"""Floating-point formats, with their numbers as exact rationals.

A number of a format with p bits is 0 or odd . 2^z with at most p bits in `odd`, in the format's range of exponents.
"""

from collections.abc import Callable
from dataclasses import dataclass

from gmpy2 import mpq

from verifier.core.exact import Q


class NotHeld(ValueError):
    """The format has no such number."""

    kind = "limit"


def sig(x: mpq) -> int:
    """The bits of the odd part of a dyadic x."""
    n = abs(int(x.numerator))
    return (n // (n & -n)).bit_length() if n else 0


def quantum(x: mpq) -> int:
    """z, where x = odd . 2^z; x is dyadic and not 0."""
    n = int(x.numerator)
    return (n & -n).bit_length() - int(x.denominator).bit_length()


def dyadic(x: mpq) -> bool:
    den = int(x.denominator)
    return not den & (den - 1)


def two_to(z: int) -> mpq:
    return Q(1 << z) if z >= 0 else Q(1, 1 << -z)


def floor_log2(x: mpq) -> int:
    """The largest e with 2^e <= x, for x > 0."""
    e = int(x.numerator).bit_length() - int(x.denominator).bit_length()
    return e if two_to(e) <= x else e - 1


def floor(x: mpq) -> int:
    return int(x.numerator) // int(x.denominator)


def power_above(x: mpq) -> mpq:
    """The least power of two >= x, for x > 0."""
    e = floor_log2(x)
    return two_to(e) if two_to(e) == x else two_to(e + 1)


@dataclass(frozen=True)
class Dtype:
    """p bits of precision; normal numbers are from 2^least to below 2^(most + 1). Written in `width` bytes."""

    name: str
    p: int
    least: int
    most: int
    width: int
    safetensors: str
    onnx: int  # its number among ONNX's data types
    underflow: int  # exp(t) is taken to be 0 for t <= -underflow

    @property
    def finest(self) -> int:
        """The exponent of the smallest number above 0."""
        return self.least - self.p + 1

    @property
    def largest(self) -> mpq:
        return ((1 << self.p) - 1) * two_to(self.most - self.p + 1)

    def holds(self, x: mpq) -> bool:
        return not x or (
            dyadic(x) and sig(x) <= self.p and quantum(x) >= self.finest and floor_log2(abs(x)) <= self.most
        )

    def nearest(self, x: mpq) -> mpq:
        """The nearest number of the format, ties to even; raises NotHeld on overflow."""
        return self._rounded(x, _half_even)

    def below(self, x: mpq) -> mpq:
        """The largest number of the format that is not above x; raises NotHeld on overflow."""
        return self._rounded(x, floor)

    def _rounded(self, x: mpq, to_whole: Callable[[mpq], int]) -> mpq:
        if not x:
            return x
        last = two_to(max(floor_log2(abs(x)) - self.p + 1, self.finest))
        rounded = to_whole(x / last) * last
        if abs(rounded) > self.largest:
            raise NotHeld(f"{self.name} has no number as large as {_short(x)}")
        return rounded

    def encode(self, x: mpq) -> bytes:
        """The bytes of a number that the format holds, little endian; 0 has no sign."""
        if not self.holds(x):
            raise NotHeld(f"{self.name} doesn't hold {_short(x)}")
        fraction = self.p - 1
        sign = int(x < 0) << (8 * self.width - 1)
        if not x:
            return bytes(self.width)
        e = floor_log2(abs(x))
        if e < self.least:  # subnormal
            bits = floor(abs(x) / two_to(self.least - fraction))
        else:
            bits = (e - self.least + 1 << fraction) | (floor(abs(x) / two_to(e - fraction)) - (1 << fraction))
        return int(sign | bits).to_bytes(self.width, "little")


def _half_even(x: mpq) -> int:
    below = floor(x)
    rest = x - below
    return below + int(rest > Q(1, 2) or (rest == Q(1, 2) and below % 2 == 1))


def _short(x: mpq) -> str:
    text = str(x)
    return text if len(text) <= 40 else f"a number of about 2^{floor_log2(abs(x))}"


FLOAT64 = Dtype("float64", 53, -1022, 1023, 8, "F64", 11, 746)
FLOAT32 = Dtype("float32", 24, -126, 127, 4, "F32", 1, 104)
FLOAT16 = Dtype("float16", 11, -14, 15, 2, "F16", 10, 104)
BFLOAT16 = Dtype("bfloat16", 8, -126, 127, 2, "BF16", 16, 104)

DTYPES = {dtype.name: dtype for dtype in (FLOAT64, FLOAT32, FLOAT16, BFLOAT16)}

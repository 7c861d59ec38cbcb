"""FORMAT-build 2 and 4: numbers of floating-point formats as the rationals that they are, and the bits of a sum."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

TWO = Fraction(2)


class Dtype(NamedTuple):
    """p bits of precision; the powers of two from 2^least to 2^most are normal numbers."""

    name: str
    p: int
    least: int
    most: int
    size: int  # bytes
    in_safetensors: str
    in_onnx: int
    underflow: int


DTYPES = {
    dtype.name: dtype
    for dtype in (
        Dtype("float64", 53, -1022, 1023, 8, "F64", 11, 746),
        Dtype("float32", 24, -126, 127, 4, "F32", 1, 104),
        Dtype("float16", 11, -14, 15, 2, "F16", 10, 104),
        Dtype("bfloat16", 8, -126, 127, 2, "BF16", 16, 104),
    )
}


def encode(x: Fraction, dtype: Dtype) -> bytes | None:
    """The bytes (little endian) of a number; 0 has no sign. None if the format hasn't this number."""
    if not x:
        return bytes(dtype.size)
    e = max(floor_log2(abs(x)), dtype.least)
    whole = abs(x) / TWO ** (e - dtype.p + 1)
    if whole.denominator != 1 or e > dtype.most:
        return None
    bits = (e - dtype.least << dtype.p - 1) + whole.numerator  # 2^(p-1), which isn't stored, raises the exponent by 1
    return (bits | (x < 0) << 8 * dtype.size - 1).to_bytes(dtype.size, "little")


def zeros(n: int) -> int:
    """The number of zeros at the end of a whole number other than 0, in base 2."""
    return (n & -n).bit_length() - 1


def sig(n: int) -> int:
    """The bits of the odd part of a whole number; a power of two as a factor doesn't change them."""
    return n.bit_length() - zeros(n) if n else 0


def floor_log2(x: Fraction) -> int:
    """The largest e with 2^e <= x, for x > 0."""
    e = x.numerator.bit_length() - x.denominator.bit_length()
    return e if TWO**e <= x else e - 1


def needed(terms: list[int]) -> int:
    """FORMAT-build 4: the bits that a sum needs; its terms, none of them 0, in one common unit, a power of two."""
    most = max(map(sig, terms))
    if len(terms) <= 2:
        return max(most, sig(sum(terms)))
    least = min(map(zeros, terms))
    return max(most, ((sum(map(abs, terms)) >> least) - 1).bit_length())

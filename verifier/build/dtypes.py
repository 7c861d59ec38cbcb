"""Floating-point formats: which rationals they hold, and the bytes of one, all in whole numbers and without a float.

A format of precision p holds 0 and the numbers +-M 2^e with M < 2^p and least <= e <= most - (p - 1), where 2^most is
the largest power of two that it holds and 2^least the smallest number above 0.
"""

from dataclasses import dataclass

from gmpy2 import mpq

from verifier.core.exact import shortened, text_of


def floor_log2(x: mpq) -> int:
    """The e with 2^e <= x < 2^(e + 1), for x > 0."""
    upper, lower = int(x.numerator), int(x.denominator)
    e = upper.bit_length() - lower.bit_length()
    return e - (mpq(2) ** e > x)


class NotHeld(ValueError):
    """A number that a format does not hold exactly."""


def brief(value: mpq | int) -> str:
    return shortened(text_of(value), 60)


@dataclass(frozen=True)
class Dtype:
    """A binary format of IEEE 754's form: sign, exponent, p - 1 bits of the significand."""

    name: str
    size: int  # bytes of a number
    p: int  # bits of the significand, the leading one included

    @property
    def most(self) -> int:
        """The exponent of the largest power of two."""
        return int(2 ** (8 * self.size - self.p - 1) - 1)

    @property
    def least(self) -> int:
        """The exponent of the smallest number above 0."""
        return 2 - self.most - self.p

    @property
    def largest(self) -> mpq:
        """The largest number that it holds."""
        return mpq(2**self.p - 1) * mpq(2) ** (self.most - self.p + 1)

    def encode(self, value: mpq | int) -> bytes:
        """The bytes of the number, the least first; NotHeld if it is no number of this format."""
        numerator, denominator = int(value.numerator), int(value.denominator)
        whole, sign = abs(numerator), int(numerator < 0)
        if denominator & (denominator - 1):
            raise NotHeld(f"{brief(value)} is no dyadic rational, so that no {self.name} is equal to it")
        if not whole:
            return bytes(self.size)
        below = denominator.bit_length() - 1  # value = +-whole / 2^below
        top = whole.bit_length() - 1 - below
        if top > self.most:
            raise NotHeld(f"{brief(value)} is larger than every {self.name}")
        last = max(top - self.p + 1, self.least)  # the exponent of the significand's last bit
        significand, rest = divmod(whole << max(0, -last - below), 1 << max(0, last + below))
        if rest:
            raise NotHeld(f"{brief(value)} needs more than the {self.p} bits of a {self.name}")
        bits = significand + ((last - self.least) << (self.p - 1))
        return ((sign << (8 * self.size - 1)) + bits).to_bytes(self.size, "little")

    def decode(self, data: bytes) -> mpq:
        """The number that these bytes are; NotHeld for infinities and NaN."""
        bits = int.from_bytes(data, "little")
        sign, rest = divmod(bits, 2 ** (8 * self.size - 1))
        biased, fraction = divmod(rest, 2 ** (self.p - 1))
        if biased == 2 * self.most + 1:
            raise NotHeld(f"{data.hex()} is no number in {self.name}")
        significand = fraction + (2 ** (self.p - 1) if biased else 0)
        value: mpq = (-significand if sign else significand) * mpq(2) ** (self.least + max(biased - 1, 0))
        return value

    def above(self, value: mpq) -> mpq:
        """The least number of the format that is not below the value."""
        return -self.below(-value)

    def below(self, value: mpq) -> mpq:
        """The largest number of the format that is not above the value; NotHeld if that would be an infinity."""
        if not value:
            return value
        last = mpq(2) ** max(floor_log2(abs(value)) - self.p + 1, self.least)
        parts = value / last
        result = int(parts.numerator) // int(parts.denominator) * last
        if abs(result) > self.largest:
            raise NotHeld(f"{brief(value)} is larger than every {self.name}")
        return result

    def holds(self, value: mpq | int) -> bool:
        try:
            self.encode(value)
        except NotHeld:
            return False
        return True


DTYPES = {
    dtype.name: dtype
    for dtype in (
        Dtype("float64", 8, 53),
        Dtype("float32", 4, 24),
        Dtype("bfloat16", 2, 8),
        Dtype("float16", 2, 11),
    )
}

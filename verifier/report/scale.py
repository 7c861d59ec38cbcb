"""Logarithmic axes in whole numbers: where a number is drawn. No verdict depends on a drawing.

Lengths are 1024 log2(x), rounded down in its last digits. A signed axis puts x at sign(x) log2(1 + |x| / unit): 0 is at
0, and a number that is at least one unit away is drawn away from it, so that what is drawn on a line is equal to it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gmpy2 import mpq

from verifier.core.exact import Q, text_of

FINE = 1024
_KEPT = 64  # leading bits of a number, from which its logarithm is computed
_TEN_AND_A_BIT = 10  # FINE = 2^10
ALIKE = 40  # times the least size: up to there values are drawn by equal distances


def _log2(k: int) -> int:
    """1024 log2(k) of a whole number k >= 1: one more binary digit with each squaring of the leading bits."""
    whole = k.bit_length() - 1
    leading = k << (_KEPT - 1) >> whole  # 2^63 <= leading < 2^64 stands for 1 <= k / 2^whole < 2
    digits = 0
    for _ in range(_TEN_AND_A_BIT):
        square = leading * leading >> (_KEPT - 1)
        carry = square.bit_length() - _KEPT
        digits, leading = digits * 2 + carry, square >> carry
    return whole * FINE + digits


def log2(x: mpq) -> int:
    """1024 log2(x), x > 0."""
    return _log2(int(x.numerator)) - _log2(int(x.denominator))


def signed(x: mpq, unit: mpq) -> int:
    """sign(x) 1024 log2(1 + |x| / unit), 0 for 0 alone."""
    length = max(log2(1 + abs(x) / unit), 1 if x else 0)
    return -length if x < 0 else length


@dataclass(frozen=True)
class Axis:
    """A signed axis from one length to another, across a picture."""

    unit: mpq
    low: int
    high: int
    margin: int = 600  # of 10,000, at either end

    @staticmethod
    def over(values: Iterable[mpq], unit: mpq) -> "Axis":
        lengths = [signed(value, unit) for value in values]
        return Axis(unit, min(lengths), max(lengths))

    def at(self, x: mpq) -> int:
        """The place of a number, in hundredths of a percent of the picture's width."""
        if self.high == self.low:
            return 5000
        return self.margin + (10_000 - 2 * self.margin) * (signed(x, self.unit) - self.low) // (self.high - self.low)

    def ticks(self, apart: int) -> Iterator[tuple[mpq, str]]:
        """0 and powers of ten of either sign, each with its text, at least `apart` hundredths of a percent apart."""
        taken: list[int] = []
        for x, text in self._candidates():
            place = self.at(x)
            if self.margin // 2 <= place <= 10_000 - self.margin // 2 and all(abs(place - t) >= apart for t in taken):
                taken.append(place)
                yield x, text

    def _candidates(self) -> Iterator[tuple[mpq, str]]:
        if self.low <= 0 <= self.high:
            yield Q(0), "0"
        for sign, end in ((1, self.high), (-1, -self.low)):
            # 1024 log2(10) > 3401: one more than the number of powers of ten that the axis has room for
            most = max(0, end + log2(self.unit)) // 3401 + 1
            step = max(1, most // 6)
            for exponent in range(most - most % step, -1, -step):
                text = "1" if exponent == 0 else "10" if exponent == 1 else f"10{raised(exponent)}"
                yield Q(sign * 10**exponent), "−" * (sign < 0) + text


@dataclass(frozen=True)
class Linear:
    """An axis on which equal distances are drawn as equal."""

    low: mpq
    high: mpq
    margin: int = 600

    def at(self, x: mpq) -> int:
        if self.high == self.low:
            return 5000
        part = (x - self.low) / (self.high - self.low)
        return self.margin + (10_000 - 2 * self.margin) * int(part.numerator) // int(part.denominator)

    def ticks(self, apart: int) -> Iterator[tuple[mpq, str]]:
        """Multiples of 1, 2 or 5 times a power of ten (or their inverses), at least so far apart."""
        if self.high == self.low:
            yield self.low, text_of(self.low)
            return
        steps = (Q(10) ** e * k for e in range(-30, 31) for k in (1, 2, 5))
        step = next(one for one in steps if self.at(self.low + one) - self.at(self.low) >= apart)
        below = -self.low / step
        x = -step * (int(below.numerator) // int(below.denominator))
        while x <= self.high:
            yield x, text_of(x)
            x += step


def axis_over(values: Iterable[mpq]) -> Axis | Linear:
    """An axis for these values: by equal distances, if they are alike; else a logarithmic one."""
    given = list(values)
    sizes = [abs(value) for value in given if value]
    if not sizes or max(sizes) <= ALIKE * min(sizes):
        return Linear(min(given), max(given))
    return Axis.over([Q(0), *given], min(sizes))


def raised(exponent: int) -> str:
    return str(exponent).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def percent(hundredths: int) -> str:
    sign = "-" if hundredths < 0 else ""
    return f"{sign}{abs(hundredths) // 100}.{abs(hundredths) % 100:02}%"

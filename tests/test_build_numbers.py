"""The checker's floating-point formats, and the bits of a sum: by their definitions, and as the producer has them."""

import math
import struct
from dataclasses import astuple
from fractions import Fraction

import pytest
from gmpy2 import mpq
from hypothesis import assume, example, given
from hypothesis import strategies as st

from verifier.build import dtype as producer
from verifier.build import meter
from verifier.checker.build.dyadic import DTYPES, encode, floor_log2, needed, sig, zeros
from verifier.checker.build.exported import Meter

WHOLE = st.integers(-(2**9), 2**9) | st.integers(-(2**70), 2**70)
each_dtype = pytest.mark.parametrize("dtype", DTYPES.values(), ids=DTYPES)


def bits_of(dtype, sign, exponent, fraction):
    """A number's bytes, from the three fields of IEEE 754."""
    rest = (sign << (8 * dtype.size - dtype.p)) + exponent
    return ((rest << (dtype.p - 1)) + fraction).to_bytes(dtype.size, "little")


def test_both_know_the_same_formats():
    assert {name: tuple(dtype) for name, dtype in DTYPES.items()} == {
        name: astuple(dtype) for name, dtype in producer.DTYPES.items()
    }


@each_dtype
def test_the_numbers_of_a_format(dtype):
    """1 has the exponent 0 + bias; the exponent 0 stands for subnormal numbers. No zero has a sign."""
    bias, last, one = dtype.most, 2 * dtype.most + 1, 1 << (dtype.p - 1)
    finest = Fraction(2) ** (dtype.least - dtype.p + 1)
    for fields, value in {
        (0, 0, 0): 0,
        (0, 0, 1): finest,
        (1, 0, 1): -finest,
        (0, 0, one - 1): (one - 1) * finest,
        (0, 1, 0): one * finest,
        (0, 1, 1): (one + 1) * finest,
        (0, 2, 1): 2 * (one + 1) * finest,
        (0, bias, 0): 1,
        (1, bias, one // 2): Fraction(-3, 2),
        (0, last - 1, one - 1): (2 - Fraction(1, one)) * Fraction(2) ** dtype.most,
    }.items():
        assert encode(Fraction(value), dtype) == bits_of(dtype, *fields)
    largest = (2 - Fraction(1, one)) * Fraction(2) ** dtype.most
    for value in (Fraction(1, 3), 1 + Fraction(1, 2 * one), finest / 2, 3 * finest / 2, largest + 1, 2 * largest):
        assert encode(value, dtype) is encode(-value, dtype) is None


@pytest.mark.parametrize(("name", "form"), [("float64", "<d"), ("float32", "<f"), ("float16", "<e")])
def test_bytes_are_written_as_struct_reads_them(name, form):
    @given(st.binary(min_size=DTYPES[name].size, max_size=DTYPES[name].size))
    def same(data):
        (x,) = struct.unpack(form, data)
        assume(math.isfinite(x))
        assert encode(Fraction(x), DTYPES[name]) == (data if x else bytes(len(data)))

    same()


@given(st.integers(1, 2**70), st.integers(1, 2**70))
def test_the_logarithm(p, q):
    e = floor_log2(Fraction(p, q))
    assert Fraction(2) ** e <= Fraction(p, q) < Fraction(2) ** (e + 1)


def test_a_number_is_odd_times_a_power_of_two():
    for odd in (1, 3, 5, 7, 9, 2**40 + 1):
        for z in range(70):
            for x in (odd << z, -(odd << z)):
                assert (sig(x), zeros(x)) == (odd.bit_length(), z)
    assert sig(0) == 0


@pytest.mark.parametrize(
    ("terms", "bits"),
    [
        ([6], 2),
        ([1, -1], 1),
        ([8, 1], 4),
        ([8, -1], 3),
        ([7, 1], 3),
        ([4, 4, -8], 2),  # (4 + 4 + 8) / 4 = 2^2
        ([1, 1, 1], 2),
        ([2, 2, 2, 1], 3),
        ([-3, -3, -2], 3),
        ([63, 1, 1], 7),
    ],
)
def test_what_a_sum_needs(terms, bits):
    """The least b with (sum of absolute values) <= 2^b least quanta; with two terms, or one, the bits of the sum."""
    assert needed(terms) == bits


@given(st.lists(WHOLE, max_size=4), st.booleans())
@example([0, -3], True)
@example([1, -4], True)
def test_both_meter_the_same_sum(terms, into_relu):
    ours, theirs = Meter(), meter.Meter()
    found = ours.sum(list(map(Fraction, terms)), into_relu=into_relu)
    assert found == theirs.sum(map(mpq, terms), into_relu=into_relu) == sum(terms)
    assert (ours.bits, ours.least, ours.most) == (theirs.bits, theirs.least, theirs.most)

"""Logarithmic axes in whole numbers."""

from fractions import Fraction
from math import log2 as floating

import pytest

from verifier.core.exact import Q
from verifier.report.scale import FINE, Axis, log2, percent, signed


@pytest.mark.parametrize("x", [1, 2, 3, 7, 10, 1023, 1024, 10**40, 10**900, Fraction(1, 3), Fraction(10**30, 7)])
def test_the_logarithm_is_that_of_the_textbook(x):
    x = Fraction(x)
    expected = floating(x.numerator) - floating(x.denominator)
    assert abs(log2(Q(x.numerator, x.denominator)) - FINE * expected) <= 2


def test_it_never_decreases_and_powers_of_two_are_exact():
    assert [log2(Q(2**k)) for k in range(70)] == [FINE * k for k in range(70)]
    lengths = [log2(Q(k)) for k in range(1, 3000)]
    assert lengths == sorted(lengths)


def test_only_zero_is_drawn_at_zero():
    unit = Q(1, 4)
    assert signed(Q(0), unit) == 0
    assert signed(Q(1, 10**9), unit) > 0 > signed(Q(-1, 10**9), unit)
    assert signed(-unit, unit) == -signed(unit, unit) == -FINE


def test_an_axis_keeps_order_and_stays_in_the_picture():
    values = [Q(-(10**6)), Q(-1), Q(0), Q(1, 3), Q(5), Q(10**12)]
    axis = Axis.over(values, Q(1, 3))
    places = [axis.at(value) for value in values]
    assert places == sorted(set(places))
    assert places[0] == axis.margin
    assert places[-1] == 10_000 - axis.margin
    ticks = list(axis.ticks(1000))
    assert (Q(0), "0") in ticks
    assert len(ticks) > 3
    assert all(abs(axis.at(x) - axis.at(y)) >= 1000 for x, _ in ticks for y, _ in ticks if x != y)


def test_an_axis_of_one_point():
    assert Axis.over([Q(7)], Q(1)).at(Q(7)) == 5000


def test_percent():
    assert [percent(k) for k in (0, 5, 5000, 1234, -50)] == ["0.00%", "0.05%", "50.00%", "12.34%", "-0.50%"]

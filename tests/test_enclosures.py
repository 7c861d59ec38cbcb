"""exp_below, log_below, sqrt_below, softmax_below: known digits, and two computations by other methods that agree on
every digit."""

from fractions import Fraction
from functools import partial

import pytest
from gmpy2 import mpq
from hypothesis import example, given, settings
from hypothesis import strategies as st

import enclosure
from verifier.checker.core.comparing import OverLimit
from verifier.checker.page import enclosures as checkers
from verifier.checker.page.words import Place
from verifier.checker.page.words import Refused as CheckerRefused
from verifier.evaluate import enclosures as ours
from verifier.evaluate.values import Wrong

HERE = Place(1, 1)
EXP = ours.exp_below, partial(checkers.exp_below, HERE)
LOG = ours.log_below, partial(checkers.log_below, HERE)
SOFTMAX = ours.softmax_below, partial(checkers.softmax_below, HERE)
# The first 50 decimals, from tables.
DIGITS = [
    (EXP, 1, "2.71828182845904523536028747135266249775724709369995"),
    (EXP, -1, "0.36787944117144232159552377016146086744581113103176"),
    (EXP, Fraction(1, 2), "1.64872127070012814684865078781416357165377610071014"),
    (EXP, 10, "22026.46579480671651695790064528424436635351261855678107"),
    (LOG, 2, "0.69314718055994530941723212145817656807550013436025"),
    (LOG, 3, "1.09861228866810969139524523692252570464749055782274"),
    (LOG, 10, "2.30258509299404568401799145468436420760110148862877"),
    (LOG, Fraction(1, 2), "-0.69314718055994530941723212145817656807550013436026"),
]
numbers = st.fractions(min_value=-40, max_value=40, max_denominator=50)
digits = st.integers(0, 300)


@pytest.mark.parametrize(("two", "x", "decimals"), DIGITS)
def test_known_digits(two, x, decimals):
    for below, number in zip(two, (mpq, Fraction), strict=True):
        found = Fraction(below(number(x), 200)) * 10**50
        assert found // 1 == Fraction(decimals) * 10**50


@given(numbers, digits)
@example(Fraction(0), 0)
@example(Fraction(-40), 57)
@example(Fraction(40), 300)
@settings(max_examples=200, deadline=None)
def test_e_to_a_number_is_the_same_by_both(x, k):
    assert Fraction(ours.exp_below(mpq(x), k)) == EXP[1](x, k)


@given(st.fractions(min_value=Fraction(1, 10**6), max_value=10**6), digits)
@example(Fraction(1), 8)
@example(Fraction(2**40), 64)
@example(Fraction(1, 2**40), 64)
@settings(max_examples=200, deadline=None)
def test_a_logarithm_is_the_same_by_both(x, k):
    assert Fraction(ours.log_below(mpq(x), k)) == LOG[1](x, k)


@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=5), digits)
@example([(Fraction(1, 3), Fraction(2)), (Fraction(1, 3), Fraction(5))], 3)
@example([(Fraction(0), Fraction(2)), (Fraction(4), Fraction(2)), (Fraction(2), Fraction(7))], 3)
@settings(max_examples=200, deadline=None)
def test_a_softmax_mean_is_the_same_by_both(pairs, k):
    values, scores = map(list, zip(*pairs, strict=True))
    found = Fraction(SOFTMAX[0](list(map(mpq, values)), list(map(mpq, scores)), k))
    assert found == SOFTMAX[1](values, scores, k)
    if len(pairs) == 1:
        return
    weights = enclosure.softmax([enclosure.point(s) for s in scores])  # a third computation, of 400 digits
    ends = [sum(v * w[(v < 0) != side] for v, w in zip(values, weights, strict=True)) for side in (False, True)]
    assert found <= ends[1]
    assert ends[0] < found + Fraction(1, 2**k)


@given(numbers, st.integers(0, 120))
@settings(max_examples=100, deadline=None)
def test_every_enclosure_encloses(x, bits):
    """Both ends of each program, against those of the other with many more digits."""
    fine = checkers.exp_of(x, bits + 200)
    low, high = ours.exp(mpq(x), bits)
    if fine:
        assert Fraction(low) <= Fraction(fine[1], 1 << bits + 200)
        assert Fraction(high) >= Fraction(fine[0], 1 << bits + 200)
    low, high = ours.exp(mpq(x), bits + 200)
    coarse = checkers.exp_of(x, bits + 80)
    if coarse:
        assert Fraction(coarse[0], 1 << bits + 80) <= Fraction(high)
        assert Fraction(coarse[1], 1 << bits + 80) >= Fraction(low)
    if x > 0:
        (low, high), fine = ours.log(mpq(x), bits), checkers.log_of(x, bits + 200)
        assert Fraction(low) <= Fraction(fine[1], 1 << bits + 200)
        assert Fraction(high) >= Fraction(fine[0], 1 << bits + 200)


def test_one_is_near_a_multiple_and_told_apart():
    """e^x for x = 2^-200: just above 1, and just below it."""
    x = Fraction(1, 2**200)
    for below, number in zip(EXP, (mpq, Fraction), strict=True):
        assert Fraction(below(number(x), 10)) == 1
        assert Fraction(below(number(-x), 10)) == 1 - Fraction(1, 2**10)


def test_what_isnt_told_apart_is_refused():
    x = Fraction(1, 2**70_000)
    with pytest.raises(OverflowError):
        ours.exp_below(-mpq(x), 10)
    with pytest.raises(OverLimit):
        EXP[1](-x, 10)


@given(st.fractions(min_value=0, max_value=10**6), digits)
@example(Fraction(0), 0)
@example(Fraction(1, 2**300), 200)
@example(Fraction(2**4000 - 1), 0)
@settings(max_examples=200, deadline=None)
def test_a_root_is_the_same_by_both(x, k):
    found = Fraction(ours.sqrt_below(mpq(x), k))
    assert found == checkers.sqrt_below(HERE, x, k)
    assert found**2 <= x < (found + Fraction(1, 2**k)) ** 2


def test_there_is_no_root_of_a_negative_number():
    with pytest.raises(Wrong):
        ours.sqrt_below(mpq(-1), 5)
    with pytest.raises(CheckerRefused):
        checkers.sqrt_below(HERE, Fraction(-1), 5)


@pytest.mark.parametrize("x", [0, -1])
def test_there_is_no_logarithm_of_what_isnt_positive(x):
    with pytest.raises(Wrong):
        ours.log_below(mpq(x), 5)
    with pytest.raises(CheckerRefused):
        LOG[1](Fraction(x), 5)


@pytest.mark.parametrize(
    ("room", "name", "wrong"),
    [
        (ours, "exp", lambda x, _: (mpq(1) + x, mpq(1) + x)),
        (ours, "log", lambda x, _: (x - 1, x - 1)),
        (checkers, "falling", lambda t, W: ((1 << W) - int(t * (1 << W)),) * 2),
        (checkers, "log_of", lambda x, W: (int((x - 1) * (1 << W)),) * 2),
    ],
)
def test_a_wrong_series_is_noticed(room, name, wrong, monkeypatch):
    monkeypatch.setattr(room, name, wrong)
    two, x = (LOG, Fraction(3, 2)) if "log" in name else (EXP, Fraction(-1, 2))
    assert Fraction(two[0](mpq(x), 20)) != two[1](x, 20)

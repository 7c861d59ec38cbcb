"""The one door for numbers."""

import re
from fractions import Fraction

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from verifier.core.exact import (
    NotExact,
    Q,
    bracketed,
    columns_of,
    dot,
    exact,
    from_columns,
    matrix,
    matrix_of_rows,
    matrix_of_shape,
    matrix_text,
    parse_matrix,
    parse_natural,
    parse_rational,
    parse_typed,
    shortened,
    text_of,
    value_text,
    vector,
)

MALFORMED = ["", " ", "1e3", "1_000", " 3", "3 ", "+3", "03", "-0", "0/1", "3/1", "2/4", "1/0", "0/0", "1/-2", "-3/6"]
MALFORMED += ["1.0", "0.5", ".5", "nan", "inf", "x", "1/", "/2", "--1", "1//2", "3\n", "0x10", "½"]
MALFORMED += ["\u0663", "\uff11", "1/\uff12"]  # digits of other scripts


@pytest.mark.parametrize("text", MALFORMED)
def test_loosely_written_numbers_are_turned_away(text):
    with pytest.raises(NotExact):
        parse_rational(text)


@pytest.mark.parametrize("text", [*MALFORMED, "-1", "1/2"])
def test_a_natural_number_is_plain_digits(text):
    with pytest.raises(NotExact):
        parse_natural(text)


@pytest.mark.parametrize("value", [0.5, 1.0, True, None, "1", float("nan"), Fraction(1, 2), 1j])
def test_only_whole_numbers_and_rationals_come_in(value):
    with pytest.raises(NotExact, match=re.escape(repr(value))):
        exact(value)


def test_whole_numbers_and_rationals_come_in():
    assert exact(3) == mpq(3)
    assert exact(Q(3, 4)) == mpq(3, 4)
    assert Q(-6, 8) == mpq(-3, 4)


@pytest.mark.parametrize("parts", [(1.0, 2), (1, 2.0), (True, 2), ("1", 2), (1, 0)])
def test_Q_takes_two_whole_numbers(parts):
    with pytest.raises(NotExact):
        Q(*parts)


def test_a_matrix_has_rows_of_one_length():
    for ragged in ([], [[]], [[1, 2], [3]], [[1], []]):
        with pytest.raises(NotExact):
            matrix(ragged)
    with pytest.raises(NotExact):
        matrix([[1, 0.5]])


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("0.25", Q(1, 4)),
        ("-0.5", Q(-1, 2)),
        ("2.0", 2),
        ("2/4", Q(1, 2)),
        ("3/4", Q(3, 4)),
        ("7", 7),
        ("0.1", Q(1, 10)),
    ],
)
def test_what_a_person_types_is_exact_too(typed, value):
    assert parse_typed(typed) == value


@pytest.mark.parametrize("typed", ["", "x", ".5", "1.", "1e3", "+1", "1/0", "03", "1.5/2", "\u0660.\u0665", "0x10"])
def test_what_is_no_typed_number(typed):
    with pytest.raises(
        NotExact, match="a number is needed" if not typed else "is not a rational such as 3, -5, 3/4 or 0"
    ):
        parse_typed(typed)


def test_a_number_is_no_vector_and_no_matrix():
    for make in (vector, matrix):
        with pytest.raises(NotExact, match=f"7 is not a {make.__name__}"):
            make(7)


def test_the_reason_says_what_would_be_right():
    with pytest.raises(NotExact, match="'2/4' is not in lowest terms; it is 1/2"):
        parse_rational("2/4")
    with pytest.raises(NotExact, match=f"'{'x' * 40}' is not a whole number"):
        parse_natural("x" * 40)
    with pytest.raises(NotExact, match=rf"'{'x' * 40}\.\.\.' is not a whole number"):
        parse_natural("x" * 41)


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        (0.1, "for 0.1 write Q(1, 10)"),
        (0.5, "for 0.5 write Q(1, 2)"),
        (3.0, "for 3.0 write 3"),
        ("0.25", "for '0.25' write Q(1, 4)"),
        ("6/4", "for '6/4' write Q(3, 2)"),
        (float("inf"), ""),
        ("x", ""),
        (None, ""),
    ],
)
def test_what_may_have_been_meant_is_said_as_it_is_written(value, hint):
    with pytest.raises(NotExact) as error:
        exact(value)
    assert str(error.value).partition("exact numbers are int or Q(numerator, denominator)")[2] == (hint and f"; {hint}")


@pytest.mark.parametrize(
    ("d", "n", "such_as"),
    [
        (1, 2, "such as [[0, 0]]"),
        (3, 4, f"such as {[[0] * 4] * 3}"),
        (1, 13, "in a list of lists"),
        (2, 7, "in a list of lists"),
    ],
)
def test_what_a_matrix_should_be_is_shown_if_that_is_short(d, n, such_as):
    with pytest.raises(NotExact, match=re.escape(f"of {n} numbers, {such_as}") + "$"):
        matrix_of_shape([[0] * 5], d, n, "it")


def test_a_matrix_of_so_many_rows_of_any_length():
    for n in (1, 2, 3):
        assert matrix_of_rows([[0] * n, [1] * n], 2, "it") == ((0,) * n, (1,) * n)
    with pytest.raises(
        NotExact, match=r"^a matrix of 1 row; it takes a matrix of 2 rows, such as \[\[0, 0\], \[0, 0\]\]$"
    ):
        matrix_of_rows([[0, 1]], 2, "it")
    with pytest.raises(NotExact, match=r"^a matrix of 2 rows; it takes a matrix of 1 row, such as \[\[0, 0\]\]$"):
        matrix_of_rows([[0], [1]], 1, "it")


def test_a_tuple_of_exact_numbers_is_taken_as_it_is():
    """So that numbers of many cases at once (lanes) may be in it."""
    numbers = (Q(1), Q(2))
    assert vector(numbers) is numbers
    assert vector([1, 2]) == vector((1, 2)) == numbers


def test_a_matrix_by_rows_by_columns_and_in_words():
    X = matrix([[0, Q(1, 4), 1], [Q(-1, 2), 3, 2]])
    assert columns_of(X) == ((0, Q(-1, 2)), (Q(1, 4), 3), (1, 2))
    assert from_columns(columns_of(X)) == X
    assert (matrix_text(X), bracketed(X)) == ("0, 1/4, 1; -1/2, 3, 2", "[0, 1/4, 1; -1/2, 3, 2]")
    assert parse_matrix("0,1/4, 1; -1/2,3 , 2") == parse_matrix(bracketed(X)) == X
    assert [value_text(value) for value in (X, X[1], Q(1, 4))] == [matrix_text(X), "-1/2, 3, 2", "1/4"]
    assert dot(X[0], X[1]) == Q(3, 4) + 2
    assert matrix_of_shape([[0, Q(1, 4), 1], [Q(-1, 2), 3, 2]], 2, 3, "it") == X
    assert matrix_of_shape([[0, 1]], 1, 2, "it") == ((0, 1),)
    assert (value_text((Q(1),)), value_text(((Q(1),),)), value_text(())) == ("1", "1", "")
    with pytest.raises(NotExact, match="a 2 x 3 matrix; this network takes 1 x 3: 1 row of 3 numbers"):
        matrix_of_shape(X, 1, 3, "this network")
    with pytest.raises(NotExact, match="takes 2 x 2: 2 rows of 2 numbers"):
        matrix_of_shape(X, 2, 2, "this network")


def test_numbers_longer_than_anybody_types_are_refused_at_once():
    nines = "9" * 1000
    assert parse_natural(nines) == parse_rational(nines) == 10**1000 - 1
    assert parse_rational(f"1/{nines}") == Q(1, 10**1000 - 1)
    for text in ("9" * 1001, "9" * 1_000_000):
        for parse, words in ((parse_natural, text), (parse_rational, text), (parse_rational, f"1/{text}")):
            with pytest.raises(NotExact, match=f"{len(text)} digits"):
                parse(words)


@given(st.integers(), st.integers(min_value=1))
def test_what_is_written_is_read_back(a, b):
    assert parse_rational(text_of(Q(a, b))) == mpq(a, b)
    assert text_of(Q(a, b)) == str(Fraction(a, b))


def test_numbers_of_any_length_can_be_written():
    assert text_of(Q(10**5000)) == "1" + "0" * 5000  # str(int) of Python stops at 4,300 digits


def test_a_long_number_is_shortened_above_and_below_its_bar():
    assert shortened("123/456", 24) == "123/456"
    assert shortened("1" * 24, 24) == "1" * 24
    assert shortened("1" * 22 + "/" + "2" * 25, 44) == "1" * 22 + "/" + "2" * 12 + "...(25 digits)"
    assert shortened("-" + "1" * 30 + "/7", 24) == "-11111111111...(30 digits)/7"
    assert shortened("1" * 20 + "/" + "2" * 20, 24) == "1" * 12 + "...(20 digits)/" + "2" * 12 + "...(20 digits)"

"""Targets as expressions: what the grammar has, what it refuses, that the modulus is one, and the checker's reading."""

import contextlib
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.build.expression import BadExpression, expression
from verifier.checker.build.expression import rows
from verifier.checker.core.comparing import OverLimit
from verifier.checker.core.reading import Unreadable
from verifier.core.exact import Q, columns_of, from_columns

X = ((Q(1, 4), Q(1, 2), Q(1)), (Q(0), Q(3, 4), Q(1, 8)))


def read_twice(text, X=X, *, positional=False):
    """What the producer makes of it, once the checker has made the same of it: values, ranges, constants, steps."""
    e, again = expression(text, 2, 3, positional=positional), rows(text, 2, 3, positional=positional)
    whole = [[Fraction(int(x.numerator), int(x.denominator)) for x in row] for row in X]
    assert e(X) == tuple(tuple(t.at(whole, i, j) for j in range(3)) for i, t in enumerate(again))
    assert e.range == tuple((t.low, t.high) for t in again)
    assert e.lipschitz == tuple(t.lipschitz for t in again)
    assert [t.cost for t in e.rows] == [t.steps for t in again]
    return e


@pytest.mark.parametrize(
    ("text", "value"),  # of row 1
    [
        ("x", [Q(1, 4), Q(1, 2), 1]),
        ("3/4", [Q(3, 4)] * 3),
        ("sum(x)", [Q(7, 4)] * 3),
        ("mean(x)", [Q(7, 12)] * 3),
        ("max(x) - min(x)", [Q(3, 4)] * 3),
        ("sort(x, 2)", [Q(1, 2)] * 3),
        ("colsum(x)", [Q(1, 4), Q(5, 4), Q(9, 8)]),
        ("colmean(x)", [Q(1, 8), Q(5, 8), Q(9, 16)]),
        ("colmax(x)", [Q(1, 4), Q(3, 4), 1]),
        ("colmin(x)", [0, Q(1, 2), Q(1, 8)]),
        ("x[2] * 2", [0, Q(3, 2), Q(1, 4)]),
        ("max(x, 1/2, x[2])", [Q(1, 2), Q(3, 4), 1]),
        ("min(x,x[2])", [0, Q(1, 2), Q(1, 8)]),
        ("1 - x * x + -x", [Q(11, 16), Q(1, 4), -1]),
        ("2*(x-1/4)*3", [0, Q(3, 2), Q(9, 2)]),
        ("sum(x * mean(x[2]))", [Q(7, 4) * Q(7, 24)] * 3),
        ("x - 1 - 1", [Q(-7, 4), Q(-3, 2), -1]),
        (" x *  mean ( x ) ", [Q(7, 48), Q(7, 24), Q(7, 12)]),
        ("min(x - 3, -2 * x, 1) * x * (x - 1/2)", [Q(11, 64), 0, -1]),
    ],
)
def test_values(text, value):
    assert read_twice(text)(X)[0] == tuple(value)


def test_rows_and_positions():
    assert read_twice("x; 1")(X) == (X[0], (1, 1, 1))
    e = read_twice("x[1,3] + 0*x; sort(x)", positional=True)
    assert e(X) == ((1, 1, 1), (0, Q(1, 8), Q(3, 4)))
    assert e.ordered
    assert not expression("sum(x)", 2, 3, positional=True).ordered


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it is empty"),
        ("  ", "it is empty"),
        ("y", "character 1: 'y' is unknown"),
        ("x + foo(x)", "character 5: 'foo' is unknown"),
        ("floor(x)", "'floor' is not continuous"),
        ("x / 2", "character 3: division is for numbers alone"),
        ("1/0", "can't be divided by 0"),
        ("1/x", "a whole number is expected"),
        ("0.5", "character 2: '.' is not in the grammar"),
        ("x ** 2", "character 4: a number, x, a function"),
        ("x x", "character 3: 'x' is not expected here"),
        ("(x", "at the end: ')' is expected"),
        ("mean(x, x)", "character 1: mean takes one expression"),
        ("colsum(x, x)", "colsum takes one expression"),
        ("sort(x)", "give --positional"),
        ("sort(x, 4)", "from 1 to n = 3"),
        ("sort(x, 1/2)", "from 1 to n = 3"),
        ("sort(x, x)", "from 1 to n = 3"),
        ("sort(x, 1+1)", "from 1 to n = 3"),
        ("sort(x, 1, x)", "from 1 to n = 3"),
        ("x[3]", "row 3 doesn't exist; they are 1 to 2"),
        ("x[0]", "row 0 doesn't exist"),
        ("x[1,1]", "goes with --positional"),
        ("x; x; x", "3 rows are given, and d = 2"),
        ("x;", "at the end: a number"),
        ("__import__('os')", 'character 12: "\'" is not in the grammar'),
        ("x.__class__", "'.' is not in the grammar"),
        ("\u0445", "is not in the grammar"),
        ("\u0663", "is not in the grammar"),
        ("9" * 41, "a number of 41 digits"),
        ("(" * 100 + "x" + ")" * 100, "nested deeper than 40"),
        ("-" * 900 + "x", "nested deeper than 40"),
        ("mean(" * 12 + "x" + ")" * 12, "steps; at most"),
        ("x" + "+x" * 500, "1001 characters"),
    ],
)
def test_refusals(text, why):
    with pytest.raises(BadExpression) as error:
        expression(text, 2, 3)
    assert why in str(error.value)
    assert "\n" not in str(error.value)
    with contextlib.suppress(Unreadable, OverLimit):
        rows(text, 2, 3, positional=False)
        assert len(text) > 1000  # of which the checker has no limit


@pytest.mark.parametrize(
    ("most", "text"),
    [
        (40, lambda k: "9" * k),  # digits
        (100, lambda k: "(" * (k - 1) + "x" + ")" * (k - 1)),  # parentheses inside one another, and x
        (100, lambda k: "x * x + " + "-" * (k - 1) + "x"),
        (2000, lambda k: "-" * (1 - k % 2) + "x" + "+x" * ((k - 1) // 2)),  # tokens
    ],
)
def test_the_checkers_limits(most, text):
    """The very limit is read, and has a value; one more isn't."""
    (term,) = rows(text(most), 1, 1, positional=False)
    assert term.low <= term.at([[Fraction(1, 2)]], 0, 0) <= term.high
    with pytest.raises(Unreadable, match="is no expression"):
        rows(text(most + 1), 1, 1, positional=False)


def test_the_checker_counts_the_steps_of_a_value():
    """mean(mean(...)) of k means takes 2^(k + 1) - 1 of them; the largest that are allowed are 2,000."""

    def means(k, more=""):
        return "mean(" * k + "x" + ")" * k + more

    assert rows(means(9, "+x" * 976), 1, 2, positional=False)[0].steps == 2000
    with pytest.raises(OverLimit, match="one value of it takes 2,001 steps; at most 2,000 are made"):
        rows(f"x; {means(9, '+x' * 977)}", 2, 2, positional=False)


LEAVES = st.sampled_from(["x", "x[1]", "x[2]", "0", "1", "1/3", "5/2"])


def wider(inner):
    one = st.sampled_from(["sum", "mean", "max", "min", "colsum", "colmean", "colmax", "colmin"])
    return st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from("+-*"), inner),
        st.builds("{}({})".format, one, inner),
        st.builds("{}({}, {})".format, st.sampled_from(["max", "min"]), inner, inner),
        st.builds("sort({}, {})".format, inner, st.integers(1, 3)),
        st.builds("-{}".format, inner),
    )


EXPRESSIONS = st.recursive(LEAVES, wider, max_leaves=4)
ENTRY = st.integers(0, 8).map(lambda k: Q(k, 8))
MATRIX = st.tuples(*[st.tuples(ENTRY, ENTRY, ENTRY)] * 2)


@given(EXPRESSIONS, MATRIX, MATRIX)
def test_range_and_modulus_hold(text, X, Y):
    e = read_twice(text, X)
    far = max(abs(x - y) for row, other in zip(X, Y, strict=True) for x, y in zip(row, other, strict=True))
    for row, other, (low, high), L in zip(e(X), e(Y), e.range, e.lipschitz, strict=True):
        assert all(low <= value <= high for value in row)
        assert all(abs(a - b) <= L * far for a, b in zip(row, other, strict=True))


@given(EXPRESSIONS, MATRIX)
def test_without_positions_every_expression_is_equivariant(text, X):
    e = expression(text, 2, 3)
    for order in permutations(range(3)):
        moved = from_columns(tuple(columns_of(X)[j] for j in order))
        assert e(moved) == from_columns(tuple(columns_of(e(X))[j] for j in order))


def test_the_modulus_is_attained():
    """x * mean(x), at (1, 1) and a little less: L = 2 can't be smaller."""
    e, h = expression("x * mean(x)", 1, 2), Q(1, 1000)
    (at,), (near,) = e(((Q(1), Q(1)),)), e(((1 - h, 1 - h),))
    assert e.lipschitz == (2,)
    assert abs(at[0] - near[0]) / h == 2 - h

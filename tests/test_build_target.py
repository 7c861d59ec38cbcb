"""Targets in the language of pages: values, ranges and constants, what may depend on the order of columns, what is
refused; each read twice, by the producer and by the checker."""

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.build.sizes import Sizes
from verifier.build.target import BadTarget, Target
from verifier.checker.build.target import Target as Checked
from verifier.checker.core.comparing import OverLimit
from verifier.checker.core.reading import Unreadable
from verifier.core.exact import Q, columns_of, from_columns

X = ((Q(1, 4), Q(1, 2), Q(1)), (Q(0), Q(3, 4), Q(1, 8)))
ALL = "for m in 1..n"


def read_twice(text, X=X, *, positional=False):
    """What the producer makes of it, once the checker has made the same of it: values, ranges, constants."""
    i = Sizes(len(X), len(X[0]), 4)
    f, again = Target(text, i, positional=positional), Checked(text, i.d, i.n, i.N, positional=positional)
    (found,) = again.values([[[fraction(x) for x in row] for row in X]])
    assert f.f(X) == tuple(map(tuple, found))
    if again.bounds is None:
        assert (f.range, f.lipschitz) == (None, None)
        assert f.why
    else:
        assert (list(f.range), list(f.lipschitz)) == (again.bounds.ranges, again.bounds.lipschitz)
    return f


def fraction(x):
    return Fraction(int(x.numerator), int(x.denominator))


@pytest.mark.parametrize(
    ("entry", "values", "of", "L"),  # entry 1 of column j; of each column; its range; its constant
    [
        ("X[j][1]", [Q(1, 4), Q(1, 2), 1], (0, 1), 1),
        ("3/4", [Q(3, 4)] * 3, (Q(3, 4), Q(3, 4)), 0),
        ("sum(X)[1]", [Q(7, 4)] * 3, (0, 3), 3),
        ("sum(X)[1] / n", [Q(7, 12)] * 3, (0, 1), 1),
        (f"max(X[m][1] {ALL}) - min(X[m][1] {ALL})", [Q(3, 4)] * 3, (-1, 1), 2),
        (f"sorted(X[m][1] {ALL})[2]", [Q(1, 2)] * 3, (0, 1), 1),
        ("sum(X[j])", [Q(1, 4), Q(5, 4), Q(9, 8)], (0, 2), 2),
        ("max(X[j])", [Q(1, 4), Q(3, 4), 1], (0, 1), 1),
        ("max(X[j][1], 1/2)", [Q(1, 2), Q(1, 2), 1], (Q(1, 2), 1), 1),
        ("|X[j][1] - 1/2|", [Q(1, 4), 0, Q(1, 2)], (0, Q(1, 2)), 1),
        ("1 - X[j][1] * X[j][1] + (-X[j][1])", [Q(11, 16), Q(1, 4), -1], (-1, 1), 3),
        ("X[j][1]^3 * (X[j][2] - 2)", [Q(-1, 32), Q(-5, 32), Q(-15, 8)], (-2, 0), 7),
        ("dot(X[j], [2, -1])", [Q(1, 2), Q(1, 4), Q(15, 8)], (-1, 2), 3),
        ("sum(c[1] * c[2] for c in X) if d = 2 else 0", [Q(1, 2)] * 3, (0, 3), 6),
        ("count(X[m] != X[j] for m in 1..n)", [2] * 3, None, None),
        ("1 if X[j][1] > 1/3 else 0", [0, 1, 1], None, None),
        ("X[j][1]^0", [1] * 3, (1, 1), 0),
        ("weight * X[j][1]", [Q(1, 4), Q(1, 2), 1], (0, 1), 1),
        ("1 if X[j] = X[j] else 0", [1] * 3, None, None),
        ("1 if X[j] = [1] else 0", [0] * 3, None, None),
        ("len([X[j][1], ..., X[j][1]])", [1] * 3, None, None),
        ("sorted([X[j]])[1][1]", [Q(1, 4), Q(1, 2), 1], None, None),
        ("X[j][1] mod (1/3)", [Q(1, 4), Q(1, 6), 0], None, None),
        ("[3, 5, 7, 9, 11][1 + 4 * X[j][1]]", [5, 7, 11], None, None),
        ("max(X[m] for m in 1..n if X[m] != X[j])", None, None, None),
    ],
)
def test_values_ranges_and_constants(entry, values, of, L):
    text = f"f(j) = [{entry}, 0]"
    if values is None:
        for read in (lambda: Target(text, Sizes(2, 3, 4)).f(X), lambda: list(checked(text))):
            with pytest.raises((BadTarget, Unreadable)):
                read()
        return
    f = read_twice(text)
    assert f.f(X)[0] == tuple(values)
    assert (None if f.range is None else f.range[0]) == of
    assert (None if f.lipschitz is None else f.lipschitz[0]) == L


def checked(text, positional=False):
    return Checked(text, 2, 3, 4, positional=positional).values([[[fraction(x) for x in row] for row in X]])


def test_lines_and_positions():
    f = read_twice("half(a) = a / 2\nmean = sum(X) / n\nf(j) = [half(e) for e in X[j]] - mean")
    assert f.f(X)[1][0] == Q(-7, 24)
    assert f.lipschitz == (Q(3, 2),) * 2
    f = read_twice(f"f(j) = [X[3][1] + 0 * X[j][1], sorted(X[m][2] {ALL})[j]]", positional=True)
    assert f.f(X) == ((1, 1, 1), (0, Q(1, 8), Q(3, 4)))


PLACES = "the order of the columns; write X[j], or X[m] for m in 1..n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it is empty; an example is 'f(j) = X[j][1] * sum(X) / n'"),
        ("g(j) = X[j]", "it doesn't define f(j), column j of the output"),
        ("f(j, k) = X[j]", "it doesn't define f(j)"),
        ("f = X", "it doesn't define f(j)"),
        ("f(j) = X[j][1]", "f(1) must be a list of d = 2 numbers"),
        ("f(j) = [1, true]", "line 1, column 8: a number and a truth"),
        ("f(j) = [1]", "f(1) must be a list of d = 2 numbers"),
        ("f(j) = foo(X[j])", "line 1, column 8: there is no function foo"),
        ("a = 1\nf(j) = X[j] *", "line 2, column 14: expected a number"),
        ("f(j) = X[j] / X[j][1]", "line 1, column 19: a divisor must follow from the sizes"),
        ("f(j) = X[j] / 0", "line 1, column 15: a division by 0"),
        ("f(j) = [X[j][3], 0]", "line 1, column 13: index 3: the list runs from 1 to 2"),
        ("f(j) = 0.5 * X[j]", "line 1, column 8"),
        (
            "f(j) = X[1]",
            "line 1, column 8: X stands here alone, or at a place of its own, so that the target may",
        ),
        ("f(j) = X[n]", PLACES),
        ("f(j) = j * X[j]", "line 1, column 8: the place j stands here as a number"),
        ("f(j) = X[n + 1 - j]", PLACES),
        ("f(j) = sum(m * X[m] for m in 1..n)", "the place m stands here as a number"),
        ("f(j) = sum(X[m] for m in 1..2)", PLACES),
        ("f(j) = sum(X[m] for m in 2..n)", PLACES),
        ("f(j) = [X[m][1] for m in 1..n][1] * X[j]", PLACES),
        ("f(j) = sorted([X[m] for m in 1..n])[1]", PLACES),
        ("f(j) = sum([X[m] for m in 1..n])", PLACES),
        ("first = X[1]\nf(j) = first", "line 1, column 9: X stands"),
        ("its(k) = X[k]\nf(j) = its(1)", "line 1, column 10: X stands"),
        ("f(j) = its(j)\nits(k) = k * X[k]", "line 2, column 10: the place k stands"),
        ("l[k] = X[k] for k in 1..n\nf(j) = l[j]", "line 1, column 8"),
        ("f(j) = sum(X[m] for m in 1..n if m < j)", "the place m stands"),
        ('f(j) = X[j]\nclaim a, own, "a", once:\n  "b"\n  1 = 1', "definitions alone make a target"),
        ("f(j) = X[j]\ninputs Z in other: list [1]", "definitions alone make a target"),
        ("f(j) = X[j]\n```page", "without ```"),
        ("use nowhere: a\nf(j) = X[j]", "there is no such page"),
    ],
)
def test_refusals(text, why):
    with pytest.raises(BadTarget) as error:
        Target(text, Sizes(2, 3, 4))
    assert why in str(error.value)
    assert "\n" not in str(error.value)
    with pytest.raises(Unreadable):
        list(checked(text))


@pytest.mark.parametrize(
    "text",
    [
        "f(j) = sum(X[m] for m in 1..n if m != j)",
        "f(j) = its(j)\nits(k) = X[k] - sum(X) / n",
        f"f(j) = [sum(sorted(X[m][1] {ALL})[k] * k for k in 1..n), 0]",
        "f(j) = [max(sum(its(k)) for k in 1..n), 0]\nits(k) = X[k]",
        "f(j) = [sum(dot(X[m], X[p]) for m in 1..n), 0]\np = 1".replace("X[p]", "X[j]"),
        "f(j) = [len(X[m] for m in 1..n if X[m] = X[j]), distinct(c for c in X)]",
    ],
)
def test_what_commutes_with_permutations(text):
    f = read_twice(text)
    for order in permutations(range(3)):
        moved = from_columns(tuple(columns_of(X)[j] for j in order))
        assert read_twice(text, moved).f(moved) == from_columns(tuple(columns_of(f.f(X))[j] for j in order))


def test_what_is_used_of_other_pages_is_written_into_the_target():
    f = Target("use recipes: clip\nf(j) = [clip(1/2, X[j][1]), 0]", Sizes(2, 3, 4))
    read_twice(f.text)
    assert f.f(X)[0] == (Q(1, 4), Q(1, 2), Q(1, 2))
    assert "clip(" in f.text.split("# used of recipes:")[1]


def test_a_target_that_takes_too_long(monkeypatch):
    text = "f(j) = [sum(sum(X[j][1] * a for a in 1..900) for b in 1..900), 0]"
    monkeypatch.setattr("verifier.build.target.MOST_STEPS", 100_000)
    monkeypatch.setattr("verifier.checker.build.target.STEPS", 100_000)
    with pytest.raises(BadTarget) as error:
        Target(text, Sizes(2, 3, 4))
    assert error.value.kind == "limit"
    with pytest.raises(OverLimit):
        list(checked(text))


LEAVES = st.sampled_from(["X[j][1]", "X[j][2]", "0", "1", "1/3", "5/2", "sum(X)[1]"])


def wider(inner):
    return st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from("+-*"), inner),
        st.builds("{}({}, {})".format, st.sampled_from(["max", "min"]), inner, inner),
        st.builds("sorted([{}, 1, {}])[{}]".format, inner, inner, st.integers(1, 3)),
        st.builds("{}(g{}(m) for m in 1..n)".format, st.sampled_from(["max", "min", "sum"]), st.sampled_from("12")),
        st.builds("|{}|".format, inner),
        st.builds("(-{}^2)".format, inner),
    )


EXPRESSIONS = st.recursive(LEAVES, wider, max_leaves=5)
ENTRY = st.integers(0, 8).map(lambda k: Q(k, 8))
MATRIX = st.tuples(*[st.tuples(ENTRY, ENTRY, ENTRY)] * 2)


@given(EXPRESSIONS, MATRIX, MATRIX)
def test_range_and_constant_hold(entry, X, Y):
    f = read_twice(f"g1(k) = X[k][1] * X[k][2]\ng2(k) = X[k][1] - 2 * X[k][2]\nf(j) = [{entry}, 1]", X)
    far = max(abs(x - y) for row, other in zip(X, Y, strict=True) for x, y in zip(row, other, strict=True))
    for row, other, (low, high), L in zip(f.f(X), f.f(Y), f.range, f.lipschitz, strict=True):
        assert all(low <= value <= high for value in row)
        assert all(abs(a - b) <= L * far for a, b in zip(row, other, strict=True))


def test_the_constant_is_attained():
    """x times the mean, at (1, 1) and a little less: L = 2 can't be smaller."""
    f, h = Target("f(j) = X[j][1] * sum(X) / n", Sizes(1, 2, 4)), Q(1, 1000)
    (at,), (near,) = f.f(((Q(1), Q(1)),)), f.f(((1 - h, 1 - h),))
    assert f.lipschitz == (2,)
    assert abs(at[0] - near[0]) / h == 2 - h

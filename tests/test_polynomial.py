"""The symbolic checker's polynomials, index expressions and ranges: compared with numbers, and with what is by hand."""

import random
from itertools import product
from math import prod
from pathlib import Path

import pytest

from verifier.checker.core.comparing import OverLimit
from verifier.checker.core.reading import Unreadable
from verifier.checker.symbolic import polynomial, proof
from verifier.checker.symbolic.polynomial import (
    Work,
    bounds,
    follows,
    formula,
    index,
    index_text,
    instance,
    moved,
    pinned,
    places,
    read,
    replace,
    size,
    text,
)

# Each is how a polynomial is written, and how Python computes it.
WRITTEN = {
    "0": "0",
    "7": "7",
    "-7": "-7",
    "B": "B",
    "-B": "-B",
    "B - 1": "B - 1",
    "-B*o + 12": "12 - B*o",
    "-B*o + 2*B^2 - 3*B + o + 1": "2*B**2 - B*o - 3*B + o + 1",
    "B^2*o^11 + B^10 - h1*k[j+1]": "B**10 + B**2*o*o**2*o**4*o**4 - h1*k[j+1]",
    "-B^2 - 10*B - 100": "-100 - B**2 - 10*B",
    "P[n-1]*k[3] + P[n]*k[-1] + j": "j + k[3]*P[n-1] + P[n]*k[-1]",
}


def value(p, of):
    """A polynomial where each atom has a value."""
    return sum(c * prod(of[name] ** exponent for name, exponent in monomial) for monomial, c in p.items())


@pytest.mark.parametrize("words", WRITTEN)
def test_a_polynomial_is_read_as_it_is_written_and_computed(words):
    p, draw = read(words, "here"), random.Random(1)  # noqa: S311
    assert text(p) == words
    sequence = {k: draw.randint(2, 99) for k in range(-1, 7)}
    letters = {"B": 17, "o": 5, "h1": 11, "j": 4, "n": 6}
    atoms = letters | {"k[j+1]": sequence[5], "k[-1]": sequence[-1], "k[3]": sequence[3]}
    atoms |= {"P[n]": 2 * sequence[6], "P[n-1]": 2 * sequence[5]}
    doubled = {k: 2 * v for k, v in sequence.items()}
    python = eval(WRITTEN[words], letters | {"k": sequence, "P": doubled})  # noqa: S307
    assert value(p, atoms) == python


@pytest.mark.parametrize(
    "words",
    ["", " ", "+ 1", "- 1", "-", "--1", "-0", "01", "1 + 1", "1 - 0", "o*N", "B*B", "B^1", "B^0", "B^01", "2*1", "1*B",
     "0*B", "*B", "B*", "2*", "B +1", "B - ", "B  + 1", "(B)", "k[j+0]", "k[-0]", "k[q]", "k[]", "\u00b2*B", "B + o^2",
     "o + B", "9" * 1001, "9" * 5000],
)  # fmt: skip
def test_what_is_not_written_so_is_no_polynomial(words):
    with pytest.raises(Unreadable):
        read(words, "here")


def test_the_largest_of_a_polynomial():
    assert text(read("9" * 1000, "here")) == "9" * 1000
    for largest, larger in (("B^50", "B^51"), ("B^49*o", "B^49*o^2")):
        assert text(read(largest, "here")) == largest
        with pytest.raises(OverLimit, match="here: a term of degree 51, more than 50"):
            read(larger, "here")


@pytest.mark.parametrize(
    ("words", "computed"),
    [
        ("2 * N - (-3)", "2*N + 3"),
        (" (B - 1)^2 * (-o)", "-B^2*o + 2*B*o - o"),
        ("k[j + 1] - k[-1] + (B - B)", "-k[-1] + k[j+1]"),
        ("N*(p[e-1] + N) - N*N", "N*p[e-1]"),
    ],
)
def test_a_formula_of_the_table(words, computed):
    assert text(formula(words)) == computed


@pytest.mark.parametrize("words", ["B^o", "B^0", "B^51", "B/2", "f(B)", "B if o else 1", "1.5", "", "k[2*j]", "k[i+j]"])
def test_no_formula(words):
    with pytest.raises(Unreadable):
        formula(words)


def test_an_atom_replaced():
    p, by = formula("B^2*B*o - 5*B^2 + 2*B*o + o - 9"), formula("N - 2*o + 3")
    for N, o in product(range(-3, 4), repeat=2):
        assert value(replace(p, "B", by), {"N": N, "o": o}) == value(p, {"B": N - 2 * o + 3, "o": o})
    assert replace(p, "k[1]", by) == p
    assert replace({}, "B", by) == {}


def test_what_replacing_costs():
    """B^2 o + 3 has 2 atoms and 2 terms, N + 1 has 1 and 2; by Horner's rule o, then o N + o, then the whole.

    4 to look at it; 2 * 2 + 1 * 3 for o times N + 1; 5 * 2 + 2 * 3 for o N + o times N + 1.
    """
    p, by = formula("B^2*o + 3"), formula("N + 1")
    assert (size(p), size(by), size(formula("o*N + o"))) == (4, 3, 5)
    work = Work(4 + 7 + 16)
    assert text(replace(p, "B", by, work)) == "N^2*o + 2*N*o + o + 3"
    assert work.left == 0
    with pytest.raises(OverLimit):
        replace(p, "B", by, Work(4 + 7 + 16 - 1))


INDICES = {"0": ("", 0), "3": ("", 3), "-12": ("", -12), "j": ("j", 0), "n-1": ("n", -1), "e+9999": ("e", 9999)}


@pytest.mark.parametrize("words", INDICES)
def test_an_index(words):
    assert index(words) == INDICES[words]
    assert index_text(INDICES[words]) == words


@pytest.mark.parametrize("words", ["", "q", "j+0", "j+01", "-0", "jj", "j+", "10000", "+1", "j+1+1"])
def test_no_index(words):
    with pytest.raises(Unreadable, match="is no index"):
        index(words)


def test_indices_put_in_the_place_of_others():
    at = {"j": ("m", -1), "i": ("", 4), "k": ("n", 0)}
    assert [moved(place, at) for place in (("j", 3), ("i", -1), ("n", 2), ("", 5))] == [
        ("m", 2),
        ("", 3),
        ("n", 2),
        ("", 5),
    ]
    assert places(bounds("i<=j<=n+2"), at) == bounds("4<=m-1<=n+2")
    p = formula("t[j+1]*j^2 - k[i]*n + w[3] + i")
    assert text(instance(p, at, ["t"])) == text(formula("t'[m]*(m - 1)^2 - k[4]*n + w[3] + 4"))


@pytest.mark.parametrize(
    ("range_", "same"),
    [
        ("n<=m<=n", {"m": "n"}),
        ("1<=d<=1, 2<=n<=2", {"d": "1", "n": "2"}),
        ("n-1<=m<=n-1", {"m": "n-1"}),
        ("1<=m<=n", {}),
        ("1<=m, m<=1, 2<=n", {"m": "1"}),
        ("1<=j<=1", {}),  # of these letters alone
        ("j<=m<=j", {}),
        ("n<=m+1<=n", {}),
        ("1<=d+1<=1", {}),
    ],
)
def test_what_a_range_pins(range_, same):
    assert pinned(bounds(range_)) == {name: index(words) for name, words in same.items()}


@pytest.mark.parametrize(
    ("wanted", "known", "so"),
    [
        ("i<=i", "", True),
        ("i+1<=i", "", False),
        ("i<=j", "", False),
        ("i<=j", "i<=j", True),
        ("i<=j-1", "i<=j", False),
        ("i+2<=j", "i+1<=j-1", True),
        ("i+2<=j-1", "i+1<=j-1", False),
        ("j<=i", "i<=j", False),
        ("i<=m", "j<=m, i<=j", True),
        ("1<=n", "m<=n, j<=m, i<=j, 1<=i", True),  # each step known only after the one that stands behind it
        ("2<=n", "m<=n, j<=m, i<=j, 1<=i", False),
        ("4<=n", "m+1<=n, j+1<=m, i<=j-1, 1<=i", True),
        ("5<=n", "m+1<=n, j+1<=m, i<=j-1, 1<=i", False),
        ("i<=n", "i<=n+2, i<=n, i<=n+1", True),  # the nearest of three
        ("i<=n-1", "i<=n+2, i<=n, i<=n+1", False),
        ("i<=n-1", "i<=j+1, j<=n, i+1<=n", True),
        ("1<=3", "i<=j", True),
        ("3<=1", "i<=j", False),
        ("3<=1", "3<=i, i<=1", True),
        ("n<=5", "2<=n", False),
    ],
)
def test_what_follows_from_a_range(wanted, known, so):
    (one,) = bounds(wanted)
    assert follows(one, bounds(known)) is so


def test_what_follows_is_so_at_all_numbers():
    """Of 60 ranges in i, j, n: what follows holds wherever the range does; what doesn't fails somewhere in a box."""
    draw, seen = random.Random(3), set()  # noqa: S311
    for _ in range(60):
        pair = lambda: tuple((letter, draw.randint(-1, 1)) for letter in draw.sample(["", "i", "j", "n"], 2))  # noqa: E731
        known, wanted = tuple(pair() for _ in range(draw.randint(1, 4))), pair()
        box = [dict(zip(("i", "j", "n", ""), (*at, 0), strict=True)) for at in product(range(-6, 7), repeat=3)]
        holds = lambda bound, at: at[bound[0][0]] + bound[0][1] <= at[bound[1][0]] + bound[1][1]  # noqa: E731
        there = [at for at in box if all(holds(bound, at) for bound in known)]
        if there:
            assert follows(wanted, known) is all(holds(wanted, at) for at in there)
            seen.add(follows(wanted, known))
    assert seen == {True, False}


def test_the_page_has_the_limits():
    page = " ".join((Path(__file__).parent.parent / "proofs/SYMBOLIC.md").read_text().split())
    steps, degree = proof.MOST_STEPS, polynomial.MOST_DEGREE
    assert f"most {steps} steps of `use` and {steps} of `replace`, a term of `sum` at most degree {degree}" in page
    assert f"ours at {polynomial.MOST_PRODUCTS:,} products of atoms in a file" in page
    assert f"a number from 2 to {proof.MOST_N} in decimal" in page

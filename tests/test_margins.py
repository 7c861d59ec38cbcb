"""The table of margins of the site: what runs found is what the closed forms say."""

import sys
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "docs"))

import margins

from verifier.catalogue import pages
from verifier.page import Page


def parity(x, n):
    """The least of the two values of |out|, by hand: each mark k/N is 1/N, seen with x or 1/x, E and O of each sign."""
    many = n + 1
    even, odd = Fraction(many + 1, 2) // 1, many // 2
    plus, minus = even * x + odd / x, even / x + odd * x
    return (x * x - 1 / (x * x)) / (many * plus * minus) * odd


def test_the_table_is_what_the_closed_forms_say(monkeypatch):
    monkeypatch.setattr(margins, "LENGTHS", range(1, 6))
    found = margins.margins()
    for x in (Fraction(5), Fraction(2), Fraction(11, 10)):
        assert found[f"PARITY, x = {x}"] == [parity(x, n) for n in range(1, 6)]
    assert found["FIRST, x = 2"] == [Fraction(2, 2 * (2 + n)) for n in range(1, 6)]
    assert found["FIRST, x = N"] == [Fraction(n + 1, 2 * (2 * n + 1)) for n in range(1, 6)]
    assert all(a > b for each in found.values() for a, b in pairwise(each))


def test_a_margin_of_a_claim_that_fails_is_none():
    with pytest.raises(ValueError, match=r"palin.zero is refuted at n = 2"):
        margins.margin(Page.file(pages()["palindrome"]), "palin.zero", 2, {"top": 2, "bottom": 1, "tail": 0})


def test_the_picture_has_a_line_for_each_and_the_table_a_column(monkeypatch):
    monkeypatch.setattr(margins, "LENGTHS", range(1, 3))
    made = margins.made()
    assert made.count("<polyline") == len(margins.ROWS) == made.count("| PARITY") + made.count("| FIRST")
    assert made.splitlines()[-1].startswith("| 2 | 1/6 |")

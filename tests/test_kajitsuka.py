"""What the findings say of Lemma 1 of Kajitsuka and Sato, by e^x in Fractions. The page has a test of its own."""

import re
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path

PROOFS = Path(__file__).parent.parent / "proofs"


# e^x by its series in Fractions, with the rest bounded; no rounding anywhere.


def exp(x, terms):
    """e^x for x >= 0 between two Fractions."""
    total, term = Fraction(0), Fraction(1)
    for k in range(1, terms + 1):
        total += term
        term = term * x / k
    assert terms > 2 * x  # so that each further term is at most half the one before
    return total, total + 2 * term


def boltz(entries, terms):
    powers = [exp(a - min(entries), terms) for a in entries]
    low = sum(a * p[0] for a, p in zip(entries, powers, strict=True)) / sum(p[1] for p in powers)
    high = sum(a * p[1] for a, p in zip(entries, powers, strict=True)) / sum(p[0] for p in powers)
    return low, high


def least_ratio(entries):
    """Between which two numbers (log 2)^2 e^(-2r) goes into the least distance of boltz of two pairs of entries."""
    values = sorted(boltz(pair, 120) for pair in combinations(entries, 2))
    least = min((c - b, d - a) for (a, b), (c, d) in pairwise(values))
    log_2 = Fraction(69314718, 10**8), Fraction(69314719, 10**8)
    powers = exp(2 * max(map(abs, entries)), 200)
    return least[0] * powers[0] / log_2[1] ** 2, least[1] * powers[1] / log_2[0] ** 2


def test_how_much_room_lemma_1_has_and_how_little_with_both_signs():
    """Findings, 1: the distances are those of the positive entries, and e^(-2r) is larger."""
    edge = Fraction(43863, 10**4)
    assert edge - Fraction(1, 10**4) < 3 + 2 * Fraction(69314718, 10**8) < edge
    for entries, low, high in [
        ((5, 10, 15), 73 * 10**10, 74 * 10**10),
        ((-5, 0, 5), 1513, 1514),
        ((edge, 2 * edge, 3 * edge), 29 * 10**9, 30 * 10**9),
        ((-edge, 0, edge), 706, 707),
    ]:
        found = least_ratio([Fraction(a) for a in entries])
        assert low < found[0] <= found[1] < high


def test_the_numbers_that_the_page_has_by_hand():
    """As they are cut there."""
    page = " ".join((PROOFS / "findings/kajitsuka2024.md").read_text().split())
    with localcontext(prec=40):
        log_2, one = Decimal(2).ln(), Decimal(1)
        s = 2 * log_2 + 3
        assert abs(s.exp() - 4 * Decimal(3).exp()) < Decimal("1e-30")
        below = lambda t: t / (1 + t.exp())  # noqa: E731
        for words, value in [
            ("s/(1 + e^s) - 2s/(1 + e^(2s)) = ", below(s) - below(2 * s)),
            ("(log 2)^2 e^(-2s) = ", log_2**2 / (2 * s).exp()),
            ("1 - 1/(1 + e) = ", 1 - below(one)),
            ("1 - 2/(1 + e^2) = ", 1 - below(2 * one)),
            ("(log 2)^2 e^(-2) = ", log_2**2 / Decimal(2).exp()),
            ("(3, 5/2) and (3, 1/2) have the values `3 - ", below(one / 2)),
            ("and `3 - ", below(5 * one / 2)),
            ("(log 2)^2 e^(-6) = ", log_2**2 / Decimal(6).exp()),
        ]:
            (digits,) = re.findall(re.escape(words) + r"([\d.]+)\.\.\.", page)
            assert format(value, "f").startswith(digits)
        # so that both pairs of pairs are nearer than the bound, and t/(1 + e^t) is largest at 1.278...
        assert (1 - below(2 * one)) - (1 - below(one)) < log_2**2 / Decimal(2).exp()
        assert below(5 * one / 2) - below(one / 2) < log_2**2 / Decimal(6).exp()
        low, high = Decimal("1.278"), Decimal("1.279")
        assert low.exp() * (low - 1) < 1 < high.exp() * (high - 1)

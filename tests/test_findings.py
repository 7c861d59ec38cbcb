"""proofs/FINDINGS.md is what its template and the certificates make it, and leaves nothing refuted out."""

import json
import shutil
from fractions import Fraction as Q
from itertools import combinations, product
from math import comb, factorial
from pathlib import Path

import pytest

import positional_truth as truth
from verifier.report.findings import BadTemplate, main, render

PROOFS = Path(__file__).parent.parent / "proofs"
PAGE = (PROOFS / "FINDINGS.md").read_text()
OF_THE_PAPER = sorted((PROOFS / "certificates/paper").glob("*.json"))


def test_the_page_is_in_step_with_its_template_and_the_certificates():
    assert render(PROOFS) == PAGE


def test_every_claim_that_a_certificate_refutes_is_a_finding():
    refuted = {
        claim["id"]
        for path in OF_THE_PAPER
        for claim in json.loads(path.read_text())["claims"]
        if claim["verdict"] == "refuted"
    }
    assert len(refuted) > 10
    for claim in refuted:
        assert f"`{claim}` is **refuted**" in PAGE, claim


def test_another_verdict_makes_another_page(tmp_path):
    folder = tmp_path / "proofs"
    shutil.copytree(PROOFS, folder, ignore=shutil.ignore_patterns("coq"))
    path = folder / "certificates/paper/d1-n2-N2.json"
    document = json.loads(path.read_text())
    (claim,) = (claim for claim in document["claims"] if claim["id"] == "lemma7.map")
    claim["counterexample"]["value"] = ["1/3"]
    path.write_text(json.dumps(document))
    assert "(1/3) against (27/2)" in render(folder)
    main(folder)
    assert (folder / "FINDINGS.md").read_text() == render(folder) != PAGE


@pytest.mark.parametrize(
    "line", [":: lemma7.map", ":: lemma6.1 certificates/paper/d1-n2-N2.json", ":: tables", ":: sizes lemma6.1"]
)
def test_a_template_that_asks_for_what_no_certificate_says(tmp_path, line):
    folder = tmp_path / "proofs"
    shutil.copytree(PROOFS, folder, ignore=shutil.ignore_patterns("coq"))
    (folder / "findings.in.md").write_text(line + "\n")
    with pytest.raises(BadTemplate):
        render(folder)


# The numbers by hand of sections 6, and 12 to 14, once more in plain fractions.

INSTANCES = [(d, n, N) for d in (1, 2, 3) for n in (2, 3, 4) for N in (2, 3, 4)]


def says(words):
    assert words in PAGE, words


def test_positional_encodings_fold_the_plane_so_that_no_network_is_near():
    """X' + E is X + E with its columns exchanged; X' lies outside the cube if X lies in it, for E = (0, 1)."""
    E = (0, 1)
    for X in product([Q(k, 5) for k in range(6)], repeat=2):
        folded = X[1] + E[1] - E[0], X[0] + E[0] - E[1]
        assert (folded[0] + E[0], folded[1] + E[1]) == (X[1] + E[1], X[0] + E[0])
        assert 1 <= folded[0] <= 2
        assert -1 <= folded[1] <= 0
    here, there = (truth.run(1, 2, 2, ((a,), (b,)))[2] for a, b in [(0, 3), (3, 0)])
    assert here == there[::-1] == [2 * 147, 297]
    says("X + E = (0, 3/2) has the keys 147 and 297/2, and X' + E = (3/2, 0) has 297/2 and 147")


def test_a_constant_misses_a_unit_slope_by_more_than_the_wanted_error():
    delta, epsilon = Q(1, 100), Q(1, 1000)
    assert delta**3 == epsilon**2
    mean_square = 2 * (delta / 2) ** 3 / 3 / delta
    assert mean_square == delta**2 / 12 == Q(1, 120000) > epsilon**2 == Q(1, 1000000)
    says("delta = 1/100, and delta^2/12 = 1/120000 > 1/1000000 = epsilon^2")


def test_the_first_shift_passes_every_level_and_not_only_every_id():
    for d, _, N in INSTANCES:
        delta, B = Q(1, N), N**d
        assert B * delta > delta * (B - 1)
    first, second, again = truth.run(1, 2, 2, ((1,), (2,)))[3]  # App. C: beyond l_n = 2, and on the last level, 3
    assert (first, second, again) == ([1], [2], [1])
    says("l~_1 >= delta^-d (l_n - l_1) >= delta^-d delta > delta (delta^-d - 1), the last")


def lower(d, n, N):
    return Q(N ** ((n - 1) * d) * (N**d - 1), N)


def upper(d, n, N):
    return Q(N ** (n * d) * (N**d - 1) - (N**d - 1) ** 2, N)


def test_the_upper_end_of_property_3_is_t_r_at_two_columns_and_below_it_at_more():
    for d, n, N in INSTANCES:
        end = N ** ((n + 1) * d) * upper(d, n, N) + Q(N ** ((n + 1) * d), N)
        t_r = Q(N ** ((2 * n + 1) * d) * (N**d - 1), N)
        assert (end == t_r) if N**d == 2 else (end < t_r)
        t_l, misread = (Q(N ** (power * d) * (N**d - 1), N) for power in (2 * n, n + 1))
        assert misread < t_l
    says("at (1, 2, 2) 8 (4/2 - 1/2) + 4 = 16")


def test_the_bound_of_category_2_covers_one_distinct_column():
    for d, n, N in INSTANCES:
        largest_id, step = Q(N**d - 1, N), Q((N**d - 1) ** 2, N)
        assert largest_id == upper(d, 1, N) <= lower(d, n, N) - step
        assert (largest_id == lower(d, n, N) - step) == (n == 2)


def test_an_id_of_zero_is_shifted_like_a_positive_one():
    """[-4, 0] at (1, 2, 2): level 0 adds 2 (0 + 4), the global shift 8 . 8."""
    after = 0 + 2 * (0 - -4)
    assert (after, after + 2**3 * after) == (8, 72)
    says("to 8, and q_2 = 8 + 8 . 8 = 72 > 16")


def test_four_relus_cannot_follow_a_slope_on_the_left_without_a_constant_piece():
    """Left of all breaks the slope is minus the sum of the changes at the breaks whose ReLU looks left."""
    for epsilon in (Q(1, 8), Q(1, 3)):
        changes = [1 / epsilon, -1 / epsilon] * 2
        sums = {-sum(chosen) for size in range(5) for chosen in combinations(changes, size)}
        assert 0 in sums  # a constant piece on the left is no obstacle
        assert 1 not in sums


def test_orbits_are_more_than_matrices_over_n_factorial():
    assert (comb(3, 2), Q(2**2, factorial(2))) == (3, 2)
    for d, n, N in INSTANCES:
        assert comb(N**d + n - 1, n) > Q(N ** (d * n), factorial(n))


def test_the_first_shift_of_hu_et_al_is_less_than_they_say():
    """Published: l~_1 >= (n-1) delta^-d+1 / (1 - delta) + delta^-d+1. False at (1, 2, N), context (1 - delta, 1)."""
    for N in (2, 3, 4, 7):
        delta = Q(1, N)
        published, shifted = 1 / (1 - delta) + 1, 1 - delta + N * (1 - (1 - delta))
        assert 1 < shifted < published
        a, b = delta / (delta - 1), -delta / (1 - delta)
        assert a == b < 0 < delta / (1 - delta)
        if N == 2:
            assert (shifted, published) == (Q(3, 2), 3)
    says("l~_1 = 1/2 + 2 . 1/2 = 3/2")


def test_not_every_delta_above_zero_makes_a_grid():
    delta = Q(2, 5)
    assert 1 - delta == Q(3, 5) not in {k * delta for k in range(10)}

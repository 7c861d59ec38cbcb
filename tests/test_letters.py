"""The letters to authors: a page each, of the version that is named, and every number of them redone.

Nothing of the project computes here: layers are written out once more, in fractions, for one row (d = 1).
"""

import re
from decimal import Decimal, localcontext
from fractions import Fraction as Q
from itertools import product
from pathlib import Path

import pytest

import bigbird_truth as bigbird
import pages

LETTERS = {path.stem: path.read_text() for path in (Path(__file__).parent.parent / "proofs/findings/letters").iterdir()}
READ = {
    "bigbird2020": "in version 2 on arXiv (2007.14062, 8 January 2021)",
    "hu2024": "as in the proceedings of NeurIPS 2024",
    "ngrams": "as in version 3 on arXiv (2404.14994, 20 June 2024), in two conversions to text",
    "steps": "arXiv:2310.07923, in two conversions to text",
    "succinct": "in version 3 on arXiv (2510.19315), in two conversions to text",
    "yun2020": "**All of this is of the submission**",
}


def plain(text):
    return " ".join(text.split())


def says(name, words):
    assert plain(words) in plain(LETTERS[name]), words


def test_each_is_a_page_and_says_which_text_was_read():
    assert set(LETTERS) == set(READ)
    for name, letter in LETTERS.items():
        lines = letter.splitlines()
        assert len(letter.split()) <= 810, name
        assert max(len(line) for line in lines if not line.startswith(("$ ", "succ."))) <= 100, name
        assert lines[0].startswith("# To ")
        assert READ[name] in plain(letter.partition("\n\n")[2])[:500], name
        assert len(re.findall(r"^\$ verify ", letter, re.MULTILINE)) == 1, name


def test_what_rests_on_an_unclear_character_or_is_right_in_print_is_not_sent():
    letter = plain(LETTERS["yun2020"])
    for words in ("delta^(d/p)", "p-th root", "Prop. 4", "Proposition 4", "Lemma 8", "1_n"):
        assert words not in letter, words


@pytest.mark.slow
@pytest.mark.parametrize("name", READ)
def test_its_command_does_what_it_says(name, tmp_path):
    assert pages.differences(LETTERS[name], tmp_path) == []


def test_what_is_worked_out_by_hand():
    for name in ("bigbird2020", "hu2024", "yun2020"):  # the numbers of the others are redone below
        found = pages.equations(LETTERS[name])
        assert len(found) >= 4, name
        for line in found:
            assert len({pages.number(side) for side in line.split("=")}) == 1, f"{name}: {line}"


# Heads and sweeps on ids, d = 1.


def head(x, b):
    """The hardmax head with the threshold b: a mean over the ids of largest score."""
    read = []
    for own in x:
        scores = [other * (own - b) for other in x]
        best = [other for other, score in zip(x, scores, strict=True) if score == max(scores)]
        read.append(sum(best, Q(0)) / len(best))
    return read


def swept(x, levels, delta, factor):
    """What the levels make of ids, and how often they changed them."""
    shifts = 0
    for level in levels:
        low, high = head(x, level - delta / 2), head(x, level + delta / 2)
        after = [own + factor * (a - b) for own, a, b in zip(x, low, high, strict=True)]
        x, shifts = after, shifts + (after != x)
    return x, shifts


HALF = Q(1, 2)


def test_the_target_that_is_moved_on():
    """Yun et al., 1."""
    x, _ = swept([Q(0), HALF], [Q(0), HALF], HALF, 2)
    assert x == [1, Q(3, 2)]
    keys = [own + 8 * read for own, read in zip(x, head(x, Q(0)), strict=True)]
    assert keys == [13, Q(27, 2)]
    targets, Z = [Q(27, 2), Q(0)], list(keys)
    for key, target in zip(keys, targets, strict=True):
        Z = [z + (target - key) * (-HALF / 2 <= z - key < HALF / 2) for z in Z]
    assert Z == [0, 0] != targets
    assert [keys[1] - HALF / 2, keys[1] + HALF / 2] == [Q(53, 4), Q(55, 4)]
    D, Z = 16, list(keys)  # the repair: every target less D is -1 or less
    for key, target in zip(keys, targets, strict=True):
        Z = [z + (target - D - key) * (-HALF / 2 <= z - key < HALF / 2) for z in Z]
    assert [z + D * (z < -HALF) for z in Z] == targets
    assert max(targets) - D <= -1
    says("yun2020", "So g_c(L) = (13, 27/2)")
    says("yun2020", "to both: (0, 0), not (27/2, 0)")


def test_the_order_that_is_not_kept():
    """Yun et al., 2, and Hu et al., 7: one context for each N at (1, 2), and none at (1, 3)."""
    for n, N in [(2, 2), (2, 3), (2, 4), (3, 2), (3, 3)]:
        delta, entries = Q(1, N), range(N)
        levels = [j + Q(k, N) for j in range(n) for k in entries]
        wrong = []
        for ks in product(entries, repeat=n):
            L = [j + Q(k, N) for j, k in enumerate(ks)]
            x, shifts = swept(L, levels, delta, N)
            if x != sorted(x) or shifts != n:
                wrong.append((L, shifts))
        assert wrong == ([([1 - delta, 1], 3)] if n == 2 else [])
    assert swept([HALF, Q(1)], [0, HALF, 1, 3 * HALF], HALF, 2) == ([Q(5, 2), 2], 3)
    says("yun2020", "Three shifts for two columns, and 5/2 > 2")
    says("hu2024", "The order of ids has one exception: (d, L) = (1, 2), G = (1 - delta, 1)")


def test_the_order_of_the_parameters():
    """Yun et al., 3: with eta for what softmax leaves, at any eps up to it, the output is -eta and not 1."""
    for eta in (Q(1, 3), Q(1, 10**6)):
        for eps in (eta, eta / 7):
            column = -1 - (0 * eta + -1 * (1 - eta))
            assert column == -eta
            assert column + max(0, column + eps) / eps - max(0, column) / eps == -eta
    assert -1 - -1 + 1 == 1
    says("yun2020", "if the ReLUs' width is eta or less, stays there")


def test_the_threshold_of_hu_et_al():
    """1 and 6, and the repair."""
    L, N = 2, 2
    x, _ = swept([Q(0), Q(1)], [0, HALF, 1, 3 * HALF], HALF, N)
    factor = L * N ** (L + 2)
    f = [own + factor * read for own, read in zip(x, head(x, Q(0)), strict=True)]
    assert (x, factor, f) == ([2, 3], 32, [98, 99])
    assert L * N ** (2 * (L + 1)) * (N - 1) == 128 > max(f)
    assert L * N ** (2 * L) * (N - 1) == factor * N ** (L - 1) * Q(N - 1, N) == 32 <= min(f)
    assert (L * N + 1, N + 1) == (5, 3)
    for size in (3, 4):  # d = 1, L = 2: from 1/delta = L + 1 on every context is below t_l
        levels = [j + Q(k, size) for j in range(L) for k in range(size)]
        contexts = ([Q(a, size), 1 + Q(b, size)] for a, b in product(range(size), repeat=2))
        largest = max(max(swept(G, levels, Q(1, size), size)[0]) for G in contexts)
        assert largest * (1 + L * size ** (L + 2)) < L * size ** (2 * (L + 1)) * (size - 1)
    says("hu2024", "from some 1/delta on (at d = 1 from L + 1 on)")


def test_the_other_numbers_of_hu_et_al():
    delta, epsilon = Q(1, 10), Q(1, 100)
    assert delta**4 == epsilon**2
    assert delta**2 / 12 == Q(1, 1200) > epsilon**2 == Q(1, 10000)
    X, E = (Q(0), HALF), (0, 1)
    other = (X[1] + E[1] - E[0], X[0] + E[0] - E[1])
    assert other == (Q(3, 2), -1)
    assert (
        [a + b for a, b in zip(X, E, strict=True)]
        == [a + b for a, b in zip(other, E, strict=True)][::-1]
        == [0, Q(3, 2)]
    )
    assert HALF + 2 * (1 - HALF) == Q(3, 2) < (2 - 1) * 1 / (1 - HALF) + 1 == 3
    says("hu2024", "delta^2/12 = 1/1200 is more than epsilon^2 = 1/10000")
    says("hu2024", "X = (0, 1/2) and X' = (3/2, -1) give X + E = (0, 3/2) and X' + E = (3/2, 0)")
    says("hu2024", "g~_1 = 1/2 + 2 . 1/2 = 3/2")


def test_the_two_contexts_of_bigbird():
    """1: every level literally, for (0), (0) and (0), (1/2); the repair by its recursion; 2, the expansion."""
    size, u = (1, 2, 2), bigbird.u(1, 2, 2)
    for second, q in [(Q(0), [0, 6]), (HALF, [0, Q(11, 2)])]:
        X = bigbird.tokens(*size, ((Q(0),), (second,)))
        assert bigbird.ids(X, u) == [4, 0, 2 + second]
        assert bigbird.run(*size, X, bigbird.sweeps(*size))[-1][1:] == q
    S, T = ([bigbird.bound(*size, k, up) for k in range(3)] for up in (0, 1))
    assert (S[0], S[1], T[1], T[2]) == (8, 22, 8, 16)
    f_1 = 0 + 2 * (4 - 0)
    F_1 = 4 + 4 * (f_1 - 2)
    f_2 = 2 + 2 * (F_1 - 2)
    F_2 = F_1 + 4 * (f_2 - f_1)
    assert (f_1, F_1, f_2, F_2, f_1 + 16 * (F_2 - f_1), f_2 + 16 * (F_2 - f_2)) == (8, 28, 54, 212, 3272, 2582)
    assert F_1 == 9 * 4 - 4 * (1 * 0 + 2)
    says("bigbird2020", "S_1 = 9 . 4 - (8 + 4) - 2 = 22, and T_1 = 9 . 4 - (8 + 4) . 2 - 4 = 8")
    says("bigbird2020", "5/2 + 2 (4 - 5/2) = 11/2, and q = (0, 11/2)")


def test_the_indicator_and_the_closed_grid_of_bigbird():
    grid, X = list(product((Q(0), HALF), repeat=2)), (Q(1, 4), Q(1, 4))
    assert sum(all(max(x - p, 0) <= HALF for x, p in zip(X, P, strict=True)) for P in grid) == 4
    assert sum(all(0 <= x - p < HALF for x, p in zip(X, P, strict=True)) for P in grid) == 1
    for N in (2, 3):
        assert 1 * 1 + N * 0 == 1 * 0 + N * Q(1, N) == 1
    says("bigbird2020", "all four P count at X = (1/4, 1/4), and f-bar is 4")


def test_the_sentinel_of_the_slides():
    sentinel = -Q(1, 4)
    x, _ = swept([sentinel, Q(0)], [Q(0)], HALF, 2)
    assert x == [0, HALF]
    assert head([sentinel, Q(0)], -Q(1, 4))[0] == -Q(1, 8)
    x, _ = swept([sentinel, Q(0)], [Q(0), HALF], HALF, 2)
    assert x == [0, Q(3, 2)]
    assert 8 <= x[1] + 8 * head(x, Q(0))[1] == Q(27, 2) < 16
    page = (Path(__file__).parent.parent / "proofs/findings/yun2020.md").read_text()
    assert "shift: `3/2 + 8 . 3/2 = 27/2`, inside `[8, 16)`" in plain(page)


def sparsemax(x):
    top = sorted(x, reverse=True)
    k = max(k for k in range(1, len(x) + 1) if 1 + k * top[k - 1] > sum(top[:k]))
    tau = Q(sum(top[:k]) - 1, k)
    return [max(t - tau, 0) for t in x]


@pytest.mark.parametrize("n", [2, 3, 4])
def test_the_index_of_the_heads(n):
    """Svete and Cotterell, 1 to 3: with h from 1 a letter too early, hard or sparse; n - 2 layers hold the history."""
    for word in product("ab", repeat=3):
        y = ["BOS"] * (n - 1) + list(word)  # y_1, ..., y_(t-1)
        t = len(y) + 1
        history = y[-1:-n:-1]

        def read(h, y=y, t=t):
            weights = sparsemax([-abs(j - (t - 1 - h)) for j in range(1, t)])
            assert weights == [j == t - 1 - h for j in range(1, t)]
            return y[t - 2 - h]

        if n < t - 1:
            assert ([read(h) for h in range(1, n)] != history) == (len(set(y[-n:])) > 1)
        assert [read(h) for h in range(n - 1)] == history
        slots = [[symbol] for symbol in y]  # after 0 layers
        for layers in range(1, n - 1):
            slots = [[s[0], *(slots[i - 1] if i else ["-"] * layers)] for i, s in enumerate(slots)]
            assert slots[-1] == y[-1 : -layers - 2 : -1]
        assert slots[-1] == history
    assert sparsemax([0, -1]) == [1, 0]


def test_the_digits_of_n_grams():
    """Svete and Cotterell, 5."""
    z = 10 * Q(11, 100) - 1 + Q(1, 1000)
    assert (z, 1000 * (z - (z - Q(1, 1000))), 1000 * (z + z - Q(1, 1000))) == (Q(101, 1000), 1, 201)
    says("ngrams", "d_1 would be 1000 (0.101 + 0.1) = 201")


def at_most(q, k, weight, other):
    """Is phi_q . phi_k - weight at most phi_q . phi_other, for a weight of 1 or 2? By squares, exactly."""
    (a, A), (b, B) = ((q * t + 1, (q * q + 1) * (t * t + 1)) for t in (k, other))
    with localcontext(prec=80):
        left = Decimal(a) / Decimal(A).sqrt() - weight
        right = Decimal(b) / Decimal(B).sqrt()
        assert left == right or abs(left - right) > Decimal(10) ** -60
        return left <= right


@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_tape_left_of_its_input(n):
    """Merrill and Sabharwal, 1: with the weight 1 the walk reads itself, with 2 a letter is read whatever h is."""
    for h in range(-6, n + 7):
        for other in range(-6, n + 7):
            assert all(at_most(h, other, 2, letter) for letter in range(1, n + 1))
    assert not any(at_most(-2, -2, 1, letter) for letter in range(1, n + 1))
    assert [at_most(-2, k, 1, -2) for k in (0, -1)] == [True, True]
    says("steps", "letter 1: (-2 . 1 + 1)/sqrt(5 . 2) = -1/sqrt(10); letter 2: (-2 . 2 + 1)/sqrt(5 . 5) = -3/5")


def test_the_seven_that_is_read():
    """Merrill and Sabharwal, 2."""
    with localcontext(prec=40):
        lost = 1 - 43 / Decimal(37 * 50).sqrt()
        f4, f5 = Decimal(1) / 1000 - 4 * Decimal(10) ** -10, Decimal(6) / 12000
        firsts = [f / (2 * f * f + 2).sqrt() for f in (f4, f5)]
        assert lost < Decimal("0.0003") < Decimal("0.00035") < firsts[0] - firsts[1]


def test_the_counter_at_its_smallest_word():
    """Bergstraesser et al., 1 and 3: at the last # of 0 t # 1 t # the bit goes from 0 to 1."""
    before, now = 0, 1
    goes_up, wraps = now == 1 and before == 0, now == 0 and before == 1
    assert (goes_up, wraps) == (True, False)
    assert not (goes_up and wraps)
    assert goes_up or wraps
    scores = [0, 0]  # of the letters before the last
    formula = [any(s > scores[i] for s in scores[:i]) for i in range(2)]
    assert formula == [False, False]

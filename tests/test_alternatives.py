"""Average attention, bilinear projections and separable convolutions, by hand, and what Section 6 says of them."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations
from math import perm

import pytest

from verifier.catalogue import all_claims
from verifier.core.exact import NotExact, Q, matrix
from verifier.papers.yun2020 import alternatives
from verifier.papers.yun2020.alternatives import AverageAttention, BProj, SepConv, drawn
from verifier.papers.yun2020.claims import section6
from verifier.papers.yun2020.contextual_map import contextual_map
from verifier.papers.yun2020.instance import Instance
from verifier.run.verify import verify


def at(*parts, claims="s6"):
    return verify(contextual_map(Instance(*parts)), claims)


def test_the_drawn_numbers():
    x_1 = 48271 * 20200426 % (2**31 - 1)
    x_2 = 48271 * x_1 % (2**31 - 1)
    (((a, b),),) = drawn((1, 2))
    assert (a, b) == (Q(x_1, 2**31 - 1), Q(x_2, 2**31 - 1))
    first, second = drawn((1, 1), (1, 1))
    assert (first, second) == (((a,),), ((b,),))


X = matrix([[1, 2, 4], [0, 1, 0]])


def test_average_attention_by_hand():
    """The mean of the columns is (7/3, 1/3); W exchanges its entries."""
    assert AverageAttention(((0, 1), (1, 0))).apply(X) == matrix(
        [[Q(4, 3), Q(7, 3), Q(13, 3)], [Q(7, 3), Q(10, 3), Q(7, 3)]]
    )


def test_a_bilinear_projection_by_hand():
    layer = BProj(W_O=((2, 0), (0, 1)), W_P=((0, 1, 0), (0, 0, 1), (1, 0, 0)))
    # X W_P has the columns 3, 1, 2 of X
    assert layer.apply(X) == matrix([[1 + 8, 2 + 2, 4 + 4], [0, 1 + 0, 0 + 1]])
    assert layer.parameters == 13


def test_a_separable_convolution_by_hand():
    layer = SepConv(W_O=((1, 1), (0, 1)), W_C=((1, 10), (1, 100)))
    assert layer.convolved(X) == matrix([[1 + 20, 2 + 40, 4 + 10], [100, 1, 0]])
    assert layer.apply(X) == matrix([[1 + 121, 2 + 43, 4 + 14], [100, 2, 0]])
    assert layer.parameters == 8


def test_no_float_becomes_a_weight_here_either():
    for make in (
        lambda: AverageAttention(((0.5,),)),
        lambda: BProj(((1,),), ((0.5,),)),
        lambda: SepConv(((1,),), ((0.5,),)),
    ):
        with pytest.raises(NotExact):
            make()


def naive_pairs(N, n):
    """d = 1, in whole numbers: (first, second, k) of consecutive contexts that share k and their sum."""
    contexts = list(combinations(range(N), n))
    found = []
    for a, one in enumerate(contexts):
        for k in one:
            later = [b for b in range(a + 1, len(contexts)) if k in contexts[b] and sum(contexts[b]) == sum(one)]
            found += [(a, later[0], k)] if later else []
    return sorted(found)


@pytest.mark.parametrize(("n", "N"), [(3, 5), (3, 6), (4, 6)])
def test_the_pairs_that_average_attention_confuses(n, N):
    g = contextual_map(Instance(1, n, N))
    contexts = list(combinations(range(N), n))
    cases = section6._pairs(g)
    whole = [[tuple(int(N * x) for x in X[0]) for X in case.pair] for case in cases]
    seen = [
        (contexts.index(one), contexts.index(other), one[case.places[0]])
        for case, (one, other) in zip(cases, whole, strict=True)
    ]
    assert seen == naive_pairs(N, n)
    assert verify(g, ["s6.average"])["s6.average"].cases == len(cases)


def test_the_first_two_contexts_that_average_attention_confuses():
    finding = at(1, 3, 5)["s6.average"]
    assert (finding.verdict, finding.cases) == ("holds", 3)
    assert finding.tightest.matrices == (matrix([[0, Q(1, 5), Q(4, 5)]]), matrix([[0, Q(2, 5), Q(3, 5)]]))


def test_where_no_two_contexts_share_a_column_and_their_sum():
    """With n = 2 the sum gives the other column; with B = 4, n = 3 the column that is missing."""
    for parts in [(1, 2, 6), (2, 2, 2), (1, 3, 4)]:
        assert at(*parts, claims=["s6.average"])["s6.average"].verdict == "vacuous"


def test_average_attention_after_a_token_wise_map_is_a_contextual_mapping():
    """Section 6 speaks of the layer alone: of k -> (n+1)^k the sum tells the whole context."""
    n, B = 3, 6
    layer = AverageAttention(((n * (n + 1) ** B,),))
    seen = [q for L in combinations(range(B), n) for q in layer.apply(matrix([[(n + 1) ** k for k in L]]))[0]]
    assert len(set(seen)) == len(seen)


def naive_sepconv(d, n, N, layers):
    """u^T of the stack, in Fractions, from the formula; a list of values for each context up to rotation."""
    W_O, W_C = drawn((d, d), (d, n - 1))
    W_O, W_C = ([[Fraction(str(w)) for w in row] for row in W] for W in (W_O, W_C))
    u = [N**i for i in range(d)]
    digits = [[Fraction(k // N**i % N, N) for i in range(d)] for k in range(N**d)]
    values = []
    for order in permutations(range(N**d), n):
        if order[0] != min(order):
            continue
        X = [[digits[k][i] for k in order] for i in range(d)]
        for _ in range(layers):
            C = [[sum(W_C[i][t] * X[i][(j + t) % n] for t in range(n - 1)) for j in range(n)] for i in range(d)]
            X = [[X[i][j] + sum(W_O[i][k] * C[k][j] for k in range(d)) for j in range(n)] for i in range(d)]
        values.append([sum(u[i] * X[i][j] for i in range(d)) for j in range(n)])
    return values


@pytest.mark.parametrize("parts", [(1, 2, 2), (1, 2, 3), (1, 3, 3), (1, 3, 4), (1, 4, 5), (2, 2, 2), (2, 3, 2)])
def test_separable_convolutions_against_the_naive_definition(parts):
    one, two = naive_sepconv(*parts, 1), naive_sepconv(*parts, 2)
    holders = {}
    for k, values in enumerate(one):
        for q in values:
            holders.setdefault(q, set()).add(k)
    shared = sum(len(who) > 1 for who in holders.values())
    apart = len({q for values in two for q in values}) == len(two) * parts[1]
    finding = at(*parts, claims=["s6.sepconv"])["s6.sepconv"]
    assert finding.cases == len(two)
    assert (finding.verdict == "holds") == (shared >= 1 and apart)
    # one layer looks at n - 1 columns, which tell the last one if B = n; two look at 2n - 3 of n
    d, n, N = parts
    assert (shared >= 1) == (N**d > n)
    assert apart == (n >= 3 or N**d == n == 2)


@pytest.mark.parametrize("parts", [(1, 2, 2), (1, 3, 4), (2, 2, 2), (2, 2, 3), (2, 3, 2)])
def test_a_bilinear_projection_tells_all_orders_apart(parts):
    d, n, N = parts
    finding = at(*parts, claims=["s6.bilinear"])["s6.bilinear"]
    assert (finding.verdict, finding.cases) == ("holds", perm(N**d, n))


@pytest.mark.parametrize("parts", [(1, 3, 4), (2, 2, 2)])
def test_a_bilinear_projection_against_the_naive_definition(parts):
    d, n, N = parts
    W_P, W_O = ([[Fraction(str(w)) for w in row] for row in W] for W in drawn((n, n), (d, d)))
    digits = [[Fraction(k // N**i % N, N) for i in range(d)] for k in range(N**d)]
    cases = all_claims()["s6.bilinear"].domain.cases(contextual_map(Instance(*parts)))
    for order, case in zip(permutations(range(N**d), n), cases, strict=True):
        expected = []
        for j in range(n):
            column = [
                digits[order[j]][i]
                + sum(W_O[i][k] * digits[order[c]][k] * W_P[c][j] for k in range(d) for c in range(n))
                for i in range(d)
            ]
            expected.append(sum(N**i * x for i, x in enumerate(column)))
        assert [Fraction(str(q)) for q in case.q] == expected


def test_weights_of_four_digits_collide_from_four_tokens_on(monkeypatch):
    """Why the drawn numbers have ten digits. At (1, 4, 5), with W_O = 5973/10007, in units of 1 / (5 . 10007^2), both
    values are 4 . 10007^2 + 5973 . 37847, from columns 2 and 4 of W_P,

    0 . 8655 + 4 . 712 + 3 . 8898 + 1 . 8305 = 2 . 4534 + 3 . 142 + 1 . 3457 + 4 . 6224 = 37847.
    """

    def four_digits():
        x = 20200426
        while True:
            x = 48271 * x % (2**31 - 1)
            yield Q(1 + x % 9973, 10007)

    assert at(1, 4, 5, claims=["s6.bilinear"])["s6.bilinear"].verdict == "holds"
    monkeypatch.setattr(alternatives, "_numbers", four_digits)
    one, other = (matrix([[Q(k, 5) for k in tokens]]) for tokens in ((0, 4, 3, 1), (2, 3, 1, 4)))
    finding = at(1, 4, 5, claims=["s6.bilinear"])["s6.bilinear"]
    assert (finding.verdict, finding.failing) == ("refuted", 1)
    assert finding.counterexample.matrices == (one, other)
    assert finding.counterexample.relation.value == finding.counterexample.relation.bound == 0


def test_every_claim_of_section_6_can_be_refuted(monkeypatch):
    def nothing(*shapes):
        return tuple(((Q(0),) * m,) * k for k, m in shapes)

    with monkeypatch.context() as patch:
        patch.setattr(section6, "drawn", nothing)
        result = at(1, 3, 5, claims=["s6.bilinear", "s6.sepconv"])
        assert result.refuted == ["s6.bilinear", "s6.sepconv"]
        assert len(result["s6.bilinear"].counterexample.matrices) == 2
    with monkeypatch.context() as patch:
        patch.setattr(AverageAttention, "apply", lambda self, X: BProj(self.W, drawn((3, 3))[0]).apply(X))
        result = at(1, 3, 5, claims=["s6.average"])
        assert result.refuted == ["s6.average"]
        assert len(result["s6.average"].counterexample.matrices) == 2


def test_of_a_variant_nothing_is_said():
    g = replace(contextual_map(Instance(1, 3, 5)), sweep=contextual_map(Instance(1, 3, 5)).sweep.without_layer(0))
    for finding in verify(g, "s6,slides,lemma9,theorem2").findings:
        assert (finding.verdict, finding.cases) == ("skipped", 0)
        assert finding.why == "checked of the paper's own construction only"

"""Lemma 9: gaps, how errors grow, and the strip, against rigorous enclosures of the softmax network."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import enclosure
import slow_truth
from enclosure import point
from mutants import window
from verifier.catalogue import all_claims, choose
from verifier.checker.papers.yun2020.model import paper
from verifier.checker.papers.yun2020.paper import skipped
from verifier.core.exact import Q, matrix
from verifier.papers.yun2020.claims import lemma9
from verifier.papers.yun2020.contextual_map import contextual_map
from verifier.papers.yun2020.instance import Instance
from verifier.papers.yun2020.relu import ReluForm, relu_form
from verifier.run.verify import verify


def at(*parts, claims="lemma9"):
    return verify(contextual_map(Instance(*parts)), claims)


def without_skip(g, *ids):
    return verify(g, [replace(claim, skip=lambda _: None) for claim in choose(ids)])


def fraction(x):
    return Fraction(str(x))


# The enclosures


@given(st.builds(Fraction, st.integers(-4000, 0), st.integers(1, 9)))
def test_an_enclosure_of_exp_is_narrow_and_consistent(t):
    """e^t e^t meets e^2t; e^-1 lies between two partial sums of its alternating series."""
    low, high = enclosure.exp_negative(t)
    assert 0 <= low < high < low + Fraction(1, 2**300)
    twice = enclosure.exp_negative(2 * t)
    assert low * low <= twice[1]
    assert twice[0] <= high * high


def test_the_enclosure_of_1_over_e():
    partial, term = [Fraction(0)], Fraction(1)
    for k in range(1, 30):
        partial.append(partial[-1] + term)
        term = -term / k
    low, high = enclosure.exp_negative(Fraction(-1))
    assert min(partial[-2:]) < low < high < max(partial[-2:])


def test_the_weights_of_a_softmax_add_up_to_one():
    weights = enclosure.softmax([point(3), point(-2), point(Fraction(5, 2))])
    assert sum(w[0] for w in weights) <= 1 <= sum(w[1] for w in weights)
    assert enclosure.softmax([point(7)] * 4)[2][0] <= Fraction(1, 4) <= enclosure.softmax([point(7)] * 4)[2][1]


# lemma9.softmax


def naive_smallest_gap(d, n, N, X):
    delta, u = Fraction(1, N), [N**i for i in range(d)]
    states = slow_truth.g_c(d, n, N, X)
    found = []
    for k, state in enumerate(states[:-1]):
        ids = slow_truth.ids(u, state)
        thresholds = [0] if k == N**d else [k * delta - delta / 2, k * delta + delta / 2]
        for b in thresholds:
            for y in ids:
                scores = sorted({x * (y - b) for x in ids})
                found += [scores[-1] - scores[-2]] if len(scores) > 1 else []
    return min(found, default=None)


@pytest.mark.parametrize("parts", [(1, 2, 3), (1, 3, 3), (2, 2, 2)])
def test_the_smallest_gap_of_every_matrix(parts):
    seen = {}
    for X in slow_truth.g_plus(*parts):
        gap = naive_smallest_gap(*parts, X)
        assert (gap is None) == (len(set(zip(*X, strict=True))) == 1)
        if gap is not None:
            seen[gap] = X
    finding = at(*parts)["lemma9.softmax"]
    assert finding.verdict == "holds"
    edge = next(edge for edge in finding.edges if edge.matrices)
    assert fraction(edge.relation.value) == min(seen)


@pytest.mark.thorough
@pytest.mark.parametrize("parts", [(1, 2, 2), (1, 3, 2)])
def test_every_entry_of_the_softmax_is_within_1_over_1024_of_the_hardmax(parts):
    _, n, N = parts
    delta, rate = Fraction(1, N), 2 * N**2 * lemma9.bits(n)
    softmax = cache(lambda scores: enclosure.softmax([point(rate * score) for score in scores]))
    for X in slow_truth.g_plus(*parts):
        for k, state in enumerate(slow_truth.g_c(*parts, X)[:-1]):
            (ids,) = state
            for b in [Fraction(0)] if k == N else [k * delta - delta / 2, k * delta + delta / 2]:
                S = [[x * (y - b) for y in ids] for x in ids]
                P = slow_truth.sigma_h(S)
                for j in range(n):
                    soft = softmax(tuple(S[i][j] for i in range(n)))
                    for i in range(n):
                        assert abs(soft[i][0] - P[i][j]) <= Fraction(1, 1024)
                        assert abs(soft[i][1] - P[i][j]) <= Fraction(1, 1024)


# lemma9.compact


def test_the_error_by_hand():
    """(1, 2, 2): R = 2, F = 8: 2 . 2 . 25 . 9 / 2^K = 900 / 2^K <= 1/16 from K = 14 on."""
    i = Instance(1, 2, 2)
    assert lemma9.last_error(i, 0) == 900
    assert lemma9.bits_for_compact(i) == 14
    assert lemma9.last_error(i, 14) <= i.delta / 8 < lemma9.last_error(i, 13)


@pytest.mark.thorough
@pytest.mark.parametrize("parts", [(1, 2, 2), (1, 2, 3), (1, 3, 2), (1, 3, 3), (2, 2, 2)])
def test_the_softmax_network_stays_within_the_bounds_on_the_whole_grid(parts):
    d, n, N = parts
    i = Instance(*parts)
    B, F, K = i.B, fraction(i.global_factor), lemma9.bits_for_compact(i)
    R = Fraction(B**n * (B - 1), N)
    tau = Fraction(n - 1, 2**K)
    rate = Fraction(32 * K * N**2, 9)
    bounds = [Fraction(0)]
    for _ in range(B):
        bounds.append((1 + 2 * B) * bounds[-1] + 2 * B * R * tau)
    bounds.append((1 + F) * bounds[-1] + F * R * tau)
    assert bounds[-1] <= fraction(lemma9.last_error(i, K)) <= Fraction(1, 8 * N)
    g = contextual_map(i)
    for orbit in g.grid.orbits():
        X = g.grid.matrix(orbit)
        if g.grid.category(X) == 3:
            continue
        ids = [fraction(x) for x in g.grid.ids(X)]
        hard = [g.grid.ids(X), *(g.grid.ids(step.after) for step in g.network.trace(X))]
        soft = enclosure.soft_run(d, n, N, [point(x) for x in ids], rate)
        for bound, exact, near in zip(bounds, hard, soft, strict=True):
            for x, (low, high) in zip(exact, near, strict=True):
                assert max(abs(low - fraction(x)), abs(high - fraction(x))) <= bound + Fraction(1, 2**100)


# lemma9.distance


def strip(x, rate, others=Fraction(-4)):
    """The ids after each layer at (1, 2, 2), the quantised entries being x and the sentinel."""
    return enclosure.soft_run(1, 2, 2, [point(x), point(others)], rate)


@pytest.mark.parametrize("rate", [88, 880])  # 2 N^2 K = 88
def test_the_two_ends_of_the_strip(rate):
    relations = {r.name: r for r in lemma9._distance(contextual_map(Instance(1, 2, 2)))}
    start, end = strip(Fraction(-4), rate)[-1][0], strip(Fraction(0), rate)[-1][0]
    assert start == point(-36)
    assert relations["q~_1 at x_11 = -eps"].value == -36
    assert end[0] >= fraction(relations["q~_1 at x_11 = delta/2"].value)
    assert end[0] > 16  # t_r


@pytest.mark.parametrize("parts", [(1, 2, 3), (1, 3, 2), (2, 2, 2)])
def test_the_far_end_of_the_strip_elsewhere(parts):
    d, n, N = parts
    i = Instance(*parts)
    least = next(r for r in lemma9._distance(contextual_map(i)) if r.name == "q~_1 at x_11 = delta/2")
    ids = [point(0), *[point(fraction(i.sentinel))] * (n - 1)]
    states = enclosure.soft_run(d, n, N, ids, 2 * N**2 * lemma9.bits(n))
    assert states[-1][0][0] >= fraction(least.value) >= fraction(i.t_r)
    for before, after in pairwise(states[:-1]):  # ids only grow in the sweep
        assert all(y[1] >= x[0] - Fraction(1, 2**300) for x, y in zip(before, after, strict=True))


def test_a_point_of_the_strip_where_the_standard_network_is_not_0():
    """(1, 2, 2), eps = 1/16, lambda = 88: X = [-65/16384, y] for every y <= -1/16, an unbounded set.

    The keys are 13 and 27/2, so that no window of the value map, of width delta + eps, reaches 12.2957...; the
    modified network gives 0.
    """
    i, eps = Instance(1, 2, 2), Q(1, 16)
    outside, inside_step, rejected, negative, key_window = (relu_form(phi, eps) for phi in lemma9.activations(i)[:5])

    def quantised(x):
        x += outside(x)
        for k in i.entries:
            x += inside_step(x - k)
        return x

    assert quantised(Q(-65, 16384)) == Q(-65, 256)
    assert {quantised(y) for y in (-eps, Q(-1), Q(-(10**6)), Q(-7, 3))} == {-4}
    assert [quantised(x) for x in (-eps, Q(0), i.delta / 2, Q(1, 2), Q(2))] == [-4, 0, 0, Q(1, 2), -4]
    low, high = strip(Fraction(-65, 256), 88)[-1][0]
    assert Fraction("12.2957") < low <= high < Fraction("12.2958")
    g = contextual_map(i)
    keys = g.grid.ids(g.network.run(matrix([[0, Q(1, 2)]])))
    assert keys == (13, Q(27, 2))

    def is_idle(form: ReluForm, start, stop):
        """0 all the way: at both ends, with no point of its pieces in between."""
        points = form.function().breaks
        return form(start) == form(stop) == 0 and not any(start < p < stop for p in points)

    start, stop = Q(122957, 10000), Q(122958, 10000)
    assert is_idle(rejected, start, stop)
    assert is_idle(negative, start, stop)
    for key in keys:
        assert is_idle(key_window, start - key, stop - key)


def test_the_verdicts():
    for parts in [(1, 2, 2), (1, 3, 2), (2, 2, 2), (1, 2, 5), (1, 4, 3)]:
        result = at(*parts)
        assert result.refuted == ["lemma9.distance", "lemma9.layerwise"]
        assert "< t_r" in result["lemma9.distance"].counterexample.relation.edge
        relations = list(lemma9._distance(contextual_map(Instance(*parts))))
        assert [relation.holds for relation in relations] == [True, True, False]


def test_every_claim_can_be_refuted(monkeypatch):
    i = Instance(1, 2, 3)
    g = contextual_map(i)
    close = window(i, i.delta / 4, i.delta / 4)
    assert without_skip(close, "lemma9.softmax").refuted == ["lemma9.softmax"]
    for factor in (i.global_factor / 3, i.global_factor * 3):
        wrong = contextual_map(i, global_factor=factor)
        assert without_skip(wrong, "lemma9.compact").refuted == ["lemma9.compact"]
    with monkeypatch.context() as patch:
        patch.setattr(lemma9, "bits_for_compact", lambda _: 20)
        assert verify(g, "lemma9.compact").refuted == ["lemma9.compact"]
    with monkeypatch.context() as patch:
        patch.setattr(lemma9, "bits", lambda _: 9)
        assert verify(g, "lemma9.softmax").refuted == ["lemma9.softmax"]

    def broken(phi, eps, change):
        form = relu_form(phi, eps)
        return replace(form, relus=change(form.relus))

    for change in (
        lambda relus: relus[1:],
        lambda relus: relus[:-1],
        lambda relus: (*relus, relus[0], replace(relus[0], coefficient=-relus[0].coefficient)),
        lambda relus: tuple(replace(relu, sign=-relu.sign) for relu in relus),
        lambda relus: tuple(replace(relu, point=relu.point + 1) for relu in relus),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(lemma9, "relu_form", lambda phi, eps, change=change: broken(phi, eps, change))
            assert verify(g, "lemma9.relu").refuted == ["lemma9.relu"]


def test_a_relu_has_no_matrix_to_show():
    finding = at(1, 2, 2)["lemma9.relu"]
    assert (finding.cases, finding.tightest.matrices) == (8, ())
    assert all_claims()["lemma9.compact"].needs


def test_a_sentinel_above_instead_of_below_repairs_it():
    """With the sentinel +delta^-((n+1)d) one full sentinel takes every value beyond t_r, through the whole strip."""
    for parts in [(1, 2, 2), (1, 2, 4), (1, 3, 3), (1, 3, 4), (2, 2, 2), (1, 4, 3)]:
        i = Instance(*parts)
        g = contextual_map(i, sentinel=i.global_factor)
        assert verify(g, "lemma6").verdict == "holds"
    S = Fraction(8)
    for k in range(33):
        values = strip(S * k / 32, 88, others=S)[-1]
        assert all(low > 16 for low, _ in values)


def test_where_the_compact_bound_fits_no_certificate_it_is_skipped_and_the_checker_says_so_too():
    skip = all_claims()["lemma9.compact"].skip
    words = "its bound fits a certificate up to B = 500; here B = 512"
    assert skip(contextual_map(Instance(9, 2, 2))) == skipped("lemma9.compact", paper(9, 2, 2)) == words
    assert not skip(contextual_map(Instance(8, 2, 2)))
    assert not skipped("lemma9.compact", paper(1, 2, 500))

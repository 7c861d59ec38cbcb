"""The slides: their sketch redone by hand and naively, their sentinel, their closed interval."""

from dataclasses import replace
from itertools import combinations, combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mutants import extreme_q
from verifier.catalogue import choose
from verifier.core.exact import Q, matrix
from verifier.papers.slides2020 import claims as slides
from verifier.papers.slides2020.sketch import broadcast, decode, sketch, with_slides_sentinel
from verifier.papers.yun2020.contextual_map import contextual_map
from verifier.papers.yun2020.instance import Instance
from verifier.run.verify import verify


def at(*parts, claims="slides"):
    return verify(contextual_map(Instance(*parts)), claims)


def test_the_sketch_by_hand():
    """(0, 1, 3), N = 4: 0 -> 12; r = 12 - 1 = 11, 1 -> 45; no 2; r = 45 - 3 = 42, 3 -> 171."""
    assert sketch((0, 1, 3), 4) == (12, 45, 171)
    assert sketch((3, 0, 1), 4) == (171, 12, 45)
    # 171 = 3 mod 4, (171 - 3) / 4 + 3 = 45; 45 = 1 mod 4, 44 / 4 + 1 = 12; 12 = 0 mod 4
    assert decode(171, 3, 4) == (0, 1, 3)
    assert broadcast((12, 45, 171), 4) == (12 + 256 * 171, 45 + 256 * 171, 171 + 256 * 171)


@given(st.integers(2, 9), st.data())
def test_every_context_of_distinct_tokens_is_decoded(N, data):
    tokens = data.draw(st.lists(st.integers(0, N - 1), min_size=2, max_size=N, unique=True).map(sorted))
    n = len(tokens)
    O = sketch(tokens, N)
    assert [o % N for o in O] == tokens
    assert list(decode(max(O), n, N)) == tokens
    assert max(O) < N ** (n + 1)
    assert all(list(decode(v // N ** (n + 1), n, N)) == tokens for v in broadcast(O, N))


@pytest.mark.parametrize("parts", [(1, 2, 3), (1, 3, 4), (1, 4, 5)])
def test_the_sketch_is_the_sweep_of_lemma_6_in_units_of_delta(parts):
    g = contextual_map(Instance(*parts))
    N = parts[2]
    for orbit in g.grid.orbits():
        X = g.grid.matrix(orbit)
        if g.grid.category(X) != 3:
            swept = g.sweep.run(X)
            assert [N * x for x in swept[0]] == list(sketch([int(N * x) for x in X[0]], N))


@pytest.mark.parametrize(("n", "N"), [(2, 2), (2, 5), (3, 2), (3, 3), (4, 3), (5, 2)])
def test_equal_tokens_are_lost_from_three_tokens_on(n, N):
    maxima = {}
    for tokens in combinations_with_replacement(range(N), n):
        maxima.setdefault(max(sketch(tokens, N)), []).append(tokens)
    shared = [contexts for contexts in maxima.values() if len(contexts) > 1]
    assert bool(shared) == (n >= 3)
    for contexts in shared:  # what is left is the set of tokens
        assert len({frozenset(tokens) for tokens in contexts}) == 1
    finding = at(1, n, N, claims=["slides.one-dimensional-all"])["slides.one-dimensional-all"]
    assert finding.verdict == ("refuted" if shared else "holds")


def test_the_smallest_two_contexts_that_the_sketch_confuses():
    """(0, 0, 1): both 0 -> 2, then 1 -> 1 + 2 (2 - 1) = 3. (0, 1, 1): 0 -> 2, then both 1 -> 3."""
    assert sketch((0, 0, 1), 2) == (2, 2, 3)
    assert sketch((0, 1, 1), 2) == (2, 3, 3)
    counterexample = at(1, 3, 2)["slides.one-dimensional-all"].counterexample
    half = Q(1, 2)
    assert counterexample.matrices == (matrix([[0, 0, half]]), matrix([[0, half, half]]))


@pytest.mark.parametrize("parts", [(1, 2, 2), (1, 2, 3), (1, 3, 3), (1, 3, 4), (2, 2, 2), (3, 2, 2)])
def test_the_verdicts_where_there_are_contexts(parts):
    result = at(*parts)
    lost = ["slides.one-dimensional-all"] if parts[0] == 1 and parts[1] > 2 else []
    assert result.refuted == ["slides.sentinel", *lost]
    assert result["slides.closed"].verdict == "holds"
    expected = "holds" if parts[0] == 1 else "vacuous"
    assert result["slides.one-dimensional"].verdict == result["slides.broadcast"].verdict == expected


def test_the_sentinel_by_hand_at_its_exact_threshold():
    """(1, 2, 2): the sentinel -1/4 is the threshold 0 - delta/2, where a head is the mean.

    [-1/4, 1/2]: at level 0 column 1 gets 2 (1/8 - (-1/4)) = 3/4, and is 1/2; at level 1/2 both columns have the
    same id, max = min, and nothing moves; the global shift gives 1/2 + 8 . 1/2 = 9/2 < 8 to both.
    [-1/4, 0]: at level 0 column 1 gets 2 (-1/8 + 1/4) = 1/4, column 2 gets 2 (0 + 1/4) = 1/2: 0 and 1/2; at level
    1/2 column 2 gets 2 . 1/2 = 1: 0 and 3/2; at the global shift column 1 gets the mean 3/4: 8 . 3/4 = 6 < 8, column
    2 becomes 3/2 + 8 . 3/2 = 27/2, inside [8, 16).
    """
    g = with_slides_sentinel(Instance(1, 2, 2))
    assert g.network.run(matrix([[Q(-1, 4), Q(1, 2)]])) == matrix([[Q(9, 2), Q(9, 2)]])
    assert g.network.run(matrix([[Q(-1, 4), 0]])) == matrix([[6, Q(27, 2)]])
    finding = at(1, 2, 2)["slides.sentinel"]
    assert (finding.cases, finding.failing) == (5, 1)
    assert finding.counterexample.matrices == (matrix([[Q(-1, 4), 0]]),)
    assert finding.counterexample.relation.value == Q(27, 2)
    assert finding.counterexample.relation.bound == 16


@pytest.mark.parametrize("parts", [(1, 2, 3), (1, 3, 4), (2, 2, 2), (1, 4, 4)])
def test_the_sentinel_in_the_place_of_zero_raises_the_largest_id_by_less_than_one(parts):
    """l~_n is B^n - B^(n-1) times -l_1 larger: 1 - 1/B, if l_1 = -delta^(nd) is inside the window of level 0."""
    g = with_slides_sentinel(Instance(*parts))
    d, n, N = parts
    B = N**d
    digits = [tuple(Q(k // N**i % N, N) for i in range(d)) for k in range(B)]
    for rest in combinations(digits[1:], n - 1):
        zero = (digits[0], *rest)
        other = ((g.grid.sentinel, *digits[0][1:]), *rest)
        swept = [max(g.grid.ids(g.sweep.run(tuple(zip(*columns, strict=True))))) for columns in (zero, other)]
        assert swept[1] - swept[0] == 1 - Q(1, B)


def test_every_claim_can_be_refuted(monkeypatch):
    i = Instance(1, 3, 4)
    for name, wrong in (
        ("sketch", lambda tokens, N: tuple(k + (N - 1) * (max(tokens) - min(tokens)) for k in tokens)),
        ("sketch", lambda tokens, N: sketch(tokens, N * N)[::-1]),
        ("decode", lambda m, n, N: decode(m, n, N)[::-1]),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(slides, name, wrong)
            assert "slides.one-dimensional" in verify(contextual_map(i), "slides").refuted
    for wrong in (lambda O, N: broadcast(O, N - 1), lambda O, _: O, lambda O, N: tuple(o + N**4 * min(O) for o in O)):
        with monkeypatch.context() as patch:
            patch.setattr(slides, "broadcast", wrong)
            assert verify(contextual_map(i), "slides.broadcast").refuted == ["slides.broadcast"]
    (closed,) = (replace(claim, skip=lambda _: None) for claim in choose(["slides.closed"]))
    g = contextual_map(i)
    for edge in (
        {"high": extreme_q(i, 3, min)},
        {"low": extreme_q(i, 2, max)},
        {"low": extreme_q(i, 1, min) + i.delta},
        {"high": extreme_q(i, 1, max) - i.delta},
    ):
        assert verify(replace(g, interval=replace(g.interval, **edge)), [closed]).refuted == ["slides.closed"]
    for edge in ({"low": extreme_q(i, 1, min)}, {"high": extreme_q(i, 1, max)}):
        assert verify(replace(g, interval=replace(g.interval, **edge)), [closed]).verdict == "holds"

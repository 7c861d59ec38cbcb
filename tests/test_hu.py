"""Hu et al., App. E: what their thresholds do to good contexts, in closed form and against plain loops."""

import pytest

import positional_truth as truth
from test_positional import SMALL, at, in_units
from verifier.core.exact import matrix
from verifier.papers.hu2024.claims import bound_of_e9
from verifier.papers.yun2020.instance import Instance
from verifier.papers.yun2020.positional import positional_map, wide_interval


def numbers(d, n, N):
    """B, and t_l, t_r, and the repaired t_l, in units of delta."""
    B = N**d
    t_l, repaired = (N * n * B**power * (B - 1) for power in (2 * (n + 1), 2 * n))
    return B, t_l, N * (n * n * B ** (2 * (n + 1)) * N + n * B ** (n + 1)), repaired


@pytest.mark.parametrize("parts", SMALL)
def test_what_is_inside_and_outside_against_plain_loops(parts):
    result = at(parts, ["hu"])
    _, t_l, t_r, repaired = numbers(*parts)
    inside, outside = [], []
    for context in truth.contexts(*parts, wide=True):
        (inside if truth.good(parts[2], context) else outside).append(truth.run(*parts, context)[2])
    missed = sum(any(not t_l <= x <= t_r for x in q) for q in inside)
    assert (result["hu.threshold"].cases, result["hu.threshold"].failing) == (len(inside), missed)
    assert (result["hu.outside"].cases, result["hu.outside"].verdict) == (len(outside), "holds")
    assert not any(t_l <= x <= t_r for q in outside for x in q)
    assert result["hu.threshold-repaired"].verdict == "holds"
    edges = {e.relation.edge: int(parts[2] * e.slack) for e in result["hu.threshold-repaired"].edges}
    least = min(x for q in inside for x in q) - repaired
    assert edges["q_j >= n delta^-(2nd) (delta^-d - 1)"] == least
    assert edges["q_j <= hu.t_r"] == t_r - max(x for q in inside for x in q)
    assert edges["q_j > hu.t_r"] == min(x for q in outside for x in q if x >= repaired) - t_r


def test_the_smallest_good_context_that_is_thrown_away():
    """(0, 1) at d = 1, n = N = 2: l~ = (2, 3), q = (2 + 32 . 3, 3 + 32 . 3), and t_l = 2 . 2^6 (2 - 1) = 128."""
    found = at((1, 2, 2), ["hu.threshold"])["hu.threshold"]
    assert (found.cases, found.failing) == (4, 3)
    assert found.counterexample.matrices == (matrix([[0, 1]]),)
    assert (found.counterexample.relation.value, found.counterexample.relation.bound) == (98, 128)


def extremes(d, n, N):
    """The least and the largest l~_n of the closed form, in units of delta, over sigma = 1 + N + ... + N^(d-1).

    l~_n = (1 - B + B^n) l_n - (B-1) (B^(n-2) l_2 + ... + B l_(n-1)) - (B^n - B^(n-1)) l_1: least at the upper
    ends of blocks 1..n-1 with the lower end of block n, largest the other way round.
    """
    B = N**d
    sigma = sum(N**i for i in range(d))
    blocks = [(j * N * sigma, j * N * sigma + B - 1) for j in range(n)]

    def last(l):
        middle = sum(B ** (n - i) * l[i - 1] for i in range(2, n))
        return (1 - B + B**n) * l[-1] - (B - 1) * middle - (B**n - B ** (n - 1)) * l[0]

    least = last([high for _, high in blocks[:-1]] + [blocks[-1][0]])
    largest = last([low for low, _ in blocks[:-1]] + [blocks[-1][1]])
    return least, largest


RANGE = [(d, n, N) for d in range(1, 5) for n in range(2, 40) for N in range(2, 9)]


def misses_some(d, n, N):
    return n < N**d - N ** (d - 1) + (3 if d == 1 and N >= 3 else 2)


def misses_all(d, n, N):
    return n <= N**d - N ** (d - 1)


def test_the_exact_parameters_at_which_the_published_threshold_fails():
    """q_j >= t_l at every good context iff l~_n >= B^(n+1) (B-1) at every one: q_j is n B^(n+1) times l~_n and less.

    (d, n) = (1, 2) apart, where one context is shifted once more: there other contexts fail all the same.
    """
    for d, n, N in RANGE:
        least, largest = extremes(d, n, N)
        wanted = N ** (d * (n + 1)) * (N**d - 1)
        assert (least < wanted) == misses_some(d, n, N), (d, n, N)
        assert (largest < wanted) == misses_all(d, n, N), (d, n, N)
        interval = wide_interval(Instance(d, n, N))
        assert (interval.low > interval.high) == (N ** (d - 1) > n)


@pytest.mark.parametrize("parts", [*SMALL, (1, 4, 3), (1, 5, 2), (1, 2, 7), (2, 2, 3), (3, 2, 2)])
def test_the_closed_conditions_are_what_the_network_does(parts):
    found = at(parts, ["hu.threshold"])["hu.threshold"]
    assert (found.verdict == "refuted") == misses_some(*parts)
    assert (found.failing == found.cases) == misses_all(*parts)
    if parts[:2] != (1, 2):
        ids = [truth.run(*parts, context)[1][-1] for context in truth.contexts(*parts)]
        assert (min(ids), max(ids)) == extremes(*parts)


@pytest.mark.parametrize("parts", SMALL)
def test_the_ids_of_columns_with_a_sentinel(parts):
    """Their largest id is n + 1 below the bound of E.9, at every d, n, N."""
    d, n, N = parts
    result = at(parts, ["hu.ids-sentinel"])["hu.ids-sentinel"]
    assert (result.verdict, result.cases) == ("holds", n * ((N + 1) ** d - N**d))
    (slack,) = [e.slack for e in result.edges if e.relation.bound_name == "the bound of E.9"]
    assert slack == n + 1
    i = Instance(*parts)
    by_hand = -3 * n * N ** (d * n) + (n - 1) * sum(N**k for k in range(d)) + N ** (d - 1)
    assert bound_of_e9(i, n) == by_hand
    for j, grid in enumerate(positional_map(i).positions, start=1):
        expected = [sum(x * N**k for k, x in enumerate(c)) for c in truth.columns(d, n, N, j, True)]
        assert in_units(N, [grid.id(column) for column in grid.columns]) == expected


def test_the_layers_that_the_proof_stacks():
    found = at((1, 3, 4), ["hu.layers"])["hu.layers"]
    assert (found.verdict, found.failing) == ("refuted", 1)
    assert found.counterexample.relation.value == 3 * 4 + 1
    assert found.counterexample.relation.bound == 4 + 1
    assert found.counterexample.matrices == ()


def test_a_sharper_left_end_of_the_same_shape():
    """n delta^-((2n+1)d) (delta^-d - 1) serves if and only if n >= 3: at n = 2 the repaired exponent is the largest.

    At (1, 2, 2) it serves too, with the context that is shifted once more (5 >= 4 in units) as without it (4 >= 4).
    """
    for d, n, N in RANGE:
        serves = extremes(d, n, N)[0] >= N ** (d * n) * (N**d - 1)
        assert serves == (n >= 3 or (d, N) == (1, 2)), (d, n, N)

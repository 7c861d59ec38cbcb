"""App. C: the literal network against plain loops in whole numbers, what the claims find, and that each can fail."""

from dataclasses import dataclass, replace
from itertools import pairwise
from math import comb

import pytest

import positional_truth as truth
from verifier.catalogue import choose
from verifier.core.exact import Q, columns_of, matrix
from verifier.core.layers import Attention
from verifier.core.network import Network
from verifier.papers.hu2024 import claims as hu
from verifier.papers.yun2020.case import PositionalContext
from verifier.papers.yun2020.claims import positional
from verifier.papers.yun2020.contextual_map import contextual_map, global_shift, sweep
from verifier.papers.yun2020.instance import Instance
from verifier.papers.yun2020.positional import levels, positional_factor, positional_map
from verifier.papers.yun2020.size import refuse_if_too_large
from verifier.run.stop import TooLarge
from verifier.run.verify import verify

SMALL = [(1, 2, 2), (1, 2, 3), (1, 2, 4), (1, 3, 2), (1, 3, 3), (1, 4, 2), (2, 2, 2)]
OURS = ["c", "theorem3", "hu"]


def at(parts, claims=OURS):
    return verify(contextual_map(Instance(*parts)), claims)


def in_units(N, numbers):
    return [int(N * x) for x in numbers]


def literal(parts, wide):
    p = positional_map(Instance(*parts))
    return [PositionalContext(p, number, columns) for number, columns in enumerate(p.contexts(wide=wide))]


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("parts", SMALL)
def test_every_context_through_the_literal_network_and_through_plain_loops(parts, wide):
    N = parts[2]
    runs = literal(parts, wide)
    expected = list(truth.contexts(*parts, wide))
    assert [tuple(tuple(in_units(N, column)) for column in run.columns) for run in runs] == expected
    for run, context in zip(runs, expected, strict=True):
        before, swept, final, moved = truth.run(*parts, context)
        assert (in_units(N, run.l), in_units(N, run.swept), in_units(N, run.q)) == (before, swept, final)
        assert [[place + 1 for place in shift.columns] for shift in run.shifts] == moved
        assert run.good == truth.good(N, context)
        assert run.final_matrix[1:] == run.X[1:]


def test_a_context_by_hand():
    """(0, 1) at d = 1, n = N = 2, in halves: 0, 2 -> 4, 2 (level 0: 0 + 2 . 2) -> 4, 6 (level 2: 2 + 2 . 2)."""
    run = literal((1, 2, 2), False)[0]
    assert matrix([[0, 1]]) == run.X
    assert [shift.ids for shift in run.shifts] == [(2, 1), (2, 3)]
    assert run.q == (2 + 32 * 3, 3 + 32 * 3)  # n delta^-((n+1)d) delta^-1 = 2 . 8 . 2


def test_where_the_first_shift_lands_on_a_level_that_is_still_to_come():
    """(1/2, 1), in halves: 1, 2 -> 3, 2 -> 3, 4, and level 3 meets the first column again: 3 + 2 (4 - 3) = 5 > 4."""
    finding = at((1, 2, 2), ["c.order"])["c.order"]
    assert (finding.cases, finding.failing) == (4, 1)
    assert finding.counterexample.matrices == (matrix([[Q(1, 2), 1]]),)
    run = literal((1, 2, 2), False)[2]
    assert matrix([[Q(1, 2), 1]]) == run.X
    assert [shift.ids for shift in run.shifts] == [(Q(3, 2), 1), (Q(3, 2), 2), (Q(5, 2), 2)]


@pytest.mark.parametrize("N", [2, 3, 4, 5, 9])
def test_two_tokens_of_one_row_have_one_context_out_of_order_and_a_contextual_mapping_all_the_same(N):
    result = at((1, 2, N))
    assert {"c.order", "hu.order"} <= set(result.refuted)
    for claim in ("c.order", "hu.order"):
        assert result[claim].failing == 1
        assert result[claim].counterexample.matrices == (matrix([[Q(N - 1, N), 1]]),)
    for claim in ("c.bound", "c.injective", "c.disjoint", "c.contextual", "hu.bounds", "hu.distinct"):
        assert result[claim].verdict == "holds"
    (twice,) = [run for run in literal((1, 2, N), False) if len(run.shifts) == 3]
    assert in_units(N, twice.swept) == [2 * N - 1 + N * (N - 1) ** 2, N * N]


@pytest.mark.parametrize("parts", [(1, 3, 2), (1, 3, 3), (1, 4, 2), (2, 2, 2), (2, 2, 3), (3, 2, 2)])
def test_all_of_appendix_c_holds_elsewhere(parts):
    d, n, N = parts
    result = at(parts, ["c", "theorem3"])
    assert result.verdict == "holds"
    assert result["c.quantizes"].cases == d * n * N
    assert {result[claim].cases for claim in ("c.ids", "c.bound", "c.injective", "c.contextual")} == {N ** (d * n)}


@pytest.mark.parametrize("parts", SMALL)
def test_the_tightest_cases_against_plain_loops(parts):
    d, n, N = parts
    B, result = N**d, at(parts)
    runs = [truth.run(*parts, context) for context in truth.contexts(*parts)]
    starts = [j * sum(N**i for i in range(d)) * N for j in range(n)]

    def edge(claim, name):
        (found,) = [e for e in result[claim].edges if e.relation.edge == name]
        return int(N * found.slack)

    gaps = [b - a for ids, *_ in runs for a, b in pairwise(ids)]
    assert edge("c.ids", "l_j > the l before it") == min(gaps)
    assert edge("c.ids", "l_j >= s_j") == min(x - s for ids, *_ in runs for x, s in zip(ids, starts, strict=True))
    last = sorted(swept[-1] for _, swept, *_ in runs)
    assert edge("c.bound", "l~_n < n delta^-((n+1)d)") == N * n * B ** (n + 1) - last[-1]
    assert edge("c.injective", "distance of l~_n of two contexts > 0") == min(b - a for a, b in pairwise(last))
    values = sorted((q, k) for k, (_, _, final, _) in enumerate(runs) for q in final)
    across = min(b - a for (a, k), (b, m) in pairwise(values) if k != m)
    assert edge("c.contextual", "distance of an entry of q(L) from one of q(L') > 0") == across
    within = min(b - a for *_, final, _ in runs for a, b in pairwise(sorted(final)))
    assert edge("c.contextual", "distance of two entries of q(L) > 0") == within
    P, width = n * B ** (n + 1) * N, n * B ** (n + 1) * N
    tops = sorted(max(swept) for _, swept, *_ in runs)
    between = min(P * (b - a) - width for a, b in pairwise(tops))
    assert edge("c.disjoint", "start of the next interval >= end of an interval") == between
    assert edge("c.disjoint", "q_j >= P m") == min(q - P * max(s) for _, s, final, _ in runs for q in final)
    bounds = "delta^-((n-1)d) delta (delta^-d - 1)"
    assert edge("hu.bounds", f"l~_n >= {bounds}") == last[0] - B ** (n - 1) * (B - 1)


@pytest.mark.parametrize("parts", [(1, 2, 2), (1, 3, 3), (2, 2, 3)])
def test_the_quantiser_rounds_down_within_a_column_and_meets_the_next_column_at_its_right_edge(parts):
    p = positional_map(Instance(*parts))
    delta = p.instance.delta
    for run in literal(parts, False)[::7]:
        for inside in (Q(0), delta / 3, delta * Q(99, 100)):
            X = tuple(tuple(x + inside for x in row) for row in run.X)
            assert p.quantiser.run(X) == run.X
    ones = [[j + 1 for j in range(p.instance.n)]] * p.instance.d  # X = 1: no entry of X + E is in its own block
    assert p.quantiser.run(matrix(ones)) == matrix(ones)
    assert all(x not in grid.entries for x, grid in zip(ones[0], p.positions, strict=True))


@pytest.mark.parametrize(("parts", "layers"), [((1, 2, 2), 4 + 4 + 1 + 8), ((1, 3, 3), 9 + 9 + 1 + 81)])
def test_the_layers_of_theorem_3(parts, layers):
    (edge,) = at(parts, ["theorem3"])["theorem3.size"].edges
    d, n, N = parts
    assert (edge.relation.value, edge.relation.bound) == (layers, (d + 3) * n * N ** (d * n))
    assert edge.matrices == ()


# The construction broken in one place at a time.


def levels_of(i, blocks, factor=None):
    """The sweep over some blocks of levels (from 0), in that order."""
    all_levels = list(levels(i))
    chosen = [level for block in blocks for level in all_levels[block * i.B : (block + 1) * i.B]]
    return sweep(i.u, chosen, factor or i.sweep_factor, i.delta)


def moved(p, by):
    """E + by."""
    return tuple(replace(grid, entries=tuple(x + by for x in grid.entries)) for grid in p.positions)


def other_phi(p, k, **change):
    layer = p.quantiser.layers[k]
    return p.quantiser.with_layer(k, replace(layer, phi=replace(layer.phi, **change)))


def near(p, distance):
    """Wide contexts with j-1-distance for j-1-J."""
    return tuple(replace(grid, sentinel=grid.entries[0] - distance) for grid in p.positions)


MUTANTS = {
    "the last block of levels missing": (
        lambda p: replace(p, sweep=levels_of(p.instance, range(p.instance.n - 1))),
        "c.order hu.order theorem3.size",
    ),
    "the blocks of levels the other way round": (
        lambda p: replace(p, sweep=levels_of(p.instance, range(p.instance.n)[::-1])),
        "c.order hu.order",
    ),
    "no sweep": (
        lambda p: replace(p, sweep=Network()),
        "c.order c.injective c.disjoint c.contextual hu.order hu.distinct",
    ),
    "sweep factor delta^-2d": (
        lambda p: replace(p, sweep=levels_of(p.instance, range(p.instance.n), Q(p.instance.B**2))),
        "c.bound hu.bounds c.disjoint",
    ),
    "E shifted by one": (lambda p: replace(p, positions=moved(p, 1)), "c.ids c.order c.quantizes"),
    "E shifted by -delta": (lambda p: replace(p, positions=moved(p, -p.instance.delta)), "c.ids c.order"),
    "E = 0": (lambda p: replace(p, positions=(p.positions[0],) * p.instance.n), "c.ids c.order c.contextual"),
    "global factor without delta^-1": (
        lambda p: replace(p, global_shift=global_shift(p.instance.u, positional_factor(p.instance) / p.instance.N)),
        "c.disjoint hu.threshold",
    ),
    "global factor without n": (
        lambda p: replace(p, global_shift=global_shift(p.instance.u, positional_factor(p.instance) / p.instance.n)),
        "c.disjoint",
    ),
    "no global shift": (
        lambda p: replace(p, global_shift=Network()),
        "c.disjoint c.contextual hu.distinct hu.threshold theorem3.size",
    ),
    "a layer of the quantiser missing": (
        lambda p: replace(p, quantiser=p.quantiser.without_layer(3)),
        "c.quantizes theorem3.size",
    ),
    "a window of the quantiser too narrow": (
        lambda p: replace(p, quantiser=other_phi(p, 2, breaks=(Q(0), p.instance.delta / 2))),
        "c.quantizes",
    ),
    "a window of the quantiser without its left edge": (
        lambda p: replace(p, quantiser=other_phi(p, 2, left_owned=frozenset({Q(0)}), pieces=((0, 1), (-1, 0), (0, 0)))),
        "c.quantizes",
    ),
    "phi of slope -1/2": (
        lambda p: replace(p, quantiser=other_phi(p, 0, pieces=((0, 0), (Q(-1, 2), 0), (0, 0)))),
        "c.quantizes",
    ),
    "sentinel j-1-delta": (
        lambda p: replace(p, positions=near(p, p.instance.delta)),
        "hu.ids-sentinel hu.outside hu.threshold-repaired",
    ),
    "thresholds exchanged": (
        lambda p: replace(p, interval=replace(p.interval, low=p.interval.high, high=p.interval.low)),
        "hu.threshold",
    ),
    "t_r so far away that nothing is beyond": (
        lambda p: replace(p, interval=replace(p.interval, high=p.interval.high**3)),
        "hu.outside hu.threshold-repaired",
    ),
}


def refuted_by(monkeypatch, mutate, parts):
    for module in (positional, hu):
        monkeypatch.setattr(module, "positional_map", lambda i: mutate(positional_map(i)))
    return set(at(parts).refuted)


@pytest.mark.parametrize("name", MUTANTS)
def test_a_broken_construction_is_refuted(name, monkeypatch):
    """At (1, 3, 2) all claims but hu.layers hold."""
    mutate, refutes = MUTANTS[name]
    assert set(refutes.split()) <= refuted_by(monkeypatch, mutate, (1, 3, 2))


def test_every_claim_is_refuted_by_a_mutant_or_by_the_construction_itself():
    ids = {claim.id for claim in positional.CLAIMS + hu.CLAIMS}
    assert at((1, 3, 2)).refuted == ["hu.layers"]
    assert {claim for _, refutes in MUTANTS.values() for claim in refutes.split()} == ids - {"hu.layers"}


def test_of_a_variant_nothing_is_said():
    variant = contextual_map(Instance(1, 2, 2), sentinel=Q(-5))
    for finding in verify(variant, OURS).findings:
        assert (finding.verdict, finding.cases) == ("skipped", 0)
        assert finding.why == "checked of the paper's own construction only"


@dataclass
class Counting:
    """An attention layer that counts its runs."""

    layer: Attention
    runs: int = 0
    parameters: int = 0

    def apply(self, X):
        self.runs += 1
        return self.layer.apply(X)


def test_one_run_of_a_context_serves_all_claims(monkeypatch):
    p = positional_map(Instance(1, 3, 2))
    layer = Counting(p.sweep.layers[0])
    refuted = refuted_by(monkeypatch, lambda p: replace(p, sweep=p.sweep.with_layer(0, layer)), (1, 3, 2))
    assert refuted == {"hu.layers"}  # it counts attention layers: still too many
    assert layer.runs == 2**3 + 3**3


def test_what_a_run_takes_is_known_before_it():
    i = Instance(2, 2, 3)
    through = 2 * (2 * 9 + 1)
    of = {claim.id: claim.work(i) for claim in positional.CLAIMS + hu.CLAIMS}
    assert {of[claim] for claim in ("c.order", "c.contextual", "hu.distinct")} == {81 * through}
    assert (of["hu.threshold-repaired"], of["hu.outside"]) == (256 * through, (256 - 81) * through)
    # The run is shared: 3 million columns for each of c.order, ..., c.contextual are 3 million for all of them.
    i = Instance(1, 3, 24)
    refuse_if_too_large(i, choose(["c"]), None)
    with pytest.raises(TooLarge, match=r"c\.\w+ alone"):
        refuse_if_too_large(Instance(1, 3, 60), choose(["c"]), None)


def test_columns_of_a_context_are_its_columns():
    for run in literal((2, 2, 2), True)[::9]:
        assert columns_of(run.X) == run.columns
    assert len(literal((2, 2, 2), True)) == 81 == (comb(3, 1) ** 2) ** 2

"""BigBird's Lemma 3: the text, its 32 readings, the recursion of its proof, and the repair."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bigbird_truth as truth
from bigbird.instance import Instance
from bigbird.reading import Reading, mended, printed, readings, start_of
from bigbird.run import Recursion, Run, contexts
from bigbird.sparse import SparseAttention, SparseHead, star
from bigbird.sweep import heads, ids_of, selective_shift
from verifier.core.exact import Q

SMALL = [(1, 2, 2), (1, 2, 3), (1, 3, 2), (2, 2, 2)]


def fraction(value):
    """A value of a relation, with Fractions."""
    if isinstance(value, tuple):
        return [fraction(part) for part in value]
    return Fraction(int(value.numerator), int(value.denominator))


# What the text says, and what comes out.


def test_a_context_by_hand():
    """(d, n, N) = (1, 2, 2), tokens (0) and (0): ids 4 | 0, 2. Nothing ever reaches the global token."""
    run = contexts(1, 2, 2)[0].run
    assert run.stages[0].before == (4, 0, 2)
    assert [stage.after for stage in run.stages] == [(4, 0, 2), (4, 0, 2), (4, 0, 6), (4, 0, 6), (4, 0, 6)]
    other = contexts(1, 2, 2)[1].run  # token 2 is (1/2): its id is 5/2
    assert other.q == (0, 2 * (4 - Q(5, 2)) + Q(5, 2))
    assert other.q[0] == run.q[0] == 0  # token 1's entry is the same in both contexts


def test_the_repair_by_hand():
    """The same context through the repair's layers: f_1 = 8, f~_0^1 = 4 + 4 (8 - 2), f_2 = 2 (28 - 2) + 2, ..."""
    run = contexts(1, 2, 2)[0].mended
    phases = [(4, 8, 2), (28, 8, 2), (28, 8, 54), (28 + 4 * (54 - 8), 8, 54)]
    assert [stage.after for stage in run.stages[:4]] == phases
    assert run.q == (8 + 16 * (212 - 8), 54 + 16 * (212 - 54))


def test_two_contexts_with_the_same_global_token_by_hand():
    """(1, 3, 2): the recursion takes 0, 5/2, 4 and 1/2, 2, 9/2 to one f~_0^3, though every shift does as claimed."""
    i = Instance(1, 3, 2)
    one, two = (Recursion(i, (Q(0), Q(5, 2), Q(4))), Recursion(i, (Q(1, 2), Q(2), Q(9, 2))))
    assert one.values[0][:2] == (16, 2 * (116 - Q(5, 2)) + Q(5, 2))
    assert [r.values[1] for r in (one, two)] == [(8, 116, 1920, 32480)] * 2
    assert all(a != b for a, b in zip(one.values[0], two.values[0], strict=True))


# The readings.


def same_as_the_slow_truth(i, context, reading):
    """The ids after every stretch of layers."""
    d, n, N = i.d, i.n, i.N
    X = truth.tokens(d, n, N, context, start_of(i, reading))
    literal = truth.run(d, n, N, X, truth.sweeps(d, n, N, reading.low, reading.high, reading.ends))
    columns = tuple(tuple(Q(entry.numerator, entry.denominator) for entry in column) for column in context)
    run = Run(i, i.matrix(columns, start_of(i, reading)), printed(i, reading))
    return [fraction(stage.after) for stage in run.stages] == literal


def test_every_reading_runs_as_the_slow_truth_does():
    """Every level of every sweep with Fractions, against the levels with a token: all 32 readings at (1, 2, 2)."""
    for reading in readings():
        for context in truth.contexts(1, 2, 2, reading.grid):
            assert same_as_the_slow_truth(Instance(1, 2, 2), context, reading), (reading, context)


@pytest.mark.thorough
def test_thousands_of_last_levels_with_the_slow_truth():
    """(1, 2, 3) with u^T x_0 = delta^-(n+1)d: the 9,648 last levels catch tokens."""
    context = ((Fraction(0),), (Fraction(2, 3),))
    reading = Reading(start=True)
    assert same_as_the_slow_truth(Instance(1, 2, 3), context, reading)


def test_with_the_threshold_on_the_keys_no_layer_does_anything():
    """A number added to all scores of a token changes no arg max: both heads read the same."""
    for context in contexts(1, 2, 3):
        i = context.instance
        for v in {*ids_of(i, context.X), Q(0), Q(1), Q(7, 3)}:
            layer = selective_shift(i, star(i.n), i.B, v, on_keys=True)
            assert layer.apply(context.X) == context.X


# The layers.


def test_a_head_reads_its_neighbours_alone():
    """Over the star, token 2 doesn't hear of token 1, whatever it is; over the complete graph it does."""
    i = Instance(1, 2, 2)
    for v in (Q(2), Q(5, 2)):
        two = heads(i, 1, v - Q(1, 4), v + Q(1, 4))
        complete = ((0, 1, 2),) * 3
        seen = {graph: set() for graph in (star(2), complete)}
        for first in (Q(0), Q(1), Q(100)):
            X = ((Q(0), first, v), (Q(1), Q(0), Q(0)))
            for graph, values in seen.items():
                values.add(SparseAttention(two, graph).apply(X)[0][2])
        assert len(seen[star(2)]) == 1
        assert len(seen[complete]) > 1


@pytest.mark.parametrize("name", ["W_V", "W_K", "W_Q"])
def test_a_head_of_another_shape_is_refused(name):
    weights = {"W_O": [[1], [0]], "W_V": [[1, 2]], "W_K": [[1, 2]], "b_K": [0], "W_Q": [[1, 2]], "b_Q": [0]}
    SparseHead(**weights)
    with pytest.raises(ValueError, match=rf"{name} is 1 x 3; a head of size 1 has 1 x 2"):
        SparseHead(**weights | {name: [[1, 2, 3]]})
    with pytest.raises(ValueError, match="b_K and b_Q have 2 and 1 entries"):
        SparseHead(**weights | {"b_K": [0, 0]})


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_a_level_at_which_no_token_is_does_nothing(data):
    """Of any ids, negative ones too, and over any graph: the heads of v +- delta/2 cancel unless an id is between."""
    n = data.draw(st.integers(1, 4))
    i = Instance(1, max(n, 2), 2)
    n = i.n
    row = [Q(data.draw(st.integers(-30, 30)), 2) for _ in range(n + 1)]
    others = [data.draw(st.sets(st.integers(0, n), min_size=1)) for _ in range(n + 1)]
    graph = tuple(tuple(sorted(neighbours | {token})) for token, neighbours in enumerate(others))
    v = Q(data.draw(st.integers(-30, 30)), 2)
    X = (tuple(row), (Q(0),) * (n + 1))
    after = selective_shift(i, graph, 5, v).apply(X)
    for token, id_ in enumerate(row):
        heard = [row[j] for j in graph[token]]
        assert after[0][token] - id_ == (5 * (max(heard) - min(heard)) if id_ == v else 0)


def test_every_level_literally_and_only_those_with_a_token_agree_on_the_repair():
    """All 112 layers at (1, 2, 2), for every context."""
    i = Instance(1, 2, 2)
    for context in contexts(1, 2, 2):
        X = context.X
        for stage in context.mended.stages:
            for layer in stage.sweep.layers:
                X = layer.apply(X)
            assert ids_of(i, X) == stage.after
    assert sum(sweep.levels for sweep in mended(i)) == sum(sum(1 for _ in sweep.layers) for sweep in mended(i)) == 112


# The recursion, and the theorems of the page: numbers for many sizes.

MANY = [(d, n, N) for d in range(1, 5) for n in range(2, 7) for N in range(2, 8) if d * n <= 12]


def test_the_printed_intervals_are_empty_from_k_1_on():
    """S_k - T_k > 0 for k >= 1, at every size: term by term (LP) takes away less than (UP)."""
    for i in (Instance(*size) for size in MANY):
        assert i.S(0) < i.T(0)
        assert all(i.S(k) > i.T(k) for k in range(1, i.n + 1))


def test_the_repaired_intervals():
    """T'_k - S'_k = delta (B - 1)(P^k - 1); and the inequalities on which the proof of the repair rests."""
    for i in (Instance(*size) for size in MANY):
        B, n, P, delta = i.B, i.n, i.P, i.delta
        for k in range(n):
            S, T = i.least_global(k), i.largest_global(k)
            assert delta * (B - 1) * (P**k - 1) == T - S
            X = S - delta * (P**k - 1) - i.largest_id(k + 1)
            assert B**n <= 2 * X
            least_next = B * S - (B - 1) * i.largest_id(k + 1)
            assert least_next - T == (B - 1) * X  # so that f_(k+1) > T'_k
            if k:
                assert B * i.largest_global(k - 1) - (B - 1) * i.least_id(k) < S  # f_k < S'_k
        # f~_0^n is above the last level: at the least f_n, f~_0^(n-1) and the largest f_1
        f_n = B * i.least_global(n - 1) - (B - 1) * i.largest_id(n)
        f_1 = B ** (n + 1) - (B - 1) * i.least_id(1)
        assert B**n * (f_n - f_1) + i.least_global(n - 1) > B * i.largest_global(n - 1) - (B - 1) * i.least_id(n)


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_the_recursion_forgets_only_at_two_columns_and_odd_n(data):
    """f~_0^n differs for different ids, unless B = 2, n is odd, and the ids differ by delta, -delta, delta, ..."""
    d, n, N = data.draw(st.sampled_from([size for size in MANY if size[0] * size[1] <= 8]))
    i = Instance(d, n, N)
    places = st.lists(st.integers(0, i.B - 1), min_size=n, max_size=n)
    one, two = data.draw(places), data.draw(places)
    f_0 = [Recursion(i, tuple(i.least_id(t + 1) + c * i.delta for t, c in enumerate(cs))).f_0(n) for cs in (one, two)]
    differences = [a - b for a, b in zip(one, two, strict=True)]
    alternating = (
        i.B == 2 and n % 2 and differences in ([(-1) ** t for t in range(n)], [-((-1) ** t) for t in range(n)])
    )
    assert (f_0[0] == f_0[1]) == (one == two or bool(alternating))


def test_the_bounds_from_which_the_printed_layers_do_nothing():
    """Findings, 2: S_1, and the least that (LP) is above (UP), at every size."""
    for i in (Instance(*size) for size in MANY):
        B, n, P = i.B, i.n, i.P
        assert i.S(1) == B ** (2 * n + 1) - B ** (n + 1) - B > B ** (n + 1)  # which no token is above
        for k in range(1, n + 1):
            least = P ** (k - 1) * (B ** (n + 1) + B**n) * (B - 1) + B ** (k + 1) - B**k
            assert i.S(k) - i.T(k) >= least > 0
            assert (i.S(k) - i.T(k) == least) is (k == 1)


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_the_steps_of_the_proof_that_the_repair_is_a_contextual_mapping(data):
    """(ii) and (iv) of the findings' proof: residues, sizes and identities, of two contexts; units of delta."""
    d, n, N = data.draw(st.sampled_from(MANY))
    i = Instance(d, n, N)
    B, P, M = i.B, i.P, i.last_factor
    places = st.lists(st.integers(0, B - 1), min_size=n, max_size=n)
    cs = [data.draw(places), data.draw(places)]
    ls = [[int(i.least_id(t + 1) * N) + c for t, c in enumerate(one)] for one in cs]
    runs = [Recursion(i, tuple(Q(l, N) for l in one)) for one in ls]
    fs = [[int(run.f(t) * N) for t in range(1, n + 1)] for run in runs]
    Fs = [[int(run.f_0(k) * N) for k in range(n + 1)] for run in runs]
    for l, f, F in zip(ls, fs, Fs, strict=True):
        assert all(value % B**n == 0 for value in F)
        assert all((a + (B - 1) * b) % B**n == 0 for a, b in zip(f, l, strict=True))
        assert F[n] == F[n - 1] + B**n * (f[n - 1] - f[0])
    Dl, Df, DF = ([a - b for a, b in zip(*both, strict=True)] for both in (ls, fs, Fs))
    G = [value // B**n for value in DF]
    assert B * DF[n] == (B ** (n + 1) + 1) * Df[n - 1] + (B - 1) * Dl[n - 1] + B ** (n + 1) * (B - 1) * Dl[0]
    assert G[n] == P * G[n - 1] + (B - 1) * (Dl[0] - Dl[n - 1])
    assert all(G[k] == P * G[k - 1] - (B - 1) * Dl[k - 1] - Dl[k] for k in range(1, n))
    for t in range(1, n):  # tokens before the last
        assert abs(Df[t - 1]) <= B * (B - 1) * P ** (n - 2) + (B - 1) ** 2 < M
    if d == 1:  # the one case in which residues of the ids don't tell two places apart
        e = fs[0][0] - fs[1][n - 1]
        assert (e + (B - 1) * (cs[0][0] - cs[1][n - 1]) - (B - 1) * B**n) % B ** (n + 1) == 0
        assert M % B ** (n + 1) == 0
    for one in range(1, n + 1):
        for two in range(one + 1, n + 1):
            same = (int(i.least_id(one) * N) - int(i.least_id(two) * N)) % B**n == 0
            assert same is (d == 1 and (one, two) == (1, n))
    for k in range(1, n):
        most = (B - 1) * i.largest_id(k) + i.largest_id(k + 1)
        assert most <= (Q(3 * B * (B - 1), 2) if k == 1 else 2 * B ** (k + 1))


def graphs_with_the_star(n):
    """All of them, the global token with itself among its neighbours and without."""
    others = [
        [{0, i, *more} for k in range(n) for more in combinations(set(range(1, n + 1)) - {i}, k)]
        for i in range(1, n + 1)
    ]
    for itself in ((), (0,)):
        for graph in product(*others):
            yield ((*itself, *range(1, n + 1)), *map(tuple, map(sorted, graph)))


@pytest.mark.parametrize("size", SMALL, ids=str)
def test_more_edges_change_the_last_layers_alone(size):
    """Over every graph that has the star: phases go as over the star, and the mapping is contextual."""
    cases, i = contexts(*size), Instance(*size)
    for graph in graphs_with_the_star(i.n):
        hears_one_before_it = any(0 < j < t for t in range(1, i.n + 1) for j in graph[t])
        sweeps = tuple(replace(sweep, graph=graph) for sweep in mended(i))
        runs = [Run(i, context.X, sweeps) for context in cases]
        for run, context in zip(runs, cases, strict=True):
            assert [s.after for s in run.stages[:-1]] == [s.after for s in context.mended.stages[:-1]]
            assert run.last.shifts == (0, *(1,) * i.n)
            assert (run.q != context.mended.q) is hears_one_before_it
        assert len({entry for run in runs for entry in run.q}) == i.n * len(runs)


def last_layer(i):
    """Every token gets delta^-(n^2 d) u^T x_0: its head's keys are the last coordinate, which is 0 but for token 0."""
    flag, e_1 = (*(Q(0),) * i.d, Q(1)), ((Q(i.last_factor),), *((Q(0),),) * i.d)
    return SparseHead(e_1, (i.u,), (flag,), (Q(0),), (i.u,), (Q(0),))


@pytest.mark.parametrize("size", SMALL, ids=str)
def test_one_last_layer_serves_every_graph_that_contains_the_star(size):
    """The page's second theorem: the phases go as over the star, and q_i = f_i + delta^-(n^2 d) f~_0^n."""
    cases, i = contexts(*size), Instance(*size)
    for graph in graphs_with_the_star(i.n):
        sweeps, layer, seen = (
            [replace(s, graph=graph) for s in mended(i)[:-1]],
            SparseAttention((last_layer(i),), graph),
            [],
        )
        for context in cases:
            run, mended_run = Run(i, context.X, sweeps), context.mended
            assert [stage.after for stage in run.stages] == [stage.after for stage in mended_run.stages[:-1]]
            _, *q = ids_of(i, layer.apply(run.stages[-1].moves[-1].X))
            f, F_n = run.stages[-1].after[1:], run.stages[-1].after[0]
            assert q == [f_i + i.last_factor * F_n for f_i in f]
            seen += q
        assert len(set(seen)) == i.n * len(cases)


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_the_step_of_the_proof_that_is_another_with_one_last_layer(data):
    """For i = j = n: M (F_n - F'_n) = -(f_n - f'_n), not 0, is impossible by size; units of delta."""
    d, n, N = data.draw(st.sampled_from(MANY))
    i = Instance(d, n, N)
    B, M = i.B, i.last_factor
    assert 2 * (B - 1) ** 2 < M
    assert Q(B**n) + Q(1, B) < 2 * (Q(B**n) + Q(1, B) - Q(1, M))
    places = st.lists(st.integers(0, B - 1), min_size=n, max_size=n)
    one, two = (Recursion(i, tuple(i.least_id(t + 1) + Q(c, N) for t, c in enumerate(data.draw(places)))) for _ in "12")
    e, DF = ((one.f(n) - two.f(n)) * N, (one.f_0(n) - two.f_0(n)) * N)
    assert abs(DF) >= (B**n + Q(1, B)) * abs(e) - Q((B - 1) ** 2, B) - B**n * (B - 1) ** 2


# What holds of all sizes: the readings, invariant 2, and Lemma 1's indicator.


def test_in_every_reading_token_1_forgets_token_2():
    """Findings, 2: it ends at l_1 or at B x - (B - 1) l_1, x = u^T x_0, whatever the other tokens are."""
    over_the_star = [(size, star(size[1])) for size in SMALL]
    for size, graph in [*over_the_star, *(((1, 2, 2), graph) for graph in graphs_with_the_star(2))]:
        i = Instance(*size)
        for reading in readings():
            x, ends = start_of(i, reading), {}
            sweeps = tuple(replace(sweep, graph=graph) for sweep in printed(i, reading))
            for columns in truth.contexts(*size, reading.grid):
                X = i.matrix(tuple(tuple(Q(a.numerator, a.denominator) for a in c) for c in columns), x)
                l_1, q_1 = ids_of(i, X)[1], Run(i, X, sweeps).q[0]
                moved = l_1 >= 1 and not reading.low
                assert q_1 == (i.B * x - (i.B - 1) * l_1 if moved else l_1)
                ends.setdefault(columns[0], set()).add(q_1)
            assert all(len(values) == 1 for values in ends.values())


def test_no_later_window_has_token_1_at_any_size():
    """The five inequalities of that proof: where l_1 and B x - (B - 1) l_1 are, and where the windows."""
    for i in (Instance(*size) for size in MANY):
        B, n, most = i.B, i.n, max(i.spread, Q(i.ones))  # the largest l_1, on either grid
        assert most <= B - 1
        for x in (B**n, B ** (n + 1)):
            assert x > B  # the global token isn't in low shift 1
            low, high = B * x - (B - 1) ** 2, B * x - (B - 1)  # f_1 of an l_1 from 1 to B - 1
            assert low > B**n  # the last low shift's end, where they begin at delta^-(k-1)d
            assert high < B ** (n + 1) or low > B ** (n + 1) + i.delta  # S_0, T_0
            assert high < i.S(1)  # where the last layers begin
        assert all(i.S(k) > i.T(k) for k in range(1, n + 1))  # the other high shifts are empty, with an end too


def test_invariant_2_holds_with_the_other_start():
    """Of the recursion from f~_0^0 = delta^-(n+1)d: T_(k-1) <= f_k < S_k; and the bounds of the page's proof."""
    for i in (Instance(*size) for size in MANY):
        B, n, P = i.B, i.n, i.P
        for l in (i.least_id, i.largest_id):
            F = Q(B ** (n + 1))
            for k in range(1, n + 1):
                f = B * F - (B - 1) * l(k)
                assert i.T(k - 1) <= f < i.S(k)
                assert (
                    f
                    <= P ** (k - 1) * B ** (n + 2)
                    <= P ** (k - 1) * (B ** (2 * n + 1) - B ** (n + 1) - 4 * B)
                    < i.S(k)
                )
                assert (
                    k == 1
                    or i.T(k - 1) <= P ** (k - 1) * B**n <= Q(3, 7) * P ** (k - 1) * B ** (n + 2) - B ** (k + 1) < f
                )
                F = P * F - B**n * ((B - 1) * l(k) + l(k + 1))
        assert B ** (n + 1) - (B - 1) * i.least_id(1) < i.T(0)  # with the printed start it fails at k = 1


def f_bar(X, N, f):
    """Lemma 1's piecewise constant function, as it is printed."""
    grid = product([Fraction(k, N) for k in range(N)], repeat=len(X))
    return sum(f(P) for P in grid if all(max(x - p, 0) <= Fraction(1, N) for x, p in zip(X, P, strict=True)))


@pytest.mark.parametrize(("entries", "N"), [(2, 2), (2, 5), (3, 3), (4, 2)])
def test_the_indicator_of_lemma_1_is_true_of_every_grid_point_above(entries, N):
    """Of f = 1 everywhere f-bar counts them; the distance for p = 1 is ((N+1)/2)^(dn) - 1, and grows with N."""
    inside = [Fraction(2 * k + 1, 2 * N) for k in range(N)]
    counts = [f_bar(X, N, lambda _: 1) for X in product(inside, repeat=entries)]
    assert Fraction(sum(abs(c - 1) for c in counts), N**entries) == Fraction(N + 1, 2) ** entries - 1
    if (entries, N) == (2, 2):
        assert counts == [4, 2, 2, 1]


def test_four_relus_are_half_a_jump_away_in_the_sup_norm():
    """Lemma 5 at p = infinity, phi = 1 from c = 1/2 on: in the middle of the strip phi~ is 1/2 and phi 0."""
    for eps in (Fraction(1, 2), Fraction(1, 1000)):
        c = Fraction(1, 2)
        t = c - eps / 2
        assert max(0, t - c + eps) / eps - max(0, t - c) / eps == Fraction(1, 2)

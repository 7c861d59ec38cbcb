"""Lemma 5: pieces composed by hand, the quantiser against floor arithmetic, and the quantiser broken."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slow_truth import quantized
from verifier.catalogue import choose
from verifier.core.exact import Q, matrix
from verifier.core.layers import FeedForward, PiecewiseLinear
from verifier.core.network import Network
from verifier.papers.yun2020 import quantizer as room
from verifier.papers.yun2020.contextual_map import contextual_map
from verifier.papers.yun2020.instance import Instance
from verifier.papers.yun2020.pieces import IDENTITY, Pieces, then
from verifier.papers.yun2020.quantizer import quantizer, row_layer, row_of
from verifier.run.verify import verify

SMALL = [(1, 2, 2), (1, 2, 3), (1, 3, 3), (2, 2, 2)]
rationals = st.builds(Q, st.integers(-12, 12), st.integers(1, 6))


def test_two_steps_composed_by_hand():
    """phi(t) = -t on [0, 1/2): x + phi(x) is 0 on [0, 1/2), else x; then x + phi(x - 1/2) makes 1/2 of [1/2, 1)."""
    phi = PiecewiseLinear((Q(0), Q(1, 2)), ((0, 0), (-1, 0), (0, 0)))
    once = then(IDENTITY, phi, Q(0))
    assert once == Pieces((Q(0), Q(1, 2)), ((1, 0), (0, 0), (1, 0)), (Q(0), Q(1, 2)))
    twice = then(once, phi, Q(-1, 2))
    assert twice.breaks == (0, Q(1, 2), 1)
    assert twice.lines == ((1, 0), (0, 0), (0, Q(1, 2)), (1, 0))
    assert twice.values == (0, Q(1, 2), 1)
    assert list(twice.on(Q(0), Q(1, 2))) == [(0, 0), (0, 0)]
    assert list(twice.on(None, Q(0))) == [(1, 0)]
    assert list(twice.on(Q(1, 2), None)) == [(0, Q(1, 2)), (0, Q(1, 2)), (0, 1), (1, 0)]


def value(f, x):
    """f(x), by the lines and values of its pieces."""
    if x in f.breaks:
        return f.values[f.breaks.index(x)]
    slope, intercept = f.lines[sum(c < x for c in f.breaks)]
    return slope * x + intercept


lines = st.tuples(rationals, rationals)
functions = st.lists(rationals, unique=True, max_size=3).flatmap(
    lambda breaks: st.builds(
        PiecewiseLinear,
        st.just(tuple(sorted(breaks))),
        st.tuples(*[lines] * (len(breaks) + 1)),
        st.frozensets(st.sampled_from(breaks)) if breaks else st.just(frozenset()),
    )
)


@given(st.lists(st.tuples(functions, rationals), max_size=4), rationals)
def test_composed_pieces_are_the_functions_one_after_the_other(steps, x):
    f = IDENTITY
    for phi, shift in steps:
        f = then(f, phi, shift)
    for point in (x, *f.breaks, *(c + Q(1, 10**9) for c in f.breaks), *(c - Q(1, 10**9) for c in f.breaks)):
        expected = point
        for phi, shift in steps:
            expected = expected + phi(expected + shift)
        assert value(f, point) == expected


@pytest.mark.parametrize("parts", SMALL)
@given(data=st.data())
def test_the_quantiser_is_floor_arithmetic(parts, data):
    d, n, N = parts
    entries = st.one_of(rationals, st.builds(Q, st.integers(-1, N + 1), st.just(N)))
    X = [[data.draw(entries) for _ in range(n)] for _ in range(d)]
    expected = quantized(d, n, N, [[Fraction(str(x)) for x in row] for row in X])
    output = quantizer(Instance(*parts)).run(matrix(X))
    assert output == matrix([[Q(y.numerator, y.denominator) for y in row] for row in expected])


def test_the_layers_of_a_small_quantiser():
    g_q = quantizer(Instance(2, 2, 3))
    assert (len(g_q), g_q.size.r) == (8, 1)
    assert [row_of(layer) for layer in g_q.layers] == [0] * 4 + [1] * 4
    assert g_q.run(matrix([[Q(-1, 9), Q(1, 3)], [Q(2, 3), 1]])) == matrix([[-81, Q(1, 3)], [Q(2, 3), -81]])


def test_a_layer_of_two_rows_is_of_no_row():
    phi = PiecewiseLinear((), ((1, 0),))
    assert row_of(row_layer(2, 1, Q(3), phi)) == 1
    for W_1, W_2, b_2 in [
        (((1, 1),), ((1,), (0,)), (0, 0)),
        (((1, 0),), ((0,), (1,)), (0, 0)),
        (((2, 0),), ((1,), (0,)), (0, 0)),
        (((1, 0),), ((1,), (0,)), (0, 1)),
    ]:
        assert row_of(FeedForward(W_1, (0,), W_2, b_2, phi)) is None
    assert row_of("layer") is None


def with_pieces(layer, breaks, pieces, **more):
    return row_layer(len(layer.W_2), row_of(layer), layer.b_1[0], PiecewiseLinear(breaks, pieces, **more))


def without(k):
    return lambda g_q: g_q.without_layer(k)


def changed(k, change):
    return lambda g_q: g_q.with_layer(k, change(g_q.layers[k]))


ONE_THIRD, ZERO, DOWN, AWAY = Q(1, 3), (0, 0), (-1, 0), (-1, -81)

# At (2, 2, 3): the first row's layers are 0 (away), 1, 2, 3 (k = 0, 1/3, 2/3), the second's 4 to 7.
MUTANTS = {
    "a step missing": (without(2), "lemma5.quantizes lemma5.layers"),
    "the layer that sends away missing": (without(4), "lemma5.quantizes lemma5.layers"),
    "away from 1 on, but not 1": (
        changed(0, lambda l: with_pieces(l, (0, 1), (AWAY, ZERO, AWAY), left_owned=frozenset([Q(1)]))),
        "lemma5.quantizes",
    ),
    "away at 0 too": (
        changed(0, lambda l: with_pieces(l, (0, 1), (AWAY, ZERO, AWAY), left_owned=frozenset([Q(0)]))),
        "lemma5.quantizes",
    ),
    "a window closed on the right": (
        changed(3, lambda l: with_pieces(l, (0, ONE_THIRD), (ZERO, DOWN, ZERO), left_owned=frozenset([ONE_THIRD]))),
        "",
    ),
    "the first window closed on the right": (
        changed(1, lambda l: with_pieces(l, (0, ONE_THIRD), (ZERO, DOWN, ZERO), left_owned=frozenset([ONE_THIRD]))),
        "lemma5.quantizes",
    ),
    "a window too narrow": (
        changed(1, lambda l: with_pieces(l, (0, Q(1, 4)), (ZERO, DOWN, ZERO))),
        "lemma5.quantizes",
    ),
    "a step of slope -2": (
        changed(5, lambda l: with_pieces(l, (0, ONE_THIRD), (ZERO, (-2, 0), ZERO))),
        "lemma5.quantizes",
    ),
    "another sentinel": (
        changed(0, lambda l: with_pieces(l, (0, 1), ((-1, -80), ZERO, (-1, -80)))),
        "lemma5.quantizes",
    ),
    "a layer that reads the other row": (
        changed(1, lambda l: FeedForward(((0, 1),), l.b_1, l.W_2, l.b_2, l.phi)),
        "lemma5.quantizes",
    ),
    "an activation of four pieces": (
        changed(1, lambda l: with_pieces(l, (0, Q(1, 6), ONE_THIRD), (ZERO, DOWN, DOWN, ZERO))),
        "lemma5.activations",
    ),
    "an activation without a constant piece": (
        changed(1, lambda l: with_pieces(l, (0, ONE_THIRD), ((1, 0), DOWN, (1, 0)))),
        "lemma5.activations lemma5.quantizes",
    ),
    "two hidden nodes": (
        changed(
            1,
            lambda l: FeedForward(l.W_1 * 2, l.b_1 * 2, tuple((x, 0) for (x,) in l.W_2), l.b_2, l.phi),
        ),
        "lemma5.layers lemma5.quantizes",
    ),
    "a layer doubled": (lambda g_q: Network((*g_q.layers[:2], *g_q.layers[1:])), "lemma5.layers"),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_broken_quantiser_is_refuted(monkeypatch, name):
    breaks, refutes = MUTANTS[name]
    g = contextual_map(Instance(2, 2, 3))
    broken = breaks(quantizer(g.instance))
    monkeypatch.setattr(room, "quantizer", lambda _: broken)
    assert set(verify(g, ["lemma5"]).refuted) == set(refutes.split())


def test_every_claim_of_lemma_5_is_refuted_by_some_mutant():
    refuted = {claim for _, refutes in MUTANTS.values() for claim in refutes.split()}
    assert refuted == {claim.id for claim in choose(["lemma5"])}


@pytest.mark.parametrize("parts", [*SMALL, (1, 3, 2), (3, 2, 2)])
def test_the_quantiser_holds_on_every_piece(parts):
    d, _, N = parts
    result = verify(contextual_map(Instance(*parts)), ["lemma5"])
    assert [finding.verdict for finding in result.findings] == ["holds"] * 3
    assert [finding.cases for finding in result.findings] == [d * (N + 2), d * (N + 1), 1]


def test_of_a_variant_nothing_is_said():
    result = verify(contextual_map(Instance(1, 2, 2), sentinel=Q(-5)), ["lemma5", "lemma7", "prop4", "lemma8"])
    assert {(f.verdict, f.cases, f.why) for f in result.findings} == {
        ("skipped", 0, "checked of the paper's own construction only")
    }

"""Lemma 7: the value map by hand, against a dictionary on all of G+, and broken."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import slow_truth
from verifier.catalogue import choose
from verifier.core.exact import NotExact, Q, columns_of, matrix
from verifier.core.layers import FeedForward, PiecewiseLinear
from verifier.core.network import Network
from verifier.papers.yun2020 import value_map as room
from verifier.papers.yun2020.contextual_map import contextual_map
from verifier.papers.yun2020.instance import Instance
from verifier.papers.yun2020.value_map import (
    ValueMap,
    chain_map,
    chain_targets,
    clear,
    images,
    reject,
    small_map,
    small_targets,
    value_map,
    window,
)
from verifier.run.verify import verify

SMALL = [(1, 2, 2), (1, 2, 3), (1, 3, 3), (2, 2, 2)]


def test_the_keys_of_the_smallest_instance_by_hand():
    """[0, 1/2]: shifts make 1, 3/2; then 8 . 3/2 = 12 is added. The zero matrix stays 0; M is at (-4, 1/2)."""
    known = images(Instance(1, 2, 2))
    assert [(c.L, c.image, c.keys) for c in known.contexts] == [
        (((0, Q(1, 2)),), ((13, Q(27, 2)),), (13, Q(27, 2))),
    ]
    # (-4, 1/2): 1/2 + 2 . 9/2 = 19/2; 8 . 19/2 + 19/2 = 171/2
    assert Q(171, 2) == known.M


def test_the_layers_of_the_smallest_value_map_by_hand():
    i = Instance(1, 2, 2)
    g_v = value_map(i, lambda _: ((7, Q(-3)),)).network
    assert len(g_v) == 4
    assert [layer.W_2 for layer in g_v.layers] == [((Q(-173, 2),),), ((1,),), ((-6,),), ((Q(-33, 2),),)]
    assert [layer.b_1 for layer in g_v.layers] == [(0,), (0,), (-13,), (Q(-27, 2),)]
    assert g_v.run(matrix([[13, Q(27, 2)]])) == ((7, -3),)
    assert g_v.run(matrix([[Q(171, 2), -40]])) == ((0, 0),)


def test_the_edges_of_the_windows():
    i = Instance(1, 2, 2)  # t_l = 8, t_r = 16, both taken in
    phi = reject(i, Q(0)).phi
    assert [phi(t) for t in (Q(31, 4), Q(8), Q(16), Q(65, 4))] == [1, 0, 0, 1]
    assert [window(i)(t) for t in (Q(-3, 8), Q(-1, 4), Q(0), Q(1, 8), Q(1, 4))] == [0, 1, 1, 1, 0]
    assert clear(2, 1).apply(matrix([[-1, 2], [-1, 2]])) == ((-1, 2), (0, 2))


def test_the_two_kinds_of_targets():
    i = Instance(1, 2, 3)
    keys = [key for c in images(i).contexts for key in c.keys]
    chained = [x for c in images(i).contexts for x in chain_targets(i)(c.L)[0]]
    assert chained == [*keys[1:], 0]
    small = [x for c in images(i).contexts for x in small_targets(i)(c.L)[0]]
    assert small == [Q(k, 3) for k in (-1, 0, 1, 2, -2, -1)]
    j = Instance(2, 2, 2)
    first = images(j).contexts[0].L
    assert columns_of(small_targets(j)(first)) == ((Q(-1, 2), 0), (0, Q(1, 2)))
    assert columns_of(chain_targets(j)(first)) == (
        (images(j).contexts[0].keys[1], 0),
        (images(j).contexts[1].keys[0], 0),
    )


def fractions(X):
    return [[Fraction(str(x)) for x in row] for row in X]


def exact_matrix(X):
    return matrix([[Q(x.numerator, x.denominator) for x in row] for row in X])


def table_of(targets):
    """(the set of L's columns, a column) -> its target, for slow_truth."""
    table = {}
    for L, A in targets.items():
        columns, images_ = (list(zip(*fractions(X), strict=True)) for X in (L, A))
        table |= {(frozenset(columns), c): a for c, a in zip(columns, images_, strict=True)}
    return table


@pytest.mark.parametrize("parts", SMALL)
def test_the_value_map_is_a_dictionary_on_all_of_g_plus(parts):
    g_v = small_map(Instance(*parts))
    table = table_of(g_v.targets)
    for X in slow_truth.g_plus(*parts):
        output = g_v.network.run(exact_matrix(slow_truth.g_c(*parts, X)[-1]))
        assert output == exact_matrix(slow_truth.looked_up(X, table))


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(SMALL), st.data())
def test_any_targets_far_from_the_keys_are_reached(parts, data):
    i = Instance(*parts)
    bound = 4  # the ids of the targets are far below t_l - delta/2
    entry = st.integers(-4, 4).map(lambda k: Q(k, bound))
    columns = {c.L: matrix([[data.draw(entry) for _ in range(i.n)] for _ in range(i.d)]) for c in images(i).contexts}
    g_v = value_map(i, columns.__getitem__)
    for context in images(i).contexts:
        assert g_v.network.run(context.image) == columns[context.L]


def test_targets_of_another_shape_and_floats_are_turned_away():
    with pytest.raises(ValueError, match=r"a 1 x 1 matrix; a target at .* takes 1 x 2"):
        value_map(Instance(1, 2, 2), lambda _: ((1,),))
    with pytest.raises(NotExact, match="float"):
        value_map(Instance(1, 2, 2), lambda _: ((0.5, 1),))


def test_without_keys_every_matrix_is_rejected():
    assert len(chain_map(Instance(1, 3, 2)).network) == 2


@pytest.mark.parametrize("parts", [*SMALL, (1, 2, 4), (1, 3, 4)])
def test_what_lemma_7_says_and_what_not(parts):
    result = verify(contextual_map(Instance(*parts)), ["lemma7"])
    assert result.refuted == ["lemma7.map"]
    assert result["lemma7.map"].failing == result["lemma7.map"].cases == result.coverage["category1"].orbits
    assert result["lemma7.reject"].cases == result.coverage["total"].orbits - result.coverage["category1"].orbits


def test_the_smallest_counterexample_by_hand():
    """Keys 13 and 27/2: the first token's target is (27/2), which the second key's layer maps on to 0."""
    found = verify(contextual_map(Instance(1, 2, 2)), ["lemma7.map"])["lemma7.map"].counterexample
    assert (found.relation.name, found.relation.value, found.relation.bound) == (
        "column 1 of the output",
        (0,),
        (Q(27, 2),),
    )
    assert found.matrices == (((0, Q(1, 2)),),)


def test_with_more_tokens_than_columns_there_is_no_context():
    result = verify(contextual_map(Instance(1, 3, 2)), ["lemma7"])
    assert [f.verdict for f in result.findings] == ["holds", "vacuous", "vacuous", "holds"]


def test_one_more_layer_serves_any_target():
    """The repair: write every target S lower, where no key is, and add S to the columns below -1/2 at the end."""
    i = Instance(2, 2, 2)
    wanted = chain_targets(i)
    S = 1 + max(images(i).M * 4, Q(0))
    lowered = value_map(i, lambda L: ((wanted(L)[0][0] - S, wanted(L)[0][1] - S), *wanted(L)[1:]))
    phi = PiecewiseLinear((Q(-1, 2),), ((0, 1), (0, 0)))
    back = FeedForward(W_1=(i.u,), b_1=(0,), W_2=((S,), (0,)), b_2=(0, 0), phi=phi)
    g_v = Network((*lowered.network.layers, back))
    g = contextual_map(i)
    for orbit in g.grid.orbits():
        L = g.grid.matrix(orbit)
        expected = wanted(L) if g.grid.category(L) == 1 else ((0, 0), (0, 0))
        assert g_v.run(g.network.run(L)) == expected


def with_phi(layer, breaks, pieces, left_owned=()):
    return replace(layer, phi=PiecewiseLinear(breaks, pieces, frozenset(left_owned)))


def at(k, change):
    return lambda network: network.with_layer(k, change(network.layers[k]))


def all_keys(change):
    """Every key's layer changed, at d = 1: layers 2, 3, ..."""
    return lambda network: Network((*network.layers[:2], *map(change, network.layers[2:])))


def moved_centre(amount):
    return lambda layer: replace(layer, b_1=(layer.b_1[0] + amount,))


ZERO, ONE = (Q(0), Q(0)), (Q(0), Q(1))

# At (1, 2, 3): delta = 1/3, t_l = 54, t_r = 162; 6 keys, 8 layers: reject, clear, the keys. The least key is t_l + 1/3
# or more, and the smallest targets' ids are at most 2/3.
MUTANTS = {
    "no reject layer": (lambda network: network.without_layer(0), "lemma7.reject lemma7.layers"),
    "no clearing layer": (lambda network: network.without_layer(1), "lemma7.reject lemma7.layers"),
    "a key's layer missing": (lambda network: network.without_layer(4), "lemma7.map-bounded lemma7.layers"),
    "a key's layer doubled": (
        lambda network: Network((*network.layers[:5], *network.layers[4:])),
        "lemma7.layers",
    ),
    "the reject window ends at the least key": (
        at(0, lambda l: with_phi(l, (l.phi.breaks[0], KEYS[0]), (ONE, ZERO, ONE), [KEYS[0]])),
        "lemma7.map-bounded",
    ),
    "the reject window shifted up": (
        at(0, lambda l: with_phi(l, (KEYS[1], 1000), (ONE, ZERO, ONE))),
        "lemma7.reject lemma7.map-bounded",
    ),
    "the reject window everywhere": (at(0, lambda l: with_phi(l, (), (ZERO,))), "lemma7.reject"),
    "M too small": (at(0, lambda l: replace(l, W_2=((-100,),))), "lemma7.reject"),
    "M one smaller": (at(0, lambda l: replace(l, W_2=((l.W_2[0][0] + 1,),))), ""),
    "M two smaller": (at(0, lambda l: replace(l, W_2=((l.W_2[0][0] + 2,),))), "lemma7.reject"),
    "every centre moved up by delta": (all_keys(moved_centre(Q(-1, 3))), "lemma7.map-bounded"),
    "every centre moved by delta/2": (all_keys(moved_centre(Q(-1, 6))), ""),
    "every centre moved by delta/2 the other way": (all_keys(moved_centre(Q(1, 6))), "lemma7.map-bounded"),
    "windows too wide": (
        all_keys(lambda l: with_phi(l, (-1000, 1000), (ZERO, ONE, ZERO))),
        "lemma7.reject lemma7.map-bounded",
    ),
    "a target written with the other sign": (
        at(3, lambda l: replace(l, W_2=tuple((-x,) for (x,) in l.W_2))),
        "lemma7.map-bounded",
    ),
}
KEYS = sorted(key for context in images(Instance(1, 2, 3)).contexts for key in context.keys)


def broken(monkeypatch, change):
    """Both value maps changed alike."""
    for name in ("chain_map", "small_map"):
        whole = getattr(room, name)

        def mutant(instance, whole=whole):
            g_v = whole(instance)
            return ValueMap(change(g_v.network), g_v.targets)

        monkeypatch.setattr(room, name, mutant)


@pytest.mark.parametrize("name", MUTANTS)
def test_a_broken_value_map_is_refuted(monkeypatch, name):
    change, refutes = MUTANTS[name]
    broken(monkeypatch, change)
    result = verify(contextual_map(Instance(1, 2, 3)), ["lemma7", "prop4.network-bounded"])
    wanted = set(refutes.split())
    if wanted - {"lemma7.layers"}:
        wanted.add("prop4.network-bounded")
    assert set(result.refuted) - {"lemma7.map"} == wanted


def test_a_clearing_layer_of_one_row_is_missed_too(monkeypatch):
    broken(monkeypatch, lambda network: network.without_layer(2))
    assert {"lemma7.reject", "prop4.network"} <= set(verify(contextual_map(Instance(2, 2, 2)), ["all"]).refuted)


def test_the_reject_window_is_closed_on_the_right(monkeypatch):
    """No value is t_r itself; of a window that ends at the largest key, only a closed one keeps it."""
    largest = KEYS[-1]
    for left_owned, refuted in (([largest], []), ([], ["lemma7.map-bounded"])):
        with monkeypatch.context() as patch:
            broken(
                patch, at(0, lambda l, own=left_owned: with_phi(l, (l.phi.breaks[0], largest), (ONE, ZERO, ONE), own))
            )
            assert verify(contextual_map(Instance(1, 2, 3)), ["lemma7.map-bounded"]).refuted == refuted


def test_every_claim_of_lemma_7_is_refuted_by_some_mutant():
    refuted = {claim for _, refutes in MUTANTS.values() for claim in refutes.split()} | {"lemma7.map"}
    assert refuted == {claim.id for claim in choose(["lemma7"])}

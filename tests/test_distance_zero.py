"""Proposition 4 with distance 0: by hand, against a dictionary, on all of R^(d x n), and each claim broken."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import slow_truth
from verifier.catalogue import choose
from verifier.certificate import canonical, certify, content
from verifier.checker.__main__ import main as check
from verifier.core.claim import Collected
from verifier.core.exact import Q, columns_of, matrix
from verifier.core.layers import Attention, FeedForward
from verifier.core.multisets import multisets
from verifier.core.network import Network
from verifier.papers.yun2020 import distance_zero as room
from verifier.papers.yun2020.claims import distance_zero as claims
from verifier.papers.yun2020.contextual_map import contextual_map
from verifier.papers.yun2020.instance import Instance
from verifier.run.verify import verify

SMALL = [(1, 2, 2), (1, 3, 2), (2, 2, 2), (1, 3, 3)]


def at(*parts, names="exact"):
    return verify(contextual_map(Instance(*parts)), names)


# By hand, at (1, 2, 2): C = 1, the codes 1 and 3, S = F = 9.


@pytest.mark.parametrize(
    ("X", "keys"),
    [
        ([0, Q(1, 2)], [1 + 9 * 4, 3 + 9 * 4]),
        ([Q(1, 2), 0], [3 + 9 * 4, 1 + 9 * 4]),
        ([0, 0], [1 + 9 * 2] * 2),
        ([Q(1, 2), Q(1, 2)], [3 + 9 * 6] * 2),
        ([0, 9], [1 + 9 * 10, 9 + 9 * 10]),
        ([9, 9], [9 + 9 * 18] * 2),
    ],
)
def test_keys_by_hand(X, keys):
    i = Instance(1, 2, 2)
    assert room.contextual(i).run(matrix([X])) == matrix([keys])
    assert (room.unit(i), room.code(i, 0), room.code(i, 1), room.sentinel(i), room.border(i)) == (1, 1, 3, 9, 81)


def test_the_digits_of_a_key_spell_its_context():
    """In base n+1: B digits of which column it is, B of how often each occurs."""
    i = Instance(2, 3, 2)
    for context in room.contexts(i):
        for k in context:
            number = int(room.key(i, context, k)) // room.unit(i)
            digits = [number // 4**place % 4 for place in range(8)]
            assert digits == [int(k == c) for c in range(4)] + [context.count(c) for c in range(4)]


def test_the_columns_are_numbered_by_their_ids():
    i = Instance(2, 2, 3)
    assert [sum(x * 3**row for row, x in enumerate(c)) * 3 for c in room.columns(i)] == list(range(9))


# Against a dictionary, for any targets


def looked_up(parts, target, X):
    """Floors, and a dictionary; 0 where an entry is outside [0, 1)."""
    d, n, N = parts
    rows = [[Fraction(x.numerator, x.denominator) for x in row] for row in X]
    if any(not 0 <= x < 1 for row in rows for x in row):
        return matrix([[0] * n] * d)
    numbers = [sum(int(row[j] * N) * N**k for k, row in enumerate(rows)) for j in range(n)]
    return tuple(zip(*(target(tuple(sorted(numbers)), k) for k in numbers), strict=True))


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data(), parts=st.sampled_from([(1, 2, 2), (1, 3, 2), (2, 2, 2)]))
def test_every_point_has_the_value_of_any_target(data, parts):
    d, n, _ = parts
    numbers = st.integers(-3000, 3000)
    seeds = data.draw(st.lists(numbers, min_size=4, max_size=4))

    def target(context, k):
        return tuple(Q(seeds[row] * (1 + sum(context)) + seeds[row + 1] * k, 7) for row in range(d))

    network = room.distance_zero(Instance(*parts), target).network
    entries = st.builds(Q, st.integers(-3, 15), st.just(12))
    X = matrix(data.draw(st.lists(st.lists(entries, min_size=n, max_size=n), min_size=d, max_size=d)))
    assert network.run(X) == looked_up(parts, target, X)


@pytest.mark.parametrize("parts", SMALL)
def test_every_claim_holds_and_every_case_is_counted(parts):
    d, n, N = parts
    result, B = at(*parts), N**d
    assert {finding.verdict for finding in result.findings} == {"holds"}
    orbits, of_G = multisets((N + 1) ** d, n), multisets(B, n)
    assert [finding.cases for finding in result.findings] == [
        d * (N + 2),
        (N + 1) ** d,
        of_G,
        orbits - of_G,
        orbits,
        orbits,
        1,
        1,
        multisets((N + 4) ** d, n),
    ]


@pytest.mark.parametrize("parts", [*SMALL, (1, 2, 4), (1, 4, 2), (2, 2, 3)])
def test_the_checker_reads_it_the_same_way(parts, tmp_path, capsys):
    path = tmp_path / "c.json"
    path.write_bytes(certify(at(*parts, names="exact,theorem2.sentinel-above,lemma9.last-first")))
    assert check([str(path)]) == 0, capsys.readouterr().out


def test_the_plain_network_off_the_grid_is_that_of_plain_fractions():
    """(1, 2, 2), each layer written out once more, at points of all kinds."""
    i = Instance(1, 2, 2)
    exact, network = room.chain(i), room.chain(i).network
    places = [((0, 0), 0), ((0, 1), 0), ((0, 1), 1), ((1, 1), 1)]
    keys = {((0, 0), 0): 19, ((0, 1), 0): 37, ((0, 1), 1): 39, ((1, 1), 1): 57}
    targets = dict(zip(places, [37, 39, 57, 0], strict=True))
    for a, b in product([Fraction(k, 8) for k in range(-2, 11)], repeat=2):
        x = [9 if not 0 <= t < 1 else Fraction(int(2 * t), 2) for t in (a, b)]
        x = [{Fraction(0): 1, Fraction(1, 2): 3}.get(t, t) for t in x]
        x = [t + 9 * sum(x) for t in x]
        M = 9 * 2 * 19
        x = [max(0, t - (M + 1)) if t >= 81 else t for t in x]
        for place in places:
            x = [
                t + targets[place] - 58 - keys[place]
                if keys[place] - Fraction(1, 4) <= t < keys[place] + Fraction(1, 4)
                else t
                for t in x
            ]
        x = [t + 58 if t < Fraction(-1, 2) else t for t in x]
        X = matrix([[Q(t.numerator, t.denominator) for t in (a, b)]])
        assert network.run(X) == matrix([[Q(Fraction(t).numerator, Fraction(t).denominator) for t in x]])
    assert exact.target((0, 1), 1) == (57,)


# Broken, in each of its parts


def broken(change):
    def build(i):
        return change(REAL(i))

    return build


REAL = room.chain


def one_weight_more(layer):
    return replace(layer, b_2=tuple(x + 10**12 for x in layer.b_2))


def with_head(exact, **changes):
    layer = exact.contextual.layers[-1]
    (head,) = layer.heads
    other = Attention((replace(head, **changes),))
    return replace(exact, contextual=exact.contextual.with_layer(len(exact.contextual) - 1, other))


def half_the_factor(exact):
    (head,) = exact.contextual.layers[-1].heads
    return with_head(exact, W_O=tuple(tuple(x / 2 for x in row) for row in head.W_O))


MUTANTS = {
    "a code left out": (
        lambda e: replace(e, contextual=e.contextual.without_layer(1)),
        "exact.codes exact.keys exact.network",
    ),
    "a code for a sentinel too": (
        lambda e: replace(
            e,
            contextual=Network(
                (
                    room.write(
                        e.instance.u, room.sentinel(e.instance), (Q(0),), room.first(1, Q(1)), room.window(e.instance)
                    ),
                    *e.contextual.layers,
                )
            ),
        ),
        "exact.codes",
    ),
    "half the factor": (half_the_factor, "exact.keys exact.sentinel exact.network"),
    "attention that looks": (
        lambda e: with_head(e, W_K=(e.instance.u,), W_Q=(e.instance.u,)),
        "exact.softmax exact.keys",
    ),
    "a bias": (lambda e: with_head(e, b_Q=(Q(1),), W_K=(e.instance.u,)), "exact.softmax"),
    "no rejection": (
        lambda e: replace(e, value_map=e.value_map.without_layer(0)),
        "exact.network exact.layers exact.everywhere",
    ),
    "no clearing": (
        lambda e: replace(e, value_map=e.value_map.without_layer(1)),
        "exact.network exact.layers exact.everywhere",
    ),
    "a value left out": (
        lambda e: replace(e, value_map=e.value_map.without_layer(3)),
        "exact.network exact.layers exact.everywhere",
    ),
    "no end": (
        lambda e: replace(e, value_map=e.value_map.without_layer(-1)),
        "exact.network exact.layers exact.everywhere",
    ),
    "a floor left out": (
        lambda e: replace(e, quantiser=e.quantiser.without_layer(2)),
        "exact.network exact.layers exact.everywhere",
    ),
    "a weight too large": (
        lambda e: replace(e, value_map=Network(tuple(map(one_weight_more, e.value_map.layers)))),
        "exact.weights exact.network exact.everywhere",
    ),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_what_is_broken_is_refuted(name, monkeypatch):
    change, refuted = MUTANTS[name]
    monkeypatch.setattr(room, "chain", broken(change))
    found = at(1, 2, 2).refuted
    assert set(refuted.split()) <= set(found), found


def test_a_quantiser_without_a_step_is_refuted(monkeypatch):
    shorter = room.quantiser(Instance(1, 2, 3)).without_layer(2)
    monkeypatch.setattr(room, "quantiser", lambda _: shorter)
    assert at(1, 2, 3, names="exact.quantizes").refuted == ["exact.quantizes"]


def test_every_claim_is_killed_by_something():
    killed = {claim for _, refuted in MUTANTS.values() for claim in refuted.split()}
    assert killed | {"exact.quantizes"} == {claim.id for claim in choose(["exact"])}


def test_keys_that_meet_are_refuted():
    g = contextual_map(Instance(1, 2, 2))
    for gap, holds in ((Q(0), False), (Q(1, 2), False), (Q(1), True)):
        relations = list(claims._keys_apart(g, Collected({}, [(Q(5), 0), (Q(5) + gap, 1)])))
        assert [relation.holds for relation in relations] == [holds]


def test_strips_that_are_too_wide_are_refuted(monkeypatch):
    monkeypatch.setattr(claims, "strip", lambda i: i.delta)
    g = contextual_map(Instance(1, 2, 2))
    assert not all(relation.holds for relation in claims._separations(g, Collected({}, [])))


def test_the_network_of_relus_is_four_relus_an_activation_and_continuous():
    """As (2) has it: one hidden node of phi is at most four of ReLU; the head has no bias."""
    i = Instance(2, 2, 2)
    for layer in room.chain(i).network.layers:
        if isinstance(layer, FeedForward):
            assert len(claims.relu_form(layer.phi, claims.strip(i)).relus) <= 4
        else:
            assert [(head.b_Q, head.m) for head in layer.heads] == [((0,), 1)]


def test_the_network_of_relus_far_outside_and_beside_the_strips():
    i, eps = Instance(1, 2, 2), Q(1, 8)
    network = claims.standard(i)
    inside = [Q(-1, 100), Q(0), Q(1, 3), Q(3, 7), Q(49, 100), Q(99, 100)]
    for far in (-eps, -1 - eps, Q(-(10**6)), Q(1), Q(10**6)):
        for other in [*inside, far]:
            assert network.run(((far, other),)) == ((0, 0),)
    R = claims.output_bound(i)
    for a, b in product(inside, repeat=2):
        assert max(map(abs, network.run(((a, b),))[0])) <= R


# The other claims that came with it


def test_the_sentinel_above_by_plain_loops():
    """(1, 2, 2): the sentinel 8 beside 1/2; q >= 64 > 16."""
    found = at(1, 2, 2, names="theorem2.sentinel-above")["theorem2.sentinel-above"]
    assert (found.verdict, found.cases) == ("holds", 3)
    (edge,) = [e for e in found.edges if e.relation.name == "min_j q_j"]
    values = []
    for a in (Fraction(0), Fraction(1, 2), Fraction(8)):
        x = [a, Fraction(8)]
        for level in (Fraction(0), Fraction(1, 2)):
            heads = []
            for b in (level - Fraction(1, 4), level + Fraction(1, 4)):
                S = [[x[i] * (x[j] - b) for j in range(2)] for i in range(2)]
                P = slow_truth.sigma_h(S)
                heads.append([sum(x[i] * P[i][j] for i in range(2)) for j in range(2)])
            x = [v + 2 * (p - q) for v, p, q in zip(x, *heads, strict=True)]
        P = slow_truth.sigma_h([[x[i] * x[j] for j in range(2)] for i in range(2)])
        values += [x[j] + 8 * sum(x[i] * P[i][j] for i in range(2)) for j in range(2)]
    assert min(values) == Fraction(str(edge.relation.value)) >= 64


def test_a_sentinel_that_is_not_far_enough_is_refuted(monkeypatch):
    from verifier.papers.yun2020.claims import theorem2

    monkeypatch.setattr(theorem2, "contextual_map", lambda i, **_: contextual_map(i, sentinel=Q(1)))
    assert at(1, 2, 2, names="theorem2.sentinel-above").refuted == ["theorem2.sentinel-above"]


# Excluded readings decide nothing, here and in the checker


def test_an_excluded_reading_fails_and_the_verdict_is_that_of_the_others(tmp_path, capsys):
    result = at(1, 3, 2, names="lemma8")
    assert result["lemma8.radius"].verdict == "refuted"
    assert (result.verdict, result.refuted) == ("holds", ["lemma8.radius"])
    path = tmp_path / "c.json"
    document = content(result)
    path.write_bytes(canonical(document))
    assert check([str(path)]) == 0
    assert "1 excluded reading failing (lemma8.radius)" in capsys.readouterr().out
    path.write_bytes(canonical(document | {"verdict": "refuted"}))
    assert check([str(path)]) == 1
    assert "FORMAT 1, verdict" in capsys.readouterr().out
    (claim,) = (claim for claim in document["claims"] if claim["id"] == "lemma8.radius")
    claim["verdict"] = "holds"  # it still has to be told as it is
    path.write_bytes(canonical(document))
    assert check([str(path)]) == 1


def test_columns_of_what_is_written_are_those_of_the_target():
    exact = room.chain(Instance(2, 2, 2))
    L = matrix([[0, Q(1, 2)], [0, 0]])
    assert columns_of(exact.wanted(L)) == (exact.target((0, 1), 0), exact.target((0, 1), 1))
    assert exact.wanted(matrix([[0, room.sentinel(Instance(2, 2, 2))], [0, 0]])) is None

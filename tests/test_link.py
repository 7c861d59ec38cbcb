"""What running the network's layers needs to know is derived from their definition, and is among each rule's facts."""

import json
import random
from dataclasses import replace
from itertools import combinations_with_replacement, product
from pathlib import Path

import pytest

from verifier.checker.core.comparing import Rejected
from verifier.checker.symbolic import proof, table
from verifier.checker.symbolic.link import (
    AGAIN,
    PAPER,
    PLAIN,
    POSITIONAL,
    POSITIONS,
    QUANTISER,
    SENTINEL,
    Rule,
    State,
    extreme,
    linked,
    shift_alone,
)
from verifier.checker.symbolic.polynomial import formula
from verifier.core.exact import Q, from_columns
from verifier.core.layers import PiecewiseLinear
from verifier.core.network import Network
from verifier.papers.yun2020.contextual_map import contextual_map
from verifier.papers.yun2020.instance import Instance
from verifier.papers.yun2020.positional import bound_after_sweep, positional_map
from verifier.papers.yun2020.positional import quantiser as literal_quantiser
from verifier.papers.yun2020.quantizer import row_of

ASKED_ONCE_MORE = [
    ("layer", "layer.at.lower"),
    ("ids", "row.low"),
    ("ids", "row.id"),
    ("positions-again", "again.order"),
]


def test_the_rules_have_what_the_network_needs_and_nothing_else():
    linked()


@pytest.mark.parametrize(("rule", "name"), ASKED_ONCE_MORE)
def test_a_rule_needs_what_one_that_is_built_on_it_needs_as_well(rule, name, monkeypatch):
    """tests/test_rules.py asks this of every fact of every rule."""
    monkeypatch.setitem(table.RULES, rule, " ".join(set(table.RULES[rule].split()) - {name}))
    with pytest.raises(Rejected, match=f"rule {rule}: .* no fact that says"):
        linked()


def test_so_does_a_claim(monkeypatch):
    monkeypatch.setitem(table.ENOUGH, "c.contextual", table.ENOUGH["c.contextual"] - {"again.order"})
    with pytest.raises(Rejected, match=r"rule c\.contextual: .* no fact that says"):
        linked()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"u": "p[e]"}, r"rule ids: expected v\[e\] = "),
        ({"entry": "w[e] + 1"}, r"rule ids: expected v\[e\] = "),
        ({"sentinel": "-P[n]"}, r"rule sentinels: expected c\[f\] = "),
        ({"first": "1"}, "expected an id from the first level on"),
        ({"first": "-1"}, "expected an id from the first level on"),
        ({"last": "B - 2"}, "expected an id up to the last level"),
        ({"last": "B"}, "no fact that says"),
        ({"layer": (("2*L - 1", "B + 1"), ("2*L + 1", "-B - 1"))}, "moved to the next state's id"),
        ({"layer": (("2*L - 1", "B - 1"), ("2*L + 1", "1 - B"))}, "moved to the next state's id"),
        ({"layer": (("2*L - 1", "B"), ("2*L + 1", "-B - 1"))}, "adds to the ids at its level alone"),
        ({"layer": (("2*L - 1", "B"),)}, "adds to the ids at its level alone"),
        ({"layer": ()}, "moved to the next state's id"),
        ({"layer": (("2*L - 1", "0"), ("2*L + 1", "0"))}, "moved to the next state's id"),
        ({"layer": (("2*L + 1", "B"), ("2*L - 1", "-B"))}, "moved to the next state's id"),
        ({"layer": (("2*L", "B"), ("2*L + 1", "-B"))}, "an id on one side of a threshold"),
        ({"layer": (("2*L - 1", "B"), ("2*L + 2", "-B"))}, "an id on one side of a threshold"),
        ({"layer": (("2*L - 3", "B"), ("2*L + 1", "-B"))}, "an id on one side of a threshold"),
        ({"score": "-I*D"}, "no score ahead"),
        ({"score": "I*I*D"}, "no score ahead"),
        ({"shift": (("0", "P[n]"),)}, "rule lemma6"),
        ({"shift": (("0", "P[n+1] + 1"),)}, "rule lemma6"),
        ({"shift": (("1", "P[n+1]"),)}, "an id on one side of a threshold|the global threshold 0"),
        ({"shift": (("0", "P[n+1]"), ("0", "P[n+1]"))}, "the global threshold 0|rule lemma6"),
        ({"t_l": "P[n]*P[n]*(B - 1) + 1"}, "values from t_l on"),
        ({"t_r": "P[n]*P[n+1]*(B - 1) - 1"}, "values below t_r"),
    ],
)
def test_another_network_is_refused(change, said):
    with pytest.raises(Rejected, match=said):
        linked(replace(PAPER, **change))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"u": "p[e]"}, r"rule blocks: expected id\[e\] = "),
        ({"entry": "w[e]"}, r"rule blocks: expected id\[e\] = "),  # no encodings
        ({"entry": "2*J*N + w[e]"}, r"rule blocks: expected id\[e\] = "),  # 0, 2, 4, ...
        ({"entry": "J*N + N + w[e]"}, r"rule blocks: expected id\[e\] = "),  # 1, 2, 3, ...
        ({"entry": "J + w[e]"}, r"rule blocks: expected id\[e\] = "),
        ({"first": "n*E - j*E", "last": "n*E - j*E + B - 1"}, "from its block's first level on"),  # the last one first
        ({"first": "j*E - E + 1"}, "from its block's first level on"),
        ({"first": "j*B - B", "last": "j*B - 1"}, "from its block's first level on"),
        ({"first": "0", "last": "B - 1"}, "from its block's first level on"),  # the first block alone
        ({"first": "j*E - E - 1"}, "from its block's first level on"),
        ({"last": "j*E - E + B - 2"}, "up to its block's last level"),
        ({"last": "j*E - E + B"}, "up to its block's last level"),
        ({"layer": (("2*L - 1", "B + 1"), ("2*L + 1", "-B - 1"))}, "moved to the next state's id"),
        ({"layer": (("2*L - 1", "B - 1"), ("2*L + 1", "1 - B"))}, "moved to the next state's id"),
        ({"layer": (("2*L + 1", "B"), ("2*L - 1", "-B"))}, "moved to the next state's id"),  # max and min exchanged
        ({"layer": (("2*L - 1", "B"),)}, "adds to the ids at its level alone"),
        ({"layer": ()}, "moved to the next state's id"),
        ({"layer": (("2*L - 3", "B"), ("2*L + 1", "-B"))}, "an id on one side of a threshold"),
        ({"score": "-I*D"}, "no score ahead"),
        ({"shift": ()}, "values from their interval's start on"),
        ({"shift": (("0", "n*P[n+1]"),)}, "values from their interval's start on"),
        ({"shift": (("0", "n*N*P[n]"),)}, "values from their interval's start on"),
        ({"shift": (("0", "n*N*P[n+1]"), ("0", "n*N*P[n+1]"))}, "values from their interval's start on"),
        ({"shift": (("1", "n*N*P[n+1]"),)}, "an id on one side of a threshold"),
        ({"shift": (("2", "n*N*P[n+1]"),)}, "an id on one side of a threshold"),
        ({"bound": "n*P[n+1]"}, "the last id below the bound"),
        ({"bound": "N*P[n+1]"}, "the last id below the bound"),
    ],
)
def test_another_network_with_positions_is_refused(change, said):
    with pytest.raises(Rejected, match=said):
        linked(with_positions=replace(POSITIONAL, **change))


@pytest.mark.parametrize(
    "change",
    [
        {"highest": "l[{next}]", "lowest": "lt[{now}]"},
        {"highest": "l[n]"},
        {"highest": "lt[1]"},
        {"lowest": "l[1]"},
        {"lowest": "l[n]"},
        {"shifted": "l"},
        {"shifted": "t"},
        {"waiting": "k"},
        {"waiting": "lt"},
        {"count": "m"},
    ],
)
def test_another_state_with_positions_is_refused(change):
    with pytest.raises(Rejected, match="SYMBOLIC 5: rule positions"):
        linked(positions=replace(POSITIONS, **change))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"unless": ("3<=n",)}, "every d and n"),
        ({"unless": ("2<=d",)}, "every d and n"),
        ({"unless": ("4<=n", "2<=d")}, "every d and n"),
        ({"unless": ("3<=n", "3<=d")}, "every d and n"),
        ({"unless": ("2<=n", "2<=d")}, "every d and n|shifted ids above every level"),
        ({"where": "1<=d<=1, 3<=n<=3"}, "every d and n"),
        ({"where": "2<=d<=2, 2<=n<=2"}, "every d and n"),
        ({"gap": "b[1] - b[2] - N + 1"}, "shifted ids above every level"),  # that it is never met again
        ({"gap": "b[1] - b[2] - N + 3"}, "shifted ids above every level"),  # that another context is an exception
        ({"gap": "b[1] - N + 2"}, "shifted ids above every level"),
        ({"context": ("b[1] - B + 1", "-1 - b[2]")}, "no other context"),
        ({"context": ("b[1] - B + 1", "-b[2] - b[2]")}, "no other context"),
        ({"context": ("b[1] - B + 1", "1 - b[2]")}, "a number never above 0"),
        ({"context": ("b[1] - B + 1", "b[2]")}, "a number never above 0"),
        ({"context": ("b[1] - B + 2", "-b[2]")}, "a number never above 0"),
        ({"context": ("b[1] - b[2] - N + 1", "-b[2]")}, "a number never above 0"),
        ({"context": ("-b[2]",)}, "column 1 at the last level"),
        ({"context": ()}, "all shifted before the last level"),
        ({"id": "lt[1]"}, "column 1 moved again"),
        ({"id": "lt[2]"}, "column 1 moved again"),
    ],
)
def test_another_exception_is_refused(change, said):
    with pytest.raises(Rejected, match=f"rule positions-again: expected .*({said})"):
        linked(exception=replace(AGAIN, **change))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"left_owned": ("1",)}, "after the windows of the levels below"),  # [0, 1]
        ({"left_owned": ("0",)}, "after its window's start"),  # (0, 1)
        ({"left_owned": ("0", "1")}, "after the windows of the levels below"),
        ({"breaks": ("0", "2")}, "after the windows of the levels below"),
        ({"breaks": ("-1", "1")}, "before the windows of the levels above"),
        ({"breaks": ("1", "2")}, "before the windows of the levels above"),
        ({"breaks": ("0", "0")}, "after the windows of the levels below"),
        ({"phi": ("0", "-t - 1", "0")}, "taken to its lower end"),
        ({"phi": ("0", "1 - t", "0")}, "taken to its lower end"),
        ({"phi": ("0", "t", "0")}, "taken to its lower end"),
        ({"phi": ("0", "-2*t", "0")}, "taken to its lower end"),
        ({"phi": ("0", "0", "0")}, "taken to its lower end"),
        ({"phi": ("-t", "-t", "0")}, "outside the window left as it is"),
        ({"phi": ("0", "-t", "-n*N")}, "outside the window left as it is"),
        ({"first": "1"}, "from the first level on"),
        ({"first": "-1"}, "from the first level on"),
        ({"last": "n*N - 2"}, "up to the last level"),
        ({"last": "n*N"}, "up to the last level"),
        ({"last": "N - 1"}, "up to the last level"),
        ({"layers": "n*N"}, "as many layers"),
        ({"layers": "d*N"}, "as many layers"),
    ],
)
def test_another_quantiser_is_refused(change, said):
    with pytest.raises(Rejected, match=f"rule quantiser: expected .*{said}"):
        linked(rounding=replace(QUANTISER, **change))


@pytest.mark.parametrize(("name", "by"), [("v", "v[e-1] + w[e]"), ("c0", "v[f-1] - P[n]"), ("id", "id[e-1] + w[e]")])
def test_another_definition_is_refused(name, by, monkeypatch):
    monkeypatch.setitem(table.DEFINED, name, replace(table.DEFINED[name], by=formula(by)))
    with pytest.raises(Rejected, match=r"SYMBOLIC 5: rule (ids|sentinels|blocks): expected \w+\[\w\] = "):
        linked()


@pytest.mark.parametrize(("name", "by"), [("l", "j*B - B + b[j]"), ("l", "j*E + b[j]"), ("b", "B - bs[j]")])
def test_so_is_another_id_with_positions(name, by, monkeypatch):
    monkeypatch.setitem(table.DEFINED, name, replace(table.DEFINED[name], by=formula(by)))
    with pytest.raises(Rejected, match=rf"SYMBOLIC 5: rule blocks: expected {name}\[j\] = "):
        linked()


@pytest.mark.parametrize("case", range(2))
def test_so_is_another_row_below_a_sentinel(case, monkeypatch):
    cases = dict(table.CASE["sentinel.bound"])
    name = list(cases)[case]
    cases[name] = replace(cases[name], by=formula("c[e-1]"))
    monkeypatch.setitem(table.CASE, "sentinel.bound", cases)
    with pytest.raises(Rejected, match=r"rule sentinels: expected c\[e\] = "):
        linked()


@pytest.mark.parametrize(
    ("plain", "sentinel"),
    [
        ({"highest": "k[{next}]", "lowest": "t[{now}]"}, {}),
        ({"highest": "k[m]"}, {}),
        ({"lowest": "k[1]"}, {}),
        ({"lowest": "k[m]"}, {}),
        ({"shifted": "r"}, {}),
        ({"shifted": "k"}, {}),
        ({"size": "1<=m<=n"}, {}),
        ({"size": "2<=m<=n+1"}, {}),
        ({}, {"highest": "y", "lowest": "r[{now}]"}),
        ({}, {"shifted": "t", "highest": "t[{now}]"}),
        ({}, {"lowest": "k[{next}]"}),
        ({}, {"idle": "B - N - o - I"}),
        ({}, {"idle": "B - N*P[n] - o - I"}),
        ({}, {"idle": ""}),
        ({}, {"size": "0<=m<=n"}),
    ],
)
def test_another_state_is_refused(plain, sentinel):
    with pytest.raises(Rejected, match="SYMBOLIC 5: rule"):
        linked(PAPER, replace(PLAIN, **plain), replace(SENTINEL, **sentinel))


class NoneBeyond(Rule):
    """Says of every id that it isn't beyond another, and of none that it is another."""

    def need(self, *_):
        return None

    def says(self, *_):
        return False


def test_an_extreme_id_is_one_of_them_and_not_only_beyond_none():
    rule = NoneBeyond("sweep", ())
    assert extreme(rule, PLAIN, 1, "m", "", "") == "t[m]"
    assert extreme(rule, SENTINEL, -1, "j", "j+1", "") == "y"
    with pytest.raises(Rejected, match=r"expected k\[m\]\+1 as an extreme id, found .* it is one of them"):
        extreme(rule, replace(PLAIN, highest="k[m]+1"), 1, "0", "1", "")


@pytest.mark.parametrize("shift", [(("1", "P[n+1]"),), (("0", "P[n+1]"), ("0", "P[n+1]")), ()])
def test_a_single_id_is_at_the_threshold_of_one_head(shift):
    with pytest.raises(Rejected, match="rule global: expected the global threshold 0"):
        shift_alone(Rule("global", ()), replace(PAPER, shift=shift))


@pytest.mark.parametrize(("id_", "found"), [("k[i]", "sweep.min.waiting"), ("I", "cat3.max.before")])
def test_where_ids_are_forgotten_facts_are_left_over(id_, found, monkeypatch):
    families = State.families
    monkeypatch.setattr(State, "families", lambda *at: [one for one in families(*at) if "m" in at or one.id != id_])
    with pytest.raises(Rejected, match=f"expected facts that are needed, found .*{found}"):
        linked()


def value(words, **letters):
    """A polynomial of link.py at an instance."""
    return eval(words, letters)  # noqa: S307


@pytest.mark.parametrize("place", [(1, 2, 2), (1, 3, 2), (2, 2, 3)])
def test_the_network_is_the_literal_one(place):
    """Its thresholds and factors, at an instance and in units of delta, are the weights of `contextual_map`."""
    d, n, N = place
    B = N**d
    g = contextual_map(Instance(d, n, N))

    def heads(layer):
        return [(-2 * N * head.b_Q[0], head.W_O[0][0]) for head in layer.heads]

    letters = {"B": B, "P": {k: B**k for k in range(n + 2)}, "n": n}

    def known(pairs, **more):
        return [tuple(value(words, **letters, **more) for words in pair) for pair in pairs]

    levels = range(value(PAPER.first), value(PAPER.last, B=B) + 1)
    assert [heads(layer) for layer in g.sweep.layers] == [known(PAPER.layer, L=L) for L in levels]
    assert [heads(layer) for layer in g.global_shift.layers] == [known(PAPER.shift)]
    assert (g.interval.low * N, g.interval.high * N) == known([(PAPER.t_l, PAPER.t_r)])[0]
    for head in (head for layer in g.network.layers for head in layer.heads):
        assert head.W_K == head.W_V == head.W_Q
        assert (head.W_V[0][0], *(row[0] for row in head.W_O[1:])) == (1, *[0] * (d - 1))


def of_instance(d, n, N):
    """What the polynomials of the network with positions are made of."""
    B = N**d
    return {"B": B, "N": N, "n": n, "E": sum(N**e for e in range(1, d + 1)), "P": [B**k for k in range(n + 2)]}


def levels_of(letters):
    """Block by block."""
    for j in range(1, letters["n"] + 1):
        first, last = (value(end, j=j, **letters) for end in (POSITIONAL.first, POSITIONAL.last))
        yield from range(first, last + 1)


@pytest.mark.parametrize("place", [(1, 2, 2), (1, 3, 2), (2, 2, 3), (3, 2, 2)])
def test_the_network_with_positions_is_the_literal_one(place):
    """Its thresholds, factors, levels in their order, entries and bound are those of `positional_map`."""
    d, _, N = place
    g, letters = positional_map(Instance(*place)), of_instance(*place)

    def heads(layer):
        return [(-2 * N * head.b_Q[0], head.W_O[0][0]) for head in layer.heads]

    def known(pairs, **more):
        return [tuple(value(words, **letters, **more) for words in pair) for pair in pairs]

    of_levels = [known(POSITIONAL.layer, L=L) for L in levels_of(letters)]
    assert [heads(layer) for layer in g.sweep.layers] == of_levels
    assert [heads(layer) for layer in g.global_shift.layers] == [known(POSITIONAL.shift)]
    assert bound_after_sweep(g.instance) * N == value(POSITIONAL.bound, **letters)
    rows = [value(POSITIONAL.u, p=[N**k for k in range(d)], e=e) for e in range(1, d + 1)]
    for layer in (*g.sweep.layers, *g.global_shift.layers):
        for head in layer.heads:
            assert head.W_K == head.W_V == head.W_Q == (tuple(rows),)
            assert all(row[0] == 0 for row in head.W_O[1:])
    for J, grid in enumerate(g.positions):
        entries = {value(POSITIONAL.entry, J=J, N=N, w={1: w}, e=1) for w in range(N)}
        assert {column[0] * N for column in grid.inner} == entries


def same_quantiser(network, d, n, N):
    """Whether this is, row by row and level by level, what the link has as data."""
    phi = [[value(words, t=t, n=n, N=N) for t in range(3)] for words in QUANTISER.phi]
    lines = tuple((Q(at_1 - at_0), Q(at_0, N)) for at_0, at_1, _ in phi)
    assert all(at_0 + at_2 == 2 * at_1 for at_0, at_1, at_2 in phi)
    levels = range(value(QUANTISER.first), value(QUANTISER.last, n=n, N=N) + 1)
    expected = PiecewiseLinear(
        tuple(Q(int(b), N) for b in QUANTISER.breaks), lines, frozenset(Q(int(b), N) for b in QUANTISER.left_owned)
    )
    found = [(row_of(layer), layer.b_1, layer.phi) for layer in network.layers]
    assert len(found) == len(network) == value(QUANTISER.layers, d=d, n=n, N=N)
    return found == [(row, (Q(-L, N),), expected) for row in range(d) for L in levels]


@pytest.mark.parametrize("place", [(1, 2, 2), (1, 3, 2), (2, 2, 3)])
def test_the_quantiser_is_the_literal_one(place):
    network = literal_quantiser(Instance(*place))
    assert same_quantiser(network, *place)
    closed = tuple(replace(layer, phi=replace(layer.phi, left_owned={layer.phi.breaks[1]})) for layer in network.layers)
    assert not same_quantiser(Network(closed), *place)
    assert not same_quantiser(Network(network.layers[1:] + network.layers[:1]), *place)


@pytest.mark.parametrize("place", [(1, 2, 2), (1, 3, 2), (2, 2, 3)])
def test_literal_entries_go_to_the_corners_of_their_pieces(place):
    """At the ends of each piece and inside it, as near to the upper end as one likes; each column in its own block."""
    d, n, N = place
    network = literal_quantiser(Instance(*place))
    for w, s in product(range(N), (Q(0), Q(1, 3), 1 - Q(1, 10**30))):
        corners = tuple(value(POSITIONAL.entry.replace("[e]", ""), J=J, N=N, w=w) for J in range(n))
        X = tuple(tuple((corner + s) / N for corner in corners) for _ in range(d))
        assert network.run(X) == tuple(tuple(Q(corner, N) for corner in corners) for _ in range(d))


def after(k, B, lowest):
    """t (or r, where lowest is below 0) of the ids k, as SYMBOLIC 3 has it."""
    found = [k[-1]]
    for one in k:
        found.append(one + B * (found[-1] - (lowest if lowest < 0 else one)))
    return found


@pytest.mark.parametrize("place", [(1, 2, 3), (1, 3, 2), (1, 3, 4), (2, 2, 2), (2, 3, 2)])
def test_the_state_is_that_of_the_literal_network_before_every_level(place):
    d, n, N = place
    g, B, met = contextual_map(Instance(d, n, N)), N**d, set()
    orbits = list(combinations_with_replacement(g.grid.columns, n))
    for columns in random.Random(5).sample(orbits, min(len(orbits), 40)):  # noqa: S311
        X = from_columns(columns)
        start = {int(id_ * N) for id_ in g.ids(X)}
        k, y = sorted(id_ for id_ in start if id_ >= 0), min(start)
        s, m = SENTINEL if y < 0 else PLAIN, len(k)
        if not m or (m == 1 and y >= 0):
            continue
        letters = {"k": dict(enumerate(k, 1)), s.shifted: after(k, B, y), "y": y, "m": m, "B": B, "N": N, "P": [1, B]}
        for L, layer in enumerate(g.sweep.layers):
            ids, j = {int(id_ * N) for id_ in g.ids(X)}, sum(id_ < L for id_ in k)
            idle = {id_ for id_ in start if id_ < 0}
            expected = set(idle)
            for family in s.families(str(j), str(j + 1)):
                if family.range:
                    low, _, high = family.range.strip(", ").split("<=")
                    among = range(int(low), value(high, m=m) + 1)
                    expected |= {value(family.id, i=i, **letters) for i in among}
            assert ids == expected
            at = {"now": j, "next": j + 1}
            assert max(ids) == value(s.highest.format(**at), **letters)
            assert j == m or (min(ids) == value(s.lowest.format(**at), **letters) and k[j] >= L)
            assert all(id_ <= B - N - N * B**n for id_ in idle)
            met.add((s.shifted, j))
            X = layer.apply(X)
    assert {("t", 0), ("t", 1), ("r", 0), ("r", 1)} <= met


@pytest.mark.parametrize("place", [(1, 2, 2), (1, 2, 3), (1, 2, 5), (1, 3, 3), (1, 4, 2), (2, 2, 2), (2, 3, 2)])
def test_the_state_with_positions_is_that_of_the_literal_network_before_every_level(place):
    d, n, N = place
    g, B, met, exceptions = positional_map(Instance(*place)), N**d, set(), 0
    letters, s = of_instance(*place), POSITIONS
    assert not s.size  # for all n >= 2
    contexts = list(g.contexts())
    for columns in random.Random(7).sample(contexts, min(len(contexts), 40)):  # noqa: S311
        X = from_columns(columns)
        l = dict(enumerate((int(id_ * N) for id_ in g.ids(X)), 1))
        lt = {0: l[n]}
        for j in range(1, n + 1):
            lt[j] = l[j] + B * (lt[j - 1] - l[j])
        b = {j: l[j] - value(POSITIONAL.first, j=j, **letters) for j in l}
        known = letters | {"l": l, "lt": lt, "b": b, "la": lt[1] + B * (lt[2] - lt[1])}
        last = value(POSITIONAL.last, j=n, **letters)
        apart = (d, n) == (1, 2) and value(AGAIN.gap, **known) > 0
        assert apart == ((d, n) == (1, 2) and all(value(zero, **known) == 0 for zero in AGAIN.context))
        assert apart == (min(lt[j] for j in l) <= last)
        exceptions += apart
        for L, layer in zip(levels_of(letters), g.sweep.layers, strict=True):
            ids, j = [int(id_ * N) for id_ in g.ids(X)], sum(id_ < L for id_ in l.values())
            expected = {}
            for family in s.families(str(j), str(j + 1)):
                low, _, high = family.range.strip(", ").split("<=")
                for i in range(int(low), value(high, n=n) + 1):
                    expected[i] = value(family.id, i=i, **known)
            assert ids == [expected[i] for i in l]
            at = {"now": j, "next": j + 1}
            assert max(ids) == value(s.highest.format(**at), **known)
            assert j == n or (min(ids) == value(s.lowest.format(**at), **known) and l[j + 1] >= L)
            assert not apart or last > L or (j, ids) == (n, [last, lt[2]])
            met.add(j)
            X = layer.apply(X)
        final = [value(AGAIN.id, **known), lt[2]] if apart else [lt[j] for j in l]
        assert [int(id_ * N) for id_ in g.ids(X)] == final
        q = [int(id_ * N) for id_ in g.ids(g.global_shift.run(X))]
        assert q == [id_ + value(POSITIONAL.bound, **letters) * max(final) for id_ in final]
    assert met == set(range(n + 1))
    assert exceptions == ((d, n) == (1, 2))


def test_no_certificate_is_accepted_where_the_rules_are_not_enough(monkeypatch):
    document = json.loads((Path(__file__).parent.parent / "proofs/symbolic/all.json").read_text())
    proof.check(document)
    monkeypatch.setitem(table.RULES, "global", "sweep global.alone global.zero")
    proof.rules_are_enough.cache_clear()
    with pytest.raises(Rejected, match=r"rule global: .* 2\*t\[i\] > 0, or <"):
        proof.check(document)
    monkeypatch.undo()
    proof.check(document)

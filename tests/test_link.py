"""What running the network's layers needs to know is derived from their definition, and is among each rule's facts."""

import json
import random
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest
from gmpy2 import mpq

from verifier import Page
from verifier.build.taken import members, taken
from verifier.checker.core.comparing import Rejected
from verifier.checker.symbolic import proof
from verifier.checker.symbolic.facts import TEXT, read
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
from verifier.evaluate.definition import Case, Reading
from verifier.language.library import PAGES, text_of
from verifier.language.page import read as understood
from verifier.language.tree import Name
from verifier.symbolic.certificate import CLAIMS


def test_the_rules_have_what_the_network_needs_and_nothing_else():
    linked()


def test_a_rule_needs_what_one_that_is_built_on_it_needs_as_well():
    """tests/test_rules.py asks this of every fact of every rule."""
    another("rule level: heads, layer.at.lower,", "rule level: heads,", "rule level: .* no fact that says")
    another("row.low, row.id,", "row.id,", "rule ids: .* no fact that says")


def another(old, new, said):
    """Of another text the rules are not enough."""
    assert TEXT.count(old) == 1
    with pytest.raises(Rejected, match=said):
        linked(text=read(TEXT.replace(old, new)))


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
    with pytest.raises(Rejected, match=f"rule positions.again: expected .*({said})"):
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


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("v[e] = v[e-1] + p[e-1]*w[e] if", "v[e] = v[e-1] + w[e] if"),
        ("c[f] = v[f-1] - p[f-1]*N*P[n]", "c[f] = v[f-1] - P[n]"),
        ("c[e] = c[e-1] + p[e-1]*w[e] or", "c[e] = c[e-1] or"),
        ("or c[e] = c[e-1] - p[e-1]*N*P[n]", "or c[e] = c[e-1]"),
        ("id[e] = id[e-1] + p[e-1]*(J*N + w[e])", "id[e] = id[e-1] + w[e]"),
        ("l[j] = j*E - E + b[j]", "l[j] = j*B - B + b[j]"),
        ("l[j] = j*E - E + b[j]", "l[j] = j*E + b[j]"),
        ("b[j] = B - 1 - bs[j]", "b[j] = B - bs[j]"),
    ],
)
def test_another_definition_is_refused(old, new):
    another(old, new, r"SYMBOLIC 5: rule (ids|sentinels|blocks): expected \w+\[\w\] = ")


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


# The page's own numbers, layers and states are those of the link.


def value(words, **letters):
    """A polynomial of link.py at an instance."""
    return eval(words.replace("^", "**"), letters)  # noqa: S307


@cache
def page():
    return understood(text_of(PAGES / "yun2020.page"))


@cache
def reading(place):
    return Reading(page(), dict(zip("dnN", place, strict=True)), steps=float("inf"))


def said(name, place, variables=None):
    """What the page says that a name is: a number, or a list with its first index."""
    case = Case(reading(place), variables) if variables else reading(place).nothing
    return case(Name((0, 0), name), {})


def listed(name, place, variables):
    """{index: number}, in units of delta."""
    found = said(name, place, variables)
    return {found.first + k: int(x * place[2]) for k, x in enumerate(found.items)}


def layers(network, place):
    case, places = reading(place).nothing, range(1, place[1] + 1)
    return [taken(case, name, given, place[0], places) for name, given in members(case, network)]


def of_instance(d, n, N):
    """What the polynomials of the link are made of."""
    B = N**d
    return {"B": B, "N": N, "n": n, "E": sum(N**e for e in range(1, d + 1)), "P": [B**k for k in range(n + 2)]}


def known(pairs, letters):
    return [tuple(value(words, **letters) for words in pair) for pair in pairs]


def heads(layer, place):
    """Of each head of a layer twice its threshold, in units of delta, and what its value is multiplied with."""
    u = said("u", place).items
    for head in layer.heads:
        assert head.keys == head.values == head.queries == (tuple(u),)
        assert not any(row != (0,) for row in head.out[1:])
    return [(-2 * place[2] * head.bias[0], head.out[0][0]) for head in layer.heads]


@pytest.mark.parametrize("place", [(1, 2, 2), (1, 3, 2), (2, 2, 3)])
def test_the_network_is_the_pages(place):
    """Its thresholds and factors, at an instance and in units of delta, are the weights of the page's layers."""
    d, _, N = place
    letters = of_instance(*place)
    levels = range(value(PAPER.first), value(PAPER.last, **letters) + 1)
    swept = [known(PAPER.layer, letters | {"L": L}) for L in levels]
    assert [heads(layer, place) for layer in layers("sweep", place)] == swept
    assert [heads(layer, place) for layer in layers("last", place)] == [known(PAPER.shift, letters)]
    assert (said("t_l", place) * N, said("t_r", place) * N) == known([(PAPER.t_l, PAPER.t_r)], letters)[0]
    assert said("sentinel", place) * N == value(PAPER.sentinel, **letters)
    assert [value(PAPER.u, p=[N**k for k in range(d)], e=e) for e in range(1, d + 1)] == list(said("u", place).items)
    columns = [case.variables["C"].items[0].items for case in reading(place).cases("columns")]
    entries = {value(PAPER.entry, w={1: w}, e=1) for w in range(N)} | {value(PAPER.sentinel, **letters)}
    assert {x * N for column in columns for x in column} == entries


def levels_of(letters):
    """Block by block."""
    for j in range(1, letters["n"] + 1):
        first, last = (value(end, j=j, **letters) for end in (POSITIONAL.first, POSITIONAL.last))
        yield from range(first, last + 1)


@pytest.mark.parametrize("place", [(1, 2, 2), (1, 3, 2), (2, 2, 3), (3, 2, 2)])
def test_the_network_with_positions_is_the_pages(place):
    """Its thresholds, factors, levels in their order, entries and bound."""
    N, letters = place[2], of_instance(*place)
    of_levels = [known(POSITIONAL.layer, letters | {"L": L}) for L in levels_of(letters)]
    assert [heads(layer, place) for layer in layers("sweep'", place)] == of_levels
    assert [heads(layer, place) for layer in layers("last'", place)] == [known(POSITIONAL.shift, letters)]
    assert said("far'", place) * N == value(POSITIONAL.bound, **letters) == said("F'", place)
    first = [value(POSITIONAL.first, j=j, **letters) for j in range(1, place[1] + 1)]
    assert [x * N for x in said("s", place).items] == first
    last = reading(place).space("contexts").cases - 1
    for rank, w in ((0, 0), (last, N - 1)):
        columns = reading(place).case("contexts", rank).variables["X"].items
        for J, column in enumerate(columns):
            assert {x * N for x in column.items} == {value(POSITIONAL.entry, J=J, N=N, w={1: w}, e=1)}


def lies_in(n, N, x, level):
    """x + phi(x - level) of the link's quantiser; all in units of delta."""
    t, breaks = x - level, QUANTISER.breaks
    k = sum(t > value(b) or (t == value(b) and b not in QUANTISER.left_owned) for b in breaks)
    return x + value(QUANTISER.phi[k], t=t, n=n, N=N)


@pytest.mark.parametrize("place", [(1, 2, 2), (1, 3, 2), (2, 2, 3)])
def test_the_quantiser_is_the_pages(place):
    """Row by row and level by level: at the ends of each piece and inside it, as near to its upper end as one likes."""
    d, n, N = place
    parts = list(members(reading(place).nothing, "g_q'"))
    levels = range(value(QUANTISER.first), value(QUANTISER.last, n=n, N=N) + 1)
    wanted = [("step", r, L) for r in range(1, d + 1) for L in levels]
    assert [(name, at["r"], at["v"] * N) for name, at in parts] == wanted
    assert len(parts) == value(QUANTISER.layers, d=d, n=n, N=N)
    down = page().page.functions["down"]
    for x in (mpq(k) + s for k in range(-1, n * N + 1) for s in (mpq(0), mpq(1) / 3, 1 - mpq(1) / 10**30)):
        for L in levels:
            (letter,) = down.letters
            found = x / N + reading(place).nothing(down.body, {letter: (x - L) / N})
            assert found * N == lies_in(n, N, x, L)


def after(k, B, lowest):
    """t (or r, where lowest is below 0) of the ids k, as SYMBOLIC 3 has it."""
    found = [k[-1]]
    for one in k:
        found.append(one + B * (found[-1] - (lowest if lowest < 0 else one)))
    return found


def some(place, inputs, seed, least=()):
    """Some cases: a rank, and what its variable is."""
    many = reading(place).space(inputs).cases
    ranks = random.Random(seed).sample(range(many), min(many, 25))  # noqa: S311
    for rank in {*ranks, *least}:
        yield reading(place).case(inputs, rank).variables


def states(place, network, variables):
    """The ids before each level, in units of delta; and at last after all."""
    u, N = said("u", place).items, place[2]
    X = [list(column.items) for column in variables["X"].items]
    for layer in [*layers(network, place), None]:
        yield [int(sum(a * x for a, x in zip(u, column, strict=True)) * N) for column in X]
        if layer:
            X = attended(layer, X)


def attended(layer, X):
    """X + what the heads read, hardmax with ties averaged."""
    new = [list(column) for column in X]
    for head in layer.heads:
        score = lambda i, j, h=head: dot(h.keys[0], X[j]) * (dot(h.queries[0], X[i]) + h.bias[0])  # noqa: E731
        for i in range(len(X)):
            best = max(score(i, j) for j in range(len(X)))
            at = [j for j in range(len(X)) if score(i, j) == best]
            new[i][0] += head.out[0][0] * sum(dot(head.values[0], X[j]) for j in at) / len(at)
    return new


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


@pytest.mark.parametrize("place", [(1, 2, 3), (1, 3, 2), (1, 3, 4), (2, 2, 2), (2, 3, 2)])
def test_the_state_is_that_of_the_network_before_every_level(place):
    n, N = place[1:]
    letters, met = of_instance(*place), set()
    B = letters["B"]
    for variables in some(place, "Gplus", 5, least=[0]):
        l = listed("l", place, variables)
        start = set(l.values())
        k, y = sorted(id_ for id_ in start if id_ >= 0), min(start)
        s, m = SENTINEL if y < 0 else PLAIN, len(k)
        if not m or (m == 1 and y >= 0):
            continue
        shifted = after(k, B, y)
        at_places = letters | {"k": dict(enumerate(k, 1)), s.shifted: shifted, "y": y, "m": m}
        *before, last = states(place, "sweep", variables)
        for L, now in enumerate(before):
            ids, j = set(now), sum(id_ < L for id_ in k)
            idle = {id_ for id_ in start if id_ < 0}
            expected = set(idle)
            for family in s.families(str(j), str(j + 1)):
                if family.range:
                    low, _, high = family.range.strip(", ").split("<=")
                    expected |= {value(family.id, i=i, **at_places) for i in range(int(low), value(high, m=m) + 1)}
            assert ids == expected
            at = {"now": j, "next": j + 1}
            assert max(ids) == value(s.highest.format(**at), **at_places)
            assert j == m or (min(ids) == value(s.lowest.format(**at), **at_places) and k[j] >= L)
            assert all(id_ <= B - N - N * B**n for id_ in idle)
            met.add((s.shifted, j))
        made = dict(zip(k, shifted[1:], strict=True))
        assert last == list(listed("t", place, variables).values()) == [made.get(id_, id_) for id_ in l.values()]
        read_there = {x: max(last) if x > 0 else min(last) for x in last}
        q = [x + B ** (n + 1) * read_there[x] for x in last]
        assert q == list(listed("q", place, variables).values())
    assert {("t", 0), ("t", 1), ("r", 0), ("r", 1)} <= met


@pytest.mark.parametrize("place", [(1, 2, 2), (1, 2, 3), (1, 2, 5), (1, 3, 3), (1, 4, 2), (2, 2, 2), (2, 3, 2)])
def test_the_state_with_positions_is_that_of_the_network_before_every_level(place):
    d, n, N = place
    met, exceptions, s = set(), 0, POSITIONS
    letters = of_instance(*place)
    assert not s.size  # for all n >= 2
    one = [(N - 1) * N] if (d, n) == (1, 2) else []  # the rank of the ids N - 1 and N
    for variables in some(place, "contexts", 7, least=one):
        l = listed("l'", place, variables)
        lt = {0: l[n]}
        for j in range(1, n + 1):
            lt[j] = l[j] + letters["B"] * (lt[j - 1] - l[j])
        b = {j: l[j] - value(POSITIONAL.first, j=j, **letters) for j in l}
        here = letters | {"l": l, "lt": lt, "b": b, "la": lt[1] + letters["B"] * (lt[2] - lt[1])}
        last = value(POSITIONAL.last, j=n, **letters)
        apart = (d, n) == (1, 2) and value(AGAIN.gap, **here) > 0
        assert apart == ((d, n) == (1, 2) and all(value(zero, **here) == 0 for zero in AGAIN.context))
        assert apart == (min(lt[j] for j in l) <= last)
        exceptions += apart
        *before, after_all = states(place, "sweep'", variables)
        for L, ids in zip(levels_of(letters), before, strict=True):
            j, expected = sum(id_ < L for id_ in l.values()), {}
            for family in s.families(str(j), str(j + 1)):
                low, _, high = family.range.strip(", ").split("<=")
                for i in range(int(low), value(high, n=n) + 1):
                    expected[i] = value(family.id, i=i, **here)
            assert ids == [expected[i] for i in l]
            at = {"now": j, "next": j + 1}
            assert max(ids) == value(s.highest.format(**at), **here)
            assert j == n or (min(ids) == value(s.lowest.format(**at), **here) and l[j + 1] >= L)
            assert not apart or last > L or (j, ids) == (n, [last, lt[2]])
            met.add(j)
        final = [value(AGAIN.id, **here), lt[2]] if apart else [lt[j] for j in l]
        assert after_all == list(listed("t'", place, variables).values()) == final
        q = [id_ + value(POSITIONAL.bound, **letters) * max(final) for id_ in final]
        assert q == list(listed("q'", place, variables).values())
    assert met == set(range(n + 1))
    assert exceptions == ((d, n) == (1, 2))


@pytest.mark.parametrize("place", [(1, 2, 3), (1, 3, 4), (2, 2, 2)])
def test_the_bounds_of_lemma_10_are_the_pages_and_the_sharp_ones_are_attained(place):
    """At every context: the definitions of the page for `lower` and `upper`, and the facts' in units of delta."""
    _, n, N = place
    letters = of_instance(*place) | {"m": n}
    B, P = letters["B"], letters["P"]
    assert (said("lower", place) * N, said("upper", place) * N) == (P[n - 1] * (B - 1), P[n] * (B - 1) - (B - 1) ** 2)
    found = sorted(after(ids, B, 0)[n] for ids in combinations(range(B), n))
    least, most = ((n * (B - 1) - B) * P[n] + B) // (B - 1) + n - 1, found[-1]
    assert found[0] == least
    assert (B - 1) * most == (B - 1) ** 2 + (B - 2) * B * P[n] + B * (n - 1 - B) * (B - 1) + B**2
    assert P[n - 1] * (B - 1) <= found[0]
    assert most <= P[n] * (B - 1) - (B - 1) ** 2


@pytest.mark.parametrize("place", [(1, 2, 2), (1, 2, 3), (1, 3, 3)])
def test_what_is_proved_holds_where_it_is_run(place):
    """Every claim of the page that is proved for all sizes; c.order is where it is proved, and fails elsewhere."""
    ids = [i for i, claim in CLAIMS.items() if not claim.says]
    found = Page.file(PAGES / "yun2020.page").run(ids, **dict(zip("dnN", place, strict=True)))
    assert {i for i in ids if found[i]["verdict"] == "refuted"} == ({"c.order"} if place[:2] == (1, 2) else set())
    assert {found[i]["verdict"] for i in ids} <= {"holds", "refuted", "vacuous"}


def test_no_certificate_is_accepted_where_the_rules_are_not_enough(monkeypatch):
    document = json.loads((Path(__file__).parent.parent / "proofs/symbolic/all.json").read_text())
    proof.check(document)
    short = read(TEXT.replace("rule global: sweep, global.above,", "rule global: sweep,"))
    monkeypatch.setattr(proof, "linked", lambda: linked(text=short))
    proof.rules_are_enough.cache_clear()
    with pytest.raises(Rejected, match=r"rule global: .* 2\*t\[i\] > 0, or <"):
        proof.check(document)
    monkeypatch.undo()
    proof.check(document)

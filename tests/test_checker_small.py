"""The checker function by function, on things so small that they can be redone by hand."""

import json
from collections import Counter
from dataclasses import replace
from itertools import product as all_of
from types import SimpleNamespace

import pytest

from tampered.corpus import genuine
from verifier.certificate import canonical
from verifier.checker.core import frame
from verifier.checker.core import share as sharing
from verifier.checker.core.comparing import OverLimit, Rejected, compare
from verifier.checker.core.ledger import Ledger, Made, rational
from verifier.checker.core.reading import Unreadable
from verifier.checker.core.ring import add, atom, number, product
from verifier.checker.core.share import Options, plan, share_of
from verifier.checker.papers.bigbird2020.numbers import Numbers
from verifier.checker.papers.bigbird2020.paper import Lemma3
from verifier.checker.papers.yun2020 import model, symbols
from verifier.checker.papers.yun2020.check import entry, model_of
from verifier.checker.papers.yun2020.cost import literal_steps, refuse_too_much
from verifier.checker.papers.yun2020.shards import Run
from verifier.checker.papers.yun2020.statements import STATEMENTS

PARTIAL, REJECTED = 5, 1


# Claim 1


def test_a_layer_commutes_only_if_it_does_with_every_permutation(monkeypatch):
    """Layers that commute with the identity, the rotations, or the exchange of the first two tokens, and no other."""
    others = {
        "its place": lambda X: [[x, j] for j, x in enumerate(X[0])],
        "the token after it, around": lambda X: [[x, X[0][(j + 1) % 3]] for j, x in enumerate(X[0])],
        "the last token": lambda X: [[x, X[0][-1]] for x in X[0]],
    }
    assert symbols.commutes("claim1.attention", 1, 3)
    assert symbols.commutes("claim1.feedforward", 2, 2)
    for name, layer in others.items():
        with monkeypatch.context() as patched:
            patched.setattr(symbols, "made_of", lambda _, X, layer=layer: layer(X))
            assert not symbols.commutes("claim1.attention", 1, 3), name


def test_what_a_column_is_made_of():
    """x_1 and x_2 in one row: the head's values are V x_k, its scores K x_k (Q x_j + b)."""
    made = symbols.made_of("claim1.attention", symbols.named("X", 1, 2))
    assert [len(column) for column in made] == [5, 5]  # its entries, and four heads
    assert made[0][0] == [[((("X_0_0", 1),), 1)]]
    assert [len(head[0][0]) for head in made[0][1:]] == [1, 1, 2, 2]  # sizes of heads: of each, entries of a value
    value, score = made[0][1][0]
    assert value == [[((("W_V11_0_0", 1), ("X_0_0", 1)), 1)]]
    assert score == sorted(
        [
            ((("W_K11_0_0", 1), ("W_Q11_0_0", 1), ("X_0_0", 2)), 1),
            ((("W_K11_0_0", 1), ("X_0_0", 1), ("b11_0_0", 1)), 1),
        ]
    )
    given = symbols.made_of("claim1.feedforward", symbols.named("X", 1, 2))[1][1]
    assert given == [[((("W_Q11_0_0", 1), ("X_0_1", 1)), 1), ((("b11_0_0", 1),), 1)]]


def test_polynomials():
    x, y, two = atom("x"), atom("y"), number(2)
    assert number(0) == {}
    assert add(x, x) == {(("x", 1),): 2}
    assert add(x, x, -1) == add(x, product(number(-1), x)) == {}
    difference = product(add(x, y), add(x, y, -1))
    assert difference == {(("x", 2),): 1, (("y", 2),): -1}  # x^2 - y^2: the mixed terms cancel
    assert product(product(two, x), product(two, y)) == product(product(two, y), product(two, x))
    assert product(x, number(3)) == {(("x", 1),): 3}


# The instance


def test_the_papers_numbers_where_powers_and_products_differ():
    """d = 2, n = 3, N = 3, in units of 1/3: 9 ids of columns without a sentinel, 16 columns, C(18, 3) orbits."""
    m = model.paper(2, 3, 3)
    assert (m.B, m.sentinel, m.sweep_factor, m.global_factor) == (9, -(9**3) * 3, 9, 9**4)
    assert (m.lower, m.upper, m.t_l, m.t_r) == (81 * 8, 729 * 8 - 64, 9**6 * 8, 9**7 * 8)
    assert (m.column_count, m.orbit_count) == (16, 816)
    assert [m.columns[k] for k in (0, 1, 4, 7, 8, 15)] == [
        (-2187, -2187),
        (0, -2187),
        (-2187, 0),
        (0, 0),
        (1, 0),
        (2, 2),
    ]
    assert m.ids[7:] == list(range(9))
    met = {name: Counter() for name in ("category1", "category2", "category3", "total")}
    for columns in all_of(range(16), repeat=3):
        category = "category3" if min(columns) < 7 else "category1" if len(set(columns)) == 3 else "category2"
        for name in (category, "total"):
            met[name][tuple(sorted(columns))] += 1
    assert m.sizes() == {name: (sum(orbits.values()), len(orbits)) for name, orbits in met.items()}
    assert all(m.matrices(orbit) == many for orbit, many in met["total"].items())
    assert [m.rank(orbit) for orbit in sorted(met["total"])] == list(range(816))
    assert [m.orbit(rank) for rank in (0, 1, 15, 16, 815)] == [
        (0, 0, 0),
        (0, 0, 1),
        (0, 0, 15),
        (0, 1, 1),
        (15, 15, 15),
    ]


def test_a_sweep_lifts_what_is_at_a_level_until_all_are_equal():
    two = ([5, 4], [(1, [1], [3, 2]), (2, [2], [3, 4]), (3, [1], [5, 4])])
    assert model.sweep([1, 2], range(4), 2) == two
    assert model.sweep([2, 2], range(4), 2) == ([2, 2], [])


def test_the_global_shift_adds_the_largest_id_from_0_on_and_the_least_below():
    assert model.paper(1, 2, 3).last([-5, 2]) == [-5 - 27 * 5, 2 + 27 * 2]


# The heads


def test_a_head_is_the_mean_of_what_scores_highest_or_none_where_that_is_no_whole_number():
    assert model.head([0, 1, 3], 1) == [0, 3, 3]  # threshold 1/2: the minimum below it, the maximum above
    assert model.head([-1, 3], 2 * 3) == [-1, 1]  # at the threshold itself: the mean of -1 and 3
    assert model.head([0, 3], 0) is None  # of 0 and 3 there is no whole mean
    assert model.head([-2, 0, 0], 1) == [-2, -2, -2]


def test_the_literal_heads_are_compared_with_lemma_h_themselves(monkeypatch):
    """Two heads of a layer that are both too large by 1: what the layer adds is the same, and only the heads differ."""
    m, orbit = model.paper(1, 2, 3), (1, 2)
    assert model.literal(m, orbit) == ""
    head = model.head
    monkeypatch.setattr(model, "head", lambda x, b: [v + (b != 0) for v in head(x, b)])
    assert model.literal(m, orbit) == "a head of layer 0 is neither the maximum nor the minimum"
    monkeypatch.setattr(model, "head", lambda *_: None)
    assert model.literal(m, orbit) == "a head of layer 0 is not whole"


@pytest.mark.parametrize("number", ["sweep_factor", "global_factor"])
def test_the_literal_layers_are_compared_with_lemma_s(number, monkeypatch):
    m = model.paper(1, 2, 3)
    other = replace(m, **{number: getattr(m, number) + 1})
    monkeypatch.setattr(model.Model, "sweep", lambda _, ids: model.sweep(ids, range(m.B), other.sweep_factor))
    monkeypatch.setattr(model.Model, "last", lambda _, x: [v + other.global_factor * max(x) for v in x])
    layer = 0 if number == "sweep_factor" else m.B
    assert model.literal(m, (1, 2)).startswith(f"layer {layer} differs on the columns in the order (1, 2)")


def test_every_order_of_an_orbit_once():
    assert list(model.orders((1, 1, 2))) == [(1, 1, 2), (1, 2, 1), (2, 1, 1)]
    assert len(list(model.orders((1, 2, 3, 4)))) == 24


# Shards and their ranks


def shard_with(rank, start, stop, slack, member="edges"):
    edges = {"q_j >= t_l": {"slack": slack, "rank": start}}  # this one is its own in any case
    edges |= {"q_j < t_r": {"slack": slack, "rank": rank}} if member == "edges" else {}
    its = {"cases": 1, "edges": edges} | ({"failing": 1, "first": rank} if member == "first" else {})
    sizes = {name: {"matrices": 0, "orbits": 0} for name in ("category1", "category2", "category3", "total")}
    return {"start": start, "stop": stop, "claims": {"lemma6.3": its}, "coverage": sizes, "digest": "0"}


@pytest.mark.parametrize("member", ["edges", "first"])
@pytest.mark.parametrize(("rank", "its"), [(4, True), (5, False), (2, False), (3, True)])
def test_a_shard_names_ranks_of_its_own_alone(rank, its, member):
    """Ranks 3 and 4; a true case of rank 5 belongs to the shard after it, in a check of a part too."""
    run = Run(model.paper(1, 2, 3), ["lemma6.3"], literal=False, whole=False)
    of_the_frame = Lemma3(Numbers(1, 2, 3))
    for named in (
        lambda shard: run.named(shard, "shards[0]"),
        lambda shard: frame._named(of_the_frame, [], shard, "shards[0]"),
    ):
        if its:
            assert named(shard_with(rank, 3, 5, "1", member)).digest == 0  # as the file says
        else:
            with pytest.raises(Rejected, match="a shard's own ranks: shards"):
                named(shard_with(rank, 3, 5, "1", member))


def test_a_true_case_of_the_next_shard_is_no_case_of_this_one(judge):
    document = json.loads(genuine("shards"))
    claims = [shard["claims"]["lemma6.4"] for shard in document["shards"]]
    assert judge(canonical(document), "--shard", "1")[0] == PARTIAL
    claims[0]["edges"] = claims[1]["edges"]
    code, said = judge(canonical(document), "--shard", "1")
    assert (code, "a shard's own ranks" in said) == (REJECTED, True)


def test_shards_tile_the_ranks():
    assert plan(1) == plan(1)[:1] == [(0, 1)]
    assert plan(1999) == [(0, 1999)]
    assert plan(2001) == [(0, 1000), (1000, 2001)]
    assert len(plan(63_999)) == 63
    assert len(plan(10**6)) == 64
    for T in (2500, 64_001):
        tiles = plan(T)
        assert [a for a, _ in tiles] == [0, *(b for _, b in tiles[:-1])]
        assert tiles[-1][1] == T
        assert max(b - a for a, b in tiles) - min(b - a for a, b in tiles) <= 1


def test_which_shards_are_run(monkeypatch):
    cert = {"shards": [{}, {}], "digest": 1}
    assert share_of(cert, 2001, 1, Options()).whole
    assert share_of(cert, 2001, 1, Options(shards=(1,))).shards == [1]
    assert not share_of(cert, 2001, 1, Options(shards=(0, 1))).whole
    assert share_of(cert, 2001, 1, Options(sample=9)).shards == [0, 1]
    assert len(share_of(cert, 2001, 1, Options(sample=1)).shards) == 1
    with pytest.raises(Unreadable, match=r"no shard 2: its shards are 0\.\.1"):
        share_of(cert, 2001, 1, Options(shards=(2,)))
    with pytest.raises(Unreadable, match="it has no shards"):
        share_of({"shards": []}, 0, 1, Options(shards=(0,)))
    monkeypatch.setattr(sharing, "STEPS_A_SECOND", 300_000)
    for steps, shards, cases in ((149, 2, 2001), (150, 1, None), (299, 1, None), (300, 0, 1000), (10**9, 0, 1)):
        share = share_of(cert, 2001, 2001 * steps, Options(seconds=1))
        assert (len(share.shards), share.whole) == (shards, shards == 2), steps
        if share.stretch:
            k, start, stop = share.stretch
            assert stop - start == cases
            assert plan(2001)[k][0] <= start < stop <= plan(2001)[k][1]


# Limits


@pytest.mark.parametrize(
    ("parts", "over"),
    [
        ((1, 1000, 2), False),
        ((1, 1001, 2), True),
        ((1, 2, 999_999), False),
        ((1, 2, 1_000_000), True),
        ((12, 2, 2), False),
        ((13, 2, 2), True),
        ((10**9, 2, 2), True),
        ((1, 2, 10**30), True),
    ],
)
def test_how_large_an_instance_is_looked_at(parts, over):
    """At most 1,000 tokens, and 10^6 columns: (N+1)^d, which is 3^12 = 531,441 just before it is too much."""
    cert = {"instance": dict(zip("dnN", parts, strict=True))}
    if over:
        with pytest.raises(OverLimit, match=r"n <= 1000 and \(N\+1\)\^d <= 1,000,000"):
            model_of(cert)
    else:
        assert model_of(cert).column_count == (parts[2] + 1) ** parts[0]


@pytest.mark.parametrize(("name", "least"), [("d", 1), ("n", 2), ("N", 2)])
def test_how_small_an_instance_may_be(name, least):
    parts = {"d": 1, "n": 2, "N": 2}
    assert model_of({"instance": parts | {name: least}})
    with pytest.raises(Rejected, match=f"instance.{name}: expected at least {least}, found {least - 1}"):
        model_of({"instance": parts | {name: least - 1}})


@pytest.mark.parametrize(
    ("name", "text", "good"),
    [
        ("sweep_factor", "1", True),
        ("sweep_factor", "0", False),
        ("sweep_factor", "3", False),  # the paper's own
        ("sweep_factor", "7/2", False),
        ("global_factor", "0", True),
        ("sentinel", "-1/3", True),
        ("sentinel", "0", False),
        ("sentinel", "1/3", False),
        ("t_l", "1/3", True),
        ("t_l", "1/2", False),
    ],
)
def test_which_numbers_a_variant_may_exchange(name, text, good):
    cert = {"instance": {"d": 1, "n": 2, "N": 3}, "variant": {name: text}}
    if good:
        assert getattr(model_of(cert), name) != getattr(model.paper(1, 2, 3), name)
    else:
        with pytest.raises(Rejected, match=f"variant.{name}"):
            model_of(cert)


def test_a_variants_number_has_at_most_1000_characters():
    instance = {"d": 1, "n": 2, "N": 3}
    assert model_of({"instance": instance, "variant": {"t_l": "9" * 1000}}).t_l == 3 * (10**1000 - 1)
    with pytest.raises(OverLimit, match="t_l has 1001 characters"):
        model_of({"instance": instance, "variant": {"t_l": "9" * 1001}})


def test_literal_heads_are_counted_before_they_run():
    m = model.paper(1, 2, 3)  # 4 columns, 3 levels and the global shift; each matrix 4 layers of 2^2 scores
    assert literal_steps(m, 1) == 2 * 4 * 4
    assert literal_steps(m, 100) == 16 * 4 * 4
    share = SimpleNamespace(shards=[0], stretch=None)
    refuse_too_much(m, ["lemma6.3"], share, Options(max_points=10))
    with pytest.raises(OverLimit, match="10 orbits of 2 columns, more than 9"):
        refuse_too_much(m, ["lemma6.3"], share, Options(max_points=9))


# Comparing, and what a claim keeps


@pytest.mark.parametrize(
    ("wanted", "found", "place"),
    [
        (1, 2, "x: expected 1, found 2"),
        ([1, 2], [1], r"x\[1\]: expected 2, found nothing"),
        ([1], [1, 2], r"x\[1\]: expected nothing, found 2"),
        ({"a": 1}, {}, r"x\.a: expected 1, found nothing"),
        ({}, {"a": 1}, r"x\.a: expected nothing, found 1"),
        ([{"a": [0, "1"]}], [{"a": [0, "2"]}], r'x\[0\]\.a\[1\]: expected "1", found "2"'),
        ([], {}, "x: expected"),
    ],
)
def test_the_first_place_that_differs_is_named(wanted, found, place):
    compare(wanted, json.loads(json.dumps(wanted)), "x", "rule")
    with pytest.raises(Rejected, match=f"^claim c: rule: {place}"):
        compare(wanted, found, "x", "rule", "c")


def test_a_ledger_keeps_the_first_failure_and_the_tightest_of_each_edge():
    ledger = Ledger()
    ledger.hold(Made("q_1", "<", "t_r", [5, 9, 8], 10, unit=2), [0, 1, 2], 0)
    ledger.hold(Made("q_2", "<", "t_r", [9, 5, None], 10, unit=2), [0, 1, 2], 0)
    (edge,) = ledger.edges.values()
    assert list(ledger.edges) == ["q_j < t_r"]
    assert (edge.slack, edge.key, edge.text, edge.value, edge.bound) == (1, (0,), "q_2 < t_r", "9/2", "5")
    assert (ledger.first, ledger.failing) == (None, 0)
    ledger.hold(Made("q_1", ">=", "t_l", [3, 2, 1], [3, 3, 3], unit=1), [7, 8, 9], 0)
    ledger.hold(Made("q_2", ">=", "t_l", [3, 3, 0], [3, 3, 3], unit=1), [7, 8, 9], 0)
    assert (ledger.first.key, ledger.failing) == ((8,), 2)  # ranks 8 and 9, the latter twice
    assert ledger.edges["q_j >= t_l"].slack == 0
    other = Ledger()
    other.cases = 4
    other.hold(Made("q_1", "=", "t_l", [1, 2], [1, 1], unit=1), [3, 4], 0)
    assert (other.first.key, other.edges, other.failing) == ((4,), {}, 1)
    ledger.absorb(other)
    assert (ledger.first.key, ledger.failing, ledger.cases) == ((4,), 3, 4)


@pytest.mark.parametrize(("op", "value", "holds"), [("<", 4, 1), ("<", 5, 0), ("<=", 5, 1), ("<=", 6, 0)])
def test_strict_and_not(op, value, holds):
    for name, v, bound in (("up", value, 5), ("down", -value, -5)):
        ledger = Ledger()
        ledger.hold(Made("x", op if name == "up" else op.replace("<", ">"), "b", [v], bound, unit=1), [0], 0)
        assert (ledger.failing, len(ledger.edges)) == (1 - holds, holds)


@pytest.mark.parametrize(("value", "unit", "text"), [(6, 4, "3/2"), (8, 4, "2"), (0, 4, "0"), (-6, 4, "-3/2")])
def test_a_number_is_written_in_lowest_terms(value, unit, text):
    assert rational(value, unit) == text
    assert rational(2**12_999, 1) == str(2**12_999)
    assert rational(2**13_000, 1) == "a number of 13001 bits"


ALONE = {"why": "a single orbit: no pair exists"}


@pytest.mark.parametrize(
    ("claim", "cases", "verdict"),
    [
        ("lemma6.3", 2, {"verdict": "holds", "cases": 2}),
        ("lemma6.3", 1, {"verdict": "holds", "cases": 1}),
        ("lemma6.3", 0, {"verdict": "vacuous", "cases": 0, "why": "no case exists"}),
        ("lemma6.2", 2, {"verdict": "holds", "cases": 2}),
        ("lemma6.2", 1, {"verdict": "vacuous", "cases": 0} | ALONE),  # nothing but pairs
        ("b5.interval", 2, {"verdict": "holds", "cases": 2}),
        ("b5.interval", 1, {"verdict": "holds", "cases": 1} | ALONE),  # and something of each orbit
    ],
)
def test_a_verdict_by_the_number_of_cases(claim, cases, verdict):
    ledger = Ledger()
    ledger.cases = cases
    assert entry(claim, model.paper(1, 2, 3), ledger).items() >= verdict.items()
    assert ("why" in verdict) == ("why" in entry(claim, model.paper(1, 2, 3), ledger))


def test_a_claim_shows_its_counterexample_or_its_tightest_case():
    """Numbers are in units of 1/3; rank 4 is the matrix 0, 0, and rank 5 is 0, 1/3."""
    m, ledger = model.paper(1, 2, 3), Ledger()
    ledger.cases = 2
    ledger.hold(Made("q_1", "<", "t_r", [4, 3], 5), [4, 5], m.N)
    ledger.hold(Made("q_2", ">=", "t_l", [6, 5], 5), [4, 5], m.N)
    high = {"relation": "q_1 < t_r", "value": "4/3", "bound": "5/3", "matrix": [["0", "0"]], "slack": "1/3"}
    low = {"relation": "q_2 >= t_l", "value": "5/3", "bound": "5/3", "matrix": [["0", "1/3"]], "slack": "0"}
    stated = {"id": "lemma6.3", "statement": STATEMENTS["lemma6.3"], "cases": 2}
    assert entry("lemma6.3", m, ledger) == stated | {"verdict": "holds", "edges": [high, low], "tightest": low}
    ledger.hold(Made("q_1", "<", "t_r", [4, 6], 5), [4, 5], m.N)
    false = {"relation": "q_1 < t_r", "value": "2", "bound": "5/3", "matrix": [["0", "1/3"]], "failing": 1}
    assert entry("lemma6.3", m, ledger) == stated | {"verdict": "refuted", "counterexample": false}
    skipped = entry("claim1.attention", model.paper(1, 6, 2), Ledger())
    assert (skipped["verdict"], skipped["cases"]) == ("skipped", 0)
    assert skipped["why"].startswith("checked with symbols up to")

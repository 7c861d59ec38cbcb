"""The checker function by function, on things so small that they can be redone by hand."""

import json
import re
from collections import Counter
from contextlib import nullcontext
from dataclasses import replace
from itertools import product as all_of
from pathlib import Path

import pytest

from tampered import corpus
from tampered.corpus import genuine
from verifier.certificate import canonical
from verifier.checker.core import frame
from verifier.checker.core import share as sharing
from verifier.checker.core.comparing import OverLimit, Rejected, compare
from verifier.checker.core.ledger import Ledger, Made, rational
from verifier.checker.core.reading import Unreadable, certificate
from verifier.checker.core.ring import add, atom, number, product
from verifier.checker.core.share import Options, Share, plan, share_of
from verifier.checker.papers.yun2020 import claims, cost, distance_zero, distinct, model, shards, symbols
from verifier.checker.papers.yun2020 import paper as checking
from verifier.checker.papers.yun2020.own import OWN
from verifier.checker.papers.yun2020.paper import PAPER, Lemma6, model_of
from verifier.checker.papers.yun2020.shards import Orbits
from verifier.checker.papers.yun2020.statements import IDS, STATEMENTS

CERTIFICATES = Path(__file__).parent.parent / "proofs/certificates"
SMALL = ("d1-n2-N2", "d1-n2-N3", "d1-n3-N2", "d1-n3-N3", "d2-n2-N2")
COMMITTED = [*SMALL, *(f"paper/{name}" for name in SMALL)]
COMMITTED += [
    f"variants/{name}" for name in ("factor-1", "factor-B-1", "factor-B+1", "global-factor", "sentinel-delta")
]
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


@pytest.mark.parametrize(
    "exchanged", [{}, {"sentinel": -1}, {"sentinel": -5}, {"sweep_factor": 1}, {"global_factor": 0}]
)
@pytest.mark.parametrize("parts", [(1, 3, 4), (2, 2, 2)])
def test_the_literal_heads_are_those_of_the_lemmas_on_every_matrix(parts, exchanged):
    """Also where ids are just below 0, the first level, and where shifts land on levels that are still to come."""
    m = replace(model.paper(*parts), **exchanged)
    assert {model.literal(m, orbit) for _, orbit in m.orbits(0, m.orbit_count)} == {""}


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


# What claims over orbits say of one, whatever the layers have done to it


def first_failure(claim, m, orbit, shifts, after, last):
    before = [m.ids[c] for c in orbit]
    rows = [[before], [after], [last]]
    c = claims.Cases([7], [orbit], [shifts], *rows, *([[x] for x in row] for row in (before, after, last)))
    ledger = Ledger()
    for made in claims.relations(claim, m, c):
        ledger.hold(made, c.ranks, m.N)
    return ledger.first and (ledger.first.text, ledger.first.value, ledger.first.bound)


LARGE = "q_1 >= delta^-((2n+2)d) delta"


@pytest.mark.parametrize(
    ("claim", "ids", "shifts", "after", "last", "says"),
    [  # numbers in units of 1/3, up to the last column
        ("b5.first-shift", (0, 2), [], (0, 2), (0, 2), ("number of shifts >= 1", "0", "1")),
        ("b5.cat3-shift", (-27, 1), [], (-27, 1), (0, 2), ("number of shifts >= 1", "0", "1")),
        (
            "b5.cat3-shift", (-27, 1), [(1, [2], [-27, 27])], (-27, 27), (0, 2),
            ("the first shift >= delta^-((n+1)d) delta", "26/3", "9"),
        ),
        ("b5.cat3-shift", (-27, 1), [(1, [2], [-27, 28])], (-27, 28), (0, 2), None),
        (
            "b5.max-min", (0, 2), [(0, [2], [6, 2]), (2, [2], [6, 14])], (6, 14), (0, 0),
            ("columns moved by shift 1 = the column of l_j alone", ["2"], ["1"]),
        ),
        (
            "b5.max-min", (0, 2), [(0, [1], [6, 2]), (2, [1], [6, 14])], (6, 14), (0, 0),
            ("columns moved by shift 2 = the column of l_j alone", ["1"], ["2"]),
        ),
        ("b5.max-min", (0, 2), [(0, [1], [6, 2]), (2, [2], [6, 14])], (6, 14), (0, 0), None),
        (
            "b5.cat3-minimum", (-27, 1), [(1, [1], [1, 31])], (1, 31), (0, 0),
            ("id of the column of l_1 after layer 1 = l_1", "1/3", "-9"),
        ),
        (
            "b5.cat3-minimum", (-27, 1), [(1, [2], [-27, -30])], (-27, -30), (0, 0),
            ("smallest id after layer 1 = l_1", "-10", "-9"),
        ),
        ("b5.cat3-minimum", (-27, 1), [(1, [2], [-27, 31])], (-27, 31), (0, 0), None),
        (
            "b5.cat2-constant", (1, 1), [], (1, 2), (0, 0),
            ("the matrix after the sweep = L", [["1/3", "2/3"]], [["1/3", "1/3"]]),
        ),
        ("b5.cat2-constant", (1, 1), [], (1, 1), (0, 0), None),
        ("b5.cat3-final", (-27, 1), [], (-27, 31), (0, -1), (LARGE, "0", "243")),
        ("b5.cat3-final", (-27, 1), [], (-27, 31), (729, -1), None),
        ("lemma6.4", (-27, 1), [], (-27, 31), (324, 0), ("q_1 >= t_r", "108", "162")),  # t_l = 54, t_r = 162
        ("lemma6.4", (-27, 1), [], (-27, 31), (323, 0), ("q_1 < t_l", "323/3", "54")),
        ("lemma6.4", (-27, 1), [], (-27, 31), (161, 486), None),
    ],
)  # fmt: skip
def test_what_a_claim_says_of_one_orbit(claim, ids, shifts, after, last, says):
    m = model.paper(1, 2, 3)
    orbit = tuple(map(m.ids.index, ids))
    assert first_failure(claim, m, orbit, shifts, list(after), list(last)) == says


def test_equal_columns_end_as_they_do_without_their_equals():
    """(0, 0), (0, 1/2), (0, 1/2): in halves their ids are 0, 2, 2, and go to 0 + 4 . 2 and 2 + 4 . 6."""
    m = model.paper(2, 3, 2)
    orbit = tuple(map(m.columns.index, ((0, 0), (0, 1), (0, 1))))
    after = m.sweep([0, 2, 2])[0]
    assert after == [8, 26, 26]
    assert first_failure("b5.cat2-reduced", m, orbit, [], after, after) is None
    for column, forged, value, bound in (
        (1, [9, 26, 26], ["9/2", "0"], ["4", "0"]),
        (3, [8, 26, 27], ["25/2", "1/2"], ["12", "1/2"]),
    ):
        says = (f"column {column} after the sweep = its column in the reduced sequence", value, bound)
        assert first_failure("b5.cat2-reduced", m, orbit, [], forged, after) == says


def test_what_the_sizes_say():
    """At (1, 2, 3): 6 matrices of distinct columns, 3 of equal ones; a share of 3/9, here over 2 . 9 . 9."""
    m, share, nowhere = model.paper(1, 2, 3), "|G minus G~| / |G|", [()]
    sizes = {name: list(size) for name, size in m.sizes().items()}
    assert list(claims.conclusions("grid.duplicates", m, sizes)) == [
        Made(share, "=", "1 - (1 - 1/B)...(1 - (n-1)/B)", [54], [54], nowhere, 162),
        Made("limit of |G minus G~| / (delta^d |G|)", "=", "n(n-1)/2", [1], [1], nowhere, 1),
        Made(share, "<=", "n(n-1)/2 . delta^d", [54], 54, nowhere, 162),
    ]
    made = list(claims.conclusions("grid.sizes", m, sizes | {"category3": [7, 5]}))
    assert [made[0], made[5]] == [
        Made("matrices of category1, counted", "=", "by formula", [6], [6], nowhere, 1),
        Made("orbits of category3, counted", "=", "by formula", [5], [4], nowhere, 1),
    ]


@pytest.mark.parametrize("claim", [claim for claim in IDS if claim not in OWN])
def test_a_claim_alone_is_as_committed(claim):
    read = [json.loads((CERTIFICATES / f"{name}.json").read_text()) for name in COMMITTED]
    cases = [(document, its) for document in read for its in document["claims"] if its["id"] == claim]
    assert len(cases) >= len(SMALL)
    for document, its in cases:
        model = Lemma6(model_of(document), [claim], Options())
        part = model.between([claim] if claim in shards.DOMAIN else [], 0, model.m.orbit_count)
        part.ledgers |= {} if part.ledgers else model.of_own([claim])
        assert frame._entry(PAPER, model, claim, part) == its


# Neighbours: what claims about pairs compare


def test_the_entries_of_one_case_are_compared_in_order():
    made = Made("distance of two entries of q(L)", ">", "0", [1, 0], 0, [7, 8], 5)
    assert list(distinct.within([[3, 9, 2], [2, 6, 2]], [7, 8], 5)) == [made, made._replace(values=[6, 4])]


def test_numbers_of_different_cases_are_compared_with_the_next():
    """5 is in cases 1 and 2, and twice in case 1: of one case nothing is compared."""
    coded = [52, 3, 93, 51, 51]  # 10 v + case
    assert list(distinct.neighbours(coded, 10)) == [
        [((0, 3), (5, 1), (1, 3)), ((5, 1), (5, 2), (1, 2)), ((5, 2), (9, 3), (2, 3))]
    ]
    made = Made("distance of an entry of q(L) from one of q(L')", ">", "0", [5, 0, 4], 0, [(1, 3), (1, 2), (2, 3)], 7)
    assert list(distinct.across(coded, 10, 7)) == [made]


def test_no_neighbours_are_left_out_where_there_are_many():
    found = [pair for some in distinct.neighbours([20_000 * k + k for k in range(10_000)], 20_000) for pair in some]
    assert found == [((k, k), (k + 1, k + 1), (k, k + 1)) for k in range(9_999)]


# Shards and their ranks


def shard_with(rank, start, stop, slack, member="edges"):
    edges = {"q_j >= t_l": {"slack": slack, "rank": start}}  # this one is its own in any case
    edges |= {"q_j < t_r": {"slack": slack, "rank": rank}} if member == "edges" else {}
    its = {"cases": 1, "edges": edges} | ({"failing": 1, "first": rank} if member == "first" else {})
    sizes = {name: {"matrices": 0, "orbits": 0} for name in ("category1", "category2", "category3", "total")}
    sizes["category1"] = {"matrices": 1, "orbits": 1}
    return {"start": start, "stop": stop, "claims": {"lemma6.3": its}, "coverage": sizes, "digest": "0"}


@pytest.mark.parametrize("member", ["edges", "first"])
@pytest.mark.parametrize(("rank", "its"), [(4, True), (5, False), (2, False), (3, True)])
def test_a_shard_names_ranks_of_its_own_alone(rank, its, member):
    """Ranks 3 and 4; a true case of rank 5 belongs to the shard after it, in a check of a part too."""
    shard = shard_with(rank, 3, 5, "1", member)
    if its:
        assert frame._named(orbits_of(1, 2, 3), ["lemma6.3"], shard, "shards[0]").digest == 0  # as the file says
    else:
        with pytest.raises(Rejected, match="a shard's own ranks: shards"):
            frame._named(orbits_of(1, 2, 3), ["lemma6.3"], shard, "shards[0]")


@pytest.mark.parametrize("failing", [0, 3])
def test_of_a_shard_that_is_not_run_the_counts_are_those_of_the_file(failing):
    shard = shard_with(0, 0, 5, "1", "none")
    its = {"cases": 7} | ({"failing": failing} if failing else {})
    shard |= {"claims": {"lemma6.3": its}, "digest": "13"}
    shard["coverage"] |= {"total": {"matrices": 9, "orbits": 7}, "category1": {"matrices": 8, "orbits": 7}}
    part = frame._named(orbits_of(1, 2, 3), ["lemma6.3"], shard, "shards[0]")
    ledger = part.ledgers["lemma6.3"]
    assert (ledger.cases, ledger.failing, part.digest, part.sizes["total"]) == (7, failing, 13, (9, 7))


@pytest.mark.parametrize(
    ("claim", "fitting", "wrong"),
    [
        ("lemma6.3", [10], [9, 11, 510]),  # every orbit of Category 1
        ("lemma6.4", [23], [22, 24]),  # of the others
        ("b5.head", [33], [32, 34]),
        ("lemma6.equivariant", [99], [33, 98, 100]),  # every matrix
        ("b5.cat2-constant", [0, 20], [21]),  # some orbits of Category 2
        ("b5.cat3-negative", [0, 3], [4]),
    ],
)
def test_the_cases_of_a_shard_that_is_not_run_fit_its_own_coverage(claim, fitting, wrong):
    shard = shard_with(0, 0, 5, "1", "none")
    counts = {"category1": (30, 10), "category2": (60, 20), "category3": (9, 3), "total": (99, 33)}
    shard["coverage"] = frame.coverage_of(counts)
    for cases in (*fitting, *wrong):
        shard["claims"] = {claim: {"cases": cases}}
        with nullcontext() if cases in fitting else pytest.raises(Rejected, match="cases of a shard's categories"):
            frame._named(orbits_of(1, 2, 3), [claim], shard, "shards[0]")
    shard["claims"] = {claim: {"cases": fitting[-1], "failing": fitting[-1] + 1}}
    with pytest.raises(Rejected, match="of them failing"):
        frame._named(orbits_of(1, 2, 3), [claim], shard, "shards[0]")


def test_a_stretch_is_divided_among_processes(monkeypatch):
    its_model, met = orbits_of(1, 2, 4), []
    monkeypatch.setattr(frame, "each", lambda _, parts, jobs: met.append((parts, jobs)) or [])
    shard = {"claims": {}, "coverage": frame.coverage_of(its_model.empty([]).sizes)}
    frame._refuse_looser(its_model, [], shard, Share([], stretch=(0, 5, 12)), 2)
    assert met == [([([], 5, 8), ([], 8, 12)], 2)]


def test_digests_are_added_up_modulo_a_prime():
    part, more = (orbits_of(1, 2, 3).empty([]) for _ in range(2))
    part.digest, more.digest = 2**31 - 3, 5
    part.add(more)
    assert part.digest == 3


def test_what_pairs_compare_is_kept_where_all_orbits_are_run_one_by_one():
    """The one context of (1, 2, 2) is of rank 4 among 6: its ids 0, 1 become 2, 3 (in halves), and then 26, 27."""
    ids = ["lemma6.2", "b5.interval", "slides.one-dimensional-all", "lemma6.3"]
    ledgers = orbits_of(1, 2, 2).between(ids, 4, 5).ledgers
    assert [ledgers[id_].values for id_ in ids] == [[26 * 6 + 4, 27 * 6 + 4], [3 * 6 + 4], [3 * 6 + 4], []]
    ledgers = Orbits(model.paper(1, 2, 2), literal=False, by_vertices=True).between(ids, 4, 5).ledgers
    assert [ledgers[id_].values for id_ in ids] == [[], [], [], []]


def test_orbits_of_which_the_closed_form_fails_are_none_of_lemma_t():
    m = replace(model.paper(1, 3, 4), sweep_factor=3)
    run = Orbits(m, literal=False, by_vertices=True)
    with pytest.raises(ArithmeticError, match="Lemma T: the closed form fails"):
        run.take([], m.orbits(0, m.orbit_count))


def test_literal_heads_that_differ_are_a_rejection(monkeypatch):
    m = model.paper(1, 2, 3)
    monkeypatch.setattr(shards, "literal", lambda _, orbit: "a head is not whole" if orbit == (1, 2) else "")
    every = m.orbits(0, m.orbit_count)
    assert Orbits(m, literal=False, by_vertices=False).take([], every).sizes["total"] == (16, 10)
    with pytest.raises(Rejected, match=r"FORMAT 4, the literal heads: rank 5: .* found a head is not whole"):
        Orbits(m, literal=True, by_vertices=False).take([], m.orbits(0, m.orbit_count))


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
    for steps, whole, cases in ((149, 2, 2001), (150, 1, None), (299, 1, None), (300, 0, 1000), (10**9, 0, 1)):
        share = share_of(cert, 2001, 2001 * steps, Options(seconds=1))
        assert (len(share.shards), share.whole) == (whole, whole == 2), steps
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


def test_what_a_check_costs_is_counted_before_it_runs(monkeypatch):
    m = model.paper(1, 2, 3)  # 4 columns, 3 levels and the global shift; each matrix 4 layers of 2^2 scores
    assert cost.literal_steps(m, 1) == 2 * 4 * 4
    assert cost.literal_steps(m, 100) == 16 * 4 * 4
    assert cost.literal_steps(model.paper(1, 3, 2), 1) == 6 * 3 * 9
    assert cost.steps(m, ["lemma6.3", "prop4.distance", "lemma7.map"]) == 5 * 3
    m = model.paper(1, 3, 72)  # C(74, 2) = 2701 pairs of first columns, 73 first columns, one column with a sentinel
    assert [cost.counted(m, m.orbit_count // k) for k in (1, 2)] == [2701 // 8 + 16 * 73 + 3, 753]
    monkeypatch.setattr(cost, "FEW", m.orbit_count - 1)
    assert cost.by_vertices(m, ["lemma6.3"])
    assert not cost.by_vertices(m, ["lemma6.3", "lemma7.map"])  # of which Lemma V says nothing
    assert not cost.by_vertices(replace(m, sweep_factor=2), ["lemma6.3"])
    monkeypatch.setattr(cost, "FEW", m.orbit_count)
    assert not cost.by_vertices(m, ["lemma6.3"])


@pytest.mark.parametrize(
    ("parts", "claim", "share", "most", "says"),
    [
        ((1, 2, 3), "lemma6.3", Share([0]), 10, "10 orbits of 2 columns, more than 9, or 90 columns"),
        ((1, 2, 3), "lemma6.3", Share([], stretch=(0, 3, 9)), 6, "6 orbits of 2 columns, more than 5"),
        ((1, 2, 3), "prop4.distance", Share([0]), 20, "2 columns, 2 times for the claims of FORMAT 11, more than 19"),
        ((1, 20, 2), "lemma6.3", Share([0]), 462, "231 orbits of 20 columns, more than 461, or 4,610 columns"),
        ((1, 2, 3), "lemma7.map", Share([0]), 96, "lemma7.map has 96 cases or keys to weigh, more than 95"),
        ((1, 2, 3), "s6.average", Share([0], stretch=(0, 3, 3)), 10, "10 orbits of 2 columns, more than 9"),
    ],
)
def test_more_than_a_file_may_cost_is_refused(parts, claim, share, most, says):
    m = model.paper(*parts)
    cost.refuse_too_much(m, [claim], share, Options(max_points=most))
    with pytest.raises(OverLimit, match=re.escape(says)):
        cost.refuse_too_much(m, [claim], share, Options(max_points=most - 1))


def test_more_literal_heads_than_may_be_run_are_refused(monkeypatch):
    m, share = model.paper(1, 2, 3), Share([0])
    monkeypatch.setattr(cost, "literal_steps", lambda *_: 10**9)
    cost.refuse_too_much(m, ["lemma6.3"], share, Options(literal=True))
    monkeypatch.setattr(cost, "literal_steps", lambda *_: 10**9 + 1)
    cost.refuse_too_much(m, ["lemma6.3"], share, Options())
    with pytest.raises(OverLimit, match="1,000,000,001 steps of attention heads, more than 10"):
        cost.refuse_too_much(m, ["lemma6.3"], share, Options(literal=True))


def test_a_refusal_says_what_by_vertices_it_would_cost():
    m = model.paper(1, 3, 72)
    cost.refuse_too_much(m, ["lemma6.3"], Share(list(range(64))), Options(max_points=1508), vertices=True)
    with pytest.raises(OverLimit, match="67,525 orbits, as 1,508 run one by one, of 3 columns, more than 1,507"):
        cost.refuse_too_much(m, ["lemma6.3"], Share(list(range(64))), Options(max_points=1507), vertices=True)
    assert [cost.told(10**60 - 1)[:4], cost.told(10**60)] == ["999,", "over 10^60"]


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


@pytest.mark.parametrize(
    ("values", "bounds", "keys"), [([], [1, 1], [7, 8]), ([1, 1], [1], [7, 8]), ([1, 1], 1, [7]), ([None], [], [7])]
)
def test_each_case_has_a_value_and_a_bound(values, bounds, keys):
    with pytest.raises(ValueError, match=r"^x: . values, . bounds, . cases$"):
        Ledger().hold(Made("x", "=", "y", values, bounds, keys), (), 1)


def test_the_first_failure_is_that_of_the_first_case_whichever_relation_it_breaks():
    ledger = Ledger()
    ledger.hold(Made("q_1", "<", "t_r", [4, 7], 5), [3, 9], 1)
    ledger.hold(Made("q_2", "<", "t_r", [7, 7], 5), [3, 9], 1)
    assert (ledger.first.key, ledger.first.text, ledger.failing) == ((3,), "q_2 < t_r", 2)


def test_of_two_ledgers_that_know_the_same_the_first_is_kept():
    first, second = Ledger(), Ledger()
    for name, ledger in (("q_2", first), ("q_1", second)):
        ledger.hold(Made(name, "<", "t_r", [7], 5), [0], 1)
        ledger.hold(Made(name, ">", "t_l", [7], 5), [0], 1)
    first.absorb(second)
    assert (first.first.text, first.edges["q_j > t_l"].text) == ("q_2 < t_r", "q_2 > t_l")


@pytest.mark.parametrize(("op", "value", "holds"), [("<", 4, 1), ("<", 5, 0), ("<=", 5, 1), ("<=", 6, 0)])
def test_strict_and_not(op, value, holds):
    for name, v, bound in (("up", value, 5), ("down", -value, -5)):
        ledger = Ledger()
        ledger.hold(Made("x", op if name == "up" else op.replace("<", ">"), "b", [v], bound, unit=1), [0], 0)
        assert (ledger.failing, len(ledger.edges)) == (1 - holds, holds)


@pytest.mark.parametrize(("value", "unit", "text"), [(6, 4, "3/2"), (8, 4, "2"), (0, 4, "0"), (-6, 4, "-3/2")])
def test_a_number_is_written_in_lowest_terms(value, unit, text):
    assert rational(value, unit) == text
    assert rational(2**13_299, 1) == str(2**13_299)
    assert rational(2**13_300, 1) == rational(1, 2**13_300) == "a number of 13,301 bits"


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
    found = entry(claim, model.paper(1, 2, 3), Ledger(cases))
    assert found.items() >= verdict.items()
    assert ("why" in verdict) == ("why" in found)


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


def test_the_tightest_case_is_one_of_a_matrix_where_there_is_one():
    """A bound about no matrix is tighter; only where nothing else is compared is it the tightest."""
    m, ledger = model.paper(1, 2, 3), Ledger()
    ledger.cases = 1
    shown = entry("b5.cat3-final", m, ledger)
    assert (shown["tightest"]["relation"], shown["tightest"]["slack"]) == ("delta^-((2n+2)d) delta > t_r", "81")
    ledger.hold(Made("q_1", "<", "0", [-2000, -3000], 0), [0, 1], m.N)
    shown = entry("b5.cat3-final", m, ledger)
    assert [edge["slack"] for edge in shown["edges"]] == ["81", "2000/3"]
    assert (shown["tightest"]["relation"], shown["tightest"]["matrix"]) == ("q_1 < 0", [["-9", "-9"]])


@pytest.mark.parametrize(
    ("claim", "parts", "why"),
    [
        ("claim1.attention", (6, 2, 2), ""),
        ("claim1.attention", (1, 5, 2), ""),
        ("claim1.attention", (7, 2, 2), "checked with symbols up to d n = 12 and n = 5; here d n = 14, n = 2"),
        ("claim1.feedforward", (1, 6, 2), "checked with symbols up to d n = 12 and n = 5; here d n = 6, n = 6"),
        ("lemma9.compact", (1, 2, 500), ""),
        ("lemma9.compact", (1, 2, 501), "its bound fits a certificate up to B = 500; here B = 501"),
        ("exact.keys", (1, 2, 500), ""),
        ("exact.keys", (1, 2, 501), "its keys fit a certificate up to B = 500; here B = 501"),
        ("lemma6.3", (1, 2, 501), ""),
        ("lemma7.map", (1, 2, 3), ""),
    ],
)
def test_which_claims_are_skipped(claim, parts, why):
    assert checking.skipped(claim, model.paper(*parts)) == why


def test_of_a_variant_the_claims_of_format_11_are_skipped():
    m = replace(model.paper(1, 2, 3), t_l=1)
    assert [bool(checking.skipped(claim, m)) for claim in ("lemma6.3", "lemma7.map")] == [False, True]


def test_claim_1_is_believed_only_if_the_layer_commutes(monkeypatch):
    m = model.paper(2, 2, 2)  # 9 columns, 4 of them without a sentinel
    claims = ("claim1.attention", "grid.order", "b5.ids", "b5.ids-sentinel")
    assert [checking.itself(claim, m) for claim in claims] == [1, 9, 4, 5]
    monkeypatch.setattr(checking, "commutes", lambda *_: False)
    assert checking.itself("lemma6.layers", m) == 1
    with pytest.raises(Rejected, match=r"claim claim1\.attention: FORMAT 6, the symbols"):
        checking.itself("claim1.attention", m)


def test_the_shards_that_are_not_run_must_add_up_to_the_formulas(judge):
    document = json.loads(genuine("shards"))
    document["shards"][1]["coverage"]["category1"]["orbits"] += 1
    code, said = judge(canonical(document), "--shard", "0")
    assert (code, "shards[*].coverage.category1.orbits: expected 2415, found 2416" in said) == (REJECTED, True)


@pytest.mark.parametrize("lie", ["claims-out-of-order", "a-claim-listed-twice"])
def test_a_claim_is_listed_once_and_in_its_place(lie, judge):
    code, said = judge(corpus.named(lie).bytes())
    assert (code, "FORMAT 1, claims in order, each at most once" in said) == (REJECTED, True)


def entry(claim, m, ledger):
    return frame._entry(PAPER, Lemma6(m, [claim], Options()), claim, frame.Part({claim: ledger}, m.sizes()))


def orbits_of(d, n, N):
    return Orbits(model.paper(d, n, N), literal=False, by_vertices=False)


HOW = {
    (10**6, False): "each attention head run",
    (10**6 + 1, False): "lemma6.equivariant by Lemmas H, S, P",
    (10**6 + 1, True): "lemma6.equivariant by Lemmas H, S, P, orbits by Lemmas V, T",
    (10**6, True): "each attention head run",
}


@pytest.mark.parametrize(("steps", "vertices"), HOW)
def test_what_a_check_rests_on_is_said(steps, vertices, monkeypatch):
    """Up to 10^6 scores literal heads are run, and then nothing rests on lemmas."""
    monkeypatch.setattr(checking, "literal_steps", lambda *_: steps)
    monkeypatch.setattr(checking, "by_vertices", lambda *_: vertices)
    cert = certificate(json.loads(genuine("holds")), PAPER)
    assert checking.check(cert, Options()).how == HOW[steps, vertices]
    assert checking.check(cert, Options(literal=True)).how == "each attention head run"


def test_where_no_head_is_run_literally_is_said():
    """Claims with positions are swept by the lemmas, wherever; what is said of ids before the sweep rests on none."""

    def how(*ids, over_space=True):
        return Lemma6(model.paper(1, 2, 3), ids, Options()).how(over_space=over_space)

    assert how("lemma6.3", "c.order", "c.ids", "hu.bounds") == "each attention head run, c.* and hu.* by Lemmas H, S"
    assert how("c.ids", "hu.ids-sentinel", "c.quantizes", "exact.network", over_space=False) == ""
    assert how("hu.outside", over_space=False) == "hu.* by Lemmas H, S"


def test_the_head_of_the_construction_with_distance_0_is_run(monkeypatch):
    """Another key or query than 0 has other scores, and another sum."""
    m = model.paper(1, 2, 3)
    net = distance_zero.Net(m)
    assert net.attended([[0], [12]]) == [12 * net.F] * 2
    for name in ("W_K", "W_Q"):
        monkeypatch.setattr(distance_zero.Net, name, (1,))
    distance_zero.net.cache_clear()
    (made,) = distance_zero.scores(m)
    assert max(made.values) > 0
    assert distance_zero.Net(m).attended([[0], [12]]) == [12 * net.F, 24 * net.F]
    distance_zero.net.cache_clear()

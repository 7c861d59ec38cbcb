"""What the claims say at small instances, against numbers that were worked out by hand or naively."""

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

import slow_truth
from verifier.catalogue import UnknownClaim, all_claims, choose, default_claims
from verifier.checker.papers.yun2020.statements import EXCLUDED
from verifier.core.claim import KINDS
from verifier.core.exact import Q, matrix
from verifier.core.layers import Attention
from verifier.core.network import Network
from verifier.papers.yun2020.contextual_map import contextual_map
from verifier.papers.yun2020.instance import Instance
from verifier.papers.yun2020.interval import Interval, below_or_beyond, inside, outside
from verifier.run.verify import verify

SOURCES = """
claim1.attention claim1.feedforward grid.sizes grid.duplicates
b5.head b5.shift b5.ids b5.ids-sentinel b5.first-shift b5.closed-form b5.order b5.max-min
lemma10.lower lemma10.upper lemma10.injective b5.global b5.interval lemma6.1 lemma6.2 lemma6.3
b5.cat2-constant b5.cat2-reduced b5.cat2-bound b5.cat3-minimum b5.cat3-negative b5.cat3-shift b5.cat3-final
lemma6.4 lemma6.layers lemma6.equivariant
lemma5.quantizes lemma5.activations lemma5.layers lemma7.reject lemma7.map lemma7.layers
prop4.network prop4.distance lemma8.radius lemma8.equivariant
lemma9.relu lemma9.softmax lemma9.distance theorem2.size
c.quantizes c.ids c.order c.bound c.injective c.disjoint c.contextual theorem3.size
hu.ids-sentinel hu.order hu.bounds hu.layers hu.distinct hu.threshold hu.outside
s6.average s6.sepconv
slides.sentinel slides.one-dimensional slides.broadcast slides.closed
"""
OUR_OWN = ["grid.order", "b5.lattice", "s6.bilinear"]  # two that runs rest on; Section 6.1 claims less
REPAIRED = """
lemma7.map-bounded prop4.network-bounded prop4.distance-p lemma8.radius-p lemma9.compact lemma9.last-first
theorem2.sentinel-above hu.threshold-repaired
"""  # claims that the sources should have made
UNSAID = ["theorem2.heads", "slides.one-dimensional-all", "lemma9.layerwise"]  # taken for granted, or left out
WITH_DISTANCE_0 = """
exact.quantizes exact.codes exact.keys exact.sentinel exact.softmax exact.network exact.layers exact.weights
exact.everywhere
"""


def at(*parts, claims=None):
    return verify(contextual_map(Instance(*parts)), None if claims is None else choose(claims))


def test_every_claim_of_the_sources_is_declared():
    ours = [*OUR_OWN, *REPAIRED.split(), *UNSAID, *WITH_DISTANCE_0.split()]
    assert sorted(all_claims()) == sorted([*SOURCES.split(), *ours])
    for claim in all_claims().values():
        assert claim.where
        assert claim.says.endswith((".", ")"))
        assert claim.formula
        assert claim.how
        assert claim.check or claim.conclude


def test_every_claim_says_whose_it_is():
    """Each by hand in its own declaration; the excluded readings, and what is ours, are these."""
    by_kind = {}
    for claim in all_claims().values():
        by_kind.setdefault(claim.kind, []).append(claim.id)
    assert set(by_kind) == set(KINDS)
    assert " ".join(by_kind["excluded"]) == (
        "lemma8.radius lemma9.layerwise theorem2.heads s6.sepconv slides.one-dimensional-all"
    )
    words = (Path(__file__).parent.parent / "proofs/format/yun2020.md").read_text()
    listed = words.partition("Excluded readings (FORMAT.md, 6) are ")[2].partition(".\n")[0]
    assert (
        set(by_kind["excluded"]) == EXCLUDED == set(re.findall("`(.*?)`", listed))
    )  # the checker's list, and the format's
    assert sorted(by_kind["repair"]) == sorted(REPAIRED.split())
    assert sorted(by_kind["own"]) == sorted([*OUR_OWN, *WITH_DISTANCE_0.split()])
    with pytest.raises(ValueError, match="'opinion' is no kind of claim"):
        replace(all_claims()["lemma6.1"], kind="opinion")


@pytest.mark.parametrize(
    "parts", [(1, 2, 2), (1, 2, 5), (1, 3, 4), (1, 4, 3), (1, 5, 2), (2, 2, 2), (2, 3, 2), (3, 2, 2)]
)
def test_the_construction_holds_and_every_case_is_counted(parts):
    result = at(*parts)
    assert result.verdict == "holds"
    coverage = result.coverage
    for claim, cases in {
        "b5.head": coverage["total"].orbits,
        "grid.duplicates": coverage["category1"].orbits + coverage["category2"].orbits,
        "lemma6.1": coverage["category1"].orbits,
        "b5.cat2-bound": coverage["category2"].orbits,
        "b5.cat3-final": coverage["category3"].orbits,
        "lemma6.4": coverage["category2"].orbits + coverage["category3"].orbits,
        "lemma6.equivariant": coverage["total"].matrices,
    }.items():
        assert result[claim].cases == cases
    parts_of_2 = result["b5.cat2-constant"].cases + result["b5.cat2-reduced"].cases
    assert parts_of_2 == coverage["category2"].orbits
    parts_of_3 = result["b5.cat3-negative"].cases + result["b5.cat3-shift"].cases
    assert parts_of_3 == coverage["category3"].orbits


def test_more_tokens_than_columns_leave_category_1_empty_and_say_so():
    result = at(1, 3, 2)
    assert result.verdict == "holds"
    for claim in ("lemma6.1", "lemma6.2", "lemma6.3", "lemma10.lower", "b5.order"):
        assert (result[claim].verdict, result[claim].cases) == ("vacuous", 0)
        assert "no case exists" in result[claim].why
    assert result["lemma6.4"].verdict == "holds"


def test_two_tokens_have_no_reduced_sequence():
    assert at(1, 2, 4)["b5.cat2-reduced"].verdict == "vacuous"


def test_a_single_context_has_no_other_to_be_told_from():
    result = at(1, 3, 3)
    for claim in ("lemma6.2", "lemma10.injective"):
        assert (result[claim].verdict, result[claim].cases) == ("vacuous", 0)
        assert result[claim].why == "a single orbit: no pair exists"
    assert (result["b5.interval"].verdict, result["b5.interval"].cases) == ("holds", 1)
    assert result["b5.interval"].why == "a single orbit: no pair exists"


def test_tightest_cases_against_the_naive_definitions():
    parts = (1, 3, 5)
    result = at(*parts)
    runs = [(X, slow_truth.g_c(*parts, X)) for X in slow_truth.g_plus(*parts) if X[0] == sorted(X[0])]
    swept = {tuple(X[0]): run[-2][0] for X, run in runs if slow_truth.category(X) == 1}
    final = {tuple(X[0]): run[-1][0] for X, run in runs if slow_truth.category(X) == 1}
    others = {tuple(X[0]): run[-1][0] for X, run in runs if slow_truth.category(X) != 1}
    t_l, t_r = Fraction(str(result.construction.instance.t_l)), Fraction(str(result.construction.instance.t_r))

    def expect(claim, slack, witness):
        tightest = result[claim].tightest
        assert tightest.slack == Q(slack.numerator, slack.denominator)
        assert tightest.matrices == (matrix([[Q(x.numerator, x.denominator) for x in witness]]),)

    def least(slacks):
        best = min(slacks.values())
        return best, next(X for X, slack in slacks.items() if slack == best)

    lower = Fraction(5**2 * 4, 5)
    upper = Fraction(5**3 * 4 - 4**2, 5)
    expect("lemma10.lower", *least({X: ids[-1] - lower for X, ids in swept.items()}))
    expect("lemma10.upper", *least({X: upper - ids[-1] for X, ids in swept.items()}))
    expect("b5.order", *least({X: min(b - a for a, b in pairwise(i)) for X, i in swept.items()}))
    expect("lemma6.3", *least({X: min(min(q) - t_l, t_r - max(q)) for X, q in final.items()}))
    expect("lemma6.4", *least({X: min(t_l - a if a < t_l else a - t_r for a in q) for X, q in others.items()}))


@pytest.mark.parametrize(("n", "N", "share"), [(2, 3, "1/3"), (3, 3, "7/9"), (4, 3, "1"), (3, 4, "5/8")])
def test_the_share_of_duplicates(n, N, share):
    relation = at(1, n, N, claims=["grid.duplicates"])["grid.duplicates"].tightest.relation
    assert str(relation.value) == share
    assert relation.bound == Q(n * (n - 1), 2 * N)


@pytest.mark.parametrize("low_closed", [True, False])
@pytest.mark.parametrize("high_closed", [True, False])
def test_a_value_is_inside_an_interval_or_outside_and_never_both(low_closed, high_closed):
    interval = Interval(1, 4, low_closed, high_closed)
    for value in (Q(0), Q(1), Q(3, 2), Q(5, 2), Q(7, 2), Q(4), Q(5)):
        is_inside = (value > 1 or (low_closed and value == 1)) and (value < 4 or (high_closed and value == 4))
        assert all(relation.holds for relation in inside("q", value, interval)) == is_inside
        assert outside("q", value, interval).holds != is_inside


@pytest.mark.parametrize(("value", "bound_name"), [(-1, "t_l"), (Q(9, 10), "t_l"), (1, "t_r"), (Q(11, 10), "t_r")])
def test_outside_is_said_of_the_nearer_edge_and_halfway_between_them_of_the_upper(value, bound_name):
    """[0, 2): the middle is 1."""
    assert outside("q", Q(value) if isinstance(value, int) else value, Interval(0, 2)).bound_name == bound_name


def test_beside_an_interval_a_value_is_told_by_its_low_edge_if_it_is_below_that():
    said = [below_or_beyond("q", Q(value), Interval(0, 2)) for value in (-1, 0, 1, 2, 9)]
    assert [(r.op, r.bound_name, r.holds) for r in said] == [
        ("<", "t_l", True), (">=", "t_r", False), (">=", "t_r", False), (">=", "t_r", True), (">=", "t_r", True)
    ]  # fmt: skip


def test_claims_are_chosen_by_id_by_family_or_all():
    assert [c.id for c in choose(["lemma10"])] == ["lemma10.lower", "lemma10.upper", "lemma10.injective"]
    assert choose(["all"]) == list(all_claims().values())
    assert {c.family for c in default_claims()} == {"grid", "b5", "lemma10", "lemma6"}


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["lemma6.5"], "did you mean lemma6.4"),
        (["xyzzy"], "verify claims"),
        ([""], "no claim ''"),
        (["lemma6.1", "lemma6.1"], "lemma6.1 is chosen twice"),
        (["lemma6", "lemma6.1"], "lemma6.1 is chosen twice"),
        (["all", "b5"], "b5.cat2-bound is chosen twice"),
        ([], "no claim is chosen"),
    ],
)
def test_claims_that_cannot_be_chosen(names, message):
    with pytest.raises(UnknownClaim, match=message):
        choose(names)


def test_the_same_heads_written_otherwise_are_the_same_heads():
    """W_Q and b_Q doubled, or W_K, W_Q and b_Q negated: the scores are those of psi, up to a positive factor."""
    g = contextual_map(Instance(1, 2, 3))
    for change in (
        lambda head: replace(head, W_Q=((2,),), b_Q=(2 * head.b_Q[0],)),
        lambda head: replace(head, W_K=((-1,),), W_Q=((-1,),), b_Q=(-head.b_Q[0],)),
    ):
        layers = [Attention(tuple(map(change, layer.heads))) for layer in g.sweep.layers]
        result = verify(replace(g, sweep=Network(tuple(layers))))
        assert result.verdict == "holds"


def test_where_there_are_no_heads_nothing_is_said_of_them():
    empty = replace(contextual_map(Instance(1, 2, 3)), sweep=Network())
    assert verify(empty)["b5.shift"].verdict == "skipped"
    nothing = replace(empty, global_shift=Network())
    assert verify(nothing)["b5.head"].verdict == "skipped"


@dataclass(frozen=True)
class Wrapped:
    """An attention layer that can't be looked into."""

    layer: Attention
    parameters: int = 0

    def apply(self, X):
        return self.layer.apply(X)


def test_a_layer_that_is_no_attention_layer_is_not_counted_as_one():
    g = contextual_map(Instance(1, 2, 3))
    result = verify(replace(g, sweep=g.sweep.with_layer(0, Wrapped(g.sweep.layers[0]))))
    assert result.refuted == ["lemma6.layers"]
    assert result["b5.head"].verdict == "skipped"


def test_claims_by_name_and_none_at_all():
    g = contextual_map(Instance(1, 2, 2))
    assert [finding.claim.id for finding in verify(g, ["lemma6.1", "grid"]).findings] == [
        "grid.sizes",
        "grid.duplicates",
        "grid.order",
        "lemma6.1",
    ]
    assert verify(g, "lemma6.1,grid.order").verdict == verify(g, iter(["lemma6.1"])).verdict == "holds"
    for wrong in ([], ["lemma11"], [7], ""):
        with pytest.raises(UnknownClaim):
            verify(g, wrong)
    with pytest.raises(TypeError, match="takes a construction"):
        verify(Instance(1, 2, 2))
    with pytest.raises(KeyError, match=r"lemma7\.map was not run"):
        verify(g, ["lemma6.1"])["lemma7.map"]


def test_the_share_of_duplicates_can_be_refuted():
    """Its formula is compared with the count: with a column that is there twice, they differ."""
    twice = contextual_map(Instance(1, 2, 3), entries=(Q(0), Q(1, 3), Q(1, 3)))
    assert "grid.duplicates" in verify(twice).refuted

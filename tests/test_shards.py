"""Shards: they tile a space, add up to it, and none says what no run of its stretch can give."""

from dataclasses import replace
from itertools import chain

import pytest

from verifier.core.claim import Relation
from verifier.core.exact import Q
from verifier.core.space import Sizes
from verifier.run.shard import Count, Impossible, Part, Shard, add_up, merged, plan, refuse_impossible, total_up
from verifier.run.stop import Disagreement


@pytest.mark.parametrize(
    ("orbits", "shards"), [(0, 1), (1, 1), (1999, 1), (2000, 2), (2999, 2), (63_999, 63), (64_000, 64), (10**9 + 7, 64)]
)
def test_the_plan_tiles_the_ranks_as_evenly_as_can_be(orbits, shards):
    stretches = plan(orbits)
    assert len(stretches) == shards
    if orbits < 10**5:
        assert list(chain.from_iterable(range(*stretch) for stretch in stretches)) == list(range(orbits))
    assert {stop - start for start, stop in stretches} <= {orbits // shards, -(-orbits // shards)}


# What can be, and what can't: four orbits, of ranks 10 to 13, that stand for six matrices.

CLAIM = "a.claim"
SHARD = Shard(
    10,
    14,
    {"one": Sizes(5, 3), "two": Sizes(1, 1), "total": Sizes(6, 4)},
    Q(7),
    {CLAIM: Count(cases=4, failing=1, first=13, edges={"x < y": (Q(0), 10)})},
)
PART = Part(SHARD, {CLAIM: [(Q(1), 10), (Q(2), 13)]}, (1, 13), "the literal network")


def test_a_shard_in_a_line():
    assert repr(replace(SHARD, claims={"a": None, "b": None})) == "<cases 10 to 13: 2 claims counted>"


def sizes(one, two, total=(6, 4), **more):
    made = {"one": one, "two": two, "total": total, **more}
    return replace(PART, shard=replace(SHARD, coverage={name: Sizes(*pair) for name, pair in made.items()}))


def shard(**changes):
    return replace(PART, shard=replace(SHARD, **changes))


def count(**changes):
    return shard(claims={CLAIM: replace(SHARD.claims[CLAIM], **changes)})


POSSIBLE = {
    "as it is": PART,
    "an empty category": sizes((6, 4), (0, 0)),
    "a digest of 0": shard(digest=Q(0)),
    "the largest digest": shard(digest=Q(2**31 - 2)),
    "a digest of a variant": shard(digest=Q(1, 2)),
    "a case for each matrix": count(cases=6),
    "all failing": count(failing=4),
    "the first failing": count(first=10),
    "no case": count(cases=0, failing=0, first=None, edges={}),
    "a single case": count(cases=1, failing=0, first=None),
    "a tightest case at the end": count(edges={"x < y": (Q(1, 2), 13)}),
    "no values": replace(PART, values={}),
    "values of the first alone": replace(PART, values={CLAIM: [(Q(1), 10)]}),
    "no nearest": replace(PART, nearest=None),
    "run by the engine": replace(PART, instead=""),
}
IMPOSSIBLE = {
    "a category more": sizes((5, 3), (1, 1), three=(0, 0)),
    "another category": shard(coverage={"one": Sizes(5, 3), "three": Sizes(1, 1), "total": Sizes(6, 4)}),
    "fewer than none": sizes((7, 5), (-1, -1)),
    "fewer matrices than none": sizes((7, 3), (-1, 1)),
    "matrices that are no whole number": sizes((5.0, 3), (1, 1)),
    "orbits that are no whole number": sizes((5, 3.0), (1, 1)),
    "fewer matrices than orbits": sizes((2, 3), (4, 1)),
    "a total of too many matrices": sizes((5, 3), (1, 1), (7, 4)),
    "a total of too many orbits": sizes((5, 3), (1, 1), (6, 5)),
    "more orbits than ranks": sizes((6, 4), (1, 1), (7, 5)),
    "fewer orbits than ranks": shard(stop=15),
    "a digest below 0": shard(digest=Q(-1)),
    "a digest that is too large": shard(digest=Q(2**31 - 1)),
    "no claim": shard(claims={}),
    "another claim": shard(claims={"b.claim": SHARD.claims[CLAIM]}),
    "a claim more": shard(claims={"b.claim": SHARD.claims[CLAIM], **SHARD.claims}),
    "cases that are no whole number": count(cases=4.0),
    "failing cases that are no whole number": count(failing=1.0),
    "more cases than matrices": count(cases=7),
    "fewer cases than none": count(cases=-1, failing=-1, edges={}),
    "more failing cases than cases": count(failing=5),
    "fewer failing cases than none": count(failing=-1),
    "failing behind the stretch": count(first=14),
    "failing before the stretch": count(first=9),
    "failing at no whole number": count(first=13.0),
    "failing nowhere": count(first=None),
    "none failing, somewhere": count(failing=0),
    "a slack below 0": count(edges={"x < y": (Q(-1, 2), 10)}),
    "a tightest case behind the stretch": count(edges={"x < y": (Q(1), 14)}),
    "a tightest case before the stretch": count(edges={"x < y": (Q(1), 9)}),
    "a tightest case of none": count(cases=0, failing=0, first=None),
    "values of another claim": replace(PART, values=PART.values | {"b.claim": []}),
    "a value behind the stretch": replace(PART, values={CLAIM: [(Q(1), 10), (Q(1), 14)]}),
    "a value before the stretch": replace(PART, values={CLAIM: [(Q(1), 9), (Q(1), 10)]}),
    "nearest in one place": replace(PART, nearest=(0, 13)),
    "nearest to a case behind the stretch": replace(PART, nearest=(1, 14)),
    "run by somebody": replace(PART, instead="an oracle"),
}


@pytest.mark.parametrize("what", POSSIBLE)
def test_what_a_run_may_give_is_accepted(what):
    refuse_impossible(POSSIBLE[what], [CLAIM], ["one", "two"], kernel=True)


@pytest.mark.parametrize("what", IMPOSSIBLE)
def test_what_no_run_gives_is_refused(what):
    with pytest.raises(Impossible):
        refuse_impossible(IMPOSSIBLE[what], [CLAIM], ["one", "two"], kernel=True)


def test_the_literal_network_finds_no_nearest_pair():
    refuse_impossible(replace(PART, nearest=None), [CLAIM], ["one", "two"], kernel=False)
    with pytest.raises(Impossible, match="that only the kernel finds"):
        refuse_impossible(PART, [CLAIM], ["one", "two"], kernel=False)


# Sums


def test_what_a_claim_counts_in_several_shards():
    """The first that fails; of each inequality the least slack, and of equals the first."""
    counts = [
        Count(3),
        Count(4, 2, 11, {"x < y": (Q(2), 12), "x < z": (Q(1), 10)}),
        Count(5, 1, 20, {"x < y": (Q(2), 21), "x > 0": (Q(0), 22)}),
        Count(6, 0, None, {"x < z": (Q(1, 2), 33)}),
    ]
    edges = {"x < y": (Q(2), 12), "x < z": (Q(1, 2), 33), "x > 0": (Q(0), 22)}
    assert add_up(counts) == Count(cases=18, failing=3, first=11, edges=edges)
    assert add_up([]) == Count(0) == Count(0, failing=0, first=None, edges={})


def test_categories_add_up_and_so_does_their_total():
    some = {"one": Sizes(5, 3), "two": Sizes(1, 1), "total": Sizes(99, 99)}
    assert total_up([some, {"one": Sizes(2, 2)}]) == {"one": Sizes(7, 5), "two": Sizes(1, 1), "total": Sizes(8, 6)}
    assert total_up([]) == {"total": Sizes(0, 0)}


def test_two_engines_count_the_same_cases_or_no_verdict_stands_on_them():
    failing = Relation("x", Q(1), "<", "y", Q(0))
    other = Part(replace(SHARD, claims={"b.claim": Count(4)}), {"b.claim": []}, None, "", {("b.claim", ""): failing})
    both = merged(PART, other)
    assert both.shard == replace(SHARD, claims=SHARD.claims | {"b.claim": Count(4)})
    assert (both.values, both.nearest, both.instead) == (PART.values | {"b.claim": []}, PART.nearest, PART.instead)
    assert both.relations == {("b.claim", ""): failing}
    assert both == replace(both, relations={})  # they are at hand, or made again
    for wrong in ({"start": 9}, {"stop": 15}, {"coverage": {}}, {"digest": Q(8)}):
        with pytest.raises(Disagreement, match=r"two engines count ranks 10\.\.13 differently"):
            merged(PART, replace(other, shard=replace(other.shard, **wrong)))

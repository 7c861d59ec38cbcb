"""The exhaustive run: first counterexamples, tightest cases, counting, and sizes first."""

import re
from dataclasses import replace
from math import comb

import pytest

from mutants import MUTANTS
from verifier.catalogue import choose, default_claims
from verifier.core.claim import Claim, Domain, Relation
from verifier.core.exact import Q
from verifier.core.multisets import unrank
from verifier.core.whole import compiled
from verifier.papers.yun2020.contextual_map import contextual_map
from verifier.papers.yun2020.instance import Instance
from verifier.papers.yun2020.size import matrix_count, orbit_count, refuse_if_too_large
from verifier.run.stop import Miscounted, TooLarge
from verifier.run.verify import RunOptions, verify

I = Instance(1, 3, 3)
EVERY_ORBIT = Domain("every orbit")


def claim(check=None, **settings):
    says = {"where": "here", "says": "Says.", "formula": "x", "how": "by test"}
    return Claim(id="test.claim", domain=EVERY_ORBIT, check=check, **says, **settings)


def run(check=None, **settings):
    return verify(contextual_map(I), [claim(check, **settings)])["test.claim"]


def test_the_first_failing_case_is_the_counterexample_and_all_are_counted():
    finding = run(lambda case: iter([Relation("number", case.number, "<", "5", 5)]))
    assert (finding.verdict, finding.cases, finding.failing) == ("refuted", 20, 15)
    assert finding.counterexample.relation.value == 5
    assert finding.counterexample.matrices == (contextual_map(I).grid.matrix((0, 1, 2)),)


def test_of_equally_tight_cases_the_first_is_kept_and_each_inequality_has_its_own():
    def check(case):
        yield Relation("high", Q(abs(case.number - 10) // 5), ">=", "0", Q(0))
        yield Relation("low", Q(case.number), "<=", "30", Q(30))

    finding = run(check)
    assert [(edge.relation.name, edge.slack) for edge in finding.edges] == [("high", 0), ("low", 11)]
    assert finding.tightest.relation.name == "high"
    assert finding.tightest.matrices == (contextual_map(I).grid.matrix((0, 1, 3)),)  # number 6, the first of 6..14


def test_pairs_come_in_order_of_their_cases():
    def across(_g, _seen):
        yield Relation("later", Q(1), ">", "0", Q(0), (3, 7))
        yield Relation("earlier", Q(1), ">", "0", Q(0), (3, 5))
        yield Relation("tight", Q(2), ">", "0", Q(0), (0, 1))

    finding = run(collect=lambda case: [case.number], conclude=across)
    assert finding.tightest.relation.name == "earlier"
    assert len(finding.tightest.matrices) == 2


def test_a_collision_is_shown_as_the_first_pair():
    finding = verify(contextual_map(Instance(1, 2, 3), sweep_factor=Q(1)), choose(["lemma10.injective"]))[
        "lemma10.injective"
    ]
    assert finding.verdict == "refuted"
    first, second = finding.counterexample.matrices
    assert (first, second) == (((Q(0), Q(2, 3)),), ((Q(1, 3), Q(2, 3)),))


def test_cases_that_are_not_as_many_as_they_should_be_give_no_verdict():
    with pytest.raises(Miscounted, match="category3: 0 orbits were run, and the formula gives 4"):
        verify(contextual_map(Instance(1, 2, 3), sentinel=Q(0)), choose(["lemma6.1"]))


def test_cases_of_a_claims_own_are_reported_before_the_orbits():
    told = []
    verify(contextual_map(Instance(1, 2, 3)), choose(["grid.order", "grid.sizes"]), RunOptions(progress=told.append))
    own = [report.own for report in told]
    assert own[:4] == [("every column of G+", number) for number in range(4)]
    assert own[4:] == [None] * len(own[4:])
    assert told[-1].done == told[-1].total == 10


def test_progress_is_told_of_every_orbit():
    told = []
    verify(contextual_map(I), choose(["grid.sizes"]), RunOptions(progress=told.append))
    assert list(dict.fromkeys((so_far.done, so_far.total) for so_far in told)) == [(k, 20) for k in range(1, 21)]
    assert all(sum(so_far.categories.values()) == so_far.done for so_far in told)
    assert (told[-1].categories, told[-1].refuted) == ({"category1": 1, "category2": 9, "category3": 10}, ())


def refuted_of(told):
    """When each refutation was first told of: claim, matrices, rank and how many orbits were done."""
    firsts = {}
    for so_far in told:
        for refuted in so_far.refuted:
            firsts.setdefault(refuted.claim, (refuted, so_far.done))
    return firsts


def test_a_refutation_is_told_at_once_and_once():
    mutant = next(mutant for mutant in MUTANTS if mutant.name == "t_r at the largest value of Category 1, left out")
    g = mutant.build(Instance(*mutant.at))
    told = []
    finding = verify(g, ["lemma6.3", "lemma6.4"], RunOptions(progress=told.append))["lemma6.3"]
    ((refuted, done),) = refuted_of(told).values()
    assert (refuted.claim, refuted.matrices) == ("lemma6.3", finding.counterexample.matrices)
    assert done == refuted.rank + 1 < told[-1].done == 35  # right after the case that fails
    assert len({so_far.refuted for so_far in told}) == 2  # none, and then the same until the end


def test_claims_that_are_not_about_orbits_are_told_before_the_orbits():
    g = contextual_map(I)
    told = []
    verify(
        replace(g, sweep=g.sweep.without_layer(0)),
        ["b5.ids-sentinel", "lemma6.layers"],
        RunOptions(progress=told.append),
    )
    refuted, done = refuted_of(told)["lemma6.layers"]
    assert (refuted.matrices, refuted.rank, done) == ((), None, 0)


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_finished_shards_hold_is_told_from_processes_and_from_a_checkpoint(jobs, tmp_path, monkeypatch):
    monkeypatch.setattr("verifier.run.verify.WORTH_PROCESSES", -1)
    g = contextual_map(Instance(1, 2, 70), t_r=Q(1))  # two shards
    claims = ["lemma6.3", "lemma6.4"]
    told, again = [], []
    result = verify(g, claims, RunOptions("literal", jobs, tmp_path, progress=told.append))
    verify(g, claims, RunOptions("literal", jobs, tmp_path, progress=again.append))
    for record in (told, again):
        assert record[-1].categories == {name: result.coverage[name].orbits for name in g.space.categories}
        assert (record[-1].done, record[-1].total) == (2556, 2556)
        assert [so_far.done for so_far in record] == sorted(so_far.done for so_far in record)
        refuted, done = refuted_of(record)["lemma6.3"]
        assert done < 2556 or (jobs == 2 and record is told)  # two workers may be done at once
        assert refuted.matrices[0] == g.grid.matrix(unrank(refuted.rank, 71, 2))
    assert (told[-1].kept, again[-1].kept, len(again)) == (0, 2556, 2)


def test_a_variant_is_the_construction_with_a_part_exchanged():
    g = contextual_map(I)
    broken = replace(g, sweep=g.sweep.without_layer(0))
    assert len(broken.network) == len(g.network) - 1
    assert "lemma6.layers" in verify(broken).refuted


@pytest.mark.parametrize(
    ("parts", "orbits", "matrices"),
    [
        ((1, 3, 4), 35, 125),
        ((2, 3, 2), 165, 729),
        ((1, 2, 10**30), (10**30 + 1) * (10**30 + 2) // 2, (10**30 + 1) ** 2),
        ((10**6, 10**6, 7), None, None),
        ((1, 10**6, 2), 500001500001, None),
        ((10**999, 2, 2), None, None),
        ((1, 10**999, 10**999), None, None),
    ],
)
def test_sizes_are_exact_and_take_no_time(parts, orbits, matrices):
    instance = Instance(*parts)
    assert (orbit_count(instance), matrix_count(instance)) == (orbits, matrices)


def refusal(parts, claims=None, max_points=None, engine="auto"):
    chosen = default_claims() if claims is None else choose(claims)
    with pytest.raises(TooLarge) as refused:
        refuse_if_too_large(Instance(*parts), chosen, max_points, engine)
    return str(refused.value)


def test_columns_that_memory_has_room_for():
    refuse_if_too_large(Instance(1, 2, 149_999), default_claims(), 10**12, "auto")
    assert "at most 150,000 columns" in refusal((1, 2, 150_000), max_points=10**12)


def test_a_run_over_its_limit_is_refused_with_its_exact_size():
    assert f"{comb(10**7 + 3, 3):,} orbits ({(10**7 + 1) ** 3:,} matrices)" in refusal((1, 3, 10**7))
    assert "3^1000000" in refusal((1, 10**6, 2))
    assert "C(8^1000000 + 999999, 1000000) orbits" in refusal((10**6, 10**6, 7))
    assert "the limit is 34 orbits; --max-points 35 allows it: about 1 second" in refusal((1, 3, 4), max_points=34)
    assert re.search(r"allows it: about \d+ days? on", refusal((1, 9, 60), max_points=1000))
    refuse_if_too_large(Instance(1, 3, 4), default_claims(), 35)


@pytest.mark.parametrize(("library", "minutes"), [(lambda: None, 37), (object, 8)])
def test_many_layers_count_too(library, minutes, monkeypatch):
    monkeypatch.setattr(compiled, "library", library)
    message = refusal((1, 2, 600), ["lemma6.1"], engine="literal")
    assert "180,901 orbits" in message
    assert f"{180_901 * 2 * 601:,} columns" in message
    assert message.endswith(f"--max-points 180901 allows it: about {minutes} minutes on one core")
    refuse_if_too_large(Instance(1, 2, 600), default_claims(), 180901, "literal")


@pytest.mark.parametrize("parts", [(1, 2, 64), (1, 3, 16), (1, 3, 32), (2, 2, 8)])
def test_all_claims_are_run_by_default_where_that_takes_a_minute_in_C(parts, monkeypatch):
    monkeypatch.setattr(compiled, "library", object)
    refuse_if_too_large(Instance(*parts), choose(["all"]), None)


def test_without_C_less_is_run_by_default(monkeypatch):
    monkeypatch.setattr(compiled, "library", lambda: None)
    assert "the limit is 12,000,000;" in refusal((1, 3, 32), ["all"])
    monkeypatch.setattr(compiled, "library", object)
    assert "the limit is 60,000,000;" in refusal((1, 3, 64), ["all"])


def test_many_orders_of_columns_count_too():
    assert f"{(455 + 4**12) * 12 * 4:,} columns" in refusal((1, 12, 3), engine="literal")
    assert "without lemma6.equivariant it is 21,840" in refusal((1, 12, 3), engine="literal")
    assert "3^300 matrices" in refusal((1, 300, 2), engine="literal").replace(f"{3**300:,}", "3^300")
    refuse_if_too_large(Instance(1, 12, 3), choose(["lemma6.1"]), None, "literal")


def test_evidence_in_words():
    g = contextual_map(I, sentinel=Q(-1, 27))
    finding = verify(g, "lemma6")["lemma6.4"]
    assert str(finding.counterexample) == "q_1 = 33590/27, not >= t_r = 1458, at [-1/27, 1/3, 2/3]"
    holds = verify(contextual_map(I), "lemma10,lemma6.1")
    assert str(holds["lemma10.lower"].tightest) == "l~_n = 44/3 >= the lower bound of Lemma 10 = 6, at [0, 1/3, 2/3]"
    assert str(holds["lemma6.1"].tightest).endswith(" > 0, at [0, 1/3, 2/3]")
    layers = verify(replace(g, sweep=g.sweep.without_layer(0)), "lemma6.layers")["lemma6.layers"]
    assert str(layers.counterexample) == "attention layers = 3, but delta^-d + 1 = 4"

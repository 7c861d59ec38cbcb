"""Claims about every layer, settled by Lemmas H, S and P from the layers that change a case: as if all had been run."""

from functools import cache

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from verifier.catalogue import choose
from verifier.core.exact import Q
from verifier.papers.yun2020.contextual_map import contextual_map
from verifier.papers.yun2020.instance import Instance
from verifier.papers.yun2020.kernel import lemmas
from verifier.papers.yun2020.kernel.engine import BY_CHANGES, engine_by_changes
from verifier.papers.yun2020.kernel.kernel import Numbered
from verifier.run.engine import choose_engine
from verifier.run.literal import WORTH_IT, run_literally
from verifier.run.verify import RunOptions, verify

SETTLED = choose(["b5.head", "b5.shift", "b5.lattice", "lemma6.equivariant"])
FEW, MANY = [(1, 2, 5), (1, 3, 3), (2, 2, 2), (1, 4, 3)], [(1, 3, 6), (1, 4, 4), (2, 2, 3), (1, 2, 11)]


def through(parts, exchanged, claims=SETTLED):
    """A construction's orbits by the changes, and by every layer."""
    g = contextual_map(Instance(*parts), **exchanged)
    ours = engine_by_changes(Numbered(g.instance, tuple(exchanged.items())), claims)
    return ours.run(0, g.space.size, lambda *_: None), run_literally(g, claims, 0, g.space.size)


@cache
def failing(parts, exchanged=()):
    """How many cases of each claim fail, the first of them, and how many orbits there are."""
    by_changes, by_layers = through(parts, dict(exchanged))
    assert by_changes.shard == by_layers.shard
    counts = by_changes.shard.claims
    return {claim.id: (counts[claim.id].failing, counts[claim.id].first) for claim in SETTLED}


factors = st.sampled_from([Q(0), Q(1), Q(2), Q(4), Q(7), Q(-1), Q(1, 2), Q(-1, 2), Q(3, 2), Q(1, 3), Q(5, 7), Q(81, 2)])
sentinels = st.sampled_from([Q(-1), Q(-5), Q(-1, 2), Q(-1, 10), Q(1, 6), Q(3, 4), Q(7, 22), Q(-(10**9), 7)])
variants = st.fixed_dictionaries(
    {}, optional={"sweep_factor": factors, "global_factor": factors, "sentinel": sentinels}
)


@pytest.mark.parametrize("parts", FEW)
@pytest.mark.parametrize(
    "exchanged",
    [
        *[{"sweep_factor": Q(k, 2)} for k in (-1, 0, 1, 2, 3, 5)],  # ids on thresholds, shifts to levels still to come
        *[{"sentinel": Q(k, 4)} for k in (-9, -2, -1, 1, 3)],  # ids on the thresholds of the first and last levels
        {"sweep_factor": Q(1, 3), "global_factor": Q(1, 2)},
        {"sweep_factor": Q(0), "sentinel": Q(0)},
    ],
    ids=str,
)
def test_where_ids_meet_thresholds_the_counts_are_those_of_every_layer(parts, exchanged):
    by_changes, by_layers = through(parts, exchanged)
    assert by_changes.shard == by_layers.shard


@given(st.sampled_from(FEW + MANY), variants)
@settings(max_examples=20)
@example((1, 3, 6), {"sweep_factor": Q(1, 2)})  # shifts onto thresholds, and to levels that are still to come
@example((1, 3, 6), {"sweep_factor": Q(0)})  # nothing is shifted, and max - min is what should be
@example((2, 2, 3), {"sweep_factor": Q(-1)})
@example((1, 4, 4), {"sentinel": Q(1, 8)})  # a sentinel that is a threshold
def test_whatever_the_numbers_the_counts_are_those_of_every_layer(parts, exchanged):
    by_changes, by_layers = through(parts, exchanged)
    assert by_changes.shard == by_layers.shard


@pytest.mark.parametrize("parts", [(1, 3, 3), (1, 3, 6)])
def test_each_of_these_claims_can_fail(parts):
    """One by one below WORTH_IT orbits, and at once above: what fails is what should."""
    assert (contextual_map(Instance(*parts)).space.size < WORTH_IT) == (parts == (1, 3, 3))
    N = parts[2]
    assert not any(count for count, _ in failing(parts).values())
    with_another = failing(parts, (("sweep_factor", Q(N + 1)),))
    assert with_another["b5.shift"][0] > 0 == with_another["b5.lattice"][0]  # whole numbers still
    off = failing(parts, (("sentinel", Q(-1) - Q(1, 2 * N)),))
    assert off["b5.shift"][0] == 0 < off["b5.lattice"][0]  # such ids are no thresholds of any layer: they are below all
    on = failing(parts, (("sentinel", Q(3, 2 * N)),))
    assert on["b5.shift"][0] > 0 < on["b5.lattice"][0]  # and these are


@pytest.mark.parametrize("claim", ["b5.shift", "b5.lattice"])
def test_a_check_that_sees_nothing_would_be_noticed(claim, monkeypatch):
    monkeypatch.setitem(lemmas.CHECKS, claim, lambda _: iter(()))
    by_changes, by_layers = through((1, 3, 6), {"sweep_factor": Q(1, 2)})
    assert by_changes.shard != by_layers.shard


def test_a_mean_that_the_last_head_reads_is_on_the_lattice_or_not():
    """Ids 0, 0 and 1 at the global shift, whose threshold is 0: the mean is 1/3 of delta."""
    exchanged = {"sweep_factor": Q(0)}
    by_changes, by_layers = through((1, 3, 6), exchanged, choose(["b5.lattice"]))
    assert by_changes.shard == by_layers.shard
    assert by_changes.shard.claims["b5.lattice"].failing > 0


@pytest.mark.parametrize("exchanged", [{"sweep_factor": Q(13, 2)}, {"sentinel": Q(1, 12)}, {"sweep_factor": Q(1, 3)}])
def test_the_findings_are_those_of_the_literal_network(exchanged):
    """Whole runs: the counterexamples are made by the claims' own checks, which run every layer."""
    g = contextual_map(Instance(1, 3, 6), **exchanged)
    ours, theirs = (verify(g, None, RunOptions(engine)) for engine in ("kernel", "literal"))
    assert (ours.findings, ours.shards, ours.verdict) == (theirs.findings, theirs.shards, "refuted")
    assert ours.engine.startswith(f"{BY_CHANGES} (not the kernel: its ")


def test_claims_of_ones_own_are_run_literally_beside_them():
    own, settled = SETTLED[0].__class__(**{**vars(SETTLED[0]), "id": "b5.own"}), choose(["b5.shift"])
    g = contextual_map(Instance(1, 3, 6), sweep_factor=Q(1, 2))
    its = choose_engine(g, [own, *settled], "kernel")
    assert its.name == "both"
    assert its.words.startswith(f"{BY_CHANGES} (not the kernel: ")
    assert its.words.endswith("; b5.own: the literal network")
    assert lemmas.by_lemmas([own]) == [own]
    assert lemmas.by_lemmas(settled) != settled

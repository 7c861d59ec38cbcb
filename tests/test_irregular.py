"""Orbits that are not as the kernel expects them: the run goes on, and says `refuted` with a counterexample in hand."""

import shutil
import subprocess
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from test_kernel import BROKEN, said
from verifier.catalogue import choose, default_claims
from verifier.certificate import certify
from verifier.core.exact import Q
from verifier.core.multisets import multisets
from verifier.papers.yun2020.contextual_map import contextual_map
from verifier.papers.yun2020.instance import Instance
from verifier.papers.yun2020.kernel import compiled, engine, kernel
from verifier.run import literal
from verifier.run import verify as room
from verifier.run.engine import choose_engine
from verifier.run.shard import BY_CHANGES, plan
from verifier.run.stop import Disagreement, Irregular
from verifier.run.verify import RunOptions, verify

PAPERS = contextual_map(Instance(1, 5, 9))  # 2,002 orbits: two shards
TOTAL = multisets(10, 5)
CLAIMS = [claim.id for claim in default_claims() if claim.id not in ("b5.head", "b5.lattice", "lemma6.equivariant")]
PAIRS = ["lemma6.2", "lemma10.injective", "b5.interval"]


@pytest.fixture(scope="module")
def papers_bytes():
    return certify(verify(PAPERS, CLAIMS, RunOptions("literal")))


def doubts(monkeypatch, *ranks):
    """A kernel that finds these orbits irregular."""
    honest = engine.path_through

    def doubting(x):
        path = honest(x)

        def run(x, start, stop, tell):
            if any(start <= rank < stop for rank in ranks):
                raise Irregular(f"among {ranks}")
            return path.run(x, start, stop, tell)

        return replace(path, run=run)

    monkeypatch.setattr(engine, "path_through", doubting)


@pytest.mark.thorough
@pytest.mark.parametrize("ranks", [(0,), (TOTAL - 1,), (3, TOTAL - 2)])
def test_a_shard_with_an_irregular_orbit_is_run_by_the_network(ranks, papers_bytes, monkeypatch, tmp_path):
    doubts(monkeypatch, *ranks)
    said = []
    result = verify(PAPERS, CLAIMS, RunOptions("kernel", checkpoint=tmp_path / "kept", say=said.append))
    assert certify(result) == papers_bytes
    if len(ranks) == 1:
        assert "the kernel (" in result.engine
        assert f"1 of 2 shards, where it did not find what the paper claims, by {BY_CHANGES}" in result.engine
    else:
        assert result.engine == f"{BY_CHANGES}, since the kernel did not find what the paper claims"
    assert not said  # every value of that shard decodes: no other is needed
    monkeypatch.undo()
    again = verify(PAPERS, CLAIMS, RunOptions("kernel", checkpoint=tmp_path / "kept"))
    assert (again.engine, certify(again)) == (result.engine, papers_bytes)


def test_in_other_processes_too(monkeypatch):
    """A variant of which the kernel takes one shard and not the other, here and in workers."""
    monkeypatch.setattr(room, "WORTH_PROCESSES", -1)
    g = contextual_map(PAPERS.instance, sweep_factor=Q(10))
    claims = ["lemma6.1", "lemma6.2", "b5.cat3-final"]
    one, two = (verify(g, claims, RunOptions("kernel", jobs)) for jobs in (1, 2))
    assert said(one) == said(two) == said(verify(g, claims, RunOptions("literal")))
    assert one.engine == two.engine


def stubborn(monkeypatch):
    """Values that are never seen to decode."""
    monkeypatch.setattr(kernel, "decoded", lambda _, part: part)


def test_when_a_value_does_not_decode_all_values_are_collected_and_compared(papers_bytes, monkeypatch):
    doubts(monkeypatch, TOTAL - 1)
    stubborn(monkeypatch)
    said = []
    result = verify(PAPERS, CLAIMS, RunOptions("kernel", say=said.append))
    assert certify(result) == papers_bytes
    assert said == ["a value does not decode: the network runs the rest"]
    assert result.engine.startswith(f"{BY_CHANGES}, since")


def test_without_claims_about_pairs_no_values_are_needed(monkeypatch):
    doubts(monkeypatch, TOTAL - 1)
    stubborn(monkeypatch)
    said = []
    result = verify(PAPERS, ["lemma6.1", "lemma6.3"], RunOptions("kernel", say=said.append))
    assert result.verdict == "holds"
    assert not said
    assert "1 of 2 shards" in result.engine


@pytest.mark.parametrize("exchanged", [{"sweep_factor": Q(1)}, {"global_factor": Q(0)}, {"global_factor": Q(1)}])
def test_a_collision_is_refuted_with_the_pair_in_hand(exchanged):
    g = contextual_map(Instance(1, 2, 9), **exchanged)
    ours, theirs = (verify(g, PAIRS, RunOptions(name)) for name in ("kernel", "literal"))
    assert said(ours) == said(theirs)
    assert ours.refuted
    for finding in ours.findings:
        if finding.verdict == "refuted":
            evidence = finding.counterexample
            assert not evidence.relation.holds
            if len(evidence.matrices) == 2:
                values = [set(g.grid.ids(g.network.run(X))) for X in evidence.matrices]
                assert evidence.relation.bound_name != "0" or finding.claim.id != "lemma6.2" or values[0] & values[1]


def test_values_that_do_not_decode_and_do_not_collide_are_no_refutation():
    """Another global factor: no value is what the decoder expects, and still no two contexts have one in common."""
    g = contextual_map(Instance(1, 2, 9), global_factor=Q(9**3 + 1))
    result = verify(g, ["lemma6.2", "lemma10.injective"], RunOptions("kernel"))
    assert result.verdict == "holds"
    assert "since the kernel did not find" in result.engine
    part = literal.run_literally(g, choose(["lemma6.2"]), 0, multisets(10, 2))
    assert kernel.decoded(kernel.numbered(g), part).values


@pytest.mark.parametrize("parts", [(1, 2, 5), (1, 3, 4), (2, 2, 2), (1, 4, 5), (1, 3, 3)])
def test_what_is_decoded_is_what_the_kernel_decodes(parts):
    """Values of the literal network, seen to decode: then the nearest is the kernel's."""
    g = contextual_map(Instance(*parts))
    claims = choose(PAIRS)
    total = multisets(len(g.grid.columns), parts[1])
    collected = literal.run_literally(g, claims, 0, total)
    ours = choose_engine(g, claims, "kernel").run(0, total, lambda _: None)
    decoded = kernel.decoded(kernel.numbered(g), collected)
    assert (decoded.values, decoded.nearest) == ({}, ours.nearest)
    for claim in collected.values:
        values = [*collected.values[claim]]
        values[-1] = (values[-1][0] + Q(1), values[-1][1])
        other = replace(collected, values={**collected.values, claim: values})
        assert kernel.decoded(kernel.numbered(g), other) == other
        values[-1] = (values[-1][0] + Q(1, 7), values[-1][1])
        assert kernel.decoded(kernel.numbered(g), other) == other


# Tampered kernels, through the whole run


@pytest.mark.thorough
@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("in_C", [False, True])
def test_a_kernel_with_a_changed_constant_gives_the_literal_verdict_or_none(name, in_C, monkeypatch):
    g = contextual_map(Instance(1, 3, 5))
    literal_bytes = certify(verify(g, None, RunOptions("literal")))
    honest = kernel.numbers
    if not in_C:
        monkeypatch.setattr(compiled, "library", lambda: None)
    monkeypatch.setattr(kernel, "numbers", lambda construction: BROKEN[name](honest(construction)))
    try:
        result = verify(g, None, RunOptions("kernel"))
    except Disagreement:
        return
    assert certify(result) == literal_bytes


def test_a_kernel_that_miscounts_refutes_nothing(monkeypatch):
    honest = kernel.part_of

    def miscounts(N, claims, start, stop, totals):
        if start == 0:
            totals.matrices[0] += 1
        return honest(N, claims, start, stop, totals)

    monkeypatch.setattr(kernel, "part_of", miscounts)
    said = []
    result = verify(PAPERS, ["grid", "lemma6.1"], RunOptions("kernel", say=said.append))
    assert result.verdict == "holds"
    assert said == ["cases were miscounted: the network runs the rest"]
    assert len(plan(TOTAL)) == 2
    assert result.engine.startswith(f"{BY_CHANGES}, since")


# kernel.c itself, tampered with: what stands there, and what is put in its place
IN_C = {
    "shifts of another factor": (
        "const wide up = p->factor * (top - bottom);",
        "const wide up = (p->factor + 1) * (top - bottom);",
    ),
    "min for max": ("last = s[j] > 0 ? most", "last = s[j] > 0 ? least"),
    "the global shift left out": ("q[j] = s[j] + p->G", "q[j] = s[j] + 0 * p->G"),
    "lanes of another factor": ("x_j + B * (before - x_j); /* max", "x_j + (B + 1) * (before - x_j); /* max"),
    "lanes of Category 3 of another factor": ("a = own * (j <", "a = (own + third) * (j <"),
    "a slack of Lemma 10": ("gather(r, LOWER, -p->lower, &t->top);", "gather(r, LOWER, 1 - p->lower, &t->top);"),
    "a slack of Property 4": ("OUTSIDE_HIGH, above, rank);", "OUTSIDE_HIGH, minus(above, of(1)), rank);"),
    "the last of equals": ("if (!e->known || less(slack, e->slack))", "if (!e->known || !less(e->slack, slack))"),
    "orbits counted twice": ("r->orbits[0] += t->orbits;", "r->orbits[0] += 2 * t->orbits;"),
    "sizes of orbits": ("product *= k;", "product *= k + 1;"),
}


KERNELS_OWN = ["grid", "lemma10", "lemma6.3", "lemma6.4", "b5.cat3-shift", "b5.cat3-final", "b5.order"]


@cache
def by_layers():
    return [
        verify(contextual_map(Instance(*parts)), KERNELS_OWN, RunOptions("literal"))
        for parts in [(1, 3, 12), (2, 2, 3)]
    ]


@pytest.mark.slow
@pytest.mark.skipif(compiled.library() is None or not shutil.which("cc"), reason="needs the library, and cc")
@pytest.mark.parametrize("name", IN_C)
def test_a_kernel_that_was_tampered_with_in_C_is_caught(name, tmp_path, monkeypatch):
    source = Path(compiled.__file__).with_name("kernel.c").read_text()
    before, after = IN_C[name]
    assert before in source
    (tmp_path / "kernel.c").write_text(source.replace(before, after))
    call = ["cc", "-O0", "-shared", "-fPIC", "-std=gnu11", "-o", "tampered.so", "kernel.c"]
    subprocess.run(call, cwd=tmp_path, check=True)
    tampered = compiled.load(tmp_path / "tampered.so")
    monkeypatch.setattr(compiled, "library", lambda: tampered)
    caught = set()
    for theirs in by_layers():
        try:
            ours = verify(theirs.construction, KERNELS_OWN, RunOptions("kernel", say=lambda _: None))
        except Disagreement:
            caught.add("by the run")
            continue
        assert [finding.verdict for finding in ours.findings] == [finding.verdict for finding in theirs.findings]
        if f"{BY_CHANGES}, since" in ours.engine:
            assert certify(ours) == certify(theirs)
            caught.add("by the run")
        elif certify(ours) != certify(theirs):  # another of equally tight cases, or another digest
            caught.add("by comparison")
    assert caught == {"by comparison" if name in BY_COMPARISON else "by the run"}


# What changes no verdict and no slack is seen by those who compare bytes: these tests, the checker, and regress.
BY_COMPARISON = {"the last of equals", "lanes of Category 3 of another factor"}

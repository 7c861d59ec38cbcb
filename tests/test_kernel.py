"""The kernel against the literal network, byte for byte; its bounds, on both sides of their edge."""

import shutil
import subprocess
from bisect import bisect_left
from dataclasses import replace
from functools import cache, partial
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mutants import HARMLESS, MUTANTS
from verifier.catalogue import choose, default_claims
from verifier.certificate import NotCertifiable, certify
from verifier.core.exact import Q
from verifier.core.multisets import multisets, orbits, rank
from verifier.papers.yun2020.contextual_map import contextual_map
from verifier.papers.yun2020.instance import Instance
from verifier.papers.yun2020.kernel import compiled, engine, kernel, plain
from verifier.papers.yun2020.kernel.engine import nearest_pair
from verifier.run.engine import choose_engine
from verifier.run.shard import BY_CHANGES
from verifier.run.stop import Disagreement, Irregular
from verifier.run.verify import RunOptions, verify

needs_c = pytest.mark.skipif(compiled.library() is None, reason="needs the C library (make, or python hatch_build.py)")

INSTANCES = [
    *[(1, 2, N) for N in (2, 3, 5, 8)],
    *[(1, 3, N) for N in (2, 3, 4, 7)],
    (1, 4, 3),
    (1, 4, 5),
    (1, 5, 2),
    (1, 5, 5),
    (1, 6, 3),
    (2, 2, 2),
    (2, 2, 3),
    (2, 3, 2),
    (2, 4, 2),
    (3, 2, 2),
]


def bytes_of(parts, name):
    return certify(verify(contextual_map(Instance(*parts)), None, RunOptions(engine=name)))


@cache
def by_layers(parts):
    return bytes_of(parts, "literal")


def force(monkeypatch, way):
    """From now on the kernel takes this way and no other."""
    if way != "C":
        monkeypatch.setattr(compiled, "library", lambda: None)


WORDS = {"C": "(C, ", "plain": "(Python's whole numbers"}
WAYS = [pytest.param("C", marks=needs_c), "plain"]


@pytest.mark.thorough
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("parts", INSTANCES)
def test_the_kernel_gives_the_bytes_of_the_literal_network(way, parts, monkeypatch):
    literal = by_layers(parts)
    force(monkeypatch, way)
    assert bytes_of(parts, "kernel") == literal
    assert WORDS[way] in choose_engine(contextual_map(Instance(*parts)), default_claims()[:1], "kernel").words


def numbers(*parts):
    return kernel.numbers(Instance(*parts))


@needs_c
@settings(max_examples=40)
@given(st.sampled_from([(1, 3, 9), (1, 4, 6), (1, 5, 4), (2, 3, 3), (2, 2, 5), (3, 2, 3), (1, 2, 40)]), st.data())
def test_all_ways_through_any_stretch(parts, data):
    """C in 64 and 128 bits and in 128 bits alone, and Python's whole numbers."""
    x = numbers(*parts)
    total = multisets(len(x.ids), x.n)
    start = data.draw(st.integers(0, total - 1))
    stop = data.draw(st.integers(start + 1, min(total, start + 3000)))
    by_python = plain.run_plainly(x, start, stop, lambda _: None)
    for fast in (True, False):
        assert compiled.run_compiled(x, start, stop, lambda _: None, fast=fast) == by_python


@needs_c
def test_stretches_of_a_run_join(monkeypatch):
    x = numbers(1, 4, 6)
    total = multisets(len(x.ids), x.n)
    whole = compiled.run_compiled(x, 0, total, lambda _: None, fast=True)
    told = []
    monkeypatch.setattr(compiled, "STRETCH", 17)
    assert compiled.run_compiled(x, 0, total, told.append, fast=True) == whole
    assert told == [*range(17, total, 17), total]


# Bounds


def test_the_bounds_are_bounds():
    """No number of a run is larger than was said beforehand."""
    for parts in [(1, 2, 3), (1, 3, 5), (1, 5, 3), (2, 2, 3), (2, 3, 2)]:
        x = numbers(*parts)
        for orbit in orbits(len(x.ids), x.n):
            k = [x.ids[c] for c in orbit]
            s, _ = plain.swept(k, x.B, x.B)
            assert (x.P + 1) * max(map(abs, s)) * x.n <= x.most
            if k[0] >= 0 and len(set(k)) == x.n:
                assert x.n * max(s) <= x.most_of_category1


def of_one_row(B, ids, n, sentinels=1):
    """d = 1, N = B, with a few of the columns only: the same numbers, in a run that can be made."""
    instance = Instance(1, n, B)
    return kernel.Numbers(
        n=n,
        sentinels=sentinels,
        B=B,
        factor=B,
        ids=(*[-(B ** (n + 1))] * sentinels, *ids),
        lower=int(B * instance.lemma10_lower),
        upper=int(B * instance.lemma10_upper),
        P=B ** (n + 1),
        G=B ** (n + 1),
        t_l=int(B * instance.t_l),
        t_r=int(B * instance.t_r),
        final_bound=B ** (2 * n + 2),
    )


@needs_c
@pytest.mark.parametrize("n", [2, 3, 4])
def test_on_both_sides_of_the_edge_of_64_bits(n):
    """(n + 2) B^(n+1) < 2^62 allows 64 bits in Category 1; one more, and 128 are taken."""
    edge = bisect_left(range(2**21), engine._NARROW, key=lambda B: (n + 2) * (B + 1) ** (n + 1))
    for B, fast in ((edge, True), (edge + 1, False)):
        x = of_one_row(B, [0, 1, 2, B // 2, B - 3, B - 2, B - 1], n, sentinels=0)
        assert (x.most_of_category1 < engine._NARROW) == fast
        total = multisets(len(x.ids), n)
        by_python = plain.run_plainly(x, 0, total, lambda _: None)
        assert compiled.run_compiled(x, 0, total, lambda _: None, fast=fast) == by_python


@needs_c
@pytest.mark.parametrize(("n", "bits"), [*product((3, 4, 6), (126, 127, 128, 159)), *product((20, 30), (189, 190))])
def test_on_both_sides_of_the_edges_of_128_and_192_bits(n, bits):
    """The largest B whose numbers have so many bits, and the next one: in C up to 2^190, and not past it."""
    edge = bisect_left(range(2**21), 2**bits, key=lambda B: of_one_row(B, [B - 1], n).most)
    for B in (edge - 1, edge):
        few = {0, 1, 2, 3, B // 2, B - 3, B - 2, B - 1} if n < 20 else {0, B - 1}
        x = of_one_row(B, sorted(few), n)
        assert (x.most < 2**bits) == (edge > B)
        total = multisets(len(x.ids), n)
        in_C = x.most < 2**190 and x.most_swept < 2**126 and x.most_of_category1 < 2**62
        assert engine.path_through(x).words.startswith("C, ") == (in_C or x.most < 2**126)
        if in_C:
            by_python = plain.run_plainly(x, 0, total, lambda _: None)
            assert compiled.run_compiled(x, 0, total, lambda _: None, fast=True) == by_python
            assert compiled.run_compiled(x, 0, total, lambda _: None, fast=False) == by_python


def test_past_128_bits_C_takes_the_papers_factors_alone():
    x = kernel.numbers(Instance(1, 3, 2500))
    assert 2**126 < x.most < 2**190
    assert x.has_papers_factors
    assert not replace(x, G=x.G + 1).has_papers_factors
    assert not replace(x, factor=x.B - 1).has_papers_factors
    assert "C, " not in engine.path_through(replace(x, G=x.G + 1)).words
    assert "C, " not in engine.path_through(replace(x, t_r=2**127)).words


MUTATIONS = {
    "the borrow": ("- (a.low < b.low), a.low - b.low", "- 0, a.low - b.low"),
    "the carry": ("b.high + (low < a.low), low", "b.high, low"),
    "the order of low halves": ("a.high == b.high && a.low < b.low", "0"),
    "a part of the product": ("a_high * b_low + b_high * a_low", "a_high * b_low"),
    "its upper half": ("+ (low >> 64)), (uint64_t)low", "), (uint64_t)low"),
    "what 2^64 is": ("4 * residue(v.high)", "2 * residue(v.high)"),
}


@pytest.mark.slow
@needs_c
@pytest.mark.parametrize("name", MUTATIONS)
def test_the_test_at_load_sees_what_is_wrong_past_128_bits(name, tmp_path):
    before, after = MUTATIONS[name]
    source = (Path(kernel.__file__).parent / "kernel.c").read_text()
    assert source.count(before) == 1
    (tmp_path / "kernel.c").write_text(source.replace(before, after))
    command = [shutil.which("cc") or "gcc", "-O0", "-w", "-shared", "-fPIC", "-std=gnu11", "-o", "k.so", "kernel.c"]
    subprocess.run(command, cwd=tmp_path, check=True)
    assert not compiled.passes(compiled.load(tmp_path / "k.so"))


@needs_c
@pytest.mark.parametrize("parts", [*INSTANCES, (1, 3, 1100), (1, 4, 200), (1, 5, 70), (1, 2, 20000)])
def test_where_128_bits_are_enough_64_are_for_category_1(parts):
    x = of_one_row(parts[2] ** parts[0], [0, parts[2] ** parts[0] - 1], parts[1])
    assert x.most < engine._WIDE
    assert x.most_of_category1 < engine._NARROW


@needs_c
@pytest.mark.parametrize("n", [2, 3, 4])
def test_on_both_sides_of_the_edge_of_128_bits(n, monkeypatch):
    """Where a number could leave 128 bits, 192 are taken; just before, 128 still have it right."""
    edge = next(B for B in range(10, 10**6) if of_one_row(B + 1, [0, B], n).most >= engine._WIDE)
    x = of_one_row(edge, [0, 1, 2, edge - 2, edge - 1], n)
    total = multisets(len(x.ids), n)
    by_python = plain.run_plainly(x, 0, total, lambda _: None)
    assert compiled.run_compiled(x, 0, total, lambda _: None, fast=True) == by_python
    for B, words in ((edge, "(C, 64 and 128 bits)"), (edge + 1, "(C, 64, 128 and 192 bits)")):
        monkeypatch.setattr(kernel, "numbers", lambda _, B=B: of_one_row(B, [0, B - 1], n))
        assert words in engine.kernel_engine(kernel.Numbered(Instance(1, n, 2)), []).words


def test_the_result_says_which_path_ran(monkeypatch):
    g = contextual_map(Instance(1, 2, 3))
    claims = choose(["lemma6"])[:4]
    if compiled.library() is not None:
        assert "C, 64 and 128 bits" in choose_engine(g, claims, "kernel").words
        monkeypatch.setattr(engine, "_NARROW", 1)
        assert "C, 128 bits" in choose_engine(g, claims, "kernel").words
    monkeypatch.setattr(engine, "_WIDE", 1)
    force(monkeypatch, "plain")
    assert WORDS["plain"] in choose_engine(g, claims, "kernel").words
    assert choose_engine(g, claims, "auto").words == "the literal network"


# What the kernel must not take


@cache
def literally(mutant):
    return verify(mutant.build(Instance(*mutant.at)), None, RunOptions("literal"))


def said(result):
    """Everything that a result says, but for who ran it: findings, coverage, shards; and the certificate, if any."""
    try:
        document = certify(result)
    except NotCertifiable:
        document = None
    return result.findings, result.coverage, result.shards, document


# Those that no numbers make, with whole multiples of delta, a sentinel below 0 and a sweep_factor of 1 or more.
BEYOND_NUMBERS = {
    *("global shift dropped", "levels in decreasing order", "first level dropped", "middle level dropped"),
    *("last level dropped", "window's lower edge on the grid", "window's upper edge on the grid"),
    *("both edges of the window on the grid", "max for max - min", "keys negated", "shift into the last row"),
    *("u swapped in the network", "u swapped everywhere", "u all ones", "u doubled", "a grid of one entry"),
    *("not equivariant", "sentinel -delta^(nd)", "sentinel -delta", "sentinel 0", "sentinel positive"),
    *("t_l at the least value of Category 1, left out", "t_r at the least value >= 0 of Category 3, taken in"),
    *("t_r at the largest value of Category 1, taken in", "t_l at the largest value of Category 2, left out"),
}


@pytest.mark.thorough
@pytest.mark.parametrize("mutant", [*MUTANTS, *HARMLESS], ids=str)
@pytest.mark.parametrize("way", WAYS)
def test_the_kernel_says_of_a_broken_construction_what_the_literal_network_says(way, mutant, monkeypatch):
    g = mutant.build(Instance(*mutant.at))
    literal = literally(mutant)
    force(monkeypatch, way)
    result = verify(g, None, RunOptions("kernel"))
    assert said(result) == said(literal)
    if mutant.name in BEYOND_NUMBERS:
        by = BY_CHANGES if g.exchanged is not None else "the literal network"
        assert result.engine.startswith(f"{by} (not the kernel: ")
    else:
        assert "the kernel (" in result.engine or "since the kernel did not find" in result.engine


# Variants by their numbers, most of them at instances of several shards.
VARIANTS = [
    ((1, 2, 9), {"sentinel": Q(-100)}),
    ((1, 2, 9), {"sentinel": Q(-81) + Q(1, 9)}),
    ((1, 2, 9), {"sentinel": Q(-8)}),
    ((1, 2, 9), {"sentinel": Q(-1, 9)}),
    ((1, 2, 9), {"t_l": Q(1)}),
    ((1, 2, 9), {"t_l": Q(0)}),
    ((1, 2, 9), {"t_l": Q(-(10**9))}),
    ((1, 2, 9), {"t_r": Q(10**30)}),
    ((1, 2, 9), {"t_l": Q(9**4), "t_r": Q(9**4)}),
    ((1, 2, 9), {"t_r": Q(9**5 * 8, 9) - Q(9**4)}),
    ((1, 2, 9), {"global_factor": Q(9**3 + 1)}),
    ((1, 2, 9), {"global_factor": Q(0)}),
    ((1, 2, 9), {"sweep_factor": Q(10)}),
    ((1, 2, 9), {"sweep_factor": Q(1)}),
    ((1, 2, 9), {"sweep_factor": Q(2**70), "global_factor": Q(-(2**90)), "sentinel": Q(-(2**80))}),
    ((2, 2, 3), {"sentinel": Q(-200)}),
    ((2, 2, 3), {"sentinel": Q(-9)}),
    ((1, 5, 2), {"global_factor": Q(5)}),
    ((1, 4, 2), {"sweep_factor": Q(3)}),
    ((1, 4, 2), {"t_l": Q(32), "t_r": Q(64), "sentinel": Q(-1, 2)}),
    ((1, 5, 9), {"sentinel": Q(-100000)}),
    ((1, 5, 9), {"sentinel": Q(-59000)}),
    ((1, 5, 9), {"t_r": Q(9**11 * 8, 9) - Q(9**10)}),
    ((1, 5, 9), {"sweep_factor": Q(10)}),
]


@pytest.mark.thorough
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("parts", "exchanged"), VARIANTS)
def test_the_kernel_gives_the_bytes_of_the_literal_network_of_a_variant(way, parts, exchanged, monkeypatch):
    g = contextual_map(Instance(*parts), **exchanged)
    claims = [claim.id for claim in default_claims() if claim.id not in SLOW]
    literal = literal_variant(parts, tuple(exchanged.items()))
    force(monkeypatch, way)
    assert certify(verify(g, claims, RunOptions("kernel"))) == literal


SLOW = ("b5.head", "b5.lattice", "lemma6.equivariant")


@cache
def literal_variant(parts, exchanged):
    claims = [claim.id for claim in default_claims() if claim.id not in SLOW]
    return certify(verify(contextual_map(Instance(*parts), **dict(exchanged)), claims, RunOptions("literal")))


# The kernel's own numbers broken, as the mutants break the construction's
BROKEN = {
    "factor B - 1": lambda x: replace(x, factor=x.factor - 1),
    "factor B + 1": lambda x: replace(x, factor=x.factor + 1),
    "global factor": lambda x: replace(x, G=x.G // 2),
    "global factor, and what is expected of it": lambda x: replace(x, P=x.P // 2, G=x.G // 2),
    "t_l too high": lambda x: replace(x, t_l=x.t_l * 3),
    "t_r too low": lambda x: replace(x, t_r=x.t_r // 2),
    "lower bound too high": lambda x: replace(x, lower=x.lower * 3),
    "upper bound too low": lambda x: replace(x, upper=x.upper // 2),
    "final bound too high": lambda x: replace(x, final_bound=x.final_bound * 9),
    "two columns of one id": lambda x: replace(x, ids=(*x.ids[:3], x.ids[3] - 1, *x.ids[4:])),
    "a sentinel that is not low enough": lambda x: replace(x, ids=(-1, *x.ids[1:])),
}


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("way", ["plain", pytest.param("C", marks=needs_c)])
def test_a_tampered_kernel_is_caught(name, way):
    x = BROKEN[name](numbers(1, 3, 5))
    run = {"C": partial(compiled.run_compiled, fast=False), "plain": plain.run_plainly}
    with pytest.raises(Irregular):
        run[way](x, 0, multisets(len(x.ids), x.n), lambda _: None)


def outcome(run, x):
    """What a run adds up to, or that it met something irregular."""
    try:
        return run(x, 0, multisets(len(x.ids), x.n), lambda _: None)
    except Irregular:
        return "irregular"


@needs_c
@pytest.mark.parametrize("parts", [(1, 3, 9), (1, 4, 6), (2, 3, 3), (3, 2, 3)])
@pytest.mark.parametrize("name", BROKEN)
def test_tampered_numbers_come_to_the_same_in_every_way(name, parts):
    """Some breaks are harmless at some instances, where a bound is loose: then all say so alike."""
    x = BROKEN[name](numbers(*parts))
    by_python = outcome(plain.run_plainly, x)
    for fast in (True, False):
        assert outcome(partial(compiled.run_compiled, fast=fast), x) == by_python


@needs_c
@pytest.mark.parametrize("name", BROKEN)
def test_a_tampered_kernel_is_caught_in_64_bits_too(name):
    """At one of the instances at least, with lanes and stretches of the last column."""
    where = [(1, 3, 9), (1, 4, 6), (2, 3, 3), (3, 2, 3), (1, 2, 30), (1, 3, 5)]
    run = partial(compiled.run_compiled, fast=True)
    assert "irregular" in [outcome(run, BROKEN[name](numbers(*parts))) for parts in where]


def test_every_witness_is_run_through_the_literal_network_again(monkeypatch):
    """A kernel that reports another slack than the network has is not believed."""
    honest = kernel.part_of

    def lies(*arguments):
        part = honest(*arguments)
        edges = part.shard.claims["lemma6.3"].edges
        edges["q_j < t_r"] = (edges["q_j < t_r"][0] + 1, edges["q_j < t_r"][1])
        return part

    monkeypatch.setattr(kernel, "part_of", lies)
    with pytest.raises(Disagreement, match=r"lemma6\.3"):
        verify(contextual_map(Instance(1, 3, 4)), None, RunOptions(engine="kernel"))


def test_the_decoder_of_the_docstring():
    """k_j = l~_j mod B and l~_{j-1} = k_j + (l~_j - k_j) / B, from any entry of q down to the whole context."""
    for parts in [(1, 3, 5), (2, 2, 2), (1, 4, 4)]:
        x = numbers(*parts)
        seen = {}
        for orbit in orbits(len(x.ids), x.n):
            k = [x.ids[c] for c in orbit]
            if k[0] < 0 or len(set(k)) < x.n:
                continue
            s, _ = plain.swept(k, x.B, x.B)
            for j, s_j in enumerate(s):
                q = s_j + x.P * s[-1]
                value, decoded = q // x.P, []
                for _ in range(x.n):
                    decoded.append(value % x.B)
                    value = decoded[-1] + (value - decoded[-1]) // x.B
                assert (decoded[::-1], value) == (k, k[-1])  # and l~_0 = k_n at the end
                assert q % x.P == s_j
                assert seen.setdefault(q, (orbit, j)) == (orbit, j)


@pytest.mark.parametrize("parts", [(1, 2, 4), (1, 3, 6), (2, 2, 3), (1, 4, 5), (1, 3, 3)])
@pytest.mark.parametrize("claim", ["lemma10.injective", "b5.interval", "lemma6.2"])
def test_the_nearest_pair_is_the_one_that_collecting_finds(parts, claim):
    g = contextual_map(Instance(*parts))
    literal = verify(g, choose([claim]), RunOptions(engine="literal"))[claim]
    pairs = [edge.matrices for edge in literal.edges if len(edge.matrices) == 2]
    run = choose_engine(g, choose([claim]), "kernel").run
    ranks = nearest_pair(kernel.numbered(g), claim, [run(0, multisets(len(g.grid.columns), parts[1]), lambda _: None)])
    found = tuple(g.grid.matrix(next(iter(g.grid.orbits(r, r + 1)))) for r in ranks)
    assert pairs == ([found] if len(ranks) == 2 else [])
    assert all(r == rank(next(iter(g.grid.orbits(r, r + 1))), len(g.grid.columns)) for r in ranks)


def test_claims_that_the_kernel_does_not_know_are_not_given_to_it():
    assert {claim.id for claim in default_claims() if claim.domain.cases is None} == set(kernel.DOMAIN)
    g = contextual_map(Instance(1, 2, 2))
    other = [replace(choose(["lemma6.1"])[0], id="my.own")]
    assert choose_engine(g, other, "auto").name == "literal"


def test_the_widths_are_those_of_kernel_c_and_leave_a_bit_to_spare():
    """Below them the sum or the difference of any two numbers still is a signed number of 128, or of 64, bits."""
    assert (engine._WIDE, engine._NARROW, engine._IDS) == (2**126, 2**62, 2**62)
    source = (Path(kernel.__file__).parent / "kernel.c").read_text()
    assert "#define MOST ((wide)1 << 126)" in source
    assert -(2**127) <= -2 * (engine._WIDE - 1) < 2 * (engine._WIDE - 1) < 2**127
    assert -(2**63) <= -2 * (engine._NARROW - 1) < 2 * (engine._NARROW - 1) < 2**63

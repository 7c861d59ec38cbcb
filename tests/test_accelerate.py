"""The kernel in place of the quick reading: the same certificates, byte for byte; and what it must not be used for."""

from pathlib import Path

import pytest
from gmpy2 import mpq

from verifier.evaluate.certificate import canonical
from verifier.evaluate.definition import Reading
from verifier.evaluate.kernel import compiled
from verifier.evaluate.kernel.claims import KNOWN, PINNED, digest
from verifier.evaluate.kernel.library import Found
from verifier.evaluate.quick import accelerate
from verifier.evaluate.quick.page import Quick
from verifier.evaluate.run import Disagree, found
from verifier.language.page import read

TEXT = (Path(__file__).parent.parent / "verifier/pages/yun2020.page").read_text()
PAGE = read(TEXT)
IDS = [id_ for id_ in PAGE.page.claims if id_ in (*KNOWN, "lemma6.layers")]

needs_c = pytest.mark.skipif(compiled.found().handle is None, reason="needs the C library (make)")


def sizes(d, n, N):
    return {"d": d, "n": n, "N": N}


def certificate(*its, ids=IDS, **variant):
    numbers = {name.replace("_dot_", "."): mpq(value) for name, value in variant.items()}
    return canonical(found(PAGE, sizes(*its), ids, numbers, steps=10**12))


@pytest.fixture
def always(monkeypatch):
    """The kernel for few cases, too; the stretches that it counted."""
    counted, honest = [], accelerate.by_kernel

    def by_kernel(*its):
        if (state := honest(*its)) is not None:
            counted.append(its[-2:])
        return state

    monkeypatch.setattr(accelerate, "MANY", 1)
    monkeypatch.setattr(accelerate, "by_kernel", by_kernel)
    return counted


CASES = [
    ((1, 2, 2), {}),
    ((1, 3, 4), {}),
    ((1, 4, 3), {}),
    ((1, 5, 3), {}),
    ((2, 2, 3), {}),
    ((2, 3, 2), {}),
    ((3, 2, 2), {}),
    ((1, 3, 4), {"t_l": "3071"}),
    ((1, 3, 4), {"t_r": "12289"}),
    ((1, 3, 4), {"sentinel": "-63"}),
    ((1, 3, 4), {"lemma10_dot_upper": "50"}),
]


@needs_c
@pytest.mark.parametrize(("its", "variant"), CASES)
def test_the_bytes_are_the_same(its, variant, monkeypatch, always):
    fast = certificate(*its, **variant)
    assert len(always) > 0
    monkeypatch.setattr(accelerate, "MANY", 10**9)
    assert certificate(*its, **variant) == fast


REFUTED = [{"t_l": "9000"}, {"t_r": "4000"}, {"t_r": "3000"}, {"lemma10_dot_lower": "30"}, {"sentinel": "-1"}]


@needs_c
@pytest.mark.parametrize("variant", REFUTED)
def test_what_fails_is_said_by_the_quick_reading(variant, monkeypatch, always):
    fast = certificate(1, 3, 4, **variant)
    assert b'"refuted"' in fast
    assert (0, 35) not in always
    monkeypatch.setattr(accelerate, "MANY", 10**9)
    assert certificate(1, 3, 4, **variant) == fast


def numbers_for(page, its=(1, 3, 4), ids=IDS, variant=None):
    return accelerate.numbers_for(Quick(Reading(page, sizes(*its), variant, most=10**12)), ids)


@needs_c
def test_it_runs_the_pinned_declarations_and_no_others():
    assert digest(PAGE.page) == PINNED, "the page speaks otherwise of Lemma 6: compare kernel.c with it, then pin it"
    assert numbers_for(PAGE) is not None
    elsewhere = TEXT.replace("eps = delta/4", "eps = delta/8").replace("language 1\n", "language 1\n# a comment\n")
    assert elsewhere != TEXT
    assert numbers_for(read(elsewhere)) is not None
    for old, new in (
        ("  q[j] < t_r\n", "  q[j] <= t_r\n"),  # a claim
        ("t[j] = id(Z[j])", "t[j] = id(Q[j])"),  # a definition
        ("[-delta/2 - v])", "[-delta/2 - v - delta])"),  # a layer
        ("  for v in [0, delta, ..., (B-1)*delta]:", "  for v in [0, delta, ..., B*delta]:"),  # a network
        ("if in_G and distinct(X) = n:", "if distinct(X) = n and in_G:"),  # a category
        ("inputs X in Gplus: multisets of n", "inputs X in Gplus: words of n"),
    ):
        assert TEXT.count(old) >= 1
        other = TEXT.replace(old, new, 1)
        assert digest(read(other).page) != PINNED, old
        assert numbers_for(read(other)) is None, old


def test_without_its_library_the_quick_reading_runs(monkeypatch, always):
    monkeypatch.setattr(compiled, "found", lambda: Found(None, why="none was built"))
    assert b'"holds"' in certificate(1, 2, 3)
    assert always == []


@needs_c
def test_it_takes_no_claim_and_no_number_that_it_doesn_t_know():
    for id_ in ("b5.head", "b5.shift", "b5.lattice", "grid.sizes", "lemma6.equivariant", "lemma7.map"):
        assert numbers_for(PAGE, ids=[*IDS, id_]) is None
    assert numbers_for(PAGE, ids=["lemma6.layers"]) is None
    for name, value in {"sweep_factor": 5, "global_factor": 7, "t_l": mpq(1, 3), "sentinel": 1}.items():
        assert numbers_for(PAGE, variant={name: mpq(value)}) is None, name


@needs_c
def test_numbers_stay_within_their_widths():
    """The least N for which (1, 5, N) doesn't fit; the bounds are computed, and no case is run."""
    assert numbers_for(PAGE, (1, 5, 60)).fits
    x = compiled.numbers(Reading(PAGE, sizes(1, 5, 150), most=10**12))
    assert not x.fits
    largest = (x.P + 1) * max(map(abs, x.ids)) * x.B**x.n
    assert largest.bit_length() > 115, "refused where it still has room"


@needs_c
@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("wrong", ["a count", "cases", "inputs", "a slack", "the case of a slack", "across"])
def test_what_it_miscounts_is_noticed(wrong, monkeypatch):
    honest = compiled.counted

    def counted(loaded, x, first, rank, many, kept=None):
        counts = honest(loaded, x, first, rank, many, kept)
        if wrong == "a count":
            counts.others["low"] += 1
        elif wrong == "cases":
            counts.cases[1] += 1
        elif wrong == "inputs":
            counts.inputs[2] += 1
        elif wrong == "a slack":
            counts.least["swept_below"] = (counts.least["swept_below"][0] - 1, counts.least["swept_below"][1])
        elif wrong == "the case of a slack":
            counts.least["swept_below"] = (counts.least["swept_below"][0], many - 1)
        return counts

    monkeypatch.setattr(compiled, "counted", counted)
    if wrong == "across":
        monkeypatch.setattr(accelerate, "across", lambda x, rows, **_: [(rows[:, 1].copy(), x.N, rows[:, 0].copy())])
    monkeypatch.setattr(accelerate, "DRAWN", 40)
    with pytest.raises(Disagree):
        certificate(1, 3, 4)

"""BigBird's Lemma 3 in the checker: compared with the producer's reading and with numbers by hand; lies are caught."""

import json
import random
import re
from dataclasses import astuple
from fractions import Fraction
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import pytest

import bigbird_truth as truth
from verifier.certificate import canonical
from verifier.checker.core import frame
from verifier.checker.core.comparing import OverLimit, Rejected
from verifier.checker.core.share import Options
from verifier.checker.papers.bigbird2020.numbers import Numbers
from verifier.checker.papers.bigbird2020.paper import PAPER, STATEMENTS, Lemma3, check
from verifier.checker.papers.bigbird2020.relations import _head, _lemma2
from verifier.checker.papers.bigbird2020.walk import PRINTED, Part, Reading, parts, passed
from verifier.core.claim import Collected
from verifier.papers.bigbird2020 import reading as theirs
from verifier.papers.bigbird2020.claims import CLAIMS
from verifier.papers.bigbird2020.construction import at

SMALL = [(1, 2, 2), (1, 2, 3), (1, 3, 2), (2, 2, 2)]


def fraction(value):
    """A value of a relation, with Fractions."""
    if isinstance(value, tuple):
        return [fraction(part) for part in value]
    return Fraction(int(value.numerator), int(value.denominator))


def plain(value):
    """A value of the checker's, as lists."""
    return [plain(part) for part in value] if isinstance(value, (list, tuple)) else Fraction(value)


# Two readings.


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("size", "kind"),
    [*((size, "readings") for size in SMALL), *((size, "") for size in [*SMALL, (1, 2, 4), (1, 3, 3), (1, 4, 2)])],
)
def test_two_readings_agree_on_every_relation(size, kind):
    """Every relation of every claim at every case: name, sign, and both numbers."""
    g, model = at(*size), Lemma3(Numbers(*size))
    cases = [g.space.at(number) for number in range(g.space.size)]
    others = [model.case(rank) for rank in range(model.sizes["total"][1])]
    assert len(cases) == len(others)
    compared = 0

    def compare(ours, others):
        nonlocal compared
        for r, s in zip(ours, others, strict=True):
            assert (r.name, r.op, r.bound_name, r.cases or None) == (s.name, s.op, s.bound_name, s.key)
            assert (fraction(r.value), fraction(r.bound)) == (plain(s.value), plain(s.bound))
            compared += 1

    for claim in CLAIMS:
        if claim.id.startswith("readings") is not bool(kind):
            continue
        own = claim.domain.cases and list(claim.domain.cases(g))
        checked = own and list(model.own(claim.id))
        values = []
        for number, (case, other) in enumerate(zip(own or cases, checked or others, strict=True)):
            compare(claim.check(case) if claim.check else (), model.relations(claim.id, other))
            assert [fraction(m) for m in case.shown] == [plain(m) for m in model.shown(other)]
            if claim.collect:
                read = list(claim.collect(case))
                assert [Fraction(v, size[2]) for v in model.collected(claim.id, other)] == [fraction(v) for v in read]
                values += [(value, number) for value in read]
        if claim.conclude:
            in_units = [(int(value * size[2]), number) for value, number in values]
            compare(claim.conclude(g, Collected({}, values)), model.conclusion(claim.id, in_units, {}))
        assert (claim.skip(g) or "") == model.skipped(claim.id)
    assert compared == 6 * 32 if kind else compared > 350


def test_both_say_the_same_in_words():
    assert [f"{claim.says} [{claim.formula}]" for claim in CLAIMS] == list(STATEMENTS.values())
    assert PAPER.pairs == {claim.id for claim in CLAIMS if claim.conclude}
    assert PAPER.checked_too == {claim.id for claim in CLAIMS if claim.conclude and claim.check}


def test_both_take_the_same_reading_of_the_text():
    assert tuple(PRINTED) == astuple(theirs.PRINTED)


@pytest.mark.parametrize("size", [(3, 2, 2), (2, 3, 3)])
def test_the_ids_of_the_columns(size):
    """In [0, 1)_delta^d each of 0, ..., delta^-d - 1 (in units of delta) is the id of one column."""
    x = Numbers(*size)
    assert sorted(x.tokens(closed=False)) == list(range(x.B))
    assert len(x.tokens(closed=True)) == (x.N + 1) ** x.d


@pytest.mark.parametrize("on_keys", [False, True])
def test_a_head_of_lemma_2_is_the_slow_truths(on_keys):
    """A token of id 0 has only scores of 0 where the threshold is on the keys, and so reads the mean."""
    for ids in [(9, 0, 4), (1, 3, 3), (0, 0, 5)]:
        for twice_b in range(-1, 20):
            read = truth.head([[Fraction(id_)] for id_ in ids], [1], Fraction(twice_b, 2), truth.star(2), on_keys)
            assert [_head(ids, token, twice_b, on_keys) for token in range(3)] == read


@pytest.mark.parametrize(("on_keys", "on_edges"), [(False, False), (True, False), (False, True)])
def test_lemma_2_around_each_id(on_keys, on_edges):
    """Two of three ids are neighbours: the window one above 1 has 2 in it."""
    case, ids, star = SimpleNamespace(x=Numbers(1, 2, 2), l=(1, 2)), [8, 1, 2], truth.star(2)
    made = list(_lemma2(case, on_keys, on_edges))
    steps = (Fraction(1, 2), Fraction(-1, 2)) if on_edges else (-1, 0, 1)
    for (*said, value, psi), (id_, step) in zip(made, product(ids, steps), strict=True):
        low, high = (id_ + step + side * Fraction(1, 2) for side in (-1, 1))
        lower, upper = (truth.head([[Fraction(x)] for x in ids], [1], b, star, on_keys) for b in (low, high))
        heard = [[ids[t] for t in those] for those in star]
        assert said == ["difference of the heads", "=", "psi_u"]
        assert value == [a - b for a, b in zip(lower, upper, strict=True)]
        assert psi == [(max(h) - min(h)) * (low <= x <= high) for x, h in zip(ids, heard, strict=True)]


def test_a_part_is_its_layers_one_after_another():
    """Tokens below the first level, at it, between and beyond; some with the same id, or that of the global token."""
    draw = random.Random(1)  # noqa: S311
    for _ in range(100):
        ids, part = (
            [draw.randint(0, 6) for _ in range(4)],
            Part(draw.randint(0, 2), draw.randint(0, 4), draw.randint(0, 5)),
        )
        X, changed = [[Fraction(id_)] for id_ in ids], [0] * 4
        for v in range(part.first, part.first + part.levels):
            after = truth.layer(X, [1], part.factor, Fraction(v), 1, truth.star(3))
            changed = [times + (a != b) for times, a, b in zip(changed, X, after, strict=True)]
            X = after
        assert passed(part, tuple(ids)) == (tuple(changed), tuple(ids), tuple(x for (x,) in X))


@pytest.mark.thorough
@pytest.mark.parametrize("size", [(1, 2, 3), (1, 3, 2)], ids=str)
@pytest.mark.parametrize("chosen", list(product((0, 1), repeat=3)), ids=str)
def test_the_printed_layers_have_the_slow_truths_levels_and_factors(size, chosen):
    x, (low, high, ends) = Numbers(*size), chosen
    made = parts(x, Reading(0, low, high, ends, 0))
    for part, (factor, levels) in zip(made, truth.sweeps(*x, low, high, ends), strict=True):
        its = list(levels)
        assert (part.factor, part.levels) == (factor, len(its))
        assert not its or (part.first, part.first + part.levels - 1) == (its[0] * x.N, its[-1] * x.N)


# Which certificates are checked at all.


@pytest.fixture
def ready(monkeypatch):
    """Whether a certificate of these sizes and claims gets as far as the comparisons."""
    monkeypatch.setattr(frame, "check", lambda *_: True)
    return lambda d, n, N, claims=(), most=4_000_000: check(
        {"instance": {"d": d, "n": n, "N": N}, "claims": [{"id": claim} for claim in claims]}, Options(max_points=most)
    )


@pytest.mark.parametrize(
    ("within", "beyond"),
    [
        ((1, 200, 2), (1, 201, 2)),  # n d <= 200
        ((100, 2, 2), (101, 2, 2)),
        ((1, 200, 1023), (1, 200, 1024)),  # numbers of 200 times 10 bits
        ((1, 100, 2**20 - 1), (1, 100, 2**20)),
    ],
)
def test_the_largest_constants_that_a_certificate_holds(ready, within, beyond):
    assert ready(*within)
    with pytest.raises(OverLimit):
        ready(*beyond)


@pytest.mark.parametrize("smaller", [(0, 2, 2), (1, 1, 2), (1, 2, 1)])
def test_there_are_a_row_two_columns_and_two_levels(ready, smaller):
    assert ready(1, 2, 2)
    with pytest.raises(Rejected):
        ready(*smaller)


@pytest.mark.parametrize(
    ("claim", "steps"),
    [
        ("readings.low", 32 * 4**6 * 12),  # each of 32 readings: 4^2 columns, 3 tokens; 2 parts for each, met twice
        ("readings.contextual", 32 * 4**6 * 12),
        ("bigbird.closed-grid", 4**2),
        ("bigbird.low", 0),
    ],
)
def test_what_isnt_in_the_shards_has_a_limit_of_its_own(ready, claim, steps):
    assert ready(2, 3, 3, ("bigbird.ids", claim), steps)
    if steps:
        with pytest.raises(OverLimit, match=f"{4**6 if 'readings' in claim else 4**2:,} co"):
            ready(2, 3, 3, ("bigbird.ids", claim), steps - 1)


# Certificates, and lies about them.

CERTIFICATES = sorted((Path(__file__).parent.parent / "proofs/certificates/bigbird2020").glob("*.json"))


@pytest.mark.parametrize("path", CERTIFICATES, ids=lambda path: path.stem)
def test_the_committed_certificates_stand(path, judge):
    """Their verdict is 'refuted': what is printed doesn't hold, and the repair does."""
    document = json.loads(path.read_text())
    assert len(CERTIFICATES) == 4
    code, said = judge(canonical(document))
    assert code == 1, said
    assert "checked; REFUTED, as it says" in said
    assert re.search("(22|20) claims hold", said)


def entry(document, claim):
    return next(entry for entry in document["claims"] if entry["id"] == claim)


def verdict(claim, says):
    def lie(document):
        entry(document, claim)["verdict"] = says

    return lie


def number(claim, where, name, value):
    def lie(document):
        assert entry(document, claim)[where][name] != value
        entry(document, claim)[where][name] = value

    return lie


def shard(name, value):
    def lie(document):
        assert document["shards"][0][name] != value
        document["shards"][0][name] = value

    return lie


def constant(name, value):
    def lie(document):
        assert document["constants"][name] != value
        document["constants"][name] = value

    return lie


def left_out(claim):
    def lie(document):
        document["claims"].remove(entry(document, claim))

    return lie


def a_context_less(document):
    for size in (*document["coverage"].values(), *document["shards"][0]["coverage"].values()):
        size["matrices"] -= 1
        size["orbits"] -= 1
    document["shards"][0]["stop"] -= 1


LIES = {
    "a refuted claim holds": (verdict("bigbird.contextual", "holds"), "bigbird.contextual"),
    "a claim that holds is refuted": (verdict("repair.contextual", "refuted"), "repair.contextual"),
    "a counterexample's value": (number("bigbird.contextual", "counterexample", "value", "2"), "bigbird.contextual"),
    "another counterexample": (
        number("bigbird.global", "counterexample", "other", [["0", "1/2", "5/2"], ["1", "0", "0"]]),
        "bigbird.global",
    ),
    "a tightest slack": (number("repair.contextual", "tightest", "slack", "57"), "repair.contextual"),
    "how many fail": (number("bigbird.low", "counterexample", "failing", 3), "bigbird.low"),
    "a relation's words": (number("bigbird.high", "counterexample", "relation", "f~_0^1 = 4"), "bigbird.high"),
    "readings at which a step fails": (number("readings.low", "tightest", "value", "3"), "readings.low"),
    "S_1": (constant("S_1", "8"), "S_1"),
    "S'_1 (the repair's)": (constant("S'_1", "25"), "S'_1"),
    "u^T x_0": (constant("u^T x_0", "8"), "u^T x_0"),
    "the digest": (shard("digest", "1"), "digest"),
    "a context less": (a_context_less, "coverage"),
    "the paper's version": (lambda document: document.update(paper="bigbird2020/2"), "version"),
    "another paper": (lambda document: document.update(paper="yun2020/1"), ""),
    "another instance": (lambda document: document["instance"].update(N=3), ""),
    "the verdict of all": (lambda document: document.update(verdict="holds"), "verdict"),
    "a statement": (
        lambda document: entry(document, "bigbird.lemma2").update(statement="Anything at all."),
        "bigbird.lemma2",
    ),
}


@pytest.mark.parametrize("name", LIES)
def test_a_lie_is_caught_and_named(name, judge):
    lie, named = LIES[name]
    document = json.loads(CERTIFICATES[0].read_text())
    lie(document)
    code, said = judge(canonical(document))
    assert code in (1, 2)
    assert "rejected" in said.lower() or code == 2, said
    assert named in said


def test_leaving_a_claim_out_is_seen_by_its_shard(judge):
    document = json.loads(CERTIFICATES[0].read_text())
    left_out("bigbird.contextual")(document)
    code, said = judge(canonical(document))
    assert code == 1
    assert "shards[0].claims.bigbird.contextual" in said


@pytest.mark.parametrize("size", [(1, 300, 2), (1, 5, 40), (9, 9, 9)])
def test_a_certificate_that_would_take_too_long_is_refused(size, judge):
    document = json.loads(CERTIFICATES[0].read_text())
    document["instance"] = dict(zip("dnN", size, strict=True))
    code, said = judge(canonical(document))
    assert code in (1, 4), said


def test_too_many_readings_are_refused(judge):
    """Claims about the readings alone: no context is in a shard, and yet there is a limit."""
    document = json.loads(CERTIFICATES[0].read_text())
    document |= {"instance": {"d": 1, "n": 5, "N": 40}, "coverage": {}, "shards": []}
    document["claims"] = [entry(document, "readings.low")]
    code, said = judge(canonical(document))
    assert code == 4
    assert "32 readings of 115,856,201 contexts" in said


def test_contexts_times_steps_are_limited(judge):
    """4 contexts at d = 1, n = N = 2; 8 steps each."""
    document = json.loads(CERTIFICATES[0].read_text())
    document["claims"] = [claim for claim in document["claims"] if not claim["id"].startswith("readings")]
    assert judge(canonical(document), "--max-points", "32")[0] == 1  # checked: refuted, as it says
    code, said = judge(canonical(document), "--max-points", "31")
    assert code == 4
    assert "4 contexts of 8 steps" in said

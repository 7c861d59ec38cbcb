"""Kajitsuka and Sato's Lemma 1: enclosures that enclose, two readings to the last digit, a third in plain Fractions."""

import json
import re
from contextlib import nullcontext
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import comb
from pathlib import Path

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.certificate import canonical, certify
from verifier.checker.core import frame
from verifier.checker.core.comparing import OverLimit, Rejected
from verifier.checker.core.share import Options
from verifier.checker.papers.kajitsuka2024 import numbers
from verifier.checker.papers.kajitsuka2024.paper import STATEMENTS, Lemma1, _halved, check
from verifier.core.claim import Collected
from verifier.core.exact import NotExact, Q
from verifier.papers.kajitsuka2024.claims import CLAIMS
from verifier.papers.kajitsuka2024.construction import OneLayer
from verifier.papers.kajitsuka2024.enclosure import exp_of_minus, log, rounded_down
from verifier.run.verify import verify

PROOFS = Path(__file__).parent.parent / "proofs"
SMALL = [(1, 2, 3), (1, 3, 4), (2, 2, 2), (1, 2, 6)]
BY_ID = {claim.id: claim for claim in CLAIMS}


def fraction(value):
    return Fraction(int(value.numerator), int(value.denominator))


def cases(g):
    return [g.space.at(number) for number in range(g.space.size)]


# The third reading: e^x by its series in Fractions, with the rest bounded; no rounding anywhere.


def exp(x, terms):
    """e^x for x >= 0 between two Fractions."""
    total, term = Fraction(0), Fraction(1)
    for k in range(1, terms + 1):
        total += term
        term = term * x / k
    assert terms > 2 * x  # so that each further term is at most half the one before
    return total, total + 2 * term


def boltz(entries, terms):
    powers = [exp(a - min(entries), terms) for a in entries]
    low = sum(a * p[0] for a, p in zip(entries, powers, strict=True)) / sum(p[1] for p in powers)
    high = sum(a * p[1] for a, p in zip(entries, powers, strict=True)) / sum(p[0] for p in powers)
    return low, high


@pytest.mark.parametrize("size", [(1, 2, 3), (1, 2, 4), (1, 3, 4)])
def test_the_slow_truth_is_where_both_readings_say(size):
    g, model = OneLayer(*size), Lemma1(*size)
    for case, other in zip(cases(g), model._sets, strict=True):
        low, high = boltz([fraction(a) for a in case.entries], 200)
        assert high - low < fraction(g.unit)
        assert (
            fraction(case.boltz) == model.worth(other.boltz) == Fraction(int(low / fraction(g.unit))) * fraction(g.unit)
        )
        assert fraction(case.boltz) <= low <= high <= fraction(case.boltz + g.unit)


def test_boltz_by_hand():
    """n = 2: boltz(5, 15) = 15 - 10 / (1 + e^10), and e^10 is between 22026 and 22027."""
    g = OneLayer(1, 2, 3)
    assert g.gap == 5  # above 2 log 2 + 3 = 4.38...
    value = fraction(cases(g)[1].boltz)
    assert 15 - Fraction(10, 22027) < value < 15 - Fraction(10, 22028)


def least_ratio(entries):
    """Between which two numbers (log 2)^2 e^(-2r) goes into the least distance of boltz of two pairs of entries."""
    values = sorted(boltz(pair, 120) for pair in combinations(entries, 2))
    least = min((c - b, d - a) for (a, b), (c, d) in pairwise(values))
    log_2 = Fraction(69314718, 10**8), Fraction(69314719, 10**8)
    powers = exp(2 * max(map(abs, entries)), 200)
    return least[0] * powers[0] / log_2[1] ** 2, least[1] * powers[1] / log_2[0] ** 2


def test_how_much_room_lemma_1_has_and_how_little_with_both_signs():
    """Findings, 1: the distances are those of the positive entries, and e^(-2r) is larger."""
    edge = Fraction(43863, 10**4)
    assert edge - Fraction(1, 10**4) < 3 + 2 * Fraction(69314718, 10**8) < edge
    for entries, low, high in [
        ((5, 10, 15), 73 * 10**10, 74 * 10**10),
        ((-5, 0, 5), 1513, 1514),
        ((edge, 2 * edge, 3 * edge), 29 * 10**9, 30 * 10**9),
        ((-edge, 0, edge), 706, 707),
    ]:
        found = least_ratio([Fraction(a) for a in entries])
        assert low < found[0] <= found[1] < high
    (claim,) = (claim for claim in verify(OneLayer(1, 2, 3), [BY_ID["lemma1.both-signs"]]).findings)
    relation = claim.tightest.relation
    assert 1513 < relation.value / relation.bound < 1514


def test_the_numbers_that_the_page_has_by_hand():
    """As they are cut there."""
    page = " ".join((PROOFS / "findings/kajitsuka2024.md").read_text().split())
    with localcontext(prec=40):
        log_2, one = Decimal(2).ln(), Decimal(1)
        s = 2 * log_2 + 3
        assert abs(s.exp() - 4 * Decimal(3).exp()) < Decimal("1e-30")
        below = lambda t: t / (1 + t.exp())  # noqa: E731
        for words, value in [
            ("s/(1 + e^s) - 2s/(1 + e^(2s)) = ", below(s) - below(2 * s)),
            ("(log 2)^2 e^(-2s) = ", log_2**2 / (2 * s).exp()),
            ("1 - 1/(1 + e) = ", 1 - below(one)),
            ("1 - 2/(1 + e^2) = ", 1 - below(2 * one)),
            ("(log 2)^2 e^(-2) = ", log_2**2 / Decimal(2).exp()),
            ("(3, 5/2) and (3, 1/2) have the values `3 - ", below(one / 2)),
            ("and `3 - ", below(5 * one / 2)),
            ("(log 2)^2 e^(-6) = ", log_2**2 / Decimal(6).exp()),
        ]:
            (digits,) = re.findall(re.escape(words) + r"([\d.]+)\.\.\.", page)
            assert format(value, "f").startswith(digits)
        # so that both pairs of pairs are nearer than the bound, and t/(1 + e^t) is largest at 1.278...
        assert (1 - below(2 * one)) - (1 - below(one)) < log_2**2 / Decimal(2).exp()
        assert below(5 * one / 2) - below(one / 2) < log_2**2 / Decimal(6).exp()
        low, high = Decimal("1.278"), Decimal("1.279")
        assert low.exp() * (low - 1) < 1 < high.exp() * (high - 1)


@given(st.fractions(min_value=0, max_value=20, max_denominator=4), st.sampled_from([8, 40, 200]))
@settings(max_examples=20, deadline=None)
def test_an_enclosure_encloses(x, bits):
    true_low, true_high = exp(x, 260)
    low, high = map(fraction, exp_of_minus(mpq(x.numerator, x.denominator), bits))
    assert low <= 1 / true_high <= 1 / true_low <= high
    if (2 * x).denominator == 1:
        low, high = (Fraction(end, 2 ** (bits + 60)) for end in numbers.power(int(2 * x), bits + 60))
        assert low <= 1 / true_high <= 1 / true_low <= high


@pytest.mark.parametrize("W", [0, 1, 2, 3, 4, 10, 63, 64, 400])
def test_at_every_precision_decimals_are_inside(W):
    """Those of `decimal`, with 300 digits; and e^(-1/2) and its powers are enclosed to 2 or 4 units."""
    with localcontext(prec=300):
        units = Decimal(2) ** W
        low, high = numbers.root(W)
        assert low <= units * Decimal("-0.5").exp() <= high <= low + 2
        for halves in range(20):
            low, high = numbers.power(halves, W)
            assert low <= units * (Decimal(-halves) / 2).exp() <= high <= low + 4
        for n in range(2, 65):
            low, high = numbers.log(n, W)
            assert low <= units * Decimal(n).ln() <= high


@pytest.mark.parametrize("values", [(0, 1), (1, 0), (3, 5), (0, 0), (1, 4, 2)])
def test_a_mean_is_enclosed_however_coarse_the_weights_are(values):
    """Also where the smaller weight, of which the bounds are farther apart, is that of the larger value."""
    with localcontext(prec=100):
        for W, halves in product(range(9), product(range(4), repeat=len(values))):
            weights = [(Decimal(a) / 2).exp() for a in halves]
            mean = sum(v * w for v, w in zip(values, weights, strict=True)) / sum(weights)
            low, high = numbers.mean(halves, values, W)
            assert low <= mean * 2**W + Decimal("1e-90")
            assert mean * 2**W <= high + Decimal("1e-90")


def test_a_logarithm_in_whole_numbers():
    """t is 1/3, between 0 and 1, and log 2 is at most 2/(1 - 1/9) = 9/4; in halves between 0 and 1 halves: 9/8."""
    assert [numbers.log(2, W) for W in (0, 1)] == [(0, 3), (0, 3)]
    assert numbers.log(64, 0) == (0, 34)  # 2/(1 - 63^2/65^2) = 33.01


@pytest.mark.parametrize("n", [2, 3, 4, 5, 9])
def test_a_logarithm_is_enclosed(n):
    """By its inverse: e^low <= n <= e^high."""
    low, high = map(fraction, log(n, 80))
    assert high - low < Fraction(1, 2**70)
    below, above = (Fraction(int(end * 2**80) + k, 2**80) for end, k in ((low, 0), (high, 1)))  # shorter ones
    assert exp(below, 60)[0] <= n <= exp(above, 60)[1]
    assert exp(above - Fraction(1, 2**60), 60)[1] < n < exp(below + Fraction(1, 2**60), 60)[0]
    theirs = [Fraction(end, 2**80) for end in numbers.log(n, 80)]
    assert theirs[0] <= high
    assert low <= theirs[1]
    assert theirs[1] - theirs[0] < Fraction(1, 2**65)


def test_a_number_that_is_no_irrational_is_not_rounded_for_ever():
    asked = []
    with pytest.raises(ArithmeticError):
        rounded_down(lambda bits: (1 - mpq(1, 1 << bits), 1 + mpq(1, 1 << bits)), 8)
    with pytest.raises(ArithmeticError):
        numbers.floor(lambda W: asked.append(W) or ((1 << W) - 1, (1 << W) + 1), 8)
    assert 2**15 - 64 < asked[-1] < 2**15


# What holds.


@pytest.mark.parametrize("size", SMALL)
def test_verdicts(size):
    found = {finding.claim.id: finding.verdict for finding in verify(OneLayer(*size), CLAIMS).findings}
    left = {"lemma1.needed"} if size != (1, 2, 6) else set()
    assert {claim for claim, verdict in found.items() if verdict == "skipped"} == left
    assert set(found.values()) <= {"holds", "skipped"}


def test_one_set_alone_tells_nothing():
    found = {finding.claim.id: finding.verdict for finding in verify(OneLayer(1, 2, 2), CLAIMS).findings}
    assert found["lemma1.separated"] == found["lemma1.order"] == "vacuous"
    assert found["theorem1.hardmax"] == "skipped"
    with pytest.raises(NotExact, match="n = 3 different tokens are needed, and N\\^d = 2"):
        OneLayer(1, 3, 2)


@pytest.mark.parametrize("size", [(1, 2, 5), (1, 3, 5), (2, 3, 2)])
def test_rank_and_unrank(size):
    space = OneLayer(*size).space
    V = size[2] ** size[0]
    assert [space.unrank(k) for k in range(space.size)] == list(combinations(range(V), size[1]))
    assert [space.rank(space.unrank(k)) for k in range(space.size)] == list(range(comb(V, size[1])))


# The second reading.


@pytest.mark.parametrize("size", SMALL)
def test_two_readings_agree_on_every_relation(size):
    g, model = OneLayer(*size), Lemma1(*size)
    compared = 0

    def compare(ours, theirs):
        nonlocal compared
        for r, s in zip(ours, theirs, strict=True):
            assert (r.name, r.op, r.bound_name, r.cases or None) == (s.name, s.op, s.bound_name, s.key)
            assert (fraction(Q(0) + r.value), fraction(Q(0) + r.bound)) == (Fraction(s.value), Fraction(s.bound))
            compared += 1

    for claim in CLAIMS:
        assert (claim.skip(g) or "") == model.skipped(claim.id)
        if claim.skip(g):
            continue
        ours = list(claim.domain.cases(g)) if claim.domain.cases else cases(g)
        theirs = model.own(claim.id) or model._sets
        values, others = [], []
        for number, (case, other) in enumerate(zip(ours, theirs, strict=True)):
            compare(claim.check(case) if claim.check else (), model.relations(claim.id, other))
            values += [(value, number) for value in (claim.collect(case) if claim.collect else ())]
            others += [(value, number) for value in model.collected(claim.id, other)]
        if claim.conclude:
            compare(claim.conclude(g, Collected({}, values)), model.conclusion(claim.id, others, {}))
    assert compared > 20
    assert [f"{claim.says} [{claim.formula}]" for claim in CLAIMS] == list(STATEMENTS.values())


# Broken on purpose: each change is seen, and by these claims.


class HalfTheGap(OneLayer):
    gap = Q(1, 2)
    bits = 400


class NearTheEdge(OneLayer):
    """Entries of both signs are too near to each other, positive ones aren't."""

    gap = 1
    bits = 400


class TooCoarse(OneLayer):
    bits = 8


class TooFar(OneLayer):
    @property
    def head(self):
        head = super().head
        return type(head)(tuple((8 * x for x in row) for row in head.W_O), head.W_V, head.W_K, head.W_Q, head.b_Q)


class TooFlat(OneLayer):
    """w doesn't tell (1, 2) from (2, 1)."""

    w = (Q(1), Q(1))


class Still(OneLayer):
    """Nothing is read."""

    def read(self, X):
        return (Q(0),) * len(X[0])


class Hard(OneLayer):
    """hardmax in place of softmax: each token reads the largest id."""

    def read(self, X):
        (values,) = self.head.value(X)
        return values


MUTANTS = [
    (HalfTheGap, (1, 2, 6), {"lemma1.hypothesis", "lemma1.separated", "lemma1.both-signs", "lemma1.order"}),
    (NearTheEdge, (1, 2, 3), {"lemma1.hypothesis", "lemma1.both-signs"}),
    (TooCoarse, (1, 3, 4), {"lemma1.separated", "lemma1.both-signs", "lemma1.order", "theorem2.contextual"}),
    (TooFlat, (2, 2, 2), {"lemma1.hypothesis"}),
    (Still, (1, 2, 4), {"theorem2.contextual"}),
    (Hard, (1, 2, 4), {"theorem2.contextual"}),
]


@pytest.mark.parametrize(("mutant", "size", "seen"), MUTANTS, ids=lambda x: getattr(x, "__name__", ""))
def test_a_broken_construction_is_refuted(mutant, size, seen):
    names = ("lemma1.hypothesis", "lemma1.separated", "lemma1.both-signs", "lemma1.order", "theorem2.contextual")
    about = [BY_ID[name] for name in names]
    if mutant is TooFlat:  # two entries are equal there, and boltz is a rational
        about = about[:1]
    assert set(verify(mutant(*size), about).refuted) == seen


def test_a_layer_that_moves_tokens_too_far_is_refuted():
    assert verify(TooFar(1, 2, 4), [BY_ID["theorem2.bounded"]]).refuted == ["theorem2.bounded"]
    assert verify(OneLayer(1, 2, 4), [BY_ID["theorem2.bounded"]]).refuted == []


# Certificates, and lies about them.

CERTIFICATES = sorted((PROOFS / "certificates/kajitsuka2024").glob("*.json"))


@pytest.mark.parametrize("path", CERTIFICATES, ids=lambda path: path.stem)
def test_the_committed_certificates_stand(path, judge):
    assert len(CERTIFICATES) == 5
    document = json.loads(path.read_text())
    if document["instance"] == {"d": 1, "n": 2, "N": 3}:
        assert path.read_bytes() == certify(
            verify(OneLayer(1, 2, 3), [claim for claim in CLAIMS if claim.id != "lemma1.needed"])
        )
    code, said = judge(canonical(document))
    assert (code, "claims hold" in said) == (0, True), said


def last_digit(text):
    return text[:-1] + str((int(text[-1]) + 2) % 10)


@pytest.mark.parametrize("name", ["value", "bound", "slack"])
@pytest.mark.parametrize("claim", ["lemma1.separated", "lemma1.bounded", "theorem2.contextual"])
def test_the_last_digit_of_a_number_is_checked(claim, name, judge):
    document = json.loads(CERTIFICATES[0].read_text())
    (entry,) = (entry for entry in document["claims"] if entry["id"] == claim)
    upper, slash, lower = entry["tightest"][name].partition("/")
    if not slash:
        upper = str(int(upper) + 1)
    entry["tightest"][name] = f"{last_digit(upper)}/{lower}" if slash else upper
    code, said = judge(canonical(document))
    assert code in (1, 2)
    assert claim in said or "lowest terms" in said


def test_sets_times_steps_are_limited(judge):
    """3 sets of two tokens out of three; 40 steps for each pair of tokens that is weighed."""
    document = canonical(json.loads(next(path for path in CERTIFICATES if path.stem == "d1-n2-N3").read_text()))
    assert judge(document, "--max-points", "480")[0] == 0
    code, said = judge(document, "--max-points", "479")
    assert (code, "3 sets of 160 steps" in said) == (4, True), said


@pytest.mark.parametrize(
    ("size", "most", "error"),
    [
        *((size, 4_000_000, None) for size in [(1, 2, 2), (2, 4, 2), (3, 7, 2), (1, 2, 20)]),
        *((size, 4_000_000, Rejected) for size in [(0, 2, 2), (1, 1, 2), (1, 2, 1), (7, 2, 1), (1, 3, 2), (2, 5, 2)]),
        *(
            (size, 4_000_000, OverLimit)
            for size in [(1, 2, 21), (6, 2, 2), (1, 2, 65), (3, 2, 5), (7, 2, 2), (7, 200, 2), (10**9, 2, 2)]
        ),
        ((3, 4, 2), 70, None),  # 70 sets of four of the eight tokens
        ((3, 4, 2), 69, OverLimit),
    ],
)
def test_how_large_an_instance_may_be(size, most, error, monkeypatch):
    """N^d tokens, at least n of them and at most 64; numbers of at most 6,600 bits."""
    monkeypatch.setattr(frame, "check", lambda _, model, *__: (model.d, model.n, model.N))
    with pytest.raises(error) if error else nullcontext():
        found = check({"instance": dict(zip("dnN", size, strict=True))}, Options(max_points=most))
        assert found == size


def test_neighbours_are_counted_where_they_are_nearer_or_in_the_other_order(monkeypatch):
    """Of 15 pairs of six tokens: equal values are in no order; a least distance of 10 leaves 8 units between them."""
    model = Lemma1(1, 2, 6)

    def counted(claim, value):
        monkeypatch.setattr(model, "_of_halves", value)
        (relation,) = model.relations(claim, None)
        return relation.value

    monkeypatch.setattr(model, "least", lambda _: 10)
    assert counted("lemma1.close", lambda _: 5) == 0
    assert counted("lemma1.close", lambda case: -sum(case.ids)) > 0
    assert [counted("lemma1.needed", lambda case, by=by: by * case.number) for by in (7, 8)] == [14, 0]


def test_the_half_of_an_enclosure_encloses_the_half():
    assert [_halved(pair) for pair in ((3, 8), (4, 7), (-1, 1))] == [(1, 4), (2, 4), (-1, 1)]


@pytest.mark.parametrize(
    ("size", "skipped"),
    [
        ((1, 2, 2), {"lemma1.close", "theorem1.hardmax", "lemma1.needed"}),
        ((2, 4, 2), {"lemma1.close", "theorem1.hardmax", "lemma1.needed"}),
        ((1, 2, 5), {"lemma1.needed"}),
        ((1, 3, 6), {"lemma1.needed"}),
        ((1, 2, 6), set()),
        ((1, 2, 7), {"lemma1.needed"}),  # with r = 7/2 the lemma asks for less, which all pairs keep
    ],
)
def test_which_claims_say_nothing(size, skipped):
    model = Lemma1(*size)
    assert {claim for claim in STATEMENTS if model.skipped(claim)} == skipped

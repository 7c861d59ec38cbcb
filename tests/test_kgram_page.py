"""The page of conditional k-grams against plain Python that shares nothing with the package: counts by loops, heads as
lists of scores, and in the third layer of Theorem 4 roots of 50 digits, of which two are equal within 10^-30."""

from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from math import ceil, log2
from pathlib import Path

import pytest

from verifier.page import Page

PAGE = Page.file(Path(__file__).parent.parent / "verifier/pages/kgram.page")
SIZES = [(2, 1, 5), (2, 2, 5), (2, 3, 6), (3, 1, 4), (3, 2, 5)]
PRINTED = {"late": 0, "extra": 0, "soft": 0, "flag": 0, "query": 0}


def run(ids, S, k, n, **reading):
    """{claim: (cases, failing, first failing case)}"""
    found = PAGE.run([f"kgram.{id_}" for id_ in ids], jobs=1, S=S, k=k, n=n, **PRINTED | reading).content["claims"]
    return {c["id"].removeprefix("kgram."): (c["cases"], c.get("failing", 0), first(c)) for c in found}


def first(claim):
    cases = claim.get("first", {}).get("cases", [])
    return tuple(map(int, cases[0])) if cases else None


def counted(cases, fails):
    cases = list(cases)
    bad = [case for case in cases if fails(case)]
    return len(cases), len(bad), bad[0] if bad else None


def words(S, n):
    return [w for m in range(1, n + 1) for w in product(range(1, S + 1), repeat=m)]


def after(w, k):
    """The positions, from 0, before which the last k letters stand."""
    return [i for i in range(k, len(w)) if w[i - k : i] == w[len(w) - k :]]


def shares(letters):
    letters = list(letters)
    return {a: Fraction(c, len(letters)) for a, c in Counter(letters).items()}


def highest(scores):
    return [i for i, s in scores.items() if s == max(scores.values())]


def compared(w, slots, k, late):
    """The shares of the letters that the layer reads that compares: slots[i][h] is a vector over letters."""
    scores = {
        i: sum(dot(slots[i][h], slots[-1][h - 1]) for h in range(1, k + 1)) for i in range(len(w)) if not late or i >= k
    }
    return shares(w[i] for i in highest(scores))


def dot(v, u):
    return sum(share * u.get(a, 0) for a, share in v.items())


def by_heads(w, k):
    """A head whose offset doesn't exist takes the mean of all letters so far."""
    return [[{w[i - h]: 1} if h <= i else shares(w[: i + 1]) for h in range(k + 1)] for i in range(len(w))]


def doubled(w, layers):
    """The letters 0, 1, ... before; where there is none, the token read itself."""
    slots = [[{a: 1}] for a in w]
    for level in range(layers):
        slots = [own + (slots[i - 2**level] if i >= 2**level else own) for i, own in enumerate(slots)]
    return slots


def padded(slots, k):
    return [row + [{}] * (k + 1 - len(row)) for row in slots]


@pytest.mark.parametrize(("S", "k", "n"), SIZES)
@pytest.mark.parametrize("late", [0, 1])
@pytest.mark.parametrize("extra", [0, 1])
def test_heads_and_doubling(S, k, n, late, extra):
    found = run(["one", "heads", "log"], S, k, n, late=late, extra=extra)
    seen = [w for w in words(S, n) if after(w, k)]
    truth = {w: shares(w[i] for i in after(w, k)) for w in seen}
    heads = counted(seen, lambda w: compared(w, by_heads(w, k), k, late) != truth[w])
    assert found["one" if k == 1 else "heads"] == heads
    layers = ceil(log2(k + 1)) - 1 + extra
    log = counted(seen, lambda w: compared(w, padded(doubled(w, layers), k), k, late) != truth[w])
    assert found["log"] == log
    if late:
        assert heads[1] == 0
    assert (log[1] == 0) == bool(late and extra)


def test_what_doubling_gathers():
    every = words(2, 7)
    found = run(["doubling", "doubling-short"], 2, 1, 7)
    assert found["doubling"] == counted(every, lambda w: not gathered(w, short=False)) == (254, 0, None)
    assert found["doubling-short"] == counted(every, lambda w: not gathered(w, short=True))


def gathered(w, short):
    return all(
        slots[i][h] == ({w[i - h]: 1} if h <= i else {})
        for layers in (1, 2, 3)
        for slots in [doubled(w, layers)]
        for i in range(0 if short else 2**layers - 1, len(w))
        for h in range(2**layers)
    )


@pytest.mark.parametrize(("S", "k", "n"), SIZES)
def test_the_printed_condition(S, k, n):
    def agreeing(w):
        if len(w) < k:
            return {}
        return {i: sum(w[len(w) - 1 - h] == w[i - 1 - h] for h in range(k)) for i in range(k, len(w))}

    some = [w for w in words(S, n) if max(agreeing(w).values(), default=0)]
    assert run(["partial"], S, k, n)["partial"] == counted(some, lambda w: highest(agreeing(w)) != after(w, k))


# Theorem 4.


def softmax(powers, window, factor=1):
    """Weights 3^(factor (i+1)) in the window, 1 elsewhere; None: the limit; 0: as printed, 3^i and nothing else."""
    inside = [i for i in powers if i in window]
    if factor is None:
        kept = {max(inside): Fraction(1)} if inside else dict.fromkeys(powers, Fraction(1))
    elif factor == 0:
        kept = {i: Fraction(3) ** i for i in inside} or dict.fromkeys(powers, Fraction(1))
    else:
        kept = {i: Fraction(3) ** (factor * (i + 1)) if i in window else Fraction(1) for i in powers}
    return {i: weight / sum(kept.values()) for i, weight in kept.items()}


FACTORS = {0: 0, 1: 1, 2: None}  # what the page's size `soft` stands for


def blocks(w, k, soft):
    """u, v and Z at each token."""
    out = []
    for i in range(len(w)):
        offsets = range(i + 1)
        one = softmax(offsets, range(k), FACTORS[soft])
        two = softmax(offsets, range(1, k + 1), FACTORS[soft])
        u, v = Counter(), Counter()
        for h in offsets:
            u[w[i - h]] += one.get(h, 0)
            v[w[i - h]] += two.get(h, 0)
        out.append((dict(u), dict(v), sum(two.get(h, 0) * 3**h for h in offsets if h <= k)))
    return out


def third_layer(w, k, soft, flag, query):
    rows = blocks(w, k, soft)
    asks = rows[-1][query]
    with localcontext(prec=50):
        number = lambda q: Decimal(q.numerator) / q.denominator  # noqa: E731
        scores = []
        for _, v, Z in rows:
            cosine = (
                number(Fraction(dot(v, asks)))
                / (number(Fraction(dot(v, v))) * number(Fraction(dot(asks, asks)))).sqrt()
            )
            scores.append(cosine + (0 if flag else number(Fraction(Z * rows[-1][2]))))
        best = [i for i, s in enumerate(scores) if max(scores) - s < Decimal(10) ** -30]
    return shares(w[i] for i in best)


@pytest.mark.parametrize(("S", "k", "n"), SIZES)
@pytest.mark.parametrize(
    "reading", [{}, {"soft": 1}, {"soft": 2}, {"flag": 1}, {"query": 1}, {"soft": 1, "flag": 1, "query": 1}]
)
def test_three_layers(S, k, n, reading):
    seen = [w for w in words(S, n) if after(w, k)]
    at = {"soft": 0, "flag": 0, "query": 0} | reading
    wrong = counted(seen, lambda w: third_layer(w, k, **at) != shares(w[i] for i in after(w, k)))
    assert run(["three"], S, k, n, **reading)["three"] == wrong
    assert (wrong[1] == 0) or reading


@pytest.mark.parametrize("soft", [0, 1, 2])
def test_shifts_and_Z(soft):
    found = run(["shift", "Z", "Z.short", "Z.sum", "flag"], 2, 2, 5, soft=soft)
    every = words(2, 5)

    def not_shifted(w):
        rows = blocks(w, 2, soft)
        plain = lambda v: {a: t for a, t in v.items() if t}  # noqa: E731
        return any(plain(rows[i][1]) != plain(rows[i - 1][0]) for i in range(1, len(w)))

    assert found["shift"] == counted(every, not_shifted)
    Z = {(k, n): blocks([1] * n, k, soft)[-1][2] for k in range(1, 5) for n in range(1, 9)}
    late = [(k, n) for k, n in Z if n > k]
    assert found["Z"][1] == any(Z[at] != Fraction(3 ** (at[0] + 1), 5) for at in late) == 1
    assert found["Z.short"][1] == any(Z[k, n] > Fraction(3**k, 5) for k, n in Z if n <= k) == 1
    assert found["Z.sum"][1] == 0
    flag = all(Z[k, n] * (Z[k, n] - Z[k, i]) > 1 and Z[k, n] == Z[k, k + 1] for k, n in late for i in range(1, k + 1))
    assert (found["flag"][1] == 0) == flag
    if soft == 0:
        assert all(Z[k, n] == Fraction(3 ** (k + 1) + 3, 4) for k, n in late)


def test_patterns():
    found = run(["pattern1", "pattern1.limit", "pattern2", "pattern2.limit"], 2, 1, 1)
    wrong = dict.fromkeys(found, False)
    for k, n in product(range(1, 4), range(1, 9)):
        for id_, window in (("pattern1", range(k)), ("pattern2", range(1, k + 1))):
            if id_ == "pattern2" and n == 1:
                continue
            spread = lambda weights, n=n: [weights.get(i, 0) for i in range(n)]  # noqa: E731
            printed = spread(softmax(range(n), window, 0))
            wrong[id_] |= any(spread(softmax(range(n), window, f)) != printed for f in (1, 2, 3))
            wrong[f"{id_}.limit"] |= spread(softmax(range(n), window, None)) != printed
    assert {id_: found[id_][1] == 1 for id_ in found} == wrong == dict.fromkeys(found, True)


def weighed(w, k, base):
    """z at each position: base^h of the letter h before, where there is one."""
    out = []
    for i in range(len(w)):
        z = Counter()
        for h in range(min(k, i + 1)):
            z[w[i - h]] += base**h
        out.append(dict(z))
    return out


@pytest.mark.parametrize(("S", "k", "n"), [*SIZES, (2, 4, 7), (3, 3, 5)])
def test_lemma_1(S, k, n):
    ids = ["match", "match-printed", "gap", "step", "step-printed", "direction", "direction-three"]
    ids += ["direction-early", "direction-early-three", "eq3"]
    found = run(ids, S, k, n)
    every = words(S, n)
    z, two = ({w: weighed(w, k, base) for w in every} for base in (3, 2))

    def others(w):
        return [i for i in range(k, len(w)) if i not in after(w, k)]

    def near(w):
        """|v/|v| - u/|u||^2 = 2 - 2 cos < 9^-k, by cos^2."""
        bound = (1 - Fraction(1, 2 * 9**k)) ** 2
        return any(
            Fraction(dot(z[w][i - 1], z[w][-1]) ** 2, dot(z[w][i - 1], z[w][i - 1]) * dot(z[w][-1], z[w][-1])) > bound
            for i in others(w)
        )

    def short(w, u, v):
        for i in others(w):
            j = max(h for h in range(k) if w[-1 - h] != w[i - 1 - h])
            a = w[-1 - j]
            if u(i).get(a, 0) - v(i).get(a, 0) < Fraction(3**j, 2):
                return True
        return False

    def parallel(v, u):
        return dot(v, u) ** 2 == dot(v, v) * dot(u, u)

    assert found["match"] == counted(every, lambda w: any(z[w][i - 1] != z[w][-1] for i in after(w, k)))
    assert found["match-printed"] == counted(every, lambda w: any(z[w][i] != z[w][-2] for i in after(w, k)))
    assert found["gap"] == counted(every, near)
    assert found["step"] == counted(every, lambda w: short(w, lambda _: z[w][-1], lambda i: z[w][i - 1]))
    assert found["step-printed"] == counted(every, lambda w: short(w, lambda _: z[w][-2], lambda i: z[w][i]))
    long = [w for w in every if len(w) >= k]
    for id_, z_, start, cases in (
        ("direction", two, k, long),
        ("direction-three", z, k, long),
        ("direction-early", two, 1, every),
        ("direction-early-three", z, 1, every),
    ):
        bad = counted(
            cases,
            lambda w, z_=z_, start=start: any(
                parallel(z_[w][i - 1], z_[w][-1]) != (z_[w][i - 1] == z_[w][-1]) for i in range(start, len(w))
            ),
        )
        assert found[id_] == bad
    assert [found[id_][1] for id_ in ("match", "gap", "step")] == [0, 0, 0]
    seen = [w for w in every if after(w, k)]

    def printed(w):
        where = after(w, k)
        of_the_last = Fraction(sum(w[i] == w[-1] for i in where), len(where))
        return any(shares(w[i] for i in where).get(s, 0) != of_the_last for s in range(1, S + 1))

    assert found["eq3"] == counted(seen, printed)


def test_norms_and_depths():
    found = run(["mean", "sign", "window", "window.counted", "agree", "step-sum"], 2, 1, 1)
    vectors = [v for m in (1, 2, 3) for v in product((-1, 0, 1, 2), repeat=m) if any(v)]
    squares = lambda v: sum(t * t for t in v)  # noqa: E731
    assert found["mean"] == counted(vectors, lambda v: Fraction(squares([*v, *v]), 2 * len(v)) != squares(v))
    assert found["sign"] == counted([v for v in vectors if min(v) >= 0], any)
    depth = {k: ceil(log2(k + 1)) for k in range(1, 17)}
    assert (found["window"][1], found["window.counted"][1]) == (
        any(2 ** depth[k] < k + 1 for k in depth),
        any(2 ** (depth[k] - 1) < k + 1 for k in depth),
    )
    excluded = [k for k in range(3, 17) if 2 ** (depth[k] - 1) <= k - 2]
    assert (found["agree"][1], excluded[0]) == (1, 6)
    assert found["step-sum"][1] == any(3**j - sum(3**i for i in range(j)) != Fraction(3**j, 2) for j in range(5)) == 1

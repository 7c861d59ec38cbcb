"""The pages of k-hop induction against plain Python that shares nothing with the package: words by loops, and heads by
cosines, of which two are taken for equal within 10^-9 (circles of so few steps have none that are nearer)."""

from fractions import Fraction
from functools import cache
from itertools import pairwise, permutations, product
from math import cos, pi
from pathlib import Path

import pytest

from verifier.page import Page

PAGES = Path(__file__).parent.parent / "verifier/pages"


@cache
def page(name):
    return Page.file(PAGES / f"{name}.page")


def run(ids, name="khop", **sizes):
    """{claim: (cases, failing, first failing case)}"""
    found = page(name).run(ids, jobs=1, **sizes).content["claims"]
    return {c["id"]: (c["cases"], c.get("failing", 0), first(c)) for c in found}


def first(claim):
    cases = claim.get("first", {}).get("cases", [])
    return tuple(map(int, cases[0])) if cases else None


def counted(cases, fails):
    bad = [case for case in cases if fails(case)]
    return len(cases), len(bad), bad[0] if bad else None


def words(n, s):
    return [w for m in range(1, n + 1) for w in product(range(1, s + 1), repeat=m)]


def find(w, i):
    """The largest j in 2..i with w_(j-1) = w_i, else 0."""
    return max((j for j in range(2, i + 1) if w[j - 2] == w[i - 1]), default=0)


def hop(w, i, k):
    for _ in range(k):
        i = find(w, i) if i else 0
    return i


def highest(scores):
    top = max(scores.values())
    return [j for j, t in scores.items() if top - t < 1e-9]


def mean(rows):
    columns = list(zip(*rows, strict=True))
    return [Fraction(sum(c), len(c)) for c in columns]


class Heads:
    """What the heads of D.1 and D.2 read, in a reading."""

    def __init__(self, w, n, s, own=1, circle=0, scores=0, wide=1, **_):
        self.w, self.scores, self.own = w, scores, own
        self.N = wide * n
        self.apart = 2 * self.N if circle == 2 else self.N
        self.steps = (s if circle == 1 else s + 1) * self.apart

    def cosine(self, steps, of):
        return cos(2 * pi * steps / of)

    def look_up(self, t, i):
        if not self.scores:
            return [int(t)] if t else []
        scores = {j: self.cosine(t - j, self.N) for j in range(1, i + 1)}
        return highest(scores | {0: 0.0 if self.scores == 2 else self.cosine(t, self.N)})

    def before(self, j):
        return self.w[j - 2] if j > 1 else 0

    def score(self, i, j):
        if j == 0:
            return self.cosine(self.N - 0.5, self.steps)
        return self.cosine(self.apart * (self.w[i - 1] - self.before(j)) + i - j, self.steps)

    def by_scores(self, i):
        return sorted(highest({j: self.score(i, j) for j in range(i + 1)}))

    def last(self, i):
        if self.scores:
            return self.by_scores(i)
        equal = [j for j in range(1, i + self.own) if self.before(j) == self.w[i - 1]]
        return equal[-1:]


def outputs(w, n, k, s, bits=0, **reading):
    """The symbols that come out, and P after each layer from the second on."""
    heads, m = Heads(w, n, s, **reading), len(w)
    symbols = [0, *w]
    read = lambda rows, at: mean([rows[j] for j in at]) if at else [0, 0, 0, 0]  # noqa: E731
    # the scores of D.2 use the letter before, which the first layer looks up
    if reading.get("scores"):
        letters = [0, *(mean([[symbols[j]] for j in heads.look_up(i - 1, i)])[0] for i in range(1, m + 1))]
        heads.before = lambda j: letters[j]
    rows = [[0, 0, 0, 0]]
    for i in range(1, m + 1):
        at = heads.last(i)
        p = mean([[j, symbols[j]] for j in at]) if at else [0, 0]
        own = bits == 2 or (k % 2 == 1) == (bits == 0)
        rows.append([*p, *([i, w[i - 1]] if own else p)])
    held = [rows]
    log = k.bit_length() - 1
    late = int(bits == 2)
    for layer in range(3, log + 3 + late):
        bit = k >> (layer - 2 - late) & 1
        there = [read(rows, heads.look_up(rows[i][0], i)) if i else rows[0] for i in range(m + 1)]
        rows = [[*t[:2], *(t[2:] if bit else row[2:])] for t, row in zip(there, rows, strict=True)]
        rows[0] = [0, 0, 0, 0]
        held.append(rows)
    out = [row[1 if k == 1 and not late else 3] for row in rows[1:]]
    return out, [[row[0] for row in rows] for rows in held]


def near(found, wanted):
    return all(abs(a - b) < 1e-9 for a, b in zip(found, wanted, strict=True))


def wrong(w, n, k, s, **reading):
    return not near(outputs(w, n, k, s, **reading)[0], [([0, *w])[hop(w, i, k)] for i in range(1, len(w) + 1)])


STATED = {"own": 1, "bits": 0, "circle": 0, "scores": 0, "wide": 1}
REPAIRED = {"own": 1, "bits": 2, "circle": 2, "scores": 1, "wide": 2}


@pytest.mark.parametrize("k", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("changed", [{}, {"own": 0}, {"bits": 1}, {"bits": 2}, {"bits": 2, "own": 0}])
def test_the_layers_as_they_are_stated(k, changed):
    reading, every = STATED | changed, words(5, 2)
    found = run(["khop.hop", "khop.find1", "khop.double", "khop.distinct"], n=5, k=k, s=2, **reading)
    assert found["khop.hop"] == counted(every, lambda w: wrong(w, 5, k, 2, **reading))
    unlike = [w for w in every if all(a != b for a, b in pairwise(w))]
    assert found["khop.distinct"] == counted(unlike, lambda w: wrong(w, 5, k, 2, **reading))

    def doubled_wrong(w):
        held = outputs(w, 5, k, 2, **reading)[1]
        return any(
            held[level][i] != hop(w, i, 2**level) for level in range(k.bit_length()) for i in range(1, len(w) + 1)
        )

    assert found["khop.double"] == counted(every, doubled_wrong)


def test_for_which_k_the_bits_as_printed_are_right():
    """1 and 2 as printed; 1 with the start exchanged; all, one layer later with the bit before."""
    right = {
        bits: [k for k in range(1, 9) if not any(wrong(w, 7, k, 2, bits=bits) for w in words(7, 2))]
        for bits in (0, 1, 2)
    }
    assert right == {0: [1, 2], 1: [1], 2: list(range(1, 9))}
    for bits, ks in right.items():
        for k in (1, 2, 3, 4, 7):
            found = run(["khop.hop"], n=6, k=k, s=2, **STATED | {"bits": bits})
            assert (found["khop.hop"][1] == 0) == (k in ks)


@pytest.mark.parametrize(
    "changed", [{}, {"wide": 1}, {"scores": 2}, {"circle": 0}, {"circle": 1}, {"circle": 0, "wide": 1, "scores": 2}]
)
@pytest.mark.parametrize(("n", "k", "s"), [(4, 3, 2), (3, 2, 3)])
def test_the_layers_by_their_scores(n, k, s, changed):
    reading, every = REPAIRED | changed, words(n, s)
    found = run(["khop.hop", "khop.last", "khop.last-null", "khop.last-gap"], n=n, k=k, s=s, **reading)
    assert found["khop.hop"] == counted(every, lambda w: wrong(w, n, k, s, **reading))

    def misread(w, some):
        heads = Heads(w, n, s, **reading)
        equal = [[j for j in range(1, i + 1) if heads.before(j) == w[i - 1]] for i in range(1, len(w) + 1)]
        wanted = [js[-1:] if some else [0] for js in equal]
        return any(
            bool(js) == some and heads.by_scores(i) != t for i, (js, t) in enumerate(zip(equal, wanted, strict=True), 1)
        )

    def too_near(w):
        heads = Heads(w, n, s, **reading)
        pairs = [(i, j) for i in range(1, len(w) + 1) for j in range(1, i + 1) if heads.before(j) != w[i - 1]]
        return any(heads.score(i, j) > cos(2 * pi / heads.N) + 1e-9 for i, j in pairs)

    assert found["khop.last"] == counted(every, lambda w: misread(w, True))
    assert found["khop.last-null"] == counted(every, lambda w: misread(w, False))
    assert found["khop.last-gap"] == counted(every, too_near)
    if not changed:
        assert found["khop.hop"][1] == found["khop.last"][1] == found["khop.last-null"][1] == 0


def test_look_ups():
    claims = ("prev", "lookup", "lookup.at-0", "lookup.zero", "lookup-gap", "lookup-null.at-0", "lookup-null.zero")
    found = run([f"khop.{c}" for c in claims], n=1, k=1, s=1, **STATED)
    fails = dict.fromkeys(claims, False)
    for N in range(1, 9):
        for i in range(1, N + 1):
            for t in range(i + 1):
                scores = {j: cos(2 * pi * (t - j) / N) for j in range(1, i + 1)}
                angle, zero = highest(scores | {0: cos(2 * pi * t / N)}), highest(scores | {0: 0.0})
                if t:
                    fails["lookup"] |= highest(scores) != [t]
                    fails["prev"] |= t == i - 1 and highest(scores) != [t]
                    fails["lookup.at-0"] |= angle != [t]
                    fails["lookup.zero"] |= zero != [t]
                    fails["lookup-gap"] |= any(v > cos(2 * pi / N) + 1e-9 for j, v in scores.items() if j != t)
                else:
                    fails["lookup-null.at-0"] |= angle != [0]
                    fails["lookup-null.zero"] |= zero != [0]
    assert {c: found[f"khop.{c}"][1] > 0 for c in claims} == fails
    assert [c for c in claims if fails[c]] == ["lookup.at-0", "lookup-null.at-0", "lookup-null.zero"]


def test_how_far_look_ups_reach():
    """After layer L the sets of distances that can be held; 3 hops aren't among those of layer 3."""
    layers = [{frozenset({0, 1})}]
    for _ in range(4):
        layers.append({held | {t + d for t in held} for held in layers[-1] for d in held})
    farthest = [max(map(max, level)) for level in layers]
    assert farthest == [2**level for level in range(5)]
    missed = [k for k in range(1, 17) if not any(k in held for held in layers[k.bit_length() - 1])]
    found = run(["khop.depth", "khop.depth.one-more", "khop.reach"], n=1, k=1, s=1, **STATED)
    assert missed[0] == 3
    assert missed == [k for k in range(1, 17) if k & (k - 1)]
    assert found["khop.depth"][1] == 1
    assert found["khop.depth.one-more"][1] == found["khop.reach"][1] == 0


def test_cycles():
    found = run("all", "khop_cycles", times=3)
    gadget = lambda u, v: ["*", u, "+", v, u, "+", v, "*", "_"]  # noqa: E731
    graphs = [(1, 2), (1, 3), (2, 3), (4, 5), (4, 6), (5, 6)], [(1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (1, 6)]

    def symbol(order, graph, hops):
        w = [a for r in list(order) * 3 for a in gadget(*graph[r - 1])] + [1]
        i = hop(w, len(w), hops)
        return w[i - 1] if i else 0

    orders = list(permutations(range(1, 7)))
    triangles, hexagon = ([symbol(o, graph, 6) for o in orders] for graph in graphs)
    assert found["khop.cycle"] == (720, 0, None)
    assert (set(triangles), 1 in hexagon) == ({1}, False)
    assert found["khop.cycle-one"] == (720, 720, tuple(range(1, 7)))
    after = [o for o in orders if o.index(1) > o.index(6)]
    for id_, more in (("cycle-steps", 0), ("cycle-steps.base", 1)):
        bad = counted(after, lambda o, more=more: any(symbol(o, graphs[1], 2 * j) != j + more for j in (1, 2)))
        assert found[f"khop.{id_}"] == bad
    assert found["khop.gadget"] == found["khop.edges"] == (1, 0, None)


def test_the_example():
    w = ["_abcdefghijklmnopqrstuvwxyz".index(c) for c in "baebcabebdea"]
    assert [w[hop(w, 12, k) - 1] for k in (1, 2)] == [2, 3]
    assert run(["khop.example"], n=1, k=1, s=1, **STATED)["khop.example"] == (1, 0, None)

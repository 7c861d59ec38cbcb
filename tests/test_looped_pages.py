"""The pages of looped Transformers against plain Python that shares nothing with the package: numbers are whole
multiples of 2^-s, exponentials have 40 digits, groups are tables."""

from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache, reduce
from itertools import permutations, product
from math import ceil, log2
from pathlib import Path

import pytest

from verifier.page import Page

PAGES = Path(__file__).parent.parent / "verifier/pages"


@cache
def page(name):
    return Page.file(PAGES / f"{name}.page")


def run(name, ids, **sizes):
    """{claim: (cases, failing, first failing case)}"""
    found = page(name).run([f"looped.{id_}" for id_ in ids], jobs=1, **sizes).content["claims"]
    return {c["id"].removeprefix("looped."): (c["cases"], c.get("failing", 0), first(c)) for c in found}


def first(claim):
    cases = claim.get("first", {}).get("cases", [])
    return tuple(map(Fraction, cases[0])) if cases else None


def counted(cases, fails):
    cases = list(cases)
    bad = [case for case in cases if fails(case)]
    return len(cases), len(bad), tuple(map(Fraction, bad[0])) if bad else None


class Fixed:
    """Numbers k/2^s with |k| < 4^s."""

    def __init__(self, s):
        self.s, self.top = s, Fraction(4**s - 1, 2**s)
        self.all = [Fraction(k, 2**s) for k in range(1 - 4**s, 4**s)]

    def nearest(self, x):
        """By trying the two neighbours; of two that are as near the one nearer to 0."""
        below = Fraction(x * 2**self.s // 1, 2**self.s)
        near = min((below, below + Fraction(1, 2**self.s)), key=lambda t: (abs(t - x), abs(t)))
        return max(-self.top, min(self.top, near))

    def sum(self, terms):
        return reduce(lambda a, b: self.nearest(a + b), terms, Fraction(0))

    def inner(self, u, v):
        return self.sum(self.nearest(a * b) for a, b in zip(u, v, strict=True))

    def exp(self, x):
        with localcontext(prec=40):
            return self.nearest(Fraction((Decimal(x.numerator) / x.denominator).exp()))


def sign(x, bits):
    return [1 if x >> b & 1 else -1 for b in range(bits)]


def in_turn(u, v):
    return [t for pair in zip(u, v, strict=True) for t in pair]


@pytest.mark.parametrize(("s", "m"), [(1, 1), (2, 2), (3, 3), (4, 4), (1, 3), (2, 4)])
@pytest.mark.parametrize("apart", [0, 1])
@pytest.mark.parametrize("order", [0, 1, 2, 3])
def test_look_ups(s, m, order, apart):
    f = Fixed(s)
    mixed = (lambda u, v: [*u, *v]) if apart else in_turn

    def added(terms):
        if order == 2:
            while len(terms) > 1:
                terms = [f.sum(terms[k : k + 2]) for k in range(0, len(terms), 2)]
            return terms[0]
        return f.nearest(sum(terms)) if order == 3 else f.sum(terms[::-1] if order else terms)

    def wrong(p):
        query, key = mixed(sign(p[0], m), [1] * m), mixed(sign(p[1], m), [-1] * m)
        return f.exp(added([f.nearest(a * f.top * b) for a, b in zip(query, key, strict=True)])) != (p[0] == p[1])

    found = run("looped", ["lookup", "lookup-bits"], s=s, m=m, n=1, d=2, order=order, apart=apart)
    pairs = list(product(range(2**m), repeat=2))
    assert found["lookup-bits"] == counted(pairs, wrong)
    assert found["lookup"] == counted([p for p in pairs if m == s and all(p)], wrong)


@pytest.mark.parametrize(("s", "n"), [(1, 1), (1, 2), (2, 1), (2, 3), (3, 1), (3, 2)])
def test_look_ups_without_ones(s, n):
    f, bits = Fixed(s), n.bit_length()

    def sharp(w):
        for t in range(n + 1):
            e = [f.exp(f.inner([w * b for b in sign(t, bits)], sign(j, bits))) for j in range(n + 1)]
            total = f.sum(e)
            if not total or [f.nearest(x / total) for x in e] != [j == t for j in range(n + 1)]:
                return False
        return True

    found = run("looped", ["lookup-plain", "lookup-sign", "lookup-sign.plus"], s=s, m=1, n=n, d=2, order=0, apart=0)
    assert (found["lookup-plain"][1] == 0) == any(map(sharp, f.all)) == (n == 1)
    assert (found["lookup-sign"][1], found["lookup-sign.plus"][1]) == (1, 0)


@pytest.mark.parametrize(("s", "d"), [(1, 3), (2, 2), (1, 2)])
def test_numbers_argmax_and_gate(s, d):
    f = Fixed(s)
    ids = ["decided", "rounding", "associative", "exp-low", "exp-high", "argmax", "argmax-greatest", "gate"]
    found = run("looped", [*ids, "gate.greatest"], s=s, m=1, n=1, d=d, order=0, apart=0)
    half = Fixed(1)
    associative = counted(product(half.all, repeat=3), lambda z: half.sum(z) != half.sum([z[0], half.sum(z[1:])]))
    assert found["associative"] == associative
    assert all(Fixed(p).exp(-Fixed(p).top) == 0 and Fixed(p).exp(Fixed(p).top) == Fixed(p).top for p in range(1, 7))
    assert len(f.all) == 2 ** (2 * s + 1) - 1
    assert [found[id_][1] for id_ in ("decided", "rounding", "exp-low", "exp-high")] == [0] * 4
    relu = lambda t: max(t, Fraction(0))  # noqa: E731

    def top(x, i, weight):
        gaps = f.sum(relu(f.nearest(t - x[i])) for j, t in enumerate(x) if j != i)
        return f.nearest(weight * relu(f.nearest(Fraction(1, 2**s) - gaps)))

    lists = [x for m in range(2, d + 1) for x in product(f.all, repeat=m)]
    only = [x for x in lists if x.count(max(x)) == 1]
    for id_, weight in (("argmax", 2**s), ("argmax-greatest", f.top)):
        assert found[id_] == counted(
            only, lambda x, weight=weight: any(top(x, i, weight) != (t == max(x)) for i, t in enumerate(x))
        )

    def gate(x, M, weight):
        off = lambda t, M: relu(f.nearest(t - f.nearest(Fraction(weight) * M)))  # noqa: E731
        return f.sum([off(x[0], 1 - M), -off(-x[0], 1 - M), off(x[1], M), -off(-x[1], M)])

    pairs = list(product(f.all, repeat=2))
    for id_, weight in (("gate", 2**s), ("gate.greatest", f.top)):
        wrong = counted(pairs, lambda x, weight=weight: any(gate(x, M, weight) != x[1 - M] for M in (0, 1)))
        assert found[id_] == wrong == (len(pairs), 0, None)


@pytest.mark.parametrize("s", [1, 2, 3, 4])
def test_bits(s):
    ids = ["increment", "increment-highest", "increment-printed", "compare", "compare.highest", "gates", "shift"]
    found = run("looped", ids, s=s, m=1, n=6, d=2, order=0, apart=0)

    def low(x):
        return [x >> b & 1 for b in range(s)]

    def high(x):
        return low(x)[::-1]

    def increments(of, right):
        return all(of(x + 1)[b] == of(x + right)[b] ^ all(of(x + right)[:b]) for x in range(2**s) for b in range(s))

    numbers = range(2**s)
    assert (found["increment"][1] == 0) == increments(low, 0)
    assert (found["increment-highest"][1] == 0) == increments(high, 0) == (s == 1)
    assert (found["increment-printed"][1] == 0) == increments(low, 1)
    assert found["increment"][1] == 0
    assert found["increment-printed"][1] == 1
    # the first place where two numbers differ, among the lowest first, or the highest
    assert (found["compare"][1] == 0) == all((x > y) == (low(x) > low(y)) for x in numbers for y in numbers) == (s == 1)
    assert (found["compare.highest"][1] == 0) == all((x > y) == (high(x) > high(y)) for x in numbers for y in numbers)
    assert [found[id_][1] for id_ in ("compare.highest", "gates", "shift")] == [0, 0, 0]
    f = Fixed(1)
    for n in range(1, 7):
        for a in product((0, 1), repeat=n):
            assert max(f.sum([*(t for x in a for t in (x, -1)), 1]), 0) == min(a)
            assert 1 - max(f.nearest(1 - f.sum(a)), 0) == max(a)


# The group's product.

S3 = list(permutations(range(3)))
GROUPS = {
    **{k: [[(x + y) % k for y in range(k)] for x in range(k)] for k in range(1, 7)},
    7: [[x ^ y for y in range(4)] for x in range(4)],
    8: [[S3.index(tuple(x[y[k]] for k in range(3))) for y in S3] for x in S3],
}


def halved(table, g, both):
    """v_0, ..., v_n before and after each round."""
    n, v = len(g), [0, *g]
    out = [v]
    for _ in range(ceil(log2(n))):
        v = [table[v[max(2 * i - n - 1, 0)]][v[max(2 * i - n - both, 0)]] for i in range(n + 1)]
        out.append(v)
    return out


@pytest.mark.parametrize(("group", "n"), [(2, 6), (3, 4), (8, 3), (1, 3), (4, 3), (5, 3), (6, 3), (7, 3)])
def test_the_algorithm(group, n):
    table = GROUPS[group]
    every = [g for m in range(1, n + 1) for g in product(range(len(table)), repeat=m)]
    whole = lambda v: reduce(lambda x, y: table[x][y], v, 0)  # noqa: E731
    found = run("looped_group", ["keeps", "answer", "rounds"], n=n, group=group, s=1, both=0, bias=0)
    assert found["keeps"] == counted(every, lambda g: any(whole(v) != whole(g) for v in halved(table, g, 0)))
    assert found["answer"] == counted(every, lambda g: halved(table, g, 0)[-1] != [0] * len(g) + [whole(g)])
    assert found["keeps"][1] == found["answer"][1] == 0
    longer = [g for g in every if len(g) > 1]
    assert found["rounds"] == counted(longer, lambda g: halved(table, g, 0)[-2][-1] != whole(g))
    few = [g for g in every if len(g) < 4]
    printed = counted(few, lambda g: halved(table, g, 1)[-1] != [0] * len(g) + [whole(g)])
    assert run("looped_group", ["answer"], n=min(n, 3), group=group, s=1, both=1, bias=0)["answer"] == printed
    assert (printed[1] > 0) == (group > 1)


class Block:
    """The looped block in F_s, as whole vectors."""

    def __init__(self, table, s, bias):
        self.table, self.f, self.bias = table, Fixed(s), bias
        self.c = ceil(log2(len(table)))
        self.code = [sign(x, self.c) for x in range(len(table))]
        self.twos = list(product(range(len(table)), repeat=2))

    def fires(self, got):
        f, out = self.f, []
        for x, y in self.twos:
            t = f.inner([*self.code[x], *self.code[y]], got)
            parts = [t, 1 - 2 * self.c] if self.bias else [t, -2 * self.c, 1]
            out.append(max(f.sum(map(f.nearest, parts)), Fraction(0)))
        return out

    def summed(self, got, old=None):
        fired, f, out = self.fires(got), self.f, []
        for k in range(self.c):
            terms = [f.nearest(t * self.code[self.table[x][y]][k]) for t, (x, y) in zip(fired, self.twos, strict=True)]
            if old is None:
                out.append(f.sum(terms))
            else:
                out.append(f.nearest(old[k] + f.sum([*terms, -max(old[k], 0), max(-old[k], 0)])))
        return out

    def fetched(self, rows, t, bits):
        """What position t holds, by a look-up among these rows."""
        f = self.f
        query = in_turn(sign(t, bits), [1] * bits)
        keys = [[f.top * b for b in in_turn(sign(j, bits), [-1] * bits)] for j in range(len(rows))]
        e = [f.exp(f.inner(query, key)) for key in keys]
        weights = [f.nearest(x / f.sum(e)) for x in e]
        return [f.inner(weights, column) for column in zip(*rows, strict=True)]

    def run(self, g):
        n = len(g)
        bits, rows = n.bit_length(), [self.code[x] for x in (0, *g)]
        for _ in range(ceil(log2(n))):
            got = [
                self.fetched(rows[: i + 1], max(2 * i - n - 1, 0), bits)
                + self.fetched(rows[: i + 1], max(2 * i - n, 0), bits)
                for i in range(n + 1)
            ]
            rows = [self.summed(got[i], rows[i]) for i in range(n + 1)]
        return rows[-1]


@pytest.mark.parametrize("bias", [0, 1])
@pytest.mark.parametrize(
    ("group", "n", "s"),
    [*((2, 3, s) for s in (1, 2, 3)), (3, 3, 2), (3, 2, 1), (3, 2, 3), *((k, 1, s) for k in (4, 5) for s in (1, 2, 3)),
     (8, 1, 1), (8, 2, 2), (8, 2, 3)],
)  # fmt: skip
def test_the_network_in_fixed_precision(group, n, s, bias):
    block, table = Block(GROUPS[group], s, bias), GROUPS[group]
    ids = ["table", "table-rounded", "table-renewed", "network"]
    found = run("looped_group", ids, n=n, group=group, s=s, both=0, bias=bias)
    code = block.code
    rounded = counted(block.twos, lambda z: block.summed([*code[z[0]], *code[z[1]]]) != code[table[z[0]][z[1]]])
    assert found["table-rounded"] == rounded
    assert found["table-renewed"] == counted(
        block.twos,
        lambda z: any(block.summed([*code[z[0]], *code[z[1]]], old) != code[table[z[0]][z[1]]] for old in code),
    )
    every = [g for m in range(1, n + 1) for g in product(range(len(table)), repeat=m)]
    whole = lambda v: reduce(lambda x, y: table[x][y], v, 0)  # noqa: E731
    network = counted(every, lambda g: block.run(g) != code[whole(g)])
    assert found["network"] == network
    assert found["table"][1] == 0
    assert (network[1] == 0) == (n == 1 or s == 3 or (s == 2 and (group == 2 or (group == 3 and not bias))))


def test_positions():
    found = run("looped_group", ["causal", "width", "width.one-more"], n=1, group=1, s=1, both=0, bias=0)
    assert all(max(2 * i - n, 0) <= i for n in range(1, 20) for i in range(n + 1))
    assert [n for n in range(1, 17) if 2 ** ceil(log2(n)) < n + 1] == [1, 2, 4, 8, 16]
    assert {id_: row[1] for id_, row in found.items()} == {"causal": 0, "width": 1, "width.one-more": 0}


def test_loops_for_layers():
    found = run("looped_layers", ["networks", "networks-bias", "head-used", "head-unused"], n=2, L=3)
    relu = lambda t: max(t, 0)  # noqa: E731
    every = list(product(*[(-1, 1), (-1, 0, 1)] * 4))

    def wrong(v):
        nets = [v[:4], v[4:]]
        value = lambda net, x: net[2] * relu(net[0] * x + net[1]) + net[3]  # noqa: E731

        def masked(r, x, at_0):
            return sum(
                net[2] * relu(net[0] * x + net[1] - 100 * ((k != r) + at_0)) + net[3] for k, net in enumerate(nets)
            )

        return any(
            masked(r, x, False) != value(nets[r], x) or masked(r, 0, True) != 0 for r in (0, 1) for x in range(-2, 3)
        )

    assert found["networks"] == counted([v for v in every if v[3] == v[7] == 0], wrong)
    assert found["networks-bias"] == counted(every, wrong)
    heads = list(product((-1, 0, 1), repeat=4))

    def means(h, at_0):
        """With the weight of position 0, whose value is 0."""
        weights = [Fraction(2) ** t for t in h[:2]]
        return sum(w * v for w, v in zip(weights, h[2:], strict=True)) / (sum(weights) + at_0)

    assert found["head-used"] == counted(heads, lambda h: means(h, 1) != means(h, 0))
    assert found["head-unused"] == counted(heads, lambda h: means(h, 0) != 0)
    for L in (1, 3, 5):
        ids = ["layer-index", "layer-index.one", "layer-index.from-0", "layer-index.behind"]
        index = run("looped_layers", ids, n=1, L=L)
        bump = lambda t: relu(t + 1) - 2 * relu(t) + relu(t - 1)  # noqa: E731
        assert all(bump(k - i) == (k == i) for k in range(6) for i in range(6))
        assert [index[id_][1] for id_ in ids] == [1, 0, 0, 1]

"""Pages of the Cookbook, of Dyck and of PARITY, against plain Python that shares nothing with the package: how many
cases a claim has, how many fail, and which is the first. What can be read in several ways is read in each."""

from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from pathlib import Path

import pytest

from verifier.page import Page

F = Fraction
PAGES = Path(__file__).parent.parent / "verifier/pages"


@cache
def page(name):
    return Page.file(PAGES / f"{name}.page")


def run(name, claims="all", **sizes):
    """{claim: (cases, failing, first failing case)}"""
    found = page(name).run(claims, jobs=1, **sizes).content
    return {c["id"]: (c["cases"], c.get("failing", 0), first_of(c)) for c in found["claims"]}


def first_of(claim):
    cases = claim.get("first", {}).get("cases", [])
    return tuple(numbers(cases[0])) if cases else None


def numbers(case):
    return [tuple(map(F, item)) if isinstance(item, list) else F(item) for item in case]


def counted(cases, fails):
    """What `run` says of a claim about these cases."""
    cases = list(cases)
    bad = [case for case in cases if fails(case)]
    return len(cases), len(bad), tuple(map(F, bad[0])) if bad else None


def words(letters, lengths):
    return (word for length in lengths for word in product(letters, repeat=length))


BITS = (0, 1)
HALVES = [F(k, 2) for k in range(-6, 7)]


def relu(t):
    return t if t > 0 else t * 0


# The Cookbook, feed-forward parts.


@pytest.mark.parametrize(("n", "m"), [(2, 1), (3, 2)])
def test_feed_forward_parts(n, m):
    found = run("cookbook_feedforward", n=n, m=m)
    assert {id_ for id_, (_, failing, _) in found.items() if failing} == {
        "cook.identity.V-residual",
        "cook.sum.any-z",
        "cook.lattice.wide",
        "cook.if.D",
        "cook.if.V-reals",
        "cook.if.D-reals",
        "cook.compare.half",
        "cook.compare.zero",
        *(["cook.boolean.D-first"] if m > 1 else []),
    }
    pairs = list(product(range(n + 1), repeat=2))
    equal = counted(pairs, lambda c: c[0] == c[1])
    assert found["cook.compare.half"] == found["cook.compare.zero"] == equal
    lattice = [(F(k, n),) for k in range(-2 * n, 2 * n + 1)]
    assert found["cook.lattice.wide"] == counted(lattice, lambda x: x[0] == F(1, n))
    quarters = list(product(BITS, *[[F(k, 4) for k in range(5)]] * 2))
    reals = list(product(BITS, *[[F(t) for t in (-1, 0, F(1, 2), 1, 2)]] * 2))

    def draft(p, x, y):
        return relu(x - p) + relu(p - 1 + y)

    def extraction(p, x, y):
        return relu(p + x - 1) + relu(y - p)

    for id_, part, cases in (
        ("D", draft, quarters),
        ("D-reals", draft, reals),
        ("V", extraction, quarters),
        ("V-reals", extraction, reals),
    ):
        wrong = counted(cases, lambda c, part=part: part(*c) != (c[1] if c[0] else c[2]))
        assert found[f"cook.if.{id_}"] == wrong
    assert found["cook.sum.any-z"] == counted(product(HALVES, HALVES, BITS), lambda c: c[2] == 1)


def test_a_table_by_the_first_variable_alone():
    """D's index as it is printed: the literal of every variable has the sign of the first."""

    def value(phi, x):
        rows = list(product(BITS, repeat=2))
        return sum(all(t == xi[0] for t in x) for xi, on in zip(rows, phi, strict=True) if on)

    tables = product(BITS, repeat=4)
    wrong = counted(tables, lambda phi: any(value(phi, x) != phi[2 * x[0] + x[1]] for x in product(BITS, repeat=2)))
    assert run("cookbook_feedforward", "cook.boolean", n=2, m=2)["cook.boolean.D-first"] == wrong


# The Cookbook, attention parts.


def tops(scores):
    return [j for j, s in enumerate(scores) if s == max(scores)]


def predecessor(v, tie):
    """A6 (d): token i reads from the tokens of the other parity, so far."""
    out = []
    for i in range(1, len(v) + 1):
        score = [(-1) ** j if i % 2 else -((-1) ** j) for j in range(1, i + 1)]
        best = tops(score)
        chosen = {"right": best[-1:], "left": best[:1], "average": best}[tie]
        out.append(F(sum(v[j] for j in chosen), len(chosen)))
    return [max(o - 0, 0) for o in out]


@pytest.mark.parametrize("n", [1, 4])
def test_predecessors(n):
    found = run("cookbook_attention", "cook.predecessor", n=n)
    every = list(product(BITS, repeat=n))
    keeps_the_first = counted(every, lambda v: v[0] == 1)
    for reading in ("a", "d-right"):
        assert found[f"cook.predecessor.{reading}"] == keeps_the_first
    for reading in ("a-from-2", "b", "c"):
        assert found[f"cook.predecessor.{reading}"] == (2**n, 0, None)
    for tie in ("right", "left", "average"):
        # The choice by F8 is for values in [0, 1], which these are.
        wrong = counted(every, lambda v, tie=tie: predecessor(v, tie)[1:] != list(v[:-1]))
        assert found[f"cook.predecessor.d-{tie}-from-2"] == wrong
    assert [found[f"cook.predecessor.d-{tie}-from-2"][1] > 0 for tie in ("right", "left", "average")] == [
        False,
        n == 4,
        n == 4,
    ]


@pytest.mark.parametrize("n", [4, 5])
def test_ties(n):
    found = run("cookbook_attention", "cook.ties", n=n)

    def fails(s):
        right = tops([F(t, 3) - F(1, j + 2) for j, t in enumerate(s)])
        left = tops([F(t, 3) + F(1, j + 2) for j, t in enumerate(s)])
        return (right, left) != (tops(s)[-1:], tops(s)[:1])

    assert found["cook.ties.D-third"] == counted(product(range(3), repeat=n), fails)
    assert [found[f"cook.ties.{reading}"] for reading in ("right", "left", "D")] == [(3**n, 0, None)] * 3
    assert (found["cook.ties.D-third"][1] > 0) == (n == 5)


@pytest.mark.parametrize("n", [1, 2, 7])
def test_look_ups(n):
    found = run("cookbook_attention", ["cook.onehot", "cook.quadratic", "cook.quadratic-factor", "cook.hash"], n=n)
    one_over_j = counted([(q,) for q in range(1, n + 1)], lambda q: q != (1,))
    assert found.pop("cook.quadratic-factor.key-position") == one_over_j
    assert set(found.values()) == {(n, 0, None)}


# The Cookbook, networks for words.


def test_words():
    found = run("cookbook_words", ["cook.mod", "cook.induction", "cook.dyck1"], n=4, N=4)
    every = list(words(BITS, range(1, 5)))

    def reads_its_half(prefix, first, itself):
        """Is the position a/2 among those that are seen, where a is the number of a's?"""
        a = prefix.count(0)
        positions = range(first, first + len(prefix) + itself)
        return a % 2 == 0 and a // 2 in positions

    for first, itself in product(BITS, BITS):
        name = f"cook.mod.{first}-{'self' if itself else 'strict'}"
        last = counted(every, lambda w, f=first, s=itself: reads_its_half(w, f, s) != (w.count(0) % 2 == 0))
        assert found[f"{name}-last"] == last
        everywhere = counted(
            every,
            lambda w, f=first, s=itself: any(
                reads_its_half(w[:i], f, s) != (w[:i].count(0) % 2 == 0) for i in range(len(w) + 1)
            ),
        )
        assert found[name] == everywhere

    def printed(w):
        """The query is the letter before, the key the current one."""
        out = []
        for i, letter in enumerate(w):
            hits = [j for j in range(i + 1) if i > 0 and w[j] == w[i - 1]]
            out.append(w[hits[-1]] if hits else letter)
        return out

    def wanted(w):
        earlier = [[j for j in range(i) if w[j] == w[i]] for i in range(len(w))]
        return [w[js[-1] + 1] if js else w[i] for i, js in enumerate(earlier)]

    assert found["cook.induction.printed"] == counted(every, lambda w: printed(w) != wanted(w))
    assert found["cook.induction.crossed"] == found["cook.dyck1"] == found["cook.dyck1.bounded"] == (30, 0, None)


def test_soft_and_rate():
    found = run("cookbook_words", ["cook.soft", "cook.rate", "cook.heads"], n=2, N=5)
    assert found["cook.soft"] == (
        2 * 2 * 4,
        0,
        None,
    )  # one of two scores is 0, with two values; the other has four items
    assert found["cook.rate"] == (12, 0, None)
    assert found["cook.heads"] == (81, 0, None)


# The Cookbook, norms.


def test_norms():
    found = run("cookbook_norm", ["cook.amplify", "cook.hash-one", "cook.hash-ratio"], n=2, d=3)
    entries = [F(1, 2), F(1), F(2), F(-1, 2), F(-1), F(-2)]
    columns = list(product(entries, repeat=3))

    def fails(x):
        """Not all (y - mean)/sqrt(variance) are signs, y = +-1/2 by the sign of x."""
        y = [F(1 if t > 0 else -1, 2) for t in x]
        mean = sum(y) / 3
        variance = sum((t - mean) ** 2 for t in y) / 3
        return variance == 0 or any((t - mean) ** 2 != variance for t in y)

    assert found["cook.amplify.all"] == counted(columns, fails) == (216, 216, (F(1, 2),) * 3)
    assert found["cook.amplify.mean-zero"] == counted([x for x in columns if sum(x) == 0], fails)
    assert found["cook.amplify.pairs"] == found["cook.amplify.clipped-mean-zero"] == (0, 0, None)  # none has width 3
    by_size = sorted(range(-2, 3), key=lambda t: (abs(t), t))
    pairs = list(product(by_size, repeat=2))
    assert found["cook.hash-one.LN"] == counted(pairs, lambda c: c[0] == c[1])
    assert found["cook.hash-ratio.negative"] == counted([c for c in pairs if c[1] < 0], bool)
    assert [found[f"cook.{id_}"][1] for id_ in ("hash-one.norm", "hash-one.LN-4", "hash-ratio")] == [0, 0, 0]


# Dyck. A reading is (bos, last, guard, tie, p, type).


def in_dyck(word, depth):
    stack = []
    for t in word:
        if t > 0:
            stack.append(t)
        elif not stack or stack.pop() != -t:
            return False
        if len(stack) > depth:
            return False
    return not stack


def brackets(k):
    return [sign * t for t in range(1, k + 1) for sign in (1, -1)]


def nearest(places, score, rightmost):
    best = max(map(score, places))
    return [j for j in places if score(j) == best][-1 if rightmost else 0]


def accepted(word, depth, bos, last, guard, tie, p, type_):
    types, opens, match = [abs(t) for t in word], [t > 0 for t in word], [0] * len(word)
    if bos:
        types, opens, match = [type_, *types, type_], [True, *opens, False], [bos - 1, *match, bos - 1]
    many = len(types)
    error = [0] * many
    over = max(many if p else len(word), 1)
    place = [F(r + (not bos), over) for r in range(many)]
    for _ in range(depth):
        new_match, new_error = match[:], error[:]
        for i in range(many):
            side = range(i + 1, many) if opens[i] else range(i)
            if not side or (guard and match[i]):
                continue
            sign = -1 if opens[i] else 1
            j = nearest(side, lambda j, s=sign, m=match: s * place[j] - m[j], tie)
            if opens[j] != opens[i]:
                (new_match if types[i] == types[j] else new_error)[i] = 1
        match, error = new_match, new_error
    looked = range(1, many - 1) if last and bos else range(many)
    if not looked:
        return False
    j = nearest(looked, lambda j: error[j] + 1 - match[j], tie)
    return (error[j], match[j]) == (0, 1)


READINGS = ("bos", "last", "guard", "tie", "p", "type")
SOME = [(0, 0, 0, 0, 0, 0), (0, 0, 1, 1, 1, 0), (1, 0, 1, 1, 0, 0), (1, 1, 0, 0, 0, 1), (2, 0, 0, 0, 0, 0)]
SOME += [(2, 0, 1, 0, 0, 0), (2, 0, 1, 1, 0, 1), (2, 1, 1, 1, 1, 0), (1, 0, 0, 1, 0, 0), (1, 0, 0, 0, 1, 1)]


def answers(name, id_, **sizes):
    """(accepted, wrongly accepted, the first, wrongly rejected, the first) of a claim with one `recognises`."""
    claim = page(name).run([id_], jobs=1, **sizes).content["claims"][0]
    (line,) = claim["lines"]
    wrongly = [line["wrongly_accepted"], line["wrongly_rejected"]]
    return line["accepted"], *((w["made"], first_of(w)) for w in wrongly)


def answered(cases, accepts, member):
    cases = list(cases)
    wrongly = [[c for c in cases if accepts(c) == way != member(c)] for way in (True, False)]
    return sum(map(accepts, cases)), *((len(w), tuple(map(F, w[0])) if w else None) for w in wrongly)


@pytest.mark.parametrize(("k", "n", "reading"), [(1, 6, SOME[5]), (2, 4, SOME[2]), (1, 5, SOME[3]), (2, 4, SOME[9])])
def test_what_is_accepted_and_rejected_wrongly(k, n, reading):
    sizes = dict(zip(READINGS, reading, strict=True))
    every = words(brackets(k), range(0 if reading[0] else 1, n + 1))
    wanted = answered(every, lambda w: accepted(w, 2, *reading), lambda w: in_dyck(w, 2))
    assert answers("dyck", "dyck.recognises", k=k, D=2, n=n, **sizes) == wanted


def test_rounds_accept_and_reject_wrongly():
    every = list(words(brackets(1), range(1, 7)))
    for reading in product(BITS, repeat=4):
        sizes = dict(zip(("sign", "active", "guard", "tie"), reading, strict=True))
        wanted = answered(every, lambda w, r=reading: put_out(w, 2, *r), lambda w: in_dyck(w, 2))
        assert answers("dyck_rounds", "dyck.vkD", k=1, D=2, n=6, **sizes) == wanted


@pytest.mark.parametrize(("k", "depth", "n"), [(1, 1, 8), (1, 2, 8), (1, 3, 8), (2, 1, 4), (2, 2, 4), (3, 2, 3)])
def test_the_recipe_read_literally_accepts_the_empty_word_alone(k, depth, n):
    """BOS and EOS unmatched at first, the last layer on all tokens, no guard, a type of their own."""
    for tie, p in product(BITS, BITS):
        sizes = dict(zip(READINGS, (1, 0, 0, tie, p, 0), strict=True))
        many, wrongly, missed = answers("dyck", "dyck.recognises", k=k, D=depth, n=n, **sizes)
        assert (many, wrongly) == (1, (0, None))
        assert missed == (sum(in_dyck(w, depth) for w in words(brackets(k), range(1, n + 1))), (1, -1))


def test_rounds_fail_for_one_type_already():
    sizes = {"sign": 0, "active": 0, "guard": 0, "tie": 0, "k": 1}
    assert answers("dyck_rounds", "dyck.vkD", D=2, n=6, **sizes) == (5, (0, None), (2, (1, 1, -1, -1, 1, -1)))
    at_three = (11, (4, (1, 1, 1, -1, -1, 1, -1)), (14, (1, 1, -1, -1)))
    assert answers("dyck_rounds", "dyck.vkD", D=3, n=9, **sizes) == at_three


def dyck_agrees(k, depth, n, reading):
    sizes = dict(zip(READINGS, reading, strict=True))
    found = run("dyck", ["dyck.recognises"], k=k, D=depth, n=n, **sizes)["dyck.recognises"]
    every = words(brackets(k), range(0 if reading[0] else 1, n + 1))
    return found == counted(every, lambda w: accepted(w, depth, *reading) != in_dyck(w, depth))


@pytest.mark.parametrize("reading", SOME)
def test_dyck_in_some_readings(reading):
    assert dyck_agrees(1, 2, 4, reading)


@pytest.mark.parametrize("guard", [0, 1])
def test_a_matched_bracket_that_is_updated_again_gets_an_error(guard):
    assert dyck_agrees(2, 2, 4, (2, 0, guard, 0, 0, 0))
    assert accepted((1, 2, -2, -1), 2, 2, 0, guard, 0, 0, 0) == (guard == 1)


@pytest.mark.thorough
@pytest.mark.parametrize(("k", "depth", "n"), [(1, 1, 6), (1, 3, 6), (2, 2, 4)])
def test_dyck_in_every_reading(k, depth, n):
    for reading in product(range(3), *[BITS] * 5):
        assert dyck_agrees(k, depth, n, reading), reading


def put_out(word, depth, sign, active, guard, tie):
    many = len(word)
    on = [1] * many
    place = [F(i + 1, many) for i in range(many)]
    for r in range(depth):
        new = on[:]
        for i, own in enumerate(word):
            side = range(i + 1, many) if own > 0 else range(i)
            way = -1 if own > 0 else 1
            j = None
            if side and r == 0:
                j = i - way
            elif side:
                push = -1 if sign else 1
                j = nearest(side, lambda j, w=way, p=push, a=on: w * place[j] + p * (a[j] - 1), tie)
            pair = j is not None and word[j] == -own and (not active or on[j] == 1)
            if not (guard and on[i] == 0):
                new[i] = 0 if pair else 1
        on = new
    return not any(on)


@pytest.mark.parametrize("reading", [(0, 0, 1, 0), (0, 1, 0, 1), (1, 0, 1, 1), (1, 1, 0, 0)])
@pytest.mark.parametrize(("k", "depth", "n"), [(1, 2, 6), (2, 2, 3)])
def test_dyck_by_rounds(k, depth, n, reading):
    sizes = dict(zip(("sign", "active", "guard", "tie"), reading, strict=True))
    every = words(brackets(k), range(1, n + 1))
    wrong = counted(every, lambda w: put_out(w, depth, *reading) != in_dyck(w, depth))
    assert run("dyck_rounds", ["dyck.vkD"], k=k, D=depth, n=n, **sizes)["dyck.vkD"] == wrong


@pytest.mark.parametrize(("own", "right"), list(product(BITS, BITS)))
def test_the_generator(own, right):
    k, depth, n = 2, 2, 3

    def stack_of(word):
        stack = []
        for t in word:
            if t < 0 and (not stack or stack.pop() != -t):
                return None
            if t > 0:
                stack.append(t)
            if len(stack) > depth:
                return None
        return stack

    def offers(word):
        depths = [sum(1 if t > 0 else -1 for t in word[: i + 1]) for i in range(len(word))]
        seen = range(len(word) - 1 + own)
        level = [j for j in seen if word[j] > 0 and depths[j] == depths[-1]]
        closing = {-word[level[-1 if right else 0]]} if level else {0}
        return closing | ({1, 2} if depths[-1] < depth else set())

    def may_follow(word):
        stack = stack_of(word)
        return ({-stack[-1]} if stack else {0}) | ({1, 2} if len(stack) < depth else set())

    prefixes = [w for w in words(brackets(k), range(1, n + 1)) if stack_of(w) is not None]
    wrong = counted(prefixes, lambda w: offers(w) != may_follow(w))
    found = run("dyck_generator", k=k, D=depth, n=n, own=own, right=right)
    assert found["dyck.generate"] == wrong
    assert (wrong[1] == 0) == (own == right == 1)


# Softmax with a rational base: sums of weights, divided.


def softly(x, scores, values):
    weights = [F(x) ** s for s in scores]
    return sum(w * v for w, v in zip(weights, values, strict=True)) / sum(weights)


def parity_out(x, word, dollar):
    symbols = [*word, None] if dollar == 0 else [None, *word]
    many = len(symbols)
    ones = F(sum(s == 1 for s in symbols), many)
    marks = [
        relu(ones - F(i, many) - F(1, many)) - 2 * relu(ones - F(i, many)) + relu(ones - F(i, many) + F(1, many))
        for i in range(many)
    ]
    signs = [(-1) ** i for i in range(many)]
    return softly(x, [-s for s in signs], marks) - softly(x, signs, marks)


@pytest.mark.parametrize(("top", "bottom", "dollar"), [(2, 1, 0), (3, 2, 1), (11, 10, 0), (5, 1, 1)])
def test_parity_by_softmax(top, bottom, dollar):
    x, n = F(top, bottom), 4
    found = run("parity_softmax", top=top, bottom=bottom, n=n, dollar=dollar)
    every = list(words(BITS, range(n + 1)))
    out = {w: parity_out(x, w, dollar) for w in every}
    c = 2 * (x - 1 / x) / (x + 1 / x)
    some = every[1:]

    def bound(w):
        return c / (len(w) + 1) ** 2

    assert found["parity.accepts"] == counted(every, lambda w: (out[w] > 0) != (sum(w) % 2 == 1)) == (31, 0, None)
    assert found["parity.sign"] == counted(some, lambda w: out[w] * (-1) ** sum(w) >= 0)
    assert found["parity.sign.empty"] == (1, 1, ())
    assert found["parity.slack-low"] == counted(some, lambda w: abs(out[w]) < bound(w))
    assert found["parity.slack-high"] == counted(some, lambda w: abs(out[w]) > bound(w))
    assert found["parity.slack-one"] == counted(some, lambda w: abs(out[w]) < F(1, (len(w) + 1) ** 2))
    for id_ in ("indicator", "depends", "closed", "slack-even-N", "decreasing"):
        assert found[f"parity.{id_}"][1] == 0
    assert found["parity.decreasing"][0] == 1
    for id_ in ("first.accepts", "first.sign", "first.slack"):
        assert found[id_] == (30, 0, None)
    assert found["one.accepts"] == found["one.slack"] == (31, 0, None)
    scaled = {w: abs(F(len(w) + 1, 2 * (2 * len(w) + 1))) for w in some}
    assert found["first.scaled"] == counted(some, lambda w: scaled[w] <= F(1, 4))


def palindrome_out(x, word, tail):
    symbols = [None, *word] + [None] * tail
    last = len(symbols) - 1
    low = [int(s == 1 and 2 * i <= last) for i, s in enumerate(symbols)]
    high = [int(s == 1 and 2 * i >= last) for i, s in enumerate(symbols)]
    return softly(x, range(last + 1), low) - softly(x, range(last, -1, -1), high)


@pytest.mark.parametrize(
    ("top", "bottom", "tail"), [(2, 1, 1), (3, 2, 1), (11, 10, 1), (5, 2, 1), (13, 8, 1), (2, 1, 0), (3, 2, 0)]
)
def test_palindromes_by_softmax(top, bottom, tail):
    x, n = F(top, bottom), 5
    found = run("palindrome", top=top, bottom=bottom, n=n, tail=tail)
    every = list(words(BITS, range(n + 1)))
    out = {w: palindrome_out(x, w, tail) for w in every}
    assert found["palin.zero"] == counted(every, lambda w: (out[w] == 0) != (w == w[::-1]))
    assert (found["palin.zero"][1] == 0) == (tail == 1)
    if tail == 1:
        least = [min(abs(out[w]) for w in every if len(w) == k and w != w[::-1]) for k in range(2, n + 1)]
        ends = [x * (x - 1) / (x ** (k + 2) - 1) for k in range(2, n + 1)]
        assert (found["palin.ends"][1] == 0) == (least == ends) == (x >= 2)
        assert least[:2] == ends[:2]  # words of two letters and of three, for every x
        if (top, bottom) == (3, 2):
            assert least[2] == abs(out[1, 0, 1, 0]) == F(24, 665) < ends[2] == F(48, 665)
        assert found["palin.algebraic"] == (63, 0, None)


# Tilings by a B-RASP program.

INSTANCES = {
    1: (1, [(0, 0, 0, 0)], 0),
    2: (1, [(0, 1, 1, 0), (1, 1, 0, 0), (0, 0, 1, 1), (1, 0, 0, 1)], 3),
    4: (1, [(0, 0, 1, 0), (1, 0, 0, 0), (0, 1, 1, 0)], 1),
    5: (2, [(0, 0, 0, 0)], 0),
}


def tilings(instance, cells):
    """Each word of so many cells as (its letters, does it say a solution), by a table of rows."""
    bits, tiles, final = INSTANCES[instance]
    width = 2**bits
    for row in product(product(range(width), range(len(tiles))), repeat=cells):
        letters = [letter for c, t in row for letter in (*((c >> p) % 2 for p in range(bits - 1, -1, -1)), 3 + t, 2)]
        right_order = cells % width == 0 and all(c == r % width for r, (c, _) in enumerate(row))
        yield tuple(letters), right_order and solves([t for _, t in row], width, tiles, final)


def solves(kinds, width, tiles, final):
    table = [[tiles[t] for t in kinds[r : r + width]] for r in range(0, len(kinds), width)]
    return (
        kinds[-1] == final
        and all(tile[3] == 0 for tile in table[0])
        and all(tile[1] == 0 for tile in table[-1])
        and all(row[0][0] == row[-1][2] == 0 for row in table)
        and all(one[2] == other[0] for row in table for one, other in pairwise(row))
        and all(low[1] == high[3] for one, other in pairwise(table) for low, high in zip(one, other, strict=True))
    )


@pytest.mark.parametrize(("instance", "cells"), [(1, 4), (2, 2), (4, 2), (4, 3), (5, 4)])
def test_tilings(instance, cells):
    sizes = {"instance": instance, "cells": cells, "n": 1}
    every = dict(tilings(instance, cells))
    for up, count_ in ((0, 1), (0, 0)):
        wrong = run("succinct", ["succ.language.cells"], count_=count_, up=up, **sizes)["succ.language.cells"]
        # With "and" in (14e) two conditions meet that exclude each other, and nothing is accepted.
        assert wrong == counted(every, lambda w, count_=count_: every[w] and count_ == 0)


def test_the_other_connectives_accept_what_is_no_solution():
    """The tile in the last row must have up = 0; with `or` and `implies` in (16b) the program lets another one pass."""
    for up in (1, 2):
        found = run("succinct", ["succ.language.cells"], instance=4, cells=2, n=1, count_=1, up=up)
        assert found["succ.language.cells"][1] > 0


# n-grams.


@pytest.mark.parametrize(("g", "n"), [(2, 3), (3, 3), (4, 2)])
def test_n_grams(g, n):
    found = run("ngrams", g=g, n=n)
    every = list(words(BITS, range(n + 1)))
    bits = list(product(BITS, repeat=g))

    def heads_are_late(w):
        """Heads 1..g-1 at the last position read the letters before it; in front of them the first."""
        y = [2] * (g - 1) + list(w)
        return [y[max(len(y) - 1 - h, 0)] for h in range(1, g)] != y[-1:-g:-1]

    assert found["ngram.heads"] == counted(every, heads_are_late)

    def read_off(b, sign_of_digits, sign_of_pair):
        """The digits of 0.b_1 b_2 ..., the right ones known; integers, in units of 10^-g."""
        x = sum(10 ** (g - i) * b[i - 1] for i in range(1, g))
        for i in range(1, g):
            z = 10**i * x + sign_of_digits * sum(10 ** (g + i - j) * b[j - 1] for j in range(1, i)) - 10**g + 1
            yield max(z, 0) + sign_of_pair * max(z - 1, 0)

    for id_, signs in (
        ("digit-layer", (-1, -1)),
        ("digit-layer.plus-pair", (-1, 1)),
        ("digit-layer.plus-row", (1, -1)),
    ):
        wrong = counted(bits, lambda b, signs=signs: list(read_off(b, *signs)) != list(b[:-1]))
        assert found[f"ngram.{id_}"] == wrong
    assert found["ngram.digit-layer"][1] == 0
    assert found["ngram.domain"] == counted(
        bits, lambda b: not 0 < sum(Fraction(b[i], 10**i) for i in range(g - 1)) <= 1
    )
    few = sum(2**m for m in range(min(n, g - 2) + 1))  # words so short that a BOS is among the last g - 1 symbols
    assert found["ngram.norm.no-BOS"][1] == few
    holding = ("and", "head", "heads.from-0", "layers-step", "layers", "window", "digits", "interval", "norm", "scale")
    assert [found[f"ngram.{id_}"][1] for id_ in holding] == [0] * len(holding)


# Temporal logic.


def test_since_until_and_the_attended_letter():
    n = 3
    found = run("ltl", n=n)
    every = list(words(range(4), range(1, n + 1)))

    def other_tie(w):
        """The leftmost position before i where f fails or g holds; g there, against the definition by recurrence."""
        f, g = [a >= 2 for a in w], [a % 2 == 1 for a in w]
        since = False
        for i in range(len(w)):
            hits = [j for j in range(i) if g[j] or not f[j]] or list(range(i))
            if (bool(hits) and g[hits[0]]) != since:
                return True
            since = g[i] or (f[i] and since)
        return False

    def attended(case, without, left):
        """Is one of the three letters named wrongly? Scores of 0, 1, 2, then letters, the last of which looks."""
        scores, letters = case[:3], [a % 3 for a in case[3:-1]]
        values = [scores[a] for a in letters]
        best = [i for i, s in enumerate(values) if s == max(values)]
        reads = letters[best[0 if left else -1]] if letters else None

        def named(a):
            def some_before(i):
                return any(s >= scores[a] if left else s > scores[a] for s in values[:i])

            here = [i for i, b in enumerate(letters) if b == a and some_before(i) == without]
            if left:
                return bool(here) and max(values) <= scores[a]
            return any(all(s < scores[a] for s in values[i + 1 :]) for i in here)

        return any(named(a) != (reads == a) for a in range(3))

    scored = list(product(*[(0, 1, 2)] * 3, *[(3, 1, 2)] * n))
    for side, without in product(("right", "left"), (True, False)):
        wrong = counted(scored, lambda c, s=side, w=without: attended(c, w, s == "left"))
        name = f"succ.attended.{side}{'-without' if without else ''}"
        assert found[name][:2] == wrong[:2]
        assert (wrong[1] == 0) == (not without)
    assert found["succ.ltl.other-tie"] == counted(every, other_tie)
    assert [found[f"succ.{id_}"][1] for id_ in ("ltl.since", "ltl.until", "integers", "example", "score")] == [0] * 5


# A page that says something else is found out.


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x[j][3] - x[j][4] over j < i", "x[j][3] + x[j][4] over j < i"),
        ("over j > i", "over j >= i"),
        ("(guard = 0 or x[i][4] = 0)", "x[i][4] = 0"),
        ("+ 1 - x[j][4] over", "over"),
        ("all(t <= D for t in depth)", "all(t < D for t in depth)"),
        ("accepted = accepts(after[D])", "accepted = accepts(after[D-1])"),
    ],
)
def test_another_dyck(old, new, monkeypatch):
    text = (PAGES / "dyck.page").read_text(encoding="utf-8")
    assert old in text
    monkeypatch.setitem(globals(), "page", lambda _: Page(text.replace(old, new)))
    assert not dyck_agrees(2, 2, 4, (0, 0, 0, 0, 0, 0))

"""The pages of decoding against plain Python that shares nothing with the package: vectors of 60 decimal digits, layer
norm and heads as they are told, automata by a loop."""

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path

import pytest

from verifier.page import Page

PAGES = Path(__file__).parent.parent / "verifier/pages"
SAME = Decimal(10) ** -40
HASH, STEPS = (Page.file(PAGES / f"{name}.page") for name in ("steps_hash", "steps"))
TIES = [None, *(Fraction(1, 1000) - Fraction(i, 10**10) for i in range(1, 5))]
TIES += [Fraction(6, 100 * i * (i - 1) * (i - 2) * (i - 3)) for i in range(5, 30)]


@pytest.fixture(autouse=True)
def _sixty_digits():
    with localcontext(prec=60):
        yield


def normed(v):
    mean = sum(v) / len(v)
    centred = [t - mean for t in v]
    length = sum(t * t for t in centred).sqrt()
    return [t / length for t in centred]


def phi(x, y=1):
    x, y = (Decimal(Fraction(t).numerator) / Fraction(t).denominator for t in (x, y))
    return normed([x, y, -x, -y])


def dot(v, w):
    return sum(a * b for a, b in zip(v, w, strict=True))


def near(v, w):
    return all(abs(a - b) < SAME for a, b in zip(v, w, strict=True))


def average(scores):
    """The places of the largest scores."""
    top = max(scores)
    return [j for j, s in enumerate(scores) if top - s < SAME]


def claims(page, ids, **sizes):
    found = page.run(ids, jobs=1, **sizes).content["claims"]
    return {c["id"]: (c["cases"], c.get("failing", 0), case(c.get("first"))) for c in found}


def case(first):
    return tuple(Fraction(t) for t in first["cases"][0]) if first and first["cases"] else None


def counted(cases, fails):
    cases = list(cases)
    bad = [c for c in cases if fails(c)]
    return len(cases), len(bad), tuple(map(Fraction, bad[0])) if bad else None


def walks(longest, steps):
    for length in range(longest):
        for moves in product(steps, repeat=length):
            yield tuple(sum(moves[:k]) for k in range(length + 1))


def sequences(most, longest):
    by = sorted(range(-most, most + 1), key=lambda t: (abs(t), t))
    return [h for length in range(1, longest + 1) for h in product(by, repeat=length)]


def misreads_the_tape(h, n):
    *before, q = h
    keys = [*range(1, n + 1), *before]
    scores = [dot(phi(q), phi(k)) - (0 if j < n else 1) for j, k in enumerate(keys)]
    read = [phi(keys[j]) for j in average(scores)] if keys else [[Decimal(0)] * 4]
    mean = [sum(column) / len(read) for column in zip(*read, strict=True)]
    return near(mean, phi(q)) != (1 <= q <= n)


@pytest.mark.parametrize(("n", "big", "g"), [(0, 2, 2), (1, 3, 3), (2, 4, 2), (3, 5, 2)])
def test_the_tape_is_read_where_it_is(n, big, g):
    found = claims(HASH, ["steps.input", "steps.input.from-0"], n=n, g=g, big=big, last=6)
    every = sequences(big, g)
    assert found["steps.input"] == counted(every, lambda h: misreads_the_tape(h, n))
    some = [h for h in every if min(h) >= 0]
    assert found["steps.input.from-0"] == counted(some, lambda h: misreads_the_tape(h, n))
    assert (found["steps.input.from-0"][1] == 0) == (n > 0)


@pytest.mark.parametrize("n", [1, 2])
def test_the_tape_by_walks(n):
    found = claims(HASH, ["steps.input.walk"], n=n, g=5, big=1, last=6)
    assert found["steps.input.walk"] == counted(walks(5, (1, -1)), lambda h: misreads_the_tape(h, n))


def misses_the_last(h):
    *before, q = h
    firsts = [
        normed([Decimal(f.numerator) / f.denominator, 1, -Decimal(f.numerator) / f.denominator, -1])[0]
        for f in TIES[1:]
    ]
    scores = [dot(phi(q), phi(k)) - firsts[j] for j, k in enumerate(before)]
    (read,) = average(scores)
    last = max((j for j, k in enumerate(before) if k == q), default=None)
    return (before[read] == q) != (last is not None) or (last is not None and read != last)


def assumed(h):
    *before, q = h
    return bool(before) and (q in before or min(before) > q or max(before) < q)


@pytest.mark.parametrize(
    ("id_", "g", "cases"),
    [
        ("walk", 7, list(walks(7, (1, -1)))),
        ("stroll", 5, list(walks(5, (0, 1, -1)))),
        ("repeated", 1, [(a, a, a, a, b, c) for a, b, c in product(range(10), repeat=3)]),
    ],
)
def test_the_last_equal_number_is_read(id_, g, cases):
    id_ = f"steps.right.{id_}"
    found = claims(HASH, [id_], n=1, g=g, big=1, last=7)[id_]
    assert found == counted(filter(assumed, cases), misses_the_last)
    assert (found[1] == 0) == (id_ != "steps.right.repeated")


def test_the_last_equal_number_of_any():
    found = claims(HASH, ["steps.right", "steps.right.narrow", "steps.apart", "steps.mean"], n=1, g=3, big=3, last=6)
    assert found["steps.right"] == counted(filter(assumed, sequences(3, 3)), misses_the_last)
    narrow = [h for h in sequences(3, 3) if all(abs(t) <= j for j, t in enumerate(h, 1))]
    assert found["steps.right.narrow"] == counted(filter(assumed, narrow), misses_the_last)
    assert found["steps.apart"][1] == found["steps.mean"][1] == 0


def test_numbers_of_the_hash():
    found = claims(HASH, "all", n=1, g=2, big=2, last=9)
    failing = {id_ for id_, (_, many, _) in found.items() if many}
    assert failing == {"steps.input", "steps.increasing", "steps.tie-step.at-4", "steps.right.repeated"}
    f = [[Fraction(1, i) for i in range(1, 10)]]
    for _ in range(5):
        f.append([b - a for a, b in zip(f[-1][1:], f[-1], strict=False)])
    assert all(x > y for row in f for x, y in pairwise(row))  # so `increasing` fails, `decreasing` holds
    assert [100 * t for t in TIES[5:10]] == f[3][1:6]


# Decoding


def generated(word, goes, final, literal, sees, many):
    """What is generated after $ and the word: states (0, s), answers (1, bit)."""
    n, tokens = len(word), ["$", *word]
    for _ in range(many):
        i = len(tokens) - 1
        if not isinstance(tokens[i], tuple):
            tokens.append((0, 0))
            continue
        read = [j for j in range(i) if not isinstance(tokens[j], tuple)]

        def key(j):
            return hashed(Fraction(1, j) if j else Fraction(0), literal)

        query = hashed(Fraction(1, i - n), literal)
        scores = [dot(query, key(j)) if j in read else Decimal(0) for j in range(i)]
        (at,) = average(scores)
        here = near(key(at), query) if sees else tokens[at] != "$"
        state = tokens[i][1]
        tokens.append((0, goes[state, tokens[at]]) if here else (1, int(state in final)))
    return tokens[n + 1 :]


def hashed(r, literal):
    v = phi(r)
    return normed([max(t, Decimal(0)) for t in v]) if literal else v


@pytest.mark.parametrize(("literal", "sees"), list(product((0, 1), repeat=2)))
def test_automata_by_decoding(literal, sees):
    n, automata = 2, 64 if literal == 0 and sees == 1 else 12
    wrong = {"states": set(), "answer": set(), "count": set(), "count.with-dollar": set()}
    every = [w for length in range(n + 1) for w in product((1, 2), repeat=length)]
    for word, a in product(every, range(automata)):
        bits = [37 * a >> k & 1 for k in range(6)]
        final, goes = {s for s in (0, 1) if bits[s]}, {(s, c): bits[2 + 2 * s + c - 1] for s in (0, 1) for c in (1, 2)}
        states = [0]
        for c in word:
            states.append(goes[states[-1], c])
        out = generated(word, goes, final, literal, sees, len(word) + 2)
        if out[:-1] != [(0, s) for s in states]:
            wrong["states"].add(word)
        if out[-1] != (1, int(states[-1] in final)):
            wrong["answer"].add(word)
        if out[len(word)][0] == 0:
            wrong["count"].add(word)
        if out[len(word) + 1][0] == 0:
            wrong["count.with-dollar"].add(word)
    found = claims(STEPS, [f"steps.{k}" for k in wrong], n=n, automata=automata, literal=literal, sees=sees)
    for id_, words in wrong.items():
        assert found[f"steps.{id_}"] == counted(every, words.__contains__), id_
    assert wrong["states"] == set()
    assert (wrong["answer"] == set()) == (sees == 1)
    assert wrong["count"] == set(every)


def test_the_selected_vector_loses_its_negative_entries():
    found = claims(
        STEPS,
        ["steps.select", "steps.select.paired", "steps.retrieve", "steps.position"],
        n=3,
        automata=1,
        literal=0,
        sees=1,
    )
    for r in (1, Fraction(1, 2), Fraction(1, 3)):
        v = phi(r)
        assert all(t - 1 <= 0 for t in v)
        assert [max(t, Decimal(0)) == t for t in v] == [True, True, False, False]
    assert [many for _, many, _ in found.values()] == [0, 0, 1, 0, 0]  # in the page's order

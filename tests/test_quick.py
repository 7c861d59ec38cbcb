"""The quick reading of pages: it finds what the slow one finds, on every page, in every block, in any shards."""

import pickle
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import inf
from pathlib import Path

import numpy as np
import pytest
from gmpy2 import mpq
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from around import around
from random_pages import page as page_at_random
from verifier.evaluate.certificate import content
from verifier.evaluate.definition import Reading
from verifier.evaluate.quick import cases as quick_cases
from verifier.evaluate.quick import layers, numbers, shards
from verifier.evaluate.quick import page as quick_page
from verifier.evaluate.quick.page import Quick
from verifier.evaluate.quick.shards import Disagree, finished, merged, run
from verifier.language.page import read
from verifier.language.words import Refused, TooLarge

ROOT = Path(__file__).parent.parent
OURS = ROOT / "verifier/pages"
FEW = 12  # cases, beyond those at a page's sizes to try


def slowly(page, sizes, variant=None, ids=None):
    reading = Reading(page, sizes, variant, steps=inf)
    return content(reading, reading.run(ids or list(page.page.claims)), variant or {})


def quickly(page, sizes, variant=None, ids=None, lanes=5, cuts=()):
    """By the quick reading, in blocks of so many lanes, in shards that end at the cuts."""
    ids = ids or list(page.page.claims)
    ends = [0, *sorted(cuts), None]
    parts = [
        pickle.loads(pickle.dumps(run(Quick(Reading(page, sizes, variant)), ids, start, stop, lanes=lanes)))  # noqa: S301
        for start, stop in pairwise(ends)
    ]
    reading = Reading(page, sizes, variant)
    return content(reading, finished(Quick(reading), merged(parts)), variant or {})


def outcome(reading, *arguments, **more):
    try:
        return reading(*arguments, **more)["claims"]
    except Refused:
        return "refused"


def page_of(claim, *lines):
    text = 'language 1\nsizes n >= 1\n{}\nclaim c, own, "-", {}:\n  "words"\n  {}\n'
    return read(text.format("\n".join(lines), claim[0], "\n  ".join(claim[1:])))


@pytest.mark.thorough
@pytest.mark.parametrize("path", sorted(OURS.glob("*.page")), ids=lambda path: path.stem)
def test_the_readings_agree_on_our_pages(path):
    page = read(path.read_text())
    for sizes in around(page, FEW):
        assert quickly(page, sizes, lanes=8, cuts=(0, 3, 8, 8)) == slowly(page, sizes)


def test_the_readings_agree_where_a_number_is_exchanged():
    page = read((OURS / "yun2020.page").read_text())
    sizes = {"d": 1, "n": 2, "N": 3}
    exchanged = {"lemma10.upper": mpq(7, 3)}
    found = slowly(page, sizes, exchanged, ["lemma10.upper"])
    assert found["claims"][0]["verdict"] == "refuted"
    assert quickly(page, sizes, exchanged, ["lemma10.upper"]) == found


SEEDS = st.integers(0, 10**9)


@settings(max_examples=250, suppress_health_check=list(HealthCheck))
@given(SEEDS, st.integers(1, 3), st.sampled_from([2, 5, 16_384]), st.lists(st.integers(0, 20), max_size=2))
def test_the_readings_agree_on_pages_at_random(seed, n, lanes, cuts):
    try:
        page = read(page_at_random(seed))
    except Refused:
        return
    assert outcome(quickly, page, {"n": n}, lanes=lanes, cuts=cuts) == outcome(slowly, page, {"n": n})


FROM_0 = ("r[k] = k + 5 for k in 0..1", "q[k] = 7 - k for k in 0..1")
ITEMS = {
    "items from index 0 on": ("words of 2 lists t in {r, q}", ["X[1][1] = 6", "X[1][0] + X[2][0] >= 12"]),
    "cases from index 0 on": ("list [r, q]", ["X[1] = 6", "X[0] < 7"]),
    "from 0 or from 1 on": ("list [r, [4, 5], q]", ["X[1] != 5"]),
    "truths": ("words of 3 truths t in {true, false}", ["X[1] recognises X[2] and X[3]", "count(X) <= 2"]),
}


@pytest.mark.parametrize(("space", "lines"), ITEMS.values(), ids=ITEMS)
def test_items_of_each_kind_are_those_of_the_definition(space, lines):
    page = page_of(["on cases", *lines], *FROM_0, f"inputs X in cases: {space}")
    assert quickly(page, {"n": 1}) == slowly(page, {"n": 1})


def test_the_least_slack_of_two_cases_is_that_of_neighbours_among_all():
    """1/4, of the second case, lies between 0 and 5/8, of the first and the third: no relation is made of these two."""
    numbers = "[[0, 9], [1/4, 1/4], [5/8, 12]][X[1]]"
    page = page_of(["on cases", f"across {numbers} as a, a': a' - a >= 1/2"], "inputs X in cases: list [[1], [2], [3]]")
    assert quickly(page, {"n": 1}) == slowly(page, {"n": 1})


@pytest.mark.parametrize(("often", "mean"), [("3, 3, 3", 3), ("-2, -2, -2", -2)])
def test_a_mean_is_nearer_to_0_than_the_sum(often, mean):
    """Of two tokens that tie in each case and a third that ties in one."""
    layer = ["layer l:", "  r = read x[j][1] at max of -x[j][2]", "  x[i] <- [r, 0]", "network g:", "  l"]
    space = f"inputs X in cases: list [[{often}, 0], [{often}, 1]]"
    tokens = "Y = g([[X[1], 0], [X[2], 0], [X[3], X[4]]])"
    page = page_of(["on cases", f"Y[1][1] != {mean}"], space, *layer, tokens)
    assert quickly(page, {"n": 1}) == slowly(page, {"n": 1})
    assert quickly(page, {"n": 1})["claims"][0]["failing"] == 2


# numbers: int64 behind bounds, pairs, Python's integers

WHOLE = st.one_of(st.integers(-5, 5), *(st.integers(-(2**b), 2**b) for b in (31, 32, 61, 62, 63, 64, 93, 124, 126)))
EDGES = [2**62 - 1, 2**62, -(2**62) + 1, -(2**62), 2**63 - 1, -(2**63), 2**31, -(2**31) - 1, 2**61]


def lanes_of(values, den=1):
    found = numbers.Arr(np.array(values, dtype=object), den, 0, 0)
    found.tighten()
    return found


@given(st.lists(st.tuples(WHOLE, WHOLE, WHOLE), min_size=1, max_size=4), st.integers(1, 6), st.integers(1, 2**40))
@example([(x, y, z) for x in EDGES for y in EDGES for z in (0, 1, -(2**124))], 1, 1)
@example([(x, y, z) for x in EDGES[:2] for y in EDGES[2:4] for z in EDGES], 2, 3)
def test_numbers_in_lanes_are_exact(rows, p, q):
    a, b, c = ([Fraction(row[k], den) for row in rows] for k, den in ((0, p), (1, q), (2, p)))
    A, B, C = (lanes_of([row[k] for row in rows], den) for k, den in ((0, p), (1, q), (2, p)))

    def exactly(found, wanted):
        assert [found.at(k) for k in range(len(rows))] == wanted
        assert all(found.lo <= x * found.den <= found.hi for x in wanted)

    product = numbers.mul(A, B)
    exactly(numbers.add(A, B), [x + y for x, y in zip(a, b, strict=True)])
    exactly(product, [x * y for x, y in zip(a, b, strict=True)])
    exactly(numbers.minus(product, C), [x * y - z for x, y, z in zip(a, b, c, strict=True)])
    exactly(
        numbers.add(numbers.mul(product, Fraction(1, 3)), 2**62), [x * y / 3 + 2**62 for x, y in zip(a, b, strict=True)]
    )
    whole, rest = numbers.floor_div(A, Fraction(-7, 3))
    exactly(whole, [x // Fraction(-7, 3) for x in a])
    exactly(rest, [x % Fraction(-7, 3) for x in a])
    for sign, holds in (("<", lambda x, y: x < y), ("=", lambda x, y: x == y), (">=", lambda x, y: x >= y)):
        for left, right, of_left, of_right in (
            (A, C, a, c),
            (product, C, [x * y for x, y in zip(a, b, strict=True)], c),
        ):
            found = numbers.compare(sign, left, right)
            wanted = [holds(x, y) for x, y in zip(of_left, of_right, strict=True)]
            assert np.broadcast_to(found, len(rows)).tolist() == wanted


@pytest.mark.parametrize("k", [3**41, -(2**63), 2**200])
def test_nothing_times_much_is_nothing(k):
    """The bounds of the result allow int64; the factor doesn't fit."""
    found = numbers.mul(lanes_of([0, 0]), k)
    assert [found.at(lane) for lane in (0, 1)] == [0, 0]


@given(st.lists(st.tuples(WHOLE, WHOLE), min_size=1, max_size=4), st.integers(1, 5), st.integers(1, 5))
def test_where_an_affine_number_turns(rows, p, q):
    moving = numbers.UntilTurn(len(rows))
    moving.turn(lanes_of([a for a, _ in rows], p), lanes_of([b for _, b in rows], q))
    for (x, y), until in zip(rows, moving.until.tolist(), strict=True):
        a, b = Fraction(x, p), Fraction(y, q)
        sign = lambda v: (v > 0) - (v < 0)  # noqa: E731
        before = [sign(a + b * t) == sign(a) for t in (1, until - 1) if 0 < t < until]
        assert all(before)
        assert until == numbers.LIMIT or sign(a + b * until) != sign(a)


def test_products_beyond_64_bits():
    """At [k, 0] the left side is (2^41 - k) (2^41 + k) = 2^82 - k^2: as floats all would be the same."""
    page = page_of(
        [
            "on cases",
            "(2^41 - X[1]) * (2^41 + X[1]) >= 2^82 - 9",
            "across (2^41 - X[1]) * (2^41 + X[1]) as a, b: b > a",
        ],
        "inputs X in cases: words of 1 letters t in {0, 1, ..., 3}",
    )
    found = quickly(page, {"n": 1})["claims"]
    assert found == slowly(page, {"n": 1})["claims"]
    slack, apart = (line["least"] for line in found[0]["lines"])
    assert (slack["slack"], slack["ranks"]) == ("0", [3])
    assert (apart["slack"], apart["ranks"]) == ("1", [0, 1])


# what is looked at

LETTERS = "inputs X in cases: words of 3 letters t in {0, 1, ..., 3}"


def test_what_isn_t_looked_at_is_not_refused():
    page = page_of(
        [
            "on cases if X[1] > 0",
            "[5, 7, 9][X[1]] >= 5",
            "if 0 < X[2] < 3: inside = 6 + X[2]",
            "for j in 1..3 if X[j] > 0: [0, 1, 2][X[j]] = X[j] - 1",
            "(X[3] = 0 or [2, 4, 6][X[3]] = 2 * X[1]) iff X[3] = 0 or [1, 2, 3][X[3]] = X[1]",
        ],
        LETTERS,
        "inside = [7, 8][X[2]]",
    )
    found = quickly(page, {"n": 1}, lanes=64)["claims"]
    assert found == slowly(page, {"n": 1})["claims"]
    assert found[0]["verdict"] == "holds"


NETWORK = """layer look:
  x[i] <- [[4, 5, 6][x[i][1]], x[i][1]]
layer add(v):
  x[i] <- x[i] + [v, 0]
network g:
  look
  for v in 0..2:
    add(v)"""


def test_what_is_computed_for_all_lanes_is_refused_only_in_those_that_look_at_it(monkeypatch):
    """An item of a definition, a network's tokens and its states; also where its states are too many to be held."""
    looks = ["on cases", "if X[1] > 0:", "  g([X])[1][1] >= 5", "  len(states(g([X]))) = 4", "if X[2] > 1: some[2] = 2"]
    defined = (LETTERS, "some = [k for k in 1..X[2]]", NETWORK)
    page = page_of(looks, *defined)
    found = slowly(page, {"n": 1})
    assert found["claims"][0]["verdict"] == "holds"
    assert quickly(page, {"n": 1}, lanes=64) == found
    monkeypatch.setattr(layers, "HELD", 30)
    assert quickly(page, {"n": 1}, lanes=64) == found
    assert "index" in refusals(page_of([*looks, "if X[2] > 0: some[2] = 2"], *defined))


def refusals(page):
    """What both readings say when they refuse it."""
    said = []
    for reading in (slowly, quickly):
        with pytest.raises(Refused) as refused:
            reading(page, {"n": 1})
        said.append(str(refused.value))
    assert said[0] == said[1]
    return said[0]


@pytest.mark.parametrize(
    "line", ["[5, 7, 9][X[1]] >= 5", "max(t for t in X if t > 2) = 3", "[X[1]] + [t for t in X if t > 1] = [4]"]
)
def test_what_some_case_comes_to_is_refused_in_the_same_words(line):
    assert "line 6" in refusals(page_of(["on cases", line], LETTERS))


@pytest.mark.parametrize(
    "line", ["for j in 1..10^12: j > 0", "sum(1 for j in 1..X[1]*10^12) >= 0", "sum(1 for j in [0, 1, ..., 10^12]) > 0"]
)
def test_what_would_never_end_is_refused(line):
    with pytest.raises(TooLarge):
        quickly(page_of(["on cases", line], LETTERS), {"n": 1})


def test_definitions_that_rest_on_many_others_are_refused_or_run():
    chain = [f"b{k} = b{k - 1} + X[1]" for k in range(1, 400)]
    page = page_of(["on cases", "b399 = 400 * X[1]"], LETTERS, "b0 = X[1]", *chain)
    assert outcome(quickly, page, {"n": 1}) in ("refused", outcome(slowly, page, {"n": 1}))


# what is counted


def test_the_first_failure_about_no_case_is_that_of_the_first_line():
    page = page_of(["on cases", "once: 1 = 1", "once:", "  1 <= 1", "  2 = 3", "once: 4 = 5"], LETTERS)
    for reading in (slowly, quickly):
        claim = reading(page, {"n": 1})["claims"][0]
        assert (claim["first"]["value"], claim["failing"]) == ("2", 1)


def test_cases_and_pairs_that_fail_are_counted_once():
    page = page_of(
        [
            "on cases",
            "X[1] = 0",
            "X[2] = 0",
            "across X[1] + X[2] as a, b: b > a",
            "across X[2] + X[1] as a, b: b > a + 1",
        ],
        "inputs X in cases: words of 2 letters t in {0, 1}",
    )
    found = quickly(page, {"n": 1}, cuts=(1, 3))["claims"][0]
    assert found == slowly(page, {"n": 1})["claims"][0]
    assert found["failing"] == 3 + 3  # all cases but [0, 0]; [0, 0] and [0, 1], [0, 1] and [1, 0], [1, 0] and [1, 1]


def test_cases_are_counted_by_category():
    first, second = (
        f"category {c}: 32 cases, 32 inputs" for c in ("a of cases if X[1] <= 1", "b of cases if X[1] > 1")
    )
    found = quickly(page_of(["on cases", "0 = 0"], LETTERS, first, second), {"n": 1})["inputs"]["cases"]
    assert found["categories"] == {c: {"cases": 32, "inputs": 32} for c in "ab"}


@pytest.mark.parametrize(("condition", "cases"), [("X[1] > 2", 16), ("X[1] > 0", 48), ("X[1] > 1", 31)])
def test_a_case_in_no_category_or_in_two_or_a_wrong_number_is_refused(condition, cases):
    first = "category a of cases if X[1] <= 1: 32 cases, 32 inputs"
    second = f"category b of cases if {condition}: {cases} cases, {cases} inputs"
    assert refusals(page_of(["on cases", "0 = 0"], LETTERS, first, second))


# what would have been wrong, and is noticed


YUN = read((OURS / "yun2020.page").read_text()), {"d": 1, "n": 2, "N": 6}, None, ["b5.max-min", "lemma6.3", "lemma6.4"]


def wrong(reading):
    """Whether it differs from the definition, or is found out."""
    try:
        return outcome(reading, *YUN) != outcome(slowly, *YUN)
    except (Disagree, ArithmeticError, IndexError, ValueError):
        return True


@pytest.mark.parametrize(
    ("module", "name", "broken"),
    [
        (numbers.UntilTurn, "turn", lambda *_: None),  # no comparison ever turns
        (layers, "mean", lambda values, _: values[0][0]),  # the first value, whatever ties
        (layers, "picked", lambda _, masks: list(masks)),  # everything ties
        (layers, "lowered", lambda e, _: numbers.mul(e, 1) if numbers.known(e) else numbers.add(e, 1)),
    ],
)
def test_a_broken_reading_is_noticed(monkeypatch, module, name, broken):
    assert not wrong(quickly)
    monkeypatch.setattr(module, name, broken)
    assert wrong(quickly)


# What int64 and pairs of them hold: -2^63 to 2^63 - 1, and less than 2^125 (the high part is an int64). Each page has a
# number just beyond, where a bound that lets it in is found out.

TWO = "inputs X in cases: words of 2 letters t in {0, 1}"
TOP, BOTTOM = (lambda lo, hi: lo > -(2**62) and hi <= 2**63), (lambda lo, hi: lo >= -(2**63) - 1 and hi < 2**62)
AT_2_61, AT_2_62 = "(2^61 - 1 + X[1])", "(2^62 - 1 + X[1])"
MANY_LAYERS = (
    "layer one(v):\n  x[i] <- x[i] + (1 if x[i][1] = v else 0) * unit(2, 2)",
    "network g:\n  for v in [0, 1, ..., 2^63]:\n    one(v)",
)
TIES = (
    "inputs X in cases: list [[1 if j <= k else 0 for j in 1..43] for k in 1..43]",  # lcm(1, ..., 43) > 2^63
    "layer mean:\n  m = read j at max of x[j][1]\n  x[i] <- [m]",
    "network g:\n  mean",
)
LIMITS = {
    "a sum": (numbers, "small", TOP, f"{AT_2_62} + {AT_2_62} >= 2^63 iff X[1] = 1", TWO),
    "a sum with a constant": (
        (numbers, "small", BOTTOM, "-2^62 - X[1] - 2^62 <= 0", TWO)
    ),
    "a multiple": (numbers, "small", TOP, f"2 * {AT_2_62} >= 2^63 iff X[1] = 1", TWO),
    "a product": (numbers, "small", TOP, f"{AT_2_62} * (1 + X[2]) >= 0", TWO),
    "a sum of pairs": (numbers, "WIDE", 2**125 + 1, " + ".join([f"{AT_2_61} * (2^61 - 1 + X[2])"] * 8) + " >= 0", TWO),
    "pairs of cases": (shards, "small", TOP, f"across 2 * {AT_2_62} as a, b: b >= a", TWO),
    "a sum over cases": (quick_page, "LIMIT", 2**63 + 5, "once: sum(2^61 + X[1] - X[1] over cases) = 2^63", TWO),
    "a family of layers": (
        (layers, "LIMIT", 2**63 + 1, "g([[2^63 - X[1], 0]])[1][2] = 1", TWO, *MANY_LAYERS)
    ),
    "a number of arrangements": (
        (quick_cases, "LIMIT", 2**66, "weight <= 352716", "inputs X in cases: multisets of 21 letters t in {0, 1}")
    ),
    "a mean over ties": (layers, "LIMIT", 2**64, "2 * g([[a] for a in X])[1][1] = sum(X) + 1", *TIES),
}  # fmt: skip


@pytest.mark.parametrize("what", LIMITS)
def test_a_bound_that_is_just_too_wide_is_noticed(what, monkeypatch):
    module, name, bound, line, *lines = LIMITS[what]
    page = page_of(["on cases", line], *lines)
    assert quickly(page, {"n": 1}, lanes=64) == slowly(page, {"n": 1})
    assert slowly(page, {"n": 1})["verdict"] == "holds"
    monkeypatch.setattr(module, name, bound)
    with pytest.raises((Disagree, OverflowError, TooLarge, AssertionError)):
        assert quickly(page, {"n": 1}, lanes=64) == slowly(page, {"n": 1})


@pytest.mark.parametrize("what", ["slack", "rank", "value", "letters", "first", "letters of the first"])
def test_a_wrong_verdict_is_not_printed(what):
    """The definition sees each case that a verdict names."""
    page = page_of(["on cases", "for k in 1..2: X[1] + X[2] <= 3 + k"], LETTERS)
    quick = Quick(Reading(page, {"n": 1}))
    state = run(quick, ["c"])
    (count,) = state.claims["c"].counts.values()
    slack, relation = count.least
    if what == "slack":
        count.least = (slack + 1, relation)
    elif what == "rank":
        count.least = (slack, replace(relation, ranks=(0,)))
    elif what == "value":
        count.least = (slack, replace(relation, value=relation.value + 1))
    elif what == "letters":
        count.least = (slack, replace(relation, letters={"k": relation.letters["k"] + 1}))
    else:
        first = state.claims["c"].first
        wrong = {"ranks": (0,)} if what == "first" else {"letters": {"k": first.letters["k"] + 1}}
        state.claims["c"].first = replace(first, **wrong)
    with pytest.raises(Disagree):
        finished(quick, state)


def test_a_failure_that_was_missed_is_found_at_the_cases_that_are_looked_at():
    quick = Quick(Reading(page_of(["on cases", "X[1] + X[2] <= 99", "X[1] + X[2] = 0"], LETTERS), {"n": 1}))
    state = run(quick, ["c"])
    state.claims["c"].first, state.claims["c"].failing = None, 0
    with pytest.raises(Disagree, match="the definition finds a failure"):
        finished(quick, state)

"""Many cases at once (verifier/checker/page/zones.py): a certificate has the same bytes as from cases one by one."""

from contextlib import contextmanager
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from random_pages import page
from verifier.checker.core.comparing import OverLimit
from verifier.checker.page import zones
from verifier.checker.page.derive import Limits, derive
from verifier.checker.page.tree import parse
from verifier.checker.page.words import Refused

YUN = (Path(__file__).parents[1] / "verifier/pages/yun2020.page").read_text()


@contextmanager
def from_cases(least, tries=10**9):
    """Groups of so many cases are run by zones, whether it pays or not."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(zones, "LEAST_CASES", least)
        patch.setattr(zones, "PAYS", 1)
        patch.setattr(zones, "TRIES", tries)
        yield


def both(text, sizes, variant=None, ids=None):
    """What comes out one by one, and by zones; a refusal as its words."""

    def found(least):
        with from_cases(least):
            try:
                claims = ids or [claim.id for claim in parse(text).claims]
                return derive(text, sizes, variant or {}, claims, Limits(steps=100_000_000)).decode()
            except (Refused, OverLimit) as error:
                return str(error)

    return found(10**12), found(1)


def ran(monkeypatch):
    """How many zones were run, and whether they said it all."""
    seen = []

    def each(*args):
        seen.append(original(*args))
        return seen[-1]

    original = zones.each
    monkeypatch.setattr(zones, "each", each)
    return seen


# Pages whose relations hold, fail inside a zone, on its border, at one case, everywhere
CLAIM = 'claim a, own, "-", on tokens:\n  "-"\n  '
HEAD = 'language 1\ntitle "t"\nsizes n >= 0\n'
LINES = {
    "all hold": "X[1] + X[2] >= 0",
    "fails inside": "X[1] + 2 * X[2] != 7",
    "fails on one side": "3 * X[1] <= 2 * X[2] + 4",
    "fails at one": "X[1] + X[2] > 0",
    "fails everywhere": "X[1] < 0",
    "slack with ties": "X[1] - X[2] <= 12",
    "absolute": "|2 * X[1] - X[2]| >= 0",
    "a product": "X[1] * X[2] <= 40",
    "modulo": "(X[1] + X[2]) mod 3 < 2",
    "a table": "[5, 4, 3, 2, 1, 0, 9, 8, 7, 6, 5, 4, 3, 2, 1][X[1] + 1] > 0",
    "the least of several": "max(X) - min(X) >= min(X) - 4",
    "different ones": "distinct(X) >= 2",
    "of sorted ones": "sorted(X)[1] <= sorted(X)[2]",
    "guarded": "if X[1] < X[2]: X[2] - X[1] >= 2",
    "neighbours": "within X as a, b: b > a",
    "pairs": "across X[1] + 13 * X[2] as a, b: b > a",
    "pairs of several": "across [X[1], 2 * X[2]] as a, b: b >= a",
    "a weight": "weight <= 2 * distinct(X)",
    "at the end": "once: sum(weight over tokens if X[1] < X[2]) = 55",
    "as many": "once: count(X[1] + X[2] = 9 over tokens) = 3",
    "not whole": "X[1] / 3 + X[2] / 7 >= 1 / 11",
    "undefined somewhere": "if X[1] > 9: [1, 2, 3][X[2]] > 0",
}
SPACES = ("words of 2", "multisets of 2", "sets of 2")


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_zones_say_what_cases_say(space, line):
    text = f"{HEAD}inputs X in tokens: {space} letters t in {{0, 1, ..., 12}}\n{CLAIM}{line}\n"
    one_by_one, by_zones = both(text, {"n": 1})
    assert by_zones == one_by_one
    assert one_by_one.startswith("{") or "the list runs" in one_by_one


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_zones_say_it_of_sets_with_gaps_and_of_three_items(line):
    text = (
        f"{HEAD}inputs X in tokens: multisets of n letters t in {{-9, 0, 1, 2, 3, 4, 9, 11, 13}}\n"
        f"category low of tokens if max(X) < 9: comb(n + 5, n) cases, 6^n inputs\n"
        f"category high of tokens if not max(X) < 9: comb(n + 8, n) - comb(n + 5, n) cases, 9^n - 6^n inputs\n"
        f'claim a, own, "-", on tokens if low:\n  "-"\n  {line}\n'
    )
    one_by_one, by_zones = both(text, {"n": 3})
    assert by_zones == one_by_one
    assert one_by_one.startswith("{") or "the list runs" in one_by_one


FAMILIES = """
layer up(v):
  high = read x[j][1] at max of x[j][1]
  x[i] <- [x[i][1] + (10 * high if v - 1/2 < x[i][1] < v + 1/2 else 0)]
network swept:
  for v in [0, 1, ..., 60]:
    up(v)
Z = swept([[X[j]] for j in 1..n])
Y[0] = [[X[j]] for j in 1..n]
Y[k] = one(k - 1, Y[k-1]) for k in 1..20
level[k] = 3 * k - 1 for k in 0..20
network one(v):
  up(v)
"""
OF_FAMILIES = {
    "after a family": "for j in 1..n: Z[j][1] >= X[j]",
    "fails after it": "for j in 1..n: Z[j][1] != 55",
    "states": "len(states(swept([[X[j]] for j in 1..n]))) <= 4",
    "along": "for k in 1..20: Y[k][1][1] >= 0 iff true",
    "along, failing": "for k in 0..20: Y[k][1][1] <= 44 iff true",
    "along a list": "for k in 0..20:\n    if Y[k][1][1] > level[k]: Y[k][1][1] >= level[k] iff true",
    "outside": "for k in 0..20: Y[k][1][1] + level[k+1] != 1/2",
    "before and after": """for k in 1..20:
    for j in 1..n:
      if k - 3/2 < Y[k-1][j][1] < k - 1/2: Y[k][j][1] = Y[k-1][j][1] + 10 * max(y[1] for y in Y[k-1])""",
}


@pytest.mark.parametrize("line", OF_FAMILIES.values(), ids=OF_FAMILIES)
@pytest.mark.parametrize("space", ["words", "multisets"])
def test_families_and_lists_run_along(space, line):
    text = f"{HEAD}inputs X in tokens: {space} of n letters t in {{0, 1, ..., 9}}\n{FAMILIES}"
    one_by_one, by_zones = both(f"{text}{CLAIM}{line}\n", {"n": 2})
    assert by_zones == one_by_one
    assert one_by_one.startswith("{") or "index 21" in one_by_one


VARIANTS = [
    ((1, 3, 5), {}),
    ((1, 2, 9), {}),
    ((2, 2, 3), {}),
    ((1, 3, 5), {"t_r": Fraction(5**7)}),
    ((1, 3, 5), {"sweep_factor": Fraction(4)}),
    ((1, 2, 9), {"sentinel": Fraction(-3)}),
    ((1, 3, 4), {"global_factor": Fraction(1, 3)}),
]


@pytest.mark.parametrize(("sizes", "variant"), VARIANTS, ids=str)
def test_the_paper_comes_out_the_same(sizes, variant):
    """With what was exchanged, many claims fail, some at single cases."""
    families = ("grid", "b5", "lemma10", "lemma6")
    ids = [claim.id for claim in parse(YUN).claims if claim.id.split(".")[0] in families]
    one_by_one, by_zones = both(YUN, dict(zip("dnN", sizes, strict=True)), variant, ids)
    assert by_zones == one_by_one
    assert one_by_one.startswith("{")


WORDS = "words of 2 letters t in {0, 1, ..., 12}"
REFUSED = {  # what the cases refuse one by one, zones don't accept
    "a letter's second range": (
        ["level[k] = 3 * k for k in 0..20", "f(k) = level[k]"],
        ["for k in 1..15: f(k) != X[1] + 1/2", "for k in 1..30: f(k) != X[1] + 1/2"],
        "index 21",
    ),
    "a truth as a number": (
        ["y[0] = [X[1] < 5]", "y[k] = [2 * y[k-1][1]] for k in 1..20"],
        ["for k in 1..20: y[k][1] != -1"],
        "not a truth",
    ),
    "a number beyond the limit": ([], ["X[1] * 2^19998 >= 0"], "20,000"),
}


@pytest.mark.parametrize(("declared", "lines", "words"), REFUSED.values(), ids=REFUSED)
def test_zones_refuse_what_cases_refuse(declared, lines, words):
    text = "\n".join([f"{HEAD}inputs X in tokens: {WORDS}", *declared, CLAIM + "\n  ".join(lines), ""])
    one_by_one, by_zones = both(text, {"n": 1})
    assert by_zones == one_by_one
    assert words in one_by_one


@pytest.mark.parametrize("relation", ["X[1] != X[2]", "X[1] < X[2] + t", "X[1] < X[2] iff false", "X[1] >= X[2]"])
def test_what_a_guard_hides_of_all_real_numbers_is_said_of_each_case(relation):
    text = f"{HEAD}inputs X in tokens: {WORDS}\n{CLAIM}if X[1] < X[2]:\n    for all t if t > 0: {relation}\n"
    one_by_one, by_zones = both(text, {"n": 1})
    assert by_zones == one_by_one
    assert '"made": 78' in one_by_one


@pytest.mark.parametrize("over", ["X[1] > 3", "X[1] < 4"])
@pytest.mark.parametrize("relation", ["Y[1][1] <= 10", "Y[1][1] >= 2"])
def test_what_a_layer_takes_over_all_cases_is_another_zones(over, relation):
    """The layer is read when a zone comes to it, and counts the cases by zones of its own."""
    text = f"{HEAD}inputs X in tokens: {WORDS}\nc = count({over} over tokens)\nlayer l:\n  x[i] <- [x[i][1] + 0 * c]\n"
    text += f"network g:\n  l\nY = g([[x] for x in X if x >= 0])\n{CLAIM}{relation}\n"
    one_by_one, by_zones = both(text, {"n": 1})
    assert by_zones == one_by_one
    assert '"failing": 26' in one_by_one


def test_an_item_alone_may_be_a_list_of_any_length():
    letters = "{a for a in ([[k] for k in 0..29] if j = 1 else [[1], [1, 2]])} at j"
    text = f"{HEAD}inputs X in tokens: words of 2 letters t in {letters}\n{CLAIM}X[1][1] <= 29 * len(X[2])\n"
    one_by_one, by_zones = both(text, {"n": 1})
    assert by_zones == one_by_one
    assert '"cases": 60' in one_by_one


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 10**9), st.integers(1, 3))
def test_random_pages_come_out_the_same(seed, n):
    one_by_one, by_zones = both(page(seed), {"n": n})
    assert by_zones == one_by_one


def test_zones_are_what_decides_the_paper(monkeypatch):
    """Of the 5,456 multisets and 29,791 matrices at (1, 3, 30) no claim is left to be run one by one."""
    seen = ran(monkeypatch)
    ids = [claim.id for claim in parse(YUN).claims if claim.id.split(".")[0] in ("b5", "lemma10", "lemma6")]
    derive(YUN, {"d": 1, "n": 3, "N": 30}, {}, ids)
    assert len(seen) > len(ids)
    assert all(seen)


# Zones themselves
@st.composite
def bounded(draw):
    n = draw(st.integers(1, 3))
    zone = zones.Zone(
        None, (0,) * n, tuple(tuple(0 if i == j else 4 if i else 0 for j in range(n + 1)) for i in range(n + 1))
    )
    for _ in range(draw(st.integers(0, 4))):
        i, j = draw(st.permutations(range(n + 1)))[:2]
        zone = next(zone.part((i, j, draw(st.integers(-3, 4)))), zone)
    return zone


@given(bounded())
def test_a_zones_points_are_counted_and_lie_between_its_vertices(zone):
    n = len(zone.c) - 1
    held = [
        x
        for x in product(range(5), repeat=n)
        if all((0, *x)[i] - (0, *x)[j] <= zone.c[i][j] for i in range(n + 1) for j in range(n + 1))
    ]
    assert held == [(*x[:-1], x[-1] + k) for x, many in zone.rows() for k in range(many)]
    assert zone.many == len(held)
    assert set(zone.vertices) <= set(held)
    for g in product((-2, -1, 0, 1, 3), repeat=n):  # the least value is a vertex's, and the first point with it is one
        value = lambda x: sum(a * b for a, b in zip(g, x, strict=True))  # noqa: E731, B023
        assert min(held, key=lambda x: (value(x), x)) == min(zone.vertices, key=lambda x: (value(x), x))

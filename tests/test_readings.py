"""All readings of a page - the definition, the quick arrays, the checker, and the proved one where it is built - say
the same, to the byte, or all refuse: wherever a construct meets what readings have differed on, and at random. Some of
what LANGUAGE.md says is held against each of them, too: they may agree on what is wrong."""

import json

import pytest

from random_pages import FAMILY, LAYER, page, page_of, systematic, table
from readings import NO_WORD, REFUSED, TOO_LARGE, differ, readings, smaller, told

PARTS, SEEDS = 20, 200


def agreed(pages):
    """Fails with the first page that is read differently, as small as it goes."""
    found = [(text, sizes) for text, sizes in pages if differ(readings(text, sizes))]
    if found:
        text, sizes = found[0]
        text = smaller(text, sizes)
        pytest.fail(f"{len(found)} pages are read differently; one at {sizes}:\n{text}{told(readings(text, sizes))}")


@pytest.mark.thorough
@pytest.mark.parametrize("part", range(PARTS))
def test_all_readings_agree_wherever_a_construct_meets_a_hole(part):
    agreed((text, {"n": 2}) for text in systematic()[part::PARTS])


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(0, 20 * SEEDS, SEEDS))
def test_all_readings_agree_on_pages_at_random(first):
    agreed((page(seed), {"n": seed % 3 + 1}) for seed in range(first, first + SEEDS))


def test_a_seed_is_a_page():
    assert page(7) == page(7) != page(8)
    assert systematic() == systematic()


# What holds, by LANGUAGE.md, and what is refused: lines of a claim, and layers with what is said of h. l = [5, 6]
# and q = [[0, 1], [1, 0]] begin at 0, q' = [l, l] at -1, v = [7] at 1.
HOLDS = table("""(false and 1) iff false  (true or 1) iff true  (1 if true else [1]) = 1  [3, 4, ..., 1] = []
[[]] != [[1]]  [[]] != [[true]]  sorted([]) = []  [[1, 2]] * [1, 2] = [5]  l[0] = 5  (l if true else w)[0] = 5
[l][1][0] = 5  sorted([l, l])[1][0] = 5  (l + l)[1] = 10  (-l)[2] = -6  (2 * l)[1] = 10  (l / 2)[1] = 5/2
sum([l])[1] = 5  sum(l, l)[2] = 12  (l - l)[2] = 0  sum(k * l for k in 1..2)[1] = 15  (q + q)[1][2] = 2
(2 * q)[2][1] = 2
sum([q])[1][2] = 1  g(q)[0][1] = 1  states(g(q))[0][0][1] = 0  states(g(q))[1][0][1] = 1  all([]) iff true
within [] as a, b: b <= v[2]  within [1] as a, b: b <= a  within [] as a, b: b <= true  count(1 for k in 1..0) = 0
count([]) = 0  any(1 for k in 1..0) iff false  w[1] < -1 iff false  [l, [5, 6]][1] = [l, [5, 6]][2]
(q' + q')[1][1] = 10  (2 * q')[1][1] = 10  sum([q'])[1][1] = 5  distinct(l, [5, 6]) = 1
for k in 1..0: v[2] = 1  if false: v[2] = 1  sum(v[2] for k in e) = 0  comb(3, 10000) = 0""")
REFUSES = table("""[3, 4, ..., 3/2] = []  sum([true]) = 1  sum(true, false) = 1  [1] = [true]  sorted([true]) = [true]
sorted([[true]]) = [[true]]  sum(sum for sum in 1..2) = 3  for all max: max = max  fact(10001) > 1
unit(1, 10001)[1] = 1  (q' + q')[1][0] = 10  (-q')[1][0] = -5  exp_below(1, 10001) > 0
comb(10001, 2) > 1  comb(3, 10001) = 0  [[]] * [] = []  [] * [1] = []  (1/0) * [] = []
([] if v[w[1] + 1] = 7 else []) = []  (l + l)[0] = 10  (-l)[0] = 5  (2 * l)[0] = 10  (l / 2)[0] = 1  sum([l])[0] = 5
sum(l, l)[0] = 1  (l - l)[0] = 0  sum(k * l for k in 1..2)[0] = 15  ([[1, 0], [0, 1]] * l)[0] = 5  sorted(l)[0] = 5
column(l)[0] = [5]  [a for a in l][0] = 5  (q + q)[0][0] = 0  (q + q)[1][0] = 0  sum([q])[1][0] = 0  1 < 2 < true
within [1, 2] as a, b: b <= 5  2 < 1 < 1/0  all(false, v[2] = 7) iff false  w[1]<-1  [[]][v[w[1] + 1]] = []
sum(5) = 5  softmax_below([], [], 4) = 0  distinct([[]], [1]) = 2  g([[]]) = [[]]
g([1, 2]) = []  g([[1], [2, 3]]) = []""")
LAYERS_HOLD = [
    ("r = read 1/0 at max of 0 over false else 0\n  x[i] <- [r]", "h([[1]]) = [[0]]"),
    ("r = read x[j][1] at max of 0 else 1/0\n  x[i] <- [r]", "h([[1]]) = [[1]]"),
    ("r = read x[j][1] at max of 0 else true\n  x[i] <- [r]", "h([[1]]) = [[1]]"),
    ("r = read [x[j], x[j]] at max of 0 over false\n  x[i] <- r", "h([[1]]) = [[0, 0]]"),
    ("r = read x[j] at leftmost max of 0\n  x[i] <- [r[0]]", "h([l, l]) = [[5], [5]]"),
    ("r = read x[j] at max of 0 over false else x[i]\n  x[i] <- [r[0]]", "h([l, l]) = [[5], [5]]"),
    ("r = read x[j] at average max of 0\n  x[i] <- [r[1]]", "h([l, l]) = [[5], [5]]"),
    ("x[i] <- [i, 1]", "h(q) = [[0, 1], [1, 1]]"),
    ("x[i] <- [1]", "h([]) = []"),
    ("x[i] <- [sum(x[1] for x in [[3]])]", "h([[1]]) = [[3]]"),
]
LAYERS_REFUSE = [
    ("r = read 1/0 at max of 0 over false\n  x[i] <- [r]", "h([[1]]) = [[0]]"),
    ("r = read true at max of 0 over false\n  x[i] <- [1]", "h([[1]]) = [[1]]"),
    ("r = read [] at max of v[2]\n  x[i] <- [1]", "h([[1]]) = [[1]]"),
    ("r = read x[j] at max of 0\n  x[i] <- [r[0]]", "h([l, l]) = [[5], [5]]"),
    ("r = read x[j] at max of 0 over false\n  x[i] <- [r[0]]", "h([l, l]) = [[0], [0]]"),
    ("r = read x[j][1] at max of 0 over false else 1/0\n  x[i] <- [1]", "h([[1]]) = [[1]]"),
    ("u = x[i][2]\n  x[i] <- [1]", "h([[1]]) = [[1]]"),
    *(("x[i] <- [1]", f"h({tokens}) = [[1]]") for tokens in ("[[]]", "[[1], [1, 2]]", "[[true]]", "[[[1]]]", "[1]")),
    ("x[i] <- [sum(x[i][1] for i in 1..1)]", "h([[1]]) = [[1]]"),
    ("r = read sum(x[j][1] for j in 1..1) at max of 0\n  x[i] <- [r]", "h([[1]]) = [[1]]"),
]
DECLARED_HOLD = [
    ("layer one(j):\n  r = read x[j][1] at max of 0\n  x[i] <- [r + j]\nnetwork h:\n  one(2)\n", "h([[1]]) = [[3]]"),
    ("y = v[2]", "1 = 1"),
    ("y[-k] = k for k in 0..2", "y[-2] = 2"),
    ("y[k^2] = k for k in 0..1", "y[1] = 1"),
    ("y[2 - k] = k for k in 0..2", "y[0] = 2"),
    ("category even of cases if w[1] <= y: 4 cases, 4 inputs\ny = max(w[1] over cases)", "even iff true"),
]
DECLARED_REFUSE = [
    ("y(t) = 1", "y(1/0) = 1"),
    ("network h(u):\n  add(1)\n", "h(1/0, [[1, 2]]) = [[2, 2]]"),
    (FAMILY.format("x[i] <- [1]", "[1/0]"), "h([[1]]) = [[1]]"),
    ("y[k^2] = k for k in 0..2", "y[1] = 1"),
    *((f"{name} = 3", "1 = 1") for name in ("sum", "weight", "states", "head")),
    ("y(max) = 1", "y(1) = 1"),
    ("category even of cases if len(w) = count(even over cases): 4 cases, 4 inputs", "1 = 1"),
    ("category even of cases if true: 3 cases, 4 inputs", "1 = 1"),
]
ONCE = 'claim a, own, "-", once:\n  "-"\n  {}\n'
TEXTS_REFUSE = [
    page_of("", ["1 = 1"], "list [[0], [0]]"),
    page_of("", ["1 = 1"], "list [l, [5, 6]]"),
    page_of(ONCE.format("once: 1 = 1"), [], guards=[]),
    "```page\n" + page_of("", ["1 = 1"]),
    page_of('claim a, own, "-", once:\n  "-"\n  skipped if true "why"\n', [], guards=[]),
]
PAGES_HOLD = [("", line) for line in HOLDS] + [(LAYER.format(a), b) for a, b in LAYERS_HOLD] + DECLARED_HOLD
PAGES_REFUSE = [("", line) for line in REFUSES] + [(LAYER.format(a), b) for a, b in LAYERS_REFUSE] + DECLARED_REFUSE


@pytest.mark.parametrize(("declarations", "line"), PAGES_HOLD)
def test_what_holds_by_the_language_holds_in_all_readings(declarations, line):
    said = readings(page_of(declarations, [line], guards=["true"]), {"n": 2})
    verdicts = {json.loads(one.what)["verdict"] for one in said.values() if isinstance(one.what, bytes)}
    others = {one.what for one in said.values() if not isinstance(one.what, bytes)}
    assert verdicts <= {"holds", "vacuous"}, told(said)
    assert others <= {NO_WORD}, told(said)


@pytest.mark.parametrize(("declarations", "line"), PAGES_REFUSE)
def test_what_the_language_refuses_is_refused_in_all_readings(declarations, line):
    refused(page_of(declarations, [line], guards=["true"]))


@pytest.mark.parametrize("text", TEXTS_REFUSE)
def test_a_page_that_the_language_refuses_is_refused_in_all_readings(text):
    refused(text)


def refused(text):
    said = readings(text, {"n": 2})
    assert {one.what for one in said.values()} <= {REFUSED, TOO_LARGE, NO_WORD}, told(said)

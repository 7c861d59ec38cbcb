"""Words by states, in the checker: the same bytes as case by case, wherever both can be had; what is counted where only
states can count; that nothing is accepted where the two differ; limits.

Each operation of the reading on letters, and of the frontier, is broken once: some page here notices.
"""

import json
import os
import random
import re
import sys
import tomllib
from fractions import Fraction
from functools import partial
from math import comb
from pathlib import Path
from types import ModuleType

import pytest

import random_pages
import text_mutants
from test_page_checker import beside, named, text_of
from verifier.checker.__main__ import main
from verifier.checker.core.comparing import OverLimit
from verifier.checker.page.derive import Limits, case_by_case, derive
from verifier.checker.page.tree import parse
from verifier.checker.page.words import Refused
from verifier.checker.states.look import Words, by_states
from verifier.language.page import read
from verifier.language.write import write

ROOT = Path(__file__).parent.parent
CERTIFICATES = sorted((ROOT / "proofs/certificates/pages").glob("*.json"))
ALWAYS = partial(by_states, always=True)
STEPS = Limits(steps=30_000_000)
IDS = re.compile(r"^claim (\w[\w.-]*),", re.MULTILINE)


def said(text, sizes, through, ids=None, variant=None):
    """The certificate, or that there is none."""
    try:
        return derive(text, sizes, variant or {}, ids or IDS.findall(text), STEPS, through)
    except Refused:
        return "refused"
    except OverLimit:
        return "over the limit"


def same(text, sizes, ids=None):
    plainly, states = (said(text, sizes, through, ids) for through in (case_by_case, ALWAYS))
    return plainly == states or "over the limit" in (plainly, states)


def marked(path):
    slow = path.stem.startswith(("tree_dfs", "khop_cycles", "looped_group"))
    return pytest.param(path, id=path.stem, marks=pytest.mark.slow if slow else ())


@pytest.mark.parametrize("path", list(map(marked, CERTIFICATES)))
def test_certificates_are_derived_by_states(path):
    whole = json.loads(path.read_text())
    variant = {name: Fraction(value) for name, value in whole.get("variant", {}).items()}
    ids = [one["id"] for one in whole["claims"]]
    assert derive(whole["page"], whole["sizes"], variant, ids, Limits(), ALWAYS) == path.read_bytes()


OF_WORDS = re.compile(r"^inputs .*: words", re.MULTILINE)
OF_REALS = ("families", "reals")  # seconds, for what isn't read on letters


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(*p.values, id=p.id, marks=pytest.mark.slow if p.id.startswith(OF_REALS) else ())
        for p in named("pass") + named("fail")
        if OF_WORDS.search(text_of(p.values[0]))
    ],
)
def test_pages_worked_out_by_hand_say_the_same_by_states(path):
    text = text_of(path)
    for asked in beside(path):
        ids = [one["id"] for one in asked["certificate"]["claims"]] if "certificate" in asked else None
        assert same(text, asked["sizes"], ids)


@pytest.mark.parametrize("first", [0, *(pytest.param(k, marks=pytest.mark.slow) for k in range(100, 4000, 100))])
def test_random_pages_say_the_same_by_states(first):
    assert [k for k in range(first, first + 100) if not same(random_pages.page(k), {"n": k % 3 + 1})] == []


@pytest.mark.parametrize("k", [0, *(pytest.param(k, marks=pytest.mark.slow) for k in range(1, 24))])
def test_pages_of_every_construct_say_the_same_by_states(k):
    pages = list(random_pages.systematic())[k::24]
    assert len(pages) > 250
    assert [text for text in pages if not same(text, {"n": 2})] == []


def mutants(name, many):
    page = text_mutants.page_named(name)
    every = text_mutants.mutants(page)
    for mutant in random.Random(38).sample(every, min(many, len(every))):  # noqa: S311
        as_it_is = read(write(text_mutants.alone(page, mutant.old)))
        text, claim = write(text_mutants.alone(page, mutant.new)), mutant.old.id
        yield mutant.name, text, text_mutants.sizes_of(as_it_is, claim), claim


@pytest.mark.parametrize("name", text_mutants.NAMES)
def test_what_is_changed_in_a_claim_says_the_same_by_states(name):
    assert [what for what, text, sizes, claim in mutants(name, 4) if not same(text, sizes[0], [claim])] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", text_mutants.NAMES)
def test_what_is_changed_in_many_claims_says_the_same_by_states(name):
    every = mutants(name, 20)
    assert [what for what, text, sizes, claim in every if not all(same(text, s, [claim]) for s in sizes)] == []


# More words than anybody runs
def page(*claims, inputs="words of 1..n letters a in {0, 1}", definitions=""):
    """Each claim: its condition, its line."""
    lines = "".join(
        f'claim s.{k}, own, "-", on words{when}:\n  "-"\n  {line}\n' for k, (when, line) in enumerate(claims)
    )
    head = f'language 1\ntitle "states"\nsizes n >= 1\ninputs w in words: {inputs}\nm = len(w)\n'
    return head + definitions + lines


def found(text, n, **more):
    return json.loads(derive(text, {"n": n}, {}, IDS.findall(text), more.get("limits"), by_states))


def test_the_first_of_many_failures_and_their_number():
    text = page(
        ("", "count(a = 1 for a in w) < 30"), (" if m = 64 and w[1] = 1", "w[64] = 0 recognises w[1] = 1 and m > 0")
    )
    every = found(text, 64)
    first, second = every["claims"]
    assert every["inputs"]["words"]["cases"] == 2**65 - 2
    assert first["failing"] == sum(comb(n, k) for n in range(30, 65) for k in range(30, n + 1))
    assert first["first"]["ranks"] == [2**31 - 3]  # the last of those of 30 letters
    assert first["first"]["cases"] == [["1"] * 30]
    least = first["lines"][0]["least"]
    assert (least["slack"], least["value"], least["ranks"]) == ("1", "29", [2**30 - 3])
    assert (second["cases"], second["failing"], second["lines"][0]["accepted"]) == (2**63, 2**62, 2**62)
    assert second["lines"][0]["wrongly_rejected"]["made"] == 2**62
    assert second["lines"][0]["wrongly_rejected"]["first"]["ranks"] == [2**64 - 2 + 2**63 + 1]


def test_parity_of_more_words_than_a_machine_word_counts():
    text = (ROOT / "verifier/pages/parity.page").read_text()
    every = found(text, 24)
    assert every["verdict"] == "holds"
    assert [one["cases"] for one in every["claims"]] == [2**25 - 2] * 4
    assert every["claims"][0]["lines"][0]["made"] == sum((n + 1) * 2**n for n in range(1, 25))


def test_what_is_refused_at_a_length_that_nobody_runs():
    text = page(("", "[1, 2][2 if count(a = 1 for a in w) < 40 else 3] = 2"))
    with pytest.raises(Refused, match="index 3: the list runs from 1 to 2"):
        found(text, 48)
    assert found(text, 39)["verdict"] == "holds"


def test_categories_are_counted_by_states():
    category = "category {} of words if count(a = 1 for a in w) {}: {} cases, {} inputs\n"
    many = "sum(comb(n, k) for k in {})"
    few, rest = many.format("0..9"), many.format("10..n")
    of_n = "words of n letters a in {0, 1}"
    for right, more in ((True, ""), (False, " + 1")):
        both = category.format("few", "< 10", few, few) + category.format("rest", ">= 10", rest, rest + more)
        text = page(("", "w[1] = w[1]"), inputs=of_n, definitions=both)
        if right:
            counts = found(text, 40)["inputs"]["words"]["categories"]
            assert counts["few"]["cases"] == sum(comb(40, k) for k in range(10))
        else:
            with pytest.raises(Refused, match="rest has"):
                found(text, 40)


def test_what_does_not_merge_ends_by_a_limit():
    text = page(("", "all(w[i] = w[m+1-i] for i in 1..m) iff true"))
    with pytest.raises(OverLimit):
        found(text, 60, limits=Limits(steps=3_000_000))
    with pytest.raises(OverLimit, match=r"more than 1,000 cases, and by states: .*states"):
        found(text, 40, limits=Limits(cases=1000))


def test_a_check_says_that_it_was_by_states(tmp_path, capsys):
    text = page(("", "sum(w) <= m"))
    (tmp_path / "c.json").write_bytes(derive(text, {"n": 70}, {}, ["s.0"], None, by_states))
    assert main([str(tmp_path / "c.json")]) == 0
    out = capsys.readouterr().out
    assert "every case, every relation, 2,361,183,241,434,822,606,336 words of words by states and" in out
    forged = (tmp_path / "c.json").read_text().replace('"made": 23', '"made": 24')
    (tmp_path / "d.json").write_text(forged)
    assert main([str(tmp_path / "d.json")]) == 1


# Broken on purpose
OPERATIONS = """
a[i] = 2*w[i] - 1 for i in 1..m
s[0] = 0
s[i] = s[i-1] + a[i] for i in 1..m
ones = count(t = 1 for t in w)
seen = [j for j in 1..m-1 if w[j] = w[m]]
pick(t) = [5, 7, 9, 5, 7, 9, 8][2*t + 1]
layer four_reads:
  first = read x[j][2] at leftmost max of x[j][1] over x[j][1] <= x[i][1] and j != i
  last = read x[j][2] at rightmost max of x[j][1] over j < i else -7
  mean = read x[j][2] at max of x[j][1] over j <= i
  both = read [x[j][1], j] at max of x[j][1] * x[i][1]
  x[i] <- [x[i][1], first, last, mean + both[1] + both[2]]
layer some_kept:
  x[i] <- x[i] if x[i][1] > 0 else [x[i][1], x[i][2], 0, x[i][4]]
network net:
  four_reads
  some_kept
start = [[w[i], i*i, 0, 0] for i in 1..m]
T = net(start)
"""
RELATIONS = """
sum(w[i] * 2^(i-1) for i in 1..m) != 5
sum(w[i] * 2^(i-1) for i in 1..m) <= 6
(3*ones + 1) mod 4 <= 2
s[m] mod 2 = 1 iff ones mod 2 = 1
(s[m] - 1) mod 3 = 1 iff s[m] mod 3 = 2
(2*ones - 3) div 4 >= 0
sum(w) mod (-3) > -2
s[m]^2 <= 4
s[m] * ones >= -1
|s[m]| > 0
max(s) <= 1
min(s) >= -1
len(seen) < 3
distinct(s) > 2
distinct(seen) + 1 > 2
sorted(a)[1] < sorted(a)[m]
s[ones] >= 0
pick(w[1] + w[m]) <= 7
any(s[i] = 2 for i in 1..m) iff s[m] = 2
all(s[i] >= 0 for i in 0..m) iff s[m] = 1
count(s[i] = 0 for i in 1..ones) >= 1
s[m] = 0 iff ones = 2
not (ones = 2 and w[1] = 1) or s[1] = 1 iff true
w[1] = 1 or s[m] > 0 recognises ones >= 2
(ones = 1 iff w[1] = 1) iff s[m] > 0
T[m][2] >= 0
T[m][3] <= 4
T[1][4] + T[m][4] < 9
T[m] = [w[m], -7, m, 3]
len(states(net(start))) = 3
states(net(start))[1][1][2] >= 4
0 <= s[m] < 2
[w[1], s[m]] = [1, 1]
[t for t in w if t = 1] = [1, 1]
[t for t in w if t = 1] != seen
sum(s[i] for i in seen) > -2
(1 if s[m] > 0 else [2, 3, 4, 5, 6, 7][ones + 1]) >= 3
-3 * s[m] > -4
for i in 1..ones: s[i] >= 0
for i in 1..2*ones: i < 7
for i in seen if i > 1: w[i-1] = 1
if s[m] > 0: w[m] = 1
if ones > 0: [3, 4, 5, 6, 7, 8][ones] >= 4
1/(1+m) * s[m] <= 1/3
(s[m] if ones > 1 else 2*s[m]) <= 2
max(ones, s[m]) <= 3
ones * 1/2 - s[m] != 1
if len(seen) > 0: max(seen) = m - 1
sum(w) >= 0
1 > 2
if len(seen) > 0: w[max(seen) + 1] = w[1]
if len(seen) > 0: seen[len(seen)] > 1
2 * ones >= m
(true if w[1] = 1 else ones < 2) iff w[m] = 1
all(i > 1 for i in seen) iff true
any(i > 2 for i in seen) iff true
distinct(w[i] for i in seen) <= 1
distinct(w[i] for i in 1..m if s[i] > 0) < 2
false or ones > 2 or w[1] = w[m] iff true
w[m] = 2
""".strip().split("\n")
REFUSED = """
[1, 2][ones + 1] = 1
max(seen) > 0
seen[1] = 1
w[1] = 1 and [1][ones] = 1 iff true
1/0 = ones
w[1] = 0 or [1, 2, 3][ones] = 1 iff true
sum(i for i in 1..ones/2) >= 0
if w[1] = 1: [1][ones] = 1
for i in 1..[1, 2, 3, 4][ones]: i = i
(1 if w[1] = 1 else max([])) = 1
[t for t in w if 1/t > 0] = []
""".strip().split("\n")

# At the last of 1,024 words alone.
RARELY = """
(late if w[1] = 0 else 1) + late = 2
nine[max(1, ones)] = 1
late = 1
(1 if late = 1 else 2) = 1
w[1] = 1 and late = 1 iff true
f(max(1, ones)) = 1
w[1] = 0 or f(max(1, ones)) = f(max(1, ones)) iff true
max(i for i in 1..9 if w[i+1] != w[i] or sum(w) < 10) > 0
if ones > 9: max(seen + 1) > 0
for i in ones..10 if i = 10: nine[i] = 1
1 <= (2 if ones < 10 else max([])) < 3
sum(nine[i] for i in 10..ones) = 0
if late = 1: ones < 10
min(i for i in 1..10 if w[i] = 0) > 0
h([[w[i]] for i in 1..10])[10][1] >= 0
[1 for i in 1..10 if w[i] = 0][1] = 1
""".strip().split("\n")


def of_rare(relation):
    definitions = """ones = count(t = 1 for t in w)
seen = [i for i in 1..10 if w[i] = 0]
nine = [1, 1, 1, 1, 1, 1, 1, 1, 1]
late = nine[max(1, ones)]
f(t) = nine[t]
layer rare:
  total = read x[j][1] at max of 0
  r = read nine[max(1, 10*total)] at max of x[j][1] over j <= i
  x[i] <- [r]
network h:
  rare
"""
    return page(("", relation), inputs="words of n letters a in {0, 1}", definitions=definitions), 10


def of_operations(relations):
    """Two pages: words of 1..n letters of two values, and words of n letters, of more."""
    claims = [("", relation) for relation in relations]
    yield page(*claims, (" if s[m] > 0", "ones = 3"), definitions=OPERATIONS), 5
    more = "words of n letters a in {0, 1, 3/2}"
    yield (
        page(
            *claims,
            inputs=more,
            definitions=OPERATIONS.replace("ones = count", "twos = count(t > 1 for t in w)\nones = count"),
        ),
        4,
    )


def through(how):
    """By states, and which claims aren't."""

    def go(run, inputs, ledgers, counts):
        words = Words(run, inputs, ledgers, counts, always=True)
        words.all()
        how.update({way.ledger.claim.id: way.why for way in words.ways if way.why})
        return ""

    return go


@pytest.mark.parametrize("k", [0, 1])
def test_each_operation_says_the_same_by_states(k):
    text, n = list(of_operations(RELATIONS))[k]
    how = {}
    assert said(text, {"n": n}, through(how)) == said(text, {"n": n}, case_by_case) != "refused"
    assert how == {}


@pytest.mark.parametrize("relation", REFUSED + RARELY)
def test_what_is_refused_is_refused_by_states(relation):
    """With the same words."""
    for text, n in of_operations([relation]) if relation in REFUSED else [of_rare(relation)]:
        with pytest.raises(Refused) as plainly:
            derive(text, {"n": n}, {}, IDS.findall(text))
        with pytest.raises(Refused) as states:
            derive(text, {"n": n}, {}, IDS.findall(text), None, ALWAYS)
        assert str(states.value) == str(plainly.value)


# Each operation broken: its module, what stands there, what instead
MODULES = ("nodes", "letters", "claims", "frontier", "look")
BROKEN = [
    (one["module"], one["old"], one["new"])
    for one in tomllib.loads((ROOT / "tests/states_mutants.toml").read_text())["broken"]
]


def load(module="", old="", new=""):
    """The modules anew, with one broken."""
    for name in MODULES:
        text = (ROOT / f"verifier/checker/states/{name}.py").read_text()
        if name == module:
            assert text.count(old) >= 1, f"{module} has no {old!r}"
            text = text.replace(old, new, 1)
        made = ModuleType(f"verifier.checker.states.{name}")
        made.__package__ = "verifier.checker.states"
        sys.modules[made.__name__] = made
        exec(compile(text, f"{name}.py", "exec"), made.__dict__)  # noqa: S102
    return sys.modules["verifier.checker.states.look"]


def asked():
    """Pages on which what is broken shows, with what is so."""
    pages = [*of_operations(RELATIONS), *(one for relation in REFUSED for one in of_operations([relation]))]
    pages += [of_rare(relation) for relation in RARELY]
    both = "category few of words if sum(w) < 2: n + 1 cases, n + 1 inputs\n"
    both += "category rest of words if sum(w) >= 2: 2^n - n - 1 cases, 2^n - n - 1 inputs\n"
    pages.append((page(("", "w[1] = 1"), inputs="words of n letters a in {0, 1}", definitions=both), 4))
    pages += [(text_of(path.values[0]), 2) for path in named("pass") if path.id in ("reads", "words", "states")]
    pages += [
        ((ROOT / f"verifier/pages/{name}.page").read_text(), 4) for name in ("addition", "induction", "dyck1", "ltl")
    ]
    for text, n in pages:
        sizes = {"n": n, "k": 3, "D": 2}
        sizes = {name: sizes[name] for name in parse(text).sizes}
        yield text, sizes, said(text, sizes, case_by_case)


def notices(pages, look):
    """Whether another answer is given to one of the pages, or none."""
    ways = []

    class Kept(look.Words):
        def one_by_one(self, group, look):
            ways.append("case by case")
            super().one_by_one(group, look)

    look.Words = Kept
    for text, sizes, right in pages:
        if said(text, sizes, partial(look.by_states, always=True)) != right or any(ways):
            return True
    return False


def in_a_fork(pages, change):
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    try:
        os._exit(7 if notices(pages, load(*change)) else 0)
    except AssertionError:
        os._exit(3)
    except BaseException:  # Differ, or what breaks
        os._exit(8)


@pytest.fixture(scope="module")
def pages():
    return list(asked())


def test_nothing_is_noticed_where_nothing_is_broken(pages):
    assert in_a_fork(pages, ()) == 0


@pytest.mark.thorough
@pytest.mark.parametrize("k", range(8))
def test_each_operation_that_is_broken_is_noticed(pages, k):
    answers = {change: in_a_fork(pages, change) for change in BROKEN[k::8]}
    assert [change for change, code in answers.items() if code not in (7, 8)] == []

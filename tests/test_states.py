"""Words by states: what is counted is what a run word by word counts, to the byte; what is refused is refused in the
same words. Far beyond what can be run word by word, counts are held against formulas."""

import json
import random
import re
from math import comb
from pathlib import Path

import pytest

import text_mutants
from random_pages import page as page_at_random
from random_pages import systematic
from verifier.evaluate.certificate import canonical, content
from verifier.evaluate.definition import Reading
from verifier.evaluate.run import found
from verifier.evaluate.states import claims, diagrams, run, values
from verifier.evaluate.states.diagrams import DontMerge
from verifier.evaluate.values import Disagree
from verifier.language.library import text_of
from verifier.language.page import read
from verifier.language.words import Refused, TooLarge
from verifier.language.write import write

ROOT = Path(__file__).parent.parent
CERTIFICATES = sorted((ROOT / "proofs/certificates/pages").glob("*.json"))
PASS = sorted((ROOT / "tests/pages/pass").glob("*.page"))
LONG = ("reals_shapes", "reals_layers", "reals", "members")  # without words by states, and slow


@pytest.fixture
def both_ways(monkeypatch):
    """both_ways(text, sizes) -> what a run by states says, and one word by word; and which inputs were by states."""
    counted, merged = run.counted, []

    def told(quick, name, chosen, steps):
        state = counted(quick, name, chosen, steps)
        merged.append(name)
        return state

    monkeypatch.setattr(run, "counted", told)

    def said(text, sizes, worth, ids):
        monkeypatch.setattr(run, "WORTH", worth)
        monkeypatch.setattr(run, "A_WORD", 10**9)
        page = read(text)
        try:
            return canonical(found(page, sizes, ids or list(page.page.claims)))
        except Refused as error:
            return type(error).__name__, error.place, error.message

    def both(text, sizes, ids=()):
        del merged[:]
        by_states = said(text, sizes, 0, ids)
        names = list(merged)
        return by_states, said(text, sizes, 10**1000, ids), names

    return both


def same(both_ways, text, sizes, ids=()):
    """The inputs that were run by states, where both say the same."""
    by_states, by_word, names = both_ways(text, sizes, ids)
    assert by_states == by_word, f"at {sizes}:\n{text}"
    return names, by_word


SLOW = (
    "cookbook_words",
    "steps",
    "looped_group",
    "tree_dfs",
    "khop_cycles",
)  # certificates that take a second, or more


# Inputs of certificates that go one by one: a `within` and a ragged list; lists of lengths that the words decide.
ONE_BY_ONE = {
    ("steps_hash", "narrow"),
    ("steps_hash", "sequences"),
    ("khop", "choices"),
    ("khop", "words"),
    ("kgram", "words"),
}


def marked(path):
    return pytest.param(path, id=path.stem, marks=[pytest.mark.slow] if path.stem.startswith(SLOW) else [])


@pytest.mark.parametrize("path", list(map(marked, CERTIFICATES)))
def test_certificates_of_pages_come_out_the_same(path, both_ways):
    said = json.loads(path.read_bytes())
    names, data = same(both_ways, said["page"], said["sizes"], [claim["id"] for claim in said["claims"]])
    words = [name for name, entry in said["inputs"].items() if entry["kind"] == "words"]
    assert set(names) == {name for name in words if (path.stem.partition("-")[0], name) not in ONE_BY_ONE}
    if names and "variant" not in said:
        assert data == path.read_bytes()


@pytest.mark.parametrize("path", [path for path in PASS if path.stem not in LONG], ids=lambda path: path.stem)
def test_pages_of_the_tests_come_out_the_same(path, both_ways):
    text = text_of(path)
    for n in (1, 2, 3):
        same(both_ways, text, {name: max(least, n) for name, least in read(text).page.sizes.items()})


def readable(text):
    try:
        read(text)
    except Refused:
        return False
    return True


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(0, 4000, 100))
def test_pages_at_random_come_out_the_same(first, both_ways):
    by_states = 0
    for seed in range(first, first + 100):
        text = page_at_random(seed)
        if readable(text):
            by_states += bool(same(both_ways, text, {"n": seed % 3 + 1})[0])
    assert by_states > 10


@pytest.mark.thorough
@pytest.mark.parametrize("part", range(50))
def test_every_construct_comes_out_the_same(part, both_ways):
    pages = [text for text in systematic()[part::50] if readable(text)]
    assert sum(bool(same(both_ways, text, {"n": 2})[0]) for text in pages) > len(pages) // 5


WORDS = [n for n in text_mutants.NAMES if n not in ("yun2020", "sums_of_powers", "steps_hash", "recipes", "hu2025")]
SPOTS = re.compile(
    r"(?<![\w.])\d+(?![\w.])| <= | < | >= | > | = | \+ | - | and | or |leftmost|rightmost|max of|min\(|max\("
)
INSTEAD = {" <= ": " < ", " < ": " <= ", " >= ": " > ", " > ": " >= ", " = ": " != ", " + ": " - ", " - ": " + ",
           " and ": " or ", " or ": " and ", "leftmost": "rightmost", "rightmost": "leftmost", "max of":
           "leftmost max of", "min(": "max(", "max(": "min("}  # fmt: skip


def mutant(draw):
    """A page of this package with one thing changed, in a claim or anywhere."""
    name = draw.choice(WORDS)
    page = text_mutants.page_named(name)
    claim = draw.choice(list(page.claims.values()))
    sizes = draw.choice(text_mutants.sizes_of(read(write(text_mutants.alone(page, claim))), claim.id))
    text = write(text_mutants.alone(page, draw.choice(list(text_mutants.claims(claim, set(page.sizes))))))
    if draw.random() < 0.6:
        spots = [spot for spot in SPOTS.finditer(text) if spot.start() > text.find("inputs")]
        spot = draw.choice(spots)
        other = INSTEAD.get(spot.group()) or str(int(spot.group()) + draw.choice((-1, 1)))
        text = text[: spot.start()] + other + text[spot.end() :]
    return text, sizes


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(30))
def test_mutants_come_out_the_same_also_where_they_are_refuted(seed, both_ways):
    draw, refuted, by_states = random.Random(seed), 0, 0  # noqa: S311
    for text, sizes in (mutant(draw) for _ in range(15)):
        if readable(text):
            names, data = same(both_ways, text, sizes)
            by_states += bool(names)
            refuted += bool(names) and isinstance(data, bytes) and b'"first"' in data
    assert by_states > 2
    assert refuted > 0


COUNTS = """language 1
sizes n >= 1
inputs w in words: words of n letters a in {0, 1, 2}
category some of words if w[1] = 0: 3^(n-1) cases, 3^(n-1) inputs
category others of words if w[1] > 0: 2*3^(n-1) cases, 2*3^(n-1) inputs
ones = count(a = 1 for a in w)
last = max([j for j in 1..n if w[j] = 0]) if any(a = 0 for a in w) else 0
claim ones, own, "-", on words:
  "-"
  ones <= n - 3
  ones - last > -n
claim odd, own, "-", on words if some:
  "-"
  w[n] = 2 recognises ones mod 2 = 1
claim never, own, "-", on words if ones > n:
  "-"
  1/0 = 1
"""


def test_what_the_definition_counts(both_ways):
    page = read(COUNTS)
    for n in range(1, 6):
        slow = Reading(page, {"n": n})
        said, _, names = both_ways(COUNTS, {"n": n})
        assert names == ["words"]
        assert said == canonical(content(slow, slow.run(list(page.page.claims)), {}))


def test_counts_and_first_words_far_beyond_what_is_run_word_by_word():
    n = 50
    claims_ = {entry["id"]: entry for entry in found(read(COUNTS), {"n": n}, ["ones", "odd"])["claims"]}
    ones = claims_["ones"]
    many = sum(comb(n, k) * 2 ** (n - k) for k in (n - 2, n - 1, n))  # words of at least n - 2 ones
    no_ones = 2 ** (n - 1)  # that end in 0 (ones - last = -n): of these letters 0 and 2, and no 1
    assert ones["cases"] == 3**n
    assert ones["failing"] == many + no_ones
    assert ones["first"]["cases"] == [["0"] * n]
    assert ones["first"]["ranks"] == [0]
    assert ones["lines"][0]["least"]["slack"] == "0"
    assert ones["lines"][0]["least"]["cases"] == [["0", "0", "0"] + ["1"] * (n - 3)]
    assert claims_["odd"]["cases"] == 3 ** (n - 1)
    assert claims_["odd"]["lines"][0]["accepted"] == 3 ** (n - 2)


DEEP = """language 1
sizes n >= 1
inputs w in words: words of 0..n letters a in {0, 1}
m = len(w)
ones = count(a = 1 for a in w)
L = [k for k in 1..40]
claim small, own, "-", on words:
  "-"
  ones = m iff not any(a = 0 for a in w)
  LINE
"""


def test_a_word_of_41_letters_that_is_refused_alone():
    text = DEEP.replace("LINE", "if m > 0 and ones = m: L[ones] = m")
    assert found(read(text), {"n": 40}, ["small"])["verdict"] == "holds"
    with pytest.raises(Refused, match=rf"index 41: the list runs from 1 to 40; met by small at the case {'1' * 41}$"):
        found(read(text), {"n": 60}, ["small"])


def test_a_word_of_41_letters_that_fails_alone():
    text = DEEP.replace("LINE", "(ones < 41 or m > 41) iff true")
    entry = found(read(text), {"n": 45}, ["small"])["claims"][0]
    assert entry["failing"] == 1
    assert entry["first"]["cases"] == [["1"] * 41]
    assert entry["first"]["ranks"] == [2**42 - 2]  # 2^41 - 1 shorter words, the last of its length
    assert entry["cases"] == 2**46 - 1


def test_too_many_words_that_dont_merge_are_refused_with_the_reason(monkeypatch):
    text = DEEP.replace("LINE", "within [ones, m] as a, b: b >= a")
    message = r"words has 2,199,023,255,551 cases of 0 to 40 items; the limit is 4,000,000: .*; and by states"
    with pytest.raises(TooLarge, match=f"{message} they aren't run: a claim says 'within'"):
        found(read(text), {"n": 40}, ["small"])
    monkeypatch.setattr(diagrams, "NODES", 10_000)
    text = DEEP.replace("LINE", "sum(w[k] * k^k for k in 1..m) >= 0")
    with pytest.raises(TooLarge, match=f"{message} they aren't run: the words don't merge"):
        found(read(text), {"n": 40}, ["small"])


def test_small_runs_and_runs_that_dont_merge_are_word_by_word(monkeypatch):
    tried = []
    counted = run.counted

    def told(quick, name, chosen, steps):
        try:
            return counted(quick, name, chosen, steps)
        except DontMerge as error:
            tried.append(str(error))
            raise

    monkeypatch.setattr(run, "counted", told)
    text = DEEP.replace("LINE", "sum(w[k] * k^k for k in 1..m) >= 0")
    for n in (3, 15):
        assert found(read(text), {"n": n}, ["small"])["verdict"] == "holds"
    assert tried == ["the words don't merge"]


# each of these, wrong, is seen


def broken(monkeypatch, module, name, wrong):
    monkeypatch.setattr(module, name, wrong(getattr(module, name)))


BROKEN = {
    "a count": (claims, "many_of", lambda right: lambda *asked: (right(*asked)[0] + 1, right(*asked)[1])),
    "a first word": (claims, "many_of", lambda right: lambda *asked: (right(*asked)[0], 1)),
    "or": (values, "either", lambda right: lambda a, _: right(a, a)),
    "and": (values, "both", lambda _: lambda a, _: a),
    "+": (values, "add", lambda right: lambda a, b: right(a, b) + 1),
    "a comparison": (values, "SIGNS", lambda right: {**right, ">": right[">="], "<=": right["<"]}),
    "a choice": (diagrams.Diagrams, "chosen", lambda right: lambda self, c, x, y: right(self, c, y, x)),
    "a letter": (diagrams.Diagrams, "after", lambda right: lambda self, edge, _: right(self, edge, 0)),
}  # fmt: skip


@pytest.mark.parametrize("what", BROKEN)
def test_what_is_broken_is_seen(what, both_ways, monkeypatch):
    module, name, wrong = BROKEN[what]
    right = {n: both_ways(COUNTS, {"n": n})[1] for n in (2, 4)}
    broken(monkeypatch, module, name, wrong)
    if name in ("both", "either"):
        monkeypatch.setattr(claims, name, getattr(values, name))
    for n, expected in right.items():
        try:
            if both_ways(COUNTS, {"n": n})[0] != expected:
                return
        except (Disagree, AssertionError, RecursionError, LookupError, ValueError):
            return
    pytest.fail(f"{what} is wrong, and nothing says so")


def test_a_named_word_is_run_by_the_definition(both_ways, monkeypatch):
    least = claims.Relations.least
    monkeypatch.setattr(claims.Relations, "least", lambda *args: (least(*args)[0] + 1, least(*args)[1]))
    with pytest.raises(Disagree, match=r"the slack .* by states, isn't the definition's"):
        both_ways(COUNTS, {"n": 4})


def test_a_drawn_word_is_run_by_the_definition(both_ways, monkeypatch):
    at_word = run.at_word
    monkeypatch.setattr(run, "at_word", lambda shared, v, word: not at_word(shared, v, word))
    with pytest.raises(Disagree, match="by states, isn't the definition's"):
        both_ways(COUNTS, {"n": 4})

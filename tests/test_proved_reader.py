"""The reader that is proved in Coq, as a program (`make reader`): it reads texts as we do, finds what we find, and
`verify check --proved` says so, or what it doesn't cover. Where it isn't built, all but a few tests are skipped."""

import copy
import json
import re
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from cli import main
from verifier import proved
from verifier.evaluate.run import found
from verifier.language.builtins import BUILTINS, TAKEN
from verifier.language.library import packaged
from verifier.language.page import read
from verifier.language.write import write

ROOT = Path(__file__).parent.parent
PASS = ROOT / "tests/pages/pass"
PROGRAM = ROOT / "proofs/coq/reader/program"
CERTIFICATES = ROOT / "proofs/certificates/pages"
LEFT_OUT = "for all, every real|what is counted of|_below, a bound"
QUICK = ["addition-4", "cookbook_norm-2-3", "ngrams-2-3", "palindrome-4", "recipes-3-4", "sums_of_powers-3-3-4"]


def is_built():
    try:
        return bool(proved.program())
    except proved.NotBuilt:
        return False


built = pytest.mark.skipif(not is_built(), reason="the reader that is proved isn't built here: make reader")


def certificate(text, sizes, ids=None):
    text = packaged(text)
    understood = read(text)
    ids = list(understood.page.claims) if ids is None else ids
    return json.loads(json.dumps({"page": text, "sizes": sizes} | found(understood, sizes, ids), default=str))


def difference(text, sizes, ids=None):
    """Where our certificate of these claims and the proved reader differ; what it has no room or word for."""
    ours = certificate(text, sizes, ids)
    return proved.compared(ours, proved.answer(ours["page"], sizes, [claim["id"] for claim in ours["claims"]]))


@built
@pytest.mark.parametrize("path", sorted(PASS.glob("*.page")), ids=lambda path: path.stem)
def test_it_finds_what_our_readings_find(path):
    if path.stem.startswith("reals_"):
        pytest.skip("every claim of it is about all real numbers")
    for entry in json.loads(path.with_suffix(".json").read_text()):
        wrong, large, left = difference(path.read_text(), entry["sizes"])
        assert wrong == []
        assert bool(large) == (path.stem == "families")
        assert [why for why in left if not re.search(LEFT_OUT, why)] == []


@built
@pytest.mark.parametrize("name", QUICK)
def test_it_finds_what_the_committed_certificates_say(name):
    said, code = proved.check(json.loads((CERTIFICATES / f"{name}.json").read_text()))
    assert code in (0, 5), said
    assert said.startswith("the proved reader finds the same verdicts")


@built
@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(CERTIFICATES.glob("*.json")), ids=lambda path: path.stem)
def test_it_finds_what_every_committed_certificate_says(path):
    said, code = proved.check(json.loads(path.read_text()))
    assert code in (0, 4, 5), said


def leaves(value, path=()):
    """The places of a certificate's numbers, words and truths."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list):
        for k, inner in enumerate(value):
            yield from leaves(inner, (*path, k))
    else:
        yield path


def changed(value, path):
    """The certificate with what stands at this place changed."""
    value = copy.deepcopy(value)
    at = value
    for key in path[:-1]:
        at = at[key]
    old = at[path[-1]]
    others = {"holds": "refuted", "refuted": "holds", "vacuous": "holds", "skipped": "holds"}
    at[path[-1]] = not old if isinstance(old, bool) else old + 1 if isinstance(old, int) else others.get(old, f"{old}1")
    return value


# What follows from the rest, and the layers' forms; of a claim: what a `recognises` counts.
NOT_COMPARED = re.compile(r"^layers\.|^verdict$|^format$|^page$|^sizes\.|^inputs\.\w+\.kind$|\.id$|wrongly|accepted")


@built
@pytest.mark.parametrize(
    ("page", "sizes"),
    [
        ((ROOT / "verifier/pages/sums_of_powers.page").read_text(), {"n": 2, "N": 3, "base": 2}),
        ((ROOT / "verifier/pages/palindrome.page").read_text(), {"n": 2, "top": 2, "bottom": 1, "tail": 0}),
        ((ROOT / "verifier/pages/ngrams.page").read_text(), {"g": 2, "n": 2}),
        ((ROOT / "verifier/pages/yun2020.page").read_text(), {"d": 1, "n": 2, "N": 2}),
        ((PASS / "claims.page").read_text(), {"n": 2}),
    ],
    ids=["sums", "palindrome", "ngrams", "yun2020", "claims"],
)
def test_a_certificate_with_one_field_changed_is_rejected(page, sizes):
    ids = None if "yun2020" not in page and "Yun" not in page else ["lemma6.1", "lemma6.3", "lemma6.4", "b5.max-min"]
    ours = certificate(page, sizes, ids)
    answer = proved.answer(ours["page"], sizes, [claim["id"] for claim in ours["claims"]])
    assert proved.compared(ours, copy.deepcopy(answer))[0] == []
    tried = 0
    for path in leaves(ours):
        if NOT_COMPARED.search(".".join(map(str, path))):
            continue
        wrong, _, left = proved.compared(changed(ours, path), copy.deepcopy(answer))
        claim = ours["claims"][path[1]]["id"] if path[0] == "claims" else ""
        assert wrong or any(why.startswith(claim) for why in left if claim), path
        tried += 1
    assert tried > 10


PAIRS = """language 1
sizes n >= 1
inputs w in words: words of n letters a in {0, 1}
total = sum(w[i] * 2^i for i in 1..len(w))
claim c.apart, own, "-", on words:
  "Words of different numbers are 3 apart (they aren't)."
  for i in 1..len(w): total <= 4 + i
  across total as low, high: high - low >= 3
"""


@built
@pytest.mark.parametrize("at", ["first", "least"])
@pytest.mark.parametrize(
    ("key", "other"),
    [
        ("ranks", [2]),
        ("cases", [["0", "1"]]),
        ("letters", {"i": "3"}),
        ("line", 9),
        ("value", "5"),
        ("bound", "4"),
        ("column", 4),
    ],
)
def test_a_certificate_that_names_another_case_or_side_is_refused(at, key, other):
    """The first failure is of two cases, the least slack of one."""
    honest = certificate(PAIRS, {"n": 2})
    (claim,) = honest["claims"]
    place = claim["first"] if at == "first" else claim["lines"][0]["least"]
    if key in ("line", "column") and at == "least":
        place = claim["lines"][0]
    assert proved.check(honest)[1] == 0
    assert place[key] != other
    place[key] = other
    said, code = proved.check(honest)
    assert (code, "the proved reader REJECTS it: " in said) == (1, True)
    assert ("where its slack is least" in said or "its line" in said or "its column" in said) == (at == "least")


@built
def test_numbers_that_are_equal_stand_by_rank():
    """Of 1, 1, 1 and 3/2, 3/2, 3/2 the neighbours are the last case of the first three and the first of the others."""
    honest = certificate(EQUAL, {"n": 2})
    least = honest["claims"][0]["lines"][0]["least"]
    assert (least["slack"], least["ranks"]) == ("1/2", [1, 3])
    assert proved.check(honest)[1] == 0


EQUAL = """language 1
sizes n >= 1
inputs X in cases: words of 1..n letters t in {j, j + 1/2} at j
claim c.apart, own, "-", on cases:
  "No two words begin alike (they do)."
  across X[1] as a, b: b > a
"""


@built
def test_of_two_cases_that_are_as_near_the_first_pair_is_wanted():
    honest = certificate(PAIRS.replace(">= 3", ">= 1"), {"n": 2})
    assert proved.check(honest)[1] == 0
    least = honest["claims"][0]["lines"][1]["least"]
    assert (least["slack"], least["ranks"]) == ("1", [0, 2])
    least |= {"ranks": [1, 2], "cases": [["0", "1"], ["1", "0"]]}
    least |= {"value": "2", "letters": {"low": "2", "high": "4"}}
    assert proved.check(honest)[1] == 1


@built
@pytest.mark.parametrize("path", sorted((ROOT / "verifier/pages").glob("*.page")), ids=lambda path: path.stem)
def test_what_it_reads_is_the_page_in_its_one_form(path):
    """Printed from the trees that it checks; with no claim asked at the least sizes nothing else is looked at."""
    page = read(packaged(path.read_text())).page
    page_sizes = [f"{name}={least}" for name, least in page.sizes.items()]
    claim = next(iter(page.claims))
    done = subprocess.run(
        [proved.program(), "-", *page_sizes, "--", claim], input=page.text, capture_output=True, text=True, check=False
    )
    assert json.loads(done.stdout)["page"] == write(page)


@built
def test_a_size_to_try_is_no_size_and_at_least_the_least_value():
    def asked(text, *sizes):
        done = subprocess.run([proved.program(), "-", *sizes], input=text, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr

    text = 'language 1\nsizes n >= 2 ({})\nclaim c, own, "-", once:\n  "-"\n  n >= 2\n'
    assert asked(text.format(2), "n=3") == (0, "")
    assert asked(text.format(2)) == (2, "the size n is missing\n")
    assert asked(text.format(1), "n=3") == (2, "line 2: the size to try is less than the least n\n")


# What is refused by the meaning (a certificate of it is false), what is over a limit, what there is no word for.

CLAIM = """language 1
inputs w in words: words of 1..2 letters a in {0, 1}
part = [1, 2, 3]
top = part[3] as "top"
none = sum(a for a in [1, 2])
claim c.own, own, "-", on words:
  "Own."
  skipped if none = 4 "why"
  for k in 1..2: len(w) <= none
  within part as a, b: b - a > 0
  once: part[1] = 1
"""
# What stands in the page that is certified, what stands instead, and what the reader says of it then.
UNANSWERED = [
    ("<= none", "<= none", 0, "the same"),
    ("<= none", "<= none / none", 1, "the number of relations|the verdict|where its slack is least"),
    ("<= none", "<= none + w[3]", 1, "c.own is refused (something that it looks at has no value)"),
    ("for a in [1, 2]", "for a in [1, true]", 1, "c.own is refused"),
    ("b - a > 0", "b - 2 * a > -9", 0, ""),
    ("b - a > 0", "2 * a - b > -9", 1, "c.own is refused"),
    ("b - a > 0", "b - a >= 1", 0, ""),
    ("part[3] as", "part[4] as", 1, "top is refused (it is no number)"),
    ("part[3] as", "part as", 1, "top is refused (it is no number)"),
    ("if none = 4", "if none", 1, "c.own is refused (the condition of its `skipped if` has no value)"),
    ("letters a in {0, 1}", "letters a in {0, 0}", 1, "c.own is refused (its inputs have no value)"),
    ("letters a in {0, 1}", "letters a in [0, 1]^2", 1, "REJECTS it: line 2"),
    ("<= none", "<= 2^(10^6)", 4, "no verdict of c.own (something that it looks at has no value, or is over a limit"),
    ("part[3] as", "[k for k in 1..10^7][3] as", 4, "no verdict of top (it is no number, or is over a limit"),
    ("words of 1..2", "words of 99", 4, "c.own (its inputs have no value, or is over a limit"),
    ("<= none", "<= none + exp_below(0, 1)", 5, "c.own (exp_below, a bound of a function)"),
    ("part[3] as", "log_below(1, 1) as", 5, "cover top (log_below, a bound of a function)"),
    ("{0, 1}", "{0, sqrt_below(1, 1)}", 5, "cases and inputs of words (sqrt_below, a bound of a function)"),
]


@built
@pytest.mark.parametrize(("right", "other", "code", "said"), UNANSWERED)
def test_what_has_no_answer_is_told_apart(right, other, code, said):
    honest = certificate(CLAIM, {})
    assert CLAIM.count(right) == 1
    honest["page"] = CLAIM.replace(right, other)
    if not said:  # other slacks
        honest = certificate(honest["page"], {})
    found, its = proved.check(honest)
    assert its == code, found
    assert any(why in found for why in said.split("|")), found


@built
@pytest.mark.parametrize(
    ("right", "other"),
    [
        ("sqrt_below(4, 3)", "2"),
        ("part[3] as", "exp_below(part[3], 3) as"),
        ("if len(w) = 1", "if len(w) = exp_below(0, 2)"),
    ],
)
def test_true_certificates_with_bounds_of_functions_are_covered_in_part(right, other):
    some = "category {} of words if len(w) = {}: {} cases, {} inputs\n"
    text = CLAIM.replace("claim", some.format("one", 1, 2, 2) + some.format("two", 2, 4, 4) + "claim", 1)
    text = text.replace("<= none", "<= none + sqrt_below(4, 3)").replace(right, other)
    found, code = proved.check(certificate(text, {}))
    assert (code, "a bound of a function" in found) == ((5, True) if "_below" in text else (0, False)), found


# The language says one thing (LANGUAGE.md 2 to 5): what a claim's line is, below these declarations.

FROM_0 = "z[k] = k for k in 0..2\n"
LAYER = "layer f:\n  {}\n  x[i] <- [{}]\nnetwork g:\n  f\n"
CIRCLE = "inputs X in G: list [[1]]\ncategory d of G if sum(1 over G if d) = 1: 1 cases, 1 inputs\n"
MEANING = [
    ("holds", "z[0] + z[2] = 2", FROM_0),
    ("holds", "(z + z)[1] + (z + z)[3] = 4", FROM_0),
    ("refused", "(z + z)[0] = 0", FROM_0),
    ("refused", "([z] - [z])[1][0] = 0", FROM_0),
    ("holds", "(2 * z)[3] + (z / 2)[3] + (-z)[3] = 3", FROM_0),
    ("refused", "(-z)[0] = 0", FROM_0),
    ("holds", "sum([z])[3] + sum([[z]])[1][3] + sum([z, z])[3] = 8", FROM_0),
    ("refused", "sum([z])[0] = 0", FROM_0),
    ("refused", "sum([true]) = 1", ""),
    ("refused", "sum(5) = 5", ""),
    ("holds", "sorted([z, z])[1][0] = 0", FROM_0),
    ("holds", "(z if true else 1)[0] = [z][1][0]", FROM_0),
    ("holds", "[3, 4, ..., 1] = []", ""),
    ("refused", "[3, 4, ..., 3/2] = []", ""),
    ("refused", "[] * [1] = []", ""),
    ("refused", "[[]] * [] = []", ""),
    ("holds", "[[]] != [[1]]", ""),
    ("holds", "[[]] != [[true]]", ""),
    ("refused", "[1] = [true]", ""),
    ("holds", "comb(10000, 1) = 10^4", ""),
    ("refused", "comb(10001, 1) = 10001", ""),
    ("refused", "len(unit(1, 10001)) = 10001", ""),
    ("refused", "sorted([[true]]) = []", ""),
    ("refused", "2 < 1 < true", ""),
    ("refused", "([] if 1/0 = 1 else []) = []", ""),
    ("refused", "[[]][1/0] = []", ""),
    ("refused", "(1/0) * [] = []", ""),
    ("refused", "g([[1]])[1][1] = 0", LAYER.format("a = read 1/0 at max of 0 over false", "a")),
    ("holds", "g([[1]])[1][1] = 0", LAYER.format("a = read 1/0 at max of 0 over false else 0", "a")),
    ("holds", "g([[1]])[1][1] = 1", LAYER.format("a = read 1 at max of 0 else 1/0", "a")),
    ("refused", "g([[1]])[1][1] = 0", LAYER.format("a = read true at max of 0 over false", "0")),
    ("holds", "g([[1]])[1][1] = 0", LAYER.format("a = read [[1], [2]] at max of 0 over false", "a[2]")),
    ("refused", "g([[1]])[1][1] = 0", LAYER.format("a = read [] at max of 1/0", "0")),
    ("holds", "g([[5], [7]])[1][1] = 5", LAYER.format("a = read z at leftmost max of 0", "a[0] + x[i][1]") + FROM_0),
    ("holds", "g([[5], [7]])[1][1] = 7", LAYER.format("a = read z at max of 0", "a[3] + x[i][1]") + FROM_0),
    ("refused", "g([[5], [7]])[1][1] = 5", LAYER.format("a = read z at max of 0", "a[0] + x[i][1]") + FROM_0),
    ("holds", "g([]) = []", LAYER.format("a = 1/0", "a")),
    ("refused", "g([[]]) = [[1]]", LAYER.format("a = 1", "a")),
    ("refused", "g([[1], [1, 2]]) = []", LAYER.format("a = 1", "a")),
    ("refused", "g([[1]]) = [[1]]", LAYER.format("a = 1/0", "1")),
    ("holds", "g([[1]]) = [[1]]", LAYER.format("a = len(x)", "a")),
    ("holds", "g([[1]]) = [[3]]", LAYER.format("a = sum(x for x in [1, 2])", "a")),
    ("j has two meanings", "g([[1]]) = [[1]]", LAYER.format("j = 4", "1")),
    ("a has two meanings", "g([[1]]) = [[1]]", LAYER.format("a = 4\n  a = 5", "1")),
    ("holds", "g([[1]]) = [[1]]", LAYER.format("a = read x[j] at max of 0", "a[1]").replace("x[i]", "x[j]")),
    ("holds", "h([[2]]) = [[2]]", "layer f(j):\n  a = read x[j] at max of 0\n  x[i] <- a\nnetwork h:\n  f(7)\n"),
    ("vacuous", "within [] as a, b: a > 1/0", ""),
    ("vacuous", "within 1 as a, b: a > 1/0", ""),
    ("refused", "within [1, 2] as a, b: a - b > -9", ""),
    ("holds", "within [1, 2, 4] as a, b: a < b <= 2*b + 1", ""),
    ("holds", "y[-2] + y[0] = 2", "y[-k] = k for k in 0..2\n"),
    ("holds", "y[3] = 8", "y[0] = 1\ny[k+1] = 2*y[k] for k in 0..4\n"),
    ("holds", "y[1] = 1", "y[k^2] = k for k in 0..1\n"),
    ("refused", "y[1] = 1", "y[k^2] = k for k in 0..2\n"),
    ("a layer sees x[i]", "g([[1]]) = [[1]]", LAYER.format("a = [x[i] for i in 1..1]", "1")),
    ("a layer sees x[i]", "g([[1]]) = [[1]]", LAYER.format("a = x[1]", "1")),
    ("a layer sees x[i]", "g([[1]]) = [[1]]", LAYER.format("a = x[j]", "1")),
    ("a layer sees x[i]", "g([[1]]) = [[1]]", LAYER.format("a = read min(x[j][1] for j in 1..1) at max of 0", "1")),
    ("in no loop", "1 = 1", LAYER.format("a = [head([u], [u], [u], [u], [0]) for k in 1..1]", "1") + "u = [1]\n"),
    ("a head stands in a layer", "head([[1]], [[1]], [[1]], [[1]], [0]) = [1]", LAYER.format("a = 1", "1")),
    ("sum has a meaning already", "1 = 1", "sum = 1\n"),
    ("exp_below has a meaning already", "1 = 1", "f(exp_below) = 1\n"),
    ("weight has a meaning already", "1 = [weight for weight in [1]][1]", ""),
    ("two letters a", "1 = 1", "f(a, a) = 1\n"),
    ("write a < -1", "a<-1", "a = 1\n"),
    ("write the line without `once:`", "once: 1 = 1", ""),
    ("'across' compares cases", "across 1 as a, b: b > a", ""),
    ("c has no relation", 'skipped if true "why"', ""),
    ("d is defined by itself", "1 = 1", CIRCLE),
]  # fmt: skip


@built
@pytest.mark.parametrize(("what", "line", "declared"), MEANING)
def test_the_language_says_one_thing(what, line, declared):
    text = f'language 1\n{declared}claim c, own, "-", once:\n  "w"\n  {line}\n'
    done = subprocess.run([proved.program(), "-"], input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        assert (done.returncode, what in done.stderr) == (2, True), done.stderr
        return
    (claim,) = json.loads(done.stdout)["claims"]
    assert what == claim.get("verdict") or what in claim.keys() & {"refused"}, claim


@built
@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("# A page\n```page\nlanguage 1\n", "line 2: ```page begins here"),
        ("```page\nlanguage 1\n```\n", None),
    ],
)
def test_a_block_of_a_page_ends(text, what):
    done = subprocess.run([proved.program(), "-"], input=text, capture_output=True, text=True, check=False)
    assert (done.returncode, what or "" in done.stderr) == (2 if what else 0, what or True), done.stderr


LISTED = """language 1
y[k] = k for k in 0..1
inputs X in chosen: list [y]
claim c, own, "-", on chosen:
  "w"
  X[0] + weight = 1
"""


@built
@pytest.mark.parametrize(
    ("listed", "answer"),
    [
        ("[y]", {"verdict": "holds"}),  # a case is the item as it stands
        ("[y, [0, 1]]", {"refused": "its inputs have no value"}),  # twice the same
        ("[1, 2]", {"refused": "its inputs have no value"}),
    ],
)
def test_inputs_that_are_listed_are_different_lists(listed, answer):
    found = subprocess.run(
        [proved.program(), "-"], input=LISTED.replace("[y]", listed), capture_output=True, text=True, check=True
    )
    assert answer.items() <= json.loads(found.stdout)["claims"][0].items()


def test_the_functions_of_the_reader_are_those_of_the_language():
    """But for those that it has no word for, of which no claim is covered; and no page defines one."""
    parse, reader = (PROGRAM / "parse.ml").read_text(), PROGRAM.parent
    lists = dict(re.findall(r'\("(\w+)", (\w+)\)', re.search(r"let lists = \[(.*?)\]", parse, re.DOTALL)[1]))
    beyond, others = (
        set(re.findall(r'"(\w+)"', re.search(rf"let {name} = (.*)", parse)[1])) for name in ("beyond", "builtins")
    )
    assert beyond == {name for name, row in BUILTINS.items() if row.beyond}
    assert lists.keys() | beyond == set(BUILTINS)
    assert set(BUILTINS) | others == TAKEN
    of_tree = re.search(r"Inductive function := (.*?)\.", (reader / "Tree.v").read_text(), re.DOTALL)[1]
    assert {word.strip() for word in of_tree.split("|")} == set(lists.values())
    core, words = (reader / "Core.v").read_text(), (reader / "Words.v").read_text()
    closed = set(re.search(r"Strategy opaque \[(.*?)\]", words, re.DOTALL)[1].split())
    for name in lists:
        assert re.search(rf"^Definition {name} ", core, re.MULTILINE), name
        assert name in closed


# What OCaml keeps, in program/whole.ml, is in no proof: changes of it, each of which has to show on one of these pages.

NUMBERS = """language 1
inputs w in words: words of 2 letters a in {-7, 3}
claim c.numbers, own, "-", on words:
  "Numbers that no machine word holds, the floor, and letters far from each other."
  4000000000 * 4000000000 > 4000000000
  (w[1] - w[1] - 7) div 2 = -4
  for i in 1..2:
    for j in [1, 33]: i <= sum(k for k in 1..j) * i <= 561 * i
"""
HEADS = """language 1
inputs w in words: words of 2 letters a in {1, 2}
layer mixed:
  x[i] <- x[i] + head([[3]], [[2]], [[1]], [[-1]], [0])
network twice:
  mixed
  mixed
claim c.heads, own, "-", on words:
  "A head of five different matrices, at tokens that change."
  twice([[a] for a in w])[1][1] <= 100
  twice([[a] for a in w])[2][1] > 10
"""
SHOWN = [
    (NUMBERS, {}, None),
    (HEADS, {}, None),
    ((ROOT / "verifier/pages/parity.page").read_text(), {"n": 4}, None),
    (
        (ROOT / "verifier/pages/yun2020.page").read_text(),
        {"d": 1, "n": 2, "N": 3},
        ["lemma6.2", "lemma6.3", "lemma6.4"],
    ),
    ((ROOT / "verifier/pages/cookbook_words.page").read_text(), {"n": 2, "N": 2}, ["cook.heads", "cook.mod.0-self"]),
    ((ROOT / "verifier/pages/induction.page").read_text(), {"n": 3, "k": 2}, None),
]
MEMORY = [
    ("", ""),
    ("if Obj.repr g == !names && rest == !values then", "if rest == !values then"),
    ("rest == !values then !result", "true then !result"),
    ("keys.(at) = k && times", "times"),
    ("times.(at) = !now then", "true then"),
    ("if not (Obj.repr g == !names && rest == !values)", "if not (Obj.repr g == !names)"),
    ("last := Obj.repr x; kept := []", "last := Obj.repr x"),
    ("(fun (b, _) -> b == a || same b a)", "(fun _ -> true)"),
    ("if b == a || same b a then found", "if true then found"),
    ("if half a && half b then Z.of_int (int a * int b)", "if small a && small b then Z.of_int (int a * int b)"),
    ("half b && int a >= 0 && int b > 0", "half b && int b > 0"),
]


@built
@pytest.mark.slow
@pytest.mark.skipif(not (PROGRAM / "proved.ml").exists(), reason="the program's sources aren't extracted: make reader")
@pytest.mark.parametrize(("right", "wrong"), MEMORY)
def test_a_wrong_memory_shows(right, wrong, tmp_path, monkeypatch):
    change(tmp_path, "whole", right, wrong, monkeypatch)

    def differs(page):
        try:
            return bool(difference(*page).wrong)
        except (proved.Disagreed, proved.Broken, proved.OverLimit):
            return True

    assert any(map(differs, SHOWN)) == bool(right)


# Changes of how it tells apart what has no answer; each shows on a page of UNANSWERED.
APART = [
    ("main", "", ""),
    ("main", "if !Whole.limited then", "if true then"),
    ("main", "if !Whole.limited then", "if false then"),
    ("whole", "let over_limit a = limited := true; a", "let over_limit a = a"),
    ("main", "| Is (Truth false) -> None\n", "| Is _ | Refused -> None\n"),
    ("main", 'Some why -> ("not_covered", Text why)\n', 'Some _ -> no_value "it"\n'),
    ("main", 'Some why -> Object [ ("not_covered", Text why) ]', "Some _ -> inputs names page on"),
    ("main", '| _ -> no_value "it is no number"', '| _ -> ("value", Null)'),
    ("order", "Hashtbl.replace lacks n (n ^", "ignore (n ^"),
]  # fmt: skip


@built
@pytest.mark.slow
@pytest.mark.skipif(not (PROGRAM / "proved.ml").exists(), reason="the program's sources aren't extracted: make reader")
@pytest.mark.parametrize(("name", "right", "wrong"), APART)
def test_a_wrong_distinction_shows(name, right, wrong, tmp_path, monkeypatch):
    change(tmp_path, name, right, wrong, monkeypatch)

    def differs(case):
        try:
            test_what_has_no_answer_is_told_apart(*case)
        except AssertionError:
            return True
        return False

    assert any(map(differs, UNANSWERED)) == bool(right)


def change(folder, name, right, wrong, monkeypatch):
    """The program with a change of one of its sources."""
    for path in (*PROGRAM.glob("*.ml"), *PROGRAM.glob("*.mli")):
        shutil.copy(path, folder)
    source = folder / f"{name}.ml"
    text = source.read_text()
    assert not right or text.count(right) == 1
    source.write_text(text.replace(right, wrong) if right else text)
    sources = ["whole.ml", "proved.mli", "proved.ml", "words.ml", "parse.ml", "write.ml", "order.ml", "main.ml"]
    command = ["ocamlfind", "ocamlc", "-w", "-a", "-package", "zarith", "-linkpkg", *sources, "-o", "reader"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    monkeypatch.setattr(proved, "program", lambda: str(folder / "reader"))


# The command

SUMS = """language 1
sizes n >= 1
inputs X in tokens: multisets of n tokens t in {0, 1}
claim c.sum, own, "-", on tokens:
  "The sum is at most n."
  sum(X) <= n
"""


@pytest.fixture
def sums(tmp_path):
    (tmp_path / "sums.page").write_text(SUMS)
    words = ["--paper", str(tmp_path / "sums.page"), "--n", "2", "-q", "--no-check"]
    assert main([*words, "--certificate", str(tmp_path / "c.json")]) == 0
    return tmp_path / "c.json"


@built
def test_the_command_says_what_it_found_and_what_remains_trusted(sums, capsys):
    assert main(["check", str(sums), "--proved"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "the proved reader finds the same verdicts, numbers of cases" in out
    assert "what remains trusted: Coq" in out
    assert "the reader's parser" in out


@built
def test_what_it_does_not_cover_is_named_and_exit_5(tmp_path, capsys):
    text = SUMS.replace("  sum(X) <= n", "  for all t if t > n: t > sum(X)")
    (tmp_path / "reals.page").write_text(text)
    words = ["--paper", str(tmp_path / "reals.page"), "--n", "2", "-q", "--no-check"]
    assert main([*words, "--certificate", str(tmp_path / "c.json")]) == 0
    assert main(["check", str(tmp_path / "c.json")]) == 0
    capsys.readouterr()
    assert main(["check", str(tmp_path / "c.json"), "--proved"]) == 5
    assert "but doesn't cover c.sum (for all, every real number)" in " ".join(capsys.readouterr().out.split())


@built
def test_of_other_certificates_it_says_nothing(capsys):
    assert main(["check", str(ROOT / "proofs/symbolic/all.json"), "--proved"]) == 5
    assert "the proved reader reads certificates of pages alone" in " ".join(capsys.readouterr().out.split())


def test_where_it_is_not_built_the_command_says_how(sums, monkeypatch, capsys):
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    assert main(["check", str(sums), "--proved"]) == 3
    assert "make reader" in capsys.readouterr().err


def test_it_goes_with_files_and_words_alone(sums, capsys):
    for words in (["--format", "json", str(sums)], ["-"]):
        assert main(["check", "--proved", *words]) == 2
        assert "it can't go with --format or -" in " ".join(capsys.readouterr().err.split())


def doctored(folder, answer, code=0):
    """A program that gives this answer, whatever is asked."""
    program = folder / proved.PROGRAM
    program.write_text(f"#!/bin/sh\ncat >/dev/null\ncat <<'END'\n{json.dumps(answer)}\nEND\nexit {code}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return str(program)


LEAST = {"slack": "0", "value": "2", "bound": "2", "ranks": [2], "cases": [["1", "1"]]}
ANSWER = {
    "page": write(read(SUMS).page),
    "claims": [
        {"id": "c.sum", "verdict": "holds", "cases": 3, "failing": 0, "first": None}
        | {"lines": [{"line": 6, "column": 3, "relation": "sum(X) <= n", "made": 3, "least": LEAST}]}
    ],
    "constants": {},
    "inputs": {"tokens": {"cases": 3, "inputs": 4, "categories": {}, "each_in_one": True}},
}


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("", "", ""),
        ('"cases": 3, "f', '"cases": 4, "f', "REJECTS it: the number of cases of c.sum is 4, not 3"),
        ('"holds"', '"refuted"', 'REJECTS it: the verdict of c.sum is "refuted", not "holds"'),
        ('"slack": "0"', '"slack": "1"', "REJECTS it: c.sum, relation 1, where its slack is least, is"),
        ('"ranks": [2]', '"ranks": [1]', "REJECTS it: c.sum, relation 1, where its slack is least, is"),
        ('"made": 3', '"made": 2', "REJECTS it: c.sum, relation 1, how often it is made, is 2, not 3"),
        ("  sum(X) <= n", "  sum(X) < n", "REJECTS it: it reads the line ' sum(X) <= n' as ' sum(X) < n'"),
    ],
)
def test_an_answer_that_differs_is_exit_1(sums, tmp_path, monkeypatch, capsys, right, wrong, said):
    program = doctored(tmp_path, json.loads(json.dumps(ANSWER).replace(right, wrong)))
    monkeypatch.setattr(proved, "program", lambda: program)
    assert main(["check", str(sums), "--proved"]) == (1 if said else 0)
    assert said in " ".join(capsys.readouterr().out.split())


NO_ANSWER = {"refused": 1, "too_large": 4, "not_covered": 5}


@pytest.mark.parametrize("what", NO_ANSWER)
@pytest.mark.parametrize("place", [("claims", 0), ("inputs", "tokens"), ("constants", "bound")])
def test_what_it_has_no_answer_to_has_its_exit_code(sums, tmp_path, monkeypatch, what, place):
    certified = json.loads(sums.read_text())
    certified["constants"] = {"bound": "2"}
    answer = copy.deepcopy(ANSWER)
    answer["constants"]["bound"] = {"value": "2"}
    program = doctored(tmp_path, answer)
    monkeypatch.setattr(proved, "program", lambda: program)
    assert proved.check(certified)[1] == 0
    answer[place[0]][place[1]] = {"id": "c.sum", what: "for a reason"}
    doctored(tmp_path, answer)
    found, code = proved.check(certified)
    assert (code, "(for a reason)" in found) == (NO_ANSWER[what], True)
    assert ("REJECTS it" in found) == (what == "refused")
    assert ("the same verdicts" in found) == (what != "refused")


def test_what_it_finds_wrong_in_itself_is_no_rejection(sums, tmp_path, monkeypatch, capsys):
    program = doctored(tmp_path, ANSWER, 70)
    monkeypatch.setattr(proved, "program", lambda: program)
    assert main(["check", str(sums), "--proved"]) == 70
    assert "the proved reader contradicts itself" in capsys.readouterr().out


def test_without_room_or_time_it_has_no_verdict(sums, tmp_path, monkeypatch, capsys):
    program = doctored(tmp_path, ANSWER, 4)
    monkeypatch.setattr(proved, "program", lambda: program)
    assert main(["check", str(sums), "--proved"]) == 4
    assert "the proved reader has no verdict" in capsys.readouterr().out

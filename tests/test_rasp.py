"""Programs as pages: every small program and formula, its network, and what it means, by an evaluation of our own."""

import operator
import os
import random
from itertools import count, product
from pathlib import Path

import pytest

from cli import main
from verifier.checker.page.check import check
from verifier.language.form import form
from verifier.language.words import Refused
from verifier.page import Page
from verifier.rasp import read
from verifier.rasp.page import page_of

TILING = (Path(read.__file__).parent / "tiling.brasp").read_text()
BATCH = 20


def in_batches(found):
    """Each batch has some of all kinds. A quarter of them is run; with RASP=all in the environment each, in minutes."""
    found = list(found)
    batches = [found[k :: len(found) // BATCH] for k in range(len(found) // BATCH)]
    return batches if os.environ.get("RASP") == "all" else batches[::4]


def words(n):
    return [word for length in range(1, n + 1) for word in product((0, 1), repeat=length)]


def run(page, **sizes):
    """The verdicts, which the checker finds too."""
    found = Page(page).run(jobs=1, **sizes)
    assert check(found.certificate)["verdict"] == found.verdict
    return found


def agrees(lines, n):
    """Of lines (text, truth or number at a position of a word): the page of them all holds, and says what we say."""
    program = "letters a b\nC := #[j <= i] Q_a(j)\nB := C > 2*#[j <= i] Q_b(j)\n"
    program += "".join(f"L{k} := {text}\n" for k, (text, _) in enumerate(lines))
    tables = [[[int(is_(w, i)) for i in range(len(w))] for w in words(n)] for _, is_ in lines]
    page = page_of(program, "small programs") + f"all_words = {[list(w) for w in words(n)]}\n".replace("], ", "],\n ")
    page += "rank = 2^L - 1 + sum(w[i]*2^(L-i) for i in 1..L)\n"
    for k, table in enumerate(tables):
        page += f"says{k} = {table}\n".replace("], ", "],\n ")
        page += f'claim ours.{k}, own, "-", on words:\n  "."\n  is_L{k} = [t = 1 for t in says{k}[rank]]\n'
    page += 'claim ours.rank, own, "-", on words:\n  "."\n  all_words[rank] = w\n'
    assert run(page, n=n).verdict == "holds"


# Every program with one attention.

AT_I, AT_J = (lambda w, i, _: w[i] == 0), (lambda w, _, j: w[j] == 0)
ALWAYS = ("1", lambda *_: True)
SCORES = [ALWAYS, ("Q_a(j)", AT_J), ("not Q_a(j)", lambda *p: not AT_J(*p))]
PAIRS = [ALWAYS, ("(Q_a(i) <-> Q_a(j))", lambda *p: AT_I(*p) == AT_J(*p)), ("Q_b(i)", lambda *p: not AT_I(*p))]
VALUES = [
    ALWAYS,
    ("Q_a(j)", AT_J),
    ("not Q_a(j)", lambda *p: not AT_J(*p)),
    ("Q_a(i) and Q_b(j)", lambda *p: AT_I(*p) and not AT_J(*p)),
    ("(B(j) <-> Q_a(i))", lambda w, i, j: (w[: j + 1].count(0) > 2 * w[: j + 1].count(1)) == (w[i] == 0)),
]
DEFAULTS = [("0", lambda *_: False), ALWAYS, ("Q_a(i)", AT_I)]
MASKS = [("j < i", operator.lt), ("j > i", operator.gt), ("1", lambda *_: True)]


def attention(tie, mask, score, pair, value, default):
    def found(w, i):
        seen = [j for j in range(len(w)) if mask[1](j, i) and score[1](w, i, j) and pair[1](w, i, j)]
        return value[1](w, i, max(seen) if tie == "rightmost" else min(seen)) if seen else default[1](w, i, i)

    return f"{tie} j [{mask[0]}, {score[0]} and {pair[0]}] {value[0]} : {default[0]}", found


ATTENTIONS = [attention(*parts) for parts in product(("leftmost", "rightmost"), MASKS, SCORES, PAIRS, VALUES, DEFAULTS)]


@pytest.mark.thorough
@pytest.mark.parametrize("lines", in_batches(ATTENTIONS), ids=count())
def test_programs_of_one_attention(lines):
    assert len(ATTENTIONS) == 810
    agrees(lines, 4)


# Every formula of at most five symbols.

ATOMS = [("Q_a", lambda w, i: w[i] == 0), ("Q_b", lambda w, i: w[i] == 1), ("1", lambda *_: 1), ("0", lambda *_: 0)]


def both(word, f, g):
    def found(w, i):
        if word == "since":
            return any(g[1](w, j) and all(f[1](w, k) for k in range(j + 1, i)) for j in range(i))
        if word == "until":
            return any(g[1](w, j) and all(f[1](w, k) for k in range(i + 1, j)) for j in range(i + 1, len(w)))
        return f[1](w, i) and g[1](w, i) if word == "and" else f[1](w, i) or g[1](w, i)

    return f"({f[0]} {word} {g[0]})", found


def formulas(symbols):
    if symbols == 1:
        return ATOMS
    found = [(f"not {text}", lambda w, i, f=f: not f(w, i)) for text, f in formulas(symbols - 1)]
    for left in range(1, symbols - 1):
        for f, g in product(formulas(left), formulas(symbols - 1 - left)):
            found += [both(word, f, g) for word in ("and", "or", "since", "until")]
    return found


FORMULAS = [formula for symbols in range(1, 6) for formula in formulas(symbols)]


@pytest.mark.thorough
@pytest.mark.parametrize("lines", in_batches(FORMULAS), ids=count())
def test_formulas(lines):
    assert len(FORMULAS) == 2708
    agrees(lines, 4)


# Every comparison of counts with small numbers.

COMPARE = {
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
    "=": operator.eq,
    "!=": operator.ne,
}


def comparison(a, b, c, sign, body):
    def found(w, i):
        ones = w[: i + 1].count(1) if body[0] == "Q_b(j)" else sum(body[1](w, j) for j in range(i + 1))
        return COMPARE[sign](a * w[: i + 1].count(0) + b * ones, c)

    return f"{a}*C + {b}*#[j <= i] {body[0]} {sign} {c}".replace("+ -", "- "), found


BODIES = [
    ("Q_b(j)", None),
    ("(B(j) or Q_b(j))", lambda w, j: w[j] == 1 or w[: j + 1].count(0) > 2 * w[: j + 1].count(1)),
]
COMPARISONS = [comparison(*parts) for parts in product((0, 1, 2), (-2, -1, 1), (0, 1, 3), COMPARE, BODIES)]


@pytest.mark.thorough
@pytest.mark.parametrize("lines", in_batches(COMPARISONS), ids=count())
def test_comparisons_of_counts(lines):
    agrees(lines, 4)


# Whole programs.

DYCK = """letters ( )
open(i) := #[j <= i] Q_((j)
close(i) := #[j <= i] Q_)(j)
below(i) := close > open
P(i) := #[j <= i] below(j) = 0 and open = close
more := 2*open - close + 3
"""
AB = """letters a b
ok := (Q_b -> 0 since Q_a) and (Q_a and 1 since 1 -> 0 since Q_b)
P := Q_b and ok and not (1 since not ok)
"""


def with_language(program, condition):
    return page_of(program, "x") + f'claim my.language, own, "-", on words:\n  "."\n  is_{condition}\n'


def test_a_program_and_its_language():
    balanced = (
        "P[L] iff L mod 2 = 0 and all(count(w[j] = 0 for j in 1..i) >= count(w[j] = 1 for j in 1..i) for i in 1..L)"
    )
    balanced += " and 2*sum(w) = L"
    assert run(with_language(DYCK, balanced), n=6).verdict == "holds"
    assert (
        run(with_language(AB, "P[L] iff L mod 2 = 0 and all(w[i] = (i+1) mod 2 for i in 1..L)"), n=6).verdict == "holds"
    )


def test_a_sum_of_counts_is_that_of_the_word():
    assert run(with_language(DYCK, "more[L] = 2*count(a = 0 for a in w) - sum(w) + 3"), n=5).verdict == "holds"


def test_the_layers_are_attention_and_token_wise():
    tree = Page(page_of(f"{DYCK}Z := rightmost j [j < i, P(j) and (P(i) <-> below(j))] below(j) : P", "x")).tree
    assert {form(tree, layer).name for layer in tree.layers.values()} == {"attention", "token-wise"}


@pytest.mark.parametrize("n", [2, pytest.param(6, marks=pytest.mark.slow)])
def test_tilings(n):
    tilings = "all_tilings = [0, 2, 3, 1, 2, 3]\n"
    page = with_language(TILING, "Y[L] iff w = all_tilings") + tilings
    assert Page(page).run(n=n, jobs=1).verdict == "holds"
    if n == 2:
        run(page, n=n)


@pytest.mark.slow
def test_tilings_as_the_conversions_print_14e():
    never = with_language(TILING.replace("B_over(i) or B_up(i)", "B_over(i) and B_up(i)"), "Y[L] iff false")
    assert Page(never).run(n=6, jobs=1).verdict == "holds"


@pytest.mark.parametrize(
    ("line", "before", "after"),
    [
        ("rightmost j [1, Q_a(j)] not F(j) : 0", "rightmost max of x[j][1]", "leftmost max of x[j][1]"),
        ("rightmost j [j < i, Q_a(j)] F(j) : 0", "x[j][1] - 1 over j < i", "x[j][1] - 1 over j <= i"),
        ("rightmost j [j < i, Q_a(j)] F(j) : 0", "x[j][1] - 1 over", "0 over"),
        ("rightmost j [j < i, Q_a(i)] 1 : 0", "max(x[i][1] + ", "max(1 + "),
        ("rightmost j [j < i, (Q_b(i) <-> F(j))] Q_a(j) : 0", "max of x[i][2]*", "max of x[i][1]*"),
        ("rightmost j [j < i, Q_a(j)] 0 : 1", "+ max(1 -", "+ max(0 -"),
        ("F since Q_b", "at rightmost max of (1 - ", "at leftmost max of (1 - "),
        ("Q_a until Q_b", "over j > i", "over j >= i"),
        ("Q_a <-> F", "(1 - max", "(1 - 2*max"),
        ("#[j <= i] Q_a(j) >= 1", " + 1, 0)", ", 0)"),
        ("#[j <= i] Q_a(j) >= 1", "over j <= i", "over j < i"),
        ("2 * #[j <= i] Q_a(j) + 1", "Y[i][6]", "Y[1][6]"),
    ],
)
def test_a_page_with_a_mistake_in_it_is_refuted(line, before, after):
    """F: the first position."""
    page = page_of(f"letters a b\nF := not (1 since 1)\nP := {line}", "x")
    assert run(page, n=4).verdict == "holds"
    assert before in page
    assert run(page.replace(before, after, 1), n=4)["rasp.line3"]["verdict"] == "refuted"


def test_lemma_9_forwards_s_itself():
    """Not 1 - S, to be taken from 1: that says that S holds where the mask leaves nothing, and D is lost."""
    page = page_of("letters a b\nP := rightmost j [j < i, Q_a(j)] Q_b(j) : 1", "x")
    other = page.replace("read [x[j][1], ", "read [1 - x[j][1], ").replace("r[1]*unit(3, d)", "(1 - r[1])*unit(3, d)")
    assert run(page, n=4).verdict == "holds"
    assert run(other, n=4)["rasp.line2"]["first"]["cases"] == [["0"]]


# What is no program.


@pytest.mark.parametrize(
    ("lines", "where", "why"),
    [
        ("", (0, 0), "the program is empty; it is `letters a b`, and lines such as"),
        ("P := Q_c", (2, 6), "Q_c: the letters are a b"),
        ("before := Q_a\nP := befor(i)", (3, 6), "no line above says what befor is; did you mean before?"),
        ("P := Q_a\nP := Q_b", (3, 1), "P is there already, in line 2"),
        ("P := Q_a &", (2, 10), "'&' is no sign of a program"),
        ("P := (Q_a", (2, 10), "the end of the line stands where ) is wanted"),
        ("P := Q_a Q_b", (2, 10), "Q_b stands where the end of the line"),
        ("P := rightmost j [j < i, Q_a] 1 : 0", (2, 26), "Q_a at which position? Q_a(i) or Q_a(j)"),
        ("P := rightmost j [j <= i, 1] 1 : 0", (2, 21), "<= stands where j < i, j > i or 1 is wanted"),
        ("P := rightmost j [1, Q_a(i) or Q_b(j)] 1 : 0", (2, 22), "S(i, j) is what is said of i alone, of j alone, or"),
        ("P := rightmost j [1, 1] Q_a(j) : Q_a(j)", (2, 38), "j stands where i is wanted"),
        ("P := rightmost j [1, Q_a(j) since Q_b(j)] 1 : 0", (2, 22), "since has a line of its own, and the name"),
        ("C := #[j <= i] Q_a(j)\nP := C and Q_a", (3, 8), "and stands where the end of the line"),
        ("C := #[j <= i] Q_a(j)\nP := not (Q_a and C)", (3, 20), ") stands where a comparison of counts"),
        ("C := #[j < i] Q_a(j)", (2, 10), "< stands where <= is wanted"),
        ("P := Q_a\nC := 2*P", (3, 8), "P is no count, such as #[j <= i] Q_a(j)"),
        ("C := 1234567", (2, 6), "a number has at most 6 digits"),
        ("i := Q_a", (2, 1), "i stands where the name of a predicate"),
        ("P := Q_a // \u202e", (2, 13), "a character that can't be printed, '\\u202e'"),
        (f"P := {'(' * 900}", (2, 16), "nested at most 10 deep"),
        (f"P := {'not ' * 300}Q_a", (2, 46), "nested at most 10 deep"),
        (f"P := {'Q_a or ' * 300}Q_a", (2, 1900), "a line has at most 1,900 characters"),
        ("".join(f"P{k} := Q_a\n" for k in range(300)), (202, 1), "at most 200 lines"),
        (
            "".join(f"P{k} := {'(Q_a and Q_b) or ' * 80}Q_a\n" for k in range(9)),
            (0, 0),
            "would have more than 400 numbers",
        ),
        ("// " + "x" * 41_000, (0, 0), "at most 40,000 are read"),
    ],
)
def test_what_is_no_program_is_refused_where_it_is(lines, where, why):
    with pytest.raises(Refused) as caught:
        page_of(f"letters a b\n{lines}", "x")
    assert why in str(caught.value)
    assert caught.value.place == where


@pytest.mark.parametrize(
    "first",
    ["letters", "P := Q_a", "letters a a", "letters \u00e9", "letters ab-", "letters " + " ".join(map(str, range(51)))],
)
def test_letters_are_refused_where_they_are(first):
    with pytest.raises(Refused) as caught:
        page_of(f"{first}\nP := 1", "x")
    assert caught.value.place[0] == 1


def typed(pick, depth=3):
    """An expression, as tokens."""
    if depth == 0 or pick.random() < 0.2:
        return pick.choice(
            ["Q_a", "Q_b", "P", "P (i)", "C >= 2", "2 * C - 1 != C", "#[j <= i] Q_a(j) < 3", "0", "1"]
        ).split()
    if pick.random() < 0.2:
        return ["not", *typed(pick, depth - 1)]
    word = pick.choice(["and", "or", "since", "until", "->", "<->"])
    return ["(", *typed(pick, depth - 1), word, *typed(pick, depth - 1), ")"]


def test_whatever_is_typed_is_refused_or_makes_a_page_that_is_read():
    pick, verdicts = random.Random(30), []  # noqa: S311
    for _ in range(300):
        tokens = typed(pick)
        if pick.random() < 0.5:
            tokens[pick.randrange(len(tokens))] = pick.choice(
                [*typed(pick), "(", "j", "[", ",", ":", ":=", "letters", "C"]
            )
        program = f"letters a b\nP := Q_a since Q_b\nC := #[j <= i] P(j)\nR := {' '.join(tokens)}\n"
        try:
            page = page_of(program, "x")
        except Refused as error:
            verdicts.append(error.place[0])
        else:
            verdicts.append(Page(page).run(n=2, jobs=1).verdict)
    assert set(verdicts) == {4, "holds"}


# The command.


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ab.brasp").write_text(AB)
    return tmp_path


def test_new_writes_the_page_of_a_program(folder, capsys):
    assert main(["new", "ab.page", "--from", "ab.brasp"]) == 0
    assert (folder / "ab.page").read_text() == page_of(AB, "ab")
    assert capsys.readouterr().out.endswith("verify --paper ab.page --n 4\n")
    assert main(["--paper", "ab.page", "--n", "4", "--quiet"]) == 0
    assert main(["new", "ab.page", "--from", "ab.brasp"]) == 2


@pytest.mark.parametrize(
    ("call", "code", "why"),
    [
        (["--from", "bad.brasp"], 2, "verify: bad.brasp: line 2, column 6: Q_c: the letters are a b\n"),
        (["--from", "large.brasp"], 4, "at most 40,000 are read"),
        (["--from", "none.brasp"], 2, "none.brasp: No such file"),
        (["--from", "bytes.brasp"], 2, "bytes.brasp: byte 0 is not UTF-8"),
        (["--from", "ab.brasp", "--sizes", "n >= 1"], 2, "--sizes and --from exclude each other"),
    ],
)
def test_new_tells_what_is_wrong_with_a_program(folder, capsys, call, code, why):
    (folder / "bad.brasp").write_text("letters a b\nP := Q_c\n")
    (folder / "large.brasp").write_text(" " * 50_000)
    (folder / "bytes.brasp").write_bytes(b"\xff")
    assert main(["new", "x.page", *call]) == code
    assert why in capsys.readouterr().err
    assert not (folder / "x.page").exists()

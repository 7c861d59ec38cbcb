"""`verify --paper FILE` and `verify explain --paper FILE`: a page of one's own, from first run to counterexample."""

import hashlib
import json
import re
from pathlib import Path

import pytest

from cli import main
from verifier.page import Page

ROOT = Path(__file__).parent.parent

INDUCTION = """language 1
title "A head that copies"
sizes n >= 1, k >= 2
inputs w in words: words of 1..n letters a in {0, 1, ..., k-1}
m = len(w)
layer previous:
  left = read x[j][1] at max of j over j < i else -1
  x[i] <- x[i] + left * unit(2, 2)
network copy:
  previous
Y = copy([[w[i], 0] for i in 1..m])
top = k - 1 as "top"
claim copy.left, own, "-", on words:
  "Each token reads the letter on its left."
  for i in 2..m: Y[i][2] = w[i-1]
  Y[1][2] = -1
claim copy.small, own, "-", on words:
  "No letter exceeds the largest."
  for i in 1..m: Y[i][2] <= top
"""
SIZES = ["--n", "3", "--k", "2"]
ADDITION = Path(__file__).parent.parent / "verifier/pages/addition.page"


@pytest.fixture
def page(tmp_path):
    def write(text=INDUCTION, name="mine.page"):
        path = tmp_path / name
        path.write_text(text)
        return str(path)

    return write


@pytest.fixture
def told(capsys):
    def call(*words):
        code = main(list(words))
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


def test_a_page_of_ones_own_is_run_and_its_claims_hold(page, told):
    code, out, _ = told("--paper", page(), *SIZES, "--no-check")
    assert code == 0
    assert "words: all 14 words" in out
    assert "previous: attention with 1 head, 2 -> 2" in out
    assert "2 claims hold." in out


def test_a_planted_bug_shows_its_smallest_counterexample(page, told):
    code, out, _ = told("--paper", page(INDUCTION.replace("over j < i", "over j <= i")), *SIZES, "--no-check")
    assert code == 1
    assert "REFUTED: copy.left" in out
    assert "at         0\n" in out
    assert "found      0 against -1" in out


def test_a_counterexample_says_at_which_letters_of_its_loops_it_is(page, told, tmp_path):
    text = INDUCTION.replace("for i in 1..m: Y[i][2] <= top", "for i in 1..m: for k in 1..2: Y[i][2] <= top - i div 3")
    case = [*SIZES, "--claim", "copy.small", "--input", "0"]
    assert "at         010, i = 3, k = 1\n" in told("--paper", page(text), *SIZES, "--no-check")[1]
    assert "-1 <= 1   at i = 1, k = 2\n" in told("explain", "--paper", page(text), *case)[1]
    file = str(tmp_path / "c.json")
    assert told("--paper", page(text), *SIZES, "-q", "--certificate", file)[0] == 1
    assert told("report", file, "-o", str(tmp_path / "c.html"))[0] == 0
    assert "at 010, i = 3, k = 1: 1 against 0" in (tmp_path / "c.html").read_text()


def test_a_variant_exchanges_a_named_number(page, told):
    code, out, _ = told("--paper", page(), *SIZES, "--variant", "top=0", "--no-check")
    assert code == 1
    assert "VARIANT    top = 0" in out
    code, _, err = told("--paper", page(), *SIZES, "--variant", "top=1", "--no-check")
    assert code == 2
    assert "the page's own number" in err


def test_a_page_may_stand_in_markdown(page, told):
    text = "# My head\n\nIt copies.\n\n```page\n" + INDUCTION + "```\n\nEnd.\n"
    code, out, _ = told("--paper", page(text, "mine.md"), *SIZES, "--no-check")
    assert code == 0
    assert "2 claims hold." in out


@pytest.mark.parametrize(
    ("words", "told_in_err"),
    [
        (["--n", "3"], "--k is missing; the page's sizes are at least --n 1 --k 2"),
        (["--n", "3", "--k", "1"], "k = 1: the page wants k >= 2"),
        (["--n", "3..1", "--k", "2"], "3..1 is an empty range"),
        (["--n", "x", "--k", "2"], "a size is a whole number, or a range such as 1..6"),
        ([*SIZES, "--claims", "copy.lef"], "did you mean copy.left?"),
        ([*SIZES, "--variant", "tp=1"], "no number named tp"),
        ([*SIZES, "--variant", "top"], "it is NAME=VALUE"),
        (["--n", "1..3", "--k", "2", "--certificate", "c.json"], "a certificate is of one choice of sizes"),
    ],
)
def test_a_mistake_in_the_call_is_one_line_and_exit_2(page, told, words, told_in_err):
    code, out, err = told("--paper", page(), *words)
    assert (code, out) == (2, "")
    assert told_in_err in err
    assert err.count("\n") == 1


def test_a_mistake_in_the_page_has_line_and_column(page, told):
    code, _, err = told("--paper", page(INDUCTION.replace("<= top", "<= tpo")), *SIZES)
    assert code == 2
    assert "mine.page: line 19, column 29: nothing here is called tpo; did you mean top?" in err


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("len(w) > 0 recognizes true", "column 14: the line should end before 'recognizes'; did you mean recognises?"),
        ("len(w) recogises true", "column 10: a sign is missing before 'recogises'; did you mean recognises?"),
        ("2 len(w) >= 0", "column 5: a sign is missing before 'len'; a product always has its '*'"),
        ("len(w) == 0", "column 11: expected a number, a name or a bracket here, found '='; '=' is written once"),
        ("len(w) >= 0.5", "column 13: a number has no decimal point: write a fraction, such as 1/2"),
        ("len(w) ≤ 1", "column 10: '≤' is no sign of the language; write <="),
        (
            "read w[1] at max of 0 = 1",
            "column 3: expected a number, a name or a bracket here, found 'read'; a read has a line",
        ),
        ("len(w) > 0", ""),
    ],
)
def test_a_slip_says_what_would_be_right(line, why, told, tmp_path):
    page = tmp_path / "mine.page"
    page.write_text(
        f'language 1\ninputs w in its: words of 1 bits a in {{0, 1}}\nclaim t, own, "-", on its:\n  "x"\n  {line}\n'
    )
    code, out, err = told("--paper", str(page), "-q")
    assert (code, why in err, err.count("\n")) == (2, True, 1) if why else (code, out) == (0, "holds\n")


@pytest.mark.parametrize("how", [[], ["--slow"]])
def test_what_cannot_be_computed_names_the_claim_and_the_case(page, told, how):
    text = INDUCTION.replace("w[i-1]", "w[i-2]")
    code, out, err = told("--paper", page(text), *SIZES, *how)
    assert (code, out) == (2, "")
    assert "index 0: the list runs from 1 to 2; met by copy.left at the case 00" in err
    text = INDUCTION.replace("  Y[1][2] = -1", "  once: 1 / (n - 3) > 0")
    code, out, err = told("--paper", page(text), *SIZES, *how)
    assert (code, out) == (2, "")
    assert "a division by 0; met by copy.left\n" in err


def test_a_page_without_sizes_speaks_of_none(page, told, tmp_path):
    text = 'language 1\ntitle "T"\ninputs w in words: words of 1..2 bits a in {0, 1}\n'
    text += 'claim t.a, own, "-", on words:\n  "No length is 0."\n  len(w) > 0\n'
    code, out, _ = told("--paper", page(text), "--certificate", str(tmp_path / "c.json"))
    assert code == 0
    assert "1 claim holds. Every case was run, in exact numbers.\n" in out
    assert main(["check", str(tmp_path / "c.json")]) == 0


def test_too_many_cases_are_refused_with_their_number(page, told):
    code, _, err = told("--paper", page(), "--n", "3", "--k", "2", "--max-points", "13", "--slow")
    assert code == 4
    assert "words has 14 cases of 1 to 3 items; the limit is 13" in err


@pytest.mark.parametrize("how", [[], ["--slow"]])
def test_a_case_in_two_categories_is_named_as_the_word_that_it_is(page, told, how):
    text = "language 1\ninputs X in G: words of 3 letters a in {0, 1}\ncategory a of G if true: 8 cases, 8 inputs\n"
    text += 'category b of G if X[2] = 1: 4 cases, 4 inputs\nclaim t.t, own, "-", on G:\n  "x"\n  X[1] >= 0\n'
    assert "the case 010 is in a and in b; each is in exactly one" in told("--paper", page(text), *how)[2]


@pytest.mark.parametrize(
    ("inputs", "n", "told_of"),
    [
        ("words of 0..n items a in {1, 2, 3, 4, 5}", 4, "its has 781 cases of 0 to 4 items"),
        ("multisets of 0..n items a in {1, 2, 3, 4, 5}", 4, "its has 126 cases of 0 to 4 items"),
        ("sets of 0..n items a in {1, 2, 3, 4, 5}", 4, "its has 31 cases of 0 to 4 items"),
        ("words of n items a in {1, 2, 3, 4, 5}", 4, "its has 625 cases of 4 items"),
        ("multisets of 0..n items a in {1, 2, ..., 50}", 90, "its has more than 10^30 cases of 0 to 90 items"),
        ("words of 0..n items a in {0, j} at j", 4, "its has more than 3 cases of 0 to 4 items"),
        ("words of 0..n items a in {0, j} at j", 2, "its has 7 cases of 0 to 2 items"),
    ],
)
def test_the_number_told_is_that_of_all_cases(inputs, n, told_of, page, told):
    """Not of those up to where the limit was passed; with sets of their own for each place no more are counted."""
    text = f'language 1\nsizes n >= 1\ninputs w in its: {inputs}\nclaim t.a, own, "-", on its:\n  "x"\n  len(w) >= 0\n'
    path = page(text)
    code, _, err = told("--paper", path, "--n", str(n), "--max-points", "3", "--slow")
    assert (code, f" {told_of}; the limit is 3: take smaller sizes" in err) == (4, True)
    if n < 9:
        found = Page(text).run(n=n).content["inputs"]["its"]["cases"]
        assert "more than" in told_of or f" {found} cases" in told_of


def test_words_that_are_run_by_states_have_no_limit_and_their_number_is_told(page, told):
    text = "language 1\nsizes n >= 1\ninputs w in its: words of 0..n items a in {1, 2, 3, 4, 5}\n"
    text += 'claim t.a, own, "-", on its:\n  "x"\n  sum(w) <= 5 * n - 1\n'
    code, out, _ = told("--paper", page(text), "--n", "60", "--max-points", "3")
    assert (code, f"its: all {(5**61 - 1) // 4:,} words" in out) == (1, True)
    assert f"at         {'5' * 60}\n" in out
    assert "fails at   1 case\n" in out


def test_what_is_not_foreseen_by_the_sizes_ends_and_a_time_limit_allows_more(page, told, monkeypatch):
    text = INDUCTION.replace("Y[1][2] = -1", "sum(sum(a*b*w[1] for a in 1..200) for b in 1..200) >= 0")
    monkeypatch.setattr("verifier.evaluate.definition.STEPS", 100_000)
    code, out, err = told("--paper", page(text), *SIZES, "--no-check")
    assert (code, out) == (4, "")
    assert (
        "the budget of steps is spent; take smaller sizes, or let `verify --paper` run S seconds: --time-limit S" in err
    )
    code, out, _ = told("--paper", page(text), *SIZES, "--no-check", "--time-limit", "600")
    assert code == 0
    assert "2 claims hold." in out


def test_vacuous_claims_are_no_success(page, told):
    text = INDUCTION.replace("on words:", "on words if m > n:")
    code, out, err = told("--paper", page(text), *SIZES, "--no-check")
    assert code == 5
    assert "vacuous (nothing was compared): copy.left, copy.small" in out
    assert "vacuous: copy.left, copy.small" in err


LONG = """language 1
title "a case that is long"
sizes n >= 1
inputs w in long: list [[10^1000 + i for i in 1..n]]
claim a.a, own, "-", on long:
  "."
  w[1] = 0
"""


def test_a_certificate_that_nobody_would_read_is_not_written(page, told, monkeypatch, tmp_path):
    path = tmp_path / "c.json"
    monkeypatch.setattr("verifier.evaluate.certificate.MOST_BYTES", 5_000)
    code, out, err = told("--paper", page(LONG), "--n", "5", "--certificate", str(path))
    assert (code, out, path.exists()) == (4, "", False)
    assert re.search(r"the certificate would have \d,\d+ bytes, and at most 5,000 are read: the cases that", err)
    assert told("--paper", page(LONG), "--n", "2", "--certificate", str(path))[0] == 1


def test_a_promise_has_the_sizes_in_the_pages_own_order(page, told, tmp_path):
    """They aren't in alphabetical order, nor is the call's order theirs."""
    path, file = (
        page(INDUCTION.replace("sizes n >= 1, k >= 2", "sizes n >= 1, k >= 2, a >= 1")),
        str(tmp_path / "c.json"),
    )
    _, out, _ = told("--paper", path, "--a", "1", "--k", "2", "--n", "3", "--certificate", file, "--no-check")
    assert "at         n = 3, k = 2, a = 1\n" in out
    digest = hashlib.sha256(Path(path).read_bytes()).hexdigest()
    for sizes, code in (("3 2 1", 0), ("1 2 3", 1)):
        assert told("check", file, "--promise", f"{sizes} copy.left holds paper=page:{digest}")[0] == code


def test_explain_follows_a_word_that_is_typed_in(page, told):
    code, out, _ = told("explain", "--paper", page(), *SIZES, "--input", "101", "--claim", "copy.left")
    assert code == 0
    assert "token 3  [1, 0] -> [1, 0]" not in out
    assert "token 2  [0, 0] -> [0, 1]" in out
    assert out.count("holds") == 3


def test_what_is_recognised_is_counted_on_the_terminal_and_in_the_report(told, tmp_path):
    c, html = str(tmp_path / "c.json"), tmp_path / "r.html"
    sizes = ["--k", "2", "--D", "2", "--n", "4", "--sign", "0", "--active", "0", "--guard", "0", "--tie", "0"]
    code, out, _ = told("--paper", "dyck_rounds", *sizes, "--certificate", c)
    counts = "8 of 340 words accepted; none wrongly accepted; 2 wrongly rejected, the first at [1, 2, -2, -1]"
    assert (code, counts in " ".join(out.split())) == (1, True)
    assert told("report", c, "-o", str(html))[0] == 0
    assert counts in html.read_text()
    assert ">equality</td>" in html.read_text()


def test_brackets_are_typed_as_they_are(told):
    call = ["explain", "--paper", "dyck1", "--n", "4", "--D", "2", "--input"]
    code, out, _ = told(*call, "(()")
    assert (code, out) == told(*call, "[1, 1, -1]")[:2]
    assert (code, "[1, 1, -1]" in out) == (0, True)
    assert told(*call, "([]")[0] == 2  # no bracket of this page


def test_explain_without_an_input_tells_the_counterexample(page, told):
    text = INDUCTION.replace("over j < i", "over j <= i")
    code, out, _ = told("explain", "--paper", page(text), *SIZES, "--claim", "copy.left")
    assert code == 0
    assert "input    0 " in out
    assert "Y[1][2] = -1:   0 = -1" in out
    assert "FAILS" in out


@pytest.mark.parametrize(
    ("case", "why"),
    [
        ("012", "item 3 is 2, and the set of that position is {0, 1}"),
        ("0101", "these inputs have 1 to 3"),
        ("[0,", "an input is"),
    ],
)
def test_explain_says_why_an_input_is_none(page, told, case, why):
    code, _, err = told("explain", "--paper", page(), *SIZES, "--input", case)
    assert code == 2
    assert why in err


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("over j < i", "over j <= i"), "line 7:\n    left = read x[j][1] at max of j over j <= i else -1"),
        (("that copies", "that copied"), 'line 2:\n    title "A head that copied"'),
        (("  previous\n", "  previous\n  previous\n"), "line 11:\n    previous"),
        (("<= top\n", "<= top\n  1 = 1\n"), "line 20:\n    1 = 1"),
    ],
)
def test_explain_shows_where_two_texts_differ_first(page, told, change, said):
    one, other = page(), page(INDUCTION.replace(*change), "other.page")
    code, out, _ = told("explain", "--paper", one, "--against", other)
    assert code == 0
    assert out.startswith("the two pages differ first in\n")
    assert f"other.page, {said}\n" in out
    assert f"mine.page, {said}\n" in told("explain", "--paper", page(INDUCTION.replace(*change)), "--against", page(
        INDUCTION, "other.page"))[1]  # fmt: skip


def test_comments_and_layout_are_no_difference(page, told):
    text = "# mine\n\n" + INDUCTION.replace("[i] + left * unit(2, 2)", "[i]+(left*unit(2,\n     2))  # reads")
    code, out, _ = told("explain", "--paper", page(), "--against", page(text, "other.page"))
    assert (code, out) == (0, "the two pages say the same, line by line; only comments and layout can differ\n")
    code, _, err = told("explain", "--paper", page(), "--against", page(text, "other.page"), *SIZES)
    assert code == 2
    assert "--against compares two texts, whatever the sizes" in err


def test_check_says_whose_page_it_is_and_shows_it(page, told, tmp_path):
    file = str(tmp_path / "c.json")
    assert told("--paper", page(), *SIZES, "--quiet", "--certificate", file)[0] == 0
    code, out, _ = told("check", file, "--show")
    assert code == 0
    assert "the page isn't one of this package's: what it means is yours to judge" in out
    assert '    2 | title "A head that copies"\n' in out
    assert told("--paper", str(ADDITION), "--n", "2", "-q", "--certificate", file)[0] == 0
    assert "the page is verifier/pages/addition.page" in told("check", file)[1]
    assert told("check", file, "--show", "--format", "json")[0] == 2


# Pages of this package, by their names
def test_a_page_of_this_package_is_run_and_explained_by_its_name(told):
    code, out, _ = told("--paper", "parity", "--n", "3", "--no-check")
    assert (code, "4 claims hold." in out) == (0, True)
    code, out, _ = told("explain", "--paper", "parity", "--n", "3", "--claim", "parity.decides", "--input", "101")
    assert (code, out.splitlines()[1]) == (0, "input    101   (of words)")


def test_the_beginning_of_a_name_is_enough_if_it_is_one_names(told):
    assert told("--paper", "addi", "--n", "2", "-q", "--no-check")[:2] == (0, "holds\n")
    code, _, err = told("--paper", "par", "--n", "2")
    assert (code, "'par' is the beginning of 2 pages" in err) == (2, True)
    code, _, err = told("--paper", "majority", "--n", "2")
    assert (code, "no page 'majority' in this package; " in err) == (2, True)


def test_claims_of_a_page_have_the_text_that_is_evaluated(page, told):
    code, out, _ = told("claims", "copy.left", "--paper", page(), "--format", "json")
    (row,) = json.loads(out)["rows"]
    assert (code, row["domain"]) == (0, "each case of words")
    assert row["formula"] == "for i in 2..m: Y[i][2] = w[i - 1]; Y[1][2] = -1"
    assert told("claims", "--paper", "parity")[1].startswith("parity.mark   (after Section 3.1)\n")
    assert told("claims", "parity.lost", "--paper", "parity")[0] == 2


def test_a_promise_names_a_page_of_this_package_and_all_means_every_claim_it_has(told, tmp_path):
    every, one = str(tmp_path / "every.json"), str(tmp_path / "one.json")
    told("--paper", "parity", "--n", "3", "--certificate", every)
    told("--paper", "parity", "--n", "3", "--claims", "parity.mark", "--certificate", one)
    assert told("check", every, "--promise", "3 all paper=parity")[0] == 0
    assert told("check", every, "--promise", "2 all paper=parity")[0] == 1
    assert told("check", every, "--promise", "3 all paper=ltl")[0] == 1
    assert told("check", one, "--promise", "3 parity.mark paper=parity")[0] == 0
    code, out, err = told("check", one, "--promise", "3 all paper=parity")
    assert (code, "doesn't have parity.decides, parity.margin, first.decides" in out + err) == (1, True)

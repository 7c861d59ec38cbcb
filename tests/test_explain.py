"""`verify explain` on the pages of the package: the paper's networks on one input, claims down to numbers. (On a page
of one's own: test_page_command.py.)"""

import json

import pytest

from cli import main


@pytest.fixture
def told(capsys, monkeypatch):
    """What `verify explain` ends with and prints."""
    monkeypatch.setenv("COLUMNS", "")

    def call(*words):
        code = main(["explain", *words])
        out, err = capsys.readouterr()
        return code, out, err

    return call


def sizes(d, n, N):
    return "--d", str(d), "--n", str(n), "--N", str(N)


SWEEP = """
Z = sweep(X)
  token 1  [0]
  token 2  [1/4]
  token 3  [3/4]
  shift(0)
  token 1  [0] -> [3]   (reads [3/4] and [0])
  shift(1/4)
  token 2  [1/4] -> [45/4]   (reads [3] and [1/4])
  shift(3/4)
  token 3  [3/4] -> [171/4]   (reads [45/4] and [3/4])
"""


def test_a_matrix_goes_through_the_papers_layers_and_its_claims_are_tried(told):
    code, out, _ = told(*sizes(1, 3, 4), "--matrix", "0,1/4,3/4")
    assert code == 0
    assert SWEEP in out
    rows = {line.split()[0]: line.split() for line in out.splitlines() if line and line[0] != " "}
    assert " ".join(rows["lemma6.3"][1:]) == "holds q[j] < t_r: 43947/4 < 12288 at j = 3 5205/4"
    assert rows["lemma7.map"][1] == "fails"
    assert rows["lemma8.radius"][1] == "fails*"
    alone, none = (
        " ".join(out[out.index(words) :].split("\nnot ")[0].split()) for words in ("not decided", "not about")
    )
    assert "lemma6.2" in alone
    assert "lemma6.4" in none
    assert "lemma6.2" not in none


@pytest.mark.parametrize(
    "typed", [("--matrix", "0.75, 0, 1/4"), ("--matrix", "[3/4,0,2/8]"), ("--input", "[[3/4], [0], [1/4]]")]
)
def test_the_same_input_may_be_typed_in_many_ways(told, typed):
    """Columns of a multiset in any order."""
    assert SWEEP in told(*sizes(1, 3, 4), *typed)[1]


def test_a_matrix_has_rows_and_the_sentinel_is_s(told):
    _, out, _ = told(*sizes(2, 2, 2), "--matrix", "0,1/2;1/2,s", "--claim", "lemma6.4")
    assert "input    [[1/2, -16], [0, 1/2]]   (of Gplus)\n" in out
    assert "q[j] >= t_r:   8515 >= 1536   at j = 2\n         holds\n" in out


def test_a_claim_is_unfolded_to_numbers_and_nothing_that_was_not_looked_at_is(told):
    code, out, _ = told(*sizes(1, 2, 2), "--claim", "c.order")
    assert code == 0
    assert "shifts' = n:   3 = 2\n         FAILS\n" in out
    where = out.partition("\nwhere\n")[2]
    assert where.startswith("  shifts' = len(S') - 1\n    = 3\n  t'[j] = id(Z'[j]) for j in 1..n\n    = [5/2, 2]\n")
    assert "  id(c) = dot(u, c)\n" in where
    assert "Z' = sweep'(X)" not in where, "it is told above"
    assert "global" not in where


def test_two_cases_that_a_claim_compares(told):
    _, out, _ = told(*sizes(1, 3, 4), "--claim", "lemma6.2")
    assert [line for line in out.splitlines() if line.startswith("input")] == [
        "input    [[0], [1/4], [1/2]]   (of Gplus)",
        "input    [[1/4], [1/2], [3/4]]   (of Gplus)",
    ]
    assert "b - a > 0:   155/4 > 0   at a = 14135/2, b = 28425/4\n         holds\n" in out


def test_what_is_said_of_all_cases_together_has_its_numbers_too(told):
    _, out, _ = told(*sizes(1, 2, 2), "--claim", "grid.sizes")
    assert "sum(weight over Gplus) = (N+1)^(d*n):   9 = 9\n         holds\n" in out


def test_a_variant_says_so_and_its_number_is_the_one_that_is_used(told):
    _, out, _ = told(*sizes(1, 2, 3), "--variant", "t_r=130", "--claim", "lemma6.3")
    assert out.startswith("VARIANT: t_r = 130, and not what the page says\n")
    assert "q[j] < t_r:   392/3 < 130   at j = 2\n         FAILS\n" in out
    assert "  t_r, of this variant\n    = 130\n" in out


def test_a_matrix_that_is_no_case_is_run_and_no_claim_is_about_it(told):
    code, out, _ = told(*sizes(1, 2, 2), "--matrix", "3/2,0")
    assert code == 0
    assert "(no claim is about it: item 1 is [3/2], and the set of that position is {[-4], [0], [1/2]})" in " ".join(
        out.split()
    )
    assert "  q'[j] = id(Q'[j]) for j in 1..n\n    = [297/2, 147]\n" in out
    assert "holds" not in out


def test_json_is_the_same_as_data(told):
    document = json.loads(told(*sizes(1, 3, 4), "--matrix", "0,1/4,3/4", "--claim", "lemma6.3", "--format", "json")[1])
    (story,) = document["stories"]
    assert story["case"] == [["0"], ["1/4"], ["3/4"]]
    sweep, last = story["runs"]
    assert sweep["called"] == "Z = sweep(X)"
    assert sweep["steps"][1]["changed"] == [{"token": 2, "from": ["1/4"], "to": ["45/4"], "reads": [["3"], ["1/4"]]}]
    assert [change["to"] for change in last["steps"][0]["changed"]] == [["10947"], ["43821/4"], ["43947/4"]]
    assert [r["value"] for r in story["relations"] if r["sign"] == "<"] == ["10947", "43821/4", "43947/4"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((*sizes(1, 3, 4), "--matrix", "0,x,0"), "--matrix 0,x,0: 'x' is not a rational"),
        ((*sizes(2, 2, 2), "--matrix", "0,0;0"), "the rows have 2 and 1 entries"),
        ((*sizes(1, 3, 4), "--matrix", "0,1/4"), "--matrix 0,1/4: it has 2 items; these inputs have 3"),
        (("--paper", "parity", "--n", "2", "--matrix", "0,s"), 's is the number that a page names by `as "sentinel"`'),
        ((*sizes(1, 2, 2), "--matrix", "0,0", "--input", "[0]"), "two ways to type one input"),
        ((*sizes(1, 2, 2), "--claim", "lemma6.33"), "did you mean lemma6.3?"),
        ((*sizes(1, 2, 2), "--claim", "lemma6"), "lemma6 is more than one claim"),
        ((*sizes(1, 2, 2), "--claim", "lemma6.layers", "--matrix", "0,0"), "about the construction itself"),
        ((*sizes(1, 2, 2), "--claim", "lemma9.compact", "--input", "[[9], [0]]"), "item 1 is [9], and the set of that"),
        (("--paper", "nobody", "--n", "2"), "no page 'nobody'"),
    ],
)
def test_a_mistake_is_one_line_and_exit_2(told, words, said):
    code, out, err = told(*words)
    assert (code, out) == (2, "")
    assert said in err

"""The story of one matrix: by hand, by the slow truth, back from every value; and of a claim's tightest case."""

import json
import re
from fractions import Fraction
from itertools import permutations, product
from types import SimpleNamespace

import pytest

import slow_truth
from test_cli import call, instance
from verifier.catalogue import all_claims
from verifier.core.exact import Q, columns_of, from_columns, matrix_text, text_of
from verifier.papers.yun2020.contextual_map import contextual_map
from verifier.papers.yun2020.instance import Instance
from verifier.papers.yun2020.size import refuse_if_too_long
from verifier.report import claim_trace
from verifier.report.claim_trace import trace_claim
from verifier.report.subject import CONSTRUCTIONS, BadMatrix, Subject, parse_matrix
from verifier.report.trace import trace
from verifier.run.stop import TooLarge
from verifier.run.verify import RunOptions, verify


def traced(parts, text, construction="contextual"):
    subject = Subject(CONSTRUCTIONS[construction], Instance(*parts))
    return trace(subject, parse_matrix(text, subject))


def words(values):
    return " ".join(map(text_of, values))


def moves(told):
    """level, column, what the heads read, what is added, the id after."""
    return [
        (text_of(level.level), move.column, words(move.reads), text_of(move.added), text_of(move.after))
        for level in told.acting
        for move in level.moves
    ]


def shifts(told):
    """What the global shift reads and adds, column by column."""
    return [(words(move.reads), text_of(move.added)) for move in told.global_moves]


def test_a_matrix_of_category_1_by_hand():
    told = traced((1, 3, 4), "0,1/4,3/4")
    assert (told.category, told.off_grid, words(told.ids)) == (1, (), "0 1/4 3/4")
    assert moves(told) == [
        ("0", 1, "3/4 0", "3", "3"),  # 4 (3/4 - 0)
        ("1/4", 2, "3 1/4", "11", "45/4"),  # 4 (3 - 1/4)
        ("3/4", 3, "45/4 3/4", "42", "171/4"),  # 4 (45/4 - 3/4)
    ]
    assert (told.sweep_length, told.idle, told.in_vain) == (4, 1, ())
    assert words(told.swept) == "3 45/4 171/4"
    assert shifts(told) == [("171/4", "10944")] * 3  # 256 . 171/4
    assert words(told.q) == "10947 43821/4 43947/4"
    (bounds,) = told.bounds
    assert [[text_of(r.slack) for r in bounds.place(q)] for q in told.q[:1]] == [["7875", "1341"]]


def test_its_way_back_by_hand():
    decoding = traced((1, 3, 4), "0,1/4,3/4").decoding
    assert [(r.j, text_of(r.swept), r.residue, text_of(r.id), text_of(r.before)) for r in decoding.reads] == [
        (3, "171/4", 3, "3/4", "45/4"),  # 171 = 3 mod 4, (171 - 3)/4 + 3 = 45
        (2, "45/4", 1, "1/4", "3"),  # 45 = 1 mod 4, (45 - 1)/4 + 1 = 12
        (1, "3", 0, "0", "3/4"),  # 12 = 0 mod 4, 12/4 = 3
    ]
    assert (decoding.place, decoding.own, decoding.same) == (1, 1, (2, 3))
    assert decoding.leads_back
    assert decoding.closes
    assert matrix_text(decoding.X) == "0, 1/4, 3/4"


def test_the_columns_are_told_of_where_they_stand():
    told = traced((1, 3, 4), "3/4,0,1/4")
    assert told.order == (1, 2, 0)
    assert [(level, column) for level, column, *_ in moves(told)] == [("0", 2), ("1/4", 3), ("3/4", 1)]
    assert words(told.q) == "10947 43821/4 43947/4"
    assert told.decoding.leads_back


def test_a_matrix_of_category_2_by_hand():
    told = traced((1, 3, 4), "1/4,3/4,1/4")
    assert told.category == 2
    assert moves(told) == [
        ("1/4", 1, "3/4 1/4", "2", "9/4"),
        ("1/4", 3, "3/4 1/4", "2", "9/4"),
        ("3/4", 2, "9/4 3/4", "6", "27/4"),
    ]
    assert shifts(told) == [("27/4", "1728")] * 3
    assert words(told.q) == "6921/4 6921/4 6939/4"
    assert told.decoding is None
    assert "lemma6.4" in {test.claim.id for test in told.tests.made if test.holds}


def test_a_level_that_finds_columns_and_adds_nothing():
    told = traced((1, 2, 4), "1/2,1/2")
    assert (told.acting, words(told.in_vain), told.idle) == ((), "1/2", 4)


def test_a_matrix_of_category_3_by_hand():
    told = traced((1, 3, 4), "s,0,1/4")
    assert (told.category, words(told.ids), told.sentinels[0]) == (3, "-64 0 1/4", -64)
    assert moves(told) == [("0", 2, "1/4 -64", "257", "257"), ("1/4", 3, "257 -64", "1284", "5137/4")]
    assert shifts(told) == [("-64", "-16384"), ("5137/4", "328768"), ("5137/4", "328768")]
    assert words(told.q) == "-16448 329025 1320209/4"
    assert told.decoding is None
    tests = {test.claim.id: test for test in told.tests.made}
    assert {"b5.ids-sentinel", "b5.cat3-minimum", "b5.cat3-shift", "b5.cat3-final", "lemma6.4"} <= set(tests)
    assert text_of(tests["lemma6.4"].relation.slack) == "19520"  # 3072 + 16448
    assert traced((1, 3, 4), "-64,0,1/4") == told


def test_a_matrix_off_the_grid_by_hand():
    """1/8 is the upper threshold of level 0: the lower head reads the mean of 1/8, 3/4 and 0 there."""
    told = traced((1, 3, 4), "1/8,3/4,0")
    assert (told.category, told.off_grid) == (None, ((1, 1),))
    assert moves(told) == [
        ("0", 1, "3/4 7/24", "11/6", "47/24"),
        ("0", 3, "3/4 0", "3", "3"),
        ("3/4", 2, "3 3/4", "9", "39/4"),
    ]
    assert [move.ties for level in told.acting for move in level.moves] == [(False, True), (False,) * 2, (False,) * 2]
    assert words(told.q) == "2499 59951/24 10023/4"
    assert (told.tests.made, told.tests.with_others, told.decoding) == ((), (), None)


def test_two_rows_by_hand():
    told = traced((2, 2, 2), "0,1/2;1/2,0")
    assert (told.order, words(told.ids)) == ((1, 0), "1/2 1")
    assert moves(told) == [("1/2", 2, "1 1/2", "2", "5/2"), ("1", 1, "5/2 1", "6", "7")]
    assert shifts(told) == [("7", "448")] * 2
    assert words(told.q) == "901/2 455"
    assert [read.column for read in told.decoding.reads] == [(0, Q(1, 2)), (Q(1, 2), 0)]
    assert told.decoding.leads_back


def test_more_tokens_than_columns():
    told = traced((1, 3, 2), "0,1/2,0")
    assert (told.category, told.decoding) == (2, None)
    assert moves(told) == [
        ("0", 1, "1/2 0", "1", "1"),
        ("0", 3, "1/2 0", "1", "1"),
        ("1/2", 2, "1 1/2", "1", "3/2"),
    ]


def test_the_slides_sentinel_is_read_as_another_matrix():
    told = traced((1, 2, 2), "s,0", "slides")
    assert moves(told) == [
        ("0", 1, "-1/8 -1/4", "1/4", "0"),  # -1/4 is the lower threshold of level 0; the mean is -1/8
        ("0", 2, "0 -1/4", "1/2", "1/2"),
        ("1/2", 2, "1/2 0", "1", "3/2"),
    ]
    assert shifts(told) == [("3/4", "6"), ("3/2", "12")]  # 0 is the threshold of the global shift
    assert words(told.q) == "6 27/2"
    ((test),) = told.tests.made
    assert (test.claim.id, test.holds) == ("slides.sentinel", False)
    assert (told.decoding.place, matrix_text(told.decoding.X), told.decoding.leads_back) == (2, "0, 1/2", False)
    assert not traced((1, 2, 2), "0,1/2", "slides").tests.made


def test_a_context_of_appendix_c_that_is_shifted_thrice():
    told = traced((1, 2, 2), "1/2,1", "positional")
    assert moves(told) == [
        ("1/2", 1, "1 1/2", "1", "3/2"),
        ("1", 2, "3/2 1", "1", "2"),
        ("3/2", 1, "2 3/2", "1", "5/2"),
    ]
    assert not told.decoding.leads_back
    assert {test.claim.id for test in told.tests.made if not test.holds} == {"c.order"}


def test_a_good_context_against_both_intervals_of_hu():
    told = traced((1, 2, 2), "0,1", "hu")
    assert words(told.q) == "98 99"
    published, repaired = told.bounds
    assert [r.slack for r in published.place(told.q[0])] == [30]
    assert [r.slack for r in repaired.place(told.q[0])] == [66, 430]
    assert {test.claim.id for test in told.tests.made if not test.holds} == {"hu.threshold"}
    assert told.decoding.leads_back
    bad = traced((1, 2, 2), "s,1", "hu")
    assert (bad.kind, bad.X[0][0], bad.decoding) == ("a context with a sentinel", -26, None)
    assert {test.claim.id for test in bad.tests.made} == {"hu.ids-sentinel", "hu.threshold-repaired", "hu.outside"}


@pytest.mark.parametrize("parts", [(1, 2, 2), (1, 2, 5), (1, 3, 4), (1, 4, 4), (2, 2, 2), (1, 3, 2)])
def test_every_orbit_leads_back_or_is_rejected(parts):
    i = Instance(*parts)
    subject, grid = Subject(CONSTRUCTIONS["contextual"], i), contextual_map(i).grid
    for number, orbit in enumerate(grid.orbits()):
        orders = list(permutations(columns_of(grid.matrix(orbit))))
        X = from_columns(orders[number % len(orders)])
        told = trace(subject, X)
        assert not told.off_grid
        if told.category == 1:
            assert told.decoding.leads_back
            assert told.decoding.closes
            assert (told.decoding.place, told.decoding.own) == (1, 1)
            assert told.decoding.same == tuple(range(2, i.n + 1))
            assert grid.matrix(orbit) == told.decoding.X
        else:
            assert told.decoding is None


@pytest.mark.parametrize("parts", [(1, 2, 2), (1, 2, 3), (1, 3, 3), (2, 2, 2)])
@pytest.mark.parametrize("name", ["positional", "hu"])
def test_every_context_whose_columns_are_shifted_in_order_leads_back(parts, name):
    i = Instance(*parts)
    subject = Subject(CONSTRUCTIONS[name], i)
    for columns in subject.map.contexts():
        told = trace(subject, from_columns(columns))
        in_order = [[move.column for move in level.moves] for level in told.acting] == [[j + 1] for j in range(i.n)]
        assert told.decoding.leads_back == in_order
        assert in_order or (i.d, i.n) == (1, 2)
        assert told.decoding.X == told.X or not in_order


@pytest.mark.parametrize("parts", [(1, 3, 2), (2, 2, 2)])
def test_what_is_told_adds_up_on_matrices_anywhere(parts):
    """As the slow truth has it: each layer's moves make the ids after it, and q is u^T g_c."""
    d, n, N = parts
    entries = [Fraction(k, 3 * N) for k in (-2, 0, 1, 3, 7)][: 5 if d == 1 else 3]
    for values in product(entries, repeat=d * n):
        rows = [values[i * n : (i + 1) * n] for i in range(d)]
        told = traced(parts, ";".join(",".join(map(str, row)) for row in rows))
        last = slow_truth.g_c(d, n, N, rows)[-1]
        q = [sum(N**i * last[i][j] for i in range(d)) for j in range(n)]
        assert [Fraction(text_of(q)) for q in told.q] == [q[j] for j in told.order]
        ids = dict(enumerate((told.ids[told.order.index(j)] for j in range(n)), start=1))
        for level in told.acting:
            assert level.moves
            for move in level.moves:
                assert move.before == ids[move.column]
                assert move.added == N**d * (move.reads[0] - move.reads[1])
                ids[move.column] = move.after
        for move in told.global_moves:
            assert move.before == ids[move.column]
            assert move.added == told.global_factor * move.reads[0]


MALFORMED = [
    ("", "row 1 is empty; each of the 3 entries of a row is a number such as 1/4, or s"),
    (";", "row 1 is empty"),
    ("0,1/4,3/4;", "row 2 is empty"),
    ("0,,1/4", "row 1, entry 2 is empty; each of the 3 entries"),
    ("0,1/4, ", "row 1, entry 3 is empty"),
    ("0,1/4", "row 1: entry 3 is missing; it has 2 entries, and n = 3"),
    ("0", "row 1: entry 2 is missing; it has 1 entry, and n = 3"),
    ("0,1/4,1/2,3/4", "row 1: entry 4 is too many; it has 4 entries, and n = 3"),
    ("0,1/4,3/4;0,1/4,3/4", "row 2 is too many; there are 2 rows (separated by `;`), and d = 1"),
    ("0,0.25e1,1/4", "row 1, entry 2: '0.25e1' is not a rational"),
    ("0,1e-1,1/4", "row 1, entry 2: '1e-1' is not a rational"),
    ("0,nan,1/4", "row 1, entry 2: 'nan' is not a rational such as 3, -5, 3/4 or 0.75; the sentinel is s"),
    ("S,0,1/4", "row 1, entry 1: 'S' is not a rational such as 3, -5, 3/4 or 0.75; the sentinel is s"),
    ("0,2/0,1/4", "row 1, entry 2: '2/0' is not a rational such as 3, -5, 3/4 or 0.75"),
    ("0,0,-0", "row 1, entry 3: '-0' has a sign"),
    ("0,0,1/0", "row 1, entry 3: '1/0' is not a rational"),
    ("0 1,0,0", "row 1, entry 1: '0 1' is not a rational"),
    ("[0,0,0", "row 1, entry 1: '[0' is not a rational"),
    ("0,0,\u0663", "row 1, entry 3: '\\u0663' is not a rational"),
    ("0,0,1\n", "row 1, entry 3: '1\\n' is not a rational"),
    (f"0,0,{'9' * 2000}", "row 1, entry 3: a number of 2000 digits"),
]


@pytest.mark.parametrize(("text", "message"), MALFORMED, ids=lambda part: part[:30])
def test_a_malformed_matrix_gets_the_place_of_the_mistake(text, message):
    with pytest.raises(BadMatrix, match="^" + re.escape(message)):
        traced((1, 3, 4), text)


def test_malformed_in_a_second_row_and_where_there_is_no_sentinel():
    with pytest.raises(BadMatrix, match=r"^row 2: entry 2 is missing; it has 1 entry, and n = 2"):
        traced((2, 2, 2), "0,1/2;0")
    with pytest.raises(BadMatrix, match=r"^row 2 is missing; there are 1 row "):
        traced((2, 2, 2), "0,1/2")
    with pytest.raises(BadMatrix, match=r"^row 1, entry 2: a context of App\. C has no sentinel"):
        traced((1, 2, 2), "0,s", "positional")


def told_of(parts, claim):
    return trace_claim(Instance(*parts), all_claims()[claim], RunOptions())


@pytest.mark.parametrize(
    ("parts", "claim", "construction", "matrix"),
    [
        ((1, 2, 2), "lemma7.map", "contextual", "0, 1/2"),
        ((1, 2, 2), "c.order", "positional", "1/2, 1"),
        ((1, 2, 2), "hu.threshold", "hu", "0, 1"),
        ((1, 2, 2), "slides.sentinel", "slides", "-1/4, 0"),
    ],
)
def test_a_refuted_claim_is_told_at_its_counterexample(parts, claim, construction, matrix):
    told = told_of(parts, claim)
    assert told.finding.verdict == "refuted"
    (one,) = told.traces
    assert (one.construction.name, matrix_text(one.X)) == (construction, matrix)
    (test,) = [test for test in one.tests.made if test.claim.id == claim]
    assert not test.holds
    assert test.relation == told.finding.counterexample.relation


def test_a_claim_that_holds_is_told_at_its_tightest_case():
    told = told_of((1, 3, 4), "lemma6.4")
    (one,) = told.traces
    (test,) = [test for test in one.tests.made if test.claim.id == "lemma6.4"]
    assert matrix_text(one.X) == "0, 0, 3/4"
    assert test.holds
    assert test.relation.slack == told.evidence.slack == Q(2265, 4)


def test_a_claim_about_pairs_has_two_stories():
    told = told_of((1, 3, 4), "lemma6.2")
    assert [matrix_text(one.X) for one in told.traces] == ["0, 1/4, 1/2", "1/4, 1/2, 3/4"]
    assert all("lemma6.2" in one.tests.with_others for one in told.traces)


@pytest.mark.thorough
def test_claims_that_no_matrix_is_tightest_at():
    vacuous = told_of((1, 3, 2), "lemma6.1")
    assert (vacuous.finding.verdict, vacuous.traces, vacuous.note) == ("vacuous", (), "no case exists")
    skipped = told_of((1, 6, 2), "claim1.attention")
    assert (skipped.finding.verdict, skipped.traces) == ("skipped", ())
    equal = told_of((1, 3, 4), "b5.closed-form")
    assert [matrix_text(one.X) for one in equal.traces] == ["0, 1/4, 1/2"]
    assert "no case is tighter" in equal.note
    for claim in ("lemma6.layers", "grid.sizes", "prop4.distance", "hu.ids-sentinel", "c.quantizes", "b5.ids-sentinel"):
        told = told_of((1, 2, 2), claim)
        assert (told.traces, bool(told.note)) == ((), True), claim


def test_every_claim_can_be_explained(monkeypatch):
    """What the checker says of each is not asked again here."""
    monkeypatch.setattr(claim_trace, "confirm", lambda *_: SimpleNamespace(words=""))
    for claim in all_claims():
        told = told_of((1, 2, 2), claim)
        assert told.traces or told.note, claim


VARIANTS = [
    {"t_r": Q(130)},
    {"t_l": Q(100)},
    {"sentinel": Q(-1, 2)},
    {"sweep_factor": Q(4)},
    {"sweep_factor": Q(5, 2), "t_r": Q(500)},
    {"global_factor": Q(9)},
    {"global_factor": Q(0)},
    {"global_factor": Q(-27), "sentinel": Q(-1)},
]


@pytest.mark.parametrize("exchanged", VARIANTS, ids=lambda numbers: " ".join(f"{k}={x}" for k, x in numbers.items()))
def test_what_each_matrix_of_a_variant_says_is_what_the_run_says_of_all(exchanged):
    """A claim is refuted if, and only if, one of the matrices refutes it; and the values are the network's."""
    i = Instance(1, 2, 3)
    g = contextual_map(i, **exchanged)
    result = verify(g, [claim for claim in g.default_claims() if claim.domain.cases is None and not claim.conclude])
    subject, failing = Subject(CONSTRUCTIONS["contextual"], i, exchanged), set()
    for X in g.grid.matrices():
        told = trace(subject, X)
        assert tuple(told.q[told.order.index(j)] for j in range(i.n)) == g.q(X)
        assert told.exchanged == exchanged
        (bounds,) = told.bounds
        assert (bounds.interval, told.off_grid) == (g.interval, ())
        for level in told.acting:
            for move in level.moves:
                assert any(move.ties) or move.added == g.sweep.layers[0].heads[0].W_O[0][0] * (
                    move.reads[0] - move.reads[1]
                )
        failing |= {test.claim.id for test in told.tests.made if not test.holds}
        assert "prop4.network" in dict(told.tests.left_out)  # it is of the paper's own construction
    assert set(result.refuted) == failing & {finding.claim.id for finding in result.findings}


def test_a_variant_is_decoded_where_its_factors_allow_it():
    def told(**exchanged):
        return trace(Subject(CONSTRUCTIONS["contextual"], Instance(1, 3, 4), exchanged), ((Q(0), Q(1, 4), Q(3, 4)),))

    assert told(t_r=Q(11000)).decoding.leads_back
    assert told(global_factor=Q(300)).decoding.leads_back
    assert not told(global_factor=Q(7)).decoding.leads_back  # l~_1 is above 7/4
    assert told(global_factor=Q(0)).decoding is None
    assert told(global_factor=Q(-256)).decoding is None
    assert told(sweep_factor=Q(5)).decoding is None


def test_the_command_explains_a_variant_as_the_run_of_python_finds_it():
    words = ("--variant", "t_r=130", "--variant", "sweep_factor=4")
    g = contextual_map(Instance(1, 2, 3), t_r=Q(130), sweep_factor=Q(4))
    found = verify(g, ["lemma6.3"])["lemma6.3"].counterexample
    done = call("explain", *instance(1, 2, 3), "--claim", "lemma6.3", *words)
    assert (done.returncode, done.stderr) == (0, "")
    out = " ".join(done.stdout.split())
    assert f"matrix [{matrix_text(found.matrices[0])}]" in out
    assert f"found {found.relation.name} = {found.relation.value}" in out
    assert "VARIANT sweep_factor = 4 (the paper: 3), t_r = 130 (the paper: 162)" in out
    assert "gets 4 (max - min)" in out
    assert "refuted for this variant; it says nothing about the paper's own numbers" in out
    assert "proofs/FINDINGS.md" not in out
    assert "Nothing is decoded: that takes the paper's sweep_factor" in out
    told = json.loads(call("explain", *instance(1, 2, 3), "--claim", "lemma6.3", *words, "--format", "json").stdout)
    assert [one["variant"] for one in (told, *told["stories"])] == [{"sweep_factor": "4", "t_r": "130"}] * 2
    assert told["checked"] == "checked independently, in full"


def test_a_variant_that_no_certificate_states_is_explained_and_not_called_checked():
    done = call("explain", *instance(1, 2, 3), "--claim", "lemma6.3", "--variant", "t_r=261/2")
    assert done.returncode == 0
    assert "Not checked independently: t_r = 261/2: a certificate counts in whole multiples of delta" in done.stdout


def test_the_command_tells_the_story():
    done = call("explain", *instance(1, 3, 4), "--matrix", "0, 1/4, 3/4")
    assert (done.returncode, done.stderr) == (0, "")
    for line in (
        r"Category 1: on the grid, its columns are distinct",
        r"ids +u\^T X = \(0, 1/4, 3/4\),  u = \(1\)",
        r" 1/4 +2 +3 +1/4 +11 +1/4 -> 45/4",
        r" 1 of 4 levels matches no column's id, and changes nothing",
        r"The global shift adds 256 \. 171/4 = 10944 to every column: a column whose id is above 0 reads",
        r" 1: \(0\) +l_1 = 0 +l~_1 = 3 +q_1 = 10947 +inside: 7875 above t_l, 1341 below t_r",
        r" lemma6.3 +holds +q_3 = 43947/4 < 12288 +5205/4",
        r"Back from q_1 = 10947 alone",
        r" l~_3 = 171/4 +171 +3 +l_3 = 3/4 +\(3/4\) +l~_2 = 45/4",
    ):
        assert re.search(line, done.stdout), line
    assert "So the matrix is [0, 1/4, 3/4]" in " ".join(done.stdout.split())


def test_the_command_says_what_cannot_be_concluded_off_the_grid():
    done = call("explain", *instance(1, 3, 4), "--matrix", "1/8,3/4,0")
    assert (done.returncode, done.stderr) == (0, "")
    out = " ".join(done.stdout.split())
    assert "off the grid the grid: 0, delta, ..., 1-delta, and s; not on it: row 1, column 1" in out
    assert "7/24*" in out
    assert "No claim is about a matrix off the grid: nothing is promised" in out
    assert "Nothing can be decoded" in out


def numbers(document):
    if isinstance(document, dict):
        for value in document.values():
            yield from numbers(value)
    elif isinstance(document, list):
        for value in document:
            yield from numbers(value)
    elif not isinstance(document, str):
        yield document


@pytest.mark.thorough
@pytest.mark.parametrize(
    "words",
    [
        ("--matrix", "3/4,0,1/4"),
        ("--matrix", "s,1/8,0"),
        ("--matrix", "0,1,2", "--construction", "hu"),
        ("--matrix", "s,1/4,1/4", "--construction", "slides"),
        ("--claim", "lemma6.2"),
        ("--claim", "lemma7.map"),
        ("--claim", "c.disjoint"),
        ("--claim", "lemma6.layers"),
    ],
    ids=" ".join,
)
def test_json_is_canonical_and_has_no_floats(words):
    done = call("explain", *instance(1, 3, 4), *words, "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    assert done.stdout == json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    assert {type(number) for number in numbers(document)} <= {int, bool, type(None)}
    stories = document.get("stories", [document])
    assert document["format"] == ("verifier.explanation/1" if "--claim" in words else "verifier.story/1")
    for one in stories:
        assert len(one["q"]) == 3
        assert len(one["order"]) == 3
        assert len(one["acting"]) + one["idle"] == one["levels"]


def test_json_of_a_story_by_hand():
    done = call("explain", *instance(1, 2, 2), "--matrix", "1/2,0", "--format", "json")
    told = json.loads(done.stdout)
    assert (told["category"], told["order"], told["ids"], told["q"]) == (1, [2, 1], ["0", "1/2"], ["13", "27/2"])
    assert told["acting"][0]["moves"] == [
        {"column": 2, "before": "0", "reads": ["1/2", "0"], "added": "1", "after": "1", "ties": [False, False]}
    ]
    assert told["global_shift"]["factor"] == "8"
    assert [step["id"] for step in told["decoding"]["steps"]] == ["1/2", "0"]
    assert (told["decoding"]["matrix"], told["decoding"]["same_from"]) == ([["0", "1/2"]], [2])
    (fitting,) = [claim for claim in told["claims"] if claim["id"] == "lemma6.3"]
    assert fitting == {
        "id": "lemma6.3",
        "verdict": "holds",
        "relation": "q_2 < t_r",
        "value": "27/2",
        "bound": "16",
        "slack": "5/2",
    }


MISTAKES = [
    ((), "--d, --n and --N are needed"),
    (("--d", "1", "--n", "3"), "--d, --n and --N are needed"),
    (instance(1, 3, 4), "one of --matrix and --claim is needed"),
    ((*instance(1, 3, 4), "--matrix", "0,0,0", "--claim", "b5.head"), "and not both"),
    ((*instance(1, 3, 4), "--matrix", ""), "--matrix: row 1 is empty"),
    ((*instance(1, 3, 4), "--matrix", "0,.5,1/2"), "--matrix: row 1, entry 2: '.5'"),
    ((*instance(1, 3, 1), "--matrix", "0,0,0"), "N = 1 is too small"),
    ((*instance(1, 3, 4), "--claim", "lemma6"), "lemma6 is more than one claim"),
    ((*instance(1, 3, 4), "--claim", "all"), "all is more than one claim"),
    ((*instance(1, 3, 4), "--claim", ""), "no claim ''"),
    ((*instance(1, 3, 4), "--claim", "lemma6.9"), "did you mean lemma6."),
    ((*instance(1, 3, 4), "--claim", "c.order", "--construction", "hu"), "--construction goes with --matrix"),
    ((*instance(1, 3, 4), "--matrix", "0,0,0", "--construction", "others"), "others"),
    ((*instance(1, 3, 4), "--matrix", "0,0,0", "--matrix", "0,0,0"), "given 2 times"),
    (
        (*instance(1, 3, 4), "--matrix", "0,0,0", "--variant", "tr=5"),
        "'tr=5' is no variant; one is NAME=VALUE, with NAME",
    ),
    ((*instance(1, 3, 4), "--matrix", "0,0,0", "--variant", "t_r"), "--variant: t_r: it is empty; a number is needed"),
    ((*instance(1, 3, 4), "--claim", "lemma6.3", "--variant", "t_r=1/0"), "--variant: t_r: '1/0' is not a rational"),
    ((*instance(1, 3, 4), "--claim", "lemma6.3", "--variant", "t_r=12288"), "'t_r=12288' is the paper's own number"),
    (
        (*instance(1, 3, 4), "--matrix", "0,0,0", "--variant", "t_r=1", "--variant", "t_r=2"),
        "'t_r=2': t_r is given twice",
    ),
    (
        (*instance(1, 3, 4), "--matrix", "0,0,0", "--variant", "t_r=1", "--construction", "hu"),
        "--variant exchanges numbers of the contextual map",
    ),
]


@pytest.mark.thorough
@pytest.mark.parametrize(("arguments", "message"), MISTAKES, ids=lambda part: " ".join(part)[:40])
def test_a_mistake_is_one_clear_line_and_exit_2(arguments, message):
    done = call("explain", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.startswith("verify: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((*instance(1, 3, 10**6), "--matrix", "not looked at"), "1,000,000 levels"),
        ((*instance(10**6, 3, 7), "--matrix", "0"), "7^1000000 levels, 8^1000000 columns of G+"),
        ((*instance(1, 10**9, 2), "--matrix", "0"), "1,000,000,000 tokens"),
        ((*instance(1, 100, 300), "--matrix", "0", "--construction", "positional"), "30,000 levels"),
        ((*instance(1, 3, 10**6), "--claim", "lemma6.3"), "1,000,000 levels"),
        ((*instance(3, 4, 8), "--claim", "lemma7.map"), "orbits"),
    ],
    ids=["N", "d", "n", "positional", "levels of a claim", "orbits of a claim"],
)
def test_sizes_come_first(arguments, message):
    done = call("explain", *arguments)
    assert (done.returncode, done.stdout) == (4, "")
    assert message in done.stderr
    assert "--max-points" not in done.stderr  # it has no such option
    assert done.stderr.count("\n") == 1


def test_what_is_not_too_long():
    refuse_if_too_long(Instance(1, 2, 49_999), ordered=False)
    refuse_if_too_long(Instance(1, 100, 400), ordered=False)
    for parts in ((1, 2, 50_000), (1, 101, 2), (1, 100, 401)):
        with pytest.raises(TooLarge):
            refuse_if_too_long(Instance(*parts), ordered=False)


@pytest.mark.parametrize(("text", "said"), [("0,1/2", 1), ("s,1/2", 0)])
def test_who_meets_a_claim_that_fails_is_told_where_it_is_explained(text, said):
    assert call("explain", *instance(1, 2, 2), "--matrix", text).stdout.count("proofs/FINDINGS.md") == said


@pytest.mark.thorough
@pytest.mark.parametrize("columns", ["40", "60", "200"])
def test_a_story_keeps_to_the_width_it_is_given(columns):
    for text in ("0,1/4,3/4", "1/8,3/4,0", "s,s,s"):
        out = call("explain", *instance(1, 3, 4), "--matrix", text, env={"COLUMNS": columns}).stdout
        assert max(map(len, out.splitlines())) <= int(columns)


@pytest.mark.thorough
def test_no_number_is_broken_in_two():
    """A table that is too wide becomes a list: half of -32767999999999999800 reads as another number."""
    text = "0,1/2,0,1/2,s;0,0,1/2,1/2,0;0,0,0,0,1/2"
    wide, *others = (
        call("explain", *instance(3, 5, 8), "--matrix", text, env={"COLUMNS": width}).stdout
        for width in ("300", "40", "80", "110")
    )
    assert len(set(re.findall(r"\d{9,}", wide))) > 10
    for columns, narrow in zip((40, 80, 110), others, strict=True):
        assert max(map(len, narrow.splitlines())) <= columns
        assert set(re.findall(r"\d{9,}", narrow)) == set(re.findall(r"\d{9,}", wide))
        assert "?" not in narrow


def test_long_numbers_and_many_columns_are_cut():
    done = call("explain", *instance(1, 40, 2), "--matrix", ",".join(["s", "1/2"] * 20))
    assert done.returncode == 0
    assert "and 20 more" in done.stdout
    assert "and 20 rows more; --format json has them all" in done.stdout
    assert "digits)" in done.stdout
    assert "lemma6.equivariant (" in " ".join(done.stdout.split())  # 40! / (20! 20!) matrices are not run


def test_a_terminal_of_ascii_alone_gets_ascii():
    done = call("explain", *instance(1, 3, 4), "--matrix", "0,1/4,3/4", env={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert done.stdout.isascii()
    assert "?" not in done.stdout


@pytest.mark.parametrize(
    ("text", "entry"), [("0.25", Q(1, 4)), ("-0.5", Q(-1, 2)), ("0.3", Q(3, 10)), ("1.50", Q(3, 2))]
)
def test_a_decimal_is_the_rational_that_its_digits_say(text, entry):
    assert parse_matrix(f"0,{text}", Subject(CONSTRUCTIONS["contextual"], Instance(1, 2, 4))) == ((Q(0), entry),)

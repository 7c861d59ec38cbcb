"""What a run says: evidence, findings and verdicts in words; how far it is; and how large it would be."""

import re
from dataclasses import replace
from types import SimpleNamespace

import pytest

from verifier.core.claim import Claim, Domain, Relation
from verifier.core.exact import Q
from verifier.core.space import Sizes
from verifier.run import size, watch
from verifier.run.results import Evidence, Finding, Result
from verifier.run.shard import Count, Shard
from verifier.run.size import about, refuse_if_too_large, refuse_too_many
from verifier.run.stop import TimeIsUp, TooLarge
from verifier.run.watch import Refuted, Watch


def claim(name="sums.bounded", **more):
    domain = more.pop("domain", Domain("every case"))
    return Claim(id=name, says="", formula="", domain=domain, check=lambda _: [], **more)


def evidence(value, bound, op="<", bound_name="t_r", matrices=()):
    return Evidence(Relation("q_1", Q(value), op, bound_name, Q(bound)), matrices)


X, Y = ((Q(0), Q(1, 2)),), ((Q(3), Q(4)),)


def test_evidence_in_words():
    assert str(evidence(3, 5)) == "q_1 = 3 < t_r = 5"
    assert repr(evidence(3, 5)) == "<q_1 = 3 < t_r = 5>"
    assert str(evidence(5, 3, matrices=(X,))) == "q_1 = 5, not < t_r = 3, at [0, 1/2]"
    assert str(evidence(3, 5, bound_name="5", matrices=(X, Y))) == "q_1 = 3 < 5, at [0, 1/2] and [3, 4]"
    assert (evidence(3, 5).slack, evidence(3, 3, "<=").slack) == (2, 0)
    with pytest.raises(ValueError, match="q_1 = t_r is an equality; it has no slack"):
        evidence(3, 3, "=").slack  # noqa: B018


TIGHT, TIGHTER, OF_NONE = evidence(3, 5, matrices=(X,)), evidence(4, 5, matrices=(Y,)), evidence(5, 5, "<=")


def test_the_tightest_edge_is_one_about_a_matrix_if_there_is_one():
    assert Finding(claim(), "holds", 2, edges=(TIGHT, TIGHTER, OF_NONE)).tightest is TIGHTER
    assert Finding(claim(), "holds", 2, edges=(OF_NONE, TIGHT)).tightest is TIGHT
    assert Finding(claim(), "holds", 2, edges=(OF_NONE,)).tightest is OF_NONE
    assert Finding(claim(), "holds", 2).tightest is None


def test_a_finding_in_a_line():
    refuted = Finding(claim(), "refuted", 1000, 3, counterexample=evidence(5, 3), edges=(TIGHT,))
    assert repr(refuted) == "<sums.bounded: refuted, 1,000 cases; q_1 = 5, not < t_r = 3>"
    assert refuted.row[2:] == ("refuted", "1,000", "", "q_1 = 5, not < t_r = 3")
    holds = Finding(claim(), "holds", 1, edges=(OF_NONE,))
    assert repr(holds) == "<sums.bounded: holds, 1 case; q_1 = 5 <= t_r = 5>"
    skipped = Finding(claim(), "skipped", 0, why="n = 2")
    assert (repr(skipped), skipped.row[-1]) == ("<sums.bounded: skipped, 0 cases; n = 2>", "n = 2")
    equal = Finding(claim(), "holds", 2)
    assert (repr(equal), equal.slack, equal.failing) == ("<sums.bounded: holds, 2 cases>", "equal", 0)
    assert len(Finding(claim(), "skipped", 0, why="x" * 999).row[-1]) == 300
    assert len(Finding(claim(), "holds", 1, edges=(evidence(0, 10**999),)).row[-2]) == 300


def test_an_excluded_reading_only_fails():
    told = [
        Finding(claim(kind=kind), verdict, 1).told for kind in ("own", "excluded") for verdict in ("refuted", "holds")
    ]
    assert told == ["refuted", "holds", "fails", "holds"]


@pytest.mark.parametrize(
    ("finding", "rest"),
    [
        (Finding(claim(), "refuted", 2, 1, counterexample=TIGHT), ["refuted", "cases", "2", "counterexample"]),
        (Finding(claim(), "holds", 1, edges=(TIGHT,)), ["holds", "cases", "1", "slack", "2", "tightest case"]),
    ],
)
def test_a_finding_as_a_table(finding, rest):
    cells = re.findall("<td[^>]*>([^<]*)<", finding._repr_html_())
    assert cells == ["claim", "", "in a formula", "", "verdict", *rest, "q_1 = 3 &lt; t_r = 5, at [0, 1/2]"]


def result(**verdicts):
    findings = [
        Finding(claim(f"sums.{name}", kind="excluded" if name.startswith("x") else "own"), verdict, 2)
        for name, verdict in verdicts.items()
    ]
    return Result("(n) = (2)", {}, tuple(findings), (), "")


@pytest.mark.parametrize(
    ("verdicts", "verdict"),
    [
        ({"a": "holds", "b": "vacuous"}, "holds"),
        ({"a": "holds", "b": "skipped"}, "incomplete"),
        ({"a": "skipped", "b": "refuted"}, "refuted"),
        ({"a": "holds", "x": "refuted"}, "holds"),  # an excluded reading
        ({"a": "holds", "x": "skipped"}, "holds"),
    ],
)
def test_the_verdict_of_all(verdicts, verdict):
    assert result(**verdicts).verdict == verdict


def test_a_result_in_a_line_and_as_a_table():
    some = result(a="holds", b="refuted", c="holds", x="refuted")
    assert some.refuted == ["sums.b", "sums.x"]
    assert repr(some) == "<Result at (n) = (2): refuted: sums.b, sums.x (2 holds, 2 refuted)>"
    assert repr(result(a="holds")) == "<Result at (n) = (2): holds (1 holds)>"
    html = some._repr_html_()
    assert html.startswith("<div><p>Result at (n) = (2): refuted: sums.b, sums.x (2 holds, 2 refuted)</p>")
    assert [html.index(f"sums.{name}<") for name in "bxac"] == sorted(html.index(f"sums.{name}<") for name in "abcx")


def test_a_finding_is_found_by_its_id():
    few, many = (result(**dict.fromkeys(names, "holds")) for names in ("abcdef", "abcdefg"))
    assert few["sums.b"].claim.id == "sums.b"
    for asked, its, hint in (
        ("sums.bb", few, "there are sums.a, sums.b, sums.c, sums.d, sums.e, sums.f"),
        ("sums.bb", many, r"did you mean sums\.b\?"),
        ("nothing like it", many, "there are sums.a, .*, sums.g"),
        ("sums", few, "it is a family: sums.a, sums.b"),
    ):
        with pytest.raises(KeyError, match=f"{asked} was not run; {hint}"):
            its[asked]


# How far a run is


def part(start, stop, first=None):
    counts = {"a.claim": Count(stop - start, int(first is not None), first), "b.claim": Count(1)}
    return Shard(start, stop, {"all": Sizes(9, stop - start), "total": Sizes(9, stop - start)}, Q(0), counts)


def watching(deadline=None, **more):
    told = []
    space = SimpleNamespace(size=10, categories=("all",), shown=lambda rank: (((Q(rank),),),))
    return Watch(SimpleNamespace(space=space), told.append, deadline, **more), told


def said(report):
    return report.done, report.kept, report.categories["all"], [refuted.rank for refuted in report.refuted]


def test_what_those_who_wait_are_told():
    heard, told = watching()
    heard(0)
    heard(3)  # of shards that are not finished, all together
    heard(3, part(4, 7))
    heard.finish(part(4, 8), kept=True)
    heard(5)
    heard.finish(part(0, 4, first=2))
    heard(7)  # more than there are, for a moment
    heard(1, part(8, 9, first=8))
    heard.finish(part(8, 10, first=9))
    assert [said(report) for report in told] == [
        (0, 0, 0, []),
        (3, 0, 0, []),
        (3, 0, 3, []),
        (4, 4, 4, []),
        (9, 4, 4, []),
        (9, 4, 8, [2]),
        (10, 4, 8, [2]),
        (9, 4, 9, [2]),
        (10, 4, 10, [2]),
    ]
    assert {report.total for report in told} == {10}
    assert told[-1].refuted == (Refuted("a.claim", (((2,),),), 2),)


def test_a_refutation_of_a_shard_in_the_making_is_told_at_once():
    heard, told = watching()
    heard(1, part(8, 9, first=8))
    assert said(told[-1]) == (1, 0, 1, [8])


def test_what_is_refuted_before_the_cases_is_told_one_by_one():
    heard, told = watching(over_space=False)
    heard.refute(Refuted(name, ()) for name in ("c.claim", "d.claim"))
    assert [[refuted.claim for refuted in report.refuted] for report in told] == [["c.claim"], ["c.claim", "d.claim"]]
    assert told[-1].total == 0


def test_how_many_cases_of_their_own_are_done_is_told_until_orbits_are():
    heard, told = watching()
    heard.cases("others", 3)
    heard(1)
    assert [(report.own, report.done) for report in told] == [(("others", 3), 0), (None, 1)]


def test_a_run_ends_when_its_time_is_up(monkeypatch):
    monkeypatch.setattr(watch.time, "monotonic", lambda: 100.0)
    for deadline in (None, 100.0, 101.0):
        watching(deadline)[0](1)
        watching(deadline)[0].cases("others", 1)
    with pytest.raises(TimeIsUp, match=r"^the time limit is reached$"):
        watching(99.0)[0](1)
    with pytest.raises(TimeIsUp):
        watching(99.0)[0].cases("others", 1)


# How large a run would be


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "1 second"),
        (1, "1 second"),
        (100, "100 seconds"),
        (101, "2 minutes"),
        (120, "2 minutes"),
        (121, "3 minutes"),
        (6000, "100 minutes"),
        (6001, "2 hours"),
        (7201, "3 hours"),
        (48 * 3600, "48 hours"),
        (48 * 3600 + 1, "3 days"),
        (700 * 86_400, "700 days"),
        (10 * 86_400 - 1, "10 days"),
    ],
)
def test_how_long_that_is_in_words(seconds, words):
    assert about(seconds) == f"about {words} on one core"


def test_or_years():
    assert about(700 * 86_400 + 1) == "years on one core"


class Toy:
    """So many cases, of so many columns to run through layers each."""

    def __init__(self, cases, columns=0):
        self.space, self.columns_a_case = SimpleNamespace(size=cases, several="cases"), columns

    def __str__(self):
        return "(n) = (2)"


OVER_SPACE, ITSELF = claim(), claim("its.own", domain=Domain("itself", cases=lambda g: [g]), work=lambda _: 500)
ELEVEN = [replace(ITSELF, domain=Domain(f"own cases, {k}", cases=lambda g, k=k: [g, k])) for k in range(11)]


@pytest.mark.parametrize(
    ("cases", "columns", "claims", "max_points", "refused"),
    [
        (1000, 1, [OVER_SPACE], None, ""),
        (1001, 0, [OVER_SPACE], None, "1,001 cases; the limit is 1,000 cases; --max-points 1001 allows it: about 1 s"),
        (1001, 0, [OVER_SPACE], 1001, ""),
        (1001, 0, [OVER_SPACE], 1000, "the limit is 1,000 cases"),
        (8, 0, [OVER_SPACE], 7, "8 cases; the limit is 7 cases"),
        (10**9, 0, [ITSELF], None, ""),
        (50, 100, [OVER_SPACE], None, ""),
        (50, 101, [OVER_SPACE], None, "50 cases: 5,050 columns to run through layers; the limit is 5,000; --max"),
        (50, 101, [OVER_SPACE], 50, ""),
        (50, 90, [OVER_SPACE, ITSELF], None, ""),
        (50, 91, [OVER_SPACE, ITSELF], None, "50 cases: 5,050 columns"),
        (10**9, 9, ELEVEN, None, "0 cases: 5,500 columns .* --max-points 1 allows it: about 55 seconds"),
        (10**9, 9, [ITSELF] * 11, None, ""),  # they share their cases, which are run once
    ],
)  # fmt: skip
def test_what_is_too_large_is_refused_with_its_size(cases, columns, claims, max_points, refused, monkeypatch):
    for name, limit in (("MOST_CASES", 1000), ("MOST_WORK", 5000), ("A_SECOND", 100)):
        monkeypatch.setattr(size, name, limit)
    papers = [SimpleNamespace(refuse="", construction=lambda **_: Toy(cases, columns))]
    papers.append(SimpleNamespace(refuse=f"{__name__}:usual"))
    monkeypatch.setitem(globals(), "usual", lambda *_: refuse_too_many(Toy(cases, columns), claims, max_points))
    for asked in (
        lambda: refuse_too_many(Toy(cases, columns), claims, max_points),
        lambda: refuse_if_too_large(papers[0], {}, claims, max_points),
        lambda: refuse_if_too_large(papers[1], {}, claims, max_points),
    ):
        if refused:
            with pytest.raises(TooLarge, match=refused):
                asked()
        else:
            asked()

"""The checker's frame of any paper's certificate: a paper of five numbers, its certificate by hand, and lies of it."""

import copy
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest

from verifier.checker.core import frame
from verifier.checker.core import share as sharing
from verifier.checker.core.comparing import OverLimit, Rejected
from verifier.checker.core.frame import Relation, check
from verifier.checker.core.ledger import Ledger
from verifier.checker.core.paper import Paper
from verifier.checker.core.share import Options, Share

F = Fraction
NUMBERS = (3, 1, 4, 1, 5)  # the cases, by rank; an even one stands for two matrices


class Five(frame.Model):
    sizes = {"odd": (4, 4), "even": (2, 1), "total": (6, 5)}  # noqa: RUF012

    def case(self, rank):
        return NUMBERS[rank]

    def category(self, case):
        return "odd" if case % 2 else "even"

    def stands_for(self, case):
        return 2 - case % 2

    def digest(self, case):
        return case

    def shown(self, case):
        return [[[case]]]

    def statement(self, *, over_space):
        return "Five numbers." if over_space else "No number."

    def constants(self):
        return {"c": Fraction(1, 2)}

    def own(self, claim):
        return [10, 20] if claim == "own" else None

    def selects(self, claim, case):
        return {"odd": case % 2 == 1, "alone": case == 4}.get(claim, True)

    def skipped(self, claim):
        return "no time" if claim == "late" else ""

    def relations(self, claim, case):
        match claim:
            case "small":
                yield Relation("x_1", case, "<", "6", 6)
            case "few":
                yield Relation("x_1", case, "<", "5", 5)
            case "odd":
                yield Relation("x mod 2", case % 2, "=", "1", 1)
            case "own":
                yield Relation("x", case, ">", "5", 5)

    def collected(self, claim, case):
        return [case] if claim in ("apart", "alone") else ()

    def conclusion(self, claim, values, sizes):  # noqa: ARG002
        if claim not in ("apart", "alone"):
            return None
        return [Relation("gap", b - a, ">=", "0", 0, (j, k)) for (a, j), (b, k) in pairwise(sorted(values))]


CLAIMS = ["small", "few", "odd", "apart", "alone", "own", "late"]
PAPER = Paper(
    name="five", version=1, sizes=("d",), statements={claim: f"{claim}!" for claim in CLAIMS},
    categories=("odd", "even"), constants=("c",), check=lambda *_: None, pairs=frozenset({"apart", "alone"}),
)  # fmt: skip


def size(matrices, orbits):
    return {"matrices": matrices, "orbits": orbits}


def stated(claim, verdict, cases, **more):
    return {"id": claim, "statement": f"{claim}!", "verdict": verdict, "cases": cases} | more


def tight(relation, value, bound, slack, *matrices):
    names = dict(zip(("matrix", "other"), ([[x]] for x in matrices), strict=False))
    edge = {"relation": relation, "value": value, "bound": bound, "slack": slack} | names
    return {"edges": [edge], "tightest": dict(edge)}


ALONE = "a single case: no pair exists"
CERT = {
    "statement": "Five numbers.",
    "constants": {"c": "1/2"},
    "coverage": {"odd": size(4, 4), "even": size(2, 1), "total": size(6, 5)},
    "claims": [
        stated("small", "holds", 5, **tight("x_1 < 6", "5", "6", "1", "5")),
        stated(
            "few", "refuted", 5,
            counterexample={"relation": "x_1 < 5", "value": "5", "bound": "5", "matrix": [["5"]], "failing": 1},
        ),
        stated("odd", "holds", 4),
        stated("apart", "holds", 5, **tight("gap >= 0", "0", "0", "0", "1", "1")),
        stated("alone", "vacuous", 0, why=ALONE),
        stated("own", "holds", 2, **tight("x > 5", "10", "5", "5", "10")),
        stated("late", "skipped", 0, why="no time"),
    ],
    "shards": [
        {
            "start": 0, "stop": 2, "digest": "4",
            "coverage": {"odd": size(2, 2), "even": size(0, 0), "total": size(2, 2)},
            "claims": {
                "small": {"cases": 2, "edges": {"x_j < 6": {"slack": "3", "rank": 0}}},
                "few": {"cases": 2, "edges": {"x_j < 5": {"slack": "2", "rank": 0}}},
                "odd": {"cases": 2}, "apart": {"cases": 2}, "alone": {"cases": 0},
            },
        },
        {
            "start": 2, "stop": 5, "digest": "10",
            "coverage": {"odd": size(2, 2), "even": size(2, 1), "total": size(4, 3)},
            "claims": {
                "small": {"cases": 3, "edges": {"x_j < 6": {"slack": "1", "rank": 4}}},
                "few": {"cases": 3, "edges": {"x_j < 5": {"slack": "1", "rank": 2}}, "failing": 1, "first": 4},
                "odd": {"cases": 2}, "apart": {"cases": 3}, "alone": {"cases": 1},
            },
        },
    ],
    "not_covered": ["every other (d)", "every claim that is not listed", f"alone: {ALONE}", "late: no time"],
    "verdict": "refuted",
}  # fmt: skip


@pytest.fixture(autouse=True)
def two_shards(monkeypatch):
    for module in (frame, sharing):
        monkeypatch.setattr(module, "plan", lambda T: [(0, 2), (2, 5)] if T else [(0, 0)])


@pytest.fixture
def part(monkeypatch):
    """part(share, cert): what is said of a certificate of which so much is looked at."""

    def of(share, cert=CERT, **options):
        monkeypatch.setattr(frame, "share_of", lambda *_: share)
        try:
            return check(PAPER, Five(), cert, Options(**options)).share
        except Rejected as error:
            return str(error)

    return of


def with_lie(path, value):
    document = copy.deepcopy(CERT)
    place = document
    *way, last = path
    for step in way:
        place = place[step]
    if value is None:
        del place[last]
    else:
        place[last] = value
    return document


def test_the_genuine_one_is_accepted(part):
    outcome = check(PAPER, Five(), CERT, Options())
    assert (outcome.how, outcome.shards, outcome.share.whole) == ("each case literally", 2, True)
    for share in (Share([0]), Share([1]), Share([0, 1]), Share([])):
        assert part(share) is share
    for stretch in ((0, 0, 2), (1, 2, 3), (1, 4, 5), (1, 2, 5)):
        assert part(Share([], stretch=stretch)).stretch == stretch


LIES = [  # a place, what it says then, and where it is seen
    (("statement",), "Six numbers.", "statement: expected"),
    (("constants", "c"), "1/3", "constants.c: "),
    (("coverage", "odd", "orbits"), 5, "coverage.odd.orbits: "),
    (("claims",), [*CERT["claims"][1::-1], *CERT["claims"][2:]], "claims[0]: "),
    (("claims",), [*CERT["claims"], CERT["claims"][-1]], "claims[7]: "),
    (("shards", 0, "stop"), 3, "shards[0].stop: "),
    (("shards", 1, "start"), 3, "shards[1].start: "),
    (("shards", 0, "digest"), "5", "shards[0].digest: "),
    (("shards", 0, "coverage", "odd", "matrices"), 3, "shards[*].coverage.odd.matrices: "),
    (("shards", 0, "coverage", "odd"), size(3, 2), "shards[*].coverage.odd.matrices: "),
    (("shards", 1, "claims", "odd", "cases"), 3, "shards[1].claims.odd.cases: "),
    (("shards", 1, "claims", "few", "failing"), 2, "shards[1].claims.few.failing: "),
    (("shards", 0, "claims", "own"), {"cases": 2}, "shards[0].claims.own: "),
    (("claims", 0, "cases"), 6, "claims[0].cases: "),
    (("claims", 1, "counterexample", "failing"), 2, "claims[1].counterexample.failing: "),
    (("claims", 3, "edges", 0, "other"), [["3"]], "claims[3].edges[0].other"),
    (("claims", 4, "cases"), 1, "claims[4].cases: "),
    (("claims", 5, "tightest", "slack"), "6", "claims[5].tightest.slack: "),
    (("claims", 6, "verdict"), "holds", "claims[6].verdict: "),
    (("not_covered",), CERT["not_covered"][:-1], "not_covered[3]: "),
    (("verdict",), "incomplete", "verdict: "),
]


@pytest.mark.parametrize(("path", "value", "says"), LIES)
def test_a_lie_is_seen_where_it_stands(path, value, says, part):
    assert says in part(Share([0, 1], whole=True), with_lie(path, value))


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [  # of the other shard, which isn't gone through
        (("shards", 1, "coverage", "odd", "orbits"), 3, "shards[*].coverage.odd.orbits: "),
        (("shards", 1, "claims", "odd", "cases"), 3, "claims[2].cases: "),
        (("shards", 1, "claims", "odd", "cases"), 4, "cases of a shard's categories: shards[1].claims.odd.cases"),
        (("claims", 3, "cases"), 7, "claims[3].cases: "),  # of a claim about pairs they are the shards'
        (("shards", 1, "claims", "few", "failing"), 2, "claims[1].counterexample.failing: "),
        (("shards", 1, "claims", "few", "first"), 3, "shards[1].claims.few."),
        (("shards", 1, "claims", "few", "first"), 5, "a shard's own ranks: shards[1]"),
        (("shards", 1, "claims", "few", "first"), 1, "a shard's own ranks: shards[1]"),
        (("shards", 1, "claims", "small", "edges", "x_j < 6", "slack"), "2", "shards[1].claims.small.edges"),
        (("shards", 1, "digest"), "11", None),
        (("claims", 3, "edges", 0, "other"), [["3"]], None),  # what all cases together give
        (("claims", 3, "statement"), "?", "claims[3].statement: "),
    ],
)
def test_in_a_part_what_the_other_shard_names_is_seen(path, value, says, part):
    found = part(Share([0]), with_lie(path, value))
    assert (says in found) if says else found.shards == [0]


@pytest.mark.parametrize(
    ("member", "value", "stretch", "says"),
    [
        (("small", "edges", "x_j < 6"), {"slack": "2", "rank": 4}, (4, 5), "at most 1 at 4"),
        (("small", "edges", "x_j < 6"), {"slack": "2", "rank": 2}, (2, 4), None),  # borne out by what is looked at
        (("small", "edges", "x_j < 6"), {"slack": "2", "rank": 3}, (2, 4), "at most 2 at 2"),
        (("small", "edges"), None, (2, 4), 'at most 2 at 2, found "nothing"'),
        (("odd", "cases"), 1, (2, 5), "cases: expected at least 2, found 1"),
        (("odd", "cases"), 2, (2, 5), None),
        (("few", "failing"), None, (4, 5), "failing: expected at least 1, found 0"),
        (("few", "first"), None, (4, 5), 'first: expected at most 4, found "nothing"'),
        (("few", "first"), 5, (4, 5), "first: expected at most 4, found 5"),
    ],
)
def test_a_stretch_is_no_tighter_than_its_shard_says(member, value, stretch, says):
    shard = with_lie(("shards", 1, "claims", *member), value)["shards"][1]
    try:
        frame._refuse_looser(Five(), list(shard["claims"]), shard, Share([], stretch=(1, *stretch)), 1)
        found = ""
    except Rejected as error:
        found = str(error)
    assert (says or "") in found
    assert bool(says) == bool(found)


def test_a_stretch_is_one_of_its_own_shard(part):
    lie = with_lie(("shards", 1, "claims", "small", "edges", "x_j < 6"), {"slack": "2", "rank": 2})
    assert "a stretch of a shard" not in part(Share([], stretch=(1, 2, 4)), lie)
    assert "a stretch of a shard" in part(Share([], stretch=(1, 3, 5)), lie)


@pytest.mark.parametrize(
    ("share", "steps"), [(Share([0, 1], whole=True), 5), (Share([0]), 2), (Share([0], stretch=(1, 2, 4)), 4)]
)
def test_more_than_it_may_cost_is_refused(share, steps, part, monkeypatch):
    part(share, max_points=steps)
    with pytest.raises(OverLimit, match=f"{steps} cases of 1 steps, more than {steps - 1} "):
        part(share, max_points=steps - 1)
    monkeypatch.setattr(Five, "steps", 3)
    part(share, max_points=3 * steps)
    with pytest.raises(OverLimit, match=f"{steps} cases of 3 steps"):
        part(share, max_points=3 * steps - 1)


def test_what_is_drawn_by_seconds_weighs_its_steps(monkeypatch):
    """At 3 steps a case, 5 cases take 15: of 14 in a second not all can be run."""
    monkeypatch.setattr(Five, "steps", 3)
    for allowed, whole in ((15, True), (14, False)):
        monkeypatch.setattr(sharing, "STEPS_A_SECOND", allowed)
        assert check(PAPER, Five(), CERT, Options(seconds=1)).share.whole == whole


def test_a_certificate_of_claims_with_cases_of_their_own_has_no_shards():
    own, late = CERT["claims"][5:]
    words = CERT["not_covered"][:2]
    cert = CERT | {"statement": "No number.", "coverage": {}, "shards": [], "claims": [own]}
    cert |= {"not_covered": words, "verdict": "holds"}
    assert check(PAPER, Five(), cert, Options()).share.whole
    for lie in ({"coverage": CERT["coverage"]}, {"shards": CERT["shards"][:1]}):
        with pytest.raises(Rejected):
            check(PAPER, Five(), cert | lie, Options())
    with pytest.raises(Rejected, match='verdict: expected "incomplete", found "holds"'):
        check(PAPER, Five(), cert | {"claims": [own, late], "not_covered": [*words, "late: no time"]}, Options())


def test_an_excluded_reading_decides_nothing():
    paper = replace(PAPER, excluded=frozenset({"few"}))
    assert check(paper, Five(), CERT | {"verdict": "incomplete"}, Options()).share.whole
    with pytest.raises(Rejected, match="FORMAT 1, verdict"):
        check(paper, Five(), CERT, Options())


# What a claim keeps, and how it is told


def entry_of(claim, ledger, paper=PAPER, model=None):
    return frame._entry(paper, model or Five(), claim, frame.Part({claim: ledger}, dict(Five.sizes)))


def kept(*relations, cases=2, values=()):
    ledger = Ledger(cases)
    ledger.values += values
    for number, relation in enumerate(relations):
        ledger.weigh([relation], (number,))
    return ledger


SMALL, LESS = Relation("x_1", 3, "<", "6", 6), Relation("x_2", 4, "<", "6", 6)


def told(relation):
    return relation and (relation.key, relation.text, relation.value, relation.slack)


def test_of_equally_tight_cases_the_first_is_kept():
    ledger = kept(SMALL, LESS, LESS)
    ledger.weigh([LESS._replace(name="x_1")], (1,))
    assert told(ledger.edges["x_j < 6"]) == ((1,), "x_2 < 6", "4", 2)
    later = Ledger(3)
    later.weigh([LESS._replace(name="x_9")], (7,))
    later.weigh([Relation("y", 9, "<", "6", 6), Relation("z", 1, ">", "0", F(1, 2))], (8,))
    later.values.append((1, 7))
    ledger.absorb(later)
    assert (ledger.cases, ledger.failing, ledger.values) == (5, 1, [(1, 7)])
    assert told(ledger.first) == ((8,), "y < 6", "9", -3)
    assert told(ledger.edges["x_j < 6"]) == ((1,), "x_2 < 6", "4", 2)
    assert told(ledger.edges["z > 0"]) == ((8,), "z > 0", "1", F(1, 2))
    more = kept(Relation("x_1", 6, "<", "6", 6), Relation("x_1", F(11, 2), "<", "6", 6))
    ledger.absorb(more)
    assert (told(ledger.first), ledger.failing) == (((0,), "x_1 < 6", "6", 0), 2)
    assert told(ledger.edges["x_j < 6"]) == ((1,), "x_1 < 6", "11/2", F(1, 2))


def test_a_case_that_fails_twice_is_one_and_the_first_is_named():
    large = Relation("x_1", 9, "<", "6", 6)
    ledger = Ledger()
    assert ledger.weigh([large, SMALL, large._replace(name="x_2")], (4,)) == 3
    assert (ledger.failing, told(ledger.first)) == (1, ((4,), "x_1 < 6", "9", -3))
    ledger.weigh([large, large._replace(key=(2,))], (5,))
    assert (ledger.failing, ledger.first.key) == (3, (2,))


def test_a_case_of_which_a_claim_says_nothing():
    """It counts, unless the paper says that silence doesn't."""

    class Silent(Five):
        silence_counts = False

    for model, cases in ((Five(), 5), (Silent(), 0)):
        part = model.at(["nothing", "small", "apart"], range(5))
        assert [part.ledgers[claim].cases for claim in part.ledgers] == [cases, 5, 5]
        assert part.ledgers["apart"].values == [(x, k) for k, x in enumerate(NUMBERS)]
    why = "no case exists of which it says anything"
    assert entry_of("small", Ledger(), model=Silent()) == stated("small", "vacuous", 0, why=why)
    assert entry_of("small", Ledger()) == stated("small", "vacuous", 0, why="no case exists")


def test_a_claim_about_pairs_of_which_none_exists():
    """Vacuous if it says nothing of each case; else what it says of each is what it is told for."""
    ALONE_HERE = {"why": ALONE}
    one = [(4, 2)]
    assert entry_of("alone", kept(cases=1, values=one)) == stated("alone", "vacuous", 0, **ALONE_HERE)
    several = stated("alone", "vacuous", 0, why="its conclusion compares nothing")
    nothing = type("Nothing", (Five,), {"conclusion": lambda *_: []})()
    assert entry_of("alone", kept(cases=2, values=[(4, 2), (4, 3)]), model=nothing) == several
    assert entry_of("alone", kept(cases=2, values=[(4, 2), (5, 2)]), model=nothing)["why"] == ALONE
    shown = entry_of("alone", kept(SMALL, cases=1, values=one))
    assert (shown["verdict"], shown["why"], len(shown["edges"])) == ("holds", ALONE, 1)
    too = replace(PAPER, checked_too=frozenset({"alone"}))
    assert entry_of("alone", kept(cases=1, values=one), too) == stated("alone", "holds", 1, **ALONE_HERE)
    other = replace(PAPER, pairs=frozenset())
    assert entry_of("alone", kept(cases=1, values=one), other) == stated("alone", "holds", 1, **ALONE_HERE)


def test_the_tightest_is_about_a_matrix_where_there_is_one():
    about_none = Relation("y", 1, ">", "0", 0, ())
    assert entry_of("small", kept(about_none))["tightest"]["relation"] == "y > 0"
    found = entry_of("small", kept(SMALL, about_none, Relation("a", 4, ">", "0", 0)))
    assert [edge["slack"] for edge in found["edges"]] == ["4", "3", "1"]
    assert found["tightest"] == found["edges"][1]


def test_what_a_model_says_unless_it_is_told_otherwise():
    class Plain(Five):
        category, stands_for, digest = frame.Model.category, frame.Model.stands_for, frame.Model.digest
        constants, own, selects, skipped = (
            frame.Model.constants, frame.Model.own, frame.Model.selects, frame.Model.skipped,
        )  # fmt: skip
        collected, conclusion = frame.Model.collected, frame.Model.conclusion

    m = Plain()
    assert (m.category(3), m.stands_for(3), m.digest(3), m.constants(), m.own("x")) == ("all", 1, 0, {}, None)
    assert (m.selects("x", 3), list(m.collected("x", 3)), m.conclusion("x", [], {}), m.skipped("x")) == (
        True, [], None, "",
    )  # fmt: skip
    assert (m.steps, m.every, m.how(over_space=True), m.how(over_space=False)) == (1, False, "each case literally", "")
    assert m.cases_among("x", {"total": (7, 5)}) == (0, 5)
    plain = frame.Model()
    for ask in (lambda: plain.sizes, lambda: plain.statement(over_space=True), lambda: plain.case(0)):
        with pytest.raises(NotImplementedError):
            ask()


def test_digests_are_added_up_modulo_a_prime():
    part = Five().between([], 0, 5)
    assert (part.digest, part.sizes) == (14, Five.sizes)
    part.digest = Fraction(2**31 - 3)
    part.add(Five().between([], 4, 5))
    assert part.digest == 3

"""A run from its claims to its findings, where a case is a whole number: counts and verdicts can be redone by hand."""

import re
from dataclasses import dataclass, replace
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

from verifier.catalogue import UnknownClaim, choose
from verifier.core import lanes
from verifier.core.case import Alike
from verifier.core.claim import Claim, Domain, Relation, neighbours
from verifier.core.construction import Construction
from verifier.core.exact import Q
from verifier.core.space import Sizes, Space
from verifier.papers.yun2020.contextual_map import at
from verifier.run import engine, literal, shard
from verifier.run import verify as room
from verifier.run.engine import Engine, Recipe, choose_engine, literal_engine
from verifier.run.literal import run_literally
from verifier.run.shard import Count, Shard
from verifier.run.stop import Disagreement, Miscounted, UnknownEngine
from verifier.run.tally import Tally
from verifier.run.verify import RunOptions, verify


def case(number):
    return SimpleNamespace(number=number, shown=(((Q(number),),),), stands_for=2)


class Line(Space):
    """0, ..., size - 1; each stands for itself and its negative."""

    one, several, categories = "number", "numbers", ("even", "odd")

    def __init__(self, size, formula):
        self.formula, self.numbers = formula, range(size)

    size = property(lambda self: len(self.numbers))
    rank = unrank = lambda self, place: self.numbers[place]

    def case(self, number, _):
        return case(number)

    def category(self, case):
        return self.categories[case.number % 2]

    def stands_for(self, _):
        return 2

    def closed_form(self):
        return self.formula

    def digest(self, case):
        return Q(case.number)


TEN = {"even": Sizes(10, 5), "odd": Sizes(10, 5), "total": Sizes(20, 10)}


class Numbers(Construction):
    """With a kernel, if one is given: it makes something of each part that the literal network has found."""

    sizes = {"size": 10}  # noqa: RUF012

    def __init__(self, claims, *, kernel=None, nearest=lambda *_: (), formula=TEN):
        self.its, self.change, self.nearest = claims, kernel, nearest
        self.line = Line(10, formula)

    space = property(lambda self: self.line)

    def claims(self):
        return self.its

    def default_claims(self):
        return self.its[:2]

    def knows(self, claim):
        return self.change is not None and claim.id != "own.unknown"

    def kernel(self, claims):
        def run(start, stop, tell):
            return self.change(run_literally(self, claims, start, stop, tell))

        network = partial(literal_engine, self)
        return Engine("the kernel", run, 10**6, Recipe("kernel", "", (), self.kernel), self.nearest, network)


EVERY = Domain("every number")
ALWAYS = Relation("1", Q(1), "<", "2", Q(2))


def claim(check=None, name="claim", domain=EVERY, **more):
    return Claim(id=f"own.{name}", says="", formula="", domain=domain, check=check, **more)


def below(bound, **more):
    return claim(lambda case: [Relation("x", Q(case.number), "<", "bound", Q(bound))], **more)


HOLDS, FAILS = below(99), below(7)


def apart(values=lambda case: [Q(case.number) ** 2], **more):
    def conclude(_, seen):
        for lower, upper, cases in neighbours(seen):
            yield Relation("distance", upper - lower, ">", "0", Q(0), cases)

    return claim(name="apart", collect=values, conclude=conclude, **more)


def matrices(*numbers):
    return tuple(((Q(number),),) for number in numbers)


@pytest.fixture(autouse=True)
def two_shards(monkeypatch):
    """0, ..., 4 and 5, ..., 9."""
    monkeypatch.setattr(shard, "LEAST_ORBITS", 5)


# Verdicts


def test_a_claim_that_holds_has_its_tightest_cases():
    def check(case):
        yield Relation("x", Q(case.number), "<", "12", Q(12))
        yield Relation("x", Q(case.number), ">=", "0", Q(0))

    found = verify(Numbers([claim(check)]))["own.claim"]
    assert (found.verdict, found.cases, found.failing, found.why) == ("holds", 10, 0, "")
    assert [(edge.relation.edge, edge.slack, edge.matrices) for edge in found.edges] == [
        ("x < 12", 3, matrices(9)),
        ("x >= 0", 0, matrices(0)),
    ]


def test_a_claim_that_fails_has_its_first_counterexample_and_no_tightest_case():
    found = verify(Numbers([below(7)]))["own.claim"]
    assert (found.verdict, found.cases, found.failing, found.edges) == ("refuted", 10, 3, ())
    assert (found.counterexample.relation.value, found.counterexample.matrices) == (7, matrices(7))


@pytest.mark.parametrize("least", [5, 10])
def test_a_claim_about_pairs(least, monkeypatch):
    monkeypatch.setattr(shard, "LEAST_ORBITS", least)
    found = verify(Numbers([apart()]))["own.apart"]
    assert (found.verdict, found.cases, found.tightest.matrices) == ("holds", 10, matrices(0, 1))
    found = verify(Numbers([apart(lambda case: [Q(case.number - 5) ** 2])]))["own.apart"]
    assert (found.verdict, found.failing, found.counterexample.matrices) == ("refuted", 4, matrices(1, 9))


NONE = Domain("none", selects=lambda _: False)
LAST = Domain("the last", selects=lambda case: case.number == 9)
TWO = Domain("the last two", selects=lambda case: case.number > 7)
NOTHING = lambda *_: []  # noqa: E731


@pytest.mark.parametrize(
    ("made", "verdict", "cases", "why"),
    [
        (below(9, domain=NONE), "vacuous", 0, "no case exists of which it says anything"),
        (below(99, skip=lambda g: f"not at {g.sizes['size']}"), "skipped", 0, "not at 10"),
        (apart(domain=LAST), "vacuous", 0, "a single number: no pair exists"),
        (claim(collect=lambda _: [1], conclude=NOTHING), "vacuous", 0, "its conclusion compares nothing"),
        (claim(domain=TWO, collect=lambda _: [1], conclude=NOTHING), "vacuous", 0, "its conclusion compares nothing"),
        (apart(domain=LAST, check=lambda _: [ALWAYS]), "holds", 1, "a single number: no pair exists"),
        (claim(conclude=lambda *_: [ALWAYS]), "holds", 10, ""),
        (apart(domain=NONE), "vacuous", 0, "no case exists of which it says anything"),
    ],
)  # fmt: skip
def test_a_claim_of_which_nothing_is_established_is_not_said_to_hold(made, verdict, cases, why):
    (found,) = verify(Numbers([made])).findings
    assert (found.verdict, found.cases, found.why) == (verdict, cases, why)


def test_a_paper_without_a_case_says_so_in_other_words(monkeypatch):
    monkeypatch.setattr(Numbers, "paper", "yun2020")
    assert verify(Numbers([below(9, domain=NONE)])).findings[0].why == "no case exists"


def test_the_conclusion_sees_what_was_covered_and_every_value_in_order():
    seen = []
    collecting = claim(collect=lambda case: [case.number], conclude=lambda *its: seen.append(its) or [])
    g = Numbers([collecting])
    verify(g)
    ((construction, collected),) = seen
    assert construction is g
    assert (collected.coverage, collected.values) == (TEN, [(k, k) for k in range(10)])


# Cases of a claim's own


def words(case):
    return [Relation("length", Q(len(case)), "<", "4", Q(4))]


def test_claims_about_the_same_cases_are_asked_of_each_case_together():
    made = []
    own = Domain("some words", cases=lambda _: (made.append(word) or word for word in ("one", "seven", "ten")))
    longer = claim(lambda case: [Relation("length", Q(len(case)), ">", "2", Q(2))], "longer", own)
    of_none = claim(words, "none", Domain("no words", cases=lambda _: []))
    result = verify(Numbers([claim(words, "short", own), longer, of_none]), "all")
    assert made[:3] == ["one", "seven", "ten"]
    assert made[3:] == ["one", "seven"] * 2 + ["one"]  # for the matrices that are shown: at once, and in the findings
    short, longer, nothing = result.findings
    assert (short.verdict, short.cases, short.failing, short.counterexample.matrices) == ("refuted", 3, 1, ())
    assert (longer.verdict, longer.cases, longer.tightest.slack) == ("holds", 3, 1)
    assert (nothing.verdict, result.coverage, result.shards, result.engine) == ("vacuous", {}, (), "no case was run")


def test_the_matrices_of_a_pair_of_its_own_cases_are_in_the_order_of_the_pair():
    own = Domain("the last ones", cases=lambda _: map(case, range(7, 10)))
    both = claim(lambda _: [Relation("1", Q(1), "<", "2", Q(2), (2, 0))], domain=own)
    about_none = claim(collect=lambda _: [1], conclude=lambda *_: [ALWAYS], domain=own)
    assert verify(Numbers([both])).findings[0].tightest.matrices == matrices(9, 7)
    assert verify(Numbers([about_none])).findings[0].tightest.matrices == ()


# Which claims are run


A, B, C = (below(99, name=name) for name in "abc")


def ids(result):
    return [finding.claim.id for finding in result.findings]


def test_claims_are_given_by_name_or_as_they_are():
    g = Numbers([A, B, C])
    assert ids(verify(g)) == ["own.a", "own.b"]
    assert ids(verify(g, "all")) == ["own.a", "own.b", "own.c"]
    assert ids(verify(g, "own.c,own.a")) == ids(verify(g, ["own.a", "own.c"])) == ["own.a", "own.c"]
    assert ids(verify(g, [C])) == ["own.c"]
    assert ids(verify(g, [C, "own.a"])) == ["own.c", "own.a"]
    assert ids(verify(g, (each for each in (C, C)))) == ["own.c"]
    with pytest.raises(UnknownClaim):
        verify(g, [])
    with pytest.raises(ValueError, match=r"two claims are called own\.c"):
        verify(g, [C, below(98, name="c")])
    with pytest.raises(TypeError, match=r"takes a construction, not .*Line object"):
        verify(g.space)


# Counting


def test_cases_that_are_not_as_many_as_the_formula_says_give_no_verdict():
    formula = TEN | {"odd": Sizes(10, 1005), "total": Sizes(20, 1010)}
    with pytest.raises(Miscounted) as refused:
        verify(Numbers([below(99)], formula=formula))
    assert str(refused.value) == (
        "odd: 5 numbers were run, and the formula gives 1,005; total: 10 numbers were run, and the formula gives 1,010."
        " No verdict; a claim about the sizes has this as a counterexample"
    )
    own = Domain("itself", cases=lambda g: [g])
    verify(Numbers([claim(lambda _: [ALWAYS], domain=own)], formula=formula))


def test_unless_a_claim_is_about_how_many_there_are():
    def conclude(g, seen):
        yield Relation("numbers", seen.coverage["total"].orbits, "=", "formula", g.space.closed_form()["total"].orbits)

    counts = claim(conclude=conclude, counts=True)
    result = verify(Numbers([counts, below(99, name="other")], formula=TEN | {"total": Sizes(20, 11)}))
    assert (result.verdict, result.coverage) == ("refuted", TEN)


# A kernel's shards, and the relations that are made again


def bare(part):
    """As from a file or a network, which carry no relations."""
    return replace(part, relations={})


def of_claim(change):
    def changed(part):
        counts = {id_: change(part, count) for id_, count in part.shard.claims.items()}
        return bare(replace(part, shard=replace(part.shard, claims=counts)))

    return changed


def run(g, **options):
    return verify(g, "all", RunOptions("kernel", **options))


@pytest.mark.parametrize("claims", [[below(99)], [below(7)], [apart()], [below(6), apart(), below(0, name="never")]])
def test_a_kernel_is_told_apart_by_its_name_alone(claims):
    truth = verify(Numbers(claims), "all")
    for kernel in (bare, lambda part: part):
        result = run(Numbers(claims, kernel=kernel), say=pytest.fail)
        assert (result.findings, result.shards, result.coverage) == (truth.findings, truth.shards, TEN)
        assert (truth.engine, result.engine) == ("the literal network", "the kernel")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda part, count: replace(count, failing=1, first=part.shard.start), "no failing relation at rank 0"),
        (lambda _, count: replace(count, edges={"x < bound": (Q(1), 8)}), "no slack 1 of x < bound at rank 8"),
        (lambda _, count: replace(count, edges={"x < limit": (Q(90), 9)}), "no slack 90 of x < limit at rank 9"),
    ],
)
def test_what_the_literal_network_does_not_find_again_is_a_disagreement(change, why):
    with pytest.raises(Disagreement, match=f"own.claim: the literal network has {why}"):
        run(Numbers([below(99)], kernel=of_claim(change)))


def test_no_verdict_stands_without_its_relation(monkeypatch):
    monkeypatch.setattr("verifier.run.verify._keep", lambda tally, _, rank, __: tally.fail((rank,), None))
    with pytest.raises(Disagreement, match="a relation that stands out was never made"):
        verify(Numbers([FAILS]))


def test_a_relation_that_is_at_hand_is_believed_only_if_it_stands_out():
    def wrong(part):
        return replace(part, relations={key: replace(its, value=Q(-77)) for key, its in part.relations.items()})

    for claims in ([HOLDS], [FAILS]):
        assert run(Numbers(claims, kernel=wrong)).findings == verify(Numbers(claims)).findings


def decoded(part):
    """Every value of the part leads back to its case; the nearest two are 0 and 1."""
    return replace(part, values={}, nearest=(1, part.shard.start))


def test_of_pairs_that_a_kernel_has_decoded_the_nearest_are_looked_at():
    seen = []
    collect = lambda case: [seen.append(case.number) or Q(case.number) ** 2]  # noqa: E731
    g = Numbers([apart(collect), below(99)], kernel=decoded, nearest=lambda *_: (0, 1))
    result = run(g)
    assert seen[10:] == [0, 1]
    assert [(f.verdict, f.cases, f.tightest.matrices) for f in result.findings] == [
        ("holds", 10, matrices(0, 1)),
        ("holds", 10, matrices(9)),
    ]


def test_where_one_shard_does_not_decode_every_value_is_collected():
    said = []
    claims = [apart(), HOLDS]
    result = run(Numbers(claims, kernel=lambda part: part if part.shard.start else decoded(part)), say=said.append)
    assert result.findings == verify(Numbers(claims)).findings
    assert said == ["a value does not decode: the network runs the rest"]
    assert result.engine == (
        "the kernel; 1 of 2 shards, where it did not find what the paper claims, by the literal network"
    )


def test_cases_that_a_kernel_has_miscounted_are_run_again():
    said, told = [], []

    def one_more(part):
        coverage = part.shard.coverage
        if not part.shard.start:
            coverage = coverage | {"odd": Sizes(6, 3), "total": Sizes(12, 6)}
        return replace(part, shard=replace(part.shard, coverage=coverage))

    result = run(Numbers([HOLDS], kernel=one_more), say=said.append, progress=told.append)
    assert (result.coverage, result.findings) == (TEN, verify(Numbers([HOLDS])).findings)
    assert said == ["cases were miscounted: the network runs the rest"]
    assert result.engine == "the literal network, since the kernel did not find what the paper claims"
    assert (told[-1].done, told[-1].kept, told[-1].total) == (10, 0, 10)


def test_what_was_run_instead_of_a_kernel_is_not_run_again():
    def miscounted(part):
        if not part.shard.start:
            return replace(part, instead="the literal network")
        return replace(part, shard=replace(part.shard, coverage=part.shard.coverage | {"odd": Sizes(1, 1)}))

    ran, told = [], []
    counting = claim(lambda case: ran.append(case.number) or [ALWAYS])
    with pytest.warns(RuntimeWarning, match="cases were miscounted: the network runs the rest"):
        run(Numbers([counting], kernel=miscounted), progress=told.append)
    assert ran == [*range(10), *range(5, 10)]
    assert (told[-1].done, told[-1].kept, told[-1].categories) == (10, 5, {"even": 5, "odd": 5})


def test_a_claim_that_the_kernel_does_not_know_is_the_literal_networks():
    claims = [below(99), below(50, name="unknown")]
    result = run(Numbers(claims, kernel=bare))
    assert result.findings == verify(Numbers(claims)).findings
    assert result.engine == "the kernel; own.unknown: the literal network"


# Where shards come from


def test_shards_of_a_checkpoint_are_not_run_again(tmp_path):
    ran, told = [], []
    counting = claim(lambda case: ran.append(case.number) or [Relation("x", Q(case.number), "<", "12", Q(12))])
    options = RunOptions(checkpoint=tmp_path, progress=told.append)
    first = verify(Numbers([counting]), "all", options)
    assert (ran, told[-1].kept) == ([*range(10)], 0)
    (tmp_path / "shard-00001.json").unlink()
    again = verify(Numbers([counting]), "all", options)
    assert ran[10:] == [5, 6, 7, 8, 9]
    assert (again.findings, again.shards) == (first.findings, first.shards)
    assert (told[-1].done, told[-1].kept) == (10, 5)
    third = verify(Numbers([counting]), "all", options)
    assert ran[15:] == [9]  # the tightest case, whose relation is in no file
    assert (third.findings, told[-1].kept) == (first.findings, 10)


def test_kept_shards_that_together_miscount_are_not_believed(tmp_path):
    said = []
    verify(Numbers([below(99)], formula=TEN), "all", RunOptions(checkpoint=tmp_path))
    other = {"even": Sizes(10, 5), "odd": Sizes(10, 4), "total": Sizes(20, 9)}
    with pytest.raises(Miscounted):
        verify(Numbers([below(99)], formula=other), "all", RunOptions(checkpoint=tmp_path, say=said.append))
    assert said == ["cases were miscounted: what was kept is not believed, and every shard is run again"]


def test_a_damaged_shard_is_named_and_run_again(tmp_path):
    said = []
    options = RunOptions(checkpoint=tmp_path, say=said.append)
    first = verify(Numbers([HOLDS]), "all", options)
    (tmp_path / "shard-00000.json").write_text("[]")
    assert verify(Numbers([HOLDS]), "all", options).findings == first.findings
    assert said == ["damaged, and run again: shard-00000.json"]


def test_a_claim_of_ones_own_is_sent_to_no_other_process(monkeypatch):
    monkeypatch.setattr("verifier.run.verify.WORTH_PROCESSES", -1)
    monkeypatch.setattr("verifier.run.verify.run_in_processes", lambda *_: pytest.fail("it was sent"))
    with pytest.warns(RuntimeWarning, match="own can't be sent to other processes: this one runs them alone"):
        assert verify(Numbers([below(99)]), "all", RunOptions(jobs=2)).verdict == "holds"
    assert verify(Numbers([below(99)]), "all", RunOptions(jobs=None)).verdict == "holds", "and no warning"
    with pytest.raises(UnknownEngine, match="own can't be sent to a cluster"):
        verify(Numbers([below(99)]), "all", RunOptions(scheduler="tcp://nowhere:1"))


def test_what_a_claim_raises_names_the_claim_and_the_case():
    def check(case):
        return [Relation("x", Q(1), "<", "bound", Q(2) / (case.number - 3))]

    with pytest.raises(ZeroDivisionError) as error:
        verify(Numbers([claim(check)]), "all")
    (note,) = error.value.__notes__
    assert re.match(r"in \S+, at the case of rank 3: ", note)


@pytest.mark.parametrize(
    ("jobs", "cores", "worth", "processes"),
    [(1, 8, -1, None), (2, 8, -1, 2), (8, 1, -1, 2), (None, 8, -1, 2), (None, 1, -1, None), (2, 8, 10**9, None)],
)
def test_shards_that_are_worth_it_go_to_other_processes(jobs, cores, worth, processes, monkeypatch):
    """As many as were asked for, or as there are cores, and never more than shards."""
    asked = []

    def in_processes(recipe, claims, stretches, jobs, *_):
        asked.append(jobs)
        engine = recipe.make(claims)
        yield from ((index, engine.run(*stretch, lambda *_: None)) for index, *stretch in reversed(stretches))

    monkeypatch.setattr("verifier.run.verify.can_be_sent", lambda *_: True)
    monkeypatch.setattr("verifier.run.verify.run_in_processes", in_processes)
    monkeypatch.setattr("verifier.run.verify.cores", lambda: cores)
    monkeypatch.setattr("verifier.run.verify.WORTH_PROCESSES", worth)
    result = verify(Numbers([FAILS]), "all", RunOptions(jobs=jobs))
    assert asked == ([] if processes is None else [processes])
    assert [(its.start, its.stop) for its in result.shards] == [(0, 5), (5, 10)]
    assert result.findings == verify(Numbers([FAILS])).findings


# What those who wait are told


def test_claims_with_cases_of_their_own_are_told_of_before_the_space():
    told = []
    own = Domain("itself", cases=lambda g: [g, g])
    fails = claim(lambda _: [Relation("2", Q(2), "<", "1", Q(1))], "fails", own)
    verify(Numbers([fails, below(99)]), "all", RunOptions(progress=told.append))
    assert [(so_far.done, so_far.total) for so_far in told[:3]] == [(0, 10)] * 3
    assert [len(so_far.refuted) for so_far in told[:3]] == [0, 0, 1]
    assert (told[2].refuted[0].claim, told[2].refuted[0].matrices, told[-1].done) == ("own.fails", (), 10)
    told.clear()
    verify(Numbers([fails]), "all", RunOptions(progress=told.append))
    assert {so_far.total for so_far in told} == {0}


# The literal network: case by case, or in blocks of cases that are looked at together


@dataclass(frozen=True)
class Looked(Alike):
    number: object
    odd: bool

    alike = ("odd",)


class Together(Line):
    """The even ones as one case, and the odd ones as another; how many there are at a time is noted."""

    def __init__(self, size=10):
        super().__init__(size, TEN)
        self.blocks = []

    def together(self, numbers, points):
        self.blocks.append(len(points))
        kinds = [(np.flatnonzero(np.array(numbers) % 2 == odd), bool(odd)) for odd in (0, 1)]
        return [(its, Looked(lanes.lanes([Q(numbers[k]) for k in its]), odd)) for its, odd in kinds if len(its)]

    def case(self, number, _):
        return Looked(Q(number), bool(number % 2))

    def category(self, case):
        return self.categories[case.odd]

    def stands_for(self, point):
        return 2 + point % 2

    def digest(self, case):
        return 2**29 * case.number


class OneByOne(Together):
    together = Line.together


@pytest.mark.parametrize("space", [OneByOne, Together])
def test_what_a_stretch_of_the_space_counts(space, monkeypatch):
    monkeypatch.setattr(literal, "WORTH_IT", 7)
    for name in ("LEAST_AT_ONCE", "AT_ONCE"):
        monkeypatch.setattr(literal, name, 3)
    g, told = Numbers([]), []
    g.line = space()
    claims = [claim(lambda case: [Relation("x", case.number, "<", "6", Q(6))]), apart(lambda case: [case.number])]
    part = literal.run_literally(g, claims, 2, 9, lambda *its: told.append(its))
    coverage = {"even": Sizes(8, 4), "odd": Sizes(9, 3), "total": Sizes(17, 7)}
    counts = {"own.claim": Count(7, 3, 6, {"x < 6": (Q(1), 5)}), "own.apart": Count(7)}
    assert part.shard == Shard(2, 9, coverage, Q(2**29 * sum(range(2, 9)) % (2**31 - 1)), counts)
    assert part.values == {"own.apart": [(k, k) for k in range(2, 9)]}
    assert set(part.relations) == {("own.claim", ""), ("own.claim", "x < 6")}
    assert told[-1] == (7, part.shard)
    ends = range(3, 10) if space is OneByOne else (5, 8, 9)
    assert [(done, so_far.start, so_far.stop, so_far.coverage["total"].orbits) for done, so_far in told] == [
        (stop - 2, 2, stop, stop - 2) for stop in ends
    ]


@pytest.mark.parametrize(
    ("columns", "entries", "blocks"),
    [
        (0, 8 * 4, [4, 4, 2]),
        (1, 8 * 2 * 4, [4, 4, 2]),
        (0, 8 * 9, [5, 5]),
        (9, 8 * 10 * 3 - 1, [2] * 5),
        (99, 0, [2] * 5),
    ],
)
def test_as_many_cases_at_a_time_as_memory_allows(columns, entries, blocks, monkeypatch):
    for name, value in (("WORTH_IT", 10), ("LEAST_AT_ONCE", 2), ("AT_ONCE", 5), ("MOST_ENTRIES", entries)):
        monkeypatch.setattr(literal, name, value)
    monkeypatch.setattr(Numbers, "columns_a_case", columns)
    g = Numbers([])
    g.line = Together()
    literal.run_literally(g, [], 0, 10)
    assert g.line.blocks == blocks
    g.line.blocks.clear()
    literal.run_literally(g, [], 1, 10)  # too few to be worth it
    assert g.line.blocks == []


@pytest.mark.parametrize(("worth", "calls"), [(1, 4), (3, 3 + 1), (4, 10), (99, 10)])
def test_cases_of_a_claims_own_are_numbered_through_all_blocks(worth, calls, monkeypatch):
    monkeypatch.setattr(literal, "WORTH_IT", worth)
    monkeypatch.setattr(literal, "AT_ONCE_OF_ITS_OWN", 3)
    told, tally = [], Tally(below(6, collect=lambda case: [case.number], conclude=lambda *_: []))
    cases = (Looked(number, odd=False) for number in range(10))
    literal.see_all(Numbers([]), [tally], cases, told.append)
    assert tally.count() == Count(10, 4, 6, {"x < bound": (Q(1), 5)})
    assert tally.values == [(k, k) for k in range(10)]
    assert len(told) == calls
    assert sorted(set(told)) == told
    assert told[0] == 0
    plain = Tally(below(6))
    literal.see_all(Numbers([]), [plain], map(case, range(10)), lambda _: None)
    assert plain.count() == tally.count()


# Which engine


@pytest.mark.parametrize(
    ("name", "columns", "kernel", "words"),
    [
        ("literal", 9, True, "the literal network"),
        ("auto", 3, True, "the literal network"),  # 10 cases of 3 columns: quick
        ("auto", 4, True, "the kernel"),
        ("auto", 4, False, "the literal network"),
        ("kernel", 0, True, "the kernel"),
        ("kernel", 0, False, "the literal network (not the kernel: a claim is none of its own)"),
    ],
)
def test_the_literal_network_runs_what_is_quick_and_what_no_kernel_knows(name, columns, kernel, words, monkeypatch):
    monkeypatch.setattr(engine, "QUICK", 30)
    monkeypatch.setattr(Numbers, "columns_a_case", columns)
    g = Numbers([HOLDS], kernel=bare if kernel else None)
    assert choose_engine(g, [HOLDS], name).words == words
    with pytest.raises(UnknownEngine, match="'fast' is no engine; there are auto, literal, kernel"):
        choose_engine(g, [HOLDS], "fast")


def test_a_kernel_that_there_is_not_here_says_why(monkeypatch):
    monkeypatch.setattr(Numbers, "kernel", lambda *_: "its numbers are too long")
    g = Numbers([HOLDS], kernel=bare)
    assert choose_engine(g, [HOLDS], "kernel").words == "the literal network (not the kernel: its numbers are too long)"


def test_how_long_an_engine_takes(monkeypatch):
    """Every matrix that a case stands for is run where a claim is over matrices."""
    monkeypatch.setattr(Numbers, "columns_a_case", 8)
    g, over_matrices = Numbers([HOLDS]), below(9, name="m", domain=Domain("every matrix", over_matrices=True))
    assert (engine.work(g, [HOLDS]), engine.work(g, [HOLDS, over_matrices])) == (10 * 8, (10 + 20) * 8)
    its = choose_engine(g, [HOLDS], "literal")
    assert (its.a_second, its.seconds(25_000), its.name) == (10_000, 2, "literal")
    monkeypatch.setattr(Numbers, "columns_a_case", 10**9)
    assert choose_engine(g, [HOLDS], "literal").a_second == 1
    monkeypatch.setattr(Numbers, "columns_a_case", 0)
    assert choose_engine(g, [HOLDS], "literal").a_second == 800_000


def test_another_process_makes_the_same_engine_of_its_recipe():
    known = choose(["grid.sizes", "grid.order"])
    recipe = Recipe("literal", "yun2020", (), lambda claims: Engine("made", tuple, 1, claims))
    assert recipe.engine([its.id for its in known]).recipe == known
    g = Numbers([HOLDS, below(50, name="unknown")], kernel=bare)
    both = choose_engine(g, g.claims(), "kernel")
    again = both.recipe.make(g.claims())
    assert (both.name, again.words) == ("both", both.words)
    assert again.run(0, 10, lambda *_: None) == both.run(0, 10, lambda *_: None)


def test_what_ran_these_parts():
    ran, instead = SimpleNamespace(instead=""), SimpleNamespace(instead="the literal network")
    its = Engine("the kernel", tuple, 1, None)
    assert its.words_for([]) == "no case was run"
    assert its.words_for([ran, ran]) == "the kernel"
    assert its.words_for([instead]) == "the literal network, since the kernel did not find what the paper claims"
    assert its.words_for([ran, instead, instead]) == (
        "the kernel; 2 of 3 shards, where it did not find what the paper claims, by the literal network"
    )


def test_a_shard_of_the_literal_network_without_its_values_is_no_proof_that_all_differ(monkeypatch):
    """As a forged checkpoint might have it: all shards but the first would be compared with nothing."""
    parts = room._parts

    def forgetful(*given):
        first, *others = parts(*given)
        return [first, *(replace(part, values={}) for part in others)]

    g = at(1, 2, 70)
    monkeypatch.setattr(room, "_parts", forgetful)
    with pytest.raises(Disagreement, match="a shard of the network has none of the values"):
        verify(g, ["lemma6.2"], RunOptions("literal"))


def test_options_show_what_is_chosen():
    assert repr(RunOptions()) == "RunOptions()"
    assert repr(RunOptions("literal", jobs=2)) == "RunOptions(engine='literal', jobs=2)"

"""A construction of one's own in Python: it is run and told, and never certified; and what no claim may say."""

from fractions import Fraction

import pytest

from verifier import (
    Attention,
    Claim,
    ColumnOrbits,
    Construction,
    Domain,
    FeedForward,
    Head,
    Network,
    PiecewiseLinear,
    Q,
    Relation,
    certify,
    explain,
    neighbours,
    print_result,
    verify,
)
from verifier.confirm import confirm
from verifier.core.construction import NotCertifiable
from verifier.core.space import Tuples


def sums_differ(_, seen):
    for lower, upper, cases in neighbours(seen):
        yield Relation("the larger sum", upper, ">", "the smaller", lower, cases)


def sum_is_bounded(case):
    g = case.construction
    yield Relation("the sum", case.image[2][0], "<=", "n base^(N-1)", Q(g.n * g.base ** (g.N - 1)))


EVERY = Domain("every multiset of n tokens")
BOUNDED = Claim(id="sums.bounded", says="The sum is at most n base^(N-1).", formula="sum_j base^(t_j) <= n base^(N-1)",
                domain=EVERY, check=sum_is_bounded)  # fmt: skip
DISTINCT = Claim(id="sums.distinct", says="No two inputs have the same sum.", formula="sum_j base^(t_j) tells {t_j}",
                 domain=EVERY, collect=lambda case: [case.image[2][0]], conclude=sums_differ)  # fmt: skip


class SumsOfPowers(Construction):
    title = "one layer of sums of powers"

    def __init__(self, n, N, base):
        self.n, self.N, self.base = n, N, base
        powers = PiecewiseLinear([Q(2 * t - 1, 2) for t in range(1, N)], [(0, base**t) for t in range(N)])
        to_powers = FeedForward(W_1=[[1, 0, 0]], b_1=[0], W_2=[[0], [1], [0]], b_2=[0, 0, 0], phi=powers)
        add_up = Head(W_O=[[0], [0], [n]], W_V=[[0, 1, 0]], W_K=[[0, 0, 0]], W_Q=[[0, 0, 0]], b_Q=[0])
        self.network = Network([to_powers, Attention([add_up])])

    sizes = property(lambda self: {"n": self.n, "N": self.N, "base": self.base})
    networks = property(lambda self: {"sums": self.network})
    space = property(lambda self: ColumnOrbits(self, [[t, 0, 0] for t in range(self.N)], self.n))

    def claims(self):
        return [BOUNDED, DISTINCT]


def test_it_is_run(capsys):
    result = verify(SumsOfPowers(n=3, N=3, base=2))
    assert (result.verdict, result.refuted) == ("refuted", ["sums.distinct"])
    assert verify(SumsOfPowers(n=3, N=3, base=4)).verdict == "holds"
    print_result(result)
    said = capsys.readouterr().out
    assert "one layer of sums of powers, (n, N, base) = (3, 3, 2)" in said
    assert "REFUTED: sums.distinct; the other claim holds at (n, N, base) = (3, 3, 2)" in said


def test_explain_tells_the_pair_that_refutes_and_the_case_that_is_tightest(capsys):
    result = verify(SumsOfPowers(n=3, N=3, base=2))
    explain(result, "sums.distinct")
    said = capsys.readouterr().out
    assert "[0, 0, 2; 0, 0, 0; 0, 0, 0]\n    layer 0, FeedForward: [0, 0, 2; 1, 1, 4; 0, 0, 0]" in said
    assert "layer 1, attention, its heads read [2, 2, 2]: [1, 1, 1; 2, 2, 2; 6, 6, 6]" in said
    explain(result, "sums.bounded")
    assert "tightest: the sum = 12 <= n base^(N-1) = 12, at [2, 2, 2;" in capsys.readouterr().out
    with pytest.raises(KeyError, match=r"there are sums\.bounded, sums\.distinct"):
        explain(result, "sums.other")


def test_cases_may_be_anything():
    class Numbers(Tuples):
        def case(self, number, point):
            return type("Case", (), {"number": number, "stands_for": 1, "shown": (), "point": point})()

    def at_least_0(case):
        yield Relation("x_1 + x_2", Q(sum(case.point)), ">=", "0", Q(0))

    class Bare(SumsOfPowers):
        space = property(lambda self: Numbers([2, 2]))  # noqa: ARG005
        claims = lambda _: [Claim(id="own.sum", says="", formula="", domain=EVERY, check=at_least_0)]  # noqa: E731

    found = verify(Bare(n=2, N=2, base=2))["own.sum"]
    assert (found.verdict, found.cases, found.tightest.slack) == ("holds", 4, 0)


def test_it_is_never_certified():
    result = verify(SumsOfPowers(n=2, N=2, base=2))
    with pytest.raises(NotCertifiable, match=r"sums of powers: .* page, .*docs/how-to/your-own-construction[.]md"):
        certify(result)
    standing = confirm(result, 0)
    assert not standing.checked
    assert "write it down as a page" in standing.words


# What nobody may believe: claims that say nothing, or nothing exact, or are two of a name


HOLDS = Relation("1", Q(1), "<", "2", Q(2))
FAILS = Relation("1", Q(1), ">", "2", Q(2))


def claim(**its):
    return Claim(**({"id": "own.claim", "says": "It is so.", "formula": "1", "domain": Domain("every input")} | its))


def found(*claims, n=2):
    class Powers(SumsOfPowers):
        def claims(self):
            return claims

    return verify(Powers(n=n, N=3, base=4))


def test_two_claims_of_one_name_are_refused_and_one_given_twice_is_one():
    """Else the one that holds is told twice, and the one that fails is gone."""
    bad, good = claim(check=lambda _: [FAILS]), claim(check=lambda _: [HOLDS])
    for both in ((bad, good), (good, bad)):
        with pytest.raises(ValueError, match=r"two claims are called own[.]claim"):
            found(*both)
        with pytest.raises(ValueError, match=r"two claims are called own[.]claim"):
            verify(SumsOfPowers(n=2, N=3, base=4), both)
    assert [finding.verdict for finding in found(good, good).findings] == ["holds"]


@pytest.mark.parametrize(
    ("relation", "why"),
    [
        (Relation("a", 2.0**53 + 1, "<=", "2^53", 2.0**53), "a: 9007199254740992.0 is a float"),
        (Relation("a", Q(1, 2), "<", "b", 0.75), "b: 0.75 is a float"),
        (Relation("a", (Q(1), 0.5), "=", "b", (Q(1), Q(1, 2))), "a: 0.5 is a float"),
        (Relation("a", Fraction(1, 2), "<", "b", Q(1)), "a: .* is a Fraction"),
        (Relation("a", True, "=", "b", 1), "a: True is a bool"),
        (Relation("a", Q(1), "!=", "b", Q(0)), "'!=' between a and b is none of = < <= > >="),
        (Relation("a", (Q(1),), ">", "b", (Q(0),)), "a is a list, and > is between numbers"),
        (True, "True is no Relation"),
    ],
)
def test_a_relation_is_between_exact_numbers(relation, why):
    for n in (2, 10):  # 6 cases, one by one; and 66, at once
        with pytest.raises(ValueError, match=f"^own.claim: {why}"):
            found(claim(check=lambda _: [relation]), n=n)
    with pytest.raises(ValueError, match=f"^own.claim: {why}"):
        found(claim(collect=lambda case: [case.number], conclude=lambda *_: [relation]))


@pytest.mark.parametrize(
    ("its", "why"),
    [
        ({}, "own.claim: it has nothing that could fail"),
        ({"collect": lambda _: [1]}, "own.claim: what it collects is compared by nothing"),
        ({"id": "claim", "check": lambda _: [HOLDS]}, "'claim' is no claim id"),
    ],
)
def test_a_claim_says_something(its, why):
    with pytest.raises(ValueError, match=why):
        claim(**its)


def test_a_case_of_which_a_check_says_nothing_is_no_case_of_the_claim():
    """Else a claim that compares nothing holds in every case."""
    silent = found(claim(check=lambda _: []))["own.claim"]
    assert (silent.verdict, silent.cases, silent.why) == ("vacuous", 0, "no case exists of which it says anything")
    some = found(claim(check=lambda case: [HOLDS] if case.number < 4 else []))["own.claim"]
    assert (some.verdict, some.cases) == ("holds", 4)
    only_failures = found(claim(check=lambda _: [], silence_holds=True))["own.claim"]
    assert (only_failures.verdict, only_failures.cases) == ("holds", 6)
    collected = found(claim(collect=lambda _: [], conclude=lambda _, seen: neighbours(seen)))["own.claim"]
    assert (collected.verdict, collected.cases) == ("vacuous", 0)
    concluded = found(claim(collect=lambda _: [1], conclude=lambda *_: []))["own.claim"]
    assert (concluded.verdict, concluded.why) == ("vacuous", "its conclusion compares nothing")
    for n in (2, 10):
        with pytest.raises(TypeError, match=r"own[.]claim: None instead of relations"):
            found(claim(check=lambda _: None), n=n)
        many = found(claim(check=lambda case: [HOLDS] if case.X[0][0] == 0 else []), n=n)["own.claim"]
        assert (many.verdict, many.cases) == ("holds", {2: 3, 10: 55}[n])

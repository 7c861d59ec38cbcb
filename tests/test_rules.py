"""Each fact of a rule is needed as it is: none can be missing, on a smaller range, or say anything else."""

import re
from dataclasses import replace

import pytest

from verifier.checker.core.comparing import Rejected
from verifier.checker.core.ring import add, number
from verifier.checker.symbolic.facts import FACTS
from verifier.checker.symbolic.link import APPENDIX_C, LEMMA_6, linked
from verifier.checker.symbolic.polynomial import bounds

OWN = [(rule, name) for rule, parts in FACTS.rules.items() for name in parts if name not in FACTS.rules]
BESIDES = ["apart.within", "apart.across", "inside.low", "inside.high", "cat2.value", "cat2.value.one"]
BESIDES += ["cat3.low", "cat3.high", "cat3.beyond", "cat3.under"]
BESIDES += ["pos.passed", "lt.grow", "pos.bound", "again.start", "again.bound"]
BESIDES += ["pos.start", "pos.end", "pos.next", "pos.within"]
NEEDED = [name for _, name in OWN] + BESIDES


def with_fact(name, **change):
    return replace(FACTS, facts=FACTS.facts | {name: replace(FACTS.facts[name], **change)})


def with_parts(name, parts):
    """A rule, or a claim, that follows from others."""
    if name in FACTS.rules:
        return replace(FACTS, rules=FACTS.rules | {name: tuple(parts)})
    return replace(FACTS, claims=FACTS.claims | {name: replace(FACTS.claims[name], parts=tuple(parts))})


def test_the_rules_have_what_the_network_needs_and_nothing_else():
    linked()
    assert len(OWN) == len(set(OWN)) == 87
    assert {rule for rule, _ in OWN} == set(FACTS.rules)


@pytest.mark.thorough
@pytest.mark.parametrize("name", NEEDED)
def test_no_fact_can_be_missing(name):
    with pytest.raises(Rejected, match=r"SYMBOLIC 5: rule .* no fact that says"):
        linked(text=without(name))


def without(name):
    """The text without a fact: neither a rule nor a claim names it."""
    parts = {key: tuple(part for part in its if part != name) for key, its in FACTS.rules.items()}
    claims = {i: replace(c, parts=tuple(part for part in c.parts if part != name)) for i, c in FACTS.claims.items()}
    return replace(FACTS, rules=parts, claims=claims)


@pytest.mark.parametrize(("rule", "name"), OWN)
def test_no_rule_can_leave_it_out(rule, name):
    with pytest.raises(Rejected, match="no fact that says"):
        linked(text=with_parts(rule, [part for part in FACTS.rules[rule] if part != name]))


OF_CLAIMS = [(claim, name) for claim in (*LEMMA_6, *APPENDIX_C) for name in FACTS.claims[claim].parts]
OF_CLAIMS = [(claim, name) for claim, name in OF_CLAIMS if name not in FACTS.rules]


@pytest.mark.parametrize(("claim", "name"), OF_CLAIMS)
def test_no_claim_can_leave_it_out(claim, name):
    with pytest.raises(Rejected, match=rf"rule {claim}: .* no fact that says"):
        linked(text=with_parts(claim, [part for part in FACTS.claims[claim].parts if part != name]))


@pytest.mark.parametrize(
    ("rule", "name"),
    [
        ("sweep", "t.lower"),
        ("sweep", "lt.grow"),
        ("ids", "row.high"),
        ("positions.sweep", "lt.order"),
        ("positions.again", "l.order"),
        ("positions.global", "pos.bound"),
        ("decoder", "k.high"),
        ("quantiser", "layer.at.lower"),
        ("quantiser", "l.start"),
    ],
)
def test_a_fact_that_nothing_needs_is_refused(rule, name):
    with pytest.raises(Rejected, match=rf"rule {rule}: expected facts that are needed, found {re.escape(name)}"):
        linked(text=with_parts(rule, [*FACTS.rules[rule], name]))


@pytest.mark.parametrize("where", ["1<=i<=j, j<=n-1", "1<=i<=j, n<=j<=n"])
def test_so_is_a_fact_that_says_what_another_says(where):
    text = with_parts("positions.sweep", [*FACTS.rules["positions.sweep"], "pos.max"])
    twin = replace(FACTS.facts["pos.max.shifted"], name="pos.max", range=bounds(where))
    with pytest.raises(Rejected, match=r"rule positions.sweep: expected facts that are needed, found pos\.max"):
        linked(text=replace(text, facts=FACTS.facts | {"pos.max": twin}))


SHRUNK = [(name, k, end) for _, name in OWN for k in range(len(FACTS.facts[name].range)) for end in (0, 1)]
WIDER = [("row.low", 0, 0), ("row.low", 0, 1)]  # 0 <= e: its induction begins there, and it is needed at e = d alone


def shrunk(name, k, end):
    """The facts, with the range of one smaller by one."""
    range_ = list(FACTS.facts[name].range)
    (a, p), (b, q) = range_[k]
    range_[k] = ((a, p + 1), (b, q)) if end == 0 else ((a, p), (b, q - 1))
    return with_fact(name, range=tuple(range_))


@pytest.mark.thorough
@pytest.mark.parametrize("place", sorted(set(SHRUNK) - set(WIDER)))
def test_no_range_can_be_smaller_by_one(place):
    with pytest.raises(Rejected, match="no fact that says"):
        linked(text=shrunk(*place))


@pytest.mark.parametrize("place", WIDER)
def test_but_where_an_induction_begins_below(place):
    linked(text=shrunk(*place))


@pytest.mark.thorough
@pytest.mark.parametrize("name", NEEDED)
@pytest.mark.parametrize("by", [1, -1])
def test_no_other_polynomial_will_do(name, by):
    with pytest.raises(Rejected, match="no fact that says"):
        linked(text=with_fact(name, goal=add(FACTS.facts[name].goal, number(by))))


@pytest.mark.thorough
@pytest.mark.parametrize("name", NEEDED)
def test_no_further_condition_will_do_nor_another_relation(name):
    fact = FACTS.facts[name]
    further = (*fact.given, *FACTS.facts["k.later"].given, *FACTS.facts["row.differ"].given)
    with pytest.raises(Rejected, match="no fact that says"):
        linked(text=with_fact(name, given=further))
    with pytest.raises(Rejected, match="no fact that says"):
        linked(text=with_fact(name, equal=not fact.equal))

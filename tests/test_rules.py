"""Each fact of a rule is needed as it is: none can be missing, on a smaller range, or say anything else."""

import re
from dataclasses import replace

import pytest

from verifier.checker.core.comparing import Rejected
from verifier.checker.core.ring import add, number
from verifier.checker.symbolic import table
from verifier.checker.symbolic.link import APPENDIX_C, LEMMA_6, LINKED, linked

OWN = [(rule, name) for rule in LINKED for name in table.RULES[rule].split() if name not in table.RULES]
BESIDES = ["within", "across", "inside.low", "inside.high", "cat2.value", "cat2.value.one"]
BESIDES += ["cat3.low", "cat3.high", "cat3.beyond", "cat3.under"]
BESIDES += ["pos.passed", "lt.grow", "pos.bound", "again.start", "again.bound"]
BESIDES += ["pos.start", "pos.end", "pos.next", "pos.within"]
NEEDED = [name for _, name in OWN] + BESIDES


def with_fact(name, **change):
    return table.FACT | {name: replace(table.FACT[name], **change)}


def test_the_rules_have_what_the_network_needs_and_nothing_else():
    linked()
    assert len(OWN) == len(set(OWN)) == 87
    assert {rule for rule, _ in OWN} == set(LINKED) == set(table.RULES)


@pytest.mark.thorough
@pytest.mark.parametrize("name", NEEDED)
def test_no_fact_can_be_missing(name):
    with pytest.raises(Rejected, match=r"SYMBOLIC 5: rule .* no fact that says"):
        linked(facts={key: fact for key, fact in table.FACT.items() if key != name})


@pytest.mark.parametrize(("rule", "name"), OWN)
def test_no_rule_can_leave_it_out(rule, name, monkeypatch):
    monkeypatch.setitem(table.RULES, rule, " ".join(set(table.RULES[rule].split()) - {name}))
    with pytest.raises(Rejected, match="no fact that says"):
        linked()


OF_CLAIMS = [(claim, name) for claim in (*LEMMA_6, *APPENDIX_C) for name in table.CLAIMS[claim].split()]
OF_CLAIMS = [(claim, name) for claim, name in OF_CLAIMS if name not in table.RULES]


@pytest.mark.parametrize(("claim", "name"), [*OF_CLAIMS, ("c.contextual", "again.order")])
def test_no_claim_can_leave_it_out(claim, name, monkeypatch):
    monkeypatch.setitem(table.ENOUGH, claim, table.ENOUGH[claim] - {name})
    with pytest.raises(Rejected, match=rf"rule {claim}: .* no fact that says"):
        linked()


@pytest.mark.parametrize(
    ("rule", "name"),
    [
        ("sweep", "t.lower"),
        ("sweep", "lt.grow"),
        ("ids", "row.high"),
        ("positions-sweep", "lt.order"),
        ("positions-again", "l.order"),
        ("positions-global", "pos.bound"),
        ("decoder", "k.high"),
        ("quantiser", "layer.at.lower"),
        ("quantiser", "l.start"),
    ],
)
def test_a_fact_that_nothing_needs_is_refused(rule, name, monkeypatch):
    monkeypatch.setitem(table.RULES, rule, f"{table.RULES[rule]} {name}")
    with pytest.raises(Rejected, match=rf"rule {rule}: expected facts that are needed, found {re.escape(name)}"):
        linked()


@pytest.mark.parametrize("where", ["1<=i<=j, j<=n-1", "1<=i<=j, n<=j<=n"])
def test_so_is_a_fact_that_says_what_another_says(where, monkeypatch):
    monkeypatch.setitem(table.RULES, "positions-sweep", table.RULES["positions-sweep"] + " pos.max")
    twin = replace(table.FACT["pos.max.shifted"], name="pos.max", range=table.bounds(where))
    with pytest.raises(Rejected, match=r"rule positions-sweep: expected facts that are needed, found pos\.max"):
        linked(facts=table.FACT | {"pos.max": twin})


SHRUNK = [(name, k, end) for _, name in OWN for k in range(len(table.FACT[name].range)) for end in (0, 1)]
WIDER = [("row.low", 0, 0), ("row.low", 0, 1)]  # 0 <= e: its induction begins there, and it is needed at e = d alone


def shrunk(name, k, end):
    """The facts, with the range of one smaller by one."""
    bounds = list(table.FACT[name].range)
    (a, p), (b, q) = bounds[k]
    bounds[k] = ((a, p + 1), (b, q)) if end == 0 else ((a, p), (b, q - 1))
    return with_fact(name, range=tuple(bounds))


@pytest.mark.thorough
@pytest.mark.parametrize("place", sorted(set(SHRUNK) - set(WIDER)))
def test_no_range_can_be_smaller_by_one(place):
    with pytest.raises(Rejected, match="no fact that says"):
        linked(facts=shrunk(*place))


@pytest.mark.parametrize("place", WIDER)
def test_but_where_an_induction_begins_below(place):
    linked(facts=shrunk(*place))


@pytest.mark.thorough
@pytest.mark.parametrize("name", NEEDED)
@pytest.mark.parametrize("by", [1, -1])
def test_no_other_polynomial_will_do(name, by):
    with pytest.raises(Rejected, match="no fact that says"):
        linked(facts=with_fact(name, goal=add(table.FACT[name].goal, number(by))))


@pytest.mark.thorough
@pytest.mark.parametrize("name", NEEDED)
def test_no_further_condition_will_do_nor_another_relation(name):
    fact = table.FACT[name]
    further = (*fact.given, *table.FACT["k.later"].given, *table.FACT["row.differ"].given)
    with pytest.raises(Rejected, match="no fact that says"):
        linked(facts=with_fact(name, given=further))
    with pytest.raises(Rejected, match="no fact that says"):
        linked(facts=with_fact(name, equal=not fact.equal))

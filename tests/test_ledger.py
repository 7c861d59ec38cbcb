"""One ledger: parts put together are the whole, whatever comes first; and what is read back is what was written."""

import json
from dataclasses import replace

import pytest
from gmpy2 import mpq

from test_page_kept import OWN
from verifier.evaluate.definition import Reading, at_case
from verifier.evaluate.entries import part, read_part
from verifier.evaluate.ledger import Ledger, Relation
from verifier.language.page import read

PAGE = read(OWN)
CASES = {"a.sum": "bags", "a.words": "words"}


def ledger_of(claim, ranks):
    reading = Reading(PAGE, {"n": 3, "N": 4})
    ledger = Ledger(PAGE.page.claims[claim])
    for rank in ranks:
        ledger.cases += at_case(ledger.claim, reading.case(CASES[claim], rank), rank, ledger, {})
    return ledger


@pytest.mark.parametrize("claim", CASES)
def test_parts_put_together_are_the_whole(claim):
    whole = ledger_of(claim, range(15))
    assert whole.cases > 2
    for order in ((0, 1, 2), (2, 1, 0), (1, 2, 0)):
        parts = [ledger_of(claim, range(5 * k, 5 * k + 5)) for k in order]
        total = Ledger(whole.claim)
        for other in parts:
            total.add(other)
        assert total == whole


def test_of_two_failures_at_once_the_first_is_that_of_the_lower_order_and_a_pair_counts_once():
    claim = PAGE.page.claims["a.sum"]
    (place, *_) = Ledger(claim).counts
    one = Relation((1, 2), place, mpq(3), mpq(2), {}, order=(2, 1))
    first = replace(one, value=mpq(4), order=(2, 0))
    left, right = Ledger(claim), Ledger(claim)
    left.record(False, None, one)
    left.record(False, None, one)
    right.record(False, None, first)
    assert (left.failing, right.failing) == (1, 1)
    left.add(right)
    assert (left.first, left.failing, left.counts[place].made) == (first, 1, 3)


@pytest.mark.parametrize("claim", CASES)
def test_a_part_is_read_back_as_it_was(claim):
    ledger = ledger_of(claim, range(5, 15))
    content = json.loads(json.dumps(part(ledger)))
    again = read_part(ledger.claim, None, content, range(5, 15))
    assert replace(again, named=ledger.named) == ledger
    with pytest.raises(ValueError, match="a case of another part"):
        read_part(ledger.claim, None, content, range(100, 110))


def test_what_is_skipped_has_nothing_to_read():
    claim = PAGE.page.claims["a.vain"]
    content = part(Ledger(claim, "there are enough"))
    assert read_part(claim, "there are enough", content, range(0)).verdict == "skipped"
    for other in (None, "another reason"):
        with pytest.raises((ValueError, LookupError)):
            read_part(claim, other, content, range(0))

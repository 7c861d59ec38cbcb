"""Each claim of each page with one thing changed: a verdict, a count, a slack or a failure must be another one, or
text_mutants.toml says why not. A few of each page, by a seed; all: `cd tests; python -m text_mutants [PAGE ...]`.
"""

import random

import pytest

from text_mutants import NAMES, explained, mutants, page_named, survivors

FEW, MANY = 4, 30  # of each page
SEED = 26


def drawn(name, many):
    every = mutants(page_named(name))
    return random.Random(SEED).sample(every, min(many, len(every)))  # noqa: S311


def unexplained(name, chosen):
    """The survivors among these without a reason, and those with one that are noticed."""
    return set(survivors(name, chosen)) ^ {mutant.name for mutant in chosen if mutant.name in explained().get(name, {})}


@pytest.mark.parametrize("name", NAMES)
def test_what_is_changed_in_a_claim_is_noticed(name):
    assert unexplained(name, drawn(name, FEW)) == set()


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_what_is_changed_in_many_claims_is_noticed(name):
    assert unexplained(name, drawn(name, MANY)) == set()


def test_each_explanation_is_of_a_mutant():
    for name, told in explained().items():
        assert told.keys() <= {mutant.name for mutant in mutants(page_named(name))}, name


def test_all_of_one_page():
    assert set(survivors("sums_of_powers")) == set(explained()["sums_of_powers"])

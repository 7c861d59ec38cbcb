"""The quick reading of pages: it finds what the slow one finds, on every page, in every block, in any shards."""

import pickle

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from random_pages import pages
from verifier.evaluate.certificate import content
from verifier.evaluate.definition import Reading
from verifier.evaluate.quick.shards import finished, merged, run
from verifier.evaluate.quick.page import Quick
from verifier.language.page import read
from verifier.language.words import Refused


def slowly(page, sizes, variant=None):
    reading = Reading(page, sizes, variant)
    return content(reading, reading.run(list(page.page.claims)), variant or {})


def quickly(page, sizes, variant=None, lanes=5, cuts=()):
    """By the quick reading, in blocks of so many lanes, in shards that end at the cuts."""
    ids = list(page.page.claims)
    ends = [0, *sorted(cuts), None]
    parts = [
        pickle.loads(pickle.dumps(run(Quick(Reading(page, sizes, variant)), ids, start, stop, lanes=lanes)))  # noqa: S301
        for start, stop in zip(ends, ends[1:], strict=False)
    ]
    reading = Reading(page, sizes, variant)
    return content(reading, finished(Quick(reading), merged(parts)), variant or {})


def outcome(reading, *arguments, **more):
    try:
        return reading(*arguments, **more)["claims"]
    except Refused:
        return "refused"


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(pages(), st.integers(1, 3), st.sampled_from([2, 5, 16_384]), st.lists(st.integers(0, 20), max_size=2))
def test_the_readings_agree_on_pages_at_random(text, n, lanes, cuts):
    try:
        page = read(text)
    except Refused:
        return
    assert outcome(quickly, page, {"n": n}, lanes=lanes, cuts=cuts) == outcome(slowly, page, {"n": n})

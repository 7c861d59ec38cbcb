"""Every page of tests/pages through the producer's two readings, beside the checker's: the same bytes, and the same
refusals.

test_page_checker.py compares them with results worked out by hand, test_readings.py on pages of all kinds.
"""

import re

import pytest
from gmpy2 import mpq

from test_page_checker import beside, certificate, named, text_of
from verifier.evaluate.certificate import canonical, content
from verifier.evaluate.definition import Reading
from verifier.evaluate.run import found
from verifier.language.page import read
from verifier.language.words import Refused
from verifier.language.write import write

STEPS = 400_000  # hostile pages may spend: seconds


def of(page, asked, ids=None, slow=False):
    variant = {name: mpq(value) for name, value in asked.get("variant", {}).items()}
    return canonical(found(page, asked["sizes"], ids or list(page.page.claims), variant, slow=slow))


def slowly(text, sizes):
    page = read(text)
    reading = Reading(page, sizes, steps=STEPS)
    return content(reading, reading.run(list(page.page.claims)), {})


@pytest.mark.parametrize("path", named("pass"))
def test_all_readings_write_the_same_certificate(path):
    page = read(text_of(path))
    for asked in beside(path):
        ids = [claim["id"] for claim in asked["certificate"]["claims"]]
        wanted = certificate(text_of(path), asked, ids)
        assert of(page, asked, ids, slow=True) == wanted
        assert of(page, asked, ids) == wanted


@pytest.mark.parametrize("path", named("fail"))
def test_all_readings_refuse_a_page_that_is_wrong(path):
    """What both share, the page's tree and names, may refuse it already."""
    line = int(re.match(r"# (\d+):", text_of(path))[1])

    def refused(reading, *asked, **how):
        with pytest.raises(Refused) as caught:
            reading(*asked, **how)
        assert "\n" not in str(caught.value)
        assert caught.value.place[0] == 0 or abs(caught.value.place[0] - line) < 3, caught.value

    try:
        page = read(text_of(path))
    except Refused:
        refused(read, text_of(path))
        return
    for slow in (True, False):
        refused(of, page, beside(path)[0], slow=slow)


@pytest.mark.parametrize("path", named("never-crash"))
def test_a_hostile_page_is_answered_in_one_line(path):
    with pytest.raises(Refused) as caught:
        slowly(text_of(path), beside(path)[0]["sizes"])
    assert re.fullmatch(".+", str(caught.value))


@pytest.mark.parametrize("path", named("never-crash"))
def test_a_hostile_page_never_takes_more_than_its_budget(path):
    """By the quick reading: what it does is counted, so that it ends; with more steps it only takes longer."""
    said = "it ended"
    try:
        page = read(text_of(path))
        found(page, beside(path)[0]["sizes"], list(page.page.claims), steps=STEPS)
    except Refused as error:
        said = str(error)
    assert re.fullmatch(".+", said)


@pytest.mark.parametrize("path", named("pass"))
def test_a_page_that_is_written_from_its_tree_means_the_same(path):
    text = text_of(path)
    again = write(read(text).page)
    assert write(read(again).page) == again
    for asked in beside(path)[:1]:
        ids = [claim["id"] for claim in asked["certificate"]["claims"]]
        one, two = (certificate(t, asked, ids) for t in (text, again))
        strip = re.compile(rb'"(line|column)": \d+|"page": ".*?",\n|"relation": ".*?"')
        assert strip.sub(b"", one) == strip.sub(b"", two)

"""All readings of a page - the definition, the quick arrays, the checker, and the proved one where it is built - say
the same, to the byte, or all refuse: wherever a construct meets what readings have differed on, and at random."""

import pytest

import random_pages
from readings import differ, readings, smaller, told

PARTS, SEEDS = 20, 200


def agreed(pages):
    """Fails with the first page that is read differently, as small as it goes."""
    found = [(text, sizes) for text, sizes in pages if differ(readings(text, sizes))]
    if found:
        text, sizes = found[0]
        text = smaller(text, sizes)
        pytest.fail(f"{len(found)} pages are read differently; one at {sizes}:\n{text}{told(readings(text, sizes))}")


@pytest.mark.thorough
@pytest.mark.parametrize("part", range(PARTS))
def test_all_readings_agree_wherever_a_construct_meets_a_hole(part):
    agreed((text, {"n": 2}) for text in random_pages.systematic()[part::PARTS])


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(0, 20 * SEEDS, SEEDS))
def test_all_readings_agree_on_pages_at_random(first):
    agreed((random_pages.page(seed), {"n": seed % 3 + 1}) for seed in range(first, first + SEEDS))


def test_a_seed_is_a_page():
    assert random_pages.page(7) == random_pages.page(7) != random_pages.page(8)
    assert random_pages.systematic() == random_pages.systematic()

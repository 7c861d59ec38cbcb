"""Sizes around those that a page says to try: where tests run it, so that a new page needs no table in any test."""

from verifier.evaluate.definition import Reading
from verifier.language.page import Understood
from verifier.language.words import Refused, TooLarge

Sizes = dict[str, int]


def around(page: Understood, most: int) -> list[tuple[int, Sizes]]:
    """The least sizes and those to try, each of both also with one of them one more or one less: those of at most so
    many cases, fewest first."""
    least, own = dict(page.page.sizes), page.page.to_try
    assert own.keys() == least.keys(), "each page of the package says where to try it"
    near = [base | {name: base[name] + step} for base in (least, own) for name in base for step in (-1, 0, 1)]
    many = {tuple(sizes.values()): cases(page, sizes) for sizes in near if all(sizes[n] >= least[n] for n in least)}
    found = [(count, dict(zip(least, row, strict=True))) for row, count in many.items() if count is not None]
    return sorted((pair for pair in found if pair[0] <= most), key=lambda pair: pair[0])


def cases(page: Understood, sizes: Sizes) -> int | None:
    """How many cases all its inputs have; None if there are too many, or none can be made at these sizes."""
    try:
        reading = Reading(page, sizes)
        return sum(reading.space(name).cases for name in page.page.inputs)
    except (Refused, TooLarge):
        return None

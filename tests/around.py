"""Sizes around those that a page says to try: where tests run it, so that a new page needs no table in any test."""

from math import inf

from verifier.evaluate.definition import Reading
from verifier.language.page import Understood
from verifier.language.words import Refused

Sizes = dict[str, int]


def around(page: Understood, most: int) -> list[Sizes]:
    """The sizes to try; and these and the least ones with one of them one more or one less, where there are at most so
    many cases; fewest cases first."""
    least, own = page.page.sizes, page.page.to_try
    assert own.keys() == least.keys(), "each page of the package says where to try it"
    near = [base | {name: base[name] + step} for base in (least, own) for name in base for step in (-1, 0, 1)]
    many = {tuple(sizes.values()): cases(page, sizes) for sizes in [own, *near]}
    rows = [row for row, count in many.items() if count <= most or row == tuple(own.values())]
    return [dict(zip(own, row, strict=True)) for row in sorted(rows, key=many.__getitem__)]


def cases(page: Understood, sizes: Sizes) -> float:
    """How many cases its claims are about; infinity if there are too many, or none at these sizes."""
    on = {claim.inputs for claim in page.page.claims.values()} - {None}
    try:
        reading = Reading(page, sizes)
        return sum(reading.space(name).cases for name in on)
    except Refused:
        return inf

"""The domains of the claims: categories of G+, and parts of them."""

from collections.abc import Iterator

from verifier.core.claim import Domain, itself
from verifier.papers.yun2020.case import Case, Column
from verifier.papers.yun2020.contextual_map import ContextualMap

GRID_PLUS = Domain("every orbit of G+")
GRID = Domain("every orbit of G", lambda case: case.category != 3)
CATEGORY_1 = Domain("every orbit of Category 1 (G~)", lambda case: case.category == 1)
CATEGORY_2 = Domain("every orbit of Category 2 (G minus G~)", lambda case: case.category == 2)
CATEGORY_3 = Domain("every orbit of Category 3 (G+ minus G)", lambda case: case.category == 3)
CATEGORY_2_OR_3 = Domain("every orbit of Categories 2 and 3 (G+ minus G~)", lambda case: case.category != 1)
CATEGORY_2_CONSTANT = Domain(
    "every orbit of Category 2 with one distinct column",
    lambda case: case.category == 2 and len(case.distinct) == 1,
)
CATEGORY_2_REDUCED = Domain(
    "every orbit of Category 2 with more than one distinct column (none when n = 2)",
    lambda case: case.category == 2 and len(case.distinct) > 1,
)


def all_negative(case: Case) -> bool:
    return all(id_ < 0 for id_ in case.l)


CATEGORY_3_NEGATIVE = Domain(
    "every orbit of Category 3 whose ids are all negative",
    lambda case: case.category == 3 and all_negative(case),
)
CATEGORY_3_MIXED = Domain(
    "every orbit of Category 3 with an id >= 0", lambda case: case.category == 3 and not all_negative(case)
)

MATRICES = Domain("every matrix of G+, its columns in every order", over_matrices=True)


def columns(g: ContextualMap) -> Iterator[Column]:
    return (Column(g, number, entries) for number, entries in enumerate(g.grid.columns))


COLUMNS = Domain("every column of G+", cases=columns)
COLUMNS_INSIDE = Domain(
    "every column of {0, delta, ..., 1-delta}^d", lambda column: not column.has_sentinel, cases=columns
)
COLUMNS_SENTINEL = Domain("every column of G+ with a sentinel", lambda column: column.has_sentinel, cases=columns)

CONSTRUCTION = Domain("the construction itself", cases=itself)

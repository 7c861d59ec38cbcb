"""The domains of the claims: categories of G+, and parts of them."""

from verifier.claims.case import Case
from verifier.claims.claim import Domain

GRID_PLUS = Domain("orbit", "every orbit of G+")
GRID = Domain("orbit", "every orbit of G", lambda case: case.category != 3)
CATEGORY_1 = Domain("orbit", "every orbit of Category 1 (G~)", lambda case: case.category == 1)
CATEGORY_2 = Domain("orbit", "every orbit of Category 2 (G minus G~)", lambda case: case.category == 2)
CATEGORY_3 = Domain("orbit", "every orbit of Category 3 (G+ minus G)", lambda case: case.category == 3)
CATEGORY_2_OR_3 = Domain("orbit", "every orbit of Categories 2 and 3 (G+ minus G~)", lambda case: case.category != 1)
CATEGORY_2_CONSTANT = Domain(
    "orbit",
    "every orbit of Category 2 with one distinct column",
    lambda case: case.category == 2 and len(case.distinct) == 1,
)
CATEGORY_2_REDUCED = Domain(
    "orbit",
    "every orbit of Category 2 with more than one distinct column (none when n = 2)",
    lambda case: case.category == 2 and len(case.distinct) > 1,
)


def all_negative(case: Case) -> bool:
    return all(id_ < 0 for id_ in case.l)


CATEGORY_3_NEGATIVE = Domain(
    "orbit",
    "every orbit of Category 3 whose ids are all negative",
    lambda case: case.category == 3 and all_negative(case),
)
CATEGORY_3_MIXED = Domain(
    "orbit", "every orbit of Category 3 with an id >= 0", lambda case: case.category == 3 and not all_negative(case)
)

MATRICES = Domain("orbit", "every matrix of G+, its columns in every order", over_matrices=True)


COLUMNS = Domain("column", "every column of G+")
COLUMNS_INSIDE = Domain("column", "every column of {0, delta, ..., 1-delta}^d", lambda column: not column.has_sentinel)
COLUMNS_SENTINEL = Domain("column", "every column of G+ with a sentinel", lambda column: column.has_sentinel)

CONSTRUCTION = Domain("whole", "the construction itself")

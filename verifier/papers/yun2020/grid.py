"""The grids G, G~ and G+, their categories, column ids, and the order in which cases are counted.

    G   = d x n matrices over {0, delta, ..., 1-delta}                    N^(dn) of them
    G~  = those of G with pairwise distinct columns                       B!/(B-n)!, none if n > B
    G+  = d x n matrices over {-delta^-(nd), 0, delta, ..., 1-delta}      (N+1)^(dn)

Category 1 is G~, Category 2 is G minus G~, Category 3 is G+ minus G. The id of a column c is u^T c.

An *orbit* is a multiset of columns: a matrix up to the order of its columns. It is written as the
non-decreasing tuple of its columns' numbers, where the columns of G+ are numbered by increasing id, and
orbits are enumerated in lexicographic order of those tuples. `rank` and `unrank` go from a tuple to its
place in that order and back, so that any stretch of the orbits can be enumerated on its own.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import comb, perm

from gmpy2 import mpq

from verifier.core.exact import (
    Matrix,
    Vector,
    columns_of,
    dot,
    from_columns,
    matrix_text,
    shortened,
    text_of,
    vector,
)
from verifier.core.multisets import Orbit, multisets, orbits
from verifier.core.notebook import MOST, table_html
from verifier.core.space import Sizes
from verifier.papers.yun2020.instance import Instance

CATEGORIES = (1, 2, 3)


@dataclass(frozen=True)
class Grid:
    """G+ for an instance. The paper's u, entries and sentinel can be exchanged for others."""

    instance: Instance
    u: Vector
    entries: Vector
    sentinel: mpq

    def __post_init__(self) -> None:
        object.__setattr__(self, "u", vector(self.u))
        object.__setattr__(self, "entries", vector(self.entries))
        object.__setattr__(self, "sentinel", vector([self.sentinel])[0])
        if len(self.u) != self.instance.d:
            raise ValueError(f"u has {len(self.u)} entries; with d = {self.instance.d} it needs as many")

    def __repr__(self) -> str:
        """In a line; `entries` and `columns` have all of them."""
        return f"<Grid at {self.instance}: {self._entries()}, and the sentinel {_short(self.sentinel)}>"

    def _entries(self) -> str:
        few = self.entries if len(self.entries) <= 6 else (*self.entries[:2], self.entries[-1])
        words = [_short(x) for x in few]
        return f"entries {', '.join(words if few is self.entries else [*words[:2], '...', words[2]])}"

    def _repr_html_(self) -> str:
        ids = [_short(self.id(column)) for column in self.columns[: MOST + 1]]
        rows = list(zip((matrix_text(from_columns((c,))) for c in self.columns[:MOST]), ids, strict=False))
        return table_html(repr(self)[1:-1], ("column", "its id u^T c"), rows, len(self.columns))

    @cached_property
    def columns(self) -> tuple[Vector, ...]:
        """The columns of G+ by increasing id; columns of equal id, which the paper's u never gives, in lexicographic
        order."""
        alphabet = {self.sentinel, *self.entries}
        return tuple(sorted(product(alphabet, repeat=self.instance.d), key=lambda c: (self.id(c), c)))

    @cached_property
    def inner(self) -> frozenset[Vector]:
        """The columns without a sentinel: those of G."""
        return frozenset(product(self.entries, repeat=self.instance.d))

    def id(self, column: Vector) -> mpq:
        return dot(self.u, column)

    def ids(self, X: Matrix) -> Vector:
        """u^T X, one id for each column."""
        return tuple(self.id(column) for column in zip(*X, strict=True))

    def matrix(self, orbit: Orbit) -> Matrix:
        """The matrix that stands for an orbit: its columns in the order of their numbers."""
        return from_columns(tuple(self.columns[number] for number in orbit))

    def category(self, X: Matrix) -> int:
        columns = columns_of(X)
        if any(column not in self.inner for column in columns):
            return 3
        return 1 if len(set(columns)) == len(columns) else 2

    def orbits(self, start: int = 0, stop: int | None = None) -> Iterator[Orbit]:
        """The orbits of rank start, ..., stop - 1, in order."""
        return orbits(len(self.columns), self.instance.n, start, stop)

    def matrices(self, category: int | None = None) -> Iterator[Matrix]:
        """The matrix that stands for each orbit, in their order; of one category, if it is given."""
        if category not in (None, *CATEGORIES):
            raise ValueError(f"there is no category {category!r}; they are 1, 2 and 3")
        for orbit in self.orbits():
            X = self.matrix(orbit)
            if category is None or self.category(X) == category:
                yield X


def _short(number: mpq) -> str:
    return shortened(text_of(number), 24)


def closed_form_sizes(instance: Instance) -> dict[str, Sizes]:
    """The sizes of the categories by formula; a run counts them, too, and compares."""
    n, B, columns = instance.n, instance.B, (instance.N + 1) ** instance.d
    G, G_plus = Sizes(B**n, multisets(B, n)), Sizes(columns**n, multisets(columns, n))
    G_distinct = Sizes(perm(B, n), comb(B, n))
    return {
        "category1": G_distinct,
        "category2": Sizes(G.matrices - G_distinct.matrices, G.orbits - G_distinct.orbits),
        "category3": Sizes(G_plus.matrices - G.matrices, G_plus.orbits - G.orbits),
        "total": G_plus,
    }

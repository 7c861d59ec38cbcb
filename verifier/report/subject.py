"""The construction that a traced matrix runs through; and reading a matrix from text."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from gmpy2 import mpq

from verifier.core.claim import Domain
from verifier.core.exact import Matrix, NotExact, Vector, columns_of, parse_typed
from verifier.papers.hu2024 import claims as hu
from verifier.papers.slides2020 import claims as slides
from verifier.papers.slides2020.sketch import with_slides_sentinel
from verifier.papers.yun2020.case import PositionalContext, Run
from verifier.papers.yun2020.claims import positional
from verifier.papers.yun2020.contextual_map import ContextualMap, contextual_map
from verifier.papers.yun2020.decoding import column
from verifier.papers.yun2020.grid import Grid
from verifier.papers.yun2020.instance import Instance
from verifier.papers.yun2020.positional import PositionalMap, block_start, levels, positional_factor, positional_map

SENTINEL = "s"


@dataclass(frozen=True)
class Traceable:
    """A construction that a matrix can be run through."""

    name: str
    words: str
    make: Callable[..., ContextualMap | PositionalMap]  # of an instance, and the numbers of a variant
    domain: Domain | None = None  # the cases that run through it; None for the orbits of G+
    ordered: bool = False  # whether column j is always in place j
    has_sentinel: bool = True

    @property
    def entries(self) -> str:
        """The entries of its grid, in words."""
        words = "j-1, j-1+delta, ..., j-delta in column j" if self.ordered else "0, delta, ..., 1-delta"
        return f"{words}, and {SENTINEL}" if self.has_sentinel else words


CONSTRUCTIONS = {
    construction.name: construction
    for construction in (
        Traceable("contextual", "the contextual map of Lemma 6", contextual_map),
        Traceable(
            "positional",
            "the positional construction of App. C",
            positional_map,
            positional.CONTEXTS,
            ordered=True,
            has_sentinel=False,
        ),
        Traceable(
            "hu",
            "the positional construction with a sentinel, of Hu et al., App. E",
            positional_map,
            hu.WIDE,
            ordered=True,
        ),
        Traceable("slides", "the contextual map with the slides' sentinel", with_slides_sentinel, slides.OUTSIDE_G),
    )
}


class BadMatrix(ValueError):
    """A text that is no d x n matrix of rationals; the message says where."""


@dataclass(frozen=True)
class Given(Run[ContextualMap]):
    """A matrix as it was given: columns in any order, any rationals as entries."""

    given: Matrix

    @property
    def X(self) -> Matrix:
        return self.given


@dataclass(frozen=True)
class Subject:
    """A construction at an instance, with the entries that its grid allows in each place.

    exchanged   the numbers of a variant of the contextual map that aren't the paper's, by name
    """

    construction: Traceable
    instance: Instance
    exchanged: Mapping[str, mpq] = field(default_factory=dict)

    @cached_property
    def map(self) -> ContextualMap | PositionalMap:
        return self.construction.make(self.instance, **self.exchanged)

    @cached_property
    def grids(self) -> tuple[Grid, ...]:
        """The grid of each column."""
        return self.map.positions if isinstance(self.map, PositionalMap) else (self.map.grid,) * self.instance.n

    @cached_property
    def levels(self) -> Vector:
        return tuple(levels(self.instance)) if self.construction.ordered else self.instance.levels

    @property
    def global_factor(self) -> mpq:
        papers = positional_factor(self.instance) if self.construction.ordered else self.instance.global_factor
        return self.exchanged.get("global_factor", papers)

    @property
    def sweep_factor(self) -> mpq:
        return self.exchanged.get("sweep_factor", self.instance.sweep_factor)

    @cached_property
    def starts(self) -> Vector:
        """The least id of the column in each place."""
        places = range(1, self.instance.n + 1)
        return tuple(block_start(self.instance, j if self.construction.ordered else 1) for j in places)

    def off_grid(self, X: Matrix) -> tuple[tuple[int, int], ...]:
        allowed = [
            {*grid.entries, grid.sentinel} if self.construction.has_sentinel else set(grid.entries)
            for grid in self.grids
        ]
        return tuple(
            (i, j)
            for i, row in enumerate(X, start=1)
            for j, (x, entries) in enumerate(zip(row, allowed, strict=True), start=1)
            if x not in entries
        )

    def run(self, X: Matrix) -> Run[Any]:
        if isinstance(self.map, PositionalMap):
            return PositionalContext(self.map, 0, columns_of(X))
        return Given(self.map, 0, X)

    def column(self, id_: mpq, place: int) -> Vector:
        """The column of the grid without sentinels that has this id in this place (from 1)."""
        start = self.starts[place - 1]
        offset = place - 1 if self.construction.ordered else 0
        digits = column(int((self.instance.N * (id_ - start)).numerator), self.instance)
        return tuple(offset + x for x in digits)


def parse_matrix(text: str, subject: Subject) -> Matrix:
    """Rows separated by `;`, entries by `,`, each a fraction, a decimal (0.25 is 1/4, exactly) or `s`, the sentinel."""
    d, n = subject.instance.d, subject.instance.n
    if text.strip(" ").startswith("[") and text.strip(" ").endswith("]"):  # as it is printed
        text = text.strip(" ")[1:-1]
    rows = [row.split(",") for row in text.split(";")]
    for i, row in enumerate(rows, start=1):
        for j, cell in enumerate(row, start=1):
            if not cell.strip(" "):
                what = f"row {i} is" if len(row) == 1 else f"row {i}, entry {j} is"
                needed = f"a number such as 1/4{f', or {SENTINEL}' if subject.construction.has_sentinel else ''}"
                raise BadMatrix(f"{what} empty; each of the {n} entries of a row is {needed}")
    for i, row in enumerate(rows[:d], start=1):
        if len(row) != n:
            at = f"entry {n + 1} is too many" if len(row) > n else f"entry {len(row) + 1} is missing"
            raise BadMatrix(f"row {i}: {at}; it has {_count(len(row), 'entry', 'entries')}, and n = {n}")
    if len(rows) != d:
        at = f"row {d + 1} is too many" if len(rows) > d else f"row {len(rows) + 1} is missing"
        raise BadMatrix(f"{at}; there are {_count(len(rows), 'row', 'rows')} (separated by `;`), and d = {d}")
    return tuple(
        tuple(_entry(cell.strip(" "), subject, i, j) for j, cell in enumerate(row, start=1))
        for i, row in enumerate(rows, start=1)
    )


def _count(number: int, one: str, more: str) -> str:
    return f"{number:,} {one if number == 1 else more}"


def _entry(cell: str, subject: Subject, i: int, j: int) -> mpq:
    where = f"row {i}, entry {j}"
    if cell == SENTINEL:
        if not subject.construction.has_sentinel:
            raise BadMatrix(f"{where}: a context of App. C has no sentinel; one of --construction hu has")
        return subject.grids[j - 1].sentinel
    try:
        return parse_typed(cell)
    except NotExact as error:
        hint = f"; the sentinel is {SENTINEL}" if cell.isalpha() else ""
        raise BadMatrix(f"{where}: {error}{hint}") from error

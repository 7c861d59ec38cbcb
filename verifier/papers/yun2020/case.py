"""One case of a claim: an orbit's matrix and its whole run through the network, or a single column.

Everything is computed by the literal network when a claim first asks for it, and kept. Columns are taken in the
order of their ids before the first layer, as in the paper ("assume l_1 <= ... <= l_n"): `l[j]`, `swept[j]` and
`q[j]` belong to the same column.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from gmpy2 import mpq

from verifier.core.case import Alike, its_matrix
from verifier.core.exact import Matrix, Vector, columns_of, from_columns
from verifier.core.multisets import Orbit, orbit_size
from verifier.core.network import Step
from verifier.core.space import Multisets, Sizes
from verifier.core.whole import run
from verifier.core.whole.run import Change
from verifier.papers.yun2020.contextual_map import ContextualMap
from verifier.papers.yun2020.grid import closed_form_sizes
from verifier.papers.yun2020.positional import PositionalMap

Map = TypeVar("Map", ContextualMap, PositionalMap)


@dataclass(frozen=True)
class Column:
    map: ContextualMap
    number: int
    entries: Vector

    shown = its_matrix

    @property
    def X(self) -> Matrix:
        return from_columns((self.entries,))

    @property
    def id(self) -> mpq:
        return self.map.grid.id(self.entries)

    @property
    def has_sentinel(self) -> bool:
        return self.entries not in self.map.grid.inner


@dataclass(frozen=True)
class Shift:
    """A layer of the sweep that changed the matrix: the columns that it changed (in the order of l), and the ids after
    it."""

    layer: int
    columns: tuple[int, ...]
    ids: Vector


@dataclass(frozen=True)
class Run(ABC, Generic[Map]):
    """A matrix and what a sweep and a global shift make of it."""

    map: Map
    number: int

    shown = its_matrix

    @property
    @abstractmethod
    def X(self) -> Matrix: ...

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The columns of X by increasing id; on the paper's own grid they are in this order already: 0, 1, ..., n-1."""
        ids = self.map.ids(self.X)
        return tuple(sorted(range(len(ids)), key=lambda j: (ids[j], j)))

    def ids(self, X: Matrix) -> Vector:
        """The ids of a matrix of this run, in the order of l."""
        ids = self.map.ids(X)
        return tuple(ids[j] for j in self.order)

    @cached_property
    def l(self) -> Vector:
        """l_1 <= ... <= l_n, the ids before the sweep."""
        return self.ids(self.X)

    @cached_property
    def sweep(self) -> tuple[Step, ...]:
        return run.trace(self.map.sweep, self.X)

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """The matrix after each layer of the sweep that changes it."""
        return run.changes(self.map.sweep, self.X)

    @cached_property
    def swept_matrix(self) -> Matrix:
        return self.changes[-1].after if self.changes else self.X

    @cached_property
    def ending(self) -> tuple[Step, ...]:
        """The global shift's layers, which begin with the matrix after the sweep."""
        return run.trace(self.map.global_shift, self.swept_matrix)

    @cached_property
    def final_matrix(self) -> Matrix:
        """g_c(L)."""
        return run.image(self.map.global_shift, self.swept_matrix)

    @property
    def steps(self) -> tuple[Step, ...]:
        return self.sweep + self.ending

    @cached_property
    def swept(self) -> Vector:
        """l~_1, ..., l~_n: the ids after the sweep."""
        return self.ids(self.swept_matrix)

    @cached_property
    def q(self) -> Vector:
        """u^T g_c(L)."""
        return self.ids(self.final_matrix)

    @cached_property
    def shifts(self) -> tuple[Shift, ...]:
        """The layers of the sweep that changed anything, in order."""
        shifts = []
        before = columns_of(self.X)
        for layer, X in self.changes:
            after = columns_of(X)
            changed = tuple(place for place, j in enumerate(self.order) if before[j] != after[j])
            shifts.append(Shift(layer, changed, self.ids(X)))
            before = after
        return tuple(shifts)


@dataclass(frozen=True)
class Case(Run[ContextualMap], Alike):
    orbit: Orbit

    alike = ("category", "stands_for", "distinct", "pattern")

    @cached_property
    def stands_for(self) -> int:
        """How many matrices are in the orbit."""
        return orbit_size(self.orbit)

    @cached_property
    def X(self) -> Matrix:
        return self.map.grid.matrix(self.orbit)

    @cached_property
    def category(self) -> int:
        return self.map.grid.category(self.X)

    @cached_property
    def pattern(self) -> Orbit:
        """Which columns are equal: for each, the place of the first column that equals it."""
        return tuple(self.orbit.index(number) for number in self.orbit)

    @cached_property
    def distinct(self) -> tuple[int, ...]:
        """Places (in the order of l) of the first of each group of equal columns."""
        columns = columns_of(self.X)
        seen: dict[Vector, int] = {}
        for place, j in enumerate(self.order):
            seen.setdefault(columns[j], place)
        return tuple(seen.values())


class Orbits(Multisets):
    """The orbits of G+, each with its run through g_c."""

    of = "G+"
    categories = ("category1", "category2", "category3")

    def __init__(self, g: ContextualMap) -> None:
        super().__init__(len(g.grid.columns), g.instance.n)
        self.map = g
        self._table: Any = None  # of columns; made at its first use

    def case(self, number: int, point: Orbit) -> Case:
        return Case(self.map, number, point)

    def together(self, numbers: range, points: Sequence[Orbit]) -> list[tuple[Any, Any]]:
        grid = self.map.grid
        if self._table is None:
            from verifier.core.lanes import Table

            self._table = Table(grid.columns, [column not in grid.inner for column in grid.columns])
        return self._table.grouped(numbers, points, self.case, orbit=None)  # type: ignore[no-any-return]

    def shown(self, number: int) -> tuple[Matrix, ...]:
        return (self.map.grid.matrix(self.unrank(number)),)

    def called(self, category: str) -> str:
        i = self.map.instance
        return {
            "category1": "Category 1, G~: valid, its tokens are distinct",
            "category2": "Category 2, G minus G~: some tokens are equal",
            "category3": "Category 3, G+ minus G: with a sentinel",
            "total": f"total, all inputs; (N+1)^(dn) = {i.N + 1}^{i.d * i.n}",
        }[category]

    def category(self, case: Case) -> str:
        return self.categories[case.category - 1]

    def closed_form(self) -> dict[str, Sizes]:
        return closed_form_sizes(self.map.instance)

    def digest(self, case: Case) -> mpq:
        """(rank + 1) . sum_j j q_j, in units of delta, in the order of the orbit's columns."""
        total = mpq(0)
        for j, q in enumerate(self.map.ids(case.final_matrix), start=1):
            total += j * q
        return (case.number + 1) * self.map.instance.N * total


@dataclass(frozen=True)
class PositionalContext(Run[PositionalMap], Alike):
    """A context of the positional construction: l_j, l~_j and q_j belong to column j, without any sorting."""

    columns: tuple[Vector, ...]

    alike = ("good", "order")

    @cached_property
    def X(self) -> Matrix:
        return from_columns(self.columns)

    @cached_property
    def order(self) -> tuple[int, ...]:
        return tuple(range(len(self.columns)))

    @cached_property
    def good(self) -> bool:
        """Whether no entry is the sentinel of its column."""
        return all(column in grid.inner for column, grid in zip(self.columns, self.map.positions, strict=True))

"""One case of a claim: an orbit's matrix and its whole run through the network, or a single column.

Everything is computed when a claim first asks for it, from the literal network, once. Columns are taken
in the order of their ids before the first layer, as the paper does ("assume l_1 <= ... <= l_n"): `l[j]`,
`swept[j]` and `q[j]` speak of the same column.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

from gmpy2 import mpq

from verifier.constructions.contextual_map import ContextualMap
from verifier.constructions.positional import PositionalMap
from verifier.exact import Matrix, Vector
from verifier.grid import Orbit, columns_of, from_columns
from verifier.network import Step

Map = TypeVar("Map", ContextualMap, PositionalMap)


@dataclass(frozen=True)
class Column:
    map: ContextualMap
    number: int
    entries: Vector

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
    """One layer of the sweep that changed the matrix: which columns (in the order of l), and the ids after."""

    layer: int
    columns: tuple[int, ...]
    ids: Vector


@dataclass(frozen=True)
class Run(ABC, Generic[Map]):
    """A matrix and what a sweep and a global shift make of it."""

    map: Map
    number: int

    @property
    @abstractmethod
    def X(self) -> Matrix: ...

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The columns of X by increasing id; of the paper's own grid, 0, 1, ..., n-1."""
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
        return tuple(self.map.sweep.trace(self.X))

    @cached_property
    def swept_matrix(self) -> Matrix:
        return self.sweep[-1].after if self.sweep else self.X

    @cached_property
    def ending(self) -> tuple[Step, ...]:
        """The global shift's layers, from the matrix that the sweep left."""
        return tuple(self.map.global_shift.trace(self.swept_matrix))

    @cached_property
    def final_matrix(self) -> Matrix:
        """g_c(L)."""
        return self.ending[-1].after if self.ending else self.swept_matrix

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
        for layer, step in enumerate(self.sweep):
            if step.before == step.after:
                continue
            before, after = columns_of(step.before), columns_of(step.after)
            changed = tuple(place for place, j in enumerate(self.order) if before[j] != after[j])
            shifts.append(Shift(layer, changed, self.ids(step.after)))
        return tuple(shifts)


@dataclass(frozen=True)
class Case(Run[ContextualMap]):
    orbit: Orbit

    @cached_property
    def X(self) -> Matrix:
        return self.map.grid.matrix(self.orbit)

    @cached_property
    def category(self) -> int:
        return self.map.grid.category(self.X)

    @cached_property
    def distinct(self) -> tuple[int, ...]:
        """Places (in the order of l) of the first of each group of equal columns."""
        columns = columns_of(self.X)
        seen: dict[Vector, int] = {}
        for place, j in enumerate(self.order):
            seen.setdefault(columns[j], place)
        return tuple(seen.values())


@dataclass(frozen=True)
class Context(Run[PositionalMap]):
    """A context of the positional construction: l_j, l~_j and q_j are of column j as it stands."""

    columns: tuple[Vector, ...]

    @cached_property
    def X(self) -> Matrix:
        return from_columns(self.columns)

    @cached_property
    def order(self) -> tuple[int, ...]:
        return tuple(range(len(self.columns)))

    @cached_property
    def good(self) -> bool:
        """No entry is the sentinel of its column."""
        return all(column in grid.inner for column, grid in zip(self.columns, self.map.positions, strict=True))

"""A space: the finitely many cases that a construction is run on, in an order, counted in closed form.

A *point* determines a case (for an orbit, the numbers of its columns), and its *rank* is its place in the order. `rank`
and `unrank` go from one to the other, so that any stretch of cases can be run on its own, by any process. A case may
stand for several matrices, by a symmetry that is itself a claim; sizes count both. Every run counts its cases by
category and compares the counts with the closed form: an empty loop can't pass.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from gmpy2 import mpq

from verifier.core.exact import Matrix
from verifier.core.multisets import Orbit, multisets, orbit_size, orbits, rank, unrank


@dataclass(frozen=True)
class Sizes:
    """How many matrices there are, and how many cases stand for them."""

    matrices: int
    orbits: int


class Space(ABC):
    """The cases, each with its place in the order."""

    one, several = "case", "cases"  # what they are called
    meaning = ""  # what one is, where its name doesn't say it
    of = "the space"  # what they are all cases of
    categories: tuple[str, ...] = ("all",)

    @property
    @abstractmethod
    def size(self) -> int:
        """How many points there are, by formula."""

    @abstractmethod
    def unrank(self, place: int) -> Any:
        """The point that has `place` points before it."""

    @abstractmethod
    def rank(self, point: Any) -> int:
        """How many points come before this one."""

    @abstractmethod
    def case(self, number: int, point: Any) -> Any:
        """The case that claims get: it has its `number`, and the matrices that are `shown` with a counterexample."""

    def points(self, start: int = 0, stop: int | None = None) -> Iterator[Any]:
        """The points of rank start, ..., stop - 1, in order."""
        return map(self.unrank, range(start, self.size if stop is None else min(stop, self.size)))

    def category(self, case: Any) -> str:  # noqa: ARG002
        """Which of the categories a case is in."""
        return self.categories[0]

    def stands_for(self, point: Any) -> int:  # noqa: ARG002
        """How many matrices a point stands for."""
        return 1

    def closed_form(self) -> dict[str, Sizes]:
        """The sizes of the categories by formula, and their total."""
        return {name: Sizes(self.size, self.size) for name in (self.categories[0], "total")}

    def called(self, category: str) -> str:
        """The name of a category, or of the total, in a table."""
        return category

    def digest(self, case: Any) -> mpq:  # noqa: ARG002
        """A checksum of a case's result: it detects corruption, and proves nothing."""
        return mpq(0)

    def at(self, number: int) -> Any:
        """The case of this rank."""
        return self.case(number, self.unrank(number))

    def together(self, numbers: range, points: Sequence[Any]) -> "list[tuple[Any, Any]] | None":  # noqa: ARG002
        """The cases of these points, grouped by what makes them alike: an array of their places, and the one case for
        all of them, whose numbers are lanes (core/lanes.py). None if cases can only be checked one by one."""
        return None

    def shown(self, number: int) -> tuple[Matrix, ...]:
        """The matrices of a case, for people."""
        shown: tuple[Matrix, ...] = self.at(number).shown
        return shown


class Multisets(Space):
    """n of `columns` columns in any order, as non-decreasing tuples of their numbers: a case for each orbit."""

    one, several = "orbit", "orbits"
    meaning = "a matrix with all its permutations"

    def __init__(self, columns: int, n: int) -> None:
        self.columns, self.n = columns, n

    @property
    def size(self) -> int:
        return multisets(self.columns, self.n)

    def unrank(self, place: int) -> Orbit:
        return unrank(place, self.columns, self.n)

    def rank(self, point: Orbit) -> int:
        return rank(point, self.columns)

    def points(self, start: int = 0, stop: int | None = None) -> Iterator[Orbit]:
        return orbits(self.columns, self.n, start, stop)

    def stands_for(self, point: Orbit) -> int:
        return orbit_size(point)

    def closed_form(self) -> dict[str, Sizes]:
        return {name: Sizes(self.columns**self.n, self.size) for name in (self.categories[0], "total")}


class Tuples(Space):
    """One member of each of several lists, as the tuple of their places, in lexicographic order."""

    def __init__(self, lengths: Iterable[int]) -> None:
        self.lengths = tuple(lengths)

    @property
    def size(self) -> int:
        return prod(self.lengths)

    def unrank(self, place: int) -> tuple[int, ...]:
        if not 0 <= place < self.size:
            raise ValueError(f"rank {place} is outside 0..{self.size - 1}")
        point: list[int] = []
        for length in reversed(self.lengths):
            place, digit = divmod(place, length)
            point.append(digit)
        return tuple(reversed(point))

    def rank(self, point: Sequence[int]) -> int:
        place = 0
        for digit, length in zip(point, self.lengths, strict=True):
            place = place * length + digit
        return place

"""Spaces that are ready for use: matrices made of given columns, each run through a network."""

from collections.abc import Sequence

from gmpy2 import mpq

from verifier.core.case import NetworkCase
from verifier.core.exact import Matrix, Vector, from_columns, vector
from verifier.core.multisets import Orbit
from verifier.core.network import Network
from verifier.core.space import Multisets, Tuples


def columns(values: Sequence[Sequence[object]]) -> tuple[Vector, ...]:
    """The columns of a space, by the door for numbers; each once."""
    result = tuple(vector(column) for column in values)
    if not result or not result[0] or len({len(column) for column in result}) != 1:
        raise ValueError("a space needs columns, all of one length")
    if len(set(result)) != len(result):
        raise ValueError("a column of the space is given twice")
    return result


def entries_of(case: NetworkCase) -> mpq:
    """(rank + 1) times the sum of the entries of the image, by their places: changes with every one of them."""
    total = mpq(0)
    for place, entry in enumerate((x for row in case.image for x in row), start=1):
        total += place * entry
    return (case.number + 1) * total


class ColumnOrbits(Multisets):
    """n of these columns, in any order: a case for each multiset, which stands for all orders of its columns.

    Right for a network that is permutation equivariant, and for claims that don't depend on the order.
    """

    of = "the grid"

    def __init__(self, values: Sequence[Sequence[object]], n: int, network: Network) -> None:
        self.alphabet, self.network = columns(values), network
        super().__init__(len(self.alphabet), n)

    def case(self, number: int, point: Orbit) -> NetworkCase:
        return NetworkCase(number, _matrix(self.alphabet, point), self.network, self.stands_for(point))

    def digest(self, case: NetworkCase) -> mpq:
        return entries_of(case)


class ColumnTuples(Tuples):
    """For each place a list of columns: a case for each choice, in this order."""

    of = "the grid"

    def __init__(self, places: Sequence[Sequence[Sequence[object]]], network: Network) -> None:
        self.places, self.network = tuple(columns(values) for values in places), network
        super().__init__(len(values) for values in self.places)

    def case(self, number: int, point: Sequence[int]) -> NetworkCase:
        chosen = tuple(values[k] for values, k in zip(self.places, point, strict=True))
        return NetworkCase(number, from_columns(chosen), self.network)

    def digest(self, case: NetworkCase) -> mpq:
        return entries_of(case)


def _matrix(alphabet: tuple[Vector, ...], point: Orbit) -> Matrix:
    return from_columns(tuple(alphabet[k] for k in point))

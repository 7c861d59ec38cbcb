"""Two spaces ready for use: matrices made of given columns, each run through a network."""

from collections.abc import Sequence

from gmpy2 import mpq

from verifier.core.case import NetworkCase
from verifier.core.construction import Construction
from verifier.core.exact import Vector, from_columns, vector
from verifier.core.multisets import Orbit
from verifier.core.network import Network
from verifier.core.space import Multisets, Tuples


def columns(values: Sequence[Sequence[object]]) -> tuple[Vector, ...]:
    """The columns of a space as exact numbers, each once."""
    result = tuple(vector(column) for column in values)
    if not result or not result[0] or len({len(column) for column in result}) != 1:
        raise ValueError("a space needs columns, all of one length")
    if len(set(result)) != len(result):
        raise ValueError("a column of the space is given twice")
    return result


def the_only(construction: Construction) -> Network:
    """The network of a construction that has only one."""
    networks = list(construction.networks.values())
    if len(networks) != 1:
        raise ValueError(f"the construction has {len(networks)} networks; say which one the cases run through")
    return networks[0]


def entries_of(case: NetworkCase) -> mpq:
    """(rank + 1) times a sum of the image's entries, each weighted by its place; it changes if any entry does."""
    total = mpq(0)
    for place, entry in enumerate((x for row in case.image for x in row), start=1):
        total += place * entry
    return (case.number + 1) * total


class ColumnOrbits(Multisets):
    """n of these columns, in any order: each multiset is a case, which stands for all orders of its columns.

    Right for a network that is permutation equivariant, and for claims that don't depend on the order.
    """

    of = "the grid"

    def __init__(
        self, construction: Construction, values: Sequence[Sequence[object]], n: int, network: Network | None = None
    ) -> None:
        self.construction, self.alphabet, self.network = (
            construction,
            columns(values),
            network or the_only(construction),
        )
        super().__init__(len(self.alphabet), n)

    def case(self, number: int, point: Orbit) -> NetworkCase:
        X = from_columns(tuple(self.alphabet[k] for k in point))
        return NetworkCase(self.construction, number, X, self.network, self.stands_for(point))

    def digest(self, case: NetworkCase) -> mpq:
        return entries_of(case)


class ColumnTuples(Tuples):
    """For each place a list of columns: a case for each choice, in this order."""

    of = "the grid"

    def __init__(
        self,
        construction: Construction,
        places: Sequence[Sequence[Sequence[object]]],
        network: Network | None = None,
    ) -> None:
        self.construction, self.network = construction, network or the_only(construction)
        self.places = tuple(columns(values) for values in places)
        super().__init__(len(values) for values in self.places)

    def case(self, number: int, point: Sequence[int]) -> NetworkCase:
        chosen = tuple(values[k] for values, k in zip(self.places, point, strict=True))
        return NetworkCase(self.construction, number, from_columns(chosen), self.network)

    def digest(self, case: NetworkCase) -> mpq:
        return entries_of(case)

"""What queries are about: the network of an exported page, and where a look is worth it."""

from dataclasses import dataclass

from gmpy2 import mpq

from verifier.build.taken import Taken
from verifier.core.exact import Matrix, Q


@dataclass(frozen=True)
class Subject:
    """A network that queries are about: its layers for inputs of d rows and n columns, and its steps' width."""

    name: str
    d: int
    n: int
    N: int  # the grid is of multiples of 1/N
    eps: mpq | None  # width of the strips of a network that begins with a quantiser of the cube
    dtype: str
    soft: bool  # softmax
    layers: tuple[Taken, ...]
    telling: tuple[Matrix, ...] = ()  # points of the grid whose cells are worth a look

    @property
    def delta(self) -> mpq:
        return Q(1, self.N)

    @property
    def wide(self) -> int:
        """The rows of the output."""
        return len(self.layers[-1].own)

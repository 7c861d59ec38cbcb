"""(d, n, N): d rows, n columns, N cells of each entry."""

from dataclasses import dataclass

from gmpy2 import mpq

from verifier.core.exact import NotExact, Q, Vector

LEAST = {"d": 1, "n": 2, "N": 2}


@dataclass(frozen=True)
class Sizes:
    d: int
    n: int
    N: int

    def __post_init__(self) -> None:
        for name, least in LEAST.items():
            value = getattr(self, name)
            if type(value) is not int:
                raise NotExact(f"{name} = {value!r} is a {type(value).__name__}; it must be a whole number")
            if value < least:
                raise NotExact(f"{name} = {value} is too small; {name} must be at least {least}")

    def __str__(self) -> str:
        return f"(d, n, N) = ({self.d}, {self.n}, {self.N})"

    @property
    def delta(self) -> mpq:
        return Q(1, self.N)

    @property
    def B(self) -> int:
        """The columns of G: N^d."""
        return int(self.N**self.d)

    @property
    def u(self) -> Vector:
        """u = (1, N, ..., N^(d-1)): a column's id is u^T c."""
        return tuple(Q(self.N**i) for i in range(self.d))

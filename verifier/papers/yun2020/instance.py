"""An instance (d, n, N) of the construction, and every constant that the paper derives from it.

d >= 1 rows, n >= 2 columns (tokens), N >= 2, delta = 1/N. Exponents of delta are negative in the paper;
here they are written as powers of N: delta^-(nd) = N^(nd).
"""

from dataclasses import dataclass

from gmpy2 import mpq

from verifier.core.exact import NotExact, Q, Vector

LEAST = {"d": 1, "n": 2, "N": 2}


@dataclass(frozen=True)
class Instance:
    """(d, n, N), and every constant that the paper derives from them."""

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
    def sizes(self) -> dict[str, int]:
        return {"d": self.d, "n": self.n, "N": self.N}

    @property
    def delta(self) -> mpq:
        """delta, the width of a cube."""
        return Q(1, self.N)

    @property
    def B(self) -> int:
        """B = delta^-d = N^d, the number of columns without a sentinel."""
        return int(self.N**self.d)

    @property
    def u(self) -> Vector:
        """u = (1, delta^-1, ..., delta^-(d-1))."""
        return tuple(Q(self.N**i) for i in range(self.d))

    @property
    def entries(self) -> Vector:
        """0, delta, ..., 1 - delta: the entries of a matrix of G."""
        return tuple(Q(k, self.N) for k in range(self.N))

    @property
    def sentinel(self) -> mpq:
        """-delta^-(nd), to which the quantiser sends an entry outside [0, 1)."""
        return Q(-(self.N ** (self.n * self.d)))

    @property
    def levels(self) -> Vector:
        """0, delta, ..., delta^-d+1 - delta: the ids that the sweep visits, in increasing order."""
        return tuple(Q(k, self.N) for k in range(self.B))

    @property
    def sweep_factor(self) -> mpq:
        """delta^-d, the factor of each selective shift."""
        return Q(self.B)

    @property
    def global_factor(self) -> mpq:
        """delta^-((n+1)d), the factor of the global shift."""
        return Q(self.B ** (self.n + 1))

    @property
    def t_l(self) -> mpq:
        """t_l = delta^-(2nd) . delta . (delta^-d - 1)."""
        return Q(self.B ** (2 * self.n) * (self.B - 1), self.N)

    @property
    def t_r(self) -> mpq:
        """t_r = delta^-((2n+1)d) . delta . (delta^-d - 1)."""
        return Q(self.B ** (2 * self.n + 1) * (self.B - 1), self.N)

    @property
    def lemma10_lower(self) -> mpq:
        """delta^-((n-1)d) . delta . (delta^-d - 1)."""
        return Q(self.B ** (self.n - 1) * (self.B - 1), self.N)

    @property
    def lemma10_upper(self) -> mpq:
        """delta^-(nd) . delta . (delta^-d - 1) - delta . (delta^-d - 1)^2."""
        return Q(self.B**self.n * (self.B - 1) - (self.B - 1) ** 2, self.N)

    @property
    def sentinel_id_bound(self) -> mpq:
        """-delta^-(nd) + delta^-(d-1) - 1, the paper's upper bound on the id of a column with a sentinel."""
        return self.sentinel + int(self.N ** (self.d - 1)) - 1

    @property
    def category3_shift_bound(self) -> mpq:
        """delta^-((n+1)d) . delta, the least first shift in Category 3."""
        return Q(self.B ** (self.n + 1), self.N)

    @property
    def category3_final_bound(self) -> mpq:
        """delta^-((2n+2)d) . delta, the paper's lower bound on non-negative final values of Category 3."""
        return Q(self.B ** (2 * self.n + 2), self.N)

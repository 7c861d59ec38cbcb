"""An instance (d, n, N) of BigBird's App. A.2, and every number that the appendix derives from it.

Tokens are columns here, rows in the paper. Token 0 is the global token x_0, tokens 1..n are the input's. delta = 1/N,
and exponents of delta are negative in the paper: B = delta^-d = N^d, and P = delta^-(n+1)d + 1.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from gmpy2 import mpq

from verifier.core.exact import Matrix, NotExact, Q, Vector, from_columns

LEAST = {"d": 1, "n": 2, "N": 2}


@dataclass(frozen=True)
class Instance:
    """(d, n, N), and what the appendix makes of them."""

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

    @property
    def sizes(self) -> dict[str, int]:
        return {"d": self.d, "n": self.n, "N": self.N}

    @property
    def delta(self) -> mpq:
        return Q(1, self.N)

    @cached_property
    def B(self) -> int:
        """delta^-d, the factor of a low shift; and how many columns [0, 1)_delta^d has."""
        return int(self.N**self.d)

    @cached_property
    def high_factor(self) -> int:
        """delta^-nd, the factor of a high shift."""
        return int(self.B**self.n)

    @property
    def last_factor(self) -> int:
        """delta^-(n^2 d), the factor of the last layers."""
        return int(self.B ** (self.n**2))

    @property
    def P(self) -> int:
        """delta^-(n+1)d + 1."""
        return int(self.B ** (self.n + 1) + 1)

    @cached_property
    def u(self) -> Vector:
        """u = (1, delta^-1, ..., delta^-(d-1), delta^-nd)."""
        return (*(Q(self.N**r) for r in range(self.d)), Q(self.high_factor))

    def shift(self, i: int) -> mpq:
        """What E adds to every entry of token i: 0 for the first, delta^-(i-1)d for the others."""
        return Q(0) if i == 1 else Q(self.B ** (i - 1))

    def columns(self, *, closed: bool = False) -> tuple[Vector, ...]:
        """[0, 1)_delta^d, or [0, 1]_delta^d: a token before E is added."""
        entries = [Q(k, self.N) for k in range(self.N + closed)]
        return tuple(product(entries, repeat=self.d))

    def matrix(self, columns: tuple[Vector, ...], start: int | None = None) -> Matrix:
        """(x_0, x_1, ..., x_n): d + 1 rows. x_0 = (0, ..., 0, 1), or what has u^T x_0 = start."""
        last = Q(1) if start is None else Q(start, self.high_factor)
        tokens = [(*(entry + self.shift(i) for entry in column), Q(0)) for i, column in enumerate(columns, start=1)]
        return from_columns((*[(*(Q(0),) * self.d, last)], *tokens))

    # The smallest and the largest l_i of [0, 1)_delta: in the appendix delta^-(i-1)d and delta^-id - delta.

    @cached_property
    def ones(self) -> int:
        """u^T (1, ..., 1, 0) = 1 + N + ... + N^(d-1)."""
        return (self.B - 1) // (self.N - 1)

    @property
    def spread(self) -> mpq:
        """The largest id of [0, 1)_delta^d: delta^-(d-1) - delta, which is (B - 1) delta."""
        return Q(self.B - 1, self.N)

    def least_id(self, i: int) -> mpq:
        return self.ones * self.shift(i)

    def largest_id(self, i: int) -> mpq:
        return self.least_id(i) + self.spread

    # (LP) and (UP), as they are printed, and S_0, T_0 of the base case.

    def S(self, k: int) -> mpq:
        """(LP)."""
        return self._bound(k, above=0) if k else Q(self.B ** (self.n + 1))

    def T(self, k: int) -> mpq:
        """(UP)."""
        return self._bound(k, above=1) if k else Q(self.B ** (self.n + 1)) + self.delta

    def _bound(self, k: int, *, above: int) -> mpq:
        """P^k B^n - sum_{t=2..k} P^(k-t) (2 B^(n+1) + B^n + 1) b_t - P^(k-1) (B^(n+1) + B^n) b_1 - b_(k+1).

        (LP) puts b_t = B^(t-1) for l_t, (UP) b_t = B^t; and for l_(k+1) they put B^k and B^(k+1).
        """
        B, n, P = self.B, self.n, self.P
        inner = sum(P ** (k - t) * (2 * B ** (n + 1) + B**n + 1) * B ** (t - 1 + above) for t in range(2, k + 1))
        first = P ** (k - 1) * (B ** (n + 1) + B**n) * B**above
        return Q(P**k * B**n - inner - first - B ** (k + above))

    # The repair's: the least and the largest value of f~_0^k.

    def least_global(self, k: int) -> mpq:
        """S'_k: f~_0^k of the largest l_1, ..., l_(k+1)."""
        return self._global(k, self.largest_id)

    def largest_global(self, k: int) -> mpq:
        """T'_k: f~_0^k of the least l_1, ..., l_(k+1). T'_k - S'_k = (B - 1)(P^k - 1) delta."""
        return self._global(k, self.least_id)

    def _global(self, k: int, l: Callable[[int], mpq]) -> mpq:
        """f~_0^0 = B^n, f~_0^k = P f~_0^(k-1) - B^n ((B - 1) l_k + l_(k+1))."""
        value = Q(self.high_factor)
        for t in range(1, k + 1):
            value = self.P * value - self.high_factor * ((self.B - 1) * l(t) + l(t + 1))
        return value

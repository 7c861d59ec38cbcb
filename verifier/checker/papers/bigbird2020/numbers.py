"""format/bigbird2020.md, 2 and 3: everything that d, n and N decide, in units of delta, so that ids are whole."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple


class Count(int):
    """A number that isn't in units of delta."""


class Numbers(NamedTuple):
    d: int
    n: int
    N: int

    @property
    def B(self) -> int:
        return int(self.N**self.d)

    @property
    def P(self) -> int:
        return int(self.B ** (self.n + 1) + 1)

    def power(self, e: int) -> int:
        """delta^-(e d), in units of delta."""
        return int(self.N * self.B**e)

    def tokens(self, closed: bool) -> list[int]:
        """The ids u^T c of the columns c of [0, 1)_delta^d, or of [0, 1]_delta^d, in lexicographic order."""
        entries = range(self.N + 1 if closed else self.N)
        return [
            sum(entry * self.N**row for row, entry in enumerate(column)) for column in product(entries, repeat=self.d)
        ]

    def base(self, i: int) -> int:
        """What E adds to the id of token i."""
        if i == 1:
            return 0
        return sum(self.power(i - 1) * self.N**row for row in range(self.d))

    def context(self, places: tuple[int, ...]) -> tuple[int, ...]:
        """l_1, ..., l_n of the context whose token i is column places[i - 1]."""
        ids = self.tokens(closed=False)
        return tuple(ids[place] + self.base(i) for i, place in enumerate(places, start=1))

    def matrix(self, places: tuple[int, ...]) -> list[list[Fraction]]:
        """(x_0, ..., x_n) of a context, by rows."""
        columns = list(product(range(self.N), repeat=self.d))
        tokens = [[*(Fraction(0),) * self.d, Fraction(1)]]
        for i, place in enumerate(places, start=1):
            E = 0 if i == 1 else self.B ** (i - 1)
            tokens.append([*(Fraction(entry, self.N) + E for entry in columns[place]), Fraction(0)])
        return [list(row) for row in zip(*tokens, strict=True)]

    def worth(self, value: Any) -> Any:
        """A number in units of delta (or a list of them), as it is; a Count is itself."""
        if isinstance(value, list):
            return tuple(map(self.worth, value))
        return Fraction(int(value)) if isinstance(value, Count) else Fraction(value) / self.N

    # The printed intervals. Every term of (LP) and (UP) is a number times some delta^-(e d).

    def S(self, k: int) -> int:
        return self._printed(k, 0) if k else self.power(self.n + 1)

    def T(self, k: int) -> int:
        return self._printed(k, 1) if k else self.power(self.n + 1) + 1

    def _printed(self, k: int, up: int) -> int:
        n, B, P = self.n, self.B, self.P
        total: int = P**k * self.power(n) - self.power(k + up)
        for t in range(2, k + 1):
            total -= P ** (k - t) * (2 * B**n * B + B**n + 1) * self.power(t - 1 + up)
        return int(total - P ** (k - 1) * (B**n * B + B**n) * self.power(up))

    # The repair's intervals, from the sum (not from the recursion).

    def low_end(self, k: int) -> int:
        """S'_k: all ids as large as they can be."""
        return self.rolled_out(k, lambda t: self.base(t) + self.B - 1)

    def high_end(self, k: int) -> int:
        """T'_k: all ids as small as they can be."""
        return self.rolled_out(k, self.base)

    def rolled_out(self, k: int, l: Callable[[int], int]) -> int:
        """P^k delta^-nd - B^n sum_{t=1..k} P^(k-t) ((B - 1) l_t + l_(t+1))."""
        total: int = self.P**k * self.power(self.n)
        for t in range(1, k + 1):
            total -= self.B**self.n * self.P ** (k - t) * ((self.B - 1) * l(t) + l(t + 1))
        return total

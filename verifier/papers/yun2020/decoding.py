"""Back from the largest id after the sweep to all ids: the left inverse that makes l -> l~_n one-to-one (Lemma 10).

In whole numbers L_j = N l~_j and k_j = N l_j, with L_0 = k_n, the shift of the j-th column is

    L_j = k_j + B (L_{j-1} - k_j),    so that    k_j = L_j mod B    and    L_{j-1} = (L_j - k_j) / B + k_j

where k_j is the number in its block s_j, s_j + 1, ..., s_j + B - 1 that is congruent to L_j mod B; for Lemma 6 every
s_j is 0. A single value suffices: q_j = l~_j + P l~_n with 0 <= l~_j < P delta, where P is the factor of the global
shift, so that L_n is the whole part of N q_j / P.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gmpy2 import mpq

from verifier.core.exact import Q, Vector
from verifier.papers.yun2020.instance import Instance


@dataclass(frozen=True)
class Reading:
    """What is read off L_j."""

    j: int
    L: int
    k: int
    before: int  # L_{j-1}


def readings(L: int, starts: Sequence[int], B: int) -> Iterator[Reading]:
    """From L_n on, j = n, ..., 1; `starts` are s_1, ..., s_n."""
    for j in range(len(starts), 0, -1):
        k = starts[j - 1] + (L - starts[j - 1]) % B
        before = (L - k) // B + k
        yield Reading(j, L, k, before)
        L = before


def largest(q: mpq, factor: mpq, N: int) -> int:
    """L_n, the whole part of N q / P."""
    quotient = N * q / factor
    return int(quotient.numerator) // int(quotient.denominator)


def column(k: int, instance: Instance) -> Vector:
    """The column of {0, delta, ..., 1-delta}^d whose id is k delta, 0 <= k < B: N times its entries are k's digits."""
    return tuple(Q(k // instance.N**i % instance.N, instance.N) for i in range(instance.d))

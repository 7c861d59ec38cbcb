"""The readings of the text: App. A.2 states five things in two ways each, so that there are 32 constructions.

    start    u^T x_0 is delta^-nd, as u and x_0 have it and as it is used later; or delta^-(n+1)d, as is stated
    low      phase k sweeps [delta^-(k-1)d, delta^-kd) (the inductive step), or [delta^-kd, delta^-(k+1)d) (before it)
    high     phase k sweeps [S_(k-1), T_(k-1)) (the inductive step), or [S_k, T_k) (before it)
    ends     [a, b)_delta is without b, as its name and its example say; or with it, as its definition says
    grid     entries in [0, 1)_delta, as tokens are said to be; or in [0, 1]_delta, as G^E_delta is defined

The reading `PRINTED` takes the first of each pair, as the definitions and the inductive step do.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from gmpy2 import mpq

from bigbird.instance import Instance
from bigbird.lanewise import is_whole
from bigbird.sparse import star
from bigbird.sweep import Sweep
from verifier.core.exact import Q


@dataclass(frozen=True)
class Reading:
    """Which of its two forms each of the five things has: False is the first."""

    start: bool = False
    low: bool = False
    high: bool = False
    ends: bool = False
    grid: bool = False

    @property
    def words(self) -> str:
        said = (
            ("u^T x_0 = delta^-nd", "u^T x_0 = delta^-(n+1)d"),
            ("low shifts from delta^-(k-1)d", "low shifts from delta^-kd"),
            ("high shifts in [S_(k-1), T_(k-1))", "high shifts in [S_k, T_k)"),
            ("intervals without their end", "intervals with their end"),
            ("entries in [0, 1)", "entries in [0, 1]"),
        )
        taken = (self.start, self.low, self.high, self.ends, self.grid)
        return ", ".join(two[which] for two, which in zip(said, taken, strict=True))


PRINTED = Reading()


def readings() -> Iterator[Reading]:
    return (Reading(*taken) for taken in product((False, True), repeat=5))


def start_of(i: Instance, reading: Reading) -> int:
    """f~_0^0."""
    return int(i.B ** (i.n + reading.start))


def _levels(a: mpq, b: mpq, i: Instance, *, with_end: bool) -> int:
    """How many v are in [a, b)_delta; 0 if b < a."""
    steps = (b - a) / i.delta
    whole = int(steps.numerator) // int(steps.denominator)
    return max(0, whole if is_whole(steps) and not with_end else whole + 1)


def _sweep(i: Instance, name: str, factor: int, a: mpq, b: mpq, *, with_end: bool) -> Sweep:
    return Sweep(name, i, star(i.n), factor, a, _levels(a, b, i, with_end=with_end))


def printed(i: Instance, reading: Reading = PRINTED) -> tuple[Sweep, ...]:
    """Lemma 3's layers: the low and the high shift of every phase, and the last ones."""
    sweeps = []
    for k in range(1, i.n + 1):
        a = i.B ** (k if reading.low else k - 1)
        j = k if reading.high else k - 1
        sweeps.append(_sweep(i, f"low {k}", i.B, Q(a), Q(a * i.B), with_end=reading.ends))
        sweeps.append(_sweep(i, f"high {k}", i.high_factor, i.S(j), i.T(j), with_end=reading.ends))
    sweeps.append(_sweep(i, "last", i.last_factor, i.S(1), i.T(i.n), with_end=reading.ends))
    return tuple(sweeps)


def mended(i: Instance) -> tuple[Sweep, ...]:
    """The same layers over other intervals; every factor, u and x_0 are the paper's.

    low 1    from 0, where l_1 is
    high k   [S'_(k-1), T'_(k-1)], the values that f~_0^(k-1) takes
    last     from the least f_1 to the largest f_n
    """
    sweeps = []
    for k in range(1, i.n + 1):
        sweeps.append(_sweep(i, f"low {k}", i.B, i.shift(k), Q(i.B**k), with_end=False))
        lower, upper = i.least_global(k - 1), i.largest_global(k - 1)
        sweeps.append(_sweep(i, f"high {k}", i.high_factor, lower, upper, with_end=True))
    least = i.B * i.high_factor - (i.B - 1) * i.largest_id(1)
    largest = i.B * i.largest_global(i.n - 1) - (i.B - 1) * i.least_id(i.n)
    sweeps.append(_sweep(i, "last", i.last_factor, least, largest, with_end=True))
    return tuple(sweeps)

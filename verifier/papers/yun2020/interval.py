"""An interval with open or closed ends, and relations that say where a value lies."""

from dataclasses import dataclass

from gmpy2 import mpq

from verifier.core.claim import Relation, Relations
from verifier.core.exact import exact


@dataclass(frozen=True)
class Interval:
    """[low, high), or with other edges: where the values of Category 1 are claimed to lie."""

    low: mpq
    high: mpq
    low_closed: bool = True
    high_closed: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "low", exact(self.low))
        object.__setattr__(self, "high", exact(self.high))

    def __str__(self) -> str:
        return f"{'[' if self.low_closed else '('}{self.low}, {self.high}{']' if self.high_closed else ')'}"


def inside(name: str, value: mpq, interval: Interval, ends: tuple[str, str] = ("t_l", "t_r")) -> Relations:
    """value is in the interval."""
    yield Relation(name, value, ">=" if interval.low_closed else ">", ends[0], interval.low)
    yield Relation(name, value, "<=" if interval.high_closed else "<", ends[1], interval.high)


def _beside(name: str, value: mpq, interval: Interval, ends: tuple[str, str], *, below: bool) -> Relation:
    if below:
        return Relation(name, value, "<" if interval.low_closed else "<=", ends[0], interval.low)
    return Relation(name, value, ">" if interval.high_closed else ">=", ends[1], interval.high)


def outside(name: str, value: mpq, interval: Interval) -> Relation:
    """value is not in the interval; the relation is about the end that is nearer to it."""
    return _beside(name, value, interval, ("t_l", "t_r"), below=value - interval.low < interval.high - value)


def below_or_beyond(name: str, value: mpq, interval: Interval, ends: tuple[str, str] = ("t_l", "t_r")) -> Relation:
    """value is not in the interval; the relation is about the low end if value is below it, else about the high end."""
    return _beside(name, value, interval, ends, below=value < interval.low)

"""Multisets of n out of 0..columns-1, as non-decreasing tuples in lexicographic order; and the rank of each in it."""

from collections import Counter
from collections.abc import Iterator
from math import comb, factorial, prod

Orbit = tuple[int, ...]


def multisets(columns: int, n: int) -> int:
    """C(columns + n - 1, n): the multisets of n out of `columns` columns."""
    return comb(columns + n - 1, n) if columns else int(n == 0)


def orbit_size(orbit: Orbit) -> int:
    """n! / (m_1! m_2! ...): the matrices in an orbit whose columns occur m_1, m_2, ... times."""
    return factorial(len(orbit)) // prod(factorial(m) for m in Counter(orbit).values())


def rank(orbit: Orbit, columns: int) -> int:
    """The number of orbits before this one."""
    place, least = 0, 0
    for position, number in enumerate(orbit):
        left = len(orbit) - position
        place += multisets(columns - least, left) - multisets(columns - number, left)
        least = number
    return place


def unrank(place: int, columns: int, n: int) -> Orbit:
    """The orbit that has `place` orbits before it."""
    if not 0 <= place < multisets(columns, n):
        raise ValueError(f"rank {place} is outside 0..{multisets(columns, n) - 1}")
    orbit: list[int] = []
    least = 0
    for left in range(n, 0, -1):
        total = multisets(columns - least, left)
        low, high = least, columns - 1
        while low < high:  # the largest number whose orbits begin at or before `place`
            middle = (low + high + 1) // 2
            if total - multisets(columns - middle, left) <= place:
                low = middle
            else:
                high = middle - 1
        place -= total - multisets(columns - low, left)
        orbit.append(low)
        least = low
    return tuple(orbit)


def orbits(columns: int, n: int, start: int = 0, stop: int | None = None) -> Iterator[Orbit]:
    """The orbits of rank start, ..., stop - 1: non-decreasing n-tuples over 0..columns-1 in lexicographic order."""
    end = multisets(columns, n) if stop is None else min(stop, multisets(columns, n))
    if start >= end:
        return
    orbit = list(unrank(start, columns, n))
    for _ in range(end - start - 1):
        yield tuple(orbit)
        last = n - 1
        while orbit[last] == columns - 1:
            last -= 1
        orbit[last:] = [orbit[last] + 1] * (n - last)
    yield tuple(orbit)

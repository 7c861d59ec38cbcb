"""Positions of a word of which nothing but their order is known: numbers that stand for all words at once.

A comparison that comes out alike wherever the positions are, in this order, is decided; any other ends the reading. So
what is found of one word is so of every word in which the same positions stand in the same order.
"""

from __future__ import annotations

from ..page.numbers import EXACT, NUMBERS, Exact, NotAffine, Number, Varying, short

POSITION = "a position"  # 1, 2, ...; the other kinds are a position over the length, or over the size that bounds it


class Undecided(NotAffine):
    """A comparison that the order of positions doesn't decide."""


class Placed(Varying):
    """a + the sum of b_k p_k, over places k; the p_k are positions, or all of them are over the same length."""

    __slots__ = ("a", "b", "kind")

    def __init__(self, a: Exact, b: dict[int, Exact], kind: str) -> None:
        self.a, self.b, self.kind = a, b, kind

    def sign(self, other: Number) -> Exact:
        less = self - other
        if not isinstance(less, Placed):
            return less  # type: ignore[return-value]
        corners = less.corners()
        if less.kind == POSITION:  # the least position is at least 1, each next one at least 1 more
            least, strict = less.a + sum(corners), False
        else:  # 0 < p_1 < p_2 < ... <= 1: a mean of the corners, with weights above 0 for all but the first
            corners = [less.a + corner for corner in corners]
            least, strict = less.a, True
        for direction in (1, -1):
            if all(direction * corner >= 0 for corner in corners):
                if strict and direction * least >= 0 and any(corner != 0 for corner in corners):
                    return direction
                if not strict and direction * least > 0:
                    return direction
        raise Undecided

    def corners(self) -> list[Exact]:
        """The sums of b over all places from one on."""
        found, total = list[Exact](), 0
        for k in sorted(self.b, reverse=True):
            total = total + self.b[k]  # type: ignore[assignment]
            found.append(total)
        return found

    def __add__(self, other: Number) -> Number:
        if not isinstance(other, Placed):
            return Placed(short(self.a + other), self.b, self.kind)  # type: ignore[arg-type, return-value]
        if other.kind != self.kind:
            raise Undecided
        both = dict(self.b)
        for k, b in other.b.items():
            both[k] = short(both.get(k, 0) + b)
        return placed(short(self.a + other.a), both, self.kind)

    def __mul__(self, other: Number) -> Number:
        if isinstance(other, Placed):
            raise Undecided
        return placed(short(self.a * other), {k: short(b * other) for k, b in self.b.items()}, self.kind)  # type: ignore[arg-type, misc]

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> Number:
        return self * -1

    def __sub__(self, other: Number) -> Number:
        return self + -other

    def __rsub__(self, other: Number) -> Number:
        return -self + other

    def __abs__(self) -> Number:
        return -self if self < 0 else self  # type: ignore[return-value]

    def __hash__(self) -> int:
        return hash((self.a, self.kind, *self.b.items()))


def placed(a: Exact, b: dict[int, Exact], kind: str) -> Number:
    left = {k: factor for k, factor in b.items() if factor != 0}
    return Placed(a, left, kind) if left else a  # type: ignore[return-value]


class Lost(Varying):
    """A number of which nothing is known; or that it is above `beyond`, or below, if that is negative."""

    __slots__ = ("beyond",)

    def __init__(self, beyond: Exact = 0) -> None:
        self.beyond = beyond

    def sign(self, other: Number) -> Exact:
        if type(other) in EXACT:
            if self.beyond > 0 and other <= self.beyond:
                return 1
            if self.beyond < 0 and other >= self.beyond:
                return -1
        raise Undecided

    def made(self, other: Number | None = None) -> Lost:  # noqa: ARG002
        """What is made of it."""
        return Lost()

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __neg__ = __abs__ = made

    def __hash__(self) -> int:
        raise Undecided


NUMBERS |= {Placed, Lost}

"""`for all t:`, the slow reading: a relation of all real numbers, by cells (LANGUAGE.md 5).

t goes through the line from left to right. Just right of a number (or of minus infinity) every expression is a + b t,
and every comparison has one outcome, up to the next number at which one of them may have another: between the two lies
a cell, and the next number is looked at by itself. Of c[r] for r in a..b each entry goes its way, those of lower index
around the others.
"""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gmpy2 import mpq

from verifier.evaluate.budget import spend
from verifier.evaluate.ledger import INEQUALITIES, Ranks, Relation
from verifier.evaluate.values import BySign, List, Wrong, small
from verifier.language.tree import Chain, ClaimLine, ForAll, ForEach, When
from verifier.language.words import Place, Refused

if TYPE_CHECKING:
    from verifier.evaluate.definition import At, Case


class Cell:
    """An open interval; None is an infinite end. `high` comes down to the first number at which a comparison turns."""

    __slots__ = ("high", "low")

    def __init__(self, low: Any) -> None:
        self.low, self.high = low, None

    def sign(self, a: Any, b: Any) -> int:
        """The sign of a + b t just right of the low end."""
        root = -a / b
        if self.low is None or root > self.low:
            self.high = root if self.high is None else min(self.high, root)
            return -1 if b > 0 else 1
        return 1 if b > 0 else -1


class AffineInReals(BySign):
    """a + b t, t in a cell; or with several t, each in its own. What is compared depends on one of them."""

    __slots__ = ("a", "slopes")

    def __init__(self, a: Any, slopes: dict[Cell, Any]) -> None:
        spend(3)
        self.a, self.slopes = small(a), {cell: small(b) for cell, b in slopes.items() if b}

    def __add__(self, other: Any) -> "AffineInReals":
        slopes = dict(self.slopes)
        for cell, b in _slopes(other).items():
            slopes[cell] = slopes.get(cell, 0) + b
        return AffineInReals(self.a + _still(other), slopes)

    def __mul__(self, other: Any) -> "AffineInReals":
        if _slopes(other) and self.slopes:
            raise Wrong("two numbers that depend on a real number are multiplied")
        one, factor = (self, _still(other)) if self.slopes else (other, self.a)
        return AffineInReals(_still(one) * factor, {cell: b * factor for cell, b in _slopes(one).items()})

    def sign(self, other: Any) -> Any:
        less = self + -1 * other
        if len(less.slopes) > 1:
            raise Wrong("what is compared depends on two of the real numbers; it may depend on one")
        return next((cell.sign(less.a, b) for cell, b in less.slopes.items()), less.a)

    def __hash__(self) -> int:
        return hash((self.a, frozenset(self.slopes.items())))

    def __abs__(self) -> "AffineInReals":
        return self * -1 if self < 0 else self

    __radd__, __rmul__ = __add__, __mul__


def _still(v: Any) -> Any:
    return v.a if isinstance(v, AffineInReals) else v


def _slopes(v: Any) -> dict[Cell, Any]:
    return v.slopes if isinstance(v, AffineInReals) else {}


def moves(tokens: List) -> bool:
    return any(isinstance(v, AffineInReals) for token in tokens.items for v in token.items)


def _at(v: Any, point: dict[Cell, Any]) -> Any:
    """A value where t is known."""
    if isinstance(v, List):
        return List([_at(item, point) for item in v.items], v.first)
    return _still(v) + sum(b * point[cell] for cell, b in _slopes(v).items()) if isinstance(v, AffineInReals) else v


MOST = 20
Spot = Any  # a number, or a cell
Key = tuple[int, ...]


def _cells(many: int, look: Callable[[tuple[Spot, ...]], None], before: tuple[Spot, ...] = ()) -> None:
    """All cells, and the numbers between them, of so many real numbers."""
    if not many:
        return look(before)
    low = None
    while True:
        cell = Cell(low)
        _cells(many - 1, look, (*before, cell))
        if cell.high is None:
            return None
        low = cell.high
        _cells(many - 1, look, (*before, low))


@dataclass
class _InCell:
    """A relation in one cell (of several numbers, in a product of cells)."""

    box: tuple[Spot, ...]
    sign: str
    place: Place
    holds: bool
    value: Any
    bound: Any
    letters: "At"

    @property
    def first(self) -> tuple[Any, ...]:
        """The simplest numbers of the box."""
        return tuple(simplest(spot.low, spot.high) if isinstance(spot, Cell) else spot for spot in self.box)

    def seen(self, ranks: Ranks, numbers: tuple[Any, ...], side: str) -> Relation:
        point = {spot: number for spot, number in zip(self.box, numbers, strict=True) if isinstance(spot, Cell)}
        letters = {name: _at(value, point) for name, value in self.letters.items()}
        return Relation(ranks, self.place, _at(self.value, point), _at(self.bound, point), letters, side)

    def least(self) -> tuple[Any, str, tuple[Any, ...]]:
        """The greatest lower bound of the slack; whether it's approached, and from which side; and where."""
        slack = self.value + -1 * self.bound if self.sign[0] == ">" else self.bound + -1 * self.value
        slopes, numbers, side = _slopes(slack), self.first, ""
        for cell, b in slopes.items():  # one, for its sign was asked
            end, side = (cell.low, "above") if b > 0 else (cell.high, "below")
            numbers = tuple(end if spot is cell else number for spot, number in zip(self.box, numbers, strict=True))
        return _at(slack, dict(zip(self.box, numbers, strict=True))), side, numbers


def simplest(low: Any, high: Any) -> Any:
    """The number between two (None: no end) with the least denominator, and of these the nearest to 0."""
    if (low is None or low < 0) and (high is None or high > 0):
        return mpq(0)
    if low is None or low < 0:
        return -simplest(-high, None if low is None else -low)
    wholes = []
    while high is not None and high <= (whole := low.numerator // low.denominator) + 1:
        wholes.append(whole)
        low, high = 1 / (high - whole), None if low == whole else 1 / (low - whole)
    number = mpq(low.numerator // low.denominator + 1)
    for whole in reversed(wholes):
        number = whole + 1 / number
    return number


def _order(numbers: tuple[Any, ...]) -> tuple[Any, ...]:
    """Simpler ones first: by denominator, by distance from 0, the negative one of two."""
    return tuple((v.denominator, abs(v), v > 0) for v in numbers)


class ForAllReals:
    """The relations of a `for all` block."""

    def __init__(self, case: "Case", line: ForAll, at: "At") -> None:
        self.letter, self.reach, self.condition, self.block = line.letter, line.reach, line.condition, line.lines
        self.case, self.at, self.made = case, at, dict[Key, list[_InCell]]()
        self.first, self.many = 0, 1
        if self.reach is not None:
            values = case.reach(self.reach, at)
            self.first, self.many = int(values[0]) if values else 1, len(values)
        if self.many > MOST:
            raise Refused(line.place, f"{self.many} real numbers at a time; at most {MOST}")

    def named(self, numbers: tuple[Any, ...]) -> dict[str, Any]:
        return {self.letter: numbers[0] if self.reach is None else List(numbers, self.first)}

    def look(self, box: tuple[Spot, ...]) -> None:
        numbers = tuple(AffineInReals(mpq(0), {spot: mpq(1)}) if isinstance(spot, Cell) else spot for spot in box)
        case, at = copy(self.case), {**self.at, **self.named(numbers)}
        case.runs = {}
        spend(1)
        if self.condition is None or case.truth(self.condition, at):
            self.lines(case, box, self.block, at, ())

    def lines(self, case: "Case", box: tuple[Spot, ...], lines: list[ClaimLine], at: "At", key: Key) -> None:
        for k, line in enumerate(lines):
            if isinstance(line, Chain):
                for m, (sign, text, holds, value, bound) in enumerate(case.compared(line, at)):
                    made = _InCell(box, sign, text.place, holds, value, bound, at)
                    spend(20)  # it is kept
                    self.made.setdefault((*key, k, m), []).append(made)
            elif isinstance(line, When):
                if case.truth(line.condition, at):
                    self.lines(case, box, line.lines, at, (*key, k))
            elif isinstance(line, ForEach):  # no other block stands in `for all`
                for m, value in enumerate(case.reach(line.reach, at)):
                    inner = {**at, line.letter: value}
                    if line.condition is None or case.truth(line.condition, inner):
                        self.lines(case, box, line.lines, inner, (*key, k, m))

    def relations(self, ranks: Ranks) -> "list[tuple[bool, Any, Relation]]":
        """Each relation, once: whether it holds for all numbers, its least slack, and where."""
        _cells(self.many, self.look)
        return [self.all_of(self.made[key], ranks) for key in sorted(self.made)]

    def all_of(self, made: list[_InCell], ranks: Ranks) -> "tuple[bool, Any, Relation]":
        sign = made[0].sign
        failing = [one for one in made if not one.holds]
        if failing or sign not in INEQUALITIES:
            one = min(failing or made, key=lambda one: _order(one.first))
            return not failing, None, one.seen(ranks, one.first, "")
        leasts = [(*one.least(), one) for one in made]
        slack, side, numbers, one = min(leasts, key=lambda f: (f[0], f[1] != "", _order(f[2]), f[1] == "above"))
        return True, slack, one.seen(ranks, numbers, side)


def for_all(case: "Case", line: ForAll, at: "At", ranks: Ranks) -> "list[tuple[bool, Any, Relation]]":
    return ForAllReals(case, line, at).relations(ranks)

"""LANGUAGE 2: the values of expressions, numbers, truths and lists, and what is done with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import add, eq, ge, gt, le, lt, mul, ne, sub
from typing import Any, TypeVar, Union

from ..core.comparing import OverLimit
from .numbers import EXACT, NUMBERS, Exact, NotAffine, Number, Q, ratio, short
from .words import MOST_DEPTH, Place, Refused

T = TypeVar("T")
HOLDS: dict[str, Callable[[Any, Any], bool]] = {
    "=": eq,
    "!=": ne,
    "<=": le,
    ">=": ge,
    "<": lt,
    ">": gt,
    "iff": eq,
    "recognises": eq,
}
MOST_ENTRIES = 2_000_000  # of a list and of the lists in it
INEQUALITIES = frozenset(("<", "<=", ">", ">="))
Kind = Union[str, tuple[str, "Kind | None"]]  # noqa: UP007
# number, truth, or ("list", the kind of the items; None: there are none)
OF_NUMBERS: Kind = ("list", "number")
TRUTHS: set[type] = {bool}  # and, as of lists, those of a reading of its own, states/


class List:
    """Items of one kind, with the index of the first one; how many items there are, those of the lists in it, too; and
    how deep these are."""

    __slots__ = ("depth", "first", "items", "kind", "size")

    def __init__(self, items: Iterable[Value], first: int = 1, place: Place | None = None) -> None:
        self.items, self.first = tuple(items), first
        self.size, self.depth = len(self.items), 1
        types = set(map(type, self.items))
        self.kind: Kind
        if types <= NUMBERS:
            self.kind = OF_NUMBERS if types else ("list", None)
        else:
            inner: Kind | None = None
            for item in self.items:
                kind = kind_of(item)
                if kind is not inner:
                    inner = one_kind(inner, kind, place)
                if type(item) is List:
                    self.size += item.size
                    self.depth = max(self.depth, item.depth + 1)
            self.kind = ("list", inner)
        if self.size > MOST_ENTRIES:  # a list that is shared is short to make, and long to compare
            raise OverLimit(f"{place or 'a value'}: a list of more than {MOST_ENTRIES:,} entries")
        if self.depth > MOST_DEPTH:
            raise OverLimit(f"{place or 'a value'}: lists in one another, more than {MOST_DEPTH} deep")

    @property
    def numbers(self) -> tuple[Number, ...]:
        """The items, where these are numbers."""
        return self.items  # type: ignore[return-value]

    @property
    def rows(self) -> list[tuple[Number, ...]]:
        """The items of the items, where these are lists of numbers."""
        return [row.items for row in self.items]  # type: ignore[union-attr, misc]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, List) and self.items == other.items

    def __lt__(self, other: List) -> bool:
        return self.items < other.items

    def __hash__(self) -> int:
        return hash(self.items)


Value = Union[Number, bool, List]  # noqa: UP007
LISTS: set[type] = {List}


def entries(numbers: Iterable[Number]) -> List:
    """The list of these numbers, whose kind needn't be looked for."""
    made = List.__new__(List)
    made.items, made.first = tuple(numbers), 1
    made.size, made.depth = len(made.items), 1
    made.kind = OF_NUMBERS if made.items else ("list", None)
    return made


def kind_of(v: Value) -> Kind:
    if type(v) in LISTS:
        return v.kind  # type: ignore[union-attr]
    return "truth" if type(v) in TRUTHS else "number"


def one_kind(a: Kind | None, b: Kind | None, place: Place | None) -> Kind | None:
    """The kind of both; None is that of no item at all."""
    if a is None or b is None or a == b:
        return b if a is None else a
    if isinstance(a, tuple) and isinstance(b, tuple):
        return ("list", one_kind(a[1], b[1], place))
    raise Refused(place, f"{words_for(a)} and {words_for(b)} don't go together here")


def words_for(kind: Kind) -> str:
    return "a list" if isinstance(kind, tuple) else f"a {kind}"


def wrong(wanted: str, v: Value, place: Place) -> Refused:
    return Refused(place, f"a {wanted} is expected here, not {words_for(kind_of(v))}")


def number(v: Value, place: Place) -> Number:
    if type(v) in NUMBERS:
        return v  # type: ignore[return-value]
    raise wrong("number", v, place)


def exact(v: Value, place: Place) -> Exact:
    """A number that doesn't vary."""
    if type(v) in EXACT:
        return v  # type: ignore[return-value]
    number(v, place)
    raise NotAffine


def truth(v: Value, place: Place) -> bool:
    if type(v) in TRUTHS:
        return v  # type: ignore[return-value]
    raise wrong("truth", v, place)


def listed(v: Value, place: Place) -> List:
    if type(v) in LISTS:
        return v  # type: ignore[return-value]
    raise wrong("list", v, place)


def whole(v: Value, place: Place, what: str) -> int:
    if type(v) is int:
        return v
    raise Refused(place, f"{what} must be a whole number, not {exact(v, place)}")


def of_numbers(v: Value, place: Place) -> tuple[Number, ...]:
    """The items of a list of numbers."""
    if type(v) is List and v.kind is OF_NUMBERS:
        return v.numbers
    made = listed(v, place)
    if made.kind != OF_NUMBERS and made.items:
        raise Refused(place, "numbers are multiplied item by item here, not lists or truths")
    return made.numbers


def plus(a: Value, b: Value, place: Place) -> Value:
    if type(a) in NUMBERS and type(b) in NUMBERS:
        return short(add(a, b))  # type: ignore[no-any-return]
    if type(a) is List and type(b) is List:
        pairs = in_pairs(a, b, place)
        if a.kind == b.kind == OF_NUMBERS:
            return entries([short(add(x, y)) for x, y in pairs])
        return List([plus(x, y, place) for x, y in pairs])
    raise added(a, b, place)


def minus(a: Value, b: Value, place: Place) -> Value:
    if type(a) in NUMBERS and type(b) in NUMBERS:
        return short(sub(a, b))  # type: ignore[no-any-return]
    if type(a) is List and type(b) is List:
        return List([minus(x, y, place) for x, y in in_pairs(a, b, place)])
    raise added(a, b, place)


def in_pairs(a: List, b: List, place: Place) -> list[tuple[Value, Value]]:
    if len(a.items) != len(b.items):
        raise Refused(place, f"lists of {len(a.items)} and {len(b.items)} items: they must be of the same length")
    return list(zip(a.items, b.items, strict=True))


def added(a: Value, b: Value, place: Place) -> Refused:
    """Why these two can't be added."""
    if type(a) is bool and type(b) is bool:
        return wrong("number", a, place)
    return Refused(place, f"{words_for(kind_of(a))} and {words_for(kind_of(b))} don't go together here")


def times(a: Value, b: Value, place: Place) -> Value:
    """Numbers; a number and a list; a list of rows and a column."""
    if type(a) in NUMBERS and type(b) in NUMBERS:
        return short(mul(a, b))  # type: ignore[no-any-return]
    if type(a) is List and type(b) is List:
        if a.kind != ("list", OF_NUMBERS):
            raise Refused(place, "two columns are multiplied by dot(a, b); the left one here is no list of rows")
        column = of_numbers(b, place)
        return entries([product_sum(row, column, place) for row in a.rows])
    if type(a) is List:
        a, b = b, a
    number(a, place)
    if type(b) is List:
        if b.kind == OF_NUMBERS:
            return entries([short(mul(a, x)) for x in b.items])
        return List([times(a, item, place) for item in b.items])
    raise wrong("number", b, place)


def dot(a: Value, b: Value, place: Place) -> Number:
    if type(a) is List and type(b) is List and a.kind is b.kind is OF_NUMBERS:
        return product_sum(a.items, b.items, place)  # type: ignore[arg-type]
    return product_sum(of_numbers(a, place), of_numbers(b, place), place)


def product_sum(left: tuple[Number, ...], right: tuple[Number, ...], place: Place) -> Number:
    if len(left) != len(right):
        raise Refused(place, f"lists of {len(left)} and {len(right)} items: they must be of the same length")
    total = sum(map(mul, left, right)) if len(left) != 1 else mul(left[0], right[0])
    return total if type(total) is Q else short(total)


def compare(sign: str, a: Value, b: Value, place: Place) -> bool:
    if sign in INEQUALITIES:
        number(a, place)
        number(b, place)
    elif sign in ("=", "!="):
        one_kind(kind_of(a), kind_of(b), place)
    else:
        truth(a, place)
        truth(b, place)
    return HOLDS[sign](a, b)


def mean(values: list[Value], place: Place) -> Value:
    total = values[0]
    if len(values) == 1 and type(total) is List and total.kind is OF_NUMBERS:
        return total if total.first == 1 else entries(total.numbers)
    for v in values[1:]:
        total = plus(total, v, place)
    return times(ratio(1, len(values)), total, place)


def exactly(v: Value) -> object:
    """What tells values apart, first indices and kinds included; of a number that varies there is no such thing."""
    if type(v) is List:
        inner = v.kind[1]
        return v.first, v.kind, tuple(map(exactly, v.items)) if isinstance(inner, tuple) else v.items
    return (v,) if type(v) is bool else v


def shown(v: Value) -> Any:
    """A value of a certificate."""
    if type(v) is List:
        return [shown(item) for item in v.items]
    return v if type(v) is bool else str(v)

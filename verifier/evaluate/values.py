"""The values of pages: numbers (mpq), truths (bool), lists; and what can be done with them (LANGUAGE.md 2)."""

from collections.abc import Iterable
from typing import Any, Union

from gmpy2 import mpq

from verifier.evaluate.budget import spend
from verifier.language.words import DEPTH, Place, Refused, TooLarge

BITS, ENTRIES = 20_000, 2_000_000
Kind = Any  # "number", "truth", or ("list", the kind of its items; None: it has none)
Value = Union[mpq, bool, "List"]


class Wrong(Exception):
    """What can't be computed; who asked knows the place."""


class placed:
    """`with placed(place):` what goes wrong there is refused with that place."""

    __slots__ = ("place",)

    def __init__(self, place: Place) -> None:
        self.place = place

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: Any, error: BaseException | None, __: Any) -> None:
        if isinstance(error, Wrong):
            raise Refused(self.place, str(error)) from None
        if isinstance(error, OverflowError):
            raise TooLarge(self.place, str(error) or f"a number of more than {BITS:,} binary digits") from None
        if isinstance(error, RecursionError):
            raise TooLarge(self.place, "definitions rest on one another more deeply than is read; use a list") from None


class Disagree(Exception):
    """Two of our readings don't agree: a defect of ours, and no verdict."""


class NotAffine(Exception):
    """A number of a family of layers that is no a + b t."""


class List:
    """Items of one kind, from a first index on."""

    __slots__ = ("depth", "first", "items", "kind", "size")

    def __init__(self, items: Iterable[Any], first: int = 1) -> None:
        self.items, self.first = tuple(items), first
        spend(1 + (len(self.items) >> 1))
        inner = None
        for item in self.items:
            inner = one_kind(inner, kind_of(item))
        self.kind = ("list", inner)
        sizes: list[int] = [item.size if isinstance(item, List) else 1 for item in self.items]
        self.size: int = 1 + sum(sizes)  # however it is shared
        if self.size > ENTRIES:
            raise OverflowError(f"a list of more than {ENTRIES:,} entries")
        self.depth: int = 1 + max([item.depth for item in self.items if isinstance(item, List)], default=0)
        if self.depth > DEPTH:
            raise OverflowError(f"lists in one another, more than {DEPTH} deep")

    def __len__(self) -> int:
        return len(self.items)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, List) and self.items == other.items

    def __lt__(self, other: "List") -> bool:
        return self.items < other.items

    def __hash__(self) -> int:
        return hash(self.items)


class Varying:
    """A value for each of many words at once; its kind. What isn't made for such stops the attempt."""

    __slots__ = ("kind",)
    kind: Kind

    def one_by_one(self) -> Exception:
        """These must be run word by word."""
        raise NotImplementedError

    def stopped(self, *_: Any) -> Any:
        raise self.one_by_one()

    __lt__ = __le__ = __gt__ = __ge__ = __bool__ = __abs__ = __len__ = __iter__ = stopped
    __truediv__ = __rtruediv__ = __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = __pow__ = __rpow__ = stopped


class BySign:
    """Compared by the sign of a difference."""

    __slots__ = ()

    def sign(self, other: Any) -> Any:
        """Of this less the other one."""
        raise NotImplementedError

    def __lt__(self, other: Any) -> bool:
        return bool(self.sign(other) < 0)

    def __le__(self, other: Any) -> bool:
        return bool(self.sign(other) <= 0)

    def __gt__(self, other: Any) -> bool:
        return bool(self.sign(other) > 0)

    def __ge__(self, other: Any) -> bool:
        return bool(self.sign(other) >= 0)

    def __eq__(self, other: object) -> bool:
        return bool(self.sign(other) == 0)

    def __hash__(self) -> int:
        raise NotImplementedError


class AffineInStep(BySign):
    """a + b t, a number of the layer t places further on in a family. Comparisons are made at t = 0; `until` is the
    first t at which one of them may come out differently."""

    __slots__ = ("a", "b")
    until = 1

    def __init__(self, a: Any, b: Any) -> None:
        self.a, self.b = a, b

    def sign(self, other: Any) -> Any:
        a, b = self.a - _still(other), self.b - _slope(other)
        if b and (a == 0 or (a > 0) != (b > 0)):
            AffineInStep.until = min(AffineInStep.until, 1 if a == 0 else int(-(a // b)))
        return a

    def __add__(self, other: Any) -> "AffineInStep":
        return AffineInStep(self.a + _still(other), self.b + _slope(other))

    def __mul__(self, other: Any) -> "AffineInStep":
        if self.b and _slope(other):
            raise NotAffine
        return AffineInStep(self.a * _still(other), self.a * _slope(other) + self.b * _still(other))

    def __hash__(self) -> int:
        raise NotAffine

    def no(self, *_: Any) -> Any:
        raise NotAffine

    __radd__, __rmul__ = __add__, __mul__
    __abs__ = __mod__ = __floordiv__ = __pow__ = __truediv__ = __rtruediv__ = __rmod__ = __rfloordiv__ = no


def _still(v: Any) -> Any:
    return v.a if isinstance(v, AffineInStep) else v


def _slope(v: Any) -> Any:
    return v.b if isinstance(v, AffineInStep) else 0


def kind_of(v: Any) -> Kind:
    return v.kind if isinstance(v, List | Varying) else "truth" if isinstance(v, bool) else "number"


def one_kind(a: Kind, b: Kind) -> Kind:
    """The kind that holds both."""
    if a is None or b is None or a == b:
        return b if a is None else a
    if isinstance(a, tuple) and isinstance(b, tuple):
        return ("list", one_kind(a[1], b[1]))
    raise Wrong(f"{kind_text(a)} and {kind_text(b)} don't go together")


def kind_text(kind: Kind) -> str:
    return "a list" if isinstance(kind, tuple) else f"a {kind}"


def settled(*values: Any) -> None:
    """Stops where a list has not the same items in each word."""
    for v in values:
        if isinstance(v, Varying) and isinstance(v.kind, tuple):
            raise v.one_by_one()


def number(v: Any, what: str = "a number is expected here") -> Any:
    if isinstance(v, bool | List) or (isinstance(v, Varying) and v.kind != "number"):
        settled(v)
        raise Wrong(f"{what}, not {kind_text(kind_of(v))}")
    return v


def truth(v: Any) -> bool:
    if not isinstance(v, bool):
        raise Wrong(f"a condition is expected here, not {kind_text(kind_of(v))}")
    return v


def items(v: Any) -> tuple[Any, ...]:
    if not isinstance(v, List):
        settled(v)
        raise Wrong(f"a list is expected here, not {kind_text(kind_of(v))}")
    return v.items


def whole(v: Any, what: str = "a whole number is expected here") -> int:
    number(v, what)
    if isinstance(v, AffineInStep):
        raise NotAffine
    if isinstance(v, Varying):
        raise v.one_by_one()
    if v.denominator != 1:
        raise Wrong(f"{what}, not {v}")
    return int(v)


def exact(v: Any) -> Any:
    """What tells a value from all others: first indices count here, and 1 isn't true."""
    return (v.first, *map(exact, v.items)) if isinstance(v, List) else (isinstance(v, bool), v)


def bits(k: Any) -> int:
    return int(k.bit_length())


def small(v: Any) -> Any:
    """The number, if it isn't too long."""
    if isinstance(v, mpq):
        long = max(bits(v.numerator), bits(v.denominator))
        spend(1 + (long >> 8))
        if long > BITS:
            raise OverflowError
    return v


def plus(a: Any, b: Any) -> Any:
    if isinstance(a, List) and isinstance(b, List):
        if len(a) != len(b):
            raise Wrong(f"lists of {len(a)} and {len(b)} items can't be added")
        return List(plus(x, y) for x, y in zip(a.items, b.items, strict=True))
    if isinstance(a, List) != isinstance(b, List):
        settled(a, b)
        raise Wrong("a list and a number can't be added")
    return small(number(a) + number(b))


def times(a: Any, b: Any) -> Any:
    """Numbers; a number and a list; a matrix and a column."""
    if isinstance(a, List) and isinstance(b, List):
        if a.kind != ("list", ("list", "number")):
            raise Wrong("two columns are multiplied by dot(a, b)")
        return List([dot(row, b) for row in a.items])
    if isinstance(b, List):
        a, b = b, a
    number(b)
    return List(times(x, b) for x in a.items) if isinstance(a, List) else small(number(a) * b)


def dot(a: Any, b: Any) -> Any:
    if len(items(a)) != len(items(b)):
        raise Wrong(f"columns of {len(a)} and {len(b)} entries can't be multiplied")
    spend(len(a))
    total: Any = mpq(0)
    for x, y in zip(a.items, b.items, strict=True):
        total = total + number(x) * number(y)
    return small(total)


def power(base: Any, exponent: int) -> mpq:
    if isinstance(base, AffineInStep):
        raise NotAffine
    if base == 0 and exponent < 0:
        raise Wrong("0 to a negative power")
    if abs(base) in (0, 1):  # of any exponent, however long
        return mpq(1) if exponent == 0 or base == 1 or (base == -1 and exponent % 2 == 0) else base
    if abs(exponent) * max(bits(base.numerator), bits(base.denominator)) > 2 * BITS:
        raise OverflowError
    return mpq(base) ** exponent


def equal(a: Any, b: Any) -> bool:
    one_kind(kind_of(a), kind_of(b))
    spend(a.size >> 4 if isinstance(a, List) else 0)
    return bool(a == b)


def plain(v: Any) -> Any:
    """As certificates have it: a rational's text, a truth, a list."""
    if isinstance(v, List):
        return [plain(item) for item in v.items]
    return v if isinstance(v, bool) else str(v)


def value_text(value: Any) -> str:
    """What is plain, as messages have it."""
    if isinstance(value, list):
        return f"[{', '.join(map(value_text, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def case_text(case: list[Any], kind: str) -> str:
    """A case of inputs: a word of digits as `0110`, anything else as a list."""
    if kind == "words" and case and all(isinstance(item, str) and item in "0123456789" for item in case):
        return "".join(case)
    return value_text(case)

"""Values of many cases at once: numbers (numbers.py); truths, a bool or an array; lists, with items of some lanes only.

A list whose lanes disagree in length can be counted, indexed, compared and summed here. Where more is asked for, the
lanes are split into groups that agree (LanesDiffer), and each group is run by itself.
"""

from functools import cmp_to_key
from math import lcm
from typing import Any

import numpy as np
from gmpy2 import mpq

from verifier.evaluate import values as slow
from verifier.evaluate.budget import spend
from verifier.evaluate.quick.numbers import (
    AffineInStep,
    Arr,
    Lanes,
    NotAffine,
    UntilTurn,
    add,
    both,
    chosen,
    compare,
    floor_div,
    known,
    minus,
    mul,
    scaled,
    settled,
    short,
)
from verifier.evaluate.values import ENTRIES, Kind, List
from verifier.language.words import Refused, TooLarge

Value = Any
Truth = Any  # bool: of all lanes


class LanesDiffer(Exception):
    """The lanes must be run in groups, by this key."""

    def __init__(self, key: Lanes) -> None:
        self.key = key


class Seq:
    """A list; masks: which lanes have the item (True: all)."""

    __slots__ = ("_dense", "first", "items", "kind", "masks", "ragged", "size")

    def __init__(self, first: int, items: list[Value], masks: list[Truth] | None = None, dense: bool = False) -> None:
        spend(1 + (len(items) >> 2))
        self.first, self.items = first, items
        self.size = 1 + len(items)  # with all that is in it, however it is shared
        self.kind: tuple[str, Kind] = ("list", None)
        if Seq in (types := set(map(type, items))):
            for item in items:
                self.kind = one_kind(self.kind, ("list", deep_kind(item)))
                self.size += item.size if type(item) is Seq else 0
        else:
            for of in types:
                self.kind = one_kind(self.kind, ("list", _KINDS.get(of, "number")))
        if self.size > ENTRIES:
            raise TooLarge((0, 0), f"a list of more than {ENTRIES:,} entries")
        self.masks: list[Truth] = [True] * len(items) if masks is None else masks
        self.ragged = masks is not None and any(m is not True for m in masks)
        self._dense = dense or not self.ragged

    def dense(self) -> "Seq":
        """Moved up, so that item k is in the lanes that have k items."""
        if not self._dense:
            items: list[Value] = []
            masks: list[Truth] = []
            for value, mask in zip(self.items, self.masks, strict=True):
                rest = mask  # those lanes that have no place for it yet
                for k in range(len(items)):
                    free = conj(rest, flip(masks[k]))
                    if some(free):
                        items[k], masks[k], rest = (
                            where(free, value, items[k]),
                            disj(masks[k], free),
                            conj(rest, flip(free)),
                        )
                if some(rest):
                    items.append(value)
                    masks.append(rest)
            self.items, self.masks, self._dense = items, masks, True
            self.ragged = any(m is not True for m in masks)
        return self

    def lengths(self) -> Value:
        total: Value = 0
        for mask in self.masks:
            total = add(total, number_of(mask))
        return total

    def whole(self) -> list[Value]:
        """The items, where all lanes have as many."""
        if self.dense().ragged:
            raise LanesDiffer(self.lengths().v)
        return self.items


def pairs_of(c: Seq) -> list[tuple[Value, Truth]]:
    """The items, and the lanes that each is in."""
    return list(zip(c.items, c.masks, strict=True))


def _of_pairs(first: int, pairs: list[tuple[Value, Truth]], dense: bool = False) -> Seq:
    """The items that some lane has."""
    kept = [(v, m) for v, m in pairs if m is not False]
    return Seq(first, [v for v, _ in kept], [m for _, m in kept], dense)


def conj(a: Truth, b: Truth) -> Truth:
    if isinstance(a, bool):
        return b if a else False
    if isinstance(b, bool):
        return a if b else False
    return settled(a & b)


def flip(a: Truth) -> Truth:
    return not a if isinstance(a, bool) else ~a


def disj(a: Truth, b: Truth) -> Truth:
    return flip(conj(flip(a), flip(b)))


def some(a: Truth) -> bool:
    return a if isinstance(a, bool) else bool(a.any())


def number_of(a: Truth) -> Value:
    return int(a) if isinstance(a, bool) else Arr(a.astype(np.int64), 1, 0, 1)


def kind(x: Value) -> str:
    return _KINDS.get(type(x), "number")


_KINDS: dict[type, str] = {Seq: "list", bool: "truth", np.ndarray: "truth"}


def deep_kind(x: Value) -> Kind:
    """With the kind of a list's items; of lanes, one that holds all of them."""
    return x.kind if type(x) is Seq else kind(x)


def one_kind(a: Kind, b: Kind) -> Kind:
    """As in the slow reading."""
    try:
        return slow.one_kind(a, b)
    except slow.Wrong as error:
        raise Refused((0, 0), str(error)) from None


def need(what: str, *values: Value) -> None:
    for x in values:
        if kind(x) != what:
            raise Refused((0, 0), f"a {what} is expected here, and this is a {kind(x)}")


def whole(x: Value) -> int:
    """A known whole number."""
    if isinstance(x, AffineInStep):
        raise NotAffine
    if isinstance(x, Arr):
        raise LanesDiffer(x.v)
    need("number", x)
    if x.denominator != 1:
        raise Refused((0, 0), f"a whole number is expected here, not {x}")
    return int(x)


def take(x: Value, index: Lanes) -> Value:
    """These lanes of a value."""
    if isinstance(x, Arr):
        return x.of(index)
    if isinstance(x, np.ndarray):
        return settled(x[index])
    if isinstance(x, Seq):
        if not x.ragged:
            return Seq(x.first, [take(v, index) for v in x.items])
        return _of_pairs(x.first, [(take(v, index), take(m, index)) for v, m in pairs_of(x)], x._dense)
    if isinstance(x, AffineInStep):
        return AffineInStep(take(x.a, index), take(x.b, index), UntilTurn(len(index), x.moving, index))
    return x


def spread(x: Value, index: Lanes, n: int) -> Value:
    """The lanes of a value at these places of n; elsewhere anything."""
    if isinstance(x, Arr):
        v = np.full(n, x.v[0], dtype=x.v.dtype)
        v[index] = x.v
        return Arr(v, x.den, x.lo, x.hi)
    if isinstance(x, np.ndarray):
        truths = np.zeros(n, dtype=bool)
        truths[index] = x
        return truths
    if isinstance(x, Seq):
        items = [spread(v, index, n) for v in x.items]
        return Seq(x.first, items, [spread(m, index, n) for m in x.masks] if x.ragged else None, x._dense)
    if isinstance(x, AffineInStep):
        return AffineInStep(spread(x.a, index, n), spread(x.b, index, n), x.moving.up or x.moving)
    return x


def where(c: Truth, a: Value, b: Value) -> Value:
    """a where c, else b."""
    if isinstance(c, bool):
        return a if c else b
    if a is b:
        return a
    if kind(a) != kind(b):
        raise LanesDiffer(c)
    if isinstance(a, Seq):
        if a.first != b.first:
            raise LanesDiffer(c)
        if not (a.ragged or b.ragged) and len(a.items) == len(b.items):
            return Seq(a.first, [where(c, x, y) for x, y in zip(a.items, b.items, strict=True)])
        pairs = [(v, conj(c, m)) for v, m in pairs_of(a)] + [(v, conj(~c, m)) for v, m in pairs_of(b)]
        return _of_pairs(a.first, pairs)
    if kind(a) == "truth":
        return settled((c & a) | (~c & b))
    return chosen(c, a, b)


def equal(a: Value, b: Value) -> Truth:
    one_kind(deep_kind(a), deep_kind(b))
    if a is b:
        return True
    if isinstance(a, Seq):
        same: Truth = True
        spend(1 + len(a.items))
        if not (a.ragged or b.ragged):
            if len(a.items) != len(b.items):
                return False
        else:
            same = equal(a.lengths(), b.lengths())
            a, b = a.dense(), b.dense()
        for x, y, m in zip(a.items, b.items, a.masks, strict=False):
            same = conj(same, True if same is False else disj(equal(x, y), flip(m)))
        return same
    if kind(a) == "truth":
        return flip(settled(a ^ b))
    return compare("=", a, b)


def related(sign: str, a: Value, b: Value) -> Truth:
    if sign in ("=", "!="):
        same = equal(a, b)
        return same if sign == "=" else flip(same)
    need("number", a, b)
    return compare(sign, a, b)


def plus(a: Value, b: Value) -> Value:
    if type(a) is int and type(b) is int:  # most are
        return short(a + b)
    if isinstance(a, Seq) and isinstance(b, Seq):
        x, y = a.whole(), b.whole()
        if len(x) != len(y):
            raise Refused((0, 0), f"lists of {len(x)} and of {len(y)} items are added")
        return Seq(1, list(map(plus, x, y)))
    need("number", a, b)
    return add(a, b)


def difference(a: Value, b: Value) -> Value:
    if type(a) is int and type(b) is int:
        return short(a - b)
    if isinstance(a, Seq) or isinstance(b, Seq):
        return plus(a, times(-1, b))
    need("number", a, b)
    return minus(a, b)


def times(a: Value, b: Value) -> Value:
    """Numbers; a number and a list; a list of rows and a column."""
    if type(a) is int and type(b) is int:
        return short(a * b)
    if isinstance(a, Seq) and isinstance(b, Seq):
        if a.kind != ("list", ("list", "number")):
            raise Refused((0, 0), "two columns are multiplied by dot(a, b)")
        return Seq(1, [dot(row, b) for row in a.whole()])
    if isinstance(b, Seq):
        a, b = b, a
    need("number", b)
    if isinstance(a, Seq):
        return Seq(1, [times(x, b) for x in a.whole()])
    need("number", a)
    return mul(a, b)


def dot(a: Value, b: Value) -> Value:
    need("list", a, b)
    x, y = a.whole(), b.whole()
    if len(x) != len(y):
        raise Refused((0, 0), f"dot of {len(x)} and {len(y)} entries")
    need("number", *x, *y)
    total: Value = 0
    for p, q in zip(x, y, strict=True):
        total = add(total, mul(p, q))
    return total


def item(c: Value, i: Value) -> Value:
    """c[i]"""
    if type(i) is int and type(c) is Seq and not c.ragged and 0 <= i - c.first < len(c.items):
        return c.items[i - c.first]
    need("list", c)
    if isinstance(i, AffineInStep):
        raise NotAffine
    if known(i) and not isinstance(i, bool):
        k = whole(i) - c.first
        c = c.dense()
        if not 0 <= k < len(c.items) or c.masks[k] is not True:
            raise Refused((0, 0), f"index {i}: the list runs from {c.first} to {c.first + len(c.items) - 1}")
        return c.items[k]
    need("number", i)
    items, (place, rest) = c.whole(), floor_div(minus(i, c.first), 1)
    if rest.v.any():
        raise Refused((0, 0), "an index is a whole number")
    place.tighten()
    low, high, place = place.lo, place.hi, place.v
    if low < 0 or high >= len(items):
        raise Refused(
            (0, 0), f"an index lies outside the list, which runs from {c.first} to {c.first + len(items) - 1}"
        )
    if all(map(known, items)) and not any(isinstance(x, bool) for x in items):
        return table(items).of(place)
    value = items[high]
    for k in range(low, high):
        value = where(settled(place == k), items[k], value)
    return value


def table(numbers: list[Any]) -> Arr:
    """Known numbers as lanes."""
    den = lcm(*(x.denominator for x in numbers))
    whole_numbers = [int(x * den) for x in numbers]
    arr = Arr(np.array(whole_numbers, dtype=object), den, 0, 0)
    arr.tighten()
    return arr


def extreme(c: Seq, sign: str) -> Value:
    """The largest (>) or smallest (<) of a list's numbers."""
    best, have = extreme_if_any(c, sign)
    if have is not True:
        raise Refused((0, 0), "max and min are of at least one number")
    return best


def extreme_if_any(c: Seq, sign: str) -> tuple[Value, Truth]:
    """And the lanes that have a number."""
    best: Value = 0
    have: Truth = False
    for value, mask in pairs_of(c):
        need("number", value)
        if have is False:
            best = value
        elif have is True and mask is True and isinstance(value, Arr) and isinstance(best, Arr):
            best = _larger(best, value, sign)
        else:
            best = where(conj(mask, disj(flip(have), compare(sign, value, best))), value, best)
        have = disj(have, mask)
    return best, have


def _larger(a: Arr, b: Arr, sign: str) -> Arr:
    a, b = both(a, b)
    if a.pair or b.pair:
        return where(compare(sign, a, b), a, b)  # type: ignore[no-any-return]
    if sign == ">":
        return Arr(np.maximum(a.v, b.v), a.den, max(a.lo, b.lo), max(a.hi, b.hi))
    return Arr(np.minimum(a.v, b.v), a.den, min(a.lo, b.lo), min(a.hi, b.hi))


def ordered(c: Seq) -> Seq:
    """The items sorted: numbers, or lists of them by their first difference."""
    if "truth" in str(c.kind):
        raise Refused((0, 0), "sorted is of numbers, or of lists of them, not of truths")
    items = c.whole()
    if any(isinstance(x, AffineInStep) for x in items):
        raise NotAffine
    if not items or not any(map(varies, items)):
        return Seq(1, sorted(items, key=cmp_to_key(_before)))
    if all(kind(x) == "number" for x in items):
        n = next(x.size for x in items if isinstance(x, Arr))
        den = lcm(*(x.den if isinstance(x, Arr) else x.denominator for x in items))
        arrays = [scaled(x, den // x.den) if isinstance(x, Arr) else table([x] * n) for x in items]
        arrays = [scaled(x, den // x.den) for x in arrays]
        rows = np.sort(np.stack([x.v for x in arrays]), axis=0)
        lo, hi = min(x.lo for x in arrays), max(x.hi for x in arrays)
        return Seq(1, [Arr(row, den, lo, hi) for row in rows])
    items = list(items)
    for end in range(len(items) - 1, 0, -1):
        for k in range(end):
            turned = less(items[k + 1], items[k])
            items[k], items[k + 1] = where(turned, items[k + 1], items[k]), where(turned, items[k], items[k + 1])
    return Seq(1, items)


def less(a: Value, b: Value) -> Truth:
    """By the first difference."""
    if kind(a) == "number":
        return compare("<", a, b)
    truth: Truth = False
    same: Truth = True
    x, y = a.whole(), b.whole()
    for p, q in zip(x, y, strict=False):
        truth = disj(truth, conj(same, less(p, q)))
        same = conj(same, equal(p, q))
    return disj(truth, same) if len(x) < len(y) else truth


def _before(a: Value, b: Value) -> int:
    return -1 if less(a, b) else int(bool(less(b, a)))


def varies(x: Value) -> bool:
    """Whether it has lanes."""
    if isinstance(x, Seq):
        return x.ragged or any(map(varies, x.items))
    return not known(x)


def shown(x: Value, lane: int) -> Any:
    """A lane's value as the slow reading has it."""
    if isinstance(x, Arr):
        return mpq(int(x.v[lane]), x.den)
    if isinstance(x, np.ndarray):
        return bool(x[lane])
    if isinstance(x, Seq):
        return List([shown(v, lane) for v, m in pairs_of(x) if shown(m, lane)], x.first)
    return x if isinstance(x, bool) else mpq(x.numerator, x.denominator)

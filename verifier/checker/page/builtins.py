"""The functions of the language, LANGUAGE 2: one row for each. The grammar's words, the rules about arguments, forms
and values all read this table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, factorial

from . import enclosures
from .numbers import EXACT, ratio
from .values import List, Value, dot, exact, listed, number, of_numbers, plus, times, truth, whole
from .words import MOST_BITS, Place, Refused

MOST_ARGUMENT, MOST_DIGITS = 10_000, MOST_BITS // 2


@dataclass(frozen=True)
class Builtin:
    """compute takes the place, then the arguments; of a function of a list (`arguments` is None) the list's items.
    known: which arguments must be. counts: a truth, or a number of items, which of real numbers is constant on cells.
    form: what degrees do, those of the largest argument, of a product, or of a table."""

    compute: Callable[..., Value]
    arguments: int | None = None
    known: tuple[int, ...] = ()
    counts: bool = False
    real: bool = True  # may its arguments depend on a real number of `for all`
    form: str = "table"
    cost: Callable[..., int] | None = None  # in steps, where it isn't foreseen by how much is written


# Of lists
def summed(place: Place, items: Sequence[Value]) -> Value:
    total = times(1, items[0], place) if items else 0
    for item in items[1:]:
        total = plus(total, item, place)
    return total


def largest(place: Place, items: Sequence[Value]) -> Value:
    numbers = [number(item, place) for item in items]
    if not numbers:
        raise Refused(place, "max of nothing: guard it, or give it at least one number")
    return max(numbers)


def least(place: Place, items: Sequence[Value]) -> Value:
    numbers = [number(item, place) for item in items]
    if not numbers:
        raise Refused(place, "min of nothing: guard it, or give it at least one number")
    return min(numbers)


def counted(place: Place, items: Sequence[Value]) -> Value:
    return sum([truth(item, place) for item in items])


def every(place: Place, items: Sequence[Value]) -> Value:
    return False not in [truth(item, place) for item in items]


def some(place: Place, items: Sequence[Value]) -> Value:
    return True in [truth(item, place) for item in items]


def length(place: Place, items: Sequence[Value]) -> Value:
    return len(List(items, 1, place).items)


def different(place: Place, items: Sequence[Value]) -> Value:
    return len(set(List(items, 1, place).items))


def in_order(place: Place, items: Sequence[Value]) -> Value:
    made = List(items, 1, place)
    kind = made.kind[1]
    while isinstance(kind, tuple):
        kind = kind[1]
    if kind == "truth":
        raise Refused(place, "sorted is of numbers, or of lists of them, not of truths")
    return List(sorted(made.items), 1, place)


# Of values
def absolute(place: Place, a: Value) -> Value:
    return abs(number(a, place))  # type: ignore[return-value]


def column(place: Place, a: Value) -> Value:
    return List([List([number(item, place)]) for item in listed(a, place).items])


def inner_product(place: Place, a: Value, b: Value) -> Value:
    return dot(a, b, place)


def natural(place: Place, a: Value, name: str) -> int:
    k = whole(a, place, f"what {name} is of")
    if not 0 <= k <= MOST_ARGUMENT:
        raise Refused(place, f"{name} is of whole numbers from 0 to {MOST_ARGUMENT:,}, not of {k}")
    return k


def choices(place: Place, a: Value, b: Value) -> Value:
    return comb(natural(place, a, "comb"), natural(place, b, "comb"))


def product_to(place: Place, a: Value) -> Value:
    return times(factorial(natural(place, a, "fact")), 1, place)


def unit(place: Place, a: Value, b: Value) -> Value:
    k, d = (natural(place, v, "unit") for v in (a, b))
    if not 1 <= k <= d:
        raise Refused(place, f"unit({k}, {d}): the place of the 1 is from 1 to {d}")
    return List([int(i == k) for i in range(1, d + 1)])


# Rounded down to a multiple of 2^-k
def digits(place: Place, v: Value, name: str) -> int:
    k = whole(v, place, f"what {name} is of")
    if not 0 <= k <= MOST_DIGITS:
        raise Refused(place, f"{name} is rounded to a multiple of 2^-k, k from 0 to {MOST_DIGITS:,}, not {k}")
    return k


def fraction(v: Value, place: Place) -> Fraction:
    x = exact(v, place)
    return Fraction(x.numerator, x.denominator)


def below(name: str) -> Callable[..., Value]:
    of_one = {
        "exp_below": enclosures.exp_below,
        "log_below": enclosures.log_below,
        "sqrt_below": enclosures.sqrt_below,
    }[name]

    def compute(place: Place, x: Value, k: Value) -> Value:
        found = of_one(place, fraction(x, place), digits(place, k, name))
        return ratio(found.numerator, found.denominator)

    return compute


def softmax_below(place: Place, values: Value, scores: Value, k: Value) -> Value:
    of = [[fraction(v, place) for v in of_numbers(one, place)] for one in (values, scores)]
    found = enclosures.softmax_below(place, of[0], of[1], digits(place, k, "softmax_below"))
    return ratio(found.numerator, found.denominator)


def series(place: Place, x: Value, k: Value) -> int:
    return enclosures.cost(fraction(x, place), int(k)) if type(k) is int and type(x) in EXACT else 1


def root(place: Place, x: Value, k: Value) -> int:
    return enclosures.cost_of_root(fraction(x, place), int(k)) if type(k) is int and type(x) in EXACT else 1


def weights(place: Place, values: Value, scores: Value, k: Value) -> int:  # noqa: ARG001
    if type(scores) is not List or type(k) is not int:
        return 1
    of = [fraction(s, place) for s in scores.items if type(s) in EXACT]
    return sum([enclosures.cost(max(of) - s, k) for s in of])


BUILTINS = {
    "sum": Builtin(summed, form="largest"),
    "max": Builtin(largest),
    "min": Builtin(least),
    "count": Builtin(counted, counts=True),
    "all": Builtin(every, counts=True),
    "any": Builtin(some, counts=True),
    "len": Builtin(length, counts=True),
    "sorted": Builtin(in_order),
    "distinct": Builtin(different, real=False),
    "abs": Builtin(absolute, 1),
    "comb": Builtin(choices, 2, known=(0, 1)),
    "fact": Builtin(product_to, 1, known=(0,)),
    "unit": Builtin(unit, 2, known=(0, 1)),
    "column": Builtin(column, 1, form="largest"),
    "dot": Builtin(inner_product, 2, form="product"),
    "exp_below": Builtin(below("exp_below"), 2, known=(1,), real=False, cost=series),
    "log_below": Builtin(below("log_below"), 2, known=(1,), real=False, cost=series),
    "sqrt_below": Builtin(below("sqrt_below"), 2, known=(1,), real=False, cost=root),
    "softmax_below": Builtin(softmax_below, 3, known=(2,), real=False, cost=weights),
}
OF_NETWORKS = {"head": 5, "states": 1, "layers": 1, "heads": 1}  # which are no functions of values
BUILT_IN = frozenset(BUILTINS) | frozenset(OF_NETWORKS) | {"weight"}

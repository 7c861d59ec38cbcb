"""What each function of the language computes, of exact values (LANGUAGE.md 2); verifier/language/builtins.py says how
it is used. A function here has its name on pages, with a _ where Python has one of that name."""

from collections.abc import Callable, Sequence
from math import comb as choose
from math import factorial
from typing import Any

from gmpy2 import mpq

from verifier.evaluate import enclosures
from verifier.evaluate.budget import spend
from verifier.evaluate.values import (
    BITS,
    AffineInStep,
    List,
    NotAffine,
    Wrong,
    bits,
    dot,
    items,
    kind_of,
    kind_text,
    number,
    plus,
    small,
    times,
    truth,
    whole,
)
from verifier.language.builtins import BUILTINS, MOST

Function = Callable[..., Any]
COMPUTE: dict[str, Function] = {"dot": dot}


def builtin(function: Function) -> Function:
    COMPUTE[function.__name__.removesuffix("_")] = function
    return function


def computed(name: str, values: Sequence[Any]) -> Any:
    """A function of its arguments; one that folds, of a list's items. What must be known comes as whole numbers."""
    row = BUILTINS[name]
    if row.folds:
        return COMPUTE[name](values)
    return COMPUTE[name](*(limited(name, v) if row.is_known(k) else v for k, v in enumerate(values)))


def limited(name: str, v: Any) -> int:
    k = whole(v)
    if not 0 <= k <= MOST:
        raise Wrong(f"{BUILTINS[name].told} is from 0 to {MOST:,}, not {k}")
    return k


# of the items of a list


@builtin
def len_(listed: Sequence[Any]) -> Any:
    return mpq(len(listed))


@builtin
def distinct(listed: Sequence[Any]) -> Any:
    return mpq(len(set(listed)))


@builtin
def count(listed: Sequence[Any]) -> Any:
    return mpq(sum(_truths(listed)))


@builtin
def all_(listed: Sequence[Any]) -> bool:
    return all(_truths(listed))


@builtin
def any_(listed: Sequence[Any]) -> bool:
    return any(_truths(listed))


def _truths(listed: Sequence[Any]) -> list[bool]:
    return [truth(item) for item in listed]


@builtin
def sum_(listed: Sequence[Any]) -> Any:
    total = listed[0] if listed else mpq(0)
    for item in listed[1:]:
        total = plus(total, item)
    return times(mpq(1), total)  # of one list, too, a list that begins at 1


@builtin
def sorted_(listed: Sequence[Any]) -> List:
    for item in listed:
        if "truth" in str(kind_of(item)):
            raise Wrong(f"sorted is of numbers, or of lists of them, not of {kind_text(kind_of(item))}")
    return List(sorted(listed))


@builtin
def max_(listed: Sequence[Any]) -> Any:
    return max(_some("max", listed))


@builtin
def min_(listed: Sequence[Any]) -> Any:
    return min(_some("min", listed))


def _some(name: str, listed: Sequence[Any]) -> list[Any]:
    if not listed:
        raise Wrong(f"{name} of nothing")
    return [number(item) for item in listed]


# of values


@builtin
def abs_(a: Any) -> Any:
    return abs(number(a))


@builtin
def comb(a: int, b: int) -> Any:
    return small(mpq(choose(a, b)))


@builtin
def fact(a: int) -> Any:
    return small(mpq(factorial(a)))


@builtin
def unit(k: int, d: int) -> List:
    if not 1 <= k <= d:
        raise Wrong(f"unit({k}, {d}): the place is from 1 to {d}")
    return List([mpq(int(i == k)) for i in range(1, d + 1)])


@builtin
def column(listed: Any) -> List:
    return List([List([number(entry)]) for entry in items(listed)])


# rounded down to a multiple of 2^-k


@builtin
def exp_below(x: Any, k: int) -> Any:
    return small(enclosures.exp_below(_rounded(k, [x])[0], k))


@builtin
def log_below(x: Any, k: int) -> Any:
    return small(enclosures.log_below(_rounded(k, [x])[0], k))


@builtin
def sqrt_below(x: Any, k: int) -> Any:
    return small(enclosures.sqrt_below(_rounded(k, [x])[0], k))


@builtin
def softmax_below(values: Any, scores: Any, k: int) -> Any:
    return small(enclosures.softmax_below(_still(items(values)), _rounded(k, items(scores)), k))


def _still(given: Sequence[Any]) -> list[Any]:
    if any(isinstance(number(v), AffineInStep) for v in given):
        raise NotAffine
    return list(given)


def _rounded(k: int, given: Sequence[Any]) -> list[Any]:
    """Numbers that are rounded, or of which something is; it takes the steps of the digits and terms of a series."""
    each = [v for v in _still(given) if isinstance(v, mpq)]
    long = max((max(bits(v.numerator), bits(v.denominator)) for v in each), default=0)
    far = max((min(abs(int(v.numerator) // int(v.denominator)), 2 * BITS) for v in each), default=0)
    spend((k + 100 + far) * (1 + long // 64) * len(each) // 4)
    return list(given)

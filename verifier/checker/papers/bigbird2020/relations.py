"""format/bigbird2020.md, 6: the relations of every claim, made from the ids alone.

A relation is (name, op, bound_name, value, bound); values are in units of delta, but for a Count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise, product
from typing import Any

from ...core.frame import Relation
from .numbers import Count, Numbers
from .walk import Part, Reading, Supposed, Walk, parts, repaired

Made = tuple[str, str, str, Any, Any]


def holds(made: Made) -> bool:
    name, op, bound_name, value, bound = made
    return Relation(name, value, op, bound_name, bound).holds


class Context:
    """One context: its place, and everything that the claims look at, made when first asked for."""

    def __init__(self, x: Numbers, places: tuple[int, ...]) -> None:
        self.x, self.places, self.l = x, places, x.context(places)

    def id(self, i: int) -> int:
        """l_i."""
        return self.l[i - 1]

    @cached_property
    def printed(self) -> Walk:
        return Walk(self.x, self.l, parts(self.x))

    @cached_property
    def repaired(self) -> Walk:
        return Walk(self.x, self.l, repaired(self.x))

    @cached_property
    def supposed(self) -> Supposed:
        return Supposed(self.x, self.l)


# Lemma 2: two hardmax heads, written out. In units of delta / 2 the half-width of a window is 1.


def _head(ids: tuple[int, ...], token: int, twice_b: int, on_keys: bool) -> Fraction:
    own, heard = ids[token], ids[1:] if token == 0 else (ids[token], ids[0])
    scores = [own * (2 * x - twice_b) if on_keys else x * (2 * own - twice_b) for x in heard]
    top = max(scores)
    best = [x for x, score in zip(heard, scores, strict=True) if score == top]
    return Fraction(sum(best), len(best))


def _lemma2(case: Context, on_keys: bool = False, on_edges: bool = False) -> Iterator[Made]:
    ids = (case.x.power(case.x.n), *case.l)
    wide = [max(case.l) - min(case.l), *(abs(ids[0] - x) for x in ids[1:])]
    for id_ in ids:
        for twice_v in (2 * id_ + 1, 2 * id_ - 1) if on_edges else (2 * id_ - 2, 2 * id_, 2 * id_ + 2):
            low, high = twice_v - 1, twice_v + 1
            value = [_head(ids, t, low, on_keys) - _head(ids, t, high, on_keys) for t in range(len(ids))]
            psi = [w if low <= 2 * x <= high else 0 for w, x in zip(wide, ids, strict=True)]
            yield "difference of the heads", "=", "psi_u", value, psi


# The steps of the proof.


def _chain(named: list[tuple[str, int]]) -> Iterator[Made]:
    for (left, a), (right, b) in pairwise(named):
        yield left, "<", right, a, b


def _order_of_ids(case: Context) -> Iterator[Made]:
    names = [*((f"l_{t}", case.id(t)) for t in range(1, case.x.n + 1)), ("l_0", case.x.power(case.x.n))]
    return _chain(names)


def _ids(case: Context) -> Iterator[Made]:
    for t, l in enumerate(case.l, start=1):
        yield f"l_{t}", ">=", "delta^-(i-1)d", l, case.x.power(t - 1)
        yield f"l_{t}", "<=", "delta^-id - delta", l, case.x.power(t) - 1
    yield from _order_of_ids(case)


def _repaired_ids(case: Context) -> Iterator[Made]:
    x = case.x
    for t, l in enumerate(case.l, start=1):
        yield f"l_{t}", ">=", "the least id of token i", l, x.base(t)
        yield f"l_{t}", "<=", "the largest id of token i", l, x.base(t) + x.B - 1
        yield f"l_{t}", "<=", "delta^-id - delta", l, x.power(t) - 1
    yield from _order_of_ids(case)


def _low(walk: Walk) -> Iterator[Made]:
    for k in range(1, walk.x.n + 1):
        expected = [Count(token == k) for token in range(walk.x.n + 1)]
        name = f"layers of low shift {k} that change token 0, ..., n"
        yield name, "=", "token k, once", [Count(c) for c in walk.low(k).changed], expected
        value = walk.x.B * (walk.f_0(k - 1) - walk.l[k]) + walk.l[k]
        yield f"f_{k}", "=", "delta^-d (f~_0^(k-1) - l_k) + l_k", walk.f(k), value


def _high(walk: Walk) -> Iterator[Made]:
    x = walk.x
    for k in range(1, x.n + 1):
        name = f"layers of high shift {k} that change token 0, ..., n"
        expected = [Count(token == 0) for token in range(x.n + 1)]
        yield name, "=", "token 0, once", [Count(c) for c in walk.high(k).changed], expected
        following = walk.l[k + 1] if k < x.n else min(walk.high(k).before)
        value = walk.f_0(k - 1) + x.B**x.n * (walk.f(k) - following)
        yield f"f~_0^{k}", "=", "delta^-nd (f_k - l_(k+1)) + f~_0^(k-1)", walk.f_0(k), value


def _last(walk: Walk) -> Iterator[Made]:
    once = [Count(token > 0) for token in range(walk.x.n + 1)]
    changed = [Count(c) for c in walk.done[-1].changed]
    yield "last layers that change token 0, ..., n", "=", "every token but 0, once", changed, once
    for t in range(1, walk.x.n + 1):
        power = walk.x.B ** (walk.x.n * walk.x.n)
        value = power * walk.f_0(walk.x.n) - (power - 1) * walk.f(t)
        yield f"q_{t}", "=", "f_i + delta^-(n^2 d) (f~_0^n - f_i)", walk.q[t - 1], value


def _within_last(values: Supposed) -> Iterator[Made]:
    for k in range(1, values.x.n + 1):
        yield f"f_{k}", ">=", "S_1", values.f(k), values.x.S(1)
        yield f"f_{k}", "<", "T_n", values.f(k), values.x.T(values.x.n)


def _repeated(x: Numbers, k: int, l: tuple[int, ...]) -> int:
    """The printed step, k times from delta^-nd."""
    value = x.power(x.n)
    for t in range(1, k + 1):
        value = x.P * value - (x.B ** (x.n + 1) + x.B**x.n) * l[t] - l[t + 1]
    return value


def _printed_sum(x: Numbers, k: int, l: tuple[int, ...]) -> int:
    A, C = x.B ** (x.n + 1), x.B**x.n
    inner = sum(x.P ** (k - t) * (2 * A + C + 1) * l[t] for t in range(2, k + 1))
    return int(x.P**k * x.power(x.n) - inner - x.P ** (k - 1) * (A + C) * l[1] - l[k + 1])


def _expansion(case: Context) -> Iterator[Made]:
    x, l, said = case.x, case.supposed.l, "P f~_0^(k-1) - (delta^-nd-d + delta^-nd) l_k - l_(k+1)"
    for k in range(1, x.n):
        value = case.supposed.f_0(k)
        step = x.P * case.supposed.f_0(k - 1) - (x.B ** (x.n + 1) + x.B**x.n) * l[k] - l[k + 1]
        yield f"f~_0^{k}", "=", said, value, step
        yield f"f~_0^{k}", "=", "that, rolled out", value, _printed_sum(x, k, l)


def _right_expansion(case: Context) -> Iterator[Made]:
    x, l, said = case.x, case.l, "P f~_0^(k-1) - delta^-nd ((delta^-d - 1) l_k + l_(k+1))"
    for k in range(1, x.n):
        value = case.supposed.f_0(k)
        step = x.P * case.supposed.f_0(k - 1) - x.B**x.n * ((x.B - 1) * l[k - 1] + l[k])
        yield f"f~_0^{k}", "=", said, value, step
        yield f"f~_0^{k}", "=", "that, rolled out", value, x.rolled_out(k, case.id)


def _expansion_sum(case: Context) -> Iterator[Made]:
    for k in range(1, case.x.n):
        l = case.supposed.l
        yield f"step {k} repeated", "=", "the printed sum", _repeated(case.x, k, l), _printed_sum(case.x, k, l)


def _invariant1(values: Walk | Supposed) -> Iterator[Made]:
    for k in range(values.x.n + 1):
        yield f"f~_0^{k}", ">", f"S_{k}", values.f_0(k), values.x.S(k)
        yield f"f~_0^{k}", "<", f"T_{k}", values.f_0(k), values.x.T(k)


def _interchanged(values: Supposed) -> Iterator[Made]:
    for k in range(1, values.x.n):
        yield f"f~_0^{k}", ">", f"T_{k}", values.f_0(k), values.x.T(k)
        yield f"f~_0^{k}", "<", f"S_{k}", values.f_0(k), values.x.S(k)


def _invariant2(values: Walk | Supposed) -> Iterator[Made]:
    for k in range(1, values.x.n + 1):
        yield f"f_{k}", ">=", f"T_{k - 1}", values.f(k), values.x.T(k - 1)
        yield f"f_{k}", "<", f"S_{k}", values.f(k), values.x.S(k)


def _repaired_invariants(walk: Walk) -> Iterator[Made]:
    x = walk.x
    for k in range(x.n):
        yield f"f~_0^{k}", ">=", f"S'_{k}", walk.f_0(k), x.low_end(k)
        yield f"f~_0^{k}", "<=", f"T'_{k}", walk.f_0(k), x.high_end(k)
    for k in range(1, x.n + 1):
        yield f"f_{k}", ">", f"T'_{k - 1}", walk.f(k), x.high_end(k - 1)
        if k < x.n:
            yield f"f_{k}", "<", f"S'_{k}", walk.f(k), x.low_end(k)
    yield f"f~_0^{x.n}", ">", "the last level", walk.f_0(x.n), x.B * x.high_end(x.n - 1) - (x.B - 1) * x.base(x.n)


def _order(walk: Walk) -> Iterator[Made]:
    for k in range(1, walk.x.n + 1):
        after = walk.high(k).after
        tokens = [*range(k + 1, walk.x.n + 1), *range(1, k + 1), 0]
        yield from _chain([(f"id of token {t} after phase {k}", after[t]) for t in tokens])


def _supposed_order(values: Supposed) -> Iterator[Made]:
    n = values.x.n
    for k in range(1, n + 1):
        named = [(f"l_{t}", values.l[t]) for t in range(k + 1, n + 1)] + [
            (f"f_{t}", values.f(t)) for t in range(1, k + 1)
        ]
        yield from _chain([*named, (f"f~_0^{k}", values.f_0(k))])


def _distinct(walk: Walk) -> Iterator[Made]:
    for smaller, larger in pairwise(sorted(walk.q)):
        yield "an entry of q(P)", ">", "the next smaller one", larger, smaller


OF_CONTEXTS: dict[str, Callable[[Context], Iterator[Made]]] = {
    "bigbird.lemma2": _lemma2,
    "bigbird.lemma2-keys": lambda case: _lemma2(case, on_keys=True),
    "bigbird.lemma2-edges": lambda case: _lemma2(case, on_edges=True),
    "bigbird.ids": _ids,
    "bigbird.low": lambda case: _low(case.printed),
    "bigbird.high": lambda case: _high(case.printed),
    "bigbird.expansion": _expansion,
    "bigbird.expansion-sum": _expansion_sum,
    "bigbird.invariant1": lambda case: _invariant1(case.printed),
    "bigbird.invariant2": lambda case: _invariant2(case.printed),
    "bigbird.invariant3": lambda case: _order(case.printed),
    "bigbird.last": lambda case: _last(case.printed),
    "bigbird.contextual": lambda case: _distinct(case.printed),
    "recursion.last": lambda case: _within_last(case.supposed),
    "recursion.invariant1": lambda case: _invariant1(case.supposed),
    "recursion.invariant2": lambda case: _invariant2(case.supposed),
    "recursion.interchanged": lambda case: _interchanged(case.supposed),
    "recursion.invariant3": lambda case: _supposed_order(case.supposed),
    "repair.ids": _repaired_ids,
    "repair.low": lambda case: _low(case.repaired),
    "repair.high": lambda case: _high(case.repaired),
    "repair.expansion": _right_expansion,
    "repair.invariants": lambda case: _repaired_invariants(case.repaired),
    "repair.order": lambda case: _order(case.repaired),
    "repair.last": lambda case: _last(case.repaired),
    "repair.contextual": lambda case: _distinct(case.repaired),
}

# The values that claims about pairs compare: entries of different contexts.
OF_PAIRS: dict[str, tuple[str, Callable[[Context], tuple[int, ...]]]] = {
    "bigbird.global": ("f~_0^n", lambda case: (case.printed.f_0(case.x.n),)),
    "bigbird.contextual": ("an entry of q", lambda case: case.printed.q),
    "recursion.global": ("f~_0^n", lambda case: (case.supposed.f_0(case.x.n),)),
    "repair.global": ("f~_0^n", lambda case: (case.repaired.f_0(case.x.n),)),
    "repair.contextual": ("an entry of q", lambda case: case.repaired.q),
}


def pairs(claim: str, values: list[tuple[int, int]]) -> Iterator[tuple[Made, tuple[int, int]]]:
    """Neighbours in size among values (each with its context's rank), if they are of two contexts: and of which."""
    what = OF_PAIRS[claim][0]
    for (smaller, a), (larger, b) in pairwise(sorted(values)):
        if a != b:
            yield (f"{what} of one context", ">", f"{what} of another", larger, smaller), (min(a, b), max(a, b))


# Claims about the construction itself.


def _start(x: Numbers) -> Iterator[Made]:
    value = x.N * x.B**x.n  # x_0 = (0, ..., 0, 1), so that u^T x_0 is the last entry of u
    yield "u^T x_0", "=", "delta^-nd", value, x.power(x.n)
    yield "u^T x_0", "=", "delta^-(n+1)d", value, x.power(x.n + 1)


def _bounds(x: Numbers) -> Iterator[Made]:
    for k in range(x.n + 1):
        yield f"S_{k}", "<", f"T_{k}", x.S(k), x.T(k)


def _closed_grid(x: Numbers) -> Iterator[Made]:
    ids = x.tokens(closed=True)
    yield (
        "ids of the columns of [0, 1]_delta^d",
        "=",
        "columns of [0, 1]_delta^d",
        Count(len(set(ids))),
        Count(len(ids)),
    )


def _levels(made: list[Part]) -> tuple[int, int, int]:
    """How many levels the low shifts have, the high ones, and the last layers."""
    *shifts, last = made
    return sum(part.levels for part in shifts[::2]), sum(part.levels for part in shifts[1::2]), last.levels


def _layers(x: Numbers) -> Iterator[Made]:
    low, high, last = _levels(parts(x))
    yield "layers of low shifts", "=", "(delta^-nd - 1) / delta", Count(low), Count(x.N * x.B**x.n - x.N)
    yield "layers of high shifts", "=", "1", Count(high), Count(1)
    yield "last layers", "=", "(T_n - S_1) / delta, or 0", Count(last), Count(max(0, x.T(x.n) - x.S(1)))
    yield "heads of a layer", "=", "2", Count(2), Count(2)


def _repaired_layers(x: Numbers) -> Iterator[Made]:
    low, high, last = _levels(repaired(x))
    steps = sum(x.P**k - 1 for k in range(x.n))
    largest = x.B * x.high_end(x.n - 1) - (x.B - 1) * x.base(x.n)
    least = x.power(x.n + 1) - (x.B - 1) ** 2
    yield "layers of low shifts", "=", "delta^-nd / delta", Count(low), Count(x.power(x.n))
    yield (
        "layers of high shifts",
        "=",
        "n + (B - 1)((P^n - 1)/(P - 1) - n)",
        Count(high),
        Count(x.n + (x.B - 1) * steps),
    )
    yield "last layers", "=", "(max f_n - min f_1) / delta + 1", Count(last), Count(largest - least + 1)


OF_CONSTRUCTION: dict[str, Callable[[Numbers], Iterator[Made]]] = {
    "bigbird.start": _start,
    "bigbird.bounds": _bounds,
    "bigbird.closed-grid": _closed_grid,
    "bigbird.layers": _layers,
    "repair.layers": _repaired_layers,
}


# Claims about the 32 readings.


def _walks(x: Numbers, reading: Reading) -> Iterator[Walk]:
    layers, ids = parts(x, reading), x.tokens(bool(reading.grid))
    for l in product(*([id_ + x.base(i) for id_ in ids] for i in range(1, x.n + 1))):
        yield Walk(x, l, layers, reading.start)


_IN_READINGS: dict[str, Callable[[Walk], Iterator[Made]]] = {
    "readings.low": _low,
    "readings.high": _high,
    "readings.invariant1": _invariant1,
    "readings.invariant2": _invariant2,
    "readings.invariant3": _order,
}
OF_READINGS = (*_IN_READINGS, "readings.contextual")


@lru_cache(maxsize=32)
def _counts(x: Numbers, reading: Reading) -> dict[str, int]:
    """Each context is run once: at how many a step fails, and how many have an entry of q that an earlier one has."""
    counts, seen = dict.fromkeys(OF_READINGS, 0), set[int]()
    for walk in _walks(x, reading):
        for claim, step in _IN_READINGS.items():
            counts[claim] += not all(map(holds, step(walk)))
        counts["readings.contextual"] += not seen.isdisjoint(walk.q)
        seen.update(walk.q)
    return counts


def in_reading(claim: str, x: Numbers, reading: Reading) -> Iterator[Made]:
    """One relation: at how many contexts it fails in this reading."""
    what = "at which it fails" if claim in _IN_READINGS else "that have an entry of q in common with an earlier one"
    yield f"contexts {what}", ">", "0", Count(_counts(x, reading)[claim]), Count(0)


def vacant(claim: str, x: Numbers) -> str:
    """Why a claim isn't checked here, if so."""
    return "delta^-d = 2 and n is odd" if claim == "repair.global" and x.B == 2 and x.n % 2 else ""

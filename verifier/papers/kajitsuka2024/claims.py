"""Lemma 1, and what follows for one layer. The numbers that relations compare are rounded to the safe side."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from gmpy2 import mpq

from verifier.core.claim import Claim, Collected, Domain, Relation, Relations, itself, neighbours
from verifier.core.exact import Q
from verifier.core.layers import Attention
from verifier.papers.kajitsuka2024.construction import OneLayer, TokenSet
from verifier.papers.kajitsuka2024.enclosure import log, rounded_down

SETS = Domain("every set of n different tokens")
CONSTRUCTION = Domain("the construction itself", cases=itself)


def _hypothesis(g: OneLayer) -> Relations:
    def enclosed(bits: int) -> tuple[mpq, mpq]:
        low, high = log(g.n, bits)
        return 2 * low + 3, 2 * high + 3

    least = rounded_down(enclosed, g.bits) + g.unit
    for a, b in pairwise(g.ids):
        yield Relation("distance of neighbouring entries", g.gap * (b - a), ">", "2 log n + 3, rounded up", least)


def _bounded(case: TokenSet) -> Relations:
    g = case.construction
    yield Relation("boltz(a), rounded up", case.boltz + g.unit, "<=", "r", g.gap * g.top)
    yield Relation("boltz(a), rounded down", case.boltz, ">=", "-r", -g.gap * g.top)


def _separated(g: OneLayer, seen: Collected) -> Relations:
    return _apart_by(g.least_distance(g.gap * g.top), g, seen)


def _both_signs(g: OneLayer, seen: Collected) -> Relations:
    """boltz(a + c) = boltz(a) + c: moved to go from -r to r, entries have the same distances, and the least r."""
    return _apart_by(g.least_distance(g.gap * (g.top - g.ids[0]) / 2), g, seen)


def _apart_by(least: mpq, g: OneLayer, seen: Collected) -> Relations:
    for lower, upper, cases in neighbours(seen):
        distance = upper - lower - g.unit
        yield Relation(
            "distance of two values, rounded down", distance, ">", "(log n)^2 e^(-2r), rounded up", least, cases
        )


def in_order(ids: Sequence[mpq]) -> tuple[mpq, ...]:
    """Sorts sets by the largest entry, and those with the same one by the others, reversed, from the second on."""
    first, *others = sorted(ids, reverse=True)
    return (first, *(-other for other in others))


def _ordered(g: OneLayer, seen: Collected) -> Relations:
    for (_, lower, a), (_, upper, b) in pairwise(sorted((key, value, number) for (key, value), number in seen.values)):
        yield Relation(
            "boltz of the next set, rounded down", upper, ">=", "of the one before, rounded up", lower + g.unit,
            (min(a, b), max(a, b)),
        )  # fmt: skip


def _close(g: OneLayer) -> Relations:
    """The same order, of entries that are 1/2 apart."""
    halves = [(in_order(case.ids), g.boltz([id_ / 2 for id_ in case.ids])) for case in _every(g)]
    values = [value for _, value in sorted(halves)]
    count = sum(upper < lower for lower, upper in pairwise(values))
    yield Relation("neighbours in the order of Lemma 1 whose values are in the other", count, ">", "0", 0)


def _needed(g: OneLayer) -> Relations:
    """Values of sets of halves that are nearer to each other than Lemma 1 has it; r is the largest entry."""
    least = g.least_distance(g.top / 2)
    values = sorted(g.boltz([id_ / 2 for id_ in case.ids]) for case in _every(g))
    count = sum(upper - lower + g.unit < least - g.unit for lower, upper in pairwise(values))
    yield Relation("neighbours in size nearer than (log n)^2 e^(-2r)", count, ">", "0", 0)


def _not_six(g: OneLayer) -> str | None:
    return None if g.n == 2 and len(g.tokens) == 6 else "it is about pairs out of six tokens"


def _every(g: OneLayer) -> Iterator[TokenSet]:
    return (g.space.at(number) for number in range(g.space.size))


def _hardmax(g: OneLayer) -> Relations:
    """The same layer with hardmax, on tokens that are in two sets or more."""
    layer, seen = Attention((g.head,)), dict[tuple[mpq, ...], int]()
    for case in _every(g):
        for column in zip(*layer.apply(case.X), strict=True):
            seen[column] = seen.get(column, 0) + 1
    count = sum(times for times in seen.values() if times > 1)
    yield Relation("outputs of tokens that are those of another set too", count, ">", "0", 0)


def _moved(case: TokenSet) -> Relations:
    g = case.construction
    for k, value in enumerate(case.read, start=1):
        moved = (value + g.unit) * max(abs(entry) for (entry,) in g.head.W_O)
        yield Relation(f"|z_{k} - x_{k}|, rounded up", moved, "<=", "1/4, of the least distance of tokens", Q(1, 4))


def outputs(case: TokenSet) -> tuple[mpq, ...]:
    """w^T z_k = w^T x_k + w^T W_O (what it reads), the latter rounded down by less than 2^-bits."""
    g = case.construction
    return tuple(id_ + value * g.lift for id_, value in zip(case.ids, case.read, strict=True))


def _apart_inside(case: TokenSet) -> Relations:
    g = case.construction
    for lower, upper in pairwise(sorted(outputs(case))):
        yield _apart(g, lower, upper, ())


def _apart_across(g: OneLayer, seen: Collected) -> Relations:
    for lower, upper, cases in neighbours(seen):
        yield _apart(g, lower, upper, cases)


def _apart(g: OneLayer, lower: mpq, upper: mpq, cases: tuple[int, ...]) -> Relation:
    distance = upper - lower - g.unit * g.lift
    return Relation("distance of two outputs, rounded down", distance, ">", "0", Q(0), cases)


def _single(g: OneLayer) -> str | None:
    return "there is only one set" if g.space.size == 1 else None


def _claim(id_: str, kind: str, where: str, says: str, formula: str, how: str, **more: Any) -> Claim:
    return Claim(id=id_, kind=kind, where=where, says=says, formula=formula, how=how, **{"domain": SETS, **more})


_ENCLOSED = "computes boltz of every set between two rationals, and compares outward"

CLAIMS = (
    _claim(
        "lemma1.hypothesis",
        "own",
        "Lemma 1",
        "The entries are further apart than Lemma 1 asks for.",
        "|a_i - a_j| > 2 log n + 3",
        "encloses the logarithm",
        domain=CONSTRUCTION,
        check=_hypothesis,
    ),
    _claim(
        "lemma1.bounded",
        "own",
        "Lemma 1",
        "The Boltzmann operator's value is between -r and r.",
        "|boltz(a)| <= r",
        _ENCLOSED,
        check=_bounded,
    ),
    _claim(
        "lemma1.separated",
        "own",
        "Lemma 1",
        "The Boltzmann operator takes different sets of entries to values further apart than (log n)^2 e^(-2r).",
        "|boltz(a) - boltz(a')| > (log n)^2 e^(-2r)",
        f"{_ENCLOSED}, neighbours in size",
        collect=lambda case: (case.boltz,),
        conclude=_separated,
    ),
    _claim(
        "lemma1.both-signs",
        "own",
        "Lemma 1",
        "The same of entries of both signs, all moved by one number to go from -r to r: boltz moves with them.",
        "|boltz(a) - boltz(a')| > (log n)^2 e^(-2r), 2r = g (largest id - smallest)",
        f"{_ENCLOSED}, neighbours in size",
        collect=lambda case: (case.boltz,),
        conclude=_both_signs,
    ),
    _claim(
        "lemma1.order",
        "own",
        "Lemma 1",
        "The value grows with the largest entry; among sets with the same it falls as the next one that differs grows.",
        "boltz orders sets by (a_1, -a_2, ..., -a_n), a_1 > ... > a_n",
        f"{_ENCLOSED}, neighbours in that order",
        collect=lambda case: ((in_order(case.ids), case.boltz),),
        conclude=_ordered,
    ),
    _claim(
        "lemma1.close",
        "own",
        "Lemma 1",
        "With entries that are only 1/2 apart this order isn't kept: some hypothesis is needed for it.",
        "boltz(a) < boltz(a') for some a after a'",
        "computes boltz of every set of halves, and counts",
        domain=CONSTRUCTION,
        check=_close,
        skip=_single,
        work=lambda g: g.space.size * g.columns_a_case,
    ),
    _claim(
        "lemma1.needed",
        "own",
        "Lemma 1",
        "With the entries 1/2, 1, ..., 3 the lemma fails: two pairs of them have values nearer than it says.",
        "|boltz(a) - boltz(a')| < (log n)^2 e^(-2r) for some a, a'",
        "computes boltz of every set of halves, and counts neighbours in size",
        domain=CONSTRUCTION,
        check=_needed,
        skip=_not_six,
        work=lambda g: g.space.size * g.columns_a_case,
    ),
    _claim(
        "theorem1.hardmax",
        "own",
        "Theorem 1",
        "With hardmax in place of softmax this layer gives some token the same output in two sets.",
        "z_k = z'_l for some X != X'",
        "runs the literal hardmax layer on every set, and counts",
        domain=CONSTRUCTION,
        check=_hardmax,
        skip=_single,
        work=lambda g: g.space.size * g.n,
    ),
    _claim(
        "theorem2.bounded",
        "own",
        "Theorem 2",
        "The softmax layer moves no token by more than a quarter of the least distance of two tokens.",
        "|z_k - x_k| <= 1/4",
        "computes what each token reads between two rationals, and compares outward",
        check=_moved,
    ),
    _claim(
        "theorem2.contextual",
        "own",
        "Theorem 2",
        "One softmax layer of rank 1 is a contextual mapping: no two outputs are equal, of one set or of two.",
        "w^T z_k != w^T z'_l for (x_k, X) != (x'_l, X')",
        "computes what each token reads between two rationals, and compares outward, neighbours in size",
        check=_apart_inside,
        collect=outputs,
        conclude=_apart_across,
    ),
)

"""FORMAT 11, positional encodings: Appendix C (c.*), and its proof by Hu et al. with a sentinel (hu.*)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice, pairwise, product
from typing import NamedTuple

from ...core.ledger import Made
from .distinct import across, apart, neighbours, within
from .model import Model, Shift, sweep

Column = tuple[int, ...]


def start(m: Model, j: int) -> int:
    """s_j = (j-1)(1 + N + ... + N^(d-1)), in units of delta."""
    return int((j - 1) * sum(m.N**row for row in range(m.d)) * m.N)


def factor(m: Model) -> int:
    """P = n N^((n+1)d) N."""
    return int(m.n * m.B ** (m.n + 1) * m.N)


def sentinel(m: Model, j: int) -> int:
    """j-1-J, J = n + 3 n N^(dn), in units of delta."""
    return int((j - 1 - m.n - 3 * m.n * m.B**m.n) * m.N)


def columns(m: Model, j: int, wide: bool) -> list[Column]:
    """What column j of a context, or of a wide one, may be, by increasing id."""
    entries = [*([sentinel(m, j)] if wide else []), *range((j - 1) * m.N, j * m.N)]
    return sorted(product(entries, repeat=m.d), key=lambda c: (m.identity(c), c))


def last(m: Model, x: Sequence[int]) -> list[int]:
    """The global shift. (No id is 0 any more: level 0 has moved the column that had it, for not all ids are 0.)"""
    above, below = factor(m) * max(x), factor(m) * min(x)
    return [v + (above if v > 0 else below) for v in x]


class Block(NamedTuple):
    """Contexts, by their numbers, an entry of each list for each; l, t, q: the j-th is the list of l_j, l~_j, q_j."""

    keys: list[int]
    shifts: list[list[Shift]]
    t_rows: list[list[int]]
    q_rows: list[list[int]]
    l: list[list[int]]
    t: list[list[int]]
    q: list[list[int]]


def blocks(m: Model, wide: bool) -> Iterator[Block]:
    """All contexts, or all wide ones, lexicographically, some at a time."""
    choices = [[m.identity(c) for c in columns(m, j, wide)] for j in range(1, m.n + 1)]
    levels = frozenset(start(m, j) + k for j in range(1, m.n + 1) for k in range(m.B))
    numbered = enumerate(product(*choices))
    while some := list(islice(numbered, 1 + 16_000 // m.n)):
        l_rows = [list(l) for _, l in some]
        swept = [sweep(l, levels, m.B) for l in l_rows]
        t_rows = [x for x, _ in swept]
        q_rows = [last(m, x) for x in t_rows]
        turned = ([list(entries) for entries in zip(*rows, strict=True)] for rows in (l_rows, t_rows, q_rows))
        yield Block([k for k, _ in some], [shifts for _, shifts in swept], t_rows, q_rows, *turned)


def order(m: Model, c: Block, extremes: bool) -> Iterator[Made]:
    """Each column shifted once, in order (and what is largest and smallest in between), and the order kept."""
    n, keys = m.n, c.keys
    yield Made("number of shifts", "=", "n", list(map(len, c.shifts)), n, keys, 1)
    for j in range(1, n + 1):
        made = [s[j - 1] if len(s) >= j else None for s in c.shifts]
        whose, alone = [s and s[1] for s in made], [[j]] * len(made)
        yield Made(f"columns moved by shift {j}", "=", f"column {j} alone", whose, alone, keys, 1)
        if extremes:
            yield Made(f"maximum after shift {j}", "=", f"l~_{j}", [s and max(s[2]) for s in made], c.t[j - 1], keys)
        if extremes and j < n:
            yield Made(f"minimum after shift {j}", "=", f"l_{j + 1}", [s and min(s[2]) for s in made], c.l[j], keys)
    for j, (less, more) in enumerate(pairwise(c.t), 2):
        yield Made(f"l~_{j}", ">", "the l~ before it", more, less, keys)


def outside(q: list[int], j: int, low: tuple[str, int], high: tuple[str, int], keys: Sequence[int]) -> Iterator[Made]:
    """q_j is below the lower end or, if it isn't, above the upper one."""
    yield Made(f"q_{j}", "<", low[0], [v if v < low[1] else None for v in q], low[1], keys)
    yield Made(f"q_{j}", ">", high[0], [None if v < low[1] else v for v in q], high[1], keys)


def relations(claim: str, m: Model, c: Block) -> Iterator[Made]:
    """The relations of each context; all numbers in units of delta."""
    n, B, N, P, keys = m.n, m.B, m.N, factor(m), c.keys
    far, far_name = n * B ** (n + 1) * N, "n delta^-((n+1)d)"
    t_l, t_r = n * B ** (2 * n + 2) * (B - 1) * N, (n * n * B ** (2 * n + 2) * N + n * B ** (n + 1)) * N
    repaired = ("n delta^-(2nd) (delta^-d - 1)", n * B ** (2 * n) * (B - 1) * N)
    match claim:
        case "c.ids":
            for j, l in enumerate(c.l, 1):
                s = start(m, j)
                yield Made(f"l_{j}", ">=", "s_j", l, s, keys)
                yield Made(f"l_{j}", "<=", "s_j + delta^-d+1 - delta", l, s + B - 1, keys)
                if j >= 2:
                    yield Made(f"l_{j}", ">", "the l before it", l, c.l[j - 2], keys)
        case "c.order" | "hu.order":
            yield from order(m, c, claim == "hu.order")
        case "c.bound":
            yield Made("l~_n", "<", far_name, c.t[-1], far, keys)
        case "hu.bounds":
            yield Made("l~_n", ">=", "delta^-((n-1)d) delta (delta^-d - 1)", c.t[-1], B ** (n - 1) * (B - 1), keys)
            yield Made("l~_n", "<=", far_name, c.t[-1], far, keys)
        case "c.disjoint":
            begin = [P * max(t) for t in c.t_rows]
            end = [first + far for first in begin]
            for j, q in enumerate(c.q, 1):
                yield Made(f"q_{j}", ">=", "P m", q, begin, keys)
                yield Made(f"q_{j}", "<", f"P m + {far_name}", q, end, keys)
        case "c.contextual" | "hu.distinct":
            yield from within(c.q_rows, keys, N)
        case "hu.threshold":
            for j, q in enumerate(c.q, 1):
                yield Made(f"q_{j}", ">=", "hu.t_l", q, t_l, keys)
                yield Made(f"q_{j}", "<=", "hu.t_r", q, t_r, keys)
        case "hu.threshold-repaired" | "hu.outside":
            # Good if no id is negative: one with a sentinel is at most s_j - J + N^(d-1) - 1 < n N^d - 3 n N^(dn) < 0.
            good = [min(l) >= 0 for l in zip(*c.l, strict=True)]
            low = repaired if claim == "hu.threshold-repaired" else ("hu.t_l", t_l)
            for j, q in enumerate(c.q, 1):
                if claim == "hu.threshold-repaired":
                    its = [v if fine else None for v, fine in zip(q, good, strict=True)]
                    yield Made(f"q_{j}", ">=", low[0], its, low[1], keys)
                    yield Made(f"q_{j}", "<=", "hu.t_r", its, t_r, keys)
                bad = [k for k, fine in enumerate(good) if not fine]
                yield from outside([q[k] for k in bad], j, low, ("hu.t_r", t_r), [keys[k] for k in bad])


def pairs(claim: str, m: Model, collected: list[int]) -> Iterator[Made]:
    """The relations between neighbours, in l~_n, in m = max_j l~_j, or in all entries."""
    count = m.B**m.n
    match claim:
        case "c.injective":
            yield from apart("distance of l~_n of two contexts", collected, count, m.N)
        case "c.contextual" | "hu.distinct":
            yield from across(collected, count, m.N)
        case "c.disjoint":
            P, far = factor(m), m.n * m.B ** (m.n + 1) * m.N
            for some in neighbours(collected, count):
                begins, ends = [P * b[0] for _, b, _ in some], [P * a[0] + far for a, _, _ in some]
                keys = [key for _, _, key in some]
                yield Made("start of the next interval", ">=", "end of an interval", begins, ends, keys)


def collects(claim: str, c: Block) -> Iterator[list[int]]:
    """What such a claim collects, lists with an entry for each context."""
    match claim:
        case "c.injective":
            yield c.t[-1]
        case "c.disjoint":
            yield list(map(max, c.t_rows))
        case "c.contextual" | "hu.distinct":
            yield from c.q


def sentinels(m: Model) -> list[tuple[int, Column]]:
    """hu.ids-sentinel, its cases: a position and a column with a sentinel."""
    every = ((j, c) for j in range(1, m.n + 1) for c in columns(m, j, wide=True))
    return [(j, c) for j, c in every if sentinel(m, j) in c]


def far_below(m: Model) -> Iterator[Made]:
    """hu.ids-sentinel. (s_2 = (delta^-d+1 - delta) / (1 - delta).)"""
    cases = sentinels(m)
    bounds = [(-3 * m.n * m.B**m.n) * m.N + (j - 1) * start(m, 2) + m.B for j, _ in cases]
    keys = list(range(len(cases)))
    yield Made("u^T c", "<=", "the bound of E.9", [m.identity(c) for _, c in cases], bounds, keys)
    yield Made("the bound of E.9", "<", "0", bounds, 0, keys)


def contexts(m: Model) -> int:
    return int(m.B**m.n)


def wide_contexts(m: Model) -> int:
    return int(m.column_count**m.n)


_CONTEXTS = "c.ids c.order c.bound c.injective c.disjoint c.contextual hu.order hu.bounds hu.distinct hu.threshold"
_WIDE = ("hu.threshold-repaired", "hu.outside")
SWEPT = frozenset((*_CONTEXTS.split(), *_WIDE)) - {"c.ids"}  # what is said of ids after the sweep
CASES: dict[str, Callable[[Model], int]] = dict.fromkeys(_CONTEXTS.split(), contexts) | {
    "hu.ids-sentinel": lambda m: m.n * (m.column_count - m.B),
    "hu.threshold-repaired": wide_contexts,
    "hu.outside": lambda m: wide_contexts(m) - contexts(m),
}


def made(claims: Sequence[str], m: Model) -> Iterator[tuple[str, Made]]:
    if "hu.ids-sentinel" in claims:
        yield from (("hu.ids-sentinel", relation) for relation in far_below(m))
    count = contexts(m)
    for wide in (False, True):
        its = [claim for claim in claims if claim != "hu.ids-sentinel" and (claim in _WIDE) is wide]
        collected: dict[str, list[int]] = {claim: [] for claim in its}
        for block in blocks(m, wide) if its else ():
            for claim in its:
                yield from ((claim, relation) for relation in relations(claim, m, block))
                for numbers in collects(claim, block):
                    collected[claim] += [v * count + key for v, key in zip(numbers, block.keys, strict=True)]
        for claim in its:
            yield from ((claim, relation) for relation in pairs(claim, m, collected[claim]))


def matrix(claim: str, m: Model, number: int) -> list[Column]:
    """The columns of a case, in units of delta."""
    if claim == "hu.ids-sentinel":
        return [sentinels(m)[number][1]]
    found = []
    for j in range(m.n, 0, -1):
        choices = columns(m, j, claim in _WIDE)
        number, at = divmod(number, len(choices))
        found.append(choices[at])
    return found[::-1]

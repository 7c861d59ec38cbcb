"""The kernel in Python's whole numbers, of any size, one orbit at a time: the reference for the faster paths."""

from collections.abc import Callable, Sequence
from operator import sub

from verifier.core.multisets import orbit_size, orbits
from verifier.papers.yun2020 import edges
from verifier.papers.yun2020.kernel.kernel import NEAREST, SLOT, SLOTS, Numbers, Totals
from verifier.run.shard import MODULUS
from verifier.run.stop import Irregular

Slack = tuple[int, int]  # slot, slack


def run_plainly(x: Numbers, start: int, stop: int, tell: Callable[[int], None]) -> Totals:
    """The orbits of rank start..stop-1."""
    totals = Totals([None] * len(SLOTS), [0] * 3, [0] * 3, dict.fromkeys("crnm", 0))
    tightest = totals.tightest
    powers = [x.B**k for k in range(x.n + 1)]
    for rank, orbit in enumerate(orbits(len(x.ids), x.n, start, stop), start=start):
        k = [x.ids[c] for c in orbit]
        s, amount = swept(k, x.factor, x.B)
        regular = x.factor == x.B or s == k  # b5.shift
        most, least = max(s), min(s)
        regular &= 0 not in s or most == least
        q = [s_j + x.G * (most if s_j > 0 else least if s_j < 0 else 0) for s_j in s]
        totals.digest += (rank + 1) * sum(j * q_j for j, q_j in enumerate(q, start=1))
        if k[0] < 0:
            category, (good, slacks) = 3, _category3(x, k, s, q, amount)
            totals.parts["n" if k[-1] < 0 else "m"] += 1
        elif len(set(orbit)) == x.n:
            category, (good, slacks) = 1, _category1(x, k, s, q, powers)
        else:
            category, (good, slacks) = 2, _category2(x, k, s, q)
            totals.parts["c" if k[0] == k[-1] else "r"] += 1
        totals.orbits[category - 1] += 1
        totals.matrices[category - 1] += orbit_size(orbit)
        for slot, slack in slacks:
            found = tightest[slot]
            if found is None or slack < found[0]:
                tightest[slot] = (slack, rank)
        if not (regular and good):
            raise Irregular(f"the orbit of rank {rank}")
        tell(rank + 1 - start)
    totals.digest %= MODULUS
    return totals


def _category1(x: Numbers, k: list[int], s: list[int], q: list[int], powers: list[int]) -> tuple[bool, list[Slack]]:
    top, low, high = s[-1], min(q), max(q)
    slacks = [s[0] - k[-1], min(map(sub, s[1:], s)), top - x.lower, x.upper - top, low - x.P * top]
    slacks += [x.P * (top + 1) - high, min(map(sub, q[1:], q)), low - x.t_l, x.t_r - high]
    strict = (1, 1, 0, 0, 0, 1, 1, 0, 1)
    good = s[0] >= x.B and s == [closed_form(k, j, powers) for j in range(x.n)]
    good &= q == [s_j + x.P * top for s_j in s] and all(map(int.__ge__, slacks, strict))
    found = list(enumerate(slacks))  # kernel.SLOTS begins with these
    if k[-1] < x.B - 1:
        found.append((NEAREST, x.P - (top - s[0] - 1)))
    return good, found


def _category2(x: Numbers, k: list[int], s: list[int], q: list[int]) -> tuple[bool, list[Slack]]:
    good = s == k if k[0] == k[-1] else s == reduced(k, x.factor) and min(s) >= x.B
    good &= max(s) < x.lower and max(q) < x.t_l
    outside, slacks = _outside(x, q)
    slacks.append((SLOT[edges.CAT2_SWEPT], x.lower - 1 - max(s)))
    slacks.append((SLOT[edges.CAT2_FINAL], x.t_l - max(q)))
    return good and outside, slacks


def _category3(x: Numbers, k: list[int], s: list[int], q: list[int], amount: int) -> tuple[bool, list[Slack]]:
    good, slacks = _outside(x, q)
    good &= s[0] == k[0] == min(s)
    slacks.append((SLOT[edges.CAT3_MINIMUM], -k[0]))
    if k[-1] < 0:
        good &= s == k and max(q) < 0
        slacks.append((SLOT[edges.CAT3_NEGATIVE], -max(q)))
    else:
        good &= amount >= x.P
        slacks.append((SLOT[edges.CAT3_FIRST_SHIFT], amount - x.P))
    for k_j, s_j, q_j in zip(k, s, q, strict=True):
        good &= (s_j == k_j if k_j < 0 else s_j >= x.P) and (q_j < 0 or q_j >= x.final_bound)
        if k_j >= 0:
            slacks.append((SLOT[edges.CAT3_SHIFTED], s_j - x.P))
        if q_j < 0:
            slacks.append((SLOT[edges.CAT3_BELOW], -q_j))
        else:
            slacks.append((SLOT[edges.CAT3_BEYOND], q_j - x.final_bound))
    return good, slacks


def _outside(x: Numbers, q: Sequence[int]) -> tuple[bool, list[Slack]]:
    low, high = SLOT[edges.OUTSIDE_LOW], SLOT[edges.OUTSIDE_HIGH]
    slacks = [(low, x.t_l - q_j) if q_j - x.t_l < x.t_r - q_j else (high, q_j - x.t_r) for q_j in q]
    return not any(x.t_l <= q_j < x.t_r for q_j in q), slacks


def swept(k: list[int], factor: int, B: int) -> tuple[list[int], int]:
    """The ids after the sweep, from increasing ids before it; and the amount of the first shift."""
    s: list[int] = []
    amount = 0
    moved: list[int] = []
    for j, k_j in enumerate(k):
        if j and k_j == k[j - 1]:
            s.append(s[-1])
            continue
        if k_j < 0:
            s.append(k_j)
            continue
        top, bottom = max([k[-1], *moved]), min([k[0] if k[0] < 0 else k_j, *moved])
        up = factor * (top - bottom)
        s.append(k_j + up)
        if up:
            amount = amount or up
            moved.append(s[-1])
            if s[-1] < B:
                raise Irregular(f"an id that a later level meets again: {s[-1]}")
    return s, amount


def reduced(k: list[int], factor: int) -> list[int]:
    """k~_j = k_j + factor (k~_{j-1} - k_j) over the distinct columns, k~_0 = k_n; equal columns alike."""
    s: list[int] = []
    before = k[-1]
    for j, k_j in enumerate(k):
        if not j or k_j != k[j - 1]:
            before = k_j + factor * (before - k_j)
        s.append(before)
    return s


def closed_form(k: list[int], j: int, powers: list[int]) -> int:
    """l~_j = l_j + sum_{i=1}^{j-1} B^i (l_{j-i} - l_{j-i+1}) + B^j (l_n - l_1), counted from j = 0."""
    inner = sum(powers[i] * (k[j - i] - k[j - i + 1]) for i in range(1, j + 1))
    return k[j] + inner + powers[j] * powers[1] * (k[-1] - k[0])

"""FORMAT 8: the shards, which of them are run, and what that may cost: sizes first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import factorial
from typing import Any

from .comparing import OverLimit
from .model import Model
from .paper import orbits as other
from .paper import own
from .reading import Unreadable, brief

MOST_POINTS = 4_000_000  # orbits: most of a minute, and with the claims about pairs most of a gigabyte
_STEPS_A_SECOND = 300_000  # an orbit of n columns takes about n + 3
_KEYS_A_POINT = 16  # a key of the value map weighs as much as so many orbits


@dataclass(frozen=True)
class Options:
    """How much the reader wants checked: these shards, or so many drawn by the seed, or what about so many seconds
    allow (then the file's own content is the seed); of none of these, all."""

    max_points: int = MOST_POINTS
    literal: bool = False
    shards: tuple[int, ...] = ()
    sample: int = 0
    seed: int = 0
    seconds: int = 0


@dataclass(frozen=True)
class Share:
    """The part of a certificate that is checked orbit by orbit: whole shards, and perhaps a stretch of another."""

    shards: list[int]
    whole: bool = False  # all shards, and the claims about pairs
    stretch: tuple[int, int, int] | None = None  # the shard, and the ranks of it from start to stop - 1
    drawn: bool = False  # by the certificate's own content


def plan(m: Model) -> list[tuple[int, int]]:
    """FORMAT 8: the shards, as equal as can be, tile the ranks."""
    T, K = m.orbit_count, max(1, min(64, m.orbit_count // 1000))
    return [(k * T // K, (k + 1) * T // K) for k in range(K)]


def literal_steps(m: Model, orbits: int) -> int:
    """The scores that the literal heads make on every matrix of so many orbits."""
    matrices: int = min(orbits * factorial(m.n), m.column_count**m.n)
    return matrices * (m.B + 1) * m.n**2


def steps(m: Model, claims: Iterable[str]) -> int:
    """What an orbit takes, about: more with claims of FORMAT 11."""
    return (m.n + 3) * (1 + sum(claim in other.DOMAINS for claim in claims))


def share_of(cert: dict[str, Any], m: Model, claims: list[str], options: Options) -> Share:
    """The shards to be run: those that are asked for, or drawn."""
    shards = plan(m)
    K, every = len(shards), list(range(len(shards)))
    if options.seconds:
        budget = options.seconds * _STEPS_A_SECOND // steps(m, claims)  # in orbits
        if m.orbit_count <= budget:
            return Share(every, whole=True)
        import hashlib  # loaded where shards are drawn, which is seldom
        import json
        import random

        draw = random.Random(hashlib.sha256(json.dumps(cert, sort_keys=True).encode()).digest())  # noqa: S311
        order, size = draw.sample(every, K), shards[0][1]
        if count := budget // (size + 1):
            return Share(sorted(order[:count]), drawn=True)
        (start, stop), length = shards[order[0]], max(1, budget)
        first = draw.randrange(start, stop - length + 1)
        return Share([], stretch=(order[0], first, first + length), drawn=True)
    chosen = set(options.shards)
    if options.sample:
        import random

        chosen |= set(random.Random(options.seed).sample(every, min(K, options.sample)))  # noqa: S311
    if chosen and max(chosen) >= K:
        raise Unreadable(f"there is no shard {max(chosen)}: its shards are 0..{K - 1}")
    return Share(sorted(chosen)) if chosen else Share(every, whole=True)


def refuse_too_much(m: Model, claims: list[str], share: Share, options: Options) -> None:
    """FORMAT 8: sizes first. More than a file may cost is refused, with what it would have cost."""
    shards, most = plan(m), options.max_points
    orbits, heavy = sum(shards[k][1] - shards[k][0] for k in share.shards), steps(m, claims) // (m.n + 3)
    if share.stretch:
        orbits += share.stretch[2] - share.stretch[1]
    if options.literal and (work := literal_steps(m, orbits)) > 10**9:
        raise OverLimit(f"{brief(work) if work < 10**60 else 'over 10^60'} steps of literal heads, more than 10^9")
    if orbits * heavy > most or orbits * m.n > 10 * most:
        exact = f"{orbits:,} orbits" if orbits < 10**60 else "C((N+1)^d + n - 1, n) orbits"
        times = f", {heavy} times for the claims of FORMAT 11" if heavy > 1 else ""
        raise OverLimit(f"{exact} of {m.n} columns{times}, more than {most:,}, or {10 * most:,} columns (--max-points)")
    for claim in claims:
        cases = own.enumerated(claim, m) if claim in own.OWN else other.keys(claim, m) * _KEYS_A_POINT
        if cases > most:
            exact = f"{cases:,}" if cases < 10**60 else "over 10^60"
            raise OverLimit(f"{claim} has {exact} cases or keys to weigh, more than {most:,} (--max-points)")

"""The cost of a check, in exact numbers, before any of it is done: a file that costs too much is refused."""

from __future__ import annotations

from collections.abc import Iterable
from math import comb, factorial

from ...core.comparing import OverLimit
from ...core.share import Options, Share
from . import orbits as other
from . import own
from .claims import DOMAIN
from .model import Model
from .vertices import applies

FEW = 50_000  # orbits: so many are run one by one
_KEYS_A_POINT = 16  # a key of the value map costs as much as this many orbits


def told(number: int) -> str:
    return f"{number:,}" if number < 10**60 else "over 10^60"


def literal_steps(m: Model, orbits: int) -> int:
    """How many scores the literal heads compute on all matrices of this many orbits."""
    matrices: int = min(orbits * factorial(m.n), m.column_count**m.n)
    return matrices * (m.B + 1) * m.n**2


def times(claims: Iterable[str]) -> int:
    """About how often each orbit is visited: once more for each claim of FORMAT 11."""
    return 1 + sum(claim in other.DOMAINS for claim in claims)


def steps(m: Model, claims: Iterable[str]) -> int:
    """About how many steps an orbit takes."""
    return (m.n + 3) * times(claims)


def by_vertices(m: Model, claims: Iterable[str]) -> bool:
    """Whether these claims over orbits are checked by Lemma V: of many orbits, and where the lemmas speak of them."""
    return m.orbit_count > FEW and all(claim in DOMAIN for claim in claims) and applies(m)


def counted(m: Model, orbits: int) -> int:
    """Lemma V: the cost of this many orbits, in orbits run one by one: an eighth for all that share all but the last
    column, 16 for all that share all but the last two, and 3 more where these two have sentinels."""
    C, n, sentinels = m.column_count, m.n, m.column_count - m.B
    rows, nodes, of_sentinels = comb(C + n - 2, n - 1), comb(C + n - 3, n - 2), comb(sentinels + n - 2, n - 1)
    return (rows // 8 + 16 * nodes + 3 * of_sentinels) * orbits // m.orbit_count


def refuse_too_much(m: Model, claims: list[str], share: Share, options: Options, *, vertices: bool = False) -> None:
    """FORMAT 8: sizes first. More than a file may cost is refused, with what it would have cost."""
    orbits, heavy, most = share.cases(m.orbit_count), times(claims), options.max_points
    if options.literal and (work := literal_steps(m, orbits)) > 10**9:
        raise OverLimit(f"{told(work)} steps of attention heads, more than 10^9")
    weight = counted(m, orbits) if vertices else orbits
    if weight * heavy > most or weight * m.n > 10 * most:
        one_by_one = f", as {told(weight)} run one by one," if vertices else ""
        several = f", {heavy} times for the claims of FORMAT 11" if heavy > 1 else ""
        columns = f"{m.n} columns{several}, more than {most:,}, or {10 * most:,} columns (--max-points)"
        raise OverLimit(f"{told(orbits)} orbits{one_by_one} of {columns}")
    for claim in claims:
        cases = own.enumerated(claim, m) if claim in own.OWN else other.keys(claim, m) * _KEYS_A_POINT
        if cases > most:
            raise OverLimit(f"{claim} has {told(cases)} cases or keys to weigh, more than {most:,} (--max-points)")

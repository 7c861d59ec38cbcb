"""FORMAT 11: the claims that have cases of their own, one ledger for each; they have no entries in shards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb

from ...core.ledger import Key, Ledger, rational
from . import alternatives, distance_zero, everywhere, pieces, positional, sizes
from .model import Model

_MODULES = (pieces, sizes, positional, alternatives, distance_zero, everywhere)
OWN: dict[str, Callable[[Model], int]] = {claim: of for module in _MODULES for claim, of in module.CASES.items()}


def enumerated(claim: str, m: Model) -> int:
    """How many cases there are to go through (of s6.average: the columns of the orbits that it pairs)."""
    return m.n * comb(m.B, m.n) if claim == "s6.average" else OWN[claim](m)


def ledgers(claims: Sequence[str], m: Model) -> dict[str, Ledger]:
    """The cases of these claims, and the ledgers of their relations."""
    out = {claim: Ledger() for claim in claims}
    for module in _MODULES:
        its = [claim for claim in claims if claim in module.CASES]
        for claim in its:
            out[claim].cases = OWN[claim](m)
        for claim, relation in module.made(its, m):
            out[claim].hold(relation, (), m.N)
    return out


def matrices(claim: str, m: Model, key: Key) -> list[list[list[str]]]:
    """The matrices, in rows, of the case or the two cases of a relation; none if the claim's cases have none."""
    unit, found = m.N, []
    for number in key:
        if claim in alternatives.CASES:
            found += alternatives.matrices(claim, m, number)
            unit = m.N * (alternatives.finer(m) if claim == "slides.sentinel" else 1)
        elif claim in positional.CASES:
            found.append(positional.matrix(claim, m, number))
        elif claim in distance_zero.CASES:
            columns, unit = distance_zero.matrix(claim, m, number)
            found.append(columns)
        elif claim in everywhere.CASES:
            columns, unit = everywhere.matrix(m, number)
            found.append(columns)
        elif claim == "theorem2.heads":
            found.append(sizes.matrix(m))
        elif claim in sizes.LIMITS:
            found.append(sizes.at_the_jump(m))
    return [[[rational(x, unit) for x in row] for row in zip(*columns, strict=True)] for columns in found]

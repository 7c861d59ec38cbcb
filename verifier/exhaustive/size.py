"""Sizes first: how large a run is, in exact numbers, before any of it is begun."""

from collections.abc import Sequence

from verifier.claims.claim import Claim
from verifier.grid import multisets
from verifier.instance import Instance

# What the literal network gets through in about two minutes: orbits, and columns run through a layer.
MOST_ORBITS = 200_000
MOST_WORK = 12_000_000

# What one matrix and one network may take of memory, whatever the user allows.
MOST_COLUMNS = 1_000_000
MOST_TOKENS = 1_000

# A size of more bits than this is given as a formula, and not computed.
_MOST_BITS = 4_000


class TooLarge(Exception):
    """A run over its limit, with the size that it would have taken."""


def _power(base: int, exponent: int) -> int | None:
    return base**exponent if exponent * base.bit_length() <= _MOST_BITS else None


def orbit_count(instance: Instance) -> int | None:
    """C((N+1)^d + n - 1, n), the orbits of G+; None where that is astronomically large."""
    columns = _power(instance.N + 1, instance.d)
    if columns is None or min(instance.n, columns - 1) * (columns + instance.n).bit_length() > _MOST_BITS:
        return None
    return multisets(columns, instance.n)


def matrix_count(instance: Instance) -> int | None:
    """(N+1)^(dn), the matrices of G+; None where that is astronomically large."""
    return _power(instance.N + 1, instance.d * instance.n)


def _text(size: int | None, formula: str) -> str:
    return formula if size is None else f"{size:,}"


def refuse_if_too_large(instance: Instance, claims: Sequence[Claim], max_points: int | None) -> None:
    """Raises TooLarge for a run of more than `max_points` orbits; without it, for one longer than minutes."""
    d, n, N = instance.d, instance.n, instance.N
    orbits, matrices = orbit_count(instance), matrix_count(instance)
    orbits_text = _text(orbits, f"C({N + 1}^{d} + {n - 1}, {n})")
    matrices_text = _text(matrices, f"{N + 1}^{d * n}")
    size = f"{instance} has {orbits_text} orbits ({matrices_text} matrices)"

    limit = MOST_ORBITS if max_points is None else max_points
    if orbits is None or orbits > limit:
        allow = "" if orbits is None else f"; --max-points {orbits} allows it"
        raise TooLarge(f"{size}; the limit is {limit:,} orbits{allow}")
    if instance.B > MOST_COLUMNS or n > MOST_TOKENS:
        held = f"a network of {instance.B + 1:,} layers, and {n:,} x {n:,} scores"
        raise TooLarge(f"{size}; it takes {held}; at most {MOST_COLUMNS:,} layers and {MOST_TOKENS:,} columns are held")
    if max_points is not None:
        return

    # Each orbit runs through B + 1 layers, and so does each matrix where the order of columns is looked at.
    per_matrix = n * (instance.B + 1)
    work: int | None = orbits * per_matrix
    if any(claim.domain.over_matrices for claim in claims):
        work = None if matrices is None else (orbits + matrices) * per_matrix
    if work is None or work > MOST_WORK:
        ways = f"--max-points {orbits} allows it"
        if orbits * per_matrix <= MOST_WORK:
            ways += f", and without lemma6.equivariant it is {orbits * per_matrix:,}"
        taken = f"{matrices_text} . {per_matrix}" if work is None else f"{work:,}"
        raise TooLarge(f"{size}: {taken} columns to run through a layer; the limit is {MOST_WORK:,}; {ways}")

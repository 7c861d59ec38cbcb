"""The one list of claims: every module of claims declares its own, and they are listed in the paper's order."""

from collections.abc import Iterable
from difflib import get_close_matches
from importlib import import_module

from verifier.claims.claim import Claim
from verifier.exact import shown

_MODULES = (
    "equivariance",
    "grid",
    "contextual",
    "category1",
    "category23",
    "lemma6",
    "lemma5",
    "lemma7",
    "prop4",
    "lemma8",
    "lemma9",
    "theorem2",
    "positional",
    "hu",
    "section6",
    "slides",
    "distance_zero",
)

# What `verify --d 1 --n 3 --N 4` checks: the contextual-map family.
DEFAULT_FAMILIES = ("grid", "b5", "lemma10", "lemma6")


class UnknownClaim(ValueError):
    """No claim, or no family, of this name; or one that is named twice."""


def all_claims() -> dict[str, Claim]:
    claims: dict[str, Claim] = {}
    for module in _MODULES:
        for claim in import_module(f"verifier.claims.{module}").CLAIMS:
            if claim.id in claims:
                raise ValueError(f"claim {claim.id} is declared twice")
            claims[claim.id] = claim
    return claims


def excluded() -> frozenset[str]:
    """The ids of the claims that are readings of a source which nobody is taken to hold."""
    return frozenset(claim.id for claim in all_claims().values() if claim.excluded)


def default_claims() -> list[Claim]:
    return [claim for claim in all_claims().values() if claim.family in DEFAULT_FAMILIES]


def choose(names: Iterable[str]) -> list[Claim]:
    """The claims that the names stand for: an id, a family (the part before the dot), or `all`."""
    claims = all_claims()
    families = {claim.family for claim in claims.values()}
    chosen: set[str] = set()
    for name in names:
        if not isinstance(name, str):
            raise UnknownClaim(f"{name!r} is no claim id and no family")
        if name == "all":
            ids = set(claims)
        elif name in families:
            ids = {claim.id for claim in claims.values() if claim.family == name}
        elif name in claims:
            ids = {name}
        else:
            names = [*claims, *families, "all"]
            near = get_close_matches(name, names, n=1) or get_close_matches(name.lower(), names, n=1)
            hint = f"; did you mean {near[0]}?" if near else "; `verify claims` lists them"
            raise UnknownClaim(f"no claim {shown(name)}{hint}")
        if twice := sorted(ids & chosen):
            raise UnknownClaim(f"claim {twice[0]} is chosen twice")
        chosen |= ids
    if not chosen:
        raise UnknownClaim("no claim is chosen")
    return [claim for claim in claims.values() if claim.id in chosen]

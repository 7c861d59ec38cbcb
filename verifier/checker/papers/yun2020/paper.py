"""FORMAT 3, 7-9: what the frame of a certificate has to know of this paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import chain
from typing import Any

from ...core import frame
from ...core.comparing import OverLimit, Rejected
from ...core.frame import Sizes
from ...core.ledger import Key, Ledger, Number, rational
from ...core.paper import Outcome, Paper
from ...core.reading import brief
from ...core.reading import rational as parsed
from ...core.share import Options, Share
from . import claims, own, positional, vertices
from . import orbits as other
from .cost import by_vertices, counted, literal_steps, refuse_too_much, steps
from .model import VARIANT, Model, paper
from .shards import DOMAIN, Orbits
from .statements import EXCLUDED, OF_THE_PAPER, STATEMENTS
from .symbols import commutes

PAIRS = claims.PAIRS | other.PAIRS
_BY_LEMMAS = ("b5.head", "b5.shift", "b5.lattice", "lemma6.equivariant")


def unit_of(m: Model, name: str) -> int:
    """The factors are counted in ones, all other numbers in units of delta."""
    return 1 if name in ("sweep_factor", "global_factor") else m.N


def model_of(cert: dict[str, Any]) -> Model:
    """FORMAT 1 and 3: the instance and the numbers in force, if they make sense and the columns can be listed."""
    d, n, N = (cert["instance"][name] for name in ("d", "n", "N"))
    for name, value, least in (("d", d, 1), ("n", n, 2), ("N", N, 2)):
        if value < least:
            raise Rejected("FORMAT 1, instance", f"instance.{name}", f"at least {least}", brief(value))
    if n > 1000 or d > 20 or N > 10**6 or (N + 1) ** d > 10**6:
        limits = "the checker's limits are n <= 1000 and (N+1)^d <= 1,000,000 columns"
        raise OverLimit(f"C((N+1)^d + n - 1, n) orbits; {limits}")
    m = paper(d, n, N)
    exchanged = {}
    for name, text in cert.get("variant", {}).items():
        p, q = parsed(text, name)
        exchanged[name], rest = divmod(p * unit_of(m, name), q)
        kind = rest == 0 and (name != "sentinel" or p < 0) and (name != "sweep_factor" or p >= 1)
        if not kind or exchanged[name] == getattr(m, name):
            raise Rejected("FORMAT 3, variant", f"variant.{name}", "a number that may replace the paper's", brief(text))
        if len(text) > 1000:
            raise OverLimit(f"variant.{name} has {len(text)} characters, more than 1,000")
    return replace(m, **exchanged)


def statement_of(m: Model, *, over_orbits: bool) -> str:
    """FORMAT 9."""
    its, words = paper(m.d, m.n, m.N), []
    for name in VARIANT:
        here, there = (rational(getattr(numbers, name), unit_of(m, name)) for numbers in (m, its))
        words += [f"{name} = {here} (the paper: {there})"] if here != there else []
    what = f"a VARIANT of the contextual map, with {', '.join(words)}," if words else "the contextual map"
    return (
        f"At d = {m.d}, n = {m.n}, N = {m.N}, {what} of Lemma 6 of Yun et al. (ICLR 2020) was "
        f"{'run in exact numbers on every orbit of G+' if over_orbits else 'looked at; no orbit of G+ was run'}; "
        "each claim below has the verdict that stands with it."
    )


def skipped(claim: str, m: Model) -> str:
    """FORMAT 7 and 11: why a claim is not checked here, if so."""
    if claim in OF_THE_PAPER and m != paper(m.d, m.n, m.N):
        return "checked of the paper's own construction only"
    if claim.startswith("claim1.") and (m.d * m.n > 12 or m.n > 5):
        return f"checked with symbols up to d n = 12 and n = 5; here d n = {m.d * m.n}, n = {m.n}"
    if m.B > 500 and (claim == "lemma9.compact" or claim.startswith("exact.")):
        what = "bound fits" if claim == "lemma9.compact" else "keys fit"
        return f"its {what} a certificate up to B = 500; here B = {m.B}"
    return ""


def itself(claim: str, m: Model) -> int:
    """The cases of a claim about columns or about the construction itself."""
    if claim.startswith("claim1.") and not commutes(claim, m.d, m.n):
        raise Rejected("FORMAT 6, the symbols", "claims", "a layer that commutes", "one that does not", claim)
    bare = sum(min(column) >= 0 for column in m.columns)
    return {"grid.order": len(m.columns), "b5.ids": bare, "b5.ids-sentinel": len(m.columns) - bare}.get(claim, 1)


class Lemma6(Orbits):
    """The construction, and these claims about it."""

    def __init__(self, m: Model, ids: Sequence[str], options: Options) -> None:
        self.ids = [claim for claim in ids if not skipped(claim, m)]
        over_orbits = [claim for claim in self.ids if claim in DOMAIN]
        literal = options.literal or literal_steps(m, m.orbit_count) <= 10**6
        super().__init__(m, literal=literal, by_vertices=not literal and by_vertices(m, over_orbits))

    def statement(self, *, over_space: bool) -> str:
        return statement_of(self.m, over_orbits=over_space)

    def constants(self) -> dict[str, Number]:
        m = self.m
        numbers = {"delta": 1, "t_l": m.t_l, "t_r": m.t_r, "lemma10.lower": m.lower, "lemma10.upper": m.upper}
        return {name: Fraction(value, m.N) for name, value in numbers.items()}

    def skipped(self, claim: str) -> str:
        return skipped(claim, self.m)

    def over_space(self, claim: str) -> bool:
        return claim in DOMAIN

    def of_own(self, claims: Sequence[str]) -> dict[str, Ledger]:
        found = own.ledgers([claim for claim in claims if claim in own.OWN], self.m)
        return found | {claim: Ledger(itself(claim, self.m)) for claim in claims if claim not in own.OWN}

    def concluded(self, claim: str, ledger: Ledger, sizes: Sizes) -> tuple[Ledger, str]:
        m, later = self.m, Ledger()
        made = chain(*(room.conclusions(claim, m, sizes) for room in (claims, other)))
        if claim in PAIRS:
            near = vertices.neighbours(claim, m) if self.by_vertices else claims.neighbours(claim, m, ledger.values)
            made = chain(made, near)
        for relation in made:
            later.hold(relation, (), m.N)
        return later, "a single orbit: no pair exists" if claim in PAIRS and ledger.cases == 1 else ""

    def matrices(self, claim: str, key: Key) -> list[list[list[str]]]:
        m = self.m
        if claim in own.OWN:
            return own.matrices(claim, m, key)
        found = [[m.columns[c] for c in (m.orbit(rank) if claim in DOMAIN else (rank,))] for rank in key]
        return [[[rational(x, m.N) for x in row] for row in zip(*columns, strict=True)] for columns in found]

    @cached_property
    def work(self) -> int:
        m = self.m
        return steps(m, self.ids) * (counted(m, m.orbit_count) if self.by_vertices else m.orbit_count)

    def refuse_too_much(self, share: Share, options: Options) -> None:
        refuse_too_much(self.m, self.ids, share, options, vertices=self.by_vertices)

    def how(self, *, over_space: bool) -> str:
        """Heads are run where it is said so. Positions are always swept by the lemmas; all other heads are literal."""
        lemmas = [claim for claim in self.ids if claim in _BY_LEMMAS]
        said = []
        if over_space:
            said += [
                "each attention head run"
                if self.literal
                else f"{', '.join(lemmas) or 'the integer form'} by Lemmas H, S, P"
            ]
            said += ["orbits by Lemmas V, T"] if self.by_vertices else []
        swept = dict.fromkeys(claim.split(".")[0] for claim in self.ids if claim in positional.SWEPT)
        said += [f"{' and '.join(f'{family}.*' for family in swept)} by Lemmas H, S"] if swept else []
        return ", ".join(said)


def check(cert: dict[str, Any], options: Options) -> Outcome:
    """Checks the whole certificate, or the part asked for; returns only if all that was compared is as it must be."""
    return frame.check(PAPER, Lemma6(model_of(cert), [claim["id"] for claim in cert["claims"]], options), cert, options)


PAPER = Paper(
    name="yun2020",
    version=1,
    sizes=("d", "n", "N"),
    statements=STATEMENTS,
    categories=("category1", "category2", "category3"),
    constants=("delta", "t_l", "t_r", "lemma10.lower", "lemma10.upper"),
    check=check,
    pairs=frozenset(PAIRS),
    checked_too=frozenset(claim for claim, how in PAIRS.items() if how == "also"),
    excluded=EXCLUDED,
    variant=VARIANT,
)

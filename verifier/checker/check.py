"""FORMAT 3, 7-9: everything that a certificate says is derived anew and compared with what stands there."""

from __future__ import annotations

import collections
import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain, islice
from operator import mul
from typing import Any

from . import claims
from .claims import Cases, Ledger, Relation, neighbours
from .model import Model, literal, paper, rational
from .paper import orbits as other
from .paper import own
from .reading import VARIANT, Unreadable, brief
from .reading import rational as parsed
from .statements import EXCLUDED, IDS, OF_THE_PAPER, STATEMENTS
from .symbols import commutes

DOMAIN, PAIRS = claims.DOMAIN | other.DOMAINS, claims.PAIRS | other.PAIRS
Ranked = tuple[int, tuple[int, ...]]  # a rank and its orbit
_CATEGORY = {"1": "category1", "2": "category2", "3": "category2", "4": "category3", "5": "category3"}
_CATEGORIES = ("category1", "category2", "category3")


class OverLimit(Exception):
    """More work than the reader allowed; says how much."""


class Rejected(Exception):
    """The file says something that does not follow."""

    def __init__(self, rule: str, place: str, expected: str, found: str, claim: str = "") -> None:
        concerned = f"claim {claim}: " if claim else ""
        super().__init__(f"{concerned}{rule}: {place}: expected {expected}, found {found}")


@dataclass(frozen=True)
class Options:
    """How much the reader wants checked; no shards: all."""

    max_points: int = 5_000_000
    literal: bool = False
    shards: tuple[int, ...] = ()
    sample: int = 0
    seed: int = 0


@dataclass(frozen=True)
class Outcome:
    """A certificate that stood the check, and how it was checked; chosen: the shards of a check in part, or none."""

    m: Model
    literal: bool
    shards: int
    chosen: list[int]


def compare(expected: Any, found: Any, place: str, rule: str, claim: str = "") -> None:
    """Rejects at the first place where two JSON values differ."""
    if isinstance(expected, dict) and isinstance(found, dict):
        wanted, stands = expected, found
        inner = {key: f"{place}.{key}" for key in [*expected, *(key for key in found if key not in expected)]}
    elif isinstance(expected, list) and isinstance(found, list):
        wanted, stands = dict(enumerate(expected)), dict(enumerate(found))
        inner = {k: f"{place}[{k}]" for k in range(max(len(expected), len(found)))}
    elif expected == found:
        return
    else:
        raise Rejected(rule, place, brief(expected), brief(found), claim)
    for key, where in inner.items():
        if key in wanted and key in stands:
            text = wanted[key].get("relation") if isinstance(wanted[key], dict) else None
            compare(wanted[key], stands[key], where, f"{rule}, relation {text}" if text else rule, claim)
        else:
            expected, found = (brief(side[key]) if key in side else "nothing" for side in (wanted, stands))
            raise Rejected(rule, where, expected, found, claim)


def unit_of(m: Model, name: str) -> int:
    """The factors are counted in ones, all other numbers in units of delta."""
    return 1 if name in ("sweep_factor", "global_factor") else m.N


def model_of(cert: dict[str, Any], most: int) -> Model:
    """FORMAT 1 and 3: the instance and the numbers in force, if they make sense and are within the limits."""
    d, n, N = (cert["instance"][name] for name in ("d", "n", "N"))
    for name, value, least in (("d", d, 1), ("n", n, 2), ("N", N, 2)):
        if value < least:
            raise Rejected("FORMAT 1, instance", f"instance.{name}", f"at least {least}", brief(value))
    formula = "C((N+1)^d + n - 1, n) orbits"
    if n > 1000 or d > 20 or N > 10**6 or N**d > 10**6:
        raise OverLimit(f"{formula}; the checker's limits are n <= 1000 and B = N^d <= 1,000,000")
    m = paper(d, n, N)
    if m.orbit_count > most or m.orbit_count * n > 10 * most:
        exact = f"{m.orbit_count:,} orbits" if m.orbit_count < 10**60 else formula
        raise OverLimit(f"{exact} of {n} columns, more than {most:,}, or {10 * most:,} columns (--max-points)")
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


def statement_of(m: Model) -> str:
    """FORMAT 9."""
    its, words = paper(m.d, m.n, m.N), []
    for name in VARIANT:
        here, there = (rational(getattr(numbers, name), unit_of(m, name)) for numbers in (m, its))
        words += [f"{name} = {here} (the paper: {there})"] if here != there else []
    what = f"a VARIANT of the contextual map, with {', '.join(words)}," if words else "the contextual map"
    return (
        f"At d = {m.d}, n = {m.n}, N = {m.N}, {what} of Lemma 6 of Yun et al. (ICLR 2020) was run in exact numbers on "
        "every orbit of G+; each claim below has the verdict that stands with it."
    )


@dataclass
class Part:
    """What some orbits give: FORMAT 8's shard."""

    ledgers: dict[str, Ledger]
    sizes: dict[str, list[int]] = field(default_factory=lambda: {name: [0, 0] for name in (*_CATEGORIES, "total")})
    digest: int = 0

    def coverage(self) -> dict[str, dict[str, int]]:
        return {name: {"matrices": a, "orbits": b} for name, (a, b) in self.sizes.items()}

    def claims(self) -> dict[str, dict[str, Any]]:
        out: dict[str, dict[str, Any]] = {}
        for claim, ledger in self.ledgers.items():
            edges = {e: {"slack": rational(r.slack, r.unit), "rank": r.key[0]} for e, r in ledger.edges.items()}
            out[claim] = {"cases": ledger.cases} | ({"edges": edges} if edges else {})
            if ledger.first:
                out[claim] |= {"failing": ledger.failing, "first": ledger.first.key[0]}
        return out


@dataclass
class Run:
    """The construction being run, and the numbers that claims about pairs collect (number * orbit_count + rank)."""

    m: Model
    claims: list[str]
    literal: bool
    ends: list[int] = field(default_factory=list)
    entries: list[int] = field(default_factory=list)
    maxima: list[int] = field(default_factory=list)

    def take(self, ranked: Iterator[Ranked]) -> Part:
        part, m = Part({claim: Ledger() for claim in self.claims}), self.m
        ids, sentinels = m.ids, {k for k, c in enumerate(m.columns) if min(c) < 0}
        while block := list(islice(ranked, 1 + 16_000 // m.n)):
            kinds: dict[str, list[Ranked]] = {kind: [] for kind in _CATEGORY}
            for rank, orbit in block:
                if sentinels.isdisjoint(orbit):
                    different = len(set(orbit))
                    kinds["1" if different == m.n else "2" if different == 1 else "3"].append((rank, orbit))
                else:
                    kinds["4" if ids[orbit[-1]] < 0 else "5"].append((rank, orbit))
            for kind, found in kinds.items():
                if found:
                    self._kind(part, kind, found, ids)
        return part

    def _kind(self, part: Part, kind: str, found: list[Ranked], ids: list[int]) -> None:
        m, ranks, orbits = self.m, [rank for rank, _ in found], [orbit for _, orbit in found]
        before = [[ids[c] for c in orbit] for orbit in orbits]
        swept = [m.sweep(row) for row in before]
        after = [row for row, _ in swept]
        rows = (before, after, list(map(m.last, after)))
        turned = ([list(column) for column in zip(*part_rows, strict=True)] for part_rows in rows)
        c = Cases(ranks, orbits, [shifts for _, shifts in swept], *rows, *turned)
        for rank, orbit in found if self.literal else ():
            if differs := literal(m, orbit):
                raise Rejected("FORMAT 4, the literal heads", f"rank {rank}", "the form of Lemmas H, S, P", differs)
        matrices = len(found) * m.matrices(orbits[0]) if kind in "12" else sum(map(m.matrices, orbits))
        for name in (_CATEGORY[kind], "total"):
            part.sizes[name] = [part.sizes[name][0] + matrices, part.sizes[name][1] + len(found)]
        weights = range(1, m.n + 1)
        weighed = [sum(map(mul, weights, q)) for q in c.q_rows]
        part.digest = (part.digest + sum(map(mul, ranks, weighed)) + sum(weighed)) % (2**31 - 1)
        for claim, ledger in part.ledgers.items():
            if kind in (other.domain(claim, m) if claim in other.DOMAINS else DOMAIN[claim]):
                ledger.cases += matrices if claim == "lemma6.equivariant" else len(found)
                for made in chain(claims.relations(claim, m, c), other.relations(claim, m, c)):
                    ledger.hold(made, ranks, m.N)
        if kind == "1":
            self.ends += [t * m.orbit_count + rank for rank, t in zip(ranks, c.t[-1], strict=True)]
            if not {"lemma6.2", "lemma7.map-bounded"}.isdisjoint(self.claims):
                self.entries += [v * m.orbit_count + rank for q in c.q for rank, v in zip(ranks, q, strict=True)]
        if kind in "123" and "slides.one-dimensional-all" in self.claims:
            self.maxima += [max(t) * m.orbit_count + rank for rank, t in zip(ranks, c.t_rows, strict=True)]

    def collected(self, claim: str) -> list[int]:
        of_entries = claim in ("lemma6.2", "lemma7.map-bounded")
        return self.entries if of_entries else self.maxima if claim == "slides.one-dimensional-all" else self.ends

    def named(self, shard: dict[str, Any], place: str) -> Part:
        """Of a shard not chosen, the orbits that it names; what cannot be known from these is taken from the file."""
        ranks = {edge["rank"] for c in shard["claims"].values() for edge in c.get("edges", {}).values()}
        ranks |= {c["first"] for c in shard["claims"].values() if "first" in c}
        if any(not shard["start"] <= rank < shard["stop"] for rank in ranks):
            raise Rejected("FORMAT 8, a shard's own ranks", place, "ranks of this shard", "another rank")
        part = self.take((rank, self.m.orbit(rank)) for rank in sorted(ranks))
        for claim, said in shard["claims"].items():
            if claim in part.ledgers:
                part.ledgers[claim].cases, part.ledgers[claim].failing = said["cases"], said.get("failing", 0)
        part.sizes = {name: [size["matrices"], size["orbits"]] for name, size in shard["coverage"].items()}
        part.digest = int(shard["digest"].split("/")[0])
        return part


def entry(claim: str, m: Model, ledger: Ledger) -> dict[str, Any]:
    """FORMAT 7."""
    single = ledger.cases == 1  # of orbits there is no pair
    out: dict[str, Any] = {"id": claim, "statement": STATEMENTS[claim], "verdict": "holds", "cases": ledger.cases}

    def shown(r: Relation) -> dict[str, Any]:
        about: dict[str, Any] = {"relation": r.text, "value": r.value, "bound": r.bound}
        if claim in own.OWN:
            return about | dict(zip(("matrix", "other"), own.matrices(claim, m, r.key), strict=False))
        for name, rank in zip(("matrix", "other"), r.key, strict=False):
            made = [m.columns[c] for c in (m.orbit(rank) if claim in DOMAIN else (rank,))]
            about[name] = [[rational(x, m.N) for x in row] for row in zip(*made, strict=True)]
        return about

    if why := skipped(claim, m):
        return out | {"verdict": "skipped", "cases": 0, "why": why}
    if ledger.cases == 0:
        return out | {"verdict": "vacuous", "why": "no case exists"}
    if single and PAIRS.get(claim) == "alone":
        return out | {"verdict": "vacuous", "cases": 0, "why": "a single orbit: no pair exists"}
    if ledger.first:
        return out | {"verdict": "refuted", "counterexample": shown(ledger.first) | {"failing": ledger.failing}}
    if single and claim in PAIRS:
        out["why"] = "a single orbit: no pair exists"
    if ledger.edges:
        edges = [(r, shown(r) | {"slack": rational(r.slack, r.unit)}) for _, r in sorted(ledger.edges.items())]
        tightest = min([e for e in edges if e[0].key] or edges, key=lambda e: Fraction(e[0].slack, e[0].unit))
        out |= {"edges": [edge for _, edge in edges], "tightest": tightest[1]}
    return out


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


def check(cert: dict[str, Any], options: Options) -> Outcome:  # noqa: PLR0915 (in the order of the file)
    """Checks the whole certificate, or the part asked for; returns only if all that was compared is as it must be."""
    m = model_of(cert, options.max_points)
    ids = [claim["id"] for claim in cert["claims"]]
    compare([claim for claim in IDS if claim in ids], ids, "claims", "FORMAT 1, claims in order, each at most once")
    compare(statement_of(m), cert["statement"], "statement", "FORMAT 9, statement")
    numbers = {"delta": 1, "t_l": m.t_l, "t_r": m.t_r, "lemma10.lower": m.lower, "lemma10.upper": m.upper}
    said = {name: rational(value, m.N) for name, value in numbers.items()}
    compare(said, cert["constants"], "constants", "FORMAT 3, constants")
    total = Part({claim: Ledger() for claim in ids}, {name: list(size) for name, size in m.sizes().items()})
    compare(total.coverage(), cert["coverage"], "coverage", "FORMAT 6, grid.sizes, by formula")
    T, K = m.orbit_count, max(1, min(64, m.orbit_count // 1000))
    plan = [{"start": k * T // K, "stop": (k + 1) * T // K} for k in range(K)]
    stated = [{"start": shard["start"], "stop": shard["stop"]} for shard in cert["shards"]]
    compare(plan, stated, "shards", "FORMAT 8, shards tile the ranks")
    work = total.sizes["total"][0] * (m.B + 1) * m.n**2
    if options.literal and work > 10**9:
        raise OverLimit(f"{brief(work) if work < 10**60 else 'over 10^60'} steps of literal heads, more than 10^9")
    chosen = set(options.shards)
    if options.sample:
        chosen |= set(random.Random(options.seed).sample(range(K), min(K, options.sample)))  # noqa: S311
    if chosen and max(chosen) >= K:
        raise Unreadable(f"there is no shard {max(chosen)}: its shards are 0..{K - 1}")
    run_here = [claim for claim in ids if not skipped(claim, m)]
    apart = [claim for claim in run_here if claim in own.OWN]
    for claim in apart:
        if (cases := own.enumerated(claim, m)) > options.max_points:
            exact = f"{cases:,}" if cases < 10**60 else "over 10^60"
            raise OverLimit(f"{claim} has {exact} cases, more than {options.max_points:,} (--max-points)")
    run = Run(m, [claim for claim in run_here if claim in DOMAIN], options.literal or work <= 10**6)
    counted, orbits = Part({}), enumerate(m.orbits())
    for k, shard in enumerate(cert["shards"]):
        place, mine = f"shards[{k}]", islice(orbits, shard["stop"] - shard["start"])
        if chosen and k not in chosen:
            part = run.named(shard, place)
            collections.deque(mine, maxlen=0)  # skips them
        else:
            part = run.take(mine)
        compare(part.coverage(), shard["coverage"], f"{place}.coverage", "FORMAT 8, coverage of a shard")
        compare(str(part.digest), shard["digest"], f"{place}.digest", "FORMAT 8, digest")
        derived = part.claims()
        for claim in derived | shard["claims"]:
            wanted, stands = (side.get(claim) for side in (derived, shard["claims"]))
            compare(wanted, stands, f"{place}.claims.{claim}", "FORMAT 8, a claim in a shard", claim)
        for claim, ledger in part.ledgers.items():
            total.ledgers[claim].absorb(ledger)
        for name, size in part.sizes.items():
            counted.sizes[name] = [a + b for a, b in zip(counted.sizes[name], size, strict=True)]
    compare(total.coverage(), counted.coverage(), "shards[*].coverage", "FORMAT 8, the shards cover G+, by formula")
    not_covered = ["every other (d, n, N)", "every claim that is not listed"]
    total.ledgers |= own.ledgers(apart, m)
    for k, (claim, stands) in enumerate(zip(ids, cert["claims"], strict=True)):
        ledger, later = total.ledgers[claim], Ledger()
        if claim in run_here:
            if claim not in DOMAIN and claim not in own.OWN:
                later.cases = itself(claim, m)
            for made in chain(*(room.conclusions(claim, m, counted.sizes) for room in (claims, other))):
                later.hold(made, (), m.N)
            if claim in PAIRS and not chosen:
                for made in neighbours(claim, m, run.collected(claim)):
                    later.hold(made, (), m.N)
        ledger.absorb(later)
        wanted = entry(claim, m, ledger)
        if claim in PAIRS and chosen:  # what its neighbours give is not known
            wanted = stands | {name: wanted[name] for name in ("id", "statement", "cases")}
        compare(wanted, stands, f"claims[{k}]", "FORMAT 7", claim)
        not_covered += [f"{claim}: {stands['why']}"] if "why" in stands else []
    compare(not_covered, cert["not_covered"], "not_covered", "FORMAT 9, not_covered")
    verdicts = [claim["verdict"] for claim in cert["claims"] if claim["id"] not in EXCLUDED]
    verdict = "refuted" if "refuted" in verdicts else "incomplete" if "skipped" in verdicts else "holds"
    compare(verdict, cert["verdict"], "verdict", "FORMAT 1, verdict")
    return Outcome(m, run.literal, K, sorted(chosen))

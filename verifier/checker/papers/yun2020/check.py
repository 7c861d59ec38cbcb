"""FORMAT 3, 7-9: everything that a certificate says is derived anew and compared with the file."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import chain, product
from typing import Any

from ...core.comparing import OverLimit, Rejected, compare
from ...core.frame import verdict_of
from ...core.ledger import Ledger, Relation, rational
from ...core.paper import Outcome
from ...core.reading import brief
from ...core.reading import rational as parsed
from ...core.share import Options, plan, processes, share_of
from . import claims, own
from . import orbits as other
from .cost import by_vertices, counted, literal_steps, refuse_too_much, steps
from .model import VARIANT, Model, paper
from .shards import DOMAIN, Part, Run, shards_of
from .statements import EXCLUDED, IDS, OF_THE_PAPER, STATEMENTS
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


def outside(cert: dict[str, Any], m: Model, ids: list[str], *, over_orbits: bool) -> None:
    """Checks everything around the claims, and whatever can be compared before an orbit is run."""
    compare([claim for claim in IDS if claim in ids], ids, "claims", "FORMAT 1, claims in order, each at most once")
    compare(statement_of(m, over_orbits=over_orbits), cert["statement"], "statement", "FORMAT 9, statement")
    numbers = {"delta": 1, "t_l": m.t_l, "t_r": m.t_r, "lemma10.lower": m.lower, "lemma10.upper": m.upper}
    said = {name: rational(value, m.N) for name, value in numbers.items()}
    compare(said, cert["constants"], "constants", "FORMAT 3, constants")
    sizes = {name: {"matrices": a, "orbits": b} for name, (a, b) in m.sizes().items()}
    if not over_orbits:
        compare({}, cert["coverage"], "coverage", "FORMAT 8, no claim is about orbits")
        compare([], cert["shards"], "shards", "FORMAT 8, no claim is about orbits")
        return
    compare(sizes, cert["coverage"], "coverage", "FORMAT 6, grid.sizes, by formula")
    stated = [{"start": shard["start"], "stop": shard["stop"]} for shard in cert["shards"]]
    compare(
        [{"start": a, "stop": b} for a, b in plan(m.orbit_count)], stated, "shards", "FORMAT 8, shards tile the ranks"
    )
    counted = {name: dict.fromkeys(size, 0) for name, size in sizes.items()}
    for shard, name in product(cert["shards"], sizes):
        for what in counted[name]:
            counted[name][what] += shard["coverage"][name][what]
    compare(sizes, counted, "shards[*].coverage", "FORMAT 8, the shards cover G+, by formula")


def claims_of(cert: dict[str, Any], run: Run, every: Part, *, whole: bool) -> None:
    """FORMAT 7 and 9: the verdicts on each claim, and on the certificate, that follow from all orbits."""
    not_covered = ["every other (d, n, N)", "every claim that is not listed"]
    for k, stands in enumerate(cert["claims"]):
        claim, m, later = stands["id"], run.m, Ledger()
        ledger = every.ledgers.get(claim, Ledger())
        if not skipped(claim, m):
            if claim not in DOMAIN and claim not in own.OWN:
                later.cases = itself(claim, m)
            for made in chain(*(room.conclusions(claim, m, every.sizes) for room in (claims, other))):
                later.hold(made, (), m.N)
            if claim in PAIRS and whole:
                for made in run.neighbours(claim, every):
                    later.hold(made, (), m.N)
        ledger.absorb(later)
        wanted = entry(claim, m, ledger)
        if claim in PAIRS and not whole:  # what its relations between neighbours give is not known
            wanted = stands | {name: wanted[name] for name in ("id", "statement", "cases")}
        compare(wanted, stands, f"claims[{k}]", "FORMAT 7", claim)
        not_covered += [f"{claim}: {stands['why']}"] if "why" in stands else []
    compare(not_covered, cert["not_covered"], "not_covered", "FORMAT 9, not_covered")
    verdict = verdict_of(cert["claims"], EXCLUDED)
    compare(verdict, cert["verdict"], "verdict", "FORMAT 1, verdict")


def check(cert: dict[str, Any], options: Options) -> Outcome:
    """Checks the whole certificate, or the part asked for; returns only if all that was compared is as it must be."""
    m = model_of(cert)
    ids = [claim["id"] for claim in cert["claims"]]
    run_here = [claim for claim in ids if not skipped(claim, m)]
    outside(cert, m, ids, over_orbits=any(claim in DOMAIN for claim in run_here))
    over_orbits = [claim for claim in run_here if claim in DOMAIN]
    literal = options.literal or literal_steps(m, m.orbit_count) <= 10**6
    vertices = not literal and by_vertices(m, over_orbits)
    work = steps(m, run_here) * (counted(m, m.orbit_count) if vertices else m.orbit_count)
    share = share_of(cert, m.orbit_count, work, options)
    refuse_too_much(m, run_here, share, options, vertices=vertices)
    run = Run(m, over_orbits, literal, share.whole, vertices)
    every = shards_of(cert, run, share, processes(work * share.cases(m.orbit_count) // m.orbit_count, options))
    every.ledgers |= own.ledgers([claim for claim in run_here if claim in own.OWN], m)
    claims_of(cert, run, every, whole=share.whole)
    lemmas = [claim for claim in ids if claim in _BY_LEMMAS]
    how = "each attention head run" if literal else f"{', '.join(lemmas) or 'the integer form'} by Lemmas H, S, P"
    how += ", orbits by Lemmas V, T" if vertices else ""
    return Outcome(how, len(cert["shards"]), share)

"""FORMAT 8: a shard derived anew, orbit by orbit or by vertices; or of one that isn't, the orbits that it names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import chain, islice, pairwise
from operator import mul
from typing import Any

from ...core.comparing import Rejected, compare
from ...core.ledger import Ledger, Made, rational
from ...core.parallel import each
from ...core.reading import brief
from ...core.share import Share
from . import claims, vertices
from . import orbits as other
from .claims import Cases
from .model import Model, literal
from .vertices import Digest, Simplex, affine, simplices

DOMAIN = claims.DOMAIN | other.DOMAINS
Ranked = tuple[int, tuple[int, ...]]  # a rank and its orbit
_CATEGORY = {"1": "category1", "2": "category2", "3": "category2", "4": "category3", "5": "category3"}
_CATEGORIES = ("category1", "category2", "category3")


@dataclass
class Part:
    """The result for some orbits, with the members of a shard in FORMAT 8."""

    ledgers: dict[str, Ledger]
    sizes: dict[str, list[int]] = field(default_factory=lambda: {name: [0, 0] for name in (*_CATEGORIES, "total")})
    digest: int = 0
    ends: list[int] = field(default_factory=list)  # for claims about pairs, if needed: number * orbit_count + rank
    entries: list[int] = field(default_factory=list)
    maxima: list[int] = field(default_factory=list)

    def add(self, other: Part) -> None:
        for claim, ledger in other.ledgers.items():
            self.ledgers[claim].absorb(ledger)
        for name, size in other.sizes.items():
            self.sizes[name] = [a + b for a, b in zip(self.sizes[name], size, strict=True)]
        self.digest = (self.digest + other.digest) % (2**31 - 1)
        for ours, more in zip(self.collected, other.collected, strict=True):
            ours.extend(more)

    @property
    def collected(self) -> tuple[list[int], list[int], list[int]]:
        return self.ends, self.entries, self.maxima

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
    """The construction being run, and how."""

    m: Model
    claims: list[str]
    literal: bool
    whole: bool = True  # all orbits will be run, so that pairs can be compared
    by_vertices: bool = False  # Lemma V: where nothing fails at the vertices of some simplices, no other orbit is run

    @cached_property
    def sentinels(self) -> set[int]:
        """The columns that have one."""
        return {k for k, column in enumerate(self.m.columns) if min(column) < 0}

    @cached_property
    def digest(self) -> Digest:
        return Digest(self.m)

    def empty(self) -> Part:
        return Part({claim: Ledger() for claim in self.claims})

    def between(self, start: int, stop: int) -> Part:
        """The orbits of rank start to stop - 1."""
        if not self.by_vertices:
            return self.take(self.m.orbits(start, stop))
        part, left = self.empty(), simplices(self.m, start, stop)
        while block := list(islice(left, 1 + 6_000 // self.m.n)):
            found = self.weighed(block)
            part.add(found or self.take(chain.from_iterable(simplex.points() for simplex in block)))
        return part

    def take(self, ranked: Iterator[Ranked]) -> Part:
        """These orbits, one by one."""
        part, m = self.empty(), self.m
        while block := list(islice(ranked, 1 + 16_000 // m.n)):
            kinds: dict[str, list[Ranked]] = {}
            for rank, orbit in block:
                kinds.setdefault(self.kind(orbit), []).append((rank, orbit))
            for kind, found in kinds.items():
                c = self.cases(found)
                for rank, orbit in found if self.literal else ():
                    if differs := literal(m, orbit):
                        raise Rejected(
                            "FORMAT 4, the literal heads", f"rank {rank}", "the form of Lemmas H, S, P", differs
                        )
                same = kind in "12"
                matrices = len(found) * m.matrices(found[0][1]) if same else sum(m.matrices(its) for _, its in found)
                part.digest += sum((rank + 1) * weight for rank, weight in zip(c.ranks, self.weights(c), strict=True))
                self.hold(part, kind, c, len(found), matrices)
                if self.by_vertices and kind == "1" and not self.closed(c):
                    raise ArithmeticError("Lemma T: the closed form fails")
                if self.whole and not self.by_vertices:
                    self.collect(part, kind, c)
        return part

    def weighed(self, block: list[Simplex]) -> Part | None:
        """The result for the orbits of some simplices by Lemma V; None if it doesn't apply, or if a relation fails."""
        part, m = self.empty(), self.m
        kinds: dict[str, list[Simplex]] = {}
        for simplex in block:
            kinds.setdefault(self.kind(simplex.vertices[0][1]), []).append(simplex)
        for kind, found in kinds.items():
            c = self.cases([vertex for simplex in found for vertex in simplex.vertices])
            weights, at, orbits, matrices = self.weights(c), 0, 0, 0
            for simplex in found:
                its = range(at, at + len(simplex.vertices))
                if not affine(m, kind, c, its):
                    return None
                part.digest += self.digest.of(simplex, weights[its.start : its.stop])
                at, size = its.stop, simplex.size
                orbits, matrices = orbits + size, matrices + size * m.matrices(simplex.vertices[0][1])
            self.hold(part, kind, c, orbits, matrices)
            if kind == "1" and not self.closed(c):
                return None
        return None if any(ledger.first for ledger in part.ledgers.values()) else part

    def kind(self, orbit: tuple[int, ...]) -> str:
        """As in claims.DOMAIN."""
        if self.sentinels.isdisjoint(orbit):
            different = len(set(orbit))
            return "1" if different == self.m.n else "2" if different == 1 else "3"
        return "4" if self.m.ids[orbit[-1]] < 0 else "5"

    def cases(self, found: list[Ranked]) -> Cases:
        """The run of these orbits, which are of one kind."""
        m, ranks, orbits = self.m, [rank for rank, _ in found], [orbit for _, orbit in found]
        before = [[m.ids[c] for c in orbit] for orbit in orbits]
        swept = [m.sweep(row) for row in before]
        after = [row for row, _ in swept]
        rows = (before, after, list(map(m.last, after)))
        turned = ([list(column) for column in zip(*part_rows, strict=True)] for part_rows in rows)
        return Cases(ranks, orbits, [shifts for _, shifts in swept], *rows, *turned)

    def weights(self, c: Cases) -> list[int]:
        """FORMAT 8, the digest: q_1 + 2 q_2 + ... + n q_n of each case."""
        numbers = range(1, self.m.n + 1)
        return [sum(map(mul, numbers, q)) for q in c.q_rows]

    def hold(self, part: Part, kind: str, c: Cases, orbits: int, matrices: int) -> None:
        """Their relations, which stand for those of so many orbits."""
        m = self.m
        for name in (_CATEGORY[kind], "total"):
            part.sizes[name] = [part.sizes[name][0] + matrices, part.sizes[name][1] + orbits]
        part.digest %= 2**31 - 1
        for claim, ledger in part.ledgers.items():
            if kind in (other.domain(claim, m) if claim in other.DOMAINS else DOMAIN[claim]):
                ledger.cases += matrices if claim == "lemma6.equivariant" else orbits
                for made in chain(claims.relations(claim, m, c), other.relations(claim, m, c)):
                    ledger.hold(made, c.ranks, m.N)

    def closed(self, c: Cases) -> bool:
        """Whether the values have the closed form of which Lemma T speaks, be it claimed or not."""
        ledger = Ledger()
        for made in chain.from_iterable(
            claims.relations(claim, self.m, c) for claim in ("b5.closed-form", "b5.global")
        ):
            ledger.hold(made, c.ranks, self.m.N)
        return ledger.first is None

    def collect(self, part: Part, kind: str, c: Cases) -> None:
        """The numbers that claims about pairs compare."""
        count = self.m.orbit_count
        if kind == "1":
            part.ends += [t * count + rank for rank, t in zip(c.ranks, c.t[-1], strict=True)]
            if not {"lemma6.2", "lemma7.map-bounded"}.isdisjoint(self.claims):
                part.entries += [v * count + rank for q in c.q for rank, v in zip(c.ranks, q, strict=True)]
        if kind in "123" and "slides.one-dimensional-all" in self.claims:
            part.maxima += [max(t) * count + rank for rank, t in zip(c.ranks, c.t_rows, strict=True)]

    def neighbours(self, claim: str, every: Part) -> Iterator[Made]:
        """FORMAT 6: the relations between neighbours, when every orbit was run."""
        if self.by_vertices:
            return vertices.neighbours(claim, self.m)
        of_entries = claim in ("lemma6.2", "lemma7.map-bounded")
        coded = every.entries if of_entries else every.maxima if claim == "slides.one-dimensional-all" else every.ends
        return claims.neighbours(claim, self.m, coded)

    def named(self, shard: dict[str, Any], place: str) -> Part:
        """A shard that was not chosen: the orbits that it names are derived; the rest is taken from the file."""
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

    def bounded_by(self, shard: dict[str, Any], stretch: tuple[int, int, int], place: str, jobs: int) -> None:
        """Rejects a shard if a stretch of it exceeds its counts, or has an earlier failure or a tighter case."""
        rule, (_, start, stop) = "FORMAT 8, a stretch of a shard", stretch
        part = self.empty()
        edges = [start + k * (stop - start) // jobs for k in range(jobs + 1)]
        for more in each(self.between, list(pairwise(edges)), jobs):
            part.add(more)
        for claim, derived in part.claims().items():
            said = shard["claims"].get(claim, {})
            for edge, found in derived.get("edges", {}).items():
                stands = said.get("edges", {}).get(edge)
                first = stands and (Fraction(stands["slack"]), stands["rank"])
                if not first or first > (Fraction(found["slack"]), found["rank"]):
                    where = f"{place}.claims.{claim}.edges.{edge}"
                    raise Rejected(rule, where, f"at most {brief(found)}", brief(stands or "nothing"), claim)
            for count in ("cases", "failing"):
                if derived.get(count, 0) > said.get(count, 0):
                    where = f"{place}.claims.{claim}.{count}"
                    raise Rejected(rule, where, f"at least {derived[count]}", brief(said.get(count, 0)), claim)
            if "first" in derived and said.get("first", shard["stop"]) > derived["first"]:
                where = f"{place}.claims.{claim}.first"
                raise Rejected(rule, where, f"at most {derived['first']}", brief(said.get("first", "nothing")), claim)
        for name, size in part.coverage().items():
            for what, many in size.items():
                if many > shard["coverage"][name][what]:
                    where = f"{place}.coverage.{name}.{what}"
                    raise Rejected(rule, where, f"at least {many}", brief(shard["coverage"][name][what]))


def shards_of(cert: dict[str, Any], run: Run, share: Share, jobs: int) -> Part:
    """FORMAT 8: each shard is derived anew, or the orbits that it names are; what all of them give together."""
    anew = each(run.between, [(cert["shards"][k]["start"], cert["shards"][k]["stop"]) for k in share.shards], jobs)
    total = run.empty()
    for k, shard in enumerate(cert["shards"]):
        place = f"shards[{k}]"
        if share.stretch and share.stretch[0] == k:
            run.bounded_by(shard, share.stretch, place, jobs)
        part = next(anew) if k in share.shards else run.named(shard, place)
        compare(part.coverage(), shard["coverage"], f"{place}.coverage", "FORMAT 8, coverage of a shard")
        compare(str(part.digest), shard["digest"], f"{place}.digest", "FORMAT 8, digest")
        derived = part.claims()
        for claim in derived | shard["claims"]:
            wanted, stands = (side.get(claim) for side in (derived, shard["claims"]))
            compare(wanted, stands, f"{place}.claims.{claim}", "FORMAT 8, a claim in a shard", claim)
        total.add(part)
    return total

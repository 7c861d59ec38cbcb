"""FORMAT 8: orbits derived many at a time, one by one or by the vertices of simplices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, islice
from operator import mul

from ...core import frame
from ...core.comparing import Rejected
from ...core.frame import Part, Sizes
from ...core.ledger import Ledger
from . import claims
from . import orbits as other
from .claims import Cases
from .model import Model, literal
from .vertices import Digest, Simplex, affine, simplices

DOMAIN = claims.DOMAIN | other.DOMAINS
Ranked = tuple[int, tuple[int, ...]]  # a rank and its orbit
_CATEGORY = {"1": "category1", "2": "category2", "3": "category2", "4": "category3", "5": "category3"}
OVER_MATRICES = "lemma6.equivariant"  # of which each matrix is a case


class Orbits(frame.Model):
    """The construction at one instance, run on many orbits at a time."""

    one, several = "orbit", "orbits"
    in_processes = True

    def __init__(self, m: Model, *, literal: bool, by_vertices: bool) -> None:
        self.m = m
        self.literal = literal
        self.by_vertices = (
            by_vertices  # Lemma V: where nothing fails at the vertices of some simplices, no other is run
        )

    @property
    def sizes(self) -> Sizes:
        return self.m.sizes()

    @cached_property
    def sentinels(self) -> set[int]:
        """The columns that have one."""
        return {k for k, column in enumerate(self.m.columns) if min(column) < 0}

    @cached_property
    def digest_of(self) -> Digest:
        return Digest(self.m)

    def between(self, claims: Sequence[str], start: int, stop: int) -> Part:
        """The orbits of rank start to stop - 1."""
        if not self.by_vertices:
            return self.take(claims, self.m.orbits(start, stop))
        part, left = self.empty(claims), simplices(self.m, start, stop)
        while block := list(islice(left, 1 + 6_000 // self.m.n)):
            found = self.weighed(claims, block)
            part.add(found or self.take(claims, chain.from_iterable(simplex.points() for simplex in block)))
        return part

    def at(self, claims: Sequence[str], ranks: Iterable[int]) -> Part:
        return self.take(claims, ((rank, self.m.orbit(rank)) for rank in ranks))

    def take(self, claims: Sequence[str], ranked: Iterator[Ranked]) -> Part:
        """These orbits, one by one."""
        part, m = self.empty(claims), self.m
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
                digest = sum((rank + 1) * weight for rank, weight in zip(c.ranks, self.weights(c), strict=True))
                self.hold(part, kind, c, len(found), matrices, digest)
                if self.by_vertices and kind == "1" and not self.closed(c):
                    raise ArithmeticError("Lemma T: the closed form fails")
                if not self.by_vertices:
                    self.collect(part, kind, c)
        return part

    def weighed(self, claims: Sequence[str], block: list[Simplex]) -> Part | None:
        """The result for the orbits of some simplices by Lemma V; None if it doesn't apply, or if a relation fails."""
        part, m = self.empty(claims), self.m
        kinds: dict[str, list[Simplex]] = {}
        for simplex in block:
            kinds.setdefault(self.kind(simplex.vertices[0][1]), []).append(simplex)
        for kind, found in kinds.items():
            c = self.cases([vertex for simplex in found for vertex in simplex.vertices])
            weights, at, orbits, matrices, digest = self.weights(c), 0, 0, 0, 0
            for simplex in found:
                its = range(at, at + len(simplex.vertices))
                if not affine(m, kind, c, its):
                    return None
                digest += self.digest_of.of(simplex, weights[its.start : its.stop])
                at, size = its.stop, simplex.size
                orbits, matrices = orbits + size, matrices + size * m.matrices(simplex.vertices[0][1])
            self.hold(part, kind, c, orbits, matrices, digest)
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

    def hold(self, part: Part, kind: str, c: Cases, orbits: int, matrices: int, digest: int) -> None:
        """Their relations, which stand for those of so many orbits."""
        m = self.m
        part.count(_CATEGORY[kind], matrices, orbits, digest)
        for claim, ledger in part.ledgers.items():
            if kind in self.kinds(claim):
                ledger.cases += matrices if claim == OVER_MATRICES else orbits
                for made in chain(claims.relations(claim, m, c), other.relations(claim, m, c)):
                    ledger.hold(made, c.ranks, m.N)

    def kinds(self, claim: str) -> str:
        """Of orbits, those in its domain."""
        return other.domain(claim, self.m) if claim in other.DOMAINS else DOMAIN[claim]

    def cases_among(self, claim: str, sizes: Sizes) -> tuple[int, int]:
        """A category may have two kinds of orbits, and a claim be about one of them."""
        in_domain = {
            name: [kind in self.kinds(claim) for kind, its in _CATEGORY.items() if its == name] for name in sizes
        }
        size = {name: matrices if claim == OVER_MATRICES else orbits for name, (matrices, orbits) in sizes.items()}
        least, most = (sum(size[name] for name, its in in_domain.items() if its and of(its)) for of in (all, any))
        return least, most

    def closed(self, c: Cases) -> bool:
        """Whether the values have the closed form of which Lemma T speaks, be it claimed or not."""
        ledger = Ledger()
        for made in chain.from_iterable(
            claims.relations(claim, self.m, c) for claim in ("b5.closed-form", "b5.global")
        ):
            ledger.hold(made, c.ranks, self.m.N)
        return ledger.first is None

    def collect(self, part: Part, kind: str, c: Cases) -> None:
        """The numbers that claims about pairs compare, each with its rank."""
        for claim, ledger in part.ledgers.items():
            if kind in self.kinds(claim):
                for numbers in collected(claim, c):
                    ledger.values += [v * self.m.orbit_count + rank for rank, v in zip(c.ranks, numbers, strict=True)]


def collected(claim: str, c: Cases) -> Sequence[Sequence[int]]:
    if claim in ("lemma10.injective", "b5.interval"):
        return [c.t[-1]]
    if claim in ("lemma6.2", "lemma7.map-bounded"):
        return c.q
    return [list(map(max, c.t_rows))] if claim == "slides.one-dimensional-all" else []

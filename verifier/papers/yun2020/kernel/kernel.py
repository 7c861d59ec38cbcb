"""The kernel: runs the paper's construction, or a variant with other numbers, on a shard, in whole multiples of delta.

It computes the ids of every orbit by the formulas that FORMAT.md 4 derives for the layers (Lemmas H, S and P, by which
b5.head, b5.shift, b5.lattice and lemma6.equivariant hold), and keeps the tightest case of every inequality of the
contextual-map family. An orbit that isn't as the paper claims is *irregular*. The kernel concludes nothing from it: the
claims' own relations are evaluated, orbit by orbit (engine.py).

Distinctness needs no memory: the closed form that was compared on every orbit is a decoder. l~_j - k_j =
B (l~_{j-1} - k_j) with 0 <= k_j < B gives k_j = l~_j mod B and then l~_{j-1}, from l~_n down to l~_0 = k_n; and
q_j = l~_j + B^(n+1) l~_n with 0 <= l~_j < B^(n+1) determines both summands. So every value leads back to its own column
and its own context, and no two can be the same.

compiled.py runs it in C; plain.py, one orbit at a time in Python's whole numbers, has no bounds at all: it takes over
where there is no C library, or where a bound that is computed beforehand (`Numbers.most`) says that a number could
leave its width, and C is compared with it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise, product
from operator import mul

from gmpy2 import mpq

from verifier.core.claim import Claim, Edge
from verifier.core.exact import Q
from verifier.core.multisets import unrank
from verifier.core.space import Sizes
from verifier.papers.yun2020 import edges
from verifier.papers.yun2020.contextual_map import ContextualMap, contextual_map
from verifier.papers.yun2020.instance import Instance
from verifier.run.shard import Count, Part, Shard, total_up

MOST_TOKENS = 64  # in kernel.c

_NEAREST = Edge(
    "", "nearest", ">", "0"
)  # belongs to no claim: the least distance of two values of l~_n, for use in this folder
SLOTS = (  # in the order of kernel.c
    edges.FIRST_SHIFT,
    edges.ORDER,
    edges.LOWER,
    edges.UPPER,
    edges.INTERVAL_LOW,
    edges.INTERVAL_HIGH,
    edges.DISTINCT,
    edges.INSIDE_LOW,
    edges.INSIDE_HIGH,
    _NEAREST,
    edges.CAT2_SWEPT,
    edges.CAT2_FINAL,
    edges.OUTSIDE_LOW,
    edges.OUTSIDE_HIGH,
    edges.CAT3_MINIMUM,
    edges.CAT3_NEGATIVE,
    edges.CAT3_FIRST_SHIFT,
    edges.CAT3_SHIFTED,
    edges.CAT3_BELOW,
    edges.CAT3_BEYOND,
)
SLOT = {edge: slot for slot, edge in enumerate(SLOTS)}
NEAREST = SLOT[_NEAREST]

# Which orbits a claim is about: Categories 1, 2, 3, and the parts of 2 (constant, reduced) and 3 (negative, mixed).
DOMAINS = {
    "123": "grid.sizes b5.head b5.shift b5.lattice lemma6.equivariant",
    "12": "grid.duplicates",
    "1": "b5.first-shift b5.closed-form b5.order b5.max-min lemma10.lower lemma10.upper lemma10.injective b5.global"
    " b5.interval lemma6.1 lemma6.2 lemma6.3",
    "2": "b5.cat2-bound",
    "c": "b5.cat2-constant",
    "r": "b5.cat2-reduced",
    "3": "b5.cat3-minimum b5.cat3-final",
    "n": "b5.cat3-negative",
    "m": "b5.cat3-shift",
    "23": "lemma6.4",
}
DOMAIN = {claim: kinds for kinds, claims in DOMAINS.items() for claim in claims.split()}


@dataclass(frozen=True)
class Numbers:
    """The instance in whole numbers: the ids of all columns in order, and every bound, in units of delta."""

    n: int
    sentinels: int  # how many columns have a sentinel; they come first
    B: int
    factor: int  # of the sweep; b5.shift claims that it is delta^-d = B
    ids: tuple[int, ...]
    lower: int
    upper: int
    P: int  # B^(n+1), the paper's factor of the global shift
    G: int  # the factor of the global shift; the paper's is P
    t_l: int
    t_r: int
    final_bound: int

    @property
    def most(self) -> int:
        """A bound on every number of a run: ids after the sweep are at most (2B)^n times the largest id, and so on."""
        largest: int = max(abs(self.ids[0]), abs(self.ids[-1]))
        swept = largest * (2 * max(self.B, self.factor) + 1) ** self.n
        edge = max(abs(self.t_l), abs(self.t_r))
        return int(max((max(self.P, abs(self.G)) + 1) * swept + edge, self.final_bound) * self.n)

    @property
    def most_swept(self) -> int:
        """A bound on the ids after the sweep, and on every bound that values are compared with."""
        swept: int = self.most_of_ids * (2 * max(self.B, self.factor) + 1) ** self.n
        return max(swept, abs(self.t_l), abs(self.t_r), self.final_bound)

    @property
    def has_papers_factors(self) -> bool:
        """Whether both factors are the paper's; then values of Categories 1 and 2 are below (P + 1) P."""
        return self.factor == self.B and self.G == self.P

    @property
    def most_of_ids(self) -> int:
        return max(abs(self.ids[0]), abs(self.ids[-1]))

    @property
    def most_of_category1(self) -> int:
        """A bound on the numbers of Category 1, except those that are computed in 128 bits anyway."""
        return int((self.n + 2) * self.B ** (self.n + 1))


@dataclass(frozen=True)
class Numbered:
    """A construction given by its numbers: the paper's, except those that are exchanged."""

    instance: Instance
    exchanged: tuple[tuple[str, mpq], ...] = ()

    @property
    def map(self) -> ContextualMap:
        return contextual_map(self.instance, **dict(self.exchanged))  # type: ignore[arg-type]


def numbered(g: ContextualMap) -> Numbered | str:
    """The construction given by its numbers, if the kernel can run these; else the reason why not."""
    changed = g.exchanged
    if changed is None:
        return "it differs from the paper's in more than numbers"
    for name, value in changed.items():
        unit = 1 if name.endswith("factor") else g.instance.N
        if int((unit * value).denominator) != 1:
            return f"its {name}, {value}, is no whole multiple of {'delta' if unit > 1 else '1'}"
    if changed.get("sweep_factor", Q(1)) < 1:
        return f"its sweep_factor, {changed['sweep_factor']}, is below 1"
    if changed.get("sentinel", Q(-1)) >= 0:
        return f"its sentinel, {changed['sentinel']}, is not below 0"
    result = Numbered(g.instance, tuple(changed.items()))
    x = numbers(result)
    if x.sentinels != len(x.ids) - x.B or not all(a < b for a, b in pairwise(x.ids)):
        return "a column with a sentinel has an id that isn't below 0, or that of another column"
    return result


def numbers(construction: Numbered | Instance) -> Numbers:
    of = construction if isinstance(construction, Numbered) else Numbered(construction)
    instance, changed = of.instance, dict(of.exchanged)
    B, n, N = instance.B, instance.n, instance.N

    def whole_number(name: str, papers: int, unit: int = N) -> int:
        return int((unit * changed[name]).numerator) if name in changed else papers

    alphabet = (whole_number("sentinel", -N * N ** (n * instance.d)), *range(N))
    weights = [N**row for row in range(instance.d)]
    whole = tuple(sorted(sum(map(mul, column, weights)) for column in product(alphabet, repeat=instance.d)))
    return Numbers(
        n=n,
        sentinels=sum(id_ < 0 for id_ in whole),
        B=B,
        factor=whole_number("sweep_factor", B, 1),
        ids=whole,
        lower=B ** (n - 1) * (B - 1),
        upper=B**n * (B - 1) - (B - 1) ** 2,
        P=B ** (n + 1),
        G=whole_number("global_factor", B ** (n + 1), 1),
        t_l=whole_number("t_l", B ** (2 * n) * (B - 1)),
        t_r=whole_number("t_r", B ** (2 * n + 1) * (B - 1)),
        final_bound=B ** (2 * n + 2),
    )


def knows(claims: Iterable[Claim]) -> bool:
    return all(claim.id in DOMAIN for claim in claims)


@dataclass
class Totals:
    """What the kernel counts in a stretch of orbits."""

    tightest: list[tuple[int, int] | None]  # slack, rank, by slot
    orbits: list[int]
    matrices: list[int]
    parts: dict[str, int]  # c(onstant), r(educed), n(egative), m(ixed)
    digest: int = 0


def part_of(N: int, claims: list[Claim], start: int, stop: int, totals: Totals) -> Part:
    """The shard, as the literal network would have counted it."""
    by_kind = {"1": totals.orbits[0], "2": totals.orbits[1], "3": totals.orbits[2], **totals.parts}
    counts = {}
    for claim in claims:
        cases = sum(by_kind[kind] for kind in DOMAIN[claim.id])
        if claim.domain.over_matrices:
            cases = sum(totals.matrices)
        edges = {
            str(edge): (Q(found[0], N), found[1])
            for edge, found in zip(SLOTS, totals.tightest, strict=True)
            if edge.claim == claim.id and found is not None
        }
        counts[claim.id] = Count(cases, edges=edges)
    coverage = total_up(
        [{f"category{k + 1}": Sizes(totals.matrices[k], totals.orbits[k]) for k in range(3)}],
    )
    return Part(Shard(start, stop, coverage, Q(totals.digest), counts), nearest=totals.tightest[NEAREST])


def decoded(construction: Numbered, part: Part) -> Part:
    """The part, without its collected values if each of them leads back to its own column and context: that is, if it
    equals the closed form of these with the paper's factors."""
    values = part.values
    x, N = numbers(construction), construction.instance.N
    seen: dict[str, dict[int, list[int]]] = {claim: {} for claim in values}
    for claim, found in values.items():
        for value, rank in found:
            if int((N * value).denominator) != 1:
                return part
            seen[claim].setdefault(rank, []).append(int((N * value).numerator))
    nearest = []
    for rank in {rank for found in values.values() for _, rank in found}:
        k = [x.ids[column] for column in unrank(rank, len(x.ids), x.n)]
        swept, before = [], k[-1]
        for k_j in k:
            before = k_j + x.B * (before - k_j)
            swept.append(before)
        expected = {"lemma6.2": [s_j + x.P * before for s_j in swept]}
        if any(by_rank.get(rank, []) != expected.get(claim, [before]) for claim, by_rank in seen.items()):
            return part
        if k[-1] < x.B - 1:
            nearest.append((x.P - (before - swept[0] - 1), rank))
    return replace(part, values={}, nearest=min(nearest, default=None))

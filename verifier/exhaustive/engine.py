"""Which engine runs the orbits: the literal network, or the kernel where it knows the construction.

    literal   every layer of the network on every orbit, every ordered matrix for lemma6.equivariant; the truth
    kernel    the paper's construction in whole numbers: compiled C in 64 and 128 bits where exact bounds allow it,
              Python's whole numbers where they don't, or where there is no compiler

Both give the same shards, to the last digit.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from verifier.claims.claim import Claim
from verifier.constructions.contextual_map import ContextualMap, is_the_papers
from verifier.exhaustive import compiled, kernel, plain
from verifier.exhaustive.literal import run_literally
from verifier.exhaustive.shard import Part
from verifier.exhaustive.stop import UnknownEngine
from verifier.exhaustive.watch import Tell
from verifier.grid import multisets, rank, unrank
from verifier.instance import Instance

ENGINES = ("auto", "literal", "kernel")
BY_LEMMAS = "b5.head, b5.shift, b5.lattice and lemma6.equivariant by Lemmas H, S, P"

# Up to so many columns to run through a layer the literal network is quick enough to be the one that is asked.
QUICK = 600_000

_WIDE, _NARROW = 2**126, 2**62


@dataclass(frozen=True)
class Engine:
    name: str
    words: str
    run: Callable[[int, int, Tell], Part]
    a_second: int  # about how many orbits it gets through; decides what is worth other processes, and nothing else

    def seconds(self, orbits: int) -> int:
        return orbits // self.a_second


def work(g: ContextualMap, claims: Sequence[Claim]) -> int:
    """Columns that the literal network would run through a layer."""
    columns, n = len(g.grid.columns), g.instance.n
    matrices = columns**n if any(claim.domain.over_matrices for claim in claims) else 0
    return (multisets(columns, n) + matrices) * n * len(g.network)


def choose_engine(g: ContextualMap, claims: Sequence[Claim], name: str) -> Engine:
    known = kernel.knows(claims) and g.instance.n <= kernel.MOST_TOKENS and is_the_papers(g)
    if name not in ENGINES:
        raise UnknownEngine(f"{name!r} is no engine; there are {', '.join(ENGINES)}")
    if name == "kernel" and not known:
        raise UnknownEngine("the kernel runs the paper's own construction and the contextual-map family alone")
    if name == "literal" or not known or (name == "auto" and work(g, claims) <= QUICK):
        a_second = max(1, 80_000 * multisets(len(g.grid.columns), g.instance.n) // max(1, work(g, claims)))
        return Engine(
            "literal",
            "the literal network",
            lambda start, stop, tell: run_literally(g, claims, start, stop, tell),
            a_second,
        )
    return kernel_engine(g.instance, list(claims))


def kernel_engine(instance: Instance, claims: list[Claim]) -> Engine:
    """The kernel for an instance of the paper's construction; it has no network."""
    N = instance.N
    x = kernel.numbers(instance)
    in_C = x.most < _WIDE and compiled.library() is not None
    fast = x.most_of_category1 < _NARROW

    def run(start: int, stop: int, tell: Tell) -> Part:
        if in_C:
            totals = compiled.run_compiled(x, start, stop, tell, fast=fast)
        else:
            totals = plain.run_plainly(x, start, stop, tell)
        return kernel.part_of(N, claims, start, stop, totals)

    width = f"C, {'64 and ' if fast else ''}128 bits" if in_C else "Python's whole numbers"
    return Engine("kernel", f"the kernel ({width}); {BY_LEMMAS}", run, 200_000_000 if in_C else 100_000)


def nearest_pair(g: ContextualMap, claim: str, parts: Sequence[Part]) -> tuple[int, ...]:
    """The ranks of the two contexts that a claim about pairs is tightest at, when every value was decoded.

    l~_n and l~_n + 1 belong to a context and to its translate (every id one delta larger), which exists when
    l_n isn't the largest id; and l~_n + 1 belongs to no other context, because its residue mod B would be a
    largest id of 0. So the least distance is delta, first at the first context and its nearest neighbour by rank;
    and the nearest entries of two contexts are l~_n of a context and l~_1 of its translate.
    """
    n, columns = g.instance.n, len(g.grid.columns)
    sentinels = columns - g.instance.B
    first = tuple(range(sentinels, sentinels + n)) if n <= g.instance.B else ()
    found = [part.nearest for part in parts if part.nearest is not None]
    if not found:  # no context has a translate: there is one context, or none
        return (rank(first, columns),) if first else ()
    nearest = min(found)[1] if claim == "lemma6.2" else rank(first, columns)
    context = unrank(nearest, columns, n)
    return (nearest, rank(tuple(column + 1 for column in context), columns))

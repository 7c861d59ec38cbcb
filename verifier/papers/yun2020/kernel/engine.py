"""The kernel as an engine: which of its paths runs the orbits, and how it describes itself.

It runs the paper's construction, or a variant with other numbers, in whole numbers: in compiled C of 64, 128 and 192
bits where exact bounds allow it; where they don't, or where no C library was built, orbit by orbit in Python's whole
numbers, which have no limit.

A variant whose numbers it can't take, and a stretch where something isn't as the paper claims, go through the layers
that change a case (lemmas.py).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

from verifier.catalogue import declared_here
from verifier.core.claim import Claim
from verifier.core.multisets import rank, unrank
from verifier.papers.yun2020.kernel import compiled, kernel, plain
from verifier.papers.yun2020.kernel.kernel import Numbered
from verifier.papers.yun2020.kernel.lemmas import CHECKS, by_lemmas
from verifier.run.engine import Engine, Recipe
from verifier.run.literal import run_literally
from verifier.run.shard import BY_CHANGES, Part
from verifier.run.stop import Irregular
from verifier.run.watch import Tell

BY_LEMMAS = "b5.head, b5.shift, b5.lattice and lemma6.equivariant by Lemmas H, S, P"
CATEGORIES = ("category1", "category2", "category3")

_WIDEST, _WIDE, _NARROW = 2**190, 2**126, 2**62
_IDS = 2**62  # kernel.c holds ids in 64 bits
BY_CHANGES_A_SECOND, ORBITS_AT_ONCE = 50_000, 16_384  # by the layers that change them


@dataclass(frozen=True)
class Path:
    """One of the kernel's paths through the orbits, chosen by exact bounds on the numbers that it will meet."""

    words: str
    run: Callable[[kernel.Numbers, int, int, Tell], kernel.Totals]
    a_second: int


def path_through(x: kernel.Numbers) -> Path:
    """The fastest path that is wide enough for these numbers."""
    without = ""
    narrow, wide = x.most < _WIDE, x.has_papers_factors and x.most < _WIDEST and x.most_swept < _WIDE
    fast = x.most_of_category1 < _NARROW
    if x.most_of_ids < _IDS and (narrow or (wide and fast)):
        if compiled.library() is not None:
            words = f"C, {'64 and ' if fast else ''}128 bits" if narrow else "C, 64, 128 and 192 bits"
            return Path(words, lambda *job: compiled.run_compiled(*job, fast=fast), 200_000_000)
        without = f"; no C library: {compiled.found().why}"
    return Path(f"Python's whole numbers{without}", plain.run_plainly, 100_000)


def kernel_engine(construction: Numbered, claims: Sequence[Claim]) -> Engine:
    """The kernel for a construction given by its numbers; the network is built only if an orbit needs it."""
    N, claims = construction.instance.N, list(claims)
    x = kernel.numbers(construction)
    path = path_through(x)

    def run(start: int, stop: int, tell: Tell) -> Part:
        try:
            return kernel.part_of(N, claims, start, stop, path.run(x, start, stop, tell))
        except Irregular:
            part = again.run(start, stop, tell)
        return kernel.decoded(construction, replace(part, instead=BY_CHANGES))

    again = engine_by_changes(construction, claims)
    words = f"the kernel ({path.words}); {BY_LEMMAS}"
    kind, a_second = ("kernel", path.a_second) if x.has_papers_factors else ("changes", BY_CHANGES_A_SECOND)
    recipe = Recipe(kind, "yun2020", CATEGORIES, partial(kernel_engine, construction))
    nearest = partial(nearest_pair, construction)
    return Engine(words, run, a_second, recipe, nearest, partial(engine_by_changes, construction))


def engine_by_changes(construction: Numbered, claims: Sequence[Claim], why: str = "") -> Engine:
    """For the paper's construction with any other numbers: the network in whole numbers, each orbit through the layers
    that change it, and the lemmas for what claims say of all the others."""
    network = cache(lambda: construction.map)  # deep networks take seconds, and most runs never need one here
    its = by_lemmas(claims)
    ours = declared_here("yun2020") | {claim.id: claim for claim in its if claim.id in CHECKS}

    def run(start: int, stop: int, tell: Tell) -> Part:
        part = run_literally(network(), its, start, stop, tell, ours, ORBITS_AT_ONCE)
        settled = {key: relation for key, relation in part.relations.items() if key[0] not in CHECKS}
        return replace(part, relations=settled)

    words = f"{BY_CHANGES}{f' (not the kernel: {why})' if why else ''}; {BY_LEMMAS}"
    recipe = Recipe("changes", "yun2020", CATEGORIES, partial(engine_by_changes, construction, why=why))
    return Engine(words, run, BY_CHANGES_A_SECOND, recipe)


def nearest_pair(construction: Numbered, claim: str, parts: Sequence[Part]) -> tuple[int, ...]:
    """The ranks of the two contexts at which a claim about pairs is tightest, if every value was decoded.

    l~_n and l~_n + 1 belong to a context and to its translate (every id one delta larger), which exists when l_n isn't
    the largest id; and l~_n + 1 belongs to no other context, because the residue mod B would say that its largest id is
    0. So the least distance is delta, first at the first context and its nearest neighbour by rank; and the nearest
    entries of two contexts are l~_n of a context and l~_1 of its translate.
    """
    i = construction.instance
    n, columns = i.n, (i.N + 1) ** i.d
    sentinels = columns - i.B
    first = tuple(range(sentinels, sentinels + n)) if n <= i.B else ()
    found = [part.nearest for part in parts if part.nearest is not None]
    if not found:  # no context has a translate: there is one context, or none
        return (rank(first, columns),) if first else ()
    nearest = min(found)[1] if claim == "lemma6.2" else rank(first, columns)
    context = unrank(nearest, columns, n)
    return (nearest, rank(tuple(column + 1 for column in context), columns))

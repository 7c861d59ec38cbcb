"""Which engine runs the orbits: the literal network, or the kernel where it knows the construction.

    literal   every layer of the network on every orbit, every ordered matrix for lemma6.equivariant; the truth
    kernel    the paper's construction, or one with other numbers, in whole numbers: compiled C in 64 and 128 bits where
              exact bounds allow it; numpy where they don't, or where no C library was built; and Python's whole numbers
              one by one, which have no width, where numpy can't

Both give the same shards, to the last digit. The kernel knows how the paper says that it goes. A shard with an orbit
that goes another way is run again by the literal network, which makes the claims' own relations of every orbit: what
fails there is a counterexample, and what doesn't, isn't. A construction that no numbers make, and claims that the
kernel doesn't know, are the literal network's from the beginning, and the result says why.
"""

import mmap
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

from verifier.claims.claim import Claim
from verifier.constructions.contextual_map import ContextualMap
from verifier.exhaustive import compiled, kernel, plain
from verifier.exhaustive.kernel import Numbered
from verifier.exhaustive.literal import run_literally
from verifier.exhaustive.shard import Part
from verifier.exhaustive.stop import Irregular, UnknownEngine
from verifier.exhaustive.watch import Tell
from verifier.grid import multisets, rank, unrank

ENGINES = ("auto", "literal", "kernel")
BY_LEMMAS = "b5.head, b5.shift, b5.lattice and lemma6.equivariant by Lemmas H, S, P"

# Up to so many columns to run through a layer the literal network is quick enough to be the one that is asked.
QUICK = 600_000

NUMPY_TAKES = 160 << 20  # bytes of address space, with what a run needs then

_WIDE, _NARROW = 2**126, 2**62
_IDS = 2**62  # kernel.c holds ids in 64 bits


@dataclass(frozen=True)
class Recipe:
    """What another process needs in order to have the same engine: its kind, and the construction as that takes it."""

    kind: str  # literal, or kernel
    construction: ContextualMap | Numbered

    def engine(self, claims: Sequence[Claim]) -> "Engine":
        if isinstance(self.construction, Numbered):
            return kernel_engine(self.construction, list(claims))
        return literal_engine(self.construction, claims)


@dataclass(frozen=True)
class Engine:
    words: str
    run: Callable[[int, int, Tell], Part]
    a_second: int  # about how many orbits it gets through; decides what is worth other processes, and nothing else
    recipe: Recipe

    @property
    def name(self) -> str:
        return self.recipe.kind

    def seconds(self, orbits: int) -> int:
        return orbits // self.a_second

    def words_for(self, parts: Sequence[Part]) -> str:
        """What ran these parts."""
        instead = [part for part in parts if part.instead]
        if not instead:
            return self.words
        others = " and ".join(sorted({part.instead for part in instead}))
        if len(instead) == len(parts):
            return f"{others}, since the kernel did not find what the paper claims"
        shards = f"{len(instead)} of {len(parts)} shards, where it did not find what the paper claims"
        return f"{self.words}; {shards}, by {others}"


def work(g: ContextualMap, claims: Sequence[Claim]) -> int:
    """Columns that the literal network would run through a layer."""
    columns, n = len(g.grid.columns), g.instance.n
    matrices = columns**n if any(claim.domain.over_matrices for claim in claims) else 0
    return (multisets(columns, n) + matrices) * n * len(g.network)


def choose_engine(g: ContextualMap, claims: Sequence[Claim], name: str) -> Engine:
    if name not in ENGINES:
        raise UnknownEngine(f"{name!r} is no engine; there are {', '.join(ENGINES)}")
    if name == "literal" or (name == "auto" and work(g, claims) <= QUICK):
        return literal_engine(g, claims)
    construction = kernel.numbered(g)
    if not kernel.knows(claims):
        construction = "a claim is none of its own"
    elif g.instance.n > kernel.MOST_TOKENS:
        construction = f"it takes {kernel.MOST_TOKENS} tokens"
    if isinstance(construction, str):
        return literal_engine(g, claims, f" (not the kernel: {construction})" if name == "kernel" else "")
    return kernel_engine(construction, list(claims))


def literal_engine(g: ContextualMap, claims: Sequence[Claim], why: str = "") -> Engine:
    return Engine(
        f"the literal network{why}",
        lambda start, stop, tell: run_literally(g, claims, start, stop, tell),
        max(1, 80_000 * multisets(len(g.grid.columns), g.instance.n) // max(1, work(g, claims))),
        Recipe("literal", g),
    )


@dataclass(frozen=True)
class Path:
    """One of the kernel's ways through the orbits, chosen by exact bounds on the numbers that it will meet."""

    words: str
    run: Callable[[kernel.Numbers, int, int, Tell], kernel.Totals]
    a_second: int


def path_through(x: kernel.Numbers) -> Path:
    """The fastest that is wide enough."""
    without = ""
    if x.most < _WIDE and x.most_of_ids < _IDS:
        if compiled.library() is not None:
            fast = x.most_of_category1 < _NARROW
            words = f"C, {'64 and ' if fast else ''}128 bits"
            return Path(words, lambda *job: compiled.run_compiled(*job, fast=fast), 200_000_000)
        without = f"; no C library: {compiled.found().why}"
    vectors = _vectors()
    if vectors is not None and vectors.applies(x):
        if vectors.bound(x) < vectors.NARROW:
            return Path(f"numpy, 64 bits and a second limb{without}", vectors.run_in_vectors, 8_000_000)
        return Path(f"numpy, rows of Python's whole numbers{without}", vectors.run_in_vectors, 800_000)
    return Path(f"Python's whole numbers{without}", plain.run_plainly, 100_000)


def _vectors() -> Any:
    """The room that needs numpy, loaded when it is first needed; None where numpy can't be loaded."""
    if _memory_is_limited() and not _room(NUMPY_TAKES):
        return None
    name = "OPENBLAS_NUM_THREADS"
    before = os.environ.get(name)
    os.environ[name] = "1"  # nobody needs its threads; where it can't begin them, it sends this process a SIGINT
    try:
        return import_module("verifier.exhaustive.vectors")
    except (ImportError, MemoryError):
        return None
    finally:
        del os.environ[name]
        if before is not None:
            os.environ[name] = before


def _room(size: int) -> bool:
    """Whether so many bytes can be had. numpy's OpenBLAS must not be let find out: it ends the process, with exit 1."""
    try:
        mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()
    except (OSError, MemoryError):
        return False
    return True


def _memory_is_limited() -> bool:
    try:
        import resource
    except ImportError:  # not on every system
        return False
    limits = (resource.RLIMIT_AS, resource.RLIMIT_DATA)
    return any(resource.getrlimit(kind)[0] != resource.RLIM_INFINITY for kind in limits)


def kernel_engine(construction: Numbered, claims: list[Claim]) -> Engine:
    """The kernel for a construction by its numbers; it has no network, until it meets an orbit that needs one."""
    N = construction.instance.N
    x = kernel.numbers(construction)
    path = path_through(x)

    def run(start: int, stop: int, tell: Tell) -> Part:
        try:
            return kernel.part_of(N, claims, start, stop, path.run(x, start, stop, tell))
        except Irregular:
            part = run_literally(construction.map, claims, start, stop, tell)
        part = replace(part, instead="the literal network")
        return kernel.decoded(construction, part)

    words = f"the kernel ({path.words}); {BY_LEMMAS}"
    return Engine(words, run, path.a_second, Recipe("kernel", construction))


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

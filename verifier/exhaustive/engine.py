"""Which engine runs the orbits: the literal network, or the kernel where it knows the construction.

    literal   every layer of the network on every orbit, every ordered matrix for lemma6.equivariant; the truth
    kernel    the paper's construction in whole numbers: compiled C in 64 and 128 bits where exact bounds allow it;
              numpy where they don't, or where there is no compiler; and Python's whole numbers one by one, which
              have no width, where numpy can't

Both give the same shards, to the last digit.
"""

import os
import resource
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from verifier.claims.claim import Claim
from verifier.constructions.contextual_map import ContextualMap, Interval, global_shift, selective_shift
from verifier.exhaustive import compiled, kernel, plain
from verifier.exhaustive.literal import run_literally
from verifier.exhaustive.shard import Part
from verifier.exhaustive.stop import UnknownEngine
from verifier.grid import Grid, multisets, rank, unrank
from verifier.instance import Instance

Tell = Callable[[int], None]

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


def is_the_papers(g: ContextualMap) -> bool:
    """g == contextual_map(g.instance), layer by layer, without a second network in memory."""
    i = g.instance
    if g.grid != Grid(i, i.u, i.entries, i.sentinel) or g.interval != Interval(i.t_l, i.t_r):
        return False
    layers = (selective_shift(i.u, level, i.sweep_factor, i.delta) for level in i.levels)
    same = len(g.sweep) == i.B and all(ours == papers for ours, papers in zip(g.sweep.layers, layers, strict=True))
    return same and g.global_shift == global_shift(i.u, i.global_factor)


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


@dataclass(frozen=True)
class Path:
    """One of the kernel's ways through the orbits, chosen by exact bounds on the numbers that it will meet."""

    words: str
    run: Callable[[kernel.Numbers, int, int, Tell], kernel.Totals]
    a_second: int


def path_through(x: kernel.Numbers) -> Path:
    """The fastest that is wide enough."""
    if x.most < _WIDE and compiled.library() is not None:
        fast = x.most_of_category1 < _NARROW
        words = f"C, {'64 and ' if fast else ''}128 bits"
        return Path(words, lambda *job: compiled.run_compiled(*job, fast=fast), 200_000_000)
    vectors = _vectors()
    if vectors is not None and vectors.applies(x):
        if vectors.bound(x) < vectors.NARROW:
            return Path("numpy, 64 bits and a second limb", vectors.run_in_vectors, 8_000_000)
        return Path("numpy, rows of Python's whole numbers", vectors.run_in_vectors, 800_000)
    return Path("Python's whole numbers", plain.run_plainly, 100_000)


def _vectors() -> Any:
    """The room that needs numpy, loaded when it is first needed; None where numpy can't be loaded."""
    threads, limited = "OPENBLAS_NUM_THREADS", resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY
    before = os.environ.get(threads)
    if limited and before is None:
        os.environ[threads] = "1"  # threads that nobody needs here would take the address space that there is
    try:
        return import_module("verifier.exhaustive.vectors")
    except (ImportError, MemoryError):
        return None
    finally:
        if limited and before is None:
            del os.environ[threads]


def kernel_engine(instance: Instance, claims: list[Claim]) -> Engine:
    """The kernel for an instance of the paper's construction; it has no network."""
    N = instance.N
    x = kernel.numbers(instance)
    path = path_through(x)

    def run(start: int, stop: int, tell: Tell) -> Part:
        return kernel.part_of(N, claims, start, stop, path.run(x, start, stop, tell))

    return Engine("kernel", f"the kernel ({path.words}); {BY_LEMMAS}", run, path.a_second)


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

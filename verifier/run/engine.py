"""Which engine goes through the cases: the literal network, or a kernel that the construction offers.

    literal   runs every layer of the network on every case, and every claim's own check; this is the truth
    kernel    fast code for some claims about one construction (its paper's folder says why it is right)

Both give the same shards, to the last digit. If the kernel knows only some of the chosen claims, it runs those and the
literal network runs the others; both must count the same cases and arrive at the same digest. A stretch with a case
that isn't as the kernel expects is run by the literal network: only what fails there is a counterexample.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

from verifier.catalogue import all_claims
from verifier.core.claim import Claim
from verifier.core.construction import Construction
from verifier.run.checkpoint import _content, part_of
from verifier.run.literal import run_literally
from verifier.run.shard import Part, merged
from verifier.run.stop import UnknownEngine
from verifier.run.watch import Tell

ENGINES = ("auto", "literal", "kernel")

# `auto` takes the literal network up to this many columns to run through a layer: there it is quick enough.
QUICK = 600_000
_LITERAL_COLUMNS_A_SECOND = 80_000


class Named(Protocol):
    """A claim."""

    @property
    def id(self) -> str: ...


class Runner(Protocol):
    @property
    def run(self) -> Callable[[int, int, Tell], Any]:
        """What is counted in the cases of these ranks."""


class Sent(Protocol):
    """What is sent to another process, which makes a runner of it; and what is counted as JSON, there and back."""

    def engine(self, ids: Sequence[str], /) -> Runner: ...
    def written(self, part: Any, /) -> dict[str, Any]: ...
    def read(self, content: dict[str, Any], start: int, stop: int, ids: Sequence[str], /) -> Any: ...
    def __hash__(self) -> int: ...


@dataclass(frozen=True)
class Recipe:
    """What another process needs to make the same engine: a function that it can import, and the claims' ids."""

    kind: str  # literal, kernel, both, or another of a paper's own
    paper: str
    categories: tuple[str, ...]
    make: Callable[[Sequence[Claim]], "Engine"]

    def engine(self, ids: Sequence[str]) -> "Engine":
        known = all_claims(self.paper)
        return self.make([known[id_] for id_ in ids])

    def written(self, part: Part) -> dict[str, Any]:
        return _content(part)

    def read(self, content: dict[str, Any], start: int, stop: int, ids: Sequence[str]) -> Part:
        return part_of(content, start, stop, ids, self.categories, kernel=self.kind != "literal")


@dataclass(frozen=True)
class Engine:
    words: str
    run: Callable[[int, int, Tell], Part]
    a_second: int  # about how many cases it runs; only decides whether more processes are worth starting
    recipe: Recipe
    # for a claim about pairs whose values a kernel has decoded: the ranks of its two nearest cases
    nearest: Callable[[str, Sequence[Part]], tuple[int, ...]] = lambda *_: ()
    # what runs a stretch whose values this one can't tell apart; None where it keeps every value itself
    again: Callable[[Sequence[Claim]], "Engine"] | None = None

    @property
    def name(self) -> str:
        return self.recipe.kind

    def seconds(self, cases: int) -> int:
        return cases // self.a_second

    def words_for(self, parts: Sequence[Part]) -> str:
        """Which engine ran these parts, in words."""
        if not parts:
            return "no case was run"
        instead = [part for part in parts if part.instead]
        if not instead:
            return self.words
        others = " and ".join(sorted({part.instead for part in instead}))
        if len(instead) == len(parts):
            return f"{others}, since the kernel did not find what the paper claims"
        shards = f"{len(instead)} of {len(parts)} shards, where it did not find what the paper claims"
        return f"{self.words}; {shards}, by {others}"


def work(g: Construction, claims: Sequence[Claim]) -> int:
    """How many columns the literal network would run through a layer."""
    sizes = g.space.closed_form()["total"]
    matrices = sizes.matrices if any(claim.domain.over_matrices for claim in claims) else 0
    return (sizes.orbits + matrices) * g.columns_a_case


def choose_engine(g: Construction, claims: Sequence[Claim], name: str) -> Engine:
    if name not in ENGINES:
        raise UnknownEngine(f"{name!r} is no engine; there are {', '.join(ENGINES)}")
    if name == "literal" or (name == "auto" and work(g, claims) <= QUICK):
        return literal_engine(g, claims)
    its = [claim for claim in claims if g.knows(claim)]
    kernel: Engine | str = g.kernel(its) if its else "a claim is none of its own"
    if isinstance(kernel, str):
        return literal_engine(g, claims, f" (not the kernel: {kernel})" if name == "kernel" else "")
    if len(its) == len(claims):
        return kernel
    return both(kernel.recipe.make, literal_engine(g, []).recipe.make, [claim.id for claim in its], claims)


def literal_engine(g: Construction, claims: Sequence[Claim], why: str = "") -> Engine:
    return Engine(
        f"the literal network{why}",
        lambda start, stop, tell: run_literally(g, claims, start, stop, tell),
        max(1, _LITERAL_COLUMNS_A_SECOND * g.space.size // max(1, work(g, claims))),
        Recipe("literal", g.paper, g.space.categories, partial(literal_engine, g)),
    )


def both(
    kernel: Callable[[Sequence[Claim]], Engine],
    literal: Callable[[Sequence[Claim]], Engine],
    known: Sequence[str],
    claims: Sequence[Claim],
) -> Engine:
    """The kernel for the claims that it knows, the literal network for the others."""
    its, others = ([claim for claim in claims if (claim.id in known) is side] for side in (True, False))
    fast, slow = kernel(its), literal(others)

    def run(start: int, stop: int, tell: Tell) -> Part:
        return merged(fast.run(start, stop, lambda *_: None), slow.run(start, stop, tell))

    named = ", ".join(claim.id for claim in others)
    recipe = replace(slow.recipe, kind="both", make=partial(both, kernel, literal, known))
    return Engine(f"{fast.words}; {named}: {slow.words}", run, slow.a_second, recipe, fast.nearest, fast.again)

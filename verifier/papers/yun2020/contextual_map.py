"""The contextual map g_c of Lemma 6 (App. B.5): B selective shifts, then one global shift.

    psi(X; b)     = e1 . u^T X . sigma_H[ (u^T X)^T (u^T X - b 1^T) ]        one head of size m = 1
    Psi(X; b, b') = psi(X; b) - psi(X; b')                                    two heads

    for l = 0, delta, ..., (B-1) delta:   X <- X + delta^-d Psi(X; l - delta/2, l + delta/2)
    then:                                 X <- X + delta^-((n+1)d) psi(X; 0)

and q(L) = u^T g_c(L). Every layer is an attention layer with real weight matrices: W_K = W_V = W_Q = u^T,
b_Q = -b, and W_O = e1 times the factor. That a head computes a maximum or a minimum is a claim
(`b5.head`), not a shortcut taken here.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Never

from gmpy2 import mpq

from verifier.catalogue import all_claims, claims_of, default_claims
from verifier.core.claim import Claim
from verifier.core.construction import Construction
from verifier.core.exact import Matrix, MatrixLike, Number, Q, Vector, VectorLike, exact, matrix_of_shape, vector
from verifier.core.layers import Attention, Head
from verifier.core.network import Network
from verifier.core.space import Space
from verifier.core.whole.run import image
from verifier.papers.yun2020.grid import Grid
from verifier.papers.yun2020.instance import Instance
from verifier.papers.yun2020.interval import Interval
from verifier.papers.yun2020.wording import differences, heading, statement, variant

if TYPE_CHECKING:
    from verifier.run.engine import Engine


@dataclass(frozen=True)
class ContextualMap(Construction):
    """g_c on a grid: the sweep, the global shift, and the interval that separates Category 1.

    A variant is this with a part exchanged: `dataclasses.replace(g, sweep=g.sweep.without_layer(0))`.
    """

    paper = "yun2020"
    title = "the contextual map of Lemma 6"

    grid: Grid
    sweep: Network
    global_shift: Network
    interval: Interval

    def __post_init__(self) -> None:
        for name, kind in (("grid", Grid), ("sweep", Network), ("global_shift", Network), ("interval", Interval)):
            if type(getattr(self, name)) is not kind:
                raise TypeError(f"{name} is {getattr(self, name)!r}; it must be a {kind.__name__}")

    @property
    def instance(self) -> Instance:
        return self.grid.instance

    @property
    def sizes(self) -> dict[str, int]:
        return self.instance.sizes

    @cached_property
    def space(self) -> Space:
        from verifier.papers.yun2020.case import Orbits

        return Orbits(self)

    def claims(self) -> list[Claim]:
        return claims_of("yun2020")

    def default_claims(self) -> list[Claim]:
        return default_claims("yun2020")

    @property
    def networks(self) -> dict[str, Network]:
        return {"g_c": self.network}

    @property
    def constants(self) -> dict[str, mpq]:
        i = self.instance
        edges = {"t_l": self.interval.low, "t_r": self.interval.high}
        return {"delta": i.delta} | edges | {"lemma10.lower": i.lemma10_lower, "lemma10.upper": i.lemma10_upper}

    def exchangeable(self) -> dict[str, mpq]:
        return exchangeable(self.instance)

    def variant(self) -> dict[str, mpq]:
        return variant(self)

    def heading(self, short: Callable[[str], str]) -> Iterator[tuple[str, str]]:
        return heading(self, short)

    def differences(self, short: Callable[[str], str]) -> list[str]:
        return differences(self, short)

    def __str__(self) -> str:
        return str(self.instance)

    def statement(self, *, over_space: bool) -> str:
        return statement(self.instance, self.variant(), over_space=over_space)

    @property
    def columns_a_case(self) -> int:
        return self.instance.n * len(self.network)

    def knows(self, claim: Claim) -> bool:
        from verifier.papers.yun2020.kernel.kernel import DOMAIN

        return claim.id in DOMAIN and all_claims(self.paper)[claim.id] is claim

    def kernel(self, claims: Sequence[Claim]) -> "Engine | str":
        from verifier.papers.yun2020.kernel.engine import engine_by_changes, kernel_engine
        from verifier.papers.yun2020.kernel.kernel import MOST_TOKENS, Numbered, numbered

        construction = numbered(self)
        if not isinstance(construction, str) and self.instance.n > MOST_TOKENS:
            construction = f"it takes {MOST_TOKENS} tokens"
        if not isinstance(construction, str):
            return kernel_engine(construction, claims)
        if self.exchanged is None:
            return construction
        return engine_by_changes(Numbered(self.instance, tuple(self.exchanged.items())), claims, construction)

    @property
    def code(self) -> object:
        return (self.grid.u, self.grid.entries, self.grid.sentinel, self.network, self.interval)

    @cached_property
    def network(self) -> Network:
        return self.sweep + self.global_shift

    @cached_property
    def exchanged(self) -> dict[str, mpq] | None:
        """The numbers that aren't the paper's, such that this is `contextual_map(instance, **numbers)`; None if there
        are no such numbers. `contextual_map` notes them; in any other map they are looked for."""
        return _numbers_of(self)

    def ids(self, X: MatrixLike) -> Vector:
        """u^T X, a number for each column of X."""
        return self.grid.ids(self._taken(X))

    def q(self, X: MatrixLike) -> Vector:
        """q(X) = u^T g_c(X), a value for each column of X."""
        return self.grid.ids(image(self.network, self._taken(X)))

    def _taken(self, X: MatrixLike) -> Matrix:
        i = self.instance
        return matrix_of_shape(X, i.d, i.n, f"a map at {i}")

    def __repr__(self) -> str:
        """In a few lines; `sweep`, `global_shift` and `interval` have the numbers."""
        changed = self.differences(str)
        return f"<{self.title} at {self}: {len(self.network)} layers, interval {self.interval}" + (
            f"; VARIANT: {', '.join(changed)}>" if changed else ">"
        )

    def _repr_html_(self) -> str:
        return self.network._repr_html_(repr(self)[1:-1])


def psi(u: Vector, b: mpq, factor: mpq) -> Head:
    """factor . psi(.; b) = factor . e1 . u^T X . sigma_H[ (u^T X)^T (u^T X - b 1^T) ]."""
    e1, ids = tuple([(factor if row == 0 else Q(0),) for row in range(len(u))]), (u,)
    return Head(W_O=e1, W_V=ids, W_K=ids, W_Q=ids, b_Q=(-b,))


def selective_shifts(u: Vector, levels: Iterable[mpq], factor: mpq, delta: mpq) -> Iterator[Attention]:
    """For each level X + factor . Psi(X; level - delta/2, level + delta/2); only the biases differ."""
    plus, minus, half = psi(u, Q(0), factor), psi(u, Q(0), -factor), delta / 2
    for level in levels:
        yield Attention((plus.with_bias((half - level,)), minus.with_bias((-half - level,))))


def sweep(u: Vector, levels: Iterable[mpq], factor: mpq, delta: mpq) -> Network:
    return Network(tuple(selective_shifts(u, levels, factor, delta)))


def global_shift(u: Vector, factor: mpq) -> Network:
    """X + factor . psi(X; 0), a single head."""
    return Network((Attention((psi(u, Q(0), factor),)),))


def contextual_map(
    instance: Instance,
    *sizes: Never,
    u: VectorLike | None = None,
    entries: VectorLike | None = None,
    sentinel: Number | None = None,
    levels: VectorLike | None = None,
    sweep_factor: Number | None = None,
    global_factor: Number | None = None,
    t_l: Number | None = None,
    t_r: Number | None = None,
) -> ContextualMap:
    """The network of Lemma 6; every argument that is given replaces the paper's number of this name."""
    if sizes or not isinstance(instance, Instance):
        given = ", ".join(map(repr, (instance, *sizes)))
        raise TypeError(f"contextual_map({given}): it takes an Instance, as in contextual_map(Instance(d=1, n=3, N=4))")
    weights = vector(instance.u if u is None else u)
    grid = Grid(
        instance,
        weights,
        instance.entries if entries is None else vector(entries),
        instance.sentinel if sentinel is None else exact(sentinel),
    )
    factor = exact(instance.sweep_factor if sweep_factor is None else sweep_factor)
    last_factor = exact(instance.global_factor if global_factor is None else global_factor)
    interval = Interval(instance.t_l if t_l is None else exact(t_l), instance.t_r if t_r is None else exact(t_r))
    g = ContextualMap(
        grid=grid,
        sweep=sweep(weights, instance.levels if levels is None else vector(levels), factor, instance.delta),
        global_shift=global_shift(weights, last_factor),
        interval=interval,
    )
    if u is None and entries is None and levels is None:
        values = (grid.sentinel, factor, last_factor, interval.low, interval.high)
        its = exchangeable(instance).items()
        vars(g)["exchanged"] = {name: x for (name, papers), x in zip(its, values, strict=True) if x != papers}
    return g


# What `help` shows: `sizes` are there to be told what is wrong with them.
_given = inspect.signature(contextual_map)
vars(contextual_map)["__signature__"] = _given.replace(
    parameters=[parameter for parameter in _given.parameters.values() if parameter.name != "sizes"]
)


def at(d: int, n: int, N: int, **exchanged: mpq) -> ContextualMap:
    """The paper's own map at (d, n, N), or a variant with other numbers."""
    return contextual_map(Instance(d, n, N), **exchanged)  # type: ignore[arg-type]


def fitted(g: ContextualMap) -> ContextualMap:
    """g with the smallest interval that holds every value of Category 1; if Property 6.4 fails for it, it fails for
    any."""
    if not isinstance(g, ContextualMap):
        raise TypeError(f"{g!r} is no ContextualMap; contextual_map(Instance(1, 3, 4)) makes one")
    values = [q for X in g.grid.matrices(1) for q in g.q(X)]
    if not values:
        raise ValueError(f"no interval: at {g.instance} Category 1 is empty, since n > N^d")
    return replace(g, interval=Interval(min(values), max(values), high_closed=True))


def exchangeable(instance: Instance) -> dict[str, mpq]:
    """The paper's values of the numbers that a variant may exchange."""
    return {
        "sentinel": instance.sentinel,
        "sweep_factor": instance.sweep_factor,
        "global_factor": instance.global_factor,
        "t_l": instance.t_l,
        "t_r": instance.t_r,
    }


def _numbers_of(g: ContextualMap) -> dict[str, mpq] | None:
    """What `exchanged` is, found by comparing layer by layer, as the sweep may be long."""
    i, paper = g.instance, exchangeable(g.instance)
    numbers = {"sentinel": g.grid.sentinel, "t_l": g.interval.low, "t_r": g.interval.high}
    for name, network in (("sweep_factor", g.sweep), ("global_factor", g.global_shift)):
        match network.layers[:1]:
            case [Attention(heads=(first, *_))]:
                numbers[name] = first.W_O[0][0]
            case _:
                return None
    if g.grid != Grid(i, i.u, i.entries, g.grid.sentinel) or g.interval != Interval(g.interval.low, g.interval.high):
        return None
    if len(g.sweep) != i.B or len(g.global_shift) != 1:
        return None
    factor, last = numbers["sweep_factor"], global_shift(i.u, numbers["global_factor"]).layers
    layers = chain(selective_shifts(i.u, i.levels, factor, i.delta), last)
    if any(ours != theirs for ours, theirs in zip(g.network.layers, layers, strict=True)):
        return None
    return {name: numbers[name] for name in paper if numbers[name] != paper[name]}


def is_the_papers(g: ContextualMap) -> bool:
    """g == contextual_map(g.instance)."""
    return g.exchanged == {}


def the_papers_alone(g: ContextualMap) -> str | None:
    """The reason to skip a claim about the paper's own construction, if g is a variant."""
    return None if is_the_papers(g) else "checked of the paper's own construction only"

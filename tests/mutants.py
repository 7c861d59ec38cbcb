"""The construction, broken in one place at a time, and the claims that each break must refute.

Every claim has to be refuted by some mutant: a claim that none refutes is not being checked.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from gmpy2 import mpq

from verifier.core.exact import Matrix, Q
from verifier.core.layers import Attention, Head
from verifier.core.network import Network
from verifier.papers.yun2020.contextual_map import ContextualMap, contextual_map, global_shift, psi, sweep
from verifier.papers.yun2020.instance import Instance


def without_level(i: Instance, k: int) -> ContextualMap:
    g = contextual_map(i)
    return replace(g, sweep=g.sweep.without_layer(k))


def window(i: Instance, below: mpq, above: mpq) -> ContextualMap:
    """The windows (l - below, l + above) instead of (l - delta/2, l + delta/2)."""
    layers = [Attention((psi(i.u, l - below, i.sweep_factor), psi(i.u, l + above, -i.sweep_factor))) for l in i.levels]
    return replace(contextual_map(i), sweep=Network(tuple(layers)))


def max_for_max_minus_min(i: Instance) -> ContextualMap:
    """Each selective shift without its second head."""
    g = contextual_map(i)
    return replace(g, sweep=Network(tuple(Attention(layer.heads[:1]) for layer in g.sweep.layers)))


def flipped_keys(i: Instance) -> ContextualMap:
    """W_K = -u^T: every head computes the minimum for the maximum, and the maximum for the minimum."""

    def flip(head: Head) -> Head:
        return replace(head, W_K=tuple(tuple(-w for w in row) for row in head.W_K))

    def flipped(network: Network) -> Network:
        return Network(tuple(Attention(tuple(map(flip, layer.heads))) for layer in network.layers))

    g = contextual_map(i)
    return replace(g, sweep=flipped(g.sweep), global_shift=flipped(g.global_shift))


def u_swapped_in_the_network(i: Instance) -> ContextualMap:
    """The layers use u with its first two entries swapped, and q is still read with the paper's u."""
    u = (i.u[1], i.u[0], *i.u[2:])
    return replace(
        contextual_map(i),
        sweep=sweep(u, i.levels, i.sweep_factor, i.delta),
        global_shift=global_shift(u, i.global_factor),
    )


def shift_into_the_last_row(i: Instance) -> ContextualMap:
    """W_O = e_d instead of e1, in every head."""

    def moved(layer: Attention) -> Attention:
        return Attention(tuple(replace(head, W_O=head.W_O[::-1]) for head in layer.heads))

    g = contextual_map(i)
    return replace(g, sweep=Network(tuple(moved(layer) for layer in g.sweep.layers)))


@dataclass(frozen=True)
class FirstColumnOnly:
    """A layer that is not equivariant: it adds a number to the first column."""

    amount: mpq
    parameters: int = 1

    def apply(self, X: Matrix) -> Matrix:
        return ((X[0][0] + self.amount, *X[0][1:]), *X[1:])


def positional(i: Instance) -> ContextualMap:
    g = contextual_map(i)
    return replace(g, global_shift=g.global_shift + Network((FirstColumnOnly(i.delta),)))


def extreme_q(i: Instance, category: int, pick: Callable[..., mpq]) -> mpq:
    """The smallest or largest value of a category, computed by the network itself."""
    g = contextual_map(i)
    values = []
    for orbit in g.grid.orbits():
        X = g.grid.matrix(orbit)
        if g.grid.category(X) == category:
            values += [q for q in g.grid.ids(g.network.run(X)) if q >= 0]
    return pick(values)


def with_interval(i: Instance, **edges: object) -> ContextualMap:
    g = contextual_map(i)
    return replace(g, interval=replace(g.interval, **edges))


@dataclass(frozen=True)
class Mutant:
    name: str
    build: Callable[[Instance], ContextualMap]
    at: tuple[int, int, int]  # the (d, n, N) where it is run
    refutes: str  # the claims that it must refute there

    def __str__(self) -> str:
        return self.name


SWEEP = "b5.first-shift b5.closed-form b5.max-min"

MUTANTS = [
    Mutant(
        "global shift dropped",
        lambda i: replace(contextual_map(i), global_shift=Network()),
        (1, 3, 4),
        "b5.global b5.interval b5.cat3-final lemma6.2 lemma6.3 lemma6.layers",
    ),
    Mutant(
        "global factor one power of delta lower",
        lambda i: contextual_map(i, global_factor=i.global_factor / i.N),
        (1, 3, 4),
        "b5.global b5.interval lemma6.3",
    ),
    Mutant(
        "global factor one power of delta higher",
        lambda i: contextual_map(i, global_factor=i.global_factor * i.N),
        (1, 3, 4),
        "b5.global b5.interval b5.cat2-bound lemma6.3 lemma6.4",
    ),
    Mutant(
        "global factor negative",
        lambda i: contextual_map(i, global_factor=-i.global_factor),
        (2, 2, 2),
        "b5.global b5.cat3-negative b5.cat3-final lemma6.3 lemma6.4",
    ),
    Mutant(
        "factor B - 1",
        lambda i: contextual_map(i, sweep_factor=Q(i.B - 1)),
        (1, 2, 3),
        f"b5.shift {SWEEP} b5.order lemma10.lower",
    ),
    Mutant(
        "factor B + 1",
        lambda i: contextual_map(i, sweep_factor=Q(i.B + 1)),
        (1, 3, 4),
        "b5.shift lemma10.upper b5.cat2-bound",
    ),
    Mutant(
        "factor 1",
        lambda i: contextual_map(i, sweep_factor=Q(1)),
        (2, 2, 2),
        f"{SWEEP} b5.order lemma10.injective b5.cat3-shift lemma6.1 lemma6.2",
    ),
    Mutant(
        "levels in decreasing order",
        lambda i: replace(contextual_map(i), sweep=sweep(i.u, reversed(i.levels), i.sweep_factor, i.delta)),
        (1, 3, 4),
        f"{SWEEP} b5.order b5.global b5.cat2-bound lemma10.injective lemma6.4",
    ),
    Mutant(
        "first level dropped", lambda i: without_level(i, 0), (1, 2, 3), f"{SWEEP} b5.shift b5.lattice lemma6.layers"
    ),
    Mutant("middle level dropped", lambda i: without_level(i, i.B // 2), (1, 2, 3), f"{SWEEP} b5.order lemma6.layers"),
    Mutant("last level dropped", lambda i: without_level(i, -1), (1, 3, 4), "b5.closed-form b5.order lemma6.layers"),
    Mutant(
        "window's lower edge on the grid",
        lambda i: window(i, Q(0), i.delta / 2),
        (1, 3, 3),
        "b5.shift b5.lattice b5.closed-form b5.cat2-reduced",
    ),
    Mutant(
        "window's upper edge on the grid",
        lambda i: window(i, i.delta / 2, Q(0)),
        (1, 3, 3),
        "b5.shift b5.lattice b5.closed-form b5.cat2-reduced",
    ),
    Mutant(
        "both edges of the window on the grid",
        lambda i: window(i, i.delta, i.delta),
        (2, 2, 2),
        f"b5.shift {SWEEP} b5.cat3-shift lemma6.2",
    ),
    Mutant(
        "max for max - min",
        max_for_max_minus_min,
        (1, 3, 4),
        "b5.shift b5.cat2-constant b5.cat2-bound b5.cat3-minimum b5.cat3-negative lemma10.upper",
    ),
    Mutant("keys negated", flipped_keys, (1, 2, 3), "b5.head b5.shift b5.order b5.cat3-minimum lemma6.3"),
    Mutant("shift into the last row", shift_into_the_last_row, (2, 2, 2), "b5.shift b5.global lemma10.upper"),
    Mutant("u swapped in the network", u_swapped_in_the_network, (2, 2, 2), "b5.head b5.shift b5.order"),
    Mutant(
        "u swapped everywhere",
        lambda i: contextual_map(i, u=(i.u[1], i.u[0], *i.u[2:])),
        (2, 2, 2),
        "b5.closed-form",
    ),
    Mutant(
        "u all ones",
        lambda i: contextual_map(i, u=(Q(1),) * i.d),
        (2, 2, 2),
        "grid.order b5.ids lemma6.1 lemma6.2",
    ),
    Mutant("u doubled", lambda i: contextual_map(i, u=tuple(2 * w for w in i.u)), (1, 2, 3), "b5.ids lemma6.4"),
    Mutant(
        "sentinel -delta^(nd)",
        lambda i: contextual_map(i, sentinel=1 / i.sentinel),
        (2, 2, 2),
        "b5.lattice b5.ids-sentinel b5.cat3-minimum b5.cat3-negative b5.cat3-shift b5.cat3-final lemma6.4",
    ),
    Mutant("sentinel -delta", lambda i: contextual_map(i, sentinel=-i.delta), (2, 2, 2), "grid.order b5.cat3-minimum"),
    Mutant(
        "sentinel one delta higher",
        lambda i: contextual_map(i, sentinel=i.sentinel + i.delta),
        (1, 2, 3),
        "b5.ids-sentinel",
    ),
    Mutant("sentinel 0", lambda i: contextual_map(i, sentinel=Q(0)), (1, 2, 3), "grid.sizes"),
    Mutant("sentinel positive", lambda i: contextual_map(i, sentinel=-i.sentinel), (1, 2, 3), "b5.cat3-minimum"),
    Mutant(
        "a grid of one entry",
        lambda i: contextual_map(i, entries=(Q(0),) * i.N),
        (1, 2, 3),
        "grid.sizes grid.duplicates b5.ids",
    ),
    Mutant("not equivariant", positional, (1, 2, 3), "lemma6.equivariant lemma6.layers"),
    Mutant(
        "t_l at the least value of Category 1, left out",
        lambda i: with_interval(i, low=extreme_q(i, 1, min), low_closed=False),
        (1, 3, 4),
        "lemma6.3",
    ),
    Mutant(
        "t_r at the largest value of Category 1, left out",
        lambda i: with_interval(i, high=extreme_q(i, 1, max)),
        (1, 3, 4),
        "lemma6.3",
    ),
    Mutant(
        "t_l at the largest value of Category 2, taken in",
        lambda i: with_interval(i, low=extreme_q(i, 2, max)),
        (1, 3, 4),
        "lemma6.4 b5.cat2-bound",
    ),
    Mutant(
        "t_r at the least value >= 0 of Category 3, taken in",
        lambda i: with_interval(i, high=extreme_q(i, 3, min), high_closed=True),
        (1, 3, 4),
        "lemma6.4 b5.cat3-final",
    ),
]

# The same four edges, each on the side where it does no harm: `<` and `<=` are told apart.
HARMLESS = [
    Mutant(
        "t_l at the least value of Category 1, taken in",
        lambda i: with_interval(i, low=extreme_q(i, 1, min)),
        (1, 3, 4),
        "",
    ),
    Mutant(
        "t_r at the largest value of Category 1, taken in",
        lambda i: with_interval(i, high=extreme_q(i, 1, max), high_closed=True),
        (1, 3, 4),
        "",
    ),
    Mutant(
        "t_l at the largest value of Category 2, left out",
        lambda i: with_interval(i, low=extreme_q(i, 2, max), low_closed=False),
        (1, 3, 4),
        "",
    ),
    Mutant(
        "t_r at the least value >= 0 of Category 3, left out",
        lambda i: with_interval(i, high=extreme_q(i, 3, min)),
        (1, 3, 4),
        "",
    ),
]

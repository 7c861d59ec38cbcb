"""The positional construction (App. C), and the wide contexts of Hu et al. (NeurIPS 2024, App. E).

    E = (0, 1, ..., n-1) in each row, so that column j of X + E is in [j-1, j)^d

    quantiser:     for i = 1..d and k = 0, delta, ..., n-delta:   Z <- Z + e_i phi(e_i^T Z - k 1^T)
                   phi(t) = -t on [0, delta), else 0
    sweep:         the selective shifts of B.5 at the levels s_j, s_j + delta, ..., s_j + delta^-d+1 - delta,
                   for j = 1..n,  s_j = (j-1) (1 + delta^-1 + ... + delta^-(d-1))
    global shift:  n delta^-((n+1)d) delta^-1 psi(.; 0)

A *context* is a matrix whose column j is in {j-1, j-1+delta, ..., j-delta}^d; the order of columns matters. In a
*wide* context an entry of column j may also be its sentinel j-1-J, J = n + 3n delta^-(dn); it is *good* if none is.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from gmpy2 import mpq

from verifier.core.exact import Matrix, Q, Vector
from verifier.core.network import Network
from verifier.papers.yun2020.contextual_map import global_shift, sweep
from verifier.papers.yun2020.grid import Grid
from verifier.papers.yun2020.instance import Instance
from verifier.papers.yun2020.interval import Interval
from verifier.papers.yun2020.quantizer import row_layer, step


@dataclass(frozen=True)
class PositionalMap:
    positions: tuple[Grid, ...]  # for each column its entries, and the sentinel of wide contexts
    quantiser: Network
    sweep: Network
    global_shift: Network
    interval: Interval  # in which, by Hu et al., the values of good contexts lie

    @property
    def instance(self) -> Instance:
        return self.positions[0].instance

    @property
    def layers(self) -> int:
        """The number of layers before the value map."""
        return len(self.quantiser) + len(self.sweep) + len(self.global_shift)

    def ids(self, X: Matrix) -> Vector:
        """u^T X."""
        return self.positions[0].ids(X)

    def contexts(self, *, wide: bool = False) -> Iterator[tuple[Vector, ...]]:
        """The columns of each context, in lexicographic order; columns are ordered by their ids."""
        return product(
            *([column for column in grid.columns if wide or column in grid.inner] for grid in self.positions)
        )


def block_start(instance: Instance, j: int) -> mpq:
    """s_j = (j-1) (1 + delta^-1 + ... + delta^-(d-1)), the least id of column j."""
    return (j - 1) * sum(instance.u, Q(0))


def levels(instance: Instance) -> Iterator[mpq]:
    """The ids that the sweep visits: n blocks of delta^-d. As s_(j+1) > s_j + delta^-d+1 - delta, they increase."""
    for j in range(1, instance.n + 1):
        for level in instance.levels:
            yield block_start(instance, j) + level


def bound_after_sweep(instance: Instance) -> mpq:
    """n delta^-((n+1)d), the paper's bound on l~_n."""
    return instance.n * instance.global_factor


def positional_factor(instance: Instance) -> mpq:
    """n delta^-((n+1)d) delta^-1, the factor of the global shift."""
    return bound_after_sweep(instance) * instance.N


def wide_interval(instance: Instance) -> Interval:
    """[t_l, t_r] as published by Hu et al.

    t_l = n delta^-(2(n+1)d) (delta^-d - 1),   t_r = n^2 delta^-(2(n+1)d) delta^-1 + n delta^-((n+1)d)
    """
    n, power = instance.n, instance.global_factor * instance.global_factor
    high = n**2 * power * instance.N + bound_after_sweep(instance)
    return Interval(n * power * (instance.B - 1), high, high_closed=True)


def position(instance: Instance, j: int) -> Grid:
    """The columns {j-1-J, j-1, j-1+delta, ..., j-delta}^d, J = n + 3n delta^-(dn)."""
    first, J = j - 1, instance.n + 3 * instance.n * instance.B**instance.n
    return Grid(instance, instance.u, tuple(first + x for x in instance.entries), Q(first - J))


def quantiser(instance: Instance) -> Network:
    """dn/delta layers Z + e_i phi(e_i^T Z - k 1^T), row by row, k = 0, delta, ..., n - delta."""
    d, delta, phi = instance.d, instance.delta, step(instance.delta)
    steps = range(instance.n * instance.N)
    return Network(tuple(row_layer(d, row, -k * delta, phi) for row in range(d) for k in steps))


def positional_map(instance: Instance) -> PositionalMap:
    return PositionalMap(
        positions=tuple(position(instance, j) for j in range(1, instance.n + 1)),
        quantiser=quantiser(instance),
        sweep=sweep(instance.u, levels(instance), instance.sweep_factor, instance.delta),
        global_shift=global_shift(instance.u, positional_factor(instance)),
        interval=wide_interval(instance),
    )

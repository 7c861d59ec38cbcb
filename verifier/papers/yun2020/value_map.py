"""The value map g_v of Lemma 7 (App. B.6): from the tokens of g_c(L) to the columns of a given target A_L.

    Z <- Z - (M+1) 1 phi(u^T Z),         phi(t) = 0 for t_l <= t <= t_r, else 1
    for each row i:
        Z <- Z + e_i phi(e_i^T Z),       phi(t) = -t for t < 0, else 0
    for each token j of each L of G~ (up to the order of its columns), with its key q(L)_j:
        Z <- Z + ((A_L)_j - g_c(L)_j) phi(u^T Z - q(L)_j 1^T),     phi(t) = 1 for -delta/2 <= t < delta/2, else 0

M is the largest entry of any g_c(L), L in G+. That makes 1 + d + n C(B, n) token-wise layers of one hidden node. Each
layer's output is the next one's input: the layers of later keys read what the layer of an earlier key has written.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from gmpy2 import mpq

from verifier.core.exact import Matrix, MatrixLike, Q, Vector, columns_of, from_columns, matrix_of_shape
from verifier.core.layers import FeedForward, PiecewiseLinear
from verifier.core.network import Network
from verifier.core.whole import run as whole
from verifier.papers.yun2020.contextual_map import contextual_map
from verifier.papers.yun2020.instance import Instance
from verifier.papers.yun2020.quantizer import NOTHING, row_layer

Targets = Callable[[Matrix], MatrixLike]  # from L in G~, its columns by increasing id, to A_L

ONE = (Q(0), Q(1))  # the line of a piece on which phi is 1


@dataclass(frozen=True)
class MappedContext:
    """An L of G~ with its columns by increasing id, g_c(L), and the key q(L)_j of each token."""

    L: Matrix
    image: Matrix
    keys: Vector


@dataclass(frozen=True)
class Images:
    """The images of G+ under g_c: M, and each context of G~, in the order of their orbits."""

    M: mpq
    contexts: tuple[MappedContext, ...]


@dataclass(frozen=True)
class ValueMap:
    """g_v, and the target that it was made for, A_L for each L of G~ with its columns by increasing id."""

    network: Network
    targets: dict[Matrix, Matrix]


@lru_cache(maxsize=4)  # a run has one instance
def images(instance: Instance) -> Images:
    """The paper's contextual map on every orbit of G+; it is equivariant, so that the orbits have every entry."""
    g = contextual_map(instance)
    contexts = []
    M = Q(0)
    for orbit in g.grid.orbits():
        L = g.grid.matrix(orbit)
        image = whole.image(g.network, L)
        M = max(M, *map(max, image))
        if g.grid.category(L) == 1:
            contexts.append(MappedContext(L, image, g.grid.ids(image)))
    return Images(M, tuple(contexts))


def reject(instance: Instance, M: mpq) -> FeedForward:
    """Subtracts M + 1 from every entry of a column whose id is outside the closed interval [t_l, t_r]."""
    phi = PiecewiseLinear((instance.t_l, instance.t_r), (ONE, NOTHING, ONE), left_owned=frozenset([instance.t_r]))
    d = instance.d
    return FeedForward(W_1=(instance.u,), b_1=(Q(0),), W_2=((-(M + 1),),) * d, b_2=(Q(0),) * d, phi=phi)


def clear(d: int, row: int) -> FeedForward:
    """Sends the negative entries of a row to 0."""
    return row_layer(d, row, Q(0), PiecewiseLinear((Q(0),), ((Q(-1), Q(0)), NOTHING)))


def window(instance: Instance) -> PiecewiseLinear:
    """1 on [-delta/2, delta/2), else 0."""
    return PiecewiseLinear((-instance.delta / 2, instance.delta / 2), (NOTHING, ONE, NOTHING))


def write(u: Vector, key: mpq, image: Vector, target: Vector, phi: PiecewiseLinear) -> FeedForward:
    """Adds target - image to the columns whose id less the key is in the window phi."""
    change = tuple((a - z,) for a, z in zip(target, image, strict=True))
    return FeedForward(W_1=(u,), b_1=(-key,), W_2=change, b_2=(Q(0),) * len(u), phi=phi)


def value_map(instance: Instance, targets: Targets) -> ValueMap:
    """g_v for any targets."""
    known = images(instance)
    phi = window(instance)
    layers = [reject(instance, known.M), *(clear(instance.d, row) for row in range(instance.d))]
    table = {}
    for context in known.contexts:
        A = matrix_of_shape(targets(context.L), instance.d, instance.n, f"a target at {instance}")
        table[context.L] = A
        for key, image, target in zip(context.keys, columns_of(context.image), columns_of(A), strict=True):
            layers.append(write(instance.u, key, image, target, phi))
    return ValueMap(Network(tuple(layers)), table)


def _in_order(instance: Instance, columns: list[Vector]) -> Targets:
    """The targets whose columns are given in the order of the keys."""
    contexts, n = images(instance).contexts, instance.n
    return {c.L: from_columns(tuple(columns[k * n : (k + 1) * n])) for k, c in enumerate(contexts)}.__getitem__


def chain_targets(instance: Instance) -> Targets:
    """Targets that are keys: each token's target is (the next token's key, 0, ..., 0), and the last one's is 0."""
    keys = [key for context in images(instance).contexts for key in context.keys]
    rest = (Q(0),) * (instance.d - 1)
    return _in_order(instance, [(key, *rest) for key in [*keys[1:], Q(0)]] if keys else [])


def small_targets(instance: Instance) -> Targets:
    """Targets far below every key: row r = 1..d of key i = 0, 1, ... is ((i + r) mod 5 - 2) delta."""
    count = len(images(instance).contexts) * instance.n
    rows = range(1, instance.d + 1)
    return _in_order(instance, [tuple(((i + r) % 5 - 2) * instance.delta for r in rows) for i in range(count)])


@lru_cache(maxsize=4)  # a run has one instance
def chain_map(instance: Instance) -> ValueMap:
    return value_map(instance, chain_targets(instance))


@lru_cache(maxsize=4)  # a run has one instance
def small_map(instance: Instance) -> ValueMap:
    return value_map(instance, small_targets(instance))

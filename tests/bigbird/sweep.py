"""A selective shift, and a sweep of them: one layer for each level v, from the lowest to the highest.

**A level at which no token is does nothing.** The layer at v has two heads, of thresholds v - delta/2 and v + delta/2,
and places their values with +rho and -rho in row 1. Head b lets token i read the largest u^T x_j of its neighbours if
u^T x_i > b, and the smallest if u^T x_i < b. If u^T x_i isn't between the two thresholds (nor on one), it is on the
same side of both, both heads read the same number, and token i gets rho - rho = 0 times it. All ids are multiples of
delta (those at the start are; rho is whole; what is added is rho times a difference of ids), so that an id between
v - delta/2 and v + delta/2 is v. So of a sweep only the levels have to be run at which a token is just then. A token
that is shifted goes up, so that they can be gone through in order: the next is the lowest id above the last one.
`Sweep.trace` does that, with the literal layer at each level that it doesn't leave out; `Sweep.layers` are all layers.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from gmpy2 import mpq

from bigbird.instance import Instance
from bigbird.lanewise import certain, choose, is_many, is_whole
from bigbird.sparse import Graph, SparseAttention, SparseHead
from verifier.core.exact import Matrix, Q, Vector, columns_of, dot


def heads(i: Instance, factor: int, b_1: mpq, b_2: mpq, *, on_keys: bool = False) -> tuple[SparseHead, SparseHead]:
    """The two heads of Lemma 2: rho e_1 psi~(X; b_1) - rho e_1 psi~(X; b_2).

    A threshold has to be a bias of the queries, as in Yun et al.: the score of j for i is u^T x_j (u^T x_i - b). The
    proof of Lemma 2 prints it on the side of the keys, u^T x_i (u^T x_j - b); that is `on_keys`.
    """
    u, zero = (i.u,), (Q(0),)

    def head(sign: int, b: mpq) -> SparseHead:
        e_1 = ((Q(sign * factor),), *((Q(0),),) * i.d)
        return SparseHead(e_1, u, u, (-b,) if on_keys else zero, u, zero if on_keys else (-b,))

    return head(1, b_1), head(-1, b_2)


@lru_cache(maxsize=1000)
def selective_shift(i: Instance, graph: Graph, factor: int, v: mpq, *, on_keys: bool = False) -> SparseAttention:
    """X <- X + rho psi(X; v - delta/2, v + delta/2)."""
    return SparseAttention(heads(i, factor, v - i.delta / 2, v + i.delta / 2, on_keys=on_keys), graph)


@dataclass(frozen=True)
class Move:
    """A layer at which a token was: its level, whether it changed token 0, 1, ..., n (1, or 0), and the matrix and the
    ids after it."""

    level: mpq
    changed: tuple[int, ...]
    X: Matrix
    ids: Vector

    @property
    def tokens(self) -> tuple[int, ...]:
        """Those that it changed."""
        return tuple(token for token, changed in enumerate(self.changed) if changed)


@dataclass(frozen=True)
class Sweep:
    """One selective shift for each of `levels` levels, from `first` up in steps of delta."""

    name: str
    instance: Instance
    graph: Graph
    factor: int
    first: mpq
    levels: int

    @property
    def layers(self) -> Iterator[SparseAttention]:
        """Every layer, in order. There may be too many to build."""
        return (self.layer(self.first + step * self.instance.delta) for step in range(self.levels))

    def layer(self, v: mpq) -> SparseAttention:
        make = selective_shift.__wrapped__ if is_many(v) else selective_shift
        return make(self.instance, self.graph, self.factor, v)

    @property
    def end(self) -> mpq:
        """The first level that isn't there any more."""
        return self.first + self.levels * self.instance.delta

    def next_level(self, ids: Vector, level: mpq) -> mpq:
        """The lowest level above this one at which a token is; the end, if there is none."""
        found = self.end
        for id_ in ids:
            of_these = choose(is_whole((id_ - self.first) / self.instance.delta), id_, found)
            found = choose(id_ > level, choose(id_ < found, of_these, found), found)
        return found

    def trace(self, X: Matrix) -> Iterator[Move]:
        """What the layers make of X, at every level at which a token is; of many X, at every level at which one of some
        X is, each X at a level of its own."""
        i, end = self.instance, self.end
        level, ids = self.first - i.delta, ids_of(self.instance, X)
        while True:
            level = self.next_level(ids, level)
            if certain(level == end):
                return
            is_there = level < end
            after = tuple(
                row if new is row else tuple(choose(is_there, a, b) for a, b in zip(new, row, strict=True))
                for new, row in zip(self.layer(level).apply(X), X, strict=True)
            )
            changed = [0] * len(ids)
            for new, row in zip(after, X, strict=True):
                if new is not row:
                    changed = [choose(a == b, c, 1) for a, b, c in zip(new, row, changed, strict=True)]
            X, ids = after, ids_of(i, after)
            yield Move(level, tuple(changed), X, ids)


def ids_of(i: Instance, X: Matrix) -> Vector:
    """u^T x_0, ..., u^T x_n."""
    return tuple(dot(i.u, token) for token in columns_of(X))

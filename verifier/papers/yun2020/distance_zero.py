"""Proposition 4 with distance 0: a modified Transformer that equals its target at every X in R^(d x n).

The target is any permutation equivariant f = sum of A_L 1[X in S_L] over ALL L in G, including those with equal
columns; f is 0 off [0, 1)^(d x n). Write B = N^d, u = (1, N, ..., N^(d-1)), U = 1 + N + ... + N^(d-1), delta = 1/N, and
e_1 for the first basis vector. The column of G whose id u^T c is k delta is called column k, k = 0, ..., B-1.

    C = N^(d-1)                the unit: larger than every id of a column of G
    a_k = C (n+1)^k            the code of column k
    S = C (n+1)^B              the sentinel, above everything: the code that a column B would have
    F = (n+1)^B                the factor of the attention layer

    1. the quantiser, for each row i:
           Z <- Z + e_i phi(e_i^T Z),                 phi(t) = S - t for t < 0 or t >= 1, else 0
           for k = 0, delta, ..., 1-delta:
           Z <- Z + e_i phi(e_i^T Z - k 1^T),         phi(t) = -t for 0 <= t < delta, else 0
    2. the codes, for k = 0, ..., B-1:
           Z <- Z + (a_k - k delta) e_1 phi(u^T Z - k delta 1^T),    phi(t) = 1 for -delta/2 <= t < delta/2, else 0
    3. one attention layer, one head, W_K = W_Q = 0 and no bias, so that all scores are 0 and hardmax is the mean
       (softmax too, exactly); W_V = u^T, W_O = n F e_1, so that the layer is
           Z <- Z + F e_1 (sum_i u^T Z_i) 1^T
    4. the rejection:
           Z <- Z - (M+1) 1 phi(u^T Z),               phi(t) = 1 for t >= F S, else 0;    M = S (U+1) (1 + n F)
           for each row i:
           Z <- Z + e_i phi(e_i^T Z),                 phi(t) = -t for t < 0, else 0
    5. the values, for each multiset {k_1, ..., k_n} of columns of G and each column k in it (once):
           Z <- Z + (A - D e_1 - z) phi(u^T Z - key 1^T),            phi(t) = 1 for -delta/2 <= t < delta/2, else 0
       z is what step 3 makes of column k there, A the target of that column, D = 1 + max(0, the largest u^T A), and
           key = C ((n+1)^k + (n+1)^B sum_i (n+1)^(k_i))
    6. the end:
           Z <- Z + D e_1 phi(u^T Z),                 phi(t) = 1 for t < -1/2, else 0

Why it works. After step 2 the id of column k is a_k exactly; a column with a sentinel has an id of S or more, which no
window of step 2 holds. The sum of the codes of n columns of G is C times a number below (n+1)^B whose digits, in base
n+1, say how often each column occurs. After step 3 the id of column k is the key: its 2B digits in base n+1 spell the
context, then which column it is. So the keys of different pairs (context, column) are at least C >= 1 apart, and below
F S; with one sentinel anywhere every id of the matrix is F S or more. What step 5 has written has an id of -1 or less,
where no window is, until step 6 takes D back. Every activation has at most three pieces, a constant one among them.
Layers:

    (dN + d) + B + 1 + (1 + d) + B C(B+n-2, n-1) + 1
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement, pairwise
from math import comb

from gmpy2 import mpq

from verifier.core.exact import Matrix, Q, Vector, columns_of, dot, from_columns
from verifier.core.layers import Attention, FeedForward, Head, PiecewiseLinear
from verifier.core.network import Network
from verifier.core.whole.run import image
from verifier.papers.yun2020.grid import Grid
from verifier.papers.yun2020.instance import Instance
from verifier.papers.yun2020.quantizer import NOTHING, row_layer, step
from verifier.papers.yun2020.value_map import ONE, clear, window, write

ColumnNumbers = tuple[
    int, ...
]  # the numbers k of the columns of a matrix of G, non-decreasing; there is one such tuple for each orbit
Target = Callable[
    [ColumnNumbers, int], Vector
]  # from a context and a column k in it to the column of A_L in the place where L has column k


def unit(i: Instance) -> int:
    """C = N^(d-1)."""
    return int(i.N ** (i.d - 1))


def code(i: Instance, k: int) -> mpq:
    """a_k = C (n+1)^k."""
    return Q(unit(i) * (i.n + 1) ** k)


def sentinel(i: Instance) -> mpq:
    """S = C (n+1)^B."""
    return code(i, i.B)


def factor(i: Instance) -> mpq:
    """F = (n+1)^B."""
    return Q((i.n + 1) ** i.B)


def border(i: Instance) -> mpq:
    """F S: every id of a context is below it, and every id of a matrix with a sentinel is not."""
    return factor(i) * sentinel(i)


def largest_entry(i: Instance) -> mpq:
    """M = S (U+1) (1 + n F), which no entry before the rejection exceeds, in the network of ReLUs neither."""
    return sentinel(i) * (sum(i.u, Q(0)) + 1) * (1 + i.n * factor(i))


def key(i: Instance, context: ColumnNumbers, k: int) -> mpq:
    """C ((n+1)^k + (n+1)^B sum_i (n+1)^(k_i))."""
    return code(i, k) + factor(i) * sum((code(i, other) for other in context), Q(0))


def grid(i: Instance) -> Grid:
    """G+, with the sentinel above."""
    return Grid(i, i.u, i.entries, sentinel(i))


def contexts(i: Instance) -> Iterator[ColumnNumbers]:
    """The multisets of n columns of G: every orbit of G."""
    return combinations_with_replacement(range(i.B), i.n)


def keys(i: Instance) -> int:
    """How many keys there are: B C(B+n-2, n-1), for each column the multisets that contain it."""
    return int(i.B * comb(i.B + i.n - 2, i.n - 1))


def columns(i: Instance) -> tuple[Vector, ...]:
    """The columns of G in the order of their numbers k: N times the entries are k's digits in base N."""
    return tuple(tuple(Q(k // i.N**row % i.N, i.N) for row in range(i.d)) for k in range(i.B))


def quantiser(i: Instance) -> Network:
    away = (Q(-1), sentinel(i))
    outside = PiecewiseLinear((Q(0), Q(1)), (away, NOTHING, away))
    layers = []
    for row in range(i.d):
        layers.append(row_layer(i.d, row, Q(0), outside))
        layers += [row_layer(i.d, row, -k, step(i.delta)) for k in i.entries]
    return Network(tuple(layers))


def first(d: int, x: mpq) -> Vector:
    """x e_1."""
    return (x, *(Q(0),) * (d - 1))


def codes(i: Instance) -> Network:
    zero = first(i.d, Q(0))
    ids = ((k, Q(k, i.N)) for k in range(i.B))
    return Network(tuple(write(i.u, id_, zero, first(i.d, code(i, k) - id_), window(i)) for k, id_ in ids))


def mean_head(i: Instance) -> Head:
    """n F e_1 times the mean of u^T X: all its scores are 0."""
    zero = ((Q(0),) * i.d,)
    W_O = tuple((x,) for x in first(i.d, i.n * factor(i)))
    return Head(W_O=W_O, W_V=(i.u,), W_K=zero, W_Q=zero, b_Q=(Q(0),))


def contextual(i: Instance) -> Network:
    """Steps 2 and 3."""
    return codes(i) + Network((Attention((mean_head(i),)),))


def rejection(i: Instance) -> Network:
    d = i.d
    phi = PiecewiseLinear((border(i),), (NOTHING, ONE))
    away = FeedForward(W_1=(i.u,), b_1=(Q(0),), W_2=((-(largest_entry(i) + 1),),) * d, b_2=(Q(0),) * d, phi=phi)
    return Network((away, *(clear(d, row) for row in range(d))))


def end(i: Instance, D: mpq) -> FeedForward:
    phi = PiecewiseLinear((Q(-1, 2),), (ONE, NOTHING))
    return FeedForward(W_1=(i.u,), b_1=(Q(0),), W_2=tuple((x,) for x in first(i.d, D)), b_2=(Q(0),) * i.d, phi=phi)


@dataclass(frozen=True)
class Exact:
    """The network for a target, in its parts."""

    instance: Instance
    target: Target
    quantiser: Network
    contextual: Network  # steps 2 and 3
    value_map: Network  # steps 4 to 6

    @cached_property
    def network(self) -> Network:
        return self.quantiser + self.contextual + self.value_map

    @cached_property
    def standard(self) -> dict[mpq, Network]:
        """The networks of ReLUs that were made of it, by the width of their strips."""
        return {}

    @cached_property
    def coded(self) -> Network:
        """Step 2 alone."""
        return Network(self.contextual.layers[:-1])

    @cached_property
    def numbers(self) -> dict[Vector, int]:
        """The number of each column of G."""
        return {column: k for k, column in enumerate(columns(self.instance))}

    def wanted(self, L: Matrix) -> Matrix | None:
        """A_L for an L of G with its columns in any order; None for a matrix with a sentinel."""
        number = self.numbers
        if not all(column in number for column in columns_of(L)):
            return None
        numbers = [number[column] for column in columns_of(L)]
        context = tuple(sorted(numbers))
        return from_columns(tuple(self.target(context, k) for k in numbers))


@lru_cache(maxsize=4)  # a run has one instance
def images(i: Instance) -> dict[tuple[ColumnNumbers, int], Vector]:
    """Each column of each context, after step 3."""
    network, known = contextual(i), columns(i)
    found: dict[tuple[ColumnNumbers, int], Vector] = {}
    for context in contexts(i):
        z = image(network, from_columns(tuple(known[k] for k in context)))
        found |= {(context, k): column for k, column in zip(context, columns_of(z), strict=True)}
    return found


def distance_zero(i: Instance, target: Target) -> Exact:
    """The network for a target."""
    written = {place: target(*place) for place in images(i)}
    D = 1 + max(Q(0), *(dot(i.u, A) for A in written.values()))
    phi = window(i)
    layers = [write(i.u, key(i, *place), images(i)[place], (A[0] - D, *A[1:]), phi) for place, A in written.items()]
    value_map = rejection(i) + Network((*layers, end(i, D)))
    return Exact(i, target, quantiser(i), contextual(i), value_map)


@lru_cache(maxsize=4)  # a run has one instance
def chain(i: Instance) -> Exact:
    """The network for targets that are keys: the target of each (context, column) is the next one's key, of the last
    0."""
    places = list(images(i))
    following = {a: first(i.d, key(i, *b)) for a, b in pairwise(places)}
    following[places[-1]] = first(i.d, Q(0))
    return distance_zero(i, lambda context, k: following[context, k])

"""The quantiser g_q of Lemma 5 (App. B.4): every real d x n matrix goes to a matrix of G+, row by row.

For each row i there is first a layer that sends entries outside [0, 1) to the sentinel, then one for each
k = 0, delta, ..., 1-delta:

    Z <- Z + e_i phi(e_i^T Z),             phi(t) = -t - delta^-(nd) for t < 0 or t >= 1, else 0
    Z <- Z + e_i phi(e_i^T Z - k 1^T),     phi(t) = -t for 0 <= t < delta, else 0

That makes dN + d token-wise layers of one hidden node.
"""

from functools import lru_cache

from gmpy2 import mpq

from verifier.core.exact import Q
from verifier.core.layers import FeedForward, PiecewiseLinear, transpose
from verifier.core.network import Network
from verifier.papers.yun2020.instance import Instance

NOTHING = (Q(0), Q(0))  # the line of a piece on which phi is 0


def row_layer(d: int, row: int, shift: mpq, phi: PiecewiseLinear) -> FeedForward:
    """Z + e_i phi(e_i^T Z + shift 1^T), i counted from 0."""
    e = tuple(Q(int(i == row)) for i in range(d))
    return FeedForward(W_1=(e,), b_1=(shift,), W_2=tuple((x,) for x in e), b_2=(Q(0),) * d, phi=phi)


def row_of(layer: object) -> int | None:
    """The i of a layer Z + e_i phi(e_i^T Z + b 1^T), which reads and writes row i alone; None for any other layer."""
    if type(layer) is not FeedForward or layer.r != 1 or any(layer.b_2):
        return None
    (e,) = layer.W_1
    same = transpose(layer.W_2) == layer.W_1
    return e.index(Q(1)) if same and sorted(e) == [Q(0)] * (len(e) - 1) + [Q(1)] else None


def step(delta: mpq) -> PiecewiseLinear:
    """phi(t) = -t for 0 <= t < delta, else 0: takes [0, delta) to 0."""
    return PiecewiseLinear(breaks=(Q(0), delta), pieces=(NOTHING, (Q(-1), Q(0)), NOTHING))


@lru_cache(maxsize=4)  # a run has one instance
def quantizer(instance: Instance) -> Network:
    """g_q."""
    away = (Q(-1), instance.sentinel)
    outside = PiecewiseLinear(breaks=(Q(0), Q(1)), pieces=(away, NOTHING, away))
    layers = []
    for row in range(instance.d):
        layers.append(row_layer(instance.d, row, Q(0), outside))
        layers.extend(row_layer(instance.d, row, -k, step(instance.delta)) for k in instance.entries)
    return Network(tuple(layers))

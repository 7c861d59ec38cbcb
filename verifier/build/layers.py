"""A network as it is stored: a list of layers with weights that are rationals, and nothing else.

    attention      X -> X + W_O [ V . sigma(K, Q) ],   K = W_K X, Q = W_Q X + b_Q 1^T, V = W_V X
    token-wise     X -> X + W_2 . ReLU(W_1 X + b_1 1^T) + b_2 1^T

Heads have size 1, as all of the paper's: row i of W_K, W_Q, b_Q and W_V, and column i of W_O, are head i's, and
column j of V . sigma is sum_k V_ik exp(K_ik Q_ij) / sum_k exp(K_ik Q_ij). lambda is inside W_K.
"""

from dataclasses import dataclass

from verifier.core.exact import Matrix, Vector


@dataclass(frozen=True)
class Attend:
    """An attention layer of h heads of size 1: W_O is d x h; W_V, W_K and W_Q are h x d; b_Q has h entries."""

    W_O: Matrix
    W_V: Matrix
    W_K: Matrix
    W_Q: Matrix
    b_Q: Vector


@dataclass(frozen=True)
class Forward:
    """A token-wise layer of r ReLUs: W_1 is r x d, b_1 has r entries, W_2 is d x r, b_2 has d."""

    W_1: Matrix
    b_1: Vector
    W_2: Matrix
    b_2: Vector


Stored = Attend | Forward

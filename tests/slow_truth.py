"""The definitions once more, naively, in fractions.Fraction: the oracle that the model is compared with.

Nothing of verifier is imported here. Matrices are lists of rows.
"""

from fractions import Fraction
from itertools import product
from math import floor


def sigma_h(S):
    """Hardmax of each column of S."""
    n = len(S)
    P = [[Fraction(0)] * n for _ in range(n)]
    for j in range(n):
        top = max(S[i][j] for i in range(n))
        winners = [i for i in range(n) if S[i][j] == top]
        for i in winners:
            P[i][j] = Fraction(1, len(winners))
    return P


def ids(u, X):
    return [sum(u[i] * X[i][j] for i in range(len(u))) for j in range(len(X[0]))]


def psi(u, X, b):
    """The first row of psi(X; b) = e1 . u^T X . sigma_H[(u^T X)^T (u^T X - b 1^T)]."""
    v = ids(u, X)
    n = len(v)
    P = sigma_h([[v[i] * (v[j] - b) for j in range(n)] for i in range(n)])
    return [sum(v[i] * P[i][j] for i in range(n)) for j in range(n)]


def add_to_first_row(X, row):
    return [[x + y for x, y in zip(X[0], row, strict=True)], *X[1:]]


def g_c(d, n, N, X):
    """Every matrix of the run: X, the matrix after each of the B selective shifts, and g_c(X)."""
    delta = Fraction(1, N)
    u = [delta**-i for i in range(d)]
    states = [X]
    for k in range(N**d):
        level = k * delta
        up, down = psi(u, X, level - delta / 2), psi(u, X, level + delta / 2)
        X = add_to_first_row(X, [delta**-d * (a - b) for a, b in zip(up, down, strict=True)])
        states.append(X)
    X = add_to_first_row(X, [delta ** (-(n + 1) * d) * a for a in psi(u, X, 0)])
    return [*states, X]


def g_plus(d, n, N):
    """All of G+, ordered."""
    alphabet = [Fraction(-(N ** (n * d))), *(Fraction(k, N) for k in range(N))]
    for entries in product(alphabet, repeat=d * n):
        yield [list(entries[i * n : (i + 1) * n]) for i in range(d)]


def category(X):
    if any(x < 0 for row in X for x in row):
        return 3
    columns = list(zip(*X, strict=True))
    return 1 if len(set(columns)) == len(columns) else 2


def quantized(d, n, N, X):
    """Each entry rounded down to a multiple of 1/N, or the sentinel outside [0, 1)."""
    return [[Fraction(floor(N * x), N) if 0 <= x < 1 else Fraction(-(N ** (n * d))) for x in row] for row in X]


def looked_up(X, table):
    """What the value map should make of g_c(X): the columns that a table has for X's, in X's order; 0 outside G~."""
    if category(X) != 1:
        return [[Fraction(0)] * len(X[0]) for _ in X]
    columns = list(zip(*X, strict=True))
    return [list(row) for row in zip(*(table[frozenset(columns), column] for column in columns), strict=True)]

"""BigBird's layers once more, as slowly as they are written: Fractions, matrices by rows as in the paper, every level.

Nothing of the project is imported. A token is a row here; row 0 is the global token.
"""

from fractions import Fraction
from itertools import product


def contexts(d, n, N, closed=False):
    """G^E_delta, each token before E: a tuple of n columns of d entries."""
    entries = [Fraction(k, N) for k in range(N + 1 if closed else N)]
    return product(product(entries, repeat=d), repeat=n)


def tokens(d, n, N, context, start=None):
    """x_0, ..., x_n in R^(d+1): E added, a 0 appended; x_0 = (0, ..., 0, 1), or what has the id `start`."""
    rows = [[Fraction(0)] * d + [Fraction(1) if start is None else Fraction(start, N ** (n * d))]]
    for i, column in enumerate(context, start=1):
        E = Fraction(0) if i == 1 else Fraction(N) ** ((i - 1) * d)
        rows.append([entry + E for entry in column] + [Fraction(0)])
    return rows


def u(d, n, N):
    return [Fraction(N) ** r for r in range(d)] + [Fraction(N) ** (n * d)]


def ids(X, u):
    return [sum(a * b for a, b in zip(u, x, strict=True)) for x in X]


def star(n):
    return [list(range(1, n + 1))] + [[0, i] for i in range(1, n + 1)]


def head(X, u, b, graph, on_keys=False):
    """psi~(X; b): for each token a mean of ids, by the hardmax of its scores over N(i)."""
    z = ids(X, u)
    read = []
    for i, neighbours in enumerate(graph):
        scores = [z[i] * (z[j] - b) if on_keys else z[j] * (z[i] - b) for j in neighbours]
        best = [z[j] for j, score in zip(neighbours, scores, strict=True) if score == max(scores)]
        read.append(sum(best) / len(best))
    return read


def layer(X, u, rho, v, delta, graph):
    """X + rho psi(X; v - delta/2, v + delta/2), as the difference of two heads in the first entry."""
    lower, upper = head(X, u, v - delta / 2, graph), head(X, u, v + delta / 2, graph)
    return [[x[0] + rho * (a - b), *x[1:]] for x, a, b in zip(X, lower, upper, strict=True)]


def interval(a, b, delta, with_end=False):
    v = Fraction(a)
    while v < b or (with_end and v == b):
        yield v
        v += delta


def bound(d, n, N, k, up):
    """(LP) for up = 0, (UP) for up = 1, with powers of 1/delta as they are printed; and the base case."""
    D = lambda e: Fraction(N) ** e  # noqa: E731
    if k == 0:
        return D((n + 1) * d) + up * Fraction(1, N)
    P = D((n + 1) * d) + 1
    return (
        P**k * D(n * d)
        - sum(P ** (k - t) * (2 * D(n * d + d) + D(n * d) + 1) * D((t - 1 + up) * d) for t in range(2, k + 1))
        - P ** (k - 1) * (D(n * d + d) + D(n * d)) * D(up * d)
        - D((k + up) * d)
    )


def sweeps(d, n, N, low=False, high=False, ends=False):
    """(rho, levels) of every stretch of layers, in order."""
    delta = Fraction(1, N)
    for k in range(1, n + 1):
        a = k if low else k - 1
        yield N**d, interval(Fraction(N) ** (a * d), Fraction(N) ** ((a + 1) * d), delta, ends)
        j = k if high else k - 1
        yield N ** (n * d), interval(bound(d, n, N, j, 0), bound(d, n, N, j, 1), delta, ends)
    yield N ** (n * n * d), interval(bound(d, n, N, 1, 0), bound(d, n, N, n, 1), delta, ends)


def run(d, n, N, X, stretches):
    """The ids after each stretch, every one of its layers applied."""
    vector, after = u(d, n, N), []
    for rho, levels in stretches:
        for v in levels:
            X = layer(X, vector, rho, v, Fraction(1, N), star(n))
        after.append(ids(X, vector))
    return after

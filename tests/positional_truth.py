"""The positional construction once more, naively, in whole numbers of delta: the oracle of tests.

Nothing of verifier is imported here. An entry x is N x, an id u^T c is N u^T c, and a column is a tuple of entries.
"""

from itertools import product


def columns(d, n, N, j, wide):
    """Columns over j-1, j-1+delta, ..., j-delta, and j-1-J when wide, by increasing id, then by entries."""
    alphabet = list(range((j - 1) * N, j * N))
    if wide:
        alphabet.append((j - 1 - n - 3 * n * N ** (d * n)) * N)
    found = product(alphabet, repeat=d)
    return sorted(found, key=lambda c: (sum(x * N**i for i, x in enumerate(c)), c))


def contexts(d, n, N, wide=False):
    yield from product(*(columns(d, n, N, j, wide) for j in range(1, n + 1)))


def good(N, context):
    return all((j - 1) * N <= x < j * N for j, column in enumerate(context, start=1) for x in column)


def run(d, n, N, context):
    """Ids before the sweep, after it, after the global shift, and for each shift the columns (from 1) that it moved."""
    B = N**d
    ids = [sum(x * N**i for i, x in enumerate(column)) for column in context]
    before, moved = list(ids), []
    for j in range(n):
        for k in range(B):
            level = j * sum(N**i for i in range(d)) * N + k
            far = max(ids) - min(ids)
            here = [place for place in range(n) if ids[place] == level]
            for place in here:
                ids[place] += B * far
            if here:
                moved.append([place + 1 for place in here])
    P = n * B ** (n + 1) * N
    top, bottom = max(ids), min(ids)
    final = [x + P * (top if x > 0 else bottom) for x in ids]
    return before, ids, final, moved

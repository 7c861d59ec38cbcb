"""A plan run in Python's whole numbers, which have no limit: the reference for the C library, and what takes over when
a number is too large for it, or when there is none.
"""

from collections.abc import Callable, Sequence
from operator import mul

from verifier.core.whole.plan import (
    Node,
    Op,
    Search,
    Table,
    Whole,
    WholeAttention,
    WholeFeedForward,
    denominator_of_means,
)

Columns = list[Whole]
Sums = tuple[
    tuple[int, Whole], ...
]  # of a head, for each column: the number of arg maxima, and the sum of their values


def run_plainly(
    ops: Sequence[Op],
    columns: Columns,
    s: int,
    look: Callable[[int, Columns, int, Columns, int, tuple[Sums, ...]], None] | None = None,
) -> tuple[Columns, int]:
    """The columns after all ops. `look` is called for each op with its number, the columns and s before and after it,
    and what its heads read (for the s after it)."""
    for k, op in enumerate(ops):
        before, s_before = columns, s
        sums: tuple[Sums, ...] = ()
        if type(op) is WholeAttention:
            columns, s, sums = _attend(op, columns, s)
        elif type(op) is WholeFeedForward:
            columns = [_token(op, column, s) for column in columns]
        elif type(op) is Search:
            columns = [search(op, column, s) for column in columns]
        if look:
            look(k, before, s_before, columns, s, sums)
    return columns, s


def _times(W: Table, column: Whole) -> Whole:
    return tuple([sum(map(mul, row, column)) for row in W])


def _attend(op: WholeAttention, columns: Columns, s: int) -> tuple[Columns, int, tuple[Sums, ...]]:
    heads = []
    for head in op.heads:
        keys = [_times(head.W_K, column) for column in columns]
        values = [_times(head.W_V, column) for column in columns]
        sums = []
        for column in columns:
            query = [a + b * s for a, b in zip(_times(head.W_Q, column), head.b_Q, strict=True)]
            if head.m == 1:  # a score is key times query: the query's sign says which keys win
                sign = (query[0] > 0) - (query[0] < 0)
                scores = [sign * key for (key,) in keys]
            else:
                scores = [sum(map(mul, key, query)) for key in keys]
            top = max(scores)
            winners = [value for value, score in zip(values, scores, strict=True) if score == top]
            sums.append((len(winners), tuple(map(sum, zip(*winners, strict=True)))))
        heads.append(tuple(sums))
    added_up = []
    for j in range(len(columns)):
        new = [0] * len(columns[j])
        for head, sums_of in zip(op.heads, heads, strict=True):
            k, total = sums_of[j]
            for i, added in enumerate(_times(head.W_O, total)):
                share, rest = divmod(added, k)
                if rest:  # the mean needs a denominator: everything is multiplied by one that suits every column
                    L = denominator_of_means(len(columns))
                    return _attend(op, [tuple(L * x for x in column) for column in columns], L * s)
                new[i] += share
        added_up.append(new)
    if not any(map(any, added_up)):
        return columns, s, tuple(heads)
    after = [tuple([op.q * x + y for x, y in zip(*both, strict=True)]) for both in zip(columns, added_up, strict=True)]
    return after, op.q * s, times(op.q, tuple(heads))


def times(q: int, heads: tuple[Sums, ...]) -> tuple[Sums, ...]:
    """What the heads read, over q times the s."""
    return tuple([tuple([(k, tuple([q * x for x in total])) for k, total in sums]) for sums in heads])


def _piece(node: Node, column: Whole, s: int) -> tuple[Table, Whole] | None:
    t = sum(map(mul, node.W_1, column)) + node.b_1 * s
    place = 0
    for c, left in zip(node.breaks, node.left, strict=True):
        if t < c * s or (left and t == c * s):
            break
        place += 1
    return node.pieces[place]


def _token(op: WholeFeedForward, column: Whole, s: int) -> Whole:
    new = [op.q * x + b * s for x, b in zip(column, op.b_2, strict=True)]
    for node in op.nodes:
        if piece := _piece(node, column, s):
            G, h = piece
            new = [x + a + b * s for x, a, b in zip(new, _times(G, column), h, strict=True)]
    return tuple(new)


def search(op: Search, column: Whole, s: int) -> Whole:
    k = 0
    while True:
        k = op.next(sum(map(mul, op.W_1, column)), s, k)
        if k == len(op.members):
            return column
        column = _token(op.members[k], column, s)  # type: ignore[arg-type]
        k += 1

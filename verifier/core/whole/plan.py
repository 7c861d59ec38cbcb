"""A network's layers in scaled whole numbers, as data.

A matrix X of rationals is stored as whole numbers x and a whole number s >= 1 with X = x / (D s). D belongs to the
layer (the denominators of biases and of token-wise layers are known beforehand), s to the matrix: mostly 1, or larger
if its own entries, an attention layer that changes it, or a mean over tied arg maxima, need another denominator. Every
constant of a layer is multiplied by s, so that a layer is homogeneous in (x, s).

    attention       scores: ck . W_K x  times  cq . (W_Q x + D b_Q s), which orders them as the layer's scores do
                    (for a head of size one the largest or smallest key wins, by the sign of the query);
                    y = sum over heads of (W_O q / cv) (sum over the arg maxima of cv W_V x) / how many;
                    unless y is 0:  x <- q x + y,  s <- q s
    token-wise      node r: t = c (W_1 x + D b_1 s) against its breaks c D break s; the piece that t is in adds
                    q W_2 slope W_1 x + q D W_2 (slope b_1 + intercept) s, an affine function of the column
    search          layers that read the same W_1 x, each of which does nothing outside an interval of it: token-wise
                    layers of one node, of which only those are run whose interval a column is in, in their order; or
                    attention layers of which two heads cancel, where one column serves for the matrix

Before a layer is run, `growth` bounds its results for entries |x| <= 2^X and s <= 2^S; the bits that it returns suffice
for every intermediate number, too, and so decide in which width the layer is run.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from math import ceil, floor, lcm
from typing import Any

from gmpy2 import mpq

from verifier.core.exact import Matrix
from verifier.core.layers import Attention, FeedForward, Head, PiecewiseLinear

Whole = tuple[int, ...]
Table = tuple[Whole, ...]

LEAST_SEARCHED = 4  # layers; fewer are run one after the other
MOST_DENOMINATOR = 64  # bits; a denominator up to this is used for all layers from the start


@dataclass(frozen=True)
class WholeHead:
    W_K: Table
    W_Q: Table
    b_Q: Whole
    W_V: Table
    W_O: Table
    scale: int  # cv, by which W_V is scaled

    @property
    def m(self) -> int:
        return len(self.W_K)


@dataclass(frozen=True)
class WholeAttention:
    q: int
    D: int  # the D of the matrix that it reads
    heads: tuple[WholeHead, ...]

    @cached_property
    def _growth(self) -> tuple[tuple[tuple[int, int, int], ...], int]:
        """For each head the bits of W_K and W_Q (with those of m) and of b_Q; and the bits of what is added for each
        token."""
        heads = tuple((_bits(h.W_K) + h.m.bit_length(), _bits(h.W_Q), _most(h.b_Q)) for h in self.heads)
        values = max((max(_bits(h.W_V), _bits(h.W_O)) for h in self.heads), default=0)
        added = sum(max(sum(map(abs, row)) for row in h.W_O) * _size(h.W_V) for h in self.heads)
        return heads, max(values, (added + self.q).bit_length())

    @cached_property
    def idle(self) -> tuple[Whole, int, int] | None:
        """(row, low, high): a column is left as it is unless low s <= row . x <= high s.

        Two heads of size one with the same keys and values add the same with opposite signs, where their queries, which
        differ in the bias alone, are of one sign: then both have the same arg maxima.
        """
        if len(self.heads) != 2 or any(head.m != 1 for head in self.heads):
            return None
        a, b = self.heads
        (row,), (other,) = a.W_Q, b.W_Q
        (keys,), (others_keys,) = a.W_K, b.W_K
        opposite = all(x == -y for (x,), (y,) in zip(a.W_O, b.W_O, strict=True)) and a.W_V == b.W_V
        known = any(row) and any(keys) and any(others_keys)
        if not (opposite and known and _parallel(row, other) and _parallel(keys, others_keys)):
            return None
        ends = sorted(Fraction(-head.b_Q[0] * _scale(row), _scale(head.W_Q[0])) for head in self.heads)
        return row, floor(ends[0]), ceil(ends[1])

    def growth(self, X: int, S: int, n: int) -> int:
        heads, added = self._growth
        pairs = [(K + X, max(Q + X, b + S) + 1) for K, Q, b in heads]
        scores = [max(pair) if head.m == 1 else sum(pair) for head, pair in zip(self.heads, pairs, strict=True)]
        return max(*scores, added + X + n.bit_length(), self.q.bit_length() + S)


@dataclass(frozen=True)
class Node:
    """A hidden node: its breaks, each with whether it belongs to the piece on its left; and what each piece adds."""

    W_1: Whole
    b_1: int
    breaks: Whole
    left: tuple[bool, ...]
    pieces: tuple[tuple[Table, Whole] | None, ...]  # None for a piece that adds nothing


@dataclass(frozen=True)
class WholeFeedForward:
    q: int
    D: int
    nodes: tuple[Node, ...]
    b_2: Whole

    @cached_property
    def _growth(self) -> tuple[int, int]:
        """The bits of the factors of x, and of the factors of s."""
        linear, constant = [self.q], [max(map(abs, self.b_2))]
        for node in self.nodes:
            tables = [piece for piece in node.pieces if piece is not None]
            linear.append(max((_size(G) for G, _ in tables), default=0))
            constant.append(max((max(map(abs, h)) for _, h in tables), default=0))
        reads = max((sum(map(abs, node.W_1)) for node in self.nodes), default=0)
        meets = max((max([abs(node.b_1), *map(abs, node.breaks)]) for node in self.nodes), default=0)
        return max(sum(linear), reads).bit_length(), max(sum(constant), meets, self.q).bit_length()

    def growth(self, X: int, S: int, n: int) -> int:  # noqa: ARG002
        linear, constant = self._growth
        return max(linear + X, constant + S) + 1


@dataclass(frozen=True)
class Search:
    """A stretch of layers, each of which does something only where low s <= W_1 x <= high s."""

    members: tuple[WholeFeedForward, ...] | tuple[WholeAttention, ...]
    W_1: Whole
    low: Whole  # increasing, and `high` too
    high: Whole
    order: tuple[int, ...]  # the layer to which each interval belongs

    @property
    def of_attention(self) -> bool:
        return type(self.members[0]) is WholeAttention

    def next(self, t: int, s: int, start: int) -> int:
        """The first layer from `start` on in whose interval t lies; the number of layers if there is none."""
        found = len(self.members)
        place = bisect_right(self.low, t // s) - 1
        while place >= 0 and self.high[place] * s >= t:
            if start <= self.order[place] < found:
                found = self.order[place]
            place -= 1
        return found

    @cached_property
    def _growth(self) -> tuple[int, int]:
        reads = sum(map(abs, self.W_1)).bit_length()
        return reads, max(*map(abs, self.low), *map(abs, self.high)).bit_length()

    def growth(self, X: int, S: int, n: int) -> int:  # noqa: ARG002
        """The growth of the search itself; each layer that is run has its own."""
        reads, meets = self._growth
        return max(reads + X, meets + S) + 1


Op = WholeAttention | WholeFeedForward | Search


@dataclass(frozen=True)
class Plan:
    """Layers first, ..., first + len(layers) - 1 of a network; the D before each, and the one after the last."""

    first: int
    layers: tuple[WholeAttention | WholeFeedForward, ...]
    D: Whole
    d: int

    @cached_property
    def ops(self) -> tuple[Op, ...]:
        """The layers, with a search in place of each stretch of token-wise layers that allows one."""
        return tuple(_searched(self.layers, _between_breaks))

    @cached_property
    def ops_of_many(self) -> tuple[Op, ...]:
        """The same for many matrices at once: with a search in place of stretches of attention layers, too."""
        return tuple(_searched(self.ops, _window))

    @cached_property
    def layers_of_many(self) -> tuple[Op, ...]:
        """The layers, with a search in place of each stretch of attention layers that allows one."""
        return tuple(_searched(self.layers, _window))


def compiled(layers: Sequence[Any], d: int) -> list[Plan | Any]:
    """The layers: each stretch of layers of this package as a plan, all others (your own) as they are."""
    result: list[Plan | Any] = []
    k = 0
    while k < len(layers):
        stretch: list[Any] = []
        while k + len(stretch) < len(layers) and _known(layers[k + len(stretch)], d):
            stretch.append(layers[k + len(stretch)])
        result.append(_plan(k, stretch, d) if stretch else layers[k])
        k += len(stretch) or 1
    return result


def _known(layer: Any, d: int) -> bool:
    if type(layer) is Attention:
        return all(type(head) is Head and len(head.W_O) == d == len(head.W_K[0]) for head in layer.heads)
    return type(layer) is FeedForward and type(layer.phi) is PiecewiseLinear and len(layer.W_2) == d


def _plan(first: int, stretch: Sequence[Any], d: int) -> Plan:
    D = lcm(*(_denominator(_constants(layer)) for layer in stretch))
    denominators = [D if D.bit_length() <= MOST_DENOMINATOR else 1]
    layers: list[WholeAttention | WholeFeedForward] = []
    for layer in stretch:
        made = (
            _attention(layer, denominators[-1]) if type(layer) is Attention else _feed_forward(layer, denominators[-1])
        )
        layers.append(made)
        denominators.append(denominators[-1] * (made.q if type(made) is WholeFeedForward else 1))
    return Plan(first, tuple(layers), tuple(denominators), d)


def _constants(layer: Attention | FeedForward) -> Iterable[mpq]:
    """What a token-wise layer adds that does not depend on the column; and the biases of queries, which end windows."""
    if type(layer) is Attention:
        for head in layer.heads:
            yield from head.b_Q
        return
    yield from layer.b_2  # type: ignore[union-attr]
    for r, b in enumerate(layer.b_1):  # type: ignore[union-attr]
        for slope, intercept in layer.phi.pieces:  # type: ignore[union-attr]
            for row in layer.W_2:  # type: ignore[union-attr]
                yield row[r] * (slope * b + intercept)


@cache
def denominator_of_means(n: int) -> int:
    """What makes the mean of whole numbers whole, of up to n of them."""
    return lcm(*(k + 1 for k in range(n)))


def _denominator(values: Iterable[mpq]) -> int:
    return lcm(*[int(value.denominator) for value in values])


def _whole(values: Iterable[mpq], times: int) -> Whole:
    return tuple([int((value * times).numerator) for value in values])


@lru_cache  # the heads of a network share most of their weights
def _table(W: Matrix, times: int) -> Table:
    return tuple([_whole(row, times) for row in W])


def _entries(W: Matrix) -> Iterable[mpq]:
    return (x for row in W for x in row)


@lru_cache
def _common(W: Matrix) -> int:
    """The common denominator of a table of weights."""
    return _denominator(_entries(W))


@lru_cache
def _divided(W: Matrix, by: int) -> Matrix:
    return tuple([tuple([x / by for x in row]) for row in W])


def _attention(layer: Attention, D: int) -> WholeAttention:
    scales = [_common(head.W_V) for head in layer.heads]
    outs = [_divided(head.W_O, cv) for head, cv in zip(layer.heads, scales, strict=True)]
    q = lcm(*map(_common, outs))
    heads = []
    for head, cv, W_O in zip(layer.heads, scales, outs, strict=True):
        bias = tuple([D * b for b in head.b_Q])
        ck, cq = _common(head.W_K), lcm(_common(head.W_Q), _denominator(bias))
        tables = _table(head.W_K, ck), _table(head.W_Q, cq), _whole(bias, cq), _table(head.W_V, cv), _table(W_O, q)
        heads.append(WholeHead(*tables, cv))
    return WholeAttention(q, D, tuple(heads))


def _feed_forward(layer: FeedForward, D: int) -> WholeFeedForward:
    phi, rows = layer.phi, layer.W_2
    adds = [
        [
            (
                tuple(tuple(row[r] * slope * w for w in W_1) for row in rows),
                tuple(D * row[r] * (slope * b + intercept) for row in rows),
            )
            for slope, intercept in phi.pieces
        ]
        for r, (W_1, b) in enumerate(zip(layer.W_1, layer.b_1, strict=True))
    ]
    b_2 = tuple(D * b for b in layer.b_2)
    q = lcm(_denominator(b_2), *(_denominator((*_entries(G), *h)) for node in adds for G, h in node))
    left = tuple(c in phi.left_owned for c in phi.breaks)
    nodes = []
    for W_1, b, pieces in zip(layer.W_1, layer.b_1, adds, strict=True):
        bias, breaks = D * b, tuple(D * c for c in phi.breaks)
        c = _denominator((*W_1, bias, *breaks))
        made = tuple((_table(G, q), _whole(h, q)) if any(_entries(G)) or any(h) else None for G, h in pieces)
        nodes.append(Node(_whole(W_1, c), int((c * bias).numerator), _whole(breaks, c), left, made))
    return WholeFeedForward(q, D, tuple(nodes), _whole(b_2, q))


Window = tuple[Whole, int, int, WholeFeedForward | WholeAttention]  # W_1, low and high; and the layer over that W_1


def _searched(ops: Sequence[Op], window: Callable[[Op], Window | None]) -> Iterable[Op]:
    k = 0
    while k < len(ops):
        stretch: list[Window] = []
        for op in ops[k:]:
            its = window(op)
            if its is None or (stretch and not _parallel(its[0], stretch[0][0])):
                break
            stretch.append(its)
        search = _search(stretch) if len(stretch) >= LEAST_SEARCHED else None
        yield from ops[k : k + max(1, len(stretch))] if search is None else (search,)
        k += len(stretch) or 1


def _between_breaks(op: Op) -> Window | None:
    """The window of a token-wise layer that does nothing outside the interval from the first to the last break of its
    only node."""
    if type(op) is not WholeFeedForward or op.q != 1 or any(op.b_2) or len(op.nodes) != 1:
        return None
    (node,) = op.nodes
    if not node.breaks or node.pieces[0] is not None or node.pieces[-1] is not None or not any(node.W_1):
        return None
    return node.W_1, node.breaks[0] - node.b_1, node.breaks[-1] - node.b_1, op


def _window(op: Op) -> Window | None:
    """The window of an attention layer that does nothing unless a column is in it."""
    return (*op.idle, op) if type(op) is WholeAttention and op.idle else None


def _parallel(W: Whole, V: Whole) -> bool:
    """Whether one is a positive multiple of the other."""
    pairs = list(zip(W, V, strict=True))
    a, b = next((a, b) for a, b in pairs if a)
    return a * b > 0 and all(x * b == y * a for x, y in pairs)


def _search(stretch: Sequence[Window]) -> Search | None:
    """The stretch as a search, if in some order both ends of the intervals increase."""
    c = lcm(*(_scale(W_1) for W_1, *_ in stretch))
    first = stretch[0][0]
    W_1 = tuple(c // _scale(first) * w for w in first)
    times = [c // _scale(row) for row, *_ in stretch]
    ends = [(k * low, k * high) for k, (_, low, high, _) in zip(times, stretch, strict=True)]
    order = sorted(range(len(ends)), key=ends.__getitem__)
    low, high = (tuple(ends[k][side] for k in order) for side in (0, 1))
    if any(low[k] >= low[k + 1] or high[k] >= high[k + 1] for k in range(len(low) - 1)):
        return None
    members = tuple(_over(W_1, k, layer) for k, (*_, layer) in zip(times, stretch, strict=True))
    return Search(members, W_1, low, high, tuple(order))  # type: ignore[arg-type]


def _over(W_1: Whole, k: int, layer: WholeFeedForward | WholeAttention) -> WholeFeedForward | WholeAttention:
    """The layer; a token-wise one with k times the numbers that it compares, over W_1."""
    if type(layer) is WholeAttention:
        return layer
    (node,) = layer.nodes  # type: ignore[union-attr]
    scaled = Node(W_1, k * node.b_1, tuple(k * x for x in node.breaks), node.left, node.pieces)
    return WholeFeedForward(1, layer.D, (scaled,), layer.b_2)  # type: ignore[union-attr]


def _scale(W: Whole) -> int:
    return next(abs(w) for w in W if w)


@lru_cache
def _size(W: Table) -> int:
    """The largest sum of absolute values in a row: |W x| <= size . max |x|."""
    return max(sum(map(abs, row)) for row in W)


def _bits(W: Table) -> int:
    return _size(W).bit_length()


def _most(b: Whole) -> int:
    return max(map(abs, b)).bit_length()

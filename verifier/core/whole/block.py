"""A plan on the matrices of many cases at once (core/lanes.py): its image, every step, or the layers that change it.

Each op is run on all cases before the next one, in numbers as wide as its bound requires: in C (network.c) up to its
largest width; above that, or without the C library, with numpy, in 64 bits or in arrays of Python's whole numbers.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import gcd, lcm
from typing import Any, cast

import numpy as np

from verifier.core.exact import Matrix
from verifier.core.lanes import ROOM, Array, Lanes, array, count, spread
from verifier.core.whole import compiled as c
from verifier.core.whole.plain import search
from verifier.core.whole.plan import Node, Op, Search, Whole, WholeAttention, WholeFeedForward, denominator_of_means

Read = tuple[Array, list[Array]]  # for a head and a column: the number of arg maxima, and the sums of their values


class Block:
    """Many matrices as whole numbers x / (D s) of a plan: an s for each case, and entries [case, row d, column n].

    Each |x| <= most, which is at least 1, and each s <= most_s. They are stored as numbers, or, as C needs them, in
    limbs [case, s and entries, limb]; either is made from the other on demand.
    """

    def __init__(
        self,
        shape: tuple[int, int, int],
        most: int,
        most_s: int,
        x: Array = None,
        s: Array = None,
        limbs: Array = None,
    ) -> None:
        self.shape, self.most, self.most_s, self._x, self._s, self._limbs = shape, max(most, 1), most_s, x, s, limbs

    @property
    def x(self) -> Array:
        if self._x is None:
            self._x = numbers_of(self._limbs[:, 1:], self.most).reshape(self.shape)
        return self._x

    @property
    def s(self) -> Array:
        if self._s is None:
            self._s = numbers_of(self._limbs[:, 0], self.most_s)
        return self._s

    def limbs(self, W: int) -> Array:
        """The limbs at this width, into which all numbers fit."""
        if self._limbs is None:
            cases, d, n = self.shape
            both = np.concatenate([self._s[:, None], self._x.reshape(cases, d * n)], axis=1)
            self._limbs = limbs_of(both, max(self.most, self.most_s))
        return widened(self._limbs, W)

    def bounded(self) -> "Block":
        """The same block with the least bounds that hold."""
        return Block(self.shape, int(abs(self.x).max()), int(self.s.max()), self.x, self.s, self._limbs)

    def scaled(self, k: int) -> "Block":
        x, s = _wide(self.x, self.most * k), _wide(self.s, self.most_s * k)
        return Block(self.shape, self.most * k, self.most_s * k, x * k, s * k)

    def part(self, where: Array) -> "Block":
        some = self.x[where]
        return Block((len(some), *self.shape[1:]), self.most, self.most_s, some, self.s[where])

    def with_part(self, where: Array, part: "Block") -> "Block":
        """The same block with other matrices in some of the cases."""
        x, s = _put(self.x, where, part.x), _put(self.s, where, part.s)
        return Block(self.shape, max(self.most, part.most), max(self.most_s, part.most_s), x, s)

    def common(self) -> int:
        """A common multiple of every s."""
        return lcm(*set(self.s.tolist()))

    def matrix(self, D: int) -> Matrix:
        _, rows, columns = self.shape
        top, x, most = self.common(), self.x, self.most
        times = _wide(top // _wide(self.s, top), top)
        if (times != 1).any():
            most *= int(times.max())
            x = _wide(x, most) * times[:, None, None]
        made = [[Lanes(x[:, i, j], D * top, most) for j in range(columns)] for i in range(rows)]
        return tuple(map(tuple, made))  # type: ignore[arg-type]


def _wide(x: Array, most: int) -> Array:
    """Of Python's whole numbers, where 64 bits have no room for numbers up to `most`."""
    return x if most <= ROOM else x.astype(object)


def _put(x: Array, where: Array, some: Array) -> Array:
    x = x.astype(object) if some.dtype == object else x.copy()
    x[where] = some
    return x


def numbers_of(limbs: Array, most: int) -> Array:
    """The numbers with these limbs: in 64 bits if that is enough, else Python's whole numbers."""
    if most <= ROOM:
        return limbs[..., 0]
    *rest, top = (limbs[..., k] for k in range(limbs.shape[-1]))
    x = top.astype(object)
    for limb in reversed(rest):
        x = (x << 64) + limb.view(np.uint64).astype(object)
    return x


def limbs_of(x: Array, most: int) -> Array:
    """The limbs of these numbers, in the least of c.WIDTHS into which every number fits."""
    if x.dtype != object:
        return np.ascontiguousarray(x)[..., None]
    W = next(_widths(most.bit_length()), most.bit_length() // 64 + 1)
    raw = b"".join([number.to_bytes(8 * W, "little", signed=True) for number in x.ravel().tolist()])
    return np.frombuffer(raw, dtype=np.int64).reshape(*x.shape, W)


def _widths(bits: int) -> Iterator[int]:
    """The widths of network.c in which there is room for so many bits, and for the sign."""
    return (W for W in c.WIDTHS if bits < 64 * W)


def widened(limbs: Array, W: int) -> Array:
    had = limbs.shape[-1]
    if had >= W:
        return np.ascontiguousarray(limbs[..., :W])
    sign = -(limbs[..., -1:] < 0).astype(np.int64)
    return np.concatenate([limbs, np.repeat(sign, W - had, axis=-1)], axis=-1)


@dataclass(frozen=True)
class After:
    """The result of an op: the block after it, which cases it changed, the block that its heads read, and what they
    read, if asked for. A search among attention layers has such a result for the first layer that changes each case
    (`member` has its number, by case), for the second, and so on."""

    block: Block
    changed: Array
    read: Block
    reads: Callable[[], tuple[tuple[Read, ...], ...]] = tuple
    member: Array | int = 0


def entered(X: Matrix, D: int) -> Block:
    """The matrices in whole numbers, and the s that they need."""
    cases = count(X)
    entries: list[Lanes] = [x if type(x) is Lanes else spread(x, cases) for row in X for x in row]  # type: ignore[comparison-overlap]
    L = lcm(*{x.scale for x in entries})
    s = L // gcd(L, D)
    scaled = [x.at(D * s) for x in entries]
    kind = object if any(x.x.dtype == object for x in scaled) else np.int64
    x = np.stack([x.x.astype(kind) for x in scaled], axis=1)
    shape = (cases, len(X), len(X[0]))
    return Block(shape, max(x.most for x in scaled), s, x.reshape(shape), array([s]).repeat(cases))


Look = Callable[[int, After], None]


def run_block(program: c.Program, block: Block, look: Look | None = None, *, every: bool = False) -> Block:
    """The cases after all ops of a program. `look` is called with the number and the result of each op that changes
    some case; or of every op, with what its heads read."""
    library = c.library()
    for k, op in enumerate(program.ops):
        if isinstance(op, Search) and op.of_attention:
            block = _run_some(library, program, k, op, block, look)
        else:
            made = _step(library, program, k, op, block, every=every)
            block = made.block
            if look and (every or made.changed.any()):
                look(k, made)
    return block


def _run_some(library: Any, program: c.Program, k: int, op: Search, block: Block, look: Look | None) -> Block:
    """Runs a search among attention layers: in C, case by case; and layer by layer the cases that C leaves."""
    left, behind = np.ones(block.shape[0], dtype=bool), block
    if library is not None:
        for W in _widths(max(block.most, block.most_s).bit_length()):
            behind, left = _some_compiled(library, program, k, block, W, look)
            break
    return behind.with_part(left, _layer_by_layer(library, k, op, block, left, look)) if left.any() else behind


def _layer_by_layer(library: Any, k: int, op: Search, block: Block, left: Array, look: Look | None) -> Block:
    """Some of the cases after a search among attention layers; of each layer, those that it may change are run."""
    rest, members = block.part(left), cast(Any, op.members)
    alone = c.Program(members)
    queries: dict[Whole, Array] = {}  # for the rest as it is
    for t, member in enumerate(members):
        where = _meant(member, rest, queries)
        if not where.any():
            continue
        queries.clear()
        made = _step(library, alone, t, member, rest.part(where))
        rest = rest.with_part(where, made.block)
        if look and made.changed.any():
            changed = np.zeros(len(left), dtype=bool)
            changed[np.flatnonzero(left)[np.flatnonzero(where)[made.changed]]] = True
            after = block.with_part(left, rest)
            look(k, After(after, changed, block, member=t))
    return rest


def _some_compiled(
    library: Any, program: c.Program, k: int, block: Block, W: int, look: Look | None
) -> tuple[Block, Array]:
    """The cases after the search in C, at this width; and which of them C leaves as they need wider numbers, or a
    denominator for a mean."""
    before, (count, d, n) = block.limbs(W), block.shape
    after, changed = np.empty_like(before), np.empty(count, dtype=np.int64)
    words = 2 + W * (1 + d * n)
    room, kept = count * n, None  # changes
    while kept is None:
        record = np.empty((room, words), dtype=np.int64)
        at = c.Places(before.ctypes.data, after.ctypes.data, changed.ctypes.data, record.ctypes.data, record.size)
        bits = block.most.bit_length(), block.most_s.bit_length()
        found = c.run_op(library, program, k, at, block.shape, W, *bits, c.CHANGES if look else c.NOTHING)
        kept, room = found.kept, room + room
    left = changed < 0
    bounds = 2**found.X, 2**found.S  # of every step on the way, too
    if look:
        hits = record[: kept // words]
        hits = hits[~left[hits[:, 0]]]
        cases, members, matrices = hits[:, 0], hits[:, 1], hits[:, 2:].reshape(len(hits), 1 + d * n, W)
        _, first, its = np.unique(cases, return_index=True, return_counts=True)
        turn = np.arange(len(cases)) - np.repeat(first, its)
        for t in range(its.max(initial=0)):
            now = turn == t
            where, member, limbs = np.zeros(count, dtype=bool), np.zeros(count, dtype=np.int64), before.copy()
            where[cases[now]], member[cases[now]], limbs[cases[now]] = True, members[now], matrices[now]
            look(k, After(Block(block.shape, *bounds, limbs=limbs), where, block, member=member))
    return Block(block.shape, *bounds, limbs=after), left


def _meant(op: WholeAttention, block: Block, queries: dict[Whole, Array]) -> Array:
    """The cases that the layer may change: those with a column whose query is in its window."""
    row, low, high = op.idle  # type: ignore[misc]
    t = queries.get(row)
    if t is None:
        t = queries[row] = _times(row, _wide(block.x, block.most * sum(map(abs, row))))
    s = _wide(block.s, max(abs(low), abs(high)) * block.most_s)[:, None]
    inside = (t >= low * s) & (t <= high * s)
    return inside.astype(bool).any(axis=1)


def _step(library: Any, program: c.Program, k: int, op: Op, block: Block, *, every: bool = False) -> After:
    n = block.shape[2]
    bits = op.growth(block.most.bit_length(), block.most_s.bit_length(), n)
    if library is not None:
        for W in _widths(bits):  # and so the block has room, for its bits are fewer
            found = _compiled(library, program, k, op, block, W, every=every)
            if found is not None:
                return found
    if bits > 63:  # the bound may have grown more than the numbers
        block = block.bounded()
        bits = op.growth(block.most.bit_length(), block.most_s.bit_length(), n)
    return _plainly(op, block, narrow=bits < 64)


def _compiled(library: Any, program: c.Program, k: int, op: Op, block: Block, W: int, *, every: bool) -> After | None:
    """Runs the op in C at this width; None if that turns out too narrow."""
    before, (count, _, n) = block.limbs(W), block.shape
    after, changed = np.empty_like(before), np.empty(count, dtype=np.int64)
    heads = op.heads if every and type(op) is WholeAttention else ()
    words = sum(n * (1 + head.m * W) for head in heads)
    record = np.empty((count, words), dtype=np.int64)
    at = c.Places(before.ctypes.data, after.ctypes.data, changed.ctypes.data, record.ctypes.data, record.size)
    bits = block.most.bit_length(), block.most_s.bit_length()
    found = c.run_op(library, program, k, at, block.shape, W, *bits, c.EVERYTHING if words else c.NOTHING)
    if found.done == count:
        behind = Block(block.shape, 2**found.X, 2**found.S, limbs=after)
        return After(behind, changed.astype(bool), block, partial(_reads, op, record, W, block))
    if found.divides:  # a mean needs a denominator: the same for every column
        return _step(library, program, k, op, block.scaled(denominator_of_means(n)), every=every)
    return None


def _reads(op: Op, record: Array, W: int, block: Block) -> tuple[tuple[Read, ...], ...]:
    """What the heads of an attention layer read, from the record of each case: head by head, column by column."""
    if type(op) is not WholeAttention:
        return ()
    at, heads, n = 0, [], block.shape[2]
    for head in op.heads:
        reads, most = [], block.most * n * max(sum(map(abs, row)) for row in head.W_V)
        for _ in range(n):
            sums = [numbers_of(record[:, at + 1 + r * W : at + 1 + (r + 1) * W], most) for r in range(head.m)]
            reads.append((record[:, at], sums))
            at += 1 + head.m * W
        heads.append(tuple(reads))
    return tuple(heads)


def _plainly(op: Op, block: Block, *, narrow: bool) -> After:
    """Runs the op with numpy."""
    x, s = (block.x, block.s) if narrow else (block.x.astype(object), block.s.astype(object))
    if type(op) is WholeAttention:
        return _attend(op, Block(block.shape, block.most, block.most_s, x, s))
    after = _token(op, x, s) if type(op) is WholeFeedForward else _search(op, x, s)  # type: ignore[arg-type]
    changed = (after != x).astype(bool).any(axis=(1, 2))
    if type(op) is WholeFeedForward and op.q != 1:  # all are over another denominator
        changed[:] = True
    return After(Block(block.shape, int(abs(after).max()), block.most_s, after, block.s), changed, block)


def _times(W: Sequence[int], x: Array) -> Array:
    """The product of a row with each column: [case, column]."""
    total = W[0] * x[:, 0, :]
    for i, w in enumerate(W[1:], start=1):
        if w:
            total = total + w * x[:, i, :]
    return total


def _attend(op: WholeAttention, block: Block) -> After:
    x, s, n = block.x, block.s, block.x.shape[2]
    added_up = np.zeros_like(x)
    heads = []
    for head in op.heads:
        keys, values = ([_times(row, x) for row in W] for W in (head.W_K, head.W_V))
        query = [_times(row, x) + b * s[:, None] for row, b in zip(head.W_Q, head.b_Q, strict=True)]
        reads = []
        for j in range(n):
            factors = [np.sign(query[0])] if head.m == 1 else query  # for m = 1 its sign decides which keys win
            scores = [sum(key[:, k] * q[:, j] for key, q in zip(keys, factors, strict=True)) for k in range(n)]
            top = scores[0]
            for score in scores[1:]:
                top = np.maximum(top, score)
            won = [(score == top).astype(bool) for score in scores]
            winners = sum(where.astype(np.int64) for where in won)
            sums = [sum(np.where(won[k], value[:, k], 0) for k in range(n)) for value in values]
            reads.append((winners, sums))
            for i, row in enumerate(head.W_O):
                added = sum(w * total for w, total in zip(row, sums, strict=True))
                share = added // winners
                if ((share * winners) != added).any():  # the mean needs a denominator
                    wide = Block(block.shape, block.most, block.most_s, x.astype(object), s.astype(object))
                    return _attend(op, wide.scaled(denominator_of_means(n)))
                added_up[:, i, j] += share
        heads.append(tuple(reads))
    changed = (added_up != 0).astype(bool).any(axis=(1, 2))
    q = np.ones(len(changed), dtype=x.dtype)
    q[changed] = op.q  # if that is long, x is of Python's whole numbers
    after, s = q[:, None, None] * x + added_up, q * s
    behind = Block(block.shape, int(abs(after).max()), int(s.max()), after, s)
    return After(behind, changed, block, lambda: tuple(heads))


def _token(op: WholeFeedForward, x: Array, s: Array) -> Array:
    after, s = op.q * x, s[:, None]
    for i, b in enumerate(op.b_2):
        after[:, i, :] += b * s
    for node in op.nodes:
        t = _times(node.W_1, x) + node.b_1 * s
        place = _places(node, t, s)
        for k, piece in enumerate(node.pieces):
            where = place == k
            if piece is not None and where.any():
                for i, (row, b) in enumerate(zip(*piece, strict=True)):
                    after[:, i, :] += np.where(where, _times(row, x) + b * s, 0)
    return after


def _places(node: Node, t: Array, s: Array) -> Array:
    """The piece in which t lies."""
    place = np.zeros(t.shape, dtype=np.int64)
    for b, left in zip(node.breaks, node.left, strict=True):
        place += ((t > b * s) if left else (t >= b * s)).astype(bool)
    return place


def _search(op: Search, x: Array, s: Array) -> Array:
    """Runs a search on each column; equal columns are run once."""
    found: dict[tuple[Whole, int], Whole] = {}
    after = x.astype(object)
    for case, (matrix, its) in enumerate(zip(after, s.tolist(), strict=True)):
        for j, column in enumerate(map(tuple, matrix.T.tolist())):
            if (column, its) not in found:
                found[column, its] = search(op, column, its)
            after[case, :, j] = found[column, its]
    return after.astype(np.int64) if abs(after).max() <= ROOM else after

"""A plan on the matrices of many cases at once (core/lanes.py): its image, every step, or the layers that change it.

Each op is run on all cases before the next one, in numbers as wide as its bound requires: in C (network.c) up to its
largest width; above that, or without the C library, with numpy, in 64 bits or in arrays of Python's whole numbers. All
cases share one s (plan.py).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import gcd, lcm
from typing import Any

import numpy as np

from verifier.core.exact import Matrix
from verifier.core.lanes import ROOM, Array, Lanes, count, spread
from verifier.core.whole import compiled as c
from verifier.core.whole.plain import search
from verifier.core.whole.plan import Node, Op, Search, Whole, WholeAttention, WholeFeedForward

WIDTHS = (1, 2, 4, 8, 16)  # limbs, in network.c
NARROW = 62  # bits; an op whose numbers are within this is run by numpy in 64 bits

Read = tuple[Array, list[Array]]  # for a head and a column: the number of arg maxima, and the sums of their values


class Block:
    """The entries of many matrices, [case, row d, column n], as whole numbers x / (D s) of a plan, each |x| <= most.

    They are stored as numbers, or, as C needs them, in limbs [case, entry, limb]; either is made from the other on
    demand.
    """

    def __init__(self, shape: tuple[int, int, int], s: int, most: int, x: Array = None, limbs: Array = None) -> None:
        self.shape, self.s, self.most, self._x, self._limbs = shape, s, most, x, limbs

    @property
    def x(self) -> Array:
        if self._x is None:
            self._x = numbers_of(self._limbs, self.most).reshape(self.shape)
        return self._x

    def limbs(self, W: int) -> Array:
        """The limbs at this width, into which all numbers fit."""
        if self._limbs is None:
            self._limbs = limbs_of(self._x.reshape(self.shape[0], -1), self.most)
        return widened(self._limbs, W)

    def bounded(self) -> "Block":
        """The same block with the least bound that holds."""
        return Block(self.shape, self.s, int(abs(self.x).max()), self._x, self._limbs)

    def scaled(self, k: int) -> "Block":
        if k == 1:
            return self
        wide = self.x if max(self.most, 1) * k <= ROOM else self.x.astype(object)
        return Block(self.shape, self.s * k, self.most * k, wide * k)

    def part(self, where: Array) -> "Block":
        some = self.x[where]
        return Block((len(some), *self.shape[1:]), self.s, self.most, some)

    def with_part(self, where: Array, part: "Block") -> "Block":
        """The same block with other numbers in some of the cases; s becomes theirs, which is a multiple."""
        whole = self.scaled(part.s // self.s)
        x = whole.x.astype(object) if part.x.dtype == object else whole.x.copy()
        x[where] = part.x
        return Block(self.shape, part.s, max(whole.most, part.most), x)

    def matrix(self, D: int) -> Matrix:
        _, rows, columns = self.shape
        scale = D * self.s
        made = [[Lanes(self.x[:, i, j], scale, self.most) for j in range(columns)] for i in range(rows)]
        return tuple(map(tuple, made))  # type: ignore[arg-type]


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
    """The limbs of these numbers, in the least of WIDTHS into which every number fits."""
    if x.dtype != object:
        return np.ascontiguousarray(x)[..., None]
    W = next((W for W in WIDTHS if most < 2 ** (64 * W - 1)), most.bit_length() // 64 + 1)
    raw = b"".join([number.to_bytes(8 * W, "little", signed=True) for number in x.ravel().tolist()])
    return np.frombuffer(raw, dtype=np.int64).reshape(*x.shape, W)


def widened(limbs: Array, W: int) -> Array:
    had = limbs.shape[-1]
    if had >= W:
        return np.ascontiguousarray(limbs[..., :W])
    sign = limbs[..., -1:] >> 63
    return np.concatenate([limbs, np.repeat(sign, W - had, axis=-1)], axis=-1)


@dataclass(frozen=True)
class After:
    """The result of an op: the block after it, which cases it changed, and what its heads read, if asked for."""

    block: Block
    changed: Array
    reads: Callable[[], tuple[tuple[Read, ...], ...]] = tuple


def entered(X: Matrix, D: int) -> Block:
    """The matrices in whole numbers, and the s that they need."""
    cases = count(X)
    entries: list[Lanes] = [x if type(x) is Lanes else spread(x, cases) for row in X for x in row]  # type: ignore[comparison-overlap]
    L = lcm(*{x.scale for x in entries})
    s = L // gcd(L, D)
    scaled = [x.at(D * s) for x in entries]
    kind = object if any(x.x.dtype == object for x in scaled) else np.int64
    x = np.stack([x.x.astype(kind, copy=False) for x in scaled], axis=1)
    shape = (cases, len(X), len(X[0]))
    return Block(shape, s, max(x.most for x in scaled), x.reshape(shape))


def run_block(
    program: c.Program, block: Block, look: Callable[[int, After], None] | None = None, *, every: bool = False
) -> Block:
    """The cases after all ops of a program. `look` is called with the number and the result of each op that changes
    some case; or of every op, with what its heads read."""
    library = c.library()
    queries: dict[Whole, Array] = {}  # for the current block
    for k, op in enumerate(program.ops):
        if every or type(op) is not WholeAttention or op.idle is None:
            made = _step(library, program, k, op, block, every=every)
        else:
            where = _meant(op, block, queries)
            if not where.any():
                continue
            made = _step_of(library, program, k, op, block, where)
        if made.block is not block:
            queries.clear()
        block = made.block
        if look and (every or made.changed.any()):
            look(k, made)
    return block


def _meant(op: WholeAttention, block: Block, queries: dict[Whole, Array]) -> Array:
    """The cases that the layer may change: those with a column whose query is in its window."""
    row, low, high = op.idle  # type: ignore[misc]
    t = queries.get(row)
    if t is None:
        size = sum(map(abs, row))
        x = block.x if max(block.most, 1) * size <= ROOM else block.x.astype(object)
        t = queries[row] = _times(row, x)
    low, high = low * block.s, high * block.s
    if max(abs(low), abs(high)) > ROOM:
        t = t.astype(object)
    inside = (t >= low) & (t <= high)
    return inside.astype(bool).any(axis=1)


def _step_of(library: Any, program: c.Program, k: int, op: Op, block: Block, where: Array) -> After:
    """Runs the op on some of the cases."""
    if where.all():
        return _step(library, program, k, op, block)
    part = _step(library, program, k, op, block.part(where))
    return After(block.with_part(where, part.block), np.where(where, _spread(part.changed, where), False))


def _spread(some: Array, where: Array) -> Array:
    all_ = np.zeros(len(where), dtype=some.dtype)
    all_[where] = some
    return all_


def _step(library: Any, program: c.Program, k: int, op: Op, block: Block, *, every: bool = False) -> After:
    n = block.shape[2]
    bits = op.growth(block.most.bit_length(), block.s.bit_length(), n)
    if library is not None:
        for W in WIDTHS:
            if max(bits, block.most.bit_length() + 1, block.s.bit_length() + 1) <= 64 * W - 1:
                found = _compiled(library, program, k, op, block, W, every=every)
                if found is not None:
                    return found
    if bits > NARROW:  # the bound may have grown more than the numbers
        block = block.bounded()
        bits = op.growth(block.most.bit_length(), block.s.bit_length(), n)
    return _plainly(op, block, narrow=bits <= NARROW)


def _compiled(library: Any, program: c.Program, k: int, op: Op, block: Block, W: int, *, every: bool) -> After | None:
    """Runs the op in C at this width; None if that turns out too narrow."""
    before, (count, _, n) = block.limbs(W), block.shape
    after, changed = np.empty_like(before), np.empty(count, dtype=np.int64)
    words = sum(n * (1 + head.m * W) for head in op.heads) if every and type(op) is WholeAttention else 0
    record = np.empty((count, words), dtype=np.int64)
    at = c.Places(before.ctypes.data, after.ctypes.data, changed.ctypes.data, record.ctypes.data, record.size)
    found = c.run_op(library, program, k, at, block.shape, W, block.s, block.most.bit_length())
    if found.done == count:
        behind = Block(block.shape, block.s, 2**found.X, limbs=after)
        return After(behind, changed.astype(bool), partial(_reads, op, record, W, block))
    if type(op) is WholeAttention and found.divides:  # a mean needs a denominator: the same for every column
        return _step(library, program, k, op, block.scaled(lcm(*range(1, block.shape[2] + 1))), every=every)
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
    x = block.x if narrow else block.x.astype(object)
    if type(op) is WholeAttention:
        return _attend(op, Block(block.shape, block.s, block.most, x))
    after = _token(op, x, block.s) if type(op) is WholeFeedForward else _search(op, x, block.s)  # type: ignore[arg-type]
    return After(Block(block.shape, block.s, int(abs(after).max()), after), _changed(op, x, after))


def _changed(op: Op, x: Array, after: Array) -> Array:
    """Which cases the op changed; if it took a denominator, all of them, since s is another."""
    if not isinstance(op, Search) and op.q != 1:
        return np.ones(len(x), dtype=bool)
    return (after != x).astype(bool).any(axis=(1, 2))


def _times(W: Sequence[int], x: Array) -> Array:
    """The product of a row with each column: [case, column]."""
    total = W[0] * x[:, 0, :]
    for i, w in enumerate(W[1:], start=1):
        if w:
            total = total + w * x[:, i, :]
    return total


def _attend(op: WholeAttention, block: Block) -> After:
    x, s, n = block.x, block.s, block.x.shape[2]
    after = op.q * x
    heads = []
    for head in op.heads:
        keys, values = ([_times(row, x) for row in W] for W in (head.W_K, head.W_V))
        query = [_times(row, x) + b * s for row, b in zip(head.W_Q, head.b_Q, strict=True)]
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
                    wide = Block(block.shape, s, block.most, x.astype(object))
                    return _attend(op, wide.scaled(lcm(*range(1, n + 1))))
                after[:, i, j] += share
        heads.append(tuple(reads))
    return After(Block(block.shape, s, int(abs(after).max()), after), _changed(op, x, after), lambda: tuple(heads))


def _token(op: WholeFeedForward, x: Array, s: int) -> Array:
    after = op.q * x
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


def _places(node: Node, t: Array, s: int) -> Array:
    """The piece in which t lies."""
    place = np.zeros(t.shape, dtype=np.int64)
    for b, left in zip(node.breaks, node.left, strict=True):
        place += ((t > b * s) if left else (t >= b * s)).astype(bool)
    return place


def _search(op: Search, x: Array, s: int) -> Array:
    """Runs a search on each column; equal columns are run once."""
    found: dict[Whole, Whole] = {}
    after = x.astype(object)
    for case, matrix in enumerate(after):
        for j, column in enumerate(map(tuple, matrix.T.tolist())):
            if column not in found:
                found[column] = search(op, column, s)
            after[case, :, j] = found[column]
    return after.astype(np.int64) if abs(after).max() <= ROOM else after

"""A plan on the matrices of many cases at once (core/lanes.py): its image, every step, or the layers that change it.

An op is run on all cases before the next one is, in numbers as wide as its bound asks for: in C (network.c) as far as
its widths go; with numpy, in 64 bits or in rows of Python's whole numbers, where there is no C library, or past those.
All cases have one s (plan.py).
"""

from collections.abc import Callable, Sequence
from math import gcd, lcm
from typing import Any, NamedTuple

import numpy as np

from verifier.core.exact import Matrix
from verifier.core.lanes import ROOM, Array, Lanes, count, spread
from verifier.core.whole import compiled as c
from verifier.core.whole.plain import search
from verifier.core.whole.plan import Node, Op, Search, Whole, WholeAttention, WholeFeedForward

WIDTHS = (1, 2, 4, 8, 16)  # limbs, in network.c
NARROW = 62  # bits of whatever an op meets: numpy takes it in 64

Read = tuple[Array, list[Array]]  # of one head and column: how many arg maxima, and the sums of what they hold


class Block:
    """The entries of many matrices, [case, row d, column n], in whole numbers: over D s of a plan, each |x| <= most.

    They are held as numbers, or as C does, in limbs [case, entry, limb]; each is made of the other when it is asked for.
    """

    def __init__(self, shape: tuple[int, int, int], s: int, most: int, x: Array = None, limbs: Array = None) -> None:
        self.shape, self.s, self.most, self._x, self._limbs = shape, s, most, x, limbs

    @property
    def x(self) -> Array:
        if self._x is None:
            self._x = numbers_of(self._limbs).reshape(self.shape)
        return self._x

    def limbs(self, W: int) -> Array:
        """At this width, which the numbers have room in."""
        if self._limbs is None:
            self._limbs = limbs_of(self._x.reshape(self.shape[0], -1), self.most)
        return widened(self._limbs, W)

    def bounded(self) -> "Block":
        """With the least bound there is."""
        return Block(self.shape, self.s, int(abs(self.x).max()), self._x, self._limbs)

    def scaled(self, k: int) -> "Block":
        wide = self.x if self.most * k <= ROOM else self.x.astype(object)
        return Block(self.shape, self.s * k, self.most * k, wide * k)

    def matrix(self, D: int) -> Matrix:
        _, rows, columns = self.shape
        scale = D * self.s
        made = [[Lanes(self.x[:, i, j], scale, self.most) for j in range(columns)] for i in range(rows)]
        return tuple(map(tuple, made))  # type: ignore[arg-type]


def numbers_of(limbs: Array) -> Array:
    """Of so many limbs each: in 64 bits if that is one, in Python's whole numbers otherwise."""
    *rest, top = (limbs[..., k] for k in range(limbs.shape[-1]))
    if not rest:
        return top
    x = top.astype(object)
    for limb in reversed(rest):
        x = (x << 64) + limb.view(np.uint64).astype(object)
    return x


def limbs_of(x: Array, most: int) -> Array:
    """Limbs, as few of WIDTHS as have room for every number."""
    if x.dtype != object:
        return np.ascontiguousarray(x)[..., None]
    W = next((W for W in WIDTHS if most < 2 ** (64 * W - 1)), most.bit_length() // 64 + 1)
    raw = b"".join([number.to_bytes(8 * W, "little", signed=True) for number in x.ravel().tolist()])
    return np.frombuffer(raw, dtype=np.int64).reshape(*x.shape, W)


def widened(limbs: Array, W: int) -> Array:
    had = limbs.shape[-1]
    if W <= had:
        return np.ascontiguousarray(limbs[..., :W])
    sign = limbs[..., -1:] >> 63
    return np.concatenate([limbs, np.repeat(sign, W - had, axis=-1)], axis=-1)


class After(NamedTuple):
    """What an op made of the cases: the block behind it, what its heads read, and which cases it changed."""

    block: Block
    reads: tuple[tuple[Read, ...], ...]
    changed: Array


def entered(X: Matrix, D: int) -> Block:
    """The matrices in whole numbers, and the s that they take."""
    cases = count(X)
    entries: list[Lanes] = [x if type(x) is Lanes else spread(x, cases) for row in X for x in row]  # type: ignore[comparison-overlap]
    L = lcm(*{x.scale for x in entries})
    s = L // gcd(L, D)
    scaled = [x.at(D * s) for x in entries]
    kind = object if any(x.x.dtype == object for x in scaled) else np.int64
    x = np.stack([x.x.astype(kind, copy=False) for x in scaled], axis=1)
    shape = (cases, len(X), len(X[0]))
    return Block(shape, s, max(x.most for x in scaled), x.reshape(shape))


def run_block(program: c.Program, block: Block, look: Callable[[int, Block, After], None] | None = None) -> Block:
    """What a program's ops make of the cases; `look` is told of each its number, the block before, and what it did."""
    library = c.library()
    for k, op in enumerate(program.ops):
        found = _step(library, program, k, op, block)
        if look:
            look(k, block, found)
        block = found.block
    return block


def _step(library: Any, program: c.Program, k: int, op: Op, block: Block) -> After:
    n = block.shape[2]
    bits = op.growth(block.most.bit_length(), block.s.bit_length(), n)
    if library is not None:
        for W in WIDTHS:
            if 64 * W - 1 >= max(bits, block.most.bit_length() + 1, block.s.bit_length() + 1):
                found = _compiled(library, program, k, op, block, W)
                if found is not None:
                    return found
    if bits > NARROW:  # perhaps the bound has grown, and the numbers have not
        block = block.bounded()
        bits = op.growth(block.most.bit_length(), block.s.bit_length(), n)
    return _plainly(op, block, narrow=bits <= NARROW)


def _compiled(library: Any, program: c.Program, k: int, op: Op, block: Block, W: int) -> After | None:
    """In C at this width; None where that isn't wide enough after all."""
    found = c.run_op(library, program, k, block.limbs(W), block.shape, block.s, block.most.bit_length())
    if found.done == block.shape[0]:
        after = Block(block.shape, block.s, 2**found.X, limbs=found.after)
        return After(after, _reads(op, found.record, W, block.shape), found.changed)
    if type(op) is WholeAttention and found.divides:  # a mean needs a denominator: one that serves every column
        return _step(library, program, k, op, block.scaled(lcm(*range(1, block.shape[2] + 1))))
    return None


def _reads(op: Op, record: Array, W: int, shape: tuple[int, int, int]) -> tuple[tuple[Read, ...], ...]:
    """What the heads of an attention layer read: a record of each case has it head by head, column by column."""
    if type(op) is not WholeAttention:
        return ()
    at, heads = 0, []
    for head in op.heads:
        reads = []
        for _ in range(shape[2]):
            sums = [numbers_of(record[:, at + 1 + r * W : at + 1 + (r + 1) * W]) for r in range(head.m)]
            reads.append((record[:, at], sums))
            at += 1 + head.m * W
        heads.append(tuple(reads))
    return tuple(heads)


def _plainly(op: Op, block: Block, *, narrow: bool) -> After:
    """With numpy."""
    x = block.x if narrow else block.x.astype(object)
    if type(op) is WholeAttention:
        return _attend(op, Block(block.shape, block.s, block.most, x))
    if type(op) is WholeFeedForward:
        after, changed = _token(op, x, block.s)
    else:
        after, changed = _search(op, x, block.s)  # type: ignore[arg-type]
    return After(Block(block.shape, block.s, int(abs(after).max()), after), (), changed)


def _times(W: Sequence[int], x: Array) -> Array:
    """A row times each column: [case, column]."""
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
            scores = [sum(key[:, k] * q[:, j] for key, q in zip(keys, query, strict=True)) for k in range(n)]
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
                    return _attend(op, Block(block.shape, s, block.most, x.astype(object)).scaled(lcm(*range(1, n + 1))))
                after[:, i, j] += share
        heads.append(tuple(reads))
    changed = np.ones(len(x), dtype=bool) if op.q != 1 else (after != x).astype(bool).any(axis=(1, 2))
    return After(Block(block.shape, s, int(abs(after).max()), after), tuple(heads), changed)


def _token(op: WholeFeedForward, x: Array, s: int) -> tuple[Array, Array]:
    after = op.q * x + np.array(op.b_2, dtype=object).reshape(1, -1, 1) * s if any(op.b_2) else op.q * x
    after = after if x.dtype == object else after.astype(np.int64)
    moved = np.full(len(x), op.q != 1 or any(op.b_2))
    for node in op.nodes:
        t = _times(node.W_1, x) + node.b_1 * s
        place = _places(node, t, s)
        for k, piece in enumerate(node.pieces):
            where = place == k
            if piece is None or not where.any():
                continue
            G, h = piece
            for i, (row, b) in enumerate(zip(G, h, strict=True)):
                after[:, i, :] += np.where(where, _times(row, x) + b * s, 0)
            moved |= where.any(axis=1)
    return after, moved


def _places(node: Node, t: Array, s: int) -> Array:
    """The piece that t is in."""
    place = np.zeros(t.shape, dtype=np.int64)
    for b, left in zip(node.breaks, node.left, strict=True):
        place += ((t > b * s) if left else (t >= b * s)).astype(bool)
    return place


def _search(op: Search, x: Array, s: int) -> tuple[Array, Array]:
    """Column by column; equal columns once."""
    found: dict[Whole, Whole] = {}
    after = x.astype(object)
    for case, matrix in enumerate(after):
        for j, column in enumerate(map(tuple, matrix.T.tolist())):
            if column not in found:
                found[column] = search(op, column, s)
            after[case, :, j] = found[column]
    changed = (after != x).astype(bool).any(axis=(1, 2))
    return (after.astype(np.int64) if abs(after).max() <= ROOM else after), changed

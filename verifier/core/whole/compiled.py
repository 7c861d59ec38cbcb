"""A plan run in C, if the library was built with the package (library.py).

The library's test: on a small network it gives what Python's whole numbers give.
"""

import ctypes
from array import array
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from gmpy2 import mpq

from verifier.core.layers import Attention, FeedForward, Head, PiecewiseLinear
from verifier.core.library import Found, looked_for, opened_as_built
from verifier.core.whole.plain import Columns, Sums, run_plainly, times
from verifier.core.whole.plan import (
    Op,
    Search,
    Table,
    Whole,
    WholeAttention,
    WholeFeedForward,
    compiled,
    denominator_of_means,
)

LIBRARY, RECORD = "network.library", "network.sha256"
SOURCES = ("network.c", "width.h")
WIDTHS = (1, 2, 4, 8, 16)  # limbs, in network.c
MOST_LIMBS = WIDTHS[-1]
ATTENTION, FEED_FORWARD, SEARCH = 1, 2, 3
NOTHING, CHANGES, EVERYTHING = 0, 1, 2
NO_PIECE = -1  # in place of a table


class _Machine(ctypes.Structure):
    _fields_ = (
        ("program", ctypes.c_void_p),
        ("constants", ctypes.c_void_p),
        *((name, ctypes.c_int64) for name in ("limbs", "d", "n", "means", "keep")),
        ("record", ctypes.c_void_p),
        *((name, ctypes.c_int64) for name in ("most_kept", "kept", "full", "X", "S")),
        ("state", ctypes.c_void_p),
        *((name, ctypes.c_int64) for name in ("m", "count", "wanted", "narrower")),
        ("room", ctypes.c_void_p),
    )


@cache
def found() -> Found:
    """The library, which is looked for once, and only beside this file."""
    return looked_for(Path(__file__).parent, opened)


def library() -> ctypes.CDLL | None:
    return found().handle


def opened(folder: Path) -> tuple[ctypes.CDLL, str]:
    """The library in this folder with its digest, if it was built from these sources and passes its test."""
    return opened_as_built(folder / LIBRARY, folder / RECORD, SOURCES, load, passes)


def load(path: Path) -> ctypes.CDLL:
    loaded = ctypes.CDLL(str(path))
    loaded.run_network.restype = ctypes.c_int64
    loaded.run_network.argtypes = (ctypes.POINTER(_Machine),)
    loaded.run_op.restype = ctypes.c_int64
    whole, place = ctypes.c_int64, ctypes.c_void_p
    loaded.run_op.argtypes = (ctypes.POINTER(_Machine), whole, whole, whole, place, place, place)
    return loaded


def passes(loaded: ctypes.CDLL) -> bool:
    """Whether it computes on this processor what plain.py computes, with ties, and in numbers of every width."""
    columns: Columns = [(int(x),) for x in ("2", "-3", "2")]
    for W in WIDTHS:
        (plan,) = compiled(_test(2 ** (48 * W)), 1)
        _, after, s, _ = run_compiled(loaded, Program(plan.ops), columns, 1)
        if (after, s) != run_plainly(plan.ops, columns, 1):
            return False
    return True


def _test(factor: int) -> list[Any]:
    """Layers whose numbers are about as large as the factor."""
    zero, one, four, b = map(mpq, ("0", "1", "4", "-1/2"))
    window = PiecewiseLinear((zero, four), ((zero, zero), (mpq("1/3"), one), (zero, zero)))
    head = Head(((one,),), ((one,),), ((one,),), ((one,),), (b,))
    other = Head(((mpq(factor),),), ((one,),), ((one,),), ((zero,),), (zero,))  # equal scores: the mean
    tokens = [FeedForward(((one,),), (b_1,), ((one,),), (b,), window) for b_1 in map(mpq, ("0", "-1", "-2"))]
    return [Attention((head, other)), *tokens]


class Program:
    """A plan's ops in the form that the C library reads."""

    def __init__(self, ops: tuple[Op, ...]) -> None:
        self.ops = ops
        self.values: list[int] = []  # of the constants
        self.places: dict[Whole, int] = {}
        words: list[int] = []
        begins: list[int] = []
        for op in ops:
            if isinstance(op, Search):
                members = []
                for member in op.members:
                    members.append(1 + len(ops) + len(words))
                    words += self._layer(member)
                begins.append(1 + len(ops) + len(words))
                words += [SEARCH, self._put(op.W_1), *op._growth, self._put(op.low), self._put(op.high), len(members)]
                words += [*op.order, *members]
            else:
                begins.append(1 + len(ops) + len(words))
                words += self._layer(op)
        self.words = array("q", [len(ops), *begins, *words])
        self.limbs = max(value.bit_length() for value in self.values) // 64 + 1
        size = 8 * self.limbs
        self.constants = array("q")
        self.constants.frombytes(b"".join([value.to_bytes(size, "little", signed=True) for value in self.values]))
        layers = chain(*(op.members if isinstance(op, Search) else (op,) for op in ops))
        self.m = max((head.m for op in layers if type(op) is WholeAttention for head in op.heads), default=0)

    def _put(self, values: Whole) -> int:
        place = self.places.get(values)
        if place is None:
            place = self.places[values] = len(self.values)
            self.values += values
        return place

    def _table(self, W: Table) -> int:
        return self._put(tuple(chain(*W)))

    def _layer(self, op: WholeAttention | WholeFeedForward) -> list[int]:
        return self._attention(op) if isinstance(op, WholeAttention) else self._feed_forward(op)

    def _attention(self, op: WholeAttention) -> list[int]:
        growths, added = op._growth
        words = [ATTENTION, self._put((op.q,)), op.q.bit_length(), added, len(op.heads)]
        for head, bits in zip(op.heads, growths, strict=True):
            words += [head.m, self._table(head.W_K), self._table(head.W_Q), self._put(head.b_Q)]
            words += [self._table(head.W_V), self._table(head.W_O), *bits]
        return words

    def _feed_forward(self, op: WholeFeedForward) -> list[int]:
        moves_all = int(op.q != 1 or any(op.b_2))
        words = [FEED_FORWARD, self._put((op.q,)), *op._growth, self._put(op.b_2), moves_all, len(op.nodes)]
        for node in op.nodes:
            rest = [self._table((node.W_1,)), self._put((node.b_1,)), self._put(node.breaks), len(node.breaks)]
            rest += map(int, node.left)
            for piece in node.pieces:
                rest += [NO_PIECE, NO_PIECE] if piece is None else [self._table(piece[0]), self._put(piece[1])]
            words += [len(rest) + 1, *rest]
        return words


def _bits(values: list[int]) -> int:
    return max(*values, -min(values)).bit_length()


def _machine(program: Program, d: int, n: int, keep: int, X: int, S: int) -> _Machine:
    words, constants = program.words.buffer_info()[0], program.constants.buffer_info()[0]
    return _Machine(program=words, constants=constants, limbs=program.limbs, d=d, n=n, m=program.m, keep=keep, X=X, S=S)


def run_compiled(
    library: ctypes.CDLL, program: Program, columns: Columns, s: int, keep: int = NOTHING, most_kept: int = 0
) -> tuple[int, Columns, int, "array[int] | None"]:
    """How many ops were run, the columns and s after them, and the words that were kept; None if these were too
    many."""
    n, d = len(columns), len(columns[0])
    entries = [column[i] for i in range(d) for column in columns]
    X, S = _bits(entries), s.bit_length()
    limbs = max(X, S) // 64 + 1
    if limbs > MOST_LIMBS:
        return 0, columns, s, array("q")
    count = 1 + len(entries)
    if limbs == 1:
        state = array("q", [1, s, *entries])
    else:
        state = array("q", [limbs])
        state.frombytes(b"".join([x.to_bytes(8 * limbs, "little", signed=True) for x in (s, *entries)]))
    state.frombytes(bytes(8 * MOST_LIMBS * count))  # room for the widest
    means = denominator_of_means(n)
    record = array("q", bytes(8 * most_kept))
    machine = _machine(program, d, n, keep, X, S)
    machine.means = means if means.bit_length() < 64 else 0
    machine.record, machine.most_kept = record.buffer_info()[0], most_kept
    machine.state = state.buffer_info()[0]
    done = library.run_network(machine)
    if done < 0:
        raise MemoryError
    if machine.full:
        return 0, columns, s, None
    s, *entries = numbers(state, 1, state[0], count)
    return done, [tuple(entries[j::n]) for j in range(n)], s, record[: machine.kept]


class Places(NamedTuple):
    """Pointers to arrays of many matrices: those before, those after, which were changed; and the record, with its
    size."""

    before: int
    after: int
    changed: int
    record: int
    words: int


class Made(NamedTuple):
    """How many matrices an op has finished (the next one needs wider numbers, or a denominator for a mean), the bits
    of the largest entry and of the largest s, and how many words of the record it wrote (None if that is too short)."""

    done: int
    divides: bool
    X: int
    S: int
    kept: int | None


def run_op(
    library: ctypes.CDLL,
    program: Program,
    k: int,
    at: Places,
    shape: tuple[int, int, int],
    limbs: int,
    X: int,
    S: int,
    keep: int = NOTHING,
) -> Made:
    """Runs an op on many matrices, [case, s and entries, limb]; X and S bound the bits of their entries and of s. The
    record takes what its heads read (EVERYTHING), or the changes that a search makes (CHANGES)."""
    count, d, n = shape
    machine = _machine(program, d, n, keep, X, S)
    machine.record, machine.most_kept = at.record, at.words
    done = library.run_op(machine, k, limbs, count, at.before, at.after, at.changed)
    if done < 0:
        raise MemoryError
    return Made(done, bool(machine.wanted), machine.X, machine.S, None if machine.full else machine.kept)


def numbers(words: "array[int]", start: int, limbs: int, count: int) -> list[int]:
    """`count` numbers of so many limbs each, beginning at a word."""
    if limbs == 1:
        return words[start : start + count].tolist()
    size, raw = 8 * limbs, words[start : start + limbs * count].tobytes()
    return [int.from_bytes(raw[k : k + size], "little", signed=True) for k in range(0, size * count, size)]


@dataclass(frozen=True)
class Kept:
    """What was kept of an op that was run: the columns and s after it (no columns if nothing changed), and what its
    heads read, over that s."""

    op: int
    s: int
    columns: Columns | None
    sums: tuple[Sums, ...]


def read(program: Program, record: "array[int]", n: int, d: int, keep: int) -> list[Kept]:
    kept = []
    at = 0
    while at < len(record):
        sums: tuple[Sums, ...] = ()
        if keep == EVERYTHING:
            k, limbs = record[at], record[at + 1]
            at += 2
            op = program.ops[k]
            if type(op) is WholeAttention:
                found = []
                for head in op.heads:
                    of_head = []
                    for _ in range(n):
                        of_head.append((record[at], tuple(numbers(record, at + 1, limbs, head.m))))
                        at += 1 + limbs * head.m
                    found.append(tuple(of_head))
                sums = tuple(found)
        k, limbs, changed = record[at : at + 3]
        at += 3
        (s,) = numbers(record, at, limbs, 1)
        at += limbs
        columns = None
        if changed:
            entries = numbers(record, at, limbs, d * n)
            at += limbs * d * n
            columns = [tuple(entries[j::n]) for j in range(n)]
            if sums:
                sums = times(program.ops[k].q, sums)  # type: ignore[union-attr]
        kept.append(Kept(k, s, columns, sums))
    return kept

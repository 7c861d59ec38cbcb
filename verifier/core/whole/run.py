"""A network's image of a matrix, its trace, or the layers that change it: exactly what core/network.py gives.

This package's layers run in whole numbers, in C up to its largest width; your own layers run by their own `apply`.
"""

import sys
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from math import gcd, lcm
from typing import Any, NamedTuple

from gmpy2 import mpq

from verifier.core.exact import Matrix, matrix
from verifier.core.network import Network, Step, applied
from verifier.core.whole import compiled as c
from verifier.core.whole.plain import Columns, Sums, run_plainly
from verifier.core.whole.plan import Op, Plan, WholeAttention, WholeFeedForward, WholeHead, compiled

MOST_KNOWN = 64  # networks whose plans are kept


class Change(NamedTuple):
    """The number of a layer that changed the matrix, and the matrix after it."""

    layer: int
    after: Matrix


@dataclass(frozen=True)
class Part:
    """A plan, with its programs for the C library: with searches, and layer by layer; and both for many matrices."""

    plan: Plan

    @cached_property
    def searched(self) -> c.Program:
        return c.Program(self.plan.ops)

    @cached_property
    def layered(self) -> c.Program:
        return c.Program(self.plan.layers)

    @cached_property
    def searched_of_many(self) -> c.Program:
        return c.Program(self.plan.ops_of_many)

    @cached_property
    def layered_of_many(self) -> c.Program:
        return c.Program(self.plan.layers_of_many)


_known: OrderedDict[tuple[int, int], tuple[Network, list[Any]]] = OrderedDict()


def parts_of(network: Network, d: int) -> list[Any]:
    key = id(network), d
    if key not in _known:
        made = [Part(part) if type(part) is Plan else part for part in compiled(network.layers, d)]
        _known[key] = network, made  # with the network: its id can't be reused while it is kept
        while len(_known) > MOST_KNOWN:
            _known.popitem(last=False)
    else:
        _known.move_to_end(key)
    return _known[key][1]


def _many(X: Any) -> Any:
    """The module for many cases at once, if X is of these; it needs numpy, and is loaded only then."""
    lanes = sys.modules.get("verifier.core.lanes")
    if lanes is None or not (isinstance(X, tuple) and lanes.count(X)):
        return None
    from verifier.core.whole import many

    return many


def image(network: Network, X: Matrix) -> Matrix:
    """network.run(X)."""
    if (many := _many(X)) is not None:
        return many.image(network, X)  # type: ignore[no-any-return]
    X = matrix(X)
    k = 0
    for part in parts_of(network, len(X)):
        if type(part) is not Part:
            X = applied(k, part, X)
            k += 1
            continue
        columns, s = _entered(X, part.plan.D[0])
        after, s_after = _through(part, columns, s)
        if not (after == columns and s_after == s and part.plan.D[0] == part.plan.D[-1]):
            X = _left(after, part.plan.D[-1] * s_after)
        k += len(part.plan.layers)
    return X


def trace(network: Network, X: Matrix) -> tuple[Step, ...]:
    """tuple(network.trace(X))."""
    if (many := _many(X)) is not None:
        return many.trace(network, X)  # type: ignore[no-any-return]
    X = matrix(X)
    steps: list[Step] = []
    for part in parts_of(network, len(X)):
        if type(part) is Part:
            steps += _steps(network, part, X)
        else:
            after = applied(len(steps), part, X)
            steps.append(Step(part, X, (), X if after == X else after))
        X = steps[-1].after
    return tuple(steps)


def changes(network: Network, X: Matrix) -> tuple[Change, ...]:
    """The steps of network.trace(X) that change the matrix."""
    if (many := _many(X)) is not None:
        return many.changes(network, X)  # type: ignore[no-any-return]
    X = matrix(X)
    found: list[Change] = []
    first = 0
    for part in parts_of(network, len(X)):
        if type(part) is Part:
            D = part.plan.D
            for kept in _kept(part, X, c.CHANGES):
                if kept.columns is not None:
                    after = _left(kept.columns, D[kept.op + 1] * kept.s)
                    if after != X:
                        found.append(Change(first + kept.op, after))
                        X = after
            first += len(part.plan.layers)
        else:
            after = applied(first, part, X)
            if after != X:
                found.append(Change(first, after))
                X = after
            first += 1
    return tuple(found)


def _entered(X: Matrix, D: int) -> tuple[Columns, int]:
    """The columns in whole numbers, and the s that they need."""
    L = lcm(*(int(x.denominator) for x in chain(*X)))
    s = L // gcd(L, D)
    scale, columns = D * s, zip(*X, strict=True)
    return [tuple([int(x.numerator) * (scale // int(x.denominator)) for x in column]) for column in columns], s


def _left(columns: Columns, scale: int) -> Matrix:
    return tuple([tuple([mpq(x, scale) for x in row]) for row in zip(*columns, strict=True)])


def _through(part: Part, columns: Columns, s: int) -> tuple[Columns, int]:
    library, done = c.library(), 0
    if library is not None:
        done, columns, s, _ = c.run_compiled(library, part.searched, columns, s)
    return run_plainly(part.plan.ops[done:], columns, s)


def _kept(part: Part, X: Matrix, keep: int) -> Iterator[c.Kept]:
    """What is to be kept of each layer; they are run without searches."""
    columns, s = _entered(X, part.plan.D[0])
    layers: Sequence[Op] = part.plan.layers
    library, done = c.library(), 0
    if library is not None:
        room, record, start = 16 * len(layers), None, (columns, s)
        while record is None:
            done, columns, s, record = c.run_compiled(library, part.layered, *start, keep, room)
            room *= 4
        yield from c.read(part.layered, record, len(columns), len(columns[0]), keep)
    plainly: list[c.Kept] = []

    def look(k: int, before: Columns, s_before: int, after: Columns, s: int, sums: tuple[Sums, ...]) -> None:
        op = layers[done + k]
        changed = before != after or s_before != s or (type(op) is WholeFeedForward and op.q != 1)
        if changed or keep == c.EVERYTHING:
            plainly.append(c.Kept(done + k, s, after if changed else None, sums))

    if done < len(layers):
        run_plainly(layers[done:], columns, s, look)
    yield from plainly


def _value(head: WholeHead, sums: Sums, scale: int) -> Matrix:
    """What a head reads: for each column, the mean over its arg maxima."""
    return tuple([tuple([mpq(total[r], k * head.scale * scale) for k, total in sums]) for r in range(head.m)])


def _steps(network: Network, part: Part, X: Matrix) -> Iterator[Step]:
    D = part.plan.D
    for kept in _kept(part, X, c.EVERYTHING):
        layer, op = network.layers[part.plan.first + kept.op], part.plan.layers[kept.op]
        scale = D[kept.op] * kept.s
        heads = op.heads if type(op) is WholeAttention else ()
        values = tuple(_value(head, sums, scale) for head, sums in zip(heads, kept.sums, strict=True))
        after = X
        if kept.columns is not None:
            after = _left(kept.columns, D[kept.op + 1] * kept.s)
            after = X if after == X else after
        yield Step(layer, X, values, after)
        X = after

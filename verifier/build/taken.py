"""A page's layers as weights: attention by its matrices, a token-wise layer by its ReLUs.

A layer makes of the tokens x[1], ..., x[n] (columns; d entries before it, d' after it)

    attention     D x[i] + u + sum over the heads of O mean of (V x[j] + v) over those j of the mask with the largest
                  (K x[j]) . (Q x[i] + b); `leftmost` or `rightmost` of them in place of the mean
    token-wise    D x[i] + u + W_2 relu(W_1 x[i] + b_1)

max, min and abs are ReLUs: max(a, b) = b + relu(a - b). What is no such layer is refused, with its name and why.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gmpy2 import mpq

from verifier.build.symbols import Symbol, Symbols, number
from verifier.core.exact import Matrix, Q, Vector
from verifier.evaluate.definition import At, Reading
from verifier.evaluate.matrices import by_place, matrices
from verifier.evaluate.values import List, NotAffine, Wrong
from verifier.language.form import form, why_generalised
from verifier.language.tree import Family, Layer, Let, NetworkLine
from verifier.language.words import Refused

NO_MATRICES = (
    "its weights depend on where a token stands, or on len(x) of a single token, or it has a value for reads of nothing"
    " (`else`), which is no matrix"
)


class NotTaken(ValueError):
    """A layer that no Transformer of this form has; the message names it."""


@dataclass(frozen=True)
class Head:
    keys: Matrix  # K
    queries: Matrix  # Q
    bias: Vector  # b
    values: Matrix  # V
    shift: Vector  # v
    out: Matrix  # O
    tie: str  # average, leftmost, rightmost
    mask: tuple[tuple[bool, ...], ...] | None  # [i][j]: may i read j


@dataclass(frozen=True)
class Taken:
    """A layer of a page, by its weights. Attention has heads, a token-wise layer hidden nodes; it may have none."""

    name: str  # with its arguments
    own: Matrix  # D
    shift: Vector  # u
    heads: tuple[Head, ...] = ()
    W_1: Matrix = ()
    b_1: Vector = ()
    W_2: Matrix = ()

    @property
    def keeps(self) -> bool:
        """Is D the identity."""
        return all(x == mpq(k == m) for k, row in enumerate(self.own) for m, x in enumerate(row)) and (
            len(self.own) == len(self.own[0])
        )


def members(reading: Reading, network: str, given: tuple[Any, ...] = ()) -> Iterator[tuple[str, At]]:
    """The layers of a network in order, each with what its letters stand for."""
    case, page = reading.nothing, reading.page

    def of(lines: list[NetworkLine], at: At) -> Iterator[tuple[str, At]]:
        for line in lines:
            if isinstance(line, Family):
                for value in case.reach(line.reach, at):
                    yield from of(line.lines, {**at, line.letter: value})
                continue
            values = [case(a, at) for a in line.arguments]
            if line.name in page.networks:
                yield from members(reading, line.name, tuple(values))
            else:
                yield line.name, dict(zip(page.layers[line.name].letters, values, strict=True))

    its = page.networks[network]
    yield from of(its.lines, dict(zip(its.letters, given, strict=True)))


def taken(reading: Reading, name: str, given: At, d: int, n: int) -> Taken:
    """The layer of this name, for n tokens of d entries."""
    layer = reading.page.layers[name]
    told = name + (f"({', '.join(map(str, given.values()))})" if given else "")
    kind = form(reading.page, layer).name
    if kind == "generalised":
        raise NotTaken(f"the layer {told} is generalised: {why_generalised(reading.page, layer)}")
    try:
        if kind == "attention":
            return _attention(reading, told, layer, given, d, n)
        return _token_wise(reading, told, layer, given, d)
    except NotAffine as error:
        raise NotTaken(f"the layer {told}: {error}") from None
    except (Refused, Wrong) as error:
        raise NotTaken(f"the layer {told}: {error}") from None


def _attention(reading: Reading, told: str, layer: Layer, given: At, d: int, n: int) -> Taken:
    case = reading.nothing
    found = matrices(case, layer, given, d, n)
    if found is None:
        raise NotTaken(f"the layer {told}: {NO_MATRICES}")
    x, i = layer.update.tokens, layer.update.position
    heads = []
    for head in found.heads:
        mask = None
        if head.mask is not None:
            tokens = List([List([Q(0)] * d)] * n)
            at: list[At] = [{**given, x: tokens, i: mpq(k)} for k in range(1, n + 1)]
            mask = tuple(tuple(case.truth(head.mask, {**here, "j": mpq(j)}) for j in range(1, n + 1)) for here in at)
        heads.append(
            Head(
                _rows(head.keys) or ((Q(0),) * d,),
                _rows([row[:-1] for row in head.queries]) or ((Q(0),) * d,),
                tuple(row[-1] for row in head.queries) or (Q(0),),
                _rows([row[:-1] for row in head.values]),
                tuple(row[-1] for row in head.values),
                _rows(head.out),
                head.tie,
                None if mask is None or all(map(all, mask)) else mask,
            )
        )
    own = _rows([row[:-1] for row in found.own])
    return Taken(told, own, tuple(row[-1] for row in found.own), tuple(heads))


def _rows(rows: list[list[Any]]) -> Matrix:
    return tuple(map(tuple, rows))


def _token_wise(reading: Reading, told: str, layer: Layer, given: At, d: int) -> Taken:
    x, i, last = layer.update.tokens, layer.update.position, layer.update.body
    lets = [line for line in layer.named if isinstance(line, Let)]
    parts = [*(line.body for line in lets), last]
    if any(by_place(part, {i}, x) for part in parts):
        raise NotTaken(f"the layer {told}: it depends on where a token stands")
    nodes: dict[tuple[Any, ...], int] = {}
    case = _ReLUs(reading, nodes)
    token = List([Affine({k: Q(1)}) for k in range(d)])
    here: At = {**given, x: List([token]), i: mpq(1)}
    case.layer = (here[x], 1)
    for line in lets:
        here[line.name] = case(line.body, here)
    made = case(last, here)
    if not isinstance(made, List) or made.kind != ("list", "number"):
        raise NotTaken(f"the layer {told}: it makes no list of numbers")
    new = [affine(entry) for entry in made.items]
    hidden = sorted(nodes, key=nodes.__getitem__)
    return Taken(
        told,
        tuple(tuple(entry.c.get(k, Q(0)) for k in range(d)) for entry in new),
        tuple(entry.constant for entry in new),
        W_1=tuple(tuple(dict(node[0]).get(k, Q(0)) for k in range(d)) for node in hidden),
        b_1=tuple(node[1] for node in hidden),
        W_2=tuple(tuple(entry.c.get(-1 - k, Q(0)) for k in range(len(hidden))) for entry in new) if hidden else (),
    )


class Affine(Symbol):
    """c . x + constant; the entry k of the token is x_k, a hidden node h is x_(-1-h)."""

    __slots__ = ("c", "constant")

    def __init__(self, c: dict[int, mpq], constant: Any = 0) -> None:
        self.c, self.constant = {k: v for k, v in c.items() if v}, mpq(constant)

    def __add__(self, other: Any) -> "Affine":
        more = affine(other)
        return Affine(
            {k: self.c.get(k, Q(0)) + more.c.get(k, Q(0)) for k in {**self.c, **more.c}}, self.constant + more.constant
        )

    def __mul__(self, other: Any) -> "Affine":
        a, b = (self, affine(other)) if not affine(other).c else (affine(other), self)
        if b.c:
            raise NotAffine("it multiplies two numbers of a token")
        return Affine({k: v * b.constant for k, v in a.c.items()}, a.constant * b.constant)

    def __sub__(self, other: Any) -> "Affine":
        return self + affine(other) * -1

    __radd__, __rmul__ = __add__, __mul__


def affine(v: Any) -> Affine:
    c = number(v)
    return v if c is None else Affine({}, c)


class _ReLUs(Symbols):
    """A layer at a token whose numbers are letters; each max, min and abs makes hidden nodes."""

    def __init__(self, reading: Reading, nodes: dict[tuple[Any, ...], int]) -> None:
        super().__init__(reading)
        self.nodes = nodes

    def folded(self, name: str, values: list[Any]) -> Any:
        if name == "sorted":
            raise NotAffine("'sorted' is no sum of ReLUs here: use max and min")
        if name == "abs":
            return self.relu(values[0]) + self.relu(affine(values[0]) * -1)
        best, *rest = sorted(values, key=lambda v: isinstance(v, Affine))  # the number, if there is one, first
        for v in rest:
            best = self.relu(affine(v) - best) + best if name == "max" else affine(best) - self.relu(affine(best) - v)
        return best

    def relu(self, v: Any) -> Affine:
        a = affine(v)
        if not a.c:
            return Affine({}, max(Q(0), a.constant))
        if any(k < 0 for k in a.c):
            raise NotAffine("a ReLU stands in a ReLU, which is two layers' work")
        key = (tuple(sorted(a.c.items())), a.constant)
        return Affine({-1 - self.nodes.setdefault(key, len(self.nodes)): Q(1)})

"""A page's layers as weights: attention by its matrices, a token-wise layer by its ReLUs.

A layer makes of the tokens x[1], ..., x[n] (columns; d entries before it, d' after it)

    attention     D x[i] + u + sum over the heads of O mean of (V x[j] + v) over those j of the mask with the largest
                  (K x[j]) . (Q x[i] + b); `leftmost` or `rightmost` of them in place of the mean
    token-wise    D x[i] + u + W_2 relu(W_1 x[i] + b_1)

max, min and abs are ReLUs: max(a, b) = b + relu(a - b); what else is token-wise is a table of the tokens that it meets
(table.py). What is no such layer is refused, with its line, its name, why, and what helps.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from gmpy2 import mpq

from verifier.build.symbols import Symbol, Symbols, number
from verifier.build.table import NoFit, fitted
from verifier.core.exact import Matrix, Q, Vector
from verifier.evaluate.definition import At, Case
from verifier.evaluate.matrices import by_place, matrices
from verifier.evaluate.values import List, NotAffine, Wrong
from verifier.language.form import form, why_generalised
from verifier.language.tree import Family, Layer, Let, NetworkLine
from verifier.language.words import Refused

NO_MATRICES = (
    "has no matrices: a score or a value speaks of i or j themselves, of another line's read, or of len(x) of a single"
    " token, or there is a value for reads of nothing (`else`). Put the place, and what is read of nothing, into the"
    " tokens"
)
BY_PLACE = "depends on where a token stands; put the place into the tokens"
SPLIT = "Write a layer that reads, and one behind it that computes with what was read"


class NotTaken(ValueError):
    """A layer that no Transformer of this form has; the message says which, where, why, and what helps."""

    def __init__(self, told: str, layer: Layer, why: str) -> None:
        super().__init__(f"line {layer.place[0]}: the layer {told} {why}")


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
    table: bool = False  # its ReLUs go through the values that occur, and are not those of the text

    @property
    def keeps(self) -> bool:
        """Is D the identity."""
        return all(x == mpq(k == m) for k, row in enumerate(self.own) for m, x in enumerate(row)) and (
            len(self.own) == len(self.own[0])
        )


def members(case: Case, network: str, given: tuple[Any, ...] = ()) -> Iterator[tuple[str, At]]:
    """The layers of a network in order, each with what its letters stand for. What they may depend on besides, such as
    the number of the case's items, is the case's."""
    page = case.page

    def of(lines: list[NetworkLine], at: At) -> Iterator[tuple[str, At]]:
        for line in lines:
            if isinstance(line, Family):
                for value in case.reach(line.reach, at):
                    yield from of(line.lines, {**at, line.letter: value})
                continue
            values = [case(a, at) for a in line.arguments]
            if line.name in page.networks:
                yield from members(case, line.name, tuple(values))
            else:
                yield line.name, dict(zip(page.layers[line.name].letters, values, strict=True))

    its = page.networks[network]
    yield from of(its.lines, dict(zip(its.letters, given, strict=True)))


Tokens = Callable[[], Iterable[Vector]]  # all that a layer meets


def taken(case: Case, name: str, given: At, d: int, places: range, tokens: Tokens = tuple) -> Taken:
    """The layer of this name, for tokens of d entries at these places; `tokens` is asked where it is a table."""
    layer = case.page.layers[name]
    told = name + (f"({', '.join(map(said, given.values()))})" if given else "")
    kind = form(case.page, layer).name
    if kind == "generalised":
        raise NotTaken(told, layer, f"is generalised: {why_generalised(case.page, layer)}. {SPLIT}")
    try:
        if kind == "attention":
            return _attention(case, told, layer, given, d, places)
        return _token_wise(case, told, layer, given, d, len(places), tokens)
    except (NotAffine, NoFit, Refused, Wrong) as error:
        raise NotTaken(told, layer, f"is no layer of weights: {error}") from None


def said(argument: Any) -> str:
    return f"[{', '.join(map(said, argument.items))}]" if isinstance(argument, List) else str(argument)


def _attention(case: Case, told: str, layer: Layer, given: At, d: int, places: range) -> Taken:
    found = matrices(case, layer, given, d, len(places))
    if found is None:
        raise NotTaken(told, layer, NO_MATRICES)
    x, i = layer.update.tokens, layer.update.position
    heads = []
    for head in found.heads:
        mask = None
        if head.mask is not None:
            tokens = List([List([Q(0)] * d)] * len(places), places.start)
            at: list[At] = [{**given, x: tokens, i: mpq(k)} for k in places]
            mask = tuple(tuple(case.truth(head.mask, {**here, "j": mpq(j)}) for j in places) for here in at)
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


def _token_wise(case: Case, told: str, layer: Layer, given: At, d: int, n: int, tokens: Tokens) -> Taken:
    """By the ReLUs that it is written with; else by those that go through its values."""
    x, i, last = layer.update.tokens, layer.update.position, layer.update.body
    lets = [line for line in layer.named if isinstance(line, Let)]
    parts = [*(line.body for line in lets), last]
    if any(by_place(part, {i}, x) for part in parts):
        raise NotTaken(told, layer, BY_PLACE)

    def new(case: Case, token: list[Any]) -> list[Any]:
        here: At = {**given, x: List([List(token)] * n), i: mpq(1)}
        outer, case.layer = case.layer, (here[x], 1)
        for line in lets:
            here[line.name] = case(line.body, here)
        made = case(last, here)
        case.layer = outer
        if not isinstance(made, List) or made.kind != ("list", "number"):
            raise NotAffine("it makes no list of numbers")
        return list(made.items)

    nodes: dict[tuple[Any, ...], int] = {}
    try:
        made = [affine(entry) for entry in new(_ReLUs(case, nodes), [Affine({k: Q(1)}) for k in range(d)])]
    except (NotAffine, Refused, Wrong):
        fit = fitted({token: tuple(new(case, list(token))) for token in tokens()})
        return Taken(told, fit.own, fit.shift, W_1=fit.W_1, b_1=fit.b_1, W_2=fit.W_2, table=True)
    hidden = sorted(nodes, key=nodes.__getitem__)
    return Taken(
        told,
        tuple(tuple(entry.c.get(k, Q(0)) for k in range(d)) for entry in made),
        tuple(entry.constant for entry in made),
        W_1=tuple(tuple(dict(node[0]).get(k, Q(0)) for k in range(d)) for node in hidden),
        b_1=tuple(node[1] for node in hidden),
        W_2=tuple(tuple(entry.c.get(-1 - k, Q(0)) for k in range(len(hidden))) for entry in made) if hidden else (),
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

    def __init__(self, case: Case, nodes: dict[tuple[Any, ...], int]) -> None:
        super().__init__(case.reading)
        self.variables = case.variables
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

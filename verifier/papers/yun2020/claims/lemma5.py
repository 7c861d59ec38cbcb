"""Lemma 5: the quantiser, over all real numbers, and its layers."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from gmpy2 import mpq

from verifier.core.claim import Claim, Domain, Relation, Relations
from verifier.core.exact import Q
from verifier.core.layers import FeedForward
from verifier.core.network import Layer, Network
from verifier.papers.yun2020 import quantizer
from verifier.papers.yun2020.contextual_map import ContextualMap, the_papers_alone
from verifier.papers.yun2020.domains import CONSTRUCTION
from verifier.papers.yun2020.instance import Instance
from verifier.papers.yun2020.pieces import IDENTITY, End, Pieces, then


@dataclass(frozen=True)
class Row:
    """The function of one real number that the layers of a row compose to."""

    network: Network
    number: int  # from 0

    @cached_property
    def strangers(self) -> int:
        """Layers that read or write more than one row; the rows are independent only if there are none."""
        return sum(quantizer.row_of(layer) is None for layer in self.network.layers)

    @cached_property
    def function(self) -> Pieces:
        f = IDENTITY
        for layer in self.network.layers:
            if isinstance(layer, FeedForward) and quantizer.row_of(layer) == self.number:
                f = then(f, layer.phi, layer.b_1[0])
        return f


@dataclass(frozen=True)
class Piece:
    """An interval [low, high) on which the quantiser should be constant."""

    row: Row
    low: End
    high: End
    value: mpq

    shown = ()


def _pieces(g: ContextualMap) -> Iterator[Piece]:
    network, edges = quantizer.quantizer(g.instance), (*g.instance.entries, Q(1))
    for row in (Row(network, number) for number in range(g.instance.d)):
        yield Piece(row, None, edges[0], g.instance.sentinel)
        for low, high in pairwise(edges):
            yield Piece(row, low, high, low)
        yield Piece(row, edges[-1], None, g.instance.sentinel)


def quantizes(piece: Piece) -> Relations:
    yield Relation("layers that read or write more than one row", piece.row.strangers, "=", "none", 0)
    where = f"in row {piece.row.number + 1}, from {'-inf' if piece.low is None else piece.low}"
    for slope, intercept in piece.row.function.on(piece.low, piece.high):
        yield Relation(f"slope of a piece of g_q {where}", slope, "=", "0", Q(0))
        yield Relation(f"value of a piece of g_q {where}", intercept, "=", "the lower corner or sentinel", piece.value)


@dataclass(frozen=True)
class TokenWise:
    layer: Layer

    shown = ()


def _activations(case: TokenWise) -> Relations:
    phi = getattr(case.layer, "phi", None)
    pieces = () if phi is None else phi.pieces
    yield Relation("pieces of phi", len(pieces), "<=", "3", 3)
    yield Relation("constant pieces of phi", sum(slope == 0 for slope, _ in pieces), ">=", "1", 1)


def _layers(g: ContextualMap) -> Relations:
    layers = quantizer.quantizer(g.instance).layers
    yield Relation("layers", len(layers), "=", "d/delta + d", g.instance.d * g.instance.N + g.instance.d)
    thin = sum(type(layer) is FeedForward and layer.r == 1 for layer in layers)
    yield Relation("token-wise layers of hidden size 1", thin, "=", "all", len(layers))


def _compositions(i: Instance) -> int:
    """The work of composing: each of a row's N + 1 layers with a function of at most N + 2 pieces."""
    return i.d * (i.N + 1) * (i.N + 2)


CLAIMS = [
    Claim(
        id="lemma5.quantizes",
        kind="statement",
        where="Lemma 5, Section 5.1, App. B.4",
        says="Every real d x n matrix goes to the lower corner of its cube, and an entry outside [0, 1) to the"
        " sentinel: on every piece of the real line the layers of a row compose to a constant.",
        formula="g_q: x -> k delta on [k delta, (k+1) delta), -delta^-(nd) for x < 0 and x >= 1",
        domain=Domain("the pieces of the real line, for each row", cases=_pieces),
        how="composes the piecewise linear functions of the layers of each row over all real numbers, every piece and"
        " every break, and sees that no layer reads or writes two rows",
        check=quantizes,
        skip=the_papers_alone,
        work=_compositions,
    ),
    Claim(
        id="lemma5.activations",
        kind="statement",
        where="Section 4.2 (the set Phi), App. B.4",
        says="Every activation of the quantiser is piecewise linear with at most three pieces, at least one of them"
        " constant.",
        formula="phi in Phi",
        domain=Domain(
            "every layer of the quantiser",
            cases=lambda g: map(TokenWise, quantizer.quantizer(g.instance).layers),
        ),
        how="counts the pieces of the activation of every layer",
        check=_activations,
        skip=the_papers_alone,
    ),
    Claim(
        id="lemma5.layers",
        kind="statement",
        where="Lemma 5",
        says="The quantiser has d/delta + d layers of hidden size 1.",
        formula="d/delta + d layers, r = 1",
        domain=CONSTRUCTION,
        how="counts the layers of the network that is run, and their hidden nodes",
        check=_layers,
        skip=the_papers_alone,
    ),
]

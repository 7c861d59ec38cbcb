"""Theorem 2: how large the whole construction is, and whether its layers are of the form that the paper defines."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb, factorial

from verifier.core.case import its_matrix
from verifier.core.claim import Claim, Domain, Relation, Relations
from verifier.core.exact import Matrix, Q
from verifier.core.network import Layer
from verifier.papers.yun2020.contextual_map import ContextualMap, contextual_map, the_papers_alone
from verifier.papers.yun2020.domains import CONSTRUCTION
from verifier.papers.yun2020.grid import closed_form_sizes
from verifier.papers.yun2020.quantizer import quantizer


def _stack(g: ContextualMap) -> tuple[int, tuple[int, ...]]:
    """The number of layers of g_v o g_c o g_q, each a block whose other half does nothing, and their (h, m, r).

    The layers of the value map, one for each key, are counted by the formula that lemma7.layers checks.
    """
    i = g.instance
    size = (quantizer(i) + g.network).size
    value_map = 1 + i.d + i.n * comb(i.B, i.n)
    return size.layers + value_map, (size.h, size.m, size.r)


def _size(g: ContextualMap) -> Relations:
    d, n, N, B = g.instance.d, g.instance.n, g.instance.N, g.instance.B
    blocks, widths = _stack(g)
    formula = d * N + d + B + 1 + 1 + d + n * comb(B, n)
    yield Relation("blocks", blocks, "=", "d/delta + d + delta^-d + 1 + 1 + d + n C(B, n)", formula)
    yield Relation("(h, m, r)", widths, "=", "(2, 1, 1), four ReLUs for each activation", (2, 1, 1))
    of_few_columns = (2 + 2 * d) * Q(factorial(n), n * 2 ** (d * n))
    C = 1 + of_few_columns + (d + 1) * Q(factorial(n), n * 2 ** (d * (n - 1)))
    bound = C * n * N ** (d * n) / factorial(n)
    yield Relation("blocks", blocks, "<=", "C n delta^-(dn) / n!", bound)
    each = 17 * d + 6  # 2 (4d + 1) of the heads, 9d + 4 of the feed-forward layer
    yield Relation("parameters", blocks * each, "<=", "(17 d + 6) C n delta^-(dn) / n!", each * bound)


@dataclass(frozen=True)
class LayerAt:
    """A layer of the construction, and a matrix to look at it with."""

    layer: Layer
    X: Matrix

    shown = its_matrix


def _one_column(g: ContextualMap) -> list[LayerAt]:
    d, n = g.instance.d, g.instance.n
    nothing = (Q(0),) * n
    return [LayerAt(g.network.layers[0], ((*nothing[1:], g.instance.delta), *(nothing,) * (d - 1)))]


def _negative(X: Matrix) -> Matrix:
    return tuple(tuple(-x for x in row) for row in X)


def _odd(case: LayerAt) -> Relations:
    value, bound = case.layer.apply(_negative(case.X)), _negative(case.layer.apply(case.X))
    yield Relation("layer 0 at -X", value, "=", "minus layer 0 at X", bound)


@dataclass(frozen=True)
class Above:
    """A matrix of G+ with the sentinel delta^-((n+1)d), above everything, in the paper's map with this sentinel."""

    map: ContextualMap
    X: Matrix

    shown = its_matrix


def _above(g: ContextualMap) -> Iterator[Above]:
    above = contextual_map(g.instance, sentinel=g.instance.global_factor)
    return (Above(above, X) for X in above.grid.matrices(3))


def _lifted(case: Above) -> Relations:
    far = case.map.instance.global_factor**2
    yield Relation("min_j q_j", min(case.map.q(case.X)), ">=", "delta^-(2(n+1)d)", far)
    yield Relation("delta^-(2(n+1)d)", far, ">", "t_r", case.map.instance.t_r)


CLAIMS = [
    Claim(
        id="theorem2.size",
        kind="statement",
        where="Theorem 2, Section 5.4",
        says="The whole construction has (h, m, r) = (2, 1, 4) once its activations are made of ReLUs, and at this d"
        " and n at most C n delta^-(dn) / n! blocks for every N >= 2, with"
        " C = 1 + (2+2d) n! / (n 2^(dn)) + (d+1) n! / (n 2^(d(n-1))), each of 17 d + 6 parameters (with the biases"
        " b_Q of its two heads).",
        formula="d/delta + d + delta^-d + 1 + 1 + d + n C(B, n) blocks",
        domain=CONSTRUCTION,
        how="counts the layers, one block for each, and compares with the bound",
        check=_size,
        skip=the_papers_alone,
    ),
    Claim(
        id="theorem2.heads",
        kind="excluded",
        where="Section 2, equation (1); Theorem 2",
        says="Every attention layer of the construction is of the paper's form (1) as printed,"
        " Attn(X) = X + sum_i W_O W_V X sigma[(W_K X)^T W_Q X], without the bias b_Q that footnote 1 says is omitted"
        " there. Such a layer is an odd function of X.",
        formula="Attn(-X) = -Attn(X)",
        domain=Domain("the matrix of n-1 columns 0 and a last one (delta, 0, ..., 0)^T", cases=_one_column),
        how="runs the literal layer 0 at X and at -X",
        check=_odd,
        skip=the_papers_alone,
    ),
    Claim(
        id="theorem2.sentinel-above",
        kind="repair",
        where="Lemma 6, App. B.5.3; Theorem 2 over all of R^(d x n)",
        says="With the sentinel delta^-((n+1)d), above everything, in place of -delta^-(nd), one sentinel lifts every"
        " value of a matrix of Category 3 beyond t_r; Categories 1 and 2 have none. (With the sentinel above ids never"
        " fall, and the network of softmax and ReLUs can reject what is outside: FINDINGS.md.)",
        formula="q(L)_j >= delta^-(2(n+1)d) > t_r for every L in G+ minus G",
        domain=Domain("every orbit of Category 3, with this sentinel", cases=_above),
        how="runs the literal network with this sentinel",
        check=_lifted,
        skip=the_papers_alone,
        needs="the sentinel delta^-((n+1)d)",
        work=lambda i: closed_form_sizes(i)["category3"].orbits * i.n * (i.B + 1),
    ),
]

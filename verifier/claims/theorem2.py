"""Theorem 2: how large the whole construction is, and whether its layers are of the form that the paper defines."""

from dataclasses import dataclass
from math import comb, factorial

from verifier.claims.claim import Claim, Domain, Relation, Relations, the_papers_alone
from verifier.claims.domains import CONSTRUCTION
from verifier.constructions.contextual_map import ContextualMap
from verifier.constructions.quantizer import quantizer
from verifier.exact import Matrix, Q
from verifier.network import Layer


def _stack(g: ContextualMap) -> tuple[int, tuple[int, ...]]:
    """Layers of g_v o g_c o g_q, each a block whose other half is idle, and their (h, m, r).

    Those of the value map, which has a layer for each key, by the formula that lemma7.layers holds it to.
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
class Odd:
    """A layer of the construction, and a matrix to look at it with."""

    layer: Layer
    X: Matrix


def _one_column(g: ContextualMap) -> list[Odd]:
    d, n = g.instance.d, g.instance.n
    nothing = (Q(0),) * n
    return [Odd(g.network.layers[0], ((*nothing[1:], g.instance.delta), *(nothing,) * (d - 1)))]


def _negative(X: Matrix) -> Matrix:
    return tuple(tuple(-x for x in row) for row in X)


def _odd(case: Odd) -> Relations:
    value, bound = case.layer.apply(_negative(case.X)), _negative(case.layer.apply(case.X))
    yield Relation("layer 0 at -X", value, "=", "minus layer 0 at X", bound)


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
        domain=Domain("own", "the matrix of n-1 columns 0 and a last one (delta, 0, ..., 0)^T", cases=_one_column),
        how="runs the literal layer 0 at X and at -X",
        check=_odd,
        skip=the_papers_alone,
    ),
]

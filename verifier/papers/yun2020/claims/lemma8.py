"""Lemma 8: how far a cube reaches from its centre, and that sampling at the centres keeps equivariance."""

from gmpy2 import mpq

from verifier.core.claim import Claim, Relation, Relations
from verifier.core.exact import Matrix, Q
from verifier.core.lanewise import largest
from verifier.core.layers import add, product, swap
from verifier.papers.yun2020.case import Case
from verifier.papers.yun2020.contextual_map import the_papers_alone
from verifier.papers.yun2020.domains import GRID


def centre(L: Matrix, delta: mpq) -> Matrix:
    """C_L, the centre of the cube [L_ij, L_ij + delta)."""
    return tuple(tuple(x + delta / 2 for x in row) for row in L)


def corner(X: Matrix, delta: mpq) -> Matrix:
    """The L in whose cube X lies."""
    return tuple(tuple(x - x % delta for x in row) for row in X)


def equivariant(X: Matrix) -> Matrix:
    """f(X) = X + X 1 1^T."""
    ones = ((Q(1),) * len(X[0]),) * len(X[0])
    return add(X, product(X, ones))


def approximation(X: Matrix, delta: mpq) -> Matrix:
    """The value of f at the centre of the cube of X."""
    return equivariant(centre(corner(X, delta), delta))


def _offsets(case: Case) -> list[mpq]:
    L = case.X
    C = centre(L, case.map.instance.delta)
    return [abs(x - c) for row, middle in zip(L, C, strict=True) for x, c in zip(row, middle, strict=True)]


def _radius(case: Case) -> Relations:
    yield Relation("||L - C||_1", sum(_offsets(case), Q(0)), "<=", "delta", case.map.instance.delta)


def _radius_p(case: Case) -> Relations:
    i, offsets = case.map.instance, _offsets(case)
    p = (i.d * i.n - 1).bit_length()  # the least p with 2^p >= d n
    power = sum((offset**p for offset in offsets), Q(0))
    yield Relation("||L - C||_p^p, 2^p >= d n", power, "<=", "delta^p", i.delta**p)
    yield Relation("||L - C||_inf", largest(offsets), "<=", "delta/2", i.delta / 2)


def _equivariant(case: Case) -> Relations:
    """Checked at the lower corner, and at a point whose entries lie at different places in [L_ij, L_ij + delta)."""
    delta, n = case.map.instance.delta, case.map.instance.n
    inside = tuple(tuple(x + delta * j / n for j, x in enumerate(row)) for row in case.X)
    for where, X in (("the corner", case.X), ("a point inside", inside)):
        image = approximation(X, delta)
        for j in range(n - 1):
            name = f"f at the centre of the cube of XP, X {where}, P exchanging columns {j + 1} and {j + 2}"
            yield Relation(name, approximation(swap(X, j), delta), "=", "f(C) P", swap(image, j))


CLAIMS = [
    Claim(
        id="lemma8.radius",
        kind="excluded",
        where="Lemma 8, App. B.1",
        says="A point X of the cube of L is within delta of the cube's centre C in every norm. It is at its farthest at"
        " the lower corner X = L, in the norm p = 1.",
        formula="||X - C||_p <= delta for X in S_L, p >= 1",
        domain=GRID,
        how="computes the distance of the lower corner of every cube from its centre",
        check=_radius,
        skip=the_papers_alone,
    ),
    Claim(
        id="lemma8.radius-p",
        kind="repair",
        where="Lemma 8, App. B.1",
        says="With the hypothesis 2^p >= d n, a point X of the cube of L is within delta of the cube's centre C in the"
        " norm p (and within delta/2 in the sup norm, for every d and n).",
        formula="||X - C||_p <= delta for X in S_L, if 2^p >= d n",
        domain=GRID,
        how="computes the distance of the lower corner of every cube from its centre, with the least such p",
        check=_radius_p,
        skip=the_papers_alone,
        needs="2^p >= d n",
    ),
    Claim(
        id="lemma8.equivariant",
        kind="step",
        where="Lemma 8, App. B.1",
        says="The approximation that is constant on cubes, with the value of an equivariant f at the centre, is"
        " equivariant.",
        formula="f(C_LP) = f(C_L) P, X P in S_LP for X in S_L",
        domain=GRID,
        how="evaluates the approximation of f(X) = X + X 1 1^T at two points of every cube, and with each two"
        " neighbouring columns exchanged",
        check=_equivariant,
        skip=the_papers_alone,
    ),
]

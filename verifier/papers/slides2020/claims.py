"""The slides on the paper (So, April 2020): their sentinel, their sketch for d = 1, their closed interval."""

from collections.abc import Iterator
from dataclasses import replace

from verifier.core.claim import Claim, Collected, Domain, Relation, Relations, nearest
from verifier.papers.slides2020.sketch import broadcast, decode, sketch, with_slides_sentinel
from verifier.papers.yun2020.case import Case
from verifier.papers.yun2020.contextual_map import ContextualMap, the_papers_alone
from verifier.papers.yun2020.domains import GRID_PLUS
from verifier.papers.yun2020.grid import closed_form_sizes
from verifier.papers.yun2020.interval import below_or_beyond, inside


def _outside_G(g: ContextualMap) -> Iterator[Case]:
    other = with_slides_sentinel(g.instance)
    cases = (Case(other, number, orbit) for number, orbit in enumerate(other.grid.orbits()))
    return (case for case in cases if case.category != 1)


def tokens(case: Case) -> tuple[int, ...]:
    """k_1 <= ... <= k_n."""
    return tuple(int((case.map.instance.N * l).numerator) for l in case.l)


def _sketch(case: Case) -> tuple[int, ...]:
    return sketch(tokens(case), case.map.instance.N)


def _own_token_and_all(case: Case) -> Relations:
    N, n, k, O = case.map.instance.N, case.map.instance.n, tokens(case), _sketch(case)
    for j, (token, o) in enumerate(zip(k, O, strict=True), start=1):
        yield Relation(f"O_{j} mod N", o % N, "=", f"k_{j}", token)
    yield Relation("k decoded from max O", decode(max(O), n, N), "=", "k", k)


def _maxima_apart(g: ContextualMap, seen: Collected) -> Relations:  # noqa: ARG001
    for distance, cases in nearest(seen):
        yield Relation("distance of max O of two contexts", distance, ">", "0", 0, cases)


def _broadcast(case: Case) -> Relations:
    N, n, k, O = case.map.instance.N, case.map.instance.n, tokens(case), _sketch(case)
    yield Relation("max O", max(O), "<", "N^(n+1)", N ** (n + 1))
    for j, v in enumerate(broadcast(O, N), start=1):
        yield Relation(f"k decoded from coordinate {j}", decode(v // N ** (n + 1), n, N), "=", "k", k)


def _outside(case: Case) -> Relations:
    for j, q in enumerate(case.q, start=1):
        yield below_or_beyond(f"q_{j}", q, case.map.interval)


def _closed(case: Case) -> Relations:
    interval = replace(case.map.interval, high_closed=True)
    for j, q in enumerate(case.q, start=1):
        if case.category == 1:
            yield from inside(f"q_{j}", q, interval)
        else:
            yield below_or_beyond(f"q_{j}", q, interval)


OUTSIDE_G = Domain("every orbit of G+ with this sentinel that is not in G~", cases=_outside_G)
ONE_DIMENSION = Domain(
    "every orbit of Category 1 (G~), if d = 1",
    lambda case: case.map.instance.d == 1 and case.category == 1,
)
ONE_DIMENSION_ALL = Domain("every orbit of G, if d = 1", lambda case: case.map.instance.d == 1 and case.category != 3)

CLAIMS = [
    Claim(
        id="slides.sentinel",
        kind="step",
        where="the slides, scalar quantisation and contextual mapping",
        says="With the slides' sentinel -delta^(nd) in place of -delta^-(nd) every value of every matrix outside G~"
        " still lies outside [t_l, t_r).",
        formula="sentinel -delta^(nd): q(L)_j < t_l or q(L)_j >= t_r",
        domain=OUTSIDE_G,
        how="runs the literal network with this sentinel",
        check=_outside,
        skip=the_papers_alone,
        work=lambda i: closed_form_sizes(i)["total"].orbits * i.n * (i.B + 1),
    ),
    Claim(
        id="slides.one-dimensional",
        kind="statement",
        where="the slides, proof sketch, 1D case",
        says="The slides' sketch for d = 1 and distinct columns: each output leads back to its own token, and the"
        " largest output to all of them. In whole numbers k_j = N L_j: for k = 0..N-1 add N r, r = max - min, to those"
        " that equal k.",
        formula="k_j = O_j mod N, and max_j O_j determines k_1, ..., k_n",
        domain=ONE_DIMENSION,
        how="runs the sketch in whole numbers, and decodes each token and all of them",
        check=_own_token_and_all,
        skip=the_papers_alone,
        needs="the columns are distinct, and r, k and O are counted in units of delta",
    ),
    Claim(
        id="slides.one-dimensional-all",
        kind="excluded",
        where="the slides, proof sketch, 1D case",
        says="The sketch without the condition that the columns are distinct.",
        formula="max_j O_j determines k_1, ..., k_n for every L in G",
        domain=ONE_DIMENSION_ALL,
        how="runs the sketch in whole numbers, collects max O of every context, sorts, and compares neighbours",
        collect=lambda case: [max(_sketch(case))],
        conclude=_maxima_apart,
        skip=the_papers_alone,
    ),
    Claim(
        id="slides.broadcast",
        kind="statement",
        where="the slides, proof sketch, 1D case",
        says="Adding N^(n+1) max_j O_j to every coordinate puts all tokens into each of them.",
        formula="k_1, ..., k_n from each O_j + N^(n+1) max O",
        domain=ONE_DIMENSION,
        how="runs the sketch in whole numbers, and decodes the tokens from each coordinate",
        check=_broadcast,
        skip=the_papers_alone,
    ),
    Claim(
        id="slides.closed",
        kind="statement",
        where="the slides, self-attention layers can express contextual mappings",
        says="Lemma 6's interval may be closed.",
        formula="L in G~: t_l <= q(L)_j <= t_r; L in G+ minus G~: q(L)_j < t_l or q(L)_j > t_r",
        domain=GRID_PLUS,
        how="runs the literal network",
        check=_closed,
        skip=the_papers_alone,
    ),
]

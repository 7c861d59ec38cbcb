"""Lemma 9 (App. B.2): softmax for hardmax, and four ReLUs for each activation.

As in the paper, the network with hardmax and piecewise linear activations is called modified, and the one with softmax
and ReLUs standard. A statement about every lambda needs an argument; each number in it is checked by a relation below.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import comb

from gmpy2 import mpq

from verifier.core.case import its_matrix
from verifier.core.claim import Claim, Collected, Domain, Relation, Relations
from verifier.core.exact import Matrix, Q
from verifier.core.lanewise import choose, largest, smallest
from verifier.core.layers import Attention, FeedForward, Head, PiecewiseLinear, add_bias, product, transpose
from verifier.papers.yun2020.case import Case
from verifier.papers.yun2020.contextual_map import ContextualMap, the_papers_alone
from verifier.papers.yun2020.domains import CONSTRUCTION, GRID, GRID_PLUS
from verifier.papers.yun2020.grid import closed_form_sizes
from verifier.papers.yun2020.instance import Instance
from verifier.papers.yun2020.relu import Piece, pieces_between, relu_form

ZERO, ONE = (Q(0), Q(0)), (Q(0), Q(1))  # the lines 0 and 1
UP, STEEP = (Q(2), Q(3)), (Q(5), Q(-7))  # 2t + 3 and 5t - 7
MOST_COLUMNS = 500  # of G, for lemma9.compact


@dataclass(frozen=True)
class FourReLUs:
    phi: PiecewiseLinear
    eps: mpq

    shown = ()


def activations(i: Instance) -> list[PiecewiseLinear]:
    """The activations of the quantiser and of the value map, and three of which one piece each is constant."""
    away: Piece = (Q(-1), i.sentinel)
    negated: Piece = (Q(-1), Q(0))
    half = i.delta / 2
    functions: list[tuple[tuple[mpq, ...], tuple[Piece, ...]]] = [
        ((Q(0), Q(1)), (away, ZERO, away)),
        ((Q(0), i.delta), (ZERO, negated, ZERO)),
        ((i.t_l, i.t_r), (ONE, ZERO, ONE)),
        ((Q(0),), (negated, ZERO)),
        ((-half, half), (ZERO, ONE, ZERO)),
        ((Q(0), Q(1)), (ZERO, UP, STEEP)),
        ((Q(0), Q(1)), (UP, (Q(0), Q(11)), STEEP)),
        ((Q(0), Q(1)), (UP, STEEP, (Q(0), Q(11)))),
    ]
    return [PiecewiseLinear(breaks, pieces) for breaks, pieces in functions]


def _activations(g: ContextualMap) -> Iterator[FourReLUs]:
    return (FourReLUs(phi, g.instance.delta / 4) for phi in activations(g.instance))


def _relu(case: FourReLUs) -> Relations:
    phi, eps = case.phi, case.eps
    form = relu_form(phi, eps)
    yield Relation("ReLUs", len(form.relus), "<=", "4", 4)
    function = form.function()
    ends = [None, *phi.breaks, None]
    for k, (piece, (low, stop)) in enumerate(zip(phi.pieces, pairwise(ends), strict=True)):
        high = None if stop is None else stop - eps
        seen = pieces_between(function, low, high)
        yield Relation(f"pieces of phi~ on piece {k} of phi", seen, "=", "that piece alone", (piece,))
        if low is not None:
            yield Relation(f"phi~ at break {k}", form(low), "=", "phi there", phi(low))


def bits(n: int) -> int:
    """K = 10 + (the bits of n-1)."""
    return 10 + (n - 1).bit_length()


def gaps(head: Head, X: tuple[tuple[mpq, ...], ...]) -> Iterator[mpq]:
    """How far each score is below the largest in its column."""
    scores = product(transpose(product(head.W_K, X)), add_bias(product(head.W_Q, X), head.b_Q))
    for column in transpose(scores):
        top = largest(column)
        yield from (top - score for score in column)


def _softmax(case: Case) -> Relations:
    if all(id_ == case.l[0] for id_ in case.l):
        return
    found = [
        gap
        for step in case.steps
        if isinstance(step.layer, Attention)
        for head in step.layer.heads
        for gap in gaps(head, step.before)
    ]
    most = largest(found)
    least = smallest(choose(gap > 0, gap, most) for gap in found)
    yield Relation("smallest gap of a head", least, ">=", "delta^2/2", Q(1, 2 * case.map.instance.N**2))


def _softmax_error(g: ContextualMap, seen: Collected) -> Relations:  # noqa: ARG001
    n = g.instance.n
    yield Relation("(n-1) / 2^K", Q(n - 1, 2 ** bits(n)), "<=", "1/1024", Q(1, 1024))


def _compact(case: Case) -> Relations:
    t_l, t_r, delta = case.map.instance.t_l, case.map.instance.t_r, case.map.instance.delta
    if case.category == 2:
        yield Relation("max_j q_j", largest(case.q), "<=", "t_l - delta", t_l - delta)
        return
    for j, q in enumerate(case.q, start=1):
        yield Relation(f"q_{j}", q, ">=", "t_l + delta", t_l + delta)
        yield Relation(f"q_{j}", q, "<=", "t_r - delta", t_r - delta)


def last_error(i: Instance, K: int) -> mpq:
    """2 R (n-1) 2^-K (1+2B)^B (1 + delta^-((n+1)d)), R = delta^-(nd) delta (delta^-d - 1).

    If ids are off by at most e, and the weight of the scores below the maximum is at most tau, then a head is off by at
    most e + R tau. So a layer of two heads takes e to e + 2 B (e + R tau), and the last to e + global_factor (e + R
    tau).
    """
    R = Q(i.B**i.n * (i.B - 1), i.N)
    tau = Q(i.n - 1, 2**K)
    return 2 * R * tau * int((1 + 2 * i.B) ** i.B) * (1 + i.global_factor)


def bits_for_compact(i: Instance) -> int:
    """The least K >= 1 for which the error after the last layer is at most delta/8."""
    times = last_error(i, 0) / (i.delta / 8)  # a whole number, at least 2
    return (int(times.numerator) - 1).bit_length()


def _too_long(g: ContextualMap) -> str | None:
    """Why this can't be checked here: (1+2B)^B is too long for a certificate."""
    if (why := the_papers_alone(g)) or g.instance.B <= MOST_COLUMNS:
        return why
    return f"its bound fits a certificate up to B = {MOST_COLUMNS}; here B = {g.instance.B}"


def _compact_error(g: ContextualMap, seen: Collected) -> Relations:  # noqa: ARG001
    i = g.instance
    yield Relation("error after the last layer", last_error(i, bits_for_compact(i)), "<=", "delta/8", i.delta / 8)


def _distance(g: ContextualMap) -> Relations:
    i = g.instance
    F, keys = i.global_factor, i.n * comb(i.B, i.n)
    yield Relation("q~_1 at x_11 = -eps", i.sentinel * (1 + F), "<", "t_l", i.t_l)
    yield Relation("sum of the widths of the windows", 2 * i.delta * keys, "<", "t_r - t_l", i.t_r - i.t_l)
    # the first shift, B (max - min), each of whose heads is off by at most |sentinel| / 1024
    x = F * Q(1022, 1024)
    least = x + F * (1023 * x + i.sentinel) / 1024
    yield Relation("q~_1 at x_11 = delta/2", least, "<", "t_r", i.t_r)


# The smallest network for which the limits eps -> 0 and lambda -> infinity don't commute: one block, d = 1, n = 2. Its
# head subtracts the smallest entry from each column with a negative entry. The smallest becomes exactly 0, where the
# activation jumps.


@dataclass(frozen=True)
class Block:
    """Row 1 of X <- X - X hardmax[X^T X], then X <- X + phi(X), phi(t) = 1 for t >= 0, else 0; at X = (0, ..., 0, -1).

    The scores of column n are 0, ..., 0, 1. Softmax gives the other columns a weight eta together; each eta in
    (0, (n-1)/n) belongs to exactly one lambda, ln((n-1)(1 - eta)/eta), which grows as eta falls.
    """

    instance: Instance
    eps: mpq
    eta: mpq

    shown = its_matrix

    @property
    def X(self) -> Matrix:
        zeros = (Q(0),) * self.instance.n
        return ((*zeros[1:], Q(-1)), *(zeros,) * (self.instance.d - 1))

    @property
    def jump(self) -> PiecewiseLinear:
        return PiecewiseLinear((Q(0),), (ZERO, ONE))

    def modified(self) -> mpq:
        """The output's entry in row 1 and column n."""
        d = self.instance.d
        e_1 = (Q(1), *(Q(0),) * (d - 1))
        head = Head(W_O=tuple((-x,) for x in e_1), W_V=(e_1,), W_K=(e_1,), W_Q=(e_1,), b_Q=(Q(0),))
        column = tuple((x,) for x in e_1)
        layer = FeedForward(W_1=(e_1,), b_1=(Q(0),), W_2=column, b_2=(Q(0),) * d, phi=self.jump)
        return layer.apply(Attention((head,)).apply(self.X))[0][-1]

    def standard(self) -> mpq:
        """The same with softmax, and with the ReLUs of a width eps."""
        *others, own = self.X[0]
        mean = (1 - self.eta) * own + sum((self.eta / len(others) * x for x in others), Q(0))
        after = own - mean
        return after + relu_form(self.jump, self.eps)(after)


def _eps_first(g: ContextualMap) -> Iterator[Block]:
    return (Block(g.instance, Q(1, 2**k), Q(1, 2**k)) for k in range(2, 11))


def _eps_last(g: ContextualMap) -> Iterator[Block]:
    return (Block(g.instance, Q(1, 2**k), Q(1, 2 ** (k + 10))) for k in range(2, 11))


def _near(case: Block) -> Relations:
    yield Relation("|output - modified output|", abs(case.standard() - case.modified()), "<=", "1/512", Q(1, 512))


CLAIMS = [
    Claim(
        id="lemma9.relu",
        kind="step",
        where="Lemma 9, App. B.2",
        says="Every activation of the construction, and one with each of its three pieces the constant one, is matched"
        " off intervals of width eps by four ReLUs. (phi~ is linear in the slopes and intercepts of phi, and both"
        " sides follow a change of scale.)",
        formula="phi~ = phi off [c_i - eps, c_i)",
        domain=Domain(
            "five activations of the construction and three with one constant piece each, eps = delta/4",
            cases=_activations,
        ),
        how="makes the ReLUs, adds them up piece by piece, and compares every piece and both sides of every break",
        check=_relu,
        skip=the_papers_alone,
    ),
    Claim(
        id="lemma9.softmax",
        kind="step",
        where="Lemma 9, App. B.2",
        says="In every head the best score is at least delta^2/2 above the next, so that with lambda = 2 N^2 K,"
        " K = 10 + (the bits of n-1), every entry of softmax(lambda A) is within 1/1024 of that of hardmax(A): it"
        " differs by at most (n-1) e^(-lambda gap) <= (n-1) 2^-K.",
        formula="|softmax(lambda A) - hardmax(A)| <= 1/1024",
        domain=GRID_PLUS,
        how="computes every score of every head from the literal weights; e^-K <= 2^-K",
        check=_softmax,
        silence_holds=True,  # where all scores are equal
        conclude=_softmax_error,
        skip=the_papers_alone,
        work=lambda i: closed_form_sizes(i)["total"].orbits * i.n * (i.B + 1),
    ),
    Claim(
        id="lemma9.compact",
        kind="repair",
        where="Lemma 9, App. B.2",
        says="On [0,1]^(dn), off a set of measure at most 1 - (1 - N eps)^(dn), the standard network (each hardmax"
        " replaced by softmax(lambda .), each activation by its four ReLUs, eps <= delta/8) agrees with the modified"
        " one up to delta/8, for targets as in lemma7.map-bounded, with lambda = 32 K N^2 / 9: errors grow by at most"
        " 1 + 2B in a layer of the sweep, and no id comes near an edge of an activation of the value map. (Smaller"
        " errors: larger K.)",
        formula="2 R (n-1) 2^-K (1+2B)^B (1 + delta^-((n+1)d)) <= delta/8, R = delta^-(nd) delta (delta^-d - 1)",
        domain=GRID,
        how="runs the modified network; an argument carries errors of at most delta/8 through the layers",
        check=_compact,
        conclude=_compact_error,
        skip=_too_long,
        needs="X in [0,1]^(dn), not in all of R^(d x n); no target column has an id of t_l - delta/2 or more",
    ),
    Claim(
        id="lemma9.distance",
        kind="step",
        where="Lemma 9, App. B.2; the distance of Section 3",
        says="The standard network is within any wanted p-distance of the modified one, integrated over all of"
        " R^(d x n), once lambda is large and eps small. Take entry (1,1) from -eps to delta/2, the other entries of"
        " row 1 anywhere left of -eps, all others in [0, delta/2]: the modified network is 0 there until x_11 = 0 and"
        " after, while the first value of the standard one goes continuously from below t_l to above t_r, through"
        " values that no window of the value map covers, whatever the other entries of row 1 are: the set has infinite"
        " measure, for every lambda >= 2 N^2 K.",
        formula="d_p(g, g~) < infinity",
        domain=CONSTRUCTION,
        how="bounds the first value at both ends of the strip, and what the windows cover; the rest is the argument",
        check=_distance,
        skip=the_papers_alone,
    ),
    Claim(
        id="lemma9.layerwise",
        kind="excluded",
        where="Lemma 9, App. B.2",
        says="The parameters of the layers may be made large enough, or small enough, independently of each other."
        " Tried on a block whose hardmax lands exactly on the jump of its activation, where softmax stays on the other"
        " side by eta: with eps <= eta, however small both are, the outputs differ by 1 + eta. (So on a set of positive"
        " measure, if eps tends to 0 first.)",
        formula="|g - g~| <= 1/512 for eps <= eta",
        domain=Domain("eps = eta = 1/4, ..., 1/1024 at X = (0, ..., 0, -1)", cases=_eps_first),
        how="runs the literal block, and the one with the softmax weight eta and the ReLUs of width eps",
        check=_near,
        skip=the_papers_alone,
    ),
    Claim(
        id="lemma9.last-first",
        kind="repair",
        where="Lemma 9, App. B.2",
        says="With the parameters chosen from the last layer to the first (eps, and then lambda for that eps) the same"
        " block's outputs are near. (On compact sets this is so for every network of the class: FINDINGS.md.)",
        formula="|g - g~| <= 1/512 for eta <= eps/1024, eps <= 1/4",
        domain=Domain("eps = 1/4, ..., 1/1024, eta = eps/1024, at X = (0, ..., 0, -1)", cases=_eps_last),
        how="runs the literal block, and the one with the softmax weight eta and the ReLUs of width eps",
        check=_near,
        skip=the_papers_alone,
        needs="X in a compact set; the last layer's parameter is chosen first",
    ),
]

"""What is defined and what has to be shown: the construction in units of delta, as recursions (SYMBOLIC 3 and 4).

    k_1 < ... < k_m   the distinct ids >= 0 of the columns;  B = N^d;  P_j = B^j
    t_0 = k_m,  t_j = k_j + B (t_{j-1} - k_j)      the id of the column of k_j after the sweep, without sentinels
    r_0 = k_m,  r_j = k_j + B (r_{j-1} - y)        the same where the smallest id is y < 0, a sentinel's

Every statement is for all whole numbers in its range; a letter that nothing defines is a whole number, and one of SLACK
a whole number >= 0.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sympy import Symbol, symbols

from verifier.symbolic.algebra import Sequence

SLACK = frozenset(["z", "w", "x", "W", "X", "a", "g", "s", "A", "G", "H", "o", "u", "y0"])
SECOND = dict(zip("agsktwxv", "AGHKTWXV", strict=True))  # of two contexts, or two columns

B, N, L, M, Q, I, D, y, z, a, s, o, u = symbols("B N L M Q I D y z a s o u")
y0 = Symbol("y0")
p, P, v, V, w, W, x, c, S = (Sequence(name) for name in ("p", "P", "v", "V", "w", "W", "x", "c", "S"))
k, K, g, t, T, C, r, low, top = (Sequence(name) for name in ("k", "K", "g", "t", "T", "C", "r", "low", "top"))

Formula = Callable[..., Any]

# What stands in the place of a symbol; the ranges are the checker's to know.
DEFINITIONS: dict[str, Formula] = {
    "N": lambda: (N, 2 + z),
    "p0": lambda: (p(0), 1),
    "p": lambda e: (p(e), N * p(e - 1)),
    "B": lambda d: (B, p(d)),
    "P0": lambda: (P(0), 1),
    "P": lambda j: (P(j), B * P(j - 1)),
    "row": lambda e: (N, w(e) + x(e) + 1),
    "v0": lambda: (v(0), 0),
    "v": lambda e: (v(e), v(e - 1) + p(e - 1) * w(e)),
    "c0": lambda f, n: (c(f), v(f - 1) - N * P(n) * p(f - 1)),
    "y": lambda n: (y, -N * P(n) + B - N - y0),
    "S0": lambda: (S(0), 0),
    "S": lambda i: (S(i), M + S(i - 1)),
    "k0": lambda: (k(1), a),
    "k": lambda j: (k(j), 1 + g(j - 1) + k(j - 1)),
    "kB": lambda m: (B, 1 + k(m) + s),
    "t0": lambda m: (t(0), k(m)),
    "t": lambda j: (t(j), k(j) + B * (t(j - 1) - k(j))),
    "C1": lambda: (C(1), 0),
    "C": lambda j: (C(j), B * (C(j - 1) + k(j - 1) - k(j))),
    "r0": lambda m: (r(0), k(m)),
    "r": lambda j: (r(j), k(j) + B * (r(j - 1) - y)),
    "low0": lambda m: (low(0), m - 1),
    "low": lambda j: (low(j), (j - 1) + B * (low(j - 1) - (j - 1))),
    "top0": lambda: (top(0), B - 1),
    "top": lambda j: (top(j), (j - 1) + B * (top(j - 1) - (j - 1))),
    "topm": lambda m: (top(m), (B - 1) + B * (top(m - 1) - (B - 1))),
}


@dataclass(frozen=True)
class Fact:
    """For all whole numbers in the range: if what is given, the goal is >= 0 (or = 0)."""

    name: str
    where: str
    goal: Formula
    equal: bool = False
    given: Formula = lambda: ()  # equations, (symbol, what stands in its place)
    induction: str = ""  # `j from 1`
    cases: tuple[tuple[str, Formula], ...] = ()  # of its step, each with an equation


# The scores of Lemma H, x_i (x_j - b): I is an id, M the largest, Q the smallest, D twice the distance of x_j to b.
_ABOVE, _BELOW = (lambda: ((M, I + o), (D, 1 + u))), (lambda: ((I, Q + o), (D, -1 - u)))
_ABOVE_TIE, _BELOW_TIE = (lambda: ((M, I + 1 + o), (D, 1 + u))), (lambda: ((I, Q + 1 + o), (D, -1 - u)))
# An id against the level L, and a level below B.
_AT, _OVER, _UNDER = (lambda: ((I, L),)), (lambda: ((I, L + 1 + o),)), (lambda: ((L, I + 1 + o),))
_LEVEL = lambda: ((B, L + 1 + o),)  # noqa: E731 - a formula like those around it
# The id of any column with a sentinel; two contexts of which the second has the larger l~_n.
_SENTINEL, _LARGER = (lambda n: ((I, B - N - N * P(n) - o),)), (lambda n: ((T(n), t(n) + 1 + o),))
_FIRST, _LAST = 2 * (I - L) + 1, 2 * (I - L) - 1  # twice the distance to the two thresholds


def _q(j: Any, m: Any, n: Any) -> Any:
    """The id after the global shift, l~_j + delta^-((n+1)d) max."""
    return t(j) + P(n + 1) * t(m)


def _t_l(n: Any) -> Any:
    return P(n) ** 2 * (B - 1)


def _t_r(n: Any) -> Any:
    return P(n) * P(n + 1) * (B - 1)


def _lowest(j: Any, m: Any) -> Any:
    return (m * (B - 1) - B) * P(j) + B


def _highest(j: Any) -> Any:
    return (B**2 - 2 * B) * P(j) + (j - B) * (B - 1) + B


def _highest_of_all(n: Any) -> Any:
    return (B - 1) ** 2 + (B - 2) * B * P(n) + B * (n - 1 - B) * (B - 1) + B**2


ALL = [
    Fact("p.one", "0<=e<=d", lambda e: p(e) - 1, induction="e from 0"),
    Fact("B.two", "", lambda: B - 2),
    Fact("P.one", "0<=j<=n+1", lambda j: P(j) - 1, induction="j from 0"),
    Fact("P.grow", "0<=i<=j<=n+1", lambda i, j: P(j) - P(i), induction="j from i"),
    # App. B.5: the id of a column
    Fact("row.low", "0<=e<=d", lambda e: v(e), induction="e from 0"),  # noqa: PLW0108 - its argument has a name
    Fact("row.high", "0<=e<=d", lambda e: p(e) - 1 - v(e), induction="e from 0"),
    Fact("row.id", "", lambda d: B - 1 - v(d)),
    Fact("row.differ", "1<=e<=d", lambda e: v(e) - V(e) - 1, given=lambda e: ((w(e), W(e) + 1 + o),)),
    Fact("row.same", "1<=e<=d", lambda e: (v(e) - v(e - 1)) - (V(e) - V(e - 1)), True, lambda e: ((w(e), W(e)),)),
    Fact(
        "sentinel.bound",
        "1<=f<=e<=d",
        lambda e, n: p(e) - N - N * P(n) - c(e),
        induction="e from f",
        cases=(
            ("an entry of 0..N-1", lambda e: (c(e), c(e - 1) + p(e - 1) * w(e))),
            ("a sentinel", lambda e, n: (c(e), c(e - 1) - p(e - 1) * N * P(n))),
        ),
    ),
    Fact("sentinel.id", "1<=f<=d", lambda d, n: B - N - N * P(n) - c(d)),
    Fact("sentinel.far", "", lambda n: N * P(n) + N - B - 1),
    # App. B.5: a head, and a layer of the sweep
    Fact("head.above", "", lambda: (M - I) * D, given=_ABOVE),
    Fact("head.above.tie", "", lambda: (M - I) * D - 1, given=_ABOVE_TIE),
    Fact("head.below", "", lambda: (Q - I) * D, given=_BELOW),
    Fact("head.below.tie", "", lambda: (Q - I) * D - 1, given=_BELOW_TIE),
    Fact("head.mean", "0<=i<=n", lambda i: S(i) - i * M, True, induction="i from 0"),
    Fact("layer.at.lower", "", lambda: _FIRST - 1, given=_AT),
    Fact("layer.at.upper", "", lambda: -_LAST - 1, given=_AT),
    Fact("layer.above.lower", "", lambda: _FIRST - 1, given=_OVER),
    Fact("layer.above.upper", "", lambda: _LAST - 1, given=_OVER),
    Fact("layer.below.lower", "", lambda: -_FIRST - 1, given=_UNDER),
    Fact("layer.below.upper", "", lambda: -_LAST - 1, given=_UNDER),
    # the ids of a context
    Fact("k.order", "1<=i<=j<=m, m<=n", lambda i, j: (k(j) - k(i)) - (j - i), induction="j from i"),
    Fact("k.low", "1<=i<=m, m<=n", lambda i: k(i) - (i - 1)),
    Fact("k.high", "1<=i<=m, m<=n", lambda i, m: (B - 1 - (m - i)) - k(i)),
    Fact("k.last", "1<=i<=m, m<=n", lambda i: B - 1 - k(i)),
    Fact("k.later", "1<=j<=i<=m, m<=n", lambda i: k(i) - L - 1, given=lambda j: ((k(j), L + 1 + o),)),
    # App. B.5.1: the sweep
    Fact("t.first", "2<=m<=n", lambda m: t(1) - (k(1) + B * (k(m) - k(1))), True),
    Fact("t.lifted", "2<=m<=n", lambda m: t(1) - k(m) - 1),
    Fact("t.beyond", "1<=j<=m, 2<=m<=n", lambda j, m: t(j) - k(m) - 1, induction="j from 1"),
    Fact("t.grow", "1<=j<=m-1, m<=n", lambda j: t(j + 1) - t(j) - 1),
    Fact("t.order", "1<=i<=j<=m, 2<=m<=n", lambda i, j: (t(j) - t(i)) - (j - i), induction="j from i"),
    Fact("t.levels", "1<=j<=m, 2<=m<=n", lambda j: t(j) - B),
    Fact("sweep.passed", "1<=j<=m, 2<=m<=n", lambda j: t(j) - L - 1, given=_LEVEL),
    Fact("sweep.waiting", "1<=j, j+1<=i<=m, m<=n", lambda i, j: k(i) - k(j) - 1),
    Fact("sweep.max.first", "1<=i<=m, 2<=m<=n", lambda i: t(0) - k(i)),
    Fact("sweep.max.is", "2<=m<=n", lambda m: t(0) - k(m), True),
    Fact("sweep.max.shifted", "1<=i<=j<=m, 2<=m<=n", lambda i, j: t(j) - t(i)),
    Fact("sweep.max.waiting", "1<=j, j+1<=i<=m, m<=n", lambda i, j: t(j) - k(i)),
    Fact("sweep.min.waiting", "1<=j<=i<=m, m<=n", lambda i, j: k(i) - k(j)),
    Fact("sweep.shift", "1<=j<=m, 2<=m<=n", lambda j: k(j) + B * (t(j - 1) - k(j)) - t(j), True),
    Fact("sweep.moves", "1<=j<=m, 2<=m<=n", lambda j: t(j) - k(j) - 1),
    Fact("sweep.alone", "1<=m<=1", lambda: k(1) + B * (k(1) - k(1)) - t(1), True),
    Fact("sweep.alone.is", "1<=m<=1", lambda: t(1) - k(1), True),
    Fact("global.above", "1<=j<=m, 2<=m<=n", lambda j: t(j) - 1),
    Fact("global.alone", "1<=m<=1", lambda: t(1)),
    Fact("global.zero", "0<=i<=n", lambda i: S(i), True, lambda: ((M, 0),)),  # noqa: PLW0108 - as row.low
    Fact(
        "closed.form",
        "1<=j<=m, m<=n",
        lambda j, m: t(j) - (k(j) + C(j) + P(j) * (k(m) - k(1))),
        True,
        induction="j from 1",
    ),
    # Lemma 10, App. B.5.4
    Fact("t.lower", "1<=j<=m, 2<=m<=n", lambda j, m: t(j) - k(m) - P(j - 1) * (B - 1), induction="j from 1"),
    Fact("t.upper", "1<=j<=m-1, m<=n", lambda j, m: (P(j) - 1) * (B - 1) - (t(j) - k(m)), induction="j from 1"),
    Fact("t.most", "2<=m<=n", lambda m: P(m) * (B - 1) - (B - 1) ** 2 - t(m)),
    Fact("lower", "n<=m<=n", lambda n: t(n) - P(n - 1) * (B - 1)),
    Fact("upper", "n<=m<=n", lambda n: P(n) * (B - 1) - (B - 1) ** 2 - t(n)),
    Fact(
        "lower.step",
        "0<=j<=m, 2<=m<=n",
        lambda j, m: (B - 1) * (t(j) - k(m) - (j - m)) - _lowest(j, m),
        induction="j from 0",
    ),
    Fact("lower.sharp", "n<=m<=n", lambda n: (B - 1) * (t(n) - (n - 1)) - _lowest(n, n)),
    Fact(
        "lower.attained",
        "0<=j<=m, 2<=m<=n",
        lambda j, m: (B - 1) * (low(j) - (j - 1)) - _lowest(j, m),
        True,
        induction="j from 0",
    ),
    Fact("upper.step", "0<=j<=m-1, m<=n", lambda j, m: _highest(j) - (B - 1) * (t(j) - k(m)), induction="j from 0"),
    Fact("upper.sharp", "n<=m<=n", lambda n: _highest_of_all(n) - (B - 1) * t(n)),
    Fact(
        "upper.reached",
        "0<=j<=m-1, m<=n",
        lambda j: _highest(j) - (B - 1) * (top(j) - (B - 1)),
        True,
        induction="j from 0",
    ),
    Fact("upper.attained", "n<=m<=n", lambda n: _highest_of_all(n) - (B - 1) * top(n), True),
    Fact(
        "digit.differ",
        "1<=j<=m, m<=n",
        lambda j: T(j) - t(j) - 1,
        given=lambda j: ((T(j - 1), t(j - 1) - k(j) + K(j) + 1 + o),),
    ),
    Fact(
        "digit.same",
        "1<=j<=m, m<=n",
        lambda j: (T(j) - t(j)) - (K(j) - k(j)),
        True,
        lambda j: ((T(j - 1), t(j - 1) - k(j) + K(j)),),
    ),
    # App. B.5.1: the global shift, Properties 6.1 to 6.3
    Fact("small", "n<=m<=n", lambda n: P(n + 1) - 1 - t(n)),
    Fact("interval.start", "1<=j<=n, n<=m<=n", lambda j, n: _q(j, n, n) - P(n + 1) * t(n)),
    Fact("interval.end", "1<=j<=n, n<=m<=n", lambda j, n: P(n + 1) * (t(n) + 1) - _q(j, n, n) - 1),
    Fact("interval.next", "n<=m<=n", lambda n: P(n + 1) * T(n) - P(n + 1) * (t(n) + 1), given=_LARGER),
    Fact("within", "1<=j<=n-1, n<=m<=n", lambda j, n: _q(j + 1, n, n) - _q(j, n, n) - 1),
    Fact(
        "across",
        "1<=i<=n, 1<=j<=n, n<=m<=n",
        lambda i, j, n: (T(i) + P(n + 1) * T(n)) - _q(j, n, n) - 1,
        given=_LARGER,
    ),
    Fact("inside.low", "1<=j<=n, n<=m<=n", lambda j, n: _q(j, n, n) - _t_l(n)),
    Fact("inside.high", "1<=j<=n, n<=m<=n", lambda j, n: _t_r(n) - 1 - _q(j, n, n)),
    # App. B.5.2: Category 2
    Fact("cat2.bound", "2<=m<=n-1", lambda m, n: P(n - 1) * (B - 1) - 1 - t(m)),
    Fact("cat2.bound.one", "1<=m<=1", lambda n: P(n - 1) * (B - 1) - 1 - t(1)),
    Fact("cat2.value", "1<=j<=m, 2<=m<=n-1", lambda j, m, n: _t_l(n) - 1 - _q(j, m, n)),
    Fact("cat2.value.one", "1<=m<=1", lambda n: _t_l(n) - 1 - _q(1, 1, n)),
    # App. B.5.3: Category 3
    Fact("cat3.negative", "", lambda: -1 - y),
    Fact("cat3.idle", "", lambda: L - I - 1, given=lambda n: ((I, B - N - N * P(n) - o), (L, u))),
    Fact("cat3.below", "", lambda: -1 - I, given=_SENTINEL),
    Fact("cat3.first", "1<=m<=n", lambda n: r(1) - k(1) - P(n + 1)),
    Fact("r.large", "1<=j<=m, m<=n", lambda j, n: r(j) - P(n + 1), induction="j from 1"),
    Fact("r.grow", "1<=j<=m-1, m<=n", lambda j: r(j + 1) - r(j) - 1),
    Fact("r.order", "1<=i<=j<=m, m<=n", lambda i, j: r(j) - r(i), induction="j from i"),
    Fact("cat3.above", "1<=j<=m, m<=n", lambda j: r(j) - 1),
    Fact("cat3.passed", "1<=j<=m, m<=n", lambda j: r(j) - L - 1, given=_LEVEL),
    Fact("cat3.max.first", "1<=i<=m, m<=n", lambda i: r(0) - k(i)),
    Fact("cat3.max.is", "1<=m<=n", lambda m: r(0) - k(m), True),
    Fact("cat3.max.waiting", "1<=j, j+1<=i<=m, m<=n", lambda i, j: r(j) - k(i)),
    Fact("cat3.min.waiting", "1<=i<=m, m<=n", lambda i: k(i) - y),
    Fact("cat3.min.shifted", "1<=i<=m, m<=n", lambda i: r(i) - y),
    Fact("cat3.shift", "1<=j<=m, m<=n", lambda j: k(j) + B * (r(j - 1) - y) - r(j), True),
    Fact("cat3.max.before", "1<=m<=n", lambda: r(0) - I, given=_SENTINEL),
    Fact("cat3.max.negative", "1<=j<=m, m<=n", lambda j: r(j) - I, given=_SENTINEL),
    Fact("cat3.low", "", lambda n: -1 - (I + P(n + 1) * y), given=_SENTINEL),
    Fact("cat3.high", "1<=j<=m, m<=n", lambda j, m, n: (r(j) + P(n + 1) * r(m)) - P(n + 1) ** 2),
    Fact("cat3.beyond", "", lambda n: P(n + 1) ** 2 - _t_r(n) - 1),
    Fact("cat3.under", "", lambda n: P(n) ** 2 * (B - 1)),
    Fact("layers", "", lambda: ((L - 0 + 1) + 1) - (B + 1), True, lambda: ((L, B - 1),)),
]

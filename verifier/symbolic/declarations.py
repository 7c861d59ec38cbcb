"""The definitions, and the facts to be shown: the construction in units of delta, as recursions (SYMBOLIC 3 and 4).

    k_1 < ... < k_m   the distinct ids >= 0 of the columns;  B = N^d;  P_j = B^j
    t_0 = k_m,  t_j = k_j + B (t_{j-1} - k_j)      the id of the column of k_j after the sweep, without sentinels
    r_0 = k_m,  r_j = k_j + B (r_{j-1} - y)        the same where the smallest id is y < 0, a sentinel's

    l_j = (j-1) E + b_j                            the id of column j with positions (App. C), b_j in 0..B-1
    lt_0 = l_n,  lt_j = l_j + B (lt_{j-1} - l_j)   the same after the sweep

Every statement is for all whole numbers in its range; a letter that nothing defines is a whole number, and one of SLACK
a whole number >= 0.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sympy import Integer, Symbol, symbols

from verifier.symbolic.algebra import Sequence

SLACK = frozenset(["z", "w", "x", "W", "X", "a", "g", "s", "A", "G", "H", "o", "u", "y0", "b", "bs", "BB", "BS"])
SECOND = dict(zip("agsktwxv", "AGHKTWXV", strict=True))  # of two contexts, or two columns
SECOND |= {"l": "LL", "lt": "LT", "la": "LA", "b": "BB", "bs": "BS"}

B, N, L, M, Q, I, D, y, z, a, s, o, u = symbols("B N L M Q I D y z a s o u")
y0 = Symbol("y0")
p, P, v, V, w, W, x, c, S = (Sequence(name) for name in ("p", "P", "v", "V", "w", "W", "x", "c", "S"))
k, K, g, t, T, C, r, low, top = (Sequence(name) for name in ("k", "K", "g", "t", "T", "C", "r", "low", "top"))
E, J, la, LA = symbols("E J la LA")
U, id_, b, bs, l, lt = (Sequence(name) for name in ("U", "id", "b", "bs", "l", "lt"))
BB, LL, LT = (Sequence(name) for name in ("BB", "LL", "LT"))

Formula = Callable[..., Any]

# The polynomial that replaces each symbol; its range is in the checker's table.
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
    "U0": lambda: (U(0), 0),
    "U": lambda e: (U(e), p(e) + U(e - 1)),
    "E": lambda d: (E, U(d)),
    "id0": lambda: (id_(0), 0),
    "id": lambda e: (id_(e), id_(e - 1) + (w(e) + J * N) * p(e - 1)),
    "b": lambda j: (b(j), (B - 1) - bs(j)),
    "l": lambda j: (l(j), b(j) + (j - 1) * E),
    "lt0": lambda n: (lt(0), l(n)),
    "lt": lambda j: (lt(j), B * lt(j - 1) - (B - 1) * l(j)),
    "la": lambda: (la, B * lt(2) - (B - 1) * lt(1)),
}


@dataclass(frozen=True)
class Fact:
    """For all whole numbers in the range: under the given conditions the goal is >= 0 (or = 0)."""

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
# An id against the level L.
_AT, _OVER, _UNDER = (lambda: ((I, L),)), (lambda: ((I, L + 1 + o),)), (lambda: ((L, I + 1 + o),))
# The id of any column with a sentinel; two contexts of which the second has the larger l~_n.
_SENTINEL, _LARGER = (lambda n: ((I, B - N - N * P(n) - o),)), (lambda n: ((T(n), t(n) + 1 + o),))
_FIRST, _LAST = 2 * (I - L) + 1, 2 * (I - L) - 1  # twice the distance to the two thresholds


def _one_of_block() -> Any:
    """Of the N pieces of a block one, with o before it and u after it."""
    return ((N, o + 1 + u),)


def _corner(j: Any) -> Any:
    """The lower end of the piece of an entry of column j."""
    return (j - 1) * N + o


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


def _factor(n: Any) -> Any:
    """n delta^-((n+1)d) delta^-1: of the global shift with positions, and the bound of c.bound in units of delta."""
    return n * P(n + 1) * N


def _last_level(n: Any) -> Any:
    return (n - 1) * E + (B - 1)


def _qt(j: Any, n: Any) -> Any:
    """The id of column j after the global shift with positions."""
    return lt(j) + _factor(n) * lt(n)


# The one context whose order isn't kept, at d = 1, n = 2: the ids N-1 and N; as the first of two, and as the second.
_ONE, _EXCEPTION = "1<=d<=1, 2<=n<=2", (lambda: ((b(1), B - 1), (b(2), Integer(0))))
_OTHER_EXCEPTION = ((BB(1), B - 1), (BB(2), Integer(0)))
_FAR = lambda: ((b(1), b(2) + (N - 1) + o),)  # noqa: E731 - a formula like those around it


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
    Fact("sweep.passed", "1<=j<=m, 2<=m<=n", lambda j: t(j) - B),
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
    Fact("cat3.passed", "1<=j<=m, m<=n", lambda j: r(j) - B),
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
    # App. C: blocks of levels, and the ids in them
    Fact("U.wide", "1<=e<=d", lambda e: U(e) - p(e), induction="e from 1"),
    Fact("U.most", "0<=e<=d", lambda e: 2 * (p(e) - 1) - U(e), induction="e from 0"),
    Fact("E.wide", "", lambda: E - B),
    Fact("E.wider", "2<=d", lambda: E - (B + 2)),
    Fact("E.most", "", lambda: 2 * (B - 1) - E),
    Fact("id.rows", "0<=e<=d", lambda e: id_(e) - (J * U(e) + v(e)), True, induction="e from 0"),
    Fact("id.column", "", lambda d: id_(d) - (J * E + v(d)), True),
    Fact("l.start", "1<=j<=n", lambda j: l(j) - (j - 1) * E),
    Fact("l.end", "1<=j<=n", lambda j: (j - 1) * E + (B - 1) - l(j)),
    Fact("l.low", "1<=j<=n", lambda j: l(j)),  # noqa: PLW0108 - as row.low
    Fact("l.next", "1<=j<=n-1", lambda j: l(j + 1) - l(j) - 1),
    Fact("l.order", "1<=i<=j<=n", lambda i, j: (l(j) - l(i)) - (j - i), induction="j from i"),
    # App. C: the sweep
    Fact("lt.beyond", "1<=j<=n", lambda j, n: lt(j) - l(n) - 1, induction="j from 1"),
    Fact("lt.grow", "1<=j<=n-1", lambda j: lt(j + 1) - lt(j) - 1),
    Fact("lt.order", "1<=i<=j<=n", lambda i, j: (lt(j) - lt(i)) - (j - i), induction="j from i"),
    Fact("lt.upper", "0<=j<=n", lambda j, n: P(j) * l(n) - lt(j), induction="j from 0"),
    Fact("pos.waiting", "1<=j, j+1<=i<=n", lambda i, j: l(i) - l(j) - 1),
    Fact("pos.later", "1<=j<=i<=n", lambda i: l(i) - L - 1, given=lambda j: ((l(j), L + 1 + o),)),
    Fact("pos.max.first", "1<=i<=n", lambda i: lt(0) - l(i)),
    Fact("pos.max.is", "", lambda n: lt(0) - l(n), True),
    Fact("pos.max.shifted", "1<=i<=j<=n", lambda i, j: lt(j) - lt(i)),
    Fact("pos.max.waiting", "1<=j, j+1<=i<=n", lambda i, j: lt(j) - l(i)),
    Fact("pos.min.waiting", "1<=j<=i<=n", lambda i, j: l(i) - l(j)),
    Fact("pos.shift", "1<=j<=n", lambda j: l(j) + B * (lt(j - 1) - l(j)) - lt(j), True),
    Fact("pos.moves", "1<=j<=n", lambda j: lt(j) - l(j) - 1),
    Fact("pos.passed.columns", "1<=j<=n, 3<=n", lambda j, n: lt(j) - _last_level(n) - 1),
    Fact("pos.passed.rows", "1<=j<=n, 2<=d", lambda j, n: lt(j) - _last_level(n) - 1),
    Fact(
        "pos.passed.one",
        f"1<=j<=n, {_ONE}",
        lambda j, n: lt(j) - _last_level(n) - 1,
        given=lambda: ((b(1), b(2) + (N - 2) - o),),
    ),
    Fact("pos.passed", "1<=j<=n", lambda j, n: lt(j) - _last_level(n) - 1),  # false at (d, n) = (1, 2)
    Fact("again.first", _ONE, lambda: b(1) - (B - 1), given=_FAR),
    Fact("again.second", _ONE, lambda: -b(2), given=_FAR),
    Fact("again.last", _ONE, lambda n: _last_level(n) - l(n) - 1, given=lambda: ((b(2), Integer(0)),)),
    Fact("again.level", _ONE, lambda n: lt(1) - _last_level(n), True, _EXCEPTION),
    Fact("again.passed", _ONE, lambda n: lt(n) - _last_level(n) - 1, given=_EXCEPTION),
    Fact("again.shift", _ONE, lambda n: lt(1) + B * (lt(n) - lt(1)) - la, True),
    Fact("again.order", _ONE, lambda n: la - lt(n) - 1),
    Fact("again.large", _ONE, lambda: la - 1),
    Fact("again.start", _ONE, lambda n: (la + _factor(n) * la) - _factor(n) * la),
    Fact("again.bound", _ONE, lambda n: _factor(n) - 1 - la, given=_EXCEPTION),
    Fact("again.above", _ONE, lambda n: lt(n) - LA - 1, given=lambda: ((b(2), b(1) + o), *_OTHER_EXCEPTION)),
    Fact("again.below", _ONE, lambda n: LA - lt(n) - 1, given=lambda: ((b(2), b(1) - (1 + o)), *_OTHER_EXCEPTION)),
    # App. C: the global shift, and the contexts that it tells apart
    Fact("pos.above", "1<=j<=n", lambda j: lt(j) - 1),
    Fact("pos.bound", "", lambda n: _factor(n) - 1 - lt(n)),
    Fact(
        "pos.digit.differ",
        "1<=j<=n",
        lambda j: LT(j) - lt(j) - 1,
        given=lambda j: ((LT(j - 1), (lt(j - 1) - l(j)) + LL(j) + 1 + o),),
    ),
    Fact(
        "pos.digit.same",
        "1<=j<=n",
        lambda j: (LT(j) - LL(j)) - (lt(j) - l(j)),
        True,
        lambda j: ((LT(j - 1), (lt(j - 1) - l(j)) + LL(j)),),
    ),
    Fact("pos.start", "1<=j<=n", lambda j, n: _qt(j, n) - _factor(n) * lt(n)),
    Fact("pos.end", "1<=j<=n", lambda j, n: _factor(n) * (lt(n) + 1) - 1 - _qt(j, n)),
    Fact("pos.next", "", lambda n: _factor(n) * (M - (I + 1)), given=lambda: ((M, I + 1 + o),)),
    Fact("pos.within", "1<=j<=n-1", lambda j, n: _qt(j + 1, n) - _qt(j, n) - 1),
    # App. C: the quantiser, of [I, I + 1), the piece of an entry of column j, and the window [L, L + 1) of a level
    Fact("piece.first", "1<=j<=n", lambda j: _corner(j) - 0, given=_one_of_block),
    Fact("piece.last", "1<=j<=n", lambda j, n: (n * N - 1) - _corner(j), given=_one_of_block),
    Fact("piece.below", "", lambda: L - (I + 1), given=_UNDER),
    Fact("piece.above", "", lambda: I - (L + 1), given=_OVER),
    Fact("piece.at.start", "", lambda: I - L, given=_AT),
    Fact("piece.at.end", "", lambda: (L + 1) - (I + 1), given=_AT),
    Fact("piece.to", "", lambda: L - I, True, _AT),
    Fact("piece.layers", "", lambda d, n: d * (L - 0 + 1) - d * n * N, True, lambda n: ((L, n * N - 1),)),
    Fact("size", "", lambda d, n: n * P(n) * (d + 3) - (n * P(n) + 1 + n * B + d * n * N)),
]

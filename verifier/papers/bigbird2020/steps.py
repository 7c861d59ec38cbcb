"""The steps of the proof, as relations: each function takes one run and yields what the step claims about it.

The same functions look at the printed layers and at the repair's; and where a step is about f_k and f~_0^k alone, at
the recursion too, which assumes that every shift does what the proof says.
"""

from collections.abc import Callable
from itertools import pairwise

from gmpy2 import mpq

from verifier.core.claim import Relation, Relations
from verifier.core.exact import Q, Vector, columns_of, dot
from verifier.core.lanewise import choose, in_order, largest, smallest
from verifier.papers.bigbird2020.construction import Context, Recursion, Run
from verifier.papers.bigbird2020.instance import Instance
from verifier.papers.bigbird2020.sparse import Graph, SparseHead, star
from verifier.papers.bigbird2020.sweep import heads, ids_of

Values = Run | Recursion


def alone(i: Instance, token: int) -> tuple[int, ...]:
    """Token `token` once, and no other."""
    return tuple(int(j == token) for j in range(i.n + 1))


# Lemma 2.


def psi(ids: Vector, graph: Graph, b_1: mpq, b_2: mpq) -> Vector:
    """psi_u: max - min over the neighbours if b_1 <= u^T x_i <= b_2, else 0."""
    found = []
    for id_, neighbours in zip(ids, graph, strict=True):
        heard = [ids[j] for j in neighbours]
        change = largest(heard) - smallest(heard)
        found.append(choose(b_1 <= id_, choose(id_ <= b_2, change, Q(0)), Q(0)))
    return tuple(found)


def difference(context: Context, two: tuple[SparseHead, SparseHead], graph: Graph) -> Vector:
    """What the two heads add to u^T x_i, for each token."""
    i, X = context.instance, context.X
    added = [Q(0)] * (i.n + 1)
    for head in two:
        for token, (value,) in enumerate(columns_of(head.value(X, graph))):
            added[token] += value * dot(i.u, columns_of(head.W_O)[0])
    return tuple(added)


def selective(context: Context, *, on_keys: bool = False, on_edges: bool = False) -> Relations:
    """The two heads are psi_u: at the windows of each token and of the levels beside it; or with a token on an edge."""
    i, graph = context.instance, star(context.instance.n)
    ids, half = ids_of(i, context.X), i.delta / 2
    for id_ in ids:
        for v in (id_ + half, id_ - half) if on_edges else (id_ - i.delta, id_, id_ + i.delta):
            two = heads(i, 1, v - half, v + half, on_keys=on_keys)
            expected = psi(ids, graph, v - half, v + half)
            yield Relation("difference of the heads", difference(context, two, graph), "=", "psi_u", expected)


# The ids at the start.


def ids(context: Context) -> Relations:
    """delta^-(i-1)d <= l_i <= delta^-id - delta, and l_1 < ... < l_n < l_0."""
    i, run = context.instance, context.run
    for t in range(1, i.n + 1):
        yield Relation(f"l_{t}", run.l(t), ">=", "delta^-(i-1)d", Q(i.B ** (t - 1)))
        yield Relation(f"l_{t}", run.l(t), "<=", "delta^-id - delta", i.B**t - i.delta)
    yield from increasing((*((f"l_{t}", run.l(t)) for t in range(1, i.n + 1)), ("l_0", run.l(0))))


def mended_ids(context: Context) -> Relations:
    """The ids' exact range, and their order."""
    i, run = context.instance, context.mended
    for t in range(1, i.n + 1):
        yield Relation(f"l_{t}", run.l(t), ">=", "the least id of token i", i.least_id(t))
        yield Relation(f"l_{t}", run.l(t), "<=", "the largest id of token i", i.largest_id(t))
        yield Relation(f"l_{t}", run.l(t), "<=", "delta^-id - delta", i.B**t - i.delta)
    yield from increasing((*((f"l_{t}", run.l(t)) for t in range(1, i.n + 1)), ("l_0", run.l(0))))


def increasing(named: tuple[tuple[str, mpq], ...]) -> Relations:
    for (left, a), (right, b) in pairwise(named):
        yield Relation(left, a, "<", right, b)


# The shifts of a phase.


def low(run: Run) -> Relations:
    """The low shift of phase k shifts token k, once, and no other token; to f_k."""
    i = run.instance
    for k in range(1, i.n + 1):
        f_k = i.B * (run.f_0(k - 1) - run.l(k)) + run.l(k)
        yield Relation(
            f"layers of low shift {k} that change token 0, ..., n", run.low(k).shifts, "=", "token k, once", alone(i, k)
        )
        yield Relation(f"f_{k}", run.f(k), "=", "delta^-d (f~_0^(k-1) - l_k) + l_k", f_k)


def high(run: Run) -> Relations:
    """The high shift of phase k shifts the global token alone, once, to f~_0^k. For l_(n+1): the smallest id."""
    i = run.instance
    for k in range(1, i.n + 1):
        stage = run.high(k)
        least = run.l(k + 1) if k < i.n else smallest(stage.before)
        value = i.high_factor * (run.f(k) - least) + run.f_0(k - 1)
        yield Relation(
            f"layers of high shift {k} that change token 0, ..., n", stage.shifts, "=", "token 0, once", alone(i, 0)
        )
        yield Relation(f"f~_0^{k}", run.f_0(k), "=", "delta^-nd (f_k - l_(k+1)) + f~_0^(k-1)", value)


def last(run: Run) -> Relations:
    """The last layers shift every token but the global one, once each; f_i to q_i."""
    i = run.instance
    once = (0, *(1,) * i.n)
    yield Relation("last layers that change token 0, ..., n", run.last.shifts, "=", "every token but 0, once", once)
    for t in range(1, i.n + 1):
        value = run.f(t) + i.last_factor * (run.f_0(i.n) - run.f(t))
        yield Relation(f"q_{t}", run.q[t - 1], "=", "f_i + delta^-(n^2 d) (f~_0^n - f_i)", value)


def within_last(values: Recursion) -> Relations:
    """S_1 <= f_i < T_n."""
    i = values.instance
    for k in range(1, i.n + 1):
        yield Relation(f"f_{k}", values.f(k), ">=", "S_1", i.S(1))
        yield Relation(f"f_{k}", values.f(k), "<", "T_n", i.T(i.n))


# f~_0^k in terms of the ids.


def _rolled_out(values: Values, k: int, own: int, following: int, l: Callable[[int], mpq]) -> mpq:
    """x_0 = f~_0^0, x_t = P x_(t-1) - own l_t - following l_(t+1), at t = k, as a sum."""
    i = values.instance
    inner = sum((i.P ** (k - t) * (own + i.P * following) * l(t) for t in range(2, k + 1)), start=Q(0))
    value: mpq = i.P**k * values.f_0(0) - inner - i.P ** (k - 1) * own * l(1) - following * l(k + 1)
    return value


def expansion(context: Context, *, mended: bool = False) -> Relations:
    """f~_0^k = P f~_0^(k-1) - c l_k - c' l_(k+1), and the same rolled out; c and c' as printed, or as they are."""
    i, values = context.instance, context.recursion
    B, n = i.B, i.n
    own, following = (B**n * (B - 1), B**n) if mended else (B ** (n + 1) + B**n, 1)
    words = "delta^-nd ((delta^-d - 1) l_k + l_(k+1))" if mended else "(delta^-nd-d + delta^-nd) l_k - l_(k+1)"
    for k in range(1, n):
        step = i.P * values.f_0(k - 1) - own * context.run.l(k) - following * context.run.l(k + 1)
        sum_ = _rolled_out(values, k, own, following, context.run.l)
        yield Relation(f"f~_0^{k}", values.f_0(k), "=", f"P f~_0^(k-1) - {words}", step)
        yield Relation(f"f~_0^{k}", values.f_0(k), "=", "that, rolled out", sum_)


def printed_sum(context: Context) -> Relations:
    """The printed step, repeated, is the printed sum."""
    i, l = context.instance, context.run.l
    value = Q(i.high_factor)
    for k in range(1, i.n):
        value = i.P * value - (i.B ** (i.n + 1) + i.high_factor) * l(k) - l(k + 1)
        inner = sum(
            (i.P ** (k - t) * (2 * i.B ** (i.n + 1) + i.B**i.n + 1) * l(t) for t in range(2, k + 1)), start=Q(0)
        )
        first = i.P ** (k - 1) * (i.B ** (i.n + 1) + i.B**i.n) * l(1)
        sum_ = i.P**k * i.B**i.n - inner - first - l(k + 1)
        yield Relation(f"step {k} repeated", value, "=", "the printed sum", sum_)


# The invariants.


def invariant1(values: Values) -> Relations:
    """S_k < f~_0^k < T_k."""
    i = values.instance
    for k in range(i.n + 1):
        yield Relation(f"f~_0^{k}", values.f_0(k), ">", f"S_{k}", i.S(k))
        yield Relation(f"f~_0^{k}", values.f_0(k), "<", f"T_{k}", i.T(k))


def interchanged(values: Values) -> Relations:
    """T_k < f~_0^k < S_k, for k from 1 to n - 1."""
    i = values.instance
    for k in range(1, i.n):
        yield Relation(f"f~_0^{k}", values.f_0(k), ">", f"T_{k}", i.T(k))
        yield Relation(f"f~_0^{k}", values.f_0(k), "<", f"S_{k}", i.S(k))


def invariant2(values: Values) -> Relations:
    """T_(k-1) <= f_k < S_k."""
    i = values.instance
    for k in range(1, i.n + 1):
        yield Relation(f"f_{k}", values.f(k), ">=", f"T_{k - 1}", i.T(k - 1))
        yield Relation(f"f_{k}", values.f(k), "<", f"S_{k}", i.S(k))


def mended_invariants(run: Run) -> Relations:
    """S'_k <= f~_0^k <= T'_k for k < n, T'_(k-1) < f_k, and f_k < S'_k for k < n; after the last phase f_n < f~_0^n."""
    i = run.instance
    for k in range(i.n):
        yield Relation(f"f~_0^{k}", run.f_0(k), ">=", f"S'_{k}", i.least_global(k))
        yield Relation(f"f~_0^{k}", run.f_0(k), "<=", f"T'_{k}", i.largest_global(k))
    for k in range(1, i.n + 1):
        yield Relation(f"f_{k}", run.f(k), ">", f"T'_{k - 1}", i.largest_global(k - 1))
        if k < i.n:
            yield Relation(f"f_{k}", run.f(k), "<", f"S'_{k}", i.least_global(k))
    end = run.last.sweep
    top = end.first + (end.levels - 1) * i.delta
    yield Relation(f"f~_0^{i.n}", run.f_0(i.n), ">", "the last level", top)


def order_of_run(run: Run) -> Relations:
    """l_(k+1) < ... < l_n < f_1 < ... < f_k < f~_0^k: the ids after phase k."""
    i = run.instance
    for k in range(1, i.n + 1):
        after = run.high(k).after
        yield from increasing(
            (
                *((f"id of token {t} after phase {k}", after[t]) for t in range(k + 1, i.n + 1)),
                *((f"id of token {t} after phase {k}", after[t]) for t in range(1, k + 1)),
                (f"id of token 0 after phase {k}", after[0]),
            )
        )


def order_of_recursion(values: Recursion) -> Relations:
    """The same of the recursion."""
    i = values.instance
    for k in range(1, i.n + 1):
        yield from increasing(
            (
                *((f"l_{t}", values.l[t - 1]) for t in range(k + 1, i.n + 1)),
                *((f"f_{t}", values.f(t)) for t in range(1, k + 1)),
                (f"f~_0^{k}", values.f_0(k)),
            )
        )


# The conclusion: a contextual mapping.


def distinct(run: Run) -> Relations:
    """The entries of q(P) are distinct: neighbours in size differ."""
    for lower, upper in pairwise(in_order(run.q)):
        yield Relation("an entry of q(P)", upper, ">", "the next smaller one", lower)

"""Proposition 4 with distance 0, and Theorem 2 over all of R^(d x n): a construction of ours, with its own claims."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations_with_replacement, pairwise, product
from math import comb, factorial, prod

from gmpy2 import mpq

from verifier.core.case import Alike, its_matrix
from verifier.core.claim import Claim, Collected, Domain, Relation, Relations, neighbours
from verifier.core.exact import Matrix, Q, Vector, columns_of, dot, from_columns
from verifier.core.lanewise import choose, each, largest, smallest
from verifier.core.layers import Attention, FeedForward, add_bias, transpose
from verifier.core.layers import product as times
from verifier.core.multisets import multisets
from verifier.core.network import Layer, Network, Step
from verifier.core.whole import run
from verifier.papers.yun2020 import distance_zero as room
from verifier.papers.yun2020.claims.lemma5 import Piece, Row, quantizes
from verifier.papers.yun2020.claims.lemma7 import MET
from verifier.papers.yun2020.claims.lemma9 import MOST_COLUMNS
from verifier.papers.yun2020.contextual_map import ContextualMap, the_papers_alone
from verifier.papers.yun2020.distance_zero import Exact
from verifier.papers.yun2020.domains import CONSTRUCTION
from verifier.papers.yun2020.instance import Instance
from verifier.papers.yun2020.relu import relu_form


def strip(i: Instance) -> mpq:
    """eps, the width of the strips on which four ReLUs differ from an activation: delta/4."""
    return i.delta / 4


@dataclass(frozen=True)
class Column:
    """A column of G+, with the sentinel above; its number k in G, or None."""

    exact: Exact
    entries: Vector
    k: int | None

    shown = its_matrix

    @property
    def X(self) -> Matrix:
        return from_columns((self.entries,))


@dataclass(frozen=True)
class Orbit(Alike):
    """A matrix of G+, with the sentinel above, and what steps 2 and 3 make of it."""

    exact: Exact
    X: Matrix

    shown = its_matrix
    alike = ("of_G",)

    @cached_property
    def of_G(self) -> bool:
        return self.numbers is not None

    @cached_property
    def numbers(self) -> tuple[int, ...] | None:
        """The numbers of its columns, if it is of G."""
        found = [self.exact.numbers.get(column) for column in columns_of(self.X)]
        known = tuple(k for k in found if k is not None)
        return known if len(known) == len(found) else None

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        return run.trace(self.exact.contextual, self.X)

    @cached_property
    def image(self) -> Matrix:
        return run.image(self.exact.contextual, self.X)

    @cached_property
    def ids(self) -> Vector:
        return tuple(dot(self.exact.instance.u, column) for column in columns_of(self.image))


@dataclass(frozen=True)
class Point(Alike):
    """A matrix of R^(d x n), and where the network of ReLUs should send it: None where it is only bounded."""

    network: Network
    X: Matrix
    wanted: Matrix | None
    bound: mpq

    shown = its_matrix
    alike = ("known",)

    @property
    def known(self) -> bool:
        return self.wanted is not None


def _pieces(g: ContextualMap) -> Iterator[Piece]:
    i = g.instance
    network, edges, S = room.quantiser(i), (*i.entries, Q(1)), room.sentinel(i)
    for row in (Row(network, number) for number in range(i.d)):
        yield Piece(row, None, edges[0], S)
        for low, high in pairwise(edges):
            yield Piece(row, low, high, low)
        yield Piece(row, edges[-1], None, S)


def _columns(g: ContextualMap) -> Iterator[Column]:
    exact = room.chain(g.instance)
    number = {column: k for k, column in enumerate(room.columns(g.instance))}
    for entries in room.grid(g.instance).columns:
        yield Column(exact, entries, number.get(entries))


def _codes(column: Column) -> Relations:
    i, exact = column.exact.instance, column.exact
    (after,) = columns_of(run.image(exact.coded, column.X))
    if column.k is None:
        yield Relation("the column after step 2", after, "=", "the column", column.entries)
        yield Relation("u^T c", dot(i.u, after), ">=", "S", room.sentinel(i))
        return
    yield Relation("u^T of the column after step 2", dot(i.u, after), "=", "C (n+1)^k", room.code(i, column.k))
    yield Relation("rows 2..d after step 2", after[1:], "=", "rows 2..d", column.entries[1:])


def _orbits(g: ContextualMap) -> Iterator[Orbit]:
    exact, grid = room.chain(g.instance), room.grid(g.instance)
    return (Orbit(exact, grid.matrix(orbit)) for orbit in grid.orbits())


def _keys(case: Orbit) -> Relations:
    i, numbers = case.exact.instance, case.numbers or ()
    context = tuple(sorted(numbers))
    for j, (k, id_) in enumerate(zip(numbers, case.ids, strict=True), start=1):
        yield Relation(f"id of column {j}", id_, "=", "its key", room.key(i, context, k))
        yield Relation("an id", id_, "<", "F S", room.border(i))
    for lower, upper in pairwise(sorted(set(case.ids))):
        yield Relation("distance of two keys of L", upper - lower, ">=", "C", Q(room.unit(i)))


def _keys_apart(g: ContextualMap, seen: Collected) -> Relations:
    for lower, upper, cases in neighbours(seen):
        name = "distance of a key of L from one of L'"
        yield Relation(name, upper - lower, ">=", "C", Q(room.unit(g.instance)), cases)


def _beside_a_sentinel(case: Orbit) -> Relations:
    i = case.exact.instance
    yield Relation("smallest id", smallest(case.ids), ">=", "F S", room.border(i))
    yield Relation("largest entry", largest(chain(*case.image)), "<=", "M", room.largest_entry(i))
    yield Relation("smallest entry", smallest(chain(*case.image)), ">=", "0", Q(0))


def _scores(case: Orbit) -> Relations:
    """The largest score of every head, on the matrix that the head gets."""
    for step in case.steps:
        for head in step.layer.heads if isinstance(step.layer, Attention) else ():
            keys, queries = times(head.W_K, step.before), add_bias(times(head.W_Q, step.before), head.b_Q)
            scores = times(transpose(keys), queries)
            yield Relation("largest score of a head", largest(map(abs, chain(*scores))), "<=", "0", Q(0))


def _network(case: Orbit) -> Relations:
    """The network at the lower corner and the centre of each cube; entries for a sentinel lie below 0, and at 1 or
    above."""
    exact, half, S = case.exact, case.exact.instance.delta / 2, room.sentinel(case.exact.instance)
    wanted = each(exact.wanted, case.X)
    for where, offset, outside in ((" at the corner", Q(0), -half), (" at the centre", half, Q(1))):
        X = tuple(tuple(choose(x == S, outside, x + offset) for x in row) for row in case.X)
        output = run.image(exact.network, X)
        if wanted is None:
            zero = tuple((Q(0),) * len(row) for row in X)
            yield Relation(f"the output{where}", output, "=", "0", zero)
            continue
        for j, (column, target) in enumerate(zip(columns_of(output), columns_of(wanted), strict=True), start=1):
            yield Relation(f"column {j} of the output{where}", column, "=", "its target", target)


def papers_layers(i: Instance) -> int:
    """dN + d + B + 1 + 1 + d + n C(B, n), theorem2.size."""
    return i.d * i.N + i.d + i.B + 1 + 1 + i.d + i.n * comb(i.B, i.n)


def layers_by_formula(i: Instance) -> int:
    return i.d * i.N + i.d + i.B + 1 + 1 + i.d + room.keys(i) + 1


def _layers(g: ContextualMap) -> Relations:
    i = g.instance
    d, n, size = i.d, i.n, room.chain(i).network.size
    formula = "(dN + d) + B + 1 + (1 + d) + B C(B+n-2, n-1) + 1"
    yield Relation("layers", size.layers, "=", formula, layers_by_formula(i))
    yield Relation("(h, m, r)", (size.h, size.m, size.r), "=", "(1, 1, 1), four ReLUs for each activation", (1, 1, 1))
    more = room.keys(i) - n * comb(i.B, n) + 1
    name = "layers beyond the paper's"
    yield Relation(name, size.layers - papers_layers(i), "=", "B C(B+n-2, n-1) - n C(B, n) + 1", more)
    for_all_N = prod((1 + Q(k, 2**d) for k in range(1, n - 1)), start=Q(1))
    rest = Q(d + 1, 2 ** (d * (n - 1))) + Q(2 * d + 3, 2 ** (d * n))
    C = for_all_N + Q(factorial(n), n) * rest
    bound = C * n * i.N ** (d * n) / factorial(n)
    yield Relation("layers", Q(size.layers), "<=", "C n delta^-(dn) / n!", bound)


def _numbers_of(layer: Layer) -> Iterator[mpq]:
    if isinstance(layer, FeedForward):
        yield from chain(*layer.W_1, layer.b_1, *layer.W_2, layer.b_2)
    elif isinstance(layer, Attention):
        for head in layer.heads:
            yield from chain(*head.W_O, *head.W_V, *head.W_K, *head.W_Q, head.b_Q)


def _weights(g: ContextualMap) -> Relations:
    i = g.instance
    largest = max(map(abs, chain(*map(_numbers_of, room.chain(i).network.layers))))
    name = "largest weight"
    yield Relation(name, largest, "=", "M + 1, M = S (U+1) (1 + n F)", room.largest_entry(i) + 1)
    yield Relation(name, largest, ">=", "(n+1)^(2 delta^-d)", Q((i.n + 1) ** (2 * i.B)))


def standard(i: Instance) -> Network:
    """The network for the chain targets, each activation made of four ReLUs. Its head has scores of 0 only, so that
    softmax gives the same mean as hardmax."""
    exact, eps = room.chain(i), strip(i)
    if eps not in exact.standard:
        exact.standard[eps] = Network(
            tuple(
                replace(layer, phi=relu_form(layer.phi, eps).function()) if isinstance(layer, FeedForward) else layer
                for layer in exact.network.layers
            )
        )
    return exact.standard[eps]


def output_bound(i: Instance) -> mpq:
    """R: M, plus the most that the layers after the rejection can add, whose activations are between 0 and 1."""
    written = [layer for layer in room.chain(i).value_map.layers[1 + i.d :] if isinstance(layer, FeedForward)]
    return room.largest_entry(i) + sum((max(map(abs, chain(*layer.W_2))) for layer in written), Q(0))


def _points(g: ContextualMap) -> Iterator[Point]:
    """Each multiset of columns with these entries: -eps and 1, which are outside [0, 1); -eps/2 and 1 - eps/2, which
    are on strips; and the middle of each [k delta, (k+1) delta - eps)."""
    i, eps = g.instance, strip(g.instance)
    exact, network, bound = room.chain(i), standard(i), output_bound(i)
    middle = (i.delta - eps) / 2
    corner = {x + middle: x for x in i.entries}
    outside = (-eps, Q(1))
    entries = sorted([*outside, -eps / 2, 1 - eps / 2, *corner])
    zero: Matrix = ((Q(0),) * i.n,) * i.d
    for columns in combinations_with_replacement(product(entries, repeat=i.d), i.n):
        X = from_columns(columns)
        met = set(chain(*X))
        if met.intersection(outside):
            yield Point(network, X, zero, bound)
        elif met <= set(corner):
            yield Point(network, X, exact.wanted(tuple(tuple(corner[x] for x in row) for row in X)), bound)
        else:
            yield Point(network, X, None, bound)


def _everywhere(case: Point) -> Relations:
    output = run.image(case.network, case.X)
    if case.wanted is not None:
        yield Relation("the output", output, "=", "the target there", case.wanted)
    yield Relation("largest entry of the output", largest(map(abs, chain(*output))), "<=", "R", case.bound)


def _separations(g: ContextualMap, seen: Collected) -> Relations:  # noqa: ARG001
    """What the argument for all of R^(d x n) needs: windows, borders and the last step stay eps apart from each
    other."""
    i, eps = g.instance, strip(g.instance)
    S, F, U = room.sentinel(i), room.factor(i), sum(i.u, Q(0))
    yield Relation("end of the last window of step 2", (i.B - Q(1, 2)) * i.delta, "<", "C", Q(room.unit(i)))
    yield Relation("end of the last window of step 2", (i.B - Q(1, 2)) * i.delta, "<", "S", S)
    codes = sum((room.code(i, k) for k in range(i.B)), Q(0))
    yield Relation("sum of all codes", codes, "<=", "S", S)
    yield Relation("S (U+1) (1 + n F)", S * (U + 1) * (1 + i.n * F), "<=", "M", room.largest_entry(i))
    top = room.key(i, (i.B - 1,) * i.n, i.B - 1)
    yield Relation("largest key", top, "<", "F S - eps", room.border(i) - eps)
    least = room.key(i, (0,) * i.n, 0)
    yield Relation("start of the first window of step 5", least - i.delta / 2 - eps, ">", "0", Q(0))
    yield Relation("delta/2 + eps", i.delta / 2 + eps, "<", "C", Q(room.unit(i)))
    yield Relation("1/2 + eps", Q(1, 2) + eps, "<", "1", Q(1))


def _alone(g: ContextualMap) -> str | None:
    """Why this can't be checked here: not the paper's construction, or keys too long for a certificate."""
    if (why := the_papers_alone(g)) or g.instance.B <= MOST_COLUMNS:
        return why
    return f"its keys fit a certificate up to B = {MOST_COLUMNS}; here B = {g.instance.B}"


def _columns_run(i: Instance, orbits: int, runs: int) -> int:
    """How many columns are run through layers. (The quantiser, the codes and the values are rows of layers with a
    window each.)"""
    return runs * orbits * i.n * (i.d * (1 + MET) + MET + 1 + (1 + i.d) + MET + 1) + layers_by_formula(i)


ORBITS = Domain("every orbit of G+, with the sentinel above", cases=_orbits)
OF_G = replace(ORBITS, words="every orbit of G, those with equal columns too", selects=lambda case: case.of_G)
BESIDE = replace(
    ORBITS,
    words="every orbit of G+ with a sentinel",
    selects=lambda case: not case.of_G,
)
WHERE = "ours; in place of Section 5 and App. B.3 to B.6"


def _runs(i: Instance) -> int:
    return _columns_run(i, multisets((i.N + 1) ** i.d, i.n), 3)


CLAIMS = [
    Claim(
        id="exact.quantizes",
        kind="own",
        where=WHERE,
        says="With the sentinel S above everything, every real d x n matrix goes to the lower corner of its cube, and"
        " an entry outside [0, 1) to S.",
        formula="x -> k delta on [k delta, (k+1) delta), S = C (n+1)^B for x < 0 and x >= 1, C = delta^-(d-1)",
        domain=Domain("the pieces of the real line, for each row", cases=_pieces),
        how="composes the piecewise linear functions of the layers of each row over all real numbers",
        check=quantizes,
        skip=_alone,
        work=lambda i: i.d * (i.N + 1) * (i.N + 2),
    ),
    Claim(
        id="exact.codes",
        kind="own",
        where=WHERE,
        says="Token-wise layers give column k of G (the one whose id is k delta) the id C (n+1)^k, and leave its rows"
        " 2..d, and every column with a sentinel, as they are.",
        formula="u^T c = k delta -> C (n+1)^k; u^T c >= S for a column with a sentinel",
        domain=Domain("every column of G+, with the sentinel above", cases=_columns),
        how="runs the literal layers on each column",
        check=_codes,
        skip=_alone,
        work=lambda i: (i.N + 1) ** i.d * i.B,
    ),
    Claim(
        id="exact.keys",
        kind="own",
        where=WHERE,
        says="After one attention layer that adds F times the sum of all ids to each id, the id of a column spells out,"
        " in base n+1, how often each column of G occurs in the matrix, and which column it is: columns of different"
        " contexts, and different columns of one, are at least C apart, equal columns and all of G included.",
        formula="id = C ((n+1)^k + (n+1)^B sum_i (n+1)^(k_i)) < F S = C (n+1)^(2B)",
        domain=OF_G,
        how="runs the literal layers; collects the ids, sorts, and compares neighbours",
        check=_keys,
        collect=lambda case: list(dict.fromkeys(case.ids)),
        conclude=_keys_apart,
        skip=_alone,
        work=_runs,
    ),
    Claim(
        id="exact.sentinel",
        kind="own",
        where=WHERE,
        says="One sentinel anywhere in a matrix lifts every id of it to F S, beyond every key; entries lie between 0"
        " and M.",
        formula="u^T Z >= F S, 0 <= Z <= M = S (U+1) (1 + n F)",
        domain=BESIDE,
        how="runs the literal layers",
        check=_beside_a_sentinel,
        skip=_alone,
        work=_runs,
    ),
    Claim(
        id="exact.softmax",
        kind="own",
        where=WHERE,
        says="All scores of the network's only head are 0, with no bias: its hardmax is the mean, and softmax is the"
        " same for every lambda, exactly.",
        formula="(W_K X)^T W_Q X = 0",
        domain=ORBITS,
        how="computes every score of every head from the literal weights",
        check=_scores,
        skip=_alone,
        work=_runs,
    ),
    Claim(
        id="exact.network",
        kind="own",
        where="ours; Proposition 4 with distance 0",
        says="The network equals its piecewise constant target on every cube of G, those with equal columns too, and"
        " is 0 elsewhere, whatever the target is: the distance is 0. (Run at the lower corner and the centre of every"
        " cube, and outside [0, 1); by exact.quantizes the output is constant on each cube. The targets are keys"
        " themselves.)",
        formula="g(X) = A_L for X in S_L, L in G, and 0 for every other X",
        domain=ORBITS,
        how="runs every layer, made for targets that are keys, on two points for each orbit",
        check=_network,
        skip=_alone,
        work=_runs,
    ),
    Claim(
        id="exact.layers",
        kind="own",
        where=WHERE,
        says="The network has one attention layer, of one head of size 1, and token-wise layers of one hidden node; at"
        " this d and n at most C n delta^-(dn) / n! layers for every N >= 2, of the order of the paper's, with C ="
        " (1 + 1/2^d) ... (1 + (n-2)/2^d) + n!/n ((d+1) / 2^(d(n-1)) + (2d+3) / 2^(dn)).",
        formula="(dN + d) + B + 1 + (1 + d) + B C(B+n-2, n-1) + 1 layers",
        domain=CONSTRUCTION,
        how="counts the layers of the network that is run, and compares with theorem2.size's count",
        check=_layers,
        skip=_alone,
        work=_runs,
    ),
    Claim(
        id="exact.weights",
        kind="own",
        where=WHERE,
        says="What it costs: the largest weight has at least 2 delta^-d log2(n+1) binary digits, where those of the"
        " paper's network have a number of digits of the order n d log(1/delta).",
        formula="M + 1 >= (n+1)^(2 delta^-d), M = S (U+1) (1 + n F)",
        domain=CONSTRUCTION,
        how="looks at every weight of the network that is run",
        check=_weights,
        skip=_alone,
        work=_runs,
    ),
    Claim(
        id="exact.everywhere",
        kind="own",
        where="ours; Theorem 2 over all of R^(d x n)",
        says="With four ReLUs for each activation, and softmax, the network is 0 at every X in R^(d x n) with an entry"
        " in (-inf, -eps] or [1, inf), equals its target where every entry is in some [k delta, (k+1) delta - eps),"
        " and is bounded elsewhere by a number R that eps does not change: its p-distance from the target over all of"
        " R^(d x n) tends to 0 with eps. (Run at eps = delta/4 on points of each kind; for every X by the argument in"
        " FINDINGS.md, whose inequalities are checked here.)",
        formula="d_p(f, g)^p <= dn (R + max |f|)^p ((1 + eps)^(dn) - (1 - N eps)^(dn))",
        domain=Domain("the multisets of columns whose entries are outside, on a strip, or inside", cases=_points),
        how="runs every layer of the network of ReLUs, and checks the inequalities of the argument",
        check=_everywhere,
        conclude=_separations,
        skip=_alone,
        work=lambda i: _columns_run(i, multisets((i.N + 4) ** i.d, i.n), 1),
    ),
]

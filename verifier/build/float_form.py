"""The form `float`: not the paper's network, but one with the paper's contextual map that floats compute exactly.

The quantiser has weights 1 and -1, and squeezes each cell to a multiple of epsilon before it stretches all of them:

    Z <- Z - e_i relu(Z_i - k epsilon) + e_i relu(Z_i - (k epsilon + delta - epsilon)),   k = 0..M-1
    Z <- Z + (delta/epsilon - 1) e_i relu(Z_i)

Then come the sweep and the global shift of Lemma 6 (with positions, of App. C), lambda a power of two so large that
floats lose every losing weight. Then one layer for each key K, in descending order, a step at K that never comes down:

    Z <- Z + c relu(u^T Z - (K - delta/2)) - c relu(u^T Z - (K - delta/4)),   c = 4N (A - S e_1 - g)

Columns with larger keys have been written by then, and their ids are negative, S below the targets' own; columns with
smaller keys are below the step. So nothing ever cancels. A layer then gives S back, and a clip to the targets' range
comes last. FORMAT-build.md, 5, has every weight.
"""

from dataclasses import dataclass
from math import comb

from gmpy2 import mpq

from verifier.build.cells import Case, precedence, rounded
from verifier.build.dtype import power_above
from verifier.build.layer import Attention, Named, add, heated, relus, run, scaled, unit
from verifier.build.paper import contextual_map as of_the_paper
from verifier.build.sizes import Sizes
from verifier.core.exact import Matrix, Q, Vector, columns_of, dot


@dataclass(frozen=True)
class Shape:
    """All that determines the numbers of the construction, except the target."""

    instance: Sizes
    positional: bool
    epsilon: mpq
    rate: mpq  # lambda

    @property
    def cells(self) -> int:
        """M, the cells of a row."""
        return self.instance.N * (self.instance.n if self.positional else 1)

    @property
    def map(self) -> tuple[Attention, ...]:
        """The sweep, a layer for each level, and the global shift."""
        return of_the_paper(self.instance, self.positional)

    @property
    def last_factor(self) -> mpq:
        """F, of the global shift."""
        return self.map[-1].heads[0].W_O[0][0]

    @property
    def encoding(self) -> Matrix | None:
        i = self.instance
        return (tuple(Q(j) for j in range(i.n)),) * i.d if self.positional else None

    def enter(self, X: Matrix) -> Matrix:
        return X if self.encoding is None else add(X, self.encoding)


def key_count(i: Sizes, positional: bool) -> int:
    """Keys: n for each context; without positions, m for each set of m <= n columns, repeated as often as one likes."""
    if positional:
        return int(i.n * i.B**i.n)
    return sum(m * comb(i.B, m) for m in range(1, min(i.n, i.B) + 1))


def layer_count(i: Sizes, positional: bool) -> int:
    """d (M + 1) of the quantiser, the sweep, the global shift, one for each key, the one that gives S back, d clips."""
    n = i.n if positional else 1
    return int(i.d * (n * i.N + 1) + n * i.B + 1 + key_count(i, positional) + 1 + i.d)


def quantiser(s: Shape) -> list[Named]:
    i, eps, layers = s.instance, s.epsilon, []
    for row in range(i.d):
        e = unit(i.d, row)
        for k in range(s.cells):
            start = k * eps
            squeeze = relus([e, e], [-start, -(start + i.delta - eps)], [scaled(-1, e), e])
            layers.append(Named(f"quantise.{row + 1}.{k}", squeeze))
        stretch = relus([e], [Q(0)], [scaled(i.delta / eps - 1, e)])
        layers.append(Named(f"stretch.{row + 1}", stretch))
    return layers


def contextual_map(s: Shape) -> list[Named]:
    names = [*(f"sweep.{k}" for k in range(len(s.map) - 1)), "global"]
    return [Named(name, heated(layer, s.rate)) for name, layer in zip(names, s.map, strict=True)]


@dataclass(frozen=True)
class Write:
    """A key, its image, and the target (as rounded)."""

    key: mpq
    image: Vector
    target: Vector


@dataclass(frozen=True)
class Values:
    """What the value map writes, by descending key; the kept cases' targets, by rank; the offset and the clip."""

    writes: tuple[Write, ...]
    kept: dict[int, Matrix]
    offset: mpq  # S
    low: Vector
    high: Vector


def images(s: Shape, cases: tuple[Case, ...]) -> list[tuple[Vector, ...]]:
    """The columns of each case after the contextual map, with hardmax."""
    found = []
    for case in cases:
        X = s.enter(case.L)
        for layer in s.map:
            X = run(layer, X)
        found.append(columns_of(X))
    return found


def values(s: Shape, cases: tuple[Case, ...], found: list[tuple[Vector, ...]], bits: int) -> Values:
    """Decides which cases are kept, and what is written for them."""
    u, kept = s.instance.u, {}
    table: dict[mpq, tuple[Vector, Vector]] = {}
    for case in sorted(cases, key=precedence):
        A = rounded(case.value, bits)
        new: dict[mpq, tuple[Vector, Vector]] = {}
        pairs = zip(found[case.rank], columns_of(A), strict=True)
        fits = all(new.setdefault(dot(u, g), (g, a)) == (g, a) for g, a in pairs)
        if fits and all(table.get(key, pair) == pair for key, pair in new.items()):
            table |= new
            kept[case.rank] = A
    writes = tuple(Write(key, *table[key]) for key in sorted(table, reverse=True))
    rows = list(zip(*(write.target for write in writes), strict=True))
    offset = power_above(max(Q(1), 1 + max(dot(u, write.target) for write in writes)))
    return Values(writes, kept, offset, tuple(map(min, rows)), tuple(map(max, rows)))


def value_map(s: Shape, v: Values) -> list[Named]:
    i, layers = s.instance, []
    quarter, S = i.delta / 4, v.offset
    for t, write in enumerate(v.writes, start=1):
        wanted = (write.target[0] - S, *write.target[1:])
        c = tuple((a - g) / quarter for a, g in zip(wanted, write.image, strict=True))
        step = relus([i.u, i.u], [-(write.key - 2 * quarter), -(write.key - quarter)], [c, scaled(-1, c)])
        layers.append(Named(f"write.{t}", step))
    back, down = unit(i.d, 0, S / quarter), scaled(-1, i.u)
    half = Q(1, 2)
    layers.append(Named("return", relus([down, down], [-half, -half - quarter], [back, scaled(-1, back)])))
    for row in range(i.d):
        e = unit(i.d, row)
        clip = relus([scaled(-1, e), e], [v.low[row], -v.high[row]], [e, scaled(-1, e)])
        layers.append(Named(f"clip.{row + 1}", clip))
    return layers

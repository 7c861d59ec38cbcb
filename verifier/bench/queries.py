"""Queries about a network, each with its answer and the evidence for it.

A query is a box and one relation of the output; it asks whether some point of the box makes the relation true. `sat`
has a witness: a point of the box, whose output is enclosed in rationals and on which floats of the format compute
exactly. `unsat` has an enclosure of the output over the whole box that leaves no room for the relation.

For each entry of the output and each box, four queries lie around its largest value and four around its smallest: on
either side, at a quarter of the grid's step and at a sixteenth of that, or, of those that are `sat`, exactly at the
value. Where only bounds of the largest value are known, nothing is asked between them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, islice, product

from gmpy2 import mpq

from verifier.bench import floats
from verifier.bench.enclosure import Box, Interval, Step, enclose, point
from verifier.bench.networks import Subject
from verifier.build.dtype import DTYPES, Dtype, NotHeld
from verifier.core.exact import Matrix

Ranges = tuple[tuple[Interval, ...], ...]


@dataclass(frozen=True)
class Relation:
    """Y_left <= right or Y_left >= right, where the right side is a number, or the number of another entry."""

    left: int
    sign: str  # "<=" or ">="
    right: mpq | None
    other: int | None = None

    def slack(self, ranges: Ranges) -> Interval:
        """Bounds on right - left (for <=) or left - right (for >=): the relation is true where this is >= 0."""
        flat = [interval for row in ranges for interval in row]
        low, high = flat[self.left]
        if self.other is not None:
            a, b = flat[self.other]
        else:
            a = b = mpq(0) if self.right is None else self.right
        return (low - b, high - a) if self.sign == ">=" else (a - high, b - low)


@dataclass(frozen=True)
class Witness:
    X: Matrix
    Y: Ranges  # enclosed; numbers where the network has no softmax
    Y_floats: Matrix  # what floats compute, in any order
    within: mpq | None  # every point of the box within this radius of X makes the relation true; None if none is known


@dataclass(frozen=True)
class Query:
    subject: Subject
    place: str  # the box, in words
    box: Box
    relation: Relation
    witness: Witness | None  # None: unsat
    margin: mpq  # how far the relation is from changing: over the box (unsat), at the witness (sat)

    @property
    def answer(self) -> str:
        return "unsat" if self.witness is None else "sat"


@dataclass(frozen=True)
class Place:
    """A box, what is known of the output on it, and points of it at which floats compute exactly."""

    words: str
    box: Box
    steps: list[Step]
    ranges: Ranges
    tried: list[tuple[Matrix, Ranges, Matrix]]


def corners(box: Box, at_most: int = 16) -> Iterator[Matrix]:
    d, n = len(box.low), len(box.low[0])
    middle = tuple((a + b) / 2 for a, b in box.sides)
    ends = (tuple(dict.fromkeys(side)) for side in box.sides)
    for flat in [*islice(product(*ends), at_most), middle]:
        yield tuple(flat[r * n : (r + 1) * n] for r in range(d))


def settle(subject: Subject, words: str, box: Box, points: list[Matrix]) -> Place:
    dtype, tried = DTYPES[subject.dtype], []
    for X in dict.fromkeys([*corners(box), *points]):
        if box.holds(X) and all(dtype.holds(x) for row in X for x in row):
            try:
                Y = floats.run(subject.layers, X, dtype, soft=subject.soft)
            except floats.Rounded:
                continue
            tried.append((X, enclose(subject.layers, point(X), soft=subject.soft)[1], Y))
    return Place(words, box, *enclose(subject.layers, box, soft=subject.soft), tried)


def grid_points(subject: Subject) -> list[Matrix]:
    """Two matrices of the grid: the first columns, and the last ones backwards; where they are too few, again."""
    values = [mpq(k, subject.N) for k in range(subject.N)]
    columns = list(product(values, repeat=subject.d))
    made = (islice(cycle(its), subject.n) for its in (columns, columns[::-1]))
    return [tuple(zip(*its, strict=True)) for its in made]


def moved(X: Matrix, by: mpq) -> Matrix:
    return tuple(tuple(x + by for x in row) for row in X)


def places(subject: Subject) -> Iterator[Place]:
    """Boxes from single points to the whole cube."""
    L, delta, d, n = grid_points(subject), subject.delta, subject.d, subject.n
    cube = Box(((mpq(0),) * n,) * d, ((mpq(1),) * n,) * d)
    if subject.eps is None:
        for k, X in enumerate(subject.telling):
            yield settle(subject, f"the tokens of case {k}", point(X), [])
            for exponent in (3, 10):
                r = mpq(1, 2**exponent)
                around_it = Box(moved(X, -r), moved(X, r))
                yield settle(subject, f"2^-{exponent} around the tokens of case {k}", around_it, [X])
        return
    for k, X in enumerate(L):
        far = delta - subject.eps
        yield settle(subject, f"the lower corner of cell {k}", point(X), [])
        yield settle(subject, f"the upper corner of cell {k}, off the strips", point(moved(X, far)), [])
        yield settle(subject, f"cell {k} off the strips", Box(X, moved(X, far)), [])
        if not any(layer.heads for layer in subject.layers):
            yield settle(subject, f"cell {k} and half of the strip", Box(X, moved(X, delta - subject.eps / 2)), [])
            yield settle(subject, f"cell {k} and all of the strip", Box(X, moved(X, delta)), [])
    yield settle(subject, "the cube", cube, [*L, *subject.telling])


def queries(subject: Subject) -> Iterator[tuple[Place, list[Query]]]:
    for place in places(subject):
        made = [query for entry in entries(subject) for query in around(subject, place, entry)]
        yield place, list(dict.fromkeys(made + (in_order(subject, place) if subject.n > 1 else [])))


def entries(subject: Subject) -> list[int]:
    """Row 1 of the first column and of the last; the last row of the first."""
    return sorted({0, subject.n - 1, (subject.wide - 1) * subject.n})


def around(subject: Subject, place: Place, entry: int) -> Iterator[Query]:
    """Queries on both sides of the largest and the smallest value of an entry."""
    dtype = DTYPES[subject.dtype]
    low, high = place.ranges[entry // subject.n][entry % subject.n]
    near = subject.delta / 4
    for margin in (near, near / 16):
        for sign, bound in (("<=", dtype_below(dtype, low - margin)), (">=", dtype_above(dtype, high + margin))):
            yield from asked(subject, place, Relation(entry, sign, bound), None)
    for sign, pick in (("<=", min), (">=", max)):
        if place.tried:
            best = pick(place.tried, key=lambda it: it[1][entry // subject.n][entry % subject.n])
            a, b = best[1][entry // subject.n][entry % subject.n]
            for margin in (near, mpq(0) if a == b else near / 16):
                bound = dtype_above(dtype, b + margin) if sign == "<=" else dtype_below(dtype, a - margin)
                yield from asked(subject, place, Relation(entry, sign, bound), best)


def in_order(subject: Subject, place: Place) -> list[Query]:
    """Queries that compare Y_0 with the last entry of its row, in both directions."""
    made: list[Query] = []
    for sign in ("<=", ">="):
        relation = Relation(0, sign, None, subject.n - 1)
        good = [it for it in place.tried if relation.slack(it[1])[0] >= 0]
        made += asked(subject, place, relation, max(good, key=lambda it: relation.slack(it[1])) if good else None)
    return made


def dtype_below(dtype: Dtype, x: mpq) -> mpq | None:
    try:
        return dtype.below(x)
    except NotHeld:
        return None


def dtype_above(dtype: Dtype, x: mpq) -> mpq | None:
    below = dtype_below(dtype, -x)
    return None if below is None else -below


def asked(
    subject: Subject, place: Place, relation: Relation, tried: tuple[Matrix, Ranges, Matrix] | None
) -> Iterator[Query]:
    """The query, if what is known settles it: by the point that was tried, or by the enclosure."""
    if relation.right is None and relation.other is None:
        return
    if tried is None:
        _, most = relation.slack(place.ranges)
        if most < 0:
            yield Query(subject, place.words, place.box, relation, None, -most)
        return
    X, Y, Y_floats = tried
    slack = relation.slack(Y)[0]
    in_floats = relation.slack(tuple(tuple((y, y) for y in row) for row in Y_floats))[0]
    if slack >= 0 and in_floats >= 0:
        yield Query(
            subject, place.words, place.box, relation, Witness(X, Y, Y_floats, room(subject, place, relation, X)), slack
        )


def room(subject: Subject, place: Place, relation: Relation, X: Matrix) -> mpq | None:
    """A radius around X within which every point of the box is known to make the relation true: the largest 2^-k."""
    if place.box == point(X):
        return None
    good, bad = 64, -1
    while good - bad > 1:
        k = (good + bad) // 2
        ranges = enclose(subject.layers, place.box.around(X, mpq(1, 2**k)), soft=subject.soft)[1]
        good, bad = (k, bad) if relation.slack(ranges)[0] >= 0 else (good, k)
    return mpq(1, 2**good) if good < 64 else None

"""The image of a box under a stored network: rational enclosures of every entry after every layer.

An entry is enclosed by a *form*: it is c_1 x_1 + c_2 x_2 + ... + r, where x_1, x_2, ... are the entries of the input,
low <= r <= high, and an error of at most 2^tiny in all. On a box of a single point a form is a number.

    a ReLU whose argument has a certain sign is 0 or its argument
    a head whose winner w is certain reads V_w, up to sum_i exp(-margin_i) |V_i - V_w|, and exp(-m) <= 2^-(1.442 m)
    else a sum of ReLUs of one scalar takes its largest and smallest values at breaks and ends,
    and a head is between the smallest and the largest value that it can read

Attention is hard; or a softmax, which is then the real one, and winners are collected over all heads of a layer before
they are added up, so that what cancels leaves nothing behind. Columns that are equal for certain stay so where a layer
treats equal columns alike.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from gmpy2 import mpq

from verifier.build.dtype import floor, floor_log2
from verifier.build.taken import Head, Taken
from verifier.core.exact import Matrix, Vector

Interval = tuple[mpq, mpq]
ZERO, ONE = mpq(0), mpq(1)
MOST = 1200  # errors are never taken to be below 2^-MOST times their number


def power_above(x: mpq) -> int | None:
    """The least e with x <= 2^e, for x > 0; None for 0."""
    if not x:
        return None
    e = floor_log2(x)
    return e if mpq(2) ** e == x else e + 1


class Form(NamedTuple):
    """c . x + [low, high] +- 2^tiny."""

    c: Vector
    low: mpq
    high: mpq
    tiny: int | None = None

    @property
    def error(self) -> mpq:
        return ZERO if self.tiny is None else mpq(2) ** self.tiny

    @property
    def is_number(self) -> bool:
        return self.low == self.high and self.tiny is None and not any(self.c)


@dataclass(frozen=True)
class Box:
    """Lower and upper ends of the entries of X, row by row."""

    low: Matrix
    high: Matrix

    def __post_init__(self) -> None:
        if any(a > b for a, b in self.sides):
            raise ValueError("a box has an end below its beginning")

    @cached_property
    def sides(self) -> tuple[Interval, ...]:
        return tuple((a, b) for rows in zip(self.low, self.high, strict=True) for a, b in zip(*rows, strict=True))

    def holds(self, X: Matrix) -> bool:
        flat = [x for row in X for x in row]
        return all(a <= x <= b for x, (a, b) in zip(flat, self.sides, strict=True))

    def around(self, X: Matrix, radius: mpq) -> "Box":
        """The points of this box that are within the radius of X, entry by entry."""
        low = tuple(
            tuple(max(a, x - radius) for a, x in zip(*rows, strict=True)) for rows in zip(self.low, X, strict=True)
        )
        high = tuple(
            tuple(min(b, x + radius) for b, x in zip(*rows, strict=True)) for rows in zip(self.high, X, strict=True)
        )
        return Box(low, high)


def point(X: Matrix) -> Box:
    return Box(X, X)


class Step(NamedTuple):
    """The enclosures after one layer, and how they were derived."""

    forms: tuple[tuple[Form, ...], ...]
    how: tuple[str, ...]


class Enclosure:
    """The forms of the entries of X over a box, carried through the layers."""

    def __init__(self, box: Box, *, soft: bool = False) -> None:
        self.box, self.soft = box, soft
        d, n = len(box.low), len(box.low[0])
        self.d, self.n = d, n
        self.forms = tuple(
            tuple(
                Form(tuple(ONE if k == r * n + j else ZERO for k in range(d * n)), ZERO, ZERO)
                if box.low[r][j] < box.high[r][j]
                else Form((ZERO,) * (d * n), box.low[r][j], box.low[r][j])
                for j in range(n)
            )
            for r in range(d)
        )
        self.twin = list(range(n))  # for each column, the first column that is certainly equal to it
        self.pair()

    def pair(self) -> None:
        for j in range(self.n):
            for i in range(j):
                columns = [(row[i], row[j]) for row in self.forms]
                if self.twin[i] == i and all(a == b and a.is_number for a, b in columns):
                    self.twin[j] = min(self.twin[j], i)

    def combine(self, parts: Sequence[tuple[mpq, Form]], constant: mpq) -> Form:
        """constant + the sum of a . form."""
        c, low, high, error = [ZERO] * (self.d * self.n), constant, constant, ZERO
        for a, form in parts:
            if a:
                c = [x + a * y for x, y in zip(c, form.c, strict=True)]
                low += a * (form.low if a > 0 else form.high)
                high += a * (form.high if a > 0 else form.low)
                error += abs(a) * form.error
        return Form(tuple(c), low, high, power_above(error))

    def plain(self, form: Form) -> Interval:
        """The interval of the form's values, its error left out."""
        low, high = form.low, form.high
        for c, (a, b) in zip(form.c, self.box.sides, strict=True):
            if c:
                low += min(c * a, c * b)
                high += max(c * a, c * b)
        return low, high

    def interval(self, form: Form) -> Interval:
        low, high = self.plain(form)
        return low - form.error, high + form.error

    def run(self, layer: Taken) -> Step:
        made = self.attend(layer) if self.soft and layer.heads else self.hard(layer)
        columns, how = zip(*made, strict=True)
        self.forms = tuple(zip(*columns, strict=True))
        if any(head.mask is not None or head.tie != "average" for head in layer.heads):
            self.twin = list(range(self.n))  # which may treat equal columns by their places
        self.pair()
        return Step(self.forms, how)

    def scalar(self, relus: list[tuple[mpq, mpq, mpq]], t: Form, own: mpq, constant: mpq) -> Form:
        """The range of own . t + constant + sum a ReLU(w t + b): piecewise linear, so its ends and breaks suffice."""
        low, high = self.plain(t)
        points = {low, high, *(-b / w for _, w, b in relus if w and low < -b / w < high)}
        values = [own * x + constant + sum((a * max(ZERO, w * x + b) for a, w, b in relus), ZERO) for x in points]
        steepest = own + sum((abs(a * w) for a, w, _ in relus), ZERO)
        return Form((ZERO,) * len(t.c), min(values), max(values), power_above(steepest * t.error))

    def hard(self, layer: Taken) -> list[tuple[list[Form], str]]:
        """A page's layer: D x + u, ReLUs, and heads that read where the score is largest, exactly."""
        columns = [[row[i] for row in self.forms] for i in range(self.n)]
        reads = [[self.read(head, i) for i in range(self.n)] for head in layer.heads]
        made = []
        for i, column in enumerate(columns):
            new = []
            for r, (row, u) in enumerate(zip(layer.own, layer.shift, strict=True)):
                parts = [
                    (o, form)
                    for head, its in zip(layer.heads, reads, strict=True)
                    for o, form in zip(head.out[r], its[i][0], strict=True)
                ]
                parts += self.token(layer, r, column) if layer.W_1 else list(zip(row, column, strict=True))
                new.append(self.combine(parts, u))
            how = [its[i][1] for its in reads]
            made.append((new, "heads read " + ", ".join(how) if how else "token-wise"))
        return made

    def token(self, layer: Taken, r: int, column: list[Form]) -> list[tuple[mpq, Form]]:
        """D x and the ReLUs, in row r of a column: together, if they are of one scalar. Where the signs of all are
        certain, it is a row times the column, so that what cancels leaves nothing behind."""
        own, taps = layer.own[r], list(zip(layer.W_2[r], layer.W_1, layer.b_1, strict=True))
        tapped = [(tap, w, b) for tap, w, b in taps if tap and any(w)]
        constant = sum((tap * max(ZERO, b) for tap, w, b in taps if not any(w)), ZERO)
        ranges = [self.interval(self.combine(list(zip(w, column, strict=True)), b)) for _, w, b in tapped]
        if all(low >= 0 or high <= 0 for low, high in ranges):
            on = [it for it, (low, _) in zip(tapped, ranges, strict=True) if low >= 0]
            row = [x + sum((tap * w[s] for tap, w, _ in on), ZERO) for s, x in enumerate(own)]
            constant += sum((tap * b for tap, _, b in on), ZERO)
            return [*zip(row, column, strict=True), (ONE, self.constant(constant))]
        parts = [*zip(own, column, strict=True), (ONE, self.constant(constant))]
        along = tapped[0][1]
        pivot = next(s for s, x in enumerate(along) if x)
        ratios = [w[pivot] / along[pivot] for _, w, _ in tapped]
        if all(tuple(k * x for x in along) == w for k, (_, w, _) in zip(ratios, tapped, strict=True)):
            t = self.combine(list(zip(along, column, strict=True)), ZERO)
            k = own[pivot] / along[pivot]
            whole = tuple(k * x for x in along) == own
            relus = [(tap, ratio, b) for (tap, _, b), ratio in zip(tapped, ratios, strict=True)]
            change = self.scalar(relus, t, k if whole else ZERO, constant)
            return [(ONE, change)] if whole else [*zip(own, column, strict=True), (ONE, change)]
        for tap, w, b in tapped:
            form = self.combine(list(zip(w, column, strict=True)), b)
            low, high = self.interval(form)
            if low >= 0:
                parts.append((tap, form))
            elif high > 0:
                parts.append((tap, self.constant(ZERO, max(ZERO, self.plain(form)[1]), form.tiny)))
        return parts

    def constant(self, low: mpq, high: mpq | None = None, tiny: int | None = None) -> Form:
        return Form((ZERO,) * (self.d * self.n), low, low if high is None else high, tiny)

    def read(self, head: Head, i: int) -> tuple[list[Form], str]:
        """What column i reads: of those that have the largest score for certain; else anything."""
        there = [j for j in range(self.n) if head.mask is None or head.mask[i][j]]
        columns = [[row[j] for row in self.forms] for j in range(self.n)]
        values = {
            j: [
                self.combine(list(zip(row, columns[j], strict=True)), v)
                for row, v in zip(head.values, head.shift, strict=True)
            ]
            for j in there
        }
        if not there:
            return [self.constant(ZERO)] * len(head.values), "nothing"
        query = [
            self.interval(self.combine(list(zip(row, columns[i], strict=True)), b))
            for row, b in zip(head.queries, head.bias, strict=True)
        ]
        for w in there:
            ahead = {j: self.ahead(head, w, j, query) for j in there}
            best = [j for j in there if ahead[j] == (ZERO, ZERO)]
            if all(ahead[j][0] > 0 for j in there if j not in best):
                best = best if head.tie == "average" else best[:1] if head.tie == "leftmost" else best[-1:]
                share = ONE / len(best)
                mean = [self.combine([(share, values[j][r]) for j in best], ZERO) for r in range(len(head.values))]
                return mean, " and ".join(map(str, best))
        hulls = []
        for r in range(len(head.values)):
            ends = [self.interval(values[j][r]) for j in there]
            hulls.append(self.constant(min(a for a, _ in ends), max(b for _, b in ends)))
        return hulls, "any"

    def ahead(self, head: Head, w: int, j: int, query: list[Interval]) -> Interval:
        """By how much the score of column w is above that of column j."""
        low = high = ZERO
        for row, q in zip(head.keys, query, strict=True):
            between = self.interval(self.difference(row, w, j))
            ends = [a * b for a in between for b in q]
            low, high = low + min(ends), high + max(ends)
        return low, high

    def attend(self, layer: Taken) -> list[tuple[list[Form], str]]:
        def read(W: Vector, j: int, b: mpq = ZERO) -> Form:
            return self.combine([(w, row[j]) for w, row in zip(W, self.forms, strict=True)], b)

        heads = []
        for head in layer.heads:
            (W_K,), (W_Q,), (b_Q,), (W_V,) = head.keys, head.queries, head.bias, head.values
            between = [[self.interval(self.difference(W_K, w, i)) for i in range(self.n)] for w in range(self.n)]
            queries = [self.interval(read(W_Q, j, b_Q)) for j in range(self.n)]
            heads.append((W_V, between, queries, [read(W_V, j) for j in range(self.n)]))
        return [self.attend_column(layer, j, heads) for j in range(self.n)]

    def difference(self, W: Vector, w: int, i: int) -> Form:
        """W . X_w - W . X_i."""
        if self.twin[w] == self.twin[i]:
            return Form((ZERO,) * (self.d * self.n), ZERO, ZERO)
        return self.combine(
            [part for a, row in zip(W, self.forms, strict=True) for part in ((a, row[w]), (-a, row[i]))], ZERO
        )

    def attend_column(
        self, layer: Taken, j: int, heads: list[tuple[Vector, list[list[Interval]], list[Interval], list[Form]]]
    ) -> tuple[list[Form], str]:
        taps = [[[ZERO] * self.n for _ in range(self.d)] for _ in range(self.d)]  # of X_si in row r
        rest: list[list[tuple[mpq, Form]]] = [[] for _ in range(self.d)]
        how = []
        for h, (W_V, between, queries, values) in enumerate(heads):
            w, margins = self.winner(between, queries[j])
            if w is None:
                ends = [self.plain(value) for value in values]
                tiny = max((value.tiny for value in values if value.tiny is not None), default=None)
                hull = Form((ZERO,) * (self.d * self.n), min(a for a, _ in ends), max(b for _, b in ends), tiny)
                how.append("any")
            else:
                lost = [
                    mpq(2) ** -min(MOST, floor(1442 * margin / 1000))
                    * max(map(abs, self.interval(self.difference(W_V, w, i))))
                    for i, margin in margins.items()
                ]
                hull = Form((ZERO,) * (self.d * self.n), ZERO, ZERO, power_above(sum(lost, ZERO)))
                how.append(f"{w}")
            for r in range(self.d):
                rest[r].append((layer.heads[h].out[r][0], hull))
                if w is not None:
                    for s in range(self.d):
                        taps[r][s][self.twin[w]] += layer.heads[h].out[r][0] * W_V[s]
        made = []
        for r in range(self.d):
            taps[r][r][self.twin[j]] += ONE
            parts = [
                (a, form)
                for a_row, row in zip(taps[r], self.forms, strict=True)
                for a, form in zip(a_row, row, strict=True)
            ]
            made.append(self.combine([*parts, *rest[r]], ZERO))
        return made, "heads read " + ", ".join(how)

    def winner(self, between: list[list[Interval]], query: Interval) -> tuple[int | None, dict[int, mpq]]:
        """The column whose score is certainly the largest, and by how much each other column's score is below it; None
        if no column's is, or if it leads by less than 2."""
        for w in range(self.n):
            margins = {}
            for i in range(self.n):
                if self.twin[i] != self.twin[w]:
                    margins[i] = min(a * b for a in between[w][i] for b in query)
            if all(margin >= 2 for margin in margins.values()):
                return w, margins
        return None, {}


def enclose(
    layers: Sequence[Taken], box: Box, *, soft: bool = False
) -> tuple[list[Step], tuple[tuple[Interval, ...], ...]]:
    """Every step, and the intervals of the output's entries."""
    state = Enclosure(box, soft=soft)
    steps = [state.run(layer) for layer in layers]
    return steps, tuple(tuple(state.interval(form) for form in row) for row in state.forms)

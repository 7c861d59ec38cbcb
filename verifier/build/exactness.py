"""Statement 3: how many bits a format needs, layer by layer, so that no sum of the form `float` is ever rounded.

The weights are dyadic rationals, and so is every number that the network meets on the grid. A sum whose terms are
multiples of 2^z, with absolute values that add up to at most 2^(p + z), is exact in p bits in any order, with or
without fused multiply-add: each partial sum is a multiple of 2^z of at most p bits. A sum of two terms has one order
only, and is exact if its value has at most p bits (FORMAT-build.md, 7).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from gmpy2 import mpq

from verifier.build.dtype import floor, quantum, sig, two_to
from verifier.build.float_form import Shape, Values
from verifier.build.layer import Attention, FeedForward, Stack, transpose, weights
from verifier.core.exact import Matrix, Q, Vector

NOTHING = Q(0)


@lru_cache(maxsize=2**16)
def anatomy(x: mpq) -> tuple[int, int]:
    """The bits and the quantum of a number other than 0."""
    return sig(x), quantum(x)


@dataclass
class Meter:
    """The most bits that a sum needed so far, and the exponents met: of the least quantum, of the largest number."""

    bits: int = 0
    least: int = 0
    most: int = 0

    def meet(self, x: mpq) -> int:
        """Records a number's exponents; returns its bits."""
        if not x:
            return 0
        bits, last = anatomy(x)
        self.least, self.most = min(self.least, last), max(self.most, last + bits - 1)
        return bits

    def sum(self, terms: Iterable[mpq], *, into_relu: bool = False) -> mpq:
        """The sum of the terms; the meter records the bits that it needs."""
        there = [term for term in terms if term]
        total = sum(there, NOTHING)
        if not there or (into_relu and max(there) < 0):
            return total
        of_total = self.meet(total)
        needed = max(map(self.meet, there))
        if len(there) <= 2:
            needed = max(needed, of_total)
        else:
            span = sum(map(abs, there), NOTHING) / two_to(min(anatomy(term)[1] for term in there))
            needed = max(needed, (floor(span) - 1).bit_length())
        self.bits = max(self.bits, needed)
        return total

    def merge(self, other: "Meter") -> None:
        self.bits = max(self.bits, other.bits)
        self.least, self.most = min(self.least, other.least), max(self.most, other.most)

    def product(self, row: Vector, z: Vector, *, into_relu: bool = False) -> mpq:
        return self.sum((w * x for w, x in zip(row, z, strict=True)), into_relu=into_relu)


def feed_forward(layer: FeedForward, z: Vector, meter: Meter) -> Vector:
    """The layer's output for a column; the meter records the bits of every sum."""
    hidden = []
    for row, b in zip(layer.W_1, layer.b_1, strict=True):
        t = meter.sum([meter.product(row, z, into_relu=b <= 0), b], into_relu=True)
        hidden.append(max(t, NOTHING))
    out = []
    for x, row, b in zip(z, layer.W_2, layer.b_2, strict=True):
        out.append(meter.sum([x, meter.sum([meter.product(row, tuple(hidden)), b])]))
    return tuple(out)


@dataclass
class Attended:
    """The result of an attention layer on a matrix."""

    after: Matrix
    gaps: list[mpq] = field(default_factory=list)  # of the largest score of a column from the next
    uneven: bool = False  # some column has t winners, t no power of two: 1/t is rounded


def attention(layer: Attention, X: Matrix, meter: Meter) -> Attended:
    """The layer's output for a matrix, with hardmax; the meter records the bits of every sum."""
    columns, result = transpose(X), Attended(X)
    values: list[list[mpq]] = []
    for head in layer.heads:
        keys = [meter.product(head.W_K[0], x) for x in columns]
        queries = [meter.sum([meter.product(head.W_Q[0], x), head.b_Q[0]]) for x in columns]
        v = [meter.product(head.W_V[0], x) for x in columns]
        row = []
        for query in queries:
            scores = [meter.sum([key * query]) for key in keys]
            top = max(scores)
            winners = [k for k, score in enumerate(scores) if score == top]
            if below := [score for score in scores if score < top]:
                result.gaps.append(top - max(below))
            t = len(winners)
            if t & (t - 1):
                result.uneven = True
                return result
            row.append(meter.sum(v[k] / t for k in winners))
        values.append(row)
    after = []
    for x, out in zip(X, layer.W_O, strict=True):
        after.append(
            tuple(meter.sum([x[j], meter.product(out, tuple(row[j] for row in values))]) for j in range(len(columns)))
        )
    result.after = tuple(after)
    return result


@dataclass(frozen=True)
class Exactness:
    bits: tuple[int, ...]  # that each layer needs
    least: int
    most: int
    gap: mpq | None
    excepted: tuple[int, ...]  # ranks of kept cases with uneven ties

    @property
    def needed(self) -> int:
        return max(self.bits)


@dataclass(frozen=True)
class Swept:
    """What the contextual map needs; the rounding of targets doesn't change it."""

    bits: tuple[int, ...]
    meter: Meter
    gap: mpq | None
    excepted: frozenset[int]


def contextual(stack: Stack, inputs: dict[int, Matrix]) -> Swept:
    """The attention layers, on the given cases."""
    layers = stack.attention()
    most, total, excepted = [0] * len(layers), Meter(), set()
    gap: mpq | None = None
    for rank, start in inputs.items():
        X = start
        meters = [Meter() for _ in layers]
        gaps: list[mpq] = []
        for k, layer in enumerate(layers):
            met = attention(layer, X, meters[k])
            if met.uneven:
                excepted.add(rank)
                break
            X = met.after
            gaps += met.gaps
        else:
            most = [max(a, meter.bits) for a, meter in zip(most, meters, strict=True)]
            for meter in meters:
                total.merge(meter)
            gap = min(gaps if gap is None else [gap, *gaps], default=None)
    return Swept(tuple(most), total, gap, frozenset(excepted))


def whole(s: Shape, stack: Stack, v: Values, swept: Swept, images: list[tuple[Vector, ...]]) -> Exactness:
    """Every layer's bits, for the kept cases that have no uneven tie."""
    eps_bits = (
        sig(1 / s.epsilon) - 1 + quantum(1 / s.epsilon) + ((s.instance.n - 1).bit_length() if s.positional else 0)
    )
    bits = [eps_bits for _ in stack.only("quantise", "stretch")] + list(swept.bits)
    total = Meter(least=swept.meter.least, most=swept.meter.most)
    for named in stack.layers:
        for w in weights(named.layer):
            total.meet(w)
    alive = {g for rank in v.kept if rank not in swept.excepted for g in images[rank]}
    for meter in _token_wise(s, stack, v, alive):
        bits.append(meter.bits)
        total.merge(meter)
    return Exactness(tuple(bits), total.least, total.most, swept.gap, tuple(sorted(swept.excepted & set(v.kept))))


def _token_wise(s: Shape, stack: Stack, v: Values, alive: set[Vector]) -> Iterator[Meter]:
    """The bits of the layers from the first write on, over all columns that reach them.

    Columns whose ids are keys K' < K pass a write at K unchanged. K - delta/4 is an odd multiple of delta/4, and so is
    each K - delta/4 - K', which is smaller: of these sums b_1 needs the most bits, so that one column is enough. The
    sum W_1 z, which is the same in all writes, is recorded too. A column that was written has a negative id: if
    b_1 <= 0, only its entries and its sum W_1 z need bits, and the sum only if it has terms of both signs.
    """
    u = s.instance.u
    pending = [w for w in v.writes if w.image in alive]  # by descending key
    reads = [Meter() for _ in pending]  # W_1 z of all columns from t on
    for t, w in reversed(list(enumerate(pending))):
        reads[t].product(u, w.image)
        if t + 1 < len(pending):
            reads[t].merge(reads[t + 1])
    written: list[Vector] = []
    kept, t = Meter(), 0
    for w, layer in zip(v.writes, stack.token_wise("write"), strict=True):
        meter = Meter()
        meter.merge(kept)
        if max(layer.b_1) > 0:
            for z in written:
                feed_forward(layer, z, meter)
        if t < len(pending):
            meter.merge(reads[t])
            after = feed_forward(layer, pending[t].image, meter)
            if pending[t].key == w.key:
                written.append(after)
                kept.product(u, after, into_relu=True)
                for x in after:
                    kept.sum([x])  # which later layers leave as it is
                t += 1
        yield meter
    for layer in stack.token_wise("return", "clip"):
        meter = Meter()
        written = [feed_forward(layer, z, meter) for z in written]
        yield meter

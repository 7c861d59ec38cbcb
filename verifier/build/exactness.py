"""Statement 3: how many bits a format needs, layer by layer, so that no sum of the form `float` is ever rounded.

The weights are dyadic rationals, and so is every number that the network meets on the grid.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from gmpy2 import mpq

from verifier.build.dtype import quantum, sig
from verifier.build.float_form import Shape, Values
from verifier.build.layer import Stack, attend, forward, weights
from verifier.build.meter import Meter
from verifier.core.exact import Matrix, Vector


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
            met = attend(layer, X, meters[k])
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
                forward(layer, z, meter)
        if t < len(pending):
            meter.merge(reads[t])
            after = forward(layer, pending[t].image, meter)
            if pending[t].key == w.key:
                written.append(after)
                kept.product(u, after, into_relu=True)
                for x in after:
                    kept.sum([x])  # which later layers leave as it is
                t += 1
        yield meter
    for layer in stack.token_wise("return", "clip"):
        meter = Meter()
        written = [forward(layer, z, meter) for z in written]
        yield meter

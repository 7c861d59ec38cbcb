"""From a target and an instance to a network and what is proved about it: first sizes, then weights, then
statements."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from gmpy2 import mpq

from verifier.build import exactness, float_form, paper_form, theorem2
from verifier.build.cells import Case, case_count, cases, rounded
from verifier.build.dtype import BY_SIZE, FLOAT64, Dtype, dyadic, floor_log2, power_above, sig, two_to
from verifier.build.exactness import Exactness
from verifier.build.float_form import Shape, Values
from verifier.build.layer import Named, Stack, weights
from verifier.build.sizes import Sizes
from verifier.build.statements import (
    Approximation,
    Distance,
    distance,
    fineness,
    lost_share,
    softmax_bits,
    softmax_bound,
)
from verifier.build.target import Target
from verifier.core.exact import Matrix, Q, Vector, shortened, text_of

MOST_LAYERS, MOST_COLUMNS, MOST_BITS = 5000, 20_000, 10_000
MOST_TARGET_BITS = 20
STRIP = 16  # epsilon = delta / 2^16, where the dtype allows it
THEOREM = (
    "proofs/coq/universal: the blocks are those of `{network}` in Construction.v, at this N, epsilon and lambda;"
    " `{theorem}` is about them at the N, epsilon and lambda that Construction.v computes from a wanted distance"
)
CUBE_THEOREM = THEOREM.format(network="cube_network", theorem="theorem2_cube")
POSITIONAL_THEOREM = THEOREM.format(network="positional_network", theorem="theorem3")
SOFTMAX = two_to(-64)  # lambda is so large that statement 2's bound is below this
MOST_K = 3000  # of statement 2: squares of a bound of about 2^-K then have more digits than a certificate holds


class Refused(ValueError):
    """There is no such network: `kind` is `malformed` or `limit`."""

    def __init__(self, message: str, kind: str = "malformed") -> None:
        super().__init__(message)
        self.kind = kind


@dataclass(frozen=True)
class Softmax:
    K: int | None  # of the form float
    bound: mpq


@dataclass(frozen=True)
class Built:
    """A network, and all that its certificate says."""

    instance: Sizes
    form: str
    positional: bool
    dtype: Dtype
    target: Target
    epsilon: mpq
    rate: mpq
    bits: int | None  # targets are multiples of 2^-bits
    offset: mpq | None
    low: Vector
    high: Vector
    keys: int
    stack: Stack
    cases: tuple[Case, ...]
    kept: dict[int, Matrix]
    softmax: Softmax
    floats: Exactness | str  # or why there is no such statement
    distance: Distance | None
    theorem: str | None = None

    @property
    def parameters(self) -> int:
        return sum(len(weights(named.layer)) for named in self.stack.layers)

    def wanted(self, case: Case) -> Matrix:
        """The target of a case, as rounded, whether it's kept or not."""
        return case.value if self.bits is None else rounded(case.value, self.bits)

    @property
    def lost_share(self) -> mpq:
        return lost_share(self.instance, self.cases, self.kept)


def refuse_if_too_large(i: Sizes, positional: bool, most_layers: int | None, *, paper: bool = False) -> None:
    """Refuses by formulas, before anything is built."""
    most = MOST_LAYERS if most_layers is None else most_layers
    key_bits = (2 * i.n + 2) * i.d * i.N.bit_length() + 2 * i.n.bit_length()
    if key_bits > MOST_BITS:
        raise Refused(f"at {i} keys have about {key_bits:,} bits; at most {MOST_BITS:,} are built", "limit")
    if i.d * i.N * (i.n if positional else 1) > most:
        least = i.d * i.N * (i.n if positional else 1)
        raise Refused(f"at {i} the quantiser alone has more than {least:,} layers; --max-layers is {most:,}", "limit")
    count = (paper_form.block_count if paper else float_form.layer_count)(i, positional)
    if count > most:
        raise Refused(f"at {i} the network has {_large(count)} layers; --max-layers is {most:,}", "limit")
    columns = case_count(i, positional) * i.n
    if columns > MOST_COLUMNS:
        what = "contexts" if positional else "orbits"
        raise Refused(
            f"at {i} there are {_large(columns)} columns in {_large(columns // i.n)} {what} to compute; at most"
            f" {MOST_COLUMNS:,} are built",
            "limit",
        )


def _large(count: int) -> str:
    return f"{count:,}" if count < 10**15 else f"about 2^{count.bit_length() - 1}"


def refuse_other_bases(i: Sizes) -> None:
    if i.N & (i.N - 1):
        below = 1 << (i.N.bit_length() - 1)
        near = below if i.N - below <= 2 * below - i.N and below >= 2 else 2 * below
        raise Refused(
            f"N = {i.N} is no power of two, so that delta = 1/{i.N} is no number of any float format, and no network of"
            f" the form float is exact; the nearest that works is N = {near} (--form paper is exact in rationals alone)"
        )


def shape_of(i: Sizes, dtype: Dtype, positional: bool, epsilon: mpq | None, rate: mpq | None) -> Shape:
    """epsilon as narrow as the format allows, down to delta/2^16; lambda the least power of two that serves."""
    spare = dtype.p - ((i.n - 1).bit_length() if positional else 0) - (i.N.bit_length() - 1)
    if spare < 1:
        what = f"n = {i.n} positions and N = {i.N} cells" if positional else f"N = {i.N} cells"
        raise Refused(f"{dtype.name} has {dtype.p} bits, too few for the quantiser of {what}", "limit")
    if epsilon is None:
        epsilon = i.delta / two_to(min(STRIP, spare))
    elif not (0 < epsilon <= i.delta / 2) or not dyadic(epsilon) or sig(epsilon) != 1:
        raise Refused(f"epsilon = {epsilon}: it must be a power of two, above 0 and at most delta/2 = {i.delta / 2}")
    elif epsilon < i.delta / two_to(spare):
        least = i.delta / two_to(spare)
        raise Refused(f"epsilon = {epsilon} is too narrow for {dtype.name}; the least is {least}", "limit")
    shape = Shape(i, positional, epsilon, Q(1))
    unit = softmax_bound(shape, 0) / SOFTMAX
    K = floor_log2(unit) + 1
    least = power_above(max(Q(2 * i.N**2 * dtype.underflow), Q(32 * i.N**2 * K, 9)))
    if rate is None:
        rate = least
    elif rate < least or not dyadic(rate) or sig(rate) != 1:
        raise Refused(f"lambda = {rate}: it must be a power of two, at least {least} at {i} in {dtype.name}")
    elif softmax_bits(replace(shape, rate=rate)) > MOST_K:
        most = two_to(floor_log2(Q(32 * i.N**2 * (MOST_K + 1), 9)))
        raise Refused(
            f"lambda = {shortened(text_of(rate), 40)}: at {i} at most {most} is built, or the bounds of the statements,"
            " of about 18 lambda / (32 N^2) bits, are longer than a certificate's numbers",
            "limit",
        )
    return replace(shape, rate=rate)


def build(
    i: Sizes,
    target: Target,
    dtype: Dtype = FLOAT64,
    *,
    positional: bool = False,
    epsilon: mpq | None = None,
    rate: mpq | None = None,
    target_bits: int | None = None,
    most_layers: int | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> Built:
    """The network of the form `float`, with its four statements; or Refused."""
    refuse_other_bases(i)
    refuse_if_too_large(i, positional, most_layers)
    shape = shape_of(i, dtype, positional, epsilon, rate)
    asked = cases(i, target, i.delta / 2, positional)
    say(f"{len(asked)} {'contexts' if positional else 'orbits'} through the contextual map")
    images = float_form.images(shape, asked)
    found = _fitting(shape, dtype, asked, images, target_bits)
    if isinstance(found, Refused):
        others = [other for other in BY_SIZE if other is not dtype and other.p > dtype.p]
        serves = next(
            (other.name for other in others if _serves(i, other, positional, asked, images, target_bits)), None
        )
        least = f"the smallest format that does is {serves}" if serves else "no format here does"
        raise Refused(f"{found}; {least}", "limit")
    v, stack, exact, bits = found
    softmax = Softmax(softmax_bits(shape), softmax_bound(shape, softmax_bits(shape)))
    outputs = None
    if target.bounded and fineness(i) is not None:
        say("measuring the distance")
        outputs = {case.rank: stack.run(case.L) for case in asked if case.rank not in v.kept}
    a = Approximation(i, positional, shape.epsilon, i.delta / 2, softmax.bound, v.low, v.high, asked, v.kept)
    return Built(
        instance=i,
        form="float",
        positional=positional,
        dtype=dtype,
        target=target,
        epsilon=shape.epsilon,
        rate=shape.rate,
        bits=bits,
        offset=v.offset,
        low=v.low,
        high=v.high,
        keys=len(v.writes),
        stack=stack,
        cases=asked,
        kept=v.kept,
        softmax=softmax,
        floats=exact,
        distance=distance(a, target, outputs),
    )


def build_paper(
    i: Sizes,
    target: Target,
    dtype: Dtype = FLOAT64,
    *,
    positional: bool = False,
    epsilon: mpq | None = None,
    rate: mpq | None = None,
    most_layers: int | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> Built:
    """The network of the form `paper`. Nothing is claimed about it in floats."""
    refuse_if_too_large(i, positional, most_layers, paper=True)
    if epsilon is None:
        epsilon = i.delta / 64
    elif not 0 < epsilon <= i.delta / 2:
        raise Refused(f"epsilon = {epsilon}: it must be above 0 and at most delta/2 = {i.delta / 2}")
    least = paper_form.least_rate(i, positional)
    if rate is None:
        rate = least
    elif rate < least:
        raise Refused(f"lambda = {rate}: at {i} the proof needs at least {least}")
    asked = cases(i, target, Q(0), positional)
    F = max(abs(x) for case in asked for row in case.value for x in row) or Q(1)
    say(f"{paper_form.block_count(i, positional)} blocks")
    try:
        stack = paper_form.network(i, asked, positional, epsilon, rate, F)
    except theorem2.TooLarge as error:
        raise Refused(
            f"{error}: a later layer of the value map could take a column that is written for one that isn't;"
            " --form float takes any targets"
        ) from error
    kept = paper_form.kept(stack, asked)
    bound = paper_form.softmax_bound(i, positional, rate)
    low, high = (-F,) * i.d, (F,) * i.d
    say("running the cells")
    outputs = None
    if target.bounded and fineness(i) is not None:
        outputs = {case.rank: stack.run(case.L) for case in asked if case.rank not in kept}
    a = Approximation(i, positional, epsilon, i.delta, bound, low, high, asked, kept)
    return Built(
        instance=i,
        form="paper",
        positional=positional,
        dtype=dtype,
        target=target,
        epsilon=epsilon,
        rate=rate,
        bits=None,
        offset=None,
        low=low,
        high=high,
        keys=len(stack.only("write")),
        stack=stack,
        cases=asked,
        kept=kept,
        softmax=Softmax(None, bound),
        floats=f"the ReLUs of a strip have slopes up to delta/epsilon = {i.delta / epsilon} and cancel, and weights are"
        " rounded: the form paper is no network for floats",
        distance=distance(a, target, outputs),
        theorem=POSITIONAL_THEOREM if positional else CUBE_THEOREM,
    )


def _serves(
    i: Sizes,
    dtype: Dtype,
    positional: bool,
    asked: tuple[Case, ...],
    images: list[tuple[Vector, ...]],
    target_bits: int | None,
) -> bool:
    try:
        shape = shape_of(i, dtype, positional, None, None)
    except Refused:
        return False
    return not isinstance(_fitting(shape, dtype, asked, images, target_bits), Refused)


Fitting = tuple[Values, Stack, Exactness, int]


def _fitting(
    s: Shape, dtype: Dtype, asked: tuple[Case, ...], images: list[tuple[Vector, ...]], target_bits: int | None
) -> Fitting | Refused:
    """With targets rounded as finely as the format allows (20 bits at most), or as asked for; or why there is none."""
    front = (*float_form.quantiser(s), *float_form.contextual_map(s))
    inputs = {case.rank: s.enter(case.L) for case in asked}
    bits = MOST_TARGET_BITS if target_bits is None else target_bits
    coarsest = s.instance.N.bit_length() if target_bits is None else target_bits
    swept: exactness.Swept | None = None
    while True:
        v = float_form.values(s, asked, images, bits)
        layers: tuple[Named, ...] = (*front, *float_form.value_map(s, v))
        stack = Stack(s.instance.d, s.instance.n, layers, s.encoding)
        if swept is None:
            swept = exactness.contextual(stack, {rank: inputs[rank] for rank in v.kept})
        exact = exactness.whole(s, stack, v, swept, images)
        if (why := _refusal(stack, exact, dtype, s)) is None:
            return v, stack, exact, bits
        over = exact.needed - dtype.p
        if over <= 0 or bits - over < coarsest or max(swept.bits) > dtype.p:
            return Refused(why, "limit")
        bits -= over


def _refusal(stack: Stack, exact: Exactness, dtype: Dtype, s: Shape) -> str | None:
    """Why a network isn't exact in a format; None if it is."""
    if exact.needed > dtype.p:
        named = stack.layers[exact.bits.index(exact.needed)]
        return f"layer {named.name} needs {exact.needed} bits at {s.instance}, and {dtype.name} has {dtype.p}"
    if not (dtype.least <= exact.least and exact.most <= dtype.most):
        what = "overflow" if exact.most > dtype.most else "are too small for"
        edge = exact.most if exact.most > dtype.most else exact.least
        return f"numbers as {'large' if edge > 0 else 'small'} as 2^{edge} {what} {dtype.name} at {s.instance}"
    if exact.gap is not None and exact.gap < dtype.underflow:
        return f"scores are only {exact.gap} apart, and exp is 0 in {dtype.name} from -{dtype.underflow} down"
    return None

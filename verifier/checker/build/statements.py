"""FORMAT-build 7: the four statements, derived from what was run, and compared with what the certificate says."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from ..core.comparing import Rejected, compare
from ..core.reading import brief, text_of
from . import distance as far
from .dyadic import Dtype, floor_log2, zeros
from .files import Network
from .form import Column, Shape
from .reading import number
from .run import Meter, Stored, Swept
from .targets import Targets

ZERO = Fraction(0)


class Ran(NamedTuple):
    """A network whose layers are those of the construction, and its output for every orbit, with hardmax."""

    s: Shape
    dtype: Dtype
    network: Network
    places: int
    stored: list[Stored]
    targets: Targets
    swept: Swept
    kept: set[int]
    out: list[list[Column]]  # by orbit and column
    after: list[Meter]  # of the layers behind the contextual map


def statements(cert: dict[str, Any], ran: Ran) -> None:
    """Everything in a certificate except its network."""
    lost_share = exact(cert, ran)
    s = ran.s
    K, bound = far.softmax(s)
    compare({"K": K, "bound": text_of(bound)}, cert["softmax"], "softmax", "FORMAT-build 7, softmax")
    if bound >= s.delta / 8:
        raise Rejected("FORMAT-build 7, softmax", "softmax.bound", f"less than delta/8 = {s.delta / 8}", text_of(bound))
    floats(cert, ran)
    same(distance(cert, ran, lost_share), cert["distance"], "distance", "FORMAT-build 7, distance")
    excepted = bool(ran.swept.uneven & ran.kept)
    compare(not_covered(cert, excepted), cert["not_covered"], "not_covered", "FORMAT-build 7, not_covered")


def same(expected: Any, found: Any, place: str, rule: str) -> None:
    """`compare`, where null may stand."""
    if isinstance(expected, dict) and isinstance(found, dict) and expected.keys() == found.keys():
        for name, part in expected.items():
            same(part, found[name], f"{place}.{name}", rule)
    else:
        compare(expected, found, place, rule)


def exact(cert: dict[str, Any], ran: Ran) -> Fraction:
    """Statement 1; returns the share of lost cells."""
    s = ran.s
    for rank in sorted(ran.kept):
        target = ran.targets.rounded[rank]
        if ran.out[rank] != target:
            wanted, found = ([list(map(text_of, z)) for z in side] for side in (target, ran.out[rank]))
            raise Rejected("FORMAT-build 7, exact", f"orbit {rank}, the output by columns", brief(wanted), brief(found))
    lost = [numbers for rank, numbers in enumerate(s.numbered()) if rank not in ran.kept]
    share = Fraction(sum(map(s.cells, lost)), s.B**s.n)
    said = {"orbits": s.cases, "kept": len(ran.kept), "lost": len(lost), "lost_share": text_of(share)}
    compare(said, cert["exact"], "exact", "FORMAT-build 7, exact")
    return share


def floats(cert: dict[str, Any], ran: Ran) -> None:
    """Statement 3."""
    s, dtype, network, rule = ran.s, ran.dtype, ran.network, "FORMAT-build 7, float"
    ranks = sorted(ran.kept - ran.swept.uneven)
    sweeps = len(s.levels) + 1  # and the global shift
    width = floor_log2(1 / s.epsilon) + ((s.n - 1).bit_length() if s.positional else 0)
    bits = [width] * (len(network.layers) - len(ran.after) - sweeps)
    bits += [max((ran.swept.meters[rank][k].bits for rank in ranks), default=0) for k in range(sweeps)]
    bits += [meter.bits for meter in ran.after]
    met = 0
    for meter in [m for rank in ranks for m in ran.swept.meters[rank]] + ran.after:
        met |= meter.met
    for layer in ran.stored:
        for x in (x for rows in layer.tensors.values() for row in rows for x in row):
            met |= abs(x)
    exponents = [zeros(met) - ran.places, met.bit_length() - 1 - ran.places]  # delta/2 and B are weights
    gaps = [gap for rank in ranks if (gap := ran.swept.gaps[rank]) is not None]
    least = Fraction(min(gaps), 1 << 2 * ran.places) if gaps else None
    for k, (wanted, found) in enumerate(zip(bits, cert["float"]["bits"], strict=False)):
        compare(wanted, found, f"float.bits[{k}] (layer {network.layers[k].name})", rule)
    derived = {
        "bits": bits,
        "needed": max(bits),
        "p": dtype.p,
        "exponents": exponents,
        "gap": None if least is None else text_of(least),
        "underflow": dtype.underflow,
        "except": sorted(ran.swept.uneven & ran.kept),
        "assumed": assumed(dtype),
    }
    same(derived, cert["float"], "float", rule)
    if max(bits) > dtype.p:
        where = f"layer {network.layers[bits.index(max(bits))].name}"
        raise Rejected(rule, where, f"sums of at most {dtype.p} bits, as {dtype.name} has", f"{max(bits)} bits")
    if exponents[0] < dtype.least or exponents[1] > dtype.most:
        raise Rejected(
            rule, "float.exponents", f"within [{dtype.least}, {dtype.most}], {dtype.name}'s", brief(exponents)
        )
    if least is not None and least < dtype.underflow:
        raise Rejected(rule, "float.gap", f"at least {dtype.underflow}", text_of(least))


def distance(cert: dict[str, Any], ran: Ran, lost_share: Fraction) -> dict[str, Any] | None:
    """Statement 4; nothing where no range and no constant follow."""
    s, f = ran.s, ran.targets.f
    if f.bounds is None:
        return None
    out = far.Outputs(ran.out, ran.kept, roundings(ran))
    low, high = ([number(x, name) for x in cert["parameters"][name]] for name in ("low", "high"))
    derived = far.distance(s, f.bounds, low, high, lost_share, out, reach=s.delta / 2, bound=far.softmax(s)[1])
    return derived | {"measured": far.measured(s, f, out)}


def roundings(ran: Ran) -> list[Fraction]:
    """The largest |A - f(centre)| of each row."""
    worst = [ZERO] * ran.s.d
    for rank in ran.kept:
        for a, f in zip(ran.targets.rounded[rank], ran.targets.plain[rank], strict=True):
            worst = [max(w, abs(x - y)) for w, x, y in zip(worst, a, f, strict=True)]
    return worst


def assumed(dtype: Dtype) -> list[str]:
    return [
        "a sum or product whose exact value the format holds is that value, and no operation changes the order of"
        " two numbers (IEEE 754, round to nearest; with or without fused multiply-add)",
        f"exp(0) = 1, and exp(t) = 0 for t <= -{dtype.underflow}",
        "1/t is exact for t a power of two up to n, and a product with 0 is 0",
    ]


def not_covered(cert: dict[str, Any], excepted: bool) -> list[str]:
    name = cert["dtype"]
    words = ["points outside the cube [0, 1)^(dn)"]
    if cert["form"] == "float":
        words.append(f"the output in {name} on the strips, where sums are rounded")
    if excepted:
        words.append(f"the output in {name} on the orbits of `except`, where t columns tie and t is no power of two")
    if cert["distance"] is None:
        words.append("the distance to f: no modulus of continuity follows from the target")
    return [*words, "what a runtime makes of model.onnx or model.safetensors, beyond what statement 3 assumes of it"]

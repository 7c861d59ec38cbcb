"""FORMAT-build: a built network's certificate, derived anew from its targets and its files, and compared."""

from __future__ import annotations

import hashlib
import os
from fractions import Fraction
from typing import Any, NamedTuple

from ..comparing import OverLimit, Rejected, compare
from ..reading import Unreadable, brief, fits
from . import distance as far
from . import expression
from .dyadic import DTYPES, Dtype, floor_log2, zeros
from .files import Layer, Network, Rows, contents, count, from_safetensors, from_weights, members, number, rows, tensors
from .form import Column, Shape, Write, front, keep, tail
from .onnx import from_onnx
from .run import Meter, Runner, token_wise, places_of

FORMAT = "verifier.build/1"
MOST_STEPS = 20_000_000
ZERO = Fraction(0)
CERTIFIED = ("weights.json", "model.safetensors", "model.onnx")
_EXACT = {"orbits": "count", "kept": "count", "lost": "count", "lost_share": "rational"}
_MEMBERS = (
    "format instance form positional dtype parameters size target orbits files exact softmax float distance not_covered"
)
_FLOAT = ("bits", "needed", "p", "exponents", "gap", "underflow", "except", "assumed")


class Said(NamedTuple):
    """What a certificate says of its network, and of the target: parsed, and not believed."""

    shape: Shape
    dtype: Dtype
    targets: list[list[Column] | None]  # by orbit, by column, as rounded
    plain: list[list[Column] | None]  # before rounding, where that is known
    bounds: far.Bounds | None


def shape_fits(value: Any) -> dict[str, Any]:
    """The certificate, if it has the shape of one."""
    cert = members(value, tuple(_MEMBERS.split()), "the certificate")
    fits({"d": "count", "n": "count", "N": "count"}, cert["instance"], "instance")
    fits(("float", "paper"), cert["form"], "form")
    fits(tuple(DTYPES), cert["dtype"], "dtype")
    if type(cert["positional"]) is not bool:
        raise Unreadable("positional: true or false belongs there")
    names = ("epsilon", "lambda", "quantum", "offset", "low", "high")
    parameters = members(cert["parameters"], names, "parameters")
    for name in names[:4]:
        fits("rational", parameters[name], f"parameters.{name}")
    for name in names[4:]:
        fits(["rational"], parameters[name], f"parameters.{name}")
    fits({"layers": "count", "parameters": "count", "keys": "count"}, cert["size"], "size")
    fits(dict.fromkeys(CERTIFIED, "text"), cert["files"], "files")
    fits(_EXACT, cert["exact"], "exact")
    fits({"K": "count", "bound": "rational"}, cert["softmax"], "softmax")
    fits(["text"], cert["not_covered"], "not_covered")
    if type(cert["orbits"]) is not list:
        raise Unreadable("orbits: a list belongs there")
    for k, orbit in enumerate(cert["orbits"]):
        place = f"orbits[{k}]"
        members(orbit, ("matrix", "target", "kept"), place)
        fits([["rational"]], orbit["matrix"], f"{place}.matrix")
        if orbit["target"] is not None:
            fits([["rational"]], orbit["target"], f"{place}.target")
        if type(orbit["kept"]) is not bool:
            raise Unreadable(f"{place}.kept: true or false belongs there")
    floats = members(cert["float"], _FLOAT, "float")
    fits(["text"], floats["assumed"], "float.assumed")
    return cert


def shape_of(cert: dict[str, Any]) -> tuple[Shape, Dtype]:
    """FORMAT-build 5: the instance and the numbers that the front of the network follows from."""
    d, n, N = (cert["instance"][name] for name in ("d", "n", "N"))
    for name, value, least in (("d", d, 1), ("n", n, 2), ("N", N, 2)):
        if value < least:
            raise Rejected("FORMAT 1, instance", f"instance.{name}", f"at least {least}", brief(value))
    if cert["form"] == "paper":
        raise Unreadable("form: this checker has no rules for the form `paper`, and checked nothing")
    if N & (N - 1):
        raise Rejected("FORMAT-build 5", "instance.N", "a power of two", brief(N))
    if n > 1000 or d > 20 or N > 2**20:
        raise OverLimit(f"(d, n, N) = ({d}, {n}, {N}); the limits are d <= 20, n <= 1000 and N <= 2^20")
    epsilon, rate = (number(cert["parameters"][name], name) for name in ("epsilon", "lambda"))
    if not (
        0 < epsilon <= Fraction(1, 2 * N)
        and epsilon.numerator == 1
        and not epsilon.denominator & (epsilon.denominator - 1)
    ):
        raise Rejected("FORMAT-build 5", "parameters.epsilon", "delta / 2^s, s >= 1", str(epsilon))
    if rate < 1 or rate.denominator != 1 or rate.numerator & (rate.numerator - 1) or rate.numerator.bit_length() > 200:
        raise Rejected("FORMAT-build 5", "parameters.lambda", "a power of two, from 1 to 2^199", str(rate))
    return Shape(d, n, N, cert["positional"], epsilon, rate), DTYPES[cert["dtype"]]


def refuse_too_much(s: Shape, max_points: int, default: int) -> None:
    """Sizes first: columns through the contextual map, and keys past keys."""
    allowed = MOST_STEPS * max(1, max_points // default)
    levels = s.B * (s.n if s.positional else 1)
    if s.d * s.N.bit_length() * (s.n + 2) > 4000 or levels > allowed or s.cases > allowed:
        raise OverLimit(f"{levels} levels; at most {allowed} steps are made")
    swept, passed = s.cases * s.n * s.n * levels * 10, (s.cases * s.n) ** 2 // 2
    if swept + passed > allowed:
        raise OverLimit(f"{swept + passed:,} steps at {s.cases:,} orbits; at most {allowed:,} are made (--max-points)")


def by_columns(X: Rows) -> list[Column]:
    return list(zip(*X, strict=True))


def read(cert: dict[str, Any], s: Shape, dtype: Dtype) -> Said:
    """FORMAT-build 6: the orbits in order, and their targets."""
    quantum = number(cert["parameters"]["quantum"], "quantum")
    if quantum.numerator != 1 or quantum.denominator & (quantum.denominator - 1):
        raise Rejected("FORMAT-build 6", "parameters.quantum", "2^-b", str(quantum))
    target = cert["target"]
    kind = target.get("kind") if type(target) is dict else None
    bounds, terms = None, None
    if kind == "expression":
        members(target, ("kind", "text"), "target")
        if type(target["text"]) is not str:
            raise Unreadable("target.text: a text belongs there")
        terms = expression.rows(target["text"], s.d, s.n, positional=s.positional)
        bounds = far.Bounds([(t.low, t.high) for t in terms], [t.lipschitz for t in terms], terms)
    elif kind == "table":
        members(target, ("kind",), "target")
    elif kind == "function":
        members(target, ("kind", "range", "lipschitz"), "target")
        if target["range"] is not None and target["lipschitz"] is not None:
            ranges = rows(target["range"], "target.range")
            fits(["rational"], target["lipschitz"], "target.lipschitz")
            L = [number(x, "target.lipschitz") for x in target["lipschitz"]]
            if (
                len(ranges) != s.d
                or len(ranges[0]) != 2
                or len(L) != s.d
                or min(L) < 0
                or any(a > b for a, b in ranges)
            ):
                raise Unreadable("target: a range [a, b] and a constant for each row belong there")
            bounds = far.Bounds([(a, b) for a, b in ranges], L, None)
    else:
        raise Unreadable("target.kind: expression, table or function belongs there")
    if len(cert["orbits"]) != s.cases:
        raise Rejected("FORMAT-build 7", "orbits", f"{s.cases} of them", f"{len(cert['orbits'])}")
    targets: list[list[Column] | None] = []
    plain: list[list[Column] | None] = []
    for k, (numbers, orbit) in enumerate(zip(s.numbered(), cert["orbits"], strict=True)):
        L = s.corner(numbers)
        compare(
            [[str(x) for x in row] for row in L], orbit["matrix"], f"orbits[{k}].matrix", "FORMAT 2, orbits in order"
        )
        if terms is not None:
            X = [[x + s.delta / 2 for x in row] for row in L]
            A = [[term.at(X, i, j) for j in range(s.n)] for i, term in enumerate(terms)]
            rounded = [[(2 * x / quantum + 1) // 2 * quantum for x in row] for row in A]
            wanted = [[str(x) for x in row] for row in rounded]
            if orbit["target"] is None:
                raise Rejected("FORMAT-build 6", f"orbits[{k}].target", brief(wanted), "null")
            compare(wanted, orbit["target"], f"orbits[{k}].target", "FORMAT-build 6, the target at the centre, rounded")
            plain.append(by_columns(A))
            targets.append(by_columns(rounded))
            continue
        plain.append(None)
        if orbit["target"] is None and kind == "function":
            raise Rejected("FORMAT-build 7", f"orbits[{k}].target", "the value of the function", "null")
        given = None if orbit["target"] is None else rows(orbit["target"], f"orbits[{k}].target")
        if given is not None and (len(given), len(given[0])) != (s.d, s.n):
            raise Rejected("FORMAT-build 7", f"orbits[{k}].target", f"a {s.d} x {s.n} matrix", f"{len(given)} rows")
        if given is not None and any((x / quantum).denominator != 1 for row in given for x in row):
            raise Rejected("FORMAT-build 6", f"orbits[{k}].target", f"multiples of {quantum}", brief(orbit["target"]))
        targets.append(None if given is None else by_columns(given))
    return Said(s, dtype, targets, plain, bounds)


def same_layers(expected: list[Layer], network: Network, at: int) -> None:
    """FORMAT-build 5: the layers from `at` on are as the construction has them."""
    for k, wanted in enumerate(expected, at):
        place, rule = f"weights.json, layer {k} ({wanted.name})", "FORMAT-build 5"
        if k >= len(network.layers):
            raise Rejected(rule, place, "a layer", "the end of the network")
        found = network.layers[k]
        if (found.kind, found.name) != (wanted.kind, wanted.name):
            raise Rejected(rule, place, f"{wanted.kind} {wanted.name}", f"{found.kind} {found.name}")
        for name, rows_ in wanted.tensors.items():
            compare(texts(rows_), texts(found.tensors[name]), f"{place}.{name}", rule)


def texts(X: Rows) -> list[list[str]]:
    return [[str(x) for x in row] for row in X]


def same_tensors(network: Network, found: dict[str, Rows], file: str) -> None:
    """FORMAT-build 1: the file holds the very numbers of weights.json."""
    for name, rows_, _ in tensors(network):
        if found[name] != rows_:
            parts = name.split(".")
            where = f"layer {parts[1]} ({network.layers[int(parts[1])].name}), {parts[2]}" if len(parts) == 3 else name
            compare(texts(rows_), texts(found[name]), f"{file}, {where}", "FORMAT-build 1, the weights of weights.json")


class Swept(NamedTuple):
    """What the contextual map makes of every orbit, and what was met on the way."""

    images: list[list[tuple[int, ...]]]
    gaps: list[int | None]
    uneven: set[int]
    meters: list[list[Meter]]


def sweep(s: Shape, runner: Runner) -> Swept:
    layers = [layer for layer in runner.layers if layer.kind == "attention"]
    made = Swept([], [], set(), [])
    for rank, numbers in enumerate(s.numbered()):
        X, meters, least = runner.enter(s.corner(numbers)), [Meter() for _ in layers], None
        for layer, meter in zip(layers, meters, strict=True):
            X, gap, uneven = runner.attend(layer, X, meter)
            least = gap if least is None else least if gap is None else min(gap, least)
            if uneven:
                made.uneven.add(rank)
        made.images.append(X)
        made.gaps.append(least)
        made.meters.append(meters)
    return made


def check(value: Any, path: str, max_points: int, default: int) -> str:
    """Checks a certificate and the folder that it is in; returns the words for one that stands."""
    cert = shape_fits(value)
    s, dtype = shape_of(cert)
    refuse_too_much(s, max_points, default)
    said = read(cert, s, dtype)
    folder = os.path.dirname(path) or "."
    files = {name: contents(folder, name) for name in CERTIFIED}
    network = from_weights(files["weights.json"])
    compare([s.d, s.n], [network.d, network.n], "weights.json, d and n", "FORMAT-build 2")
    compare(
        None if s.encoding is None else texts(s.encoding),
        None if network.encoding is None else texts(network.encoding),
        "weights.json, encoding",
        "FORMAT-build 5",
    ) if s.encoding is None or network.encoding is None or s.encoding != network.encoding else None
    before = front(s)
    same_layers(before, network, 0)
    runner = Runner(network, places_of(network))
    swept = sweep(s, runner)
    unit = Fraction(1, 1 << runner.places)
    images = [[tuple(x * unit for x in z) for z in X] for X in swept.images]
    kept, writes = keep(s, said.targets, images)
    for k, orbit in enumerate(cert["orbits"]):
        compare(k in kept, orbit["kept"], f"orbits[{k}].kept", "FORMAT-build 5, kept orbits")
    if not kept:
        raise Rejected("FORMAT-build 5", "orbits", "one that is kept, at least", "none")
    offset, low, high = around(s, writes)
    for name, wanted in (("offset", str(offset)), ("low", list(map(str, low))), ("high", list(map(str, high)))):
        compare(wanted, cert["parameters"][name], f"parameters.{name}", "FORMAT-build 5")
    after = tail(s, writes, offset, low, high)
    same_layers(after, network, len(before))
    if len(network.layers) != len(before) + len(after):
        k = len(before) + len(after)
        raise Rejected("FORMAT-build 5", f"weights.json, layer {k}", "the end of the network", network.layers[k].name)
    in_safetensors, found = from_safetensors(files["model.safetensors"], network)
    if in_safetensors is not dtype:
        raise Rejected("FORMAT-build 3", "model.safetensors", dtype.name, in_safetensors.name)
    same_tensors(network, found, "model.safetensors")
    same_tensors(network, from_onnx(files["model.onnx"], network, dtype), "model.onnx")
    statements(cert, said, network, runner, swept, kept, len(before))
    for name, data in files.items():
        compare(hashlib.sha256(data).hexdigest(), cert["files"][name], f"files.{name}", "FORMAT-build 7, SHA-256")
    return words(cert, s, dtype, len(network.layers), len(kept))


def around(s: Shape, writes: list[Write]) -> tuple[Fraction, list[Fraction], list[Fraction]]:
    """FORMAT-build 5: S, and the least and the largest target of each row."""
    largest = max(ZERO, *(sum((a * x for a, x in zip(s.u, w.target, strict=True)), ZERO) for w in writes)) + 1
    e = floor_log2(largest)
    offset = Fraction(1 << e)
    by_row = list(zip(*(w.target for w in writes), strict=True))
    return offset if offset == largest else 2 * offset, list(map(min, by_row)), list(map(max, by_row))


def statements(
    cert: dict[str, Any], said: Said, network: Network, runner: Runner, swept: Swept, kept: set[int], start: int
) -> None:
    """FORMAT-build 7: the four statements, each derived and compared."""
    s, unit = said.shape, Fraction(1, 1 << runner.places)
    excepted = sorted(swept.uneven & kept)
    metered = {z for rank in kept - swept.uneven for z in swept.images[rank]}
    columns = list(dict.fromkeys(z for X in swept.images for z in X))
    meters = [Meter() for _ in runner.layers[start:]]
    ends = token_wise(runner, runner.layers[start:], columns, metered, meters)
    out = [[tuple(x * unit for x in ends[z]) for z in X] for X in swept.images]
    for rank in sorted(kept):
        target = said.targets[rank]
        if target is None or out[rank] != target:
            wanted, found = ([list(map(str, z)) for z in side or []] for side in (target, out[rank]))
            raise Rejected(
                "FORMAT-build 7, exact", f"the network's output on orbit {rank}", brief(wanted), brief(found)
            )
    lost = [rank for rank in range(s.cases) if rank not in kept]
    numbers = list(s.numbered())
    lost_share = Fraction(sum(s.cells(numbers[rank]) for rank in lost), s.B**s.n)
    exact = {"orbits": s.cases, "kept": len(kept), "lost": len(lost), "lost_share": str(lost_share)}
    compare(exact, cert["exact"], "exact", "FORMAT-build 7, exact")
    entries = sum(len(r) for _, rows_, _ in tensors(network._replace(encoding=None)) for r in rows_)
    keys = len(network.layers) - start - 1 - s.d
    size = {"layers": len(network.layers), "parameters": entries, "keys": keys}
    compare(size, cert["size"], "size", "FORMAT-build 7, size")
    K, bound = far.softmax(s)
    compare({"K": K, "bound": str(bound)}, cert["softmax"], "softmax", "FORMAT-build 7, softmax")
    if bound >= s.delta / 8:
        raise Rejected("FORMAT-build 7, softmax", "softmax.bound", f"less than delta/8 = {s.delta / 8}", str(bound))
    floats(cert, said, network, runner, swept, kept, excepted, meters)
    derived = None
    if said.bounds is not None:
        rounding = roundings(said, kept, cert)
        outputs = far.Outputs(out, kept, rounding)
        low, high = ([number(x, "") for x in cert["parameters"][name]] for name in ("low", "high"))
        derived = far.distance(s, said.bounds, low, high, lost_share, outputs)
        terms = said.bounds.terms
        measured = cert["distance"].get("measured") if type(cert["distance"]) is dict else None
        derived["measured"] = measured if terms is None else far.measured(s, terms, outputs)
    same(derived, cert["distance"], "distance", "FORMAT-build 7, distance")
    compare(not_covered(cert, said.dtype, excepted), cert["not_covered"], "not_covered", "FORMAT-build 7, not_covered")


def same(expected: Any, found: Any, place: str, rule: str) -> None:
    """`compare`, where null may stand."""
    if expected is None or found is None:
        if expected is not found:
            raise Rejected(rule, place, brief(expected), brief(found))
    elif isinstance(expected, dict) and isinstance(found, dict) and expected.keys() == found.keys():
        for name, part in expected.items():
            same(part, found[name], f"{place}.{name}", rule)
    else:
        compare(expected, found, place, rule)


def roundings(said: Said, kept: set[int], cert: dict[str, Any]) -> list[Fraction]:
    """The largest |A - f(centre)| of each row; of a function, of which f isn't known, what the certificate says."""
    if said.bounds is None or said.bounds.terms is None:
        stated = cert["distance"].get("rounding") if type(cert["distance"]) is dict else None
        fits(["rational"], stated, "distance.rounding")
        half = number(cert["parameters"]["quantum"], "quantum") / 2
        found = [number(x, "distance.rounding") for x in stated or []]
        if len(found) != said.shape.d or any(not 0 <= x <= half for x in found):
            raise Rejected("FORMAT-build 7", "distance.rounding", f"0 to {half} in each row", brief(stated))
        return found
    worst = [ZERO] * said.shape.d
    for rank in kept:
        for a, f in zip(said.targets[rank] or [], said.plain[rank] or [], strict=True):
            worst = [max(w, abs(x - y)) for w, x, y in zip(worst, a, f, strict=True)]
    return worst


def floats(
    cert: dict[str, Any],
    said: Said,
    network: Network,
    runner: Runner,
    swept: Swept,
    kept: set[int],
    excepted: list[int],
    after: list[Meter],
) -> None:
    """Statement 3."""
    s, dtype, rule = said.shape, said.dtype, "FORMAT-build 7, float"
    if "refused" in cert["float"]:
        raise Rejected(rule, "float", "the statement", "refused")
    width = floor_log2(1 / s.epsilon) + ((s.n - 1).bit_length() if s.positional else 0)
    quantised = len(network.layers) - len(after) - len(swept.meters[0])
    ranks = sorted(kept - swept.uneven)
    bits = [max((swept.meters[rank][k].bits for rank in ranks), default=0) for k in range(len(swept.meters[0]))]
    bits = [width] * quantised + bits + [meter.bits for meter in after]
    met = 0
    for meter in [m for rank in ranks for m in swept.meters[rank]] + after:
        met |= meter.met
    for layer in runner.layers:
        for rows_ in layer.tensors.values():
            for row in rows_:
                for x in row:
                    met |= abs(x)
    exponents = [zeros(met) - runner.places, met.bit_length() - 1 - runner.places]
    gaps = [gap for rank in ranks if (gap := swept.gaps[rank]) is not None]
    least = Fraction(min(gaps), 1 << 2 * runner.places) if gaps else None
    derived = {
        "bits": bits,
        "needed": max(bits),
        "p": dtype.p,
        "exponents": exponents,
        "gap": None if least is None else str(least),
        "underflow": dtype.underflow,
        "except": excepted,
        "assumed": assumed(dtype),
    }
    for k, (wanted, found) in enumerate(zip(bits, cert["float"]["bits"], strict=False)):
        if wanted != found:
            place = f"float.bits[{k}] (layer {network.layers[k].name})"
            raise Rejected(rule, place, str(wanted), brief(found))
    same(derived, cert["float"], "float", rule)
    if max(bits) > dtype.p:
        k = bits.index(max(bits))
        where = f"float.bits[{k}] (layer {network.layers[k].name})"
        raise Rejected(rule, where, f"at most {dtype.p} bits, those of {dtype.name}", str(bits[k]))
    if exponents[0] < dtype.least or exponents[1] > dtype.most:
        raise Rejected(rule, "float.exponents", f"[{dtype.least}, {dtype.most}] for {dtype.name}", brief(exponents))
    if least is not None and least < dtype.underflow:
        raise Rejected(rule, "float.gap", f"at least {dtype.underflow}", str(least))


def assumed(dtype: Dtype) -> list[str]:
    return [
        "a sum or product whose exact value the format holds is that value, and no operation changes the order of"
        " two numbers (IEEE 754, round to nearest; with or without fused multiply-add)",
        f"exp(0) = 1, and exp(t) = 0 for t <= -{dtype.underflow}",
        "1/t is exact for t a power of two up to n, and a product with 0 is 0",
    ]


def not_covered(cert: dict[str, Any], dtype: Dtype, excepted: list[int]) -> list[str]:
    words = ["points outside the cube [0, 1)^(dn)", f"the output in {dtype.name} on the strips, where sums are rounded"]
    if excepted:
        words.append(
            f"the output in {dtype.name} on the orbits of `except`, where t columns tie and t is no power of two"
        )
    if cert["distance"] is None:
        words.append("the distance to a function: the target has no modulus of continuity")
    if cert["target"]["kind"] == "function":
        words.append("the function itself: its values are as it gave them, its range and constant as they were given")
    words.append("what a runtime makes of model.onnx or model.safetensors, beyond what statement 3 assumes of it")
    return words


def words(cert: dict[str, Any], s: Shape, dtype: Dtype, layers: int, kept: int) -> str:
    name = "the positional network" if s.positional else "the network"
    told = f"checked in full: {name} of the form float at (d, n, N) = ({s.d}, {s.n}, {s.N}), {layers} layers in {dtype.name}"
    told += f": exact on {kept} of {s.cases} {'contexts' if s.positional else 'orbits'}"
    told += ", its softmax within the bound, its sums without rounding"
    return told + (", its distance as stated" if cert["distance"] is not None else "; nothing is said of a distance")

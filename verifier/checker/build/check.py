"""FORMAT-build: a built network's certificate, derived anew from its targets and its files, and compared."""

from __future__ import annotations

import hashlib
import os
from fractions import Fraction
from typing import Any

from ..core.comparing import OverLimit, Rejected, compare
from ..core.reading import Unreadable, brief, fits
from . import encoder, paper, statements
from .dyadic import DTYPES, Dtype, floor_log2, nearest
from .files import Layer, Network, Rows, contents, from_safetensors, from_weights, members, number, tensors
from .form import ZERO, Shape, Write, front, keep, tail
from .onnx import from_onnx
from .run import Meter, Runner, places_of, sweep, token_wise
from .targets import Targets, read, texts

MOST_STEPS = 20_000_000
CERTIFIED = ("weights.json", "model.safetensors", "model.onnx")
ENCODER = encoder.FILE  # where d <= 2
_EXACT = {"orbits": "count", "kept": "count", "lost": "count", "lost_share": "rational"}
_MEMBERS = (
    "format instance form positional dtype parameters size target orbits files exact softmax float distance not_covered"
)
_FLOAT = ("bits", "needed", "p", "exponents", "gap", "underflow", "except", "assumed")


def shape_fits(value: Any) -> dict[str, Any]:
    """The certificate, once its shape has been checked."""
    its_paper = isinstance(value, dict) and value.get("form") == "paper"
    cert = members(value, (*_MEMBERS.split(), *(("theorem",) if its_paper else ())), "the certificate")
    fits({"d": "count", "n": "count", "N": "count"}, cert["instance"], "instance")
    fits(("float", "paper"), cert["form"], "form")
    fits(tuple(DTYPES), cert["dtype"], "dtype")
    if type(cert["positional"]) is not bool:
        raise Unreadable("positional: true or false belongs there")
    names = ("epsilon", "lambda", "quantum", "offset", "low", "high")
    parameters = members(cert["parameters"], names, "parameters")
    for name in names[: 2 if its_paper else 4]:
        fits("rational", parameters[name], f"parameters.{name}")
    for name in names[2:4] if its_paper else ():
        if parameters[name] is not None:
            raise Unreadable(f"parameters.{name}: null belongs there")
    for name in names[4:]:
        fits(["rational"], parameters[name], f"parameters.{name}")
    fits({"layers": "count", "parameters": "count", "keys": "count"}, cert["size"], "size")
    fits(dict.fromkeys(certified(cert), "text"), cert["files"], "files")
    fits(_EXACT, cert["exact"], "exact")
    members(cert["softmax"], ("K", "bound"), "softmax")
    fits("rational", cert["softmax"]["bound"], "softmax.bound")
    if not its_paper:
        fits("count", cert["softmax"]["K"], "softmax.K")
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
    if its_paper:
        fits({"refused": "text"}, cert["float"], "float")
        fits("text", cert["theorem"], "theorem")
    else:
        floats = members(cert["float"], _FLOAT, "float")
        for name, kind in (("bits", "count"), ("except", "count"), ("assumed", "text")):
            fits([kind], floats[name], f"float.{name}")
    return cert


def certified(cert: dict[str, Any]) -> tuple[str, ...]:
    """FORMAT-build 1: the files that are checked."""
    return (*CERTIFIED, ENCODER) if cert["instance"]["d"] <= encoder.E else CERTIFIED


def shape_of(cert: dict[str, Any]) -> tuple[Shape, Dtype]:
    """FORMAT-build 5: the instance and the numbers that the front of the network follows from."""
    d, n, N = (cert["instance"][name] for name in ("d", "n", "N"))
    for name, value, least in (("d", d, 1), ("n", n, 2), ("N", N, 2)):
        if value < least:
            raise Rejected("FORMAT 1, instance", f"instance.{name}", f"at least {least}", brief(value))
    its_paper = cert["form"] == "paper"
    if N.bit_count() != 1 and not its_paper:
        raise Rejected("FORMAT-build 5", "instance.N", "a power of two", brief(N))
    if n > 1000 or d > 20 or N > 2**20:
        raise OverLimit(f"(d, n, N) = ({d}, {n}, {N}); the limits are d <= 20, n <= 1000 and N <= 2^20")
    epsilon, rate = (number(cert["parameters"][name], name) for name in ("epsilon", "lambda"))
    half = Fraction(1, N) / 2
    if its_paper:
        if not 0 < epsilon <= half:
            raise Rejected("FORMAT-build 5b", "parameters.epsilon", "above 0, at most delta / 2", str(epsilon))
        if rate <= 0:
            raise Rejected("FORMAT-build 5b", "parameters.lambda", "above 0", str(rate))
        return Shape(d, n, N, cert["positional"], epsilon, rate), DTYPES[cert["dtype"]]
    if epsilon > half or epsilon.numerator != 1 or epsilon.denominator.bit_count() != 1:
        raise Rejected("FORMAT-build 5", "parameters.epsilon", "delta / 2^s, s >= 1", str(epsilon))
    if rate < 1 or rate.denominator != 1 or rate.numerator.bit_count() != 1 or rate.numerator.bit_length() > 200:
        raise Rejected("FORMAT-build 5", "parameters.lambda", "a power of two, from 1 to 2^199", str(rate))
    return Shape(d, n, N, cert["positional"], epsilon, rate), DTYPES[cert["dtype"]]


def refuse_too_much(s: Shape, times: int, *, by_context: bool) -> None:
    """Sizes first: refuses too many columns through the contextual map, or too many keys that pass other keys."""
    allowed = MOST_STEPS * times
    if s.cases > allowed:
        raise OverLimit(f"more than {allowed:,} orbits; at most {allowed:,} steps are made (--max-points)")
    levels, keys = s.B * (s.n if s.positional else 1), s.B**s.n * s.n if by_context else s.cases * s.n // 2
    swept, passed = s.cases * s.n * s.n * levels * 10, s.cases * s.n * keys * (10 if by_context else 1)
    if swept + passed > allowed:
        raise OverLimit(f"{swept + passed:,} steps at {s.cases:,} orbits; at most {allowed:,} are made (--max-points)")


def check(value: Any, path: str, times: int) -> str:
    """Checks a certificate and the folder that it is in; returns what to print if it is accepted."""
    if path == "-":
        raise Unreadable("a built network is checked in its folder, and stdin has none")
    cert = shape_fits(value)
    s, dtype = shape_of(cert)
    refuse_too_much(s, times, by_context=cert["form"] == "paper")
    targets = read(cert, s)
    folder = os.path.dirname(path) or "."
    files = {name: contents(folder, name) for name in certified(cert)}
    network = from_weights(files["weights.json"])
    same_sizes(s, network)
    kept = (papers if cert["form"] == "paper" else floats)(cert, s, dtype, targets, network, files)
    for name, data in files.items():
        compare(hashlib.sha256(data).hexdigest(), cert["files"][name], f"files.{name}", "FORMAT-build 7, SHA-256")
    return words(cert, s, dtype, len(network.layers), len(kept))


Files = dict[str, bytes]


def papers(cert: dict[str, Any], s: Shape, dtype: Dtype, targets: Targets, network: Network, files: Files) -> set[int]:
    """A network of the form `paper`; returns the kept orbits."""

    def same(expected: list[Layer], at: int, last: bool) -> None:
        same_layers(expected, network, at, last=last)

    made, kept = paper.check(cert, s, network.layers, targets, same)
    keys = sum(layer.name.startswith("write.") for layer in network.layers)
    same_counts(cert, network, keys)
    if made is not None and cert["target"]["kind"] == "function":
        made |= {"measured": statements.as_measured(cert)}
    statements.same(made, cert["distance"], "distance", "FORMAT-build 7, distance")
    compare(statements.not_covered(cert, False), cert["not_covered"], "not_covered", "FORMAT-build 7, not_covered")
    rounded = {name: paper.nearest_rows(X, lambda x: nearest(x, dtype), name) for name, X, _ in tensors(network)}
    same_files(files, network, dtype, rounded)
    return kept


def floats(cert: dict[str, Any], s: Shape, dtype: Dtype, targets: Targets, network: Network, files: Files) -> set[int]:
    """A network of the form `float`; returns the kept orbits."""
    before = front(s)
    same_layers(before, network, 0)
    runner = Runner(network, places_of(network))
    swept, unit = sweep(s, runner), Fraction(1, 1 << runner.places)
    images = [[tuple(x * unit for x in z) for z in X] for X in swept.images]
    kept, writes = keep(s, targets.rounded, images)
    for k, orbit in enumerate(cert["orbits"]):
        compare(k in kept, orbit["kept"], f"orbits[{k}].kept", "FORMAT-build 5, kept orbits")
    if not kept:
        raise Rejected("FORMAT-build 5", "orbits", "one that is kept, at least", "none")
    offset, low, high = around(s, writes)
    for name, wanted in (("offset", str(offset)), ("low", list(map(str, low))), ("high", list(map(str, high)))):
        compare(wanted, cert["parameters"][name], f"parameters.{name}", "FORMAT-build 5")
    same_layers(tail(s, writes, offset, low, high), network, len(before), last=True)
    same_files(files, network, dtype, {name: X for name, X, _ in tensors(network)})
    metered = {z for rank in kept - swept.uneven for z in swept.images[rank]}
    after = [Meter() for _ in runner.layers[len(before) :]]
    every = list(dict.fromkeys(z for X in swept.images for z in X))
    ends = token_wise(runner, runner.layers[len(before) :], every, metered, after)
    out = [[tuple(x * unit for x in ends[z]) for z in X] for X in swept.images]
    same_counts(cert, network, len(writes))
    statements.statements(cert, statements.Ran(s, dtype, network, runner, targets, swept, kept, out, after))
    return kept


def same_sizes(s: Shape, network: Network) -> None:
    """FORMAT-build 2: the sizes and the encoding."""
    compare([s.d, s.n], [network.d, network.n], "weights.json, d and n", "FORMAT-build 2")
    if s.encoding != network.encoding:
        wanted, found = ("null" if X is None else brief(texts(X)) for X in (s.encoding, network.encoding))
        raise Rejected("FORMAT-build 5", "weights.json, encoding", wanted, found)


def same_counts(cert: dict[str, Any], network: Network, keys: int) -> None:
    numbers = sum(len(row) for _, X, _ in tensors(network._replace(encoding=None)) for row in X)
    size = {"layers": len(network.layers), "parameters": numbers, "keys": keys}
    compare(size, cert["size"], "size", "FORMAT-build 7, size")


def same_files(files: Files, network: Network, dtype: Dtype, wanted: dict[str, Rows]) -> None:
    """FORMAT-build 1: model.safetensors and model.onnx hold these numbers, in the dtype."""
    its_dtype, found = from_safetensors(files["model.safetensors"], network)
    if its_dtype is not dtype:
        raise Rejected("FORMAT-build 3", "model.safetensors", dtype.name, its_dtype.name)
    same_tensors(network, wanted, found, "model.safetensors")
    same_tensors(network, wanted, from_onnx(files["model.onnx"], network, dtype), "model.onnx")
    if ENCODER in files:
        blocks = encoder.wanted(network, wanted)
        its_dtype, found = encoder.from_encoder(files[ENCODER], blocks)
        if its_dtype is not dtype:
            raise Rejected("FORMAT-build 3b", ENCODER, dtype.name, its_dtype.name)
        same_tensors(network, blocks, found, ENCODER)


def same_layers(expected: list[Layer], network: Network, at: int, *, last: bool = False) -> None:
    """FORMAT-build 5: the layers from `at` on are as the construction has them; no others follow the last ones."""
    for k, wanted in enumerate(expected, at):
        place, rule = f"weights.json, layer {k} ({wanted.name})", "FORMAT-build 5"
        if k >= len(network.layers):
            raise Rejected(rule, place, "a layer", "the end of the network")
        found = network.layers[k]
        if (found.kind, found.name) != (wanted.kind, wanted.name):
            raise Rejected(rule, place, f"{wanted.kind} {wanted.name}", f"{found.kind} {found.name}")
        for name, rows_ in wanted.tensors.items():
            compare(texts(rows_), texts(found.tensors[name]), f"{place}.{name}", rule)
    if last and len(network.layers) > (k := at + len(expected)):
        raise Rejected("FORMAT-build 5", f"weights.json, layer {k}", "the end of the network", network.layers[k].name)


def same_tensors(network: Network, wanted: dict[str, Rows], found: dict[str, Rows], file: str) -> None:
    """FORMAT-build 1: the file holds these numbers; of the encoding and every layer, as far as it holds them."""
    for name, rows_ in wanted.items():
        if found[name] != rows_:
            parts = name.split(".")
            where = name
            if name != "encoding":
                where = f"layer {parts[1]} ({network.layers[int(parts[1])].name}), {'.'.join(parts[2:])}"
            compare(texts(rows_), texts(found[name]), f"{file}, {where}", "FORMAT-build 1, the weights of weights.json")


def around(s: Shape, writes: list[Write]) -> tuple[Fraction, list[Fraction], list[Fraction]]:
    """FORMAT-build 5: S, and the least and the largest target of each row."""
    largest = max(ZERO, *(sum((a * x for a, x in zip(s.u, w.target, strict=True)), ZERO) for w in writes)) + 1
    e = floor_log2(largest)
    offset = Fraction(1 << e)
    by_row = list(zip(*(w.target for w in writes), strict=True))
    return offset if offset == largest else 2 * offset, list(map(min, by_row)), list(map(max, by_row))


def words(cert: dict[str, Any], s: Shape, dtype: Dtype, layers: int, kept: int) -> str:
    name = "the positional network" if s.positional else "the network"
    told = (
        f"checked in full: {name} of the form {cert['form']} at (d, n, N) = ({s.d}, {s.n}, {s.N}), {layers} layers in"
    )
    told += f" {dtype.name}: exact on {kept} of {s.cases} {'contexts' if s.positional else 'orbits'}"
    told += ", its softmax within the bound"
    told += ", its sums without rounding" if cert["form"] == "float" else ""
    told += ", its distance as stated" if cert["distance"] is not None else "; nothing is said of a distance"
    told += "" if cert["form"] == "float" else "; nothing is said of floats"
    given = cert["target"]["kind"] == "function"
    return told + ("; NOT checked: the function itself, its range and constant, and what was measured" if given else "")


def as_promised(value: dict[str, Any]) -> dict[str, Any]:
    """What a promise is compared with. A built network has no claims, so its certificate keeps no promise."""
    return {"instance": value["instance"], "claims": []}

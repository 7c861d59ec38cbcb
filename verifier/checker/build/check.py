"""FORMAT-build: a built network's certificate, derived anew from its targets and its files, and compared."""

from __future__ import annotations

import hashlib
import os
from fractions import Fraction
from typing import Any

from ..core.comparing import OverLimit, Rejected, compare
from ..core.reading import Unreadable, brief, text_of
from . import encoder, paper, statements
from .dyadic import DTYPES, Dtype, floor_log2
from .files import Network, Parts, contents, safetensors, same_bytes, tensors, weights_json
from .form import ZERO, Shape, Write, front, keep, tail
from .onnx import onnx
from .reading import E, certified, number, shape_fits
from .run import Meter, Runner, places_of, sweep, token_wise
from .targets import Targets, quantum_of, read

MOST_STEPS = 20_000_000
Files = dict[str, bytes]


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
            raise Rejected("FORMAT-build 5b", "parameters.epsilon", "above 0, at most delta / 2", text_of(epsilon))
        if rate <= 0:
            raise Rejected("FORMAT-build 5b", "parameters.lambda", "above 0", text_of(rate))
        return Shape(d, n, N, cert["positional"], epsilon, rate), DTYPES[cert["dtype"]]
    if epsilon > half or epsilon.numerator != 1 or epsilon.denominator.bit_count() != 1:
        raise Rejected("FORMAT-build 5", "parameters.epsilon", "delta / 2^s, s >= 1", text_of(epsilon))
    if rate < 1 or rate.denominator != 1 or rate.numerator.bit_count() != 1 or rate.numerator.bit_length() > 200:
        raise Rejected("FORMAT-build 5", "parameters.lambda", "a power of two, from 1 to 2^199", text_of(rate))
    return Shape(d, n, N, cert["positional"], epsilon, rate), DTYPES[cert["dtype"]]


def refuse_too_much(s: Shape, times: int, *, by_context: bool) -> None:
    """Sizes first: refuses too many columns through the contextual map, or too many columns through the value map."""
    allowed = MOST_STEPS * times
    if s.cases > allowed:
        raise OverLimit(f"more than {allowed:,} orbits; at most {allowed:,} steps are made (--max-points)")
    levels, keys = s.B * (s.n if s.positional else 1), s.B**s.n * s.n if by_context else s.cases * s.n // 2
    swept, passed = s.cases * s.n * s.n * levels * 10, s.cases * s.n * keys * (10 if by_context else 3)
    if swept + passed > allowed:
        raise OverLimit(f"{swept + passed:,} steps at {s.cases:,} orbits; at most {allowed:,} are made (--max-points)")


def check(value: Any, path: str, times: int) -> str:
    """Checks a certificate and the folder that it is in; returns what to print if it is accepted."""
    if path == "-":
        raise Unreadable("a built network is checked in its folder, and stdin has none")
    cert = shape_fits(value)
    s, dtype = shape_of(cert)
    refuse_too_much(s, times, by_context=cert["form"] == "paper")
    targets = read(cert, s, times)
    folder = os.path.dirname(path) or "."
    files = {name: contents(folder, name) for name in certified(cert)}
    network, kept = (papers if cert["form"] == "paper" else floats)(cert, s, dtype, targets, files)
    return words(cert, s, dtype, len(network.layers), len(kept))


def same_files(cert: dict[str, Any], network: Network, dtype: Dtype, files: Files) -> None:
    """FORMAT-build 1: the folder holds this network."""
    for name, parts in expected(network, dtype, rounded=cert["form"] == "paper").items():
        if name in files:
            same_bytes(name, parts, files[name], "FORMAT-build 1, the bytes of this network")
            digest = hashlib.sha256(files[name]).hexdigest()
            compare(digest, cert["files"][name], f"files.{name}", "FORMAT-build 7, SHA-256")


def expected(network: Network, dtype: Dtype, *, rounded: bool) -> dict[str, Parts]:
    """FORMAT-build 1: the files of a folder that holds this network."""
    found = list(tensors(network, dtype, rounded=rounded))
    blocks = list(encoder.tensors(network, dtype, rounded=rounded)) if network.d <= E else []
    return {
        "weights.json": weights_json(network),
        "model.safetensors": safetensors("verifier.core.network/1", dtype, found),
        "model.onnx": onnx(network, dtype, found),
        "encoder.safetensors": safetensors(encoder.KIND, dtype, blocks),
    }


Derived = tuple[Network, set[int]]  # the network, of which all that is stated is true, and the kept orbits


def papers(cert: dict[str, Any], s: Shape, dtype: Dtype, targets: Targets, files: Files) -> Derived:
    """A network of the form `paper`."""
    made = paper.made(s, targets)
    network = Network(s.d, s.n, s.encoding, [*made.before, *made.after])
    same_files(cert, network, dtype, files)
    same_counts(cert, network, sum(layer.name.startswith("write.") for layer in network.layers))
    distance, kept = paper.check(cert, s, targets, made)
    statements.same(distance, cert["distance"], "distance", "FORMAT-build 7, distance")
    compare(statements.not_covered(cert, False), cert["not_covered"], "not_covered", "FORMAT-build 7, not_covered")
    return network, kept


def floats(cert: dict[str, Any], s: Shape, dtype: Dtype, targets: Targets, files: Files) -> Derived:
    """A network of the form `float`."""
    before, runner = front(s), Runner(places_of(s, quantum_of(cert)), s.encoding)
    first, unit = runner.stored(before), Fraction(1, 1 << runner.places)
    swept = sweep(s, runner, [layer for layer in first if layer.kind == "attention"])
    images = [[tuple(x * unit for x in z) for z in X] for X in swept.images]
    kept, writes = keep(s, targets.rounded, images)
    for k, orbit in enumerate(cert["orbits"]):
        compare(k in kept, orbit["kept"], f"orbits[{k}].kept", "FORMAT-build 5, kept orbits")
    if not kept:
        raise Rejected("FORMAT-build 5", "orbits", "one that is kept, at least", "none")
    offset, low, high = around(s, writes)
    derived = {"offset": text_of(offset), "low": list(map(text_of, low)), "high": list(map(text_of, high))}
    for name, wanted in derived.items():
        compare(wanted, cert["parameters"][name], f"parameters.{name}", "FORMAT-build 5")
    behind = tail(s, writes, offset, low, high)
    network, rest = Network(s.d, s.n, s.encoding, [*before, *behind]), runner.stored(behind)
    same_files(cert, network, dtype, files)
    same_counts(cert, network, len(writes))
    metered = {z for rank in kept - swept.uneven for z in swept.images[rank]}
    after = [Meter() for _ in rest]
    every = list(dict.fromkeys(z for X in swept.images for z in X))
    ends = token_wise(runner, rest, every, metered, after)
    out = [[tuple(x * unit for x in ends[z]) for z in X] for X in swept.images]
    ran = statements.Ran(s, dtype, network, runner.places, [*first, *rest], targets, swept, kept, out, after)
    statements.statements(cert, ran)
    return network, kept


def same_counts(cert: dict[str, Any], network: Network, keys: int) -> None:
    numbers = sum(len(row) for layer in network.layers for X in layer.tensors.values() for row in X)
    size = {"layers": len(network.layers), "parameters": numbers, "keys": keys}
    compare(size, cert["size"], "size", "FORMAT-build 7, size")


def around(s: Shape, writes: list[Write]) -> tuple[Fraction, list[Fraction], list[Fraction]]:
    """FORMAT-build 5: S, and the least and the largest target of each row."""
    largest = max(ZERO, *(sum((a * x for a, x in zip(s.u, w.target, strict=True)), ZERO) for w in writes)) + 1
    e = floor_log2(largest)
    offset = Fraction(1 << e)
    by_row = list(zip(*(w.target for w in writes), strict=True))
    return offset if offset == largest else 2 * offset, list(map(min, by_row)), list(map(max, by_row))


def words(cert: dict[str, Any], s: Shape, dtype: Dtype, layers: int, kept: int) -> str:
    name = "the positional network" if s.positional else "the network"
    told = f"checked in full: {name} of the form {cert['form']} at (d, n, N) = ({s.d}, {s.n}, {s.N}), {layers} layers"
    told += f" in {dtype.name}: exact on {kept} of {s.cases} {'contexts' if s.positional else 'orbits'}"
    told += ", its softmax within the bound"
    told += ", its sums without rounding" if cert["form"] == "float" else ""
    told += ", its distance as stated" if cert["distance"] is not None else "; nothing is said of a distance"
    return told + ("" if cert["form"] == "float" else "; nothing is said of floats")


def as_promised(value: dict[str, Any]) -> dict[str, Any]:
    """What a promise is compared with. A built network has no claims, so its certificate keeps no promise."""
    return {"instance": {name: value["instance"][name] for name in ("d", "n", "N")}, "claims": []}

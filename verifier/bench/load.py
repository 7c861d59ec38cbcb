"""A network that `verify build` made, as what queries are about: its weights, its cells, its extreme targets."""

import json
import re
from pathlib import Path
from typing import Any

from verifier.bench.networks import Subject
from verifier.build.dtype import DTYPES
from verifier.build.exported import FORMAT as EXPORTED
from verifier.build.exported import matrix as tokens
from verifier.build.layer import Attention, FeedForward, Layer, transpose
from verifier.build.layer import Head as SoftHead
from verifier.build.runs import run_of
from verifier.build.taken import Head, Taken
from verifier.core.exact import Matrix, NotExact, Q, Vector, matrix_of_shape, parse_rational, shown
from verifier.evaluate.definition import Reading
from verifier.files import Unreadable, read
from verifier.language.page import read as read_page
from verifier.language.words import Refused


class BadNetwork(ValueError):
    """The folder holds no network that queries can be made for."""


def vector(value: Any) -> Vector:
    return tuple(parse_rational(text) for text in value)


def matrix(value: Any) -> Matrix:
    return tuple(vector(row) for row in value)


def layer(value: dict[str, Any]) -> Layer:
    if value["kind"] == "attention":
        W_O, *others = (matrix(value[name]) for name in ("W_O", "W_V", "W_K", "W_Q"))
        by_head = zip(transpose(W_O), *others, vector(value["b_Q"]), strict=True)
        return Attention(tuple(SoftHead(transpose((out,)), (v,), (k,), (q,), (b,)) for out, v, k, q, b in by_head))
    if value["kind"] == "feedforward":
        W_1, W_2 = matrix(value["W_1"]), matrix(value["W_2"])
        return FeedForward(W_1, vector(value["b_1"]), W_2, vector(value["b_2"]))
    raise BadNetwork(f"weights.json has a layer of the kind {shown(str(value['kind']))}")


def extremes(orbits: list[dict[str, Any]], d: int, n: int) -> list[Matrix]:
    """For each row, the kept orbits with the smallest and the largest target."""

    def sized(value: Any) -> Matrix:
        return matrix_of_shape(matrix(value), d, n, "an orbit")

    kept = [(sized(it["matrix"]), sized(it["target"])) for it in orbits if it["kept"]]
    found = []
    for r in range(d):
        by_target = sorted(kept, key=lambda it, r=r: (min(it[1][r]), it[0]))  # type: ignore[misc]
        found += [X for X, _ in by_target[:1]]
        by_target.sort(key=lambda it, r=r: max(it[1][r]))  # type: ignore[misc]
        found += [X for X, _ in by_target[-1:]]
    return list(dict.fromkeys(found))


def head(value: dict[str, Any]) -> Head:
    K, Q_, V, O_ = (matrix(value[name]) for name in "KQVO")
    mask = None if value["mask"] is None else tuple(map(tuple, value["mask"]))
    return Head(K, Q_, vector(value["b"]), V, vector(value["v"]), O_, value["tie"], mask)


def exported(weights: dict[str, Any], said: dict[str, Any]) -> Subject:
    """The network of a page, with the tokens of its first and of its last case."""
    layers = tuple(
        Taken(
            f"{k}",
            matrix(it["D"]),
            vector(it["u"]),
            tuple(map(head, it.get("heads", ()))),
            *((matrix(it["W_1"]), vector(it["b_1"]), matrix(it["W_2"])) if "W_1" in it else ()),
        )
        for k, it in enumerate(weights["layers"])
    )
    page = read_page(said["page"])
    reading, call = Reading(page, said["sizes"]), run_of(page, said["run"], said["inputs"]).call
    every = [tokens(case(call[3][-1], {})) for case in reading.cases(said["inputs"])]
    some = [X for X in every if len(X) == weights["n"]]
    d = len(layers[0].own[0])
    telling = tuple(dict.fromkeys(transpose(X) for X in (some[0], some[-1]) if len(X[0]) == d))
    name = f"page-{re.sub('[^A-Za-z0-9]', '-', said['run'])}-{weights['n']}-{said['dtype']}"
    return Subject(name, "page", d, weights["n"], 4, None, said["dtype"], layers, None, telling)


def load(folder: Path) -> Subject:
    """The network in a folder of `verify build`. (That it does what its certificate says is another question.)"""
    try:
        weights, said = (json.loads(read(folder / name)) for name in ("weights.json", "certificate.json"))
    except Unreadable as error:
        raise BadNetwork(f"weights.json and certificate.json are needed: {error}") from error
    except (ValueError, RecursionError) as error:
        raise BadNetwork(f"weights.json or certificate.json is no JSON: {error}") from error
    try:
        if said["format"] == EXPORTED:
            return exported(weights, said)
        if said["form"] != "float":
            raise BadNetwork("the paper's form has weights that no float holds; `verify build --form float` has")
        d, n, N = (said["instance"][name] for name in ("d", "n", "N"))
        dtype = said["dtype"]
        encoding = None if weights["encoding"] is None else matrix(weights["encoding"])
        layers = tuple(map(layer, weights["layers"]))
        eps = parse_rational(said["parameters"]["epsilon"])
        if dtype not in DTYPES or not 0 < eps < Q(1, N) or (weights["d"], weights["n"]) != (d, n) or not layers:
            raise BadNetwork("weights.json and certificate.json don't belong together")
        name = f"network-{d}-{n}-{N}-{dtype}"
        return Subject(name, "whole", d, n, N, eps, dtype, layers, encoding, tuple(extremes(said["orbits"], d, n)))
    except (NotExact, Refused, KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
        if isinstance(error, BadNetwork):
            raise
        raise BadNetwork(f"weights.json or certificate.json is not as `verify build` writes it: {error}") from error

"""The network of an exported page as what queries are about: its weights, its cells, its extreme outputs."""

import json
import re
from pathlib import Path
from typing import Any

from verifier.bench.floats import transpose
from verifier.bench.networks import Subject
from verifier.build.dtype import DTYPES, Dtype
from verifier.build.exported import FORMAT as EXPORTED
from verifier.build.exported import matrix as tokens
from verifier.build.exported import run, through
from verifier.build.meter import UNMETERED
from verifier.build.runs import NotExported, run_of
from verifier.build.taken import Head, Taken
from verifier.core.exact import Matrix, NotExact, Vector, parse_rational
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


def head(value: dict[str, Any]) -> Head:
    K, Q_, V, O_ = (matrix(value[name]) for name in "KQVO")
    mask = None if value["mask"] is None else tuple(map(tuple, value["mask"]))
    return Head(K, Q_, vector(value["b"]), V, vector(value["v"]), O_, value["tie"], mask)


def exported(weights: dict[str, Any], said: dict[str, Any]) -> Subject:
    """The network of a page, with the tokens of the cases whose outputs are smallest and largest, the first and the
    last."""
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
    soft = said["attention"] == "softmax"
    if soft and any(
        h.mask is not None or len(h.keys) != 1 or len(h.values) != 1 or any(h.shift) for h in heads(layers)
    ):
        raise BadNetwork(
            "queries about softmax are about heads of size 1 without masks; `verify export` without --softmax"
        )
    page = read_page(said["page"])
    reading, call = Reading(page, said["sizes"]), run_of(page, said["run"], said["inputs"]).call
    every = list(map(tokens, through(reading, call.arguments[-1], said["inputs"])))
    some = [X for X in every if len(X) == weights["n"]]
    d, N, eps, quantiser = len(layers[0].own[0]), 4, None, said["quantiser"]
    if quantiser is not None and quantiser["cells"] * parse_rational(quantiser["delta"]) == 1:
        N, eps = quantiser["cells"], parse_rational(quantiser["epsilon"])
    telling = (some[0], some[-1]) if eps is None else extremes(layers, some, DTYPES[said["dtype"]], soft=soft)
    telling = tuple(dict.fromkeys(transpose(X) for X in telling if len(X[0]) == d))
    name = f"page-{re.sub('[^A-Za-z0-9]', '-', said['run'])}-{weights['n']}-{said['dtype']}"
    return Subject(name, d, weights["n"], N, eps, said["dtype"], soft, layers, telling)


def alone(h: Head) -> bool:
    return h.mask is None and len(h.keys) == len(h.values) == 1 and not any(h.shift)


def heads(layers: tuple[Taken, ...]) -> list[Head]:
    return [head for layer in layers for head in layer.heads]


def extremes(layers: tuple[Taken, ...], some: list[Matrix], dtype: Dtype, *, soft: bool) -> tuple[Matrix, ...]:
    """For each row of the output, the first cases with the smallest and the largest entry."""
    outputs = []
    for X in some:
        Y = X
        for layer in layers:
            Y, _ = run(layer, Y, UNMETERED, dtype, soft=soft)
        outputs.append((X, Y))
    found = []
    for r in range(len(outputs[0][1][0])):
        found += [min(outputs, key=lambda it, r=r: min(y[r] for y in it[1]))[0]]  # type: ignore[misc]
        found += [max(outputs, key=lambda it, r=r: max(y[r] for y in it[1]))[0]]  # type: ignore[misc]
    return tuple(found)


def load(folder: Path) -> Subject:
    """The network in a folder of `verify export`. (That it does what its certificate says is another question.)"""
    try:
        weights, said = (json.loads(read(folder / name)) for name in ("weights.json", "certificate.json"))
    except Unreadable as error:
        raise BadNetwork(f"weights.json and certificate.json are needed: {error}") from error
    except (ValueError, RecursionError) as error:
        raise BadNetwork(f"weights.json or certificate.json is no JSON: {error}") from error
    try:
        if said["format"] != EXPORTED:
            raise BadNetwork(f"certificate.json is none of {EXPORTED}, as `verify export` writes it")
        return exported(weights, said)
    except (NotExact, Refused, NotExported, KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
        if isinstance(error, BadNetwork):
            raise
        raise BadNetwork(f"weights.json or certificate.json is not as `verify export` writes it: {error}") from error

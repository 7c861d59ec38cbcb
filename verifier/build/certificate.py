"""The certificate of a network that was built, as proofs/FORMAT-build.md, 7, has it."""

from hashlib import sha256
from typing import Any

from gmpy2 import mpq

from verifier.build.export import texts
from verifier.build.plan import Built
from verifier.certificate import canonical
from verifier.core.exact import text_of

FORMAT = "verifier.build/2"
CERTIFIED = ("weights.json", "model.safetensors", "model.onnx", "encoder.safetensors")


def certificate(b: Built, files: dict[str, bytes]) -> bytes:
    """The bytes of certificate.json, for a network and its files."""
    return canonical(
        content(b) | {"files": {name: sha256(files[name]).hexdigest() for name in CERTIFIED if name in files}}
    )


def _text(x: mpq | None) -> str | None:
    return None if x is None else text_of(x)


def content(b: Built) -> dict[str, Any]:
    i = b.instance
    document: dict[str, Any] = {
        "format": FORMAT,
        "instance": {"d": i.d, "n": i.n, "N": i.N},
        "form": b.form,
        "positional": b.positional,
        "dtype": b.dtype.name,
        "parameters": {
            "epsilon": text_of(b.epsilon),
            "lambda": text_of(b.rate),
            "quantum": None if b.bits is None else text_of(mpq(1, 1 << b.bits)),
            "offset": _text(b.offset),
            "low": texts(b.low),
            "high": texts(b.high),
        },
        "size": {"layers": len(b.stack.layers), "parameters": b.parameters, "keys": b.keys},
        "target": b.target.text,
        "orbits": [
            {
                "matrix": texts(case.L),
                "target": texts(b.kept.get(case.rank, b.wanted(case))),
                "kept": case.rank in b.kept,
            }
            for case in b.cases
        ],
        "exact": {
            "orbits": len(b.cases),
            "kept": len(b.kept),
            "lost": len(b.cases) - len(b.kept),
            "lost_share": text_of(b.lost_share),
        },
        "softmax": {"K": b.softmax.K, "bound": text_of(b.softmax.bound)},
        "float": _float(b),
        "distance": _distance(b),
        "not_covered": not_covered(b),
    }
    if b.theorem is not None:
        document["theorem"] = b.theorem
    return document


def assumed(b: Built) -> list[str]:
    """The assumptions of statement 3, besides arithmetic."""
    return [
        "a sum or product whose exact value the format holds is that value, and no operation changes the order of"
        " two numbers (IEEE 754, round to nearest; with or without fused multiply-add)",
        f"exp(0) = 1, and exp(t) = 0 for t <= -{b.dtype.underflow}",
        "1/t is exact for t a power of two up to n, and a product with 0 is 0",
    ]


def _float(b: Built) -> dict[str, Any]:
    if isinstance(b.floats, str):
        return {"refused": b.floats}
    return {
        "bits": list(b.floats.bits),
        "needed": b.floats.needed,
        "p": b.dtype.p,
        "exponents": [b.floats.least, b.floats.most],
        "gap": _text(b.floats.gap),
        "underflow": b.dtype.underflow,
        "except": list(b.floats.excepted),
        "assumed": assumed(b),
    }


def _distance(b: Built) -> dict[str, Any] | None:
    if b.distance is None:
        return None
    s, m = b.distance, b.distance.measured
    return {
        "lipschitz": texts(s.lipschitz),
        "rounding": texts(s.rounding),
        "share": text_of(s.share),
        "sup_kept": text_of(s.sup_kept),
        "sup": text_of(s.sup),
        "d_1": text_of(s.d_1),
        "d_2_squared": text_of(s.d_2_squared),
        "measured": None
        if m is None
        else {
            "cells": m.cells,
            "points": m.points,
            "sup_kept": text_of(m.sup_kept),
            "d_1": text_of(m.d_1),
            "d_2_squared": text_of(m.d_2_squared),
        },
    }


def not_covered(b: Built) -> list[str]:
    """What the certificate doesn't cover."""
    words = ["points outside the cube [0, 1)^(dn)"]
    if not isinstance(b.floats, str):
        words.append(f"the output in {b.dtype.name} on the strips, where sums are rounded")
        if b.floats.excepted:
            words.append(
                f"the output in {b.dtype.name} on the orbits of `except`, where t columns tie and t is no power of two"
            )
    if b.distance is None:
        words.append("the distance to f: no modulus of continuity follows from the target")
    words.append("what a runtime makes of model.onnx or model.safetensors, beyond what statement 3 assumes of it")
    return words

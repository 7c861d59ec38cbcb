"""FORMAT-build 7: the shape of a certificate, and its numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ..core.reading import Unreadable, brief, fits, rational, text_of
from .dyadic import DTYPES

Rows = list[list[Fraction]]  # a vector has one column
CERTIFIED = ("weights.json", "model.safetensors", "model.onnx")
ENCODER, E = "encoder.safetensors", 2  # where d <= 2
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
    return (*CERTIFIED, ENCODER) if cert["instance"]["d"] <= E else CERTIFIED


def number(text: Any, place: str) -> Fraction:
    return Fraction(*rational(text, place))


def texts(X: Rows) -> list[list[str]]:
    return [list(map(text_of, row)) for row in X]


def rows(value: Any, place: str) -> Rows:
    """A matrix: rows of one length, none empty."""
    if type(value) is not list or not value or any(type(row) is not list for row in value):
        raise Unreadable(f"{place}: a list of rows belongs there")
    if not value[0] or any(len(row) != len(value[0]) for row in value):
        raise Unreadable(f"{place}: rows of one length belong there, and none is empty")
    return [[number(x, f"{place}[{i}][{j}]") for j, x in enumerate(row)] for i, row in enumerate(value)]


def members(value: Any, names: tuple[str, ...], place: str) -> dict[str, Any]:
    """An object with these members and no others."""
    if type(value) is not dict:
        raise Unreadable(f"{place}: an object belongs there")
    for name in value:
        if name not in names:
            raise Unreadable(f"{place}: unknown member {brief(name)}")
    for name in names:
        if name not in value:
            raise Unreadable(f"{place}: member {name} is missing")
    return value

"""FORMAT-build 4: a reader of model.onnx, by the wire format of protocol buffers, and what its graph computes.

The graph is read as a set of formulas: each node's output is an operator applied to formulas. Equal formulas have one
number, so that `the output of layer k` is one number in the graph as it is and in the graph as it must be.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ..core.comparing import Rejected
from ..core.reading import Unreadable, brief
from .dyadic import Dtype
from .files import Network, Rows, decoded, tensors

RULE, FILE = "FORMAT-build 4", "model.onnx"
IR_VERSION, OPSET, INT64, INT = 9, 17, 7, 2
Fields = list[tuple[int, Any]]  # number of the field; a whole number, or bytes


def varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(data) and shift < 70:
        value |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 128:
            return value, at
    raise Unreadable(f"{FILE}: a number without an end")


def fields(data: bytes) -> Fields:
    """The fields of a message, in order."""
    at, out = 0, list[tuple[int, Any]]()
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
            out.append((key >> 3, value))
        elif key & 7 == 2:
            size, at = varint(data, at)
            if size > len(data) - at:
                raise Unreadable(f"{FILE}: a field that is longer than the file")
            out.append((key >> 3, data[at : at + size]))
            at += size
        else:
            raise Unreadable(f"{FILE}: wire type {key & 7}, which no field of this format has")
    return out


def one(message: Fields, number: int, what: str, kind: type = bytes) -> Any:
    """The field that must be there once."""
    found = [value for field, value in message if field == number]
    if len(found) != 1 or type(found[0]) is not kind:
        raise Unreadable(f"{FILE}: {what}: {len(found)} of field {number}")
    return found[0]


def every(message: Fields, number: int, what: str) -> list[Fields]:
    """The messages in all fields of this number."""
    found = [value for field, value in message if field == number]
    if any(type(value) is not bytes for value in found):
        raise Unreadable(f"{FILE}: {what}: a number in field {number}")
    return [fields(value) for value in found]


def only(message: Fields, numbers: tuple[int, ...], what: str) -> None:
    for field, _ in message:
        if field not in numbers:
            raise Unreadable(f"{FILE}: {what}: a field {field}, which this format doesn't use")


def word(data: Any) -> str:
    if type(data) is not bytes or not data.isascii():
        raise Unreadable(f"{FILE}: a name that isn't ASCII")
    return data.decode()


def port(data: bytes) -> tuple[str, int, list[int | None]]:
    """Name, format and shape of the input or the output; None where the shape is free."""
    message = fields(data)
    only(message, (1, 2), "a port")
    its_type = fields(one(message, 2, "its type"))
    only(its_type, (1,), "its type")
    tensor = fields(one(its_type, 1, "its tensor type"))
    only(tensor, (1, 2), "its tensor type")
    dimensions = fields(one(tensor, 2, "its shape"))
    only(dimensions, (1,), "its shape")
    shape: list[int | None] = []
    for size in every(dimensions, 1, "its shape"):
        only(size, (1, 2), "a dimension")
        shape.append(one(size, 1, "a dimension", int) if size and size[0][0] == 1 else None)
    return word(one(message, 1, "its name")), one(tensor, 1, "its format", int), shape


class Formulas:
    """Operators applied to formulas, each with a number of its own."""

    def __init__(self) -> None:
        self.numbers: dict[Any, int] = {}

    def of(self, op: str, /, *inputs: int | str, **attributes: int) -> int:
        key = (op, inputs, tuple(sorted(attributes.items())))
        return self.numbers.setdefault(key, len(self.numbers))


def expected(network: Network, f: Formulas) -> tuple[list[int], int]:
    """The formula of what each layer gives, and how many nodes there are."""
    x, nodes, out = f.of("input", "X"), 0, []
    axis2, axis3 = f.of("weights", "axis2"), f.of("weights", "axis3")
    if network.encoding is not None:
        x, nodes = f.of("Add", x, f.of("weights", "encoding")), 1
    for k, layer in enumerate(network.layers):
        W = {name: f.of("weights", f"layers.{k}.{name}") for name in layer.tensors}
        if layer.kind == "feedforward":
            hidden = f.of("Relu", f.of("Add", f.of("MatMul", W["W_1"], x), W["b_1"]))
            change = f.of("MatMul", W["W_2"], hidden)
            if biased := any(b for (b,) in layer.tensors["b_2"]):
                change = f.of("Add", change, W["b_2"])
            nodes += 5 + biased
        else:
            key, value = f.of("MatMul", W["W_K"], x), f.of("MatMul", W["W_V"], x)
            query = f.of("Add", f.of("MatMul", W["W_Q"], x), W["b_Q"])
            scores = f.of("Mul", f.of("Unsqueeze", key, axis3), f.of("Unsqueeze", query, axis2))
            read = f.of("MatMul", f.of("Unsqueeze", value, axis2), f.of("Softmax", scores, axis=2))
            change = f.of("MatMul", W["W_O"], f.of("Squeeze", read, axis2))
            nodes += 13
        x = f.of("Add", x, change)
        out.append(x)
    return out, nodes


def graph_of(data: bytes) -> Fields:
    model = fields(data)
    only(model, (1, 2, 3, 4, 5, 6, 7, 8), "the model")  # 2 to 6 say who wrote it
    if one(model, 1, "the IR version", int) != IR_VERSION:
        raise Rejected(RULE, f"{FILE}, IR version", str(IR_VERSION), str(one(model, 1, "", int)))
    opset = fields(one(model, 8, "the operator set"))
    only(opset, (1, 2), "the operator set")
    if one(opset, 2, "the operator set", int) != OPSET or any(value for field, value in opset if field == 1):
        raise Rejected(RULE, f"{FILE}, operator set", f"ONNX's own, version {OPSET}", "another")
    graph = fields(one(model, 7, "the graph"))
    only(graph, (1, 2, 5, 11, 12), "the graph")
    return graph


def formulas(graph: Fields, f: Formulas, known: dict[str, int]) -> tuple[dict[str, int], list[int]]:
    """The formula of each name, and of each node in order."""
    named, made = dict(known), list[int]()
    for node in every(graph, 1, "the graph"):
        only(node, (1, 2, 3, 4, 5), "a node")
        op, out = word(one(node, 4, "a node's operator")), word(one(node, 2, "a node's output"))
        inputs = [word(value) for field, value in node if field == 1]
        unknown = [name for name in inputs if name not in named]
        if unknown or out in named:
            what = (
                f"input {brief(unknown[0])}, which nothing has made" if unknown else f"output {brief(out)}, made twice"
            )
            raise Rejected(
                RULE, f"{FILE}, node {len(made)} ({op})", "names that are made once, before they are used", what
            )
        attributes = {}
        for attribute in every(node, 5, "a node"):
            only(attribute, (1, 3, 20), "an attribute")
            if one(attribute, 20, "an attribute's type", int) != INT:
                raise Unreadable(f"{FILE}: an attribute that is no whole number")
            name = word(one(attribute, 1, "an attribute's name"))
            if name in attributes:
                raise Unreadable(f"{FILE}: attribute {brief(name)}, twice at one node")
            attributes[name] = one(attribute, 3, "an attribute", int)
        named[out] = f.of(op, *(named[name] for name in inputs), **attributes)
        made.append(named[out])
    return named, made


def from_onnx(data: bytes, network: Network, dtype: Dtype) -> dict[str, Rows]:
    """The tensors of model.onnx, whose graph must be that of the network."""
    graph = graph_of(data)
    ports = [port(one(graph, number, what)) for number, what in ((11, "its input"), (12, "its output"))]
    for name, (its_name, element, shape) in zip("XY", ports, strict=True):
        if its_name != name or element != dtype.in_onnx or shape != [None, network.d, network.n]:
            wanted = f"{name} of shape (batch, {network.d}, {network.n}) in {dtype.name}"
            raise Rejected(
                RULE, f"{FILE}, port {name}", wanted, f"{brief(its_name)} of shape {shape}, data type {element}"
            )
    shapes = {name: shape for name, _, shape in tensors(network)}  # of a bias, (r, 1)
    plain = {
        f"layers.{k}.b_2"
        for k, layer in enumerate(network.layers)
        if layer.kind == "feedforward" and not any(b for (b,) in layer.tensors["b_2"])
    }
    found = weights(graph, dtype, {name: shape for name, shape in shapes.items() if name not in plain})
    zero = {name: [[Fraction(0)]] * shapes[name][0] for name in plain}
    f = Formulas()
    out, nodes = expected(network, f)
    known = {"X": f.of("input", "X")} | {name: f.of("weights", name) for name in [*found, "axis2", "axis3"]}
    named, made = formulas(graph, f, known)
    there = set(made)
    for k, formula in enumerate(out):
        if formula not in there:
            its_name = network.layers[k].name
            raise Rejected(RULE, f"{FILE}, layer {k} ({its_name})", "the nodes of that layer", "another computation")
    if named.get("Y") != out[-1] or len(made) != nodes:
        raise Rejected(RULE, FILE, f"{nodes} nodes, of which the last makes Y", f"{len(made)} nodes, or another Y")
    return found | zero


def weights(graph: Fields, dtype: Dtype, shapes: dict[str, tuple[int, int]]) -> dict[str, Rows]:
    """The initialisers: each that there must be, once."""
    found: dict[str, Rows] = {}
    axes = {"axis2": 2, "axis3": 3}
    for tensor in every(graph, 5, "the graph"):
        only(tensor, (1, 2, 8, 9), "an initialiser")
        name, kind = word(one(tensor, 8, "an initialiser's name")), one(tensor, 2, "an initialiser's format", int)
        dims, raw = [value for field, value in tensor if field == 1], one(tensor, 9, "its numbers")
        if name in axes:
            if (kind, dims, raw) != (INT64, [1], axes.pop(name).to_bytes(8, "little")):
                raise Rejected(RULE, f"{FILE}, {name}", "one whole number, 2 or 3 as its name says", f"{raw.hex()}")
            continue
        if name in found or name not in shapes:
            what = "once" if name in found else "among the initialisers of this network"
            raise Rejected(
                RULE,
                f"{FILE}, initialiser {brief(name)}",
                f"to be there {what}",
                "it is" if name in found else "it isn't",
            )
        shape = shapes[name]
        if dims != list(shape) or kind != dtype.in_onnx:
            raise Rejected(
                RULE, f"{FILE}, {name}", f"shape {list(shape)} in {dtype.name}", f"shape {dims}, data type {kind}"
            )
        found[name] = decoded(name, raw, shape, dtype, FILE)
    missing = [name for name in shapes if name not in found] + list(axes)
    if missing:
        raise Rejected(RULE, f"{FILE}, {missing[0]}", "an initialiser", "nothing")
    return found

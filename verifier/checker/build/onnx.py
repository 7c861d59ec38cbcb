"""FORMAT-build 4: model.onnx, by the wire format of protocol buffers."""

from __future__ import annotations

from collections.abc import Iterator

from .dyadic import Dtype
from .files import Layer, Network, Tensor

IR_VERSION, OPSET, INT64, INT = 9, 17, 7, 2


def varint(value: int) -> bytes:
    return bytes([value]) if value < 128 else bytes([value % 128 + 128]) + varint(value // 128)


def message(*fields: tuple[int, int | str | bytes]) -> bytes:
    """Fields by number, in this order: whole numbers, texts, and bytes (such as other messages)."""
    made = b""
    for field, value in fields:
        if isinstance(value, int):
            made += varint(8 * field) + varint(value)
        else:
            data = value.encode() if isinstance(value, str) else value
            made += varint(8 * field + 2) + varint(len(data)) + data
    return made


class Nodes:
    """The nodes in order. The r-th gives t<r>; the last gives Y."""

    def __init__(self) -> None:
        self.made: list[tuple[str, str, tuple[str, ...]]] = []

    def __call__(self, op: str, *inputs: str) -> str:
        self.made.append((op, f"t{len(self.made) + 1}", inputs))
        return self.made[-1][1]

    def written(self) -> Iterator[tuple[str, bytes]]:
        for k, (op, out, inputs) in enumerate(self.made):
            last = k == len(self.made) - 1
            axis = [(5, message((1, "axis"), (3, 2), (20, INT)))] if op == "Softmax" else []
            node = message(*((1, name) for name in inputs), (2, "Y" if last else out), (4, op), *axis)
            yield f"node {k} ({op})", message((1, node))


def shifts(layer: Layer) -> bool:
    return any(b for (b,) in layer.tensors["b_2"])


def nodes(network: Network) -> Nodes:
    op, x = Nodes(), "X"
    if network.encoding is not None:
        x = op("Add", x, "encoding")
    for k, layer in enumerate(network.layers):
        W = {name: f"layers.{k}.{name}" for name in layer.tensors}
        if layer.kind == "feedforward":
            change = op("MatMul", W["W_2"], op("Relu", op("Add", op("MatMul", W["W_1"], x), W["b_1"])))
            if shifts(layer):
                change = op("Add", change, W["b_2"])
        else:
            key, query = op("MatMul", W["W_K"], x), op("Add", op("MatMul", W["W_Q"], x), W["b_Q"])
            value = op("MatMul", W["W_V"], x)
            shares = op("Softmax", op("Mul", op("Unsqueeze", key, "axis3"), op("Unsqueeze", query, "axis2")))
            read = op("MatMul", op("Unsqueeze", value, "axis2"), shares)
            change = op("MatMul", W["W_O"], op("Squeeze", read, "axis2"))
        x = op("Add", x, change)
    return op


def initialisers(network: Network, dtype: Dtype, found: list[Tensor]) -> Iterator[tuple[str, bytes]]:
    its = enumerate(network.layers)
    idle = {f"layers.{k}.b_2" for k, layer in its if layer.kind == "feedforward" and not shifts(layer)}
    for it in found:
        if it.name not in idle:
            dims = (*it.shape, 1)[:2]
            made = message(*((1, size) for size in dims), (2, dtype.in_onnx), (8, it.name), (9, it.numbers))
            yield it.place, message((5, made))
    for k in (2, 3):
        made = message((1, 1), (2, INT64), (8, f"axis{k}"), (9, k.to_bytes(8, "little")))
        yield f"axis{k}", message((5, made))


def onnx(network: Network, dtype: Dtype, found: list[Tensor]) -> Iterator[tuple[str, bytes]]:
    """The model; `found` are the tensors of section 3."""
    batch, d, n = message((2, "batch")), message((1, network.d)), message((1, network.n))
    shape = message((1, batch), (1, d), (1, n))
    port = message((1, message((1, dtype.in_onnx), (2, shape))))
    graph = [
        *nodes(network).written(),
        ("the graph's name", message((2, "network"))),
        *initialisers(network, dtype, found),
        ("input X", message((11, message((1, "X"), (2, port))))),
        ("output Y", message((12, message((1, "Y"), (2, port))))),
    ]
    size = sum(len(part) for _, part in graph)
    yield "versions", message((1, IR_VERSION), (2, "verifier"))
    yield "the graph", varint(8 * 7 + 2) + varint(size)
    yield from graph
    yield "operator set", message((8, message((1, ""), (2, OPSET))))

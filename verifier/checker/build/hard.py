"""FORMAT-build 2: model.onnx of an exported page, with hard attention."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from .dyadic import Dtype, encode
from .files import Tensor
from .onnx import INT, INT64, IR_VERSION, OPSET, message, varint

if TYPE_CHECKING:
    from .exported import Head, Layer

BOOL, INTS = 9, 7


def eight(numbers: list[int]) -> bytes:
    return b"".join(k.to_bytes(8, "little") for k in numbers)


class Writer:
    def __init__(self, n: int, dtype: Dtype, found: list[Tensor], *, soft: bool) -> None:
        self.soft, self.n, self.dtype, self.tensors = soft, n, dtype, {it.name: it for it in found}
        self.nodes: list[tuple[str, bytes]] = []
        self.used: dict[str, tuple[str, bytes]] = {}

    def op(self, kind: str, *inputs: str, many: tuple[str, list[int]] | None = None, **one: int) -> str:
        out = f"t{len(self.nodes) + 1}"
        attributes = [(5, message((1, name), (3, k), (20, INT))) for name, k in one.items()]
        if many is not None:
            attributes.append((5, message((1, many[0]), *((8, k) for k in many[1]), (20, INTS))))
        node = message(*((1, name) for name in inputs), (2, out), (4, kind), *attributes)
        self.nodes.append((f"node {len(self.nodes)} ({kind})", message((1, node))))
        return out

    def weight(self, name: str) -> str:
        it = self.tensors[name]
        dims = (*it.shape, 1)[:2]
        made = message(*((1, size) for size in dims), (2, self.dtype.in_onnx), (8, name), (9, it.numbers))
        self.used[name] = (it.place, message((5, made)))
        return name

    def constant(self, name: str, dims: tuple[int, ...], kind: int, raw: bytes) -> str:
        made = message(*((1, size) for size in dims), (2, kind), (8, name), (9, raw))
        self.used.setdefault(name, (name, message((5, made))))
        return name

    def number(self, name: str, x: Fraction) -> str:
        return self.constant(name, (1,), self.dtype.in_onnx, encode(x, self.dtype) or b"")

    def layer(self, at: str, layer: Layer, x: str) -> str:
        square = len(layer.D) == len(layer.D[0])
        same = square and all(e == (i == j) for i, row in enumerate(layer.D) for j, e in enumerate(row))
        y = x if same else self.op("MatMul", self.weight(f"{at}.D"), x)
        if any(e for (e,) in layer.u):
            y = self.op("Add", y, self.weight(f"{at}.u"))
        heard = ""
        for h, head in enumerate(layer.heads):
            found = self.head(f"{at}.heads.{h}", head, x)
            part = self.op("MatMul", self.weight(f"{at}.heads.{h}.O"), found)
            heard = self.op("Add", heard, part) if h else part
        if heard:
            y = self.op("Add", y, heard)
        if layer.W_1:
            t = self.op("Add", self.op("MatMul", self.weight(f"{at}.W_1"), x), self.weight(f"{at}.b_1"))
            y = self.op("Add", y, self.op("MatMul", self.weight(f"{at}.W_2"), self.op("Relu", t)))
        return y

    def head(self, at: str, head: Head, x: str) -> str:
        K, Q = (self.op("MatMul", self.weight(f"{at}.{name}"), x) for name in "KQ")
        if any(e for (e,) in head.b):
            Q = self.op("Add", Q, self.weight(f"{at}.b"))
        V = self.op("MatMul", self.weight(f"{at}.V"), x)
        if any(e for (e,) in head.v):
            V = self.op("Add", V, self.weight(f"{at}.v"))
        S, mask = self.op("MatMul", self.op("Transpose", K, many=("perm", [0, 2, 1])), Q), ""
        if head.mask is not None:
            raw = bytes(row[j] for j in range(self.n) for row in head.mask)
            mask = self.constant(f"{at}.mask", (self.n, self.n), BOOL, raw)
            p, most = self.dtype.p, self.dtype.most
            S = self.op("Where", mask, S, self.number("lowest", -(2**p - 1) * Fraction(2) ** (most - p + 1)))
        if self.soft:
            return self.op("MatMul", V, self.op("Softmax", S, axis=1))
        if head.tie == "average":
            E = self.op("Equal", S, self.op("ReduceMax", S, many=("axes", [1]), keepdims=1))
        else:
            best = self.op("ArgMax", S, axis=1, keepdims=1, select_last_index=int(head.tie == "rightmost"))
            E = self.op("Equal", self.constant("places", (self.n, 1), INT64, eight(list(range(self.n)))), best)
        if mask:
            E = self.op("And", E, mask)
        E = self.op("Cast", E, to=self.dtype.in_onnx)
        found = self.op("MatMul", V, E)
        if head.tie != "average":
            return found
        one, axis = self.number("one", Fraction(1)), self.constant("axis1", (1,), INT64, eight([1]))
        return self.op("Div", found, self.op("Max", self.op("ReduceSum", E, axis, keepdims=1), one))


def onnx(n: int, layers: list[Layer], dtype: Dtype, found: list[Tensor], *, soft: bool) -> Iterator[tuple[str, bytes]]:
    writer, x = Writer(n, dtype, found, soft=soft), "X"
    for k, layer in enumerate(layers):
        x = writer.layer(f"layers.{k}", layer, x)
    last = message((1, x), (2, "Y"), (4, "Identity"))

    def port(name: str, size: int) -> bytes:
        shape = message((1, message((2, "batch"))), (1, message((1, size))), (1, message((1, n))))
        return message((1, name), (2, message((1, message((1, dtype.in_onnx), (2, shape))))))

    graph: list[Any] = [
        *writer.nodes,
        ("the last node", message((1, last))),
        ("the graph's name", message((2, "network"))),
        *writer.used.values(),
        ("input X", message((11, port("X", len(layers[0].D[0]))))),
        ("output Y", message((12, port("Y", len(layers[-1].D))))),
    ]
    yield "versions", message((1, IR_VERSION), (2, "verifier"))
    yield "the graph", varint(8 * 7 + 2) + varint(sum(len(part) for _, part in graph))
    yield from graph
    yield "operator set", message((8, message((1, ""), (2, OPSET))))

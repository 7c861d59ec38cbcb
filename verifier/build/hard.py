"""ONNX: the layers of an exported page, with hard attention or softmax (FORMAT-build.md, 8).

of a head    S = (K X)^T (Q X + b), a row for each token that is read; masked scores are the format's lowest number
             average: E is 1 where S is its column's largest and the mask lets it; read = (V X + v) E / max(sum of E, 1)
             leftmost, rightmost: E is 1 at the first, or last, largest one;        read = (V X + v) E
             with softmax: read = (V X + v) softmax(S)
of a layer   D X (X itself, if D is the identity) + u (if it isn't 0) + (the sum of O read), or + W_2 relu(W_1 X + b_1)
"""

from collections.abc import Iterable, Sequence

from verifier.build.dtype import Dtype
from verifier.build.export import Tensor
from verifier.build.onnx import INT64, chunk, node, number, stored, tensor, whole
from verifier.build.taken import Head, Taken
from verifier.core.exact import Q

ONE = Q(1)
BOOL, INTS = 9, 7  # TensorProto.DataType, AttributeProto.AttributeType


class _Graph:
    def __init__(self, dtype: Dtype, n: int, *, soft: bool) -> None:
        self.dtype, self.n, self.soft = dtype, n, soft
        self.nodes: list[bytes] = []
        self.stored: dict[str, bytes] = {}

    def op(self, kind: str, *inputs: str, lists: dict[str, list[int]] | None = None, **attributes: int) -> str:
        out = f"t{len(self.nodes) + 1}"
        made = node(kind, inputs, out, "", **attributes)
        for name, items in (lists or {}).items():
            made += chunk(5, chunk(1, name) + b"".join(number(8, k) for k in items) + number(20, INTS))
        self.nodes.append(made)
        return out

    def weight(self, name: str, W: Tensor) -> str:
        self.stored[name] = tensor(name, W, self.dtype)
        return name

    def constant(self, name: str, shape: Sequence[int], kind: int, raw: bytes) -> str:
        self.stored.setdefault(name, stored(name, shape, kind, raw))
        return name

    def number(self, name: str, value: bytes) -> str:
        return self.constant(name, (1,), self.dtype.onnx, value)

    def layer(self, at: str, layer: Taken, x: str) -> str:
        total = x if layer.keeps else self.op("MatMul", self.weight(f"{at}.D", layer.own), x)
        if any(layer.shift):
            total = self.op("Add", total, self.weight(f"{at}.u", layer.shift))
        heard = ""
        for h, head in enumerate(layer.heads):
            read = self.read(f"{at}.heads.{h}", head, x)
            part = self.op("MatMul", self.weight(f"{at}.heads.{h}.O", head.out), read)
            heard = self.op("Add", heard, part) if heard else part
        if heard:
            total = self.op("Add", total, heard)
        if layer.W_1:
            hidden = self.op("MatMul", self.weight(f"{at}.W_1", layer.W_1), x)
            hidden = self.op("Relu", self.op("Add", hidden, self.weight(f"{at}.b_1", layer.b_1)))
            total = self.op("Add", total, self.op("MatMul", self.weight(f"{at}.W_2", layer.W_2), hidden))
        return total

    def read(self, at: str, head: Head, x: str) -> str:
        keys = self.op("MatMul", self.weight(f"{at}.K", head.keys), x)
        queries = self.op("MatMul", self.weight(f"{at}.Q", head.queries), x)
        if any(head.bias):
            queries = self.op("Add", queries, self.weight(f"{at}.b", head.bias))
        values = self.op("MatMul", self.weight(f"{at}.V", head.values), x)
        if any(head.shift):
            values = self.op("Add", values, self.weight(f"{at}.v", head.shift))
        scores = self.op("MatMul", self.op("Transpose", keys, lists={"perm": [0, 2, 1]}), queries)
        mask = None
        if head.mask is not None:
            raw = bytes(head.mask[i][j] for j in range(self.n) for i in range(self.n))
            mask = self.constant(f"{at}.mask", (self.n, self.n), BOOL, raw)
            lowest = self.number("lowest", self.dtype.encode(-self.dtype.largest))
            scores = self.op("Where", mask, scores, lowest)
        if self.soft:
            return self.op("MatMul", values, self.op("Softmax", scores, axis=1))
        if head.tie == "average":
            best = self.op("Equal", scores, self.op("ReduceMax", scores, lists={"axes": [1]}, keepdims=1))
        else:
            last = int(head.tie == "rightmost")
            one = self.op("ArgMax", scores, axis=1, keepdims=1, select_last_index=last)
            raw = b"".join(k.to_bytes(8, "little") for k in range(self.n))
            best = self.op("Equal", self.constant("places", (self.n, 1), INT64, raw), one)
        if mask is not None:
            best = self.op("And", best, mask)
        share = self.op("Cast", best, to=self.dtype.onnx)
        read = self.op("MatMul", values, share)
        if head.tie != "average":
            return read
        one = self.number("one", self.dtype.encode(self.dtype.nearest(ONE)))
        axes = self.constant("axis1", (1,), INT64, (1).to_bytes(8, "little"))
        many = self.op("Max", self.op("ReduceSum", share, axes, keepdims=1), one)
        return self.op("Div", read, many)


def onnx(
    layers: Iterable[Taken], d: int, width: int, n: int, dtype: Dtype, batch: int | str = "batch", *, soft: bool = False
) -> bytes:
    graph, x = _Graph(dtype, n, soft=soft), "X"
    for k, layer in enumerate(layers):
        x = graph.layer(f"layers.{k}", layer, x)
    graph.nodes.append(node("Identity", (x,), "Y", ""))
    return whole("network", graph.nodes, graph.stored.values(), (batch, d, n), dtype, (batch, width, n))

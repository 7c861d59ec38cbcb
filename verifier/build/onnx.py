"""ONNX: networks as the bytes of a model, by the published wire format of protocol buffers.

A model has one input X and one output Y, both of shape (batch, d, n), in one floating-point format. Its initialisers
are named after the layers: `layers.3.W_K` is W_K of layer 3. Biases have a shape (r, 1), so that they are added to
every column; a bias b_2 that is 0 isn't there.

There are two graphs, which compute the same and differ in names and order: that of `onnx`, for `verify build`, is
FORMAT-build.md, 4, and numbers its results; that of `model`, for `verify bench`, names them and its nodes.
"""

from collections.abc import Iterable, Sequence

from verifier.build.dtype import Dtype, NotHeld
from verifier.build.export import Tensor, data, named_tensors
from verifier.build.layer import Attention, FeedForward, Layer, Stack, tensors
from verifier.core.exact import Matrix

IR_VERSION, OPSET = 9, 17
INT64, INT = 7, 2  # TensorProto.DataType, AttributeProto.AttributeType


def varint(value: int) -> bytes:
    """A whole number >= 0, seven bits a byte, the least first."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def number(field: int, value: int) -> bytes:
    return varint(field << 3) + varint(value)


def chunk(field: int, value: bytes | str) -> bytes:
    """A string, bytes, or a message inside a message."""
    data = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(data)) + data


def node(op: str, inputs: Iterable[str], output: str, name: str, **whole: int) -> bytes:
    """NodeProto, nameless if the name is empty; the attributes are whole numbers."""
    attributes = (chunk(1, key) + number(3, value) + number(20, INT) for key, value in whole.items())
    ends = b"".join(chunk(1, x) for x in inputs) + chunk(2, output)
    named = chunk(3, name) if name else b""
    return ends + named + chunk(4, op) + b"".join(chunk(5, attribute) for attribute in attributes)


def stored(name: str, shape: Iterable[int], kind: int, raw: bytes) -> bytes:
    """TensorProto."""
    return b"".join(number(1, size) for size in shape) + number(2, kind) + chunk(8, name) + chunk(9, raw)


def tensor(name: str, entries: Tensor, dtype: Dtype, *, nearest: bool = False) -> bytes:
    """TensorProto of a matrix, or of a bias as a column; NotHeld says which tensor has a number that isn't held."""
    rows = tuple(row if isinstance(row, tuple) else (row,) for row in entries)
    try:
        raw = data(rows, dtype, nearest=nearest)
    except NotHeld as error:
        raise NotHeld(f"{name}: {error}") from None
    return stored(name, (len(rows), len(rows[0])), dtype.onnx, raw)


def axis(k: int) -> bytes:
    """TensorProto of the list [k], which Squeeze and Unsqueeze take."""
    return stored(f"axis{k}", (1,), INT64, k.to_bytes(8, "little"))


def port(name: str, shape: Sequence[int | str], dtype: Dtype) -> bytes:
    """ValueInfoProto: a name, a format, and a shape of numbers or names."""
    sizes = (number(1, size) if isinstance(size, int) else chunk(2, size) for size in shape)
    dimensions = b"".join(chunk(1, size) for size in sizes)
    return chunk(1, name) + chunk(2, chunk(1, number(1, dtype.onnx) + chunk(2, dimensions)))


def whole(
    name: str,
    nodes: Iterable[bytes],
    initialisers: Iterable[bytes],
    shape: Sequence[int | str],
    dtype: Dtype,
    gives: Sequence[int | str] | None = None,
) -> bytes:
    """ModelProto; Y has X's shape, or the one that is given."""
    parts = [*(chunk(1, made) for made in nodes), chunk(2, name), *(chunk(5, it) for it in initialisers)]
    parts += [chunk(11, port("X", shape, dtype)), chunk(12, port("Y", gives or shape, dtype))]
    head = number(1, IR_VERSION) + chunk(2, "verifier")
    return head + chunk(7, b"".join(parts)) + chunk(8, chunk(1, "") + number(2, OPSET))


def onnx(stack: Stack, dtype: Dtype, *, nearest: bool = False) -> bytes:
    """The graph of FORMAT-build.md, 4."""
    nodes: list[bytes] = []

    def op(kind: str, *inputs: str, out: str | None = None, **attributes: int) -> str:
        out = out or f"t{len(nodes) + 1}"
        nodes.append(node(kind, inputs, out, "", **attributes))
        return out

    x, last, unused = "X", len(stack.layers) - 1, set()
    if stack.encoding is not None:
        x = op("Add", x, "encoding")
    for k, named in enumerate(stack.layers):
        w = f"layers.{k}."
        if isinstance(named.layer, FeedForward):
            h = op("Relu", op("Add", op("MatMul", w + "W_1", x), w + "b_1"))
            h = op("MatMul", w + "W_2", h)
            if any(named.layer.b_2):
                h = op("Add", h, w + "b_2")
            else:
                unused.add(w + "b_2")
        else:
            keys = op("MatMul", w + "W_K", x)
            queries = op("Add", op("MatMul", w + "W_Q", x), w + "b_Q")
            values = op("MatMul", w + "W_V", x)
            scores = op("Mul", op("Unsqueeze", keys, "axis3"), op("Unsqueeze", queries, "axis2"))
            shares = op("Softmax", scores, axis=2)
            read = op("MatMul", op("Unsqueeze", values, "axis2"), shares)
            h = op("MatMul", w + "W_O", op("Squeeze", read, "axis2"))
        x = op("Add", x, h, out="Y" if k == last else None)
    weights = [
        tensor(name, entries, dtype, nearest=nearest) for name, entries in named_tensors(stack) if name not in unused
    ]
    return whole("network", nodes, [*weights, axis(2), axis(3)], ("batch", stack.d, stack.n), dtype)


class Graph:
    """Nodes and initialisers in the order in which they are made."""

    def __init__(self, dtype: Dtype) -> None:
        self.dtype = dtype
        self.nodes: list[bytes] = []
        self.initialisers: list[bytes] = []

    def weights(self, name: str, entries: Tensor) -> str:
        self.initialisers.append(tensor(name, entries, self.dtype))
        return name

    def op(self, op: str, inputs: Iterable[str], output: str, **attributes: int) -> str:
        self.nodes.append(node(op, inputs, output, output, **attributes))
        return output

    def layer(self, k: int, layer: Layer, x: str, out: str) -> None:
        (self.attend if isinstance(layer, Attention) else self.forward)(f"layers.{k}", layer, x, out)  # type: ignore[arg-type]

    def attend(self, at: str, layer: Attention, x: str, out: str) -> None:
        """Keys K (batch, h, n, 1) times queries Q (batch, h, 1, n); the softmax is over the keys, axis 2."""
        W = tensors(layer)
        K = self.op("MatMul", [self.weights(f"{at}.W_K", W["W_K"]), x], f"{at}.K")
        Q = self.op("MatMul", [self.weights(f"{at}.W_Q", W["W_Q"]), x], f"{at}.WQX")
        Q = self.op("Add", [Q, self.weights(f"{at}.b_Q", W["b_Q"])], f"{at}.Q")
        V = self.op("MatMul", [self.weights(f"{at}.W_V", W["W_V"]), x], f"{at}.V")
        key = self.op("Unsqueeze", [K, "axis3"], f"{at}.key")
        query = self.op("Unsqueeze", [Q, "axis2"], f"{at}.query")
        value = self.op("Unsqueeze", [V, "axis2"], f"{at}.value")
        share = self.op("Softmax", [self.op("Mul", [key, query], f"{at}.scores")], f"{at}.shares", axis=2)
        heads = self.op("Squeeze", [self.op("MatMul", [value, share], f"{at}.read"), "axis2"], f"{at}.heads")
        change = self.op("MatMul", [self.weights(f"{at}.W_O", W["W_O"]), heads], f"{at}.change")
        self.op("Add", [x, change], out)

    def forward(self, at: str, layer: FeedForward, x: str, out: str) -> None:
        hidden = self.op("MatMul", [self.weights(f"{at}.W_1", layer.W_1), x], f"{at}.W1X")
        hidden = self.op("Add", [hidden, self.weights(f"{at}.b_1", layer.b_1)], f"{at}.hidden")
        hidden = self.op("Relu", [hidden], f"{at}.relu")
        change = self.op("MatMul", [self.weights(f"{at}.W_2", layer.W_2), hidden], f"{at}.change")
        if any(layer.b_2):
            change = self.op("Add", [change, self.weights(f"{at}.b_2", layer.b_2)], f"{at}.shifted")
        self.op("Add", [x, change], out)


def model(
    layers: Sequence[Layer],
    d: int,
    n: int,
    dtype: Dtype,
    name: str,
    encoding: Matrix | None = None,
    batch: int | None = None,
) -> bytes:
    """ModelProto; the encoding, if there is one, is added to X first. Without `batch` its first dimension is free."""
    if not layers:
        raise ValueError("a model has at least one layer")
    graph = Graph(dtype)
    x = "X" if encoding is None else graph.op("Add", ["X", graph.weights("encoding", encoding)], "encoded")
    for k, layer in enumerate(layers):
        out = "Y" if k == len(layers) - 1 else f"layers.{k}.out"
        graph.layer(k, layer, x, out)
        x = out
    if any(isinstance(layer, Attention) for layer in layers):
        graph.initialisers += [axis(2), axis(3)]
    shape = ("batch" if batch is None else batch, d, n)
    return whole(name, graph.nodes, graph.initialisers, shape, dtype)

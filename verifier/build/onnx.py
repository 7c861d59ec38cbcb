"""ONNX: a list of stored layers as the bytes of a model, by the published wire format of protocol buffers.

The model has one input X and one output Y, both of shape (batch, d, n), in one floating-point format. Its
initialisers are named after the layers: `layers.3.W_K` is W_K of layer 3. Biases have a shape (r, 1), so that they are
added to every column; a bias b_2 that is 0 isn't there.
"""

from collections.abc import Iterable, Sequence

from verifier.build.dtypes import Dtype, NotHeld
from verifier.build.layers import Attend, Forward, Stored
from verifier.core.exact import Matrix, Vector

IR_VERSION, OPSET = 9, 17
ELEMENT = {"float64": 11, "float32": 1, "float16": 10, "bfloat16": 16}  # TensorProto.DataType
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


def node(op: str, inputs: Iterable[str], output: str, **whole: int) -> bytes:
    """NodeProto; the attributes are whole numbers."""
    attributes = (chunk(1, name) + number(3, value) + number(20, INT) for name, value in whole.items())
    named = b"".join(chunk(1, name) for name in inputs) + chunk(2, output) + chunk(3, output) + chunk(4, op)
    return named + b"".join(chunk(5, attribute) for attribute in attributes)


def tensor(name: str, rows: Matrix, dtype: Dtype) -> bytes:
    """TensorProto of a matrix; NotHeld says where a number is that the format doesn't hold."""
    data = bytearray()
    for i, row in enumerate(rows):
        for j, value in enumerate(row):
            try:
                data += dtype.encode(value)
            except NotHeld as error:
                raise NotHeld(f"{name}[{i}][{j}]: {error}") from None
    shape = number(1, len(rows)) + number(1, len(rows[0]))
    return shape + number(2, ELEMENT[dtype.name]) + chunk(8, name) + chunk(9, bytes(data))


def axis(name: str, k: int) -> bytes:
    """TensorProto of the list [k], which Squeeze and Unsqueeze take."""
    return number(1, 1) + number(2, INT64) + chunk(8, name) + chunk(9, k.to_bytes(8, "little"))


def port(name: str, shape: Sequence[int | str], dtype: Dtype) -> bytes:
    """ValueInfoProto: a name, a format, and a shape of numbers or names."""
    sizes = (number(1, size) if isinstance(size, int) else chunk(2, size) for size in shape)
    dimensions = b"".join(chunk(1, size) for size in sizes)
    return chunk(1, name) + chunk(2, chunk(1, number(1, ELEMENT[dtype.name]) + chunk(2, dimensions)))


def column(b: Vector) -> Matrix:
    return tuple((x,) for x in b)


class Graph:
    """Nodes and initialisers in the order in which they are made."""

    def __init__(self, dtype: Dtype) -> None:
        self.dtype = dtype
        self.nodes: list[bytes] = []
        self.initialisers: list[bytes] = []

    def weights(self, name: str, rows: Matrix) -> str:
        self.initialisers.append(tensor(name, rows, self.dtype))
        return name

    def op(self, op: str, inputs: Iterable[str], output: str, **whole: int) -> str:
        self.nodes.append(node(op, inputs, output, **whole))
        return output

    def layer(self, k: int, layer: Stored, x: str, out: str) -> None:
        (self.attend if isinstance(layer, Attend) else self.forward)(f"layers.{k}", layer, x, out)  # type: ignore[arg-type]

    def attend(self, at: str, layer: Attend, x: str, out: str) -> None:
        """Keys K (batch, h, n, 1) times queries Q (batch, h, 1, n); the softmax is over the keys, axis 2."""
        K = self.op("MatMul", [self.weights(f"{at}.W_K", layer.W_K), x], f"{at}.K")
        Q = self.op("MatMul", [self.weights(f"{at}.W_Q", layer.W_Q), x], f"{at}.WQX")
        Q = self.op("Add", [Q, self.weights(f"{at}.b_Q", column(layer.b_Q))], f"{at}.Q")
        V = self.op("MatMul", [self.weights(f"{at}.W_V", layer.W_V), x], f"{at}.V")
        key = self.op("Unsqueeze", [K, "axis3"], f"{at}.key")
        query = self.op("Unsqueeze", [Q, "axis2"], f"{at}.query")
        value = self.op("Unsqueeze", [V, "axis2"], f"{at}.value")
        share = self.op("Softmax", [self.op("Mul", [key, query], f"{at}.scores")], f"{at}.shares", axis=2)
        heads = self.op("Squeeze", [self.op("MatMul", [value, share], f"{at}.read"), "axis2"], f"{at}.heads")
        change = self.op("MatMul", [self.weights(f"{at}.W_O", layer.W_O), heads], f"{at}.change")
        self.op("Add", [x, change], out)

    def forward(self, at: str, layer: Forward, x: str, out: str) -> None:
        hidden = self.op("MatMul", [self.weights(f"{at}.W_1", layer.W_1), x], f"{at}.W1X")
        hidden = self.op("Add", [hidden, self.weights(f"{at}.b_1", column(layer.b_1))], f"{at}.hidden")
        hidden = self.op("Relu", [hidden], f"{at}.relu")
        change = self.op("MatMul", [self.weights(f"{at}.W_2", layer.W_2), hidden], f"{at}.change")
        if any(layer.b_2):
            change = self.op("Add", [change, self.weights(f"{at}.b_2", column(layer.b_2))], f"{at}.shifted")
        self.op("Add", [x, change], out)


def model(
    layers: Sequence[Stored],
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
    if any(isinstance(layer, Attend) for layer in layers):
        graph.initialisers += [axis("axis2", 2), axis("axis3", 3)]
    shape = ("batch" if batch is None else batch, d, n)
    parts = [*(chunk(1, made) for made in graph.nodes), chunk(2, name), *(chunk(5, it) for it in graph.initialisers)]
    parts += [chunk(11, port("X", shape, dtype)), chunk(12, port("Y", shape, dtype))]
    head = number(1, IR_VERSION) + chunk(2, "verifier")
    return head + chunk(7, b"".join(parts)) + chunk(8, chunk(1, "") + number(2, OPSET))

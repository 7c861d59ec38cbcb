"""ONNX: networks as the bytes of a model, by the published wire format of protocol buffers.

A model has one input X and one output Y, both of shape (batch, d, n), in one floating-point format. Its initialisers
are named after the layers: `layers.3.W_1` is W_1 of layer 3. Biases have a shape (r, 1), so that they are added to
every column.
"""

from collections.abc import Iterable, Sequence

from verifier.build.dtype import Dtype, NotHeld
from verifier.build.export import Tensor, data

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


def tensor(name: str, entries: Tensor, dtype: Dtype) -> bytes:
    """TensorProto of a matrix, or of a bias as a column; NotHeld says which tensor has a number that isn't held."""
    rows = tuple(row if isinstance(row, tuple) else (row,) for row in entries)
    try:
        raw = data(rows, dtype)
    except NotHeld as error:
        raise NotHeld(f"{name}: {error}") from None
    return stored(name, (len(rows), len(rows[0])), dtype.onnx, raw)


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

"""The files of a network: exact weights as JSON, and safetensors and ONNX, written as these formats are published.

FORMAT-build.md, 2 to 4, says what is in them. None of them needs the package of its name.
"""

import json
from collections.abc import Iterable, Iterator, Sequence

from gmpy2 import mpq

from verifier.build import encoder
from verifier.build.dtype import Dtype
from verifier.build.layer import Named, Stack, tensors
from verifier.certificate import canonical
from verifier.core.exact import Matrix, Vector, text_of
from verifier.core.layers import FeedForward

FORMAT = "verifier.core.network/1"
Tensor = Matrix | Vector


def texts(tensor: Tensor) -> list[object]:
    return [[text_of(x) for x in row] if isinstance(row, tuple) else text_of(row) for row in tensor]


def weights_json(stack: Stack) -> bytes:
    return canonical(
        {
            "format": FORMAT,
            "d": stack.d,
            "n": stack.n,
            "encoding": None if stack.encoding is None else texts(stack.encoding),
            "layers": [
                {"kind": kind(named), "name": named.name}
                | {name: texts(tensor) for name, tensor in tensors(named.layer).items()}
                for named in stack.layers
            ],
        }
    )


def kind(named: Named) -> str:
    return "feedforward" if isinstance(named.layer, FeedForward) else "attention"


def named_tensors(stack: Stack) -> Iterator[tuple[str, Tensor]]:
    """Every tensor by its name, in the order of the file."""
    if stack.encoding is not None:
        yield "encoding", stack.encoding
    for k, named in enumerate(stack.layers):
        for name, tensor in tensors(named.layer).items():
            yield f"layers.{k}.{name}", tensor


def shape(tensor: Tensor) -> list[int]:
    first = tensor[0]
    return [len(tensor), len(first)] if isinstance(first, tuple) else [len(tensor)]


def entries(tensor: Tensor) -> Iterator[mpq]:
    for entry in tensor:
        if isinstance(entry, tuple):
            yield from entry
        else:
            yield entry


def data(tensor: Tensor, dtype: Dtype, *, nearest: bool) -> bytes:
    return b"".join(dtype.encode(dtype.nearest(x) if nearest else x) for x in entries(tensor))


def safetensors(stack: Stack, dtype: Dtype, *, nearest: bool = False) -> bytes:
    """model.safetensors: the layers as they are."""
    return packed(FORMAT, named_tensors(stack), dtype, nearest=nearest)


def encoder_safetensors(stack: Stack, dtype: Dtype, *, nearest: bool = False) -> bytes:
    """encoder.safetensors: the layers as blocks of torch.nn.TransformerEncoder."""
    return packed(encoder.FORMAT, encoder.named_tensors(stack), dtype, nearest=nearest)


def packed(kind_: str, found: Iterable[tuple[str, Tensor]], dtype: Dtype, *, nearest: bool) -> bytes:
    """8 bytes of length, a JSON header, the tensors one after the other."""
    header: dict[str, object] = {"__metadata__": {"format": kind_}}
    parts, at = [], 0
    for name, tensor in found:
        part = data(tensor, dtype, nearest=nearest)
        header[name] = {"dtype": dtype.safetensors, "shape": shape(tensor), "data_offsets": [at, at + len(part)]}
        at += len(part)
        parts.append(part)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + b"".join(parts)


# ONNX is protocol buffers: each field is a key, number . 8 + how it is written (0 a number, 2 bytes), and its value.


def _varint(value: int) -> bytes:
    out = bytearray()
    value &= (1 << 64) - 1
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _bytes(field: int, value: bytes | str) -> bytes:
    raw = value.encode() if isinstance(value, str) else value
    return _varint(field << 3 | 2) + _varint(len(raw)) + raw


def _tensor(name: str, dims: Sequence[int], kind_: int, raw: bytes) -> bytes:
    """TensorProto: dims, data_type, name, raw_data."""
    return b"".join(_number(1, k) for k in dims) + _number(2, kind_) + _bytes(8, name) + _bytes(9, raw)


def _end(name: str, kind_: int, dims: Sequence[int | str]) -> bytes:
    """ValueInfoProto of a tensor: its name, its type and shape."""
    sizes = b"".join(_bytes(1, _bytes(2, k) if isinstance(k, str) else _number(1, k)) for k in dims)
    return _bytes(1, name) + _bytes(2, _bytes(1, _number(1, kind_) + _bytes(2, sizes)))


INT64 = 7


class _Graph:
    def __init__(self) -> None:
        self.nodes: list[bytes] = []
        self.count = 0

    def node(self, op: str, *inputs: str, out: str | None = None, axis: int | None = None) -> str:
        """NodeProto: inputs, output, op_type, and `axis` as its attribute."""
        self.count += 1
        out = out or f"t{self.count}"
        attribute = b"" if axis is None else _bytes(5, _bytes(1, "axis") + _number(3, axis) + _number(20, 2))
        body = b"".join(_bytes(1, name) for name in inputs) + _bytes(2, out) + _bytes(4, op) + attribute
        self.nodes.append(_bytes(1, body))
        return out


def onnx(stack: Stack, dtype: Dtype, *, nearest: bool = False) -> bytes:
    """ModelProto, with the graph of FORMAT-build.md, 4."""
    graph, x = _Graph(), "X"
    last = len(stack.layers) - 1
    if stack.encoding is not None:
        x = graph.node("Add", x, "encoding")
    for k, named in enumerate(stack.layers):
        w, out = f"layers.{k}.", "Y" if k == last else None
        if isinstance(named.layer, FeedForward):
            h = graph.node("Add", graph.node("MatMul", w + "W_1", x), w + "b_1")
            h = graph.node("MatMul", w + "W_2", graph.node("Relu", h))
            if any(named.layer.b_2):
                h = graph.node("Add", h, w + "b_2")
        else:
            keys = graph.node("MatMul", w + "W_K", x)
            queries = graph.node("Add", graph.node("MatMul", w + "W_Q", x), w + "b_Q")
            values = graph.node("MatMul", w + "W_V", x)
            scores = graph.node(
                "Mul", graph.node("Unsqueeze", keys, "axis3"), graph.node("Unsqueeze", queries, "axis2")
            )
            shares = graph.node("Softmax", scores, axis=2)
            read = graph.node("MatMul", graph.node("Unsqueeze", values, "axis2"), shares)
            h = graph.node("MatMul", w + "W_O", graph.node("Squeeze", read, "axis2"))
        x = graph.node("Add", x, h, out=out)
    unused = {f"layers.{k}.b_2" for k, named in enumerate(stack.layers) if not _used_b_2(named)}
    initializers = [
        _tensor(
            name,
            size if len(size := shape(tensor)) == 2 else [*size, 1],
            dtype.onnx,
            data(tensor, dtype, nearest=nearest),
        )
        for name, tensor in named_tensors(stack)
        if name not in unused
    ]
    initializers += [_tensor(f"axis{k}", [1], INT64, k.to_bytes(8, "little")) for k in (2, 3)]
    ends: list[int | str] = ["batch", stack.d, stack.n]
    body = b"".join(
        [
            *graph.nodes,
            _bytes(2, "network"),
            *(_bytes(5, tensor) for tensor in initializers),
            _bytes(11, _end("X", dtype.onnx, ends)),
            _bytes(12, _end("Y", dtype.onnx, ends)),
        ]
    )
    return _number(1, 9) + _bytes(2, "verifier") + _bytes(7, body) + _bytes(8, _bytes(1, "") + _number(2, 17))


def _used_b_2(named: Named) -> bool:
    return not isinstance(named.layer, FeedForward) or any(named.layer.b_2)

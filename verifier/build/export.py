"""The weights of a network as files: exact as JSON, and as safetensors, written as that format is published.

FORMAT-build.md, 2 and 3, says what is in them; the package safetensors is not needed.
"""

import json
from collections.abc import Iterable, Iterator

from gmpy2 import mpq

from verifier.build import encoder
from verifier.build.dtype import Dtype, NotHeld
from verifier.build.layer import FeedForward, Named, Stack, tensors
from verifier.certificate import canonical
from verifier.core.exact import Matrix, Vector, text_of

FORMAT = "verifier.core.network/1"
MOST_BYTES = 64 * 2**20  # that a checker reads of a file
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
        },
        MOST_BYTES,
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
        try:
            part = data(tensor, dtype, nearest=nearest)
        except NotHeld as error:
            raise NotHeld(f"{name}: {error}") from None
        header[name] = {"dtype": dtype.safetensors, "shape": shape(tensor), "data_offsets": [at, at + len(part)]}
        at += len(part)
        parts.append(part)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + b"".join(parts)

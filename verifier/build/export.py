"""The weights of a network as files: exact as JSON, and as safetensors, written as that format is published.

FORMAT-build.md, 2 and 3, says what is in them; the package safetensors is not needed.
"""

import json
from collections.abc import Iterable, Iterator

from gmpy2 import mpq

from verifier.build.dtype import Dtype, NotHeld
from verifier.core.exact import Matrix, Vector, text_of

MOST_BYTES = 64 * 2**20  # that a checker reads of a file
Tensor = Matrix | Vector


def texts(tensor: Tensor) -> list[object]:
    return [[text_of(x) for x in row] if isinstance(row, tuple) else text_of(row) for row in tensor]


def shape(tensor: Tensor) -> list[int]:
    first = tensor[0]
    return [len(tensor), len(first)] if isinstance(first, tuple) else [len(tensor)]


def entries(tensor: Tensor) -> Iterator[mpq]:
    for entry in tensor:
        if isinstance(entry, tuple):
            yield from entry
        else:
            yield entry


def data(tensor: Tensor, dtype: Dtype) -> bytes:
    return b"".join(map(dtype.encode, entries(tensor)))


def packed(kind_: str, found: Iterable[tuple[str, Tensor]], dtype: Dtype) -> bytes:
    """8 bytes of length, a JSON header, the tensors one after the other."""
    header: dict[str, object] = {"__metadata__": {"format": kind_}}
    parts, at = [], 0
    for name, tensor in found:
        try:
            part = data(tensor, dtype)
        except NotHeld as error:
            raise NotHeld(f"{name}: {error}") from None
        header[name] = {"dtype": dtype.safetensors, "shape": shape(tensor), "data_offsets": [at, at + len(part)]}
        at += len(part)
        parts.append(part)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + b"".join(parts)

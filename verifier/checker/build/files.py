"""FORMAT-build 1 and 2: the bytes of a folder, and those that belong there."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..core.comparing import Rejected
from ..core.reading import READING, Unreadable, brief, text_of
from .dyadic import Dtype, encode
from .reading import Rows

MOST_BYTES = 64 * 2**20
Parts = Iterable[tuple[str, bytes]]  # a file, from its first byte to its last: what stands where, and its bytes


class Tensor(NamedTuple):
    """As the models hold it: its name, where it comes from, its shape, its numbers row by row."""

    name: str
    place: str
    shape: tuple[int, ...]
    numbers: bytes


# The bytes of a folder, and those that belong there


def contents(folder: str, name: str) -> bytes:
    """The bytes of a regular file of the folder."""
    path = os.path.join(folder, name)
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            raise Unreadable(f"{name}: not a regular file")
        with open(os.open(path, READING), "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise Unreadable(f"{name}: {getattr(error, 'strerror', None) or 'no such name'}") from None
    if not data or len(data) > MOST_BYTES:
        raise Unreadable(f"{name}: {'more than 64 MiB' if data else 'empty'}")
    return data


def same_bytes(file: str, parts: Parts, data: bytes, rule: str) -> None:
    """Rejects a file at its first byte that is another than these parts have there."""
    at = 0
    for where, part in parts:
        found = data[at : at + len(part)]
        if found != part:
            k = next((k for k, (a, b) in enumerate(zip(part, found, strict=False)) if a != b), len(found))
            raise Rejected(rule, f"{file}, {where}, byte {at + k}", around(part, k), around(found, k))
        at += len(part)
    if at != len(data):
        raise Rejected(rule, f"{file}, byte {at}", "the end of the file", f"{len(data) - at} more bytes")


def around(part: bytes, k: int) -> str:
    """What stands at byte k: its line, if that is a text; else eight bytes."""
    if k >= len(part):
        return "the end of the file"
    line = part[part.rfind(b"\n", 0, k) + 1 :].partition(b"\n")[0].strip(b" ,")
    if line and line.isascii() and line.decode().isprintable():
        return line.decode() if len(line) <= 120 else f"{line[:120].decode()}..."
    return f"bytes {part[k : k + 8].hex()}"


# The files


def tensor(name: str, place: str, X: Rows, dtype: Dtype, *, flat: bool) -> Tensor:
    """A matrix, or (flat) a vector, in numbers of the dtype."""
    numbers = []
    for x in (x for row in X for x in row):
        made = encode(x, dtype)
        if made is None:
            raise Rejected("FORMAT-build 2", place, f"numbers that {dtype.name} has", brief(text_of(x)))
        numbers.append(made)
    return Tensor(name, place, (len(X),) if flat else (len(X), len(X[0])), b"".join(numbers))


def safetensors(kind: str, dtype: Dtype, found: list[Tensor]) -> Iterator[tuple[str, bytes]]:
    """FORMAT-build 2: the length of the header, the header, the numbers."""
    header, at = [("header", f'{{"__metadata__":{{"format":"{kind}"}}')], 0
    for it in found:
        shape, end = ",".join(map(str, it.shape)), at + len(it.numbers)
        entry = f',"{it.name}":{{"dtype":"{dtype.in_safetensors}","shape":[{shape}],"data_offsets":[{at},{end}]}}'
        header.append((f"header, {it.place}", entry))
        at = end
    size = sum(len(text) for _, text in header) + 1
    header.append(("header", "}" + " " * (-size % 8)))
    yield "length of the header", (size + -size % 8).to_bytes(8, "little")
    yield from ((place, text.encode()) for place, text in header)
    yield from ((it.place, it.numbers) for it in found)

"""FORMAT-build 1-4: the files of a folder. Each has its own reader, so that the one network is read three times."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from ..core.comparing import Rejected
from ..core.reading import Unreadable, brief, parse
from .dyadic import DTYPES, Dtype, decode

MOST_BYTES = 64 * 2**20
Rows = list[list[Fraction]]  # a vector has one column
NAMES = {"feedforward": ("W_1", "b_1", "W_2", "b_2"), "attention": ("W_O", "W_V", "W_K", "W_Q", "b_Q")}
VECTORS = ("b_1", "b_2", "b_Q")


class Layer(NamedTuple):
    """One layer: its tensors by name; a bias is a matrix of one column."""

    kind: str
    name: str
    tensors: dict[str, Rows]


class Network(NamedTuple):
    d: int
    n: int
    encoding: Rows | None
    layers: list[Layer]


def contents(folder: str, name: str) -> bytes:
    """The bytes of a regular file of the folder."""
    path = os.path.join(folder, name)
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            raise Unreadable(f"{name}: not a regular file")
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise Unreadable(f"{name}: {getattr(error, 'strerror', None) or 'no such name'}") from None
    if not data or len(data) > MOST_BYTES:
        raise Unreadable(f"{name}: {'more than 64 MiB' if data else 'empty'}")
    return data


def text_of(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable(f"{name}: byte {error.start}: not UTF-8") from None


def number(text: Any, place: str) -> Fraction:
    from ..core.reading import rational

    return Fraction(*rational(text, place))


def rows(value: Any, place: str) -> Rows:
    """A matrix: rows of one length, none empty."""
    if type(value) is not list or not value or any(type(row) is not list for row in value):
        raise Unreadable(f"{place}: a list of rows belongs there")
    if not value[0] or any(len(row) != len(value[0]) for row in value):
        raise Unreadable(f"{place}: rows of one length belong there, and none is empty")
    return [[number(x, f"{place}[{i}][{j}]") for j, x in enumerate(row)] for i, row in enumerate(value)]


def members(value: Any, names: tuple[str, ...], place: str) -> dict[str, Any]:
    """An object with these members and no others."""
    if type(value) is not dict:
        raise Unreadable(f"{place}: an object belongs there")
    for name in value:
        if name not in names:
            raise Unreadable(f"{place}: unknown member {brief(name)}")
    for name in names:
        if name not in value:
            raise Unreadable(f"{place}: member {name} is missing")
    return value


def count(value: Any, place: str) -> int:
    if type(value) is not int or value < 0:
        raise Unreadable(f"{place}: {brief(value)} is no count")
    return value


def from_weights(data: bytes) -> Network:
    """FORMAT-build 2."""
    value = members(parse(text_of(data, "weights.json")), ("format", "d", "n", "encoding", "layers"), "weights.json")
    if value["format"] != "verifier.core.network/1":
        raise Unreadable(f"weights.json: format: {brief(value['format'])} is not verifier.core.network/1")
    d, n = (count(value[name], f"weights.json: {name}") for name in ("d", "n"))
    encoding = None if value["encoding"] is None else rows(value["encoding"], "weights.json: encoding")
    if type(value["layers"]) is not list or not value["layers"]:
        raise Unreadable("weights.json: layers: a list of layers belongs there")
    layers = [layer(it, f"weights.json: layers[{k}]") for k, it in enumerate(value["layers"])]
    made = Network(d, n, encoding, layers)
    for name, tensor, shape in tensors(made):
        if (len(tensor), len(tensor[0])) != shape:
            raise Unreadable(f"weights.json: {name} is {len(tensor)} x {len(tensor[0])}, not {shape[0]} x {shape[1]}")
    return made


def layer(value: Any, place: str) -> Layer:
    kind = value.get("kind") if type(value) is dict else None
    if type(kind) is not str or kind not in NAMES:
        raise Unreadable(f"{place}: a layer of the kind feedforward or attention belongs there")
    members(value, ("kind", "name", *NAMES[kind]), place)
    name = value["name"]
    if type(name) is not str or not name.isascii() or not name.isprintable():
        raise Unreadable(f"{place}.name: a name belongs there")
    found = {}
    for tensor in NAMES[kind]:
        written = value[tensor]
        if tensor in VECTORS:
            written = [[x] for x in written] if type(written) is list else written
        found[tensor] = rows(written, f"{place}.{tensor}")
    return Layer(kind, name, found)


def tensors(network: Network) -> Iterator[tuple[str, Rows, tuple[int, int]]]:
    """FORMAT-build 3: every tensor in order, by its name, and the shape that it must have."""
    d = network.d
    if network.encoding is not None:
        yield "encoding", network.encoding, (d, network.n)
    for k, it in enumerate(network.layers):
        inner = len(it.tensors["b_1" if it.kind == "feedforward" else "b_Q"])
        shapes = {"W_1": (inner, d), "b_1": (inner, 1), "W_2": (d, inner), "b_2": (d, 1), "W_O": (d, inner)}
        shapes |= {"b_Q": (inner, 1)} | dict.fromkeys(("W_V", "W_K", "W_Q"), (inner, d))
        for name in NAMES[it.kind]:
            yield f"layers.{k}.{name}", it.tensors[name], shapes[name]


def decoded(name: str, data: bytes, shape: tuple[int, int], dtype: Dtype, file: str) -> Rows:
    """The numbers of a tensor."""
    if len(data) != shape[0] * shape[1] * dtype.size:
        wanted = f"{shape[0]} x {shape[1]} numbers in {dtype.name}"
        raise Rejected("FORMAT-build 3-4", f"{file}, {name}", wanted, f"{len(data)} bytes")
    out = []
    for k in range(0, len(data), dtype.size):
        x = decode(data[k : k + dtype.size], dtype)
        if x is None:
            found = f"bytes {data[k : k + dtype.size].hex()}"
            raise Rejected("FORMAT-build 3-4", f"{file}, {name}", "numbers, 0 without a sign", found)
        out.append(x)
    return [out[i * shape[1] : (i + 1) * shape[1]] for i in range(shape[0])]


def from_safetensors(data: bytes, network: Network) -> tuple[Dtype, dict[str, Rows]]:
    """FORMAT-build 3: the tensors of model.safetensors, which must be those of the network, by name and shape."""
    wanted = [(name, shape, name.rpartition(".")[2] in VECTORS) for name, _, shape in tensors(network)]
    return packed(data, "model.safetensors", "verifier.core.network/1", wanted)


def packed(
    data: bytes, file: str, kind: str, tensors_: list[tuple[str, tuple[int, int], bool]]
) -> tuple[Dtype, dict[str, Rows]]:
    """Tensors by name and shape (rows, columns), and whether they are vectors; in this order, without gaps."""
    rule = "FORMAT-build 3"
    length = int.from_bytes(data[:8], "little")
    if len(data) < 8 or length > len(data) - 8 or length % 8:
        raise Unreadable(f"{file}: no header of a whole number of 8 bytes")
    header = parse(text_of(data[8 : 8 + length], file).rstrip(" "))
    if type(header) is not dict:
        raise Unreadable(f"{file}: the header is no object")
    if header.pop("__metadata__", None) != {"format": kind}:
        raise Rejected(rule, f"{file}, __metadata__", f'{{"format": "{kind}"}}', "something else")
    wanted = [name for name, _, _ in tensors_]
    if list(header) != wanted:
        k = next(
            (k for k, (a, b) in enumerate(zip(wanted, header, strict=False)) if a != b), min(len(header), len(wanted))
        )
        expected, found = ("nothing" if k >= len(names) else brief(names[k]) for names in (wanted, list(header)))
        raise Rejected(rule, f"{file}, tensor {k} in order", expected, found)
    kinds = {dtype.in_safetensors: dtype for dtype in DTYPES.values()}
    first = header[wanted[0]]
    said = first.get("dtype") if type(first) is dict else None
    dtype = kinds.get(said) if type(said) is str else None
    if dtype is None:
        raise Rejected(rule, f"{file}, {wanted[0]}", f"a dtype of {', '.join(kinds)}", brief(first))
    body, at, out = data[8 + length :], 0, {}
    for name, shape, flat in tensors_:
        size = shape[0] * shape[1] * dtype.size
        expected_entry = {
            "dtype": dtype.in_safetensors,
            "shape": [shape[0]] if flat else list(shape),
            "data_offsets": [at, at + size],
        }
        if header[name] != expected_entry:
            raise Rejected(rule, f"{file}, {name}", brief(expected_entry), brief(header[name]))
        out[name] = decoded(name, body[at : at + size], shape, dtype, file)
        at += size
    if at != len(body):
        raise Rejected(rule, file, f"{at} bytes of numbers", f"{len(body)}")
    return dtype, out

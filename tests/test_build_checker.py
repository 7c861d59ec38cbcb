"""The checker of built networks: what it accepts, and that every lie in a folder is found and named.

A lie is told as well as it can be: the digests of its files are those of its files.
"""

import json
from copy import deepcopy
from dataclasses import replace
from hashlib import sha256

import pytest

from build_truth import built
from verifier.build.dtype import BFLOAT16, FLOAT32, floor_log2
from verifier.build.export import kind, named_tensors
from verifier.build.folder import contents
from verifier.build.plan import build, build_paper
from verifier.certificate import canonical
from verifier.checker.__main__ import main
from verifier.checker.build.check import check
from verifier.checker.core.comparing import OverLimit, Rejected
from verifier.checker.core.reading import Unreadable, parse
from verifier.core.exact import Q

FORMS = {"float": build, "paper": build_paper}


@pytest.fixture(scope="module")
def network():
    """network("float"): a network at (1, 2, 2), made once; the same with changes to it."""
    made = {form: built((1, 2, 2), dtype=FLOAT32, make=make) for form, make in FORMS.items()}
    return made.__getitem__


@pytest.fixture
def said(tmp_path):
    """said(files) -> what the checker says of a folder with these files, its digests set right."""

    def run(files, **changes):
        cert = json.loads(files["certificate.json"]) | changes
        cert["files"] = {name: sha256(files[name]).hexdigest() for name in cert["files"]}
        for name, data in (files | {"certificate.json": canonical(cert)}).items():
            (tmp_path / name).write_bytes(data)
        path = tmp_path / "certificate.json"
        return check(parse(path.read_text()), str(path), 1)

    return run


JUMPS = "f(j) = [5 if X[j][1] < 1/2 else -7]"


@pytest.mark.thorough
@pytest.mark.parametrize(
    "made",
    [
        lambda: built((1, 2, 2), dtype=BFLOAT16),
        lambda: built((1, 3, 4)),
        lambda: built(
            (2, 2, 2), "f(j) = [sorted(X[m][1] for m in 1..n)[j], X[j][1] - X[2][1]]", FLOAT32, positional=True
        ),
        lambda: built((1, 2, 3), make=build_paper),
        lambda: built(
            (2, 2, 2), "f(j) = [max(X[m][1] for m in 1..n) * X[j][2], sum(X[j])]", BFLOAT16, make=build_paper
        ),
        lambda: built(
            (1, 2, 3), "f(j) = [X[1][1] - sorted(X[m][1] for m in 1..n)[j]]", positional=True, make=build_paper
        ),
        lambda: built((1, 2, 2), JUMPS),
        lambda: built((1, 2, 2), "f(j) = [1 if X[j][1] < 1/2 else -1]", make=build_paper),
    ],
)
def test_what_was_built_is_accepted(made, said):
    assert said(contents(made())).startswith("checked in full: ")


# The network is another, and all files of the folder agree on it.


def changed(b, name, change):
    layers = tuple(
        replace(named, layer=change(named.layer)) if named.name == name else named for named in b.stack.layers
    )
    return replace(b, stack=replace(b.stack, layers=layers))


def bumped(tensor):
    """The first number that isn't 0, in its last bit of float32."""
    rows = [list(row) if isinstance(row, tuple) else [row] for row in tensor]
    k, j = next((k, j) for k, row in enumerate(rows) for j, x in enumerate(row) if x)
    rows[k][j] += Q(2) ** (floor_log2(abs(rows[k][j])) - FLOAT32.p + 1)
    return tuple(map(tuple, rows)) if isinstance(tensor[0], tuple) else tuple(row[0] for row in rows)


@pytest.mark.parametrize(
    ("form", "name", "tensor"),
    [
        *[("float", name, "W_2") for name in ("quantise.1.0", "stretch.1", "write.1", "write.4", "return", "clip.1")],
        *[("float", name, "b_1") for name in ("quantise.1.1", "write.2", "return", "clip.1")],
        *[("paper", name, "W_2") for name in ("quantise.1.0", "write.1", "write.4", "clamp.1")],
        *[("paper", name, "W_1") for name in ("quantise.1.1", "write.2", "clamp.1")],
        ("paper", "clamp.1", "b_2"),
    ],
)
def test_a_weight_changed_in_its_last_bit(form, name, tensor, network, said):
    lie = changed(network(form), name, lambda layer: replace(layer, **{tensor: bumped(getattr(layer, tensor))}))
    with pytest.raises(Rejected, match=rf"weights\.json, layer \d+ \({name}\)\.{tensor}"):
        said(contents(lie))


@pytest.mark.parametrize("field", ["W_O", "W_V", "W_K", "W_Q", "b_Q"])
@pytest.mark.parametrize("form", FORMS)
def test_a_head_changed_in_its_last_bit(form, field, network, said):
    def change(layer):
        first, *rest = layer.heads
        return replace(layer, heads=(replace(first, **{field: bumped(getattr(first, field))}), *rest))

    with pytest.raises(Rejected, match=rf"weights\.json, layer \d+ \(sweep\.1\)\.{field}"):
        said(contents(changed(network(form), "sweep.1", change)))


@pytest.mark.parametrize("form", FORMS)
def test_a_layer_removed_doubled_or_moved(form, network, said):
    b = network(form)
    layers = b.stack.layers
    for lie in (
        layers[:-1],  # the clip
        (*layers, layers[-1]),
        layers[1:],
        (layers[1], layers[0], *layers[2:]),
        tuple(named for named in layers if named.name != "global"),
    ):
        with pytest.raises(Rejected, match=r"weights\.json, (layer \d+|the end of the layers)"):
            said(contents(replace(b, stack=replace(b.stack, layers=lie))))
    with pytest.raises(Rejected, match=r"layer \d+ \(cl(ip|amp)\.1\)\.W_1, byte \d+: expected "):
        said(contents(replace(b, stack=replace(b.stack, layers=layers[:-1]))))


def test_another_encoding(said):
    b = built((1, 2, 2), "f(j) = X[1]", positional=True)
    for lie in (None, ((Q(0), Q(2)),)):
        with pytest.raises(Rejected, match=r"weights\.json, encoding"):
            said(contents(replace(b, stack=replace(b.stack, encoding=lie))))


# One file is another network than weights.json.


def place_of(b, name):
    """Where the numbers of a tensor begin in model.safetensors' data, and how many bytes they have."""
    at = 0
    for its, tensor in named_tensors(b.stack):
        size = sum(len(row) if isinstance(row, tuple) else 1 for row in tensor) * b.dtype.width
        if its == name:
            return at, size
        at += size
    raise KeyError(name)


def numbers_of(b, name):
    files = contents(b)
    data, (at, size) = files["model.safetensors"], place_of(b, name)
    start = len(data) - sum(place_of(b, its)[1] for its, _ in named_tensors(b.stack)) + at
    return data[start : start + size], start


@pytest.mark.parametrize("form", FORMS)
def test_safetensors_changed_in_its_last_bit(form, network, said):
    """Every tensor, the last bit of its first number."""
    b = network(form)
    files = contents(b)
    for k, named in enumerate(b.stack.layers):
        tensor = "W_V" if kind(named) == "attention" else "W_1"
        _, start = numbers_of(b, f"layers.{k}.{tensor}")
        data = bytearray(files["model.safetensors"])
        data[start] ^= 1
        with pytest.raises(Rejected, match=rf"model\.safetensors, layer {k} \({named.name}\), {tensor}"):
            said(files | {"model.safetensors": bytes(data)})


@pytest.mark.parametrize("form", FORMS)
def test_an_encoder_changed_in_its_last_bit(form, network, said):
    """The last number of each of three tensors; and another order of them."""
    files = contents(network(form))
    data = files["encoder.safetensors"]
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    for name in ("layers.0.linear1.bias", "layers.3.self_attn.in_proj_weight", "layers.5.linear2.weight"):
        lie = bytearray(data)
        lie[8 + length + header[name]["data_offsets"][1] - 4] ^= 1
        with pytest.raises(Rejected, match=rf"encoder\.safetensors, layer {name.split('.')[1]} \(.*"):
            said(files | {"encoder.safetensors": bytes(lie)})
    with pytest.raises((Rejected, Unreadable), match=r"encoder\.safetensors"):
        said(files | {"encoder.safetensors": files["model.safetensors"]})


@pytest.mark.parametrize("form", FORMS)
def test_onnx_changed_in_its_last_bit(form, network, said):
    """A tensor that stands in model.onnx once: there, the last bit of its first number."""
    b = network(form)
    files, tried = contents(b), 0
    for k, named in enumerate(b.stack.layers):
        tensor = "W_K" if kind(named) == "attention" else "b_1"
        raw, _ = numbers_of(b, f"layers.{k}.{tensor}")
        name = f"layers.{k}.{tensor}".encode()
        data = bytearray(files["model.onnx"])
        at = data.index(b"B" + bytes([len(name)]) + name) + 2 + len(name)  # field 8, then field 9: the numbers
        at += 2
        assert data[at : at + len(raw)] == raw
        data[at] ^= 1
        with pytest.raises(Rejected, match=rf"model\.onnx, layer {k} \({named.name}\), {tensor}"):
            said(files | {"model.onnx": bytes(data)})
        tried += 1
    assert tried == len(b.stack.layers)


@pytest.mark.parametrize("file", ["model.safetensors", "model.onnx"])
def test_two_tensors_swapped(file, network, said):
    """Their names change places; their shapes are the same."""
    files = contents(network("float"))
    one, other, free = b"layers.0.b_1", b"layers.1.b_1", b"layers.x.b_1"
    data = files[file].replace(one, free).replace(other, one).replace(free, other)
    with pytest.raises(Rejected, match=file.replace(".", r"\.")):
        said(files | {file: data})


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (b'"\x04Relu', b'"\x04Tanh'),  # another operator
        (b'"\x07Softmax', b'"\x07Sigmoid'),
        (b'"\x03Mul', b'"\x03Div'),
        (b"\x0a\x01X\x12", b"\x0a\x01Y\x12"),
        (b"axis3", b"axis2"),
    ],
)
def test_another_graph(right, wrong, network, said):
    files = contents(network("float"))
    assert right in files["model.onnx"]
    with pytest.raises((Rejected, Unreadable), match=r"model\.onnx"):
        said(files | {"model.onnx": files["model.onnx"].replace(right, wrong, 1)})


def test_files_that_are_no_files(network, said):
    files = contents(network("float"))
    for name in ("weights.json", "model.safetensors", "model.onnx"):
        for data in (files[name][:-2], files[name][: len(files[name]) // 2], files[name] + b"\0", b"\0" * 100, b"x"):
            with pytest.raises((Rejected, Unreadable)):
                said(files | {name: data})


# The certificate says something else of the right network.


def leaves(value, path=()):
    """Every number, word and truth value, by its path."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from leaves(part, (*path, name))
    elif isinstance(value, list) and value:
        for k, part in enumerate(value):
            yield from leaves(part, (*path, k))
    else:
        yield path, value


def others(value):
    """Something else of the same kind, near to it."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1]
    if value is None:
        return ["1/2"]
    if value == []:
        return [[0]]
    try:
        x = Q(*map(int, value.split("/")))
    except ValueError:
        return [value + "x"]
    return [str(x + Q(1, 1024))]


@pytest.mark.parametrize("form", FORMS)
def test_every_leaf_of_a_certificate_is_compared(form, network, tmp_path):
    files = contents(network(form))
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    path, cert = str(tmp_path / "certificate.json"), json.loads(files["certificate.json"])
    assert check(cert, path, 1)
    tried = 0
    for place, value in leaves(cert):
        if place == ("format",):  # by which the checker is chosen
            continue
        for other in others(value):
            lie = deepcopy(cert)
            at = lie
            for step in place[:-1]:
                at = at[step]
            at[place[-1]] = other
            try:
                said = check(lie, path, 1)
            except (Rejected, Unreadable, OverLimit):
                tried += 1
            else:
                pytest.fail(f"{place}: {other} in the place of {value}: {said}")
    assert tried > 50


def test_another_target_names_the_orbit(network, said):
    files = contents(network("float"))
    orbits = json.loads(files["certificate.json"])["orbits"]
    orbits[1]["target"][0][0] = "1/4"
    with pytest.raises(Rejected, match=r"orbits\[1\]\.target"):
        said(files, orbits=orbits)


def test_a_network_of_another_target_names_the_layer(said):
    right, other = (contents(built((1, 2, 2), JUMPS.replace("5", five))) for five in "54")
    cert = json.loads(other["certificate.json"])
    with pytest.raises(Rejected, match=r"layer \d+ \(write\.\d\)\.W_2|parameters"):
        said(right, target=cert["target"], orbits=cert["orbits"])


def test_a_format_that_is_too_small_is_refused_with_the_layer(said):
    """A network of float32, in bfloat16's name: all its weights are numbers of bfloat16."""
    b = built((1, 2, 2), "f(j) = 64 * X[j]", dtype=FLOAT32, epsilon=Q(1, 16))
    assert b.floats.needed == BFLOAT16.p + 1
    lie = replace(b, dtype=BFLOAT16)
    with pytest.raises(Rejected, match=r"float, layer|float: layer \w+"):
        said(contents(lie))


def test_the_command(network, tmp_path, capsys):
    for name, data in contents(network("float")).items():
        (tmp_path / name).write_bytes(data)
    assert main([str(tmp_path / "certificate.json")]) == 0
    (tmp_path / "model.onnx").unlink()
    assert main([str(tmp_path / "certificate.json")]) == 2
    assert "model.onnx: No such file" in "".join(capsys.readouterr())

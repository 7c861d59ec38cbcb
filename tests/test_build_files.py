"""The folder: what is in it, that other people's software reads it, and that it is written whole or not at all."""

import hashlib
import json
import os
from fractions import Fraction
from pathlib import Path

import pytest

from build_truth import built, vertices
from verifier.build.dtype import BFLOAT16, FLOAT32, FLOAT64
from verifier.build.export import named_tensors, safetensors
from verifier.build.folder import contents, refusal, write
from verifier.build.layer import tensors
from verifier.build.onnx import onnx
from verifier.build.plan import build_paper
from verifier.core.exact import Q, columns_of

NAMES = {"README.md", "certificate.json", "encoder.safetensors", "model.onnx", "model.py"}
NAMES |= {"model.safetensors", "weights.json"}


def rational(text):
    return Q(*map(int, text.split("/")))


def read(data):
    """The published format of safetensors, read by hand: a header, and each tensor's numbers as exact rationals."""
    length = int.from_bytes(data[:8], "little")
    header, body = json.loads(data[8 : 8 + length]), data[8 + length :]
    assert (8 + length) % 8 == 0
    assert header.pop("__metadata__") == {"format": "verifier.core.network/1"}
    bits = {"F64": (53, 8), "F32": (24, 4), "BF16": (8, 2)}
    found, at = {}, 0
    for name, entry in header.items():
        p, width = bits[entry["dtype"]]
        start, end = entry["data_offsets"]
        assert start == at
        at = end
        raw = [int.from_bytes(body[k : k + width], "little") for k in range(start, end, width)]
        found[name] = (entry["shape"], [number(word, p, 8 * width) for word in raw])
    assert at == len(body)
    return found


def number(word, p, width):
    """IEEE 754, from its bits."""
    exponent_bits = width - p
    fraction, exponent = word & ((1 << (p - 1)) - 1), (word >> (p - 1)) & ((1 << exponent_bits) - 1)
    bias = (1 << (exponent_bits - 1)) - 1
    assert 0 < exponent < 2 * bias + 1 or word == 0  # no subnormal, no infinity, no -0 is among the weights
    return (
        Q(0)
        if word == 0
        else (-1) ** (word >> (width - 1)) * ((1 << (p - 1)) + fraction) * Q(2) ** (exponent - bias - p + 1)
    )


@pytest.mark.parametrize(
    ("parts", "dtype", "how"),
    [
        ((1, 2, 4), FLOAT64, {}),
        ((2, 2, 2), FLOAT32, {"positional": True, "text": "f(j) = sorted(X[m] for m in 1..n)[j] - X[1]"}),
        ((1, 2, 2), BFLOAT16, {}),
    ],
)
def test_the_formats_hold_the_very_weights(parts, dtype, how):
    b = built(parts, dtype=dtype, **how)
    found = read(safetensors(b.stack, dtype))
    wanted = dict(named_tensors(b.stack))
    assert list(found) == list(wanted)
    for name, tensor in wanted.items():
        flat = [x for row in tensor for x in row] if isinstance(tensor[0], tuple) else list(tensor)
        assert found[name][1] == flat
    document = json.loads(contents(b)["weights.json"])
    assert (document["encoding"] is None) == (b.stack.encoding is None)
    for named, layer in zip(b.stack.layers, document["layers"], strict=True):
        assert layer["name"] == named.name
        for name, tensor in tensors(named.layer).items():
            ours = [list(row) if isinstance(row, tuple) else row for row in tensor]
            theirs = [list(map(rational, x)) if isinstance(x, list) else rational(x) for x in layer[name]]
            assert ours == theirs


def test_the_package_safetensors_reads_the_file():
    load = pytest.importorskip("safetensors.numpy").load
    b = built((1, 2, 4), dtype=FLOAT32)
    found = load(safetensors(b.stack, FLOAT32))
    for name, tensor in named_tensors(b.stack):
        rows = found[name].tolist()
        assert found[name].dtype == "float32"
        flat = [x for row in rows for x in row] if isinstance(rows[0], list) else rows
        assert [Q(*x.as_integer_ratio()) for x in flat] == [
            x for row in tensor for x in (row if isinstance(row, tuple) else [row])
        ]


@pytest.mark.parametrize(
    ("parts", "dtype", "how"),
    [
        ((1, 2, 8), FLOAT32, {}),
        ((1, 2, 8), FLOAT64, {}),
        ((2, 2, 2), FLOAT32, {"text": "f(j) = [max(X[j]) * X[j][1], 1 - X[j][1]]"}),
        ((1, 3, 4), FLOAT64, {}),
        ((1, 2, 4), FLOAT32, {"positional": True, "text": "f(j) = [X[1][1] - sorted(X[m][1] for m in 1..n)[j]]"}),
    ],
)
def test_onnxruntime_gives_the_target_to_the_last_bit(parts, dtype, how):
    """At the vertices of every kept cell: next to the strips, where it is hardest."""
    numpy, onnxruntime = pytest.importorskip("numpy"), pytest.importorskip("onnxruntime")
    b = built(parts, dtype=dtype, **how)
    session = onnxruntime.InferenceSession(onnx(b.stack, dtype))
    assert [(end.name, end.shape) for end in (*session.get_inputs(), *session.get_outputs())] == [
        ("X", ["batch", b.instance.d, b.instance.n]),
        ("Y", ["batch", b.instance.d, b.instance.n]),
    ]
    proved = [case for case in b.cases if case.rank in b.kept and case.rank not in b.floats.excepted]
    points = [(X, b.kept[case.rank]) for case in proved for X in vertices(b, case.L)]

    def floats(matrices):
        return numpy.array(
            [[[int(x.numerator) / int(x.denominator) for x in row] for row in X] for X in matrices], dtype.name
        )

    X, Y = zip(*points, strict=True)
    (found,) = session.run(None, {"X": floats(X)})
    assert (found == floats(Y)).all()


def test_the_package_onnx_finds_nothing_wrong():
    package = pytest.importorskip("onnx")
    for b in (built((1, 2, 2)), built((1, 2, 2), make=build_paper), built((1, 2, 2), "f(j) = X[1]", positional=True)):
        model = package.load_from_string(contents(b)["model.onnx"])
        package.checker.check_model(model, full_check=True)
        names = {tensor.name for tensor in model.graph.initializer}
        assert names <= {name for name, _ in named_tensors(b.stack)} | {"axis2", "axis3"}


def test_the_folder_and_its_certificate(tmp_path):
    b = built((1, 3, 4))
    made = write(b, tmp_path / "net")
    assert {path.name: path.read_bytes() for path in (tmp_path / "net").iterdir()} == made
    assert set(made) == NAMES
    c = json.loads(made["certificate.json"])
    for name, digest in c["files"].items():
        assert hashlib.sha256(made[name]).hexdigest() == digest
    assert c["exact"] == {"orbits": 20, "kept": 14, "lost": 6, "lost_share": "9/32"}
    assert c["float"]["except"] == list(b.floats.excepted)
    assert len(c["float"]["bits"]) == c["size"]["layers"] == len(b.stack.layers)
    assert [orbit["kept"] for orbit in c["orbits"]] == [case.rank in b.kept for case in b.cases]
    assert Fraction(c["distance"]["sup_kept"]) == b.distance.sup_kept
    compile(made["model.py"], "model.py", "exec")
    assert contents(built((1, 3, 4))) == made  # no time, no place, no chance


def test_the_page_of_a_network_says_what_the_certificate_says():
    text = contents(built((1, 3, 4)))["README.md"].decode()
    assert "On 14 of 20 orbits of cells" in text
    assert "0.2813 of the cube, are lost" in text
    assert "But for 4 orbits" in text
    assert "[0, 1/4, 1/4]" in text
    assert "This is not the paper's network" in text


def test_nothing_is_written_where_something_stands(tmp_path):
    b = built((1, 2, 2))
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to("nowhere")
    for name in ("empty", "file", "link", "no/net", "file/net", "a" * 300, "zero\0"):
        path = tmp_path / name
        assert refusal(path)
        with pytest.raises(OSError, match=r"exists already|folder|File name|directory"):
            write(b, path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "file", "link"]
    assert list((tmp_path / "empty").iterdir()) == []


@pytest.mark.parametrize("call", [0, 3, 5])
def test_on_a_full_disk_nothing_is_left(tmp_path, monkeypatch, call):
    calls = iter(range(100))

    def full(_):
        if next(calls) == call:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write(built((1, 2, 2)), tmp_path / "net")
    assert list(tmp_path.iterdir()) == []


def test_another_process_may_be_faster(tmp_path, monkeypatch):
    path = tmp_path / "net"
    real = os.fsync

    def fsync(file):
        path.mkdir(exist_ok=True)
        real(file)

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(OSError, match="it exists already"):
        write(built((1, 2, 2)), path)
    assert list(path.iterdir()) == []


def test_the_columns_of_the_certificate_are_in_the_order_of_ids():
    b = built((2, 2, 2), "f(j) = X[j]")
    ids = [[z[0] + 2 * z[1] for z in columns_of(case.L)] for case in b.cases]
    assert ids == sorted(ids)
    assert all(row == sorted(row) for row in ids)


def test_the_format_page_names_every_member():
    page = (Path(__file__).parent.parent / "proofs/FORMAT-build.md").read_text()
    c = json.loads(contents(built((1, 2, 2)))["certificate.json"])
    for name in [*c, *c["parameters"], *c["size"], *c["exact"], *c["softmax"], *c["float"], *c["distance"]]:
        assert f"`{name}`" in page or f'"{name}"' in page, name

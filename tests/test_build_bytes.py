"""The files of a folder: the checker writes the bytes that the producer writes, and takes no others.

The network is small and of no construction: d = 2, n = 3, an encoding, three hidden nodes, one head.
"""

import os
import re
from dataclasses import replace
from fractions import Fraction

import pytest
from gmpy2 import mpq

from build_truth import as_checked, psi
from verifier.build import dtype as formats
from verifier.build.export import encoder_safetensors, safetensors, weights_json
from verifier.build.layer import Attention, Named, Stack, relus
from verifier.build.onnx import onnx
from verifier.checker.build.check import expected
from verifier.checker.build.dyadic import DTYPES
from verifier.checker.build.files import Network, around, contents, same_bytes
from verifier.checker.build.onnx import message, varint
from verifier.checker.build.reading import rows
from verifier.checker.core.comparing import Rejected
from verifier.checker.core.reading import Unreadable

E_1, E_2 = (mpq(1), mpq(0)), (mpq(0), mpq(1))
STEP = relus((E_1, E_2, E_1), (mpq(1, 2), mpq(-3), mpq(0)), (E_2, E_1, E_1))
SHIFT = Attention((psi((mpq(7), mpq(0)), (mpq(1), mpq(3)), mpq(16), mpq(1, 4)),))
BIASED = replace(relus((E_2,), (mpq(-1),), (E_1,)), b_2=(mpq(0), mpq(5)))
THIRD = replace(relus((E_2,), (mpq(-1, 3),), (E_1,)), b_2=(mpq(1, 2**300), mpq(0)))  # of b_2 float16 makes 0
STACK = Stack(
    2, 3, (Named("step", STEP), Named("shift", SHIFT), Named("biased", BIASED)), (tuple(map(mpq, range(3))),) * 2
)
ONE = Stack(1, 2, (Named("one", relus(((mpq(1),),), (mpq(-1),), ((mpq(2),),))),))


def network(stack):
    """As the checker has it."""
    encoding = stack.encoding and [[Fraction(int(x)) for x in row] for row in stack.encoding]
    return Network(stack.d, stack.n, encoding, as_checked(stack))


def ours(stack, dtype, *, rounded=False):
    """The checker's files, part by part."""
    parts = expected(network(stack), DTYPES[dtype], rounded=rounded)
    return {name: list(its) for name, its in parts.items()}


def theirs(stack, dtype, *, nearest=False):
    """The producer's."""
    its = formats.DTYPES[dtype]
    return {
        "weights.json": weights_json(stack),
        "model.safetensors": safetensors(stack, its, nearest=nearest),
        "model.onnx": onnx(stack, its, nearest=nearest),
        "encoder.safetensors": encoder_safetensors(stack, its, nearest=nearest),
    }


def whole(parts):
    return b"".join(part for _, part in parts)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("stack", [STACK, ONE], ids=["three layers", "one layer"])
def test_the_checker_writes_the_files_that_the_producer_writes(stack, dtype):
    made, wanted = ours(stack, dtype), theirs(stack, dtype)
    for name, parts in made.items():
        assert whole(parts) == wanted[name]


@pytest.mark.parametrize("dtype", DTYPES)
def test_weights_are_rounded_in_the_form_paper(dtype):
    stack = replace(STACK, layers=(Named("third", THIRD), *STACK.layers))
    made, wanted = ours(stack, dtype, rounded=True), theirs(stack, dtype, nearest=True)
    for name, parts in made.items():
        assert whole(parts) == wanted[name]


def test_numbers_that_the_dtype_has_not():
    stack = replace(STACK, layers=(Named("third", THIRD),))
    with pytest.raises(Rejected, match=r"layer 0 \(third\), b_1: expected numbers that float32 has, found \"-1/3\""):
        ours(stack, "float32")
    large = replace(ONE, layers=(Named("large", relus(((mpq(1),),), (mpq(2**16),), ((mpq(2),),))),))
    with pytest.raises(Rejected, match=r"layer 0 \(large\), b_1: expected numbers that float16 has, found \"65536\""):
        ours(large, "float16", rounded=True)


def test_every_byte_of_every_file_is_compared():
    """Each byte becomes another; each is left out; one more stands at the end."""
    for name, parts in ours(STACK, "float16").items():
        right, tried = whole(parts), 0
        same_bytes(name, parts, right, "")
        for k in range(len(right)):
            for lie in (right[:k] + bytes([right[k] ^ 1]) + right[k + 1 :], right[:k]):
                with pytest.raises(Rejected, match=rf"{re.escape(name)}, .*byte {k}: expected "):
                    same_bytes(name, parts, lie, "")
                tried += 1
        with pytest.raises(Rejected, match=rf"byte {len(right)}: expected the end of the file, found 1 more bytes"):
            same_bytes(name, parts, right + b"\0", "")
        assert tried > 600


def test_of_a_file_that_is_another_the_place_is_named():
    safe, graph, json_ = (
        whole(ours(STACK, "float32")[name]) for name in ("model.safetensors", "model.onnx", "weights.json")
    )
    third = json_.replace(b'"1/2"', b'"1/3"')
    for name, lie, why in (
        ("weights.json", third, r'layer 0 \(step\)\.b_1, byte 381: expected "1/2", found "1/3"$'),
        ("weights.json", json_.replace(b'"shift"', b'"shaft"'), r"layer 1 \(shift\)\.name, "),
        ("weights.json", json_.replace(b'"n": 3', b'"n": 4'), "the end of the layers, byte"),
        ("weights.json", json_.replace(b'"2"', b'"7"', 1), "encoding, byte"),
        ("model.safetensors", b"\0" + safe[1:], "length of the header, byte 0: expected bytes .*, found bytes "),
        ("model.safetensors", safe.replace(b"[3,2]", b"[2,3]", 1), r"header, layer 0 \(step\), W_1, byte"),
        ("model.safetensors", safe[:-1], r"layer 2 \(biased\), b_2, byte .*, found the end of the file"),
        ("model.onnx", graph.replace(b"Softmax", b"Softmin"), r"node 13 \(Softmax\), byte"),
        ("model.onnx", graph.replace(b"axis3", b"axis2"), r"node \d+ \(Unsqueeze\), byte"),
        ("model.onnx", graph.replace(b"batch", b"patch"), "input X, byte"),
    ):
        with pytest.raises(Rejected, match=why):
            same_bytes(name, ours(STACK, "float32")[name], lie, "")


def test_what_stands_at_a_byte():
    """Its line; eight bytes, if that isn't a text; no more than 120 characters."""
    assert around(b"first,\n  second,\nthird", 0) == "first"
    assert [around(b"first,\n  second,\nthird", k) for k in (7, 9, 15, 16)] == ["second"] * 4
    assert around(b"first,\n  second,\nthird", 17) == "third"
    assert around(b"\nx", 1) == "x"
    assert around(b"x", 1) == "the end of the file"
    assert around(bytes(range(200, 220)), 3) == "bytes cbcccdcecfd0d1d2"
    assert around(b"a" * 120, 0) == "a" * 120
    assert around(b"a" * 121, 0) == "a" * 120 + "..."


def test_files_that_a_reader_of_ours_took_and_no_library_does():
    """`true` for 1 in a header; a shape with two sizes; a tensor without a name; nodes of one name; no graph's name."""
    parts = {name: list(its) for name, its in ours(ONE, "float32").items()}
    safe, graph = whole(parts["model.safetensors"]), whole(parts["model.onnx"])
    both = message((1, message((2, "batch"), (1, 5))))
    named = message((1, "layers.0.W_1"), (1, "X"), (2, "t1"), (3, "same"), (4, "MatMul"))
    inner = message((1, "layers.0.W_1"), (1, "X"), (2, ""), (4, "MatMul"))
    plain = message((1, "layers.0.W_1"), (1, "X"), (2, "t1"), (4, "MatMul"))
    for name, right, lie in (
        ("model.safetensors", b'"shape":[1]', b'"shape":[true]'),
        ("model.onnx", message((1, message((2, "batch")))), both),
        ("model.onnx", message((1, plain)), message((1, inner))),
        ("model.onnx", message((1, plain)), message((1, named))),
        ("model.onnx", message((2, "network")), b""),
    ):
        data = safe if name == "model.safetensors" else graph
        assert right in data
        with pytest.raises(Rejected, match=name):
            same_bytes(name, parts[name], data.replace(right, lie), "")


def test_a_number_of_seven_bits_a_byte():
    assert [varint(x) for x in (0, 127, 128, 300, 2**63)] == [
        b"\0",
        b"\x7f",
        b"\x80\x01",
        b"\xac\x02",
        b"\x80" * 9 + b"\x01",
    ]


def test_rows_are_rows():
    assert rows([["1/2", "-3"]], "here") == [[Fraction(1, 2), -3]]
    for lie, why in (
        ("12", "a list of rows"),
        ([], "a list of rows"),
        ([["1"], 5], "a list of rows"),
        ([[], []], "rows of one length"),
        ([["1"], ["1", "2"]], "rows of one length"),
        ([["0.5"]], r"here\[0\]\[0\]"),
    ):
        with pytest.raises(Unreadable, match=why):
            rows(lie, "here")


# Files of a folder


def wrong(call, *arguments):
    """The error's message, and whether it says that the file is rejected."""
    with pytest.raises((Unreadable, Rejected)) as error:
        call(*arguments)
    return str(error.value), error.type is Rejected


def test_a_file_is_a_regular_file_of_a_folder(tmp_path):
    (tmp_path / "some").write_bytes(b"7")
    (tmp_path / "empty").touch()
    (tmp_path / "link").symlink_to("some")
    os.mkfifo(tmp_path / "pipe")
    assert contents(str(tmp_path), "some") == b"7"
    for name, why in {
        "empty": "empty: empty",
        "link": "link: not a regular file",
        "pipe": "pipe: not a regular file",
        "..": "..: not a regular file",
        "none": "none: No such file or directory",
        "zero\0": "zero\0: no such name",
    }.items():
        assert wrong(contents, str(tmp_path), name) == (why, False)


def test_a_file_has_at_most_64_mib(tmp_path):
    for size, more in ((2**26, 0), (2**26, 1)):
        with (tmp_path / "large").open("wb") as file:
            file.truncate(size + more)
        if more:
            assert wrong(contents, str(tmp_path), "large") == ("large: more than 64 MiB", False)
        else:
            assert len(contents(str(tmp_path), "large")) == size


def test_a_file_that_becomes_another_while_it_is_opened(tmp_path, monkeypatch):
    """What was a regular file is a link, or a pipe without a writer, by the time that it is opened."""
    (tmp_path / "some").write_bytes(b"7")
    (tmp_path / "link").symlink_to("some")
    os.mkfifo(tmp_path / "pipe")
    before, opened, flags = os.lstat(tmp_path / "some"), os.open, []
    monkeypatch.setattr(os, "lstat", lambda _: before)
    monkeypatch.setattr(os, "open", lambda path, flag: flags.append(flag) or opened(path, flag | os.O_NONBLOCK))
    assert "link: Too many levels" in wrong(contents, str(tmp_path), "link")[0]
    assert wrong(contents, str(tmp_path), "pipe") == ("pipe: empty", False)
    assert all(flag & os.O_NONBLOCK and flag & os.O_CLOEXEC for flag in flags)

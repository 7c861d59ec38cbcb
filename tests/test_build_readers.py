"""The checker's readers of weights.json, the models and the encoder, one wrong place at a time.

The network is small and of no construction: d = 2, n = 3, an encoding, three hidden nodes, one head.
"""

import json
import os
import re
import struct
from dataclasses import replace
from fractions import Fraction

import pytest
from gmpy2 import mpq

from verifier.build import encoder as blocks
from verifier.build.dtype import FLOAT32
from verifier.build.export import encoder_safetensors, packed, safetensors, weights_json
from verifier.build.layer import Named, Stack, head, relus
from verifier.build.onnx import chunk, number, onnx
from verifier.checker.build import encoder
from verifier.checker.build.dyadic import DTYPES
from verifier.checker.build.files import contents, from_safetensors, from_weights, rows, tensors
from verifier.checker.build.onnx import fields, from_onnx, varint
from verifier.checker.core.comparing import Rejected
from verifier.checker.core.reading import Unreadable
from verifier.core.layers import Attention

E_1, E_2 = (mpq(1), mpq(0)), (mpq(0), mpq(1))
STEP = relus((E_1, E_2, E_1), (mpq(1, 2), mpq(-3), mpq(0)), (E_2, E_1, E_1))
SHIFT = Attention((head((mpq(7), mpq(0)), (mpq(1), mpq(3)), mpq(16), mpq(1, 4)),))
BIASED = replace(relus((E_2,), (mpq(-1),), (E_1,)), b_2=(mpq(0), mpq(5)))
STACK = Stack(
    2, 3, (Named("step", STEP), Named("shift", SHIFT), Named("biased", BIASED)), (tuple(map(mpq, range(3))),) * 2
)
JSON, SAFE, ONNX = weights_json(STACK), safetensors(STACK, FLOAT32), onnx(STACK, FLOAT32)
NETWORK, DTYPE = from_weights(JSON), DTYPES["float32"]


def wrong(call, *arguments):
    """The error's message, and whether it says that the file is rejected."""
    with pytest.raises((Unreadable, Rejected)) as error:
        call(*arguments)
    return str(error.value), error.type is Rejected


def test_each_file_holds_the_same_numbers():
    wanted = {name: tensor for name, tensor, _ in tensors(NETWORK)}
    assert len(wanted) == 1 + 4 + 5 + 4
    assert wanted["layers.1.W_K"] == [[16, 48]]
    assert wanted["layers.1.b_Q"] == [[Fraction(-1, 4)]]
    assert from_safetensors(SAFE, NETWORK) == (DTYPE, wanted)
    assert from_onnx(ONNX, NETWORK, DTYPE) == wanted
    theirs = encoder.wanted(NETWORK, wanted)
    ours = dict(blocks.named_tensors(STACK))
    assert theirs == {name: [list(x) if isinstance(x, tuple) else [x] for x in X] for name, X in ours.items()}
    assert encoder.from_encoder(encoder_safetensors(STACK, FLOAT32), theirs) == (DTYPE, theirs)


# Files of a folder


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


# weights.json


def document(*steps, **changes):
    """weights.json, with changes to the part at these steps; a member that becomes `...` is left out."""
    made = part = json.loads(JSON)
    for step in steps:
        part = part[step]
    part |= changes
    for name, value in changes.items():
        if value is ...:
            del part[name]
    return json.dumps(made).encode()


FIRST, SECOND = ("layers", 0), ("layers", 1)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\xff", "weights.json: byte 0: not UTF-8"),
        (b"[]", "weights.json: an object belongs there"),
        (document(more=1), 'weights.json: unknown member "more"'),
        (document(d=...), "weights.json: member d is missing"),
        (document(format="verifier.core.network/2"), "format"),
        (document(d=-1), "weights.json: d: -1 is no count"),
        (document(n=True), "weights.json: n: true is no count"),
        (document(n="3"), 'weights.json: n: "3" is no count'),
        (document(d=0), "encoding is 2 x 3, not 0 x 3"),
        (document(encoding=[["0", "1", "2"]]), "encoding is 1 x 3, not 2 x 3"),
        (document(encoding="no"), "weights.json: encoding: a list of rows belongs there"),
        (document(encoding=[]), "encoding: a list of rows"),
        (document(encoding=[["0", "1"], 5]), "encoding: a list of rows"),
        (document(encoding=[[], []]), "encoding: rows of one length belong there, and none is empty"),
        (document(encoding=[["0", "1"], ["0"]]), "encoding: rows of one length"),
        (document(encoding=[["0", "1", "0.5"]] * 2), r"encoding\[0\]\[2\]"),
        (document(layers={}), "layers: a list of layers belongs there"),
        (document(layers=[]), "layers: a list of layers belongs there"),
        (document(layers=[7]), r"layers\[0\]: a layer of the kind"),
        (document(*FIRST, kind="other"), r"layers\[0\]: a layer of the kind"),
        (document(*FIRST, kind=["feedforward"]), r"layers\[0\]: a layer of the kind"),
        (document(*FIRST, kind="attention"), r'layers\[0\]: unknown member "W_1"'),
        (document(*SECOND, b_Q=...), r"layers\[1\]: member b_Q is missing"),
        *[(document(*SECOND, name=name), r"layers\[1\].name: a name belongs there") for name in (5, "é", "a\n")],
        (document(*FIRST, b_1="12"), r"layers\[0\].b_1: a list of rows"),
        (document(*FIRST, b_1=[["1"]]), r"layers\[0\].b_1\[0\]\[0\]"),
        (document(*FIRST, W_1=["1", "2", "3"]), r"layers\[0\].W_1: a list of rows"),
        (document(*FIRST, W_1=[["1"]] * 3), "layers.0.W_1 is 3 x 1, not 3 x 2"),
        (document(*FIRST, W_1=[["1", "2"]] * 2), "layers.0.W_1 is 2 x 2, not 3 x 2"),
        (document(*FIRST, b_1=["1"] * 2), "layers.0.W_1 is 3 x 2, not 2 x 2"),
        (document(*FIRST, W_2=[["1", "2", "3"]] * 3), "layers.0.W_2 is 3 x 3, not 2 x 3"),
        (document(*FIRST, b_2=["1"] * 3), "layers.0.b_2 is 3 x 1, not 2 x 1"),
        (document(*SECOND, W_O=[["1", "2"]] * 2), "layers.1.W_O is 2 x 2, not 2 x 1"),
        (document(*SECOND, W_V=[["1"]]), "layers.1.W_V is 1 x 1, not 1 x 2"),
        (document(*SECOND, W_K=[["1", "2"]] * 2), "layers.1.W_K is 2 x 2, not 1 x 2"),
        (document(*SECOND, W_Q=[["1", "2"]] * 2), "layers.1.W_Q is 2 x 2, not 1 x 2"),
        (document(*SECOND, b_Q=["1"] * 2), "layers.1.W_O is 2 x 1, not 2 x 2"),
    ],
)
def test_weights_json(data, why):
    said, rejected = wrong(from_weights, data)
    assert re.search(why, said)
    assert not rejected


# model.safetensors


def safe(header, body, pad=8):
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % pad)
    return len(text).to_bytes(8, "little") + text + body


LENGTH = int.from_bytes(SAFE[:8], "little")
HEADER, BODY = json.loads(SAFE[8 : 8 + LENGTH]), SAFE[8 + LENGTH :]
LAST = "layers.2.b_2"
KINDS = '"verifier.core.network/1"'


def header(**changes):
    return {**HEADER, **changes}


def without(name):
    return {its: entry for its, entry in HEADER.items() if its != name}


@pytest.mark.parametrize(
    ("data", "why", "rejected"),
    [
        (b"", "no header", False),
        (SAFE[:7], "no header", False),
        (bytes(8), "line 1, column 1: no JSON", False),  # a header of 0 bytes
        (bytes(7) + b"\x01", "no header", False),
        (b"\x10" + bytes(7) + b"{}      ", "no header", False),  # 16 bytes, and there are 8
        (safe(HEADER, BODY, 1), "no header", False),
        (safe([], BODY), "the header is no object", False),
        (safe({}, b""), '__metadata__: expected {"format": ' + KINDS, True),
        (safe(header(__metadata__={"format": "verifier.core.encoder/1"}), BODY), "__metadata__", True),
        (safe(header(__metadata__={"format": "verifier.core.network/1", "x": ""}), BODY), "__metadata__", True),
        (safe(without(LAST), BODY), f'tensor 13 in order: expected "{LAST}", found nothing', True),
        (safe(header(more=1), BODY), 'tensor 14 in order: expected nothing, found "more"', True),
        (
            safe({**without("layers.0.b_1"), "layers.0.b_1": HEADER["layers.0.b_1"]}, BODY),
            'tensor 2 in order: expected "layers.0.b_1", found "layers.0.W_2"',
            True,
        ),
        *[
            (safe(header(encoding=entry), BODY), r"encoding: expected a dtype of F64, F32, F16, BF16, found", True)
            for entry in (7, {}, {"dtype": "I8"}, {"dtype": ["F32"]})
        ],
        *[
            (safe(header(**{LAST: HEADER[LAST] | change}), BODY), f"{LAST}: expected .*, found .*", True)
            for change in ({"dtype": "F16"}, {"shape": [2, 1]}, {"data_offsets": [140, 148]}, {"more": 1})
        ],
        (safe(HEADER, BODY + b"\0"), f"expected {len(BODY)} bytes of numbers, found {len(BODY) + 1}", True),
        (safe(HEADER, BODY[:-1]), f"{LAST}: expected 2 x 1 numbers in float32, found 7 bytes", True),
        (
            safe(HEADER, BODY[:-4] + struct.pack("<f", -0.0)),
            f"{LAST}: expected numbers, .*, found bytes 00000080",
            True,
        ),
        (safe(HEADER, BODY[:-8] + b"\0\0\x80\x7f" + BODY[-4:]), f"{LAST}: .*, found bytes 0000807f", True),
    ],
)
def test_safetensors(data, why, rejected):
    said, its = wrong(from_safetensors, data, NETWORK)
    assert re.search(why, said)
    assert its == rejected


def test_the_last_spaces_of_a_header_are_its_own():
    longer = json.dumps(HEADER).encode()
    longer += b" " * (8 + -len(longer) % 8)
    assert from_safetensors(len(longer).to_bytes(8, "little") + longer + BODY, NETWORK) == from_safetensors(
        SAFE, NETWORK
    )


def test_a_network_of_single_nodes_without_an_encoding():
    stack = Stack(1, 2, (Named("one", relus(((mpq(1),),), (mpq(-1),), ((mpq(2),),))),))
    network = from_weights(weights_json(stack))
    wanted = {name: tensor for name, tensor, _ in tensors(network)}
    assert network.encoding is None
    assert from_safetensors(safetensors(stack, FLOAT32), network) == (DTYPE, wanted)
    assert from_onnx(onnx(stack, FLOAT32), network, DTYPE) == wanted
    theirs = encoder.wanted(network, wanted)
    assert encoder.from_encoder(encoder_safetensors(stack, FLOAT32), theirs) == (DTYPE, theirs)


def test_an_encoder_says_what_it_is():
    theirs = encoder.wanted(NETWORK, {name: tensor for name, tensor, _ in tensors(NETWORK)})
    lie = packed("verifier.core.network/1", blocks.named_tensors(STACK), FLOAT32, nearest=False)
    assert "encoder.safetensors, __metadata__" in wrong(encoder.from_encoder, lie, theirs)[0]


# model.onnx


def test_a_number_of_seven_bits_a_byte():
    assert varint(b"\x05", 0) == (5, 1)
    assert varint(b"\xff\xac\x02\xff", 1) == (300, 3)
    assert varint(b"\x80" * 9 + b"\x01", 0) == (2**63, 10)
    for data in (b"", b"\x80", b"\x80" * 10 + b"\x01"):
        assert wrong(varint, data, 0) == ("model.onnx: a number without an end", False)


def test_the_fields_of_a_message():
    assert fields(number(1, 300) + chunk(2, b"ab") + chunk(3, b"")) == [(1, 300), (2, b"ab"), (3, b"")]
    for data, why in {
        b"\x0a\x02a": "a field that is longer than the file",
        b"\x09" + bytes(8): "wire type 1",
        b"\x08": "a number without an end",
    }.items():
        assert why in wrong(fields, data)[0]


def written(message):
    return b"".join(number(k, value) if isinstance(value, int) else chunk(k, value) for k, value in message)


def edited(data, path, change):
    """The message, with the fields at the path changed: a step is a field's number and which of its kind it is."""
    message = fields(data)
    if not path:
        return written(change(message))
    (field, which), *rest = path
    at = [k for k, (its, _) in enumerate(message) if its == field][which]
    message[at] = (field, edited(message[at][1], rest, change))
    return written(message)


def put(field, value):
    """The first field of this number becomes another."""

    def change(message):
        at = [its for its, _ in message].index(field)
        return [*message[:at], (field, value), *message[at + 1 :]]

    return change


def more(field, value):
    return lambda message: [*message, (field, value)]


def less(field):
    def change(message):
        at = [its for its, _ in message].index(field)
        return message[:at] + message[at + 1 :]

    return change


GRAPH = (7, 0)
NODE, WEIGHT, INPUT = (GRAPH, (1, 0)), (GRAPH, (5, 0)), (GRAPH, (11, 0))
TENSOR_TYPE = (*INPUT, (2, 0), (1, 0))
DIMENSIONS = (*TENSOR_TYPE, (2, 0))
SOFTMAX = (GRAPH, (1, 13))
AXIS = (GRAPH, (5, -1))
NAMES = [dict(fields(tensor))[8].decode() for k, tensor in fields(dict(fields(ONNX))[7]) if k == 5]


def test_the_places_are_those_that_are_meant():
    graph = fields(dict(fields(ONNX))[7])
    nodes = [fields(node) for k, node in graph if k == 1]
    assert [value for k, value in nodes[SOFTMAX[1][1]] if k == 4] == [b"Softmax"]
    assert NAMES[0] == "encoding"
    assert NAMES[-1] == "axis3"
    assert edited(ONNX, (), list) == ONNX


@pytest.mark.parametrize(
    ("path", "what"),
    [
        ((), "the model"),
        (((8, 0),), "the operator set"),
        ((GRAPH,), "the graph"),
        (NODE, "a node"),
        ((*SOFTMAX, (5, 0)), "an attribute"),
        (WEIGHT, "an initialiser"),
        (INPUT, "a port"),
        ((*INPUT, (2, 0)), "its type"),
        (TENSOR_TYPE, "its tensor type"),
        (DIMENSIONS, "its shape"),
        ((*DIMENSIONS, (1, 1)), "a dimension"),
    ],
)
def test_a_field_of_which_the_format_says_nothing(path, what):
    said = wrong(from_onnx, edited(ONNX, path, more(77, b"")), NETWORK, DTYPE)
    assert said == (f"model.onnx: {what}: a field 77, which this format doesn't use", False)


@pytest.mark.parametrize(
    ("path", "field", "what"),
    [
        ((), 1, "the IR version"),
        ((), 7, "the graph"),
        ((), 8, "the operator set"),
        (((8, 0),), 2, "the operator set"),
        ((GRAPH,), 11, "its input"),
        ((GRAPH,), 12, "its output"),
        (NODE, 2, "a node's output"),
        (NODE, 4, "a node's operator"),
        ((*SOFTMAX, (5, 0)), 1, "an attribute's name"),
        ((*SOFTMAX, (5, 0)), 3, "an attribute"),
        ((*SOFTMAX, (5, 0)), 20, "an attribute's type"),
        (WEIGHT, 2, "an initialiser's format"),
        (WEIGHT, 8, "an initialiser's name"),
        (WEIGHT, 9, "its numbers"),
        (INPUT, 1, "its name"),
        (INPUT, 2, "its type"),
        ((*INPUT, (2, 0)), 1, "its tensor type"),
        (TENSOR_TYPE, 1, "its format"),
        (TENSOR_TYPE, 2, "its shape"),
    ],
)
def test_what_must_be_there_once(path, field, what):
    """Not twice, not never, and not of another kind."""

    def twice(message):
        return [part for its, value in message for part in [(its, value)] * (1 + (its == field))]

    def otherwise(message):
        return put(field, 5 if type(dict(message)[field]) is bytes else b"5")(message)

    for change, times in ((twice, 2), (less(field), 0), (otherwise, 1)):
        said = wrong(from_onnx, edited(ONNX, path, change), NETWORK, DTYPE)
        assert said == (f"model.onnx: {what}: {times} of field {field}", False)


@pytest.mark.parametrize(
    ("path", "change", "why"),
    [
        ((), put(1, 8), "IR version: expected 9, found 8"),
        (((8, 0),), put(2, 18), "operator set: expected ONNX's own, version 17"),
        (((8, 0),), put(1, b"com.microsoft"), "operator set: expected ONNX's own, version 17"),
        ((), lambda model: [*model, (3, b"1.0"), (4, b"a domain"), (5, 7), (6, b"words")], None),
        (((8, 0),), less(1), None),
        ((GRAPH,), more(1, 5), "the graph: a number in field 1"),
        ((GRAPH,), more(5, 5), "the graph: a number in field 5"),
        (SOFTMAX, more(5, 5), "a node: a number in field 5"),
        (DIMENSIONS, more(1, 5), "its shape: a number in field 1"),
        (INPUT, put(1, b"Z"), 'port X: expected X of shape .batch, 2, 3. in float32, found "Z" of shape'),
        ((GRAPH, (12, 0)), put(1, b"X"), 'port Y: .* found "X" of shape'),
        (INPUT, put(1, b"\xff"), "a name that isn't ASCII"),
        (TENSOR_TYPE, put(1, 11), r"port X: .* found .* of shape \[None, 2, 3\], data type 11"),
        (DIMENSIONS, less(1), r"port X: .* of shape \[2, 3\]"),
        ((*DIMENSIONS, (1, 0)), lambda _: [(1, 1)], r"port X: .* of shape \[1, 2, 3\]"),
        ((*DIMENSIONS, (1, 0)), lambda _: [], None),
        ((*DIMENSIONS, (1, 1)), more(1, 2), "a dimension: 2 of field 1"),
        ((*DIMENSIONS, (1, 1)), put(1, b"2"), "a dimension: 1 of field 1"),
        ((*DIMENSIONS, (1, 1)), put(1, 3), r"port X: .* of shape \[None, 3, 3\]"),
        ((*DIMENSIONS, (1, 2)), lambda _: [(2, b"n")], r"port X: .* of shape \[None, 2, None\]"),
        (NODE, put(1, b"W"), 'node 0 .Add.: .* found input "W", which nothing has made'),
        (NODE, put(2, b"X"), 'node 0 .Add.: .* found output "X", made twice'),
        (NODE, put(2, b"layers.0.W_1"), 'node 0 .Add.: .* found output "layers.0.W_1", made twice'),
        ((GRAPH, (1, 1)), put(2, b"t1"), 'node 1 .MatMul.: .* found output "t1", made twice'),
        (NODE, more(3, b"its name"), None),
        ((*SOFTMAX, (5, 0)), put(20, 1), "an attribute that is no whole number"),
        ((*SOFTMAX, (5, 0)), put(3, 1), "layer 1 .shift.: expected the nodes of that layer"),
        *[
            ((*SOFTMAX, (5, 0)), put(1, name), "layer 1 .shift.: expected the nodes of that layer")
            for name in (b"axes", b"op", b"self")
        ],
        (SOFTMAX, lambda node: [*node, node[-1]], 'attribute "axis", twice at one node'),
        (SOFTMAX, less(5), "layer 1 .shift.: expected the nodes of that layer"),
        (NODE, put(1, b"encoding"), "layer 0 .step.: expected the nodes of that layer"),
        (
            (GRAPH,),
            more(1, written([(1, b"Y"), (2, b"Z"), (4, b"Relu")])),
            "expected 25 nodes, of which .* found 26 nodes",
        ),
        ((GRAPH, (1, -1)), put(2, b"Z"), "25 nodes, or another Y"),
        ((GRAPH, (1, -1)), lambda node: node[1:2] + node[:1] + node[2:], "layer 2 .biased.: expected the nodes"),
        (WEIGHT, put(8, b"encodings"), 'initialiser "encodings": expected to be there among the initialisers'),
        (
            (GRAPH,),
            lambda graph: graph + [part for part in graph if part[0] == 5],
            'initialiser "encoding": expected to be there once, found it is',
        ),
        ((GRAPH,), less(5), "encoding: expected an initialiser, found nothing"),
        (
            (GRAPH,),
            lambda graph: [part for part in graph if b"axis3" not in part[1] or part[0] != 5],
            "axis3: expected an",
        ),
        (WEIGHT, put(1, 3), r"encoding: expected shape \[2, 3\] in float32, found shape \[3, 3\]"),
        (WEIGHT, put(2, 10), r"encoding: expected shape \[2, 3\] in float32, found .*, data type 10"),
        (WEIGHT, put(9, bytes(20)), "encoding: expected 2 x 3 numbers in float32, found 20 bytes"),
        (
            (GRAPH, (5, NAMES.index("layers.1.b_Q"))),
            less(1),
            r"b_Q: expected shape \[1, 1\] in float32, found shape \[1\]",
        ),
        (AXIS, put(9, (2).to_bytes(8, "little")), "axis3: expected one whole number, 2 or 3 as its name says"),
        (AXIS, put(1, 2), "axis3: expected one whole number"),
        (AXIS, put(2, 6), "axis3: expected one whole number"),
        (AXIS, put(8, b"axis2"), 'initialiser "axis2"'),
    ],
)
def test_onnx(path, change, why):
    data = edited(ONNX, path, change)
    if why is None:
        assert from_onnx(data, NETWORK, DTYPE) == from_onnx(ONNX, NETWORK, DTYPE)
    else:
        assert re.search(why, wrong(from_onnx, data, NETWORK, DTYPE)[0])


def test_a_bias_that_is_0_is_not_there():
    """b_2 of the first layer; and where it is 0 in one row alone, it is there."""
    assert [name for name in NAMES if "b_2" in name] == ["layers.2.b_2"]
    extra = written([(1, 2), (1, 1), (2, 1), (8, b"layers.0.b_2"), (9, bytes(8))])
    said = wrong(from_onnx, edited(ONNX, (GRAPH,), more(5, extra)), NETWORK, DTYPE)
    assert 'initialiser "layers.0.b_2": expected to be there among the initialisers' in said[0]


def test_rows_are_rows():
    assert rows([["1/2", "-3"]], "here") == [[Fraction(1, 2), -3]]

"""The ONNX writer: the `onnx` package reads what it writes, and onnxruntime runs it; the formats of floats."""

import math
import struct
from dataclasses import replace
from fractions import Fraction

import pytest
from gmpy2 import mpq
from hypothesis import assume, given
from hypothesis import strategies as st

from build_truth import psi
from verifier.build.dtype import BFLOAT16, DTYPES, FLOAT16, FLOAT32, FLOAT64, NotHeld
from verifier.build.layer import Attention, FeedForward, relus, transpose
from verifier.build.onnx import model

ONE, HALF = mpq(1), mpq(1, 2)
STEP = relus(((ONE,), (ONE,)), (mpq(0), -HALF), ((-ONE,), (ONE,)))
SHIFT = Attention(tuple(psi((mpq(c),), (ONE,), mpq(2**40), b) for c, b in ((2, mpq(1, 4)), (-2, mpq(3, 4)))))
BIASED = FeedForward(((ONE, -ONE),), (HALF,), ((ONE,), (mpq(3),)), (mpq(0), mpq(5)))


@pytest.mark.parametrize(("dtype", "form"), [(FLOAT64, "<d"), (FLOAT32, "<f"), (FLOAT16, "<e")])
def test_the_bytes_of_a_number_are_those_of_struct(dtype, form):
    @given(st.binary(min_size=dtype.width, max_size=dtype.width))
    def same(data):
        (x,) = struct.unpack(form, data)
        assume(math.isfinite(x))
        assert dtype.encode(mpq(*x.as_integer_ratio())) == (data if x else bytes(dtype.width))

    same()


@given(st.binary(min_size=2, max_size=2))
def test_bfloat16_is_the_upper_half_of_float32(data):
    (x,) = struct.unpack("<f", b"\0\0" + data)
    assume(math.isfinite(x))
    assert BFLOAT16.encode(mpq(*x.as_integer_ratio())) == (data if x else bytes(2))


@pytest.mark.parametrize("dtype", DTYPES.values(), ids=DTYPES)
def test_what_a_format_does_not_hold(dtype):
    least, whole = mpq(2) ** dtype.finest, 2**dtype.p
    assert dtype.holds(dtype.largest)
    assert dtype.holds(least)
    assert dtype.holds(mpq(whole - 1))
    assert dtype.holds(mpq(whole + 2))
    for value in (
        mpq(1, 3),
        dtype.largest + mpq(2) ** (dtype.most - dtype.p),
        2 * dtype.largest,
        least / 2,
        3 * least / 2,
    ):
        assert not dtype.holds(value)
        assert not dtype.holds(-value)
    assert not dtype.holds(mpq(whole + 1))


@pytest.mark.thorough
@pytest.mark.parametrize("dtype", DTYPES.values(), ids=DTYPES)
def test_the_neighbours_of_a_number(dtype):
    @given(st.fractions(), st.integers(-30, 14))
    def between(value, e):
        x = mpq(value) % 2 * mpq(2) ** e - mpq(2) ** (e - 1)
        below, above = dtype.below(x), -dtype.below(-x)
        assert below <= x <= above
        assert dtype.holds(below)
        assert dtype.holds(above)
        assert below == above if dtype.holds(x) else not any(dtype.holds(y) for y in ((below + above) / 2,))

    between()
    with pytest.raises(NotHeld, match="no number as large as"):
        dtype.below(-dtype.largest - 1)


def test_a_weight_that_does_not_fit_is_named():
    with pytest.raises(NotHeld, match=r"^layers\.1\.b_1: float32 doesn't hold -1/3$"):
        model([STEP, replace(STEP, b_1=(mpq(0), mpq(-1, 3)))], 1, 2, FLOAT32, "thirds")


def test_a_model_without_layers():
    with pytest.raises(ValueError, match="at least one layer"):
        model([], 1, 2, FLOAT32, "nothing")


@pytest.mark.parametrize("dtype", DTYPES.values(), ids=DTYPES)
def test_the_onnx_package_reads_what_was_written(dtype):
    onnx = pytest.importorskip("onnx")
    read = onnx.load_from_string(model([BIASED], 2, 3, dtype, "biased"))
    onnx.checker.check_model(read, full_check=True)
    (x,), (y,) = read.graph.input, read.graph.output
    assert (x.name, y.name) == ("X", "Y")
    assert [d.dim_param or d.dim_value for d in x.type.tensor_type.shape.dim] == ["batch", 2, 3]
    its_name = {"float64": "DOUBLE", "float32": "FLOAT"}.get(dtype.name, dtype.name.upper())
    for port in (x, y):
        assert onnx.TensorProto.DataType.Name(port.type.tensor_type.elem_type) == its_name
    stored = {it.name: onnx.numpy_helper.to_array(it) for it in read.graph.initializer}
    columns = {name: transpose((getattr(BIASED, name),)) for name in ("b_1", "b_2")}
    for name, rows in ({"W_1": BIASED.W_1, "W_2": BIASED.W_2} | columns).items():
        assert [[Fraction(float(v)) for v in row] for row in stored[f"layers.0.{name}"]] == [
            [Fraction(v) for v in row] for row in rows
        ]


def test_which_operators_there_are():
    onnx = pytest.importorskip("onnx")
    read = onnx.load_from_string(model([STEP, SHIFT], 1, 2, FLOAT32, "both"))
    onnx.checker.check_model(read, full_check=True)
    assert {node.op_type for node in read.graph.node} == {
        "MatMul",
        "Add",
        "Mul",
        "Relu",
        "Softmax",
        "Squeeze",
        "Unsqueeze",
    }


@pytest.mark.parametrize("dtype", [FLOAT64, FLOAT32], ids=["float64", "float32"])
def test_onnxruntime_runs_it(dtype):
    """STEP takes x >= 0 to ReLU(x - 1/2); SHIFT is a selective shift at 1/2."""
    runtime, numpy = pytest.importorskip("onnxruntime"), pytest.importorskip("numpy")
    session = runtime.InferenceSession(model([SHIFT], 1, 2, dtype, "shift"))
    X = numpy.array([[[0.5, 0.0]], [[0.0, 0.5]], [[0.0, 0.0]], [[1.0, 0.5]]], dtype=dtype.name)
    # 1/2 is between 1/4 and 3/4, so that 2 (max - min) is added to it
    assert session.run(None, {"X": X})[0].tolist() == [[[1.5, 0.0]], [[0.0, 1.5]], [[0.0, 0.0]], [[1.0, 1.5]]]
    session = runtime.InferenceSession(model([STEP, STEP], 1, 2, dtype, "steps", batch=1))
    assert session.run(None, {"X": 2 * X[3:]})[0].tolist() == [[[1.0, 0.0]]]


def test_an_encoding_comes_first():
    runtime, numpy = pytest.importorskip("onnxruntime"), pytest.importorskip("numpy")
    made = model([STEP], 1, 2, FLOAT32, "encoded", encoding=((mpq(0), mpq(1)),))
    pytest.importorskip("onnx").checker.check_model(made)
    X = numpy.array([[[1.0, 1.0]]], dtype="float32")
    assert runtime.InferenceSession(made).run(None, {"X": X})[0].tolist() == [[[0.5, 1.5]]]

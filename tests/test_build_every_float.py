"""What an export says of a quantiser, by exhaustion: at d = 1, on every number of a format in [0, 1).

All float16 and all bfloat16 here, each operation rounded by numpy. All 1,065,353,216 float32, in C, in some minutes:

    EVERY_FLOAT=1 python -m pytest tests/test_build_every_float.py

Without it that test takes the float32 around every power of two and around both ends of every strip.
"""

import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from verifier.build.dtype import BFLOAT16, FLOAT16, FLOAT32
from verifier.build.quantiser import Quantiser
from verifier.build.taken import Taken
from verifier.core.exact import Q

numpy = pytest.importorskip("numpy")

ONE = 0x3F800000  # the bits of 1.0 in float32: below are all float32 in [0, 1)


def layers_of(N, epsilon):
    """Of a quantiser that an export may begin with; test_export_soft.py finds them in pages."""
    quantiser = Quantiser(1, N, Q(1, N), epsilon)
    weights = [quantiser.layer(0, k) for k in range(N + 1)]
    return [Taken(str(k), ((Q(1),),), (Q(0),), (), *W) for k, W in enumerate(weights)]


def number(x, dtype):
    assert dtype.holds(x)
    return float(x.numerator) / float(x.denominator)


def run(layers, x, dtype, kind, *, backwards):
    """Every sum and product rounded to the format, as numpy does; the two terms in either order."""
    for layer in layers:
        terms = []
        for (w_1,), b_1, w_2 in zip(layer.W_1, layer.b_1, layer.W_2[0], strict=True):
            w, b, v = (kind(number(part, dtype)) for part in (w_1, b_1, w_2))
            terms.append(v * numpy.maximum(w * x + b, kind(0)))
        if backwards:
            x = x + sum(terms[1:], terms[0])
        else:
            for term in terms:
                x = x + term
    return x


def every(kind):
    """All numbers of a format of two bytes in [0, 1)."""
    one = int(numpy.array(1, kind).view("uint16"))
    x = numpy.arange(one, dtype="uint16").view(kind)
    assert float(x[-1]) < 1 == float(numpy.array([one], "uint16").view(kind)[0])
    return x


def wrong(x, y, N, epsilon):
    """How many are not floor(N x) / N off the strips, or not between the neighbours on them; in float64, exact."""
    x, y = x.astype("float64"), y.astype("float64")
    low = numpy.floor(x * N) / N
    inside = x <= low + 1 / N - float(epsilon)
    assert inside.any()
    assert not inside.all()
    return int((numpy.where(inside, y != low, (y < low) | (y > low + 1 / N))).sum())


def kind_of(dtype):
    return numpy.float16 if dtype is FLOAT16 else pytest.importorskip("ml_dtypes").bfloat16


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize(("dtype", "N", "bits"), [(FLOAT16, 2, 10), (FLOAT16, 4, 9), (FLOAT16, 8, 4), (BFLOAT16, 2, 7)])
def test_every_number_of_two_bytes(dtype, N, bits, backwards):
    kind, epsilon = kind_of(dtype), Q(1, N * 2**bits)
    x = every(kind)
    assert len(x) == (15360 if dtype is FLOAT16 else 16256)
    assert wrong(x, run(layers_of(N, epsilon), x, dtype, kind, backwards=backwards), N, epsilon) == 0


def test_another_weight_is_seen():
    """The stretch one step of float16 too weak: cells come out too low, and the count sees it."""
    N, epsilon = 4, Q(1, 2**6)
    *rest, stretch = layers_of(N, epsilon)
    lie = replace(stretch, W_2=((stretch.W_2[0][0] - Q(1, 2**7),),))
    x = every(numpy.float16)
    assert wrong(x, run([*rest, lie], x, FLOAT16, numpy.float16, backwards=False), N, epsilon) > 0


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not compiler:
        pytest.skip("no C compiler")
    path = tmp_path_factory.mktemp("c") / "every_float"
    source = Path(__file__).parent / "every_float.c"
    flags = ["-O3", "-ffp-contract=off", "-fno-fast-math"]
    flags += ["-march=native"] if os.environ.get("EVERY_FLOAT") else []
    subprocess.run([compiler, *flags, "-o", str(path), str(source), "-lm"], check=True)
    return path


def in_c(program, layers, N, exponent, start, stop):
    """Numbers off the strips, on strips, and wrong."""
    text = ""
    for layer in layers:
        rows = [(w, b, v) for (w,), b, v in zip(layer.W_1, layer.b_1, layer.W_2[0], strict=True)]
        rows += [(Q(0), Q(0), Q(0))] * (2 - len(rows))
        text += " ".join(number(x, FLOAT32).hex() for row in rows for x in row) + "\n"
    done = subprocess.run(
        [str(program), str(N), str(exponent), str(start), str(stop)],
        input=text, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return tuple(map(int, done.stdout.split()))


def stretches(N):
    """Bit patterns around all powers of two, and around every end of a cell and of its strip."""
    ends = [numpy.array(k / N - shift, "float32").view("uint32") for k in range(1, N + 1) for shift in (0, 2.0**-18)]
    for center in [*range(0, ONE, 1 << 23), *map(int, ends)]:
        yield max(0, center - 512), min(ONE, center + 512)


def test_every_float32(program):
    N, exponent = 4, 18  # epsilon = delta / 2^16
    layers = layers_of(N, Q(1, 2**exponent))
    if os.environ.get("EVERY_FLOAT"):
        off, on, bad = in_c(program, layers, N, exponent, 0, ONE)
        assert (off + on, bad) == (ONE, 0)
        assert ONE == 1_065_353_216
        return
    for start, stop in stretches(N):
        off, on, bad = in_c(program, layers, N, exponent, start, stop)
        assert (off + on, bad) == (stop - start, 0)


def test_another_weight_is_seen_in_c(program):
    N, exponent = 4, 18
    first, *rest = layers_of(N, Q(1, 2**exponent))
    lie = replace(first, b_1=(first.b_1[0], first.b_1[1] - Q(1, 2**24)))
    found = [in_c(program, [lie, *rest], N, exponent, start, stop)[2] for start, stop in stretches(N)]
    assert sum(found) > 0

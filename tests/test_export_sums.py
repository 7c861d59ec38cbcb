"""Sums of an exported head that a small format rounds: the number of the winners, what overflows in between, the number
that stands for what is masked. Either the export is refused, or onnx's own evaluator computes the page's tokens."""

from dataclasses import replace

import pytest

from verifier.build.dtype import BFLOAT16, FLOAT16, FLOAT32, FLOAT64
from verifier.build.exported import attend, contents, exported
from verifier.build.meter import Meter
from verifier.build.runs import NotExported
from verifier.checker.__main__ import main as check
from verifier.core.exact import Q
from verifier.evaluate.definition import Reading
from verifier.language.page import read
from verifier.language.tree import Name


def page_of(words, lines):
    """A layer that is run on the tokens [w[j]], for each of the words."""
    return read(
        f"language 1\ninputs w in words: list {words}\nlayer l:\n{lines}\nnetwork g:\n  l\n"
        "start = [[w[j]] for j in 1..len(w)]\nY = g(start)\n"
        'claim made, own, "a test", on words:\n  "There are as many tokens."\n'
        "  len(Y) = len(w)\n"
    )


MEAN = "  a = read x[j][1] at max of 0 over i = 1\n  x[i] <- [a]"
LOWEST = "  a = read x[j][1] at rightmost max of -x[j][1] over j <= i\n  x[i] <- [a]"
PAGES = {
    "256 winners": (page_of("[[j mod 2 for j in 1..256]]", MEAN), ()),
    "512 winners": (page_of("[[j mod 2 for j in 1..512]]", MEAN), (BFLOAT16,)),
    "a sum that overflows": (
        page_of("[[2^15]]", "  a = read x[j][1] at max of 0\n  x[i] <- [x[i][1] + 2^15 - a]"),
        (FLOAT16,),
    ),
    "the lowest number": (page_of("[[65504, 65504]]", LOWEST), (FLOAT16, BFLOAT16)),
}
DTYPES = [BFLOAT16, FLOAT16, FLOAT32]


def tokens(page, name):
    """Of the only case."""
    (case,) = Reading(page, {}).cases("words")
    return [[float(x) for x in token.items] for token in case(Name((0, 0), name), {}).items]


def evaluated(b, X):
    """What onnx's own evaluator makes of these tokens, in the format of the files."""
    numpy, reference = pytest.importorskip("numpy"), pytest.importorskip("onnx.reference")
    kind = pytest.importorskip("ml_dtypes").bfloat16 if b.dtype is BFLOAT16 else b.dtype.name
    model = pytest.importorskip("onnx").load_from_string(contents(b)["model.onnx"])
    X = numpy.array([X], "float64").transpose(0, 2, 1).astype(kind)
    with numpy.errstate(over="ignore", invalid="ignore"):
        (Y,) = reference.ReferenceEvaluator(model).run(None, {"X": X})
    return Y.astype("float64").transpose(0, 2, 1)[0].tolist()


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: dtype.name)
@pytest.mark.parametrize("name", PAGES)
def test_what_a_format_rounds_is_refused_and_what_is_not_is_exact(name, dtype, tmp_path, capsys):
    page, refused = PAGES[name]
    X, Y = tokens(page, "start"), tokens(page, "Y")
    if dtype in refused:
        with pytest.raises(NotExported, match=f"and {dtype.name} has|beyond {dtype.name}|no number of {dtype.name}"):
            exported(page, {}, None, None, dtype)
    else:
        assert evaluated(exported(page, {}, None, None, dtype), X) == Y
    # A liar's files, of a format that the network isn't exact in, are rejected.
    lie = replace(exported(page, {}, None, None, FLOAT64), dtype=dtype)
    if (name, dtype) == ("the lowest number", BFLOAT16):
        return  # which hasn't the token
    if name == "512 winners" or dtype is FLOAT16:
        assert (evaluated(lie, X) == Y) is (dtype not in refused)
    for path, data in contents(lie).items():
        (tmp_path / path).write_bytes(data)
    assert check([str(tmp_path / "certificate.json")]) == (1 if dtype in refused else 0)
    capsys.readouterr()


@pytest.mark.parametrize(
    ("words", "dtype"),
    [("[[1, 0], [2^-24, 0]]", FLOAT16), ("[[256, 0], [256, 1]]", BFLOAT16)],
    ids=["too small", "too long"],
)
def test_a_mean_that_is_dyadic_but_no_number_of_the_format_is_named(words, dtype):
    assert exported(page_of(words, MEAN), {}, None, None, dtype).rounded == (1,)
    assert exported(page_of(words, MEAN), {}, None, None, FLOAT32).rounded == ()


@pytest.mark.parametrize(("many", "bits"), [(2048, 11), (2049, 12)])
def test_the_count_of_winners_needs_its_bits(many, bits):
    """2,049 is no number of float16, which has 11 bits: ones add up to 2,048 there."""
    (layer,) = exported(
        page_of("[[1]]", "  a = read x[j][1] at max of 0\n  x[i] <- [a]"), {}, None, None, FLOAT16
    ).layers
    meter = Meter()
    attend(layer.heads[0], ((Q(0),),) * many, meter, FLOAT16)
    assert meter.bits == bits

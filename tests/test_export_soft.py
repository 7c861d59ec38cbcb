"""Exports of built pages: softmax, the quantiser off the strips, the modulus of a target. The softmax is within the
page's bound, by rigorous balls (python-flint); every lie in a folder is found."""

import json
from dataclasses import replace
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from test_build_page import FAIR, FIRST, of_cases, text_of
from test_export import changed, folder, leaves
from verifier.build.dtype import FLOAT32, FLOAT64
from verifier.build.exported import contents, exported
from verifier.build.modulus import modulus, of_page
from verifier.build.quantiser import quantiser_of
from verifier.build.runs import NotExported
from verifier.build.taken import members, taken
from verifier.certificate import canonical
from verifier.checker.__main__ import main as check
from verifier.checker.build import modulus as checkers
from verifier.checker.core.comparing import Rejected
from verifier.checker.page.derive import Limits
from verifier.core.exact import Q
from verifier.evaluate.definition import Reading
from verifier.language.page import read
from verifier.language.tree import Call, Name, Number


def made(text, dtype=FLOAT32, *, soft=True):
    return exported(read(text), {}, None, None, dtype, soft=soft)


@pytest.fixture(scope="module")
def honest():
    return contents(made(text_of((1, 2, 2))))


def test_every_leaf_of_the_certificate_and_of_the_weights_is_checked(honest, tmp_path, capsys):
    for name in ("certificate.json", "weights.json"):
        value, tried = json.loads(honest[name]), 0
        for path in leaves(value):
            if path in (("format",), ("page",)):
                continue
            lie = honest | {name: canonical(changed(value, path))}
            if name == "weights.json":
                cert = json.loads(honest["certificate.json"])
                cert["files"][name] = sha256(lie[name]).hexdigest()
                lie["certificate.json"] = canonical(cert)
            assert check([folder(tmp_path / "lie", lie)]) in (1, 2, 4), path
            tried += 1
        assert tried > 30
    capsys.readouterr()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"quantiser": None}, "float.bits"),
        ({"modulus": None}, None),  # it says less
        ({"attention": "hard"}, "weights.json, attention"),
        ({"softmax": None}, "softmax"),
        ({"quantiser": {"cells": 1, "delta": "1/2", "epsilon": "1/131072"}}, "the weights of row 1, cell 1"),
        ({"quantiser": {"cells": 2, "delta": "1/2", "epsilon": "1/65536"}}, "the weights of row 1, cell 0"),
        ({"quantiser": {"cells": 2, "delta": "1/3", "epsilon": "1/131072"}}, "a power of two"),
        ({"quantiser": {"cells": 2, "delta": "1/2", "epsilon": "1/2"}}, "at most delta/2"),
        ({"quantiser": {"cells": 99, "delta": "1/2", "epsilon": "1/131072"}}, "so many that there are 1 (cells + 1)"),
    ],
)
def test_what_is_said_besides_the_weights(change, why, honest, tmp_path, capsys):
    cert = json.loads(honest["certificate.json"])
    assert cert["quantiser"] == {"cells": 2, "delta": "1/2", "epsilon": "1/131072"}
    assert cert["modulus"] == {"high": ["1"], "lipschitz": ["2"], "low": ["0"]}
    assert cert["softmax"] == {"gap": "256", "underflow": 104}
    lie = honest | {"certificate.json": canonical(cert | change)}
    assert check([folder(tmp_path / "lie", lie)]) == (0 if why is None else 1)
    assert (why or "checked in full") in capsys.readouterr().out


@pytest.mark.parametrize(
    ("right", "wrong", "why"),
    [
        ("lipschitz = [2]", "lipschitz = [1]", "the page's lipschitz"),
        ("f_low = [0]", "f_low = [1/2]", "the page's f_low"),
    ],
)
def test_a_page_that_says_another_modulus(right, wrong, why, honest, tmp_path, capsys):
    text = text_of((1, 2, 2))
    assert made(text.replace(right, wrong)).modulus is None
    cert = json.loads(honest["certificate.json"])
    lie = honest | {"certificate.json": canonical(cert | {"page": cert["page"].replace(right, wrong)})}
    assert check([folder(tmp_path / "lie", lie)]) == 1
    assert why in capsys.readouterr().out


def test_scores_that_are_too_near_for_softmax(tmp_path, capsys):
    near = text_of((1, 2, 2)).replace("lambda = 2048", "lambda = 512")
    assert "lambda = 512" in near
    with pytest.raises(NotExported, match=r"scores are only 64 apart, and exp is 0 in float32 from -104 down"):
        made(near)
    lie = contents(replace(made(text_of((1, 2, 2))), layers=made(near, soft=False).layers))
    cert = json.loads(lie["certificate.json"])
    lie["certificate.json"] = canonical(cert | {"page": near})
    assert check([folder(tmp_path / "lie", lie)]) == 1
    assert "softmax.gap" in capsys.readouterr().out


def test_no_softmax_reads_the_first_of_equal_scores():
    head = "head(column(last*unit(1, d)), [u], [lambda*u], [u], [0])"
    first = "read last*id(x[j])*unit(1, d) at leftmost max of lambda*id(x[j])*id(x[i])"
    text = text_of((1, 2, 2)).replace(head, first)
    assert first in text
    with pytest.raises(NotExported, match="the layer lift reads the first or the last of equal scores"):
        made(text)
    assert made(text, soft=False).modulus is not None


def test_a_quantiser_is_known_by_its_weights(tmp_path, capsys):
    b = made(text_of((2, 2, 2)))
    assert (b.quantiser.layers, b.quantiser.cells, b.quantiser.bits) == (6, 2, 17)
    assert quantiser_of(b.layers[1:]) is None
    changed_ = replace(b.layers[0], b_1=tuple(2 * x for x in b.layers[0].b_1))
    assert quantiser_of((changed_, *b.layers[1:])) is None
    shifted = replace(b.layers[3], shift=(Q(1), Q(0)))
    assert quantiser_of((*b.layers[:3], shifted, *b.layers[4:])) is None
    positional = made(text_of((1, 2, 4), FIRST, positional=True))
    assert (positional.quantiser.cells, positional.quantiser.bits) == (8, 19)
    moved = text_of((1, 2, 2)).replace("start = L\n", "start = [[t + epsilon for t in c] for c in L]\n")
    b = made(moved, FLOAT64, soft=False)
    assert b.quantiser is None  # cases that are no corners
    assert check([folder(tmp_path / "net", contents(b))]) == 0
    assert "off the strips" not in capsys.readouterr().out


# A target's range and constant


ALL = "for m in 1..n"


def page_about(entry, lines=""):
    return (
        "language 1\nd = 2\nn = 3\nN = 4\ninputs X in cells: list [[[0, 0], [0, 0], [0, 0]]]\n"
        f"{lines}f(j) = [{entry}, 0]\n"
        'claim size, own, "-", on cells:\n  "It has two entries."\n  len(f(1)) = 2\n'
    )


def both(entry, lines=""):
    """The producer's range and constant of row 1, once the checker has derived the same; or None from both."""
    text = page_about(entry, lines).replace("X in cells", "Z in cells").replace("f(j)", "X = Z\nf(j)", 1)
    ours = modulus(read(text), {}, 2, 3)
    stated = {"low": [Q(0)], "high": [Q(0)], "lipschitz": [Q(0)]} if ours is None else vars(ours)
    for member, name in checkers.STATED.items():
        text += f"{name} = [{', '.join(map(str, stated[member]))}]\n"
    if ours is None:
        with pytest.raises(Rejected, match="modulus"):
            checkers.of_page(text, {}, Limits())
        return None
    assert of_page(read(text), {}) == ours
    found = checkers.of_page(text, {}, Limits())
    assert found == ours.said()
    return (ours.low[0], ours.high[0]), ours.lipschitz[0]


@pytest.mark.parametrize(
    ("entry", "of", "L"),
    [
        ("X[j][1]", (0, 1), 1),
        ("3/4", (Q(3, 4), Q(3, 4)), 0),
        ("sum(X)[1]", (0, 3), 3),
        ("sum(X)[1] / n", (0, 1), 1),
        (f"max(X[m][1] {ALL}) - min(X[m][1] {ALL})", (-1, 1), 2),
        (f"sorted(X[m][1] {ALL})[2]", (0, 1), 1),
        ("sum(X[j])", (0, 2), 2),
        ("max(X[j])", (0, 1), 1),
        ("max(X[j][1], 1/2)", (Q(1, 2), 1), 1),
        ("|X[j][1] - 1/2|", (0, Q(1, 2)), 1),
        ("1 - X[j][1] * X[j][1] + (-X[j][1])", (-1, 1), 3),
        ("X[j][1]^3 * (X[j][2] - 2)", (-2, 0), 7),
        ("dot(X[j], [2, -1])", (-1, 2), 3),
        ("sum(c[1] * c[2] for c in X) if d = 2 else 0", (0, 3), 6),
        ("count(X[m] != X[j] for m in 1..n)", None, None),
        ("1 if X[j][1] > 1/3 else 0", None, None),
        ("X[j][1]^0", (1, 1), 0),
        ("1 if X[j] = X[j] else 0", None, None),
        ("X[j][1] mod (1/3)", None, None),
        ("[3, 5, 7, 9, 11][1 + 4 * X[j][1]]", None, None),
    ],
)
def test_ranges_and_constants(entry, of, L):
    assert both(entry) == (None if of is None else (of, L))


def test_functions_and_definitions_that_speak_of_X():
    lines = "half(a) = a / 2\nmean = sum(X) / n\ng(k) = half(X[k][1]) - mean[1]\n"
    assert both("g(j)", lines) == ((-1, Q(1, 2)), Q(3, 2))


LEAVES = st.sampled_from(["X[j][1]", "X[j][2]", "0", "1", "1/3", "5/2", "sum(X)[1]"])


def wider(inner):
    return st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from("+-*"), inner),
        st.builds("{}({}, {})".format, st.sampled_from(["max", "min"]), inner, inner),
        st.builds("sorted([{}, 1, {}])[{}]".format, inner, inner, st.integers(1, 3)),
        st.builds("{}(g{}(m) for m in 1..n)".format, st.sampled_from(["max", "min", "sum"]), st.sampled_from("12")),
        st.builds("|{}|".format, inner),
        st.builds("(-{}^2)".format, inner),
    )


EXPRESSIONS = st.recursive(LEAVES, wider, max_leaves=5)
ENTRY = st.integers(0, 8).map(lambda k: Q(k, 8))
MATRIX = st.tuples(*[st.tuples(ENTRY, ENTRY)] * 3)  # by columns


@given(EXPRESSIONS, MATRIX, MATRIX)
def test_range_and_constant_hold(entry, X, Y):
    lines = "g1(k) = X[k][1] * X[k][2]\ng2(k) = X[k][1] - 2 * X[k][2]\n"
    (low, high), L = both(entry, lines)
    listed = str([[list(map(str, c)) for c in Z] for Z in {X: 0, Y: 0}]).replace("'", "")
    text = page_about(entry, lines).replace("[[[0, 0], [0, 0], [0, 0]]]", listed)
    reading = Reading(read(text), {})
    values = [
        [case(Call((0, 0), "f", [Number((0, 0), j)]), {}).items[0] for j in (1, 2, 3)]
        for case in reading.cases("cells")
    ]
    far = max(abs(x - y) for c, e in zip(X, Y, strict=True) for x, y in zip(c, e, strict=True))
    assert all(low <= value <= high for row in values for value in row)
    assert all(abs(a - b) <= L * far for a, b in zip(values[0], values[-1], strict=True))


# Softmax, by rigorous balls


flint = pytest.importorskip("flint")


@pytest.fixture
def precise():
    """3,000 bits: the bound of the form float is about 2^-550."""
    flint.ctx.prec, before = 3000, flint.ctx.prec
    yield
    flint.ctx.prec = before


def ball(x):
    return flint.arb(flint.fmpq(int(x.numerator), int(x.denominator)))


def relu(z):
    """Exactly 0 or z where the sign is certain."""
    if z < 0:
        return flint.arb(0)
    return z if z > 0 else z.union(flint.arb(0)) if z != 0 else flint.arb(0)


def dot(row, z):
    return sum((ball(a) * x for a, x in zip(row, z, strict=True) if a), flint.arb(0))


def run(layers, X):
    """The tokens that the layers make of these, with softmax."""
    tokens = [[ball(x) for x in z] for z in X]
    for layer in layers:
        reads = [[mean(head, tokens, z) for z in tokens] for head in layer.heads]
        new = []
        for i, z in enumerate(tokens):
            hidden = [relu(dot(w, z) + ball(b)) for w, b in zip(layer.W_1, layer.b_1, strict=True)]
            rows = [x + ball(u) for x, u in zip(z, layer.shift, strict=True)]
            for head, read_ in zip(layer.heads, reads, strict=True):
                rows = [x + ball(row[0]) * read_[i] for x, row in zip(rows, head.out, strict=True)]
            new.append([x + dot(w, hidden) for x, w in zip(rows, layer.W_2, strict=True)] if hidden else rows)
        tokens = new
    return tokens


def mean(head, tokens, z):
    """Weights relative to the largest score, so that nothing overflows."""
    query = dot(head.queries[0], z) + ball(head.bias[0])
    scores, values = [dot(head.keys[0], x) * query for x in tokens], [dot(head.values[0], x) for x in tokens]
    top = max(scores, key=lambda score: score.mid())
    shares = [(score - top).exp() for score in scores]
    return sum((v * s for v, s in zip(values, shares, strict=True)), flint.arb(0)) / sum(shares, flint.arb(0))


def farthest(text):
    """The largest distance of an entry from the target, on what is kept: a ball; and the page's bound."""
    reading = Reading(read(text), {})
    case, most = next(reading.cases("cells")), flint.arb(0)
    d, n = (int(reading.nothing(Name((0, 0), name), {})) for name in "dn")
    layers = [taken(case, name, at, d, range(1, n + 1)) for name, at in members(case, "whole")]
    for X, A, written in of_cases(text, "start", "A", "written"):
        if written:
            for z, wanted in zip(run(layers, X), A, strict=True):
                for x, a in zip(z, wanted, strict=True):
                    most = most.max(abs(x - ball(a)))
    return most, ball(reading.nothing(Name((0, 0), "bound"), {}))


@pytest.mark.usefixtures("precise")
@pytest.mark.parametrize(
    ("sizes", "target", "how"),
    [
        ((1, 2, 2), FAIR, {"dtype": FLOAT64}),
        ((1, 2, 4), FAIR, {}),
        ((2, 2, 2), "f(j) = [max(X[m][1] for m in 1..n) * X[j][2], sum(X[j])]", {}),
        ((1, 2, 2), FIRST, {"positional": True}),
        ((1, 2, 3), FAIR, {"form": "paper"}),
        ((1, 2, 3), FIRST, {"form": "paper", "positional": True}),
    ],
)
def test_softmax_is_within_the_bound(sizes, target, how):
    most, bound = farthest(text_of(sizes, target, **how))
    assert most < bound
    assert most.rad() < 1e-300


@pytest.mark.usefixtures("precise")
def test_another_temperature_is_not_within_it():
    """The bound of the page's lambda, with weights for a smaller one."""
    text = text_of((1, 2, 2))
    most, _ = farthest(text)
    _, bound = farthest(text_of((1, 2, 2), rate=Q(8192)))
    assert most > bound

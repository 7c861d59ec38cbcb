"""The checker of built networks, part by part: what each formula says at its edges, and which lie each line refuses."""

import json
from copy import deepcopy
from fractions import Fraction as Q
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build_truth import built
from verifier.build.dtype import FLOAT32, FLOAT64
from verifier.build.export import encoder_safetensors, safetensors
from verifier.build.folder import contents
from verifier.build.plan import build, build_paper
from verifier.build.target import function
from verifier.checker.build import check
from verifier.checker.build.dyadic import DTYPES
from verifier.checker.build.files import Layer, Network, from_weights
from verifier.checker.build.form import Shape, Write, keep, relus
from verifier.checker.build.run import Meter, Runner, token_wise
from verifier.checker.core.comparing import OverLimit, Rejected
from verifier.checker.core.reading import Unreadable
from verifier.papers.yun2020.instance import Instance

FORMS = {"float": build, "paper": build_paper}


@pytest.fixture(scope="module")
def files():
    """files("float"): a folder at (1, 2, 2)."""
    return {
        form: contents(built((1, 2, 2), "x * mean(x) - 3", dtype=FLOAT32, make=make)) for form, make in FORMS.items()
    }.get


@pytest.fixture
def cert(files):
    return lambda form: json.loads(files(form)["certificate.json"])


# The certificate's shape, and its sizes


def places(value, path=()):
    """Every member and entry, by its path."""
    for step in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield (*path, step)
        yield from places(value[step], (*path, step))


def at(value, path):
    for step in path:
        value = value[step]
    return value


COMPARED = ["format", "target.", "distance.", "softmax.K.", "float.exponents."]  # or read, elsewhere
COMPARED += [f"float.{name}." for name in ("needed", "p", "gap", "underflow")]


@pytest.mark.parametrize("form", FORMS)
def test_every_member_has_a_kind(form, cert):
    """An object of another kind, and a member that is unknown or missing, can't be read; nothing is compared."""
    right, tried = cert(form), 0
    assert check.shape_fits(right) is right
    for *path, last in places(right):
        if f"{'.'.join(map(str, [*path, last]))}.".startswith(tuple(COMPARED)):
            continue
        lie = deepcopy(right)
        at(lie, path)[last] = {"?": 0}
        with pytest.raises(Unreadable):
            check.shape_fits(lie)
        if isinstance(last, str):
            del at(lie, path)[last]
            with pytest.raises(Unreadable, match=r"missing|unknown member"):
                check.shape_fits(lie)
            at(lie, path).update({last: at(right, path)[last], "another": 0})
            with pytest.raises(Unreadable, match="unknown member"):
                check.shape_fits(lie)
        tried += 1
    assert tried > 40
    with pytest.raises(Unreadable, match="the certificate: an object belongs there"):
        check.shape_fits([])


@pytest.mark.parametrize("member", ["quantum", "offset"])
def test_the_form_paper_rounds_nothing_and_shifts_nothing(member, cert):
    lie = cert("paper")
    lie["parameters"][member] = "1"
    with pytest.raises(Unreadable, match=rf"parameters\.{member}: null belongs there"):
        check.shape_fits(lie)


def test_a_target_of_null_has_a_shape(cert):
    hole = cert("float")
    hole["orbits"][0]["target"] = None
    assert check.shape_fits(hole) is hole


@pytest.mark.parametrize("K", [None, "1", -1])
def test_the_bits_of_a_softmax_are_a_count(K, cert):
    lie = cert("float")
    lie["softmax"]["K"] = K
    with pytest.raises(Unreadable, match=r"softmax\.K"):
        check.shape_fits(lie)


def test_an_encoder_has_two_dimensions():
    assert [len(check.certified({"instance": {"d": d}})) for d in (1, 2, 3)] == [4, 4, 3]


def sized(form, **changes):
    """shape_of, at (2, 3, 4) unless it is changed."""
    numbers = {"d": 2, "n": 3, "N": 4, "epsilon": "1/16", "lambda": "8"} | changes
    instance, parameters = (
        {name: numbers[name] for name in names} for names in (("d", "n", "N"), ("epsilon", "lambda"))
    )
    cert = {"form": form, "dtype": "float16", "positional": True, "instance": instance, "parameters": parameters}
    s, dtype = check.shape_of(cert)
    assert s == (*instance.values(), True, Q(numbers["epsilon"]), Q(numbers["lambda"]))
    assert dtype is DTYPES["float16"]


@pytest.mark.parametrize(
    ("form", "right", "wrong"),
    [
        *[(form, {"d": 1}, {"d": 0}) for form in FORMS],
        *[(form, {"n": 2}, {"n": 1}) for form in FORMS],
        *[(form, {"N": 2}, {"N": 1}) for form in FORMS],
        ("float", {"N": 8}, {"N": 6}),
        ("paper", {"N": 6}, {"N": 1}),
        *[(form, {"epsilon": "1/8"}, {"epsilon": wrong}) for form in FORMS for wrong in ("0", "-1/8", "1/4", "9/64")],
        ("float", {"epsilon": "1/1024"}, {"epsilon": "1/12"}),
        ("float", {"epsilon": "1/1024"}, {"epsilon": "3/32"}),
        ("paper", {"epsilon": "3/32"}, {"epsilon": "5/32"}),
        *[("float", {"lambda": "1"}, {"lambda": wrong}) for wrong in ("0", "1/2", "4/3", "3", "6", "-2")],
        ("float", {"lambda": str(2**199)}, {"lambda": str(2**200)}),
        *[("paper", {"lambda": right}, {"lambda": wrong}) for right in ("1/3", "1") for wrong in ("0", "-1")],
    ],
)
def test_the_numbers_that_a_network_follows_from(form, right, wrong):
    sized(form, **right)
    with pytest.raises(Rejected, match=f"instance.{next(iter(wrong))}|parameters.{next(iter(wrong))}"):
        sized(form, **wrong)


def test_limits_on_the_instance():
    sized("float", d=20, n=1000, N=2**20, epsilon=str(Q(1, 2**30)))
    for lie in ({"d": 21}, {"n": 1001}, {"N": 2**21}):
        with pytest.raises(OverLimit, match=r"the limits are d <= 20, n <= 1000 and N <= 2\^20"):
            sized("float", epsilon=str(Q(1, 2**30)), **lie)


@pytest.mark.parametrize("by_context", [False, True])
@pytest.mark.parametrize("positional", [False, True])
def test_the_work_is_counted_beforehand(by_context, positional, monkeypatch):
    """d = 2, n = 3, N = 2: 4 columns, 4 levels (12 with positions), and 20 orbits, or 64 contexts."""
    s = Shape(2, 3, 2, positional, Q(1, 8), Q(1))
    levels, cases = (12, 64) if positional else (4, 20)
    assert cases == s.cases == (4**3 if positional else comb(4 + 3 - 1, 3))
    keys = 4**3 * 3 if by_context else cases * 3 // 2
    work = cases * 9 * levels * 10 + cases * 3 * keys * (10 if by_context else 1)
    for most, times in ((work, 1), (work // 2, 2)):
        monkeypatch.setattr(check, "MOST_STEPS", most)
        check.refuse_too_much(s, times, by_context=by_context)
        monkeypatch.setattr(check, "MOST_STEPS", most - 1)
        with pytest.raises(OverLimit, match=f"{work:,} steps at {cases} orbits"):
            check.refuse_too_much(s, times, by_context=by_context)


def test_sizes_that_can_not_be_run_are_refused_at_once():
    for s in (
        Shape(20, 2, 2, False, Q(1, 8), Q(1)),
        Shape(20, 1000, 2**20, True, Q(1, 8), Q(1)),
        Shape(1, 30, 64, False, Q(1, 8), Q(1)),
    ):
        with pytest.raises(OverLimit, match="levels; at most 20000000 steps are made"):
            check.refuse_too_much(s, 1, by_context=True)


# The files of the folder


@pytest.fixture
def said(tmp_path, monkeypatch):
    """said(files, cert) -> what the checker says in this folder."""

    def run(files, cert):
        for name, data in files.items():
            (tmp_path / name).write_bytes(data)
        monkeypatch.chdir(tmp_path)
        return check.check(cert, "certificate.json", 1)

    return run


def test_what_is_said(files, cert, said):
    at_122 = "at (d, n, N) = (1, 2, 2), {} layers in float32: exact on {} of 3 orbits, its softmax within the bound"
    assert said(files("float"), cert("float")) == (
        f"checked in full: the network of the form float {at_122.format(12, 3)}, its sums without rounding"
        ", its distance as stated"
    )
    assert said(files("paper"), cert("paper")) == (
        f"checked in full: the network of the form paper {at_122.format(10, 1)}, its distance as stated"
        "; nothing is said of floats"
    )
    made = contents(build(Instance(1, 2, 2), function(lambda _: ((1, 1),), 1, 2, positional=True), positional=True))
    assert said(made, json.loads(made["certificate.json"])).endswith(
        "the positional network of the form float at (d, n, N) = (1, 2, 2), 20 layers in float64"
        ": exact on 4 of 4 contexts, its softmax within the bound, its sums without rounding"
        "; nothing is said of a distance"
        "; NOT checked: the function itself, its range and constant, and what was measured"
    )
    with pytest.raises(Unreadable, match="stdin has none"):
        check.check(cert("float"), "-", 1)


@pytest.mark.parametrize(
    ("name", "write"), [("model.safetensors", safetensors), ("encoder.safetensors", encoder_safetensors)]
)
def test_the_same_numbers_in_another_dtype(name, write, files, cert, said):
    lie = files("float") | {name: write(built((1, 2, 2), "x * mean(x) - 3", dtype=FLOAT32).stack, FLOAT64)}
    with pytest.raises(Rejected, match=f"{name}: expected float32, found float64"):
        said(lie, cert("float"))


def test_an_encoding_in_one_file_alone(said):
    made = contents(built((1, 2, 2), "x[1,1]", dtype=FLOAT32, positional=True))
    lie = bytearray(made["model.safetensors"])
    length = int.from_bytes(lie[:8], "little")
    lie[8 + length + 4 + 2] ^= 1
    with pytest.raises(Rejected, match=r"model.safetensors, encoding\[0\]\[1\]: expected"):
        said(made | {"model.safetensors": bytes(lie)}, json.loads(made["certificate.json"]))


def test_a_network_of_another_size(files):
    network = from_weights(files("float")["weights.json"])
    s = Shape(1, 2, 2, False, Q(1, 8), Q(1))
    check.same_sizes(s, network)
    for lie in (s._replace(d=2), s._replace(n=3), s._replace(positional=True)):
        with pytest.raises(Rejected, match=r"weights\.json, "):
            check.same_sizes(lie, network)


def test_a_network_that_writes_nothing(files, cert, said):
    lie = cert("float") | {"target": {"kind": "table"}}
    lie["orbits"] = [orbit | {"target": None, "kept": False} for orbit in lie["orbits"]]
    lie["parameters"] |= {"offset": "1", "low": [], "high": []}
    with pytest.raises(Rejected, match="orbits: expected one that is kept, at least, found none"):
        said(files("float"), lie)


def test_what_a_promise_is_compared_with():
    assert check.as_promised({"instance": 7, "more": 8}) == {"instance": 7, "claims": []}


# The form `float`

S_2 = Shape(2, 2, 2, False, Q(1, 8), Q(1))  # u = (1, 2)


@pytest.mark.parametrize(
    ("ids", "offset"), [((0,), 1), ((-5, -7), 1), ((1,), 2), ((Q(3, 2),), 4), ((3, -9), 4), ((Q(25, 8), 2), 8)]
)
def test_the_offset_and_the_clip(ids, offset):
    """S is the least power of two >= 1 + the largest u^T A, and >= 1."""
    writes = [Write(Q(0), (), (Q(x) - 2 * k, Q(k))) for k, x in enumerate(ids)]
    low, high = ([pick(w.target[row] for w in writes) for row in (0, 1)] for pick in (min, max))
    assert check.around(S_2, writes) == (offset, low, high)


def test_which_orbits_are_kept():
    """At (1, 2, 3) the orbits are 00, 01, 02, 11, 12, 22; those of distinct columns come first, then by rank."""
    s = Shape(1, 2, 3, False, Q(1, 8), Q(1))
    images = [[(Q(a),), (Q(b),)] for a, b in ((1, 1), (1, 2), (2, 3), (4, 4), (5, 6), (7, 7))]
    one, other = (Q(9),), (Q(8),)
    targets = [[one, one], [one, other], [one, one], [one, other], None, [one, one]]
    kept, writes = keep(s, targets, images)
    assert kept == {0, 1, 5}  # 2 writes another target at 2; 3 contradicts itself; 4 has none
    assert writes == [Write(Q(7), (Q(7),), one), Write(Q(2), (Q(2),), other), Write(Q(1), (Q(1),), one)]


# Numbers of the network, and the bits of its sums

SMALL = st.integers(-6, 6).map(lambda k: Q(k, 2))
BIASES = st.lists(st.integers(-6, 1).map(lambda k: Q(k, 2)), min_size=2, max_size=2)
COLUMNS = st.lists(st.tuples(SMALL, SMALL), min_size=1, max_size=4, unique=True)


@st.composite
def layers(draw):
    """Layers of two hidden nodes; most read one direction, as those of a value map do."""
    rows, made = [draw(st.tuples(SMALL, SMALL)) for _ in range(2)], []
    for k in range(draw(st.integers(1, 6))):
        both = [rows[draw(st.integers(0, 1))]] * 2 if draw(st.integers(0, 4)) else rows
        out = [[draw(SMALL), draw(SMALL)] for _ in range(2)]
        layer = relus(f"{k}", [list(row) for row in both], draw(BIASES), out)
        made.append(
            layer if draw(st.integers(0, 4)) else layer._replace(tensors=layer.tensors | {"b_2": [[Q(1)], [Q(0)]]})
        )
    return made


@given(layers(), COLUMNS, st.sets(st.integers(0, 3)))
def test_layers_that_pass_columns_on_are_those_that_are_run(made, columns, asked):
    """`token_wise` looks at few sums; here each layer is run on each column, and all are looked at."""
    runner = Runner(Network(2, 2, None, made), 40)
    inputs = [tuple(int(x * 2**40) for x in z) for z in columns]
    metered = {z for k, z in enumerate(inputs) if k in asked}
    meters, all_met = [Meter() for _ in made], [Meter() for _ in made]
    found = token_wise(runner, runner.layers, inputs, metered, meters)
    for z in inputs:
        now = z
        for layer, meter in zip(runner.layers, all_met, strict=True):
            now = runner.forward(layer, now, meter if z in metered else Meter())
        assert found[z] == now
    assert [meter.bits for meter in meters] == [meter.bits for meter in all_met]
    either = [0, 0]
    for k, its in enumerate((meters, all_met)):
        for meter in its:
            either[k] |= meter.met
    assert either[0] == either[1]


def attention(W_O, W_V, W_K, W_Q, b_Q):
    tensors = {"W_O": W_O, "W_V": W_V, "W_K": W_K, "W_Q": W_Q, "b_Q": b_Q}
    return Layer("attention", "a", {name: [[Q(x) for x in row] for row in X] for name, X in tensors.items()})


HEAD = attention([[1]], [[1]], [[4]], [[1]], [[-1]])


def test_attention_with_hardmax():
    """Scores 4 x_k (x_j - 1) of the columns 1, 1, 3, 0: all tie at x_j = 1; 3 wins for x_j = 3; 0 for x_j = 0."""
    runner = Runner(Network(1, 4, None, [HEAD]), 8)
    one = 1 << 8
    X, gap, uneven = runner.attend(runner.layers[0], [(one,), (one,), (3 * one,), (0,)], meter := Meter())
    assert [(one + 5 * one // 4,), (one + 5 * one // 4,), (6 * one,), (0,)] == X
    assert gap == 4 * one**2  # scores 0, -4, -12 at x_j = 0; 24, 8, 0 at x_j = 3
    assert not uneven
    assert meter.bits == 4  # 1 + 5/4 = 9/4
    X, gap, uneven = runner.attend(runner.layers[0], [(one,)] * 3, Meter())
    assert (X, gap, uneven) == ([(2 * one,)] * 3, None, True)

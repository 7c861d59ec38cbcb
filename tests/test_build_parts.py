"""The checker of built networks, part by part: what each formula says at its edges, and which lie each line refuses."""

import json
import re
from copy import deepcopy
from fractions import Fraction as Q
from math import comb

import pytest
from gmpy2 import mpq

from build_truth import as_checked, built
from verifier.build import float_form, paper_form
from verifier.build.cells import case_count, cases, rounded
from verifier.build.dtype import FLOAT32, FLOAT64
from verifier.build.export import encoder_safetensors, safetensors
from verifier.build.folder import contents
from verifier.build.layer import Stack
from verifier.build.plan import build, build_paper
from verifier.build.sizes import Sizes
from verifier.build.target import Target
from verifier.certificate import canonical
from verifier.checker.build import check, paper
from verifier.checker.build.dyadic import DTYPES, zeros
from verifier.checker.build.files import Layer
from verifier.checker.build.form import Shape, Write, front, keep, relus, tail
from verifier.checker.build.reading import certified, shape_fits
from verifier.checker.build.run import Meter, Runner, places_of, token_wise
from verifier.checker.core.comparing import OverLimit, Rejected
from verifier.checker.core.reading import Unreadable
from verifier.core.exact import columns_of

FORMS = {"float": build, "paper": build_paper}


TEXTS = {"float": "f(j) = [X[j][1] * sum(X)[1] / n - 3]", "paper": "f(j) = [X[j][r] * sum(X)[r] / n for r in 1..d]"}
FILES = {form: contents(built((1, 2, 2), TEXTS[form], dtype=FLOAT32, make=make)) for form, make in FORMS.items()}


def files(form):
    """A folder at (1, 2, 2)."""
    return dict(FILES[form])


def cert(form):
    return json.loads(FILES[form]["certificate.json"])


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
def test_every_member_has_a_kind(form):
    """An object of another kind, and a member that is unknown or missing, can't be read; nothing is compared."""
    right, tried = cert(form), 0
    assert shape_fits(right) is right
    for *path, last in places(right):
        if f"{'.'.join(map(str, [*path, last]))}.".startswith(tuple(COMPARED)):
            continue
        lie = deepcopy(right)
        at(lie, path)[last] = {"?": 0}
        with pytest.raises(Unreadable):
            shape_fits(lie)
        if isinstance(last, str):
            del at(lie, path)[last]
            with pytest.raises(Unreadable, match=r"missing|unknown member"):
                shape_fits(lie)
            at(lie, path).update({last: at(right, path)[last], "another": 0})
            with pytest.raises(Unreadable, match="unknown member"):
                shape_fits(lie)
        tried += 1
    assert tried > 40
    with pytest.raises(Unreadable, match="the certificate: an object belongs there"):
        shape_fits([])


@pytest.mark.parametrize("member", ["quantum", "offset"])
def test_the_form_paper_rounds_nothing_and_shifts_nothing(member):
    lie = cert("paper")
    lie["parameters"][member] = "1"
    with pytest.raises(Unreadable, match=rf"parameters\.{member}: null belongs there"):
        shape_fits(lie)


def test_orbits_are_a_list():
    for lie in ({}, 5):
        with pytest.raises(Unreadable, match="orbits: a list belongs there"):
            shape_fits(cert("float") | {"orbits": lie})


def test_no_target_is_null():
    hole = cert("float")
    hole["orbits"][0]["target"] = None
    with pytest.raises(Unreadable, match=r"orbits\[0\].target: null is not a list"):
        shape_fits(hole)


@pytest.mark.parametrize("K", [None, "1", -1])
def test_the_bits_of_a_softmax_are_a_count(K):
    lie = cert("float")
    lie["softmax"]["K"] = K
    with pytest.raises(Unreadable, match=r"softmax\.K"):
        shape_fits(lie)


def test_an_encoder_has_two_dimensions():
    assert [len(certified({"instance": {"d": d}})) for d in (1, 2, 3)] == [4, 4, 3]


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
    levels, orbits = (12, 64) if positional else (4, 20)
    assert orbits == s.cases == (4**3 if positional else comb(4 + 3 - 1, 3))
    keys = 4**3 * 3 if by_context else orbits * 3 // 2
    work = orbits * 9 * levels * 10 + orbits * 3 * keys * (10 if by_context else 3)
    for most, times in ((work, 1), (work // 2, 2)):
        monkeypatch.setattr(check, "MOST_STEPS", most)
        check.refuse_too_much(s, times, by_context=by_context)
        for less, why in ((most - 1, f"{work:,} steps at {orbits} orbits"), (orbits // times, f"{work:,} steps")):
            monkeypatch.setattr(check, "MOST_STEPS", less)
            with pytest.raises(OverLimit, match=why):
                check.refuse_too_much(s, times, by_context=by_context)


def test_sizes_that_can_not_be_run_are_refused_at_once():
    for s in (
        Shape(20, 2, 2, False, Q(1, 8), Q(1)),
        Shape(20, 1000, 2**20, True, Q(1, 8), Q(1)),
        Shape(1, 30, 64, False, Q(1, 8), Q(1)),
    ):
        with pytest.raises(OverLimit, match="more than 20,000,000 orbits; at most 20,000,000 steps are made"):
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


def test_what_is_said(said):
    at_122 = "at (d, n, N) = (1, 2, 2), {} layers in float32: exact on {} of 3 orbits, its softmax within the bound"
    assert said(files("float"), cert("float")) == (
        f"checked in full: the network of the form float {at_122.format(12, 3)}, its sums without rounding"
        ", its distance as stated"
    )
    assert said(files("paper"), cert("paper")) == (
        f"checked in full: the network of the form paper {at_122.format(10, 3)}, its distance as stated"
        "; nothing is said of floats"
    )
    made = contents(built((1, 2, 2), "f(j) = [1 if X[1][1] >= 0 else 0]", positional=True))
    assert said(made, json.loads(made["certificate.json"])).endswith(
        "the positional network of the form float at (d, n, N) = (1, 2, 2), 20 layers in float64"
        ": exact on 4 of 4 contexts, its softmax within the bound, its sums without rounding"
        "; nothing is said of a distance"
    )
    with pytest.raises(Unreadable, match="stdin has none"):
        check.check(cert("float"), "-", 1)


@pytest.mark.parametrize(
    ("form", "work"), [("float", 3 * 4 * 2 * 10 + 3 * 2 * 3 * 3), ("paper", 3 * 4 * 2 * 10 + 3 * 2 * 80)]
)
def test_a_check_is_refused_before_it_takes_too_long(form, work, said, monkeypatch):
    monkeypatch.setattr(check, "MOST_STEPS", work)
    assert said(files(form), cert(form))
    monkeypatch.setattr(check, "MOST_STEPS", work - 1)
    with pytest.raises(OverLimit, match=f"{work} steps at 3 orbits; at most {work - 1} are made"):
        said(files(form), cert(form))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("place", "lie"),
    [
        (("parameters", "low", 0), "-9"),
        (("parameters", "high", 0), "9"),
        (("softmax", "bound"), "1/1000"),
        (("exact", "kept"), 9),
        (("orbits", 1, "kept"), False),
        (("size", "layers"), 9),
        (("size", "parameters"), 9),
        (("size", "keys"), 9),
        (("distance", "share"), "1/9"),
        (("not_covered", 0), "nothing"),
        (("files", "model.onnx"), "0"),
    ],
)
def test_what_a_certificate_says_is_compared(form, place, lie, said):
    """The whole rests on it, so that this asks at a place of each comparison; another test asks at all places."""
    wrong = cert(form)
    at(wrong, place[:-1])[place[-1]] = lie
    its_name = re.sub(r"\.([01])", r"[\1]", ".".join(map(str, place)))
    with pytest.raises(Rejected, match=re.escape(f": {its_name}: expected ")):
        said(files(form), wrong)


@pytest.mark.parametrize(
    ("form", "place", "lie"),
    [
        ("paper", ("theorem",), "none"),
        ("paper", ("float", "refused"), "no"),
        ("float", ("parameters", "offset"), "32"),
        ("float", ("softmax", "K"), 9),
        ("float", ("float", "needed"), 9),
        ("float", ("float", "gap"), None),
        ("float", ("distance",), None),
        ("float", ("distance", "measured"), None),
    ],
)
def test_what_one_form_says_is_compared(form, place, lie, said):
    wrong = cert(form)
    at(wrong, place[:-1])[place[-1]] = lie
    with pytest.raises(Rejected, match=f": {'.'.join(place)}: expected"):
        said(files(form), wrong)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("k", "tensor"), [(0, "b_1"), (3, "b_Q"), (6, "W_2"), (-1, "b_1")])
def test_weights_are_compared_before_and_behind_the_keys(form, k, tensor, said):
    """None of them is 1/1024; and behind the last layer there is none."""
    for change in ("more", "again"):
        weights = json.loads(FILES[form]["weights.json"])
        layers = weights["layers"]
        row = layers[k][tensor]
        if change == "again":
            layers.append(layers[-1])
        else:
            row[0] = ["1/1024" for _ in row[0]] if isinstance(row[0], list) else "1/1024"
        with pytest.raises(Rejected, match=r"weights.json, (layer \d+|the end of the layers)"):
            said(files(form) | {"weights.json": canonical(weights)}, cert(form))


def test_of_which_orbits_a_key_is_asked_in_the_form_paper(said, monkeypatch):
    """Of 01 alone; with positions of all."""
    found = []
    monkeypatch.setattr(paper, "softmax", lambda *its: found.append(its[3]))
    said(files("paper"), cert("paper"))
    made = contents(built((1, 2, 2), "f(j) = X[1]", positional=True, make=build_paper))
    said(made, json.loads(made["certificate.json"]))
    assert found == [[1], [0, 1, 2, 3]]


def test_a_target_that_jumps_has_no_distance(said):
    made = contents(built((1, 2, 2), "f(j) = [1 if X[j][1] < 1/2 else -1]", make=build_paper))
    assert "; nothing is said of a distance; " in said(made, json.loads(made["certificate.json"]))


@pytest.mark.parametrize(
    ("name", "write"), [("model.safetensors", safetensors), ("encoder.safetensors", encoder_safetensors)]
)
def test_the_same_numbers_in_another_dtype(name, write, said):
    lie = files("float") | {
        name: write(built((1, 2, 2), "f(j) = [X[j][1] * sum(X)[1] / n - 3]", dtype=FLOAT32).stack, FLOAT64)
    }
    with pytest.raises(Rejected, match=rf"{name}, (length of the )?header.*: expected .*, found"):
        said(lie, cert("float"))


def test_an_encoding_in_one_file_alone(said):
    made = contents(built((1, 2, 2), "f(j) = X[1]", dtype=FLOAT32, positional=True))
    lie = bytearray(made["model.safetensors"])
    length = int.from_bytes(lie[:8], "little")
    lie[8 + length + 4 + 2] ^= 1
    with pytest.raises(Rejected, match=r"model.safetensors, encoding, byte \d+: expected bytes .*, found bytes"):
        said(made | {"model.safetensors": bytes(lie)}, json.loads(made["certificate.json"]))


def test_what_a_promise_is_compared_with():
    found = check.as_promised({"instance": {"N": 4, "d": 1, "n": 3}, "more": 8})
    assert found == {"instance": {"d": 1, "n": 3, "N": 4}, "claims": []}
    assert [*found["instance"].values()] == [1, 3, 4], "in the order of a promise"


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
    images = [[(Q(a),), (Q(b),)] for a, b in ((1, 1), (1, 2), (2, 3), (4, 4), (2, 6), (2, 2))]
    one, other = (Q(9),), (Q(8),)
    targets = [[one, one], [one, other], [one, one], [one, other], [one, one], [one, one]]
    kept, writes = keep(s, targets, images)
    assert kept == {0, 1}  # 2 and 5 write another target at 2; 4 too; 3 contradicts itself
    assert writes == [Write(Q(2), (Q(2),), other), Write(Q(1), (Q(1),), one)]


def test_orbits_of_more_cells_are_kept_first():
    """At (1, 4, 2): of 0001, 0011 and 0111, which stand for 4, 6 and 4 cells, 0011; and its key is used."""
    images = [[(Q(k),)] * 4 for k in (1, 2, 2, 2, 3)]
    kept, _ = keep(Shape(1, 4, 2, False, Q(1, 8), Q(1)), [[(Q(k),)] * 4 for k in range(5)], images)
    assert kept == {0, 2, 4}


NETWORKS = [((1, 3, 4), False), ((2, 2, 2), False), ((1, 3, 2), True), ((2, 2, 2), True)]


def with_cases(parts, positional, shift):
    """The instance, and the producer's cases with their targets, taken at `shift` from the corners."""
    i = Sizes(*parts)
    text = (
        "f(j) = [X[j][1] - 2, X[j][2] * X[j][1] + 1/3]"
        if i.d == 2
        else "f(j) = [X[3][1] * X[j][1]]"
        if positional
        else "f(j) = [X[j][r] * sum(X)[r] / n for r in 1..d]"
    )
    return i, cases(i, Target(text, i, positional=positional), shift, positional)


def stored(i, layers):
    return as_checked(Stack(i.d, i.n, tuple(layers)))


def columns(matrices):
    return [None if X is None else [tuple(map(fraction, z)) for z in columns_of(X)] for X in matrices]


def fraction(x):
    return Q(int(x.numerator), int(x.denominator))


@pytest.mark.parametrize(("parts", "positional"), NETWORKS)
def test_the_layers_of_the_form_float(parts, positional):
    i, its = with_cases(parts, positional, Sizes(*parts).delta / 2)
    theirs, s = float_form.Shape(i, positional, mpq(1, 32), mpq(64)), Shape(*parts, positional, Q(1, 32), Q(64))
    found = float_form.images(theirs, its)
    v = float_form.values(theirs, its, found, 3)
    images = [[tuple(map(fraction, z)) for z in columns] for columns in found]
    kept, writes = keep(s, columns(rounded(case.value, 3) for case in its), images)
    assert kept == set(v.kept)
    low, high = list(map(fraction, v.low)), list(map(fraction, v.high))
    assert check.around(s, writes) == (fraction(v.offset), low, high)
    layers = [*float_form.quantiser(theirs), *float_form.contextual_map(theirs), *float_form.value_map(theirs, v)]
    assert [*front(s), *tail(s, writes, fraction(v.offset), low, high)] == stored(i, layers)
    assert s.cases == len(its) == case_count(i, positional)
    assert [s.cells(case.numbers) for case in its] == [case.cells for case in its]


@pytest.mark.parametrize(("parts", "positional"), NETWORKS)
def test_the_layers_of_the_form_paper(parts, positional):
    i, its = with_cases(parts, positional, mpq(0))
    stack = paper_form.network(i, its, positional, mpq(1, 12), mpq(64), mpq(4))
    s, before = Shape(*parts, positional, Q(1, 12), Q(64)), len(stack.only("quantise", "sweep", "global"))
    first = Stack(i.d, i.n, stack.layers[:before], stack.encoding)
    images = columns(first.run(case.L) for case in its)
    written = paper.value_map(s, images, columns(case.value for case in its))
    assert [*paper.quantiser(s), *paper.contextual_map(s), *written, *paper.clamps(s, Q(4))] == stored(i, stack.layers)
    for case in its:
        X = [tuple(map(fraction, z)) for z in columns_of(stack.enter(case.L))]
        assert paper.entered(s, case.numbers) == X


# Numbers of the network, and the bits of its sums


def a_layer(places, layer):
    """A runner, and the layer in its unit."""
    runner = Runner(places, None)
    return runner, runner.stored([layer])[0]


def test_each_layer_is_run_on_each_column_and_those_that_are_metered_count():
    """x - 4 relu(x - 1), then x + 2 relu(x + 3): 5 -> -11 -> -11, 1 -> 1 -> 9, -2 -> -2 -> 0."""
    runner = Runner(0, None)
    its = runner.stored([relus("a", [[Q(1)]], [Q(-1)], [[Q(-4)]]), relus("b", [[Q(1)]], [Q(3)], [[Q(2)]])])
    for metered, bits in (({(5,), (1,), (-2,)}, [4, 4]), ({(1,)}, [1, 4]), ({(-2,)}, [1, 2]), (set(), [0, 0])):
        meters = [Meter(), Meter()]
        ends = token_wise(runner, its, [(5,), (1,), (-2,)], metered, meters)
        assert ends == {(5,): (-11,), (1,): (9,), (-2,): (0,)}
        assert [meter.bits for meter in meters] == bits


def test_where_no_relu_is_active_the_bias_is_still_added():
    layer = relus("", [[Q(1)]], [Q(-4)], [[Q(2)]])
    runner, stored = a_layer(0, layer._replace(tensors=layer.tensors | {"b_2": [[Q(7)]]}))
    assert runner.forward(stored, (3,), meter := Meter()) == (10,)
    assert meter.bits == 3  # of 7; 10 is 5 * 2


def test_a_layer_of_which_one_relu_alone_is_active():
    """3 + 2 relu(3 - 1) + 3 relu(3 - 4); and a bias in one row alone."""
    runner, stored = a_layer(0, relus("", [[Q(1)], [Q(1)]], [Q(-1), Q(-4)], [[Q(2)], [Q(3)]]))
    assert runner.forward(stored, (3,), Meter()) == (7,)
    layer = relus("", [[Q(1), Q(0)]], [Q(-4)], [[Q(2), Q(2)]])
    runner, stored = a_layer(0, layer._replace(tensors=layer.tensors | {"b_2": [[Q(7)], [Q(0)]]}))
    assert runner.forward(stored, (3, 5), Meter()) == (10, 5)


def test_how_many_binary_places_there_are():
    """Twice those of epsilon, the quantum, and delta / 4."""
    for epsilon, quantum, bits in ((Q(1, 8), Q(1), 5), (Q(1, 64), Q(1), 7), (Q(1, 8), Q(1, 512), 10)):
        assert places_of(Shape(1, 2, 4, False, epsilon, Q(1)), quantum) == 2 * bits


def test_a_weight_finer_than_the_unit():
    with pytest.raises(ValueError, match=r"finer than 2\^-3"):
        a_layer(3, relus("", [[Q(1), Q(1, 16)]], [Q(0)], [[Q(1), Q(1)]]))


def test_what_is_read_into_a_relu_needs_no_bits_below_0():
    """-5 and b of the column 1: where b <= 0 its sums go into a relu that gives 0; else -5 = 101 in base 2 is a sum."""
    for b, bits in ((-1, 1), (0, 1), (1, 3)):
        runner, stored = a_layer(0, relus("", [[Q(-5)]], [Q(b)], [[Q(1)]]))
        assert runner.forward(stored, (1,), meter := Meter()) == (1,)
        assert meter.bits == bits


def test_the_product_of_the_two_finest_weights_is_held():
    """x + 2^-10 relu(2^-10 x), at 1; one binary place less and there is no such number."""
    layer = relus("", [[Q(1, 2**10)]], [Q(0)], [[Q(1, 2**10)]])
    places = places_of(Shape(1, 2, 2, False, Q(1, 2**10), Q(1)), Q(1, 4))
    runner, stored = a_layer(places, layer)
    assert runner.forward(stored, (2**places,), Meter()) == (2**places + 2 ** (places - 20),)
    short, stored = a_layer(19, layer)
    with pytest.raises(Rejected, match="layer : expected numbers of 19 binary places, found a finer one"):
        short.forward(stored, (2**19,), Meter())
    assert [short.down(k << 19, "") for k in (0, 1, -3)] == [0, 1, -3]


def attention(W_O, W_V, W_K, W_Q, b_Q):
    tensors = {"W_O": W_O, "W_V": W_V, "W_K": W_K, "W_Q": W_Q, "b_Q": b_Q}
    return Layer("attention", "a", {name: [[Q(x) for x in row] for row in X] for name, X in tensors.items()})


HEAD = attention([[1]], [[1]], [[4]], [[1]], [[-1]])


def test_attention_with_hardmax():
    """Scores 4 x_k (x_j - 1) of the columns 1, 1, 3, 0: all tie at x_j = 1; 3 wins for x_j = 3; 0 for x_j = 0."""
    runner, stored = a_layer(8, HEAD)
    one = 1 << 8
    X, gaps, uneven = runner.attend(stored, [(one,), (one,), (3 * one,), (0,)], meter := Meter())
    assert [(one + 5 * one // 4,), (one + 5 * one // 4,), (6 * one,), (0,)] == X
    assert gaps == [16 * one**2, 4 * one**2]  # 24 from 8 at x_j = 3; 0 from -4 at x_j = 0
    assert not uneven
    assert meter.bits == 4  # 1 + 5/4 = 9/4


def test_winners_share_a_value():
    """Of t winners each gives v/t: the sum 1/4 + 1/4 + 1/4 + 1/4 needs two bits, and t = 3 is no power of two."""
    (runner, stored), one = a_layer(8, HEAD), 1 << 8
    assert runner.attend(stored, [(one,)] * 4, meter := Meter()) == ([(2 * one,)] * 4, [], False)
    assert meter.bits == 2
    assert zeros(meter.met) == 6  # of 1/4
    assert runner.attend(stored, [(one,)] * 3, Meter()) == ([(2 * one,)] * 3, [], True)
    even, stored = a_layer(8, HEAD._replace(tensors=HEAD.tensors | {"W_K": [[Q(0)]]}))
    with pytest.raises(Rejected, match="layer a: expected winners that agree, found a tie of others"):
        even.attend(stored, [(one,), (0,), (0,)], Meter())

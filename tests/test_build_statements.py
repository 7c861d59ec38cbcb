"""The checker's reading of targets, and its four statements: at their edges, and against the producer's formulas."""

import json
from copy import deepcopy
from fractions import Fraction as Q
from functools import cache

import pytest
from gmpy2 import mpq

from build_truth import as_checked, built
from verifier.build import float_form, paper_form
from verifier.build import statements as producer
from verifier.build.dtype import FLOAT32
from verifier.build.folder import contents
from verifier.build.plan import build, build_paper
from verifier.build.target import function, table
from verifier.checker.__main__ import main
from verifier.checker.build import check, distance, paper, statements
from verifier.checker.build.distance import Bounds, Outputs
from verifier.checker.build.expression import rows
from verifier.checker.build.form import Shape, relus
from verifier.checker.build.targets import Targets, of_function, read
from verifier.checker.core.comparing import Rejected
from verifier.checker.core.reading import Unreadable
from verifier.core.exact import columns_of
from verifier.papers.yun2020.instance import Instance

S = Shape(1, 2, 2, False, Q(1, 8), Q(1))  # orbits 00, 01, 11; delta = 1/2


def whole(X):
    return [[Q(int(x.numerator), int(x.denominator)) for x in row] for row in X]


# Targets

CORNERS = [[["0", "0"]], [["0", "1/2"]], [["1/2", "1/2"]]]


def a_cert(kind, *targets, quantum="1/4", form="float", **target):
    orbits = [{"matrix": L, "target": A} for L, A in zip(CORNERS, targets, strict=True)]
    return {"form": form, "parameters": {"quantum": quantum}, "orbits": orbits, "target": {"kind": kind} | target}


def halves(text, *targets, **more):
    return a_cert("expression", *([[list(row.split())] for row in targets]), text=text, **more)


EXPRESSION = halves("1/2*x", "1/4 1/4", "1/4 1/2", "1/2 1/2")  # of 1/8 and 3/8, halves up
FUNCTION = {"range": [["0", "1"]], "lipschitz": ["2"]}


@pytest.mark.parametrize(
    ("cert", "plain", "rounded"),
    [
        (
            EXPRESSION,
            [(Q(1, 8),) * 2, (Q(1, 8), Q(3, 8)), (Q(3, 8),) * 2],
            [(Q(1, 4),) * 2, (Q(1, 4), Q(1, 2)), (Q(1, 2),) * 2],
        ),
        (
            halves("-1/2*x", "0 0", "0 -1/4", "-1/4 -1/4"),
            [(Q(-1, 8),) * 2, (Q(-1, 8), Q(-3, 8)), (Q(-3, 8),) * 2],
            [(0, 0), (0, Q(-1, 4)), (Q(-1, 4),) * 2],
        ),
        (
            halves("x-1/3", "-1/3 -1/3", "-1/3 1/6", "1/6 1/6", form="paper"),
            [(Q(-1, 3),) * 2, (Q(-1, 3), Q(1, 6)), (Q(1, 6),) * 2],
            None,
        ),
        (a_cert("table", None, [["3", "-1/4"]], None), [None] * 3, [None, (3, Q(-1, 4)), None]),
        (a_cert("table", None, [["3", "-1/3"]], None, form="paper"), [None] * 3, [None, (3, Q(-1, 3)), None]),
        (a_cert("function", *[[["1", "1"]]] * 3, quantum="1", **FUNCTION), [None] * 3, [(1, 1)] * 3),
    ],
)
def test_targets(cert, plain, rounded):
    made = read(cert, S)
    for found, wanted in ((made.plain, plain), (made.rounded, rounded or plain)):
        assert found == [None if row is None else [(x,) for x in row] for row in wanted]


@pytest.mark.parametrize(
    ("target", "bounds"),
    [
        (FUNCTION, ([(0, 1)], [2], None)),
        ({"range": [["1", "1"]], "lipschitz": ["0"]}, ([(1, 1)], [0], None)),
        (FUNCTION | {"range": None}, None),
        (FUNCTION | {"lipschitz": None}, None),
    ],
)
def test_what_is_known_of_a_function(target, bounds):
    assert read(a_cert("function", *[[["1", "1"]]] * 3, **target), S).bounds == bounds


@pytest.mark.parametrize("lie", [{"range": [["0", "1"], ["1", "0"]]}, {"lipschitz": ["-1", "2"]}])
def test_each_row_of_a_function_has_a_range_and_a_constant(lie):
    right = {"range": [["0", "1"], ["2", "2"]], "lipschitz": ["0", "2"]}
    assert of_function(right, S._replace(d=2)) == ([(0, 1), (2, 2)], [0, 2], None)
    with pytest.raises(Unreadable, match=r"target: a range \[a, b\] and a constant belong there for each row"):
        of_function(right | lie, S._replace(d=2))


ONES = [["1", "1"]]


@pytest.mark.parametrize(
    ("cert", "error", "why"),
    [
        (EXPRESSION | {"target": "x"}, Unreadable, "target.kind: expression, table or function"),
        (EXPRESSION | {"target": {"kind": ["table"]}}, Unreadable, "target.kind: expression, table or function"),
        (a_cert("expression", *[ONES] * 3, text="1", more=1), Unreadable, "target: unknown member"),
        (a_cert("expression", *[ONES] * 3, text=1), Unreadable, "target.text: a text belongs there"),
        (a_cert("expression", *[ONES] * 3, text="1;1"), Unreadable, "target.text: 2 rows, and 1 or 1 are needed"),
        (a_cert("table", *[ONES] * 3, text="1"), Unreadable, "target: unknown member"),
        (a_cert("function", *[ONES] * 3, range=None), Unreadable, "target: member lipschitz is missing"),
        *[
            (a_cert("function", *[ONES] * 3, **FUNCTION | lie), Unreadable, r"target: a range \[a, b\] and a constant")
            for lie in (
                {"range": [["0", "1"]] * 2},
                {"range": [["0", "1", "2"]]},
                {"range": [["1", "0"]]},
                {"lipschitz": ["1", "1"]},
                {"lipschitz": ["-1"]},
            )
        ],
        (a_cert("function", *[ONES] * 3, **FUNCTION | {"lipschitz": "1"}), Unreadable, "target.lipschitz"),
        (
            a_cert("function", ONES, None, ONES, **FUNCTION),
            Rejected,
            r"orbits\[1\].target: expected the value of the f",
        ),
        (EXPRESSION | {"orbits": EXPRESSION["orbits"][:2]}, Rejected, "orbits: expected 3 of them, found 2"),
        (EXPRESSION | {"orbits": EXPRESSION["orbits"][::-1]}, Rejected, r"orbits\[0\].matrix\[0\]\[0\]: expected"),
        (
            halves("1/2*x", "0 0", "1/4 1/2", "1/2 1/2"),
            Rejected,
            r"orbits\[0\].target\[0\]\[0\]: expected \"1/4\", found",
        ),
        (a_cert("expression", ONES, None, ONES, text="1"), Rejected, r"orbits\[1\].target: expected .*1.*, found null"),
        (a_cert("table", None, [["1"]], None), Rejected, "expected a 1 x 2 matrix, found a 1 x 1 one"),
        (a_cert("table", None, [["1", "1"]] * 2, None), Rejected, "expected a 1 x 2 matrix, found a 2 x 2 one"),
        (a_cert("table", None, [["1", "1/8"]], None), Rejected, r"orbits\[1\].target: expected multiples of 1/4"),
        *[
            (a_cert("table", *[ONES] * 3, quantum=q), Rejected, r"parameters.quantum: expected 2\^-b")
            for q in ("2", "3/4", "1/3")
        ],
    ],
)
def test_targets_that_are_refused(cert, error, why):
    with pytest.raises(error, match=why):
        read(cert, S)


# What was run, of networks of the form `float`


def ran_of(b, folder):
    """The certificate, and what the checker has run when it comes to the statements."""
    met = []
    for name, data in contents(b).items():
        (folder / name).write_bytes(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(statements, "statements", lambda *its: met.append(its))
        check.check(json.loads((folder / "certificate.json").read_text()), str(folder / "certificate.json"), 1)
    return met[0]


def equal_columns(n):
    """A target for 0, ..., 0 alone."""
    return table({((mpq(0),) * n,): ((mpq(5),) * n,)})


RUNS = {
    "lost and excepted orbits": lambda: built((1, 3, 2), "x * mean(x) - 3 + 1/3", dtype=FLOAT32),
    "positions": lambda: built((1, 2, 2), "x[1,2] - 1/3 * x", positional=True),
    "without a gap": lambda: build(Instance(1, 2, 2), equal_columns(2)),
    "all excepted": lambda: build(Instance(1, 3, 2), equal_columns(3)),
    "a function": lambda: build(Instance(1, 2, 2), function(lambda X: X, 1, 2, within=(0, 1), lipschitz=1)),
}


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """ran("positions"): the certificate, to be changed at will, and what was run."""
    made = cache(lambda name: ran_of(RUNS[name](), tmp_path_factory.mktemp("net")))
    return lambda name: (deepcopy(made(name)[0]), made(name)[1])


@pytest.mark.parametrize("name", RUNS)
def test_the_statements_follow(name, ran):
    statements.statements(*ran(name))


def test_what_the_runs_are_for(ran):
    cert, its = ran("lost and excepted orbits")
    assert cert["float"]["except"] == sorted(its.swept.uneven & its.kept) == [0, 3]
    assert cert["exact"]["lost"] == 1
    assert ran("without a gap")[0]["float"]["gap"] is None
    cert, its = ran("all excepted")
    assert its.kept == its.swept.uneven & its.kept
    assert set(cert["float"]["bits"][4:]) == {0}
    cert, its = ran("a function")
    assert its.targets.bounds.terms is None
    assert cert["distance"]["measured"]["cells"] == 4


def test_softmax_changes_less_than_an_eighth_of_a_cell(ran, monkeypatch):
    cert, its = ran("positions")
    for bound, accepted in ((Q(1, 16) - Q(1, 10**9), True), (Q(1, 16), False)):
        monkeypatch.setattr(distance, "softmax", lambda _, bound=bound: (7, bound))
        monkeypatch.setattr(statements, "distance", lambda cert, *_: cert["distance"])
        cert["softmax"] = {"K": 7, "bound": str(bound)}
        if accepted:
            statements.statements(cert, its)
        else:
            with pytest.raises(Rejected, match=r"softmax\.bound: expected less than delta/8 = 1/16, found 1/16"):
                statements.statements(cert, its)


def test_an_output_that_is_not_the_target(ran):
    cert, its = ran("lost and excepted orbits")
    its.out[0][0] = (its.out[0][0][0] + 1,)
    with pytest.raises(Rejected, match="orbit 0, the output by columns"):
        statements.exact(cert, its)
    its.out[0][0] = (its.out[0][0][0] - 1,)
    assert statements.exact(cert, its) == Q(3, 8)
    without = its._replace(targets=its.targets._replace(rounded=[None, *its.targets.rounded[1:]]))
    with pytest.raises(Rejected, match="orbit 0, the output by columns"):
        statements.exact(cert, without)


def in_format(cert, its, **changes):
    """The same network in another format, of which the certificate says the right thing."""
    dtype = its.dtype._replace(**changes)
    cert["float"] |= {"p": dtype.p, "underflow": dtype.underflow, "assumed": statements.assumed(dtype)}
    statements.floats(cert, its._replace(dtype=dtype))


@pytest.mark.parametrize("name", ["lost and excepted orbits", "positions"])
def test_a_format_that_is_just_large_enough(name, ran):
    cert, its = ran(name)
    said = cert["float"]
    needed, (least, most), gap = said["needed"], said["exponents"], int(said["gap"])
    in_format(cert, its, p=needed, least=least, most=most, underflow=gap)
    for lie, why in (
        ({"p": needed - 1}, f"sums of at most {needed - 1} bits, as .* has, found {needed} bits"),
        ({"least": least + 1}, r"float.exponents: expected within"),
        ({"most": most - 1}, r"float.exponents: expected within"),
        ({"underflow": gap + 1}, f"float.gap: expected at least {gap + 1}, found {gap}"),
    ):
        with pytest.raises(Rejected, match=why):
            in_format(*ran(name), **lie)


def test_the_layer_whose_bits_are_others_is_named(ran):
    cert, its = ran("positions")
    cert["float"]["bits"][5] += 1
    with pytest.raises(Rejected, match=r"float.bits\[5\] \(layer sweep.0\): expected"):
        statements.floats(cert, its)


def test_null_is_null_alone():
    statements.same({"a": None, "b": [1]}, {"a": None, "b": [1]}, "here", "rule")
    for wanted, found in (
        ({"a": None}, {"a": 1}),
        ({"a": 1}, {"a": None}),
        ({"a": [1]}, {"a": [2]}),
        ({"a": 1}, {"b": 1}),
    ):
        with pytest.raises(Rejected, match="rule: here"):
            statements.same(wanted, found, "here", "rule")


# The distance


@pytest.mark.parametrize(
    ("rounding", "error"),
    [
        (["1/8", "0"], None),
        (["1/8", "9/64"], Rejected),
        (["-1/8", "0"], Rejected),
        (["0"], Rejected),
        (["0"] * 3, Rejected),
        (None, Unreadable),
        ("0", Unreadable),
    ],
)
def test_the_rounding_of_a_function_is_at_most_half_a_quantum(rounding, error, ran):
    _, its = ran("without a gap")
    its = its._replace(s=its.s._replace(d=2))
    cert = {"parameters": {"quantum": "1/4"}, "distance": {"rounding": rounding}}
    if error is None:
        assert statements.roundings(cert, its, given=True) == list(map(Q, rounding))
    else:
        with pytest.raises(error, match=r"distance\.rounding"):
            statements.roundings(cert, its, given=True)


MEASURED = {"cells": 4, "points": 64, "sup_kept": "1", "d_1": "1/2", "d_2_squared": "1/3"}
PROVED = {"sup_kept": "1", "d_1": "1", "d_2_squared": "1"}


def test_what_was_measured_of_a_function_is_possible():
    """S has 4 cells, and 8 x 8 points; no error is larger than what is proved."""

    def said(changes, s=S):
        return statements.as_measured({"distance": PROVED | {"measured": changes and MEASURED | changes}}, s)

    assert said({"d_1": "1", "sup_kept": "0"}) == MEASURED | {"d_1": "1", "sup_kept": "0"}
    assert said({"d_1": "1"}, S._replace(N=4)) == MEASURED | {"d_1": "1", "cells": 16, "points": 256}
    assert said({"cells": 9, "points": 0}) == MEASURED  # with which the certificate is compared
    for lie in ({"cells": "4"}, {"d_1": 1}, {"more": 1}):
        with pytest.raises(Unreadable, match=r"distance\.measured"):
            said(lie)
    for lie in ({"d_1": "-5"}, {"d_1": "9/8"}, {"sup_kept": "9/8"}, {"sup_kept": "-1"}, {"d_2_squared": "9/8"}):
        with pytest.raises(Rejected, match=rf"measured\.{next(iter(lie))}: expected from 0 to \"1\", which is proved"):
            said(lie)
    for nothing in (None, {}, {"measured": None}):
        with pytest.raises(Rejected, match=r"distance\.measured: expected \"what was measured\", found null"):
            statements.as_measured({"distance": nothing}, S)
    large = S._replace(N=256)
    assert distance.fineness(large) is None
    assert said(None, large) is None
    with pytest.raises(Rejected, match=r"distance\.measured: expected null"):
        said({"d_1": "1"}, large)


def agreed(values, L="2", within=("0", "1"), slack="0"):
    """Of the orbits 00, 01, 11 at (1, 2, 2): the values of both columns, rounded by as much as `slack`."""
    bounds = Bounds([tuple(map(Q, within))], [Q(L)], None)
    rounded = [[(Q(x),) for x in row.split()] for row in values]
    statements.agree(S, bounds, Targets(rounded, [], bounds), [[Q(slack)]] * 3)


def test_a_functions_values_keep_its_range_and_its_constant():
    agreed(["0 0", "0 1", "1 1"])  # 1 apart, at a distance of 1/2
    agreed(["0 0", "0 1", "1 1"], L="1", slack="1/4")
    agreed(["0 0", "0 1", "1 1"], within=("1/8", "7/8"), slack="1/8")
    agreed(["3 3", "3 3", "3 3"], L="0", within=("3", "3"))
    for lie, why in (
        ({"L": "0"}, r"target\.lipschitz\[0\]: .*, found 0: in orbits 0 and 1, 1/2 apart, values are 1 apart"),
        ({"L": "7/4"}, "found 7/4: in orbits 0 and 1"),
        ({"L": "1", "slack": "1/5"}, "found 1: in orbits 0 and 1"),
        ({"within": ("-9", "-8")}, r"orbits\[0\]\.target: expected values from -9 to -8, the range, up to 0, found 0"),
        ({"within": ("0", "7/8"), "slack": "1/9"}, r"orbits\[1\]\.target: expected values from 0 to 7/8"),
        ({"within": ("1/8", "1"), "slack": "1/9"}, r"orbits\[0\]\.target: expected values from 1/8 to 1"),
    ):
        with pytest.raises(Rejected, match=why):
            agreed(["0 0", "0 1", "1 1"], **lie)


def test_a_distance_in_two_rows():
    """The identity: entries are as far apart as those of the matrices, in both rows."""
    s = S._replace(d=2)
    bounds = Bounds([(Q(0), Q(1))] * 2, [Q(1)] * 2, None)
    identity = [[s.column(k) for k in numbers] for numbers in s.numbered()]
    statements.agree(s, bounds, Targets(identity, [], bounds), [[Q(0)] * 2] * s.cases)
    turned = [[z[::-1] for z in X] for X in identity]
    statements.agree(s, bounds, Targets(turned, [], bounds), [[Q(0)] * 2] * s.cases)
    less = bounds._replace(lipschitz=[Q(1), Q(7, 8)])
    with pytest.raises(Rejected, match=r"target\.lipschitz\[1\]: "):
        statements.agree(s, less, Targets(identity, [], bounds), [[Q(0)] * 2] * s.cases)


def test_how_much_values_of_a_function_may_have_been_rounded(tmp_path, monkeypatch):
    """As is said, in kept orbits; else by half a quantum."""
    f = function(lambda X: [[x * sum(row) / 3 for x in row] for row in X], 1, 3, within=(0, 1), lipschitz=2)
    cert, ran = ran_of(build(Instance(1, 3, 2), f), tmp_path)
    met = []
    monkeypatch.setattr(statements, "agree", lambda *its: met.append(its[3]))
    statements.statements(cert, ran)
    rounding, half = [Q(x) for x in cert["distance"]["rounding"]], [Q(cert["parameters"]["quantum"]) / 2]
    assert ran.kept
    assert ran.kept != set(range(ran.s.cases))
    assert rounding != half
    assert met == [[rounding if k in ran.kept else half for k in range(ran.s.cases)]]


@pytest.mark.parametrize("make", [build, build_paper])
@pytest.mark.parametrize(
    ("lie", "why"),
    [
        ({"lipschitz": 0}, r"target\.lipschitz\[0\]: expected a constant that the values keep"),
        ({"within": (-9, -8)}, r"orbits\[\d\]\.target: expected values from -9 to -8"),
    ],
)
def test_a_function_about_which_its_giver_is_wrong(make, lie, why, tmp_path):
    """The whole certificate says it, and follows from it."""
    told = {"within": (0, 1), "lipschitz": 1} | lie
    b = make(Instance(1, 2, 2), function(lambda X: X, 1, 2, **told))
    for name, data in contents(b).items():
        (tmp_path / name).write_bytes(data)
    path = tmp_path / "certificate.json"
    with pytest.raises(Rejected, match=why):
        check.check(json.loads(path.read_text()), str(path), 1)


def test_a_function_is_checked_as_far_as_it_can_be(tmp_path, capsys):
    b = build(Instance(1, 2, 2), function(lambda X: X, 1, 2, within=(0, 1), lipschitz=1))
    for name, data in contents(b).items():
        (tmp_path / name).write_bytes(data)
    assert main([str(tmp_path / "certificate.json")]) == 5
    assert "checked as far as it can be: " in capsys.readouterr().out


@pytest.mark.parametrize("parts", [(1, 2, 2), (2, 2, 2), (1, 3, 4), (2, 3, 2)])
@pytest.mark.parametrize("positional", [False, True])
def test_both_have_one_bound_for_softmax(parts, positional):
    i = Instance(*parts)
    for rate in (1, 3, 57, 2**11):
        ours, theirs = (
            Shape(*parts, positional, Q(1, 8), Q(rate)),
            float_form.Shape(i, positional, mpq(1, 8), mpq(rate)),
        )
        K = producer.softmax_bits(theirs)
        assert distance.softmax(ours) == (K, producer.softmax_bound(theirs, K))


@pytest.mark.parametrize(
    ("parts", "R"), [((1, 2, 2), 4), ((1, 4, 4), 4), ((1, 4, 5), 2), ((2, 2, 8), 2), ((1, 8, 2), 2), ((1, 9, 2), None)]
)
def test_how_finely_is_measured(parts, R):
    """R = 4 or 2, with (N R)^(dn) <= 65536 = 16^4 = 4^8."""
    assert distance.fineness(Shape(*parts, False, Q(1, 8), Q(1))) == R
    assert producer.fineness(Instance(*parts)) == R


@pytest.mark.parametrize("positional", [False, True])
def test_every_point_is_there_once_with_its_permutations(positional):
    s = Shape(2, 2, 2, positional, Q(1, 8), Q(1))
    made = list(distance.points(s, [Q(0), Q(1, 4)]))
    assert sum(many for _, _, many in made) == (2 * 2) ** 4
    assert len({str(X) for _, X, _ in made}) == len(made) == (256 if positional else 16 * 17 // 2)
    for cell, X, many in made:
        corner = [[x - x % Q(1, 2) for x in row] for row in X]
        assert corner == s.corner(cell)
        assert many == (1 if positional or [row[0] for row in X] == [row[1] for row in X] else 2)


def test_the_distance_of_a_line_from_0():
    """f = x - 1 on [0, 1), the network is 0: |x - 1| is 1 at most, 1/2 on average."""
    s, terms = Shape(1, 2, 2, True, Q(1, 8), Q(1)), rows("x - 1", 1, 2, positional=True)
    out = Outputs([[(Q(0),), (Q(0),)]] * 4, {1, 3}, [Q(1, 16)])
    assert distance.measured(s, terms, out) == {
        "cells": 4,
        "points": 64,
        "sup_kept": "1",
        "d_1": "1",
        "d_2_squared": str(2 * sum(Q(2 * k + 1, 16) ** 2 for k in range(8)) / 8),
    }
    assert distance.measured(s, terms, out._replace(kept={3}))["sup_kept"] == "1/2"
    assert distance.measured(s._replace(n=9), terms, out) is None


def test_the_bounds_of_the_distance():
    """E_i = L_i r + rounding_i + bound; D_i = max(b_i - low_i, high_i - a_i, E_i), which is each of the three once."""
    s, rounding = Shape(3, 2, 2, True, Q(1, 8), Q(1)), [Q(1, 16), Q(0), Q(1, 8)]
    ranges, L = [(Q(-1), Q(0)), (Q(1), Q(2)), (Q(0), Q(0))], [Q(1), Q(2), Q(0)]
    share, low, high = Q(1, 2) * Q(3, 4) ** 6, [Q(-2), Q(1), Q(0)], [Q(1, 2), Q(5), Q(0)]
    E, D = [Q(11, 32), Q(17, 32), Q(5, 32)], [Q(2), Q(4), Q(5, 32)]
    assert distance.distance(
        s, Bounds(ranges, L, None), low, high, Q(1, 2), Outputs([], set(), rounding), reach=Q(1, 4), bound=Q(1, 32)
    ) == {
        "lipschitz": ["1", "2", "0"],
        "rounding": ["1/16", "0", "1/8"],
        "share": str(share),
        "sup_kept": "17/32",
        "sup": "4",
        "d_1": str(2 * sum(share * e + (1 - share) * x for e, x in zip(E, D, strict=True))),
        "d_2_squared": str(2 * sum(share * e**2 + (1 - share) * x**2 for e, x in zip(E, D, strict=True))),
    }


# The form `paper`


def test_a_network_is_run_as_its_layers_stand():
    """On points of cells and of strips, with ties and without, against the producer's layers."""
    for b in (
        built((1, 3, 2), "x - mean(x)", make=build_paper),
        built((2, 2, 2), "x - 2; x * x[1] + 1", dtype=FLOAT32),
        built((1, 2, 2), "x[1,2] - x", make=build_paper, positional=True),
    ):
        layers = as_checked(b.stack)
        for a, step in ((0, 0), (1, 5), (12, 0), (7, 9), (8, 8), (15, 3)):  # where the step is 0 all columns tie
            row = [mpq((a + step * j) % 16, 16) for j in range(b.instance.n)]
            X = b.stack.enter((tuple(row),) * b.instance.d)
            ours = [tuple(z) for z in zip(*whole(X), strict=True)]
            for named, layer in zip(b.stack.layers, layers, strict=True):
                X, ours = named.layer.apply(X), paper.run([layer], ours)
                assert ours == list(columns_of(X))


def test_a_bias_is_added_where_no_node_is_active():
    """x + 2 relu(x - 1) + 5."""
    layer = relus("", [[Q(1)]], [Q(-1)], [[Q(2)]])
    layer = layer._replace(tensors=layer.tensors | {"b_2": [[Q(5)]]})
    assert paper.run([layer], [(Q(0),), (Q(1),), (Q(2),)]) == [(5,), (6,), (9,)]


def test_the_largest_entry_of_a_target():
    column, zero = [(Q(-3),), (Q(2),)], [(Q(0),)] * 2
    for rounded, F in (([column, None], 3), ([[(Q(2),)], None], 2), ([zero], 1), ([None], 1)):
        assert paper.bound_of(Targets(rounded, [], None)) == F


def test_softmax_in_the_form_paper():
    """error / lambda < delta/4, K is null, and F d N^d + delta is at most the least key."""
    error = paper.softmax_bound(S)
    s = S._replace(rate=8 * error + 1)

    def said(s, K=None, F=Q(3), least=Q(13, 2), more=0, asked=(1,)):
        images = [[(Q(0),)], [(least,), (Q(7),)]]
        cert = {"softmax": {"K": K, "bound": str(paper.softmax_bound(s) + more)}}
        paper.softmax(cert, s, images, list(asked), F)

    said(s)  # 3 * 2 + 1/2 = 13/2
    said(s, F=Q(99), asked=())
    for lie, why in (
        ({"K": 1}, "softmax.K: expected null, found 1"),
        ({"more": 1}, "softmax.bound: expected"),
        ({"s": s._replace(rate=8 * error)}, "softmax.bound: expected less than delta/4 = 1/8, found 1/8"),
        ({"F": Q(4)}, r"parameters.high: expected F with F d N\^d \+ delta <= 13/2, the least key, found 4"),
        ({"least": Q(32, 5)}, "parameters.high: .* <= 32/5, the least key, found 3"),
    ):
        with pytest.raises(Rejected, match=why):
            said(**{"s": s} | lie)


@pytest.mark.parametrize("parts", [(1, 2, 2), (2, 2, 2), (1, 3, 4)])
@pytest.mark.parametrize("positional", [False, True])
def test_both_have_one_bound_in_the_form_paper(parts, positional):
    s = Shape(*parts, positional, Q(1, 8), Q(5, 3))
    assert paper.softmax_bound(s) == paper_form.softmax_bound(Instance(*parts), positional, mpq(5, 3))


def test_which_orbits_are_kept_in_the_form_paper():
    """00 and 11 as it comes; 01 must be."""
    one, other = [(Q(1),), (Q(1),)], [(Q(2),), (Q(2),)]
    targets = Targets([one, one, None], [], None)

    def said(out, kept, lost_share="3/4", s=S, targets=targets):
        many = len(kept)
        share = {"orbits": many, "kept": sum(kept), "lost": many - sum(kept), "lost_share": lost_share}
        return paper.exact({"orbits": [{"kept": k} for k in kept], "exact": share}, s, out, targets)

    assert said([one, one, one], [True, True, False], "1/4") == ({0, 1}, Q(1, 4))
    assert said([other, one, one], [False, True, False], "1/2") == ({1}, Q(1, 2))
    with pytest.raises(Rejected, match=r"orbits\[1\].kept"):
        said([other, one, one], [False, False, False])
    with pytest.raises(Rejected, match=r'orbit 1, the output .* expected \[\["1"\], \["1"\]\], found \[\["2"\]'):
        said([one, other, one], [True, False, False])
    three = {"s": S._replace(n=3), "targets": Targets([one, *[None] * 3], [], None)}  # 000, 001, 011, 111: 8 cells
    assert said([one] * 4, [True, False, False, False], "7/8", **three) == ({0}, Q(7, 8))
    with pytest.raises(Rejected, match="lost_share"):
        said([one, one, one], [True, True, False], "1/2")

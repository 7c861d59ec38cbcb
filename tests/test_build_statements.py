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
from verifier.build.layer import run
from verifier.build.plan import build_paper
from verifier.build.sizes import Sizes
from verifier.checker.build import check, distance, paper, statements
from verifier.checker.build.distance import Outputs
from verifier.checker.build.form import Shape, relus
from verifier.checker.build.target import Bounds, Target
from verifier.checker.build.targets import Targets, read
from verifier.checker.core.comparing import Rejected
from verifier.checker.core.reading import Unreadable
from verifier.core.exact import columns_of

S = Shape(1, 2, 2, False, Q(1, 8), Q(1))  # orbits 00, 01, 11; delta = 1/2


def whole(X):
    return [[Q(int(x.numerator), int(x.denominator)) for x in row] for row in X]


# Targets

CORNERS = [[["0", "0"]], [["0", "1/2"]], [["1/2", "1/2"]]]


def a_cert(text, *targets, quantum="1/4", form="float"):
    orbits = [{"matrix": L, "target": [row.split()]} for L, row in zip(CORNERS, targets, strict=True)]
    return {"form": form, "parameters": {"quantum": quantum}, "orbits": orbits, "target": text}


HALF = a_cert("f(j) = X[j] / 2", "1/4 1/4", "1/4 1/2", "1/2 1/2")  # of 1/8 and 3/8, halves up


@pytest.mark.parametrize(
    ("cert", "plain", "rounded"),
    [
        (
            HALF,
            [(Q(1, 8),) * 2, (Q(1, 8), Q(3, 8)), (Q(3, 8),) * 2],
            [(Q(1, 4),) * 2, (Q(1, 4), Q(1, 2)), (Q(1, 2),) * 2],
        ),
        (
            a_cert("f(j) = -X[j] / 2", "0 0", "0 -1/4", "-1/4 -1/4"),
            [(Q(-1, 8),) * 2, (Q(-1, 8), Q(-3, 8)), (Q(-3, 8),) * 2],
            [(0, 0), (0, Q(-1, 4)), (Q(-1, 4),) * 2],
        ),
        (
            a_cert("f(j) = [X[j][1] - 1/3]", "-1/3 -1/3", "-1/3 1/6", "1/6 1/6", form="paper"),
            [(Q(-1, 3),) * 2, (Q(-1, 3), Q(1, 6)), (Q(1, 6),) * 2],
            None,
        ),
    ],
)
def test_targets(cert, plain, rounded):
    made = read(cert, S, 1)
    for found, wanted in ((made.plain, plain), (made.rounded, rounded or plain)):
        assert found == [[(x,) for x in row] for row in wanted]


@pytest.mark.parametrize(
    ("cert", "error", "why"),
    [
        (HALF | {"target": {"kind": "table"}}, Unreadable, "target: a text belongs there"),
        (HALF | {"target": "f(j) = X[1]"}, Unreadable, "target, in its page: line 4, column 8: X stands at no place"),
        (HALF | {"target": "f(j) = [1, 1]"}, Unreadable, "is no list of 1 numbers"),
        (HALF | {"orbits": HALF["orbits"][:2]}, Rejected, "orbits: expected 3 of them, found 2"),
        (HALF | {"orbits": HALF["orbits"][::-1]}, Rejected, r"orbits\[0\].matrix\[0\]\[0\]: expected"),
        (
            a_cert("f(j) = X[j] / 2", "0 0", "1/4 1/2", "1/2 1/2"),
            Rejected,
            r"orbits\[0\].target\[0\]\[0\]: expected \"1/4\", found",
        ),
        *[
            (HALF | {"parameters": {"quantum": q}}, Rejected, r"parameters.quantum: expected 2\^-b")
            for q in ("2", "3/4", "1/3")
        ],
    ],
)
def test_targets_that_are_refused(cert, error, why):
    with pytest.raises(error, match=why):
        read(cert, S, 1)


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


RUNS = {
    "lost and excepted orbits": lambda: built((1, 3, 2), "f(j) = [X[j][1] * sum(X)[1] / n - 3 + 1/3]", dtype=FLOAT32),
    "positions": lambda: built((1, 2, 2), "f(j) = [X[2][1] - X[j][1] / 3]", positional=True),
    "no distance": lambda: built((1, 2, 2), "f(j) = [1 if X[j][1] > 1/2 else 0]"),
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
    assert ran("no distance")[0]["distance"] is None


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


@pytest.mark.parametrize("parts", [(1, 2, 2), (2, 2, 2), (1, 3, 4), (2, 3, 2)])
@pytest.mark.parametrize("positional", [False, True])
def test_both_have_one_bound_for_softmax(parts, positional):
    i = Sizes(*parts)
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
    assert producer.fineness(Sizes(*parts)) == R


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
    s, f = Shape(1, 2, 2, True, Q(1, 8), Q(1)), Target("f(j) = [X[j][1] - 1]", 1, 2, 2, positional=True)
    out = Outputs([[(Q(0),), (Q(0),)]] * 4, {1, 3}, [Q(1, 16)])
    assert distance.measured(s, f, out) == {
        "cells": 4,
        "points": 64,
        "sup_kept": "1",
        "d_1": "1",
        "d_2_squared": str(2 * sum(Q(2 * k + 1, 16) ** 2 for k in range(8)) / 8),
    }
    assert distance.measured(s, f, out._replace(kept={3}))["sup_kept"] == "1/2"
    assert distance.measured(s._replace(n=9), f, out) is None


def test_the_bounds_of_the_distance():
    """E_i = L_i r + rounding_i + bound; D_i = max(b_i - low_i, high_i - a_i, E_i), which is each of the three once."""
    s, rounding = Shape(3, 2, 2, True, Q(1, 8), Q(1)), [Q(1, 16), Q(0), Q(1, 8)]
    ranges, L = [(Q(-1), Q(0)), (Q(1), Q(2)), (Q(0), Q(0))], [Q(1), Q(2), Q(0)]
    share, low, high = Q(1, 2) * Q(3, 4) ** 6, [Q(-2), Q(1), Q(0)], [Q(1, 2), Q(5), Q(0)]
    E, D = [Q(11, 32), Q(17, 32), Q(5, 32)], [Q(2), Q(4), Q(5, 32)]
    assert distance.distance(
        s, Bounds(ranges, L), low, high, Q(1, 2), Outputs([], set(), rounding), reach=Q(1, 4), bound=Q(1, 32)
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
        built((1, 3, 2), "f(j) = X[j] - sum(X) / n", make=build_paper),
        built((2, 2, 2), "f(j) = [X[j][1] - 2, X[j][2] * X[j][1] + 1]", dtype=FLOAT32),
        built((1, 2, 2), "f(j) = X[2] - X[j]", make=build_paper, positional=True),
    ):
        layers = as_checked(b.stack)
        for a, step in ((0, 0), (1, 5), (12, 0), (7, 9), (8, 8), (15, 3)):  # where the step is 0 all columns tie
            row = [mpq((a + step * j) % 16, 16) for j in range(b.instance.n)]
            X = b.stack.enter((tuple(row),) * b.instance.d)
            ours = [tuple(z) for z in zip(*whole(X), strict=True)]
            for named, layer in zip(b.stack.layers, layers, strict=True):
                X, ours = run(named.layer, X), paper.run([paper.as_run(layer)], ours)
                assert ours == list(columns_of(X))


def test_a_bias_is_added_where_no_node_is_active():
    """x + 2 relu(x - 1) + 5."""
    layer = relus("", [[Q(1)]], [Q(-1)], [[Q(2)]])
    layer = layer._replace(tensors=layer.tensors | {"b_2": [[Q(5)]]})
    assert paper.run([paper.as_run(layer)], [(Q(0),), (Q(1),), (Q(2),)]) == [(5,), (6,), (9,)]


def test_the_largest_entry_of_a_target():
    column, zero = [(Q(-3),), (Q(2),)], [(Q(0),)] * 2
    for rounded, F in (([column, zero], 3), ([[(Q(2),)], zero], 2), ([zero], 1)):
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
    assert paper.softmax_bound(s) == paper_form.softmax_bound(Sizes(*parts), positional, mpq(5, 3))


def test_which_orbits_are_kept_in_the_form_paper():
    """00 and 11 as it comes; 01 must be."""
    one, other = [(Q(1),), (Q(1),)], [(Q(2),), (Q(2),)]
    targets = Targets([one, one, other], [], None)

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
    three = {"s": S._replace(n=3), "targets": Targets([one, *[other] * 3], [], None)}  # 000, 001, 011, 111: 8 cells
    assert said([one] * 4, [True, False, False, False], "7/8", **three) == ({0}, Q(7, 8))
    with pytest.raises(Rejected, match="lost_share"):
        said([one, one, one], [True, True, False], "1/2")

"""The checker's own reading of FORMAT 11, claims with cases of their own: by hand, forged, limited, alone."""

import json
import subprocess
import sys
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.catalogue import choose
from verifier.certificate import canonical, certify
from verifier.checker.__main__ import main
from verifier.checker.core import frame, reading
from verifier.checker.core.ledger import Made
from verifier.checker.core.share import Options
from verifier.checker.papers.yun2020 import alternatives, distance_zero, everywhere, own, pieces, positional, sizes
from verifier.checker.papers.yun2020.model import paper, sweep
from verifier.checker.papers.yun2020.paper import PAPER, Lemma6, check
from verifier.checker.papers.yun2020.statements import EXCLUDED, IDS, OF_THE_PAPER, STATEMENTS
from verifier.core.exact import Q
from verifier.papers.yun2020.contextual_map import contextual_map
from verifier.papers.yun2020.instance import Instance
from verifier.run.verify import verify

ROOT = Path(__file__).parent.parent
HOLDS, REJECTED, UNREADABLE, OVER_LIMIT, PARTIAL = 0, 1, 2, 4, 5
CLAIMS = [claim for claim in IDS if claim in own.OWN]
SMALL = [(1, 2, 2), (1, 2, 3), (1, 3, 3), (2, 2, 2), (1, 3, 2)]


def entries(parts, claims=CLAIMS):
    m = paper(*parts)
    ledgers = own.ledgers(claims, m)
    model = Lemma6(m, claims, Options())
    return {claim: frame._entry(PAPER, model, claim, frame.Part(ledgers, m.sizes())) for claim in claims}


def certificate(parts, claims=CLAIMS, **exchanged):
    """A certificate of grid.order, and of these claims as the checker derives them (of a variant: skipped)."""
    document = json.loads(certify(verify(contextual_map(Instance(*parts), **exchanged), choose(["grid.order"]))))
    why = "checked of the paper's own construction only"
    skipped = {"verdict": "skipped", "cases": 0, "why": why}
    for claim in claims:
        of_a_variant = {"id": claim, "statement": STATEMENTS[claim]} | skipped
        document["claims"].append(of_a_variant if exchanged else entries(parts, [claim])[claim])
    document["not_covered"] += [f"{c['id']}: {c['why']}" for c in document["claims"] if "why" in c]
    verdicts = [c["verdict"] for c in document["claims"] if c["id"] not in EXCLUDED]
    document["verdict"] = "refuted" if "refuted" in verdicts else "incomplete" if "skipped" in verdicts else "holds"
    return document


@pytest.fixture
def judge(tmp_path, capsys):
    def run(document, *options):
        path = tmp_path / "c.json"
        path.write_bytes(canonical(document))
        code = main([*options, str(path)])
        said = capsys.readouterr()
        return code, said.out + said.err

    return run


# The statements


def test_the_statements_are_those_of_the_contract_in_its_order():
    stands = []
    for part in (ROOT / "proofs/format/yun2020.md").read_text().split("## 11.")[1].split("\n### `")[1:]:
        claim, text = part.split("`\n\n> ", 1)
        stands.append((claim, text.split("\n")[0].replace("\\_", "_")))  # Markdown's escape
    assert [(claim, STATEMENTS[claim]) for claim in OF_THE_PAPER] == stands
    assert len(stands) == 56


# By hand


def test_two_tokens_that_meet_a_level_twice():
    """d = 1, n = 2, N = 2: 1/2 and 1, in halves 1 and 2. Level 1 lifts the first to 1 + 2, level 2 the second to
    2 + 2, and level 3 is the first's again: 3 + 2."""
    m = paper(1, 2, 2)
    levels = frozenset(range(4))
    assert sweep([1, 2], levels, m.B) == ([5, 4], [(1, [1], [3, 2]), (2, [2], [3, 4]), (3, [1], [5, 4])])
    found = entries((1, 2, 2), ["c.order", "hu.order"])
    for its in found.values():
        assert its["verdict"] == "refuted"
        evidence = {"relation": "number of shifts = n", "value": "3", "bound": "2", "matrix": [["1/2", "1"]]}
        assert its["counterexample"] == evidence | {"failing": 1}


@pytest.mark.parametrize("parts", [*SMALL, (2, 2, 3), (1, 2, 9)])
def test_the_sweep_is_that_of_plain_loops_over_all_levels_and_literal_heads(parts):
    m = paper(*parts)
    every = [positional.start(m, j) + k for j in range(1, m.n + 1) for k in range(m.B)]
    for wide in (False, True):
        choices = [[m.identity(c) for c in positional.columns(m, j, wide)] for j in range(1, m.n + 1)]
        for ids in list(product(*choices))[:: 1 if m.column_count < 9 else 7]:
            x = list(ids)
            for level in sorted(every):
                low, high = (alternatives.literal_head(x, twice) for twice in (2 * level - 1, 2 * level + 1))
                x = [v + m.B * (a - b) for v, a, b in zip(x, low, high, strict=True)]
            assert sweep(ids, frozenset(every), m.B)[0] == x
            factor = positional.factor(m)
            shifted = [v + factor * a for v, a in zip(x, alternatives.literal_head(x, 0), strict=True)]
            assert positional.last(m, x) == shifted


@pytest.mark.parametrize("parts", [(1, 2, 2), (1, 2, 3), (1, 3, 2), (2, 2, 2)])
def test_the_idle_layers_of_the_small_sentinel_change_nothing(parts):
    m = paper(*parts)
    half, ids = alternatives.finer(m), list(map(m.identity, alternatives.small_columns(m)))
    for orbit in alternatives.others(m):
        x = [ids[c] for c in orbit]
        for level in range(m.B):
            low, high = (alternatives.literal_head(x, half * edge) for edge in (2 * level - 1, 2 * level + 1))
            x = [v + m.B * (a - b) for v, a, b in zip(x, low, high, strict=True)]
        x = [v + m.global_factor * a for v, a in zip(x, alternatives.literal_head(x, 0), strict=True)]
        assert alternatives.literal_run(m, [ids[c] for c in orbit], half) == x


@given(data=st.data())
def test_windows_are_looked_up_where_layers_are_run_one_after_the_other_in_fractions(data):
    """Windows that overlap, lie before others, or are left by what a layer writes; corners, ramps and strips."""
    m = paper(*data.draw(st.sampled_from([(1, 2, 2), (2, 2, 2), (1, 2, 3), (2, 2, 3)])))
    entries, half = st.lists(st.integers(-9, 9), min_size=m.d, max_size=m.d), Fraction(1, 2 * m.N)
    row, start = data.draw(st.integers(-1, m.d - 1)), data.draw(entries)
    near = start[row] if row >= 0 else m.identity(start)
    shifts = [near - away for away in data.draw(st.lists(st.integers(-7, 9), min_size=2, max_size=6))]
    changes = [data.draw(entries) for _ in shifts]
    breaks, lines = data.draw(st.sampled_from([((-half, half), (0, 1, 0)), ((0, 2 * half), (0, -1, 0))]))
    flat = [(Fraction(int(a == -1)) * a, Fraction(int(a == 1))) for a in lines]
    phi = pieces.approximated(pieces.Piecewise(tuple(map(Fraction, breaks)), tuple(flat)), half / 2)
    x = [Fraction(v, 8 * m.N) for v in start]
    for shift, change in zip(shifts, changes, strict=True):
        z = (x[row] if row >= 0 else m.identity(x)) - Fraction(shift, 8 * m.N)
        slope, intercept = phi.line(z)
        x = [v + Fraction(w, m.N) * (slope * z + intercept) for v, w in zip(x, change, strict=True)]
    window = everywhere.smooth(m, breaks, [(int(a), int(b)) for a, b in flat])
    found, unit = everywhere.Stage(m, row, window, shifts, changes).through((start, 8 * m.N))
    assert [Fraction(v, unit) for v in found] == x


def test_the_network_of_relus_layer_by_layer_at_1_2_2():
    """S = 9, codes 1 and 3, the border 81, M = 342, D = 58; keys 19, 37, 39, 57, their targets the next ones, and 0.
    Breaks count in sixteenths, changes in halves; a ramp is 2/16 long, and ends where the piece begins."""
    m = paper(1, 2, 2)
    window = ((-6, -4, 2, 4), ((0, 0), (8, 48), (0, 16), (-8, 32), (0, 0)))
    stages = [
        (0, ((-2, 0, 14, 16), ((-1, 9 * 16), (-73, 0), (0, 0), (64, -64 * 14), (-1, 9 * 16))), [0], [[2]]),
        (0, ((-2, 0, 6, 8), ((0, 0), (0, 0), (-1, 0), (3, -24), (0, 0))), [0, 8], [[2], [2]]),
        (-1, window, [0, 8], [[2 * 1], [2 * 3 - 1]]),
        (-1, ((81 * 16 - 2, 81 * 16), ((0, 0), (8, -8 * (81 * 16 - 2)), (0, 16))), [0], [[-2 * (342 + 1)]]),
        (0, ((-2, 0), ((-1, 0), (-1, 0), (0, 0))), [0], [[2]]),
        (
            -1, window, [16 * key for key in (19, 37, 39, 57)],
            [[2 * (T - 58 - key)] for key, T in ((19, 37), (37, 39), (39, 57), (57, 0))],
        ),
        (-1, ((-10, -8), ((0, 16), (-8, -64), (0, 0))), [0], [[2 * 58]]),
    ]  # fmt: skip
    made = [*everywhere.before(m), *everywhere.behind(m)]
    assert [(s.row, (s.phi.breaks, s.phi.lines), s.shifts, s.changes) for s in made] == stages
    assert everywhere.alphabet(m) == [-2, -1, 3, 11, 15, 16]
    assert everywhere.over_one_unit([([1, 2], 16), ([3, 4], 32)]) == ([[2, 4], [3, 4]], 32)


def test_the_network_of_relus_adds_codes_to_the_first_row_alone():
    """(2, 2, 2): entries from 2 + 4 numbers, so 36 columns, of which 36 . 37 / 2 points are made."""
    m = paper(2, 2, 2)
    it = distance_zero.net(m)
    assert everywhere.before(m)[-1].changes == [[it.code(k) - k, 0] for k in range(4)]
    assert everywhere.behind(m)[-1].changes == [[it.D, 0]]
    assert everywhere.CASES["exact.everywhere"](m) == 36 * 37 // 2


@pytest.mark.parametrize(
    ("X", "wanted"),
    [
        (((3,), (11,)), [(2 * 39,), (2 * 57,)]),
        (((3,), (3,)), [(2 * 37,)] * 2),
        (((11,), (11,)), [(0,)] * 2),
        (((-2,), (3,)), [(0,)] * 2),
        (((3,), (16,)), [(0,)] * 2),
        (((-2,), (-1,)), [(0,)] * 2),
        (((-1,), (3,)), None),
        (((11,), (15,)), None),
    ],
)
def test_what_the_network_of_relus_is_to_give(X, wanted):
    """In sixteenths: -1/8 and 1 are outside, -1/16 and 15/16 on strips; the targets in halves."""
    assert everywhere.target(paper(1, 2, 2), X) == wanted


@pytest.mark.parametrize("case", [0, 3, 12])
def test_another_output_than_the_target_is_seen(case, monkeypatch):
    """Outside, inside, and in the middle of [1/2, 1)."""
    m = paper(1, 2, 2)
    run = [(X, columns, unit) for X, columns, unit in everywhere.images(m)]
    wanted = [k for k, (X, *_) in enumerate(run) if everywhere.target(m, X) is not None]
    X, columns, unit = run[wanted[case]]
    run[wanted[case]] = X, [columns[0], [columns[1][0] + 1]], unit
    monkeypatch.setattr(everywhere, "images", lambda _: run)
    its = entries((1, 2, 2), ["exact.everywhere"])["exact.everywhere"]
    assert (its["verdict"], its["counterexample"]["relation"]) == ("refuted", "the output = the target there")
    assert its["counterexample"]["matrix"] == [[str(Fraction(x, 16)) for (x,) in X]]


def test_only_windows_are_looked_up():
    m = paper(1, 2, 2)
    step = everywhere.smooth(m, (0,), ((-1, 0), (0, 0)))
    with pytest.raises(ValueError, match="no window"):
        everywhere.Stage(m, 0, step, [0, 8], [[1], [1]]).through(([0], 16))
    with pytest.raises(ValueError, match="a ramp that is not whole"):
        everywhere.smooth(m, (Fraction(1, 5),), ((0, 0), (0, 1)))


def test_a_sentinel_that_is_a_threshold():
    """-1/4 and 0 at d = 1, n = N = 2: the first is the threshold of layer 0, its head the mean, -1/8; it ends at 6,
    the other at 3/2 + 8 3/2, in [8, 16)."""
    its = entries((1, 2, 2), ["slides.sentinel"])["slides.sentinel"]["counterexample"]
    assert its["matrix"] == [["-1/4", "0"]]
    assert (its["relation"], its["value"], its["bound"]) == ("q_2 >= t_r", "27/2", "16")


def test_the_quantiser_at_points():
    m = paper(1, 2, 3)
    f = pieces.composed(pieces.quantiser(m))
    for t, value in (
        (-7, m.sentinel),
        (Fraction(-1, 9), m.sentinel),
        (0, 0),
        (Fraction(1, 2), 0),
        (1, 1),
        (3, m.sentinel),
    ):
        slope, intercept = f.line(t)
        assert slope * t + intercept == value
    broken = pieces.composed(pieces.quantiser(m)[:-1])  # the last layer left out: [2/3, 1) is not constant
    assert pieces.on(broken, 2, 3) == {(1, 0)}
    assert list(pieces.quantizes(broken, [(0, 1, 0), (2, 3, 2)], 2)) == [not_constant(1), not_constant(3)]


def not_constant(case):
    return Made("the layers of the row on the piece", "=", "its lower corner", [1], 0, [case], 1)


def test_what_is_said_of_the_quantisers_layers(monkeypatch):
    """(1, 2, 3): the last of 2 . 3 layers is left out, so that [5/3, 2) is not constant."""
    m, nowhere = paper(1, 2, 3), [()]
    real = pieces.positional_quantiser
    monkeypatch.setattr(pieces, "positional_quantiser", lambda m: real(m)[:-1])
    said = {claim: list(pieces.relations(claim, m)) for claim in pieces.CASES}
    layers, of_each, relus = said["lemma5.layers"], [0, 1, 2, 3], list(range(8))
    assert layers == [Made("layers", "=", "d/delta + d", [4], [4], nowhere, 1)]
    assert said["c.quantizes"] == [Made("layers", "=", "dn/delta", [5], [6], nowhere, 1), not_constant(5)]
    assert said["lemma5.activations"] == [
        Made("pieces of phi", "<=", "3", [3, 3, 3, 3], 3, of_each, 1),
        Made("constant pieces of phi", ">=", "1", [1, 2, 2, 2], 1, of_each, 1),
    ]
    assert said["lemma9.relu"] == [
        Made("ReLUs", "<=", "4", [4, 3, 4, 1, 4, 4, 4, 4], 4, relus, 1),
        Made("phi~ off the intervals", "=", "phi", [1] * 8, 1, relus, 1),
    ]


def test_what_is_said_of_the_order_of_shifts():
    """Ids 0 and 2; two shifts, of column 1 both times, and then none at all."""
    m, keys = paper(1, 2, 2), [7]
    moved, most, least = "columns moved by shift", "maximum after shift", "minimum after shift"
    after = [[6], [14]]
    block = positional.Block(keys, [[(0, [1], [6, 2]), (2, [1], [6, 14])]], [], [], [[0], [2]], after, [])
    assert list(positional.order(m, block, True)) == [
        Made("number of shifts", "=", "n", [2], 2, keys, 1),
        Made(f"{moved} 1", "=", "column 1 alone", [[1]], [[1]], keys, 1),
        Made(f"{most} 1", "=", "l~_1", [6], [6], keys),
        Made(f"{least} 1", "=", "l_2", [2], [2], keys),
        Made(f"{moved} 2", "=", "column 2 alone", [[1]], [[2]], keys, 1),
        Made(f"{most} 2", "=", "l~_2", [14], [14], keys),
        Made("l~_2", ">", "the l~ before it", [14], [6], keys),
    ]
    found = list(positional.order(m, block._replace(shifts=[[]]), True))
    assert [its.values for its in found] == [[0], *[[None]] * 5, [14]]
    said = [len(list(positional.relations(claim, m, block))) for claim in ("c.order", "hu.order")]
    assert said == [4, 7]  # the largest and smallest in between are Hu et al.'s


def test_where_the_first_value_is_with_softmax():
    """(1, 2, 3): -9 (1 + 27), below t_l = 54; six windows of width 2/3 in [54, 162)."""
    made = list(sizes.relations("lemma9.distance", paper(1, 2, 3)))[:2]
    assert [(Fraction(its.values[0], its.unit), Fraction(its.bounds, its.unit)) for its in made] == [
        (-252, 54),
        (4, 108),
    ]


def test_layer_0_is_not_odd():
    """(2, 2, 2): 0 and 1 go to 0 + 4 (1 - 0) and 1 + 4 (1 - 1); 0 and -1 to 0 + 4 (0 + 1) and -1 + 4 (-1 + 1)."""
    at_minus_x, minus = [[4, -1], [0, 0]], [[-4, -1], [0, 0]]
    (made,) = sizes.odd(paper(2, 2, 2))
    assert made == Made("layer 0 at -X", "=", "minus layer 0 at X", [at_minus_x], [minus], [0])


def test_what_the_proof_with_positions_stacks():
    """(2, 2, 2), four ids: twice 4 levels and the global shift; 2 values for each of 4^2 contexts, not of C(4, 2)."""
    its = list(sizes.relations("hu.layers", paper(2, 2, 2)))
    assert [(made.values, made.bounds, made.keys, made.unit) for made in its] == [
        ([2 * 4 + 1], [4 + 1], [()], 1),
        ([2 * 16], [2 * 6], [()], 1),
    ]


def test_outside_is_below_the_one_or_above_the_other():
    low, high, keys = ("low", 5), ("high", 9), [0, 1, 2]
    assert list(positional.outside([4, 5, 6], 3, low, high, keys)) == [
        Made("q_3", "<", "low", [4, None, None], 5, keys),
        Made("q_3", ">", "high", [None, 5, 6], 9, keys),
    ]


def test_one_layer_after_another():
    """x + 2 up to 3 and then 9; after it x + 5 on [3, 4), that is of x in [1, 2), and of nothing else; at 9 x + 7."""
    f = pieces.Piecewise((3,), ((1, 2), (0, 9)))
    assert pieces.after(f, pieces.bump(1, (0, 5), (0, 0)), 3) == pieces.Piecewise(
        (1, 2, 3), ((1, 2), (1, 7), (1, 2), (0, 9))
    )
    assert pieces.after(f, pieces.bump(1, (0, 7), (0, 0)), 9).lines == ((1, 2), (0, 16))
    with pytest.raises(ValueError, match="a slope that no quantiser has"):
        pieces.after(pieces.Piecewise((), ((2, 0),)), f, 0)


def test_the_eight_activations():
    """At (1, 2, 3): t_l = 54, t_r = 162, the sentinel -9."""
    third, sixth = Fraction(1, 3), Fraction(1, 6)
    minus, away, zero, one, two, five, eleven = (-1, 0), (-1, -9), (0, 0), (0, 1), (2, 3), (5, -7), (0, 11)
    assert [(phi.breaks, phi.lines) for phi in pieces.activations(paper(1, 2, 3))] == [
        ((0, 1), (away, zero, away)),
        ((0, third), (zero, minus, zero)),
        ((54, 162), (one, zero, one)),
        ((0,), (minus, zero)),
        ((-sixth, sixth), (zero, one, zero)),
        ((0, 1), (zero, two, five)),
        ((0, 1), (two, eleven, five)),
        ((0, 1), (two, five, eleven)),
    ]


def test_relus_that_add_up_to_something_else_are_seen():
    phi, eps = pieces.activations(paper(1, 2, 3))[-1], Fraction(1, 12)
    other = pieces.Piecewise(phi.breaks, (phi.lines[0], (5, -6), phi.lines[2]))
    assert [pieces.relus(phi, pieces.approximated(its, eps))[1] for its in (phi, other)] == [True, False]


def test_the_relus_that_each_activation_takes():
    eps = Fraction(1, 12)
    found = [pieces.relus(phi, pieces.approximated(phi, eps)) for phi in pieces.activations(paper(1, 2, 3))]
    assert found == [(count, True) for count in (4, 3, 4, 1, 4, 4, 4, 4)]


def test_drawn_numbers():
    """x_1 = 137187708, x_2 = 1495769167; each call begins with w_1."""
    w_1, w_2 = 137187708, 1495769167
    assert alternatives.drawn((1, 1), (1, 1)) == [[[w_1]], [[w_2]]]
    assert alternatives.drawn((2, 2))[0][0] == [w_1, w_2]


@pytest.mark.parametrize("parts", [(1, 3, 5), (1, 3, 6), (2, 3, 3)])
def test_average_attention_cannot_tell(parts):
    its = entries(parts, ["s6.average"])["s6.average"]
    assert its["verdict"] == "holds"
    assert its["cases"] > 0
    sums = [[sum(map(Fraction, row)) for row in its["tightest"][side]] for side in ("matrix", "other")]
    assert sums[0] == sums[1]


def test_average_attention_tells_matrices_apart_whose_sums_differ(monkeypatch):
    """(0, 0), (1, 0) and (0, 0), (0, 1) in thirds: the difference is W (1, -1), of entries w_1 - w_2 and w_3 - w_4."""
    monkeypatch.setattr(alternatives, "averaged", lambda _: [((0, 1), (0, 3), 0)])
    (((w_1, w_2), (w_3, w_4)),) = alternatives.drawn((2, 2))
    (made,) = alternatives.average(paper(2, 2, 3))
    assert (made.values, made.bounds, made.unit) == ([max(abs(w_1 - w_2), abs(w_3 - w_4))], 0, 3 * (2**31 - 1) * 2)


def test_a_separable_convolution_by_hand():
    """W_C = (10, 100), W_O = 3: to x_j come 3 (10 x_j + 100 x_j+1), and x_1 follows x_3."""
    P = 2**31 - 1
    assert alternatives.convolved([[1], [2], [4]], [[3]], [[10, 100]]) == [
        [P**2 + 630],
        [2 * P**2 + 1260],
        [4 * P**2 + 420],
    ]
    assert {made.unit for made in alternatives.separable(paper(1, 3, 3))} == {1, 3 * P**4}


def test_a_value_of_the_small_sentinel_at_t_l_is_inside(monkeypatch):
    m = paper(1, 2, 2)
    monkeypatch.setattr(alternatives, "literal_run", lambda *_: [m.t_l * 2, 0])
    its = entries((1, 2, 2), ["slides.sentinel"])["slides.sentinel"]["counterexample"]
    assert (its["relation"], its["value"]) == ("q_1 >= t_r", "8")


def test_the_least_value_beside_the_sentinel_above_counts(monkeypatch):
    claim, far = "theorem2.sentinel-above", 10**6
    monkeypatch.setattr(alternatives, "literal_run", lambda *_: [0, far])
    assert entries((1, 2, 2), [claim])[claim]["counterexample"]["value"] == "0"
    one_is_not = [Fraction(1), Fraction(17, 16), Fraction(2)]
    monkeypatch.setattr(alternatives, "literal_run", lambda *_: [far, one_is_not.pop()])
    with pytest.raises(ValueError, match="a head that is not whole"):
        entries((1, 2, 2), [claim])


def test_what_step_2_of_the_construction_with_distance_0_leaves_alone(monkeypatch):
    """Of column 1, (1, 0), an id is moved to row 2; column 4, which has a sentinel, grows by 1 in row 1."""
    m = paper(2, 2, 2)
    it = distance_zero.net(m)
    for number, by, says in (
        (1, (-2, 1), "rows 2..d after step 2 = rows 2..d"),
        (4, (1, 0), "the column after step 2 = the column"),
    ):
        forged = list(it.coded_columns)
        forged[number] = tuple(x + y for x, y in zip(forged[number], by, strict=True))
        its = SimpleNamespace(columns=it.columns, coded_columns=forged, code=it.code, S=it.S)
        monkeypatch.setattr(distance_zero, "net", lambda _, its=its: its)
        assert entries((2, 2, 2), ["exact.codes"])["exact.codes"]["counterexample"]["relation"] == says


def test_an_output_beside_a_sentinel_is_compared_with_0(monkeypatch):
    real = distance_zero.Net.finished
    monkeypatch.setattr(distance_zero.Net, "finished", lambda it, z: [1] if z[0] >= it.border else real(it, z))
    its = entries((1, 2, 2), ["exact.network"])["exact.network"]["counterexample"]
    assert (its["relation"], its["matrix"]) == ("the output at the corner = 0", [["0", "9"]])


def test_how_many_layers_have_three_rows():
    """(3, 3, 2): 9 + 9 + 4 + 8 C(9, 2) + 1; C = 9/8 + 2 (4/64 + 9/512) = 329/256, times 3 8^3 / 3!."""
    _, _, made = distance_zero.counted(paper(3, 3, 2))
    assert (Fraction(made.values[0], made.unit), Fraction(made.bounds, made.unit)) == (311, 329)


def test_what_is_at_the_border_is_rejected():
    """(1, 2, 2) in halves: the border 162, M + 1 = 686, and no key at 161."""
    it = distance_zero.net(paper(1, 2, 2))
    assert [it.finished((x,)) for x in (161, 162, 685, 687)] == [[161], [0], [0], [1]]


# Accepted as they are, rejected when changed


@pytest.mark.parametrize("claim", CLAIMS)
def test_it_derives_what_the_committed_certificates_say(claim):
    for parts in [*SMALL, (2, 2, 3)]:
        path = ROOT / "proofs/certificates/paper" / "d{}-n{}-N{}.json".format(*parts)
        stands = {its["id"]: its for its in json.loads(path.read_text())["claims"]}
        assert entries(parts, [claim])[claim] == stands[claim]


@pytest.mark.parametrize("parts", SMALL, ids=str)
def test_what_it_derives_it_accepts(parts, judge):
    code, said = judge(certificate(parts))
    assert code == REJECTED  # some claims are refuted, as it says
    assert "REFUTED, as it says" in said
    assert "REJECTED" not in said


@pytest.mark.thorough
@pytest.mark.parametrize("parts", [*SMALL, (1, 2, 5), (1, 4, 3), (1, 5, 2), (2, 2, 3)])
def test_the_producer_says_the_same(parts):
    made = verify(contextual_map(Instance(*parts)), choose(CLAIMS))
    assert check(reading.certificate(json.loads(certify(made)), PAPER), Options()).share.whole


def test_and_of_what_needs_more_columns():
    for parts, claims in (((1, 3, 5), CLAIMS), ((2, 3, 2), ["s6.sepconv", "s6.bilinear"]), ((2, 3, 3), ["s6.average"])):
        made = verify(contextual_map(Instance(*parts)), choose(claims))
        assert check(reading.certificate(json.loads(certify(made)), PAPER), Options()).share.whole


def changes(claim):
    """Entries that say something else than this one: (what, the entry)."""
    changed = json.loads(json.dumps(claim))
    yield "cases", claim | {"cases": claim["cases"] + 1}
    yield "verdict", claim | {"verdict": "holds" if claim["verdict"] != "holds" else "vacuous"}
    yield "statement", claim | {"statement": claim["statement"] + "."}
    if "counterexample" in claim:
        its = claim["counterexample"]
        yield "failing", claim | {"counterexample": its | {"failing": its["failing"] + 1}}
        yield "value", claim | {"counterexample": its | {"value": "1/7"}}
        yield "no counterexample", {key: part for key, part in claim.items() if key != "counterexample"}
        if "matrix" in its:
            another = [["1/7"] * len(its["matrix"][0])] * len(its["matrix"])
            yield "another matrix", claim | {"counterexample": its | {"matrix": another}}
    for k, edge in enumerate(changed.get("edges", [])):
        for member in ("slack", "value", "bound", "relation", "matrix", "other"):
            if member in edge:
                forged = json.loads(json.dumps(claim))
                forged["edges"][k][member] = [["1/7"]] if member in ("matrix", "other") else "1/7"
                yield f"{member} of {edge['relation']}", forged
    if "edges" in claim:
        yield "one edge less", claim | {"edges": claim["edges"][1:]}
        yield "tightest", claim | {"tightest": claim["tightest"] | {"slack": "1/7"}}
    if claim["verdict"] == "vacuous":
        yield "why", claim | {"why": "a single orbit: no pair exists"}


@pytest.mark.thorough
@pytest.mark.parametrize("parts", [(1, 2, 3), (1, 3, 2)], ids=str)
@pytest.mark.parametrize("claim", CLAIMS)
def test_a_forged_entry_is_rejected_and_named(claim, parts, judge):
    document = certificate(parts, [claim])
    assert "REJECTED" not in judge(document)[1]
    for what, forged in changes(document["claims"][1]):
        code, said = judge(document | {"claims": [document["claims"][0], forged]})
        assert code == REJECTED, (what, said)
        assert f"REJECTED: claim {claim}: " in said, what


def test_a_counterexample_exchanged_for_another_that_fails_too_is_rejected(judge):
    document = certificate((1, 2, 3), ["hu.threshold"])
    its = document["claims"][1]["counterexample"]
    assert its["matrix"] == [["0", "1"]]
    its["matrix"] = [["0", "4/3"]]
    assert "REJECTED: claim hu.threshold" in judge(document)[1]


def test_own_cases_have_no_entries_in_shards(judge):
    its = choose(["b5.head", "c.ids"])
    document = json.loads(certify(verify(contextual_map(Instance(1, 2, 3)), its)))
    assert judge(document)[0] == HOLDS
    document["shards"][0]["claims"]["c.ids"] = {"cases": 9}
    code, said = judge(document)
    assert code == REJECTED
    assert "shards[0].claims.c.ids" in said


def test_of_a_variant_they_are_skipped(judge):
    document = certificate((1, 2, 3), ["lemma5.layers", "c.ids", "slides.sentinel"], sweep_factor=Q(4))
    assert judge(document)[0] == PARTIAL
    document["claims"][-1]["cases"] = 7
    assert "REJECTED: claim slides.sentinel" in judge(document)[1]


# Limits, speed, and the fence


def test_cases_are_counted_before_they_are_made(judge):
    document = certificate((1, 3, 3), ["grid.order"][:0])
    document["claims"].append({"id": "hu.outside", "statement": "", "verdict": "holds", "cases": 0})
    code, said = judge(document, "--max-points", "36")
    assert code == OVER_LIMIT
    assert "hu.outside has 37 cases" in said


def test_counts_by_formula_are_the_numbers_of_cases():
    for parts in [*SMALL, (1, 3, 5)]:
        m = paper(*parts)
        assert own.OWN["slides.sentinel"](m) == len(list(alternatives.others(m)))
        assert own.OWN["s6.bilinear"](m) == len(list(alternatives.ordered(m)))
        assert own.OWN["s6.sepconv"](m) == len(list(alternatives.rotated(m)))
        assert own.OWN["hu.ids-sentinel"](m) == len(positional.sentinels(m))
        assert own.enumerated("s6.average", m) == sum(map(len, combinations(range(m.B), m.n)))
        for wide, count in ((False, positional.contexts(m)), (True, positional.wide_contexts(m))):
            assert sum(len(block.keys) for block in positional.blocks(m, wide)) == count


def test_it_runs_alone_and_without_assertions(tmp_path):
    good, lie = certificate((1, 3, 2), ["c.order", "s6.average"]), certificate((1, 3, 2), ["c.order"])
    lie["claims"][1]["cases"] += 1
    script = (
        "import sys, runpy\n"
        "for name in ['sympy', 'gmpy2', 'click', 'rich', 'verifier.core', 'verifier.catalogue', 'verifier.run']:\n"
        "    sys.modules[name] = None\n"
        "sys.argv = ['verifier.checker', *sys.argv[1:]]\n"
        "runpy.run_module('verifier.checker', run_name='__main__')\n"
    )
    path = tmp_path / "c.json"
    for optimise in ([], ["-OO"]):
        for document, code in ((good, HOLDS), (lie, REJECTED)):
            path.write_bytes(canonical(document))
            command = [sys.executable, *optimise, "-c", script, str(path)]
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
            assert (done.returncode, done.stderr) == (code, "")

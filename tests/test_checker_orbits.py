"""The checker's reading of FORMAT 11's claims over orbits: against the layers run one by one, and against forgeries."""

import copy
import json
import subprocess
import sys
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.catalogue import choose
from verifier.certificate import certify
from verifier.checker.__main__ import main
from verifier.checker.core import frame, share
from verifier.checker.core.ledger import Made, rational
from verifier.checker.core.reading import certificate
from verifier.checker.papers.yun2020 import orbits
from verifier.checker.papers.yun2020 import paper as checking
from verifier.checker.papers.yun2020.claims import Cases
from verifier.checker.papers.yun2020.model import paper
from verifier.checker.papers.yun2020.orbits import DOMAINS, ValueMap, gap, quantised
from verifier.checker.papers.yun2020.paper import PAPER
from verifier.checker.papers.yun2020.statements import IDS
from verifier.papers.yun2020.contextual_map import contextual_map
from verifier.papers.yun2020.instance import Instance
from verifier.run.verify import verify

SMALL = [(1, 2, 2), (1, 2, 3), (1, 2, 4), (1, 3, 3), (2, 2, 2), (1, 3, 2)]


# The value map and the heads, literally


def columns_of(m):
    """Of every orbit by rank: the columns of g_c(L), in ones, and whether it is of Category 1."""
    for _, orbit in m.orbits(0, m.orbit_count):
        ends = m.last(m.sweep([m.ids[c] for c in orbit])[0])
        made = [[Fraction(x, m.N) for x in m.moved(c, end)] for c, end in zip(orbit, ends, strict=True)]
        yield made, len(set(orbit)) == m.n and all(min(m.columns[c]) >= 0 for c in orbit)


@pytest.mark.parametrize("chain", [True, False])
@pytest.mark.parametrize("parts", SMALL)
def test_the_value_map_is_what_its_layers_do_one_by_one(parts, chain):
    m = paper(*parts)
    delta, t_l, t_r = Fraction(1, m.N), Fraction(m.t_l, m.N), Fraction(m.t_r, m.N)
    images = list(columns_of(m))
    M = max(x for made, _ in images for column in made for x in column)
    tokens = [column for made, distinct in images if distinct for column in made]

    def u(column):
        return sum(x * m.N**i for i, x in enumerate(column))

    keys = list(map(u, tokens))
    last = len(keys) - 1
    targets = [
        [keys[i + 1] if i < last else 0, *[0] * (m.d - 1)]
        if chain
        else [((i + r) % 5 - 2) * delta for r in range(1, m.d + 1)]
        for i in range(len(keys))
    ]
    v, k = ValueMap(m, chain), 0
    for (_, orbit), (made, distinct) in zip(m.orbits(0, m.orbit_count), images, strict=True):
        for number, z in zip(orbit, made, strict=True):
            q = u(z)
            out = z if t_l <= q <= t_r else [x - (M + 1) for x in z]
            for i in range(m.d):
                out = [*out[:i], max(out[i], Fraction(0)), *out[i + 1 :]]
            for key, T, own in zip(keys, targets, tokens, strict=True):
                if -delta / 2 <= u(out) - key < delta / 2:
                    out = [x + t - g for x, t, g in zip(out, T, own, strict=True)]
            assert [Fraction(x, m.N) for x in v.column(number, int(q * m.N))] == out
            if distinct:
                assert [Fraction(x, m.N) for x in v.target(k)] == targets[k]
                k += 1
    assert k == len(keys)


def smallest_gap(m, before, shifts):
    """Of all heads of all layers, one by one, when the ids are `before`, and after a layer those of its shift."""
    gaps, x, changes = [], before, {level: ids for level, _, ids in shifts}
    for layer in range(m.B + 1):
        for twice_b in (2 * layer - 1, 2 * layer + 1) if layer < m.B else (0,):
            for x_j in x:
                scores = sorted({x_i * (2 * x_j - twice_b) for x_i in x})
                gaps += [scores[-1] - scores[-2]] if len(scores) > 1 else []
        x = changes.get(layer, x)
    return min(gaps) if len(set(before)) > 1 else None


@pytest.mark.parametrize("parts", SMALL)
def test_the_smallest_gap_is_that_of_all_heads_one_by_one(parts):
    m = paper(*parts)
    for _, orbit in m.orbits(0, m.orbit_count):
        before = [m.ids[c] for c in orbit]
        after, shifts = m.sweep(before)
        assert gap(m, before, shifts, after) == smallest_gap(m, before, shifts)


IDS_OF_THREE = st.lists(st.integers(-2, 7), min_size=3, max_size=3)


@pytest.mark.thorough
@settings(max_examples=500)
@given(IDS_OF_THREE, st.dictionaries(st.integers(0, 3), IDS_OF_THREE, max_size=3))
def test_and_so_it_is_whatever_a_layer_does_to_ids(before, changes):
    m, shifts = paper(1, 3, 4), [(level, [], changes[level]) for level in sorted(changes)]
    after = [sorted(before), *(ids for *_, ids in shifts)][-1]
    assert gap(m, sorted(before), shifts, after) == smallest_gap(m, sorted(before), shifts)


def test_the_quantiser_on_both_sides_of_every_edge():
    m = paper(1, 2, 3)
    below = [quantised(m, x) for x in (-1000, -1, 6, 7, 2 * m.sentinel)]
    assert below == [2 * m.sentinel] * 5
    assert [quantised(m, x) for x in range(6)] == [0, 0, 2, 2, 4, 4]


def test_the_network_is_run_where_the_quantiser_gives_back_the_grid(monkeypatch):
    """In halves of 1/3: just below 0 for a sentinel, and the corners; then 1, and the centres."""
    m, met = paper(1, 2, 3), []
    monkeypatch.setattr(orbits, "quantised", lambda m, x: met.append(x) or quantised(m, x))
    assert list(orbits.points(m)) == [" at the corner", " at the centre"]
    assert met == [-1, 0, 2, 4, 6, 1, 3, 5]
    monkeypatch.setattr(orbits, "quantised", lambda m, x: quantised(m, x) + (x == 3))
    with pytest.raises(ArithmeticError, match="does not give back L at the centre"):
        list(orbits.points(m))


def test_the_value_map_rejects_what_is_outside_of_t_l_and_t_r():
    m = paper(1, 2, 3)
    v = ValueMap(m, True)
    assert [v.column(1, q) for q in (m.t_l - 1, m.t_l, m.t_r, m.t_r + 1)] == [[0], [m.t_l], [m.t_r], [0]]


def case_of(m, orbit, after=None, last=None):
    before = [m.ids[c] for c in orbit]
    rows = [before, after or m.sweep(before)[0], last or before]
    return Cases([0], [orbit], [[]], *([row] for row in rows), *([[x] for x in row] for row in rows))


def test_what_claims_say_of_one_context():
    """1/3 and 1 at (1, 2, 3), ids 0 and 2: these become 6 and 14, which are 0 and 2 modulo 3."""
    m = paper(1, 2, 3)
    its = case_of(m, (1, 3))
    decoded = Made("k decoded from max O", "=", "k", [[0, 2]], [[0, 2]], unit=1)
    assert list(orbits.relations("slides.one-dimensional", m, its)) == [
        Made("O_1 mod N", "=", "k_1", [0], [0], unit=1),
        Made("O_2 mod N", "=", "k_2", [2], [2], unit=1),
        decoded,
    ]
    assert list(orbits.relations("slides.broadcast", m, its)) == [
        Made("max O", "<", "N^(n+1)", [14], 27, unit=1),
        *(decoded._replace(name=f"k decoded from coordinate {j}") for j in (1, 2)),
    ]


def test_f_of_centres_whose_columns_change_places():
    """0, 1/3, 2/3, in sixths, and the centres 1, 3, 5: with their sum 9 added 10, 12, 14."""
    m = paper(1, 3, 3)
    assert list(orbits.relations("lemma8.equivariant", m, case_of(m, (1, 2, 3)))) == [
        Made("f(C_LP)", "=", "f(C_L) P", [[[12, 10, 14]]], [[[12, 10, 14]]], unit=6),
        Made("f(C_LP)", "=", "f(C_L) P", [[[10, 14, 12]]], [[[10, 14, 12]]], unit=6),
    ]


def test_a_value_at_t_l_is_inside_whatever_else_is_a_sentinel():
    """Columns (0, s) and (0, 0): the first has one sentinel, and one entry that is none."""
    m = paper(2, 2, 2)
    orbit = tuple(m.columns.index(column) for column in ((0, m.sentinel), (0, 0)))
    made = list(orbits.relations("slides.closed", m, case_of(m, orbit, last=[m.t_l, m.t_l - 1])))
    assert [(its.name, its.op, its.values) for its in made] == [
        ("q_1", "<", [None]),
        ("q_1", ">", [m.t_l]),
        ("q_2", "<", [m.t_l - 1]),
        ("q_2", ">", [None]),
    ]


def test_the_distances_of_proposition_4():
    """(2, 3, 2): of 64 matrices 40 have equal columns; at 2 N, 4096 - 16 . 15 . 14 = 736 of 4096."""
    m = paper(2, 3, 2)
    sizes = {name: list(size) for name, size in m.sizes().items()}
    assert list(orbits.conclusions("prop4.distance", m, sizes)) == [
        Made("distance at p = 1", "<=", "d n . n(n-1)/2 . delta^d", [2 * 6 * 40 * 4], 18 * 2 * 64, [()], 2 * 64 * 4),
        Made(
            "(distance / delta^d)^2 for p = 2, at 2N", "<=", "the same at N",
            [6 * 736 * 64], 6 * 40 * 16 * 16, [()], 16 * 64,
        ),
    ]  # fmt: skip


# What it makes of whole certificates


@pytest.fixture
def derived(monkeypatch):
    """derived(d, n, N): the certificate that the checker itself expects, in all that it compares."""

    def of(d, n, N, exchanged=None):
        m = paper(d, n, N)
        K = max(1, min(64, m.orbit_count // 1000))
        bounds = [k * m.orbit_count // K for k in range(K + 1)]
        nothing = {name: {"matrices": 0, "orbits": 0} for name in m.sizes()}
        blank = {"coverage": nothing, "digest": "0", "claims": {}}
        document = {
            "format": "verifier.certificate/1",
            "instance": {"d": d, "n": n, "N": N},
            "claims": [{"id": claim, "verdict": "holds"} for claim in IDS if claim in DOMAINS],
            "shards": [] if exchanged else [{"start": a, "stop": b} | blank for a, b in pairwise(bounds)],
        } | ({"variant": exchanged} if exchanged else {})
        names = ["statement", "constants", "coverage", "not_covered", "verdict"]
        document |= dict.fromkeys(names)
        for _ in range(2):  # what follows from the claims' verdicts is known the second time
            found = {}

            def note(expected, _found, place, *_, found=found):
                found[place] = expected

            with monkeypatch.context() as patched:
                patched.setattr(frame, "compare", note)
                checking.check(document, share.Options())
            document |= {name: found[name] for name in names}
            document["claims"] = [found[f"claims[{k}]"] for k in range(len(document["claims"]))]
            for k, shard in enumerate(document["shards"]):
                place = f"shards[{k}]"
                inside = {c: found[f"{place}.claims.{c}"] for c in DOMAINS if f"{place}.claims.{c}" in found}
                shard |= {"coverage": found[f"{place}.coverage"], "digest": found[f"{place}.digest"], "claims": inside}
        return document

    return of


@pytest.fixture
def judge(tmp_path, capsys):
    def run(document):
        path = tmp_path / "c.json"
        path.write_text(json.dumps(document))
        code = main([str(path)])
        return code, capsys.readouterr().out

    return run


@pytest.mark.thorough
@pytest.mark.parametrize("parts", [*SMALL, (1, 2, 5), (1, 4, 3), (1, 5, 2), (1, 7, 2), (2, 2, 3), (2, 3, 2)])
def test_the_producer_says_the_same(parts):
    made = verify(contextual_map(Instance(*parts)), choose(list(DOMAINS)))
    assert checking.check(certificate(json.loads(certify(made)), PAPER), share.Options()).share.whole


REFUTED = {  # all others hold
    (1, 2, 2): "lemma7.map prop4.network prop4.distance",
    (1, 2, 4): "lemma7.map prop4.network prop4.distance",
    (1, 3, 3): "lemma7.map prop4.network prop4.distance lemma8.radius slides.one-dimensional-all",
    (2, 2, 2): "lemma7.map prop4.network prop4.distance lemma8.radius",
    (1, 3, 2): "prop4.distance lemma8.radius slides.one-dimensional-all",
}
VACUOUS = {
    (2, 2, 2): "slides.one-dimensional slides.one-dimensional-all slides.broadcast",
    (1, 3, 2): "lemma7.map lemma7.map-bounded slides.one-dimensional slides.broadcast",
}


@pytest.mark.parametrize("parts", REFUTED)
def test_what_holds_and_what_does_not(parts, derived, judge):
    document = derived(*parts)
    verdicts = {claim["id"]: claim["verdict"] for claim in document["claims"]}
    for verdict, table in (("refuted", REFUTED), ("vacuous", VACUOUS)):
        assert {claim for claim in verdicts if verdicts[claim] == verdict} == set(table.get(parts, "").split())
    code, said = judge(document)
    assert code == 1
    assert "REFUTED, as it says" in said


def test_the_first_counterexamples_by_hand(derived):
    """At (1, 2, 2) the keys are 13 and 27/2: the first token's target is the second key, which goes on to 0."""
    claims = {claim["id"]: claim for claim in derived(1, 2, 2)["claims"]}
    first = claims["lemma7.map"]["counterexample"]
    assert (first["value"], first["bound"], first["matrix"], first["failing"]) == (["0"], ["27/2"], [["0", "1/2"]], 1)
    assert claims["prop4.distance"]["counterexample"]["value"] == "8"  # f' = 1/4, N = 4
    distance = claims["slides.one-dimensional-all"]["tightest"]
    assert (distance["value"], distance["other"]) == ("1", [["1/2", "1/2"]])  # in whole numbers
    assert claims["lemma9.softmax"]["tightest"]["value"] == rational(1, 8)


def lies_about(claim):
    """Ways of changing a claim's entry that a reader could fall for."""
    yield claim | {"cases": claim["cases"] + 1}
    other = {name: claim[name] for name in ("id", "statement", "cases")}
    if claim["verdict"] != "holds":
        yield other | {"verdict": "holds"}
    if claim["verdict"] == "refuted":
        for name, value in (("failing", claim["counterexample"]["failing"] + 1), ("matrix", [["1/2"]]), ("value", "7")):
            yield claim | {"counterexample": claim["counterexample"] | {name: value}}
    else:
        yield other | {"verdict": "refuted", "counterexample": {"relation": "0 > 0", "value": "0", "bound": "0"}}
        yield other | {"verdict": "skipped", "why": "no time"}
    for k, edge in enumerate(claim.get("edges", [])):
        changed = copy.deepcopy(claim)
        changed["edges"][k]["slack"] = "1" if edge["slack"] != "1" else "0"
        yield changed


@pytest.mark.thorough
@pytest.mark.parametrize("parts", [(1, 2, 2), (1, 3, 3), (2, 2, 2)])
def test_forged_claims_are_rejected(parts, derived, judge):
    document = derived(*parts)
    for k, claim in enumerate(document["claims"]):
        for lie in lies_about(claim):
            forged = document | {"claims": [*document["claims"][:k], lie, *document["claims"][k + 1 :]]}
            if lie["verdict"] == "refuted" and "failing" not in lie["counterexample"]:
                lie["counterexample"]["failing"] = 1
            code, said = judge(forged)
            assert code == 1
            assert f"REJECTED: claim {claim['id']}" in said, (lie, said)


def test_forged_shards_are_rejected(derived, judge):
    document = derived(1, 3, 3)
    assert set(document["shards"][0]["claims"]) == set(DOMAINS)
    for claim, entry in document["shards"][0]["claims"].items():
        lies = [entry | {"cases": entry["cases"] + 1}, entry | {"failing": 2, "first": 0}]
        lies += [entry | {"edges": entry["edges"] | {"0 > 0": {"slack": "1", "rank": 0}}}] if "edges" in entry else []
        for lie in lies:
            forged = copy.deepcopy(document)
            forged["shards"][0]["claims"][claim] = lie
            code, said = judge(forged)
            assert code == 1
            assert "REJECTED: claim" in said, (lie, said)


def test_of_a_variant_they_are_skipped(derived, judge):
    document = derived(1, 2, 3, {"sweep_factor": "2"})
    assert all(claim["verdict"] == "skipped" and claim["cases"] == 0 for claim in document["claims"])
    assert (document["shards"], document["coverage"]) == ([], {})
    assert judge(document)[0] == 5
    document["claims"][0] = document["claims"][0] | {"verdict": "vacuous", "why": "no case exists"}
    assert "REJECTED" in judge(document)[1]


@pytest.mark.thorough
def test_it_stands_alone_under_every_optimisation(derived, tmp_path):
    path = tmp_path / "c.json"
    document = derived(1, 2, 3)
    lie = copy.deepcopy(document)
    lie["claims"][0]["cases"] += 1
    for of, says in ((document, "REFUTED, as it says"), (lie, "REJECTED")):
        path.write_text(json.dumps(of))
        script = (
            "import sys, runpy\n"
            "for name in ['sympy', 'gmpy2', 'click', 'rich', 'verifier.core', 'verifier.catalogue', 'verifier.run']:\n"
            "    sys.modules[name] = None\n"
            f"sys.argv = ['verifier.checker', {str(path)!r}]\n"
            "runpy.run_module('verifier.checker', run_name='__main__')\n"
        )
        for optimise in ([], ["-O"], ["-OO"]):
            command = [sys.executable, *optimise, "-c", script]
            root = Path(__file__).parent.parent
            done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
            assert (done.returncode, done.stderr) == (1, "")
            assert says in done.stdout

"""`verify bench`: each answer is the true one, by other means than those that found it; wrong answers are named."""

import csv
import json
import platform
import re
import shutil
import sys
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random

import pytest

import enclosure
from cli import main
from test_build_page import FIRST, text_of
from test_export import made as export
from verifier.bench import write as writing
from verifier.bench.enclosure import Box, enclose
from verifier.bench.load import load
from verifier.bench.write import write
from verifier.build import folder
from verifier.build.dtype import FLOAT32
from verifier.build.exported import contents, exported
from verifier.checker.build.dyadic import DTYPES
from verifier.checker.build.exported import How, Meter, layers_of
from verifier.checker.build.exported import run as checkers_run
from verifier.core.exact import Q, parse_rational
from verifier.language.page import read


@pytest.fixture(scope="module")
def network(tmp_path_factory):
    """A folder as `verify export --softmax` writes it, of a built page at (1, 2, 2)."""
    path = tmp_path_factory.mktemp("network") / "net"
    folder.placed(contents(exported(read(text_of((1, 2, 2))), {}, None, None, FLOAT32, soft=True)), path)
    return path


QUANTISER = """language 1
d = 1
epsilon = 2^-17
inputs k in cells: list [[0], [1/2]]
layer cell(k):
  x[i] <- x[i] + (max(x[i][1] - k*epsilon - (1/2 - epsilon), 0) - max(x[i][1] - k*epsilon, 0))*[1]
layer stretch:
  x[i] <- x[i] + (1/(2*epsilon) - 1)*max(x[i][1], 0)*[1]
network g:
  for k in 0..1: cell(k)
  stretch
Y = g([k])
claim corner, own, "Lemma 5", on cells:
  "A corner stays."
  Y[1] = k
"""


@pytest.fixture(scope="module")
def quantiser(tmp_path_factory):
    """Of one number, with strips of 2^-17."""
    path = tmp_path_factory.mktemp("quantiser") / "net"
    folder.placed(contents(exported(read(QUANTISER), {}, None, None, FLOAT32)), path)
    return path


@pytest.fixture(scope="module")
def subjects(network, quantiser):
    return [replace(load(quantiser), name="quantiser"), load(network)]


@pytest.fixture(scope="module")
def queries(subjects, tmp_path_factory):
    path = tmp_path_factory.mktemp("queries") / "q"
    sat, unsat = write(iter(subjects), path)
    assert min(sat, unsat) > 40
    return path


def truths(queries):
    return json.loads((queries / "truth.json").read_text())["queries"]


# A reading of VNN-LIB of its own.

ASSERTION = re.compile(r"\(assert \((<=|>=) ([XY])_(\d+) (?:([XY])_(\d+)|(-?\d+\.\d+))\)\)")


def holds(text, X, Y):
    """Whether all assertions are true of these entries, in rationals."""
    values, found = {"X": X, "Y": Y}, 0
    for sign, letter, k, other, j, number in ASSERTION.findall(text):
        a, b = values[letter][int(k)], values[other][int(j)] if other else Fraction(number)
        if not (a <= b if sign == "<=" else a >= b):
            return False
        found += 1
    assert found == text.count("assert") == 2 * len(X) + 1
    return True


def flat(rows):
    return [Fraction(x) for row in rows for x in row]


def box_of(text):
    sides = {}
    for sign, k, number in re.findall(r"\(assert \((<=|>=) X_(\d+) (-?\d+\.\d+)\)\)", text):
        sides.setdefault(int(k), {})[sign] = Fraction(number)
    return [(side[">="], side["<="]) for _, side in sorted(sides.items())]


def enclosed(subject, X):
    """The exact output with its softmax, by the enclosures of tests/enclosure.py: rigorous, and none of the bench's."""
    columns = [[enclosure.point(Fraction(str(row[j]))) for row in X] for j in range(subject.n)]
    for layer in subject.layers:
        columns = attended(layer, columns) if layer.heads else [forwarded(layer, z) for z in columns]
    return [columns[j][r] for r in range(subject.d) for j in range(subject.n)]


def total(pairs, start):
    for w, x in pairs:
        if w:
            start = enclosure.plus(start, enclosure.times(enclosure.point(Fraction(str(w))), x))
    return start


def forwarded(layer, z):
    hidden = []
    for w, b in zip(layer.W_1, layer.b_1, strict=True):
        low, high = total(zip(w, z, strict=True), enclosure.point(Fraction(str(b))))
        hidden.append((max(low, Fraction(0)), max(high, Fraction(0))))
    return [
        total(zip(w, hidden, strict=True), enclosure.plus(x, enclosure.point(Fraction(str(b)))))
        for x, w, b in zip(z, layer.W_2, layer.shift, strict=True)
    ]


def attended(layer, columns):
    nothing, made = enclosure.point(0), [list(z) for z in columns]
    for head in layer.heads:
        (b,) = head.bias
        K, V = ([total(zip(W[0], z, strict=True), nothing) for z in columns] for W in (head.keys, head.values))
        for j, z in enumerate(columns):
            query = total(zip(head.queries[0], z, strict=True), enclosure.point(Fraction(str(b))))
            shares = enclosure.softmax([enclosure.times(key, query) for key in K])
            read = nothing
            for share, value in zip(shares, V, strict=True):
                read = enclosure.plus(read, enclosure.times(share, value))
            for r, row in enumerate(head.out):
                made[j][r] = total([(row[0], read)], made[j][r])
    return made


@pytest.mark.thorough
def test_every_witness_is_one_in_rationals_and_in_onnxruntime(queries, subjects):
    """In floats too: the runtime gives the very Y that is said, and the relation is true of it."""
    numpy, runtime = pytest.importorskip("numpy"), pytest.importorskip("onnxruntime")
    by_name = {subject.name: subject for subject in subjects}
    sessions, seen = {}, set()
    for query in truths(queries):
        if query["answer"] != "sat":
            continue
        text, witness = (queries / query["vnnlib"]).read_text(), query["witness"]
        X, Y = flat(witness["X"]), flat(witness["Y"])
        assert holds(text, X, Y), query["vnnlib"]
        name = query["onnx"]
        sessions.setdefault(name, runtime.InferenceSession(queries / name))
        as_floats = numpy.array([[[float(Fraction(x)) for x in row] for row in witness["X"]]], "float32")
        assert flat(as_floats[0].tolist()) == X
        assert flat(sessions[name].run(None, {"X": as_floats})[0][0].tolist()) == Y
        if (name, *X) not in seen:  # the exact output, once for each point
            within = Fraction(2) ** int(witness.get("Y_within", "2^-300").removeprefix("2^")) + Fraction(1, 2**300)
            exact = enclosed(by_name[Path(name).stem], [[parse_rational(x) for x in row] for row in witness["X"]])
            assert all(y - within <= low and high <= y + within for y, (low, high) in zip(Y, exact, strict=True))
        seen.add((name, *X))
    assert len(sessions) == 2


@pytest.mark.thorough
def test_no_point_of_a_box_makes_an_unsat_relation_true(queries):
    """Tried in onnxruntime, at the corners and at random; a proof is more, and stands beside."""
    numpy, runtime = pytest.importorskip("numpy"), pytest.importorskip("onnxruntime")
    sessions, random, tried = {}, Random(0), 0  # noqa: S311
    for query in truths(queries):
        if query["answer"] != "unsat" or Fraction(query["margin"]) < Fraction(1, 2**10):
            continue
        text, name = (queries / query["vnnlib"]).read_text(), query["onnx"]
        session = sessions.setdefault(name, runtime.InferenceSession(queries / name))
        sides = box_of(text)
        points = [*product(*sides), *([a + (b - a) * Fraction(random.random()) for a, b in sides] for _ in range(8))]
        for point in points:
            d, n = session.get_inputs()[0].shape[1:]
            X = numpy.array([float(x) for x in point], "float32").reshape(1, d, n)
            Y = session.run(None, {"X": X})[0].flatten().tolist()
            if all(a <= Fraction(x) <= b for x, (a, b) in zip(X.flatten().tolist(), sides, strict=True)):
                assert not holds(text, flat(X[0].tolist()), [Fraction(y) for y in Y]), query["vnnlib"]
                tried += 1
    assert tried > 300


@pytest.mark.parametrize("k", [0, 1])
def test_an_enclosure_holds_every_point_of_its_box(k, subjects):
    """After the last layer, against the softmax of tests/enclosure.py."""
    subject, random = subjects[k], Random(1)  # noqa: S311
    size = subject.d * subject.n
    for radius in (Q(0), Q(1, 2**10), Q(1, 4), Q(1)):
        low = tuple(tuple(Q(random.randrange(8), 16) for _ in range(subject.n)) for _ in range(subject.d))
        box = Box(low, tuple(tuple(x + radius for x in row) for row in low))
        _, ranges = enclose(subject.layers, box, soft=subject.soft)
        for _ in range(4):
            steps = iter([Q(random.randrange(65), 64) for _ in range(size)])
            X = tuple(tuple(x + radius * next(steps) for x in row) for row in low)
            for (a, b), (low_, high_) in zip([it for row in ranges for it in row], enclosed(subject, X), strict=True):
                assert Fraction(str(a)) <= high_
                assert low_ <= Fraction(str(b))


def test_both_answers_on_boxes_from_points_to_the_cube(queries):
    said = truths(queries)
    for kind in ("quantiser", "page"):
        of_kind = [query for query in said if query["onnx"].startswith(f"onnx/{kind}")]
        assert {query["answer"] for query in of_kind} == {"sat", "unsat"}
        widths = {max(b - a for a, b in box_of((queries / query["vnnlib"]).read_text())) for query in of_kind}
        assert {0, 1} < widths
    assert all((queries / query["proof"]).is_file() for query in said if query["answer"] == "unsat")


def test_instances_are_as_vnn_comp_has_them(queries):
    rows = list(csv.reader((queries / "instances.csv").read_text().splitlines()))
    assert rows == [[query["onnx"], query["vnnlib"], "60"] for query in truths(queries)]
    assert all((queries / onnx).is_file() and (queries / vnnlib).is_file() for onnx, vnnlib, _ in rows)


def test_a_network_is_read_as_it_was_written(network):
    b = exported(read(text_of((1, 2, 2))), {}, None, None, FLOAT32, soft=True)
    found = load(network)
    assert [replace(layer, name="") for layer in found.layers] == [replace(layer, name="") for layer in b.layers]
    assert (found.N, found.eps, found.soft) == (2, b.quantiser.epsilon, True)


def test_a_network_with_positions_is_asked_about_its_tokens(tmp_path):
    text = text_of((1, 2, 2), FIRST, positional=True)
    folder.placed(contents(exported(read(text), {}, None, None, FLOAT32, soft=True)), tmp_path / "net")
    assert load(tmp_path / "net").eps is None
    assert main(["bench", str(tmp_path / "net")]) == 0
    assert {query["answer"] for query in truths(tmp_path / "net/queries")} == {"sat", "unsat"}


# Networks of pages


@pytest.fixture(scope="module", params=["causal", "ties and masks", "literal"])
def page_queries(request, tmp_path_factory):
    """The folder of an exported page, and of its queries."""
    path = tmp_path_factory.mktemp("page")
    folder.placed(contents(export(request.param, n=3)), path / "net")
    assert main(["bench", str(path / "net")]) == 0
    return path / "net"


def output(net, X):
    """Of the tokens X, by the checker's code: rows of the output, side by side."""
    n, layers = layers_of((net / "weights.json").read_bytes(), "hard")
    columns = [tuple(X[r * n + j] for r in range(len(X) // n)) for j in range(n)]
    for layer in layers:
        columns, _ = checkers_run(layer, columns, Meter(), How(False, DTYPES["float32"]))
    return [z[r] for r in range(len(columns[0])) for j, z in enumerate(columns)]


def test_the_answers_about_a_page_are_true(page_queries):
    """Witnesses by the checker's code; where there is none, at the corners and at points drawn in the box."""
    draw, answers = Random(3), set()  # noqa: S311
    for query in truths(page_queries / "queries"):
        text = (page_queries / "queries" / query["vnnlib"]).read_text()
        sides, answers = box_of(text), answers | {query["answer"]}
        if query["answer"] == "sat":
            X = flat(query["witness"]["X"])
            assert holds_of(text, X, output(page_queries, X)), query
            continue
        points = [
            [low + (high - low) * Fraction(draw.choice([0, 8, draw.randrange(9)]), 8) for low, high in sides]
            for _ in range(4)
        ]
        assert not any(holds_of(text, X, output(page_queries, X)) for X in points), query
    assert answers == {"sat", "unsat"}


def holds_of(text, X, Y):
    """As `holds`, where X and Y have different sizes."""
    values = {"X": X, "Y": Y}
    return all(
        (a <= b if sign == "<=" else a >= b)
        for sign, letter, k, other, j, number in ASSERTION.findall(text)
        for a, b in [(values[letter][int(k)], values[other][int(j)] if other else Fraction(number))]
    )


def test_onnxruntime_finds_the_witnesses_of_a_page(page_queries):
    numpy, onnxruntime = pytest.importorskip("numpy"), pytest.importorskip("onnxruntime")
    (model,) = (page_queries / "queries/onnx").iterdir()
    session, n = onnxruntime.InferenceSession(str(model)), 3
    for query in truths(page_queries / "queries"):
        if query["answer"] == "sat":
            X = numpy.array([[float(x) for x in flat(query["witness"]["X"])]], "float32").reshape(1, -1, n)
            found = session.run(None, {"X": X})[0].reshape(-1)
            assert [Fraction(float(y)) for y in found] == flat(query["witness"]["Y"]), query


def test_equal_columns_of_a_page_may_become_different():
    """With a mask, which the paper's layers don't have: the enclosure must not take them for one."""
    b = export("causal", n=3)
    same = tuple((Q(x),) * 3 for x in (1, 2, 1, 0))
    _, ranges = enclose(b.layers, Box(same, same))
    assert [low for low, _ in ranges[3]] == [0, 2, 2]
    assert [low for low, _ in ranges[0]] == [3, 3, 3]


# VNN-LIB 2.0


def test_version_2_says_what_version_1_says(queries):
    """X_3 of a network with n = 2 is X[0, 1, 1]; nothing else differs but what is declared."""
    head = r"; .*\n\(vnnlib-version <2.0>\)\n\(declare-network f\n  \(declare-input X Real \[1, (\d+), (\d+)\]\)\n"
    for query in truths(queries):
        one, two = ((queries / query[kind]).read_text() for kind in ("vnnlib", "vnnlib_2"))
        d, n = map(int, re.match(head + r"  \(declare-output Y Real \[1, \1, \2\]\)\n\)\n", two).groups())
        assert one.count("declare-const") == 2 * d * n

        def flat_index(found, n=n):
            return f"{found[1]}_{int(found[2]) * n + int(found[3])}"

        asserted = [line for line in two.splitlines() if line.startswith("(assert")]
        again = [re.sub(r"([XY])\[0, (\d+), (\d+)\]", flat_index, line) for line in asserted]
        assert again == [line for line in one.splitlines() if line.startswith("(assert")]
    lists = [(queries / name).read_text() for name in ("instances.csv", "instances-2.csv")]
    assert lists[0].replace(",vnnlib/", ",vnnlib-2/") == lists[1]


@pytest.mark.skipif(
    sys.platform == "linux" and platform.machine() != "x86_64", reason="vnnlib has wheels for x86-64 alone"
)
def test_the_registrys_parser_reads_version_2(queries, page_queries):
    """And its types are checked: an output that isn't declared, a tensor of other sizes, are refused."""
    import vnnlib

    folders = (queries, page_queries / "queries")
    paths = [path for made in folders for path in (made / "vnnlib-2").iterdir()]
    assert len(paths) > 50
    for path in paths:
        assert len(vnnlib.parse_query_file(str(path)).assertions) == path.read_text().count("(assert")
    text = paths[0].read_text()
    for wrong in (text.replace("Y[0", "Z[0", 1), re.sub(r"(declare-output Y Real \[1), \d+", r"\1", text)):
        assert wrong != text
        with pytest.raises(vnnlib.VNNLibException):
            vnnlib.parse_query_string(wrong)


# Scores


@pytest.fixture
def score(queries, tmp_path, capsys):
    def run(rows, at=queries):
        (tmp_path / "answers.csv").write_text("".join(",".join(row) + "\n" for row in rows))
        code = main(["bench", "--score", str(tmp_path / "answers.csv"), str(at)])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


def right(queries):
    return [[query["onnx"], query["vnnlib"], query["answer"]] for query in truths(queries)]


def test_right_answers(queries, score):
    rows = right(queries)
    assert score(rows) == (0, f"{len(rows)} right, 0 wrong, 0 undecided, 0 not answered\n", "")
    words = {"sat": "violated", "unsat": "holds"}
    assert score([["name", o, v, "0.5", words[a]] for o, v, a in rows])[0] == 0


@pytest.mark.parametrize("answer", ["sat", "unsat"])
def test_a_wrong_answer_is_named_with_its_witness(answer, queries, score):
    rows = right(queries)
    k = next(k for k, row in enumerate(rows) if row[2] == answer)
    query = truths(queries)[k]
    rows[k] = [*rows[k][:2], "unsat" if answer == "sat" else "sat"]
    code, out, _ = score(rows)
    assert code == 1
    assert out.startswith(f"WRONG {query['vnnlib']} ({query['onnx']}): {rows[k][2]}, but it is {answer}: ")
    assert query["relation"] in out
    shown = ", ".join(query["witness"]["X"][0]) if answer == "sat" else query["proof"]
    assert shown in out
    assert f"{len(rows) - 1} right, 1 wrong" in out


def test_undecided_and_missing_answers(queries, score):
    rows = right(queries)
    code, out, _ = score([[*rows[0][:2], "unknown"], [*rows[1][:2], "timeout"], *rows[3:]])
    assert code == 5
    assert out == f"{len(rows) - 3} right, 0 wrong, 2 undecided, 1 not answered\n"


def test_a_network_that_is_not_there(tmp_path, capsys):
    assert main(["bench", str(tmp_path / "net")]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert said == f"verify: {tmp_path}/net: there is no such folder; `verify export` makes one"


def test_answers_that_make_no_sense(queries, score):
    first = right(queries)[0]
    for rows, why in (
        ([], "no answer is in it"),
        ([["onnx/other.onnx", first[1], "sat"]], "line 1: "),
        ([first, first], "line 2: a second answer"),
        ([[*first, "unsat" if first[2] == "sat" else "sat"]], "line 1: two answers"),
    ):
        code, out, err = score(rows)
        assert (code, out) == (2, "")
        assert why in err
        assert err.count("\n") == 1


def test_a_query_that_was_changed(queries, score, tmp_path):
    other = tmp_path / "other"
    shutil.copytree(queries, other)
    path = other / right(queries)[0][1]
    path.write_text(path.read_text().replace("<=", ">="))
    code, _, err = score(right(queries), other)
    assert (code, err.count("\n")) == (2, 1)
    assert "is not the file that truth.json is about" in err


# The command


def test_a_network_gets_its_queries(network, tmp_path, capsys):
    copy = tmp_path / "net"
    shutil.copytree(network, copy)
    assert main(["bench", str(copy)]) == 0
    assert re.search(r"queries: \d+ queries, \d+ sat and \d+ unsat", capsys.readouterr().out)
    assert {"instances.csv", "instances-2.csv", "vnnlib-2", "truth.json", "README.md", "onnx", "vnnlib", "proofs"} == {
        path.name for path in (copy / "queries").iterdir()
    }
    assert main(["bench", str(copy)]) == 2
    assert "it exists already" in capsys.readouterr().err


def test_what_is_no_network(network, tmp_path, capsys):
    copy = tmp_path / "net"
    shutil.copytree(network, copy)
    (copy / "weights.json").write_text("{}")
    for words in ([str(tmp_path / "none")], [str(copy)], [], ["--score", "none.csv"], [str(copy), "-o", "no/where"]):
        assert main(["bench", *words]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_a_full_disk(network, tmp_path, monkeypatch, capsys):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    assert main(["bench", str(network), "-o", str(tmp_path / "q")]) == 3
    assert "No space left on device" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
    assert writing.FORMAT == "verifier.queries/2"

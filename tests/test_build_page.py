"""`verify build` writes pages: their claims hold, each is refuted by a page that is wrong, and the files of their
networks give the target to the last bit."""

import json
import re
from fractions import Fraction
from itertools import product

import pytest

import construction
from cli import main
from verifier.build.dtype import BFLOAT16, FLOAT16, FLOAT32, FLOAT64
from verifier.build.exported import contents, exported, through
from verifier.build.taken import members, taken
from verifier.checker.__main__ import main as check
from verifier.core.exact import Q
from verifier.evaluate.definition import Reading
from verifier.language.page import read
from verifier.language.tree import Name
from verifier.target.page import Asked, NoPage, page_of, plain, strips

FAIR = "f(j) = [X[j][r] * sum(X)[r] / n for r in 1..d]"
FIRST = "f(j) = [X[1][r] - sorted(X[m][r] for m in 1..n)[j] for r in 1..d]"
NETWORKS = [
    ((1, 2, 2), FAIR, {}),
    ((1, 2, 4), FAIR, {}),
    ((1, 2, 4), FAIR, {"dtype": FLOAT64}),
    ((2, 2, 2), "f(j) = [X[j][1] * sum(X)[2] / n, max(X[m][2] for m in 1..n) - 3 * sum(X[j])]", {}),
    ((1, 3, 4), FAIR, {"dtype": FLOAT64}),
    ((1, 4, 2), "f(j) = [5 - 7 * X[j][1] * max(X[m][1] for m in 1..n)]", {}),
    ((1, 2, 2), FAIR, {"dtype": FLOAT16}),
    ((1, 2, 2), FAIR, {"dtype": BFLOAT16}),
    ((1, 2, 4), FIRST, {"positional": True}),
    ((1, 3, 2), "f(j) = [X[3][1] * X[j][1]]", {"positional": True, "dtype": FLOAT64}),
    ((2, 2, 2), FIRST, {"positional": True, "dtype": FLOAT64}),
    ((1, 2, 3), FAIR, {"form": "paper"}),
    ((2, 2, 2), FAIR, {"form": "paper"}),
    ((1, 2, 2), FIRST, {"form": "paper", "positional": True}),
]
IDS = [f"{sizes} {' '.join(map(str, how.values()))[:30]}" for sizes, _, how in NETWORKS]
FLOATS = [it for it in NETWORKS if it[2].get("form") != "paper"]


def text_of(sizes, target=FAIR, *, form="float", positional=False, dtype=FLOAT32, **how):
    d, n, N = sizes
    return page_of(Asked(target, d, n, N, form, positional, dtype, **how))


def of_cases(text, *names, on="cells"):
    reading = Reading(read(text), {})
    return list(zip(*(map(plain, through(reading, Name((0, 0), name), on)) for name in names), strict=True))


def verdicts(text, folder):
    """Of each claim, by the producer; the checker agrees with the file."""
    (folder / "p.page").write_text(text)
    code = main(["--paper", str(folder / "p.page"), "-q", "--no-check", "--certificate", str(folder / "c.json")])
    assert check([str(folder / "c.json")]) == code
    found = {claim["id"]: claim["verdict"] for claim in json.loads((folder / "c.json").read_text())["claims"]}
    assert (code == 0) == (set(found.values()) == {"holds"})
    return found


@pytest.mark.parametrize(("sizes", "target", "how"), NETWORKS, ids=IDS)
def test_the_claims_hold_and_are_checked(sizes, target, how, tmp_path, capsys):
    found = verdicts(text_of(sizes, target, **how), tmp_path)
    assert set(found.values()) == {"holds"}
    assert {claim.split(".")[0] for claim in found} == {"exact", "softmax", "distance"}
    capsys.readouterr()


CHANGES = [  # a part of the page, another, and the claim that is refuted
    ("(max(x[i][r] - k*epsilon - (delta - epsilon), 0)", "2*{}", "exact.quantiser"),
    ("(delta/epsilon - 1)", "(delta/epsilon - 2)", "exact.quantiser"),
    ("(key - delta/4)", "(key - delta/8)", "exact.written"),
    ("(w[3] - S*unit(1, d) - w[2])", "(w[3] - w[2])", "exact.written"),
    ("4*N*S*", "2*N*S*", "exact.written"),
    ("max(x[i][r] - high[r], 0)", "max(x[i][r] - low[r], 0)", "exact.written"),
    ("on orders:\n", "on orders:\n", ""),
    ("lost_share <= 9/32", "lost_share <= 8/32", "exact.share"),
    ("bound < delta/8", "bound < 0*delta", "softmax.bound"),
    ("R = B^n*(B-1)/N", "R = B*(B-1)/N", "softmax.range"),
    ("for j in 1..n: len(f(j)) = d", "for j in 1..n: len(f(j)) = d + 1", "exact.size"),
    ("quantiser(start) = start", "quantiser(start) = [[2*c[r] for r in 1..d] for c in start]", "exact.mapped"),
    ("lipschitz = [2]", "lipschitz = [3]", "distance.kept"),
    ("f_low = [0]", "f_low = [-1]", "distance.anywhere"),
    ("worst <= 2501", "worst <= 2500", "distance.kept"),
]


@pytest.mark.parametrize(("right", "wrong", "claim"), CHANGES, ids=[claim or "nothing" for *_, claim in CHANGES])
def test_each_claim_is_refuted_by_a_page_that_is_wrong(right, wrong, claim, tmp_path, capsys):
    text = text_of((1, 3, 4))
    assert text.count(right) == 1
    found = verdicts(text.replace(right, wrong.format(right)), tmp_path)
    capsys.readouterr()
    assert found.get(claim, "refuted") == "refuted"
    assert claim or set(found.values()) == {"holds"}


def test_a_lost_orbit_that_is_written_refutes(tmp_path, capsys):
    """(1, 3, 4) has six: repeated columns that come to keys of others."""
    text = text_of((1, 3, 4))
    listed = re.search(r"lost = \[\[(.*?)\],", text)[0]
    assert verdicts(text.replace(listed, "lost = ["), tmp_path)["exact.written"] == "refuted"
    capsys.readouterr()


def test_which_orbits_are_lost():
    """By brute force: those with the most distinct columns first, then of the most matrices, then by rank."""
    text = text_of((1, 3, 4))
    table, lost = {}, []
    rows = of_cases(text, "numbers", "keys", "H", "A", "weight", "written")
    order = sorted(range(len(rows)), key=lambda k: (-len(set(rows[k][0])), -rows[k][4], k))
    for k in order:
        _, keys, images, targets, _, written = rows[k]
        new = {}
        fits = all(new.setdefault(key, pair) == pair for key, *pair in zip(keys, images, targets, strict=True))
        fits = fits and all(table.get(key, pair) == pair for key, pair in new.items())
        table |= new if fits else {}
        lost += [] if fits else [k]
        assert written == fits
    assert len(lost) == 6
    assert sum(rows[k][4] for k in lost) / Q(4**3) == Q(9, 32)


def vertices(L, wide):
    for shifts in product([Q(0), wide], repeat=sum(map(len, L))):
        flat = iter(shifts)
        yield [[x + next(flat) for x in column] for column in L]


@pytest.mark.parametrize(("sizes", "target", "how"), FLOATS, ids=[IDS[NETWORKS.index(it)] for it in FLOATS])
def test_onnxruntime_gives_the_target_to_the_last_bit(sizes, target, how):
    """With softmax, at the vertices of every cell: next to the strips, where it is hardest."""
    if how.get("dtype") is BFLOAT16:
        pytest.skip("onnxruntime has no bfloat16 on this processor")
    numpy, onnxruntime = pytest.importorskip("numpy"), pytest.importorskip("onnxruntime")
    text, dtype = text_of(sizes, target, **how), how.get("dtype", FLOAT32)
    b = exported(read(text), {}, None, None, dtype, soft=True)
    session = onnxruntime.InferenceSession(contents(b)["model.onnx"])
    points = [
        (X, A)
        for rank, (L, A, kept) in enumerate(of_cases(text, "start", "A", "written"))
        if kept and rank not in b.rounded
        for X in vertices(L, b.quantiser.wide)
    ]
    assert len(points) >= 8

    def floats(matrices):
        rows = [[[float(x) for x in token] for token in X] for X in matrices]
        return numpy.array(rows, dtype.name).transpose(0, 2, 1)

    X, Y = zip(*points, strict=True)
    assert (session.run(None, {"X": floats(X)})[0] == floats(Y)).all()


@pytest.mark.parametrize("sizes", [(1, 2, 2), (1, 2, 3), (2, 2, 2), (1, 3, 3)])
@pytest.mark.parametrize("positional", [False, True])
def test_the_papers_form_is_block_for_block_what_coq_proves_it_for(sizes, positional):
    """The blocks of construction.py, which test_coq_theorem2.py compares with Coq's, each without its idle half."""
    d, n, N = sizes
    if positional and sizes == (1, 3, 3):
        return  # 112 layers say no more
    target = FIRST if positional else FAIR
    text = text_of(sizes, target, form="paper", positional=positional)
    reading = Reading(read(text), {})
    number = {name: plain(reading.nothing(Name((0, 0), name), {})) for name in ("epsilon", "lambda", "F")}
    table = {
        tuple(tuple(int(N * L[j][r]) for j in range(n)) for r in range(d)): tuple(
            tuple(fraction(A[j][r]) for j in range(n)) for r in range(d)
        )
        for L, A in of_cases(text, "L", "A")
    }
    make = construction.positional_network if positional else construction.cube_network
    blocks = make(d, n, N, *map(fraction, number.values()), table.__getitem__)
    case = next(reading.cases("cells"))
    layers = [taken(case, name, at, d, range(1, n + 1)) for name, at in members(case, "whole")]
    assert len(layers) == len(blocks)
    for layer, block in zip(layers, blocks, strict=True):
        assert layer.keeps
        heads = [head for head in block.heads if any(head.W_O)]
        assert [(h.keys[0], h.queries[0], h.bias[0], h.values[0]) for h in layer.heads] == [
            (h.W_K, h.W_Q, h.b_Q, h.W_V) for h in heads
        ]
        assert [tuple(row[0] for row in h.out) for h in layer.heads] == [h.W_O for h in heads]
        nodes = zip(block.W_1, block.b_1, zip(*block.W_2, strict=True), strict=True)
        assert sorted(zip(layer.W_1, layer.b_1, zip(*layer.W_2, strict=True), strict=True)) == sorted(
            node for node in nodes if any(node[2])
        )
        assert layer.shift == block.b_2


def fraction(x):
    return Fraction(int(x.numerator), int(x.denominator))


# The command


@pytest.fixture
def build(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def run(options="--d 1 --n 2 --N 2", target="f(j) = X[j]"):
        code = main(["build", *options.split(), "--target", target, "-o", "f.page"])
        said = capsys.readouterr()
        return code, said.out, " ".join(said.err.split())

    return run


def test_a_page_that_runs_and_is_exported(build, tmp_path, capsys):
    code, out, _ = build()
    lines = len((tmp_path / "f.page").read_text().splitlines())
    assert (code, out) == (0, f"f.page: {lines} lines; `verify --paper f.page` runs its claims\n")
    assert main(["--paper", "f.page", "-q"]) == 0
    assert main(["export", "f.page", "--softmax", "-o", "net"]) == 0
    assert main(["check", "net"]) == 0
    assert "with softmax" in capsys.readouterr().out
    code, _, err = build()
    assert (code, err) == (2, "verify: -o f.page: it exists already")


def test_a_target_that_uses_other_pages_and_one_that_jumps(build, tmp_path):
    assert build(target="use recipes: relu\nf(j) = [relu(X[j][1])]")[0] == 0
    text = (tmp_path / "f.page").read_text()
    assert "# used of recipes:" in text
    assert main(["--paper", "f.page", "-q"]) == 0
    assert "claim distance" not in text_of((1, 2, 2), "f(j) = [1 if X[j][1] > 1/2 else 0]")


@pytest.mark.parametrize(
    ("options", "target", "code", "why"),
    [
        ("--d 1 --n 2", "f(j) = X[j]", 2, "--d, --n and --N are needed"),
        ("--d 0 --n 2 --N 2", "f(j) = X[j]", 2, "d = 0 is too small; d must be at least 1"),
        ("--d 1 --n 1 --N 2", "f(j) = X[j]", 2, "n must be at least 2"),
        ("--d 1 --n 2 --N 6", "f(j) = X[j]", 2, "the nearest that works is N = 4"),
        ("--d 1 --n 2 --N 1024", "f(j) = X[j]", 4, "the network has 1,050,628 layers; at most 5,000 are written"),
        ("--d 1 --n 200 --N 2", "f(j) = X[j]", 4, "columns in"),
        ("--d 1 --n 2 --N 4", "f(j) = X[1]", 2, "f tells columns apart by their places"),
        ("--d 1 --n 2 --N 4", "g(j) = X[1]", 2, "there is no function f; an example is"),
        ("--d 1 --n 2 --N 4", " ", 2, "plain lines make one; an example is"),
        ("--d 2 --n 2 --N 2", "f(j) = X[j][1]", 2, "f(1) must be a list of d = 2 numbers"),
        ("--d 1 --n 2 --N 2", "a = 1\nf(j) = Z[1]", 2, "line 2, column 8: nothing here is called Z"),
        ("--d 1 --n 2 --N 2", "f(j) = X[j]\nlayer l:\n  x[i] <- x[i]", 2, "definitions alone make one"),
        ("--d 1 --n 2 --N 2", "S = 1\nf(j) = X[j]", 2, "S"),
        ("--d 1 --n 2 --N 2 --epsilon 1/3", "f(j) = X[j]", 2, "it must be above 0 and at most delta/2 = 1/4"),
        ("--d 1 --n 2 --N 2 --epsilon 1/12", "f(j) = X[j]", 2, "it must be a power of two"),
        ("--d 1 --n 2 --N 2 --lambda 3", "f(j) = X[j]", 2, "it must be a power of two, at least"),
        ("--d 1 --n 2 --N 256 --dtype bfloat16", "f(j) = X[j]", 4, "layers"),
        ("--d 1 --n 2 --N 2 --form paper --target-bits 3", "f(j) = X[j]", 2, "--target-bits goes with --form float"),
        ("--d 1 --n 2 --N 2 --target-bits 61", "f(j) = X[j]", 2, "--target-bits 61: at most 60"),
    ],
)  # fmt: skip
def test_refusals(options, target, code, why, build, tmp_path):
    found, _, err = build(options, target)
    assert found == code
    assert why in err
    assert list(tmp_path.iterdir()) == []


def test_a_format_with_too_few_bits_is_refused_by_the_export(build, capsys):
    assert build("--d 1 --n 2 --N 4 --dtype bfloat16", FAIR)[0] == 0
    assert main(["export", "f.page", "--softmax", "--dtype", "bfloat16", "-o", "net"]) == 4
    assert "which is no number of bfloat16" in " ".join(capsys.readouterr().err.split())


def test_no_strips_are_left_in_a_narrow_format():
    with pytest.raises(NoPage, match="bfloat16 has 8 bits, too few for the quantiser of N = 256 cells"):
        strips(Asked(FAIR, 1, 2, 256, "float", False, BFLOAT16))

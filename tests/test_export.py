"""`verify export`: pages as Transformers in files. onnxruntime gives the page's tokens in every case; the checker
derives all of it again; what is no Transformer's layer is refused by name; every lie in a folder is found."""

import json
import os
from hashlib import sha256
from itertools import product

import pytest

from cli import main
from verifier.build.dtype import BFLOAT16, FLOAT16, FLOAT32, FLOAT64
from verifier.build.exported import contents, exported, told
from verifier.build.runs import NotExported
from verifier.build.taken import NotTaken
from verifier.certificate import canonical
from verifier.checker.__main__ import main as check
from verifier.evaluate.definition import Reading
from verifier.language.library import PAGES as PAGES_OF_THE_PACKAGE
from verifier.language.library import text_of as text_in
from verifier.language.page import read
from verifier.language.tree import Name

HEAD = """language 1
title "Heads of all kinds"
sizes n >= 1, k >= 2
inputs w in words: words of n letters a in {0, 1, ..., k-1}
start = [[w[i], i, 1, 0] for i in 1..n]
"""
FOOT = """
claim made, own, "a test", on words:
  "There are as many tokens."
  len(Y) = n
"""
PAGES = {
    "causal": """
layer previous:                        # the letter on the left, and 1 more, by positions; 0 for the first token
  left = read x[j][1] + 1 at max of x[j][2] over j < i
  x[i] <- x[i] + left * unit(4, 4)
layer most:
  high = read x[j][4] at max of x[j][4]
  x[i] <- x[i] + high * unit(1, 4)
network g:
  previous
  most
Y = g(start)
""",
    "ties and masks": """
layer first:
  a = read x[j][1] at leftmost max of x[j][1] * x[i][3]
  b = read x[j][2] at rightmost max of x[j][1] * x[i][3] over j != i
  c = read [x[j][1], x[j][2]] at max of 0 over j <= i
  x[i] <- [2 * x[i][1] + a, b - 1, 4 * c[1], c[2] + x[i][3], 1]
layer wide:
  x[i] <- [max(x[i][1] - x[i][2], 1/2) + |x[i][3] - 2|, min(x[i][1], x[i][4]), 3]
network g:
  first
  wide
Y = g(start)
""",
    "literal": """
layer one(v):
  x[i] <- x[i] + head(column([v, 0, 1, 0]), [[1, 0, 0, 0]], [[1, 2, 0, 0]], [[0, 1, 0, 0]], [-v])
network g:
  for v in [1, 2]: one(v)
Y = g(start)
""",
}


def text_of(name):
    return HEAD + PAGES[name] + FOOT


def made(name="ties and masks", dtype=FLOAT32, **sizes):
    return exported(read(text_of(name)), {"n": 3, "k": 3} | sizes, None, None, dtype)


def folder(path, files):
    path.mkdir(exist_ok=True)
    for name, data in files.items():
        (path / name).write_bytes(data)
    return str(path / "certificate.json")


def tokens(name, sizes):
    """The page's tokens of each case, before and after."""
    reading = Reading(read(text_of(name)), sizes)
    for case in reading.cases("words"):
        yield tuple(
            [[float(x) for x in token.items] for token in case(Name((0, 0), which), {}).items]
            for which in ("start", "Y")
        )


@pytest.mark.parametrize("dtype", [FLOAT32, FLOAT64], ids=lambda dtype: dtype.name)
@pytest.mark.parametrize("name", PAGES)
def test_onnxruntime_gives_the_pages_tokens_in_every_case(name, dtype):
    numpy, onnxruntime = pytest.importorskip("numpy"), pytest.importorskip("onnxruntime")
    b = made(name, dtype, n=4)
    assert not (b.rounded and name != "ties and masks")
    session = onnxruntime.InferenceSession(contents(b)["model.onnx"])
    for rank, (X, Y) in enumerate(tokens(name, {"n": 4, "k": 3})):
        found = session.run(None, {"X": numpy.array([X], dtype.name).transpose(0, 2, 1)})[0]
        wanted = numpy.array([Y], dtype.name).transpose(0, 2, 1)
        assert rank in b.rounded or (found == wanted).all(), (X, found, wanted)
    assert rank == 80


@pytest.mark.parametrize("dtype", [FLOAT32, FLOAT64, FLOAT16, BFLOAT16], ids=lambda dtype: dtype.name)
@pytest.mark.parametrize("name", PAGES)
def test_the_checker_derives_all_of_it(name, dtype, tmp_path, capsys):
    assert check([folder(tmp_path / "net", contents(made(name, dtype)))]) == 0
    said = capsys.readouterr().out
    assert f" in {dtype.name}: the page's tokens, exactly, in all 27 cases of words with 3 tokens" in said


def test_a_mean_that_no_float_has_is_named():
    """Of three equal scores the mean of places: 2 is exact; of letters 0, 0, 1 it is 1/3."""
    b = made(n=3, k=2)
    assert 0 not in b.rounded
    assert b.rounded
    assert all(sum(word) % 3 for word in (list(product(range(2), repeat=3))[rank] for rank in b.rounded))


@pytest.mark.parametrize(
    ("layer", "why"),
    [
        ("  x[i] <- [i + x[i][1]]", "line 6: the layer l depends on where a token stands; put the place into the"),
        ("  x[i] <- [x[i][1] / 3]", "the layer l has the weight 1/3, which is no number of float32"),
        (
            "  r = read x[j] at max of j\n  x[i] <- r",
            "line 6: the layer l has no matrices: a score or",
        ),
        ("  r = read x[j][1] at max of 0 over j < i else 1\n  x[i] <- [r]", "or there is a value for reads of nothing"),
        (
            "  r = read x[j][1] at max of x[j][1]^2\n  x[i] <- [r]",
            "generalised: the score of r isn't affine in x[j].",
        ),
        ("  x[i] <- [2^30 * x[i][1] + x[i][3]]", "the layer l needs 32 bits, and float32 has 24"),
        ("  x[i] <- [1 if x[i][1] > 0 else 1/3]", "the layer l has the weight 1/3, which is no number of float32"),
    ],
)
def test_what_is_no_transformers_layer_is_refused_with_line_reason_and_remedy(layer, why):
    page = read(f"{HEAD}layer l:\n{layer}\nnetwork g:\n  l\nY = g(start)\n{FOOT}")
    with pytest.raises((NotTaken, NotExported), match="layer l") as error:
        exported(page, {"n": 2, "k": 3}, None, None, FLOAT32)
    assert why in str(error.value)


TABLES = {
    "a comparison": "[1 if x[i][1] > 0 else 0]",
    "of an entry that is kept": "x[i] + (3 if x[i][1] = 1 else 0) * unit(1, 4)",
    "a product": "[x[i][1] * x[i][1] - x[i][2]]",
    "of two entries": "[1 if x[i][1] + 1 = x[i][2] else 0, x[i][3]]",
    "a list": "[[5, 1, -3][1 + x[i][1]]]",
    "a ReLU in a ReLU": "[max(max(x[i][1], 0) - 1, 0)]",
    "len": "[len(x) * x[i][1], 1 if x[i][1] = len(x) else 0]",
}


@pytest.mark.parametrize("last", TABLES.values(), ids=TABLES)
def test_a_table_is_relus_through_the_values_that_occur(last, tmp_path, capsys):
    numpy, onnxruntime = pytest.importorskip("numpy"), pytest.importorskip("onnxruntime")
    text = f"{HEAD}layer l:\n  x[i] <- {last}\nnetwork g:\n  l\nY = g(start)\n{FOOT}"
    b = exported(read(text), {"n": 2, "k": 3}, None, None, FLOAT32)
    session = onnxruntime.InferenceSession(contents(b)["model.onnx"])
    reading = Reading(read(text), {"n": 2, "k": 3})
    for case in reading.cases("words"):
        X, Y = (
            numpy.array([[[float(x) for x in token.items] for token in case(Name((0, 0), name), {}).items]], "f4")
            for name in ("start", "Y")
        )
        assert (session.run(None, {"X": X.transpose(0, 2, 1)})[0] == Y.transpose(0, 2, 1)).all()
    assert check([folder(tmp_path / "net", contents(b))]) == 0
    assert "in all 9 cases" in capsys.readouterr().out


def test_a_table_says_so():
    page = read(f"{HEAD}layer l:\n  x[i] <- {TABLES['a comparison']}\nnetwork g:\n  l\nY = g(start)\n{FOOT}")
    b = exported(page, {"n": 2, "k": 3}, None, None, FLOAT32)
    assert told(b).endswith("Of l the ReLUs go through the values that occur.")
    assert "values that occur" not in told(made("ties and masks"))


def test_a_value_that_the_text_makes_elsewhere_is_no_value_of_the_weights(tmp_path, capsys):
    """The same files with a page whose table has another entry: the checker finds the case."""
    text = f"{HEAD}layer l:\n  x[i] <- [[5, 1, -3][1 + x[i][1]]]\nnetwork g:\n  l\nY = g(start)\n{FOOT}"
    files = contents(exported(read(text), {"n": 2, "k": 3}, None, None, FLOAT32))
    cert = json.loads(files["certificate.json"]) | {"page": text.replace("1, -3", "1, -4")}
    assert check([folder(tmp_path / "lie", files | {"certificate.json": canonical(cert)})]) == 1
    assert "the tokens of the page: case 2" in capsys.readouterr().out


def test_tokens_that_no_float_has(tmp_path, capsys):
    text = text_of("literal").replace("[w[i], i, 1, 0]", "[w[i] / 3, i, 1, 0]")
    with pytest.raises(NotExported, match="case 1 of words has a token with 1/3, which is no number of float32"):
        exported(read(text), {"n": 2, "k": 2}, None, None, FLOAT32)
    files = contents(made("literal", n=2, k=2))
    cert = json.loads(files["certificate.json"])
    lie = files | {"certificate.json": canonical(cert | {"page": text})}
    assert check([folder(tmp_path / "lie", lie)]) == 1
    assert "tokens that float32 has" in capsys.readouterr().out


def test_which_definition_and_which_inputs():
    page = read(text_of("literal").replace("Y = g(start)", "V = g(start)\nZ = g(V)").replace("len(Y)", "len(V)"))
    with pytest.raises(NotExported, match=r"several definitions run a network .* names one of: V, Z"):
        exported(page, {"n": 2, "k": 2}, None, None, FLOAT32)
    assert exported(page, {"n": 2, "k": 2}, "Z", "words", FLOAT32).name == "Z"
    with pytest.raises(NotExported, match="the network runs on no inputs others"):
        exported(page, {"n": 2, "k": 2}, "Z", "others", FLOAT32)


def test_a_run_within_an_expression_becomes_a_definition_of_the_page(tmp_path, capsys):
    text = text_of("literal").replace("Y = g(start)", "Y = g(start)[1]").replace("len(Y) = n", "Y[1] >= 0")
    b = exported(read(text), {"n": 2, "k": 2}, None, None, FLOAT32)
    assert (b.name, b.page.text) == ("exported", f"{text}# the run of which the certificate is\nexported = g(start)\n")
    assert check([folder(tmp_path / "net", contents(b))]) == 0
    assert "exported of the page at k = 2, n = 2, 2 layers" in capsys.readouterr().out
    marked = read(f"Words.\n```page\n{text}```\nMore.\n")
    assert exported(marked, {"n": 2, "k": 2}, None, None, FLOAT32).layers == b.layers


@pytest.mark.parametrize(
    ("claim", "run", "why"),
    [
        (
            "for k in 1..n: h(k, start)[1][1] >= 0",
            None,
            "no definition is the run of a network alone; write one",
        ),
        ("g(start) != h(1, start)", None, r"--run names one of: 'g\(start\)', 'h\(1, start\)'$"),
        ("g(start)[1][1] >= 0", "g(strat)", r"--run g\(strat\): .*strat"),
        ("g(start)[1][1] >= 0", "n + 1", r"--run n \+ 1: it is no run of a network; it names one of: 'g\(start\)'"),
        ("g(start)[1][1] >= 0", "start", r"start is no run of a network alone \(`Y = g\(...\)`\); --run names one of"),
        ("layers(g(start)) = 1", None, "no definition is the run of a network alone; write one"),
        ("g([[1]])[1][1] >= 0", None, "the network runs on no inputs: its tokens are the same in every case"),
    ],
)
def test_which_run_within_expressions(claim, run, why):
    page = f"{HEAD}layer l:\n  x[i] <- x[i]\nnetwork g:\n  l\nnetwork h(k):\n  l\n{FOOT.replace('len(Y) = n', claim)}"
    page = page.replace("layers(g(start))", "layers(g)")
    with pytest.raises(NotExported, match=why):
        exported(read(page), {"n": 2, "k": 2}, run, None, FLOAT32)


LENGTHS = """language 1
sizes n >= 1
inputs w in words: words of 1..n letters a in {0, 1}
m = len(w)
layer l(m):
  a = read m * x[j][1] at max of 0 over j <= i
  x[i] <- [a + len(x)]
layer last(m):
  x[i] <- [m if x[i][1] <= m else len(x) + 1]
network g(m):
  l(m)
  last(m)
claim made, own, "a test", on words:
  "It is so."
  for i in 1..m: g(m, [[w[j]] for j in 1..m])[i][1] >= m
"""


def test_arguments_that_depend_on_the_length_of_the_case(tmp_path, capsys):
    """Weights are those of the longest cases."""
    b = exported(read(LENGTHS), {"n": 2}, None, None, FLOAT32)
    assert (b.cases, b.n, b.layers[0].name) == (4, 2, "l(2)")
    assert check([folder(tmp_path / "net", contents(b))]) == 0
    capsys.readouterr()
    same = LENGTHS.replace("for j in 1..m])[i]", "for j in 1..1])[1]").replace("for i in 1..m: ", "")
    with pytest.raises(NotExported, match="g has other weights in case 2 of words than in case 0"):
        exported(read(same), {"n": 2}, None, None, FLOAT32)


def test_tokens_from_index_0_and_a_mask_by_place(tmp_path, capsys):
    text = LENGTHS.replace("over j <= i", "over j < 1").replace("[[w[j]] for j in 1..m])[i]", "from0)[i]")
    text = text.replace("network g", "from0[j] = [w[j + 1]] for j in 0..m-1\nnetwork g")
    text = text.replace("for i in 1..m: ", "for i in 0..m-1: ").replace(">= m", ">= 0")
    assert check([folder(tmp_path / "net", contents(exported(read(text), {"n": 2}, None, None, FLOAT32)))]) == 0
    capsys.readouterr()


@pytest.mark.parametrize(
    ("name", "sizes", "run"),
    [
        ("parity", {"n": 1}, "parity(m, start)"),
        ("parity", {"n": 2}, "first(start)"),
        ("ltl", {"n": 2}, "S_U(start)"),
        ("palindrome", {"n": 3, "top": 2, "bottom": 1, "tail": 0}, None),
        ("sums_of_powers", {"n": 2, "N": 3, "base": 2}, None),
        ("cookbook_words", {"n": 2, "N": 2}, None),
        ("recipes", {"n": 2, "N": 2}, "shared([[t, 0, 0] for t in w])"),
        ("yun2020", {"d": 1, "n": 2, "N": 2}, "Y_0"),
    ],
)
def test_pages_of_the_package(name, sizes, run, tmp_path, capsys):
    page = read(text_in(PAGES_OF_THE_PACKAGE / f"{name}.page"))
    files = contents(exported(page, sizes, run, None, FLOAT32))
    assert check([folder(tmp_path / "net", files)]) == 0
    assert "checked in full" in capsys.readouterr().out


def others(value):
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return f"{value}x" if not value.isdigit() else str(int(value) + 1)
    return ["x"] if value is None else None


def leaves(value, path=()):
    for step, part in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        if isinstance(part, dict | list):
            yield from leaves(part, (*path, step))
        else:
            yield (*path, step)


def changed(value, path):
    lie = json.loads(json.dumps(value))
    at = lie
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = others(at[path[-1]])
    return lie


def test_every_leaf_of_the_certificate_and_of_the_weights_is_checked(tmp_path, capsys):
    files = contents(made(n=2, k=2))
    for name in ("certificate.json", "weights.json"):
        value, tried = json.loads(files[name]), 0
        for path in leaves(value):
            if path in (("format",), ("page",)):
                continue
            lie = files | {name: canonical(changed(value, path))}
            if name == "weights.json":
                cert = json.loads(files["certificate.json"])
                cert["files"][name] = sha256(lie[name]).hexdigest()
                lie["certificate.json"] = canonical(cert)
            assert check([folder(tmp_path / "lie", lie)]) in (1, 2, 4), path
            tried += 1
        assert tried > 10
    capsys.readouterr()


def test_weights_that_make_other_tokens_are_rejected_even_if_all_files_agree(tmp_path, capsys):
    """The honest files of another page's network, with this page's certificate."""
    right, other = (contents(made("literal", n=2, k=v)) for v in (2, 2))
    page = text_of("literal").replace("[v, 0, 1, 0]", "[v, 0, 2, 0]")
    other = contents(exported(read(page), {"n": 2, "k": 2}, None, None, FLOAT32))
    cert = json.loads(other["certificate.json"])
    cert["page"] = json.loads(right["certificate.json"])["page"]
    assert check([folder(tmp_path / "lie", other | {"certificate.json": canonical(cert)})]) == 1
    assert "the tokens of the page: case" in capsys.readouterr().out


def test_the_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.page").write_text(text_of("literal"))
    assert main(["export", "p.page", "--n", "2", "--k", "3", "-o", "net"]) == 0
    assert "Y = g(...): 2 layers, at most 1 head, 2 tokens." in capsys.readouterr().out
    assert main(["check", "net"]) == 0
    assert sorted(os.listdir("net")) == [
        *("README.md", "certificate.json", "model.onnx", "model.py", "model.safetensors", "weights.json")
    ]
    capsys.readouterr()
    for words, code, why in (
        (["p.page", "--n", "2", "--k", "3", "-o", "net"], 2, "it exists already"),
        (["p.page", "--n", "2", "-o", "other"], 2, "--k is missing"),
        (["p.page", "--n", "x", "-o", "other"], 2, "'--n': 'x' is not a whole number"),
        (["p.page", "--n", "2", "--k", "3", "--out", "other"], 2, "no option '--out'; did you mean --output?"),
        (
            ["p.page", "--n", "2", "--k", "3", "-o", "other", "--runs", "Y"],
            2,
            "no option '--runs'; did you mean --run?",
        ),
        (["p.page", "--n", "2", "--k", "3"], 2, "-o is missing"),
        (["p.page", "parity", "--n", "2", "-o", "other"], 2, "'parity' is more than `verify export` takes"),
        (["none.page", "-o", "other"], 2, "none.page"),
        (["p.page", "--n", "9", "--k", "9", "-o", "other"], 4, "cases"),
    ):
        assert main(["export", *words]) == code, words
        assert why in capsys.readouterr().err
    assert not (tmp_path / "other").exists()

"""`verify build`: what it says, what it refuses in one line each, and where files go."""

import json
import os

import pytest

from cli import main


@pytest.fixture
def verify(tmp_path, monkeypatch, capsys):
    """verify("--d 1 ...", more words) -> exit code, stdout, stderr."""
    monkeypatch.chdir(tmp_path)

    def run(options, *words):
        code = main(["build", *options.split(), *words])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


HERE, NET = "--d 1 --n 2 --N 4", "-o net"


def test_a_network(verify, tmp_path):
    code, out, err = verify(
        f"{HERE} --dtype float32 {NET}", "--target", "f(j) = [X[j][r] * sum(X)[r] / n for r in 1..d]"
    )
    assert (code, err) == (0, "")
    assert "28 layers, 203 parameters, form float" in out
    assert "equal to the target, on 10 of 10 orbits" in out
    assert "exact off the strips: 18 of 24 bits are needed" in out
    assert "in net" in out
    assert json.loads((tmp_path / "net/certificate.json").read_text())["dtype"] == "float32"


def test_positions_and_the_papers_form(verify, tmp_path):
    assert verify(f"{HERE} --positional {NET}", "--target", "f(j) = X[1]")[0] == 0
    code, out, _ = verify("--d 1 --n 2 --N 3 --form paper -o paper", "--target", "f(j) = X[j]")
    assert code == 0
    assert "not exact" in out
    assert json.loads((tmp_path / "paper/certificate.json").read_text())["form"] == "paper"


def test_a_target_of_several_lines(verify, tmp_path):
    lines = "half(a) = a / 2\nf(j) = [half(X[j][1]) if X[j][1] < 1/2 else 5]"
    code, out, _ = verify("--d 1 --n 2 --N 2 -o net", "--target", lines)
    assert code == 0
    assert "no modulus of continuity follows from the target (a comparison looks at" in " ".join(out.split())
    assert json.loads((tmp_path / "net/certificate.json").read_text())["target"] == lines


@pytest.mark.parametrize(
    ("options", "target", "code", "why"),
    [
        (f"--d 1 --n 2 {NET}", "f(j) = X[j]", 2, "--d, --n and --N are needed"),
        (f"{HERE} {NET}", None, 2, "--target is missing: a function, as in"),
        (HERE, "x", 2, "-o is missing"),
        (f"{HERE} -o there", "f(j) = X[j]", 2, "-o there: it exists already"),
        (f"{HERE} -o no/net", "f(j) = X[j]", 2, "-o no/net: its parent folder doesn't exist"),
        (f"--d 0 --n 2 --N 4 {NET}", "f(j) = X[j]", 2, "d = 0 is too small"),
        (f"--d 1 --n 1 --N 4 {NET}", "f(j) = X[j]", 2, "n = 1 is too small"),
        (f"--d 1 --n 2 --N 3 {NET}", "f(j) = X[j]", 2, "N = 3 is no power of two"),
        (f"--d 1 --n 2 --N 1024 {NET}", "f(j) = X[j]", 4, "1,050,628 layers; --max-layers is 5,000"),
        (f"--d 1 --n 2 --N 1024 --form paper {NET}", "f(j) = X[j]", 4, "2,097,154 layers; --max-layers is 5,000"),
        (f"--d 9 --n 90 --N 16 {NET}", "f(j) = X[j]", 4, "about 2^2787 layers; --max-layers is 5,000"),
        (f"{HERE} --max-layers 27 {NET}", "f(j) = X[j]", 4, "28 layers; --max-layers is 27"),
        (f"{HERE} {NET}", "f(j) = foo(X[j])", 2, "--target: line 1, column 8: there is no function foo"),
        (f"{HERE} {NET}", "f(j) = X[1]", 2, "or give --positional"),
        (f"{HERE} --dtype float8 {NET}", "f(j) = X[j]", 2, "float8"),
        (
            f"{HERE} --dtype bfloat16 {NET}",
            "f(j) = X[j]",
            4,
            "needs 14 bits at (d, n, N) = (1, 2, 4), and bfloat16 has 8; the",
        ),
        (f"{HERE} --dtype float16 {NET}", "f(j) = 70000 * X[j]", 4, "the smallest format that does is float32"),
        (f"{HERE} --epsilon 1/3 {NET}", "f(j) = X[j]", 2, "epsilon = 1/3: it must be a power of two"),
        (f"{HERE} --epsilon 0.1 {NET}", "f(j) = X[j]", 2, "is not a rational"),
        (f"{HERE} --epsilon 1/2 --form paper {NET}", "f(j) = X[j]", 2, "at most delta/2 = 1/8"),
        (f"{HERE} --lambda 64 {NET}", "f(j) = X[j]", 2, "lambda = 64: it must be a power of two, at least"),
        (f"{HERE} --lambda 64 --form paper {NET}", "f(j) = X[j]", 2, "the proof needs at least"),
        (f"{HERE} --target-bits 8 --form paper {NET}", "f(j) = X[j]", 2, "--target-bits goes with --form float"),
        (f"{HERE} --target-bits 1000 {NET}", "f(j) = X[j]", 2, "at most 200"),
        (
            f"{HERE} --form paper {NET}",
            "f(j) = 10000 * X[j]",
            2,
            "ids of values reach 30000, and ((0, 1),) has the key 209",
        ),
        (f"{HERE} {NET}", "f(j) = 1" + "0" * 78 + " * X[j]", 4, "bits"),
    ],
)
def test_refusals(verify, tmp_path, options, target, code, why):
    (tmp_path / "there").mkdir()
    got, out, err = verify(options, *([] if target is None else ["--target", target]))
    assert (got, out) == (code, "")
    assert why in err
    assert err.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["there"]


def test_overflow_is_said(verify):
    code, _, err = verify(f"{HERE} {NET}", "--target", "f(j) = 10^312 * X[j]")
    assert code == 4
    assert "float64" in err
    assert err.count("\n") == 1


def test_a_full_disk(verify, tmp_path, monkeypatch):
    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    code, out, err = verify(f"{HERE} {NET}", "--target", "f(j) = X[j]")
    assert (code, out) == (3, "")
    assert "No space left on device" in err
    assert list(tmp_path.iterdir()) == []

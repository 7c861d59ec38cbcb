"""Numbers longer than a file holds, 4,000 digits: the checker tells their size and rejects what stands there instead;
what would have them isn't written. Nothing of this ends with 70."""

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from build_truth import built
from cli import main as command
from verifier.build.folder import contents
from verifier.build.plan import build_paper
from verifier.certificate import TooLong, canonical
from verifier.checker.__main__ import main
from verifier.checker.build.distance import softmax
from verifier.checker.build.form import Shape
from verifier.checker.core import limits
from verifier.checker.core.comparing import Rejected, compare
from verifier.checker.core.reading import MOST_DIGITS, brief, rational, text_of
from verifier.core.exact import Q

ROOT = Path(__file__).parent.parent
CERTIFICATES = ROOT / "proofs/certificates"
LONG = 10**5000
REJECTED, UNREADABLE, OVER_LIMIT = 1, 2, 4


# The checker


def test_a_number_is_written_if_a_file_can_hold_it():
    assert text_of(10 ** (MOST_DIGITS - 1)) == "1" + "0" * (MOST_DIGITS - 1)
    assert text_of(Fraction(-3, 7)) == "-3/7"
    for number in (LONG, -LONG, Fraction(1, LONG), Fraction(LONG, 7)):
        assert text_of(number) == "a number of 16,610 bits"


def test_the_checker_takes_what_the_producer_writes():
    for number in ("9" * 4000, "9" * 1999 + "/1" + "0" * 2000, "-1/" + "7" * 3999):
        rational(number, "here")
        assert json.loads(canonical({"x": number})) == {"x": number}
    for number in ("9" * 4001, "9" * 2000 + "/1" + "0" * 2000, "1/" + "7" * 4000):
        with pytest.raises(TooLong, match="numbers of more than 4,000 digits"):
            canonical({"x": [number]})
    with pytest.raises(TooLong, match="numbers of more than 4,000 digits"):
        canonical({"x": LONG})
    with pytest.raises(TooLong, match="a file of 15 bytes, and at most 12 are read"):
        canonical({"x": "12"}, 12)


def test_long_whole_numbers_are_compared_and_quoted():
    for expected, found in ((LONG, 3), ({"total": {"matrices": LONG}}, {"total": {"matrices": 3}}), (LONG, "x")):
        with pytest.raises(Rejected, match="expected a number of 16,610 bits, found"):
            compare(expected, found, "coverage", "FORMAT 8")
    assert brief({"matrices": LONG}) == "dict with a number of more than 4000 digits"


# Limits


@pytest.mark.parametrize("most", ["9999999999999999", "9999999999999999999"])
def test_a_limit_as_large_as_can_be_typed(most):
    path = CERTIFICATES / "d1-n2-N2.json"
    done = subprocess.run(
        [sys.executable, "-m", "verifier.checker", "--max-points", most, str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_limit_that_a_system_can_be_told(monkeypatch):
    told = []
    monkeypatch.setattr(limits, "seconds_at_most", told.append)
    monkeypatch.setattr(limits, "bytes_at_most", told.append)
    limits.bound(10**30, 10**30)
    limits.bound(5, 6)
    assert told == [10**9, 10**9 << 20, 5, 6 << 20]


# What can't be read isn't written


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ("--lambda 262144", "lambda = 262144: at (d, n, N) = (1, 2, 2) at most 32768 is built"),
        (f"--lambda {2**100}", "at most 32768 is built"),
        (f"--form paper --epsilon 1/{10**988 + 7}", "float64 has no number as large as a number of about 2^3281"),
        (f"--form paper --epsilon {10**290 + 1}/{10**900 + 7}", "float64 has no number"),
        (f"--form paper --epsilon {10**993 + 1}/{10**998 + 7}", "numbers of more than 4,000 digits"),
    ],
)
def test_a_network_whose_certificate_nobody_could_read(options, why, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = f"build --d 1 --n 2 --N 2 {options} -o net"
    assert command([*words.split(), "--target", "f(j) = X[j]"]) == OVER_LIMIT
    assert why in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_the_largest_lambda_that_is_built_can_be_checked(tmp_path, capsys):
    words = ["build", *["--d", "1", "--n", "2", "--N", "2", "--lambda", "32768"], "--target", "f(j) = X[j]", "-o"]
    assert command([*words, str(tmp_path / "net")]) == 0
    assert main([str(tmp_path / "net/certificate.json")]) == 0
    assert "checked in full" in capsys.readouterr().out


def test_a_file_of_more_bytes_than_are_read(monkeypatch):
    monkeypatch.setattr("verifier.build.folder.MOST_BYTES", 5000)
    with pytest.raises(TooLong, match=r"[a-z.]+ would have [0-9,]+ bytes, and at most 5,000 are read"):
        contents(built((1, 2, 2)))


# What is built, forged


def forged(tmp_path, files, change):
    document = json.loads(files["certificate.json"])
    change(document)
    for name, data in (files | {"certificate.json": json.dumps(document).encode()}).items():
        (tmp_path / name).write_bytes(data)
    return main([str(tmp_path / "certificate.json")])


@pytest.mark.parametrize("rate", [2**18, 2**100, 2**199])
def test_a_lambda_whose_bound_no_file_can_hold(rate, tmp_path):
    code = forged(tmp_path, contents(built((1, 2, 2))), lambda cert: cert["parameters"].update({"lambda": str(rate)}))
    assert code == REJECTED
    with pytest.raises(Rejected, match=r"parameters\.lambda: expected so small that"):
        softmax(Shape(1, 2, 2, False, Fraction(1, 8), Fraction(rate)))


def test_a_target_of_4500_digits(tmp_path, capsys):
    def change(cert):
        cert["target"] = "f(j) = [X[j][1] + 10^-4500]"

    assert forged(tmp_path, contents(built((1, 2, 2), make=build_paper)), change) == REJECTED
    assert 'orbits[0].target[0][0]: expected "a number of' in capsys.readouterr().out


def test_an_epsilon_of_989_digits(tmp_path, capsys):
    def change(cert):
        cert["parameters"]["epsilon"] = f"1/{10**3990 + 7}"

    assert forged(tmp_path, contents(built((1, 2, 2), make=build_paper, epsilon=Q(1, 64))), change) == REJECTED
    assert "layer 0 (quantise.1.0), W_2: expected numbers that float64 has, found" in capsys.readouterr().out

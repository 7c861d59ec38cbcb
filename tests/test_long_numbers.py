"""Numbers longer than a file holds, 4,000 digits: the checker tells their size and rejects what stands there instead;
what would have them isn't written. Nothing of this ends with 70."""

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from cli import main as command
from verifier.build.dtype import FLOAT32
from verifier.build.exported import contents, exported
from verifier.certificate import TooLong, canonical
from verifier.checker.__main__ import main
from verifier.checker.core import limits
from verifier.checker.core.comparing import Rejected, compare
from verifier.checker.core.reading import MOST_DIGITS, brief, rational, text_of
from verifier.language.page import read
from verifier.target.page import Asked, page_of

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


@pytest.mark.parametrize("rate", [262144, 2**100])
def test_a_page_whose_certificate_nobody_could_read(rate, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = f"build --d 1 --n 2 --N 2 --lambda {rate} -o f.page"
    assert command([*words.split(), "--target", "f(j) = X[j]"]) == OVER_LIMIT
    assert "lambda is too large: at (d, n, N) = (1, 2, 2) at most 32768 is written" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_the_largest_lambda_that_is_written_can_be_checked(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ["build", *["--d", "1", "--n", "2", "--N", "2", "--lambda", "32768"], "--target", "f(j) = X[j]", "-o"]
    assert command([*words, "f.page"]) == 0
    assert command(["--paper", "f.page", "-q", "--certificate", "c.json"]) == 0
    assert main(["c.json"]) == 0


def test_a_file_of_more_bytes_than_are_read(monkeypatch):
    monkeypatch.setattr("verifier.build.exported.MOST_BYTES", 5000)
    page = read(page_of(Asked("f(j) = X[j]", 1, 2, 2, "float", False, FLOAT32)))
    with pytest.raises(TooLong, match=r"[a-z.]+ would have [0-9,]+ bytes, and at most 5,000 are read"):
        contents(exported(page, {}, None, None, FLOAT32))

"""Numbers longer than a file holds, 4,000 digits: the checker tells their size and rejects what stands there instead;
what would have them isn't written. Nothing of this ends with 70."""

import json
import os
import signal
import subprocess
import sys
import time
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


def spent(_):
    """Half a second of processor time."""
    begin = time.process_time()
    while time.process_time() - begin < 0.5:
        pass
    return True


TOGETHER = """
import sys
sys.path[:0] = [{folder!r}]
from test_long_numbers import spent
from verifier.checker.core.comparing import OverLimit
from verifier.checker.core.limits import bound
from verifier.checker.core.parallel import each
if __name__ == "__main__":
    bound({seconds}, 1000)
    try:
        print(sum(each(spent, [(k,) for k in range(6)], 3)))
    except OverLimit as error:
        print(error)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("seconds", "said"), [(30, "6"), (2, "more processor time than the limit allows")])
def test_a_limit_is_for_all_processes_together(seconds, said, tmp_path):
    """Six items of half a second, in three processes: three seconds."""
    script = tmp_path / "together.py"
    script.write_text(TOGETHER.format(folder=str(Path(__file__).parent), seconds=seconds))
    path = os.pathsep.join([str(ROOT), str(Path(__file__).parent)])
    env = os.environ | {"PYTHONPATH": path}
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, env=env, check=False)
    assert (done.stderr, done.stdout.startswith(said)) == ("", True)


def test_what_each_process_may_use(monkeypatch):
    """Each has what this process has, and its part of the rest."""
    monkeypatch.setattr(signal, "getitimer", lambda _: (30.0, 0))
    assert limits.share_of_each(3) == (10, 0)  # no limit on memory is in force here
    if sys.platform == "linux":
        import resource

        monkeypatch.setattr(resource, "getrlimit", lambda _: (2**40, 2**40))
        assert limits.share_of_each(1) == (30, 2**40)
        used = [(k * limits.share_of_each(k)[1] - 2**40) // (k - 1) for k in (2, 5)]
        status = Path("/proc/self/status").read_text().split()
        size = int(status[status.index("VmSize:") + 1]) << 10
        assert all(abs(its - size) < 2**24 for its in used)
        monkeypatch.setattr(resource, "getrlimit", lambda _: (4096, 2**40))
        assert 2**23 < limits.share_of_each(2)[1] < 2**36  # no less than there is
    monkeypatch.setattr(sys, "platform", "darwin")
    assert limits.share_of_each(3) == (10, 0)
    monkeypatch.delattr(signal, "getitimer")
    assert limits.share_of_each(3) == (0, 0)


def test_what_other_processes_used_is_taken_off(monkeypatch):
    taken = []
    monkeypatch.setattr(limits, "seconds_at_most", taken.append)
    for left in (30.0, 0):
        monkeypatch.setattr(signal, "getitimer", lambda _, left=left: (left, 0))
        limits.take_off(12)
        limits.take_off(99)
    assert taken == [18, 1 / 1000]  # and nothing where there is no limit


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
    words = f"build --d 1 --n 2 --N 2 --target x {options} -o net"
    assert command(words.split()) == OVER_LIMIT
    assert why in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_the_largest_lambda_that_is_built_can_be_checked(tmp_path, capsys):
    words = "build --d 1 --n 2 --N 2 --target x --lambda 32768 -o"
    assert command([*words.split(), str(tmp_path / "net")]) == 0
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


def test_a_target_of_500_long_factors(tmp_path, capsys):
    text = "*".join(f"(x+1/{10**39 + k})" for k in range(249))

    def change(cert):
        cert["target"]["text"] = text

    assert forged(tmp_path, contents(built((1, 2, 2), make=build_paper)), change) == REJECTED
    assert 'orbits[0].target[0][0]: expected "a number of' in capsys.readouterr().out


def test_an_epsilon_of_989_digits(tmp_path, capsys):
    def change(cert):
        cert["parameters"]["epsilon"] = f"1/{10**3990 + 7}"

    assert forged(tmp_path, contents(built((1, 2, 2), make=build_paper, epsilon=Q(1, 64))), change) == REJECTED
    assert "layer 0 (quantise.1.0), W_2: expected numbers that float64 has, found" in capsys.readouterr().out

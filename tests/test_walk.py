"""`verify explain --paper`: a case of any paper, told by its construction or layer by layer."""

import shlex

import pytest

from cli import main

TOLD, MALFORMED = 0, 2


@pytest.fixture
def said(capsys):
    def run(words):
        code = main(shlex.split(f"explain --paper bigbird --d 1 --n 2 --N 2 {words}"))
        streams = capsys.readouterr()
        return code, streams.out + streams.err

    return run


def test_one_context_through_what_is_printed_and_through_the_repair(said):
    """The numbers of test_bigbird.py's two contexts by hand."""
    code, text = said("--matrix '0,0,2;1,0,0'")
    assert code == TOLD
    assert "ids   u^T x_0 | u^T x_1, ..., u^T x_2 = 4 | 0, 2\n" in text
    printed, repair = text.split("As printed\n")[1].split("The repair: ")
    assert "high 1   4 | 0, 2                  1 level, 8: no token is there\n" in printed
    assert "low 2    4 | 0, 6                  4 levels, 2 to 7/2: level 2 shifts token 2\n" in printed
    assert "last     4 | 0, 6                  no level: its interval, from 22 on, is empty\n" in printed
    assert "high 2   212 | 8, 54               9 levels, 24 to 28: level 28 shifts the global token\n" in repair
    assert f"q        {8 + 16 * (212 - 8)}, {54 + 16 * (212 - 54)}\n" in repair


def test_the_contexts_that_refute_a_claim(said):
    code, text = said("--claim bigbird.global")
    assert code == TOLD
    assert "counterexample: f~_0^n of one context = 4, not > f~_0^n of another = 4" in text
    assert text.count("As printed") == 2
    code, text = said("--claim bigbird.start")
    assert (code, "As printed" in text) == (TOLD, False)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("--matrix '0,0,9;1,0,0'", "[0, 0, 9; 1, 0, 0] is no context at (d, n, N) = (1, 2, 2); the first of the 4 is"),
        ("--matrix x", "'x' is not a rational"),
        ("--claim nope", "no claim 'nope'"),
        ("--claim bigbird.low --format json", "work for yun2020 only, not for bigbird2020"),
        ("--paper nobody --claim a", "given 2 times"),
    ],
)
def test_a_mistake_is_named(said, words, why):
    code, text = said(words)
    assert (code, why in text) == (MALFORMED, True), text

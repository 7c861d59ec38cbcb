"""Limits of nesting (LANGUAGE.md 6): both programs' parsers read a page, or neither does."""

import pytest

from verifier.checker.core.comparing import OverLimit
from verifier.checker.page.derive import deep
from verifier.checker.page.tree import parse
from verifier.language.page import read
from verifier.language.words import Refused

HEAD = "language 1\nsizes n >= 1\ninputs X in G: words of n letters a in {0, 1}\n"
CLAIM = 'claim a.b, own, "-", on G:\n  "some words"\n'


def loops(k):
    return "".join(f"for a{place} in 1..1: " for place in range(k))


def blocks(k):
    return "".join("  " * (place + 1) + f"for a{place} in 1..1:\n" for place in range(k)) + "  " * (k + 1)


NESTED = {
    "brackets": lambda k: f"b = {'(' * k}1{')' * k}\n{CLAIM}  b = b\n",
    "not": lambda k: f"b = {'not ' * k}true\n{CLAIM}  b iff b\n",
    "lists": lambda k: f"b = {'[' * k}1{']' * k}\n{CLAIM}  b = b\n",
    "arguments": lambda k: f"b = {'abs(' * k}1{')' * k}\n{CLAIM}  b = b\n",
    "powers": lambda k: f"b = {'^'.join(['1'] * (k + 1))}\n{CLAIM}  b = b\n",
    "if": lambda k: f"b = {'(1 if true else ' * (k // 2)}1{')' * (k // 2)}\n{CLAIM}  b = b\n",
    "else": lambda k: f"b = {'1 if true else ' * k}1\n{CLAIM}  b = b\n",
    "loops": lambda k: f"{CLAIM}  {loops(k)}1 >= 0\n",
    "blocks": lambda k: f"{CLAIM}{blocks(k)}1 >= 0\n",
    "families": lambda k: f"layer l:\n  x[i] <- x[i]\nnetwork g:\n  {loops(k)}l\nY = g([[1]])\n{CLAIM}  Y[1][1] >= 0\n",
    "indices": lambda k: f"b = X{'[1]' * k}\n{CLAIM}  1 = 1\n",
    "sums": lambda k: f"b = {'sum(' * k}1{''.join(f' for a{place} in 1..1)' for place in range(k))}\n{CLAIM}  b = b\n",
    "a loop and an expression": lambda k: f"{CLAIM}  {loops(k // 2)}{'(' * (k - k // 2)}1{')' * (k - k // 2)} >= 0\n",
    "a block and an expression": lambda k: f"{CLAIM}{blocks(k - 5)}{'abs(' * 40}1{')' * 40} >= 0\n",
}


@pytest.mark.parametrize("nested", NESTED.values(), ids=NESTED)
def test_both_parsers_read_what_is_nested_as_deeply(nested):
    deepest = {}
    for program, parser in (("producer", read), ("checker", deep()(parse))):
        for k in range(30, 70):
            try:
                parser(HEAD + nested(k))
            except (Refused, OverLimit):
                break
            deepest[program] = k
    assert deepest["producer"] == deepest["checker"] < 69

"""`for all t`: the producer goes by cells, the checker splits; both say the same, and what single numbers show."""

import json
import re
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from verifier.checker.core.comparing import OverLimit
from verifier.checker.page import everywhere
from verifier.checker.page import words as checked
from verifier.checker.page.derive import derive
from verifier.checker.page.numbers import Interval, Real, ratio
from verifier.evaluate import reals
from verifier.evaluate.certificate import canonical, content
from verifier.evaluate.definition import Reading
from verifier.language.page import read
from verifier.language.words import Refused

SIGNS = ("=", "!=", "<", "<=", ">", ">=")
NUMBERS = ("0", "1", "2", "1/2", "1/3", "3/4", "w[1]")


@st.composite
def number(draw, letters, depth=2):
    """A piecewise affine expression, which Python reads as the language does."""
    of = lambda: draw(number(letters, depth - 1))  # noqa: E731
    which = draw(st.integers(0, 7)) if depth else 0
    if which < 2:
        return draw(st.sampled_from([*NUMBERS, *letters, *letters, *letters]))
    if which == 2:
        return f"({of()} {draw(st.sampled_from('+-'))} {of()})"
    if which == 3:
        return f"({draw(st.sampled_from(['2', '3', '1/2']))} * {of()})"
    if which == 4:
        return f"{draw(st.sampled_from(['max', 'min']))}({of()}, {of()})"
    if which == 5:
        return f"abs({of()})"
    return f"({of()} if {of()} {draw(st.sampled_from(SIGNS[2:]))} {of()} else {of()})"


@st.composite
def block(draw, head, letters):
    """Relations under a condition, a guard, a loop."""
    of = lambda: draw(number(letters))  # noqa: E731
    sign = lambda: draw(st.sampled_from(SIGNS))  # noqa: E731
    guard = f" if {of()} {draw(st.sampled_from(SIGNS[2:]))} {of()}" if draw(st.booleans()) else ""
    text = f"  {head}{guard}:\n"
    for _ in range(draw(st.integers(1, 2))):
        indent = "    "
        if draw(st.booleans()):
            text += f"{indent}for k in 0..1 if k <= {of()}:\n"
            indent += "  "
        text += f"{indent}{of()} {sign()} {of()}\n"
    return text


def page_of(block):
    inputs = "inputs w in bits: words of 1 letters a in {0, 1/2}"
    return f'language 1\nsizes n >= 1\n{inputs}\nclaim c, own, "-", on bits:\n  "words"\n{block}'


def both(text):
    """The certificate by each of the two, or None where it's refused."""
    try:
        page = read(text)
        reading = Reading(page, {"n": 1})
        ours = canonical(content(reading, reading.run(["c"]), {}))
    except Refused:
        ours = None
    try:
        theirs = derive(text, {"n": 1}, {}, ["c"])
    except (checked.Refused, OverLimit):
        theirs = None
    return ours, theirs


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.one_of(block("for all t", ["t"]), block("for all c[r] for r in 1..2", ["c[1]", "c[2]"])))
def test_both_readings_write_the_same(text):
    ours, theirs = both(page_of(text))
    assert ours == theirs


HOLDS = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
TRIED = sorted({Fraction(p, q) for q in (1, 2, 3, 4, 7) for p in range(-4 * q, 4 * q + 1)})


def value(text, t, w):
    exact = re.sub(r"\b(\d+)/(\d+)", r"Fraction(\1, \2)", text).replace("w[1]", "w")
    return Fraction(eval(exact, {"Fraction": Fraction, "t": Fraction(t), "w": w}))  # noqa: S307 - of our own making


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(number(["t"]), st.sampled_from(SIGNS), number(["t"]), number(["t"], 1), number(["t"], 1))
def test_what_is_said_is_so_at_the_numbers_that_are_tried(left, sign, right, low, high):
    text = page_of(f"  for all t if {low} <= {high}: {left} {sign} {right}\n")
    ours, theirs = both(text)
    assert ours == theirs
    (claim,) = json.loads(ours)["claims"]
    (line,) = claim["lines"]
    failing = 0
    for w in (Fraction(0), Fraction(1, 2)):
        where = [t for t in TRIED if value(low, t, w) <= value(high, t, w)]
        good = [HOLDS[sign](value(left, t, w), value(right, t, w)) for t in where]
        failing += not all(good)
        if line.get("least", {"cases": [[]]})["cases"][0] == [str(w)]:
            least = line["least"]
            slack, (shown,) = Fraction(least["slack"]), (Fraction(least["letters"]["t"]),)
            assert all(slack <= abs(value(left, t, w) - value(right, t, w)) for t in where)
            if "from" not in least:
                assert (value(left, shown, w), value(right, shown, w)) == tuple(
                    map(Fraction, (least["value"], least["bound"]))
                )
                assert not any(
                    everywhere.order((t,)) < everywhere.order((shown,))
                    for t in where
                    if abs(value(left, t, w) - value(right, t, w)) == slack
                )
    assert failing <= claim.get("failing", 0)
    if "first" in claim:
        first = claim["first"]
        t, w = Fraction(first["letters"]["t"]), Fraction(first["cases"][0][0])
        assert value(low, t, w) <= value(high, t, w)
        sides = value(left, t, w), value(right, t, w)
        assert sides == (Fraction(first["value"]), Fraction(first["bound"]))
        assert not HOLDS[sign](*sides)


@pytest.mark.parametrize("low", [None, Fraction(-3), Fraction(-1, 3), Fraction(0), Fraction(5, 7), Fraction(113, 355)])
@pytest.mark.parametrize("width", [None, Fraction(1, 1000), Fraction(1, 9), Fraction(1), Fraction(7, 2)])
def test_the_simplest_number_between_two(low, width):
    high = None if width is None else (Fraction(-2) if low is None else low) + width
    interval = Interval(*(None if end is None else ratio(*end.as_integer_ratio()) for end in (low, high)))
    found = everywhere.simplest_of(interval)
    assert Fraction(str(found)) == Fraction(*map(int, reals.simplest(low, high).as_integer_ratio()))
    assert interval.has(found)
    for q in range(1, found.denominator + 1):
        start = -10 * q if low is None else int(low * q) - 1
        for p in range(start, start + 30 * q if high is None else int(high * q) + 2):
            if interval.has(t := ratio(p, q)):
                assert everywhere.order((found,)) <= everywhere.order((t,))


# Each part of the two readings, broken, is noticed: both must say 1/3, where alone it fails.
POINT = page_of("  for all t: 3*t != 1\n")
JUMP = page_of("  for all t if t <= 1 or t >= 2: (t if t < 1 else 0 if t < 3/2 else 2) >= t - 1/2\n")


def refuted_at(certificate):
    (claim,) = json.loads(certificate)["claims"]
    return claim["first"]["letters"]["t"] if claim["verdict"] == "refuted" else None


def test_one_number_is_enough():
    assert [refuted_at(one) for one in both(POINT)] == ["1/3", "1/3"]
    assert [refuted_at(one) for one in both(JUMP)] == ["1", "1"]


def test_cells_without_the_numbers_between_them_are_noticed(monkeypatch):
    def cells(many, look, before=()):
        if not many:
            return look(before)
        cell = reals.Cell(None)
        while True:
            cells(many - 1, look, (*before, cell))
            if cell.high is None:
                return None
            cell = reals.Cell(cell.high)

    monkeypatch.setattr(reals, "_cells", cells)
    ours, theirs = both(POINT)
    assert refuted_at(ours) is None
    assert refuted_at(theirs) == "1/3"


def test_parts_without_the_number_that_splits_are_noticed(monkeypatch):
    relations = everywhere.relations

    def without(many, look, place):
        return relations(many, lambda numbers: look(numbers) if all(type(x) is Real for x in numbers) else [], place)

    monkeypatch.setattr(everywhere, "relations", without)
    ours, theirs = both(POINT)
    assert refuted_at(ours) == "1/3"
    assert refuted_at(theirs) is None


@pytest.mark.parametrize("reading", ["ours", "theirs"])
def test_a_comparison_that_turns_unseen_is_noticed(monkeypatch, reading):
    """The cell isn't ended where a comparison comes out otherwise."""
    if reading == "ours":
        monkeypatch.setattr(reals.Cell, "sign", lambda cell, a, b: (a > 0) - (a < 0) or (b > 0) - (b < 0))  # noqa: ARG005
    else:
        monkeypatch.setattr(Interval, "has", lambda interval, t: False)  # noqa: ARG005
    ours, theirs = both(JUMP)
    assert ours != theirs

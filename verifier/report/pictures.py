"""Number lines: the values that a page's claims compare with constants, and these bounds.

They are derived from the claims' lines: a side that speaks of no case is a bound, the other one a value. A claim that
has a value between two bounds makes a band of them. On few cases every value is drawn, computed by the definition; else
those that the certificate names. A picture is as wide as the page: places are percentages, so that letters keep their
size. A value drawn *on* a bound equals it, and is a filled diamond.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gmpy2 import mpq

from verifier.core.exact import shortened, text_of
from verifier.evaluate.budget import STEPS, allow
from verifier.evaluate.definition import Case, Reading, Relations
from verifier.evaluate.story import Recording, names
from verifier.language.builtins import BUILTINS
from verifier.language.page import Understood
from verifier.language.tree import Chain, Claim, ClaimLine, Expression, ForEach, When
from verifier.language.words import Place, Refused
from verifier.language.write import expression
from verifier.report.markup import Html, el, joined, table
from verifier.report.scale import axis_over, percent, raised

MOST_LINES = 3  # number lines of a report
MOST_CASES = 2_000  # of which every value is drawn
WORK = 20_000_000  # steps for that
_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_WIDE = 860
_USED = ("paper", "ink", "soft", "c1", "c2", "c3", "band", "bad")  # the page's colours that it uses


@dataclass
class Compared:
    """A sign of a relation between a value and a bound."""

    claim: str
    place: Place
    sign: str  # of value sign bound
    bound: Expression
    flipped: bool  # the bound stands on the left
    under: tuple[str, ...]  # the conditions that it stands under


@dataclass
class Line:
    """A number line: what is drawn, against which bounds."""

    inputs: str
    value: str
    compared: list[Compared]
    bounds: dict[str, mpq] = field(default_factory=dict)
    bands: list[tuple[mpq, mpq]] = field(default_factory=list)
    beyond: set[mpq] = field(default_factory=set)  # ends of bands that aren't in them
    points: dict[tuple[str, mpq], bool] = field(default_factory=dict)  # of a lane; whether it fails
    every: bool = False  # value of every case

    @property
    def lanes(self) -> list[str]:
        return sorted({lane for lane, _ in self.points})


def number_lines(understood: Understood, content: dict[str, Any]) -> list[Line]:
    """Those with most bounds first, filled with values."""
    variant = {name: mpq(value) for name, value in content.get("variant", {}).items()}
    most = max([4_000_000, *(entry["cases"] for entry in content["inputs"].values())])
    reading = Reading(understood, content["sizes"], variant, most, steps=WORK)
    found: list[Line] = []
    with suppress(Refused):  # what is only drawn refuses nothing
        lines = lines_of(understood, content)
        for line in sorted(lines, key=lambda one: -len({expression(c.bound) for c in one.compared})):
            if len(found) < MOST_LINES and filled(line, reading, content):
                found.append(line)
    allow(STEPS)  # what was spent above decides nothing below
    return found


def lines_of(understood: Understood, content: dict[str, Any]) -> list[Line]:
    """One for each value of inputs that is compared with a bound that isn't written as a number."""
    known = {*understood.constants, *understood.page.sizes, *BUILTINS}
    groups: dict[tuple[str, str], Line] = {}
    for entry in content["claims"]:
        claim = understood.page.claims[entry["id"]]
        if claim.inputs is None or "lines" not in entry:
            continue
        under = () if claim.condition is None else (expression(claim.condition),)
        for value, one in compared(claim, claim.lines, known, under):
            line = groups.setdefault((claim.inputs, value), Line(claim.inputs, value, []))
            line.compared.append(one)
    return [line for line in groups.values() if any([*names(one.bound)] for one in line.compared)]


def compared(
    claim: Claim, lines: list[ClaimLine], known: set[str], under: tuple[str, ...]
) -> Iterator[tuple[str, Compared]]:
    for line in lines:
        if isinstance(line, Chain):
            for sign, text, left, right in zip(line.signs, line.texts, line.sides, line.sides[1:], strict=False):
                constant = [known.issuperset(names(side)) for side in (left, right)]
                if sign in _FLIPPED and constant[0] != constant[1]:
                    value, bound = (right, left) if constant[0] else (left, right)
                    direction = _FLIPPED[sign] if constant[0] else sign
                    yield expression(value), Compared(claim.id, text.place, direction, bound, constant[0], under)
        elif isinstance(line, ForEach | When):
            guards = under if line.condition is None else (*under, expression(line.condition))
            yield from compared(claim, line.lines, known, guards)


def filled(line: Line, reading: Reading, content: dict[str, Any]) -> bool:
    """The line's bounds, bands and values; whether there is something to be seen."""
    for one in line.compared:
        line.bounds[expression(one.bound)] = reading.nothing.number(one.bound, {})
    for low in line.compared:
        for high in line.compared:
            ends = line.bounds[expression(low.bound)], line.bounds[expression(high.bound)]
            if (
                low.under == high.under
                and low.sign in (">", ">=")
                and high.sign in ("<", "<=")
                and ends not in line.bands
            ):
                line.bands.append(ends)
                line.beyond |= {end for end, one in zip(ends, (low, high), strict=True) if one.sign in ("<", ">")}
    if content["inputs"][line.inputs]["cases"] <= MOST_CASES:
        every_value(line, reading)
    else:
        named_values(line, reading, content)
    return len({value for _, value in line.points}) > 1


def every_value(line: Line, reading: Reading) -> None:
    line.every = True
    claims = {one.claim: reading.page.claims[one.claim] for one in line.compared}
    sides = {one.place: one.flipped for one in line.compared}
    for rank, case in enumerate(reading.cases(line.inputs)):
        for claim in claims.values():
            ledger = Recording(claim)
            if claim.condition is None or case.truth(claim.condition, {}):
                wanted = [one for one in claim.lines if isinstance(one, Chain | ForEach | When)]
                Relations(case, ledger, (rank,), {}).of(wanted)
            for holds, relation in ledger.relations:
                if relation.place in sides:
                    side = relation.bound if sides[relation.place] else relation.value
                    add(line, lane_of(line, case, claim.id), side, holds)


def named_values(line: Line, reading: Reading, content: dict[str, Any]) -> None:
    """Those of a certificate: the tightest of each sign, and the first that fails."""
    for entry in content["claims"]:
        for one in line.compared:
            if one.claim != entry["id"]:
                continue
            told = {(x["line"], x["column"]): x for x in entry["lines"]}[one.place]
            first = entry.get("first", {})
            seen = [(told["least"], True)] if "least" in told else []
            seen += [(first, False)] if (first.get("line"), first.get("column")) == one.place else []
            for where, holds in seen:
                value = mpq(where["bound" if one.flipped else "value"])
                add(line, lane_of(line, reading.case(line.inputs, where["ranks"][0]), one.claim), value, holds)


def add(line: Line, lane: str, value: mpq, holds: bool) -> None:
    line.points[lane, value] = line.points.get((lane, value), False) or not holds


def lane_of(line: Line, case: Case, claim: str) -> str:
    """The category of a case, if its inputs have some; else the claim."""
    for category in case.page.categories:
        if category.inputs == line.inputs and case.truth(category.condition, {}):
            return category.name
    return claim


# --- SVG ------------------------------------------------------------------------


def drawn(line: Line) -> Html:
    axis = axis_over([*line.bounds.values(), *(value for _, value in line.points)])
    lanes = line.lanes
    bottom = 38 + 46 * len(lanes)
    parts = [_band(axis.at(low), axis.at(high), 22, bottom - 10) for low, high in line.bands if low < high]
    parts += _bounds(line, axis, bottom)
    for k, lane in enumerate(lanes):
        y, colour = 58 + 46 * k, f"c{k % 3 + 1}"
        parts.append(_text(0, y - 16, lane, f"lane {colour}", "start"))
        values = sorted(value for at, value in line.points if at == lane)
        for value, rise in _apart(axis, values, *((150, 5) if line.every else (320, 10))):
            fails = " fails" if line.points[lane, value] else ""
            class_ = f"{colour}{fails}{' dot' if line.every else ''}"
            parts.append(_mark(axis.at(value), y + rise, class_, equal=value in line.bounds.values()))
    title = f"The values {line.value} of {line.inputs}, against {', '.join(line.bounds)}"
    parts.append(_line(axis.margin // 2, bottom, 10_000 - axis.margin // 2, bottom, "axis"))
    for x, text in axis.ticks(1500):
        parts += [
            _line(axis.at(x), bottom - 3, axis.at(x), bottom + 3, "axis"),
            _text(axis.at(x), bottom + 18, text, "tick"),
        ]
    return el("svg", el("title", title), *parts, class_="plot", height=bottom + 30, role="img")


def _bounds(line: Line, axis: Any, bottom: int) -> Iterator[Html]:
    """A stroke for each bound, broken for an end that isn't in its band. Names that would meet go apart."""
    by_value: dict[mpq, list[str]] = {}
    for name, value in line.bounds.items():
        by_value.setdefault(value, []).append(name)
    last, low = -10_000, False
    for value, names_of in sorted(by_value.items()):
        x, name = axis.at(value), " = ".join(names_of)
        low = not low if x - last < 110 * len(name) + 200 else False
        last = x
        yield _line(x, 22, x, bottom, "edge open" if value in line.beyond else "edge closed")
        label = _subscript(name) if re.fullmatch(r"[A-Za-z]_\w+", name) else name
        yield _text(x + 60 * low, 34 if low else 16, label, "bound", "start" if low or x < 5000 else "end")


def _subscript(name: str) -> Html:
    """t_l as SVG text."""
    letter, _, index = name.partition("_")
    return joined([el("tspan", letter, class_="it"), el("tspan", index, dy=3, class_="sub")])


def legend(line: Line) -> str:
    """What the marks mean."""
    words = "Every value is a dot." if line.every else "Rings are the values that the certificate names."
    words += " Red: it fails." if any(line.points.values()) else ""
    return words + (
        " A filled diamond equals a bound." if {v for _, v in line.points} & set(line.bounds.values()) else ""
    )


def figure(line: Line) -> Html:
    """The picture, and beside it in numbers what it shows."""
    rows = []
    for name, bound in line.bounds.items():
        for lane in line.lanes:
            values = [value for at, value in line.points if at == lane]
            below, above = [v for v in values if v < bound], [v for v in values if v >= bound]
            told = [short(max(below)) if below else "", short(min(above)) if above else ""]
            rows.append([name if name == text_of(bound) else f"{name} = {short(bound)}", lane, *told])
    head = ["bound", "values of", "nearest below", "nearest at it or above"]
    return el(
        "figure",
        el("figcaption", "The values ", el("code", line.value), f" of {line.inputs}. {legend(line)}"),
        drawn(line),
        table(head, rows, "The nearest values"),
    )


def alone(line: Line, words: str) -> bytes:
    """The picture by itself, for a README, a paper or a slide."""
    picture = drawn(line)
    tall = int(re.findall(r'height="(\d+)"', picture)[0])
    svg = el(
        "svg",
        el("style", style()),
        el("rect", width="100%", height="100%", fill="var(--paper)"),
        el("text", words, x=24, y=28, class_="plot"),
        el("svg", picture, x=24, y=44, width=_WIDE - 48, height=tall),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_WIDE} {tall + 60}",
        width=_WIDE,
        height=tall + 60,
        role="img",
        aria_label=words,
    )
    return f"{svg}\n".encode()


def style() -> Html:
    """The page's style rules for pictures, and its colours, light and dark."""
    page = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
    colours = re.findall(rf"--(?:{'|'.join(_USED)}): [^;]+;", page.partition("@media print")[0])
    light, dark = colours[: len(_USED)], colours[len(_USED) :]
    rules = [line for line in page.splitlines() if re.match(r"\.plot|\.c1 |\.at ", line)]
    scheme = f"@media (prefers-color-scheme: dark) {{ svg {{ {' '.join(dark)} }} }}"
    return Html("\n".join(["", f"svg {{ {' '.join(light)} }}", scheme, *rules, ""]))


def _band(left: int, right: int, top: int, bottom: int) -> Html:
    return el("rect", x=percent(left), y=top, width=percent(right - left), height=bottom - top, class_="band")


def _line(x1: int, y1: int, x2: int, y2: int, class_: str) -> Html:
    return el("line", x1=percent(x1), y1=y1, x2=percent(x2), y2=y2, class_=class_)


def _text(x: int, y: int, words: str | Html, class_: str = "", anchor: str = "middle") -> Html:
    return el("text", words, x=percent(x), y=y, class_=class_ or None, text_anchor=anchor)


def _mark(x: int, y: int, class_: str, *, equal: bool = False) -> Html:
    """A circle, or a filled diamond for what is equal. (A nested svg carries the diamond to a place in percent.)"""
    if equal:
        diamond = el("path", d="M0-7 7 0 0 7-7 0Z", class_=f"{class_} equal")
        return el("svg", diamond, x=percent(x), y=y, class_="at")
    return el("circle", cx=percent(x), cy=y, r="2.5" if "dot" in class_ else 4, class_=class_)


def _apart(axis: Any, values: list[mpq], apart: int, step: int) -> Iterator[tuple[mpq, int]]:
    """How far above or below the line each value is drawn, so that near values don't cover each other."""
    last = dict.fromkeys((0, -1, 1, -2, 2) if step < 10 else (0, -1, 1), -apart)
    for value in values:
        x = axis.at(value)
        level = next((k for k, taken in last.items() if x - taken >= apart), min(last, key=lambda k: last[k]))
        last[level] = x
        yield value, level * step


def short(value: mpq) -> str:
    return shortened(text_of(value), 44)


def brief(text: str) -> str:
    """A number, if it fits a label, or about how large it is."""
    if len(text) <= 16:
        return text
    sign, digits = ("−", text[1:]) if text.startswith("-") else ("", text)
    return f"{sign}{digits[0]}.{digits[1:3]}…·10{raised(len(digits.partition('/')[0]) - 1)}"

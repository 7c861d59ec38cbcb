"""The pictures of a report: lines and bars in SVG, drawn from a certificate's own numbers, with exact labels.

A picture is as wide as the page: horizontal places are percentages, so that letters keep their size. A value drawn *on*
a threshold equals it, and is a filled diamond.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from gmpy2 import mpq

from verifier.core.exact import Q, Vector, shortened, text_of
from verifier.report.markup import Html, el, joined
from verifier.report.mathml import formula
from verifier.report.scale import Axis, log2, percent, raised
from verifier.report.sources import Certificate, rational
from verifier.report.steps import Frame

VALUES = ("lemma6.3", "lemma6.4", "b5.cat2-bound", "b5.cat3-final")  # whose values q_j are drawn
_OUTWARDS = 500  # of 10,000: the length of a dashed line that means "and beyond"
_LONGEST = 44  # characters of a number that is shown in full


@dataclass(frozen=True)
class Point:
    """A value q_j that a certificate names."""

    value: mpq
    category: int
    claim: str
    matrix: list[list[str]]
    fails: bool


@dataclass(frozen=True)
class Near:
    """A point that is the nearest of its category to a threshold, on its side."""

    number: int
    point: Point
    threshold: str
    distance: mpq


def number(value: mpq) -> str:
    return short(text_of(value))


def short(text: str) -> str:
    return shortened(text, _LONGEST)


def brief(text: str) -> str:
    """A number, if it fits a label, or about how large it is."""
    if len(text) <= 16:
        return text
    sign, digits = ("−", text[1:]) if text.startswith("-") else ("", text)
    return f"{sign}{digits[0]}.{digits[1:3]}…·10{raised(len(digits.partition('/')[0]) - 1)}"


def category(matrix: list[list[str]]) -> int:
    """1 for pairwise distinct columns, 2 for equal ones, 3 with a sentinel."""
    if any(entry.startswith("-") for row in matrix for entry in row):
        return 3
    columns = list(zip(*matrix, strict=True)) if len({len(row) for row in matrix}) == 1 else []
    return 1 if len(set(columns)) == len(columns) else 2


def points(certificate: Certificate) -> list[Point]:
    """The values that the certificate's claims name, each once."""
    found: dict[tuple[int, mpq], Point] = {}
    for claim in certificate["claims"]:
        if claim["id"] not in VALUES:
            continue
        failing = claim.get("counterexample")
        for evidence in [*claim.get("edges", []), *([failing] if failing else [])]:
            said = re.match(r"(max_j )?q_(j|\d+) ", evidence["relation"])
            if said and "matrix" in evidence and isinstance(evidence["value"], str):
                value, matrix = rational(evidence["value"]), evidence["matrix"]
                point = Point(value, category(matrix), claim["id"], matrix, evidence is failing)
                if (point.category, value) not in found or point.fails:
                    found[point.category, value] = point
    return list(found.values())


def of_shards(certificate: Certificate, claim: str, edge: str, bound: mpq, sign: int) -> Iterator[mpq]:
    """The nearest value of each shard, computed from the shard's bound and slack."""
    for shard in certificate["shards"][:64]:
        tight = shard["claims"].get(claim, {}).get("edges", {}).get(edge)
        if tight:
            yield bound + sign * rational(tight["slack"])


# --- SVG ------------------------------------------------------------------------


def svg(height: int, title: str, *children: str, class_: str = "") -> Html:
    return el("svg", el("title", title), *children, class_=f"plot {class_}".strip(), height=height, role="img")


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


def threshold(name: str) -> Html:
    """t_l as SVG text."""
    letter, _, index = name.partition("_")
    return joined([el("tspan", letter, class_="it"), el("tspan", index, dy=3, class_="sub")])


def _axis(axis: Axis, y: int, apart: int = 1500) -> Html:
    parts = [_line(axis.margin // 2, y, 10_000 - axis.margin // 2, y, "axis")]
    for x, text in axis.ticks(apart):
        parts += [_line(axis.at(x), y - 3, axis.at(x), y + 3, "axis"), _text(axis.at(x), y + 18, text, "tick")]
    return joined(parts)


def _band(axis: Axis, low: mpq, high: mpq, top: int, bottom: int) -> Html:
    """[t_l, t_r), with its closed and its open edge, and their names above."""
    left, right = axis.at(low), axis.at(high)
    return joined(
        [
            el("rect", x=percent(left), y=top, width=percent(max(0, right - left)), height=bottom - top, class_="band"),
            _line(left, top, left, bottom, "edge closed"),
            _line(right, top, right, bottom, "edge open"),
            _text(left, top - 6, threshold("t_l"), anchor="end"),
            _text(right, top - 6, threshold("t_r"), anchor="start"),
        ]
    )


_LANES = {
    1: "Category 1: distinct columns",
    2: "Category 2: equal columns",
    3: "Category 3: with a sentinel",
}


Valued = list[tuple[int, mpq]]  # a category, and a value of it


def separation(certificate: Certificate, found: list[Point], every: Valued) -> Html:
    """All categories on one signed logarithmic line, with [t_l, t_r): `every` value, or those that the claims name."""
    constants = {name: rational(text) for name, text in certificate["constants"].items()}
    unit, low, high = constants["delta"], constants["t_l"], constants["t_r"]
    values = every or sorted({(point.category, point.value) for point in found})
    axis = Axis.over([Q(0), low, high, *(value for _, value in values)], unit)
    bottom = 28 + 46 * len(_LANES)
    parts = [_band(axis, low, high, 22, bottom)]
    for lane, words in _LANES.items():
        y = 12 + 46 * lane
        mine = [value for category, value in values if category == lane]
        parts.append(_text(0, y - 20, words, f"lane c{lane}", "start"))
        if not every:
            parts += _extent(axis, certificate, lane, mine, y)
        for value, rise in _apart(axis, mine, *((150, 5) if every else (320, 10))):
            fails = any(point.fails for point in found if (point.category, point.value) == (lane, value))
            class_ = f"c{lane}{' fails' if fails else ''}{' dot' if every else ''}"
            parts.append(_mark(axis.at(value), y + rise, class_, equal=value in (low, high)))
    title = "Where the values of the three categories lie on a logarithmic line"
    return svg(bottom + 30, title, *parts, _axis(axis, bottom))


def _apart(axis: Axis, values: list[mpq], apart: int, step: int) -> Iterator[tuple[mpq, int]]:
    """How far above or below the line each value is drawn, so that near values don't cover each other."""
    last = dict.fromkeys((0, -1, 1, -2, 2) if step < 10 else (0, -1, 1), -apart)
    for value in values:
        x = axis.at(value)
        level = next((k for k, taken in last.items() if x - taken >= apart), min(last, key=lambda k: last[k]))
        last[level] = x
        yield value, level * step


def legend(certificate: Certificate, found: list[Point], every: Valued) -> str:
    """What the marks in this picture of the separation mean."""
    edges = [rational(certificate["constants"][name]) for name in ("t_l", "t_r")]
    values = [value for _, value in every] or [point.value for point in found]
    words = (
        "Every value is a dot."
        if every
        else "Rings are the values that the certificate names: the smallest and largest of Category 1, with a stroke"
        " from one to the other, and the nearest of the others; a dotted stroke means that further values lie that way."
    )
    words += " Red: a counterexample." if any(point.fails for point in found) else ""
    return words + (" A filled diamond is a value that equals a threshold." if set(edges) & set(values) else "")


def _extent(axis: Axis, certificate: Certificate, lane: int, mine: list[mpq], y: int) -> Iterator[Html]:
    """A line from the smallest to the largest value of Category 1; for the others, dotted lines to where the rest
    lie."""
    verdicts = {claim["id"]: claim["verdict"] for claim in certificate["claims"]}
    if not mine:
        return
    if lane == 1:
        if verdicts.get("lemma6.3") == "holds":
            yield _line(axis.at(mine[0]), y, axis.at(mine[-1]), y, "extent c1")
        return
    if verdicts.get("b5.cat2-bound" if lane == 2 else "b5.cat3-final") != "holds":
        return
    below = [value for value in mine if lane == 2 or value < 0]
    above = [value for value in mine if lane == 3 and value >= 0]
    if below:
        x = axis.at(below[-1])
        yield _line(x - _OUTWARDS, y, x, y, f"extent more c{lane}")
    if above:
        x = axis.at(above[0])
        yield _line(x, y, x + _OUTWARDS, y, f"extent more c{lane}")


def nearest(certificate: Certificate, found: list[Point]) -> list[Near]:
    """For t_l and t_r, in each category, the nearest value on each side, up to the other threshold."""
    low, high = (rational(certificate["constants"][name]) for name in ("t_l", "t_r"))
    near: list[Near] = []
    for name, edge in (("t_l", low), ("t_r", high)):
        for lane in _LANES:
            mine = [point for point in found if point.category == lane]
            left = [p for p in mine if p.value < edge and (name == "t_l" or p.value >= low)]
            right = [p for p in mine if p.value >= edge and (name == "t_r" or p.value < high)]
            picked = [max(left, key=lambda p: p.value)] if left else []
            picked += [min(right, key=lambda p: p.value)] if right else []
            near += [Near(len(near) + k, p, name, p.value - edge) for k, p in enumerate(picked, start=1)]
    return near


def zoom(certificate: Certificate, near: list[Near], name: str, prefix: str) -> Html:
    """The line around a threshold: distances from it, logarithmic to either side."""
    unit = rational(certificate["constants"]["delta"])
    edge = rational(certificate["constants"][name])
    mine = [n for n in near if n.threshold == name]
    ticks = sorted({value - edge for value in _near_of_shards(certificate, name, edge)})
    reach = max([abs(n.distance) for n in mine] + [abs(t) for t in ticks] + [unit * 8])
    axis = Axis.over([-reach, reach], unit)
    bottom = 34 + 40 * len(_LANES)
    centre = axis.at(Q(0))
    inside = el("rect", y=24, height=bottom - 24, class_="band", **_half(name, centre))
    class_ = "edge closed" if name == "t_l" else "edge open"
    parts = [inside, _line(centre, 24, centre, bottom, class_), _text(centre, 16, threshold(name))]
    parts += [_line(axis.at(t), bottom - 6, axis.at(t), bottom, "shard") for t in ticks]
    for lane in _LANES:
        y = 8 + 40 * lane
        for n in (n for n in mine if n.point.category == lane):
            x, equal = axis.at(n.distance), not n.distance
            parts.append(_line(centre, y, x, y, f"distance c{lane}"))
            class_ = f"c{lane}{' fails' if n.point.fails else ''}"
            shape = (
                el("path", d="M0-13 13 0 0 13-13 0Z", class_=f"big equal {class_}")
                if equal
                else el("circle", r=10, class_=f"big {class_}")
            )
            label = f"{n.number}: q = {number(n.point.value)}, {relation_words(n)}"
            inner = el(
                "svg",
                shape,
                el("text", str(n.number), y=4, class_="no", text_anchor="middle"),
                x=percent(x),
                y=y,
                class_="at",
            )
            parts.append(el("a", el("title", label), inner, href=f"#{prefix}-{n.number}", aria_label=label))
    title = f"The nearest values on each side of {name}, by distance on a logarithmic scale; on the line means equal"
    drawn = el(
        "svg", *parts, _distances(axis, bottom), class_="plot", height=bottom + 30, role="group", aria_label=title
    )
    return el(
        "figure",
        drawn,
        el(
            "figcaption",
            "Around ",
            formula(name),
            f" = {number(edge)}: distances from it, on a logarithmic scale; “=” is ",
            formula(name),
            " itself.",
        ),
    )


def _half(name: str, centre: int) -> dict[str, str]:
    """The side of a threshold that is inside [t_l, t_r)."""
    return {
        "x": percent(centre if name == "t_l" else 0),
        "width": percent(10_000 - centre if name == "t_l" else centre),
    }


def _distances(axis: Axis, y: int) -> Html:
    parts = [_line(0, y, 10_000, y, "axis")]
    for x, text in axis.ticks(1300):
        words = "=" if not x else text if x < 0 else f"+{text}"
        parts += [_line(axis.at(x), y - 3, axis.at(x), y + 3, "axis"), _text(axis.at(x), y + 18, words, "tick")]
    return joined(parts)


def _near_of_shards(certificate: Certificate, name: str, edge: mpq) -> Iterator[mpq]:
    sides = {"t_l": ((">=", 1), ("<", -1)), "t_r": (("<", -1), (">=", 1))}[name]
    for claim, (op, sign) in zip(("lemma6.3", "lemma6.4"), sides, strict=True):
        yield from of_shards(certificate, claim, f"q_j {op} {name}", edge, sign)


def relation_words(n: Near) -> str:
    if not n.distance:
        return f"equal to {n.threshold}"
    return f"{number(abs(n.distance))} {'above' if n.distance > 0 else 'below'} {n.threshold}"


def lemma10(certificate: Certificate) -> tuple[Html, mpq, mpq] | None:
    """l~_n of each shard between the two bounds of Lemma 10, and its least and greatest value; None if unknown."""
    holding = {claim["id"] for claim in certificate["claims"] if claim["verdict"] == "holds"}
    if not holding >= {"lemma10.lower", "lemma10.upper"}:
        return None
    low, high = (rational(certificate["constants"][f"lemma10.{side}"]) for side in ("lower", "upper"))
    lows = list(of_shards(certificate, "lemma10.lower", "l~_n >= lemma10.lower", low, 1))
    highs = list(of_shards(certificate, "lemma10.upper", "l~_n <= lemma10.upper", high, -1))
    if not lows or len(lows) != len(highs):
        return None
    unit = rational(certificate["constants"]["delta"])
    axis = Axis.over([low, high, *lows, *highs], unit)
    row = 26 if len(lows) == 1 else 6
    bottom = 34 + row * len(lows)
    parts = [_line(axis.at(low), 24, axis.at(low), bottom, "edge closed")]
    parts += [_line(axis.at(high), 24, axis.at(high), bottom, "edge closed")]
    parts += [_text(axis.at(low), 16, "lower", "tick"), _text(axis.at(high), 16, "upper", "tick")]
    for k, (least, greatest) in enumerate(zip(lows, highs, strict=True)):
        y = 29 + row * k + row // 2
        parts.append(_line(axis.at(least), y, axis.at(greatest), y, "extent c1"))
        if least == low or least == min(lows):
            parts.append(_mark(axis.at(least), y, "c1", equal=least == low))
        if greatest == high or greatest == max(highs):
            parts.append(_mark(axis.at(greatest), y, "c1", equal=greatest == high))
    title = "The largest id after the sweep between the two bounds of Lemma 10, shard by shard, on a logarithmic line"
    parts.append(_line(axis.at(low), bottom, axis.at(high), bottom, "axis"))
    for bound, anchor in ((low, "start"), (high, "end")):
        parts.append(_text(axis.at(bound), bottom + 18, brief(text_of(bound)), "tick", anchor))
    return svg(bottom + 30, title, *parts), min(lows), max(highs)


def bar(length: int, longest: int, class_: str = "") -> Html:
    """A bar in a table, beside its number; nothing for a length of 0."""
    wide = max(50, 10_000 * length // longest) if length > 0 else 0
    return el(
        "svg",
        el("rect", width=percent(min(10_000, wide)), height=10),
        class_=f"bar {class_}".strip(),
        height=10,
        aria_hidden="true",
    )


def stacked(parts: Iterable[tuple[int, str]], title: str) -> Html:
    """Shares of a whole, side by side."""
    counted = list(parts)
    total = sum(count for count, _ in counted) or 1
    at, drawn = 0, []
    for count, class_ in counted:
        wide = 10_000 * count // total
        drawn.append(el("rect", x=percent(at), width=percent(max(wide, 20 if count else 0)), height=14, class_=class_))
        at += wide
    return svg(14, title, *drawn, class_="stack")


def frame_axis(frames: list[Frame], low: mpq, high: mpq, unit: mpq) -> Axis:
    values = [value for frame in frames for value in (*frame.before, *frame.after)]
    return replace(Axis.over([Q(0), low, high, *values], unit), margin=900)


def frame_picture(frame: Frame, axis: Axis, low: mpq, high: mpq) -> Html:
    """The ids of the columns, a line for each: before and after the layer."""
    bottom = 30 + 24 * len(frame.after)
    parts = [_band(axis, low, high, 22, bottom)]
    for j, (before, after) in enumerate(zip(frame.before, frame.after, strict=True)):
        y = 38 + 24 * j
        parts.append(_line(axis.margin // 2, y, 10_000 - axis.margin // 2, y, "rail"))
        if before != after:
            parts += [_line(axis.at(before), y, axis.at(after), y, "went"), _mark(axis.at(before), y, "was")]
        parts += [
            _mark(axis.at(after), y, "is moved" if before != after else "is"),
            _text(0, y + 4, str(j + 1), "tick", "start"),
        ]
    title = f"{frame.title}: {frame.what} {ids(frame.after)}"
    return svg(bottom + 28, title, *parts, _axis(axis, bottom, 2200))


def ids(values: Vector) -> str:
    return ", ".join(number(value) for value in values)


def length_of(value: mpq, unit: mpq) -> int:
    """How long a bar for a number >= 0 is: 1024 log2(1 + value / unit), 0 for 0 alone."""
    return max(log2(1 + value / unit), 1 if value > 0 else 0)

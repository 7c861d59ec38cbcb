"""The sweep of one matrix, for a lecture: a page with a slider, or a picture of all its steps, one below the other.

On the page of a small instance the reader can type in another matrix. The browser then computes its steps and values in
exact whole numbers (`valuesOf` and `figuresOf` in page.js) and shows them instead; a test compares them with the
literal network and with the pictures made here.
"""

import re
from dataclasses import dataclass

from gmpy2 import mpq

from verifier.core.exact import Matrix, MatrixLike, matrix_of_shape, text_of
from verifier.papers.yun2020.contextual_map import ContextualMap
from verifier.report import pictures
from verifier.report.figure import pictures_style
from verifier.report.markup import Html, el, joined, table
from verifier.report.mathml import formula
from verifier.report.page import filled
from verifier.report.pictures import number
from verifier.report.scale import Axis
from verifier.report.steps import Sweep, sweep_of, sweep_through
from verifier.report.subject import Subject
from verifier.report.words import matrix_text

_MOST_TYPED = (8, 300)  # tokens and levels up to which a browser answers at once
_WIDE = 860


class NotDrawn(ValueError):
    """There is no such picture."""


def swept(subject: Subject, X: Matrix) -> Sweep:
    """The sweep of X, if it can be drawn."""
    if subject.construction.ordered:
        raise NotDrawn(f"a sweep is drawn of the contextual map, not of {subject.construction.words}")
    i = subject.instance
    variant = {} if _of_the_paper(subject) else {"sentinel": subject.grids[0].sentinel}
    seen = sweep_of((i.d, i.n, i.N), {**variant, **subject.exchanged}, X)
    if seen is None:
        raise NotDrawn(f"{i}: the sweep is too long to be drawn, or has too many columns")
    return seen


def _of_the_paper(subject: Subject) -> bool:
    return not subject.exchanged and bool(subject.grids[0].sentinel == subject.instance.sentinel)


def html(subject: Subject, X: Matrix) -> bytes:
    """The page."""
    seen = swept(subject, X)
    i = subject.instance
    words = f"{i}: {subject.construction.words}"
    if subject.exchanged:
        words += f", {_variant(seen)}"
    left_out = f" {seen.left_out} steps in the middle are left out." if seen.left_out else ""
    body = joined(
        [
            el("header", el("p", words, class_="over"), el("h1", "One matrix through the network")),
            el(
                "main",
                el("p", *_introduction(seen, subject)),
                _typed(subject, X),
                el(
                    "p",
                    "The ids of the columns of ",
                    matrix_text(_texts(X)),
                    f", level by level.{left_out}",
                    class_="which",
                ),
                el("div", *figures(seen), class_="sweep"),
                el("div", _landing(seen), class_="landing"),
                id="main",
            ),
        ]
    )
    return filled(f"{words}, {_plain(X)}", body)


def svg(subject: Subject, X: Matrix) -> bytes:
    """Every step, one below the other."""
    return f"{_picture(swept(subject, X))}\n".encode()


@dataclass(frozen=True)
class Story:
    """The sweep of one matrix; a notebook shows its picture, `print` the ids step by step."""

    seen: Sweep

    def __repr__(self) -> str:
        frames = self.seen.frames
        lines = (f"{frame.title:<{max(len(f.title) for f in frames)}}  {pictures.ids(frame.after)}" for frame in frames)
        return "\n".join([f"{self.seen.map.instance}: ids of the columns of [{_plain(self.seen.matrix)}]", *lines])

    def _repr_html_(self) -> str:
        return f"<div>{_picture(self.seen)}{_landing(self.seen)}</div>"


def story(g: ContextualMap, X: MatrixLike) -> Story:
    """Follow a matrix through a contextual map, layer by layer."""
    i = g.instance
    return Story(sweep_through(g, matrix_of_shape(X, i.d, i.n, f"a map at {i}")))


def _variant(seen: Sweep) -> str:
    """The numbers that aren't the paper's, if there are any."""
    changed = seen.map.differences(pictures.short)
    return f"VARIANT: {', '.join(changed)}" if changed else ""


def _picture(seen: Sweep) -> Html:
    drawn, y = [], 88
    if changed := _variant(seen):
        drawn, y = [el("text", changed, x=24, y=78, class_="plot")], 112
    axis, low, high = _axis(seen)
    for frame in seen.frames:
        picture = pictures.frame_picture(frame, axis, low, high)
        tall = int(re.findall(r'height="(\d+)"', picture)[0])
        drawn += [
            el("text", f"{frame.title}: {frame.what} {pictures.ids(frame.after)}", x=24, y=y, class_="plot"),
            el("svg", picture, x=24, y=y + 12, width=_WIDE - 48, height=tall),
        ]
        y += tall + 44
    title, matrix = f"One matrix through the network: {seen.map.instance}", f"X = [{_plain(seen.matrix)}]"
    return el(
        "svg",
        el("title", f"{title}, {matrix}"),
        el("style", pictures_style()),
        el("rect", width="100%", height="100%", fill="var(--paper)"),
        el("text", title, x=24, y=30, font_weight="bold", class_="plot"),
        el("text", f"{matrix}; its ids, level by level, on logarithmic axes", x=24, y=54, class_="plot"),
        *drawn,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_WIDE} {y}",
        width=_WIDE,
        height=y,
        role="img",
    )


def _landing(seen: Sweep) -> Html:
    """Where the value of each column lands."""
    after = seen.frames[-2].after if len(seen.frames) > 1 else seen.frames[-1].after
    rows = [
        [str(j), number(before), number(between), number(q), _where(seen, q)]
        for j, (before, between, q) in enumerate(
            zip(seen.frames[0].after, after, seen.frames[-1].after, strict=True), start=1
        )
    ]
    return table(["column", "id", "after the sweep", "value", "in [t_l, t_r)?"], rows, "Where the values land")


def _introduction(seen: Sweep, subject: Subject) -> list[str | Html]:
    """Explains ids, levels and values to somebody who sees only this page."""
    i, low, high = seen.map.instance, number(seen.map.interval.low), number(seen.map.interval.high)
    return [
        f"The inputs are matrices of {i.d} row{'s' * (i.d > 1)} and {i.n} columns, with entries"
        f" {', '.join(map(number, i.entries)) if i.N < 6 else f'0, {number(i.delta)}, …, {number(1 - i.delta)}'}, or a"
        " sentinel, for what is outside [0, 1). The columns are tokens. A column x has an id, ",
        formula("u^T x"),
        f" with u = ({', '.join(map(number, i.u))}). The network goes through all ids that columns without a sentinel"
        " can have, from the smallest to the largest; these are its levels. At a"
        f" level, a column with this id gets {number(subject.sweep_factor)} × (largest id − smallest id) more. The last"
        f" layer, the global shift, adds {number(subject.global_factor)} × the largest id to every column (× the"
        " smallest, to a column whose id is below 0); the results are the values. Inputs with distinct tokens should"
        " land in ",
        formula("[t_l, t_r)"),
        f" = [{low}, {high}), and all others outside. The axes are logarithmic.",
    ]


def _axis(seen: Sweep) -> tuple[Axis, mpq, mpq]:
    low, high = seen.map.interval.low, seen.map.interval.high
    return pictures.frame_axis(seen.frames, low, high, seen.map.instance.delta), low, high


def figures(seen: Sweep) -> list[Html]:
    """Each step of a sweep."""
    axis, low, high = _axis(seen)
    return [
        el(
            "figure",
            el("figcaption", el("strong", frame.title, class_="step"), " ", frame.words),
            pictures.frame_picture(frame, axis, low, high),
            el("p", f"{frame.what}: {pictures.ids(frame.after)}", class_="number"),
            class_="frame",
        )
        for frame in seen.frames
    ]


def _where(seen: Sweep, q: mpq) -> str:
    low, high = seen.map.interval.low, seen.map.interval.high
    return "inside" if low <= q < high else "below" if q < low else "above"


def _texts(X: Matrix) -> list[list[str]]:
    return [[text_of(x) for x in row] for row in X]


def _plain(X: Matrix) -> str:
    return "; ".join(", ".join(row) for row in _texts(X))


def _typed(subject: Subject, X: Matrix) -> Html:
    """Where another matrix can be typed in."""
    i = subject.instance
    if not _of_the_paper(subject) or i.n > _MOST_TYPED[0] or _MOST_TYPED[1] < i.B:
        return Html()
    return el(
        "section",
        el(
            "p",
            f"Type another matrix ({i.d} row{'s' * (i.d > 1)} of {i.n} entries) to see its steps below; rows are"
            " separated by ; and entries by commas. An entry is a number such as 1/4 or 0.25, or s, the sentinel."
            " Computed here in exact fractions.",
        ),
        el("p", el("label", "Matrix: ", el("input", type="text", value=_plain(X), size=40))),
        el("output", class_="fails"),
        class_="typed",
        data_d=i.d,
        data_n=i.n,
        data_steps=i.N,
    )

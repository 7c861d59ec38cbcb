"""How far from 0 the networks for PARITY, FIRST and ONE end, by length: run, as a table and a picture."""

from fractions import Fraction
from math import log10
from typing import Any

from verifier.catalogue import pages
from verifier.page import Page
from verifier.report.markup import Html, el

LENGTHS = range(1, 9)
SOFTMAX = {"dollar": 0}
ROWS: list[
    tuple[str, str, str, dict[str, Any]]
] = [  # what is run: its name, the page, the claim whose slack is the margin, sizes beside n
    ("PARITY, hardmax", "parity", "parity.decides", {}),
    ("PARITY, x = 5", "parity_softmax", "parity.sign", {"top": 5, "bottom": 1} | SOFTMAX),
    ("PARITY, x = 2", "parity_softmax", "parity.sign", {"top": 2, "bottom": 1} | SOFTMAX),
    ("PARITY, x = 11/10", "parity_softmax", "parity.sign", {"top": 11, "bottom": 10} | SOFTMAX),
    ("FIRST, x = 2", "parity_softmax", "first.sign", {"top": 2, "bottom": 1} | SOFTMAX),
    ("FIRST, x = N", "parity_softmax", "first.scaled", {"top": 2, "bottom": 1} | SOFTMAX),
]
COLOURS = ("#1f77b4", "#2ca02c", "#9467bd", "#8c564b", "#d62728", "#7f7f7f")


def margins() -> dict[str, list[Fraction]]:
    return {
        name: [margin(Page.file(pages()[page]), claim, n, sizes) for n in LENGTHS] for name, page, claim, sizes in ROWS
    }


def margin(page: Page, claim: str, n: int, sizes: dict[str, Any]) -> Fraction:
    """The least |out| of all words up to this length: the left side at the least slack."""
    found = page.run([claim], n=n, **sizes).content["claims"][0]
    if found["verdict"] != "holds":
        raise ValueError(f"{claim} is {found['verdict']} at n = {n}")
    return min(abs(Fraction(line["least"]["value"])) for line in found["lines"] if "least" in line)


def made() -> str:
    found = margins()
    head = f"| n | {' | '.join(found)} |\n|{'---|' * (len(found) + 1)}"
    rows = [f"| {n} | {' | '.join(str(each[k]) for each in found.values())} |" for k, n in enumerate(LENGTHS)]
    return "\n".join([str(drawn(found)), "", head, *rows])


def drawn(found: dict[str, list[Fraction]]) -> Html:
    """Logarithmic, from 1 down."""
    wide, tall, left, top, bottom = 720, 380, 60, 20, 340
    least = min(min(each) for each in found.values())
    decades = -int(log10(least)) + 1

    def at(k: int, value: Fraction) -> tuple[int, int]:
        across = left + round(k * (wide - left - 180) / (len(LENGTHS) - 1))
        return across, round(top - log10(value) * (bottom - top) / decades)

    parts: list[Html] = []
    for k in range(decades + 1):
        y = at(0, Fraction(1, 10**k))[1]
        parts.append(el("line", x1=left, y1=y, x2=wide - 180, y2=y, stroke="currentColor", stroke_opacity="0.15"))
        parts.append(
            el(
                "text",
                f"10^-{k}" if k else "1",
                x=left - 8,
                y=y + 4,
                font_size="12",
                text_anchor="end",
                fill="currentColor",
            )
        )
    for k, n in enumerate(LENGTHS):
        parts.append(
            el(
                "text",
                str(n),
                x=at(k, Fraction(1))[0],
                y=bottom + 22,
                font_size="12",
                text_anchor="middle",
                fill="currentColor",
            )
        )
    for (name, each), colour in zip(found.items(), COLOURS, strict=True):
        points = [at(k, value) for k, value in enumerate(each)]
        parts.append(
            el("polyline", points=" ".join(f"{x},{y}" for x, y in points), fill="none", stroke=colour, stroke_width="2")
        )
        parts += [el("circle", cx=x, cy=y, r=3, fill=colour) for x, y in points]
        parts.append(el("text", name, x=points[-1][0] + 10, y=points[-1][1] + 4, font_size="12", fill=colour))
    title = el("title", "The least |out| of all words up to length n, on a logarithmic axis")
    return el("svg", title, *parts, viewBox=f"0 0 {wide} {tall}", role="img", style=f"width: 100%; max-width: {wide}px")

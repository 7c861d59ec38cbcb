"""The pictures of how-to/build.md, drawn from networks that are built here: `python docs/pictures.py`.

    network.svg   f(X)_11 = x_1 mean(x) and what a network makes of it, over (x_1, x_2), strips and all
    error.svg     the distance to f, proved and measured, against N

All values are exact; only where they are drawn is rounded, to a tenth of a unit.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from gmpy2 import mpq

from verifier.build.dtype import FLOAT64
from verifier.build.exported import run
from verifier.build.meter import UNMETERED
from verifier.build.taken import Taken, members, taken
from verifier.core.exact import Q
from verifier.evaluate.definition import Reading
from verifier.language.page import read
from verifier.language.tree import Name
from verifier.target.page import Asked, page_of

TARGET, NAME = "f(j) = X[j][1] * sum(X) / n", "x * mean(x)"
STYLE = """<style>
svg { --paper: #fdfcf9; --ink: #1d1f23; --soft: #5d6470; --blue: #1f5fa8; --brown: #9a5b00; --red: #a31621; }
@media (prefers-color-scheme: dark) {
svg { --paper: #15171b; --ink: #e8e6e1; --soft: #a3a9b4; --blue: #77b0f2; --brown: #e5aa4f; --red: #ff9a9a; } }
text { font: 13px system-ui, sans-serif; fill: var(--ink); } .soft { fill: var(--soft); font-size: 12px; }
polygon { stroke: var(--paper); stroke-width: .4; } .strip { fill: var(--red); fill-opacity: .18;
stroke: var(--red); stroke-opacity: .4; }
.proved { stroke: var(--brown); } .measured { stroke: var(--blue); } polyline { fill: none; stroke-width: 2; }
circle.proved { fill: var(--brown); } circle.measured { fill: var(--blue); } line { stroke: var(--soft); }
</style>"""


class Network:
    """Of a page that `verify build` writes: its layers, and its constants by name."""

    def __init__(self, N: int, epsilon: mpq | None = None) -> None:
        text = page_of(Asked(TARGET, 1, 2, N, "float", positional=False, dtype=FLOAT64, epsilon=epsilon))
        self.reading = Reading(read(text), {})
        self.N, self.delta, self.epsilon = N, Q(1, N), self.constant("epsilon")
        case = self.reading.case("cells", 0)
        self.layers: list[Taken] = [taken(case, name, at, 1, range(1, 3)) for name, at in members(case, "whole", ())]

    def constant(self, name: str) -> mpq:
        return mpq(self.reading.nothing(Name((0, 0), name), {}))

    def __call__(self, x: mpq, y: mpq) -> mpq:
        """The first entry of the output."""
        tokens = ((x,), (y,))
        for layer in self.layers:
            tokens, _ = run(layer, tokens, UNMETERED, FLOAT64)
        return tokens[0][0]

    def measured(self) -> mpq:
        """The largest error at the vertices of cells."""
        wide = self.delta - self.epsilon
        cells = [k * self.delta for k in range(self.N)]
        return max(
            abs(self(x, y) - f(x + s, y + t)) for x in cells for y in cells for s in (0, wide) for t in (0, wide)
        )


def f(x: mpq, y: mpq) -> mpq:
    return x * (x + y) / 2


def page(width: int, height: int, title: str, parts: Iterator[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f' role="img" aria-label="{title}">{STYLE}<rect width="100%" height="100%" fill="var(--paper)"/>'
    )
    return "\n".join([head, *parts, "</svg>"]) + "\n"


def tenths(x: mpq) -> str:
    k = int(10 * x.numerator // x.denominator)
    return f"{'-' if k < 0 else ''}{abs(k) // 10}.{abs(k) % 10}"


Value = Callable[[mpq, mpq], mpq]


def surface(value: Value, ticks: Sequence[tuple[mpq, bool]], left: int) -> Iterator[str]:
    """Quadrilaterals between neighbouring ticks, the far ones first; a tick says whether a strip begins at it."""

    def place(x: mpq, y: mpq, z: mpq) -> str:
        return f"{tenths(left + 190 * (1 + y - x))},{tenths(140 + 80 * (2 - x - y) - 120 * z)}"

    known = {(x, y): value(x, y) for x, _ in ticks for y, _ in ticks}
    pairs = list(pairwise(ticks))
    for (x, strip_x), (x_1, _) in reversed(pairs):
        for (y, strip_y), (y_1, _) in reversed(pairs):
            around = ((x, y), (x_1, y), (x_1, y_1), (x, y_1))
            corners = " ".join(place(a, b, known[a, b]) for a, b in around)
            mean = sum((known[at] for at in around), Q(0)) / 4
            look = 'class="strip"' if strip_x or strip_y else f'fill="hsl(212,60%,{30 + int(50 * mean)}%)"'
            yield f'<polygon points="{corners}" {look}/>'


def network_page() -> str:
    b = Network(4, Q(1, 64))
    epsilon = b.epsilon
    flat = [(Q(k, 16), False) for k in range(17)]
    ticks: list[tuple[mpq, bool]] = []
    for k in range(b.N):
        begin = k * b.delta
        ticks += [(begin, False), (begin + b.delta - epsilon, True), (begin + b.delta - epsilon / 2, True)]
    ticks.append((Q(1), True))

    def parts() -> Iterator[str]:
        yield '<text x="24" y="26">f(X)₁₁ = x₁ (x₁ + x₂) / 2</text>'
        yield '<text x="444" y="26">the network at N = 4, strips of 1/64 in red</text>'
        yield from surface(f, flat, 20)
        yield from surface(b, ticks, 440)
        for left in (20, 440):
            yield f'<text class="soft" x="{left + 50}" y="290">← x₁</text>'
            yield f'<text class="soft" x="{left + 290}" y="290">x₂ →</text>'

    return page(860, 320, f"{NAME} and a network of it at (d, n, N) = (1, 2, 4), over (x_1, x_2)", parts())


def error_page() -> str:
    found = [Network(N) for N in (2, 4, 8, 16)]

    def at(b: Network, error: mpq) -> tuple[str, str]:
        """log2 on both axes: 2 to 16 across, 1 to 1/32 down."""
        e, x = 0, error
        while x < 1:
            e, x = e + 1, 2 * x
        depth = e - (x - 1)  # log2 to the first order between powers of two: a drawing
        return tenths(Q(80 + 180 * (b.N.bit_length() - 2))), tenths(30 + 44 * mpq(depth))

    def line(name: str, of: Callable[[Network], mpq]) -> Iterator[str]:
        points = [at(b, of(b)) for b in found]
        yield f'<polyline class="{name}" points="{" ".join(",".join(p) for p in points)}"/>'
        yield from (f'<circle class="{name}" cx="{x}" cy="{y}" r="4"/>' for x, y in points)

    def parts() -> Iterator[str]:
        for k in range(6):
            y = 30 + 44 * k
            yield f'<line x1="60" x2="640" y1="{y}" y2="{y}" stroke-width=".5"/>'
            yield f'<text class="soft" x="20" y="{y + 4}">{"1" if k == 0 else f"1/{2**k}"}</text>'
        for b in found:
            x = 80 + 180 * (b.N.bit_length() - 2)
            yield f'<text class="soft" x="{x - 20}" y="280">N = {b.N}</text>'
        yield from line("proved", lambda b: b.constant("worst"))
        yield from line("measured", Network.measured)
        yield '<text x="400" y="52" style="fill: var(--brown)">proved, off the strips: L delta/2</text>'
        yield '<text x="400" y="72" style="fill: var(--blue)">measured, at the vertices of cells</text>'

    return page(660, 300, f"The largest error of a network for {NAME}, proved and measured, against N", parts())


PICTURES = {"network.svg": network_page, "error.svg": error_page}


def main() -> None:
    for name, make in PICTURES.items():
        (Path(__file__).parent / name).write_text(make(), encoding="utf-8")


if __name__ == "__main__":
    main()

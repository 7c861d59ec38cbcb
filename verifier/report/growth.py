"""How layers and thresholds grow with d, n and N: the paper's formulas around what was verified."""

from collections.abc import Sequence
from math import comb

from verifier.catalogue import DEFAULT
from verifier.core.exact import text_of
from verifier.papers.yun2020.instance import Instance
from verifier.report import pictures
from verifier.report.markup import Html, el, part, table
from verifier.report.mathml import formula
from verifier.report.sources import Source
from verifier.report.words import thousands


def growth(sources: Sequence[Source]) -> Html:
    good = [s for s in sources if s.standing == "accepted" and s.paper == DEFAULT and not s.variant]
    if not good or not _small(*good[0].place):
        return Html()
    verified = {source.place for source in good}
    d, n, N = good[0].place
    panels = []
    for name, places in (
        ("N", [(d, n, k) for k in _around(N)]),
        ("n", [(d, k, N) for k in _around(n)]),
        ("d", [(k, n, N) for k in _around(d, 1)]),
    ):
        fixed = ", ".join(f"{letter} = {value}" for letter, value in (("d", d), ("n", n), ("N", N)) if letter != name)
        panels.append(_panel(f"as {name} grows, {fixed}", [Instance(*place) for place in places], verified))
    words = [
        "By the paper's formulas, around the first certificate. ◆ marks what a certificate of this page verifies; for"
        " all others only the formula is evaluated. ",
        formula("g_c"),
        " has ",
        formula("N^d + 1"),
        " layers; the whole network has ",
        formula("dN + d"),
        " more for the quantiser, and ",
        formula("1 + d + n C(N^d, n)"),
        " more for the value map. Bars are logarithmic, on one scale within a table.",
    ]
    return part(
        el("h2", "How values and layers grow"),
        el("p", *words),
        el("div", *panels, class_="panels"),
        opened=False,
        id="growth",
    )


def _around(value: int, least: int = 2) -> range:
    start = max(least, value - 2)
    return range(start, start + 5)


def _small(d: int, n: int, N: int) -> bool:
    return (d + 4) * (2 * n + 9) * (N + 4).bit_length() < 5000


def _panel(words: str, instances: list[Instance], verified: set[tuple[int, ...]]) -> Html:
    longest = pictures.length_of(max(i.t_r for i in instances), instances[-1].delta)
    rows = []
    for i in instances:
        layers = i.d * i.N + i.d + i.B + 2 + i.d + i.n * comb(i.B, i.n) if i.n < 50 else None
        place = f"({i.d},\u00a0{i.n},\u00a0{i.N})"
        rows.append(
            [
                el("strong", f"◆ {place}") if (i.d, i.n, i.N) in verified else place,
                thousands(i.B + 1),
                "" if layers is None else pictures.brief(str(layers)),
                pictures.brief(text_of(i.lemma10_upper)),
                pictures.brief(text_of(i.t_r)),
                pictures.bar(pictures.length_of(i.t_r, instances[-1].delta), longest),
            ]
        )
    return table(["(d, n, N)", "layers of g_c", "of the network", "bound of Lemma 10", "t_r", ""], rows, words)

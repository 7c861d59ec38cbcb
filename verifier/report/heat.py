"""A survey as a heat map over (n, N) for each d: claims by verdict."""

from collections import Counter
from typing import Any

from verifier.report.markup import Html, el, table
from verifier.report.sources import Survey
from verifier.report.words import SIGNS, badge, cut

_MOST_CELLS = 4000


def heat_map(survey: Survey, k: int) -> Html:
    """A heat map over (n, N) for each d."""
    rows = survey.rows[:_MOST_CELLS]
    by_d: dict[int, dict[tuple[int, int], dict[str, Any]]] = {}
    for row in rows:
        by_d.setdefault(row["d"], {})[row["n"], row["N"]] = row
    note = f" The first {len(rows):,} of {len(survey.rows):,} instances." if len(rows) < len(survey.rows) else ""
    legend = [badge(verdict) for verdict in ("holds", "vacuous", "refuted", "skipped", "too large")]
    return el(
        "section",
        el("h2", f"Survey {k}: ", el("code", cut(survey.name, 120))),
        el(
            "p",
            f"A cell for each (n, N): how many claims have which verdict. Nothing here was re-checked.{note} ",
            *legend,
        ),
        *(_heat(d, cells) for d, cells in by_d.items()),
        id=f"s{k}",
    )


def _heat(d: int, cells: dict[tuple[int, int], dict[str, Any]]) -> Html:
    columns = sorted({N for _, N in cells})
    if len(columns) * len({n for n, _ in cells}) > 4 * _MOST_CELLS:  # far apart: a list instead of a map
        lines = [[str(n), str(N), _cell(row)] for (n, N), row in sorted(cells.items())]
        return table(["n", "N", "claims"], lines, f"d = {d}", "heat")
    lines = [
        [f"n = {n}", *(_cell(cells[n, N]) if (n, N) in cells else Html() for N in columns)]
        for n in sorted({n for n, _ in cells})
    ]
    return table(["", *(f"N = {N}" for N in columns)], lines, f"d = {d}", "heat")


def _cell(row: dict[str, Any]) -> Html:
    counted: Counter[str] = Counter()
    for counts in row["families"].values():
        counted.update(counts)
    shown = [(v, f"{counted[v]} {v}") for v in ("refuted", "fails", "holds", "vacuous", "skipped") if counted[v]]
    verdict = row["verdict"]
    lines = shown or [(verdict, verdict)]
    title = f"{cut(row['orbits'], 60)} orbits; {cut(row.get('why', ''), 200)}".removesuffix("; ")
    part = counted["vacuous"] > 0 and verdict == "holds"
    return el(
        "div",
        *(el("span", el("span", SIGNS[v], aria_hidden="true"), f" {words}") for v, words in lines),
        class_=f"cell {'some-vacuous' if part else verdict.replace(' ', '-')}",
        title=title,
    )

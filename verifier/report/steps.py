"""The sweep of one matrix by the literal network, level by level; and all values of a small grid."""

from dataclasses import dataclass
from typing import Any

from gmpy2 import mpq

from verifier.core.exact import Matrix, Vector, text_of
from verifier.papers.yun2020.contextual_map import ContextualMap, contextual_map
from verifier.papers.yun2020.instance import Instance

MOST_LEVELS = 2000  # layers; longer sweeps aren't shown on a page
MOST_FRAMES = 40
MOST_COLUMNS = 16
MOST_ORBITS = 500  # whose values are all computed and drawn
MOST_RUNS = 10_000  # orbits times layers


@dataclass(frozen=True)
class Frame:
    title: str
    words: str
    before: Vector
    after: Vector

    @property
    def what(self) -> str:
        return "values" if self.title == "global shift" else "ids"


@dataclass(frozen=True)
class Sweep:
    map: ContextualMap
    matrix: Matrix
    frames: list[Frame]
    left_out: int


def sweep_of(place: tuple[int, int, int], variant: dict[str, Any], X: Matrix) -> Sweep | None:
    """The frames of X in the literal network; None if it is too large for a page."""
    d, n, N = place
    if n > MOST_COLUMNS or d * N.bit_length() > 64 or N**d > MOST_LEVELS:
        return None
    return sweep_through(contextual_map(Instance(*place), **variant), X)


def sweep_through(g: ContextualMap, X: Matrix) -> Sweep:
    """The frames of X in this network; layer k has the level k delta, unless layers were left out or added."""
    start, levelled = g.ids(X), len(g.sweep) == g.instance.B
    frames = [Frame("before", "The ids of the columns, as the matrix has them.", start, start)]
    idle: list[mpq] = []
    for k, step in enumerate(g.network.trace(X)):
        last = k == len(g.sweep)
        level = k * g.instance.delta
        if step.after is step.before and not last:
            idle.append(level)
            continue
        before, after = g.ids(step.before), g.ids(step.after)
        words = _idle(idle) + (
            _global(before, after, g.interval.low, g.interval.high) if last else _shift(before, after)
        )
        title = "global shift" if last else f"level {text_of(level)}" if levelled else f"layer {k}"
        frames.append(Frame(title, words, before, after))
        idle = []
    left_out = max(0, len(frames) - MOST_FRAMES)
    if left_out:
        frames = [*frames[: MOST_FRAMES - 1], frames[-1]]
    return Sweep(g, X, frames, left_out)


def every_value(place: tuple[int, int, int], variant: dict[str, Any], orbits: int) -> list[tuple[int, mpq]]:
    """All values of G+, each with its category; none if there are too many to be drawn."""
    d, _, N = place
    if orbits > MOST_ORBITS or d * N.bit_length() > 64 or orbits * (N**d + 1) > MOST_RUNS:
        return []
    g = contextual_map(Instance(*place), **variant)
    return sorted({(case.category, q) for case in map(g.space.at, range(g.space.size)) for q in case.q})


def _idle(levels: list[mpq]) -> str:
    if not levels:
        return ""
    if len(levels) == 1:
        return f"Level {text_of(levels[0])} does nothing. "
    return f"The {len(levels)} levels {text_of(levels[0])} to {text_of(levels[-1])} do nothing. "


def _shift(before: Vector, after: Vector) -> str:
    moved = [j for j, (x, y) in enumerate(zip(before, after, strict=True)) if x != y]
    if not moved:
        return "Rows change, and no id does."
    top, bottom = max(before), min(before)
    by = after[moved[0]] - before[moved[0]]
    words = f"{_columns(moved)} from {text_of(before[moved[0]])} to {text_of(after[moved[0]])}"
    if top == bottom:
        return f"{words}, by {text_of(by)}."
    factor = text_of(by / (top - bottom))
    return f"{words}, by {factor} × (largest id − smallest id) = {factor} × ({_minus(top, bottom)}) = {text_of(by)}."


def _global(before: Vector, after: Vector, low: mpq, high: mpq) -> str:
    moved = {y - x for x, y in zip(before, after, strict=True)}
    if len(moved) > 1:
        return "The columns are shifted by different amounts."
    (by,) = moved
    words = f"Every column is raised by {text_of(by)}"
    if top := max(before):
        words += f" = {text_of(by / top)} × {_factor(top)} (the largest id)"
    inside = sum(low <= y < high for y in after)
    some = f"{inside} of {len(after)} values {'is' if inside == 1 else 'are'}"
    where = {0: "None of the values is", len(after): "All values are"}.get(inside, some)
    return f"{words}. {where} in the shaded interval."


def _columns(moved: list[int]) -> str:
    if len(moved) == 1:
        return f"Column {moved[0] + 1} goes"
    return f"Columns {', '.join(str(j + 1) for j in moved)} go together"


def _factor(x: mpq) -> str:
    return text_of(x) if x >= 0 else f"({text_of(x)})"


def _minus(top: mpq, bottom: mpq) -> str:
    return f"{text_of(top)} − {text_of(bottom)}" if bottom >= 0 else f"{text_of(top)} + {text_of(-bottom)}"

"""What happens to one context: stretch by stretch, through the printed layers and through the repair's."""

from collections.abc import Iterator

from verifier.core.exact import Vector, text_of
from verifier.papers.bigbird2020.construction import Context, Run, Stage
from verifier.papers.bigbird2020.sweep import Sweep


def lines(case: Context) -> Iterator[str]:
    """Its ids, the global token's first, after every stretch of layers, and which level shifts whom."""
    yield f"ids   u^T x_0 | u^T x_1, ..., u^T x_{case.instance.n} = {_ids(case.run.stages[0].before)}"
    yield ""
    yield "As printed"
    yield from _run(case.run)
    yield ""
    yield "The repair: other intervals of levels, all else as printed"
    yield from _run(case.mended)


def _run(run: Run) -> Iterator[str]:
    for stage in run.stages:
        yield f"  {stage.sweep.name:7}  {_ids(stage.after):24}  {_what(stage)}"
    yield f"  q        {', '.join(map(text_of, run.q))}"


def _what(stage: Stage) -> str:
    levels = _levels(stage.sweep)
    shifted = [
        f"level {text_of(move.level)} shifts {'the global token' if token == 0 else f'token {token}'}"
        for move in stage.moves
        for token in move.tokens
    ]
    return f"{levels}: {', '.join(shifted) or 'no token is there'}" if stage.sweep.levels else levels


def _levels(sweep: Sweep) -> str:
    """How many, and which."""
    last = sweep.first + (sweep.levels - 1) * sweep.instance.delta
    if sweep.levels == 0:
        return f"no level: its interval, from {text_of(sweep.first)} on, is empty"
    if sweep.levels == 1:
        return f"1 level, {text_of(sweep.first)}"
    return f"{sweep.levels:,} levels, {text_of(sweep.first)} to {text_of(last)}"


def _ids(ids: Vector) -> str:
    return f"{text_of(ids[0])} | {', '.join(map(text_of, ids[1:]))}"

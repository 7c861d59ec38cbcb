"""One case of a claim, told: what each network makes of it, and only what changed. No verdict rests on this."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from .cases import Cases, shown
from .derive import Limits, Run, deep, listed, started
from .evaluate import Stage
from .graph import Code, Frame, Getter, Graph, Row, Value, plain
from .layers import Event
from .ledger import exact, ledger_of, planned
from .numbers import Runtime
from .tree import Claim
from .words import Refused


def trace(
    text: str,
    sizes: dict[str, int],
    variant: dict[str, Fraction],
    claim_id: str,
    ranks: Sequence[int],
    limits: Limits | None = None,
) -> list[list[dict[str, Any]]]:
    """Of each of these cases (one of none, of a claim about none) the networks that the claim runs."""
    with deep():
        run = started(text, sizes, variant, limits or Limits())
        (claim,) = listed(run, [claim_id])
        if not claim.on:
            return networks(run, claim, None, [-1])
        inputs, found = run.page.inputs[claim.on], dict[int, list[dict[str, Any]]]()
        for group in run.groups(inputs):
            if its := [rank for rank in ranks if group.start <= rank < group.start + group.size()]:
                found |= zip(its, networks(run, claim, Cases(run, inputs, group), its), strict=True)
        if missing := [rank for rank in ranks if rank not in found]:
            raise Refused(None, f"{claim.on} has no case of rank {missing[0]}")
        return [found[rank] for rank in ranks]


def networks(run: Run, claim: Claim, cases: Cases | None, ranks: list[int]) -> list[list[dict[str, Any]]]:
    stage = cases.stage if cases else Stage(run, {}, Graph(run.budget))
    planned(stage, ledger_of(claim), claim.lines, {})
    ran = [(key, *found) for key, found in stage.traces.items() if key[0] == "" and outside_loops(found[0])]

    def work(D: int) -> list[list[dict[str, Any]]]:
        code = Code(D, run.budget, cases.weight + 1 if cases else 0)
        getters = [(code.get(tokens), [code.get(event.new) for event in events]) for _, tokens, events, _ in ran]
        frames = [frame for _, _, frame in cases.frames(D, code.slots, 0, ranks)] if cases else [code.frame()]
        return [
            [
                said
                for ((_, name, *arguments, _), tokens, events, _), made in zip(ran, getters, strict=True)
                for said in told(D, frame, called(name, arguments), tokens, events, made)
            ]
            for frame in frames
        ]

    return run.in_a_unit(claim.on, stage, work)


def outside_loops(tokens: Value) -> bool:
    """Do they follow from the case, and from no letter of a line's `for`?"""
    return isinstance(tokens, Fraction) or not tokens.deps


def told(  # getters: of the tokens at first, and of what each event makes of them
    D: int, frame: Frame, name: str, tokens: Value, events: list[Event], getters: tuple[Getter, list[Getter]]
) -> Iterator[dict[str, Any]]:
    try:
        state = getters[0](frame)
        made = [(event, get(frame)) for event, get in zip(events, getters[1], strict=True)]
    except Refused:
        return  # of a branch that this case doesn't take; one that can be computed is told
    first = tokens.first if isinstance(tokens, Row) else 1
    said: dict[str, Any] = {"network": name, "tokens": shown(exact(state, D)), "first": first, "steps": []}
    for event, new in made:
        for after in [new] if isinstance(event.new, Row) else new:
            if after != state:
                said["steps"].append(step(event, first, exact(state, D), exact(after, D)))
                state = after
    yield said


def step(event: Event, first: int, old: Runtime, new: Runtime) -> dict[str, Any]:
    """A layer that changed the tokens. In a family that is run by cells, and where the number of tokens depends on the
    case, it isn't known which one."""
    part = event.part
    changes = [(k, a, b) for k, (a, b) in enumerate(zip(old, new, strict=True), first) if a != b]
    return {
        "layer": called(part.name, event.arguments) if part and part.reach is None else "",
        "line": part.place.line if part else 0,
        "changed": [{"token": k, "from": shown(a), "to": shown(b)} for k, a, b in changes],
    }


def called(name: str, arguments: Sequence[Value]) -> str:
    return f"{name}({', '.join(as_text(shown(plain(one))) for one in arguments)})" if arguments else name


def as_text(value: Any) -> str:
    return f"[{', '.join(map(as_text, value))}]" if isinstance(value, list) else str(value)

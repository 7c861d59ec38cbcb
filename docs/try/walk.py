"""A case of a claim, followed: what each network makes of it, layer by layer, and only what changed.

The checker's own evaluator runs what the claim looks at, as for a certificate, and it is noted. No verdict rests on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, ParamSpec, TypeVar

from verifier.checker.page.derive import Limits, Run, deep, listed, started
from verifier.checker.page.evaluate import CASE, LENGTH, Body, Case, Code, Evaluator, Frame, Scope, Several
from verifier.checker.page.ledger import Ledger, Ranks
from verifier.checker.page.lines import Act, Block, Lines
from verifier.checker.page.networks import Networks, Step, Trace
from verifier.checker.page.tree import Claim, Line, Part, Tree
from verifier.checker.page.values import List, Value, exactly, shown
from verifier.checker.page.words import Refused

Told = dict[str, Any]
P = ParamSpec("P")
T = TypeVar("T")


@deep()
def walk(text: str, sizes: dict[str, int], claim_id: str, ranks: Sequence[int]) -> list[list[Told]]:
    """Of each of these cases the runs of networks; of none, those of what the claim says about no case."""
    run = started(text, sizes, {}, Limits())
    (claim,) = listed(run, [claim_id])
    if not claim.on:
        return [told(run, claim)]
    if not ranks:
        once = tuple(inner for line in claim.lines if line.op == "once" for inner in line.block)
        return [told(run, replace(claim, on="", when=None, lines=once))]
    cases = run.cases(run.page.inputs[claim.on])
    if beyond := [rank for rank in ranks if not 0 <= rank < cases.total]:
        raise Refused(None, f"{claim.on} has no case of rank {beyond[0]}")
    return [told(run, claim, case, (rank,)) for rank, case in cases.of(ranks)]


def told(run: Run, claim: Claim, case: Case | None = None, ranks: Ranks = ()) -> list[Told]:
    evaluator, scope = Noting(run, claim), Scope()
    # What follows from the number of items alone is kept with this case, so that it is run, and told, for this one too.
    here = Case(case.items, case.weight, None, case.length.lengths) if case else evaluator.root
    passes = evaluator.passes(claim.when, scope)
    act = NotingLines(evaluator, Ledger(claim)).all_of(claim.lines, Block(scope))
    e = scope.body.frame(here)
    if passes is None or passes(e):
        act(e, ranks)
    return [run_of(*one) for one in evaluator.ran.values()]


class Noting(Evaluator):
    """Notes the runs of networks, each once, in the order in which they are made."""

    def __init__(self, run: Run, claim: Claim) -> None:
        super().__init__(run.page, run.sizes, {}, run.evaluator.unknown, run.budget, run.over)
        NotingNetworks(self, {name: heads for name, (_, heads) in run.forms.items()})
        self.ran: dict[object, tuple[str, list[Value], list[List]]] = {}
        self.about_cases, self.noting = bool(claim.on), True

    def note(self, name: str, arguments: list[Value], states: list[List]) -> None:
        if self.noting:
            self.ran.setdefault((name, *map(exactly, arguments), exactly(states[0])), (name, arguments, states))

    def aside(self, get: Callable[P, T]) -> Callable[P, T]:
        """The same, and what it runs isn't noted."""

        def unnoted(*frame: P.args, **named: P.kwargs) -> T:
            before, self.noting = self.noting, False
            try:
                return get(*frame, **named)
            finally:
                self.noting = before

        return unnoted

    def kept(self, name: str, code: Code, body: Body, uses: set[object]) -> Code:
        """A constant isn't about the case at hand."""
        get = super().kept(name, code, body, uses)
        return self.aside(get) if self.about_cases and not uses & {CASE, LENGTH} else get

    def over_cases(self, tree: Tree) -> Several:
        """About other cases."""
        return self.aside(super().over_cases(tree))


class NotingLines(Lines):
    evaluator: Noting

    def for_all(self, line: Line, block: Block) -> Act:
        """About all real numbers: no tokens of theirs could be shown."""
        return self.evaluator.aside(super().for_all(line, block))


class Acted(list[List]):
    """States, with the layer that made each but the first."""

    def __init__(self, states: list[List]) -> None:
        super().__init__(states)
        self.layers: list[tuple[Part, list[Value]]] = []


class NotingNetworks(Networks):
    evaluator: Noting

    def states(self, tree: Tree, scope: Scope) -> Callable[[Frame], list[List]]:
        get = super().states(tree, scope)
        arguments = [self.evaluator.of(part, scope) for part in tree.parts[:-1]]

        def noted(e: Frame) -> list[List]:
            states = get(e)
            self.evaluator.note(tree.word, [argument(e) for argument in arguments], states)
            return states

        return noted

    def part(self, part: Part, scope: Scope) -> Step:
        step = super().part(part, scope)
        if part.reach or part.name not in self.page.layers:
            return step
        arguments = [self.evaluator.of(tree, scope) for tree in part.arguments]

        def noted(e: Frame, trace: Trace) -> None:
            before = len(trace.states)
            step(e, trace)
            if len(trace.states) > before and not trace.varies:
                if not isinstance(trace.states, Acted):
                    trace.states = Acted(trace.states)
                trace.states.layers.append((part, [argument(e) for argument in arguments]))

        return noted


# In words
def run_of(name: str, arguments: list[Value], states: list[List]) -> Told:
    layers, steps = states.layers if isinstance(states, Acted) else [], []
    for (part, values), old, new in zip(layers, states, states[1:], strict=False):
        pairs = enumerate(zip(old.items, new.items, strict=True), old.first)
        changed = [{"token": k, "from": shown(a), "to": shown(b)} for k, (a, b) in pairs if a != b]
        steps.append({"layer": called(part.name, values), "line": part.place.line, "changed": changed})
    tokens = states[0]
    return {"network": called(name, arguments), "tokens": shown(tokens), "first": tokens.first, "steps": steps}


def called(name: str, arguments: list[Value]) -> str:
    return f"{name}({', '.join(as_text(shown(one)) for one in arguments)})" if arguments else name


def as_text(value: Any) -> str:
    return f"[{', '.join(map(as_text, value))}]" if isinstance(value, list) else str(value)

"""The cases that decide a claim, of any construction whose cases run through a network, layer by layer."""

from typing import Any

from rich.console import Console
from rich.text import Text

from verifier.core.case import NetworkCase
from verifier.core.claim import Claim
from verifier.core.exact import Matrix, bracketed
from verifier.core.layers import Attention
from verifier.core.network import Step
from verifier.report.terminal import stdout
from verifier.run.results import Evidence, Result

_MOST = 40  # layers that change something; of a deeper network the first ones are told


def explain(result: Result, claim: str) -> None:
    """Prints how the claim's counterexample, or the case that it is tightest at, comes about."""
    finding, console = result[claim], stdout()
    evidence = finding.counterexample or finding.tightest
    _say(console, f"{finding.claim.id}: {finding.claim.says}")
    if evidence is None:
        _say(console, f"  {finding.verdict}; {finding.why or 'every relation is an equality, and no case stands out'}")
        return
    _say(console, f"  {'tightest' if evidence.relation.holds else 'counterexample'}: {evidence}")
    for case in cases_of(result, finding.claim, evidence):
        tell(case, console)


def cases_of(result: Result, claim: Claim, evidence: Evidence) -> list[Any]:
    """The cases that a relation is about, found by the matrices that are shown of them."""
    g = result.construction
    every = claim.domain.cases(g) if claim.domain.cases else map(g.space.at, range(g.space.size))
    wanted: list[Matrix] = list(evidence.matrices)
    found = {}
    for case in every:
        if wanted and case.shown and case.shown[0] in wanted:
            found[case.shown[0]] = case
        if len(found) == len(set(wanted)):
            break
    return [found[X] for X in wanted if X in found]


def tell(case: Any, console: Console | None = None) -> None:
    """A matrix, and what each layer that changes it makes of it."""
    console = console or stdout()
    if not isinstance(case, NetworkCase):
        _say(console, f"  {' and '.join(map(bracketed, case.shown)) or 'the construction itself'}: no network's case")
        return
    _say(console, f"  {bracketed(case.X)}")
    moving = [(k, step) for k, step in enumerate(case.steps) if step.after != step.before]
    for k, step in moving[:_MOST]:
        _say(console, f"    layer {k}, {_kind(step)}: {bracketed(step.after)}")
    if len(moving) > _MOST:
        _say(console, f"    and {len(moving) - _MOST} layers more, to {bracketed(case.image)}")
    if idle := len(case.steps) - len(moving):
        _say(console, f"    ({idle} of {len(case.steps)} layers change nothing)")


def _kind(step: Step) -> str:
    if type(step.layer) is Attention:
        return f"attention, its heads read {' and '.join(map(bracketed, step.values))}"
    return type(step.layer).__name__


def _say(console: Console, words: str) -> None:
    console.print(Text(words), soft_wrap=True)

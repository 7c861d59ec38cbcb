"""Prints how a case is computed, or the cases that decide a claim: as the construction tells it, or layer by layer."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from verifier.core.case import NetworkCase
from verifier.core.claim import Claim
from verifier.core.construction import Construction
from verifier.core.exact import Matrix, NotExact, bracketed
from verifier.core.layers import Attention
from verifier.core.network import Step
from verifier.papers.yun2020.case import Run
from verifier.report.console import stdout
from verifier.run.results import Evidence, Result

_MOST = 40  # layers that change something; more aren't printed


def explain(result: Result, claim: str) -> None:
    """Print how the claim's counterexample, or its tightest case, comes about: what each layer makes of it."""
    if not isinstance(result, Result):
        made = 'explain(verify(g, ["lemma6.1"]), "lemma6.1")'
        raise TypeError(f"explain takes what verify returns, as in {made}; story(g, X) follows a matrix X")
    finding, console = result[claim], stdout()
    evidence = finding.counterexample or finding.tightest
    _say(console, f"{finding.claim.id}: {finding.claim.says}")
    if evidence is None:
        _say(console, f"  {finding.verdict}; {finding.why or 'every relation is an equality, and no case stands out'}")
        return
    _say(console, f"  {'tightest' if evidence.relation.holds else 'counterexample'}: {evidence}")
    for case in cases_of(result, finding.claim, evidence):
        tell(result.construction, case, console)


def cases_of(result: Result, claim: Claim, evidence: Evidence) -> list[Any]:
    """The cases that a relation is about, found by the matrices that are shown for them."""
    g = result.construction
    found = _shown_by(claim.domain.cases(g) if claim.domain.cases else _every(g), evidence.matrices)
    return [found[X] for X in evidence.matrices if X in found]


def case_of(g: Construction, X: Matrix) -> Any:
    """The case for which this matrix is shown."""
    found = _shown_by(_every(g), (X,))
    if X not in found:
        first = " and ".join(map(bracketed, g.space.shown(0)))
        raise NotExact(f"{bracketed(X)} is no {g.space.one} at {g}; the first of the {g.space.size:,} is {first}")
    return found[X]


def _every(g: Construction) -> Iterable[Any]:
    return map(g.space.at, range(g.space.size))


def _shown_by(cases: Iterable[Any], wanted: Sequence[Matrix]) -> dict[Matrix, Any]:
    found: dict[Matrix, Any] = {}
    for case in cases:
        shown = getattr(case, "shown", ())
        if shown and shown[0] in wanted:
            found[shown[0]] = case
        if len(found) == len(set(wanted)):
            break
    return found


def tell(g: Construction, case: Any, console: Console | None = None) -> None:
    """Prints a matrix, and what becomes of it."""
    console = console or stdout()
    _say(console, f"  {' and '.join(map(bracketed, case.shown)) or 'the construction itself'}")
    lines = list(g.trace(case)) or (list(_layers(case)) if isinstance(case, NetworkCase | Run) else [])
    for line in lines:
        _say(console, f"    {line}".rstrip())


def _layers(case: NetworkCase | Run[Any]) -> Iterator[str]:
    """The matrix after each layer that changes it."""
    moving = [(k, step) for k, step in enumerate(case.steps) if step.after != step.before]
    for k, step in moving[:_MOST]:
        yield f"layer {k}, {_kind(step)}: {bracketed(step.after)}"
    if len(moving) > _MOST:
        yield f"and {len(moving) - _MOST} layers more, to {bracketed(case.steps[-1].after)}"
    if idle := len(case.steps) - len(moving):
        yield f"({idle} of {len(case.steps)} layers change nothing)"


def _kind(step: Step) -> str:
    if type(step.layer) is Attention:
        return f"attention, its heads read {' and '.join(map(bracketed, step.values))}"
    return type(step.layer).__name__


def _say(console: Console, words: str) -> None:
    console.print(Text(words), soft_wrap=True)

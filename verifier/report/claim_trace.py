"""The trace of a claim's tightest case, or of its first counterexample."""

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from types import MappingProxyType
from typing import Any

from gmpy2 import mpq

from verifier.catalogue import default_claims
from verifier.confirm import confirm
from verifier.core.claim import Claim
from verifier.core.exact import Matrix
from verifier.papers.yun2020.case import Case
from verifier.papers.yun2020.contextual_map import ContextualMap, contextual_map
from verifier.papers.yun2020.instance import Instance
from verifier.report.subject import CONSTRUCTIONS, Subject
from verifier.report.trace import Trace, trace
from verifier.run.results import Evidence, Finding
from verifier.run.verify import RunOptions, verify
from verifier.run.watch import Progress

# For a claim whose cases are all equally tight, how many orbits are searched for one of them.
MOST_SOUGHT = 100_000


@dataclass(frozen=True)
class ClaimTrace:
    """A claim at an instance, its counterexample or tightest case, and the trace of each matrix of that case."""

    instance: Instance
    finding: Finding
    evidence: Evidence | None
    traces: tuple[Trace, ...]
    note: str  # why there is no trace, or what the trace is of
    checked: str  # the independent checker's answer
    exchanged: Mapping[str, mpq]  # of a variant


def construction_of(claim: Claim) -> str | None:
    """The construction that a claim's cases run through, if these are matrices that can be traced."""
    if claim.domain.cases is None:
        return "contextual"
    made = (construction for construction in CONSTRUCTIONS.values() if construction.domain)
    return next((its.name for its in made if its.domain and its.domain.cases is claim.domain.cases), None)


def is_ordered(claim: Claim) -> bool:
    """Whether its cases run through a positional construction."""
    name = construction_of(claim)
    return name is not None and CONSTRUCTIONS[name].ordered


def trace_claim(
    instance: Instance, claim: Claim, options: RunOptions, exchanged: Mapping[str, mpq] = MappingProxyType({})
) -> ClaimTrace:
    """Runs the claim on all of its cases, and traces its counterexample or its tightest case."""
    g, began = contextual_map(instance, **exchanged), time.monotonic()  # type: ignore[arg-type]
    result = verify(g, [claim], replace(options, progress=_without_verdicts(options.progress)))
    finding, standing = result.findings[0], confirm(result, began, options.deadline, options.jobs)
    evidence = finding.counterexample or finding.tightest
    if evidence is None and finding.verdict != "holds":
        return ClaimTrace(instance, finding, None, (), finding.why, standing.words, exchanged)
    name = construction_of(claim)
    if name is None:
        note = "its cases are not matrices that go through a contextual map" if evidence and evidence.matrices else ""
        note = note or "it is about no matrix of its own"
        return ClaimTrace(instance, finding, evidence, (), note, standing.words, exchanged)
    subject = Subject(CONSTRUCTIONS[name], instance, exchanged if name == "contextual" else {})
    beyond = name == "contextual" and claim not in default_claims()
    note = "the claim is about the whole network; below is the contextual map only" if beyond else ""
    matrices = evidence.matrices if evidence else ()
    if evidence is None and claim.check:
        note = "its relations are equalities: no case is tighter than another, and this is the first"
        matrices = tuple(islice(_first(g, claim), 1))
    if not matrices:
        note = "it is about all cases together, not about one matrix"
    traces = tuple(trace(subject, X) for X in matrices)
    return ClaimTrace(instance, finding, evidence, traces, note, standing.words, exchanged)


def _without_verdicts(progress: Progress) -> Progress:
    """Progress without the report of a refutation, which the trace will show anyway."""
    return lambda so_far: progress(replace(so_far, refuted=()))


def _first(g: ContextualMap, claim: Claim) -> Iterator[Matrix]:
    """The matrices among the first MOST_SOUGHT that are cases of the claim."""
    orbits = (Case(g, number, orbit) for number, orbit in enumerate(g.grid.orbits()))
    cases: Iterable[Any] = orbits if claim.domain.cases is None else claim.domain.cases(g)
    return (case.X for case in islice(cases, MOST_SOUGHT) if claim.domain.selects(case))

"""From a result to the bytes of a certificate, as proofs/FORMAT.md has it (it only writes; reading is the checker's).

Canonical JSON: UTF-8, keys sorted, one space of indent, one newline at the end, no floats, no time or
machine in it. A rational is a string in lowest terms, a matrix a list of its rows. The same instance and
claims give the same bytes.
"""

import json
from collections.abc import Iterator
from typing import Any

from gmpy2 import mpq

from verifier.claims.claim import Value
from verifier.claims.registry import all_claims
from verifier.constructions.contextual_map import ContextualMap, exchangeable, exchanged
from verifier.exact import Matrix, text_of
from verifier.exhaustive.run import Evidence, Finding, Result
from verifier.exhaustive.shard import Count, Shard
from verifier.grid import Sizes
from verifier.instance import Instance

FORMAT = "verifier.certificate/1"


class NotCertifiable(ValueError):
    """A construction, or a claim, that the format has no words for."""


def certify(result: Result) -> bytes:
    """The certificate of a result, as the bytes of its file (proofs/FORMAT.md)."""
    return canonical(content(result))


def canonical(document: dict[str, Any]) -> bytes:
    return (json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode()


def content(result: Result) -> dict[str, Any]:
    g = result.map
    known = all_claims()
    for finding in result.findings:
        if finding.claim.id not in known:
            raise NotCertifiable(f"a certificate has no words for a claim of one's own: {finding.claim.id}")
    changed = variant(g)
    thresholds = {name: changed[name] for name in ("t_l", "t_r") if name in changed}
    document: dict[str, Any] = {
        "format": FORMAT,
        "instance": {"d": g.instance.d, "n": g.instance.n, "N": g.instance.N},
        "statement": statement(g.instance, changed),
        "constants": {name: text_of(value) for name, value in (constants(g.instance) | thresholds).items()},
        "coverage": _coverage(result.coverage),
        "claims": [claim_entry(finding) for finding in result.findings],
        "shards": [_shard(shard) for shard in result.shards],
        "not_covered": not_covered(result),
        "verdict": result.verdict,
    }
    if changed:
        document["variant"] = {name: text_of(value) for name, value in changed.items()}
    return document


def promises(document: dict[str, Any]) -> Iterator[str]:
    """What a certificate says, in the form in which a reader promises it: a line for each verdict (FORMAT.md, 10)."""
    instance = document["instance"]
    exchanged = "".join(f" {name}={value}" for name, value in document.get("variant", {}).items())
    by_verdict: dict[str, list[str]] = {}
    for claim in document["claims"]:
        by_verdict.setdefault(claim["verdict"], []).append(claim["id"])
    for verdict, ids in by_verdict.items():
        yield f"{instance['d']} {instance['n']} {instance['N']}  {','.join(ids)}  {verdict}{exchanged}"


def constants(instance: Instance) -> dict[str, mpq]:
    return {
        "delta": instance.delta,
        "t_l": instance.t_l,
        "t_r": instance.t_r,
        "lemma10.lower": instance.lemma10_lower,
        "lemma10.upper": instance.lemma10_upper,
    }


def variant(g: ContextualMap) -> dict[str, mpq]:
    """The numbers of the construction that are not the paper's; none for the paper's own."""
    paper, changed = exchangeable(g.instance), exchanged(g)
    if changed is None:
        raise NotCertifiable(
            "a certificate speaks of the paper's construction, or of one with another sentinel, sweep_factor,"
            " global_factor, t_l or t_r; this one differs in something else"
        )
    whole = {"sweep_factor": 1, "global_factor": 1} | dict.fromkeys(("sentinel", "t_l", "t_r"), g.instance.N)
    for name, value in changed.items():
        if int((whole[name] * value).denominator) != 1:
            raise NotCertifiable(f"{name} = {value}: a certificate counts in whole multiples of delta")
    for name, sign in (("sentinel", -1), ("sweep_factor", 1)):
        if sign * changed.get(name, paper[name]) <= 0:
            raise NotCertifiable(f"{name} = {changed[name]}: it must be {'below' if sign < 0 else 'above'} 0")
    return changed


def statement(instance: Instance, changed: dict[str, mpq]) -> str:
    paper = exchangeable(instance)
    others = ", ".join(
        f"{name} = {text_of(changed[name])} (the paper: {text_of(paper[name])})" for name in paper if name in changed
    )
    subject = f"a VARIANT of the contextual map, with {others}," if changed else "the contextual map"
    return (
        f"At d = {instance.d}, n = {instance.n}, N = {instance.N}, {subject} of Lemma 6 of Yun et al. (ICLR 2020)"
        " was run in exact numbers on every orbit of G+; each claim below has the verdict that stands with it."
    )


def not_covered(result: Result) -> list[str]:
    open_ends = [f"{finding.claim.id}: {finding.why}" for finding in result.findings if finding.why]
    return ["every other (d, n, N)", "every claim that is not listed", *open_ends]


def _coverage(coverage: dict[str, Sizes]) -> dict[str, Any]:
    return {name: {"matrices": sizes.matrices, "orbits": sizes.orbits} for name, sizes in coverage.items()}


def claim_entry(finding: Finding) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "id": finding.claim.id,
        "statement": f"{finding.claim.says} [{finding.claim.formula}]",
        "verdict": finding.verdict,
        "cases": finding.cases,
    }
    if finding.why:
        entry["why"] = finding.why
    if finding.tightest:
        entry["tightest"] = _tight(finding.tightest)
        entry["edges"] = [_tight(edge) for edge in finding.edges]
    if finding.counterexample:
        entry["counterexample"] = _evidence(finding.counterexample) | {"failing": finding.failing}
    return entry


def _shard(shard: Shard) -> dict[str, Any]:
    return {
        "start": shard.start,
        "stop": shard.stop,
        "coverage": _coverage(shard.coverage),
        "digest": text_of(shard.digest),
        "claims": {claim: _count(count) for claim, count in shard.claims.items()},
    }


def _count(count: Count) -> dict[str, Any]:
    entry: dict[str, Any] = {"cases": count.cases}
    if count.edges:
        entry["edges"] = {edge: {"slack": text_of(slack), "rank": rank} for edge, (slack, rank) in count.edges.items()}
    if count.first is not None:
        entry |= {"failing": count.failing, "first": count.first}
    return entry


def _tight(edge: Evidence) -> dict[str, Any]:
    return _evidence(edge) | {"slack": text_of(edge.slack)}


def _evidence(evidence: Evidence) -> dict[str, Any]:
    relation = evidence.relation
    return {
        "relation": f"{relation.name} {relation.op} {relation.bound_name}",
        "value": plain(relation.value),
        "bound": plain(relation.bound),
    } | dict(zip(("matrix", "other"), map(plain, evidence.matrices), strict=False))


def plain(value: Value | Matrix) -> Any:
    """A value as JSON has it: a rational is a string, a matrix a list of its rows."""
    if isinstance(value, tuple):
        return [plain(part) for part in value]
    return text_of(value)

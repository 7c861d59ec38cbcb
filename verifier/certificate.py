"""From a result to the bytes of a certificate (it only writes; reading is the checker's).

Canonical JSON: UTF-8, keys sorted, two spaces of indent, one newline at the end, no floats, no time or
machine in it. A rational is a string in lowest terms, a matrix a list of its rows. The same instance and
claims give the same bytes.
"""

import json
from typing import Any

from verifier.claims.claim import Value
from verifier.constructions.contextual_map import contextual_map
from verifier.exact import Matrix, text_of
from verifier.exhaustive.run import Evidence, Finding, Result
from verifier.instance import Instance

FORMAT = "verifier.certificate/1"


class NotThePapers(ValueError):
    """A certificate speaks of the paper's construction; a variant has none."""


def certificate(result: Result) -> bytes:
    if result.map != contextual_map(result.map.instance):
        raise NotThePapers("this is a variant of the construction; a certificate is only written of the paper's own")
    return canonical(content(result))


def canonical(document: dict[str, Any]) -> bytes:
    return (json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode()


def content(result: Result) -> dict[str, Any]:
    instance = result.map.instance
    return {
        "format": FORMAT,
        "instance": {"d": instance.d, "n": instance.n, "N": instance.N},
        "constants": constants(instance),
        "coverage": {
            name: {"matrices": sizes.matrices, "orbits": sizes.orbits} for name, sizes in result.coverage.items()
        },
        "claims": [_claim(finding) for finding in result.findings],
        "verdict": result.verdict,
    }


def constants(instance: Instance) -> dict[str, str]:
    return {
        "delta": text_of(instance.delta),
        "t_l": text_of(instance.t_l),
        "t_r": text_of(instance.t_r),
        "lemma10.lower": text_of(instance.lemma10_lower),
        "lemma10.upper": text_of(instance.lemma10_upper),
    }


def _claim(finding: Finding) -> dict[str, Any]:
    entry: dict[str, Any] = {"id": finding.claim.id, "verdict": finding.verdict, "cases": finding.cases}
    if finding.why:
        entry["why"] = finding.why
    if finding.tightest:
        entry["tightest"] = _tight(finding.tightest)
    if len(finding.edges) > 1:
        entry["edges"] = [_tight(edge) for edge in finding.edges]
    if finding.counterexample:
        entry["counterexample"] = _evidence(finding.counterexample) | {"failing": finding.failing}
    return entry


def _tight(edge: Evidence) -> dict[str, Any]:
    return _evidence(edge) | {"slack": text_of(edge.slack)}


def _evidence(evidence: Evidence) -> dict[str, Any]:
    relation = evidence.relation
    return {
        "relation": f"{relation.name} {relation.op} {relation.bound_name}",
        "value": value_json(relation.value),
        "bound": value_json(relation.bound),
    } | dict(zip(("matrix", "other"), map(matrix_json, evidence.matrices), strict=False))


def matrix_json(X: Matrix) -> list[list[str]]:
    return [[text_of(value) for value in row] for row in X]


def value_json(value: Value) -> Any:
    if isinstance(value, tuple):
        return [value_json(part) for part in value]
    return text_of(value)

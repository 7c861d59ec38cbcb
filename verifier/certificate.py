"""From a result to the bytes of a certificate, by proofs/FORMAT.md. (Only the checker reads certificates.)

Canonical JSON: UTF-8, keys sorted, one space of indent, one newline at the end, no floats, no time or
machine in it. A rational is a string in lowest terms, a matrix a list of its rows. The same instance and
claims give the same bytes.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any

from verifier.carried import carried
from verifier.catalogue import DEFAULT, find
from verifier.core.claim import Value
from verifier.core.construction import Construction, NotCertifiable
from verifier.core.exact import Matrix, text_of
from verifier.core.space import Sizes
from verifier.run.results import Evidence, Finding, Result
from verifier.run.shard import Count, Shard
from verifier.run.stop import TooLarge

MOST_DIGITS, MOST_BYTES = 4000, 16 * 2**20  # of a rational, in all, and of a certificate (FORMAT.md, 1)
FORMAT = "verifier.certificate/1"
OWN = "own/1"  # in place of a paper's name, for a construction of your own
_LONG = re.compile(rf"[0-9/]{{{MOST_DIGITS + 1},}}")
_TOO_LONG = f"numbers of more than {MOST_DIGITS:,} digits, which no reader of a certificate takes"


def certify(result: Result) -> bytes:
    """The certificate of a result, as the bytes of its file (proofs/FORMAT.md)."""
    if not isinstance(result, Result):
        raise TypeError(f"certify takes what verify returns, not {result!r}")
    return canonical(content(result))


class TooLong(NotCertifiable, TooLarge):
    """What can't be read isn't written: numbers of more digits, or files of more bytes, than a reader takes."""


def canonical(document: dict[str, Any], most_bytes: int = MOST_BYTES) -> bytes:
    """The bytes of a file that can be read, or TooLong."""
    try:
        text = json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    except ValueError:  # Python doesn't write whole numbers of more than 4,300 digits
        raise TooLong(_TOO_LONG) from None
    if any(len(number.replace("/", "")) > MOST_DIGITS for number in _LONG.findall(text)):
        raise TooLong(_TOO_LONG)
    data = text.encode()
    if len(data) > most_bytes:
        raise TooLong(f"a file of {len(data):,} bytes, and at most {most_bytes:,} are read")
    return data


def content(result: Result) -> dict[str, Any]:
    g = result.construction
    known = {claim.id: claim for claim in g.claims()}
    for finding in result.findings:
        if known.get(finding.claim.id) is None:
            raise NotCertifiable(f"a certificate can't state a claim of one's own: {finding.claim.id}")
    changed = g.variant()
    document: dict[str, Any] = {
        "format": FORMAT,
        "paper": named(g),
        "instance": dict(g.sizes),
        "statement": g.statement(over_space=bool(result.shards)),
        "constants": {name: text_of(value) for name, value in g.constants.items()},
        "coverage": _coverage(result.coverage),
        "claims": [claim_entry(finding) for finding in result.findings],
        "shards": [_shard(shard) for shard in result.shards],
        "not_covered": not_covered(result),
        "verdict": result.verdict,
    }
    if not g.paper:
        document["construction"] = carried(g)
    if changed:
        document["variant"] = {name: text_of(value) for name, value in changed.items()}
    return document


def named(g: Construction) -> str:
    """The paper, and the version of its page of the format."""
    if not g.paper:
        return OWN
    return f"{g.paper}/{find(g.paper).version}"


def promises(document: dict[str, Any]) -> Iterator[str]:
    """The promises that a certificate keeps, a line for each verdict (FORMAT.md, 10)."""
    if "page" in document:
        from verifier.language.page import read

        instance = " ".join(str(document["sizes"][name]) for name in read(document["page"]).page.sizes)
        its = f" paper=page:{hashlib.sha256(document['page'].encode()).hexdigest()}"
    else:
        paper = document["paper"].partition("/")[0]
        names = sorted(document["instance"]) if document["paper"] == OWN else find(paper).least
        instance = " ".join(str(document["instance"][name]) for name in names)
        its = "" if paper == DEFAULT else f" paper={paper}"
    exchanged = its + "".join(f" {name}={value}" for name, value in document.get("variant", {}).items())
    by_verdict: dict[str, list[str]] = {}
    for claim in document["claims"]:
        by_verdict.setdefault(claim["verdict"], []).append(claim["id"])
    for verdict, ids in by_verdict.items():
        yield f"{instance}  {','.join(ids)}  {verdict}{exchanged}"


def not_covered(result: Result) -> list[str]:
    open_ends = [f"{finding.claim.id}: {finding.why}" for finding in result.findings if finding.why]
    return [f"every other ({', '.join(result.construction.sizes)})", "every claim that is not listed", *open_ends]


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
    """A value as JSON: a rational is a string, a matrix a list of its rows."""
    if isinstance(value, tuple):
        return [plain(part) for part in value]
    return text_of(value)

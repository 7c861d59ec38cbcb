"""proofs/FORMAT.md and the JSON Schemas, held to what is written."""

import json
import re
from pathlib import Path

import jsonschema
import pytest

from mutants import MUTANTS
from verifier.catalogue import all_claims
from verifier.certificate import NotCertifiable, content
from verifier.papers.yun2020.contextual_map import contextual_map
from verifier.papers.yun2020.instance import Instance
from verifier.run.verify import verify
from verifier.symbolic.certificate import prove

PROOFS = Path(__file__).parent.parent / "proofs"
FORMAT = (PROOFS / "FORMAT.md").read_text()
SCHEMA, PROOF_SCHEMA = (
    jsonschema.Draft202012Validator(json.loads((PROOFS / f"{name}.schema.json").read_text()))
    for name in ("certificate", "proof")
)

COMMITTED = sorted((PROOFS / "certificates").rglob("*.json"))

SHAPE = ("format", "n", "statement", "claims", "facts", "assumed", "not_covered", "verdict")


def _one(proof):
    """Its last obligation that uses something."""
    return [one for fact in proof["facts"] for one in fact["obligations"] if one["use"]][-1]


def _step(proof):
    return _one(proof)["use"][0]


def certifiable():
    for mutant in MUTANTS:
        try:
            yield content(verify(mutant.build(Instance(*mutant.at))))
        except NotCertifiable:
            continue


@pytest.mark.parametrize("path", COMMITTED, ids=lambda path: path.stem)
def test_every_committed_certificate_has_the_shape_of_the_schema(path):
    SCHEMA.validate(json.loads(path.read_text()))


def test_every_refutation_has_the_shape_of_the_schema():
    documents = list(certifiable())
    assert len(documents) > 8
    for document in documents:
        SCHEMA.validate(document)


@pytest.mark.parametrize(
    "change",
    [
        lambda c: c.pop("statement"),
        lambda c: c.update(extra=1),
        lambda c: c["constants"].update(delta="2/0"),
        lambda c: c["constants"].update(delta=0.5),
        lambda c: c["claims"].clear(),
        lambda c: c["claims"][0].update(verdict="proved"),
        lambda c: c["coverage"]["total"].update(orbits=-1),
        lambda c: c["shards"][0].update(digest=1),
        lambda c: c.update(variant={}),
        lambda c: c.update(format="verifier.certificate/2"),
    ],
)
def test_the_schema_can_fail(change):
    document = content(verify(contextual_map(Instance(1, 2, 2))))
    change(document)
    assert not SCHEMA.is_valid(document)


@pytest.mark.parametrize("path", sorted((PROOFS / "symbolic").glob("*.json")), ids=lambda path: path.stem)
def test_every_committed_symbolic_certificate_has_the_shape_of_its_schema(path):
    PROOF_SCHEMA.validate(json.loads(path.read_text()))


def test_a_symbolic_certificate_just_made_has_it_too():
    PROOF_SCHEMA.validate(prove(["b5.order", "lemma6.3"]))
    PROOF_SCHEMA.validate(prove(["b5.ids-sentinel", "b5.cat2-bound"], 2))


@pytest.mark.parametrize(
    "change",
    [
        *(lambda c, member=member: c.pop(member) for member in SHAPE),
        *(lambda c, member=member: c["facts"][0].pop(member) for member in ("name", "statement", "obligations")),
        *(lambda c, member=member: _step(c).pop(member) for member in ("fact", "at")),
        *(lambda c, member=member: _one(c).pop(member) for member in ("case", "goal", "replace", "use", "sum")),
        *(lambda c, member=member: c["claims"][0].pop(member) for member in ("id", "statement", "facts")),
        lambda c: c.update(extra=1),
        lambda c: c["facts"][0].update(extra=""),
        lambda c: _one(c).update(hint=""),
        lambda c: _step(c).update(by="1"),
        lambda c: c["claims"][0].update(verdict="proved"),
        lambda c: c.update(n=3),
        lambda c: c.update(n="1"),
        lambda c: c.update(claims={}),
        lambda c: c["claims"].clear(),
        lambda c: c["claims"][0].update(id="lemma6"),
        lambda c: c["claims"][0]["facts"].append(1),
        lambda c: c["facts"].append("p.one"),
        lambda c: c.update(statement="a line\nand another"),
        lambda c: _one(c).update(sum=0),
        lambda c: _one(c).update(sum=""),
        lambda c: _one(c).update(sum="o + - u"),
        lambda c: _one(c).update(goal="(o)"),
        lambda c: _step(c)["at"].update(j=1),
        lambda c: _step(c)["at"].update(j="j+01"),
        lambda c: _step(c)["at"].update(J="1"),
        lambda c: _step(c).update(fact="p one"),
        lambda c: c.update(verdict="holds"),
        lambda c: c.update(format="verifier.proof/2"),
        lambda c: c.update(format="verifier.certificate/1"),
    ],
)
def test_the_schema_of_symbolic_certificates_can_fail(change):
    document = json.loads((PROOFS / "symbolic/all.json").read_text())
    change(document)
    assert not PROOF_SCHEMA.is_valid(document)


def test_the_format_lists_every_claim_with_its_statement_in_order():
    listed = re.findall(r"### `([^`]+)`\n\n> (.*)\n\nCases: ", FORMAT)
    assert listed == [(claim.id, f"{claim.says} [{claim.formula}]") for claim in all_claims().values()]


def test_the_format_names_every_edge_and_every_relation_that_was_ever_seen():
    """Texts with numbers are written with [j] and [k] in the format, those of an edge with _j."""
    known = set(re.findall(r"`([^`\n]+)`", FORMAT))
    documents = [json.loads(path.read_text()) for path in COMMITTED] + list(certifiable())
    seen = {
        evidence["relation"]
        for document in documents
        for claim in document["claims"]
        for evidence in [*claim.get("edges", []), *filter(None, [claim.get("counterexample")])]
    }
    assert len(seen) > 40
    for relation in seen:
        general = {
            re.sub(r"_[0-9]+", "_[j]", relation),
            re.sub(r"_[0-9]+", "_j", relation),
            re.sub(r"(column|shift) [0-9]+", r"\1 [j]", re.sub(r"layer [0-9]+", "layer [k]", relation)),
            re.sub(r"_[0-9]+", "_[j]", re.sub(r"shift [0-9]+", "shift [j]", relation)),
            re.sub(r"_[0-9]+", "_[j+1]", re.sub(r"shift [0-9]+", "shift [j]", relation)),
            relation,
        }
        assert general & known, relation

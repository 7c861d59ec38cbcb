"""The JSON Schemas, held to what is written."""

import json
from pathlib import Path

import jsonschema
import pytest

from verifier.symbolic.certificate import prove

PROOFS = Path(__file__).parent.parent / "proofs"
SCHEMA, PROOF_SCHEMA = (
    jsonschema.Draft202012Validator(json.loads((PROOFS / f"{name}.schema.json").read_text()))
    for name in ("certificate", "proof")
)

CERTIFICATES = sorted((PROOFS / "certificates").rglob("*.json"))

SHAPE = ("format", "text", "n", "claims", "facts", "verdict")


def _one(proof):
    """Its last obligation that uses something."""
    return [one for fact in proof["facts"] for one in fact["obligations"] if one["use"]][-1]


def _step(proof):
    return _one(proof)["use"][0]


@pytest.mark.thorough
@pytest.mark.parametrize("path", CERTIFICATES, ids=lambda path: path.stem)
def test_every_committed_certificate_has_the_shape_of_the_schema(path):
    SCHEMA.validate(json.loads(path.read_text()))


@pytest.mark.parametrize(
    "change",
    [
        lambda c: c.pop("page"),
        lambda c: c.update(extra=1),
        lambda c: c["constants"].update(t_l="2/0x"),
        lambda c: c["constants"].update(t_l=0.5),
        lambda c: c["claims"].clear(),
        lambda c: c["inputs"]["Gplus"].update(cases=-1),
        lambda c: c["layers"]["shift"].update(form="linear"),
        lambda c: c.update(variant={}),
        lambda c: c["claims"][0]["lines"][0].pop("made"),
        lambda c: c["claims"][0].update(verdict="true"),
        lambda c: c.update(format="verifier.certificate/1"),
    ],
)
def test_the_schema_can_fail(change):
    document = json.loads((PROOFS / "certificates/d1-n2-N2.json").read_text())
    change(document)
    assert not SCHEMA.is_valid(document)


@pytest.mark.thorough
@pytest.mark.parametrize("path", sorted((PROOFS / "symbolic").glob("*.json")), ids=lambda path: path.stem)
def test_every_committed_symbolic_certificate_has_the_shape_of_its_schema(path):
    PROOF_SCHEMA.validate(json.loads(path.read_text()))


def test_a_symbolic_certificate_just_made_has_it_too():
    PROOF_SCHEMA.validate(prove(["b5.order", "lemma6.3"]))
    PROOF_SCHEMA.validate(prove(["b5.ids-sentinel", "b5.cat2-bound"], 2))


@pytest.mark.thorough
@pytest.mark.parametrize(
    "change",
    [
        *(lambda c, member=member: c.pop(member) for member in SHAPE),
        *(lambda c, member=member: c["facts"][0].pop(member) for member in ("name", "obligations")),
        *(lambda c, member=member: _step(c).pop(member) for member in ("fact", "at")),
        *(lambda c, member=member: _one(c).pop(member) for member in ("case", "goal", "replace", "use", "sum")),
        lambda c: c.update(extra=1),
        lambda c: c["facts"][0].update(extra=""),
        lambda c: _one(c).update(hint=""),
        lambda c: _step(c).update(by="1"),
        lambda c: c.update(n=3),
        lambda c: c.update(n="1"),
        lambda c: c.update(claims={}),
        lambda c: c["claims"].clear(),
        lambda c: c["claims"].append("lemma6"),
        lambda c: c["claims"].append(c["claims"][0]),
        lambda c: c["facts"].append("p.one"),
        lambda c: c.update(text="a line\nand another"),
        lambda c: c["text"].append("a line\nand another"),
        lambda c: _one(c).update(sum=0),
        lambda c: _one(c).update(sum=""),
        lambda c: _one(c).update(sum="o + - u"),
        lambda c: _one(c).update(goal="(o)"),
        lambda c: _step(c)["at"].update(j=1),
        lambda c: _step(c)["at"].update(j="j+01"),
        lambda c: _step(c)["at"].update(J="1"),
        lambda c: _step(c).update(fact="p one"),
        lambda c: c.update(verdict="holds"),
        lambda c: c.update(format="verifier.proof/1"),
        lambda c: c.update(format="verifier.certificate/1"),
    ],
)
def test_the_schema_of_symbolic_certificates_can_fail(change, a_fact_that_uses_another):
    document = json.loads(a_fact_that_uses_another)
    assert PROOF_SCHEMA.is_valid(document)
    change(document)
    assert not PROOF_SCHEMA.is_valid(document)


@pytest.fixture(scope="module")
def a_fact_that_uses_another():
    document = json.loads((PROOFS / "symbolic/all.json").read_text())
    last = next(fact for fact in reversed(document["facts"]) if any(one["use"] for one in fact["obligations"]))
    return json.dumps(document | {"facts": [document["facts"][0], last]})

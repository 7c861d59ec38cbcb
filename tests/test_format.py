"""proofs/FORMAT.md, the page of each paper, and the JSON Schemas, held to what is written."""

import json
import re
from contextlib import suppress
from functools import cache
from pathlib import Path

import jsonschema
import pytest

from mutants import MUTANTS
from verifier.catalogue import all_claims, papers
from verifier.certificate import NotCertifiable, content, named
from verifier.papers.yun2020.contextual_map import contextual_map
from verifier.papers.yun2020.instance import Instance
from verifier.run.verify import verify
from verifier.symbolic.certificate import prove

PROOFS = Path(__file__).parent.parent / "proofs"
FRAME = (PROOFS / "FORMAT.md").read_text()
PAGES = {path.stem: path.read_text() for path in (PROOFS / "format").glob("*.md")}
SCHEMA, PROOF_SCHEMA = (
    jsonschema.Draft202012Validator(json.loads((PROOFS / f"{name}.schema.json").read_text()))
    for name in ("certificate", "proof")
)

CERTIFICATES = sorted((PROOFS / "certificates").rglob("*.json"))
COMMITTED = [path for path in CERTIFICATES if "page" not in json.loads(path.read_text())]  # FORMAT-page has no schema

SHAPE = ("format", "n", "statement", "claims", "facts", "assumed", "not_covered", "verdict")


def _one(proof):
    """Its last obligation that uses something."""
    return [one for fact in proof["facts"] for one in fact["obligations"] if one["use"]][-1]


def _step(proof):
    return _one(proof)["use"][0]


@cache
def certifiable():
    found = []
    for mutant in MUTANTS:
        with suppress(NotCertifiable):
            found.append(content(verify(mutant.build(Instance(*mutant.at)))))
    return found


@pytest.mark.thorough
@pytest.mark.parametrize("path", COMMITTED, ids=lambda path: path.stem)
def test_every_committed_certificate_has_the_shape_of_the_schema(path):
    SCHEMA.validate(json.loads(path.read_text()))


@pytest.mark.thorough
def test_every_refutation_has_the_shape_of_the_schema():
    assert len(certifiable()) > 8
    for document in certifiable():
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
        lambda c: c.update(paper="yun2020"),
        lambda c: c.update(construction={}),
        lambda c: c["coverage"].pop("total"),
        lambda c: c.update(format="verifier.certificate/2"),
    ],
)
def test_the_schema_can_fail(change):
    document = content(verify(contextual_map(Instance(1, 2, 2))))
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


def hosts():
    """The papers that have certificates: those whose claims are about a construction of their own."""
    return {name: paper for name, paper in papers().items() if not paper.builds_on}


def test_every_paper_has_its_page_with_its_version():
    """The frame need not name them: format/NAME.md is the page of the paper NAME."""
    pages = {f"{name}/{paper.version}": name for name, paper in hosts().items()}
    assert set(PAGES) == set(pages.values())
    assert all(f"`{version}`" in PAGES[name].splitlines()[0] for version, name in pages.items())
    listed = dict(re.findall(r"\| `(\w+/\d+)` \| \[format/(\w+)\.md\]\(", FRAME))
    assert listed.items() <= pages.items()
    assert "yun2020/1" in listed


@pytest.mark.parametrize("paper", hosts())
def test_a_page_lists_every_claim_with_its_statement_in_order(paper):
    listed = re.findall(r"### `([^`]+)`\n\n> (.*)\n\nCases: ", PAGES[paper].replace("\\_", "_"))
    assert listed == [(claim.id, f"{claim.says} [{claim.formula}]") for claim in all_claims(paper).values()]


@pytest.mark.parametrize("paper", hosts())
def test_a_page_names_every_constant_and_category(paper):
    g = hosts()[paper].construction(d=1, n=2, N=3)
    for name in (*g.constants, *g.space.categories):
        assert f"`{name}`" in PAGES[paper], name


def test_every_certificate_names_its_paper_and_the_version_of_its_page():
    for path in COMMITTED:
        name, _, version = json.loads(path.read_text())["paper"].partition("/")
        assert version == str(hosts()[name].version), path
    assert named(contextual_map(Instance(1, 2, 2))) == "yun2020/1"


def without_numbers(relation):
    """A # for each index, as a certificate has it (`q_3`, `shift 2`, `q_j` of an edge) and a page (`q_[j]`)."""
    index = r"(?:[0-9]+|j\b|\[[a-z](?:[+-]1)?\])"
    words = r"(column|coordinate|layer|phase|shift|step|token)"
    return re.sub(rf"{words} {index}", r"\1 #", re.sub(rf"(?<=[_^]){index}", "#", relation))


def test_the_format_names_every_edge_and_every_relation_that_was_ever_seen():
    documents = [json.loads(path.read_text()) for path in COMMITTED] + certifiable()
    seen = {
        (document["paper"].partition("/")[0], evidence["relation"])
        for document in documents
        for claim in document["claims"]
        for evidence in [*claim.get("edges", []), *filter(None, [claim.get("counterexample")])]
    }
    assert len(seen) > 100
    known = {paper: {without_numbers(text) for text in re.findall(r"`([^`\n]+)`", PAGES[paper])} for paper in PAGES}
    for paper, relation in seen:
        links = set(map(without_numbers, relation.split(" < ")))  # of a chain, whose names are listed
        assert without_numbers(relation) in known[paper] or links <= known[paper], (paper, relation)

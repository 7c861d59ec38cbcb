"""proofs/FINDINGS.md is what its template and the certificates make it, and leaves nothing refuted out."""

import json
import shutil
from pathlib import Path

import pytest

from verifier.report.findings import BadTemplate, main, render

PROOFS = Path(__file__).parent.parent / "proofs"
PAGE = (PROOFS / "FINDINGS.md").read_text()
OF_THE_PAPER = sorted((PROOFS / "certificates/paper").glob("*.json"))


def test_the_page_is_in_step_with_its_template_and_the_certificates():
    assert render(PROOFS) == PAGE


def test_every_claim_that_a_certificate_refutes_is_a_finding():
    refuted = {
        claim["id"]
        for path in OF_THE_PAPER
        for claim in json.loads(path.read_text())["claims"]
        if claim["verdict"] == "refuted"
    }
    assert len(refuted) > 10
    for claim in refuted:
        assert f"`{claim}` is **refuted**" in PAGE, claim


def test_another_verdict_makes_another_page(tmp_path):
    folder = tmp_path / "proofs"
    shutil.copytree(PROOFS, folder, ignore=shutil.ignore_patterns("coq"))
    path = folder / "certificates/paper/d1-n2-N2.json"
    document = json.loads(path.read_text())
    (claim,) = (claim for claim in document["claims"] if claim["id"] == "lemma7.map")
    claim["counterexample"]["value"] = ["1/3"]
    path.write_text(json.dumps(document))
    assert "(1/3) against (27/2)" in render(folder)
    main(folder)
    assert (folder / "FINDINGS.md").read_text() == render(folder) != PAGE


@pytest.mark.parametrize(
    "line", [":: lemma7.map", ":: lemma6.1 certificates/paper/d1-n2-N2.json", ":: tables", ":: sizes lemma6.1"]
)
def test_a_template_that_asks_for_what_no_certificate_says(tmp_path, line):
    folder = tmp_path / "proofs"
    shutil.copytree(PROOFS, folder, ignore=shutil.ignore_patterns("coq"))
    (folder / "findings.in.md").write_text(line + "\n")
    with pytest.raises(BadTemplate):
        render(folder)

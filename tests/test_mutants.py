"""Each check is seen to fail, on a construction that is broken in just that way."""

import pytest

from mutants import HARMLESS, MUTANTS
from verifier.catalogue import default_claims
from verifier.papers.yun2020.instance import Instance
from verifier.run.verify import verify


@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_a_broken_construction_is_refuted(mutant):
    result = verify(mutant.build(Instance(*mutant.at)))
    assert result.verdict == "refuted"
    assert set(mutant.refutes.split()) <= set(result.refuted)
    for finding in result.findings:
        if finding.verdict == "refuted":
            assert finding.counterexample is not None
            assert not finding.counterexample.relation.holds
            assert finding.failing > 0


@pytest.mark.parametrize("variant", HARMLESS, ids=str)
def test_an_interval_that_ends_exactly_at_a_value_on_its_harmless_side_holds(variant):
    result = verify(variant.build(Instance(*variant.at)))
    assert {result["lemma6.3"].verdict, result["lemma6.4"].verdict} == {"holds"}
    touched = [edge for claim in ("lemma6.3", "lemma6.4") for edge in result[claim].edges if edge.slack == 0]
    assert len(touched) == 1


def test_every_claim_is_refuted_by_some_mutant():
    refuted = {claim for mutant in MUTANTS for claim in mutant.refutes.split()}
    assert refuted == {claim.id for claim in default_claims()}

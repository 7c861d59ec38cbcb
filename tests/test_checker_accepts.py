"""What the independent checker accepts: every committed certificate, and whatever the producer says of variants."""

import json
from pathlib import Path

import pytest

from tampered.corpus import genuine
from verifier.catalogue import choose
from verifier.certificate import certify
from verifier.checker.__main__ import main
from verifier.core.exact import Q
from verifier.papers.yun2020.contextual_map import contextual_map
from verifier.papers.yun2020.instance import Instance
from verifier.run.verify import verify

COMMITTED = sorted((Path(__file__).parent.parent / "proofs/certificates").rglob("*.json"))

HOLDS, REJECTED, PARTIAL = 0, 1, 5


def of(*parts, claims="grid,b5,lemma10,lemma6", **exchanged):
    return certify(verify(contextual_map(Instance(*parts), **exchanged), choose(claims.split(","))))


@pytest.mark.thorough
@pytest.mark.parametrize("path", COMMITTED, ids=lambda path: path.stem)
def test_every_committed_certificate_is_accepted(path, capsys):
    document = json.loads(path.read_text())
    verdict, as_it_says = document["verdict"], ": refuted; " if "page" in document else "REFUTED, as it says"
    code = main([str(path)])
    said = capsys.readouterr().out
    assert "REJECTED" not in said
    assert (as_it_says in said) == (verdict == "refuted")
    assert code == {"holds": HOLDS, "refuted": REJECTED}[verdict]  # exit 1 says that a claim is refuted


VARIANTS = [
    {"sweep_factor": Q(factor)} for factor in (1, 2, 4, 6, 9)
] + [
    {"global_factor": Q(0)},
    {"global_factor": Q(-5)},
    {"global_factor": Q(81)},
    {"sentinel": Q(-1, 3)},
    {"sentinel": Q(-1)},
    {"sentinel": Q(-26, 3)},
    {"t_l": Q(64)},
    {"t_l": Q(64) + Q(1, 3)},
    {"t_r": Q(392, 3)},
    {"t_r": Q(393, 3)},
    {"t_l": Q(0), "t_r": Q(1, 3), "sweep_factor": Q(2), "sentinel": Q(-2, 3)},
]  # fmt: skip


@pytest.mark.thorough
@pytest.mark.parametrize("exchanged", VARIANTS, ids=str)
@pytest.mark.parametrize("parts", [(1, 2, 3), (1, 3, 3)])
def test_the_two_readings_agree_on_variants_too(parts, exchanged, judge):
    data = of(*parts, **exchanged)
    code, said = judge(data)
    assert "REJECTED" not in said
    assert ("VARIANT" in said) == ("variant" in json.loads(data))
    assert code == (REJECTED if json.loads(data)["verdict"] == "refuted" else HOLDS)


@pytest.mark.parametrize("exchanged", [{"sentinel": Q(-1)}, {"sentinel": Q(-1, 2)}, {"sweep_factor": Q(3)}], ids=str)
def test_and_on_columns_of_two_entries_whose_ids_may_coincide(exchanged, judge):
    _, said = judge(of(2, 2, 2, **exchanged))
    assert "REFUTED, as it says" in said


@pytest.mark.parametrize(
    "claims", ["lemma6.1,lemma6.2", "grid", "b5.cat2-reduced,lemma10.injective", "claim1", "b5.lattice"]
)
def test_any_choice_of_claims(claims, judge):
    assert judge(of(1, 3, 3, claims=claims))[0] == HOLDS


def test_other_layouts_of_the_same_content_are_read(judge):
    document = json.loads(genuine("holds"))
    assert judge(json.dumps(document).encode())[0] == HOLDS
    assert judge(json.dumps(document, indent=8, ensure_ascii=True).encode())[0] == HOLDS


def test_what_is_incomplete_is_5(judge):
    assert judge(genuine("skipped"))[0] == PARTIAL

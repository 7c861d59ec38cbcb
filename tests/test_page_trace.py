"""The checker's trace of a case says what the producer's story says: which layers acted, and what they changed."""

import json
from pathlib import Path

import pytest
from verifier.checker.page.trace import trace

from verifier.checker.core.reading import Unreadable
from verifier.evaluate.definition import Reading
from verifier.evaluate.story import story
from verifier.language.page import read

CERTIFICATES = sorted((Path(__file__).parent.parent / "proofs/certificates/pages").glob("*.json"))


def called(name, arguments):
    def as_text(value):
        return f"[{', '.join(map(as_text, value))}]" if isinstance(value, list) else str(value)

    return f"{name}({', '.join(map(as_text, arguments))})" if arguments else name


def by_the_producer(reading, claim, rank):
    """None, if the claim isn't about this case."""
    told = story(claim, reading.case(claim.inputs, rank) if claim.inputs else reading.nothing, rank)
    for run in told["runs"]:
        run["network"] = called(run["network"], run.pop("arguments"))
        del run["called"]
        for step in run["steps"]:
            for change in step["changed"]:
                del change["reads"]
            step["layer"] = called(step["layer"], step.pop("arguments"))
    return told["runs"] if told["inside"] else None


def by_the_checker(text, sizes, claim, ranks):
    found = trace(text, sizes, {}, claim, ranks)
    assert all(step.pop("line") for told in found for run in told for step in run["steps"])
    return found


BRANCHES = {"parity_softmax-4": 1}  # runs that the checker's has besides, of a branch that isn't taken
WITHOUT = {
    "cookbook_feedforward-2-2",
    "cookbook_norm-2-3",
    "succinct-1-1-2",
    "succinct-1-1-2-or",
    "succinct-4-1-2-or",
    "steps_hash-2-5-2-12",
}  # a network run in these claims


def looked_at(claim, total):
    """The cases that decide the claim, and three others."""
    decide = [seen["ranks"] for seen in [claim.get("first"), *(line.get("least") for line in claim["lines"])] if seen]
    return sorted({rank for ranks in decide[:3] for rank in ranks} | {0, total // 2, total - 1})


@pytest.mark.thorough
@pytest.mark.parametrize("path", CERTIFICATES, ids=lambda path: path.stem)
def test_the_trace_is_the_story(path):
    content = json.loads(path.read_text())
    text, sizes = content["page"], content["sizes"]
    reading, seen = Reading(read(text), sizes, content.get("variant", {})), 0
    more = 0
    for one in content["claims"]:
        claim = reading.page.claims[one["id"]]
        total = content["inputs"][claim.inputs]["cases"] if claim.inputs else 1
        found = {
            rank: told
            for rank in (looked_at(one, total) if "lines" in one else [])
            if (told := by_the_producer(reading, claim, rank)) is not None
        }
        if found:
            for told, ours in zip(found.values(), by_the_checker(text, sizes, claim.id, list(found)), strict=True):
                assert [run for run in told if run not in ours] == []
                seen += len(told)
                more += len(ours) - len(told)
    assert (seen == 0, more) == (path.stem in WITHOUT, BRANCHES.get(path.stem, 0))


FAMILY = """language 1
title "A family that is run by cells, and a branch that isn't taken"
sizes n >= 1
inputs w in words: words of 1..n letters a in {0, 1}
layer set(v):
  x[i] <- [x[i][1] + 1 if x[i][1] = v else x[i][1]]
network rise:
  for v in [0, 1, ..., 1000]:
    set(v)
network single(v):
  set(v)
claim a.b, own, "-", on words:
  "The second branch has no meaning for a word of one letter."
  (rise([[a] for a in w])[1][1] if w[1] = 0 or len(w) = 1 else single(1, [[w[2]]])[1][1]) <= 1001
"""


def test_of_a_family_by_cells_the_layer_is_not_named_and_the_changes_are():
    (told,) = trace(FAMILY, {"n": 1}, {}, "a.b", [0])
    rise = next(run for run in told if run["network"] == "rise")
    assert len(rise["steps"]) == 1001
    assert rise["steps"][0] == {"layer": "", "line": 8, "changed": [{"token": 1, "from": ["0"], "to": ["1"]}]}
    assert rise["steps"][-1]["changed"] == [{"token": 1, "from": ["1000"], "to": ["1001"]}]


def test_a_case_that_is_none():
    with pytest.raises(Unreadable, match="words has no case of rank 2"):
        trace(FAMILY, {"n": 1}, {}, "a.b", [2])

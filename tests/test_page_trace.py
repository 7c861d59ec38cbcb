"""The walk through a case on the page of the browser (docs/try/walk.py), by the checker's evaluator, is the producer's
story: which layers acted, and what they changed."""

import json
import sys
from pathlib import Path

import pytest

from verifier.checker.core.reading import Unreadable
from verifier.evaluate.definition import Reading
from verifier.evaluate.story import story
from verifier.language.page import read

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "docs/try"))
from walk import walk  # noqa: E402 - it lies beside the page of the browser

CERTIFICATES = sorted((ROOT / "proofs/certificates/pages").glob("*.json"))


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
    found = walk(text, sizes, claim, ranks)
    assert all(step.pop("line") for told in found for run in told for step in run["steps"])
    return found


def looked_at(claim, total):
    """The cases that decide the claim, and three others."""
    decide = [seen["ranks"] for seen in [claim.get("first"), *(line.get("least") for line in claim["lines"])] if seen]
    return sorted({rank for ranks in decide[:3] for rank in ranks} | {0, total // 2, total - 1})


@pytest.mark.thorough
@pytest.mark.parametrize("path", CERTIFICATES, ids=lambda path: path.stem)
def test_the_walk_is_the_story(path):
    content = json.loads(path.read_text())
    text, sizes = content["page"], content["sizes"]
    reading, seen = Reading(read(text), sizes), 0
    for one in content["claims"]:
        claim = reading.page.claims[one["id"]]
        total = content["inputs"][claim.inputs]["cases"] if claim.inputs else 1
        found = {
            rank: told
            for rank in (looked_at(one, total) if "lines" in one else [])
            if (told := by_the_producer(reading, claim, rank)) is not None
        }
        if found:
            assert by_the_checker(text, sizes, claim.id, list(found)) == list(found.values())
            seen += sum(map(len, found.values()))
    assert (seen > 0) == bool(reading.page.networks)


FAMILY = """language 1
title "A family that is run by cells, and branches"
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


def test_of_a_family_by_cells_the_layers_that_acted_are_named():
    ((rise,),) = walk(FAMILY, {"n": 1}, "a.b", [0])
    assert rise["network"] == "rise"
    assert len(rise["steps"]) == 1001
    assert rise["steps"][0] == {"layer": "set(0)", "line": 9, "changed": [{"token": 1, "from": ["0"], "to": ["1"]}]}
    assert rise["steps"][-1]["layer"] == "set(1000)"
    assert rise["steps"][-1]["changed"] == [{"token": 1, "from": ["1000"], "to": ["1001"]}]


def test_of_a_branch_that_is_not_taken_nothing_is_told():
    told = walk(FAMILY, {"n": 2}, "a.b", [2, 4])
    assert [[run["network"] for run in runs] for runs in told] == [["rise"], ["single(1)"]]
    assert told[1] == [{"network": "single(1)", "tokens": [["0"]], "first": 1, "steps": []}]


def test_a_case_that_is_none():
    with pytest.raises(Unreadable, match="words has no case of rank 2"):
        walk(FAMILY, {"n": 1}, "a.b", [2])


ABOUT = """language 1
title "What a run is about"
sizes n >= 1
inputs w in words: words of n letters a in {0, 1}
layer more(v):
  x[i] <- [x[i][1] + v]
network g(v):
  more(v)
ten = g(10, [[0]])[1][1]
most = max(g(1, [[a]])[1][1] for a in w over words)
length = g(len(w), [[0]])[1][1]
up(a) = g(5, [[a]])[1][1]
claim a.case, own, "-", on words:
  "A constant isn't about the case, nor are other cases, nor all real numbers."
  ten = 10
  most = 2
  length = n
  up(w[1]) + up(w[1]) = 2 * w[1] + 10
  for all t:
    g(3, [[t]])[1][1] >= t
  once:
    ten + g(4, [[0]])[1][1] = 14
claim a.none, own, "-", once:
  "Of none all runs are told, but not those of cases."
  ten + most = 12
"""


def test_what_is_told_is_about_the_case():
    def networks(claim, ranks):
        return [[run["network"] for run in runs] for runs in walk(ABOUT, {"n": 2}, claim, ranks)]

    assert networks("a.case", [0, 3]) == [["g(2)", "g(5)"]] * 2
    assert networks("a.case", []) == [["g(10)", "g(4)"]]
    assert networks("a.none", []) == [["g(10)"]]

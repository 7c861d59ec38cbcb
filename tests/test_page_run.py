"""A page's run: the same bytes in processes; attention beside its matrices; promises about pages."""

import hashlib
from pathlib import Path

import pytest

from verifier.checker.promises import broken, promise
from verifier.evaluate import matrices, run
from verifier.evaluate.definition import Reading
from verifier.evaluate.values import Disagree
from verifier.language.page import read
from verifier.page import Page
from verifier.run import pool

PAGES = Path(__file__).parent.parent / "verifier/pages"
ADDS_UP = Page.file(PAGES / "sums_of_powers.page")


def test_a_run_in_processes_writes_the_same_bytes(monkeypatch):
    alone = ADDS_UP.run(n=5, N=5, base=3, jobs=1).certificate
    monkeypatch.setattr(run, "WORTH_PROCESSES", 0)
    monkeypatch.setattr(run, "LEAST", 1)
    asked, in_processes = [], pool.run_in_processes

    def noted(recipe, claims, stretches, jobs, *others):
        asked.append(jobs)
        return in_processes(recipe, claims, stretches, jobs, *others)

    monkeypatch.setattr(pool, "run_in_processes", noted)
    assert ADDS_UP.run(n=5, N=5, base=3, jobs=3).certificate == alone
    assert asked == [3]


@pytest.mark.parametrize("sizes", [{"n": 2.5}, {"n": "3"}, {"n": True}, {"jobs": 0}, {"jobs": 1.5}])
def test_sizes_and_processes_are_whole_numbers(sizes):
    (name,) = sizes
    with pytest.raises(TypeError, match=f"^{name} = .*: it must be a whole number"):
        ADDS_UP.run(**{"n": 3, "N": 3, "base": 4} | sizes)


def test_no_claim_is_no_verdict():
    with pytest.raises(ValueError, match="no claim is named"):
        ADDS_UP.run([], n=3, N=3, base=4)


LENGTHS = """language 1
sizes n >= 1
inputs w in words: words of 1..n letters a in {0, 1}
m = len(w)
layer add:
  mean = read x[j][1] at max of 0
  x[i] <- x[i] + m * mean * unit(2, 2)
layer times_len:
  mean = read x[j][1] at max of 0
  x[i] <- x[i] + mean * len(x) * unit(2, 2)
network g:
  add
network h:
  times_len
claim c.sum, own, "-", on words:
  "Both say the sum."
  g([[a, 0] for a in w])[1][2] >= sum(w)
  h([[a, 0] for a in w])[1][2] <= sum(w)
  (sum(w) - 1)^2 + m >= 2
"""


def test_weights_may_depend_on_the_number_of_items_and_each_has_matrices_of_its_own():
    """The tightest cases, which the definition evaluates again with their matrices, are of several lengths."""
    content = run.found(read(LENGTHS), {"n": 4}, ["c.sum"])
    assert content["verdict"] == "refuted"
    (claim,) = content["claims"]
    assert claim["first"]["cases"] == [["1"]]


@pytest.mark.parametrize("part", ["own", "out", "values", "keys"])
def test_matrices_that_differ_from_the_layer_end_the_run(monkeypatch, part):
    """Nothing is said when the two ways to run a layer don't agree."""
    page = Page.file(PAGES / "parity.page")

    def doubled(rows):
        return [[2 * entry for entry in row] for row in rows]

    def wrong(found):
        if part == "own":
            return found._replace(own=doubled(found.own))
        changed = -1 if part == "keys" else 2
        rows = {part: [[changed * entry for entry in row] for row in getattr(found.heads[0], part)]}
        return found._replace(heads=[head._replace(**rows) for head in found.heads])

    right = matrices.matrices

    def doctored(*asked):
        found = right(*asked)
        return None if found is None else wrong(found)

    assert page.run(n=3).verdict == "holds"
    monkeypatch.setattr(matrices, "matrices", doctored)
    with pytest.raises(Disagree, match="and its matrices make different tokens"):
        page.run(n=3)


def test_how_many_heads_a_layer_has_and_how_large_they_are():
    page = Page.file(PAGES / "yun2020.page")
    reading = Reading(page.understood, {"d": 2, "n": 2, "N": 2})
    layer = page.tree.layers["shift"]
    found = matrices.matrices(reading.nothing, layer, {layer.letters[0]: reading.sizes["d"]}, 2, 2)
    assert [head.size for head in found.heads] == [1, 1]


def certificate_of(text):
    digest = hashlib.sha256(text.encode()).hexdigest()
    claims = [{"id": "sums.distinct", "verdict": "holds"}]
    return {"paper": f"page:{digest}", "instance": {"n": 3, "N": 3, "base": 4}, "variant": {}, "claims": claims}, digest


def test_a_promise_about_a_page_is_of_this_text_these_sizes_and_this_verdict():
    cert, digest = certificate_of(str(ADDS_UP))
    other = certificate_of(str(ADDS_UP) + "# another page\n")[0]
    kept = promise(f"3 3 4 sums.distinct paper=page:{digest[:16]}")
    assert broken([kept], [("c.json", cert)]) == []
    assert broken([kept], [("c.json", other)])
    assert broken([promise(f"3 3 2 sums.distinct paper=page:{digest}")], [("c.json", cert)])
    assert broken([promise(f"3 3 4 sums.distinct refuted paper=page:{digest}")], [("c.json", cert)])
    assert broken([promise(f"3 3 4 sums.distinct paper=page:{digest} top=1")], [("c.json", cert)])

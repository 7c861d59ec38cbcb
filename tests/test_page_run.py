"""A page's run: the same bytes in processes; promises about pages."""

import hashlib
from pathlib import Path

import pytest

from verifier.checker.promises import broken, promise
from verifier.evaluate import run
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

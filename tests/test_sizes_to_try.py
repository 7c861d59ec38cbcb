"""A page's sizes to try: what is run where nobody says a size; and no certificate, and no promise, rests on them."""

import hashlib
import json

import pytest

from cli import main
from verifier.catalogue import pages
from verifier.checker.page.derive import derive
from verifier.checker.page.tree import parse as parse_of_the_checker
from verifier.checker.page.words import Refused as CheckerRefused
from verifier.language.words import Refused
from verifier.page import Page
from verifier.regress import read_manifest

TEXT = """language 1
sizes n >= 1 (4), k >= 2
inputs w in words: words of n letters a in {0, 1, ..., k-1}
claim words.many, own, "-", on words:
  "There are at most so many."
  once: sum(1 over words) <= 16
"""


def test_a_run_without_a_size_is_at_the_one_to_try_and_the_certificate_says_it():
    page = Page(TEXT)
    assert (page.sizes, page.to_try) == ({"n": 1, "k": 2}, {"n": 4})
    found = page.run(k=2)
    assert found.content["sizes"] == {"n": 4, "k": 2}
    assert found.certificate == page.run(n=4, k=2).certificate
    assert (page.run(k=3).verdict, page.run(n=1, k=16).verdict) == ("refuted", "holds")
    with pytest.raises(Refused, match="the size k is missing"):
        page.run(n=4)


def test_it_stands_in_the_one_form_of_the_page_and_both_readers_read_it():
    assert Page(TEXT).canonical.splitlines()[1] == "sizes n >= 1 (4), k >= 2"
    assert parse_of_the_checker(TEXT).to_try == {"n": 4}


@pytest.mark.parametrize("name", pages())
def test_each_page_of_the_package_has_them(name):
    page = Page.named(name)
    assert page.to_try.keys() == page.sizes.keys()


def test_the_command_runs_them(tmp_path, capsys):
    path = tmp_path / "words.page"
    path.write_text(TEXT)
    assert main(["--paper", str(path), "--k", "2"]) == 0
    assert "at         n = 4, k = 2" in capsys.readouterr().out
    assert main(["--paper", str(path), "--n", "1", "--k", "17", "-q"]) == 1
    assert main(["--paper", str(path), "--n", "1"]) == 2
    assert "--k is missing" in capsys.readouterr().err
    assert main(["--paper", str(path), "--help"]) == 0
    assert "gives a row each. [default: 4]" in " ".join(capsys.readouterr().out.split())


def test_a_certificate_says_all_of_its_sizes(tmp_path, capsys):
    with pytest.raises(CheckerRefused, match="n"):
        derive(TEXT, {"k": 2}, {}, ["words.many"])
    content = json.loads(Page(TEXT).run(k=2).certificate)
    del content["sizes"]["n"]
    path = tmp_path / "c.json"
    path.write_text(json.dumps(content))
    assert main(["check", str(path)]) == 2
    assert "the size n is missing" in capsys.readouterr().out


def test_a_promise_says_all_sizes(tmp_path, capsys):
    (tmp_path / "words.page").write_text(TEXT)
    (tmp_path / "MANIFEST").write_text("c.json  2  all  holds  paper=words.page\n")
    with pytest.raises(ValueError, match="expected `file  n k  claims  verdict"):
        read_manifest(tmp_path)
    path, digest = tmp_path / "c.json", hashlib.sha256(TEXT.encode()).hexdigest()
    path.write_bytes(Page(TEXT).run(k=2).certificate)
    assert main(["check", "--promise", f"4 2 all paper=page:{digest}", str(path)]) == 0
    assert main(["check", "--promise", f"2 all paper=page:{digest}", str(path)]) == 1
    assert "is not kept" in capsys.readouterr().out
    assert main(["check", "--promise", "1 3 lemma6", str(path)]) == 2
    assert "the sizes of yun2020 are d, n, N" in capsys.readouterr().err

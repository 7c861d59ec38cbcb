"""Badges and reports: green only where `verify check` ends with 0, whatever the certificate says of itself."""

import gzip
import hashlib
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cli import main
from verifier.checking import Answered
from verifier.language.page import read
from verifier.page import Page
from verifier.report import sources
from verifier.report.document import Told, document
from verifier.report.tone import tone

ROOT = Path(__file__).parent.parent
GREEN, RED, AMBER = "#17683a", "#a31621", "#7a5a00"
HEAD = """language 1
title "A <script>alert('zeros of zeta')</script> & more"
sizes n >= 1, k >= 2
inputs w in words: words of 1..n letters a in {0, 1, ..., k-1}
least = 0 as "least"
"""
CLAIMS = {
    "holds": 'claim t.holds, own, "-", on words:\n  "Letters aren\'t negative."\n  for i in 1..len(w): w[i] >= least\n',
    "refuted": 'claim t.refuted, own, "-", on words:\n  "Letters are 0."\n  w[1] = 0\n',
    "vacuous": 'claim t.vacuous, own, "-", on words if len(w) > n:\n  "Nothing."\n  w[1] = 0\n',
    "skipped": 'claim t.skipped, own, "-", on words:\n  "Later."\n  skipped if n < 9 "too small"\n  w[1] = 0\n',
    "excluded": 'claim t.excluded, excluded, "-", on words:\n  "Read so, they are 0."\n  w[1] = 0\n',
}


@pytest.fixture
def certified(tmp_path):
    def write(*names, **how):
        path = tmp_path / "c.json"
        path.write_bytes(Page(HEAD + "".join(CLAIMS[name] for name in names)).run(n=2, k=2, **how).certificate)
        return path

    return write


@pytest.fixture
def drawn(tmp_path, capsys):
    """The exit code, the colour, the texts and the title; of the last command what it says."""

    def draw(path, *words):
        out = tmp_path / "badge.svg"
        out.unlink(missing_ok=True)
        code = main(["badge", str(path), "-o", str(out), *words])
        said = capsys.readouterr().err
        if not out.exists():
            return code, None, [], said
        svg = ElementTree.fromstring(out.read_text())
        space = "{http://www.w3.org/2000/svg}"
        fills = [rect.get("fill") for rect in svg.iter(f"{space}rect")]
        assert svg.get("role") == "img"
        assert svg.get("aria-label") == svg.find(f"{space}title").text
        return code, fills[1], [text.text for text in svg.iter(f"{space}text")], svg.get("aria-label")

    return draw


def checked(path, capsys):
    code = main(["check", str(path)])
    capsys.readouterr()
    return code


@pytest.mark.parametrize(
    ("names", "claim", "code", "colour", "said"),
    [
        (["holds"], None, 0, GREEN, "1 claim holds at n = 2, k = 2"),
        (["holds"], "t.holds", 0, GREEN, "holds at n = 2, k = 2"),
        (["holds", "vacuous"], None, 0, GREEN, "1 claim holds, 1 vacuous at n = 2, k = 2"),
        (["holds", "vacuous"], "t.vacuous", 0, AMBER, "vacuous at n = 2, k = 2"),
        (["vacuous"], None, 5, AMBER, "1 vacuous at n = 2, k = 2"),
        (["holds", "skipped"], None, 5, AMBER, "1 claim holds, 1 skipped at n = 2, k = 2"),
        (["holds", "skipped"], "t.holds", 5, AMBER, "holds at n = 2, k = 2"),
        (["holds", "skipped"], "t.skipped", 5, AMBER, "skipped at n = 2, k = 2"),
        (["holds", "refuted"], None, 1, RED, "1 claim holds, 1 refuted at n = 2, k = 2"),
        (["holds", "refuted"], "t.refuted", 1, RED, "refuted at n = 2, k = 2"),
        (["holds", "refuted"], "t.holds", 1, AMBER, "holds at n = 2, k = 2"),
        (["holds", "excluded"], None, 0, GREEN, "1 claim holds at n = 2, k = 2"),
        (["holds", "excluded"], "t.excluded", 0, AMBER, "fails, in a reading that is excluded at n = 2, k = 2"),
    ],
)
def test_a_badge_says_what_check_says(certified, drawn, capsys, names, claim, code, colour, said):
    path = certified(*names)
    words = ["--claim", claim] if claim else []
    assert checked(path, capsys) == code
    found, fill, texts, title = drawn(path, *words)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert (found, fill) == (code, colour)
    assert texts == [claim or "verifier", said, digest[:12]]
    assert title.endswith(f"SHA-256 of the certificate: {digest}")
    assert said in title
    assert "hecked" in title


def test_a_variant_is_said_first(certified, drawn):
    _, _, texts, _ = drawn(certified("holds", variant={"least": -1}))
    assert texts[1] == "VARIANT least = -1: 1 claim holds at n = 2, k = 2"


def test_no_word_of_the_author_but_an_id_is_seen(certified, drawn):
    path = certified("holds")
    _, _, texts, title = drawn(path)
    assert "zeta" not in "".join(texts)
    assert "<script>" in title, "escaped, in the title that says which page it is"


@pytest.mark.parametrize("how", ["verdict", "cases", "format", "garbage"])
def test_what_the_checker_does_not_accept_has_no_badge(certified, drawn, how):
    path = certified("refuted" if how == "verdict" else "holds")
    content = json.loads(path.read_bytes())
    if how == "verdict":
        content["verdict"] = content["claims"][0]["verdict"] = "holds"
    if how == "cases":
        content["claims"][0]["cases"] = 7
    if how == "format":
        content["format"] = "verifier.survey/2"
    path.write_text("{" if how == "garbage" else json.dumps(content, indent=1, sort_keys=True) + "\n")
    code, _, texts, said = drawn(path)
    assert code == (1 if how in ("verdict", "cases") else 2)
    assert texts == []
    assert said.startswith("verify: ")


def test_a_certificate_over_the_limit_has_neither_badge_nor_report(certified, drawn, tmp_path, capsys, monkeypatch):
    path = certified("holds")
    said = Answered(4, [{"verdict": "over the limit", "words": "too many cases", "code": 4}])
    monkeypatch.setattr(sources, "run_checker", lambda *_, **__: said)
    code, _, texts, _ = drawn(path)
    assert (code, texts) == (4, [])
    assert main(["report", str(path), "-o", str(tmp_path / "r.html")]) == 4
    assert "no report of it is written" in " ".join(capsys.readouterr().err.split())
    assert not (tmp_path / "r.html").exists()


def test_a_packed_certificate_has_the_digest_of_what_is_in_it(certified, drawn):
    path = certified("holds")
    packed = path.with_name("c.json.gz")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert drawn(packed) == drawn(path)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "-o FILE.svg is needed"),
        (["-o", "badge.html"], "-o FILE.svg is needed"),
        (["-o", "badge.svg", "--claim", "t.none"], "no claim 't.none'; it has t.holds"),
    ],
)
def test_a_mistake_in_the_call_is_one_line(certified, capsys, monkeypatch, tmp_path, words, said):
    monkeypatch.chdir(tmp_path)
    assert main(["badge", str(certified("holds")), *words]) == 2
    assert said in capsys.readouterr().err
    assert not Path("badge.svg").exists()


def test_nothing_is_green_where_check_does_not_end_with_0():
    assert [tone("holds", code) for code in (0, 1, 4, 5)] == ["holds", *["incomplete"] * 3]
    assert {tone(verdict, 0) for verdict in ("incomplete", "vacuous", "skipped", "", "anything")} == {"incomplete"}
    assert tone("refuted", 0) == "refuted"


def test_the_report_of_a_refuted_page_is_nowhere_green(certified, tmp_path):
    out = tmp_path / "r.html"
    assert main(["report", str(certified("holds", "refuted")), "-o", str(out)]) == 0
    body = out.read_text().partition("</style>")[2]
    assert 'class="verdict refuted"' in body
    badges = [("incomplete", "holds"), ("refuted", "refuted")]
    assert re.findall(r'class="badge (\w+)">(\w+)<', body) == badges * 2  # in the table, and of each claim


@pytest.mark.parametrize("code", [0, 1, 4, 5])
def test_a_report_is_green_only_where_check_ends_with_0(certified, code):
    content = json.loads(certified("holds", "vacuous", "excluded").read_bytes())
    text = document([Told(content, read(content["page"]).page, "checked", code, [], {}, [])]).decode()
    body = text.partition("</style>")[2]
    assert ('class="verdict holds"' in body, body.count('"badge holds"')) == ((True, 2) if code == 0 else (False, 0))
    assert re.findall(r'class="badge (\w+)">(\w+)<', body)[1:3] == [("incomplete", "vacuous"), ("incomplete", "fails")]

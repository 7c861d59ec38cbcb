"""Formats: every command that lists something has each; JSON is by proofs/rows.schema.json; a new one is a file."""

import csv
import inspect
import io
import json
import re
import shutil
import subprocess
import sys
import textwrap
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator

from cli import main
from verifier.catalogue import pages
from verifier.page import Page
from verifier.report import formats

ROOT = Path(__file__).parent.parent
CLI = [sys.executable, str(ROOT / "cli.py")]
SCHEMA = json.loads((ROOT / "proofs/rows.schema.json").read_text())
CERTIFICATE = ROOT / "proofs/certificates/d1-n2-N2.json"
PAGE = """language 1
title "a | <b> page"
sizes n >= 1, k >= 2
inputs w in words: words of 1..n letters a in {0, 1, ..., k-1}
claim copy.small, own, "-", on words:
  "Letters are <small> | and *not* large."
  for i in 1..len(w): w[i] <= k - 1
claim copy.two, own, "-", on words if len(w) > 2:
  "Three letters aren't all 2."
  sum(w) < 6
claim read.zero, excluded, "-", on words:
  "Letters are 0."
  w[1] = 0
"""


@pytest.fixture
def folder(tmp_path):
    """A page, a certificate that is as it should be and one that isn't, and a MANIFEST that both are in."""
    (tmp_path / "mine.page").write_text(PAGE)
    shutil.copy(CERTIFICATE, tmp_path / "a.json")
    lie = CERTIFICATE.read_text().replace('"slack": "1/2"', '"slack": "1/3"', 1)
    (tmp_path / "b.json").write_text(lie)
    vacuous = "a.json 1 2 2 lemma10.injective,b5.cat2-reduced,lemma6.2 vacuous\n"
    holds = "a.json 1 2 2 grid,b5,lemma10,lemma6 holds\n"
    (tmp_path / "MANIFEST").write_text(f"{holds}{vacuous}b.json 1 2 2 lemma6 holds\n")
    return tmp_path


@pytest.fixture
def said(capfdbinary, folder, monkeypatch):
    monkeypatch.chdir(folder)

    def call(*words):
        code = main(list(words))
        return code, capfdbinary.readouterr().out.decode()

    return call


# a call, its exit code, the names of its rows, and of those that aren't as they should be
CALLS = {
    "run": (("mine.page", "--n", "3", "--k", "3"), 1, ["copy.small", "copy.two", "read.zero"], ["copy.two"]),
    "range": (("mine.page", "--n", "3", "--k", "2..3"), 1, ["n = 3, k = 2", "n = 3, k = 3"], ["n = 3, k = 3"]),
    "check": (("check", "a.json", "b.json"), 1, ["a.json", "b.json"], ["b.json"]),
    "claims": (("claims", "mine.page", "copy"), 0, ["copy.small", "copy.two"], []),
    "papers": (("papers",), 0, list(pages()), []),
    "prove": (("prove", "--n", "2", "--claims", "b5.head"), 0, ["b5.head"], []),
    "regress": (("regress", "."), 1, ["a.json", "b.json"], ["b.json"]),
    "report": (("report", "a.json", "b.json", "-o", "r.html"), 1, ["a.json", "b.json"], ["b.json"]),
}


@pytest.fixture(params=CALLS)
def call(request):
    return CALLS[request.param]


def test_every_command_has_every_format_and_offers_it(said, call):
    words, code, _, _ = call
    assert formats.names() == ["text", "csv", "html", "json", "junit", "markdown"]
    _, help_ = said(words[0] if not words[0].endswith(".page") else "--help", "--help")
    assert f"[{'|'.join(formats.names())}]" in "".join(help_.split())
    for form in formats.names():
        assert said(*words, "--format", form)[0] == code, form
    assert said(*words, "--format", "xml")[0] == 2


def test_csv_has_the_same_rows(said, call):
    words, _, names, _ = call
    head, *rows = csv.reader(io.StringIO(said(*words, "--format", "csv")[1]))
    assert [len(row) for row in rows] == [len(head)] * len(names)
    if words[1:] == CALLS["range"][0][1:]:
        assert (head, rows[1]) == (["n", "k", "cases", "verdict", "copy", "read"],
                                   ["3", "3", "39", "refuted", "1 refuted, holds", "fails"])  # fmt: skip
    else:
        assert [row[0] for row in rows] == names


def test_junit_fails_what_is_not_as_it_should_be(said, call):
    words, _, names, failing = call
    suite = ElementTree.fromstring(said(*words, "--format", "junit")[1]).find("testsuite")
    cases = suite.findall("testcase")
    assert [case.get("name") for case in cases] == names
    assert [case.get("name") for case in cases if case.find("failure") is not None] == failing
    assert (suite.get("tests"), suite.get("failures")) == (str(len(names)), str(len(failing)))
    assert all(failure.get("message") and failure.text for failure in suite.iter("failure"))


def test_markdown_marks_it_and_nothing_in_a_cell_ends_the_cell(said, call):
    words, _, names, failing = call
    out = said(*words, "--format", "markdown")[1]
    if words[0] == "prove":  # in Markdown a proof is more than its rows
        assert out.startswith("# A proof for n = 2")
        return
    title, _, head, rule, *rows = out.splitlines()
    assert title.startswith("## ")
    assert {line.count("|") for line in (head, rule, *rows)} == {head.count("|")}
    assert (len(rows), sum("| **" in row for row in rows)) == (len(names), len(failing))
    assert "<b>" not in out


class Tags(HTMLParser):
    """Every tag is closed in its place."""

    def __init__(self, html):
        super().__init__()
        self.open, self.seen = [], []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag, _):
        self.seen.append(tag)
        if tag not in ("meta", "link", "br", "img", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_html_is_one_page_that_loads_nothing(said, call):
    words, _, names, failing = call
    out = said(*words, "--format", "html")[1]
    seen = Tags(out).seen
    assert "script" not in seen
    assert "b" not in seen, "what a page says is text"
    assert all(name in out for name in names if " = " not in name)
    assert bool(failing) == ("badge refuted" in out)


# JSON


@pytest.mark.parametrize("name", [name for name in CALLS if name not in ("run", "prove")])
def test_json_is_rows_of_one_shape(said, name):
    words, _, names, _ = CALLS[name]
    document = json.loads(said(*words, "--format", "json")[1])
    Draft202012Validator(SCHEMA).validate(document)
    assert document["format"] == ("verifier.survey/2" if name == "range" else f"verifier.{words[0]}/1")
    assert [row["name"] for row in document["rows"]] == names
    if name == "range":
        assert document["rows"][1] == {
            "name": "n = 3, k = 3",
            "sizes": {"n": 3, "k": 3},
            "cases": 39,
            "verdict": "refuted",
            "families": {"copy": {"holds": 1, "refuted": 1}, "read": {"fails": 1}},
            "checked": "checked in full by a second program that shares no code with this one",
        }


def test_json_of_a_run_is_the_certificate_and_nothing_else(said):
    code, out = said("mine.page", "--n", "3", "--k", "3", "--format", "json")
    assert (code, out.encode()) == (1, Page(PAGE).run(n=3, k=3).certificate)


def test_a_promise_that_is_not_kept_has_a_row(said):
    code, out = said("check", "a.json", "--promise", "1 2 3 lemma6", "--format=json")
    rows = {row["name"]: row["verdict"] for row in json.loads(out)["rows"]}
    assert (code, rows) == (1, {"a.json": "accepted", "promise": "rejected"})


@pytest.mark.parametrize("lie", [{"format": "verifier.check/1", "rows": [{"name": "a"}]},
                                 {"format": "verifier.regress/1", "rows": [{"name": "a", "verdict": "yes"}]},
                                 {"format": "verifier.claims/1", "rows": [{"verdict": "holds"}]},
                                 {"format": "verifier.other/1", "rows": []}])  # fmt: skip
def test_the_schema_refuses_other_shapes(lie):
    assert not Draft202012Validator(SCHEMA).is_valid(lie)


# a stranger's format


def test_a_new_format_is_the_file_that_the_docstring_shows(folder):
    example = re.search(r"this file, tsv\.py:\n\n(.*?)\n\n(?=\w)", inspect.getdoc(formats), re.S)[1]
    (folder / "more").mkdir()
    (folder / "more/tsv.py").write_text(textwrap.dedent(example) + "\n")
    script = (
        "import sys; from verifier.report import formats; formats.__path__.append('more')\n"
        "import cli; sys.exit(cli.main(sys.argv[1:]))"
    )

    def verify(*words):
        call, env = [sys.executable, "-c", script, *words], {"PYTHONPATH": str(ROOT)}
        return subprocess.run(call, cwd=folder, env=env, capture_output=True, text=True, check=False)

    for words, code, names, _ in CALLS.values():
        done = verify(*words, "--format", "tsv")
        assert done.returncode == code, done.stderr
        assert len(done.stdout.splitlines()) == 1 + len(names)
    for command in ("--help", "check", "prove"):
        assert "junit|markdown|tsv]" in "".join(verify(command, "--help").stdout.split())


@pytest.mark.parametrize("encoding", ["utf-16", "ascii", "cp037"])
def test_no_encoding_of_the_terminal_changes_a_verdict(folder, encoding, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    for words in (("--d", "1", "--n", "2", "--N", "2", "--claims", "lemma6"), ("check", "a.json"), ("papers",)):
        done = subprocess.run([*CLI, *words], capture_output=True, cwd=folder, check=False)
        assert done.returncode == 0, done.stderr
        assert done.stdout.decode(encoding)
    call = [*CLI, "check", "a.json", "--format", "json"]
    done = subprocess.run(call, capture_output=True, cwd=folder, check=True)
    assert json.loads(done.stdout)["rows"][0]["verdict"] == "accepted"

"""Proof regression: what must be proved is there, is the same, is accepted, and nothing else is there."""

import json
import os
import re
import shutil
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from processes import completed
from verifier import regress as room
from verifier.checking import Answered
from verifier.commands.regress import as_document, row
from verifier.evaluate.certificate import canonical
from verifier.regress import BadManifest, Entry, read_manifest, regress

ROOT = Path(__file__).parent.parent
LINES = """
certificates/a.json   1 2 2   lemma6   holds
certificates/a.json   1 2 2   lemma6.2   vacuous   # of a single orbit there is no pair
certificates/b.json   1 2 3   lemma6   refuted   sweep_factor=2   # a variant
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "MANIFEST").write_text(LINES)
    assert all(not outcome.differences for outcome in regress(tmp_path, update=True))
    return tmp_path


def differences(folder):
    return {outcome.file: outcome.differences for outcome in regress(folder) if outcome.differences}


def change(path, edit):
    document = json.loads(path.read_text())
    edit(document)
    path.write_bytes(canonical(document))


def test_what_was_committed_is_as_proved(folder):
    assert differences(folder) == {}


def test_several_processes_find_what_one_does(folder, monkeypatch):
    change(folder / "certificates/a.json", lambda c: c["claims"][0]["lines"][0]["least"].update(slack="7"))
    (folder / "certificates/b.json").unlink()
    monkeypatch.setattr(room, "cores", lambda: 2)
    alone = regress(folder)
    monkeypatch.setattr(room, "WORTH_PROCESSES", 1)
    assert regress(folder) == alone
    assert [bool(outcome.differences) for outcome in alone] == [True, True]


def test_a_number_that_moved_is_named_down_to_the_claim(folder):
    change(folder / "certificates/a.json", lambda c: c["claims"][0]["lines"][0]["least"].update(slack="7"))
    ours, the_checkers = differences(folder)["certificates/a.json"]
    assert ours == 'claims.lemma6.1.lines[0].least.slack: committed "7", derived "1/2"'
    assert "REJECTED" in the_checkers
    assert "promise" not in the_checkers


def test_many_differences_are_counted_and_not_all_listed(folder):
    change(
        folder / "certificates/a.json", lambda c: [claim.clear() for claim in c["claims"][:1]] and c.update(a=1, b=2)
    )
    found = differences(folder)["certificates/a.json"]
    assert any(text.startswith("a: committed 1, derived nothing") for text in found)


def test_the_same_content_in_other_bytes_is_a_difference(folder):
    path = folder / "certificates/a.json"
    path.write_text(json.dumps(json.loads(path.read_text())))
    ours, the_checkers = differences(folder)["certificates/a.json"]
    assert ours == "the same content in other bytes: not canonical"
    assert "REJECTED" in the_checkers
    path.write_bytes(b"\xff")
    ours, the_checkers = differences(folder)["certificates/a.json"]
    assert ours == "the committed file is no JSON"
    assert "not UTF-8" in the_checkers


def test_a_missing_file_and_one_too_many_are_differences(folder):
    (folder / "certificates/a.json").rename(folder / "certificates/c.json")
    assert set(differences(folder)) == {"certificates/a.json", "certificates/c.json"}


HOSTILE = [
    b"[" * 100_000,
    b'{"a":' * 50_000,
    b'{"claims":[{"id":[1]}]}',
    b'{"id":{}}',
    b'{"claims":[{"id":null},{"id":"x"},{"id":1}]}',
    b'{"a":"\\ud800"}',
    b'{"a\\n\\u001b[31m|<b>":1}',
]


@pytest.mark.thorough
@pytest.mark.parametrize("content", HOSTILE, ids=range(len(HOSTILE)))
def test_whatever_was_committed_is_a_difference_and_no_crash(folder, content):
    (folder / "certificates/a.json").write_bytes(content)
    found = regress(folder)
    assert found[0].differences
    written = [as_document(form, list(map(row, found))) for form in ("markdown", "html", "junit")]
    for text in (*found[0].differences, *written):
        assert "\x1b" not in text
        assert "<b>" not in text or text in found[0].differences
    ElementTree.fromstring(written[-1])
    assert all("\n" not in difference for difference in found[0].differences)


def test_a_certificate_beside_the_folder_of_certificates_is_one_too_many(folder):
    (folder / "extra.json").write_text("{}")
    (folder / "some.schema.json").write_text("{}")
    assert set(differences(folder)) == {"extra.json"}


def test_a_folder_that_is_a_link_is_not_written_through(folder, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    shutil.rmtree(folder / "certificates")
    (folder / "certificates").symlink_to(elsewhere)
    assert all(outcome.differences for outcome in regress(folder, update=True))
    assert list(elsewhere.iterdir()) == []


def test_a_huge_file_and_an_unlisted_link_to_a_folder_are_differences(folder, tmp_path_factory):
    os.truncate(folder / "certificates/a.json", 3 * 2**30)
    (folder / "certificates/more").symlink_to(tmp_path_factory.mktemp("elsewhere"))
    assert set(differences(folder)) == {"certificates/a.json", "certificates/more"}


def test_a_report_never_takes_the_place_of_what_is_checked(folder):
    for name in ("MANIFEST", "certificates/a.json"):
        before = (folder / name).read_bytes()
        assert call("regress", str(folder), "--junit", str(folder / name)).returncode == 2
        assert (folder / name).read_bytes() == before


def test_a_file_that_is_a_link_is_missing(folder, tmp_path_factory):
    real = tmp_path_factory.mktemp("elsewhere") / "a.json"
    (folder / "certificates/a.json").rename(real)
    (folder / "certificates/a.json").symlink_to(real)
    assert set(differences(folder)) == {"certificates/a.json"}


def test_another_verdict_than_promised_is_a_difference(folder):
    (folder / "MANIFEST").write_text(LINES.replace("refuted", "holds"))
    assert differences(folder) == {
        "certificates/b.json": ("MANIFEST, line 4, promises holds: lemma6.2 is refuted, lemma6.3 is refuted",)
    }


def test_what_the_checker_rejects_is_a_difference(folder, monkeypatch):
    answer = {"file": "a", "verdict": "rejected", "code": 1, "words": "REJECTED because"}
    rejects = Answered(1, [answer])
    monkeypatch.setattr(room, "run_checker", lambda *_, **__: rejects)
    assert differences(folder)["certificates/a.json"] == ("the checker does not accept it (exit 1): REJECTED because",)


def test_update_rewrites_deliberately(folder):
    path = folder / "certificates/a.json"
    before = path.read_bytes()
    change(path, lambda c: c.update(verdict="refuted"))
    words = [outcome.words for outcome in regress(folder, update=True)]
    assert path.read_bytes() == before
    assert ["written" in text for text in words] == [True, False]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "lists nothing"),
        ("# nothing\n", "lists nothing"),
        ("a.json 1 2 2 lemma6", "line 1: expected"),
        ("a.json 1 2 1 lemma6 holds", "N = 1 is too small"),
        ("a.json 1 2 x lemma6 holds", "'x'"),
        ("a.json 1 2 2 lemma88 holds", "lemma88"),
        ("a.json 1 2 2 lemma6 perhaps", "'perhaps' is no verdict"),
        ("a.txt 1 2 2 lemma6 holds", "a.txt"),
        ("../a.json 1 2 2 lemma6 holds", "inside the folder"),
        ("/a.json 1 2 2 lemma6 holds", "inside the folder"),
        ("a.json 1 2 2 lemma6 holds t_l=0.5", "0.5"),
        ("a.json 1 2 2 lemma6 holds t_l=1 t_l=2", "given twice"),
        ("a.json 1 2 2 lemma6 holds\na.json 1 2 3 lemma6 holds", "listed twice"),
        ("\ufeffa.json 1 2 2 lemma6 holds", "plain ASCII"),
        ("a\x1b[31m.json 1 2 2 lemma6 holds", "plain ASCII"),
        ("a.json\u00a01 2 2 lemma6 holds", "plain ASCII"),
        ("a" * 300 + ".json 1 2 2 lemma6 holds", "no plain path"),
        ("./a.json 1 2 2 lemma6 holds", "no plain path"),
        ("c//a.json 1 2 2 lemma6 holds", "no plain path"),
    ],
)
def test_a_manifest_that_cannot_be_read_checks_nothing(tmp_path, text, reason):
    (tmp_path / "MANIFEST").write_text(text)
    with pytest.raises(BadManifest, match=reason):
        read_manifest(tmp_path)


def test_a_vacuous_claim_keeps_no_promise_that_it_holds(tmp_path):
    """With n > B there is no matrix with distinct columns, and Properties 1 to 3 speak of nothing."""
    (tmp_path / "MANIFEST").write_text("c.json 1 3 2 lemma6.1,lemma6.2,lemma6.3 holds\n")
    (outcome,) = regress(tmp_path, update=True)
    said = "MANIFEST, line 1, promises holds: lemma6.1 is vacuous, lemma6.2 is vacuous, lemma6.3 is vacuous"
    assert outcome.differences == (said,)
    (tmp_path / "MANIFEST").write_text("c.json 1 3 2 lemma6.1,lemma6.2,lemma6.3 vacuous\n")
    assert differences(tmp_path) == {}


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ("c.json 1 3 2 lemma6 holds\nc.json 1 3 2 lemma6.1,lemma6.2,lemma6.3 vacuous", ""),
        (
            "c.json 1 3 2 lemma6 holds\nc.json 1 3 2 lemma6.1,lemma6.2 vacuous",
            "line 1, promises holds: lemma6.3 is vacuous",
        ),
        ("c.json 1 3 2 lemma6 vacuous", "line 1, promises vacuous: lemma6.4 is holds"),
        ("c.json 1 3 2 lemma6.4 refuted", "line 1, promises refuted: none of its claims is refuted"),
        ("c.json 1 2 2 lemma7.map,lemma7.reject refuted", ""),
        (
            "c.json 1 2 2 lemma7.reject holds\nc.json 1 2 2 lemma7.map holds",
            "line 2, promises holds: lemma7.map is refuted",
        ),
        ("c.json 9 2 2 lemma9.compact incomplete", ""),
        ("c.json 9 2 2 lemma9.compact holds", "promises holds: lemma9.compact is skipped"),
    ],
)
def test_each_line_promises_a_verdict_of_its_claims(lines, problem, tmp_path):
    (tmp_path / "MANIFEST").write_text(lines)
    regress(tmp_path, update=True)
    found = [text for texts in differences(tmp_path).values() for text in texts if "exit 5" not in text]
    assert [text.removeprefix("MANIFEST, ") for text in found if problem not in text or not problem] == []
    assert bool(found) == bool(problem)


def test_a_folder_without_a_manifest_is_malformed(tmp_path):
    with pytest.raises(BadManifest, match="can't be read"):
        read_manifest(tmp_path)


def test_the_manifest_of_this_project_covers_what_it_must():
    listed = [entry for entry in read_manifest(ROOT / "proofs") if isinstance(entry, Entry)]
    entries = [entry for entry in listed if not entry.exchanged and len(entry.promised) == 30]
    instances = {tuple(entry.sizes.values()) for entry in entries}
    wanted = {(1, 2, N) for N in range(2, 9)} | {(1, 3, N) for N in range(2, 7)}
    wanted |= {(1, 4, 4), (1, 5, 5), (2, 2, 2), (2, 2, 3), (2, 3, 2), (3, 2, 2)}
    assert wanted <= instances
    assert len(instances) >= 20


def call(*arguments, **env):
    command = [sys.executable, str(ROOT / "cli.py"), *arguments]
    return completed(command, env={**os.environ, **env})


@pytest.mark.thorough
def test_the_command_its_table_and_its_reports(folder, tmp_path):
    junit, summary = tmp_path / "junit.xml", tmp_path / "summary.md"
    good = call("regress", str(folder), "--junit", str(junit), GITHUB_STEP_SUMMARY=str(summary))
    assert (good.returncode, good.stderr) == (0, "")
    assert good.stdout.splitlines()[-1] == "2 certificates as proved, 0 not"
    suite = ElementTree.fromstring(junit.read_text()).find("testsuite")
    assert (suite.get("tests"), suite.get("failures")) == ("2", "0")
    assert "| certificates/a.json | as proved |" in summary.read_text()

    change(folder / "certificates/a.json", lambda c: c["claims"][0]["lines"][0]["least"].update(slack="7"))
    bad = call("regress", str(folder), "--junit", str(junit), GITHUB_STEP_SUMMARY=str(summary))
    assert bad.returncode == 1
    assert "DIFFERS  certificates/a.json" in bad.stdout
    assert "lemma6.1.lines[0].least.slack" in bad.stdout
    suite = ElementTree.fromstring(junit.read_text()).find("testsuite")
    assert suite.get("failures") == "1"
    assert "lemma6.1.lines[0].least.slack" in suite.find("testcase/failure").get("message")
    assert "| **differs** |" in summary.read_text()

    nowhere = call("regress", str(folder), GITHUB_STEP_SUMMARY=str(tmp_path / "no/such"))
    assert nowhere.returncode == 1  # it differs, whatever becomes of the report
    assert "a report could not be written" in nowhere.stderr

    shutil.rmtree(folder / "certificates")
    assert call("regress", str(folder), "--update").returncode == 0
    assert call("regress", str(folder / "nowhere")).returncode == 2


def test_a_file_is_named_as_it_was_given(folder, monkeypatch):
    (folder / "certificates/a.json").write_bytes(b"{}")
    monkeypatch.chdir(folder.parent)
    said = " ".join(regress(Path(folder.name))[0].differences)
    assert "the checker does not accept it (exit 2): unreadable" in said
    assert str(folder) not in said


def test_one_process_checks_files_about_different_things_and_none_keeps_anothers_promise(tmp_path, monkeypatch):
    lines = [f"{name}.json 1 2 {N} {claims} holds" for name, N, claims in [
        ("a", 2, "lemma6.1"), ("b", 3, "lemma6.1"), ("c", 3, "lemma6.1,lemma6.3"), ("d", 4, "lemma6.1")]]  # fmt: skip
    (tmp_path / "MANIFEST").write_text("\n".join(lines))
    honest, asked = room.run_checker, []

    def checker(words, **how):
        asked.append([Path(word).stem for word in words if word.endswith(".json")])
        return honest(words, **how)

    monkeypatch.setattr(room, "run_checker", checker)
    assert not any(outcome.differences for outcome in regress(tmp_path, update=True))
    assert sorted(asked) == [["a", "b"], ["c", "d"]]
    change(tmp_path / "d.json", lambda c: c.update(verdict="refuted"))
    asked.clear()
    assert set(differences(tmp_path)) == {"d.json"}
    assert sorted(asked) == [["a", "b"], ["c"], ["c", "d"], ["d"]]


@pytest.mark.parametrize(("folder", "named"), [("proofs", ""), ("proofs/of mine", "'proofs/of mine' ")])
def test_a_folder_without_a_manifest_is_named_in_what_to_do(folder, named, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path(folder).mkdir(parents=True)
    with pytest.raises(BadManifest) as raised:
        read_manifest(Path(folder))
    assert str(raised.value).endswith(f"and run `verify regress {named}--update`")


def test_what_manifest_calls_incomplete_or_vacuous_may_be(tmp_path):
    (tmp_path / "MANIFEST").write_text(
        "a.json 9 2 2 lemma9.compact,lemma6.layers incomplete\nb.json 1 3 2 lemma10 vacuous\n"
    )
    assert [outcome.differences for outcome in regress(tmp_path, update=True)] == [(), ()]
    assert [json.loads((tmp_path / name).read_text())["verdict"] for name in ("a.json", "b.json")] == [
        "incomplete",
        "vacuous",
    ]
    (tmp_path / "MANIFEST").write_text("a.json 9 2 2 lemma9.compact,lemma6.layers holds\n")
    assert "promises holds" in differences(tmp_path)["a.json"][0]


@pytest.mark.parametrize("name", ["x.json.gz", "x.JSON", "proofs/x.Json.GZ"])
def test_a_file_that_is_not_listed_is_seen_whatever_its_name_is(folder, name):
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_bytes(b"\x1f\x8b")
    assert differences(folder) == {name: ("MANIFEST doesn't list this file",)}


PAGE = """language 1
title "a word and its sum"
sizes n >= 1
top = 1 as "top"
inputs w in words: words of n bits a in {0, 1}
claim sums.at-most, own, "nowhere", on words:
  "The sum is at most n."
  sum(w) <= n * top
claim sums.once, own, "nowhere", once:
  "n is positive."
  n > 0
"""


@pytest.fixture
def with_a_page(tmp_path):
    (tmp_path / "mine.page").write_text(PAGE)
    (tmp_path / "MANIFEST").write_text(
        "a.json 3 all holds paper=mine.page\n"
        "b.json 3 sums.at-most refuted top=1/2 paper=mine.page\n"
        "c.json 4 parity holds paper=parity\n"
    )
    assert all(not outcome.differences for outcome in regress(tmp_path, update=True))
    return tmp_path


def test_certificates_of_pages_are_derived_again_and_checked(with_a_page):
    assert differences(with_a_page) == {}
    change(with_a_page / "a.json", lambda c: c["claims"][0].update(cases=9))
    ours, the_checkers = differences(with_a_page)["a.json"]
    assert ours == "claims.sums.at-most.cases: committed 9, derived 8"
    assert "REJECTED" in the_checkers


def test_a_page_that_was_changed_is_a_difference(with_a_page):
    (with_a_page / "mine.page").write_text(PAGE.replace("sum(w) <=", "sum(w) <"))
    assert set(differences(with_a_page)) == {"a.json", "b.json"}


def test_a_promise_that_is_broken_is_told_from_bytes_that_differ(with_a_page):
    manifest = with_a_page / "MANIFEST"
    manifest.write_text(manifest.read_text().replace("refuted", "holds"))
    said = [(outcome.standing, outcome.differences) for outcome in regress(with_a_page)]
    assert [standing for standing, _ in said] == ["ok", "BROKEN", "ok"]
    assert said[1][1] == ("MANIFEST, line 2, promises holds: sums.at-most is refuted",)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("a.json 3 holds paper=mine.page", "expected `file  n  claims  verdict  [paper=name]"),
        ("a.json 0 all holds paper=mine.page", "n = 0 is too small"),
        ("a.json 3 sum holds paper=mine.page", "no claim 'sum'; did you mean sums?"),
        ("a.json 3 qqqq holds paper=mine.page", "no claim 'qqqq'; the page has sums.at-most, sums.once"),
        ("a.json 3 all perhaps paper=mine.page", "'perhaps' is no verdict"),
        ("a.json 3 all holds top=1/2 top=2 paper=mine.page", "given twice"),
        ("a.json 3 all holds paper=../mine.page", "no path of a page inside the folder"),
        ("a.json 3 all holds paper=other.page", "No such file"),
        ("a.json 3 all holds paper=mine.page paper=parity", "a line names one page"),
        ("a.json 3 all holds paper=majority", "no page 'majority'"),
    ],
)
def test_a_line_about_a_page_that_cannot_be_read(with_a_page, line, reason):
    (with_a_page / "MANIFEST").write_text(line)
    with pytest.raises(BadManifest, match=re.escape(reason)):
        read_manifest(with_a_page)

"""`verify check` and `verify report` of folders, packed files, standard input: what is in them is checked or named."""

import contextlib
import gzip
import io
import json
import os
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from cli import main
from verifier import Page
from verifier.commands.check import certificates

ROOT = Path(__file__).parent.parent
PARITY = ROOT / "proofs/certificates/pages/parity-8.json"
CERTIFICATE = ROOT / "proofs/certificates/d1-n2-N2.json"
LIE = CERTIFICATE.read_text().replace('"slack": "1/2"', '"slack": "1/3"', 1)


@pytest.fixture
def printed(capfdbinary):
    """What a command prints as JSON: its exit code, and its rows by name."""

    def run(*arguments):
        code = main([*arguments, "--format", "json"])
        return code, {row["name"]: row for row in json.loads(capfdbinary.readouterr().out)["rows"]}

    return run


@pytest.fixture
def folder(tmp_path):
    shutil.copy(CERTIFICATE, tmp_path / "a.json")
    (tmp_path / "b.json.gz").write_bytes(gzip.compress(CERTIFICATE.read_bytes()))
    return tmp_path


def test_check_of_a_folder_and_what_is_packed(printed, folder):
    (folder / "c.json").write_text(LIE)
    (folder / "d.json.gz").write_bytes(gzip.compress(b"{}")[:-3])
    (folder / "e.json.gz").write_bytes(gzip.compress(b"{}") + b"more")
    (folder / "f.json.gz").write_bytes(b"{}")
    (folder / "g.json.gz").write_bytes(gzip.compress(b" " * 17_000_000))
    code, found = printed("check", str(folder))
    assert code == 1
    assert [(Path(name).name, row["verdict"]) for name, row in found.items()] == [
        ("a.json", "accepted"), ("b.json.gz", "accepted"), ("c.json", "rejected"), ("d.json.gz", "unreadable"),
        ("e.json.gz", "unreadable"), ("f.json.gz", "unreadable"), ("g.json.gz", "unreadable"),
    ]  # fmt: skip
    said = [row["words"] for row in found.values()][3:]
    assert [words.removeprefix("unreadable: ") for words in said] == [
        "a gzip file that ends too early", "bytes after the end of the gzip file",
        "the file: member format is missing",
        "more than 16 MiB",
    ]  # fmt: skip


def test_a_built_network_is_checked_by_its_certificate_alone(tmp_path, capsys):
    network = ("weights.json", "model.safetensors", "model.onnx")
    for name in (*network, "certificate.json"):
        (tmp_path / name).write_text('{"format": "verifier.export/2"}')
    assert certificates(tmp_path) == [str(tmp_path / "certificate.json")]
    assert capsys.readouterr() == ("", "")
    (tmp_path / "certificate.json").write_text('{"format": "verifier.certificate/1"}')  # of no network
    assert certificates(tmp_path) == [str(tmp_path / name) for name in ("certificate.json", "weights.json")]
    left = ", ".join(str(tmp_path / name) for name in sorted(network[1:]))
    assert capsys.readouterr().err.endswith(f": {left}\n")


def test_whatever_is_in_a_folder_is_checked_or_named(folder, capfd):
    """Names in capitals, what calls itself a schema, links, pipes; and what begins with a hyphen is no option."""
    for name in ("net/certificate.json", "net/other.json", "x.schema.json", "y.JSON", "-z.json", "notes.txt"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(CERTIFICATE.read_text() if name == "net/certificate.json" else LIE)
    (folder / "y.Json.GZ").write_bytes(gzip.compress(LIE.encode()))
    (folder / "true.schema.json").write_text('{\n "$schema": "s"}')
    (folder / "broken.json").symlink_to("nowhere")
    (folder / "linked").symlink_to(folder / "net")
    os.mkfifo(folder / "pipe")
    with contextlib.chdir(folder):
        assert main(["check", "."]) == 1
    out, err = capfd.readouterr()
    assert dict(line.split(": ")[:2] for line in out.splitlines()) == {
        "-z.json": "REJECTED",
        "a.json": "checked in full",
        "b.json.gz": "checked in full",
        "broken.json": "unreadable",
        "linked": "unreadable",
        "net/certificate.json": "checked in full",
        "net/other.json": "REJECTED",
        "pipe": "unreadable",
        "x.schema.json": "REJECTED",
        "y.JSON": "REJECTED",
        "y.Json.GZ": "REJECTED",
    }
    assert err.splitlines() == [
        "verify: true.schema.json: left out, for it is a JSON schema",
        "verify: .: left out, for their names end neither in .json nor in .json.gz: notes.txt",
    ]


def test_queries_in_the_folder_of_their_network_are_left_out_and_named(folder, capfd):
    (folder / "queries/proofs").mkdir(parents=True)
    (folder / "queries/truth.json").write_text('{\n "format": "verifier.queries/2"\n}')
    (folder / "queries/proofs/tiny.json").write_text('{\n "box": [],\n "format": "verifier.enclosure/1"\n}')
    assert main(["check", str(folder)]) == 0
    assert (
        capfd.readouterr().err == f"verify: {folder / 'queries'}: left out, for it holds what `verify bench` writes\n"
    )


def test_a_folder_with_a_link_is_not_checked_as_a_whole(folder):
    assert main(["check", str(folder)]) == 0
    (folder / "c.json").symlink_to(folder / "a.json")
    assert main(["check", str(folder)]) == 2


def test_names_from_a_file_make_no_lines_and_no_rows(printed, tmp_path, capfdbinary):
    """A page names its sizes; so this would have been a line `b.json: checked in full`."""
    page = Page('language 1\ntitle "one"\nsizes n >= 1\nclaim a.b, own, "-", once:\n  "words"\n  n > 0')
    document = json.loads(page.run(n=2).certificate)
    for name in ("m\nb.json: checked in full: ", "\x1b[2Jn", "n: checked in full", "", "n" * 61, " n"):
        (tmp_path / "a.json").write_text(json.dumps(document | {"sizes": {name: 2}}))
        assert main(["check", str(tmp_path / "a.json")]) == 2
        out = capfdbinary.readouterr().out.decode()
        assert (out.count("\n"), "\x1b" in out, "unreadable" in out) == (1, False, True), out
        code, found = printed("check", str(tmp_path / "a.json"))
        assert (code, [row["verdict"] for row in found.values()]) == (2, ["unreadable"])


def test_of_a_folder_the_rows_of_other_commands_are_left_out_and_that_is_said(folder, capfd):
    main(["survey", "--d", "1", "--n", "2", "--N", "2", "--claims", "lemma6", "--format", "json"])
    (folder / "s.json").write_text(capfd.readouterr().out)
    assert main(["check", str(folder)]) == 0
    out, err = capfd.readouterr()
    assert out.count("checked in full") == 2
    assert err == f"verify: {folder / 's.json'}: left out, for it is what `verify survey --format json` prints\n"
    (folder / "s.json").write_text('{"format": "verifier.survey/3"}')  # anything else is a file to be checked
    assert main(["check", str(folder)]) == 2
    assert f"{folder / 's.json'}: unreadable: " in capfd.readouterr().out


def test_a_report_of_a_folder_and_of_standard_input(printed, folder, monkeypatch, capfdbinary):
    page = folder / "r.html"
    (folder / "a.json").write_bytes(PARITY.read_bytes())
    (folder / "b.json.gz").write_bytes(gzip.compress(PARITY.read_bytes()))
    code, found = printed("report", str(folder), "-o", str(page))
    verdicts = {Path(name).name: row["verdict"] for name, row in found.items()}
    assert (code, verdicts) == (0, {"a.json": "accepted", "b.json.gz": "accepted"})
    for data in (PARITY.read_bytes(), gzip.compress(PARITY.read_bytes())):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))
        code, found = printed("report", "-", "-o", str(page))
        assert (code, found["-"]["verdict"]) == (0, "accepted")
    for name, data, said in (
        ("x.json.gz", b"no", "it is no certificate"),
        ("x.json.gz", b"\x1f\x8bno", "it is no gzip file"),
        ("x.json.gz", gzip.compress(b"\xff"), "byte 0 is not UTF-8"),
        ("x.json.gz", gzip.compress(b" " * 17_000_000), "it has more than 16,777,216 bytes"),
    ):
        (folder / name).write_bytes(data)
        assert main(["report", str(folder / name), "-o", str(page)]) == 2
        assert said in capfdbinary.readouterr().err.decode()


def test_the_words_reach_the_checker_as_they_are(folder, capfd, monkeypatch):
    monkeypatch.chdir(folder)
    shutil.copy("a.json", "-x.json")
    code, out = main(["check", "--sample=2", "--seed", "7", "--", "-x.json"]), capfd.readouterr().out
    assert code == 5
    assert out.startswith("-x.json: ")
    assert main(["check", "--seed", "7", "a.json", "--sample", "2"]) == 5
    assert capfd.readouterr().out == out.replace("-x.json", "a.json", 1)
    assert main(["check", "a.json", "--seed", "7", "--seconds", "3"]) == 2
    assert "--seconds draws what is checked" in capfd.readouterr().err


def test_every_promise_counts(capfd):
    promises = [f"--promise=1 2 {N} lemma6.1" for N in (2, 3)]
    assert main(["check", str(CERTIFICATE), promises[0]]) == 0
    assert main(["check", str(CERTIFICATE), *promises]) == 1
    assert "REJECTED: " in capfd.readouterr().out

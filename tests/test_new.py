"""`verify new`: what it writes runs at once, holds, and fails when it is broken."""

import os
import pty
import shlex
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from cli import main
from processes import started

ROOT = Path(__file__).parent.parent


@pytest.fixture
def told(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def call(*words):
        code = main(list(words))
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


def call_in(out):
    """The command that it says."""
    return shlex.split(out.splitlines()[-1])[1:]


@pytest.mark.parametrize(
    ("sizes", "words", "call"),
    [
        ("n >= 1", 30, ["--n", "4"]),
        ("n >= 1, k >= 2", 120, ["--n", "4", "--k", "3"]),
        ("n >= 0, k >= 0, c >= 7", 120, ["--n", "4", "--k", "3", "--c", "7"]),
        ("w >= 1, a >= 2", 120, ["--w", "4", "--a", "3"]),  # letters that the page would use
        ("Y >= 1, x >= 1, j >= 1, i >= 1", 120, ["--Y", "4", "--x", "3", "--j", "1", "--i", "1"]),
        ("most >= 1, words >= 1, so_far >= 1, largest >= 1", 120, None),
        ("n >= 2, k >= 100", 10_100, ["--n", "2", "--k", "100"]),
    ],
)
def test_the_page_runs_at_once_and_its_claim_holds(told, sizes, words, call):
    code, out, _ = told("new", "mine.page", "--sizes", sizes)
    assert code == 0
    if call:
        assert call_in(out) == ["--paper", "mine.page", *call]
    code, shown, err = told(*call_in(out))
    assert code == 0, err
    assert f"all {words:,} words" in shown
    assert "1 claim holds." in shown
    assert "Checked in full" in shown
    assert "by a second program that shares no code with this one." in " ".join(shown.split())


def test_the_claim_fails_with_the_bug_that_the_page_names(told):
    _, out, _ = told("new", "mine.page", "--sizes", "n >= 1, k >= 2")
    page = Path("mine.page")
    assert "Write j < i in the layer, and a counterexample is found" in page.read_text()
    page.write_text(page.read_text().replace("over j <= i", "over j < i"))
    code, shown, _ = told(*call_in(out))
    assert code == 1
    assert "at         1, i = 1\n" in shown


@pytest.mark.parametrize("there", ["file", "link", "folder"])
def test_what_is_there_is_never_replaced(told, there):
    path = Path("mine.page")
    {"file": lambda: path.write_text("mine"), "folder": path.mkdir, "link": lambda: path.symlink_to("no")}[there]()
    code, out, err = told("new", "mine.page", "--sizes", "n >= 1")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "there already" in err
    assert path.is_symlink() or path.is_dir() or path.read_text() == "mine"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["mine.txt", "--sizes", "n >= 1"], "a page is a FILE.page"),
        (["no/mine.page", "--sizes", "n >= 1"], "there is no such folder"),
        (["mine.page"], "--sizes is needed where nobody can be asked"),
        (["mine.page", "--sizes", ""], "--sizes : expected a size's name here"),
        (["mine.page", "--sizes", "n"], "expected '>=' here"),
        (["mine.page", "--sizes", "n >= 1, n >= 2"], "n is a size already"),
        (["mine.page", "--sizes", "for >= 1"], "'for' is a word of the language"),
        (["mine.page", "--sizes", "n >= 1\nX = 1"], "sizes are one line"),
        (["mine.page", "--sizes", "jobs >= 1"], "a size can't be called jobs"),
        (["mine.page", "--sizes", "n >= 30"], "too many inputs for a first page"),
        (["mine.page", "--sizes", "n >= 4, k >= 10000000"], "too many inputs for a first page"),
    ],
)
def test_a_mistake_is_one_line_and_writes_nothing(told, words, said):
    code, out, err = told("new", *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize("name", ['a "quoted" name.page', "Größe.page", "{n}.page"])
def test_any_file_name_is_a_title(told, name):
    code, out, err = told("new", name, "--sizes", "n >= 1")
    assert code == 0, err
    assert told(*call_in(out))[0] == 0 or not name.isascii()


def test_on_a_terminal_it_asks(tmp_path):
    here, there = pty.openpty()
    call = [sys.executable, str(ROOT / "cli.py"), "new", "mine.page"]
    with started(call, cwd=tmp_path, stdin=there, stdout=there, stderr=there) as run:
        os.close(there)
        shown = b""
        while b"[n >= 1]" not in shown:
            shown += os.read(here, 1000)
        os.write(here, b"m >= 2, k >= 2\n")
        with suppress(OSError):  # the terminal is closed
            while part := os.read(here, 1000):
                shown += part
        assert run.wait() == 0
    os.close(here)
    assert b"verify --paper mine.page --m 4 --k 3" in shown
    assert "sizes m >= 2 (4), k >= 2 (3)" in (tmp_path / "mine.page").read_text()

"""`verify --paper FILE --watch`: it runs when the file is saved, says what changed, survives a bad page, and ends."""

import os
import signal
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from cli import main
from processes import patiently, started
from verifier.commands.watching import changes, saved
from verifier.page import Page

ROOT = Path(__file__).parent.parent
PAGE = """language 1
title "A head that copies"
sizes n >= 1
inputs w in words: words of 1..n bits a in {0, 1}
layer left:
  before = read x[j][1] at max of j over j < i else -1
  x[i] <- x[i] + before * unit(2, 2)
network copy:
  left
Y = copy([[a, 0] for a in w])
claim copy.left, own, "-", on words:
  "Each token but the first holds the letter on its left."
  for i in 2..len(w): Y[i][2] = w[i-1]
claim copy.small, own, "-", on words:
  "None is larger than 3."
  for i in 1..len(w): w[i] <= 3
"""


@contextmanager
def watching(folder, text, *words):
    """The process, and what it has said so far."""
    page, screen = folder / "mine.page", folder / "screen"
    page.write_text(text)
    call = [sys.executable, str(ROOT / "cli.py"), "--paper", "mine.page", "--n", "3", "--watch", "--no-check", *words]
    with screen.open("w") as out, started(call, cwd=folder, stdout=out, stderr=out) as run:
        rounds = 0

        def after(text=None):
            """What the next round says."""
            nonlocal rounds
            before = len(screen.read_text())
            if text is not None:
                page.write_text(text)
            rounds += 1
            patiently(lambda: screen.read_text().count("Watching mine.page;") == rounds, 60, run)
            assert run.poll() is None, screen.read_text()
            return screen.read_text()[before if text is not None else 0 :]

        yield run, after


def test_what_changed_is_said_and_a_bad_page_does_not_end_it(tmp_path):
    with watching(tmp_path, PAGE) as (run, after):
        said = after()
        assert "2 claims hold." in said
        assert "What changed" not in said
        said = after(PAGE.replace("j < i", "j <= i"))
        assert "Counterexample to copy.left" in said
        assert "What changed:\n  copy.left: holds -> refuted; no failures -> fails at 8; " in said
        assert "no counterexample -> first at 01, i = 2\n" in said
        assert "copy.small: " not in said.partition("What changed")[2]
        said = after(PAGE.replace("j < i", "j < k"))
        assert "mine.page: line 6, column 46: nothing here is called k" in said
        said = after(PAGE.replace("<= 3", "<= 4"))
        assert "What changed:\n  copy.left: refuted -> holds;" in said, "since the last page that could be run"
        assert "copy.small: slack 2 -> slack 3\n" in said
        assert "Nothing changed in verdicts, cases and slacks." in after(PAGE.replace("<= 3", "<= 4") + "# a note\n")
        run.send_signal(signal.SIGINT)
        assert run.wait(60) == 130
    assert "Traceback" not in (tmp_path / "screen").read_text()
    assert "nothing was established" not in (tmp_path / "screen").read_text()


def test_a_file_that_is_replaced_is_seen_and_one_that_is_away_is_waited_for(tmp_path):
    with watching(tmp_path, PAGE) as (run, after):
        after()
        (tmp_path / "mine.page").rename(tmp_path / "away.page")
        time.sleep(0.7)
        assert run.poll() is None
        said = after(PAGE.replace("words of 1..n", "words of 0..n"))
        assert "copy.left: 14 cases -> 15 cases\n" in said
        run.terminate()
        assert run.wait(60) == 143


def test_it_looks_a_few_times_a_second_and_does_nothing_else(monkeypatch, tmp_path):
    (tmp_path / "a").touch()
    slept = []
    monkeypatch.setattr(
        time, "sleep", lambda seconds: slept.append(seconds) or (len(slept) == 5 and os.utime(tmp_path / "a", (1, 1)))
    )
    rounds = saved(tmp_path / "a")
    next(rounds)
    assert slept == []
    next(rounds)
    assert slept == [0.3] * 5


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--n", "x"], "a size is a whole number"),
        ([], "--n is missing"),
        (["--n", "2", "--N", "3"], "no option '--N'"),
        (["--n", "2", "--format", "json"], "--watch says what changed; it goes without --format json"),
    ],
)
def test_a_malformed_call_ends_at_once(tmp_path, capsys, words, said):
    path = tmp_path / "mine.page"
    path.write_text(PAGE)
    assert main(["--paper", str(path), "--watch", *words]) == 2
    assert said in capsys.readouterr().err
    assert main(["--paper", str(tmp_path / "no.page"), "--watch", *words]) == 2


def test_help_is_help(tmp_path, capsys):
    path = tmp_path / "mine.page"
    path.write_text(PAGE)
    assert main(["--paper", str(path), "--watch", "--help"]) == 0
    assert "--watch" in capsys.readouterr().out


def test_of_several_sizes_each_change_names_its_own():
    old = [Page(PAGE).run(n=n).content for n in (1, 2)]
    new = [Page(PAGE.replace("j < i", "j <= i")).run(n=n).content for n in (1, 2, 3)]
    told = list(changes(old, new))
    assert told[0] == "\nWhat changed:"
    assert told[1].startswith("  copy.left at n = 2: holds -> refuted; ")
    assert told[2:] == ["  not run before at n = 3: refuted"]
    gone = PAGE.partition("claim copy.small")[0] + 'claim copy.new, own, "-", once:\n  "One."\n  1 = 1\n'
    told = list(changes(old[:1], [Page(gone).run(n=1).content]))
    assert told[1:] == ["  copy.new: new; holds, 1 case", "  copy.small: is gone"]

"""What a person sees: the table, a counterexample that can be redone by hand, colour on a terminal alone."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import threading
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from processes import PATIENCE, told
from verifier import Instance, Q, contextual_map, print_result, verify
from verifier.catalogue import all_claims, choose
from verifier.commands.verify import verify as verify_command
from verifier.core.claim import KINDS
from verifier.report import progress
from verifier.report.progress import Progress
from verifier.report.terminal import short
from verifier.run.watch import ProgressReport, Refuted

ROOT = Path(__file__).parent.parent
CLI = [sys.executable, str(ROOT / "cli.py")]
PLAIN = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
LABELS = {"kind:", "formula:", "needs:", "domain:", "checked:"}


def on_a_terminal(*arguments, **env):
    """What the command writes to a terminal of 80 columns."""
    main, terminal = pty.openpty()
    with subprocess.Popen(
        [*CLI, *arguments], stdout=terminal, stderr=terminal, env={**os.environ, "TERM": "xterm", **env}
    ) as run:
        os.close(terminal)
        out = b""
        while True:
            try:
                part = os.read(main, 65536)
            except OSError:  # the terminal has no writer any more
                break
            if not part:
                break
            out += part
        assert run.wait(timeout=PATIENCE) == 0
    os.close(main)
    return out.decode()


def words_of(claim):
    parts = (claim.id, f"({claim.where})", claim.says, f"{claim.kind}: {KINDS[claim.kind]}", claim.formula, claim.needs)
    return (*parts, claim.domain.words, claim.how)


def test_colour_on_a_terminal_alone_and_not_when_it_is_not_wanted():
    colour = re.compile(r"\x1b\[[0-9;]*3[0-9]m")
    arguments = ("--d", "1", "--n", "2", "--N", "3", "--claims", "lemma6")
    assert colour.search(on_a_terminal(*arguments, COLUMNS="80"))
    assert not colour.search(on_a_terminal(*arguments, COLUMNS="80", NO_COLOR="1"))
    piped = subprocess.run([*CLI, *arguments], capture_output=True, text=True, check=True)
    assert "\x1b" not in piped.stdout


AT_ONCE = """
import sys
sys.path[:0] = [{root!r}, {root!r} + "/tests"]
from verifier.report import progress
progress._FIRST = progress._EVERY = progress._REDRAWN = 0
"""

A_MUTANT = """
from dataclasses import replace
from verifier import Instance
from verifier import contextual_map
from verifier import print_result
from verifier import verify
from verifier.run.verify import RunOptions
g = contextual_map(Instance(1, 3, 4))
shown = progress.Progress()
variant = replace(g, interval=replace(g.interval, high=10900))
result = verify(variant, "lemma6", RunOptions(progress=shown, say=shown.say))
shown.close()
print_result(result)
"""


def script(words, stderr):
    """What a script of its own writes to stdout."""
    code = AT_ONCE.format(root=str(ROOT)) + words
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=stderr, text=True, check=True)
    return done.stdout


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("words", "indent"),
    [
        (("claims", "lemma6.equivariant"), "    "),
        (("papers",), "    "),
        (("prove", "--claims", "b5.head"), "    "),
        (("check", "proofs/certificates/d1-n2-N70.json"), "    "),
    ],
)
def test_sentences_keep_to_the_width_of_a_terminal(words, indent):
    """Of a pipe the lines are those of the program: `check` has one for each file."""
    told = [line.rstrip() for line in on_a_terminal(*words, COLUMNS="60").replace("\r", "").splitlines()]
    assert max(map(len, told)) <= 60
    assert any(line.startswith(indent) for line in told)
    piped = subprocess.run([*CLI, *words], capture_output=True, text=True, check=True).stdout
    assert " ".join(piped.split()) == " ".join(" ".join(told).split())
    assert words[0] != "check" or piped.count("\n") == 1


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("program", "words"),
    [
        (CLI, ("--d", "1", "--n", "5", "--N", "3000")),
        (CLI, ("regress", "docs")),
        (CLI, ("check", "x.json", "--promise", "1 2 3 4 5 6 7 8 9 10 11 12 13")),
    ],
)
def test_messages_keep_to_the_width_of_a_terminal_too(program, words):
    """And break no word; in a pipe each is one line."""
    with terminal(50) as (end, seen):
        done = subprocess.run([*program, *words], stdout=subprocess.PIPE, stderr=end, cwd=ROOT, env=PLAIN, check=False)
        told = seen().splitlines()
    assert (done.returncode, done.stdout) in ((2, b""), (4, b""))
    assert len(told) > 1
    assert max(map(len, told)) <= 50
    assert all(line.startswith("    ") for line in told[1:])
    piped = subprocess.run(
        [*program, *words], stderr=subprocess.PIPE, cwd=ROOT, env=PLAIN, text=True, check=False
    ).stderr
    assert piped.count("\n") == 1
    assert piped.split() == " ".join(told).split()


def test_every_claim_is_listed_within_80_columns():
    """Each label's words stand below one another, and no word is cut."""
    with terminal(80) as (end, seen):
        subprocess.run([*CLI, "claims"], stdout=end, env=PLAIN, check=True)
        told = seen().splitlines()
    listed = [line for line in told if line and not line.startswith(" ")]
    assert [line.split()[0] for line in listed if not line.startswith("    ")] == list(all_claims())
    assert max(map(len, told)) <= 80
    assert {len(line) - len(line.lstrip()) for line in told if line} == {0, 4, 13}
    said = {word for claim in all_claims().values() for word in " ".join(words_of(claim)).split()}
    assert {word for line in told for word in line.split()} <= said | LABELS


@pytest.mark.thorough
def test_every_help_is_readable_on_80_columns():
    for words in ((), *((name,) for name in verify_command.pages)):
        with terminal(80) as (end, seen):
            subprocess.run([*CLI, *words, "--help"], stdout=end, env=PLAIN, check=True)
            told = seen().splitlines()
        assert max(map(len, told)) <= 80, words
        assert sum(line.endswith(":") and not line.startswith(" ") for line in told) >= 3, (
            words
        )  # options, examples, codes


def test_the_numbers_of_the_coverage_table_stand_below_one_another(shown):
    lines = shown(lambda: print_result(verify(contextual_map(Instance(1, 3, 12)), "grid.sizes")))
    at = next(k for k, line in enumerate(lines) if line.startswith(" coverage of G+"))
    head, *rows = lines[at], *lines[at + 2 : at + 6]
    assert head.split()[-2:] == ["orbits", "matrices"]
    assert [row.split()[-2:] for row in rows] == [["220", "1,320"], ["144", "408"], ["91", "469"], ["455", "2,197"]]
    for word in ("orbits", "matrices"):
        end = head.index(word) + len(word)
        assert {(row + " ")[end - 1 : end + 1].strip().isdigit() for row in rows} == {True}
        assert all((row + " ")[end] == " " for row in rows)


def test_a_tightest_case_is_not_squeezed_into_a_column():
    told = on_a_terminal("--d", "1", "--n", "3", "--N", "4", "--claims", "lemma6", COLUMNS="80")
    assert "    distance of two entries of q(L) = 21/4 > 0  at [0, 1/4, 1/2], slack 21/4" in told


@contextmanager
def terminal(columns):
    """Where to write, and a function that reads what was written."""
    main, end = pty.openpty()
    fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    said = []
    reader = threading.Thread(target=lambda: said.extend(read_all(main)))
    reader.start()

    def seen():
        os.close(end)
        reader.join()
        return b"".join(said).decode()

    yield end, seen
    os.close(main)


def read_all(main):
    with suppress(OSError):  # the terminal has no writer any more
        while part := os.read(main, 65536):
            yield part


def test_on_80_columns_there_is_room_for_a_bar_and_the_categories():
    so_far = ProgressReport(26_765_442, 223_045_351, 0, {1: 20_000_000, 2: 1_234_567, 3: 6_000_000}, ())
    line = progress._line(so_far, 3, short=True)
    assert line == "26,765k/223M, 8,921k/s, 00:22 left; Cat. 1: 20,000k, 2: 1,234k, 3: 6,000k"
    assert len(line) + len("[#..] ") < 80
    assert progress._line(so_far, 2.9, short=True).startswith("26,765k/223M, 9,229k/s; Cat.")  # too early to say
    assert list(map(progress.clock, (0, 59, 60, 3599, 3600, 90061))) == (
        ["00:00", "00:59", "01:00", "59:59", "1:00:00", "25:01:01"]
    )
    assert progress._line(ProgressReport(0, 9, 0, {1: 0, 2: 0, 3: 0}, ()), 1) == "0 of 9 orbits"  # no rate yet
    before = ProgressReport(0, 9, 0, {1: 0, 2: 0, 3: 0}, (), ("every column of G+", 1024))
    assert progress._line(before, 1) == "every column of G+: 1,024 so far"
    assert progress._bar(before, "its line") == "\r\x1b[2Kits line"
    lines = [progress._line(report, seconds) for report in (so_far, before) for seconds in (0, 2, 4)]
    assert (
        told("\n".join(["verify: refuted", *lines, *(f"(2, 2, 2): {line}" for line in lines), ""]))
        == "verify: refuted\n"
    )


@pytest.mark.thorough
@pytest.mark.parametrize("columns", [60, 200])
def test_progress_is_a_bar_on_a_terminal_that_is_wiped_at_the_end(columns):
    with terminal(columns) as (end, seen):
        out = script("import cli; sys.exit(cli.main('--d 1 --n 3 --N 4 --jobs 1'.split()))", stderr=end)
        drawn = seen()
    assert out.startswith("instance   d = 1, n = 3, N = 4")
    assert "\x1b" not in out
    lines = drawn.split("\r\x1b[2K")[1:]
    assert len(lines) > 35
    assert lines[-1] == ""
    assert max(map(len, lines)) < columns  # what wraps can't be wiped
    if columns == 200:
        half = next(line for line in lines if " 18 of 35 " in line)
        rate = r"[\d,]+ a second(, about \d\d:\d\d left)?"
        assert re.fullmatch(rf"\[#{{15}}\.{{15}}\] 18 of 35 orbits, {rate}; Category .*", half)
        assert lines[-2].endswith("; Category 1: 4, 2: 16, 3: 15")


def test_a_refutation_is_said_at_once_on_stderr_alone_and_the_run_goes_on():
    with terminal(200) as (end, seen):
        out = script(A_MUTANT, stderr=end)
        drawn = seen()
    line = "verify: refuted so far: lemma6.3, at [0, 1/4, 3/4] (rank 21); the run goes on\r\n"
    assert drawn.count("refuted so far") == drawn.count(line) == 1
    assert drawn.index("] 21 of 35") < drawn.index(line) < drawn.index("] 22 of 35")
    assert "] 35 of 35" in drawn
    assert "so far" not in out
    assert "lemma6.3 is refuted" in out


def test_elsewhere_progress_is_lines(tmp_path):
    with open(tmp_path / "err", "w") as err:
        script(A_MUTANT, stderr=err)
    lines = (tmp_path / "err").read_text().splitlines()
    first = next(line for line in lines if line.startswith("1 of 35 "))
    rate = r"[\d,]+ a second(, about \d\d:\d\d left)?"
    assert re.fullmatch(rf"1 of 35 orbits, {rate}; Category 1: 0, 2: 0, 3: 1", first)
    assert "verify: refuted so far: lemma6.3, at [0, 1/4, 3/4] (rank 21); the run goes on" in lines
    assert "\x1b" not in "".join(lines)


def test_quiet_progress_only_keeps_how_far_the_run_is(capsys):
    told = Progress(quiet=True)
    told.next = 0
    told(ProgressReport(1200, 5000, 0, {1: 0, 2: 0, 3: 1200}, (Refuted("lemma6.3", (), 17),)))
    assert told.so_far == "1,200 of 5,000 orbits, refuted so far: lemma6.3"
    assert capsys.readouterr().err == ""


def test_words_about_an_interrupted_run_keep_what_is_known():
    told = Progress()
    told.said = 1
    told(ProgressReport(1200, 5000, 0, {1: 0, 2: 0, 3: 1200}, (Refuted("lemma6.3", (), 17),)))
    assert told.so_far == "1,200 of 5,000 orbits, refuted so far: lemma6.3"


def test_a_counterexample_can_be_redone_by_hand(capsys, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    print_result(verify(contextual_map(Instance(1, 2, 3), sweep_factor=Q(2)), choose(["b5.first-shift", "lemma6.2"])))
    out = capsys.readouterr().out
    assert out.startswith("VARIANT    not the paper's own construction: sweep")
    assert re.search(r"b5.first-shift +The first shift lifts the column of .* refuted +3\n", out)
    assert re.search(r"\n +fails at 3 of 3 cases; the first is shown below\n", out)
    assert (
        "b5.first-shift is refuted, at 3 of 3 cases\n"
        "  kind       step: a step of the source's proof\n"
        "  claim      l~_1 = l_1 + delta^-d (l_n - l_1) > l_n   (App. B.5.1, first shift operation)\n"
        "  matrix     [0, 1/3]\n"
        "  claimed    l~_1, after the first shift = l_1 + delta^-d (l_n - l_1)\n"
        "  found      l~_1, after the first shift = 2/3\n"
        "             l_1 + delta^-d (l_n - l_1) = 1\n"
    ) in out
    assert "lemma6.2 is refuted, at 1 pair of inputs\n" in out
    assert "  matrix     [0, 1/3]\n  and        [1/3, 2/3]\n" in out
    assert " 0 = 0\n" not in out
    assert "REFUTED: b5.first-shift, lemma6.2; seen at (d, n, N) = (1, 2, 3), for a VARIANT" in out


def test_only_a_counterexample_that_is_shown_below_is_said_to_be(capsys):
    """Of ten claims, four are refuted, and three of their counterexamples are shown."""
    ids = ["grid", "lemma7.map", "lemma7.reject", "hu.order", "hu.layers", "hu.threshold", "hu.bounds"]
    result = verify(contextual_map(Instance(1, 2, 2)), choose(ids))
    failing = [finding.claim.id for finding in result.findings if finding.verdict == "refuted"]
    print_result(result)
    out = capsys.readouterr().out
    told = len(re.findall("the first is shown below", " ".join(out.split())))
    assert (len(failing), told) == (4, 3)
    assert [id_ for id_ in failing if f"\n{id_} is refuted, at " in out] == failing[:3]
    assert "1 more counterexample: -v shows it." in out
    print_result(result, every=True)
    assert " ".join(capsys.readouterr().out.split()).count("the first is shown below") == 4


def test_an_excluded_reading_is_told_apart(capsys, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    print_result(verify(contextual_map(Instance(1, 3, 2)), "lemma8"))
    out = capsys.readouterr().out
    assert re.search(r"lemma8.radius +[^\n]* fails +4\n", out)
    assert "lemma8.radius fails at 4 of 4 cases\n  kind       excluded: the text read literally" in out
    assert "2 claims hold at (d, n, N) = (1, 3, 2)" in out
    assert "fails only if the text is read literally: lemma8.radius" in " ".join(out.split())
    assert "refuted" not in out.lower()


def test_numbers_too_long_for_a_table_are_cut_and_say_so():
    assert short("123456789012345678901234") == "123456789012345678901234"
    assert short("1234567890123456789012345") == "123456789012...(25 digits)"
    assert short("1234567890123456789012345/4") == "123456789012...(25 digits)/4"
    assert short("-5/1234567890123456789012345") == "-5/123456789012...(25 digits)"


# The first screen.


@pytest.fixture
def shown(capsys, monkeypatch):
    """What a function prints in a pipe that takes lines of 80 columns."""
    monkeypatch.setenv("COLUMNS", "80")

    def lines(print_it):
        print_it()
        return capsys.readouterr().out.splitlines()

    return lines


def test_where_there_is_no_room_for_a_table_the_slack_stands_in_the_list(shown, monkeypatch):
    result = verify(contextual_map(Instance(1, 3, 4)))
    monkeypatch.setenv("COLUMNS", "40")
    lines = shown(lambda: print_result(result))
    at = lines.index("lemma6.1 holds (4 cases)")
    assert " ".join(line.strip() for line in lines[at + 1 : at + 3]).startswith(
        "values of one input are distinct, slack 21/4"
    )


def test_lemma_6_comes_first_in_words_and_the_other_families_have_a_line_each(shown):
    lines = shown(lambda: print_result(verify(contextual_map(Instance(1, 3, 4))), "checked independently, in full"))
    assert max(map(len, lines)) <= 80
    assert [line for line in lines if line != line.rstrip()] == []
    assert len(lines) < 35
    table = lines[lines.index("") + 1 :]
    assert table[0].split() == ["claim", "what", "it", "says", "verdict", "cases", "slack"]
    assert [line.split()[0] for line in table[2:8]] == [
        *(f"lemma6.{k}" for k in (1, 2, 3, 4)), "lemma6.layers", "lemma6.equivariant"
    ]  # fmt: skip
    assert table[2] == "lemma6.1             values of one input are distinct   holds         4     21/4"
    assert table[9] == "other claims, by family       claims   verdict   tightest (slack)"
    assert table[12] == "App. B.5, step by step (b5)       18   hold      b5.ids-sentinel (0, equality)"
    assert [line[:6] for line in table[11:14]] == ["The gr", "App. B", "Lemma "]
    assert "permutations. -v shows every claim." in lines


def test_a_claim_with_a_phrase_has_the_same_words_wherever_it_is_shown(shown):
    """On a wide screen above its tightest case, on a narrow one below its verdict, and in a summary."""
    result = verify(contextual_map(Instance(1, 2, 2)))
    for print_it in (lambda: print_result(result), lambda: print_result(result, every=True)):
        told = " ".join(shown(print_it))
        for finding in result.findings:
            assert (finding.claim.phrase or finding.claim.id) in told or not finding.claim.phrase
    lines = shown(lambda: print_result(verify(contextual_map(Instance(1, 2, 2)), "lemma6")))
    at = lines.index("lemma6.3 holds (1 case)")
    assert lines[at + 1 : at + 3] == [
        "    valid inputs land in [t_l, t_r)", "    q_2 = 27/2 < 16  at [0, 1/2], slack 5/2"
    ]  # fmt: skip


def test_every_claim_has_its_row_where_it_is_asked_for_or_where_they_are_few(shown):
    result = verify(contextual_map(Instance(1, 2, 2)))
    every = " ".join(shown(lambda: print_result(result, every=True)))
    assert all(f" {finding.claim.id} " in every for finding in result.findings)
    few = verify(contextual_map(Instance(1, 2, 2)), "lemma10")
    assert shown(lambda: print_result(few)) == shown(lambda: print_result(few, every=True))


def test_a_summary_names_what_is_refuted_skipped_and_vacuous(shown):
    g = contextual_map(Instance(1, 5, 2))
    lines = shown(lambda: print_result(verify(g)))
    assert any(re.match(r"App\. B\.5.* 18   12 hold, 6 vacuous ", line) for line in lines)
    assert any(re.match(r"Lemma 10 .* 3   vacuous ", line) for line in lines)
    variant = contextual_map(Instance(1, 3, 4), sweep_factor=Q(2))
    lines = shown(lambda: print_result(verify(variant)))
    refuted = verify(variant).refuted
    named = [line.split()[0] for line in lines if " refuted  " in line]
    assert len(refuted) > 4
    assert sorted(named) == sorted(refuted)
    assert named[0].startswith("lemma6")
    assert f"{len(refuted) - 3} more counterexamples: -v shows them." in lines


def test_the_verdict_alone():
    assert on_a_pipe("--d", "1", "--n", "2", "--N", "2", "-q") == (0, "holds\n")
    assert on_a_pipe("--d", "1", "--n", "2", "--N", "2", "-q", "--claims", "lemma7") == (1, "refuted: lemma7.map\n")
    assert on_a_pipe("--d", "1", "--n", "3", "--N", "2", "-q", "--claims", "lemma10.upper") == (
        5,
        "incomplete: lemma10.upper\n",
    )  # it is vacuous
    assert on_a_pipe("--d", "1", "--n", "2", "--N", "2", "-q", "-v") == (2, "")


def on_a_pipe(*arguments):
    done = subprocess.run([*CLI, *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout

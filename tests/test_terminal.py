"""What a person sees: the table, a counterexample that can be redone by hand, colour on a terminal alone."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

from verifier import Instance, Q, contextual_map, print_result, verify
from verifier.claims.registry import choose
from verifier.report.terminal import short

CLI = [sys.executable, str(Path(__file__).parent.parent / "cli.py")]


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
        assert run.wait(timeout=60) == 0
    os.close(main)
    return out.decode()


def test_colour_on_a_terminal_alone_and_not_when_it_is_not_wanted():
    colour = re.compile(r"\x1b\[[0-9;]*3[0-9]m")
    arguments = ("--d", "1", "--n", "2", "--N", "3", "--claims", "lemma6")
    assert colour.search(on_a_terminal(*arguments, COLUMNS="80"))
    assert not colour.search(on_a_terminal(*arguments, COLUMNS="80", NO_COLOR="1"))
    piped = subprocess.run([*CLI, *arguments], capture_output=True, text=True, check=True)
    assert "\x1b" not in piped.stdout


def test_progress_is_a_bar_on_a_terminal_that_is_wiped_at_the_end():
    seen = on_a_terminal("--d", "1", "--n", "3", "--N", "16", "--claims", "lemma6", COLUMNS="100")
    if "#" in seen:  # a quick machine has nothing to report
        assert re.search(r"\r\x1b\[2K\[#+\.*\] [\d,]+ of 969 orbits", seen)
        assert seen.index("instance") > seen.rindex("\r\x1b[2K")


def test_a_counterexample_can_be_redone_by_hand(capsys, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    print_result(verify(contextual_map(Instance(1, 2, 3), sweep_factor=Q(2)), choose(["b5.first-shift", "lemma6.2"])))
    out = capsys.readouterr().out
    assert out.startswith("VARIANT    not the paper's own construction: sweep")
    assert "b5.first-shift   refuted       3   fails at 3 of 3 cases; the first is shown below" in out
    assert (
        "b5.first-shift is refuted, at 3 of 3 cases\n"
        "  claim      l~_1 = l_1 + delta^-d (l_n - l_1) > l_n   (App. B.5.1, first shift operation)\n"
        "  matrix     [0, 1/3]\n"
        "  claimed    l~_1, after the first shift = l_1 + delta^-d (l_n - l_1)\n"
        "  found      l~_1, after the first shift = 2/3\n"
        "             l_1 + delta^-d (l_n - l_1) = 1\n"
    ) in out
    assert "  matrix     [0, 1/3]\n  and        [1/3, 2/3]\n" in out
    assert "REFUTED: b5.first-shift, lemma6.2; seen at (d, n, N) = (1, 2, 3), of a VARIANT" in out


def test_numbers_too_long_for_a_table_are_cut_and_say_so():
    assert short("123456789012345678901234") == "123456789012345678901234"
    assert short("1234567890123456789012345") == "123456789012…(25 digits)"
    assert short("1234567890123456789012345/4") == "123456789012…(25 digits)/4"
    assert short("-5/1234567890123456789012345") == "-5/123456789012…(25 digits)"

"""What a person sees on a terminal: its width, colour there alone, progress."""

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

from processes import PATIENCE

ROOT = Path(__file__).parent.parent
CLI = [sys.executable, str(ROOT / "cli.py")]
PLAIN = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}


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


def test_colour_on_a_terminal_alone_and_not_when_it_is_not_wanted():
    colour = re.compile(r"\x1b\[[0-9;]*3[0-9]m")
    arguments = ("--d", "1", "--n", "2", "--N", "3", "--claims", "lemma6")
    assert colour.search(on_a_terminal(*arguments, COLUMNS="80"))
    assert not colour.search(on_a_terminal(*arguments, COLUMNS="80", NO_COLOR="1"))
    piped = subprocess.run([*CLI, *arguments], capture_output=True, text=True, check=True)
    assert "\x1b" not in piped.stdout


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("words", "indent"),
    [
        (("claims", "lemma6.equivariant"), "    "),
        (("prove", "--claims", "b5.head"), "    "),
        (("check", "proofs/certificates/d1-n2-N70.json"), "    "),
    ],
)
def test_sentences_keep_to_the_width_of_a_terminal(words, indent):
    """Of a pipe the lines are those of the program: `check` has one for each file."""
    out = re.sub(r"\x1b\[[0-9;]*m", "", on_a_terminal(*words, COLUMNS="60"))
    told = [line.rstrip() for line in out.replace("\r", "").splitlines()]
    assert max(map(len, told)) <= 60
    assert any(line.startswith(indent) for line in told)
    piped = subprocess.run([*CLI, *words], capture_output=True, text=True, check=True).stdout
    assert " ".join(piped.split()) == " ".join(" ".join(told).split())
    assert words[0] != "check" or piped.count("\n") == 1


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


# Progress: of a run that is made to seem long.

AT_ONCE = """
import sys
sys.path[:0] = [{root!r}]
from verifier.report import progress
progress._FIRST = progress._EVERY = progress._REDRAWN = 0
shown = progress.Progress()
for k in range(36):
    shown(k, 35)
shown.close()
"""


def drawn_on(columns):
    with terminal(columns) as (end, seen):
        code = AT_ONCE.format(root=str(ROOT))
        subprocess.run([sys.executable, "-c", code], stderr=end, env=PLAIN, check=True)
        return seen()


@pytest.mark.parametrize("columns", [30, 200])
def test_progress_is_a_bar_on_a_terminal_that_is_wiped_at_the_end(columns):
    lines = drawn_on(columns).split("\r\x1b[2K")[1:]
    assert len(lines) > 35
    assert lines[-1] == ""
    assert max(len(line) for line in lines) < columns  # what wraps can't be wiped
    if columns == 200:
        assert f"[{'#' * 15}{'.' * 15}] 18 of 35 cases so far" in lines


def test_elsewhere_progress_is_lines():
    code = AT_ONCE.format(root=str(ROOT))
    done = subprocess.run([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True, check=True)
    lines = done.stderr.splitlines()
    assert "verify: 18 of 35 cases so far" in lines
    assert "\x1b" not in done.stderr

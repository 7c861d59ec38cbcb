"""Starts the independent checker in a process of its own. Imports little, so that `verify check` begins at once."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path


def run_checker(
    arguments: Sequence[str],
    *,
    capture: bool = False,
    errors: bool = False,
    given: bytes | None = None,
    timeout: float | None = None,
) -> "subprocess.CompletedProcess[str]":
    """Runs the independent checker in a process of its own, which sees this package and nothing of the current folder.

    With `capture` its stdout is returned, with `errors` its stderr. `given` is its stdin, for the file `-`. After
    `timeout` seconds it is ended, and TimeoutError is raised. An interrupt reaches only this process, which then ends
    the checker, so that there is only one message.
    """
    home = str(Path(__file__).resolve().parent.parent)
    path = os.pathsep.join([home, *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, "-P", "-S", "-m", "verifier.checker", *arguments]
    pipe = subprocess.PIPE if capture else None
    err_pipe = subprocess.PIPE if capture or errors else None
    stdin = None if given is None else subprocess.PIPE
    env = {**os.environ, "PYTHONPATH": path}
    with subprocess.Popen(
        command, env=env, stdin=stdin, stdout=pipe, stderr=err_pipe, start_new_session=True
    ) as checker:
        try:
            out, err = checker.communicate(given, timeout=timeout)
        except subprocess.TimeoutExpired:
            _end(checker)
            raise TimeoutError from None
        except BaseException:
            _end(checker)
            raise
    said = ("" if part is None else part.decode(errors="replace") for part in (out, err))
    return subprocess.CompletedProcess(command, checker.returncode, *said)


def _end(checker: "subprocess.Popen[bytes]") -> None:
    """Ends the checker with its processes (--jobs), which are in a group of their own."""
    with suppress(ProcessLookupError):
        os.killpg(checker.pid, signal.SIGKILL)

"""How the independent checker is started: a process of its own. Light, so that `verify check` begins at once."""

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
    """The independent checker, as a process of its own that sees this package and nothing of the folder it is in.

    With `capture` what it prints comes back, with `errors` what it says on stderr. `given` is what it reads where it is
    told to read `-`; after `timeout` seconds it is ended: TimeoutError. An interrupt reaches this process alone, which
    then ends the checker: one voice says so.
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
    """The checker with its processes (--jobs), which are in a group of their own."""
    with suppress(ProcessLookupError):
        os.killpg(checker.pid, signal.SIGKILL)

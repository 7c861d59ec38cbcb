"""How the independent checker is started: a process of its own. Light, so that `verify check` begins at once."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path


def run_checker(arguments: Sequence[str], *, capture: bool = False) -> "subprocess.CompletedProcess[str]":
    """The independent checker, as a process of its own that sees this package and nothing of the folder it is in.

    An interrupt reaches this process alone, which then ends the checker: one voice says so.
    """
    home = str(Path(__file__).resolve().parent.parent)
    path = os.pathsep.join([home, *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, "-P", "-m", "verifier.checker", *arguments]
    pipe = subprocess.PIPE if capture else None
    env = {**os.environ, "PYTHONPATH": path}
    with subprocess.Popen(command, env=env, stdout=pipe, stderr=pipe, text=True, start_new_session=True) as checker:
        try:
            out, err = checker.communicate()
        except BaseException:
            checker.kill()
            raise
    return subprocess.CompletedProcess(command, checker.returncode, out, err)

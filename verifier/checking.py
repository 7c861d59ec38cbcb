"""Starts the independent checker in a process of its own. Imports little, so that `verify check` begins at once."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Answered:
    """How the checker ended: its exit code, and its answers, in order: `words`; of a file or a promise also `verdict`
    and `code`; of a file also `file`, and what was looked at of it (`part`)."""

    code: int
    records: list[dict[str, Any]]
    errors: str = ""  # on its stderr, if that was read

    @property
    def words(self) -> str:
        """All of it, on one line."""
        said = " ".join([*(record["words"] for record in self.records), *self.errors.split()])
        return said or f"the checker ended with {self.code}"


CHECKER = [sys.executable, "-P", "-S", "-m"]


def _environment() -> dict[str, str]:
    home = str(Path(__file__).resolve().parent.parent)
    path = os.pathsep.join([home, *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"}  # what it prints is read here


def run_checker(
    arguments: Sequence[str],
    *,
    given: bytes | None = None,
    timeout: float | None = None,
    tell: Callable[[dict[str, Any]], None] | None = None,
    meanwhile: Callable[[], object] = lambda: None,
) -> Answered:
    """Runs the independent checker in a process of its own, which sees this package and nothing of the current folder.

    `given` is its stdin, for the file `-`. After `timeout` seconds it is ended, and TimeoutError is raised. With `tell`
    each answer is told as soon as it is there, and its stderr is ours. `meanwhile` is called while it starts.
    An interrupt reaches only this process, which then ends the checker, so that there is only one message.
    """
    command = [*CHECKER, "verifier.checker", "--json", *arguments]
    stdin = None if given is None else subprocess.PIPE
    errors = subprocess.PIPE if tell is None else None
    env = _environment()
    with subprocess.Popen(
        command, env=env, stdin=stdin, stdout=subprocess.PIPE, stderr=errors, start_new_session=True
    ) as checker:
        try:
            meanwhile()
            if tell is None:
                out, err = checker.communicate(given, timeout=timeout)
                records = [json.loads(line) for line in out.splitlines()]
            else:
                records, err = [], b""
                for line in checker.stdout or ():
                    records.append(json.loads(line))
                    tell(records[-1])
                checker.wait()
        except subprocess.TimeoutExpired:
            _end(checker)
            raise TimeoutError from None
        except BaseException:
            _end(checker)
            raise
    return Answered(checker.returncode, records, err.decode(errors="replace"))


Ask = Callable[[dict[str, Any]], dict[str, Any]]


@contextmanager
def talking(module: str) -> Iterator[Ask]:
    """A module of the checker in a process of its own, which answers lines of JSON with lines of JSON."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*CHECKER, module], env=_environment(), stdin=pipe, stdout=pipe, start_new_session=True, text=True
    ) as checker:

        def ask(question: dict[str, Any]) -> dict[str, Any]:
            try:
                print(json.dumps(question), file=checker.stdin, flush=True)
                answer = json.loads(checker.stdout.readline())  # type: ignore[union-attr]
            except (OSError, ValueError):
                raise ChildProcessError(f"{module} ended with {checker.wait()}") from None
            return answer  # type: ignore[no-any-return]

        try:
            yield ask
        finally:
            _end(checker)


def _end(checker: "subprocess.Popen[Any]") -> None:
    """Ends the checker, which is in a group of its own."""
    if not hasattr(os, "killpg"):
        checker.kill()
        return
    with suppress(ProcessLookupError):
        os.killpg(checker.pid, signal.SIGKILL)

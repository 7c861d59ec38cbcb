"""A child process, and what it took: wall time, processor time and peak memory.

Peak memory is that of the largest single process of the child and those that it waited for, as wait4 has it. It is
never below what this process itself takes (Linux counts the moment between fork and exec), about 15 MB.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

ROOT = Path(__file__).resolve().parent.parent


class Failed(Exception):
    """A child that was to be measured ended with something else than 0."""


@dataclass(frozen=True)
class Run:
    output: str
    seconds: float
    processor: float  # seconds of it, with those of the processes that it waited for
    megabytes: float


def run(
    command: Sequence[str], extra: Mapping[str, str] = MappingProxyType({}), expected: tuple[int, ...] = (0,)
) -> Run:
    """Runs it in this checkout, so that its own sources are measured, whatever is installed."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **extra}
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        begun = time.perf_counter()
        child = subprocess.Popen(command, stdout=output, stderr=errors, cwd=ROOT, env=environment)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - begun
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        if child.returncode not in expected:
            raise Failed(f"{' '.join(command)}: exit code {child.returncode}\n{errors.read().decode()}")
        unit = 2**20 if sys.platform == "darwin" else 2**10
        return Run(output.read().decode(), seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit)

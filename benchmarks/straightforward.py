"""The straightforward program in C: compiled on the spot, once for each n, and run."""

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).with_name("straightforward.c")
FLAGS = ("-O3", "-march=native", "-std=gnu11")


def compiler() -> str | None:
    return os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


def compiler_version() -> str:
    found = compiler()
    if found is None:
        return "no C compiler"
    return subprocess.run([found, "--version"], check=True, capture_output=True, text=True).stdout.splitlines()[0]


@cache
def compiled_for(n: int, folder: Path) -> Path:
    found = compiler()
    if found is None:
        raise FileNotFoundError("there is no C compiler")
    target = folder / f"straightforward-{n}"
    command = [found, *FLAGS, f"-DTOKENS={n}", "-o", str(target), str(SOURCE)]
    subprocess.run(command, check=True)
    return target

"""Compilers that lie, and C libraries that are damaged, whether or not their record says so."""

import random
import shlex
import signal
import subprocess
import sys
from pathlib import Path

from torture.case import (
    Case,
    Kind,
    Unrun,
    call,
    compiler,
    insist,
    limited,
    package,
    recorded,
    right_or_none,
    run_of,
    surroundings,
    truth,
)

INSTANCE = (1, 2, 70)
RUN = run_of(*INSTANCE, "--engine", "kernel", "--jobs", "1")
ROOM = Path("verifier/papers/yun2020/kernel")
ENOUGH = 60  # seconds of processor time for a run of one, where a damaged library may never end

COMPILERS = {  # scripts, {cc} being the real one
    "emits nothing": "exit 0",
    "fails": "echo no such thing >&2; exit 1",
    "is killed": "kill -9 $$",
    "is no program": "",
    "emits text": 'for last; do :; done; while [ "$1" != -o ]; do shift; done; echo a library > "$2"',
    "emits an empty file": 'while [ "$1" != -o ]; do shift; done; : > "$2"',
    "emits a library without the entry point": (
        'while [ "$1" != -o ]; do shift; done; echo "int walk;" > w.c; {cc} -shared -fPIC -o "$2" w.c'
    ),
    "emits a library whose entry point does nothing": (
        'while [ "$1" != -o ]; do shift; done; echo "void run(void) {{}}" > w.c; {cc} -shared -fPIC -o "$2" w.c'
    ),
    "emits a library whose entry point ends the process": (
        'while [ "$1" != -o ]; do shift; done; printf "void exit(int);void run(void){{exit(0);}}" > w.c;'
        ' {cc} -shared -fPIC -o "$2" w.c'
    ),
    "emits a library that crashes": (
        'while [ "$1" != -o ]; do shift; done; printf "void run(void){{*(volatile int *)8 = 1;}}" > w.c;'
        ' {cc} -shared -fPIC -o "$2" w.c'
    ),
    "emits wrong numbers": '[ -f kernel.c ] && sed -i "s/p->upper - top/p->upper - top + 1/" kernel.c; exec {cc} "$@"',
    "drops an orbit": '[ -f kernel.c ] && sed -i "s/r->orbits\\[0\\] += t->orbits/r->orbits[0] += t->orbits - 1/"'
    ' kernel.c; exec {cc} "$@"',
}
HARMS = ("a bit", "four bits", "a piece", "cut", "zeros", "another library")


def draw(rng: random.Random, number: int) -> Case:
    if number % 3 == 0:
        lie = [*COMPILERS][number // 3 % len(COMPILERS)]
        return Case(f"a compiler that {lie}", lambda folder: compiled_by(folder, COMPILERS[lie]))
    harm, fits = HARMS[number // 3 % len(HARMS)], number % 3 == 2
    words = f"{harm} of kernel.library, {'and its record fits' if fits else 'its record as it was'}"
    return Case(words, lambda folder: damaged(folder, rng, harm, fits=fits))


def compiled_by(folder: Path, lie: str) -> str:
    there = package(folder)
    for name in ("kernel.library", "kernel.sha256"):
        (there / ROOM / name).unlink(missing_ok=True)
    liar = folder / "cc"
    liar.write_text(f"#!/bin/sh\n{lie.format(cc=shlex.quote(compiler()))}\n" if lie else "")
    liar.chmod(0o755)
    env = {"PYTHONPATH": str(there), "CC": str(liar)}
    built = call([sys.executable, str(there / "hatch_build.py")], folder, env=surroundings(folder, **env))
    insist("Traceback" not in built.err and built.code in (0, 1), "the build crashed", built)
    insist(b"kernel.library" not in built.out, "a lying compiler's library was taken", built)
    return f"no library; {run(folder, there)}"


def damaged(folder: Path, rng: random.Random, harm: str, *, fits: bool) -> str:
    there = package(folder)
    library = there / ROOM / "kernel.library"
    if not library.exists():
        raise Unrun("no C library is built here (make)")
    data = bytearray(library.read_bytes())
    if harm in ("a bit", "four bits"):
        for _ in range(1 if harm == "a bit" else 4):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    elif harm == "a piece":
        start = rng.randrange(len(data) - 256)
        data[start : start + 256] = rng.randbytes(256)
    elif harm == "cut":
        del data[rng.randrange(len(data)) :]
    elif harm == "zeros":
        start = rng.randrange(len(data) - 4096)
        data[start : start + 4096] = bytes(4096)
    else:
        other = folder / "w.c"
        other.write_text("int walk;\n")
        subprocess.run([compiler(), "-shared", "-fPIC", "-o", library, other], check=True, capture_output=True)
        data = bytearray(library.read_bytes())
    library.write_bytes(data)
    if fits:
        recorded(there / ROOM)
    return run(folder, there, died=fits)


def run(folder: Path, there: Path, *, died: bool = False) -> str:
    """What the harmed package says. With a record that fits, the machine runs what somebody put there: that may end the
    process, which is no verdict, and is counted by itself."""
    env = surroundings(folder, PYTHONPATH=str(there))
    end = call(
        [sys.executable, str(there / "cli.py"), *RUN],
        folder,
        env=env,
        preexec_fn=limited(CPU=ENOUGH) if died else limited(),
    )
    if died and end.code < 0:
        insist(end.out == b"", "bytes of a process that crashed", end)
        return f"{signal.Signals(-end.code).name}, no verdict"
    return right_or_none(end, truth(*INSTANCE))


KIND = Kind(
    "libraries",
    f"{len(COMPILERS)} compilers that emit nothing, text, other libraries or wrong numbers; bits, pieces and ends of "
    "`kernel.library` changed, with and without a `kernel.sha256` that fits",
    "the true bytes (by numpy, where the library is refused), or exit 70",
    draw,
    90,
    9,
)

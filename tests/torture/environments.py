"""Surroundings that nobody expects: no home, no user, no streams, no memory, no files, no folder."""

import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from torture.case import (
    CLAIMS,
    CLI,
    SEVERAL,
    WITH_WORKERS,
    Case,
    End,
    Kind,
    Unrun,
    call,
    insist,
    limited,
    no_crash,
    right_or_none,
    run_of,
    stranger,
    surroundings,
    truth,
)

INSTANCE = (1, 2, 5)
RUN = [*CLI, *run_of(*INSTANCE)]
LONGER = [*CLI, *WITH_WORKERS]


def draw(rng: random.Random, number: int) -> Case:
    name = [*WAYS][number % len(WAYS)]
    return Case(name, lambda folder: WAYS[name](folder, rng))


def plain(folder: Path, command: list[str] | None = None, allowed: tuple[int, ...] = (), **how: Any) -> str:
    command = command or RUN
    return right_or_none(call(command, folder, **how), true(command), allowed)


def true(command: list[str]) -> bytes:
    return truth(*SEVERAL, CLAIMS) if WITH_WORKERS[-1] in command else truth(*INSTANCE)


def only(folder: Path, *names: str, **more: str) -> dict[str, str]:
    """These variables and no others."""
    keep = {name: value for name, value in surroundings(folder).items() if name in (*names, "TORTURE", "TMPDIR")}
    return keep | more


def no_passwd(folder: Path, rng: random.Random) -> str:
    command = rng.choice([RUN, LONGER])
    end = call([*stranger(folder, rng.randrange(50_000, 60_000)), *command], folder, env=only(folder, "PATH"))
    return right_or_none(end, true(command), ())


def closed(which: str) -> Callable[[Path, random.Random], str]:
    """As a shell closes them: `<&-`, `>&-`, `2>&-`."""

    def run(folder: Path, rng: random.Random) -> str:
        command = rng.choice([RUN, LONGER])
        end = call(["sh", "-c", f'exec "$@" {which}', "sh", *command], folder)
        no_crash(end, (3,) if ">&-" in which and which.strip() != "2>&-" and "1>&-" in which else (0,))
        if end.code == 0:
            insist(end.out == true(command), "other bytes", end)
        return f"exit {end.code}"

    return run


def locale(folder: Path, rng: random.Random) -> str:
    name = rng.choice(["xx_YY.nothing", "C", "POSIX", "tr_TR.ISO-8859-9", "ja_JP.EUC-JP"])
    env = surroundings(folder, LC_ALL=name, LANG=name, PYTHONIOENCODING=rng.choice(["ascii", "latin-1", "utf-16", ""]))
    env |= {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    table = call([*CLI, "--d", "1", "--n", "3", "--N", "4"], folder, env=env)
    no_crash(table, (0,))
    return plain(folder, env=env)


def shut(folder: Path, _: random.Random) -> str:
    (folder / "shut").mkdir(mode=0o555)
    return right_or_none(call([*stranger(folder, 54321), *RUN], folder, cwd=folder / "shut"), truth(*INSTANCE), ())


def gone(folder: Path, _: random.Random) -> str:
    (folder / "gone").mkdir()
    end = call(["sh", "-c", 'cd gone && rmdir ../gone && exec "$@"', "sh", *RUN], folder)
    return right_or_none(end, truth(*INSTANCE), (2, 3))


def memory(folder: Path, rng: random.Random) -> str:
    """From what Python itself takes on; below that it can't say a word of ours, and does what it does."""
    most = rng.randrange(*rng.choice([(40, 120), (120, 400), (400, 1500)]))
    command = rng.choice([RUN, LONGER])
    begin = limited(AS=most << 20)
    alone = "import os, sys, struct, subprocess, multiprocessing, click, gmpy2, hashlib, random, json"
    able = subprocess.run([sys.executable, "-c", alone], preexec_fn=begin, capture_output=True, check=False)
    end = call(command, folder, preexec_fn=begin)
    if able.returncode and end.code:
        insist(end.out == b"", "bytes, and no exit 0", end)
        return "Python itself has no room"
    return plain_end(end, command, (3, 4, 5))


def plain_end(end: End, command: list[str], allowed: tuple[int, ...]) -> str:
    if end.code == -6 and "GNU MP: Cannot allocate memory" in end.err:  # it can't be asked to do otherwise
        insist(end.out == b"", "bytes of a process that crashed", end)
        return "SIGABRT by GMP, no verdict"
    if end.code == 5:  # the check had no room: told, and no 0
        no_crash(end, (5,))
        insist("not checked independently: " in end.err and end.out == true(command), "5, and why?", end)
        return "exit 5, not checked"
    return right_or_none(end, true(command), allowed)


def files(folder: Path, rng: random.Random) -> str:
    most = rng.randrange(8, 40)
    end = call([*LONGER, "--checkpoint", "kept"], folder, preexec_fn=limited(NOFILE=most))
    return plain_end(end, LONGER, (3, 4))


def processes(folder: Path, rng: random.Random) -> str:
    """No process more may be begun (of a user that nobody else is; root has no such limit)."""
    if os.getuid():
        raise Unrun("who isn't root has other processes, and they count")
    user = stranger(folder, rng.randrange(60_001, 65_000))
    end = call([*user, *LONGER], folder, preexec_fn=limited(NPROC=rng.randrange(1, 6)))
    return plain_end(end, LONGER, (3, 4))


def no_check(folder: Path, _: random.Random) -> str:
    """With `verify check` as well."""
    (folder / "c.json").write_bytes(truth(*INSTANCE))
    end = call([*CLI, "check", "c.json"], folder, env=only(folder, "PATH", HOME="relative", TMPDIR="/nowhere"))
    no_crash(end, (0,))
    return "exit 0"


WAYS: dict[str, Callable[[Path, random.Random], str]] = {
    "no HOME": lambda folder, _: plain(folder, env=only(folder, "PATH")),
    "no variable at all": lambda folder, _: plain(folder, env=only(folder)),
    "no passwd entry, and no HOME": no_passwd,
    "HOME, XDG_CACHE_HOME and TMPDIR that are nowhere": lambda folder, rng: plain(
        folder,
        rng.choice([RUN, LONGER]),
        (3,),
        env=only(folder, "PATH", HOME="/nowhere", XDG_CACHE_HOME="here", TMPDIR="/nowhere"),
    ),
    "stdin closed": closed("<&-"),
    "stdout closed": closed("1>&-"),
    "stderr closed": closed("2>&-"),
    "all three closed": closed("<&- 1>&- 2>&-"),
    "an unknown locale": locale,
    "a folder that is shut": shut,
    "a folder that is gone": gone,
    "a small address space": memory,
    "a smaller address space": memory,
    "few files": files,
    "few processes": processes,
    "check, with a home that is nowhere": no_check,
}

KIND = Kind(
    "environments",
    "no HOME, no user, closed streams, unknown locales, folders that are shut or gone, little memory, few files, few "
    "processes",
    "the true bytes, or exit 2, 3, 4 and a line (5 where the check had no room); never 1, never a traceback",
    draw,
    64,
    16,
)

"""A disk that is full, sooner or later, or read-only; and files that may not be longer than so much."""

import os
import random
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from torture.case import CLI, Case, Kind, Unrun, call, insist, limited, no_crash, right_or_none, run_of, stranger, truth

INSTANCE = (1, 2, 5)
RUN = run_of(*INSTANCE, "--checkpoint", "disk/kept", "--certificate", "disk/c.json")
WAYS = ("a small disk", "a small disk", "short files", "short files", "a read-only disk", "/dev/full", "a shut folder")


def draw(rng: random.Random, number: int) -> Case:
    way = WAYS[number % len(WAYS)]
    room = rng.randrange(1, 14) * 4096 if way == "a small disk" else rng.randrange(1, 30_000)
    how = {
        "a small disk": small_disk,
        "short files": short_files,
        "a read-only disk": read_only,
        "/dev/full": nothing_fits,
        "a shut folder": shut,
    }[way]
    stdout = rng.random() < 0.5
    words = {"a small disk": f", {room:,} bytes", "short files": f", {room:,} bytes"}.get(way, "")
    return Case(way + words, lambda folder: how(folder, room, stdout))


@contextmanager
def mounted(folder: Path, size: int) -> Iterator[Path]:
    disk = folder / "disk"
    disk.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", disk], capture_output=True, check=False
    )
    if done.returncode:
        raise Unrun("no disk can be mounted here")
    try:
        yield disk
    finally:
        subprocess.run(["umount", "-l", disk], capture_output=True, check=False)


def whole(disk: Path) -> None:
    """What stands there is whole, whatever happened."""
    insist(not list(disk.rglob(".verify-*")), "half a file is left", list(disk.rglob("*")))
    if (disk / "c.json").exists():
        insist((disk / "c.json").read_bytes() == truth(*INSTANCE), "another certificate")


def small_disk(folder: Path, room: int, _: bool) -> str:
    with mounted(folder, room) as disk:
        end = call([*CLI, *RUN], folder)
        said = right_or_none(end, truth(*INSTANCE), (3,))
        whole(disk)
        subprocess.run(["mount", "-o", "remount,size=1M", disk], capture_output=True, check=True)
        insist(right_or_none(call([*CLI, *RUN], folder), truth(*INSTANCE)) == "the true bytes", "and with more room")
        whole(disk)
    return said


def short_files(folder: Path, room: int, _: bool) -> str:
    """As on a disk that is full, for whoever may not mount one."""
    (folder / "disk").mkdir()
    end = call([*CLI, *RUN], folder, preexec_fn=limited(FSIZE=room))
    said = right_or_none(end, truth(*INSTANCE), (3,))
    whole(folder / "disk")
    insist(right_or_none(call([*CLI, *RUN], folder), truth(*INSTANCE)) == "the true bytes", "and without the limit")
    return said


def read_only(folder: Path, _: int, stdout: bool) -> str:
    with mounted(folder, 1 << 20) as disk:
        if stdout:  # what was finished is there, and more can't be written
            call([*CLI, *RUN[:-2]], folder)
            max((disk / "kept").glob("shard-*")).unlink()
        subprocess.run(["mount", "-o", "remount,ro", disk], capture_output=True, check=True)
        end = call([*CLI, *RUN], folder)
    no_crash(end, (2, 3))
    insist(end.out == b"" and end.err.count("verify: ") == 1, "not one line", end)
    return f"exit {end.code}"


def nothing_fits(folder: Path, _: int, stdout: bool) -> str:
    if not os.path.exists("/dev/full"):
        raise Unrun("there is no /dev/full")
    words = RUN[:-4] if stdout else ["--d", "1", "--n", "3", "--N", "4"]
    with open("/dev/full", "wb") as full:
        end = call([*CLI, *words], folder, stdout=full)
    no_crash(end, (3,))
    with open("/dev/full", "wb") as full:  # and where no word about it can be said
        quiet = call([*CLI, *words], folder, stdout=full, stderr=full)
    no_crash(quiet, (3,))
    return "exit 3"


def shut(folder: Path, _: int, __: bool) -> str:
    """By its mode; root would go through that, and is somebody else here."""
    (folder / "disk").mkdir(mode=0o555)
    end = call([*stranger(folder, 54321), *CLI, *RUN], folder)
    no_crash(end, (2, 3))
    insist(end.out == b"" and end.err.count("verify: ") == 1, "not one line", end)
    return f"exit {end.code}"


KIND = Kind(
    "disks",
    "a disk of some pages, a read-only one, `/dev/full`, a folder that is shut, files that may not grow",
    "the true bytes, or exit 3 (2 where it is known at once) and a line; no half file; with room, the same call gives "
    "the same bytes",
    draw,
    42,
    7,
)

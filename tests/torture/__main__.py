"""`python -m torture [--quick] [KIND [NUMBER]]`, from tests/: all kinds, one kind, or one case."""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from torture import (
    attacks,
    checkpoints,
    disks,
    ending,
    environments,
    kills,
    names,
    workers,
)
from torture.case import Kind, Unrun, Wrong, end_all

SEED = 11
KINDS = [
    kills.KIND, ending.KIND, disks.KIND, checkpoints.KIND, workers.KIND, names.KIND, attacks.KIND, environments.KIND,
]  # fmt: skip


@dataclass
class Count:
    """Of a kind: what was tried, and how it ended."""

    tried: int = 0
    right: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    unrun: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    seconds: float = 0.0


def one(kind: Kind, seed: int, number: int, count: Count) -> None:
    """Makes a case happen, in a folder that is removed."""
    folder = Path(tempfile.mkdtemp(prefix=f"torture-{kind.name.replace(' ', '-')}-{number}-")).resolve()
    folder.chmod(0o755)
    case = kind.case(seed, number)
    try:
        end = case.do(folder)
    except Unrun as why:
        count.unrun[str(why)] += 1
        return
    except Exception as error:
        words = str(error) if isinstance(error, Wrong) else f"{type(error).__name__}: {error}"
        lie = folder / "lie"
        words += f"; {lie.read_text()}" if lie.exists() else ""
        told = f"{kind.name} {number}: {case.what}\n    {words}\n    again: {again(kind, seed, number)}"
        count.wrong.append(told)
        print(f"WRONG: {told}", file=sys.stderr, flush=True)
    else:
        count.right += 1
        count.ends.update(counted(end))
    finally:
        end_all(folder)
        shutil.rmtree(folder, ignore_errors=True)
    count.tried += 1


def counted(end: str) -> dict[str, int]:
    """`rejected 40, unreadable 10` of a case of several, or one end."""
    parts = [part.rpartition(" ") for part in end.split(", ")]
    if all(
        words and number.isdigit() and not words.startswith("exit") and words != "exit" for words, _, number in parts
    ):
        return {words: int(number) for words, _, number in parts}
    return {end: 1}


def again(kind: Kind, seed: int, number: int) -> str:
    return f"make torture CASE=\"'{kind.name}' {number} --seed {seed}\""


def run(kinds: Sequence[Kind], numbers: dict[str, range], seed: int, jobs: int) -> dict[str, Count]:
    counts = {kind.name: Count() for kind in kinds}
    for kind in kinds:
        began, count = time.monotonic(), counts[kind.name]
        with ThreadPoolExecutor(1 if kind.alone else jobs) as pool:
            list(pool.map(lambda number, kind=kind, count=count: one(kind, seed, number, count), numbers[kind.name]))
        count.seconds = time.monotonic() - began
        told(kind, count)
    return counts


def told(kind: Kind, count: Count) -> None:
    ends = ", ".join(f"{end}: {number}" for end, number in count.ends.most_common())
    print(f"{kind.name:20} {count.tried:4} tried, {count.right:4} right  ({count.seconds:4.0f} s)  {ends}", flush=True)
    for why, number in count.unrun.items():
        print(f"{'':20} {number:4} NOT tried: {why}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="torture", description=__doc__)
    parser.add_argument("kind", nargs="?", choices=[kind.name for kind in KINDS], help="this kind alone")
    parser.add_argument("number", nargs="?", type=int, help="and of it this case alone")
    parser.add_argument("--quick", action="store_true", help="a few of each")
    parser.add_argument("--seed", type=int, default=SEED, help=f"for other cases [default: {SEED}]")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="cases at once [default: one for each core]"
    )
    a = parser.parse_args()
    in_a_world_of_its_own()
    kinds = [kind for kind in KINDS if a.kind in (None, kind.name)]
    numbers = {kind.name: range(kind.quick if a.quick else kind.count) for kind in kinds}
    if a.number is not None:
        numbers = {a.kind: range(a.number, a.number + 1)}
        print(kinds[0].case(a.seed, a.number).what)
    print(f"seed {a.seed}", flush=True)
    counts = run(kinds, numbers, a.seed, a.jobs)
    wrong = [told for count in counts.values() for told in count.wrong]
    tried = sum(count.tried for count in counts.values())
    print(f"{tried} tried, {tried - len(wrong)} ended right")
    for words in wrong:
        print(f"WRONG: {words}")
    return 1 if wrong else 0


def in_a_world_of_its_own() -> None:
    """With a /dev/shm that nobody else writes to, and mounts that nobody else sees; where that is allowed."""
    if "TORTURED" in os.environ or not shutil.which("unshare"):
        return
    words = ["unshare", "-m", "sh", "-c", 'mount -t tmpfs none /dev/shm && exec "$@"', "sh"]
    if subprocess.run([*words, "true"], capture_output=True, check=False).returncode == 0:
        os.environ["TORTURED"] = "1"
        os.execvp(words[0], [*words, sys.executable, "-m", "torture", *sys.argv[1:]])  # noqa: S606


if __name__ == "__main__":
    sys.exit(main())

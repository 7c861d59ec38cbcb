"""python -m mutation [--full] [--seed S] [--count C] [FILE...]: which changes of the sources no test notices.

Drawn by the seed from every file of the rooms; with --full, or of files that are named, all of them. A survivor that
explained.toml doesn't explain is exit 1, and so is an explanation of a change that is noticed, or is none.
"""

import argparse
import json
import multiprocessing
import os
import random
import resource
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterable
from pathlib import Path

from mutation.changes import changed, names
from mutation.rooms import ROOMS, tests_of

ROOT = Path(__file__).parent.parent.parent
EXPLAINED = Path(__file__).with_name("explained.toml")
NOT_COPIED = shutil.ignore_patterns(".*", "build", "site", "coq", "docs", "benchmarks", "*.egg-info")
SECONDS = (
    120  # of processor time, for what a change has made endless; more than ten times what the tests of a file take
)

Change = tuple[str, str]  # a file, and one change of it


def outcome(root: Path, tests: Iterable[str], *, keep_bytecode: bool = False) -> int:
    """pytest's exit code in a folder, in a process of its own, which has none of the folder's modules yet."""
    if child := os.fork():
        _, status = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status)
    code = 70
    try:
        import pytest

        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        sys.dont_write_bytecode = not keep_bytecode
        os.environ |= {} if keep_bytecode else {"PYTHONDONTWRITEBYTECODE": "1"}
        os.chdir(root)
        sys.path[:0] = [str(root), str(root / "tests")]
        said = os.open(os.devnull if not keep_bytecode else root / "said", os.O_WRONLY | os.O_CREAT)
        os.dup2(said, 1)
        os.dup2(said, 2)
        quick = ["-x", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", "-m", "not slow", "--hypothesis-seed=0"]
        code = int(pytest.main([*quick, f"--rootdir={root}", *tests]))
    finally:
        os._exit(code)


_here: Path  # a worker's own copy


def _settle(copy: Path) -> None:
    global _here  # noqa: PLW0603
    _here = Path(tempfile.mkdtemp(dir=copy.parent)) / "copy"
    shutil.copytree(copy, _here)


def _survives(change: Change, tests: dict[str, list[str]]) -> tuple[Change, bool]:
    file, name = change
    path = _here / file
    source, stamp = path.read_text(), path.stat()
    path.write_text(changed(source, name))
    try:
        return change, outcome(_here, tests[file]) == 0
    finally:
        path.write_text(source)
        os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))  # its bytecode fits again


def survivors(root: Path, changes: list[Change], tests: dict[str, list[str]], jobs: int) -> set[Change]:
    """Those of the changes that leave every test green; ValueError where some test isn't green to begin with."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(root, copy, ignore=NOT_COPIED)
        for files in sorted({tuple(tests[file]) for file, _ in changes}):
            if code := outcome(copy, files, keep_bytecode=True):
                said = (copy / "said").read_text()[-2000:]
                raise ValueError(f"unchanged, {' '.join(files)} ends with {code}, and must with 0:\n{said}")
        found = set()
        with multiprocessing.get_context("fork").Pool(jobs, _settle, [copy]) as pool:
            pending = [pool.apply_async(_survives, (change, tests)) for change in changes]
            for k, each in enumerate(pending, 1):
                change, alive = each.get()
                if alive:
                    found.add(change)
                    print(f"survives: {change[0]}  {change[1]}", file=sys.stderr)
                if k % 50 == 0:
                    print(f"{k} of {len(changes)} changes", file=sys.stderr)
    return found


def explained() -> dict[Change, str]:
    told = tomllib.loads(EXPLAINED.read_text())
    return {(file, name): why for file, its in told.items() for name, why in its.items()}


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="mutation", description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="*", help="all changes of these files alone")
    parser.add_argument("--full", action="store_true", help="all changes of every file")
    parser.add_argument("--count", type=int, help="how many to draw (60, or all of files that are named)")
    parser.add_argument("--seed", type=int, default=0, help="by which they are drawn (0)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    asked = parser.parse_args(words)
    files = asked.files or [str(p.relative_to(ROOT)) for room in ROOMS for p in sorted((ROOT / room).rglob("*.py"))]
    every = [(file, name) for file in files for name in names((ROOT / file).read_text())]
    count = asked.count or (len(every) if asked.full or asked.files else 60)
    drawn = sorted(random.Random(asked.seed).sample(every, min(count, len(every))))  # noqa: S311
    alive = survivors(ROOT, drawn, {file: tests_of(file) for file in files}, asked.jobs)
    told = explained()
    for file, name in sorted(alive - told.keys()):
        print(f'SURVIVES, and nothing says why:\n["{file}"]\n{json.dumps(name)} = "..."')
    wrong = {(file, name) for file, name in told if file in files and (file, name) not in every}
    for file, name in sorted(wrong):
        print(f"explained, but no change of the file: {file}  {name}")
    noticed = (told.keys() & drawn) - alive
    for file, name in sorted(noticed):
        print(f"explained, but a test notices it: {file}  {name}")
    words = f"{len(alive)} survive, and {len(alive & told.keys())} of them are explained"
    print(f"{len(drawn)} of {len(every)} changes: {words}")
    return int(bool(alive - told.keys() or wrong or noticed))


if __name__ == "__main__":
    sys.exit(main())

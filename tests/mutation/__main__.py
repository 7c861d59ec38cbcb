"""python -m mutation [--full] [--seed S] [--count C] [FILE...]: which changes of the sources no test notices.

Drawn by the seed from every file of the rooms; with --full, or of files that are named, all of them. A survivor that
explained.toml doesn't explain is exit 1, and so is an explanation of a change that is noticed, or is none.
"""

import argparse
import contextlib
import importlib
import json
import os
import pickle
import random
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mutation import rooms
from mutation.changes import changed, names
from mutation.processes import results
from mutation.session import SECONDS, InOrder, Session, pytest_in

ROOT = Path(__file__).parent.parent.parent
EXPLAINED = Path(__file__).with_name("explained.toml")
NOT_COPIED = shutil.ignore_patterns(".*", "site", "coq", "docs", "benchmarks", "*.egg-info")
OF_OTHERS = (
    "numpy",
    "gmpy2",
    "click",
    "jsonschema",
    "_hypothesis_pytestplugin",
)  # imported once, and not for each change

Change = tuple[str, str]  # a file, and one change of it


def _session(copy: Path, session: Session) -> None:
    """The session in a process of its own, and what it found; it has this process's group, and ends with it."""
    result, said = copy.with_name("result"), copy.with_name("said")
    sys.stdout.flush()
    if not (child := os.fork()):
        try:
            os.dup2(os.open(said, os.O_WRONLY | os.O_CREAT), 1)
            if pytest_in(copy, session, sorted({test for its in session.tests.values() for test in its})) == 0:
                result.write_bytes(pickle.dumps((session.red, session.ends, session.again, session.seconds)))
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    if not result.exists():
        raise ValueError(f"unchanged, the tests can't be collected:\n{said.read_text()[-2000:]}")
    session.red, session.ends, session.again, session.seconds = pickle.loads(result.read_bytes())  # noqa: S301
    if session.red:
        test, wrong = next(iter(session.red.items()))
        raise ValueError(f"unchanged, {test} is red: {wrong[0][-2000:]}")


def _imported(copy: Path, change: Change, tests: list[str]) -> Callable[[Path], Any]:
    """A change in a folder of its own, where all modules are imported anew."""

    def call(folder: Path) -> str:
        path = shutil.copytree(copy, folder / "copy") / change[0]
        path.write_text(changed(path.read_text(), change[1]))
        sys.dont_write_bytecode = True
        wanted = InOrder(tests)
        code = pytest_in(folder / "copy", wanted, [f"--basetemp={folder / 'tmp'}", "-x", *wanted.files()])
        return (
            "" if code in (0, 5) else wanted.failed or "no test can be collected"
        )  # 5: none of them is there any more

    return call


def noticed(root: Path, changes: dict[Change, range], tests: dict[str, list[str]], jobs: int) -> dict[Change, str]:
    """By which test each change is noticed, "" where by none; ValueError where some test isn't green to begin with."""
    for module in OF_OTHERS:
        with contextlib.suppress(ImportError):
            importlib.import_module(module)
    with tempfile.TemporaryDirectory(prefix="mutants-") as name:
        copy = Path(name).resolve() / "copy"
        shutil.copytree(root, copy, ignore=NOT_COPIED)
        session = Session(copy, changes, tests, jobs)
        _session(copy, session)
        found = session.ends | dict.fromkeys(session.again, "")
        for turn in range(2):
            asked = {change: its[turn] for change, its in session.again.items() if its[turn] and not found[change]}
            print(f"{len(asked)} changes of what runs at import", file=sys.stderr)
            calls = [
                (change, _imported(copy, change, its), SECONDS + 10 * sum(session.seconds[test] for test in its))
                for change, its in asked.items()
            ]
            for change, by in results(calls, jobs, copy.parent):
                found[change] = "a crash, or no end" if by is None else by
                if turn and not by:
                    print(f"survives: {change[0]}  {change[1]}", file=sys.stderr)
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
    parser.add_argument("--each", action="store_true", help="say of each change which test noticed it")
    asked = parser.parse_args(words)
    files = asked.files or rooms.files(ROOT)
    every = {(file, name): lines for file in files for name, lines in names((ROOT / file).read_text()).items()}
    count = asked.count or (len(every) if asked.full or asked.files else 60)
    drawn = sorted(random.Random(asked.seed).sample(list(every), min(count, len(every))))  # noqa: S311
    by = noticed(ROOT, {c: every[c] for c in drawn}, {file: rooms.tests_of(file) for file, _ in drawn}, asked.jobs)
    if asked.each:
        for (file, name), test in by.items():
            print(f"{file}  {name}  {f'is noticed by {test}' if test else 'SURVIVES'}")
    alive = {change for change in drawn if not by[change]}
    told = explained()
    for file, name in sorted(alive - told.keys()):
        print(f'SURVIVES, and nothing says why:\n["{file}"]\n{json.dumps(name, ensure_ascii=False)} = "..."')
    wrong = {(file, name) for file, name in told if file in files and (file, name) not in every}
    for file, name in sorted(wrong):
        print(f"explained, but no change of the file: {file}  {name}")
    dead = (told.keys() & drawn) - alive
    for file, name in sorted(dead):
        print(f"explained, but {by[file, name]} notices it: {file}  {name}")
    words = f"{len(alive)} survive, and {len(alive & told.keys())} of them are explained"
    print(f"{len(drawn)} of {len(every)} changes: {words}")
    return int(bool(alive - told.keys() or wrong or dead))


if __name__ == "__main__":
    sys.exit(main())

"""pytest's session: the tests are collected once, and then run many times, each time in a process of its own."""

import mmap
import os
import resource
import signal
import sys
import tempfile
import threading
from collections import Counter, defaultdict
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import Phase, settings

from mutation.live import exchanges, functions
from mutation.processes import results

OPTIONS = ["-q", "-s", "--tb=short", "-p", "no:xdist", "-p", "no:cacheprovider", "--hypothesis-seed=0"]
OPTIONS += ["-m", "not slow and not coq and not browser", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
ENOUGH = 20_000  # lines of one function in one test: what it executes only later isn't seen
LONGEST = 4  # seconds of processor time: a test that takes longer is not asked
SECONDS = 5  # of processor time that any test may take, and ten times what it takes unchanged

Line = tuple[str, int]
Change = tuple[str, str]  # a file, and one change of it


class Executed:
    """The lines of the files' functions that are executed from the start to the stop, in forked processes too."""

    def __init__(self, files: Iterable[Path]) -> None:
        self.first = {}
        self.total = 1
        for file in files:
            self.first[str(file)] = self.total
            self.total += file.read_text().count("\n") + 2

    def _tracer(self, first):
        seen = self.bytes

        def line(frame, event, _):
            if event == "line":
                seen[first + frame.f_lineno] = 1
                self.events[frame.f_code] += 1
                if self.events[frame.f_code] > ENOUGH:
                    frame.f_trace_lines = False
            return line

        return line

    def __call__(self, frame, _, __):
        code = frame.f_code
        if (tracer := self.tracers.get(code.co_filename)) and code.co_flags & 1 and self.events[code] <= ENOUGH:
            return tracer
        return None

    def start(self):
        """With bytes of its own, for other tests may run meanwhile; processes that this one forks share them."""
        self.bytes = mmap.mmap(-1, self.total)
        self.events = Counter()
        self.tracers = {file: self._tracer(first) for file, first in self.first.items()}
        threading.settrace(self)
        sys.settrace(self)

    def stop(self) -> set[Line]:
        """(file, line) of all since the start."""
        sys.settrace(None)
        threading.settrace(None)  # type: ignore[arg-type]
        found = set()
        for file, first in self.first.items():
            end = min((other for other in self.first.values() if other > first), default=self.total)
            found |= {(file, k) for k, seen in enumerate(self.bytes[first:end]) if seen}
        return found


def run(item: pytest.Item, folder: Path) -> list[str]:
    """What failed, in words."""
    folder.mkdir(exist_ok=True)
    item.config._tmp_path_factory._basetemp = folder
    return [r.longreprtext or r.outcome for r in runtestprotocol(item, log=False, nextitem=None) if r.failed]


def pytest_in(root: Path, plugin: "InOrder", words: list[str]) -> int:
    """pytest's exit code, in a process that has none of the root's modules yet."""
    os.chdir(root)
    sys.path[:0] = [str(root), str(root / "tests")]
    return int(pytest.main([*OPTIONS, f"--rootdir={root}", *words], plugins=[plugin]))


class InOrder:
    """Of the tests that were collected, those that are wanted, in their order."""

    def __init__(self, wanted: list[str]) -> None:
        self.wanted = {name: k for k, name in enumerate(wanted)}
        self.failed = ""

    def files(self) -> list[str]:
        return sorted({name.partition("::")[0] for name in self.wanted})

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        quick = [Phase.explicit, Phase.generate]  # a failure isn't made smaller, and none is kept for the next change
        settings.register_profile("mutants", settings(), phases=quick, database=None)
        settings.load_profile("mutants")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if self.wanted:
            items[:] = sorted((i for i in items if i.nodeid in self.wanted), key=lambda i: self.wanted[i.nodeid])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed = report.nodeid


class Session(InOrder):
    """What is asked of the session that runs once, and what it finds."""

    def __init__(self, root: Path, changes: dict[Change, range], tests: dict[str, list[str]], jobs: int) -> None:
        super().__init__([])
        self.root, self.changes, self.tests, self.jobs = root, changes, tests, jobs
        self.files = {file: str(root / file) for file, _ in changes}
        self.executed = Executed(map(Path, self.files.values()))
        self.seconds: dict[str, float] = {}
        self.red: dict[str, list[str]] = {}  # tests that fail unchanged
        self.ends: dict[Change, str] = {}  # by which test a change was noticed; "": by none
        self.again: dict[Change, list[list[str]]] = {}  # what runs at import: tests to ask first, and then

    def pytest_sessionstart(self) -> None:
        self.executed.start()

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """In place of pytest's own."""
        for file in self.files:
            import_module(file.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
        early = self.executed.stop()
        if session.testsfailed:
            raise session.Interrupted("not collected")
        with tempfile.TemporaryDirectory() as folder:
            lines = self._record(session.items, Path(folder))
            if not self.red:
                self._try(session.items, lines, early, Path(folder))
        return True

    def _record(self, items: list[pytest.Item], folder: Path) -> dict[Line, set[str]]:
        """The tests that execute a line; how long each takes, and which is red, are kept."""

        def alone(item):
            def call(folder):
                signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST)
                self.executed.start()
                wrong = run(item, folder / "tmp")
                its = self.executed.stop()
                used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
                return wrong, its, sum(u.ru_utime + u.ru_stime for u in used)

            return call

        tests = defaultdict(set)
        for k, (name, result) in enumerate(results(((i.nodeid, alone(i), 600) for i in items), self.jobs, folder), 1):
            if result is None:
                print(f"not asked, for it takes more than {LONGEST} s: {name}", file=sys.stderr)
                continue
            wrong, its, self.seconds[name] = result
            if wrong:
                self.red[name] = wrong
            for line in its:
                tests[line].add(name)
            if k % 50 == 0:
                print(f"{k} of {len(items)} tests, unchanged", file=sys.stderr)
        return tests

    def _try(self, items: list[pytest.Item], lines: dict[Line, set[str]], early: set[Line], folder: Path) -> None:
        of = {item.nodeid: item for item in items}
        there = functions(set(self.files.values()))
        calls = []

        def change(parts, tests):
            def call(folder):
                for function, code in parts:
                    function.__code__ = code
                for test in tests:
                    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS + 10 * self.seconds[test])
                    if run(of[test], folder / "tmp"):
                        return test
                return ""

            return call

        def quickest_first(tests):
            return sorted(tests, key=lambda test: self.seconds[test])

        for file, path in self.files.items():
            every = {test for test in self.seconds if test.partition("::")[0] in self.tests[file]}
            of_file = {test for (where, _), tests in lines.items() if where == path for test in tests}
            for name, parts in exchanges(path, Path(path).read_text(), there):
                if (file, name) not in self.changes:
                    continue
                places = {(path, line) for line in self.changes[file, name]}
                its = every & {test for place in places for test in lines.get(place, ())}
                if parts is None or places & early:
                    first = its or every & of_file
                    self.again[file, name] = [quickest_first(first), quickest_first(every - first)]
                else:
                    seconds = SECONDS + 10 * sum(self.seconds[test] for test in its)
                    calls.append(((file, name), change(parts, quickest_first(its)), seconds))
        print(f"{len(calls)} changes of functions, {len(self.again)} of what runs at import", file=sys.stderr)
        for k, (which, by) in enumerate(results(calls, self.jobs, folder), 1):
            self.ends[which] = "a crash, or no end" if by is None else by
            if not self.ends[which]:
                print(f"survives: {which[0]}  {which[1]}", file=sys.stderr)
            if k % 200 == 0:
                print(f"{k} of {len(calls)} changes", file=sys.stderr)

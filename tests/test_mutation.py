"""`make mutants`: which changes there are, and that one which no test notices is found and named."""

import os
import runpy
import subprocess
import threading
from pathlib import Path

import pytest

from mutation import __main__ as tool
from mutation import processes, rooms, session
from mutation.changes import changed, names

ROOT = Path(__file__).parent.parent

CLAMPED = '''
def clamped(x: int, most: int = 9) -> int:
    """x, and no more than 9 of it."""
    if x < 0:
        raise ValueError(f"{x} is less than {0}")
    if x >= most:
        return most
    return x
'''

# At x = most both ways give the same number: no test can tell.
EQUIVALENT = "clamped: x >= most -> x > most"
PLANTED = {"clamped: x < 0 -> x <= 0", "clamped: 0 -> 1"}  # nobody tries 0

TESTS = """
import pytest
from small.clamped import clamped


def test_clamped():
    assert [clamped(3), clamped(8), clamped(9), clamped(10)] == [3, 8, 9, 9]
    with pytest.raises(ValueError):
        clamped(-1)
"""


def test_every_change_of_a_small_file():
    assert list(names(CLAMPED)) == [
        "clamped: 9 -> 10",
        "clamped: if x < 0: -> (nothing)",
        "clamped: x < 0 -> x <= 0",
        "clamped: 0 -> 1",
        "clamped: if x >= most: -> (nothing)",
        "clamped: x >= most -> x > most",
        "clamped: return most -> return None",
        "clamped: return x -> return None",
    ]
    without = changed(CLAMPED, "clamped: if x < 0: -> (nothing)")
    assert "raise" not in without
    assert "if x >= most:" in without


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("x = a + 1", {"a + 1 -> a - 1", "1 -> 2"}),
        ("x = a and b", {"a and b -> a or b"}),
        ("x = not a", {"not a -> a"}),
        ("x = a < b <= c", {"a < b <= c -> a <= b <= c", "a < b <= c -> a < b < c"}),
        ("x = max(a)", {"max(a) -> min(a)"}),
        ("f(a)", {"f(a) -> (nothing)"}),
        ("x += 2", {"x += 2 -> x -= 2", "2 -> 3"}),
        ("x = True", {"True -> False"}),
        ("x: int | None = f'{a + 1}'", set()),
        ("zip(a, b, strict=True)", {"zip(a, b, strict=True) -> (nothing)"}),
        ("x = 1 + 1", {"1 + 1 -> 1 - 1", "1 -> 2", "1 -> 2 #2"}),
    ],
)
def test_what_is_changed_and_what_is_left_alone(source, wanted):
    found = names(source)
    assert set(found) == {f"module: {name}" for name in wanted}
    assert len({changed(source, name) for name in found} - {source}) == len(found)


@pytest.fixture
def small(tmp_path):
    for path, text in (
        ("small/__init__.py", ""),
        ("small/clamped.py", CLAMPED),
        ("tests/test_clamped.py", TESTS),
        (
            "pyproject.toml",
            '[tool.pytest.ini_options]\npythonpath = ["."]\nmarkers = ["slow: s", "coq: c", "browser: b"]\n',
        ),
    ):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


def survivors(root, file="small/clamped.py"):
    changes = {(file, name): lines for name, lines in names((root / file).read_text()).items()}
    found = tool.noticed(root, changes, {file: ["tests/test_clamped.py"]}, jobs=1)
    assert found.keys() == changes.keys()
    return {name for (_, name), by in found.items() if not by}


@pytest.mark.thorough
def test_a_planted_survivor_is_found_and_no_other(small):
    """With what is said when it is asked for: by which test each change is noticed."""
    assert survivors(small) == PLANTED | {EQUIVALENT}
    sharper = TESTS.replace("[clamped(3)", "[clamped(0), clamped(3)").replace("== [3", "== [0, 3")
    (small / "tests/test_clamped.py").write_text(sharper)
    assert survivors(small) == {EQUIVALENT}
    assert (small / "small/clamped.py").read_text() == CLAMPED


OTHER = """
from functools import cache

MOST = 2 * 4


@cache
def cached(x: int) -> int:
    while x > MOST:
        x -= 1
    return x


def never(x: int) -> int:
    return -x


TABLE = cached(9)
"""

OTHER_TESTS = """
from small.other import MOST, TABLE, cached


def test_what_was_made_when_it_was_imported():
    assert (TABLE, MOST) == (8, 8)


def test_cached():
    assert cached(10) == 8
"""


@pytest.mark.thorough
def test_what_runs_at_import_what_is_cached_what_has_no_end_and_what_no_test_executes(small, monkeypatch):
    monkeypatch.setattr(session, "SECONDS", 1)
    monkeypatch.setattr(tool, "SECONDS", 2)
    (small / "small/other.py").write_text(OTHER)
    (small / "tests/test_clamped.py").write_text(OTHER_TESTS)
    assert "cached: x -= 1 -> x += 1" in names(OTHER)  # without an end
    assert survivors(small, "small/other.py") == {
        "module: 9 -> 10",  # cached(10) is 8 too
        "never: -x -> x",
        "never: return -x -> return None",
    }


def test_of_two_tests_at_a_time_each_has_its_own_lines(small):
    file = small / "small/clamped.py"
    clamped = runpy.run_path(str(file))["clamped"]
    executed, begun, ended = session.Executed([file]), os.pipe(), os.pipe()

    def slow(_):
        executed.start()
        clamped(3)
        os.write(begun[1], b"x")
        os.read(ended[0], 1)
        return executed.stop()

    def quick(_):
        os.read(begun[0], 1)
        executed.start()
        found = executed.stop()
        os.write(ended[1], b"x")
        return found

    found = dict(processes.results([("slow", slow, 1), ("quick", quick, 1)], 2, small))
    lines = [CLAMPED.splitlines().index(f"    {text}") + 1 for text in ("if x < 0:", "if x >= most:", "return x")]
    assert found == {"slow": {(str(file), line) for line in lines}, "quick": set()}


@pytest.mark.thorough
def test_what_sleeps_for_ever_or_computes_for_ever_or_crashes_has_no_result(tmp_path, monkeypatch):
    monkeypatch.setattr(processes, "ASLEEP", 1)
    calls = {
        "sleeps": threading.Event().wait,
        "has a child that sleeps": lambda: subprocess.run(["sleep", "100000"], check=True),
        "computes": lambda: sum(1 for _ in iter(int, 1)),
        "crashes": lambda: 1 // 0,
        "returns": lambda: 7,
    }
    found = dict(processes.results([(name, lambda _, its=its: its(), 1) for name, its in calls.items()], 2, tmp_path))
    assert found == dict.fromkeys(calls) | {"returns": 7}
    assert not list(tmp_path.iterdir())


@pytest.mark.thorough
def test_tests_that_fail_anyway_show_nothing(small):
    (small / "tests/test_clamped.py").write_text(TESTS.replace("== [3", "== [4"))
    with pytest.raises(ValueError, match=r"unchanged, tests/test_clamped.py::test_clamped is red"):
        survivors(small)
    (small / "tests/test_clamped.py").write_text("import nothing_that_is_there\n")
    with pytest.raises(ValueError, match="can't be collected"):
        survivors(small)


def told(monkeypatch, capsys, tmp_path, alive, explained):
    path = tmp_path / "explained.toml"
    path.write_text('["verifier/core/case.py"]\n' + "".join(f'"{name}" = "why"\n' for name in explained))
    monkeypatch.setattr(tool, "EXPLAINED", path)
    monkeypatch.setattr(
        tool, "noticed", lambda _, changes, *__: {c: "" if c[1] in alive else "a test" for c in changes}
    )
    return tool.main(["verifier/core/case.py"]), capsys.readouterr().out


def test_a_survivor_is_explained_or_the_tool_fails(monkeypatch, capsys, tmp_path):
    one, other = list(names((ROOT / "verifier/core/case.py").read_text()))[:2]
    assert told(monkeypatch, capsys, tmp_path, [], [])[0] == 0
    assert told(monkeypatch, capsys, tmp_path, [one], [one])[0] == 0
    for alive, explained, words in (
        ([one], [], f'SURVIVES, and nothing says why:\n["verifier/core/case.py"]\n"{one}" = "..."'),
        ([one], [other, one], f"a test notices it: verifier/core/case.py  {other}"),
        ([], ["f: a -> b"], "no change of the file: verifier/core/case.py  f: a -> b"),
    ):
        code, said = told(monkeypatch, capsys, tmp_path, alive, explained)
        assert (code, words in said) == (1, True), said


@pytest.mark.thorough
def test_what_is_explained_is_a_change_of_a_file_that_is_there():
    for file, name in tool.explained():
        assert file.startswith(rooms.ROOMS)
        assert name in names((ROOT / file).read_text()), (file, name)
        assert len(tool.explained()[file, name]) > 20


def test_every_file_of_the_rooms_is_copied_and_has_tests_that_are_there():
    files = rooms.files(ROOT)
    assert len(files) > 50
    assert not any(tool.NOT_COPIED("", Path(file).parts) for file in files)
    assert all((ROOT / test).exists() for file in files for test in rooms.tests_of(file))

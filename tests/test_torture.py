"""The torture (`make torture`) can fail: of a command that lies, or crashes, no kind of it says that all is right."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from torture import __main__ as torture
from torture import attacks, case, checkpoints, disks, ending, environments, kills, names
from torture.case import CHECKER, CLI, End, Kind, Unrun, Wrong, right_or_none

ROOT = Path(__file__).parent.parent
LIARS = {
    "another certificate, exit 0": "print('{}')",
    "a crash": "1 // 0",
    "a silent crash": "import sys; sys.exit(1)",
    "killed": "import os; os.kill(os.getpid(), 9)",
}
KINDS = [  # and a case that is about the command's own answer
    (kills, 0), (ending, None), (disks, 2), (checkpoints, 0), (names, 0), (attacks, 2), (environments, 0),
]  # fmt: skip


@pytest.fixture
def lying(monkeypatch, tmp_path):
    """Has the kinds of harm done to another command than ours."""

    def arrange(module, script):
        liar = tmp_path / "cli.py"
        liar.write_text(script)
        for command in (CLI, CHECKER):
            for name, value in list(vars(module).items()):
                places = [k for k in range(3) if isinstance(value, list) and value[k : k + len(command)] == command]
                for k in places:
                    rest = value[k + len(command) :]
                    monkeypatch.setattr(module, name, [*value[:k], sys.executable, str(liar), *rest])

    return arrange


@pytest.mark.slow
@pytest.mark.parametrize("lie", LIARS)
@pytest.mark.parametrize(("module", "number"), KINDS, ids=[module.KIND.name for module, _ in KINDS])
def test_a_command_that_lies_does_not_end_right(module, number, lie, lying, tmp_path):
    folder = tmp_path / "case"
    folder.mkdir()
    if module is checkpoints:
        checkpoints.made(tmp_path)
    if number is None:  # of the signals, one to a plain run
        number = next(k for k in range(100) if module.KIND.case(torture.SEED, k).what.startswith("a run:"))
    chosen = module.KIND.case(torture.SEED, number)
    lying(module, LIARS[lie])
    with pytest.raises((Wrong, Unrun)) as raised:
        chosen.do(folder)
    if raised.type is Unrun:
        pytest.skip(str(raised.value))


@pytest.mark.parametrize(
    "end",
    [
        End(0, b"other", ""),
        End(0, b"", ""),
        End(1, b"", "verify: refuted"),
        End(70, b"the bytes", "verify: a defect"),
        End(70, b"", ""),
        End(70, b"", "Traceback (most recent call last):"),
        End(-11, b"", ""),
        End(3, b"", "verify: something is missing"),
    ],
)
def test_what_is_no_right_end(end):
    assert right_or_none(End(0, b"the bytes", ""), b"the bytes") == "the true bytes"
    assert right_or_none(End(70, b"", "verify: a defect"), b"the bytes") == "exit 70"
    with pytest.raises(Wrong):
        right_or_none(end, b"the bytes")


def test_all_is_counted_and_a_wrong_end_is_told_with_how_to_run_it_alone(capsys):
    def draw(rng, number):
        def do(folder):
            assert not list(folder.iterdir())
            if number == 3:
                raise Wrong("as it must not")
            if number == 4:
                raise Unrun("not here")
            return "well, 2" if number == 5 else "well"

        return case.Case(f"number {number}, drawn {rng.random():.3f}", do)

    kind = Kind("some", "", "", draw, 6, 1)
    count = torture.run([kind], {"some": range(6)}, 7, 2)["some"]
    assert (count.tried, count.right, len(count.wrong)) == (5, 4, 1)
    assert count.unrun == {"not here": 1}
    assert count.ends == Counter({"well": 3, "well, 2": 1})
    assert "some 3: number 3, drawn 0." in count.wrong[0]
    assert "make torture CASE=\"'some' 3 --seed 7\"" in count.wrong[0]
    assert kind.case(7, 3).what == kind.case(7, 3).what != kind.case(8, 3).what
    assert "5 tried,    4 right" in capsys.readouterr().out


def test_each_kind_is_in_the_quick_form_that_ci_runs():
    assert all(0 < kind.quick <= kind.count for kind in torture.KINDS)
    assert "make torture QUICK=1" in (ROOT / ".ci/run").read_text()


@pytest.mark.thorough
def test_one_case_can_be_run_by_itself():
    done = subprocess.run(
        [sys.executable, "-m", "torture", "names", "1"],
        cwd=ROOT / "tests",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "1 tried, 1 ended right"

"""The house: who may import whom, and what an installed package consists of."""

import ast
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent

# Each room may use the rooms before it, and itself.
ROOMS = [
    "verifier.interrupts",
    "verifier.checking",
    "verifier.files",
    "verifier.exact",
    "verifier.instance",
    "verifier.grid",
    "verifier.layers",
    "verifier.network",
    "verifier.constructions",
    "verifier.claims",
    "verifier.usage",
    "verifier.exhaustive",
    "verifier.certificate",
    "verifier.build",
    "verifier.confirm",
    "verifier.symbolic",
    "verifier.regress",
    "verifier.survey",
    "verifier.build",
    "verifier.bench",
    "verifier.report",
]


def imports_of(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level:  # from its own folder
            yield from (f"{module_name(path.parent)}.{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def module_name(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def room(name):
    return next((k for k, room in enumerate(ROOMS) if name == room or name.startswith(room + ".")), None)


def modules():
    found = sorted((ROOT / "verifier").rglob("*.py"))
    assert len(found) > 15
    return found


def test_the_checker_stands_alone_and_nobody_imports_it():
    checker = ROOT / "verifier/checker"
    assert len(list(checker.glob("*.py"))) > 3
    for path in [*modules(), ROOT / "cli.py"]:
        for name in imports_of(path):
            if checker in path.parents:
                assert name.partition(".")[0] in sys.stdlib_module_names or name.startswith("verifier.checker"), path
            else:
                assert not name.startswith("verifier.checker"), f"{path} imports {name}"


def test_data_flows_one_way():
    for path in modules():
        if ROOT / "verifier/checker" in path.parents:
            continue
        place = room(module_name(path))
        if place is None:  # the package's own doors: __init__ and __main__
            assert path.parent.name == "verifier"
            assert path.stem.startswith("__")
            continue
        for name in imports_of(path):
            if name.startswith("verifier.") and name != "verifier.__version__":
                used = room(name)
                assert used is not None, f"{path} imports {name}, which is in no room"
                assert used <= place, f"{path} imports {name} from a room below it"


def test_numpy_stays_in_one_room_which_no_other_loads_by_itself():
    for path in modules():
        used = {name.partition(".")[0] for name in imports_of(path)} & {"numpy"}
        assert not used or path.name == "vectors.py", path
        assert not any(name.startswith("verifier.exhaustive.vectors") for name in imports_of(path)), path


WAITING = ("progress.py", "pool.py", "cluster.py", "interrupts.py")  # where a float is a time to wait


def test_no_float_and_no_assert_in_the_package():
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text())):
            assert not isinstance(node, ast.Assert), f"{path}: an assert disappears under -O"
            is_float = isinstance(node, ast.Constant) and isinstance(node.value, float)
            assert not is_float or path.name in WAITING, f"{path}: {ast.unparse(node)} is a float"


def test_the_commands_hold_no_mathematics():
    for node in ast.walk(ast.parse((ROOT / "cli.py").read_text())):
        assert not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow | ast.Mult | ast.Div | ast.FloorDiv))

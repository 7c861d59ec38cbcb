"""The house: who may import whom, and what no room knows."""

import ast
import re
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HOUSE = ROOT / "verifier"

# Each room may use the rooms before it, and itself.
ROOMS = [
    "verifier.interrupts",
    "verifier.checking",
    "verifier.files",
    "verifier.lines",
    "verifier.language",
    "verifier.rasp",
    "verifier.core",
    "verifier.catalogue",
    "verifier.run",
    "verifier.evaluate",
    "verifier.coq",
    "verifier.proved",
    "verifier.certificate",
    "verifier.confirm",
    "verifier.symbolic",
    "verifier.forever",
    "verifier.regress",
    "verifier.report",
    "verifier.page",
    "verifier.build",
    "verifier.target",
    "verifier.bench",
    "verifier.commands",
]


@cache
def text_of(path):
    return path.read_text()


@cache
def nodes_of(path):
    return list(ast.walk(ast.parse(text_of(path))))


def imports_of(path):
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level:  # from its own folder, or one above
            folder = module_name(path.parents[node.level - 1])
            yield from (".".join(filter(None, (folder, node.module, alias.name))) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def module_name(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def room(name):
    return next((k for k, room in enumerate(ROOMS) if name == room or name.startswith(room + ".")), None)


def modules(folder=""):
    found = sorted((HOUSE / folder).rglob("*.py"))
    assert found
    return found


@pytest.mark.thorough
def test_the_checker_stands_alone_and_nobody_imports_it():
    checker = HOUSE / "checker"
    assert len(modules("checker")) > 20
    for path in [*modules(), ROOT / "cli.py"]:
        for name in imports_of(path):
            if checker in path.parents:
                assert name.partition(".")[0] in sys.stdlib_module_names or name.startswith("verifier.checker"), path
            else:
                assert not name.startswith("verifier.checker"), f"{path} imports {name}"


def test_data_flows_one_way():
    for path in modules():
        if HOUSE / "checker" in path.parents:
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


PAPERS = [path.stem for path in (HOUSE / "pages").glob("*.page") if re.search(r"20\d\d", path.stem)]


def test_no_room_knows_a_paper():
    """A paper is a page: a text. Only the catalogue says which is run by default."""
    assert PAPERS
    for folder in ("core", "run", "evaluate", "language", "report", "checker/core", "checker/page"):
        for path in modules(folder):
            assert not any(paper in text_of(path) for paper in PAPERS), path


def strings_in(node):
    return [part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str)]


def compares_names(node):
    """`claim.id == "lemma6.1"`, `construction.name in ("hu", "slides")`."""
    named = isinstance(node, ast.Compare) and ast.unparse(node.left).endswith((".id", "construction.name"))
    return named and any(map(strings_in, node.comparators))


def test_no_claim_is_known_by_its_id_and_no_construction_by_its_name_outside_their_paper():
    assert compares_names(ast.parse('claim.id == "slides.sentinel"').body[0].value)
    assert compares_names(ast.parse('subject.construction.name in ("hu", "slides")').body[0].value)
    for folder in ("core", "run", "report", "commands"):
        for path in modules(folder):
            assert not any(map(compares_names, nodes_of(path))), path


def test_numpy_stays_in_its_rooms_which_no_other_loads_by_itself():
    for path in modules():
        used = {name.partition(".")[0] for name in imports_of(path)} & {"numpy"}
        assert not used or path.parent.name == "quick", path


WAITING = ("pool.py", "cluster.py", "interrupts.py", "watching.py", "progress.py")  # where a float is a time to wait


def test_no_float_and_no_assert_in_the_package():
    for path in modules():
        for node in nodes_of(path):
            assert not isinstance(node, ast.Assert), f"{path}: an assert disappears under -O"
            is_float = isinstance(node, ast.Constant) and isinstance(node.value, float)
            assert not is_float or path.name in WAITING, f"{path}: {ast.unparse(node)} is a float"


def test_the_commands_hold_no_mathematics():
    for path in [ROOT / "cli.py", *HOUSE.glob("commands/*.py")]:
        for node in nodes_of(path):
            is_sum = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow | ast.Mult | ast.Div | ast.FloorDiv)
            assert not is_sum, f"{path}: {ast.unparse(node)}"

"""No property depends on how fast this machine is, or how busy."""

import json
import os
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("verifier", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("verifier")


def pytest_addoption(parser):
    parser.addoption("--part", metavar="K/M", help="of the tests, one in M, by their names: K = 1..M are all of them")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Of a thorough test's cases, all but the first are the rest; so is a thorough test that has no cases."""
    begun = set()
    for item in items:
        if item.get_closest_marker("thorough"):
            name = item.nodeid.partition("[")[0]
            if name in begun or not hasattr(item, "callspec"):
                item.add_marker("rest")
            begun.add(name)
    if part := config.getoption("--part"):
        k, m = map(int, part.split("/"))
        parts = [[], []]
        for item in items:
            parts[crc32(item.nodeid.encode()) % m == k % m].append(item)
        items[:] = parts[True]
        config.hook.pytest_deselected(items=parts[False])


@pytest.fixture(scope="session", autouse=True)
def no_window():
    """No outcome depends on the window, or on what a shell asks for: a test that means one says which."""
    for name in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR"):
        os.environ.pop(name, None)


@pytest.fixture
def judge(tmp_path, capsys):
    """judge(bytes, *options) -> exit code, what was said."""

    from verifier.checker.__main__ import main

    def run(data, *options):
        path = tmp_path / "c.json"
        path.write_bytes(data)
        code = main([*options, str(path)])
        said = capsys.readouterr()
        return code, said.out + said.err

    return run


PROOFS = Path(__file__).parent.parent / "proofs"


@pytest.fixture(scope="module")
def for_all():
    return json.loads((PROOFS / "symbolic/all.json").read_text())


@pytest.fixture(scope="module")
def for_three():
    return json.loads((PROOFS / "symbolic/n3.json").read_text())

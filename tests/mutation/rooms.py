"""Which tests are there for which file: those that would be run after a change of it."""

ROOMS = ("verifier/core", "verifier/run", "verifier/checker/core", "verifier/checker/papers")

# The first line that a file's name begins with is its own. Quick tests come first: most changes get no further.
_TESTS = {
    "verifier/core/exact.py": "exact layers",
    "verifier/core/layers.py": "layers network",
    "verifier/core/network.py": "network layers",
    "verifier/core/claim.py": "claims run",
    "verifier/core/whole": "whole",
    "verifier/core": "own grid run layers network exact claims",
    "verifier/run/pool.py": "run checkpoint interrupts",
    "verifier/run/cluster.py": "cluster",
    "verifier/run": "run checkpoint confirm",
    "verifier/checker/core": "checker_small checker_parts checker bigbird",
    "verifier/checker/papers/__init__.py": "checker_small checker",
    "verifier/checker/papers/yun2020": "checker_small checker_own checker_orbits checker",
}


def tests_of(file: str) -> list[str]:
    """A paper's tests are named after it, without the year."""
    paper = file.removeprefix("verifier/checker/papers/").partition("/")[0].rstrip("0123456789")
    its = next((tests for start, tests in _TESTS.items() if file.startswith(start)), paper)
    return [f"tests/test_{name}.py" for name in its.split()]

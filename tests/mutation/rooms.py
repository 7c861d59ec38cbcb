"""Which tests are there for which file: those that would be run after a change of it."""

ROOMS = ("verifier/core", "verifier/run", "verifier/checker/core", "verifier/checker/papers")

# The first line that a file's name begins with is its own. Quick tests first: most changes go no further.
_TESTS = {
    "verifier/core/exact.py": "exact layers network",
    "verifier/core/layers.py": "layers network contextual_map",
    "verifier/core/network.py": "network layers contextual_map",
}


def tests_of(file: str) -> list[str]:
    return next(
        [f"tests/test_{name}.py" for name in its.split()] for start, its in _TESTS.items() if file.startswith(start)
    )

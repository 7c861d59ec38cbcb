"""Which tests are there for which file: those that are asked about a change of it."""

from pathlib import Path

ROOMS = ("verifier/core", "verifier/run", "verifier/checker")

# The first line that a file's name begins with is its own. These of a paper's producer may be named: FILE=...
_TESTS = {
    "verifier/core/exact.py": "exact",
    "verifier/core/layers.py": "layers network",
    "verifier/core/network.py": "network layers",
    "verifier/core/claim.py": "claim",
    "verifier/core/arrays.py": "loading",
    "verifier/core/lanes.py": "lanes",
    "verifier/core/lanewise.py": "lanes",
    "verifier/core/library.py": "loading",
    "verifier/core/multisets.py": "grid",
    "verifier/core/whole/plan.py": "plan",
    "verifier/core/whole/block.py": "block",
    "verifier/core/whole/many.py": "block",
    "verifier/core/whole/run.py": "whole block",
    "verifier/core/whole": "whole",
    "verifier/core": "construction",
    "verifier/run/cluster.py": "cluster",
    "verifier/run/checkpoint.py": "kept",
    "verifier/run/unpickling.py": "unpickling",
    "verifier/run/many.py": "lanes",
    "verifier/run/pool.py": "pool",
    "verifier/run/shard.py": "shards",
    "verifier/run/tally.py": "tally",
    "verifier/run/verify.py": "verify",
    "verifier/run/engine.py": "verify",
    "verifier/run/literal.py": "verify",
    "verifier/run/results.py": "results",
    "verifier/run/size.py": "results",
    "verifier/run/watch.py": "results",
    "verifier/run/stop.py": "results",
    "verifier/run": "run checkpoint confirm lanes verify",
    "verifier/papers/yun2020/interval.py": "claims",
    "verifier/papers/yun2020/kernel/lemmas.py": "lemmas",
    "verifier/papers/yun2020/kernel": "kernel",
    "verifier/checker/__init__.py": "checker_small",
    "verifier/checker/__main__.py": "checker_main",
    "verifier/checker/promises.py": "promises",
    "verifier/checker/words.py": "checker_main",
    "verifier/checker/build/check.py": "build_parts build_checker",
    "verifier/checker/build/dyadic.py": "build_numbers",
    "verifier/checker/build/encoder.py": "build_bytes",
    "verifier/checker/build/expression.py": "build_expression",
    "verifier/checker/build/files.py": "build_bytes",
    "verifier/checker/build/onnx.py": "build_bytes",
    "verifier/checker/build/reading.py": "build_bytes build_parts",
    "verifier/checker/build/run.py": "build_numbers build_parts build_statements",
    "verifier/checker/build": "build_parts build_statements",
    "verifier/checker/core/limits.py": "checker_reading long_numbers",
    "verifier/checker/core/frame.py": "checker_frame checker_small checker_parts",
    "verifier/checker/core/ledger.py": "checker_frame checker_small",
    "verifier/checker/core": "checker_reading checker_small",
    "verifier/checker/page": "page_checker",
    "verifier/checker/papers/__init__.py": "checker_reading",
    "verifier/checker/papers/yun2020/alternatives.py": "checker_own alternatives",
    "verifier/checker/papers/yun2020/cost.py": "checker_small",
    "verifier/checker/papers/yun2020/distance_zero.py": "checker_own distance_zero",
    "verifier/checker/papers/yun2020/distinct.py": "checker_small",
    "verifier/checker/papers/yun2020/everywhere.py": "checker_own",
    "verifier/checker/papers/yun2020/model.py": "checker_small checker_parts",
    "verifier/checker/papers/yun2020/orbits.py": "checker_orbits checker_small",
    "verifier/checker/papers/yun2020/own.py": "checker_own",
    "verifier/checker/papers/yun2020/pieces.py": "checker_own quantizer",
    "verifier/checker/papers/yun2020/positional.py": "checker_own positional",
    "verifier/checker/papers/yun2020/shards.py": "checker_small checker_accepts checker_vertices checker_parts",
    "verifier/checker/papers/yun2020/sizes.py": "checker_own",
    "verifier/checker/papers/yun2020/symbols.py": "checker_small",
    "verifier/checker/papers/yun2020/vertices.py": "checker_vertices",
    "verifier/checker/papers/yun2020": "checker_small checker_accepts checker_orbits checker_parts",
    "verifier/checker/symbolic/polynomial.py": "polynomial",
    "verifier/checker/symbolic/link.py": "link",
    "verifier/checker/symbolic": "symbolic_small",
}


def files(root: Path) -> list[str]:
    """All that `make mutants` draws from."""
    return [str(path.relative_to(root)) for room in ROOMS for path in sorted((root / room).rglob("*.py"))]


def tests_of(file: str) -> list[str]:
    """A paper's tests are named after it, without the year."""
    paper = file.removeprefix("verifier/checker/papers/").partition("/")[0].rstrip("0123456789")
    its = next((tests for start, tests in _TESTS.items() if file.startswith(start)), paper)
    return [f"tests/test_{name}.py" for name in its.split()]

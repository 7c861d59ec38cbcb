"""What `import verifier` offers: listed, typed, documented, short to look at; wrong shapes say what is needed."""

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import verifier

ROOT = Path(__file__).parent.parent


def test_what_a_type_checker_sees_is_what_is_offered():
    tree = ast.parse((ROOT / "verifier/__init__.py").read_text())
    (typed,) = [node for node in tree.body if isinstance(node, ast.If)]
    seen = {alias.asname: node.module for node in typed.body for alias in node.names if node.module != "typing"}
    assert seen == verifier._OFFERED


def test_every_name_is_listed_and_documented():
    assert [name for name in dir(verifier) if not name.startswith("__")] == sorted({*verifier._OFFERED})
    for name in verifier._OFFERED:
        assert inspect.getdoc(getattr(verifier, name)), name
    shown = subprocess.run(
        [sys.executable, "-c", "import verifier; help(verifier)"], capture_output=True, text=True, cwd=ROOT, check=True
    ).stdout
    for name in ("class Page(", "class Found(", "    Q("):
        assert name in shown, name


def test_looking_loads_nothing():
    code = "import verifier, sys; dir(verifier); print('gmpy2' in sys.modules, 'verifier.core' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True, cwd=ROOT) == "False False\n"

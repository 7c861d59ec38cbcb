"""`python -m verifier`, and the installed command `verify`: both are cli.py.

cli.py is at the top of a checkout, and inside an installed package. It is loaded by its path, so that no module
called `cli` has to be importable.
"""

try:
    from verifier import interrupts

    interrupts.begin()
except KeyboardInterrupt:  # this early
    print("verify: interrupted; nothing was established", file=__import__("sys").stderr)
    raise SystemExit(130) from None

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType


def main() -> None:
    """Loads cli.py and runs it, and handles whatever happens before cli.py can handle it."""
    try:
        cli = _loaded()
    except ImportError as error:  # a package that isn't there, or is damaged
        words = f"something that it needs can't be loaded: {error}; `pip install .` installs it"
        print(f"verify: {' '.join(words.split())}", file=sys.stderr)
        interrupts.end(3)
    except MemoryError:
        print("verify: out of memory; nothing was established", file=sys.stderr)
        interrupts.end(4)
    interrupts.end(cli.main())


def _loaded() -> "ModuleType":
    here = Path(__file__).resolve().parent
    path = next(path for path in (here / "cli.py", here.parent / "cli.py") if path.is_file())
    spec = spec_from_file_location("verifier.cli", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no Python module")
    cli = module_from_spec(spec)
    spec.loader.exec_module(cli)
    return cli


if __name__ == "__main__":
    main()

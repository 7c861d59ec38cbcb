"""`python -m verifier`, and the installed command `verify`: both are cli.py.

cli.py stands at the top of a checkout; an installed package carries it inside itself. It is loaded by its
path, so that no module called `cli` ever has to be importable.
"""

try:
    from verifier import interrupts

    interrupts.begin()
except KeyboardInterrupt:  # already
    print("verify: interrupted; nothing was established", file=__import__("sys").stderr)
    raise SystemExit(130) from None

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path


def main() -> None:
    here = Path(__file__).resolve().parent
    path = next(path for path in (here / "cli.py", here.parent / "cli.py") if path.is_file())
    spec = spec_from_file_location("verifier.cli", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no Python module")
    cli = module_from_spec(spec)
    spec.loader.exec_module(cli)
    interrupts.end(cli.main())


if __name__ == "__main__":
    main()

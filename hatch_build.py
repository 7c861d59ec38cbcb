"""The package's C library, built when the package is built; no run of `verify` compiles anything.

hatchling calls `Hook` (pyproject.toml); `python hatch_build.py` builds the library in a checkout, in place. Without a
C compiler, or with one whose library doesn't pass its own test, there is none, and that is said: the package is
complete without it, and numpy does its work, more slowly.

Beside the library lie the digests of it, of the source it was made of, as sha256sum writes them, and of how it was made
(compiler and flags). verifier/evaluate/kernel/library.py loads nothing that differs from the first two; and where all
three are as they were, nothing is compiled again: a wheel takes the library that its checkout has.
"""

import hashlib
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent


FOLDER = Path("verifier/evaluate/kernel")
LIBRARY, RECORD, SOURCE = "kernel.library", "kernel.sha256", "kernel.c"
# For every processor of the platform, and the same bytes wherever the same compiler runs: nothing of this machine.
FLAGS = ("-O3", "-fPIC", "-std=gnu11")
PATIENCE = 600  # seconds for a compiler that would otherwise never end

TEST = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from verifier.evaluate.kernel.library import NoLibrary
from verifier.evaluate.kernel.compiled import tested
try:
    tested(Path(sys.argv[2]))
except NoLibrary as error:
    sys.exit(str(error))
print("it passes")
"""


class NotBuilt(Exception):
    """There is no library, and why."""


def compiler() -> list[str]:
    if os.environ.get("VERIFIER_NO_C"):
        raise NotBuilt("VERIFIER_NO_C is set")
    if given := os.environ.get("CC"):
        return shlex.split(given)
    found = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    if found is None:
        raise NotBuilt("there is no C compiler (cc, gcc, clang, or the one that CC names)")
    return [found]


def run(call: list[str], folder: Path, what: str) -> str:
    """What the call says, if it ends well."""
    try:
        done = subprocess.run(call, cwd=folder, capture_output=True, text=True, errors="replace", timeout=PATIENCE)  # noqa: PLW1510
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        raise NotBuilt(f"{what}: {error}") from error
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [f"exit {done.returncode}"])[-1]
        raise NotBuilt(f"{what}: {last}")
    return done.stdout


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def how() -> str:
    """The digest of what makes the library of a given source: the compiler's own bytes, its call, the flags."""
    call = compiler()
    program = Path(shutil.which(call[0]) or call[0])
    itself = digest(program) if program.is_file() else ""
    return hashlib.sha256(repr((itself, call, FLAGS)).encode()).hexdigest()


def recorded(folder: Path) -> str:
    return "".join([*(f"{digest(folder / name)}  {name}\n" for name in (LIBRARY, SOURCE)), f"{how()}  how\n"])


def is_built(folder: Path) -> bool:
    """Of this source, and as it would be built now."""
    try:
        return (folder / RECORD).read_text() == recorded(folder)
    except (OSError, ValueError, NotBuilt):
        return False


def build(folder: Path) -> None:
    """Puts the library and its record into the folder, which has the source; raises NotBuilt, and leaves neither."""
    if is_built(folder):
        return
    for name in (LIBRARY, RECORD):
        (folder / name).unlink(missing_ok=True)
    call = compiler()
    with tempfile.TemporaryDirectory() as there:
        room = Path(there)  # only names without folders reach the compiler
        shutil.copyfile(folder / SOURCE, room / SOURCE)
        what = f"the C compiler ({shlex.join(call)}) failed"
        run([*call, *FLAGS, "-shared", "-o", LIBRARY, SOURCE], room, what)
        if not (room / LIBRARY).is_file():
            raise NotBuilt(f"the C compiler ({shlex.join(call)}) made nothing")
        (room / RECORD).write_text(recorded(room))
        # in a process of its own: what a compiler makes that isn't one may end it, with exit 0 too
        what = "the library fails its test"
        if not run([sys.executable, "-B", "-c", TEST, str(ROOT), str(room)], room, what):
            raise NotBuilt(f"{what}: it ends the process that runs it")
        for name in (LIBRARY, RECORD):  # whole or not at all: somebody may be reading
            whole = folder / f".{name}-{os.getpid()}"
            try:
                shutil.copyfile(room / name, whole)
                whole.chmod(0o644)
                whole.replace(folder / name)
            finally:
                whole.unlink(missing_ok=True)


def tag() -> str:
    """Any Python 3, this platform: the library is loaded by ctypes."""
    where = sysconfig.get_platform()
    if sys.platform == "darwin":  # a Python for two processors, perhaps; the library is for one
        where = f"macosx-{os.environ['MACOSX_DEPLOYMENT_TARGET']}-{platform.machine()}"
    return f"py3-none-{re.sub('[^0-9a-zA-Z]', '_', where)}"


def main() -> None:
    try:
        build(ROOT / FOLDER)
    except (NotBuilt, OSError) as error:
        print(f"no C library: {error}; its work will be done more slowly", file=sys.stderr)
    else:
        print(FOLDER / LIBRARY)


class Hook(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """An editable installation has the library in its checkout; a wheel carries it, and leaves none behind."""
        if sys.platform == "darwin":
            os.environ.setdefault("MACOSX_DEPLOYMENT_TARGET", f"{platform.mac_ver()[0].partition('.')[0]}.0")
        self.made = None if version == "editable" else Path(tempfile.mkdtemp())
        folder = self.made or ROOT / FOLDER
        try:
            if self.made is not None:
                for name in (SOURCE, LIBRARY, RECORD):
                    with suppress(FileNotFoundError):
                        shutil.copyfile(ROOT / FOLDER / name, folder / name)
            build(folder)
        except (NotBuilt, OSError) as error:
            self.app.display_warning(f"no C library: {error}; its work will be done more slowly")
            return
        if self.made is not None:
            build_data["force_include"] |= {str(folder / name): str(FOLDER / name) for name in (LIBRARY, RECORD)}
            build_data |= {"pure_python": False, "tag": tag()}

    def finalize(self, version: str, _build_data: dict[str, Any], _made: str) -> None:
        if version != "editable" and self.made is not None:
            shutil.rmtree(self.made)


if __name__ == "__main__":
    main()

"""The package's C libraries, built when the package is built; no run of `verify` compiles anything.

hatchling calls `Hook` (pyproject.toml); `python hatch_build.py` builds the library in a checkout, in place. Without a
C compiler, or with one whose library doesn't pass its own test, there is none, and that is said: the package is
complete without it, and Python's whole numbers do its work, more slowly.

Beside a library lie the digests of it, of the sources it was made of, as sha256sum writes them, and of how it was made
(compiler and flags). verifier/core/library.py loads nothing that differs from the first two; and where all three are
as they were, nothing is compiled again: a wheel takes the library that its checkout has.
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
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Room:
    """A folder with a library of its own, which its module compiled.py opens."""

    folder: Path
    name: str
    sources: tuple[str, ...]
    flags: tuple[str, ...]
    dispatched: bool = False  # compiled once for each width of vector, and dispatch.c has the choice

    @property
    def library(self) -> str:
        return f"{self.name}.library"

    @property
    def record(self) -> str:
        return f"{self.name}.sha256"

    @property
    def test(self) -> str:
        return TEST.format(module=".".join((*self.folder.parts, "compiled")))


# -O3 for the kernel, whose loops are vectors; of numbers of many limbs it would make four times the code, no faster.
KERNEL = Room(Path("verifier/papers/yun2020/kernel"), "kernel", ("dispatch.c", "kernel.c"), ("-O3",), dispatched=True)
NETWORK = Room(Path("verifier/core/whole"), "network", ("network.c", "width.h"), ("-O2",))
ROOMS = (KERNEL, NETWORK)

# For every processor of the platform, and the same bytes wherever the same compiler runs: nothing of this machine.
FLAGS = ("-fPIC", "-std=gnu11")
WIDTHS = {
    "128": (),
    "256": ("-mavx2", "-mbmi2"),
    "512": ("-mavx2", "-mbmi2", "-mavx512f", "-mavx512dq", "-mavx512vl", "-mavx512bw"),
}
PATIENCE = 600  # seconds for a compiler that would otherwise never end

TEST = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from verifier.core.library import NoLibrary
from {module} import opened
try:
    opened(Path(sys.argv[2]))
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


def how(of: Room) -> str:
    """The digest of what makes the library of given sources: the compiler's own bytes, its call, the flags."""
    call = compiler()
    program = Path(shutil.which(call[0]) or call[0])
    itself = digest(program) if program.is_file() else ""
    return hashlib.sha256(repr((itself, call, FLAGS, of.flags, WIDTHS)).encode()).hexdigest()


def is_built(folder: Path, of: Room) -> bool:
    """Of these sources, and as it would be built now."""
    try:
        lines = [f"{digest(folder / name)}  {name}\n" for name in (of.library, *of.sources)]
        return (folder / of.record).read_text() == "".join([*lines, f"{how(of)}  how\n"])
    except (OSError, ValueError, NotBuilt):
        return False


def build(folder: Path, of: Room = KERNEL) -> None:
    """Puts the library and its record into the folder, which has the sources; raises NotBuilt, and leaves neither."""
    if is_built(folder, of):
        return
    for name in (of.library, of.record):
        (folder / name).unlink(missing_ok=True)
    call = compiler()
    with tempfile.TemporaryDirectory() as there:
        room = Path(there)  # only names without folders reach the compiler
        for name in of.sources:
            shutil.copyfile(folder / name, room / name)
        what = f"the C compiler ({shlex.join(call)}) failed"
        if of.dispatched and platform.machine().lower() in ("x86_64", "amd64"):

            def compiled(width: str) -> None:
                one = (*WIDTHS[width], f"-DRUN=run_{width}", "-c", "-o", f"kernel-{width}.o", "kernel.c")
                run([*call, *FLAGS, *of.flags, *one], room, what)

            with ThreadPoolExecutor() as side_by_side:
                list(side_by_side.map(compiled, WIDTHS))
            parts = ["dispatch.c", *(f"kernel-{width}.o" for width in WIDTHS)]
        else:
            parts = [f"{of.name}.c"]
        run([*call, *FLAGS, *of.flags, "-shared", "-o", of.library, *parts], room, what)
        if not (room / of.library).is_file():
            raise NotBuilt(f"the C compiler ({shlex.join(call)}) made nothing")
        lines = [f"{digest(room / name)}  {name}\n" for name in (of.library, *of.sources)]
        (room / of.record).write_text("".join([*lines, f"{how(of)}  how\n"]))
        # in a process of its own: what a compiler makes that isn't one may end it, with exit 0 too
        what = "the library fails its test"
        if not run([sys.executable, "-B", "-c", of.test, str(ROOT), str(room)], room, what):
            raise NotBuilt(f"{what}: it ends the process that runs it")
        for name in (of.library, of.record):  # whole or not at all: somebody may be reading
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
    with ThreadPoolExecutor() as side_by_side:
        builds = [side_by_side.submit(build, ROOT / of.folder, of) for of in ROOMS]
    for of, built in zip(ROOMS, builds, strict=True):
        try:
            built.result()
        except (NotBuilt, OSError) as error:
            print(f"no C library: {error}; its work will be done more slowly", file=sys.stderr)
        else:
            print(of.folder / of.library)


class Hook(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """An editable installation has the libraries in its checkout; a wheel carries them, and leaves none behind."""
        if sys.platform == "darwin":
            os.environ.setdefault("MACOSX_DEPLOYMENT_TARGET", f"{platform.mac_ver()[0].partition('.')[0]}.0")
        self.made = None if version == "editable" else Path(tempfile.mkdtemp())
        for of in ROOMS:
            folder = ROOT / of.folder if self.made is None else self.made / of.name
            try:
                if self.made is not None:
                    folder.mkdir()
                    for name in (*of.sources, of.library, of.record):
                        with suppress(FileNotFoundError):
                            shutil.copyfile(ROOT / of.folder / name, folder / name)
                build(folder, of)
            except (NotBuilt, OSError) as error:
                self.app.display_warning(f"no C library: {error}; its work will be done more slowly")
                continue
            if self.made is not None:
                made = {str(folder / name): str(of.folder / name) for name in (of.library, of.record)}
                build_data["force_include"] |= made
                build_data |= {"pure_python": False, "tag": tag()}

    def finalize(self, version: str, _build_data: dict[str, Any], _made: str) -> None:
        if version != "editable" and self.made is not None:
            shutil.rmtree(self.made)


if __name__ == "__main__":
    main()

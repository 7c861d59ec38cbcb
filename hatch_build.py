"""The kernel's C library, built when the package is built; no run of `verify` compiles anything.

hatchling calls `Hook` (pyproject.toml); `python hatch_build.py` builds the library in a checkout, in place. Without a
C compiler, or with one whose library doesn't pass the kernel's own test, there is none, and that is said: the package
is complete without it, and numpy does its work, more slowly.

Beside the library lies kernel.sha256, the digests of it and of the sources it was made of, as sha256sum writes them.
verifier/papers/yun2020/kernel/compiled.py loads nothing that differs from them.
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
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent
ROOM = Path("verifier/papers/yun2020/kernel")
SOURCES = ("dispatch.c", "kernel.c")
LIBRARY, RECORD = "kernel.library", "kernel.sha256"

# For every processor of the platform, and the same bytes wherever the same compiler runs: nothing of this machine.
FLAGS = ("-O3", "-fPIC", "-std=gnu11")
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
from verifier.papers.yun2020.kernel.compiled import NoLibrary, opened
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


def build(folder: Path) -> None:
    """Puts the library and its record into the folder, which has the sources; raises NotBuilt, and leaves neither."""
    for name in (LIBRARY, RECORD):
        (folder / name).unlink(missing_ok=True)
    call = compiler()
    with tempfile.TemporaryDirectory() as there:
        room = Path(there)  # only names without folders reach the compiler
        for name in SOURCES:
            shutil.copyfile(folder / name, room / name)
        what = f"the C compiler ({shlex.join(call)}) failed"
        if platform.machine().lower() in ("x86_64", "amd64"):
            for width, flags in WIDTHS.items():
                made = f"kernel-{width}.o"
                run([*call, *FLAGS, *flags, f"-DRUN=run_{width}", "-c", "-o", made, "kernel.c"], room, what)
            parts = ["dispatch.c", *(f"kernel-{width}.o" for width in WIDTHS)]
        else:
            parts = ["kernel.c"]
        run([*call, *FLAGS, "-shared", "-o", LIBRARY, *parts], room, what)
        if not (room / LIBRARY).is_file():
            raise NotBuilt(f"the C compiler ({shlex.join(call)}) made nothing")
        names = (LIBRARY, *SOURCES)
        digests = [hashlib.sha256((room / name).read_bytes()).hexdigest() for name in names]
        record = "".join(f"{digest}  {name}\n" for digest, name in zip(digests, names, strict=True))
        (room / RECORD).write_text(record)
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
        build(ROOT / ROOM)
    except (NotBuilt, OSError) as error:
        print(f"no C library: {error}; numpy will do its work, more slowly", file=sys.stderr)
    else:
        print(ROOM / LIBRARY)


class Hook(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """An editable installation has the library in its checkout; a wheel carries it, and leaves none behind."""
        if sys.platform == "darwin":
            os.environ.setdefault("MACOSX_DEPLOYMENT_TARGET", f"{platform.mac_ver()[0].partition('.')[0]}.0")
        self.folder = ROOT / ROOM if version == "editable" else Path(tempfile.mkdtemp())
        try:
            if version != "editable":
                for name in SOURCES:
                    shutil.copyfile(ROOT / ROOM / name, self.folder / name)
            build(self.folder)
        except (NotBuilt, OSError) as error:
            self.app.display_warning(f"no C library: {error}; numpy will do its work, more slowly")
            return
        if version != "editable":
            build_data["force_include"] |= {str(self.folder / name): str(ROOM / name) for name in (LIBRARY, RECORD)}
            build_data |= {"pure_python": False, "tag": tag()}

    def finalize(self, version: str, _build_data: dict[str, Any], _made: str) -> None:
        if version != "editable":
            shutil.rmtree(self.folder)


if __name__ == "__main__":
    main()

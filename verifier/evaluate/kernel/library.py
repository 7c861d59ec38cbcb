"""Opens a C library that was built with the package (hatch_build.py), or says why it isn't used.

Nothing is compiled or written here. A library is looked for only in its module's folder. It is loaded only if its
bytes, and those of its sources, are the ones that were recorded when it was built, and used only if it passes its own
test.
"""

import ctypes
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path


class NoLibrary(Exception):
    """The C library isn't used, and why."""


@dataclass(frozen=True)
class Found:
    """The library that this process runs, or why there is none."""

    handle: ctypes.CDLL | None
    digest: str = ""
    why: str = ""


def looked_for(folder: Path, opened: Callable[[Path], tuple[ctypes.CDLL, str]]) -> Found:
    try:
        if os.environ.get("VERIFIER_NO_C"):
            raise NoLibrary("VERIFIER_NO_C is set")
        if sys.byteorder != "little":
            raise NoLibrary("it runs on little-endian machines alone")
        return Found(*opened(folder))
    except NoLibrary as error:
        return Found(None, why=str(error))


def opened_as_built(
    path: Path,
    record: Path,
    sources: Sequence[str],
    load: Callable[[Path], ctypes.CDLL],
    passes: Callable[[ctypes.CDLL], bool],
) -> tuple[ctypes.CDLL, str]:
    """The library at `path`, and its digest, if it was built from the sources beside it and passes its test."""
    import hashlib

    try:
        recorded = {name: digest for digest, name in map(str.split, record.read_text().splitlines())}
        names = (path.name, *sources)
        digests = {name: hashlib.sha256((path.parent / name).read_bytes()).hexdigest() for name in names}
    except FileNotFoundError:
        raise NoLibrary("none was built") from None
    except (OSError, ValueError) as error:
        raise NoLibrary(f"{path} or its record can't be read: {error}") from error
    if digests[path.name] != recorded.get(path.name):  # loading a truncated library would end this process
        raise NoLibrary(f"{path} is not what was built: its digest is another than in {record.name}")
    if not digests.items() <= recorded.items():
        raise NoLibrary(f"{path} was built from other sources")
    try:
        loaded = load(path)
    except (OSError, AttributeError) as error:
        raise NoLibrary(f"{path} can't be loaded: {error}") from error
    if not passes(loaded):
        raise NoLibrary(f"{path} doesn't count as it should")
    return loaded, digests[path.name]

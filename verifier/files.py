"""Reads files, and writes them whole or not at all; devices, pipes and links are never replaced."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from verifier.interrupts import unbroken

MOST_BYTES = 16 * 2**20


class Unreadable(ValueError):
    """The file can't be read as text."""


def read(path: Path) -> str:
    """The text of a regular file of at most MOST_BYTES."""
    try:
        return read_bytes(path).decode()
    except UnicodeDecodeError as error:
        raise Unreadable(f"byte {error.start} is not UTF-8") from error


def read_bytes(path: Path) -> bytes:
    """The bytes of a regular file of at most MOST_BYTES."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise Unreadable("it is no regular file")
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise Unreadable(error.strerror or "it can't be read") from error
    if len(data) > MOST_BYTES:
        raise Unreadable(f"it has more than {MOST_BYTES:,} bytes")
    return data


def read_regular(path: Path) -> bytes:
    """The bytes of a file that we wrote; raises Unreadable for a pipe, which might never end, a device or a link."""
    if not stat.S_ISREG(path.lstat().st_mode):
        raise Unreadable("it is no regular file")
    return path.read_bytes()


def refusal(path: Path) -> str | None:
    """Why a file can't be written there; None if it can. A device, a pipe or a link is never replaced."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        mode = None
    except (OSError, ValueError) as error:
        return getattr(error, "strerror", None) or "there can be no such file"
    if mode is not None and not stat.S_ISREG(mode):
        return "what is there already is no regular file"
    if mode is not None and not mode & 0o222:
        return "the file is there already, and read-only"
    if not path.parent.is_dir():
        return "there is no such folder"
    return None if os.access(path.parent, os.W_OK) else "the folder can't be written to"


def write(path: Path, data: bytes) -> None:
    """Writes all of the bytes, or leaves the old file (or none): never a part."""
    if why := refusal(path):
        raise OSError(0, why, str(path))
    with _beside(path, data) as whole:
        if path.exists():
            whole.chmod(path.stat().st_mode & 0o777)
        whole.replace(path)


def create(path: Path, data: bytes) -> None:
    """Writes a file that doesn't exist yet; if several processes try at once, one succeeds."""
    with suppress(FileExistsError), _beside(path, data) as whole:
        try:
            os.link(whole, path)
        except FileExistsError:
            raise
        except OSError:  # a file system without links
            with path.open("xb") as file:
                file.write(data)


@contextmanager
def _beside(path: Path, data: bytes) -> Iterator[Path]:
    """Writes all of the bytes to the disk, under another name in the same folder."""
    whole = path.parent / f".verify-{os.urandom(8).hex()}"
    with unbroken():
        try:
            with whole.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            yield whole
        finally:
            whole.unlink(missing_ok=True)

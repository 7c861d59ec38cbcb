"""A folder that holds a network, written whole or not at all."""

import os
import shutil
from pathlib import Path

from verifier.interrupts import unbroken


def refusal(path: Path) -> str | None:
    """Why a folder can't be made there; None if it can."""
    parent = path.absolute().parent
    try:
        path.lstat()
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:  # a file where a folder should be, a name too long, a zero in it
        return getattr(error, "strerror", None) or "no folder can have this name"
    else:
        return "it exists already"
    if not parent.is_dir():
        return "its parent folder doesn't exist"
    return None if os.access(parent, os.W_OK) else "its parent folder can't be written to"


def placed(made: dict[str, bytes], path: Path) -> None:
    """Writes a folder with these files, or nothing."""
    parent = path.absolute().parent
    beside = parent / f".verify-{os.urandom(8).hex()}"
    with unbroken():
        try:
            beside.mkdir()
            for name, data in made.items():
                with (beside / name).open("xb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
            if os.path.lexists(path):  # rename would replace an empty folder
                raise FileExistsError(0, "it exists already", str(path))
            beside.rename(path.absolute())
        finally:
            shutil.rmtree(beside, ignore_errors=True)

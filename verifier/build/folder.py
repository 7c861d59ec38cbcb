"""A folder that holds a network, written whole or not at all."""

import os
import shutil
from importlib.resources import files
from pathlib import Path

from verifier.build import encoder
from verifier.build.certificate import certificate
from verifier.build.export import MOST_BYTES, encoder_safetensors, safetensors, weights_json
from verifier.build.onnx import onnx
from verifier.build.plan import Built
from verifier.build.readme import readme
from verifier.certificate import TooLong
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


def contents(b: Built) -> dict[str, bytes]:
    """Each file by its name."""
    nearest = b.form == "paper"
    found = {
        "weights.json": weights_json(b.stack),
        "model.safetensors": safetensors(b.stack, b.dtype, nearest=nearest),
        "model.onnx": onnx(b.stack, b.dtype, nearest=nearest),
    }
    if encoder.serves(b.stack):
        found["encoder.safetensors"] = encoder_safetensors(b.stack, b.dtype, nearest=nearest)
    for name, data in found.items():
        if len(data) > MOST_BYTES:
            raise TooLong(f"{name} would have {len(data):,} bytes, and at most {MOST_BYTES:,} are read")
    found["model.py"] = model(b)
    found["certificate.json"] = certificate(b, found)
    found["README.md"] = readme(b, found).encode()
    return found


def model(b: Built) -> bytes:
    text = files("verifier.build").joinpath("model.py.txt").read_text()
    return text.replace("DIMENSIONS", f"{b.instance.d}, {b.instance.n}, torch.{b.dtype.name}").encode()


def write(b: Built, path: Path) -> dict[str, bytes]:
    """The folder, under another name beside it until every byte is on the disk."""
    if why := refusal(path):
        raise OSError(0, why, str(path))
    made = contents(b)
    placed(made, path)
    return made


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

"""Finished shards on disk, so that a run that was stopped goes on where it was.

A folder holds manifest.json, which binds the page's text, its sizes, variant and claims, the code and the number of
cases, and a file for each finished shard with the SHA-256 of its content and of
what the manifest binds. Files are written whole; a shard that is damaged, or of another run, is found and run again; a
folder of another run is refused, with what differs. Of several runs that begin in one folder at once, one writes the
manifest.
"""

import hashlib
import json
import os
from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path
from typing import Any, Generic, TypeVar

from verifier import __version__
from verifier.files import create, read_regular, refusal, write
from verifier.run.stop import OtherRun, Unwritable

T = TypeVar("T")


def code_identity() -> str:
    """The version, with a digest of the package's sources: shards made by different code aren't mixed."""
    home = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256()
    for path in sorted(home.rglob("*.py")):
        digest.update(str(path.relative_to(home)).encode() + b"\0" + path.read_bytes() + b"\0")
    return f"{__version__}+{digest.hexdigest()[:16]}"


class Kept(Generic[T]):
    """A folder with the manifest of a run, and the content of each of its finished shards, as JSON."""

    def __init__(self, folder: Path, wanted: dict[str, Any]) -> None:
        """Opens the folder for this run; raises OtherRun if it is another's, with how it differs."""
        self.folder = folder
        self.run = hashlib.sha256(_bytes(wanted)).hexdigest()
        self.damaged: list[str] = []
        manifest = folder / "manifest.json"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if not os.access(folder, os.W_OK):
                raise PermissionError(13, "it can't be written to")
            if not os.path.lexists(manifest):
                create(manifest, _bytes(wanted))
            found = json.loads(read_regular(manifest))  # another run may have written it just now
            difference = _difference(found, wanted)
        except OSError as error:
            raise Unwritable(f"the checkpoint can't be kept: {folder}: {error.strerror}") from error
        except (ValueError, RecursionError) as error:
            raise OtherRun(f"{manifest} is damaged; remove {folder} to begin anew") from error
        if difference:
            raise OtherRun(f"{folder} belongs to another run: {difference}")

    def path(self, index: int) -> Path:
        return self.folder / f"shard-{index:05}.json"

    def load_as(self, index: int, read: Callable[[Any], T]) -> T | None:
        """What `read` makes of a shard's content; None if there is none, or if it is damaged, or another run's, or if
        `read` can't read it.

        Raises Unwritable if what stands in its place could not be replaced once the shard is finished.
        """
        path = self.path(index)
        try:
            document = json.loads(read_regular(path))
            content = document["content"]
            if document["sha256"] != hashlib.sha256(_bytes(content)).hexdigest():
                raise ValueError("its digest is another")
            if (content["run"], content["index"]) != (self.run, index):
                raise ValueError("it is another run's, or another shard")
            return read(content)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
            if why := refusal(path):
                raise Unwritable(f"the checkpoint can't be kept: {path}: {why}") from error
            self.damaged.append(path.name)
            return None

    def save_as(self, index: int, content: dict[str, Any]) -> None:
        content = {"run": self.run, "index": index} | content
        document = {"content": content, "sha256": hashlib.sha256(_bytes(content)).hexdigest()}
        try:
            write(self.path(index), _bytes(document))
        except OSError as error:
            raise Unwritable(f"the checkpoint can't be kept: {self.path(index)}: {error.strerror}") from error


def _bytes(document: Any) -> bytes:
    return json.dumps(document, sort_keys=True, separators=(",", ":")).encode()


def _difference(found: Any, wanted: dict[str, Any]) -> str:
    """How a manifest differs from this run's, in words; empty if it doesn't."""
    for key, here in wanted.items():
        there = found.get(key) if isinstance(found, dict) else found
        if there == here:
            continue
        if key == "page" and isinstance(there, str):
            lines = zip_longest(there.split("\n"), here.split("\n"), fillvalue="its end")
            one, other = next((a, b) for a, b in lines if a != b)
            return f"its page has {_short(one)}, and this one {_short(other)}"
        if not (key == "claims" and isinstance(there, list) and all(isinstance(id_, str) for id_ in there)):
            return f"its {key} is {_short(there)}, and not {_short(here)}"
        sides = (("there", there, here), ("here", here, there))
        words = [
            f"only {side}: {', '.join(ascii(id_)[1:-1] for id_ in these if id_ not in those)}"
            for side, these, those in sides
            if set(these) - set(those)
        ]
        return f"its claims are others; {'; '.join(words) or 'the same ids, in another order'}"
    return ""


def _short(value: Any) -> str:
    text = ascii(value)
    return text if len(text) <= 100 else f"{text[:100]}..."

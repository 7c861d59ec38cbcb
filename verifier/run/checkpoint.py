"""Finished shards on disk, so that a run that was stopped goes on where it was.

A folder holds manifest.json, which binds instance, claims, engine, code and shard plan (of a page: its text, sizes,
variant, claims, code and number of cases), and a file for each finished shard with the SHA-256 of its content and of
what the manifest binds. Files are written whole; a shard that is damaged, or of another run, is found and run again; a
folder of another run is refused, with what differs. Of several runs that begin in one folder at once, one writes the
manifest.
"""

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, is_dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any, Generic, TypeVar

from verifier import __version__
from verifier.catalogue import papers
from verifier.core.claim import Claim
from verifier.core.construction import Construction
from verifier.core.exact import parse_rational, text_of
from verifier.core.paper import loaded
from verifier.core.space import Sizes
from verifier.core.whole import compiled
from verifier.files import create, read_regular, refusal, write
from verifier.run.shard import Count, Part, Shard, plan, refuse_impossible
from verifier.run.stop import OtherRun, Unwritable

T = TypeVar("T")


def code_identity() -> str:
    """The version, with digests of the package's sources and C libraries: shards made by different code aren't
    mixed."""
    home = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256()
    for path in sorted(home.rglob("*.[pch]*")):
        if path.suffix in (".py", ".c", ".h"):
            digest.update(str(path.relative_to(home)).encode() + b"\0" + path.read_bytes() + b"\0")
    found = [compiled.found().digest, *(loaded(paper.library)() for paper in papers().values() if paper.library)]
    libraries = ", ".join(digest[:16] or "none" for digest in found)
    return f"{__version__}+{digest.hexdigest()[:16]}, C libraries {libraries}"


def spelled(value: Any) -> str:
    """A value written out with all its parts, where its repr may be an abbreviation."""
    if is_dataclass(value) and not isinstance(value, type):
        parts = (f"{field.name}={spelled(getattr(value, field.name))}" for field in fields(value))
        return f"{type(value).__qualname__}({', '.join(parts)})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{spelled(key)}: {spelled(its)}" for key, its in value.items()) + "}"
    if isinstance(value, (set, frozenset)):
        return "{" + ", ".join(sorted(map(spelled, value))) + "}"
    if isinstance(value, (tuple, list)):
        return f"({', '.join(map(spelled, value))})"
    return repr(value)


def identity(g: Construction, claims: Sequence[Claim], engine: str) -> dict[str, Any]:
    return {
        "format": "verifier.checkpoint/3",
        "paper": g.paper or g.title,
        "instance": dict(g.sizes),
        "construction": hashlib.sha256(spelled(g.code).encode()).hexdigest(),
        "claims": [claim.id for claim in claims],
        "engine": engine,
        "code": code_identity(),
        "orbits": g.space.size,
        "shards": len(plan(g.space.size)),
    }


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


class Checkpoint(Kept[Part]):
    """The shards of a construction."""

    def __init__(self, folder: Path, wanted: dict[str, Any], categories: Sequence[str]) -> None:
        super().__init__(folder, wanted)
        self.wanted, self.categories = wanted, categories

    def load(self, index: int, start: int, stop: int) -> Part | None:
        ids, kernel = self.wanted["claims"], self.wanted["engine"] != "literal"
        return self.load_as(index, lambda content: part_of(content, start, stop, ids, self.categories, kernel=kernel))

    def save(self, index: int, part: Part) -> None:
        self.save_as(index, _content(part))


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


def _content(part: Part) -> dict[str, Any]:
    shard = part.shard
    return {
        "start": shard.start,
        "stop": shard.stop,
        "coverage": {name: [str(sizes.matrices), sizes.orbits] for name, sizes in shard.coverage.items()},
        "digest": text_of(shard.digest),
        "claims": {
            claim: [
                str(count.cases),
                count.failing,
                count.first,
                {edge: [text_of(slack), rank] for edge, (slack, rank) in count.edges.items()},
            ]
            for claim, count in shard.claims.items()
        },
        "instead": part.instead,
        "nearest": None if part.nearest is None else [str(part.nearest[0]), part.nearest[1]],
        "values": {claim: [[text_of(value), rank] for value, rank in values] for claim, values in part.values.items()},
    }


def part_of(
    content: dict[str, Any], start: int, stop: int, ids: Iterable[str], categories: Sequence[str], *, kernel: bool
) -> Part:
    """The part, if it is of this stretch and its numbers are possible."""
    part = _part(content)
    if (part.shard.start, part.shard.stop) != (start, stop):
        raise ValueError("another stretch")
    refuse_impossible(part, ids, categories, kernel=kernel)
    return part


def _part(content: dict[str, Any]) -> Part:
    claims = {
        claim: Count(int(cases), failing, first, {edge: (parse_rational(s), rank) for edge, (s, rank) in edges.items()})
        for claim, (cases, failing, first, edges) in content["claims"].items()
    }
    coverage = {name: Sizes(int(matrices), orbits) for name, (matrices, orbits) in content["coverage"].items()}
    shard = Shard(content["start"], content["stop"], coverage, parse_rational(content["digest"]), claims)
    values = {claim: [(parse_rational(x), rank) for x, rank in found] for claim, found in content["values"].items()}
    nearest = content["nearest"]
    return Part(shard, values, None if nearest is None else (int(nearest[0]), nearest[1]), content["instead"])

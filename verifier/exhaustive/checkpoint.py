"""Finished shards on disk, so that a run that was stopped goes on where it was.

A folder holds manifest.json, which binds instance, claims, engine, code and shard plan, and a file for each finished
shard with the SHA-256 of its content. Files are written whole; a damaged one is found and its shard run again; a
folder of another run is refused, with what differs.
"""

import hashlib
import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gmpy2 import mpq

from verifier import __version__
from verifier.claims.claim import Claim
from verifier.constructions.contextual_map import ContextualMap
from verifier.exact import NotExact, parse_rational, text_of
from verifier.exhaustive.shard import Count, Part, Shard, plan
from verifier.exhaustive.stop import OtherRun, Unwritable
from verifier.files import write
from verifier.grid import Sizes, multisets


def code_identity() -> str:
    """The version, and a digest of every source of the package: shards of other code are not mixed."""
    home = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256()
    for path in sorted(home.rglob("*.[pc]*")):
        if path.suffix in (".py", ".c"):
            digest.update(str(path.relative_to(home)).encode() + b"\0" + path.read_bytes() + b"\0")
    return f"{__version__}+{digest.hexdigest()[:16]}"


def identity(g: ContextualMap, claims: Sequence[Claim], engine: str) -> dict[str, Any]:
    i = g.instance
    construction = hashlib.sha256(repr((g.grid.u, g.grid.entries, g.grid.sentinel, g.network, g.interval)).encode())
    orbits = multisets(len(g.grid.columns), i.n)
    return {
        "format": "verifier.checkpoint/1",
        "instance": {"d": i.d, "n": i.n, "N": i.N},
        "construction": construction.hexdigest(),
        "claims": [claim.id for claim in claims],
        "engine": engine,
        "code": code_identity(),
        "orbits": orbits,
        "shards": len(plan(orbits)),
    }


class Checkpoint:
    def __init__(self, folder: Path, wanted: dict[str, Any]) -> None:
        """Opens the folder for this run; raises OtherRun if it is another's."""
        self.folder = folder
        self.damaged: list[str] = []
        manifest = folder / "manifest.json"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if not os.access(folder, os.W_OK):
                raise PermissionError(13, "it can't be written to")
            if not manifest.exists():
                write(manifest, _bytes(wanted))
            found = json.loads(manifest.read_bytes())
        except OSError as error:
            raise Unwritable(f"the checkpoint can't be kept: {folder}: {error.strerror}") from error
        except ValueError as error:
            raise OtherRun(f"{manifest} is damaged; remove {folder} to begin anew") from error
        for key, value in wanted.items():
            there = found.get(key) if isinstance(found, dict) else found
            if there != value:
                raise OtherRun(f"{folder} belongs to another run: its {key} is {there}, and not {value}")

    def path(self, index: int) -> Path:
        return self.folder / f"shard-{index:05}.json"

    def load(self, index: int, start: int, stop: int) -> Part | None:
        """The finished shard, or None where there is none, or a damaged one."""
        path = self.path(index)
        try:
            document = json.loads(path.read_bytes())
            content = document["content"]
            if document["sha256"] != hashlib.sha256(_bytes(content)).hexdigest():
                raise ValueError("its digest is another")
            part = _part(content)
            if (part.shard.start, part.shard.stop) != (start, stop):
                raise ValueError("it is another stretch")
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            self.damaged.append(path.name)
            return None
        return part

    def save(self, index: int, part: Part) -> None:
        content = _content(part)
        document = {"content": content, "sha256": hashlib.sha256(_bytes(content)).hexdigest()}
        try:
            write(self.path(index), _bytes(document))
        except OSError as error:
            raise Unwritable(f"the checkpoint can't be kept: {self.path(index)}: {error.strerror}") from error


def _bytes(document: Any) -> bytes:
    return json.dumps(document, sort_keys=True, separators=(",", ":")).encode()


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
        "values": None
        if part.values is None
        else {claim: [[text_of(value), rank] for value, rank in values] for claim, values in part.values.items()},
    }


def _part(content: dict[str, Any]) -> Part:
    claims = {
        claim: Count(int(cases), failing, first, {edge: (_number(s), rank) for edge, (s, rank) in edges.items()})
        for claim, (cases, failing, first, edges) in content["claims"].items()
    }
    coverage = {name: Sizes(int(matrices), orbits) for name, (matrices, orbits) in content["coverage"].items()}
    shard = Shard(content["start"], content["stop"], coverage, _number(content["digest"]), claims)
    values = content["values"]
    if values is not None:
        values = {claim: [(_number(text), rank) for text, rank in found] for claim, found in values.items()}
    nearest = content["nearest"]
    return Part(shard, values, None if nearest is None else (int(nearest[0]), nearest[1]), content["instead"])


def _number(text: str) -> mpq:
    if not re.fullmatch(r"[-/0-9]+", text):
        raise NotExact(text)
    return parse_rational(text)

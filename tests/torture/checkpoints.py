"""Stretches of a checkpoint that say something else, with a digest that fits."""

import hashlib
import json
import random
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any

from torture.case import CLI, Case, Kind, another, at, call, compact, insist, leaves, put, right_or_none, run_of, truth

SMALL = (1, 2, 9)
_making = Lock()
_kept: dict[str, bytes] = {}


def words() -> list[str]:
    return run_of(*SMALL, "--jobs", "1", "--checkpoint", "kept")


def made(folder: Path) -> dict[str, bytes]:
    """The files of a finished run; made once."""
    with _making:
        if not _kept:
            there = folder / "first"
            there.mkdir()
            end = call([*CLI, *words()], there)
            insist(end.code == 0, "no checkpoint to forge", end)
            _kept.update({path.name: path.read_bytes() for path in (there / "kept").iterdir()})
        return _kept


def number_changed(contents: list[Any], rng: random.Random) -> str:
    k = rng.randrange(len(contents))
    found = [place for place in leaves(contents[k]) if place[0] not in ("run", "index")]
    place = rng.choice([place for place in found if at(contents[k], place)])
    before = at(contents[k], place)
    if isinstance(before, int):
        after: Any = another(before, rng)
    elif before.startswith("0x"):
        after = hex(another(int(before, 16), rng))
    else:
        head, _, tail = before.partition("/")
        number = head.lstrip("-").isdigit()
        after = str(int(head) + rng.choice((-1, 1, 1000))) + (f"/{tail}" if tail else "") if number else before[::-1]
    put(contents[k], place, after)
    return f"stretch {k}: {'.'.join(map(str, place))}: {before} -> {after}"


def exchanged(contents: list[Any], rng: random.Random) -> str:
    """What two stretches say of a claim, exchanged."""
    a, b = rng.sample(range(len(contents)), 2)
    claim = rng.choice([*contents[a]["claims"]])
    one, other = contents[a]["claims"], contents[b]["claims"]
    one[claim], other[claim] = other[claim], one[claim]
    return f"what stretches {a} and {b} say of {claim}, exchanged"


def left_out(contents: list[Any], rng: random.Random) -> str:
    """A line of a claim, with its least slack."""
    k, claim = rng.choice(
        [(k, c) for k, its in enumerate(contents) for c in its["claims"] if its["claims"][c].get("lines")]
    )
    del contents[k]["claims"][claim]["lines"][0]
    return f"stretch {k}: the first line of {claim}, left out"


def refuted(contents: list[Any], rng: random.Random) -> str:
    k = rng.randrange(len(contents))
    claim = rng.choice([*contents[k]["claims"]])
    entry = contents[k]["claims"][claim]
    entry["failing"] = entry.get("failing", 0) + 1
    return f"stretch {k}: {claim} fails once more"


FORGERIES: list[Callable[[list[Any], random.Random], str]] = [
    number_changed, number_changed, number_changed, exchanged, left_out, refuted,
]  # fmt: skip


def forged(folder: Path, rng: random.Random, times: int) -> str:
    """Puts a checkpoint there that lies so many times; says how."""
    files = made(folder)
    names = sorted(name for name in files if name.startswith("shard"))
    contents = [json.loads(files[name])["content"] for name in names]
    said = [rng.choice(FORGERIES)(contents, rng) for _ in range(times)]
    (folder / "kept").mkdir()
    for name in files:
        (folder / "kept" / name).write_bytes(files[name])
    for name, content in zip(names, contents, strict=True):
        data = compact({"content": content, "sha256": hashlib.sha256(compact(content)).hexdigest()})
        (folder / "kept" / name).write_bytes(data)
    return "; ".join(said)


def draw(rng: random.Random, _: int) -> Case:
    times = rng.choice((1, 1, 1, 2))
    return Case(f"{times} lies in a checkpoint of {SMALL}", lambda folder: lied(folder, rng, times))


def lied(folder: Path, rng: random.Random, times: int) -> str:
    lie = forged(folder, rng, times)
    end = call([*CLI, *words()], folder)
    try:
        said = right_or_none(end, truth(*SMALL), (2, 3, 5, 70))
    finally:
        (folder / "lie").write_text(lie)
    return f"{said}, run again" if "run again" in end.err and end.code == 0 else said


KIND = Kind(
    "checkpoints",
    "stretches whose numbers, ranks, categories or tightest cases are changed or exchanged, with a digest that fits",
    "the true bytes, or exit 70 (2, 3, 5)",
    draw,
    120,
    12,
)
